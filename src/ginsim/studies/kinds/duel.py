"""Runs of duels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ginsim.duel_sums import GAME_MEASURES, DuelSums, Follower, Look
from ginsim.duels import GAMES, MAX_GAMES, DuelPlan, plan_duel
from ginsim.games import MAX_HANDS, simulate_games
from ginsim.simulation import simulate
from ginsim.studies.data import Cell, Parts, Run
from ginsim.studies.kinds.base import Frames, Kind, check_cells, label, stack
from ginsim.studies.kinds.ranges import (
    TASK_GAMES,
    TASK_HANDS,
    Ranges,
    list_ranges,
    list_stretches,
    read_options,
    take_range,
)
from ginsim.studies.reading import (
    Names,
    Reader,
    read_even,
    read_flag,
    read_positive,
    read_word,
    take_cells,
)


class DuelReducer:
    """Sums of a duel, looked at by its rule."""

    def __init__(self, run: Run, cell: Cell) -> None:
        self.plan = _plan_duel(run.options, cell)
        self.tasks = _list_duel(run, cell)
        self.total: DuelSums | None = None
        self._cuts = self.plan.cuts
        self._follower = None if self.plan.rule is None else Follower(self.plan.rule)
        self._taken = 0
        self.needed = len(self.tasks)
        if self.plan.rule is not None:
            self._wait_for_look()

    @property
    def looks(self) -> tuple[Look, ...]:
        """The looks so far."""
        return () if self._follower is None else tuple(self._follower.looks)

    def _wait_for_look(self) -> None:
        self.needed = self.tasks.count_tasks(self._cuts[len(self.looks)])

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""
        self._taken += 1
        for part in parts:
            if self.looks and self.looks[-1].is_last:
                return
            sums = DuelSums(self.measures, int(part["deals"]), part["totals"])
            self.total = sums if self.total is None else self.total + sums
            if self._follower is None or 2 * self.total.deals != self._cuts[len(self.looks)]:
                continue
            if self._follower.look(self.total).is_last:
                self.needed = self._taken
            else:
                self._wait_for_look()

    @property
    def expected(self) -> int:
        """About how many tasks will be needed, judged by the sums so far."""
        if self.total is None or (self.looks and self.looks[-1].is_last):
            return self.needed
        return self.tasks.count_tasks(self.plan.expect(self.total))

    @property
    def measures(self) -> tuple[str, ...]:
        """The figures of the sums."""
        return _find_measures(self.plan)

    def conclude(self) -> Any:
        """What the duel showed."""
        assert self.total is not None, "a duel has two games at least"
        origin = {**self.tasks.origin, "first": self.plan.first}
        return self.plan.conclude(self.total, self.looks, origin)


def _find_measures(plan: DuelPlan) -> tuple[str, ...]:
    if plan.unit == "hands":
        return ("hands", "points")
    is_hollywood = plan.rules.scoring == "hollywood"
    return tuple(name for name in GAME_MEASURES if is_hollywood or name != "boxes")


def _plan_duel(options: Mapping[str, Any], cell: Cell) -> DuelPlan:
    keys = ("games", "hands", "precision", "measure", "max_games", "early", "first")
    a, b = cell.players
    return plan_duel(a, b, cell.rules, **{key: options[key] for key in keys if key in options})


def _read_duel(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, ("a", "b"), options)
    for cell in cells:
        if len(cell.players) != 2:
            reader.note(f"{reader.locate('players')}: four players; allowed: [a, b]")
            cells = ()
    readers: dict[str, Callable[[str, Any], Any]] = {
        "hands": read_even(2),
        "games": read_even(2),
        "precision": read_positive,
        "measure": read_word(GAME_MEASURES),
        "max_games": read_even(4),
        "early": read_flag,
    }
    for key, read in readers.items():
        value = reader.take(key, read)
        if value is not None:
            options[key] = value
    if "precision" in options and "hands" not in options:
        options.setdefault("max_games", MAX_GAMES)
    elif "hands" not in options:
        options.setdefault("games", GAMES)
    take_range(reader, options, True)
    check_cells(reader, cells, lambda cell: _plan_duel(options, cell))
    return cells, options


def _list_duel(run: Run, cell: Cell) -> Ranges:
    plan = _plan_duel(run.options, cell)
    size = TASK_HANDS if plan.unit == "hands" else TASK_GAMES
    options = {**run.options, "count": plan.size, "first": plan.first}
    if plan.unit == "games":
        options["max_hands"] = MAX_HANDS
    whole = Run(run.name, run.kind, run.cells, options, run.seed)
    return list_ranges(whole, cell, plan.unit, size, plan.cuts, mirror=True)


def _play_duel(inputs: Mapping[str, Any]) -> Parts:
    unit = "games" if "games" in inputs else "hands"
    play: Any = simulate_games if unit == "games" else simulate
    options = read_options(inputs)
    parts = []
    for first, count in list_stretches(inputs):
        sums = DuelSums.from_frame(play(**{unit: count}, first=first, **options))
        parts.append({"deals": np.asarray(sums.deals), "totals": sums.totals})
    return parts


def _tabulate_duel(run: Run, cells: Sequence[tuple[Cell, DuelReducer]]) -> Frames:
    figures, verdicts, looks = [], [], []
    for cell, reducer in cells:
        result = reducer.conclude()
        figures.append(label(cell, result.table.copy()))
        row = result.table[result.table["measure"] == result.measure].iloc[0]
        verdict = {
            "unit": result.unit,
            "count": result.count,
            "measure": result.measure,
            **{key: row[key] for key in ("value", "se", "low", "high")},
            "verdict": result.verdict,
            "games_needed": result.games_needed,
            "precision": result.precision,
            "is_reached": result.is_reached,
        }
        verdicts.append(label(cell, pd.DataFrame([verdict])))
        looks.append(label(cell, result.looks.copy()))
    frames = {"": stack(figures), "verdicts": stack(verdicts)}
    if "precision" in run.options:
        frames["looks"] = stack(looks)
    return frames


KIND = Kind(
    unit="games",
    read=_read_duel,
    list_tasks=_list_duel,
    play=_play_duel,
    play_rows=None,
    reduce=DuelReducer,
    tabulate=_tabulate_duel,
)
