"""Ranges of hands or games as tasks, and how a task's inputs become arguments again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, overload

from ginsim.rules import load_rules
from ginsim.strategies import parse_strategy
from ginsim.studies.data import Cell, Run, StudyTask
from ginsim.studies.reading import Reader, read_even, read_size
from ginsim.tasks import make_task

#: Hands and games of a task: a tenth of a second to two seconds. Even, so that no pair is split.
TASK_HANDS = 262_144
TASK_GAMES = 16_384
#: Inputs on which sums depend, and records do not.
SUMS_ONLY = ("ends", "series")


def take_range(reader: Reader, options: dict[str, Any], is_even: bool) -> None:
    """The keys `first` and `task`."""
    first = read_even(0) if is_even else read_size(0)
    options["first"] = reader.take("first", first, 0) or 0
    size = reader.take("task", read_even(2))
    if size is not None:
        options["task"] = size


class Ranges(Sequence[StudyTask]):
    """A range of hands or games as tasks; each is made when it is asked for.

    Args:
        kind: of the tasks.
        origin: their inputs without the range.
        unit: the key of their number of hands or games.
        first, count: the range.
        size: of a task, the last one being what is left.
        cuts: numbers from 0 to count at which a stretch of a task ends, in order, so that sums can
            be looked at there.
    """

    def __init__(
        self,
        kind: str,
        origin: Mapping[str, Any],
        unit: str,
        first: int,
        count: int,
        size: int,
        cuts: Sequence[int],
    ) -> None:
        self.kind = kind
        self.origin = origin
        self.unit = unit
        self.first = first
        self.total = count
        self.size = size
        self.cuts = cuts

    def __len__(self) -> int:
        return self.count_tasks(self.total)

    def count_tasks(self, number: int) -> int:
        """How many tasks the first hands or games are in."""
        return -(-number // self.size)

    def count_units(self, tasks: int) -> int:
        """How many hands or games the first tasks have."""
        return min(tasks * self.size, self.total)

    @overload
    def __getitem__(self, place: int) -> StudyTask: ...
    @overload
    def __getitem__(self, place: slice) -> list[StudyTask]: ...
    def __getitem__(self, place: int | slice) -> StudyTask | list[StudyTask]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        start, stop = place * self.size, self.count_units(place + 1)
        inner = self.cuts[bisect_right(self.cuts, start) : bisect_left(self.cuts, stop)]
        ends = [*(cut - start for cut in inner), stop - start]
        inputs = {
            **self.origin,
            "first": self.first + start,
            self.unit: stop - start,
            "ends": ends,
        }
        return StudyTask(self.kind, "sums", inputs)


def read_players(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Rules and strategies of a task, as keywords."""
    players = tuple(parse_strategy(player) for player in inputs["strategies"].values())
    return {"rules": load_rules(inputs["rules"]), "strategies": players}


def read_options(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments that play a task but its range."""
    keys = ("seed", "mirror", "max_hands", "kinds")
    options = {key: inputs[key] for key in keys if key in inputs}
    return {**read_players(inputs), **options, "threads": 1}


def list_stretches(inputs: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The stretches of a task: first and number of each."""
    return [(inputs["first"] + low, high - low) for low, high in pairwise((0, *inputs["ends"]))]


def list_ranges(
    run: Run,
    cell: Cell,
    unit: str,
    size: int,
    cuts: Sequence[int] = (),
    mirror: bool = False,
    multiple: int = 1,
) -> Ranges:
    """The tasks of a cell that plays a range of hands or games.

    Args:
        size: of a task, if the run says nothing and nobody searches.
        multiple: of this the size is one.
    """
    options = run.options
    task = make_task(
        cell.rules,
        cell.players,
        0,
        seed=run.seed,
        first=options["first"],
        mirror=mirror,
        of_games=True,
    )
    origin = task.provenance
    del origin["hands"]
    for key in ("max_hands", "kinds", "series"):
        if key in options:
            origin[key] = options[key]
    size = options.get("task") or max(task.chunk(size) // multiple, 1) * multiple
    return Ranges(run.kind, origin, unit, options["first"], options["count"], size, cuts)


def list_rows(run: Run, tasks: Sequence[StudyTask]) -> list[StudyTask]:
    """The tasks that give the records of the ranges of others; none if the run wants none."""
    if not run.options.get("rows"):
        return []
    return [
        StudyTask(
            run.kind,
            "rows",
            {key: value for key, value in task.inputs.items() if key not in SUMS_ONLY},
        )
        for task in tasks
    ]
