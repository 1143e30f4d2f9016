"""Integer sums of all cells and measures, and the table of figures that they make."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginsim.balance.measures import Measure
from ginsim.balance.paired import NUM_SUMS, RatioSums
from ginsim.balance.playing import Plan, Sums
from ginsim.batches import Progress
from ginsim.duel_sums import count_games_needed
from ginsim.game_stats import MOST_COUNTED, find_quantile
from ginsim.intervals import Estimate, estimate_share

#: Columns of hands that prices change; a tie also decides who wins.
PRICED = {"points", "net", "boxes", "prize_boxes"}

_NAN = Estimate(math.nan, math.nan, math.nan, math.nan)


def sum_range(
    plan: Plan, first: int, deals: int, threads: int | None, progress: Progress | None = None
) -> Sums:
    """The sums of a range of deals.

    Returns:
        `deals`; `ratios` of shape (cells, measures, halves, 9), deals of even and of odd index
        apart (see paired.py); and where quantiles are wanted `lengths` and `longer`, of shape
        (cells, 513): games by their hands, and deals by those of the longest of their games.
    """
    cells, measures = len(plan.contests), len(plan.measures)
    ratios = np.zeros((cells, measures, 2, NUM_SUMS), np.int64)
    lengths = np.zeros((2, cells, MOST_COUNTED + 1), np.int64)
    base: Any = None
    halves = [slice((first + half) % 2, None, 2) for half in (0, 1)]
    for values in plan.play(first, deals, threads, progress):
        base = values if base is None else base
        for number in range(measures):
            columns = [part[number] for one in (values, base) for part in (one.tops, one.bottoms)]
            for half, chosen in enumerate(halves):
                sums = RatioSums.make(*(column[chosen] for column in columns))
                ratios[values.cell, number, half] = sums.sums
        if plan.has_lengths:
            capped = np.minimum(values.lengths, MOST_COUNTED)
            for place, hands in enumerate((capped.ravel(), capped.max(axis=1))):
                lengths[place, values.cell] = np.bincount(hands, minlength=MOST_COUNTED + 1)
    return {
        "deals": np.array([len(range(deals)[chosen]) for chosen in halves], np.int64),
        "ratios": ratios,
        **({"lengths": lengths[0], "longer": lengths[1]} if plan.has_lengths else {}),
    }


def tabulate(plan: Plan, sums: Sums) -> Iterator[tuple[int, Measure, Estimate, Estimate]]:
    """Each cell's figures, and their differences from those of the first cell."""
    made: list[dict[str, RatioSums]] = []
    for place, contest in enumerate(plan.contests):
        are_different = contest.players[0] != contest.players[1]
        figures: dict[str, RatioSums] = {}
        for number, measure in enumerate(plan.measures):
            if measure.applies(contest.rules, are_different):
                mine = sums["ratios"][place, number]
                base = sums["ratios"][0, number]
                figures[measure.name] = _find_sums(measure, sums["deals"], mine, base)
        made.append(figures)
        for measure in plan.measures:
            if measure.name not in figures:
                continue
            other = made[0].get(measure.name)
            own = figures[measure.name]
            if measure.form == "quantile":
                figure = _estimate_quantile(plan, sums, place, measure.share)
                base_value = _estimate_quantile(plan, sums, 0, measure.share).value
                change = Estimate(figure.value - base_value, math.nan, math.nan, math.nan)
            elif measure.form == "games needed":
                figure, change = _count_needed(own), _NAN
                if other is not None:
                    rise = figure.value - _count_needed(other).value
                    change = Estimate(rise, math.nan, math.nan, math.nan)
            else:
                figure = own.estimate(measure.is_share)
                change = _NAN if other is None else own.compare(other, measure.is_share)
            if _is_same(plan, place, measure) and other is not None:
                change = Estimate(0.0, 0.0, 0.0, 0.0)
            yield place, measure, figure, change


def _is_same(plan: Plan, place: int, measure: Measure) -> bool:
    """Whether a cell's figure cannot differ from the base's: nothing that it reads does."""
    contest, base = plan.contests[place], plan.contests[0]
    if contest == base:
        return True
    is_priced = plan.sources[place] == 0 and contest.rules.tie == base.rules.tie
    return is_priced and not PRICED & set(measure.reads)


def _find_sums(
    measure: Measure, deals: NDArray[np.int64], mine: NDArray[np.int64], base: NDArray[np.int64]
) -> RatioSums:
    """The sums of a figure; of skill with the stronger as the first, on each half of the deals."""
    halves = []
    for half in (0, 1):
        found = tuple(mine[half].tolist())
        if measure.form in ("skill", "games needed"):
            # Who is stronger, the other half of the deals says.
            own, theirs = (_is_second_stronger(sums[1 - half]) for sums in (mine, base))
            found = _turn(found, own, theirs)
        halves.append(RatioSums(int(deals[half]), found))
    return halves[0] + halves[1]


def _is_second_stronger(sums: NDArray[np.int64]) -> bool:
    return bool(2 * sums[0] < sums[1])


def _turn(sums: tuple[int, ...], own: bool, theirs: bool) -> tuple[int, ...]:
    """The sums with B - T for T, of the cell or of the base, where these are turned."""
    top, bottom, tt, tb, bb, cross_tt, cross_tb, cross_bt, cross_bb = sums
    if own:
        top, tt, tb = bottom - top, bb - 2 * tb + tt, bb - tb
        cross_tt, cross_tb = cross_bt - cross_tt, cross_bb - cross_tb
    if theirs:
        cross_tt, cross_bt = cross_tb - cross_tt, cross_bb - cross_bt
    return top, bottom, tt, tb, bb, cross_tt, cross_tb, cross_bt, cross_bb


def _estimate_quantile(plan: Plan, sums: Sums, place: int, share: float) -> Estimate:
    """A quantile of the hands of a game, with the interval that its shares give.

    Woodruff 1952: those numbers of hands that the share of games up to them, by its interval,
    allows to be the quantile.
    """
    lengths, longer = sums["lengths"][place], sums["longer"][place]
    games, deals = int(lengths.sum()), int(longer.sum())
    if not games:
        return _NAN
    up_to, both = np.cumsum(lengths), np.cumsum(longer)
    pairs = deals if plan.mirror else 0
    bounds = []
    for hands in range(int(np.flatnonzero(lengths)[-1]) + 1):
        found = estimate_share(int(up_to[hands]), games, pairs, int(both[hands]))
        bounds.append((found.low, found.high))
    low = next(hands for hands, (_, high) in enumerate(bounds) if high >= share)
    # Too few games may leave it without an upper bound.
    high = next((hands for hands, (least, _) in enumerate(bounds) if least >= share), math.inf)
    return Estimate(float(find_quantile(lengths, share)), math.nan, float(low), float(high))


def _count_needed(sums: RatioSums) -> Estimate:
    """Games that tell the strategies apart, and with the bounds of skill for skill."""
    skill = sums.estimate(True)

    def count(value: float) -> float:
        if not value > 0.5:
            return math.inf
        found = Estimate(value, skill.se, math.nan, math.nan)
        return count_games_needed(found, "games", sums.deals)

    return Estimate(count(skill.value), math.nan, count(skill.high), count(skill.low))
