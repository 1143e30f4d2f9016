"""Exact answers about one hand: deadwood, arrangements, discards, layoffs.

Every function takes cards in any form (`ginsim.cards.Cards`): text, masks, card sets, lists.
The answers are minima over all arrangements, found by the compiled core.

>>> deadwood("7h 7s 7d 7c 5h 6h Kd Qc 2s 3d")
25
>>> best_discard("5c 6c 7c 9h 9d 9s Ac 2d 4h Qh Ah").discards
CardSet('Qh')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ginsim import _core
from ginsim.cards import Cards, CardSet, as_mask, card_name, pips
from ginsim.errors import CardError, OptionError, join_words, refuse

LAYOFF_METHODS = ("optimal", "greedy", "in_order", "none")


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


def _hand(cards: Cards, least: int = 0, most: int = 11) -> int:
    mask = as_mask(cards)
    if not least <= mask.bit_count() <= most:
        raise CardError(
            f"cards: {CardSet(mask)} are {mask.bit_count()} cards; allowed: {least} to {most}"
        )
    return mask


def _sets(masks: Iterable[int]) -> tuple[CardSet, ...]:
    return tuple(CardSet(mask) for mask in masks)


def is_meld(cards: Cards) -> bool:
    """Whether the cards are one meld: three or four of a rank, or a run in one suit, ace low."""
    return bool(_core.is_meld(as_mask(cards)))


def deadwood(cards: Cards) -> int:
    """Least deadwood of 0-11 cards over all arrangements, in pips."""
    return int(_core.deadwood(_hand(cards)))


def arrangements(cards: Cards, most: int | None = None) -> list[Arrangement]:
    """All arrangements of least deadwood, in canonical order (docs/engine.md).

    Args:
        cards: 0-11 cards.
        most: instead, all arrangements that leave at most this deadwood. Arrangements that differ
            only in how a long run is cut (six cards, or three and three) are both there.
    """
    hand = _hand(cards)
    return [_arrange(hand, melds) for melds in _core.arrangements(hand, most)]


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
    hand, barred = _hand(cards, 1), as_mask(forbid)
    if not hand & ~barred:
        raise CardError(f"forbid: {CardSet(barred)} leaves no card to throw; allowed: fewer cards")
    least, discards, discard, all_melded = _core.best_discard(hand, barred)
    return BestDiscard(least, CardSet(discards), card_name(discard), bool(all_melded))


def discard_deadwoods(cards: Cards) -> dict[str, int]:
    """Least deadwood after each discard of 1-11 cards, by card name in card order."""
    each = _core.discard_deadwoods(_hand(cards, 1))
    return {card_name(card): least for card, least in each.items()}


def layoff(
    melds: Iterable[Cards], defender: Cards, *, unmelded: Cards, method: str = "optimal"
) -> Layoff:
    """What a defender is left with against melds that the knocker has spread.

    Args:
        melds: the knocker's melds.
        defender: the defender's cards, at most 11.
        unmelded: the knocker's unmelded cards; none is gin, against which nothing is laid off.
        method: `optimal` chooses own melds and layoffs together, breaking own melds where that
            pays; `greedy` and `in_order` keep the melds of `arrange` and lay off by the loops of
            docs/engine.md; `none` lays nothing off.

    Raises:
        CardError: for melds that are none, and cards that are in two places.
        OptionError: for an unknown method.
    """
    spread = [as_mask(meld) for meld in melds]
    rest, hand = as_mask(unmelded), _hand(defender)
    if method not in LAYOFF_METHODS:
        raise OptionError(refuse("method", method, join_words(LAYOFF_METHODS)))
    problems = [
        f"melds: {CardSet(meld)} is not a meld; allowed: three or four of a rank, or a run of at "
        "least three in one suit"
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
        OptionError: for a limit below the hand's least deadwood.
    """
    hand, other = _hand(knocker), _hand(defender)
    if hand & other:
        raise CardError(
            f"duplicate card {', '.join(CardSet(hand & other))}; each card may be in one place"
        )
    least = _core.deadwood(hand)
    if limit is not None and limit < least:
        raise OptionError(refuse("limit", limit, f"at least the hand's deadwood, {least}"))
    melds, ours, theirs = _core.best_spread(hand, other, limit)
    return BestSpread(_arrange(hand, melds), ours, theirs)
