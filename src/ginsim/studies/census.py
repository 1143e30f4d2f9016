"""Whose the files of tasks in a folder are, where no manifest says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginsim.studies.data import Run, Study, StudyTask, digest
from ginsim.studies.kinds import KINDS
from ginsim.studies.kinds.ranges import SUMS_ONLY, Ranges, list_rows
from ginsim.studies.taskfiles import read_header

#: The name of a task's file, without its ending.
TASK = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Census:
    """The files of tasks in a folder.

    Attributes:
        ours: how many are of the study.
        others: names of files of tasks that are of another study or version.
        unknown: names of files that are called like tasks and do not say whose they are.
    """

    ours: int
    others: tuple[str, ...]
    unknown: tuple[str, ...]


def take_census(study: Study, folder: Path) -> Census:
    """Look at every file of a folder that is called like a task's."""
    ranges = _list_ranges(study)
    ours = 0
    others, unknown = [], []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not (TASK.fullmatch(path.stem) and path.suffix in (".csv", ".parquet")):
            continue
        header = read_header(path)
        if header is None or not _is_named(path.stem, header):
            unknown.append(path.name)
        elif path.suffix == f".{study.format}" and _is_of(path.stem, header, ranges):
            ours += 1
        else:
            others.append(path.name)
    return Census(ours, tuple(others), tuple(unknown))


def _is_named(name: str, header: Mapping[str, Any]) -> bool:
    """Whether a name is the hash of what a file says of itself."""
    kinds = [header["kind"]] if "kind" in header else list(KINDS)
    return any(StudyTask(kind, header["output"], header["inputs"]).name == name for kind in kinds)


def _list_ranges(study: Study) -> dict[str, list[tuple[Run, Ranges]]]:
    """The cells of a study by all that their tasks have in common."""
    found: dict[str, list[tuple[Run, Ranges]]] = {}
    for run in study.runs:
        for cell in run.cells:
            ranges = KINDS[run.kind].list_tasks(run, cell)
            found.setdefault(_name_origin(ranges.origin), []).append((run, ranges))
    return found


def _name_origin(inputs: Mapping[str, Any]) -> str:
    ours = ("first", "hands", "games", *SUMS_ONLY)
    return digest({key: value for key, value in inputs.items() if key not in ours})


def _is_of(
    name: str, header: Mapping[str, Any], cells: Mapping[str, list[tuple[Run, Ranges]]]
) -> bool:
    for run, ranges in cells.get(_name_origin(header["inputs"]), ()):
        place = (header["inputs"]["first"] - ranges.first) // ranges.size
        if not 0 <= place < len(ranges):
            continue
        task = ranges[place]
        if name in (task.name, *(rows.name for rows in list_rows(run, [task]))):
            return True
    return False
