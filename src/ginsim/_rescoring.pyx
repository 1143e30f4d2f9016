# cython: language_level=3
"""Hands that were played before, under other rules: points, the pairs' difference, the book.

Nothing here plays, and nothing here scores: points are those of `score_of`, the difference of two
tables that of `net_of`, the book that of `book_hand`.
"""

from libc.stdint cimport int64_t

from ginsim._books cimport book_hand, book_t, game_rules_t, is_over, open_book, points_of
from ginsim._hand cimport OUTCOME_BIG_GIN, OUTCOME_DEAD, result_t, rules_t, score_of, score_t
from ginsim._tables cimport NUM_TABLES, net_of, net_t

cdef enum:
    # why a game has no end among its hands
    SHORT = -1           # more hands would be played
    OTHER = -2           # another seat would deal, or others play each other

# Where a game with hands of its own has no end, as a number in place of it.
NO_END = {"short": SHORT, "other": OTHER}

# The rows of the arrays that price_hands writes.
PRICE_BYTES = ("outcome", "winner", "boxes", "prize_boxes")
PRICE_SHORTS = ("points", "net")
# Those of net_hands.
NET_BYTES = ("net_kind", "pair_winner", "pair_boxes", "pair_prize_boxes")
NET_SHORTS = ("pair_points", "pair_net", "other_net")

# No card before the ace of spades is a spade.
cdef int FIRST_SPADE = 39


def price_hands(const rules_t[::1] rules, const signed char[::1] outcomes,
                const signed char[::1] knockers, const signed char[::1] south_deadwood,
                const signed char[::1] north_deadwood, const signed char[::1] knock_cards,
                signed char[:, ::1] bytes_out, short[:, ::1] shorts_out):
    """Score hands again by what is recorded of them.

    Of `outcomes` only big gin is read: which hands were declared so. A hand without a knocker is
    dead.
    """
    cdef score_t score
    cdef int winner, knocker, ours, theirs
    cdef Py_ssize_t i, n = outcomes.shape[0]
    if not (knockers.shape[0] == south_deadwood.shape[0] == north_deadwood.shape[0]
            == knock_cards.shape[0] == bytes_out.shape[1] == shorts_out.shape[1] == n):
        raise ValueError("the arrays need the same number of hands")
    if rules.shape[0] != 1 or bytes_out.shape[0] != 4 or shorts_out.shape[0] != 2:
        raise ValueError("one rules record, and one row for each column are needed")
    with nogil:
        for i in range(n):
            knocker = knockers[i]
            if knocker < 0:
                score.outcome = OUTCOME_DEAD
                score.points = score.boxes = score.prize_boxes = 0
                winner = -1
            else:
                ours = south_deadwood[i] if knocker == 0 else north_deadwood[i]
                theirs = north_deadwood[i] if knocker == 0 else south_deadwood[i]
                score = score_of(&rules[0], ours, theirs, outcomes[i] == OUTCOME_BIG_GIN,
                                 knock_cards[i] >= FIRST_SPADE)
                winner = -1
                if score.knocker_wins:
                    winner = knocker
                elif score.defender_wins:
                    winner = 1 - knocker
            bytes_out[0, i] = score.outcome
            bytes_out[1, i] = winner
            bytes_out[2, i] = score.boxes
            bytes_out[3, i] = score.prize_boxes
            shorts_out[0, i] = score.points
            # Of a hand without a winner there are no points.
            shorts_out[1, i] = score.points if winner == 0 else -score.points


def net_hands(const rules_t[::1] rules, const signed char[::1] winners, const short[::1] points,
              const signed char[::1] prize_boxes, const signed char[::1] knock_cards,
              const signed char[::1] others_known, signed char[:, ::1] bytes_out,
              short[:, ::1] shorts_out):
    """The hands of the pairs by those at the tables: rows 2n and 2n + 1 are tables 1 and 2."""
    cdef result_t results[NUM_TABLES]
    cdef int nets[NUM_TABLES]
    cdef net_t net
    cdef int table
    cdef Py_ssize_t i, row, n = winners.shape[0]
    if not (points.shape[0] == prize_boxes.shape[0] == knock_cards.shape[0]
            == others_known.shape[0] == bytes_out.shape[1] == shorts_out.shape[1] == n) or n & 1:
        raise ValueError("the arrays need the same even number of rows")
    if rules.shape[0] != 1 or bytes_out.shape[0] != 4 or shorts_out.shape[0] != 3:
        raise ValueError("one rules record, and one row for each column are needed")
    with nogil:
        for i in range(n // NUM_TABLES):
            for table in range(NUM_TABLES):
                row = NUM_TABLES * i + table
                results[table].winner = winners[row]
                results[table].points = points[row]
                results[table].prize_boxes = prize_boxes[row]
                nets[table] = points[row] if winners[row] == 0 else -points[row]
            net = net_of(&rules[0], &results[0], &results[1],
                         knock_cards[NUM_TABLES * i] >= FIRST_SPADE)
            for table in range(NUM_TABLES):
                row = NUM_TABLES * i + table
                bytes_out[0, row] = net.kind
                bytes_out[1, row] = net.winner
                bytes_out[2, row] = net.boxes
                bytes_out[3, row] = net.prize_boxes
                shorts_out[0, row] = net.points
                shorts_out[1, row] = net.points if net.winner == 0 else -net.points
                shorts_out[2, row] = nets[1 - table] if others_known[row] else 0


def book_hands(const game_rules_t[::1] rules, const int64_t[::1] starts,
               const signed char[::1] winners, const short[::1] points,
               const signed char[::1] boxes, const signed char[::1] dealers,
               const signed char[::1] pairings, int max_hands, int64_t[::1] ends_out,
               int[:, ::1] before_out):
    """Book games of recorded hands: game i has the hands `starts[i]` … `starts[i + 1]` - 1.

    A game is booked as long as the hand that is played next under these rules is the one that is
    recorded: dealt by the same seat, and of a partnership between the same players.

    Writes:
        ends_out: for each game the hand after its last one; where there is none a number of
            NO_END.
        before_out: of shape (2, hands), the points of both seats before each hand of a game.
    """
    cdef book_t book
    cdef Py_ssize_t i, j
    cdef Py_ssize_t count = ends_out.shape[0]
    if rules.shape[0] != 1 or starts.shape[0] != count + 1:
        raise ValueError("one game rules record, and the start of each game and the end are needed")
    if not (winners.shape[0] == points.shape[0] == boxes.shape[0] == dealers.shape[0]
            == pairings.shape[0] == before_out.shape[1]) or before_out.shape[0] != 2:
        raise ValueError("the arrays need the same number of hands")
    for i in range(count):
        if not 0 <= starts[i] < starts[i + 1] <= winners.shape[0]:
            raise ValueError(f"game {i} lies outside the hands")
    with nogil:
        for i in range(count):
            j = starts[i]
            open_book(&book, &rules[0], dealers[j])
            while True:
                if is_over(&book, &rules[0], max_hands):
                    ends_out[i] = j
                    break
                if j == starts[i + 1]:
                    ends_out[i] = SHORT
                    break
                if dealers[j] != book.dealer or (rules[0].players == 4
                                                 and pairings[j] != book.pairing):
                    ends_out[i] = OTHER
                    break
                before_out[0, j] = points_of(&book, 0)
                before_out[1, j] = points_of(&book, 1)
                book_hand(&book, &rules[0], winners[j], points[j], boxes[j])
                j += 1
