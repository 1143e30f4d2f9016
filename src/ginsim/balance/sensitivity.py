"""Which fields move a measure most: main effects and interactions over a factorial design.

>>> found = field_effects("kawu", {"gin_bonus": [20, 25], "undercut_bonus": [10, 25]},
...                       "points", hands=2000, seed=1)
>>> found.effects["term"].tolist()
['gin_bonus', 'undercut_bonus', 'gin_bonus × undercut_bonus']
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, SupportsIndex

import pandas as pd

from ginsim.balance.adapting import Adapter, settle_cells
from ginsim.balance.factorial import Levels, estimate_effects, estimate_levels
from ginsim.balance.grid import Lineup, Vary
from ginsim.balance.joint import average_cells, check_deals
from ginsim.balance.measures import MEASURES, Measure
from ginsim.balance.playing import Plan
from ginsim.balance.sweeping import GAMES, HANDS, plan_sweep
from ginsim.batches import Progress
from ginsim.checks import check_whole
from ginsim.errors import OptionError, refuse, refuse_name
from ginsim.games import MAX_HANDS
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.strategies import AnyStrategy

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
        rules, strategy, against, hands, games, adapt, solve_hands, seed, first, max_hands, threads,
            progress: as for `sweep_rules`.
        vary: for each field two values, or more numbers that rise.
        measure: a name of `MEASURES` that is a ratio, such as points, net, win, hands.
        order: of how many fields together interactions are given.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    loaded = load_rules(rules)
    if not isinstance(measure, str) or measure not in MEASURES:
        raise OptionError(f"measure: {refuse_name('measure', measure, MEASURES)}")
    asked = MEASURES[measure]
    if asked.form != "ratio":
        ratios = [one.name for one in MEASURES.values() if one.form == "ratio"]
        raise OptionError(refuse("measure", measure, f"one of {', '.join(ratios)}"))
    if hands is None and games is None:
        is_of_games = asked.unit == "game" or loaded.players == 4
        hands, games = (None, GAMES) if is_of_games else (HANDS, None)
    sweep = plan_sweep(
        loaded,
        vary=vary,
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
    levels = {axis.name: axis.values for axis in sweep.axes}
    _check_levels(levels)
    most = check_whole("order", order, 1, None)
    cells = sweep.cells[1:]
    if len(cells) > MOST_CELLS:
        raise OptionError(f"vary: {len(cells)} cells; allowed: up to {MOST_CELLS}")
    deals = sweep.count_deals(asked.unit)
    check_deals(deals, 2, "games" if sweep.sizes["game"] else "hands")
    num_threads = None if threads is None else check_whole("threads", threads, 1, 4096)
    adapter = Adapter(sweep.adapt, sweep.solve_hands, sweep.seed, num_threads)
    contests = settle_cells(adapter, cells, sweep.lineups)
    plan = Plan(contests, asked.unit, (asked,), sweep.seed, sweep.mirror, sweep.max_hands)
    means = average_cells(plan, sweep.first, deals, num_threads, progress)
    effects = estimate_effects(
        levels, means.values, means.covariance, order=most, freedom=deals - 1
    )
    ranked = effects.reindex(effects["effect"].abs().sort_values(ascending=False).index)
    half = means.quantile * means.se
    table = pd.DataFrame([cell.values for cell in cells], columns=list(levels))
    table = table.assign(
        value=means.values,
        se=means.se,
        low=means.values - half,
        high=means.values + half,
        way=plan.ways,
    )
    return FieldEffects(
        rules=loaded,
        levels=levels,
        lineup=sweep.lineups[0],
        measure=asked,
        effects=ranked.reset_index(drop=True),
        means=estimate_levels(levels, means.values, means.covariance, freedom=deals - 1),
        cells=table,
        adapted=sweep.adapt,
        provenance={**sweep.describe(adapter.describe()), "measure": measure, "order": most},
    )


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
            if not numbers or any(b <= a for a, b in pairwise(values)):
                problems.append(
                    refuse(f"vary, {name}", list(values), "two values, or more numbers that rise")
                )
    if problems:
        raise OptionError(*problems)
