# cython: language_level=3
"""Whole games: hands until the target, the dealer of the next, the bonuses at the end.

Hand j of game i is played with the deck and decision streams of (deal i, hand j), so a game
depends on its index alone. In mirrored play games 2n and 2n + 1 are both played on deal n, with
the other seat dealing first.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from ginsim._batch cimport NUM_SEATS, check_columns, write_record
from ginsim._hand cimport (
    NUM_OUTCOMES, OUTCOME_BIG_GIN, OUTCOME_CLEAN_UNDERCUT, OUTCOME_DEAD, OUTCOME_GIN, OUTCOME_TIE,
    OUTCOME_UNDERCUT, hand_t, play_hand, result_t, start_hand,
)
from ginsim._setup cimport Setup, setup_t

cdef enum:
    # first_dealer
    FIRST_DEALER_SEAT = 1
    # next_dealer
    DEALER_LOSER = 0
    DEALER_WINNER = 1
    DEALER_ALTERNATE = 2
    # shutout
    SHUTOUT_ADD = 0
    SHUTOUT_REPLACE = 1
    SHUTOUT_DOUBLE = 2
    # hands of a game that are counted one by one in a tally; longer games share the last place
    MOST_COUNTED = 512

cdef packed struct game_rules_t:
    # The game-level fields of rules.Rules that single scoring uses, in its codes.
    unsigned char first_dealer
    unsigned char next_dealer
    unsigned char shutout
    short target
    short game_bonus
    short hand_bonus
    short shutout_bonus

cdef game_rules_t _rules_model
GAME_RULES_DTYPE = np.asarray(<game_rules_t[:1]>&_rules_model).dtype

cdef packed struct game_t:
    # One game; the dtype of game records is made from this struct.
    signed char first_dealer
    signed char winner               # -1: not finished within the most hands
    signed char leader_at_half       # who first had half the target, -1 for nobody
    signed char shutout              # the loser won no hand
    short hands
    short dead_hands
    short ties
    int south_points                 # of the hands
    int north_points
    int south_score                  # with the bonuses
    int north_score
    short south_hands                # hands won
    short north_hands
    short south_gins                 # gin and big gin
    short north_gins
    short south_undercuts            # clean ones too
    short north_undercuts
    int turns

cdef game_t _game_model
GAME_DTYPE = np.asarray(<game_t[:1]>&_game_model).dtype

cdef struct game_tally_t:
    # Sums over games. `pair` fields sum over mirrored pairs, and stay 0 without mirroring.
    int64_t games
    int64_t pairs
    int64_t wins[NUM_SEATS]                    # by south, by north, unfinished
    int64_t first_dealer_wins
    int64_t half_leader_known                  # finished games in which one seat led at half
    int64_t half_leader_wins
    int64_t shutouts[2]                        # by winner
    int64_t hands
    int64_t hands_squares
    int64_t dead_hands
    int64_t dead_hands_squares
    int64_t ties
    int64_t outcomes[NUM_OUTCOMES][NUM_SEATS]  # hands by outcome and seat
    int64_t margin                             # south's score minus north's
    int64_t margin_squares
    int64_t turns
    int64_t turns_squares
    int64_t lengths[MOST_COUNTED + 1]          # games by number of hands
    int64_t pair_wins[NUM_SEATS]               # pairs won twice by one seat
    int64_t pair_first_dealer_wins
    int64_t pair_shutouts[2]
    int64_t pair_shutouts_any
    int64_t pair_hands_squares
    int64_t pair_dead_hands_squares
    int64_t pair_margin_squares
    int64_t pair_turns_squares

cdef game_tally_t _tally_model
GAME_TALLY_DTYPE = np.asarray(<game_tally_t[:1]>&_tally_model).dtype


cdef struct state_t:
    # A game in play.
    int dealer
    int points[2]
    int won[2]
    int winner


cdef inline void start_game(state_t* state, const setup_t* setup, const game_rules_t* rules,
                            uint64_t index) noexcept nogil:
    cdef uint64_t deal = index >> 1 if setup.mirror else index
    state.dealer = 0 if rules.first_dealer == FIRST_DEALER_SEAT else <int>(deal & 1)
    if setup.mirror and index & 1:
        state.dealer = 1 - state.dealer
    state.points[0] = 0
    state.points[1] = 0
    state.won[0] = 0
    state.won[1] = 0
    state.winner = -1


cdef inline void play_next(hand_t* hand, state_t* state, const setup_t* setup,
                           uint64_t index, int number) noexcept nogil:
    """Play hand `number` of a game."""
    cdef uint64_t deal = index >> 1 if setup.mirror else index
    start_hand(hand, setup.rules, setup.key, deal, number, state.dealer, setup.ranks,
               setup.hand_size)
    hand.table.scores[0] = state.points[0]
    hand.table.scores[1] = state.points[1]
    play_hand(hand, setup.strategies)


cdef inline void book_hand(state_t* state, const game_rules_t* rules,
                           const result_t* result) noexcept nogil:
    """Add a hand to a game: points, the dealer of the next hand, the end."""
    cdef int winner = result.winner
    if winner < 0:
        return  # a dead hand or a tie: the same dealer again
    state.points[winner] += result.points
    state.won[winner] += 1
    if rules.next_dealer == DEALER_ALTERNATE:
        state.dealer = 1 - state.dealer
    else:
        state.dealer = winner if rules.next_dealer == DEALER_WINNER else 1 - winner
    if state.points[winner] >= rules.target:
        state.winner = winner


cdef void end_scores(const state_t* state, const game_rules_t* rules, int* scores) noexcept nogil:
    """Points of the hands and the bonuses at the end, by seat."""
    cdef int winner = state.winner
    cdef int bonus
    scores[0] = state.points[0] + state.won[0] * rules.hand_bonus
    scores[1] = state.points[1] + state.won[1] * rules.hand_bonus
    if winner < 0:
        return
    bonus = rules.game_bonus
    if not state.won[1 - winner]:
        if rules.shutout == SHUTOUT_ADD:
            bonus += rules.shutout_bonus
        elif rules.shutout == SHUTOUT_REPLACE:
            bonus = rules.shutout_bonus
        elif rules.shutout == SHUTOUT_DOUBLE:
            bonus *= 2
    scores[winner] += bonus


cdef inline int most_hands(const game_rules_t* rules, int max_hands) noexcept nogil:
    """How many hands a game may have; with target 0 a game is one hand, whoever wins it."""
    return max_hands if rules.target else 1


cdef void play_game(const setup_t* setup, const game_rules_t* rules, uint64_t index,
                    int max_hands, game_tally_t* tally, game_t* game) noexcept nogil:
    """Play one game into `game`; the outcomes of its hands are added to `tally` if there is one."""
    cdef hand_t hand
    cdef state_t state
    cdef const result_t* result = &hand.result
    cdef int scores[2]
    cdef int seat
    hand.trace = NULL
    start_game(&state, setup, rules, index)
    game.first_dealer = state.dealer
    game.leader_at_half = -1
    game.hands = 0
    game.dead_hands = 0
    game.ties = 0
    game.south_gins = 0
    game.north_gins = 0
    game.south_undercuts = 0
    game.north_undercuts = 0
    game.turns = 0
    max_hands = most_hands(rules, max_hands)
    while state.winner < 0 and game.hands < max_hands:
        play_next(&hand, &state, setup, index, game.hands)
        book_hand(&state, rules, result)
        game.hands += 1
        game.turns += hand.table.turns[0] + hand.table.turns[1]
        seat = result.winner
        if result.outcome == OUTCOME_DEAD:
            game.dead_hands += 1
            seat = 2
        elif result.outcome == OUTCOME_TIE:
            game.ties += 1
            seat = result.knocker
        elif result.outcome == OUTCOME_GIN or result.outcome == OUTCOME_BIG_GIN:
            game.south_gins += seat == 0
            game.north_gins += seat == 1
        elif (result.outcome == OUTCOME_UNDERCUT
              or result.outcome == OUTCOME_CLEAN_UNDERCUT):
            game.south_undercuts += seat == 0
            game.north_undercuts += seat == 1
        if tally != NULL:
            tally.outcomes[result.outcome][seat] += 1
        if game.leader_at_half < 0 and result.winner >= 0:
            if 2 * state.points[result.winner] >= rules.target:
                game.leader_at_half = result.winner
    end_scores(&state, rules, scores)
    game.winner = state.winner
    game.shutout = state.winner >= 0 and state.won[1 - state.winner] == 0
    game.south_points = state.points[0]
    game.north_points = state.points[1]
    game.south_score = scores[0]
    game.north_score = scores[1]
    game.south_hands = state.won[0]
    game.north_hands = state.won[1]


cdef inline void add_game(game_tally_t* tally, const game_t* game) noexcept nogil:
    cdef int64_t margin = game.south_score - game.north_score
    tally.games += 1
    tally.wins[2 if game.winner < 0 else game.winner] += 1
    tally.hands += game.hands
    tally.hands_squares += game.hands * game.hands
    tally.dead_hands += game.dead_hands
    tally.dead_hands_squares += game.dead_hands * game.dead_hands
    tally.ties += game.ties
    tally.margin += margin
    tally.margin_squares += margin * margin
    tally.turns += game.turns
    tally.turns_squares += <int64_t>game.turns * game.turns
    tally.lengths[game.hands if game.hands < MOST_COUNTED else MOST_COUNTED] += 1
    if game.winner >= 0:
        tally.first_dealer_wins += game.winner == game.first_dealer
        tally.half_leader_known += game.leader_at_half >= 0
        tally.half_leader_wins += game.leader_at_half == game.winner
        tally.shutouts[game.winner] += game.shutout


cdef inline void add_game_pair(game_tally_t* tally, const game_t* a, const game_t* b) noexcept nogil:
    cdef int64_t margin = a.south_score - a.north_score + b.south_score - b.north_score
    cdef int64_t hands = a.hands + b.hands
    cdef int64_t dead = a.dead_hands + b.dead_hands
    cdef int64_t turns = a.turns + b.turns
    tally.pairs += 1
    if a.winner == b.winner:
        tally.pair_wins[2 if a.winner < 0 else a.winner] += 1
        if a.winner >= 0:
            tally.pair_shutouts[a.winner] += a.shutout and b.shutout
    if a.winner >= 0 and b.winner >= 0:
        tally.pair_first_dealer_wins += (a.winner == a.first_dealer
                                         and b.winner == b.first_dealer)
    tally.pair_shutouts_any += a.shutout and b.shutout
    tally.pair_hands_squares += hands * hands
    tally.pair_dead_hands_squares += dead * dead
    tally.pair_turns_squares += turns * turns
    tally.pair_margin_squares += margin * margin


def _check(Setup setup, const game_rules_t[::1] rules, uint64_t first, uint64_t count,
           int max_hands):
    if rules.shape[0] != 1:
        raise ValueError("one game rules record is needed")
    if setup.num_hands is not None:
        raise ValueError("games are not played on given decks")
    if not 1 <= max_hands <= 32000:
        raise ValueError(f"max_hands is 1 to 32000, got {max_hands}")
    setup.check_range(first, count)


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
    """Add games to a tally record; the outcomes of their hands, which games lack, stay as they are.

    With `mirror` they are whole pairs.
    """
    cdef Py_ssize_t i
    if mirror and games.shape[0] & 1:
        raise ValueError(f"mirrored games come in pairs, got {games.shape[0]}")
    for i in range(games.shape[0]):
        add_game(&tally[0], &games[i])
        if mirror and i & 1:
            add_game_pair(&tally[0], &games[i - 1], &games[i])


def fill_game_hands(Setup setup, const game_rules_t[::1] rules, uint64_t first, uint64_t count,
                    int64_t[::1] games_out, short[::1] numbers_out, int[:, ::1] scores_out,
                    signed char[:, ::1] bytes_out, short[:, ::1] shorts_out, Py_ssize_t start,
                    int max_hands=10_000):
    """Write the hands of `count` games into rows from `start` on; returns the row after.

    `games_out` gets the game, `numbers_out` the number of the hand in it from 0, `scores_out`
    (two rows: south, north) the points before the hand; the other two are those of
    `_batch.fill_records`. They must have as many places as the games have hands.
    """
    cdef hand_t hand
    cdef state_t state
    cdef uint64_t i
    cdef int number
    cdef Py_ssize_t row = start
    cdef Py_ssize_t size = games_out.shape[0]
    check_columns(bytes_out, shorts_out)
    if (numbers_out.shape[0] != size or scores_out.shape[1] != size or scores_out.shape[0] != 2
            or bytes_out.shape[1] != size or start < 0):
        raise ValueError("the arrays need the same number of rows")
    _check(setup, rules, first, count, max_hands)
    hand.trace = NULL
    max_hands = most_hands(&rules[0], max_hands)
    with nogil:
        for i in range(first, first + count):
            start_game(&state, &setup.data, &rules[0], i)
            number = 0
            while state.winner < 0 and number < max_hands:
                if row >= size:
                    with gil:
                        raise ValueError("the arrays are too short")
                scores_out[0, row] = state.points[0]
                scores_out[1, row] = state.points[1]
                play_next(&hand, &state, &setup.data, i, number)
                book_hand(&state, &rules[0], &hand.result)
                games_out[row] = i
                numbers_out[row] = number
                write_record(&hand, bytes_out, shorts_out, row)
                number += 1
                row += 1
    return row


def score_game(const game_rules_t[::1] rules, winners, points, int dealer=0):
    """Book hands: (hands used, winner, points by seat, scores by seat, hands won, next dealer).

    `winners` are seats, -1 for a hand that nobody won; the winner of the game is -1 while it is
    not over.
    """
    cdef state_t state
    cdef result_t result
    cdef int scores[2]
    cdef int used = 0
    state.dealer = dealer
    state.points[0] = 0
    state.points[1] = 0
    state.won[0] = 0
    state.won[1] = 0
    state.winner = -1
    for winner, won in zip(winners, points):
        if state.winner >= 0 or used == most_hands(&rules[0], 1 << 30):
            break
        result.winner = winner
        result.points = won
        book_hand(&state, &rules[0], &result)
        used += 1
    end_scores(&state, &rules[0], scores)
    return (used, state.winner, (state.points[0], state.points[1]), (scores[0], scores[1]),
            (state.won[0], state.won[1]), state.dealer)
