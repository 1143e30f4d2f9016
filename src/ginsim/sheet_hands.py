"""The hands of a sheet: as people write them down, or as a simulation played them."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
import pandas as pd

from ginsim.bookings import Rows, check_pairs, check_prices
from ginsim.checks import check_whole
from ginsim.columns import NETS, OUTCOMES, PAIRS, SEATS, TABLES
from ginsim.errors import OptionError, RulesError, count, join_words, refuse, show
from ginsim.formats import find_rows, tell_lost_header
from ginsim.game_scoring import most_points, score_game
from ginsim.hand_bounds import list_outcomes, list_ways, tell_points
from ginsim.origins import Origin
from ginsim.records import plain_values
from ginsim.rescoring import Played, find_class, rescore, tell_changes
from ginsim.rules import AnyRules, Rules, find_differences, load_rules

#: The columns of a person's table.
COLUMNS = ("winner", "points", "prize_boxes", "boxes", "outcome")
#: As many as a simulated game may have; what is longer has no end.
MOST_HANDS = 32_000
#: Longer names would tear the sheet apart.
LONGEST_NAME = 40
#: What stands for nobody in the place of a winner.
NOBODY = ("", "-")

#: The columns needed of a simulation's frame, without and with tables.
_GAME_HANDS = ("game", "hand_in_game", "winner", "points", "boxes", "outcome")
_TABLE_HANDS = (
    *_GAME_HANDS,
    *("prize_boxes", "table", "pairing", "net_kind", "pair_winner", "pair_points", "pair_boxes"),
)


class Row(NamedTuple):
    """A hand as it was given: where, for messages, and its values by column."""

    where: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class TableResult:
    """What happened at one table in a hand of a partnership.

    Attributes:
        table: 1 or 2.
        players: of A and B who plays there, and of C and D.
        winner: one of them, or None.
        outcome: a word of the column `outcome`.
        points: of the winner, after doubling.
        prize_boxes: likewise.
    """

    table: int
    players: tuple[str, str]
    winner: str | None
    outcome: str
    points: int
    prize_boxes: int


@dataclass(frozen=True)
class Hand:
    """A hand to be booked; `winner` is a player of the sheet, `boxes` are all of the hand."""

    winner: str | None
    points: int
    boxes: int
    outcome: str | None = None
    net_kind: str | None = None
    tables: tuple[TableResult, ...] = ()


@dataclass(frozen=True)
class Given:
    """All that a sheet is made from; game and provenance are those of a simulation, or None."""

    rules: Rules
    players: tuple[str, str]
    hands: tuple[Hand, ...]
    game: int | None = None
    provenance: dict[str, Any] | None = None


def read_hands(
    hands: object,
    rules: AnyRules | None,
    players: Sequence[str] | None,
    game: SupportsIndex | None,
) -> Given:
    """The hands in any form, checked. The arguments are those of `hollywood_sheet`.

    Raises:
        GinsimError: for bad hands, naming row, column, value and what is allowed.
    """
    names = None if players is None else _check_players(players)
    if isinstance(hands, pd.DataFrame):
        if not hands.columns.is_unique:
            raise OptionError("frame: two columns have the same name; allowed: different names")
        if "hand_in_game" in hands:
            return _read_simulation(hands, rules, names, game)
        rows = list(_frame_rows(hands))
    else:
        rows = list(_listed_rows(hands))
    if game is not None:
        raise OptionError(
            f"game: {show(game)} has no meaning with the hands of one game; allowed: None"
        )
    return _read_table(
        rows, check_scoring(load_rules("hollywood" if rules is None else rules)), names
    )


def check_scoring(rules: Rules) -> Rules:
    """The rules, if they have columns.

    Raises:
        RulesError: if they have not.
    """
    if rules.scoring != "hollywood":
        raise RulesError(
            f"scoring: {rules.scoring} of the rules {rules.name} has no columns to fill; allowed: "
            "hollywood, which the modifier hollywood sets (NAME+hollywood, such as kawu+hollywood)"
        )
    return rules


def most_prizes(rules: Rules) -> int:
    """The most boxes that a hand brings by these rules beyond the base box."""
    prizes = [rules.box_gin, rules.box_clean_undercut, rules.box_undercut]
    if rules.big_gin_bonus != "off":
        prizes.append(rules.box_big_gin)
    most = max(prizes) * (rules.players // 2)
    if rules.spade_doubles in ("prizes", "all"):
        most *= 2
    return most + (rules.box_base if rules.spade_doubles == "all" else 0)


# ---------------------------------------------------------------- a person's hands


def read_csv(path: str | os.PathLike[str]) -> list[Row]:
    """The rows of a person's csv file.

    It has a line with the names of the columns, and a line for each hand, with commas, semicolons
    or tabs between the cells. Empty lines and lines that begin with # are passed over, but for
    those that would be a hand.

    Raises:
        OptionError: for a file that is no such text.
        OSError: if it cannot be read.
    """
    return parse_csv(Path(path).read_bytes(), os.fsdecode(path))


def parse_csv(data: bytes, where: str) -> list[Row]:
    """The same for what is in the file.

    Args:
        where: its name, for messages.

    Raises:
        OptionError: for what is no such text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OptionError(
            f"{where} is no text in UTF-8; allowed: a csv file of hands, or one that ginsim wrote"
        ) from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    start = next((place for place, (_, line) in enumerate(lines) if not _is_comment(line)), None)
    empty = f"{where} has no hands; allowed: a line {_HEADER} and one for each hand"
    if start is None:
        raise OptionError(empty)
    first, header = lines[start]
    mark = next((mark for mark in ",;\t" if mark in header), ",")
    names = [cell.strip() for cell in _split(header, mark, f"{where}, line {first}")]
    if known := find_rows(names):
        raise OptionError(tell_lost_header(known, where))
    _check_columns(names, f"{where}, line {first}", f"a line {_HEADER}")
    comments = [(number, line) for number, line in lines[start + 1 :] if _is_comment(line)]
    hands = [(number, line) for number, line in lines[start + 1 :] if not _is_comment(line)]
    if not hands:
        raise OptionError(empty)
    if len(hands) > MOST_HANDS:
        raise OptionError(f"{where} has {len(hands)} hands; allowed: at most {MOST_HANDS}")
    for number, line in comments:
        cells = line.split(mark)
        if len(cells) == len(names) and _NUMBER.fullmatch(cells[names.index("points")].strip()):
            raise OptionError(
                f"{where}, line {number}: {show(line)} begins as a comment and has all cells of a "
                'hand; allowed: a name in quotes ("#1") if it is one, or other words if it is none'
            )
    rows = []
    for number, line in hands:
        place = f"{where}, line {number}"
        cells = [cell.strip() for cell in _split(line, mark, place)]
        if len(cells) != len(names):
            raise OptionError(
                f"{place}: {show(line)} has {count(len(cells), 'cell')}; allowed: {len(names)}, "
                f"those of {', '.join(names)}"
            )
        values = (int(cell) if _NUMBER.fullmatch(cell) else cell for cell in cells)
        rows.append(
            Row(
                place,
                {
                    name: cell if name in ("winner", "outcome") else value
                    for name, cell, value in zip(names, cells, values, strict=True)
                },
            )
        )
    return rows


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


_HEADER = "winner,points,prize_boxes"
_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


def _split(line: str, mark: str, where: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=mark, strict=True))
    except csv.Error as error:
        raise OptionError(f"{where}: {show(line)} cannot be read: {error}") from None


def _check_columns(names: Sequence[Any], where: str, allowed: str) -> None:
    unknown = [str(name) for name in names if name not in COLUMNS]
    missing = [name for name in ("winner", "points") if name not in names]
    told = [
        f"{word} {', '.join(columns[:6])}{', …' if len(columns) > 6 else ''}"
        for word, columns in (("missing", missing), ("unknown", unknown))
        if columns
    ]
    if len(set(names)) < len(names):
        told.append("a name twice")
    if told:
        raise OptionError(
            f"{where}: its columns are not those of a table of hands ({'; '.join(told)}); allowed: "
            f"{allowed}: winner and points, and of prize_boxes, boxes and outcome any"
        )


def _frame_rows(frame: pd.DataFrame) -> Iterator[Row]:
    _check_columns(list(frame), "frame", "all columns of simulate_game_hands, or a person's table")
    names = [str(name) for name in frame]
    if len(frame) > MOST_HANDS:
        raise OptionError(refuse("frame", f"{len(frame)} rows", f"at most {MOST_HANDS}"))
    columns = [frame[name].astype(object).tolist() for name in names]
    for number, cells in enumerate(zip(*columns, strict=True)):
        yield Row(f"row {number}", dict(zip(names, map(_plain, cells), strict=True)))


def _plain(value: Any) -> Any:
    """A whole number that is written as a float, as pandas does where others are missing."""
    if isinstance(value, float | np.floating):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) <= 2**53 else number
    return value


def _listed_rows(hands: object) -> Iterator[Row]:
    allowed = "(winner, points) or (winner, points, prize_boxes)"
    if isinstance(hands, str | bytes | Mapping) or not isinstance(hands, Iterable):
        raise OptionError(refuse("hands", hands, f"hands, each {allowed}, or a DataFrame"))
    for number, hand in enumerate(islice(hands, MOST_HANDS + 1)):
        if number == MOST_HANDS:
            raise OptionError(f"hands: there are more than {MOST_HANDS}; allowed: a game's hands")
        if isinstance(hand, Row):
            yield hand
            continue
        where = f"hands[{number}]"
        if isinstance(hand, str) or not isinstance(hand, Sequence) or len(hand) not in (2, 3):
            raise OptionError(refuse(where, hand, allowed))
        yield Row(where, dict(zip(COLUMNS, map(_plain, hand), strict=False)))


def _read_table(rows: Sequence[Row], rules: Rules, players: tuple[str, str] | None) -> Given:
    winners: list[str | None] = []
    found: list[str] = []
    for where, values in rows:
        name = _read_winner(where, values["winner"], players)
        winners.append(name)
        if name is not None and name not in found:
            if len(found) == 2:
                raise OptionError(
                    f"{where}, winner: {show(name)} would be a third player after "
                    f"{join_words(found, 'and')}; allowed: two"
                )
            found.append(name)
    if players is None:
        players = _name_players(found, PAIRS if rules.players == 4 else ("A", "B"))
    hands = tuple(
        _read_hand(where, values, name, rules)
        for (where, values), name in zip(rows, winners, strict=True)
    )
    return Given(rules, players, hands)


def _name_players(found: list[str], usual: tuple[str, str]) -> tuple[str, str]:
    """The players of hands whose winners are these, in their order but for the usual names."""
    for names in (usual, SEATS):
        if found and set(found) <= set(names):
            return names[0], names[1]
    first, second = [*found, *(name for name in reversed(usual) if name not in found)][:2]
    return (first, second) if found else usual


def _read_winner(where: str, value: Any, players: tuple[str, str] | None) -> str | None:
    if _is_missing(value):
        return None
    if not isinstance(value, str):
        raise OptionError(refuse(f"{where}, winner", value, "a player's name, or None for nobody"))
    if value.strip() in NOBODY:
        return None
    name = _check_name(f"{where}, winner", value)
    if players is not None and name not in players:
        allowed = f"{join_words(players)}, or None for nobody"
        raise OptionError(refuse(f"{where}, winner", name, allowed))
    return name


def _read_hand(where: str, values: Mapping[str, Any], winner: str | None, rules: Rules) -> Hand:
    """A row of a person's table."""
    outcome = values.get("outcome")
    outcome = None if _is_missing(outcome) or outcome == "" else outcome
    if outcome is not None:
        outcome = _check_word(where, "outcome", outcome, OUTCOMES)
    if winner is None:
        if outcome not in (None, "tie", "dead"):
            allowed = "dead or tie, since nobody won"
            raise OptionError(refuse(f"{where}, outcome", outcome, allowed))
        _check_possible(where, outcome, rules, won=False)
        for name in ("points", "prize_boxes", "boxes"):
            value = values.get(name)
            if not _is_missing(value) and value != "":
                check_whole(f"{where}, {name}", value, 0, 0, ", since nobody won")
        return Hand(None, 0, 0, outcome)
    if outcome in ("tie", "dead"):
        raise OptionError(
            f"{where}, outcome: {outcome} is not allowed with the winner {winner}; allowed: "
            f"{join_words(OUTCOMES[:-2])}, or nobody as winner"
        )
    _check_possible(where, outcome, rules, won=True)
    points = _check_points(f"{where}, points", values["points"], rules)
    given = {
        name: values[name]
        for name in ("prize_boxes", "boxes")
        if name in values and not _is_missing(values[name]) and values[name] != ""
    }
    prizes = 0
    if "prize_boxes" in given:
        note = f", the most by {rules.name}"
        name = f"{where}, prize_boxes"
        prizes = check_whole(name, given["prize_boxes"], 0, most_prizes(rules), note)
    if "boxes" not in given:
        boxes = rules.box_base + prizes
        _check_ways(where, "prize_boxes", points, boxes, outcome, rules)
        return Hand(winner, points, boxes, outcome)
    boxes = _check_boxes(f"{where}, boxes", given["boxes"], rules)
    # Records count a base box that a spade doubled as no prize; who writes a sheet does.
    bases = [rules.box_base, 2 * rules.box_base][: 2 if rules.spade_doubles == "all" else 1]
    if "prize_boxes" in given and boxes - prizes not in bases:
        raise OptionError(
            f"{where}: boxes {boxes} and prize_boxes {prizes} contradict each other; allowed: "
            f"boxes {join_words(str(base + prizes) for base in bases)}, or one of the two columns"
        )
    _check_ways(where, "boxes", points, boxes, outcome, rules)
    return Hand(winner, points, boxes, outcome)


def _check_possible(where: str, outcome: str | None, rules: Rules, won: bool) -> None:
    """See that a hand may end so; two tables of a partnership have two outcomes."""
    possible = list_outcomes(rules, won)
    if outcome is not None and rules.players == 2 and outcome not in possible:
        allowed = f"{join_words(possible)} by {rules.name}"
        raise OptionError(refuse(f"{where}, outcome", outcome, allowed))


def _check_ways(
    where: str, name: str, points: int, boxes: int, outcome: str | None, rules: Rules
) -> None:
    """See that a hand of an outcome may bring such points and boxes.

    Args:
        name: the column that has its boxes, or would have.
    """
    if outcome is None or rules.players != 2:
        return
    how = f" for {outcome} by {rules.name}"
    ways = list_ways(rules, outcome)
    base = rules.box_base if name == "prize_boxes" else 0
    if boxes not in [way.boxes for way in ways]:
        allowed = join_words(dict.fromkeys(str(way.boxes - base) for way in ways))
        raise OptionError(refuse(f"{where}, {name}", boxes - base, allowed + how))
    such = [way for way in ways if way.boxes == boxes]
    if not any(way.brings(points) for way in such):
        told = f" with {name} {boxes - base}" if len(such) < len(ways) else ""
        raise OptionError(refuse(f"{where}, points", points, f"{tell_points(such)}{how}{told}"))


def _check_points(where: str, value: Any, rules: Rules) -> int:
    return check_whole(where, value, 0, most_points(rules), f", the most by {rules.name}")


def _check_boxes(where: str, value: Any, rules: Rules) -> int:
    most = rules.box_base + most_prizes(rules)
    return check_whole(where, value, rules.box_base, most, f", the bounds by {rules.name}")


def _is_missing(value: Any) -> bool:
    return value is None or bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _check_name(where: str, value: object) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name in NOBODY:
        allowed = f"a name of 1 to {LONGEST_NAME} characters in one line"
        raise OptionError(refuse(where, value, allowed))
    return name


def _check_players(players: object) -> tuple[str, str]:
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) != 2:
        raise OptionError(refuse("players", players, "two names"))
    first, second = (_check_name(f"players[{place}]", name) for place, name in enumerate(players))
    if first == second:
        raise OptionError(refuse("players", players, "two different names"))
    return first, second


# ---------------------------------------------------------------- a simulation's hands


def _read_simulation(
    frame: pd.DataFrame,
    rules: AnyRules | None,
    players: tuple[str, str] | None,
    game: SupportsIndex | None,
) -> Given:
    """One game of the frame of `simulate_game_hands`."""
    with_tables = "pair_winner" in frame
    needed = _TABLE_HANDS if with_tables else _GAME_HANDS
    if missing := [name for name in needed if name not in frame]:
        raise OptionError(
            f"frame: {join_words(missing, 'and')} missing; allowed: all columns of "
            "simulate_game_hands, or a person's table"
        )
    origin = Origin.read(frame)
    if rules is None and origin.rules is None:
        raise OptionError(
            'rules: the frame has lost its provenance (attrs["provenance"]), which names them; '
            "allowed: the rules by which the hands are to be booked"
        )
    full = load_rules(rules) if rules is not None else origin.rules
    assert full is not None
    check_scoring(full)
    if (full.players == 4) != with_tables:
        raise OptionError(
            f"rules: {full.name} is for {full.players} players, and the hands of the frame were "
            f"played by {4 if with_tables else 2}; allowed: rules for as many"
        )
    number, chosen = _choose_game(frame, game, with_tables)
    names = players or (PAIRS if with_tables else (SEATS[0], SEATS[1]))
    old = origin.rules or full
    hands = _simulated_hands(chosen, number, old, names, with_tables)
    if origin.rules is not None:
        _check_whole_game(hands, number, old, origin)
        kind = "table_hands" if with_tables else "game_hands"
        chosen.attrs = {"provenance": {**origin.values, "rows": kind}}
        again = _rescore(chosen, full, number)
        if again is not chosen:
            origin = Origin.read(again)
            hands = _simulated_hands(again, number, full, names, with_tables)
    return Given(full, names, hands, number, origin.values or None)


def _rescore(chosen: pd.DataFrame, rules: Rules, number: int) -> pd.DataFrame:
    """The hands of a game by other rules, or the same if these only book them otherwise.

    Raises:
        OptionError: if other hands would be played.
    """
    before = Played.read(chosen)
    changes = find_differences(before.rules, rules)
    play = {field: both for field, both in changes.items() if find_class(field, *both) == "play"}
    if play:
        raise OptionError(
            f"rules: {tell_changes(play)}: the hands of the frame were played by "
            f"{before.rules.name}, and by {rules.name} others are; allowed: changes of "
            f"{join_words(before.list_unplayed(), 'and')}, or game {number} played by these rules "
            "(simulate_game_hands, or ginsim sheet with --seed and --game)"
        )
    priced = any(find_class(field, *both) == "price" for field, both in changes.items())
    return rescore(chosen, rules) if priced or before.find_play(rules) else chosen


def _check_whole_game(hands: Sequence[Hand], number: int, rules: Rules, origin: Origin) -> None:
    """See that a game was not cut off: that it was over, or had as many hands as it may."""
    most = origin.max_hands
    booked = [(hand.winner, hand.points, hand.boxes) for hand in hands]
    winners = dict.fromkeys(hand.winner for hand in hands if hand.winner is not None)
    one, other = [*winners, *(name for name in ("A", "B") if name not in winners)][:2]
    if len(hands) < most and not score_game(rules, booked, players=(one, other)).over:
        raise OptionError(
            f"frame: game {number} has {count(len(hands), 'hand')} and is not over by "
            f"{rules.name}, by which it was played, with up to {most}; allowed: all hands of a game"
        )


def _choose_game(
    frame: pd.DataFrame, game: SupportsIndex | None, with_tables: bool
) -> tuple[int, pd.DataFrame]:
    """The number of the game, and its rows in order, each hand there."""
    table = TABLES["table_hands" if with_tables else "game_hands"]
    keys = ("game", "hand_in_game", "table")[: 3 if with_tables else 2]
    columns = {column.name: column for column in table}
    order = pd.DataFrame({name: plain_values(columns[name], frame[name]) for name in keys})
    games = order["game"].unique()
    if not len(games):
        raise OptionError("frame: there is no hand in it; allowed: the hands of a game")
    there = f"{games.min()} to {games.max()}" if len(games) > 1 else f"{games[0]}"
    if game is None and len(games) > 1:
        raise OptionError(
            f"game: {len(games)} games are there; allowed: the number of one of them ({there})"
        )
    number = int(games[0]) if game is None else check_whole("game", game, 0, None)
    if number not in games:
        raise OptionError(refuse("game", number, f"a game that is there ({there})"))
    order = order[order["game"] == number].sort_values(list(keys))
    step = 2 if with_tables else 1
    for place, row in enumerate(order.to_dict("records")):
        if row["hand_in_game"] != place // step or (with_tables and row["table"] != place % 2 + 1):
            what = f"hand {place // step}" + (f", table {place % 2 + 1}" if with_tables else "")
            raise OptionError(
                f"frame: game {number} has no row of {what}, or another twice; allowed: all hands "
                "of a game, each once"
            )
    if len(order) % step:
        raise OptionError(
            f"frame: game {number} has no row of hand {len(order) // 2}, table 2; allowed: both "
            "tables of each hand"
        )
    chosen = frame.iloc[order.index].reset_index(drop=True)
    return number, chosen.assign(**{name: order[name].to_numpy() for name in keys})


def _simulated_hands(
    chosen: pd.DataFrame, number: int, rules: Rules, players: tuple[str, str], with_tables: bool
) -> tuple[Hand, ...]:
    """The hands of a game whose rows are in order, looked at one by one and then together."""
    step = 2 if with_tables else 1
    needed = _TABLE_HANDS if with_tables else _GAME_HANDS
    rows = chosen[list(needed)].astype(object).to_dict("records")
    hands = []
    for place in range(0, len(rows), step):
        where = f"game {number}, hand {place // step}"
        tables = rows[place : place + step]
        row = tables[0]
        hand = _simulated_hand(where, row, "pair_" if with_tables else "", rules, players)
        if with_tables:
            hand = Hand(
                hand.winner,
                hand.points,
                hand.boxes,
                net_kind=_check_word(where, "net_kind", row["net_kind"], NETS),
                tables=tuple(_table_result(where, table) for table in tables),
            )
        hands.append(hand)
    plain: Rows = {
        column.name: np.ascontiguousarray(plain_values(column, chosen[column.name]))
        for column in TABLES["table_hands" if with_tables else "game_hands"]
        if column.name in chosen
    }
    if with_tables:
        check_pairs(plain)
    check_prices(plain, rules)
    return tuple(hands)


def _simulated_hand(
    where: str, row: Mapping[Any, Any], prefix: str, rules: Rules, players: tuple[str, str]
) -> Hand:
    values = {name: row[prefix + name] for name in ("winner", "points", "boxes")}
    winner = None
    if not _is_missing(values["winner"]):
        winner = players[
            SEATS.index(_check_word(where, f"{prefix}winner", values["winner"], SEATS))
        ]
    outcome = None if prefix else _check_word(where, "outcome", row["outcome"], OUTCOMES)
    if winner is None:
        return Hand(None, 0, 0, outcome)
    points = _check_points(f"{where}, {prefix}points", _plain(values["points"]), rules)
    boxes = _check_boxes(f"{where}, {prefix}boxes", _plain(values["boxes"]), rules)
    return Hand(winner, points, boxes, outcome)


def _table_result(where: str, row: Mapping[Any, Any]) -> TableResult:
    number = int(row["table"])
    place = f"{where}, table {number}"
    pairing = str(row["pairing"]).split()
    names = pairing[number - 1].split("-") if len(pairing) == 2 else []
    if len(names) != 2:
        raise OptionError(refuse(f"{place}, pairing", row["pairing"], "A-C B-D or A-D B-C"))
    winner = None
    if not _is_missing(row["winner"]):
        winner = names[SEATS.index(_check_word(place, "winner", row["winner"], SEATS))]
    return TableResult(
        number,
        (names[0], names[1]),
        winner,
        _check_word(place, "outcome", row["outcome"], OUTCOMES),
        check_whole(f"{place}, points", _plain(row["points"]), 0, None),
        check_whole(f"{place}, prize_boxes", _plain(row["prize_boxes"]), 0, None),
    )


def _check_word(where: str, name: str, value: Any, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(refuse(f"{where}, {name}", value, join_words(allowed)))
    return value
