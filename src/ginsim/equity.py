"""The chance to win a game at each score: a match-equity table.

Hands of a game are played with the same strategies whatever the score, so that a hand's points
depend on nothing but who deals. From their distribution the chance to win follows for every pair of
scores by dynamic programming from the end of the game; docs/knock-timing.md has the recurrence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.batches import Progress
from ginsim.checks import check_whole, check_word
from ginsim.columns import EQUITY_COLUMNS, SIDES
from ginsim.errors import OptionError, RulesError, refuse
from ginsim.intervals import t95
from ginsim.knock_solving import KnockSolution, Worth, check_solving, solve_for
from ginsim.records import make_frame
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.simulation import simulate
from ginsim.strategies import AnyStrategy
from ginsim.tasks import MAX_INDEX, check_threads, make_task

#: Parts of the hands whose tables differ by chance, from which errors are.
BATCHES = 10
#: Beyond this target errors are not estimated, since that takes a table for each part.
ERROR_TARGET = 300
#: Chances as whole numbers, so that sums have no rounding.
SCALE = 100_000
#: Hands from which a distribution is taken if nothing is said.
EQUITY_HANDS = 1_000_000


@dataclass(frozen=True)
class Equity:
    """The chance of a player to win a game in progress.

    Attributes:
        rules: by which it is played.
        chances: shape (target, target, 2): by his points, the opponent's points, and who deals the
            next hand, 0 for the player.
        errors: their standard errors, by parts of the hands; nan for targets above 300.
        hands: from how many hands the distribution is.
        provenance: what reproduces it; the player is south.
    """

    rules: Rules
    chances: NDArray[np.float64]
    errors: NDArray[np.float64]
    hands: int
    provenance: dict[str, Any]

    def chance(self, own: SupportsIndex, other: SupportsIndex, dealer: str) -> float:
        """The chance to win.

        Args:
            own, other: points of the player and of the opponent; `target` or more have won.
            dealer: who deals the next hand, `policy` (the player) or `opponent`.
        """
        mine = check_whole("own", own, 0, None)
        his = check_whole("other", other, 0, None)
        side = SIDES.index(check_word("dealer", dealer, SIDES))
        target = self.rules.target
        if mine >= target and his >= target:
            raise OptionError(
                refuse("own, other", (mine, his), f"one of them below the target of {target}")
            )
        if mine >= target or his >= target:
            return float(mine >= target)
        return float(self.chances[mine, his, side])

    def table(self) -> pd.DataFrame:
        """A row for each pair of scores and dealer, with the columns `EQUITY_COLUMNS`."""
        own, other, dealer = (axis.ravel() for axis in np.indices(self.chances.shape))
        arrays: dict[str, NDArray[Any]] = {
            "own": own.astype(np.int16),
            "other": other.astype(np.int16),
            "dealer": dealer.astype(np.int8),
            "chance": self.chances.ravel().copy(),
            "se": self.errors.ravel().copy(),
        }
        return make_frame(EQUITY_COLUMNS, arrays, {**self.provenance, "rows": "equity"})

    def worth(self, own: int, other: int) -> Worth:
        """What a hand played at a score is worth: the chance after it, in parts of SCALE."""
        target = self.rules.target
        # With a game that is won and one that is lost at the ends.
        size = target + 1
        whole = np.empty((size, size, 2))
        whole[:target, :target] = self.chances
        whole[target, :] = 1.0
        whole[:, target] = 0.0
        whole[target, :] = 1.0
        parts = np.rint(whole * SCALE).astype(np.int64)

        def count(
            nets: NDArray[np.int32], winners: NDArray[Any], dealt: NDArray[np.bool_]
        ) -> NDArray[np.int64]:
            mine = np.minimum(own + np.where(winners == 0, nets, 0), target)
            his = np.minimum(other + np.where(winners == 1, -nets, 0), target)
            now = np.where(dealt, 0, 1)
            if self.rules.next_dealer == "alternate":
                then = 1 - now
            elif self.rules.next_dealer == "loser":
                then = np.where(winners == 0, 1, 0)
            else:
                then = np.where(winners == 0, 0, 1)
            after: NDArray[np.int64] = parts[mine, his, np.where(winners == 2, now, then)]
            return after

        return count


def match_equity(
    rules: AnyRules,
    policy: AnyStrategy = "greedy",
    opponent: AnyStrategy | None = None,
    hands: SupportsIndex | None = None,
    *,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> Equity:
    """The chance to win a game at each score.

    Args:
        rules: as for `simulate_games`, of single scoring, for two players.
        policy: the player; the opponent plays as he does if nothing is said, and then what is
            known of both is put together.
        hands: from how many hands the distribution of points is; by default 1,000,000. An even
            number: each deal is played twice, with the seats' cards changed.
        seed, first, threads, progress: as for `simulate`.

    Raises:
        GinsimError: for bad arguments, and for rules without one running score.
    """
    loaded = check_single(load_rules(rules))
    other = policy if opponent is None else opponent
    total = check_whole("hands", EQUITY_HANDS if hands is None else hands, 2 * BATCHES, None)
    task = make_task(loaded, (policy, other), total, seed=seed, first=first, mirror=True)
    is_alike = task.strategies[0] == task.strategies[1]
    counts = []
    step = max(2, total // BATCHES // 2 * 2)
    starts = list(range(0, total, step))[:BATCHES]
    for start, stop in zip(starts, [*starts[1:], total], strict=True):
        frame = simulate(
            loaded,
            task.strategies,
            stop - start,
            seed=task.seed,
            first=task.first + start,
            threads=threads,
            mirror=True,
        )
        counts.append(count_points_of(frame, is_alike))
        if progress is not None:
            progress(stop, total)
    chances = compute_equity(loaded, sum(counts[1:], counts[0]))
    errors = np.full_like(chances, np.nan)
    if loaded.target <= ERROR_TARGET:
        parts = compute_equity(loaded, np.stack(counts))
        errors = parts.std(axis=0, ddof=1) / math.sqrt(len(parts))
    return Equity(loaded, chances, errors, total, task.provenance)


def check_single(rules: Rules) -> Rules:
    """See that a game is won by one running score.

    Raises:
        RulesError: if it is not.
    """
    if rules.scoring != "single" or rules.players != 2:
        kind = "a partnership" if rules.players != 2 else "three columns at once"
        raise RulesError(
            f"scoring: a match-equity table is of two running scores, and {rules.name} has {kind}; "
            "allowed: rules for two with scoring = single"
        )
    if not rules.target:
        raise RulesError(
            f"target: a game of {rules.name} is one hand, so that no score leads to another; "
            "allowed: a target from 1"
        )
    return rules


def count_points_of(frame: pd.DataFrame, is_alike: bool) -> NDArray[np.int64]:
    """How many hands brought how many points, by dealer and winner (south, north, nobody).

    Args:
        is_alike: both seats play alike, so that each hand counts for the other seat too.
    """
    dealer = frame["dealer"].cat.codes.to_numpy().astype(np.int64)
    winner = frame["winner"].cat.codes.to_numpy().astype(np.int64)
    points = frame["points"].to_numpy().astype(np.int64)
    winner = np.where(winner < 0, 2, winner)
    size = 1 + 2 * 1200
    cells = (dealer * 3 + winner) * size + np.minimum(points, size - 1)
    counts = np.bincount(cells, minlength=6 * size).reshape(2, 3, size).astype(np.int64)
    if is_alike:
        counts = counts + counts[::-1][:, [1, 0, 2]]
    return counts


def compute_equity(rules: Rules, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chances from a distribution of points.

    W(s, o, d), the chance at scores s and o when d deals, is the mean over the next hand of W at
    the scores and with the dealer after it; hands without a winner leave both as they are.

    Args:
        counts: as `count_points_of` gives them; with axes before, several distributions at once.

    Returns:
        Shape (target, target, 2), after the same axes.

    Raises:
        OptionError: if no hand has a winner.
    """
    target = rules.target
    totals = counts.sum(axis=(-2, -1))
    if not counts[..., :2, :].sum(axis=(-2, -1)).all():
        raise OptionError("strategies: nobody wins a hand, and no game ends; allowed: others")
    shares = counts / totals[..., None, None]
    then = [[_next_dealer(rules, dealer, winner) for winner in (0, 1)] for dealer in (0, 1)]
    most = min(shares.shape[-1], target) - 1
    batch = counts.shape[:-3]
    chances = np.zeros((target, target, 2, *batch))
    # The share of hands with so many points or more.
    beyond = np.cumsum(shares[..., ::-1], axis=-1)[..., ::-1]
    beyond = np.concatenate([beyond, np.zeros((*beyond.shape[:-1], target + 1))], axis=-1)
    same = np.zeros((2, 2, *batch))
    for dealer in (0, 1):
        same[dealer, dealer] += shares[..., dealer, 2, :].sum(axis=-1)
        for winner in (0, 1):
            same[dealer, then[dealer][winner]] += shares[..., dealer, winner, 0]
    (a, b), (c, d) = np.eye(2).reshape(2, 2, *(1 for _ in batch)) - same
    for own in range(target - 1, -1, -1):
        steps = min(most, target - 1 - own)
        won = []
        for dealer in (0, 1):
            points = shares[..., dealer, 0, 1 : steps + 1]
            after = chances[own + 1 : own + steps + 1, :, then[dealer][0]]
            won.append(
                np.einsum("...s,so...->o...", points, after) + beyond[..., dealer, 0, target - own]
            )
        for other in range(target - 1, -1, -1):
            steps = min(most, target - 1 - other)
            x, y = (
                won[dealer][other]
                + np.einsum(
                    "...s,s...->...",
                    shares[..., dealer, 1, 1 : steps + 1],
                    chances[own, other + 1 : other + steps + 1, then[dealer][1]],
                )
                for dealer in (0, 1)
            )
            chances[own, other, 0] = (d * x - b * y) / (a * d - b * c)
            chances[own, other, 1] = (a * y - c * x) / (a * d - b * c)
    return np.moveaxis(chances, (0, 1, 2), (-3, -2, -1))


def _next_dealer(rules: Rules, dealer: int, winner: int) -> int:
    if rules.next_dealer == "alternate":
        return 1 - dealer
    return winner if rules.next_dealer == "winner" else 1 - winner


# -- the knock table at a score -------------------------------------------------------------------


def read_scores(scores: object) -> tuple[int, int]:
    """Own and the opponent's points, from a text such as 60-45 or a pair.

    Raises:
        OptionError: for anything else.
    """
    allowed = "own points and the opponent's, such as 60-45"
    if isinstance(scores, str):
        match = re.fullmatch(r"\s*(\d{1,4})\s*[-:]\s*(\d{1,4})\s*", scores, re.ASCII)
        if match is None:
            raise OptionError(refuse("scores", scores, allowed))
        return int(match[1]), int(match[2])
    if isinstance(scores, tuple | list) and len(scores) == 2:
        own, other = (check_whole("scores", each, 0, None) for each in scores)
        return own, other
    raise OptionError(refuse("scores", scores, allowed))


def check_scores(scores: object, rules: Rules) -> tuple[int, int]:
    """Scores of a game that is not over."""
    own, other = read_scores(scores)
    for each in (own, other):
        check_whole("scores", each, 0, rules.target - 1, f", below the target of {rules.name}")
    return own, other


def solve_at_scores(
    rules: AnyRules,
    policy: AnyStrategy = "greedy",
    opponent: AnyStrategy | None = None,
    hands: SupportsIndex | None = None,
    *,
    scores: object,
    by: str | Iterable[str] | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> KnockSolution:
    """The knock table that wins most games, for a hand at a score.

    It is for this hand against the opponent, who does not change his play; later hands are played
    by both strategies as they are. The dealer is either seat, by turns.

    Args:
        rules: of single scoring, for two players.
        opponent: None for the policy itself, as it is.
        scores: own points and the opponent's before the hand: a pair, or text such as 60-45.
        hands: in each stream, as for `solve_knocks`; the match-equity table is from 1,000,000
            hands on deals of their own.
        policy, by, seed, first, threads, progress: as for `solve_knocks`.

    Returns:
        A `KnockSolution` whose unit is `chance`: value and gain are chances to win the game.

    Raises:
        GinsimError: for bad arguments, and for rules without one running score.
    """
    loaded = check_single(load_rules(rules))
    own, other = check_scores(scores, loaded)
    against = policy if opponent is None else opponent
    # The match-equity table takes a while: what cannot be solved for is refused before it.
    question = check_solving(loaded, policy, against, hands, by=by, seed=seed, first=first)
    check_threads(threads, question.task)
    task = question.task
    start = task.first + 3 * question.size
    check_whole("first", task.first, 0, MAX_INDEX - 3 * question.size - EQUITY_HANDS - 1)
    equity = match_equity(
        loaded, policy, against, seed=task.seed, first=start + start % 2, threads=threads
    )
    return solve_for(
        loaded,
        policy,
        against,
        hands,
        by=by,
        seed=task.seed,
        first=first,
        threads=threads,
        progress=progress,
        worth=equity.worth(own, other),
        scale=SCALE,
        unit="chance",
        more={"scores": [own, other], "equity_hands": equity.hands},
    )


def bound_chance(chance: float, error: float) -> tuple[float, float]:
    """The 95 % interval of a chance whose error is from the parts of the hands."""
    half = t95(BATCHES - 1) * error
    return max(chance - half, 0.0), min(chance + half, 1.0)
