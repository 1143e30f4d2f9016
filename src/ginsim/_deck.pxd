# cython: language_level=3
"""Keyed random streams and the deck (docs/engine.md, "Streams" and "The deck").

Every word is a function of (key, stream, deal, hand of the game), so any deck can be dealt alone.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from ginsim._core cimport unlikely


cdef extern from *:
    """
    #include <stdint.h>
    #define GINSIM_GAMMA 0x9E3779B97F4A7C15ULL
    static inline uint64_t ginsim_mix(uint64_t z) {
        z ^= z >> 30; z *= 0xBF58476D1CE4E5B9ULL;
        z ^= z >> 27; z *= 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    #define GINSIM_EIGHT(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
    static const unsigned char GINSIM_WHOLE[64] = {
        GINSIM_EIGHT(0), GINSIM_EIGHT(8), GINSIM_EIGHT(16), GINSIM_EIGHT(24), GINSIM_EIGHT(32),
        GINSIM_EIGHT(40), GINSIM_EIGHT(48), GINSIM_EIGHT(56)
    };
    static inline uint64_t ginsim_high(uint64_t a, uint64_t b) {
        return (uint64_t)(((unsigned __int128)a * b) >> 64);
    }
    static inline uint64_t ginsim_take(uint64_t *word, uint64_t bound) {
        unsigned __int128 product = (unsigned __int128)*word * bound;
        *word = (uint64_t)product;
        return (uint64_t)(product >> 64);
    }
    /* A zero of which the compiler does not know that it is one. */
    static inline uint64_t ginsim_zero(void) {
        uint64_t zero = 0;
    #ifdef __GNUC__
        __asm__("" : "+r"(zero));
    #endif
        return zero;
    }
    """
    const uint64_t GAMMA "GINSIM_GAMMA"
    const unsigned char WHOLE "GINSIM_WHOLE"[64]   # 0, 1, 2, …
    uint64_t mix "ginsim_mix"(uint64_t z) noexcept nogil
    uint64_t hidden_zero "ginsim_zero"() noexcept nogil
    uint64_t high_product "ginsim_high"(uint64_t a, uint64_t b) noexcept nogil
    # A choice of 0 … bound-1 by a word, of which the rest stays for others.
    uint64_t take_choice "ginsim_take"(uint64_t* word, uint64_t bound) noexcept nogil


cdef enum:
    STREAM_DECK = 0
    STREAM_SECOND_DECK = 1
    STREAM_NONDEALER = 2
    STREAM_DEALER = 3
    STREAMS_PER_TABLE = 4
    STREAMS_PER_HAND = 16
    GROUP = 7            # cards drawn from one random word


cdef struct key_t:
    uint64_t words[2]


cdef struct deck_t:
    # The cards are dealt lazily: cards[0:dealt] are the deck's first cards, in their order,
    # and left[0:num_left] those not yet drawn.
    unsigned char cards[64]
    unsigned char left[64]
    int num_left
    int dealt
    uint64_t state
    uint64_t words_used


cdef inline uint64_t deal_state(key_t key, uint64_t deal) noexcept nogil:
    """What the streams of a deal have in common."""
    return mix(key.words[0] + GAMMA * deal)


cdef inline uint64_t stream_of_deal(uint64_t state, key_t key, uint64_t stream,
                                    uint64_t hand_in_game) noexcept nogil:
    """The state of a stream of the deal with that `deal_state`."""
    return mix(state ^ (key.words[1] + GAMMA * (stream + STREAMS_PER_HAND * hand_in_game)))


cdef inline uint64_t stream_state(key_t key, uint64_t stream, uint64_t deal,
                                  uint64_t hand_in_game) noexcept nogil:
    return stream_of_deal(deal_state(key, deal), key, stream, hand_in_game)


cdef inline int pick(uint64_t word, int num_choices) noexcept nogil:
    """A choice of 0 … num_choices-1; its bias is below num_choices / 2**64."""
    return <int>high_product(word, <uint64_t>num_choices)


cdef void draw_up_to(deck_t* deck, int position) noexcept nogil
cdef void draw_opening(deck_t* deck) noexcept nogil


cdef inline int card_at(deck_t* deck, int position) noexcept nogil:
    """The card at a 0-based position of the deck, dealing up to it."""
    if unlikely(position >= deck.dealt):
        draw_up_to(deck, position)
    return deck.cards[position]


cdef void fill_short_deck(deck_t* deck, int ranks) noexcept nogil


cdef inline void fill_deck(deck_t* deck, uint64_t state, int ranks) noexcept nogil:
    """Gather the deck's cards in increasing order, none dealt yet."""
    if ranks == 13:
        memcpy(deck.left, WHOLE, 64)
    else:
        fill_short_deck(deck, ranks)
    deck.num_left = 4 * ranks
    deck.dealt = 0
    deck.state = state
    deck.words_used = 0


cdef int knock_card_of(uint64_t state, int ranks) noexcept nogil
