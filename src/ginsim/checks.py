"""Checks of arguments: each refuses in words, with the name, the value and what is allowed."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ginsim.errors import GinsimError, OptionError, join_words, refuse


def check_whole(name: str, value: object, least: int, most: int | None, note: str = "") -> int:
    """An argument as a whole number in a range.

    Args:
        note: what to add to what is allowed, such as the reason for the range.

    Raises:
        OptionError: if it is none; booleans are none either.
    """
    upper = f" to {most}" if most is not None else ""
    allowed = (f"{least}" if least == most else f"a whole number from {least}{upper}") + note
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise OptionError(refuse(name, value, allowed)) from None
    if isinstance(value, bool) or number < least or (most is not None and number > most):
        raise OptionError(refuse(name, value, allowed))
    return number


def check_flag(name: str, value: object) -> bool:
    """An argument as true or false; numbers are neither.

    Raises:
        OptionError: if it is no boolean (NumPy's is one).
    """
    kind = type(value)
    if isinstance(value, bool) or (kind.__module__ == "numpy" and kind.__name__ in _BOOLEANS):
        return bool(value)
    raise OptionError(refuse(name, value, "true or false"))


#: The names of NumPy's scalar type; it is not imported to ask.
_BOOLEANS = ("bool", "bool_")


def check_word(name: str, value: object, allowed: Sequence[str]) -> str:
    """An argument that is one of some words.

    Raises:
        OptionError: if it is none of them.
    """
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(refuse(name, value, join_words(allowed)))
    return str(value)


def check_names(
    name: str, value: object, allowed: Sequence[str], spelt: Mapping[str, str] | None = None
) -> list[str]:
    """An argument that is one or several of some words, as a list.

    Args:
        spelt: other words, and the allowed ones that they stand for.

    Raises:
        OptionError: if it is something else, or holds something else.
    """
    several = f"{join_words(allowed)}, or several of them"
    words = [value] if isinstance(value, str) else check_list(name, value, several)
    stands = spelt or {}
    return [
        check_word(name, stands.get(word, word) if isinstance(word, str) else word, allowed)
        for word in words
    ]


def check_list(
    name: str, value: object, allowed: str, error: type[GinsimError] = OptionError
) -> list[Any]:
    """An argument of several values, as a list; a text is one value.

    Raises:
        GinsimError: of the given class, if it is none.
    """
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return [*value]  # type: ignore[misc]
    except TypeError:
        raise error(refuse(name, value, allowed)) from None


def check_path(
    name: str,
    value: object,
    allowed: str = "the path of a file",
    error: type[GinsimError] = OptionError,
) -> Path:
    """An argument that is the path of a file or folder; whether that is there is not asked.

    Args:
        allowed: what is allowed, in words.
        error: what is raised.

    Raises:
        GinsimError: of the given class, for what is no path, an empty text, which would stand for
            the working folder, and a path that no system takes.
    """
    if not isinstance(value, str | os.PathLike):
        raise error(refuse(name, value, allowed))
    text = os.fsdecode(value)
    if not text or "\0" in text:
        raise error(refuse(name, text, allowed))
    return Path(text)


def check_fields(name: str, value: object, error: type[GinsimError]) -> dict[str, Any]:
    """A mapping of fields and their values, as keywords can be made of.

    Raises:
        GinsimError: of the given class, for what is no mapping and for keys that are no text.
    """
    if not isinstance(value, Mapping):
        raise error(refuse(name, value, "a mapping of fields and values"))
    wrong = [key for key in value if not isinstance(key, str)]
    if wrong:
        raise error(*(refuse(name, key, "the name of a field, as text") for key in wrong))
    return dict(value)
