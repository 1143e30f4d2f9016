# cython: language_level=3
"""The decisions that are made once a hand or that search; the others are in `_strategy.pxd`."""

import numpy as np

from ginsim._core cimport (
    count_arrangements, deadwood_of, fitting, has_one_arrangement, lay, lay_best, lay_greedily, lay_in_order,
    layoff_of, pips_of, spread_fewest_sets, spread_nth,
)

cdef strategy_t _model
STRATEGY_DTYPE = np.asarray(<strategy_t[:1]>&_model).dtype

cdef int ANY_DEADWOOD = 1000


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


cdef void choose_spread(const strategy_t* strategy, const view_t* view, int most,
                        spread_t* spread) noexcept nogil:
    """The arrangement to spread. `most` is the most deadwood that it may leave."""
    if strategy.spread == SPREAD_FEWEST_SETS:
        spread_fewest_sets(view.hand, spread)
        return
    if strategy.spread == SPREAD_UNIFORM:
        if has_one_arrangement(view.hand):
            spread_fewest_sets(view.hand, spread)
            return
        most = deadwood_of(view.hand)
    spread_nth(view.hand, most, pick(decision_word(view, DECIDE_SPREAD),
                                     count_arrangements(view.hand, most)), spread)


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

    Where `allowed` is false nothing may be laid off. The optimal method fills in which cards are
    melded and laid only if they are to be `spelt_out`.
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
            result.deadwood = result.own.deadwood
        return
    choose_spread(strategy, view, ANY_DEADWOOD, &result.own)
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
