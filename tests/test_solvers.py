"""The solvers on arrays of hands, and what holds for every hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import ginsim
from ginsim import CardSet, solvers
from ginsim.cards import card_name, card_number, pips
from tests import hands

Masks = NDArray[np.uint64]

#: Hands of all sizes, most of them dense in melds.
MANY = np.array(list(hands.many(11, 600, tuple(range(12)))), np.uint64)
ELEVEN = np.array(list(hands.many(12, 600, (11, 11, 10, 3, 1))), np.uint64)


def layouts(array: Masks) -> dict[str, Masks]:
    """The same 600 hands as NumPy may hold them."""
    table = array.reshape(20, 30)
    spaced = np.zeros(2 * len(array), np.uint64)
    spaced[::2] = array
    frozen = array.copy()
    frozen.setflags(write=False)
    unaligned = np.frombuffer(b"\0" + array.tobytes(), np.uint64, offset=1)
    fields = np.zeros(len(array), [("flag", np.int8), ("hand", np.uint64)])
    fields["hand"] = array
    return {
        "plain": array,
        "strided": spaced[::2],
        "backwards": array[::-1],
        "read-only": frozen,
        "matrix": table,
        "by columns": np.asfortranarray(table),
        "transposed": table.T,
        "deep": array.reshape(4, 5, 6, 5)[:, ::2],
        "swapped bytes": array.astype(array.dtype.newbyteorder()),
        "unaligned": unaligned,
        "a field": fields["hand"],
        "one value for all": np.broadcast_to(array[7], (3, 4)),
        "long long": array.astype(np.ulonglong),
        "empty": array[:0],
        "empty matrix": array[:0].reshape(0, 5),
    }


@pytest.mark.parametrize("layout", layouts(MANY))
def test_an_array_is_a_loop_over_its_hands(layout: str) -> None:
    array = layouts(MANY)[layout]
    before = array.copy()
    answer = ginsim.deadwood(array)
    assert answer.dtype == np.uint8
    assert answer.shape == array.shape
    assert answer.ravel().tolist() == [ginsim.deadwood(int(mask)) for mask in array.ravel()]
    assert (array == before).all()


@pytest.mark.parametrize("layout", layouts(ELEVEN))
def test_best_discards_are_a_loop(layout: str) -> None:
    array = layouts(ELEVEN)[layout]
    left, discard = ginsim.best_discards(array)
    assert left.dtype == discard.dtype == np.uint8
    assert left.shape == discard.shape == array.shape
    singles = [ginsim.best_discard(int(mask)) for mask in array.ravel()]
    assert left.ravel().tolist() == [single.deadwood for single in singles]
    assert [card_name(card) for card in discard.ravel()] == [single.discard for single in singles]


@pytest.mark.parametrize("layout", layouts(ELEVEN))
def test_each_discard_is_a_loop(layout: str) -> None:
    array = layouts(ELEVEN)[layout]
    table = ginsim.discard_deadwoods(array)
    assert table.dtype == np.uint8
    assert table.shape == (*array.shape, 11)
    for mask, row in zip(array.ravel(), table.reshape(-1, 11).tolist(), strict=True):
        each = list(ginsim.discard_deadwoods(int(mask)).values())
        assert row == each + [255] * (11 - len(each))


def test_an_array_without_axes_stays_one() -> None:
    hand = np.array(ginsim.as_mask("Ac 2c 3c Kd"), np.uint64)
    answer = ginsim.deadwood(hand)
    assert isinstance(answer, np.ndarray)
    assert (answer.shape, answer.item()) == ((), 10)
    left, discard = ginsim.best_discards(hand)
    assert (left.item(), discard.item()) == (0, card_number("Kd"))
    assert ginsim.discard_deadwoods(hand)[:4].tolist() == [15, 14, 13, 0]
    # A NumPy scalar is a mask as an int is.
    assert ginsim.deadwood(np.uint64(hand)) == 10


def test_forbidden_cards_of_arrays() -> None:
    rng = random.Random(13)
    array = ELEVEN[[mask.bit_count() > 1 for mask in ELEVEN.tolist()]]
    held = [list(CardSet(mask)) for mask in array.tolist()]
    each = np.array([CardSet([rng.choice(cards)]).mask for cards in held], np.uint64)
    left, discard = ginsim.best_discards(array, forbid=each)
    singles = [
        ginsim.best_discard(mask, forbid=barred)
        for mask, barred in zip(array.tolist(), each.tolist(), strict=True)
    ]
    assert left.tolist() == [single.deadwood for single in singles]
    assert [card_name(card) for card in discard] == [single.discard for single in singles]
    swapped = each.astype(each.dtype.newbyteorder())
    assert (ginsim.best_discards(array, forbid=swapped).discard == discard).all()

    ten = np.array([ginsim.as_mask("Ac 2c 3c Kd 9d"), ginsim.as_mask("7d 4s")], np.uint64)
    left, discard = ginsim.best_discards(ten[None, :], forbid="Kd 7d")
    # Without the nine of diamonds Kd stays: 10; without the four of spades 7d: 7.
    assert left.tolist() == [[10, 7]]
    assert [card_name(card) for card in discard[0]] == ["9d", "4s"]


# ---------------------------------------------------------------- refusals

ARRAY_FUNCTIONS: list[Callable[[Any], Any]] = [
    ginsim.deadwood,
    ginsim.best_discards,
    ginsim.discard_deadwoods,
]
each_function = pytest.mark.parametrize(
    "function", ARRAY_FUNCTIONS, ids=lambda function: function.__name__
)
TWELVE = ginsim.as_mask("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc")


@each_function
@pytest.mark.parametrize(
    "dtype", ["int64", "int32", "uint32", "uint8", "float64", "bool", "object", "U2"]
)
def test_other_types_are_refused(function: Callable[[Any], Any], dtype: str) -> None:
    words = "cards: an array of .* is not allowed; allowed: uint64, one mask a hand"
    with pytest.raises(ginsim.CardError, match=words):
        function(np.array([7, 11]).astype(dtype))
    with pytest.raises(ginsim.CardError, match=words):
        function(np.array([], dtype))


@each_function
@pytest.mark.parametrize("block", [1, 4, 1 << 16])
def test_the_first_bad_hand_is_named(
    function: Callable[[Any], Any], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "BLOCK", block)

    def refuse(array: Masks) -> str:
        with pytest.raises(ginsim.CardError) as caught:
            function(array)
        return str(caught.value)

    good = np.full(10, 7, np.uint64)
    outside = good.copy()
    outside[5] = 1 << 52
    outside[8] = TWELVE
    assert refuse(outside) == (
        "cards[5]: 4503599627370496 is not a set of cards; "
        "allowed: 0 to 4503599627370495 (2**52 - 1)"
    )
    many = outside[::-1]
    least = 0 if function is ginsim.deadwood else 1
    assert refuse(many) == (
        f"cards[1]: Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc are 12 cards; allowed: {least} to 11"
    )
    assert refuse(many.reshape(2, 5)).startswith("cards[0, 1]: ")
    assert refuse(outside.reshape(5, 2)).startswith("cards[2, 1]: ")
    assert refuse(outside.reshape(5, 2).T).startswith("cards[0, 4]: ")  # row by row, as printed
    assert refuse(np.array(2**64 - 1, np.uint64)).startswith("cards: 18446744073709551615 is not")
    assert refuse(outside.astype(">u8")) == refuse(outside)


@pytest.mark.parametrize("function", ARRAY_FUNCTIONS[1:])
def test_an_empty_hand_has_no_discard(function: Callable[[Any], Any]) -> None:
    with pytest.raises(ginsim.CardError, match=r"cards\[1\]: no cards; allowed: 1 to 11"):
        function(np.array([7, 0], np.uint64))
    assert ginsim.deadwood(np.array([0], np.uint64)).tolist() == [0]


def test_forbidden_cards_are_checked() -> None:
    array = np.full((2, 2), 7, np.uint64)
    with pytest.raises(ginsim.CardError, match=r"forbid: cards\[0, 0\] has no card to throw"):
        ginsim.best_discards(array, forbid="Ac 2c 3c")
    barred = np.array([[0, 0], [7, 0]], np.uint64)
    with pytest.raises(ginsim.CardError, match=r"forbid: cards\[1, 0\] has no card to throw"):
        ginsim.best_discards(array, forbid=barred)
    with pytest.raises(ginsim.CardError, match=r"shape \(2,\) is not allowed; allowed: the shape"):
        ginsim.best_discards(array, forbid=barred[0])
    with pytest.raises(ginsim.CardError, match="forbid: an array of int64"):
        ginsim.best_discards(array, forbid=barred.astype(np.int64))
    with pytest.raises(ginsim.CardError, match=r"forbid\[1, 1\]: 4503599627370496 is not a set"):
        ginsim.best_discards(array, forbid=np.array([[0, 0], [0, 1 << 52]], np.uint64))
    with pytest.raises(ginsim.CardError, match="cards: str is not allowed; allowed: an array"):
        ginsim.best_discards("Ac 2c")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "function",
    [
        ginsim.as_mask,
        ginsim.best_discard,
        ginsim.arrange,
        ginsim.arrangements,
        ginsim.is_meld,
        ginsim.outs,
    ],
    ids=lambda function: function.__name__,
)
def test_functions_of_one_hand_take_no_array_of_masks(function: Callable[[Any], Any]) -> None:
    """7 as a mask is A 2 3 of clubs, as a number the eight of clubs: neither is guessed."""
    import pandas as pd

    for array in (np.array([7], np.uint64), np.array([7], ">u8"), pd.Series([7], dtype="uint64")):
        with pytest.raises(ginsim.CardError, match="uint64 is the type of masks, one a hand"):
            function(array)


def test_a_pandas_column_is_no_array() -> None:
    import pandas as pd

    column = pd.Series([7, 11], dtype="uint64")
    with pytest.raises(ginsim.CardError, match="uint64 is the type of masks"):
        ginsim.deadwood(column)
    assert ginsim.deadwood(np.asarray(column)).tolist() == [0, 7]


# ---------------------------------------------------------------- what holds for every hand

#: Any cards; and cards of few ranks or suits, which make melds.
ANY = st.integers(0, 51)
DENSE = st.one_of(
    st.builds(lambda suit, rank: 13 * suit + rank, st.integers(0, 3), st.integers(4, 8)),
    st.builds(lambda suit, rank: 13 * suit + rank, st.integers(1, 2), st.integers(0, 12)),
)


def draw_hands(least: int, most: int) -> st.SearchStrategy[frozenset[int]]:
    return st.one_of(
        st.frozensets(ANY, min_size=least, max_size=most),
        st.frozensets(DENSE, min_size=least, max_size=most),
    )


def mask_of(cards: frozenset[int]) -> int:
    return sum(1 << card for card in cards)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int]:
    """Two hands of ten cards, dense where that is possible."""
    cards = draw(st.lists(st.one_of(DENSE, ANY), min_size=20, max_size=20, unique=True))
    order = draw(st.permutations(cards))
    return mask_of(frozenset(order[:10])), mask_of(frozenset(order[10:]))


def permute(mask: int, suits: tuple[int, ...]) -> int:
    """The same ranks in other suits."""
    return sum((mask >> 13 * suit & 0x1FFF) << 13 * other for suit, other in enumerate(suits))


@given(draw_hands(1, 11))
def test_deadwood_never_rises_when_a_loose_card_leaves(cards: frozenset[int]) -> None:
    """It falls by just its pips; of a melded card, at most by them.

    With the card back in, its pips more are always enough; without a loose card, the
    arrangement still stands. (A card that leaves a meld of three does raise the deadwood.)
    """
    hand = mask_of(cards)
    least = ginsim.deadwood(hand)
    loose = {card for found in ginsim.arrangements(hand) for card in found.unmelded}
    for card, left in ginsim.discard_deadwoods(hand).items():
        assert left >= least - pips(card)
        if card in loose:
            assert left == least - pips(card)


@given(draw_hands(1, 11))
def test_deadwood_never_rises_by_the_best_discard(cards: frozenset[int]) -> None:
    """There is a loose card to throw, or a meld of four or more to shorten.

    Not with three, six or nine cards: those can be melds of three and nothing else.
    """
    hand = mask_of(cards)
    if len(cards) not in (3, 6, 9):
        assert ginsim.best_discard(hand).deadwood <= ginsim.deadwood(hand)


@given(draw_hands(0, 10), ANY)
def test_a_draw_never_harms(cards: frozenset[int], drawn: int) -> None:
    """The card drawn can be thrown."""
    before, after = mask_of(cards - {drawn}), mask_of(cards | {drawn})
    assert ginsim.best_discard(after).deadwood <= ginsim.deadwood(before)


@given(draw_hands(1, 11), st.sampled_from(list(permutations(range(4)))))
def test_suits_are_alike(cards: frozenset[int], suits: tuple[int, ...]) -> None:
    hand = mask_of(cards)
    other = permute(hand, suits)
    assert ginsim.deadwood(other) == ginsim.deadwood(hand)
    best, best_other = ginsim.best_discard(hand), ginsim.best_discard(other)
    assert best_other.deadwood == best.deadwood
    assert best_other.discards.mask == permute(best.discards.mask, suits)
    assert best_other.all_melded == best.all_melded
    found = {found.unmelded.mask for found in ginsim.arrangements(other)}
    assert found == {permute(one.unmelded.mask, suits) for one in ginsim.arrangements(hand)}
    ten = mask_of(frozenset(sorted(cards)[:10]))
    assert ginsim.outs(permute(ten, suits)).outs.mask == permute(ginsim.outs(ten).outs.mask, suits)


@given(tables(), st.sampled_from(list(permutations(range(4)))))
def test_suits_are_alike_in_layoffs(hands: tuple[int, int], suits: tuple[int, ...]) -> None:
    knocker, defender = hands
    spread = ginsim.arrange(knocker)
    for method in ("optimal", "none"):
        answer = ginsim.layoff(spread.melds, defender, unmelded=spread.unmelded, method=method)
        other = ginsim.layoff(
            [permute(meld.mask, suits) for meld in spread.melds],
            permute(defender, suits),
            unmelded=permute(spread.unmelded.mask, suits),
            method=method,
        )
        assert other.defender_deadwood == answer.defender_deadwood


@given(tables())
@settings(max_examples=300)
def test_better_layoffs_leave_less(hands: tuple[int, int]) -> None:
    knocker, defender = hands
    spread = ginsim.arrange(knocker)
    left = {
        method: ginsim.layoff(
            spread.melds, defender, unmelded=spread.unmelded, method=method
        ).defender_deadwood
        for method in ("optimal", "greedy", "in_order", "none")
    }
    assert left["optimal"] <= left["greedy"] <= left["none"]
    assert left["optimal"] <= left["in_order"] <= left["none"]
    assert left["none"] == ginsim.deadwood(defender)


@given(st.lists(draw_hands(1, 11), min_size=1, max_size=30))
def test_arrays_are_loops_of_scalars(many: list[frozenset[int]]) -> None:
    masks = [mask_of(cards) for cards in many]
    array = np.array(masks, np.uint64)
    assert ginsim.deadwood(array).tolist() == [ginsim.deadwood(mask) for mask in masks]
    best = ginsim.best_discards(array)
    assert best.deadwood.tolist() == [ginsim.best_discard(mask).deadwood for mask in masks]
    for mask, row in zip(masks, ginsim.discard_deadwoods(array).tolist(), strict=True):
        each = ginsim.discard_deadwoods(mask)
        assert row == [*each.values(), *[255] * (11 - len(each))]
