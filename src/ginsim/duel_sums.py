"""What a duel is judged by: sums over mirrored deals, figures with intervals, the stopping rule.

Each figure is a sum of differences, A's minus B's, over a sum of games or hands, from deals that
are independent of each other. A share is one half plus half of such a ratio, so that what nobody
won counts half to each. docs/duels.md has the formulas and their sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.intervals import Z95, Estimate, bound_share, estimate_ratio, t95, wilson
from ginsim.spending import ALPHA, Z_LIMIT, Looks, spend

#: The figures of games, and those of single hands; `boxes` in Hollywood scoring only.
GAME_MEASURES = ("games", "hands", "points", "margin", "boxes")
HAND_MEASURES = ("hands", "points")
#: Figures that are shares, equal players having one half. Of the others equal players have 0.
SHARES = ("games", "hands")

#: Deals of the first look, and by what part each next look has more.
FIRST_LOOK = 128
LOOK_STEP = 0.1
#: Deals by which the variance at a look is larger (`estimate_duel`).
EXTRA_DEALS = 4
#: The name of the rule in documents.
RULE = "alpha spending, O'Brien-Fleming type (Lan and DeMets 1983)"

VERDICTS = ("A stronger", "B stronger", "not told apart")


@dataclass(frozen=True)
class DuelSums:
    """Integer sums over mirrored deals for some figures; sums of disjoint deals add up with `+`.

    Attributes:
        measures: the figures, in order.
        deals: how many.
        totals: for each figure the sums of its top T and bottom B, then of T², TB and B² over
            deals, then of T² over the games or hands themselves; shape (figures, 6).
    """

    measures: tuple[str, ...]
    deals: int
    totals: NDArray[np.int64]

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> DuelSums:
        """The sums of mirrored games or hands, south being A; a row for each, pairs together."""
        return cls.from_rows(find_rows(frame))

    @classmethod
    def from_rows(cls, rows: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]) -> DuelSums:
        """The sums of tops and bottoms by figure, a value for each game or hand."""
        totals = []
        deals = 0
        for top, bottom in rows.values():
            tops, bottoms = top.reshape(-1, 2).sum(axis=1), bottom.reshape(-1, 2).sum(axis=1)
            deals = len(tops)
            products = (tops @ tops, tops @ bottoms, bottoms @ bottoms, top @ top)
            totals.append((top.sum(), bottom.sum(), *products))
        return cls(tuple(rows), deals, np.array(totals, np.int64).reshape(-1, 6))

    def __add__(self, other: DuelSums) -> DuelSums:
        return replace(self, deals=self.deals + other.deals, totals=self.totals + other.totals)

    def find(self, measure: str) -> tuple[int, ...]:
        """The sums of a figure."""
        return tuple(self.totals[self.measures.index(measure)].tolist())

    def count_both_ways(self) -> tuple[int, int, int] | None:
        """Deals of which A won both games (or hands), each player one, and B both.

        None if any game was won by nobody: the sums do not say of which deal it was. With t the
        difference of a game, 1 or -1, the sum over deals of t₁t₂ is the number of deals won by
        one player both ways minus that of the others, and follows from the sums of squares.
        """
        top, _, squares, _, _, row_squares = self.find(self.measures[0])
        if row_squares != 2 * self.deals:
            return None
        products = (squares - row_squares) // 2
        split = (self.deals - products) // 2
        return (
            (2 * self.deals - 2 * split + top) // 4,
            split,
            (2 * self.deals - 2 * split - top) // 4,
        )


def find_rows(frame: pd.DataFrame) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Tops and bottoms of every figure of a frame of games or of hands, a value for each row."""
    winner = frame["winner"].cat.codes.to_numpy()
    won = np.where(winner == 0, 1, np.where(winner == 1, -1, 0)).astype(np.int64)
    one = np.ones(len(frame), np.int64)

    def read(name: str) -> NDArray[np.int64]:
        return frame[name].to_numpy(np.int64)

    if "hand" in frame:
        return {"hands": (won, one), "points": (read("net"), one)}
    hands = read("hands")
    rows = {
        "games": (won, one),
        "hands": (read("south_hands") - read("north_hands"), hands),
        "points": (read("south_points") - read("north_points"), hands),
        "margin": (read("margin"), one),
    }
    if "box_margin" in frame:
        rows["boxes"] = (read("box_margin"), one)
    return rows


# -- figures --------------------------------------------------------------------------------------


def estimate_duel(sums: DuelSums, measure: str, critical: float | None = None) -> Estimate:
    """A figure with its standard error and interval.

    Args:
        critical: the critical value of a look; None for the interval of a size chosen
            beforehand. At a look the variance has four deals more, each won twice by one player,
            and where no deal differs from another one more: a few first deals with little
            difference are no certainty. (Shares of a fixed size have bounds of their own for
            that.) Four is the square of the critical value of 95 %, as Agresti and Coull (1998)
            add to a share.
    """
    top, bottom, squares, products, bottoms, row_squares = sums.find(measure)
    deals = sums.deals
    figure = estimate_ratio(top, bottom, squares, products, bottoms, deals)
    if deals > 1 and (critical is not None or (figure.se == 0 and measure not in SHARES)):
        extra = (1 if critical is None else EXTRA_DEALS) * 4 * row_squares / (2 * deals)
        spread = max(squares - 2 * figure.value * products + figure.value**2 * bottoms, 0.0)
        se = math.sqrt((spread + extra) * deals / (deals - 1)) / bottom
        figure = replace(figure, se=se)
    if measure in SHARES:
        figure = Estimate(0.5 + figure.value / 2, figure.se / 2, math.nan, math.nan)
    return _bound(figure, measure, deals, critical)


def _bound(figure: Estimate, measure: str, deals: int, critical: float | None) -> Estimate:
    value, se = figure.value, figure.se
    if math.isnan(value):
        return figure
    if critical is None and measure in SHARES:
        low, high = bound_share(value, se**2 if deals > 1 else math.nan, deals)
        return replace(figure, low=low, high=high)
    if deals < 2:
        return replace(figure, low=math.nan, high=math.nan)
    # Student's t, in the same proportion for every critical value.
    z = t95(deals - 1) * (1.0 if critical is None else critical / Z95)
    if measure in SHARES:
        size = value * (1 - value) / se**2 if 0 < value < 1 and se > 0 else deals
        low, high = wilson(value, size, z)
        return replace(figure, low=max(low, 0.0), high=min(high, 1.0))
    return replace(figure, low=value - z * se, high=value + z * se)


def judge(figure: Estimate, measure: str) -> str:
    """Who is stronger by an interval, in one of `VERDICTS`."""
    equal = 0.5 if measure in SHARES else 0.0
    if figure.low > equal:
        return VERDICTS[0]
    return VERDICTS[1] if figure.high < equal else VERDICTS[2]


def count_games_needed(figure: Estimate, measure: str, deals: int, power: float = 0.8) -> float:
    """Mirrored games, or hands, that tell the players apart at 5 % two-sided with this power.

    (z_0.975 + z_power)² s² / d² deals of two, s² being the variance of a deal's figure and d the
    distance from equality: the sample size of a test of one mean (Lachin 1981), taking the figures
    for true. Infinite if they are equal, nan without a standard error.
    """
    distance = abs(figure.value - (0.5 if measure in SHARES else 0.0))
    if math.isnan(distance) or math.isnan(figure.se):
        return math.nan
    if distance == 0:
        return math.inf
    factor = (Z95 + NormalDist().inv_cdf(power)) * figure.se / distance
    return 2.0 * max(math.ceil(factor**2 * deals), 1)


# -- the stopping rule ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """A look at a running duel.

    Attributes:
        deals: how many there were.
        critical: the critical value of this look.
        spent: what has been spent of the 5 % by now.
        value, se, low, high: the figure that decides, and the interval that holds at all looks at
            once with 95 %.
        is_last: whether the duel ends here.
        is_reached: whether the interval is as narrow as wanted.
    """

    deals: int
    critical: float
    spent: float
    value: float
    se: float
    low: float
    high: float
    is_last: bool
    is_reached: bool


@dataclass(frozen=True)
class Rule:
    """When a duel ends: a function of the sums at the looks, and of nothing else.

    Attributes:
        measure: the figure that decides.
        precision: half the width of its interval that is wanted.
        max_deals: after so many it ends in any case.
        early: whether it also ends as soon as the interval tells the players apart.
    """

    measure: str
    precision: float
    max_deals: int
    early: bool = False

    @property
    def looks(self) -> tuple[int, ...]:
        """The deals after which there is a look: each time a tenth more, the last `max_deals`."""
        sizes = []
        size = FIRST_LOOK
        # The last two are at least half a step apart.
        while size * (1 + LOOK_STEP / 2) < self.max_deals:
            sizes.append(size)
            size = math.ceil(size * (1 + LOOK_STEP))
        return (*sizes, self.max_deals)


def follow_rule(rule: Rule, sums: Iterable[DuelSums]) -> tuple[Look, ...]:
    """The looks of a duel until it ends.

    Args:
        sums: those of all deals so far at each of `rule.looks`; no more are taken than needed.
    """
    follower = Follower(rule)
    for total in sums:
        if follower.look(total).is_last:
            break
    return tuple(follower.looks)


class Follower:
    """Looks at a running duel, one after the other, by its rule.

    A look is the last if the interval would be narrow enough with all that is left of the 5 %
    spent on it, or if it is at `max_deals`. Otherwise it spends as much as the spending function
    says of the information (1 / se²) that it has. Whether it is the last depends on the error of
    the figure, not on its value, so the intervals of all looks together miss the truth with 5 % at
    most, and so does that of the last, also if `early` chooses it (Jennison and Turnbull 1989).

    Args:
        estimate: the figure of sums, or of what else is looked at, by its name and a critical
            value; None for those of duels.

    Attributes:
        looks: those so far.
    """

    def __init__(
        self, rule: Rule, estimate: Callable[[Any, str, float | None], Estimate] | None = None
    ) -> None:
        self.rule = rule
        self._estimate = estimate_duel if estimate is None else estimate
        self.looks: list[Look] = []
        self._spending = Looks()
        self._spent = 0.0

    def look(self, total: Any) -> Look:
        """The next look.

        Args:
            total: the `DuelSums`, or what `estimate` takes, of all deals up to the next of
                `rule.looks`.
        """
        rule = self.rule
        size = rule.looks[len(self.looks)]
        half = partial(_half_width, self._estimate, total, rule.measure)
        left = ALPHA - self._spent
        widest = _largest_critical(half, rule.precision)
        is_last = size == rule.max_deals or (
            widest >= Z95 - 1e-9 and self._spending.exceed(size, widest) <= left
        )
        if is_last:
            chance = left
        else:
            share = min((rule.precision / half(Z_LIMIT)) ** 2, 0.95)
            chance = max(spend(share) - self._spent, 0.0)
        critical = self._spending.add(size, chance)
        self._spent += chance
        figure = self._estimate(total, rule.measure, critical)
        if rule.early and judge(figure, rule.measure) != VERDICTS[2]:
            is_last = True
        width = (figure.high - figure.low) / 2
        made = Look(
            deals=size,
            critical=critical,
            spent=self._spent,
            value=figure.value,
            se=figure.se,
            low=figure.low,
            high=figure.high,
            is_last=is_last,
            is_reached=width <= rule.precision * (1 + 1e-9),
        )
        self.looks.append(made)
        return made


def _half_width(
    estimate: Callable[[Any, str, float | None], Estimate],
    total: Any,
    measure: str,
    critical: float,
) -> float:
    figure = estimate(total, measure, critical)
    return (figure.high - figure.low) / 2


def _largest_critical(half: partial[float], precision: float) -> float:
    """The largest critical value, up to the limit of all, whose interval is narrow enough."""
    if not half(Z95) <= precision:
        return 0.0
    low, high = Z95, Z_LIMIT
    if half(high) <= precision:
        return high
    while high - low > 1e-9:
        middle = (low + high) / 2
        if half(middle) <= precision:
            low = middle
        else:
            high = middle
    return low


def split_looks(rule: Rule) -> list[tuple[int, int]]:
    """The ranges of deals between looks: (deals before, deals after)."""
    return list(pairwise((0, *rule.looks)))
