# cython: language_level=3
"""Cards as masks and the exact solvers, as inline functions that another module can cimport.

A set of cards is a 52-bit mask: card = suit*13 + rank, suits clubs, diamonds, hearts, spades,
rank 0 = ace. Everything here is integer arithmetic without allocation, and takes 0-11 cards.

How the solvers work. In one suit `m = h & h>>1 & h>>2` marks the starts of runs, and
`cover = m | m<<1 | m<<2` every card in a block of three or more; all of `cover` can be melded at
once. Likewise every rank held three or four times is a set. Where cover and sets do not meet,
both are taken and the rest is deadwood. Otherwise only the ranks in conflict are branched on
(`search_sets`), and every leaf is again a closed form.
"""

from libc.stdint cimport uint64_t

ctypedef uint64_t mask_t

cdef extern from *:
    """
    #include <stdint.h>
    #define GINSIM_ALL_RANKS(ranks)  ((uint64_t)(ranks) * 0x0000008004002001ULL)
    #define GINSIM_RANKS     0x1FFFULL
    #define GINSIM_DECK      GINSIM_ALL_RANKS(0x1FFFULL)
    #define GINSIM_STARTS    GINSIM_ALL_RANKS(0x07FFULL)  /* a run may start at ace to jack */
    #define GINSIM_NOT_ACE   GINSIM_ALL_RANKS(0x1FFEULL)
    #define GINSIM_NOT_KING  GINSIM_ALL_RANKS(0x0FFFULL)
    #define GINSIM_KINGS     GINSIM_ALL_RANKS(0x1000ULL)
    #define GINSIM_TENS      GINSIM_ALL_RANKS(0x1E00ULL)  /* ten to king */
    #define GINSIM_PIPS_1    GINSIM_ALL_RANKS(0x0155ULL)  /* cards whose pips have bit 0 */
    #define GINSIM_PIPS_2    GINSIM_ALL_RANKS(0x1E66ULL)
    #define GINSIM_PIPS_4    GINSIM_ALL_RANKS(0x0078ULL)
    #define GINSIM_PIPS_8    GINSIM_ALL_RANKS(0x1F80ULL)
    static inline int ginsim_popcount(uint64_t x) { return __builtin_popcountll(x); }
    static inline int ginsim_lowest(uint64_t x) { return __builtin_ctzll(x); }
    static inline int ginsim_highest(uint64_t x) { return 63 - __builtin_clzll(x); }
    #define ginsim_unlikely(x) __builtin_expect(!!(x), 0)

    /* What is fixed about each card. A lookup costs less than taking card % 13 apart. */
    #define GINSIM_SUIT(what, suit) \\
        what(suit, 0), what(suit, 1), what(suit, 2), what(suit, 3), what(suit, 4), \\
        what(suit, 5), what(suit, 6), what(suit, 7), what(suit, 8), what(suit, 9), \\
        what(suit, 10), what(suit, 11), what(suit, 12)
    #define GINSIM_EACH_CARD(what) \\
        GINSIM_SUIT(what, 0), GINSIM_SUIT(what, 1), GINSIM_SUIT(what, 2), GINSIM_SUIT(what, 3)
    #define GINSIM_WINDOW(suit, rank) (0x1FULL << (rank) >> 2 & GINSIM_RANKS) << 13 * (suit)
    #define GINSIM_MATES(suit, rank) \\
        GINSIM_ALL_RANKS(1ULL << (rank)) ^ 1ULL << (13 * (suit) + (rank))
    #define GINSIM_DEARER(suit, rank) \\
        (rank) >= 9 ? 0 : GINSIM_ALL_RANKS(GINSIM_RANKS & ~0ULL << ((rank) + 1))
    #define GINSIM_PIPS(suit, rank) ((rank) >= 9 ? 10 : (rank) + 1)
    #define GINSIM_EQUALS(suit, rank) \\
        (rank) >= 9 ? GINSIM_TENS : GINSIM_ALL_RANKS(1ULL << (rank))
    static const uint64_t GINSIM_WINDOWS[52] = { GINSIM_EACH_CARD(GINSIM_WINDOW) };
    static const uint64_t GINSIM_ALL_MATES[52] = { GINSIM_EACH_CARD(GINSIM_MATES) };
    static const uint64_t GINSIM_ALL_DEARER[52] = { GINSIM_EACH_CARD(GINSIM_DEARER) };
    static const uint8_t GINSIM_ALL_PIPS[52] = { GINSIM_EACH_CARD(GINSIM_PIPS) };
    static const uint64_t GINSIM_ALL_EQUALS[13] = { GINSIM_SUIT(GINSIM_EQUALS, 0) };

    /* Bit n: whether five neighbouring places, filled as the bits of n are (the middle one apart),
       hold three in sequence with the middle one. */
    #define GINSIM_MIDDLE(n) \\
        ((uint64_t)((((n) & 3) == 3) | (((n) & 10) == 10) | (((n) & 24) == 24)) << (n))
    #define GINSIM_MIDDLE_4(n) \\
        (GINSIM_MIDDLE(n) | GINSIM_MIDDLE(n + 1) | GINSIM_MIDDLE(n + 2) | GINSIM_MIDDLE(n + 3))
    #define GINSIM_MAKES_RUN \\
        (GINSIM_MIDDLE_4(0) | GINSIM_MIDDLE_4(4) | GINSIM_MIDDLE_4(8) | GINSIM_MIDDLE_4(12) \\
         | GINSIM_MIDDLE_4(16) | GINSIM_MIDDLE_4(20) | GINSIM_MIDDLE_4(24) | GINSIM_MIDDLE_4(28))
    """
    # By card:
    const mask_t WINDOWS "GINSIM_WINDOWS"[52]     # the cards of its suit within two ranks of it
    const mask_t MATES "GINSIM_ALL_MATES"[52]     # the other cards of its rank
    const mask_t DEARER "GINSIM_ALL_DEARER"[52]   # the cards of higher pips
    const unsigned char PIPS "GINSIM_ALL_PIPS"[52]
    # By rank:
    const mask_t EQUALS "GINSIM_ALL_EQUALS"[13]   # the cards of the same pips
    const mask_t MAKES_RUN "GINSIM_MAKES_RUN"
    mask_t ALL_RANKS "GINSIM_ALL_RANKS"(mask_t ranks) noexcept nogil
    const mask_t RANKS "GINSIM_RANKS"
    const mask_t DECK "GINSIM_DECK"
    const mask_t STARTS "GINSIM_STARTS"
    const mask_t NOT_ACE "GINSIM_NOT_ACE"
    const mask_t NOT_KING "GINSIM_NOT_KING"
    const mask_t KINGS "GINSIM_KINGS"
    const mask_t TENS "GINSIM_TENS"
    const mask_t PIPS_1 "GINSIM_PIPS_1"
    const mask_t PIPS_2 "GINSIM_PIPS_2"
    const mask_t PIPS_4 "GINSIM_PIPS_4"
    const mask_t PIPS_8 "GINSIM_PIPS_8"
    int popcount "ginsim_popcount"(mask_t x) noexcept nogil
    int lowest "ginsim_lowest"(mask_t x) noexcept nogil
    int highest "ginsim_highest"(mask_t x) noexcept nogil
    bint unlikely "ginsim_unlikely"(bint x) noexcept nogil


cdef enum:
    MAX_CARDS = 11   # a hand after the draw
    MAX_MELDS = 3    # eleven cards hold no fourth meld
    MAX_LISTED = 64  # melds within eleven cards: 45 in one suit is the most


cdef struct leaf_t:
    # The best leaf of a search over the sets in conflict.
    int deadwood
    mask_t used      # cards melded in own sets, out of the runs
    mask_t free      # cards that cost nothing whether a run takes them or not


cdef struct discard_t:
    int deadwood     # least deadwood over the allowed discards
    int pips         # highest pips among the discards that leave it
    mask_t dearest   # the discards of those pips
    mask_t best      # all discards that leave least deadwood
    bint plain       # sets and runs do not compete for a card
    bint all_melded  # the cards can all be melded as they are: big gin
    mask_t loose     # if plain: the cards in no meld


cdef enum:
    # What is known of a hand.
    HELD_UNKNOWN = 0
    HELD_PLAIN = 1       # sets and runs do not compete: the cards in no meld
    HELD_MIXED = 2       # they do: its best discards


cdef struct held_t:
    # What a hand has been found to be, so that a card more costs little (see `join_discard`).
    int known
    int deadwood         # -1 if unknown
    mask_t loose         # HELD_PLAIN
    discard_t spare      # HELD_MIXED: the best discards of the hand as it is


cdef struct spread_t:
    # An arrangement laid open: which cards are in runs, in sets, and the rest.
    mask_t runs
    mask_t sets
    mask_t unmelded
    int deadwood
    # Spelt out, where asked for: up to three melds, sorted by mask.
    int num_melds
    mask_t melds[MAX_MELDS]


cdef struct melds_t:
    # The knocker's melds as a defender sees them.
    mask_t runs      # cards in runs
    mask_t missing   # the fourth card of each three-card set


cdef struct layoff_t:
    # A defender's answer: his own melds, the cards laid off, the rest.
    spread_t own
    mask_t laid
    int deadwood


cdef struct walk_t:
    # A walk over the arrangements of a hand in canonical order (see next_arrangement).
    mask_t melds[MAX_LISTED]
    int pips[MAX_LISTED]
    int num_listed
    int index[MAX_MELDS]
    int depth
    mask_t used
    mask_t hand
    int deadwood


# ---------------------------------------------------------------- masks

cdef inline int pips_of(mask_t cards) noexcept nogil:
    """Sum of pips: ace 1, two to nine face value, ten to king 10."""
    return (popcount(cards & PIPS_1) + 2 * popcount(cards & PIPS_2)
            + 4 * popcount(cards & PIPS_4) + 8 * popcount(cards & PIPS_8))


cdef inline mask_t run_cover(mask_t cards) noexcept nogil:
    """The cards that stand in a block of three or more in sequence in one suit."""
    # STARTS keeps a queen or king from joining the next suit's aces.
    cdef mask_t starts = cards & (cards >> 1) & (cards >> 2) & STARTS
    return starts | (starts << 1) | (starts << 2)


cdef inline mask_t ranks_of(mask_t cards) noexcept nogil:
    """The ranks present, as 13 bits."""
    cards |= cards >> 26
    cards |= cards >> 13
    return cards & RANKS


cdef inline mask_t set_ranks(mask_t cards) noexcept nogil:
    """The ranks held three or four times, as 13 bits."""
    cdef mask_t high = cards >> 26
    cdef mask_t both = cards & high         # clubs and hearts, diamonds and spades
    cdef mask_t one = cards | high
    return ((both & (one >> 13)) | (one & (both >> 13))) & RANKS


cdef inline bint is_set(mask_t meld) noexcept nogil:
    """Whether a meld is a set rather than a run."""
    cdef mask_t ranks = ranks_of(meld)
    return (ranks & (ranks - 1)) == 0


cdef inline mask_t dearest_of(mask_t cards, int* pips) noexcept nogil:
    """The cards of the highest pips among at least one card."""
    cdef int rank = highest(ranks_of(cards))
    pips[0] = PIPS[rank]
    return cards & EQUALS[rank]


# ---------------------------------------------------------------- least deadwood

cdef inline void keep_leaf(mask_t hand, mask_t runs, mask_t used, mask_t free,
                           leaf_t* best) noexcept nogil:
    cdef int deadwood = pips_of(hand & ~(used | free | run_cover((hand & ~used) | runs)))
    if deadwood < best.deadwood:
        best.deadwood = deadwood
        best.used = used
        best.free = free


cdef void search_sets(mask_t hand, mask_t runs, mask_t used, mask_t free, mask_t conflict,
                      leaf_t* best) noexcept nogil
cdef void search_discards(mask_t hand, mask_t forbidden, mask_t used, mask_t free,
                          mask_t conflict, discard_t* best) noexcept nogil
cdef void scan_discards(mask_t hand, mask_t forbidden, discard_t* best) noexcept nogil


cdef inline int layoff_of(mask_t hand, mask_t runs, mask_t missing) noexcept nogil:
    """Least deadwood of a hand that may lay off, melds and layoffs chosen together.

    `runs` are the cards of the knocker's runs, `missing` the fourth cards of his three-card sets.
    """
    cdef mask_t covered = run_cover(hand | runs)
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    cdef mask_t conflict = covered & sets
    cdef leaf_t best
    if not conflict:
        return pips_of(hand & ~(covered | sets | missing))
    best.deadwood = 1000
    conflict = ranks_of(conflict)
    search_sets(hand, runs, sets & ~ALL_RANKS(conflict), missing, conflict, &best)
    return best.deadwood


cdef inline int deadwood_of(mask_t hand) noexcept nogil:
    """Exact least deadwood of 0-11 cards."""
    cdef mask_t covered = run_cover(hand)
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    cdef mask_t conflict = covered & sets
    cdef mask_t ranks, cards, others
    cdef leaf_t best
    cdef int with_set, without
    if not conflict:
        return pips_of(hand & ~(covered | sets))
    ranks = ranks_of(conflict)
    cards = ALL_RANKS(ranks) & hand
    if ranks & (ranks - 1) == 0 and popcount(cards) == 3:
        # Most conflicts are of one rank held three times: the set, or the runs.
        others = sets ^ cards
        with_set = pips_of(hand & ~(sets | run_cover(hand & ~sets)))
        without = pips_of(hand & ~(others | run_cover(hand & ~others)))
        return with_set if with_set < without else without
    if conflict & (conflict - 1) == 0:
        # Of four cards one is covered: it costs nothing in the run, nor do the three.
        return pips_of(hand & ~(covered | sets))
    best.deadwood = 1000
    search_sets(hand, 0, sets & ~cards, 0, ranks, &best)
    return best.deadwood


# ---------------------------------------------------------------- best discard

cdef inline bint keep_discard(mask_t loose, mask_t forbidden, discard_t* best) noexcept nogil:
    """Fold one leaf's loose cards into `best`; False if the leaf has no card to throw.

    The best discard is a dearest loose card of a leaf of least deadwood. Only where a leaf leaves
    nothing that may be thrown does a melded card come into question: a plain scan then.
    """
    cdef int pips, deadwood
    cdef mask_t cards
    if not loose:
        best.all_melded = True
    cards = loose & ~forbidden
    if not cards:
        return False
    cards = dearest_of(cards, &pips)
    deadwood = pips_of(loose) - pips
    if deadwood < best.deadwood:
        best.deadwood = deadwood
        best.pips = pips
        best.dearest = cards
        best.best = cards
    elif deadwood == best.deadwood:
        best.best |= cards
        if pips > best.pips:
            best.pips = pips
            best.dearest = cards
        elif pips == best.pips:
            best.dearest |= cards
    return True


cdef inline void find_discard(mask_t hand, mask_t forbidden, discard_t* best) noexcept nogil:
    """The discards that leave least deadwood, `forbidden` cards left out.

    At least one card of the hand must be allowed. `lowest(best.dearest)` is the discard of
    highest pips and lowest number among them.
    """
    cdef mask_t covered = run_cover(hand)
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    cdef mask_t conflict = covered & sets
    best.deadwood = 1000
    best.pips = 0
    best.dearest = 0
    best.best = 0
    best.all_melded = False
    if not conflict:
        best.plain = True
        best.loose = hand & ~(covered | sets)
        if unlikely(not keep_discard(best.loose, forbidden, best)):
            scan_discards(hand, forbidden, best)
    else:
        best.plain = False
        conflict = ranks_of(conflict)
        search_discards(hand, forbidden, sets & ~ALL_RANKS(conflict), 0, conflict, best)


cdef inline discard_t best_discard_of(mask_t hand, mask_t forbidden) noexcept nogil:
    """As `find_discard`."""
    cdef discard_t best
    find_discard(hand, forbidden, &best)
    return best


# ---------------------------------------------------------------- a hand and one card more

cdef void study_mixed(mask_t hand, held_t* held) noexcept nogil
cdef void join_mixed(const held_t* held, int card, mask_t forbidden,
                     discard_t* best) noexcept nogil


cdef inline bint joins(mask_t hand, int card) noexcept nogil:
    """Whether a card would be in some meld of the hand with it."""
    cdef mask_t near = ((hand & WINDOWS[card]) << 2) >> card
    return (MAKES_RUN >> near) & 1 or popcount(hand & MATES[card]) >= 2


cdef inline void forget(held_t* held) noexcept nogil:
    held.known = HELD_UNKNOWN
    held.deadwood = -1


cdef inline void study(mask_t hand, held_t* held) noexcept nogil:
    """Find out about a hand of which nothing is known, but perhaps its deadwood."""
    cdef mask_t covered = run_cover(hand)
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    if covered & sets:
        study_mixed(hand, held)
        return
    held.known = HELD_PLAIN
    held.loose = hand & ~(covered | sets)
    if held.deadwood < 0:
        held.deadwood = pips_of(held.loose)


# A card that does not join a hand is in no meld of hand and card, nor of any part of them. So
# throwing card x of the hand leaves what it left before and the pips of the new card, and throwing
# the new card leaves the deadwood of the hand. This is all that the next two functions use.

cdef inline bint lowers(const held_t* held, int card) noexcept nogil:
    """Whether a card that does not join the hand, taken for another, leaves less deadwood.

    The hand must have been studied.
    """
    if held.known == HELD_PLAIN:
        # The dearest of the loose cards goes.
        return (held.loose & DEARER[card]) != 0
    return held.spare.deadwood + PIPS[card] < held.deadwood


cdef inline void join_discard(mask_t hand, const held_t* held, int card, mask_t forbidden,
                              discard_t* best) noexcept nogil:
    """The best discards of a hand and one card more, as `find_discard` finds them.

    `forbidden` is the card, or nothing.
    """
    cdef mask_t added = <mask_t>1 << card
    cdef mask_t cards
    cdef int pips
    if held.known == HELD_UNKNOWN or joins(hand, card):
        find_discard(hand | added, forbidden, best)
        return
    best.all_melded = False
    if held.known == HELD_PLAIN:
        best.plain = True
        best.loose = held.loose | added
        cards = best.loose & ~forbidden
        if unlikely(not cards):
            scan_discards(hand | added, forbidden, best)
            return
        best.dearest = dearest_of(cards, &pips)
        best.best = best.dearest
        best.pips = pips
        best.deadwood = held.deadwood + PIPS[card] - pips
        return
    join_mixed(held, card, forbidden, best)


cdef inline void note_discard(held_t* held, const discard_t* best, mask_t thrown,
                              bint as_drawn) noexcept nogil:
    """What is known of a hand after it threw a card of which `best` are the best discards.

    `as_drawn`: the card thrown is the one that was added, so that the hand is as before.
    """
    if best.plain and best.loose & thrown:
        held.known = HELD_PLAIN
        held.loose = best.loose ^ thrown
        held.deadwood = best.deadwood if best.best & thrown else pips_of(held.loose)
    elif not as_drawn or held.known == HELD_UNKNOWN:
        held.known = HELD_UNKNOWN
        held.deadwood = best.deadwood if best.best & thrown else -1


cdef inline int deadwood_held(mask_t hand, const held_t* held) noexcept nogil:
    """The deadwood of a hand, if need be computed."""
    return held.deadwood if held.deadwood >= 0 else deadwood_of(hand)


# ---------------------------------------------------------------- layoffs

cdef inline mask_t fitting(melds_t melds, mask_t cards) noexcept nogil:
    """Those of `cards` that continue a run at an end or complete a three-card set."""
    return cards & (((melds.runs << 1) & NOT_ACE) | ((melds.runs >> 1) & NOT_KING)
                    | melds.missing)


cdef inline void lay(melds_t* melds, mask_t card) noexcept nogil:
    """Lay one fitting card: on the run if it fits one, else on the set.

    On a set first it could break the chain of a run (docs/engine.md).
    """
    if (((melds.runs << 1) & NOT_ACE) | ((melds.runs >> 1) & NOT_KING)) & card:
        melds.runs |= card
    else:
        melds.missing &= ~card


cdef inline melds_t melds_of(const spread_t* spread) noexcept nogil:
    cdef melds_t melds
    melds.runs = spread.runs
    # Nothing is missing from a set of four.
    melds.missing = ALL_RANKS(ranks_of(spread.sets)) & ~spread.sets
    return melds


# ---------------------------------------------------------------- arrangements

cdef void start_walk(mask_t hand, walk_t* walk) noexcept nogil
cdef bint next_arrangement(walk_t* walk) noexcept nogil
cdef void add_meld(spread_t* spread, mask_t meld) noexcept nogil
cdef void spread_walk(const walk_t* walk, spread_t* spread) noexcept nogil
cdef bint has_one_arrangement(mask_t hand) noexcept nogil
cdef void spell_out(spread_t* spread) noexcept nogil
cdef void search_spreads(mask_t hand, mask_t sets, mask_t conflict, spread_t* best) noexcept nogil


cdef inline void spread_plain(mask_t hand, mask_t sets, mask_t covered,
                              spread_t* spread) noexcept nogil:
    """Spread whole sets of the ranks of `sets`, and each block of `covered` as one run."""
    spread.runs = covered
    spread.sets = sets
    spread.unmelded = hand & ~(covered | sets)
    spread.deadwood = pips_of(spread.unmelded)


cdef inline void spread_fewest_sets(mask_t hand, spread_t* spread) noexcept nogil:
    """Least deadwood, then fewest sets, then fewest melds, then the first in canonical order.

    The melds are not spelt out; `spell_out` does it.
    """
    cdef mask_t covered = run_cover(hand)
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    cdef mask_t conflict = covered & sets
    if not conflict:
        spread_plain(hand, sets, covered, spread)
        return
    conflict = ranks_of(conflict)
    spread.deadwood = 1000
    search_spreads(hand, sets & ~ALL_RANKS(conflict), conflict, spread)


cdef int count_within(walk_t* walk, int most) noexcept nogil
cdef void spread_nth(walk_t* walk, int most, int n, spread_t* spread) noexcept nogil
cdef mask_t lay_greedily(melds_t melds, mask_t unmelded) noexcept nogil
cdef mask_t lay_in_order(melds_t melds, mask_t unmelded) noexcept nogil
cdef void lay_best(mask_t hand, melds_t melds, layoff_t* result) noexcept nogil
