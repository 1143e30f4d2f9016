"""Races on figures made up here, whose means are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ginsim.races import LOOKS, run_race

Floats = NDArray[np.float64]


class Track:
    """Candidates with these means, on deals that all of them share."""

    def __init__(self, means: Sequence[float], noise: float, own: float, seed: int) -> None:
        random = np.random.Generator(np.random.Philox(seed))
        common = noise * random.standard_normal(4096)
        self.values = np.array(means)[:, None] + common
        self.values += own * random.standard_normal(self.values.shape)
        self.played: list[tuple[tuple[int, ...], int, int]] = []

    def measure(self, left: Sequence[int], first: int, count: int) -> Floats:
        self.played.append((tuple(left), first, count))
        return self.values[list(left), first : first + count]


def test_the_hindmost_are_dropped_early_and_the_best_wins() -> None:
    # What all share is a hundred times what is between them, as the luck of a deal.
    track = Track([0.0, 1.0, 0.9, -1.0, 0.1], noise=100.0, own=0.5, seed=1)
    race = run_race(track.measure, 5, 4096)
    assert race.best == 1
    assert race.left == (1,)
    # Far behind is out at the first look; a tenth behind takes more deals.
    assert track.played[0] == ((0, 1, 2, 3, 4), 0, 256)
    assert track.played[1][0] == (1, 2)
    assert race.means[1] == track.values[1, : race.deals].mean()
    # Each look goes on where the one before ended.
    ends = [first + count for _, first, count in track.played]
    assert [first for _, first, _ in track.played] == [0, *ends[:-1]]


def test_equals_stay_and_the_first_counts() -> None:
    values = np.arange(64.0) % 7
    race = run_race(
        lambda left, first, count: np.tile(values[first : first + count], (3, 1)), 3, 64
    )
    assert (race.best, race.left, race.deals) == (0, (0, 1, 2), 64)


def test_a_race_ends_when_it_has_to() -> None:
    track = Track([0.0, 0.0], noise=1.0, own=1.0, seed=3)
    race = run_race(track.measure, 2, 4096, is_over=lambda: True)
    assert race.deals == 4096 // LOOKS[0]
    one = run_race(track.measure, 2, 1)
    assert (one.deals, len(one.left)) == (1, 2)


def test_the_best_is_seldom_dropped() -> None:
    """Two candidates a standard error of the whole race apart: a look drops either with 2.5 %.

    Five looks drop the better one with less than 12.5 %, far less since it is better; of 400 races
    50 would be that much.
    """
    wrong = lost = 0
    for seed in range(400):
        track = Track([1 / 32, 0.0], noise=10.0, own=2**-0.5, seed=seed)
        race = run_race(track.measure, 2, 1024)
        lost += 0 not in race.left
        wrong += race.best != 0
    assert lost < 40
    # A standard normal number below -1: 16 %.
    assert 0.10 < wrong / 400 < 0.24
