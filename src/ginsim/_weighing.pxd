# cython: language_level=3
"""What the cards in sight say of a loose card: what may come of it, and for whom.

docs/engine.md, "Weighed discards", defines each count. What is counted over runs depends on the four
nearest cards of the suit, two above and two below, and on few facts about each. So these facts are
put side by side into a small number, and a table has the count.
"""

from ginsim._core cimport DECK, CARDS, mask_t, popcount, run_cover


cdef struct place_t:
    # Masks for one card, moved up so that `>> card` leaves a number for every card.
    mask_t near            # the four nearest cards of its suit, moved up by 3: to bits 1, 2, 4 and 5
    mask_t beside          # the same, moved up by 9: to bits 7, 8, 10 and 11
    mask_t ends            # the cards three above and below, and itself, by 3: to bits 0, 6 and 3
    mask_t rank            # the cards of its rank, itself among them; not moved


cdef struct tables_t:
    place_t places[52]
    # By which of the nearest cards are unseen (bits 1, 2, 4, 5) and which are partners (7, 8, 10, 11).
    unsigned char runs[4096]
    # By which are unseen, and which are known (7, 8, 10, 11).
    unsigned char known[4096]
    # By which are unseen, and which of the card and those three away were refused (3, 0, 6).
    unsigned char unseen[128]
    unsigned char sets[4]


cdef tables_t TABLES


cdef struct sight_t:
    mask_t loose
    mask_t unseen          # cards that may still be drawn: neither in hand, nor in the pile, nor known
    mask_t known           # cards the opponent is known to hold
    mask_t refused         # cards he left lying or threw
    mask_t partners        # loose cards, and those of runs


cdef inline void look(mask_t hand, mask_t loose, mask_t pile, mask_t known, mask_t refused,
                      sight_t* sight) noexcept nogil:
    sight.loose = loose
    sight.unseen = DECK & ~(hand | pile | known)
    sight.known = known
    sight.refused = refused
    sight.partners = loose | run_cover(hand)


cdef inline int unseen_mates(const sight_t* sight, int card) noexcept nogil:
    """Unseen cards of its rank."""
    return popcount(sight.unseen & CARDS[card].mates)


cdef inline int count_pairs(const sight_t* sight, int card, int mates) noexcept nogil:
    """Unseen cards that make a set of the card and another loose one."""
    # A product rather than a branch, which could not be foreseen.
    return mates * (sight.loose & CARDS[card].mates != 0)


cdef inline int count_runs(const tables_t* tables, const sight_t* sight, int card) noexcept nogil:
    """Unseen cards that make a run of three with the card and another one, loose or of a run."""
    cdef const place_t* place = &tables.places[card]
    return tables.runs[((sight.unseen << 3 & place.near) | (sight.partners << 9 & place.beside))
                       >> card]


cdef inline int count_unseen(const tables_t* tables, const sight_t* sight, int card,
                             int mates) noexcept nogil:
    """Pairs of unseen cards with which the card makes a meld for the opponent.

    Pairs that he would have used for a card he refused do not count.
    """
    cdef const place_t* place = &tables.places[card]
    cdef int of_set = 0 if sight.refused & place.rank else mates
    return (tables.unseen[((sight.unseen << 3 & place.near) | (sight.refused << 3 & place.ends))
                          >> card]
            + tables.sets[of_set])


cdef inline int count_known(const tables_t* tables, const sight_t* sight, int card,
                            int mates) noexcept nogil:
    """The same over pairs of which the opponent is known to hold a card: their known cards."""
    cdef const place_t* place = &tables.places[card]
    cdef int known = popcount(sight.known & CARDS[card].mates)
    return (tables.known[((sight.unseen << 3 & place.near) | (sight.known << 9 & place.beside))
                         >> card]
            + known * (known + mates - 1))
