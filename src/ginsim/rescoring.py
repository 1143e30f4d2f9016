"""Hands already played, under other bonuses.

What a field of the rules decides says what can be done without playing (`FIELDS`): a *price* is
what a hand counts, a *book* field how hands make a game, and all else is *play*. docs/rescoring.md
says what is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch, _games, _rescoring, batches
from ginsim._deck import STREAM_VERSION
from ginsim.batches import Progress, run_chunks
from ginsim.bookings import (
    KINDS,
    GameRows,
    Rows,
    check_book,
    check_prices,
    check_seats,
    compare_rows,
    find_kind,
    price_rows,
    read_rows,
    spread_runs,
)
from ginsim.checks import check_flag
from ginsim.columns import TABLES
from ginsim.errors import OptionError, count, join_words, refuse, show
from ginsim.game_records import game_hands_frame, games_frame
from ginsim.games import ROW_BYTES
from ginsim.memory import check_memory
from ginsim.origins import Origin
from ginsim.records import make_frame, records_frame
from ginsim.rules import (
    HAND_FIELDS,
    AnyRules,
    Rules,
    find_differences,
    load_rules,
    to_game_record,
)
from ginsim.strategies import Strategy
from ginsim.tasks import MAX_INDEX, check_threads, make_task


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
#: What rows were compared with before anything else: their points scored again by the old rules,
#: the same games played again by them, or nothing.
CHECKS = ("points", "replay", "nothing")
#: Provenance names the games that were played again, among others that were not, up to so many.
MOST_NAMED = 100

Changes = dict[str, tuple[Any, Any]]


def find_class(field: str, old: object, new: object) -> str:
    """What the change of a field is: `price`, `book` or `play`."""
    if field == "big_gin_bonus" and "off" in (old, new):
        return "play"
    return FIELDS[field].kind


@dataclass(frozen=True)
class Played:
    """What a frame says about how its rows were made.

    Attributes:
        origin: its provenance.
        kind: of what it has rows.
        rules: those it was played under.
    """

    origin: Origin
    kind: str
    rules: Rules

    @classmethod
    def read(cls, frame: pd.DataFrame, played: AnyRules | None = None) -> Played:
        """That of a frame; `played` are its rules if it does not say.

        Raises:
            OptionError: if it says too little, or what no simulation says.
        """
        kind = find_kind(frame, tuple(RESCORED))
        origin = Origin.read(frame)
        rules = origin.rules
        if rules is not None and played is not None:
            raise OptionError(
                f"played: the frame says itself that it was played by {rules.name}; allowed for "
                "frames without provenance only"
            )
        if rules is None:
            if origin.values:
                origin.need(("rules",), "its rows cannot be rescored")
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
            rules = load_rules(played)
        if kind in ("hands", *KINDS):
            check_seats(kind, rules)
        return cls(origin, kind, rules)

    @property
    def of_games(self) -> bool:
        """Whether its rows are games, or hands of games."""
        return self.kind != "hands"

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Of the players in order; empty if the frame does not say."""
        return self.origin.strategies

    @property
    def reads(self) -> Literal["nothing", "partner", "everything"]:
        """Which points the strategies look at."""
        read = {what for strategy in self.strategies for what in strategy.reads_points}
        # Without a partner there is no other table; a hand by itself is played at no score.
        if self.rules.players != 4:
            read -= {"partner"}
        if not self.of_games:
            read -= {"scores"}
        if read - {"partner"}:
            return "everything"
        return "partner" if read else "nothing"

    def is_play(self, field: str, old: object, new: object) -> bool:
        """Whether the change of a field changes what is played."""
        kind, reads = find_class(field, old, new), self.reads
        if reads == "everything" and kind != "play":
            return True
        if not self.of_games and field not in HAND_FIELDS:
            return False
        # Boxes are no points.
        of_points = kind == "price" and not field.startswith("box_")
        return kind == "play" or (reads == "partner" and of_points)

    def find_play(self, new: Rules) -> Changes:
        """The changed fields that change what is played."""
        changes = find_differences(self.rules, new)
        return {field: both for field, both in changes.items() if self.is_play(field, *both)}

    def list_kept(self) -> list[str]:
        """The fields whose changes leave what is played as it is, in words."""
        return [name for name, change in self._try_fields() if not self.is_play(*change)]

    def list_unplayed(self) -> list[str]:
        """The fields that are no play, whatever the strategies look at, in words."""
        return [name for name, change in self._try_fields() if find_class(*change) != "play"]

    def _try_fields(self) -> Iterator[tuple[str, tuple[str, object, object]]]:
        """Each field that may change, as it is named, with a change of it."""
        for field in FIELDS:
            # Of this one another number is the mildest change.
            numbers = field == "big_gin_bonus"
            if field != "players":
                name = f"{field} between numbers" if numbers else field
                yield name, (field, getattr(self.rules, field), 0 if numbers else None)

    def check_players(self, new: Rules) -> None:
        there = self.rules.players
        if new.players != there:
            raise OptionError(
                f"players: {new.players} is not allowed; allowed: {there}, as the "
                f"{RESCORED[self.kind]}s of the frame were played: {FIELDS['players'].why}"
            )

    def check_replay(self) -> None:
        """Refuse what cannot be played again."""
        needed = ("seed", "mirror", "strategies", *(("max_hands",) if self.of_games else ()))
        self.origin.need(needed, "its hands cannot be played again")
        if "decks" in self.origin.values:
            raise OptionError(
                "frame: its hands were played with given decks, which provenance names but does "
                "not hold; allowed: changes of price and book fields"
            )
        stream = self.origin.values.get("stream")
        if stream != STREAM_VERSION:
            raise OptionError(
                f"frame: its hands are of stream {show(stream)}, and this ginsim plays stream "
                f"{STREAM_VERSION}: it would play others"
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
        of games: games) were played again, and `games`, which, if some were and others not, up to
        100 of them; `fields`, those that differ; `checked`, what the rows were compared with
        first: their points with those of the old rules (points), the games with the same played
        again by the old rules (replay), or nothing.

    Raises:
        OptionError: for rows of other kinds, rows that their rules do not give, and what must be
            played again but cannot or may not be, naming fields and values.
    """
    may_replay = check_flag("replay", replay)
    num_threads = check_threads(threads)
    before = Played.read(frame, played)
    new = load_rules(rules, overrides)
    before.check_players(new)
    changes = find_differences(before.rules, new)
    rowless = before.kind not in ("hands", *KINDS)
    if not may_replay and rowless and changes:
        raise OptionError(
            f"replay: {tell_changes(changes)}: a row of a game does not have its hands; allowed "
            "with replay=False: hands of games (simulate_game_hands)"
        )
    play = before.find_play(new)
    if not may_replay and play:
        raise OptionError(_refuse_play(before, play))

    def mark(method: str, replayed: int, checked: str = "points") -> dict[str, Any]:
        values = before.origin.values
        origin = {key: value for key, value in values.items() if key != "min_hands"}
        marks = {"from": before.rules.name, "method": method, "replayed": replayed}
        return {
            **origin,
            "rules": new.model_dump(),
            "rescored": {**marks, "fields": list(changes), "checked": checked},
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
    if rowless:
        if may_replay:
            before.check_replay()
            old = _replay_rows(rows, before, before.rules, num_threads, progress)
            # All by which a row differs from what is played is a difference of some column.
            compare_rows(rows, read_rows(old, before.kind), f"played by {before.rules.name}")
            result = _replay_rows(rows, before, new, num_threads, progress) if changes else old
            kind = result.attrs["provenance"]["rows"]
            marks = mark("replayed", len(frame), "replay")
            result.attrs["provenance"] = {**marks, "rows": kind}
        else:
            result = _copy(rows, before.kind, mark("booked", 0, "nothing"))
    else:
        check_prices(rows, before.rules)
        if play:
            before.check_replay()
            result = _replay_rows(rows, before, new, num_threads, progress)
            result.attrs["provenance"] = mark("replayed", len(frame))
        else:
            result = _copy({**rows, **price_rows(rows, new)}, before.kind, mark("priced", 0))
    result.index = frame.index
    return result


def tell_changes(changes: Changes) -> str:
    """Changed fields with both values."""
    return join_words(
        (f"{field} ({show(old)} to {show(new)})" for field, (old, new) in changes.items()), "and"
    )


def _refuse_play(before: Played, play: Changes) -> str:
    read = [field for field, both in play.items() if find_class(field, *both) != "play"]
    points = "its partner's points" if before.reads == "partner" else "points"
    reading = f" ({join_words(read, 'and')}: a strategy looks at {points})" if read else ""
    kept = before.list_kept()
    allowed = f"changes of {join_words(kept, 'and')}" if kept else "the same rules"
    games = ", as long as the same seats deal and no more hands are played" * before.of_games
    return (
        f"replay: {tell_changes(play)}: other hands are played{reading}; allowed with "
        f"replay=False: {allowed}{games}"
    )


# ---------------------------------------------------------------- hands


def _copy(rows: Rows, kind: str, provenance: dict[str, Any]) -> pd.DataFrame:
    """A frame of columns that nobody else holds."""
    return make_frame(
        TABLES[kind], {name: values.copy() for name, values in rows.items()}, provenance
    )


def _replay_rows(
    rows: Rows, before: Played, rules: Rules, threads: int, progress: Progress | None
) -> pd.DataFrame:
    """The same hands, or games, by certain rules; none but those are played."""
    index = "game" if before.of_games else "hand"
    numbers = rows[index]
    outside = numbers[(numbers < 0) | (numbers >= MAX_INDEX)]
    if len(outside):
        allowed = f"a whole number from 0 to {MAX_INDEX - 1}"
        raise OptionError(refuse(f"frame, {index}", int(outside[0]), allowed))
    wanted, places = np.unique(numbers, return_inverse=True)
    values = before.origin.values
    mirror = bool(values["mirror"])
    task = make_task(
        rules, before.strategies, 0, seed=values["seed"], mirror=mirror, of_games=before.of_games
    )
    setup, size = task.setup, len(wanted)
    own = len(_batch.BYTE_COLUMNS) + 2 * len(_batch.SHORT_COLUMNS) + 16
    each = (_games.GAME_DTYPE.itemsize + 24) * 2 if before.of_games else own
    check_memory("frame", size, size * each, f"{size} rows", "or rescore them in parts")
    if before.of_games:
        games = np.zeros(size, _games.GAME_DTYPE)
        record, most = to_game_record(rules), before.origin.max_hands

        def play_games(_thread: int, start: int, stop: int) -> None:
            for first, last in _find_runs(wanted, start, stop):
                _games.fill_games(
                    setup, record, int(wanted[first]) - first, games, first, last, most
                )

        chunk = max(batches.CHUNK // 16 * 2, 2)
        run_chunks(play_games, size, threads, progress, chunk=chunk)
        result = games_frame(games[places], 0, False, rules.scoring == "hollywood", {})
    else:
        small = np.empty((len(_batch.BYTE_COLUMNS), size), np.int8)
        large = np.empty((len(_batch.SHORT_COLUMNS), size), np.int16)

        def play_hands(_thread: int, start: int, stop: int) -> None:
            for first, last in _find_runs(wanted, start, stop):
                offset = int(wanted[first]) - first
                _batch.fill_records(setup, offset, small, large, first, last)

        run_chunks(play_hands, size, threads, progress)
        result = records_frame(small[:, places], large[:, places], 0, False, {})
    result[index] = numbers.copy()
    result["deal"] = numbers >> 1 if mirror else numbers.copy()
    return result


def _find_runs(numbers: NDArray[np.int64], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where in `numbers[start:stop]`, which rise, one follows the other without a gap."""
    gaps = np.flatnonzero(np.diff(numbers[start:stop]) != 1) + start + 1
    ends = [start, *gaps.tolist(), stop]
    return pairwise(ends)


# ---------------------------------------------------------------- games


def _rescore_games(
    hands: GameRows,
    before: Played,
    new: Rules,
    play: bool,
    may_replay: bool,
    mark: Any,
    threads: int,
    progress: Progress | None,
) -> pd.DataFrame:
    games = hands.games
    starts = hands.starts[:-1]
    most = before.origin.max_hands
    check_prices(hands.rows, before.rules)
    check_book(hands, before.rules, most)
    if play:
        ends = np.full(len(games), _rescoring.NO_END["other"], np.int64)
        booked = hands
    else:
        booked = GameRows(hands.kind, {**hands.rows, **price_rows(hands.rows, new)}, hands.starts)
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
    if replayed < len(games) and replayed <= MOST_NAMED:
        provenance["rescored"]["games"] = games[again].tolist()
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
            "simulate_game_hands, --min-hands of ginsim games, plays on)"
        )
    if other:
        reasons.append(f"in {count(other, 'game')} another seat would deal")
    return (
        f"replay: of {count(len(ends), 'game')} under {new.name} {' and '.join(reasons)}; allowed "
        "with replay=False: games whose recorded hands are all that are played"
    )


def _replay_games(
    games: NDArray[np.int64], before: Played, new: Rules, threads: int, progress: Progress | None
) -> GameRows:
    """The hands of some games, whichever they are."""
    origin, most = before.origin.values, before.origin.max_hands
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
