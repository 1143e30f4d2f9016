# cython: language_level=3
"""What the cards in sight say of a loose card: what may come of it, and for whom.

docs/engine.md, "Weighed discards", defines each count. All of them come from a few shifts of whole
masks, made once a decision, and some bits of them for each card.
"""

from ginsim._core cimport ALL_RANKS, DECK, MATES, NOT_ACE, NOT_KING, STARTS, mask_t, popcount, run_cover


cdef struct prospects_t:
    mask_t loose           # the cards in question
    mask_t unseen          # cards that may still be drawn: neither in hand, nor in the pile, nor known
    mask_t alive           # unseen cards, and those the opponent is known to hold
    mask_t known           # those he is known to hold
    mask_t refused         # cards he left lying or threw
    # Cards that with one unseen card make a run in hand: the card one above them, one below, two
    # above, two below.
    mask_t outs[4]
    # Cards of which the two neighbours above, below, or on either side are alive; filled in where
    # some card is known.
    mask_t above
    mask_t below
    mask_t around
    # Such neighbours are all unseen, and with no card that he refused they make a run.
    mask_t free_above
    mask_t free_below
    mask_t free_around


# Each gives the cards whose neighbour, so many ranks up or down in their suit, is one of `cards`.

cdef inline mask_t up_1(mask_t cards) noexcept nogil:
    return (cards >> 1) & NOT_KING


cdef inline mask_t up_2(mask_t cards) noexcept nogil:
    return (cards >> 2) & STARTS


cdef inline mask_t up_3(mask_t cards) noexcept nogil:
    return (cards >> 3) & ALL_RANKS(<mask_t>0x03FF)


cdef inline mask_t down_1(mask_t cards) noexcept nogil:
    return (cards << 1) & NOT_ACE


cdef inline mask_t down_2(mask_t cards) noexcept nogil:
    return (cards << 2) & ALL_RANKS(<mask_t>0x1FFC)


cdef inline mask_t down_3(mask_t cards) noexcept nogil:
    return (cards << 3) & ALL_RANKS(<mask_t>0x1FF8)


cdef inline void find_prospects(mask_t hand, mask_t loose, mask_t pile, mask_t known,
                                mask_t refused, prospects_t* found) noexcept nogil:
    """Look at a hand of which `loose` cards are in no meld.

    `known` are cards the opponent is known to hold, `refused` those he left lying or threw.
    """
    cdef mask_t partners = loose | run_cover(hand)
    cdef mask_t alive = DECK & ~(hand | pile)
    cdef mask_t unseen = alive & ~known
    cdef mask_t up = up_1(partners), down = down_1(partners)
    found.loose = loose
    found.unseen = unseen
    found.alive = alive
    found.known = known
    found.refused = refused
    found.outs[0] = up_1(unseen) & (up_2(partners) | down)
    found.outs[1] = down_1(unseen) & (down_2(partners) | up)
    found.outs[2] = up_2(unseen) & up
    found.outs[3] = down_2(unseen) & down
    found.free_above = up_1(unseen) & up_2(unseen) & ~(up_3(refused) | refused)
    found.free_below = down_1(unseen) & down_2(unseen) & ~(down_3(refused) | refused)
    found.free_around = up_1(unseen) & down_1(unseen) & ~refused
    if known:
        found.above = up_1(alive) & up_2(alive)
        found.below = down_1(alive) & down_2(alive)
        found.around = up_1(alive) & down_1(alive)


cdef inline int unseen_mates(const prospects_t* found, int card) noexcept nogil:
    """Unseen cards of its rank."""
    return popcount(found.unseen & MATES[card])


cdef inline int run_outs(const prospects_t* found, int card) noexcept nogil:
    """Unseen cards that make a run of three with the card and another one, loose or of a run."""
    return <int>((found.outs[0] >> card & 1) + (found.outs[1] >> card & 1)
                 + (found.outs[2] >> card & 1) + (found.outs[3] >> card & 1))


cdef inline int unseen_melds(const prospects_t* found, int card, int mates) noexcept nogil:
    """Pairs of unseen cards with which the card makes a meld for the opponent.

    Pairs that he would have used for a card he refused do not count. `mates` are the card's
    `unseen_mates`.
    """
    cdef int pairs = <int>((found.free_above >> card & 1) + (found.free_below >> card & 1)
                           + (found.free_around >> card & 1))
    # A product rather than a branch, which could not be foreseen.
    cdef bint free = not found.refused & (MATES[card] | <mask_t>1 << card)
    return pairs + free * (mates * (mates - 1) >> 1)


cdef inline int known_melds(const prospects_t* found, int card) noexcept nogil:
    """The same over pairs of which the opponent is known to hold a card: their known cards."""
    cdef mask_t mates = MATES[card]
    cdef mask_t known = found.known
    cdef int count = popcount(known & mates) * (popcount(found.alive & mates) - 1)
    if found.above >> card & 1:
        count += <int>((known >> card + 1 & 1) + (known >> card + 2 & 1))
    if found.below >> card & 1:
        count += <int>((known >> card - 1 & 1) + (known >> card - 2 & 1))
    if found.around >> card & 1:
        count += <int>((known >> card - 1 & 1) + (known >> card + 1 & 1))
    return count
