"""The folder of a study: a manifest, one whole file for each task, tables, a log, a lock.

    manifest.json   the study in full, its hash, the versions it was begun with
    tasks/          a file for each task, named by the hash of its inputs
    tables/         the results, as pandas reads them
    run.log         a JSON object a line: who ran what when and for how long
    lock            who runs it now; not there if nobody does

All but the log and the lock are the same bytes however often the study was interrupted, and
whoever played it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from ginsim import _deck
from ginsim._version import __version__
from ginsim.errors import OptionError, StudyError, join_words, show
from ginsim.files import (
    open_records,
    read_records,
    sync_folder,
    write_records,
    write_whole,
)
from ginsim.formats import find_rows
from ginsim.studies.data import Parts, Study, StudyTask
from ginsim.studies.locks import hold_lock

#: The layout that docs/studies.md describes; a folder of another one is refused.
LAYOUT = 1
#: Names of files that are being written, and of tasks.
_PART = re.compile(r"\.[^/]+\.[0-9a-f]{8}\.part")
_TASK = re.compile(r"[0-9a-f]{32}")

Tell = Callable[[str], None]

#: What happens to a task whose file cannot be used.
AGAIN = "its task is played again"


class DamagedFile(Exception):
    """A file of a task that cannot be used; its message says what is wrong with it."""


class Memory:
    """Results that are kept nowhere but here: for runs without a folder."""

    def __init__(self) -> None:
        self._results: dict[str, Any] = {}

    def load(self, task: StudyTask) -> Any:
        """The result of a task, or None."""
        return self._results.get(task.name)

    def save(self, task: StudyTask, result: Any, told: Mapping[str, Any]) -> None:
        """Keep a result; it may be of several cells."""
        self._results[task.name] = result

    def write_tables(self, frames: Mapping[str, pd.DataFrame]) -> None:
        """Tables are given back, and that is all."""

    def log(self, event: str, **fields: Any) -> None:
        """There is no log."""

    def name_others(self, known: set[str]) -> None:
        """There are no others."""


class Folder:
    """The folder of a study, open for a runner or for a reader.

    Args:
        path: the folder.
        study: whose results it keeps.
        tell: gets a sentence for whatever is found amiss.
        log: the open log of a runner.
    """

    def __init__(
        self, path: Path, study: Study, tell: Tell | None = None, log: IO[str] | None = None
    ) -> None:
        self.path = path
        self.study = study
        self.format = study.format
        self._tell = tell
        self._log = log
        self._logged = self._read_log()

    # -- what is told --------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Say what is amiss, to whoever listens and to the log."""
        if self._tell is not None:
            self._tell(text)
        self.log("note", text=text)

    def log(self, event: str, **fields: Any) -> None:
        """A line of the log; nothing where it is not open."""
        if self._log is not None:
            line = json.dumps({"time": _now(), "event": event, **fields})
            self._log.write(line + "\n")
            self._log.flush()

    # -- tasks ---------------------------------------------------------------------------------

    def locate(self, task: StudyTask) -> Path:
        """The file of a task."""
        return self.path / "tasks" / f"{task.name}.{self.format}"

    def load(self, task: StudyTask) -> Any:
        """The result of a task; of records True, since they stay where they are.

        What is there and cannot be used is told.

        Returns:
            None if it has to be computed.
        """
        path = self.locate(task)
        try:
            return self.read(task)
        except FileNotFoundError:
            if task.name in self._logged:
                self.tell(f"{_name(path)} is missing, which the log says was there; {AGAIN}")
        except DamagedFile as failure:
            self.tell(f"{_name(path)} {failure}; {AGAIN}")
        return None

    def read(self, task: StudyTask) -> Any:
        """The result of a task.

        Raises:
            FileNotFoundError: if it is not there.
            DamagedFile: if it cannot be used.
        """
        path = self.locate(task)
        if task.output == "rows":
            if not path.exists():
                raise FileNotFoundError(path)
            _check_rows(path, task)
            return True
        return decode(path.read_bytes(), task, self.format)

    def save(self, task: StudyTask, result: Any, told: Mapping[str, Any]) -> None:
        """Write the result of a task, whole or not at all.

        Args:
            told: how it was computed, for the log.
        """
        path = self.locate(task)
        if task.output == "rows":
            write_records(result, path, force=True)
        else:
            write_whole(path, encode(result, task, self.format))
        self.log("task", task=task.name, **told)

    # -- tables --------------------------------------------------------------------------------

    def write_tables(self, frames: Mapping[str, pd.DataFrame]) -> None:
        """Write the tables, each whole."""
        for name, frame in frames.items():
            path = self.path / "tables" / f"{name}.{self.format}"
            data = write_table(frame, self.format)
            if not path.exists() or path.read_bytes() != data:
                write_whole(path, data)
        ours = {f"{name}.{self.format}" for name in frames}
        for name, frame in frames.items():
            if name.endswith(".rows"):
                ours.update(frame["file"])
        for path in sorted((self.path / "tables").iterdir()):
            if path.name not in ours:
                self.tell(f"{_name(path)} is no table of this study; it is left alone")

    def write_rows(self, name: str, tasks: list[StudyTask]) -> int:
        """Put the records of tasks together in one file; how many there are.

        Raises:
            DamagedFile: if the records of a task cannot be used.
        """
        path = self.path / "tables" / f"{name}.{self.format}"
        total = 0
        first = read_records(self.locate(tasks[0]))
        origin = dict(first.attrs["provenance"])
        for unit in ("hands", "games"):
            if unit in origin:
                origin[unit] = sum(int(task.inputs[unit]) for task in tasks)
        rows = _find_rows(first)
        with open_records(path, rows, origin, force=True) as writer:
            for task in tasks:
                frame = read_records(self.locate(task))
                writer.write(frame)
                total += len(frame)
        return total

    # -- the whole -----------------------------------------------------------------------------

    def tidy(self) -> None:
        """Remove what a killed run left half written."""
        for folder in (self.path, self.path / "tasks", self.path / "tables"):
            for path in folder.iterdir():
                if _PART.fullmatch(path.name):
                    path.unlink()

    def name_others(self, known: set[str]) -> None:
        """Tell which files among those of the tasks are not of this study.

        Args:
            known: the names of all tasks that are needed.
        """
        for path in sorted((self.path / "tasks").iterdir()):
            if path.suffix != f".{self.format}" or path.stem not in known:
                self.tell(f"{_name(path)} is no task of this study; it is left alone")

    def _read_log(self) -> set[str]:
        """The names of the tasks that the log says were done."""
        names = set()
        with suppress(FileNotFoundError), (self.path / "run.log").open("rb") as file:
            for line in file:
                with suppress(ValueError, AttributeError):
                    entry = json.loads(line)
                    if entry.get("event") == "task":
                        names.add(str(entry.get("task")))
        return names

    def drop_tasks(self) -> None:
        """Remove every file of a task: they are of another version.

        The tables are left until they are written anew: files of the user may lie beside them.
        """
        for path in (self.path / "tasks").iterdir():
            if _TASK.fullmatch(path.stem) and path.is_file():
                path.unlink()


def _check_rows(path: Path, task: StudyTask) -> None:
    try:
        frame = read_records(path)
    except OptionError as failure:
        raise DamagedFile(str(failure).removeprefix(f"{path} ")) from None
    origin = {key: value for key, value in frame.attrs["provenance"].items() if key != "rows"}
    if origin != task.inputs:
        raise DamagedFile("is of another task")


def _find_rows(frame: pd.DataFrame) -> str:
    rows = find_rows([str(name) for name in frame])
    assert rows is not None, "it was read as a file of records"
    return rows


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# -- the manifest -----------------------------------------------------------------------------


def make_manifest(study: Study) -> dict[str, Any]:
    """What a folder says of its study."""
    packages = ["numpy", "pandas", *(["pyarrow"] if study.format == "parquet" else [])]
    return {
        "format": LAYOUT,
        "study": study.hash,
        "ginsim": __version__,
        "stream": _deck.STREAM_VERSION,
        "packages": {name: _find_version(name) for name in packages},
        "document": study.document,
    }


def _find_version(name: str) -> str:
    with suppress(PackageNotFoundError):
        return version(name)
    return "unknown"


class OtherLayout(StudyError):
    """A folder written in another layout, which is not damaged."""


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a folder.

    Raises:
        StudyError: if there is none, it is damaged, or of another layout.
    """
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise StudyError(
            f"{show(str(folder))} is no folder of a study: it has no manifest.json; allowed: a "
            "folder that `ginsim study run` made"
        ) from None
    except ValueError:
        raise StudyError(
            f"{show(str(path))} is damaged; allowed: to resume with the study file, which writes "
            "it anew"
        ) from None
    kinds = {"format": int, "study": str, "ginsim": str, "stream": int, "document": dict}
    if not isinstance(manifest, dict) or not all(
        isinstance(manifest.get(key), kind) for key, kind in kinds.items()
    ):
        raise StudyError(f"{show(str(path))} is damaged; allowed: to resume with the study file")
    if manifest["format"] != LAYOUT:
        raise OtherLayout(
            f"{show(str(folder))} is of format {manifest['format']}, written by ginsim "
            f"{manifest['ginsim']}; this is ginsim {__version__}, which reads format {LAYOUT}"
        )
    return manifest


def find_other_versions(manifest: Mapping[str, Any]) -> str:
    """With what other versions a folder was begun that matter to what is played; empty if none."""
    ours = {"ginsim": __version__, "stream": _deck.STREAM_VERSION}
    return join_words(
        (
            f"{key} {manifest[key]} (this is {value})"
            for key, value in ours.items()
            if manifest[key] != value
        ),
        "and",
    )


@contextmanager
def open_folder(
    path: Path, study: Study, tell: Tell | None = None, recompute: bool = False
) -> Iterator[Folder]:
    """The folder of a study for its only runner, made if it is not there.

    Args:
        recompute: take over a folder that another version began; its tasks are played again.

    Raises:
        StudyError: if it holds another study or anything else, was begun with another version, or
            somebody runs it.
    """
    _prepare(path)
    with (
        hold_lock(path / "lock") as left_by,
        (path / "run.log").open("a", encoding="ascii") as log,
    ):
        folder = Folder(path, study, tell, log)
        if left_by:
            folder.tell(f"{left_by} did not end its run as it should; its lock is taken over")
        _begin(folder, recompute)
        folder.tidy()
        yield folder


def _prepare(path: Path) -> None:
    """Make a folder, or see that it is that of a study."""
    if not path.parent.is_dir():
        raise StudyError(f"the folder {show(str(path.parent))} does not exist")
    if path.exists() and not path.is_dir():
        raise StudyError(f"{show(str(path))} is a file; allowed: the name of a folder")
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)
    if (path / "manifest.json").exists():
        return
    # A run may have been killed before there was a manifest.
    ours = ("lock", "run.log", "tasks", "tables")
    if any(entry.name not in ours and not _PART.fullmatch(entry.name) for entry in path.iterdir()):
        raise StudyError(
            f"{show(str(path))} is not empty and no folder of a study; allowed: a new folder"
        )


def _begin(folder: Folder, recompute: bool) -> None:
    """See that a folder is that of its study and this version, and write the manifest."""
    path, study = folder.path, folder.study
    for part in ("tasks", "tables"):
        (path / part).mkdir(exist_ok=True)
    sync_folder(path)
    fresh = make_manifest(study)
    manifest: dict[str, Any] | None = None
    if (path / "manifest.json").exists():
        try:
            manifest = read_manifest(path)
        except OtherLayout:
            raise
        except StudyError:
            folder.tell("manifest.json is damaged; it is written anew")
    if manifest is not None:
        if manifest["study"] != study.hash:
            raise StudyError(
                f"{show(str(path))} holds another study, {manifest['study']}; this is "
                f"{study.hash}; allowed: another folder, or the study that is there"
            )
        others = find_other_versions(manifest)
        if others and not recompute:
            raise StudyError(
                f"{show(str(path))} was begun with {others}; allowed: that version, or "
                "--recompute (recompute=True), which plays all of its tasks again"
            )
        if others:
            folder.tell(f"it was begun with {others}; all is played again")
            folder.drop_tasks()
            manifest = None
        elif manifest.get("packages") != fresh["packages"]:
            folder.tell(
                f"manifest.json names the packages {manifest.get('packages')}; here are "
                f"{fresh['packages']}"
            )
    if manifest is None:
        text = json.dumps(fresh, indent=1)
        write_whole(path / "manifest.json", text.encode("ascii") + b"\n")


def describe_host() -> dict[str, Any]:
    """Where this runs, for the log and the lock."""
    return {"host": platform.node(), "pid": os.getpid(), "python": platform.python_version()}


# -- files of sums ----------------------------------------------------------------------------

_MARK = b"# ginsim "
_COLUMNS = ("part", "sum", "place", "value")


def encode(parts: Parts, task: StudyTask, form: str) -> bytes:
    """The file of a task's sums.

    A row for each sum that is not 0: the stretch, its name, its place in the flattened array, its
    value. The header, in JSON, has the task, the shapes and the SHA-256 of the rows as csv.
    """
    rows = [
        (number, name, place, int(value))
        for number, part in enumerate(parts)
        for name, values in part.items()
        for place, value in enumerate(values.reshape(-1).tolist())
        if value
    ]
    body = _spell(rows)
    header = {
        "format": LAYOUT,
        **task.describe(),
        "shapes": [{name: list(values.shape) for name, values in part.items()} for part in parts],
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    text = json.dumps(header, sort_keys=True).encode("ascii")
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
    if hashlib.sha256(body).hexdigest() != header.get("sha256"):
        raise DamagedFile("is cut off or changed: its SHA-256 is another")
    try:
        parts: Parts = [
            {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}
            for shapes in header["shapes"]
        ]
        for number, name, place, value in rows:
            parts[number][name].reshape(-1)[place] = value
    except (KeyError, IndexError, TypeError, ValueError):
        raise DamagedFile("is damaged: its rows are not those it says") from None
    return parts


def _split(data: bytes, form: str) -> tuple[dict[str, Any], list[tuple[int, str, int, int]]]:
    """Header and rows of a file of sums."""
    if form == "csv":
        line, _, body = data.partition(b"\n")
        if not line.startswith(_MARK):
            raise DamagedFile("is no file of a task" if data else "is empty")
        header = _read_header(line[len(_MARK) :])
        try:
            cells = [text.split(",") for text in body.decode("ascii").splitlines()[1:]]
            return header, [(int(n), name, int(at), int(value)) for n, name, at, value in cells]
        except ValueError:
            raise DamagedFile("is cut off or changed") from None
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    try:
        table = parquet.read_table(io.BytesIO(data))
        header = _read_header((table.schema.metadata or {}).get(b"ginsim", b""))
        columns = [table[name].to_pylist() for name in _COLUMNS]
    except (arrow.ArrowInvalid, OSError, KeyError):
        raise DamagedFile("is cut off, or no file of a task") from None
    return header, list(zip(*columns, strict=True))


def _read_header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError:
        raise DamagedFile("is cut off, or no file of a task") from None
    if not isinstance(header, dict):
        raise DamagedFile("is no file of a task")
    return header


# -- tables -----------------------------------------------------------------------------------


def write_table(frame: pd.DataFrame, form: str) -> bytes:
    """A table as `pd.read_csv` or `pd.read_parquet` reads it."""
    if form == "csv":
        return frame.to_csv(index=False, lineterminator="\n").encode("utf-8")
    file = io.BytesIO()
    frame.to_parquet(file, index=False, engine="pyarrow")
    return file.getvalue()


def read_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables of a finished study by name; records stay in their files.

    Raises:
        StudyError: if the folder is none of a study, or its tables are not written yet.
    """
    path = Path(folder)
    form = read_manifest(path)["document"]["output"]["format"]
    read: Any = pd.read_csv if form == "csv" else pd.read_parquet
    found = sorted((path / "tables").glob(f"*.{form}")) if (path / "tables").is_dir() else []
    tables = {file.stem: read(file) for file in found if ".rows-" not in file.name}
    if not tables:
        raise StudyError(f"{show(str(path))} has no tables yet; allowed: a finished study")
    return tables
