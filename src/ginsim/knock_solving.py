"""Knock tables that are solved for: the best response to an opponent, or to itself.

Only knock decisions are changed; draws, discards and all else stay as the policy has them. So what
a best response still gains, the exploitability, is a lower bound: a player who changed other
decisions too might gain more. docs/knock-timing.md describes the method.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.batches import Progress
from ginsim.checks import check_names, check_whole
from ginsim.columns import KNOCK_TABLE_COLUMNS
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Z95, Estimate, estimate_mean
from ginsim.knock_paths import (
    DEADWOODS,
    LIMITS,
    PICK_UPS,
    SHAPE,
    TURNS,
    Problem,
    Table,
    improve,
    inherit,
    is_gain,
    number_cells,
    pool_near,
)
from ginsim.records import make_frame
from ginsim.rules import AnyRules, Rules
from ginsim.strategies import AnyStrategy, Strategy, is_python, parse_strategy
from ginsim.strategyfiles import write_strategy
from ginsim.tasks import MAX_INDEX, Task, check_threads, make_task
from ginsim.timing import COMMAND_WORDS, ENOUGH, Paths, make_knock_task, record_paths
from ginsim.turns import KnockTable

#: Rounds of the iteration against itself.
ROUNDS = 30
#: Points a hand under which the upper bound of what can be gained must lie.
CLOSE = 0.05
#: The keys of a solved table; the knock limit is one by itself, where it varies.
SOLVED_BY = ("turn", "deadwood", "pick_ups")
#: Hands of each of the three streams.
HANDS = 200_000
LEAST_HANDS = 100
#: The most of the chances that may fall into cells of too few hands for a solution to count as one.
SHORT = 0.1
#: What each stream is for, in the order of their deals.
STREAMS = ("solving", "choosing", "reporting")

#: What a hand is worth to the seat: of its net points, of who won (0 it, 1 the opponent, 2 nobody)
#: and of whether it dealt.
Worth: TypeAlias = (
    "Callable[[NDArray[np.int32], NDArray[Any], NDArray[np.bool_]], NDArray[np.int64]]"
)


@dataclass(frozen=True)
class KnockSolution:
    """A solved knock table.

    Attributes:
        rules: by which it was solved.
        policy: whose draws, discards and so on are played.
        opponent: who was played against; None for the policy itself, with the same table.
        strategy: the policy with the solved table, to be played with.
        method: how playing on was valued: `stopping` or `replay`.
        table: a row for each cell, with the columns `KNOCK_TABLE_COLUMNS` of docs/columns.md.
        value: points a hand of the solved table, against the opponent (or itself).
        gain: points a hand that it brings more than the policy's own table, against a given
            opponent; None against itself.
        exploitability: points a hand that a best response in knock decisions alone gains against
            the solved table played on both sides: a lower bound. None against a given opponent.
        rounds: of the iteration against itself, a row for each: cells changed, and the gain of the
            best response with its 95 % interval, in the choosing stream; empty otherwise.
        is_converged: whether the upper bound of that gain came below 0.05 points; None against a
            given opponent.
        unit: of value and gain, `points` or, at a score of a game, `chance`.
        provenance: what reproduces the result.
    """

    rules: Rules
    policy: Strategy
    opponent: Strategy | None
    strategy: Strategy
    method: str
    table: pd.DataFrame
    value: Estimate
    gain: Estimate | None
    exploitability: Estimate | None
    rounds: pd.DataFrame
    is_converged: bool | None
    unit: str
    provenance: dict[str, Any]

    def write_strategy(
        self, path: str | os.PathLike[str], force: bool = False, command: str = ""
    ) -> None:
        """Write the policy with the solved table as a strategy file (docs/strategies.md).

        It may stand wherever a strategy is named. Its table `provenance` says how it was solved.

        Args:
            path: a name that ends in .toml.
            force: replace the file if it exists.
            command: the command that solves for it again, to be noted.

        Raises:
            OptionError: if the file cannot be written there.
        """
        write_strategy(self.strategy, path, describe_solution(self, command), force)


def solve_knocks(
    rules: AnyRules,
    policy: AnyStrategy = "greedy",
    opponent: AnyStrategy | None = None,
    hands: SupportsIndex | None = None,
    *,
    by: str | Iterable[str] | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> KnockSolution:
    """The knock table that does best against an opponent, or against itself.

    Three streams of deals, which share none, are for solving, for choosing among the rounds, and
    for the figures that are reported.

    Args:
        rules: as for `simulate`, for two players.
        policy: plays all but the knock decisions; its own knock rule is where the search starts.
        opponent: whom the table is the best response to; None for the policy with the same table,
            by an iteration of at most 30 rounds.
        hands: how many in each stream; by default 200,000, with a policy that has to be replayed
            20,000.
        by: `turn` and `deadwood`, or these and `pick_ups`. Where the knock limit is that of a card
            it tells cells apart too.
        seed, threads, progress: as for `simulate`.
        first: index of the first deal of the first stream.

    Raises:
        GinsimError: for bad arguments, and policies that knock by lot or search.
    """
    return solve_for(
        rules,
        policy,
        opponent,
        hands,
        by=by,
        seed=seed,
        first=first,
        threads=threads,
        progress=progress,
    )


def count_points(
    nets: NDArray[np.int32], winners: NDArray[Any], dealt: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """A hand is worth its net points."""
    return nets.astype(np.int64)


def solve_for(
    rules: AnyRules,
    policy: AnyStrategy,
    opponent: AnyStrategy | None,
    hands: SupportsIndex | None,
    *,
    by: str | Iterable[str] | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
    worth: Worth = count_points,
    scale: int = 1,
    unit: str = "points",
    more: dict[str, Any] | None = None,
) -> KnockSolution:
    """As `solve_knocks`, for hands of another worth.

    Args:
        worth: in whole numbers, `scale` of them to the unit.
        unit: the unit, in words.
        more: what provenance says besides.
    """
    question = check_solving(rules, policy, opponent, hands, by=by, seed=seed, first=first)
    task, way, size, keys, against = question
    # With the table of the rules, where it plays by that.
    player = task.strategies[0]
    assert isinstance(player, Strategy), "a policy is a strategy of rules"
    streams = Streams(task, way, size, keys, check_threads(threads, task), worth, progress, against)
    start = read_table(player, streams.form)
    rounds: list[tuple[int, int, float, float, float]] = []
    is_converged = None
    if against is None:
        final, best, is_converged = _iterate(streams, start, scale, rounds)
    else:
        final = best = streams.respond(start)
    values = streams.values("reporting", final)
    exploitability = gain = None
    if against is None:
        exploitability = _estimate(streams.values("reporting", best, final) - values, scale)
    else:
        gain = _estimate(values - streams.values("reporting", start), scale)
    problem = streams.problem("solving", final)
    gains = streams.gains(final)
    is_unreached = gains[:, 0].reshape(SHAPE) == 0
    name = f"{player.name} with a knock table for {task.rules.name}"
    strategy = put_table(player, final, streams.form, name)
    provenance = {
        **{key: value for key, value in task.provenance.items() if key != "strategies"},
        "strategies": {
            "south": strategy.model_dump(),
            "north": (against or strategy).model_dump(),
        },
        "hands": size,
        "rows": "knock_table",
        "policy": player.model_dump(),
        "opponent": "itself" if against is None else against.name,
        "method": way,
        "by": list(streams.keys),
        "streams": {
            stream: [task.first + place * size, size] for place, stream in enumerate(STREAMS)
        },
        **(more or {}),
    }
    return KnockSolution(
        rules=task.rules,
        policy=player,
        opponent=against,
        strategy=strategy,
        method=way,
        table=_make_table(problem, gains, final, is_unreached, streams.keys, scale, provenance),
        value=_estimate(values, scale),
        gain=gain,
        exploitability=exploitability,
        rounds=pd.DataFrame(rounds, columns=["round", "changed", "gain", "low", "high"]),
        is_converged=is_converged,
        unit=unit,
        provenance=provenance,
    )


class Question(NamedTuple):
    """What is solved for, checked.

    Attributes:
        task: rules, players (the policy south) and deals.
        way: how playing on is valued.
        size: hands of each stream.
        keys: what tells cells apart, but for the knock limit.
        opponent: who is played against; None for the policy itself.
    """

    task: Task
    way: str
    size: int
    keys: tuple[str, ...]
    opponent: Strategy | None


def check_solving(
    rules: AnyRules,
    policy: AnyStrategy,
    opponent: AnyStrategy | None,
    hands: SupportsIndex | None,
    *,
    by: str | Iterable[str] | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
) -> Question:
    """Check what is to be solved for, before anything is played; arguments as for `solve_knocks`.

    Raises:
        GinsimError: for bad arguments, and policies that knock by lot or search.
    """
    player = _check_player("policy", policy)
    if player.knock == "random":
        raise OptionError(
            refuse("policy", player.name, "a strategy that knocks by threshold or table")
        )
    against = None if opponent is None else _check_player("opponent", opponent)
    keys = _check_keys(by)
    begin = check_whole("first", first, 0, MAX_INDEX - 3 * LEAST_HANDS)
    task, way = make_knock_task(rules, player, against or player, 0, None, seed, begin, None)
    if hands is None:
        hands = HANDS if way == "stopping" else HANDS // 10
        check_whole("first", begin, 0, MAX_INDEX - 3 * int(hands))
    size = check_whole("hands", hands, LEAST_HANDS, (MAX_INDEX - begin) // 3)
    return Question(task, way, size, keys, against)


def _iterate(
    streams: Streams, start: Table, scale: int, rounds: list[tuple[int, int, float, float, float]]
) -> tuple[Table, Table, bool]:
    """Damped iteration: the least exploitable table, its best response, and whether it converged.

    Of the cells in which the best response differs, half are changed, those that gain most. A cell
    that was changed before is changed again only for a gain that is surer, by as many standard
    errors as there were changes, so that it does not go to and fro.
    """
    table = start
    changes = np.zeros(SHAPE, np.int64)
    tried = []
    for number in range(1, ROUNDS + 1):
        best = streams.respond(table, table)
        values = streams.values("choosing", table, table)
        gain = _estimate(streams.values("choosing", best, table) - values, scale)
        tried.append((gain.high, table, best))
        is_close = gain.high < CLOSE and streams.is_enough(table)
        differing = np.argwhere(best != table)
        if is_close or not len(differing):
            rounds.append((number, 0, gain.value, gain.low, gain.high))
            return table, best, is_close
        sums = streams.gains(table, table).reshape(*SHAPE, 3)
        due = []
        for place in map(tuple, differing.tolist()):
            _, total, squares = (int(each) for each in sums[place])
            caution = Z95 * float(changes[place])
            if not caution or is_gain(total, squares, streams.size, caution):
                due.append((-total, place))
        due.sort()
        chosen = due[: math.ceil(len(due) / 2)]
        rounds.append((number, len(chosen), gain.value, gain.low, gain.high))
        if not chosen:
            break
        table = table.copy()
        for _, place in chosen:
            table[place] ^= 1
            changes[place] += 1
    high, table, best = min(tried, key=lambda each: each[0])
    return table, best, high < CLOSE and streams.is_enough(table)


class Streams:
    """Deals for solving, choosing and reporting, played by the policy with one table or another.

    A problem depends on the opponent's table and, where play has to be replayed, on the policy's.
    """

    def __init__(
        self,
        task: Task,
        way: str,
        size: int,
        keys: tuple[str, ...],
        threads: int,
        worth: Worth,
        progress: Progress | None,
        opponent: Strategy | None,
    ) -> None:
        self.task = task
        self.way = way
        self.size = size
        limit = task.rules.knock_limit
        self.keys = (*keys, *(("limit",) if limit == "card" else ()))
        self.form = Form("pick_ups" in keys, None if limit == "card" else limit)
        self.threads = threads
        self.worth = worth
        self.progress = progress
        self.opponent = opponent
        self.player: Any = task.strategies[0]
        self._kept: dict[tuple[str, bytes, bytes], Problem] = {}

    def problem(self, stream: str, table: Table, against: Table | None = None) -> Problem:
        """The recorded paths of a stream.

        Args:
            table: the policy's, which matters for what is replayed.
            against: the opponent's, where he is the policy itself; None for `table`.
        """
        mine = b"" if self.way == "stopping" else table.tobytes()
        theirs = b"" if self.opponent is not None else (against if against is not None else table)
        key = (stream, mine, theirs if isinstance(theirs, bytes) else theirs.tobytes())
        if key not in self._kept:
            # The last few suffice: rounds ask for the same tables again at once.
            while len(self._kept) > 4:
                del self._kept[next(iter(self._kept))]
            opponent = self.opponent
            if opponent is None:
                opponent = put_table(
                    self.player, against if against is not None else table, self.form
                )
            first = self.task.first + STREAMS.index(stream) * self.size
            task = make_task(
                self.task.rules,
                (put_table(self.player, table, self.form), opponent),
                self.size,
                seed=self.task.seed,
                first=first,
            )
            paths = record_paths(task, self.way, self.threads, self.progress)
            self._kept[key] = make_problem(paths, self.keys, self.worth)
        return self._kept[key]

    def values(self, stream: str, table: Table, against: Table | None = None) -> NDArray[np.int64]:
        """What each deal of a stream is worth with a table."""
        return self.problem(stream, table, against).values(table)

    def respond(self, table: Table, against: Table | None = None) -> Table:
        """The best response, by the solving stream; what is not worth changing is as in `table`."""
        if self.way == "stopping":
            problem = self.problem("solving", table, against)
            best = improve(problem, table, Z95)
        else:
            best = self._respond_by_replay(table, against)
        return inherit(self.gains(best, table if against is None else against), best)

    def _respond_by_replay(self, table: Table, against: Table | None) -> Table:
        """Turn by turn from the last, since what is played after a turn depends on the table.

        From the table itself, and from waiting, by which all chances are come to.
        """
        fixed = table if against is None else against
        best = self._sweep_by_replay(table, table, fixed)
        values = self.values("solving", best, fixed)
        other = np.zeros_like(table)
        for _ in range(2):
            other = self._sweep_by_replay(other, other, fixed)
        other = self._sweep_by_replay(other, table, fixed)
        differences = self.values("solving", other, fixed) - values
        if is_gain(int(differences.sum()), int((differences**2).sum()), self.size, Z95):
            return other
        return best

    def _sweep_by_replay(self, start: Table, old: Table, against: Table) -> Table:
        """Each cell as is better, where that is sure, and elsewhere as in `old`."""
        now = start.copy()
        for turn in range(TURNS - 1, -1, -1):
            sums = pool_near(self._replay_gains(now, against), now, Z95)[:, :, turn]
            for limit, pick_ups, deadwood in np.ndindex(sums.shape[:-1]):
                place = (limit, pick_ups, turn, deadwood)
                reached, total, squares = (int(each) for each in sums[limit, pick_ups, deadwood])
                of_knock = -total if now[place] else total
                now[place] = old[place]
                if reached >= ENOUGH:
                    if is_gain(of_knock, squares, self.size, Z95):
                        now[place] = 1
                    elif is_gain(-of_knock, squares, self.size, Z95):
                        now[place] = 0
        return now

    def gains(self, table: Table, against: Table | None = None) -> NDArray[np.int64]:
        """For each cell what a change brings in the solving stream, as `Problem.gains`."""
        if self.way == "stopping":
            return self.problem("solving", table, against).gains(table)
        return self._replay_gains(table, table if against is None else against)

    def is_enough(self, table: Table) -> bool:
        """Whether nearly all chances fall into cells of 200 hands or more.

        A best response changes no other cells, so that where many chances fall into smaller ones
        its gain says nothing.
        """
        hands = self.gains(table, table)[..., 0].ravel()
        short = hands[hands < ENOUGH].sum()
        return bool(hands.sum() > 0 and short <= SHORT * hands.sum())

    def _replay_gains(self, table: Table, against: Table) -> NDArray[np.int64]:
        """The same where play depends on the table: at the chances that the policy comes to."""
        first = self.task.first
        opponent = self.opponent or put_table(self.player, against, self.form)
        task = make_task(
            self.task.rules,
            (put_table(self.player, table, self.form), opponent),
            self.size,
            seed=self.task.seed,
            first=first,
        )
        paths = record_paths(task, "replay", self.threads, self.progress)
        return sum_replayed(paths, self.keys, self.worth, table)


def make_problem(paths: Paths, keys: tuple[str, ...], worth: Worth) -> Problem:
    """The problem of recorded paths, for tables by these keys."""
    counts, ends, winners, dealt = paths.ends
    is_dealt = dealt.astype(bool)
    return Problem(
        counts=np.ascontiguousarray(counts),
        cells=_cells(paths, keys),
        knocks=worth(paths.nets[0], paths.column("knock_winner"), np.repeat(is_dealt, counts)),
        ends=worth(ends, winners, is_dealt),
    )


def _cells(paths: Paths, keys: tuple[str, ...]) -> NDArray[np.int16]:
    return number_cells(
        paths.column("turn"),
        paths.column("deadwood"),
        paths.column("pick_ups") if "pick_ups" in keys else None,
        paths.column("limit") if "limit" in keys else None,
    )


def sum_replayed(
    paths: Paths, keys: tuple[str, ...], worth: Worth, table: Table
) -> NDArray[np.int64]:
    """Sums over the chances on policy: paths, what a change of the move brings, its squares."""
    counts = paths.ends[0]
    dealt = np.repeat(paths.ends[3].astype(bool), counts)
    gains = worth(paths.nets[0], paths.column("knock_winner"), dealt)
    gains = gains - worth(paths.nets[1], paths.column("play_winner"), dealt)
    cells = _cells(paths, keys)
    gains = np.where(np.ravel(table)[cells] > 0, -gains, gains)
    kept = paths.column("on_policy") > 0
    sums = np.zeros((table.size, 3), np.int64)
    np.add.at(sums[:, 0], cells[kept], 1)
    np.add.at(sums[:, 1], cells[kept], gains[kept])
    np.add.at(sums[:, 2], cells[kept], gains[kept] ** 2)
    return sums


def _estimate(values: NDArray[np.int64], scale: int) -> Estimate:
    total, squares = int(values.sum()), int((values.astype(object) ** 2).sum())
    found = estimate_mean(total, squares, len(values))
    return Estimate(found.value / scale, found.se / scale, found.low / scale, found.high / scale)


def _check_player(name: str, spec: AnyStrategy) -> Strategy:
    if is_python(spec):
        raise OptionError(f"{name}: is written in Python; allowed: a strategy of rules")
    strategy = parse_strategy(spec)
    if strategy.rollouts:
        raise OptionError(
            f"{name}: a search is too slow to be solved for, or against; allowed: a strategy of "
            "rules"
        )
    return strategy


def _check_keys(by: str | Iterable[str] | None) -> tuple[str, ...]:
    given = check_names("by", () if by is None else by, (*SOLVED_BY, "limit"), COMMAND_WORDS)
    names = {*SOLVED_BY[:2], *given}
    return tuple(key for key in SOLVED_BY if key in names)


# -- files ----------------------------------------------------------------------------------------


def describe_solution(solution: KnockSolution, command: str = "") -> dict[str, Any]:
    """What a strategy file says of how its table was found.

    A figure is [value, low, high], with its 95 % interval; exploitability is of knock decisions
    only, a lower bound.
    """
    origin = solution.provenance
    about: dict[str, Any] = {
        "ginsim": origin["ginsim"],
        "stream": origin["stream"],
        "rules": solution.rules.name,
        "policy": solution.policy.name,
        "opponent": origin["opponent"],
        "method": solution.method,
        "by": origin["by"],
        "seed": origin["seed"],
        "hands": origin["hands"],
        "unit": solution.unit,
        "value": _figure(solution.value),
    }
    if solution.gain is not None:
        about["gain"] = _figure(solution.gain)
    if solution.exploitability is not None:
        about["exploitability"] = _figure(solution.exploitability)
        about["rounds"] = len(solution.rounds)
        about["converged"] = bool(solution.is_converged)
    if command:
        about["command"] = command
    about["streams"] = origin["streams"]
    return about


def _figure(estimate: Estimate) -> list[float]:
    return [round(each, 4) for each in (estimate.value, estimate.low, estimate.high)]


# -- tables and strategies ------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """Which parts of a table are in use: what does not tell cells apart is at number 0.

    Attributes:
        with_pick_ups: whether pick-ups tell cells apart.
        limit: the knock limit, if it is always the same.
    """

    with_pick_ups: bool
    limit: int | None


def read_table(strategy: Strategy, form: Form) -> Table:
    """With which cells a strategy knocks, an array of SHAPE."""
    masks = np.full((LIMITS, PICK_UPS, TURNS), (2 << strategy.knock_at) - 1)
    if strategy.knock == "table":
        masks = np.array(KnockTable().codes(strategy.knock_table))
    bits = (masks[..., None] >> np.arange(DEADWOODS) & 1).astype(np.uint8)
    if form.limit is not None:
        bits[:] = bits[form.limit]
    if not form.with_pick_ups:
        bits[:] = bits[:, :1]
    return bits


def put_table(strategy: Strategy, table: Table, form: Form, name: str | None = None) -> Strategy:
    """The strategy with another knock table."""
    masks = (table.astype(np.int64) << np.arange(DEADWOODS)).sum(axis=-1)
    for limit in range(LIMITS):
        masks[limit] &= (2 << (limit if form.limit is None else form.limit)) - 1
    if form.limit is not None:
        masks[:] = masks[0]
    if not form.with_pick_ups:
        masks[:] = masks[:, :1]
    fields: dict[str, Any] = {
        **strategy.values(),
        "name": name or strategy.name,
        "knock": "table",
        "knock_at": LIMITS - 1,  # which a table does not read
        "knock_table": KnockTable().write(masks.tolist()),
    }
    return Strategy(**fields)


def _make_table(
    problem: Problem,
    gains: NDArray[np.int64],
    table: Table,
    is_unreached: NDArray[np.bool_],
    keys: tuple[str, ...],
    scale: int,
    provenance: dict[str, Any],
) -> pd.DataFrame:
    """A row for each cell that a hand of these rules may come to."""
    gains = gains.reshape(*SHAPE, 3)
    visited = np.bincount(problem.cells, minlength=table.size).reshape(SHAPE)
    rows: list[tuple[Any, ...]] = []
    for place in np.ndindex(SHAPE):
        limit, pick_ups, turn, deadwood = place
        if ("limit" not in keys and limit) or ("pick_ups" not in keys and pick_ups):
            continue
        if "limit" in keys and deadwood > limit:
            continue
        if not visited[limit].any() or not visited[..., deadwood].any():
            continue
        reached, total, _ = (int(each) for each in gains[place])
        loss = -total / reached / scale if reached else math.nan
        rows.append(
            (
                turn + 1,
                deadwood,
                pick_ups if "pick_ups" in keys else -1,
                limit if "limit" in keys else -1,
                bool(table[place]),
                bool(is_unreached[place]),
                int(visited[place]),
                reached,
                loss,
            )
        )
    columns = zip(*rows, strict=True)
    arrays = {
        column.name: np.array(values, column.dtype)
        for column, values in zip(KNOCK_TABLE_COLUMNS, columns, strict=True)
    }
    return make_frame(KNOCK_TABLE_COLUMNS, arrays, provenance)
