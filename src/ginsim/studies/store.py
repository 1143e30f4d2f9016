"""The folder of a study: a manifest, one whole file for each task, tables, a log, a lock.

    manifest.json   the study in full, its hash, the versions it was begun with
    tasks/          a file for each task, named by the hash of its inputs
    tables/         the results, as pandas reads them
    tables.json     which tables there are, and their SHA-256
    run.log         a JSON object a line: who ran what when and for how long
    lock            who runs it now; not there if nobody does

All but the log and the lock are the same bytes however often the study was interrupted, and
whoever played it.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import pandas as pd

from ginsim.errors import StudyError, show
from ginsim.files import find_folder_fault, open_records, read_records, sync_folder, write_whole
from ginsim.formats import find_rows
from ginsim.studies.census import TASK, take_census
from ginsim.studies.data import Study, StudyTask
from ginsim.studies.disk import naming, tell_how
from ginsim.studies.locks import hold_lock
from ginsim.studies.manifests import (
    OtherLayout,
    find_other_versions,
    make_manifest,
    read_manifest,
)
from ginsim.studies.tablefolder import LIST, write_list, write_table
from ginsim.studies.taskfiles import DamagedFile, check_rows, decode, encode, encode_rows

#: Names of files that are being written.
_PART = re.compile(r"\.[^/]+\.[0-9a-f]{8}\.part")

Tell = Callable[[str], None]

#: What happens to a task whose file cannot be used.
AGAIN = "its task is played again"


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


class BlockedFile(StudyError):
    """Something in the place of a task's file that cannot be read, nor be written over."""


class Folder:
    """The folder of a study, open for a runner or for a reader.

    Args:
        path: the folder.
        study: whose results it keeps.
        tell: gets a sentence for whatever is found amiss.
        log: the open log of a runner.

    Attributes:
        begun_for: the study that the log says was started last; empty if it does not say.
    """

    def __init__(
        self, path: Path, study: Study, tell: Tell | None = None, log: IO[bytes] | None = None
    ) -> None:
        self.path = path
        self.study = study
        self.format = study.format
        self.begun_for = ""
        self._tell = tell
        self._log = log
        self._logged = self._read_log()
        if self._logged and not (path / "tasks").is_dir():
            self.tell(f"tasks is missing, which the log says was there; {AGAIN}")
            self._logged.clear()

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
            with naming(self.path / "run.log", "written", self.path):
                self._log.write(line.encode("ascii") + b"\n")

    # -- tasks ---------------------------------------------------------------------------------

    def locate(self, task: StudyTask) -> Path:
        """The file of a task."""
        return self.path / "tasks" / f"{task.name}.{self.format}"

    def load(self, task: StudyTask) -> Any:
        """The result of a task; of records True, since they stay where they are.

        What is there and cannot be used is told.

        Returns:
            None if it has to be computed.

        Raises:
            BlockedFile: for a runner, if it could not be written either.
        """
        path = self.locate(task)
        try:
            return self.read(task)
        except FileNotFoundError:
            if task.name in self._logged:
                self.tell(f"{_name(path)} is missing, which the log says was there; {AGAIN}")
        except DamagedFile as failure:
            self.tell(f"{_name(path)} {failure}; {AGAIN}")
        except BlockedFile as failure:
            if self._log is not None:
                raise
            self.tell(str(failure))
        return None

    def read(self, task: StudyTask) -> Any:
        """The result of a task.

        Raises:
            FileNotFoundError: if it is not there.
            DamagedFile: if it cannot be used.
            BlockedFile: if it cannot be read.
        """
        path = self.locate(task)
        try:
            if task.output == "rows":
                check_rows(path, task)
                return True
            return decode(path.read_bytes(), task, self.format)
        except FileNotFoundError:
            raise
        except OSError as failure:
            raise BlockedFile(
                f"{show(str(path))} cannot be read: {failure.strerror or failure}; allowed: a file "
                f"that can be, or none; to go on when it is mended or moved away: "
                f"{tell_how(self.path)}"
            ) from None

    def save(self, task: StudyTask, result: Any, told: Mapping[str, Any]) -> None:
        """Write the result of a task, whole or not at all.

        Args:
            told: how it was computed, for the log.

        Raises:
            DiskError: if it cannot be written.
        """
        if task.output == "rows":
            data = encode_rows(result, self.format)
        else:
            data = encode(result, task, self.format)
        self.put(task, data, told)

    def put(self, task: StudyTask, data: bytes, told: Mapping[str, Any]) -> None:
        """Write the file of a task, as `save`."""
        path = self.locate(task)
        with naming(path, "written", self.path):
            write_whole(path, data)
        self.log("task", task=task.name, **told)

    # -- tables --------------------------------------------------------------------------------

    def write_tables(self, frames: Mapping[str, pd.DataFrame]) -> None:
        """Write the tables, each whole, and then their list."""
        for name, frame in frames.items():
            path = self.path / "tables" / f"{name}.{self.format}"
            data = write_table(frame, self.format)
            with naming(path, "written", self.path):
                if not path.exists() or path.read_bytes() != data:
                    write_whole(path, data)
        ours = {f"{name}.{self.format}" for name in frames}
        for name, frame in frames.items():
            if name.endswith(".rows"):
                ours.update(frame["file"])
        write_list(self.path, ours)
        for path in sorted((self.path / "tables").iterdir()):
            if path.name not in ours:
                self.tell(f"{_name(path)} is no table of this study; it is left alone")

    def write_rows(self, name: str, tasks: list[StudyTask]) -> int:
        """Put the records of tasks together in one file; how many there are."""
        path = self.path / "tables" / f"{name}.{self.format}"
        total = 0
        first = read_records(self.locate(tasks[0]))
        origin = dict(first.attrs["provenance"])
        del origin["sha256"]
        for unit in ("hands", "games"):
            if unit in origin:
                origin[unit] = sum(int(task.inputs[unit]) for task in tasks)
        rows = _find_rows(first)
        with (
            naming(path, "written", self.path),
            open_records(path, rows, origin, force=True) as writer,
        ):
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
        folder = self.path / "tasks"
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix != f".{self.format}" or path.stem not in known:
                self.tell(f"{_name(path)} is no task of this study; it is left alone")

    def _read_log(self) -> set[str]:
        """The names of the tasks that the log says were done."""
        names = set()
        with suppress(OSError), (self.path / "run.log").open("rb") as file:
            for line in file:
                with suppress(ValueError, AttributeError, RecursionError):
                    entry = json.loads(line)
                    if entry.get("event") == "task":
                        names.add(str(entry.get("task")))
                    elif entry.get("event") == "start":
                        self.begun_for = str(entry.get("study", ""))
        return names

    def drop_tasks(self) -> None:
        """Remove every file of a task, and the list of tables: they are of another version.

        The tables are left until they are written anew: files of the user may lie beside them.
        """
        (self.path / LIST).unlink(missing_ok=True)
        for path in (self.path / "tasks").iterdir():
            if TASK.fullmatch(path.stem) and path.is_file():
                path.unlink()


def _find_rows(frame: pd.DataFrame) -> str:
    rows = find_rows([str(name) for name in frame])
    assert rows is not None, "it was read as a file of records"
    return rows


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# -- opening it -------------------------------------------------------------------------------


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
        DiskError: if it cannot be read or written.
    """
    with naming(path, "written", path):
        _prepare(path)
    with hold_lock(path / "lock") as left_by, _open_log(path) as log:
        folder = Folder(path, study, tell, log)
        with naming(path, "written", path):
            if left_by:
                folder.tell(f"{left_by} did not end its run as it should; its lock is taken over")
            _begin(folder, recompute)
            folder.tidy()
        yield folder


@contextmanager
def _open_log(path: Path) -> Iterator[IO[bytes]]:
    """The log, to append to. Nothing is held back, so that a full disk is told where it matters."""
    place = path / "run.log"
    with naming(place, "written", path):
        log = place.open("ab+", buffering=0)
    with log:
        # A run that was killed may have left half a line.
        with naming(place, "written", path):
            if log.seek(0, os.SEEK_END):
                log.seek(-1, os.SEEK_END)
                if log.read(1) != b"\n":
                    log.write(b"\n")
        yield log


def _prepare(path: Path) -> None:
    """Make a folder, or see that it is that of a study."""
    if fault := find_folder_fault(path.parent):
        raise StudyError(fault)
    # A link that leads nowhere is there, and is no name for a new folder.
    if (path.exists() or path.is_symlink()) and (fault := find_folder_fault(path)):
        raise StudyError(fault)
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)
    if (path / "manifest.json").exists():
        return
    # A run may have been killed before there was a manifest; a link may lead nowhere.
    ours = ("manifest.json", "lock", "run.log", "tasks", "tables", LIST)
    if any(entry.name not in ours and not _PART.fullmatch(entry.name) for entry in path.iterdir()):
        raise StudyError(
            f"{show(str(path))} is not empty and no folder of a study; allowed: a new folder"
        )


def _begin(folder: Folder, recompute: bool) -> None:
    """See that a folder is that of its study and this version, and write the manifest."""
    path, study = folder.path, folder.study
    fresh = make_manifest(study)
    manifest: dict[str, Any] | None = None
    state = "is missing"
    if (path / "manifest.json").exists():
        try:
            manifest = read_manifest(path)
        except OtherLayout:
            raise
        except StudyError:
            state = "is damaged"
    if manifest is None:
        is_begun = _check_witnesses(folder, state)
        if is_begun:
            folder.tell(f"manifest.json {state}; it is written anew")
    else:
        manifest = _check_manifest(folder, manifest, fresh, recompute)
    for part in ("tasks", "tables"):
        with naming(path / part, "made", path):
            (path / part).mkdir(exist_ok=True)
    sync_folder(path)
    if manifest is None:
        text = json.dumps(fresh, indent=1)
        write_whole(path / "manifest.json", text.encode("ascii") + b"\n")


def _check_manifest(
    folder: Folder, manifest: dict[str, Any], fresh: Mapping[str, Any], recompute: bool
) -> dict[str, Any] | None:
    """See that a manifest is of the study and this version.

    Returns:
        The manifest; None if it has to be written anew.
    """
    path, study = folder.path, folder.study
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
        return None
    if manifest.get("packages") != fresh["packages"]:
        folder.tell(
            f"manifest.json names the packages {manifest.get('packages')}; here are "
            f"{fresh['packages']}"
        )
    return manifest


def _check_witnesses(folder: Folder, state: str) -> bool:
    """See without a manifest that what is in a folder is of the study.

    The log says for which study it was begun, and every file of a task of whose it is.

    Returns:
        Whether anything is there.

    Raises:
        StudyError: if something is of another study or version, or nothing tells.
    """
    path, study = folder.path, folder.study
    census = take_census(study, path / "tasks")
    tables = path / "tables"
    is_begun = bool(
        state == "is damaged"
        or census.ours
        or census.others
        or census.unknown
        or (tables.is_dir() and any(tables.iterdir()))
        or (path / LIST).exists()
    )
    why = ""
    if census.others:
        why = (
            f"{len(census.others)} of the files in tasks are of another study or version, such as "
            f"{census.others[0]}"
        )
    elif folder.begun_for not in ("", study.hash):
        why = f"run.log says that it holds another study, {folder.begun_for}"
    elif is_begun and not census.ours and not folder.begun_for:
        why = "nothing in it tells that it holds this study"
    if why:
        raise StudyError(
            f"{show(str(path))}: manifest.json {state}, and {why}; this is {study.hash}; allowed: "
            "another folder, or the study and the version whose results these are; to begin anew "
            "here, remove tasks, tables and run.log first"
        )
    return is_begun


def describe_host() -> dict[str, Any]:
    """Where this runs, for the log and the lock."""
    return {"host": platform.node(), "pid": os.getpid(), "python": platform.python_version()}
