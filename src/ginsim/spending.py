"""Critical values of repeated looks, from a spending function (Lan and DeMets 1983).

A duel that is watched while it runs is looked at several times, and each look is a chance to be
wrong. Here the 5 % of wrong intervals are divided among the looks: look k spends what the spending
function says has to be spent by then, and its critical value is where

    P(|Z_1| < c_1, …, |Z_k-1| < c_k-1, |Z_k| >= c_k) = what look k spends,

Z_k being the standardised sum over n_k deals, with correlation sqrt(n_j / n_k) between two looks.
The probability is found by integration look after look (Armitage, McPherson and Rowe 1969).
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Two-sided chance that an interval of a whole sequence of looks misses the truth.
ALPHA = 0.05
#: No critical value is larger: beyond 8 standard errors the normal distribution has 1e-15.
MOST = 8.0
#: The critical value towards which those of ever closer looks go when all is spent.
Z_LIMIT = -NormalDist().inv_cdf(ALPHA / 4)

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(160)


def spend(fraction: float, alpha: float = ALPHA) -> float:
    """What is spent when this fraction (0 to 1) of the information is there.

    The function that resembles O'Brien and Fleming's boundaries (Lan and DeMets 1983, α₁*), half
    of alpha on each side: nearly nothing early, so that nearly all is left for the end.
    """
    if fraction <= 0:
        return 0.0
    z = -NormalDist().inv_cdf(alpha / 4)
    return 2 * math.erfc(z / math.sqrt(2 * min(fraction, 1.0)))


def _tails(z: Floats) -> Floats:
    """P(Z >= z) of the normal distribution."""
    return 0.5 * np.array([math.erfc(value) for value in (z / math.sqrt(2)).tolist()])


class Looks:
    """The looks so far: where Z was at the last one, given that no boundary was crossed before.

    >>> looks = Looks()
    >>> [round(looks.add(n, spend(n / 3) - spend((n - 1) / 3)), 3) for n in (1, 2, 3)]
    [3.71, 2.511, 1.993]
    """

    def __init__(self) -> None:
        self.size = 0.0
        #: Values of Z and their density times the weight of each; None if all Z were within MOST.
        self._points: Floats | None = None
        self._masses: Floats | None = None

    def exceed(self, size: float, critical: float) -> float:
        """P(no boundary crossed at the looks before, |Z| >= critical at a look at `size` deals)."""
        if self._points is None or self._masses is None:
            return math.erfc(critical / math.sqrt(2))
        share = math.sqrt(self.size / size)
        spread = math.sqrt(1 - self.size / size)
        above = _tails((critical - share * self._points) / spread)
        below = _tails((critical + share * self._points) / spread)
        return float(self._masses @ (above + below))

    def find_critical(self, size: float, chance: float) -> float:
        """The critical value, up to MOST, with which a look at `size` deals spends `chance`."""
        if chance <= math.erfc(MOST / math.sqrt(2)):
            return MOST
        low, high = 0.0, MOST
        while high - low > 1e-9:
            middle = (low + high) / 2
            if self.exceed(size, middle) > chance:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def add(self, size: float, chance: float) -> float:
        """Make a look that spends `chance`; its critical value.

        Args:
            size: deals so far, at least 1 % more than at the look before.
        """
        critical = self.find_critical(size, chance)
        if self._points is None and critical >= MOST:
            return critical
        points = critical * _NODES
        if self._points is None or self._masses is None:
            density = np.exp(-(points**2) / 2) / math.sqrt(2 * math.pi)
        else:
            share = math.sqrt(self.size / size)
            spread = math.sqrt(1 - self.size / size)
            steps = (points[:, None] - share * self._points) / spread
            kernel = np.exp(-(steps**2) / 2) / (spread * math.sqrt(2 * math.pi))
            density = kernel @ self._masses
        self._points, self._masses = points, density * critical * _WEIGHTS
        self.size = size
        return critical
