"""Whole games: hands until the target, with the dealer's rule and the bonuses at the end."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch, _games, batches
from ginsim.batches import Progress, run_chunks
from ginsim.checks import check_whole
from ginsim.errors import OptionError, refuse
from ginsim.game_records import game_hands_frame, games_frame
from ginsim.game_stats import GameTally
from ginsim.memory import check_memory
from ginsim.rules import AnyRules, to_game_record
from ginsim.tasks import Strategies, Task, check_threads, make_task

#: A game that nobody has won after so many hands ends unfinished.
MAX_HANDS = 10_000
#: Bytes of a row of `simulate_game_hands`.
ROW_BYTES = (
    8 + _games.GAME_HAND_DTYPE.itemsize + len(_batch.BYTE_COLUMNS) + 2 * len(_batch.SHORT_COLUMNS)
)


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
    task = make_task(
        rules, strategies, num_games, seed=seed, first=first, mirror=mirror, of_games=True
    )
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
        rules, seed, threads, progress: as for `simulate`.
        strategies: one for all, or (south, north), or in a partnership those of A, B, C and D.
        games: how many games; up to 200 bytes of memory each, twice that while they are played.
        first: index of the first game. Hand j of game i is played with deck (i, j) of the seed,
            whatever the rules and strategies.
        mirror: play each game twice, the other seat dealing first; `games` and `first` are even.
        max_hands: a game without a winner after so many hands ends unfinished.

    Returns:
        A frame with one row a game, the columns `games` of docs/columns.md, in Hollywood scoring
        those of `hollywood_games`, and `attrs["provenance"]`. In a partnership south stands for
        the pair of A and B, north for that of C and D.

    Raises:
        GinsimError: for bad arguments.
    """
    task, record, most, provenance = _game_task(
        rules, strategies, games, seed, first, mirror, max_hands
    )
    num_threads = check_threads(threads, task)
    check_memory(
        "games",
        task.hands,
        task.hands * (24 + _games.GAME_DTYPE.itemsize) * 2,
        f"{task.hands} rows",
        "or a tally, which takes no memory",
    )
    results = _play(task, record, most, num_threads, progress)
    hollywood = task.rules.scoring == "hollywood"
    return games_frame(results, task.first, task.mirror, hollywood, provenance)


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

    run_chunks(play, task.hands, num_threads, progress, chunk=_chunk(task))
    return results


def _chunk(task: Task) -> int:
    # A game is about ten hands; even, so that no mirrored pair is split.
    return task.chunk(max(batches.CHUNK // 16 * 2, 2))


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
    num_threads = check_threads(threads, task)
    setup = task.setup
    parts = [np.zeros(1, _games.GAME_TALLY_DTYPE) for _ in range(num_threads)]

    def play(thread: int, start: int, stop: int) -> None:
        _games.fill_game_tally(setup, record, task.first + start, stop - start, parts[thread], most)

    run_chunks(play, task.hands, num_threads, progress, chunk=_chunk(task))
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
    min_hands: SupportsIndex = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Play games and return one row for each of their hands, in a partnership one for each table.

    The arguments are those of `simulate_games`, and so are the games; each is played twice, once
    to count its hands.

    Args:
        min_hands: go on after the end of a game until it has so many hands (0-32,000), so that
            `rescore` can book it under rules by which it lasts longer. Hands after the end
            count for nothing in the game as it was played.

    Returns:
        A frame with the columns `game_hands` of docs/columns.md: the game, the number of the hand
        in it, the points before it, and the columns of hand records; in a partnership with the
        columns `table_hands`, which have the hand of the pairs too.
    """
    task, record, most, provenance = _game_task(
        rules, strategies, games, seed, first, mirror, max_hands
    )
    least = check_whole("min_hands", min_hands, 0, 32_000)
    num_threads = check_threads(threads, task)
    setup = task.setup
    counts = np.zeros(task.hands, np.int64)

    def count(_thread: int, start: int, stop: int) -> None:
        part = counts[start:stop]
        _games.count_rows(setup, record, task.first + start, stop - start, part, most, least)

    run_chunks(count, task.hands, num_threads, None, chunk=_chunk(task))
    ends = np.concatenate([[0], np.cumsum(counts)])
    rows = int(ends[-1])
    check_memory(
        "games", task.hands, rows * ROW_BYTES * 2, f"{rows} rows of hands", "or fewer games"
    )
    own = np.zeros(rows, _games.GAME_HAND_DTYPE)
    small = np.empty((len(_batch.BYTE_COLUMNS), rows), np.int8)
    large = np.empty((len(_batch.SHORT_COLUMNS), rows), np.int16)

    def fill(_thread: int, start: int, stop: int) -> None:
        _games.fill_game_hands(
            setup,
            record,
            task.first + start,
            stop - start,
            own,
            small,
            large,
            int(ends[start]),
            most,
            least,
        )

    run_chunks(fill, task.hands, num_threads, progress, chunk=_chunk(task))
    if least:
        provenance["min_hands"] = least
    partnership = task.rules.players == 4
    return game_hands_frame(own, small, large, task.mirror, partnership, provenance)
