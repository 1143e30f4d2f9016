"""The file of a task: its sums, or its records; each says whose it is and has a SHA-256."""

from __future__ import annotations

import hashlib
import io
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ginsim.columns import TABLES
from ginsim.errors import OptionError
from ginsim.files import read_records
from ginsim.formats import Csv, Header, Parquet, find_rows
from ginsim.records import plain_values
from ginsim.studies.data import Parts, StudyTask

#: The layout that docs/studies.md describes; a folder of another one is refused.
LAYOUT = 1


class DamagedFile(Exception):
    """A file of a task that cannot be used; its message says what is wrong with it."""


# -- sums -------------------------------------------------------------------------------------

_MARK = b"# ginsim "
_COLUMNS = ("part", "sum", "place", "value")


def encode(parts: Parts, task: StudyTask, form: str) -> bytes:
    """The file of a task's sums.

    A row for each sum that is not 0: the stretch, its name, its place in the flattened array, its
    value. The header, in JSON, has the task, the shapes, and the SHA-256 of all else that it says
    and of the rows as csv.
    """
    rows = [
        (number, name, place, int(value))
        for number, part in enumerate(parts)
        for name, values in part.items()
        for place, value in enumerate(values.reshape(-1).tolist())
        if value
    ]
    body = _spell(rows)
    shapes = [{name: list(values.shape) for name, values in part.items()} for part in parts]
    text = _spell_header(task, shapes, body)
    if form == "csv":
        return _MARK + text + b"\n" + body
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = (arrow.int32(), arrow.string(), arrow.int32(), arrow.int64())
    schema = arrow.schema(
        list(zip(_COLUMNS, kinds, strict=True)), metadata={"ginsim": text.decode("ascii")}
    )
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    table = arrow.table([list(column) for column in columns], schema=schema)
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def _spell_header(task: StudyTask, shapes: Any, body: bytes) -> bytes:
    header = {"format": LAYOUT, **task.describe(), "shapes": shapes}
    text = json.dumps(header, sort_keys=True).encode("ascii")
    header["sha256"] = hashlib.sha256(text + b"\n" + body).hexdigest()
    return json.dumps(header, sort_keys=True).encode("ascii")


def _spell(rows: list[tuple[int, str, int, int]]) -> bytes:
    lines = [",".join(_COLUMNS), *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode("ascii")


def decode(data: bytes, task: StudyTask, form: str) -> Parts:
    """The sums of a task's file.

    Raises:
        DamagedFile: if it is cut off, changed, no such file, or that of another task.
    """
    header, rows = _split(data, form)
    if {key: header.get(key) for key in ("kind", "output", "inputs")} != task.describe():
        raise DamagedFile("is of another task")
    body = _spell(rows)
    text = _spell_header(task, header.get("shapes"), body)
    if json.loads(text) != header or (form == "csv" and data != _MARK + text + b"\n" + body):
        raise DamagedFile("is cut off or changed: its SHA-256 is another")
    try:
        parts: Parts = [
            {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}
            for shapes in header["shapes"]
        ]
        for number, name, place, value in rows:
            parts[number][name].reshape(-1)[place] = value
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise DamagedFile("is damaged: its rows are not those it says") from None
    return parts


def _split(data: bytes, form: str) -> tuple[dict[str, Any], list[tuple[int, str, int, int]]]:
    """Header and rows of a file of sums."""
    if form == "csv":
        line, _, body = data.partition(b"\n")
        if not line.startswith(_MARK):
            raise DamagedFile("is no file of a task" if data else "is empty")
        header = _parse_header(line[len(_MARK) :])
        try:
            cells = [text.split(",") for text in body.decode("ascii").splitlines()[1:]]
            return header, [(int(n), name, int(at), int(value)) for n, name, at, value in cells]
        except ValueError:
            raise DamagedFile("is cut off or changed") from None
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    try:
        table = parquet.read_table(io.BytesIO(data))
        header = _parse_header((table.schema.metadata or {}).get(b"ginsim", b""))
        columns = [table[name].to_pylist() for name in _COLUMNS]
    except (arrow.ArrowInvalid, OSError, KeyError):
        raise DamagedFile("is cut off, or no file of a task") from None
    return header, list(zip(*columns, strict=True))


def _parse_header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError:
        raise DamagedFile("is cut off, or no file of a task") from None
    if not isinstance(header, dict):
        raise DamagedFile("is no file of a task")
    return header


# -- records ----------------------------------------------------------------------------------


def encode_rows(frame: pd.DataFrame, form: str) -> bytes:
    """The file of a task's records, as `write_records` writes it.

    Its provenance also has `sha256`, that of the records as csv: the names of the columns and the
    rows.
    """
    body = _spell_rows(frame)
    origin = {**frame.attrs["provenance"], "sha256": hashlib.sha256(body).hexdigest()}
    header = Header(_find_rows(frame), origin, len(frame))
    if form == "csv":
        return Csv.mark.encode("ascii") + header.encode().encode("ascii") + b"\n" + body
    file = io.BytesIO()
    writer = Parquet(file, Header(header.rows, origin))
    writer.write(_list_columns(frame, header.rows))
    writer.finish()
    return file.getvalue()


def check_rows(path: Path, task: StudyTask) -> None:
    """See that a file of records is whole and a task's.

    Raises:
        DamagedFile: if it is cut off, changed, no such file, or that of another task.
    """
    if path.suffix == ".csv":
        line, _, body = path.read_bytes().partition(b"\n")
        mark = Csv.mark.encode("ascii")
        if not line.startswith(mark):
            raise DamagedFile("is no file of a task" if line or body else "is empty")
        text = line.removeprefix(mark)
        try:
            header = Header.decode(text, "it")
        except OptionError:
            raise DamagedFile("is cut off, or no file of a task") from None
        origin, rows = header.provenance, header.rows
        told = Header(header.rows, origin, body.count(b"\n") - 1).encode()
    else:
        try:
            frame = read_records(path)
        except OptionError as failure:
            raise DamagedFile(str(failure).removeprefix(f"{path} ")) from None
        origin, rows = frame.attrs.get("provenance"), _find_rows(frame)
        body, text, told = _spell_rows(frame), b"", ""
    origin = dict(origin or {})
    found, kind = origin.pop("sha256", None), origin.pop("rows", rows)
    if origin != task.inputs or kind != rows:
        raise DamagedFile("is of another task")
    if hashlib.sha256(body).hexdigest() != found:
        raise DamagedFile("is cut off or changed: its SHA-256 is another")
    if text != told.encode("ascii"):
        raise DamagedFile("is changed: its first line is not that of these records")


def _spell_rows(frame: pd.DataFrame) -> bytes:
    """Records as csv, without the line before the names of the columns."""
    file = io.BytesIO()
    rows = _find_rows(frame)
    writer = Csv(file, Header(rows, None))
    writer.write(_list_columns(frame, rows))
    return file.getvalue().partition(b"\n")[2]


def _list_columns(frame: pd.DataFrame, rows: str) -> dict[str, Any]:
    return {column.name: plain_values(column, frame[column.name]) for column in TABLES[rows]}


def _find_rows(frame: pd.DataFrame) -> str:
    rows = find_rows([str(name) for name in frame])
    assert rows is not None, "tasks make records of a known table"
    return rows


# -- whose a file is --------------------------------------------------------------------------


def read_header(path: Path) -> dict[str, Any] | None:
    """What a task's file says of itself; None if it is none, or cannot be read.

    Of sums `kind`, `output` and `inputs`; of records `output` and `inputs`.
    """
    try:
        header = _find_header(path)
    except (DamagedFile, OSError):
        return None
    if header.get("output") == "sums":
        return {key: header.get(key) for key in ("kind", "output", "inputs")}
    origin = header.get("provenance")
    if not isinstance(origin, dict):
        return None
    inputs = {key: value for key, value in origin.items() if key not in ("rows", "sha256")}
    return {"output": "rows", "inputs": inputs}


def _find_header(path: Path) -> dict[str, Any]:
    if path.suffix == ".csv":
        with path.open("rb") as file:
            line = file.readline()
        if not line.startswith(_MARK):
            raise DamagedFile("is no file of a task")
        return _parse_header(line[len(_MARK) :])
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    try:
        return _parse_header((parquet.read_schema(path).metadata or {}).get(b"ginsim", b""))
    except arrow.ArrowInvalid:
        raise DamagedFile("is no file of a task") from None
