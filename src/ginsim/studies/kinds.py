"""What a study can run: one entry of `KINDS` for each kind.

A kind says which keys its runs have, which tasks a cell comes to, how a task is played, how the
sums are reduced in the order of the tasks, and which tables they make. Everything is played by the
functions that play it elsewhere, so the bits are theirs.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, overload

import numpy as np
import pandas as pd

from ginsim import _batch, _games
from ginsim.columns import ACTIONS, KNOCK_TIMING_COLUMNS, SEATS
from ginsim.columns import KINDS as DECISIONS
from ginsim.decision_frames import decisions
from ginsim.duel_sums import GAME_MEASURES, DuelSums, Follower, Look, Rule
from ginsim.duels import GAMES, MAX_GAMES, DuelPlan, plan_duel
from ginsim.game_stats import GameTally, summarize_games
from ginsim.games import MAX_HANDS, simulate_games, tally_games
from ginsim.intervals import Z95, bound_share, estimate_ratio
from ginsim.records import make_frame
from ginsim.rules import load_rules
from ginsim.simulation import simulate, tally
from ginsim.stats import Tally, summarize
from ginsim.strategies import parse_strategy
from ginsim.studies.data import Cell, Part, Parts, Run, StudyTask
from ginsim.studies.reading import (
    Names,
    Reader,
    read_even,
    read_flag,
    read_positive,
    read_size,
    read_text,
    read_word,
    read_words,
    take_cells,
)
from ginsim.studies.stopping import (
    GAME_FIGURES,
    HAND_FIGURES,
    SHARES,
    estimate_seen,
    find_seen,
    widen,
)
from ginsim.sums import Sums
from ginsim.tasks import Task, make_task
from ginsim.timing import (
    KEYS,
    METHODS,
    add_cells,
    check_bound,
    check_by,
    chunk_of,
    make_knock_task,
    make_rows,
)

#: Hands, games, and hands whose decisions are listed, of a task: a tenth of a second to two
#: seconds. Even, so that no pair is split.
TASK_HANDS = 262_144
TASK_GAMES = 16_384
TASK_DECISIONS = 16_384
#: The same in chunks, which are smaller where hands are replayed.
TASK_KNOCKS = 16
#: How many at most, if a precision is wanted and nothing else is said.
MOST = {"hands": 1_000_000_000, "games": MAX_GAMES}

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


def play_task(task: StudyTask) -> Parts | pd.DataFrame:
    """Play a task: its sums, or its records. What an executor is given to do."""
    kind = KINDS[task.kind]
    if task.output == "rows":
        assert kind.play_rows is not None, "its validation asks for records where there are some"
        return kind.play_rows(task.inputs)
    return kind.play(task.inputs)


# -- what several kinds share -----------------------------------------------------------------


def _take_range(reader: Reader, options: dict[str, Any], is_even: bool) -> None:
    """The keys `first` and `task`."""
    first = read_even(0) if is_even else read_size(0)
    options["first"] = reader.take("first", first, 0) or 0
    size = reader.take("task", read_even(2))
    if size is not None:
        options["task"] = size


def _take_size(reader: Reader, options: dict[str, Any], unit: str, figures: Sequence[str]) -> None:
    """A size, or a precision with a bound: `hands` or `games`, `precision`, `measure`."""
    options["mirror"] = reader.take("mirror", read_flag, False)
    read = read_even(2) if options["mirror"] else read_size(1)
    if not reader.has("precision"):
        options[unit] = reader.need(unit, read, f"how many {unit}, or a precision")
        if reader.has("measure"):
            reader.note(f"{reader.locate('measure')}: needs a precision; allowed: with precision")
            reader.take("measure", read_text)
        return
    options["precision"] = reader.take("precision", read_positive)
    options["measure"] = reader.take("measure", read_word(figures), "win")
    options[unit] = reader.take(unit, read, MOST[unit])
    if options["measure"] in SHARES and not (options["precision"] or 0) < 0.5:
        path = reader.locate("precision")
        reader.note(f"{path}: {options['precision']} is not allowed; allowed: below 0.5")


def _check_cells(reader: Reader, cells: Sequence[Cell], check: Callable[[Cell], object]) -> None:
    """Note what the functions that will play the cells refuse."""
    for cell in cells:
        name = ", ".join(f"{key} {value}" for key, value in cell.labels.items())
        reader.attempt(f"{reader.path} ({name})", lambda _path, one: check(one), cell)


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


def _players(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Rules and strategies of a task, as keywords."""
    players = tuple(parse_strategy(player) for player in inputs["strategies"].values())
    return {"rules": load_rules(inputs["rules"]), "strategies": players}


def _options(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments that play a task but its range."""
    keys = ("seed", "mirror", "max_hands", "kinds")
    options = {key: inputs[key] for key in keys if key in inputs}
    return {**_players(inputs), **options, "threads": 1}


def _stretches(inputs: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The stretches of a task: first and number of each."""
    return [(inputs["first"] + low, high - low) for low, high in pairwise((0, *inputs["ends"]))]


def _list_ranges(
    run: Run, cell: Cell, unit: str, size: int, cuts: Sequence[int] = (), mirror: bool = False
) -> Ranges:
    """The tasks of a cell that plays a range of hands or games.

    Args:
        size: of a task, if the run says nothing and nobody searches.
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
    for key in ("max_hands", "kinds"):
        if key in options:
            origin[key] = options[key]
    size = options.get("task") or task.chunk(size)
    return Ranges(run.kind, origin, unit, options["first"], options["count"], size, cuts)


def list_rows(run: Run, tasks: Sequence[StudyTask]) -> list[StudyTask]:
    """The tasks that give the records of the ranges of others; none if the run wants none."""
    if not run.options.get("rows"):
        return []
    return [
        StudyTask(
            run.kind, "rows", {key: value for key, value in task.inputs.items() if key != "ends"}
        )
        for task in tasks
    ]


def _label(cell: Cell, table: pd.DataFrame) -> pd.DataFrame:
    """A table with the cell's labels in front."""
    for place, (key, value) in enumerate(cell.labels.items()):
        table.insert(place, key, value)
    return table


def _stack(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    for table in tables:
        table.attrs = {}
    return pd.concat(tables, ignore_index=True)


# -- hands and games --------------------------------------------------------------------------


def _to_part(sums: Sums) -> Part:
    return {name: np.asarray(sums.sums[name][0]) for name in sums.sums.dtype.names or ()}


class SumsReducer:
    """Sums of hands or games; with a rule of stopping, looked at.

    Attributes:
        total: the sums so far, or of all up to the last look.
        looks: the looks.
    """

    def __init__(self, run: Run, cell: Cell, kind: type[Tally | GameTally]) -> None:
        dtype = _batch.TALLY_DTYPE if kind is Tally else _games.GAME_TALLY_DTYPE
        self.tasks = KINDS[run.kind].list_tasks(run, cell)
        origin = {**self.tasks.origin, "first": self.tasks.first}
        self.total: Any = kind(np.zeros(1, dtype), origin)
        self.rule = _find_rule(run)
        self._kind = kind
        self._follower = None if self.rule is None else Follower(self.rule, estimate_seen)
        self._row = _find_figures(run).get(run.options.get("measure", ""), ("", "", ""))
        self._clusters = 2 if run.options["mirror"] else 1
        self._sizes = () if self.rule is None else self.rule.looks
        self._taken = 0
        self.needed = len(self.tasks)
        if self.rule is not None:
            self._wait_for_look()

    @property
    def looks(self) -> list[Look]:
        """The looks so far."""
        return [] if self._follower is None else self._follower.looks

    def _wait_for_look(self) -> None:
        """Set what is needed to what the next look wants."""
        self.needed = self.tasks.count_tasks(self._sizes[len(self.looks)] * self._clusters)

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""
        self._taken += 1
        for part in parts:
            if self.looks and self.looks[-1].is_last:
                return
            sums = np.zeros(1, self.total.sums.dtype)
            for name, values in part.items():
                sums[name][0] = values
            self.total.add_sums(sums)
            self._look()
        self.total.provenance[self.total.unit] = self.total.count

    def _look(self) -> None:
        if self._follower is None or self.rule is None:
            return
        clusters = self.total.count // self._clusters
        if clusters != self._sizes[len(self.looks)]:
            return
        self.total.provenance[self.total.unit] = self.total.count
        table = _summarize(self.total)
        look = self._follower.look(find_seen(table, self._row, clusters))
        if look.is_last:
            self.needed = self._taken
        else:
            self._wait_for_look()

    @property
    def expected(self) -> int:
        """About how many tasks will be needed, judged by the last look."""
        if not self.looks or self.looks[-1].is_last or self.rule is None:
            return self.needed
        look = self.looks[-1]
        width = (look.high - look.low) / 2 * Z95 / look.critical
        if not width < math.inf:
            return self.needed
        clusters = min(look.deals * (width / self.rule.precision) ** 2, self.rule.max_deals)
        return self.tasks.count_tasks(math.ceil(clusters * self._clusters))

    def tabulate(self) -> pd.DataFrame:
        """The table of the sums, with intervals that hold after stopping."""
        table = _summarize(self.total)
        if not self.looks:
            return table
        return widen(table, self.looks[-1].critical, self.looks[-1].deals)


def _summarize(total: Any) -> pd.DataFrame:
    return summarize(total) if isinstance(total, Tally) else summarize_games(total)


def _find_figures(run: Run) -> dict[str, tuple[str, str, str]]:
    return HAND_FIGURES if run.kind == "hands" else GAME_FIGURES


def _find_rule(run: Run) -> Rule | None:
    options = run.options
    if "precision" not in options:
        return None
    clusters = options["count"] // (2 if options["mirror"] else 1)
    return Rule(options["measure"], options["precision"], clusters)


def _find_cuts(run: Run) -> list[int]:
    rule = _find_rule(run)
    step = 2 if run.options.get("mirror") else 1
    return [] if rule is None else [step * looked for looked in rule.looks]


def _tabulate_sums(run: Run, cells: Sequence[tuple[Cell, SumsReducer]]) -> Frames:
    frames = {"": _stack([_label(cell, reducer.tabulate()) for cell, reducer in cells])}
    if _find_rule(run) is not None:
        frames["looks"] = _stack(
            [_label(cell, pd.DataFrame(reducer.looks)) for cell, reducer in cells]
        )
    return frames


def _read_hands(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    _take_size(reader, options, "hands", list(HAND_FIGURES))
    _take_range(reader, options, bool(options["mirror"]))
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["hands"]
    _check_cells(reader, cells, lambda cell: make_task(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _play_hands(inputs: Mapping[str, Any]) -> Parts:
    options = _options(inputs)
    return [
        _to_part(tally(hands=count, first=first, **options)) for first, count in _stretches(inputs)
    ]


def _read_games(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    _take_size(reader, options, "games", list(GAME_FIGURES))
    _take_range(reader, options, bool(options["mirror"]))
    options["max_hands"] = reader.take("max_hands", read_size(1, 32_000), MAX_HANDS)
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["games"]
    _check_cells(reader, cells, lambda cell: simulate_games(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _play_games(inputs: Mapping[str, Any]) -> Parts:
    options = _options(inputs)
    return [
        _to_part(tally_games(games=count, first=first, **options))
        for first, count in _stretches(inputs)
    ]


# -- decisions --------------------------------------------------------------------------------


class PlainReducer:
    """Sums of a fixed size by name, added up."""

    def __init__(self, run: Run, cell: Cell) -> None:
        self.needed = len(KINDS[run.kind].list_tasks(run, cell))
        self.total: Part = {}

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""
        for part in parts:
            self.total = {
                name: values + self.total[name] if self.total else values.copy()
                for name, values in part.items()
            }


def _read_decisions(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    options["mirror"] = reader.take("mirror", read_flag, False)
    read = read_even(2) if options["mirror"] else read_size(1)
    options["hands"] = reader.need("hands", read, "how many hands")
    _take_range(reader, options, bool(options["mirror"]))
    options["kinds"] = reader.take("kinds", read_words(DECISIONS), list(DECISIONS))
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["hands"]
    _check_cells(reader, cells, lambda cell: make_task(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _list_decisions(run: Run, cell: Cell) -> Ranges:
    return _list_ranges(run, cell, "hands", TASK_DECISIONS, mirror=run.options["mirror"])


def _play_decision_rows(inputs: Mapping[str, Any]) -> pd.DataFrame:
    return decisions(hands=inputs["hands"], first=inputs["first"], **_options(inputs))


def _play_decisions(inputs: Mapping[str, Any]) -> Parts:
    """Sums by kind of decision, action and seat, the third seat being both together.

    Of each deal the decisions are counted, c of an action and m of its kind; there are the sums of
    c, c², c·m and m² over deals, and of the deadwood before and after.
    """
    frame = _play_decision_rows(inputs)
    num_kinds, num_actions = len(DECISIONS), len(ACTIONS)
    first_deal = inputs["first"] // (2 if inputs["mirror"] else 1)
    deals = inputs["hands"] // (2 if inputs["mirror"] else 1)
    codes = {
        name: frame[name].cat.codes.to_numpy().astype(np.int64)
        for name in ("kind", "action", "seat")
    }
    place = (codes["kind"] * num_actions + codes["action"]) * 2 + codes["seat"]
    shape = (num_kinds, num_actions, 2)
    size = num_kinds * num_actions * 2
    deal = frame["deal"].to_numpy() - first_deal
    counts = np.bincount(deal * size + place, minlength=deals * size).reshape(deals, *shape)
    counts = np.concatenate([counts, counts.sum(axis=3, keepdims=True)], axis=3)
    totals = counts.sum(axis=2)

    def add_up(name: str) -> Any:
        sums = np.zeros(size, np.int64)
        np.add.at(sums, place, frame[name].to_numpy().astype(np.int64))
        split = sums.reshape(shape)
        return np.concatenate([split, split.sum(axis=2, keepdims=True)], axis=2)

    part = {
        "deals": np.asarray(deals),
        "counts": counts.sum(axis=0),
        "squares": np.einsum("dkas,dkas->kas", counts, counts),
        "products": np.einsum("dkas,dks->kas", counts, totals),
        "totals_squares": np.einsum("dks,dks->ks", totals, totals),
        "deadwood_before": add_up("deadwood_before"),
        "deadwood_after": add_up("deadwood_after"),
    }
    return [{name: np.asarray(values, np.int64) for name, values in part.items()}]


def _tabulate_decisions(run: Run, cells: Sequence[tuple[Cell, PlainReducer]]) -> Frames:
    tables = []
    for cell, reducer in cells:
        sums = reducer.total
        deals = int(sums["deals"])
        rows: list[tuple[Any, ...]] = []
        for (kind, action, seat), count in np.ndenumerate(sums["counts"]):
            if not count:
                continue
            number = int(count)
            figure = estimate_ratio(
                number,
                int(sums["counts"][kind, :, seat].sum()),
                int(sums["squares"][kind, action, seat]),
                int(sums["products"][kind, action, seat]),
                int(sums["totals_squares"][kind, seat]),
                deals,
            )
            low, high = bound_share(figure.value, figure.se**2, deals)
            deadwood = (
                int(sums[f"deadwood_{when}"][kind, action, seat]) / number
                for when in ("before", "after")
            )
            rows.append(
                (
                    DECISIONS[kind],
                    ACTIONS[action],
                    (*SEATS, "all")[seat],
                    number,
                    figure.value,
                    figure.se,
                    low,
                    high,
                    *deadwood,
                )
            )
        names = ["kind", "action", "seat", "count", "value", "se", "low", "high"]
        names += ["deadwood_before", "deadwood_after"]
        tables.append(_label(cell, pd.DataFrame(rows, columns=names)))
    return {"": _stack(tables)}


# -- knocks ---------------------------------------------------------------------------------------


def _read_knock(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, ("policy", "opponent"), options)
    options["hands"] = reader.need("hands", read_size(1), "how many hands")
    _take_range(reader, options, False)
    readers: dict[str, Callable[[str, Any], Any]] = {
        "method": read_word(METHODS),
        "by": read_words(KEYS),
        **dict.fromkeys(KEYS, _read_bound),
    }
    for key, read in readers.items():
        value = reader.take(key, read)
        if value is not None:
            options[key] = value
    options["count"] = options["hands"]
    _check_cells(reader, cells, lambda cell: _plan_knocks(options, cell, 0))
    return cells, options


def _read_bound(path: str, value: Any) -> int | list[int]:
    bound = check_bound(path.rpartition(".")[2], value)
    return list(bound) if isinstance(value, list) else bound[0]


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
        **_players(inputs), hands=inputs["hands"], seed=inputs["seed"], first=inputs["first"]
    )
    where = {key: (low, high) for key, (low, high) in inputs["where"].items()}
    return [{"cells": add_cells(task, inputs["method"], where, inputs["by"], 1)}]


def _tabulate_knocks(run: Run, cells: Sequence[tuple[Cell, PlainReducer]]) -> Frames:
    tables = []
    for cell, reducer in cells:
        asked = _plan_knocks(run.options, cell, run.seed)[1]
        where = {key: (low, high) for key, (low, high) in asked["where"].items()}
        rows = make_rows(reducer.total["cells"], where, asked["by"])
        tables.append(_label(cell, make_frame(KNOCK_TIMING_COLUMNS, rows, {})))
    return {"": _stack(tables)}


# -- duels ------------------------------------------------------------------------------------


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
    _take_range(reader, options, True)
    _check_cells(reader, cells, lambda cell: _plan_duel(options, cell))
    return cells, options


def _list_duel(run: Run, cell: Cell) -> Ranges:
    plan = _plan_duel(run.options, cell)
    size = TASK_HANDS if plan.unit == "hands" else TASK_GAMES
    options = {**run.options, "count": plan.size, "first": plan.first}
    if plan.unit == "games":
        options["max_hands"] = MAX_HANDS
    whole = Run(run.name, run.kind, run.cells, options, run.seed)
    return _list_ranges(whole, cell, plan.unit, size, plan.cuts, mirror=True)


def _play_duel(inputs: Mapping[str, Any]) -> Parts:
    unit = "games" if "games" in inputs else "hands"
    play: Any = simulate_games if unit == "games" else simulate
    options = _options(inputs)
    parts = []
    for first, count in _stretches(inputs):
        sums = DuelSums.from_frame(play(**{unit: count}, first=first, **options))
        parts.append({"deals": np.asarray(sums.deals), "totals": sums.totals})
    return parts


def _tabulate_duel(run: Run, cells: Sequence[tuple[Cell, DuelReducer]]) -> Frames:
    figures, verdicts, looks = [], [], []
    for cell, reducer in cells:
        result = reducer.conclude()
        figures.append(_label(cell, result.table.copy()))
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
        verdicts.append(_label(cell, pd.DataFrame([verdict])))
        looks.append(_label(cell, result.looks.copy()))
    frames = {"": _stack(figures), "verdicts": _stack(verdicts)}
    if "precision" in run.options:
        frames["looks"] = _stack(looks)
    return frames


#: The kinds by name. A further one is one more entry.
KINDS: dict[str, Kind] = {
    "hands": Kind(
        unit="hands",
        read=_read_hands,
        list_tasks=lambda run, cell: _list_ranges(
            run, cell, "hands", TASK_HANDS, _find_cuts(run), run.options["mirror"]
        ),
        play=_play_hands,
        play_rows=lambda inputs: simulate(
            hands=inputs["hands"], first=inputs["first"], **_options(inputs)
        ),
        reduce=lambda run, cell: SumsReducer(run, cell, Tally),
        tabulate=_tabulate_sums,
    ),
    "games": Kind(
        unit="games",
        read=_read_games,
        list_tasks=lambda run, cell: _list_ranges(
            run, cell, "games", TASK_GAMES, _find_cuts(run), run.options["mirror"]
        ),
        play=_play_games,
        play_rows=lambda inputs: simulate_games(
            games=inputs["games"], first=inputs["first"], **_options(inputs)
        ),
        reduce=lambda run, cell: SumsReducer(run, cell, GameTally),
        tabulate=_tabulate_sums,
    ),
    "decisions": Kind(
        unit="hands",
        read=_read_decisions,
        list_tasks=_list_decisions,
        play=_play_decisions,
        play_rows=_play_decision_rows,
        reduce=PlainReducer,
        tabulate=_tabulate_decisions,
    ),
    "knock": Kind(
        unit="hands",
        read=_read_knock,
        list_tasks=_list_knocks,
        play=_play_knocks,
        play_rows=None,
        reduce=PlainReducer,
        tabulate=_tabulate_knocks,
    ),
    "duel": Kind(
        unit="games",
        read=_read_duel,
        list_tasks=_list_duel,
        play=_play_duel,
        play_rows=None,
        reduce=DuelReducer,
        tabulate=_tabulate_duel,
    ),
}
