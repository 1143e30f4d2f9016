"""Per-hand records between the core's arrays and a DataFrame, without copying a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch
from ginsim.columns import HAND_COLUMNS, Column
from ginsim.errors import OptionError, show


def records_frame(
    small: NDArray[np.int8],
    large: NDArray[np.int16],
    first: int,
    mirror: bool,
    provenance: dict[str, Any],
) -> pd.DataFrame:
    """The frame over the arrays of `_batch.fill_records`; its columns are views of them.

    Args:
        small: shape (len(BYTE_COLUMNS), hands).
        large: shape (len(SHORT_COLUMNS), hands).
        first: index of the first hand.
    """
    rows: dict[str, NDArray[Any]] = dict(zip(_batch.BYTE_COLUMNS, small, strict=True))
    rows.update(zip(_batch.SHORT_COLUMNS, large, strict=True))
    rows["hand"] = np.arange(first, first + small.shape[1], dtype=np.int64)
    # Two arrays: what is written into a column must not appear in another.
    rows["deal"] = rows["hand"] >> 1 if mirror else rows["hand"].copy()
    return make_frame(HAND_COLUMNS, rows, provenance)


def make_frame(
    table: Sequence[Column], rows: Mapping[str, NDArray[Any]], provenance: dict[str, Any]
) -> pd.DataFrame:
    """A frame of a table's columns over arrays of codes, numbers and flags, without copies."""
    columns = {column.name: _series(column, rows[column.name]) for column in table}
    frame = pd.DataFrame(columns, copy=False)
    frame.attrs["provenance"] = provenance
    return frame


def _series(column: Column, values: NDArray[Any]) -> Any:
    if column.dtype == "bool":
        return values.view(np.bool_)
    if not column.categories:
        return values
    kind = _kind(tuple(column.categories))
    return pd.Categorical.from_codes(values, dtype=kind, validate=False)


@cache
def _kind(categories: tuple[str, ...]) -> pd.CategoricalDtype:
    # Making one costs as much as a thousand hands.
    return pd.CategoricalDtype(list(categories))


def record_arrays(frame: pd.DataFrame) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
    """The arrays of `_batch.fill_records` from a frame of records (or part of one).

    Raises:
        OptionError: if a column is missing or has another type.
    """
    small = np.zeros((len(_batch.BYTE_COLUMNS), len(frame)), np.int8)
    large = np.zeros((len(_batch.SHORT_COLUMNS), len(frame)), np.int16)
    rows: dict[str, NDArray[Any]] = dict(zip(_batch.BYTE_COLUMNS, small, strict=True))
    rows.update(zip(_batch.SHORT_COLUMNS, large, strict=True))
    for column in HAND_COLUMNS:
        if column.name not in rows:
            continue
        if column.name not in frame:
            raise OptionError(f"frame: column {column.name} is missing; allowed: hand records")
        rows[column.name][:] = plain_values(column, frame[column.name])
    return small, large


def plain_values(column: Column, values: pd.Series[Any], where: str = "frame") -> NDArray[Any]:
    """A column as the core holds it: codes of the categories, -1 for missing, or numbers.

    Args:
        values: of the column's dtype, or of another that holds the same: text for categories,
            wider numbers.
        where: what the message begins with.

    Raises:
        OptionError: for values that the column cannot hold.
    """
    if column.categories:
        return _codes(column, values, where)
    kind = np.dtype(column.dtype)
    numbers = values.to_numpy()
    if numbers.dtype == kind:
        return numbers
    if numbers.dtype.kind not in "biuf":
        raise OptionError(
            f"{where}: column {column.name} is of type {values.dtype}; allowed: {kind}"
        )
    with np.errstate(invalid="ignore"):
        plain = numbers.astype(kind)
    # Compared with what they were: a number out of range, a fraction and nan have changed.
    wrong = np.flatnonzero(plain != numbers)
    if len(wrong):
        raise OptionError(
            f"{where}: column {column.name} has the value {numbers[wrong[0]]}; allowed: {kind}"
        )
    return plain


def _codes(column: Column, values: pd.Series[Any], where: str) -> NDArray[Any]:
    names = pd.Index(column.categories)
    if isinstance(values.dtype, pd.CategoricalDtype):
        # Unordered dtypes are equal whatever the order of their categories, and codes are not.
        present = values.cat.categories
        codes = values.cat.codes.to_numpy()
        if tuple(present) == column.categories:
            return codes
        places = names.get_indexer(pd.Index(present.astype(object)))
        plain = np.append(places, -1)[codes]
        wrong = np.flatnonzero((plain < 0) & (codes >= 0))
    else:
        plain = names.get_indexer(pd.Index(values.astype(object)))
        wrong = np.flatnonzero((plain < 0) & values.notna().to_numpy())
    if len(wrong):
        raise OptionError(
            f"{where}: column {column.name} has other values than "
            f"{', '.join(column.categories[:8])}: {show(values.iloc[wrong[0]])}"
        )
    return plain.astype(np.int8)
