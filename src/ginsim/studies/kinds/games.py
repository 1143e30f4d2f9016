"""Runs of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginsim.columns import SEATS
from ginsim.game_stats import GameTally
from ginsim.games import MAX_HANDS, simulate_games, tally_games
from ginsim.studies.data import Cell, Parts, Run
from ginsim.studies.kinds.base import Kind, check_cells
from ginsim.studies.kinds.ranges import (
    TASK_GAMES,
    Ranges,
    list_ranges,
    list_stretches,
    read_options,
    take_range,
)
from ginsim.studies.kinds.sums import SumsReducer, find_cuts, tabulate_sums, take_size, to_part
from ginsim.studies.reading import Names, Reader, read_flag, read_size, take_cells
from ginsim.studies.stopping import GAME_FIGURES


def _read_games(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    take_size(reader, options, "games", list(GAME_FIGURES))
    take_range(reader, options, bool(options["mirror"]))
    options["max_hands"] = reader.take("max_hands", read_size(1, 32_000), MAX_HANDS)
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["games"]
    check_cells(reader, cells, lambda cell: simulate_games(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _play_games(inputs: Mapping[str, Any]) -> Parts:
    options = read_options(inputs)
    return [
        to_part(tally_games(games=count, first=first, **options))
        for first, count in list_stretches(inputs)
    ]


def _list_tasks(run: Run, cell: Cell) -> Ranges:
    return list_ranges(run, cell, "games", TASK_GAMES, find_cuts(run), run.options["mirror"])


KIND = Kind(
    unit="games",
    read=_read_games,
    list_tasks=_list_tasks,
    play=_play_games,
    play_rows=lambda inputs: simulate_games(
        games=inputs["games"], first=inputs["first"], **read_options(inputs)
    ),
    reduce=lambda run, cell: SumsReducer(run, _list_tasks(run, cell), GameTally),
    tabulate=tabulate_sums,
)
