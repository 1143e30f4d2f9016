"""What a search may change in a strategy: ranges of its parameters, and other strategies in them.

>>> from ginsim.strategies import parse_strategy
>>> space = Space(parse_strategy("greedy(knock_at=4)"), [parse_range("knock_at=0:10:2")])
>>> space.size, space.build((8,)).knock_at
(6, 8)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from ginsim.errors import OptionError, StrategyError, refuse, refuse_name
from ginsim.strategies import STRATEGIES, Strategy, Value, parse_strategy
from ginsim.turns import SHIPPED, TURNS, ByTurn, KnockTable

#: What a gene's value is: a number, a word, or for a knock table the most deadwood, -1 for none.
Genes = tuple[Value, ...]


@dataclass(frozen=True)
class Range:
    """The values that a search may give a field of a strategy, each of its turns by itself.

    Attributes:
        field: the field.
        values: ascending whole numbers, or words in any order.
    """

    field: str
    values: tuple[Value, ...]

    @property
    def is_ordered(self) -> bool:
        """Whether they are numbers, of which some are near each other."""
        return all(isinstance(value, int) for value in self.values)

    @property
    def text(self) -> str:
        """As `--vary` takes it, without the field."""
        numbers = [value for value in self.values if isinstance(value, int)]
        if len(numbers) < len(self.values):
            return "|".join(map(str, self.values))
        if len(numbers) < 2:
            return f"{numbers[0]}:{numbers[0]}"
        step = numbers[1] - numbers[0]
        if numbers != list(range(numbers[0], numbers[-1] + 1, step)):
            return "|".join(map(str, numbers))
        return f"{numbers[0]}:{numbers[-1]}" + (f":{step}" if step > 1 else "")


#: Where good values of each field lie. A search without ranges of its own changes those that
#: matter for the rules of its strategy (`declare_ranges`).
DECLARED: Mapping[str, str] = {
    "take_gain": "1:20",
    "knock_at": "0:10",
    "knock_table": "0:10",
    "close_from": "0:40:2",
    "weigh_deadwood": "0:20",
    "weigh_rank": "0:20",
    "weigh_pairs": "0:60",
    "weigh_runs": "0:60",
    "weigh_unseen": "0:30",
    "weigh_known": "0:60",
    "candidates": "1:11",
    "caution": "0:40",
}

ALLOWED = (
    "a field and its range, such as knock_at=0:10, weigh_pairs=0:60:5 (lowest:highest:step) or "
    "draw=improve|gain"
)


def parse_range(text: str) -> Range:
    """The range of a text such as `knock_at=0:10`, `weigh_pairs=0:60:5` or `draw=meld|gain`.

    Raises:
        OptionError: if it cannot be read, or has no value.
    """
    field, equals, values = (part.strip() for part in text.partition("="))
    numbers = re.fullmatch(r"(\d{1,4}):(\d{1,4})(?::(\d{1,4}))?", values)
    if not equals or not field or not values:
        raise OptionError(refuse("vary", text, ALLOWED))
    if numbers is None:
        words: list[Value] = [word.strip() for word in values.split("|")]
        words = [int(word) if str(word).isdecimal() else word for word in words]
        if len(set(words)) < max(len(words), 2) or "" in words:
            raise OptionError(refuse("vary", text, ALLOWED))
        ordered = sorted(words) if all(isinstance(word, int) for word in words) else words
        return Range(field, tuple(ordered))
    low, high, step = int(numbers[1]), int(numbers[2]), int(numbers[3] or 1)
    if low > high or not step:
        raise OptionError(refuse("vary", text, f"{ALLOWED}; lowest first, and a step above 0"))
    return Range(field, tuple(range(low, high + 1, step)))


def declare_ranges(strategy: Strategy, has_score: bool = True) -> list[Range]:
    """The ranges of `DECLARED` that matter for the rules a strategy plays by.

    Args:
        has_score: whether hands are played for the score of a game.
    """
    fields = []
    if "gain" in (strategy.draw, strategy.upcard):
        fields.append("take_gain")
    if strategy.knock == "threshold":
        fields.append("knock_at")
    if strategy.knock == "table":
        # One with gaps, as they are solved for, has no range.
        fields += ["knock_table"] if _is_graded(strategy.knock_table) else []
        fields += ["close_from"] if has_score else []
    if strategy.discard == "weighed":
        fields += [name for name in DECLARED if name.startswith("weigh_")]
    if strategy.rollouts:
        fields += ["candidates", "caution"]
    return [parse_range(f"{field}={DECLARED[field]}") for field in fields]


def explain_idle(
    field: str,
    strategy: Strategy,
    ranges: Sequence[Range] = (),
    *,
    has_score: bool = True,
    is_partnership: bool = True,
) -> str:
    """Why a field has no effect on how a strategy plays; empty if it may have one.

    Args:
        ranges: what else may change: a field matters if it does for one of these values.
        has_score: whether hands are played for the score of a game of one column.
        is_partnership: whether there is a partner, at another table.
    """

    def may_be(other: str, *allowed: Value) -> bool:
        given = [value for one in ranges if one.field == other for value in one.values]
        return any(value in allowed for value in (getattr(strategy, other), *given))

    def may_differ(other: str, value: Value) -> bool:
        given = [entry for one in ranges if one.field == other for entry in one.values]
        return any(entry != value for entry in (getattr(strategy, other), *given))

    if field == "take_gain" and not (may_be("draw", "gain") or may_be("upcard", "gain")):
        return "it needs draw or upcard = gain"
    if field == "knock_at" and not may_be("knock", "threshold"):
        return "it needs knock = threshold"
    if field in ("knock_table", "close_from", "knock_close", "guard_from", "knock_guard"):
        if not may_be("knock", "table"):
            return "it needs knock = table"
        if field != "knock_table" and not has_score:
            return "it needs games of one column, not hands by themselves or Hollywood scoring"
        start = {"knock_close": "close_from", "knock_guard": "guard_from"}.get(field)
        if start and not may_differ(start, 0):
            return f"it needs {start} above 0"
    if field in ("knock_after_win", "win_from", "knock_after_loss", "loss_from"):
        if not is_partnership:
            return "it needs the rules of a partnership"
        if not may_differ("knock", "random"):
            return "it needs knock = threshold or table"
        start = {"win_from": "knock_after_win", "loss_from": "knock_after_loss"}.get(field)
        if start and not may_differ(start, "same"):
            return f"it needs {start} other than same"
    weighed = field == "keep_pairs" or field.startswith("weigh_")
    if weighed and not may_be("discard", "weighed"):
        return "it needs discard = weighed"
    searched = field in ("opponent", "candidates", "steps", "caution")
    if searched and not may_differ("rollouts", 0):
        return "it needs rollouts above 0"
    return ""


def _is_graded(table: str) -> bool:
    """Whether a knock table has deadwoods up to one number, or none, at each turn."""
    if table == SHIPPED:
        return False
    masks = [mask for rows in KnockTable().codes(table) for row in rows for mask in row]
    return not any(mask & mask + 1 for mask in masks)


@dataclass(frozen=True)
class _Row:
    """A row of a field that goes by turn: its segments, as genes in order.

    Attributes:
        prefix: what is written before it, such as `5:` for a table of knock limit 5.
        lengths: of the segments but the last, in turns.
        values: what the strategy has there.
    """

    prefix: str
    lengths: tuple[int, ...]
    values: Genes


@dataclass(frozen=True)
class _Part:
    """A field and its genes."""

    range: Range
    rows: tuple[_Row, ...]

    @property
    def values(self) -> Genes:
        return tuple(value for row in self.rows for value in row.values)


class Space:
    """The strategies that a search may choose from.

    A parameter by turn has a gene for each run of turns with one value, a knock table for each such
    run of its rows.

    Args:
        start: the strategy that is changed.
        ranges: of the fields that may change.
        turns: turns (2 to 16) from which fields by turn may have another value, beside those
            at which they change already.

    Raises:
        OptionError: for a field that there is not, one given twice, values it may not have, and
            a knock table that is not of thresholds alone.
    """

    def __init__(self, start: Strategy, ranges: Sequence[Range], turns: Sequence[int] = ()) -> None:
        if wrong := [turn for turn in turns if not 2 <= turn <= TURNS]:
            raise OptionError(refuse("turns", wrong[0], f"whole numbers 2 to {TURNS}"))
        self.start = start
        self.turns = tuple(sorted(set(turns)))
        problems = []
        parts = []
        fields = [one.field for one in ranges]
        for one in ranges:
            try:
                if fields.count(one.field) > 1:
                    raise OptionError(f"vary: {one.field} is given twice; allowed: once")
                parts.append(self._read_part(one))
            except OptionError as failure:
                problems += [text for text in failure.problems if text not in problems]
        if not ranges:
            problems.append(
                f"vary: nothing of {start.name} has a declared range; allowed: {ALLOWED}"
            )
        if problems:
            raise OptionError(*problems)
        self.parts = tuple(parts)
        self.genes: Genes = tuple(value for part in parts for value in part.values)

    @property
    def size(self) -> int:
        """How many strategies there are in it."""
        return math.prod(len(part.range.values) ** len(part.values) for part in self.parts)

    @property
    def has_turns(self) -> bool:
        """Whether a field by turn, or a knock table, is among those that may change."""
        return any(self._kind(part.range.field) is not None for part in self.parts)

    def _read_part(self, one: Range) -> _Part:
        known = [name for name in Strategy.field_names() if name != "cheats"]
        if one.field not in known:
            raise OptionError(f"vary: {refuse_name('field', one.field, known)}")
        kind = self._kind(one.field)
        value = getattr(self.start, one.field)
        rows: tuple[_Row, ...] = (_Row("", (), (value,)),)
        if isinstance(kind, ByTurn):
            rows = (self._read_row("", kind.codes(value)),)
        elif isinstance(kind, KnockTable):
            rows = tuple(self._read_table(value))
        part = _Part(one, rows)
        for entry in one.values:
            try:
                self._write([(part, (entry,) * len(part.values))])
            except StrategyError as failure:
                raise OptionError(*(f"vary: {text}" for text in failure.problems)) from None
        return part

    @staticmethod
    def _kind(field: str) -> ByTurn | KnockTable | None:
        kinds = Strategy.model_fields[field].metadata
        return next((kind for kind in kinds if isinstance(kind, ByTurn | KnockTable)), None)

    def _read_row(self, prefix: str, values: Sequence[int]) -> _Row:
        starts = [0] + [
            turn
            for turn in range(1, TURNS)
            if values[turn] != values[turn - 1] or turn + 1 in self.turns
        ]
        lengths = [after - before for before, after in pairwise(starts)]
        return _Row(prefix, tuple(lengths), tuple(values[start] for start in starts))

    def _read_table(self, text: str) -> list[_Row]:
        """The rows of a knock table, whose entries have to be `0` to `10` or `none`."""
        rows = []
        if not _is_graded(text):
            raise OptionError(
                f"vary: knock_table {text} cannot be varied; allowed: deadwoods up to one number "
                "(or none) at each turn"
            )
        for table in text.split("|"):
            limit, colon, own = table.rpartition(":")
            for number, row in enumerate(own.split(";")):
                masks = KnockTable().codes(row)[0][0]
                most = [mask.bit_length() - 1 for mask in masks]
                prefix = f"|{limit}{colon}" if colon and number == 0 else ";" if number else ""
                rows.append(self._read_row(prefix, most))
        return rows

    def build(self, genes: Genes) -> Strategy:
        """The strategy of these genes, named so that its name makes it, if there is such a name.

        Raises:
            StrategyError: if its fields contradict each other.
        """
        place = 0
        chosen = []
        for part in self.parts:
            count = len(part.values)
            chosen.append((part, genes[place : place + count]))
            place += count
        return self._write(chosen)

    def _write(self, chosen: Sequence[tuple[_Part, Genes]]) -> Strategy:
        changed: dict[str, Any] = {}
        for part, genes in chosen:
            if self._kind(part.range.field) is None:
                changed[part.range.field] = genes[0]
                continue
            left = list(genes)
            text = ""
            for row in part.rows:
                own = [left.pop(0) for _ in row.values]
                words = ["none" if value == -1 else str(value) for value in own]
                runs = [
                    f"{word}*{length}" for word, length in zip(words, row.lengths, strict=False)
                ]
                text += row.prefix + "/".join([*runs, words[-1]])
            changed[part.range.field] = text
        return name_strategy(self.start, changed)

    def draw(self, genes: Genes, spread: float, random: Random) -> Genes:
        """Other genes near the given ones.

        One range is changed, with one half another too, and so on; of a field by turn one of
        its genes or, with one half, all of them. A number moves by a normal step, or to the next
        one; a word becomes another.

        Args:
            spread: standard deviation of a step, as a part of a range's values.
        """
        left = [number for number, part in enumerate(self.parts) if len(part.range.values) > 1]
        starts = [0]
        for part in self.parts:
            starts.append(starts[-1] + len(part.values))
        new = list(genes)
        while left:
            number = left.pop(int(random.random() * len(left)))
            own = self.parts[number].range
            places = range(starts[number], starts[number + 1])
            if len(places) > 1 and random.random() < 0.5:
                step = _draw_step(own, spread, random)
                for place in places:
                    new[place] = _move(own, new[place], step, random)
            else:
                place = places[int(random.random() * len(places))]
                new[place] = _move(own, new[place], _draw_step(own, spread, random), random)
            if random.random() < 0.5:
                break
        return tuple(new)

    def list_all(self) -> list[Genes]:
        """All genes there are; for small spaces only."""
        every: list[Genes] = [()]
        for part in self.parts:
            for _ in part.values:
                every = [(*genes, value) for genes in every for value in part.range.values]
        return every


def _draw_step(own: Range, spread: float, random: Random) -> int:
    """A step, not 0: nearly normal, from three uniform numbers, which are the same everywhere."""
    z = 2 * (random.random() + random.random() + random.random() - 1.5)
    step = round(z * spread * len(own.values))
    return step or (1 if z > 0 else -1)


def _move(own: Range, value: Value, step: int, random: Random) -> Value:
    """The value so many steps on; from an end of the range inwards."""
    if not own.is_ordered or not isinstance(value, int):
        others = [other for other in own.values if other != value]
        return others[int(random.random() * len(others))]
    numbers = [number for number in own.values if isinstance(number, int)]
    nearest = min(range(len(numbers)), key=lambda place: abs(numbers[place] - value))
    place = min(max(nearest + step, 0), len(numbers) - 1)
    if numbers[place] == value:
        place = min(max(nearest - step, 0), len(numbers) - 1)
    return numbers[place]


def name_strategy(start: Strategy, changed: Mapping[str, Any]) -> Strategy:
    """A strategy with some fields changed, and a name that says which.

    The name is one that can be written wherever a strategy is, as `expert(take_gain=6)`, if the
    start is a named strategy and has parameters for what is changed.

    Raises:
        StrategyError: for fields or values that are not allowed.
    """
    new = Strategy(**{**start.values(), "name": f"{start.name}, changed", **changed})
    base = start.name.partition("(")[0]
    if new == start or base not in STRATEGIES:
        return start if new == start else new
    parameters = STRATEGIES[base].parameters
    plain = parse_strategy(base)
    given = []
    for name, parameter in parameters.items():
        field = parameter.field or name
        if not parameter.is_strategy and getattr(new, field) != getattr(plain, field):
            given.append(f"{name}={getattr(new, field)}")
    text = f"{base}({', '.join(given)})" if given else base
    try:
        named = parse_strategy(text)
    except StrategyError:
        return new
    return named if named == new else new
