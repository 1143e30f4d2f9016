"""Outs of a hand and safety of a discard."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ginsim
from ginsim import CardSet
from ginsim.cards import card_name
from tests import cases, hands, reference
from tests.reference import cards_of, mask_of

DECK = frozenset(range(52))


@pytest.mark.parametrize("case", cases.of_kind("outs"))
def test_outs_of_the_cases(case: dict[str, Any]) -> None:
    meld, expected = case["input"]["meld"], CardSet(case["expected"]["outs"])
    found = ginsim.outs(meld)
    assert found.extend == found.outs == found.unseen == expected
    # A hand without deadwood cannot get better.
    assert (found.deadwood, found.improve) == (0, {})


@pytest.mark.parametrize("case", cases.of_kind("safety"))
def test_safety_of_the_cases(case: dict[str, Any]) -> None:
    found = ginsim.safety(case["input"]["card"])
    assert found.num_holdings == len(found.holdings) == case["expected"]["holdings"]


# ---------------------------------------------------------------- outs


def test_outs_by_hand() -> None:
    """9-T-J-Q of spades and a pair of aces, deadwood 2.

    A third ace melds them, and the queen is thrown: 0. The eight or the king makes the run five,
    and an ace is thrown: 1. Nothing else is lower than an ace.
    """
    found = ginsim.outs("9s Ts Js Qs Ah Ad")
    assert found.deadwood == 2
    assert found.improve == {"Ac": 0, "As": 0, "8s": 1, "Ks": 1}
    assert found.extend == CardSet("8s Ks")
    assert found.outs == found.unseen == CardSet("Ac As 8s Ks")


def test_cards_seen_cannot_come() -> None:
    found = ginsim.outs("9s Ts Js Qs Ah Ad", seen="Ac Ks Ah 2d")
    assert found.outs == CardSet("Ac As 8s Ks")
    assert found.unseen == CardSet("As 8s")
    assert found.num_unseen == 2
    assert ginsim.outs("9s Ts Js Qs Ah Ad", seen=["8s", "Ks", "Ac", "As"]).unseen == CardSet()


def test_a_low_card_for_a_high_one_improves_too() -> None:
    """Without a meld in sight: 6 + 10 = 16, and any card below ten takes the king's place."""
    found = ginsim.outs("6c Kd")
    assert found.improve == {
        card: 6 + pips for card, pips in pips_by_name().items() if pips < 10 and card != "6c"
    }
    assert found.extend == CardSet()


def pips_by_name() -> dict[str, int]:
    return {card_name(card): reference.pips(card) for card in range(52)}


def test_every_arrangement_of_least_deadwood_counts() -> None:
    """7-8-9 of spades or 8-8-8, the same deadwood: both melds can grow."""
    found = ginsim.outs("7s 8s 9s 8h 8d Kc Kh")
    assert found.extend == CardSet("6s Ts 8c")


def test_a_card_of_the_hand_extends_nothing() -> None:
    """The fourth seven is in the run, so the set of sevens cannot grow; the run can."""
    found = ginsim.outs("7c 7d 7s 5h 6h 7h")
    assert found.extend == CardSet("4h 8h")


def test_a_set_of_four_has_no_outs() -> None:
    assert ginsim.outs("9c 9d 9h 9s").outs == CardSet()
    assert ginsim.outs("9c 9d 9h").outs == CardSet("9s")
    assert ginsim.outs("").outs == CardSet()


@pytest.mark.parametrize("suit", "cdhs")
def test_runs_do_not_grow_round_the_corner(suit: str) -> None:
    low, high = f"A{suit} 2{suit} 3{suit}", f"J{suit} Q{suit} K{suit}"
    assert ginsim.outs(low).extend == CardSet(f"4{suit}")
    assert ginsim.outs(high).extend == CardSet(f"T{suit}")
    whole = " ".join(f"{rank}{suit}" for rank in "456789TJQK")
    assert ginsim.outs(whole).extend == CardSet(f"3{suit}")


def slow_outs(mask: int) -> tuple[int, dict[str, int], set[str]]:
    """The definition, by brute force."""
    hand = cards_of(mask)
    least = reference.deadwood(hand)
    improve, extend = {}, set()
    arrangements = reference.least_arrangements(hand)
    melds = {meld for arrangement in arrangements for meld in arrangement}
    for card in sorted(DECK - hand):
        left = min(reference.discard_deadwoods(hand | {card}).values())
        if left < least:
            improve[card_name(card)] = left
        if any(reference.is_meld(cards_of(meld) | {card}) for meld in melds):
            extend.add(card_name(card))
    return least, improve, extend


def test_outs_are_those_of_the_definition() -> None:
    for mask in hands.many(21, 250, (0, 1, 4, 7, 9, 10, 10, 10)):
        least, improve, extend = slow_outs(mask)
        found = ginsim.outs(mask)
        assert found.deadwood == least
        assert found.improve == improve
        assert list(found.improve) == list(CardSet(found.improve))  # in card order
        assert found.extend == CardSet(extend)
        assert found.outs == CardSet({*improve, *extend})


def test_outs_are_asked_before_the_draw() -> None:
    eleven = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc"
    with pytest.raises(ginsim.CardError, match="are 11 cards; allowed: 0 to 10"):
        ginsim.outs(eleven)
    with pytest.raises(ginsim.CardError, match="unknown card '1h'"):
        ginsim.outs("4h", seen="1h")


# ---------------------------------------------------------------- safety


def test_holdings_by_hand() -> None:
    found = ginsim.safety("9d")
    assert found.card == "9d"
    assert set(found.holdings) == {
        CardSet(pair) for pair in ("9c 9h", "9c 9s", "9h 9s", "7d 8d", "8d Td", "Td Jd")
    }
    assert [pair.mask for pair in found.holdings] == sorted(pair.mask for pair in found.holdings)


def test_a_card_seen_is_in_no_holding() -> None:
    assert set(ginsim.safety("9d", seen="9c 8d").holdings) == {CardSet("9h 9s"), CardSet("Td Jd")}
    assert ginsim.safety("Kd", seen="Kh Ks Kc Qd Kd 2c").num_holdings == 0
    # Seen: the discard itself and cards that matter nothing.
    assert ginsim.safety("9d", seen="9d As Ks").num_holdings == 6


@given(st.integers(0, 51), st.frozensets(st.integers(0, 51), max_size=30))
def test_holdings_are_all_pairs_that_make_a_meld(card: int, seen: frozenset[int]) -> None:
    held = DECK - seen - {card}
    pairs = {
        mask_of(pair) for pair in combinations(sorted(held), 2) if reference.is_meld({card, *pair})
    }
    found = ginsim.safety(card_name(card), seen=mask_of(seen))
    assert {pair.mask for pair in found.holdings} == pairs
    assert found.num_holdings == len(pairs)


def test_safety_asks_for_one_card() -> None:
    with pytest.raises(ginsim.CardError, match="unknown card '9d 8d'"):
        ginsim.safety("9d 8d")
    assert ginsim.safety(0) == ginsim.safety("Ac")
