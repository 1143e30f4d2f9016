"""Cells played on common deals: what each measure has on every deal, block by block.

Cells of the same players whose rules differ in nothing that decides the play of a hand are priced
from one set of hands (`rescoring.FIELDS`); all others are played on the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.balance.measures import Measure, Rows
from ginsim.batches import Progress
from ginsim.bookings import price_rows, read_rows
from ginsim.games import simulate_game_hands, simulate_games
from ginsim.rescoring import Played
from ginsim.rules import Rules
from ginsim.simulation import simulate
from ginsim.strategies import Strategy

#: Deals of a block, about, of which all is held in memory at once.
BLOCK = {"hand": 65_536, "game": 8_192}


class Contest(NamedTuple):
    """What is played in a cell: rules and the two sides."""

    rules: Rules
    players: tuple[Strategy, Strategy]


class Values(NamedTuple):
    """What a cell has on the deals of a block.

    Attributes:
        cell: its index.
        tops, bottoms: of each measure on each deal; shape (measures, deals).
        lengths: hands of each game and the deal, for quantiles; empty arrays elsewhere.
    """

    cell: int
    tops: NDArray[np.int64]
    bottoms: NDArray[np.int64]
    lengths: NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """Contests on common deals, with all that the hands or games depend on.

    Attributes:
        contests: of the cells in order.
        unit: `hand` or `game`.
        measures: of that unit.
        seed: of all.
        mirror: whether each deal is played twice, with the seats changed.
        max_hands: after how many hands a game ends unfinished.
        is_priced: whether hands are priced where that is exact; if not, every cell is played.
    """

    contests: tuple[Contest, ...]
    unit: str
    measures: tuple[Measure, ...]
    seed: int
    mirror: bool
    max_hands: int
    is_priced: bool = True

    @cached_property
    def sources(self) -> tuple[int, ...]:
        """For each cell the one whose hands it is made of: itself, if it is played."""
        if self.unit == "game" or not self.is_priced:
            return tuple(range(len(self.contests)))
        found: list[int] = []
        played: dict[tuple[Strategy, Strategy], list[tuple[int, Played]]] = {}
        for place, contest in enumerate(self.contests):
            if contest.rules.players != 2:
                found.append(place)
                continue
            others = played.setdefault(contest.players, [])
            source = next((at for at, old in others if not old.find_play(contest.rules)), place)
            if source == place:
                empty = simulate(contest.rules, contest.players, 0, seed=self.seed)
                others.append((place, Played.read(empty)))
            found.append(source)
        return tuple(found)

    @property
    def ways(self) -> tuple[str, ...]:
        """How each cell comes to its figures: `played` (the first), `priced` or `replayed`."""
        return tuple(
            "played" if not place else "replayed" if source == place else "priced"
            for place, source in enumerate(self.sources)
        )

    @property
    def per_deal(self) -> int:
        """How often each deal is played."""
        return 2 if self.mirror else 1

    @property
    def has_lengths(self) -> bool:
        """Whether quantiles of the hands of games are wanted."""
        return any(measure.form == "quantile" for measure in self.measures)

    def play(
        self, first: int, deals: int, threads: int | None, progress: Progress | None = None
    ) -> Iterator[Values]:
        """What every cell has on a range of deals, the first cell first.

        Args:
            first: index of the first deal.
            progress: called with (hands or games played, all).
        """
        order = sorted(range(len(self.contests)), key=lambda place: (self.sources[place], place))
        total = len(set(self.sources)) * deals * self.per_deal
        done = 0
        rows: Rows = {}
        for place in order:
            contest = self.contests[place]
            if self.sources[place] == place:
                rows = self._play(contest, first, deals, threads)
                done += deals * self.per_deal
                if progress is not None:
                    progress(done, total)
                yield self._measure(place, rows, first, deals)
            else:
                priced = {**rows, **price_rows(dict(rows), contest.rules)}
                yield self._measure(place, priced, first, deals)

    def _play(self, contest: Contest, first: int, deals: int, threads: int | None) -> Rows:
        options: dict[str, Any] = {
            "seed": self.seed,
            "first": first * self.per_deal,
            "threads": threads,
            "mirror": self.mirror,
        }
        size = deals * self.per_deal
        kind = "hands"
        frame: pd.DataFrame
        if self.unit == "hand" and contest.rules.players == 2:
            frame = simulate(*contest, size, **options)
        else:
            options["max_hands"] = self.max_hands
            play: Any = simulate_games if self.unit == "game" else simulate_game_hands
            frame = play(*contest, size, **options)
            kind = frame.attrs["provenance"]["rows"]
        frame.attrs = {}  # else pandas copies them with each column
        return read_rows(frame, kind)

    def _measure(self, place: int, rows: Rows, first: int, deals: int) -> Values:
        of_row = rows["deal"] - first
        shape = (len(self.measures), deals)
        tops, bottoms = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        players = self.contests[place].players
        for number, measure in enumerate(self.measures):
            if not measure.applies(self.contests[place].rules, players[0] != players[1]):
                continue
            for sums, values in zip((tops, bottoms), measure.read(rows), strict=True):
                # Exact: sums of a few small integers.
                sums[number] = np.bincount(of_row, values, minlength=deals).astype(np.int64)
        lengths = np.zeros((0, self.per_deal), np.int64)
        if self.has_lengths:
            lengths = rows["hands"].astype(np.int64).reshape(-1, self.per_deal)
        return Values(place, tops, bottoms, lengths)


def split_deals(first: int, deals: int, size: int) -> list[tuple[int, int]]:
    """Ranges of up to `size` deals: (first, number)."""
    return [(first + low, min(size, deals - low)) for low in range(0, deals, size)]


Sums = dict[str, NDArray[np.int64]]


def add_sums(parts: Sequence[Mapping[str, NDArray[np.int64]]]) -> Sums:
    """The sums of disjoint ranges."""
    return {name: np.sum([part[name] for part in parts], axis=0) for name in parts[0]}
