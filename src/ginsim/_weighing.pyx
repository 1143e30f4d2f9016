# cython: language_level=3
"""Which cards of a hand are loose, and the tables by which they are weighed."""

import itertools

from libc.string cimport memset

from ginsim._core cimport ALL_RANKS, MATES, PIPS, lowest, pips_of, ranks_of, set_ranks


# ---------------------------------------------------------------- loose cards

cdef struct leaves_t:
    # The arrangements of a hand that are in question, as far as they have been looked at.
    int least                      # their least deadwood
    mask_t loose                   # the cards that one of them leaves loose
    unsigned char deadwood[52]     # for these the least deadwood of such an arrangement


cdef inline void _add_leaf(mask_t hand, mask_t sets, leaves_t* leaves) noexcept nogil:
    """The arrangement with these cards in sets, and all runs of the others."""
    cdef mask_t loose = hand & ~(sets | run_cover(hand & ~sets))
    cdef int deadwood = pips_of(loose)
    cdef int card
    leaves.loose |= loose
    leaves.least = deadwood if deadwood < leaves.least else leaves.least
    while loose:
        card = lowest(loose)
        loose &= loose - 1
        leaves.deadwood[card] = (deadwood if deadwood < leaves.deadwood[card]
                                 else leaves.deadwood[card])


cdef void _add_leaves(mask_t hand, mask_t sets, mask_t ranks, leaves_t* leaves) noexcept nogil:
    """Those with `sets` and every choice of sets of the `ranks`, which are held three or four times."""
    cdef mask_t cards, covered, card
    if not ranks:
        _add_leaf(hand, sets, leaves)
        return
    cards = ALL_RANKS(ranks & -ranks) & hand
    ranks &= ranks - 1
    _add_leaves(hand, sets, ranks, leaves)
    _add_leaves(hand, sets | cards, ranks, leaves)
    if popcount(cards) == 4:
        # Three of them, where a run may take the fourth.
        covered = cards & run_cover(hand & ~sets)
        while covered:
            card = covered & -covered
            covered ^= card
            _add_leaves(hand, sets | (cards ^ card), ranks, leaves)


cdef mask_t find_loose(mask_t hand, unsigned char* saved) noexcept nogil:
    """The loose cards of a hand: those without which it has less deadwood, and how much less.

    What is `saved` is filled in for them alone. The best arrangement of a hand without a card is one
    of the hand that leaves the card loose. So it saves its pips, less by as much as the best of
    those arrangements has more deadwood than the best of all. Sets that no run competes with are in
    all of them.
    """
    cdef mask_t covered = run_cover(hand)
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    cdef mask_t ranks = ranks_of(covered & sets)
    cdef mask_t others = sets & ~ALL_RANKS(ranks)
    cdef mask_t rest
    cdef leaves_t leaves
    cdef int card, gain
    leaves.least = 255
    leaves.loose = 0
    memset(leaves.deadwood, 255, sizeof(leaves.deadwood))
    if ranks & (ranks - 1) == 0 and popcount(sets ^ others) == 3:
        # Most conflicts are of one rank held three times: no set, or the set.
        _add_leaf(hand, others, &leaves)
        _add_leaf(hand, sets, &leaves)
    else:
        _add_leaves(hand, others, ranks, &leaves)
    rest = leaves.loose
    while rest:
        card = lowest(rest)
        gain = leaves.least + PIPS[card] - leaves.deadwood[card]
        saved[card] = gain
        if gain <= 0:
            leaves.loose ^= rest & -rest
        rest &= rest - 1
    return leaves.loose


def list_loose(mask_t hand):
    """The loose cards of a hand of up to eleven, and what each saves, as a dict."""
    cdef unsigned char saved[52]
    cdef mask_t loose = find_loose(hand, saved)
    return {card: saved[card] for card in range(52) if loose >> card & 1}


# ---------------------------------------------------------------- tables

# A fact about the near cards is a tuple of 0 or 1 for each, in this order; likewise about the ends.
cdef tuple NEAR = (-2, -1, 1, 2)
cdef tuple ENDS = (-3, 0, 3)

cdef enum:
    # Places in NEAR.
    TWO_BELOW = 0
    BELOW = 1
    ABOVE = 2
    TWO_ABOVE = 3

# The neighbours with which a card makes a run.
cdef tuple NEIGHBOURS = ((TWO_BELOW, BELOW), (BELOW, ABOVE), (ABOVE, TWO_ABOVE))


def _count_runs(unseen, partner):
    """Of the unseen cards, those with a neighbour that is a partner."""
    useful = {one for one, other in NEIGHBOURS if unseen[one] and partner[other]}
    useful |= {other for one, other in NEIGHBOURS if unseen[other] and partner[one]}
    return len(useful)


def _count_unseen(unseen, refused):
    """Pairs of unseen neighbours, those left out that make a run with a refused card."""
    three_below, itself, three_above = refused
    excluded = (three_below, False, three_above)
    return sum(
        unseen[one] and unseen[other] and not (itself or end)
        for (one, other), end in zip(NEIGHBOURS, excluded, strict=True)
    )


def _count_known(unseen, known):
    """The known cards in pairs of neighbours of which each is unseen or known."""
    alive = [one or other for one, other in zip(unseen, known, strict=True)]
    return sum(known[one] + known[other] for one, other in NEIGHBOURS if alive[one] and alive[other])


def _index(distances, fact, itself):
    """The part of an index that a fact makes."""
    return sum(bit << itself + distance for distance, bit in zip(distances, fact, strict=True))


cdef _fill_tables():
    cdef int index
    for unseen in itertools.product((0, 1), repeat=len(NEAR)):
        for other in itertools.product((0, 1), repeat=len(NEAR)):
            index = _index(NEAR, unseen, FIRST) + _index(NEAR, other, SECOND)
            TABLES.runs[index] = _count_runs(unseen, other)
            TABLES.known[index] = _count_known(unseen, other)
        for refused in itertools.product((0, 1), repeat=len(ENDS)):
            index = _index(NEAR, unseen, FIRST) + _index(ENDS, refused, FIRST)
            TABLES.unseen[index] = _count_unseen(unseen, refused)
    for index in range(4):
        TABLES.pairs[index] = index * (index - 1) // 2


cdef _fill_places():
    cdef int card, other
    cdef place_t* place
    for card in range(52):
        place = &TABLES.places[card]
        place.mates = MATES[card]
        place.rank = place.mates | <mask_t>1 << card
        place.pips = PIPS[card]
        place.near = place.near_second = place.ends = 0
        for other in range(card // 13 * 13, card // 13 * 13 + 13):
            if other - card in NEAR:
                place.near |= <mask_t>1 << other + FIRST
                place.near_second |= <mask_t>1 << other + SECOND
            elif other - card in ENDS:
                place.ends |= <mask_t>1 << other + FIRST


_fill_places()
_fill_tables()
