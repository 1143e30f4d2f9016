"""`ginsim hands` and `ginsim replay`: play many hands, or look at one."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    DEFAULT_STRATEGY,
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
from ginsim.cli.text import print_json

if TYPE_CHECKING:
    from ginsim.rules import Rules
    from ginsim.stats import Tally
    from ginsim.strategies import Strategy

#: Hands per block when records are written: what is held in memory at once.
BLOCK = 500_000


@click.command()
@rules_argument
@click.option(
    "--hands",
    "num_hands",
    type=Size(low=1),
    help="How many hands.  [default: 1_000_000, or all decks]",
)
@seats_options
@seed_option
@click.option("--first", type=Size(), default=0, help="Index of the first hand.  [default: 0]")
@mirror_option
@threads_option
@decks_option
@plot_option
@out_options
@json_option
def hands(
    rules: str,
    settings: tuple[str, ...],
    num_hands: int | None,
    south: str,
    north: str,
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
    """Play hands and show how they end, with 95 % intervals.

    The same seed gives the same hands, whatever the number of threads; with --first a range of
    them is played.
    """
    loaded, pair = load_players(rules, settings, south, north)
    if out is not None:
        from ginsim.files import check_target

        check_target(out, force, "--out")
    check_plot(plot, force)
    given = read_decks_option(decks)
    if num_hands is None and given is None:
        num_hands = 1_000_000

    from ginsim.cli.progress import show_progress
    from ginsim.cli.summary import make_document, print_summary
    from ginsim.stats import summarize

    start = time.perf_counter()
    with show_progress("hands") as progress:
        options: dict[str, Any] = {
            "seed": seed,
            "first": first,
            "threads": threads,
            "mirror": mirror,
            "decks": given,
        }
        if out is None:
            from ginsim.simulation import tally

            result = tally(loaded, pair, num_hands, **options, progress=progress)
        else:
            result = _write_records(loaded, pair, num_hands, options, out, force, progress)
    seconds = time.perf_counter() - start
    table = summarize(result)
    if as_json:
        print_json(make_document(result, table, seconds))
    else:
        print_summary(result, table, seconds)
        if out is not None:
            click.echo(f"records in {out}")
        click.echo(f"one of the hands: {_replay_command(rules, settings, result, decks)}")
    draw_plot(plot, force, "plot_outcomes", result, as_json)


def _replay_command(rules: str, settings: tuple[str, ...], tally: Tally, decks: Path | None) -> str:
    """What to type to see the first hand of a run."""
    provenance = tally.provenance
    words = ["ginsim", "replay", rules, *(word for text in settings for word in ("--set", text))]
    words += ["--seed", str(provenance["seed"]), "--hand", str(provenance["first"])]
    for seat in ("south", "north"):
        name = provenance["strategies"][seat]["name"]
        words += [] if name == DEFAULT_STRATEGY else [f"--{seat}", name]
    words += [] if decks is None else ["--decks", str(decks)]
    return shlex.join(words + ["--mirror"] * provenance["mirror"])


def _write_records(
    rules: Rules,
    pair: tuple[Strategy, Strategy],
    num_hands: int | None,
    options: dict[str, Any],
    out: Path,
    force: bool,
    progress: Callable[[int, int], None] | None,
) -> Tally:
    """Play and write block by block, so that memory does not grow with the number of hands."""
    from ginsim.files import open_records
    from ginsim.simulation import simulate
    from ginsim.stats import Tally
    from ginsim.tasks import make_task

    asked = {key: value for key, value in options.items() if key != "threads"}
    task = make_task(rules, pair, num_hands, **asked)
    num_hands = task.hands
    total: Tally | None = None
    done = 0

    def advance(part: int, _total: int) -> None:
        if progress is not None:
            progress(done + part, num_hands)

    with open_records(out, "hands", task.provenance, force, "--out") as writer:
        while done < num_hands:
            size = min(BLOCK, num_hands - done)
            # A drawn seed is drawn once, for all blocks.
            block = {**options, "seed": task.seed, "first": task.first + done, "progress": advance}
            frame = simulate(rules, pair, size, **block)
            writer.write(frame)
            part = Tally.from_frame(frame)
            total = part if total is None else total + part
            done += size
    assert total is not None, "there is at least one hand"
    return total


@click.command(short_help="Show one hand, card by card.")
@rules_argument
@click.option("--seed", type=Size(high=None), required=True, help="The seed of the hands.")
@click.option("--hand", type=Size(), default=0, help="Index of the hand.  [default: 0]")
@seats_options
@mirror_option
@decks_option
@json_option
def replay(
    rules: str,
    settings: tuple[str, ...],
    seed: int,
    hand: int,
    south: str,
    north: str,
    mirror: bool,
    decks: Path | None,
    as_json: bool,
) -> None:
    """Show one hand: every draw, discard and knock, the melds, the layoffs and the score.

    With the seed, strategies and --mirror of a run of `ginsim hands`, --hand is the index of one
    of its hands.
    """
    loaded, pair = load_players(rules, settings, south, north)

    from ginsim.transcripts import replay as replay_hand
    from ginsim.transcripts import transcript

    given = read_decks_option(decks)
    if as_json:
        print_json(replay_hand(loaded, pair, seed, hand, mirror=mirror, decks=given))
    else:
        click.echo(transcript(loaded, pair, seed, hand, mirror=mirror, decks=given).rstrip())
