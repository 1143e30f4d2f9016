"""Whole games: hands until the target, with the dealer's rule and the bonuses at the end."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch, _games, batches
from ginsim.batches import Progress, run_chunks
from ginsim.checks import check_whole
from ginsim.columns import GAME_COLUMNS, GAME_HAND_COLUMNS
from ginsim.errors import OptionError, refuse
from ginsim.game_scoring import check_playable
from ginsim.game_stats import GameTally
from ginsim.memory import check_memory
from ginsim.records import make_frame
from ginsim.rules import AnyRules, to_game_record
from ginsim.tasks import Strategies, Task, check_threads, make_task

#: A game that nobody has won after so many hands ends unfinished.
MAX_HANDS = 10_000


def _game_task(
    rules: AnyRules,
    strategies: Strategies,
    games: SupportsIndex,
    seed: SupportsIndex | None,
    first: SupportsIndex,
    mirror: bool,
    max_hands: SupportsIndex,
) -> tuple[Task, NDArray[np.void], int, dict[str, Any]]:
    """The validated task, the game rules record, the bound on hands, the provenance."""
    most = check_whole("max_hands", max_hands, 1, 32_000)
    num_games = check_whole("games", games, 0, None)
    if mirror and num_games % 2:
        raise OptionError(
            refuse("games", num_games, "an even number with mirror: each deal is played twice")
        )
    task = make_task(rules, strategies, num_games, seed=seed, first=first, mirror=mirror)
    check_playable(task.rules)
    provenance = task.provenance
    provenance["games"] = provenance.pop("hands")
    provenance["max_hands"] = most
    return task, to_game_record(task.rules), most, provenance


def simulate_games(
    rules: AnyRules,
    strategies: Strategies,
    games: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    max_hands: SupportsIndex = MAX_HANDS,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Play games and return one row for each.

    Args:
        rules, strategies, seed, threads, progress: as for `simulate`.
        games: how many games; 62 bytes of memory each, twice that while they are played.
        first: index of the first game. Hand j of game i is played with deck (i, j) of the seed,
            whatever the rules and strategies.
        mirror: play each game twice, the other seat dealing first; `games` and `first` are even.
        max_hands: a game without a winner after so many hands ends unfinished.

    Returns:
        A frame with one row a game, the columns `GAME_COLUMNS` of docs/columns.md and
        `attrs["provenance"]`.

    Raises:
        GinsimError: for bad arguments, and rules whose games are not played yet.
    """
    task, record, most, provenance = _game_task(
        rules, strategies, games, seed, first, mirror, max_hands
    )
    num_threads = check_threads(threads)
    check_memory(
        "games",
        task.hands,
        task.hands * (24 + _games.GAME_DTYPE.itemsize) * 2,
        f"{task.hands} rows",
        "or a tally, which takes no memory",
    )
    results = _play(task, record, most, num_threads, progress)
    return _games_frame(results, task, provenance)


def _play(
    task: Task,
    record: NDArray[np.void],
    max_hands: int,
    num_threads: int,
    progress: Progress | None,
) -> NDArray[np.void]:
    setup = task.setup
    results = np.zeros(task.hands, _games.GAME_DTYPE)

    def play(_thread: int, start: int, stop: int) -> None:
        _games.fill_games(setup, record, task.first, results, start, stop, max_hands)

    run_chunks(play, task.hands, num_threads, progress, chunk=_chunk())
    return results


def _chunk() -> int:
    # A game is about ten hands; even, so that no mirrored pair is split.
    return max(batches.CHUNK // 16 * 2, 2)


def _games_frame(results: NDArray[np.void], task: Task, provenance: dict[str, Any]) -> pd.DataFrame:
    columns: dict[str, NDArray[Any]] = {
        name: np.ascontiguousarray(results[name]) for name in results.dtype.names or ()
    }
    columns["game"] = np.arange(task.first, task.first + task.hands, dtype=np.int64)
    columns["deal"] = columns["game"] >> 1 if task.mirror else columns["game"].copy()
    columns["margin"] = columns["south_score"] - columns["north_score"]
    return make_frame(GAME_COLUMNS, columns, {**provenance, "rows": "games"})


def tally_games(
    rules: AnyRules,
    strategies: Strategies,
    games: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    max_hands: SupportsIndex = MAX_HANDS,
    progress: Progress | None = None,
) -> GameTally:
    """Play games and keep sums only: the arguments of `simulate_games`, constant memory.

    Returns:
        The `GameTally` that `GameTally.from_frame(simulate_games(...))` would be for the same
        arguments, and the outcomes of the hands besides.
    """
    task, record, most, provenance = _game_task(
        rules, strategies, games, seed, first, mirror, max_hands
    )
    num_threads = check_threads(threads)
    setup = task.setup
    parts = [np.zeros(1, _games.GAME_TALLY_DTYPE) for _ in range(num_threads)]

    def play(thread: int, start: int, stop: int) -> None:
        _games.fill_game_tally(setup, record, task.first + start, stop - start, parts[thread], most)

    run_chunks(play, task.hands, num_threads, progress, chunk=_chunk())
    total = GameTally(parts[0], provenance)
    for part in parts[1:]:
        total.add_sums(part)
    return total


def simulate_game_hands(
    rules: AnyRules,
    strategies: Strategies,
    games: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    max_hands: SupportsIndex = MAX_HANDS,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Play games and return one row for each of their hands.

    The arguments are those of `simulate_games`, and so are the games; each is played twice, once
    to count its hands.

    Returns:
        A frame with the columns `GAME_HAND_COLUMNS` of docs/columns.md: the game, the number of
        the hand in it, the scores before it, and the columns of hand records.
    """
    task, record, most, provenance = _game_task(
        rules, strategies, games, seed, first, mirror, max_hands
    )
    num_threads = check_threads(threads)
    results = _play(task, record, most, num_threads, None)
    ends = np.concatenate([[0], np.cumsum(results["hands"], dtype=np.int64)])
    rows = int(ends[-1])
    indices, numbers = np.empty(rows, np.int64), np.empty(rows, np.int16)
    before = np.empty((2, rows), np.int32)
    small = np.empty((len(_batch.BYTE_COLUMNS), rows), np.int8)
    large = np.empty((len(_batch.SHORT_COLUMNS), rows), np.int16)
    setup = task.setup

    def fill(_thread: int, start: int, stop: int) -> None:
        _games.fill_game_hands(
            setup,
            record,
            task.first + start,
            stop - start,
            indices,
            numbers,
            before,
            small,
            large,
            int(ends[start]),
            most,
        )

    run_chunks(fill, task.hands, num_threads, progress, chunk=_chunk())
    columns: dict[str, NDArray[Any]] = dict(zip(_batch.BYTE_COLUMNS, small, strict=True))
    columns.update(zip(_batch.SHORT_COLUMNS, large, strict=True))
    columns["game"], columns["hand_in_game"] = indices, numbers
    columns["deal"] = indices >> 1 if task.mirror else indices.copy()
    columns["south_before"], columns["north_before"] = before
    return make_frame(GAME_HAND_COLUMNS, columns, {**provenance, "rows": "game_hands"})
