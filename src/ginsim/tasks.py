"""What a result depends on: a validated range of hands under fixed rules, strategies and seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ginsim import _deck
from ginsim._setup import Setup
from ginsim._version import __version__
from ginsim.batches import count_threads
from ginsim.checks import check_whole
from ginsim.decks import Decks, as_decks
from ginsim.errors import OptionError, RulesError, refuse
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import AnyStrategy, Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record

#: One strategy for both seats, or south's and north's.
Strategies: TypeAlias = AnyStrategy | Sequence[AnyStrategy]

MAX_INDEX = 2**62


@dataclass(frozen=True)
class Task:
    """A range of hands and all that it depends on.

    How it is computed (threads, chunks) is not part of it. Made by `make_task`.
    """

    rules: Rules
    strategies: tuple[Strategy, Strategy]
    seed: int
    first: int
    hands: int
    mirror: bool
    decks: NDArray[np.uint8] | None = None

    @property
    def provenance(self) -> dict[str, Any]:
        """What reproduces the result, as plain data for JSON.

        Given decks are named by their number and the SHA-256 of their cards, one byte each.
        """
        south, north = self.strategies
        origin: dict[str, Any] = {
            "ginsim": __version__,
            "stream": _deck.STREAM_VERSION,
            "rules": self.rules.model_dump(),
            "strategies": {"south": south.model_dump(), "north": north.model_dump()},
            "seed": self.seed,
            "first": self.first,
            "hands": self.hands,
            "mirror": self.mirror,
        }
        if self.decks is not None:
            digest = hashlib.sha256(self.decks.tobytes()).hexdigest()
            origin["decks"] = {"count": len(self.decks), "sha256": digest}
        return origin

    @cached_property
    def setup(self) -> Setup:
        """The same for the compiled modules."""
        return Setup(
            rules_record(self.rules),
            strategies_record(self.strategies),
            _deck.make_key(self.seed),
            mirror=self.mirror,
            decks=self.decks,
        )


def make_task(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex | None,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    mirror: bool = False,
    decks: Decks | None = None,
) -> Task:
    """Validate the arguments of `simulate`.

    Raises:
        GinsimError: RulesError, StrategyError, CardError for decks, or OptionError with the
            argument's name, value and what is allowed.
    """
    start = check_whole("first", first, 0, MAX_INDEX - 1)
    given = None if decks is None else as_decks(decks)
    most = MAX_INDEX
    if given is not None:
        there = len(given) * (2 if mirror else 1)
        if start > there:
            raise OptionError(
                refuse("first", start, f"a whole number from 0 to {there}, the hands of the decks")
            )
        most = there - start
        hands = most if hands is None else hands
    else:
        most -= start
    num_hands = check_whole("hands", hands, 0, most)
    if not isinstance(mirror, bool | np.bool_):
        raise OptionError(refuse("mirror", mirror, "true or false"))
    if mirror:
        for name, value in (("hands", num_hands), ("first", start)):
            if value % 2:
                raise OptionError(
                    refuse(
                        name, value, "an even number with mirror, since each deal is played twice"
                    )
                )
    if seed is None:
        number = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    else:
        number = check_whole("seed", seed, 0, None)
    full = load_rules(rules)
    if full.players != 2:
        raise RulesError(
            f"players: {full.players} is not played by this version: the partnership of four; "
            "allowed: 2"
        )
    return Task(full, _pair(strategies), number, start, num_hands, bool(mirror), given)


def check_threads(threads: SupportsIndex | None) -> int:
    """The number of threads; None is one for each processor."""
    return count_threads() if threads is None else check_whole("threads", threads, 1, 4096)


def _pair(strategies: Strategies) -> tuple[Strategy, Strategy]:
    if not isinstance(strategies, str | Strategy | Mapping | Sequence):
        raise OptionError(
            refuse("strategies", strategies, "one strategy, or two: south's and north's")
        )
    if isinstance(strategies, str | Strategy | Mapping):
        both = parse_strategy(strategies)
        return both, both
    pair = tuple(parse_strategy(strategy) for strategy in strategies)
    if len(pair) != 2:
        raise OptionError(
            refuse("strategies", strategies, "one strategy, or two: south's and north's")
        )
    return pair[0], pair[1]
