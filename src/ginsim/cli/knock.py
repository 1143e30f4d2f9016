"""`ginsim knock`: knock, or play on? And the knock table that does best."""

from __future__ import annotations

import math
import re
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    STRATEGY,
    Command,
    Size,
    check_plot,
    draw_plot,
    force_option,
    json_option,
    naming_options,
    plot_option,
    rules_argument,
    seed_option,
    threads_option,
)
from ginsim.cli.text import format_sentences, format_table, mark, mark_title, print_json
from ginsim.errors import count, show

if TYPE_CHECKING:
    import pandas as pd

    from ginsim.intervals import Estimate
    from ginsim.knock_solving import KnockSolution

#: The options that name keys, and the keys.
KEYS = {
    "turn": "turn",
    "deadwood": "deadwood",
    "pickups": "pick_ups",
    "own-pickups": "own_pick_ups",
    "stock": "stock",
    "limit": "limit",
}
OPTION_OF = {key: name for name, key in KEYS.items()}
#: As `naming_options` has them.
FIELDS = {**{key: f"--{name}" for name, key in KEYS.items()}, "first": "--first"}


class Range(click.ParamType[Any]):
    """A whole number, or a range such as 1-4."""

    name = "range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        match = re.fullmatch(r"\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*", str(value), re.ASCII)
        if match is None:
            self.fail(
                f"{show(str(value))} is not allowed; allowed: a whole number, or a range such as "
                "1-4",
                param,
                ctx,
            )
        if match[2] is None:
            return int(match[1])
        least, most = int(match[1]), int(match[2])
        if least > most:
            self.fail(
                f"{show(str(value))} is not allowed; allowed: a range from the least to the most, "
                f"such as {most}-{least}",
                param,
                ctx,
            )
        return least, most


def _range_option(name: str, text: str) -> Callable[[Command], Command]:
    return click.option(f"--{name}", type=Range(), metavar="N", help=text)


@click.command()
@rules_argument
@click.option(
    "--policy",
    type=STRATEGY,
    default="greedy",
    show_default=True,
    metavar="STRATEGY",
    help="Who has the chance to knock, and plays on by this strategy.",
)
@click.option(
    "--opponent",
    type=STRATEGY,
    metavar="STRATEGY",
    help="The other seat.  [default: the same strategy; with --solve the same with the same table]",
)
@click.option(
    "--hands",
    "num_hands",
    type=Size(low=1),
    help="How many hands; with --solve, in each of three streams.  [default: by the method]",
)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice([*KEYS, "nothing"]),
    help="What tells cells apart; may be given again.  [default: turn, deadwood, and what is "
    "given as one number]",
)
@_range_option("turn", "Only these own turns, from 1: 5 or 1-4; 16 is 16 or more.")
@_range_option("deadwood", "Only with this deadwood after the best discard.")
@_range_option("pickups", "Only after so many pick-ups of the opponent; 3 is 3 or more.")
@_range_option("own-pickups", "Only after so many own pick-ups, that of the turn too.")
@_range_option("stock", "Only with so many cards in the stock.")
@_range_option("limit", "Only in hands of this knock limit.")
@click.option(
    "--method",
    type=click.Choice(["stopping", "replay"]),
    help="How playing on is valued.  [default: stopping where it is exact]",
)
@click.option(
    "--solve",
    is_flag=True,
    help="Find the knock table that does best against the opponent, or against itself.",
)
@click.option(
    "--scores",
    metavar="OWN-HIS",
    help="At this score of a game: with --solve, the table that wins most games, such as 60-45.",
)
@seed_option
@click.option("--first", type=Size(), default=0, help="Index of the first hand.  [default: 0]")
@threads_option
@plot_option
@force_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table to a file: .csv, .jsonl, or .parquet with pyarrow installed; with "
    "--solve also .toml, a strategy file.",
)
@json_option
def knock(
    rules: str,
    settings: tuple[str, ...],
    policy: str,
    opponent: str | None,
    num_hands: int | None,
    by: tuple[str, ...],
    turn: Any,
    deadwood: Any,
    pickups: Any,
    own_pickups: Any,
    stock: Any,
    limit: Any,
    method: str | None,
    solve: bool,
    scores: str | None,
    seed: int | None,
    first: int,
    threads: int | None,
    plot: Path | None,
    force: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Knock, or play on? Both moves at each chance to knock, on the same cards.

    Shows what a knock brings more than playing on, by the seat's own turn and deadwood, with the
    chances of an undercut, of the opponent knocking first, and of own gin. "Turn 5, deadwood 7, he
    took two cards" is --turn 5 --deadwood 7 --pickups 2.
    """
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    bounds = dict(zip(KEYS, (turn, deadwood, pickups, own_pickups, stock, limit), strict=True))
    rules_words = ["ginsim", "knock", rules]
    rules_words += [word for text in settings for word in ("--set", text)]
    words = list(rules_words)
    words += [] if policy == "greedy" else ["--policy", policy]
    words += [] if opponent is None else ["--opponent", opponent]
    check_plot(plot, force)
    options: dict[str, Any] = {"seed": seed, "first": first, "threads": threads}
    keys: Any = None
    if by:
        keys = [KEYS[name] for name in by if name != "nothing"]
    if plot is not None and not solve:
        _check_picture(keys, bounds)
    if solve:
        _check_solving(bounds, method)
        _solve(
            loaded,
            policy,
            opponent,
            num_hands,
            keys,
            scores,
            options,
            rules_words,
            words,
            out,
            plot,
            force,
            as_json,
        )
        return
    if scores is not None:
        raise click.UsageError(
            "--scores: is for the table that wins most games; allowed: with --solve"
        )
    _compare(
        loaded,
        policy,
        opponent,
        num_hands,
        keys,
        bounds,
        method,
        options,
        words,
        out,
        plot,
        force,
        as_json,
    )


def _check_picture(keys: Any, bounds: dict[str, Any]) -> None:
    """See that the cells are those of the picture: a turn and a deadwood each."""
    singles = [KEYS[name] for name, value in bounds.items() if isinstance(value, int)]
    told = ["turn", "deadwood", *singles] if keys is None else keys
    others = [OPTION_OF[key] for key in told if key not in ("turn", "deadwood", *singles)]
    if others or not {"turn", "deadwood"} <= {*told}:
        raise click.UsageError(
            "--plot: shows turn and deadwood; allowed: with cells by these two alone, such as "
            "without --by"
        )


def _check_solving(bounds: dict[str, Any], method: str | None) -> None:
    given = [f"--{name}" for name, value in bounds.items() if value is not None]
    given += ["--method"] if method is not None else []
    if given:
        raise click.UsageError(
            f"{', '.join(given)}: a whole table is solved for; allowed: without --solve"
        )


# -- the comparison -------------------------------------------------------------------------------


def _compare(
    rules: Any,
    policy: str,
    opponent: str | None,
    num_hands: int | None,
    keys: Any,
    bounds: dict[str, Any],
    method: str | None,
    options: dict[str, Any],
    words: list[str],
    out: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    from ginsim.cli.progress import show_progress
    from ginsim.files import check_target, write_records
    from ginsim.timing import knock_timing

    if out is not None:
        check_target(out, force, "--out")
    start = time.perf_counter()
    given = {KEYS[name]: value for name, value in bounds.items()}
    with naming_options(**FIELDS), show_progress("hands") as progress:
        frame = knock_timing(
            rules,
            policy,
            policy if opponent is None else opponent,
            num_hands,
            by=keys,
            **given,
            method=method,
            **options,
            progress=progress,
        )
    seconds = time.perf_counter() - start
    if out is not None:
        write_records(frame, out, force)
    check = _check_command(frame, words, bounds, keys, method)
    if as_json:
        print_json(_document(frame, check, seconds))
        draw_plot(plot, force, "plot_knock_gain", frame, as_json)
        return
    _print_timing(frame)
    click.echo(f"\nchecked on fresh deals by: {check}")
    if out is not None:
        click.echo(f"table in {out}")
    draw_plot(plot, force, "plot_knock_gain", frame, as_json)
    hands = frame.attrs["provenance"]["hands"]
    click.echo(f"\n{seconds:.2f} s, {hands / max(seconds, 1e-9):,.0f} hands/s")


def _check_command(
    frame: pd.DataFrame,
    words: list[str],
    bounds: dict[str, Any],
    keys: Any,
    method: str | None,
) -> str:
    """The same question put to other deals: those that follow."""
    origin = frame.attrs["provenance"]
    command = list(words)
    for name, value in bounds.items():
        if value is not None:
            command += [f"--{name}", "-".join(map(str, value)) if _is_pair(value) else str(value)]
    if keys is not None:
        for key in keys or ["nothing"]:
            command += ["--by", OPTION_OF.get(key, key)]
    command += [] if method is None else ["--method", method]
    command += ["--hands", str(origin["hands"]), "--seed", str(origin["seed"])]
    command += ["--first", str(origin["first"] + origin["hands"])]
    return shlex.join(command)


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple)


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _row(row: Any) -> dict[str, Any]:
    keys = {key: None if value < 0 else int(value) for key, value in _keys_of(row).items()}
    shares = {
        name: {
            "share": _number(getattr(row, name)),
            "low": _number(getattr(row, f"{name}_low")),
            "high": _number(getattr(row, f"{name}_high")),
        }
        for name in ("undercut", "opponent_first", "own_gin")
    }
    return {
        **keys,
        "chances": int(row.chances),
        "on_policy": int(row.on_policy),
        "deals": int(row.deals),
        "knock": _number(row.knock),
        "play": _number(row.play),
        "gain": {
            "value": _number(row.gain),
            "se": _number(row.se),
            "low": _number(row.low),
            "high": _number(row.high),
        },
        "p": _number(row.p),
        "p_holm": _number(row.p_holm),
        "verdict": str(row.verdict),
        **shares,
    }


def _keys_of(row: Any) -> dict[str, int]:
    return {key: getattr(row, key) for key in KEYS.values()}


def _document(frame: pd.DataFrame, check: str, seconds: float) -> dict[str, Any]:
    origin = frame.attrs["provenance"]
    return {
        "rules": origin["rules"]["name"],
        "policy": origin["strategies"]["south"]["name"],
        "opponent": origin["strategies"]["north"]["name"],
        "method": origin["method"],
        "hands": origin["hands"],
        "seconds": seconds,
        "rows": [_row(row) for row in frame.itertuples()],
        "solution": None,
        "check": check,
        "provenance": origin,
    }


_METHODS = {
    "stopping": "playing on is read off the recorded path, up to the next chance at which the "
    "policy knocks (stopping): its draws and discards do not read its knock rule",
    "replay": "playing on is played in a copy of the hand (replay)",
}


def _print_timing(frame: pd.DataFrame) -> None:
    origin = frame.attrs["provenance"]
    policy, opponent = (origin["strategies"][seat]["name"] for seat in ("south", "north"))
    click.echo(mark_title(f"{origin['rules']['name']}: policy {policy}, opponent {opponent}"))
    click.echo(
        f"{origin['hands']:,} hands from {origin['first']:,} of seed {origin['seed']}; "
        f"{_METHODS[origin['method']]}.\n"
    )
    if len(frame) == 1:
        _print_answer(next(frame.itertuples()))
        return
    keys = origin["by"]
    names = [key.replace("pick_ups", "pick-ups").replace("_", " ") for key in keys]
    rows = [
        [
            *names,
            "hands",
            "on policy",
            "gain",
            "95 % interval",
            "verdict",
            "undercut",
            "he first",
            "own gin",
        ]
    ]
    row: Any
    for row in frame.itertuples():
        rows.append(
            [
                *(_tell_key(key, int(getattr(row, key))) for key in keys),
                f"{row.deals:,}",
                f"{row.on_policy:,}",
                f"{row.gain:+.2f}",
                f"({row.low:+.2f} to {row.high:+.2f})" if row.deals > 1 else "",
                str(row.verdict),
                *(f"{100 * getattr(row, name):.1f} %" for name in _SHARES),
            ]
        )
    click.echo("What a knock brings more than playing on, in points a hand:")
    click.echo(format_table(rows, left=0))
    click.echo(
        format_sentences(
            [
                "Intervals are 95 %, by deal, each for itself. Verdicts hold together: the chance "
                "that any of them is found by mistake is at most 5 % (Holm).",
                "on policy: chances that the policy itself comes to. undercut: if it knocks. he "
                "first, own gin: if it is played on, the opponent knocks or has gin first, and the "
                "hand ends with own gin.",
            ]
        )
    )


_SHARES = ("undercut", "opponent_first", "own_gin")


def _tell_key(key: str, value: int) -> str:
    most = {"turn": 16, "pick_ups": 3, "own_pick_ups": 3}.get(key)
    return f"{value}+" if value == most else str(value)


def _print_answer(row: Any) -> None:
    """The answer to one question, in words."""
    words = {"knock": "Knock", "play on": "Play on", "not told apart": "Not told apart"}
    verdict = words.get(str(row.verdict), "Not enough hands for a verdict")
    tone = "good" if str(row.verdict) in ("knock", "play on") else "open"
    if not row.chances:
        click.echo("It did not happen.")
        return
    click.echo(
        f"{mark(f'{verdict}.', tone)} A knock brings {row.gain:+.2f} points "
        f"(95 %: {row.low:+.2f} to {row.high:+.2f}) more than playing on."
    )
    click.echo(
        format_sentences(
            [
                f"Knocked: {row.knock:+.2f} points on average; undercut "
                f"{_tell_share(row, 'undercut')}.",
                f"Played on: {row.play:+.2f} points; the opponent knocks or has gin first "
                f"{_tell_share(row, 'opponent_first')}, own gin {_tell_share(row, 'own_gin')}.",
                f"{row.chances:,} chances in {row.deals:,} hands; the policy itself comes to "
                f"{row.on_policy:,} of them.",
            ]
        )
    )


def _tell_share(row: Any, name: str) -> str:
    share, low, high = (100 * getattr(row, each) for each in (name, f"{name}_low", f"{name}_high"))
    return f"{share:.1f} % ({low:.1f} to {high:.1f})"


# -- the solver -----------------------------------------------------------------------------------


def _solve(
    rules: Any,
    policy: str,
    opponent: str | None,
    num_hands: int | None,
    keys: Any,
    scores: str | None,
    options: dict[str, Any],
    rules_words: list[str],
    words: list[str],
    out: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    from ginsim.cli.progress import show_progress
    from ginsim.files import check_place, check_target, write_records
    from ginsim.knock_solving import solve_knocks

    if out is not None and out.suffix == ".toml":
        check_place(out, force, "--out")
    elif out is not None:
        check_target(out, force, "--out")
    start = time.perf_counter()
    with naming_options(**FIELDS), show_progress("hands") as progress:
        if scores is None:
            solution = solve_knocks(
                rules, policy, opponent, num_hands, by=keys, **options, progress=progress
            )
        else:
            from ginsim.equity import read_scores, solve_at_scores

            solution = solve_at_scores(
                rules,
                policy,
                opponent,
                num_hands,
                scores=read_scores(scores),
                by=keys,
                **options,
                progress=progress,
            )
    seconds = time.perf_counter() - start
    origin = solution.provenance
    command = [*words, "--solve", *([] if scores is None else ["--scores", scores])]
    for key in keys or ():
        command += ["--by", OPTION_OF.get(key, key)]
    command += ["--hands", str(origin["hands"]), "--seed", str(origin["seed"])]
    check = _solution_check(solution, command, rules_words, opponent, scores, out)
    command += ["--first", str(origin["first"])] if origin["first"] else []
    if out is not None and out.suffix == ".toml":
        solution.write_strategy(out, force, shlex.join(command))
    elif out is not None:
        write_records(solution.table, out, force)
    if as_json:
        print_json(_solution_document(solution, check, seconds))
        draw_plot(plot, force, "plot_knock_tables", solution, as_json)
        return
    _print_solution(solution)
    click.echo(f"\nchecked on fresh deals by: {check}")
    if out is not None:
        click.echo(f"table in {out}")
    draw_plot(plot, force, "plot_knock_tables", solution, as_json)
    click.echo(f"\n{seconds:.2f} s")


def _solution_check(
    solution: KnockSolution,
    command: list[str],
    rules_words: list[str],
    opponent: str | None,
    scores: str | None,
    out: Path | None,
) -> str:
    """What puts a solved table to the test on deals that follow those of its three streams.

    A table in a strategy file plays both moves at its chances: none should be worth more than the
    other against its verdict. One that is in no such file, or is for games, is solved for again.

    Args:
        command: what solved for it, without the first deal.
        rules_words: the command and the rules alone.
    """
    origin = solution.provenance
    words = command
    if out is not None and out.suffix == ".toml" and scores is None:
        words = [*rules_words, "--policy", str(out) if len(out.parts) > 1 else f"./{out}"]
        words += [] if opponent is None else ["--opponent", opponent]
        if origin["by"] != ["turn", "deadwood"]:
            words += [word for key in origin["by"] for word in ("--by", OPTION_OF[key])]
        words += ["--hands", str(origin["hands"]), "--seed", str(origin["seed"])]
    return shlex.join([*words, "--first", str(origin["first"] + 3 * origin["hands"])])


def _figure(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {key: _number(getattr(estimate, key)) for key in ("value", "se", "low", "high")}


def _solution_document(solution: KnockSolution, check: str, seconds: float) -> dict[str, Any]:
    origin = solution.provenance
    rows = []
    row: Any
    for row in solution.table.itertuples():
        cell: dict[str, Any] = {key: getattr(row, key) for key in _CELL}
        rows.append(
            {
                **{key: None if value < 0 else int(value) for key, value in cell.items()},
                "knock": bool(row.knock),
                "inherited": bool(row.inherited),
                "chances": int(row.chances),
                "reached": int(row.reached),
                "loss": _number(row.loss),
            }
        )
    rounds: list[Any] = list(solution.rounds.itertuples())
    return {
        "rules": solution.rules.name,
        "policy": solution.policy.name,
        "opponent": origin["opponent"],
        "method": solution.method,
        "hands": origin["hands"],
        "seconds": seconds,
        "rows": None,
        "solution": {
            "knock_table": solution.strategy.knock_table,
            "unit": solution.unit,
            "value": _figure(solution.value),
            "gain": _figure(solution.gain),
            "exploitability": _figure(solution.exploitability),
            "converged": solution.is_converged,
            "rounds": [
                {
                    "round": int(each.round),
                    "changed": int(each.changed),
                    "gain": float(each.gain),
                    "low": float(each.low),
                    "high": float(each.high),
                }
                for each in rounds
            ],
            "cells": rows,
        },
        "check": check,
        "provenance": origin,
    }


_CELL = ("turn", "deadwood", "pick_ups", "limit")


def _print_solution(solution: KnockSolution) -> None:
    origin = solution.provenance
    against = origin["opponent"]
    click.echo(
        mark_title(
            f"{solution.rules.name}: knock table for {solution.policy.name} against {against}"
        )
    )
    click.echo(
        f"{origin['hands']:,} hands each for solving, choosing and reporting, from "
        f"{origin['first']:,} of seed {origin['seed']}; {_METHODS[solution.method]}.\n"
    )
    table = solution.table
    place: Any
    for place, part in table.groupby(["limit", "pick_ups"]):
        limit, pick_ups = (int(each) for each in place)
        title = [f"knock limit {limit}"] * (limit >= 0)
        title += [f"{_tell_key('pick_ups', pick_ups)} pick-ups of the opponent"] * (pick_ups >= 0)
        if title:
            click.echo(", ".join(title))
        _print_grid(part)
    click.echo("K knock, . play on; k and : where no hand comes, as the turn before.")
    click.echo(f"knock_table = {solution.strategy.knock_table}\n")
    click.echo(format_sentences(_tell_figures(solution)))


def _print_grid(part: pd.DataFrame) -> None:
    deadwoods = sorted(part["deadwood"].unique())
    rows = [["turn", *map(str, deadwoods)]]
    marks = {(True, False): "K", (False, False): ".", (True, True): "k", (False, True): ":"}
    for turn, line in part.groupby("turn"):
        each_row: list[Any] = list(line.itertuples())
        cells = {int(row.deadwood): marks[bool(row.knock), bool(row.inherited)] for row in each_row}
        rows.append(
            [_tell_key("turn", int(str(turn))), *(cells.get(int(each), "") for each in deadwoods)]
        )
    click.echo(format_table(rows, left=0))


def _tell(estimate: Estimate, unit: str) -> str:
    if unit == "points":
        return f"{estimate.value:+.3f} points a hand ({estimate.low:+.3f} to {estimate.high:+.3f})"
    return (
        f"{100 * estimate.value:+.2f} % of games ({100 * estimate.low:+.2f} to "
        f"{100 * estimate.high:+.2f})"
    )


def _tell_figures(solution: KnockSolution) -> list[str]:
    unit = solution.unit
    sentences = [f"Value, on the reporting deals: {_tell(solution.value, unit)}."]
    if solution.gain is not None:
        sentences.append(f"More than by the policy's own table: {_tell(solution.gain, unit)}.")
    if solution.exploitability is not None:
        sentences.append(
            "A best response gains "
            f"{_tell(solution.exploitability, unit)}. That counts knock decisions only and is a "
            "lower bound of what can be gained."
        )
        rounds = count(len(solution.rounds), "round")
        gains = ", ".join(f"{gain:.3f}" for gain in solution.rounds["gain"])
        sentences.append(f"What it gained round by round, on the choosing deals: {gains}.")
        sentences.append(
            f"Converged in {rounds}: the bound is below 0.05 points."
            if solution.is_converged
            else f"Not converged in {rounds}: this is the least exploitable table met, or "
            "the hands are too few to tell."
        )
    return sentences
