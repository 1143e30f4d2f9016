"""Books of games, of one column and of Hollywood's three, held against a sheet kept by hand.

The sheet is tests/books.py, the hands of whole games are those of the slow twin.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import _books, batches
from ginsim.columns import NETS, OUTCOMES, SEATS
from ginsim.game_stats import GameTally
from ginsim.rules import Rules, to_game_record
from ginsim.strategies import parse_strategy
from tests import books, cases
from tests.books import Book, Hand, keep_book

# ---------------------------------------------------------------- random games


def random_rules(rng: random.Random) -> Rules:
    """A rule set with every field of whole games drawn; low targets, so that games are short."""
    fields: dict[str, Any] = {
        "name": "drawn",
        "next_dealer": rng.choice(["loser", "winner", "alternate"]),
        "game_bonus": rng.choice([0, 100, rng.randint(1, 1000)]),
        "hand_bonus": rng.choice([0, 25, rng.randint(1, 1000)]),
        "shutout_bonus": rng.choice([0, 200, rng.randint(1, 1000)]),
    }
    if rng.random() < 0.75:
        fields.update(
            scoring="hollywood",
            target=rng.choice([1, 2, 3, 60, 100, 150, 200, rng.randint(2, 400)]),
            box_column=rng.choice([0, 5, rng.randint(1, 15)]),
            shutout=rng.choice(["add", "replace", "double", "double-boxes", "double-boxes"]),
            shutout_shift=rng.random() < 0.6,
        )
    else:
        fields.update(
            target=rng.choice([0, 1, 100, rng.randint(2, 400)]),
            shutout=rng.choice(["add", "replace", "double"]),
        )
    return Rules(**fields)


def random_hands(rng: random.Random) -> list[Hand]:
    """Hands of any length of game; some pairs of players are uneven, some hands are big."""
    south = rng.choice([0.5, 0.5, 0.3, 0.8, 0.95])
    nobody = rng.choice([0.0, 0.1, 0.1, 0.4])
    most = rng.choice([1, 3, 40, 80, 150])
    most_boxes = rng.choice([0, 1, 9])
    hands: list[Hand] = []
    for _ in range(rng.randint(0, 16)):
        if rng.random() < nobody:
            hands.append((None, 0, 0))
            continue
        winner = 0 if rng.random() < south else 1
        hands.append((winner, rng.randint(0, most), rng.randint(0, most_boxes)))
    return hands


def random_games(seed: int, count: int) -> Iterator[tuple[Rules, list[Hand], int]]:
    """Games of drawn hands: rules, hands, first dealer; a hundred games by each rule set."""
    rng = random.Random(seed)
    for number in range(count):
        if number % 100 == 0:
            rules = random_rules(rng)
        yield rules, random_hands(rng), rng.randint(0, 1)


record_of = cache(to_game_record)


def book_game(rules: Rules, hands: list[Hand], dealer: int = 0) -> dict[str, Any]:
    winners = [-1 if winner is None else winner for winner, _, _ in hands]
    points, boxes = [hand[1] for hand in hands], [hand[2] for hand in hands]
    return _books.book_game(record_of(rules), winners, points, boxes, dealer)


def as_core(book: Book, rules: Rules) -> dict[str, Any]:
    """The sheet in the form of the compiled book: -1 for no player, 0 for no hand."""

    def seat(player: int | None) -> int:
        return -1 if player is None else player

    columns = [
        {
            "points": (column.points(0), column.points(1)),
            "boxes": (column.boxes(0, rules), column.boxes(1, rules)),
            "scores": (column.score(0, rules), column.score(1, rules)),
            "entries": (len(column.entries[0]), len(column.entries[1])),
            "closed_by": seat(column.closed_by),
            "closed_at": column.closed_at or 0,
            "shutout": column.shutout,
        }
        for column in book.columns
    ]
    return {
        "hands": book.hands,
        "over": book.over,
        "winner": seat(book.winner),
        "dealer": book.dealer,
        "pairing": book.pairing,
        "won": book.won,
        "scores": book.scores,
        "boxes": book.boxes,
        "posted": book.posted,
        "columns": columns,
    }


def what_happened(book: Book, rules: Rules, hands: list[Hand]) -> set[str]:
    """The turns of a game that the random games must not be without."""
    seen = set()
    columns = book.columns
    closings = [column.closed_at for column in columns if column.closed_at is not None]
    if rules.scoring == "single":
        seen.add("single, over" if book.over else "single, open")
        if columns[0].shutout:
            seen.add(f"single, shutout, {rules.shutout}")
        return seen
    seen.add(f"{len(closings)} columns closed")
    if len(set(closings)) < len(closings):
        seen.add("columns close together")
    for number, column in enumerate(columns, start=1):
        if column.shutout:
            seen.add(f"column {number} shutout")
            seen.add(f"shutout, {rules.shutout}")
    closers = {column.closed_by for column in columns}
    if {0, 1} <= closers:
        seen.add("columns to both players")
    wins = [0, 0]
    for (winner, _, _), posted in zip(hands, book.posted, strict=False):
        if winner is not None:
            wins[winner] += 1
            if not posted:
                seen.add("a win that is written nowhere")
            elif max(posted) >= wins[winner]:
                seen.add("a win is moved on")
    if book.over:
        seen.add(f"winner {book.winner}")
        if book.boxes[0] == book.boxes[1] and book.winner is not None:
            seen.add("score decides")
        if book.winner is not None and book.points_winner == 1 - book.winner:
            seen.add("boxes and score disagree")
    return seen


#: Each is to happen in one game of five hundred at least.
TURNS = {
    "single, over",
    "single, open",
    *(f"single, shutout, {rule}" for rule in ("add", "replace", "double")),
    *(f"{number} columns closed" for number in range(4)),
    *(f"column {number} shutout" for number in (1, 2, 3)),
    *(f"shutout, {rule}" for rule in ("add", "replace", "double", "double-boxes")),
    "columns close together",
    "columns to both players",
    "a win is moved on",
    "a win that is written nowhere",
    "winner 0",
    "winner 1",
    "score decides",
    "boxes and score disagree",
}


def check_games(seed: int, count: int) -> Counter[str]:
    """Every game against the sheet; what happened in every fifth of them."""
    turns: Counter[str] = Counter()
    for number, (rules, hands, dealer) in enumerate(random_games(seed, count)):
        book = keep_book(rules, hands, dealer)
        assert book_game(rules, hands, dealer) == as_core(book, rules), (rules, hands, dealer)
        if number % 5 == 0:
            turns.update(what_happened(book, rules, hands))
    return turns


def test_random_games_equal_the_sheet() -> None:
    count = 70_000
    turns = check_games(seed=1, count=count)
    assert not {turn for turn in TURNS if turns[turn] < count / 5 / 500}, turns


@pytest.mark.slow
def test_many_random_games_equal_the_sheet() -> None:
    for seed in range(2, 12):
        check_games(seed, 50_000)


@pytest.mark.parametrize("shift", [False, True])
def test_all_small_games_equal_the_sheet(shift: bool) -> None:
    """All 4^7 games of seven hands of 1 or 2 points, in columns of 3. Some are drawn."""
    rules = Rules(scoring="hollywood", target=3, shutout_shift=shift)
    wins: list[Hand] = [(0, 1, 0), (0, 2, 0), (1, 1, 0), (1, 2, 0)]
    winners: Counter[int | None] = Counter()
    for hands in itertools.product(wins, repeat=7):
        book = keep_book(rules, hands)
        assert book_game(rules, list(hands)) == as_core(book, rules), hands
        if book.over:
            winners[book.winner] += 1
    assert winners[0] == winners[1] > 0
    assert winners[None] > 0


def test_a_long_game_without_points_overflows_nothing() -> None:
    """Of 10,000 hands with 0 points the n-th win goes to columns 1 … min(3, n): 10,000, 9,999
    and 9,998 entries, each of 90 boxes and 1000 points of bonus."""
    rules = Rules(scoring="hollywood", target=1000, hand_bonus=1000, shutout_shift=True)
    book = book_game(rules, [(1, 0, 90)] * 10_000)
    assert (book["over"], book["hands"], book["won"]) == (False, 10_000, (0, 10_000))
    entries = [10_000, 9_999, 9_998]
    assert [column["entries"] for column in book["columns"]] == [(0, n) for n in entries]
    assert book["boxes"] == (0, 90 * sum(entries))
    assert book["scores"] == (0, 1000 * sum(entries))


# ---------------------------------------------------------------- what must hold in any book


def check_properties(rules: Rules, hands: list[Hand], dealer: int) -> None:
    book = book_game(rules, hands, dealer)
    columns = book["columns"]
    used = hands[: book["hands"]]
    assert len(book["posted"]) == book["hands"]
    assert book["over"] == all(column["closed_by"] != -1 for column in columns)
    closings = [column["closed_at"] for column in columns if column["closed_by"] != -1]
    # Columns close in order or together, and the last one ends the game.
    assert closings == sorted(closings)
    assert [column["closed_by"] != -1 for column in columns] == sorted(
        (column["closed_by"] != -1 for column in columns), reverse=True
    )
    if book["over"]:
        assert closings[-1] == book["hands"]
    elif rules.target:
        assert book["hands"] == len(hands)
    for number, column in enumerate(columns):
        lines = [
            (hand, used[hand - 1])
            for hand, posted in enumerate(book["posted"], start=1)
            if number in posted
        ]
        closer, end = column["closed_by"], column["closed_at"]
        # No line after the closing, and the closing line is the closer's.
        if closer != -1:
            assert lines[-1][0] == end
            assert lines[-1][1][0] == closer
            before = column["points"][closer] - lines[-1][1][1]
            assert before < rules.target <= column["points"][closer] or rules.target == 0
        for player in (0, 1):
            own = [hand for _, hand in lines if hand[0] == player]
            assert column["entries"][player] == len(own)
            assert column["points"][player] == sum(points for _, points, _ in own)
            boxes = sum(boxes for _, _, boxes in own)
            if player == closer:
                boxes += rules.box_column
                if column["shutout"] and rules.shutout == "double-boxes":
                    boxes *= 2
            elif rules.target:
                assert column["points"][player] < rules.target
            assert column["boxes"][player] == boxes
        assert column["shutout"] == (closer != -1 and column["entries"][1 - closer] == 0)
    for player in (0, 1):
        mine = [number for number, hand in enumerate(used) if hand[0] == player]
        assert book["won"][player] == len(mine)
        for n, number in enumerate(mine, start=1):
            posted = book["posted"][number]
            open_columns = [k for k, c in enumerate(columns) if not 0 < c["closed_at"] <= number]
            # A win reaches the first so many columns, less those that are closed.
            assert posted == tuple(k for k in open_columns if k <= max(posted, default=-1))
            if not rules.shutout_shift:
                assert posted == tuple(k for k in open_columns if k < n)
            elif n == 1 and open_columns:
                # With the shift the first win is never lost.
                assert posted
        assert book["boxes"][player] == sum(column["boxes"][player] for column in columns)
        assert book["scores"][player] == sum(column["scores"][player] for column in columns)
    assert [book["posted"][number] for number, hand in enumerate(used) if hand[0] is None] == [
        () for hand in used if hand[0] is None
    ]


def test_properties_of_books() -> None:
    for rules, hands, dealer in random_games(seed=20, count=3000):
        check_properties(rules, hands, dealer)


def swapped(value: Any) -> Any:
    """The same book with the players' names changed."""
    if isinstance(value, dict):
        seats = ("winner", "dealer", "closed_by")
        return {
            key: (1 - each if each != -1 else -1) if key in seats else swapped(each)
            for key, each in value.items()
            if key != "posted"
        }
    if isinstance(value, list):
        return [swapped(each) for each in value]
    return value[::-1] if isinstance(value, tuple) else value


def test_names_of_players_make_no_difference() -> None:
    for rules, hands, dealer in random_games(seed=21, count=2000):
        others: list[Hand] = [
            (None if winner is None else 1 - winner, points, boxes)
            for winner, points, boxes in hands
        ]
        book, other = book_game(rules, hands, dealer), book_game(rules, others, 1 - dealer)
        assert book.pop("posted") == other.pop("posted")
        assert swapped(book) == other


def test_dead_hands_change_only_the_count_of_hands() -> None:
    for rules, hands, dealer in random_games(seed=22, count=2000):
        if rules.target == 0:
            continue
        scored = [hand for hand in hands if hand[0] is not None]
        with_dead, without = book_game(rules, hands, dealer), book_game(rules, scored, dealer)
        for key in ("over", "winner", "dealer", "pairing", "won", "scores", "boxes"):
            assert with_dead[key] == without[key], key
        written = [
            posted
            for posted, hand in zip(with_dead["posted"], hands, strict=False)
            if hand[0] is not None
        ]
        assert written == without["posted"]


def test_later_hands_change_nothing() -> None:
    """A book is what it was at each hand before: the first n hands alone give its state then."""
    for rules, hands, dealer in random_games(seed=23, count=300):
        whole = book_game(rules, hands, dealer)
        for stop in range(len(hands) + 1):
            part = book_game(rules, hands[:stop], dealer)
            assert part["posted"] == whole["posted"][:stop]
            assert part["hands"] == min(stop, whole["hands"])
            if stop >= whole["hands"]:
                assert part == whole


# ---------------------------------------------------------------- the worked cases


def sheet_rules(case: dict[str, Any]) -> Rules:
    given = case["input"]
    changes = {"target": given["limit"]}
    if "shutout_shift" in given:
        changes["shutout_shift"] = given["shutout_shift"]
    return ginsim.load_rules("hollywood").replace(**changes)


def given_hands(case: dict[str, Any]) -> list[tuple[str | None, int, int]]:
    """The case's hands with all their boxes: the number in brackets is the prize."""
    return [
        (winner, points, 0 if winner is None else 1 + prize)
        for winner, points, prize in case["input"]["hands"]
    ]


def check_sheet(expected: dict[str, Any], found: dict[str, Any]) -> None:
    """`found` may have more than what the case asks for."""
    assert set(expected) <= set(found)
    assert expected == {key: found[key] for key in expected}


@pytest.mark.parametrize("case", cases.of_kind("hollywood"))
def test_sheet_cases_on_the_sheet_kept_by_hand(case: dict[str, Any]) -> None:
    """The sheet itself is right: it has every number of the worked cases."""
    rules = sheet_rules(case)
    hands: list[Hand] = [
        (None if winner is None else "AB".index(winner), points, boxes)
        for winner, points, boxes in given_hands(case)
    ]
    book = keep_book(rules, hands)
    found: dict[str, Any] = {"over": book.over, "closed": []}
    for number, column in enumerate(book.columns, start=1):
        if column.closed_by is not None:
            found["closed"].append(
                [column.closed_at, number, "AB"[column.closed_by], column.shutout]
            )
    for key, read in (
        ("totals", lambda column, player: column.points(player)),
        ("boxes", lambda column, player: column.boxes(player, rules)),
        ("entries", lambda column, player: column.running(player)),
        ("bonuses", lambda column, player: [line.boxes - 1 for line in column.entries[player]]),
    ):
        found[key] = {
            name: [read(column, player) for column in book.columns]
            for player, name in enumerate("AB")
        }
    check_sheet(case["expected"], found)


@pytest.mark.parametrize("case", cases.of_kind("hollywood"))
def test_sheet_cases(case: dict[str, Any]) -> None:
    hands = given_hands(case)
    score = ginsim.score_game(sheet_rules(case), hands)
    found: dict[str, Any] = {
        "over": score.over,
        "totals": {name: [column.points[name] for column in score.columns] for name in "AB"},
        "boxes": {name: [column.boxes[name] for column in score.columns] for name in "AB"},
        "closed": [
            [column.closed_at, number, column.closed_by, column.shutout]
            for number, column in enumerate(score.columns, start=1)
            if column.closed_by is not None
        ],
        "entries": {name: [[], [], []] for name in "AB"},
        "bonuses": {name: [[], [], []] for name in "AB"},
    }
    for (winner, points, boxes), posted in zip(hands, score.posted, strict=True):
        for number in posted:
            assert winner is not None
            sums = found["entries"][winner][number - 1]
            sums.append(points + (sums[-1] if sums else 0))
            found["bonuses"][winner][number - 1].append(boxes - 1)
    check_sheet(case["expected"], found)
    for name in "AB":
        assert score.points[name] == sum(found["totals"][name])
        assert score.boxes[name] == sum(found["boxes"][name])
        lines = [len(column) for column in found["entries"][name]]
        assert [column.entries[name] for column in score.columns] == lines


def printed_sheet() -> ginsim.GameScore:
    """The sheet that the page prints, posted from its hands."""
    case = cases.by_id("HW07")
    return ginsim.score_game(sheet_rules(case), given_hands(case))


def test_hw17_the_difference_of_boxes_is_paid() -> None:
    score = printed_sheet()
    expected = cases.by_id("HW17")["expected"]
    assert score.boxes == {name: expected[name] for name in "AB"}
    assert score.boxes["A"] - score.boxes["B"] == expected["pays"]


def test_hw18_the_winner_by_boxes_and_by_points() -> None:
    score = printed_sheet()
    expected = cases.by_id("HW18")["expected"]
    # "A 618 points and 65 boxes, B 321 points and 25 boxes"
    assert (score.points, score.boxes) == ({"A": 618, "B": 321}, {"A": 65, "B": 25})
    assert (score.winner, score.points_winner) == (expected["by_boxes"], expected["by_points"])


def test_hw18_the_two_need_not_agree() -> None:
    """A closes all columns with plain wins, B has fewer points and more boxes.

    B wins 20 three times with five prize boxes each: 20, 20, 20 / 20, 20 / 20 and 18, 12, 6 boxes.
    A wins 60 three times and 90: the fourth gives him 270, 210 and 150. Three columns of 150:
    the third win of 60 closes column 1 (180), the fourth columns 2 (210) and 3 (150).
    Boxes of A: 3 + 5, 3 + 5, 2 + 5 = 23. B: 18 + 12 + 6 = 36. Points: A 180 + 210 + 150, B 120.
    """
    hands = [("B", 20, 6)] * 3 + [("A", 60, 1)] * 3 + [("A", 90, 1)]
    score = ginsim.score_game("hollywood(target=150)", hands)
    assert [column.closed_at for column in score.columns] == [6, 7, 7]
    assert score.points == {"A": 540, "B": 120}
    assert score.boxes == {"A": 23, "B": 36}
    assert (score.over, score.winner, score.points_winner) == (True, "B", "A")
    assert score.margin == 120 - 540


def test_equal_boxes_are_decided_by_the_score_and_equal_scores_by_nothing() -> None:
    """Without boxes and bonuses, columns of 100, each win to as many columns as its number."""
    rules = "kawu+hollywood(game_bonus=0, hand_bonus=0, shutout=add, shutout_shift=false)"
    hands = [
        ("A", 10),  # A 10, 0, 0
        ("A", 80),  # A 90, 80, 0
        ("B", 5),  # B 5, 0, 0
        ("B", 95),  # B 100, 95, 0: column 1 closes
        ("B", 99),  # B 100, 194, 99: column 2 closes
        ("A", 99),  # A 90, 80, 99
    ]
    # A has 269 points, B 393. The next win of A closes column 3: with 124 the scores are level.
    for last, winner in ((123, "B"), (124, None), (125, "A")):
        score = ginsim.score_game(rules, [*hands, ("A", last)])
        assert score.points == {"A": 269 + last, "B": 393}
        assert score.boxes == {"A": 0, "B": 0}
        assert (score.over, score.winner, score.points_winner) == (True, winner, winner)
        assert score.margin == (1 if winner else 0)


def test_the_columns_bonuses_are_the_games_by_column() -> None:
    """`modern+hollywood`: 100 for a column, 25 for an entry, 100 more for a shutout.

    A wins 60 three times: 60 / 120, 60 / 180 … but column 1 closes at 120, so the lines are
    60, 60 in column 1, 60, 60 in column 2 and 60 in column 3. B has won nothing when columns 1
    and 2 close. With the shift (two closed columns without him) B's win goes to column 3,
    A's fourth closes it.
    """
    hands = [("A", 60), ("A", 60), ("A", 60), ("B", 30), ("A", 60)]
    score = ginsim.score_game("modern+hollywood", hands)
    assert [column.closed_at for column in score.columns] == [2, 3, 5]
    assert [column.shutout for column in score.columns] == [True, True, False]
    assert [column.score["A"] for column in score.columns] == [
        120 + 2 * 25 + 100 + 100,
        120 + 2 * 25 + 100 + 100,
        120 + 2 * 25 + 100,
    ]
    assert [column.score["B"] for column in score.columns] == [0, 0, 30 + 25]
    assert score.final == {"A": 370 + 370 + 270, "B": 55}
    # Without the shift the win is B's first and only belongs in column 1, which is closed.
    literal = ginsim.score_game("modern+hollywood(shutout_shift=false)", hands)
    assert literal.final == {"A": 3 * 370, "B": 0}
    assert literal.hands_won == {"A": 4, "B": 1}


def test_every_shutout_rule_by_column() -> None:
    """A alone wins 100, 100 and 100, a column each; game bonus 50, shutout bonus 7."""
    base = "kawu+hollywood(game_bonus=50, hand_bonus=0, shutout_bonus=7, box_column=4, {})"
    for rule, bonus, boxes in (
        ("add", 57, 3 * 1 + 3 * 4),
        ("replace", 7, 3 * 1 + 3 * 4),
        ("double", 100, 3 * 1 + 3 * 4),
        ("double-boxes", 50, 2 * (3 * 1 + 3 * 4)),
    ):
        hands = [("A", 100, 1)] * 3
        score = ginsim.score_game(base.format(f"shutout={rule}"), hands)
        assert score.final == {"A": 300 + 3 * bonus, "B": 0}, rule
        assert score.boxes == {"A": boxes, "B": 0}, rule


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (("A", 10, -1), "hands[1], boxes: -1 is not allowed"),
        (("C", 10, 1), "hands[1]: 'C' is not allowed; allowed: A"),
        (("A", 281, 1), "hands[1]: 281 is not allowed"),
        (("A",), "hands[1]: ('A',) is not allowed"),
    ],
)
def test_bad_hands_are_refused_in_words(hand: Any, words: str) -> None:
    """280 is twice the 110 pips of eleven cards and the bonus of big gin."""
    with pytest.raises(ginsim.OptionError) as failure:
        ginsim.score_game("hollywood", [("A", 280, 3), hand])
    assert words in str(failure.value)


# ---------------------------------------------------------------- whole games

PAIR = ("greedy(knock_at=6)", "simple")

#: Boxes and prizes that are all different, every other field away from its default.
OWN = (
    "hollywood(spade_doubles=all, tie=nobody, next_dealer=winner, target=120, game_bonus=50, "
    "hand_bonus=7, shutout=double, shutout_shift=false, box_base=2, box_gin=3, box_undercut=4, "
    "box_clean_undercut=5, box_big_gin=6, box_column=9)"
)
RULES = (
    "hollywood",
    "hollywood(target=150)",
    "hollywood(spade_doubles=all)",
    "kawu+hollywood",
    "classic+hollywood",
    "modern+hollywood(shutout_shift=false)",
    "openspiel+hollywood(target=60, shutout_bonus=7, first_dealer=seat)",
    OWN,
)


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame, None for what is missing."""
    return [
        {str(key): None if pd.isna(value) else value for key, value in row.items()}
        for row in frame.to_dict("records")
    ]


def check_played(
    rules: Rules,
    strategies: tuple[str, ...],
    seed: int,
    first: int,
    count: int,
    mirror: bool,
    max_hands: int = 10_000,
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Simulated games are the twin's, in every column of games and hands."""
    more: dict[str, Any] = {"seed": seed, "first": first, "mirror": mirror, "max_hands": max_hands}
    games = plain(ginsim.simulate_games(rules, strategies, count, **more))
    hands = plain(ginsim.simulate_game_hands(rules, strategies, count, **more))
    players = [parse_strategy(name) for name in strategies]
    twins = [
        books.play_game(rules, players, seed, index, mirror, max_hands)
        for index in range(first, first + count)
    ]
    assert games == [record for record, _ in twins]
    assert hands == [row for _, rows in twins for row in rows]
    return twins


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_games_equal_the_twins(name: str, mirror: bool) -> None:
    twins = check_played(ginsim.load_rules(name), PAIR, 6, 40, 4, mirror)
    assert all(record["over"] for record, _ in twins)


def test_games_of_equal_players_equal_the_twins() -> None:
    check_played(ginsim.load_rules("hollywood"), ("greedy", "greedy"), 11, 3, 8, False)


def test_single_games_with_boxes_equal_the_twins() -> None:
    rules = "hollywood(scoring=single, box_column=0, shutout_shift=false, shutout=add)"
    check_played(ginsim.load_rules(rules), PAIR, 6, 40, 8, False)
    check_played(ginsim.load_rules("classic"), PAIR, 6, 40, 8, True)


@pytest.mark.parametrize(
    "name",
    [
        "kawu",
        "classic(target=60)",
        "hollywood",
        "hollywood(scoring=single, box_column=0, shutout_shift=false, shutout=add)",
    ],
)
def test_games_of_players_who_look_at_the_score_equal_the_twins(name: str) -> None:
    players = (
        ("expert(knock_table=4, knock_close=10/2, knock_guard=0*3/7{})", 70, 80),
        ("expert(knock_table=5, knock_close=9, knock_guard=0{})", 25, 45),
    )
    pair = tuple(
        text.format(f", close_from={close}, guard_from={guard}") for text, close, guard in players
    )
    blind = tuple(text.format("") for text, _, _ in players)
    rules = ginsim.load_rules(name)
    twins = check_played(rules, pair, 6, 40, 6, True)
    # Who does not look plays otherwise; in three columns there is nothing to look at.
    games = plain(ginsim.simulate_games(rules, blind, 6, seed=6, first=40, mirror=True))
    assert (games == [record for record, _ in twins]) == (rules.scoring == "hollywood")


@pytest.mark.parametrize("most", [1, 4, 7])
def test_unfinished_games_equal_the_twins(most: int) -> None:
    """After so many hands some columns are closed, with their boxes and bonuses, others not."""
    rules = ginsim.load_rules("modern+hollywood(box_column=5, target=60)")
    twins = check_played(rules, PAIR, 6, 0, 20, False, max_hands=most)
    closed = Counter(
        sum(record[f"column_{number}_winner"] is not None for number in (1, 2, 3))
        for record, _ in twins
    )
    assert len(closed) > 1 or most == 1
    assert closed[0] + closed[1] + closed[2] > 0
    assert all(record["winner"] is None for record, _ in twins if not record["over"])


def test_simulated_games_do_not_stop_before_the_third_column() -> None:
    """Hands are posted in the order of the frame: the frame of hands gives the frame of games."""
    rules = ginsim.load_rules("hollywood")
    frame = ginsim.simulate_games(rules, PAIR, 300, seed=5)
    hands = ginsim.simulate_game_hands(rules, PAIR, 300, seed=5)
    seats = {name: seat for seat, name in enumerate(SEATS)}
    shutouts = 0
    for game in range(300):
        listed: list[Hand] = [
            (seats.get(row["winner"]), row["points"], row["boxes"])
            for row in plain(hands[hands["game"] == game])
        ]
        own = frame.iloc[game]
        book = keep_book(rules, listed, seats[own["first_dealer"]])
        assert book.over
        assert book.hands == len(listed) == own["hands"]
        assert not keep_book(rules, listed[:-1]).over
        assert seat_of(own["winner"]) == book.winner
        assert (own["south_boxes"], own["north_boxes"]) == book.boxes
        assert (own["south_score"], own["north_score"]) == book.scores
        shutouts += sum(column.shutout for column in book.columns)
    assert shutouts > 0


@pytest.mark.parametrize("name", ["hollywood", OWN, "partnership"])
def test_threads_and_chunks_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    more: dict[str, Any] = {"seed": 2, "mirror": True}
    frames = []
    for chunk, threads in ((8192, 1), (16, 3), (160, 2)):
        monkeypatch.setattr(batches, "CHUNK", chunk)
        frames.append(
            [
                play(name, PAIR, 60, threads=threads, **more)
                for play in (ginsim.simulate_games, ginsim.simulate_game_hands)
            ]
        )
    for games, hands in frames[1:]:
        pd.testing.assert_frame_equal(games, frames[0][0])
        pd.testing.assert_frame_equal(hands, frames[0][1])
    parts = [ginsim.simulate_games(name, PAIR, 30, first=first, **more) for first in (0, 30)]
    assert plain(pd.concat(parts)) == plain(frames[0][0])


@pytest.mark.parametrize("name", ["hollywood", OWN, "partnership"])
def test_a_tally_is_that_of_the_games(name: str) -> None:
    """Sums without frames are those of the frame, those of tables are those of the hands."""
    frame = ginsim.simulate_games(name, PAIR, 200, seed=5)
    tally = ginsim.tally_games(name, PAIR, 200, seed=5, threads=2)
    hands = ginsim.simulate_game_hands(name, PAIR, 200, seed=5)
    assert tally["outcomes"].sum() == len(hands)
    for code, outcome in enumerate(hands["outcome"].cat.categories):
        assert tally["outcomes"][code].sum() == (hands["outcome"] == outcome).sum()
    of_hands = {"outcomes", "table_outcomes", "table_points", "nets"}
    counted = GameTally.from_frame(frame)
    for field in tally.sums.dtype.names or ():
        if field not in of_hands:
            assert (counted.sums[field] == tally.sums[field]).all(), field
    if name == "partnership":
        seats = [*SEATS, None]
        tables: Counter[Any] = Counter()
        points: Counter[Any] = Counter()
        nets: Counter[Any] = Counter()
        for row in plain(hands):
            tables[row["table"] - 1, row["outcome"], row["winner"]] += 1
            points[row["table"] - 1, row["winner"]] += row["points"]
            nets[row["net_kind"], row["pair_winner"]] += row["table"] == 1
        for place, seat in enumerate(seats):
            for number in (0, 1):
                for code, outcome in enumerate(OUTCOMES):
                    found = tally["table_outcomes"][number][code][place]
                    assert found == tables[number, outcome, seat]
                if seat is not None:
                    assert tally["table_points"][number][place] == points[number, seat]
            for code, kind in enumerate(NETS):
                assert tally["nets"][code][place] == nets[kind, seat]


@pytest.mark.parametrize("name", ["hollywood", OWN, "partnership"])
def test_the_summary_equals_plain_pandas(name: str) -> None:
    """Values and standard errors of mirrored games: those of the means of the deals."""
    frame = ginsim.simulate_games(name, PAIR, 400, seed=9, mirror=True)
    table = ginsim.summarize_games(frame).set_index(["measure", "seat"])
    measured: dict[tuple[str, str], Any] = {
        ("box_margin", "south"): frame["box_margin"],
        ("margin", "south"): frame["margin"],
        ("hands", "all"): frame["hands"],
        ("drawn", "all"): frame["over"] & frame["winner"].isna(),
        ("points_differ", "all"): frame["winner"].notna()
        & frame["points_winner"].notna()
        & (frame["winner"].astype(object) != frame["points_winner"].astype(object)),
    }
    for number in (1, 2, 3):
        column = f"column_{number}"
        measured[f"{column}_hands", "all"] = frame[f"{column}_hands"]
        measured[f"{column}_shutout", "all"] = frame[f"{column}_shutout"]
        for seat in SEATS:
            measured[f"{column}_win", seat] = frame[f"{column}_winner"] == seat
    for seat in SEATS:
        measured["win", seat] = frame["winner"] == seat
    for key, values in measured.items():
        row: Any = table.loc[key]
        by_deal = values.astype(float).groupby(frame["deal"]).mean()
        assert row["value"] == pytest.approx(by_deal.mean()), key
        if by_deal.std() > 0:
            assert row["se"] == pytest.approx(by_deal.sem()), key


@pytest.mark.parametrize(("name", "most"), [("hollywood", 10_000), ("hollywood", 9), ("kawu", 4)])
def test_ratios_are_clustered_by_deal(name: str, most: int) -> None:
    """Shares and means over part of the games: ratios of sums, with the delta method by hand."""
    frame = ginsim.simulate_games(name, PAIR, 600, seed=9, mirror=True, max_hands=most)
    table = ginsim.summarize_games(frame).set_index(["measure", "seat"])
    winner, leader = frame["winner"].astype(object), frame["leader_at_half"].astype(object)
    known = (winner.notna() & leader.notna()).astype(float)
    ratios = {"half_leader_win": (known * (winner == leader), known)}
    for number in (1, 2, 3) if name == "hollywood" else ():
        closed = frame[f"column_{number}_winner"].notna().astype(float)
        ratios[f"column_{number}_hands"] = (frame[f"column_{number}_hands"] * closed, closed)
    for measure, (top, bottom) in ratios.items():
        row: Any = table.loc[(measure, "all")]
        sums = pd.DataFrame({"top": top, "bottom": bottom}).groupby(frame["deal"]).sum()
        assert row["count"] == bottom.sum()
        if not bottom.sum():
            assert np.isnan(row["value"])
            continue
        ratio = top.sum() / bottom.sum()
        assert row["value"] == pytest.approx(ratio)
        residual = sums["top"] - ratio * sums["bottom"]
        se = np.sqrt((residual**2).sum() * len(sums) / (len(sums) - 1)) / bottom.sum()
        if bottom.sum() > 1:
            assert row["se"] == pytest.approx(se), measure
    # Without mirroring the games are the clusters.
    frame = ginsim.simulate_games(name, PAIR, 600, seed=9, max_hands=most)
    table = ginsim.summarize_games(frame).set_index(["measure", "seat"])
    for number in (1, 2, 3) if name == "hollywood" else ():
        hands = frame[f"column_{number}_hands"][frame[f"column_{number}_winner"].notna()]
        row = table.loc[(f"column_{number}_hands", "all")]
        assert row["count"] == len(hands)
        if len(hands) > 1:
            assert (row["value"], row["se"]) == pytest.approx((hands.mean(), hands.sem()))


def test_one_pair_has_no_error() -> None:
    frame = ginsim.simulate_games("kawu", PAIR, 2, seed=9, mirror=True)
    table = ginsim.summarize_games(frame).set_index(["measure", "seat"])
    for key in (("win", "south"), ("half_leader_win", "all"), ("margin", "south")):
        row: Any = table.loc[key]
        assert np.isnan(row["se"])


def test_a_column_left_open_has_no_length() -> None:
    frame = ginsim.simulate_games("hollywood", PAIR, 40, seed=1, max_hands=8)
    for number in (1, 2, 3):
        still_open = frame[f"column_{number}_winner"].isna()
        assert ((frame[f"column_{number}_hands"] == 0) == still_open).all()
        assert still_open.any()


def test_shutouts_of_columns_by_seat() -> None:
    frame = ginsim.simulate_games("hollywood", PAIR, 400, seed=1, mirror=True)
    table = ginsim.summarize_games(frame).set_index(["measure", "seat"])
    for number in (1, 2, 3):
        shut = frame[frame[f"column_{number}_shutout"]]
        for seat in SEATS:
            count = (shut[f"column_{number}_winner"] == seat).sum()
            assert table.loc[(f"column_{number}_shutout", seat), "count"] == count
        assert table.loc[(f"column_{number}_shutout", "all"), "count"] == len(shut)


def seat_of(name: Any) -> int | None:
    return None if pd.isna(name) else SEATS.index(name)
