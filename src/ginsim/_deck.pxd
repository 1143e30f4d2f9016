# cython: language_level=3
"""Keyed random streams and the deck (docs/engine.md, "Streams" and "The deck").

Every word is a function of (key, stream, deal, hand of the game), so any deck can be dealt alone.
"""

from libc.stdint cimport uint64_t

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
    static inline uint64_t ginsim_high(uint64_t a, uint64_t b) {
        return (uint64_t)(((unsigned __int128)a * b) >> 64);
    }
    #define GINSIM_SEVEN(n) ((uint64_t)(n) * ((n) - 1) * ((n) - 2) * ((n) - 3) * ((n) - 4) \\
                             * ((n) - 5) * ((n) - 6))
    #define GINSIM_SEVEN_4(n) \\
        GINSIM_SEVEN(n), GINSIM_SEVEN((n) + 1), GINSIM_SEVEN((n) + 2), GINSIM_SEVEN((n) + 3)
    static const uint64_t GINSIM_SEVENS[56] = {
        GINSIM_SEVEN_4(0), GINSIM_SEVEN_4(4), GINSIM_SEVEN_4(8), GINSIM_SEVEN_4(12),
        GINSIM_SEVEN_4(16), GINSIM_SEVEN_4(20), GINSIM_SEVEN_4(24), GINSIM_SEVEN_4(28),
        GINSIM_SEVEN_4(32), GINSIM_SEVEN_4(36), GINSIM_SEVEN_4(40), GINSIM_SEVEN_4(44),
        GINSIM_SEVEN_4(48), GINSIM_SEVEN_4(52)
    };
    """
    # n (n - 1) … (n - 6): the product of the bounds of seven draws from n cards.
    const uint64_t SEVENS "GINSIM_SEVENS"[56]
    const uint64_t GAMMA "GINSIM_GAMMA"
    uint64_t mix "ginsim_mix"(uint64_t z) noexcept nogil
    uint64_t high_product "ginsim_high"(uint64_t a, uint64_t b) noexcept nogil


cdef enum:
    STREAM_DECK = 0
    STREAM_SECOND_DECK = 1
    STREAM_NONDEALER = 2
    STREAM_DEALER = 3
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


cdef inline uint64_t stream_state(key_t key, uint64_t stream, uint64_t deal,
                                  uint64_t hand_in_game) noexcept nogil:
    return mix(mix(key.words[0] + GAMMA * deal)
               ^ (key.words[1] + GAMMA * (stream + STREAMS_PER_HAND * hand_in_game)))


cdef inline int pick(uint64_t word, int num_choices) noexcept nogil:
    """A choice of 0 … num_choices-1; its bias is below num_choices / 2**64."""
    return <int>high_product(word, <uint64_t>num_choices)


cdef inline bint draw_group(deck_t* deck, uint64_t word, int count) noexcept nogil:
    """Draw `count` cards by one word; False if the word is rejected (nothing is drawn then).

    One word gives the exactly uniform choice of a whole group: its remainder is uniform below
    2**64, and is refused below 2**64 mod P, P the product of the bounds (Brackett-Rozinsky and
    Lemire 2024). A refusal has a chance below 2**-24.
    """
    cdef uint64_t bound = deck.num_left, product = 1
    cdef uint64_t remainder
    cdef unsigned char* cards = deck.cards + deck.dealt
    cdef int i, k
    if count == GROUP:
        product = SEVENS[bound]
    else:
        for i in range(count):
            product *= bound - i
    remainder = word * product
    if unlikely(remainder < product) and remainder < (0 - product) % product:
        return False
    for i in range(count):
        k = <int>high_product(word, bound)
        word *= bound
        bound -= 1
        cards[i] = deck.left[k]
        deck.left[k] = deck.left[bound]
    deck.num_left = <int>bound
    deck.dealt += count
    return True


cdef inline void draw_more(deck_t* deck) noexcept nogil:
    """Deal the next group of the deck."""
    cdef bint done = False
    cdef uint64_t word
    while not done:
        deck.words_used += 1
        word = mix(deck.state + GAMMA * deck.words_used)
        # A count that the compiler knows is drawn without a loop.
        if deck.num_left >= GROUP:
            done = draw_group(deck, word, GROUP)
        else:
            done = draw_group(deck, word, deck.num_left)


cdef inline int card_at(deck_t* deck, int position) noexcept nogil:
    """The card at a 0-based position of the deck, dealing up to it."""
    while position >= deck.dealt:
        draw_more(deck)
    return deck.cards[position]


cdef void fill_deck(deck_t* deck, uint64_t state, int ranks) noexcept nogil
cdef int knock_card_of(uint64_t state, int ranks) noexcept nogil
