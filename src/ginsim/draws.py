"""What a draw could bring: the outs of a hand, and what a discard could bring the opponent.

>>> outs("9s Ts Js Qs").outs
CardSet('8s Ks')
>>> safety("Kd").num_holdings
4
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from ginsim import _core
from ginsim.cards import (
    DECK,
    NUM_CARDS,
    Cards,
    CardSet,
    as_mask,
    card_name,
    card_number,
    read_cards,
    split_mask,
)
from ginsim.errors import CardError

_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
_KINGS = _ACES << 12


@dataclass(frozen=True)
class Outs:
    """The cards that are worth drawing.

    Attributes:
        deadwood: least deadwood of the hand before the draw.
        improve: cards after which the best discard leaves less than that, with what it leaves,
            in card order.
        extend: cards that extend a meld of some arrangement of least deadwood: a run at an end,
            a set of three by its fourth card.
        unseen: the outs that are not among the cards seen.
    """

    deadwood: int
    improve: dict[str, int]
    extend: CardSet
    unseen: CardSet

    @property
    def outs(self) -> CardSet:
        """All cards that improve the hand or extend its melds, seen or not."""
        return CardSet(self.improve) | self.extend

    @property
    def num_unseen(self) -> int:
        """How many of them can still come."""
        return len(self.unseen)


@dataclass(frozen=True)
class Safety:
    """What an opponent could make of a discard.

    Attributes:
        card: the discard.
        holdings: the two cards with which it would be a meld of three, ascending by mask;
            without those that hold a card seen.
    """

    card: str
    holdings: tuple[CardSet, ...]

    @property
    def num_holdings(self) -> int:
        """How many there are; fewer is safer, none is safe."""
        return len(self.holdings)


def outs(cards: Cards, seen: Cards = 0) -> Outs:
    """Which cards improve a hand or extend its melds, and which of them can still come.

    Args:
        cards: a hand before the draw, 0-10 cards.
        seen: cards that cannot come, such as those in the discard pile. Cards of the hand may be
            among them.

    Raises:
        CardError: for what are no cards, or more than ten.

    >>> found = outs("9s Ts Js Qs Ah Ad", seen="Ks Ac")
    >>> found.improve, found.extend, found.unseen
    ({'Ac': 0, 'As': 0, '8s': 1, 'Ks': 1}, CardSet('8s Ks'), CardSet('As 8s'))
    """
    hand, known = as_mask(cards), read_cards("seen", seen)
    if hand.bit_count() > 10:
        raise CardError(
            f"cards: {CardSet(hand)} are {hand.bit_count()} cards; allowed: 0 to 10 (a hand "
            "before the draw)"
        )
    least = _core.deadwood(hand)
    improve = {}
    for card in split_mask(DECK & ~hand):
        left = _core.best_discard(hand | 1 << card)[0]
        if left < least:
            improve[card_name(card)] = left
    extend = 0
    for melds in _core.arrangements(hand):
        extend |= _extending(melds)
    found = CardSet(improve).mask | extend & ~hand
    return Outs(least, improve, CardSet(extend & ~hand), CardSet(found & ~known))


def _extending(melds: Iterable[int]) -> int:
    """The cards that continue a run at an end or are the fourth of a set, as a mask."""
    runs, missing = _core.open_melds(melds)
    above = runs << 1 & DECK & ~_ACES
    below = runs >> 1 & ~_KINGS
    return (above | below) & ~runs | missing


def safety(card: str | int, seen: Cards = 0) -> Safety:
    """Which two-card holdings of an opponent a discard would complete to a meld of three.

    Args:
        card: the discard.
        seen: cards that he cannot hold: the own hand, the discard pile. The discard may be among
            them.

    Raises:
        CardError: for what are no cards.

    >>> safety("Qd", seen="Qh Qs Td").holdings
    (CardSet('Jd Kd'),)
    """
    number, known = card_number(card), read_cards("seen", seen)
    near = [other for other in range(NUM_CARDS) if _is_near(number, other)]
    pairs = sorted(1 << one | 1 << other for one, other in combinations(near, 2))
    return Safety(
        card_name(number),
        tuple(
            CardSet(pair)
            for pair in pairs
            if not pair & known and _core.is_meld(pair | 1 << number)
        ),
    )


def _is_near(card: int, other: int) -> bool:
    """Whether two cards can be in one meld of three."""
    if card % 13 == other % 13:
        return card != other
    return card // 13 == other // 13 and abs(card - other) <= 2
