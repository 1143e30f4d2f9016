"""Ranges of hands divided among threads.

A range is cut into chunks of a few milliseconds; idle threads take the next one, so progress can
be shown and an interrupt ends the work within a chunk. The results must not depend on who
computed what: a chunk is a function of its range alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

#: Hands in a chunk; even, so that no mirrored pair is split.
CHUNK = 8192

Progress = Callable[[int, int], None]


def count_threads() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def run_chunks(
    work: Callable[[int, int, int], None],
    total: int,
    threads: int,
    progress: Progress | None = None,
    chunk: int | None = None,
) -> None:
    """Call `work(thread, start, stop)` for chunks that cover 0 … total once.

    Args:
        work: releases the GIL; `thread` is 0 … threads - 1 and no two calls of one thread overlap.
        total: the length of the range.
        threads: at least 1; with one, all is done in the calling thread.
        progress: called in the calling thread with (done, total), at most ten times a second.
        chunk: the length of a chunk; None for CHUNK.

    Raises:
        Whatever `work` raises, and KeyboardInterrupt; in both cases the other threads have
        finished their chunk and stopped.
    """
    chunk = CHUNK if chunk is None else chunk
    if threads <= 1 or total <= chunk:
        for start in range(0, total, chunk):
            stop = min(start + chunk, total)
            work(0, start, stop)
            if progress is not None:
                progress(stop, total)
        return
    _run_threads(work, total, threads, progress, chunk)


def _run_threads(
    work: Callable[[int, int, int], None],
    total: int,
    threads: int,
    progress: Progress | None,
    chunk: int,
) -> None:
    lock = threading.Lock()
    finished = threading.Event()
    stopping = threading.Event()
    state = {"next": 0, "done": 0, "running": threads}
    failures: list[BaseException] = []

    def run(thread: int) -> None:
        try:
            while not stopping.is_set():
                with lock:
                    start = state["next"]
                    stop = min(start + chunk, total)
                    state["next"] = stop
                if start >= total:
                    break
                work(thread, start, stop)
                with lock:
                    state["done"] += stop - start
        except BaseException as failure:  # handed to the calling thread
            failures.append(failure)
            stopping.set()
        finally:
            with lock:
                state["running"] -= 1
                if not state["running"]:
                    finished.set()

    workers = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(threads)]
    try:
        for worker in workers:
            worker.start()
        while not finished.wait(0.1):
            if progress is not None:
                progress(state["done"], total)
    finally:
        stopping.set()
        for worker in workers:
            if worker.ident is not None:
                worker.join()
    if failures:
        raise failures[0]
    if progress is not None:
        progress(total, total)
