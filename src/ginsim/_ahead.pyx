# cython: language_level=3
"""Turns played ahead (see `_ahead.pxd`)."""

from ginsim._core cimport (
    ALL_RANKS, DEARER, PIPS, deadwood_of, dearest_of, discard_t, find_discard, joins, lowest,
    pips_of, popcount, ranks_of, run_cover, set_ranks, unlikely,
)
from ginsim._deck cimport card_at, draw_up_to

cdef enum:
    LEFT = 0
    TAKEN = 1
    UNSURE = 2


# ---------------------------------------------------------------- any turn

cdef inline void throw_from_two(mask_t loose, mask_t other, found_t* found) noexcept nogil:
    """The discards of a hand with two leaves, of which these cards may be thrown."""
    cdef int pips, other_pips, deadwood, other_deadwood
    loose = dearest_of(loose, &pips)
    other = dearest_of(other, &other_pips)
    deadwood = found.leaves.pips[0] - pips
    other_deadwood = found.leaves.pips[1] - other_pips
    if deadwood < other_deadwood:
        found.deadwood = deadwood
        found.dearest = loose
    elif deadwood > other_deadwood:
        found.deadwood = other_deadwood
        found.dearest = other
    else:
        found.deadwood = deadwood
        found.dearest = ((loose if pips >= other_pips else 0)
                         | (other if other_pips >= pips else 0))


cdef inline bint split(mask_t cards, mask_t covered, mask_t sets, leaves_t* leaves) noexcept nogil:
    """The leaves of cards for which sets and runs compete; False if there are more than two."""
    cdef mask_t conflict = covered & sets
    cdef mask_t ranks = ranks_of(conflict)
    cdef mask_t rivals = ALL_RANKS(ranks) & cards
    if ranks & (ranks - 1) or popcount(rivals) != 3:
        leaves.count = LEAVES_MANY
        if conflict & (conflict - 1):
            return False
        # Of four cards one is covered: it costs nothing in the run, nor do the three.
        leaves.count = 1
        leaves.loose[0] = cards & ~(covered | sets)
        return True
    leaves.count = 2
    leaves.loose[0] = cards & ~(sets | run_cover(cards & ~sets))
    leaves.loose[1] = cards & ~((sets ^ rivals) | covered)
    leaves.pips[0] = pips_of(leaves.loose[0])
    leaves.pips[1] = pips_of(leaves.loose[1])
    return True


cdef inline bint throw_from_one(mask_t cards, found_t* found) noexcept nogil:
    """The discards of a hand with one leaf, of which these may be thrown."""
    cdef int pips
    if unlikely(not cards):
        return False
    found.dearest = dearest_of(cards, &pips)
    found.deadwood = pips_of(found.leaves.loose[0]) - pips
    return True


cdef bint search(mask_t cards, mask_t forbidden, found_t* found) noexcept nogil:
    """Find the discards by the general solver; False if the cards can all be melded."""
    cdef discard_t best
    find_discard(cards, forbidden, &best)
    found.deadwood = best.deadwood
    found.dearest = best.dearest
    found.leaves.count = LEAVES_UNKNOWN
    return not best.all_melded


cdef bint join_rivals(mask_t cards, mask_t forbidden, mask_t covered, mask_t sets,
                      found_t* found) noexcept nogil:
    """As `join_meld`, of cards for which sets and runs compete."""
    cdef mask_t loose, other
    if unlikely(not split(cards, covered, sets, &found.leaves)):
        return search(cards, forbidden, found)
    loose = found.leaves.loose[0] & ~forbidden
    if found.leaves.count == 1:
        return throw_from_one(loose, found)
    other = found.leaves.loose[1] & ~forbidden
    if unlikely(not loose or not other):
        return search(cards, forbidden, found)
    throw_from_two(loose, other, found)
    return True


cdef inline bint join_meld(mask_t cards, mask_t forbidden, found_t* found) noexcept nogil:
    """Find the discards of cards one of which has just joined a meld.

    False where it is for the engine: if all can be melded, or no loose card may be thrown.
    """
    cdef mask_t covered = run_cover(cards)
    cdef mask_t sets = ALL_RANKS(set_ranks(cards)) & cards
    if covered & sets:
        return join_rivals(cards, forbidden, covered, sets, found)
    found.leaves.count = 1
    found.leaves.loose[0] = cards & ~(covered | sets)
    return throw_from_one(found.leaves.loose[0] & ~forbidden, found)


cdef inline void join_loose(const seat_t* seat, int card, mask_t forbidden,
                            found_t* found) noexcept nogil:
    """Find the discards of a hand and a card that joins no meld of it."""
    cdef mask_t added = <mask_t>1 << card
    cdef int pips
    found.leaves.loose[0] = seat.leaves.loose[0] | added
    if seat.leaves.count == 1:
        found.leaves.count = 1
        found.dearest = dearest_of(found.leaves.loose[0] & ~forbidden, &pips)
        found.deadwood = seat.deadwood + PIPS[card] - pips
    else:
        found.leaves.count = 2
        found.leaves.loose[1] = seat.leaves.loose[1] | added
        found.leaves.pips[0] = seat.leaves.pips[0] + PIPS[card]
        found.leaves.pips[1] = seat.leaves.pips[1] + PIPS[card]
        throw_from_two(found.leaves.loose[0] & ~forbidden, found.leaves.loose[1] & ~forbidden,
                       found)


cdef void study_leaves(seat_t* seat) noexcept nogil:
    """Find the leaves of a hand, and its deadwood."""
    cdef mask_t covered = run_cover(seat.hand)
    cdef mask_t sets = ALL_RANKS(set_ranks(seat.hand)) & seat.hand
    if not covered & sets:
        seat.leaves.count = 1
        seat.leaves.loose[0] = seat.hand & ~(covered | sets)
        seat.deadwood = pips_of(seat.leaves.loose[0])
    elif split(seat.hand, covered, sets, &seat.leaves):
        if seat.leaves.count == 1:
            seat.deadwood = pips_of(seat.leaves.loose[0])
        elif seat.leaves.loose[0] and seat.leaves.loose[1]:
            seat.deadwood = (seat.leaves.pips[0] if seat.leaves.pips[0] < seat.leaves.pips[1]
                             else seat.leaves.pips[1])
        else:
            # Of a leaf without loose cards none can be thrown.
            seat.leaves.count = LEAVES_MANY
            seat.deadwood = 0
    elif seat.deadwood < 0:
        seat.deadwood = deadwood_of(seat.hand)


cdef inline bint find_discards(const seat_t* seat, int card, mask_t forbidden,
                               found_t* found) noexcept nogil:
    """Find the discards of a studied hand and a card: `found.deadwood`, `dearest` and `leaves`.

    `forbidden` is the card, or nothing. False where it is for the engine.
    """
    cdef mask_t added = <mask_t>1 << card
    if seat.leaves.count == LEAVES_MANY:
        return search(seat.hand | added, forbidden, found)
    if joins(seat.hand, card):
        return join_meld(seat.hand | added, forbidden, found)
    if forbidden and not seat.leaves.loose[0]:
        # Of two leaves each has loose cards (`study_leaves`).
        return False
    join_loose(seat, card, forbidden, found)
    return True


cdef inline int consider_top(const seat_t* seat, int card, found_t* found) noexcept nogil:
    """Whether the pile's card leaves less deadwood than the hand has, if it may not be thrown.

    If so, `found` is what it makes of the hand.
    """
    cdef mask_t loose
    if not joins(seat.hand, card):
        # A dearer card must go for it, of the loose cards where they are known.
        loose = seat.hand
        if seat.leaves.count != LEAVES_MANY:
            loose = seat.leaves.loose[0]
            if seat.leaves.count == 2:
                loose |= seat.leaves.loose[1]
        if not loose & DEARER[card]:
            return LEFT
    if not find_discards(seat, card, <mask_t>1 << card, found):
        return UNSURE
    return TAKEN if found.deadwood < seat.deadwood else LEFT


cdef bint may_end(const ahead_t* ahead, seat_t* seat, int deadwood) noexcept nogil:
    """Whether the engine is to be asked if the seat ends the hand, which it may with `deadwood`."""
    if deadwood > seat.knocks_at:
        if not seat.knock_turn:
            seat.knock_turn = seat.turns + 1
        return False
    return True


cdef void throw_found(ahead_t* ahead, seat_t* seat) noexcept nogil:
    """Throw the lowest of the discards found."""
    cdef found_t* found = &ahead.found
    cdef mask_t thrown = found.dearest & -found.dearest
    cdef int pips
    ahead.top = lowest(thrown)
    seat.hand = (seat.hand | <mask_t>1 << found.card) ^ thrown
    seat.deadwood = found.deadwood
    seat.leaves.count = found.leaves.count
    seat.leaves.loose[0] = found.leaves.loose[0] ^ thrown
    if found.leaves.count == 2:
        pips = PIPS[ahead.top]
        seat.leaves.loose[1] = found.leaves.loose[1] ^ thrown
        seat.leaves.pips[0] = found.leaves.pips[0] - pips
        seat.leaves.pips[1] = found.leaves.pips[1] - pips
        if not (found.leaves.loose[0] & found.leaves.loose[1] & thrown
                and seat.leaves.loose[0] and seat.leaves.loose[1]):
            # It broke a meld of the other leaf, or was the last loose card of one.
            seat.leaves.count = LEAVES_UNKNOWN


cdef int play_any_turn(ahead_t* ahead) noexcept nogil:
    """Play the turn of the seat to act, of whatever hand: STOP_DONE, or why it did not.

    STOP_PASS if the upcard was passed.
    """
    cdef seat_t* seat = &ahead.seats[ahead.seat]
    cdef found_t* found = &ahead.found
    cdef int answer = LEFT
    if not ahead.opening or ahead.offers < 2:
        answer = consider_top(seat, ahead.top, found)
    found.from_pile = answer == TAKEN
    if answer == UNSURE or (found.from_pile and ahead.pile_draws_left == 0):
        return STOP_TURN
    if found.from_pile:
        found.card = ahead.top
    elif ahead.opening and ahead.offers < 2:
        ahead.offers += 1
        ahead.seat = 1 - ahead.seat
        return STOP_PASS
    elif ahead.next_card >= ahead.last_card:
        return STOP_TURN
    else:
        found.card = card_at(ahead.deck, ahead.next_card)
        if not find_discards(seat, found.card, 0, found):
            return STOP_TURN
    if found.deadwood <= ahead.knock_limit and may_end(ahead, seat, found.deadwood):
        return STOP_LOW
    if found.from_pile:
        ahead.pile_draws_left -= 1
        seat.pile_draws += 1
    else:
        ahead.next_card += 1
    throw_found(ahead, seat)
    seat.turns += 1
    ahead.opening = False
    ahead.seat = 1 - ahead.seat
    return STOP_DONE


# ---------------------------------------------------------------- turn after turn

cdef inline int dealt_of(const ahead_t* ahead) noexcept nogil:
    """Position of the first card that has not been dealt or cannot be drawn here."""
    return ahead.deck.dealt if ahead.deck.dealt < ahead.last_card else ahead.last_card


cdef int play_ahead(ahead_t* ahead, int most) noexcept nogil:
    """Play at most `most` turns, as long as they are plain: STOP_DONE, or why it stopped.

    Nothing of the turn at which it stops is done, but with STOP_LOW it is known: see
    `ahead.found`.
    """
    # A turn here is that of `play_any_turn` for a hand of one leaf. What changes with each turn is
    # kept in variables, and the seats change places: this is where the time of a hand goes.
    cdef seat_t* seat = &ahead.seats[ahead.seat]
    cdef seat_t* other = &ahead.seats[1 - ahead.seat]
    cdef found_t* found = &ahead.found
    cdef const unsigned char* cards = ahead.deck.cards
    cdef const unsigned char* next_card = cards + ahead.next_card
    cdef const unsigned char* dealt = cards + dealt_of(ahead)
    cdef int top = ahead.top
    cdef int stop = STOP_TURN
    cdef mask_t held, covered, sets, loose, dearest, added
    cdef int card, pips, deadwood
    cdef bint taken, rivals
    while most > 0:
        if unlikely(seat.leaves.count != 1):
            if seat.leaves.count == LEAVES_UNKNOWN:
                study_leaves(seat)
            if seat.leaves.count != 1:
                ahead.top = top
                ahead.next_card = next_card - cards
                ahead.seat = seat == &ahead.seats[1]
                stop = play_any_turn(ahead)
                if stop < STOP_DONE:
                    return stop
                most -= stop == STOP_DONE
                top = ahead.top
                next_card = cards + ahead.next_card
                dealt = cards + dealt_of(ahead)
                seat, other = other, seat
                stop = STOP_TURN
                continue
        card = top
        taken = False
        rivals = False
        if unlikely(ahead.opening and ahead.offers == 2):
            pass
        elif joins(seat.hand, card):
            added = <mask_t>1 << card
            held = seat.hand | added
            covered = run_cover(held)
            sets = ALL_RANKS(set_ranks(held)) & held
            if unlikely((covered & sets) != 0):
                rivals = True
                if not join_rivals(held, added, covered, sets, found):
                    break
                deadwood = found.deadwood
            else:
                loose = held & ~(covered | sets)
                if unlikely(not loose & ~added):
                    break
                dearest = dearest_of(loose & ~added, &pips)
                deadwood = pips_of(loose) - pips
            taken = deadwood < seat.deadwood
        elif seat.leaves.loose[0] & DEARER[card]:
            # The dearest of the loose cards goes.
            dearest = dearest_of(seat.leaves.loose[0], &pips)
            deadwood = seat.deadwood + PIPS[card] - pips
            loose = seat.leaves.loose[0] | <mask_t>1 << card
            taken = True
        if taken:
            if unlikely(ahead.pile_draws_left == 0):
                break
            ahead.pile_draws_left -= 1
            seat.pile_draws += 1
        elif unlikely(ahead.opening and ahead.offers < 2):
            ahead.offers += 1
            seat, other = other, seat
            continue
        else:
            if unlikely(next_card >= dealt):
                if next_card >= cards + ahead.last_card:
                    break
                draw_up_to(ahead.deck, next_card - cards)
                dealt = cards + dealt_of(ahead)
            card = next_card[0]
            rivals = False
            if joins(seat.hand, card):
                held = seat.hand | <mask_t>1 << card
                covered = run_cover(held)
                sets = ALL_RANKS(set_ranks(held)) & held
                if unlikely((covered & sets) != 0):
                    rivals = True
                    if not join_rivals(held, 0, covered, sets, found):
                        break
                    deadwood = found.deadwood
                else:
                    loose = held & ~(covered | sets)
                    if unlikely(not loose):
                        break
                    dearest = dearest_of(loose, &pips)
                    deadwood = pips_of(loose) - pips
            else:
                loose = seat.leaves.loose[0] | <mask_t>1 << card
                dearest = dearest_of(loose, &pips)
                deadwood = seat.deadwood + PIPS[card] - pips
            next_card += 1
        if unlikely(deadwood <= ahead.knock_limit) and may_end(ahead, seat, deadwood):
            if taken:
                ahead.pile_draws_left += 1
                seat.pile_draws -= 1
            else:
                next_card -= 1
            found.card = card
            found.from_pile = taken
            if not rivals:
                found.deadwood = deadwood
                found.dearest = dearest
                found.leaves.count = 1
                found.leaves.loose[0] = loose
            stop = STOP_LOW
            break
        seat.turns += 1
        ahead.opening = False
        if unlikely(rivals):
            found.card = card
            throw_found(ahead, seat)
            top = ahead.top
        else:
            dearest &= -dearest
            seat.hand = (seat.hand | <mask_t>1 << card) ^ dearest
            seat.leaves.loose[0] = loose ^ dearest
            seat.deadwood = deadwood
            top = lowest(dearest)
        seat, other = other, seat
        most -= 1
    else:
        stop = STOP_DONE
    ahead.top = top
    ahead.next_card = next_card - cards
    ahead.seat = seat == &ahead.seats[1]
    return stop


# ---------------------------------------------------------------- from Python, for tests

def follow_leaves(mask_t cards, turns):
    """What the leaves tell of a hand that gets cards and throws the best, turn by turn.

    A turn is (card, whether it is barred from being thrown). For each the list has the number of
    leaves of the hand before it, least deadwood after it and the best discards of highest pips, of
    which the lowest is thrown; or None where the engine is asked, with which the list ends.
    """
    cdef ahead_t ahead
    cdef seat_t* seat = &ahead.seats[0]
    cdef mask_t forbidden
    found = []
    seat.hand = cards
    seat.deadwood = -1
    seat.leaves.count = LEAVES_UNKNOWN
    for card, barred in turns:
        if seat.leaves.count == LEAVES_UNKNOWN:
            study_leaves(seat)
        forbidden = <mask_t>1 << <int>card if barred else 0
        ahead.found.card = card
        if not find_discards(seat, card, forbidden, &ahead.found):
            found.append(None)
            break
        found.append((seat.leaves.count, ahead.found.deadwood, ahead.found.dearest))
        throw_found(&ahead, seat)
    return found
