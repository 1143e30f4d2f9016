"""What a report says of the balance of scoring: sentences, pictures and tables of its tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ginsim.balance.measures import MEASURES, Measure
from ginsim.balance.sensitivity import tell_words
from ginsim.balance.solving import tell_roots
from ginsim.errors import OptionError
from ginsim.intervals import Estimate
from ginsim.plots.balance import draw_effects, draw_measure, draw_roots, find_axes, lay_out
from ginsim.reports.tables import Cell, Head, Shown, write_figures, write_words
from ginsim.ruletext import format_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.studies.data import Run

Named = Sequence[tuple[str, pd.DataFrame]]

#: The questions in words.
ASK_WORDS = {
    "sweep": "What rules do to the game",
    "solve": "At which value ways are equal",
    "sensitivity": "Which rules matter most",
}
#: Pictures of one run.
MOST_DRAWN = 8

_ADAPTED = {
    "none": "Nobody adapts: all play the same way by every rule.",
    "against": "The opponent's knock table is solved anew for each value; nothing else adapts.",
    "all": "All knock tables are solved anew for each value; nothing else adapts.",
}


class Drawing(NamedTuple):
    """A picture to be drawn, and what it shows."""

    draw: Callable[[], Axes]
    caption: str


class Found(NamedTuple):
    """What came out of a run: sentences on each cell, pictures, tables."""

    told: list[str]
    drawings: list[Drawing]
    tables: list[Shown]


class Figure(NamedTuple):
    """A figure with its interval."""

    value: float
    low: float
    high: float


def tell_players(run: Run) -> list[str]:
    """What was played, and what is supposed of the players."""
    unit = "hands" if "hands" in run.options else "games"
    players = run.cells[0].players
    twice = any(cell.players[0] != cell.players[1] for cell in run.cells) or len(players) > 2
    return [
        f"{run.options['count']:,} {unit} of each value, on the same deals"
        f"{'; each deal is played twice, with the seats changed' if twice else ''}.",
        _ADAPTED[run.options["adapt"]],
    ]


def _scale(measure: Measure) -> float:
    return 100.0 if measure.is_share else 1.0


def _unit(measure: Measure) -> str:
    return " %" if measure.is_share else ""


def _write(figure: Figure | Any, measure: Measure, sign: str) -> str:
    (cell,) = write_figures([figure], _scale(measure), sign)
    return f"{cell.text}{_unit(measure)}{f' ({cell.note})' if cell.note else ''}"


# -- sweeps ---------------------------------------------------------------------------------------


def find_sweep(parts: Named) -> Found:
    """What came out of sweeps, each with its base."""
    found = Found([], [], [])
    for name, table in parts:
        grid = table[(table["cell"] > 0) & table["p_holm"].notna()]
        clear = grid[grid["p_holm"] < 0.05]
        found.told.append(
            f"{name}: of {len(grid)} differences from the base {len(clear)} are told from 0 "
            "(5 %, Holm)."
        )
        found.drawings.extend(_draw_sweep(name, table))
        found.tables.extend(_tabulate_sweep(name if len(parts) > 1 else "", table))
    return found


def _draw_sweep(name: str, table: pd.DataFrame) -> Iterator[Drawing]:
    # A grid of too many curves has its tables.
    with suppress(OptionError):
        layout, cells = lay_out(table)
        is_base = cells["cell"] == 0
        panels = list(dict.fromkeys(cells[layout.panel][~is_base])) if layout.panel else [None]
        for measure in (one for key, one in MEASURES.items() if (cells["measure"] == key).any()):
            for panel in panels:
                is_shown = cells["measure"] == measure.name
                where = ""
                if panel is not None:
                    is_shown &= is_base | (cells[layout.panel] == panel)
                    where = f", {_head_axis(layout.panel).text} {panel}"
                rows = cells[is_shown]
                yield Drawing(
                    lambda rows=rows, measure=measure: draw_measure(  # type: ignore[misc]
                        rows, layout, measure, None, difference=False
                    ),
                    f"{name}{where}: {measure.meaning}{', in %' if measure.is_share else ''}, "
                    "with 95 % intervals. Dashed: the base.",
                )


def _tabulate_sweep(name: str, table: pd.DataFrame) -> Iterator[Shown]:
    """A row for each cell, a column for each measure: figures, and what differs from the base."""
    axes = find_axes(table)
    of = f"{name}: " if name else ""
    for unit in ("hand", "game"):
        rows = table[table["unit"] == unit]
        names = [key for key in MEASURES if (rows["measure"] == key).any()]
        if not names:
            continue
        cells = rows.drop_duplicates("cell")
        for columns, caption, sign in (
            (("value", "low", "high"), f"{of}measures of {unit}s", ""),
            (
                ("difference", "difference_low", "difference_high"),
                f"{of}measures of {unit}s, minus those of the base",
                "+",
            ),
        ):
            shown = cells if not sign else cells[cells["cell"] > 0]
            if not len(shown):
                continue
            heads = [Head("cell", is_words=True), *map(_head_axis, axes)]
            bodies = [["base" if not cell else str(cell) for cell in shown["cell"]]]
            bodies += [[_write_value(value) for value in shown[axis].tolist()] for axis in axes]
            columns_of_cells = [[Cell(text) for text in body] for body in bodies]
            for key in names:
                own = rows[rows["measure"] == key].set_index("cell")
                figures = [
                    Figure(*(float(own.loc[cell, column]) for column in columns))
                    if cell in own.index
                    else None
                    for cell in shown["cell"]
                ]
                measure = MEASURES[key]
                heads.append(Head(key.replace("_", " "), "%" if measure.is_share else ""))
                columns_of_cells.append(write_figures(figures, _scale(measure), sign))
            lines = [list(line) for line in zip(*columns_of_cells, strict=True)]
            yield Shown(f"{caption[:1].upper()}{caption[1:]}", heads, lines)


def _head_axis(axis: str) -> Head:
    return Head(axis.replace("_", " ").replace("+", " + "))


def _write_value(value: Any) -> str:
    plain = value.item() if hasattr(value, "item") else value
    return str(plain) if isinstance(plain, str) else format_value(plain)


# -- roots ----------------------------------------------------------------------------------------


def find_roots(run: Run, parts: Named, values: Named) -> Found:
    """What came out of `solve`: a row for each part of each set of roots, and the values."""
    found = Found([], [], [])
    bodies: list[list[Cell]] = []
    for (name, table), (_, looked), cell in zip(parts, values, run.cells, strict=True):
        rows: list[Any] = list(table.itertuples())
        row = rows[0]
        measure = MEASURES[row.measure]
        intervals = [(one.low, one.high) for one in rows if not math.isnan(one.low)]
        # In a set without a part there may be none; else each part has its own.
        texts = [str(one.roots) for one in rows if isinstance(one.roots, str | float | int)]
        roots = [float(word) for text in texts for word in text.split() if word != "nan"]
        bounds = (float(looked["value"].min()), float(looked["value"].max()))
        if row.method == "line":
            bounds = (-math.inf, math.inf)
        sign = 1 if (looked["difference"] > 0).all() else -1
        told = tell_roots(row.kind, roots, intervals, sign, bounds)
        printed = Figure(row.printed, row.printed_low, row.printed_high)
        fields = row.field.split("+")
        numbers = {getattr(cell.rules, field) for field in fields}
        text = " and ".join(format_value(number) for number in sorted(numbers, key=str))
        rival = cell.players[2].name if len(cell.players) > 2 else None
        first, other = cell.players[0].name, cell.players[1].name
        who = f"{first} – {other}"
        if rival is not None:
            who = f"{first} minus {rival}, against {other}"
        goal = f", minus {_scale(measure) * row.target:g}{_unit(measure)}" if row.target else ""
        found.told.append(
            f"{name}, {who}: {measure.meaning}{goal}. {told}. As printed ({text}): "
            f"{_write(printed, measure, '+')}, {_VERDICTS[row.verdict]}."
        )
        number = numbers.pop() if len(numbers) == 1 else None
        found.drawings.append(
            Drawing(
                lambda looked=looked,
                row=row,
                roots=roots,
                intervals=intervals,
                printed=printed,  # type: ignore[misc]
                number=number,
                measure=measure,
                title=f"{who}\n{told}": draw_roots(
                    looked.rename(columns={"value": "x", "difference": "value"}),
                    row.field,
                    measure,
                    row.target,
                    roots,
                    intervals,
                    (number, Estimate(printed.value, math.nan, printed.low, printed.high)),
                    title,
                ),
                f"{name}, {who}: the difference by {_head_axis(row.field).text}, with 95 % "
                "intervals. Shaded: values at which it is not told from 0. Dashed: equality.",
            )
        )
        bodies.append(
            [
                Cell(name),
                Cell(row.field.replace("_", " ").replace("+", " + ")),
                Cell(text),
                *write_figures([printed], _scale(measure), "+"),
                write_words(row.verdict),
                Cell(told),
            ]
        )
    heads = [
        Head("rules and players", is_words=True),
        Head("field", is_words=True),
        Head("as printed"),
        Head("difference", "as printed"),
        Head("verdict", is_words=True),
        Head("equal", is_words=True),
    ]
    found.tables.append(Shown("Where it is equal", heads, bodies))
    return found


_VERDICTS = {
    "more": "more than equality",
    "less": "less than equality",
    "not told apart": "not told from equality",
}


# -- effects --------------------------------------------------------------------------------------


def find_effects(run: Run, parts: Named) -> Found:
    """What came out of `sensitivity`."""
    found = Found([], [], [])
    measure = MEASURES[run.options.get("measure", "points")]
    levels = run.options["vary"]
    for name, table in parts:
        rows: list[Any] = list(table.itertuples())
        figures = [Figure(row.effect, row.low, row.high) for row in rows]
        first = rows[0]
        found.told.append(
            f"{name}: {_head_axis(first.term).text} moves most, by "
            f"{_write(figures[0], measure, '+')}: {measure.meaning}."
        )
        found.drawings.append(
            Drawing(
                lambda table=table, name=name: draw_effects(table, measure, levels, name),  # type: ignore[misc]
                f"{name}: what each field, and each two together, move; with 95 % intervals. "
                "Hollow: not told from 0. Dashed: nothing.",
            )
        )
        heads = [
            Head("effect of", is_words=True),
            Head("low to high", "%" if measure.is_share else measure.name.replace("_", " ")),
            Head("p", "Holm"),
            Head("share of variance"),
        ]
        bodies = [
            [Cell(_head_axis(row.term).text) for row in rows],
            write_figures(figures, _scale(measure), "+"),
            [_write_small(row.p_holm) for row in rows],
            [_write_small(row.share) for row in rows],
        ]
        lines = [list(line) for line in zip(*bodies, strict=True)]
        caption = f"{name}: effects" if len(parts) > 1 else "Effects"
        note = (
            "An effect is the measure at the highest value minus that at the lowest, over all "
            "values of the others; of two fields, half of what one's effect differs between the "
            "other's ends."
        )
        note = " ".join([note, *(f"Of {words}." for words in tell_words(levels))])
        found.tables.append(Shown(caption, heads, lines, note))
    return found


def _write_small(value: float) -> Cell:
    return Cell("-") if math.isnan(value) else Cell(f"{value:.3g}", key=float(value))
