"""The tables of a folder, and the list that says which they are and what is in them.

    tables.json     the SHA-256 and the size of each file of tables/

It is written when all tables are. A table that is missing, cut off or changed is known by it, and
so is a folder whose tables are not all written yet.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from ginsim.checks import check_path
from ginsim.errors import StudyError, show
from ginsim.files import write_whole
from ginsim.studies.disk import naming
from ginsim.studies.manifests import read_manifest

#: The name of the list.
LIST = "tables.json"


def write_table(frame: pd.DataFrame, form: str) -> bytes:
    """A table as `pd.read_csv` or `pd.read_parquet` reads it."""
    if form == "csv":
        return frame.to_csv(index=False, lineterminator="\n").encode("utf-8")
    file = io.BytesIO()
    frame.to_parquet(file, index=False, engine="pyarrow")
    return file.getvalue()


def write_list(folder: Path, names: Iterable[str]) -> None:
    """List the files of these names, which are written."""
    entries = {}
    for name in sorted(names):
        path = folder / "tables" / name
        with naming(path, "read", folder):
            entries[name] = {"bytes": path.stat().st_size, "sha256": _hash(path)}
    data = json.dumps(entries, indent=1).encode("utf-8") + b"\n"
    path = folder / LIST
    with naming(path, "written", folder):
        if not path.is_file() or path.read_bytes() != data:
            write_whole(path, data)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_list(folder: Path) -> dict[str, dict[str, Any]]:
    """The list of a folder's tables; empty if there is none yet, or it is damaged."""
    try:
        entries = json.loads((folder / LIST).read_bytes())
    except (OSError, ValueError):
        return {}
    kinds = {"bytes": int, "sha256": str}
    if not isinstance(entries, dict) or not all(
        isinstance(entry, dict)
        and all(isinstance(entry.get(key), kind) for key, kind in kinds.items())
        for entry in entries.values()
    ):
        return {}
    return entries


def find_faults(folder: Path, names: Iterable[str] | None = None) -> list[str]:
    """What is amiss with the tables of a folder, in sentences.

    Args:
        names: those to look at; None for all.
    """
    faults = []
    for name, entry in read_list(folder).items():
        if names is not None and name not in names:
            continue
        path = folder / "tables" / name
        try:
            if path.stat().st_size == entry["bytes"] and _hash(path) == entry["sha256"]:
                continue
            fault = "is cut off or changed: its SHA-256 is another"
        except FileNotFoundError:
            fault = "is missing"
        except OSError as failure:
            fault = f"cannot be read: {failure.strerror}"
        faults.append(f"tables/{name} {fault}")
    return faults


def read_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables of a finished study by name; records stay in their files.

    Raises:
        StudyError: if the folder is none of a study, its tables are not written yet, or one of
            them is missing or is not as it was written; resuming writes them anew.
    """
    path = check_path("folder", folder, "the folder of a study", StudyError)
    form = read_manifest(path)["document"]["output"]["format"]
    names = [name for name in read_list(path) if ".rows-" not in name]
    if not names:
        raise StudyError(f"{show(str(path))} has no tables yet; allowed: a finished study")
    if faults := find_faults(path, names):
        raise StudyError(
            *(f"{show(str(path))}: {fault}" for fault in faults),
            f"allowed: whole tables; ginsim study resume {path} writes them anew",
        )
    read: Any = pd.read_csv if form == "csv" else pd.read_parquet
    return {name.removesuffix(f".{form}"): read(path / "tables" / name) for name in names}
