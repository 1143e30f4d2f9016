"""The Hollywood sheet: as the page prints it, as its rules fill it, and as simulations play it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import GinsimError, OptionError, RulesError, hollywood_sheet
from ginsim.columns import OUTCOMES
from ginsim.hand_bounds import list_outcomes, list_ways
from ginsim.rescoring import FIELDS
from ginsim.sheet_hands import most_prizes
from tests import cases

# "Exemplo do marcador de uma partida (limite - 200 pontos)", source 0, as it is printed.
PRINTED = """
A	A	A	B	B	B
18	13	41	10	31	70
31	54	(2)	41	(2)	(4)
72	(2)	97	(2)	101	87
(2)	110	(4)	111	(4)	92
128	(4)	125	(4)	118	7
(4)	138	179	9	9	.
156	192	(4)	.	.	.
210	(4)	191	.	.	.
(4)	204	(1)	.	.	.
+(5)	(1)	204	.	.	.
21	+(5)	+(5)	.	.	.
.	22	22	.	.	.
"""

# The small sheets above it: the hands, and the block as it is printed.
SMALL: dict[str, tuple[list[Any], str]] = {
    "an empty sheet": ([], "A A A B B B\n. . . . . ."),
    "1a rodada": ([("A", 15)], "A A A B B B\n15 . . . . ."),
    "2a rodada": ([("A", 15), ("B", 19)], "A A A B B B\n15 . . 19 . ."),
    "3a rodada": (
        [("A", 15), ("B", 19), ("A", 16)],
        "A A A B B B\n15 16 . 19 . .\n31 . . . . .",
    ),
    "4a rodada": (
        [("A", 15), ("B", 19), ("A", 16), ("A", 17)],
        "A A A B B B\n15 16 17 19 . .\n31 33 . . . .\n48 . . . . .",
    ),
    "gin": ([("A", 40, 2)], "A A A B B B\n40 . . . . .\n(2) . . . . ."),
    "gin on a spade": ([("A", 80, 4)], "A A A B B B\n80 . . . . .\n(4) . . . . ."),
}


def rows(block: str) -> list[list[str]]:
    return [line.split() for line in block.strip().splitlines()]


def case_sheet(name: str) -> ginsim.Sheet:
    """The sheet of a worked case."""
    given = cases.by_id(name)["input"]
    changes = {"target": given["limit"]}
    changes |= {key: given[key] for key in ("shutout_shift",) if key in given}
    rules = ginsim.load_rules("hollywood").replace(**changes)
    return hollywood_sheet([tuple(hand) for hand in given["hands"]], rules)


# ---------------------------------------------------------------- as it is printed


def test_the_printed_sheet_cell_by_cell() -> None:
    sheet = case_sheet("HW07")
    printed = rows(PRINTED)
    assert sum(map(len, printed[1:])) == 72
    assert sheet.grid() == printed
    # "o pagamento é feito pela diferença de boxes": 21 + 22 + 22 and 9 + 9 + 7, as printed.
    assert sheet.boxes == {"A": 65, "B": 25}
    assert (sheet.over, sheet.winner, sheet.pays) == (True, "A", 40)
    # The last totals of the columns: 210 + 204 + 204 and 111 + 118 + 92.
    assert sheet.points == sheet.final == {"A": 618, "B": 321}
    assert sheet.points_winner == "A"


@pytest.mark.parametrize("name", SMALL)
def test_the_small_sheets(name: str) -> None:
    hands, block = SMALL[name]
    assert hollywood_sheet(hands).grid() == rows(block)


def test_the_sheet_of_four() -> None:
    """A gins with 15, D wins 9: "A/B marcará 6 pontos, mais 25 pontos e dois boxes extras"."""
    sheet = hollywood_sheet([("A", 31, 2)], "partnership", players=("A", "B"))
    assert sheet.grid() == rows("A A A B B B\n31 . . . . .\n(2) . . . . .")


@pytest.mark.parametrize("case", cases.of_kind("hollywood"))
def test_worked_cases(case: dict[str, Any]) -> None:
    sheet = case_sheet(case["id"])
    found: dict[str, Any] = {
        "over": sheet.over,
        "closed": [
            [column.closed_at, column.number, column.closed_by, column.shutout]
            for column in sheet.columns
            if column.closed_by
        ],
    }
    for key, read in (
        ("totals", lambda column, name: column.points[name]),
        ("boxes", lambda column, name: column.boxes[name]),
        ("entries", lambda column, name: [entry.total for entry in column.entries[name]]),
        ("bonuses", lambda column, name: [entry.prize_boxes for entry in column.entries[name]]),
    ):
        found[key] = {name: [read(column, name) for column in sheet.columns] for name in "AB"}
    assert set(case["expected"]) <= set(found)
    assert {key: found[key] for key in case["expected"]} == case["expected"]


# ---------------------------------------------------------------- reasoned by hand


def test_a_shutout_doubles_the_boxes_of_the_column() -> None:
    """HW09: two wins of 100 and the prize, 2 + 5 boxes, doubled; the other has none."""
    block = """
    A    A   A  B  B  B
    100  100 .  0  .  .
    200  .   .  .  .  .
    +(5) .   .  .  .  .
    ×2   .   .  .  .  .
    14   .   .  .  .  .
    """
    assert case_sheet("HW09").grid() == rows(block)


def test_three_columns_closed_at_once() -> None:
    """HW10: B has a box in column 1 only, so columns 2 and 3 are shutouts.

    Boxes of A: 4 + 4 + 5; (3 + 4 + 5) × 2; (2 + 4 + 5) × 2.
    """
    block = """
    A    A    A    B  B  B
    30   40   50   10 0  0
    70   90   210  1  .  .
    120  250  (4)  .  .  .
    280  (4)  +(5) .  .  .
    (4)  +(5) ×2   .  .  .
    +(5) ×2   22   .  .  .
    13   24   .    .  .  .
    """
    sheet = case_sheet("HW10")
    assert sheet.grid() == rows(block)
    assert sheet.hands[-1].closed == sheet.hands[-1].posted == (1, 2, 3)
    text = sheet.text()
    assert "Column 1: closed by A with hand 5.\n" in text
    for number in (2, 3):
        line = f"Column {number}: closed by A with hand 5, a shutout (capote): boxes doubled.\n"
        assert line in text
    # 13 + 24 + 22 = 59 boxes to 1, 280 + 250 + 210 points to 10.
    assert "A wins by boxes, 59 to 1. B pays 58 boxes.\nBy points too: 740 to 10.\n" in text


def test_columns_with_bonuses_and_without_boxes() -> None:
    """kawu+hollywood: a column to 100 brings 100, each hand in it 25; a shutout doubles the 100.

    B: 40. A: 60, 50 (110 closes column 1: 110 + 100 + 2 × 25; B there 40 + 25), 50 (100 closes
    column 2, B without a hand: 100 + 200 + 50; 50 in column 3).
    """
    hands = [("B", 40), ("A", 60), ("A", 50), ("A", 50)]
    sheet = hollywood_sheet(hands, "kawu+hollywood")
    block = """
    A    A    A   B   B  B
    60   50   50  40  =0 .
    110  100  .   +25 .  .
    +150 +250 .   =65 .  .
    =260 =350 .   .   .  .
    """
    assert sheet.grid() == rows(block)
    text = sheet.text(hands=True)
    assert "box" not in text
    # 260 + 350 + 50 + 25 for the hand in the open column.
    assert "Not over, column 3 open. A leads by score, 685 to 65.\n" in text
    assert "Column 2: closed by A with hand 4, a shutout (capote).\n" in text


def test_dead_hands_are_listed_and_not_written() -> None:
    sheet = hollywood_sheet([("A", 15), (None, 0), ("-", 0, 0), ("", 0), ("A", 16)])
    assert sheet.grid() == rows("A A A B B B\n15 16 . . . .\n31 . . . . .")
    assert [hand.winner for hand in sheet.hands] == ["A", None, None, None, "A"]
    assert [hand.posted for hand in sheet.hands] == [(1,), (), (), (), (1, 2)]
    assert sheet.hands[3].totals == {"A": (15, 0, 0), "B": (0, 0, 0)}
    assert [hand.boxes for hand in sheet.hands] == [1, 0, 0, 0, 1]


def test_boxes_and_points_may_have_other_winners() -> None:
    """B has fewer points and more boxes.

    Columns of 150. B: 20 three times, each 1 + 6 boxes (big gin on a spade), in columns 1, 1-2,
    1-2-3: 21 + 14 + 7 = 42 boxes, 60 + 40 + 20 points. A: 60, 60, 60 (180 closes column 1: 3 + 5
    boxes), 90 (120 + 90 closes column 2: 3 + 5; 60 + 90 column 3: 2 + 5): 23 boxes, 540 points.
    """
    hands = [("B", 20, 6)] * 3 + [("A", 60)] * 3 + [("A", 90)]
    sheet = hollywood_sheet(hands, "hollywood(target=150)")
    assert (sheet.winner, sheet.points_winner, sheet.pays) == ("B", "A", 19)
    assert (
        "B wins by boxes, 42 to 23. A pays 19 boxes.\n"
        "By points A wins, 540 to 120: the two differ; boxes decide.\n"
    ) in sheet.text()


def test_equal_boxes_are_decided_by_points() -> None:
    """Columns of 10, no prize for closing: a win is a box in each column that takes it.

    A 10 closes column 1 (a shutout: 2 boxes), B 9 goes by the shift to column 2, A's 1 to column
    2, B 1 to 2 (10: closes it) and 3, A 10 to 3. Boxes: A 2 + 1 + 1, B 0 + 2 + 1.
    Without doubling A 1 + 1 + 1, B 3: equal; points A 10 + 1 + 10, B 0 + 10 + 1.
    """
    hands = [("A", 10), ("B", 9), ("A", 1), ("B", 1), ("A", 10)]
    small = "hollywood(target=10, box_column=0)"
    doubled = hollywood_sheet(hands, small)
    assert doubled.boxes == {"A": 4, "B": 3}
    assert "+(" not in doubled.text()
    sheet = hollywood_sheet(hands, "hollywood(target=10, box_column=0, shutout=add)")
    assert sheet.boxes == {"A": 3, "B": 3}
    assert (sheet.winner, sheet.pays) == ("A", 0)
    assert "×2" not in sheet.text()
    line = "Boxes are equal, 3 each. A wins by points, 21 to 11. Nothing is paid.\n"
    assert line in sheet.text()


def test_nobody_ahead() -> None:
    """As above, but B's second win is 9 and A's last 16: 10 + 1 + 16 and 18 + 9 points."""
    hands = [("A", 10), ("B", 9), ("A", 1), ("B", 9), ("A", 16)]
    rules = "hollywood(target=10, box_column=0, shutout=add)"
    sheet = hollywood_sheet(hands, rules)
    assert sheet.points == {"A": 27, "B": 27}
    assert sheet.boxes == {"A": 3, "B": 3}
    assert (sheet.over, sheet.winner, sheet.points_winner, sheet.pays) == (True, None, None, 0)
    assert "Nobody wins: all is equal. Nothing is paid.\n" in sheet.text()
    level = hollywood_sheet([("A", 5), ("B", 5)], rules)
    assert (level.leader, level.winner, level.pays) == (None, None, None)
    assert "Not over, columns 1, 2 and 3 open. Nobody leads: all is equal.\n" in level.text()
    nearly = hollywood_sheet([("A", 5), ("B", 6)], rules)
    assert nearly.leader == "B"
    assert "open. Boxes are equal, 1 each. B leads by points, 6 to 5.\n" in nearly.text()


def test_hands_after_the_end_are_left_over() -> None:
    given = [tuple(hand) for hand in cases.by_id("HW07")["input"]["hands"]]
    whole = hollywood_sheet(given)
    longer = hollywood_sheet([*given, ("B", 30), (None, 0)])
    assert (whole.left_over, longer.left_over) == (0, 2)
    assert longer.grid() == whole.grid()
    assert len(longer.hands) == len(given)
    assert "2 later hands left over: the game was over.\n" in longer.text()


# ---------------------------------------------------------------- a person's table


def test_names() -> None:
    def names(*winners: str | None, **options: Any) -> tuple[str, str]:
        hands = [(winner, 5 if winner else 0) for winner in winners]
        return hollywood_sheet(hands, **options).players

    assert names() == names(None) == names("B") == names("B", "A") == ("A", "B")
    assert names("north") == names("north", "south") == ("south", "north")
    assert names("Zoé", None, "Ana", "Zoé") == ("Zoé", "Ana")
    assert names("Ana") == ("Ana", "B")
    assert names(rules="partnership") == ("A+B", "C+D")
    assert names("C+D", rules="partnership") == ("A+B", "C+D")
    assert names("Bo", players=("Ana", "Bo")) == ("Ana", "Bo")
    assert names(" Bo ", "Bo") == ("Bo", "B")


@pytest.mark.parametrize(
    "table",
    [
        {"winner": ["A", None, "B"], "points": [40, 0, 12], "prize_boxes": [2, 0, 1]},
        {"winner": ["A", np.nan, "B"], "points": [40, np.nan, 12], "prize_boxes": [2, np.nan, 1]},
        {"winner": ["A", "-", "B"], "points": [40, 0, 12], "boxes": [3, 0, 2]},
        {
            "winner": ["A", "", "B"],
            "points": [40.0, 0.0, 12.0],
            "boxes": [3, 0, 2],
            "prize_boxes": [2, 0, 1],
        },
        {
            "winner": ["A", None, "B"],
            "points": [40, None, 12],
            "prize_boxes": [2, None, 1],
            "outcome": ["gin", "dead", None],
        },
    ],
)
def test_forms_of_a_table(table: dict[str, list[Any]]) -> None:
    expected = hollywood_sheet([("A", 40, 2), (None, 0), ("B", 12, 1)])
    frame = pd.DataFrame(table)
    for given in (frame, frame.convert_dtypes(), frame.astype({"winner": "category"})):
        sheet = hollywood_sheet(given)
        assert sheet.grid() == expected.grid()
        assert sheet.boxes == expected.boxes == {"A": 3, "B": 2}
        assert [hand.prize_boxes for hand in sheet.hands] == [2, 0, 1]
        how = ["gin", "dead", None] if "outcome" in table else [None] * 3
        assert [hand.outcome for hand in sheet.hands] == how


def test_a_generator_of_hands() -> None:
    assert hollywood_sheet(["A", 15] for _ in range(2)).points == {"A": 45, "B": 0}


def test_most_prize_boxes_of_a_hand() -> None:
    """Big gin brings 3, on a spade 6, at two tables 12; under `all` the base box doubles too."""
    for rules, most in (
        ("hollywood", 6),
        ("partnership", 12),
        ("hollywood(spade_doubles=all)", 7),
        ("hollywood(spade_doubles=none)", 3),
        ("hollywood(spade_doubles=points)", 3),
        ("hollywood(big_gin_bonus=off)", 4),
        ("kawu+hollywood", 0),
    ):
        assert most_prizes(ginsim.load_rules(rules)) == most, rules


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ("A 15", "hands: 'A 15' is not allowed; allowed: hands, each (winner, points)"),
        (5, "hands: 5 is not allowed"),
        ({"A": 15}, "hands: {'A': 15} is not allowed"),
        ([("A", 15), "B 3"], "hands[1]: 'B 3' is not allowed"),
        ([("A", 15, 0, 0)], "hands[0]: ('A', 15, 0, 0) is not allowed"),
        ([("A", 15), ("B", "19")], "hands[1], points: '19' is not allowed; allowed: a whole"),
        ([("A", 15.5)], "hands[0], points: 15.5 is not allowed"),
        ([("A", True)], "hands[0], points: true is not allowed"),
        ([("A", -1)], "hands[0], points: -1 is not allowed"),
        # (110 pips + 30) × 2
        ([("A", 281)], "points: 281 is not allowed; allowed: a whole number from 0 to 280"),
        ([("A", None)], "hands[0], points: None is not allowed"),
        ([("A", 15, 7)], "prize_boxes: 7 is not allowed; allowed: a whole number from 0 to 6"),
        ([("A", 15, -1)], "hands[0], prize_boxes: -1 is not allowed"),
        ([(None, 3)], "hands[0], points: 3 is not allowed; allowed: 0, since nobody won"),
        ([(None, 0, 1)], "hands[0], prize_boxes: 1 is not allowed"),
        ([(15, "A")], "hands[0], winner: 15 is not allowed; allowed: a player's name"),
        ([(["A"], 15)], "hands[0], winner: ['A'] is not allowed"),
        ([("A\nB", 15)], "allowed: a name of 1 to 40 characters in one line"),
        ([("A" * 41, 15)], "allowed: a name of 1 to 40 characters in one line"),
        (
            [("A", 1), ("a", 1), (None, 0), ("B", 1)],
            "hands[3], winner: 'B' would be a third player after A and a; allowed: two",
        ),
        (iter(lambda: ("A", 0), None), "hands: there are more than 32000"),
    ],
)
def test_bad_hands_are_refused_in_words(hands: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        hollywood_sheet(hands)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"points": [1]}, "(missing winner); allowed"),
        ({"winner": ["A"], "points": [1], "prizes": [1]}, "(unknown prizes); allowed"),
        ({"winner": ["A"], 3: [1]}, "(missing points; unknown 3)"),
        (
            {"winner": ["A", "B"], "points": [1, 1.5]},
            "row 1, points: 1.5 is not allowed; allowed: a whole number from 0 to 280, the most by",
        ),
        ({"winner": ["A"], "points": ["1"]}, "row 0, points: '1' is not allowed"),
        ({"winner": ["A"], "points": [np.nan]}, "row 0, points: nan is not allowed"),
        ({"winner": ["A"], "points": [np.inf]}, "row 0, points: inf is not allowed"),
        ({"winner": ["A"], "points": [pd.Timestamp(0)]}, "row 0, points: Timestamp"),
        (
            {"winner": ["A"], "points": [1], "boxes": [0]},
            "row 0, boxes: 0 is not allowed; allowed: a whole number from 1 to 7",
        ),
        (
            {"winner": ["A"], "points": [1], "boxes": [3], "prize_boxes": [3]},
            "row 0: boxes 3 and prize_boxes 3 contradict each other; allowed: boxes 4, or",
        ),
        ({"winner": [None], "points": [0], "boxes": [1]}, "row 0, boxes: 1 is not allowed"),
        ({"winner": ["A"], "points": [1], "outcome": ["Gin"]}, "row 0, outcome: 'Gin'"),
        (
            {"winner": ["A"], "points": [1], "outcome": ["dead"]},
            "row 0, outcome: dead is not allowed with the winner A",
        ),
        (
            {"winner": [None], "points": [0], "outcome": ["gin"]},
            "row 0, outcome: 'gin' is not allowed; allowed: dead or tie",
        ),
    ],
)
def test_bad_tables_are_refused_in_words(table: dict[Any, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        hollywood_sheet(pd.DataFrame(table))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "kawu"}, "scoring: single of the rules kawu has no columns to fill; allowed: "),
        ({"rules": "kawu"}, "NAME+hollywood"),
        ({"rules": "nope"}, "unknown"),
        ({"players": "AB"}, "players: 'AB' is not allowed; allowed: two names"),
        ({"players": ("A",)}, "two names"),
        ({"players": ("A", "A")}, "two different names"),
        ({"players": ("A", "-")}, "players[1]: '-' is not allowed"),
        ({"players": ("A", 2)}, "players[1]: 2 is not allowed"),
        ({"players": ("Ana", "Bo")}, "hands[0], winner: 'A' is not allowed; allowed: Ana or Bo"),
        ({"game": 0}, "game: 0 has no meaning with the hands of one game"),
    ],
)
def test_bad_options_are_refused_in_words(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GinsimError) as caught:
        hollywood_sheet([("A", 1)], **options)
    assert message in str(caught.value)


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([["A", 1, 2]], columns=["winner", "points", "points"])
    with pytest.raises(OptionError, match="two columns have the same name"):
        hollywood_sheet(frame)


def test_a_sheet_is_frozen() -> None:
    sheet = hollywood_sheet([])
    with pytest.raises(FrozenInstanceError):
        sheet.over = True  # type: ignore[misc]


# ---------------------------------------------------------------- simulations


SIMULATED = ("hollywood", "kawu+hollywood", "partnership", "hollywood(spade_doubles=all)")


@pytest.fixture(scope="module", params=SIMULATED)
def played(request: pytest.FixtureRequest) -> tuple[str, pd.DataFrame, pd.DataFrame]:
    """A rule set, games by it, and their hands."""
    options: dict[str, Any] = {"seed": 4, "first": 10, "threads": 1}
    rules, pair = request.param, ("greedy", "simple")
    games = ginsim.simulate_games(rules, pair, 12, **options)
    return rules, games, ginsim.simulate_game_hands(rules, pair, 12, **options)


def test_sheets_are_the_games_played(played: tuple[str, pd.DataFrame, pd.DataFrame]) -> None:
    """The core books while it plays; the sheet books the hands. They agree on every column."""
    rules, games, hands = played
    left, right = ("A+B", "C+D") if rules == "partnership" else ("south", "north")
    name_of = {"south": left, "north": right}

    def name(seat: Any) -> str | None:
        return None if pd.isna(seat) else name_of[seat]

    assert len(games) == 12
    for row in games.to_dict("records"):
        sheet = hollywood_sheet(hands, game=row["game"])
        assert sheet.rules == ginsim.load_rules(rules)
        assert sheet.game == row["game"]
        assert sheet.players == (left, right)
        assert len(sheet.hands) == row["hands"]
        assert sheet.left_over == 0
        assert sheet.over == row["over"]
        assert sheet.winner == name(row["winner"])
        assert sheet.points_winner == name(row["points_winner"])
        for seat, player in name_of.items():
            assert sheet.points[player] == row[f"{seat}_points"]
            assert sheet.final[player] == row[f"{seat}_score"]
            assert sheet.boxes[player] == row[f"{seat}_boxes"]
            assert sheet.hands_won[player] == row[f"{seat}_hands"]
        assert sheet.pays == abs(row["box_margin"])
        for column in sheet.columns:
            start = f"column_{column.number}"
            assert column.closed_by == name(row[f"{start}_winner"])
            assert column.closed_at == row[f"{start}_hands"]
            assert column.shutout == row[f"{start}_shutout"]
            for seat, player in name_of.items():
                assert column.points[player] == row[f"{seat}_{start}_points"]
                assert column.boxes[player] == row[f"{seat}_{start}_boxes"]


def test_hands_one_by_one(played: tuple[str, pd.DataFrame, pd.DataFrame]) -> None:
    """Each hand has the points that the frame says, and the next begins with the totals of it."""
    rules, _, hands = played
    four = rules == "partnership"
    prefix = "pair_" if four else ""
    frame = hands[hands["table"] == 1] if four else hands
    for game, rows_of_game in frame.groupby("game"):
        sheet = hollywood_sheet(hands, game=int(str(game)))
        records = rows_of_game.to_dict("records")
        assert [hand.number for hand in sheet.hands] == list(range(1, len(records) + 1))
        before = dict.fromkeys(sheet.players, 0)
        for hand, row in zip(sheet.hands, records, strict=True):
            for player, seat in zip(sheet.players, ("south", "north"), strict=True):
                assert before[player] == row[f"{seat}_before"]
                gained = sum(hand.totals[player]) - before[player]
                won = row[f"{prefix}winner"] == seat
                assert gained == (len(hand.posted) * row[f"{prefix}points"] if won else 0)
                before[player] = sum(hand.totals[player])
            assert hand.points == row[f"{prefix}points"]
            assert hand.boxes == row[f"{prefix}boxes"]
            assert (hand.net_kind or hand.outcome) == row["net_kind" if four else "outcome"]
        for column in sheet.columns:
            for player in sheet.players:
                last = sheet.hands[-1]
                assert last.totals[player][column.number - 1] == column.points[player]
                assert last.total_boxes[player][column.number - 1] == column.boxes[player]
            assert all(
                (column.number in hand.closed) == (column.closed_at == hand.number)
                for hand in sheet.hands
            )


def test_tables_of_a_partnership() -> None:
    hands = ginsim.simulate_game_hands("partnership", "greedy", 1, seed=2)
    sheet = hollywood_sheet(hands)
    tables = [table for hand in sheet.hands for table in hand.tables]
    assert len(tables) == len(hands)
    for table, row in zip(tables, hands.to_dict("records"), strict=True):
        # A plays at table 1 and B at table 2; C and D change places each hand.
        assert table.table == row["table"]
        assert table.players[0] == "AB"[table.table - 1]
        assert "-".join(table.players) == row["pairing"].split()[table.table - 1]
        seat = {"south": table.players[0], "north": table.players[1]}.get(row["winner"])
        assert table.winner == seat
        assert (table.outcome, table.points) == (row["outcome"], row["points"])
    first = sheet.hands[0]
    assert len(first.tables) == 2
    for table in first.tables:
        assert f"{table.winner} {table.outcome.replace('_', ' ')} {table.points}" in sheet.text(
            True
        )


def test_a_spade_that_doubles_the_base_box_is_in_brackets() -> None:
    """The printed "12 (1)": a plain knock on a spade, under `all` two boxes and no prize box."""
    hands = ginsim.simulate_game_hands("hollywood(spade_doubles=all)", "greedy", 30, seed=1)
    spade = hands["knock_card"].astype(str).str.endswith("s")
    plain = hands[spade & (hands["outcome"] == "knock")]
    assert len(plain) > 30  # one hand in four has a spade
    assert set(plain["prize_boxes"]) == {0}
    row = plain.iloc[0]
    sheet = hollywood_sheet(hands, game=row["game"])
    hand = sheet.hands[row["hand_in_game"]]
    assert (hand.boxes, hand.prize_boxes) == (2, 1)
    # What a person writes of that hand is the same.
    mine = pd.DataFrame({"winner": ["A"], "points": [12], "boxes": [2], "prize_boxes": [0]})
    for given in (mine, mine.drop(columns="boxes").assign(prize_boxes=1)):
        grid = hollywood_sheet(given, "hollywood(spade_doubles=all)").grid()
        assert grid[1:] == [["12", *"....."], ["(1)", *"....."]]


def test_rules_are_those_of_the_simulation_unless_given() -> None:
    hands = ginsim.simulate_game_hands("hollywood(target=60)", "greedy", 2, seed=3)
    sheet = hollywood_sheet(hands, game=1)
    assert sheet.rules.target == 60
    assert sheet.over
    assert sheet.provenance == hands.attrs["provenance"]
    longer = hollywood_sheet(hands, "hollywood(target=1000)", game=1, players=("Ana", "Bo"))
    assert not longer.over
    assert longer.players == ("Ana", "Bo")
    assert [hand.points for hand in longer.hands][: len(sheet.hands)] == [
        hand.points for hand in sheet.hands
    ]
    shuffled = hands.sample(frac=1, random_state=1)
    assert hollywood_sheet(shuffled, "hollywood(target=60)", game=1).grid() == sheet.grid()
    plain = hands.astype({"winner": object, "outcome": object, "points": "int64"})
    assert hollywood_sheet(plain, "hollywood(target=60)", game=1).grid() == sheet.grid()


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda f: f, {}, "game: 3 games are there; allowed: the number of one of them (5 to 7)"),
        (lambda f: f, {"game": 4}, "game: 4 is not allowed; allowed: a game that is there"),
        (lambda f: f, {"game": "5"}, "game: '5' is not allowed"),
        (lambda f: f, {"game": 5, "rules": "kawu"}, "scoring: single of the rules kawu"),
        (lambda f: f, {"game": 5, "rules": "partnership"}, "partnership is for 4 players"),
        (lambda f: f.iloc[:0], {}, "frame: there is no hand in it"),
        (lambda f: f.drop(columns="boxes"), {"game": 5}, "frame: boxes missing"),
        (lambda f: f.drop(index=2), {"game": 5}, "frame: game 5 has no row of hand 2"),
        (
            lambda f: pd.concat([f, f]),
            {"game": 5},
            "frame: game 5 has no row of hand 1, or another",
        ),
        (
            lambda f: f.astype({"game": str}),
            {"game": 5},
            "frame: column game is of type str; allowed: int64",
        ),
        (
            lambda f: f.assign(hand_in_game=f["hand_in_game"].astype("Int16").where(f.index != 2)),
            {"game": 5},
            "frame: column hand_in_game ",
        ),
        (lambda f: f.assign(points=-1), {"game": 5}, "game 5, hand 0, points: -1 is not allowed"),
        (lambda f: f.assign(boxes=0), {"game": 5}, "game 5, hand 0, boxes: 0 is not allowed"),
        (lambda f: f.assign(winner="A"), {"game": 5}, "game 5, hand 0, winner: 'A' is not"),
        (lambda f: f.assign(outcome="won"), {"game": 5}, "game 5, hand 0, outcome: 'won' is not"),
    ],
)
def test_bad_frames_are_refused_in_words(change: Any, options: Any, message: str) -> None:
    frame = ginsim.simulate_game_hands("hollywood", "greedy", 3, seed=3, first=5)
    # The first hand of game 5 is scored, so that its values are looked at.
    assert frame["winner"].notna().iloc[0]
    with pytest.raises(GinsimError) as caught:
        hollywood_sheet(change(frame), **options)
    assert message in str(caught.value).replace("type object", "type str")


def test_lost_provenance_and_other_records_are_refused() -> None:
    frame = ginsim.simulate_game_hands("hollywood", "greedy", 1, seed=3)
    frame.attrs = {"provenance": {"mirror": True}}
    with pytest.raises(OptionError, match="rules: the frame has lost its provenance"):
        hollywood_sheet(frame)
    assert hollywood_sheet(frame, "hollywood").over
    assert hollywood_sheet(frame, "hollywood").text()
    single = ginsim.simulate_game_hands("kawu", "greedy", 1, seed=3)
    with pytest.raises(RulesError, match="scoring: single of the rules kawu"):
        hollywood_sheet(single)
    for records in (
        ginsim.simulate("hollywood", "greedy", 3, seed=1),
        ginsim.simulate_games("hollywood", "greedy", 3, seed=1),
    ):
        with pytest.raises(OptionError, match="its columns are not those of a table of hands"):
            hollywood_sheet(records)
    four = ginsim.simulate_game_hands("partnership", "greedy", 1, seed=3)
    with pytest.raises(OptionError, match="hollywood is for 2 players"):
        hollywood_sheet(four, "hollywood")
    with pytest.raises(OptionError, match=r"column table has the value 1.5; allowed: int8"):
        hollywood_sheet(four.assign(table=1.5))
    with pytest.raises(OptionError, match="no row of hand 0, table 2"):
        hollywood_sheet(four[four["table"] == 1])
    with pytest.raises(OptionError, match="table 2; allowed: both tables"):
        hollywood_sheet(four.iloc[:1])


# ---------------------------------------------------------------- simulations by other rules


PRICED = (
    ("hollywood", "gin_bonus", 100),
    ("hollywood", "undercut_bonus", 3),
    ("hollywood", "spade_doubles", "none"),
    ("hollywood", "tie", "knocker"),
    ("hollywood", "box_gin", 7),
    ("hollywood", "box_base", 4),
    ("partnership", "gin_bonus", 60),
    ("partnership", "box_undercut", 4),
)


@pytest.mark.parametrize(("rules", "field", "value"), PRICED)
def test_prices_are_those_of_the_other_rules(rules: str, field: str, value: Any) -> None:
    """The game by the other rules is the one that a simulation by them plays, to its own end."""
    changed = ginsim.load_rules(rules, {field: value})
    options: dict[str, Any] = {"seed": 1, "first": 4}
    hands = ginsim.simulate_game_hands(rules, "greedy", 8, **options)
    wanted = ginsim.simulate_game_hands(changed, "greedy", 8, **options)
    different = 0
    for game in range(4, 12):
        sheet = hollywood_sheet(hands, changed, game=game)
        expected = hollywood_sheet(wanted, game=game)
        assert sheet.hands == expected.hands
        assert sheet.grid() == expected.grid()
        assert sheet.provenance is not None
        marks = sheet.provenance["rescored"]
        assert marks["fields"] == [field]
        words = {"booked": "scored and booked again", "replayed": "played again"}[marks["method"]]
        assert f"rescored from {rules}: " in sheet.text()
        assert words in sheet.text()
        assert words in sheet.html()
        different += sheet.grid() != hollywood_sheet(hands, game=game).grid()
    assert different  # else the test could not fail


def test_books_are_those_of_the_other_rules() -> None:
    hands = ginsim.simulate_game_hands("hollywood", "greedy", 2, seed=3)
    sheet = hollywood_sheet(hands, "hollywood(target=1000, box_column=9)", game=1)
    played = hands[hands["game"] == 1]
    # Booked are the recorded hands, and no others, though the game is not over with them.
    assert not sheet.over
    assert [hand.points for hand in sheet.hands] == played["points"].tolist()
    assert sheet.provenance == hands.attrs["provenance"]
    assert "played by hollywood; its hands are booked by other rules here" in sheet.text()
    assert "booked by other rules" not in hollywood_sheet(hands, game=1).text()


PLAYED = {
    "deal": "upcard",
    "return_taken_card": True,
    "give_back_limit": 2,
    "knock_card": "upcard",
    "knock_limit": 0,
    "ace_limit": "gin",
    "spread": "least",
    "layoffs": False,
    "dead_at": 5,
    "wall": "fiftieth",
    "max_pile_draws": 7,
    "first_dealer": "seat",
    "next_dealer": "winner",
    "big_gin_bonus": "off",
}


def test_other_hands_are_refused_by_the_name_of_the_field() -> None:
    fields = {field for field, entry in FIELDS.items() if entry.kind == "play"}
    assert set(PLAYED) == fields - {"players"} | {"big_gin_bonus"}
    hands = ginsim.simulate_game_hands("hollywood", "greedy", 1, seed=1)
    for field, value in PLAYED.items():
        change = {"deal": "upcard", "knock_card": "upcard"} if field == "knock_card" else {}
        rules = ginsim.load_rules("hollywood", {**change, field: value})
        with pytest.raises(OptionError) as caught:
            hollywood_sheet(hands, rules)
        kept = "big_gin_bonus between numbers"
        for words in (f"{field} (", "played by hollywood", kept, "game 0", "--seed"):
            assert words in str(caught.value)
        # Without a word on how they were played they are booked; points are compared all the same.
        lost = hands.copy()
        lost.attrs = {}
        if field != "big_gin_bonus":
            assert hollywood_sheet(lost, rules).hands
    with pytest.raises(OptionError, match=r"rules: deal \('eleven' to 'upcard'\), knock_card"):
        hollywood_sheet(hands, "kawu+hollywood")


def test_a_game_that_was_cut_off() -> None:
    for rules in ("hollywood", "partnership"):
        hands = ginsim.simulate_game_hands(rules, "greedy", 2, seed=3)
        last = hands[hands["game"] == 1]["hand_in_game"].max()
        cut = hands[(hands["game"] == 0) | (hands["hand_in_game"] < last)]
        assert hollywood_sheet(cut, game=0).over
        message = f"game 1 has {last} hands and is not over by {rules}, .* up to 10000"
        for other in (None, f"{rules}(target=10)"):
            with pytest.raises(OptionError, match=message):
                hollywood_sheet(cut, other, game=1)
        # Here it was over, though nobody had won.
        short = ginsim.simulate_game_hands(rules, "greedy", 2, seed=3, max_hands=3)
        assert not hollywood_sheet(short, game=1).over
        with pytest.raises(OptionError, match=r"has 2 hands and is not over .* up to 3"):
            hollywood_sheet(short[short["hand_in_game"] < 2], game=1)


@pytest.mark.parametrize("rules", ["hollywood", "partnership"])
def test_edited_rows_are_refused(rules: str) -> None:
    """Points, boxes, winner and outcome are those that the deadwoods of the row bring."""
    hands = ginsim.simulate_game_hands(rules, "greedy", 2, seed=3)
    place = int(np.flatnonzero((hands["outcome"] == "knock") & (hands["game"] == 1))[0])
    for column, value in (
        ("points", hands["points"].iloc[place] + 2),
        ("boxes", hands["boxes"].iloc[place] + 1),
        ("winner", {"south": "north", "north": "south"}[hands["winner"].iloc[place]]),
        ("outcome", "undercut"),
    ):
        edited = hands.copy()
        edited.loc[edited.index[place], column] = value
        for act in (lambda f: hollywood_sheet(f, game=1), ginsim.book_games):
            with pytest.raises(OptionError, match=rf"row of game 1 has {column} .*; by {rules} it"):
                act(edited)
        assert hollywood_sheet(edited, game=0).over


PAIR_COLUMNS = ("net_kind", "pair_winner", "pair_points", "pair_boxes", "pair_net", "pairing")


@pytest.mark.parametrize("column", [*PAIR_COLUMNS, "pair_prize_boxes", "knock_card", "dealer"])
def test_tables_that_contradict_each_other(column: str) -> None:
    hands = ginsim.simulate_game_hands("partnership", "greedy", 1, seed=3)
    second = hands.index[hands["table"] == 2][1]
    edited = hands.copy()
    if isinstance(hands[column].dtype, pd.CategoricalDtype):
        names = [name for name in hands[column].cat.categories if name != hands[column][second]]
        edited.loc[second, column] = names[0]
    else:
        edited.loc[second, column] = hands[column][second] + 1
    acts = (hollywood_sheet, ginsim.book_games, lambda f: ginsim.rescore(f, "partnership"))
    for act in acts:
        with pytest.raises(OptionError, match=rf"hand 1 of game 0 has {column} .* at table 2; all"):
            act(edited)
    # Without the columns of deadwood the rows are still held against each other.
    few = edited.drop(columns=["south_deadwood", "laid_off"])
    with pytest.raises(OptionError, match=f"has {column} "):
        hollywood_sheet(few)
    assert hollywood_sheet(hands.drop(columns=["south_deadwood", "laid_off"])).over


@pytest.mark.parametrize("rules", ["hollywood", "partnership"])
def test_whole_numbers_may_be_written_as_floats(rules: str) -> None:
    """Everywhere alike: in lists, tables, and the rows of simulations."""
    assert hollywood_sheet([("A", 15.0, np.float64(2))]).points == {"A": 15, "B": 0}
    hands = ginsim.simulate_game_hands(rules, "greedy", 3, seed=3)
    floats = hands.astype({name: "float64" for name in hands if hands[name].dtype.kind in "iu"})
    assert hollywood_sheet(floats, game=1).hands == hollywood_sheet(hands, game=1).hands
    other = f"{rules}(gin_bonus=1)"
    assert (
        hollywood_sheet(floats, other, game=1).hands == hollywood_sheet(hands, other, game=1).hands
    )
    assert ginsim.rescore(floats, other).equals(ginsim.rescore(hands, other))
    for name in ("game", "hand_in_game", "points"):
        with pytest.raises(OptionError, match=name):
            hollywood_sheet(floats.assign(**{name: floats[name] + 0.5}), game=1)
        with pytest.raises(OptionError, match=name):
            ginsim.rescore(floats.assign(**{name: floats[name] + 0.5}), other)


def test_long_numbers_are_not_spelt_out() -> None:
    frame = pd.DataFrame({"winner": ["A"], "points": [1e300]})
    for hands in (frame, [("A", 1e300)], [("A", np.float64(1e300))]):
        with pytest.raises(OptionError) as caught:
            hollywood_sheet(hands)
        assert "points: 1e+300 is not allowed" in str(caught.value)


#: What a key of provenance may not be, and who needs that it is there.
DAMAGED: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {
    "rules": ((None, "kawu", {"name": "x", "target": -1}, 5), ("sheet", "book", "rescore")),
    "max_hands": ((None, "5", 0, 1.5), ("sheet", "book", "rescore", "replay")),
    "strategies": ((None, "greedy", {}, {"south": {}}, {"south": 1, "north": 2}), ("replay",)),
    "seed": ((None, -1, "1"), ("replay",)),
    "mirror": ((None, 0, "no"), ("replay",)),
}


@pytest.mark.parametrize("key", DAMAGED)
def test_damaged_provenance_is_one_message(key: str) -> None:
    hands = ginsim.simulate_game_hands("hollywood", "greedy", 1, seed=3)
    acts: dict[str, Any] = {
        "sheet": lambda f: hollywood_sheet(f).text(),
        "book": ginsim.book_games,
        "rescore": lambda f: ginsim.rescore(f, "hollywood(box_gin=3)"),
        "replay": lambda f: ginsim.rescore(f, "hollywood(dead_at=5)"),
    }
    origin = hands.attrs["provenance"]
    wrong, needing = DAMAGED[key]
    for value in wrong:
        hands.attrs["provenance"] = {**origin, key: value}
        for act in acts.values():
            with pytest.raises(OptionError, match=f"frame, provenance, {key}: "):
                act(hands)
    hands.attrs["provenance"] = {name: value for name, value in origin.items() if name != key}
    for name, act in acts.items():
        if name in needing:
            with pytest.raises(OptionError, match=f"{key}|lost its provenance"):
                act(hands)
        elif name != "replay":
            act(hands)
    for value in (None, "kawu", 3, ["rules"]):
        hands.attrs["provenance"] = value
        for act in acts.values():
            with pytest.raises(OptionError, match=r'attrs\["provenance"\]: .* the mapping that'):
                act(hands)
    hands.attrs = {}
    with pytest.raises(OptionError, match="frame: it has lost its provenance"):
        ginsim.book_games(hands)


# ---------------------------------------------------------------- outcomes of a person's hands


BOUNDED = (
    "hollywood",
    "kawu+hollywood",
    "hollywood(spade_doubles=none)",
    "hollywood(spade_doubles=points)",
    "hollywood(spade_doubles=all)",
    "hollywood(tie=knocker)",
    "hollywood(tie=nobody, big_gin_bonus=off)",
    "hollywood(knock_limit=0)",
    "hollywood(knock_limit=1, tie=nobody)",
    "hollywood(box_base=3, box_gin=0, undercut_bonus=0)",
)


@pytest.mark.parametrize("name", BOUNDED)
def test_what_an_outcome_brings_is_what_scoring_brings(name: str) -> None:
    """Each pair of deadwoods is scored; a table may have those results and no others."""
    rules = ginsim.load_rules(name)
    limit = 10 if rules.knock_limit == "card" else rules.knock_limit
    brought = {
        (score.outcome, score.winner is None, score.points, score.boxes)
        for knocker in range(limit + 1)
        for defender in range(111)
        for big_gin in ((False, True) if knocker == 0 else (False,))
        for spade in ((False, True) if rules.knock_card != "none" else (False,))
        for score in [ginsim.score_hand(name, knocker, defender, big_gin=big_gin, spade=spade)]
    }
    accepted = set()
    for outcome in OUTCOMES:
        for ways in [list_ways(rules, outcome)]:
            accepted |= {
                (outcome, False, points, way.boxes)
                for way in ways
                for points in range(600)
                if way.brings(points)
            }
    assert accepted == {each for each in brought if not each[1]}
    assert list_outcomes(rules, won=True) == [
        outcome for outcome in OUTCOMES if any(each[0] == outcome for each in accepted)
    ]
    assert ("tie" in list_outcomes(rules, won=False)) == any(each[1] for each in brought)


def one_row(winner: str, points: int, prizes: int, outcome: str) -> pd.DataFrame:
    return pd.DataFrame(
        {"winner": [winner], "points": [points], "prize_boxes": [prizes], "outcome": [outcome]}
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        # Gin is 25 and the other's deadwood, on a spade twice as much.
        (("Ana", 3, 2, "gin"), "points: 3 is not allowed; allowed: a whole number from 25 to 135"),
        (
            ("Ana", 40, 4, "gin"),
            "points: 40 is not allowed; allowed: an even number from 50 to 270",
        ),
        (("Ana", 51, 4, "gin"), "points: 51 is not allowed; allowed: an even number"),
        (
            ("Ana", 3, 5, "gin"),
            "prize_boxes: 5 is not allowed; allowed: 2 or 4 for gin by hollywood",
        ),
        (("Ana", 40, 0, "gin"), "prize_boxes: 0 is not allowed; allowed: 2 or 4 for gin"),
        (("Bo", 10, 2, "knock"), "prize_boxes: 2 is not allowed; allowed: 0 for knock"),
        # Equal deadwood is an undercut.
        (("Bo", 0, 0, "knock"), "points: 0 is not allowed; allowed: a whole number from 1 to 109"),
        # 20 and at most nine, since one may knock with ten.
        (
            ("Bo", 30, 1, "undercut"),
            "points: 30 is not allowed; allowed: a whole number from 20",
        ),
        (
            ("Bo", 25, 2, "clean_undercut"),
            "points: 25 is not allowed; allowed: a whole number from 26",
        ),
        (("", 0, 0, "tie"), "outcome: 'tie' is not allowed; allowed: dead by hollywood"),
    ],
)
def test_rows_that_no_hand_brings(row: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        hollywood_sheet(one_row(*row))
    assert f"row 0, {message}" in str(caught.value)
    # Without the outcome they are taken as they are written.
    assert hollywood_sheet(one_row(*row).drop(columns="outcome")).hands


def test_rows_of_outcomes_that_are_not_played() -> None:
    with pytest.raises(OptionError, match=r"'big_gin' is not allowed; .* by kawu"):
        hollywood_sheet(one_row("A", 40, 0, "big_gin"), "kawu+hollywood")
    with pytest.raises(OptionError, match="'knock' is not allowed; allowed: gin or big_gin by"):
        hollywood_sheet(one_row("A", 40, 0, "knock"), "hollywood(knock_limit=0)")
    # A partnership's hand has two outcomes, so that one word says nothing of its points.
    assert hollywood_sheet(one_row("A+B", 3, 1, "gin"), "partnership").boxes["A+B"] == 2
    with pytest.raises(OptionError, match="boxes: 4 is not allowed; allowed: 3 or 5 for gin"):
        hollywood_sheet(one_row("A", 30, 4, "gin").rename(columns={"prize_boxes": "boxes"}))


# ---------------------------------------------------------------- text and HTML


# Hand 9 of HW07 in the list: A 54 (4) closes column 1 with 210 while B has 111, 101 and 70. Boxes
# then, counted on the printed sheet: A 21 in column 1, 1 + 3 + 5 + 1 + 5 in column 2, 3 + 5 + 1 + 5
# in column 3; B 9 + 8 + 5.
NINTH = [*("9", "A", "54", "5", "(4)", "1", "2", "3")]
NINTH += [*("210", "192", "179", "111", "101", "70"), *("50", "22"), "1"]


def test_the_text_has_the_grid_and_the_hands() -> None:
    sheet = case_sheet("HW07")
    text = sheet.text()
    lines = [line.split() for line in text.splitlines()]
    start = lines.index(list("AAABBB"))
    assert lines[start : start + 13] == rows(PRINTED)
    for row in (["hands", "won", "8", "5"], ["points", "618", "321"], ["boxes", "65", "25"]):
        assert row in lines
    assert ["columns", "closed", "3", "0"] in lines
    assert ["shutouts", "0", "0"] in lines
    assert "score" not in text
    assert "A wins by boxes, 65 to 25. B pays 40 boxes.\nBy points too: 618 to 321.\n" in text
    listed = [line.split() for line in sheet.text(hands=True).splitlines()]
    assert NINTH in listed
    assert NINTH not in lines


class Page(HTMLParser):
    """What is in a page: tables of cells, tags, attributes, text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.captions: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.open: list[str] = []
        self.table = ""
        self.declared = ""
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_decl(self, decl: str) -> None:
        self.declared = decl

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag != "meta":
            self.open.append(tag)
        if tag == "table":
            self.table = dict(attrs)["class"] or ""
            self.tables[self.table] = []
        elif tag == "tr":
            self.tables[self.table].append([])
        elif tag in ("td", "th"):
            self.tables[self.table][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "small" in self.open:
            data = f" ({data})"
        if "caption" in self.open:
            self.captions.append(data)
        elif "td" in self.open or "th" in self.open:
            self.tables[self.table][-1][-1] += data


def test_the_page_has_every_cell() -> None:
    sheet = case_sheet("HW07")
    page = Page(sheet.html())
    assert page.declared == "DOCTYPE html"
    assert ("html", "lang", "en") in page.attributes
    header, *body = page.tables["sheet"]
    assert header == [f"{name} (column {k}, closed)" for name in "AB" for k in (1, 2, 3)]
    assert body == [["" if cell == "." else cell for cell in row] for row in rows(PRINTED)[1:]]
    assert page.tables["totals"][0] == ["", "A", "B"]
    assert ["boxes", "65", "25"] in page.tables["totals"]
    hands = page.tables["hands"]
    assert len(hands) == 1 + 13
    assert {len(row) for row in hands} == {len(hands[0])}
    assert " ".join(hands[9]).split() == NINTH
    assert len(page.captions) == 3
    # Each heading says what it is a heading of.
    headings = sum(tag == "th" for tag in page.tags)
    scopes = [value for tag, name, value in page.attributes if (tag, name) == ("th", "scope")]
    assert len(scopes) == headings
    assert set(scopes) == {"col", "row"}
    assert ("meta", "name", "viewport") in page.attributes


def test_the_page_says_what_is_open() -> None:
    page = Page(case_sheet("HW09").html())
    assert page.tables["sheet"][0][:3] == [
        "A (column 1, closed)",
        "A (column 2, open)",
        "A (column 3, open)",
    ]


def test_the_page_needs_nothing_else_and_escapes_names() -> None:
    names = ("<script>alert('x')</script>", 'Bo & "Co"')
    hands = [(names[0], 40, 2), (names[1], 10), (None, 0)]
    text = hollywood_sheet(hands).html()
    page = Page(text)
    assert {"script", "link", "img", "iframe", "a", "object"}.isdisjoint(page.tags)
    assert {name for _, name, _ in page.attributes} == {
        *("lang", "charset", "name", "content", "class", "scope")
    }
    for word in ("http", "//", "url(", "@import", "<script", "alert('x')"):
        assert word not in text
    # As data they are whole.
    assert page.tables["totals"][0] == ["", *names]
    assert page.tables["hands"][1][1] == names[0]
    assert page.tables["sheet"][0][3] == f"{names[1]} (column 1, open)"


def test_same_hands_same_bytes() -> None:
    first, second = case_sheet("HW07"), case_sheet("HW07")
    assert first.html().encode() == second.html().encode()
    assert first.text(hands=True) == second.text(hands=True)
    assert "<table" in hollywood_sheet([]).html()
    assert "hands" not in Page(hollywood_sheet([]).html()).tables
