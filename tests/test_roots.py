"""Roots of differences and their confidence sets: by hand, against slow twins, a thousand studies.

Of 1,000 intervals at 95 % the share that covers has a standard error of 0.69 %; the bounds of 93.2
and 96.8 % are 2.6 of them away, so that each figure gives a false alarm with 1 %.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ginsim.balance.means import CrossSums, Means, average
from ginsim.balance.roots import fieller, fit_line, invert, invert_solves
from ginsim.errors import OptionError
from ginsim.intervals import Z95, estimate_mean, estimate_ratio, t95

INF = math.inf
NOTHING = [[0, 0], [0, 0]]
STUDIES = 1000


def approximate(intervals):
    return [pytest.approx(pair) for pair in intervals]


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("line", "covariance", "kind", "roots", "intervals"),
    [
        # (x - 5)² <= 4
        ((-5, 1), [[4, 0], [0, 0]], "one", [5], [(3, 7)]),
        # 4 x² <= 3 + x²
        ((0, 2), [[3, 0], [0, 1]], "one", [0], [(-1, 1)]),
        # 4 (x - 1)² <= 1 + x + x²: x² - 3 x + 1 <= 0
        ((-2, 2), [[1, 0.5], [0.5, 1]], "one", [1], [(1.5 - 1.25**0.5, 1.5 + 1.25**0.5)]),
        # 4 <= x²
        ((2, 0), [[0, 0], [0, 1]], "unbounded", [], [(-INF, -2), (2, INF)]),
        # (2 + x)² <= x²: 4 + 4 x <= 0
        ((2, 1), [[0, 0], [0, 1]], "unbounded", [-2], [(-INF, -1)]),
        # (2 - x)² <= x²
        ((2, -1), [[0, 0], [0, 1]], "unbounded", [2], [(1, INF)]),
        # 1 <= 4 + x²
        ((1, 0), [[4, 0], [0, 1]], "all", [], [(-INF, INF)]),
        ((1, 0), [[1, 0], [0, 0]], "all", [], [(-INF, INF)]),
        ((0, 0), NOTHING, "all", [], [(-INF, INF)]),
        # Parallel lines, apart by more than their error.
        ((2, 0), [[1, 0], [0, 0]], "none", [], []),
        ((2, 0), NOTHING, "none", [], []),
        ((-3, 0.2), NOTHING, "one", [3 / 0.2], [(3 / 0.2, 3 / 0.2)]),
        ((0, -4), NOTHING, "one", [0], [(0, 0)]),
    ],
)
def test_lines_by_hand(line, covariance, kind, roots, intervals) -> None:
    found = fieller(line[0], line[1], covariance, z=1)
    assert (found.kind, list(found.roots)) == (kind, roots)
    assert list(found.intervals) == approximate(intervals)
    assert found.sign == (1 if kind == "none" else 0)
    assert list(found.directions) == [int(math.copysign(1, line[1]))] * len(roots)
    assert found.is_open == (
        bool(intervals) and intervals[0][0] == -INF,
        bool(intervals) and intervals[-1][1] == INF,
    )


def test_sets_of_lines_against_their_definition() -> None:
    """Whether zero is in the interval of the line, asked at many values of many lines."""
    random = np.random.default_rng(11)
    kinds = set()
    for _ in range(400):
        a, b = random.normal(size=2) * random.choice([0.3, 1, 3])
        root = random.normal(size=(2, random.integers(1, 3)))
        spread = root @ root.T
        found = fieller(a, b, spread, z=1.5)
        kinds.add(found.kind)
        for x in random.normal(size=30) * 5:
            gap = (a + b * x) ** 2 - 1.5**2 * (np.array([1, x]) @ spread @ np.array([1, x]))
            if abs(gap) > 1e-9:
                assert (x in found) == (gap < 0), (a, b, spread, x)
        # The point estimate is always in the set.
        assert all(low <= high for low, high in found.intervals)
        assert found.root in found
    assert kinds == {"one", "unbounded", "all"}


def test_limits_cut_the_set_of_a_line() -> None:
    # (x - 5)² <= 4
    line = (-5, 1, [[4, 0], [0, 0]], 1)
    cut = fieller(*line, limits=(4, 50))
    assert (cut.kind, cut.intervals, cut.roots) == ("one", ((4.0, 7.0),), (5.0,))
    rest = fieller(*line, limits=(6, 50))
    assert (rest.kind, rest.intervals, rest.roots) == ("one", ((6.0, 7.0),), ())
    assert math.isnan(rest.root)
    # No bonus of these makes it even: too low all along, or too high.
    below, above = fieller(*line, limits=(-INF, 2)), fieller(*line, limits=(8, INF))
    assert (below.kind, below.sign) == ("none", -1)
    assert (above.kind, above.sign) == ("none", 1)
    assert fieller(*line, limits=(4, 6)).kind == "all"
    # Rays with an end are intervals.
    rays = fieller(2, 0, [[0, 0], [0, 1]], 1, limits=(-3, 3))
    assert (rays.kind, rays.intervals) == ("several", ((-3.0, -2.0), (2.0, 3.0)))
    assert fieller(2, 0, [[0, 0], [0, 1]], 1, limits=(0, INF)).kind == "unbounded"


def test_a_root_outside_the_data_is_extrapolated() -> None:
    line = (-5, 1, [[4, 0], [0, 0]], 1)
    assert fieller(*line, bounds=(0, 4)).is_extrapolated
    assert not fieller(*line, bounds=(0, 5)).is_extrapolated
    assert not fieller(*line).is_extrapolated


def test_a_line_is_fitted_by_least_squares() -> None:
    """Hand: through 1, 3, 2 at 0, 1, 2 the slope is 1/2 and the intercept 3/2."""
    line = fit_line([0, 1, 2], Means(np.array([1.0, 3.0, 2.0]), np.eye(3), 10))
    assert line.values == pytest.approx([1.5, 0.5])
    # Variance of independent errors 1: 1/3 + 1/2, 1/2; covariance -1/2.
    assert line.covariance == pytest.approx(np.array([[5 / 6, -1 / 2], [-1 / 2, 1 / 2]]))
    assert line.clusters == 10
    for x in ([1, 1, 1], [1, 2], [1, math.nan, 2]):
        with pytest.raises(OptionError, match=r"^x: "):
            fit_line(x, Means(np.zeros(3), np.eye(3), 10))


# ---------------------------------------------------------------- grids


def test_a_root_between_two_cells_by_hand() -> None:
    """From -1 at 0 to 1 at 10, errors 0.1 without correlation: with z = 1 and t in tenths,

    (2 t - 1)² = 0.01 ((1 - t)² + t²): 3.98 t² - 3.98 t + 0.99 = 0.
    """
    half = math.sqrt(0.25 - 0.99 / 3.98)
    found = invert([0, 10], [-1, 1], [[0.01, 0], [0, 0.01]], 1)
    assert (found.kind, found.roots, found.directions) == ("one", (5.0,), (1,))
    assert list(found.intervals) == approximate([(5 - 10 * half, 5 + 10 * half)])
    # Errors alone: as if both cells moved together, ± 0.1 all along.
    found = invert([0, 10], [-1, 1], errors=[0.1, 0.1], z=1)
    assert list(found.intervals) == approximate([(4.5, 5.5)])


@pytest.mark.parametrize(
    ("difference", "kind", "roots", "directions", "intervals", "sign"),
    [
        ([-2, -1, 1, 2], "one", [1.5], [1], [(1.25, 1.75)], 0),
        ([1, -1, -1, 1], "several", [0.5, 2.5], [-1, 1], [(0.25, 0.75), (2.25, 2.75)], 0),
        ([3, 2, 1, 0.6], "none", [], [], [], 1),
        ([-3, -2, -1, -0.6], "none", [], [], [], -1),
        # Near zero in the middle, without a root of the estimate.
        ([2, 0.25, 2, 2], "one", [], [], [(1 - 0.25 / 1.75, 1 + 0.25 / 1.75)], 0),
        # Past the end.
        ([2, 1, 0.25, 0], "unbounded", [3], [-1], [(2 - 1 / 3, 3)], 0),
        ([0.25, 2, 2, 2], "unbounded", [], [], [(0, 1 / 7)], 0),
        ([0.1, -0.2, 0.3, 0.4], "all", [1 / 3, 1.4], [-1, 1], [(0, 3)], 0),
        # In a cell: crossed, touched, for a while.
        ([-1, 0, 1, 2], "one", [1], [1], [(0.5, 1.5)], 0),
        ([1, 0, 1, 2], "one", [1], [0], [(0.5, 1.5)], 0),
        ([1, 0, 0, -1], "one", [1, 2], [-1, -1], [(0.5, 2.5)], 0),
    ],
)
def test_grids_by_hand(difference, kind, roots, directions, intervals, sign) -> None:
    """Cells 0, 1, 2, 3 with a common error of 0.5 that moves all of them together."""
    found = invert([0, 1, 2, 3], difference, np.full((4, 4), 0.25), 1)
    assert (found.kind, found.sign) == (kind, sign)
    assert list(found.roots) == pytest.approx(roots)
    assert list(found.directions) == directions
    assert list(found.intervals) == approximate(intervals)
    assert found.bounds == (0.0, 3.0)
    assert not found.is_extrapolated


def test_ends_of_the_grid_are_open_unless_they_are_limits() -> None:
    falls = ([0, 1, 2], [2, 1, 0.25], np.full((3, 3), 0.25), 1)
    assert invert(*falls).is_open == (False, True)
    assert invert(*falls, limits=(0, 5)).kind == "unbounded"
    closed = invert(*falls, limits=(0, 2))
    assert (closed.kind, closed.is_open) == ("one", (False, False))
    rises = ([0, 1, 2], [0.25, 1, 2], np.full((3, 3), 0.25), 1)
    assert invert(*rises).is_open == (True, False)
    assert invert(*rises, limits=(0, INF)).kind == "one"


def test_without_variance_the_set_is_the_roots() -> None:
    found = invert([0, 10, 20, 30], [1, -1, 0, 3], np.zeros((4, 4)))
    assert found.kind == "several"
    assert found.roots == (5.0, 20.0)
    assert found.intervals == ((5.0, 5.0), (20.0, 20.0))
    nothing = invert([0, 10, 20], [0, 0, 0], np.zeros((3, 3)))
    assert (nothing.kind, nothing.roots) == ("all", (0.0, 20.0))


def test_sets_of_grids_against_each_clusters_own_line() -> None:
    """Each cluster's responses are interpolated, and their mean is tested at many values."""
    random = np.random.default_rng(12)
    kinds = set()
    for _ in range(150):
        size = int(random.integers(2, 7))
        x = np.cumsum(random.uniform(0.5, 3, size))
        common = random.normal(size=(12, 1)) * random.uniform(0, 2)
        responses = random.normal(size=size) * 2 + common + random.normal(size=(12, size))
        means = average(responses)
        found = invert(x, means.values, means.covariance, means.quantile)
        kinds.add(found.kind)
        for value in random.uniform(x[0], x[-1], 40):
            own = np.array([np.interp(value, x, row) for row in responses])
            gap = abs(own.mean()) - t95(11) * own.std(ddof=1) / math.sqrt(12)
            if abs(gap) > 1e-9:
                assert (value in found) == (gap < 0)
        assert all(root in found for root in found.roots)
    assert kinds == {"none", "one", "several", "unbounded", "all"}


def test_a_line_on_a_grid_has_the_set_of_the_line() -> None:
    random = np.random.default_rng(13)
    responses = random.normal([-3, 0.5], [4, 0.3], (60, 2)) @ np.array(
        [[1, 1, 1, 1], [0, 5, 9, 20]]
    )
    means = average(responses)
    line = fit_line([0, 5, 9, 20], means)
    a, b = line.values.tolist()
    direct = fieller(a, b, line.covariance, line.quantile, limits=(0, 20))
    found = invert([0, 5, 9, 20], means.values, means.covariance, means.quantile, limits=(0, 20))
    assert found.kind == direct.kind == "one"
    assert list(found.intervals) == approximate(direct.intervals)
    assert found.roots == pytest.approx(direct.roots)


def test_solves_by_hand() -> None:
    """Five solves whose differences are the line x - 5 moved by -2, -1, 0, 1, 2.

    Their mean has the variance 2.5 / 5, all along; Student's t of four degrees is 2.7764.
    """
    shifts = np.array([-2, -1, 0, 1, 2])[:, None]
    found = invert_solves([0, 4, 10], np.array([-5, -1, 5]) + shifts)
    half = 2.7764 * math.sqrt(0.5)
    assert (found.kind, found.roots) == ("one", (5.0,))
    assert list(found.intervals) == approximate([(5 - half, 5 + half)])
    with pytest.raises(OptionError, match=r"solves: 4 is not allowed; allowed: 5 or more"):
        invert_solves([0, 1], np.zeros((4, 2)))


# ---------------------------------------------------------------- sums


def test_sums_have_the_covariance_of_fractions() -> None:
    random = np.random.default_rng(14)
    responses = random.integers(-60, 60, (40, 3))
    means = CrossSums.from_responses(responses, scale=2).average()
    rows = [[Fraction(int(value), 2) for value in row] for row in responses]
    centre = [sum(column) / 40 for column in zip(*rows, strict=True)]
    assert means.values.tolist() == [float(value) for value in centre]
    for i in range(3):
        for j in range(3):
            products = sum((row[i] - centre[i]) * (row[j] - centre[j]) for row in rows)
            assert means.covariance[i, j] == float(products / (40 * 39))
    assert means.clusters == 40
    assert means.quantile == t95(39)
    other = average(responses / 2)
    assert other.values == pytest.approx(means.values)
    assert other.covariance == pytest.approx(means.covariance)


@pytest.mark.parametrize("peak", [1, 1000, 2**26, 2**40, 2**62])
def test_sums_are_exact_in_any_division(peak: int) -> None:
    """The second is too large for one product of doubles, the last for 64 bits."""
    random = np.random.default_rng(15)
    responses = random.integers(-peak, peak, (50, 3), endpoint=True)
    whole = CrossSums.from_responses(responses)
    rows = responses.tolist()
    assert whole.totals == tuple(sum(column) for column in zip(*rows, strict=True))
    for i in range(3):
        for j in range(3):
            assert whole.products[i][j] == sum(row[i] * row[j] for row in rows)
    parts = [CrossSums.from_responses(responses[low:high]) for low, high in ((0, 7), (7, 50))]
    assert parts[0] + parts[1] == whole == parts[1] + parts[0]
    assert CrossSums.from_responses(responses[:0]) + whole == whole


def test_means_and_ratios_have_the_errors_of_the_usual_figures() -> None:
    random = np.random.default_rng(16)
    turns = random.integers(1, 20, 300)
    points = turns + random.integers(-5, 30, 300)
    sums = CrossSums.from_responses(np.column_stack([points, turns]))
    means = sums.average()
    squares = sums.products
    assert means.se[0] == pytest.approx(estimate_mean(sums.totals[0], squares[0][0], 300).se)
    ratio = means.divide([0, 1], [1, 1])
    top, bottom = sums.totals
    usual = estimate_ratio(top, bottom, squares[0][0], squares[0][1], squares[1][1], 300)
    assert ratio.values == pytest.approx([usual.value, 1.0])
    assert ratio.se == pytest.approx([usual.se, 0.0])
    paired = means.combine([1, -1])
    gap = points - turns
    assert paired.values == pytest.approx([gap.mean()])
    assert paired.se == pytest.approx([gap.std(ddof=1) / math.sqrt(300)])


# ---------------------------------------------------------------- what is refused


def test_bad_numbers_are_refused_in_words() -> None:
    good = np.eye(2)
    uneven: Any = [[1, 0.5], [0, 1]]
    nan: Any = math.nan
    infinite: Any = INF
    for field, call in {
        "intercept and slope: nan": lambda: fieller(nan, 1, good),
        "covariance: inf": lambda: fieller(1, 1, [[infinite, 0], [0, 1]]),
        r"covariance: \[3, 3\]": lambda: fieller(1, 1, np.eye(3)),
        "covariance: .* a symmetric": lambda: fieller(1, 1, uneven),
        "covariance: .* negative": lambda: fieller(1, 1, [[1, 2], [2, 1]]),
        "z: -1.0": lambda: fieller(1, 1, good, -1),
        "limits: ": lambda: fieller(1, 1, good, limits=(3, 2)),
        "bounds: ": lambda: fieller(1, 1, good, bounds=(nan, 2)),
        "x: .* two cells": lambda: invert([1], [1], [[1]]),
        "x: .* rising": lambda: invert([1, 1], [1, 2], good),
        "difference: 3 ": lambda: invert([1, 2], [1, 2, 3], good),
        "difference: nan": lambda: invert([1, 2], [1, nan], good),
        "difference: .* numbers": lambda: invert([1, 2], ["one", "two"], good),
        "covariance, errors: 'neither'": lambda: invert([1, 2], [1, 2]),
        "covariance, errors: 'both'": lambda: invert([1, 2], [1, 2], good, errors=[1, 1]),
        "errors: ": lambda: invert([1, 2], [1, 2], errors=[1, -1]),
        "responses: nan": lambda: average([[1, nan], [2, 3]]),
        "responses: 0.5": lambda: CrossSums.from_responses([[0.5, 1]]),
        r"responses: \[2\]": lambda: CrossSums.from_responses([1, 2]),
        "responses: inf": lambda: CrossSums.from_responses([[infinite, 1]]),
        "scale: 0": lambda: CrossSums.from_responses([[1, 1]], scale=0),
        "clusters: 1": lambda: CrossSums.from_responses([[1, 1]]).average(),
        "clusters: 1 ": lambda: average([[1, 1]]),
        "sums: ": lambda: CrossSums.from_responses([[1]]) + CrossSums.from_responses([[1, 2]]),
        "weights: ": lambda: average(np.eye(3)).combine([1, -1]),
        "mean of cell 1: 0.0": lambda: average([[1, 1], [1, -1]]).divide([0], [1]),
    }.items():
        with pytest.raises(OptionError, match=f"^{field}"):
            call()


# ---------------------------------------------------------------- a thousand studies


def check_coverage(covered: int) -> None:
    print(f"covered {covered} of {STUDIES}")
    assert 0.932 <= covered / STUDIES <= 0.968


def play_deals(random: np.random.Generator, deals: int) -> np.ndarray:
    """Points without a bonus and bonuses, a deal: skewed, dependent, with known means -0.75, 0.05.

    A bonus of 15 makes it even.
    """
    kind = random.random(deals)
    points = random.integers(1, 40, deals) * np.where(kind < 0.48125, 1, -1)
    return np.column_stack([points, (kind < 0.1).astype(int) - (kind > 0.95)])


def test_coverage_of_the_root_of_a_line() -> None:
    random = np.random.default_rng(17)
    covered, kinds = 0, set()
    for _ in range(STUDIES):
        means = CrossSums.from_responses(play_deals(random, 500)).average()
        a, b = means.values.tolist()
        found = fieller(a, b, means.covariance, means.quantile)
        covered += 15.0 in found
        kinds.add(found.kind)
    # So few deals leave some sets without a bound: these count as they are.
    assert {"one", "unbounded"} <= kinds
    check_coverage(covered)


#: A response that is not a line, and its root.
GRID, TRUTH, ROOT = np.arange(0, 30, 5), np.array([-4.0, -2.5, -1.0, 1.5, 3.0, 3.5]), 12.0


def play_grid(random: np.random.Generator, clusters: int) -> np.ndarray:
    """Responses on common deals: luck that all cells share, and what each adds."""
    common = random.exponential(9, (clusters, 1)) - 9
    return TRUTH + common + random.normal(0, 5, (clusters, len(GRID)))


def test_coverage_of_a_root_on_a_grid() -> None:
    random = np.random.default_rng(18)
    covered = 0
    for _ in range(STUDIES):
        means = average(play_grid(random, 150))
        covered += ROOT in invert(GRID, means.values, means.covariance, means.quantile)
    check_coverage(covered)


def test_coverage_of_a_root_with_the_noise_of_the_solver() -> None:
    """Five solves: each has its own quality in each cell, and its own deals."""
    random = np.random.default_rng(19)
    covered = blind = 0
    for _ in range(STUDIES):
        quality = random.normal(0, 1.5, (5, len(GRID)))
        deals = np.stack([average(play_grid(random, 150)).values for _ in range(5)])
        covered += ROOT in invert_solves(GRID, quality + deals)
        # One solve, judged on as many deals as all five.
        means = average(quality[0] + play_grid(random, 750))
        blind += ROOT in invert(GRID, means.values, means.covariance, means.quantile)
    check_coverage(covered)
    # Deals alone do not know how well the table was solved.
    assert blind / STUDIES < 0.8


def test_coverage_of_a_paired_difference() -> None:
    random = np.random.default_rng(20)
    covered, narrower = 0, 0
    for _ in range(STUDIES):
        means = average(play_grid(random, 150))
        gap = means.combine(np.eye(len(GRID))[4] - np.eye(len(GRID))[1])
        covered += abs(gap.values[0] - 5.5) <= gap.quantile * gap.se[0]
        narrower += gap.se[0] < math.hypot(means.se[4], means.se[1])
    check_coverage(covered)
    assert narrower == STUDIES


def test_the_normal_quantile_is_the_default() -> None:
    (found,) = fieller(-5, 1, [[4, 0], [0, 0]]).intervals
    assert found == pytest.approx((5 - 2 * Z95, 5 + 2 * Z95))
