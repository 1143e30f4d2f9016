"""A grid over fields of the rules and strategies, with differences on common deals.

>>> table = sweep_rules("kawu", vary={"gin_bonus": [20, 25]}, hands=2000, seed=1, measures="points")
>>> table[["gin_bonus", "way"]].values.tolist()
[[25, 'played'], [20, 'priced'], [25, 'priced']]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd

from ginsim.balance.adapting import Adapter, check_adapt, settle_cells
from ginsim.balance.grid import Axis, GridCell, Lineup, Vary, make_cells, read_axes, read_lineups
from ginsim.balance.measures import Measure, find_measures
from ginsim.balance.playing import BLOCK, Contest, Plan, Sums, add_sums, split_deals
from ginsim.balance.sums import sum_range, tabulate
from ginsim.batches import Progress
from ginsim.checks import check_flag, check_whole
from ginsim.errors import OptionError, StrategyError, refuse
from ginsim.figures import adjust, two_sided
from ginsim.games import MAX_HANDS
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.shipped import settle_table
from ginsim.strategies import AnyStrategy
from ginsim.tasks import MAX_INDEX, check_threads, make_task

#: How many hands and games of each cell, if nothing is said.
HANDS = 100_000
GAMES = 10_000
#: Half of the indices are for what is played, half for solving.
MOST = 2**46

#: What stands beside the axes in the table.
COLUMNS = (
    *("cell", "strategy", "against", "adapted", "way", "measure", "unit", "deals"),
    *("value", "se", "low", "high"),
    *("difference", "difference_se", "difference_low", "difference_high", "p", "p_holm"),
)


@dataclass(frozen=True)
class Sweep:
    """A validated sweep, before anything is played.

    Attributes:
        rules: those of the base.
        axes: what varies.
        lineups: who plays whom.
        cells: the base first.
        measures: those that have a meaning in some cell and whose unit is played.
        sizes: how many hands and games of each cell; 0 for none.
        seed, first: of all; the index of the first deal.
        mirror: whether each deal is played twice.
        adapt, solve_hands: whose knock tables are solved anew, on how many hands.
        max_hands: after how many hands a game ends unfinished.
        is_priced: whether hands are priced where that is exact.
    """

    rules: Rules
    axes: tuple[Axis, ...]
    lineups: tuple[Lineup, ...]
    cells: tuple[GridCell, ...]
    measures: tuple[Measure, ...]
    sizes: Mapping[str, int]
    seed: int
    first: int
    mirror: bool
    adapt: str
    solve_hands: int
    max_hands: int
    is_priced: bool

    def make_plans(self, contests: tuple[Contest, ...]) -> dict[str, Plan]:
        """What is played, by unit."""
        plans = {}
        for unit in ("hand", "game"):
            chosen = tuple(measure for measure in self.measures if measure.unit == unit)
            if chosen and self.count_deals(unit):
                plans[unit] = Plan(
                    contests,
                    unit,
                    chosen,
                    self.seed,
                    self.mirror,
                    self.max_hands,
                    self.is_priced,
                )
        return plans

    def count_deals(self, unit: str) -> int:
        """On how many deals."""
        # The hands of a partnership are those of its games.
        size = self.sizes["game" if self.rules.players == 4 else unit]
        return size // (2 if self.mirror else 1)

    def tabulate(
        self, contests: tuple[Contest, ...], sums: Mapping[str, Sums], adapted: dict[str, Any]
    ) -> pd.DataFrame:
        """The table of all figures."""
        rows: list[tuple[Any, ...]] = []
        for unit, plan in self.make_plans(contests).items():
            ways = plan.ways
            deals = self.count_deals(unit)
            for place, measure, figure, change in tabulate(plan, sums[unit]):
                cell = self.cells[place]
                lineup = self.lineups[cell.lineup]
                values = (getattr(cell.rules, axis.fields[0]) for axis in self.axes)
                rows.append(
                    (
                        place,
                        *values,
                        *(lineup.strategy.name, lineup.against.name, self.adapt, ways[place]),
                        *(measure.name, measure.unit, deals),
                        *(figure.value, figure.se, figure.low, figure.high),
                        *(change.value, change.se, change.low, change.high),
                    )
                )
        axes = [axis.name for axis in self.axes]
        names = [COLUMNS[0], *axes, *COLUMNS[1:-2]]
        table = pd.DataFrame(rows, columns=names)
        errors = np.where(table["cell"] > 0, table["difference_se"], math.nan)
        table["p"] = two_sided(table["difference"].to_numpy(), errors)
        table["p_holm"] = adjust(table["p"].to_numpy())
        order = {name: number for number, name in enumerate(find_order())}
        table = table.iloc[
            np.lexsort((table["measure"].map(order).to_numpy(), table["cell"].to_numpy()))
        ].reset_index(drop=True)
        table.attrs["provenance"] = self.describe(adapted)
        return table

    def describe(self, adapted: dict[str, Any]) -> dict[str, Any]:
        """What reproduces the table."""
        task = make_task(
            self.rules, self.lineups[0].strategy, 0, seed=self.seed, of_games=True
        ).provenance
        return {
            **{key: task[key] for key in ("ginsim", "stream", "rules", "seed")},
            "first": self.first * (2 if self.mirror else 1),
            "hands": self.sizes["hand"],
            "games": self.sizes["game"],
            "mirror": self.mirror,
            "max_hands": self.max_hands,
            "vary": {axis.name: list(axis.values) for axis in self.axes},
            "lineups": [
                [lineup.strategy.model_dump(), lineup.against.model_dump()]
                for lineup in self.lineups
            ],
            **adapted,
        }


def find_order() -> list[str]:
    """The names of the measures in the order of the table."""
    return [measure.name for measure in find_measures(None)]


def plan_sweep(
    rules: AnyRules,
    *,
    vary: Vary | None = None,
    strategies: AnyStrategy | Sequence[AnyStrategy] = "greedy",
    against: AnyStrategy | Sequence[AnyStrategy] | None = None,
    measures: Sequence[str] | str | None = None,
    hands: SupportsIndex | None = None,
    games: SupportsIndex | None = None,
    adapt: str | bool = False,
    solve_hands: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    max_hands: SupportsIndex = MAX_HANDS,
    replay: bool = False,
) -> Sweep:
    """Validate the arguments of `sweep_rules`.

    Raises:
        GinsimError: as `sweep_rules`.
    """
    loaded = load_rules(rules)
    axes = read_axes(vary)
    lineups = read_lineups(strategies, against)
    cells = make_cells(loaded, axes, lineups)
    _check_tables(cells, lineups)
    word, solved = check_adapt(adapt, solve_hands, loaded)
    # Who adapts alone is another than himself.
    mirror = word == "against" or any(lineup.are_different for lineup in lineups)
    asked = find_measures(measures)
    units = {"game" if loaded.players == 4 else measure.unit for measure in asked}
    sizes = _check_sizes(hands, games, units, loaded, mirror)
    start = check_whole("first", first, 0, MOST)
    if mirror and start % 2:
        raise OptionError(refuse("first", start, "an even number: each deal is played twice"))
    kept = tuple(
        measure
        for measure in asked
        if any(measure.applies(cell.rules, mirror) for cell in cells)
        and sizes["game" if loaded.players == 4 else measure.unit]
    )
    left = [measure.name for measure in asked if measure not in kept]
    if measures is not None and left:
        raise OptionError(
            *(
                f"measures: {name} has no figure here; allowed: measures of the unit that is played"
                ", those of boxes in Hollywood scoring, skill of two strategies"
                for name in left
            )
        )
    idle = [
        f"{unit}s: {sizes[unit]} is not allowed; allowed: without {unit}s, which none of the "
        "measures asked for is of"
        for unit in ("hand", "game")
        if sizes[unit] and unit not in units
    ]
    if idle:
        raise OptionError(*idle)
    drawn = make_task(loaded, lineups[0].strategy, 0, seed=seed, of_games=True).seed
    return Sweep(
        rules=loaded,
        axes=axes,
        lineups=lineups,
        cells=cells,
        measures=kept,
        sizes=sizes,
        seed=drawn,
        first=start // (2 if mirror else 1),
        mirror=mirror,
        adapt=word,
        solve_hands=solved,
        max_hands=check_whole("max_hands", max_hands, 1, 32_000),
        is_priced=not check_flag("replay", replay),
    )


def _check_tables(cells: Sequence[GridCell], lineups: Sequence[Lineup]) -> None:
    """See that who knocks by the table of the rules has one in every cell."""
    problems: dict[str, None] = {}
    for cell in cells:
        for player in (lineups[cell.lineup].strategy, lineups[cell.lineup].against):
            try:
                settle_table(player, cell.rules)
            except StrategyError as failure:
                problems.update(dict.fromkeys(failure.problems))
    if problems:
        raise StrategyError(*problems)


def _check_sizes(
    hands: Any, games: Any, units: set[str], rules: Rules, mirror: bool
) -> dict[str, int]:
    """How many hands and games of each cell; of what the measures are of, if nothing is said."""
    if rules.players == 4 and hands is not None:
        raise OptionError(
            refuse("hands", hands, "games, of which the hands of a partnership are part")
        )
    if hands is None and games is None:
        hands = HANDS if "hand" in units else None
        games = GAMES if "game" in units else None
    sizes = {}
    for unit, name, value in (("hand", "hands", hands), ("game", "games", games)):
        sizes[unit] = 0 if value is None else check_whole(name, value, 2, MOST)
        if mirror and sizes[unit] % 2:
            raise OptionError(
                refuse(name, sizes[unit], "an even number, since each deal is played twice")
            )
    return sizes


def sweep_rules(
    rules: AnyRules,
    *,
    vary: Vary | None = None,
    strategies: AnyStrategy | Sequence[AnyStrategy] = "greedy",
    against: AnyStrategy | Sequence[AnyStrategy] | None = None,
    measures: Sequence[str] | str | None = None,
    hands: SupportsIndex | None = None,
    games: SupportsIndex | None = None,
    adapt: str | bool = False,
    solve_hands: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    max_hands: SupportsIndex = MAX_HANDS,
    replay: bool = False,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Measure every combination of values of some fields, and of strategies, on the same deals.

    Args:
        rules: those of the base cell (see `load_rules`).
        vary: the values of each field: a sequence, or text such as `0:50:5` (both ends included)
            or `20,25,30`. Fields whose names are joined by + (`undercut_bonus+
            clean_undercut_bonus`) have the same value. None for no field.
        strategies: one, or several, each against each of `against`; in a partnership they play
            for A and B, those against for C and D.
        against: None for each strategy against itself. Two different ones, as one of whom adapts
            alone, play each deal twice, the second time with the seats changed.
        measures: names (`ginsim balance measures` lists them); None for all.
        hands, games: how many of each cell; if neither is given, 100,000 hands and 10,000 games,
            as the measures need them. A partnership plays games only.
        adapt: whose knock tables are solved anew for each cell, on the same deals and from the
            same start: `all`, `against`, or `none`; True is all.
        solve_hands: with adapt, hands of each of the three streams; 100,000 if nothing is said.
        seed, first, threads, progress: as for `simulate`.
        max_hands: a game without a winner after so many hands ends unfinished.
        replay: play every cell, also where pricing the hands of another is exact.

    Returns:
        A frame with a row for each cell and measure: `cell`, 0 being the base; the fields that
        vary; `strategy`, `against`; `adapted`; `way`, how the cell comes to its figures (played,
        priced or replayed); `measure`, `unit`, `deals`; `value`, `se`, `low`, `high`, with a 95 %
        interval; `difference` from the base and its `_se`, `_low`, `_high`, paired by deal; `p` and
        `p_holm` of it, adjusted for all rows. nan where there is no figure or no ground for one.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    sweep = plan_sweep(
        rules,
        vary=vary,
        strategies=strategies,
        against=against,
        measures=measures,
        hands=hands,
        games=games,
        adapt=adapt,
        solve_hands=solve_hands,
        seed=seed,
        first=first,
        max_hands=max_hands,
        replay=replay,
    )
    num_threads = check_threads(threads)
    adapter = Adapter(sweep.adapt, sweep.solve_hands, sweep.seed, num_threads, progress)
    contests = settle_cells(adapter, sweep.cells, sweep.lineups)
    sums = {}
    for unit, plan in sweep.make_plans(contests).items():
        parts = []
        done = 0
        ranges = split_deals(sweep.first, sweep.count_deals(unit), BLOCK[unit])
        each = len(set(plan.sources)) * plan.per_deal
        total = each * sweep.count_deals(unit)
        for low, count in ranges:
            parts.append(sum_range(plan, low, count, num_threads, shift(progress, done, total)))
            done += each * count
        sums[unit] = add_sums(parts)
    return sweep.tabulate(contests, sums, adapter.describe())


def shift(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The progress of a part of the work as that of all of it."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


assert MOST * 2 < MAX_INDEX
