"""Curves with bands: how a figure answers to a field of the rules; deadwood by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ginsim.errors import OptionError
from ginsim.estimates import estimate
from ginsim.plots.drawing import (
    COLOURS,
    FAINT,
    LINES,
    MARKERS,
    add_legend,
    need_columns,
    pick,
    take_axes,
    tidy,
    wrap_name,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: More points than this have no markers: they would be a stripe.
_MOST_MARKED = 24
#: More points than this have no whiskers beside the band.
_MOST_WHISKERS = 12
#: A turn that fewer hands come to is not drawn.
_LEAST_HANDS = 30


def plot_response(
    frame: pd.DataFrame,
    x: str,
    ax: Axes | None = None,
    *,
    by: str | None = None,
    percent: bool = False,
    xlabel: str | None = None,
    ylabel: str = "value, with 95 % interval",
    reference: float | None = None,
) -> Axes:
    """How a figure answers to what is varied: a curve with a band, or several.

    Args:
        frame: rows with the columns value, low and high, and with what is varied; of a study's
            table the rows of one measure. A row without a value is left out, and the band where
            there are no bounds.
        x: the column of what is varied: numbers, which are put in order, or words, which stay in
            the order of the rows.
        ax: axes to draw on; None for those of a new figure.
        by: the column that tells curves apart, if there are several; its categories, if it has
            some, say which look is whose, whether or not it has rows here.
        percent: values are shares; show them in %.
        xlabel, ylabel: what is varied and what is shown, with units.
        reference: a line to compare with, such as 0.5 for equal shares.

    Returns:
        The axes.

    Raises:
        OptionError: for other columns, and without matplotlib.
    """
    columns = (x, "value", "low", "high", *([] if by is None else [by]))
    need_columns(frame, columns, "rows with what is varied, value, low and high")
    frame = frame[frame["value"].notna()]
    if not len(frame):
        raise OptionError("frame: no row has a value; allowed: rows with a value")
    scale = 100.0 if percent else 1.0
    ax = take_axes(ax, 4.5, 3.6)
    numbers = bool(pd.api.types.is_numeric_dtype(frame[x]))
    words = [] if numbers else list(dict.fromkeys(frame[x]))
    names = [None] if by is None else _list_names(frame[by])
    for place, name in enumerate(names):
        part = frame if by is None else frame[frame[by] == name]
        if not len(part):
            continue
        part = part.sort_values(x, kind="stable") if numbers else part
        spots = part[x].to_numpy(float) if numbers else [words.index(word) for word in part[x]]
        values, low, high = (scale * part[key].to_numpy(float) for key in ("value", "low", "high"))
        colour = pick(COLOURS, place)
        ax.plot(
            spots,
            values,
            color=colour,
            marker=pick(MARKERS, place) if len(part) <= _MOST_MARKED else None,
            markersize=5,
            linestyle=pick(LINES, place),
            label=None if name is None else wrap_name(str(name)),
        )
        ax.fill_between(spots, low, high, color=colour, alpha=0.2, linewidth=0)
        if len(part) <= _MOST_WHISKERS:
            known = ~(np.isnan(low) | np.isnan(high))
            errors = [(values - low)[known], (high - values)[known]]
            ax.errorbar(
                np.asarray(spots)[known],
                values[known],
                yerr=errors,
                fmt="none",
                ecolor=colour,
                capsize=3,
                lw=1,
            )
    if reference is not None:
        ax.axhline(scale * reference, color=FAINT, linestyle="--", linewidth=1)
    if words:
        ax.set_xticks(range(len(words)), [wrap_name(str(word)) for word in words])
    elif frame[x].nunique() <= 12:
        ticks = sorted(frame[x].unique())
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_xlabel(x.replace("_", " ") if xlabel is None else xlabel)
    ax.set_ylabel(ylabel)
    tidy(ax, "y")
    if by is not None and len(names) > 1:
        add_legend(ax)
    return ax


def _list_names(column: pd.Series[Any]) -> list[Any]:
    """What tells curves apart, in order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return list(column.cat.categories)
    return list(dict.fromkeys(column))


def plot_deadwood(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How deadwood falls: mean deadwood after the best discard, by own turn.

    Args:
        frame: decisions (a frame of `decisions`), those of kind discard among them. Turns to
            which fewer than 30 hands of a seat come are left out.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes, with the means and their 95 % intervals, by deal, for each seat. Each turn is
        of the hands that are still played then, so a mean is not that of one hand as it goes on.

    Raises:
        OptionError: for other rows, and without matplotlib.
    """
    wanted = ("kind", "seat", "turn", "best_deadwood", "deal")
    need_columns(frame, wanted, "a frame of decisions")
    rows = frame[(frame["kind"] == "discard") & (frame["best_deadwood"] >= 0)]
    hands = rows.groupby(["seat", "turn"], observed=True)["best_deadwood"].transform("size")
    rows = rows[hands >= min(_LEAST_HANDS, int(hands.max()) if len(hands) else 0)]
    if not len(rows):
        raise OptionError('frame: has no decision of kind "discard"; allowed: decisions with some')
    table = estimate(rows, mean="best_deadwood", by=["seat", "turn"])
    seats = table["seat"].astype(str).map(_name_seats(frame))
    ax = plot_response(
        table.assign(seat=seats),
        "turn",
        ax,
        by="seat",
        xlabel="own turn, in hands still played",
        ylabel="mean deadwood after the best discard,\npips, with 95 % intervals",
    )
    ax.set_ylim(bottom=0)
    return ax


def _name_seats(frame: pd.DataFrame) -> dict[str, str]:
    """The seats with who plays there, if the frame says so."""
    origin: Any = frame.attrs.get("provenance", {}).get("strategies", {})
    names = {}
    for seat in ("south", "north"):
        player = origin.get(seat, {}).get("name")
        names[seat] = seat if player is None else f"{seat}: {player}"
    return names
