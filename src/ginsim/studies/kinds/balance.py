"""Runs on the balance of scoring, each cell of the study being a whole grid.

`ask` says what is wanted: the sweep itself, the value of a field at which two ways are equal, or
which fields matter most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ginsim.balance.adapting import Adapter, settle_cells
from ginsim.balance.grid import ADAPT, read_axes
from ginsim.balance.joint import sum_cells
from ginsim.balance.means import CrossSums
from ginsim.balance.measures import MEASURES
from ginsim.balance.playing import BLOCK, Contest, Plan, add_sums, split_deals
from ginsim.balance.sensitivity import EffectsPlan, plan_effects
from ginsim.balance.solving import FieldPlan, FieldSolution, plan_field
from ginsim.balance.sums import sum_range
from ginsim.balance.sweeping import Sweep, plan_sweep
from ginsim.errors import OptionError, refuse
from ginsim.games import MAX_HANDS
from ginsim.rules import load_rules
from ginsim.strategies import parse_strategy
from ginsim.studies.data import Cell, Part, Parts, Run, digest
from ginsim.studies.kinds.base import Frames, Kind, PlainReducer, check_cells, label, stack
from ginsim.studies.kinds.ranges import Ranges, list_stretches, take_range
from ginsim.studies.reading import (
    Names,
    Reader,
    read_even,
    read_flag,
    read_size,
    read_table,
    read_text,
    read_word,
    read_words,
    take_cells,
)
from ginsim.tasks import make_task

ASK = ("sweep", "solve", "sensitivity")
#: Hands and games of a task over all cells of the grid, about.
TASK = {"hands": 262_144, "games": 32_768}

#: A question with all its arguments checked.
Asked: TypeAlias = Sweep | FieldPlan | EffectsPlan

#: Players of a question by what they depend on: a process solves once, whatever its tasks.
_SOLVED: dict[str, tuple[Contest, ...]] = {}
_SOLVING = Lock()


# -- reading --------------------------------------------------------------------------------------


def _read_number(path: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OptionError(refuse(path, value, "a number"))
    return float(value)


def _read_vary(path: str, value: Any) -> dict[str, list[Any]]:
    """The grid, with ranges written out, so that the document says what is played."""
    return {axis.name: list(axis.values) for axis in read_axes(read_table(path, value))}


def _read_values(path: str, value: Any) -> Any:
    if not isinstance(value, str | list):
        raise OptionError(refuse(path, value, "LOW:HIGH:STEP as text, or a list of numbers"))
    return value


_Reading: TypeAlias = Callable[[str, Any], Any]
#: The keys of each question beside those of all.
_KEYS: Mapping[str, Mapping[str, _Reading]] = {
    "sweep": {"measures": read_words(list(MEASURES)), "replay": read_flag},
    "solve": {
        "field": read_text,
        "rival": read_text,
        "measure": read_word(list(MEASURES)),
        "target": _read_number,
        "values": _read_values,
        "solves": read_size(1),
    },
    "sensitivity": {"measure": read_word(list(MEASURES)), "order": read_size(1)},
}
#: What the questions take besides the players and `vary`.
_ARGUMENTS = ("hands", "games", "adapt", "solve_hands", "max_hands", "first", "seed")


def _read_balance(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    ask = reader.take("ask", read_word(ASK), "sweep") or "sweep"
    # The grid is inside a cell: the rule sets of the cells are the bases.
    unchanged: dict[str, list[Any]] = {}
    vary = unchanged
    if ask != "solve":
        vary = reader.take("vary", _read_vary, unchanged) or unchanged
    plays_itself = not (reader.has("against") or reader.has("players"))
    cells = take_cells(reader, names, ("strategy", "against"), options)
    if plays_itself and cells:
        cells = tuple(_play_itself(cell) for cell in cells)
        options["players"] = [[lineup[0]] * 2 for lineup in options["players"]]
    for cell in cells:
        if len(cell.players) != 2:
            reader.note(f"{reader.locate('players')}: four players; allowed: [strategy, against]")
            cells = ()
    options["ask"] = ask
    if ask != "solve":
        options["vary"] = vary
    elif not reader.has("field"):
        reader.note(f"{reader.locate('field')}: is missing; allowed: a field of the rules")
        cells = ()
    for key, read in (("hands", read_even(2)), ("games", read_even(2)), *_KEYS[ask].items()):
        value = reader.take(key, read)
        if value is not None:
            options[key] = value
    if "rival" in options:
        # By its fields, since the tasks know no names.
        rival = reader.attempt(reader.locate("rival"), names.find_strategy, options["rival"])
        cells = cells if rival is not None else ()
    if len({"hands", "games"} & set(options)) != 1:
        reader.note(
            f"{reader.path}: has {'both' if 'hands' in options else 'neither'} of hands and games; "
            "allowed: one of them, how many of each cell"
        )
        cells = ()
    options["adapt"] = reader.take("adapt", read_word(ADAPT), "none")
    solved = reader.take("solve_hands", read_size(100))
    if solved is not None:
        options["solve_hands"] = solved
    options["max_hands"] = reader.take("max_hands", read_size(1, 32_000), MAX_HANDS)
    take_range(reader, options, True)
    options["count"] = options.get("hands") or options.get("games") or 0
    if "rival" in options and cells:
        known = names.strategies[options["rival"]]
        assert known is not None, "it was found"
        cells = tuple(_with_rival(cell, known) for cell in cells)
    check_cells(reader, cells, lambda cell: _ask_cell(options, cell, 0))
    return cells, options


def _play_itself(cell: Cell) -> Cell:
    """Who has no opponent plays himself, as in `sweep_rules`."""
    labels = {**cell.labels, "against": cell.labels["strategy"]}
    return Cell(labels, cell.rules, (cell.players[0],) * 2)


def _with_rival(cell: Cell, rival: Any) -> Cell:
    """The rival as a third player, behind whom the cell's labels do not change."""
    return Cell(cell.labels, cell.rules, (*cell.players, rival))


# -- questions ------------------------------------------------------------------------------------


def _ask_cell(options: Mapping[str, Any], cell: Cell, seed: int) -> Asked:
    return _ask(cell.rules, cell.players, {**options, "seed": seed})


def _ask(rules: Any, players: Sequence[Any], inputs: Mapping[str, Any]) -> Asked:
    """The question of a cell: players are the strategy, the one against it, and a rival."""
    ask = inputs["ask"]
    keys = [*_ARGUMENTS, *(key for key in _KEYS[ask] if key != "rival")]
    given = {key: inputs[key] for key in keys if key in inputs}
    strategy, against = players[:2]
    if ask == "sweep":
        return plan_sweep(
            rules, vary=inputs["vary"], strategies=[strategy], against=against, **given
        )
    if ask == "sensitivity":
        return plan_effects(rules, inputs["vary"], strategy=strategy, against=against, **given)
    rival = players[2] if len(players) > 2 else None
    return plan_field(rules, given.pop("field"), strategy, against, rival=rival, **given)


def _sweep_of(asked: Asked) -> Sweep:
    return asked if isinstance(asked, Sweep) else asked.sweep


def _find_contests(inputs: Mapping[str, Any], asked: Asked, place: int = 0) -> tuple[Contest, ...]:
    """Who plays in each cell of the grid, by one of the solutions."""
    sweep = _sweep_of(asked)

    def settle() -> tuple[Contest, ...]:
        adapter = Adapter(sweep.adapt, sweep.solve_hands, sweep.seed, 1)
        if isinstance(asked, FieldPlan):
            return asked.settle(adapter, place)
        cells = sweep.cells if isinstance(asked, Sweep) else sweep.cells[1:]
        return settle_cells(adapter, cells, sweep.lineups)

    if sweep.adapt == "none":
        return settle()
    kept = {key: value for key, value in inputs.items() if key not in ("hands", "games", "ends")}
    name = digest({**kept, "first": 0, "place": place})
    with _SOLVING:
        if name not in _SOLVED:
            _SOLVED[name] = settle()
        return _SOLVED[name]


# -- tasks ----------------------------------------------------------------------------------------


def _list_tasks(run: Run, cell: Cell) -> Ranges:
    options = run.options
    unit = "hands" if "hands" in options else "games"
    task = make_task(
        cell.rules, cell.players[:2], 0, seed=run.seed, first=options["first"], of_games=True
    )
    names = ("strategy", "against", "rival")
    players = dict(zip(names, (one.model_dump() for one in cell.players), strict=False))
    asked = ("ask", "vary", "adapt", "solve_hands", "max_hands", *_KEYS[options["ask"]])
    origin = {
        **{key: value for key, value in task.provenance.items() if key not in ("hands", "mirror")},
        **{key: options[key] for key in asked if key in options and key != "rival"},
        "strategies": players,
        # All of the run: the solutions are judged on parts of it.
        "whole": [options["first"], options["count"]],
    }
    cells = len(_sweep_of(_ask_cell(options, cell, run.seed)).cells)
    size = options.get("task") or max(task.chunk(TASK[unit]) // cells // 2 * 2, 2)
    return Ranges(run.kind, origin, unit, options["first"], options["count"], size, ())


def _play(inputs: Mapping[str, Any]) -> Parts:
    players = [parse_strategy(one) for one in inputs["strategies"].values()]
    unit = "hands" if "hands" in inputs else "games"
    first, count = inputs["whole"]
    whole = {**inputs, "first": first, unit: count}
    asked = _ask(load_rules(inputs["rules"]), players, whole)
    per_deal = 2 if _sweep_of(asked).mirror else 1
    return [
        _sum(inputs, asked, low // per_deal, size // per_deal)
        for low, size in list_stretches(inputs)
    ]


def _sum(inputs: Mapping[str, Any], asked: Asked, first: int, deals: int) -> Part:
    """The sums of a range of deals."""
    if isinstance(asked, Sweep):
        part = {}
        for unit, plan in asked.make_plans(_find_contests(inputs, asked)).items():
            ranges = split_deals(first, deals, BLOCK[unit])
            sums = add_sums([sum_range(plan, low, size, 1) for low, size in ranges])
            part.update({f"{unit}.{name}": np.asarray(values) for name, values in sums.items()})
        return part
    groups = _list_groups(asked)
    shape = 2 * _count_contests(asked)
    counts = np.zeros(len(groups), np.int64)
    totals = np.zeros((len(groups), shape), np.int64)
    products = np.zeros((len(groups), shape, shape), np.int64)
    for place, (begin, size) in enumerate(groups):
        low, high = max(begin, first), min(begin + size, first + deals)
        if low < high:
            plan = asked.make_plan(_find_contests(inputs, asked, place))
            found = sum_cells(plan, low, high - low, 1)
            counts[place] = found.count
            totals[place], products[place] = found.totals, found.products
    return {"counts": counts, "totals": totals, "products": products}


def _list_groups(asked: FieldPlan | EffectsPlan) -> list[tuple[int, int]]:
    if isinstance(asked, FieldPlan):
        return asked.groups
    return [(asked.sweep.first, asked.sweep.count_deals(asked.measure.unit))]


def _count_contests(asked: FieldPlan | EffectsPlan) -> int:
    if isinstance(asked, FieldPlan):
        return len(asked.lineups) * asked.cells
    return len(asked.sweep.cells) - 1


# -- tables ---------------------------------------------------------------------------------------


def _tabulate(run: Run, cells: Sequence[tuple[Cell, PlainReducer]]) -> Frames:
    tables: dict[str, list[pd.DataFrame]] = {}
    for cell, reducer in cells:
        asked = _ask_cell(run.options, cell, run.seed)
        inputs = _list_tasks(run, cell).origin
        for name, table in _conclude(inputs, asked, reducer.total).items():
            tables.setdefault(name, []).append(label(cell, table))
    return {name: stack(parts) for name, parts in tables.items()}


def _conclude(inputs: Mapping[str, Any], asked: Asked, total: Part) -> Frames:
    if isinstance(asked, Sweep):
        sums: dict[str, Any] = {}
        for key, values in total.items():
            unit, _, name = key.partition(".")
            sums.setdefault(unit, {})[name] = values
        table = asked.tabulate(_find_contests(inputs, asked), sums, {})
        return {"": table.drop(columns=["strategy", "against"])}
    plans: list[Plan] = []
    parts: list[CrossSums] = []
    for place in range(len(total["counts"])):
        plans.append(asked.make_plan(_find_contests(inputs, asked, place)))
        products = tuple(map(tuple, total["products"][place].tolist()))
        totals = tuple(total["totals"][place].tolist())
        parts.append(CrossSums(int(total["counts"][place]), totals, products))
    if isinstance(asked, EffectsPlan):
        effects = asked.conclude(plans[0], parts[0], {})
        return {"": effects.effects, "means": effects.means, "cells": effects.cells}
    found = asked.conclude(plans, parts, {})
    return {"": _tell_roots(found), "values": found.table}


def _tell_roots(found: FieldSolution) -> pd.DataFrame:
    """A row for each part of the set of roots; one without bounds if it is empty."""
    printed = found.printed
    rows = [
        {
            "field": found.field,
            "rival": found.rival,
            "measure": found.measure.name,
            "target": found.target,
            "adapted": found.adapted,
            "way": found.way,
            "method": found.method,
            "printed": printed.value,
            "printed_low": printed.low,
            "printed_high": printed.high,
            "verdict": found.verdict,
            "kind": found.roots.kind,
            "roots": " ".join(f"{root:.12g}" for root in found.roots.roots if low <= root <= high),
            "low": low,
            "high": high,
        }
        for low, high in found.roots.intervals or ((np.nan, np.nan),)
    ]
    return pd.DataFrame(rows)


KIND = Kind(
    unit="hands",
    read=_read_balance,
    list_tasks=_list_tasks,
    play=_play,
    play_rows=None,
    reduce=lambda run, cell: PlainReducer(_list_tasks(run, cell)),
    tabulate=_tabulate,
)
