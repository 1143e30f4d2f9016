"""Hands by the million: per-hand records or running sums.

>>> frame = simulate("kawu", ("greedy(knock_at=4)", "simple"), 1000, seed=1)
>>> frame.shape
(1000, 22)
"""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
import pandas as pd

from ginsim import _batch, batches
from ginsim.batches import Progress, run_chunks
from ginsim.decks import Decks
from ginsim.memory import check_memory
from ginsim.records import records_frame
from ginsim.rules import AnyRules
from ginsim.stats import Tally
from ginsim.tasks import Strategies, check_threads, make_task

#: Bytes of a row: two indices and the core's columns.
ROW_BYTES = 16 + len(_batch.BYTE_COLUMNS) + 2 * len(_batch.SHORT_COLUMNS)


def simulate(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex | None = None,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    decks: Decks | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Play hands and return one row for each.

    Args:
        rules: name, composition, file, mapping or `Rules` (see `load_rules`).
        strategies: one for both seats, or (south, north).
        hands: how many hands; about 40 bytes of memory each. May be left out with `decks`.
        seed: any non-negative whole number; None draws one and records it. A hand depends on
            (seed, index, rules, strategies) only; its deck on (seed, deal) only.
        first: index of the first hand.
        threads: how many threads play; None for one each processor. The result is the same.
        mirror: play each deal twice, the second time with the seats' cards changed; `hands` and
            `first` are then even.
        decks: play these decks instead of the seed's: deal n with deck n, 52 cards in the order
            of the deck (docs/engine.md). The seed then serves the strategies' choices and the
            second deck only.
        progress: called with (done, total) from time to time.

    Returns:
        A frame of shape (hands, 22) with the columns of docs/columns.md, `attrs["provenance"]`
        telling how to make it again.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    task = make_task(rules, strategies, hands, seed=seed, first=first, mirror=mirror, decks=decks)
    num_threads = check_threads(threads, task)
    check_memory(
        "hands",
        task.hands,
        task.hands * ROW_BYTES,
        f"{task.hands} rows",
        "or a tally, which takes no memory",
    )
    setup = task.setup
    small = np.empty((len(_batch.BYTE_COLUMNS), task.hands), np.int8)
    large = np.empty((len(_batch.SHORT_COLUMNS), task.hands), np.int16)

    def play(_thread: int, start: int, stop: int) -> None:
        _batch.fill_records(setup, task.first, small, large, start, stop)

    run_chunks(play, task.hands, num_threads, progress, task.chunk(batches.CHUNK))
    return records_frame(small, large, task.first, task.mirror, task.provenance)


def tally(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex | None = None,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    decks: Decks | None = None,
    progress: Progress | None = None,
) -> Tally:
    """Play hands and keep sums only: the arguments of `simulate`, constant memory.

    Returns:
        The `Tally` that `Tally.from_frame(simulate(...))` would be for the same arguments.
    """
    task = make_task(rules, strategies, hands, seed=seed, first=first, mirror=mirror, decks=decks)
    num_threads = check_threads(threads, task)
    setup = task.setup
    parts = [np.zeros(1, _batch.TALLY_DTYPE) for _ in range(num_threads)]

    def play(thread: int, start: int, stop: int) -> None:
        _batch.fill_tally(setup, task.first + start, stop - start, parts[thread])

    run_chunks(play, task.hands, num_threads, progress, task.chunk(batches.CHUNK))
    total = Tally(parts[0], task.provenance)
    for part in parts[1:]:
        total.add_sums(part)
    return total
