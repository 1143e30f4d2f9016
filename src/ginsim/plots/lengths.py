"""How long games last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import OptionError
from ginsim.game_stats import MOST_COUNTED, QUANTILES, GameTally, summarize_games
from ginsim.plots.drawing import COLOURS, MARKERS, add_legend, take_axes, tidy, wrap_name
from ginsim.plots.sources import list_tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_lengths(source: Any, ax: Axes | None = None) -> Axes:
    """How many hands games last.

    Args:
        source: a `GameTally`, of which the share of games of each length is shown; or games (a
            frame of `simulate_games`), a table of `summarize_games`, the table of a study's run
            of games, or a mapping of names to any of these, of which the middle half, the middle
            80 %, median and mean are shown side by side.
        ax: axes to draw on; None for those of a new figure.

    Returns:
        The axes.

    Raises:
        OptionError: for a source that is none of these, and without matplotlib.
    """
    if isinstance(source, GameTally):
        return _plot_shares(source, ax)
    what = "games, a GameTally, a table of summarize_games, or a mapping of names to these"
    tables = list_tables(source, summarize_games, GameTally, what)
    rows = []
    for name, table in tables:
        found = table[table["measure"] == "hands_quantile"]
        listed: list[Any] = list(found.itertuples())
        marks = {round(float(row.outcome), 3): float(row.value) for row in listed}
        means = table[table["measure"] == "hands"]["value"]
        if not {*QUANTILES} <= marks.keys() or not len(means):
            raise OptionError(f"source: has no lengths of games; allowed: {what}")
        rows.append((name, [marks[share] for share in QUANTILES], float(means.iloc[0])))
    ax = take_axes(ax, 4.5, 1.7 + 0.45 * len(rows))
    for line, (_, marks_of, mean) in enumerate(rows):
        low, first, middle, third, high = marks_of
        is_first = line == 0
        ax.plot(
            [low, high],
            [line, line],
            color=COLOURS[0],
            lw=1.5,
            marker="|",
            label="middle 80 % of games" if is_first else None,
        )
        ax.plot(
            [first, third],
            [line, line],
            color=COLOURS[0],
            lw=8,
            alpha=0.55,
            solid_capstyle="butt",
            label="middle half" if is_first else None,
        )
        ax.plot(
            [middle],
            [line],
            marker=MARKERS[0],
            color="black",
            ls="none",
            label="median" if is_first else None,
        )
        ax.plot(
            [mean],
            [line],
            marker=MARKERS[3],
            mfc="white",
            color="black",
            ls="none",
            label="mean" if is_first else None,
        )
    ax.set_yticks(range(len(rows)), [wrap_name(name) for name, _, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(left=0)
    ax.set_xlabel("hands of a game")
    tidy(ax)
    add_legend(ax)
    return ax


def _plot_shares(tally: GameTally, ax: Axes | None) -> Axes:
    """The share of games of each length."""
    counts = np.asarray(tally.sums["lengths"][0], np.int64)
    total = int(counts.sum())
    if not total:
        raise OptionError("source: has no game; allowed: one game or more")
    ax = take_axes(ax, 4.5, 3.4)
    # To where all but one game in a thousand have ended.
    last = int(np.searchsorted(np.cumsum(counts), 0.999 * total))
    lengths = np.arange(last + 1)
    ax.bar(lengths, 100 * counts[: last + 1] / total, width=0.85, color=COLOURS[0])
    middle = int(np.searchsorted(np.cumsum(counts), np.ceil(total / 2)))
    ax.axvline(middle, color="black", linestyle="--", linewidth=1, label=f"median {middle} hands")
    first = int(np.flatnonzero(counts)[0])
    locator: Any = ax.xaxis.get_major_locator()
    locator.set_params(integer=True)
    ax.set_xlim(min(first, last) - 1, last + 1)
    label = "hands of a game"
    if last >= MOST_COUNTED:
        label += f"; {MOST_COUNTED} for all that are longer"
    left_out = total - int(counts[: last + 1].sum())
    if left_out:
        label += f"\n({left_out:,} of {total:,} games are longer)"
    ax.set_xlabel(label)
    ax.set_ylabel("% of games")
    tidy(ax, "y")
    ax.legend(frameon=False, loc="upper right", fontsize=9)
    return ax
