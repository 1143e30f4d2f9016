"""TOML files: what is a path, reading with refusals in words, and writing plain data."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ginsim.errors import GinsimError, show

#: A file may start from a file that starts from a file: so many of them.
DEEPEST = 50


def is_path(text: str) -> bool:
    """Whether a text names a file rather than what comes with the package."""
    return text.endswith(".toml") or "/" in text or os.sep in text


def read_toml(path: Path, what: str, error: type[GinsimError]) -> dict[str, Any]:
    """The content of a file.

    Args:
        what: what the file is called in refusals, such as `rules file`.
        error: what is raised if it cannot be read or is no TOML.
    """
    try:
        # Some editors put a mark before a text in UTF-8, which is no TOML.
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise error(f"{what} {show(str(path))} does not exist") from None
    except OSError as failure:
        raise error(f"{what} {show(str(path))} cannot be read: {failure.strerror}") from None
    except RecursionError:
        raise error(
            f"{what} {show(str(path))} cannot be read: its lists or tables lie too deep in "
            "each other"
        ) from None
    except ValueError as failure:  # no TOML, or no UTF-8
        raise error(f"{what} {show(str(path))} is not TOML: {failure}") from None


def list_lines(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table: its plain values, then the tables in it.

    Args:
        path: of the table; empty for the whole file.
    """
    if path:
        yield ""
        yield f"[{path}]"
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    for key, value in plain.items():
        if value is not None:  # TOML has no null: what is not known is not there
            yield f"{_key(key)} = {format_toml(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from list_lines(f"{path}.{_key(key)}" if path else _key(key), value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else format_toml(key)


def format_toml(value: Any) -> str:
    """A value as a TOML file has it."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {format_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return "[\n" + "".join(f"    {format_toml(item)},\n" for item in value) + "]"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(format_toml, value))}]"
    # Numbers, true and false are written as in JSON, and so is text but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
