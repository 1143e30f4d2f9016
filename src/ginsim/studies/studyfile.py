"""Study files: one TOML file says what is to be known. docs/studies.md has all of its keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias, Union

from ginsim.checks import check_path
from ginsim.errors import OptionError, StudyError, refuse, refuse_name
from ginsim.files import check_format
from ginsim.studies.data import Run, Study
from ginsim.studies.kinds import KINDS
from ginsim.studies.reading import Names, Reader, read_seed, read_table, read_text, read_word
from ginsim.tomlfiles import read_toml

#: What is accepted wherever a study is.
AnyStudy: TypeAlias = Union[str, "PathLike[str]", Mapping[str, Any], Study]

#: Tasks of a run: each has a file.
MOST_TASKS = 10_000_000
#: The formats of the files of results.
FORMATS = ("csv", "parquet")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
#: What some systems take for a device, whatever the ending.
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]", re.ASCII | re.IGNORECASE)


def read_study(source: AnyStudy) -> Study:
    """The study of a file, or of a mapping with the same keys.

    Args:
        source: the path of a TOML file; a mapping, in which relative paths of rule sets and
            strategies are relative to the working folder; or a `Study`.

    Raises:
        StudyError: with everything that is wrong at once: the path of each value in the file, the
            value, and what is allowed.
    """
    if isinstance(source, Study):
        return source
    if isinstance(source, Mapping):
        return _read(dict(source), "", "")
    allowed = "the path of a TOML file, a mapping or a Study"
    path = check_path("study", source, allowed, StudyError)
    return _read(read_toml(path, "study file", StudyError), str(path.parent), path.name)


def read_document(document: Mapping[str, Any]) -> Study:
    """The study of a manifest. There every rule set and strategy is in full, by its own name."""
    return _read(dict(document), "", "", is_document=True)


def _read(table: Mapping[str, Any], folder: str, label: str, is_document: bool = False) -> Study:
    problems: list[str] = []
    reader = Reader(table, "", problems)
    names = Names(folder)
    title = reader.take("title", read_text, "")
    seed = reader.need("seed", read_seed, "a whole number from 0")
    output = Reader(reader.take("output", read_table, {}) or {}, "output", problems)
    form = output.take("format", _read_format, "csv")
    output.finish()
    tables: Any
    found: Any
    read: Any
    for key, found, read in (
        ("rules", names.rules, names.read_rules),
        ("strategies", names.strategies, names.read_strategy),
    ):
        tables = reader.take(key, read_table) or {}
        for name, value in tables.items():

            def read_entry(path: str, given: Any, one: str = name, make: Any = read) -> Any:
                record = make(path, given, one)
                if not is_document:
                    names.check_name(path, one, record)
                return record

            found[name] = reader.attempt(f"{key}.{name}", read_entry, value)
    allowed = "a table for each run, such as [run.ends]"
    tables = reader.need("run", read_table, allowed)
    if tables is not None and not tables:
        reader.note(f"run: is empty; allowed: {allowed}")
    runs: list[Run] = []
    documents: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    for name, value in (tables or {}).items():
        twin = spelled.setdefault(str(name).lower(), str(name))
        if twin != name:
            allowed = f"a name that differs from {twin} by more than capital letters"
            reader.note(refuse(f"run.{name}", name, allowed))
        run = _read_run(reader, names, str(name), value, 0 if seed is None else seed)
        if run is not None:
            runs.append(run[0])
            documents[run[0].name] = run[1]
    reader.finish()
    if not problems:
        _check_number(reader, runs)
    if problems:
        raise StudyError(*(f"{label}: {problem}" if label else problem for problem in problems))
    document = {
        "title": title,
        "seed": seed,
        "output": {"format": form},
        "rules": _spell(names.rules),
        "strategies": _spell(names.strategies),
        "run": documents,
    }
    return Study(title or "", form or "csv", tuple(runs), document)


def _check_number(reader: Reader, runs: Sequence[Run]) -> None:
    """Note a run of more tasks than a folder can hold; with a precision the first are counted."""
    for run in runs:
        kind = KINDS[run.kind]
        number = sum(kind.reduce(run, cell).needed for cell in run.cells)
        number *= 2 if run.options.get("rows") else 1
        if number > MOST_TASKS:
            reader.note(
                f"run.{run.name}: {number:,} tasks, each with a file of its own; allowed: up to "
                f"{MOST_TASKS:,}; less play, fewer cells, or a larger `task`"
            )


def _spell(found: Mapping[str, Any]) -> dict[str, Any]:
    """Rule sets or strategies in full, as plain data."""
    return {name: record.model_dump() for name, record in found.items() if record is not None}


def _read_format(path: str, value: Any) -> str:
    form = read_word(FORMATS)(path, value)
    check_format(f"x.{form}", path)
    return form


def _read_run(
    reader: Reader, names: Names, name: str, value: Any, seed: int
) -> tuple[Run, dict[str, Any]] | None:
    path = f"run.{name}"
    table = reader.attempt(path, read_table, value)
    if table is None:
        return None
    if _NAME.fullmatch(name) is None:
        allowed = (
            "a name of up to 64 ASCII letters (A to Z, a to z), digits, - and _, that begins with "
            "a letter or digit, since tables are named after it"
        )
        reader.note(refuse(path, name, allowed))
    elif _RESERVED.fullmatch(name):
        reader.note(refuse(path, name, "another name: some systems take this one for a device"))
    inner = Reader(table, path, reader.problems)
    kind = inner.need("kind", _read_kind, ", ".join(KINDS))
    if kind is None:
        return None
    own = inner.take("seed", read_seed)
    cells, options = KINDS[kind].read(inner, names)
    inner.finish()
    spoken = {key: entry for key, entry in options.items() if key != "count"}
    document = {"kind": kind, **({} if own is None else {"seed": own}), **spoken}
    return Run(name, kind, cells, options, seed if own is None else own), document


def _read_kind(path: str, value: Any) -> str:
    if not isinstance(value, str) or value not in KINDS:
        raise OptionError(f"{path}: {refuse_name('kind', value, KINDS)}")
    return value
