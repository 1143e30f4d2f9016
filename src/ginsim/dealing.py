"""The hands that are dealt: how much deadwood they have, before a draw and after it.

All hands of a size are counted exactly, each once up to the order of suits, or hands are sampled
with the deck of docs/engine.md.

>>> deals(3, exact=True, draw=False).dealt.counts[0]  # 52 sets and 44 runs
96
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ginsim import _count, _deck
from ginsim._version import __version__
from ginsim.batches import Progress, run_chunks
from ginsim.cards import NUM_CARDS
from ginsim.checks import check_whole
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Estimate, estimate_mean, estimate_share
from ginsim.tasks import MAX_INDEX, check_threads

#: Hands drawn if nothing is said.
DEFAULT_HANDS = 1_000_000

#: A hand after the draw.
MOST_CARDS = 11

#: Deadwood goes from 0 to 110, of eleven tens.
_LEVELS = 111

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Distribution:
    """Hands by least deadwood.

    Attributes:
        counts: how many hands have each deadwood, from 0 to 110.
        exact: whether these are all hands there are; otherwise they are a sample.
    """

    counts: tuple[int, ...]
    exact: bool

    @property
    def hands(self) -> int:
        """How many hands."""
        return sum(self.counts)

    def count_at_most(self, limit: int) -> int:
        """How many hands have at most this deadwood."""
        return sum(self.counts[: max(limit + 1, 0)])

    @property
    def gin(self) -> Estimate:
        """The chance of no deadwood."""
        return self.knock(0)

    def knock(self, limit: int = 10) -> Estimate:
        """The chance of at most this deadwood."""
        return self.share(self.count_at_most(limit))

    def share(self, count: int) -> Estimate:
        """A share of the hands: Wilson's 95 % interval for a sample, none if it is exact."""
        if self.exact:
            share = count / self.hands
            return Estimate(share, 0.0, share, share)
        return estimate_share(count, self.hands)

    @property
    def mean(self) -> Estimate:
        """Mean deadwood, with a 95 % interval for a sample."""
        total, squares = self._sums()
        if self.exact:
            mean = total / self.hands
            return Estimate(mean, 0.0, mean, mean)
        return estimate_mean(total, squares, self.hands)

    @property
    def sd(self) -> float:
        """Standard deviation of the deadwood: of all hands, or as estimated from the sample."""
        total, squares = self._sums()
        hands = self.hands
        if hands < 2 and not self.exact:
            return math.nan
        freedom = hands if self.exact else hands - 1
        return math.sqrt((squares * hands - total * total) / (hands * freedom))

    def _sums(self) -> tuple[int, int]:
        total = sum(deadwood * count for deadwood, count in enumerate(self.counts))
        squares = sum(deadwood**2 * count for deadwood, count in enumerate(self.counts))
        return total, squares


@dataclass(frozen=True)
class Deals:
    """The hands of a number of cards by deadwood.

    Attributes:
        cards: how many cards a hand has.
        dealt: the hands as dealt.
        no_meld: how many of them have no meld.
        drawn: the hands with one more card, drawn from the stock, by the deadwood that the best
            discard leaves; None if that was not asked, and for hands of eleven cards.
        provenance: what reproduces a sample, as plain data.
    """

    cards: int
    dealt: Distribution
    no_meld: int
    drawn: Distribution | None
    provenance: dict[str, Any]

    @property
    def exact(self) -> bool:
        """Whether all hands were counted."""
        return self.dealt.exact

    @property
    def hands(self) -> int:
        """How many hands were counted or sampled."""
        return self.dealt.hands

    @property
    def without_meld(self) -> Estimate:
        """The chance of a hand without any meld."""
        return self.dealt.share(self.no_meld)


def deals(
    cards: SupportsIndex = 10,
    *,
    exact: bool = False,
    hands: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    draw: bool = True,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> Deals:
    """How the hands of a number of cards are distributed by deadwood.

    Args:
        cards: how many cards a hand has, 1-11.
        exact: count all hands instead of drawing some. Ten cards take some seconds of one
            processor, what they become after a draw (eleven cards) half a minute.
        hands: how many hands to draw; None for a million. Not with `exact`.
        seed: any non-negative whole number; None draws one and records it. Hand i is the first
            cards of deal i's deck (docs/engine.md), the card drawn is the next. Not with `exact`.
        draw: whether to count the hands after a draw too.
        threads: how many threads work; None for one each processor. The result is the same.
        progress: called with (done, total) hands from time to time.

    Raises:
        OptionError: for arguments out of what is allowed.
    """
    num_cards = check_whole("cards", cards, 1, MOST_CARDS)
    num_threads = check_threads(threads)
    draws = draw and num_cards < MOST_CARDS
    origin: dict[str, Any] = {"ginsim": __version__, "cards": num_cards, "exact": bool(exact)}
    if exact:
        for name, value in (("hands", hands), ("seed", seed)):
            if value is not None:
                raise OptionError(refuse(name, value, "nothing with exact, which counts all hands"))
        dealt, no_meld, drawn = _count_all(num_cards, draws, num_threads, progress)
    else:
        number = DEFAULT_HANDS if hands is None else check_whole("hands", hands, 1, MAX_INDEX)
        if seed is None:
            seed = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
        start = check_whole("seed", seed, 0, None)
        origin |= {"stream": _deck.STREAM_VERSION, "seed": start, "hands": number}
        dealt, no_meld, drawn = _sample(num_cards, number, start, num_threads, progress)
    return Deals(
        num_cards,
        _distribution(dealt, exact),
        no_meld,
        _distribution(drawn, exact) if draws else None,
        origin,
    )


def _distribution(counts: Counts, exact: bool) -> Distribution:
    return Distribution(tuple(counts.tolist()), bool(exact))


def _count_all(
    num_cards: int, draws: bool, threads: int, progress: Progress | None
) -> tuple[Counts, int, Counts]:
    """All hands, divided by their largest suit: 8192 parts of very different size."""
    parts = 1 << 13
    total = comb(NUM_CARDS, num_cards) + (comb(NUM_CARDS, num_cards + 1) if draws else 0)
    sums = np.zeros((threads, 2, _LEVELS), np.int64)
    no_meld = [0] * threads

    def count(thread: int, part: int, _stop: int) -> None:
        after, suit = divmod(part, parts)
        counts, without = _count.count_deadwoods(
            num_cards + after, suit, suit + 1, after_discard=bool(after)
        )
        sums[thread, after] += counts
        no_meld[thread] += 0 if after else without

    # A part has next to nothing or a hundred million hands: progress goes by hands.
    run_chunks(
        count, 2 * parts if draws else parts, threads, _by_hands(progress, sums, total), chunk=1
    )
    dealt, drawn = sums.sum(axis=0)
    return dealt, sum(no_meld), drawn


def _by_hands(progress: Progress | None, sums: Counts, total: int) -> Progress | None:
    if progress is None:
        return None
    tell: Callable[[int, int], None] = progress
    return lambda _done, _total: tell(int(sums.sum()), total)


def _sample(
    num_cards: int, hands: int, seed: int, threads: int, progress: Progress | None
) -> tuple[Counts, int, Counts]:
    key = _deck.make_key(seed)
    sums = np.zeros((threads, 2, _LEVELS), np.int64)
    no_meld = [0] * threads

    def draw(thread: int, start: int, stop: int) -> None:
        dealt, without, drawn = _count.sample_deadwoods(key, num_cards, start, stop - start)
        sums[thread, 0] += dealt
        sums[thread, 1] += drawn
        no_meld[thread] += without

    run_chunks(draw, hands, threads, progress)
    dealt, drawn = sums.sum(axis=0)
    return dealt, sum(no_meld), drawn
