# cython: language_level=3
"""Turns played ahead: a shortcut for players who take what improves the hand and throw for least
deadwood.

The general engine asks, carries out and notes each decision. Nearly all turns of such players need
only the cards that are in no meld, and these change by little from turn to turn. `play_ahead` plays
turn after turn by them alone, and stops before a turn that it does not understand. The engine then
plays that one (`_hand.play_turns`), and both give the same hands (tests/test_shortcuts.py).

A hand is known by its *leaves* (`_core.search_sets`): the cards left loose if the ranks for which
sets and runs compete go to the sets, or to the runs. Where they do not compete there is one leaf;
where they do, it is mostly for three cards of one rank, and there are two.
"""

from ginsim._core cimport mask_t
from ginsim._deck cimport deck_t


cdef enum:
    # Beside a number of leaves, 1 or 2.
    LEAVES_UNKNOWN = 0
    LEAVES_MANY = 3
    # Why `play_ahead` stopped.
    STOP_TURN = 0        # the turn of the seat to act is for the engine
    STOP_LOW = 1         # the seat to act gets `found`, and may end the hand
    STOP_DONE = 2        # as many turns as were asked for are played
    STOP_PASS = 3        # the upcard was passed (`play_any_turn` only)


cdef struct leaves_t:
    int count
    mask_t loose[2]      # the loose cards of each leaf
    int pips[2]          # and their pips, where there are two leaves


cdef struct seat_t:
    # A player as far as he matters here.
    mask_t hand
    int deadwood         # -1 if unknown
    int knocks_at        # the engine is asked with this deadwood or less
    leaves_t leaves
    int turns            # played ahead
    int pile_draws       # in these
    int knock_turn       # the first of them on which he might have knocked, from 1; 0 for none


cdef struct found_t:
    # What a card makes of a hand.
    int card
    bint from_pile
    int deadwood         # least, after a discard
    mask_t dearest       # the discards of the highest pips that leave it
    leaves_t leaves      # of the hand with the card


cdef struct ahead_t:
    # A hand being played ahead.
    seat_t seats[2]
    int seat             # to act
    bint opening         # the upcard is still offered, or was passed twice and is out of play
    int offers           # seats that have passed the upcard
    int top              # the pile's top card
    int next_card        # position of the stock's top in the deck
    int last_card        # position of the first card that cannot be drawn here
    deck_t* deck
    int pile_draws_left  # that can be played here
    int knock_limit
    found_t found        # with STOP_LOW


cdef int play_ahead(ahead_t* ahead, int most) noexcept nogil

# Named here so that the compiler leaves them out of the loop of `play_ahead`.
cdef bint search(mask_t cards, mask_t forbidden, found_t* found) noexcept nogil
cdef bint join_rivals(mask_t cards, mask_t forbidden, mask_t covered, mask_t sets,
                      found_t* found) noexcept nogil
cdef void study_leaves(seat_t* seat) noexcept nogil
cdef bint may_end(const ahead_t* ahead, seat_t* seat, int deadwood) noexcept nogil
cdef void throw_found(ahead_t* ahead, seat_t* seat) noexcept nogil
cdef int play_any_turn(ahead_t* ahead) noexcept nogil
