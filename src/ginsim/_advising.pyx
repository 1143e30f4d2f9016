# cython: language_level=3
"""What each action of a position brings, over hidden cards that agree with the public history.

The search of `_rollout`, kept play-out by play-out: the hidden cards are drawn by several chains
that know nothing of each other, so that errors can be told from the differences between them.
"""


from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from ginsim._core cimport find_discard, forget, mask_t
from ginsim._deck cimport GAMMA, deck_t, mix
from ginsim._hand cimport (
    PHASE_DISCARD, PHASE_DRAW, PHASE_SPREAD, PHASE_UPCARD, PHASE_WALL,
    apply_choice, choice_t, hand_t, play_by_rules, rules_t,
)
from ginsim._position cimport Hand
from ginsim._position import ACTIONS, IllegalAction
from ginsim._rollout cimport (
    MOST_ACTIONS, chain_t, draw_hidden, list_actions, seat_hidden, valued_t, would_have_ended,
)
from ginsim._strategy cimport strategy_t, view_t

cdef dict _ACTION_NAMES = {code: name for name, code in ACTIONS.items()}


def set_up(const rules_t[::1] rules, mask_t cards, pile, mask_t taken, mask_t showed, int turn,
           int other_turns, int dealer, int pile_draws, int own_pile_draws, int limit,
           int knock_card=-1, int drawn=-1, bint from_pile=False, bint is_offer=False,
           bint is_passed=False, bint is_wall=False):
    """A position of south that has seen this, whatever is hidden put in card order.

    Args:
        rules: of RULES_DTYPE, shape (1,).
        cards: south's cards, ten before the draw and eleven after it.
        pile: the discard pile from the bottom, as it lies now.
        taken: cards that north took from the pile and still holds; `showed` likewise south's.
        turn: south's own turn that is played or would begin; `other_turns` how many north has had.
        dealer: 0 south, 1 north.
        pile_draws, own_pile_draws: cards that north, and south, have drawn from the pile.
        limit, knock_card: the knock limit, and the card that set it, -1 for none.
        drawn, from_pile: with eleven cards, the card drawn (-1 if it is not told), and whether
            from the pile.
        is_offer: the upcard is on offer to south; `is_passed`: north has passed it, on offer or not.
        is_wall: the last discard may be taken, to end the hand.

    Every card of the pile but one on offer was thrown by north or left lying by him: whoever does
    not take the top card buries it. What south took from the pile north had thrown. So north wants
    none of them, but perhaps the upcard, if south took it before north was asked.
    """
    cdef Hand hand = Hand.__new__(Hand)
    cdef hand_t* state = &hand._hand
    cdef view_t* view
    cdef mask_t pile_mask = 0, last
    cdef int count = 0, missing, i, seat
    cdef list hidden, held
    for card in pile:
        pile_mask |= <mask_t>1 << <int>card
    hidden = [i for i in range(52) if not (cards | pile_mask | taken) >> i & 1]
    held = [i for i in range(52) if taken >> i & 1]
    missing = 10 - len(held)
    memset(state, 0, sizeof(hand_t))
    hand._rules = rules[0]
    state.rules = &hand._rules
    hand._trace.num_events = 0
    state.trace = &hand._trace
    for card in hidden[missing:]:
        state.deck.cards[count] = card
        count += 1
    state.deck.dealt = count
    hand.deck = tuple(hidden[missing:])
    state.views[0].hand = cards
    state.views[1].hand = taken
    for card in hidden[:missing]:
        state.views[1].hand |= <mask_t>1 << <int>card
    state.table.pile = pile_mask
    state.table.top = -1 if from_pile or not pile else pile[len(pile) - 1]
    state.table.stock = count
    state.table.knock_limit = limit
    state.table.knock_card = knock_card
    state.table.dealer = dealer
    state.table.taken[0] = showed
    state.table.taken[1] = taken
    state.table.pile_draws[0] = own_pile_draws
    state.table.pile_draws[1] = pile_draws
    state.table.turns[0] = turn - 1
    state.table.turns[1] = other_turns
    if is_passed:
        # The upcard, which lies there or was taken by south.
        state.table.left[1] = pile_mask | showed
    if other_turns:
        state.table.thrown[1] = pile_mask | showed
        state.table.thrown[0] = pile_mask
        if state.table.top >= 0:
            # South has not yet answered the top card, or has just left it by drawing.
            state.table.thrown[0] &= ~(<mask_t>1 << state.table.top)
    # Who deals is asked last.
    state.offers = 2 if is_passed and dealer == 1 else is_passed
    for seat in range(2):
        view = &state.views[seat]
        view.table = &state.table
        view.seat = seat
        view.turn = state.table.turns[seat] + 1
        view.drawn = -1
        forget(&view.held)
        memset(view.past, -1, sizeof(view.past))
    state.seat = 0
    state.phase = PHASE_UPCARD if is_offer else PHASE_DRAW
    view = &state.views[0]
    if is_wall:
        state.phase = PHASE_WALL
        last = <mask_t>1 << state.table.top
        find_discard(cards | last, last, &view.best)
        if view.best.deadwood > limit and not (hand._rules.big_gin and view.best.all_melded):
            raise IllegalAction("the last discard cannot be taken to end the hand, which is dead")
    if drawn >= 0 or not is_offer and _count(cards) == 11:
        state.phase = PHASE_DISCARD
        state.table.turns[0] = turn
        view.turn = turn
        view.drawn = drawn
        view.from_pile = from_pile
        if from_pile and not hand._rules.return_taken_card:
            view.barred = <mask_t>1 << drawn
        if state.table.top >= 0:
            state.table.left[0] |= <mask_t>1 << state.table.top
        find_discard(view.hand, view.barred, &view.best)
        view.may_end = (view.best.deadwood <= limit
                        or (hand._rules.big_gin and view.best.all_melded))
    return hand


cdef int _count(mask_t cards):
    return bin(cards).count("1")


def value_chains(Hand hand, const strategy_t[::1] players, const strategy_t[::1] search,
                 uint64_t key, int[:, :, ::1] nets, signed char[:, :, ::1] winners):
    """Try every action of the seat to act on drawn cards.

    Args:
        players: south's and north's, who play each hand on; without search. The opponent is taken
            to have played by his rules before.
        search: one record that says how cards are drawn and how many discards are tried.
        key: chains of another key draw other cards.
        nets: shape (chains, play-outs, MOST): the seat's net points by action.
        winners: likewise, 0 the seat, 1 the other, 2 nobody.

    Returns:
        The actions, as tuples: the first so many places of the last axis. And how many hands of the
        opponent were proposed, with how many of them he would have ended his last turn, and in how
        many play-outs he has one of those, since no other was found.
    """
    cdef valued_t valued
    cdef hand_t start, drawn, played
    cdef deck_t stock
    cdef chain_t chain
    cdef choice_t choice
    cdef int seat = hand._hand.seat
    cdef Py_ssize_t i, j
    cdef int64_t proposed = 0, ended = 0, kept = 0
    cdef int k
    if players.shape[0] != 2 or search.shape[0] != 1:
        raise ValueError("two players and one search are needed")
    if nets.shape[2] != MOST_ACTIONS or winners.shape[2] != MOST_ACTIONS:
        raise ValueError("the arrays need a place for each action")
    if winners.shape[0] != nets.shape[0] or winners.shape[1] != nets.shape[1]:
        raise ValueError("the arrays need the same shape")
    if hand._hand.phase >= PHASE_SPREAD:
        raise IllegalAction(f"there is no search in phase {hand.phase}")
    with nogil:
        start = hand._hand
        start.trace = NULL
        start.views[0].table = &start.table
        start.views[1].table = &start.table
        list_actions(&start, &search[0], &valued)
        for i in range(nets.shape[0]):
            start.views[seat].stream = mix(key + GAMMA * <uint64_t>(i + 1))
            drawn = start
            for j in range(nets.shape[1]):
                draw_hidden(&start, &search[0], &players[1 - seat], <int>j, &chain, &stock)
                seat_hidden(&drawn, chain.hand, &stock,
                            mix(start.views[seat].stream + GAMMA * <uint64_t>(j + 1)))
                kept += would_have_ended(&chain)
                for k in range(valued.num_actions):
                    played = drawn
                    played.views[0].table = &played.table
                    played.views[1].table = &played.table
                    choice.action = valued.actions[k]
                    choice.card = valued.cards[k]
                    apply_choice(&played, &choice)
                    play_by_rules(&played, &players[0])
                    nets[i, j, k] = 0
                    winners[i, j, k] = 2
                    if played.result.winner >= 0:
                        winners[i, j, k] = played.result.winner != seat
                        nets[i, j, k] = (played.result.points if played.result.winner == seat
                                         else -played.result.points)
            if nets.shape[1]:
                proposed += chain.proposed
                ended += chain.ended
    actions = [
        (_ACTION_NAMES[valued.actions[k]],) if valued.cards[k] < 0
        else (_ACTION_NAMES[valued.actions[k]], valued.cards[k])
        for k in range(valued.num_actions)
    ]
    return actions, (proposed, ended, kept)


MOST = MOST_ACTIONS
