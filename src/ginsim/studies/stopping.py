"""Runs of hands and games until a figure is known precisely enough.

The rule is that of duels (docs/duels.md): alpha spending at looks, so that the interval of the last
look keeps its 95 %. What is looked at is a figure of the table of the run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ginsim.columns import OUTCOMES
from ginsim.intervals import Z95, Estimate, t95, wilson

#: The figures that can decide, with their rows (measure, outcome, seat) of the tables.
HAND_FIGURES = {
    "win": ("win", "all", "south"),
    "nondealer_win": ("win", "all", "nondealer"),
    **{outcome: ("share", outcome, "all") for outcome in OUTCOMES},
    "net": ("net", "all", "south"),
    "turns": ("turns", "all", "all"),
}
GAME_FIGURES = {
    "win": ("win", "all", "south"),
    "first_dealer_win": ("win", "all", "first_dealer"),
    "shutout": ("shutout", "all", "all"),
    "margin": ("margin", "all", "south"),
    "hands": ("hands", "all", "all"),
    "turns": ("turns", "all", "all"),
}
#: Figures that are shares of all hands or games; their measures in the tables.
SHARES = ("win", "nondealer_win", "first_dealer_win", "shutout", *OUTCOMES)
SHARE_MEASURES = ("share", "win", "dead", "shutout", "drawn", "points_differ")
#: Means over all hands or games.
MEAN_MEASURES = ("net", "points", "turns", "margin", "hands", "dead_hands", "box_margin")


@dataclass(frozen=True)
class Seen:
    """A figure at a look.

    Attributes:
        value, se: the figure and its standard error.
        clusters: independent deals or games that it is of.
    """

    value: float
    se: float
    clusters: int


def find_seen(table: pd.DataFrame, row: tuple[str, str, str], clusters: int) -> Seen:
    """The figure of a table's row."""
    measure, outcome, seat = row
    (found,) = (
        entry
        for entry in table.itertuples()
        if (entry.measure, entry.outcome, entry.seat) == (measure, outcome, seat)
    )
    return Seen(float(found.value), float(found.se), clusters)  # type: ignore[arg-type]


def estimate_seen(seen: Seen, measure: str, critical: float | None = None) -> Estimate:
    """A figure with the interval of a look.

    Args:
        measure: the name of the figure.
        critical: the critical value of the look; None for a size chosen beforehand.
    """
    low, high = _bound(seen, measure in SHARES, Z95 if critical is None else critical)
    return Estimate(seen.value, seen.se, low, high)


def _bound(seen: Seen, is_share: bool, critical: float) -> tuple[float, float]:
    value, se = seen.value, seen.se
    if math.isnan(value) or seen.clusters < 2:
        return math.nan, math.nan
    # Student's t, in the same proportion for every critical value.
    z = t95(seen.clusters - 1) * critical / Z95
    if is_share:
        # Where no deal differs from another there is no error to go by, and the deals count.
        size = value * (1 - value) / se**2 if 0 < value < 1 and se > 0 else seen.clusters
        low, high = wilson(value, size, z)
        return max(low, 0.0), min(high, 1.0)
    if not se > 0:
        # First deals without any difference are no certainty.
        return -math.inf, math.inf
    return value - z * se, value + z * se


def widen(table: pd.DataFrame, critical: float, clusters: int) -> pd.DataFrame:
    """The table with the intervals of the last look; figures that have none there lose theirs."""
    wide = table.copy()
    bounds = []
    row: Any
    for row in table.itertuples():
        seen = Seen(float(row.value), float(row.se), clusters)
        measure = str(row.measure)
        if measure in SHARE_MEASURES:
            bounds.append(_bound(seen, True, critical))
        elif measure in MEAN_MEASURES and seen.se > 0:
            bounds.append(_bound(seen, False, critical))
        else:
            bounds.append((math.nan, math.nan))
    wide["low"] = [low for low, _ in bounds]
    wide["high"] = [high for _, high in bounds]
    return wide
