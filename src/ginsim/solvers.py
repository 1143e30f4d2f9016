"""Exact answers about hands: deadwood, arrangements, discards, layoffs.

Every function takes cards in any form (`ginsim.cards.Cards`): text, masks, card sets, lists.
The answers are minima over all arrangements, found by the compiled core.

>>> deadwood("7h 7s 7d 7c 5h 6h Kd Qc 2s 3d")
25
>>> best_discard("5c 6c 7c 9h 9d 9s Ac 2d 4h Qh Ah").discards
CardSet('Qh')

`deadwood`, `discard_deadwoods` and `best_discards` also take many hands at once: a NumPy array of
`uint64` masks, of any shape and layout. Every hand is checked before the first is solved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ginsim import _core
from ginsim.cards import (
    DECK,
    NUM_CARDS,
    Cards,
    CardSet,
    as_mask,
    card_name,
    pips,
    read_cards,
    read_melds,
)
from ginsim.checks import check_whole, check_word
from ginsim.errors import CardError, OptionError, refuse

LAYOFF_METHODS = ("optimal", "greedy", "in_order", "none")

#: No hand of eleven cards has more deadwood than this.
MAX_DEADWOOD = 110

#: Masks checked at a time, so that what is counted stays in a processor's cache.
BLOCK = 1 << 16


@dataclass(frozen=True)
class Arrangement:
    """Disjoint melds of a hand and what they leave."""

    melds: tuple[CardSet, ...]
    unmelded: CardSet

    @property
    def deadwood(self) -> int:
        """Pips of the unmelded cards."""
        return sum(pips(card) for card in self.unmelded)


@dataclass(frozen=True)
class BestDiscard:
    """The discards that leave least deadwood.

    Attributes:
        deadwood: what they leave.
        discards: all of them.
        discard: the one of most pips, ties to the lowest card: the choice of `greedy`.
        all_melded: whether the cards can all be melded as they are (big gin, with eleven).
    """

    deadwood: int
    discards: CardSet
    discard: str
    all_melded: bool


class BestDiscards(NamedTuple):
    """The best discard of each hand of an array, in two arrays of its shape.

    Attributes:
        deadwood: what the discard leaves, `uint8`.
        discard: the number of the card, 0-51, `uint8`: that of `BestDiscard.discard`.
    """

    deadwood: NDArray[np.uint8]
    discard: NDArray[np.uint8]


@dataclass(frozen=True)
class Layoff:
    """A defender's answer to the melds spread.

    Attributes:
        knocker_deadwood: pips of the knocker's unmelded cards; 0 is gin, and nothing is laid off.
        defender_deadwood: after layoffs.
        melds: the defender's own.
        laid_off: the cards he laid on the knocker's melds.
        unmelded: the cards left.
    """

    knocker_deadwood: int
    defender_deadwood: int
    melds: tuple[CardSet, ...]
    laid_off: CardSet
    unmelded: CardSet


@dataclass(frozen=True)
class BestSpread:
    """A knocker's arrangement and what a known defender is left with."""

    arrangement: Arrangement
    knocker_deadwood: int
    defender_deadwood: int


def _hand(cards: Cards, least: int = 0, most: int = 11, name: str = "cards") -> int:
    mask = as_mask(cards) if name == "cards" else read_cards(name, cards)
    if not least <= mask.bit_count() <= most:
        raise CardError(_refuse_size(name, mask, least, most))
    return mask


def _refuse_size(where: str, mask: int, least: int, most: int) -> str:
    """The sentence for too few or too many cards."""
    size = f"{CardSet(mask)} are {mask.bit_count()} cards" if mask else "no cards"
    return f"{where}: {size}; allowed: {least} to {most}"


def _masks(name: str, array: NDArray[Any], least: int = 0, most: int = 11) -> NDArray[np.uint64]:
    """An array of masks, flat and as the core takes it: each of them checked.

    Raises:
        CardError: for another type, and for the first mask that is no set of `least` to `most`
            cards, with its place.
    """
    if array.dtype.kind != "u" or array.dtype.itemsize != 8:
        raise CardError(
            f"{name}: an array of {array.dtype} is not allowed; allowed: uint64, one mask a hand "
            "(bit i for card i)"
        )
    flat = np.require(array, np.uint64, ("C", "A", "E")).reshape(-1)
    for start in range(0, flat.size, BLOCK):
        block = flat[start : start + BLOCK]
        sizes = np.bitwise_count(block)
        if block.max() > DECK or sizes.max() > most or (least and sizes.min() < least):
            wrong = (block > DECK) | (sizes > most) | (sizes < least)
            place = start + int(wrong.argmax())
            where = _place(name, array.shape, place)
            mask = int(flat[place])
            if mask > DECK:
                raise CardError(
                    f"{where}: {mask} is not a set of cards; allowed: 0 to {DECK} (2**52 - 1)"
                )
            raise CardError(_refuse_size(where, mask, least, most))
    return flat


def _place(name: str, shape: tuple[int, ...], place: int) -> str:
    """A place in an array as one would write it: `cards[2, 0]`."""
    if not shape:
        return name
    return f"{name}[{', '.join(str(index) for index in np.unravel_index(place, shape))}]"


def _sets(masks: Iterable[int]) -> tuple[CardSet, ...]:
    return tuple(CardSet(mask) for mask in masks)


def is_meld(cards: Cards) -> bool:
    """Whether the cards are one meld: three or four of a rank, or a run in one suit, ace low."""
    return bool(_core.is_meld(as_mask(cards)))


# An array is also an iterable, hence among what `Cards` takes: the first signature goes first.
@overload
def deadwood(cards: NDArray[np.uint64]) -> NDArray[np.uint8]: ...  # type: ignore[overload-overlap]
@overload
def deadwood(cards: Cards) -> int: ...
def deadwood(cards: Cards | NDArray[np.uint64]) -> int | NDArray[np.uint8]:
    """Least deadwood of 0-11 cards over all arrangements, in pips.

    Args:
        cards: one hand, or an array of `uint64` masks of any shape.

    Returns:
        An integer; of an array, an array of its shape, `uint8`.

    Raises:
        CardError: for what are no cards or more than eleven, in an array with the first place.

    >>> deadwood(np.array([[0b0111, 0b1011]], np.uint64))  # ace 2 3 of clubs, ace 2 4
    array([[0, 7]], dtype=uint8)
    """
    if isinstance(cards, np.ndarray):
        return _core.deadwoods(_masks("cards", cards)).reshape(cards.shape)
    return int(_core.deadwood(_hand(cards)))


def arrangements(cards: Cards, most: int | None = None) -> list[Arrangement]:
    """All arrangements of least deadwood, in canonical order (docs/engine.md).

    Args:
        cards: 0-11 cards.
        most: instead, all arrangements that leave at most this deadwood. Arrangements that differ
            only in how a long run is cut (six cards, or three and three) are both there.

    Raises:
        CardError: for what are no cards or more than eleven.
        OptionError: for a `most` that is no whole number from 0.
    """
    hand = _hand(cards)
    bound = None if most is None else min(check_whole("most", most, 0, None), MAX_DEADWOOD)
    return [_arrange(hand, melds) for melds in _core.arrangements(hand, bound)]


def _arrange(hand: int, melds: tuple[int, ...]) -> Arrangement:
    return Arrangement(_sets(melds), CardSet(hand & ~sum(melds)))


def arrange(cards: Cards) -> Arrangement:
    """One arrangement of least deadwood: fewest sets, then fewest melds, then first in order."""
    hand = _hand(cards)
    return _arrange(hand, _core.fewest_sets(hand))


def best_discard(cards: Cards, forbid: Cards = 0) -> BestDiscard:
    """The discards that leave least deadwood.

    Args:
        cards: 1-11 cards.
        forbid: cards that may not be thrown, such as the one just taken from the pile.

    Raises:
        CardError: if no card may be thrown.
    """
    hand, barred = _hand(cards, 1), read_cards("forbid", forbid)
    if not hand & ~barred:
        raise CardError(f"forbid: {CardSet(barred)} leaves no card to throw; allowed: fewer cards")
    least, discards, discard, all_melded = _core.best_discard(hand, barred)
    return BestDiscard(least, CardSet(discards), card_name(discard), bool(all_melded))


def best_discards(
    cards: NDArray[np.uint64], forbid: Cards | NDArray[np.uint64] = 0
) -> BestDiscards:
    """The best discard of every hand of an array.

    Args:
        cards: `uint64` masks of 1-11 cards, of any shape.
        forbid: cards that no hand may throw, or an array of masks, one a hand.

    Returns:
        (deadwood, discard), each an `uint8` array of that shape.

    Raises:
        CardError: for what are no such hands, and for hands that may throw no card, with the
            first place.

    >>> hands = np.array([as_mask("Ac 2c 3c Kd Qd"), as_mask("7d 4s")], np.uint64)
    >>> best = best_discards(hands, forbid="Qd")
    >>> best.deadwood, [card_name(card) for card in best.discard]
    (array([10,  4], dtype=uint8), ['Kd', '7d'])
    """
    hands = _array("cards", cards)
    flat = _masks("cards", hands, 1)
    if not isinstance(forbid, np.ndarray) and not read_cards("forbid", forbid):
        left, discard = _core.best_discards(flat)
    else:
        barred = _barred(forbid, hands.shape)
        stuck = (flat & ~barred) == 0
        if stuck.any():
            place = _place("cards", hands.shape, int(stuck.argmax()))
            raise CardError(f"forbid: {place} has no card to throw; allowed: fewer cards")
        left, discard = _core.best_discards(flat, barred)
    return BestDiscards(left.reshape(hands.shape), discard.reshape(hands.shape))


def _array(name: str, value: object) -> NDArray[Any]:
    if not isinstance(value, np.ndarray):
        raise CardError(
            f"{name}: {type(value).__name__} is not allowed; allowed: an array of uint64, one "
            "mask a hand"
        )
    return value


def _barred(forbid: Cards | NDArray[np.uint64], shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """The forbidden cards of each hand, flat."""
    if not isinstance(forbid, np.ndarray):
        return np.full(shape, read_cards("forbid", forbid), np.uint64).reshape(-1)
    if forbid.shape != shape:
        raise CardError(
            f"forbid: an array of shape {forbid.shape} is not allowed; allowed: the shape of the "
            f"cards, {shape}, or one set of cards for all hands"
        )
    return _masks("forbid", forbid, most=NUM_CARDS)


@overload
def discard_deadwoods(  # type: ignore[overload-overlap]
    cards: NDArray[np.uint64],
) -> NDArray[np.uint8]: ...
@overload
def discard_deadwoods(cards: Cards) -> dict[str, int]: ...
def discard_deadwoods(cards: Cards | NDArray[np.uint64]) -> dict[str, int] | NDArray[np.uint8]:
    """Least deadwood after each discard of 1-11 cards.

    Args:
        cards: one hand, or an array of `uint64` masks.

    Returns:
        By card name, in card order. Of an array of shape S an `uint8` array of shape `(*S, 11)`:
        the cards of a hand in card order along the last axis, 255 past its last card.

    Raises:
        CardError: for what are no cards, none or more than eleven, in an array with the first
            place.

    >>> discard_deadwoods("Ac 2c 3c Kd")
    {'Ac': 15, '2c': 14, '3c': 13, 'Kd': 0}
    """
    if isinstance(cards, np.ndarray):
        table = _core.each_discard(_masks("cards", cards, 1))
        return table.reshape((*cards.shape, table.shape[1]))
    each = _core.discard_deadwoods(_hand(cards, 1))
    return {card_name(card): least for card, least in each.items()}


def layoff(
    melds: str | Iterable[Cards], defender: Cards, *, unmelded: Cards, method: str = "optimal"
) -> Layoff:
    """What a defender is left with against melds that the knocker has spread.

    Args:
        melds: the knocker's melds: a list, or text with slashes between them.
        defender: the defender's cards, at most 11.
        unmelded: the knocker's unmelded cards; none is gin, against which nothing is laid off.
        method: `optimal` chooses own melds and layoffs together, breaking own melds where that
            pays; `greedy` and `in_order` keep the melds of `arrange` and lay off by the loops of
            docs/engine.md; `none` lays nothing off.

    Raises:
        CardError: for melds that are none, and cards that are in two places.
        OptionError: for an unknown method.
    """
    spread = read_melds("melds", melds)
    rest, hand = read_cards("unmelded", unmelded), _hand(defender, name="defender")
    check_word("method", method, LAYOFF_METHODS)
    problems = [
        f"melds: {CardSet(meld) or 'none'} is not a meld; allowed: three or four of a rank, or a "
        "run of at least three in one suit"
        for meld in spread
        if not _core.is_meld(meld)
    ]
    if problems:
        raise CardError(*problems)
    seen = 0
    for cards in (*spread, rest, hand):
        if seen & cards:
            raise CardError(
                f"duplicate card {', '.join(CardSet(seen & cards))}; each card may be in one place"
            )
        seen |= cards
    if len(spread) > 3:
        raise CardError(f"melds: {len(spread)} melds; allowed: at most 3 (eleven cards)")
    left, own, laid, loose = _core.layoff(tuple(spread), hand, method if rest else "none")
    return Layoff(_core.pips(rest), left, _sets(own), CardSet(laid), CardSet(loose))


def best_spread(knocker: Cards, defender: Cards, limit: int | None = None) -> BestSpread:
    """The knocker's arrangement that wins most against a defender whose cards are known.

    For analysis: in play the knocker spreads without seeing the defender's hand.

    Args:
        knocker: his cards after the discard.
        defender: the defender's cards; he lays off optimally.
        limit: the knock limit, to allow arrangements of more than least deadwood (rules with
            `spread = any`). None: those of least deadwood only.

    Raises:
        CardError: for cards that both hold.
        OptionError: for a limit that is no whole number, or below the hand's least deadwood.
    """
    hand, other = _hand(knocker, name="knocker"), _hand(defender, name="defender")
    if hand & other:
        raise CardError(
            f"duplicate card {', '.join(CardSet(hand & other))}; each card may be in one place"
        )
    least = _core.deadwood(hand)
    bound = None
    if limit is not None:
        bound = min(check_whole("limit", limit, 0, None), MAX_DEADWOOD)
        if bound < least:
            raise OptionError(refuse("limit", limit, f"at least the hand's deadwood, {least}"))
    melds, ours, theirs = _core.best_spread(hand, other, bound)
    return BestSpread(_arrange(hand, melds), ours, theirs)
