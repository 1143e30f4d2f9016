# cython: language_level=3
"""The book of a game as Python sees it, and its end: bonuses, boxes, the winner."""

import numpy as np

cdef game_rules_t _rules_model
GAME_RULES_DTYPE = np.asarray(<game_rules_t[:1]>&_rules_model).dtype


cdef int boxes_of(const book_t* book, int seat) noexcept nogil:
    """The boxes of a seat in all columns."""
    cdef int c, boxes = 0
    for c in range(book.num_columns):
        boxes += book.columns[c].boxes[seat]
    return boxes


cdef int score_of_column(const book_t* book, const game_rules_t* rules, int c,
                         int seat) noexcept nogil:
    """The points of a seat in a column and its bonuses there."""
    cdef const column_t* column = &book.columns[c]
    cdef int score = column.points[seat] + column.entries[seat] * rules.hand_bonus
    cdef int bonus = rules.game_bonus
    if column.closed_by != seat:
        return score
    if column.shutout:
        if rules.shutout == SHUTOUT_ADD:
            bonus += rules.shutout_bonus
        elif rules.shutout == SHUTOUT_REPLACE:
            bonus = rules.shutout_bonus
        elif rules.shutout == SHUTOUT_DOUBLE:
            bonus *= 2
    return score + bonus


cdef int score_of_book(const book_t* book, const game_rules_t* rules, int seat) noexcept nogil:
    """The points of a seat in all columns and its bonuses."""
    cdef int c, score = 0
    for c in range(book.num_columns):
        score += score_of_column(book, rules, c, seat)
    return score


cdef int winner_of(const book_t* book, const game_rules_t* rules) noexcept nogil:
    """The seat that won the game; -1 while it is not over, and for a drawn one."""
    cdef int margin
    if book.open_columns:
        return -1
    if book.num_columns == 1:
        return book.columns[0].closed_by
    margin = boxes_of(book, 0) - boxes_of(book, 1)
    if not margin:
        margin = score_of_book(book, rules, 0) - score_of_book(book, rules, 1)
    return 0 if margin > 0 else 1 if margin < 0 else -1


def book_game(const game_rules_t[::1] rules, winners, points, boxes, int dealer=0):
    """Book hands until the game is over or there are no more.

    `winners` are seats, -1 for a hand that nobody won. With target 0 a game is one hand.

    Returns:
        A dict of plain data: hands, over, winner, dealer, pairing, won, scores, boxes (by seat),
        posted (for each hand the numbers of the columns it went to, from 0), and columns, each
        with points, boxes, entries, scores (by seat), closed_by, closed_at and shutout.
    """
    cdef book_t book
    cdef int c, seat
    if rules.shape[0] != 1:
        raise ValueError("one game rules record is needed")
    open_book(&book, &rules[0], dealer)
    posted = []
    for winner, won, marked in zip(winners, points, boxes):
        if not book.open_columns or (not rules[0].target and book.hands):
            break
        columns = book_hand(&book, &rules[0], winner, won, marked)
        posted.append(tuple(c for c in range(MOST_COLUMNS) if columns >> c & 1))
    return {
        "hands": book.hands,
        "over": not book.open_columns,
        "winner": winner_of(&book, &rules[0]),
        "dealer": book.dealer,
        "pairing": book.pairing,
        "won": (book.won[0], book.won[1]),
        "scores": tuple(score_of_book(&book, &rules[0], seat) for seat in range(2)),
        "boxes": (boxes_of(&book, 0), boxes_of(&book, 1)),
        "posted": posted,
        "columns": [
            {
                "points": (book.columns[c].points[0], book.columns[c].points[1]),
                "boxes": (book.columns[c].boxes[0], book.columns[c].boxes[1]),
                "entries": (book.columns[c].entries[0], book.columns[c].entries[1]),
                "scores": tuple(score_of_column(&book, &rules[0], c, seat) for seat in range(2)),
                "closed_by": book.columns[c].closed_by,
                "closed_at": book.columns[c].closed_at,
                "shutout": book.columns[c].shutout,
            }
            for c in range(book.num_columns)
        ],
    }
