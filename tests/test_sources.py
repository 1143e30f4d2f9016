"""Every worked example that a source document prints, played or scored by its rule set.

Source 0 is the page "Gin Rummy" (rule set `hollywood`), 1 "Regras Detalhadas" (`classic`), 2 the
page on playing online (`casual`), 3 "para Dois Jogadores" (`modern`), 4 "Como jogar" of kawu.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import ginsim
from ginsim import CardSet, Position

# A hand without melds, for whoever is not looked at.
OTHER = "As 2c 3d 4h 5s 6h 7d 8h 8s Tc"


# ---------------------------------------------------------------- source 0


def test_s0_oito_a_knock_with_eight() -> None:
    """5-6-7 of clubs, three nines, ace, two, four, a queen: draws an ace, throws it, "Oito!"."""
    # The fourth card of the example is fixed where the page leaves it open: the ace of clubs.
    hand = "5c 6c 7c 9h 9d 9s Ac 2d 4h Qh"
    position = Position.build(
        "hollywood",
        nondealer="As 2c 3d 4s 5s 6h 7d 8h 8s Tc Kc",
        dealer=hand,
        stock=["Ah"],
        second_card="8d",
    )
    position.discard("Kc").draw_stock().knock("Qh")
    position.spread(["5c 6c 7c", "9h 9d 9s"])
    assert position.knock_limit == 8
    position.lay_off([], "")
    assert position.result is not None
    assert position.result["south_deadwood"] == 8


def test_s0_one_over_the_open_card_is_no_knock() -> None:
    position = Position.build(
        "hollywood",
        nondealer="5c 6c 7c 9h 9d 9s Ac 2d 4h Ah Qh",
        dealer="As 2c 3d 4s 5s 6h 7d 8h 8s Tc",
        second_card="7d",
    )
    with pytest.raises(ginsim.IllegalAction):
        position.knock("Qh")


def test_s0_gin_with_the_jack() -> None:
    """5-6-7 of clubs, three nines, 8-9-10-J of diamonds and a queen to throw."""
    best = ginsim.best_discard("5c 6c 7c 9c 9h 9s 8d 9d Td Jd Qh")
    assert (best.deadwood, best.discards) == (0, CardSet("Qh"))


def test_s0_big_gin_with_the_eight_of_clubs() -> None:
    cards = "5c 6c 7c 8c 9c 9h 9s 8d 9d Td Jd"
    assert ginsim.best_discard(cards).all_melded
    assert ginsim.score_hand("hollywood", 0, 15, big_gin=True).points == 45


def test_s0_six_against_ten_is_four_points() -> None:
    assert ginsim.score_hand("hollywood", 6, 10).points == 4


def test_s0_encaixe_the_queen_on_the_run() -> None:
    answer = ginsim.layoff(
        ["4h 5h 6h", "8h 8d 8s", "9s Ts Js"], "Th Td Tc 6c 7c 8c 9c Qs 5s 7s", unmelded="Kh"
    )
    assert answer.laid_off == CardSet("Qs")
    assert answer.defender_deadwood == 12
    assert ginsim.score_hand("hollywood", 10, 12).points == 2


def test_s0_rebatida() -> None:
    """3 and 7 of hearts and the king of diamonds are laid off, the five is left against 10."""
    answer = ginsim.layoff(
        ["4h 5h 6h", "3c 3d 3s", "Td Jd Qd"], "9c 9h 9s 7d 8d 9d 3h 7h Kd 5s", unmelded="Qc"
    )
    assert answer.defender_deadwood == 5
    assert answer.laid_off == CardSet("3h 7h Kd")
    score = ginsim.score_hand("hollywood", 10, 5)
    assert (score.outcome, score.points, score.boxes) == ("undercut", 25, 2)


def test_s0_gin_with_fifteen_is_forty_points_and_two_prize_boxes() -> None:
    score = ginsim.score_hand("hollywood", 0, 15)
    assert (score.points, score.prize_boxes, score.boxes) == (40, 2, 3)


def test_s0_the_same_on_spades_is_eighty_points_and_five_boxes() -> None:
    score = ginsim.score_hand("hollywood", 0, 15, spade=True)
    assert (score.points, score.prize_boxes, score.boxes) == (80, 4, 5)


@pytest.mark.parametrize(
    ("outcome", "bonus", "prize"),
    [("big_gin", 30, 3), ("gin", 25, 2), ("undercut", 20, 1), ("clean_undercut", 25, 2)],
)
def test_s0_table_of_prizes(outcome: str, bonus: int, prize: int) -> None:
    deadwoods = {"big_gin": (0, 7), "gin": (0, 7), "undercut": (9, 2), "clean_undercut": (7, 0)}
    knocker, defender = deadwoods[outcome]
    score = ginsim.score_hand("hollywood", knocker, defender, big_gin=outcome == "big_gin")
    assert (score.outcome, score.points, score.prize_boxes) == (outcome, 7 + bonus, prize)


def test_s0_a_plain_win_of_five_is_one_box() -> None:
    score = ginsim.score_hand("hollywood", 5, 10)
    assert (score.points, score.boxes, score.prize_boxes) == (5, 1, 0)


def test_s0_ten_against_five_is_five_points_to_the_other() -> None:
    """The difference of deadwood is five; as an undercut it brings 20 more and a prize box."""
    score = ginsim.score_hand("hollywood", 10, 5)
    assert (score.winner, score.points, score.prize_boxes) == ("defender", 5 + 20, 1)


@pytest.mark.parametrize(
    ("knocker", "defender", "big_gin", "boxes"),
    [(0, 20, False, 1 + 2), (9, 0, False, 1 + 2), (0, 20, True, 1 + 3), (9, 4, False, 1 + 1)],
    ids=["Gin", "Rebatida sem lenha", "Big Gin", "Rebatida"],
)
def test_s0_resumo_one_box_for_the_points_and_the_prize(
    knocker: int, defender: int, big_gin: bool, boxes: int
) -> None:
    assert ginsim.score_hand("hollywood", knocker, defender, big_gin=big_gin).boxes == boxes


# ------------------------------------------- source 0, its sheets: three columns for A, three for B


def sheet(hands: Iterable[Sequence[Any]], rules: str = "hollywood") -> list[list[str]]:
    """The rows of the sheet as the page prints it: sums, below them prize boxes in brackets, in a
    closed column the prize for it and the boxes."""
    hands = list(hands)
    score = ginsim.score_game(rules, hands)
    printed: dict[tuple[str, int], list[str]] = {
        (name, number): [] for name in "AB" for number in (1, 2, 3)
    }
    sums: Counter[tuple[str, int]] = Counter()
    for (winner, points, boxes), posted in zip(hands, score.posted, strict=True):
        for number in posted:
            sums[winner, number] += points
            lines = printed[winner, number]
            lines.append(str(sums[winner, number]))
            if boxes > 1:
                lines.append(f"({boxes - 1})")
    for number, column in enumerate(score.columns, start=1):
        for name in "AB":
            if column.closed_by == name:
                printed[name, number].append("+(5)")
            if column.closed_by is not None:
                printed[name, number].append(str(column.boxes[name]))
    rows = itertools.zip_longest(*printed.values(), fillvalue=".")
    return [list(row) for row in rows]


def rows(text: str) -> list[list[str]]:
    """Rows of a sheet as they stand on the page."""
    return [line.split() for line in text.strip().splitlines()]


#: 15 to A, 19 to B, 16 and 17 to A, each a plain win.
ROUNDS = [("A", 15, 1), ("B", 19, 1), ("A", 16, 1), ("A", 17, 1)]


@pytest.mark.parametrize(
    ("played", "printed"),
    [
        (1, "15 . . . . ."),
        (2, "15 . . 19 . ."),
        (3, "15 16 . 19 . .\n31 . . . . ."),
        # The text has "17 pontos ... na primeira" for the third column.
        (4, "15 16 17 19 . .\n31 33 . . . .\n48 . . . . ."),
    ],
    ids=["1a Rodada", "2a Rodada", "3a Rodada", "4a Rodada"],
)
def test_s0_the_rounds_on_the_sheet(played: int, printed: str) -> None:
    assert sheet(ROUNDS[:played]) == rows(printed)


def test_s0_points_and_boxes_after_the_fourth_round() -> None:
    """48 and three boxes, 33 and two, 17 and one: five boxes more than B."""
    score = ginsim.score_game("hollywood", ROUNDS)
    found = [(column.points["A"], column.boxes["A"]) for column in score.columns]
    assert found == [(48, 3), (33, 2), (17, 1)]
    assert score.boxes["A"] - score.boxes["B"] == 5


def test_s0_gin_on_the_sheet_is_forty_and_two() -> None:
    hand = ginsim.score_hand("hollywood", 0, 15)
    assert sheet([("A", hand.points, hand.boxes)]) == rows("40 . . . . .\n(2) . . . . .")


def test_s0_gin_on_spades_is_eighty_and_four_with_five_boxes() -> None:
    hand = ginsim.score_hand("hollywood", 0, 15, spade=True)
    hands = [("A", hand.points, hand.boxes)]
    assert sheet(hands) == rows("80 . . . . .\n(4) . . . . .")
    score = ginsim.score_game("hollywood", hands)
    assert (score.columns[0].points["A"], score.columns[0].boxes["A"]) == (80, 5)


@pytest.mark.parametrize(("limit", "wins"), [(150, 2), (200, 3)])
def test_s0_capote_doubles_the_boxes_and_the_prize(limit: int, wins: int) -> None:
    """A wins 75 again and again. At the limit column 1 has as many boxes as wins, and five."""
    rules = f"hollywood(target={limit})"
    alone = ginsim.score_game(rules, [("A", 75, 1)] * wins)
    first = alone.columns[0]
    assert (first.closed_by, first.closed_at, first.shutout) == ("A", wins, True)
    assert first.boxes == {"A": 2 * (wins + 5), "B": 0}
    # "sem que o outro tenha feito sequer um box nessa coluna": one is enough.
    other = ginsim.score_game(rules, [("B", 1, 1), *[("A", 75, 1)] * wins])
    first = other.columns[0]
    assert (first.closed_by, first.closed_at, first.shutout) == ("A", wins + 1, False)
    assert first.boxes == {"A": wins + 5, "B": 1}


#: The printed 200-point sheet decodes into these hands: A's columns name his, B's columns his,
#: and the places where B's stop fix the order. The brackets are prize boxes; "12 (1)" is a plain
#: win on spades, with the base box doubled, which the page does nowhere else.
PRINTED_HANDS = [
    ("A", 18, 1),
    ("B", 10, 1),
    ("A", 13, 1),
    ("B", 31, 3),
    ("A", 41, 3),
    ("B", 70, 5),
    ("A", 56, 5),
    ("A", 28, 1),
    ("A", 54, 5),
    ("B", 17, 1),
    ("A", 12, 2),
    ("B", 5, 1),
    ("A", 13, 1),
]

PRINTED_SHEET = """
18 13 41 10 31 70
31 54 (2) 41 (2) (4)
72 (2) 97 (2) 101 87
(2) 110 (4) 111 (4) 92
128 (4) 125 (4) 118 7
(4) 138 179 9 9 .
156 192 (4) . . .
210 (4) 191 . . .
(4) 204 (1) . . .
+(5) (1) 204 . . .
21 +(5) +(5) . . .
. 22 22 . . .
"""


def test_s0_the_printed_sheet() -> None:
    """Limit 200: every number of it, with the boxes below each column."""
    assert sheet(PRINTED_HANDS) == rows(PRINTED_SHEET)
    score = ginsim.score_game("hollywood", PRINTED_HANDS)
    assert (score.over, score.winner) == (True, "A")
    assert score.boxes == {"A": 21 + 22 + 22, "B": 9 + 9 + 7}


# ------------------------------------------------------------- source 0, four players


def test_s0_four_players_thirty_one_and_two() -> None:
    """A gin with 15, D a plain knock with 9: 6 and 25 points, two prize boxes."""
    net = ginsim.score_tables("partnership", ("A+B", 15, "gin"), ("C+D", 9, "knock"))
    assert (net.winner, net.points, net.prize_boxes) == ("A+B", 31, 2)
    # "A" on the printed sheet is the pair A/B.
    printed = sheet([("A", net.points, net.boxes)], "partnership")
    assert printed == rows("31 . . . . .\n(2) . . . . .")


def test_s0_four_players_big_gin_against_gin() -> None:
    """15 and big gin against nine and gin: six points, five points, one box."""
    net = ginsim.score_tables("partnership", ("A+B", 15, "big_gin"), ("C+D", 9, "gin"))
    assert (net.winner, net.points, net.prize_boxes) == ("A+B", 6 + 5, 1)


@pytest.mark.parametrize("kind", ["knock", "gin", "big_gin", "undercut", "clean_undercut"])
def test_s0_four_players_equal_kinds_leave_the_difference(kind: str) -> None:
    net = ginsim.score_tables("partnership", ("C+D", 15, kind), ("A+B", 9, kind))
    assert (net.winner, net.points, net.prize_boxes) == ("C+D", 6, 0)


def test_s0_four_players_both_partners_win() -> None:
    """Gin with eight and big gin with ten: 73 points and five boxes."""
    net = ginsim.score_tables("partnership", ("A+B", 8, "gin"), ("A+B", 10, "big_gin"))
    assert (net.winner, net.points, net.prize_boxes) == ("A+B", 73, 5)


def test_s0_four_players_spades_double() -> None:
    net = ginsim.score_tables("partnership", ("A+B", 15, "gin"), ("C+D", 9, "knock"), spade=True)
    assert net.points == 2 * 31


def test_s0_four_players_columns_of_250() -> None:
    """ "As regras são as mesmas do Hollywood Gin", with a higher limit and dealers in turn."""
    four, two = ginsim.load_rules("partnership"), ginsim.load_rules("hollywood")
    assert {field: values[0] for field, values in differences(four, two).items()} == {
        "players": 4,
        "target": 250,
        "next_dealer": "alternate",
    }
    hands = [("A", 249, 1), ("A", 1, 1)]
    assert ginsim.score_game(four, hands[:1]).columns[0].closed_by is None
    assert ginsim.score_game(four, hands).columns[0].closed_by == "A"


def differences(first: ginsim.Rules, second: ginsim.Rules) -> dict[str, tuple[Any, Any]]:
    ours, theirs = first.values(), second.values()
    return {
        field: (ours[field], theirs[field])
        for field in ours
        if field != "name" and ours[field] != theirs[field]
    }


# ---------------------------------------------------------------- source 1


def test_s1_bonuses() -> None:
    """Undercut 10, gin 20, equal is an undercut; who undercuts scores."""
    undercut = ginsim.score_hand("classic", 8, 5)
    assert (undercut.winner, undercut.points) == ("defender", 13)
    assert ginsim.score_hand("classic", 6, 6).points == 10
    assert ginsim.score_hand("classic", 0, 30).points == 50


def test_s1_game_of_a_hundred_and_the_shutout() -> None:
    won = ginsim.score_game("classic", [("A", 30), ("B", 40), ("A", 70)])
    assert won.final == {"A": 200, "B": 40}
    shutout = ginsim.score_game("classic", [("A", 50), ("A", 60)])
    assert shutout.final == {"A": 310, "B": 0}


@pytest.mark.parametrize("rules", ["classic", "kawu"])
def test_s1_melds_are_spread_as_far_as_possible(rules: str) -> None:
    """Holding the four of spades back leaves ten points: under the limit, but not the least."""
    position = Position.build(
        rules,
        nondealer="4s 5s 6s 7s 9c 9d 9h Ah 2h 3d",
        dealer="As 2c 3c 4h 5d 6h 7d 8h 8s Tc",
        upcard="Kh",
        stock=["Kd"],
    )
    position.pass_upcard().pass_upcard().draw_stock().knock("Kd")
    held_back = ["5s 6s 7s", "9c 9d 9h"]
    if rules == "kawu":
        position.spread(held_back)
        return
    with pytest.raises(ginsim.IllegalAction):
        position.spread(held_back)
    position.spread(["4s 5s 6s 7s", "9c 9d 9h"])


# ---------------------------------------------------------------- source 2


def test_s2_groups_and_runs() -> None:
    for meld in ("4s 4h 4d", "Js Jh Jd Jc", "3c 4c 5c 6c"):
        assert ginsim.is_meld(meld)


def test_s2_a_third_king_takes_twenty_points_a_third_ace_two() -> None:
    assert ginsim.deadwood("Ks Kc") - ginsim.deadwood("Ks Kc Kd") == 20
    assert ginsim.deadwood("As Ac") - ginsim.deadwood("As Ac Ad") == 2


def test_s2_ends_of_runs() -> None:
    """K Q J takes one card, Q J 10 9 two: "o dobro"."""
    assert ginsim.outs("Js Qs Ks").outs == CardSet("Ts")
    assert ginsim.outs("9s Ts Js Qs").outs == CardSet("8s Ks")


def test_s2_safety_of_discards() -> None:
    counts = {
        card: ginsim.safety(card).num_holdings for card in ("Ad", "Kd", "2d", "Qd", "3d", "Jd")
    }
    assert counts == {"Ad": 4, "Kd": 4, "2d": 5, "Qd": 5, "3d": 6, "Jd": 6}


def test_s2_bonuses() -> None:
    """Gin 25, undercut 20, big gin 6 on top of gin."""
    assert ginsim.score_hand("casual", 0, 30).points == 55
    assert ginsim.score_hand("casual", 8, 5).points == 23
    assert ginsim.score_hand("casual", 0, 30, big_gin=True).points == 61


# ---------------------------------------------------------------- source 3


def test_s3_six_against_fifteen_is_nine() -> None:
    assert ginsim.score_hand("modern", 6, 15).points == 9


def test_s3_undercut_of_eight_by_five_is_twenty_eight() -> None:
    score = ginsim.score_hand("modern", 8, 5)
    assert (score.winner, score.points) == ("defender", 28)


def test_s3_gin_and_big_gin() -> None:
    assert ginsim.score_hand("modern", 0, 30).points == 55
    assert ginsim.score_hand("modern", 0, 30, big_gin=True).points == 61


def test_s3_final_score_three_hundred_to_one_hundred_and_twenty_two() -> None:
    hands = [("A", 30), ("B", 40), ("A", 20), ("B", 32), ("A", 25), ("A", 25)]
    game = ginsim.score_game("modern", hands)
    assert game.points == {"A": 100, "B": 72}
    assert game.hands_won == {"A": 4, "B": 2}
    assert game.final == {"A": 300, "B": 122}
    assert game.margin == 178


# ---------------------------------------------------------------- source 4


def test_s4_melds() -> None:
    assert ginsim.is_meld("7s 7h 7d")
    assert ginsim.is_meld("4c 5c 6c 7c")
    assert ginsim.is_meld("Ad 2d 3d")
    assert not ginsim.is_meld("Qd Kd Ad")


def test_s4_layoffs_ten_on_the_run_and_the_fourth_four() -> None:
    answer = ginsim.layoff(
        ["7d 8d 9d", "4s 4h 4c", "Jc Qc Kc"], "Td 4d 2s 2h 2d Js Qs 5c 9h Ac", unmelded="6h"
    )
    assert answer.laid_off == CardSet("4d Td")


def test_s4_table_of_scores() -> None:
    """You knock with 6, the opponent ends with 21: 15. Undercut and gin 25, big gin off."""
    assert ginsim.score_hand("kawu", 6, 21).points == 15
    assert ginsim.score_hand("kawu", 8, 5).points == 28
    assert ginsim.score_hand("kawu", 0, 30).points == 55
    assert ginsim.score_hand("kawu", 0, 30, big_gin=True).outcome == "gin"
    assert ginsim.score_hand("kawu+big-gin", 0, 30, big_gin=True).points == 61


def test_s4_zerado_doubles_the_game_bonus() -> None:
    game = ginsim.score_game("kawu", [("A", 22)] * 5)
    assert game.final == {"A": 110 + 200 + 5 * 25, "B": 0}


def test_s4_a_taken_card_is_not_thrown_a_drawn_one_may_be() -> None:
    position = Position.build(
        "kawu", nondealer="Ac 2d 3h 4s 5c 6d 7h 9s 9c Td", dealer=OTHER, upcard="Kh", stock=["Qs"]
    )
    taken = position.copy().draw_pile()
    with pytest.raises(ginsim.IllegalAction):
        taken.discard("Kh")
    position.pass_upcard().pass_upcard().draw_stock().discard("Qs")
    assert position.top == "Qs"


def test_s4_variants() -> None:
    """Oklahoma: the upcard sets the limit; straight: gin only; Hollywood: three columns."""
    assert ginsim.knock_limit("kawu+oklahoma", "4s") == 4
    assert ginsim.knock_limit("kawu+straight") == 0
    assert ginsim.load_rules("kawu+hollywood").scoring == "hollywood"
