"""The shortcuts of whole hands against the plain solvers: a card more, spreads, decks."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from ginsim import _ahead, _batch, _core, _deck
from ginsim._setup import Setup
from ginsim.rules import load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record
from tests import hands

Turn = tuple[int, bool, int]


def short_deck(ranks: int) -> list[int]:
    return [13 * suit + rank for suit in range(4) for rank in range(ranks)]


def mask_of(cards: tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


def dearest_of(cards: int) -> tuple[int, int]:
    """Those of the highest pips, and these pips."""
    most = max(_core.pips(1 << card) for card in range(52) if cards >> card & 1)
    return sum(
        1 << card for card in range(52) if cards >> card & 1 and _core.pips(1 << card) == most
    ), most


def check_turn(hand: int, card: int, barred: bool, found: tuple[object, ...]) -> None:
    """Hold what the shortcuts tell of hand and card to the plain solver."""
    takes, *rest = found
    eleven = hand | 1 << card
    deadwood, best, _, all_melded = _core.best_discard(eleven, 1 << card if barred else 0)
    assert rest == [deadwood, best, *dearest_of(best), all_melded], (hand, card, barred)
    if takes is not None:
        taken = _core.best_discard(eleven, 1 << card)[0]
        assert takes is (taken < _core.deadwood(hand)), (hand, card)


@pytest.mark.parametrize(("ranks", "size"), [(3, 1), (3, 5), (4, 3), (4, 6), (4, 10), (5, 4)])
def test_every_hand_of_a_short_deck_with_every_card(ranks: int, size: int) -> None:
    deck = short_deck(ranks)
    for cards in combinations(deck, size):
        hand = mask_of(cards)
        for card in deck:
            if hand >> card & 1:
                continue
            turns = [(card, False, card), (card, True, cards[0]), (cards[0], False, cards[0])]
            found = _core.follow_hand(hand, turns)
            check_turn(hand, card, False, found[0])
            check_turn(hand, card, True, found[1])
            left = hand ^ 1 << card ^ 1 << cards[0]
            check_turn(left, cards[0], False, found[2])


@pytest.mark.parametrize("ranks", [3, 5, 7, 13])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 10])
def test_hands_followed_over_many_turns(ranks: int, size: int) -> None:
    """What is noted of a hand holds after any discard: the best, the card drawn, or any other."""
    rng = random.Random(100 * ranks + size)
    deck = short_deck(ranks)
    if size + 1 >= len(deck):
        pytest.skip("no card left to draw")
    for _ in range(300):
        hand = start = mask_of(tuple(rng.sample(deck, size)))
        turns: list[Turn] = []
        held = [hand]
        for _ in range(20):
            card = rng.choice([card for card in deck if not hand >> card & 1])
            barred = rng.random() < 0.3
            eleven = hand | 1 << card
            allowed = [c for c in deck if eleven >> c & 1 and not (barred and c == card)]
            kind = rng.random()
            if kind < 0.6:
                thrown = _core.best_discard(eleven, 1 << card if barred else 0)[2]
            elif kind < 0.8 and not barred:
                thrown = card
            else:
                thrown = rng.choice(allowed)
            turns.append((card, barred, thrown))
            hand = eleven ^ 1 << thrown
            held.append(hand)
        found = _core.follow_hand(start, turns)
        for before, (card, barred, _), told in zip(held, turns, found, strict=False):
            check_turn(before, card, barred, told)


def test_cards_drawn_to_dense_hands() -> None:
    """Hands in which sets and runs compete, where nothing but the search is exact."""
    rng = random.Random(3)
    for hand in hands.many(31, 6000, (10, 10, 9, 7)):
        for card in rng.sample([card for card in range(52) if not hand >> card & 1], 6):
            (told,) = _core.follow_hand(hand, [(card, False, card)])
            check_turn(hand, card, False, told)
            # Once more, now that the hand is known, with the card barred.
            first = (hand & -hand).bit_length() - 1
            told = _core.follow_hand(hand, [(card, False, card), (card, True, first)])[1]
            check_turn(hand, card, True, told)


def first_of_fewest_sets(hand: int) -> tuple[int, ...]:
    """By going through all arrangements of least deadwood."""

    def cost(melds: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        sets = [meld for meld in melds if meld.bit_count() <= 4 and len(ranks_of(meld)) == 1]
        return len(sets), len(melds), melds

    return min(_core.arrangements(hand), key=cost)


def ranks_of(cards: int) -> set[int]:
    return {card % 13 for card in range(52) if cards >> card & 1}


def check_leaves(hand: int, turns: list[tuple[int, bool]], seen: Counter[int]) -> int | None:
    """Hold what the leaves tell of each turn to the plain solver; the hand at the end."""
    for (card, barred), found in zip(turns, _ahead.follow_leaves(hand, turns), strict=False):
        eleven = hand | 1 << card
        deadwood, best, lowest, all_melded = _core.best_discard(eleven, 1 << card if barred else 0)
        if found is None:
            # The engine is asked if all can be melded, or no loose card may be thrown.
            assert all_melded or deadwood >= _core.deadwood(hand), (hand, card)
            seen[-1] += 1
            return None
        leaves, *rest = found
        seen[leaves] += 1
        assert rest == [deadwood, dearest_of(best)[0]], (hand, card, barred)
        hand = eleven ^ 1 << lowest
    return hand


@pytest.mark.parametrize(("ranks", "size"), [(3, 1), (3, 5), (4, 3), (4, 6), (4, 10), (5, 4)])
def test_leaves_of_every_hand_of_a_short_deck_with_every_card(ranks: int, size: int) -> None:
    deck = short_deck(ranks)
    seen: Counter[int] = Counter()
    for cards in combinations(deck, size):
        hand = mask_of(cards)
        for card in deck:
            if not hand >> card & 1:
                for barred in (False, True):
                    check_leaves(hand, [(card, barred)], seen)
    assert seen[1] > 100


@pytest.mark.parametrize("ranks", [4, 5, 7, 13])
def test_leaves_followed_over_many_turns(ranks: int) -> None:
    """What is kept of a hand from turn to turn is what would be found of it anew."""
    rng = random.Random(ranks)
    deck = short_deck(ranks)
    seen: Counter[int] = Counter()
    for _ in range(3000):
        hand = held = mask_of(tuple(rng.sample(deck, 10)))
        turns: list[tuple[int, bool]] = []
        for _ in range(12):
            card = rng.choice([card for card in deck if not held >> card & 1])
            turns.append((card, rng.random() < 0.3))
            found = _ahead.follow_leaves(hand, turns)[-1]
            if found is None:
                break
            held = (held | 1 << card) ^ (found[2] & -found[2])
        assert check_leaves(hand, turns, seen) in (held, None)
    assert all(seen[leaves] > 100 for leaves in (1, 2, 3))


@pytest.mark.parametrize(("ranks", "sizes"), [(3, range(1, 13)), (4, range(1, 11)), (5, (6,))])
def test_spreads_of_every_hand_of_a_short_deck(ranks: int, sizes: range) -> None:
    for size in sizes:
        if size > 11:
            continue
        for cards in combinations(short_deck(ranks), size):
            hand = mask_of(cards)
            assert _core.fewest_sets(hand) == first_of_fewest_sets(hand), hand


def test_spreads_of_dense_hands() -> None:
    for hand in hands.many(32, 20_000, (10, 11)):
        assert _core.fewest_sets(hand) == first_of_fewest_sets(hand), hand


def test_decks_drawn_by_the_written_rule() -> None:
    """Groups of seven from one word each, as docs/engine.md says, for every size of deck."""
    key = _deck.make_key(5)
    for ranks in range(1, 14):
        for deal in range(40):
            words = iter(_deck.stream_words(key, 0, deal, 30).tolist())
            left = short_deck(ranks)
            drawn: list[int] = []
            while left:
                count = min(7, len(left))
                product = 1
                for i in range(count):
                    product *= len(left) - i
                word = next(words)
                places, rest = [], word
                for i in range(count):
                    scaled = rest * (len(left) - i)
                    places.append(scaled >> 64)
                    rest = scaled % 2**64
                if rest < 2**64 % product:
                    continue
                for place in places:
                    drawn.append(left[place])
                    left[place] = left[-1]
                    left.pop()
            assert _deck.whole_deck(key, deal, ranks=ranks).tolist() == drawn
            assert np.array_equal(np.sort(drawn), np.array(short_deck(ranks)))


#: Rules under which a shortcut might go wrong: limits, bars, bounds, walls, deals.
RULES = (
    "kawu",
    "classic",
    "hollywood",
    "openspiel",
    "straight",
    "kawu+oklahoma+ace-gin",
    "casual(big_gin_bonus=off)",
    "kawu(max_pile_draws=3)",
    "kawu(dead_at=14, wall=fiftieth)",
    "casual(deal=eleven, give_back_limit=1, max_pile_draws=4)",
)


@pytest.mark.parametrize("rules", RULES)
def test_hands_with_and_without_shortcuts(rules: str) -> None:
    """Batches play turns that are plain by a shortcut; everything else by the whole engine."""
    full = load_rules(rules)
    for south, north in (
        ("greedy", "greedy"),
        ("greedy(knock_at=0)", "greedy(knock_at=3)"),
        ("greedy", "simple"),
        (Strategy(upcard="meld", draw="meld", spread="random"), "greedy(layoff=none)"),
    ):
        for ranks, size in ((13, 10), (9, 10), (7, 10), (5, 6), (13, 7)):
            players = (parse_strategy(south), parse_strategy(north))
            try:
                setup = Setup(
                    rules_record(full),
                    strategies_record(players),
                    _deck.make_key(5),
                    ranks=ranks,
                    hand_size=size,
                )
            except ValueError:  # the stock is too small for these rules
                continue
            count = 4000
            found = [
                (
                    np.zeros((len(_batch.BYTE_COLUMNS), count), np.int8),
                    np.zeros((len(_batch.SHORT_COLUMNS), count), np.int16),
                )
                for _ in range(2)
            ]
            for whole, (small, large) in enumerate(found):
                _batch.fill_records(setup, 0, small, large, 0, count, full=bool(whole))
            assert (found[0][0] == found[1][0]).all()
            assert (found[0][1] == found[1][1]).all()
