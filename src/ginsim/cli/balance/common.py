"""What the commands of `ginsim balance` share: the group, options, figures as text and JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ginsim.cli.options import (
    Size,
    seed_option,
    threads_option,
)
from ginsim.errors import show

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group()
def balance() -> None:
    """Study what a rule does to the game, and which value makes two ways to play equal.

    docs/balance.md explains the measures, and what is supposed of the players.
    """


def size_options(command: Command) -> Command:
    """How much is played."""
    command = click.option(
        "--games",
        type=Size(low=2),
        help="Whole games of each cell.  [default: 10_000, where the measures are of games]",
    )(command)
    return click.option(
        "--hands",
        type=Size(low=2),
        help="Single hands of each cell.  [default: 100_000, where the measures are of hands]",
    )(command)


def play_options(command: Command) -> Command:
    """What is as for any other command that plays."""
    options = (
        seed_option,
        click.option(
            "--first",
            type=Size(),
            default=0,
            help="Index of the first hand or game.  [default: 0]",
        ),
        click.option(
            "--max-hands",
            type=Size(low=1, high=32_000),
            default=10_000,
            help="A game without a winner after so many hands ends unfinished.  [default: 10_000]",
        ),
        threads_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def adapt_options(command: Command) -> Command:
    """Whether players know the rules of each cell."""
    command = click.option(
        "--solve-hands",
        type=Size(low=100),
        help="With --adapt: hands of each of the three streams of a solution.  [default: 100_000]",
    )(command)
    return click.option(
        "--adapt",
        type=click.Choice(["none", "against", "all"]),
        is_flag=False,
        flag_value="all",
        default="none",
        show_default=True,
        help="Solve the knock tables anew for each cell: of the strategy --against, or of all. "
        "--adapt alone is all.",
    )(command)


vary_option = click.option(
    "--vary",
    "vary",
    multiple=True,
    metavar="FIELD=VALUES",
    help="A field and its values, LOW:HIGH:STEP with both ends or a list with commas; fields "
    "joined by + have the same value. May be given again.",
)


def read_vary(texts: Sequence[str]) -> dict[str, str]:
    """The fields and values of `--vary`."""
    vary: dict[str, str] = {}
    problems = []
    for text in texts:
        field, equals, values = (part.strip() for part in text.partition("="))
        if not (field and equals and values):
            problems.append(
                f"--vary: {show(text)} is not allowed; allowed: FIELD=VALUES, such as "
                "undercut_bonus=0:50:5 or gin_bonus=20,25,30"
            )
        elif field in vary:
            problems.append(f"--vary: {show(field)} is there twice; allowed: once")
        vary[field] = values
    if problems:
        from ginsim.errors import OptionError

        raise OptionError(*problems)
    return vary


def drop_solve_hands(options: dict[str, Any]) -> None:
    if options["solve_hands"] is not None and options["adapt"] == "none":
        raise click.UsageError("--solve-hands needs --adapt: it is about solving knock tables")


def number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


FIGURE = ("value", "se", "low", "high")


def show_figure(value: float, low: float, high: float, scale: float, sign: str) -> tuple[str, str]:
    if math.isnan(value):
        return "-", ""
    if abs(value) < 1e-12:  # a trace of rounding has no sign
        value = 0.0
    shown = f"{scale * value:{sign}.3f}" if math.isfinite(value) else "none would do"
    if math.isnan(low):
        return shown, ""
    return shown, f"({scale * low:{sign}.3f} to {scale * high:{sign}.3f})"
