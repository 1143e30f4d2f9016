# cython: language_level=3
"""Many hands: per-hand columns, integer tallies, and the trace of one hand.

A batch is a range of hand indices. What it holds depends on the indices alone, so any division
of a range into batches gives the same columns, and tallies add up to the same sums.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from ginsim._core cimport unlikely
from ginsim._hand cimport OUTCOME_TIE, PHASE_OVER, play_hand, result_t, trace_t
from ginsim._hand import EVENT_DTYPE
from ginsim._player cimport raise_failure
from ginsim._setup cimport Setup, start_index

cdef enum:
    COLUMN_DEALER
    COLUMN_OUTCOME
    COLUMN_DEAD_REASON
    COLUMN_WINNER
    COLUMN_KNOCKER
    COLUMN_BOXES
    COLUMN_PRIZE_BOXES
    COLUMN_SOUTH_DEADWOOD
    COLUMN_NORTH_DEADWOOD
    COLUMN_LAID_OFF
    COLUMN_KNOCK_LIMIT
    COLUMN_KNOCK_CARD
    COLUMN_STOCK
    COLUMN_SOUTH_PILE_DRAWS
    COLUMN_NORTH_PILE_DRAWS
    COLUMN_SOUTH_KNOCK_TURN
    COLUMN_NORTH_KNOCK_TURN
    NUM_BYTE_COLUMNS

cdef enum:
    BLOCK = 64           # hands

cdef enum:
    COLUMN_POINTS
    COLUMN_NET
    COLUMN_TURNS
    NUM_SHORT_COLUMNS

# The rows of the two arrays that fill_records writes.
BYTE_COLUMNS = (
    "dealer", "outcome", "dead_reason", "winner", "knocker", "boxes", "prize_boxes",
    "south_deadwood", "north_deadwood", "laid_off", "knock_limit", "knock_card", "stock",
    "south_pile_draws", "north_pile_draws", "south_knock_turn", "north_knock_turn",
)
SHORT_COLUMNS = ("points", "net", "turns")

cdef struct tally_t:
    # Sums over hands. `pair` fields sum over mirrored pairs, for intervals clustered by deal;
    # they stay 0 without mirroring. The seat of an outcome is its winner, of a tie the knocker,
    # of a dead hand none.
    int64_t hands
    int64_t pairs
    int64_t counts[2][NUM_OUTCOMES][NUM_SEATS]         # by dealer, outcome, seat
    int64_t dead_reasons[NUM_DEAD_REASONS]
    int64_t points[NUM_OUTCOMES][NUM_SEATS]            # the winners' points
    int64_t points_squares
    int64_t net                                        # south's points minus north's
    int64_t net_squares
    int64_t turns
    int64_t turns_squares
    int64_t pair_outcomes[NUM_OUTCOMES][NUM_SEATS]     # pairs with the cell in both hands
    int64_t pair_outcomes_any[NUM_OUTCOMES]            # pairs with the outcome twice, any seats
    int64_t pair_dead_reasons[NUM_DEAD_REASONS]
    int64_t pair_wins[NUM_SEATS]                       # pairs won twice by one seat, or by none
    int64_t pair_nondealer_wins                        # pairs won twice by the non-dealer
    int64_t pair_points_squares                        # squares of the pair's sum
    int64_t pair_net_squares
    int64_t pair_turns_squares
    int64_t pair_decided_squares                       # of the number of hands won by a seat
    int64_t pair_points_decided                        # sum of points times that number

cdef tally_t _tally_model
TALLY_DTYPE = np.asarray(<tally_t[:1]>&_tally_model).dtype


cdef int seat_of(const result_t* result) noexcept nogil:
    """0 south, 1 north, 2 none: to whom an outcome belongs."""
    cdef int seat = result.knocker if result.outcome == OUTCOME_TIE else result.winner
    return 2 if seat < 0 else seat


cdef int check_columns(signed char[:, ::1] bytes_out, short[:, ::1] shorts_out) except -1:
    """Refuse arrays that have not one row for each column."""
    if bytes_out.shape[0] != NUM_BYTE_COLUMNS or shorts_out.shape[0] != NUM_SHORT_COLUMNS:
        raise ValueError("the arrays need one row for each column")
    if bytes_out.shape[1] != shorts_out.shape[1]:
        raise ValueError("the arrays need the same number of hands")
    return 0


cdef struct block_t:
    # Records on their way into the arrays, whose rows lie far apart in memory.
    signed char bytes[NUM_BYTE_COLUMNS][BLOCK]
    short shorts[NUM_SHORT_COLUMNS][BLOCK]


cdef void write_record(const hand_t* hand, signed char* bytes_out, short* shorts_out,
                       Py_ssize_t step) noexcept nogil:
    """Write a finished hand into one column of both arrays, whose rows are `step` hands apart."""
    cdef const result_t* result = &hand.result
    cdef int net
    net = result.points if result.winner == 0 else -result.points
    bytes_out[COLUMN_DEALER * step] = hand.table.dealer
    bytes_out[COLUMN_OUTCOME * step] = result.outcome
    bytes_out[COLUMN_DEAD_REASON * step] = result.dead_reason
    bytes_out[COLUMN_WINNER * step] = result.winner
    bytes_out[COLUMN_KNOCKER * step] = result.knocker
    bytes_out[COLUMN_BOXES * step] = result.boxes
    bytes_out[COLUMN_PRIZE_BOXES * step] = result.prize_boxes
    bytes_out[COLUMN_SOUTH_DEADWOOD * step] = result.deadwood[0]
    bytes_out[COLUMN_NORTH_DEADWOOD * step] = result.deadwood[1]
    bytes_out[COLUMN_LAID_OFF * step] = result.laid_off
    bytes_out[COLUMN_KNOCK_LIMIT * step] = hand.table.knock_limit
    bytes_out[COLUMN_KNOCK_CARD * step] = hand.table.knock_card
    bytes_out[COLUMN_STOCK * step] = hand.table.stock
    bytes_out[COLUMN_SOUTH_PILE_DRAWS * step] = hand.table.pile_draws[0]
    bytes_out[COLUMN_NORTH_PILE_DRAWS * step] = hand.table.pile_draws[1]
    bytes_out[COLUMN_SOUTH_KNOCK_TURN * step] = hand.knock_turns[0]
    bytes_out[COLUMN_NORTH_KNOCK_TURN * step] = hand.knock_turns[1]
    shorts_out[COLUMN_POINTS * step] = result.points
    shorts_out[COLUMN_NET * step] = net
    shorts_out[COLUMN_TURNS * step] = hand.table.turns[0] + hand.table.turns[1]


cdef void copy_block(const block_t* block, signed char[:, ::1] bytes_out,
                     short[:, ::1] shorts_out, Py_ssize_t start, int count) noexcept nogil:
    """Copy the first `count` columns of a block to both arrays, from column `start` on."""
    cdef int row
    if count == 0:
        return
    for row in range(NUM_BYTE_COLUMNS):
        memcpy(&bytes_out[row, start], block.bytes[row], count)
    for row in range(NUM_SHORT_COLUMNS):
        memcpy(&shorts_out[row, start], block.shorts[row], count * sizeof(short))


def fill_records(Setup setup, uint64_t first, signed char[:, ::1] bytes_out,
                 short[:, ::1] shorts_out, Py_ssize_t start, Py_ssize_t stop, bint full=False):
    """Play hands `first` + `start` … `first` + `stop` - 1 into columns `start` … `stop` - 1.

    `bytes_out` has a row for each of BYTE_COLUMNS, `shorts_out` for each of SHORT_COLUMNS.
    Different ranges of columns may be filled by different threads at once. With `full` no shortcut
    is taken, for tests: the hands are the same.
    """
    cdef hand_t hand
    cdef block_t block
    cdef int filled = 0
    cdef Py_ssize_t i = start
    check_columns(bytes_out, shorts_out)
    if not 0 <= start <= stop <= bytes_out.shape[1]:
        raise ValueError(f"columns {start} to {stop} lie outside the arrays")
    setup.check_range(first + <uint64_t>start, stop - start)
    hand.trace = NULL
    hand.phase = PHASE_OVER
    with nogil:
        for i in range(start, stop):
            start_index(&hand, &setup.data, first + <uint64_t>i)
            hand.full = full
            play_hand(&hand, setup.data.strategies)
            if unlikely(hand.phase != PHASE_OVER):
                break
            write_record(&hand, &block.bytes[0][filled], &block.shorts[0][filled], BLOCK)
            filled += 1
            if filled == BLOCK:
                copy_block(&block, bytes_out, shorts_out, i + 1 - BLOCK, BLOCK)
                filled = 0
        else:
            copy_block(&block, bytes_out, shorts_out, stop - filled, filled)
    if hand.phase != PHASE_OVER:
        raise_failure(f"in hand {first + <uint64_t>i}")


cdef struct brief_t:
    # What of a hand the tallies need.
    int dealer
    int outcome
    int dead_reason
    int seat             # of the outcome
    int winner
    int points
    int net
    int turns


cdef inline brief_t brief_of(const hand_t* hand) noexcept nogil:
    cdef brief_t brief
    cdef const result_t* result = &hand.result
    brief.dealer = hand.table.dealer
    brief.outcome = result.outcome
    brief.dead_reason = result.dead_reason
    brief.seat = seat_of(result)
    brief.winner = result.winner
    brief.points = result.points
    brief.net = result.points if result.winner == 0 else -result.points
    brief.turns = hand.table.turns[0] + hand.table.turns[1]
    return brief


cdef inline void add_hand(tally_t* tally, const brief_t* hand) noexcept nogil:
    tally.hands += 1
    tally.counts[hand.dealer][hand.outcome][hand.seat] += 1
    tally.points[hand.outcome][hand.seat] += hand.points
    tally.dead_reasons[hand.dead_reason] += 1
    tally.points_squares += hand.points * hand.points
    tally.net += hand.net
    tally.net_squares += hand.net * hand.net
    tally.turns += hand.turns
    tally.turns_squares += hand.turns * hand.turns


cdef inline void add_pair(tally_t* tally, const brief_t* a, const brief_t* b) noexcept nogil:
    cdef int winner = a.winner
    cdef int points = a.points + b.points
    cdef int decided = (a.winner >= 0) + (b.winner >= 0)
    tally.pairs += 1
    if a.outcome == b.outcome:
        tally.pair_outcomes_any[a.outcome] += 1
        if a.seat == b.seat:
            tally.pair_outcomes[a.outcome][a.seat] += 1
    if a.dead_reason == b.dead_reason:
        tally.pair_dead_reasons[a.dead_reason] += 1
    if winner == b.winner:
        tally.pair_wins[2 if winner < 0 else winner] += 1
    if a.winner >= 0 and b.winner >= 0 and a.winner != a.dealer and b.winner != b.dealer:
        tally.pair_nondealer_wins += 1
    tally.pair_points_squares += points * points
    tally.pair_decided_squares += decided * decided
    tally.pair_points_decided += points * decided
    tally.pair_net_squares += (a.net + b.net) * (a.net + b.net)
    tally.pair_turns_squares += (a.turns + b.turns) * (a.turns + b.turns)


def fill_tally(Setup setup, uint64_t first, uint64_t count, tally_t[::1] tally):
    """Play `count` hands from index `first` on and add them to a tally record.

    With mirrored hands both numbers are even, so that no pair is split.
    """
    cdef hand_t hand
    cdef brief_t briefs[2]
    cdef uint64_t i = first
    cdef bint mirror = setup.data.mirror
    setup.check_range(first, count)
    if mirror and (first & 1 or count & 1):
        raise ValueError(f"mirrored hands come in pairs: first {first} or count {count} is odd")
    hand.trace = NULL
    hand.phase = PHASE_OVER
    with nogil:
        for i in range(first, first + count):
            start_index(&hand, &setup.data, i)
            play_hand(&hand, setup.data.strategies)
            if unlikely(hand.phase != PHASE_OVER):
                break
            briefs[i & 1] = brief_of(&hand)
            add_hand(&tally[0], &briefs[i & 1])
            if mirror and i & 1:
                add_pair(&tally[0], &briefs[0], &briefs[1])
    if hand.phase != PHASE_OVER:
        raise_failure(f"in hand {i}")


def tally_records(const signed char[:, :] bytes_in, const short[:, :] shorts_in, tally_t[::1] tally,
                  bint mirror=False):
    """Add records to a tally record: what fill_tally gives for the same hands.

    The arrays are as fill_records writes them; with `mirror` they hold whole pairs.
    """
    cdef brief_t briefs[2]
    cdef brief_t* brief
    cdef result_t result
    cdef Py_ssize_t i, n = bytes_in.shape[1]
    if bytes_in.shape[0] != NUM_BYTE_COLUMNS or shorts_in.shape[0] != NUM_SHORT_COLUMNS:
        raise ValueError("the arrays need one row for each column")
    if shorts_in.shape[1] != n:
        raise ValueError("the arrays need the same number of hands")
    if mirror and n & 1:
        raise ValueError(f"mirrored hands come in pairs, got {n}")
    with nogil:
        for i in range(n):
            brief = &briefs[i & 1]
            result.outcome = bytes_in[COLUMN_OUTCOME, i]
            result.winner = bytes_in[COLUMN_WINNER, i]
            result.knocker = bytes_in[COLUMN_KNOCKER, i]
            brief.dealer = bytes_in[COLUMN_DEALER, i]
            brief.outcome = result.outcome
            brief.dead_reason = bytes_in[COLUMN_DEAD_REASON, i]
            brief.seat = seat_of(&result)
            brief.winner = result.winner
            brief.points = shorts_in[COLUMN_POINTS, i]
            brief.net = shorts_in[COLUMN_NET, i]
            brief.turns = shorts_in[COLUMN_TURNS, i]
            add_hand(&tally[0], brief)
            if mirror and i & 1:
                add_pair(&tally[0], &briefs[0], &briefs[1])


cdef trace_array(const trace_t* trace):
    """The events of a trace as a structured array."""
    cdef int i
    result = np.zeros(trace.num_events, EVENT_DTYPE)
    for i in range(trace.num_events):
        result[i] = (trace.events[i].kind, trace.events[i].seat, trace.events[i].card,
                     trace.events[i].mask)
    return result


def trace_hand(Setup setup, uint64_t index):
    """The events of one hand, a structured array with the fields kind, seat, card, mask."""
    cdef hand_t hand
    cdef trace_t trace
    setup.check_range(index, 1)
    trace.num_events = 0
    hand.trace = &trace
    with nogil:
        start_index(&hand, &setup.data, index)
        play_hand(&hand, setup.data.strategies)
    if hand.phase != PHASE_OVER:
        raise_failure(f"in hand {index}")
    return trace_array(&trace)
