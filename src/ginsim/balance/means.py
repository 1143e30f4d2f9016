"""Means of several responses over the same clusters (deals, or solves), and their covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginsim.checks import check_whole
from ginsim.errors import OptionError, refuse
from ginsim.intervals import t95

Floats: TypeAlias = NDArray[np.float64]


class Means(NamedTuple):
    """Means of several responses over the same clusters.

    Attributes:
        values: shape (cells,).
        covariance: of the means, not of a cluster's responses; shape (cells, cells).
        clusters: how many there are, 2 or more.
    """

    values: Floats
    covariance: Floats
    clusters: int

    @property
    def se(self) -> Floats:
        """Standard errors."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def quantile(self) -> float:
        """The 97.5 % point of Student's t for these clusters."""
        return t95(self.clusters - 1)

    def combine(self, weights: ArrayLike) -> Means:
        """Linear combinations: rows of weights, such as (1, -1) for a paired difference."""
        matrix = np.atleast_2d(np.asarray(weights, np.float64))
        if matrix.ndim != 2 or matrix.shape[1] != len(self.values):
            allowed = f"rows of {len(self.values)} weights, one a cell"
            raise OptionError(refuse("weights", list(matrix.shape), allowed))
        return Means(matrix @ self.values, matrix @ self.covariance @ matrix.T, self.clusters)

    def divide(self, tops: Sequence[int], bottoms: Sequence[int]) -> Means:
        """Ratios of means by the delta method, as of points to turns.

        Args:
            tops, bottoms: the cells of each ratio's numerator and denominator.

        Raises:
            OptionError: if a denominator is zero.
        """
        above, below = self.values[list(tops)], self.values[list(bottoms)]
        if not below.all():
            cell = bottoms[int(np.flatnonzero(below == 0)[0])]
            raise OptionError(refuse(f"mean of cell {cell}", 0.0, "a denominator that is not 0"))
        gradient = np.zeros((len(above), len(self.values)))
        rows = np.arange(len(above))
        gradient[rows, list(tops)] += 1 / below
        gradient[rows, list(bottoms)] -= above / below**2
        return Means(above / below, gradient @ self.covariance @ gradient.T, self.clusters)


@dataclass(frozen=True)
class CrossSums:
    """Exact sums from which means and their covariance come; those of disjoint clusters add up.

    Attributes:
        count: clusters.
        totals: for each cell the sum of responses.
        products: for each two cells the sum of products of a cluster's responses.
        scale: what the integers are divided by: 2 if they count half points.
    """

    count: int
    totals: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    scale: int = 1

    @classmethod
    def from_responses(cls, responses: ArrayLike, scale: int = 1) -> CrossSums:
        """The sums of an array of whole numbers, shape (clusters, cells).

        Raises:
            OptionError: if the shape is another, or a response is no whole number.
        """
        array = np.asarray(responses)
        if array.ndim != 2:
            allowed = "an array of clusters by cells"
            raise OptionError(refuse("responses", list(array.shape), allowed))
        if array.dtype.kind not in "biu":
            with np.errstate(invalid="ignore"):
                wrong = array[array % 1 != 0] if array.dtype.kind in "fO" else array.ravel()
            if len(wrong):
                allowed = "whole numbers; fractions as multiples of 1 / scale"
                raise OptionError(refuse("responses", wrong.tolist()[0], allowed))
        scale = check_whole("scale", scale, 1, None)
        count, cells = array.shape
        peak = max(int(array.max(initial=0)), -int(array.min(initial=0)), 1)
        total: Any = np.zeros(cells, object)
        product: Any = np.zeros((cells, cells), object)
        # Sums of so few rows are whole numbers that a double holds exactly, in any order.
        rows = min(2**53 // peak**2, 2**16)
        if rows:
            for start in range(0, count, rows):
                part = array[start : start + rows].astype(np.float64)
                total += part.sum(axis=0).astype(np.int64).astype(object)
                product += (part.T @ part).astype(np.int64).astype(object)
        else:
            exact: Any = np.array([[int(value) for value in row] for row in array.tolist()], object)
            total, product = exact.sum(axis=0), exact.T @ exact
        return cls(
            count, tuple(map(int, total)), tuple(tuple(map(int, row)) for row in product), scale
        )

    def __add__(self, other: CrossSums) -> CrossSums:
        if not isinstance(other, CrossSums):
            return NotImplemented
        ours, theirs = (len(self.totals), self.scale), (len(other.totals), other.scale)
        if ours != theirs:
            raise OptionError(
                refuse("sums", list(theirs), f"{ours[0]} cells of scale {ours[1]}, as the others")
            )
        pairs = zip(self.products, other.products, strict=True)
        return CrossSums(
            self.count + other.count,
            tuple(map(sum, zip(self.totals, other.totals, strict=True))),
            tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in pairs),
            self.scale,
        )

    def average(self) -> Means:
        """The means and their covariance; each number is rounded once.

        Raises:
            OptionError: of less than two clusters, which have no covariance.
        """
        count = self.count
        if count < 2:
            raise OptionError(refuse("clusters", count, "2 or more"))
        values = [total / (count * self.scale) for total in self.totals]
        base = count**2 * (count - 1) * self.scale**2
        covariance = [
            [
                (count * product - one * other) / base
                for product, other in zip(row, self.totals, strict=True)
            ]
            for one, row in zip(self.totals, self.products, strict=True)
        ]
        shape = (len(values), len(values))
        return Means(np.array(values, float), np.array(covariance, float).reshape(shape), count)


def average(responses: ArrayLike) -> Means:
    """Means of any numbers, shape (clusters, cells); whole ones are better kept as `CrossSums`.

    Raises:
        OptionError: if the shape is another, a number is not finite, or there is one cluster.
    """
    array = check_numbers("responses", responses, 2)
    if len(array) < 2:
        raise OptionError(refuse("clusters", len(array), "2 or more"))
    values = array.mean(axis=0)
    residuals = array - values
    # np.cov would give a number for a single cell.
    covariance = residuals.T @ residuals / (len(array) * (len(array) - 1))
    return Means(values, covariance, len(array))


# ---------------------------------------------------------------- checks


def check_covariance(covariance: ArrayLike, cells: int) -> Floats:
    """A covariance matrix of so many cells.

    Raises:
        OptionError: if it has another shape, is not symmetric, or gives a combination of cells a
            negative variance.
    """
    matrix = check_numbers("covariance", covariance, 2)
    if matrix.shape != (cells, cells):
        raise OptionError(refuse("covariance", list(matrix.shape), f"shape [{cells}, {cells}]"))
    trace = 1e-9 * float(np.abs(matrix).max(initial=0.0))
    if np.abs(matrix - matrix.T).max(initial=0.0) > trace:
        raise OptionError(refuse("covariance", matrix.tolist(), "a symmetric matrix"))
    least = float(np.linalg.eigvalsh(matrix).min(initial=0.0))
    if least < -trace * cells:
        raise OptionError(
            refuse("covariance", matrix.tolist(), "a matrix without negative variances")
        )
    return (matrix + matrix.T) / 2


def check_spread(
    covariance: ArrayLike | None, errors: ArrayLike | None, cells: int, *, are_independent: bool
) -> Floats:
    """The covariance, from standard errors if these are given."""
    if (covariance is None) == (errors is None):
        given = "neither" if errors is None else "both"
        raise OptionError(refuse("covariance, errors", given, "one of them"))
    if covariance is not None:
        return check_covariance(covariance, cells)
    assert errors is not None
    array = check_numbers("errors", errors, 1)
    if len(array) != cells or (array < 0).any():
        allowed = f"{cells} numbers, one a cell, none negative"
        raise OptionError(refuse("errors", array.tolist(), allowed))
    return np.diag(array**2) if are_independent else np.outer(array, array)


def check_numbers(name: str, values: ArrayLike, dimensions: int) -> Floats:
    """An array of finite numbers."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise OptionError(refuse(name, values, "numbers")) from None
    if array.ndim != dimensions:
        allowed = f"{dimensions} dimension{'s' if dimensions > 1 else ''}"
        raise OptionError(refuse(name, list(array.shape), allowed))
    if not np.isfinite(array).all():
        wrong = array[~np.isfinite(array)][0].item()
        raise OptionError(refuse(name, wrong, "finite numbers"))
    return array
