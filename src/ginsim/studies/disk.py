"""What the disk refuses, in words: which file, why, and how to go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ginsim.errors import show


class DiskError(OSError):
    """A file or folder of a study that cannot be read or written.

    Args:
        failure: what the system said.
        path: of what.
        doing: what could not be done with it, such as `written`.
        folder: the study's, to go on with.
    """

    def __init__(self, failure: OSError, path: Path, doing: str, folder: Path) -> None:
        super().__init__(failure.errno, failure.strerror, str(path))
        self._told = (
            f"{show(str(path))} cannot be {doing}: {failure.strerror or failure}; what is there "
            f"stays; to go on when that is mended: {tell_how(folder)}"
        )

    def __str__(self) -> str:
        return self._told


def tell_how(folder: Path) -> str:
    """The command that goes on with a study."""
    if (folder / "manifest.json").is_file():
        return f"ginsim study resume {folder}"
    return f"ginsim study run FILE --folder {folder}"


@contextmanager
def naming(path: Path, doing: str, folder: Path) -> Iterator[None]:
    """Tell what the system refuses within.

    Raises:
        DiskError: in the place of an OSError.
    """
    try:
        yield
    except DiskError:
        raise
    except OSError as failure:
        raise DiskError(failure, path, doing, folder) from failure
