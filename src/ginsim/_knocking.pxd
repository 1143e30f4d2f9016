# cython: language_level=3
"""Chances to knock: both moves tried from the same point of the same hand."""

from ginsim._hand cimport choice_t, hand_t
from ginsim._setup cimport setup_t


cdef enum:
    # More than the chances of one seat in a hand: its turns, and the wall.
    MOST_CHANCES = 168


cdef struct branch_t:
    # How a hand ends, seen from the seat that had the chance.
    int net                  # its points minus the opponent's
    int outcome
    int winner               # 0 this seat, 1 the opponent, 2 nobody
    int knocker              # likewise


cdef struct chance_t:
    # The cell, all of which the seat sees.
    int turn
    int deadwood
    int pick_ups             # of the opponent
    int own_pick_ups
    int stock
    int limit
    bint is_on_policy        # the policy passes at all earlier chances of the hand
    bint knocks              # the policy knocks here
    bint at_wall             # it is the last discard that would be taken
    branch_t knock
    branch_t play


cdef struct options_t:
    # The two moves of a chance.
    bint at_wall
    bint knocks
    int deadwood
    int card_to_knock
    int card_to_discard


cdef bint find_chance(hand_t* hand, const setup_t* setup, options_t* options) noexcept nogil
cdef int record_chances(hand_t* hand, const setup_t* setup, int seat, bint replay,
                        chance_t* chances, branch_t* end) noexcept nogil
