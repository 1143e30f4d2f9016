"""The exact solvers through their array functions; the unit of work is one hand.

The goals are those for the inline functions themselves. What is measured has the array function's
part in it, loads, stores and the allocation of the result, so a goal met here is met.
"""

from __future__ import annotations

import time
from math import comb
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import hands
from benchmarks.measure import PROCESSOR_TIME, measure
from ginsim import _core, _count
from tests import reference

#: Rounds of a few milliseconds each.
ROUNDS = 101

#: Nanoseconds per hand. No goal was ever set for dense hands: they are there to be watched.
DEADWOOD_GOALS = {"random": 6.0, "mid-game": 9.0}
BEST_DISCARD_GOALS = {"random": 8.0, "mid-game": 12.0}
ALL_ELEVEN_GOALS = {"random": 60.0, "mid-game": 60.0}
LAYOFF_GOALS = {"random": 25.0, "mid-game": 25.0}
#: Seconds by the number of cards, one core.
ENUMERATION_GOALS = {10: 10.0, 11: 60.0}
#: Hands for plain Python, a thousand times slower.
NUM_PLAIN = 1 << 14

pytestmark = PROCESSOR_TIME
each_data = pytest.mark.parametrize("data", hands.DATA)


@each_data
def test_deadwood(benchmark: BenchmarkFixture, data: str) -> None:
    masks = hands.draw_hands(data, 10)
    measure(
        benchmark,
        _core.deadwoods,
        (masks,),
        work="deadwood",
        data=data,
        hands=len(masks),
        goal_ns=DEADWOOD_GOALS.get(data),
        rounds=ROUNDS,
        warmup_rounds=3,
        checksum=hands.checksum(masks),
    )


@each_data
def test_best_discard(benchmark: BenchmarkFixture, data: str) -> None:
    masks = hands.draw_hands(data, 11)
    measure(
        benchmark,
        _core.best_discards,
        (masks,),
        work="best discard",
        data=data,
        hands=len(masks),
        goal_ns=BEST_DISCARD_GOALS.get(data),
        rounds=ROUNDS,
        warmup_rounds=3,
        checksum=hands.checksum(masks),
    )


@each_data
def test_all_eleven(benchmark: BenchmarkFixture, data: str) -> None:
    masks = hands.draw_hands(data, 11)
    measure(
        benchmark,
        _core.each_discard,
        (masks,),
        work="all eleven discards",
        data=data,
        hands=len(masks),
        goal_ns=ALL_ELEVEN_GOALS.get(data),
        rounds=ROUNDS,
        warmup_rounds=3,
        checksum=hands.checksum(masks),
    )


@each_data
def test_layoff(benchmark: BenchmarkFixture, data: str) -> None:
    layoffs = hands.draw_layoffs(data)
    measure(
        benchmark,
        _core.layoffs,
        layoffs,
        work="layoff",
        data=data,
        hands=len(layoffs.defenders),
        goal_ns=LAYOFF_GOALS.get(data),
        rounds=ROUNDS,
        warmup_rounds=3,
        checksum=hands.checksum(*layoffs),
    )


@pytest.mark.parametrize("num_cards", ENUMERATION_GOALS)
def test_enumeration(benchmark: BenchmarkFixture, num_cards: int) -> None:
    """The deadwood of every hand: by symmetry of suits, one stands for up to 24."""
    num_hands, goal = comb(52, num_cards), ENUMERATION_GOALS[num_cards]
    counts, _unmelded = measure(
        benchmark,
        _count.count_deadwoods,
        (num_cards,),
        work="enumeration",
        data=f"all hands of {num_cards} cards",
        hands=num_hands,
        goal_ns=goal / num_hands * 1e9,
        goal_s=goal,
    )
    assert counts.sum() == num_hands


@each_data
def test_plain_python(benchmark: BenchmarkFixture, data: str) -> None:
    """The exact minimum by a readable method in Python against the core.

    Three rounds of three, in turn: the method of tests/reference.py and the core called once for
    each hand (mostly the cost of a call), both on the first hands of the set, and the core on the
    array of them all. The answers must agree.
    """
    masks = hands.draw_hands(data, 10)
    numbers = masks[:NUM_PLAIN].tolist()
    cards = [reference.cards_of(mask) for mask in numbers]
    plain_times, call_times, array_times = [], [], []

    def compare() -> None:
        _forget()
        start = time.process_time()
        plain = [reference.deadwood(hand) for hand in cards]
        plain_times.append(time.process_time() - start)
        start = time.process_time()
        calls = [_core.deadwood(mask) for mask in numbers]
        call_times.append(time.process_time() - start)
        start = time.process_time()
        array = _core.deadwoods(masks)
        array_times.append(time.process_time() - start)
        assert plain == calls == array[:NUM_PLAIN].tolist()

    measure(
        benchmark,
        compare,
        work="plain Python against core",
        data=data,
        hands=NUM_PLAIN,
        rounds=3,
        checksum=hands.checksum(masks),
    )
    # The best, since what compares a long time with a short one should not depend on the load.
    plain, calls = (min(times) / NUM_PLAIN * 1e9 for times in (plain_times, call_times))
    array = min(array_times) / len(masks) * 1e9
    benchmark.extra_info.update(
        ns_per_hand=median(plain_times) / NUM_PLAIN * 1e9,
        best_ns_per_hand=plain,
        best_calls_ns=calls,
        best_array_ns=array,
        ratio=plain / array,
    )


def _forget() -> None:
    """Empty the caches of the plain method, so that every round works anew."""
    for function in (reference._deadwood, reference._deadwood_of_live, reference._melds_within):
        function.cache_clear()
