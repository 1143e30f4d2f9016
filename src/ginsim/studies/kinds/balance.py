"""Runs that sweep over fields of the rules, each cell of the study being a whole grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np

from ginsim.balance.adapting import Adapter, settle_cells
from ginsim.balance.grid import ADAPT, read_axes
from ginsim.balance.measures import MEASURES
from ginsim.balance.playing import BLOCK, Contest, add_sums, split_deals
from ginsim.balance.sums import sum_range
from ginsim.balance.sweeping import Sweep, plan_sweep
from ginsim.games import MAX_HANDS
from ginsim.rules import Rules, load_rules
from ginsim.strategies import Strategy, parse_strategy
from ginsim.studies.data import Cell, Parts, Run, digest
from ginsim.studies.kinds.base import Frames, Kind, PlainReducer, check_cells, label, stack
from ginsim.studies.kinds.ranges import Ranges, list_stretches, take_range
from ginsim.studies.reading import (
    Names,
    Reader,
    read_even,
    read_flag,
    read_size,
    read_table,
    read_word,
    read_words,
    take_cells,
)
from ginsim.tasks import make_task

#: Hands and games of a task over all cells of the grid, about.
TASK = {"hands": 262_144, "games": 32_768}
#: Solved players by what they depend on: a process solves once, whatever its tasks.
_SOLVED: dict[str, tuple[Contest, ...]] = {}
_SOLVING = Lock()


def _read_balance(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    # The grid is inside a cell: the rule sets of the cells are the bases.
    unchanged: dict[str, list[Any]] = {}
    vary = reader.take("vary", _read_vary, unchanged) or unchanged
    cells = take_cells(reader, names, ("strategy", "against"), options)
    for cell in cells:
        if len(cell.players) != 2:
            reader.note(f"{reader.locate('players')}: four players; allowed: [strategy, against]")
            cells = ()
    options["vary"] = vary
    for unit in ("hands", "games"):
        size = reader.take(unit, read_even(2))
        if size is not None:
            options[unit] = size
    if len({"hands", "games"} & set(options)) != 1:
        reader.note(
            f"{reader.path}: has {'both' if 'hands' in options else 'neither'} of hands and games; "
            "allowed: one of them, how many of each cell"
        )
        cells = ()
    measures = reader.take("measures", read_words(list(MEASURES)))
    if measures is not None:
        options["measures"] = measures
    options["adapt"] = reader.take("adapt", read_word(ADAPT), "none")
    solved = reader.take("solve_hands", read_size(100))
    if solved is not None:
        options["solve_hands"] = solved
    options["max_hands"] = reader.take("max_hands", read_size(1, 32_000), MAX_HANDS)
    options["replay"] = reader.take("replay", read_flag, False)
    take_range(reader, options, True)
    options["count"] = options.get("hands") or options.get("games") or 0
    check_cells(reader, cells, lambda cell: _plan(options, cell, 0))
    return cells, options


def _read_vary(path: str, value: Any) -> dict[str, list[Any]]:
    """The grid, with ranges written out, so that the document says what is played."""
    return {axis.name: list(axis.values) for axis in read_axes(read_table(path, value))}


def _plan(options: Mapping[str, Any], cell: Cell, seed: int) -> Sweep:
    return _make_sweep(cell.rules, cell.players[0], cell.players[1], {**options, "seed": seed})


def _make_sweep(
    rules: Rules, strategy: Strategy, against: Strategy, inputs: Mapping[str, Any]
) -> Sweep:
    keys = ("measures", "hands", "games", "adapt", "solve_hands", "max_hands", "replay", "seed")
    return plan_sweep(
        rules,
        vary=inputs["vary"],
        strategies=[strategy],
        against=against,
        first=inputs["first"],
        **{key: inputs[key] for key in keys if key in inputs},
    )


def _list_tasks(run: Run, cell: Cell) -> Ranges:
    options = run.options
    unit = "hands" if "hands" in options else "games"
    task = make_task(
        cell.rules, cell.players, 0, seed=run.seed, first=options["first"], of_games=True
    )
    names = ("strategy", "against")
    players = dict(zip(names, (one.model_dump() for one in cell.players), strict=True))
    origin = {
        **{key: value for key, value in task.provenance.items() if key not in ("hands", "mirror")},
        "strategies": players,
        **{
            key: options[key]
            for key in ("vary", "measures", "adapt", "solve_hands", "max_hands", "replay")
            if key in options
        },
    }
    cells = len(_plan(options, cell, run.seed).cells)
    size = options.get("task") or max(task.chunk(TASK[unit]) // cells // 2 * 2, 2)
    return Ranges(run.kind, origin, unit, options["first"], options["count"], size, ())


def _find_contests(inputs: Mapping[str, Any], sweep: Sweep) -> tuple[Contest, ...]:
    """Who plays in each cell of the grid."""
    if sweep.adapt == "none":
        return settle_cells(Adapter("none", 0, 0), sweep.cells, sweep.lineups)
    keys = ("rules", "strategies", "vary", "seed", "adapt", "solve_hands")
    name = digest({key: inputs[key] for key in keys if key in inputs})
    with _SOLVING:
        if name not in _SOLVED:
            adapter = Adapter(sweep.adapt, sweep.solve_hands, sweep.seed, 1)
            _SOLVED[name] = settle_cells(adapter, sweep.cells, sweep.lineups)
        return _SOLVED[name]


def _play(inputs: Mapping[str, Any]) -> Parts:
    rules = load_rules(inputs["rules"])
    strategy, against = (parse_strategy(one) for one in inputs["strategies"].values())
    sweep = _make_sweep(rules, strategy, against, inputs)
    contests = _find_contests(inputs, sweep)
    per_deal = 2 if sweep.mirror else 1
    parts = []
    for first, count in list_stretches(inputs):
        part = {}
        for unit, plan in sweep.make_plans(contests).items():
            ranges = split_deals(first // per_deal, count // per_deal, BLOCK[unit])
            sums = add_sums([sum_range(plan, low, deals, 1) for low, deals in ranges])
            part.update({f"{unit}.{name}": np.asarray(values) for name, values in sums.items()})
        parts.append(part)
    return parts


def _tabulate(run: Run, cells: Sequence[tuple[Cell, PlainReducer]]) -> Frames:
    tables = []
    for cell, reducer in cells:
        sweep = _plan(run.options, cell, run.seed)
        contests = _find_contests(_list_tasks(run, cell).origin, sweep)
        sums: dict[str, Any] = {}
        for key, values in reducer.total.items():
            unit, _, name = key.partition(".")
            sums.setdefault(unit, {})[name] = values
        table = sweep.tabulate(contests, sums, {}).drop(columns=["strategy", "against"])
        tables.append(label(cell, table))
    return {"": stack(tables)}


KIND = Kind(
    unit="hands",
    read=_read_balance,
    list_tasks=_list_tasks,
    play=_play,
    play_rows=None,
    reduce=lambda run, cell: PlainReducer(_list_tasks(run, cell)),
    tabulate=_tabulate,
)
