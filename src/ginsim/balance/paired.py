"""Figures of cells and their differences, paired by deal, from integer sums.

A figure is T/B, sums over deals of a top and a bottom. Its error comes from the residuals of the
deals, (T_i - T/B B_i) / B, and that of a difference of two cells from the differences of a deal's
two residuals: what both have in common, the cards, drops out. So sums of products suffice, and
sums of disjoint deals add up. docs/statistics.md names the sources.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ginsim.intervals import Estimate, bound_difference, bound_share, t95

#: What is summed: T, B, T², TB, B², and with the base's t and b: Tt, Tb, Bt, Bb.
NUM_SUMS = 9


@dataclass(frozen=True)
class RatioSums:
    """Integer sums of one figure over deals; those of disjoint deals add up with `+`.

    Attributes:
        deals: how many.
        sums: the nine of NUM_SUMS.
    """

    deals: int
    sums: tuple[int, ...]

    @classmethod
    def make(
        cls,
        top: NDArray[np.int64],
        bottom: NDArray[np.int64],
        base_top: NDArray[np.int64],
        base_bottom: NDArray[np.int64],
    ) -> Self:
        """Those of values by deal, a cell's and those of the base on the same deals."""
        pairs = (
            *((top, top), (top, bottom), (bottom, bottom)),
            *((top, base_top), (top, base_bottom), (bottom, base_top), (bottom, base_bottom)),
        )
        products = (int(np.dot(one, other)) for one, other in pairs)
        return cls(len(top), (int(top.sum()), int(bottom.sum()), *products))

    def __add__(self, other: Self) -> Self:
        sums = tuple(a + b for a, b in zip(self.sums, other.sums, strict=True))
        return type(self)(self.deals + other.deals, sums)

    @property
    def value(self) -> float:
        """The figure; nan if nothing is counted."""
        return self.sums[0] / self.sums[1] if self.sums[1] else math.nan

    @property
    def variance(self) -> float:
        """That of the figure; nan for fewer than two deals."""
        return _scale(self._squares(), self.deals)

    def _squares(self) -> float:
        """The sum of the squares of the residuals."""
        _, bottom, squares, products, bottoms = self.sums[:5]
        if not bottom:
            return math.nan
        value = self.value
        return max(squares - 2 * value * products + value * value * bottoms, 0.0) / bottom**2

    def estimate(self, is_share: bool) -> Estimate:
        """The figure with its 95 % interval: Wilson's of a share, else Student's."""
        return _bound(self.value, self.variance, self.deals, is_share)

    def compare(self, base: RatioSums, is_share: bool) -> Estimate:
        """The figure minus the base's, with the interval of paired deals.

        Of shares Newcombe's (1998, paired data, method 10), else Student's. Newcombe's is wide
        where deals are few and what is counted is rare; it has a width where no deal differs.
        """
        value = self.value - base.value
        ours, theirs = self._squares(), base._squares()
        both = self._products(base)
        squares = ours + theirs - 2 * both
        # A trace of rounding is no variance.
        if squares < 1e-12 * (ours + theirs):
            squares = 0.0
        se = math.sqrt(_scale(squares, self.deals))
        if not is_share:
            half = t95(self.deals - 1) * se if self.deals > 1 else math.nan
            return Estimate(value, se, value - half, value + half)
        low, high = bound_difference(
            self.estimate(True), base.estimate(True), both, math.sqrt(ours * theirs), self.deals
        )
        return Estimate(value, se, low, high)

    def _products(self, base: RatioSums) -> float:
        """The sum of the products of both residuals."""
        tops, top_bottom, bottom_top, bottoms = self.sums[5:]
        if not self.sums[1] or not base.sums[1]:
            return math.nan
        mine, other = self.value, base.value
        total = tops - other * top_bottom - mine * bottom_top + mine * other * bottoms
        return total / (self.sums[1] * base.sums[1])


def _scale(squares: float, deals: int) -> float:
    return squares * deals / (deals - 1) if deals > 1 else math.nan


def _bound(value: float, variance: float, deals: int, is_share: bool) -> Estimate:
    se = math.sqrt(variance)
    if math.isnan(value):
        return Estimate(value, se, math.nan, math.nan)
    if is_share:
        # A trace of rounding is no variance: one hand in a billion makes more than this.
        low, high = bound_share(value, variance if variance > 1e-24 else 0.0, deals)
        return Estimate(value, se, low, high)
    half = t95(deals - 1) * se if deals > 1 else math.nan
    return Estimate(value, se, value - half, value + half)
