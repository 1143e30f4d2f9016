"""Progress on standard error, for people only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callable(done, total) that keeps one line on standard error up to date.

    Yields None if standard error is no terminal. The line is wiped at the end.
    """
    if not sys.stderr.isatty():
        yield None
        return
    start = time.monotonic()
    next_time = start + 0.5  # what is done at once needs no progress
    width = 0

    def update(done: int, total: int) -> None:
        nonlocal next_time, width
        now = time.monotonic()
        if now < next_time:
            return
        next_time = now + 0.1
        rate = done / (now - start)
        left = (total - done) / rate if rate else 0.0
        line = f"{done:,} of {total:,} {what}, {rate:,.0f}/s, {left:,.0f} s left"
        sys.stderr.write("\r" + line.ljust(width))
        sys.stderr.flush()
        width = len(line)

    try:
        yield update
    finally:
        if width:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()
