"""Where a difference is zero, and for which values the data cannot tell it from zero.

A difference is known at some values of a field, its cells, all played on the same clusters (deals,
or solves). Its confidence set of roots has every value at which zero lies within the 95 % interval
of the difference: it contains each true root with 95 %, whatever its shape (Fieller 1954, "Some
problems in interval estimation", J. R. Stat. Soc. B 16, for the line). Such a set may be empty, in
several parts or without a bound; all of that is an answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ginsim.balance.means import (
    Floats,
    Means,
    average,
    check_covariance,
    check_numbers,
    check_spread,
)
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Z95

Interval: TypeAlias = tuple[float, float]
Kind: TypeAlias = Literal["none", "one", "several", "unbounded", "all"]

#: Solves of which the noise of the solver is estimated.
FEWEST_SOLVES = 5

EVERYWHERE: Interval = (-math.inf, math.inf)


@dataclass(frozen=True)
class RootSet:
    """Roots of a difference, and the confidence set of roots.

    Attributes:
        kind: the shape of the confidence set.
            `none`: it is empty; the difference has the same `sign` wherever it was looked for.
            `one`: one part, bounded on both sides.
            `several`: two parts or more, all bounded.
            `unbounded`: some values are excluded, but a part runs to infinity or past the end of
            what was looked at (`is_open`).
            `all`: nothing is excluded.
        roots: where the estimated difference is zero, in rising order; where it is zero over a
            stretch, the ends of that. A part of the set may hold several of them, or none.
        directions: for each root 1 if the difference rises there, -1 if it falls, 0 if it only
            touches zero.
        intervals: the parts of the confidence set as (low, high), in rising order; infinite
            where a part has no end.
        sign: that of the difference if `kind` is `none`, else 0.
        bounds: the least and the greatest value with data.
        is_open: whether the set runs on below its first and above its last part.
    """

    kind: Kind
    roots: tuple[float, ...]
    directions: tuple[int, ...]
    intervals: tuple[Interval, ...]
    sign: int
    bounds: Interval
    is_open: tuple[bool, bool]

    @property
    def root(self) -> float:
        """The root if there is exactly one, else nan."""
        return self.roots[0] if len(self.roots) == 1 else math.nan

    @property
    def is_extrapolated(self) -> bool:
        """Whether a root lies outside the values with data."""
        return any(not self.bounds[0] <= root <= self.bounds[1] for root in self.roots)

    def __contains__(self, value: float) -> bool:
        """Whether a value is in the confidence set."""
        return any(low <= value <= high for low, high in self.intervals)


def fit_line(x: ArrayLike, means: Means) -> Means:
    """Intercept and slope by least squares, with their covariance.

    It is meant for responses that are linear in x, as prices of the same hands are in a bonus; of
    others it says nothing about how well the line fits.

    Args:
        x: the value of each cell, two different ones at least.
    """
    cells = check_numbers("x", x, 1)
    if len(cells) != len(means.values):
        raise OptionError(refuse("x", len(cells), f"a value for each of {len(means.values)} cells"))
    centred = cells - cells.mean()
    if not centred.any():
        raise OptionError(refuse("x", cells.tolist(), "two different values or more"))
    slope = centred / (centred @ centred)
    intercept = 1 / len(cells) - cells.mean() * slope
    line = means.combine([intercept, slope])
    # What rounding leaves of a response that does not depend on x is no slope.
    reach = float(np.ptp(cells))
    trace = 1e-13 * float(np.abs(means.values).max(initial=0.0)) / reach
    spread = 1e-13 * float(np.abs(means.covariance).max(initial=0.0)) / reach**2
    if abs(line.values[1]) <= trace and line.covariance[1, 1] <= spread:
        line = means.combine([np.full(len(cells), 1 / len(cells)), np.zeros(len(cells))])
    return line


def fieller(
    intercept: float,
    slope: float,
    covariance: ArrayLike,
    z: float = Z95,
    *,
    bounds: Interval = EVERYWHERE,
    limits: Interval = EVERYWHERE,
) -> RootSet:
    """The root of a difference that is linear in x, with its confidence set (Fieller 1954).

    The set has all x with (intercept + slope x)² <= z² var(intercept + slope x). It is bounded just
    if the slope differs from zero at the same level; else it is all x, or all but an interval.

    Args:
        covariance: of intercept and slope, shape (2, 2).
        z: the quantile; `Means.quantile` where the covariance is estimated.
        bounds: the range of x with data, which says what is extrapolated.
        limits: what x can be; the set and the root are cut to it.

    Raises:
        OptionError: if a number is not finite, or the covariance is none.
    """
    a, b = check_numbers("intercept and slope", [intercept, slope], 1).tolist()
    spread = check_covariance(covariance, 2)
    z = _check_quantile(z)
    limits, bounds = _check_range("limits", limits), _check_range("bounds", bounds)
    (va, vab), (_, vb) = spread.tolist()
    parts = _solve(a, b, va, vab, vb, z)
    intervals = [
        (max(low, limits[0]), min(high, limits[1]))
        for low, high in parts
        if low <= limits[1] and high >= limits[0]
    ]
    root = -a / b if b else math.nan
    roots = [root + 0.0] if limits[0] <= root <= limits[1] else []
    # Without a root within the limits the line has one sign there.
    somewhere = min(max(0.0, limits[0]), limits[1])
    return _make(
        roots,
        [_sign(b)] * len(roots),
        intervals,
        sign=_sign(a + b * somewhere),
        whole=limits,
        bounds=bounds,
        limits=limits,
    )


def invert(
    x: ArrayLike,
    difference: ArrayLike,
    covariance: ArrayLike | None = None,
    z: float = Z95,
    *,
    errors: ArrayLike | None = None,
    limits: Interval = EVERYWHERE,
) -> RootSet:
    """The roots of a difference on a grid, with their confidence set, by inversion.

    Between cells the difference is interpolated linearly, and so is each cluster's: the error
    between two cells follows from theirs and their covariance. Each root of the interpolated truth
    is in the set with 95 %; how far the truth bends between cells is not part of it. Nothing is
    said beyond the first and last cell: a part that reaches one of them is open there.

    Args:
        x: the values of the cells, rising.
        difference: its mean at each.
        covariance: of these means, shape (cells, cells).
        z: the quantile; `Means.quantile` where the covariance is estimated.
        errors: standard errors instead of the covariance. Between cells they are interpolated
            linearly, which is the most that any covariance can give.
        limits: what x can be. A part that ends there is not open.

    Raises:
        OptionError: if there are fewer than two cells, they do not rise, a number is not finite, or
            the covariance is none.
    """
    cells = check_numbers("x", x, 1)
    if len(cells) < 2:
        raise OptionError(refuse("x", cells.tolist(), "two cells or more"))
    if (np.diff(cells) <= 0).any():
        raise OptionError(refuse("x", cells.tolist(), "rising values"))
    values = check_numbers("difference", difference, 1)
    if len(values) != len(cells):
        raise OptionError(refuse("difference", len(values), f"{len(cells)} numbers, one a cell"))
    spread = check_spread(covariance, errors, len(cells), are_independent=False)
    z = _check_quantile(z)
    limits = _check_range("limits", limits)
    parts: list[Interval] = []
    for i in range(len(cells) - 1):
        (first, both), (_, last) = spread[i : i + 2, i : i + 2].tolist()
        start, step = values[i].item(), (values[i + 1] - values[i]).item()
        inside = _solve(start, step, first, both - first, max(first - 2 * both + last, 0.0), z)
        for low, high in inside:
            # Rounding must not part what meets in a cell.
            if low <= 1 + _TRACE and high >= -_TRACE:
                ends = (_place(cells, i, low), _place(cells, i, high))
                if parts and ends[0] <= parts[-1][1]:
                    parts[-1] = (parts[-1][0], max(ends[1], parts[-1][1]))
                else:
                    parts.append(ends)
    roots, directions = _find_crossings(cells, values)
    bounds = (cells[0].item(), cells[-1].item())
    return _make(
        roots,
        directions,
        parts,
        sign=_sign(values[0].item()),
        whole=bounds,
        bounds=bounds,
        limits=limits,
    )


def invert_solves(
    x: ArrayLike, differences: ArrayLike, *, limits: Interval = EVERYWHERE
) -> RootSet:
    """The roots where the players are solved anew in each cell, with the solver's noise in the set.

    Each solve starts from its own seed and is judged on its own deals, so that differences vary
    from solve to solve by both noises; their means are inverted with Student's t of as many solves.

    Args:
        x: the values of the cells, rising.
        differences: shape (solves, cells).

    Raises:
        OptionError: if there are fewer than five solves, or as in `invert`.
    """
    array = check_numbers("differences", differences, 2)
    if len(array) < FEWEST_SOLVES:
        raise OptionError(refuse("solves", len(array), f"{FEWEST_SOLVES} or more"))
    means = average(array)
    return invert(x, means.values, means.covariance, means.quantile, limits=limits)


# ---------------------------------------------------------------- the sets

#: Of a cell's width: less is rounding.
_TRACE = 1e-9


def _solve(a: float, b: float, va: float, vab: float, vb: float, z: float) -> list[Interval]:
    """All x with (a + b x)² <= z² (va + 2 vab x + vb x²), as rising intervals."""
    square = b * b - z * z * vb
    half = a * b - z * z * vab
    constant = a * a - z * z * va
    # half² - square * constant, without the terms that cancel: zero if there is no variance.
    determinant = max(va * vb - vab * vab, 0.0)
    found = z * z * (a * a * vb - 2 * a * b * vab + b * b * va - z * z * determinant)
    if square == 0:
        if half == 0:
            return [EVERYWHERE] if constant <= 0 else []
        end = -constant / (2 * half)
        return [(-math.inf, end) if half > 0 else (end, math.inf)]
    if found <= 0:
        # If the parabola opens upward its least value is not positive: that is at the root.
        return [(-a / b + 0.0,) * 2] if square > 0 else [EVERYWHERE]
    pivot = -(half + math.copysign(math.sqrt(found), half))
    low, high = sorted((pivot / square, constant / pivot))
    if square > 0:
        return [(min(low, -a / b), max(high, -a / b))]
    return [(-math.inf, low), (high, math.inf)]


def _place(cells: Floats, i: int, part: float) -> float:
    """The value at a part of the way from a cell to the next, those ends included exactly."""
    start, end = cells[i : i + 2].tolist()
    if part <= _TRACE:
        return float(start)
    if part >= 1 - _TRACE:
        return float(end)
    return float(start + part * (end - start))


def _find_crossings(cells: Floats, values: Floats) -> tuple[list[float], list[int]]:
    """The roots of the interpolated difference, and their directions."""
    signs = np.sign(values).astype(int).tolist()
    roots, directions = [], []
    for i, sign in enumerate(signs):
        after = signs[i + 1] if i + 1 < len(signs) else 0
        if sign == 0:
            before = signs[i - 1] if i else 0
            # Within a stretch of zeros only its ends are roots.
            if before or after or i in (0, len(signs) - 1):
                roots.append(cells[i].item())
                directions.append(_sign(after - before) if before * after <= 0 else 0)
        elif sign * after < 0:
            part = values[i] / (values[i] - values[i + 1])
            roots.append((cells[i] + part * (cells[i + 1] - cells[i])).item())
            directions.append(after)
    return roots, directions


def _make(
    roots: Sequence[float],
    directions: Sequence[int],
    intervals: Sequence[Interval],
    *,
    sign: int,
    whole: Interval,
    bounds: Interval,
    limits: Interval,
) -> RootSet:
    """The set of these parts, of which `whole` would be everything."""
    kind: Kind
    is_open = (False, False)
    if intervals:
        low, high = intervals[0][0], intervals[-1][1]
        is_open = (
            low == -math.inf or (low == whole[0] and limits[0] < low),
            high == math.inf or (high == whole[1] and high < limits[1]),
        )
    if not intervals:
        kind = "none"
    elif tuple(intervals) == (whole,):
        kind = "all"
    elif any(is_open):
        kind = "unbounded"
    else:
        kind = "one" if len(intervals) == 1 else "several"
    return RootSet(
        kind,
        tuple(roots),
        tuple(directions),
        tuple(intervals),
        sign if kind == "none" else 0,
        bounds,
        is_open,
    )


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


# ---------------------------------------------------------------- checks


def _check_quantile(z: float) -> float:
    if not (math.isfinite(z) and z >= 0):
        raise OptionError(refuse("z", float(z), "a number from 0"))
    return float(z)


def _check_range(name: str, pair: Interval) -> Interval:
    low, high = pair
    if not low <= high:
        raise OptionError(refuse(name, [low, high], "low, then high"))
    return float(low), float(high)
