# cython: language_level=3
"""Search by play-outs (docs/engine.md, "Search"): hidden cards drawn, hands played to the end."""

from libc.stdint cimport int64_t, uint64_t

from ginsim._core cimport mask_t
from ginsim._deck cimport deck_t
from ginsim._hand cimport hand_t
from ginsim._strategy cimport NUM_LIMITS, strategy_t


cdef enum:
    # Big gin, and knocks and discards with each of eleven cards.
    MOST_ACTIONS = 23


cdef struct hidden_t:
    # What the seat to act does not see, as far as it is known.
    mask_t unseen            # the opponent's unknown cards and the stock, together
    mask_t known             # the opponent's cards that he took openly
    mask_t refused           # cards that the opponent left lying or threw, and has not
    int num_unknown          # how many of the unseen cards the opponent holds
    # His last turn, in which he neither knocked nor declared big gin; `last` is 0 if he had none,
    # or if it is not known who he is:
    mask_t last              # the card that he threw
    mask_t barred            # the card that he could not throw
    int ended[NUM_LIMITS]    # doubt about a hand with which he could leave so much deadwood
    int declared             # doubt about one that was all melded


cdef struct chain_t:
    # A hand that the opponent could have, moved card by card (`move_chain`).
    hidden_t hidden
    unsigned char cards[64]  # the unseen cards, the opponent's first
    int num_cards
    mask_t hand              # the opponent's whole hand
    int doubt
    int64_t proposed         # hands so far that exchanges would have led to
    int64_t ended            # those of them with which he would have ended his last turn
    uint64_t state


cdef struct valued_t:
    # The actions tried, in their order, and sums of the seat's net points over the play-outs.
    int num_actions
    int actions[MOST_ACTIONS]
    int cards[MOST_ACTIONS]
    int64_t sums[MOST_ACTIONS]
    int64_t squares[MOST_ACTIONS]    # of the differences from the rules' action, play-out by play-out
    int base                         # the place of the action that the rules would take


cdef hidden_t hidden_from(const hand_t* hand, const strategy_t* opponent) noexcept nogil
cdef int doubt_of(const hidden_t* hidden, mask_t cards, int most) noexcept nogil
cdef bint would_have_ended(const chain_t* chain) noexcept nogil
cdef void draw_hidden(const hand_t* hand, const strategy_t* strategy,
                      const strategy_t* opponent, int number, chain_t* chain,
                      deck_t* stock) noexcept nogil
cdef void seat_hidden(hand_t* hand, mask_t cards, const deck_t* stock,
                      uint64_t word) noexcept nogil
cdef void list_actions(hand_t* hand, const strategy_t* strategy, valued_t* valued) noexcept nogil
cdef void value_actions(hand_t* hand, const strategy_t* strategy, valued_t* valued) noexcept nogil
