"""What a report shows of each kind of run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ginsim.errors import OptionError, join_words
from ginsim.files import read_records
from ginsim.plots.curves import plot_deadwood, plot_response
from ginsim.plots.knocks import plot_knock_gain
from ginsim.plots.lengths import plot_lengths
from ginsim.plots.shares import DUEL_WORDS, plot_intervals, plot_outcomes
from ginsim.plots.sources import name_cells
from ginsim.reports.balance import (
    ASK_WORDS,
    MOST_DRAWN,
    find_effects,
    find_roots,
    find_sweep,
    tell_players,
)
from ginsim.reports.commands import reproduce
from ginsim.reports.pictures import Picture, draw_picture
from ginsim.reports.tables import (
    Cell,
    Column,
    Figures,
    Head,
    Shown,
    pivot,
    rename,
    share,
    show_all,
    write_count,
    write_figures,
    write_words,
)
from ginsim.studies.data import Run

#: Cells of which sentences and pictures are given one by one.
MOST_TOLD = 8
#: Cells that are compared in one picture.
MOST_COMPARED = 8

#: Rows of decisions that are read for a picture.
MOST_READ = 3_000_000
#: Rows of a table that is shown unfolded.
MOST_UNFOLDED = 40

Tables = Mapping[str, pd.DataFrame]
Named = list[tuple[str, pd.DataFrame]]
Told = list[tuple[str, Figures]]


@dataclass
class Section:
    """What a page says of a run.

    Attributes:
        name, kind: of the run; kind in words.
        said: sentences on what was played.
        found: sentences on what came out.
        pictures, tables: in their order.
        rest: tables to be unfolded.
        commands: what reproduces each cell: its name and the command, empty if only the study
            file does.
        note: on what the commands show.
    """

    name: str
    kind: str
    said: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    tables: list[Shown] = field(default_factory=list)
    rest: list[Shown] = field(default_factory=list)
    commands: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""


#: The kinds in words.
KIND_WORDS = {
    "hands": "How hands end",
    "games": "Who wins games, and how long they last",
    "decisions": "What was decided",
    "knock": "Knock, or play on",
    "duel": "Who is stronger",
    "balance": "The balance of scoring",
}


def make_section(run: Run, tables: Tables, folder: Path, form: str) -> Section:
    """The section of a run.

    Args:
        tables: of the study, by name.
        folder: where their files are.
        form: the ending of their files.
    """
    section = Section(run.name, rename(KIND_WORDS, run.kind))
    section.said += _tell_run(run)
    maker = _MAKERS.get(run.kind)
    if maker is not None:
        maker(section, run, tables)
    if len(run.cells) > MOST_TOLD and section.found:
        section.found.append(f"These are the first {MOST_TOLD} of {len(run.cells)}.")
    if run.kind == "decisions":
        _add_deadwood(section, run, tables.get(f"{run.name}.rows"), folder)
    # What is long is unfolded by who wants it.
    section.rest = [shown for shown in section.tables if len(shown.rows) > MOST_UNFOLDED]
    section.tables = [shown for shown in section.tables if len(shown.rows) <= MOST_UNFOLDED]
    for name, table in tables.items():
        if name == run.name or name.startswith(f"{run.name}."):
            title = "All figures" if name == run.name else f"Table {name}"
            if not name.endswith(".rows"):
                section.rest.append(show_all(title, table, f"{name}.{form}"))
    return section


def _tell_run(run: Run) -> list[str]:
    """Who played what, and on which cards."""
    labels = pd.DataFrame([dict(cell.labels) for cell in run.cells])
    fixed = {key: labels[key].iloc[0] for key in labels if labels[key].nunique() == 1}
    lines = []
    if "rules" in fixed:
        lines.append(f"Rules: {fixed['rules']}.")
    elif "rules" in labels:
        names = [str(name) for name in dict.fromkeys(labels["rules"])]
        lines.append(f"Rules, compared on the same cards: {_list_some(names)}.")
    for key in labels:
        if key == "rules":
            continue
        names = [str(name) for name in dict.fromkeys(labels[key])]
        who = {"a": "A", "b": "B"}.get(str(key), str(key).capitalize())
        lines.append(f"{who}: {_list_some(names)}.")
    first = run.options.get("first", 0)
    start = f", from number {first:,}" if first else ""
    mirrored = (
        " Each deal is played twice, the second time with the seats' cards exchanged."
        if run.options.get("mirror") or run.kind == "duel"
        else ""
    )
    lines.append(f"Seed {run.seed}{start}.{mirrored}")
    if "precision" in run.options:
        measure = run.options.get("measure", "games")
        lines.append(
            f"Played until {rename(_MEASURE_WORDS, measure)} was known to "
            f"± {run.options['precision']:g}; the intervals are those that hold after stopping."
        )
    return lines


def _list_some(names: Sequence[str]) -> str:
    """Names, the first of them if they are many."""
    if len(names) <= MOST_TOLD:
        return join_words(names, "and")
    return f"{', '.join(names[: MOST_TOLD - 2])} and {len(names) - MOST_TOLD + 2} others"


_MEASURE_WORDS = {
    "win": "south's share of wins",
    "net": "south's points minus north's",
    "games": "the share of games",
    "hands": "the share of hands",
    "points": "the points a hand",
    "margin": "the score a game",
    "boxes": "the boxes a game",
    "nondealer_win": "the non-dealer's share of wins",
    "first_dealer_win": "the first dealer's share of wins",
}


def _split(run: Run, table: pd.DataFrame) -> Named:
    """The rows of each cell of a run by its name; a cell may have none."""
    labels = [dict(cell.labels) for cell in run.cells]
    names = name_cells(pd.DataFrame(labels))
    read = {key: table[key].map(_read_label).to_numpy(object) for key in labels[0]}
    parts = []
    for name, own in zip(names, labels, strict=True):
        is_own = np.full(len(table), True)
        for key, label in own.items():
            is_own &= read[key] == _read_label(label)
        parts.append((name, table[is_own]))
    return parts


def _read_label(label: object) -> object:
    """A label as pandas reads it from a file: what looks like a number is one."""
    try:
        return float(str(label))
    except ValueError:
        return str(label)


def _add_commands(section: Section, run: Run, counts: Sequence[int]) -> None:
    """The command for each cell, in the order of the tables."""
    names = name_cells(pd.DataFrame([dict(cell.labels) for cell in run.cells]))
    for name, cell, count in zip(names, run.cells, counts, strict=True):
        section.commands.append((name, reproduce(run, cell, count) or ""))
    if "precision" in run.options and run.kind != "duel":
        section.note = (
            "The commands play the same hands or games; their intervals are narrower, being those "
            "of a size chosen beforehand."
        )


def _find_varied(run: Run) -> list[str]:
    """The fields of numbers in which the rules of a run differ, if they are one or two.

    That with more values comes first, and has three at least; otherwise there is none.
    """
    values: dict[str, set[Any]] = {}
    for cell in run.cells:
        for key, value in cell.rules.values().items():
            values.setdefault(key, set()).add(value)
    varied = {key: found for key, found in values.items() if len(found) > 1}
    numbers = all(
        isinstance(value, int) and not isinstance(value, bool)
        for found in varied.values()
        for value in found
    )
    fields = sorted(varied, key=lambda key: -len(varied[key]))
    if not numbers or not 1 <= len(fields) <= 2 or len(varied[fields[0]]) < 3:
        return []
    return fields


def _answers(
    run: Run, cells: Told, find: Callable[[Figures], Any], fields: Sequence[str]
) -> pd.DataFrame:
    """The rows of a response curve: the first field's value, a figure, and which curve it is of."""
    labels = pd.DataFrame([dict(cell.labels) for cell in run.cells]).drop(columns="rules")
    names = name_cells(labels) if labels.drop_duplicates().shape[0] > 1 else [""] * len(cells)
    rows = []
    for (_, table), cell, who in zip(cells, run.cells, names, strict=True):
        row = find(table)
        if row is not None:
            values = cell.rules.values()
            others = [f"{field.replace('_', ' ')} {values[field]}" for field in fields[1:]]
            curve = ", ".join([*([who] if who else []), *others])
            rows.append((values[fields[0]], curve, row.value, row.low, row.high))
    return pd.DataFrame(rows, columns=[fields[0], "curve", "value", "low", "high"])


def _add_response(
    section: Section,
    run: Run,
    cells: Told,
    find: Callable[[Figures], Any],
    words: str,
    percent: bool,
    reference: float | None,
) -> bool:
    """A response curve, if the rules of the run differ in one number; whether they do."""
    fields = _find_varied(run)
    if not fields:
        return False
    frame = _answers(run, cells, find, fields)
    curves = frame["curve"].nunique()
    if not 1 <= curves <= MOST_COMPARED:
        return False
    name = fields[0].replace("_", " ")
    by = "curve" if curves > 1 else None
    section.pictures.append(
        draw_picture(
            lambda: plot_response(
                frame,
                fields[0],
                by=by,
                percent=percent,
                reference=reference,
                xlabel=name,
                ylabel=f"{words},\nwith 95 % intervals",
            ),
            f"{begin(words.split(', %', maxsplit=1)[0])}, by {name}, with 95 % intervals."
            + ("" if reference is None else " Dashed: equality."),
            _name_picture(section),
        )
    )
    return True


def _name_picture(section: Section) -> str:
    return f"{section.name}-{len(section.pictures) + 1}"


def begin(words: str) -> str:
    """Words that begin a sentence."""
    return words[:1].upper() + words[1:]


def _interval_words(row: Any, scale: float, sign: str = "") -> str:
    (cell,) = write_figures([row], scale, sign)
    return f"{cell.text} ({cell.note})" if cell.note else cell.text


# -- hands ----------------------------------------------------------------------------------------

#: How hands end, after a share of them.
_ENDS = {
    "knock": "end with a knock",
    "gin": "with gin",
    "big_gin": "with big gin",
    "undercut": "with an undercut",
    "clean_undercut": "with a clean undercut",
    "tie": "with a tie",
    "dead": "are dead",
}
_OUTCOMES = tuple(_ENDS)


def _make_hands(section: Section, run: Run, tables: Tables) -> None:
    parts = _split(run, tables[run.name])
    cells = [(name, Figures(table)) for name, table in parts]
    counts = [int(table.find("net", "", "").count) for _, table in cells]
    section.said.append(_tell_counts("hands", counts))
    for name, table in cells[:MOST_TOLD]:
        ends = [(outcome, table.find("share", outcome, "all")) for outcome in _OUTCOMES]
        happened = [(outcome, row) for outcome, row in ends if row is not None and row.count]
        happened.sort(key=lambda pair: -pair[1].value)
        most = [
            f"{_interval_words(row, 100).split(' ')[0]} %{of} {_ENDS[outcome]}"
            for of, (outcome, row) in zip((" of hands", "", ""), happened, strict=False)
        ]
        net = table.find("net", "", "")
        section.found.append(
            f"{name}: {join_words(most, 'and')}. South minus north: "
            f"{_interval_words(net, 1, '+')} points a hand."
        )
    if (
        not _add_response(
            section,
            run,
            cells,
            lambda table: table.find("net", "", ""),
            "points a hand, south minus north",
            False,
            0.0,
        )
        or len(cells) <= MOST_COMPARED
    ):
        section.pictures.append(
            draw_picture(
                lambda: plot_outcomes(dict(parts[:MOST_COMPARED])),
                "How hands end, in % of all hands, with 95 % intervals."
                + _tell_left_out(cells, MOST_COMPARED),
                _name_picture(section),
            )
        )
    outcomes = [
        share(outcome.replace("_", " "), "share", outcome, "all")
        for outcome in _OUTCOMES
        if any(_has(table, outcome) for _, table in cells)
    ]
    section.tables.append(pivot("How hands end", cells, outcomes, "hands of"))
    means = [
        share("won by south", "win", "", "south"),
        share("won by north", "win", "", "north"),
        share("won by the non-dealer", "win", "", "nondealer"),
        Column(Head("south minus north", "points a hand"), ("net", "", ""), 1.0, "+"),
        Column(Head("a hand that is won", "points"), ("points_per_win", "", "")),
        Column(Head("length", "turns"), ("turns", "", "")),
    ]
    section.tables.append(pivot("Who wins, and by how much", cells, means, "hands of"))
    _add_commands(section, run, counts)


def _tell_left_out(cells: Sequence[Any], shown: int) -> str:
    if len(cells) <= shown:
        return ""
    return f" The first {shown} of {len(cells)}; the tables have all."


def _has(table: Figures, outcome: str) -> bool:
    row = table.find("share", outcome, "all")
    return row is not None and bool(row.count)


def _tell_counts(unit: str, counts: Sequence[int]) -> str:
    if len({*counts}) == 1:
        each = " each" if len(counts) > 1 else ""
        return f"{counts[0]:,} {unit}{each}."
    return f"{min(counts):,} to {max(counts):,} {unit} each."


# -- games ----------------------------------------------------------------------------------------


def _make_games(section: Section, run: Run, tables: Tables) -> None:
    parts = _split(run, tables[run.name])
    cells = [(name, Figures(table)) for name, table in parts]
    counts = [int(table.find("margin", "", "").count) for _, table in cells]
    section.said.append(_tell_counts("games", counts))
    for name, table in cells[:MOST_TOLD]:
        wins = table.find("win", "", "south")
        length, middle = (
            table.find("hands", "", ""),
            table.find("hands_quantile", "0.5", ""),
        )
        section.found.append(
            f"{name}: south wins {_interval_words(wins, 100)} % of games. A game lasts "
            f"{_interval_words(length, 1)} hands on average, half of the games at most "
            f"{int(middle.value)}."
        )
    _add_response(
        section,
        run,
        cells,
        lambda table: table.find("win", "", "south"),
        "games won by south, %",
        True,
        0.5,
    )
    section.pictures.append(
        draw_picture(
            lambda: plot_lengths(dict(parts[: 2 * MOST_COMPARED])),
            "How many hands games last: the middle 80 % and the middle half of the games, median "
            "and mean." + _tell_left_out(cells, 2 * MOST_COMPARED),
            _name_picture(section),
        )
    )
    columns = [
        share("won by south", "win", "", "south"),
        share("won by north", "win", "", "north"),
        share("won by the first dealer", "win", "", "first_dealer"),
        share("shutouts", "shutout", "", "all"),
        share("drawn", "drawn", "", ""),
        Column(Head("south minus north", "score a game"), ("margin", "", ""), 1.0, "+"),
        Column(Head("south minus north", "boxes a game"), ("box_margin", "", ""), 1.0, "+"),
    ]
    section.tables.append(pivot("Who wins", cells, columns, "games of"))
    lengths = [
        Column(Head("mean", "hands"), ("hands", "", "")),
        *(
            Column(Head(words, "hands"), ("hands_quantile", quantile, ""))
            for quantile, words in (
                ("0.1", "10 % at most"),
                ("0.5", "median"),
                ("0.9", "90 % at most"),
            )
        ),
        Column(Head("mean", "turns"), ("turns", "", "")),
        Column(Head("dead", "hands"), ("dead_hands", "", "")),
    ]
    section.tables.append(pivot("How long games last", cells, lengths, "games of"))
    _add_commands(section, run, counts)


# -- duels ----------------------------------------------------------------------------------------


def _make_duel(section: Section, run: Run, tables: Tables) -> None:
    cells = _split(run, tables[f"{run.name}.verdicts"])
    concluded = [(name, Figures(table)) for name, table in cells]
    verdicts = [figures.rows[0] for _, figures in concluded]
    figures = _split(run, tables[run.name])
    measure = str(verdicts[0].measure)
    words, is_share, equal = DUEL_WORDS[measure]
    scale, sign = (100.0, "") if is_share else (1.0, "+")
    section.said.append(_tell_counts(str(verdicts[0].unit), [int(row.count) for row in verdicts]))
    for (name, _), row in list(zip(cells, verdicts, strict=True))[:MOST_TOLD]:
        section.found.append(
            f"{name}: {_tell_verdict(row)}. {begin(words.split(', %')[0])}: "
            f"{_interval_words(row, scale, sign)}{' %' if is_share else ''}."
        )
    if not _add_response(
        section, run, concluded, lambda figures: figures.rows[0], words, is_share, equal
    ):
        frame = pd.concat([table.assign(cell=name) for name, table in cells], ignore_index=True)
        section.pictures.append(
            draw_picture(
                lambda: plot_intervals(
                    frame.head(2 * MOST_COMPARED),
                    "cell",
                    reference=equal,
                    percent=is_share,
                    label=f"{words}, with 95 % intervals",
                ),
                f"{begin(words.split(', %')[0])}, with 95 % intervals. Hollow: A and B are "
                "not told apart. Dashed: equality." + _tell_left_out(cells, 2 * MOST_COMPARED),
                _name_picture(section),
            )
        )
    bodies = [
        [Cell(name) for name, _ in cells],
        [write_words(_tell_verdict(row)) for row in verdicts],
        write_figures(verdicts, scale, sign),
        [write_count(float(row.games_needed)) for row in verdicts],
        [write_count(float(row.count)) for row in verdicts],
    ]
    unit = str(verdicts[0].unit)
    heads = [
        Head("duel of", is_words=True),
        Head("verdict", is_words=True),
        Head(words.split(", %")[0], "%" if is_share else ""),
        Head(f"{unit} needed", "to tell apart"),
        Head(unit, "played"),
    ]
    note = f"{begin(unit)} needed: to tell apart players who differ so, 5 % two-sided, power 80 %."
    section.tables.append(
        Shown("Verdicts", heads, [list(row) for row in zip(*bodies, strict=True)], note)
    )
    columns = [
        Column(
            Head(text.split(", %")[0], "%" if shares else ""),
            (name, "", ""),
            100.0 if shares else 1.0,
            "" if shares else "+",
        )
        for name, (text, shares, _) in DUEL_WORDS.items()
    ]
    wide = [(name, Figures(table)) for name, table in figures]
    section.tables.append(pivot("All figures of the duels", wide, columns, "duel of"))
    _add_commands(section, run, [int(row.count) for row in verdicts])


def _tell_verdict(row: Any) -> str:
    if str(row.verdict) == "not told apart":
        return "A and B are not told apart"
    return f"{str(row.verdict)[0]} is stronger"


# -- decisions ------------------------------------------------------------------------------------


def _make_decisions(section: Section, run: Run, tables: Tables) -> None:
    cells = _split(run, tables[run.name])
    section.said.append(_tell_counts("hands", [int(run.options["count"])] * len(cells)))
    several = len(cells) > 1
    rows, names = [], []
    for name, table in cells:
        for row in table[table["seat"].astype(str) == "all"].itertuples():
            rows.append(row)
            names.append(name)
    known: list[Any] = rows
    bodies = [
        *([[Cell(name) for name in names]] if several else []),
        [write_words(row.kind) for row in known],
        [write_words(row.action) for row in known],
        [write_count(float(row.count)) for row in known],
        write_figures(known, 100.0),
        [_write_mean(row.deadwood_before) for row in known],
        [_write_mean(row.deadwood_after) for row in known],
    ]
    heads = [
        *([Head("decisions of", is_words=True)] if several else []),
        Head("decision", is_words=True),
        Head("action", is_words=True),
        Head("times"),
        Head("share", "% of the decision"),
        Head("deadwood before", "pips, mean"),
        Head("deadwood after", "pips, mean"),
    ]
    section.tables.append(
        Shown(
            "What was done at each decision, both seats",
            heads,
            [list(row) for row in zip(*bodies, strict=True)],
        )
    )
    _add_commands(section, run, [int(run.options["count"])] * len(cells))


def _add_deadwood(section: Section, run: Run, rows: pd.DataFrame | None, folder: Path) -> None:
    """Deadwood by turn, where the study kept the decisions and a picture can hold them."""
    if rows is None:
        return
    for name, part in _split(run, rows)[:MOST_TOLD]:
        entry: Any = next(part.itertuples())
        if entry.rows > MOST_READ:
            section.said.append(f"{entry.file} has too many rows for a picture of deadwood.")
            continue
        frame = read_records(folder / entry.file)
        # Only of some kinds of decisions there may be no discard.
        with suppress(OptionError):
            section.pictures.append(
                draw_picture(
                    lambda frame=frame: plot_deadwood(frame),  # type: ignore[misc]
                    f"{name}: deadwood after the best discard, by own turn, in hands that are "
                    "still played; means with 95 % intervals.",
                    _name_picture(section),
                )
            )


def _write_mean(value: float) -> Cell:
    return Cell(f"{value:.2f}", key=float(value))


# -- knocks ---------------------------------------------------------------------------------------

_KEY_WORDS = {
    "turn": "own turn",
    "deadwood": "deadwood",
    "pick_ups": "pick-ups of the opponent",
    "own_pick_ups": "own pick-ups",
    "stock": "stock",
    "limit": "knock limit",
}


def _make_knock(section: Section, run: Run, tables: Tables) -> None:
    table = tables[run.name]
    cells = _split(run, table)
    section.said.append(_tell_counts("hands", [int(run.options["count"])] * len(cells)))
    for place, (name, part) in enumerate(cells[:MOST_TOLD]):
        if not len(part):
            section.found.append(f"{name}: there was no chance to knock.")
            continue
        verdicts = part["verdict"].astype(str).value_counts()
        section.found.append(
            f"{name}: of {len(part)} situations a knock is better in {verdicts.get('knock', 0)}, "
            f"playing on in {verdicts.get('play on', 0)}; in {verdicts.get('not told apart', 0)} "
            f"they are not told apart, in {verdicts.get('not enough', 0)} hands are too few."
        )
        # A table that is not by turn and deadwood has no picture.
        with suppress(OptionError):
            section.pictures.append(
                draw_picture(
                    lambda part=part: plot_knock_gain(part),  # type: ignore[misc]
                    f"{name}: points a hand that a knock brings more than playing on, by own turn "
                    "and deadwood. Hatched, with a question mark: the verdict is open.",
                    f"{section.name}-{place + 1}",
                )
            )
    if not len(table):
        _add_commands(section, run, [int(run.options["count"])] * len(cells))
        return
    several = len(cells) > 1
    names = [name for name, part in cells for _ in range(len(part))]
    rows: list[Any] = [row for _, part in cells for row in part.itertuples()]
    keys = [key for key in _KEY_WORDS if (table[key] >= 0).any()]
    gains = [_Figure(row.gain, row.low, row.high) for row in rows]
    shares = {
        what: [
            _Figure(*(getattr(row, f"{what}{end}") for end in ("", "_low", "_high")))
            for row in rows
        ]
        for what in ("undercut", "opponent_first", "own_gin")
    }
    bodies = [
        *([[Cell(name) for name in names]] if several else []),
        *([[write_count(float(getattr(row, key))) for row in rows] for key in keys]),
        write_figures(gains, 1.0, "+"),
        [write_words(row.verdict) for row in rows],
        [write_count(float(row.deals)) for row in rows],
        *(
            [
                Cell(_percent(figure.value), key=figure.value)
                if math.isfinite(figure.value)
                else Cell("-")
                for figure in figures
            ]
            for figures in shares.values()
        ),
    ]
    heads = [
        *([Head("hands of", is_words=True)] if several else []),
        *(Head(_KEY_WORDS[key]) for key in keys),
        Head("a knock brings more", "points a hand"),
        Head("verdict", is_words=True),
        Head("hands"),
        Head("undercut", "if knocked, %"),
        Head("opponent first", "if played on, %"),
        Head("own gin", "if played on, %"),
    ]
    section.tables.append(
        Shown(
            "Knock, or play on",
            heads,
            [list(row) for row in zip(*bodies, strict=True)],
            "Intervals are 95 %, each for itself; the verdicts of a rule set and players hold "
            "together (Holm).",
        )
    )
    _add_commands(section, run, [int(run.options["count"])] * len(cells))


@dataclass(frozen=True)
class _Figure:
    value: float
    low: float
    high: float


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


# -- balance --------------------------------------------------------------------------------------


def _make_balance(section: Section, run: Run, tables: Tables) -> None:
    ask = run.options["ask"]
    section.kind = ASK_WORDS[ask]
    section.said += tell_players(run)
    parts = _split(run, tables[run.name])
    if ask == "sweep":
        found = find_sweep(parts)
    elif ask == "solve":
        found = find_roots(run, parts, _split(run, tables[f"{run.name}.values"]))
    else:
        found = find_effects(run, parts)
    section.found += found.told[:MOST_TOLD]
    for drawing in found.drawings[:MOST_DRAWN]:
        section.pictures.append(draw_picture(drawing.draw, drawing.caption, _name_picture(section)))
    if len(found.drawings) > MOST_DRAWN:
        section.found.append(
            f"The first {MOST_DRAWN} of {len(found.drawings)} pictures; the tables have all."
        )
    section.tables += found.tables
    _add_commands(section, run, [int(run.options["count"])] * len(run.cells))


_MAKERS: dict[str, Callable[[Section, Run, Tables], None]] = {
    "hands": _make_hands,
    "games": _make_games,
    "duel": _make_duel,
    "decisions": _make_decisions,
    "knock": _make_knock,
    "balance": _make_balance,
}
