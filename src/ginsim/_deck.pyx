# cython: language_level=3
"""The deck as Python sees it: whole decks, knock cards and words of any stream."""

import numpy as np

from ginsim._core cimport unlikely

cdef extern from *:
    """
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

# The number of the conventions in docs/engine.md marked **stream**: it is part of every result's
# provenance, and grows when the same seed would give other hands.
STREAM_VERSION = 1

cdef void fill_short_deck(deck_t* deck, int ranks) noexcept nogil:
    """The cards of a deck of fewer ranks."""
    cdef int suit, rank, n = 0
    for suit in range(4):
        for rank in range(ranks):
            deck.left[n] = suit * 13 + rank
            n += 1


cdef inline bint draw_group(deck_t* deck, uint64_t word, int dealt, int num_left, int count,
                            uint64_t product) noexcept nogil:
    """Draw `count` cards by one word; False if the word is rejected (nothing is drawn then).

    `dealt` and `num_left` are those of the deck.

    One word gives the exactly uniform choice of a whole group: its remainder is uniform below
    2**64, and is refused below 2**64 mod `product`, which is that of the bounds (Brackett-Rozinsky
    and Lemire 2024). A refusal has a chance below 2**-24.
    """
    cdef uint64_t bound = <unsigned int>num_left, k
    cdef uint64_t zero = hidden_zero()
    cdef uint64_t remainder = word * product
    cdef unsigned char* cards = deck.cards + dealt
    cdef int i
    if unlikely(remainder < product) and remainder < (0 - product) % product:
        return False
    for i in range(count):
        k = take_choice(&word, bound)
        bound -= 1
        cards[i] = deck.left[k]
        # The place of the last card is known from the start. Read at once, it would often be read
        # before a card that was moved there, which the processor notices late: so it waits for k.
        deck.left[k] = deck.left[bound + (k & zero)]
    deck.num_left = num_left - count
    deck.dealt = dealt + count
    return True


cdef inline uint64_t next_word(deck_t* deck) noexcept nogil:
    deck.words_used += 1
    return mix(deck.state + GAMMA * deck.words_used)


cdef void draw_last(deck_t* deck) noexcept nogil:
    """Deal the last group, of fewer cards."""
    cdef uint64_t product = 1
    cdef int i
    for i in range(deck.num_left):
        product *= deck.num_left - i
    while not draw_group(deck, next_word(deck), deck.dealt, deck.num_left, deck.num_left, product):
        pass


cdef inline bint draw_opening_group(deck_t* deck, uint64_t word, int n) noexcept nogil:
    """Draw the n-th group (from 0) of a deck of 52."""
    deck.words_used = n + 1
    return draw_group(deck, word, GROUP * n, 52 - GROUP * n, GROUP, SEVENS[52 - GROUP * n])


cdef void draw_opening(deck_t* deck) noexcept nogil:
    """Deal the first four groups of a deck of 52, of which nothing has been dealt.

    `draw_up_to` would deal the same. Here the compiler knows all numbers, and neither the words nor
    the cards of a group wait for each other.
    """
    cdef uint64_t first = mix(deck.state + GAMMA)
    cdef uint64_t second = mix(deck.state + 2 * GAMMA)
    cdef uint64_t third = mix(deck.state + 3 * GAMMA)
    cdef uint64_t fourth = mix(deck.state + 4 * GAMMA)
    if not (draw_opening_group(deck, first, 0) and draw_opening_group(deck, second, 1)
            and draw_opening_group(deck, third, 2) and draw_opening_group(deck, fourth, 3)):
        draw_up_to(deck, 4 * GROUP - 1)


cdef void draw_up_to(deck_t* deck, int position) noexcept nogil:
    """Deal whole groups until the card at a position is dealt."""
    while deck.dealt <= position:
        if unlikely(deck.num_left < GROUP):
            draw_last(deck)
        else:
            # The compiler knows how many cards these are, and draws them without a loop.
            draw_group(deck, next_word(deck), deck.dealt, deck.num_left, GROUP,
                       SEVENS[deck.num_left])


cdef int knock_card_of(uint64_t state, int ranks) noexcept nogil:
    """The top card of a freshly shuffled second deck."""
    cdef deck_t deck
    fill_deck(&deck, state, ranks)
    while not draw_group(&deck, next_word(&deck), 0, deck.num_left, 1, deck.num_left):
        pass
    return deck.cards[0]


cdef key_t _key(key) except *:
    cdef key_t result
    result.words[0] = key[0]
    result.words[1] = key[1]
    return result


def make_key(seed):
    """The 128-bit key of a seed, two `uint64` words."""
    return np.random.SeedSequence(seed).generate_state(2, np.uint64)


def stream_words(key, int stream, deal, int count, hand_in_game=0):
    """The first `count` words of a stream, `uint64`."""
    cdef uint64_t state = stream_state(_key(key), stream, deal, hand_in_game)
    cdef int n
    result = np.empty(count, np.uint64)
    cdef uint64_t[::1] out = result
    for n in range(count):
        out[n] = mix(state + GAMMA * <uint64_t>(n + 1))
    return result


def whole_deck(key, deal, hand_in_game=0, int ranks=13):
    """The cards of a deal's deck in their order, `uint8`, shape (4 * ranks,)."""
    cdef deck_t deck
    cdef int i
    if not 1 <= ranks <= 13:
        raise ValueError(f"ranks is 1 to 13, got {ranks}")
    fill_deck(&deck, stream_state(_key(key), STREAM_DECK, deal, hand_in_game), ranks)
    result = np.empty(4 * ranks, np.uint8)
    cdef unsigned char[::1] out = result
    for i in range(4 * ranks):
        out[i] = card_at(&deck, i)
    return result


def second_deck_card(key, deal, hand_in_game=0, int ranks=13):
    """The knock card that a second deck shows at a deal."""
    return knock_card_of(stream_state(_key(key), STREAM_SECOND_DECK, deal, hand_in_game), ranks)
