"""Draws, knocks, discards and spreads that count cards, on hands whose counts are made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from ginsim import _position, _weighing
from ginsim.rules import load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import Strategy
from ginsim.strategies import to_record as strategies_record
from tests import hands
from tests.reference import card_name, card_names, cards_of, deadwood, parse_card, parse_cards, pips

#: A hand of ten whose run of clubs and three sevens leave four cards loose.
MELDS = "2c 3c 4c 7d 7h 7s"


def deal(own: str, upcard: str, stock: str, other: str = "") -> _position.Hand:
    """North, the non-dealer, has `own`; south has `other` and, to ten, what is left over."""
    named = [parse_card(name) for name in (f"{own} {upcard} {stock} {other}").split()]
    assert len({*named}) == len(named), "a card is named twice"
    rest = [card for card in range(52) if card not in named]
    north = sorted(parse_cards(own))
    south = [parse_card(name) for name in other.split()]
    south += [rest.pop() for _ in range(10 - len(south))]
    dealt = [card for pair in zip(north, south, strict=True) for card in pair]
    deck = [*dealt, parse_card(upcard), *(parse_card(name) for name in stock.split()), *rest]
    return _position.Hand(rules_record(load_rules("kawu")), deck, 0)


def throw(strategy: Strategy, loose: str, upcard: str, drawn: str, *, melds: str = MELDS) -> str:
    """What north throws in its first turn, after both passed the upcard."""
    hand = deal(f"{melds} {loose}", upcard, drawn)
    hand.apply(("pass",)).apply(("pass",)).apply(("draw_stock",))
    action, card = hand.decide(strategies_record((strategy, strategy)))
    assert action == "discard"
    return card_name(card)


def weigh(**weights: int | str) -> Strategy:
    none = {"weigh_deadwood": 0, "knock_at": 0}
    values: dict[str, Any] = {**none, **weights}
    return Strategy(discard="weighed", **values)


@pytest.mark.parametrize(
    ("weights", "upcard", "thrown"),
    [
        # Saved: kings 10, six 6, five 5, ace 1; the lowest of the two kings.
        ({"weigh_deadwood": 1}, "9h", "Kd"),
        # Two unseen kings: 10 - 2*3 is less than 6.
        ({"weigh_deadwood": 1, "weigh_pairs": 3}, "9h", "6s"),
        # One lies in the pile: 10 - 3 is more.
        ({"weigh_deadwood": 1, "weigh_pairs": 3}, "Kc", "Kd"),
        # Kept as a pair up to turn 1, whatever they cost.
        ({"weigh_deadwood": 1, "keep_pairs": 1}, "9h", "6s"),
        ({"weigh_rank": 1}, "9h", "Kd"),
    ],
)
def test_pairs(weights: dict[str, int], upcard: str, thrown: str) -> None:
    assert throw(weigh(**weights), "Kd Kh 6s Ad", upcard, "5h") == thrown


def test_the_weights_are_those_of_the_turn() -> None:
    strategy = weigh(weigh_deadwood=1, weigh_pairs="3/0")
    hand = deal(f"{MELDS} Kd Kh 6s Ad", "9h", "5h 8s 4s")
    pair = strategies_record((strategy, strategy))
    hand.apply(("pass",)).apply(("pass",)).apply(("draw_stock",))
    assert hand.decide(pair) == ("discard", parse_card("6s"))
    hand.apply(("discard", parse_card("6s"))).apply(("draw_stock",)).apply(
        ("discard", parse_card("8s"))
    )
    hand.apply(("draw_stock",))
    assert hand.decide(pair) == ("discard", parse_card("Kd"))


@pytest.mark.parametrize(
    ("weight", "upcard", "thrown"),
    [
        (0, "9h", "Qs"),
        # One card each for 6c (5c, with the run of clubs) and the pair of spades (Js), none for
        # 9d and 5h: 6 - 5, 10 - 5, 9, 5. Cards of the set of sevens are no partners of 5h.
        (5, "9h", "9d"),
        # Js lies in the pile.
        (5, "Js", "Qs"),
    ],
)
def test_runs(weight: int, upcard: str, thrown: str) -> None:
    strategy = weigh(weigh_deadwood=1, weigh_runs=weight)
    assert throw(strategy, "6c Qs Ks 9d", upcard, "5h") == thrown


def test_a_card_inside_two_neighbours_has_more_runs() -> None:
    # 9s Ts: 8s and Js for either, 2; 9h Jh: Th, 1. 10 - 2*2, 9 - 2*2, 9 - 2, 10 - 2.
    strategy = weigh(weigh_deadwood=1, weigh_runs=2)
    assert throw(strategy, "9s Ts 9h Jh", "Kc", "As") == "Jh"
    # Qs and Ks make a run with Js only, 10 - 2 each; the lower of the two.
    assert throw(strategy, "9s Ts Qs Ks", "Kc", "As") == "Qs"


@pytest.mark.parametrize(
    ("upcard", "loose", "thrown"),
    [
        # Three pairs of each rank, and of runs: Ks one, Qh two, 5s two (6s 7s is not: 7s is in
        # hand), 9d two (7d 8d is not), Jc three. So 4, 5, 5, 5, 6.
        ("2d", "Ks 9d Qh 5s", "Ks"),
        # The opponent left a nine: no pair of nines, 2 in all.
        ("9h", "Ks 9d Qh 5s", "9d"),
        # He left the queen of diamonds: he has not Td Jd, but may have 8d Td. Of nines 3 still,
        # so 4, and Qh 2 (no pair of queens). Jc as before.
        ("Qd", "Ks 9d Qh 5s", "Qh"),
    ],
)
def test_what_the_opponent_may_hold(upcard: str, loose: str, thrown: str) -> None:
    assert throw(weigh(weigh_unseen=1), loose, upcard, "Jc") == thrown


@pytest.mark.parametrize(
    ("melds", "loose", "weight", "thrown"),
    [
        ("2c 3c 4c 7d 7c 7s", "9h 5s As Ac", 0, "9h"),
        # North holds 8h: with 7h and with Th it melds 9h, 9 - 2*3 is less than 5.
        ("2c 3c 4c 7d 7c 7s", "9h 5s As Ac", 3, "5s"),
        # With 7h in this hand one pair is left: 9 - 3.
        ("2c 3c 4c 7d 7h 7s", "9h 5s As Ac", 3, "9h"),
    ],
)
def test_what_the_opponent_is_known_to_hold(
    melds: str, loose: str, weight: int, thrown: str
) -> None:
    north = "8c 8s 8d 3s Js Qd Kd 4h 6d 9c"
    hand = deal(north, "8h", "2s", f"{melds} {loose}")
    hand.apply(("draw_pile",)).apply(("discard", parse_card("Kd"))).apply(("draw_stock",))
    strategy = weigh(weigh_deadwood=1, weigh_known=weight)
    action, card = hand.decide(strategies_record((strategy, strategy)))
    assert (action, card_name(card)) == ("discard", thrown)


def test_without_a_loose_card_it_throws_for_least_deadwood() -> None:
    # Eleven cards in melds: 5c is one too many, and the dearest that leaves none is Kh.
    strategy = Strategy(discard="weighed", knock="table", knock_table="none")
    melds = "2c 3c 4c 5c 7d 7h 7s Th Jh Qh"
    hand = deal(melds, "9s", "Kh")
    hand.apply(("pass",)).apply(("pass",)).apply(("draw_stock",))
    pair = strategies_record((strategy, strategy))
    assert hand.decide(pair) == ("discard", parse_card("Th"))


def test_loose_cards_save_what_the_hand_has_less_without_them() -> None:
    conflicts = 0
    for mask in hands.many(21, 3000, (11, 11, 10, 8)):
        cards = cards_of(mask)
        whole = deadwood(cards)
        saved = {card: whole - deadwood(cards - {card}) for card in cards}
        expected = {card: points for card, points in saved.items() if points > 0}
        assert _weighing.list_loose(mask) == expected, card_names(cards)
        conflicts += any(points < pips(card) for card, points in expected.items())
    # In so many hands a card saves less than its pips, because another arrangement comes close.
    assert conflicts > 200


# -- draws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "upcard", "fields", "takes"),
    [
        # 10 of deadwood go, 2 come.
        (f"{MELDS} Kd Th 9s 8s", "2s", {"take_gain": 8}, True),
        (f"{MELDS} Kd Th 9s 8s", "2s", {"take_gain": 9}, False),
        # A draw of the first turn.
        (f"{MELDS} Kd Th 9s 8s", "2s", {"take_gain": "8/9"}, True),
        (f"{MELDS} Kd Th 9s 8s", "2s", {"take_gain": "9/8"}, False),
        # It makes a meld.
        (f"{MELDS} Kd Th 9s 8s", "Ts", {"take_gain": 99}, True),
        (f"{MELDS} Kd Th 9s 8s", "5c", {"take_gain": 99}, True),
        # It would leave 10: as much as it may knock with.
        (f"{MELDS} Kd 6h 2s Ah", "Ad", {"knock_at": 10}, True),
        (f"{MELDS} Kd 6h 2s Ah", "Ad", {"knock_at": 9}, False),
        (f"{MELDS} Kd 6h 2s Ah", "Ad", {"knock": "table", "knock_table": "10/8"}, True),
        (f"{MELDS} Kd 6h 2s Ah", "Ad", {"knock": "table", "knock_table": "9/10"}, False),
        (f"{MELDS} Kd 6h 2s Ah", "Ad", {"knock": "random"}, False),
    ],
)
def test_gain(own: str, upcard: str, fields: dict[str, Any], takes: bool) -> None:
    values: dict[str, Any] = {"knock_at": 0, **fields}
    strategy = Strategy(upcard="gain", **values)
    action = deal(own, upcard, "").decide(strategies_record((strategy, strategy)))
    assert action == (("draw_pile",) if takes else ("pass",))


def test_never_and_always() -> None:
    expected: tuple[tuple[Any, tuple[str]], ...] = (
        ("never", ("pass",)),
        ("always", ("draw_pile",)),
    )
    for rule, taken in expected:
        pair = strategies_record((Strategy(upcard=rule), Strategy(upcard=rule)))
        assert deal(f"{MELDS} Kd Th 9s 8s", "7c", "").decide(pair) == taken
        assert deal(f"{MELDS} Kd 5h 9s Ah", "Qc", "").decide(pair) == taken


# -- knocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "first", "second"),
    [
        ("7", "knock", "knock"),
        ("7/6", "knock", "discard"),
        ("6/7", "discard", "knock"),
        ("0+7-8", "knock", "knock"),
        ("6+8-10", "discard", "discard"),
        ("none", "discard", "discard"),
        ("0", "discard", "discard"),
        # Once south has taken a card.
        ("7;6", "knock", "discard"),
        ("6;7", "discard", "knock"),
        ("7;7;6", "knock", "knock"),
        ("none|10:7/6", "knock", "discard"),
        ("7|9:none", "knock", "knock"),
    ],
)
def test_the_table_has_the_turn_and_the_pick_ups(table: str, first: str, second: str) -> None:
    # With the fourth seven 4 + 2 + 1 = 7 are left without Kd; then a queen is drawn and thrown.
    hand = deal(f"{MELDS} 4d 2s Ah Kd", "9h", "7c Qc")
    strategy = Strategy(knock="table", knock_table=table)
    pair = strategies_record((strategy, strategy))
    hand.apply(("pass",)).apply(("pass",)).apply(("draw_stock",))
    assert hand.decide(pair)[0] == first
    hand.apply(("discard", parse_card("Kd"))).apply(("draw_pile",))
    south = hand.legal()
    hand.apply(next(action for action in south if action[0] == "discard")).apply(("draw_stock",))
    assert hand.decide(pair)[0] == second


# -- spreads --------------------------------------------------------------------------------------

#: Three sets or three runs, and an ace that is left.
BLOCK = "3c 4c 5c 3d 4d 5d 3h 4h 5h Ac"
SETS = {"3c 3d 3h", "4c 4d 4h", "5c 5d 5h"}
RUNS = {"3c 4c 5c", "3d 4d 5d", "3h 4h 5h"}


def spread(strategy: Strategy, hand: _position.Hand) -> set[str]:
    """What north spreads that drew Qs and knocks with it."""
    hand.apply(("draw_stock",)).apply(("knock", parse_card("Qs")))
    action, melds = hand.decide(strategies_record((strategy, strategy)))
    assert action == "spread"
    return {card_names(cards_of(meld)) for meld in melds}


@pytest.mark.parametrize(
    ("rule", "melds"),
    [
        ("fewest_sets", RUNS),
        # The lowest mask of all melds here is that of 3c 4c 5c.
        ("first", RUNS),
        # 40 cards are unseen, 10 of them with the opponent. On sets fit 3s 4s 5s, 12 pips, on runs
        # a two and a six of three suits, 24: 40*1 + 10*12 is less than 40*1 + 10*24.
        ("expected", SETS),
    ],
)
def test_spreads(rule: Any, melds: set[str]) -> None:
    hand = deal(BLOCK, "9h", "Qs")
    hand.apply(("pass",)).apply(("pass",))
    assert spread(Strategy(spread=rule), hand) == melds


def test_a_known_card_is_expected_for_certain() -> None:
    # South took 4s: sets cost 39*(1 + 4) + 9*(3 + 5) = 267, runs 39*1 + 9*24 = 255.
    hand = deal(BLOCK, "4s", "Qs", "Kd Kh 9c 9d 8s 7h Jc Td 2s Ah")
    hand.apply(("pass",)).apply(("draw_pile",)).apply(("discard", parse_card("Kd")))
    assert spread(Strategy(spread="expected"), hand) == RUNS


@pytest.mark.parametrize(("card", "melds"), [("3s", RUNS), ("6c", SETS)])
def test_the_cheat_knows_what_can_be_laid_off(card: str, melds: set[str]) -> None:
    hand = deal(BLOCK, "9h", "Qs", f"{card} Kd Kh 9c 9d 8s 7h Jc Td Js")
    hand.apply(("pass",)).apply(("pass",))
    assert spread(Strategy(spread="clairvoyant", cheats="yes"), hand) == melds
