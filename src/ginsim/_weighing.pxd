# cython: language_level=3
"""What the cards in sight say of a loose card: what may come of it, and for whom.

docs/engine.md, "Weighed discards", defines each count. What is counted over runs depends on the cards
of the suit within two ranks, and on a fact or two about each. So these facts are put side by side into
a small number, an index, and a table has the count. In an index a fact about the card d ranks up
(down, if d < 0) is bit 3 + d, a second one bit 9 + d. The distances in use do not meet there.
"""

from ginsim._core cimport DECK, RANKS, mask_t, popcount, run_cover


cdef enum:
    # Where an index has the card itself, for the first fact and for the second.
    FIRST = 3
    SECOND = 9


cdef struct place_t:
    # A card among the others. The first three masks are shifted, as the cards that they are for
    # must be: `>> card` then leaves an index.
    mask_t near            # the cards of its suit one or two ranks away, for the first fact
    mask_t near_second     # the same, for the second
    mask_t ends            # the card itself and those three ranks away, for the first
    mask_t rank            # the cards of its rank, unshifted
    mask_t mates           # the others of its rank, unshifted
    int pips


cdef struct tables_t:
    place_t places[52]
    # Counts by index; see the functions below.
    unsigned char runs[4096]
    unsigned char unseen[128]
    unsigned char known[4096]
    unsigned char pairs[4]      # of so many cards


cdef tables_t TABLES


cdef struct sight_t:
    # What a hand and the table show.
    mask_t loose
    mask_t partners        # loose cards, and those in runs
    mask_t unseen          # cards that may still be drawn: neither in hand, nor in the pile, nor known
    mask_t known           # cards that the opponent is known to hold
    mask_t refused         # cards that he left lying or threw


cdef inline void look(mask_t hand, mask_t loose, mask_t pile, mask_t known, mask_t refused,
                      sight_t* sight) noexcept nogil:
    sight.loose = loose
    sight.partners = loose | run_cover(hand)
    sight.unseen = DECK & ~(hand | pile | known)
    sight.known = known
    sight.refused = refused


cdef inline mask_t ranks_held_twice(mask_t cards) noexcept nogil:
    """The ranks held twice or more, as 13 bits."""
    cdef mask_t high = cards >> 26
    cdef mask_t both = cards & high        # clubs and hearts, diamonds and spades
    cdef mask_t one = cards | high
    return (both | (both >> 13) | (one & (one >> 13))) & RANKS


cdef inline int unseen_mates(const sight_t* sight, const place_t* place) noexcept nogil:
    """Unseen cards of its rank."""
    return popcount(sight.unseen & place.mates)


cdef inline int count_pairs(const sight_t* sight, const place_t* place, int mates) noexcept nogil:
    """Unseen cards that make a set of the card and another loose one.

    `mates` are its `unseen_mates`, here and below.
    """
    # A product rather than a branch, which could not be foreseen.
    return mates * (sight.loose & place.mates != 0)


cdef inline int count_runs(const tables_t* tables, const sight_t* sight, const place_t* place,
                           int card) noexcept nogil:
    """Unseen cards that make a run of three with the card and another one, loose or of a run."""
    return tables.runs[((sight.unseen << FIRST & place.near)
                        | (sight.partners << SECOND & place.near_second)) >> card]


cdef inline int count_unseen(const tables_t* tables, const sight_t* sight, const place_t* place,
                             int card, int mates) noexcept nogil:
    """Pairs of unseen cards with which the card makes a meld for the opponent.

    Pairs that he would have used for a card he refused do not count.
    """
    cdef int in_sets = 0 if sight.refused & place.rank else mates
    return tables.pairs[in_sets] + tables.unseen[((sight.unseen << FIRST & place.near)
                                                  | (sight.refused << FIRST & place.ends)) >> card]


cdef inline int count_known(const tables_t* tables, const sight_t* sight, const place_t* place,
                            int card, int mates) noexcept nogil:
    """The same over pairs of which the opponent is known to hold a card: their known cards."""
    cdef int known = popcount(sight.known & place.mates)
    return (known * (known + mates - 1)
            + tables.known[((sight.unseen << FIRST & place.near)
                            | (sight.known << SECOND & place.near_second)) >> card])


cdef mask_t find_loose(mask_t hand, unsigned char* saved) noexcept nogil
