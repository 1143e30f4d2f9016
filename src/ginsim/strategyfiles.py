"""Strategies written as TOML files, with where they come from."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ginsim.checks import check_path
from ginsim.errors import OptionError, refuse
from ginsim.files import check_place
from ginsim.strategies import AnyStrategy, Strategy, parse_strategy
from ginsim.tomlfiles import format_toml, list_lines


def check_strategy_file(path: str | os.PathLike[str], force: bool, name: str = "path") -> Path:
    """See before the work begins that a strategy file can be written.

    Raises:
        OptionError: for a name that does not end in .toml, a file that exists, and a folder that
            does not.
    """
    place = check_path(name, path)
    if place.suffix != ".toml":
        raise OptionError(refuse(name, str(place), "a file name that ends in .toml"))
    check_place(place, force, name)
    return place


def write_strategy(
    strategy: AnyStrategy,
    path: str | os.PathLike[str],
    provenance: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Write a strategy as a file that can be named wherever a strategy can.

    All fields that are not those of `greedy` are written, so that the file means the same when
    another named strategy has changed. It appears under its name when it is whole.

    Args:
        strategy: by rules; one written in Python has no file.
        path: a name that ends in .toml.
        provenance: what to say of where it comes from, plain data; a table of the file, which
            reading leaves alone.
        force: replace the file if it exists.

    Raises:
        OptionError: if the file cannot be written there.
        StrategyError: for what is no strategy.
    """
    place = check_strategy_file(path, force)
    text = write_text(parse_strategy(strategy), provenance)
    part = place.with_name(f".{place.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        check_place(place, force)
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)


def write_text(strategy: Strategy, provenance: Mapping[str, Any] | None = None) -> str:
    """The strategy as TOML."""
    plain = Strategy().values()
    fields = {key: value for key, value in strategy.values().items() if value != plain[key]}
    lines = [f"title = {format_toml(strategy.name)}", 'base = "greedy"']
    lines += [f"{key} = {format_toml(value)}" for key, value in fields.items()]
    if provenance is not None:
        lines += list_lines("provenance", provenance)
    return "\n".join(lines) + "\n"
