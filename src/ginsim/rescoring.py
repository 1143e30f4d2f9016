"""Hands already played, under other bonuses.

What a field of the rules decides says what can be done without playing (`FIELDS`): a *price* is
what a hand counts, a *book* field how hands make a game, and all else is *play*. docs/rescoring.md
says what is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch, _deck, _games, _rescoring, batches
from ginsim.batches import Progress, run_chunks
from ginsim.bookings import KINDS, GameRows, Rows, find_kind, read_rows, spread_runs
from ginsim.checks import check_flag
from ginsim.columns import PLAYERS, SEATS, TABLES, Column
from ginsim.errors import OptionError, count, join_words, show
from ginsim.game_records import game_hands_frame
from ginsim.games import ROW_BYTES, simulate_games
from ginsim.memory import check_memory
from ginsim.records import make_frame
from ginsim.rules import (
    HAND_FIELDS,
    AnyRules,
    Rules,
    find_differences,
    load_rules,
    to_game_record,
    to_record,
)
from ginsim.simulation import simulate
from ginsim.strategies import Strategy, parse_strategy
from ginsim.tasks import check_threads, make_task


class FieldClass(NamedTuple):
    """What a field of the rules decides of hands already played, and why."""

    kind: Literal["price", "book", "play"]
    why: str


def _price(why: str) -> FieldClass:
    return FieldClass("price", why)


def _book(why: str) -> FieldClass:
    return FieldClass("book", why)


def _play(why: str) -> FieldClass:
    return FieldClass("play", why)


_BONUS = "added to recorded deadwood"
_PRIZE = "given by the recorded outcome"
_END = "added when the game is over"

#: Every field of `Rules`.
FIELDS: Mapping[str, FieldClass] = {
    "players": _play("others sit at other tables; not played again either"),
    "deal": _play("other cards are dealt, another seat begins"),
    "return_taken_card": _play("it allows other discards"),
    "give_back_limit": _play("hands end by it"),
    "knock_card": _play("another card, or none, is recorded"),
    "knock_limit": _play("it allows other knocks"),
    "ace_limit": _play("it allows other knocks"),
    "spade_doubles": _price("the knock card is recorded"),
    "gin_bonus": _price(_BONUS),
    "undercut_bonus": _price(_BONUS),
    "clean_undercut_bonus": _price(_BONUS),
    "big_gin_bonus": _price(f"{_BONUS}; between numbers only: off is play"),
    "tie": _price(
        "equal deadwood is recorded; where another seat deals next because of it, the game is "
        "played again"
    ),
    "spread": _play("the knocker may show another deadwood"),
    "layoffs": _play("the defender is left with another deadwood"),
    "dead_at": _play("hands end by it"),
    "wall": _play("hands end by it"),
    "max_pile_draws": _play("hands end by it"),
    "first_dealer": _play("another seat deals the first hand of a game"),
    "next_dealer": _play("another seat deals the next hand of a game"),
    "scoring": _book("the hands are posted in other columns"),
    "target": _book("the game ends with another hand"),
    "game_bonus": _book(_END),
    "hand_bonus": _book(_END),
    "shutout_bonus": _book(_END),
    "shutout": _book(_END),
    "box_base": _price("given for a hand that is won"),
    "box_gin": _price(_PRIZE),
    "box_clean_undercut": _price(_PRIZE),
    "box_undercut": _price(_PRIZE),
    "box_big_gin": _price(_PRIZE),
    "box_column": _book("given for a column that is closed"),
    "shutout_shift": _book("the hands are posted in other columns"),
}

#: What may be rescored, by the word for rows of it.
RESCORED = {
    "hands": "hand",
    "game_hands": "game",
    "table_hands": "game",
    "games": "game",
    "hollywood_games": "game",
}

#: How a frame was rescored.
METHODS = ("priced", "booked", "replayed", "booked and replayed")

Changes = dict[str, tuple[Any, Any]]


def find_class(field: str, old: object, new: object) -> str:
    """What the change of a field is: `price`, `book` or `play`."""
    if field == "big_gin_bonus" and "off" in (old, new):
        return "play"
    return FIELDS[field].kind


@dataclass(frozen=True)
class _Played:
    """What a frame says about how its rows were made.

    Attributes:
        origin: its provenance; empty if it has none.
        kind: of what it has rows.
        rules: those it was played under.
        strategies: of the players in order; empty if it does not say.
    """

    origin: dict[str, Any]
    kind: str
    rules: Rules
    strategies: tuple[Strategy, ...]

    @classmethod
    def read(cls, frame: pd.DataFrame, played: AnyRules | None) -> _Played:
        kind = find_kind(frame, tuple(RESCORED))
        origin = frame.attrs.get("provenance", {})
        if "rules" in origin and played is not None:
            raise OptionError(
                f"played: the frame says itself that it was played by {origin['rules']['name']}; "
                "allowed for frames without provenance only"
            )
        if "rules" not in origin:
            if kind != "hands" or set(frame) != {column.name for column in TABLES["hands"]}:
                raise OptionError(
                    "frame: it has no provenance, and so no rules and strategies; allowed without "
                    "it: hands of simulate only"
                )
            if played is None:
                raise OptionError(
                    "played: the frame has no provenance; allowed then: the rules its hands were "
                    "played by"
                )
        players = origin.get("strategies", {})
        names = PLAYERS if len(players) == len(PLAYERS) else SEATS
        strategies = tuple(parse_strategy(players[name]) for name in names if name in players)
        return cls(origin, kind, load_rules(origin.get("rules", played)), strategies)

    @property
    def of_games(self) -> bool:
        return self.kind != "hands"

    def find_play(self, new: Rules) -> Changes:
        """The changed fields that change what is played."""
        changes = find_differences(self.rules, new)
        if not self.of_games:
            changes = {field: both for field, both in changes.items() if field in HAND_FIELDS}
        read = {what for strategy in self.strategies for what in strategy.reads_points}
        # Without a partner there is no other table to look at. Boxes are no points.
        by_points = "play-outs" in read or ("partner" in read and self.rules.players == 4)
        return {
            field: both
            for field, both in changes.items()
            if (kind := find_class(field, *both)) == "play"
            or (by_points and kind == "price" and not field.startswith("box_"))
        }

    def check_players(self, new: Rules) -> None:
        there = self.rules.players
        if new.players != there:
            raise OptionError(
                f"players: {new.players} is not allowed; allowed: {there}, as the "
                f"{RESCORED[self.kind]}s of the frame were played: {FIELDS['players'].why}"
            )

    def check_replay(self) -> None:
        """Refuse what cannot be played again."""
        needed = ("seed", "mirror", "strategies")
        missing = [key for key in needed if key not in self.origin]
        if missing:
            raise OptionError(
                f"frame: its provenance does not have {join_words(missing, 'and')}, without which "
                "its hands cannot be played again"
            )
        if "decks" in self.origin:
            raise OptionError(
                "frame: its hands were played with given decks, which provenance names but does "
                "not hold; allowed: changes of price and book fields"
            )
        stream = self.origin.get("stream")
        if stream != _deck.STREAM_VERSION:
            raise OptionError(
                f"frame: its hands are of stream {show(stream)}, and this ginsim plays stream "
                f"{_deck.STREAM_VERSION}: it would play others"
            )


def rescore(
    frame: pd.DataFrame,
    rules: AnyRules,
    *,
    overrides: Mapping[str, Any] | None = None,
    played: AnyRules | None = None,
    replay: bool = True,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """What a frame would be had it been played by other rules, played again only where it must be.

    Hands are scored again from what is recorded of them, games booked again from their hands, if
    no changed field decides what is played (`FIELDS`) and no strategy looks at points that
    change. Where another hand would be played, or more than are recorded, the game is played
    again; so are frames of games, which have no hands in them.

    Args:
        frame: hands of `simulate`, hands of games of `simulate_game_hands`, or games of
            `simulate_games`; all or some of the rows, of games all hands.
        rules, overrides: the other rules (see `load_rules`).
        played: by which rules the hands were played, for a frame of hands without provenance.
        replay: whether hands may be played again; if not, they are refused.
        threads, progress: as for `simulate`, of what is played again.

    Returns:
        A new frame: what `simulate`, `simulate_game_hands` (without `min_hands`) or
        `simulate_games` gives for the other rules and otherwise the same arguments. Its
        provenance has a key `rescored` besides: `from`, the name of the old rules; `method`:
        priced, booked, replayed, or booked and replayed; `replayed`, how many hands (of a frame
        of games: games) were played again; `fields`, those that differ.

    Raises:
        OptionError: for rows of other kinds, rows that their rules do not give, and what must be
            played again but cannot or may not be, naming fields and values.
    """
    may_replay = check_flag("replay", replay)
    num_threads = check_threads(threads)
    before = _Played.read(frame, played)
    new = load_rules(rules, overrides)
    before.check_players(new)
    changes = find_differences(before.rules, new)
    play = before.find_play(new)
    rowless = before.kind not in ("hands", *KINDS)
    if not may_replay and play:
        raise OptionError(_refuse_play(before, play))
    if not may_replay and rowless and changes:
        raise OptionError(
            f"replay: {_tell(changes)}: a row of a game does not have its hands; allowed with "
            "replay=False: hands of games (simulate_game_hands)"
        )

    def mark(method: str, replayed: int) -> dict[str, Any]:
        origin = {key: value for key, value in before.origin.items() if key != "min_hands"}
        marks = {"from": before.rules.name, "method": method, "replayed": replayed}
        return {
            **origin,
            "rules": new.model_dump(),
            "rescored": {**marks, "fields": list(changes)},
        }

    if before.kind in KINDS:
        return _rescore_games(
            GameRows.read(frame, before.kind),
            before,
            new,
            bool(play),
            may_replay,
            mark,
            num_threads,
            progress,
        )
    rows = read_rows(frame, before.kind)
    if play or (rowless and changes):
        before.check_replay()
        result = _replay_rows(rows, before, new, num_threads, progress)
        result.attrs["provenance"] = {
            **mark("replayed", len(frame)),
            **({"rows": result.attrs["provenance"]["rows"]} if rowless else {}),
        }
    elif rowless:
        result = _copy(rows, before.kind, mark("booked", 0))
    else:
        _check_rows(rows, before)
        result = _copy({**rows, **_price_rows(rows, new)}, before.kind, mark("priced", 0))
    result.index = frame.index
    return result


def _tell(changes: Changes) -> str:
    """Changed fields with both values."""
    return join_words(
        (f"{field} ({show(old)} to {show(new)})" for field, (old, new) in changes.items()), "and"
    )


def _refuse_play(before: _Played, play: Changes) -> str:
    read = [field for field, both in play.items() if find_class(field, *both) == "price"]
    searches = any("play-outs" in strategy.reads_points for strategy in before.strategies)
    looks = "searches by points" if searches else "looks at its partner's points"
    reading = "" if not read else f" ({join_words(read, 'and')}: a strategy {looks})"
    kinds = ("price",) if before.kind == "hands" else ("price", "book")
    kept = [field for field, (kind, _) in FIELDS.items() if kind in kinds and field not in read]
    return (
        f"replay: {_tell(play)}: other hands are played{reading}; allowed with replay=False: "
        f"changes of {join_words(kept, 'and')}"
    )


# ---------------------------------------------------------------- hands


def _price_rows(rows: Rows, rules: Rules) -> Rows:
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
    _rescoring.net_hands(
        record,
        priced["winner"],
        priced["points"],
        priced["prize_boxes"],
        rows["knock_card"],
        rows["other_known"].view(np.int8),
        small,
        large,
    )
    priced.update(zip(_rescoring.NET_BYTES, small, strict=True))
    priced.update(zip(_rescoring.NET_SHORTS, large, strict=True))
    return priced


def _check_rows(rows: Rows, before: _Played) -> None:
    """See that the recorded points are those of the rules that they are said to be of."""
    columns: dict[str, Column] = {column.name: column for column in TABLES[before.kind]}
    for name, values in _price_rows(rows, before.rules).items():
        wrong = np.flatnonzero(values != rows[name])
        if not len(wrong):
            continue
        place = wrong[0]
        names = (*columns[name].categories, None)

        def word(code: Any, names: tuple[Any, ...] = names) -> str:
            return show(names[code] if len(names) > 1 else int(code))

        index = "game" if before.of_games else "hand"
        raise OptionError(
            f"frame: a row of {index} {rows[index][place]} has {name} {word(rows[name][place])}; "
            f"by {before.rules.name} it is {word(values[place])}; allowed: rows as they were played"
        )


def _copy(rows: Rows, kind: str, provenance: dict[str, Any]) -> pd.DataFrame:
    """A frame of columns that nobody else holds."""
    return make_frame(
        TABLES[kind], {name: values.copy() for name, values in rows.items()}, provenance
    )


def _replay_rows(
    rows: Rows, before: _Played, new: Rules, threads: int, progress: Progress | None
) -> pd.DataFrame:
    """The same hands, or games, by other rules."""
    numbers = rows["game" if before.of_games else "hand"]
    origin = before.origin
    first = int(numbers.min()) if len(numbers) else 0
    stop = int(numbers.max()) + 1 if len(numbers) else 0
    if origin["mirror"]:
        first, stop = first - first % 2, stop + stop % 2
    options: dict[str, Any] = {
        "seed": origin["seed"],
        "first": first,
        "mirror": origin["mirror"],
        "threads": threads,
        "progress": progress,
    }
    if before.of_games:
        options["max_hands"] = origin["max_hands"]
        frame = simulate_games(new, before.strategies, stop - first, **options)
    else:
        frame = simulate(new, before.strategies, stop - first, **options)
    places = numbers - first
    # A part of the rows, or in another order.
    whole = len(places) == len(frame) and bool((np.diff(places) == 1).all())
    return frame if whole else frame.take(places)


# ---------------------------------------------------------------- games


def _rescore_games(
    hands: GameRows,
    before: _Played,
    new: Rules,
    play: bool,
    may_replay: bool,
    mark: Any,
    threads: int,
    progress: Progress | None,
) -> pd.DataFrame:
    games = hands.games
    starts = hands.starts[:-1]
    most = before.origin["max_hands"]
    _check_rows(hands.rows, before)
    if play:
        ends = np.full(len(games), _rescoring.NO_END["other"], np.int64)
        booked = hands
    else:
        booked = GameRows(hands.kind, {**hands.rows, **_price_rows(hands.rows, new)}, hands.starts)
        ends, points = booked.book(new, most)
        for seat, name in enumerate(("south_before", "north_before")):
            booked.rows[name] = np.repeat(points[seat], hands.tables)
    again = ends < 0
    if not may_replay and again.any():
        raise OptionError(_refuse_games(ends, new))
    counts = np.where(again, 0, ends - starts)
    replayed = int(again.sum())
    method = (
        "booked"
        if not replayed
        else "replayed"
        if replayed == len(games)
        else "booked and replayed"
    )
    provenance = mark(method, replayed)
    if not replayed:
        return make_frame(TABLES[hands.kind], booked.take(starts, counts), provenance)
    before.check_replay()
    other = _replay_games(games[again], before, new, threads, progress)
    # Both one after the other, and then each game from where it is.
    places = starts.copy()
    places[again] = hands.starts[-1] + other.starts[:-1]
    counts[again] = np.diff(other.starts)
    order = spread_runs(places * hands.tables, counts * hands.tables)
    rows = {
        name: np.concatenate([values, other.rows[name]])[order]
        for name, values in booked.rows.items()
    }
    return make_frame(TABLES[hands.kind], rows, provenance)


def _refuse_games(ends: NDArray[np.int64], new: Rules) -> str:
    short, other = (int((ends == _rescoring.NO_END[why]).sum()) for why in ("short", "other"))
    reasons = []
    if short:
        reasons.append(
            f"{count(short, 'game')} would go on after the last recorded hand (min_hands of "
            "simulate_game_hands plays on)"
        )
    if other:
        reasons.append(f"in {count(other, 'game')} another seat would deal")
    return (
        f"replay: of {count(len(ends), 'game')} under {new.name} {' and '.join(reasons)}; allowed "
        "with replay=False: games whose recorded hands are all that are played"
    )


def _replay_games(
    games: NDArray[np.int64], before: _Played, new: Rules, threads: int, progress: Progress | None
) -> GameRows:
    """The hands of some games, whichever they are."""
    origin, most = before.origin, before.origin["max_hands"]
    task = make_task(
        new, before.strategies, 0, seed=origin["seed"], mirror=origin["mirror"], of_games=True
    )
    setup, record = task.setup, to_game_record(new)
    tables = 2 if new.players == 4 else 1
    counts = np.zeros(len(games), np.int64)
    chunk = max(batches.CHUNK // 16, 1)

    def count_some(_thread: int, start: int, stop: int) -> None:
        for place in range(start, stop):
            part = counts[place : place + 1]
            _games.count_rows(setup, record, int(games[place]), 1, part, most)

    run_chunks(count_some, len(games), threads, None, chunk=chunk)
    ends = np.append(0, np.cumsum(counts))
    size = int(ends[-1])
    advice = "or rescore them in parts"
    check_memory("frame", len(games), size * ROW_BYTES * 2, f"{size} rows of hands", advice)
    own = np.zeros(size, _games.GAME_HAND_DTYPE)
    small = np.empty((len(_batch.BYTE_COLUMNS), size), np.int8)
    large = np.empty((len(_batch.SHORT_COLUMNS), size), np.int16)

    def fill_some(_thread: int, start: int, stop: int) -> None:
        for place in range(start, stop):
            row = int(ends[place])
            _games.fill_game_hands(
                setup, record, int(games[place]), 1, own, small, large, row, most
            )

    run_chunks(fill_some, len(games), threads, progress, chunk=chunk)
    frame = game_hands_frame(own, small, large, task.mirror, tables == 2, {})
    return GameRows.read(frame, before.kind)
