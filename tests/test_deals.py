"""How hands are dealt: exact counts, and samples held against them.

Sources: the ten-card and eleven-card numbers are published counts, shared by several independent
enumerations; small hands are counted by hand or by brute force over all of them.
"""

from __future__ import annotations

import math
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

import ginsim
from ginsim import _count
from ginsim.dealing import Deals, Distribution
from ginsim.intervals import estimate_share
from tests import reference


def brute(num_cards: int, after_discard: bool = False) -> list[int]:
    """Hands by deadwood, one by one."""
    counts = [0] * 111
    for cards in combinations(range(52), num_cards):
        hand = frozenset(cards)
        if after_discard:
            counts[min(reference.discard_deadwoods(hand).values())] += 1
        else:
            counts[reference.deadwood(hand)] += 1
    return counts


# ---------------------------------------------------------------- exact


def test_one_card_by_hand() -> None:
    found = ginsim.deals(1, exact=True)
    assert (found.cards, found.exact, found.hands) == (1, True, 52)
    assert found.dealt.counts[:11] == (0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
    assert found.no_meld == 52
    # Aces to nines 4 * 45, ten to king 16 * 10.
    assert found.dealt.mean.value == 340 / 52
    squares = 4 * sum(pips**2 for pips in range(1, 10)) + 16 * 100
    assert found.dealt.sd == pytest.approx(math.sqrt(squares / 52 - (340 / 52) ** 2), rel=1e-12)
    # Of two cards the lower stays. Pairs of tens: C(16, 2); of nines and better: C(20, 2).
    assert found.drawn is not None
    assert found.drawn.hands == comb(52, 2)
    assert found.drawn.counts[10] == comb(16, 2)
    assert found.drawn.counts[9] == comb(20, 2) - comb(16, 2)
    assert found.provenance == {"ginsim": ginsim.__version__, "cards": 1, "exact": True}


def test_few_cards_by_brute_force() -> None:
    found = ginsim.deals(2, exact=True, threads=2)
    assert list(found.dealt.counts) == brute(2)
    assert found.drawn is not None
    assert list(found.drawn.counts) == brute(3, after_discard=True)
    # Three cards: 13 * 4 sets and 4 * 11 runs.
    three = ginsim.deals(3, exact=True, draw=False)
    assert list(three.dealt.counts) == brute(3)
    assert three.no_meld == comb(52, 3) - 96
    assert three.drawn is None


def test_ten_cards() -> None:
    told: list[tuple[int, int]] = []
    found = ginsim.deals(10, exact=True, draw=False, progress=lambda *pair: told.append(pair))
    dealt = found.dealt
    assert found.hands == 15_820_024_220
    assert dealt.count_at_most(0) == 136_694
    assert found.no_meld == 9_525_123_396
    assert found.without_meld.value == 9_525_123_396 / 15_820_024_220
    assert round(dealt.mean.value, 6) == 56.569434
    assert round(dealt.sd, 6) == 13.791189
    assert float(f"{dealt.knock(10).value:.6g}") == 6.45528e-4
    assert dealt.gin.value == 136_694 / 15_820_024_220
    # An exact figure has no interval.
    assert dealt.knock().low == dealt.knock().high == dealt.knock().value
    assert (dealt.mean.se, dealt.gin.se) == (0, 0)
    assert told[-1] == (15_820_024_220, 15_820_024_220)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.slow
def test_ten_cards_after_a_draw() -> None:
    found = ginsim.deals(10, exact=True)
    assert found.drawn is not None
    assert found.drawn.hands == comb(52, 11) == 60_403_728_840
    assert found.drawn.count_at_most(0) == 5_379_372
    assert float(f"{found.drawn.knock(10).value:.7g}") == 4.122348e-3


@pytest.mark.slow
def test_eleven_cards() -> None:
    found = ginsim.deals(11, exact=True)
    assert found.drawn is None  # there is no twelfth card to draw
    assert found.dealt.count_at_most(0) == 147_204
    assert found.hands == 60_403_728_840


def test_threads_do_not_matter() -> None:
    assert ginsim.deals(5, exact=True, threads=1) == ginsim.deals(5, exact=True, threads=3)


# ---------------------------------------------------------------- sampled


@pytest.mark.parametrize("num_cards", [1, 4, 10, 11])
def test_a_sample_is_of_the_keyed_deck(num_cards: int) -> None:
    hands = 200
    found = ginsim.deals(num_cards, hands=hands, seed=5)
    dealt, drawn, no_meld = [0] * 111, [0] * 111, 0
    for deal in range(hands):
        deck = reference.deck(5, deal)
        cards = frozenset(deck[:num_cards])
        dealt[reference.deadwood(cards)] += 1
        no_meld += not reference.melds_within(cards)
        if num_cards < 11:
            after = reference.discard_deadwoods(cards | {deck[num_cards]})
            drawn[min(after.values())] += 1
    assert list(found.dealt.counts) == dealt
    assert found.no_meld == no_meld
    if num_cards == 11:
        assert found.drawn is None
    else:
        assert found.drawn is not None
        assert list(found.drawn.counts) == drawn


def test_a_sample_can_be_made_again() -> None:
    first = ginsim.deals(10, hands=30_000, seed=1, threads=1)
    assert ginsim.deals(10, hands=30_000, seed=1, threads=3) == first
    assert ginsim.deals(10, hands=30_000, seed=2) != first
    assert first.provenance == {
        "ginsim": ginsim.__version__,
        "stream": ginsim.STREAM_VERSION,
        "cards": 10,
        "exact": False,
        "hands": 30_000,
        "seed": 1,
    }
    drawn = ginsim.deals(10, hands=100)
    assert ginsim.deals(10, hands=100, seed=drawn.provenance["seed"]) == drawn
    assert ginsim.deals(10, hands=100).provenance["seed"] != drawn.provenance["seed"]


def test_a_sample_is_near_the_exact_figures() -> None:
    """With this seed for ever the same; for a seed drawn anew each of the five comparisons would
    fail with a chance of 6e-7 (five standard errors)."""
    found = ginsim.deals(10, hands=400_000, seed=9)
    assert found.drawn is not None
    for share, exact in (
        (found.without_meld, 9_525_123_396 / 15_820_024_220),
        (found.dealt.knock(10), 6.45528e-4),
        (found.drawn.knock(10), 4.122348e-3),
    ):
        assert abs(share.value - exact) < 5 * math.sqrt(exact * (1 - exact) / 400_000)
        assert share.low < share.value < share.high
    assert abs(found.dealt.mean.value - 56.569434) < 5 * 13.791189 / math.sqrt(400_000)
    assert abs(found.dealt.sd - 13.791189) < 5 * 13.791189 / math.sqrt(2 * 400_000)


def test_sampled_shares_have_wilson_intervals() -> None:
    found = ginsim.deals(10, hands=1000, seed=3)
    count = found.dealt.count_at_most(40)
    # Wilson 1927, written out.
    z, n, p = 1.959963984540054, 1000, count / 1000
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    share = found.dealt.knock(40)
    assert (share.low, share.high) == pytest.approx((centre - half, centre + half), rel=1e-12)
    assert share == estimate_share(count, 1000)


def test_one_hand_has_no_deviation() -> None:
    found = ginsim.deals(10, hands=1, seed=1)
    assert math.isnan(found.dealt.sd)
    assert math.isnan(found.dealt.mean.se)


def test_a_distribution_by_hand() -> None:
    """Deadwood 0, 1, 1, 4: mean 1.5, squares 18, variance 18/4 - 9/4 of all, 9/3 of a sample."""
    counts = (1, 2, 0, 0, 1, *[0] * 106)
    everything, sample = Distribution(counts, True), Distribution(counts, False)
    assert everything.hands == 4
    assert everything.mean.value == sample.mean.value == 1.5
    assert everything.sd == 1.5
    assert sample.sd == math.sqrt(3)
    assert sample.mean.se == pytest.approx(math.sqrt(3 / 4))
    assert [everything.count_at_most(limit) for limit in (-1, 0, 1, 3, 4, 200)] == [
        0,
        1,
        3,
        3,
        4,
        4,
    ]


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cards": 0}, "cards: 0 is not allowed; allowed: a whole number from 1 to 11"),
        ({"cards": 12}, "cards: 12 is not allowed"),
        ({"cards": 2.5}, "cards: 2.5 is not allowed"),
        ({"hands": 0}, "hands: 0 is not allowed; allowed: a whole number from 1"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"threads": 0}, "threads: 0 is not allowed"),
        ({"exact": True, "hands": 5}, "hands: 5 is not allowed; allowed: nothing with exact"),
        ({"exact": True, "seed": 5}, "seed: 5 is not allowed; allowed: nothing with exact"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ginsim.OptionError, match=words):
        ginsim.deals(**arguments)


def test_the_core_checks_sizes() -> None:
    key = np.zeros(2, np.uint64)
    with pytest.raises(ValueError, match="num_cards is 0 to 11, got 12"):
        _count.sample_deadwoods(key, 12, 0, 1)
    with pytest.raises(ValueError, match="a key has two words, got 1"):
        _count.sample_deadwoods(key[:1], 10, 0, 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interruption_ends_the_count(threads: int) -> None:
    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ginsim.deals(10, exact=True, threads=threads, progress=interrupt)


def test_progress_of_a_sample() -> None:
    told: list[tuple[int, int]] = []
    found = ginsim.deals(3, hands=20_000, seed=1, progress=lambda *pair: told.append(pair))
    assert isinstance(found, Deals)
    assert told[-1] == (20_000, 20_000)
