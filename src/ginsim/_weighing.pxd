# cython: language_level=3
"""What the cards in sight say of a loose card: what may come of it, and for whom.

docs/engine.md, "Weighed discards", defines each count. They are made for all cards at once, a digit
at a time: a count is a list of masks, of which the first holds for each card the ones of its count,
the second the twos, the third the fours.
"""

from ginsim._core cimport (
    CARDS, DECK, STARTS, mask_t, popcount, run_cover,
)


cdef extern from *:
    """
    #define GINSIM_INNER  GINSIM_ALL_RANKS(0x0FFEULL)  /* neither ace nor king */
    #define GINSIM_ENDS    GINSIM_ALL_RANKS(0x1FFCULL)  /* a run may end at three to king */
    #define GINSIM_UP_3    GINSIM_ALL_RANKS(0x03FFULL)  /* ace to ten: three more above */
    #define GINSIM_DOWN_3  GINSIM_ALL_RANKS(0x1FF8ULL)  /* four to king: three more below */
    """
    const mask_t INNER "GINSIM_INNER"
    const mask_t ENDS "GINSIM_ENDS"
    const mask_t UP_3 "GINSIM_UP_3"
    const mask_t DOWN_3 "GINSIM_DOWN_3"


cdef struct prospects_t:
    mask_t pairs[2]        # unseen cards that make a set of the card and another loose one
    mask_t runs[2]         # unseen cards that make a run of it and another, loose or of a run
    mask_t unseen[3]       # pairs of unseen cards with which it makes a meld for the opponent


cdef inline mask_t mates_of(mask_t cards) noexcept nogil:
    """The cards of which another suit has the rank in `cards`; bits above the deck are anything."""
    return (((cards >> 13 | cards) >> 13 | cards) >> 13) | (((cards << 13 | cards) << 13 | cards) << 13)


cdef inline void find_prospects(mask_t hand, mask_t loose, mask_t pile, mask_t known,
                                mask_t refused, prospects_t* found) noexcept nogil:
    """Look at a hand of which `loose` cards are in no meld.

    `known` are cards the opponent is known to hold, `refused` those he left lying or threw. What is
    found holds for the loose cards.
    """
    cdef mask_t unseen = DECK & ~(hand | pile | known)
    cdef mask_t partners = loose | run_cover(hand)
    # Bit c of each: of the card one or two above c, or below; in its suit where a mask says so.
    cdef mask_t up_1 = unseen >> 1, up_2 = unseen >> 2
    cdef mask_t down_1 = unseen << 1, down_2 = unseen << 2
    cdef mask_t with_up = partners >> 1, with_down = partners << 1
    cdef mask_t outs_up, outs_down, above, below, around, next_1, next_2, next_3, ones, twos
    cdef mask_t sets_1, sets_2, runs_1, runs_2, differ, carry
    # One card above makes a run, and one below: where the next is unseen it is no partner.
    outs_up = (((up_1 & partners >> 2) | (up_2 & with_up)) & STARTS) | (up_1 & with_down & INNER)
    outs_down = (((down_1 & partners << 2) | (down_2 & with_down)) & ENDS) | (down_1 & with_up & INNER)
    found.runs[0] = outs_up ^ outs_down
    found.runs[1] = outs_up & outs_down
    # The unseen mates, of three other suits.
    next_1 = unseen >> 13 | unseen << 39
    next_2 = unseen >> 26 | unseen << 26
    next_3 = unseen >> 39 | unseen << 13
    differ = next_1 ^ next_2
    ones = differ ^ next_3
    twos = (next_1 & next_2) | (differ & next_3)
    differ = mates_of(loose)
    found.pairs[0] = ones & differ
    found.pairs[1] = twos & differ
    # Of two mates comes one pair, of three come three. Of a rank that he refused none counts.
    sets_1 = twos & ~(mates_of(refused) | refused)
    sets_2 = sets_1 & ones
    above = up_1 & up_2 & STARTS & ~(refused | (refused >> 3 & UP_3))
    below = down_1 & down_2 & ENDS & ~(refused | (refused << 3 & DOWN_3))
    around = up_1 & down_1 & INNER & ~refused
    differ = above ^ below
    runs_1 = differ ^ around
    runs_2 = (above & below) | (differ & around)
    found.unseen[0] = runs_1 ^ sets_1
    carry = runs_1 & sets_1
    differ = runs_2 ^ sets_2
    found.unseen[1] = differ ^ carry
    found.unseen[2] = (runs_2 & sets_2) | (differ & carry)


cdef inline int count_pairs(const prospects_t* found, int card) noexcept nogil:
    return <int>(found.pairs[0] >> card) & 1 | <int>(found.pairs[1] << 1 >> card) & 2


cdef inline int count_runs(const prospects_t* found, int card) noexcept nogil:
    return <int>(found.runs[0] >> card) & 1 | <int>(found.runs[1] << 1 >> card) & 2


cdef inline int count_unseen(const prospects_t* found, int card) noexcept nogil:
    return (<int>(found.unseen[0] >> card) & 1 | <int>(found.unseen[1] << 1 >> card) & 2
            | <int>(found.unseen[2] << 2 >> card) & 4)


cdef inline mask_t near(mask_t known) noexcept nogil:
    """The cards that may be in a meld with a known one, and some that are not."""
    return known >> 1 | known >> 2 | known << 1 | known << 2 | mates_of(known)


cdef inline int known_melds(mask_t alive, mask_t known, int card) noexcept nogil:
    """Pairs of alive cards with which the card makes a meld, counted once for each known card."""
    cdef mask_t mates = CARDS[card].mates
    cdef int count = popcount(known & mates) * (popcount(alive & mates) - 1)
    cdef mask_t up_1 = alive >> 1, up_2 = alive >> 2, down_1 = alive << 1, down_2 = alive << 2
    if (up_1 & up_2 & STARTS) >> card & 1:
        count += <int>((known >> card + 1 & 1) + (known >> card + 2 & 1))
    if (down_1 & down_2 & ENDS) >> card & 1:
        count += <int>((known >> card - 1 & 1) + (known >> card - 2 & 1))
    if (up_1 & down_1 & INNER) >> card & 1:
        count += <int>((known >> card - 1 & 1) + (known >> card + 1 & 1))
    return count
