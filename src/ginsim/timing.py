"""Knock, or play on? Both moves at every chance to knock, compared by cell.

A chance is a point of a hand at which a seat may knock. A cell holds the chances that look alike to
the seat: the same own turn, deadwood, pick-ups of the opponent, stock, knock limit, or some of
these. docs/knock-timing.md says what is compared and why the answer depends on both policies.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _knocking, batches
from ginsim.batches import Progress, run_chunks
from ginsim.checks import check_names, check_whole, check_word
from ginsim.columns import KNOCK_CHANCE_COLUMNS, KNOCK_TIMING_COLUMNS, VERDICTS
from ginsim.decks import Decks
from ginsim.errors import OptionError, refuse
from ginsim.figures import adjust, two_sided
from ginsim.intervals import Estimate, bound_share, estimate_ratio, wilson
from ginsim.memory import check_memory
from ginsim.records import make_frame
from ginsim.rules import AnyRules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import AnyStrategy, is_python
from ginsim.strategies import to_record as strategies_record
from ginsim.tasks import Task, check_threads, make_task

#: What tells cells apart; the greatest turn and number of pick-ups stand for more.
KEYS = _knocking.KEYS
KEY_RANGES = {
    key: (low, low + size - 1)
    for key, low, size in zip(_knocking.KEYS, _knocking.KEY_LOWS, _knocking.KEY_SIZES, strict=True)
}
BY = ("turn", "deadwood")
METHODS = ("stopping", "replay")
#: A cell of fewer hands has no verdict.
ENOUGH = 200
#: More cells are not told apart at once.
MAX_CELLS = 200_000
#: Bytes of a chance in a frame.
ROW_BYTES = 16 + 13 + 8

#: What the command calls a key, where that is something else; and what it calls no key at all.
COMMAND_WORDS = {"pickups": "pick_ups", "own-pickups": "own_pick_ups"}
NOTHING = "nothing"

Bound: TypeAlias = "SupportsIndex | tuple[SupportsIndex, SupportsIndex] | str | None"


def knock_timing(
    rules: AnyRules,
    policy: AnyStrategy = "greedy",
    opponent: AnyStrategy = "greedy",
    hands: SupportsIndex | None = None,
    *,
    by: str | Iterable[str] | None = None,
    turn: Bound = None,
    deadwood: Bound = None,
    pick_ups: Bound = None,
    own_pick_ups: Bound = None,
    stock: Bound = None,
    limit: Bound = None,
    method: str | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    decks: Decks | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """What a knock brings, and what it brings to play on, by cell.

    One hand a deal is played, with the policy south. It waits: at each chance it makes its move
    other than a knock, so that later chances are reached. At each chance both moves are tried with
    the same hidden cards, stock and decision streams: the knock with least deadwood; and the
    policy's other move, after which both seats follow their policies (this one may knock on its
    next turn). No result of either chooses a cell or a move.

    Args:
        rules: as for `simulate`, for two players.
        policy: who has the chances. Its knock rule decides when it knocks later, and so what it is
            worth to play on; it cannot be written in Python.
        opponent: the other seat.
        hands: how many; by default 400,000, with `replay` 50,000.
        by: what tells cells apart, of turn, deadwood, pick_ups, own_pick_ups, stock and limit: a
            name or several, none or "nothing" for all chances together; the words of the command,
            pickups and own-pickups, will do. By default turn and deadwood, and what is given as
            one number.
        turn: the seat's own turns to look at, from 1: a number, or (least, most), also as text
            such as "1-4"; 16 is 16 or more.
        deadwood: likewise, after the best discard, in pips.
        pick_ups: likewise, cards that the opponent has taken from the pile; 3 is 3 or more.
        own_pick_ups: likewise, those of the seat itself, that of this turn too.
        stock: likewise, cards in the stock.
        limit: likewise, most deadwood to knock with in the hand.
        method: `stopping` reads the value of playing on off the recorded path, `replay` plays it in
            a copy. By default the first wherever it is exact: where neither draws nor discards of
            the policy read its knock rule.
        seed, first, threads, decks, progress: as for `simulate`.

    Returns:
        A frame with a row for each cell that was reached and the columns `KNOCK_TIMING_COLUMNS` of
        docs/columns.md. Intervals are 95 % and by deal; `verdict` is by Holm's adjustment at 5 %
        over all rows with at least 200 hands. Memory is the same for any number of hands, the
        bits are for any number of threads.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    task, way = make_knock_task(rules, policy, opponent, hands, method, seed, first, decks)
    given = {
        "turn": turn,
        "deadwood": deadwood,
        "pick_ups": pick_ups,
        "own_pick_ups": own_pick_ups,
        "stock": stock,
        "limit": limit,
    }
    bounds = {key: check_bound(key, value) for key, value in given.items()}
    keys = check_by(by, given)
    num_threads = check_threads(threads, task)
    sums = add_cells(task, way, bounds, keys, num_threads, progress)
    provenance = {
        **task.provenance,
        "rows": "knock_timing",
        "seat": "south",
        "method": way,
        "by": list(keys),
        "where": {key: list(bounds[key]) for key in KEYS if bounds[key] != KEY_RANGES[key]},
    }
    return make_frame(KNOCK_TIMING_COLUMNS, make_rows(sums, bounds, keys), provenance)


def make_knock_task(
    rules: AnyRules,
    policy: AnyStrategy,
    opponent: AnyStrategy,
    hands: SupportsIndex | None,
    method: str | None,
    seed: SupportsIndex | None,
    first: SupportsIndex,
    decks: Decks | None,
) -> tuple[Task, str]:
    """The hands to play, the policy south, and the way to value playing on.

    Raises:
        GinsimError: for bad arguments.
    """
    if is_python(policy):
        raise OptionError(
            "policy: is written in Python; allowed: a strategy of rules or a search, whose move "
            "without its knock is known; an opponent may be written in Python"
        )
    task = make_task(rules, (policy, opponent), 0, seed=seed, first=first, decks=decks)
    exact = _knocking.may_stop(rules_record(task.rules), strategies_record(task.strategies), 0)
    if method is not None:
        check_word("method", method, METHODS)
    if method == "stopping" and not exact:
        raise OptionError(
            f"method: stopping is not exact for {task.strategies[0].name}, whose draws or discards "
            "read its knock rule, search, or draw lots at a knock; allowed: replay"
        )
    way = method or METHODS[not exact]
    if hands is None and decks is None:
        searches = any(strategy.rollouts for strategy in task.strategies)
        hands = 100 if searches else 50_000 if way == "replay" else 400_000
    task = make_task(task.rules, task.strategies, hands, seed=task.seed, first=first, decks=decks)
    return task, way


def read_bound(value: Any) -> Any:
    """A number, a pair or None; text such as `5` or `1-4` read as the command reads it."""
    match = _RANGE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    return int(match[1]) if match[2] is None else (int(match[1]), int(match[2]))


_RANGE = re.compile(r"\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*", re.ASCII)


def check_bound(key: str, value: Bound, name: str = "") -> tuple[int, int]:
    """The values of a key that are looked at.

    Args:
        name: what messages call the key, if something else.

    Raises:
        OptionError: for what is neither a number nor a range.
    """
    name = name or key
    low, high = KEY_RANGES[key]
    bound = read_bound(value)
    if bound is None:
        return low, high
    note = f", or a range of them, such as ({low}, {high}) or '{low}-{high}'"
    if not _is_pair(bound):
        number = check_whole(name, bound, low, high, note)
        return number, number
    if len(bound) != 2:
        raise OptionError(refuse(name, value, f"a whole number from {low} to {high}{note}"))
    least, most = (check_whole(name, each, low, high) for each in bound)
    if least > most:
        allowed = "a range from the least to the most, the first no greater than the second"
        raise OptionError(refuse(name, value, allowed))
    return least, most


def check_by(by: str | Iterable[str] | None, given: dict[str, Any]) -> tuple[str, ...]:
    """The keys that tell cells apart, in their order."""
    bounds = {key: read_bound(value) for key, value in given.items()}
    single = {key for key, bound in bounds.items() if not (bound is None or _is_pair(bound))}
    if by is None:
        names = {*BY} | single
    else:
        names = {*check_keys("by", by)} | single
    keys = tuple(key for key in KEYS if key in names)
    size = math.prod(_knocking.KEY_SIZES[KEYS.index(key)] for key in keys)
    if size > MAX_CELLS:
        raise OptionError(f"by: {size} cells are too many; allowed: {MAX_CELLS}, with fewer keys")
    return keys


def check_keys(name: str, by: object) -> list[str]:
    """Keys by name, in their order; those of the command will do, and `nothing` for none.

    Raises:
        OptionError: for what is none.
    """
    given = check_names(name, by, (*KEYS, NOTHING), COMMAND_WORDS)
    return [key for key in KEYS if key in given]


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list)


def add_cells(
    task: Task,
    way: str,
    bounds: dict[str, tuple[int, int]],
    keys: Sequence[str],
    threads: int,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """The sums of all cells: a row for each, a column for each of `_knocking.SUMS`."""
    lows = dict(zip(KEYS, _knocking.KEY_LOWS, strict=True))
    places = [(bounds[key][0] - lows[key], bounds[key][1] - lows[key]) for key in KEYS]
    flags = [key in keys for key in KEYS]
    size = math.prod(n for n, flag in zip(_knocking.KEY_SIZES, flags, strict=True) if flag)
    parts: list[NDArray[np.int64] | None] = [None] * threads
    setup = task.setup

    def play(thread: int, start: int, stop: int) -> None:
        part = parts[thread]
        if part is None:
            part = parts[thread] = np.zeros((size, len(_knocking.SUMS)), np.int64)
        _knocking.fill_cells(
            setup, task.first + start, stop - start, 0, way == "replay", places, flags, part
        )

    run_chunks(play, task.hands, threads, progress, chunk_of(task, way))
    sums = np.zeros((size, len(_knocking.SUMS)), np.int64)
    for part in parts:
        if part is not None:
            sums += part
    return sums


def chunk_of(task: Task, way: str) -> int:
    """Hands of a chunk; those that are replayed take longer."""
    return task.chunk(batches.CHUNK // (4 if way == "replay" else 1))


# -- figures --------------------------------------------------------------------------------------


def make_rows(
    sums: NDArray[np.int64], bounds: dict[str, tuple[int, int]], keys: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """The columns of the frame."""
    cells = np.flatnonzero(sums[:, 0])
    if not len(cells) and all(bounds[key][0] == bounds[key][1] for key in keys):
        # What was asked for by name is answered, if only by saying that it never happened.
        cells = np.array([number_cell(keys, {key: bounds[key][0] for key in keys})])
    rest = cells.copy()
    rows: dict[str, NDArray[Any]] = {}
    for key, low, size in reversed(
        list(zip(KEYS, _knocking.KEY_LOWS, _knocking.KEY_SIZES, strict=True))
    ):
        if key in keys:
            rows[key] = (rest % size + low).astype(np.int8)
            rest //= size
        else:
            rows[key] = np.full(len(cells), -1, np.int8)
    lines = [dict(zip(_knocking.SUMS, line, strict=True)) for line in sums[cells].tolist()]
    for name in ("chances", "on_policy", "deals"):
        rows[name] = np.array([line[name] for line in lines], np.int64)
    for name in ("knock", "play"):
        means = [estimate_mean(line, name).value for line in lines]
        rows[name] = np.array(means, np.float64)
    gains = [estimate_mean(line, "gain") for line in lines]
    rows["gain"] = np.array([each.value for each in gains], np.float64)
    for name in ("se", "low", "high"):
        rows[name] = np.array([getattr(each, name) for each in gains], np.float64)
    enough = rows["deals"] >= ENOUGH
    chances = two_sided(rows["gain"], rows["se"])
    rows["p"] = np.where(enough, chances, np.nan)
    rows["p_holm"] = adjust(rows["p"])
    rows["verdict"] = judge(rows["gain"], rows["p_holm"], enough)
    for name in ("undercut", "opponent_first", "own_gin"):
        shares = [estimate_share_of(line, name) for line in lines]
        rows[name] = np.array([share for share, _, _ in shares], np.float64)
        rows[f"{name}_low"] = np.array([low for _, low, _ in shares], np.float64)
        rows[f"{name}_high"] = np.array([high for _, _, high in shares], np.float64)
    return rows


def number_cell(keys: Sequence[str], values: dict[str, int]) -> int:
    """The number of the cell with these values of the keys."""
    cell = 0
    for key, low, size in zip(KEYS, _knocking.KEY_LOWS, _knocking.KEY_SIZES, strict=True):
        if key in keys:
            cell = cell * size + values[key] - low
    return cell


def judge(
    gains: NDArray[np.float64], p_holm: NDArray[np.float64], enough: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """Codes of VERDICTS."""
    with np.errstate(invalid="ignore"):
        is_told = p_holm < 0.05
        words = np.where(gains > 0, VERDICTS.index("knock"), VERDICTS.index("play on"))
    codes = np.where(is_told, words, VERDICTS.index("not told apart"))
    return np.where(enough, codes, VERDICTS.index("not enough")).astype(np.int8)


def estimate_mean(line: dict[str, int], name: str) -> Estimate:
    """A mean over the chances of a cell, by deal."""
    return estimate_ratio(
        line[f"{name}_sum"],
        line["chances"],
        line[f"{name}_squares"],
        line[f"{name}_products"],
        line["chances_squares"],
        line["deals"],
    )


def estimate_share_of(line: dict[str, int], name: str) -> tuple[float, float, float]:
    """A share of the chances of a cell with its Wilson bounds, by deal."""
    chances, deals = line["chances"], line["deals"]
    if not chances:
        return math.nan, math.nan, math.nan
    share = line[f"{name}_sum"] / chances
    if deals == chances:
        return (share, *wilson(share, chances))
    squares = (
        line[f"{name}_squares"]
        - 2 * share * line[f"{name}_products"]
        + share**2 * line["chances_squares"]
    )
    variance = max(squares, 0.0) * deals / (deals - 1) / chances**2 if deals > 1 else 0.0
    return (share, *bound_share(share, variance if variance > 1e-24 else 0.0, deals))


# -- the chances themselves -----------------------------------------------------------------------


def knock_chances(
    rules: AnyRules,
    policy: AnyStrategy = "greedy",
    opponent: AnyStrategy = "greedy",
    hands: SupportsIndex | None = None,
    *,
    method: str | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    decks: Decks | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """A row for each chance to knock: its cell, and how the hand ends by either move.

    Args:
        rules, policy, opponent, method, seed, first, threads, decks, progress: as for
            `knock_timing`, which counts the same chances.
        hands: how many; about two rows each. By default 10,000.

    Returns:
        A frame with the columns `KNOCK_CHANCE_COLUMNS` of docs/columns.md, hands in order.

    Raises:
        GinsimError: for bad arguments, and a frame that would be too large.
    """
    if hands is None and decks is None:
        hands = 10_000
    task, way = make_knock_task(rules, policy, opponent, hands, method, seed, first, decks)
    check_memory(
        "hands", task.hands, 4.0 * task.hands * ROW_BYTES, "some rows each", "or knock_timing"
    )
    paths = record_paths(task, way, check_threads(threads, task), progress)
    counts = paths.ends[0]
    of_hand = np.repeat(np.arange(task.first, task.first + task.hands, dtype=np.int64), counts)
    rows: dict[str, NDArray[Any]] = dict(zip(_knocking.BYTE_COLUMNS, paths.small, strict=True))
    rows.update(zip(_knocking.NET_COLUMNS, paths.nets, strict=True))
    rows["hand"] = of_hand
    # South deals the even deals.
    rows["dealer"] = (of_hand & 1).astype(np.int8)
    for name in ("knock_winner", "play_winner", "play_knocker"):
        rows[name] = np.where(rows[name] == 2, -1, rows[name]).astype(np.int8)
    provenance = {**task.provenance, "rows": "knock_chances", "seat": "south", "method": way}
    return make_frame(KNOCK_CHANCE_COLUMNS, rows, provenance)


class Paths:
    """Waited-out hands and their chances, as `_knocking.fill_chances` writes them.

    Attributes:
        ends: shape (len(END_COLUMNS), hands).
        small: shape (len(BYTE_COLUMNS), chances), hands in order.
        nets: shape (len(NET_COLUMNS), chances).
    """

    def __init__(
        self,
        ends: NDArray[np.int32],
        small: NDArray[np.int8],
        nets: NDArray[np.int32],
    ) -> None:
        self.ends = ends
        self.small = small
        self.nets = nets

    def column(self, name: str) -> NDArray[np.int8]:
        """One of BYTE_COLUMNS."""
        values: NDArray[np.int8] = self.small[_knocking.BYTE_COLUMNS.index(name)]
        return values


def record_paths(task: Task, way: str, threads: int, progress: Progress | None = None) -> Paths:
    """The chances of all hands of a task."""
    chunk = chunk_of(task, way)
    starts = range(0, task.hands, chunk)
    ends = np.zeros((len(_knocking.END_COLUMNS), task.hands), np.int32)
    parts: list[list[tuple[NDArray[np.int8], NDArray[np.int32]]]] = [[] for _ in starts]
    setup = task.setup

    def play(_thread: int, start: int, stop: int) -> None:
        blocks = parts[start // chunk]
        while start < stop:
            room = (stop - start) * 3 + _knocking.ROOM
            small = np.empty((len(_knocking.BYTE_COLUMNS), room), np.int8)
            nets = np.empty((len(_knocking.NET_COLUMNS), room), np.int32)
            part = np.zeros((len(ends), stop - start), np.int32)
            done, rows = _knocking.fill_chances(
                setup, task.first + start, stop - start, 0, way == "replay", part, small, nets
            )
            ends[:, start : start + done] = part[:, :done]
            blocks.append((small[:, :rows].copy(), nets[:, :rows].copy()))
            start += done

    run_chunks(play, task.hands, threads, progress, chunk)
    whole = [block for blocks in parts for block in blocks]
    if not whole:
        return Paths(
            ends,
            np.empty((len(_knocking.BYTE_COLUMNS), 0), np.int8),
            np.empty((len(_knocking.NET_COLUMNS), 0), np.int32),
        )
    return Paths(
        ends,
        np.concatenate([small for small, _ in whole], axis=1),
        np.concatenate([nets for _, nets in whole], axis=1),
    )
