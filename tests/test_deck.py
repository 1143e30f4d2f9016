"""Streams and decks: published vectors, another program's words, and uniformity."""

from __future__ import annotations

import numpy as np
import pytest

from ginsim import _deck
from tests import reference


def test_splitmix64_vector() -> None:
    """Words from seed 1234567, as published with the algorithm's reference programs."""
    # A stream's words are SplitMix64 seeded with its state; undo the keying to reach the seed.
    words = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [reference.word(1234567, n) for n in range(5)] == words


def test_streams_equal_the_twins() -> None:
    for seed, deal, hand in ((0, 0, 0), (7, 12345, 0), (2**70, 2**61, 3)):
        key = _deck.make_key(seed)
        assert tuple(int(word) for word in key) == reference.key_of(seed)
        for stream in range(4):
            state = reference.stream_state(seed, stream, deal, hand)
            expected = [reference.word(state, n) for n in range(6)]
            assert _deck.stream_words(key, stream, deal, 6, hand).tolist() == expected


@pytest.mark.parametrize("ranks", [3, 7, 9, 13])
def test_decks_equal_the_twins(ranks: int) -> None:
    key = _deck.make_key(99)
    for deal in range(300):
        assert _deck.whole_deck(key, deal, 0, ranks).tolist() == reference.deck(
            99, deal, ranks=ranks
        )
        assert _deck.second_deck_card(key, deal, 2, ranks) == reference.second_deck_card(
            99, deal, 2, ranks
        )


def test_decks_are_uniform() -> None:
    """Chi-square of card by place, and of pairs of neighbours, over 60,000 decks.

    The bounds are 4.5 standard deviations of the chi-square; the seed is fixed, so the false
    alarm happens once, when the stream changes, with a chance below 1e-4.
    """
    decks = np.array([_deck.whole_deck(_deck.make_key(5), deal) for deal in range(60_000)])
    assert (np.sort(decks, axis=1) == np.arange(52)).all()
    counts = np.array([np.bincount(decks[:, place], minlength=52) for place in range(52)])
    expected = len(decks) / 52
    chi_square = ((counts - expected) ** 2 / expected).sum()
    freedom = 51 * 51
    assert abs(chi_square - freedom) < 4.5 * np.sqrt(2 * freedom)
    # Across the border of two groups of seven, and within one.
    for place in (5, 6, 20, 47):
        pairs = decks[:, place].astype(int) * 52 + decks[:, place + 1]
        counts = np.bincount(pairs, minlength=52 * 52)
        expected = len(decks) / (52 * 51)
        chi_square = ((counts[counts > 0] - expected) ** 2 / expected).sum()
        chi_square += expected * (52 * 51 - (counts > 0).sum())
        freedom = 52 * 51 - 1
        assert abs(chi_square - freedom) < 4.5 * np.sqrt(2 * freedom)


def test_streams_do_not_depend_on_each_other() -> None:
    """Words of neighbouring deals and streams differ in about half of their bits."""
    key = _deck.make_key(1)
    words = np.array(
        [[_deck.stream_words(key, stream, deal, 3) for stream in range(4)] for deal in range(500)]
    )
    for axis in (0, 1):
        flips = np.bitwise_xor(
            np.take(words, range(1, words.shape[axis]), axis=axis),
            np.take(words, range(words.shape[axis] - 1), axis=axis),
        )
        share = np.unpackbits(flips.view(np.uint8)).mean()
        assert abs(share - 0.5) < 4.5 * 0.5 / np.sqrt(flips.size * 64)
