"""`ginsim balance`: what a rule does to the game, and at which value two ways to play are equal."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ginsim.cli.options import (
    DEFAULT_STRATEGY,
    STRATEGY,
    Size,
    check_plot,
    draw_plot,
    force_option,
    json_option,
    plot_option,
    rules_argument,
    seed_option,
    threads_option,
)
from ginsim.cli.text import format_entries, format_sentences, format_table, print_json
from ginsim.errors import show

if TYPE_CHECKING:
    import pandas as pd

    from ginsim.balance.sensitivity import FieldEffects
    from ginsim.balance.solving import FieldSolution

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group()
def balance() -> None:
    """Study what a rule does to the game, and which value makes two ways to play equal.

    docs/balance.md explains the measures, and what is supposed of the players.
    """


def size_options(command: Command) -> Command:
    """How much is played."""
    command = click.option(
        "--games",
        type=Size(low=2),
        help="Whole games of each cell.  [default: 10_000, where the measures are of games]",
    )(command)
    return click.option(
        "--hands",
        type=Size(low=2),
        help="Single hands of each cell.  [default: 100_000, where the measures are of hands]",
    )(command)


def play_options(command: Command) -> Command:
    """What is as for any other command that plays."""
    options = (
        seed_option,
        click.option(
            "--first",
            type=Size(),
            default=0,
            help="Index of the first hand or game.  [default: 0]",
        ),
        click.option(
            "--max-hands",
            type=Size(low=1, high=32_000),
            default=10_000,
            help="A game without a winner after so many hands ends unfinished.  [default: 10_000]",
        ),
        threads_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def adapt_options(command: Command) -> Command:
    """Whether players know the rules of each cell."""
    command = click.option(
        "--solve-hands",
        type=Size(low=100),
        help="With --adapt: hands of each of the three streams of a solution.  [default: 100_000]",
    )(command)
    return click.option(
        "--adapt",
        type=click.Choice(["none", "against", "all"]),
        is_flag=False,
        flag_value="all",
        default="none",
        show_default=True,
        help="Solve the knock tables anew for each cell: of the strategy --against, or of all. "
        "--adapt alone is all.",
    )(command)


vary_option = click.option(
    "--vary",
    "vary",
    multiple=True,
    metavar="FIELD=VALUES",
    help="A field and its values, LOW:HIGH:STEP with both ends or a list with commas; fields "
    "joined by + have the same value. May be given again.",
)


def read_vary(texts: Sequence[str]) -> dict[str, str]:
    """The fields and values of `--vary`."""
    vary: dict[str, str] = {}
    problems = []
    for text in texts:
        field, equals, values = (part.strip() for part in text.partition("="))
        if not (field and equals and values):
            problems.append(
                f"--vary: {show(text)} is not allowed; allowed: FIELD=VALUES, such as "
                "undercut_bonus=0:50:5 or gin_bonus=20,25,30"
            )
        elif field in vary:
            problems.append(f"--vary: {show(field)} is there twice; allowed: once")
        vary[field] = values
    if problems:
        from ginsim.errors import OptionError

        raise OptionError(*problems)
    return vary


# -- measures -------------------------------------------------------------------------------------


@balance.command()
@json_option
def measures(as_json: bool) -> None:
    """List what is measured."""
    from ginsim.balance.measures import MEASURES

    if as_json:
        print_json(
            {
                name: {
                    "unit": measure.unit,
                    "meaning": measure.meaning,
                    "reads": list(measure.reads),
                    "form": measure.form,
                    "share": measure.is_share,
                    "equal": measure.equal,
                    "needs": measure.needs or None,
                }
                for name, measure in MEASURES.items()
            }
        )
        return
    for unit in ("hand", "game"):
        entries = [
            (name, measure.meaning) for name, measure in MEASURES.items() if measure.unit == unit
        ]
        click.echo(f"of {unit}s\n{format_entries(entries)}\n")
    click.echo('"The first" is the strategy, "the second" the one against it.')


# -- sweep ----------------------------------------------------------------------------------------


@balance.command()
@rules_argument
@vary_option
@click.option(
    "--strategy",
    "--strategies",
    "strategies",
    type=STRATEGY,
    multiple=True,
    metavar="STRATEGY",
    help=f"How the first plays; may be given again.  [default: {DEFAULT_STRATEGY}]",
)
@click.option(
    "--against",
    type=STRATEGY,
    multiple=True,
    metavar="STRATEGY",
    help="Who plays against it; may be given again.  [default: itself]",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="What is measured (see `ginsim balance measures`); may be given again.  [default: all]",
)
@size_options
@adapt_options
@click.option(
    "--replay", is_flag=True, help="Play every cell, also where pricing the hands of one is exact."
)
@play_options
@plot_option
@force_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table to a file: .csv (pandas reads it with skiprows=1), or .parquet with "
    "pyarrow installed.",
)
@json_option
def sweep(
    rules: str,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    strategies: tuple[str, ...],
    against: tuple[str, ...],
    measures: tuple[str, ...],
    threads: int | None,
    plot: Path | None,
    out: Path | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure every combination of values of fields of RULES, and of strategies, on common deals.

    Differences are from the base: RULES as they are, with the first strategy. Intervals are 95 %.
    """
    from ginsim.balance.sweeping import sweep_rules
    from ginsim.cli.progress import show_progress
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    if out is not None:
        from ginsim.errors import OptionError, refuse
        from ginsim.files import check_target

        if out.suffix.lower() not in (".csv", ".parquet"):
            raise OptionError(refuse("--out", str(out), "a name that ends in .csv or .parquet"))
        check_target(out, force, "--out")
    _drop_solve_hands(options)
    check_plot(plot, force)
    grid = read_vary(vary)
    if plot is not None:
        from ginsim.balance.grid import read_axes
        from ginsim.plots.balance import arrange

        lineups = max(len(strategies), 1) * max(len(against), 1)
        arrange({axis.name: axis.values for axis in read_axes(grid)}, lineups, "--plot")
    start = time.perf_counter()
    with show_progress("hands and games") as progress:
        table = sweep_rules(
            loaded,
            vary=grid,
            strategies=list(strategies) or [DEFAULT_STRATEGY],
            against=list(against) or None,
            measures=list(measures) or None,
            threads=threads,
            progress=progress,
            **options,
        )
    seconds = time.perf_counter() - start
    if out is not None:
        from ginsim.files import check_place, write_whole

        check_place(out, force, "--out")
        write_whole(out, _write_table(table, out.suffix.lower()))
    if as_json:
        print_json(_sweep_document(loaded.name, table, seconds))
    else:
        _print_sweep(loaded.name, table, seconds)
        if out is not None:
            click.echo(f"table in {out}")
    draw_plot(plot, force, "plot_sweep", table, as_json)


def _write_table(table: pd.DataFrame, ending: str) -> bytes:
    """A file of the table, with the provenance as files of records have it (docs/files.md)."""
    from ginsim.formats import Header
    from ginsim.studies.tablefolder import write_table

    # Parquet has it in what pandas keeps of a frame.
    data = write_table(table, ending[1:])
    if ending == ".csv":
        header = Header("sweep", table.attrs["provenance"], len(table))
        data = f"# ginsim {header.encode()}\n".encode("ascii") + data
    return data


def _drop_solve_hands(options: dict[str, Any]) -> None:
    if options["solve_hands"] is not None and options["adapt"] == "none":
        raise click.UsageError("--solve-hands needs --adapt: it is about solving knock tables")


def _list_axes(table: pd.DataFrame) -> list[str]:
    return list(table.attrs["provenance"]["vary"])


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


_FIGURE = ("value", "se", "low", "high")


def _sweep_document(rules: str, table: pd.DataFrame, seconds: float) -> dict[str, Any]:
    axes = _list_axes(table)
    names = list(table.columns)
    cells: dict[int, dict[str, Any]] = {}
    for values in table.itertuples(index=False, name=None):
        row = dict(zip(names, values, strict=True))
        cell = cells.setdefault(
            row["cell"],
            {
                "cell": row["cell"],
                "values": {axis: _plain(row[axis]) for axis in axes},
                "strategy": row["strategy"],
                "against": row["against"],
                "adapted": row["adapted"],
                "measures": {},
            },
        )
        cell["measures"][row["measure"]] = {
            "unit": row["unit"],
            "deals": row["deals"],
            "way": row["way"],
            **{key: _number(row[key]) for key in _FIGURE},
            "difference": {
                key: _number(row[name])
                for key, name in zip(
                    (*_FIGURE, "p", "p_holm"),
                    (
                        *("difference", "difference_se", "difference_low", "difference_high"),
                        *("p", "p_holm"),
                    ),
                    strict=True,
                )
            },
        }
    return {
        "rules": rules,
        "cells": list(cells.values()),
        "seconds": seconds,
        "provenance": table.attrs["provenance"],
    }


def _print_sweep(rules: str, table: pd.DataFrame, seconds: float) -> None:
    from ginsim.balance.grid import format_value
    from ginsim.balance.measures import MEASURES

    axes = _list_axes(table)
    origin = table.attrs["provenance"]
    names = [name for name in MEASURES if (table["measure"] == name).any()]
    lineups = table[["strategy", "against"]].drop_duplicates()
    click.echo(f"{rules}, {table['cell'].nunique() - 1} cells and the base, seed {origin['seed']}")
    for name in names:
        measure = MEASURES[name]
        scale = 100.0 if measure.is_share else 1.0
        click.echo(f"\n{name}{', %' if measure.is_share else ''}: {measure.meaning}")
        head = ["strategy - against"] if len(lineups) > 1 else []
        rows = [[*head, *axes, "way", "value", "95 %", "difference", "95 %"]]
        chosen = table[table["measure"] == name]
        for values in chosen.itertuples(index=False, name=None):
            row = dict(zip(table.columns, values, strict=True))
            players = [f"{row['strategy']} - {row['against']}"] if head else []
            base = " (base)" if not row["cell"] else ""
            rows.append(
                [
                    *players,
                    *(format_value(_plain(row[axis])) for axis in axes),
                    f"{row['way']}{base}",
                    *_show(row["value"], row["low"], row["high"], scale, ""),
                    *(
                        ("", "")
                        if base
                        else _show(
                            row["difference"],
                            row["difference_low"],
                            row["difference_high"],
                            scale,
                            "+",
                        )
                    ),
                ]
            )
        click.echo(format_table(rows, left=len(head)))
    click.echo(f"\n{format_sentences(_tell_sweep(table, lineups))}")
    click.echo(f"\n{seconds:.2f} s")


def _tell_sweep(table: pd.DataFrame, lineups: pd.DataFrame) -> list[str]:
    rows: list[Any] = list(lineups.itertuples())
    players = "; ".join(
        f"{row.strategy} against {'itself' if row.strategy == row.against else row.against}"
        for row in rows
    )
    adapted = {
        "none": "Nobody adapts: all play the same way in every cell.",
        "against": "The opponent's knock table is solved anew for each cell; nothing else adapts.",
        "all": "All knock tables are solved anew for each cell; nothing else adapts.",
    }[str(table["adapted"].iloc[0])]
    ways = {
        "played": "the base is played",
        "priced": "priced cells are scored from hands of another, which is exact",
        "replayed": "replayed cells are played on the same deals",
    }
    told = "; ".join(words for way, words in ways.items() if (table["way"] == way).any())
    return [
        f"{players}. {adapted}",
        f"{told[0].upper()}{told[1:]}.",
        "Differences are from the base, paired by deal.",
    ]


def _show(value: float, low: float, high: float, scale: float, sign: str) -> tuple[str, str]:
    if math.isnan(value):
        return "-", ""
    if abs(value) < 1e-12:  # a trace of rounding has no sign
        value = 0.0
    shown = f"{scale * value:{sign}.3f}" if math.isfinite(value) else "none would do"
    if math.isnan(low):
        return shown, ""
    return shown, f"({scale * low:{sign}.3f} to {scale * high:{sign}.3f})"


# -- solve ----------------------------------------------------------------------------------------


@balance.command()
@rules_argument
@click.argument("field", metavar="FIELD")
@click.option(
    "--strategy",
    type=STRATEGY,
    default=DEFAULT_STRATEGY,
    show_default=True,
    metavar="STRATEGY",
    help="How the first plays.",
)
@click.option(
    "--against",
    type=STRATEGY,
    metavar="STRATEGY",
    help="Who plays against it.  [default: itself]",
)
@click.option(
    "--rival",
    type=STRATEGY,
    metavar="STRATEGY",
    help="Compare what the first makes against --against with what this strategy does.",
)
@click.option(
    "--measure",
    metavar="NAME",
    help="What is to be equal (see `ginsim balance measures`).  [default: net]",
)
@click.option(
    "--target", type=float, help="The wanted value.  [default: that of equal sides, 0 or 0.5]"
)
@click.option(
    "--values",
    metavar="LOW:HIGH:STEP",
    help="Where to look; with commas, single values.  [default: 0:50:5, or all of a few]",
)
@size_options
@adapt_options
@click.option(
    "--solves",
    type=Size(low=5, high=1000),
    help="With --adapt: how many independent solutions.  [default: 5]",
)
@play_options
@plot_option
@force_option
@json_option
def solve(
    rules: str,
    settings: tuple[str, ...],
    field: str,
    strategy: str,
    against: str | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the value of FIELD at which two ways to play are equal, with a 95 % interval.

    FIELD is a field of numbers of RULES, or several joined by + that get the same value.

    \b
    Does a 25-point undercut make knocking with 10 wrong, and at which bonus is it right?
      ginsim balance solve kawu undercut_bonus+clean_undercut_bonus
        --strategy "greedy(knock_at=10)" --against "greedy(knock_at=0)"
    """
    from ginsim.balance.solving import solve_field
    from ginsim.cli.progress import show_progress
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    _drop_solve_hands(options)
    if options["solves"] is not None and options["adapt"] == "none":
        raise click.UsageError("--solves needs --adapt: it is about solving knock tables")
    check_plot(plot, force)
    start = time.perf_counter()
    with show_progress("hands or games") as progress:
        found = solve_field(loaded, field, strategy, against, progress=progress, **options)
    seconds = time.perf_counter() - start
    if as_json:
        print_json(_solve_document(found, seconds))
    else:
        _print_solve(found, seconds)
    draw_plot(plot, force, "plot_roots", found, as_json)


def _bound(value: float) -> float | None:
    """An end of an interval; None where it has none."""
    return float(value) if math.isfinite(value) else None


def _solve_document(found: FieldSolution, seconds: float) -> dict[str, Any]:
    roots = found.roots
    rows: list[Any] = list(found.table.itertuples())
    return {
        "rules": found.rules.name,
        "field": found.field,
        "strategy": found.lineup.strategy.name,
        "against": found.lineup.against.name,
        "rival": found.rival,
        "measure": found.measure.name,
        "unit": found.measure.unit,
        "target": found.target,
        "adapted": found.adapted,
        "assumption": found.assumption,
        "way": found.way,
        "method": found.method,
        "roots": {
            "kind": roots.kind,
            "roots": list(roots.roots),
            "directions": list(roots.directions),
            "intervals": [[_bound(low), _bound(high)] for low, high in roots.intervals],
            "is_open": list(roots.is_open),
            "sign": roots.sign,
        },
        "allowed": list(found.allowed),
        "printed": {
            "value": getattr(found.rules, found.field.partition("+")[0]),
            "difference": {key: _number(getattr(found.printed, key)) for key in _FIGURE},
            "verdict": found.verdict,
        },
        "values": [
            {
                "value": int(row.value),
                "difference": float(row.difference),
                **{key: _number(getattr(row, key)) for key in ("se", "low", "high")},
            }
            for row in rows
        ],
        "seconds": seconds,
        "provenance": found.provenance,
    }


def _print_solve(found: FieldSolution, seconds: float) -> None:
    from ginsim.balance.grid import format_value

    measure = found.measure
    scale = 100.0 if measure.is_share else 1.0
    unit = ", %" if measure.is_share else ""
    if found.rival is not None:
        what = (
            f"{measure.name}{unit} of {found.lineup.strategy.name} minus that of {found.rival}, "
            f"both against {found.lineup.against.name}"
        )
    else:
        goal = f" minus {scale * found.target:g}" if found.target else ""
        what = (
            f"{measure.name}{unit}{goal}, {found.lineup.strategy.name} against "
            f"{found.lineup.against.name}"
        )
    click.echo(f"{found.rules.name}: {what}\n")
    printed = [format_value(getattr(found.rules, name)) for name in found.field.split("+")]
    rows = [[found.field, "difference", "95 %"]]
    values: list[Any] = list(found.table.itertuples())
    rows += [
        [format_value(row.value), *_show(row.difference, row.low, row.high, scale, "+")]
        for row in values
    ]
    rows.append(
        [
            f"{' and '.join(dict.fromkeys(printed))} (as printed)",
            *_show(found.printed.value, found.printed.low, found.printed.high, scale, "+"),
        ]
    )
    click.echo(format_table(rows))
    click.echo(f"\n{_tell_printed(found, printed, scale)}")
    click.echo(_tell_roots(found))
    method = {
        "line": "The same hands are priced by each value, which makes a line; its root has "
        "Fieller's interval.",
        "inversion": f"The values are {found.way}, on the same deals; the interval has all values "
        "at which the difference is not told from 0.",
        "solves": "The interval has the noise of the solver in it, by Student's t of the "
        "independent solutions.",
    }[found.method]
    note = f"Supposed: {found.assumption}."
    seed = found.provenance["seed"]
    click.echo(f"\n{format_sentences([note, method])}\n\n{seconds:.2f} s, seed {seed}")


def _tell_printed(found: FieldSolution, printed: list[str], scale: float) -> str:
    """What the rules as printed give."""
    figure = found.printed
    value, low, high = (scale * each for each in (figure.value, figure.low, figure.high))
    head = f"As printed ({' and '.join(dict.fromkeys(printed))})"
    span = f"({low:+.3f} to {high:+.3f})"
    if found.verdict == "not told apart":
        return f"{head}: {value:+.3f} {span}, not told from equality."
    other = found.lineup.against.name if found.rival is None else found.rival
    if found.measure.name == "net" and not found.target and other != found.lineup.strategy.name:
        first = found.lineup.strategy.name
        least, most = sorted((abs(low), abs(high)))
        return (
            f"{head}: {first} makes {abs(value):.3f} points a hand {found.verdict} than {other} "
            f"(95 %: {least:.3f} to {most:.3f})."
        )
    return f"{head}: {value:+.3f} {span}, {found.verdict} than equality."


def _tell_roots(found: FieldSolution) -> str:
    """Where it is equal."""
    from ginsim.balance.solving import tell_roots

    roots = found.roots
    told = tell_roots(roots.kind, roots.roots, roots.intervals, roots.sign, roots.bounds)
    least, most = found.allowed
    outside = any(not least <= root <= most for root in roots.roots)
    return f"{told}{f'; the rules allow {least} to {most}' if outside else ''}."


# -- sensitivity ----------------------------------------------------------------------------------


@balance.command()
@rules_argument
@vary_option
@click.option(
    "--strategy",
    type=STRATEGY,
    default=DEFAULT_STRATEGY,
    show_default=True,
    metavar="STRATEGY",
    help="How the first plays.",
)
@click.option(
    "--against",
    type=STRATEGY,
    metavar="STRATEGY",
    help="Who plays against it.  [default: itself]",
)
@click.option(
    "--measure",
    default="points",
    show_default=True,
    metavar="NAME",
    help="What is moved (see `ginsim balance measures`).",
)
@click.option(
    "--order",
    type=Size(low=1, high=20),
    default=2,
    help="Of how many fields together interactions are shown.  [default: 2]",
)
@size_options
@adapt_options
@play_options
@plot_option
@force_option
@json_option
def sensitivity(
    rules: str,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    plot: Path | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Show which fields of RULES move a measure most: main effects and interactions.

    Every combination of the values is played or priced on the same deals. Each field needs two
    values, or more that are numbers.
    """
    from ginsim.balance.sensitivity import field_effects
    from ginsim.cli.progress import show_progress
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    _drop_solve_hands(options)
    check_plot(plot, force)
    start = time.perf_counter()
    with show_progress("hands or games") as progress:
        found = field_effects(loaded, read_vary(vary), progress=progress, **options)
    seconds = time.perf_counter() - start
    if as_json:
        print_json(_sensitivity_document(found, seconds))
    else:
        _print_sensitivity(found, seconds)
    draw_plot(plot, force, "plot_effects", found, as_json)


def _sensitivity_document(found: FieldEffects, seconds: float) -> dict[str, Any]:
    fields = list(found.levels)
    effects = ("effect", "se", "low", "high", "p", "p_holm", "share")
    cells = []
    for values in found.cells.itertuples(index=False, name=None):
        row = dict(zip(found.cells.columns, values, strict=True))
        cells.append(
            {
                "values": {field: _plain(row[field]) for field in fields},
                "way": row["way"],
                **{key: _number(row[key]) for key in _FIGURE},
            }
        )
    return {
        "rules": found.rules.name,
        "strategy": found.lineup.strategy.name,
        "against": found.lineup.against.name,
        "measure": found.measure.name,
        "unit": found.measure.unit,
        "adapted": found.adapted,
        "effects": [
            {
                "term": row["term"],
                "order": int(row["order"]),
                **{key: _number(row[key]) for key in effects},
            }
            for row in found.effects.to_dict("records")
        ],
        "means": [
            {
                "field": row["factor"],
                "value": _plain(row["level"]),
                "mean": _number(row["mean"]),
                **{key: _number(row[key]) for key in ("se", "low", "high")},
            }
            for row in found.means.to_dict("records")
        ],
        "cells": cells,
        "seconds": seconds,
        "provenance": found.provenance,
    }


def _print_sensitivity(found: FieldEffects, seconds: float) -> None:
    from ginsim.balance.grid import format_value
    from ginsim.balance.sensitivity import tell_words

    measure = found.measure
    scale = 100.0 if measure.is_share else 1.0
    click.echo(
        f"{found.rules.name}: {measure.name}{', %' if measure.is_share else ''}, "
        f"{measure.meaning}\n"
    )
    rows = [["effect of", "low to high", "95 %", "p, Holm", "share of variance"]]
    effects: list[dict[str, Any]] = found.effects.to_dict("records")  # type: ignore[assignment]
    for row in effects:
        chance = "-" if math.isnan(row["p_holm"]) else f"{row['p_holm']:.3g}"
        share = "-" if math.isnan(row["share"]) else f"{row['share']:.3f}"
        shown = _show(row["effect"], row["low"], row["high"], scale, "+")
        rows.append([row["term"], *shown, chance, share])
    click.echo(format_table(rows))
    rows = [["field", "value", "mean", "95 %"]]
    means: list[dict[str, Any]] = found.means.to_dict("records")  # type: ignore[assignment]
    for row in means:
        shown = _show(row["mean"], row["low"], row["high"], scale, "")
        rows.append([row["factor"], format_value(_plain(row["level"])), *shown])
    click.echo(f"\n{format_table(rows)}")
    adapted = {
        "none": "Nobody adapts: all play the same way in every cell.",
        "against": "The opponent's knock table is solved anew for each cell; nothing else adapts.",
        "all": "All knock tables are solved anew for each cell; nothing else adapts.",
    }[found.adapted]
    sentences = [
        f"{found.lineup.strategy.name} against {found.lineup.against.name}. {adapted}",
        "An effect is the measure at the highest value minus that at the lowest, over all values "
        "of the others; of two fields, half of what one's effect differs between the other's ends.",
        *(f"Of {words}." for words in tell_words(found.levels)),
    ]
    seed = found.provenance["seed"]
    click.echo(f"\n{format_sentences(sentences)}\n\n{seconds:.2f} s, seed {seed}")
