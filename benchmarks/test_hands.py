"""Whole hands as a user plays them, `tally` and `simulate`; the unit of work is one hand.

Both seats play the same strategy. One thread, but for the last benchmark.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import product
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.hands import SEED
from benchmarks.measure import PROCESSOR_TIME, measure
from ginsim.simulation import simulate, tally

NUM_HANDS = 1 << 17
ROUNDS = 15

#: Nanoseconds per hand: three million hands a second with tallies, two and a half with columns;
#: half a million of a player who weighs. Only strategies without lots under rules without a knock
#: card have goals.
TALLY_GOALS = {
    ("greedy", "kawu"): 1e9 / 3e6,
    ("expert", "kawu"): 1e9 / 5e5,
    ("expert", "eaai"): 1e9 / 5e5,
}
COLUMN_GOALS = {("greedy", "kawu"): 1e9 / 2.5e6}
#: Two threads against one.
THREADS_GOAL = 1.9
THREADS_HANDS = 1 << 20
THREADS_ROUNDS = 9

RULES = ("kawu", "hollywood")
STRATEGIES = ("greedy", "simple", "random", "expert")
each_rules = pytest.mark.parametrize("rules", RULES)
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES)
#: Of `expert` those also that it was tuned for.
each_tally = pytest.mark.parametrize(
    ("strategy", "rules"), [*product(STRATEGIES, RULES), ("expert", "eaai")]
)

#: A process that for every line spins as many turns as it says, and answers when it has.
SPIN = """
import sys
for line in sys.stdin:
    x = 1
    for _ in range(int(line)):
        x = x * 6364136223846793005 + 1 & 0xFFFFFFFFFFFFFFFF
    print(x, flush=True)
"""
SPIN_TURNS = 3_000_000


@PROCESSOR_TIME
@each_tally
def test_tally(benchmark: BenchmarkFixture, strategy: str, rules: str) -> None:
    def play() -> None:
        tally(rules, strategy, NUM_HANDS, seed=SEED, threads=1)

    measure(
        benchmark,
        play,
        work="whole hand, tally",
        data=f"{strategy}, {rules}",
        hands=NUM_HANDS,
        goal_ns=TALLY_GOALS.get((strategy, rules)),
        rounds=ROUNDS,
        warmup_rounds=1,
    )


@PROCESSOR_TIME
@each_rules
@each_strategy
def test_columns(benchmark: BenchmarkFixture, strategy: str, rules: str) -> None:
    def play() -> None:
        simulate(rules, strategy, NUM_HANDS, seed=SEED, threads=1)

    measure(
        benchmark,
        play,
        work="whole hand, columns",
        data=f"{strategy}, {rules}",
        hands=NUM_HANDS,
        goal_ns=COLUMN_GOALS.get((strategy, rules)),
        rounds=ROUNDS,
        warmup_rounds=1,
    )


def test_two_threads(benchmark: BenchmarkFixture) -> None:
    """One thread and two in turn, and beside them one spinning process and two.

    The ratio of the processes is what the machine itself gives: with virtual processors, or with
    other work on it, it is below two.
    """
    threads: list[float] = []
    processes: list[float] = []
    spinners = [
        subprocess.Popen(
            [sys.executable, "-c", SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]

    def play(count: int) -> float:
        start = time.perf_counter()
        tally("kawu", "greedy", THREADS_HANDS, seed=SEED, threads=count)
        return time.perf_counter() - start

    def compare() -> None:
        one, two = play(1), play(2)
        threads.append(one / two)
        one, two = _spin(spinners[:1]), _spin(spinners)
        processes.append(2 * one / two)

    try:
        _spin(spinners, 1)
        measure(
            benchmark,
            compare,
            work="two threads against one",
            data="greedy, kawu",
            hands=2 * THREADS_HANDS,
            rounds=THREADS_ROUNDS,
        )
    finally:
        for spinner in spinners:
            spinner.communicate()  # closes its input, and it ends
    benchmark.extra_info.update(
        ratio=median(threads),
        best_ratio=max(threads),
        goal_ratio=THREADS_GOAL,
        machine_ratio=median(processes),
        best_machine_ratio=max(processes),
    )


def _spin(spinners: Sequence[subprocess.Popen[str]], turns: int = SPIN_TURNS) -> float:
    """Seconds until all of the processes have spun their turns."""
    start = time.perf_counter()
    for spinner in spinners:
        assert spinner.stdin is not None
        spinner.stdin.write(f"{turns}\n")
        spinner.stdin.flush()
    for spinner in spinners:
        assert spinner.stdout is not None
        spinner.stdout.readline()
    return time.perf_counter() - start
