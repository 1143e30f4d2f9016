"""Cards as text, numbers and sets."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim.cards import DECK, CardSet, as_mask, card_name, card_number, pips, split_mask
from ginsim.errors import CardError, GinsimError

card_numbers = st.integers(0, 51)
masks = st.integers(0, DECK)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4h", "4h"),
        ("4H", "4h"),
        ("10c", "Tc"),
        ("10C", "Tc"),
        ("Tc", "Tc"),
        ("tc", "Tc"),
        ("4♥", "4h"),
        ("4♥\ufe0f", "4h"),
        ("4♡", "4h"),
        ("A♣", "Ac"),
        ("k♦", "Kd"),
        ("Q♠", "Qs"),
        (" As ", "As"),
    ],
)
def test_a_card_is_read_in_every_spelling(text: str, name: str) -> None:
    assert card_name(card_number(text)) == name


def test_numbers_follow_suits_then_ranks() -> None:
    names = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    assert [card_name(number) for number in range(52)] == names
    assert [card_number(name) for name in names] == list(range(52))


def test_pips() -> None:
    ranks = "A23456789TJQK"
    assert [pips(rank + "d") for rank in ranks] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert pips(0) == pips(13) == 1


@pytest.mark.parametrize(
    "cards",
    [
        "Tc 4h 5h 6h",
        "4h5h6hTc",
        "4h,5h, 6h ,10c",
        " 6♥5♥ 4♥\n10♣ ",
        "10c4h5h6h",
        ["4h", "5h", "6h", "10c"],
        ("Tc", 29, 30, 31),
        {9, 29, 30, 31},
        np.array([9, 29, 30, 31], dtype=np.uint8),
        1 << 9 | 7 << 29,
        np.uint64(1 << 9 | 7 << 29),
        np.int64(1 << 9 | 7 << 29),
        CardSet("4h 5h 6h Tc"),
    ],
)
def test_cards_are_read_in_every_form(cards: Any) -> None:
    assert as_mask(cards) == 1 << 9 | 7 << 29
    assert CardSet(cards) == CardSet("Tc 4h 5h 6h")


@pytest.mark.parametrize("nothing", ["", "  ", " , ", 0, [], (), CardSet()])
def test_no_cards(nothing: Any) -> None:
    assert as_mask(nothing) == 0
    assert len(CardSet(nothing)) == 0
    assert str(CardSet(nothing)) == ""


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("4h 5x 6h", ["'5x'"]),
        ("4h 1h 11c", ["'1h'", "'11c'"]),
        ("4h5x6h", ["'5x6h'"]),
        ("4 h", ["'4'", "'h'"]),
        ("0c", ["'0c'"]),
        ("\u212ah", ["'\u212ah'"]),  # the Kelvin sign is no king
        ("2\u017f", ["'2\u017f'"]),  # the long s is no spade
        ("4h/5h", ["'/5h'"]),
        ("4h 4H", ["duplicate", "4h"]),
        ("Tc 2d 10c 2d", ["duplicate", "Tc", "2d"]),
        ([3, "4c"], ["duplicate", "4c"]),
        (["zz", "4c", "yy"], ["'zz'", "'yy'"]),
        ([52], ["52", "0 to 51"]),
        ([-1], ["-1"]),
        ([True], ["true"]),
        ([1.0], ["1.0"]),
        (["4h 5h"], ["'4h 5h'"]),
        (1 << 52, ["4503599627370496", "2**52 - 1"]),
        (-1, ["-1"]),
        (np.uint64(2**63), [str(2**63)]),
        (True, ["true"]),
        (1.5, ["1.5"]),
        (None, ["None"]),
        (b"4h", ["b'4h'"]),
        ([CardSet("4h")], ["CardSet('4h')"]),
    ],
)
def test_what_is_no_card_is_named(cards: Any, named: list[str]) -> None:
    with pytest.raises(CardError) as caught:
        as_mask(cards)
    assert all(name in str(caught.value) for name in named)
    assert isinstance(caught.value, GinsimError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("card", ["", "4h 5h", "4", 52, -1, True, None, 2.0, CardSet("4h")])
def test_what_is_not_one_card_is_refused(card: Any) -> None:
    with pytest.raises(CardError):
        card_number(card)


@given(masks)
def test_text_and_mask_are_the_same_set(mask: int) -> None:
    cards = CardSet(mask)
    assert cards.mask == int(cards) == mask
    assert CardSet(str(cards)) == CardSet(list(cards)) == cards
    assert as_mask(str(cards).replace(" ", "")) == mask
    assert eval(repr(cards)) == cards
    assert len(cards) == len(list(cards)) == mask.bit_count()
    assert [card_number(card) for card in cards] == list(split_mask(mask))


@given(masks, masks)
def test_operators_are_those_of_sets(first: int, second: int) -> None:
    a, b = CardSet(first), CardSet(second)
    plain_a, plain_b = set(a), set(b)
    assert set(a & b) == plain_a & plain_b
    assert set(a | b) == plain_a | plain_b
    assert set(a - b) == plain_a - plain_b
    assert set(a ^ b) == plain_a ^ plain_b
    assert (a <= b) == (plain_a <= plain_b)
    assert (a < b) == (plain_a < plain_b)
    assert (a >= b) == (plain_a >= plain_b)
    assert (a > b) == (plain_a > plain_b)
    assert (a == b) == (plain_a == plain_b)
    assert a & b <= a <= a | b


@given(masks, card_numbers)
def test_membership(mask: int, number: int) -> None:
    cards = CardSet(mask)
    assert (number in cards) == (card_name(number) in cards) == bool(mask >> number & 1)


def test_operators_take_text_and_lists_but_no_bare_number() -> None:
    hand = CardSet("4h 5h Tc")
    assert hand - "4h" == CardSet("5h Tc")
    assert "4h 6h" - hand == CardSet("6h")
    assert hand | ["6h"] == ["6h"] | hand == CardSet("4h 5h 6h Tc")
    assert hand & {9} == CardSet("Tc")
    assert hand >= "4h Tc"
    with pytest.raises(TypeError):
        hand - 1  # the mask 1 or the card 1?
    with pytest.raises(CardError):
        assert "xx" in hand


def test_a_card_set_is_immutable_hashable_and_equal_to_card_sets_only() -> None:
    hand = CardSet("4h Tc")
    assert repr(hand) == "CardSet('Tc 4h')"
    assert str(hand) == "Tc 4h"
    assert {hand: 1}[CardSet("10c,4♥")] == 1
    assert hand != hand.mask
    assert hand != {"4h", "Tc"}
    assert bin(hand) == bin(hand.mask)  # __index__
    assert pickle.loads(pickle.dumps(hand)) == hand
    with pytest.raises(AttributeError):
        hand._mask = 0
    with pytest.raises(AttributeError):
        hand.mask = 0  # type: ignore[misc]
