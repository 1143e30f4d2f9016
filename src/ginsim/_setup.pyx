# cython: language_level=3
"""What a numbered hand is played with (docs/engine.md, "The deck").

A `Setup` and an index say everything about a hand; batches, traces and decisions all start here.
"""

import numpy as np

from ginsim._deck cimport STREAM_SECOND_DECK, knock_card_of, stream_state
from ginsim._hand cimport KNOCK_CARD_SECOND_DECK, deal_cards, set_streams, start_hand
from ginsim._strategy cimport draws_lots
from libc.string cimport memcpy

# Not used here: their import says who decides for strategies that search or are written in Python.
from ginsim import _player, _rollout  # noqa: F401


cdef void start_index(hand_t* hand, const setup_t* setup, uint64_t index) noexcept nogil:
    """Deal the hand with that index. `hand.trace` must have been set before."""
    cdef uint64_t deal = index >> 1 if setup.mirror else index
    cdef int dealer = <int>(deal & 1)
    cdef int second_card = -1
    if setup.mirror and index & 1:
        dealer = 1 - dealer
    if setup.decks == NULL:
        start_hand(hand, setup.rules, setup.key, deal, 0, dealer, setup.ranks, setup.hand_size, 0)
    else:
        hand.rules = setup.rules
        memcpy(hand.deck.cards, setup.decks + 52 * deal, 52)
        hand.deck.dealt = 52
        hand.deck.num_left = 0
        if setup.rules.knock_card == KNOCK_CARD_SECOND_DECK:
            second_card = knock_card_of(stream_state(setup.key, STREAM_SECOND_DECK, deal, 0), 13)
        deal_cards(hand, dealer, setup.hand_size, second_card)
    # What nobody asks for need not be worked out.
    if setup.lots:
        set_streams(hand, setup.key, deal, 0, 0)
    else:
        hand.views[0].stream = 0
        hand.views[1].stream = 0


cdef class Setup:
    """Rules, strategies and key of numbered hands.

    Args:
        rules: of RULES_DTYPE, shape (1,).
        strategies: of STRATEGY_DTYPE, shape (2,), south first; or shape (4,) for the games of a
            partnership: A, B, C, D.
        key: two `uint64` words.
        mirror: hands 2n and 2n + 1 play deal n, the second with the seats' cards exchanged.
        ranks, hand_size: of the deck, for tests and small studies.
        decks: `uint8`, shape (deals, 52): deal n is played with deck n instead of the key's. The
            second deck and the decision streams still come from the key.

    Raises:
        ValueError: for other shapes, decks that are none, and a deck too small for the rules.
    """

    def __init__(self, const rules_t[::1] rules, const strategy_t[::1] strategies,
                 const uint64_t[::1] key, bint mirror=False, int ranks=13, int hand_size=10,
                 decks=None):
        if rules.shape[0] != 1 or strategies.shape[0] not in (2, 4) or key.shape[0] != 2:
            raise ValueError(
                "one rules record, two or four strategy records and two key words are needed"
            )
        if not 3 <= ranks <= 13:
            raise ValueError(f"ranks is 3 to 13, got {ranks}")
        if not 1 <= hand_size <= 10:
            raise ValueError(f"hand_size is 1 to 10, got {hand_size}")
        stock = 4 * ranks - 2 * hand_size - 1
        if stock <= rules[0].dead_at:
            raise ValueError(
                f"{ranks} ranks leave {stock} cards in the stock of two hands of {hand_size}: "
                f"more than dead_at = {rules[0].dead_at} are needed"
            )
        self._rules = rules
        self._strategies = strategies
        self.data.rules = &rules[0]
        self.data.strategies = &strategies[0]
        self.data.players = strategies.shape[0]
        self.data.tables = NULL
        if strategies.shape[0] == 4:
            # Pairing 0: A meets C and B meets D; pairing 1: A meets D and B meets C.
            self._tables = np.asarray(strategies)[[0, 2, 1, 3, 0, 3, 1, 2]]
            self.data.tables = &self._tables[0]
        self.data.key.words[0] = key[0]
        self.data.key.words[1] = key[1]
        self.data.lots = False
        for i in range(strategies.shape[0]):
            self.data.lots |= draws_lots(&strategies[i])
        self.data.mirror = mirror
        self.data.ranks = ranks
        self.data.hand_size = hand_size
        self.data.decks = NULL
        self.num_hands = None
        if decks is not None:
            if ranks != 13 or decks.ndim != 2 or decks.shape[1] != 52:
                raise ValueError("decks have 52 cards each, shape (deals, 52)")
            wrong = np.flatnonzero((np.sort(decks, axis=1) != np.arange(52)).any(axis=1))
            if len(wrong):
                raise ValueError(f"deck {wrong[0]} does not hold each of the 52 cards once")
            self._decks = decks
            self.num_hands = len(decks) * (2 if mirror else 1)
            if len(decks):
                self.data.decks = &self._decks[0, 0]

    @property
    def mirror(self):
        """Whether hands come in mirrored pairs."""
        return self.data.mirror

    def check_range(self, uint64_t first, uint64_t count, int players=2):
        """Refuse hands that do not exist.

        Raises:
            ValueError: for a range past 2**63, or past the given decks, and for another number of
                strategies than `players`.
        """
        if self.data.players != players:
            raise ValueError(f"{players} play, and there are {self.data.players} strategies")
        if first > 1 << 63 or count > 1 << 63 or first + count > 1 << 63:
            raise ValueError(f"hands {first} to {first} + {count} lie beyond 2**63")
        if self.num_hands is not None and first + count > self.num_hands:
            raise ValueError(f"there are {self.num_hands} hands, not {first} + {count}")
