"""The cells of a study of balance: rule sets by the fields that vary, and who plays them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from ginsim.errors import GinsimError, OptionError, join_words, refuse, refuse_name, show
from ginsim.rules import Rules, parse_settings
from ginsim.strategies import AnyStrategy, Strategy, is_python, parse_strategy

if TYPE_CHECKING:
    from ginsim.players import PythonStrategy

#: Rule sets by line-ups: more are a slip of the pen.
MOST_CELLS = 10_000
#: Values of one range.
MOST_VALUES = 1001
#: Whose knock tables are solved anew for each cell.
ADAPT = ("none", "against", "all")

#: Values of fields by name, a range `0:50:5` or a list `20,25,30` as text, or a sequence. Names
#: joined by + are fields that get the same value.
Vary: TypeAlias = "Mapping[str, str | int | bool | Sequence[Any]]"

_RANGE = re.compile(r"(-?\d+):(-?\d+)(?::(-?\d+))?", re.ASCII)


@dataclass(frozen=True)
class Axis:
    """What varies together: fields that have the same value in each cell.

    Attributes:
        name: the fields, joined by +.
        values: the values, in order.
    """

    name: str
    values: tuple[Any, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields."""
        return tuple(self.name.split("+"))


@dataclass(frozen=True)
class Lineup:
    """Who plays whom: the first strategy and the one against it, or in a partnership two pairs."""

    strategy: Strategy
    against: Strategy

    @property
    def are_different(self) -> bool:
        """Whether there are two strategies."""
        return self.strategy != self.against


@dataclass(frozen=True)
class GridCell:
    """One combination.

    Attributes:
        values: of the axes, in order; None for the base.
        rules: what is played.
        lineup: by whom, an index.
    """

    values: tuple[Any, ...] | None
    rules: Rules
    lineup: int


def read_axis(name: object, values: object) -> Axis:
    """An axis from its name and what is given for its values.

    Raises:
        OptionError: naming the field and what is allowed.
    """
    path = f"vary, {name}"
    fields = [field.strip() for field in str(name).split("+")]
    known = Rules.field_names()
    if unknown := [field for field in fields if field not in known]:
        raise OptionError(
            *(f"vary: {refuse_name('field of a rule set', field, known)}" for field in unknown)
        )
    allowed = "a range such as 0:50:5, a list such as 20,25,30, or a sequence of values"
    if isinstance(values, np.ndarray | pd.Series | pd.Index):
        values = values.tolist()  # plain numbers, as rules have them
    if isinstance(values, str):
        found = read_values(path, fields[0], values)
    elif isinstance(values, Sequence):
        found = [value.item() if isinstance(value, np.generic) else value for value in values]
    else:
        found = [values]
    if not found:
        raise OptionError(refuse(path, values, allowed))
    twice = [value for place, value in enumerate(found) if value in found[:place]]
    if twice:
        raise OptionError(f"{path}: {show(twice[0])} is there twice; allowed: each value once")
    return Axis("+".join(fields), tuple(found))


def read_values(path: str, field: str, text: str) -> list[Any]:
    """The values of a text: a range with both ends, or a list.

    Raises:
        OptionError: for a range that does not rise or is too long.
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        parts = [part.strip() for part in text.split(",")]
        if not all(parts):
            raise OptionError(refuse(path, text, "values with commas between them"))
        return [parse_settings([f"{field}={part}"])[field] for part in parts]
    low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
    if step < 1 or high < low:
        raise OptionError(refuse(path, text, "LOW:HIGH:STEP with LOW up to HIGH and STEP from 1"))
    values = list(range(low, high + 1, step)) if (high - low) // step < MOST_VALUES else []
    if not values:
        raise OptionError(refuse(path, text, f"up to {MOST_VALUES} values"))
    return values


def read_axes(vary: object) -> tuple[Axis, ...]:
    """All axes; no field is in two.

    Raises:
        OptionError: with all that is wrong.
    """
    if vary is None:
        return ()
    if not isinstance(vary, Mapping):
        raise OptionError(refuse("vary", vary, "a mapping of fields to values"))
    axes: list[Axis] = []
    problems: list[str] = []
    for name, values in vary.items():
        try:
            axes.append(read_axis(name, values))
        except GinsimError as failure:
            problems += failure.problems
    fields = [field for axis in axes for field in axis.fields]
    problems += [
        f"vary: {field} varies twice; allowed: once"
        for field in dict.fromkeys(fields)
        if fields.count(field) > 1
    ]
    if problems:
        raise OptionError(*problems)
    return tuple(axes)


def read_lineups(
    strategies: AnyStrategy | Sequence[AnyStrategy], against: object, what: str = "strategies"
) -> tuple[Lineup, ...]:
    """Every strategy against every other that is given; against itself if none is.

    Raises:
        GinsimError: for what is no strategy of rules.
    """
    first = _read_strategies(what, strategies)
    if against is None:
        return tuple(Lineup(strategy, strategy) for strategy in first)
    second = _read_strategies("against", against)
    return tuple(Lineup(one, other) for one, other in product(first, second))


def _read_strategies(what: str, given: Any) -> list[Strategy]:
    is_one = isinstance(given, str | Strategy | Mapping | type) or is_python(given)
    specs: Sequence[AnyStrategy | PythonStrategy] = [given] if is_one else given
    if not isinstance(specs, Sequence) or not len(specs):
        raise OptionError(refuse(what, given, "a strategy, or a list of them"))
    found: list[Strategy] = []
    problems: list[str] = []
    for spec in specs:
        try:
            found.append(parse_strategy(spec))
        except GinsimError as failure:
            problems += failure.problems
    if problems:
        raise OptionError(*(f"{what}: {problem}" for problem in problems))
    twice = [strategy.name for strategy in found if found.count(strategy) > 1]
    if twice:
        raise OptionError(f"{what}: {show(twice[0])} is there twice; allowed: each strategy once")
    return found


def make_cells(
    rules: Rules, axes: Sequence[Axis], lineups: Sequence[Lineup]
) -> tuple[GridCell, ...]:
    """The base (the rules as they are, the first line-up), then every combination.

    Raises:
        OptionError: with every value that no rule set may have, and every combination without
            meaning.
    """
    count = len(lineups)
    for axis in axes:
        count *= len(axis.values)
    if count > MOST_CELLS:
        raise OptionError(f"vary: {count} cells; allowed: up to {MOST_CELLS}")
    varied: list[tuple[tuple[Any, ...], Rules]] = []
    problems: dict[str, None] = {}
    for values in product(*(axis.values for axis in axes)):
        try:
            varied.append((values, change(rules, axes, values)))
        except GinsimError as failure:
            problems.update(dict.fromkeys(f"vary, {problem}" for problem in failure.problems))
    if problems:
        raise OptionError(*problems)
    changed = sorted({full.players for _, full in varied if full.players != rules.players})
    if changed:
        raise OptionError(
            f"vary, players: {join_words(map(str, changed))} is not allowed; allowed: "
            f"{rules.players}, as {rules.name} has: other decks are dealt, which are not compared"
        )
    base = GridCell(None, rules, 0)
    cells = (
        GridCell(values, full, lineup) for lineup in range(len(lineups)) for values, full in varied
    )
    return base, *cells


def change(rules: Rules, axes: Sequence[Axis], values: Sequence[Any]) -> Rules:
    """The rules with the value of each axis in its fields."""
    fields = {
        field: value for axis, value in zip(axes, values, strict=True) for field in axis.fields
    }
    return rules.replace(**fields) if fields else rules


def format_value(value: Any) -> str:
    """A value as the command line takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{Decimal(value).normalize():f}" if isinstance(value, float) else str(value)
