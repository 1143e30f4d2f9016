"""Shares, means, ratios and their differences by groups, from arrays.

One computation serves all. A figure is a ratio of two sums, T/B; of a share or a mean B counts
rows. Its error comes from the residuals of the clusters, (T_c - T/B B_c) / B, and that of a
difference from the differences of a cluster's two residuals. So rows of one cluster may depend on
each other in any way; clusters do not. docs/statistics.md names the sources.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.intervals import Estimate, bound_difference, bound_share, t95, wilson

Floats: TypeAlias = NDArray[np.float64]


class Measure(NamedTuple):
    """A figure: the sum of `top` over that of `bottom`; None counts rows."""

    name: str
    top: Floats
    bottom: Floats | None
    is_share: bool


class Cells(NamedTuple):
    """Rows by group and cluster: the cells of a group are independent of each other."""

    #: The cell of each row, and the group of each cell.
    of_row: NDArray[np.int64]
    group: NDArray[np.int64]
    num_groups: int
    #: The rows of each side: one, or two if the figures are differences.
    sides: tuple[NDArray[np.bool_] | slice, ...]

    @classmethod
    def make(
        cls,
        groups: NDArray[np.int64],
        num_groups: int,
        clusters: NDArray[np.int64] | None,
        is_second: NDArray[np.bool_] | None,
    ) -> Cells:
        """Cells of rows whose groups and clusters are numbered.

        Args:
            clusters: None if each row is one.
            is_second: which rows are those that are subtracted; None if nothing is.
        """
        sides = (slice(None),) if is_second is None else (~is_second, is_second)
        if clusters is None:
            return cls(np.arange(len(groups)), groups, num_groups, sides)
        num_clusters = int(clusters.max(initial=0)) + 1
        of_row, keys = pd.factorize(groups * num_clusters + clusters)
        return cls(of_row, keys // num_clusters, num_groups, sides)

    def sum_rows(self, values: Floats | None, side: NDArray[np.bool_] | slice) -> Floats:
        """Sums over the rows of each cell that are on a side; without values, their number."""
        weights = None if values is None else values[side]
        sums = np.bincount(self.of_row[side], weights, minlength=len(self.group))
        return sums.astype(np.float64)

    def sum_cells(self, values: Floats) -> Floats:
        """Sums over the cells of each group."""
        return np.bincount(self.group, values, minlength=self.num_groups).astype(np.float64)


class _Side(NamedTuple):
    """A figure on one side, by group, and what each cell adds to its error."""

    value: Floats
    residuals: Floats
    rows: Floats
    #: Cells with a part in the denominator.
    clusters: Floats

    @classmethod
    def make(cls, cells: Cells, measure: Measure, side: NDArray[np.bool_] | slice) -> _Side:
        top = cells.sum_rows(measure.top, side)
        rows = cells.sum_rows(None, side)
        bottom = rows if measure.bottom is None else cells.sum_rows(measure.bottom, side)
        base = cells.sum_cells(bottom)
        base[base == 0] = np.nan
        value = cells.sum_cells(top) / base
        residuals = (top - value[cells.group] * bottom) / base[cells.group]
        clusters = cells.sum_cells((bottom != 0).astype(np.float64))
        return cls(value, residuals, cells.sum_cells(rows), clusters)


def compute(cells: Cells, measure: Measure) -> pd.DataFrame:
    """The figures of all groups: measure, count, clusters, value, se, low, high."""
    sides = [_Side.make(cells, measure, side) for side in cells.sides]
    count = np.bincount(cells.group[cells.of_row], minlength=cells.num_groups)
    clusters = np.bincount(cells.group, minlength=cells.num_groups)
    value, residuals = sides[0].value, sides[0].residuals
    if len(sides) == 2:
        value = value - sides[1].value
        residuals = residuals - sides[1].residuals
    # What rests on a single deal has no residual, and no error that could be seen.
    ground = np.min([side.clusters for side in sides], axis=0)
    variance = np.where(ground > 1, _variance(cells.sum_cells(residuals**2), clusters), np.nan)
    if measure.is_share and len(sides) == 1:
        # Of independent rows that of the binomial distribution, as Wilson's interval has it.
        with np.errstate(invalid="ignore"):
            variance = np.where(clusters < count, variance, value * (1 - value) / count)
    se = np.sqrt(variance)
    if measure.is_share:
        bounds = [_bound_share(cells, side) for side in sides]
        low, high = bounds[0] if len(sides) == 1 else _bound_difference(cells, sides, bounds)
    else:
        half = np.array([t95(int(size) - 1) if size > 1 else math.nan for size in ground]) * se
        low, high = value - half, value + half
    return pd.DataFrame(
        {
            "measure": measure.name,
            "count": count,
            "clusters": clusters,
            "value": value,
            "se": se,
            "low": low,
            "high": high,
        }
    )


def _variance(squares: Floats, clusters: NDArray[Any]) -> Floats:
    """From the sum of squares of residuals; nan for a single cluster."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(clusters > 1, squares * clusters / (clusters - 1.0), np.nan)


def _bound_share(cells: Cells, side: _Side) -> tuple[Floats, Floats]:
    """Wilson's bounds of the share on a side."""
    variance = _variance(cells.sum_cells(side.residuals**2), side.clusters)
    figures = np.column_stack([side.value, variance, side.rows, side.clusters])
    bounds = []
    for share, spread, rows, clusters in figures.tolist():
        if not rows:
            bounds.append((math.nan, math.nan))
        elif clusters < rows:
            # A trace of rounding is no variance: one hand in a billion makes more than this.
            bounds.append(bound_share(share, spread if spread > 1e-24 else 0.0, int(clusters)))
        else:
            bounds.append(wilson(share, rows))
    low, high = np.array(bounds, np.float64).reshape(-1, 2).T
    return low, high


def _bound_difference(
    cells: Cells, sides: Sequence[_Side], bounds: Sequence[tuple[Floats, Floats]]
) -> tuple[Floats, Floats]:
    """Bounds of the difference of two shares from the bounds of each, by group."""
    ours, theirs = sides
    squares = [cells.sum_cells(np.nan_to_num(side.residuals**2)) for side in sides]
    figures = [ours.value, *bounds[0], theirs.value, *bounds[1]]
    figures += [cells.sum_cells(np.nan_to_num(ours.residuals * theirs.residuals))]
    figures += [np.sqrt(squares[0] * squares[1])]
    clusters = np.bincount(cells.group, minlength=cells.num_groups).tolist()
    found = []
    for row, size in zip(np.column_stack(figures).tolist(), clusters, strict=True):
        value, low, high, other_value, other_low, other_high, products, both = row
        one = Estimate(value, math.nan, low, high)
        other = Estimate(other_value, math.nan, other_low, other_high)
        found.append(bound_difference(one, other, products, both, size))
    least, most = np.array(found, np.float64).reshape(-1, 2).T
    return least, most


def two_sided(values: Floats, errors: Floats) -> Floats:
    """Two-sided p-values of the normal distribution; nan without an error to compare with."""
    figures = zip(values.tolist(), errors.tolist(), strict=True)
    return np.array(
        [
            math.erfc(abs(value) / error / math.sqrt(2)) if error > 0 else math.nan
            for value, error in figures
        ]
    )


def adjust(chances: Floats) -> Floats:
    """Holm's (1979) adjustment for as many comparisons as there are p-values."""
    adjusted = np.full(len(chances), np.nan)
    order = np.argsort(chances)[: np.isfinite(chances).sum()]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(chances[order] * factors), 1.0)
    return adjusted
