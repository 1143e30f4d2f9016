"""Cards as text, numbers and sets.

A card is a number from 0 to 51, `suit * 13 + rank`: suits clubs, diamonds, hearts, spades, rank
0 = ace to 12 = king (the order "card order" everywhere). A set of cards is a 52-bit mask, bit *i*
for card *i*. `CardSet` is such a mask with a face for people.

>>> CardSet("4♥ 10c, 5h6h")
CardSet('Tc 4h 5h 6h')
>>> as_mask("Ac 2c")
3
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex, TypeAlias, TypeGuard, Union

from ginsim.errors import CardError, refuse, show

RANKS = "A23456789TJQK"
SUITS = "cdhs"
NUM_CARDS = 52
DECK = (1 << NUM_CARDS) - 1

_SUIT_CODES = {
    **{suit: code for code, suit in enumerate(SUITS)},
    **{suit: code for code, suit in enumerate("♣♦♥♠")},
    **{suit: code for code, suit in enumerate("♧♢♡♤")},
}
# Both cases are written out: ignoring case would let the Kelvin sign and the long s pass.
_CARD = re.compile(r"(10|[Aa2-9TtJjQqKk])([CcDdHhSs♣♦♥♠♧♢♡♤])\ufe0f?")
_GAP = re.compile(r"[\s,]+")
_SHAPE = (
    "a card is a rank (A 2 3 4 5 6 7 8 9 T J Q K, or 10) and a suit (c d h s, or ♣ ♦ ♥ ♠), such as "
    "4h"
)

#: What is accepted wherever cards are: text ("4h Tc"), a mask, a `CardSet`, or an iterable of
#: card names and numbers. A bare integer is always a mask, an integer in an iterable a card.
Cards: TypeAlias = Union[str, SupportsIndex, "CardSet", Iterable[str | SupportsIndex]]


def card_name(number: SupportsIndex) -> str:
    """Name of a card: rank in upper, suit in lower case.

    Args:
        number: the card, 0 to 51.

    Raises:
        CardError: if it is not such a number.

    >>> card_name(29)
    '4h'
    """
    suit, rank = divmod(card_number(number), 13)
    return RANKS[rank] + SUITS[suit]


def card_number(card: str | SupportsIndex) -> int:
    """Number of a card, 0 to 51, from its name (or its number, which is checked).

    Raises:
        CardError: if it is not exactly one card.

    >>> card_number("10♣")
    9
    """
    if isinstance(card, str):
        match = _CARD.fullmatch(card.strip())
        if match is None:
            raise CardError(f"unknown card {show(card)}; {_SHAPE}")
        return _number_of(match)
    number = _as_int(card)
    if number is None or not 0 <= number < NUM_CARDS:
        raise CardError(f"card: {show(card)} is not a card; allowed: a name such as 4h, or 0 to 51")
    return number


def pips(card: str | SupportsIndex) -> int:
    """Points of a card as deadwood: ace 1, two to ten their face value, J Q K 10.

    >>> pips("Kd")
    10
    """
    return min(card_number(card) % 13 + 1, 10)


def as_mask(cards: Cards) -> int:
    """The mask of any kind of cards (see `Cards`).

    Args:
        cards: text with the cards separated by spaces, commas or nothing; a mask (any integer
            type, NumPy's too), a `CardSet`; or an iterable of names and numbers.

    Returns:
        The mask, 0 to 2**52 - 1.

    Raises:
        CardError: for unknown cards, for cards given twice, for masks out of range, and for
            `uint64` arrays, which hold many hands; all unknown and double cards are named.
    """
    if isinstance(cards, CardSet):
        return cards.mask
    if isinstance(cards, str):
        return _collect(_parse(cards))
    mask = _as_int(cards)
    if mask is not None:
        if not 0 <= mask <= DECK:
            raise CardError(
                f"mask: {show(mask)} is not a set of cards; allowed: 0 to {DECK} (2**52 - 1)"
            )
        return mask
    if _holds_masks(cards):
        raise CardError(
            "cards: uint64 is the type of masks, one a hand; allowed here: one hand, as text, a "
            "mask, or a list of card names and numbers"
        )
    if _is_list(cards):
        return _collect(_read_each(cards))
    raise CardError(
        f"cards: {show(cards)} are no cards; allowed: text such as '4h Tc', a mask, "
        "or a list of card names and numbers"
    )


def read_cards(name: str, cards: Cards) -> int:
    """The mask of cards, as `as_mask`, with the argument's name in its errors."""
    try:
        return as_mask(cards)
    except CardError as failure:
        raise _name_problems(name, failure) from None


def read_card(name: str, card: str | SupportsIndex) -> int:
    """The number of a card, as `card_number`, with the argument's name in its errors."""
    try:
        return card_number(card)
    except CardError as failure:
        raise _name_problems(name, failure) from None


def read_order(name: str, cards: str | Iterable[str | SupportsIndex]) -> list[int]:
    """The numbers of cards in the order given: text, or an iterable of names and numbers.

    Raises:
        CardError: for unknown cards, and for what has no order, such as a mask.
    """
    try:
        if isinstance(cards, str):
            return list(_parse(cards))
        if _is_list(cards):
            return list(_read_each(cards))
    except CardError as failure:
        raise _name_problems(name, failure) from None
    raise CardError(
        refuse(
            name, cards, "cards in order, as text such as '4h Tc' or a list of names and numbers"
        )
    )


def read_melds(name: str, melds: str | Iterable[Cards]) -> list[int]:
    """The masks of several sets of cards: text with slashes between them, or an iterable of sets.

    Whether they are melds is not asked.

    Raises:
        CardError: for unknown cards, for text with an empty part, and for what is no list of sets.

    >>> read_melds("melds", "Ac 2c 3c / 4c")
    [7, 8]
    """
    if isinstance(melds, str):
        parts = melds.split("/") if melds.strip() else []
        if not all(part.strip() for part in parts):
            raise CardError(
                f"{name}: {show(melds)} has an empty meld; allowed: melds separated by single "
                "slashes"
            )
        return [read_cards(name, part) for part in parts]
    if isinstance(melds, CardSet) or not _is_list(melds):
        raise CardError(
            refuse(
                name,
                melds,
                "text with slashes between the melds, such as '7s 7h 7d / 3c 4c 5c', or a list of "
                "melds",
            )
        )
    return [read_cards(name, meld) for meld in melds]


def split_mask(mask: int) -> Iterator[int]:
    """The card numbers of a mask, in increasing order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class CardSet:
    """An immutable, hashable set of cards over one 52-bit mask.

    Iteration yields card names in card order; `int()` gives the mask. The operators `&`, `|`,
    `-`, `^` and the comparisons take another set, text or an iterable of cards; `==` is true for
    card sets only.

    >>> hand = CardSet("4h Tc 4s")
    >>> hand - "4h", "4s" in hand, len(hand)
    (CardSet('Tc 4s'), True, 3)
    """

    __slots__ = ("_mask",)
    _mask: int

    def __init__(self, cards: Cards = 0) -> None:
        object.__setattr__(self, "_mask", as_mask(cards))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a CardSet cannot be changed")

    def __reduce__(self) -> tuple[type[CardSet], tuple[int]]:
        return CardSet, (self._mask,)

    @property
    def mask(self) -> int:
        """The set as a mask, 0 to 2**52 - 1."""
        return self._mask

    def __index__(self) -> int:
        return self._mask

    def __int__(self) -> int:
        return self._mask

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __iter__(self) -> Iterator[str]:
        return (card_name(number) for number in split_mask(self._mask))

    def __contains__(self, card: str | SupportsIndex) -> bool:
        return bool(self._mask >> card_number(card) & 1)

    def __and__(self, other: object) -> CardSet:
        mask = _operand(other)
        return NotImplemented if mask is None else CardSet(self._mask & mask)

    def __or__(self, other: object) -> CardSet:
        mask = _operand(other)
        return NotImplemented if mask is None else CardSet(self._mask | mask)

    def __xor__(self, other: object) -> CardSet:
        mask = _operand(other)
        return NotImplemented if mask is None else CardSet(self._mask ^ mask)

    def __sub__(self, other: object) -> CardSet:
        mask = _operand(other)
        return NotImplemented if mask is None else CardSet(self._mask & ~mask)

    def __rsub__(self, other: object) -> CardSet:
        mask = _operand(other)
        return NotImplemented if mask is None else CardSet(mask & ~self._mask)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def __le__(self, other: object) -> bool:
        mask = _operand(other)
        return NotImplemented if mask is None else not self._mask & ~mask

    def __ge__(self, other: object) -> bool:
        mask = _operand(other)
        return NotImplemented if mask is None else not mask & ~self._mask

    def __lt__(self, other: object) -> bool:
        mask = _operand(other)
        return NotImplemented if mask is None else self <= other and self._mask != mask

    def __gt__(self, other: object) -> bool:
        mask = _operand(other)
        return NotImplemented if mask is None else self >= other and self._mask != mask

    def __eq__(self, other: object) -> bool:
        return self._mask == other._mask if isinstance(other, CardSet) else NotImplemented

    def __hash__(self) -> int:
        return hash((CardSet, self._mask))

    def __str__(self) -> str:
        return " ".join(self)

    def __repr__(self) -> str:
        return f"CardSet({str(self)!r})"


def _operand(other: object) -> int | None:
    """The mask of the other side of an operator; None for what an operator does not take.

    A bare integer is refused: `hand - 5` could mean the mask or the card.
    """
    if isinstance(other, CardSet):
        return other.mask
    if isinstance(other, str) or (_is_list(other) and _as_int(other) is None):
        return as_mask(other)
    return None


def _as_int(value: object) -> int | None:
    """The value as an integer if it is one (NumPy's too, but no boolean or set), else None."""
    if isinstance(value, bool | CardSet):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _is_list(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether this can be gone through, and is no text or bytes."""
    if isinstance(value, str | bytes | bytearray):
        return False
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:  # an array without axes has the method, and refuses
        return False
    return True


def _name_problems(name: str, failure: CardError) -> CardError:
    """The same problems, each with the argument's name before it."""
    problems = (
        problem.removeprefix("cards: ").removeprefix("card: ").removeprefix("mask: ")
        for problem in failure.problems
    )
    return CardError(*(f"{name}: {problem}" for problem in problems))


def _holds_masks(value: object) -> bool:
    """Whether this is an array (or a pandas column) of `uint64`: to read its masks as the numbers
    of cards would give a wrong answer without a word. NumPy is not imported to ask."""
    dtype = getattr(value, "dtype", None)
    return getattr(dtype, "kind", "") == "u" and getattr(dtype, "itemsize", 0) == 8


def _number_of(match: re.Match[str]) -> int:
    rank, suit = match[1].upper().replace("10", "T"), match[2].lower()
    return _SUIT_CODES[suit] * 13 + RANKS.index(rank)


def _parse(text: str) -> Iterator[int]:
    """The card numbers in a text; all unknown cards are reported together."""
    unknown: list[str] = []
    for word in _GAP.split(text):
        at = 0
        while at < len(word):
            match = _CARD.match(word, at)
            if match is None:
                unknown.append(word[at:])
                break
            yield _number_of(match)
            at = match.end()
    if unknown:
        raise CardError(f"unknown card {', '.join(map(show, unknown))}; {_SHAPE}")


def _read_each(cards: Iterable[str | SupportsIndex]) -> Iterator[int]:
    """The numbers of single cards; all that are not cards are reported together."""
    problems: list[str] = []
    for card in cards:
        try:
            yield card_number(card)
        except CardError as error:
            problems.extend(error.problems)
    if problems:
        raise CardError(*problems)


def _collect(numbers: Iterable[int]) -> int:
    """The mask of card numbers; cards given twice are refused by name."""
    mask = 0
    doubles: dict[int, None] = {}
    for number in numbers:
        if mask >> number & 1:
            doubles[number] = None
        mask |= 1 << number
    if doubles:
        names = ", ".join(card_name(number) for number in doubles)
        raise CardError(f"duplicate card {names}; each card may be given once")
    return mask
