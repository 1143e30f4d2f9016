"""Series of games: consecutive games of a simulation, won by who wins more of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd

from ginsim.checks import check_whole
from ginsim.columns import SERIES_COLUMNS
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Estimate, estimate_mean, estimate_share
from ginsim.records import make_frame


def group_series(frame: pd.DataFrame, length: SupportsIndex) -> pd.DataFrame:
    """Games put together into series of `length` games each, in their order.

    Args:
        frame: games of `simulate_games`, not mirrored (mirrored games are played on common decks,
            so a series of them would be no series of independent games). Games left over at the
            end are left out.
        length: games of a series, from 1.

    Returns:
        A frame with the columns `SERIES_COLUMNS` of docs/columns.md.

    Raises:
        OptionError: for another frame, mirrored games, or a length below 1.
    """
    size = check_whole("length", length, 1, None)
    if not isinstance(frame, pd.DataFrame) or "margin" not in frame or "game" not in frame:
        raise OptionError(refuse("frame", type(frame).__name__, "a frame of games"))
    if (frame["game"].to_numpy() != frame["deal"].to_numpy()).any():
        raise OptionError("frame: mirrored games; allowed: games that are not mirrored")
    count = len(frame) // size
    games = frame.iloc[: count * size]
    winner = games["winner"].cat.codes.to_numpy().reshape(count, size)
    wins = [(winner == seat).sum(axis=1).astype(np.int32) for seat in (0, 1)]
    margin = games["margin"].to_numpy(np.int64).reshape(count, size).sum(axis=1)
    columns: dict[str, Any] = {
        "series": np.arange(count, dtype=np.int64),
        "first_game": games["game"].to_numpy()[::size].copy(),
        "games": np.full(count, size, np.int32),
        "south_wins": wins[0],
        "north_wins": wins[1],
        "winner": np.where(wins[0] > wins[1], 0, np.where(wins[1] > wins[0], 1, -1)).astype(
            np.int8
        ),
        "margin": margin,
    }
    provenance = {**frame.attrs.get("provenance", {}), "rows": "series", "length": size}
    return make_frame(SERIES_COLUMNS, columns, provenance)


def summarize_series(frame: pd.DataFrame) -> pd.DataFrame:
    """Who wins series, in a tidy table like that of `summarize_games`.

    Args:
        frame: series of `group_series`.

    Returns:
        Rows, by measure: `win`, the share of series won by south, by north and (seat `none`)
        drawn; `margin`, the mean sum of south's scores minus north's; `split`, by outcome `k-m`
        the share of series in which south won k games and north m.
    """
    margins = frame["margin"].to_numpy().tolist()
    splits = Counter(zip(frame["south_wins"].tolist(), frame["north_wins"].tolist(), strict=True))
    table = tabulate_series(splits, sum(margins), sum(margin * margin for margin in margins))
    table.attrs["provenance"] = frame.attrs.get("provenance", {})
    return table


def tabulate_series(
    splits: Mapping[tuple[int, int], int], margins: int, squares: int
) -> pd.DataFrame:
    """The table of `summarize_series` from sums.

    Args:
        splits: how many series ended with so many games won by south and by north.
        margins, squares: the sum of their margins, and of the squares.
    """
    count = sum(splits.values())
    rows: list[tuple[Any, ...]] = []

    def add(measure: str, outcome: str, seat: str, number: int, figure: Estimate) -> None:
        rows.append(
            (measure, outcome, seat, number, figure.value, figure.se, figure.low, figure.high)
        )

    won = {"south": 0, "north": 0, "none": 0}
    for (south, north), number in splits.items():
        won["south" if south > north else "north" if north > south else "none"] += number
    for seat, number in won.items():
        add("win", "all", seat, number, estimate_share(number, count))
    add("margin", "all", "south", count, estimate_mean(margins, squares, count))
    for (south, north), number in sorted(splits.items()):
        add("split", f"{south}-{north}", "all", number, estimate_share(number, count))
    names = ["measure", "outcome", "seat", "count", "value", "se", "low", "high"]
    return pd.DataFrame(rows, columns=names)
