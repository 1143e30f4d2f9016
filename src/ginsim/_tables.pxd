# cython: language_level=3
"""One hand of a partnership: two tables in lockstep, and the difference of their scores."""

from libc.stdint cimport uint64_t

from ginsim._hand cimport hand_t, result_t, rules_t
from ginsim._setup cimport setup_t

cdef enum:
    NUM_TABLES = 2
    # what the tables brought the pairs
    NET_BOTH = 0         # both tables to the winner of the hand
    NET_SPLIT = 1        # a table to each pair, and the greater total wins
    NET_ONE = 2          # the other table was won by nobody
    NET_LEVEL = 3        # equal totals, and a table was won
    NET_NONE = 4         # nobody won a table
    NUM_NETS = 5


cdef struct net_t:
    int kind
    int winner           # pair, -1 for none
    int points
    int boxes
    int prize_boxes


cdef struct tables_t:
    hand_t hands[NUM_TABLES]
    net_t net


cdef net_t net_of(const rules_t* rules, const result_t* first, const result_t* second,
                  bint spade) noexcept nogil
cdef void play_tables(tables_t* tables, const setup_t* setup, uint64_t deal, int hand_in_game,
                      int dealer, int pairing, const int* scores, int target) noexcept nogil
