"""`ginsim balance solve`: the value of a field at which a difference is zero."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.balance.common import (
    FIGURE,
    adapt_options,
    balance,
    drop_solve_hands,
    number,
    play_options,
    show_figure,
    size_options,
)
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
)
from ginsim.cli.text import format_sentences, format_table, print_json

if TYPE_CHECKING:
    from ginsim.balance.solving import FieldSolution


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
    drop_solve_hands(options)
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
            "difference": {key: number(getattr(found.printed, key)) for key in FIGURE},
            "verdict": found.verdict,
        },
        "values": [
            {
                "value": int(row.value),
                "difference": float(row.difference),
                **{key: number(getattr(row, key)) for key in ("se", "low", "high")},
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
        [format_value(row.value), *show_figure(row.difference, row.low, row.high, scale, "+")]
        for row in values
    ]
    rows.append(
        [
            f"{' and '.join(dict.fromkeys(printed))} (as printed)",
            *show_figure(found.printed.value, found.printed.low, found.printed.high, scale, "+"),
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
