"""Which of the knock tables that come with the package belongs to which rules."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ginsim.errors import StrategyError, join_words
from ginsim.rules import HAND_FIELDS, Rules, load_rules
from ginsim.strategies import Strategy
from ginsim.tablefiles import list_tables, read_shipped
from ginsim.turns import SHIPPED, KnockTable


@cache
def _hand_rules() -> dict[str, tuple[object, ...]]:
    """The fields that decide a hand, of the rule sets with a table."""
    return {name: _fields(load_rules(name)) for name in list_tables()}


def _fields(rules: Rules) -> tuple[object, ...]:
    return tuple(getattr(rules, field) for field in HAND_FIELDS)


def find_table(rules: Rules) -> str | None:
    """The name of a rule set whose table was solved by the same rules of a hand, if any.

    It is that of the rules' own name, or of the rule set that they begin with (kawu of
    kawu+hollywood), if its hands are still so.
    """
    wanted = _fields(rules)
    names = [name for name, fields in _hand_rules().items() if fields == wanted]
    for name in (rules.name, re.split(r"[^\w-]", rules.name, maxsplit=1)[0]):
        if name in names:
            return name
    return next(iter(names), None)


def settle_table(strategy: Strategy, rules: Rules) -> Strategy:
    """A strategy that knocks by the table of the rules played, with that table.

    Any other strategy is returned as it is.

    Raises:
        StrategyError: if no table was solved for these rules.
    """
    if strategy.knock != "table" or strategy.knock_table != SHIPPED:
        return strategy
    name = find_table(rules)
    if name is None:
        raise StrategyError(
            f"strategy {strategy.name}: no knock table comes with the rules {rules.name}; allowed: "
            f"the table of others, table(rules=…), of {join_words(list_tables())}; or one of "
            f"your own, table(file=FILE.toml), solved by ginsim knock RULES --solve --out FILE.toml"
        )
    fields: dict[str, Any] = {
        **strategy.values(),
        "name": f"table(rules={name})" if strategy.name == "table" else strategy.name,
        "knock_table": KnockTable().read(read_shipped(name)["knock_table"]),
    }
    return Strategy(**fields)
