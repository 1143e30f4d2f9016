"""Runs of hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginsim.columns import SEATS
from ginsim.simulation import simulate, tally
from ginsim.stats import Tally
from ginsim.studies.data import Cell, Parts, Run
from ginsim.studies.kinds.base import Kind, check_cells
from ginsim.studies.kinds.ranges import (
    TASK_HANDS,
    Ranges,
    list_ranges,
    list_stretches,
    read_options,
    take_range,
)
from ginsim.studies.kinds.sums import SumsReducer, find_cuts, tabulate_sums, take_size, to_part
from ginsim.studies.reading import Names, Reader, read_flag, take_cells
from ginsim.studies.stopping import HAND_FIGURES
from ginsim.tasks import make_task


def _read_hands(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    take_size(reader, options, "hands", list(HAND_FIGURES))
    take_range(reader, options, bool(options["mirror"]))
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["hands"]
    check_cells(reader, cells, lambda cell: make_task(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _play_hands(inputs: Mapping[str, Any]) -> Parts:
    options = read_options(inputs)
    return [
        to_part(tally(hands=count, first=first, **options))
        for first, count in list_stretches(inputs)
    ]


def _list_tasks(run: Run, cell: Cell) -> Ranges:
    return list_ranges(run, cell, "hands", TASK_HANDS, find_cuts(run), run.options["mirror"])


KIND = Kind(
    unit="hands",
    read=_read_hands,
    list_tasks=_list_tasks,
    play=_play_hands,
    play_rows=lambda inputs: simulate(
        hands=inputs["hands"], first=inputs["first"], **read_options(inputs)
    ),
    reduce=lambda run, cell: SumsReducer(run, _list_tasks(run, cell), Tally),
    tabulate=tabulate_sums,
)
