# cython: language_level=3
"""The decisions that are made once a hand or that search; the others are in `_strategy.pxd`."""

import numpy as np

from ginsim._core cimport (
    ALL_RANKS, DECK, HELD_PLAIN, NOT_ACE, NOT_KING, PIPS, count_within, deadwood_of, dearest_of,
    fitting, has_one_arrangement, lay, lay_best, lay_greedily, lay_in_order, layoff_of, melds_of,
    next_arrangement, pips_of, ranks_of, run_cover, set_ranks, spell_out, spread_fewest_sets,
    spread_nth, spread_walk, start_walk, walk_t,
)
from ginsim._weighing cimport (
    TABLES, count_known, count_pairs, count_runs, count_unseen, find_loose, look, place_t,
    ranks_held_twice, sight_t, tables_t, unseen_mates,
)

cdef strategy_t _model
STRATEGY_DTYPE = np.asarray(<strategy_t[:1]>&_model).dtype

cdef int ANY_DEADWOOD = 1000


# ---------------------------------------------------------------- parameters by turn

cdef inline int row_of(const view_t* view) noexcept nogil:
    """Where parameters by turn have the value of the turn played."""
    return (view.turn if view.turn < NUM_BY_TURN else NUM_BY_TURN) - 1


cdef bint knocks_by_table(const strategy_t* strategy, const view_t* view,
                          int deadwood) noexcept nogil:
    cdef const table_t* table = view.table
    cdef int threshold, pick_ups
    if deadwood > table.knock_limit:
        return False
    threshold = partner_threshold(strategy, view)
    if threshold != KNOCK_SAME:
        return deadwood <= threshold
    if table.target:
        # What is missing to the target before the hand.
        if table.target - table.scores[view.seat] <= strategy.close_from:
            return deadwood <= strategy.knock_close[row_of(view)]
        if table.target - table.scores[1 - view.seat] <= strategy.guard_from:
            return deadwood <= strategy.knock_guard[row_of(view)]
    pick_ups = table.pile_draws[1 - view.seat]
    if pick_ups >= NUM_PICK_UPS:
        pick_ups = NUM_PICK_UPS - 1
    return strategy.knock_table[table.knock_limit][pick_ups][row_of(view)] >> deadwood & 1


cdef bint _gains(const strategy_t* strategy, const view_t* view, int after) noexcept nogil:
    """Whether the top is worth taking by the rule `gain`, if it makes no meld and leaves `after`."""
    if view.held.deadwood - after >= strategy.take_gain[row_of(view)]:
        return True
    if after > view.table.knock_limit:
        return False
    if strategy.knock == KNOCK_TABLE:
        return knocks_by_table(strategy, view, after)
    return strategy.knock == KNOCK_THRESHOLD and after <= threshold_of(strategy, view)


cdef bint _gains_anew(const strategy_t* strategy, view_t* view, bint joined) noexcept nogil:
    """Whether it is, where the best discards with the top must be searched."""
    cdef mask_t card = <mask_t>1 << view.table.top
    find_discard(view.hand | card, card, &view.best)
    view.peeked = True
    return (joined and view.best.deadwood < view.held.deadwood
            or _gains(strategy, view, view.best.deadwood))


cdef bint decide_other_take(const strategy_t* strategy, int rule, view_t* view) noexcept nogil:
    """The draw rules that are not in `decide_take`."""
    cdef int top = view.table.top
    cdef int after, pips
    if rule != TAKE_GAIN:
        return rule == TAKE_ALWAYS
    if view.held.known == HELD_UNKNOWN:
        study(view.hand, &view.held)
    if joins(view.hand, top):
        return _gains_anew(strategy, view, True)
    if view.held.known == HELD_PLAIN:
        if not view.held.loose:
            return _gains_anew(strategy, view, False)
        # As in `lowers`: the dearest of the loose cards would go for it.
        dearest_of(view.held.loose, &pips)
        after = view.held.deadwood + PIPS[top] - pips
    else:
        after = view.held.spare.deadwood + PIPS[top]
    return _gains(strategy, view, after)


# ---------------------------------------------------------------- discard

cdef mask_t discard_candidates(const strategy_t* strategy, const view_t* view,
                               bint knocking) noexcept nogil:
    """The cards among which a rule that draws lots chooses."""
    cdef mask_t rest, card, cards
    cdef discard_t fewer
    cdef const discard_t* best
    if strategy.discard == DISCARD_UNIFORM:
        best = considered(strategy, view, &fewer)
        # Forced to knock at the wall, the rule against used pairs may have to give way.
        if knocking and best.deadwood > view.table.knock_limit:
            return view.best.best
        return best.best
    cards = view.hand & ~view.barred
    if not knocking:
        return cards
    rest = cards
    while rest:
        card = rest & -rest
        rest ^= card
        if deadwood_of(view.hand ^ card) > view.table.knock_limit:
            cards ^= card
    return cards


cdef inline int heaviest(mask_t cards, const sight_t* sight, const strategy_t* strategy, int row,
                         const unsigned char* saved, bint plain, bint known) noexcept nogil:
    """The card of the greatest worth; of several that of most pips, then the lowest.

    Where `plain`, a card saves its pips. Unless `known`, no card of the opponent is.
    """
    cdef const tables_t* tables = &TABLES
    cdef const place_t* place
    cdef int of_deadwood = strategy.weigh_deadwood[row], of_rank = strategy.weigh_rank[row]
    cdef int of_pairs = strategy.weigh_pairs[row], of_runs = strategy.weigh_runs[row]
    cdef int of_unseen = strategy.weigh_unseen[row], of_known = strategy.weigh_known[row]
    cdef int card, mates, worth, key, most = -(1 << 30)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        place = &tables.places[card]
        mates = unseen_mates(sight, place)
        worth = (of_deadwood * (place.pips if plain else saved[card])
                 - of_pairs * count_pairs(sight, place, mates)
                 - of_runs * count_runs(tables, sight, place, card)
                 - of_unseen * count_unseen(tables, sight, place, card, mates))
        if known:
            worth -= of_known * count_known(tables, sight, place, card, mates)
        if of_rank:
            worth += of_rank * (card % 13 + 1)
        # All that decides in one number: no branch on which is more. Worth is at most 23 times the
        # largest weight, 999, either way.
        key = worth * 1024 + place.pips * 64 - card
        most = key if key > most else most
    return -most & 63


cdef int weighed_discard(const strategy_t* strategy, const view_t* view,
                         bint knocking) noexcept nogil:
    """The loose card that is dearest, least promising and least dangerous, by its weights."""
    cdef const table_t* table = view.table
    cdef int opponent = 1 - view.seat, row = row_of(view)
    cdef bint plain = view.best.plain
    cdef mask_t loose, cards, pairs
    cdef unsigned char saved[52]
    cdef sight_t sight
    if knocking:
        return lowest(view.best.dearest)
    loose = view.best.loose if plain else find_loose(view.hand, saved)
    cards = loose & ~view.barred
    if not cards:
        return lowest(view.best.dearest)
    if view.turn <= strategy.keep_pairs:
        pairs = ALL_RANKS(ranks_held_twice(loose))
        if cards & ~pairs:
            cards &= ~pairs
    if cards & (cards - 1) == 0:
        return lowest(cards)
    look(view.hand, loose, table.pile, table.taken[opponent],
         table.left[opponent] | table.thrown[opponent], &sight)
    # Spelt out, so that each of the four gets a loop of its own, which asks neither.
    if plain:
        if sight.known:
            return heaviest(cards, &sight, strategy, row, saved, True, True)
        return heaviest(cards, &sight, strategy, row, saved, True, False)
    if sight.known:
        return heaviest(cards, &sight, strategy, row, saved, False, True)
    return heaviest(cards, &sight, strategy, row, saved, False, False)


# ---------------------------------------------------------------- spread, layoff

cdef void _spread_expecting(const view_t* view, int most, spread_t* spread) noexcept nogil:
    """The arrangement that costs least in deadwood and in cards expected to be laid off."""
    cdef mask_t known = view.table.taken[1 - view.seat]
    cdef mask_t unseen = DECK & ~(view.hand | view.table.pile | known)
    # The other hand has as many cards as this one after its discard.
    cdef int hidden = popcount(view.hand) - popcount(known)
    cdef int cards = popcount(unseen)
    cdef int cost, least = -1
    cdef spread_t candidate
    cdef melds_t melds
    cdef walk_t walk
    if deadwood_of(view.hand) == 0:
        most = 0
    start_walk(view.hand, &walk)
    while next_arrangement(&walk):
        if walk.deadwood > most:
            continue
        spread_walk(&walk, &candidate)
        melds = melds_of(&candidate)
        cost = (cards * (candidate.deadwood + pips_of(fitting(melds, known)))
                + hidden * pips_of(fitting(melds, unseen)))
        if least < 0 or cost < least:
            least = cost
            spread[0] = candidate


cdef void spread_against(mask_t hand, int most, mask_t defender, bint layoffs,
                         spread_t* spread) noexcept nogil:
    """The arrangement that does best against a hand: what nobody can know at a table."""
    cdef int margin, best = -ANY_DEADWOOD
    cdef spread_t candidate
    cdef melds_t melds
    cdef walk_t walk
    if deadwood_of(hand) == 0:
        most = 0
    start_walk(hand, &walk)
    while next_arrangement(&walk):
        if walk.deadwood > most:
            continue
        spread_walk(&walk, &candidate)
        if layoffs and candidate.deadwood > 0:
            melds = melds_of(&candidate)
            margin = layoff_of(defender, melds.runs, melds.missing) - candidate.deadwood
        else:
            margin = deadwood_of(defender) - candidate.deadwood
        if margin > best:
            best = margin
            spread[0] = candidate


cdef void choose_spread(const strategy_t* strategy, const view_t* view, int most,
                        bint spelt_out, spread_t* spread) noexcept nogil:
    """The arrangement to spread. `most` is the most deadwood that it may leave.

    Its melds are listed only if they are to be `spelt_out`; which cards are in runs and in sets is
    always told. As defender the rules that think of layoffs are as `fewest_sets`.
    """
    cdef walk_t walk
    cdef int choice = 0
    if strategy.spread == SPREAD_EXPECTED and most != ANY_DEADWOOD:
        _spread_expecting(view, most, spread)
        return
    if (strategy.spread == SPREAD_FEWEST_SETS or strategy.spread >= SPREAD_EXPECTED
            or strategy.spread == SPREAD_UNIFORM and has_one_arrangement(view.hand)):
        spread_fewest_sets(view.hand, spread)
        if spelt_out:
            spell_out(spread)
        return
    if strategy.spread != BY_CHANCE:
        most = deadwood_of(view.hand)
    start_walk(view.hand, &walk)
    if strategy.spread != SPREAD_FIRST:
        choice = pick(decision_word(view, DECIDE_SPREAD), count_within(&walk, most))
    spread_nth(&walk, most, choice, spread)


cdef mask_t _lay_by_chance(const view_t* view, melds_t melds, mask_t unmelded) noexcept nogil:
    """Lay fitting cards off one by one, each step uniform over them and to stop."""
    cdef mask_t laid = 0, fits, card
    cdef uint64_t word = decision_word(view, DECIDE_LAYOFF)
    cdef int choice, count
    while True:
        fits = fitting(melds, unmelded & ~laid)
        if not fits:
            return laid
        count = popcount(fits)
        choice = pick(word, count + 1)
        if choice == count:
            return laid
        card = nth_card(fits, choice)
        lay(&melds, card)
        laid |= card
        word = mix(word + GAMMA)


cdef void choose_layoff(const strategy_t* strategy, const view_t* view, melds_t melds,
                        bint allowed, bint spelt_out, layoff_t* result) noexcept nogil:
    """The defender's melds and layoffs against the melds spread.

    Where `allowed` is false nothing may be laid off. Which cards are melded is filled in only if
    they are to be `spelt_out`, by the optimal method also which are laid off.
    """
    if strategy.layoff == LAYOFF_OPTIMAL:
        result.laid = 0
        if not spelt_out:
            if allowed:
                result.deadwood = layoff_of(view.hand, melds.runs, melds.missing)
            else:
                result.deadwood = deadwood_of(view.hand)
        elif allowed:
            lay_best(view.hand, melds, result)
        else:
            spread_fewest_sets(view.hand, &result.own)
            spell_out(&result.own)
            result.deadwood = result.own.deadwood
        return
    choose_spread(strategy, view, ANY_DEADWOOD, spelt_out, &result.own)
    result.laid = 0
    if allowed:
        if strategy.layoff == LAYOFF_GREEDY:
            result.laid = lay_greedily(melds, result.own.unmelded)
        elif strategy.layoff == LAYOFF_IN_ORDER:
            result.laid = lay_in_order(melds, result.own.unmelded)
        elif strategy.layoff == BY_CHANCE:
            result.laid = _lay_by_chance(view, melds, result.own.unmelded)
    result.own.unmelded &= ~result.laid
    result.deadwood = pips_of(result.own.unmelded)
