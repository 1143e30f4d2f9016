"""What a frame says about how it was made: its provenance, checked before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import pandas as pd

from ginsim.checks import check_flag, check_whole
from ginsim.columns import PLAYERS, SEATS
from ginsim.errors import GinsimError, OptionError, join_words, refuse
from ginsim.rules import Rules, load_rules
from ginsim.strategies import Strategy, parse_strategy

_Read = TypeVar("_Read")


@dataclass(frozen=True)
class Origin:
    """The provenance of a frame.

    Attributes:
        values: all of it; empty if the frame has none.
        rules: by which it was played, if it says so.
        strategies: of the players in order; empty if it does not say.
    """

    values: dict[str, Any]
    rules: Rules | None = None
    strategies: tuple[Strategy, ...] = ()

    @classmethod
    def read(cls, frame: pd.DataFrame) -> Origin:
        """That of a frame.

        Raises:
            OptionError: if it is there and no simulation gives it.
        """
        if "provenance" not in frame.attrs:
            return cls({})
        values = frame.attrs["provenance"]
        if not isinstance(values, Mapping):
            allowed = "the mapping that a simulation puts there, or no such key"
            raise OptionError(refuse('frame, attrs["provenance"]', values, allowed))
        values = dict(values)
        rules = _read(values, "rules", _read_rules)
        strategies = _read(values, "strategies", _read_strategies)
        if rules is not None and strategies and len(strategies) != rules.players:
            raise OptionError(
                f"frame, provenance, strategies: there are {len(strategies)}; allowed: "
                f"{rules.players}, as many as play by {rules.name}"
            )
        _read(values, "seed", lambda value: check_whole("seed", value, 0, None))
        _read(values, "mirror", lambda value: check_flag("mirror", value))
        _read(values, "max_hands", lambda value: check_whole("max_hands", value, 1, 32_000))
        return cls(values, rules, strategies or ())

    @property
    def rows(self) -> Any:
        """Of what the frame has rows; without a word on it, hands."""
        return self.values.get("rows", "hands")

    def need(self, keys: tuple[str, ...], why: str) -> None:
        """See that keys are there.

        Args:
            why: what cannot be done without them.

        Raises:
            OptionError: if some are missing.
        """
        if missing := [key for key in keys if key not in self.values]:
            raise OptionError(
                f"frame: its provenance does not have {join_words(missing, 'and')}, without which "
                f"{why}"
            )

    @property
    def max_hands(self) -> int:
        """After how many hands a game ends unfinished."""
        self.need(("max_hands",), "it is not known how many hands end a game")
        return int(self.values["max_hands"])


def _read(values: Mapping[str, Any], key: str, read: Callable[[Any], _Read]) -> _Read | None:
    """What a key says; None if it is not there."""
    if key not in values:
        return None
    try:
        return read(values[key])
    except GinsimError as failure:
        told = (problem.removeprefix(f"{key}: ") for problem in failure.problems)
        raise OptionError(*(f"frame, provenance, {key}: {text}" for text in told)) from None


def _read_rules(value: Any) -> Rules:
    if not isinstance(value, Mapping):
        raise OptionError(refuse("rules", value, "a mapping of all fields, as simulations give it"))
    return load_rules(value)


def _read_strategies(value: Any) -> tuple[Strategy, ...]:
    for names in (SEATS, PLAYERS):
        if isinstance(value, Mapping) and set(value) == set(names):
            return tuple(parse_strategy(value[name]) for name in names)
    allowed = f"a mapping with {join_words(SEATS, 'and')}, or {join_words(PLAYERS, 'and')}"
    raise OptionError(refuse("strategies", value, allowed))
