"""Hands by the million: per-hand records or running sums.

>>> frame = simulate("kawu", ("greedy(knock_at=4)", "simple"), 1000, seed=1)
>>> frame.shape
(1000, 22)
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch, _deck
from ginsim._version import __version__
from ginsim.batches import Progress, count_threads, run_chunks
from ginsim.errors import OptionError, refuse
from ginsim.records import records_frame
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.rules import to_record as rules_record
from ginsim.stats import Tally
from ginsim.strategies import AnyStrategy, Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record

#: One strategy for both seats, or south's and north's.
Strategies: TypeAlias = AnyStrategy | Sequence[AnyStrategy]

MAX_INDEX = 2**62


@dataclass(frozen=True)
class Task:
    """A validated range of hands under fixed rules, strategies and seed.

    Everything a result depends on; how it is computed (threads, chunks) is not part of it.
    """

    rules: Rules
    strategies: tuple[Strategy, Strategy]
    seed: int
    first: int
    hands: int
    mirror: bool

    @property
    def provenance(self) -> dict[str, Any]:
        """What reproduces the result, as plain data for JSON."""
        south, north = self.strategies
        return {
            "ginsim": __version__,
            "stream": _deck.STREAM_VERSION,
            "rules": self.rules.model_dump(),
            "strategies": {"south": south.model_dump(), "north": north.model_dump()},
            "seed": self.seed,
            "first": self.first,
            "hands": self.hands,
            "mirror": self.mirror,
        }

    @property
    def core_arguments(self) -> tuple[NDArray[np.void], NDArray[np.void], NDArray[np.uint64]]:
        """Rules record, strategy records and key, as the compiled modules take them."""
        return (
            rules_record(self.rules),
            strategies_record(self.strategies),
            _deck.make_key(self.seed),
        )


def make_task(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    mirror: bool = False,
) -> Task:
    """Validate the arguments of `simulate`.

    Raises:
        GinsimError: RulesError, StrategyError, or OptionError with the argument's name, value
            and what is allowed.
    """
    num_hands = _whole("hands", hands, 0, MAX_INDEX)
    start = _whole("first", first, 0, MAX_INDEX)
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
        number = _whole("seed", seed, 0, None)
    return Task(load_rules(rules), _pair(strategies), number, start, num_hands, bool(mirror))


def _whole(name: str, value: object, least: int, most: int | None) -> int:
    allowed = f"a whole number from {least}" + (f" to {most}" if most is not None else "")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise OptionError(refuse(name, value, allowed)) from None
    if isinstance(value, bool) or number < least or (most is not None and number > most):
        raise OptionError(refuse(name, value, allowed))
    return number


def _pair(strategies: Strategies) -> tuple[Strategy, Strategy]:
    if isinstance(strategies, str | Strategy | Mapping):
        both = parse_strategy(strategies)
        return both, both
    pair = tuple(parse_strategy(strategy) for strategy in strategies)
    if len(pair) != 2:
        raise OptionError(
            refuse("strategies", strategies, "one strategy, or two: south's and north's")
        )
    return pair[0], pair[1]


def _num_threads(threads: SupportsIndex | None) -> int:
    return count_threads() if threads is None else _whole("threads", threads, 1, 4096)


def simulate(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Play hands and return one row for each.

    Args:
        rules: name, composition, file, mapping or `Rules` (see `load_rules`).
        strategies: one for both seats, or (south, north).
        hands: how many hands; about 40 bytes of memory each.
        seed: any non-negative whole number; None draws one and records it. A hand depends on
            (seed, index, rules, strategies) only; its deck on (seed, index) only.
        first: index of the first hand.
        threads: how many threads play; None for one each processor. The result is the same.
        mirror: play each deal twice, the second time with the seats' cards changed; `hands` and
            `first` are then even.
        progress: called with (done, total) from time to time.

    Returns:
        A frame of shape (hands, 22) with the columns of docs/columns.md, `attrs["provenance"]`
        telling how to make it again.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    task = make_task(rules, strategies, hands, seed=seed, first=first, mirror=mirror)
    num_threads = _num_threads(threads)
    core = task.core_arguments
    small = np.empty((len(_batch.BYTE_COLUMNS), task.hands), np.int8)
    large = np.empty((len(_batch.SHORT_COLUMNS), task.hands), np.int16)

    def play(_thread: int, start: int, stop: int) -> None:
        _batch.fill_records(*core, task.first, small, large, start, stop, mirror=task.mirror)

    run_chunks(play, task.hands, num_threads, progress)
    return records_frame(small, large, task.first, task.mirror, task.provenance)


def tally(
    rules: AnyRules,
    strategies: Strategies,
    hands: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    mirror: bool = False,
    progress: Progress | None = None,
) -> Tally:
    """Play hands and keep sums only: the arguments of `simulate`, constant memory.

    Returns:
        The `Tally` that `Tally.from_frame(simulate(...))` would be for the same arguments.
    """
    task = make_task(rules, strategies, hands, seed=seed, first=first, mirror=mirror)
    num_threads = _num_threads(threads)
    core = task.core_arguments
    parts = [np.zeros(1, _batch.TALLY_DTYPE) for _ in range(num_threads)]

    def play(thread: int, start: int, stop: int) -> None:
        _batch.fill_tally(
            *core, task.first + start, stop - start, parts[thread], mirror=task.mirror
        )

    run_chunks(play, task.hands, num_threads, progress)
    total = Tally(parts[0], task.provenance)
    for part in parts[1:]:
        total.add_sums(part)
    return total
