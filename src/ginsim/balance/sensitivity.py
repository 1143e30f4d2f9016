"""Which fields move a measure most: main effects and interactions over a factorial design.

>>> found = field_effects("kawu", {"gin_bonus": [20, 25], "undercut_bonus": [10, 25]},
...                       "points", hands=2000, seed=1)
>>> found.effects["term"].tolist()
['undercut_bonus', 'gin_bonus', 'gin_bonus × undercut_bonus']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import pandas as pd

from ginsim.balance.adapting import Adapter, settle_cells
from ginsim.balance.factorial import Levels, estimate_effects, estimate_levels
from ginsim.balance.grid import Axis, Lineup, Vary, format_value, read_axes
from ginsim.balance.joint import average_cells, check_deals, sum_cells
from ginsim.balance.means import CrossSums
from ginsim.balance.measures import MEASURES, Measure
from ginsim.balance.playing import Contest, Plan
from ginsim.balance.sweeping import Sweep, plan_sweep
from ginsim.batches import Progress
from ginsim.checks import check_whole
from ginsim.errors import OptionError, refuse, refuse_name
from ginsim.games import MAX_HANDS
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.strategies import AnyStrategy
from ginsim.tasks import check_threads

#: Cells of a design, all of whose covariances are kept.
MOST_CELLS = 1024


@dataclass(frozen=True)
class FieldEffects:
    """How much some fields move a measure.

    Attributes:
        rules: what the other fields are.
        levels: the values of each field.
        lineup: who plays.
        measure: what is moved.
        effects: a row for each field and each combination of them up to the order asked for, those
            of the greatest effect first: term, order, effect, se, low, high, p, p_holm, share (see
            `factorial.estimate_effects`).
        means: the measure at each level: factor, level, mean, se, low, high.
        cells: the measure in each cell: the fields, value, se, low, high, way.
        adapted: whose knock tables were solved anew for each cell.
        provenance: what reproduces it.
    """

    rules: Rules
    levels: Levels
    lineup: Lineup
    measure: Measure
    effects: pd.DataFrame
    means: pd.DataFrame
    cells: pd.DataFrame
    adapted: str
    provenance: dict[str, Any]


def field_effects(
    rules: AnyRules,
    vary: Vary,
    measure: str = "points",
    *,
    strategy: AnyStrategy = "greedy",
    against: AnyStrategy | None = None,
    order: SupportsIndex = 2,
    hands: SupportsIndex | None = None,
    games: SupportsIndex | None = None,
    adapt: str | bool = False,
    solve_hands: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    max_hands: SupportsIndex = MAX_HANDS,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> FieldEffects:
    """How much each field moves a measure, alone and together with others.

    Every combination of the levels is played, or priced, on the same deals.

    Args:
        rules: this, and what is not named below, as for `sweep_rules`.
        vary: for each field two values, or more that are numbers. An effect is from the lowest to
            the highest number, else from the first value to the second.
        measure: a name of `MEASURES` that is a ratio, such as points, net, win, hands.
        order: of how many fields together interactions are given.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    design = plan_effects(
        rules,
        vary,
        measure,
        strategy=strategy,
        against=against,
        order=order,
        hands=hands,
        games=games,
        adapt=adapt,
        solve_hands=solve_hands,
        seed=seed,
        first=first,
        max_hands=max_hands,
    )
    num_threads = check_threads(threads)
    sweep = design.sweep
    adapter = Adapter(sweep.adapt, sweep.solve_hands, sweep.seed, num_threads, progress)
    plan = design.make_plan(settle_cells(adapter, sweep.cells[1:], sweep.lineups))
    deals = sweep.count_deals(design.measure.unit)
    sums = sum_cells(plan, sweep.first, deals, num_threads, progress)
    return design.conclude(plan, sums, adapter.describe())


@dataclass(frozen=True)
class EffectsPlan:
    """A question of `field_effects` before anything is played. Made by `plan_effects`.

    Attributes:
        sweep: the cells, the base first, which is not part of the design; sizes, seed, who adapts.
        measure: what is moved.
        order: the most fields of a term.
    """

    sweep: Sweep
    measure: Measure
    order: int

    @property
    def levels(self) -> Levels:
        """The values of each field."""
        return {axis.name: axis.values for axis in self.sweep.axes}

    def make_plan(self, contests: tuple[Contest, ...]) -> Plan:
        """What is played in the cells of the design."""
        return replace(self.sweep.make_plans(contests)[self.measure.unit], measures=(self.measure,))

    def conclude(self, plan: Plan, sums: CrossSums, adapted: dict[str, Any]) -> FieldEffects:
        """The effects from what was played."""
        means = average_cells(plan, sums)
        freedom = means.clusters - 1
        effects = estimate_effects(
            self.levels, means.values, means.covariance, order=self.order, freedom=freedom
        )
        ranked = effects.reindex(effects["effect"].abs().sort_values(ascending=False).index)
        half = means.quantile * means.se
        values = [cell.values for cell in self.sweep.cells[1:]]
        table = pd.DataFrame(values, columns=list(self.levels)).assign(
            value=means.values,
            se=means.se,
            low=means.values - half,
            high=means.values + half,
            way=plan.ways,
        )
        return FieldEffects(
            rules=self.sweep.rules,
            levels=self.levels,
            lineup=self.sweep.lineups[0],
            measure=self.measure,
            effects=ranked.reset_index(drop=True),
            means=estimate_levels(self.levels, means.values, means.covariance, freedom=freedom),
            cells=table,
            adapted=self.sweep.adapt,
            provenance={
                **self.sweep.describe(adapted),
                "measure": self.measure.name,
                "order": self.order,
            },
        )


def plan_effects(
    rules: AnyRules,
    vary: Vary,
    measure: str = "points",
    *,
    strategy: AnyStrategy = "greedy",
    against: AnyStrategy | None = None,
    order: SupportsIndex = 2,
    hands: SupportsIndex | None = None,
    games: SupportsIndex | None = None,
    adapt: str | bool = False,
    solve_hands: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    max_hands: SupportsIndex = MAX_HANDS,
) -> EffectsPlan:
    """Validate the arguments of `field_effects`.

    Raises:
        GinsimError: as `field_effects`.
    """
    loaded = load_rules(rules)
    if not isinstance(measure, str) or measure not in MEASURES:
        raise OptionError(f"measure: {refuse_name('measure', measure, MEASURES)}")
    asked = MEASURES[measure]
    if asked.form != "ratio":
        ratios = [one.name for one in MEASURES.values() if one.form == "ratio"]
        raise OptionError(refuse("measure", measure, f"one of {', '.join(ratios)}"))
    axes = [_order_axis(axis) for axis in read_axes(vary)]
    sweep = plan_sweep(
        loaded,
        vary={axis.name: axis.values for axis in axes},
        strategies=[strategy],
        against=against,
        measures=measure,
        hands=hands,
        games=games,
        adapt=adapt,
        solve_hands=solve_hands,
        seed=seed,
        first=first,
        max_hands=max_hands,
    )
    design = EffectsPlan(sweep, asked, check_whole("order", order, 1, None))
    _check_levels(design.levels)
    cells = len(sweep.cells) - 1
    if cells > MOST_CELLS:
        raise OptionError(f"vary: {cells} cells; allowed: up to {MOST_CELLS}")
    check_deals(sweep.count_deals(asked.unit), 2, "games" if sweep.sizes["game"] else "hands")
    return design


def _order_axis(axis: Axis) -> Axis:
    """The axis with numbers from low to high, whichever way they are given."""
    if not all(type(value) is int for value in axis.values):
        return axis
    return Axis(axis.name, tuple(sorted(axis.values)))


def _check_levels(levels: Levels) -> None:
    """See that each field has levels that make a design."""
    problems = []
    if not levels:
        problems.append("vary: no field varies; allowed: one field or more, each with two values")
    for name, values in levels.items():
        if len(values) < 2:
            problems.append(refuse(f"vary, {name}", list(values), "two values or more"))
        elif len(values) > 2:
            numbers = all(type(value) is int for value in values)
            if not numbers:
                problems.append(
                    refuse(f"vary, {name}", list(values), "two values, or more that are numbers")
                )
    if problems:
        raise OptionError(*problems)


def tell_words(levels: Mapping[str, Sequence[Any]]) -> list[str]:
    """Of fields without a lowest and a highest number, what an effect is of."""
    return [
        f"{name.replace('_', ' ')}: {format_value(own[1])} minus {format_value(own[0])}"
        for name, own in levels.items()
        if any(type(value) is not int for value in own)
    ]
