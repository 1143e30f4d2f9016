# cython: language_level=3
"""Whole games: hands played and booked until the book is closed (docs/engine.md, "Games").

Hand j of game i is played with the deck and decision streams of (deal i, hand j), so a game
depends on its index alone. In mirrored play games 2n and 2n + 1 are both played on deal n, with
the other seat dealing first. In a partnership south stands for the pair of A and B.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from ginsim._batch cimport NUM_SEATS, check_columns, seat_of, trace_array, write_record
from ginsim._books cimport (
    FIRST_DEALER_SEAT, MOST_COLUMNS, SCORING_HOLLYWOOD, book_hand, book_t, boxes_of, column_t,
    game_rules_t, is_over, open_book, points_of, score_of_book, winner_of,
)
from ginsim._hand cimport (
    NUM_OUTCOMES, OUTCOME_BIG_GIN, OUTCOME_CLEAN_UNDERCUT, OUTCOME_DEAD, OUTCOME_GIN,
    OUTCOME_UNDERCUT, PHASE_ABANDONED, hand_t, play_hand, result_t, set_streams, start_hand,
    trace_t,
)
from ginsim._player cimport raise_failure
from ginsim._setup cimport Setup, setup_t
from ginsim._tables cimport NUM_NETS, NUM_TABLES, net_t, play_tables, tables_t

cdef enum:
    # hands of a game that are counted one by one in a tally; longer games share the last place
    MOST_COUNTED = 512
    # hands that a game may have
    MOST_HANDS = 32000

cdef struct game_t:
    # One game; the dtype of game records is made from this struct.
    signed char first_dealer
    signed char winner               # -1: not finished within the most hands, or drawn
    signed char over
    signed char leader_at_half       # who first had half the target (in column 1), -1 for nobody
    signed char shutout              # the loser won no hand
    signed char points_winner        # who has the higher score, -1 for nobody
    short hands
    short dead_hands
    short ties
    int south_points                 # of the hands, in all columns
    int north_points
    int south_score                  # with the bonuses
    int north_score
    int south_boxes
    int north_boxes
    short south_hands                # hands won
    short north_hands
    short south_gins                 # gin and big gin
    short north_gins
    short south_undercuts            # clean ones too
    short north_undercuts
    int turns
    signed char column_winner[MOST_COLUMNS]
    signed char column_shutout[MOST_COLUMNS]
    short column_hands[MOST_COLUMNS]     # hands until it closed; 0 while it is open
    int column_points[MOST_COLUMNS][2]
    int column_boxes[MOST_COLUMNS][2]

cdef game_t _game_model
GAME_DTYPE = np.asarray(<game_t[:1]>&_game_model).dtype

cdef packed struct game_hand_t:
    # What a row of game hands has besides the hand; GAME_HAND_DTYPE is made from this struct.
    int64_t game
    short hand_in_game
    int south_before
    int north_before
    # In a partnership:
    signed char table                # 1 or 2
    signed char pairing
    signed char net_kind
    signed char pair_winner
    short pair_points
    short pair_net
    signed char pair_boxes
    signed char pair_prize_boxes
    signed char other_known
    short other_net

cdef game_hand_t _game_hand_model
GAME_HAND_DTYPE = np.asarray(<game_hand_t[:1]>&_game_hand_model).dtype

cdef struct game_tally_t:
    # Sums over games. `pair` fields sum over mirrored pairs, and stay 0 without mirroring; those
    # of tables are of a partnership.
    int64_t games
    int64_t pairs
    int64_t wins[NUM_SEATS]                    # by south, by north, by nobody
    int64_t drawn
    int64_t first_dealer_wins
    int64_t half_leader_known                  # games with a winner in which one seat led at half
    int64_t half_leader_wins
    int64_t shutouts[2]                        # by winner
    int64_t hands
    int64_t hands_squares
    int64_t dead_hands
    int64_t dead_hands_squares
    int64_t ties
    int64_t outcomes[NUM_OUTCOMES][NUM_SEATS]  # hands by outcome and seat, at all tables
    int64_t table_outcomes[NUM_TABLES][NUM_OUTCOMES][NUM_SEATS]
    int64_t table_points[NUM_TABLES][2]        # by table and winner
    int64_t nets[NUM_NETS][NUM_SEATS]          # hands by what both tables brought, and pair
    int64_t margin                             # south's score minus north's
    int64_t margin_squares
    int64_t turns
    int64_t turns_squares
    int64_t box_margin                         # south's boxes minus north's
    int64_t box_margin_squares
    int64_t points_differ                      # won by one seat, the other with the higher score
    int64_t column_wins[MOST_COLUMNS][2]
    int64_t column_shutouts[MOST_COLUMNS][2]   # by winner
    int64_t column_hands[MOST_COLUMNS]         # of the columns that closed
    int64_t column_hands_squares[MOST_COLUMNS]
    int64_t lengths[MOST_COUNTED + 1]          # games by number of hands
    int64_t pair_wins[NUM_SEATS]               # pairs won twice by one seat, or by nobody
    int64_t pair_drawn
    int64_t pair_first_dealer_wins
    int64_t pair_half_leader_known_squares
    int64_t pair_half_leader_wins_squares
    int64_t pair_half_leader_wins_known        # sum of games so won times games so led
    int64_t pair_shutouts[2]
    int64_t pair_shutouts_any
    int64_t pair_hands_squares
    int64_t pair_dead_hands_squares
    int64_t pair_margin_squares
    int64_t pair_turns_squares
    int64_t pair_box_margin_squares
    int64_t pair_points_differ
    int64_t pair_column_wins[MOST_COLUMNS][2]
    int64_t pair_column_shutouts[MOST_COLUMNS][2]
    int64_t pair_column_shutouts_any[MOST_COLUMNS]
    int64_t pair_column_hands_squares[MOST_COLUMNS]
    int64_t pair_column_hands_closed[MOST_COLUMNS]     # sum of both hands times columns closed
    int64_t pair_column_closed_squares[MOST_COLUMNS]

cdef game_tally_t _tally_model
GAME_TALLY_DTYPE = np.asarray(<game_tally_t[:1]>&_tally_model).dtype


# ---------------------------------------------------------------- play

cdef struct play_t:
    # A game in play. In a partnership the hand is played at both tables.
    bint partnership
    int target           # for the players to look at: 0 in Hollywood's columns
    book_t book
    tables_t tables


cdef inline void start_game(play_t* play, const setup_t* setup, const game_rules_t* rules,
                            uint64_t index) noexcept nogil:
    cdef uint64_t deal = index >> 1 if setup.mirror else index
    cdef int dealer = 0 if rules.first_dealer == FIRST_DEALER_SEAT else <int>(deal & 1)
    if setup.mirror and index & 1:
        dealer = 1 - dealer
    play.partnership = rules.players == 4
    play.target = 0 if rules.scoring == SCORING_HOLLYWOOD else rules.target
    memset(&play.tables.net, 0, sizeof(net_t))
    play.tables.hands[0].trace = NULL
    play.tables.hands[1].trace = NULL
    open_book(&play.book, rules, dealer)


cdef inline void play_next(play_t* play, const setup_t* setup, uint64_t index) noexcept nogil:
    """Play the next hand of a game."""
    cdef uint64_t deal = index >> 1 if setup.mirror else index
    cdef book_t* book = &play.book
    cdef hand_t* hand = &play.tables.hands[0]
    cdef int scores[2]
    scores[0] = points_of(book, 0)
    scores[1] = points_of(book, 1)
    if play.partnership:
        play_tables(&play.tables, setup, deal, book.hands, book.dealer, book.pairing, scores,
                    play.target)
        return
    start_hand(hand, setup.rules, setup.key, deal, book.hands, book.dealer, setup.ranks,
               setup.hand_size, 0)
    set_streams(hand, setup.key, deal, book.hands, 0)
    hand.table.scores[0] = scores[0]
    hand.table.scores[1] = scores[1]
    hand.table.target = play.target
    play_hand(hand, setup.strategies)


cdef inline bint is_abandoned(const play_t* play) noexcept nogil:
    """Whether a strategy written in Python raised in the hand just played."""
    return (play.tables.hands[0].phase == PHASE_ABANDONED
            or (play.partnership and play.tables.hands[1].phase == PHASE_ABANDONED))


cdef _fail(uint64_t index, int hand_in_game):
    raise_failure(f"in hand {hand_in_game} of game {index}")


cdef inline int book_next(play_t* play, const game_rules_t* rules) noexcept nogil:
    """Book the hand just played; who won it, -1 for nobody."""
    cdef const result_t* result = &play.tables.hands[0].result
    cdef const net_t* net = &play.tables.net
    if play.partnership:
        book_hand(&play.book, rules, net.winner, net.points, net.boxes)
        return net.winner
    book_hand(&play.book, rules, result.winner, result.points, result.boxes)
    return result.winner


cdef inline bint goes_on(const book_t* book, const game_rules_t* rules, int min_hands,
                         int max_hands) noexcept nogil:
    """Whether another hand is played."""
    return book.hands < min_hands or not is_over(book, rules, max_hands)


# ---------------------------------------------------------------- games

cdef inline void count_hand(game_t* game, const hand_t* hand, int table,
                            game_tally_t* tally) noexcept nogil:
    """Count what a hand at a table was."""
    cdef const result_t* result = &hand.result
    cdef int seat = seat_of(result)
    game.turns += hand.table.turns[0] + hand.table.turns[1]
    if result.outcome == OUTCOME_GIN or result.outcome == OUTCOME_BIG_GIN:
        game.south_gins += seat == 0
        game.north_gins += seat == 1
    elif result.outcome == OUTCOME_UNDERCUT or result.outcome == OUTCOME_CLEAN_UNDERCUT:
        game.south_undercuts += seat == 0
        game.north_undercuts += seat == 1
    if tally != NULL:
        tally.outcomes[result.outcome][seat] += 1
        tally.table_outcomes[table][result.outcome][seat] += 1
        if result.winner >= 0:
            tally.table_points[table][result.winner] += result.points


cdef inline void note_leader(game_t* game, const book_t* book, const game_rules_t* rules,
                             int winner) noexcept nogil:
    """Write down who first has half the target, after a hand that `winner` won, -1 for nobody."""
    if winner >= 0 and game.leader_at_half < 0:
        if 2 * book.columns[0].points[winner] >= rules.target:
            game.leader_at_half = winner


cdef void end_game(const book_t* book, const game_rules_t* rules, game_t* game) noexcept nogil:
    """Fill in what the book says when no more hands are played."""
    cdef const column_t* column
    cdef int c
    game.over = book.open_columns == 0
    game.winner = winner_of(book, rules)
    game.shutout = game.winner >= 0 and book.won[1 - game.winner] == 0
    game.hands = book.hands
    game.south_points = points_of(book, 0)
    game.north_points = points_of(book, 1)
    game.south_score = score_of_book(book, rules, 0)
    game.north_score = score_of_book(book, rules, 1)
    game.south_boxes = boxes_of(book, 0)
    game.north_boxes = boxes_of(book, 1)
    game.south_hands = book.won[0]
    game.north_hands = book.won[1]
    game.points_winner = -1
    if game.south_score != game.north_score:
        game.points_winner = game.south_score < game.north_score
    for c in range(MOST_COLUMNS):
        column = &book.columns[c]
        game.column_winner[c] = column.closed_by
        game.column_shutout[c] = column.shutout
        game.column_hands[c] = column.closed_at
        game.column_points[c][0] = column.points[0]
        game.column_points[c][1] = column.points[1]
        game.column_boxes[c][0] = column.boxes[0]
        game.column_boxes[c][1] = column.boxes[1]


cdef int play_game(const setup_t* setup, const game_rules_t* rules, uint64_t index,
                   int max_hands, game_tally_t* tally, game_t* game) except -1 nogil:
    """Play one game into `game`; what its hands were is added to `tally` if there is one."""
    cdef play_t play
    cdef book_t* book = &play.book
    cdef int table, winner
    start_game(&play, setup, rules, index)
    memset(game, 0, sizeof(game_t))
    game.first_dealer = book.dealer
    game.leader_at_half = -1
    while goes_on(book, rules, 0, max_hands):
        play_next(&play, setup, index)
        if is_abandoned(&play):
            with gil:
                _fail(index, book.hands)
        winner = book_next(&play, rules)
        for table in range(NUM_TABLES if play.partnership else 1):
            count_hand(game, &play.tables.hands[table], table, tally)
        if play.partnership and tally != NULL:
            tally.nets[play.tables.net.kind][2 if winner < 0 else winner] += 1
        if winner < 0:
            if (play.tables.hands[0].result.outcome == OUTCOME_DEAD
                    and (not play.partnership
                         or play.tables.hands[1].result.outcome == OUTCOME_DEAD)):
                game.dead_hands += 1
            else:
                game.ties += 1
        note_leader(game, book, rules, winner)
    end_game(book, rules, game)
    return 0


cdef inline int knew_leader(const game_t* game) noexcept nogil:
    """Whether the game was won, and a seat had led to half the target."""
    return game.winner >= 0 and game.leader_at_half >= 0


cdef inline int leader_won(const game_t* game) noexcept nogil:
    return game.winner >= 0 and game.leader_at_half == game.winner


cdef inline bint is_drawn(const game_t* game) noexcept nogil:
    return game.over and game.winner < 0


cdef inline bint points_differ(const game_t* game) noexcept nogil:
    """Whether one seat won and the other has the higher score."""
    return game.winner >= 0 and game.points_winner == 1 - game.winner


cdef inline void add_game(game_tally_t* tally, const game_t* game) noexcept nogil:
    cdef int64_t margin = game.south_score - game.north_score
    cdef int64_t boxes = game.south_boxes - game.north_boxes
    cdef int64_t hands
    cdef int c
    tally.games += 1
    tally.wins[2 if game.winner < 0 else game.winner] += 1
    tally.drawn += is_drawn(game)
    tally.hands += game.hands
    tally.hands_squares += game.hands * game.hands
    tally.dead_hands += game.dead_hands
    tally.dead_hands_squares += game.dead_hands * game.dead_hands
    tally.ties += game.ties
    tally.margin += margin
    tally.margin_squares += margin * margin
    tally.turns += game.turns
    tally.turns_squares += <int64_t>game.turns * game.turns
    tally.box_margin += boxes
    tally.box_margin_squares += boxes * boxes
    tally.points_differ += points_differ(game)
    tally.lengths[game.hands if game.hands < MOST_COUNTED else MOST_COUNTED] += 1
    if game.winner >= 0:
        tally.first_dealer_wins += game.winner == game.first_dealer
        tally.half_leader_known += knew_leader(game)
        tally.half_leader_wins += leader_won(game)
        tally.shutouts[game.winner] += game.shutout
    for c in range(MOST_COLUMNS):
        hands = game.column_hands[c]  # 0 while it is open
        tally.column_hands[c] += hands
        tally.column_hands_squares[c] += hands * hands
        if game.column_winner[c] >= 0:
            tally.column_wins[c][game.column_winner[c]] += 1
            tally.column_shutouts[c][game.column_winner[c]] += game.column_shutout[c]


cdef inline void add_game_pair(game_tally_t* tally, const game_t* a, const game_t* b) noexcept nogil:
    cdef int64_t margin = a.south_score - a.north_score + b.south_score - b.north_score
    cdef int64_t boxes = a.south_boxes - a.north_boxes + b.south_boxes - b.north_boxes
    cdef int64_t hands = a.hands + b.hands
    cdef int64_t dead = a.dead_hands + b.dead_hands
    cdef int64_t turns = a.turns + b.turns
    cdef int64_t known = knew_leader(a) + knew_leader(b)
    cdef int64_t ahead = leader_won(a) + leader_won(b)
    cdef int64_t closed
    cdef int c
    tally.pairs += 1
    tally.pair_half_leader_known_squares += known * known
    tally.pair_half_leader_wins_squares += ahead * ahead
    tally.pair_half_leader_wins_known += ahead * known
    if a.winner == b.winner:
        tally.pair_wins[2 if a.winner < 0 else a.winner] += 1
        if a.winner >= 0:
            tally.pair_shutouts[a.winner] += a.shutout and b.shutout
    if a.winner >= 0 and b.winner >= 0:
        tally.pair_first_dealer_wins += (a.winner == a.first_dealer
                                         and b.winner == b.first_dealer)
    tally.pair_drawn += is_drawn(a) and is_drawn(b)
    tally.pair_shutouts_any += a.shutout and b.shutout
    tally.pair_hands_squares += hands * hands
    tally.pair_dead_hands_squares += dead * dead
    tally.pair_turns_squares += turns * turns
    tally.pair_margin_squares += margin * margin
    tally.pair_box_margin_squares += boxes * boxes
    tally.pair_points_differ += points_differ(a) and points_differ(b)
    for c in range(MOST_COLUMNS):
        hands = a.column_hands[c] + b.column_hands[c]
        closed = (a.column_winner[c] >= 0) + (b.column_winner[c] >= 0)
        tally.pair_column_hands_squares[c] += hands * hands
        tally.pair_column_hands_closed[c] += hands * closed
        tally.pair_column_closed_squares[c] += closed * closed
        tally.pair_column_shutouts_any[c] += a.column_shutout[c] and b.column_shutout[c]
        if a.column_winner[c] >= 0 and a.column_winner[c] == b.column_winner[c]:
            tally.pair_column_wins[c][a.column_winner[c]] += 1
            tally.pair_column_shutouts[c][a.column_winner[c]] += (a.column_shutout[c]
                                                                  and b.column_shutout[c])


def _check(Setup setup, const game_rules_t[::1] rules, uint64_t first, uint64_t count,
           int max_hands):
    if rules.shape[0] != 1:
        raise ValueError("one game rules record is needed")
    if setup.num_hands is not None:
        raise ValueError("games are not played on given decks")
    if not 1 <= max_hands <= MOST_HANDS:
        raise ValueError(f"max_hands is 1 to {MOST_HANDS}, got {max_hands}")
    setup.check_range(first, count, rules[0].players)


def fill_games(Setup setup, const game_rules_t[::1] rules, uint64_t first, game_t[::1] games,
               Py_ssize_t start, Py_ssize_t stop, int max_hands=10_000):
    """Play games `first` + `start` … `first` + `stop` - 1 into those places of `games`.

    A game without a winner after `max_hands` hands ends unfinished.
    """
    cdef Py_ssize_t i
    if not 0 <= start <= stop <= games.shape[0]:
        raise ValueError(f"games {start} to {stop} lie outside the array")
    _check(setup, rules, first + <uint64_t>start, stop - start, max_hands)
    with nogil:
        for i in range(start, stop):
            play_game(&setup.data, &rules[0], first + <uint64_t>i, max_hands, NULL, &games[i])


def fill_game_tally(Setup setup, const game_rules_t[::1] rules, uint64_t first, uint64_t count,
                    game_tally_t[::1] tally, int max_hands=10_000):
    """Play `count` games from `first` on and add them to a tally record.

    With mirrored games both numbers are even, so that no pair is split.
    """
    cdef game_t games[2]
    cdef uint64_t i
    cdef bint mirror = setup.data.mirror
    _check(setup, rules, first, count, max_hands)
    if mirror and (first & 1 or count & 1):
        raise ValueError(f"mirrored games come in pairs: first {first} or count {count} is odd")
    with nogil:
        for i in range(first, first + count):
            play_game(&setup.data, &rules[0], i, max_hands, &tally[0], &games[i & 1])
            add_game(&tally[0], &games[i & 1])
            if mirror and i & 1:
                add_game_pair(&tally[0], &games[0], &games[1])


def tally_games(const game_t[::1] games, game_tally_t[::1] tally, bint mirror=False):
    """Add games to a tally record; what games lack of their hands and tables stays as it is.

    With `mirror` they are whole pairs.
    """
    cdef Py_ssize_t i
    if mirror and games.shape[0] & 1:
        raise ValueError(f"mirrored games come in pairs, got {games.shape[0]}")
    for i in range(games.shape[0]):
        add_game(&tally[0], &games[i])
        if mirror and i & 1:
            add_game_pair(&tally[0], &games[i - 1], &games[i])


# ---------------------------------------------------------------- hands of games

cdef inline void write_game_hand(game_hand_t* row, const play_t* play, int table) noexcept nogil:
    """What a row has of a partnership's hand; of two players nothing."""
    cdef const net_t* net = &play.tables.net
    cdef const hand_t* hand = &play.tables.hands[table]
    row.table = table + 1
    row.net_kind = net.kind
    row.pair_winner = net.winner
    row.pair_points = net.points
    row.pair_net = net.points if net.winner == 0 else -net.points
    row.pair_boxes = net.boxes
    row.pair_prize_boxes = net.prize_boxes
    row.other_known = hand.table.other_over
    row.other_net = hand.table.other_net


def fill_game_hands(Setup setup, const game_rules_t[::1] rules, uint64_t first, uint64_t count,
                    game_hand_t[::1] rows_out, signed char[:, ::1] bytes_out,
                    short[:, ::1] shorts_out, Py_ssize_t start, int max_hands=10_000,
                    int min_hands=0):
    """Write the hands of `count` games into rows from `start` on; returns the row after.

    In a partnership a hand has two rows, one for each table. `bytes_out` and `shorts_out` are
    those of `_batch.fill_records`; all must have as many places as there are rows. After its end
    a game goes on until it has `min_hands` hands.
    """
    cdef play_t play
    cdef book_t* book = &play.book
    cdef uint64_t i
    cdef int before[2]
    cdef int table, number
    cdef int num_tables = NUM_TABLES if rules[0].players == 4 else 1
    cdef int pairing
    cdef Py_ssize_t row = start
    cdef Py_ssize_t size = rows_out.shape[0]
    check_columns(bytes_out, shorts_out)
    if bytes_out.shape[1] != size or start < 0:
        raise ValueError("the arrays need the same number of rows")
    _check(setup, rules, first, count, max_hands)
    with nogil:
        for i in range(first, first + count):
            start_game(&play, &setup.data, &rules[0], i)
            while goes_on(book, &rules[0], min_hands, max_hands):
                if row + num_tables > size:
                    with gil:
                        raise ValueError("the arrays are too short")
                before[0] = points_of(book, 0)
                before[1] = points_of(book, 1)
                number = book.hands
                pairing = book.pairing
                play_next(&play, &setup.data, i)
                if is_abandoned(&play):
                    with gil:
                        _fail(i, number)
                book_next(&play, &rules[0])
                for table in range(num_tables):
                    rows_out[row].game = i
                    rows_out[row].hand_in_game = number
                    rows_out[row].south_before = before[0]
                    rows_out[row].north_before = before[1]
                    rows_out[row].pairing = pairing
                    write_game_hand(&rows_out[row], &play, table)
                    write_record(&play.tables.hands[table], &bytes_out[0, row],
                                 &shorts_out[0, row], bytes_out.shape[1])
                    row += 1
    return row


def count_rows(Setup setup, const game_rules_t[::1] rules, uint64_t first, uint64_t count,
               int64_t[::1] rows_out, int max_hands=10_000, int min_hands=0):
    """How many rows the hands of each of `count` games take in `fill_game_hands`."""
    cdef game_t game
    cdef uint64_t i
    cdef int num_tables = NUM_TABLES if rules[0].players == 4 else 1
    if <uint64_t>rows_out.shape[0] != count:
        raise ValueError(f"{count} games need as many places, got {rows_out.shape[0]}")
    _check(setup, rules, first, count, max_hands)
    with nogil:
        for i in range(count):
            play_game(&setup.data, &rules[0], first + i, max_hands, NULL, &game)
            rows_out[i] = num_tables * (game.hands if game.hands > min_hands else min_hands)


# ---------------------------------------------------------------- games of given hands

def book_games(const game_rules_t[::1] rules, const int64_t[::1] starts,
               const signed char[::1] winners, const short[::1] points,
               const signed char[::1] boxes, const signed char[::1] dealers, game_t[::1] games):
    """Book hands that were played before: game i has the hands `starts[i]` … `starts[i + 1]` - 1.

    Hands after the end of a game are left over. Of `games` only what a book knows is filled in.
    `dealers` are those of the hands.
    """
    cdef book_t book
    cdef Py_ssize_t i, j
    cdef Py_ssize_t count = games.shape[0]
    if rules.shape[0] != 1 or starts.shape[0] != count + 1:
        raise ValueError("one game rules record, and the start of each game and the end are needed")
    if not (winners.shape[0] == points.shape[0] == boxes.shape[0] == dealers.shape[0]):
        raise ValueError("the arrays need the same number of hands")
    for i in range(count):
        if not 0 <= starts[i] <= starts[i + 1] <= winners.shape[0]:
            raise ValueError(f"game {i} lies outside the hands")
    with nogil:
        for i in range(count):
            j = starts[i]
            open_book(&book, &rules[0], dealers[j] if j < starts[i + 1] else 0)
            memset(&games[i], 0, sizeof(game_t))
            games[i].first_dealer = book.dealer
            games[i].leader_at_half = -1
            while j < starts[i + 1] and not is_over(&book, &rules[0], MOST_HANDS):
                book_hand(&book, &rules[0], winners[j], points[j], boxes[j])
                note_leader(&games[i], &book, &rules[0], winners[j])
                j += 1
            end_game(&book, &rules[0], &games[i])


def trace_tables(Setup setup, const game_rules_t[::1] rules, uint64_t index, int hand_in_game,
                 int max_hands=10_000):
    """The events of a hand of a game, a structured array for each table (see `_batch.trace_hand`).

    Raises:
        ValueError: if the game has not so many hands.
    """
    cdef play_t play
    cdef trace_t traces[NUM_TABLES]
    cdef int table
    _check(setup, rules, index, 1, max_hands)
    start_game(&play, &setup.data, &rules[0], index)
    while play.book.hands <= hand_in_game:
        if not goes_on(&play.book, &rules[0], 0, max_hands):
            raise ValueError(f"game {index} has {play.book.hands} hands, and no hand {hand_in_game}")
        for table in range(NUM_TABLES):
            traces[table].num_events = 0
            play.tables.hands[table].trace = &traces[table]
        play_next(&play, &setup.data, index)
        if is_abandoned(&play):
            _fail(index, play.book.hands)
        book_next(&play, &rules[0])
    return [trace_array(&traces[table]) for table in range(NUM_TABLES if play.partnership else 1)]
