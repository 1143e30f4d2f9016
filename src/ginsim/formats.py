"""The formats of record files: csv, jsonl and parquet, each with a header that names its rows.

Between a format and its callers go columns as the core holds them: codes of the categories, -1 for
missing, numbers and flags.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from typing import IO, Any, Protocol, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim._version import __version__
from ginsim.columns import TABLES, Column
from ginsim.errors import OptionError, join_words, show
from ginsim.records import plain_values

#: The layout that docs/files.md describes; a file of another one is refused.
LAYOUT = 1
#: Rows that are made into text, or taken from it, at once.
BLOCK = 20_000

#: What some editors put before a text in UTF-8; it is passed over.
BOM = b"\xef\xbb\xbf"

#: Columns by name.
Arrays: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Header:
    """What a file says about its rows.

    Attributes:
        rows: which records, a name of `columns.TABLES`.
        provenance: that of the frame; None if it had none.
        count: how many rows; None where it is not known yet, or the format tells by itself.
    """

    rows: str
    provenance: dict[str, Any] | None
    count: int | None = None

    @property
    def table(self) -> tuple[Column, ...]:
        """The columns of the rows."""
        return TABLES[self.rows]

    def encode(self) -> str:
        """The header as one JSON document, in ASCII, whose length the count does not change.

        Raises:
            OptionError: if the provenance has no JSON form.
        """
        document = {
            "format": LAYOUT,
            "ginsim": __version__,
            "rows": self.rows,
            "provenance": self.provenance,
        }
        try:
            text = json.dumps(document, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise OptionError(f"frame: the provenance has no JSON form: {error}") from None
        count = "null" if self.count is None else str(self.count)
        return f'{text[:-1]}, "count": {count:<19}}}'

    @classmethod
    def decode(cls, text: bytes, where: str) -> Header:
        """The header from JSON.

        Args:
            where: the file, for messages.

        Raises:
            OptionError: if it is none, or of another version.
        """
        try:
            document = json.loads(text)
        except ValueError:
            document = None
        kinds = {"format": int, "ginsim": str, "rows": str}
        if not isinstance(document, dict) or not all(
            isinstance(document.get(key), kind) for key, kind in kinds.items()
        ):
            raise _foreign(where)
        writer = f"written by ginsim {document['ginsim']}"
        if document["format"] != LAYOUT:
            raise OptionError(
                f"{where} is of format {document['format']}, {writer}; this is ginsim "
                f"{__version__}, which reads format {LAYOUT}"
            )
        if document["rows"] not in TABLES:
            raise OptionError(
                f"{where} holds {show(document['rows'])}, {writer}; this is ginsim "
                f"{__version__}, which reads {join_words(TABLES, 'and')}; pandas may read it"
            )
        return cls(document["rows"], document.get("provenance"), document.get("count"))

    def check_columns(self, present: Sequence[str], where: str) -> None:
        """See that a file has the columns of its table, in order.

        Raises:
            OptionError: if it has others.
        """
        if list(present) != [column.name for column in self.table]:
            raise OptionError(
                f"{where}: its columns are not those of {self.rows} in this ginsim, {__version__}"
                f"{tell_columns(self.rows, present)}"
            )


def tell_columns(rows: str, present: Sequence[Any]) -> str:
    """How columns differ from those of a table, in words and brackets."""
    wanted = [column.name for column in TABLES[rows]]
    missing = [name for name in wanted if name not in present]
    unknown = [str(name) for name in present if name not in wanted]
    told = [
        f"{word} {', '.join(names)}"
        for word, names in (("missing", missing), ("unknown", unknown))
        if names
    ]
    return f" ({'; '.join(told) or 'another order or number'})"


def find_rows(names: Sequence[str]) -> str | None:
    """The records that have these columns, in whatever order; None if no records have them."""
    for rows, table in TABLES.items():
        if sorted(names) == sorted(column.name for column in table):
            return rows
    return None


def tell_lost_header(rows: str, where: str) -> str:
    """The sentence for a csv text of records that begins with the names of its columns."""
    return (
        f"{where} is no file of records: it has the columns of {rows} and not the line before "
        "them, # ginsim {…}, which says how they were played (docs/files.md); allowed: the file as "
        "ginsim wrote it; pandas may read it"
    )


def _foreign(where: str) -> OptionError:
    return OptionError(
        f"{where} is no file of records: it does not begin as ginsim writes them (docs/files.md); "
        "pandas may read it"
    )


def _broken(where: str, error: object) -> OptionError:
    return OptionError(f"{where} is damaged: {error}")


class Format(Protocol):
    """How rows get into a file, and out of it."""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        """Begin an empty file."""

    def write(self, arrays: Arrays) -> None:
        """Append rows."""

    def finish(self) -> None:
        """Complete the file, which stays open."""

    @staticmethod
    def read(file: IO[bytes], where: str) -> tuple[Header, Arrays]:
        """The header and all rows.

        Args:
            file: at its beginning.
            where: its name, for messages.

        Raises:
            OptionError: if it is not such a file, or damaged.
        """


class _Text:
    """A line for each row, after a header that is completed at the end, when they are counted."""

    mark = ""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        self.file = file
        self.header = header
        self.count = 0
        self._put(self.mark + header.encode() + "\n")

    def write(self, arrays: Arrays) -> None:
        rows = len(next(iter(arrays.values())))
        for start in range(0, rows, BLOCK):
            cells = [
                self._spell(column, arrays[column.name][start : start + BLOCK])
                for column in self.header.table
            ]
            self._put("".join(map(self.line, zip(*cells, strict=True))))
        self.count += rows

    def finish(self) -> None:
        self.file.seek(0)
        self._put(self.mark + replace(self.header, count=self.count).encode())

    def _put(self, text: str) -> None:
        self.file.write(text.encode("ascii"))

    def _spell(self, column: Column, values: NDArray[Any]) -> list[str]:
        """The cells of a column. Where its values are few, each is spelt once."""
        words: list[str]
        if column.categories:
            # Code -1, which is missing, finds the last one.
            words = [self.cell(column.name, word) for word in (*column.categories, None)]
            first = 0
        elif values.itemsize <= 2:
            first = int(values.min())
            span = np.arange(first, int(values.max()) + 1).astype(values.dtype)
            words = [self.cell(column.name, value) for value in span.tolist()]
        else:
            return [self.cell(column.name, value) for value in values.tolist()]
        cells: list[str] = np.array(words, object)[values.astype(np.intp) - first].tolist()
        return cells

    @staticmethod
    def cell(name: str, value: str | float | None) -> str:
        """A value as text: each format has its own way."""
        raise NotImplementedError

    @staticmethod
    def line(cells: Iterable[str]) -> str:
        """A row as a line."""
        raise NotImplementedError


def _skip_bom(file: IO[bytes]) -> None:
    if file.read(len(BOM)) != BOM:
        file.seek(0)


def _read_header(file: IO[bytes], where: str) -> Header:
    """The header, which is the rest of a text's first line; the text has to be whole."""
    line = file.readline()
    if line and not line.endswith(b"\n"):
        raise OptionError(f"{where} is cut off, or no file of records: its first line has no end")
    header = Header.decode(line, where)
    if not isinstance(header.count, int):
        raise OptionError(f"{where} was not finished: its first line does not count the rows")
    _check_end(file, where)
    return header


def _check_end(file: IO[bytes], where: str) -> None:
    """See that a text ends with a whole line."""
    place = file.tell()
    file.seek(-1, os.SEEK_END)
    if file.read() != b"\n":
        raise OptionError(f"{where} is cut off: its last line is not whole")
    file.seek(place)


class Csv(_Text):
    """A comment with the header, the names of the columns, a line for each row."""

    mark = "# ginsim "

    def __init__(self, file: IO[bytes], header: Header) -> None:
        super().__init__(file, header)
        self._put(self.line(column.name for column in header.table))

    @staticmethod
    def cell(name: str, value: str | float | None) -> str:
        # Nothing also stands for nan, the one value that is not itself.
        return "" if value is None or value != value else str(value)

    @staticmethod
    def line(cells: Iterable[str]) -> str:
        return ",".join(cells) + "\n"

    @staticmethod
    def read(file: IO[bytes], where: str) -> tuple[Header, Arrays]:
        mark = Csv.mark.encode()
        _skip_bom(file)
        start = file.read(len(mark))
        if start != mark:
            line = (start + file.readline(10_000)).decode("utf-8", "replace")
            if rows := find_rows(line.strip().split(",")):
                raise OptionError(tell_lost_header(rows, where))
            raise _foreign(where)
        header = _read_header(file, where)
        names = file.readline().decode("utf-8", "replace").strip().split(",")
        header.check_columns(names, where)
        blocks = [_no_rows(header)]
        if not file.peek(1):  # type: ignore[attr-defined]
            return header, blocks[0]
        # Numbers are read wide: before pandas 3 those out of a narrow range were wrapped.
        wide = {"i": "int64", "u": "uint64"}
        kinds = {
            # Fractions are read as text, since not every pandas reads all their digits.
            column.name: "str"
            if column.dtype == "float64"
            else column.dtype
            if column.categories
            else wide.get(np.dtype(column.dtype).kind, column.dtype)
            for column in header.table
        }
        try:
            # pandas compares what it casts with what it was, so that NumPy need not warn.
            with warnings.catch_warnings(), np.errstate(invalid="ignore"):
                # A line of too many cells is an error, and not one to go on from.
                warnings.simplefilter("error", pd.errors.ParserWarning)
                frames = pd.read_csv(
                    file,
                    header=None,
                    names=names,
                    index_col=False,
                    dtype=kinds,
                    keep_default_na=False,
                    na_values=[""],
                    chunksize=10 * BLOCK,
                )
                blocks += [
                    _arrays(header, _read_fractions(header, frame), where) for frame in frames
                ]
        except OptionError:
            raise
        except (ValueError, OverflowError, pd.errors.ParserWarning) as error:
            raise _broken(where, error) from None
        return header, _join(blocks)


def _read_fractions(header: Header, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its columns of fractions made numbers; nothing is nan."""
    for column in header.table:
        if column.dtype == "float64":
            texts = frame[column.name].fillna("nan").tolist()
            frame[column.name] = np.array([float(text) for text in texts], np.float64)
    return frame


class JsonLines(_Text):
    """A line with the header, and an object for each row."""

    @staticmethod
    def cell(name: str, value: str | float | None) -> str:
        # What is a plain number is written as one, which is much faster; nan has no JSON form.
        text = str(value) if type(value) is int else json.dumps(value if value == value else None)
        return f'"{name}":{text}'

    @staticmethod
    def line(cells: Iterable[str]) -> str:
        return "{" + ",".join(cells) + "}\n"

    @staticmethod
    def read(file: IO[bytes], where: str) -> tuple[Header, Arrays]:
        _skip_bom(file)
        header = _read_header(file, where)
        blocks = [_no_rows(header)]
        first = 2
        while lines := list(islice(file, BLOCK)):
            rows = zip(*_parse_lines(lines, first, header, where), strict=True)
            blocks.append(
                {
                    column.name: _gather(column, cells, where)
                    for column, cells in zip(header.table, rows, strict=True)
                }
            )
            first += len(lines)
        return header, _join(blocks)


def _parse_lines(lines: list[bytes], first: int, header: Header, where: str) -> list[Iterable[Any]]:
    """The values of lines, in the order of the columns; `first` is the number of the first."""
    names = [column.name for column in header.table]
    try:
        rows = json.loads(b"[" + b",".join(lines) + b"]")
    except ValueError:
        number = next((n for n, line in enumerate(lines, first) if not _is_json(line)), first)
        raise _broken(where, f"line {number} is no JSON") from None
    values: list[Iterable[Any]] = []
    for number, row in enumerate(rows, first):
        if not isinstance(row, dict):
            raise _broken(where, f"line {number} is no object")
        if list(row) == names:
            values.append(row.values())
            continue
        if row.keys() != set(names):
            header.check_columns(list(row), f"{where}, line {number}")
        values.append([row[name] for name in names])
    return values


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _gather(column: Column, cells: Sequence[Any], where: str) -> NDArray[Any]:
    try:
        # Without a type NumPy finds that of numbers, fast and exactly.
        kind = object if column.categories else None
        if column.dtype == "float64":
            kind = np.float64  # for which null is nan
        values = np.array(cells, dtype=kind)
        if values.dtype.kind == "f" and all(isinstance(cell, int) for cell in cells):
            # Whole numbers on both sides of 2**63, for which NumPy knows nothing but floats.
            values = np.array(cells, dtype=column.dtype)
        return plain_values(column, pd.Series(values), where)
    except OptionError:
        raise
    except (ValueError, TypeError, OverflowError):
        raise _broken(where, f"column {column.name} holds what it cannot hold") from None


class Parquet:
    """A Parquet file, with the header in its metadata."""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        # By name: pyarrow is an extra, and slow to import.
        self.arrow = import_module("pyarrow")
        self.table = header.table
        fields = [(column.name, self._kind(column)) for column in header.table]
        about = {"ginsim": header.encode()}
        if header.provenance is not None:
            # Where pandas itself keeps `attrs`.
            about["PANDAS_ATTRS"] = json.dumps({"provenance": header.provenance})
        self.schema = self.arrow.schema(fields, metadata=about)
        self.writer = import_module("pyarrow.parquet").ParquetWriter(file, self.schema)

    def _kind(self, column: Column) -> Any:
        if column.categories:
            return self.arrow.dictionary(self.arrow.int8(), self.arrow.string())
        return self.arrow.from_numpy_dtype(np.dtype(column.dtype))

    def write(self, arrays: Arrays) -> None:
        columns = [self._make_column(column, arrays[column.name]) for column in self.table]
        self.writer.write_table(self.arrow.Table.from_arrays(columns, schema=self.schema))

    def _make_column(self, column: Column, values: NDArray[Any]) -> Any:
        if not column.categories:
            return self.arrow.array(values)
        codes = self.arrow.array(values, mask=values < 0)
        return self.arrow.DictionaryArray.from_arrays(codes, list(column.categories))

    def finish(self) -> None:
        self.writer.close()

    @staticmethod
    def read(file: IO[bytes], where: str) -> tuple[Header, Arrays]:
        arrow = import_module("pyarrow")
        try:
            parquet = import_module("pyarrow.parquet").ParquetFile(file)
            schema = parquet.schema_arrow
            header = Header.decode((schema.metadata or {}).get(b"ginsim", b""), where)
            header.check_columns(schema.names, where)
            frame = parquet.read().to_pandas()
        except (arrow.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the disk's fault, not the file's
            raise _broken(where, error) from None
        return header, _arrays(header, frame, where)


def _arrays(header: Header, frame: pd.DataFrame, where: str) -> Arrays:
    # pandas gives out views that must not be written to, and the user's frame may be.
    return {
        column.name: np.require(plain_values(column, frame[column.name], where), None, "W")
        for column in header.table
    }


def _join(blocks: list[Arrays]) -> Arrays:
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _no_rows(header: Header) -> Arrays:
    return {
        column.name: np.empty(0, "int8" if column.categories else column.dtype)
        for column in header.table
    }


#: The formats by the ending of the file's name.
FORMATS: dict[str, type[Format]] = {".csv": Csv, ".jsonl": JsonLines, ".parquet": Parquet}
