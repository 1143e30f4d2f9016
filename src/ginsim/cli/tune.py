"""`ginsim tune`: better parameters for a strategy, by play against a pool."""

from __future__ import annotations

import math
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    RULES,
    STRATEGY,
    Size,
    json_option,
    seed_option,
    settings_option,
    threads_option,
)
from ginsim.cli.text import format_sentences, format_table, mark_title, print_json
from ginsim.errors import OptionError, refuse

if TYPE_CHECKING:
    from ginsim.strategies import Strategy
    from ginsim.tuning import Tuning

#: As of ginsim.tuning, which the shell's completion should not load.
DEFAULT_RULES = "classic"


@click.command()
@click.argument("strategy", type=STRATEGY)
@click.option(
    "--rules", type=RULES, default=DEFAULT_RULES, show_default=True, help="The rules to play by."
)
@settings_option
@click.option(
    "--against",
    type=STRATEGY,
    multiple=True,
    metavar="STRATEGY",
    help="An opponent; may be given again, each counts the same.  [default: simple, greedy with "
    "knock_at 0, 4 and 10, and STRATEGY as it is]",
)
@click.option(
    "--vary",
    multiple=True,
    metavar="FIELD=LOW:HIGH[:STEP]",
    help="What may change: knock_at=0:10, weigh_pairs=0:60:5, draw=improve|gain, or a field alone "
    "for its declared range; may be given again.  [default: all declared that matter]",
)
@click.option(
    "--turns",
    default="",
    metavar="N,N...",
    help="Turns from which parameters by turn may have another value, beside those they have.",
)
@click.option(
    "--measure",
    type=click.Choice(["games", "margin", "boxes", "hands", "points"]),
    default="games",
    help="What is raised: share of games won, margin of scores or boxes a game; or of single hands "
    "the share or the points.  [default: games]",
)
@click.option(
    "--budget", type=Size(low=1), help="Hands to play while tuning, about.  [default: 10_000_000]"
)
@click.option("--seconds", type=float, help="How long to tune instead.")
@click.option(
    "--validate",
    type=Size(low=4),
    help="Games, or hands, against each opponent on fresh deals at the end.  [default: 20_000 "
    "games, 200_000 hands]",
)
@seed_option
@threads_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the strategy with its provenance to a .toml file, which can be named wherever a "
    "strategy can.",
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@json_option
def tune(
    strategy: str,
    rules: str,
    settings: tuple[str, ...],
    against: tuple[str, ...],
    vary: tuple[str, ...],
    turns: str,
    measure: str,
    budget: int | None,
    seconds: float | None,
    validate: int | None,
    seed: int | None,
    threads: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Search for parameters of STRATEGY that do better against a pool of opponents.

    Candidates race on common mirrored deals; what is found is validated on other deals, and the
    start is kept unless it is better there. When interrupted it writes no file and says what was
    best so far. A file that cannot be written is an error after the result has been printed.
    """
    from ginsim.cli.progress import show_progress
    from ginsim.rules import load_rules, parse_settings
    from ginsim.strategies import parse_strategy
    from ginsim.strategyfiles import check_strategy_file
    from ginsim.tuning import tune as search

    loaded = load_rules(rules, parse_settings(settings))
    if out is not None:
        check_strategy_file(out, force, "--out")
    start = time.perf_counter()
    seen: list[tuple[Strategy, int]] = []
    try:
        with show_progress("hands") as progress:
            result = search(
                strategy,
                loaded,
                against=against or None,
                vary=vary or None,
                turns=_read_turns(turns),
                measure=measure,
                budget=budget,
                seconds=seconds,
                validate=validate,
                seed=seed,
                threads=threads,
                progress=progress,
                watch=lambda best, hands: seen.append((best, hands)),
            )
    except (KeyboardInterrupt, SystemExit):
        if seen:
            best, played = seen[-1]
            click.echo(f"best after {played:,} hands, not validated: {best.name}", err=True)
            _print_changes(parse_strategy(strategy), best, err=True)
        raise
    took = time.perf_counter() - start
    words = ["ginsim", "tune", strategy, "--rules", rules]
    for option, texts in (("--set", settings), ("--against", against), ("--vary", vary)):
        words += [word for text in texts for word in (option, text)]
    words += ["--turns", turns] if turns else []
    words += ["--measure", measure, "--budget", str(result.provenance["budget"])]
    words += ["--validate", str(result.provenance["validating"]["count"])]
    words += ["--seed", str(result.provenance["seed"])]
    result.provenance["command"] = shlex.join(words)
    # Printed first, so that what took long is not lost if it cannot be written.
    if as_json:
        print_json(_document(result, took))
    else:
        _print(result, took)
    if out is not None:
        _write(result, out, force)
        if not as_json:
            click.echo(f"written to {out}: {result.best.name}")


def _write(result: Tuning, out: Path, force: bool) -> None:
    from ginsim.strategyfiles import check_strategy_file

    try:
        # Again: something may have come there during the search.
        check_strategy_file(out, force, "--out")
        result.write(out, force)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(f"--out: {str(out)!r} cannot be written: {reason}") from None


def _read_turns(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    for word in words:
        if not word.isdecimal() or not word.isascii():
            raise OptionError(
                refuse("--turns", text, "whole numbers 2 to 16, such as 4,7,10, from which turn on")
            )
    return [int(word) for word in words]


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _strategy(strategy: Strategy) -> dict[str, Any]:
    return strategy.model_dump()


def _document(result: Tuning, seconds: float) -> dict[str, Any]:
    rows: list[Any] = list(result.races.itertuples())
    return {
        "start": result.start.name,
        "found": result.found.name,
        "best": _strategy(result.best),
        "is_better": result.is_better,
        "verdict": result.verdict,
        "rules": result.rules.name,
        "measure": result.measure,
        "hands": result.hands,
        "seconds": seconds,
        "races": [
            {
                "race": int(row.race),
                "candidates": int(row.candidates),
                "left": int(row.left),
                "deals": int(row.deals),
                "hands": int(row.hands),
                "gain": _number(row.gain),
                "best": row.best,
            }
            for row in rows
        ],
        "provenance": result.provenance,
    }


_FIGURES = {
    "games": ("games won, %", 100.0),
    "hands": ("hands won, %", 100.0),
    "points": ("points a hand", 1.0),
    "margin": ("score a game", 1.0),
    "boxes": ("boxes a game", 1.0),
}


def _print_changes(start: Strategy, changed: Strategy, err: bool = False) -> None:
    """The fields that are not as at the start, where the name does not say them."""
    if changed.name.endswith(", changed"):
        plain = start.values()
        for field, value in changed.values().items():
            if value != plain[field]:
                click.echo(f"  {field} = {value}", err=err)


def _print(result: Tuning, seconds: float) -> None:
    origin = result.provenance
    unit = origin["unit"]
    click.echo(mark_title(f"{result.rules.name}: {result.start.name}, seed {origin['seed']}"))
    click.echo(
        f"varied: {', '.join(f'{field} {text}' for field, text in result.ranges.items())}\n"
        f"{len(result.races)} races, {result.hands:,} hands on {origin['tuning']['count'] // 2:,} "
        "mirrored deals\n"
    )
    click.echo(f"found: {result.found.name}")
    _print_changes(result.start, result.found)
    label, scale = _FIGURES[result.measure]
    rows = [[f"{label}, against", "start", "found", "difference", "95 % interval"]]
    for opponent, own in result.table.groupby("opponent", sort=False):
        by: Any = own.set_index("player")
        last = by.loc["difference"]
        rows.append(
            [
                str(opponent),
                f"{scale * by.loc['start', 'value']:.3f}",
                f"{scale * by.loc['found', 'value']:.3f}",
                f"{scale * last['value']:+.3f}",
                f"({scale * last['low']:+.3f} to {scale * last['high']:+.3f})",
            ]
        )
    count = origin["validating"]["count"]
    click.echo(f"\n{format_table(rows)}\n")
    click.echo(
        format_sentences(
            [
                f"On fresh deals: {count:,} {unit} against each, mirrored, from "
                f"{unit.removesuffix('s')} {origin['validating']['first']:,} on.",
                f"Verdict: {result.verdict}.",
                f"The same again: {origin['command']}",
            ]
        )
    )
    click.echo(f"\n{seconds:.2f} s, {result.hands / max(seconds, 1e-9):,.0f} hands/s")
