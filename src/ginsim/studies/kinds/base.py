"""What a kind of run is, and what several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from ginsim.studies.data import Cell, Part, Parts, Run
from ginsim.studies.kinds.ranges import Ranges
from ginsim.studies.reading import Names, Reader

Frames = dict[str, pd.DataFrame]


class Reducer(Protocol):
    """Takes the results of a cell's tasks in their order.

    Attributes:
        needed: how many of the tasks are needed, as far as is known; more may be after the last of
            them has been taken.
    """

    needed: int

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""


@dataclass(frozen=True)
class Kind:
    """A kind of run.

    Attributes:
        unit: what its tasks are ranges of, as the key of their inputs.
        read: takes a run's keys from a file and gives its cells and options. What is wrong is
            noted by the reader.
        list_tasks: all tasks that a cell may need, in order; the first `needed` of them are played.
        play: plays a task, given its inputs, in one thread.
        play_rows: the records of a task's range; None if there are none.
        reduce: a new reducer for a cell.
        tabulate: the tables of a run from its cells and their reducers. The empty name is the
            table named after the run, others follow it after a dot.
    """

    unit: str
    read: Callable[[Reader, Names], tuple[tuple[Cell, ...], dict[str, Any]]]
    list_tasks: Callable[[Run, Cell], Ranges]
    play: Callable[[Mapping[str, Any]], Parts]
    play_rows: Callable[[Mapping[str, Any]], pd.DataFrame] | None
    reduce: Callable[[Run, Cell], Reducer]
    tabulate: Callable[[Run, Sequence[tuple[Cell, Any]]], Frames]


def check_cells(reader: Reader, cells: Sequence[Cell], check: Callable[[Cell], object]) -> None:
    """Note what the functions that will play the cells refuse."""
    for cell in cells:
        name = ", ".join(f"{key} {value}" for key, value in cell.labels.items())
        reader.attempt(f"{reader.path} ({name})", lambda _path, one: check(one), cell)


class PlainReducer:
    """Sums of a fixed size by name, added up."""

    def __init__(self, tasks: Ranges) -> None:
        self.needed = len(tasks)
        self.total: Part = {}

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""
        for part in parts:
            self.total = {
                name: values + self.total[name] if self.total else values.copy()
                for name, values in part.items()
            }


def label(cell: Cell, table: pd.DataFrame) -> pd.DataFrame:
    """A table with the cell's labels in front."""
    for place, (key, value) in enumerate(cell.labels.items()):
        table.insert(place, key, value)
    return table


def stack(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    for table in tables:
        table.attrs = {}
    return pd.concat(tables, ignore_index=True)
