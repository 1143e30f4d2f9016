"""The balance of scoring: sweeps over rules, where ways are equal, which fields matter."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ginsim.balance.grid import format_value
from ginsim.balance.measures import MEASURES, Measure
from ginsim.balance.sensitivity import tell_words
from ginsim.balance.solving import tell_roots
from ginsim.errors import OptionError, refuse, show
from ginsim.plots.curves import plot_response
from ginsim.plots.drawing import COLOURS, FAINT, add_legend, make_figure, need_columns, take_axes
from ginsim.plots.shares import plot_intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.balance.sensitivity import FieldEffects
    from ginsim.balance.solving import FieldSolution
    from ginsim.intervals import Estimate

#: More curves in a panel are not told apart.
MOST_CURVES = 8
#: Panels side by side.
_ACROSS = 3
#: Effects that are drawn, the greatest of them.
_MOST_EFFECTS = 20
#: A line of a title, in letters.
_TITLE = 44


# -- sweeps ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """Which picture a sweep makes. Made by `arrange`.

    Attributes:
        x: the axis along which the curves run; empty if nothing varies but the players, who stand
            below each other then.
        panel: the axis of which each value has a panel of its own; empty for one panel a measure.
        curves: the axes that tell curves apart.
        has_players: whether curves, or lines, are of different players too.
    """

    x: str
    panel: str
    curves: tuple[str, ...]
    has_players: bool


def arrange(axes: Mapping[str, Sequence[Any]], lineups: int, what: str = "plot") -> Layout:
    """What is drawn along x, in panels and as curves: x is the field of numbers with most values.

    Args:
        axes: the values of what varies.
        lineups: how many there are.
        what: what an error calls the picture.

    Raises:
        OptionError: if there would be too many curves in a panel.
    """
    varied = {name: own for name, own in axes.items() if len(own) > 1}
    numbers = [name for name, own in varied.items() if all(type(value) is int for value in own)]
    x = max(numbers or list(varied), key=lambda name: len(varied[name]), default="")
    rest = [name for name in varied if name != x]
    count = lineups * math.prod(len(varied[name]) for name in rest) if x else 1
    panel = ""
    if count > MOST_CURVES and rest:
        # The field with most values, so that the fewest curves are in a panel.
        panel = max(rest, key=lambda name: len(varied[name]))
        rest.remove(panel)
        count //= len(varied[panel])
    if count > MOST_CURVES:
        raise OptionError(
            f"{what}: {count} curves in a panel; allowed: up to {MOST_CURVES}, by fewer values or "
            "strategies"
        )
    return Layout(x, panel, tuple(rest), lineups > 1)


def plot_sweep(table: pd.DataFrame, *, difference: bool = False) -> list[Axes]:
    """How measures answer to what a sweep varies, a panel for each.

    Along x is the field of numbers with most values; other fields and strategies make curves, up to
    eight, and beyond that a field has a panel for each of its values.

    Args:
        table: that of `sweep_rules`, or some rows of it; of one with `--out` what pandas reads.
        difference: show what differs from the base, and not the figures themselves.

    Returns:
        The axes of a new figure, with 95 % intervals as bands. The base is a dashed line.

    Raises:
        OptionError: for other columns, too many curves, and without matplotlib.
    """
    layout, cells = lay_out(table)
    names = [name for name in MEASURES if (cells["measure"] == name).any()]
    is_base = cells["cell"] == 0
    panels = list(dict.fromkeys(cells[layout.panel][~is_base])) if layout.panel else [None]
    wanted = [(name, value) for name in names for value in panels]
    across = min(_ACROSS, len(wanted))
    down = -(-len(wanted) // across)
    lines = 1 if layout.x else cells["who"].nunique()
    figure = make_figure(4.6 * across, down * (3.7 if layout.x else 1.7 + 0.45 * lines))
    grid: Any = figure.subplots(down, across, squeeze=False)
    drawn = []
    for ax, (name, value) in zip(grid.flat, wanted, strict=False):
        part = cells[cells["measure"] == name]
        part = part if value is None else part[is_base | (part[layout.panel] == value)]
        draw_measure(part, layout, MEASURES[name], ax, difference=difference)
        if value is not None:
            title = f"{_name_field(layout.panel)}: {value}"
            ax.set_title(f"{ax.get_title(loc='left')}\n{title}", loc="left")
        drawn.append(ax)
    for ax in list(grid.flat)[len(wanted) :]:
        ax.set_axis_off()
    # One explanation of the curves is enough: the last of those that have all.
    most = max(range(len(drawn)), key=lambda place: (_count_labels(drawn[place]), place))
    for place, ax in enumerate(drawn):
        if place != most and (legend := ax.get_legend()) is not None:
            legend.remove()
    return drawn


def _count_labels(ax: Axes) -> int:
    return len(ax.get_legend_handles_labels()[1])


def find_axes(table: pd.DataFrame) -> list[str]:
    """The columns of a sweep's table that say what varies."""
    names = [str(name) for name in table]
    after = names[names.index("cell") + 1 :]
    ends = [after.index(name) for name in ("strategy", "adapted") if name in after]
    return after[: min(ends)]


def lay_out(table: pd.DataFrame, what: str = "plot") -> tuple[Layout, pd.DataFrame]:
    """The layout of a sweep's picture, and its rows with `who` and `curve` beside them.

    Raises:
        OptionError: for other columns, and too many curves.
    """
    wanted = ("cell", "adapted", "measure", "value", "low", "high", "difference")
    need_columns(table, wanted, "a table of sweep_rules")
    if unknown := [name for name in table["measure"].unique() if name not in MEASURES]:
        raise OptionError(f"table: unknown measure {show(unknown[0])}; allowed: those of MEASURES")
    axes = find_axes(table)
    cells = table.copy()
    cells.attrs = {}
    has_players = "strategy" in cells and "against" in cells
    who = (
        [
            str(one) if one == other else f"{one} – {other}"
            for one, other in zip(*(cells[key] for key in ("strategy", "against")), strict=True)
        ]
        if has_players
        else [""] * len(cells)
    )
    cells["who"] = who
    for name in axes:
        if not pd.api.types.is_numeric_dtype(cells[name]) or cells[name].dtype == bool:
            plain = (getattr(value, "item", lambda value=value: value)() for value in cells[name])
            cells[name] = [format_value(value) for value in plain]
    grid = cells[cells["cell"] > 0]
    values = {name: list(dict.fromkeys(grid[name].tolist())) for name in axes}
    layout = arrange(values, max(grid["who"].nunique(), 1), what)
    parts = [
        [f"{name.replace('_', ' ')} {format_value(value)}" for value in cells[name].tolist()]
        for name in layout.curves
    ]
    parts += [who] if layout.has_players else []
    curve = [", ".join(each) for each in zip(*parts, strict=True)] if parts else [""] * len(cells)
    # A curve looks alike in all panels, also where another has no figure.
    own = [name for name, cell in zip(curve, cells["cell"].tolist(), strict=True) if cell]
    cells["curve"] = pd.Categorical(curve, list(dict.fromkeys([*own, *curve])))
    return layout, cells


def draw_measure(
    cells: pd.DataFrame, layout: Layout, measure: Measure, ax: Axes | None, *, difference: bool
) -> Axes:
    """A panel: a measure in all cells.

    Args:
        cells: its rows, as `lay_out` gives them.
    """
    columns = {"difference": "value", "difference_low": "low", "difference_high": "high"}
    rows = cells
    if difference:
        rows = cells.drop(columns=["value", "low", "high"]).rename(columns=columns)
    rows = rows.replace(
        {key: {math.inf: math.nan, -math.inf: math.nan} for key in columns.values()}
    )
    base = rows[rows["cell"] == 0]["value"]
    reference = float(base.iloc[0]) if len(base) and math.isfinite(base.iloc[0]) else None
    grid = rows[rows["cell"] > 0]
    grid = grid if len(grid) else rows
    unit = "%" if measure.is_share else ""
    what = f"{measure.name.replace('_', ' ')}{' minus the base' if difference else ''}"
    label = ", ".join([what, *([unit] if unit else [])])
    note = "" if reference is None else "dashed: the base"
    if not grid["value"].notna().any():
        ax = take_axes(ax, 4.5, 3.6)
        ax.text(0.5, 0.5, "no figure", ha="center", va="center", transform=ax.transAxes)
        ax.set_axis_off()
    elif layout.x:
        by = "curve" if len(grid["curve"].cat.categories) > 1 else None
        ax = plot_response(
            grid,
            layout.x,
            ax,
            by=by,
            percent=measure.is_share,
            xlabel="\n".join([_name_field(layout.x), *([note] if note else [])]),
            ylabel=label,
            reference=reference,
        )
    else:
        grid = grid[grid["value"].notna()]
        ax = plot_intervals(
            grid.assign(who=grid["who"].where(grid["who"] != "", "all")),
            "who",
            ax,
            percent=measure.is_share,
            label="\n".join([label, *([note] if note else [])]),
        )
        if reference is not None:
            scale = 100.0 if measure.is_share else 1.0
            ax.axvline(scale * reference, color=FAINT, linestyle="--", linewidth=1)
    ax.set_title(_wrap(measure.meaning), loc="left")
    return ax


def _name_field(name: str) -> str:
    """A field, or several, in words that fit below an axis."""
    return _wrap(name.replace("_", " ").replace("+", " + "))


# -- roots ----------------------------------------------------------------------------------------


def plot_roots(found: FieldSolution, ax: Axes | None = None) -> Axes:
    """Where a difference is zero: the difference at the values looked at, the root, its interval.

    Args:
        found: the result of `solve_field`.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes: the difference with its 95 % band, equality dashed, the set of roots shaded, each
        root a line, and what is printed as a diamond where it is one number.

    Raises:
        OptionError: for another object, and without matplotlib.
    """
    if not hasattr(found, "roots") or not hasattr(found, "printed"):
        raise OptionError(refuse("found", found, "a result of solve_field"))
    values = {getattr(found.rules, name) for name in found.field.split("+")}
    printed = values.pop() if len(values) == 1 else None
    roots = found.roots
    who = f"{found.lineup.strategy.name} – {found.lineup.against.name}"
    if found.rival is not None:
        who = (
            f"{found.lineup.strategy.name} minus {found.rival}, against {found.lineup.against.name}"
        )
    told = tell_roots(roots.kind, roots.roots, roots.intervals, roots.sign, roots.bounds)
    return draw_roots(
        found.table.rename(columns={"value": "x", "difference": "value"}),
        found.field,
        found.measure,
        found.target,
        roots.roots,
        roots.intervals,
        (printed, found.printed),
        f"{who}\n{told}",
        ax,
    )


def draw_roots(
    rows: pd.DataFrame,
    field: str,
    measure: Measure,
    target: float,
    roots: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    printed: tuple[Any, Estimate],
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """The picture of `plot_roots` from its parts.

    Args:
        rows: x, value, low, high.
        printed: the value of the field as printed, a number if it can be shown, and its difference.
    """
    scale = 100.0 if measure.is_share else 1.0
    ax = take_axes(ax, 4.6, 4.2)
    plot_response(
        rows,
        "x",
        ax,
        percent=measure.is_share,
        xlabel=_name_field(field),
        ylabel=_wrap(
            f"{measure.meaning}{f', minus {scale * target:g}' if target else ''}"
            f"{', %' if measure.is_share else ''}"
        ),
        reference=0.0,
    )
    value, figure = printed
    is_number = type(value) is int
    low, high = _find_span(
        rows["x"].to_numpy(float), roots, intervals, value if is_number else None
    )
    shaded = [(max(first, low), min(last, high)) for first, last in intervals]
    for place, (first, last) in enumerate(pair for pair in shaded if pair[0] <= pair[1]):
        label = None if place else "equal, 95 %"
        ax.axvspan(first, last, facecolor="#d0d0d0", edgecolor=FAINT, lw=0.8, zorder=0, label=label)
    for place, root in enumerate(root for root in roots if low <= root <= high):
        ax.axvline(root, color="black", lw=1.2, label=None if place else "equal, as estimated")
    if is_number and low <= value <= high:
        ax.errorbar(
            [value],
            [scale * figure.value],
            yerr=[[scale * (figure.value - figure.low)], [scale * (figure.high - figure.value)]],
            fmt="D",
            color=COLOURS[4],
            mec="black",
            capsize=3,
            label="as printed",
        )
    ax.set_xlim(low, high)
    if ax.get_legend_handles_labels()[0]:
        add_legend(ax)
    ax.set_title(
        "\n".join(line for part in title.split("\n") for line in textwrap.wrap(part, 52)),
        loc="left",
    )
    return ax


def _find_span(
    x: Any, roots: Sequence[float], intervals: Sequence[tuple[float, float]], printed: int | None
) -> tuple[float, float]:
    """What is shown along x: the values looked at, and what is found not too far beyond."""
    low, high = float(np.min(x)), float(np.max(x))
    reach = high - low
    others = [*roots, *(bound for pair in intervals for bound in pair)]
    if printed is not None:
        others.append(float(printed))
    near = [one for one in others if low - reach <= one <= high + reach]
    first, last = min([low, *near]), max([high, *near])
    room = 0.04 * (last - first)
    return first - room, last + room


# -- effects --------------------------------------------------------------------------------------


def plot_effects(found: FieldEffects, ax: Axes | None = None) -> Axes:
    """Which fields move a measure most: effects with 95 % intervals, the greatest on top.

    Args:
        found: the result of `field_effects`. Of many terms the twenty greatest are drawn.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes; an effect that is not told from zero is hollow.

    Raises:
        OptionError: for another object, and without matplotlib.
    """
    if not hasattr(found, "effects") or not hasattr(found, "measure"):
        raise OptionError(refuse("found", found, "a result of field_effects"))
    who = f"{found.lineup.strategy.name} – {found.lineup.against.name}"
    title = f"{found.rules.name}, {who}"
    return draw_effects(found.effects, found.measure, found.levels, title, ax)


def draw_effects(
    effects: pd.DataFrame,
    measure: Measure,
    levels: Mapping[str, Sequence[Any]],
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """The picture of `plot_effects` from its parts."""
    rows = effects.head(_MOST_EFFECTS)
    terms = [term.replace("_", " ").replace("+", " + ") for term in rows["term"]]
    lines = [
        f"{measure.meaning}{', %' if measure.is_share else ''}:",
        "from low to high, with 95 % intervals",
        *tell_words(levels),
    ]
    if len(effects) > len(rows):
        lines.append(f"the {len(rows)} greatest of {len(effects)}")
    figures = pd.DataFrame(
        {"term": terms, "value": rows["effect"].to_numpy()}
        | {name: rows[name].to_numpy() for name in ("low", "high")}
    )
    ax = plot_intervals(
        figures,
        "term",
        take_axes(ax, 4.8, 1.4 + 0.42 * len(rows)),
        reference=0.0,
        percent=measure.is_share,
        label="\n".join(_wrap(line, 32) for line in lines),
    )
    ax.set_title(_wrap(title, 32), loc="left")
    return ax


def _wrap(text: str, width: int = _TITLE) -> str:
    return "\n".join(textwrap.wrap(text, width))
