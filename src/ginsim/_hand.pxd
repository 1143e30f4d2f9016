# cython: language_level=3
"""One hand: the rules record, the state, and the three steps that move it.

`start_hand` deals, `decide` asks the strategy of the seat to act, `apply_choice` carries an action
out by the rules. `play_hand` repeats the last two until the hand is over: strategies are asked in
`decide` and nowhere else, rules are applied in `apply_choice` and nowhere else.
"""

from libc.stdint cimport uint64_t

from ginsim._core cimport layoff_t, mask_t, spread_t
from ginsim._deck cimport deck_t, key_t
from ginsim._strategy cimport strategy_t, table_t, view_t


cdef enum:
    # deal
    DEAL_UPCARD = 0
    DEAL_ELEVEN = 1
    # knock_card
    KNOCK_CARD_NONE = 0
    KNOCK_CARD_UPCARD = 1
    KNOCK_CARD_SECOND_DECK = 2
    # knock_limit
    LIMIT_BY_CARD = 255
    # spade_doubles
    SPADES_POINTS = 1
    SPADES_PRIZES = 2
    SPADES_ALL = 3
    # tie
    TIE_UNDERCUT = 0
    TIE_KNOCKER = 1
    TIE_NOBODY = 2
    # spread
    SPREAD_ANY = 0
    SPREAD_LEAST = 1
    # wall
    WALL_DEAD = 0
    WALL_FIFTIETH = 1
    # outcomes
    OUTCOME_KNOCK = 0
    OUTCOME_GIN = 1
    OUTCOME_BIG_GIN = 2
    OUTCOME_UNDERCUT = 3
    OUTCOME_CLEAN_UNDERCUT = 4
    OUTCOME_TIE = 5
    OUTCOME_DEAD = 6
    NUM_OUTCOMES = 7
    # why a hand is dead
    DEAD_NOT = 0
    DEAD_STOCK = 1
    DEAD_PILE_DRAWS = 2
    DEAD_GIVE_BACKS = 3
    NUM_DEAD_REASONS = 4
    # phases
    PHASE_UPCARD = 0     # take the upcard or pass
    PHASE_DRAW = 1       # pile or stock
    PHASE_DISCARD = 2    # big gin, knock or discard
    PHASE_WALL = 3       # take the last discard to end the hand, or decline
    PHASE_SPREAD = 4     # the knocker's arrangement
    PHASE_LAYOFF = 5     # the defender's arrangement and layoffs
    PHASE_OVER = 6
    PHASE_ABANDONED = 7  # a Python strategy raised; there is no result
    # actions; the first nine are also the kinds of events
    DO_PASS = 0
    DO_DRAW_PILE = 1
    DO_DRAW_STOCK = 2
    DO_DISCARD = 3
    DO_KNOCK = 4
    DO_BIG_GIN = 5
    DO_SPREAD = 6
    DO_LAYOFF = 7
    DO_DECLINE = 10
    DO_ABANDON = 11
    EVENT_MELD = 6
    EVENT_UNMELDED = 8
    EVENT_DEAD = 9
    MAX_EVENTS = 512


cdef packed struct rules_t:
    # The hand-level fields of rules.Rules, in its codes; RULES_DTYPE is made from this struct.
    unsigned char deal
    unsigned char return_taken_card
    unsigned char give_back_limit
    unsigned char knock_card
    unsigned char knock_limit
    unsigned char ace_limit
    unsigned char spade_doubles
    unsigned char big_gin
    unsigned char tie
    unsigned char spread
    unsigned char layoffs
    unsigned char dead_at
    unsigned char wall
    unsigned char max_pile_draws
    unsigned char box_base
    unsigned char box_gin
    unsigned char box_undercut
    unsigned char box_clean_undercut
    unsigned char box_big_gin
    short gin_bonus
    short undercut_bonus
    short clean_undercut_bonus
    short big_gin_bonus


cdef struct score_t:
    int outcome
    bint knocker_wins
    bint defender_wins
    int points
    int boxes
    int prize_boxes


cdef struct result_t:
    int outcome
    int dead_reason
    int winner           # seat, -1 for none
    int knocker          # seat, -1 for none
    int points           # of the winner
    int boxes
    int prize_boxes
    int deadwood[2]      # as counted: the defender's after layoffs
    int laid_off         # the defender's least deadwood alone minus that as counted


cdef packed struct event_t:
    unsigned char kind
    signed char seat
    signed char card
    mask_t mask


cdef struct trace_t:
    event_t events[MAX_EVENTS]
    int num_events


cdef struct choice_t:
    int action
    int card
    spread_t spread      # with DO_SPREAD
    layoff_t layoff      # with DO_LAYOFF


cdef struct hand_t:
    const rules_t* rules
    trace_t* trace       # NULL: nothing is recorded
    bint full            # everything is kept, and no shortcut taken
    table_t table
    view_t views[2]
    deck_t deck
    int next_card        # position in the deck of the stock's top
    int phase
    int seat             # the seat to act
    int offers           # seats that have passed the upcard
    int give_backs       # turns in a row that threw the card just taken
    bint at_wall
    bint declared        # big gin
    spread_t spread      # the knocker's, once spread
    int knock_turns[2]   # first turn on which a knock or big gin was legal, 0 for none
    result_t result


# Decides in place of the rules of a strategy. `_hand` cannot import what searches, since a search
# plays hands; so the modules above hand in what they have.
ctypedef void (*asker_t)(hand_t* hand, const strategy_t* strategy,
                         choice_t* choice) noexcept nogil


cdef score_t score_of(const rules_t* rules, int knocker_deadwood, int defender_deadwood,
                      bint big_gin, bint spade) noexcept nogil
cdef void start_hand(hand_t* hand, const rules_t* rules, key_t key, uint64_t deal,
                     uint64_t hand_in_game, int dealer, int ranks, int hand_size,
                     int table) noexcept nogil
cdef void set_streams(hand_t* hand, key_t key, uint64_t deal, uint64_t hand_in_game,
                      int table) noexcept nogil
cdef void play_hand(hand_t* hand, const strategy_t* strategies) noexcept nogil
cdef void deal_cards(hand_t* hand, int dealer, int hand_size, int second_card) noexcept nogil
cdef void set_search(asker_t search) noexcept
cdef void set_player(asker_t player) noexcept
cdef void decide_by_rules(hand_t* hand, const strategy_t* strategy,
                          choice_t* choice) noexcept nogil
cdef void play_by_rules(hand_t* hand, const strategy_t* strategies) noexcept nogil
cdef void decide(hand_t* hand, const strategy_t* strategy, choice_t* choice) noexcept nogil
cdef void apply_choice(hand_t* hand, const choice_t* choice) noexcept nogil
cdef bint may_big_gin(const hand_t* hand) noexcept nogil
cdef bint may_knock(const hand_t* hand) noexcept nogil
cdef bint stock_only(const hand_t* hand) noexcept nogil
cdef bint layoffs_allowed(const hand_t* hand) noexcept nogil
