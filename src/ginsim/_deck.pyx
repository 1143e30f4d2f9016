# cython: language_level=3
"""The deck as Python sees it: whole decks, knock cards and words of any stream."""

from libc.string cimport memcpy

import numpy as np

# The number of the conventions in docs/engine.md marked **stream**: it is part of every result's
# provenance, and grows when the same seed would give other hands.
STREAM_VERSION = 1

cdef unsigned char FULL[64]
cdef int _card
for _card in range(64):
    FULL[_card] = _card


cdef void fill_deck(deck_t* deck, uint64_t state, int ranks) noexcept nogil:
    """Gather the deck's cards in increasing order, none dealt yet."""
    cdef int suit, rank, n
    if ranks == 13:
        memcpy(deck.left, FULL, 64)
        n = 52
    else:
        n = 0
        for suit in range(4):
            for rank in range(ranks):
                deck.left[n] = suit * 13 + rank
                n += 1
    deck.num_left = n
    deck.dealt = 0
    deck.state = state
    deck.words_used = 0


cdef int knock_card_of(uint64_t state, int ranks) noexcept nogil:
    """The top card of a freshly shuffled second deck."""
    cdef deck_t deck
    fill_deck(&deck, state, ranks)
    while True:
        deck.words_used += 1
        if draw_group(&deck, mix(state + GAMMA * deck.words_used), 1):
            return deck.cards[0]


cdef key_t _key(key) except *:
    cdef key_t result
    result.words[0] = key[0]
    result.words[1] = key[1]
    return result


def make_key(seed):
    """The 128-bit key of a seed, two `uint64` words."""
    return np.random.SeedSequence(seed).generate_state(2, np.uint64)


def stream_words(key, int stream, deal, int count, hand_in_game=0):
    """The first `count` words of a stream, `uint64`."""
    cdef uint64_t state = stream_state(_key(key), stream, deal, hand_in_game)
    cdef int n
    result = np.empty(count, np.uint64)
    cdef uint64_t[::1] out = result
    for n in range(count):
        out[n] = mix(state + GAMMA * <uint64_t>(n + 1))
    return result


def whole_deck(key, deal, hand_in_game=0, int ranks=13):
    """The cards of a deal's deck in their order, `uint8`, shape (4 * ranks,)."""
    cdef deck_t deck
    cdef int i
    if not 1 <= ranks <= 13:
        raise ValueError(f"ranks is 1 to 13, got {ranks}")
    fill_deck(&deck, stream_state(_key(key), STREAM_DECK, deal, hand_in_game), ranks)
    result = np.empty(4 * ranks, np.uint8)
    cdef unsigned char[::1] out = result
    for i in range(4 * ranks):
        out[i] = card_at(&deck, i)
    return result


def second_deck_card(key, deal, hand_in_game=0, int ranks=13):
    """The knock card that a second deck shows at a deal."""
    return knock_card_of(stream_state(_key(key), STREAM_SECOND_DECK, deal, hand_in_game), ranks)
