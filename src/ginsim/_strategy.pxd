# cython: language_level=3
"""The decision points of a hand: what a player sees, and the rules that decide.

A strategy is a record with one rule for each decision (docs/engine.md, "Strategies"). A decision
gets a `view_t`, which holds nothing hidden. To add a rule: give it a code here, decide it in the
function of its decision point, name it in strategies.py, docs/engine.md and tests/reference.py.
Cheap rules stand here, inline; rules that search belong in `_strategy.pyx`.
"""

from libc.stdint cimport uint64_t

from ginsim._core cimport (
    HELD_UNKNOWN, discard_t, find_discard, held_t, joins, layoff_t, lowers, lowest, mask_t, melds_t,
    popcount, spread_t, study,
)
from ginsim._deck cimport GAMMA, mix, pick


cdef enum:
    # Decisions, as numbered in the random words.
    DECIDE_DRAW = 0
    DECIDE_UPCARD = 1
    DECIDE_BIG_GIN = 2
    DECIDE_KNOCK = 3
    DECIDE_DISCARD = 4
    DECIDE_SPREAD = 5
    DECIDE_LAYOFF = 6
    # Every decision point has this rule.
    BY_CHANCE = 0
    # upcard and draw
    TAKE_MELD = 1
    TAKE_IMPROVE = 2
    TAKE_NEVER = 3
    TAKE_ALWAYS = 4
    TAKE_GAIN = 5
    # big gin
    BIG_GIN_ALWAYS = 1
    # knock
    KNOCK_THRESHOLD = 1
    KNOCK_TABLE = 2
    # discard
    DISCARD_LEAST = 1
    DISCARD_UNIFORM = 2
    DISCARD_WEIGHED = 3
    # spread
    SPREAD_UNIFORM = 1
    SPREAD_FEWEST_SETS = 2
    SPREAD_FIRST = 3
    SPREAD_EXPECTED = 4
    SPREAD_CLAIRVOYANT = 5
    # layoff
    LAYOFF_OPTIMAL = 1
    LAYOFF_GREEDY = 2
    LAYOFF_IN_ORDER = 3
    LAYOFF_NONE = 4
    # `knock_after_win` and `knock_after_loss`
    KNOCK_SAME = 255
    # More than the turns of one seat in one hand: half of 255 pile draws and 51 stock draws.
    MAX_TURNS = 160
    # Parameters by turn have a value for each of the first turns of a seat; later turns are as the last.
    NUM_BY_TURN = 16
    # A knock table has rows for 0, 1, 2 and more pile draws of the opponent.
    NUM_PICK_UPS = 4
    NUM_LIMITS = 11


cdef struct strategy_t:
    # The dtype of strategies.py is made from this struct.
    unsigned char upcard
    unsigned char draw
    unsigned char big_gin
    unsigned char knock
    unsigned char knock_at
    unsigned char knock_after_win    # at a partner's table that has ended; 255: as knock_at
    unsigned char knock_after_loss
    unsigned char discard
    unsigned char spread
    unsigned char layoff
    unsigned char keep_pairs
    unsigned char cheats
    short win_from
    short loss_from
    short close_from
    short guard_from
    short knock_close[NUM_BY_TURN]
    short knock_guard[NUM_BY_TURN]
    short take_gain[NUM_BY_TURN]
    short weigh_deadwood[NUM_BY_TURN]
    short weigh_rank[NUM_BY_TURN]
    short weigh_pairs[NUM_BY_TURN]
    short weigh_runs[NUM_BY_TURN]
    short weigh_unseen[NUM_BY_TURN]
    short weigh_known[NUM_BY_TURN]
    # Bit d: whether to knock with deadwood d; by knock limit, pile draws of the opponent, turn.
    unsigned short knock_table[NUM_LIMITS][NUM_PICK_UPS][NUM_BY_TURN]
    # Search (`_rollout`): the rules above then play its play-outs.
    unsigned char opponent           # who plays the other seat there, of _rollout.OPPONENTS
    unsigned short rollouts          # of each action; 0: the rules above decide themselves
    unsigned char candidates         # most cards whose throwing is tried
    unsigned char steps              # between the opponent's hands; 0: any hand, unweighed
    unsigned short player            # number of a `_player.Player` that decides; 0: none
    unsigned char caution            # tenths of a standard error that another action must gain


cdef struct table_t:
    # What both players see. Arrays are by seat.
    mask_t pile            # cards in the discard pile
    mask_t taken[2]        # cards taken from the pile and not thrown since: known to be held
    mask_t thrown[2]       # cards ever thrown
    mask_t left[2]         # pile cards ever left lying: passed, or the stock drawn instead
    int top                # the pile's top card, -1 if there is none
    int stock              # cards in the stock
    int knock_limit
    int knock_card         # -1 if there is none
    int dealer
    int turns[2]           # turns begun
    int pile_draws[2]
    int scores[2]          # points of the game before this hand
    int target             # that end a game of one column, 0 where there is none
    bint other_over        # the other table of a partnership is known to have ended
    int other_net          # south's points there, negative if north won


cdef struct past_t:
    signed char drawn      # -1 where no card was drawn
    signed char thrown


cdef struct view_t:
    # What one player sees. Nothing in it depends on the other hand or the stock's order.
    const table_t* table
    int seat
    int turn               # the turn of this seat that is played, or would begin, from 1
    mask_t hand            # his cards: after the draw one more
    held_t held            # what has been found out about the hand before the draw
    uint64_t stream        # state of the seat's decision stream
    # After the draw:
    int drawn              # the card drawn, -1 at the opening of an `eleven` deal
    bint from_pile
    mask_t barred          # cards that may not be thrown
    discard_t best         # the best allowed discards
    bint may_end           # a knock or big gin is legal
    # Before it: `best` holds what it would be after taking the pile's top, were that barred.
    bint peeked
    # His own turns, of which those before `turn` are over: what was drawn and what was thrown.
    past_t past[MAX_TURNS]


cdef inline uint64_t decision_word(const view_t* view, int decision) noexcept nogil:
    return mix(view.stream + GAMMA * <uint64_t>(16 * view.turn + decision + 1))


cdef inline mask_t nth_card(mask_t cards, int n) noexcept nogil:
    """The n-th card (from 0) of a mask, as a mask."""
    while n > 0:
        cards &= cards - 1
        n -= 1
    return cards & -cards


cdef inline bint looks_back(const strategy_t* strategy) noexcept nogil:
    """Whether a strategy may look at who took, left and threw which cards before.

    The rules that do not are named here; any other does.
    """
    return not (
        strategy.upcard <= TAKE_IMPROVE and strategy.draw <= TAKE_IMPROVE
        and strategy.discard == DISCARD_LEAST and strategy.knock <= KNOCK_THRESHOLD
        and strategy.spread <= SPREAD_FEWEST_SETS and strategy.layoff <= LAYOFF_NONE
    )


cdef inline bint seeks_least(const strategy_t* strategy) noexcept nogil:
    """Whether a strategy takes what improves its hand and throws for least deadwood."""
    return strategy.draw == TAKE_IMPROVE and strategy.discard == DISCARD_LEAST


cdef inline bint opens_least(const strategy_t* strategy) noexcept nogil:
    """As `seeks_least`, from the upcard on."""
    return seeks_least(strategy) and strategy.upcard == TAKE_IMPROVE


cdef inline bint draws_lots(const strategy_t* strategy) noexcept nogil:
    """Whether a strategy may need random words."""
    return not (
        strategy.upcard != BY_CHANCE and strategy.draw != BY_CHANCE
        and strategy.big_gin != BY_CHANCE and strategy.knock != BY_CHANCE
        and strategy.discard != BY_CHANCE and strategy.discard != DISCARD_UNIFORM
        and strategy.spread != BY_CHANCE and strategy.spread != SPREAD_UNIFORM
        and strategy.layoff != BY_CHANCE and strategy.player == 0 and strategy.rollouts == 0
    )


cdef inline bint heeds_partner(const strategy_t* strategy) noexcept nogil:
    """Whether a strategy may look at how the other table of a partnership ended."""
    return (strategy.knock_after_win != KNOCK_SAME or strategy.knock_after_loss != KNOCK_SAME
            or strategy.player != 0 or strategy.rollouts != 0)


# ---------------------------------------------------------------- draw

cdef bint decide_other_take(const strategy_t* strategy, int rule, view_t* view) noexcept nogil


cdef inline bint decide_take(const strategy_t* strategy, int rule, view_t* view,
                             int decision) noexcept nogil:
    cdef mask_t card
    if rule == TAKE_IMPROVE:
        if view.held.known == HELD_UNKNOWN:
            study(view.hand, &view.held)
        if not joins(view.hand, view.table.top):
            return lowers(&view.held, view.table.top)
        card = <mask_t>1 << view.table.top
        find_discard(view.hand | card, card, &view.best)
        view.peeked = True
        return view.best.deadwood < view.held.deadwood
    if rule == TAKE_MELD:
        return joins(view.hand, view.table.top)
    if rule == BY_CHANCE:
        return pick(decision_word(view, decision), 2)
    return decide_other_take(strategy, rule, view)


cdef inline bint choose_upcard(const strategy_t* strategy, view_t* view) noexcept nogil:
    """Take the upcard, or pass?"""
    return decide_take(strategy, strategy.upcard, view, DECIDE_UPCARD)


cdef inline bint choose_draw(const strategy_t* strategy, view_t* view) noexcept nogil:
    """Take the pile's top card, or draw from the stock?"""
    return decide_take(strategy, strategy.draw, view, DECIDE_DRAW)


# ---------------------------------------------------------------- big gin, knock, discard

cdef inline mask_t used_pairs(const view_t* view) noexcept nogil:
    """The cards that with the card drawn would make a pair {drawn, thrown} used before."""
    cdef mask_t cards = 0
    cdef int i
    # Only a card that he threw was in this hand before.
    if view.from_pile and view.table.thrown[view.seat] >> view.drawn & 1:
        for i in range(1, view.turn):
            if view.past[i].drawn == view.drawn:
                cards |= <mask_t>1 << view.past[i].thrown
            elif view.past[i].thrown == view.drawn and view.past[i].drawn >= 0:
                cards |= <mask_t>1 << view.past[i].drawn
    return cards


cdef inline const discard_t* considered(const strategy_t* strategy, const view_t* view,
                                        discard_t* fewer) noexcept nogil:
    """The best discards among the cards that the discard rule considers, put into `fewer` where
    these are not all that are allowed."""
    cdef mask_t pairs
    if strategy.discard == DISCARD_UNIFORM:
        pairs = used_pairs(view) & view.hand
        if pairs and view.hand & ~(view.barred | pairs):
            find_discard(view.hand, view.barred | pairs, fewer)
            return fewer
    return &view.best


cdef inline bint choose_big_gin(const strategy_t* strategy, const view_t* view) noexcept nogil:
    """Declare big gin, or go on? Asked only where it may be declared."""
    return (strategy.big_gin == BIG_GIN_ALWAYS
            or pick(decision_word(view, DECIDE_BIG_GIN), 2) != 0)


cdef inline int partner_threshold(const strategy_t* strategy, const view_t* view) noexcept nogil:
    """The most deadwood to knock with after what is known of the partner, or KNOCK_SAME."""
    cdef int net, threshold = KNOCK_SAME
    if view.table.other_over:
        net = view.table.other_net if view.seat == 0 else -view.table.other_net
        if net >= strategy.win_from:
            threshold = strategy.knock_after_win
        elif -net >= strategy.loss_from:
            threshold = strategy.knock_after_loss
    return threshold


cdef inline int threshold_of(const strategy_t* strategy, const view_t* view) noexcept nogil:
    """The most deadwood that the knock rule `threshold` knocks with."""
    cdef int threshold = partner_threshold(strategy, view)
    return strategy.knock_at if threshold == KNOCK_SAME else threshold


cdef bint knocks_by_table(const strategy_t* strategy, const view_t* view,
                          int deadwood) noexcept nogil


cdef inline bint choose_knock(const strategy_t* strategy, const view_t* view) noexcept nogil:
    """Knock, or play on? Asked only where some allowed discard makes a knock legal."""
    cdef int limit = view.table.knock_limit
    cdef int threshold
    cdef discard_t fewer
    if strategy.knock == KNOCK_THRESHOLD:
        threshold = threshold_of(strategy, view)
        if threshold < limit:
            limit = threshold
        if view.best.deadwood > limit:
            return False
        return considered(strategy, view, &fewer).deadwood <= limit
    if strategy.knock == KNOCK_TABLE:
        return knocks_by_table(strategy, view, considered(strategy, view, &fewer).deadwood)
    return pick(decision_word(view, DECIDE_KNOCK), 2)


cdef inline bint choose_wall(const strategy_t* strategy, const view_t* view,
                             bint may_big_gin) noexcept nogil:
    """Take the last discard to end the hand? `view` is as it would be after taking it."""
    if strategy.draw == BY_CHANCE:
        return pick(decision_word(view, DECIDE_DRAW), 2)
    if view.best.deadwood > view.table.knock_limit:
        return may_big_gin
    return (may_big_gin and choose_big_gin(strategy, view)) or choose_knock(strategy, view)


cdef mask_t discard_candidates(const strategy_t* strategy, const view_t* view,
                               bint knocking) noexcept nogil
cdef int weighed_discard(const strategy_t* strategy, const view_t* view,
                         bint knocking) noexcept nogil


cdef inline int choose_discard(const strategy_t* strategy, const view_t* view,
                               bint knocking) noexcept nogil:
    """The card to throw; when `knocking`, one that leaves the limit or less."""
    cdef mask_t cards
    if strategy.discard == DISCARD_LEAST:
        return lowest(view.best.dearest)
    if strategy.discard == DISCARD_WEIGHED:
        return weighed_discard(strategy, view, knocking)
    cards = discard_candidates(strategy, view, knocking)
    return lowest(nth_card(cards, pick(decision_word(view, DECIDE_DISCARD), popcount(cards))))


# ---------------------------------------------------------------- spread, layoff

cdef void choose_spread(const strategy_t* strategy, const view_t* view, int most,
                        bint spelt_out, spread_t* spread) noexcept nogil
cdef void spread_against(mask_t hand, int most, mask_t defender, bint layoffs,
                         spread_t* spread) noexcept nogil
cdef void choose_layoff(const strategy_t* strategy, const view_t* view, melds_t melds,
                        bint allowed, bint spelt_out, layoff_t* result) noexcept nogil
