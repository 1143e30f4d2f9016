"""`ginsim decisions`: a row for each decision of many hands."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    Size,
    check_plot,
    decks_option,
    draw_plot,
    json_option,
    load_players,
    mirror_option,
    out_options,
    plot_option,
    read_decks_option,
    rules_argument,
    seats_options,
    seed_option,
    threads_option,
)
from ginsim.cli.text import format_table, mark_title, print_json
from ginsim.columns import ACTIONS, KINDS

if TYPE_CHECKING:
    import pandas as pd


@click.command()
@rules_argument
@click.option(
    "--hands", "num_hands", type=Size(), help="How many hands.  [default: 10_000, or all decks]"
)
@seats_options
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Keep decisions of this kind only; may be given again.",
)
@seed_option
@click.option("--first", type=Size(), default=0, help="Index of the first hand.  [default: 0]")
@mirror_option
@threads_option
@decks_option
@plot_option
@out_options
@json_option
def decisions(
    rules: str,
    settings: tuple[str, ...],
    num_hands: int | None,
    south: str,
    north: str,
    kinds: tuple[str, ...],
    seed: int | None,
    first: int,
    mirror: bool,
    threads: int | None,
    decks: Path | None,
    plot: Path | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Play hands and list their decisions: what was seen, what could be done, what was done.

    With --out the rows go to a file (docs/columns.md lists the columns); what is printed counts
    them by kind and action.
    """
    loaded, pair = load_players(rules, settings, south, north)
    if out is not None:
        from ginsim.files import check_target

        check_target(out, force, "--out")
    if plot is not None and kinds and "discard" not in kinds:
        raise click.UsageError(
            "--plot: shows the deadwood at discards; allowed: with --kind discard, or all kinds"
        )
    check_plot(plot, force)
    given = read_decks_option(decks)
    if num_hands is None and given is None:
        num_hands = 10_000

    from ginsim.cli.progress import show_progress
    from ginsim.decision_frames import decisions as play

    start = time.perf_counter()
    with show_progress("hands") as progress:
        frame = play(
            loaded,
            pair,
            num_hands,
            kinds=kinds or None,
            seed=seed,
            first=first,
            threads=threads,
            mirror=mirror,
            decks=given,
            progress=progress,
        )
    if out is not None:
        from ginsim.files import write_records

        write_records(frame, out, force)
    seconds = time.perf_counter() - start
    counts = _count(frame)
    if as_json:
        print_json(
            {
                "rules": loaded.name,
                "hands": frame.attrs["provenance"]["hands"],
                "seconds": seconds,
                "decisions": len(frame),
                "counts": counts,
                "provenance": frame.attrs["provenance"],
            }
        )
        draw_plot(plot, force, "plot_deadwood", frame, as_json)
        return
    table = [["kind", "action", "decisions", "deadwood before", "after"]]
    table += list(_rows(frame))
    click.echo(mark_title(f"{loaded.name}: south {pair[0].name}, north {pair[1].name}"))
    click.echo(
        f"{len(frame):,} decisions in {frame.attrs['provenance']['hands']:,} hands of seed "
        f"{frame.attrs['provenance']['seed']}; mean least deadwood before and after:"
    )
    click.echo(format_table(table))
    if out is not None:
        click.echo(f"rows in {out}")
    draw_plot(plot, force, "plot_deadwood", frame, as_json)


def _count(frame: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Decisions by kind and action; both fixed, so that none is missing."""
    groups: Any = frame.groupby(["kind", "action"], observed=False).size()
    return {
        kind: {action: int(groups[kind, action]) for action in ACTIONS if groups[kind, action]}
        for kind in KINDS
    }


def _rows(frame: pd.DataFrame) -> list[list[str]]:
    columns = ["deadwood_before", "deadwood_after"]
    return [
        [
            str(kind),
            str(action).replace("_", " "),
            f"{len(group):,}",
            *(f"{group[column].mean():.2f}" for column in columns),
        ]
        for (kind, action), group in frame.groupby(["kind", "action"], observed=True)
    ]
