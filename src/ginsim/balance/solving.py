"""The value of a field at which two ways to play are equal, or a figure has a wanted value.

>>> found = solve_field("kawu", "undercut_bonus+clean_undercut_bonus", "greedy(knock_at=10)",
...                     "greedy(knock_at=0)", hands=4000, seed=1)
>>> found.method, found.roots.kind
('line', 'one')
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd

from ginsim.balance.adapting import Adapter
from ginsim.balance.grid import Axis, Lineup, change, read_axis
from ginsim.balance.joint import average_cells, check_deals, sum_cells
from ginsim.balance.means import CrossSums, Floats, Means
from ginsim.balance.means import average as average_solves
from ginsim.balance.measures import MEASURES, Measure
from ginsim.balance.playing import Contest, Plan
from ginsim.balance.roots import (
    FEWEST_SOLVES,
    RootSet,
    fieller,
    fit_line,
    invert,
    invert_solves,
)
from ginsim.balance.sweeping import Sweep, plan_sweep, shift
from ginsim.batches import Progress
from ginsim.checks import check_whole
from ginsim.errors import OptionError, count, refuse, refuse_name
from ginsim.fields import list_values
from ginsim.games import MAX_HANDS
from ginsim.intervals import Estimate, bound_share
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.strategies import AnyStrategy, parse_strategy
from ginsim.tasks import check_threads

#: Bonuses of a hand: the net points of hands that are played alike are linear in them.
LINEAR_FIELDS = ("gin_bonus", "undercut_bonus", "clean_undercut_bonus", "big_gin_bonus")
METHODS = ("line", "inversion", "solves")
#: Values of a field of up to so many numbers are all looked at, if nothing is said.
FEW_VALUES = 21
#: Where else a root is looked for.
SPANS: Mapping[str, str] = {"target": "50:250:50", "max_pile_draws": "5:50:5"}
SPAN_END = 50
SPAN = f"0:{SPAN_END}:5"


@dataclass(frozen=True)
class FieldSolution:
    """Where a difference is zero.

    Attributes:
        rules: as they are printed.
        field: what is solved for; fields joined by + have the same value.
        lineup: the strategy and the one against it.
        rival: the strategy it is compared with, both against `against`; None if it is not.
        measure: what differs.
        target: the difference is that of the measure from it, or with a rival of the strategy's
            figure from the rival's.
        way: how the values were looked at: `priced` from one set of hands, or `replayed`.
        method: `line` (Fieller's interval of a line's root), `inversion` of a grid, or `solves`,
            the same with the noise of independently solved opponents.
        roots: see `RootSet`; the interval is 95 %.
        allowed: the least and the greatest value that the rules allow.
        printed: the difference by the rules as printed, with its 95 % interval.
        table: the difference at the values looked at: value, difference, se, low, high.
        adapted: whose knock tables were solved anew for each value: none, against, all.
        assumption: what the answer supposes of the players, in words.
        provenance: what reproduces it.
    """

    rules: Rules
    field: str
    lineup: Lineup
    rival: str | None
    measure: Measure
    target: float
    way: str
    method: str
    roots: RootSet
    allowed: tuple[int, int]
    printed: Estimate
    table: pd.DataFrame
    adapted: str
    assumption: str
    provenance: dict[str, Any]

    @property
    def verdict(self) -> str:
        """What the rules as printed give, in a word: `more`, `less` or `not told apart`."""
        if self.printed.low > 0:
            return "more"
        return "less" if self.printed.high < 0 else "not told apart"


def solve_field(
    rules: AnyRules,
    field: str,
    strategy: AnyStrategy = "greedy",
    against: AnyStrategy | None = None,
    *,
    rival: AnyStrategy | None = None,
    measure: str | None = None,
    target: float | None = None,
    values: str | Sequence[int] | None = None,
    adapt: str | bool = False,
    solves: SupportsIndex | None = None,
    solve_hands: SupportsIndex | None = None,
    hands: SupportsIndex | None = None,
    games: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    max_hands: SupportsIndex = MAX_HANDS,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> FieldSolution:
    """Find the value of a field at which a difference is zero, with a 95 % interval of that value.

    Where the same hands are priced by bonuses, their net points are linear in these: one set of
    hands gives the line, and Fieller's theorem the interval. Else the values are played on common
    deals, and the interval is what inverting the test of each value gives.

    Args:
        rules: as printed.
        field: a field of numbers, or several joined by + that get the same value.
        strategy: the first strategy.
        against: its opponent; None for itself.
        rival: another strategy; the difference is then what the first makes against `against`
            minus what the rival does, on the same deals. Without it the figure is that of
            `strategy` and `against` playing each other.
        measure: a name of `MEASURES`; net points a hand if nothing is said.
        target: the wanted value; if nothing is said, that of equality (0, or a half of a share),
            with a rival 0.
        values: where to look, `LOW:HIGH:STEP` or numbers that rise; for a line any two will do.
        adapt: whose knock tables are solved anew for each value: `against`, `all` or `none`. With
            a rival only `against`: two that differ in knocks alone would become one.
        solves: with adapt, how many independent solutions, each judged on deals of its own, so
            that the solver's noise is in the interval; five at least, and five if nothing is said.
        solve_hands: with adapt, hands of each of the three streams of a solution.
        hands, games: how many of each value, the one that the measure is of; with adapt, of all
            solutions together.
        seed, first, threads, progress: as for `simulate`.
        max_hands: a game without a winner after so many hands ends unfinished.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    plan = plan_field(
        rules,
        field,
        strategy,
        against,
        rival=rival,
        measure=measure,
        target=target,
        values=values,
        adapt=adapt,
        solves=solves,
        solve_hands=solve_hands,
        hands=hands,
        games=games,
        seed=seed,
        first=first,
        max_hands=max_hands,
    )
    num_threads = check_threads(threads)
    sweep = plan.sweep
    adapter = Adapter(sweep.adapt, sweep.solve_hands, sweep.seed, num_threads, progress)
    settled, sums = [], []
    for place, (begin, deals) in enumerate(plan.groups):
        settled.append(plan.make_plan(plan.settle(adapter, place)))
        size = deals * len(settled[-1].contests)
        steps = shift(progress, place * size, len(plan.groups) * size)
        sums.append(sum_cells(settled[-1], begin, deals, num_threads, steps))
    return plan.conclude(settled, sums, adapter.describe())


@dataclass(frozen=True)
class FieldPlan:
    """A question of `solve_field` before anything is played. Made by `plan_field`.

    Attributes:
        sweep: sizes, seed and who adapts.
        axis: the field and the values looked at.
        allowed: the least and the greatest value that the rules allow.
        measure, target: as of `FieldSolution`.
        lineups: the first strategy's, and with a rival his.
        solves: how many independent solutions; 1 if nobody adapts.
    """

    sweep: Sweep
    axis: Axis
    allowed: tuple[int, int]
    measure: Measure
    target: float
    lineups: tuple[Lineup, ...]
    solves: int

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The deals on which each solution is judged: the first, and how many."""
        share = self.sweep.count_deals(self.measure.unit) // self.solves
        return [(self.sweep.first + place * share, share) for place in range(self.solves)]

    @property
    def cells(self) -> int:
        """How many cells a line-up has: the rules as printed, and the values."""
        return len(self.axis.values) + 1

    def settle(self, adapter: Adapter, place: int) -> tuple[Contest, ...]:
        """Who plays in each cell, by one of the solutions; line-up by line-up."""
        rules = self.sweep.rules
        full = [rules, *(change(rules, [self.axis], [value]) for value in self.axis.values)]
        return tuple(adapter.settle(one, each, place) for each in self.lineups for one in full)

    def make_plan(self, contests: tuple[Contest, ...]) -> Plan:
        """What is played."""
        return replace(self.sweep.make_plans(contests)[self.measure.unit], measures=(self.measure,))

    def conclude(
        self, plans: Sequence[Plan], sums: Sequence[CrossSums], adapted: dict[str, Any]
    ) -> FieldSolution:
        """Where the difference is zero.

        Args:
            plans, sums: of each solution, what was played and what came of it.
            adapted: what provenance says of the solutions.
        """
        has_rival = len(self.lineups) > 1
        groups = [
            _subtract(average_cells(plan, part), self.cells, self.target, has_rival)
            for plan, part in zip(plans, sums, strict=True)
        ]
        x = np.array(self.axis.values, np.float64)
        limits = (float(self.allowed[0]), float(self.allowed[1]))
        if self.solves > 1:
            differences = np.array([means.values for means in groups])
            means = average_solves(differences)
            roots = invert_solves(x, differences[:, 1:], limits=limits)
            method = "solves"
        else:
            means = groups[0]
            inner = _take(means, slice(1, None))
            method = "line" if _is_line(self.axis, self.measure, plans[0]) else "inversion"
            if method == "line":
                line = fit_line(x, inner)
                intercept, slope = line.values.tolist()
                roots = fieller(intercept, slope, line.covariance, z=line.quantile)
            elif self.is_of_shares:
                spread = _score_covariance(inner, self.target)
                roots = invert(x, inner.values, spread, z=inner.quantile, limits=limits)
            else:
                roots = invert(x, inner.values, inner.covariance, z=inner.quantile, limits=limits)
        is_priced = set(plans[0].sources[1 : self.cells]) == {0}
        adapts = self.sweep.adapt != "none"
        return FieldSolution(
            rules=self.sweep.rules,
            field=self.axis.name,
            lineup=self.lineups[0],
            rival=self.lineups[1].strategy.name if has_rival else None,
            measure=self.measure,
            target=self.target,
            way="priced" if is_priced else "replayed",
            method=method,
            roots=roots,
            allowed=self.allowed,
            printed=self._estimate(means, 0),
            table=self._make_table(means),
            adapted=self.sweep.adapt,
            assumption=_tell_assumption(self.sweep.adapt, self.lineups, self.solves, self.axis),
            provenance={
                **self.sweep.describe(adapted),
                "field": self.axis.name,
                "measure": self.measure.name,
                "target": self.target,
                "solves": self.solves if adapts else 0,
            },
        )

    @property
    def is_of_shares(self) -> bool:
        """Whether the difference is that of a share from a target, in one set of deals."""
        return self.measure.is_share and len(self.lineups) == 1 and self.solves == 1

    def _estimate(self, means: Means, place: int) -> Estimate:
        """A difference with its 95 % interval: Wilson's of a share, else Student's."""
        value, se = float(means.values[place]), float(means.se[place])
        if self.is_of_shares:
            low, high = bound_share(value + self.target, _trim(se**2), means.clusters)
            return Estimate(value, se, low - self.target, high - self.target)
        half = means.quantile * se
        return Estimate(value, se, value - half, value + half)

    def _make_table(self, means: Means) -> pd.DataFrame:
        figures = [self._estimate(means, place) for place in range(1, self.cells)]
        rows = [
            (value, figure.value, figure.se, figure.low, figure.high)
            for value, figure in zip(self.axis.values, figures, strict=True)
        ]
        return pd.DataFrame(rows, columns=["value", "difference", "se", "low", "high"])


def plan_field(
    rules: AnyRules,
    field: str,
    strategy: AnyStrategy = "greedy",
    against: AnyStrategy | None = None,
    *,
    rival: AnyStrategy | None = None,
    measure: str | None = None,
    target: float | None = None,
    values: str | Sequence[int] | None = None,
    adapt: str | bool = False,
    solves: SupportsIndex | None = None,
    solve_hands: SupportsIndex | None = None,
    hands: SupportsIndex | None = None,
    games: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    max_hands: SupportsIndex = MAX_HANDS,
) -> FieldPlan:
    """Validate the arguments of `solve_field`.

    Raises:
        GinsimError: as `solve_field`.
    """
    loaded = load_rules(rules)
    axis, allowed = _check_axis(loaded, field, values)
    asked = _check_measure(measure, target, rival is not None)
    wanted = _check_target(asked, target, rival is not None)
    lineup = Lineup(
        parse_strategy(strategy), parse_strategy(strategy if against is None else against)
    )
    lineups = [lineup]
    if rival is not None:
        lineups.append(Lineup(parse_strategy(rival), lineup.against))
        if lineups[1].strategy == lineup.strategy:
            raise OptionError(refuse("rival", lineup.strategy.name, "another strategy"))
    sweep = plan_sweep(
        loaded,
        vary={axis.name: axis.values},
        strategies=[one.strategy for one in lineups],
        against=lineup.against,
        measures=asked.name,
        hands=hands,
        games=games,
        adapt=adapt,
        solve_hands=solve_hands,
        seed=seed,
        first=first,
        max_hands=max_hands,
    )
    if rival is not None and sweep.adapt == "all":
        raise OptionError(
            refuse(
                "adapt",
                "all",
                "against, with a rival: two strategies that differ in knocks alone would become "
                "one",
            )
        )
    if solves is not None and sweep.adapt == "none":
        raise OptionError(refuse("solves", solves, "with adapt only: nothing is solved without"))
    number = 1
    if sweep.adapt != "none":
        wanted_solves = FEWEST_SOLVES if solves is None else solves
        number = check_whole("solves", wanted_solves, FEWEST_SOLVES, 1000)
    deals = sweep.count_deals(asked.unit)
    check_deals(deals, 2 * number, "games" if sweep.sizes["game"] else "hands")
    return FieldPlan(sweep, axis, allowed, asked, wanted, tuple(lineups), number)


# -- arguments ------------------------------------------------------------------------------------


def _check_axis(rules: Rules, field: object, values: object) -> tuple[Axis, tuple[int, int]]:
    """The axis, and the least and greatest value that all of its fields allow."""
    if not isinstance(field, str):
        raise OptionError(refuse("field", field, "the name of a field of the rules"))
    names = [name.strip() for name in field.split("+")]
    known = Rules.field_names()
    if unknown := [name for name in names if name not in known]:
        raise OptionError(
            *(f"field: {refuse_name('field of a rule set', name, known)}" for name in unknown)
        )
    ranges = [
        [value for value in list_values(Rules.model_fields[name]) if type(value) is int]
        for name in names
    ]
    if wordy := [name for name, own in zip(names, ranges, strict=True) if len(own) < 3]:
        numbers = [
            name
            for name in known
            if sum(type(value) is int for value in list_values(Rules.model_fields[name])) > 2
        ]
        raise OptionError(refuse("field", wordy[0], f"a field of numbers: {', '.join(numbers)}"))
    allowed = (max(min(own) for own in ranges), min(max(own) for own in ranges))
    if values is None:
        few = allowed[1] - allowed[0] < FEW_VALUES
        values = f"{allowed[0]}:{allowed[1]}" if few else _find_span(rules, names[0], allowed[1])
    with _naming_values(field):
        axis = read_axis(field, values)
    rises = all(
        type(value) is int and (not place or axis.values[place - 1] < value)
        for place, value in enumerate(axis.values)
    )
    if len(axis.values) < 2 or not rises:
        raise OptionError(
            refuse("values", values, "LOW:HIGH:STEP, or two whole numbers or more that rise")
        )
    outside = [value for value in axis.values if not allowed[0] <= value <= allowed[1]]
    if outside:
        span = f"whole numbers {allowed[0]} to {allowed[1]}, as {axis.name} has"
        raise OptionError(refuse("values", outside[0], span))
    return axis, allowed


@contextmanager
def _naming_values(field: str) -> Iterator[None]:
    """Errors about the values of an axis, in the words of `values`."""
    try:
        yield
    except OptionError as failure:
        named = (
            problem.replace(f"vary, {field}:", "values:", 1).replace("vary:", "field:", 1)
            for problem in failure.problems
        )
        raise OptionError(*named) from None


def _find_span(rules: Rules, field: str, most: int) -> str:
    """Where a root is looked for: on both sides of the value as printed."""
    printed = getattr(rules, field)
    if field in SPANS or type(printed) is not int or printed < SPAN_END:
        return SPANS.get(field, SPAN)
    step = -(-2 * printed // 50) * 5  # ten steps of full fives, up to twice what is printed
    return f"0:{min(10 * step, most // step * step)}:{step}"


def _check_measure(measure: object, target: object, has_rival: bool) -> Measure:
    name = "net" if measure is None else measure
    if not isinstance(name, str) or name not in MEASURES:
        raise OptionError(f"measure: {refuse_name('measure', name, MEASURES)}")
    found = MEASURES[name]
    if found.form != "ratio":
        ratios = [one.name for one in MEASURES.values() if one.form == "ratio"]
        raise OptionError(refuse("measure", name, f"one of {', '.join(ratios)}"))
    if found.equal is None and target is None and not has_rival:
        raise OptionError(
            f"target: is missing; allowed: the value that {name} is to have, which compares no two "
            "sides"
        )
    return found


def _check_target(measure: Measure, target: object, has_rival: bool) -> float:
    if target is None:
        return 0.0 if has_rival or measure.equal is None else measure.equal
    allowed = "a number between 0 and 1" if measure.is_share and not has_rival else "a number"
    if isinstance(target, bool) or not isinstance(target, int | float) or not math.isfinite(target):
        raise OptionError(refuse("target", target, allowed))
    if measure.is_share and not has_rival and not 0 < target < 1:
        raise OptionError(refuse("target", target, allowed))
    return float(target)


# -- figures --------------------------------------------------------------------------------------


def _subtract(means: Means, cells: int, target: float, has_rival: bool) -> Means:
    """The differences of the cells: from the target, or from those of the rival."""
    if has_rival:
        means = means.combine(np.hstack([np.eye(cells), -np.eye(cells)]))
    return Means(means.values - target, means.covariance, means.clusters)


def _take(means: Means, part: slice) -> Means:
    return Means(means.values[part], means.covariance[part, part], means.clusters)


def _is_line(axis: Axis, measure: Measure, plan: Plan) -> bool:
    """Whether the difference is a line in the field: the same hands, priced by bonuses."""
    cells = len(axis.values) + 1
    sources = [plan.sources[low : low + cells] for low in range(0, len(plan.sources), cells)]
    are_same = all(len(set(own[1:])) == 1 for own in sources)
    return measure.is_linear and are_same and all(name in LINEAR_FIELDS for name in axis.fields)


def _trim(variance: float) -> float:
    """The variance of a share; a trace of rounding is none."""
    return variance if variance > 1e-24 else 0.0


def _score_covariance(means: Means, target: float) -> Floats:
    """The covariance that shares would have if each were the target, as Wilson's interval has it.

    A share that did not come about, or always did, has no variance of its own, and could still be
    the target: it counts as of independent deals, which are the same where it is the same.
    """
    own = np.array([_trim(value) for value in np.diag(means.covariance).tolist()])
    shares = means.values + target
    spread = shares * (1 - shares)
    known = (own > 0) & (spread > 0)
    null = target * (1 - target)
    scale = np.sqrt(np.where(known, null / np.where(known, spread, 1.0), 0.0))
    covariance: Floats = means.covariance * np.outer(scale, scale)
    is_alike = ~known & ~known[:, None] & (shares == shares[:, None])
    covariance[is_alike] = null / means.clusters
    return covariance


def _tell_assumption(adapted: str, lineups: Sequence[Lineup], solves: int, axis: Axis) -> str:
    """What the answer supposes of the players."""
    names = list(dict.fromkeys([one.strategy.name for one in lineups]))
    other = lineups[0].against.name
    if adapted == "none":
        names = list(dict.fromkeys([*names, other]))
        who = f"{' and '.join(names)} play the same way" if len(names) > 1 else f"{names[0]} plays"
        same = "" if len(names) > 1 else " the same way"
        is_bonus = all(name.endswith("_bonus") for name in axis.fields)
        what = "the bonus" if is_bonus else "the rule"
        return f"{who}{same} at every value: nobody adapts to {what}"
    tables = f"{count(solves, 'solution')} independent of each other"
    if adapted == "against":
        return (
            f"the opponent, {other}, knocks by a table solved anew for each value ({tables}); "
            f"{' and '.join(names)} do not adapt"
        )
    return f"all knock by tables solved anew for each value ({tables}); nothing else adapts"


def tell_roots(
    kind: str,
    roots: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    sign: int,
    bounds: tuple[float, float],
) -> str:
    """Where it is equal, in words; the arguments are as of `RootSet`."""

    def span(low: float, high: float) -> str:
        if math.isinf(low) and math.isinf(high):
            return "any value"
        if math.isinf(low):
            return f"up to {high:.2f}"
        if math.isinf(high):
            return f"from {low:.2f} on"
        return f"{low:.2f} to {high:.2f}"

    spans = " or ".join(span(low, high) for low, high in intervals)
    places = " and ".join(f"{root:.2f}" for root in roots)
    if kind == "none":
        low, high = (f"{bound:g}" for bound in bounds)
        where = f"from {low} to {high}" if math.isfinite(bounds[0]) else "at any value"
        return f"Equal nowhere {where}: everywhere {'more' if sign > 0 else 'less'}"
    if kind == "all":
        return "Equality is excluded nowhere: too few deals, or the field does not matter"
    if kind == "unbounded":
        found_at = f" at {places}" if places else " at no value looked at, as estimated"
        return f"Equal{found_at}; the 95 % set has no end: {spans}"
    if not places:
        return f"Equal nowhere as estimated; the 95 % set: {spans}"
    return f"Equal at {places} (95 %: {spans})"
