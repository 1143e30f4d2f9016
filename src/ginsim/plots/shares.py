"""Values with their intervals, side by side: outcomes, verdicts, ratings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from ginsim.errors import OptionError
from ginsim.plots.drawing import (
    COLOURS,
    FAINT,
    HATCHES,
    MARKERS,
    add_legend,
    need_columns,
    pick,
    take_axes,
    tidy,
    wrap_name,
)
from ginsim.plots.sources import list_tables
from ginsim.stats import Tally, summarize

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.duels import Duel
    from ginsim.tournaments import Tournament

_WIDTH = 4.5


def plot_outcomes(source: Any, ax: Axes | None = None) -> Axes:
    """How hands end, in % of all hands, with 95 % intervals.

    Args:
        source: hands (a frame of `simulate`), a `Tally`, a table of `summarize`, the table of a
            study's run of hands, or a mapping of names to any of these, which are then compared.
            Outcomes that never happened are left out.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes.

    Raises:
        OptionError: for a source that is none of these, and without matplotlib.
    """
    what = "hands, a Tally, a table of summarize, or a mapping of names to these"
    tables = list_tables(source, summarize, Tally, what)
    rows: list[tuple[str, dict[str, Any]]] = []
    for name, table in tables:
        found = table[(table["measure"] == "share") & (table["seat"] == "all")]
        if not len(found):
            raise OptionError(f"source: has no shares of outcomes; allowed: {what}")
        rows.append((name, {str(row.outcome): row for row in found.itertuples()}))
    happened = [
        outcome
        for outcome in rows[0][1]
        if any(outcome in shares and shares[outcome].count for _, shares in rows)
    ]
    if not happened:
        raise OptionError("source: has no hand; allowed: one hand or more")
    ax = take_axes(ax, _WIDTH, 1.1 + 0.2 * max(len(rows), 2) * len(happened))
    thick = 0.84 / len(rows)
    most = 0.0
    for place, (name, shares) in enumerate(rows):
        spots = [line - 0.42 + thick * (place + 0.5) for line in range(len(happened))]
        known: list[Any] = [shares[outcome] for outcome in happened]
        values = [100 * row.value for row in known]
        ax.barh(
            spots,
            values,
            height=thick * 0.92,
            color=pick(COLOURS, place),
            hatch=pick(HATCHES, place),
            edgecolor="white",
            linewidth=0.0,
            label=wrap_name(name) or None,
        )
        ends = [_bounds(row, 100) for row in known]
        errors = [
            [value - low for value, (low, _) in zip(values, ends, strict=True)],
            [high - value for value, (_, high) in zip(values, ends, strict=True)],
        ]
        ax.errorbar(values, spots, xerr=errors, fmt="none", ecolor="black", capsize=2, lw=1)
        for spot, value, (_, high) in zip(spots, values, ends, strict=True):
            ax.text(high + 1.5, spot, _percent(value), va="center", fontsize=8)
            most = max(most, high)
    ax.set_xlim(0, most * 1.04 + 14)
    ax.set_yticks(range(len(happened)), [name.replace("_", " ") for name in happened])
    ax.invert_yaxis()
    ax.set_xlabel("% of hands, with 95 % intervals")
    ax.set_ylabel("how hands end")
    tidy(ax)
    if len(rows) > 1:
        add_legend(ax)
    return ax


def _percent(value: float) -> str:
    if value == 0:
        return "0 %"
    digits = 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{digits}f} %"


def _bounds(row: Any, scale: float = 1.0) -> tuple[float, float]:
    """The interval; where there is none, the value alone."""
    low, high = (scale * row.value if math.isnan(x) else scale * x for x in (row.low, row.high))
    return low, high


def plot_intervals(
    frame: pd.DataFrame,
    names: str | list[str],
    ax: Axes | None = None,
    *,
    reference: float | None = None,
    percent: bool = False,
    label: str = "value, with 95 % interval",
) -> Axes:
    """A value with its interval for each row of a table, from top to bottom.

    Args:
        frame: rows with the columns value, low and high, such as those of `estimate` or of a
            study's verdicts. A bound that is nan is not drawn.
        names: the column, or columns, that name the rows.
        ax: axes to draw on; None for those of a new figure.
        reference: a line to compare with, such as 0.5 for equal shares; a row whose interval
            has it inside is drawn hollow.
        percent: values are shares; show them in %.
        label: what is shown, with its unit.

    Returns:
        The axes.

    Raises:
        OptionError: for other columns, and without matplotlib.
    """
    columns = [names] if isinstance(names, str) else list(names)
    need_columns(frame, (*columns, "value", "low", "high"), "rows with value, low and high")
    scale = 100.0 if percent else 1.0
    ax = take_axes(ax, _WIDTH, 1.0 + 0.42 * len(frame))
    rows: list[Any] = list(frame.itertuples())
    for line, row in enumerate(rows):
        low, high = _bounds(row, scale)
        value = scale * row.value
        inside = reference is not None and low <= scale * reference <= high
        ax.errorbar(
            [value],
            [line],
            xerr=[[value - low], [high - value]],
            fmt=MARKERS[0],
            color=COLOURS[0],
            mfc="white" if inside else COLOURS[0],
            capsize=3,
        )
    if reference is not None:
        ax.axvline(scale * reference, color=FAINT, linestyle="--", linewidth=1)
    texts = [": ".join(str(each) for each in line) for line in frame[columns].to_numpy()]
    ax.set_yticks(range(len(rows)), [wrap_name(text) for text in texts])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlabel(label)
    tidy(ax)
    return ax


#: The figures of a duel: in words, whether they are shares, what equality is.
DUEL_WORDS = {
    "games": ("games won by A, %", True, 0.5),
    "hands": ("hands won by A, %", True, 0.5),
    "points": ("points a hand, A minus B", False, 0.0),
    "margin": ("score a game, A minus B", False, 0.0),
    "boxes": ("boxes a game, A minus B", False, 0.0),
}


def plot_duel(duel: Duel, ax: Axes | None = None) -> Axes:
    """Who is stronger: the shares that A won, or with a precision how the figure settled.

    Args:
        duel: the result of `duel`.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes. Of a duel of a fixed size they show the share of games and of hands that A won,
        with 95 % intervals, hollow where A and B are not told apart; of one with a precision the
        figure that decides, at each look, with the bounds that hold after stopping.

    Raises:
        OptionError: without matplotlib.
    """
    from ginsim.plots.curves import plot_response

    title = f"A {wrap_name(duel.a.name)}\nB {wrap_name(duel.b.name)}"
    if len(duel.looks):
        words, is_share, equal = DUEL_WORDS[duel.measure]
        # The first looks know nothing: a critical value of 8 fills the picture.
        table = duel.looks[duel.looks["deals"] >= duel.looks["deals"].max() / 50]
        ax = plot_response(
            table,
            "deals",
            ax,
            percent=is_share,
            xlabel="deals, each played twice with seats changed",
            ylabel=words,
            reference=equal,
        )
        ax.set_title(title, loc="left")
        return ax
    table = duel.table[duel.table["measure"].isin(["games", "hands"])]
    table = table.assign(what=[f"{measure} won by A" for measure in table["measure"]])
    label = "%, with 95 % intervals; equality is dashed"
    ax = plot_intervals(table, "what", ax, reference=0.5, percent=True, label=label)
    ax.set_title(title, loc="left")
    return ax


def plot_ratings(tournament: Tournament | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Ratings in Elo points with 95 % intervals, the strongest on top.

    Args:
        tournament: the result of `tournament`, or its table `ratings`.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes. Players in groups that cannot be compared have markers of their own; players
        without a finite rating are named in the label below.

    Raises:
        OptionError: for a table with other columns, and without matplotlib.
    """
    frame: Any = getattr(tournament, "ratings", tournament)
    wanted = ("player", "elo", "elo_low", "elo_high", "group")
    need_columns(frame, wanted, "a Tournament, or its ratings")
    rated = frame[frame["elo"].notna()]
    ax = take_axes(ax, _WIDTH, 1.0 + 0.42 * max(len(rated), 1))
    groups = list(dict.fromkeys(frame["group"]))
    rows: list[Any] = list(rated.itertuples())
    for line, row in enumerate(rows):
        low, high = (row.elo if math.isnan(x) else x for x in (row.elo_low, row.elo_high))
        place = groups.index(row.group)
        ax.errorbar(
            [row.elo],
            [line],
            xerr=[[row.elo - low], [high - row.elo]],
            fmt=pick(MARKERS, place),
            color=pick(COLOURS, place),
            capsize=3,
        )
    ax.axvline(0, color=FAINT, linestyle="--", linewidth=1)
    ax.set_yticks(range(len(rows)), [wrap_name(str(row.player)) for row in rows])
    ax.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    label = "Elo points, with 95 % intervals"
    if without := [str(name) for name in frame["player"][frame["elo"].isna()]]:
        label += "\nno finite rating: " + "\n".join(map(wrap_name, without))
    ax.set_xlabel(label)
    tidy(ax)
    return ax
