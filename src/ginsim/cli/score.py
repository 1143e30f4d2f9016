"""`ginsim score`: hands, tables and games scored without play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from ginsim.cli.options import json_option, rules_argument
from ginsim.cli.text import print_json


@click.command()
@rules_argument
@click.option("--knocker", type=int, help="The knocker's deadwood; 0 is gin.")
@click.option("--defender", type=int, help="The defender's deadwood after layoffs.")
@click.option("--big-gin", is_flag=True, help="All eleven cards were melded.")
@click.option("--spade", is_flag=True, help="The knock card is a spade.")
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="RESULT",
    help="Score a partnership's hand instead, by two of these: a pair, the difference of deadwood, "
    'the outcome, such as "A+B 15 gin" or "C+D 9"; - for a table that nobody won.',
)
@click.option(
    "--game",
    metavar="HANDS",
    help='Score a game instead: "A 30, B 40, -, A 70"; - is a hand that nobody won. Prize boxes '
    'stand in brackets after the points: "A 40 (2)".',
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
    tables: tuple[str, ...],
    game: str | None,
    dealer: str | None,
    as_json: bool,
) -> None:
    """Score a hand by both deadwoods, a partnership's by its tables, or a game by its hands."""
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    document: dict[str, Any] = {"rules": loaded.name, "hand": None, "tables": None, "game": None}
    of_hand = knocker is not None or defender is not None or big_gin
    if game is not None:
        if of_hand or spade or tables:
            raise click.UsageError("--game stands alone, without a hand's options")
        lines = _score_game(loaded, game, dealer, document)
    elif tables:
        if of_hand or dealer is not None:
            raise click.UsageError("--table stands with --spade only")
        lines = _score_tables(loaded, tables, spade, document)
    elif knocker is None or defender is None or dealer is not None:
        raise click.UsageError(
            "give --knocker and --defender, or --table twice, or --game (and --dealer)"
        )
    else:
        lines = _score_hand(loaded, knocker, defender, big_gin, spade, document)
    if as_json:
        print_json(document)
    else:
        click.echo("\n".join(lines))


def _count_boxes(boxes: int, prizes: int) -> str:
    from ginsim.errors import count

    if not boxes:
        return ""
    return f" and {count(boxes, 'box')}" + (f", {prizes} of them prizes" if prizes else "")


def _score_hand(
    rules: Any, knocker: int, defender: int, big_gin: bool, spade: bool, document: dict[str, Any]
) -> list[str]:
    from ginsim.errors import count
    from ginsim.scoring import score_hand

    result = score_hand(rules, knocker, defender, big_gin=big_gin, spade=spade)
    document["hand"] = vars(result)
    if result.winner is None:
        return ["tie: nobody wins"]
    words = f"{result.outcome.replace('_', ' ')}: the {result.winner} wins "
    words += count(result.points, "point")
    return [words + _count_boxes(result.boxes, result.prize_boxes)]


#: A pair, the difference of deadwood, and how the table ended.
_TABLE = re.compile(r"([A-Za-z+]+) +([0-9]{1,9})(?: +([a-z_]+(?: [a-z]+)?))?")


def _score_tables(
    rules: Any, texts: tuple[str, ...], spade: bool, document: dict[str, Any]
) -> list[str]:
    from ginsim.errors import OptionError, count, show
    from ginsim.scoring import score_tables

    if len(texts) != 2:
        raise click.UsageError(f"--table is given {count(len(texts), 'time')}; allowed: twice")
    results: list[tuple[str | None, int, str]] = []
    for text in texts:
        match = _TABLE.fullmatch(text.strip())
        if text.strip() == "-":
            results.append((None, 0, "knock"))
        elif match is None:
            raise OptionError(
                f"--table: {show(text)} is not allowed; allowed: A+B or C+D, the difference of "
                'deadwood, and an outcome, such as "A+B 15 gin", or - for nobody'
            )
        else:
            outcome = (match[3] or "knock").replace(" ", "_")
            results.append((match[1].upper(), int(match[2]), outcome))
    try:
        result = score_tables(rules, results[0], results[1], spade=spade)
    except OptionError as failure:
        problems = [re.sub(r"^(first|second)\[\d\]", "--table", text) for text in failure.problems]
        raise OptionError(*problems) from None
    document["tables"] = vars(result)
    if result.winner is None:
        return ["equal totals: nobody scores" if result.kind == "level" else "nobody won a table"]
    words = f"{result.winner} win {count(result.points, 'point')}"
    return [words + _count_boxes(result.boxes, result.prize_boxes)]


#: A player's name, of letters and single spaces, the points of a hand, and its prize boxes.
_HAND_OF_GAME = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*) +([0-9]{1,6})(?: *\(([0-9]{1,3})\))?")


def _score_game(rules: Any, text: str, dealer: str | None, document: dict[str, Any]) -> list[str]:
    from ginsim.errors import OptionError
    from ginsim.game_scoring import score_game

    hands: list[tuple[str | None, int, int]] = []  # with all boxes
    names: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        if part == "-":
            hands.append((None, 0, 0))
            continue
        match = _HAND_OF_GAME.fullmatch(part)
        if match is None:
            raise OptionError(
                f"--game: {part!r} is not allowed; allowed: hands with commas between them, each a "
                "player (letters only), his points and in brackets his prize boxes, such as A 30 "
                "or A 40 (2), or - for nobody"
            )
        name, points, prizes = match.groups()
        names += [name] if name not in names else []
        hands.append((name, int(points), rules.box_base + int(prizes or 0)))
    if len(names) > 2:
        raise OptionError(f"--game: {', '.join(names)} play; allowed: two players")
    if dealer is not None and dealer not in names and len(names) < 2:
        names.append(dealer)  # who has won nothing yet
    spare = [name for name in ("A", "B") if name not in names]
    players = (names + spare)[:2]
    if not {*names} - {"A", "B"}:
        players = ["A", "B"]
    result = score_game(rules, hands, players=(players[0], players[1]), dealer=dealer)
    document["game"] = {
        **vars(result),
        "points_winner": result.points_winner,
        "columns": [vars(column) for column in result.columns],
    }
    if rules.scoring == "hollywood":
        from ginsim.sheets import hollywood_sheet

        marked = [
            (name, points, boxes - rules.box_base if name else 0) for name, points, boxes in hands
        ]
        sheet = hollywood_sheet(marked, rules, players=(players[0], players[1]))
        deal = [] if result.over else [f"{result.next_dealer} deals next."]
        return [sheet.text(), *deal]
    return list(_tell_game(result, len(hands)))


def _tell_game(result: Any, num_hands: int) -> Iterator[str]:
    from ginsim.errors import count

    if not result.over:
        yield f"not over: {_per_player(result.points)}; {result.next_dealer} deals next"
    else:
        yield f"{result.winner} wins after {count(result.hands_used, 'hand')}"
    if result.over:
        yield f"points of the hands: {_per_player(result.points)}"
        yield f"with bonuses: {_per_player(result.final)}; margin {result.margin}"
    if result.hands_used < num_hands:
        yield f"{num_hands - result.hands_used} later hands are left over"


def _per_player(values: dict[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
