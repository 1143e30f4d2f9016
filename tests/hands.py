"""Hands to test solvers on: random ones, and ones dense in melds, where solvers err."""

from __future__ import annotations

import random
from collections.abc import Iterator


def random_hand(rng: random.Random, size: int) -> int:
    """A mask of `size` cards of the whole deck."""
    return sum(1 << card for card in rng.sample(range(52), size))


def dense_hand(rng: random.Random, size: int, avoid: int = 0) -> int:
    """A mask of `size` cards from few neighbouring ranks, so that sets and runs conflict.

    Of the ways to draw: four to six ranks of all suits, two suits whole, or runs and sets put
    together card by card.
    """
    kind = rng.randrange(3)
    if kind == 0:
        width = rng.randint(4, 6)
        low = rng.randint(0, 13 - width)
        pool = [13 * suit + rank for suit in range(4) for rank in range(low, low + width)]
    elif kind == 1:
        suits = rng.sample(range(4), 2)
        pool = [13 * suit + rank for suit in suits for rank in range(13)]
    else:
        return _grown_hand(rng, size, avoid)
    pool = [card for card in pool if not avoid >> card & 1]
    if len(pool) < size:
        return _grown_hand(rng, size, avoid)
    return sum(1 << card for card in rng.sample(pool, size))


def _grown_hand(rng: random.Random, size: int, avoid: int) -> int:
    """Grow a hand by neighbours: mostly cards next to one already held, in suit or rank."""
    cards: set[int] = set()
    while len(cards) < size:
        if cards and rng.random() < 0.85:
            card = rng.choice(sorted(cards))
            rank = card % 13
            near = [13 * suit + rank for suit in range(4)]
            near += [card + 1] * (rank < 12) + [card - 1] * (rank > 0)
            card = rng.choice(near)
        else:
            card = rng.randrange(52)
        if not avoid >> card & 1:
            cards.add(card)
    return sum(1 << card for card in cards)


def many(seed: int, count: int, sizes: tuple[int, ...]) -> Iterator[int]:
    """`count` hands of the given sizes, three in four of them dense."""
    rng = random.Random(seed)
    for _ in range(count):
        make = random_hand if rng.random() < 0.25 else dense_hand
        yield make(rng, rng.choice(sizes))
