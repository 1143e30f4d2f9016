"""The compiled engine against its slow twin, event by event."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ginsim.rulefiles import list_modifiers
from tests import twin

#: Hands for each named rule set and pair of strategies in the fast suite. Each strategy is in
#: five pairs, so it plays 30 hands under every rule set.
HANDS = 6
SEED = 20261129


def play_all(hands: int, seed: int, short: bool) -> Counter[str]:
    """All rule sets and pairs, `hands` hands each, half of them on short decks if `short`."""
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for rules in twin.named_rules():
        for pair in twin.all_pairs():
            for _ in range(hands):
                ranks = rng.choice((13, 13, 13, 7, 8, 9)) if short else 13
                outcomes[
                    twin.check_hand(
                        rules,
                        pair,
                        rng.randrange(2**40),
                        rng.randrange(2**50),
                        mirror=rng.random() < 0.3,
                        ranks=ranks,
                    )
                ] += 1
    return outcomes


def play_random_rules(hands: int, seed: int) -> Counter[str]:
    """Rule sets with every field drawn, decks of 7 to 13 ranks, hands of 7 to 10 cards."""
    rng = random.Random(seed)
    pairs = twin.all_pairs()
    outcomes: Counter[str] = Counter()
    for _ in range(hands):
        outcomes[
            twin.check_hand(
                twin.random_rules(rng),
                rng.choice(pairs),
                rng.randrange(2**40),
                rng.randrange(2**50),
                mirror=rng.random() < 0.3,
                ranks=rng.choice((13, 13, 7, 8, 9)),
                hand_size=rng.choice((10, 10, 10, 8, 7, 5)),
            )
        ] += 1
    return outcomes


def test_named_rules_and_strategies_play_alike() -> None:
    modifiers = {part for name in twin.MODIFIED for part in name.split("+")[1:]}
    # `hollywood` as a modifier changes games only.
    assert modifiers == {*list_modifiers()} - {"hollywood"}
    names = Counter(player.name for pair in twin.all_pairs() for player in {*pair})
    assert min(names.values()) * HANDS >= 30
    outcomes = play_all(HANDS, SEED, short=True)
    assert {"knock", "gin", "undercut", "clean_undercut", "dead"} <= set(outcomes)


def test_drawn_rules_play_alike() -> None:
    outcomes = play_random_rules(2300, SEED)
    assert {"knock", "gin", "big_gin", "undercut", "tie", "dead"} <= set(outcomes)


@pytest.mark.slow
def test_two_hundred_thousand_hands_play_alike() -> None:
    rules = len(twin.named_rules()) * len(twin.all_pairs())
    outcomes = play_all(120_000 // rules + 1, SEED + 1, short=True)
    outcomes += play_random_rules(80_000, SEED + 1)
    assert outcomes.total() >= 200_000
