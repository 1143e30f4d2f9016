"""`ginsim games` and `ginsim score`: whole games, and scores without play."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    Size,
    json_option,
    load_players,
    mirror_option,
    out_options,
    rules_argument,
    seats_options,
    seed_option,
    threads_option,
)
from ginsim.cli.text import format_table, print_json

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
    "--series",
    "length",
    type=Size(low=1, high=100_000),
    help="Also put games together into series of this length.",
)
@out_options
@json_option
def games(
    rules: str,
    settings: tuple[str, ...],
    num_games: int,
    south: str,
    north: str,
    seed: int | None,
    first: int,
    mirror: bool,
    threads: int | None,
    max_hands: int,
    of_hands: bool,
    length: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Play whole games and show who wins and how long they last, with 95 % intervals.

    A game is hands until the target; the next dealer and the bonuses at the end are those of the
    rules.
    """
    loaded, pair = load_players(rules, settings, south, north)
    if out is not None:
        from ginsim.files import check_target

        check_target(out, force, "--out")
    elif of_hands:
        raise click.UsageError("--hands needs --out: it is about the rows of the file")

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
            rows = simulate_game_hands(loaded, pair, num_games, **options, progress=progress)
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
        "provenance": tally.provenance,
    }


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
    rows = [[label, *_cells(wins[seat], 100.0, "")] for seat, label in labels.items()]
    click.echo(format_table(rows))


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _print_games(tally: GameTally, table: pd.DataFrame, seconds: float) -> None:
    origin = tally.provenance
    south, north = (origin["strategies"][seat]["name"] for seat in ("south", "north"))
    mirrored = ", each played twice with the other seat dealing first" if origin["mirror"] else ""
    click.echo(f"{origin['rules']['name']}: south {south}, north {north}")
    click.echo(
        f"{tally.games:,} game{'s' if tally.games != 1 else ''} from game {origin['first']:,} of "
        f"seed {origin['seed']}{mirrored}\n"
    )
    rows = [["in % of games", "", "95 % interval"]]
    labels = {
        ("win", "south"): "won by south",
        ("win", "north"): "won by north",
        ("win", "first_dealer"): "won by the first dealer",
        ("win", "none"): "unfinished",
        ("shutout", "all"): "shutouts",
        ("half_leader_win", "all"): "won by who led at half the target",
    }
    row: Any
    for row in table.itertuples():
        label = labels.get((str(row.measure), str(row.seat)))
        if label and not (row.seat == "none" and not row.count):
            rows.append([label, *_cells(row, 100.0, "")])
    click.echo(format_table(rows))
    rows = [["per game", "", "95 % interval"]]
    for measure, label in (
        ("margin", "score, south minus north"),
        ("hands", "hands"),
        ("dead_hands", "dead hands"),
        ("turns", "turns"),
    ):
        (row,) = _rows(table, measure)
        rows.append([label, *_cells(row, 1.0, "+" if measure == "margin" else "")])
    click.echo(f"\n{format_table(rows)}")
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
    click.echo(f"how their {hands:,} hands end: {ends}")
    click.echo(f"\n{seconds:.2f} s, {tally.games / max(seconds, 1e-9):,.0f} games/s")


def _cells(row: Any, scale: float, sign: str) -> list[str]:
    if math.isnan(row.value):
        return ["-", ""]
    value = f"{scale * row.value:{sign}.3f}"
    if math.isnan(row.low):
        return [value, ""]
    return [value, f"({scale * row.low:{sign}.3f} to {scale * row.high:{sign}.3f})"]


@click.command()
@rules_argument
@click.option("--knocker", type=int, help="The knocker's deadwood; 0 is gin.")
@click.option("--defender", type=int, help="The defender's deadwood after layoffs.")
@click.option("--big-gin", is_flag=True, help="All eleven cards were melded.")
@click.option("--spade", is_flag=True, help="The knock card is a spade.")
@click.option(
    "--game",
    metavar="HANDS",
    help='Score a game instead: "A 30, B 40, -, A 70"; - is a hand that nobody won.',
)
@click.option("--dealer", metavar="PLAYER", help="Who dealt the first hand of the game.")
@json_option
def score(
    rules: str,
    settings: tuple[str, ...],
    knocker: int | None,
    defender: int | None,
    big_gin: bool,
    spade: bool,
    game: str | None,
    dealer: str | None,
    as_json: bool,
) -> None:
    """Score a hand by both deadwoods, or a game by its hands, without playing."""
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    if game is not None:
        if knocker is not None or defender is not None or big_gin or spade:
            raise click.UsageError("--game stands alone, without a hand's options")
        _score_game(loaded, game, dealer, as_json)
        return
    if knocker is None or defender is None or dealer is not None:
        raise click.UsageError("give --knocker and --defender, or --game (and --dealer)")
    from ginsim.scoring import score_hand

    result = score_hand(loaded, knocker, defender, big_gin=big_gin, spade=spade)
    if as_json:
        print_json({"rules": loaded.name, "hand": vars(result), "game": None})
        return
    if result.winner is None:
        click.echo("tie: nobody wins")
        return
    words = f"{result.outcome.replace('_', ' ')}: the {result.winner} wins {result.points} point"
    words += "s" if result.points != 1 else ""
    if result.boxes:
        words += f" and {result.boxes} box{'es' if result.boxes != 1 else ''}"
        words += f", {result.prize_boxes} of them prizes" if result.prize_boxes else ""
    click.echo(words)


#: A player's name, of letters and single spaces, and the points of a hand.
_HAND_OF_GAME = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*) +([0-9]{1,6})")


def _score_game(rules: Any, text: str, dealer: str | None, as_json: bool) -> None:
    from ginsim.errors import OptionError, count
    from ginsim.game_scoring import score_game

    hands: list[tuple[str | None, int]] = []
    names: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        if part == "-":
            hands.append((None, 0))
            continue
        match = _HAND_OF_GAME.fullmatch(part)
        if match is None:
            raise OptionError(
                f"--game: {part!r} is not allowed; allowed: hands with commas between them, each a "
                "player (letters only) and his points, such as A 30, or - for nobody"
            )
        name, points = match.groups()
        names += [name] if name not in names else []
        hands.append((name, int(points)))
    if len(names) > 2:
        raise OptionError(f"--game: {', '.join(names)} play; allowed: two players")
    spare = [name for name in ("A", "B") if name not in names]
    players = (names + spare)[:2]
    result = score_game(rules, hands, players=(players[0], players[1]), dealer=dealer)
    if as_json:
        print_json({"rules": rules.name, "hand": None, "game": vars(result)})
        return
    if not result.over:
        click.echo(f"not over: {_per_player(result.points)}; {result.next_dealer} deals next")
        return
    click.echo(f"{result.winner} wins after {count(result.hands_used, 'hand')}")
    click.echo(f"points of the hands: {_per_player(result.points)}")
    click.echo(f"with bonuses: {_per_player(result.final)}; margin {result.margin}")
    if result.hands_used < len(hands):
        click.echo(f"{len(hands) - result.hands_used} later hands are left over")


def _per_player(values: dict[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
