"""One way to measure, and to write down, every benchmark.

A benchmark does the same work on the same data in every round. `extra_info` says what was done:
the work, the data, how many hands a round has, nanoseconds per hand (median of the rounds, and the
best), and the goal. Nothing is asserted about time: a busy machine would fail it.

What runs in one thread is measured in processor time, which on an idle machine is the time that
passes, and on a busy one leaves out most of what others cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

PROCESSOR_TIME = pytest.mark.benchmark(timer=time.process_time)


def measure(
    benchmark: BenchmarkFixture,
    function: Callable[..., Any],
    arguments: Sequence[Any] = (),
    *,
    work: str,
    data: str,
    hands: int,
    goal_ns: float | None = None,
    rounds: int = 1,
    warmup_rounds: int = 0,
    **extra: Any,
) -> Any:
    """Measure `function(*arguments)`, which works on `hands` hands, and return its result.

    Args:
        goal_ns: nanoseconds per hand; None where there is no goal.
        extra: what else to write down.
    """
    benchmark.extra_info.update(work=work, data=data, hands=hands, goal_ns=goal_ns, **extra)
    result = benchmark.pedantic(  # type: ignore[no-untyped-call]
        function, args=tuple(arguments), rounds=rounds, warmup_rounds=warmup_rounds
    )
    if benchmark.stats is not None:  # None with --benchmark-disable
        times = benchmark.stats.stats
        benchmark.extra_info["ns_per_hand"] = times.median / hands * 1e9
        benchmark.extra_info["best_ns_per_hand"] = times.min / hands * 1e9
    return result
