"""Knock, or play on: what a knock brings by turn and deadwood, and knock tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ginsim.errors import OptionError, join_words
from ginsim.plots.drawing import FAINT, add_legend, make_figure, need_columns, take_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.knock_solving import KnockSolution

#: Turns from this on are one.
LAST_TURN = 16
_CELL = 0.36
#: What tells cells of one turn and deadwood apart, in words.
_LAYERS = {
    "limit": "knock limit",
    "pick_ups": "pick-ups of the opponent",
    "own_pick_ups": "own pick-ups",
    "stock": "cards in the stock",
}


def _check_cells(frame: pd.DataFrame) -> None:
    """See that a table has a turn and a deadwood a row, each pair once."""
    if (frame["turn"] < 0).any() or (frame["deadwood"] < 0).any():
        raise OptionError(
            "frame: its rows are not told apart by turn and deadwood; allowed: a table by both"
        )
    twice = frame[frame.duplicated(["turn", "deadwood"])]
    if len(twice):
        turn, deadwood = int(twice["turn"].iloc[0]), int(twice["deadwood"].iloc[0])
        keys = [name for name in _LAYERS if name in frame and frame[name].nunique() > 1]
        example = f'frame[frame["{keys[0]}"] == {frame[keys[0]].iloc[0]}]' if keys else "one table"
        raise OptionError(
            f"frame: has several rows for turn {turn} and deadwood {deadwood}; allowed: one, such "
            f"as those of {example}"
        )


def _set_axes(ax: Axes, turns: list[int], deadwoods: list[int]) -> None:
    ax.set_xticks(range(len(deadwoods)), [str(each) for each in deadwoods])
    names = [f"{turn}+" if turn == LAST_TURN else str(turn) for turn in turns]
    ax.set_yticks(range(len(turns)), names)
    ax.set_xlim(-0.5, len(deadwoods) - 0.5)
    ax.set_ylim(len(turns) - 0.5, -0.5)
    ax.set_xlabel("deadwood after the best discard, pips")
    ax.set_ylabel("own turn")
    ax.tick_params(length=0)


def _spans(frame: pd.DataFrame) -> tuple[list[int], list[int]]:
    turns, deadwoods = (frame[name].astype(int) for name in ("turn", "deadwood"))
    return (
        list(range(int(turns.min()), int(turns.max()) + 1)),
        list(range(int(deadwoods.min()), int(deadwoods.max()) + 1)),
    )


def plot_knock_gain(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What a knock brings more than playing on, by own turn and deadwood.

    Args:
        frame: the table of `knock_timing` by turn and deadwood, or of a study's run of kind
            knock; a row for each pair of them.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes. Each cell has the gain in points; the lighter, the more a knock brings. Hatched
        cells with a question mark are those for which the verdict is open: the two moves are not
        told apart, or hands are too few for a verdict.

    Raises:
        OptionError: for other columns, several rows for a cell, and without matplotlib.
    """
    wanted = ("turn", "deadwood", "gain", "verdict")
    need_columns(frame, wanted, "the table of knock_timing by turn and deadwood")
    _check_cells(frame)
    turns, deadwoods = _spans(frame)
    ax = take_axes(ax, 0.75 + 0.36 * max(len(deadwoods), 9), 2.0 + 0.27 * len(turns))
    from matplotlib import colormaps
    from matplotlib.patches import Patch, Rectangle

    certain = frame[frame["verdict"].isin(["knock", "play on"])]
    shown = certain if len(certain) else frame
    gains = shown["gain"].abs()
    most = max(float(gains.max()) if gains.notna().any() else 0.0, 1.0)
    values = np.full((len(turns), len(deadwoods)), np.nan)
    row: Any
    for row in frame.itertuples():
        values[int(row.turn) - turns[0], int(row.deadwood) - deadwoods[0]] = row.gain
    image = ax.imshow(
        values, cmap="cividis", vmin=-most, vmax=most, aspect="auto", interpolation="nearest"
    )
    colours = colormaps["cividis"]
    for row in frame.itertuples():
        x, y = int(row.deadwood) - deadwoods[0], int(row.turn) - turns[0]
        if np.isnan(row.gain):
            continue
        level = min(max((row.gain / most + 1) / 2, 0.0), 1.0)
        ink = "white" if level < 0.55 else "black"
        is_open = row.verdict not in ("knock", "play on")
        if is_open:
            ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, hatch="///", ec=ink, lw=0))
        ax.text(
            x,
            y,
            _spell(row.gain) + "?" * is_open,
            ha="center",
            va="center",
            fontsize=6.3,
            color=ink,
            # On the hatch a figure is read on its own ground.
            bbox={"facecolor": colours(level), "pad": 0.6, "lw": 0} if is_open else None,
        )
    _set_axes(ax, turns, deadwoods)
    figure: Any = ax.figure
    bar = figure.colorbar(image, ax=ax, location="bottom", pad=0.02, fraction=0.05, shrink=0.9)
    bar.set_label("points a hand that a knock brings more")
    add_legend(ax, [Patch(fc="white", ec=FAINT, hatch="////", label="? verdict open")])
    return ax


def _spell(gain: float) -> str:
    text = f"{gain:+.1f}"
    return "0.0" if float(text) == 0 else text


def plot_knock_table(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A knock table: with which deadwood it knocks, turn by turn.

    Args:
        table: `KnockSolution.table`, of one knock limit and number of pick-ups; a row for each
            pair of turn and deadwood.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes. Dark cells with a K knock, white ones play on; hatched ones are those to which
        no hand came, so that they are as the turn before.

    Raises:
        OptionError: for other columns, several rows for a cell, and without matplotlib.
    """
    wanted = ("turn", "deadwood", "knock", "inherited")
    need_columns(table, wanted, "the table of a KnockSolution")
    _check_cells(table)
    turns, deadwoods = _spans(table)
    ax = take_axes(ax, 1.3 + _CELL * max(len(deadwoods), 8), 1.7 + 0.25 * len(turns))
    _draw_table(ax, table, turns, deadwoods)
    _add_key(ax)
    return ax


def _draw_table(ax: Axes, table: pd.DataFrame, turns: list[int], deadwoods: list[int]) -> None:
    from matplotlib.patches import Rectangle

    row: Any
    for row in table.itertuples():
        x, y = int(row.deadwood) - deadwoods[0], int(row.turn) - turns[0]
        ax.add_patch(
            Rectangle(
                (x - 0.5, y - 0.5),
                1,
                1,
                facecolor=_KNOCK if row.knock else "white",
                edgecolor=FAINT,
                hatch="///" if row.inherited else None,
                lw=0.6,
            )
        )
        if row.knock:
            ax.text(x, y, "K", ha="center", va="center", fontsize=8, color="white")
    _set_axes(ax, turns, deadwoods)


#: The fill of a knock: dark, so that it is one in grey too.
_KNOCK = "#00436b"


def _add_key(ax: Axes) -> None:
    from matplotlib.patches import Patch

    handles = [
        Patch(fc=_KNOCK, ec=FAINT, label="K knock"),
        Patch(fc="white", ec=FAINT, label="play on"),
        Patch(fc="white", ec=FAINT, hatch="////", label="no hand comes: as the turn before"),
    ]
    add_legend(ax, handles, columns=1)


def plot_knock_tables(solution: KnockSolution | pd.DataFrame) -> list[Axes]:
    """A whole solved knock table: axes for each knock limit and number of pick-ups it tells apart.

    Args:
        solution: the result of `solve_knocks`, or its table.

    Returns:
        The axes of a new figure, one for each layer of the table in its order.

    Raises:
        OptionError: for a table with other columns, and without matplotlib.
    """
    table: Any = getattr(solution, "table", solution)
    need_columns(table, ("turn", "deadwood", "knock", "inherited"), "a KnockSolution or its table")
    keys = [name for name in ("limit", "pick_ups") if name in table and table[name].nunique() > 1]
    layers = list(table.groupby(keys)) if keys else [((), table)]
    if len(layers) == 1:
        return [plot_knock_table(layers[0][1])]
    turns, deadwoods = _spans(table)
    across = min(len(layers), 2)
    down = -(-len(layers) // across)
    figure = make_figure(
        across * (0.9 + 0.27 * len(deadwoods)), 1.0 + down * (0.8 + 0.22 * len(turns))
    )
    drawn: list[Axes] = []
    for number, (place, layer) in enumerate(layers, start=1):
        ax = figure.add_subplot(down, across, number)
        wide = list(range(int(layer["deadwood"].min()), int(layer["deadwood"].max()) + 1))
        _draw_table(ax, layer, turns, wide)
        values = place if isinstance(place, tuple) else (place,)
        ax.set_title(join_words(map(_tell_layer, keys, values), "and"))
        drawn.append(ax)
    _add_key(drawn[-1])
    return drawn


def _tell_layer(key: str, value: int) -> str:
    most = f"{value}+" if key == "pick_ups" and value == 3 else str(value)
    return f"{_LAYERS[key]} {most}"
