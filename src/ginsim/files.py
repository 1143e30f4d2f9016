"""Records in files, with the provenance that travels with them.

A file is written under another name and gets its own when it is whole. What is read back equals
what was written: dtypes, fixed categories, `attrs["provenance"]`. docs/files.md describes the
formats, which are in formats.py.
"""

from __future__ import annotations

import io
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import pandas as pd

from ginsim.checks import check_path
from ginsim.columns import TABLES
from ginsim.errors import OptionError, join_words, refuse, show
from ginsim.formats import BOM, FORMATS, Csv, Format, Header, tell_columns
from ginsim.records import make_frame, plain_values

#: What a file name may end in.
ENDINGS = tuple(FORMATS)


def write_records(frame: pd.DataFrame, path: str | os.PathLike[str], force: bool = False) -> None:
    """Write a frame of records to a file, whole or not at all.

    Args:
        frame: the columns of one of the tables of docs/columns.md, any number of rows. Its
            provenance goes with it; its index and other `attrs` do not.
        path: a name that ends in .csv, .jsonl or .parquet (this with pyarrow installed).
        force: replace the file if it exists.

    Raises:
        OptionError: if the file cannot be written there, or the frame has other columns.
        OSError: if writing fails; there is no file then.
    """
    if not isinstance(frame, pd.DataFrame):
        raise OptionError(refuse("frame", frame, "a frame of records"))
    rows = _find_rows(frame)
    with open_records(path, rows, frame.attrs.get("provenance"), force) as writer:
        writer.write(frame)


def read_records(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a file of records: the frame that was written, with `attrs["provenance"]`.

    Which records they are is found out from the file.

    Raises:
        OptionError: for a file that is cut off, was not written by ginsim or by a version with
            another layout or other columns, and for parquet without pyarrow.
        OSError: if the file cannot be read.
    """
    path = check_path("path", path)
    form = _find_format(path, "path")
    if not path.exists():
        raise OptionError(f"path: {show(str(path))} does not exist")
    with path.open("rb") as file:
        return _read_frame(form, file, str(path))


def is_records(text: bytes) -> bool:
    """Whether a csv text is one of records: its first line tells."""
    return text.removeprefix(BOM).startswith(Csv.mark.encode() + b"{")


def parse_records(text: bytes, where: str) -> pd.DataFrame:
    """What `read_records` reads from a csv file of this text.

    Args:
        where: its name, for messages.

    Raises:
        OptionError: as `read_records`.
    """
    return _read_frame(Csv, io.BufferedReader(io.BytesIO(text)), where)


def _read_frame(form: type[Format], file: IO[bytes], where: str) -> pd.DataFrame:
    header, arrays = form.read(file, where)
    count = len(next(iter(arrays.values())))
    if header.count not in (None, count):
        state = "is cut off" if count < header.count else "was added to"
        raise OptionError(f"{where} {state}: it has {count} rows and says {header.count}")
    frame = make_frame(header.table, arrays, header.provenance or {})
    if header.provenance is None:
        del frame.attrs["provenance"]
    return frame


class Writer:
    """Takes frames of records, one after the other."""

    def __init__(self, form: Format, rows: str) -> None:
        self._form = form
        self._rows = rows

    def write(self, frame: pd.DataFrame) -> None:
        """Append a frame.

        Raises:
            OptionError: if it has other columns than those announced.
        """
        table = TABLES[self._rows]
        if sorted(frame, key=str) != sorted(column.name for column in table):
            raise OptionError(
                f"frame: its columns are not those of {self._rows}"
                f"{tell_columns(self._rows, list(frame))}"
            )
        self._form.write(
            {column.name: plain_values(column, frame[column.name]) for column in table}
        )


@contextmanager
def open_records(
    path: str | os.PathLike[str],
    rows: str,
    provenance: dict[str, Any] | None,
    force: bool = False,
    name: str = "path",
) -> Iterator[Writer]:
    """A writer for records that come block by block: memory does not grow with their number.

    The file appears under its name only when all are written. Until then they are in a file of
    another name in the same folder, which is removed if anything goes wrong, Ctrl-C included.

    Args:
        path, force: as for `write_records`.
        rows: which records, a name of `columns.TABLES`.
        provenance: that of all of them together.
        name: what messages call `path`.
    """
    path = check_path(name, path)
    check_target(path, force, name)
    header = Header(rows, provenance)
    header.encode()  # what has no JSON form is refused before there is a file
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            form = _find_format(path, name)(file, header)
            try:
                yield Writer(form, rows)
            except BaseException:
                with suppress(Exception):  # what went wrong is told, not what it led to
                    form.finish()
                raise
            form.finish()
            file.flush()
            os.fsync(file.fileno())
        check_target(path, force, name)
        os.replace(part, path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def check_target(path: Path, force: bool, name: str = "path") -> None:
    """See before the work begins that its result can be written.

    Args:
        name: what the message calls `path`; an option of a command begins with dashes.

    Raises:
        OptionError: for an unknown ending, a file that exists, a folder that does not, and
            parquet without pyarrow.
    """
    _find_format(path, name)
    check_place(path, force, name)


def check_place(path: Path, force: bool, name: str = "path") -> None:
    """The same for a file of any ending.

    Raises:
        OptionError: for a file that exists, and a folder that does not or cannot be written to.
    """
    if fault := find_folder_fault(path.parent):
        raise OptionError(f"{name}: {fault}")
    if not os.access(path.parent, os.W_OK):
        raise OptionError(f"{name}: the folder {show(str(path.parent))} cannot be written to")
    if path.is_dir():
        raise OptionError(f"{name}: {show(str(path))} is a folder; allowed: a file name")
    if path.exists() and not force:
        how = "--force" if name.startswith("--") else "force=True"
        raise OptionError(f"{name}: {show(str(path))} exists; allowed: another name, or {how}")


def find_folder_fault(path: Path) -> str:
    """Why a path is no folder, as a sentence; empty if it is one."""
    if path.is_dir():
        return ""
    if path.exists():
        return f"{show(str(path))} is a file; allowed: the name of a folder"
    if path.is_symlink():
        return f"{show(str(path))} is a link that leads nowhere; allowed: the name of a folder"
    return f"the folder {show(str(path))} does not exist"


def check_format(path: str | os.PathLike[str], name: str = "path") -> None:
    """See that files of an ending can be written here.

    Raises:
        OptionError: for an unknown ending, and for parquet without pyarrow.
    """
    _find_format(Path(path), name)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name, put it on the disk, then give it its own name.

    Raises:
        OSError: if writing fails; what was there is as it was.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _find_format(path: Path, name: str) -> type[Format]:
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise OptionError(
            refuse(name, str(path), f"a file name that ends in {join_words(ENDINGS)}")
        )
    if ending == ".parquet" and find_spec("pyarrow") is None:
        raise OptionError(
            f"{name}: {show(str(path))} needs pyarrow, which is not installed; allowed without "
            'it: .csv or .jsonl (or pip install "ginsim-rummy[parquet]")'
        )
    return FORMATS[ending]


def _find_rows(frame: pd.DataFrame) -> str:
    """The name of the table that has a frame's columns, in whatever order."""
    present = list(frame)
    differing = {
        rows: {column.name for column in table} ^ set(present) for rows, table in TABLES.items()
    }
    nearest = min(differing, key=lambda rows: len(differing[rows]))
    if differing[nearest] or len(present) != len(TABLES[nearest]):
        raise OptionError(
            f"frame: its columns are not those of {nearest}{tell_columns(nearest, present)}; "
            f"allowed: the columns of {join_words(TABLES)}"
        )
    return nearest


def sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, where the system offers that for folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
