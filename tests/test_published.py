"""Play figures published for another engine, reproduced within their errors.

Source: jdh8/gin-rummy-engine, src/value.rs, n = 19,990 decisive hands of self-play of the
greedy player that knocks at 10 and lays off greedily, rules `eaai`. Ours is from 2,000,000 hands,
so the published standard error dominates. Each figure passes at |z| <= 3.3: a false alarm has a
chance of about 1 in 1000; the seed is fixed, so it would happen once.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import ginsim

HANDS = 2_000_000

pytestmark = pytest.mark.slow


def measure(rules: ginsim.Rules) -> dict[str, Any]:
    tally = ginsim.tally(rules, "greedy(layoff=greedy)", HANDS, seed=19990)
    table = ginsim.summarize(tally)
    per_win = table[table["measure"] == "points_per_win"].iloc[0]
    dead = table[(table["measure"] == "share") & (table["outcome"] == "dead")].iloc[0]
    nondealer = table[table["seat"] == "nondealer"].iloc[0]
    decisive = HANDS - dead["count"]
    share = nondealer["count"] / decisive
    return {
        "points": (per_win["value"], per_win["se"]),
        "dead": (100 * dead["value"], 100 * dead["se"]),
        "nondealer": (share, math.sqrt(share * (1 - share) / decisive)),
    }


def check(ours: tuple[float, float], published: float, published_se: float) -> None:
    z = (ours[0] - published) / math.hypot(ours[1], published_se)
    assert abs(z) <= 3.3, f"ours {ours[0]:.4f} +- {ours[1]:.4f}, z {z:.2f}"


def test_greedy_self_play() -> None:
    figures = measure(ginsim.load_rules("eaai"))
    check(figures["points"], 16.480, 0.090)
    check(figures["dead"], 0.050, 0.016)
    check(figures["nondealer"], 0.4945, 0.0035)


def test_greedy_self_play_with_smaller_bonuses() -> None:
    rules = ginsim.load_rules("eaai").replace(
        gin_bonus=20, undercut_bonus=10, clean_undercut_bonus=10
    )
    check(measure(rules)["points"], 15.827, 0.088)


@pytest.mark.parametrize(
    ("gin_bonus", "undercut_bonus", "points", "games"),
    [(25, 25, 3.5, 0.677), (25, 20, 2.0, 0.602), (20, 10, -1.35, 0.402)],
)
def test_waiting_for_gin_against_knocking_at_once(
    gin_bonus: int, undercut_bonus: int, points: float, games: float
) -> None:
    """Independent figures of `greedy(0)` against `greedy(10)`, both laying off greedily.

    Points a hand have a standard error of 0.05, which is that of some 246,000 hands (24.8 each).
    The shares of games come without one; so many hands are 30,000 games, whose share has 0.29 %.
    """
    rules = ginsim.load_rules("eaai").replace(
        gin_bonus=gin_bonus, undercut_bonus=undercut_bonus, clean_undercut_bonus=undercut_bonus
    )
    players = ("greedy(knock_at=0, layoff=greedy)", "greedy(knock_at=10, layoff=greedy)")
    hands = ginsim.duel(*players, rules, hands=HANDS, measure="points", seed=19990).table
    row: Any = hands.set_index("measure").loc["points"]
    check((row["value"], row["se"]), points, 0.05)
    played = ginsim.duel(*players, rules, 400_000, seed=19990).table
    row = played.set_index("measure").loc["games"]
    check((row["value"], row["se"]), games, 0.0029)
