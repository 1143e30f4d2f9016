"""What a study will cost, how far it is, and parts of it put together."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ginsim.batches import count_threads
from ginsim.checks import check_list, check_path, check_whole
from ginsim.errors import StudyError, show
from ginsim.studies.data import Study, StudyTask
from ginsim.studies.disk import tell_how
from ginsim.studies.kinds import play_task
from ginsim.studies.kinds.ranges import list_rows
from ginsim.studies.locks import find_holder
from ginsim.studies.manifests import OtherLayout, find_other_versions, read_manifest
from ginsim.studies.progress import CellProgress, Progressing
from ginsim.studies.runner import finish
from ginsim.studies.store import Folder, Memory, Tell, open_folder
from ginsim.studies.studyfile import AnyStudy, read_document, read_study
from ginsim.studies.tablefolder import find_faults, read_list
from ginsim.studies.taskfiles import encode, encode_rows

#: Seconds that a cell is played for its calibration, and cells of a run that are.
CALIBRATION = 0.1
CALIBRATED = 6
#: More tasks of a run, days, or bytes than this are warned of.
MANY_TASKS = 200_000
LONG_DAYS = 7
LARGE_BYTES = 50_000_000_000
#: The ending of a study's folder, if nothing is said: bonus.toml has bonus.study beside it.
ENDING = ".study"


def find_folder(path: str | os.PathLike[str], name: str = "study") -> Path:
    """The folder of a study: the path itself, or that of a study file, beside it.

    Args:
        name: what messages call `path`.

    Raises:
        StudyError: for what is no path.
    """
    given = check_path(name, path, "the path of a study file or of the folder of one", StudyError)
    return given.with_suffix(ENDING) if given.suffix == ".toml" else given


# -- check ------------------------------------------------------------------------------------


def check_study(study: AnyStudy, threads: int | None = None) -> pd.DataFrame:
    """What a study will take: it is validated, and a little of it is played.

    Args:
        study: as for `run_study`.
        threads: on how many it will run; None for one each processor.

    Returns:
        A row for each run with the columns run, kind, cells, tasks, unit, count (hands or games
        of all cells), is_estimate (whether a rule of stopping decides how many, which is judged
        by the sample then), seconds and bytes, both expected: of a machine that is idle, for
        results without tables. `attrs["warnings"]` has a sentence for each run of very many tasks,
        and for a study that takes weeks or tens of gigabytes.

    Raises:
        StudyError: as `run_study`.
    """
    full = read_study(study)
    workers = count_threads() if threads is None else check_whole("threads", threads, 1, 100_000)
    names = ["run", "kind", "cells", "tasks", "unit", "count", "is_estimate", "seconds", "bytes"]
    rows = []
    for run in full.runs:
        cells = [CellProgress(run, cell) for cell in run.cells]
        step = max(len(cells) // CALIBRATED, 1)
        samples = [_calibrate(cell) for cell in cells[::step]]
        tasks = count = 0
        seconds = size = 0.0
        for place, cell in enumerate(cells):
            sample = samples[min(place // step, len(samples) - 1)]
            number = min(sample["tasks"] if cell.has_rule else cell.reducer.needed, len(cell.tasks))
            units = cell.tasks.count_units(number)
            copies = 2 if run.options.get("rows") else 1
            tasks += number * copies
            count += units
            seconds += units * sample["seconds"] / workers
            size += number * sample["sums"] + units * sample["rows"]
        rule = any(cell.has_rule for cell in cells)
        unit = samples[0]["unit"]
        rows.append(
            (run.name, run.kind, len(cells), tasks, unit, count, rule, seconds, round(size))
        )
    table = pd.DataFrame(rows, columns=names)
    table.attrs["study"] = full.hash
    table.attrs["warnings"] = _list_warnings(table)
    return table


def _list_warnings(table: pd.DataFrame) -> list[str]:
    """What of a study is likely to be a slip of the pen."""
    warnings = []
    row: Any
    for row in table.itertuples():
        if row.tasks > MANY_TASKS:
            warnings.append(
                f"run.{row.run}: {row.tasks:,} tasks are as many files in one folder; a larger "
                "`task` makes fewer"
            )
    days = float(table["seconds"].sum()) / 86_400
    if days > LONG_DAYS:
        warnings.append(f"about {days:,.0f} days on so many threads")
    size = int(table["bytes"].sum())
    if size > LARGE_BYTES:
        warnings.append(f"about {size / 1e9:,.0f} GB on the disk, besides the tables")
    return warnings


def _calibrate(cell: CellProgress) -> dict[str, Any]:
    """Play the first hands of a cell: seconds and bytes of records of each, bytes of a task."""
    task = cell.tasks[0]
    unit = "games" if "games" in task.inputs else "hands"
    most = int(task.inputs[unit])
    number = min(512, most)
    while True:
        inputs = _shorten(task, unit, number)
        start = time.perf_counter()
        parts: Any = play_task(replace(task, inputs=inputs))
        seconds = time.perf_counter() - start
        if seconds >= CALIBRATION or number == most:
            break
        # Even, as tasks are.
        number = min(number * max(2, min(int(CALIBRATION / max(seconds, 1e-6)), 16)), most)
    cell.reducer.take(parts)
    expected = getattr(cell.reducer, "expected", cell.reducer.needed)
    found: dict[str, Any] = {
        "unit": unit,
        "tasks": max(expected, cell.reducer.needed),
        "seconds": seconds / number,
        "sums": len(encode(parts, task, "csv")),
        "rows": 0.0,
    }
    for rows in list_rows(cell.run, [replace(task, inputs=inputs)]):
        start = time.perf_counter()
        frame: Any = play_task(rows)
        found["rows"] = len(encode_rows(frame, "csv")) / number
        found["seconds"] += (time.perf_counter() - start) / number
    return found


def _shorten(task: StudyTask, unit: str, number: int) -> Mapping[str, Any]:
    ends = [end for end in task.inputs["ends"] if end < number]
    return {**task.inputs, unit: number, "ends": [*ends, number]}


# -- status -----------------------------------------------------------------------------------


def study_status(study: str | os.PathLike[str]) -> dict[str, Any]:
    """How far a study is.

    Args:
        study: its file or its folder.

    Returns:
        `folder`; `state`: `not begun`, `unfinished`, `running` or `finished`; `holder`, who runs
        it, empty if nobody; `study`, its hash, and `title`; `tasks` and `done`, of a run with a
        rule of stopping as far as is known; `runs`, the same for each with `run`, `kind` and
        `cells`; `problems`, what is amiss, in sentences. It is finished when all tasks are done
        and all tables are as they were written.

    Raises:
        StudyError: for a study file with errors, and a folder that is none of a study.
    """
    folder = find_folder(study)
    full = read_study(study) if Path(os.fsdecode(study)).suffix == ".toml" else None
    problems: list[str] = []
    begun = folder.is_dir()
    holder = ""
    if begun:
        manifest = read_manifest(folder)
        if full is not None and manifest["study"] != full.hash:
            problems.append(
                f"the folder holds another study, {manifest['study']}; this is {full.hash}"
            )
        if others := find_other_versions(manifest):
            problems.append(f"the folder was begun with {others}")
        full = read_document(manifest["document"])
        holder = find_holder(folder / "lock")
    elif full is None:
        read_manifest(folder)
    assert full is not None, "there is a file or a folder"
    store = Folder(folder, full, problems.append)
    work = Progressing(full, store)
    work.advance()
    if begun:
        store.name_others(work.names)
    runs: list[dict[str, Any]] = [
        {
            "run": run.name,
            "kind": run.kind,
            "cells": len(cells),
            "tasks": sum(cell.num_needed for cell in cells),
            "done": sum(cell.num_done for cell in cells),
        }
        for run, cells in work.group()
    ]
    state = "unfinished" if begun else "not begun"
    if holder:
        state = "running"
    elif begun and work.is_done:
        faults = find_faults(folder)
        if not read_list(folder):
            faults.append("the tables are not all written")
        problems += [f"{fault}; to write them anew: {tell_how(folder)}" for fault in faults]
        state = "unfinished" if faults else "finished"
    return {
        "folder": str(folder),
        "state": state,
        "holder": holder,
        "study": full.hash,
        "title": full.title,
        "tasks": sum(run["tasks"] for run in runs),
        "done": sum(run["done"] for run in runs),
        "runs": runs,
        "problems": problems,
    }


# -- merge ------------------------------------------------------------------------------------


def merge_studies(
    folder: str | os.PathLike[str],
    others: Iterable[str | os.PathLike[str]],
    tell: Tell | None = None,
) -> dict[str, pd.DataFrame]:
    """Take into a folder what other folders have of the same study.

    Args:
        folder: gets the results; made if it is not there.
        others: folders of the same study, each played by the same version.
        tell: called with a sentence for whatever is amiss.

    Returns:
        The tables, which are written too; empty if tasks are missing, which `run_study` plays.

    Raises:
        StudyError: if a folder is of another study or version, or two folders have different
            results of one task, which then must not be trusted.
    """
    target = check_path("folder", folder, "the path of a folder", StudyError)
    given = check_list("others", others, "a list of the paths of folders", StudyError)
    sources = [
        check_path(f"others[{place}]", other, "the folder of a study", StudyError)
        for place, other in enumerate(given)
    ]
    manifests = [read_manifest(source) for source in sources]
    try:
        manifests.insert(0, read_manifest(target))
    except OtherLayout:
        raise
    except StudyError:
        # There is none yet; or it was lost, and what is there tells whose it is.
        if not manifests:
            raise
    full = read_document(manifests[0]["document"])
    for path, manifest in zip(sources, manifests[-len(sources) :], strict=False):
        if manifest["study"] != full.hash:
            raise StudyError(
                f"{show(str(path))} holds another study, {manifest['study']}; allowed: folders of "
                f"{full.hash}"
            )
        if versions := find_other_versions(manifest):
            raise StudyError(f"{show(str(path))} was begun with {versions}; allowed: that version")
    for path in sources:
        if holder := find_holder(path / "lock"):
            raise StudyError(
                f"{show(str(path))} is being run by {holder}; allowed: to wait for its end"
            )
    with open_folder(target, full, tell) as store:
        work = Progressing(full, _Merged(store, [Folder(path, full, tell) for path in sources]))
        work.advance()
        store.log("merge", folders=[str(path) for path in sources], finished=work.is_done)
        store.name_others(work.names)
        work.store = store
        return finish(work) if work.is_done else {}


class _Merged(Memory):
    """A folder that takes over what it has not from others."""

    def __init__(self, store: Folder, others: Sequence[Folder]) -> None:
        super().__init__()
        self._store = store
        self._others = others

    def load(self, task: StudyTask) -> Any:
        """The result of a task, here or elsewhere; None if nobody has it."""
        result = self._store.load(task)
        data = b"" if result is None else self._store.locate(task).read_bytes()
        for other in self._others:
            path = other.locate(task)
            theirs = other.load(task)
            if theirs is None:
                continue
            if result is None:
                result, data = theirs, path.read_bytes()
                self._store.put(task, data, {"taken_from": str(other.path)})
            elif path.read_bytes() != data:
                raise StudyError(
                    f"{show(str(path))} has another result than {show(str(self._store.path))}; "
                    "allowed: the same results everywhere"
                )
        return result


def load_study(path: str | os.PathLike[str]) -> Study:
    """The study of a file, or of the folder that a run made."""
    if Path(path).is_dir():
        return read_document(read_manifest(Path(path))["document"])
    return read_study(path)
