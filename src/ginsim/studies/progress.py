"""How far a study is: the cells, what they have, what they still need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ginsim.studies.data import Cell, Parts, Run, Study, StudyTask
from ginsim.studies.kinds import KINDS
from ginsim.studies.kinds.ranges import list_rows
from ginsim.studies.store import Folder, Memory

Store = Folder | Memory


class CellProgress:
    """What a cell has got so far.

    Attributes:
        tasks: all that it may need, in order.
        reducer: of its kind; has taken the results of the first tasks, in order.
        rows: the tasks that give its records; known when the number of tasks is.
        rows_done: the names of those that are done.
        has_rule: whether it depends on what was played how much is.
    """

    def __init__(self, run: Run, cell: Cell) -> None:
        kind = KINDS[run.kind]
        self.run = run
        self.cell = cell
        self.tasks = kind.list_tasks(run, cell)
        self.reducer = kind.reduce(run, cell)
        self.rows: list[StudyTask] = []
        self.rows_done: set[str] = set()
        self._early: dict[int, Parts] = {}
        self._taken = 0
        self._asked = 0
        self._has_rows = False
        self.has_rule = "precision" in run.options

    @property
    def is_reduced(self) -> bool:
        """Whether all sums are there."""
        return self._taken >= self.reducer.needed

    @property
    def is_done(self) -> bool:
        """Whether all is there, the records too."""
        return self.is_reduced and self._has_rows and len(self.rows_done) == len(self.rows)

    @property
    def num_done(self) -> int:
        """How many of the tasks that are needed are done."""
        return self._taken + len(self._early) + len(self.rows_done)

    @property
    def num_needed(self) -> int:
        """How many tasks are needed, as far as is known."""
        records = self.reducer.needed if self.run.options.get("rows") else 0
        return self.reducer.needed + records

    @property
    def num_expected(self) -> int:
        """How many there will be in the end, more or less."""
        expected = getattr(self.reducer, "expected", self.reducer.needed)
        return max(expected, self.reducer.needed) + (self.num_needed - self.reducer.needed)

    def ask(self) -> Iterator[tuple[StudyTask, int]]:
        """The tasks that are needed now and were not asked for, with their places.

        Of records the place is -1.
        """
        while self._asked < self.reducer.needed:
            place = self._asked
            self._asked += 1
            yield self.tasks[place], place
        if not self._has_rows and (self.is_reduced or not self.has_rule):
            self._has_rows = True
            self.rows = list_rows(self.run, self.tasks[: self.reducer.needed])
            for task in self.rows:
                yield task, -1

    def give(self, task: StudyTask, place: int, result: Any) -> None:
        """The result of a task that was asked for, in whatever order they come."""
        if place < 0:
            self.rows_done.add(task.name)
            return
        self._early[place] = result
        while self._taken in self._early:
            self.reducer.take(self._early.pop(self._taken))
            self._taken += 1


class Progressing:
    """A study and what its store has of it.

    Attributes:
        names: of all tasks that are needed, as far as is known.
    """

    def __init__(self, study: Study, store: Store) -> None:
        self.study = study
        self.store = store
        self.cells = [CellProgress(run, cell) for run in study.runs for cell in run.cells]
        self.names: set[str] = set()
        self._wanted: dict[str, tuple[StudyTask, list[tuple[CellProgress, int]]]] = {}

    def advance(self) -> list[StudyTask]:
        """Take from the store what is there; the tasks that have to be played, new ones only."""
        missing: list[StudyTask] = []
        again = list(self.cells)
        while again:
            asked = again
            again = []
            for cell in asked:
                for task, place in list(cell.ask()):
                    self.names.add(task.name)
                    if task.name in self._wanted:
                        self._wanted[task.name][1].append((cell, place))
                        continue
                    result = self.store.load(task)
                    if result is None:
                        self._wanted[task.name] = (task, [(cell, place)])
                        missing.append(task)
                    else:
                        cell.give(task, place, result)
                        again.append(cell)
        return missing

    def give(self, task: StudyTask, result: Any) -> None:
        """The result of a task that was played."""
        for cell, place in self._wanted.pop(task.name)[1]:
            cell.give(task, place, result)

    def is_of_part(self, task: StudyTask, share: tuple[int, int] | None) -> bool:
        """Whether a task that is missing belongs to a part of a divided study.

        Tasks are dealt round. A cell with a rule of stopping is one part's as a whole, since what
        comes next depends on what was before.

        Args:
            share: (k, n), the k-th of n parts; None for all.
        """
        if share is None:
            return True
        cell, place = self._wanted[task.name][1][0]
        if cell.has_rule:
            place = self.cells.index(cell)
        elif place < 0:
            place = cell.rows.index(task)
        return place % share[1] == share[0] - 1

    @property
    def is_done(self) -> bool:
        """Whether every cell has all it needs."""
        return all(cell.is_done for cell in self.cells)

    def count(self) -> tuple[int, int]:
        """Tasks that are done, and how many there will be, more or less."""
        done = sum(cell.num_done for cell in self.cells)
        return done, max(done, sum(cell.num_expected for cell in self.cells))

    def group(self) -> list[tuple[Run, Sequence[CellProgress]]]:
        """The cells by run."""
        return [
            (run, [cell for cell in self.cells if cell.run.name == run.name])
            for run in self.study.runs
        ]
