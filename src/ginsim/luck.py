"""Is a score of games won and lost luck? Exact binomial answers, nothing simulated.

>>> score = judge_wins(47, 46)
>>> round(score.low, 3), round(score.high, 3), score.p
(0.4, 0.611, 1.0)
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from statistics import NormalDist
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ginsim.checks import check_whole
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Z95

#: No score has more games.
MOST_GAMES = 1_000_000
#: One chance in twenty: what is rarer between equals is told apart.
LEVEL = 0.05
POWER = 0.8


@dataclass(frozen=True)
class Luck:
    """Games that A won and lost against B, and what luck would do.

    Attributes:
        won, lost: how many A won, and how many B.
        drawn: games that nobody won; they are left out of all figures.
        chance: A's chance to win a game, if it was luck.
        share: the share of games that A won.
        low, high: its exact 95 % interval (Clopper and Pearson 1934).
        p: how probable it is by luck that A wins a number of games that is no more probable than
            this one: the exact two-sided test.
        p_exact: how probable just this number is; with a chance of one half, or the same the
            other way round.
        told_from: the fewest games won of so many that are too many for luck at 5 % two-sided;
            None if even all of them are not.
        games_needed: independent games that tell `share` from `chance` at 5 % two-sided with a
            power of 80 % (Lachin 1981, one mean), if the share is the truth; infinite if they
            are equal, nan for a share of 0 or 1, which nobody takes for the truth.
    """

    won: int
    lost: int
    drawn: int
    chance: float
    share: float
    low: float
    high: float
    p: float
    p_exact: float
    told_from: int | None
    games_needed: float

    @property
    def games(self) -> int:
        """Games that one of them won."""
        return self.won + self.lost

    @property
    def is_told_apart(self) -> bool:
        """Whether luck alone would come so far in fewer than one case of twenty."""
        return self.p < LEVEL


def judge_wins(
    won: SupportsIndex, lost: SupportsIndex, drawn: SupportsIndex = 0, chance: float = 0.5
) -> Luck:
    """What a score of games won and lost says, if the games were independent.

    Args:
        won, lost: how many A won and lost, together 1 to 1,000,000.
        drawn: how many nobody won; they say nothing about who is stronger, and are left out.
        chance: A's chance to win a game if there is nothing to it but luck, between 0 and 1.

    Raises:
        OptionError: for numbers out of these bounds.

    >>> judge_wins(57, 36).p < 0.05 <= judge_wins(56, 37).p
    True
    """
    wins = check_whole("won", won, 0, MOST_GAMES)
    losses = check_whole("lost", lost, 0, MOST_GAMES)
    draws = check_whole("drawn", drawn, 0, MOST_GAMES)
    games = wins + losses
    if not 1 <= games <= MOST_GAMES:
        raise OptionError(refuse("won and lost", games, f"1 to {MOST_GAMES:,} games together"))
    luck = _check_chance(chance)
    coefficients = _log_binomials(games)
    probabilities = _probabilities(coefficients, luck)
    share = wins / games
    both = luck == 0.5 and wins != losses
    return Luck(
        won=wins,
        lost=losses,
        drawn=draws,
        chance=luck,
        share=share,
        low=_find_bound(coefficients, wins, upper=False),
        high=_find_bound(coefficients, wins, upper=True),
        p=_two_sided(probabilities, wins),
        p_exact=float(probabilities[wins]) * (2 if both else 1),
        told_from=_find_told(probabilities, luck),
        games_needed=_count_needed(share, luck),
    )


def _check_chance(chance: object) -> float:
    is_number = isinstance(chance, numbers.Real) and not isinstance(chance, bool)
    if not is_number or not 0 < float(chance) < 1:  # type: ignore[arg-type]
        raise OptionError(refuse("chance", chance, "a number between 0 and 1, both excluded"))
    return float(chance)  # type: ignore[arg-type]


def _log_binomials(games: int) -> NDArray[np.float64]:
    """The logarithms of the binomial coefficients of `games` over 0 to `games`."""
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, games + 1)))])
    return np.asarray(factorials[games] - factorials - factorials[::-1])


def _probabilities(coefficients: NDArray[np.float64], chance: float) -> NDArray[np.float64]:
    """How probable each number of wins is."""
    wins = np.arange(len(coefficients))
    logs = coefficients + wins * math.log(chance) + wins[::-1] * math.log1p(-chance)
    return np.asarray(np.exp(logs))


def _two_sided(probabilities: NDArray[np.float64], wins: int) -> float:
    """The probability of all numbers that are no more probable than this; equal ones, but for
    rounding, count."""
    rare = probabilities <= probabilities[wins] * (1 + 1e-7)
    return min(float(probabilities[rare].sum()), 1.0)


def _find_told(probabilities: NDArray[np.float64], chance: float) -> int | None:
    """The fewest wins above what is expected that are too many for luck."""
    games = len(probabilities) - 1
    low, high = math.floor(games * chance) + 1, games + 1
    while low < high:  # p falls with the number of wins
        middle = (low + high) // 2
        if _two_sided(probabilities, middle) < LEVEL:
            high = middle
        else:
            low = middle + 1
    return low if low <= games else None


def _find_bound(coefficients: NDArray[np.float64], wins: int, upper: bool) -> float:
    """The chance at which as many wins or more (for the lower bound), or as many or fewer (for the
    upper), have a probability of 2.5 %."""
    games = len(coefficients) - 1
    if wins == (games if upper else 0):
        return 1.0 if upper else 0.0
    tail = slice(0, wins + 1) if upper else slice(wins, None)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        mass = float(_probabilities(coefficients, middle)[tail].sum())
        if (mass > LEVEL / 2) == upper:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _count_needed(share: float, chance: float) -> float:
    if share in (0, 1):
        return math.nan
    if share == chance:
        return math.inf
    factor = (Z95 + NormalDist().inv_cdf(POWER)) / (share - chance)
    return float(max(math.ceil(factor**2 * share * (1 - share)), 1))
