"""`ginsim sheet`: a game's hands in the three columns of Hollywood."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ginsim.cli.options import (
    MOST_HANDS,
    RULES,
    Size,
    json_option,
    load_all_players,
    mirror_option,
    player_option,
    seats_options,
    settings_option,
)
from ginsim.cli.text import print_json

if TYPE_CHECKING:
    from ginsim.rules import Rules
    from ginsim.sheets import Sheet

#: What the rules are if nothing says which.
DEFAULT_RULES = "hollywood"

#: The options that play a game, by the names of their values.
PLAYING = {
    "seed": "--seed",
    "south": "--south",
    "north": "--north",
    "players": "--player",
    "mirror": "--mirror",
    "max_hands": "--max-hands",
}


@click.command(short_help="Show a game's hands in the columns of Hollywood.")
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--rules",
    type=RULES,
    metavar="RULES",
    help="Rules with columns: a rule set, NAME+hollywood or a file.  [default: those of the "
    f"simulation in FILE, else {DEFAULT_RULES}]",
)
@settings_option
@click.option("--seed", type=Size(high=None), help="Play the game of this seed, without FILE.")
@click.option(
    "--game", type=Size(high=MOST_HANDS - 1), help="Index of the game, in the seed or in FILE."
)
@seats_options
@player_option
@mirror_option
@click.option(
    "--max-hands",
    type=Size(low=1, high=32_000),
    default=10_000,
    help="A game not over after so many hands ends unfinished, as in the run.  [default: 10_000]",
)
@click.option("--hands", "with_hands", is_flag=True, help="List the hands, one by one, too.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the sheet and its hands as a page to look at or print.",
)
@click.option("--force", is_flag=True, help="Replace the page if it exists.")
@json_option
@click.pass_context
def sheet(
    context: click.Context,
    file: Path | None,
    rules: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    game: int | None,
    south: str,
    north: str,
    players: tuple[str, ...],
    mirror: bool,
    max_hands: int,
    with_hands: bool,
    page: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show the sheet of a game of Hollywood scoring: columns, boxes, who pays.

    FILE has the hands: a csv file of your own with a line "winner,points,prize_boxes" and one for
    each hand (without winner for a dead hand), or one that `ginsim games --hands --out` wrote, of
    which --game picks a game; other RULES price and book its hands again. Without FILE the game
    that --seed and --game name is played, as `ginsim games` plays it.
    """
    if page is not None:
        _check_page(page, force)
    if file is None:
        if seed is None or game is None:
            raise click.UsageError("give a FILE of hands, or --seed and --game to play a game")
        from ginsim.sheet_hands import check_scoring

        loaded, strategies = load_all_players(
            rules or DEFAULT_RULES, settings, south, north, players
        )
        check_scoring(loaded)
        result = _play(loaded, strategies, seed, game, mirror, max_hands)
    else:
        given = [
            option
            for name, option in PLAYING.items()
            if context.get_parameter_source(name) != ParameterSource.DEFAULT
        ]
        if given:
            raise click.UsageError(
                f"{' and '.join(given)}: the hands of FILE have been played; allowed with FILE: "
                "--rules, --set and --game"
            )
        result = _read(file, rules, settings, game)
    if page is not None:
        _write_page(page, result.html(), force)
    if as_json:
        print_json(_document(result))
        return
    click.echo(result.text(hands=with_hands), nl=False)
    if page is not None:
        click.echo(f"\nsheet in {page}")


def _play(
    rules: Rules, strategies: Any, seed: int, game: int, mirror: bool, max_hands: int
) -> Sheet:
    from ginsim.games import simulate_game_hands
    from ginsim.sheets import hollywood_sheet

    # Mirrored games are played in twos.
    first, count = (game - game % 2, 2) if mirror else (game, 1)
    frame = simulate_game_hands(
        rules, strategies, count, seed=seed, first=first, mirror=mirror, max_hands=max_hands
    )
    return hollywood_sheet(frame, game=game)


def _read(file: Path, rules: str | None, settings: tuple[str, ...], game: int | None) -> Sheet:
    from ginsim.files import is_records, parse_records, read_records
    from ginsim.origins import Origin
    from ginsim.rules import AnyRules, load_rules, parse_settings
    from ginsim.sheet_hands import parse_csv
    from ginsim.sheets import hollywood_sheet

    changes = parse_settings(settings)
    # Read once: it may be a pipe.
    data = None if file.suffix.lower() in (".jsonl", ".parquet") else file.read_bytes()
    if data is None or is_records(data):
        frame = read_records(file) if data is None else parse_records(data, str(file))
        source: AnyRules | None = rules or Origin.read(frame).rules
        if source is None and changes:
            raise click.UsageError("--set: FILE does not say by which rules; give --rules too")
        loaded = None if source is None else load_rules(source, changes)
        return hollywood_sheet(frame, loaded, game=game)
    loaded = load_rules(rules or DEFAULT_RULES, changes)
    hands = parse_csv(data, str(file))
    if game is not None:
        raise click.UsageError("--game: FILE has the hands of one game")
    return hollywood_sheet(hands, loaded)


# ---------------------------------------------------------------- the page


def _check_page(page: Path, force: bool) -> None:
    from ginsim.errors import OptionError, refuse
    from ginsim.files import check_place

    if page.suffix.lower() not in (".html", ".htm"):
        raise OptionError(refuse("--html", str(page), "a file name that ends in .html or .htm"))
    check_place(page, force, "--html")


def _write_page(page: Path, text: str, force: bool) -> None:
    """Whole or not at all: under another name first."""
    part = page.with_name(f".{page.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        _check_page(page, force)
        os.replace(part, page)
    finally:
        part.unlink(missing_ok=True)


# ---------------------------------------------------------------- the document


def _document(result: Sheet) -> dict[str, Any]:
    provenance = result.provenance
    if provenance is not None:
        # What is about the rows of a frame is not about the game.
        provenance = {
            key: value for key, value in provenance.items() if key not in ("rows", "min_hands")
        }
    return {
        "rules": result.rules.name,
        "target": result.rules.target,
        "players": list(result.players),
        "over": result.over,
        "winner": result.winner,
        "leader": result.leader,
        "points_winner": result.points_winner,
        "hands_won": result.hands_won,
        "points": result.points,
        "final": result.final,
        "boxes": result.boxes,
        "pays": result.pays,
        "left_over": result.left_over,
        "columns": [
            {
                **vars(column),
                "entries": {
                    player: [entry._asdict() for entry in entries]
                    for player, entries in column.entries.items()
                },
            }
            for column in result.columns
        ],
        "hands": [
            {**vars(hand), "tables": [vars(table) for table in hand.tables]}
            for hand in result.hands
        ],
        "grid": result.grid(),
        "game": result.game,
        "provenance": provenance,
    }
