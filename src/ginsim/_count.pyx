# cython: language_level=3
"""Hands of a size by deadwood: all of them, up to the order of suits, or random ones."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from ginsim._core cimport (
    MAX_CARDS, best_discard_of, deadwood_of, mask_t, popcount, run_cover, set_ranks,
)
from ginsim._deck cimport STREAM_DECK, card_at, deck_t, fill_deck, key_t, stream_state


cdef struct suits_t:
    # The 13-bit masks in increasing order, grouped by their number of cards.
    int first[15]
    unsigned short masks[8192]


cdef void _fill_suits(suits_t* suits) noexcept nogil:
    cdef int count, mask, n = 0
    for count in range(14):
        suits.first[count] = n
        for mask in range(8192):
            if popcount(mask) == count:
                suits.masks[n] = mask
                n += 1
    suits.first[14] = n


# Filled once: a caller that splits the work finely would fill it again for every part.
cdef suits_t SUITS
_fill_suits(&SUITS)


cdef inline bint has_no_meld(mask_t hand) noexcept nogil:
    return run_cover(hand) == 0 and set_ranks(hand) == 0


cdef inline int64_t _orders(mask_t a, mask_t b, mask_t c, mask_t d) noexcept nogil:
    """In how many ways four suits a >= b >= c >= d can be given to the four suits."""
    if a == b:
        if b == c:
            return 1 if c == d else 4
        return 6 if c == d else 12
    if b == c:
        return 4 if c == d else 12
    return 12 if c == d else 24


def count_deadwoods(int num_cards, int first=0, int last=8192, bint after_discard=False):
    """Exact numbers of hands by deadwood, by enumeration of hands up to the order of suits.

    Counts the hands of `num_cards` (0-11) cards whose largest 13-bit suit is in
    [`first`, `last`), so that a caller can split the work; over [0, 8192) every hand of the deck
    once. With `after_discard` the deadwood is that after the best discard (1-11 cards). Returns
    (`int64` counts by least deadwood 0-110, hands without any meld).
    """
    cdef int n0, n1, n2, n3, i1, i2, i3, m0
    cdef mask_t s0, s1, s2, s3, hand
    cdef int64_t ways, unmelded = 0
    cdef int deadwood
    cdef const suits_t* suits = &SUITS
    if not 0 <= num_cards <= MAX_CARDS:
        raise ValueError(f"num_cards is 0 to {MAX_CARDS}, got {num_cards}")
    if not 0 <= first <= last <= 8192:
        raise ValueError(f"0 <= first <= last <= 8192, got {first} and {last}")
    if after_discard and not num_cards:
        raise ValueError("num_cards is 1 to 11 with after_discard, got 0")
    result = np.zeros(111, np.int64)
    cdef int64_t[::1] counts = result
    with nogil:
        for m0 in range(first, last):
            s0 = m0
            n0 = popcount(s0)
            if n0 > num_cards:
                continue
            for n1 in range(num_cards - n0 + 1):
                for i1 in range(suits.first[n1], suits.first[n1 + 1]):
                    s1 = suits.masks[i1]
                    if s1 > s0:
                        break
                    for n2 in range(num_cards - n0 - n1 + 1):
                        n3 = num_cards - n0 - n1 - n2
                        if n3 > 13 or n2 > 13:
                            continue
                        for i2 in range(suits.first[n2], suits.first[n2 + 1]):
                            s2 = suits.masks[i2]
                            if s2 > s1:
                                break
                            for i3 in range(suits.first[n3], suits.first[n3 + 1]):
                                s3 = suits.masks[i3]
                                if s3 > s2:
                                    break
                                hand = s0 | s1 << 13 | s2 << 26 | s3 << 39
                                ways = _orders(s0, s1, s2, s3)
                                if after_discard:
                                    deadwood = best_discard_of(hand, 0).deadwood
                                else:
                                    deadwood = deadwood_of(hand)
                                counts[deadwood] += ways
                                if has_no_meld(hand):
                                    unmelded += ways
    return result, unmelded


def sample_deadwoods(const uint64_t[::1] key, int num_cards, uint64_t first, uint64_t count):
    """Numbers of random hands by deadwood, one hand a deal.

    The hand of a deal is the first `num_cards` (0-11) cards of its deck (docs/engine.md), the
    card drawn is the next. Deals `first` … `first` + `count` - 1. Returns (`int64` counts by least
    deadwood 0-110; hands without any meld; the counts after the draw and the best discard, all 0
    for eleven cards, which leave no room for a draw).
    """
    cdef deck_t deck
    cdef key_t the_key
    cdef mask_t hand
    cdef uint64_t deal
    cdef int64_t unmelded = 0
    cdef int i
    if not 0 <= num_cards <= MAX_CARDS:
        raise ValueError(f"num_cards is 0 to {MAX_CARDS}, got {num_cards}")
    if key.shape[0] != 2:
        raise ValueError(f"a key has two words, got {key.shape[0]}")
    the_key.words[0] = key[0]
    the_key.words[1] = key[1]
    result = np.zeros(111, np.int64)
    drawn = np.zeros(111, np.int64)
    cdef int64_t[::1] counts = result
    cdef int64_t[::1] drawn_counts = drawn
    with nogil:
        for deal in range(first, first + count):
            fill_deck(&deck, stream_state(the_key, STREAM_DECK, deal, 0), 13)
            hand = 0
            for i in range(num_cards):
                hand |= <mask_t>1 << card_at(&deck, i)
            counts[deadwood_of(hand)] += 1
            if has_no_meld(hand):
                unmelded += 1
            if num_cards < MAX_CARDS:
                hand |= <mask_t>1 << card_at(&deck, num_cards)
                drawn_counts[best_discard_of(hand, 0).deadwood] += 1
    return result, unmelded, drawn
