"""Races: which of several candidates has the highest mean, looked at after more and more deals.

All candidates are measured on the same deals. Whoever is behind the leader by more than the paired
differences can explain is dropped, so that most deals are played by those that are near the best
(F-race, Birattari, Stützle, Paquete and Varrentrapp 2002, with the t-test in place of Friedman's).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ginsim.intervals import t95

Floats = NDArray[np.float64]

#: A race is looked at after 1/16, 1/8, 1/4, 1/2 of its deals and at the end.
LOOKS = (16, 8, 4, 2, 1)
#: But not before so many.
FEWEST_DEALS = 32


@dataclass(frozen=True)
class Race:
    """How a race went.

    Attributes:
        best: the candidate with the highest mean of those left.
        left: the candidates left at the end.
        deals: how many deals those have played.
        means: for each candidate the mean over the deals that it played.
    """

    best: int
    left: tuple[int, ...]
    deals: int
    means: tuple[float, ...]


def run_race(
    measure: Callable[[Sequence[int], int, int], Floats],
    count: int,
    deals: int,
    is_over: Callable[[], bool] = lambda: False,
) -> Race:
    """Race `count` candidates over at most so many deals.

    Args:
        measure: called with the candidates left, the first deal and a number of deals; gives an
            array of shape (candidates, deals).
        is_over: asked after each look whether the race has to end.

    Returns:
        The race. Of equal means the first candidate's counts.
    """
    left = list(range(count))
    means = [0.0] * count
    values = np.empty((count, 0))
    done = 0
    for part in LOOKS:
        size = min(max(deals // part, FEWEST_DEALS), deals)
        if size <= done:
            continue
        values = np.concatenate([values, measure(left, done, size - done)], axis=1)
        done = size
        own = values.mean(axis=1)
        for place, candidate in enumerate(left):
            means[candidate] = float(own[place])
        leader = int(np.argmax(own))
        behind = values[leader] - values
        # Equal in all that was seen is not worse.
        errors = behind.std(axis=1, ddof=1) / np.sqrt(done) if done > 1 else np.inf
        stays = behind.mean(axis=1) <= t95(max(done - 1, 1)) * errors
        left = [candidate for candidate, stay in zip(left, stays, strict=True) if stay]
        values = values[stays]
        if len(left) == 1 or is_over():
            break
    best = max(left, key=lambda candidate: (means[candidate], -candidate))
    return Race(best, tuple(left), done, tuple(means))
