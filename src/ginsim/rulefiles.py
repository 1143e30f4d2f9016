"""Rule sets as TOML files: finding, reading and composing them.

A file holds fields of a rule set, one a line, and besides them, all optional:

- `title`: one line that says what it is;
- `base`: the name, composition or path the file starts from (not in modifiers), with settings
  in brackets if wished;
- `[[when]]` tables, each with `if` (fields and values that must all hold so far) and `set`
  (fields to set then).

Everything here works on plain mappings; `ginsim.rules` validates the result.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ginsim.errors import RulesError, refuse, refuse_name, show
from ginsim.tomlfiles import DEEPEST, is_path, read_toml


@dataclass(frozen=True)
class Composition:
    """A rule set before validation: its name, title and fields."""

    name: str
    title: str
    values: dict[str, Any]
    from_file: bool


def list_rulesets() -> list[str]:
    """The names of the rule sets that come with the package."""
    return list(_list("rulesets"))


def list_modifiers() -> list[str]:
    """The names of the modifiers that may follow a rule set: `kawu+oklahoma`."""
    return list(_list("rulesets/modifiers"))


def read_title(name: str, modifier: bool = False) -> str:
    """The title of a rule set or modifier of the package."""
    return str(_read_packaged(name, modifier).get("title", ""))


def compose(spec: str, defaults: Mapping[str, Any], folder: str = "") -> Composition:
    """Read `BASE+MODIFIER+…`, each part a name or a path, applied left to right.

    Args:
        spec: the parts, joined by `+`. A path is what ends in .toml or contains a separator.
        defaults: all fields with their defaults, for conditions on fields no part sets.
        folder: what relative paths are relative to.

    Raises:
        RulesError: for unknown names, files that cannot be read or are no TOML, and tables
            that are not as described above.
    """
    return _compose(spec, defaults, folder, ())


def read_settings(
    settings: Iterable[str], defaults: Mapping[str, Any]
) -> dict[str, bool | int | str]:
    """Read `field=value` texts into values of the type that the field's default has.

    Unknown fields and values out of range are left to the validation of the whole.

    Raises:
        RulesError: for texts without `=`.
    """
    values: dict[str, bool | int | str] = {}
    problems = []
    for setting in settings:
        field, equals, text = (part.strip() for part in str(setting).partition("="))
        if not (field and equals and text):
            problems.append(f"setting: {show(setting)} is not FIELD=VALUE, such as knock_limit=4")
        elif isinstance(defaults.get(field), bool):
            values[field] = {"true": True, "yes": True, "false": False, "no": False}.get(
                text.lower(), text
            )
        elif re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            values[field] = int(text)
        else:
            values[field] = text
    if problems:
        raise RulesError(*problems)
    return values


def split_settings(
    spec: str, defaults: Mapping[str, Any]
) -> tuple[str, dict[str, bool | int | str]]:
    """A composition and the settings in brackets at its end, as names of changed rules have."""
    match = re.fullmatch(r"([^()]+)\(([^()]*)\)", spec.strip())
    return (match[1], read_settings(match[2].split(","), defaults)) if match else (spec, {})


def _compose(
    spec: str, defaults: Mapping[str, Any], folder: str, seen: tuple[str, ...]
) -> Composition:
    parts = _split(spec, folder)
    values: dict[str, Any] = {}
    titles = []
    for place, part in enumerate(parts):
        modifier = place > 0
        source, label = _read(part, modifier, folder)
        if "base" in source:
            base = source.pop("base")
            where = os.path.join(folder, os.path.dirname(part)) if is_path(part) else folder
            identity = str(Path(folder, part).resolve()) if is_path(part) else part
            if modifier or not isinstance(base, str):
                raise RulesError(
                    f"{label}: base = {show(base)} is not allowed; allowed: the name of a rule "
                    "set, in the first part of a composition"
                )
            if identity in seen:
                raise RulesError(f"{label}: base = {show(base)} leads back to {label}")
            if len(seen) == DEEPEST:
                raise RulesError(f"{label}: base is not allowed {DEEPEST} files deep")
            start, settings = split_settings(base, defaults)
            inner = _compose(start, defaults, where, (*seen, identity))
            values.update({**inner.values, **settings})
        title = source.pop("title", label)
        if not isinstance(title, str):
            raise RulesError(f"{label}: {refuse('title', title, 'text')}")
        titles.append(title)
        _apply(source, values, defaults, label)
    return Composition(
        name="+".join(os.path.basename(part) if is_path(part) else part for part in parts),
        title="; ".join(titles),
        values=values,
        from_file=any(map(is_path, parts)),
    )


def _apply(
    source: dict[str, Any], values: dict[str, Any], defaults: Mapping[str, Any], label: str
) -> None:
    """Set a file's fields, then what its `[[when]]` tables say of the fields so far."""
    tables = source.pop("when", [])
    values.update(source)
    well_formed = isinstance(tables, list) and all(
        isinstance(table, dict)
        and table.keys() == {"if", "set"}
        and all(isinstance(part, dict) for part in table.values())
        for table in tables
    )
    if not well_formed:
        raise RulesError(
            f"{label}: when is not allowed as it stands; allowed: [[when]] tables with `if` and "
            "`set`, such as if = { big_gin_bonus = 'off' }, set = { big_gin_bonus = 31 }"
        )
    for table in tables:
        unknown = [field for field in table["if"] if field not in defaults]
        if unknown:
            raise RulesError(
                *(f"{label}: {refuse_name('field', field, defaults)}" for field in unknown)
            )
        so_far = {**defaults, **values}
        if all(so_far[field] == value for field, value in table["if"].items()):
            values.update(table["set"])


def _split(spec: str, folder: str) -> list[str]:
    """The parts of a composition; a file whose own path contains a plus is one part."""
    if is_path(spec) and os.path.isfile(os.path.join(folder, spec)):
        return [spec]
    return [part.strip() for part in spec.split("+")]


def _read(part: str, modifier: bool, folder: str) -> tuple[dict[str, Any], str]:
    """The content of one part and what to call it in errors."""
    if is_path(part):
        return read_toml(Path(folder, part), "rules file", RulesError), part
    known = list_modifiers() if modifier else list_rulesets()
    if part in known:
        return _read_packaged(part, modifier), part
    if modifier and part in list_rulesets():
        raise RulesError(
            f"modifier: {show(part)} is a rule set, which can only come first; "
            f"allowed: {', '.join(known)}"
        )
    if not modifier and part in list_modifiers():
        raise RulesError(
            f"rule set: {show(part)} is a modifier, which follows a rule set, as in "
            f"kawu+{part}; allowed first: {', '.join(known)}"
        )
    what = "modifier" if modifier else "rule set"
    raise RulesError(
        f"{refuse_name(what, part, known)} (or the path of a TOML file, such as ./mine.toml)"
    )


@cache
def _parse_packaged(name: str, modifier: bool) -> dict[str, Any]:
    folder = "rulesets/modifiers" if modifier else "rulesets"
    text = files("ginsim").joinpath(folder, f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _read_packaged(name: str, modifier: bool) -> dict[str, Any]:
    # Read once; every reader gets a copy of his own.
    return deepcopy(_parse_packaged(name, modifier))


@cache
def _list(folder: str) -> tuple[str, ...]:
    entries = files("ginsim").joinpath(folder).iterdir()
    return tuple(sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml")))
