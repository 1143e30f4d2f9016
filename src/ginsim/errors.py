"""The package's exceptions, and the words they are written in.

Every error a user can cause is a `GinsimError`: its message names the field, the value it was
given and what is allowed, so that the command line can print it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class GinsimError(ValueError):
    """Bad input, in words. It may carry several problems at once.

    Args:
        problems: one sentence each; `str()` of the error has one a line.
    """

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems, one sentence each."""
        return tuple(str(problem) for problem in self.args)

    def __str__(self) -> str:
        return "\n".join(self.problems)


class CardError(GinsimError):
    """Text, numbers or masks that are not cards."""


class RulesError(GinsimError):
    """A rule set, a rules file or a field of either that cannot be played."""


class StrategyError(GinsimError):
    """A strategy, or a parameter of one, that does not exist."""


class OptionError(GinsimError):
    """An argument of a function, or an option of a command, out of what is allowed."""


class StudyError(GinsimError):
    """A study file that cannot be run, or a folder that is not that of the study."""


def show(value: object) -> str:
    """Write a value as the user would: text in quotes, booleans in lower case.

    What is very long, or cannot be written at all, is cut short or described.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        text = repr(value)
    except Exception:  # integers of thousands of digits, lists in lists in lists
        return f"a very large {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


#: No value is shown with more characters.
_LONGEST = 400


def count(number: int, unit: str) -> str:
    """A number with its unit: `1 card`, `2 cards`, `3 boxes`."""
    word = {"box": "boxes"}.get(unit, f"{unit}s")
    return f"{number} {unit if number == 1 else word}"


def join_words(words: Iterable[str], last: str = "or") -> str:
    """Join words as a sentence does: `a`, `a or b`, `a, b or c`."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def refuse(field: str, value: object, allowed: str) -> str:
    """The sentence for a value that is not allowed."""
    return f"{field}: {show(value)} is not allowed; allowed: {allowed}"


def refuse_name(what: str, name: object, known: Iterable[str]) -> str:
    """The sentence for an unknown name: the nearest known one first, then all of them."""
    known = list(known)
    near = get_close_matches(name, known, n=1) if isinstance(name, str) else []
    hint = f"did you mean {show(near[0])}? " if near else ""
    return f"unknown {what} {show(name)}; {hint}known: {', '.join(known) or 'none'}"
