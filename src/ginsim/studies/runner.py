"""Studies run: tasks given to an executor, results written as they come, tables in the end."""

from __future__ import annotations

import os
import platform
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pandas as pd

from ginsim.batches import Progress
from ginsim.checks import check_path, check_whole
from ginsim.errors import OptionError, StudyError, refuse
from ginsim.studies.data import Run, Study, StudyTask
from ginsim.studies.executors import Pool, is_death, make_pool
from ginsim.studies.kinds import KINDS, play_task
from ginsim.studies.progress import CellProgress, Progressing, Store
from ginsim.studies.store import Folder, Memory, Tell, describe_host, open_folder
from ginsim.studies.studyfile import AnyStudy, read_study

#: How often a task is given out again whose worker died.
RETRIES = 3
#: Seconds that an interrupt waits for what is being played.
PATIENCE = 10.0


def run_study(
    study: AnyStudy,
    folder: str | os.PathLike[str] | None = None,
    *,
    executor: Executor | Callable[[], Executor] | None = None,
    threads: int | None = None,
    processes: int | None = None,
    retries: int = RETRIES,
    part: tuple[int, int] | None = None,
    recompute: bool = False,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> dict[str, pd.DataFrame]:
    """Run a study, or what is still to be done of it.

    Args:
        study: the path of a study file, a mapping with the same keys, or what `read_study` gives.
        folder: where results are kept, task by task, so that a run that was killed goes on from
            there; made if it is not there. None to keep them in memory only.
        executor: plays the tasks: any `concurrent.futures.Executor`, or a function that makes
            one, which is called again if the executor breaks. None for threads.
        threads: how many threads; None for one each processor.
        processes: that many processes instead.
        retries: how often a task is given out again whose worker died.
        part: (k, n) plays the k-th of n parts only, for `merge_studies`; there are no tables then.
        recompute: take over a folder that another version of ginsim began, and play all anew.
        progress: called with (done, total) tasks after each of them.
        tell: called with a sentence for whatever is amiss in the folder: files that are damaged,
            missing or not of this study, a lock that was left.

    Returns:
        The tables by name: a run's own, others as `run.looks`. The same for every executor, and
        however often it was interrupted. Empty if not all tasks are done.

    Raises:
        StudyError: for a study that cannot be run, a folder that holds another study or was begun
            with another version, and a folder that somebody else runs now.
        OSError: if a result cannot be written, with the path, the reason and how to go on. What
            was written stays, and is used next time.
    """
    full = read_study(study)
    number = check_whole("retries", retries, 0, 1000)
    share = _check_part(part)
    pool = None
    path = None
    if folder is not None:
        path = check_path(
            "folder", folder, "the path of a folder, or None to keep none", StudyError
        )
    else:
        for run in full.runs:
            if run.options.get("rows"):
                raise OptionError(f"run.{run.name}.rows: needs a folder; allowed: with a folder")
    with _open(full, path, tell, recompute) as store:
        work = Progressing(full, store)
        try:
            pool = make_pool(executor, threads, processes)
            store.log(
                "start",
                study=full.hash,
                executor=pool.name,
                workers=pool.workers,
                **describe_host(),
            )
            _play(work, pool, number, share, progress)
        except BaseException as failure:
            with suppress(OSError):  # what went wrong is told, not what it led to
                store.log("stop", why=type(failure).__name__)
            raise
        finally:
            if pool is not None:
                pool.close()
        store.name_others(work.names)
        tables = finish(work) if work.is_done else {}
        store.log("end", finished=work.is_done)
        return tables


@contextmanager
def _open(study: Study, folder: Path | None, tell: Tell | None, recompute: bool) -> Iterator[Store]:
    if folder is None:
        yield Memory()
        return
    with open_folder(folder, study, tell, recompute) as store:
        yield store


def _check_part(part: Any) -> tuple[int, int] | None:
    if part is None:
        return None
    if not isinstance(part, Sequence) or isinstance(part, str) or len(part) != 2:
        raise OptionError(refuse("part", part, "(k, n): the k-th of n parts"))
    total = check_whole("part", part[1], 1, 1_000_000)
    return check_whole("part", part[0], 1, total), total


# -- playing ----------------------------------------------------------------------------------


def time_task(task: StudyTask) -> tuple[Any, dict[str, Any]]:
    """Play a task where a worker is, and say for the log where that was and how long it took."""
    start = time.perf_counter()
    result = play_task(task)
    seconds = round(time.perf_counter() - start, 4)
    return result, {"seconds": seconds, "host": platform.node(), "pid": os.getpid()}


def _has_failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None


def _play(
    work: Progressing,
    pool: Pool,
    retries: int,
    share: tuple[int, int] | None,
    progress: Progress | None,
) -> None:
    """Have all tasks played that are not there, each result written as it comes.

    No more tasks are given out than there are workers, and a worker gets another only when its
    result is written: a run that is killed loses one task a worker at most.
    """
    queue: deque[StudyTask] = deque()
    running: dict[Future[Any], tuple[StudyTask, Executor]] = {}
    deaths: dict[str, int] = {}

    def ask() -> None:
        queue.extend(task for task in work.advance() if work.is_of_part(task, share))
        if progress is not None:
            progress(*work.count())

    def give(task: StudyTask, outcome: tuple[Any, dict[str, Any]]) -> None:
        result, told = outcome
        work.store.save(task, result, told)
        work.give(task, True if task.output == "rows" else result)

    def submit(task: StudyTask) -> None:
        executor = pool.executor
        try:
            running[executor.submit(time_task, task)] = (task, executor)
        except BrokenExecutor as failure:
            pool.renew(failure, executor)
            queue.appendleft(task)

    def collect(future: Future[Any]) -> None:
        task, executor = running.pop(future)
        failure = CancelledError("cancelled") if future.cancelled() else future.exception()
        if failure is None:
            give(task, future.result())
            return
        if not is_death(failure):
            raise failure
        why = str(failure) or type(failure).__name__
        deaths[task.name] = deaths.get(task.name, 0) + 1
        if deaths[task.name] > retries:
            raise StudyError(
                f"task {task.name} is given up: its worker died {deaths[task.name]} times ({why})"
            ) from failure
        work.store.log("retry", task=task.name, why=why)
        queue.appendleft(task)
        if isinstance(failure, BrokenExecutor):
            pool.renew(failure, executor)

    ask()
    try:
        while queue or running:
            while queue and len(running) < pool.workers:
                submit(queue.popleft())
            done = wait(running, return_when=FIRST_COMPLETED).done
            # What is good is kept before anything else is said.
            for future in sorted(done, key=_has_failed):
                collect(future)
            ask()
    except (KeyboardInterrupt, SystemExit):
        # What is being played is played to its end, and kept.
        played = [future for future in running if not future.cancel()]
        for future in wait(played, timeout=PATIENCE).done:
            if future.exception() is None:
                give(running[future][0], future.result())
        raise
    except BaseException:
        for future in running:
            future.cancel()
        raise


# -- tables -----------------------------------------------------------------------------------


def finish(work: Progressing) -> dict[str, pd.DataFrame]:
    """The tables of a study that is done, written where its results are."""
    frames: dict[str, pd.DataFrame] = {}
    for run, cells in work.group():
        pairs = [(cell.cell, cell.reducer) for cell in cells]
        for name, frame in KINDS[run.kind].tabulate(run, pairs).items():
            frames[f"{run.name}.{name}" if name else run.name] = frame
        if run.options.get("rows") and isinstance(work.store, Folder):
            frames[f"{run.name}.rows"] = _write_rows(work.store, run, cells)
    for frame in frames.values():
        frame.attrs["study"] = work.study.hash
    work.store.write_tables(frames)
    return frames


def _write_rows(store: Folder, run: Run, cells: Sequence[CellProgress]) -> pd.DataFrame:
    """Put the records of each cell together; the table that says which file has whose."""
    entries = []
    for number, cell in enumerate(cells, 1):
        name = f"{run.name}.rows-{number}"
        rows = store.write_rows(name, cell.rows)
        entries.append({**cell.cell.labels, "file": f"{name}.{store.format}", "rows": rows})
    return pd.DataFrame(entries)
