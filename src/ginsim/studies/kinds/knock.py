"""Runs that try both moves at chances to knock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ginsim.columns import KNOCK_TIMING_COLUMNS
from ginsim.errors import OptionError, join_words, refuse
from ginsim.records import make_frame
from ginsim.studies.data import Cell, Parts, Run
from ginsim.studies.kinds.base import Frames, Kind, PlainReducer, check_cells, label, stack
from ginsim.studies.kinds.ranges import Ranges, read_players, take_range
from ginsim.studies.reading import Names, Reader, read_size, read_word, take_cells
from ginsim.tasks import Task, make_task
from ginsim.timing import (
    COMMAND_WORDS,
    KEYS,
    METHODS,
    add_cells,
    check_bound,
    check_by,
    check_keys,
    chunk_of,
    make_knock_task,
    make_rows,
    read_bound,
)

#: Chunks of hands of a task, which are smaller where hands are replayed.
TASK_KNOCKS = 16


def _read_knock(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, ("policy", "opponent"), options)
    options["hands"] = reader.need("hands", read_size(1), "how many hands")
    take_range(reader, options, False)
    readers: dict[str, Callable[[str, Any], Any]] = {
        "method": read_word(METHODS),
        "by": _read_by,
        **dict.fromkeys(KEYS, _read_bound),
    }
    for key, read in readers.items():
        value = reader.take(key, read)
        if value is not None:
            options[key] = value
    for word, key in COMMAND_WORDS.items():
        # The option of the command, for who has it in mind.
        if reader.has(word):
            value = reader.take(word, partial(_read_bound, key=key))
            if key in options:
                reader.note(f"{reader.locate(word)}: is given besides {key}; allowed: one of them")
            elif value is not None:
                options[key] = value
    options["count"] = options["hands"]
    check_cells(reader, cells, lambda cell: _plan_knocks(options, cell, 0))
    return cells, options


def _read_by(path: str, value: Any) -> list[str]:
    """What tells cells apart; an empty list puts all chances together, as in `knock_timing`."""
    try:
        return check_keys(path, value if isinstance(value, str | list | tuple) else [value])
    except OptionError:
        raise OptionError(
            refuse(path, value, f"some of {join_words(KEYS, 'and')}; [] for all chances together")
        ) from None


def _read_bound(path: str, value: Any, key: str = "") -> int | list[int] | None:
    bound = check_bound(key or path.rpartition(".")[2], value, path)
    if value is None:
        return None
    return list(bound) if isinstance(read_bound(value), list | tuple) else bound[0]


def _plan_knocks(options: Mapping[str, Any], cell: Cell, seed: int) -> tuple[Task, dict[str, Any]]:
    """The hands of a cell, none of them, and what is asked of them: method, by, where."""
    policy, opponent = cell.players
    method = options.get("method")
    task, way = make_knock_task(cell.rules, policy, opponent, 0, method, seed, 0, None)
    given = {key: options.get(key) for key in KEYS}
    where = {key: list(check_bound(key, value)) for key, value in given.items()}
    return task, {"method": way, "by": list(check_by(options.get("by"), given)), "where": where}


def _list_knocks(run: Run, cell: Cell) -> Ranges:
    task, asked = _plan_knocks(run.options, cell, run.seed)
    origin = {key: value for key, value in task.provenance.items() if key != "hands"}
    first, count = run.options["first"], run.options["count"]
    size = run.options.get("task") or TASK_KNOCKS * chunk_of(task, asked["method"])
    return Ranges(run.kind, {**origin, **asked}, "hands", first, count, size, ())


def _play_knocks(inputs: Mapping[str, Any]) -> Parts:
    task = make_task(
        **read_players(inputs), hands=inputs["hands"], seed=inputs["seed"], first=inputs["first"]
    )
    where = {key: (low, high) for key, (low, high) in inputs["where"].items()}
    return [{"cells": add_cells(task, inputs["method"], where, inputs["by"], 1)}]


def _tabulate_knocks(run: Run, cells: Sequence[tuple[Cell, PlainReducer]]) -> Frames:
    tables = []
    for cell, reducer in cells:
        asked = _plan_knocks(run.options, cell, run.seed)[1]
        where = {key: (low, high) for key, (low, high) in asked["where"].items()}
        rows = make_rows(reducer.total["cells"], where, asked["by"])
        tables.append(label(cell, make_frame(KNOCK_TIMING_COLUMNS, rows, {})))
    return {"": stack(tables)}


KIND = Kind(
    unit="hands",
    read=_read_knock,
    list_tasks=_list_knocks,
    play=_play_knocks,
    play_rows=None,
    reduce=lambda run, cell: PlainReducer(_list_knocks(run, cell)),
    tabulate=_tabulate_knocks,
)
