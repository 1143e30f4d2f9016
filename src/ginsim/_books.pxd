# cython: language_level=3
"""How hands make a game: postings, columns, boxes, bonuses, dealers, the end.

A game is a book of one column, or of Hollywood's three (docs/engine.md, "Games"). Nothing here
plays: hands are posted by winner, points and boxes.
"""

from libc.string cimport memset


cdef enum:
    MOST_COLUMNS = 3
    # first_dealer
    FIRST_DEALER_SEAT = 1
    # next_dealer
    DEALER_LOSER = 0
    DEALER_WINNER = 1
    DEALER_ALTERNATE = 2
    # scoring
    SCORING_HOLLYWOOD = 1
    # shutout
    SHUTOUT_ADD = 0
    SHUTOUT_REPLACE = 1
    SHUTOUT_DOUBLE = 2
    SHUTOUT_DOUBLE_BOXES = 3


cdef packed struct game_rules_t:
    # The game-level fields of rules.Rules, in its codes; GAME_RULES_DTYPE is made from this struct.
    unsigned char players
    unsigned char first_dealer
    unsigned char next_dealer
    unsigned char scoring
    unsigned char shutout
    unsigned char shutout_shift
    unsigned char box_column
    short target
    short game_bonus
    short hand_bonus
    short shutout_bonus


cdef struct column_t:
    # Arrays are by seat.
    int points[2]
    int boxes[2]
    int entries[2]
    int closed_by        # seat, -1 while it is open
    int closed_at        # hands booked when it closed
    bint shutout         # closed, and the other seat has no entry


cdef struct book_t:
    int num_columns
    int open_columns
    column_t columns[MOST_COLUMNS]
    int hands            # booked, dead ones too
    int won[2]           # hands won
    int dealer           # of the next hand
    int pairing          # of the next hand, in a partnership


cdef inline void open_book(book_t* book, const game_rules_t* rules, int dealer) noexcept nogil:
    cdef int c
    memset(book, 0, sizeof(book_t))
    book.num_columns = 3 if rules.scoring == SCORING_HOLLYWOOD else 1
    book.open_columns = book.num_columns
    book.dealer = dealer
    for c in range(MOST_COLUMNS):
        book.columns[c].closed_by = -1


cdef inline int reach_of(const book_t* book, const game_rules_t* rules, int seat) noexcept nogil:
    """Up to how many columns the seat's last win is written in."""
    cdef int reach, c
    if book.num_columns == 1:
        return 1
    reach = book.won[seat]
    if rules.shutout_shift:
        for c in range(MOST_COLUMNS):
            reach += book.columns[c].closed_by >= 0 and not book.columns[c].entries[seat]
    return reach if reach < MOST_COLUMNS else MOST_COLUMNS


cdef inline int book_hand(book_t* book, const game_rules_t* rules, int winner, int points,
                          int boxes) noexcept nogil:
    """Post a hand, `winner` -1 if nobody won it; the columns it went to, bit c for column c."""
    cdef column_t* column
    cdef int c, posted = 0
    book.hands += 1
    if winner < 0:
        return 0
    book.won[winner] += 1
    book.pairing ^= 1
    if rules.next_dealer == DEALER_ALTERNATE:
        book.dealer = 1 - book.dealer
    else:
        book.dealer = winner if rules.next_dealer == DEALER_WINNER else 1 - winner
    # Before a column closes by this hand: it does not shift its own entry.
    for c in range(reach_of(book, rules, winner)):
        column = &book.columns[c]
        if column.closed_by >= 0:
            continue
        posted |= 1 << c
        column.points[winner] += points
        column.boxes[winner] += boxes
        column.entries[winner] += 1
        if column.points[winner] >= rules.target:
            column.closed_by = winner
            column.closed_at = book.hands
            column.shutout = column.entries[1 - winner] == 0
            column.boxes[winner] += rules.box_column
            if column.shutout and rules.shutout == SHUTOUT_DOUBLE_BOXES:
                column.boxes[winner] *= 2
            book.open_columns -= 1
    return posted


cdef inline bint is_over(const book_t* book, const game_rules_t* rules, int max_hands) noexcept nogil:
    """Whether no more hands are played. With target 0 a game is one hand, whoever wins it."""
    if not rules.target:
        return book.hands > 0
    return not book.open_columns or book.hands >= max_hands


cdef inline int points_of(const book_t* book, int seat) noexcept nogil:
    """The points of a seat in all columns."""
    cdef int c, points = 0
    for c in range(book.num_columns):
        points += book.columns[c].points[seat]
    return points


cdef int boxes_of(const book_t* book, int seat) noexcept nogil
cdef int score_of_column(const book_t* book, const game_rules_t* rules, int c,
                         int seat) noexcept nogil
cdef int score_of_book(const book_t* book, const game_rules_t* rules, int seat) noexcept nogil
cdef int winner_of(const book_t* book, const game_rules_t* rules) noexcept nogil
