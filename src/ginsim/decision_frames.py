"""A row for each decision: what a player saw, what he could do, what he did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _decisions, batches
from ginsim.batches import Progress, run_chunks
from ginsim.checks import check_whole
from ginsim.columns import DECISION_COLUMNS, KINDS
from ginsim.decks import Decks
from ginsim.errors import OptionError, join_words, refuse
from ginsim.memory import check_memory
from ginsim.records import make_frame
from ginsim.rules import AnyRules
from ginsim.tasks import Strategies, Task, check_threads, make_task

#: Bytes of a row: two indices, masks and small columns.
ROW_BYTES = 16 + 8 * len(_decisions.MASK_COLUMNS) + len(_decisions.BYTE_COLUMNS)
#: Hands on which the size of a frame is estimated.
SAMPLE = 2000


def _mask_of(kinds: Sequence[str] | None) -> int:
    if kinds is None:
        return (1 << len(KINDS)) - 1
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    for name in names:
        if name not in KINDS:
            raise OptionError(refuse("kinds", name, join_words(KINDS)))
    return sum(1 << code for code, name in enumerate(KINDS) if name in names)


def _estimate_rows(task: Task, kinds: int) -> float:
    """Rows of a task, from its first hands."""
    sample = min(task.hands, task.chunk(SAMPLE))
    if not sample:
        return 0.0
    rows = _decisions.count_decisions(task.setup, task.first, sample, kinds)
    return rows / sample * task.hands


def estimate_size(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex | None = None,
    *,
    kinds: Sequence[str] | None = None,
    seed: SupportsIndex | None = 0,
    first: SupportsIndex = 0,
    mirror: bool = False,
    decks: Decks | None = None,
) -> tuple[int, int]:
    """(rows, bytes) that `decisions` would take, estimated from the first 2000 hands."""
    task = make_task(rules, strategies, hands, seed=seed, first=first, mirror=mirror, decks=decks)
    rows = round(_estimate_rows(task, _mask_of(kinds)))
    return rows, rows * ROW_BYTES


def decisions(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex | None = None,
    *,
    kinds: Sequence[str] | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    decks: Decks | None = None,
    max_bytes: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Play hands and return one row for each decision.

    Args:
        rules, strategies, hands, seed, first, threads, mirror, decks, progress: as for
            `simulate`; the hands are the same. Each is played twice, once to count.
        kinds: which decisions to keep, of upcard, draw, discard, wall, spread and layoff; None
            for all. Big gin, knock and discard are one decision, `discard`.
        max_bytes: refuse a frame larger than this; None for 80 % of the memory that is free.

    Returns:
        A frame with one row a decision, hands in order, with the columns `DECISION_COLUMNS` of
        docs/columns.md and `attrs["provenance"]`. About 75 bytes a row, 30 rows a hand.

    Raises:
        GinsimError: for bad arguments, and a frame that would be too large, before it is made.
    """
    task = make_task(rules, strategies, hands, seed=seed, first=first, mirror=mirror, decks=decks)
    chosen = _mask_of(kinds)
    num_threads = check_threads(threads, task)
    _check_size(task, chosen, max_bytes)
    setup = task.setup
    chunk = task.chunk(batches.CHUNK)
    starts = range(0, task.hands, chunk)
    sizes = np.zeros(len(starts) + 1, np.int64)

    def half(done: int, total: int) -> None:
        if progress is not None:
            progress(done // 2, total)

    def count(_thread: int, start: int, stop: int) -> None:
        rows = _decisions.count_decisions(setup, task.first + start, stop - start, chosen)
        sizes[start // chunk + 1] = rows

    run_chunks(count, task.hands, num_threads, half, chunk)
    ends = np.cumsum(sizes)
    rows = int(ends[-1])
    indices = np.empty(rows, np.int64)
    masks = np.empty((len(_decisions.MASK_COLUMNS), rows), np.uint64)
    small = np.empty((len(_decisions.BYTE_COLUMNS), rows), np.int8)

    def second_half(done: int, total: int) -> None:
        if progress is not None:
            progress((total + done) // 2, total)

    def fill(_thread: int, start: int, stop: int) -> None:
        at = int(ends[start // chunk])
        _decisions.fill_decisions(
            setup, task.first + start, stop - start, chosen, indices, masks, small, at
        )

    run_chunks(fill, task.hands, num_threads, second_half, chunk)
    columns: dict[str, NDArray[Any]] = dict(zip(_decisions.MASK_COLUMNS, masks, strict=True))
    columns.update(zip(_decisions.BYTE_COLUMNS, small, strict=True))
    columns["hand"] = indices
    columns["deal"] = indices >> 1 if task.mirror else indices.copy()
    provenance = {
        **task.provenance,
        "rows": "decisions",
        "kinds": [name for code, name in enumerate(KINDS) if chosen >> code & 1],
    }
    return make_frame(DECISION_COLUMNS, columns, provenance)


def _check_size(task: Task, kinds: int, max_bytes: SupportsIndex | None) -> None:
    bound = None if max_bytes is None else check_whole("max_bytes", max_bytes, 0, None)
    rows = _estimate_rows(task, kinds)
    check_memory(
        "hands",
        task.hands,
        rows * ROW_BYTES,
        f"about {rows:.3g} rows",
        "or fewer kinds of decisions",
        bound,
    )
