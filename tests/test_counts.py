"""Exact counts of hands, which see errors that no sample of hands would.

Sources: gin hands of ten cards and melded hands of eleven cards, and ten-card hands without a
meld, are published counts (shared by several independent enumerations); the small ones are
counted by hand below.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from ginsim import _count

# Chunks of the largest suit, of roughly equal work.
EDGES = (0, 128, 256, 512, 1024, 1536, 2048, 2560, 3072, 4096, 5120, 6144, 8192)


def count(num_cards: int, after_discard: bool = False) -> tuple[NDArray[np.int64], int]:
    """Hands by deadwood, and hands without a meld, counted in pieces on two threads."""
    with ThreadPoolExecutor(2) as pool:
        parts = list(
            pool.map(
                lambda edge: _count.count_deadwoods(num_cards, edge[0], edge[1], after_discard),
                pairwise(EDGES),
            )
        )
    counts = np.array([part[0] for part in parts]).sum(axis=0)
    return counts, sum(part[1] for part in parts)


def test_ten_cards() -> None:
    counts, unmelded = count(10)
    assert counts.sum() == comb(52, 10) == 15_820_024_220
    assert counts[0] == 136_694
    assert unmelded == 9_525_123_396
    # The largest deadwood of ten cards: K K Q Q J J T T 9 9.
    assert np.flatnonzero(counts)[-1] == 98


@pytest.mark.slow
def test_eleven_cards() -> None:
    counts, _ = count(11)
    assert counts.sum() == comb(52, 11)
    assert counts[0] == 147_204


def test_few_cards() -> None:
    for num_cards in range(8):
        counts, _ = count(num_cards)
        assert counts.sum() == comb(52, num_cards)
    assert _count.count_deadwoods(0)[0][0] == 1
    # Three cards: 13 * 4 sets and 4 * 11 runs.
    counts, unmelded = count(3)
    assert counts[0] == 52 + 44
    assert unmelded == comb(52, 3) - 96
    # Four cards: 13 sets of four, 4 * 10 runs of four.
    assert count(4)[0][0] == 13 + 40
    # One card: four of each pip value, sixteen tens.
    assert count(1)[0][:11].tolist() == [0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16]


def test_bad_ranges_are_refused() -> None:
    with pytest.raises(ValueError, match="num_cards is 0 to 11, got 12"):
        _count.count_deadwoods(12)
    with pytest.raises(ValueError, match="0 <= first <= last <= 8192"):
        _count.count_deadwoods(3, 5, 4)
