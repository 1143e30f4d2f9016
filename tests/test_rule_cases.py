"""The `rule` cases: build the position, attempt the action, look at the state after it."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import ginsim
from ginsim import CardSet, IllegalAction, Position
from tests import cases

# No melds, 55 deadwood each, nothing in common with the cards used below.
NONDEALER = "Ac 2d 3h 4s 5c 6d 7h 8s 9c Td"
DEALER = "As 2c 3d 4h 5s 6c 7d 8h 9s Tc"
# Nine melded cards and a deuce: two deadwood after throwing any other card.
READY = "4c 5c 6c 9d 9h 9s Jd Qd Kd 2h"
# A hand to go with these two: 54 deadwood, nothing of it fits their melds.
OTHER = "As 2c 3d 4h 5s 6h 7d 8h 8s Tc"
# Eleven cards in three melds.
BIG_GIN = "4c 5c 6c 7c 9d 9h 9s Td Jd Qd Kd"

UPCARD_SETS = ("s1", "s2", "s3", "s4")


def rules_of(source: str) -> ginsim.Rules:
    return ginsim.load_rules(cases.RULES[source])


def build(
    source: str, nondealer: str = NONDEALER, dealer: str = DEALER, upcard: str = "Kh", **more: Any
) -> Position:
    """A hand just dealt; south deals, north acts. Rules with eleven cards get the upcard as
    the eleventh."""
    rules = rules_of(source)
    if rules.deal == "eleven":
        more.setdefault("second_card", "Tc")
        return Position.build(rules, nondealer=f"{nondealer} {upcard}", dealer=dealer, **more)
    return Position.build(rules, nondealer=nondealer, dealer=dealer, upcard=upcard, **more)


def is_legal(position: Position, *action: str) -> bool:
    """Whether the engine carries the action out on a copy; the position itself is unchanged."""
    methods = {
        "draw_pile": "draw_pile",
        "draw_stock": "draw_stock",
        "pass": "pass_upcard",
        "discard": "discard",
        "knock": "knock",
        "big_gin": "declare_big_gin",
        "decline": "decline",
    }
    before = position.phase, position.seat, position.hand("south"), position.hand("north")
    trial = position.copy()
    try:
        getattr(trial, methods[action[0]])(*action[1:])
    except IllegalAction:
        legal = False
    else:
        legal = True
    assert (tuple(action) in position.legal()) == legal
    now = position.phase, position.seat, position.hand("south"), position.hand("north")
    assert now == before
    return legal


def run_down(position: Position, left: int) -> Position:
    """Both seats draw from the stock and throw the card drawn until `left` cards remain."""
    while position.stock > left:
        before = position.hand(position.seat)
        position.draw_stock()
        (drawn,) = position.hand(position.seat) - before
        position.discard(drawn)
    return position


# ---------------------------------------------------------------- 13 upcard and turn protocol


@pytest.mark.parametrize("source", UPCARD_SETS)
def test_up01_nondealer_takes_the_upcard_and_throws_another(source: str) -> None:
    hand = build(source)
    assert (hand.phase, hand.seat) == ("upcard", "north")
    hand.draw_pile()
    assert "Kh" in hand.hand("north")
    assert is_legal(hand, "discard", "Td")
    hand.discard("Td")
    assert (hand.seat, hand.top, hand.pile) == ("south", "Td", CardSet("Td"))


def test_up01_no_upcard_with_eleven_cards() -> None:
    hand = build("s0")
    assert hand.phase == "discard"
    assert hand.top is None


@pytest.mark.parametrize("source", UPCARD_SETS)
def test_up02_dealer_takes_the_upcard_after_a_pass(source: str) -> None:
    hand = build(source).pass_upcard()
    assert (hand.phase, hand.seat) == ("upcard", "south")
    hand.draw_pile().discard("Tc")
    assert "Kh" in hand.hand("south")
    assert (hand.phase, hand.seat, hand.top) == ("draw", "north", "Tc")


@pytest.mark.parametrize("source", UPCARD_SETS)
def test_up03_after_two_passes_the_upcard_is_out_of_reach(source: str) -> None:
    """s2 leaves this open; our reading is that of the others."""
    hand = build(source).pass_upcard().pass_upcard()
    assert (hand.phase, hand.seat) == ("draw", "north")
    assert not is_legal(hand, "draw_pile")
    assert is_legal(hand, "draw_stock")


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS, "openspiel"])
def test_up04_throwing_the_card_just_taken(source: str) -> None:
    hand = build(source)
    if source == "s0":
        hand.discard("Kh")
    hand.draw_pile()
    expected = cases.by_id("UP04")["expected"][source]
    # Where the source is silent (open) our rule sets forbid it.
    assert is_legal(hand, "discard", "Kh") == expected.startswith("legal")


def test_up04_openspiel_two_give_backs_in_a_row_end_the_hand() -> None:
    hand = build("openspiel").draw_pile().discard("Kh")
    assert hand.phase == "draw"
    hand.draw_pile().discard("Kh")
    assert hand.result is not None
    assert (hand.result["outcome"], hand.result["dead_reason"]) == ("dead", "give_backs")


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_up05_a_card_from_the_stock_may_be_thrown_at_once(source: str) -> None:
    hand = build(source, stock=["Qs"])
    if source == "s0":
        hand.discard("Kh")
    else:
        hand.pass_upcard().pass_upcard()
    hand.draw_stock()
    assert is_legal(hand, "discard", "Qs")


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS, "openspiel"])
def test_up06_knocking_with_the_card_just_taken(source: str) -> None:
    expected = cases.by_id("UP06")["expected"][source]
    if source == "s0":
        hand = build(source, nondealer=OTHER, dealer=READY, upcard="Kh").discard("Kh")
    else:
        hand = build(source, nondealer=READY, dealer=OTHER, upcard="Kh")
    hand.draw_pile()
    assert is_legal(hand, "knock", "Kh") == (expected == "legal")


@pytest.mark.parametrize("source", UPCARD_SETS)
def test_up07_knock_on_the_first_turn_with_the_upcard(source: str) -> None:
    hand = build(
        source, nondealer="4c 5c 6c 9d 9h 9s Jd Qd 2h Kh", dealer=OTHER, upcard="Kd"
    ).draw_pile()
    hand.knock("Kh")
    hand.spread(["4c 5c 6c", "9d 9h 9s", "Jd Qd Kd"])
    hand.lay_off([])
    assert hand.result is not None
    # 2 against 54: nothing of the dealer's fits.
    assert (hand.result["outcome"], hand.result["winner"]) == ("knock", "north")
    assert hand.result["points"] == 52


def test_up08_nondealer_opens_with_a_knock_or_gin() -> None:
    hand = build("s0", nondealer=READY, dealer=OTHER, upcard="Kh")
    assert is_legal(hand, "knock", "Kh")
    gin = "4c 5c 6c 7c 9d 9h 9s Jd Qd Kd"
    hand = build("s0", nondealer=gin, dealer=OTHER, upcard="Kh").knock("Kh")
    hand.spread(["4c 5c 6c 7c", "9d 9h 9s", "Jd Qd Kd"]).lay_off([])
    assert hand.result is not None
    assert (hand.result["outcome"], hand.result["turns"]) == ("gin", 1)


def test_up09_dealer_takes_the_first_discard() -> None:
    hand = build("s0").discard("Td")
    assert is_legal(hand, "draw_pile")
    hand.draw_pile()
    assert "Td" in hand.hand("south")


def test_up10_nondealer_with_eleven_cards_does_not_draw() -> None:
    hand = build("s0")
    assert len(hand.hand("north")) == 11
    assert not is_legal(hand, "draw_stock")
    assert not is_legal(hand, "draw_pile")


@pytest.mark.parametrize("source", UPCARD_SETS)
def test_up11_only_the_top_card_of_the_pile_is_taken(source: str) -> None:
    hand = build(source, stock=["Qs", "Js"]).pass_upcard().pass_upcard()
    hand.draw_stock().discard("Td")
    assert hand.pile == CardSet("Kh Td")
    hand.draw_pile()
    assert hand.hand("south") == CardSet(DEALER) | "Td"
    assert hand.pile == CardSet("Kh")


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_up12_knocking_is_not_compulsory(source: str) -> None:
    hand = build(source, nondealer=READY, dealer=OTHER, upcard="Kh")
    if source != "s0":
        hand.draw_pile()
    assert is_legal(hand, "knock", "2h")
    hand.discard("2h")
    assert (hand.phase, hand.seat) == ("draw", "south")


@pytest.mark.parametrize("source", ["s3", "s4"])
def test_up14_the_refused_upcard_is_buried(source: str) -> None:
    hand = build(source, stock=["Qs"]).pass_upcard().pass_upcard().draw_stock().discard("Qs")
    assert (hand.top, hand.pile) == ("Qs", CardSet("Kh Qs"))
    hand.draw_pile().discard("Tc")
    # The king is still in the pile, and the top is the last discard.
    assert (hand.top, hand.pile) == ("Tc", CardSet("Kh Tc"))


# ---------------------------------------------------------------- 7 big gin

BIG_GIN_MELDS = ["4c 5c 6c 7c", "9d 9h 9s", "Td Jd Qd Kd"]


def eleven_melded(source: str) -> Position:
    """North holds eleven melded cards, the king of diamonds from the upcard or the deal."""
    hand = build(source, nondealer=BIG_GIN.removesuffix(" Kd"), dealer=OTHER, upcard="Kd")
    return hand if source == "s0" else hand.draw_pile()


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_bg08_declaring_big_gin(source: str) -> None:
    expected = cases.by_id("BG08")["expected"][source]
    hand = eleven_melded(source)
    assert is_legal(hand, "big_gin") == (expected == "legal")


def test_bg08_big_gin_by_option() -> None:
    hand = eleven_melded("s4+biggin").declare_big_gin()
    hand.spread(BIG_GIN_MELDS).lay_off([])
    assert hand.result is not None
    assert (hand.result["outcome"], hand.result["points"]) == ("big_gin", 54 + 31)
    # No discard was made.
    assert hand.pile == CardSet()


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_bg09_plain_gin_is_always_there(source: str) -> None:
    hand = eleven_melded(source)
    hand.knock("7c").spread(["4c 5c 6c", *BIG_GIN_MELDS[1:]]).lay_off([])
    assert hand.result is not None
    assert hand.result["outcome"] == "gin"
    assert hand.result["points"] == 54 + rules_of(source).gin_bonus


def test_bg10_the_drawn_card_completes_big_gin_without_gin_before() -> None:
    # Ten cards with a king to spare: the jack drawn melds it.
    ten = "4c 5c 6c 7c 9d 9h 9s Td Qd Kd"
    assert ginsim.deadwood(ten) == 30
    hand = build("s0", nondealer=OTHER, dealer=ten, stock=["Jd"], upcard="Kh")
    hand.discard("Kh").draw_stock()
    assert is_legal(hand, "big_gin")


def test_bg11_eleven_dealt_cards_all_melded() -> None:
    hand = build("s0", nondealer=BIG_GIN.removesuffix(" Kd"), dealer=OTHER, upcard="Kd")
    hand.declare_big_gin().spread(BIG_GIN_MELDS).lay_off([])
    assert hand.result is not None
    assert (hand.result["outcome"], hand.result["points"]) == ("big_gin", 54 + 30)
    assert (hand.result["prize_boxes"], hand.result["turns"]) == (3, 1)


@pytest.mark.parametrize("source", ["s0", "s2", "s3", "s4+biggin"])
def test_bg12_no_layoffs_against_big_gin(source: str) -> None:
    # The three of clubs would fit the run of clubs.
    hand = build(
        source,
        nondealer=BIG_GIN.removesuffix(" Kd"),
        upcard="Kd",
        dealer="As 2c 3c 4h 5s 6h 7d 8h 8s Tc",
    )
    assert ginsim.deadwood(hand.hand("south")) == 54
    if source != "s0":
        hand.draw_pile()
    hand.declare_big_gin().spread(BIG_GIN_MELDS)
    with pytest.raises(IllegalAction, match="nothing may be laid off"):
        hand.lay_off([], "3c")
    hand.lay_off([])
    assert hand.result is not None
    assert hand.result["south_deadwood"] == 54


# ---------------------------------------------------------------- 8 knock limit


def test_kl13_the_second_decks_card_is_not_in_play() -> None:
    # The open card is one that north holds: the second deck only shows the limit.
    hand = build("s0", second_card="9c")
    assert (hand.knock_limit, hand.stock) == (9, 52 - 21)
    assert "9c" in hand.hand("north")
    assert hand.pile == CardSet()
    assert not is_legal(hand, "draw_pile")


def test_kl14_the_first_upcard_fixes_the_limit_for_the_hand() -> None:
    hand = Position.build(
        "kawu+oklahoma",
        nondealer="4c 5c 6c 9d 9h 9s Jd Qd Kd 2h",
        dealer="As 2c 3d 4h 5s 6h 7d 8h 8s Tc",
        upcard="4s",
    )
    assert hand.knock_limit == 4
    hand.draw_pile()
    assert hand.pile == CardSet()
    assert hand.knock_limit == 4
    # With 2h left 2, with 4s left 4: both at or under the limit.
    assert is_legal(hand, "knock", "4s") is False  # just taken from the pile
    assert is_legal(hand, "knock", "2h")
    assert not is_legal(hand, "knock", "Kd")
    hand.discard("Kd")
    assert hand.knock_limit == 4


def test_kl15_straight_gin_allows_no_knock_with_one() -> None:
    hand = Position.build(
        "straight",
        nondealer="4c 5c 6c 9d 9h 9s Jd Qd Kd Ah",
        dealer="3s 2c 3d 4h 5s 6h 7d 8h 8s Tc",
        upcard="2s",
    ).draw_pile()
    assert ginsim.deadwood(hand.hand("north") - "2s") == 1
    assert not any(action[0] == "knock" for action in hand.legal())


# ---------------------------------------------------------------- 14 dead hand


@pytest.mark.parametrize("case", cases.of_kind("stock"))
def test_dh01_to_dh03_the_stock_runs_out(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    for source in cases.sources(case):
        hand = build(source)
        if source == "s0":
            hand.discard("Kh")
        elif given["first_drawer"] == "nondealer":
            hand.pass_upcard().pass_upcard()
        else:
            hand.draw_pile().discard("Td")
        assert hand.stock == given["start_stock"]
        first = "north" if given["first_drawer"] == "nondealer" else "south"
        assert hand.seat == first
        draws = 0
        while hand.phase != "over":
            last = hand.seat
            run_down(hand, hand.stock - 1)
            draws += 1
        assert draws == expected["draws"]
        assert last == ("north" if expected["last_drawer"] == "nondealer" else "south")
        assert hand.stock == expected["stock_left"]
        assert hand.result is not None
        assert (hand.result["outcome"], hand.result["dead_reason"]) == ("dead", "stock")


def three_left(source: str, **more: Any) -> Position:
    """The seat to act has three stock cards before it."""
    hand = build(source, **more)
    if hand.phase == "discard":
        hand.discard("Kh")
    else:
        hand.pass_upcard().pass_upcard()
    return run_down(hand, 3)


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_dh04_dead_after_the_last_discard(source: str) -> None:
    """s1 and s2 name no rule; our reading is that of the others."""
    hand = run_down(three_left(source), 2)
    assert hand.result is not None
    assert (hand.result["outcome"], hand.result["points"]) == ("dead", 0)


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_dh05_a_knock_on_the_last_turn_scores(source: str) -> None:
    hand = three_left(source, nondealer=READY, dealer="As 2c 3c 4h 5s 6h 7d 8h 8s Tc")
    while hand.seat != "north":
        # It is south's turn with three left: let north have a turn with three instead.
        hand.draw_pile().discard("Tc")
    before = hand.hand("north")
    hand.draw_stock()
    (drawn,) = hand.hand("north") - before
    assert hand.stock == 2
    hand.knock(drawn).spread(["4c 5c 6c", "9d 9h 9s", "Jd Qd Kd"]).lay_off([])
    assert hand.result is not None
    assert hand.result["outcome"] == "knock"
    assert hand.result["points"] > 0


@pytest.mark.parametrize("source", ["s3", "s4"])
def test_dh06_a_pile_draw_leaves_the_hand_alive(source: str) -> None:
    hand = three_left(source)
    seat = hand.seat
    own = next(card for card in hand.hand(seat))
    hand.draw_pile().discard(own)
    assert (hand.phase, hand.stock) == ("draw", 3)
    assert hand.seat != seat


@pytest.mark.parametrize("source", ["s0", "s3", "s4", "openspiel"])
def test_dh07_taking_the_last_discard_to_knock(source: str) -> None:
    expected = cases.by_id("DH07")["expected"][source]
    # South is one jack short of 2 deadwood; north throws it at the wall.
    south = "4c 5c 6c 9d 9h 9s Qd Kd 2h 3s"
    hand = build(source, nondealer="Ac 2d 3h 4s 5d 6d 7h 8s Ts Jd", dealer=south)
    if hand.phase == "discard":
        hand.discard("Kh")
        hand.draw_stock().discard((hand.hand("south") - south).__iter__().__next__())
    else:
        hand.pass_upcard().pass_upcard()
    run_down(hand, 3)
    while hand.seat != "north":
        hand.draw_pile().discard("3s")
    hand.draw_stock().discard("Jd")
    if expected == "legal":
        assert (hand.phase, hand.seat) == ("wall", "south")
        assert hand.legal() == [("draw_pile",), ("decline",)]
        other = hand.copy().decline()
        assert other.result is not None
        assert other.result["outcome"] == "dead"
        hand.draw_pile()
        # Only to knock, and not with the card just taken.
        assert {action[0] for action in hand.legal()} == {"knock"}
        assert not is_legal(hand, "knock", "Jd")
    else:
        assert hand.phase == "over"


@pytest.mark.parametrize("source", ["s3", "s4"])
def test_dh08_a_dead_hand_scores_nothing(source: str) -> None:
    """The next dealer is a matter of whole games: tests/test_games.py."""
    hand = run_down(three_left(source), 2)
    assert hand.result is not None
    assert (hand.result["points"], hand.result["boxes"], hand.result["winner"]) == (0, 0, None)


@pytest.mark.parametrize("source", ["s0", *UPCARD_SETS])
def test_dh10_the_bound_on_pile_draws_ends_the_hand(source: str) -> None:
    hand = build(source)
    if hand.phase == "discard":
        hand.discard("Kh")
        draws = 0
    else:
        hand.draw_pile().discard("Kc" if "Kc" in hand.hand("north") else "Td")
        draws = 1
    stock = hand.stock
    while hand.phase != "over":
        taken = hand.top
        hand.draw_pile()
        draws += 1
        # Never the card just taken: the next card in order.
        hand.discard(next(card for card in hand.hand(hand.seat) if card != taken))
    assert (draws, hand.stock) == (50, stock)
    assert hand.result is not None
    assert (hand.result["outcome"], hand.result["dead_reason"]) == ("dead", "pile_draws")


# ---------------------------------------------------------------- 4 a printed slip


def test_lo23_the_printed_layoff_example_cannot_occur() -> None:
    melds = ["3c 3d 3s", "Ah 2h 3h 4h"]
    defender = "5h 9c 9s Jc Jd Ks Kd 7c 8d Qs"
    answer = ginsim.layoff(melds, defender, unmelded="Kc 6s 2c")
    assert answer.laid_off == CardSet("5h")
    for three in ("3c", "3d", "3h", "3s"):
        with pytest.raises(ginsim.CardError, match=f"duplicate card {three}"):
            ginsim.layoff(melds, f"{three} 9c", unmelded="Kc 6s 2c")


# ---------------------------------------------------------------- 9 spades


def test_sp08_what_a_spade_doubles_in_oklahoma() -> None:
    """Rule books differ. Bicycle's reading, all scores of the deal, is `spade_doubles = points`.

    The other (only the bonuses of gin and undercut) is not modelled.
    """
    rules = ginsim.load_rules("kawu+oklahoma+spades")
    assert rules.spade_doubles == "points"
    for knocker, defender, points in ((3, 20, 17), (0, 20, 45), (3, 1, 27), (3, 3, 25)):
        assert ginsim.score_hand(rules, knocker, defender).points == points
        assert ginsim.score_hand(rules, knocker, defender, spade=True).points == 2 * points


# ---------------------------------------------------------------- nothing is left out

#: Rule cases about whole games, with the modules and tests that play them.
IN_GAMES = {
    "DH09": "test_games.test_dh08_dh09_the_same_dealer_after_a_dead_hand",
    "DL01": "test_games.test_dl01_the_first_dealer",
    **{f"DL0{number}": "test_games.test_dealer_cases" for number in range(2, 6)},
    "HW17": "test_books.test_hw17_the_difference_of_boxes_is_paid",
    "HW18": "test_books.test_hw18_the_winner_by_boxes_and_by_points",
    "PT16": "test_partnership.test_pt16_dealers_and_opponents_alternate",
    "PT17": "test_partnership.test_pt17_the_count_is_told_and_nothing_else",
    "PT18": "test_partnership.test_pt18_a_deck_at_each_table_and_one_card_for_both",
}

#: Rule cases that cannot be played, and why.
NOT_PLAYED = {
    "UP13": "announcing the count aloud is not modelled",
}


def test_every_rule_case_has_a_test() -> None:
    names = "".join(globals())
    for where in IN_GAMES.values():
        module, test = where.split(".")
        assert callable(getattr(importlib.import_module(f"tests.{module}"), test))
    rule_cases = {case["id"] for case in cases.CASES if case["kind"] in ("rule", "stock")}
    assert {*NOT_PLAYED, *IN_GAMES} <= rule_cases
    # DH01 to DH03 are one test.
    for case in sorted(rule_cases - {*NOT_PLAYED, *IN_GAMES} - {"DH02", "DH03"}):
        assert f"test_{case.lower()}" in names, case
