"""Runs of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ginsim.columns import SEATS
from ginsim.errors import refuse
from ginsim.game_series import group_series, tabulate_series
from ginsim.game_stats import GameTally
from ginsim.games import MAX_HANDS, simulate_games, tally_games
from ginsim.studies.data import Cell, Part, Parts, Run
from ginsim.studies.kinds.base import Frames, Kind, check_cells, label, stack
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

#: Games of a series: a task has a number for each way in which it may end.
MOST_SERIES = 1000


def _read_games(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    take_size(reader, options, "games", list(GAME_FIGURES))
    take_range(reader, options, bool(options["mirror"]))
    _take_series(reader, options)
    options["max_hands"] = reader.take("max_hands", read_size(1, 32_000), MAX_HANDS)
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["games"]
    check_cells(reader, cells, lambda cell: simulate_games(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _take_series(reader: Reader, options: dict[str, Any]) -> None:
    """The key `series`: games of a series, which no task cuts."""
    path = reader.locate("series")
    length = reader.take("series", read_size(1, MOST_SERIES))
    if length is None:
        return
    options["series"] = length
    size, games = options.get("task"), options["games"]
    if options["mirror"]:
        why = "games on common decks make no series"
        reader.note(f"{path}: {length} is given with mirror; allowed: one of them, since {why}")
    if "precision" in options:
        reader.note(f"{path}: {length} is given with a precision; allowed: one of them")
    if size is not None and size % length:
        allowed = f"a multiple of series, {length}"
        reader.note(refuse(reader.locate("task"), size, allowed))
    if games is not None and games < length:
        reader.note(refuse(path, length, f"a whole number from 1 to games, {games}"))


def _play_games(inputs: Mapping[str, Any]) -> Parts:
    if "series" in inputs:
        return [_play_series(inputs)]
    options = read_options(inputs)
    return [
        to_part(tally_games(games=count, first=first, **options))
        for first, count in list_stretches(inputs)
    ]


def _play_series(inputs: Mapping[str, Any]) -> Part:
    """The sums of games, and those of their series: splits by games won, margins, squares."""
    length, options = inputs["series"], read_options(inputs)
    part = to_part(tally_games(games=inputs["games"], first=inputs["first"], **options))
    frame = simulate_games(games=inputs["games"], first=inputs["first"], **options)
    series = group_series(frame, length)
    splits = np.zeros((length + 1, length + 1), np.int64)
    np.add.at(splits, (series["south_wins"].to_numpy(), series["north_wins"].to_numpy()), 1)
    margins = series["margin"].to_numpy(np.int64)
    return {
        **part,
        "series_splits": splits,
        "series_margins": np.asarray(margins.sum()),
        "series_squares": np.asarray((margins * margins).sum()),
    }


class GamesReducer(SumsReducer):
    """Sums of games, and of series if they are put together to such.

    Attributes:
        splits: how many series ended with so many games won by south and by north.
        margins, squares: the sum of their margins, and of the squares.
    """

    def __init__(self, run: Run, tasks: Ranges) -> None:
        super().__init__(run, tasks, GameTally)
        self.splits: Counter[tuple[int, int]] = Counter()
        self.margins = self.squares = 0

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""
        rest = []
        for part in parts:
            of_series = {name: values for name, values in part.items() if name in _OF_SERIES}
            rest.append({name: values for name, values in part.items() if name not in of_series})
            if of_series:
                splits, margins, squares = (of_series[name] for name in _OF_SERIES)
                for won in np.argwhere(splits).tolist():
                    self.splits[won[0], won[1]] += int(splits[won[0], won[1]])
                self.margins += int(margins)
                self.squares += int(squares)
        super().take(rest)


_OF_SERIES = ("series_splits", "series_margins", "series_squares")


def _list_tasks(run: Run, cell: Cell) -> Ranges:
    mirror, length = run.options["mirror"], run.options.get("series", 1)
    return list_ranges(run, cell, "games", TASK_GAMES, find_cuts(run), mirror, length)


def _tabulate(run: Run, cells: Sequence[tuple[Cell, GamesReducer]]) -> Frames:
    frames = tabulate_sums(run, cells)
    if "series" in run.options:
        frames["series"] = stack(
            [
                label(cell, tabulate_series(one.splits, one.margins, one.squares))
                for cell, one in cells
            ]
        )
    return frames


KIND = Kind(
    unit="games",
    read=_read_games,
    list_tasks=_list_tasks,
    play=_play_games,
    play_rows=lambda inputs: simulate_games(
        games=inputs["games"], first=inputs["first"], **read_options(inputs)
    ),
    reduce=lambda run, cell: GamesReducer(run, _list_tasks(run, cell)),
    tabulate=_tabulate,
)
