"""`ginsim balance sweep`: measures over a grid of rules and strategies."""

from __future__ import annotations

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
    plain,
    play_options,
    read_vary,
    show_figure,
    size_options,
    vary_option,
)
from ginsim.cli.options import (
    DEFAULT_STRATEGY,
    STRATEGY,
    check_plot,
    draw_plot,
    force_option,
    json_option,
    plot_option,
    rules_argument,
)
from ginsim.cli.text import format_sentences, format_table, print_json

if TYPE_CHECKING:
    import pandas as pd


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
    drop_solve_hands(options)
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


def _list_axes(table: pd.DataFrame) -> list[str]:
    return list(table.attrs["provenance"]["vary"])


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
                "values": {axis: plain(row[axis]) for axis in axes},
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
            **{key: number(row[key]) for key in FIGURE},
            "difference": {
                key: number(row[name])
                for key, name in zip(
                    (*FIGURE, "p", "p_holm"),
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
                    *(format_value(plain(row[axis])) for axis in axes),
                    f"{row['way']}{base}",
                    *show_figure(row["value"], row["low"], row["high"], scale, ""),
                    *(
                        ("", "")
                        if base
                        else show_figure(
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
