"""Tables of a report: figures with their intervals, in as many digits as these give ground for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ginsim.digits import count_decimals, spell
from ginsim.plots.sources import list_labels

#: Rows of a table that are shown at most; beyond it the file is named.
MOST_ROWS = 1000


@dataclass(frozen=True)
class Cell:
    """What stands in a table.

    Attributes:
        text: the value.
        note: its interval, below it.
        key: what the column is sorted by; None for the text itself.
    """

    text: str
    note: str = ""
    key: float | None = None


@dataclass(frozen=True)
class Head:
    """The head of a column: its words, and its unit or what else is said in small."""

    text: str
    note: str = ""
    is_words: bool = False


@dataclass(frozen=True)
class Shown:
    """A table as it is shown.

    Attributes:
        caption: what it shows.
        heads: of the columns; the first is that of the rows.
        rows: the cells.
        note: a sentence below.
    """

    caption: str
    heads: list[Head]
    rows: list[list[Cell]] = field(default_factory=list)
    note: str = ""


def write_count(number: float) -> Cell:
    """A whole number."""
    if not math.isfinite(number):
        return Cell("-" if math.isnan(number) else "∞", key=number if number > 0 else None)
    return Cell(f"{number:,.0f}", key=float(number))


def write_words(text: object) -> Cell:
    """Words, or a name."""
    return Cell(str(text).replace("_", " ") if text is not None else "-")


def write_figures(rows: Sequence[Any], scale: float = 1.0, sign: str = "") -> list[Cell]:
    """A column of figures with intervals, all with as many decimals.

    Args:
        rows: each with value, low and high; None where there is none.
        scale: 100 for shares in %.
        sign: `+` to write it before positive figures too.
    """
    known = [row for row in rows if row is not None and math.isfinite(row.value)]
    widths = [scale * (row.high - row.low) / 2 for row in known]
    is_whole = not any(map(math.isfinite, widths)) and all(row.value % 1 == 0 for row in known)
    decimals = 0 if is_whole else count_decimals(widths)
    cells = []
    for row in rows:
        if row is None or not math.isfinite(row.value):
            cells.append(Cell("-"))
            continue
        value = scale * float(row.value)
        note = ""
        if math.isfinite(row.low) and math.isfinite(row.high):
            low, high = (spell(scale * bound, decimals, sign) for bound in (row.low, row.high))
            note = f"{low} to {high}"
        cells.append(Cell(spell(value, decimals, sign), note, value))
    return cells


@dataclass(frozen=True)
class Column:
    """A column of figures: which rows of the table of a study they are.

    Attributes:
        head: its words.
        find: the measure, outcome and seat; an empty word stands for any.
        scale, sign: as for `write_figures`.
    """

    head: Head
    find: tuple[str, str, str]
    scale: float = 1.0
    sign: str = ""


def share(text: str, *find: str) -> Column:
    """A column of shares."""
    return Column(Head(text, "%"), (find[0], find[1], find[2]), 100.0)


class Figures:
    """The rows of a cell, to be found by what they are.

    Args:
        table: with the column measure, and outcome and seat where it has them.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        self.rows: list[Any] = list(table.itertuples())

    def find(self, measure: str, outcome: str = "", seat: str = "") -> Any:
        """The first row of a measure; an empty word stands for any outcome or seat.

        Returns:
            None if there is none.
        """
        for row in self.rows:
            if str(row.measure) == measure and (
                (not outcome or str(row.outcome) == outcome) and (not seat or str(row.seat) == seat)
            ):
                return row
        return None


def pivot(
    caption: str, cells: Sequence[tuple[str, Figures]], columns: Sequence[Column], what: str
) -> Shown:
    """A row for each cell of a run, a column for each of some figures.

    Columns without any figure are left out.

    Args:
        cells: the figures of each, by name.
        what: the head of the names.
    """
    heads, bodies = [Head(what, is_words=True)], [[Cell(name) for name, _ in cells]]
    for column in columns:
        rows = [figures.find(*column.find) for _, figures in cells]
        if any(row is not None for row in rows):
            heads.append(column.head)
            bodies.append(write_figures(rows, column.scale, column.sign))
    return Shown(caption, heads, [list(row) for row in zip(*bodies, strict=True)])


def show_all(caption: str, table: pd.DataFrame, name: str) -> Shown:
    """A whole table as it is in its file, its first rows if it is long.

    Args:
        name: of the file, without its ending.
    """
    shown = table.head(MOST_ROWS)
    heads, bodies = [], []
    labels = list_labels(table)
    for column in shown:
        values = shown[column]
        is_number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        words = column in labels or not is_number
        heads.append(Head(str(column), is_words=words))
        if words:
            # Names too, which can be pasted.
            bodies.append([Cell("-" if pd.isna(value) else str(value)) for value in values])
        elif pd.api.types.is_integer_dtype(values):
            bodies.append([write_count(float(value)) for value in values])
        else:
            bodies.append([_write_number(float(value)) for value in values])
    note = f"All digits are in the file tables/{name}."
    if len(table) > len(shown):
        note = f"The first {len(shown):,} of {len(table):,} rows; all are in tables/{name}."
    return Shown(caption, heads, [list(row) for row in zip(*bodies, strict=True)], note)


def _write_number(value: float) -> Cell:
    if not math.isfinite(value):
        return Cell("-")
    return Cell(f"{value:.6g}", key=value)


def rename(words: Mapping[str, str], name: object) -> str:
    """What a name is in words; itself without underlines if it is not known."""
    return words.get(str(name), str(name).replace("_", " "))
