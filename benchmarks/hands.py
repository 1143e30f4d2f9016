"""The hands that are measured: the same ones on every machine and in every run.

Everything comes out of the engine's own keyed decks, which a seed fixes for good, whatever the
release of NumPy. Three kinds of hands, since speed depends on how often sets and runs compete for
a card:

- `random`: the first cards of a shuffled deck.
- `mid-game`: hands held from a player's fourth turn on in greedy self-play under `kawu`.
- `dense`: cards drawn from six neighbouring ranks only, full of melds in conflict.

`python -m benchmarks.hands` describes the sets.
"""

from __future__ import annotations

import time
import zlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginsim import _batch, _core, _deck
from ginsim._hand import EVENTS
from ginsim.tasks import make_task

Masks = NDArray[np.uint64]

DATA = ("random", "mid-game", "dense")
#: In each set. Processors learn the branches of some ten thousand hands by heart: 2**15 seem a
#: quarter faster than they are.
NUM_HANDS = 1 << 18

SEED = 20261129
#: Hands of self-play that are gone through: enough for NUM_HANDS knocks that may be answered.
NUM_PLAYED = 272_000
#: The turn of a player from which on his hand is called mid-game.
FIRST_TURN = 4

RANKS = np.uint64(0x1FFF)
ALL_SUITS = np.uint64(sum(1 << 13 * suit for suit in range(4)))
STARTS = np.uint64(0x07FF) * ALL_SUITS  # a run may start at ace to jack

DRAWS = (EVENTS.index("draw_pile"), EVENTS.index("draw_stock"))
DISCARD, KNOCK = EVENTS.index("discard"), EVENTS.index("knock")


class Layoffs(NamedTuple):
    """Arguments of `_core.layoffs`, an entry for each defender."""

    runs: Masks  # cards in the knocker's runs
    missing: Masks  # fourth cards of his three-card sets
    defenders: Masks  # ten cards each


class Played(NamedTuple):
    """What self-play is good for here."""

    ten: Masks  # mid-game hands after the discard
    eleven: Masks  # mid-game hands after the draw
    knockers: Masks  # hands that knocked with deadwood, after the discard
    defenders: Masks  # the hands against them


@cache
def draw_hands(data: str, num_cards: int) -> Masks:
    """NUM_HANDS different hands of ten or eleven cards of a kind in DATA, in no order."""
    if data == "mid-game":
        masks = _play().ten if num_cards == 10 else _play().eleven
    elif data == "random":
        masks = _masks(_shuffle(NUM_HANDS + 100, first=num_cards << 40)[:, :num_cards])
    else:
        # Of 1.9 million hands (2.5 of eleven cards) in each of eight windows some are drawn twice.
        masks = _masks(_shuffle(NUM_HANDS * 5 // 4, ranks=6, first=num_cards << 40)[:, :num_cards])
    return masks[_choose_different(masks, NUM_HANDS)]


@cache
def draw_layoffs(data: str) -> Layoffs:
    """NUM_HANDS different defenders and the melds they face.

    `mid-game` are real knocks, `random` the same knocks against ten random other cards, `dense` two
    hands from six neighbouring ranks, the first of which melds six cards or more (whether or not
    it could knock: few such hands can).
    """
    if data == "dense":
        decks = _shuffle(NUM_HANDS * 5 // 2, ranks=6, first=20 << 40)
        knockers, defenders = _masks(decks[:, :10]), _masks(decks[:, 10:20])
        melded = [sum(_core.fewest_sets(hand)).bit_count() >= 6 for hand in knockers.tolist()]
        knockers, defenders = knockers[melded], defenders[melded]
    else:
        knockers, defenders = _play().knockers, _play().defenders
        if data == "random":
            decks = _shuffle(len(knockers), first=30 << 40)
            held = knockers[:, None] >> decks.astype(np.uint64) & np.uint64(1)
            others = np.argsort(held, axis=1, kind="stable")[:, :10]
            defenders = _masks(np.take_along_axis(decks, others, axis=1))
    chosen = _choose_different(defenders, NUM_HANDS)
    melds = [_core.open_melds(_core.fewest_sets(hand)) for hand in knockers[chosen].tolist()]
    runs, missing = np.array(melds, np.uint64).T.copy()
    return Layoffs(runs, missing, defenders[chosen])


def find_conflicts(masks: Masks, runs: Masks | None = None) -> NDArray[np.bool_]:
    """Where some card stands in a block of three in sequence and in a set: what costs time.

    `runs` are the cards of a knocker's runs, for layoffs.
    """
    joined = masks if runs is None else masks | runs
    starts = joined & joined >> 1 & joined >> 2 & STARTS
    covered = starts | starts << 1 | starts << 2
    pairs, some = masks & masks >> 26, masks | masks >> 26
    ranks = (pairs & some >> 13 | some & pairs >> 13) & RANKS
    conflicts: NDArray[np.bool_] = covered & masks & ranks * ALL_SUITS != 0
    return conflicts


def checksum(*arrays: Masks) -> str:
    """A short name of what is in the arrays: figures of other data cannot be compared."""
    value = 0
    for array in arrays:
        value = zlib.crc32(np.ascontiguousarray(array, dtype="<u8").tobytes(), value)
    return f"{value:08x}"


def _masks(cards: NDArray[np.integer[Any]]) -> Masks:
    """One mask for each row of cards."""
    masks: Masks = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1)
    return masks


def _shuffle(count: int, *, first: int, ranks: int = 13) -> NDArray[np.int64]:
    """The decks of the deals from `first` on, shape (count, 4 * ranks).

    Each kind of hands has deals of its own. Short decks start in turn at every rank they can.
    """
    key = _deck.make_key(SEED)
    deals = range(first, first + count)
    decks = np.stack([_deck.whole_deck(key, deal, 0, ranks) for deal in deals])
    lowest = np.arange(count) % (14 - ranks)
    return decks.astype(np.int64) + lowest[:, None]


def _choose_different(masks: Masks, count: int) -> NDArray[np.intp]:
    """Places of `count` different masks, in an order that tells a branch predictor nothing."""
    unique, places = np.unique(masks, return_index=True)
    if len(unique) < count:
        raise ValueError(f"{len(unique)} different hands where {count} are needed")
    order = np.argsort(unique * np.uint64(0x9E3779B97F4A7C15), kind="stable")
    return places[order[:count]]


@cache
def _play() -> Played:
    """Greedy self-play, gone through a few thousand hands at a time to save memory."""
    step = 1 << 13
    parts = [
        _play_hands(first, min(step, NUM_PLAYED - first)) for first in range(0, NUM_PLAYED, step)
    ]
    return Played(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _play_hands(first: int, count: int) -> Played:
    """The hands of both players after every event, from the deal and the cards that moved."""
    setup = make_task("kawu", "greedy", 0, seed=SEED).setup
    traces = [_batch.trace_hand(setup, hand) for hand in range(first, first + count)]
    lengths = np.array([len(trace) for trace in traces])
    stops = np.cumsum(lengths)
    starts = stops - lengths
    events = np.concatenate(traces)
    kind, seat = events["kind"], events["seat"]
    hand_of = np.repeat(np.arange(count), lengths)
    drawing = np.isin(kind, DRAWS)
    moving = drawing | (kind == DISCARD) | (kind == KNOCK)
    bits = _masks(np.maximum(events["card"], 0)[:, None]) * moving

    decks = _shuffle(count, first=first)
    nondealers, dealers = _masks(decks[:, 0:20:2]), _masks(decks[:, 1:20:2])
    dealer = np.arange(first, first + count) % 2
    held = np.zeros((2, len(events)), np.uint64)  # after each event, by seat
    turns = np.zeros((2, len(events)), np.intp)
    for player in range(2):
        own = seat == player
        moved = np.bitwise_xor.accumulate(np.where(own, bits, 0).astype(np.uint64))
        before = np.where(starts > 0, moved[starts - 1], 0).astype(np.uint64)
        dealt = np.where(dealer == player, dealers, nondealers)
        held[player] = moved ^ (dealt ^ before)[hand_of]
        drawn = np.cumsum(own & drawing)
        turns[player] = drawn - np.where(starts > 0, drawn[starts - 1], 0)[hand_of]

    actor = np.clip(seat, 0, 1).astype(np.intp)
    late = np.take_along_axis(turns, actor[None], 0)[0] >= FIRST_TURN
    actors = np.take_along_axis(held, actor[None], 0)[0]
    others = np.take_along_axis(held, 1 - actor[None], 0)[0]
    knocking = kind == KNOCK
    answered = np.flatnonzero(knocking)[_core.deadwoods(actors[knocking]) > 0]
    return Played(
        ten=actors[late & (kind == DISCARD)],
        eleven=actors[late & drawing],
        knockers=actors[answered],
        defenders=others[answered],
    )


def main() -> None:
    start = time.perf_counter()
    print(f"{'':24}{'hands':>9}{'in conflict':>13}{'deadwood':>10}  checksum")
    for num_cards in (10, 11):
        for data in DATA:
            masks = draw_hands(data, num_cards)
            print(
                f"{f'{num_cards} cards, {data}':24}{len(masks):9,}"
                f"{find_conflicts(masks).mean():13.1%}{_core.deadwoods(masks).mean():10.1f}"
                f"  {checksum(masks)}"
            )
    for data in DATA:
        layoffs = draw_layoffs(data)
        conflicts = find_conflicts(layoffs.defenders, layoffs.runs)
        print(
            f"{f'layoffs, {data}':24}{len(conflicts):9,}{conflicts.mean():13.1%}"
            f"{_core.layoffs(*layoffs).mean():10.1f}  {checksum(*layoffs)}"
        )
    print(f"made in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
