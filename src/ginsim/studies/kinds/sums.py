"""Sums of hands or of games: what the kinds of these names have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ginsim import _batch, _games
from ginsim.duel_sums import Follower, Look, Rule
from ginsim.duels import MAX_GAMES
from ginsim.game_stats import GameTally, summarize_games
from ginsim.intervals import Z95
from ginsim.stats import Tally, summarize
from ginsim.studies.data import Cell, Part, Parts, Run
from ginsim.studies.kinds.base import Frames, label, stack
from ginsim.studies.kinds.ranges import Ranges
from ginsim.studies.reading import (
    Reader,
    read_even,
    read_flag,
    read_positive,
    read_size,
    read_text,
    read_word,
)
from ginsim.studies.stopping import (
    GAME_FIGURES,
    HAND_FIGURES,
    SHARES,
    estimate_seen,
    find_seen,
    widen,
)
from ginsim.sums import Sums

#: How many at most, if a precision is wanted and nothing else is said.
MOST = {"hands": 1_000_000_000, "games": MAX_GAMES}


def take_size(reader: Reader, options: dict[str, Any], unit: str, figures: Sequence[str]) -> None:
    """A size, or a precision with a bound: `hands` or `games`, `precision`, `measure`."""
    options["mirror"] = reader.take("mirror", read_flag, False)
    read = read_even(2) if options["mirror"] else read_size(1)
    if not reader.has("precision"):
        options[unit] = reader.need(unit, read, f"how many {unit}, or a precision")
        if reader.has("measure"):
            reader.note(f"{reader.locate('measure')}: needs a precision; allowed: with precision")
            reader.take("measure", read_text)
        return
    options["precision"] = reader.take("precision", read_positive)
    options["measure"] = reader.take("measure", read_word(figures), "win")
    options[unit] = reader.take(unit, read, MOST[unit])
    if options["measure"] in SHARES and not (options["precision"] or 0) < 0.5:
        path = reader.locate("precision")
        reader.note(f"{path}: {options['precision']} is not allowed; allowed: below 0.5")


def to_part(sums: Sums) -> Part:
    return {name: np.asarray(sums.sums[name][0]) for name in sums.sums.dtype.names or ()}


class SumsReducer:
    """Sums of hands or games; with a rule of stopping, looked at.

    Attributes:
        total: the sums so far, or of all up to the last look.
        looks: the looks.
    """

    def __init__(self, run: Run, tasks: Ranges, kind: type[Tally | GameTally]) -> None:
        dtype = _batch.TALLY_DTYPE if kind is Tally else _games.GAME_TALLY_DTYPE
        self.tasks = tasks
        origin = {**self.tasks.origin, "first": self.tasks.first}
        self.total: Any = kind(np.zeros(1, dtype), origin)
        self.rule = _find_rule(run)
        self._kind = kind
        self._follower = None if self.rule is None else Follower(self.rule, estimate_seen)
        self._row = _find_figures(run).get(run.options.get("measure", ""), ("", "", ""))
        self._clusters = 2 if run.options["mirror"] else 1
        self._sizes = () if self.rule is None else self.rule.looks
        self._taken = 0
        self.needed = len(self.tasks)
        if self.rule is not None:
            self._wait_for_look()

    @property
    def looks(self) -> list[Look]:
        """The looks so far."""
        return [] if self._follower is None else self._follower.looks

    def _wait_for_look(self) -> None:
        """Set what is needed to what the next look wants."""
        self.needed = self.tasks.count_tasks(self._sizes[len(self.looks)] * self._clusters)

    def take(self, parts: Parts) -> None:
        """The sums of the next task."""
        self._taken += 1
        for part in parts:
            if self.looks and self.looks[-1].is_last:
                return
            sums = np.zeros(1, self.total.sums.dtype)
            for name, values in part.items():
                sums[name][0] = values
            self.total.add_sums(sums)
            self._look()
        self.total.provenance[self.total.unit] = self.total.count

    def _look(self) -> None:
        if self._follower is None or self.rule is None:
            return
        clusters = self.total.count // self._clusters
        if clusters != self._sizes[len(self.looks)]:
            return
        self.total.provenance[self.total.unit] = self.total.count
        table = _summarize(self.total)
        look = self._follower.look(find_seen(table, self._row, clusters))
        if look.is_last:
            self.needed = self._taken
        else:
            self._wait_for_look()

    @property
    def expected(self) -> int:
        """About how many tasks will be needed, judged by the last look."""
        if not self.looks or self.looks[-1].is_last or self.rule is None:
            return self.needed
        look = self.looks[-1]
        width = (look.high - look.low) / 2 * Z95 / look.critical
        if not width < math.inf:
            return self.needed
        clusters = min(look.deals * (width / self.rule.precision) ** 2, self.rule.max_deals)
        return self.tasks.count_tasks(math.ceil(clusters * self._clusters))

    def tabulate(self) -> pd.DataFrame:
        """The table of the sums, with intervals that hold after stopping."""
        table = _summarize(self.total)
        if not self.looks:
            return table
        return widen(table, self.looks[-1].critical, self.looks[-1].deals)


def _summarize(total: Any) -> pd.DataFrame:
    return summarize(total) if isinstance(total, Tally) else summarize_games(total)


def _find_figures(run: Run) -> dict[str, tuple[str, str, str]]:
    return HAND_FIGURES if run.kind == "hands" else GAME_FIGURES


def _find_rule(run: Run) -> Rule | None:
    options = run.options
    if "precision" not in options:
        return None
    clusters = options["count"] // (2 if options["mirror"] else 1)
    return Rule(options["measure"], options["precision"], clusters)


def find_cuts(run: Run) -> list[int]:
    rule = _find_rule(run)
    step = 2 if run.options.get("mirror") else 1
    return [] if rule is None else [step * looked for looked in rule.looks]


def tabulate_sums(run: Run, cells: Sequence[tuple[Cell, SumsReducer]]) -> Frames:
    frames = {"": stack([label(cell, reducer.tabulate()) for cell, reducer in cells])}
    if _find_rule(run) is not None:
        frames["looks"] = stack(
            [label(cell, pd.DataFrame(reducer.looks)) for cell, reducer in cells]
        )
    return frames
