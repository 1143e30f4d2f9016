"""Records of games between the core's arrays and a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch, _games
from ginsim.columns import (
    GAME_COLUMNS,
    GAME_HAND_COLUMNS,
    HOLLYWOOD_COLUMNS,
    SEATS,
    TABLE_HAND_COLUMNS,
    TABLES,
    Column,
)
from ginsim.errors import OptionError
from ginsim.records import make_frame, plain_values

#: The columns of Hollywood.
NUM_COLUMNS = 3


def games_frame(
    games: NDArray[np.void], first: int, mirror: bool, hollywood: bool, provenance: dict[str, Any]
) -> pd.DataFrame:
    """The frame of an array of `_games.GAME_DTYPE`.

    Args:
        first: index of the first game.
        hollywood: whether they have three columns.
    """
    rows: dict[str, NDArray[Any]] = {
        name: np.ascontiguousarray(values) for name, values in _fields(games).items()
    }
    rows["game"] = np.arange(first, first + len(games), dtype=np.int64)
    rows["deal"] = rows["game"] >> 1 if mirror else rows["game"].copy()
    rows["margin"] = rows["south_score"] - rows["north_score"]
    rows["box_margin"] = rows["south_boxes"] - rows["north_boxes"]
    kind = "hollywood_games" if hollywood else "games"
    return make_frame(TABLES[kind], rows, {**provenance, "rows": kind})


def game_array(frame: pd.DataFrame) -> NDArray[np.void]:
    """The array of `_games.GAME_DTYPE` from a frame of games, or part of one.

    Raises:
        OptionError: if a column is missing or has another type.
    """
    hollywood = HOLLYWOOD_COLUMNS[0].name in frame
    games = np.zeros(len(frame), _games.GAME_DTYPE)
    fields = _fields(games)
    columns: Sequence[Column] = TABLES["hollywood_games"] if hollywood else GAME_COLUMNS
    for column in columns:
        if column.name in fields:
            if column.name not in frame:
                raise OptionError(f"frame: column {column.name} is missing; allowed: game records")
            fields[column.name][:] = plain_values(column, frame[column.name])
    if not hollywood:
        # A book of one column: the game.
        games["over"] = games["winner"] >= 0
        margin = games["south_score"] - games["north_score"]
        games["points_winner"] = np.where(margin > 0, 0, np.where(margin < 0, 1, -1))
        games["column_winner"] = -1
        games["column_winner"][:, 0] = games["winner"]
        games["column_shutout"][:, 0] = games["shutout"]
        games["column_hands"][:, 0] = np.where(games["over"], games["hands"], 0)
    return games


def game_hands_frame(
    rows: NDArray[np.void],
    small: NDArray[np.int8],
    large: NDArray[np.int16],
    mirror: bool,
    partnership: bool,
    provenance: dict[str, Any],
) -> pd.DataFrame:
    """The frame of the arrays of `_games.fill_game_hands`."""
    columns: dict[str, NDArray[Any]] = {
        name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names or ()
    }
    columns.update(zip(_batch.BYTE_COLUMNS, small, strict=True))
    columns.update(zip(_batch.SHORT_COLUMNS, large, strict=True))
    columns["deal"] = columns["game"] >> 1 if mirror else columns["game"].copy()
    kind = "table_hands" if partnership else "game_hands"
    table = TABLE_HAND_COLUMNS if partnership else GAME_HAND_COLUMNS
    return make_frame(table, columns, {**provenance, "rows": kind})


def _fields(games: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    """Views of all fields, those of the three columns one by one under their names."""
    fields: dict[str, NDArray[Any]] = {}
    for name in games.dtype.names or ():
        values = games[name]
        what = name.removeprefix("column_")
        for number in range(NUM_COLUMNS if values.ndim > 1 else 0):
            if values.ndim == 2:
                fields[f"column_{number + 1}_{what}"] = values[:, number]
                continue
            for code, seat in enumerate(SEATS):
                fields[f"{seat}_column_{number + 1}_{what}"] = values[:, number, code]
        if values.ndim == 1:
            fields[name] = values
    return fields
