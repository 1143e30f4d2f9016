"""Tables of a study file, read key by key; what is wrong is collected, not raised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from ginsim.checks import check_whole
from ginsim.errors import GinsimError, OptionError, join_words, refuse, refuse_name, show
from ginsim.rules import Rules, load_rules
from ginsim.strategies import Strategy, parse_strategy
from ginsim.studies.data import Cell
from ginsim.tasks import MAX_INDEX
from ginsim.tomlfiles import is_path

_Read = TypeVar("_Read")

#: How a seat plays if nothing is said.
DEFAULT_STRATEGY = "greedy"
#: Cells of one run: more are a slip of the pen.
MOST_CELLS = 10_000


class Reader:
    """Takes the keys of a table one by one.

    Args:
        table: what the file has.
        path: where, such as `run.ends`; empty for the whole file.
        problems: where the sentences go.
    """

    def __init__(self, table: Mapping[str, Any], path: str, problems: list[str]) -> None:
        self.path = path
        self.problems = problems
        self._left = dict(table)
        self._known: list[str] = []

    def locate(self, key: str) -> str:
        """The path of a key."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """Whether the file says something of a key that was not taken yet."""
        return key in self._left

    def take(
        self, key: str, read: Callable[[str, Any], _Read], default: _Read | None = None
    ) -> _Read | None:
        """The value of a key; the default if it is not there, None if it is wrong.

        Args:
            read: gets the key's path and its value, and raises GinsimError in words.
        """
        self._known.append(key)
        if key not in self._left:
            return default
        return self.attempt(self.locate(key), read, self._left.pop(key))

    def need(self, key: str, read: Callable[[str, Any], _Read], allowed: str) -> _Read | None:
        """The value of a key that has to be there."""
        if key not in self._left:
            self._known.append(key)
            self.note(f"{self.locate(key)}: is missing; allowed: {allowed}")
            return None
        return self.take(key, read)

    def attempt(self, path: str, read: Callable[[str, Any], _Read], value: Any) -> _Read | None:
        """Read a value; what is wrong with it is noted under its path."""
        try:
            return read(path, value)
        except GinsimError as failure:
            for problem in failure.problems:
                self.note(problem if problem.startswith(path) else f"{path}: {problem}")
            return None

    def note(self, problem: str) -> None:
        """One more thing that is wrong; said once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def finish(self) -> None:
        """Note the keys that nobody took."""
        for key in self._left:
            self.note(f"{self.locate(key)}: {refuse_name('key', key, self._known)}")


# -- values -----------------------------------------------------------------------------------


def read_size(least: int, most: int = MAX_INDEX // 2) -> Callable[[str, Any], int]:
    """A whole number in a range; 1e6 is one too."""

    def read(path: str, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return check_whole(path, value, least, most)

    return read


def read_seed(path: str, value: Any) -> int:
    """A seed; its bound keeps what JSON holds within what every reader takes."""
    allowed = "a whole number from 0 to 2**4096"
    try:
        seed = read_size(0, 2**4096)(path, value)
    except OptionError:
        raise OptionError(refuse(path, value, allowed)) from None
    return seed


def read_even(least: int) -> Callable[[str, Any], int]:
    """An even number."""

    def read(path: str, value: Any) -> int:
        number = read_size(least)(path, value)
        if number % 2:
            raise OptionError(refuse(path, value, "an even number: each deal is played twice"))
        return number

    return read


def read_text(path: str, value: Any, allowed: str = "text") -> str:
    """A text."""
    if not isinstance(value, str):
        raise OptionError(refuse(path, value, allowed))
    return value


def read_flag(path: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise OptionError(refuse(path, value, "true or false"))
    return value


def read_table(path: str, value: Any, allowed: str = "a table") -> dict[str, Any]:
    """A table."""
    if not isinstance(value, Mapping):
        raise OptionError(refuse(path, value, allowed))
    return dict(value)


def read_positive(path: str, value: Any) -> float:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e18:
        raise OptionError(refuse(path, value, "a number above 0"))
    return float(value)


def read_word(words: Sequence[str]) -> Callable[[str, Any], str]:
    """One of some words."""

    def read(path: str, value: Any) -> str:
        if value not in words:
            raise OptionError(refuse(path, value, join_words(words)))
        return str(value)

    return read


def read_words(words: Sequence[str], besides: str = "") -> Callable[[str, Any], list[str]]:
    """Some of some words; one may stand for itself. They come back in the order of `words`.

    Args:
        besides: what else is allowed, for the message.
    """

    def read(path: str, value: Any) -> list[str]:
        given = as_list(value)
        if not given or any(word not in words for word in given):
            raise OptionError(refuse(path, value, f"some of {join_words(words, 'and')}{besides}"))
        return [word for word in words if word in given]

    return read


def as_list(value: Any) -> list[Any]:
    """A list; what is none is a list of one."""
    return list(value) if isinstance(value, list | tuple) else [value]


# -- rule sets and strategies -----------------------------------------------------------------


class Names:
    """The rule sets and strategies of a study by the words it has for them.

    A name of the file's tables, or else anything that stands for one elsewhere (`kawu+oklahoma`,
    `greedy(knock_at=4)`, the path of a file).

    Args:
        folder: what relative paths are relative to.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        #: None stands for one that is in the file and is wrong, which has been noted.
        self.rules: dict[str, Rules | None] = {}
        self.strategies: dict[str, Strategy | None] = {}

    def read_rules(self, path: str, value: Any, label: str) -> Rules:
        """An entry of the table of rule sets: text, or fields, from those of a `base` if wished.

        In Python also what `load_rules` or `parse_strategy` gave.
        """
        if isinstance(value, Rules):
            return value
        if isinstance(value, str):
            return load_rules(value, folder=self.folder)
        fields = read_table(path, value, "a rule set as text, or a table of its fields")
        base = fields.pop("base", None)
        if base is None:
            return load_rules({"name": label, **fields})
        return load_rules(read_text(f"{path}.base", base), fields, self.folder)

    def read_strategy(self, path: str, value: Any, label: str) -> Strategy:
        """An entry of the table of strategies, likewise."""
        if isinstance(value, Strategy):
            return value
        if isinstance(value, str):
            return parse_strategy(value, self.folder)
        fields = read_table(path, value, "a strategy as text, or a table of its parameters")
        base = read_text(f"{path}.base", fields.pop("base", DEFAULT_STRATEGY))
        start = parse_strategy(base, self.folder)
        return Strategy(**{"name": label, **start.values(), **fields})

    def check_name(self, path: str, name: str, record: Rules | Strategy) -> None:
        """See that a name of the file's tables does not stand for something else elsewhere.

        Raises:
            OptionError: for a name such as `kawu` or `greedy` with other values.
        """
        read: Callable[[str], Any] = load_rules if isinstance(record, Rules) else parse_strategy
        what = "rule set" if isinstance(record, Rules) else "strategy"
        if is_path(name):
            return
        try:
            other = read(name)
        except GinsimError:
            return
        if other.values() != record.values():
            raise OptionError(
                f"{path}: {show(name)} is a {what} of ginsim, with other values; allowed: a name "
                "of your own"
            )

    def find_rules(self, path: str, label: Any, more: str = "") -> Rules | None:
        """The rule set of a word.

        Args:
            more: what else is allowed, for the message.
        """
        label = read_text(path, label, f"a rule set as text{more}")
        if label not in self.rules:
            self.rules[label] = self.read_rules(path, label, label)
        return self.rules[label]

    def find_strategy(self, path: str, label: Any, more: str = "") -> Strategy | None:
        """The strategy of a word.

        Args:
            more: what else is allowed, for the message.
        """
        label = read_text(path, label, f"a strategy as text{more}")
        if label not in self.strategies:
            self.strategies[label] = self.read_strategy(path, label, label)
        return self.strategies[label]


def take_cells(
    reader: Reader, names: Names, seats: tuple[str, str], document: dict[str, Any]
) -> tuple[Cell, ...]:
    """The cells of a run: every rule set, varied if wished, with every line-up.

    Takes the keys `rules`, `vary`, and `players` or those of the seats.

    Args:
        seats: the keys of the two sides: south and north, policy and opponent, or a and b, which
            have to be there.
        document: gets the rule sets and line-ups in full.
    """
    rules = _take_rules(reader, names)
    lineups = _take_players(reader, names, seats)
    if len(rules) * len(lineups) > MOST_CELLS:
        reader.note(
            f"{reader.path}: {len(rules)} rule sets and {len(lineups)} line-ups make more cells "
            f"than {MOST_CELLS}; allowed: fewer"
        )
        return ()
    document["rules"] = list(rules)
    document["players"] = [list(lineup) for lineup in lineups]
    cells = []
    for label, lineup in product(rules, lineups):
        players = tuple(names.strategies[name] for name in lineup)
        known = tuple(player for player in players if player is not None)
        full = rules[label]
        if full is not None and len(known) == len(players):
            sides = dict(zip(seats, _name_sides(lineup), strict=True))
            cells.append(Cell({"rules": label, **sides}, full, known))
    return tuple(cells)


def _take_rules(reader: Reader, names: Names) -> dict[str, Rules | None]:
    """The rule sets of a run by label."""

    def read(path: str, value: Any) -> dict[str, Rules | None]:
        labels = as_list(value)
        if not labels:
            reader.note(refuse(path, value, "a rule set, or a list of them"))
        found: dict[str, Rules | None] = {}
        is_list = isinstance(value, list | tuple)
        more = "" if is_list else ", or a list of them"
        for place, label in enumerate(labels):

            def find(path: str, value: Any) -> Rules | None:
                return names.find_rules(path, value, more)

            full = reader.attempt(f"{path}[{place}]" if is_list else path, find, label)
            if isinstance(label, str):
                found[label] = full
        return found

    rules = reader.need("rules", read, "a rule set, or a list of them") or {}
    unchanged: list[dict[str, Any]] = [{}]
    changes = reader.take("vary", _read_changes, unchanged) or unchanged
    varied: dict[str, Rules | None] = {}
    if not any(rules.values()):
        # There is nothing to vary; still a field that no rule set has is told.
        for field in dict.fromkeys(field for change in changes for field in change):
            if field not in Rules.model_fields:
                reader.note(f"{reader.locate('vary')}: {_refuse_field(field)}")
    for (label, full), change in product(rules.items(), changes):
        if full is None or not change:
            varied[label] = full
            continue
        named = Rules(**{**full.values(), "name": label})

        def replace(_path: str, fields: Any, one: Rules = named) -> Rules:
            return one.replace(**fields)

        changed = reader.attempt(reader.locate("vary"), replace, change)
        if changed is not None:
            known = names.rules.setdefault(changed.name, changed)
            if known is not None and known != changed:
                reader.note(
                    f"{reader.locate('vary')}: makes rules by the name of others, "
                    f"{show(changed.name)}; allowed: another name for those"
                )
            varied[changed.name] = known
    return varied


def _refuse_field(field: str) -> str:
    return refuse_name("field", field, Rules.model_fields)


def _read_changes(path: str, value: Any) -> list[dict[str, Any]]:
    """Every combination of the values of some fields."""
    fields = read_table(path, value)
    for field, values in fields.items():
        if not as_list(values):
            raise OptionError(refuse(f"{path}.{field}", values, "a value, or a list of them"))
    combinations = product(*(as_list(values) for values in fields.values()))
    return [dict(zip(fields, values, strict=True)) for values in combinations]


def _take_players(reader: Reader, names: Names, seats: tuple[str, str]) -> list[tuple[str, ...]]:
    """The line-ups of a run, by labels."""

    def find(path: str, labels: list[Any]) -> list[str]:
        for place, label in enumerate(labels):
            reader.attempt(f"{path}[{place}]", names.find_strategy, label)
        return [label for label in labels if isinstance(label, str) and label in names.strategies]

    def read_side(path: str, value: Any) -> list[str]:
        if not as_list(value):
            raise OptionError(refuse(path, value, "a strategy, or a list of them"))
        if not isinstance(value, list | tuple):
            names.find_strategy(path, value, ", or a list of them")
            return [value]
        return find(path, list(value))

    def read_lineups(path: str, value: Any) -> list[tuple[str, ...]]:
        allowed = f"a line-up, [{', '.join(seats)}], or in a partnership [A, B, C, D]; or several"
        if not isinstance(value, list) or not value:
            raise OptionError(refuse(path, value, allowed))
        several = isinstance(value[0], list)
        lineups = []
        for place, lineup in enumerate(value if several else [value]):
            where = f"{path}[{place}]" if several else path
            if not isinstance(lineup, list) or len(lineup) not in (2, 4):
                raise OptionError(refuse(where, lineup, allowed))
            found = find(where, lineup)
            if len(found) == len(lineup):
                lineups.append(tuple(found))
        return lineups

    if reader.has("players"):
        for seat in seats:
            if reader.has(seat):
                reader.note(
                    f"{reader.locate('players')}: is given besides {seat}; allowed: one of them"
                )
                reader.take(seat, lambda path, value: None)
        return reader.take("players", read_lineups) or []
    sides = []
    for seat in seats:
        if seats != ("a", "b"):
            names.find_strategy("", DEFAULT_STRATEGY)
            sides.append(reader.take(seat, read_side, [DEFAULT_STRATEGY]) or [])
        else:
            sides.append(reader.need(seat, read_side, "a strategy, or a list of them") or [])
    return list(dict.fromkeys(product(*sides)))


def _name_sides(lineup: tuple[str, ...]) -> tuple[str, str]:
    """What each side is called; a pair of two different players by both."""
    if len(lineup) == 2:
        return lineup[0], lineup[1]
    pairs = (lineup[:2], lineup[2:])
    first, second = (pair[0] if pair[0] == pair[1] else " & ".join(pair) for pair in pairs)
    return first, second
