"""Who plays the tasks: threads, processes, a Dask cluster, or any executor of Python's."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import resource_tracker
from typing import Any

from ginsim.batches import count_threads
from ginsim.checks import check_whole
from ginsim.errors import OptionError, StudyError, refuse

#: The address that stands for a cluster on this machine.
LOCAL = "local"
#: Threads or processes of this machine.
MOST_WORKERS = 1024


class Pool:
    """An executor, how many tasks it plays at once, and what to do when it breaks.

    Args:
        make: makes the executor, and another one when it breaks.
        workers: tasks at once; None to ask the executor.
        is_ours: whether to shut it down in the end.
    """

    def __init__(
        self, make: Callable[[], Executor], workers: int | None, is_ours: bool, name: str
    ) -> None:
        self._make = make
        self._is_ours = is_ours
        self.name = name
        self.executor = make()
        self.workers = workers or count_workers(self.executor)

    def renew(self, failure: BaseException, broken: Executor) -> None:
        """Another executor in the place of a broken one; nothing if that was done already.

        Raises:
            StudyError: if there can be none.
        """
        if broken is not self.executor:
            return
        fresh = self._make()
        if fresh is broken:
            raise StudyError(
                f"the executor is broken ({failure}); allowed: to resume with another one, or a "
                "function that makes executors, which is called again then"
            ) from failure
        if self._is_ours:
            broken.shutdown(wait=False, cancel_futures=True)
        self.executor = fresh

    def close(self) -> None:
        """Let what runs come to its end, and no more."""
        if self._is_ours:
            self.executor.shutdown(wait=True, cancel_futures=True)


def count_workers(executor: Executor) -> int:
    """How many tasks an executor plays at once; one for each processor if it does not tell."""
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        return max(int(sum(client.nthreads().values())), 1)
    number = getattr(executor, "_max_workers", None)
    return number if isinstance(number, int) and number > 0 else count_threads()


def make_pool(executor: Any, threads: int | None, processes: int | None) -> Pool:
    """The pool of what a caller asks for; threads if nothing.

    Raises:
        OptionError: for more than one of them, and numbers that are not allowed.
    """
    given = {"executor": executor, "threads": threads, "processes": processes}
    for name, number in (("threads", threads), ("processes", processes)):
        if number is not None:
            check_whole(name, number, 1, MOST_WORKERS)
    if sum(value is not None for value in given.values()) > 1:
        names = ", ".join(name for name, value in given.items() if value is not None)
        raise OptionError(f"{names}: are given together; allowed: one of them")
    if executor is not None and not callable(executor) and not isinstance(executor, Executor):
        allowed = "an executor of concurrent.futures, or a function that makes one"
        raise OptionError(refuse("executor", executor, allowed))
    if isinstance(executor, Executor):
        return Pool(lambda: executor, None, False, type(executor).__name__)
    if executor is not None:
        return Pool(executor, None, True, getattr(executor, "__name__", "executor"))
    if processes is not None:
        return Pool(lambda: make_processes(processes), processes, True, f"{processes} processes")
    number = count_threads() if threads is None else threads
    return Pool(
        lambda: ThreadPoolExecutor(number, "ginsim-study"), number, True, f"{number} threads"
    )


def make_processes(number: int) -> ProcessPoolExecutor:
    """Processes that start afresh and end with this one, however it ends."""
    return ProcessPoolExecutor(
        number, mp_context=multiprocessing.get_context("spawn"), initializer=_settle
    )


def _settle() -> None:
    # Ctrl-C goes to every process of a terminal; it is the runner's to act on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Start processes that leave Ctrl-C, which goes to all of a terminal, to the runner.

    They and the threads that start them inherit that it is held back. One that comes meanwhile is
    not lost: it comes to the runner afterwards.
    """
    # What counts multiprocessing's resources is started with the first process, and whichever
    # thread starts it lets Ctrl-C through afterwards, held back or not.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def is_death(failure: BaseException) -> bool:
    """Whether a task failed because its worker went, not because of itself."""
    if isinstance(failure, BrokenExecutor | CancelledError | ConnectionError):
        return True
    return type(failure).__module__.partition(".")[0] == "distributed"


@contextmanager
def open_cluster(address: str, workers: int | None = None, retries: int = 3) -> Iterator[Executor]:
    """The executor of a Dask cluster.

    Args:
        address: of its scheduler, such as tcp://10.0.0.1:8786, or `local` for a cluster of
            processes on this machine, which ends with the context.
        workers: processes of a local cluster, a thread each; None for one each processor.
        retries: how often Dask tries a task again that failed.

    Raises:
        OptionError: without dask.distributed.
        StudyError: if the cluster cannot be reached.
    """
    if find_spec("distributed") is None:
        raise OptionError(
            "--cluster: needs dask.distributed, which is not installed; allowed without it: "
            '--threads or --processes (or pip install "ginsim-rummy[cluster]")'
        )
    from distributed import Client, LocalCluster

    cluster = None
    client = None
    try:
        if address == LOCAL:
            with _hold_interrupts():
                cluster = LocalCluster(
                    n_workers=workers or count_threads(),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.ERROR,
                )
        elif workers is not None:
            raise OptionError("--workers: is of a local cluster; allowed: with --cluster local")
        try:
            client = Client(address if cluster is None else cluster, timeout="20s")
        except (OSError, ValueError) as failure:
            raise StudyError(f"--cluster: {address} cannot be reached: {failure}") from None
        if not client.nthreads():
            client.wait_for_workers(1, timeout=60)
        yield client.get_executor(retries=retries, pure=False)
    finally:
        if client is not None:
            client.close()
        if cluster is not None:
            cluster.close()
