"""`ginsim games`: whole games, who wins them and how long they last."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    Size,
    check_plot,
    draw_plot,
    json_option,
    load_all_players,
    mirror_option,
    out_options,
    player_option,
    plot_option,
    rules_argument,
    seats_options,
    seed_option,
    threads_option,
)
from ginsim.cli.text import format_figure, format_table, mark_title, print_json

if TYPE_CHECKING:
    import pandas as pd

    from ginsim.game_stats import GameTally


@click.command()
@rules_argument
@click.option(
    "--games",
    "num_games",
    type=Size(low=1),
    default=100_000,
    help="How many games.  [default: 100_000]",
)
@seats_options
@player_option
@seed_option
@click.option("--first", type=Size(), default=0, help="Index of the first game.  [default: 0]")
@mirror_option
@threads_option
@click.option(
    "--max-hands",
    type=Size(low=1, high=32_000),
    default=10_000,
    help="A game without a winner after so many hands ends unfinished.  [default: 10_000]",
)
@click.option("--hands", "of_hands", is_flag=True, help="With --out: one row a hand, not a game.")
@click.option(
    "--min-hands",
    type=Size(high=32_000),
    default=0,
    help="With --hands: go on after the end of a game until it has so many, so that `ginsim "
    "rescore` can book longer games.  [default: 0]",
)
@click.option(
    "--series",
    "length",
    type=Size(low=1, high=100_000),
    help="Also put games together into series of this length.",
)
@plot_option
@out_options
@json_option
def games(
    rules: str,
    settings: tuple[str, ...],
    num_games: int,
    south: str,
    north: str,
    players: tuple[str, ...],
    seed: int | None,
    first: int,
    mirror: bool,
    threads: int | None,
    max_hands: int,
    of_hands: bool,
    min_hands: int,
    length: int | None,
    plot: Path | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Play whole games and show who wins and how long they last, with 95 % intervals.

    A game is hands until the target; the next dealer and the bonuses at the end are those of the
    rules. In Hollywood scoring it ends with the third column. In a partnership south stands for
    the pair of A and B, north for that of C and D.
    """
    loaded, pair = load_all_players(rules, settings, south, north, players)
    if out is not None:
        from ginsim.files import check_target

        check_target(out, force, "--out")
    elif of_hands:
        raise click.UsageError("--hands needs --out: it is about the rows of the file")
    check_plot(plot, force)
    if min_hands and not of_hands:
        raise click.UsageError("--min-hands needs --hands: it is about hands after a game's end")

    if length is not None and mirror:
        raise click.UsageError("--series and --mirror: mirrored games make no series")
    if length is not None and length > num_games:
        raise click.UsageError(f"--series: {length} games a series, and there are {num_games}")

    from ginsim.cli.progress import show_progress
    from ginsim.game_stats import summarize_games
    from ginsim.games import simulate_game_hands, simulate_games, tally_games

    options: dict[str, Any] = {
        "seed": seed,
        "first": first,
        "threads": threads,
        "mirror": mirror,
        "max_hands": max_hands,
    }
    start = time.perf_counter()
    with show_progress("games") as progress:
        tally = tally_games(loaded, pair, num_games, **options, progress=progress)
    options["seed"] = tally.provenance["seed"]
    frame = rows = series = None
    if length is not None or (out is not None and not of_hands):
        with show_progress("games") as progress:
            frame = rows = simulate_games(loaded, pair, num_games, **options, progress=progress)
    if of_hands:
        with show_progress("games") as progress:
            rows = simulate_game_hands(
                loaded, pair, num_games, **options, min_hands=min_hands, progress=progress
            )
    if out is not None and rows is not None:
        from ginsim.files import write_records

        write_records(rows, out, force)
    if length is not None and frame is not None:
        from ginsim.game_series import group_series, summarize_series

        series = summarize_series(group_series(frame, length))
    seconds = time.perf_counter() - start
    table = summarize_games(tally)
    if as_json:
        print_json(_document(tally, table, series, seconds))
    else:
        _print_games(tally, table, seconds)
        if series is not None:
            _print_series(series)
        if out is not None:
            click.echo(f"records in {out}")
    draw_plot(plot, force, "plot_lengths", tally, as_json)


def _rows(table: pd.DataFrame, measure: str) -> list[Any]:
    return list(table[table["measure"] == measure].itertuples())


def _document(
    tally: GameTally, table: pd.DataFrame, series: pd.DataFrame | None, seconds: float
) -> dict[str, Any]:
    def share(row: Any) -> dict[str, float | int | None]:
        return {
            "count": int(row.count),
            "share": _number(row.value),
            "low": _number(row.low),
            "high": _number(row.high),
        }

    def mean(measure: str) -> dict[str, float | None]:
        (row,) = _rows(table, measure)
        return {key: _number(getattr(row, key)) for key in ("value", "se", "low", "high")}

    hands: dict[str, Any] = {}
    for row in _rows(table, "hand_share"):
        hands.setdefault(row.outcome, {})[row.seat] = int(row.count)
    (half,) = _rows(table, "half_leader_win")
    return {
        "rules": tally.provenance["rules"]["name"],
        "games": tally.games,
        "seconds": seconds,
        "wins": {row.seat: share(row) for row in _rows(table, "win")},
        "shutouts": {row.seat: share(row) for row in _rows(table, "shutout")},
        "half_leader_wins": share(half),
        "margin": mean("margin"),
        "hands_per_game": mean("hands"),
        "quantiles": {row.outcome: int(row.value) for row in _rows(table, "hands_quantile")},
        "turns_per_game": mean("turns"),
        "dead_hands_per_game": mean("dead_hands"),
        "hands": hands,
        "series": None if series is None else _series_document(series, share),
        "hollywood": _hollywood_document(table, share, mean) if _is_hollywood(tally) else None,
        "tables": _tables_document(table) if _is_partnership(tally) else None,
        "provenance": tally.provenance,
    }


def _is_hollywood(tally: GameTally) -> bool:
    return bool(tally.provenance["rules"]["scoring"] == "hollywood")


def _is_partnership(tally: GameTally) -> bool:
    return bool(tally.provenance["rules"]["players"] == 4)


def _hollywood_document(
    table: pd.DataFrame, share: Callable[[Any], Any], mean: Callable[[str], Any]
) -> dict[str, Any]:
    def only(measure: str) -> Any:
        (row,) = _rows(table, measure)
        return share(row)

    return {
        "drawn": only("drawn"),
        "points_differ": only("points_differ"),
        "box_margin": mean("box_margin"),
        "columns": [
            {
                "wins": {row.seat: share(row) for row in _rows(table, f"column_{number}_win")},
                "shutouts": {
                    row.seat: share(row) for row in _rows(table, f"column_{number}_shutout")
                },
                "hands": mean(f"column_{number}_hands"),
            }
            for number in (1, 2, 3)
        ],
    }


def _tables_document(table: pd.DataFrame) -> dict[str, Any]:
    nets: dict[str, Any] = {}
    for row in _rows(table, "net_share"):
        nets.setdefault(row.outcome, {})[row.seat] = int(row.count)
    each = []
    for number in (1, 2):
        outcomes: dict[str, Any] = {}
        for row in _rows(table, f"table_{number}_share"):
            outcomes.setdefault(row.outcome, {})[row.seat] = int(row.count)
        points = {row.seat: _number(row.value) for row in _rows(table, f"table_{number}_points")}
        each.append({"hands": outcomes, "points": points})
    return {"nets": nets, "each": each}


def _series_document(series: pd.DataFrame, share: Callable[[Any], Any]) -> dict[str, Any]:
    return {
        "length": series.attrs["provenance"]["length"],
        "wins": {row.seat: share(row) for row in _rows(series, "win")},
        "splits": {row.outcome: share(row) for row in _rows(series, "split")},
    }


def _print_series(series: pd.DataFrame) -> None:
    wins = {row.seat: row for row in _rows(series, "win")}
    total = sum(int(row.count) for row in wins.values())
    length = series.attrs["provenance"]["length"]
    click.echo(f"\n{total:,} series of {length} games, in %:")
    labels = {"south": "won by south", "north": "won by north", "none": "drawn"}
    rows = [[label, *format_figure(wins[seat], 100.0)] for seat, label in labels.items()]
    click.echo(format_table(rows))


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _print_games(tally: GameTally, table: pd.DataFrame, seconds: float) -> None:
    origin = tally.provenance
    mirrored = ", each played twice with the other seat dealing first" if origin["mirror"] else ""
    players = ", ".join(f"{who} {how['name']}" for who, how in origin["strategies"].items())
    click.echo(mark_title(f"{origin['rules']['name']}: {players}"))
    if _is_partnership(tally):
        click.echo("south is the pair of A and B, north that of C and D")
    click.echo(
        f"{tally.games:,} game{'s' if tally.games != 1 else ''} from game {origin['first']:,} of "
        f"seed {origin['seed']}{mirrored}\n"
    )
    rows = [["in % of games", "", "95 % interval"]]
    labels = {
        ("win", "south"): "won by south",
        ("win", "north"): "won by north",
        ("win", "first_dealer"): "won by the first dealer",
        ("win", "none"): "won by nobody",
        ("shutout", "all"): "shutouts",
        ("half_leader_win", "all"): "won by who led at half the target",
    }
    row: Any
    for row in table.itertuples():
        label = labels.get((str(row.measure), str(row.seat)))
        if label and not (row.seat == "none" and not row.count):
            rows.append([label, *format_figure(row, 100.0)])
    click.echo(format_table(rows))
    rows = [["per game", "", "95 % interval"]]
    for measure, label in (
        ("margin", "score, south minus north"),
        ("hands", "hands"),
        ("dead_hands", "dead hands"),
        ("turns", "turns"),
    ):
        (row,) = _rows(table, measure)
        rows.append([label, *format_figure(row, 1.0, "+" if measure == "margin" else "")])
    click.echo(f"\n{format_table(rows)}")
    if _is_hollywood(tally):
        with_boxes = any(
            value for field, value in origin["rules"].items() if field.startswith("box_")
        )
        _print_hollywood(table, with_boxes)
    if _is_partnership(tally):
        _print_tables(table)
    quantiles = ", ".join(
        f"{float(row.outcome):.0%} {int(row.value)}" for row in _rows(table, "hands_quantile")
    )
    click.echo(f"\nhands of a game, quantiles: {quantiles}")
    hands = sum(int(row.count) for row in _rows(table, "hand_share") if row.seat == "all")
    ends = ", ".join(
        f"{str(row.outcome).replace('_', ' ')} {100 * row.value:.2f} %"
        for row in _rows(table, "hand_share")
        if row.seat == "all" and row.count
    )
    what = "hands at both tables" if _is_partnership(tally) else "hands"
    click.echo(f"how their {hands:,} {what} end: {ends}")
    click.echo(f"\n{seconds:.2f} s, {tally.games / max(seconds, 1e-9):,.0f} games/s")


def _print_hollywood(table: pd.DataFrame, with_boxes: bool) -> None:
    def cells(measure: str, scale: float = 100.0, sign: str = "", seat: str = "") -> list[str]:
        (row,) = (row for row in _rows(table, measure) if not seat or row.seat == seat)
        return format_figure(row, scale, sign)

    rows = [["columns", "", "95 % interval"]]
    for number in (1, 2, 3):
        name = f"column_{number}"
        rows += [
            [f"column {number}: closed by south, %", *cells(f"{name}_win", seat="south")],
            ["  closed by north, %", *cells(f"{name}_win", seat="north")],
            ["  shutouts (capotes), %", *cells(f"{name}_shutout", seat="all")],
            ["  hands until it closed", *cells(f"{name}_hands", 1.0)],
        ]
    if with_boxes:
        rows += [
            ["boxes, south minus north", *cells("box_margin", 1.0, "+")],
            ["boxes and points name different winners, %", *cells("points_differ")],
        ]
    rows.append(["drawn, %", *cells("drawn")])
    click.echo(f"\n{format_table(rows)}")


#: What the tables brought, in words.
_NETS = {
    "both": "both tables to one pair",
    "split": "a table each, the greater total wins",
    "one": "one table, the other won by nobody",
    "level": "level totals: nobody scores",
    "none": "nobody won a table",
}


def _print_tables(table: pd.DataFrame) -> None:
    shares = {(row.outcome, row.seat): row for row in _rows(table, "net_share")}
    rows = [["hands of the pairs, in %", "south", "north", "all"]]
    for kind, words in _NETS.items():
        cells = [
            f"{100 * shares[kind, seat].value:.2f}" if (kind, seat) in shares else ""
            for seat in ("south", "north", "all")
        ]
        rows.append([words, *cells])
    click.echo(f"\n{format_table(rows)}")
    rows = [["tables", "won by south, %", "by north, %", "dead, %", "points of a win"]]
    for number in (1, 2):
        wins = {
            seat: sum(
                row.value
                for row in _rows(table, f"table_{number}_share")
                if row.seat == seat and row.outcome != "tie"
            )
            for seat in ("south", "north")
        }
        (dead,) = (r for r in _rows(table, f"table_{number}_share") if r.outcome == "dead")
        points = _rows(table, f"table_{number}_points")
        won = sum(int(row.count) for row in points)
        mean = sum(row.count * row.value for row in points if row.count) / won if won else math.nan
        rows.append(
            [
                f"table {number}",
                f"{100 * wins['south']:.2f}",
                f"{100 * wins['north']:.2f}",
                f"{100 * dead.value:.2f}",
                f"{mean:.2f}",
            ]
        )
    click.echo(f"\n{format_table(rows)}")
