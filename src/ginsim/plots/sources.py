"""Results of several rule sets or players, each with the name that tells it apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from ginsim.errors import OptionError, refuse

#: Columns in front of a study's tables that tell its cells apart.
LABELS = ("rules", "south", "north", "a", "b", "policy", "opponent")
_SIDES = (("south", "north"), ("a", "b"), ("policy", "opponent"))

Named = list[tuple[str, pd.DataFrame]]


def list_labels(table: pd.DataFrame) -> list[str]:
    """Which columns of a table of a study tell its cells apart."""
    return [name for name in LABELS if name in table]


def name_cells(cells: pd.DataFrame) -> list[str]:
    """A name for each row of labels, made of what the rows differ in.

    Args:
        cells: a row for each cell, the columns of labels alone.
    """
    varying = [name for name in cells if cells[name].nunique() > 1]
    names = []
    for _, row in cells.iterrows():
        parts = [str(row["rules"])] if "rules" in varying else []
        for first, second in _SIDES:
            if first in varying and second in varying:
                parts.append(f"{row[first]} – {row[second]}")
            else:
                parts += [str(row[name]) for name in (first, second) if name in varying]
        if not parts:
            parts = [str(row["rules"])] if "rules" in cells else [str(row.iloc[0])]
        names.append(": ".join(parts))
    return names


def split_table(table: pd.DataFrame) -> Named:
    """The cells of a table of a study; a table without labels is one, without a name."""
    labels = list_labels(table)
    if not labels:
        return [("", table)]
    cells = table[labels].drop_duplicates()
    names = name_cells(cells)
    parts = []
    for name, (_, cell) in zip(names, cells.iterrows(), strict=True):
        rows = (table[labels] == cell).all(axis=1)
        parts.append((name, table[rows]))
    return parts


def list_tables(
    source: Any, summarize: Callable[[Any], pd.DataFrame], kind: type, what: str
) -> Named:
    """The tables of figures of a source, by name.

    Args:
        source: a table that `summarize` makes, or one of a study; records or sums that it takes;
            or a mapping of names to these.
        kind: of the sums.
        what: what is allowed, for messages.

    Raises:
        OptionError: for anything else.
    """
    if isinstance(source, Mapping):
        if not source:
            raise OptionError(refuse("source", dict(source), what))
        found: Named = []
        for name, one in source.items():
            tables = list_tables(one, summarize, kind, what)
            several = len(tables) > 1
            found += [(f"{name}: {inner}" if several else str(name), t) for inner, t in tables]
        return found
    if isinstance(source, kind):
        origin: Any = getattr(source, "provenance", {})
        return [(str(origin.get("rules", {}).get("name", "")), summarize(source))]
    if not isinstance(source, pd.DataFrame):
        raise OptionError(refuse("source", source, what))
    if {"measure", "outcome", "seat", "value", "low", "high"} <= {*source}:
        return split_table(source)
    origin = source.attrs.get("provenance", {})
    return [(str(origin.get("rules", {}).get("name", "")), summarize(source))]
