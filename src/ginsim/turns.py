"""Parameters that change from turn to turn, as text.

A value for each of a seat's own turns is written `10/10/8*3/6`: turn by turn, `8*3` for three
turns; turns after the last one written are as that one. A knock table says in the same way with
which deadwoods to knock. Both have one canonical text for one meaning, so that strategies that play
the same are equal.

>>> ByTurn(0, 99).read([4, 4, 6, 6, 6])
'4*2/6'
>>> KnockTable().read([10, 10, "0+2-4"])
'10*2/0+2-4'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

#: Turns that are told apart, pile draws of the opponent likewise (the last stands for more), and
#: knock limits, which are also the deadwoods one may knock with.
TURNS = 16
PICK_UPS = 4
LIMITS = 11
#: In place of a knock table: that of the rules played, as it comes with the package.
SHIPPED = "shipped"


class _Text:
    """What goes into the annotation of a field of canonical text."""

    def read(self, value: object) -> str:
        raise NotImplementedError

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))


@dataclass(frozen=True)
class ByTurn(_Text):
    """A whole number for each turn."""

    low: int
    high: int

    @property
    def allowed_words(self) -> str:
        """What is allowed, in words."""
        return (
            f"whole numbers {self.low} to {self.high}, one or turn by turn, such as "
            f"{self.low}*2/{self.high}"
        )

    def read(self, value: object) -> str:
        """The canonical text of a number, a text or a list of numbers.

        Raises:
            ValueError: for anything else.
        """
        return _write_turns(_read_turns(value, self._read_entry), str)

    def codes(self, text: str) -> list[int]:
        """The number of each of the turns."""
        return _fill(_read_turns(text, self._read_entry), TURNS)

    def _read_entry(self, entry: object) -> int:
        number = _read_number(entry)
        if not self.low <= number <= self.high:
            raise ValueError
        return number


@dataclass(frozen=True)
class KnockTable(_Text):
    """With which deadwoods to knock: by turn, and if wished by pick-ups and by knock limit.

    As text: the deadwoods of a turn are `4` (0 to 4), `2-4`, `0+2-4` or `none`; turns are parted by
    `/`; rows for 0, 1, 2 and more cards that the opponent has taken from the pile by `;`; and
    tables for other knock limits follow after `|`, each with its limit: `10/8;6/4|5:5/3`. In a
    file the turns are a list, the rows a list of lists, and the tables a table with the key
    `other` and the limits.
    """

    @property
    def allowed_words(self) -> str:
        """What is allowed, in words."""
        return (
            "deadwoods 0 to 10, turn by turn, such as 10/8/6 or 10*3/0+2-4/none; by the "
            "opponent's pick-ups after a semicolon, such as 10/8;6/4; or shipped, the solved table "
            "of the rules played"
        )

    def read(self, value: object) -> str:
        """The canonical text of a text, a list or a mapping.

        Raises:
            ValueError: for anything else.
        """
        if value == SHIPPED:
            return SHIPPED
        tables = self._read_tables(value)
        other = tables.pop(-1)
        texts = [_write_table(other)]
        texts += [
            f"{limit}:{_write_table(table)}"
            for limit, table in sorted(tables.items())
            if _fill(table, PICK_UPS) != _fill(other, PICK_UPS)
        ]
        return "|".join(texts)

    def codes(self, text: str) -> list[list[list[int]]]:
        """A mask of deadwoods by knock limit, pick-ups and turn.

        Raises:
            ValueError: for `shipped`, which says nothing without the rules.
        """
        tables = self._read_tables(text)
        return [_fill(tables.get(limit, tables[-1]), PICK_UPS) for limit in range(LIMITS)]

    def write(self, codes: Sequence[Sequence[Sequence[int]]]) -> str:
        """The canonical text of masks of deadwoods by knock limit, pick-ups and turn.

        The table that most knock limits have, of equals that of the highest, is that of all others.
        """
        texts = [";".join("/".join(map(_write_deadwoods, row)) for row in table) for table in codes]
        other = max(reversed(texts), key=texts.count)
        tables = {"other": other}
        tables |= {str(limit): text for limit, text in enumerate(texts) if text != other}
        return self.read(tables)

    def _read_tables(self, value: object) -> dict[int, list[list[int]]]:
        """The rows of each knock limit that has its own, -1 for the others."""
        if isinstance(value, str):
            first, *rest = value.split("|")
            value = {"other": first}
            for part in rest:
                limit, colon, rows = part.partition(":")
                if not colon or limit.strip() in value:
                    raise ValueError
                value[limit.strip()] = rows
        if not isinstance(value, Mapping):
            value = {"other": value}
        if "other" not in value:
            raise ValueError
        tables: dict[int, list[list[int]]] = {}
        for key, rows_of in value.items():
            of_limit = -1 if key == "other" else _read_number(key)
            if of_limit >= LIMITS:
                raise ValueError
            tables[of_limit] = _read_rows(rows_of)
        return tables


def _read_rows(value: object) -> list[list[int]]:
    rows: Sequence[object]
    if isinstance(value, str):
        rows = value.split(";")
    elif isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple):
        rows = value
    else:
        rows = [value]
    if len(rows) > PICK_UPS:
        raise ValueError
    return [_fill(_read_turns(row, _read_deadwoods), TURNS) for row in rows]


def _read_deadwoods(entry: object) -> int:
    """The mask of an entry such as `4`, `0+2-4` or `none`."""
    if isinstance(entry, str) and entry.strip() == "none":
        return 0
    mask = 0
    for part in entry.split("+") if isinstance(entry, str) else [entry]:
        first, last = 0, part
        if isinstance(part, str) and "-" in part:
            first_text, _, last = part.partition("-")
            first = _read_number(first_text)
        most = _read_number(last)
        if not first <= most < LIMITS:
            raise ValueError
        mask |= (1 << most + 1) - (1 << first)
    return mask


def _write_table(rows: list[list[int]]) -> str:
    return ";".join(_write_turns(row, _write_deadwoods) for row in _shorten(rows))


def _write_deadwoods(mask: int) -> str:
    parts = []
    for held, group in groupby(range(LIMITS), key=lambda deadwood: mask >> deadwood & 1):
        deadwoods = list(group)
        if held:
            first, last = deadwoods[0], deadwoods[-1]
            parts.append(f"{last}" if first == 0 else f"{first}-{last}")
    return "+".join(parts) or "none"


def _read_turns(value: object, read_entry: Any) -> list[int]:
    """The entries of a text such as `10*2/8`, of a list, or a single one."""
    entries = value.split("/") if isinstance(value, str) else value
    values: list[int] = []
    for entry in entries if isinstance(entries, list | tuple) else [entries]:
        times = 1
        part = entry
        if isinstance(entry, str) and "*" in entry:
            part, _, count = entry.partition("*")
            times = _read_number(count)
        values += [read_entry(part)] * times
    if not 1 <= len(values) <= TURNS:
        raise ValueError
    return values


def _write_turns(values: list[int], write_entry: Any) -> str:
    texts = []
    shortened = _shorten(values)
    for value, group in groupby(shortened):
        times = len(list(group))
        texts.append(f"{write_entry(value)}*{times}" if times > 1 else write_entry(value))
    return "/".join(texts)


def _read_number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,4}\s*", value):
        return int(value)
    raise ValueError


def _fill(values: list[Any], count: int) -> list[Any]:
    """So many values: after the last one given, that one again."""
    return values + values[-1:] * (count - len(values))


def _shorten(values: list[Any]) -> list[Any]:
    """Without the values at the end that repeat the one before."""
    count = len(values)
    while count > 1 and values[count - 1] == values[count - 2]:
        count -= 1
    return values[:count]
