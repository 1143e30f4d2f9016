"""Per-hand records between the core's arrays and a DataFrame, without copying a column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch
from ginsim.columns import HAND_COLUMNS, Column
from ginsim.errors import OptionError


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
    rows["deal"] = rows["hand"] >> 1 if mirror else rows["hand"]
    columns = {column.name: _series(column, rows[column.name]) for column in HAND_COLUMNS}
    frame = pd.DataFrame(columns, copy=False)
    frame.attrs["provenance"] = provenance
    return frame


def _series(column: Column, values: NDArray[Any]) -> Any:
    if not column.categories:
        return values
    kind = pd.CategoricalDtype(list(column.categories))
    return pd.Categorical.from_codes(values, dtype=kind, validate=False)


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
        values = frame[column.name]
        if column.categories:
            codes = _codes(column, values)
            if (codes < 0).sum() != values.isna().sum():
                raise OptionError(
                    f"frame: column {column.name} has other values than "
                    f"{', '.join(column.categories[:8])}"
                )
            rows[column.name][:] = codes
        else:
            rows[column.name][:] = values.to_numpy()
    return small, large


def _codes(column: Column, values: pd.Series[Any]) -> NDArray[Any]:
    """The codes of a categorical column; frames read back from files have text instead."""
    kind = pd.CategoricalDtype(list(column.categories))
    if values.dtype == kind:
        return values.cat.codes.to_numpy()
    return pd.Index(column.categories).get_indexer(pd.Index(values.astype(object)))
