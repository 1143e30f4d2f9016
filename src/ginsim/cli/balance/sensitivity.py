"""`ginsim balance sensitivity`: which fields move a measure most."""

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
    from ginsim.balance.sensitivity import FieldEffects


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
    drop_solve_hands(options)
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
                "values": {field: plain(row[field]) for field in fields},
                "way": row["way"],
                **{key: number(row[key]) for key in FIGURE},
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
                **{key: number(row[key]) for key in effects},
            }
            for row in found.effects.to_dict("records")
        ],
        "means": [
            {
                "field": row["factor"],
                "value": plain(row["level"]),
                "mean": number(row["mean"]),
                **{key: number(row[key]) for key in ("se", "low", "high")},
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
        shown = show_figure(row["effect"], row["low"], row["high"], scale, "+")
        rows.append([row["term"], *shown, chance, share])
    click.echo(format_table(rows))
    rows = [["field", "value", "mean", "95 %"]]
    means: list[dict[str, Any]] = found.means.to_dict("records")  # type: ignore[assignment]
    for row in means:
        shown = show_figure(row["mean"], row["low"], row["high"], scale, "")
        rows.append([row["factor"], format_value(plain(row["level"])), *shown])
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
