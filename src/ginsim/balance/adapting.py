"""Players who know the rules of each cell: their knock tables are solved anew for it.

Draws, discards and all else stay as they are, so that such a player adapts his knocks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ginsim.balance.grid import ADAPT, GridCell, Lineup
from ginsim.balance.playing import Contest
from ginsim.batches import Progress
from ginsim.checks import check_flag, check_whole, check_word
from ginsim.errors import OptionError, refuse
from ginsim.knock_solving import KnockSolution, solve_knocks
from ginsim.rules import HAND_FIELDS, Rules
from ginsim.shipped import settle_table
from ginsim.strategies import Strategy

#: Hands of each of the three streams of a solution, if nothing is said.
SOLVE_HANDS = 100_000
#: The first deal of the first solution: far from any that is played.
SOLVE_FIRST = 2**48
#: Deals between one independent solution and the next.
SOLVE_STEP = 2**40


@dataclass
class Adapter:
    """Solves the knock tables of contests, each once.

    Attributes:
        adapt: whose: `none`, of the strategy `against`, or of `all`.
        hands: of each of the three streams of a solution.
        seed: of all; every cell is solved on the same deals, from the strategy's own knock rule.
        solutions: those so far, by what they depend on.
    """

    adapt: str
    hands: int
    seed: int
    threads: int | None = None
    progress: Progress | None = None
    solutions: dict[tuple[Any, ...], KnockSolution] = field(default_factory=dict)

    def settle(self, rules: Rules, lineup: Lineup, number: int = 0) -> Contest:
        """Who plays in a cell.

        Args:
            number: which of several independent solutions.
        """
        # Who knocks by the table of the rules has another in each cell.
        strategy = settle_table(lineup.strategy, rules)
        against = settle_table(lineup.against, rules)
        if self.adapt != "none":
            against = self._solve(rules, against, number)
        if self.adapt == "all":
            strategy = self._solve(rules, strategy, number)
        return Contest(rules, (strategy, against))

    def _solve(self, rules: Rules, policy: Strategy, number: int) -> Strategy:
        # What decides between hands is not read by a table of points.
        key = (tuple(getattr(rules, name) for name in HAND_FIELDS), policy, number)
        if key not in self.solutions:
            self.solutions[key] = solve_knocks(
                rules,
                policy,
                None,
                self.hands,
                seed=self.seed,
                first=SOLVE_FIRST + number * SOLVE_STEP,
                threads=self.threads,
                progress=self.progress,
            )
        return self.solutions[key].strategy

    def describe(self) -> dict[str, Any]:
        """What provenance says of it."""
        if self.adapt == "none":
            return {"adapted": "none"}
        tables = [
            {
                "rules": solution.rules.name,
                "policy": solution.policy.name,
                "first": solution.provenance["streams"]["solving"][0],
                "knock_table": solution.strategy.knock_table,
                "converged": bool(solution.is_converged),
            }
            for solution in self.solutions.values()
        ]
        return {"adapted": self.adapt, "solve_hands": self.hands, "tables": tables}


def check_adapt(adapt: object, hands: Any, rules: Rules) -> tuple[str, int]:
    """Whose tables are solved, and on how many hands.

    Raises:
        OptionError: for other words, and for a partnership, for which there are no solved tables.
    """
    word = adapt if isinstance(adapt, str) else "all" if check_flag("adapt", adapt) else "none"
    found = check_word("adapt", word, ADAPT)
    size = check_whole("solve_hands", SOLVE_HANDS if hands is None else hands, 100, SOLVE_STEP // 4)
    if found == "none" and hands is not None:
        raise OptionError("solve_hands: needs adapt; allowed: with adapt only")
    if found != "none" and rules.players != 2:
        raise OptionError(
            refuse("adapt", found, "none in a partnership: knock tables are solved for two players")
        )
    return found, size


def settle_cells(
    adapter: Adapter, cells: Sequence[GridCell], lineups: Sequence[Lineup]
) -> tuple[Contest, ...]:
    """Who plays in every cell."""
    return tuple(adapter.settle(cell.rules, lineups[cell.lineup]) for cell in cells)
