# cython: language_level=3
"""The exact solvers: least deadwood, best discards, layoffs, arrangements, counts.

The kernels themselves are inline in `_core.pxd`. This module holds their rare branches and the
functions that Python sees; those take and return masks and `uint64` arrays, and check sizes only.
"""

cdef extern from *:
    """
    #if defined(__POPCNT__) && defined(__x86_64__) && defined(__GNUC__)
    static int ginsim_cpu_is_able(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("popcnt") != 0;
    }
    #else
    static int ginsim_cpu_is_able(void) { return 1; }
    #endif
    #if defined(__clang__)
    #define GINSIM_COMPILER __VERSION__
    #elif defined(__GNUC__)
    #define GINSIM_COMPILER "GCC " __VERSION__
    #else
    #define GINSIM_COMPILER "unknown"
    #endif
    """
    bint cpu_is_able "ginsim_cpu_is_able"() nogil
    const char* COMPILER_VERSION "GINSIM_COMPILER"

if not cpu_is_able():
    raise ImportError(
        "ginsim is built for x86-64 processors with the POPCNT instruction (2008 and later), "
        "which this processor lacks; build from source without -mpopcnt in setup.py"
    )

import numpy as np

COMPILER = (<bytes>COMPILER_VERSION).decode("ascii", "replace")

cdef int ANY_DEADWOOD = 1000


# ---------------------------------------------------------------- searches over sets in conflict

cdef void search_sets(mask_t hand, mask_t runs, mask_t used, mask_t free, mask_t conflict,
                      leaf_t* best) noexcept nogil:
    """Try every way to settle the ranks in `conflict` and keep the leaf of least deadwood.

    A rank held three times is a set or is left to the runs. Of a rank held four times, leaving
    one covered card to the runs costs nothing: it rejoins the set if no run wants it. Leaving all
    four to the runs can only pay if two of them are covered.
    """
    cdef mask_t cards, covered, card
    if not conflict:
        keep_leaf(hand, runs, used, free, best)
        return
    cards = hand & ALL_RANKS(conflict & -conflict)
    conflict &= conflict - 1
    # Sets taken at earlier ranks may have broken the runs that were in conflict here.
    covered = cards & run_cover((hand & ~used) | runs)
    if not covered:
        search_sets(hand, runs, used | cards, free, conflict, best)
        return
    if popcount(cards) == 3:
        search_sets(hand, runs, used | cards, free, conflict, best)
        search_sets(hand, runs, used, free, conflict, best)
        return
    if covered & (covered - 1):
        search_sets(hand, runs, used, free, conflict, best)
    while covered:
        card = covered & -covered
        covered ^= card
        search_sets(hand, runs, used | (cards ^ card), free | card, conflict, best)


cdef bint discard_leaves(mask_t hand, mask_t forbidden, mask_t used, mask_t free,
                         mask_t conflict, discard_t* best) noexcept nogil:
    """As search_sets, folding each leaf into `best`; False if some leaf had no card to throw."""
    cdef mask_t cards, covered, card
    cdef bint whole
    if not conflict:
        return keep_discard(hand & ~(used | free | run_cover(hand & ~used)), forbidden, best)
    cards = hand & ALL_RANKS(conflict & -conflict)
    conflict &= conflict - 1
    covered = cards & run_cover(hand & ~used)
    if not covered:
        return discard_leaves(hand, forbidden, used | cards, free, conflict, best)
    if popcount(cards) == 3:
        whole = discard_leaves(hand, forbidden, used | cards, free, conflict, best)
        return discard_leaves(hand, forbidden, used, free, conflict, best) and whole
    whole = True
    if covered & (covered - 1):
        whole = discard_leaves(hand, forbidden, used, free, conflict, best)
    while covered:
        card = covered & -covered
        covered ^= card
        whole = discard_leaves(hand, forbidden, used | (cards ^ card), free | card, conflict,
                               best) and whole
    return whole


cdef void search_discards(mask_t hand, mask_t forbidden, mask_t used, mask_t free,
                          mask_t conflict, discard_t* best) noexcept nogil:
    """The best discards of a hand with ranks in conflict.

    Most conflicts are of one rank: those are settled here without a search.
    """
    cdef mask_t cards = hand & ALL_RANKS(conflict & -conflict)
    cdef mask_t covered, with_set, without, throw_with, throw_without
    cdef int pips_with, pips_without, left_with, left_without
    if conflict & (conflict - 1):
        pass
    elif popcount(cards) == 3:
        # What is loose if the three are a set, and if they are left to the runs.
        with_set = hand & ~(used | cards | run_cover(hand & ~(used | cards)))
        without = hand & ~(used | run_cover(hand & ~used))
        throw_with = with_set & ~forbidden
        throw_without = without & ~forbidden
        if throw_with and throw_without:
            throw_with = dearest_of(throw_with, &pips_with)
            throw_without = dearest_of(throw_without, &pips_without)
            left_with = pips_of(with_set) - pips_with
            left_without = pips_of(without) - pips_without
            if left_with != left_without:
                best.deadwood = left_with if left_with < left_without else left_without
                best.pips = pips_with if left_with < left_without else pips_without
                best.dearest = throw_with if left_with < left_without else throw_without
                best.best = best.dearest
            else:
                best.deadwood = left_with
                best.pips = pips_with if pips_with > pips_without else pips_without
                best.best = throw_with | throw_without
                best.dearest = ((throw_with if pips_with >= pips_without else 0)
                                | (throw_without if pips_without >= pips_with else 0))
            return
    else:
        covered = run_cover(hand)
        if not covered & cards & ((covered & cards) - 1):
            # Of four cards one is covered: it costs nothing in the run, nor do the three.
            if unlikely(not keep_discard(hand & ~(covered | used | cards), forbidden, best)):
                scan_discards(hand, forbidden, best)
            return
    if unlikely(not discard_leaves(hand, forbidden, used, free, conflict, best)):
        scan_discards(hand, forbidden, best)


cdef void scan_discards(mask_t hand, mask_t forbidden, discard_t* best) noexcept nogil:
    """Best discards by trying each card; `best.all_melded` is left as it is."""
    cdef mask_t rest = hand & ~forbidden, card
    cdef int deadwood, pips
    best.deadwood = ANY_DEADWOOD
    best.pips = 0
    best.dearest = 0
    best.best = 0
    while rest:
        card = rest & -rest
        rest ^= card
        deadwood = deadwood_of(hand ^ card)
        if deadwood > best.deadwood:
            continue
        pips = pips_of(card)
        if deadwood < best.deadwood:
            best.deadwood = deadwood
            best.best = 0
            best.pips = 0
        best.best |= card
        if pips > best.pips:
            best.pips = pips
            best.dearest = card
        elif pips == best.pips:
            best.dearest |= card


cdef inline void fill_discards(mask_t hand, unsigned char* deadwoods) noexcept nogil:
    """Least deadwood after each discard of a hand of 0-11 cards, ascending by card."""
    cdef mask_t rest, card
    cdef mask_t melds = run_cover(hand) | (ALL_RANKS(set_ranks(hand)) & hand)
    cdef int deadwood = deadwood_of(hand)
    # A card that no meld can hold is deadwood in every arrangement.
    rest = hand & ~melds
    while rest:
        card = rest & -rest
        rest ^= card
        deadwoods[popcount(hand & (card - 1))] = deadwood - PIPS[lowest(card)]
    rest = melds
    while rest:
        card = rest & -rest
        rest ^= card
        deadwoods[popcount(hand & (card - 1))] = deadwood_of(hand ^ card)


cdef void study_mixed(mask_t hand, held_t* held) noexcept nogil:
    """As `study`, where sets and runs compete for a card."""
    held.known = HELD_MIXED
    if held.deadwood < 0:
        held.deadwood = deadwood_of(hand)
    find_discard(hand, 0, &held.spare)


cdef void join_mixed(const held_t* held, int card, mask_t forbidden,
                     discard_t* best) noexcept nogil:
    """As `join_discard`, where sets and runs of the hand compete and the card joins none."""
    cdef mask_t added = <mask_t>1 << card
    cdef int kept = held.spare.deadwood + PIPS[card]
    best.plain = False
    best.all_melded = False
    if forbidden or kept < held.deadwood:
        best.deadwood = kept
        best.pips = held.spare.pips
        best.dearest = held.spare.dearest
        best.best = held.spare.best
        return
    best.deadwood = held.deadwood
    best.pips = PIPS[card]
    best.dearest = added
    best.best = added
    if kept == held.deadwood:
        best.best |= held.spare.best
        if held.spare.pips >= best.pips:
            best.dearest = held.spare.dearest | (added if held.spare.pips == best.pips else 0)
            best.pips = held.spare.pips


# ---------------------------------------------------------------- arrangements

cdef void start_walk(mask_t hand, walk_t* walk) noexcept nogil:
    """List the melds within a hand, ascending by mask, and stand before the first arrangement."""
    cdef mask_t cards, meld, card, blocks
    cdef int n = 0, i
    blocks = run_cover(hand)
    cards = blocks & STARTS
    while cards:
        card = cards & -cards
        cards ^= card
        meld = card | (card << 1) | (card << 2)
        while (meld & ~hand) == 0:
            walk.melds[n] = meld
            n += 1
            # The next card upwards, unless the king was the last.
            card = (meld + (meld & -meld)) & NOT_ACE
            if not card:
                break
            meld |= card
    cards = set_ranks(hand)
    while cards:
        meld = ALL_RANKS(cards & -cards) & hand
        cards &= cards - 1
        walk.melds[n] = meld
        n += 1
        if popcount(meld) == 4:
            blocks = meld
            while blocks:
                card = blocks & -blocks
                blocks ^= card
                walk.melds[n] = meld ^ card
                n += 1
    for i in range(1, n):
        meld = walk.melds[i]
        while i > 0 and walk.melds[i - 1] > meld:
            walk.melds[i] = walk.melds[i - 1]
            i -= 1
        walk.melds[i] = meld
    for i in range(n):
        walk.pips[i] = pips_of(walk.melds[i])
    walk.num_listed = n
    walk.depth = -1
    walk.used = 0
    walk.hand = hand
    walk.deadwood = pips_of(hand)


cdef bint next_arrangement(walk_t* walk) noexcept nogil:
    """Step to the next arrangement in canonical order; False after the last.

    The order is that of sorted lists of melds, a prefix first, so the empty one leads.
    """
    cdef int i
    if walk.depth < 0:
        walk.depth = 0
        return True
    i = walk.index[walk.depth - 1] + 1 if walk.depth else 0
    while True:
        if walk.depth < MAX_MELDS:
            while i < walk.num_listed and walk.melds[i] & walk.used:
                i += 1
            if i < walk.num_listed:
                walk.index[walk.depth] = i
                walk.depth += 1
                walk.used |= walk.melds[i]
                walk.deadwood -= walk.pips[i]
                return True
        if walk.depth == 0:
            return False
        walk.depth -= 1
        i = walk.index[walk.depth]
        walk.used &= ~walk.melds[i]
        walk.deadwood += walk.pips[i]
        i += 1


cdef void add_meld(spread_t* spread, mask_t meld) noexcept nogil:
    """Add a meld of higher mask than those already there."""
    if is_set(meld):
        spread.sets |= meld
    else:
        spread.runs |= meld
    spread.melds[spread.num_melds] = meld
    spread.num_melds += 1


cdef void spread_walk(const walk_t* walk, spread_t* spread) noexcept nogil:
    """The arrangement at which a walk stands."""
    cdef int i
    spread.runs = 0
    spread.sets = 0
    spread.num_melds = 0
    for i in range(walk.depth):
        add_meld(spread, walk.melds[walk.index[i]])
    spread.unmelded = walk.hand & ~walk.used
    spread.deadwood = walk.deadwood


cdef bint has_one_arrangement(mask_t hand) noexcept nogil:
    """Whether it is plain that one arrangement alone has least deadwood."""
    cdef mask_t covered = run_cover(hand)
    cdef mask_t sixes
    if covered & ALL_RANKS(set_ranks(hand)):
        return False
    # A run of six can also be laid as two runs of three. J Q K of one suit and A 2 3 of the next
    # are six neighbouring bits too: taken for six cards they only cost the quick answer.
    sixes = covered & (covered >> 1)
    sixes &= sixes >> 2
    return (sixes & (covered >> 4) & (covered >> 5)) == 0


cdef void spell_out(spread_t* spread) noexcept nogil:
    """List the melds: each block in runs as one run, each rank in sets as one set."""
    cdef mask_t covered = spread.runs
    cdef mask_t ranks = ranks_of(spread.sets)
    cdef mask_t meld, first, suit
    cdef int n = 0, i
    while covered:
        first = covered & -covered
        # The cards up to the king of the suit; adding the first carries through the block.
        suit = KINGS & -first
        suit ^= suit - 1
        meld = covered & suit
        meld &= ~(meld + first)
        covered ^= meld
        spread.melds[n] = meld
        n += 1
    while ranks:
        meld = ALL_RANKS(ranks & -ranks) & spread.sets
        ranks &= ranks - 1
        i = n
        while i > 0 and spread.melds[i - 1] > meld:
            spread.melds[i] = spread.melds[i - 1]
            i -= 1
        spread.melds[i] = meld
        n += 1
    spread.num_melds = n


cdef bint comes_before(spread_t* a, spread_t* b) noexcept nogil:
    """Whether one of two arrangements has fewer sets, then melds, or is first in canonical order."""
    cdef int sets_a = popcount(ranks_of(a.sets)), sets_b = popcount(ranks_of(b.sets)), i
    if sets_a != sets_b:
        return sets_a < sets_b
    spell_out(a)
    spell_out(b)
    if a.num_melds != b.num_melds:
        return a.num_melds < b.num_melds
    for i in range(a.num_melds):
        if a.melds[i] != b.melds[i]:
            return a.melds[i] < b.melds[i]
    return False


cdef void search_spreads(mask_t hand, mask_t sets, mask_t conflict, spread_t* best) noexcept nogil:
    """Try every set of the ranks in `conflict`, and none, beside those already in `sets`.

    The best arrangement is among these: with its sets out of the hand it lays all that can stand in
    runs, and each block as one. A set that no run competes with is whole.
    """
    cdef mask_t cards, covered, card
    cdef spread_t spread
    if not conflict:
        covered = run_cover(hand & ~sets)
        if pips_of(hand & ~(sets | covered)) <= best.deadwood:
            spread_plain(hand, sets, covered, &spread)
            if spread.deadwood < best.deadwood or comes_before(&spread, best):
                best[0] = spread
        return
    cards = hand & ALL_RANKS(conflict & -conflict)
    conflict &= conflict - 1
    covered = cards & run_cover(hand & ~sets)
    if covered:
        search_spreads(hand, sets, conflict, best)
        if popcount(cards) == 4:
            while covered:
                card = covered & -covered
                covered ^= card
                search_spreads(hand, sets | (cards ^ card), conflict, best)
    search_spreads(hand, sets | cards, conflict, best)


cdef int count_within(walk_t* walk, int most) noexcept nogil:
    """How many arrangements of a walk not yet begun leave at most `most` deadwood."""
    cdef int count = 0
    while next_arrangement(walk):
        if walk.deadwood <= most:
            count += 1
    # A finished walk stands where it began.
    walk.depth = -1
    return count


cdef void spread_nth(walk_t* walk, int most, int n, spread_t* spread) noexcept nogil:
    """The n-th (from 0) arrangement in canonical order with at most `most` deadwood."""
    while next_arrangement(walk):
        if walk.deadwood <= most:
            if n == 0:
                spread_walk(walk, spread)
                return
            n -= 1


# ---------------------------------------------------------------- layoffs

cdef mask_t lay_greedily(melds_t melds, mask_t unmelded) noexcept nogil:
    """The cards laid when always the dearest that fits goes first, ties to the lowest card."""
    cdef mask_t laid = 0, fits, card
    cdef int pips
    while True:
        fits = fitting(melds, unmelded & ~laid)
        if not fits:
            return laid
        card = dearest_of(fits, &pips)
        card &= -card
        lay(&melds, card)
        laid |= card


cdef mask_t lay_in_order(melds_t melds, mask_t unmelded) noexcept nogil:
    """The cards laid when always the first that fits goes: clubs, hearts, spades, diamonds."""
    cdef mask_t laid = 0, fits, card
    while True:
        fits = fitting(melds, unmelded & ~laid)
        if not fits:
            return laid
        card = fits & RANKS
        if not card:
            card = fits >> 26 << 26
        if not card:
            card = fits
        card &= -card
        lay(&melds, card)
        laid |= card


cdef void lay_best(mask_t hand, melds_t melds, layoff_t* result) noexcept nogil:
    """A defender's melds and layoffs of least deadwood together, spelt out."""
    cdef mask_t sets = ALL_RANKS(set_ranks(hand)) & hand
    cdef mask_t conflict = ranks_of(run_cover(hand | melds.runs) & sets)
    cdef mask_t covered, pool, meld, card
    cdef leaf_t leaf
    cdef int n = 0, i
    leaf.deadwood = ANY_DEADWOOD
    search_sets(hand, melds.runs, sets & ~ALL_RANKS(conflict), melds.missing, conflict, &leaf)
    pool = hand & ~leaf.used
    covered = run_cover(pool | melds.runs) & pool
    # A fourth card of an own set that no run took goes back to its set.
    leaf.used |= leaf.free & hand & ~melds.missing & ~covered
    result.laid = leaf.free & melds.missing & hand & ~covered
    while leaf.used:
        meld = leaf.used & ALL_RANKS(ranks_of(leaf.used & -leaf.used))
        leaf.used &= ~meld
        result.own.melds[n] = meld
        n += 1
    while covered:
        card = covered & -covered
        meld = 0
        while card & covered:
            meld |= card
            card = (card << 1) & NOT_ACE
        covered ^= meld
        # Three or more cards of his own are a run of his own; fewer hang on the knocker's.
        if popcount(meld) >= 3:
            result.own.melds[n] = meld
            n += 1
        else:
            result.laid |= meld
    for i in range(1, n):
        meld = result.own.melds[i]
        while i > 0 and result.own.melds[i - 1] > meld:
            result.own.melds[i] = result.own.melds[i - 1]
            i -= 1
        result.own.melds[i] = meld
    result.own.num_melds = n
    result.own.unmelded = hand & ~result.laid
    for i in range(n):
        result.own.unmelded &= ~result.own.melds[i]
    result.own.deadwood = leaf.deadwood
    result.deadwood = leaf.deadwood


# ---------------------------------------------------------------- one hand, from Python

cdef mask_t _checked(object cards, int most) except? 0:
    cdef mask_t mask = cards
    if mask & ~DECK:
        raise ValueError(f"a mask of cards has bits 0 to 51 only, got {cards:#x}")
    if popcount(mask) > most:
        raise ValueError(f"a hand has at most {most} cards here, got {popcount(mask)}")
    return mask


cdef spread_t _given(object melds) except *:
    cdef spread_t spread
    cdef mask_t seen = 0, meld
    spread.runs = 0
    spread.sets = 0
    spread.num_melds = 0
    for item in melds:
        meld = _checked(item, 52)
        if not is_meld(item):
            raise ValueError(f"not a meld: {item:#x}")
        if meld & seen:
            raise ValueError(f"melds share cards: {meld & seen:#x}")
        if spread.num_melds == MAX_MELDS:
            raise ValueError(f"a hand has at most {MAX_MELDS} melds")
        seen |= meld
        add_meld(&spread, meld)
    spread.unmelded = 0
    spread.deadwood = 0
    return spread


cdef tuple _masks(const spread_t* spread):
    return tuple([spread.melds[i] for i in range(spread.num_melds)])


def pips(cards):
    """Sum of the pips of a mask of cards."""
    return pips_of(_checked(cards, 52))


def is_meld(cards):
    """Whether a mask of cards is one meld: a set of 3-4, or a run of 3 or more."""
    cdef mask_t mask = _checked(cards, 52)
    cdef mask_t above
    cdef int suit
    if popcount(mask) < 3:
        return False
    if is_set(mask):
        return True
    for suit in range(4):
        if mask & ~(RANKS << (13 * suit)) == 0:
            above = (mask >> (13 * suit)) + (mask >> (13 * suit) & -(mask >> (13 * suit)))
            return above & (above - 1) == 0
    return False


def all_melds(int longest=13):
    """Every meld of at most `longest` cards, ascending: 185 up to five cards, 329 in all."""
    melds = []
    for first in range(52):
        for length in range(3, min(longest, 13 - first % 13) + 1):
            melds.append(((1 << length) - 1) << first)
    for rank in range(13):
        quad = <object>ALL_RANKS(<mask_t>1 << <int>rank)
        melds += [quad ^ (1 << (13 * suit + rank)) for suit in range(4)]
        if longest >= 4:
            melds.append(quad)
    return sorted(melds)


def deadwood(cards):
    """Exact least deadwood of a mask of 0-11 cards."""
    return deadwood_of(_checked(cards, MAX_CARDS))


def best_discard(cards, forbidden=0):
    """(least deadwood, mask of all discards that leave it, the one of highest pips, big gin).

    Ties of pips go to the lowest card. `forbidden` cards may not be thrown; at least one card
    must remain. The last item tells whether all cards can be melded without a discard.
    """
    cdef mask_t hand = _checked(cards, MAX_CARDS)
    cdef mask_t barred = _checked(forbidden, 52)
    cdef discard_t best
    if not hand & ~barred:
        raise ValueError("no card of the hand may be thrown")
    best = best_discard_of(hand, barred)
    return best.deadwood, best.best, lowest(best.dearest), best.all_melded


def follow_hand(cards, turns):
    """What the shortcuts for a hand and one card more tell, turn by turn.

    A turn is (card drawn, whether it is barred from being thrown, card thrown). For each the list
    has whether the card would lower the deadwood by being taken and barred (None if the card joins a
    meld, where the shortcuts do not say), then least deadwood, all best discards, those of highest
    pips, these pips, and whether all cards can be melded.
    """
    cdef mask_t hand = _checked(cards, MAX_CARDS - 1)
    cdef mask_t added
    cdef held_t held
    cdef discard_t best
    cdef int card, thrown
    found = []
    forget(&held)
    for card, barred, thrown in turns:
        added = <mask_t>1 << card
        if held.known == HELD_UNKNOWN and not barred:
            study(hand, &held)
        takes = None
        if held.known != HELD_UNKNOWN and not joins(hand, card):
            takes = bool(lowers(&held, card))
        join_discard(hand, &held, card, added if barred else 0, &best)
        found.append((takes, best.deadwood, best.best, best.dearest, best.pips,
                      bool(best.all_melded)))
        hand |= added
        hand ^= <mask_t>1 << thrown
        note_discard(&held, &best, <mask_t>1 << thrown, card == thrown)
        if held.deadwood >= 0 and held.deadwood != deadwood_of(hand):
            raise AssertionError(f"noted {held.deadwood} deadwood for {hand:#x}")
    return found


def discard_deadwoods(cards):
    """{card: least deadwood after throwing it} for a mask of 1-11 cards, ascending."""
    cdef mask_t hand = _checked(cards, MAX_CARDS)
    cdef unsigned char values[MAX_CARDS]
    cdef int n = 0
    fill_discards(hand, values)
    result = {}
    while hand:
        result[lowest(hand)] = values[n]
        hand &= hand - 1
        n += 1
    return result


def arrangements(cards, most=None):
    """Arrangements in canonical order, each a tuple of meld masks, ascending.

    Those of least deadwood, or with `most` all that leave at most that deadwood.
    """
    cdef mask_t hand = _checked(cards, MAX_CARDS)
    cdef int bound = deadwood_of(hand) if most is None else most
    cdef walk_t walk
    found = []
    start_walk(hand, &walk)
    while next_arrangement(&walk):
        if walk.deadwood <= bound:
            found.append(tuple([walk.melds[walk.index[i]] for i in range(walk.depth)]))
    return found


def fewest_sets(cards):
    """The arrangement of least deadwood with fewest sets, then melds, then first in order."""
    cdef spread_t spread
    spread_fewest_sets(_checked(cards, MAX_CARDS), &spread)
    spell_out(&spread)
    return _masks(&spread)


def layoff(melds, cards, method="optimal"):
    """(deadwood, own melds, laid off, unmelded) of a defender against given melds, as masks.

    `optimal` chooses own melds and layoffs together; `greedy` and `in_order` keep the arrangement
    of `fewest_sets` and lay off by the loop of that name; `none` lays nothing off.
    """
    cdef mask_t hand = _checked(cards, MAX_CARDS)
    cdef spread_t spread = _given(melds)
    cdef melds_t open_melds = melds_of(&spread)
    cdef layoff_t result
    cdef int i
    for i in range(spread.num_melds):
        if spread.melds[i] & hand:
            raise ValueError(f"both hands hold {spread.melds[i] & hand:#x}")
    if method == "optimal":
        lay_best(hand, open_melds, &result)
    elif method in ("greedy", "in_order", "none"):
        spread_fewest_sets(hand, &result.own)
        spell_out(&result.own)
        result.laid = 0
        if method == "greedy":
            result.laid = lay_greedily(open_melds, result.own.unmelded)
        elif method == "in_order":
            result.laid = lay_in_order(open_melds, result.own.unmelded)
        result.own.unmelded &= ~result.laid
        result.deadwood = pips_of(result.own.unmelded)
    else:
        raise ValueError(f"method is optimal, greedy, in_order or none, got {method!r}")
    return result.deadwood, _masks(&result.own), result.laid, result.own.unmelded


def best_spread(knocker, defender, most=None):
    """The knocker's arrangement that wins most against a known defender: analysis only.

    (melds, knocker's deadwood, defender's deadwood after optimal layoffs). Arrangements of least
    deadwood, or with `most` all at or under it. Ties go to the first in canonical order. An
    arrangement without deadwood allows no layoffs.
    """
    cdef mask_t hand = _checked(knocker, MAX_CARDS)
    cdef mask_t other = _checked(defender, MAX_CARDS)
    cdef int bound = deadwood_of(hand) if most is None else most
    cdef walk_t walk
    cdef spread_t spread
    cdef melds_t open_melds
    cdef int rest
    if hand & other:
        raise ValueError(f"both hands hold {hand & other:#x}")
    best = None
    start_walk(hand, &walk)
    while next_arrangement(&walk):
        if walk.deadwood > bound:
            continue
        spread_walk(&walk, &spread)
        open_melds = melds_of(&spread)
        rest = deadwood_of(other)
        if spread.deadwood:
            rest = layoff_of(other, open_melds.runs, open_melds.missing)
        if best is None or rest - spread.deadwood > best[2] - best[1]:
            best = (_masks(&spread), spread.deadwood, rest)
    if best is None:
        raise ValueError(f"no arrangement leaves at most {bound} deadwood")
    return best


# ---------------------------------------------------------------- arrays of hands

def deadwoods(const mask_t[:] hands):
    """Least deadwood of each hand of an array: `uint64` masks of 0-11 cards in, `uint8` out."""
    cdef Py_ssize_t i, n = hands.shape[0]
    result = np.empty(n, np.uint8)
    cdef unsigned char[::1] out = result
    with nogil:
        for i in range(n):
            out[i] = deadwood_of(hands[i])
    return result


def best_discards(const mask_t[:] hands, const mask_t[:] forbidden=None):
    """(least deadwood `uint8`, card `uint8`) of each hand: the discard of `best_discard`.

    `forbidden`, of the same length, has for each hand the cards that may not be thrown.
    """
    cdef Py_ssize_t i, stuck = -1, n = hands.shape[0]
    cdef bint bars = forbidden is not None
    if bars and forbidden.shape[0] != n:
        raise ValueError(
            f"hands and forbidden have one length, got {n} and {forbidden.shape[0]}"
        )
    values = np.empty(n, np.uint8)
    cards = np.empty(n, np.uint8)
    cdef unsigned char[::1] out_values = values
    cdef unsigned char[::1] out_cards = cards
    cdef discard_t best
    with nogil:
        if bars:
            for i in range(n):
                if unlikely(not hands[i] & ~forbidden[i]):
                    stuck = i
                    break
                best = best_discard_of(hands[i], forbidden[i])
                out_values[i] = best.deadwood
                out_cards[i] = lowest(best.dearest)
        else:
            for i in range(n):
                if unlikely(not hands[i]):
                    stuck = i
                    break
                best = best_discard_of(hands[i], 0)
                out_values[i] = best.deadwood
                out_cards[i] = lowest(best.dearest)
    if stuck >= 0:
        raise ValueError(f"hand {stuck} has no card to throw")
    return values, cards


def each_discard(const mask_t[:] hands):
    """Deadwood after each discard: shape (n, 11) `uint8`, cards ascending, 255 past the last."""
    cdef Py_ssize_t i, n = hands.shape[0]
    cdef Py_ssize_t large = -1
    result = np.full((n, MAX_CARDS), 255, np.uint8)
    cdef unsigned char[:, ::1] out = result
    with nogil:
        for i in range(n):
            if unlikely(popcount(hands[i]) > MAX_CARDS):
                large = i
                break
            fill_discards(hands[i], &out[i, 0])
    if large >= 0:
        raise ValueError(f"hand {large} has more than {MAX_CARDS} cards")
    return result


def layoffs(const mask_t[:] runs, const mask_t[:] missing, const mask_t[:] defenders):
    """Least deadwood after layoffs of each defender: `uint64` arrays in, `uint8` out.

    `runs` are the cards of the knocker's runs, `missing` the fourth cards of his three-card sets
    (see `open_melds`). The three arrays have one length.
    """
    cdef Py_ssize_t i, n = defenders.shape[0]
    if runs.shape[0] != n or missing.shape[0] != n:
        raise ValueError(
            f"runs, missing and defenders have one length, got {runs.shape[0]}, "
            f"{missing.shape[0]} and {n}"
        )
    result = np.empty(n, np.uint8)
    cdef unsigned char[::1] out = result
    with nogil:
        for i in range(n):
            out[i] = layoff_of(defenders[i], runs[i], missing[i])
    return result


def open_melds(melds):
    """(cards in runs, fourth cards of three-card sets) of a tuple of meld masks."""
    cdef spread_t spread = _given(melds)
    cdef melds_t result = melds_of(&spread)
    return result.runs, result.missing
