# cython: language_level=3
"""Search by play-outs: the action that does best on average over the hands that could be.

For each play-out the hidden cards are drawn so that they agree with what the seat to act has seen
(`draw_hidden`); then each action is tried on the same cards with the same random words, and the
hand is played to its end by rules. Nothing hidden is read but the set of cards that are hidden,
which is no secret.
"""

import numpy as np

from libc.string cimport memset

from ginsim._core cimport (
    best_discard_of, deadwood_of, discard_t, forget, highest, joins, lowest, pips_of, popcount,
)
from ginsim._deck cimport GAMMA, card_at, high_product, mix
from ginsim._hand cimport (
    DO_BIG_GIN, DO_DECLINE, DO_DISCARD, DO_DRAW_PILE, DO_DRAW_STOCK, DO_KNOCK, DO_PASS,
    PHASE_DISCARD, PHASE_DRAW, PHASE_UPCARD, apply_choice, choice_t, decide_by_rules, may_big_gin,
    play_by_rules, set_search, stock_only,
)
from ginsim._strategy cimport (
    BIG_GIN_ALWAYS, BY_CHANCE, DISCARD_LEAST, DISCARD_UNIFORM, KNOCK_SAME, KNOCK_THRESHOLD,
    LAYOFF_IN_ORDER, LAYOFF_OPTIMAL, NUM_LIMITS, SPREAD_FEWEST_SETS, SPREAD_UNIFORM, TAKE_IMPROVE, TAKE_MELD,
    choose_knock, decision_word, table_t, view_t,
)
from ginsim._strategy import STRATEGY_DTYPE

cdef enum:
    # Searches are numbered among the decisions from here on, by phase.
    DECIDE_SEARCH = 8
    # Words of a play-out.
    WORD_HAND = 1            # of the opponent's hand: its cards, or its moves
    WORD_STOCK = 2
    WORD_SOUTH = 3
    WORD_NORTH = 4
    # Doubts about a hand (see `doubt_of`).
    MOST_REGRET = 10
    LOOSE_CARD = 10
    WOULD_HAVE_ENDED = 1 << 16   # over all others together, so that it is never chosen
    ANY_DOUBT = 1 << 20
    FIRST_STEPS = 64
    # So often as many again, as long as he would have ended the hand.
    MORE_FIRST_STEPS = 64

# Who plays the opponent in the play-outs; a word's code is its place.
OPPONENTS = ("base", "simple", "greedy")
cdef enum:
    OPPONENT_BASE = 0
    OPPONENT_SIMPLE = 1
    OPPONENT_GREEDY = 2

cdef strategy_t _simple
memset(&_simple, 0, sizeof(strategy_t))
_simple.upcard = TAKE_MELD
_simple.draw = TAKE_MELD
_simple.big_gin = BIG_GIN_ALWAYS
_simple.knock = KNOCK_THRESHOLD
_simple.knock_at = 10
_simple.knock_after_win = KNOCK_SAME
_simple.knock_after_loss = KNOCK_SAME
_simple.discard = DISCARD_UNIFORM
_simple.spread = SPREAD_UNIFORM
_simple.layoff = LAYOFF_IN_ORDER
_simple.win_from = 1
_simple.loss_from = 1

cdef strategy_t _greedy = _simple
_greedy.upcard = TAKE_IMPROVE
_greedy.draw = TAKE_IMPROVE
_greedy.discard = DISCARD_LEAST
_greedy.spread = SPREAD_FEWEST_SETS
_greedy.layoff = LAYOFF_OPTIMAL


def opponent_records():
    """The strategies of OPPONENTS after the first, an array of STRATEGY_DTYPE."""
    records = np.zeros(2, STRATEGY_DTYPE)
    cdef strategy_t[::1] out = records
    out[0] = _simple
    out[1] = _greedy
    return records


# ---------------------------------------------------------------- what is hidden

cdef hidden_t hidden_from(const hand_t* hand, const strategy_t* opponent) noexcept nogil:
    """What the seat to act does not see.

    `opponent` is who played the other seat so far; NULL if that is not known.
    """
    cdef hidden_t hidden
    cdef int other = 1 - hand.seat
    cdef mask_t theirs = hand.views[other].hand
    cdef int i
    memset(&hidden, 0, sizeof(hidden))
    hidden.known = hand.table.taken[other]
    hidden.unseen = theirs & ~hidden.known
    hidden.num_unknown = popcount(hidden.unseen)
    for i in range(hand.next_card, hand.deck.dealt):
        hidden.unseen |= <mask_t>1 << hand.deck.cards[i]
    for i in range(hand.deck.num_left):
        hidden.unseen |= <mask_t>1 << hand.deck.left[i]
    hidden.refused = (hand.table.left[other] | hand.table.thrown[other]) & ~hidden.known
    if opponent != NULL and hand.table.turns[other]:
        read_last_turn(hand, opponent, &hidden)
    return hidden


cdef void read_last_turn(const hand_t* hand, const strategy_t* opponent,
                         hidden_t* hidden) noexcept nogil:
    """What the opponent threw in his last turn, and with which hands he would have ended it.

    He holds now what he held then but for that card, so that his eleven cards are known as far as
    his ten are. What he held in the turns before is not.
    """
    cdef const view_t* own = &hand.views[hand.seat]
    cdef table_t table = hand.table
    cdef int other = 1 - hand.seat
    cdef view_t view
    cdef int deadwood, last = table.top
    if hand.phase == PHASE_DISCARD and own.from_pile:
        # It was taken since.
        last = own.drawn
        table.pile_draws[hand.seat] -= 1
    hidden.last = <mask_t>1 << last
    view = hand.views[other]
    view.table = &table
    view.turn = table.turns[other]
    hidden.barred = view.barred
    # So that `uniform` has no used pairs, which only he knows.
    view.from_pile = False
    for deadwood in range(table.knock_limit + 1):
        view.best.deadwood = deadwood
        if opponent.knock == BY_CHANCE:
            # He knocks half the time: a hand half as likely is one that is doubted by one.
            hidden.ended[deadwood] = 1
        elif choose_knock(opponent, &view):
            hidden.ended[deadwood] = WOULD_HAVE_ENDED
    if hand.rules.big_gin:
        hidden.declared = WOULD_HAVE_ENDED if opponent.big_gin == BIG_GIN_ALWAYS else 1


cdef int doubt_of_last(const hidden_t* hidden, mask_t cards) noexcept nogil:
    """The doubt that with these cards he would have knocked, or declared big gin, in his last turn."""
    cdef discard_t best
    cdef int doubt = 0
    best = best_discard_of(cards | hidden.last, hidden.barred)
    if best.all_melded:
        doubt += hidden.declared
    if best.deadwood < NUM_LIMITS:
        doubt += hidden.ended[best.deadwood]
    return doubt


cdef int doubt_of(const hidden_t* hidden, mask_t cards, int most) noexcept nogil:
    """How badly a hand agrees with what the opponent did; his weight for it is 2 to the -doubt.

    A doubt over `most` may be told as any number over it.
    """
    cdef int doubt = 0, regret, deadwood
    cdef mask_t rest = hidden.known, card
    if hidden.last:
        doubt = doubt_of_last(hidden, cards)
        if doubt >= WOULD_HAVE_ENDED and doubt > most:
            return doubt
    while rest:
        card = rest & -rest
        rest ^= card
        if not joins(cards ^ card, lowest(card)):
            doubt += LOOSE_CARD
    deadwood = deadwood_of(cards)
    rest = hidden.refused
    while rest and doubt <= most:
        card = rest & -rest
        rest ^= card
        regret = deadwood - best_discard_of(cards | card, 0).deadwood
        doubt += regret if regret < MOST_REGRET else MOST_REGRET
    return doubt


cdef inline void fill_hidden(deck_t* deck, mask_t cards, uint64_t state) noexcept nogil:
    """A deck of these cards, none dealt yet."""
    deck.num_left = 0
    while cards:
        deck.left[deck.num_left] = lowest(cards)
        deck.num_left += 1
        cards &= cards - 1
    deck.dealt = 0
    deck.state = state
    deck.words_used = 0


cdef void start_chain(uint64_t state, chain_t* chain) noexcept nogil:
    """Draw the opponent's unknown cards from the unseen ones, any with equal chance."""
    cdef deck_t deck
    cdef int i
    fill_hidden(&deck, chain.hidden.unseen, state)
    chain.num_cards = deck.num_left
    if chain.num_cards:
        card_at(&deck, chain.num_cards - 1)
    chain.hand = chain.hidden.known
    for i in range(chain.num_cards):
        chain.cards[i] = deck.cards[i]
        if i < chain.hidden.num_unknown:
            chain.hand |= <mask_t>1 << deck.cards[i]


cdef void move_chain(int steps, chain_t* chain) noexcept nogil:
    """Propose exchanges of an unknown card of the opponent for one of the stock (Metropolis)."""
    cdef unsigned char* cards = chain.cards
    cdef int held = chain.hidden.num_unknown
    cdef int others = chain.num_cards - held
    cdef int i, j, step, doubt, most
    cdef uint64_t word
    cdef mask_t hand
    if held == 0 or others == 0:
        return
    for step in range(steps):
        chain.state += GAMMA
        word = mix(chain.state)
        i = <int>high_product(word, held)
        word *= <uint64_t>held
        j = held + <int>high_product(word, others)
        word *= <uint64_t>others
        hand = chain.hand ^ <mask_t>1 << cards[i] ^ <mask_t>1 << cards[j]
        # So many noughts or more lead a word with chance 2 to the minus so many.
        most = chain.doubt + 63 - highest(word | 1)
        doubt = doubt_of(&chain.hidden, hand, most)
        chain.proposed += 1
        chain.ended += doubt >= WOULD_HAVE_ENDED
        if doubt <= most:
            cards[i], cards[j] = cards[j], cards[i]
            chain.hand = hand
            chain.doubt = doubt


cdef bint would_have_ended(const chain_t* chain) noexcept nogil:
    """Whether no hand was found yet with which the opponent would have played on."""
    return chain.doubt >= WOULD_HAVE_ENDED


cdef inline uint64_t search_word(const hand_t* hand, int number) noexcept nogil:
    """The word of a play-out of the decision at hand."""
    cdef uint64_t word = decision_word(&hand.views[hand.seat], DECIDE_SEARCH + hand.phase)
    return mix(word + GAMMA * <uint64_t>(number + 1))


cdef inline uint64_t word_of(uint64_t word, int kind) noexcept nogil:
    return mix(word + GAMMA * <uint64_t>kind)


cdef void draw_hidden(const hand_t* hand, const strategy_t* strategy,
                      const strategy_t* opponent, int number, chain_t* chain,
                      deck_t* stock) noexcept nogil:
    """Draw the hidden cards of play-out `number`: the opponent's hand `chain.hand`, and the stock.

    Play-outs are drawn in turn, from number 0 on, each with the chain of the one before. If it is
    known who plays the `opponent`, hands with which he would have ended his last turn are not
    drawn, as long as steps find others.
    """
    cdef uint64_t word = search_word(hand, number)
    cdef int i
    if number == 0:
        chain.hidden = hidden_from(hand, opponent)
        chain.proposed = 0
        chain.ended = 0
    if number == 0 or not strategy.steps:
        start_chain(word_of(word, WORD_HAND), chain)
    if strategy.steps:
        chain.state = word_of(word, WORD_HAND)
        if number == 0:
            chain.doubt = doubt_of(&chain.hidden, chain.hand, ANY_DOUBT)
            move_chain(FIRST_STEPS, chain)
            for i in range(MORE_FIRST_STEPS):
                if not would_have_ended(chain):
                    break
                move_chain(FIRST_STEPS, chain)
        else:
            move_chain(strategy.steps, chain)
    fill_hidden(stock, chain.hidden.unseen & ~chain.hand, word_of(word, WORD_STOCK))


cdef void seat_hidden(hand_t* hand, mask_t cards, const deck_t* stock,
                      uint64_t word) noexcept nogil:
    """Put drawn cards into a copy of a hand, and take from it whatever else is hidden."""
    cdef view_t* view = &hand.views[1 - hand.seat]
    hand.trace = NULL
    hand.views[0].stream = word_of(word, WORD_SOUTH)
    hand.views[1].stream = word_of(word, WORD_NORTH)
    hand.deck = stock[0]
    hand.next_card = 0
    view.hand = cards
    forget(&view.held)
    view.peeked = False
    # What he drew from the stock is his secret, so exchanges that he made do not bind him.
    memset(view.past, -1, sizeof(view.past))


# ---------------------------------------------------------------- the actions

cdef inline void add_action(valued_t* valued, int action, int card) noexcept nogil:
    valued.actions[valued.num_actions] = action
    valued.cards[valued.num_actions] = card
    valued.sums[valued.num_actions] = 0
    valued.squares[valued.num_actions] = 0
    valued.num_actions += 1


cdef void list_ends(const hand_t* hand, int most, int always, valued_t* valued) noexcept nogil:
    """Big gin, knocks and discards, with `most` cards: `always` and those of least deadwood."""
    cdef const view_t* view = &hand.views[hand.seat]
    cdef mask_t rest = view.hand & ~view.barred
    cdef int order[11]
    cdef int cards[11]
    cdef int i, j, place, card, count = 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        # Least deadwood first, of these the dearest, of these the lowest.
        place = 16 * deadwood_of(view.hand ^ <mask_t>1 << card) - pips_of(<mask_t>1 << card)
        if card == always:
            place = -16
        j = count
        while j > 0 and order[j - 1] > place:
            order[j] = order[j - 1]
            cards[j] = cards[j - 1]
            j -= 1
        order[j] = place
        cards[j] = card
        count += 1
    if count > most:
        count = most
    if may_big_gin(hand):
        add_action(valued, DO_BIG_GIN, -1)
    for i in range(count):
        if deadwood_of(view.hand ^ <mask_t>1 << cards[i]) <= hand.table.knock_limit:
            add_action(valued, DO_KNOCK, cards[i])
    if not hand.at_wall:
        for i in range(count):
            add_action(valued, DO_DISCARD, cards[i])


cdef void list_actions(hand_t* hand, const strategy_t* strategy, valued_t* valued) noexcept nogil:
    """The actions to try; `base` is the place of that by the strategy's rules."""
    cdef choice_t choice
    cdef int i
    decide_by_rules(hand, strategy, &choice)
    valued.num_actions = 0
    if hand.phase == PHASE_DISCARD:
        list_ends(hand, strategy.candidates, choice.card, valued)
    elif hand.phase == PHASE_UPCARD:
        add_action(valued, DO_DRAW_PILE, -1)
        add_action(valued, DO_PASS, -1)
    elif hand.phase == PHASE_DRAW:
        if not stock_only(hand):
            add_action(valued, DO_DRAW_PILE, -1)
        add_action(valued, DO_DRAW_STOCK, -1)
    else:
        add_action(valued, DO_DRAW_PILE, -1)
        add_action(valued, DO_DECLINE, -1)
    valued.base = 0
    for i in range(valued.num_actions):
        if valued.actions[i] == choice.action and valued.cards[i] == choice.card:
            valued.base = i


cdef void try_actions(const hand_t* drawn, const strategy_t* players,
                      valued_t* valued) noexcept nogil:
    """Try each action on one set of drawn cards."""
    cdef hand_t played
    cdef choice_t choice
    cdef int64_t nets[MOST_ACTIONS]
    cdef int i
    for i in range(valued.num_actions):
        played = drawn[0]
        played.views[0].table = &played.table
        played.views[1].table = &played.table
        choice.action = valued.actions[i]
        choice.card = valued.cards[i]
        apply_choice(&played, &choice)
        play_by_rules(&played, players)
        nets[i] = 0
        if played.result.winner >= 0:
            nets[i] = played.result.points
            if played.result.winner != drawn.seat:
                nets[i] = -nets[i]
    for i in range(valued.num_actions):
        valued.sums[i] += nets[i]
        valued.squares[i] += (nets[i] - nets[valued.base]) * (nets[i] - nets[valued.base])


cdef void value_actions(hand_t* hand, const strategy_t* strategy, valued_t* valued) noexcept nogil:
    """Try the actions at the decision at hand on each set of drawn cards."""
    cdef strategy_t players[2]
    cdef hand_t drawn
    cdef deck_t stock
    cdef chain_t chain
    cdef int i
    list_actions(hand, strategy, valued)
    if valued.num_actions < 2:
        return
    players[hand.seat] = strategy[0]
    players[1 - hand.seat] = (_simple if strategy.opponent == OPPONENT_SIMPLE
                              else _greedy if strategy.opponent == OPPONENT_GREEDY
                              else strategy[0])
    drawn = hand[0]
    for i in range(strategy.rollouts):
        draw_hidden(hand, strategy, NULL, i, &chain, &stock)
        seat_hidden(&drawn, chain.hand, &stock, search_word(hand, i))
        try_actions(&drawn, players, valued)


cdef void search(hand_t* hand, const strategy_t* strategy, choice_t* choice) noexcept nogil:
    """The action of most points among those better by enough; of equals the first.

    Without one it is the action of the rules.
    """
    cdef valued_t valued
    cdef int64_t gain, caution = strategy.caution
    cdef int i, best
    value_actions(hand, strategy, &valued)
    best = valued.base
    for i in range(valued.num_actions):
        gain = valued.sums[i] - valued.sums[valued.base]
        if (valued.sums[i] > valued.sums[best]
                and 100 * gain * gain > caution * caution * valued.squares[i]):
            best = i
    choice.action = valued.actions[best]
    choice.card = valued.cards[best]


set_search(search)
