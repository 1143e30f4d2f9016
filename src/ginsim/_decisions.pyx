# cython: language_level=3
"""One row for each decision of the hands of a range: what was seen, what could be done, what was.

Two passes: `count_decisions` tells how many rows there will be, `fill_decisions` writes them into
arrays of that size.
"""

from libc.stdint cimport int64_t, uint64_t

from ginsim._core cimport deadwood_of, mask_t
from ginsim._deck cimport card_at
from ginsim._hand cimport (
    DO_ABANDON, DO_DRAW_PILE, DO_DRAW_STOCK, DO_LAYOFF, DO_PASS, DO_SPREAD, PHASE_DISCARD, PHASE_DRAW, PHASE_LAYOFF,
    PHASE_OVER, PHASE_SPREAD, PHASE_UPCARD, PHASE_WALL, apply_choice, choice_t, decide, hand_t,
    may_big_gin, may_knock,
)
from ginsim._player cimport raise_failure
from ginsim._setup cimport Setup, start_index
from ginsim._strategy cimport view_t

cdef enum:
    COLUMN_HAND_CARDS
    COLUMN_PILE
    COLUMN_OPPONENT_TAKEN
    COLUMN_OPPONENT_THROWN
    COLUMN_OPPONENT_LEFT
    NUM_MASK_COLUMNS

cdef enum:
    COLUMN_DEALER
    COLUMN_SEAT
    COLUMN_TURN
    COLUMN_KIND
    COLUMN_ACTION
    COLUMN_CARD
    COLUMN_DRAWN
    COLUMN_DRAWN_FROM
    COLUMN_TOP
    COLUMN_STOCK
    COLUMN_KNOCK_LIMIT
    COLUMN_KNOCK_CARD
    COLUMN_PILE_DRAWS
    COLUMN_OPPONENT_PILE_DRAWS
    COLUMN_DEADWOOD_BEFORE
    COLUMN_DEADWOOD_AFTER
    COLUMN_BEST_DEADWOOD
    COLUMN_KNOCK_LEGAL
    COLUMN_BIG_GIN_LEGAL
    NUM_BYTE_COLUMNS

# The rows of the arrays that fill_decisions writes.
MASK_COLUMNS = ("hand_cards", "pile", "opponent_taken", "opponent_thrown", "opponent_left")
BYTE_COLUMNS = (
    "dealer", "seat", "turn", "kind", "action", "card", "drawn", "drawn_from", "top", "stock",
    "knock_limit", "knock_card", "pile_draws", "opponent_pile_draws", "deadwood_before",
    "deadwood_after", "best_deadwood", "knock_legal", "big_gin_legal",
)
# The codes of the columns kind and action.
KINDS = ("upcard", "draw", "discard", "wall", "spread", "layoff")
ACTIONS = ("pass", "draw_pile", "draw_stock", "discard", "knock", "big_gin", "spread", "lay_off",
           "decline")
assert (PHASE_UPCARD, PHASE_DRAW, PHASE_DISCARD, PHASE_WALL, PHASE_SPREAD, PHASE_LAYOFF) \
    == tuple(range(6))


cdef inline int action_code(int action) noexcept nogil:
    # DO_DECLINE is no event and has a code of its own there.
    return action if action <= DO_LAYOFF else 8


cdef inline int card_moved(hand_t* hand, const choice_t* choice) noexcept nogil:
    """The card that an action moves, -1 if none; a card from the stock is the one drawn."""
    if choice.action == DO_DRAW_PILE or choice.action == DO_PASS:
        return hand.table.top
    if choice.action == DO_DRAW_STOCK:
        return card_at(&hand.deck, hand.next_card)
    return choice.card


def count_decisions(Setup setup, uint64_t first, uint64_t count, int kinds):
    """How many decisions `count` hands from `first` on hold; bit n of `kinds` is KINDS[n]."""
    cdef hand_t hand
    cdef choice_t choice
    cdef uint64_t i
    cdef int64_t rows = 0
    setup.check_range(first, count)
    hand.trace = NULL
    with nogil:
        for i in range(first, first + count):
            start_index(&hand, &setup.data, i)
            while hand.phase < PHASE_OVER:
                rows += kinds >> hand.phase & 1
                decide(&hand, &setup.data.strategies[hand.seat], &choice)
                apply_choice(&hand, &choice)
            if hand.phase != PHASE_OVER:
                with gil:
                    raise_failure(f"in hand {i}")
    return rows


def fill_decisions(Setup setup, uint64_t first, uint64_t count, int kinds,
                   int64_t[::1] hands_out, mask_t[:, ::1] masks_out,
                   signed char[:, ::1] bytes_out, Py_ssize_t start):
    """Write the decisions of `count` hands into rows from `start` on; returns the row after.

    `masks_out` has a row for each of MASK_COLUMNS, `bytes_out` for each of BYTE_COLUMNS. The
    arrays must have the room that `count_decisions` tells.
    """
    cdef hand_t hand
    cdef choice_t choice
    cdef const view_t* view
    cdef uint64_t i
    cdef Py_ssize_t row = start
    cdef Py_ssize_t size = hands_out.shape[0]
    cdef int seat, other
    cdef bint kept
    cdef mask_t before
    setup.check_range(first, count)
    if masks_out.shape[0] != NUM_MASK_COLUMNS or bytes_out.shape[0] != NUM_BYTE_COLUMNS:
        raise ValueError("the arrays need one row for each column")
    if masks_out.shape[1] != size or bytes_out.shape[1] != size or start < 0:
        raise ValueError("the arrays need the same number of rows")
    hand.trace = NULL
    with nogil:
        for i in range(first, first + count):
            start_index(&hand, &setup.data, i)
            while hand.phase < PHASE_OVER:
                seat = hand.seat
                kept = kinds >> hand.phase & 1
                decide(&hand, &setup.data.strategies[seat], &choice)
                if choice.action == DO_ABANDON:
                    with gil:
                        raise_failure(f"in hand {i}")
                if kept:
                    if row >= size:
                        with gil:
                            raise ValueError("the arrays are too short")
                    other = 1 - seat
                    view = &hand.views[seat]
                    before = view.hand
                    hands_out[row] = i
                    masks_out[COLUMN_HAND_CARDS, row] = before
                    masks_out[COLUMN_PILE, row] = hand.table.pile
                    masks_out[COLUMN_OPPONENT_TAKEN, row] = hand.table.taken[other]
                    masks_out[COLUMN_OPPONENT_THROWN, row] = hand.table.thrown[other]
                    masks_out[COLUMN_OPPONENT_LEFT, row] = hand.table.left[other]
                    bytes_out[COLUMN_DEALER, row] = hand.table.dealer
                    bytes_out[COLUMN_SEAT, row] = seat
                    bytes_out[COLUMN_TURN, row] = view.turn
                    bytes_out[COLUMN_KIND, row] = hand.phase
                    bytes_out[COLUMN_ACTION, row] = action_code(choice.action)
                    bytes_out[COLUMN_CARD, row] = card_moved(&hand, &choice)
                    bytes_out[COLUMN_DRAWN, row] = -1
                    bytes_out[COLUMN_DRAWN_FROM, row] = -1
                    bytes_out[COLUMN_TOP, row] = hand.table.top
                    bytes_out[COLUMN_STOCK, row] = hand.table.stock
                    bytes_out[COLUMN_KNOCK_LIMIT, row] = hand.table.knock_limit
                    bytes_out[COLUMN_KNOCK_CARD, row] = hand.table.knock_card
                    bytes_out[COLUMN_PILE_DRAWS, row] = hand.table.pile_draws[seat]
                    bytes_out[COLUMN_OPPONENT_PILE_DRAWS, row] = hand.table.pile_draws[other]
                    bytes_out[COLUMN_DEADWOOD_BEFORE, row] = deadwood_of(before)
                    bytes_out[COLUMN_BEST_DEADWOOD, row] = -1
                    bytes_out[COLUMN_KNOCK_LEGAL, row] = False
                    bytes_out[COLUMN_BIG_GIN_LEGAL, row] = False
                    if hand.phase == PHASE_DISCARD:
                        if view.drawn >= 0:
                            bytes_out[COLUMN_DRAWN, row] = view.drawn
                            bytes_out[COLUMN_DRAWN_FROM, row] = 1 if view.from_pile else 0
                        bytes_out[COLUMN_BEST_DEADWOOD, row] = view.best.deadwood
                        bytes_out[COLUMN_KNOCK_LEGAL, row] = may_knock(&hand)
                        bytes_out[COLUMN_BIG_GIN_LEGAL, row] = may_big_gin(&hand)
                apply_choice(&hand, &choice)
                if kept:
                    if choice.action == DO_SPREAD:
                        bytes_out[COLUMN_DEADWOOD_AFTER, row] = choice.spread.deadwood
                    elif choice.action == DO_LAYOFF:
                        bytes_out[COLUMN_DEADWOOD_AFTER, row] = choice.layoff.deadwood
                    else:
                        bytes_out[COLUMN_DEADWOOD_AFTER, row] = deadwood_of(hand.views[seat].hand)
                    row += 1
    return row
