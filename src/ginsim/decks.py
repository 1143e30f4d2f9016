"""Given decks: cards in the order in which they are dealt.

Deck order is that of docs/engine.md: dealt one card at a time, the non-dealer first, then the
upcard (or the eleventh card), then the stock from its top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ginsim.cards import NUM_CARDS, card_name, read_order
from ginsim.checks import check_path
from ginsim.errors import CardError, refuse

#: Decks as an array of shape (decks, 52) of card numbers, or a list of decks, each a text or a
#: list of 52 card names or numbers.
Decks: TypeAlias = "NDArray[Any] | Sequence[str | Sequence[str | int]]"


def as_decks(decks: Decks) -> NDArray[np.uint8]:
    """The decks as an array of shape (decks, 52), `uint8`.

    Raises:
        CardError: for the first deck that does not hold each of the 52 cards once, by its place
            from 0, and for arrays of another shape or type.
    """
    if isinstance(decks, np.ndarray):
        if decks.ndim != 2 or decks.shape[1] != NUM_CARDS or decks.dtype.kind not in "iu":
            raise CardError(
                f"decks: an array of shape {decks.shape} and type {decks.dtype}; allowed: card "
                f"numbers of shape (decks, {NUM_CARDS})"
            )
        _check(decks, "deck")
        return np.ascontiguousarray(decks, np.uint8)
    if isinstance(decks, str | bytes) or not isinstance(decks, Iterable):
        raise CardError(refuse("decks", decks, "a list of decks, or an array"))
    rows = [_numbers(deck, f"deck {place}") for place, deck in enumerate(decks)]
    array = np.array(rows, np.uint8).reshape(len(rows), NUM_CARDS)
    _check(array, "deck")
    return array


def read_decks(path: str | PathLike[str]) -> NDArray[np.uint8]:
    """Decks from a text file: one deck a line, 52 card names; `#` begins a comment.

    Raises:
        CardError: for unknown cards, and lines that are no deck, with the number of the line.
        OSError: if the file cannot be read.
    """
    rows, lines = [], []
    place = check_path("path", path, error=CardError)
    try:
        text = place.read_text(encoding="utf-8")
    except ValueError as failure:  # no UTF-8
        raise CardError(f"{path}: the file cannot be read as text: {failure}") from None
    for line, content in enumerate(text.splitlines(), start=1):
        deck = content.partition("#")[0].strip()
        if deck:
            rows.append(_numbers(deck, f"{path}, line {line}"))
            lines.append(line)
    if not rows:
        raise CardError(f"{path}: no deck in it; allowed: one deck a line, 52 card names")
    array = np.array(rows, np.uint8).reshape(len(rows), NUM_CARDS)
    wrong = _find_wrong(array)
    if wrong is not None:
        raise CardError(f"{path}, line {lines[wrong]}: {_explain(array[wrong])}")
    return array


def _numbers(deck: str | Sequence[str | int], where: str) -> list[int]:
    numbers = read_order(where, deck)
    if len(numbers) != NUM_CARDS:
        raise CardError(f"{where}: {len(numbers)} cards; allowed: {NUM_CARDS}")
    return numbers


def _find_wrong(decks: NDArray[Any]) -> int | None:
    wrong = np.flatnonzero((np.sort(decks, axis=1) != np.arange(NUM_CARDS)).any(axis=1))
    return int(wrong[0]) if len(wrong) else None


def _explain(deck: NDArray[Any]) -> str:
    outside = [int(card) for card in deck if not 0 <= card < NUM_CARDS]
    if outside:
        return f"{outside[0]} is no card; allowed: 0 to {NUM_CARDS - 1}"
    numbers, counts = np.unique(deck, return_counts=True)
    doubles = ", ".join(card_name(int(card)) for card in numbers[counts > 1])
    return f"duplicate card {doubles}; each of the {NUM_CARDS} cards may be there once"


def _check(decks: NDArray[Any], what: str) -> None:
    wrong = _find_wrong(decks)
    if wrong is not None:
        raise CardError(f"{what} {wrong}: {_explain(decks[wrong])}")
