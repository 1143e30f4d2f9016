"""TOML files that users write: what is a path, and reading with refusals in words."""

from __future__ import annotations

import os
import tomllib
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
