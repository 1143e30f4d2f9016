"""`ginsim luck`: whether a score of games won and lost is more than luck."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import Size, json_option, naming_options
from ginsim.cli.text import format_sentences, format_table, mark, mark_title, print_json

if TYPE_CHECKING:
    from ginsim.luck import Luck


@click.command()
@click.argument("won", type=Size())
@click.argument("lost", type=Size())
@click.option(
    "--drawn",
    type=Size(),
    default=0,
    help="Games that nobody won; they are left out.  [default: 0]",
)
@click.option(
    "--chance",
    type=float,
    default=0.5,
    show_default=True,
    help="The chance to win a game, if there is nothing to it but luck.",
)
@json_option
def luck(won: int, lost: int, drawn: int, chance: float, as_json: bool) -> None:
    """Is a score luck? WON and LOST games of a series, by exact binomial chances.

    Nothing is played: it is about games at a table, or of which only the score is known. To let
    two strategies play for it there is `ginsim duel`.

    \b
    Is 47 to 46 in 93 games luck?
      ginsim luck 47 46
    """
    from ginsim.luck import judge_wins

    with naming_options(chance="--chance", won="WON", lost="LOST", drawn="--drawn"):
        score = judge_wins(won, lost, drawn, chance)
    if as_json:
        print_json(_document(score))
    else:
        _print_score(score)


def _document(score: Luck) -> dict[str, Any]:
    """The JSON document; docs/json.md explains it."""
    return {
        "won": score.won,
        "lost": score.lost,
        "drawn": score.drawn,
        "chance": score.chance,
        "share": score.share,
        "low": score.low,
        "high": score.high,
        "p": score.p,
        "p_exact": score.p_exact,
        "told_from": score.told_from,
        "games_needed": score.games_needed if math.isfinite(score.games_needed) else None,
        "told_apart": score.is_told_apart,
    }


def _print_score(score: Luck) -> None:
    games = f"{score.games:,} game{'s' * (score.games != 1)}"
    drawn = f", {score.drawn:,} drawn left out" if score.drawn else ""
    click.echo(mark_title(f"{score.won:,} to {score.lost:,} in {games}{drawn}"))
    chance = f"{100 * score.chance:.6g} %"
    mirrored = score.chance == 0.5 and score.won != score.lost
    just = f"just {score.won:,} to {score.lost:,}{', either way' * mirrored}, by luck"
    rows = [
        ["share won, %", f"{100 * score.share:.2f}", _bounds(score)],
        ["as far from luck or farther, by luck, %", _percent(score.p), ""],
        [just + ", %", _percent(score.p_exact), ""],
    ]
    click.echo(format_table([["", "", "95 % interval"], *rows]))
    verdict = (
        mark("More than luck", "good")
        + f": luck alone, a chance of {chance} each game, comes so far in fewer than one case of "
        "twenty."
        if score.is_told_apart
        else mark("It may be luck", "open")
        + f": with a chance of {chance} each game such a score is nothing unusual."
    )
    click.echo(f"\n{verdict}")
    notes = []
    if score.told_from is None:
        notes.append(f"Of {games} not even all won would be more than luck.")
    else:
        lost = score.games - score.told_from
        notes.append(f"Of {games} it takes {score.told_from:,} to {lost:,} to be more than luck.")
    if math.isfinite(score.games_needed):
        notes.append(
            f"If {100 * score.share:.2f} % is the true share, it takes {score.games_needed:,.0f} "
            "games to show it (5 % two-sided, power 80 %)."
        )
    notes.append("Supposed: each game has the same chance, whatever came before.")
    click.echo(format_sentences(notes))


def _bounds(score: Luck) -> str:
    return f"({100 * score.low:.2f} to {100 * score.high:.2f})"


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f}" if chance >= 1e-3 else f"{100 * chance:.2g}"
