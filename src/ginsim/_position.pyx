# cython: language_level=3
"""One hand, one action at a time: positions, legality, and what a strategy would do.

`Hand` is the engine of `_hand` behind a Python face. It refuses illegal actions in words, so it
also serves to check hands that were played elsewhere.
"""

import numpy as np

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ginsim._core cimport (
    add_meld, deadwood_of, fitting, forget, lay, mask_t, melds_of, melds_t, pips_of, spread_t,
)
from ginsim._core import is_meld
from ginsim._deck cimport (
    STREAM_DEALER, STREAM_NONDEALER, card_at, deck_t, key_t, stream_state,
)
from ginsim._hand cimport (
    DO_ABANDON, DO_BIG_GIN, DO_DECLINE, DO_DISCARD, DO_DRAW_PILE, DO_DRAW_STOCK, DO_KNOCK, DO_LAYOFF, DO_PASS,
    DO_SPREAD, KNOCK_CARD_SECOND_DECK, PHASE_DISCARD, PHASE_DRAW, PHASE_LAYOFF, PHASE_OVER,
    PHASE_SPREAD, PHASE_UPCARD, PHASE_WALL, SPREAD_LEAST, apply_choice, choice_t, deal_cards,
    decide, hand_t, layoffs_allowed, may_big_gin, rules_t, stock_only, trace_t,
)
from ginsim._hand import DEAD_REASONS, EVENT_DTYPE, OUTCOMES, PHASES
from ginsim._player cimport raise_failure
from ginsim._rollout cimport (
    chain_t, doubt_of, draw_hidden, hidden_from, hidden_t, value_actions, valued_t,
)
from ginsim._setup cimport Setup, start_index
from ginsim._strategy cimport strategy_t

ACTIONS = {
    "pass": DO_PASS, "draw_pile": DO_DRAW_PILE, "draw_stock": DO_DRAW_STOCK,
    "discard": DO_DISCARD, "knock": DO_KNOCK, "big_gin": DO_BIG_GIN, "spread": DO_SPREAD,
    "lay_off": DO_LAYOFF, "decline": DO_DECLINE,
}
cdef dict _ACTION_NAMES = {code: name for name, code in ACTIONS.items()}


class IllegalAction(ValueError):
    """An action that the rules do not allow in the position."""


cdef list _cards(mask_t mask):
    return [i for i in range(52) if mask >> i & 1]


cdef str _names(mask_t mask):
    return " ".join("A23456789TJQK"[card % 13] + "cdhs"[card // 13] for card in _cards(mask))


cdef class Hand:
    """A hand in play.

    `deck` lists all cards in their order (docs/engine.md, "The deck": dealt one by one, the
    non-dealer first). `second_card` is the knock card of rules with a second deck. `key` and
    `deal` name the decision streams that `decide` uses.

    Actions are tuples: ("pass",), ("draw_pile",), ("draw_stock",), ("discard", card),
    ("knock", card), ("big_gin",), ("spread", melds), ("lay_off", melds, laid), ("decline",);
    cards are numbers, melds tuples of masks, `laid` a mask.
    """

    def __init__(self, const rules_t[::1] rules, deck, int dealer, *, int hand_size=10,
                 second_card=None, key=(0, 0), uint64_t deal=0):
        cdef int i, n
        cdef int knock_card = -1
        cdef key_t the_key
        cards = [int(card) for card in deck]
        n = len(cards)
        if len(set(cards)) != n or not all(0 <= card < 52 for card in cards):
            raise ValueError("a deck has different cards, numbered 0 to 51")
        if dealer not in (0, 1):
            raise ValueError(f"dealer is 0 (south) or 1 (north), got {dealer}")
        if rules.shape[0] != 1:
            raise ValueError("one rules record is needed")
        self._rules = rules[0]
        if not 1 <= hand_size <= 10 or n - 2 * hand_size - 1 <= self._rules.dead_at:
            raise ValueError(f"a deck of {n} cards is too small for two hands of {hand_size}")
        if self._rules.knock_card == KNOCK_CARD_SECOND_DECK:
            if second_card is None or not 0 <= second_card < 52:
                raise ValueError("these rules need the second deck's card, 0 to 51")
            knock_card = second_card
        self.deck = tuple(cards)
        memset(&self._hand, 0, sizeof(hand_t))
        for i in range(n):
            self._hand.deck.cards[i] = cards[i]
        self._hand.deck.dealt = n
        self._hand.rules = &self._rules
        self._trace.num_events = 0
        self._hand.trace = &self._trace
        the_key.words[0] = key[0]
        the_key.words[1] = key[1]
        self._hand.views[1 - dealer].stream = stream_state(the_key, STREAM_NONDEALER, deal, 0)
        self._hand.views[dealer].stream = stream_state(the_key, STREAM_DEALER, deal, 0)
        deal_cards(&self._hand, dealer, hand_size, knock_card)

    @staticmethod
    def start(Setup setup, uint64_t index):
        """The numbered hand of a setup, as dealt."""
        cdef Hand hand = Hand.__new__(Hand)
        cdef int i
        setup.check_range(index, 1)
        memset(&hand._hand, 0, sizeof(hand_t))
        hand._trace.num_events = 0
        hand._hand.trace = &hand._trace
        start_index(&hand._hand, &setup.data, index)
        hand._rules = setup.data.rules[0]
        hand._hand.rules = &hand._rules
        card_at(&hand._hand.deck, 4 * setup.data.ranks - 1)
        hand.deck = tuple([hand._hand.deck.cards[i] for i in range(hand._hand.deck.dealt)])
        return hand

    cdef Hand _copy(self):
        cdef Hand copy = Hand.__new__(Hand)
        copy._hand = self._hand
        copy._trace = self._trace
        copy._rules = self._rules
        copy.deck = self.deck
        copy._hand.rules = &copy._rules
        copy._hand.trace = &copy._trace
        copy._hand.views[0].table = &copy._hand.table
        copy._hand.views[1].table = &copy._hand.table
        return copy

    def copy(self):
        """The same position, to be played on apart."""
        return self._copy()

    # ------------------------------------------------------------ what can be seen

    @property
    def phase(self):
        """upcard, draw, discard, wall, spread, layoff or over."""
        return PHASES[self._hand.phase]

    @property
    def seat(self):
        """The seat to act: 0 south, 1 north."""
        return self._hand.seat

    @property
    def dealer(self):
        return self._hand.table.dealer

    @property
    def hands(self):
        """Both hands as masks, south first."""
        return self._hand.views[0].hand, self._hand.views[1].hand

    @property
    def top(self):
        """The pile's top card, or None."""
        return None if self._hand.table.top < 0 else self._hand.table.top

    @property
    def pile(self):
        """The cards of the discard pile, a mask."""
        return self._hand.table.pile

    @property
    def stock(self):
        """How many cards the stock has."""
        return self._hand.table.stock

    @property
    def knock_limit(self):
        return self._hand.table.knock_limit

    @property
    def knock_card(self):
        """The card that sets the knock limit, or None."""
        return None if self._hand.table.knock_card < 0 else self._hand.table.knock_card

    @property
    def turns(self):
        """Turns begun by south and north."""
        return self._hand.table.turns[0], self._hand.table.turns[1]

    @property
    def pile_draws(self):
        return self._hand.table.pile_draws[0], self._hand.table.pile_draws[1]

    @property
    def taken(self):
        """Masks of the cards taken from the pile and still held, by seat."""
        return self._hand.table.taken[0], self._hand.table.taken[1]

    @property
    def events(self):
        """The events so far, as `trace_hand` gives them."""
        cdef int i
        result = np.zeros(self._trace.num_events, EVENT_DTYPE)
        for i in range(self._trace.num_events):
            result[i] = (self._trace.events[i].kind, self._trace.events[i].seat,
                         self._trace.events[i].card, self._trace.events[i].mask)
        return result

    @property
    def result(self):
        """What the records hold of a finished hand, as a dict; None while it is played."""
        cdef hand_t* hand = &self._hand
        if hand.phase != PHASE_OVER:
            return None
        net = hand.result.points if hand.result.winner == 0 else -hand.result.points
        return {
            "dealer": hand.table.dealer,
            "outcome": OUTCOMES[hand.result.outcome],
            "dead_reason": DEAD_REASONS[hand.result.dead_reason],
            "winner": hand.result.winner,
            "knocker": hand.result.knocker,
            "points": hand.result.points,
            "net": net,
            "boxes": hand.result.boxes,
            "prize_boxes": hand.result.prize_boxes,
            "south_deadwood": hand.result.deadwood[0],
            "north_deadwood": hand.result.deadwood[1],
            "laid_off": hand.result.laid_off,
            "knock_limit": hand.table.knock_limit,
            "knock_card": hand.table.knock_card,
            "turns": hand.table.turns[0] + hand.table.turns[1],
            "stock": hand.table.stock,
            "south_pile_draws": hand.table.pile_draws[0],
            "north_pile_draws": hand.table.pile_draws[1],
            "south_knock_turn": hand.knock_turns[0],
            "north_knock_turn": hand.knock_turns[1],
        }

    # ------------------------------------------------------------ what may be done

    def legal(self):
        """The legal actions, spreads and layoffs by name only: ("spread",), ("lay_off",)."""
        cdef hand_t* hand = &self._hand
        cdef mask_t cards
        if hand.phase == PHASE_UPCARD:
            return [("pass",), ("draw_pile",)]
        if hand.phase == PHASE_DRAW:
            return [("draw_stock",)] if stock_only(hand) else [("draw_pile",), ("draw_stock",)]
        if hand.phase == PHASE_WALL:
            return [("draw_pile",), ("decline",)]
        if hand.phase == PHASE_SPREAD:
            return [("spread",)]
        if hand.phase == PHASE_LAYOFF:
            return [("lay_off",)]
        actions = []
        if hand.phase == PHASE_DISCARD:
            cards = hand.views[hand.seat].hand & ~hand.views[hand.seat].barred
            if may_big_gin(hand):
                actions.append(("big_gin",))
            actions += [("knock", card) for card in _cards(cards)
                        if deadwood_of(hand.views[hand.seat].hand ^ (<mask_t>1 << <int>card))
                        <= hand.table.knock_limit]
            if not hand.at_wall:
                actions += [("discard", card) for card in _cards(cards)]
        return actions

    def apply(self, action):
        """Carry out one action of the seat to act; raises IllegalAction and changes nothing."""
        cdef choice_t choice
        cdef hand_t* hand = &self._hand
        if not isinstance(action, tuple) or not action or action[0] not in ACTIONS:
            raise IllegalAction(f"unknown action {action!r}; known: {', '.join(ACTIONS)}")
        name = action[0]
        choice.action = ACTIONS[name]
        choice.card = -1
        if name == "spread" and hand.phase == PHASE_SPREAD:
            self._check_spread(action, &choice)
        elif name == "lay_off" and hand.phase == PHASE_LAYOFF:
            self._check_layoff(action, &choice)
        else:
            legal = self.legal()
            if tuple(action) not in legal:
                allowed = ", ".join(" ".join(map(str, item)) for item in legal) or "nothing"
                raise IllegalAction(
                    f"{action!r} is not legal in phase {self.phase}; allowed: {allowed}"
                )
            if len(action) == 2:
                choice.card = action[1]
        apply_choice(hand, &choice)
        return self

    cdef _read_melds(self, melds, mask_t cards, spread_t* spread):
        """Melds out of `cards` into `spread`, sorted, with what they leave."""
        cdef mask_t meld, seen = 0
        spread.runs = 0
        spread.sets = 0
        spread.num_melds = 0
        for item in sorted(melds):
            if not is_meld(item):
                raise IllegalAction(f"{_names(item)} is not a meld")
            meld = item
            if meld & ~cards or meld & seen:
                raise IllegalAction(f"the cards {_names(meld)} are not free to be melded")
            seen |= meld
            add_meld(spread, meld)
        spread.unmelded = cards & ~seen
        spread.deadwood = pips_of(spread.unmelded)

    cdef _check_spread(self, action, choice_t* choice):
        cdef hand_t* hand = &self._hand
        cdef mask_t cards = hand.views[hand.seat].hand
        cdef int most = hand.table.knock_limit
        if len(action) != 2:
            raise IllegalAction("a spread is (\"spread\", melds)")
        self._read_melds(action[1], cards, &choice.spread)
        if hand.declared:
            most = 0
        elif hand.rules.spread == SPREAD_LEAST:
            most = deadwood_of(cards)
        if choice.spread.deadwood > most:
            raise IllegalAction(
                f"the spread leaves {choice.spread.deadwood} deadwood, at most {most} is allowed"
            )

    cdef _check_layoff(self, action, choice_t* choice):
        cdef hand_t* hand = &self._hand
        cdef mask_t cards = hand.views[hand.seat].hand
        cdef mask_t left, fits, on_runs
        cdef melds_t melds = melds_of(&hand.spread)
        cdef melds_t runs_only
        if len(action) != 3:
            raise IllegalAction("a layoff is (\"lay_off\", melds, laid)")
        left = action[2]
        if left and not layoffs_allowed(hand):
            raise IllegalAction("nothing may be laid off here")
        self._read_melds(action[1], cards, &choice.layoff.own)
        if left & ~choice.layoff.own.unmelded:
            raise IllegalAction(
                f"the cards {_names(left & ~choice.layoff.own.unmelded)} are not free to be laid off"
            )
        choice.layoff.laid = left
        while left:
            # On runs first: a card that fits both may be needed in the run's chain.
            fits = fitting(melds, left)
            runs_only = melds
            runs_only.missing = 0
            on_runs = fitting(runs_only, left)
            if on_runs:
                fits = on_runs
            if not fits:
                raise IllegalAction(f"the cards {_names(left)} fit none of the knocker's melds")
            fits &= -fits
            lay(&melds, fits)
            left ^= fits
        choice.layoff.own.unmelded &= ~choice.layoff.laid
        choice.layoff.deadwood = pips_of(choice.layoff.own.unmelded)

    # ------------------------------------------------------------ strategies

    def decide(self, const strategy_t[::1] strategies):
        """The action that the seat's strategy takes; `strategies` are south's and north's."""
        cdef choice_t choice
        if strategies.shape[0] != 2:
            raise ValueError("two strategy records are needed")
        if self._hand.phase == PHASE_OVER:
            raise IllegalAction("the hand is over")
        decide(&self._hand, &strategies[self._hand.seat], &choice)
        if choice.action == DO_ABANDON:
            raise_failure(f"in phase {self.phase}")
        name = _ACTION_NAMES[choice.action]
        if choice.action == DO_SPREAD:
            return name, tuple([choice.spread.melds[i] for i in range(choice.spread.num_melds)])
        if choice.action == DO_LAYOFF:
            return (name, tuple([choice.layoff.own.melds[i]
                                 for i in range(choice.layoff.own.num_melds)]),
                    choice.layoff.laid)
        return (name, choice.card) if choice.card >= 0 else (name,)

    cdef const strategy_t* _searcher(self, const strategy_t[::1] strategies) except NULL:
        """The strategy of the seat to act, which must search, where it may."""
        if strategies.shape[0] != 2:
            raise ValueError("two strategy records are needed")
        if self._hand.phase >= PHASE_SPREAD:
            raise IllegalAction(f"there is no search in phase {self.phase}")
        if not strategies[self._hand.seat].rollouts:
            raise ValueError(f"the strategy of seat {self._hand.seat} has no play-outs")
        return &strategies[self._hand.seat]

    def value_actions(self, const strategy_t[::1] strategies):
        """What the search of the seat's strategy finds: [(action, points, squares, by the rules)].

        Points are the seat's net points summed over the play-outs, squares those of the
        differences from the action that the rules would take. A single action is not tried.
        """
        cdef valued_t valued
        cdef int i
        value_actions(&self._hand, self._searcher(strategies), &valued)
        return [
            ((_ACTION_NAMES[valued.actions[i]],) if valued.cards[i] < 0
             else (_ACTION_NAMES[valued.actions[i]], valued.cards[i]),
             valued.sums[i], valued.squares[i], i == valued.base)
            for i in range(valued.num_actions)
        ]

    def draw_hidden(self, const strategy_t[::1] strategies, int count,
                    const strategy_t[::1] opponent=None):
        """The hidden cards of the first `count` play-outs: [(opponent's hand, stock)].

        `opponent`, of shape (1,), is who has played the other seat, if that is known.
        """
        cdef const strategy_t* known = NULL
        cdef const strategy_t* strategy = self._searcher(strategies)
        cdef chain_t chain
        cdef deck_t stock
        cdef int i, j, size
        drawn = []
        if opponent is not None:
            known = &opponent[0]
        for i in range(count):
            draw_hidden(&self._hand, strategy, known, i, &chain, &stock)
            size = stock.num_left
            if size:
                card_at(&stock, size - 1)
            drawn.append((chain.hand, tuple([stock.cards[j] for j in range(size)])))
        return drawn

    def doubt(self, mask_t cards, const strategy_t[::1] opponent=None):
        """How badly it agrees with what the opponent did that he holds `cards`.

        `opponent`, of shape (1,), is who has played the other seat, if that is known.
        """
        cdef const strategy_t* known = NULL
        cdef hidden_t hidden
        if opponent is not None:
            known = &opponent[0]
        hidden = hidden_from(&self._hand, known)
        return doubt_of(&hidden, cards, 1 << 20)

    def hidden(self):
        """What the seat to act cannot know: (opponent's unknown cards, stock), both lists.

        The opponent's cards that he took from the pile are known; after a knock a defender sees
        the knocker's whole hand.
        """
        cdef hand_t* hand = &self._hand
        cdef int other = 1 - hand.seat
        cdef mask_t unknown = hand.views[other].hand & ~hand.table.taken[other]
        if hand.phase == PHASE_LAYOFF:
            unknown = 0
        stock = [hand.deck.cards[i] for i in range(hand.next_card, hand.deck.dealt)]
        return _cards(unknown), stock

    def with_hidden(self, cards):
        """The position with the hidden cards in another order, given as one list.

        The first of `cards` replace the opponent's unknown cards, the rest is the stock in its
        order from the top. They must be the cards of `hidden`. What the opponent drew from the
        stock before is as hidden, and is forgotten.
        """
        cdef Hand copy = self._copy()
        cdef hand_t* hand = &copy._hand
        cdef int other = 1 - hand.seat
        cdef int i
        unknown, stock = self.hidden()
        cards = list(cards)
        if sorted(cards) != sorted(unknown + stock):
            raise ValueError("these are not the hidden cards of the position")
        for card in unknown:
            hand.views[other].hand &= ~(<mask_t>1 << <int>card)
        for card in cards[:len(unknown)]:
            hand.views[other].hand |= <mask_t>1 << <int>card
        forget(&hand.views[other].held)
        memset(hand.views[other].past, -1, sizeof(hand.views[other].past))
        for i, card in enumerate(cards[len(unknown):]):
            hand.deck.cards[hand.next_card + i] = card
        return copy
