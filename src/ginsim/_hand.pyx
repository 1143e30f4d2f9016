# cython: language_level=3
"""One hand of gin rummy, played by the rules record (docs/engine.md; RULES fields in docs/rules.md).

`_position.Hand` is the same engine one action at a time.
"""

import numpy as np

from libc.string cimport memset

from ginsim._ahead cimport (
    LEAVES_UNKNOWN, STOP_DONE, STOP_LOW, ahead_t, found_t, play_ahead, seat_t,
)
from ginsim._core cimport (
    HELD_PLAIN, HELD_UNKNOWN, deadwood_held, deadwood_of, find_discard, forget, join_discard,
    layoff_of, lowest, melds_of, melds_t, note_discard, pips_of, spread_fewest_sets, unlikely,
)
from ginsim._deck cimport (
    STREAM_DEALER, STREAM_DECK, STREAM_NONDEALER, STREAM_SECOND_DECK, STREAMS_PER_TABLE,
    card_at, deal_state, draw_opening, fill_deck, knock_card_of, stream_of_deal, stream_state,
)
from ginsim._strategy cimport (
    KNOCK_THRESHOLD, LAYOFF_OPTIMAL, MAX_TURNS, SPREAD_CLAIRVOYANT, SPREAD_EXPECTED,
    SPREAD_FEWEST_SETS, choose_big_gin,
    choose_discard, choose_draw, choose_knock, choose_layoff, choose_spread, choose_upcard,
    choose_wall, looks_back, opens_least, seeks_least, spread_against, threshold_of,
)

cdef rules_t _rules_model
RULES_DTYPE = np.asarray(<rules_t[:1]>&_rules_model).dtype
cdef event_t _event_model
EVENT_DTYPE = np.asarray(<event_t[:1]>&_event_model).dtype

OUTCOMES = ("knock", "gin", "big_gin", "undercut", "clean_undercut", "tie", "dead")
DEAD_REASONS = ("none", "stock", "pile_draws", "give_backs")
PHASES = ("upcard", "draw", "discard", "wall", "spread", "layoff", "over")
EVENTS = ("pass", "draw_pile", "draw_stock", "discard", "knock", "big_gin", "meld", "layoff",
          "unmelded", "dead")


cdef inline mask_t bit(int card) noexcept nogil:
    return <mask_t>1 << card


# ---------------------------------------------------------------- score

cdef score_t score_of(const rules_t* rules, int knocker_deadwood, int defender_deadwood,
                      bint big_gin, bint spade) noexcept nogil:
    """Points and boxes of a hand that was knocked, by deadwood after layoffs."""
    cdef score_t score
    cdef int difference = defender_deadwood - knocker_deadwood
    score.knocker_wins = True
    score.prize_boxes = 0
    score.boxes = rules.box_base
    if big_gin and rules.big_gin:
        score.outcome = OUTCOME_BIG_GIN
        score.points = difference + rules.big_gin_bonus
        score.prize_boxes = rules.box_big_gin
    elif knocker_deadwood == 0:
        score.outcome = OUTCOME_GIN
        score.points = difference + rules.gin_bonus
        score.prize_boxes = rules.box_gin
    elif difference > 0 or (difference == 0 and rules.tie == TIE_KNOCKER):
        score.outcome = OUTCOME_KNOCK
        score.points = difference
    elif difference == 0 and rules.tie == TIE_NOBODY:
        score.outcome = OUTCOME_TIE
        score.knocker_wins = False
        score.points = 0
        score.boxes = 0
    else:
        score.knocker_wins = False
        if defender_deadwood == 0:
            score.outcome = OUTCOME_CLEAN_UNDERCUT
            score.points = rules.clean_undercut_bonus - difference
            score.prize_boxes = rules.box_clean_undercut
        else:
            score.outcome = OUTCOME_UNDERCUT
            score.points = rules.undercut_bonus - difference
            score.prize_boxes = rules.box_undercut
    score.defender_wins = not score.knocker_wins and score.outcome != OUTCOME_TIE
    if spade and rules.spade_doubles:
        score.points *= 2
        if rules.spade_doubles >= SPADES_PRIZES:
            score.prize_boxes *= 2
        if rules.spade_doubles == SPADES_ALL:
            score.boxes *= 2
    score.boxes += score.prize_boxes
    return score


cdef int limit_of(const rules_t* rules, int knock_card) noexcept nogil:
    """The knock limit of a hand by its knock card (-1: none)."""
    if rules.knock_limit != LIMIT_BY_CARD:
        return rules.knock_limit
    if rules.ace_limit and knock_card % 13 == 0:
        return 0
    return pips_of(bit(knock_card))


# ---------------------------------------------------------------- deal

cdef void emit(hand_t* hand, int kind, int seat, int card, mask_t mask) noexcept nogil:
    cdef event_t* event
    if hand.trace.num_events < MAX_EVENTS:
        event = &hand.trace.events[hand.trace.num_events]
        event.kind = kind
        event.seat = seat
        event.card = card
        event.mask = mask
        hand.trace.num_events += 1


cdef inline mask_t every_other(const unsigned char* cards, int count) noexcept nogil:
    cdef mask_t hand = 0
    cdef int i
    for i in range(count):
        hand |= bit(cards[2 * i])
    return hand


cdef void deal_cards(hand_t* hand, int dealer, int hand_size, int second_card) noexcept nogil:
    """Deal from `hand.deck`; `second_card` is the second deck's top card, where there is one."""
    cdef const rules_t* rules = hand.rules
    cdef table_t* table = &hand.table
    cdef int nondealer = 1 - dealer
    cdef int seat, upcard
    cdef int num_cards = hand.deck.dealt + hand.deck.num_left
    cdef mask_t first, second
    cdef view_t* view
    if num_cards == 52 and hand.deck.dealt == 0:
        draw_opening(&hand.deck)
    upcard = card_at(&hand.deck, 2 * hand_size)
    if hand_size == 10:
        # The compiler spells this out.
        first = every_other(hand.deck.cards, 10)
        second = every_other(hand.deck.cards + 1, 10)
    else:
        first = every_other(hand.deck.cards, hand_size)
        second = every_other(hand.deck.cards + 1, hand_size)
    hand.next_card = 2 * hand_size + 1
    # In two parts: for more than 64 bytes at once the compiler takes a slow instruction.
    memset(table, 0, 64)
    memset(<char*>table + 64, 0, sizeof(table_t) - 64)
    table.dealer = dealer
    table.stock = num_cards - hand.next_card
    table.top = -1
    for seat in range(2):
        view = &hand.views[seat]
        view.table = table
        view.seat = seat
        view.hand = second if seat == dealer else first
        view.turn = 1
        forget(&view.held)
        view.drawn = -1
        view.from_pile = False
        view.barred = 0
        view.peeked = False
    hand.full = False
    hand.offers = 0
    hand.give_backs = 0
    hand.at_wall = False
    hand.declared = False
    hand.knock_turns[0] = 0
    hand.knock_turns[1] = 0
    hand.seat = nondealer
    table.knock_card = -1
    if rules.knock_card == KNOCK_CARD_SECOND_DECK:
        table.knock_card = second_card
    if rules.deal == DEAL_UPCARD:
        if rules.knock_card == KNOCK_CARD_UPCARD:
            table.knock_card = upcard
        table.top = upcard
        table.pile = bit(upcard)
        hand.phase = PHASE_UPCARD
    table.knock_limit = limit_of(rules, table.knock_card)
    if rules.deal == DEAL_ELEVEN:
        hand.views[nondealer].hand |= bit(upcard)
        begin_turn(hand, &hand.views[nondealer], -1, False)


cdef void start_hand(hand_t* hand, const rules_t* rules, key_t key, uint64_t deal,
                     uint64_t hand_in_game, int dealer, int ranks, int hand_size,
                     int table) noexcept nogil:
    """Deal hand `hand_in_game` of a deal. `hand.trace` must have been set before.

    `table` is 1 for the second table of a partnership, which has streams of its own. Where lots may
    be drawn, `set_streams` follows.
    """
    cdef int second_card = -1
    hand.rules = rules
    fill_deck(&hand.deck,
              stream_state(key, STREAMS_PER_TABLE * table + STREAM_DECK, deal, hand_in_game), ranks)
    if rules.knock_card == KNOCK_CARD_SECOND_DECK:
        second_card = knock_card_of(stream_state(key, STREAM_SECOND_DECK, deal, hand_in_game),
                                    ranks)
    deal_cards(hand, dealer, hand_size, second_card)


cdef void set_streams(hand_t* hand, key_t key, uint64_t deal, uint64_t hand_in_game,
                      int table) noexcept nogil:
    """Set the streams of both seats' lots in a dealt hand."""
    cdef uint64_t streams = STREAMS_PER_TABLE * table
    cdef uint64_t state = deal_state(key, deal)
    cdef int dealer = hand.table.dealer
    hand.views[1 - dealer].stream = stream_of_deal(state, key, streams + STREAM_NONDEALER,
                                                   hand_in_game)
    hand.views[dealer].stream = stream_of_deal(state, key, streams + STREAM_DEALER, hand_in_game)


# ---------------------------------------------------------------- the rules, action by action

cdef inline bint all_melds(const hand_t* hand, const view_t* view) noexcept nogil:
    return hand.rules.big_gin and view.best.all_melded


cdef inline bint knocks(const hand_t* hand, const view_t* view) noexcept nogil:
    return view.best.deadwood <= hand.table.knock_limit


cdef bint may_big_gin(const hand_t* hand) noexcept nogil:
    return all_melds(hand, &hand.views[hand.seat])


cdef bint may_knock(const hand_t* hand) noexcept nogil:
    return knocks(hand, &hand.views[hand.seat])


# In what follows `view` is that of the seat to act.

cdef inline void begin_turn(hand_t* hand, view_t* view, int card, bint from_pile) noexcept nogil:
    """The seat to act gets a card; `card` is -1 at the opening of an `eleven` deal."""
    hand.table.turns[hand.seat] += 1
    hand.phase = PHASE_DISCARD
    view.drawn = card
    view.from_pile = from_pile
    view.barred = 0
    if from_pile and (not hand.rules.return_taken_card or hand.at_wall):
        view.barred = bit(card)
    if unlikely(card < 0):
        find_discard(view.hand, 0, &view.best)
    else:
        if not (from_pile and view.peeked and view.barred):
            join_discard(view.hand, &view.held, card, view.barred, &view.best)
        view.hand |= bit(card)
    view.peeked = False
    view.may_end = knocks(hand, view) or all_melds(hand, view)
    if view.may_end and not hand.knock_turns[hand.seat]:
        hand.knock_turns[hand.seat] = view.turn


cdef inline void get_found_card(hand_t* hand, view_t* view, const found_t* found) noexcept nogil:
    """The seat to act gets the card with which `_ahead` found that it may end the hand."""
    cdef table_t* table = &hand.table
    if found.from_pile:
        table.top = -1
        table.pile_draws[hand.seat] += 1
    else:
        hand.next_card += 1
        table.stock -= 1
    table.turns[hand.seat] += 1
    view.hand |= bit(found.card)
    if not hand.knock_turns[hand.seat]:
        hand.knock_turns[hand.seat] = view.turn


cdef inline void begin_found_turn(hand_t* hand, view_t* view, const found_t* found) noexcept nogil:
    """As `begin_turn`, with what `_ahead` found."""
    get_found_card(hand, view, found)
    # For who seeks least deadwood these are all that count of the best discards.
    view.best.deadwood = found.deadwood
    view.best.dearest = found.dearest
    view.best.best = found.dearest
    view.best.all_melded = False
    view.best.plain = found.leaves.count == 1
    view.best.loose = found.leaves.loose[0]
    hand.phase = PHASE_DISCARD
    view.drawn = found.card
    view.from_pile = found.from_pile
    view.barred = bit(found.card) if found.from_pile and not hand.rules.return_taken_card else 0
    view.peeked = False
    view.may_end = True


cdef inline void take_top(hand_t* hand, view_t* view, bint kept) noexcept nogil:
    cdef table_t* table = &hand.table
    cdef int card = table.top
    table.top = -1
    if kept:
        table.pile ^= bit(card)
        table.taken[hand.seat] |= bit(card)
    table.pile_draws[hand.seat] += 1
    if unlikely(hand.trace != NULL):
        emit(hand, DO_DRAW_PILE, hand.seat, card, 0)
    begin_turn(hand, view, card, True)


cdef inline void draw_from_stock(hand_t* hand, view_t* view, bint kept) noexcept nogil:
    cdef table_t* table = &hand.table
    cdef int card = card_at(&hand.deck, hand.next_card)
    hand.next_card += 1
    table.stock -= 1
    if kept:
        table.left[hand.seat] |= bit(table.top)
    if unlikely(hand.trace != NULL):
        emit(hand, DO_DRAW_STOCK, hand.seat, card, 0)
    begin_turn(hand, view, card, False)


cdef void pass_upcard(hand_t* hand) noexcept nogil:
    hand.table.left[hand.seat] |= bit(hand.table.top)
    if unlikely(hand.trace != NULL):
        emit(hand, DO_PASS, hand.seat, hand.table.top, 0)
    hand.views[hand.seat].peeked = False
    hand.offers += 1
    hand.seat = 1 - hand.seat
    if hand.offers == 2:
        hand.phase = PHASE_DRAW


cdef void end_dead(hand_t* hand, int reason) noexcept nogil:
    cdef result_t* result = &hand.result
    cdef int seat
    if unlikely(hand.trace != NULL):
        emit(hand, EVENT_DEAD, -1, reason, 0)
    hand.phase = PHASE_OVER
    result.outcome = OUTCOME_DEAD
    result.dead_reason = reason
    result.winner = -1
    result.knocker = -1
    result.points = 0
    result.boxes = 0
    result.prize_boxes = 0
    for seat in range(2):
        result.deadwood[seat] = deadwood_held(hand.views[seat].hand, &hand.views[seat].held)
    result.laid_off = 0


cdef view_t view_at_wall(const hand_t* hand) noexcept nogil:
    """The view of the seat at the wall as it would be after taking the pile's top."""
    cdef view_t view = hand.views[hand.seat]
    cdef mask_t card = bit(hand.table.top)
    view.hand |= card
    view.drawn = hand.table.top
    view.from_pile = True
    view.barred = card
    find_discard(view.hand, card, &view.best)
    return view


cdef bint may_take_at_wall(const hand_t* hand) noexcept nogil:
    cdef view_t view = view_at_wall(hand)
    return (view.best.deadwood <= hand.table.knock_limit
            or (hand.rules.big_gin and view.best.all_melded))


cdef inline void throw_card(hand_t* hand, view_t* view, int card, bint kept) noexcept nogil:
    """Move a card from the hand to the top of the pile."""
    cdef table_t* table = &hand.table
    view.hand ^= bit(card)
    table.top = card
    if kept:
        table.taken[hand.seat] &= ~bit(card)
        table.thrown[hand.seat] |= bit(card)
        table.pile |= bit(card)


cdef inline int dead_reason(hand_t* hand, const view_t* view, bint as_drawn) noexcept nogil:
    """Why a hand is dead after a discard, if it is."""
    cdef const rules_t* rules = hand.rules
    if not view.from_pile:
        hand.give_backs = 0
    else:
        hand.give_backs = hand.give_backs + 1 if as_drawn else 0
        if rules.give_back_limit and hand.give_backs >= rules.give_back_limit:
            return DEAD_GIVE_BACKS
        if hand.table.pile_draws[0] + hand.table.pile_draws[1] >= rules.max_pile_draws:
            return DEAD_PILE_DRAWS
    if unlikely(hand.table.stock <= rules.dead_at):
        return DEAD_STOCK
    return DEAD_NOT


cdef inline void discard(hand_t* hand, view_t* view, int card, bint kept) noexcept nogil:
    """Throw a card and play on."""
    cdef bint as_drawn = card == view.drawn
    cdef int reason
    throw_card(hand, view, card, kept)
    if unlikely(hand.trace != NULL):
        emit(hand, DO_DISCARD, hand.seat, card, 0)
    note_discard(&view.held, &view.best, bit(card), as_drawn)
    if kept:
        view.past[view.turn].drawn = view.drawn
        view.past[view.turn].thrown = card
    view.turn += 1
    hand.seat = 1 - hand.seat
    hand.phase = PHASE_DRAW
    reason = dead_reason(hand, view, as_drawn)
    if unlikely(reason != DEAD_NOT):
        if reason == DEAD_STOCK and hand.rules.wall == WALL_FIFTIETH and may_take_at_wall(hand):
            hand.phase = PHASE_WALL
        else:
            end_dead(hand, reason)


cdef void end_turn_knocking(hand_t* hand, int card) noexcept nogil:
    """Throw a card and knock, or with card -1 declare big gin."""
    if card >= 0:
        throw_card(hand, &hand.views[hand.seat], card, True)
    hand.declared = card < 0
    if unlikely(hand.trace != NULL):
        emit(hand, DO_KNOCK if card >= 0 else DO_BIG_GIN, hand.seat, card, 0)
    hand.result.knocker = hand.seat
    hand.phase = PHASE_SPREAD


cdef void emit_spread(hand_t* hand, int seat, const spread_t* spread) noexcept nogil:
    cdef int i
    for i in range(spread.num_melds):
        emit(hand, EVENT_MELD, seat, -1, spread.melds[i])


cdef inline void spread_out(hand_t* hand) noexcept nogil:
    """Lay `hand.spread` open."""
    if unlikely(hand.trace != NULL):
        emit_spread(hand, hand.seat, &hand.spread)
        emit(hand, EVENT_UNMELDED, hand.seat, -1, hand.spread.unmelded)
    hand.seat = 1 - hand.seat
    # The defender decides as of the turn that he played last.
    hand.views[hand.seat].turn = hand.table.turns[hand.seat]
    hand.phase = PHASE_LAYOFF


cdef bint layoffs_allowed(const hand_t* hand) noexcept nogil:
    return hand.rules.layoffs and hand.spread.deadwood > 0


cdef void lay_off(hand_t* hand, const layoff_t* layoff) noexcept nogil:
    """The defender's answer; then the hand is scored."""
    cdef int defender = hand.seat
    cdef int knocker = 1 - defender
    cdef result_t* result = &hand.result
    cdef bint spade = hand.table.knock_card >= 39
    cdef score_t score = score_of(hand.rules, hand.spread.deadwood, layoff.deadwood,
                                  hand.declared, spade)
    if unlikely(hand.trace != NULL):
        emit_spread(hand, defender, &layoff.own)
        emit(hand, DO_LAYOFF, defender, -1, layoff.laid)
        emit(hand, EVENT_UNMELDED, defender, -1, layoff.own.unmelded)
    hand.phase = PHASE_OVER
    result.outcome = score.outcome
    result.dead_reason = DEAD_NOT
    result.winner = knocker if score.knocker_wins else defender if score.defender_wins else -1
    result.points = score.points
    result.boxes = score.boxes
    result.prize_boxes = score.prize_boxes
    result.deadwood[knocker] = hand.spread.deadwood
    result.deadwood[defender] = layoff.deadwood
    result.laid_off = (deadwood_held(hand.views[defender].hand, &hand.views[defender].held)
                       - layoff.deadwood)


cdef inline void apply_move(hand_t* hand, view_t* view, int action, int card) noexcept nogil:
    """Carry out an action that says all with a card: any but a spread and a layoff."""
    if action == DO_DISCARD:
        discard(hand, view, card, True)
    elif action == DO_DRAW_STOCK:
        draw_from_stock(hand, view, True)
    elif action == DO_DRAW_PILE:
        hand.at_wall = hand.phase == PHASE_WALL
        take_top(hand, view, True)
    elif action == DO_PASS:
        pass_upcard(hand)
    elif action == DO_KNOCK:
        end_turn_knocking(hand, card)
    elif action == DO_BIG_GIN:
        end_turn_knocking(hand, -1)
    else:
        end_dead(hand, DEAD_STOCK)


cdef void apply_choice(hand_t* hand, const choice_t* choice) noexcept nogil:
    """Carry out an action of the seat to act. It must be legal."""
    if choice.action == DO_SPREAD:
        hand.spread = choice.spread
        spread_out(hand)
    elif choice.action == DO_LAYOFF:
        lay_off(hand, &choice.layoff)
    elif unlikely(choice.action == DO_ABANDON):
        hand.phase = PHASE_ABANDONED
    else:
        apply_move(hand, &hand.views[hand.seat], choice.action, choice.card)


# ---------------------------------------------------------------- the strategies, phase by phase

cdef bint stock_only(const hand_t* hand) noexcept nogil:
    """After two passes the upcard is out of play: the first draw is from the stock."""
    return hand.table.turns[hand.seat] == 0 and hand.offers == 2 and hand.seat != hand.table.dealer


cdef int decide_at_wall(const hand_t* hand, const strategy_t* strategy) noexcept nogil:
    cdef view_t after = view_at_wall(hand)
    return DO_DRAW_PILE if choose_wall(strategy, &after, all_melds(hand, &after)) else DO_DECLINE


cdef int decide_end(const hand_t* hand, const view_t* view, const strategy_t* strategy,
                    int* card) noexcept nogil:
    """Big gin, knock or discard, where the hand may be ended."""
    cdef bint knocking
    if all_melds(hand, view):
        # At the wall the card was taken to end the hand, one way or the other.
        if choose_big_gin(strategy, view) or (hand.at_wall and not knocks(hand, view)):
            return DO_BIG_GIN
    knocking = knocks(hand, view) and (hand.at_wall or choose_knock(strategy, view))
    card[0] = choose_discard(strategy, view, knocking)
    return DO_KNOCK if knocking else DO_DISCARD


cdef inline int decide_move(const hand_t* hand, view_t* view, const strategy_t* strategy,
                            int* card) noexcept nogil:
    """Ask for an action that says all with a card: any but a spread and a layoff."""
    card[0] = -1
    if hand.phase == PHASE_DISCARD:
        if unlikely(view.may_end):
            return decide_end(hand, view, strategy, card)
        card[0] = choose_discard(strategy, view, False)
        return DO_DISCARD
    if hand.phase == PHASE_DRAW:
        if not stock_only(hand) and choose_draw(strategy, view):
            return DO_DRAW_PILE
        return DO_DRAW_STOCK
    if hand.phase == PHASE_UPCARD:
        return DO_DRAW_PILE if choose_upcard(strategy, view) else DO_PASS
    return decide_at_wall(hand, strategy)


cdef inline void decide_spread(const hand_t* hand, const view_t* view, const strategy_t* strategy,
                               spread_t* spread) noexcept nogil:
    cdef int most = hand.table.knock_limit
    if strategy.spread == SPREAD_FEWEST_SETS and hand.trace == NULL:
        spread_fewest_sets(view.hand, spread)
        return
    if hand.declared:
        most = 0
    elif hand.rules.spread == SPREAD_LEAST:
        most = deadwood_of(view.hand)
    if strategy.spread == SPREAD_CLAIRVOYANT and strategy.cheats:
        spread_against(view.hand, most, hand.views[1 - hand.seat].hand, hand.rules.layoffs, spread)
        return
    if strategy.spread == SPREAD_EXPECTED and not hand.rules.layoffs:
        most = deadwood_of(view.hand)
    choose_spread(strategy, view, most, hand.trace != NULL, spread)


cdef inline void decide_layoff(const hand_t* hand, const view_t* view, const strategy_t* strategy,
                               layoff_t* layoff) noexcept nogil:
    cdef melds_t melds = melds_of(&hand.spread)
    if strategy.layoff == LAYOFF_OPTIMAL and hand.trace == NULL and layoffs_allowed(hand):
        # Its deadwood is all that is asked for.
        layoff.deadwood = layoff_of(view.hand, melds.runs, melds.missing)
        return
    choose_layoff(strategy, view, melds, layoffs_allowed(hand), hand.trace != NULL, layoff)


cdef asker_t _search = NULL


cdef void set_search(asker_t search) noexcept:
    """Say who decides for strategies that search. `_rollout` does so when it is imported, and
    `_setup`, without which no numbered hand is dealt, imports it."""
    global _search
    _search = search


cdef asker_t _player = NULL


cdef void set_player(asker_t player) noexcept:
    """Say who asks strategies written in Python: likewise, `_player`."""
    global _player
    _player = player


cdef void decide(hand_t* hand, const strategy_t* strategy, choice_t* choice) noexcept nogil:
    """Ask a strategy for the action of the seat to act."""
    if hand.phase < PHASE_SPREAD and unlikely((strategy.player | strategy.rollouts) != 0):
        if strategy.player:
            _player(hand, strategy, choice)
        else:
            _search(hand, strategy, choice)
    else:
        decide_by_rules(hand, strategy, choice)


cdef void decide_by_rules(hand_t* hand, const strategy_t* strategy,
                          choice_t* choice) noexcept nogil:
    """The action by the rules of a strategy, without a search."""
    cdef view_t* view = &hand.views[hand.seat]
    choice.card = -1
    if hand.phase == PHASE_SPREAD:
        choice.action = DO_SPREAD
        decide_spread(hand, view, strategy, &choice.spread)
    elif hand.phase == PHASE_LAYOFF:
        choice.action = DO_LAYOFF
        decide_layoff(hand, view, strategy, &choice.layoff)
    else:
        choice.action = decide_move(hand, view, strategy, &choice.card)


cdef inline void look_ahead(const hand_t* hand, const view_t* view, const strategy_t* strategy,
                            seat_t* seat) noexcept nogil:
    """A player as `_ahead` sees him."""
    cdef int threshold
    seat.hand = view.hand
    seat.deadwood = view.held.deadwood
    seat.leaves.count = LEAVES_UNKNOWN
    if view.held.known == HELD_PLAIN:
        seat.leaves.count = 1
        seat.leaves.loose[0] = view.held.loose
    seat.turns = 0
    seat.pile_draws = 0
    seat.knock_turn = 0
    seat.knocks_at = hand.table.knock_limit
    if strategy.knock == KNOCK_THRESHOLD:
        threshold = threshold_of(strategy, view)
        if threshold < seat.knocks_at:
            seat.knocks_at = threshold


cdef inline void catch_up(hand_t* hand, int player, view_t* view, const seat_t* seat) noexcept nogil:
    """Put down what `_ahead` has played for a player."""
    hand.table.turns[player] += seat.turns
    hand.table.pile_draws[player] += seat.pile_draws
    if unlikely(seat.knock_turn != 0) and not hand.knock_turns[player]:
        hand.knock_turns[player] = view.turn + seat.knock_turn - 1
    view.turn += seat.turns
    if seat.leaves.count == 1:
        view.held.known = HELD_PLAIN
        view.held.loose = seat.leaves.loose[0]
    elif seat.hand != view.hand:
        view.held.known = HELD_UNKNOWN
    view.held.deadwood = seat.deadwood
    view.hand = seat.hand


cdef inline void knock_found(hand_t* hand, view_t* view, const found_t* found) noexcept nogil:
    """Knock with the best discard that `_ahead` found."""
    cdef mask_t thrown = found.dearest & -found.dearest
    get_found_card(hand, view, found)
    view.hand ^= thrown
    hand.table.top = lowest(thrown)
    hand.declared = False
    hand.result.knocker = hand.seat
    hand.phase = PHASE_SPREAD


cdef bint run_ahead(hand_t* hand, view_t** views, const strategy_t* strategies,
                    int most) noexcept nogil:
    """Play at most `most` turns of players who seek least deadwood by `_ahead`.

    Whether it played so many: if not, what comes next is for the engine. The next turn may have
    begun, in PHASE_DISCARD, or ended the hand, in PHASE_SPREAD.
    """
    cdef ahead_t ahead
    cdef table_t* table = &hand.table
    cdef int num_cards = hand.next_card + table.stock
    cdef int stop
    look_ahead(hand, views[0], &strategies[0], &ahead.seats[0])
    look_ahead(hand, views[1], &strategies[1], &ahead.seats[1])
    ahead.seat = hand.seat
    ahead.offers = hand.offers
    ahead.opening = hand.phase == PHASE_UPCARD or stock_only(hand)
    ahead.top = table.top
    ahead.next_card = hand.next_card
    ahead.pile_draws_left = hand.rules.max_pile_draws - 1 - table.pile_draws[0] - table.pile_draws[1]
    ahead.knock_limit = table.knock_limit
    ahead.deck = &hand.deck
    ahead.last_card = num_cards - 1 - hand.rules.dead_at
    stop = play_ahead(&ahead, most)
    if ahead.seats[0].turns | ahead.seats[1].turns:
        hand.give_backs = 0
    catch_up(hand, 0, views[0], &ahead.seats[0])
    catch_up(hand, 1, views[1], &ahead.seats[1])
    hand.seat = ahead.seat
    hand.offers = ahead.offers
    hand.phase = PHASE_UPCARD if ahead.opening and ahead.offers < 2 else PHASE_DRAW
    table.top = ahead.top
    hand.next_card = ahead.next_card
    table.stock = num_cards - ahead.next_card
    if stop == STOP_LOW:
        # Who knocks by a threshold was asked for it when he was looked at.
        if strategies[ahead.seat].knock == KNOCK_THRESHOLD:
            knock_found(hand, views[ahead.seat], &ahead.found)
        else:
            begin_found_turn(hand, views[ahead.seat], &ahead.found)
    return stop == STOP_DONE


cdef inline void play_turns(hand_t* hand, view_t** views, const strategy_t* strategies,
                            bint kept) noexcept nogil:
    """Play whole turns, draw and discard, as long as nobody ends the hand.

    Without `kept` what only a look back needs is not kept.
    """
    cdef view_t* view
    cdef const strategy_t* strategy
    cdef int action, card
    cdef bint quick[2]
    quick[0] = not kept and seeks_least(&strategies[0])
    quick[1] = not kept and seeks_least(&strategies[1])
    while hand.phase == PHASE_DRAW:
        if quick[hand.seat]:
            # Where only one of the players can be played ahead, the engine plays the other's turns.
            if run_ahead(hand, views, strategies, MAX_TURNS if quick[1 - hand.seat] else 1):
                continue
            if hand.phase == PHASE_SPREAD:
                return
        view = views[hand.seat]
        strategy = &strategies[hand.seat]
        if hand.phase == PHASE_DRAW:
            if not stock_only(hand) and choose_draw(strategy, view):
                take_top(hand, view, kept)
            else:
                draw_from_stock(hand, view, kept)
        if unlikely(view.may_end):
            action = decide_end(hand, view, strategy, &card)
            if action != DO_DISCARD:
                end_turn_knocking(hand, card if action == DO_KNOCK else -1)
                return
        else:
            card = choose_discard(strategy, view, False)
        discard(hand, view, card, kept)


cdef void play_by_rules(hand_t* hand, const strategy_t* strategies) noexcept nogil:
    """Play a hand on to its end by the rules of south's and north's strategies, without a search.

    This is `decide_by_rules` and `apply_choice` in turn, spelt out so that the compiler joins the
    decision and what follows from it, and nothing passes through memory between them.
    """
    cdef layoff_t layoff
    # Looked up: else the compiler works the address of a view out again for each of its fields.
    cdef view_t* views[2]
    cdef view_t* view
    cdef int action, card
    cdef bint kept
    views[0] = &hand.views[0]
    views[1] = &hand.views[1]
    kept = (hand.trace != NULL or hand.full or looks_back(&strategies[0])
            or looks_back(&strategies[1]))
    if (hand.phase == PHASE_UPCARD and not kept and opens_least(&strategies[0])
            and opens_least(&strategies[1])):
        run_ahead(hand, views, strategies, MAX_TURNS)
    while hand.phase < PHASE_SPREAD:
        if hand.phase == PHASE_DRAW:
            if kept:
                play_turns(hand, views, strategies, True)
            else:
                play_turns(hand, views, strategies, False)
        else:
            view = views[hand.seat]
            action = decide_move(hand, view, &strategies[hand.seat], &card)
            apply_move(hand, view, action, card)
    if hand.phase == PHASE_SPREAD:
        decide_spread(hand, views[hand.seat], &strategies[hand.seat], &hand.spread)
        spread_out(hand)
        decide_layoff(hand, views[hand.seat], &strategies[hand.seat], &layoff)
        lay_off(hand, &layoff)


cdef void play_hand(hand_t* hand, const strategy_t* strategies) noexcept nogil:
    """Play a dealt hand to its end; `strategies` are south's and north's.

    Only where a strategy is written in Python may it end in PHASE_ABANDONED.
    """
    cdef choice_t choice
    if unlikely((strategies[0].rollouts | strategies[1].rollouts
                 | strategies[0].player | strategies[1].player) != 0):
        while hand.phase < PHASE_OVER:
            decide(hand, &strategies[hand.seat], &choice)
            apply_choice(hand, &choice)
    else:
        play_by_rules(hand, strategies)


def score_hand(const rules_t[::1] rules, int knocker_deadwood, int defender_deadwood,
               bint big_gin=False, bint spade=False):
    """(outcome, "knocker", "defender" or None, points, boxes, prize boxes) of a knocked hand."""
    cdef score_t score = score_of(&rules[0], knocker_deadwood, defender_deadwood, big_gin, spade)
    winner = "knocker" if score.knocker_wins else "defender" if score.defender_wins else None
    return OUTCOMES[score.outcome], winner, score.points, score.boxes, score.prize_boxes


def knock_limit(const rules_t[::1] rules, int knock_card=-1):
    """The knock limit of a hand with that knock card (-1: none)."""
    if rules[0].knock_limit == LIMIT_BY_CARD and not 0 <= knock_card < 52:
        raise ValueError("these rules need a knock card to set the limit")
    return limit_of(&rules[0], knock_card)
