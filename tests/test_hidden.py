"""No decision depends on what a player cannot see."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from ginsim import _batch, _core, _deck, _position
from ginsim._setup import Setup
from ginsim.rules import load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record
from tests import twin

Decide = Callable[[_position.Hand, Any], tuple[Any, ...]]

#: Decisions in the fast suite.
DECISIONS = 100_000
#: All but who says that it cheats.
PLAYERS = [parse_strategy(name) for name in twin.STRATEGIES]
PLAYERS += [player for player in twin.MIXTURES if player.cheats == "no"]
#: Searches, and their opponents; the draws of few play-outs show best what they depend on.
SEARCHES = [
    parse_strategy("rollout(3)"),
    parse_strategy("rollout(2, simple, simple, candidates=2, steps=0, caution=0)"),
    parse_strategy("rollout(2, random, base, candidates=11, steps=1, caution=0)"),
    parse_strategy("simple"),
]


class SawHiddenCardsError(AssertionError):
    """A decision changed when only hidden cards did."""


def by_strategy(hand: _position.Hand, pair: Any) -> tuple[Any, ...]:
    """What the seat's strategy does."""
    return tuple(hand.decide(pair))


def check_hand(
    rng: random.Random, setup: Setup, pair: Any, index: int, decide: Decide
) -> Counter[str]:
    """Play one hand of a batch; at each decision shuffle the hidden cards and ask again."""
    hand = _position.Hand.start(setup, index)
    kinds: Counter[str] = Counter()
    while hand.phase != "over":
        action = decide(hand, pair)
        unknown, stock = hand.hidden()
        cards = unknown + stock
        rng.shuffle(cards)
        if decide(hand.with_hidden(cards), pair) != action:
            raise SawHiddenCardsError(f"{action} in phase {hand.phase} of hand {index}")
        kinds[f"phase {hand.phase}"] += 1
        kinds[str(action[0])] += 1
        hand.apply(action)
    if decide is by_strategy:
        # These were the decisions of the batch, not only of this loop.
        assert (hand.events == _batch.trace_hand(setup, index)).all()
    return kinds


def check_decisions(
    count: int, seed: int, decide: Decide, players: Sequence[Strategy] = PLAYERS
) -> Counter[str]:
    """At least `count` decisions over all rule sets and strategies."""
    rng = random.Random(seed)
    rules = [rules_record(each) for each in twin.named_rules()]
    # The wall and big gin are rare by nature: one hand in six by rules that come to it early.
    early = rules_record(load_rules("modern").replace(wall="fiftieth", dead_at=20))
    rules += [early] * (len(rules) // 4)
    kinds: Counter[str] = Counter()
    while sum(times for kind, times in kinds.items() if kind.startswith("phase")) < count:
        drawn = rng.random() < 0.3
        record = rules_record(twin.random_rules(rng)) if drawn else rng.choice(rules)
        pair: tuple[Strategy, Strategy] = (rng.choice(players), rng.choice(players))
        key = _deck.make_key(rng.randrange(2**32))
        records = strategies_record(pair)
        setup = Setup(record, records, key)
        kinds += check_hand(rng, setup, records, rng.randrange(2**40), decide)
    return kinds


def test_shuffling_hidden_cards_changes_no_action() -> None:
    kinds = check_decisions(DECISIONS, seed=1, decide=by_strategy)
    for kind in (
        "phase upcard",
        "phase draw",
        "phase discard",
        "phase spread",
        "phase layoff",
        "pass",
        "draw_pile",
        "draw_stock",
        "discard",
        "knock",
        "spread",
        "lay_off",
    ):
        assert kinds[kind] >= 500, (kind, kinds)
    for kind in ("phase wall", "decline", "big_gin"):
        assert kinds[kind] >= 3, (kind, kinds)


def test_shuffling_hidden_cards_changes_no_search() -> None:
    kinds = check_decisions(6_000, seed=3, decide=by_strategy, players=SEARCHES)
    for kind in ("phase upcard", "phase draw", "phase discard", "draw_pile", "discard", "knock"):
        assert kinds[kind] >= 80, (kind, kinds)


def knock_by_the_other_hand(hand: _position.Hand, pair: Any) -> tuple[Any, ...]:
    """A cheat: knocks when the other hand has much deadwood, which it cannot know."""
    action = by_strategy(hand, pair)
    knocks = [each for each in hand.legal() if each[0] == "knock"]
    if not knocks:
        return action
    return tuple(knocks[0]) if _core.deadwood(hand.hands[1 - hand.seat]) > 30 else action


def draw_by_the_stock(hand: _position.Hand, pair: Any) -> tuple[Any, ...]:
    """A cheat: draws from the stock if its next card is low."""
    if ("draw_stock",) in hand.legal() and ("draw_pile",) in hand.legal():
        return ("draw_stock",) if hand.hidden()[1][0] % 13 < 4 else ("draw_pile",)
    return by_strategy(hand, pair)


@pytest.mark.parametrize("cheat", [knock_by_the_other_hand, draw_by_the_stock])
def test_a_planted_cheat_is_caught(cheat: Decide) -> None:
    with pytest.raises(SawHiddenCardsError):
        check_decisions(5_000, seed=2, decide=cheat)


def test_only_the_cheat_that_is_called_one_looks() -> None:
    """And it does: with `cheats` a spread changes with the defender's hand."""
    cheats = [player for player in twin.MIXTURES if player.cheats == "yes"]
    assert [player.spread for player in cheats] == ["clairvoyant"]
    rules = rules_record(load_rules("kawu"))
    records = strategies_record((cheats[0], cheats[0]))
    rng = random.Random(3)
    setup = Setup(rules, records, _deck.make_key(4))

    def play() -> None:
        for index in range(2_000):
            check_hand(rng, setup, records, index, by_strategy)

    with pytest.raises(SawHiddenCardsError, match="in phase spread"):
        play()


def test_what_is_hidden() -> None:
    """The opponent's cards but for those he took openly, and the stock in its order."""
    rules = rules_record(twin.named_rules()[0])
    deck = list(range(52))
    hand = _position.Hand(rules, deck, 0)
    unknown, stock = hand.hidden()
    # North, the non-dealer, acts: south holds 1, 3 … 19, card 20 is the upcard.
    assert unknown == list(range(1, 20, 2))
    assert stock == list(range(21, 52))
    hand.apply(("draw_pile",)).apply(("discard", 0))
    # South acts: the king-side card that north took is known.
    unknown, stock = hand.hidden()
    assert unknown == [2, 4, 6, 8, 10, 12, 14, 16, 18]
    with pytest.raises(ValueError, match="not the hidden cards"):
        hand.with_hidden([0, 1])
    other = hand.with_hidden(stock[:9] + unknown + stock[9:])
    assert other.hands[1] == sum(1 << card for card in [20, *stock[:9]])
    assert other.hands[0] == hand.hands[0]
    assert np.array_equal(hand.events, other.events)
