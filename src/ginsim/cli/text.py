"""Text for people, and JSON for programs."""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Sequence
from typing import Any

import click

from ginsim.digits import count_decimals, spell

WIDTH = 100


def print_json(document: Any) -> None:
    """Print one JSON document; NumPy's scalars and arrays become numbers and lists."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, default=_plain, allow_nan=False))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # a NumPy scalar or array, without importing NumPy
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def format_table(rows: Sequence[Sequence[str]], left: int = 1, indent: str = "  ") -> str:
    """Rows of text in columns: the first `left` columns to the left, the others to the right.

    Numbers of one column have their points below each other.
    """
    columns = [
        list(column) if place < left else _align_points(column)
        for place, column in enumerate(zip(*rows, strict=True))
    ]
    rows = list(zip(*columns, strict=True))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


_NUMBER = re.compile(r"[+-]?[\d,]+(\.\d+)?")


def _align_points(cells: Sequence[str]) -> list[str]:
    """Numbers with fewer decimals than others of the column get blanks in their place."""
    matches = [_NUMBER.fullmatch(cell) for cell in cells]
    decimals = [len(match[1] or "") for match in matches if match is not None]
    most = max(decimals, default=0)
    if most == min(decimals, default=0):
        return list(cells)
    return [
        cell if match is None else cell + " " * (most - len(match[1] or ""))
        for cell, match in zip(cells, matches, strict=True)
    ]


def find_decimals(rows: Sequence[Any], scale: float = 1.0) -> int:
    """How many decimals the figures of a column have, if all have as many: as many as tell
    something of the one that is known best.

    Args:
        rows: each with low and high, in nan where there is no interval.
        scale: 100 for shares in %.
    """
    return count_decimals([scale * (row.high - row.low) / 2 for row in rows], digits=1)


def format_figure(
    row: Any, scale: float = 1.0, sign: str = "", decimals: int | None = None
) -> list[str]:
    """A figure and its 95 % interval, two cells of a table.

    Args:
        row: has value, low and high; nan where one is not known.
        scale: 100 for shares in %.
        sign: `+` to write it before positive figures too.
        decimals: how many; None for two digits of what the interval is wide to each side.
    """
    if not math.isfinite(row.value):
        return ["-", ""]
    if decimals is None:
        decimals = count_decimals([scale * (row.high - row.low) / 2])
    value = spell(scale * row.value, decimals, sign)
    if not math.isfinite(row.low):
        return [value, ""]
    low, high = (spell(scale * bound, decimals, sign) for bound in (row.low, row.high))
    return [value, f"({low} to {high})"]


#: Colours of what the words beside them say too; shown on a terminal only (docs/terminal.md).
TONES = {"good": "green", "open": "yellow", "bad": "red"}


def mark_title(text: str) -> str:
    """The line that says what a result is of."""
    return click.style(text, bold=True)


def mark(text: str, tone: str) -> str:
    """Words in a colour: a tone of `TONES`."""
    return click.style(text, fg=TONES[tone], bold=True)


def format_entries(entries: Sequence[tuple[str, str]], indent: str = "  ") -> str:
    """Names with longer descriptions, these wrapped beside them."""
    width = max((len(name) for name, _ in entries), default=0)
    lines = []
    for name, description in entries:
        head = f"{indent}{name.ljust(width)}  "
        lines.append(
            textwrap.fill(
                description, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)
            )
            or head.rstrip()
        )
    return "\n".join(lines)


def format_sentences(sentences: Sequence[str]) -> str:
    """One sentence after the other, each a bullet."""
    return "\n".join(
        textwrap.fill(sentence, WIDTH, initial_indent="- ", subsequent_indent="  ")
        for sentence in sentences
    )
