"""Text for people, and JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

import click

WIDTH = 100


def print_json(document: Any) -> None:
    """Print one JSON document; NumPy's scalars and arrays become numbers and lists."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, default=_plain, allow_nan=False))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # a NumPy scalar or array, without importing NumPy
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def format_table(rows: Sequence[Sequence[str]], left: int = 1, indent: str = "  ") -> str:
    """Rows of text in columns: the first `left` columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


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
