"""Games from their hands: what a book makes of the rows of `simulate_game_hands`.

And what other prices make of the rows of hands: whether rows are those of their rules is seen here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _games, _rescoring
from ginsim.columns import OUTCOMES, TABLES, Column
from ginsim.errors import OptionError, join_words, refuse, show
from ginsim.formats import tell_columns
from ginsim.game_records import games_frame
from ginsim.origins import Origin
from ginsim.records import plain_values
from ginsim.rules import Rules, to_game_record, to_record

#: The rows that are hands of games.
KINDS = ("game_hands", "table_hands")

Rows = dict[str, NDArray[Any]]


def read_rows(frame: pd.DataFrame, kind: str) -> Rows:
    """The columns of a frame as the core holds them, each contiguous.

    Args:
        kind: of what it has rows, a name of `columns.TABLES`.

    Raises:
        OptionError: if it has other columns, or values that they cannot hold.
    """
    table: Sequence[Column] = TABLES[kind]
    if sorted(frame, key=str) != sorted(column.name for column in table):
        raise OptionError(
            f"frame: its columns are not those of {kind}{tell_columns(kind, list(frame))}"
        )
    return {
        column.name: np.ascontiguousarray(plain_values(column, frame[column.name]))
        for column in table
    }


@dataclass(frozen=True)
class GameRows:
    """The rows of a frame of game_hands or table_hands, and where its games begin.

    Attributes:
        kind: `game_hands` or `table_hands`.
        rows: the columns.
        starts: the first hand of each game, and the end; a hand is a row, or in a partnership two.
    """

    kind: str
    rows: Rows
    starts: NDArray[np.int64]

    @classmethod
    def read(cls, frame: pd.DataFrame, kind: str) -> GameRows:
        """The rows of a frame.

        Raises:
            OptionError: if it has other columns, or not all hands of a game from the first on.
        """
        rows = read_rows(frame, kind)
        if kind == "table_hands":
            _check_tables(rows)
        step = 2 if kind == "table_hands" else 1
        games, numbers = rows["game"][::step], rows["hand_in_game"][::step]
        # A row goes on with the game of the row before it, or begins one.
        follows = np.zeros(len(games), bool)
        follows[1:] = (games[1:] == games[:-1]) & (numbers[1:] == numbers[:-1] + 1)
        wrong = np.flatnonzero(~follows & (numbers != 0))
        if len(wrong):
            game, number = games[wrong[0]], numbers[wrong[0]]
            raise OptionError(
                f"frame: hand {number} of game {game} does not follow hand {number - 1}; allowed: "
                "the hands of each game one after the other, from the first on"
            )
        starts = np.append(np.flatnonzero(~follows), len(games)).astype(np.int64)
        return cls(kind, rows, starts)

    @property
    def tables(self) -> int:
        """How many rows a hand has."""
        return 2 if self.kind == "table_hands" else 1

    @property
    def games(self) -> NDArray[np.int64]:
        """The index of each game."""
        return np.ascontiguousarray(self.rows["game"][:: self.tables][self.starts[:-1]])

    def of_hands(self, name: str) -> NDArray[Any]:
        """A column with one value a hand: `winner`, `points`, `boxes` of whom it is booked to."""
        pair = f"pair_{name}"
        values = self.rows[pair if self.tables == 2 and pair in self.rows else name]
        return np.ascontiguousarray(values[:: self.tables])

    def posts(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """What is booked of each hand: winners, points, boxes, and the dealers."""
        winners, points = self.of_hands("winner"), self.of_hands("points")
        return winners, points, self.of_hands("boxes"), self.of_hands("dealer")

    def book(self, rules: Rules, max_hands: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Where each game ends, and the points before each hand (see `_rescoring.book_hands`)."""
        posts = self.posts()
        count = len(posts[0])
        pairings = np.zeros(count, np.int8) if self.tables == 1 else self.of_hands("pairing")
        ends = np.empty(len(self.starts) - 1, np.int64)
        before = np.zeros((2, count), np.int32)
        _rescoring.book_hands(
            to_game_record(rules), self.starts, *posts, pairings, max_hands, ends, before
        )
        return ends, before

    def take(self, places: NDArray[np.int64], counts: NDArray[np.int64]) -> Rows:
        """The columns of runs of hands.

        Args:
            places: the first hand of each run.
            counts: its hands.
        """
        return {
            name: values[spread_runs(places * self.tables, counts * self.tables)]
            for name, values in self.rows.items()
        }


def spread_runs(places: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of runs, one after the other: `counts[i]` numbers from `places[i]` on."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(places - (ends - counts), counts) + np.arange(total, dtype=np.int64)


#: What both tables of a hand have in common.
_OF_PAIRS = (
    *("deal", "south_before", "north_before", "pairing", "dealer", "knock_limit", "knock_card"),
    *("net_kind", "pair_winner", "pair_points", "pair_net", "pair_boxes", "pair_prize_boxes"),
)


def check_pairs(rows: Rows) -> None:
    """See that the two tables of each hand say the same of it, as far as columns are there.

    Args:
        rows: tables 1 and 2 of each hand, one after the other.

    Raises:
        OptionError: if they contradict each other.
    """
    for name in _OF_PAIRS:
        if name not in rows:
            continue
        wrong = np.flatnonzero(rows[name][::2] != rows[name][1::2])
        if len(wrong):
            place = 2 * wrong[0]
            first, second = (_word(name, rows[name][place + table]) for table in (0, 1))
            raise OptionError(
                f"frame: hand {rows['hand_in_game'][place]} of game {rows['game'][place]} has "
                f"{name} {first} at table 1 and {second} at table 2; allowed: the same at both, as "
                "they were played"
            )


def _word(name: str, value: Any) -> str:
    """A value of a column as a person reads it."""
    for table in TABLES.values():
        for column in table:
            if column.name == name and column.categories:
                names: tuple[str | None, ...] = (*column.categories, None)
                return show(names[value])
    return show(value.item())


def _check_tables(rows: Rows) -> None:
    tables = rows["table"]
    whole = len(tables) % 2 == 0 and bool((tables[::2] == 1).all() and (tables[1::2] == 2).all())
    for name in ("game", "hand_in_game"):
        whole = whole and bool((rows[name][::2] == rows[name][1::2]).all())
    if not whole:
        raise OptionError(
            "frame: not every hand has both tables; allowed: tables 1 and 2 of each hand, one "
            "after the other"
        )
    check_pairs(rows)


# ---------------------------------------------------------------- prices

#: The columns by which a hand is scored.
_SCORED_BY = ("outcome", "knocker", "south_deadwood", "north_deadwood", "knock_card")


def price_rows(rows: Rows, rules: Rules) -> Rows:
    """The columns that a price changes."""
    size = len(rows["outcome"])
    record = to_record(rules)
    small = np.empty((len(_rescoring.PRICE_BYTES), size), np.int8)
    large = np.empty((len(_rescoring.PRICE_SHORTS), size), np.int16)
    _rescoring.price_hands(
        record,
        rows["outcome"],
        rows["knocker"],
        rows["south_deadwood"],
        rows["north_deadwood"],
        rows["knock_card"],
        small,
        large,
    )
    priced: Rows = dict(zip(_rescoring.PRICE_BYTES, small, strict=True))
    priced.update(zip(_rescoring.PRICE_SHORTS, large, strict=True))
    if "table" not in rows:
        return priced
    small = np.empty((len(_rescoring.NET_BYTES), size), np.int8)
    large = np.empty((len(_rescoring.NET_SHORTS), size), np.int16)
    known = rows.get("other_known", np.zeros(size, bool))
    _rescoring.net_hands(
        record,
        priced["winner"],
        priced["points"],
        priced["prize_boxes"],
        rows["knock_card"],
        known.view(np.int8),
        small,
        large,
    )
    priced.update(zip(_rescoring.NET_BYTES, small, strict=True))
    priced.update(zip(_rescoring.NET_SHORTS, large, strict=True))
    if "other_known" not in rows:
        del priced["other_net"]
    return priced


def check_prices(rows: Rows, rules: Rules) -> None:
    """See that rows of hands have the points that their rules give for their own deadwoods.

    Args:
        rows: of hands or of games' hands; columns may be missing, and then what needs them is not
            looked at.

    Raises:
        OptionError: if some have not.
    """
    if all(name in rows for name in _SCORED_BY):
        compare_rows(rows, price_rows(rows, rules), f"by {rules.name}")


def compare_rows(rows: Rows, wanted: Rows, how: str) -> None:
    """See that rows have certain values, as far as their columns are there.

    Args:
        wanted: the values of some columns.
        how: where they are from, for messages.

    Raises:
        OptionError: if some have others.
    """
    for name, values in wanted.items():
        if name not in rows:
            continue
        wrong = np.flatnonzero(values != rows[name])
        if not len(wrong):
            continue
        place = wrong[0]
        index = "game" if "game" in rows else "hand"
        raise OptionError(
            f"frame: a row of {index} {rows[index][place]} has {name} "
            f"{_word(name, rows[name][place])}; {how} it is {_word(name, values[place])}; allowed: "
            "rows as they were played"
        )


def check_book(hands: GameRows, rules: Rules, max_hands: int) -> NDArray[np.int64]:
    """See that games have the dealers and the points before each hand that their rules give.

    Hands after the end of a game, which `min_hands` plays, are not looked at.

    Returns:
        Where each game ends (see `_rescoring.book_hands`).

    Raises:
        OptionError: if some have others.
    """
    ends, before = hands.book(rules, max_hands)
    other = np.flatnonzero(ends == _rescoring.NO_END["other"])
    if len(other):
        raise OptionError(
            f"frame: in game {hands.games[other[0]]} another seat deals, or others play each "
            f"other, than by {rules.name}; allowed: rows as they were played"
        )
    stops = np.where(ends < 0, hands.starts[1:], ends)
    booked = spread_runs(hands.starts[:-1], stops - hands.starts[:-1])
    names = ("game", "south_before", "north_before")
    some = {name: hands.rows[name][:: hands.tables][booked] for name in names}
    wanted = dict(zip(names[1:], (points[booked] for points in before), strict=True))
    compare_rows(some, wanted, f"by {rules.name}")
    return ends


def find_kind(frame: object, allowed: Sequence[str]) -> str:
    """Of what a frame has rows, by its provenance; without a word on it, hands.

    Raises:
        OptionError: if it is none of what is allowed.
    """
    if not isinstance(frame, pd.DataFrame):
        raise OptionError(refuse("frame", frame, f"a frame of {join_words(allowed)}"))
    kind = Origin.read(frame).rows
    if not isinstance(kind, str) or kind not in allowed:
        kind = kind if isinstance(kind, str) else show(kind)
        raise OptionError(f"frame: rows of {kind} are not allowed; allowed: {join_words(allowed)}")
    return kind


def book_games(frame: pd.DataFrame) -> pd.DataFrame:
    """The games of a frame of their hands, without playing: one row for each.

    Args:
        frame: of `simulate_game_hands`, or of `rescore` from one; hands after the end of a game,
            which `min_hands` plays, count for nothing.

    Returns:
        The frame that `simulate_games` gives for the same arguments.

    Raises:
        OptionError: if rows of a game are missing, or were changed.
    """
    if isinstance(frame, pd.DataFrame) and "provenance" not in frame.attrs:
        raise OptionError(
            'frame: it has lost its provenance (attrs["provenance"]), which names its rules; '
            "allowed: the frame of simulate_game_hands, or a part of it with the same attrs"
        )
    kind = find_kind(frame, KINDS)
    origin = Origin.read(frame)
    origin.need(("rules", "max_hands"), "its games cannot be booked")
    rules = origin.rules
    assert rules is not None
    check_seats(kind, rules)
    provenance = dict(origin.values)
    hands = GameRows.read(frame, kind)
    check_prices(hands.rows, rules)
    ends = check_book(hands, rules, origin.max_hands)
    if len(missing := np.flatnonzero(ends < 0)):
        raise OptionError(
            f"frame: game {hands.games[missing[0]]} does not end in its hands by {rules.name}; "
            "allowed: all hands of each game, as they were played"
        )
    starts = hands.starts[:-1]
    played = GameRows(
        kind,
        hands.take(starts, ends - starts),
        np.append(0, np.cumsum(ends - starts)).astype(np.int64),
    )
    games = np.zeros(len(starts), _games.GAME_DTYPE)
    _games.book_games(to_game_record(rules), played.starts, *played.posts(), games)
    _count_hands(played, games)
    provenance.pop("min_hands", None)
    result = games_frame(games, 0, False, rules.scoring == "hollywood", provenance)
    result["game"] = hands.games
    result["deal"] = hands.of_hands("deal")[starts]
    return result


def check_seats(kind: str, rules: Rules) -> None:
    """See that rows are those of as many players as the rules are for."""
    there = 4 if kind == "table_hands" else 2
    if rules.players != there:
        raise OptionError(
            f"frame, provenance: rows of {kind} are of {there} players, and {rules.name} is for "
            f"{rules.players}; allowed: the provenance with which they were played"
        )


def _count_hands(played: GameRows, games: NDArray[np.void]) -> None:
    """Fill in what a book does not know: how the hands ended, and how long they took."""
    rows, tables = played.rows, played.tables
    game = np.repeat(np.arange(len(games)), np.diff(played.starts))
    at_table = np.repeat(game, tables)

    def count(where: NDArray[Any], which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(where[which], minlength=len(games))

    code = {name: number for number, name in enumerate(OUTCOMES)}
    outcome, winner = rows["outcome"], rows["winner"]
    dead = (outcome == code["dead"]).reshape(-1, tables).all(axis=1)
    games["dead_hands"] = count(game, dead)
    games["ties"] = count(game, (played.of_hands("winner") < 0) & ~dead)
    for what, outcomes in (
        ("gins", ("gin", "big_gin")),
        ("undercuts", ("undercut", "clean_undercut")),
    ):
        such = np.isin(outcome, [code[name] for name in outcomes])
        for seat, name in enumerate(("south", "north")):
            games[f"{name}_{what}"] = count(at_table, such & (winner == seat))
    games["turns"] = np.bincount(at_table, rows["turns"], minlength=len(games))
