"""Records in files: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ginsim.errors import OptionError, join_words, show

if TYPE_CHECKING:
    import pandas as pd

#: What a file name may end in.
ENDINGS = (".csv", ".jsonl", ".parquet")


class Writer(Protocol):
    """Takes frames of records, one after the other."""

    def write(self, frame: pd.DataFrame) -> None:
        """Append a frame."""

    def close(self) -> None:
        """Finish the file."""


def check_path(path: Path, force: bool) -> None:
    """See before the work begins that its result can be written.

    Raises:
        OptionError: for an unknown ending, a file that exists, a folder that does not, and
            parquet without pyarrow.
    """
    if path.suffix.lower() not in ENDINGS:
        raise OptionError(
            f"--out: {show(str(path))} is not allowed; allowed: a file name that ends in "
            f"{join_words(ENDINGS)}"
        )
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise OptionError(
            f"--out: {show(str(path))} needs pyarrow, which is not installed; allowed without "
            "it: .csv or .jsonl (or install ginsim-rummy[parquet])"
        )
    if not path.parent.is_dir():
        raise OptionError(f"--out: the folder {show(str(path.parent))} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise OptionError(f"--out: the folder {show(str(path.parent))} cannot be written to")
    if path.is_dir():
        raise OptionError(f"--out: {show(str(path))} is a folder; allowed: a file name")
    if path.exists() and not force:
        raise OptionError(f"--out: {show(str(path))} exists; allowed: another name, or --force")


@contextmanager
def open_records(path: Path, force: bool) -> Iterator[Writer]:
    """A writer for records; the file appears under its name only when all are written.

    Until then they are in a file of another name in the same folder, which is removed if
    anything goes wrong, Ctrl-C included.
    """
    check_path(path, force)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    kinds: dict[str, type[_Csv | _JsonLines | _Parquet]] = {
        ".csv": _Csv,
        ".jsonl": _JsonLines,
        ".parquet": _Parquet,
    }
    try:
        writer = kinds[path.suffix.lower()](part)
        try:
            yield writer
        finally:
            writer.close()
        check_path(path, force)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


class _Csv:
    def __init__(self, path: Path) -> None:
        self.file = path.open("w", encoding="utf-8", newline="")
        self.is_empty = True

    def write(self, frame: pd.DataFrame) -> None:
        frame.to_csv(self.file, index=False, header=self.is_empty, lineterminator="\n")
        self.is_empty = False

    def close(self) -> None:
        self.file.close()


class _JsonLines:
    def __init__(self, path: Path) -> None:
        self.file = path.open("w", encoding="utf-8", newline="")

    def write(self, frame: pd.DataFrame) -> None:
        frame.to_json(self.file, orient="records", lines=True)

    def close(self) -> None:
        self.file.close()


class _Parquet:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: Any = None

    def write(self, frame: pd.DataFrame) -> None:
        # By name: pyarrow is an extra, and neither needed nor typed for anything else.
        table = import_module("pyarrow").Table.from_pandas(frame, preserve_index=False)
        if self.file is None:
            parquet = import_module("pyarrow.parquet")
            self.file = parquet.ParquetWriter(self.path, table.schema)
        self.file.write_table(table)

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
