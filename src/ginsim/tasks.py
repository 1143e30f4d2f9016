"""What a result depends on: a validated range of hands under fixed rules, strategies and seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ginsim import _deck
from ginsim._setup import Setup
from ginsim._version import __version__
from ginsim.batches import count_threads
from ginsim.checks import check_whole
from ginsim.columns import PLAYERS, SEATS
from ginsim.decks import Decks, as_decks
from ginsim.errors import OptionError, RulesError, refuse
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.rules import to_record as rules_record
from ginsim.shipped import settle_table
from ginsim.strategies import AnyStrategy, Strategy, is_python, parse_player
from ginsim.strategies import to_record as strategies_record

if TYPE_CHECKING:
    from ginsim.players import PythonStrategy

#: One strategy for all, or south's and north's, or in a partnership those of A, B, C and D.
Strategies: TypeAlias = "AnyStrategy | Sequence[AnyStrategy]"

MAX_INDEX = 2**62


@dataclass(frozen=True)
class Task:
    """A range of hands and all that it depends on.

    How it is computed (threads, chunks) is not part of it. Made by `make_task`.
    """

    rules: Rules
    strategies: tuple[Strategy | PythonStrategy, ...]
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
        origin: dict[str, Any] = {
            "ginsim": __version__,
            "stream": _deck.STREAM_VERSION,
            "rules": self.rules.model_dump(),
            "strategies": {
                player: strategy.model_dump()
                for player, strategy in zip(
                    SEATS if len(self.strategies) == 2 else PLAYERS, self.strategies, strict=True
                )
            },
            "seed": self.seed,
            "first": self.first,
            "hands": self.hands,
            "mirror": self.mirror,
        }
        if self.decks is not None:
            digest = hashlib.sha256(self.decks.tobytes()).hexdigest()
            origin["decks"] = {"count": len(self.decks), "sha256": digest}
        return origin

    def chunk(self, size: int) -> int:
        """What stands in for a chunk of `size` hands by rules alone, and takes about as long.

        It is even, so that no mirrored pair is split.
        """
        rollouts = sum(strategy.rollouts for strategy in self.strategies)
        return size if not rollouts else max(size // (1 + 16 * rollouts) // 2 * 2, 2)

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
    of_games: bool = False,
) -> Task:
    """Validate the arguments of `simulate`, or with `of_games` those of `simulate_games`.

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
    if full.players != 2 and not of_games:
        raise RulesError(
            f"players: the hands of {full.players} players, a partnership, are played as games "
            "(simulate_games, simulate_game_hands, tally_games; ginsim games); allowed here: 2"
        )
    players = tuple(
        settle_table(player, full) if isinstance(player, Strategy) else player
        for player in _players(strategies, full.players)
    )
    return Task(full, players, number, start, num_hands, bool(mirror), given)


def check_threads(threads: SupportsIndex | None, task: Task | None = None) -> int:
    """The number of threads; None is one for each processor, with a Python strategy one.

    Raises:
        OptionError: for more than one thread with a Python strategy.
    """
    number = None if threads is None else check_whole("threads", threads, 1, 4096)
    if task is not None and any(is_python(strategy) for strategy in task.strategies):
        if number is not None and number > 1:
            raise OptionError(refuse("threads", number, "1, since a strategy is written in Python"))
        return 1
    return count_threads() if number is None else number


def _players(strategies: Strategies, players: int) -> tuple[Strategy | PythonStrategy, ...]:
    """A strategy for each player, in order."""
    allowed = "one strategy, or two: south's and north's"
    if players == 4:
        allowed = "one strategy, two, a pair's each, or four: those of A, B, C and D"
    if is_python(strategies) or isinstance(strategies, str | Strategy | Mapping | type):
        one: Any = strategies
        return (parse_player(one),) * players
    if not isinstance(strategies, Sequence):
        raise OptionError(refuse("strategies", strategies, allowed))
    each = tuple(parse_player(strategy) for strategy in strategies)
    if len(each) not in (2, players):
        raise OptionError(refuse("strategies", strategies, allowed))
    return each if len(each) == players else (each[0], each[0], each[1], each[1])
