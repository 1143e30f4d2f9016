"""Knock tables that come with the package: a strategy file for each rule set.

They were solved for by `ginsim knock RULES --solve`; each file says in its table `provenance` by
which command, with which result. docs/knock-timing.md shows them.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from ginsim.errors import StrategyError, refuse_name
from ginsim.tomlfiles import read_toml

_FOLDER = "knocktables"


def list_tables() -> list[str]:
    """The names of the rule sets that have a knock table."""
    folder = files("ginsim").joinpath(_FOLDER)
    if not folder.is_dir():
        return []
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )


def read_shipped(name: str) -> dict[str, Any]:
    """The content of a rule set's file.

    Raises:
        StrategyError: if there is none.
    """
    if name not in list_tables():
        raise StrategyError(refuse_name("knock table", name, list_tables()))
    with as_file(files("ginsim").joinpath(_FOLDER, f"{name}.toml")) as path:
        return read_table_file(path)


def read_table_file(path: Path) -> dict[str, Any]:
    """The content of a strategy file that must have a knock table.

    Raises:
        StrategyError: if it cannot be read, or has none.
    """
    source = read_toml(path, "strategy file", StrategyError)
    if "knock_table" not in source:
        raise StrategyError(
            f"{path.name}: knock_table is missing; allowed: a strategy file with a knock table, as "
            "ginsim knock RULES --solve --out FILE.toml writes it"
        )
    return source
