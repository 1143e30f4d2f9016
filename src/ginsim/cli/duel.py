"""`ginsim duel` and `ginsim tournament`: who plays better, on the same cards."""

from __future__ import annotations

import math
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    STRATEGY,
    Size,
    check_plot,
    draw_plot,
    force_option,
    json_option,
    plot_option,
    rules_option,
    seed_option,
    threads_option,
)
from ginsim.cli.text import (
    format_figure,
    format_sentences,
    format_table,
    mark,
    mark_title,
    print_json,
)
from ginsim.intervals import Z95, wilson

if TYPE_CHECKING:
    from ginsim.duels import Duel
    from ginsim.tournaments import Tournament

first_option = click.option(
    "--first", type=Size(), default=0, help="Index of the first game, even.  [default: 0]"
)


@click.command()
@click.argument("a", type=STRATEGY)
@click.argument("b", type=STRATEGY)
@rules_option
@click.option("--games", type=Size(low=2), help="How many games.  [default: 10_000]")
@click.option(
    "--hands",
    type=Size(low=2),
    help="Single hands instead of games: how many; with --precision, at most so many.",
)
@click.option(
    "--precision",
    type=float,
    metavar="HALF_WIDTH",
    help="Play until the figure that decides is known so well, plus or minus: 0.005 of a share is "
    "half a percent.",
)
@click.option(
    "--measure",
    type=click.Choice(["games", "hands", "points", "margin", "boxes"]),
    help="The figure that decides: share of games or of hands won, points a hand, margin of scores "
    "or (Hollywood) boxes a game.  [default: games, with --hands hands]",
)
@click.option(
    "--max-games",
    type=Size(low=4),
    help="With --precision: how many games at most.  [default: 10_000_000]",
)
@click.option(
    "--early",
    is_flag=True,
    help="With --precision: also end as soon as the players are told apart.",
)
@seed_option
@first_option
@threads_option
@plot_option
@force_option
@json_option
def duel(
    a: str,
    b: str,
    rules: str,
    settings: tuple[str, ...],
    games: int | None,
    hands: int | None,
    precision: float | None,
    measure: str | None,
    max_games: int | None,
    early: bool,
    seed: int | None,
    first: int,
    threads: int | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Let strategies A and B play each deal twice, with the seats' cards changed, and compare them.

    Intervals are 95 %, by deal. With --precision the duel is looked at while it runs, and the
    intervals are those that still hold after stopping.
    """
    from ginsim.cli.progress import show_progress
    from ginsim.duels import duel as play
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    check_plot(plot, force)
    start = time.perf_counter()
    with show_progress("games" if hands is None else "hands") as progress:
        result = play(
            a,
            b,
            loaded,
            games,
            hands=hands,
            precision=precision,
            measure=measure,
            max_games=max_games,
            early=early,
            seed=seed,
            first=first,
            threads=threads,
            progress=progress,
        )
    seconds = time.perf_counter() - start
    if as_json:
        print_json(_duel_document(result, seconds))
    else:
        _print_duel(result, seconds)
    draw_plot(plot, force, "plot_duel", result, as_json)


@click.command()
@click.argument("players", type=STRATEGY, nargs=-1, required=True, metavar="A B [C]...")
@rules_option
@click.option(
    "--games", type=Size(low=2), default=10_000, help="Games of each pair.  [default: 10_000]"
)
@click.option(
    "--reference",
    type=STRATEGY,
    metavar="PLAYER",
    help="The player whose rating is 0.  [default: the mean is]",
)
@seed_option
@first_option
@threads_option
@plot_option
@force_option
@json_option
def tournament(
    players: tuple[str, ...],
    rules: str,
    settings: tuple[str, ...],
    games: int,
    reference: str | None,
    seed: int | None,
    first: int,
    threads: int | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Let each two of several strategies play the same mirrored deals, and rate them.

    Shows the share of games of each pair, Bradley-Terry ratings with standard errors, and how many
    games tell each pair apart.
    """
    from ginsim.cli.progress import show_progress
    from ginsim.rules import load_rules, parse_settings
    from ginsim.strategies import parse_strategy
    from ginsim.tournaments import tournament as play

    loaded = load_rules(rules, parse_settings(settings))
    if reference is not None:
        reference = parse_strategy(reference).name
    check_plot(plot, force)
    start = time.perf_counter()
    with show_progress("games") as progress:
        result = play(
            players,
            loaded,
            games,
            reference=reference,
            seed=seed,
            first=first,
            threads=threads,
            progress=progress,
        )
    seconds = time.perf_counter() - start
    if as_json:
        print_json(_tournament_document(result, seconds))
    else:
        _print_tournament(result, seconds)
    draw_plot(plot, force, "plot_ratings", result, as_json)


# -- documents ------------------------------------------------------------------------------------


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _figure(row: Any) -> dict[str, float | None]:
    return {key: _number(getattr(row, key)) for key in ("value", "se", "low", "high")}


def _look(row: Any) -> dict[str, Any]:
    return {
        "deals": int(row.deals),
        "critical": float(row.critical),
        "spent": float(row.spent),
        **_figure(row),
    }


def _pair(row: Any) -> dict[str, Any]:
    return {
        "a": row.a,
        "b": row.b,
        **_figure(row),
        "p": _number(row.p),
        "p_holm": _number(row.p_holm),
        "verdict": row.verdict,
        "expected": _number(row.expected),
        "games_needed": _number(row.games_needed),
    }


def _rating(row: Any) -> dict[str, Any]:
    keys = ("rating", "se", "low", "high", "elo", "elo_se", "elo_low", "elo_high")
    return {
        "player": row.player,
        "share": float(row.share),
        **{key: _number(getattr(row, key)) for key in keys},
        "group": int(row.group),
    }


def _duel_document(result: Duel, seconds: float) -> dict[str, Any]:
    rows: list[Any] = list(result.table.itertuples())
    return {
        "a": result.a.name,
        "b": result.b.name,
        "rules": result.rules.name,
        "unit": result.unit,
        "count": result.count,
        "deals": result.sums.deals,
        "seconds": seconds,
        "measure": result.measure,
        "verdict": result.verdict,
        "measures": {row.measure: {"count": int(row.count), **_figure(row)} for row in rows},
        "games_needed": _number(result.games_needed),
        "rule": result.provenance["duel"]["rule"],
        "is_reached": result.is_reached,
        "looks": [_look(row) for row in result.looks.itertuples()],
        "both_ways": _both_ways(result),
        "provenance": result.provenance,
    }


def _both_ways(result: Duel) -> dict[str, int] | None:
    counts = result.sums.count_both_ways()
    return None if counts is None else dict(zip(("a", "each", "b"), counts, strict=True))


def _tournament_document(result: Tournament, seconds: float) -> dict[str, Any]:
    return {
        "rules": result.rules.name,
        "games": result.games,
        "seconds": seconds,
        "pairs": [_pair(row) for row in result.pairs.itertuples()],
        "ratings": [_rating(row) for row in result.ratings.itertuples()],
        "reference": result.reference,
        "notes": list(result.notes),
        "provenance": result.provenance,
    }


# -- text -----------------------------------------------------------------------------------------

#: How each figure is shown: its label, its scale, its sign.
_FIGURES = {
    "games": ("games won by A, %", 100.0, ""),
    "hands": ("hands won by A, %", 100.0, ""),
    "points": ("points a hand, A minus B", 1.0, "+"),
    "margin": ("score a game, A minus B", 1.0, "+"),
    "boxes": ("boxes a game, A minus B", 1.0, "+"),
}


def _print_duel(result: Duel, seconds: float) -> None:
    origin = result.provenance
    unit = result.unit
    click.echo(mark_title(f"{result.rules.name}: A {result.a.name}, B {result.b.name}"))
    if result.rules.players == 4:
        click.echo("A plays as the pair of A and B, B as that of C and D")
    click.echo(
        f"{result.count:,} {unit} from {unit.removesuffix('s')} {origin['first']:,} of seed "
        f"{origin['seed']}: {result.sums.deals:,} deals, each played twice with the seats' cards "
        "changed\n"
    )
    rows = [["", "", "95 % interval"]]
    row: Any
    for row in result.table.itertuples():
        label, scale, sign = _FIGURES[str(row.measure)]
        rows.append([label, *format_figure(row, scale, sign)])
    click.echo(format_table(rows))
    tone = "open" if result.verdict == "not told apart" else "good"
    click.echo(f"\n{mark(_tell_verdict(result), tone)}")
    click.echo(
        format_sentences([*_tell_both_ways(result), *_tell_rule(result), _tell_needed(result)])
    )
    click.echo(f"\n{seconds:.2f} s, {result.count / max(seconds, 1e-9):,.0f} {unit}/s")


def _tell_verdict(result: Duel) -> str:
    equal = f"the interval of {_WORDS[result.measure]}"
    if result.verdict == "not told apart":
        return f"A and B are not told apart: {equal} has equality in it."
    return f"{result.verdict[0]} is stronger: {equal} has no equality in it."


_WORDS = {
    "games": "the share of games",
    "hands": "the share of hands",
    "points": "the points a hand",
    "margin": "the score a game",
    "boxes": "the boxes a game",
}


def _tell_both_ways(result: Duel) -> list[str]:
    """How often a deal went to one player both ways; nothing where games were won by nobody."""
    counts = result.sums.count_both_ways()
    if counts is None:
        return []
    looks: list[Any] = list(result.looks.tail(1).itertuples())
    critical = looks[0].critical if looks else Z95
    deals = result.sums.deals
    shares = []
    for number in counts:
        low, high = wilson(number / deals, deals, critical)
        figure = SimpleNamespace(value=number / deals, low=low, high=high)
        value, interval = format_figure(figure, 100.0)
        shares.append(f"{value} % {interval}")
    of_a, split, of_b = shares
    return [
        f"The same deal both ways: A won both {result.unit} in {of_a} of the deals, B in {of_b}, "
        f"and each won one in {split}."
    ]


def _tell_rule(result: Duel) -> list[str]:
    if result.precision is None:
        return ["The size was fixed, and the intervals are those for a size chosen beforehand."]
    last: Any = next(result.looks.tail(1).itertuples())
    label, scale, _ = _FIGURES[result.measure]
    of = " %" if label.endswith("%") else ""
    wanted, got = scale * result.precision, scale * (last.high - last.low) / 2
    plan = result.provenance["duel"]
    how = (
        f"Rule: {plan['rule']}. Stopped at look {len(result.looks)} of at most {plan['looks']}, "
        f"after {last.deals:,} deals, with critical value "
        f"{last.critical:.3f}; the intervals are those that hold after stopping."
    )
    reached = f"Precision wanted ±{wanted:g}{of}, reached ±{got:.3g}{of}."
    if not result.is_reached:
        name = "max-games" if result.unit == "games" else "hands"
        end = (
            "ended early, when the players were told apart"
            if result.verdict != "not told apart" and 2 * last.deals < _most(result)
            else f"the most allowed (--{name}) was played"
        )
        reached = (
            f"The precision was not reached: wanted ±{wanted:g}{of}, got ±{got:.3g}{of}; {end}."
        )
    return [reached, how]


def _most(result: Duel) -> int:
    return 2 * int(result.provenance["duel"]["max_deals"])


def _tell_needed(result: Duel) -> str:
    if math.isinf(result.games_needed):
        return "Equal so far: no number of games would tell such players apart."
    if math.isnan(result.games_needed):
        return "How many games tell the players apart cannot be said from a single deal."
    return (
        f"To tell apart players who differ so, mirrored {result.unit} needed (5 % two-sided, power "
        f"80 %): {result.games_needed:,.0f}."
    )


def _print_tournament(result: Tournament, seconds: float) -> None:
    origin = result.provenance
    click.echo(mark_title(f"{result.rules.name}: {len(result.players)} players"))
    click.echo(
        f"{result.games:,} games of each pair from game {origin['first']:,} of seed "
        f"{origin['seed']}: all on the same {result.games // 2:,} deals, each played twice with "
        "the seats' cards changed\n"
    )
    row: Any
    rows = [["pair: won by the first, %", "", "95 % interval", "verdict", "games needed"]]
    for row in result.pairs.itertuples():
        verdict = {"A": "first stronger", "B": "second stronger"}.get(row.verdict[0], row.verdict)
        rows.append(
            [f"{row.a} - {row.b}", *format_figure(row, 100.0), verdict, _needed(row.games_needed)]
        )
    click.echo(format_table(rows))
    rows = [["ratings", "games won, %", "logit", "error", "Elo points", "error"]]
    for row in result.ratings.itertuples():
        rows.append(
            [
                str(row.player),
                f"{100 * row.share:.3f}",
                *(_shown(value, ".4f") for value in (row.rating, row.se)),
                *(_shown(value, ".1f") for value in (row.elo, row.elo_se)),
            ]
        )
    click.echo(f"\n{format_table(rows)}")
    zero = "their mean is 0" if result.reference is None else f"{result.reference} is 0"
    sentences = [
        f"Bradley-Terry ratings by maximum likelihood, {zero}; standard errors by deal. "
        "Elo points are 400 / ln 10 = 173.7 times the logit.",
        "Games needed to tell a pair apart: 5 % two-sided, power 80 %, mirrored deals, if the "
        "share is as found.",
        *(f"{note}." for note in result.notes),
    ]
    click.echo(f"\n{format_sentences(sentences)}")
    total = result.games * len(result.pairs)
    click.echo(f"\n{seconds:.2f} s, {total / max(seconds, 1e-9):,.0f} games/s")


def _shown(value: float, form: str) -> str:
    return "-" if math.isnan(value) else format(value, f"+{form}" if form == ".4f" else form)


def _needed(number: float) -> str:
    if math.isinf(number):
        return "equal: none would do"
    return "-" if math.isnan(number) else f"{number:,.0f}"
