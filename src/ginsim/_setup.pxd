# cython: language_level=3
"""What a numbered hand is played with: rules, strategies, key, and where the decks come from."""

from libc.stdint cimport uint64_t

from ginsim._deck cimport key_t
from ginsim._hand cimport hand_t, rules_t
from ginsim._strategy cimport strategy_t


cdef struct setup_t:
    const rules_t* rules
    const strategy_t* strategies     # south's and north's, or those of A, B, C and D
    const strategy_t* tables         # of four: south's and north's, by pairing and table
    int players
    key_t key
    bint lots                        # whether a strategy may draw lots
    bint mirror
    int ranks
    int hand_size
    const unsigned char* decks       # 52 cards a deal, or NULL: dealt by the key


cdef class Setup:
    cdef setup_t data
    cdef const rules_t[::1] _rules
    cdef const strategy_t[::1] _strategies
    cdef const strategy_t[::1] _tables
    cdef const unsigned char[:, ::1] _decks
    cdef readonly object num_hands   # how many hands there are; None: as many as one likes


cdef void start_index(hand_t* hand, const setup_t* setup, uint64_t index) noexcept nogil
