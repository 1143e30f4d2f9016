# cython: language_level=3
"""The tables by which loose cards are weighed; `_weighing.pxd` says what they hold."""

# Where the nearest cards stand in an index: two below, one below, one above, two above.
NEAR = (1, 2, 4, 5)


def _bits(index, first):
    """Whether each of the four nearest cards is among those whose bits start at `first`."""
    return [bool(index >> first + place & 1) for place in NEAR]


def _count_runs(index):
    unseen, partner = _bits(index, 0), _bits(index, 6)
    two_below, below, above, two_above = range(4)
    return (
        (unseen[two_below] and partner[below])
        + (unseen[below] and (partner[two_below] or partner[above]))
        + (unseen[above] and (partner[below] or partner[two_above]))
        + (unseen[two_above] and partner[above])
    )


#: Of the nearest cards, the pairs that make a run with the card between or beside them.
PAIRS = ((0, 1), (1, 2), (2, 3))


def _count_known(index):
    unseen, known = _bits(index, 0), _bits(index, 6)
    alive = [one or other for one, other in zip(unseen, known, strict=True)]
    return sum(known[one] + known[other] for one, other in PAIRS if alive[one] and alive[other])


def _count_unseen(index):
    unseen = _bits(index, 0)
    below, itself, above = (bool(index >> place & 1) for place in (0, 3, 6))
    refused = (below, False, above)
    return sum(
        unseen[one] and unseen[other] and not (itself or end)
        for (one, other), end in zip(PAIRS, refused, strict=True)
    )


cdef void _fill_places() noexcept:
    cdef int card, other, distance
    cdef mask_t bit
    cdef place_t* place
    for card in range(52):
        place = &TABLES.places[card]
        place.near = place.beside = place.ends = place.rank = 0
        for other in range(52):
            bit = <mask_t>1 << other
            distance = other - card if other > card else card - other
            if other % 13 == card % 13:
                place.rank |= bit
            if other // 13 != card // 13:
                continue
            if distance == 1 or distance == 2:
                place.near |= bit << 3
                place.beside |= bit << 9
            if distance == 0 or distance == 3:
                place.ends |= bit << 3


def _fill_tables():
    _fill_places()
    for index in range(4096):
        TABLES.runs[index] = _count_runs(index)
        TABLES.known[index] = _count_known(index)
    for index in range(128):
        TABLES.unseen[index] = _count_unseen(index)
    for index in range(4):
        TABLES.sets[index] = index * (index - 1) // 2


_fill_tables()
