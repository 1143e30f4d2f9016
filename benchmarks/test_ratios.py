"""What one thing costs beside another, both in turn in one run, so that noise meets both.

The unit of work is one hand, or one turn where it says so. One thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.hands import SEED
from benchmarks.measure import measure
from ginsim.games import simulate_games, tally_games
from ginsim.rules import load_rules
from ginsim.simulation import simulate, tally
from ginsim.strategies import Strategy

NUM_GAMES = 1 << 13
NUM_HANDS = 1 << 17
ROUNDS = 9

#: Games may cost a tenth more than the hands they contain.
GAMES_GOAL = 1.1
#: A random choice among equal discards costs 35 % of a hand by the study of the limit, for the
#: branches that cannot be foreseen; `simple` may cost a quarter more than that.
LOTS_GOAL = 1.35 * 1.25

#: A turn of `expert`, which weighs each loose card, beside one of `greedy`: by the goals of both,
#: 500,000 and three million hands a second, of 20 and 12.8 turns.
TURN_GOAL = (1e9 / 5e5 / 20) / (1e9 / 3e6 / 12.8)

#: `simple` without its lots: the discard of most pips among equals, and the first arrangement.
WITHOUT_LOTS = Strategy(
    name="simple without lots", upcard="meld", draw="meld", spread="fewest_sets", layoff="in_order"
)


def seconds_of(function: Callable[[], object]) -> float:
    """Processor time of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def compare(
    benchmark: BenchmarkFixture,
    function: Callable[[], object],
    hands: int,
    other: Callable[[], object],
    other_hands: int,
    *,
    work: str,
    data: str,
    against: str,
    goal: float | None,
) -> None:
    """Measure both in turn and write down the ratio of their times per hand."""
    ratios: list[float] = []

    def both() -> None:
        ratios.append(seconds_of(function) / hands / (seconds_of(other) / other_hands))

    measure(
        benchmark,
        both,
        work=work,
        data=data,
        hands=hands + other_hands,
        rounds=ROUNDS,
        warmup_rounds=1,
    )
    benchmark.extra_info.update(
        against=against, ratio=median(ratios), best_ratio=min(ratios), goal_ratio=goal
    )


@pytest.mark.parametrize("rules", ["kawu", "kawu+hollywood", "hollywood", "partnership"])
def test_games(benchmark: BenchmarkFixture, rules: str) -> None:
    full = load_rules(rules)
    frame = simulate_games(full, "greedy", NUM_GAMES, seed=SEED)
    tables = 2 if full.players == 4 else 1
    single = full.replace(players=2)
    compare(
        benchmark,
        lambda: tally_games(full, "greedy", NUM_GAMES, seed=SEED, threads=1),
        int(frame["hands"].sum()) * tables,
        lambda: tally(single, "greedy", NUM_HANDS, seed=SEED, threads=1),
        NUM_HANDS,
        work="games, tally",
        data=f"greedy, {rules}",
        against="hands, tally",
        goal=GAMES_GOAL,
    )


def test_lots(benchmark: BenchmarkFixture) -> None:
    compare(
        benchmark,
        lambda: tally("kawu", "simple", NUM_HANDS, seed=SEED, threads=1),
        NUM_HANDS,
        lambda: tally("kawu", WITHOUT_LOTS, NUM_HANDS, seed=SEED, threads=1),
        NUM_HANDS,
        work="simple, tally",
        data="kawu",
        against="without lots",
        goal=LOTS_GOAL,
    )


def test_weighing(benchmark: BenchmarkFixture) -> None:
    """By the turn, since hands of `expert` are longer."""

    def count_turns(strategy: str) -> int:
        return int(simulate("kawu", strategy, NUM_HANDS, seed=SEED)["turns"].sum())

    compare(
        benchmark,
        lambda: tally("kawu", "expert", NUM_HANDS, seed=SEED, threads=1),
        count_turns("expert"),
        lambda: tally("kawu", "greedy", NUM_HANDS, seed=SEED, threads=1),
        count_turns("greedy"),
        work="turns, tally",
        data="expert, kawu",
        against="greedy, kawu",
        goal=TURN_GOAL,
    )


@pytest.mark.parametrize("rules", ["eaai", "kawu+oklahoma", "kawu+big-gin"])
def test_rules(benchmark: BenchmarkFixture, rules: str) -> None:
    """What a rule costs that is in play; those not in play are in both."""
    compare(
        benchmark,
        lambda: tally(rules, "greedy", NUM_HANDS, seed=SEED, threads=1),
        NUM_HANDS,
        lambda: tally("kawu", "greedy", NUM_HANDS, seed=SEED, threads=1),
        NUM_HANDS,
        work="hands, tally",
        data=f"greedy, {rules}",
        against="greedy, kawu",
        goal=None,
    )
