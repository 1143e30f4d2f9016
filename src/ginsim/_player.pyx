# cython: language_level=3
"""Strategies written in Python (docs/strategies.md, "In Python").

A `Player` has a number, which its record carries into the core; `_hand.decide` comes back here with
it, takes the GIL and asks. What a player raises is kept for the thread, the hand is abandoned, and
whoever plays it stops and calls `raise_failure`.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport PyObject
from libc.stdint cimport uint64_t

import threading

from ginsim._core cimport deadwood_of, find_discard, discard_t, mask_t
from ginsim._deck cimport GAMMA, mix, pick
from ginsim._hand cimport (
    DO_ABANDON, DO_BIG_GIN, DO_DECLINE, DO_DISCARD, DO_DRAW_PILE, DO_DRAW_STOCK, DO_KNOCK, DO_PASS,
    PHASE_DISCARD, PHASE_DRAW, PHASE_UPCARD, PHASE_WALL, choice_t, decide_by_rules, may_big_gin,
    may_knock, set_player, stock_only,
)
from ginsim._hand import PHASES
from ginsim._strategy cimport (
    DECIDE_BIG_GIN, DECIDE_DISCARD, DECIDE_DRAW, DECIDE_KNOCK, DECIDE_UPCARD, choose_big_gin,
    choose_discard, choose_draw, choose_knock, choose_upcard, decision_word,
)

cdef PyObject* _players[MOST_PLAYERS + 1]
cdef int _last = 0
cdef dict _failures = {}

#: The decisions that a player may make himself.
DECISIONS = ("draw_from_pile", "take_upcard", "declare_big_gin", "knock", "discard")


class IllegalAnswer(ValueError):
    """A Python strategy answered what the decision does not allow."""


cdef raise_failure(where):
    """Raise what a player raised in this thread, with a note that says where."""
    failure = _failures.pop(threading.get_ident())
    failure.add_note(where)
    raise failure


cdef str _name(int card):
    return "A23456789TJQK"[card % 13] + "cdhs"[card // 13]


cdef str _names(mask_t cards):
    return " ".join([_name(i) for i in range(52) if cards >> i & 1]) or "none"


# ---------------------------------------------------------------- what a player sees

cdef class View:
    """What a player sees at a decision: nothing hidden is in it.

    Cards are numbers 0 to 51, or None; sets of cards are masks (`CardSet(mask)` shows them). It can be
    used while the decision is made, and refuses afterwards.
    """

    cdef const hand_t* _open(self) except NULL:
        if self._hand == NULL:
            raise RuntimeError("the decision that this view was made for is over")
        return self._hand

    @property
    def phase(self):
        """upcard, draw, discard or wall."""
        return PHASES[self._open().phase]

    @property
    def seat(self):
        """0 south, 1 north."""
        return self._open().seat

    @property
    def dealer(self):
        """The seat that dealt."""
        return self._open().table.dealer

    @property
    def turn(self):
        """The player's turn that is played or would begin, from 1."""
        self._open()
        return self._view.turn

    @property
    def hand(self):
        """The player's cards, after the draw one more."""
        self._open()
        return self._view.hand

    @property
    def drawn(self):
        """The card drawn this turn; None before the draw."""
        if self._open().phase != PHASE_DISCARD or self._view.drawn < 0:
            return None
        return self._view.drawn

    @property
    def from_pile(self):
        """Whether it was taken from the pile."""
        return self._open().phase == PHASE_DISCARD and bool(self._view.from_pile)

    @property
    def barred(self):
        """The cards that may not be thrown."""
        return self._view.barred if self._open().phase == PHASE_DISCARD else 0

    @property
    def top(self):
        """The pile's top card; None where there is none to take."""
        cdef int top = self._open().table.top
        return None if top < 0 else top

    @property
    def pile(self):
        """All cards of the pile."""
        return self._open().table.pile

    @property
    def stock(self):
        """How many cards the stock has."""
        return self._open().table.stock

    @property
    def knock_limit(self):
        """The most deadwood one may knock with."""
        return self._open().table.knock_limit

    @property
    def knock_card(self):
        """The card that sets the limit, or None."""
        cdef int card = self._open().table.knock_card
        return None if card < 0 else card

    @property
    def own_taken(self):
        """Cards that the player took from the pile and still has."""
        return self._open().table.taken[self._hand.seat]

    @property
    def own_thrown(self):
        """Cards that the player threw in this hand, whether or not they still lie there."""
        return self._open().table.thrown[self._hand.seat]

    @property
    def opponent_taken(self):
        """Cards that the opponent took from the pile and still has."""
        return self._open().table.taken[1 - self._hand.seat]

    @property
    def opponent_thrown(self):
        """Cards that the opponent threw in this hand."""
        return self._open().table.thrown[1 - self._hand.seat]

    @property
    def opponent_left(self):
        """Cards of the pile that the opponent left lying."""
        return self._open().table.left[1 - self._hand.seat]

    @property
    def pile_draws(self):
        """How many cards the player took from the pile."""
        return self._open().table.pile_draws[self._hand.seat]

    @property
    def opponent_pile_draws(self):
        """How many cards the opponent took from the pile."""
        return self._open().table.pile_draws[1 - self._hand.seat]

    @property
    def score(self):
        """The player's points of the game before this hand; 0 in single hands."""
        return self._open().table.scores[self._hand.seat]

    @property
    def opponent_score(self):
        """The opponent's points of the game before this hand."""
        return self._open().table.scores[1 - self._hand.seat]

    @property
    def partner_net(self):
        """The points that the partner won at the other table, negative if lost; None while unknown."""
        cdef const hand_t* hand = self._open()
        if not hand.table.other_over:
            return None
        return hand.table.other_net if hand.seat == 0 else -hand.table.other_net

    @property
    def past(self):
        """The player's turns before this one: (drawn or None, thrown) of each."""
        cdef int i
        self._open()
        return [(None if self._view.past[i].drawn < 0 else self._view.past[i].drawn,
                 self._view.past[i].thrown) for i in range(1, self._view.turn)]

    @property
    def knocking(self):
        """In `discard`: whether the card is thrown to knock."""
        self._open()
        return bool(self._knocking)

    @property
    def deadwood(self):
        """Before the draw that of the hand; after it the least that an allowed discard leaves."""
        if self._open().phase == PHASE_DISCARD:
            return self._view.best.deadwood
        return deadwood_of(self._view.hand)

    @property
    def best_discards(self):
        """After the draw: the allowed cards that leave least deadwood."""
        return self._view.best.best if self._open().phase == PHASE_DISCARD else 0

    @property
    def may_knock(self):
        """Whether a discard makes a knock legal."""
        return self._open().phase == PHASE_DISCARD and bool(may_knock(self._hand))

    @property
    def deadwood_with_top(self):
        """The least deadwood that could be left after taking the top card and throwing another."""
        cdef discard_t best
        cdef int top = self._open().table.top
        if top < 0 or self._view.hand >> top & 1:
            raise ValueError("no card can be taken here")
        find_discard(self._view.hand | <mask_t>1 << top, <mask_t>1 << top, &best)
        return best.deadwood

    cdef uint64_t _next(self) except? 0:
        cdef uint64_t word = self._word
        self._open()
        self._word = mix(word + GAMMA)
        return word

    def random(self):
        """A number from 0 to below 1, of the player's decision stream: reproducible."""
        return (self._next() >> 11) * (1.0 / 9007199254740992.0)

    def pick(self, int num_choices):
        """A whole number from 0 to num_choices - 1, likewise."""
        if num_choices < 1:
            raise ValueError(f"num_choices: {num_choices} is not allowed; allowed: 1 or more")
        return pick(self._next(), num_choices)


# ---------------------------------------------------------------- players

cdef class Player:
    """The compiled part of `PythonStrategy`: its decisions are those of the strategy `base`."""

    def __cinit__(self):
        global _last
        cdef int i
        for i in range(MOST_PLAYERS):
            _last = _last % MOST_PLAYERS + 1
            if _players[_last] == NULL:
                break
        else:
            raise RuntimeError(f"more than {MOST_PLAYERS} Python strategies exist at once")
        self.number = _last
        _players[_last] = <PyObject*>self
        self._asked = 0
        for i, name in enumerate(DECISIONS):
            if getattr(type(self), name) is not getattr(Player, name):
                self._asked |= 1 << i

    def __dealloc__(self):
        if self.number:
            _players[self.number] = NULL

    def take_upcard(self, View view not None):
        """Whether to take the upcard."""
        _check_asked(view, "take_upcard", PHASE_UPCARD, PHASE_UPCARD)
        return bool(choose_upcard(view._base, view._view))

    def draw_from_pile(self, View view not None):
        """Whether to take the pile's top card, at the wall to end the hand."""
        cdef choice_t choice
        _check_asked(view, "draw_from_pile", PHASE_DRAW, PHASE_WALL)
        if view._hand.phase == PHASE_WALL:
            decide_by_rules(<hand_t*>view._hand, view._base, &choice)
            return choice.action == DO_DRAW_PILE
        return bool(choose_draw(view._base, view._view))

    def declare_big_gin(self, View view not None):
        """Whether to declare big gin."""
        _check_asked(view, "declare_big_gin", PHASE_DISCARD, PHASE_DISCARD)
        return bool(choose_big_gin(view._base, view._view))

    def knock(self, View view not None):
        """Whether to knock, or the card with which to knock."""
        _check_asked(view, "knock", PHASE_DISCARD, PHASE_DISCARD)
        return bool(choose_knock(view._base, view._view))

    def discard(self, View view not None):
        """The card to throw."""
        _check_asked(view, "discard", PHASE_DISCARD, PHASE_DISCARD)
        return choose_discard(view._base, view._view, view._knocking)


cdef int _check_asked(View view, str decision, int phase, int or_phase) except -1:
    """Refuse to decide what is not decided now: it would change what is known of the hand."""
    view._open()
    if view._hand.phase != phase and view._hand.phase != or_phase:
        raise ValueError(f"{decision}: the base is not asked now; allowed: in {decision} only")
    return 0


cdef bint _yes(Player player, str decision, answer) except? -1:
    if answer is True or answer is False:
        return answer
    if type(answer).__name__ == "bool" or type(answer).__name__ == "bool_":
        return bool(answer)
    raise _refuse(player, decision, answer, "True or False")


cdef _refuse(Player player, str decision, answer, str allowed):
    return IllegalAnswer(
        f"{getattr(player, 'name', type(player).__name__)}: {decision}: {answer!r} is not allowed; "
        f"allowed: {allowed}"
    )


cdef int _card(Player player, str decision, answer, mask_t allowed) except -1:
    """The card that was answered, a number or a name."""
    cdef int card = -1
    if isinstance(answer, str) and len(answer) == 2:
        rank, suit = "A23456789TJQK".find(answer[0]), "cdhs".find(answer[1])
        if rank >= 0 and suit >= 0:
            card = 13 * suit + rank
    elif not isinstance(answer, bool) and hasattr(answer, "__index__"):
        number = answer.__index__()
        card = number if 0 <= number < 52 else -1
    if card < 0 or not allowed >> card & 1:
        raise _refuse(player, decision, answer, f"one of the cards {_names(allowed)}")
    return card


cdef mask_t _knocking_cards(const hand_t* hand, const view_t* view) noexcept:
    cdef mask_t rest = view.hand & ~view.barred, card, cards = 0
    while rest:
        card = rest & -rest
        rest ^= card
        if deadwood_of(view.hand ^ card) <= hand.table.knock_limit:
            cards |= card
    return cards


cdef inline View _view_of(hand_t* hand, const strategy_t* strategy, int decision):
    cdef View view = View.__new__(View)
    view._hand = hand
    view._view = &hand.views[hand.seat]
    view._base = strategy
    view._word = decision_word(view._view, decision)
    view._knocking = False
    return view



cdef int _end_turn(Player player, hand_t* hand, const strategy_t* strategy, choice_t* choice) except -1:
    """Big gin, knock or discard."""
    cdef view_t* own = &hand.views[hand.seat]
    cdef View view
    cdef bint knocking = False
    choice.card = -1
    if may_big_gin(hand):
        view = _view_of(hand, strategy, DECIDE_BIG_GIN)
        try:
            declared = _yes(player, "declare_big_gin", player.declare_big_gin(view))
        finally:
            view._hand = NULL
        # At the wall the card was taken to end the hand, one way or the other.
        if declared or (hand.at_wall and not may_knock(hand)):
            choice.action = DO_BIG_GIN
            return 0
    if may_knock(hand):
        knocking = hand.at_wall
        if not knocking:
            if player._asked >> 3 & 1:
                view = _view_of(hand, strategy, DECIDE_KNOCK)
                try:
                    answer = player.knock(view)
                finally:
                    view._hand = NULL
                if answer is True or answer is False:
                    knocking = answer
                elif type(answer).__name__ in ("bool", "bool_"):
                    knocking = bool(answer)
                else:
                    choice.action = DO_KNOCK
                    choice.card = _card(player, "knock (True, False or a card)", answer,
                                        _knocking_cards(hand, own))
                    return 0
            else:
                knocking = choose_knock(strategy, own)
    choice.action = DO_KNOCK if knocking else DO_DISCARD
    if not player._asked >> 4 & 1:
        choice.card = choose_discard(strategy, own, knocking)
        return 0
    view = _view_of(hand, strategy, DECIDE_DISCARD)
    view._knocking = knocking
    try:
        answer = player.discard(view)
    finally:
        view._hand = NULL
    choice.card = _card(player, "discard (knocking)" if knocking else "discard", answer,
                        _knocking_cards(hand, own) if knocking else own.hand & ~own.barred)
    return 0


cdef int _ask(Player player, hand_t* hand, const strategy_t* strategy, choice_t* choice) except -1:
    cdef View view
    cdef bint take
    if hand.phase == PHASE_DISCARD:
        return _end_turn(player, hand, strategy, choice)
    choice.card = -1
    if hand.phase == PHASE_DRAW and stock_only(hand):
        choice.action = DO_DRAW_STOCK
        return 0
    view = _view_of(hand, strategy, DECIDE_UPCARD if hand.phase == PHASE_UPCARD else DECIDE_DRAW)
    try:
        if hand.phase == PHASE_UPCARD:
            take = _yes(player, "take_upcard", player.take_upcard(view))
        else:
            take = _yes(player, "draw_from_pile", player.draw_from_pile(view))
    finally:
        view._hand = NULL
    if take:
        choice.action = DO_DRAW_PILE
    elif hand.phase == PHASE_UPCARD:
        choice.action = DO_PASS
    else:
        choice.action = DO_DECLINE if hand.phase == PHASE_WALL else DO_DRAW_STOCK
    return 0


cdef void ask(hand_t* hand, const strategy_t* strategy, choice_t* choice) noexcept nogil:
    """Ask the player of a strategy's record."""
    with gil:
        try:
            if _players[strategy.player] == NULL:
                raise RuntimeError("the Python strategy of this record no longer exists")
            # Else an interrupt would wait until a player's own code is run.
            PyErr_CheckSignals()
            _ask(<Player>_players[strategy.player], hand, strategy, choice)
        except BaseException as failure:
            _failures[threading.get_ident()] = failure
            choice.action = DO_ABANDON
            choice.card = -1


set_player(ask)
