"""One runner at a time: a lock on a file that says who holds it.

The lock is the system's (flock), not the file: it ends with the process, however that ends. What
the file says is for people, and tells the next holder who left without a word.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ginsim.errors import StudyError, show
from ginsim.studies.disk import naming

#: Locks that this process holds: a child made by fork has copies of them that are not its own.
_HELD: set[int] = set()


def _close_copies() -> None:
    for handle in _HELD:
        os.close(handle)
    _HELD.clear()


os.register_at_fork(after_in_child=_close_copies)


@contextmanager
def hold_lock(path: Path) -> Iterator[str]:
    """Hold the lock of a folder.

    Yields:
        Who held it before and did not give it back, in words; empty if nobody.

    Raises:
        StudyError: if somebody holds it, saying who.
        DiskError: if it cannot be written.
    """
    with naming(path, "written", path.parent):
        handle = _acquire(path)
    try:
        left_by = _describe(os.pread(handle, 10_000, 0))
        document = {
            "host": platform.node(),
            "pid": os.getpid(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with naming(path, "written", path.parent):
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps(document).encode("ascii") + b"\n", 0)
        yield left_by
    finally:
        # While it is held: whoever opened it meanwhile sees that its name is gone.
        path.unlink(missing_ok=True)
        if handle in _HELD:
            _HELD.discard(handle)
            os.close(handle)


def find_holder(path: Path) -> str:
    """Who holds the lock of a folder now, in words; empty if nobody does."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return ""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return ""
    except OSError as failure:
        if failure.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise
        return _describe(os.pread(handle, 10_000, 0)) or "another process"
    finally:
        os.close(handle)


def _acquire(path: Path) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as failure:
            who = _describe(os.pread(handle, 10_000, 0)) or "another process"
            os.close(handle)
            if failure.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            raise StudyError(
                f"{show(str(path.parent))} is being run by {who}; allowed: one runner at a time"
            ) from None
        try:
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                _HELD.add(handle)
                return handle
        except FileNotFoundError:  # given back between our opening and locking it
            pass
        os.close(handle)


def _describe(text: bytes) -> str:
    """Who a lock's file names."""
    try:
        document = json.loads(text)
        return f"process {document['pid']} on {document['host']} since {document['since']}"
    except (ValueError, KeyError, TypeError):
        return ""
