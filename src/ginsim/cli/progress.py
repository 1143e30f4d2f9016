"""Progress on standard error, for people only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds between lines where standard error is no terminal.
EVERY = 60.0


@contextmanager
def show_progress(what: str, is_long: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A callable(done, total) that keeps one line on standard error up to date.

    Yields None if standard error is no terminal. The line is wiped at the end.

    Args:
        what: what is counted.
        is_long: the work may take hours and have been begun before: rate and time left are of what
            is done after the first call, and where there is no terminal a line is written every
            minute.
    """
    is_terminal = sys.stderr.isatty()
    if not is_terminal and not is_long:
        yield None
        return
    start = time.monotonic()
    next_time = start + (0.5 if is_terminal else EVERY)  # what is done at once needs no progress
    base = None if is_long else 0
    width = 0

    def update(done: int, total: int) -> None:
        nonlocal start, next_time, base, width
        now = time.monotonic()
        if base is None:
            base, start = done, now
        if now < next_time:
            return
        next_time = now + (0.1 if is_terminal else EVERY)
        rate = (done - base) / max(now - start, 1e-9)
        left = spell_time((total - done) / rate) if rate else "?"
        line = f"{done:,} of {total:,} {what}, {rate:,.{0 if rate >= 10 else 1}f}/s, {left} left"
        if not is_terminal:
            sys.stderr.write(line + "\n")
        else:
            sys.stderr.write("\r" + line.ljust(width))
            width = len(line)
        sys.stderr.flush()

    try:
        yield update
    finally:
        if width:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()


def spell_time(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:,.0f} s"
