"""Figures with standard errors and 95 % intervals, from integer sums.

Shares carry Wilson intervals (Wilson 1927), means and ratios (delta method) those of Student's t.
In mirrored play the two hands of a deal are one cluster: variances are those of the deals,
Wilson's formula takes the effective number of hands (Kish 1965) for n, and t has the deals' degrees
of freedom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Two-sided 95 % of the normal distribution.
Z95 = 1.959963984540054


#: 97.5 % points of Student's t with 1 to 10 degrees of freedom (any table of them).
_T95 = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)


def t95(freedom: int) -> float:
    """The 97.5 % point of Student's t.

    Beyond ten degrees of freedom by the expansion of Cornish and Fisher (Abramowitz and Stegun
    26.7.5), which is right to four digits there.
    """
    if freedom <= len(_T95):
        return _T95[freedom - 1]
    z = Z95
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


@dataclass(frozen=True)
class Estimate:
    """A figure with its standard error and 95 % interval; nan where there is no ground for one."""

    value: float
    se: float
    low: float
    high: float


def estimate_share(count: int, hands: int, pairs: int = 0, both: int = 0) -> Estimate:
    """A share of hands with Wilson's 95 % interval.

    Args:
        count: hands that have the property, of `hands`.
        pairs: mirrored pairs that the hands form, 0 if they are independent.
        both: pairs of which both hands have the property.
    """
    if not hands:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    share = count / hands
    if pairs:
        # Sum over pairs of (s - 2p)^2, s = 0, 1 or 2 hands of the pair; exact in integers.
        squares = (count + 2 * both) * pairs - count * count
        variance = squares / (4 * pairs**2 * (pairs - 1)) if pairs > 1 else math.nan
        return Estimate(share, math.sqrt(variance), *bound_share(share, variance, pairs))
    variance = share * (1 - share) / hands
    return Estimate(share, math.sqrt(variance), *wilson(share, hands))


def bound_share(share: float, variance: float, clusters: int) -> tuple[float, float]:
    """Wilson's bounds of a share whose hands depend on each other within clusters, as deals.

    Its n is the number of independent hands that would give the same variance (Kish 1965).

    Args:
        variance: that of the share, from the clusters' residuals.
        clusters: how many there are.
    """
    if clusters > 1 and variance > 0:
        return wilson(share, share * (1 - share) / variance, t95(clusters - 1))
    if clusters == 1 or share in (0, 1):
        return wilson(share, clusters)
    # Each has the same share, as one hand of each pair. That a cluster is different, which moves
    # its share to 0 or 1 at most, has at 97.5 % a chance of at most 1 - 0.025 ** (1 / clusters).
    half = max(share, 1 - share) * (1 - 0.025 ** (1 / clusters))
    return max(share - half, 0.0), min(share + half, 1.0)


def bound_difference(
    one: Estimate, other: Estimate, products: float, squares: float, clusters: int
) -> tuple[float, float]:
    """Bounds of the difference of two shares of the same clusters, as deals, from those of each.

    Newcombe 1998 (paired data), method 10: squares of the distances to the bounds are added, less
    what the correlation of the residuals takes away, which is corrected for continuity.

    Args:
        products: the sum of the products of both residuals of each cluster.
        squares: the root of the product of the sums of the squares of the one's and the other's.
        clusters: how many there are.
    """
    if any(map(math.isnan, (one.low, other.low, products))):
        return math.nan, math.nan
    phi = products / squares if squares > 0 else 0.0
    if phi > 0:
        phi = max(phi - 0.5 / (clusters**2 * squares), 0.0)

    def reach(first: float, second: float) -> float:
        return math.sqrt(max(first**2 - 2 * phi * first * second + second**2, 0.0))

    difference = one.value - other.value
    low = difference - reach(one.value - one.low, other.high - other.value)
    high = difference + reach(one.high - one.value, other.value - other.low)
    return max(low, -1.0), min(high, 1.0)


def wilson(share: float, size: float, z: float = Z95) -> tuple[float, float]:
    """Bounds of the score interval of a share of `size` independent hands (Wilson 1927).

    Args:
        z: the normal quantile, or Student's where the variance is estimated from few clusters.
    """
    shrink = 1 + z**2 / size
    centre = (share + z**2 / (2 * size)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    # Exact where rounding would leave a trace.
    return (centre - half if share > 0 else 0.0), (centre + half if share < 1 else 1.0)


def estimate_mean(total: int, squares: int, hands: int, pairs: int = 0) -> Estimate:
    """A mean over hands.

    Args:
        total: sum over hands.
        squares: sum of squares over hands, or over the pairs' sums if there are `pairs`.
    """
    if not hands:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    mean = total / hands
    clusters = pairs or hands
    se = math.nan
    if clusters > 1:
        # Integers as far as they go: sums of squares of a billion hands keep all their digits.
        spread = squares * clusters - total * total
        se = math.sqrt(spread / (clusters - 1)) / hands
    return _with_t(mean, se, clusters)


def estimate_ratio(
    top: int, bottom: int, top_squares: int, products: int, bottom_squares: int, clusters: int
) -> Estimate:
    """A ratio of two sums by the delta method.

    Args:
        top, bottom: the sums.
        top_squares, products, bottom_squares: sums over clusters of the cluster sums' products.
        clusters: independent hands, or deals.
    """
    if not bottom:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    ratio = top / bottom
    se = math.nan
    if clusters > 1 and bottom > 1:
        # The residuals top_i - ratio * bottom_i have mean zero.
        residual = top_squares - 2 * ratio * products + ratio**2 * bottom_squares
        se = math.sqrt(max(residual, 0.0) * clusters / (clusters - 1)) / bottom
    return _with_t(ratio, se, clusters)


def _with_t(value: float, se: float, clusters: int) -> Estimate:
    half = t95(clusters - 1) * se if clusters > 1 else math.nan
    return Estimate(value, se, value - half, value + half)
