"""What `ginsim hands` shows: the JSON document, and the table for people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.text import find_decimals, format_figure, format_table, mark_title

if TYPE_CHECKING:
    import pandas as pd

    from ginsim.stats import Tally

Figure = dict[str, float | int | None]


def make_document(tally: Tally, table: pd.DataFrame, seconds: float) -> dict[str, Any]:
    """The JSON document.

    Args:
        tally: the hands.
        table: `summarize(tally)`.
        seconds: how long they took.

    Returns:
        `rules` (the name), `hands`, `seconds`; `outcomes`, by name, and `wins`, by seat and for
        the non-dealer, with count, share and the bounds of the 95 % interval; `points_per_hand`
        (south's minus north's) and `turns` with value, standard error and bounds; `provenance`.
        A figure that so few hands give no ground for is null.
    """
    share = table[(table["measure"] == "share") & (table["seat"] == "all")]
    wins = table[table["measure"] == "win"]
    return {
        "rules": tally.provenance["rules"]["name"],
        "hands": tally.hands,
        "seconds": seconds,
        "outcomes": {row.outcome: _share(row) for row in share.itertuples()},
        "wins": {row.seat: _share(row) for row in wins.itertuples()},
        "points_per_hand": _mean(table, "net"),
        "turns": _mean(table, "turns"),
        "provenance": tally.provenance,
    }


def _share(row: Any) -> Figure:
    return {
        "count": int(row.count),
        "share": _number(row.value),
        "low": _number(row.low),
        "high": _number(row.high),
    }


def _mean(table: pd.DataFrame, measure: str) -> Figure:
    row: Any = next(table[table["measure"] == measure].itertuples())
    return {key: _number(getattr(row, key)) for key in ("value", "se", "low", "high")}


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def print_summary(tally: Tally, table: pd.DataFrame, seconds: float) -> None:
    """Print the table for people."""
    provenance = tally.provenance
    south, north = (provenance["strategies"][seat]["name"] for seat in ("south", "north"))
    mirrored = ", each deal played twice with seats exchanged" if provenance["mirror"] else ""
    click.echo(mark_title(f"{provenance['rules']['name']}: south {south}, north {north}"))
    count = f"{tally.hands:,} hand{'s' if tally.hands != 1 else ''}"
    click.echo(
        f"{count} from hand {provenance['first']:,} of seed {provenance['seed']}{mirrored}\n"
    )
    click.echo("How hands end, in % of all hands by the seat that won, with 95 % intervals:")
    click.echo(format_table(list(_outcome_rows(table))))
    click.echo("\nPer hand, with 95 % intervals:")
    click.echo(format_table(list(_mean_rows(table))))
    click.echo(f"\n{seconds:.2f} s, {tally.hands / max(seconds, 1e-9):,.0f} hands/s")


def _outcome_rows(table: pd.DataFrame) -> Iterator[list[str]]:
    yield ["outcome", "south", "", "north", "", "all", ""]
    shares = table[table["measure"] == "share"]
    # What never happened would have digits that all the others have no ground for.
    happened = table[table["measure"].isin(["share", "win"]) & (table["count"] > 0)]
    decimals = find_decimals(list(happened.itertuples()), 100.0)
    cells = partial(_cells, decimals=decimals)
    for outcome in shares["outcome"].unique():
        rows = {str(row.seat): row for row in shares[shares["outcome"] == outcome].itertuples()}
        # Nobody wins a tie: its row is by the seat that knocked.
        label = "tie (by knocker)" if outcome == "tie" else _words(outcome)
        yield [label, *cells(rows, ("south", "north", "all"))]
    wins = {str(row.seat): row for row in table[table["measure"] == "win"].itertuples()}
    yield ["all wins", *cells(wins, ("south", "north")), "", ""]
    yield ["non-dealer wins", "", "", "", "", *cells(wins, ("nondealer",))]
    for row in table[(table["measure"] == "dead") & (table["count"] > 0)].itertuples():
        yield [f"dead: {_words(row.outcome)}", "", "", "", "", *cells({"": row}, ("",))]


def _words(name: object) -> str:
    return str(name).replace("_", " ")


def _cells(rows: dict[str, Any], seats: tuple[str, ...], decimals: int) -> Iterator[str]:
    for seat in seats:
        row = rows.get(seat)
        yield from ("", "") if row is None else format_figure(row, 100.0, decimals=decimals)


def _mean_rows(table: pd.DataFrame) -> Iterator[list[str]]:
    labels = {
        "net": "points, south minus north",
        "points_per_win": "points of a hand that is won",
        "turns": "turns of both seats",
    }
    for measure, label in labels.items():
        row: Any = next(table[table["measure"] == measure].itertuples())
        yield [label, *format_figure(row, sign="+" if measure == "net" else "")]
