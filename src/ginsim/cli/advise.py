"""`ginsim advise` and `ginsim equity`: what to do in a position; what a score is worth."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    STRATEGY,
    Size,
    json_option,
    naming_options,
    out_options,
    rules_argument,
    rules_option,
    seed_option,
    threads_option,
)
from ginsim.cli.text import format_sentences, format_table, mark_title, print_json

if TYPE_CHECKING:
    import pandas as pd

    from ginsim.equity import Equity


#: As `naming_options` has them.
FIELDS = {
    "pick_ups": "--pickups",
    "own_pick_ups": "--own-pickups",
    "play_outs": "--play-outs",
    "just_took": "--just-took",
    "knock_card": "--knock-card",
}


@click.command()
@rules_option
@click.option(
    "--hand", required=True, metavar="CARDS", help="Own cards: ten, or after the draw 11."
)
@click.option(
    "--pile", default="", metavar="CARDS", help="The discard pile in order, the top last."
)
@click.option(
    "--took", default="", metavar="CARDS", help="What the opponent took from the pile and holds."
)
@click.option("--turn", type=Size(low=1), required=True, help="The own turn, from 1.")
@click.option("--scores", metavar="OWN-HIS", help="Points of the game before the hand: 60-45.")
@click.option("--just-took", metavar="CARD", help="The card just taken from the pile.")
@click.option("--showed", default="", metavar="CARDS", help="Own cards taken from the pile before.")
@click.option(
    "--pickups", type=Size(), help="How many cards he took in all.  [default: those of --took]"
)
@click.option(
    "--own-pickups",
    type=Size(),
    help="How many oneself took in all.  [default: those of --showed and --just-took]",
)
@click.option(
    "--dealer",
    type=click.Choice(["policy", "opponent"]),
    default="opponent",
    show_default=True,
    help="Who dealt; policy is oneself.",
)
@click.option("--upcard", is_flag=True, help="The pile is the upcard, and on offer.")
@click.option("--passed", is_flag=True, help="The opponent has passed the upcard on offer.")
@click.option("--knock-card", metavar="CARD", help="The card that sets the knock limit.")
@click.option(
    "--policy",
    type=STRATEGY,
    default="expert",
    show_default=True,
    metavar="STRATEGY",
    help="Plays the own hand on.",
)
@click.option(
    "--opponent",
    type=STRATEGY,
    default="expert",
    show_default=True,
    metavar="STRATEGY",
    help="Plays the other hand on, and is taken to have played it so far.",
)
@click.option(
    "--play-outs",
    type=Size(low=64, high=131_072),
    default=2048,
    help="Of each action: a multiple of 32 from 64 to 131,072.  [default: 2048]",
)
@seed_option
@out_options
@json_option
def advise(
    rules: str,
    settings: tuple[str, ...],
    out: Path | None,
    force: bool,
    as_json: bool,
    pickups: int | None,
    own_pickups: int | None,
    **options: Any,
) -> None:
    """What each legal action of a position brings: draw, discard, knock.

    The hidden cards are drawn so that they agree with what was seen, and from each action the hand
    is played on. Hands with which --opponent would have knocked in his last turn are not drawn.

    Turn, pile and cards taken must belong together: each turn brings a card to the pile, and each
    pick-up takes one.
    """
    from ginsim.advising import advise as find
    from ginsim.files import check_target, write_records
    from ginsim.rules import load_rules, parse_settings

    if out is not None:
        check_target(out, force, "--out")
    start = time.perf_counter()
    with naming_options(**FIELDS):
        frame = find(
            load_rules(rules, parse_settings(settings)),
            pick_ups=pickups,
            own_pick_ups=own_pickups,
            **options,
        )
    seconds = time.perf_counter() - start
    if out is not None:
        write_records(frame, out, force)
    if as_json:
        print_json(_advice_document(frame, seconds))
        return
    _print_advice(frame)
    if out is not None:
        click.echo(f"table in {out}")
    click.echo(f"\n{seconds:.2f} s")


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _figure(row: Any, name: str) -> dict[str, float | None]:
    return {
        "value": _number(getattr(row, name)),
        "low": _number(getattr(row, f"{name}_low")),
        "high": _number(getattr(row, f"{name}_high")),
    }


def _advice_document(frame: pd.DataFrame, seconds: float) -> dict[str, Any]:
    origin = frame.attrs["provenance"]
    rows: list[Any] = list(frame.itertuples())
    return {
        "rules": origin["rules"]["name"],
        "seconds": seconds,
        "actions": [
            {
                "action": str(row.action),
                "card": row.card if isinstance(row.card, str) else None,
                "points": _figure(row, "points"),
                "chance": _figure(row, "chance") if "scores" in origin else None,
                "behind": _figure(row, "behind"),
            }
            for row in rows
        ],
        "provenance": origin,
    }


def _print_advice(frame: pd.DataFrame) -> None:
    origin = frame.attrs["provenance"]
    seen = origin["seen"]
    click.echo(mark_title(f"{origin['rules']['name']}, turn {seen['turn']}: {seen['hand']}"))
    click.echo(
        f"played on by {origin['policy']['name']} against {origin['opponent']['name']}, "
        f"{origin['play_outs']:,} play-outs of each action, seed {origin['seed']}\n"
    )
    at_score = "scores" in origin
    rows = [["action", "points", "95 % interval"]]
    rows[0] += ["game won", "95 % interval"] if at_score else []
    rows[0] += ["behind", "95 % interval"]
    scale = 100 if at_score else 1
    row: Any
    for row in frame.itertuples():
        card = f" {row.card}" if isinstance(row.card, str) else ""
        cells = [f"{row.action}{card}".replace("_", " "), f"{row.points:+.2f}"]
        cells += [f"({row.points_low:+.2f} to {row.points_high:+.2f})"]
        if at_score:
            cells += [f"{100 * row.chance:.1f} %"]
            cells += [f"({100 * row.chance_low:.1f} to {100 * row.chance_high:.1f})"]
        cells += [f"{scale * row.behind:.2f}{' %' if at_score else ''}"]
        cells += [f"({scale * row.behind_low:.2f} to {scale * row.behind_high:.2f})"]
        rows.append(cells)
    click.echo(format_table(rows))
    click.echo(format_sentences([_tell_best(frame), *_tell_hidden(origin)]))


def _tell_hidden(origin: dict[str, Any]) -> list[str]:
    """What was made of the opponent's not having ended the hand."""
    hands, turns = origin["hidden_hands"], origin["seen"]["opponent_turns"]
    if not turns:
        return []
    share = hands["would_have_ended"] / max(hands["proposed"], 1)
    sentences = [
        f"He has played on in turn {turns}: {hands['would_have_ended']:,} of {hands['proposed']:,} "
        f"hands proposed for him ({100 * share:.1f} %) were refused, since with them "
        f"{origin['opponent']['name']} would have ended it."
    ]
    if hands["kept"]:
        sentences.append(
            f"In {hands['kept']:,} of {origin['play_outs']:,} play-outs no other hand was found: "
            "there he is taken for stronger than what he did says."
        )
    return sentences


def _tell_best(frame: pd.DataFrame) -> str:
    if len(frame) == 1:
        return "There is no other action."
    rows: list[Any] = list(frame.itertuples())
    best = rows[0]
    name = f"{best.action} {best.card}" if isinstance(best.card, str) else str(best.action)
    close = [row for row in rows[1:] if not row.behind_low > 0]
    name = name.replace("_", " ")
    if not close:
        return f"Best: {name}; every other action is behind it by more than chance explains."
    return (
        f"First: {name}; {len(close)} of the others are not told apart from it. More --play-outs "
        "tell more."
    )


# -- equity ---------------------------------------------------------------------------------------


@click.command()
@rules_argument
@click.option(
    "--policy",
    type=STRATEGY,
    default="greedy",
    show_default=True,
    metavar="STRATEGY",
    help="The player whose chances are told.",
)
@click.option(
    "--opponent", type=STRATEGY, metavar="STRATEGY", help="The other.  [default: the same]"
)
@click.option("--scores", metavar="OWN-HIS", help="Tell of this score only, such as 60-45.")
@click.option(
    "--step", type=Size(low=1), default=10, help="Scores are shown in such steps.  [default: 10]"
)
@click.option(
    "--hands",
    type=Size(low=20),
    default=1_000_000,
    help="Hands from which points are distributed, even.  [default: 1_000_000]",
)
@seed_option
@click.option("--first", type=Size(), default=0, help="Index of the first hand.  [default: 0]")
@threads_option
@out_options
@json_option
def equity(
    rules: str,
    settings: tuple[str, ...],
    policy: str,
    opponent: str | None,
    scores: str | None,
    step: int,
    hands: int,
    seed: int | None,
    first: int,
    threads: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """The chance to win a game at each score: a match-equity table.

    For single scoring. --out writes all of it; what is shown goes in steps.
    """
    from ginsim.cli.progress import show_progress
    from ginsim.equity import check_scores, check_single, match_equity
    from ginsim.files import check_target, write_records
    from ginsim.rules import load_rules, parse_settings

    loaded = check_single(load_rules(rules, parse_settings(settings)))
    at = None if scores is None else check_scores(scores, loaded)
    if out is not None:
        check_target(out, force, "--out")
    start = time.perf_counter()
    with show_progress("hands") as progress:
        found = match_equity(
            loaded,
            policy,
            opponent,
            hands,
            seed=seed,
            first=first,
            threads=threads,
            progress=progress,
        )
    seconds = time.perf_counter() - start
    if out is not None:
        write_records(found.table(), out, force)
    shown = [at] if at else _list_scores(loaded.target, step)
    if as_json:
        print_json(_equity_document(found, shown, seconds))
        return
    _print_equity(found, at, step)
    if out is not None:
        click.echo(f"table in {out}")
    click.echo(f"\n{seconds:.2f} s")


def _list_scores(target: int, step: int) -> list[tuple[int, int]]:
    places = range(0, target, step)
    return [(own, other) for own in places for other in places]


def _equity_document(
    found: Equity, scores: list[tuple[int, int]], seconds: float
) -> dict[str, Any]:
    origin = found.provenance
    return {
        "rules": found.rules.name,
        "policy": origin["strategies"]["south"]["name"],
        "opponent": origin["strategies"]["north"]["name"],
        "hands": found.hands,
        "target": found.rules.target,
        "seconds": seconds,
        "scores": [
            {
                "own": own,
                "other": other,
                **{
                    f"{side}_deals": {
                        "chance": float(found.chances[own, other, place]),
                        "se": _number(found.errors[own, other, place]),
                    }
                    for place, side in enumerate(("policy", "opponent"))
                },
            }
            for own, other in scores
        ],
        "provenance": origin,
    }


def _print_equity(found: Equity, at: tuple[int, int] | None, step: int) -> None:
    from ginsim.equity import bound_chance

    origin = found.provenance
    policy, opponent = (origin["strategies"][seat]["name"] for seat in ("south", "north"))
    click.echo(
        mark_title(f"{found.rules.name}, game to {found.rules.target}: {policy} against {opponent}")
    )
    click.echo(f"points from {found.hands:,} hands of seed {origin['seed']}\n")
    for place, dealer in enumerate((policy, opponent)):
        who = "the player" if place == 0 else "the opponent"
        title = f"Chance of {policy} to win, in %, if {who} ({dealer}) deals next"
        if at is not None:
            chance, error = found.chances[at][place], found.errors[at][place]
            low, high = bound_chance(chance, error)
            interval = f" ({100 * low:.2f} to {100 * high:.2f})" if error == error else ""
            click.echo(f"{title}, at {at[0]}-{at[1]}: {100 * chance:.2f}{interval}")
            continue
        click.echo(f"{title}; rows own points, columns the opponent's:")
        places = range(0, found.rules.target, step)
        rows = [["", *map(str, places)]]
        rows += [
            [str(own), *(f"{100 * found.chances[own, other, place]:.1f}" for other in places)]
            for own in places
        ]
        click.echo(format_table(rows, left=0))
