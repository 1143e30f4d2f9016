# cython: language_level=3
"""Chances to knock: what a knock is worth, and what it is worth to play on (docs/knock-timing.md).

The seat in question waits: at every chance it makes its policy's move other than a knock, so that
later chances are reached. At each chance the hand is also knocked, in a copy. What playing on is
worth follows in one of two ways:

- by stopping: where neither draws nor discards of the policy read its knock rule, the hand that it
  plays after passing is the recorded one, up to the next chance at which it knocks;
- by replay: the hand is played on in a second copy.

Both copies have the same hidden cards, stock and decision streams. A cell is made of what the seat
sees; what a branch brings selects nothing.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from ginsim._core cimport discard_t, find_discard, lowest, mask_t
from ginsim._hand cimport (
    DO_BIG_GIN, DO_DECLINE, DO_DISCARD, DO_DRAW_PILE, DO_KNOCK, OUTCOME_BIG_GIN,
    OUTCOME_CLEAN_UNDERCUT, OUTCOME_GIN, OUTCOME_UNDERCUT, PHASE_DISCARD, PHASE_OVER, PHASE_WALL,
    WALL_FIFTIETH, apply_choice, choice_t, decide, hand_t, play_hand, rules_t,
)
from ginsim._player cimport raise_failure
from ginsim._position cimport Hand
from ginsim._rollout cimport value_actions, valued_t
from ginsim._setup cimport Setup, setup_t, start_index
from ginsim._strategy cimport (
    BY_CHANCE, TAKE_GAIN, choose_big_gin, choose_discard, choose_knock, considered, strategy_t, view_t,
)

cdef enum:
    # The dimensions of a cell, and how far each is counted; the last turn and the last number of
    # pick-ups stand for more.
    NUM_KEYS = 6
    MOST_TURN = 16
    MOST_PICK_UPS = 3
    # Figures of a cell: each has its sum, the sum of its deals' squares, and that of the deals'
    # products with their chances.
    NUM_FIGURES = 6
    FIRST_FIGURE = 4
    NUM_SUMS = 22

KEYS = ("turn", "deadwood", "pick_ups", "own_pick_ups", "stock", "limit")
# The values of each key are counted from `KEY_LOWS`.
KEY_LOWS = (1, 0, 0, 0, 0, 0)
KEY_SIZES = (16, 11, 4, 4, 32, 11)
FIGURES = ("knock", "play", "gain", "undercut", "opponent_first", "own_gin")
# The columns of the sums that fill_cells adds to: chances, those on policy, deals with a chance,
# the sum of squares of the deals' chances, and three for each figure.
SUMS = ("chances", "on_policy", "deals", "chances_squares") + tuple(
    f"{figure}_{what}" for figure in FIGURES for what in ("sum", "squares", "products")
)
assert len(SUMS) == NUM_SUMS

# The rows of the arrays that fill_chances writes.
BYTE_COLUMNS = (
    "turn", "deadwood", "pick_ups", "own_pick_ups", "stock", "limit", "on_policy", "knocks",
    "at_wall", "knock_outcome", "knock_winner", "play_outcome", "play_winner", "play_knocker",
)
NET_COLUMNS = ("knock_net", "play_net")
END_COLUMNS = ("chances", "end_net", "end_winner", "dealt")
ROOM = MOST_CHANCES


# ---------------------------------------------------------------- the two ways

def may_stop(const rules_t[::1] rules, const strategy_t[::1] strategies, int seat):
    """Whether play-on values of that seat's policy may be read off the recorded path.

    They may if its draws and discards do not depend on its knock rule, and if the card with which
    it would knock is always one of least deadwood.
    """
    cdef const strategy_t* strategy = &strategies[seat]
    if strategy.rollouts or strategy.player or strategy.discard == BY_CHANCE:
        return False
    if strategy.knock != BY_CHANCE and (strategy.upcard == TAKE_GAIN or strategy.draw == TAKE_GAIN):
        return False
    return not (rules[0].wall == WALL_FIFTIETH and strategy.draw == BY_CHANCE)


# ---------------------------------------------------------------- a chance

cdef int least_discard(const view_t* view) noexcept nogil:
    """The card of least deadwood and most pips."""
    return lowest(view.best.dearest)


cdef int search_discard(hand_t* hand, const strategy_t* strategy) noexcept nogil:
    """The discard of most points to a search; of equals the first that it tries."""
    cdef valued_t valued
    cdef int i, best = -1
    value_actions(hand, strategy, &valued)
    for i in range(valued.num_actions):
        if valued.actions[i] == DO_DISCARD:
            if best < 0 or valued.sums[i] > valued.sums[best]:
                best = i
    return valued.cards[best]


cdef bint find_chance(hand_t* hand, const setup_t* setup, options_t* options) noexcept nogil:
    """Whether the seat to act has a chance to knock, and its two moves if so.

    There is none where the policy declares big gin, or where it never throws a card that a knock
    needs (`uniform`, of an exchange that it made before).
    """
    cdef const strategy_t* strategy = &setup.strategies[hand.seat]
    cdef view_t* view = &hand.views[hand.seat]
    cdef view_t after
    cdef discard_t fewer
    cdef choice_t choice
    if hand.phase == PHASE_WALL:
        # As after taking the last discard, to knock with it.
        after = view[0]
        after.hand |= <mask_t>1 << hand.table.top
        after.drawn = hand.table.top
        after.from_pile = True
        after.barred = <mask_t>1 << hand.table.top
        find_discard(after.hand, after.barred, &after.best)
        view = &after
    elif hand.phase != PHASE_DISCARD or not view.may_end or hand.at_wall:
        return False
    options.at_wall = hand.phase == PHASE_WALL
    options.deadwood = considered(strategy, view, &fewer).deadwood
    if options.deadwood > hand.table.knock_limit:
        return False
    options.card_to_discard = -1
    if strategy.rollouts:
        decide(hand, strategy, &choice)
        if choice.action == DO_BIG_GIN:
            return False
        options.knocks = choice.action == DO_KNOCK or choice.action == DO_DRAW_PILE
        options.card_to_knock = least_discard(view)
        if not options.at_wall:
            options.card_to_discard = (search_discard(hand, strategy) if options.knocks
                                       else choice.card)
        return True
    if hand.rules.big_gin and view.best.all_melded and choose_big_gin(strategy, view):
        return False
    options.knocks = choose_knock(strategy, view)
    if strategy.discard == BY_CHANCE:
        options.card_to_knock = least_discard(view)
    else:
        options.card_to_knock = choose_discard(strategy, view, True)
    if not options.at_wall:
        options.card_to_discard = choose_discard(strategy, view, False)
    return True


cdef inline void copy_hand(const hand_t* hand, hand_t* copy) noexcept nogil:
    copy[0] = hand[0]
    copy.views[0].table = &copy.table
    copy.views[1].table = &copy.table


cdef inline void read_end(const hand_t* hand, int seat, branch_t* branch) noexcept nogil:
    branch.outcome = hand.result.outcome
    branch.winner = 2
    branch.knocker = 2
    branch.net = 0
    if hand.result.winner >= 0:
        branch.winner = hand.result.winner != seat
        branch.net = -hand.result.points if branch.winner else hand.result.points
    if hand.result.knocker >= 0:
        branch.knocker = hand.result.knocker != seat


cdef inline void knock(hand_t* hand, const options_t* options) noexcept nogil:
    cdef choice_t choice
    choice.card = -1
    if options.at_wall:
        choice.action = DO_DRAW_PILE
        apply_choice(hand, &choice)
    choice.action = DO_KNOCK
    choice.card = options.card_to_knock
    apply_choice(hand, &choice)


cdef inline void play_on(hand_t* hand, const options_t* options) noexcept nogil:
    cdef choice_t choice
    choice.action = DO_DECLINE if options.at_wall else DO_DISCARD
    choice.card = options.card_to_discard
    apply_choice(hand, &choice)


cdef int record_chances(hand_t* hand, const setup_t* setup, int seat, bint replay,
                        chance_t* chances, branch_t* end) noexcept nogil:
    """Play a dealt hand in which `seat` waits, and record its chances; returns how many.

    -1 if a Python strategy raised. `end` is how the waited-out hand ends.
    """
    cdef hand_t copy
    cdef options_t options
    cdef choice_t choice
    cdef chance_t* chance
    cdef branch_t* later
    cdef bint on_policy = True
    cdef int i, count = 0
    while hand.phase < PHASE_OVER:
        if (hand.seat != seat or count == MOST_CHANCES
                or not find_chance(hand, setup, &options)):
            decide(hand, &setup.strategies[hand.seat], &choice)
            apply_choice(hand, &choice)
            continue
        chance = &chances[count]
        count += 1
        chance.turn = hand.views[seat].turn
        chance.deadwood = options.deadwood
        chance.pick_ups = hand.table.pile_draws[1 - seat]
        # At the wall the card would still have to be taken.
        chance.own_pick_ups = hand.table.pile_draws[seat]
        chance.stock = hand.table.stock
        chance.limit = hand.table.knock_limit
        chance.is_on_policy = on_policy
        chance.knocks = options.knocks
        chance.at_wall = options.at_wall
        copy_hand(hand, &copy)
        knock(&copy, &options)
        play_hand(&copy, setup.strategies)
        if copy.phase != PHASE_OVER:
            return -1
        read_end(&copy, seat, &chance.knock)
        if replay:
            copy_hand(hand, &copy)
            play_on(&copy, &options)
            play_hand(&copy, setup.strategies)
            if copy.phase != PHASE_OVER:
                return -1
            read_end(&copy, seat, &chance.play)
        on_policy = on_policy and not options.knocks
        play_on(hand, &options)
    if hand.phase != PHASE_OVER:
        return -1
    read_end(hand, seat, end)
    if not replay:
        later = end
        for i in range(count - 1, -1, -1):
            chances[i].play = later[0]
            if chances[i].knocks:
                later = &chances[i].knock
    return count


# ---------------------------------------------------------------- sums by cell

cdef struct cells_t:
    # Which chances are counted, and by what they are told apart.
    int lows[NUM_KEYS]
    int highs[NUM_KEYS]
    bint by[NUM_KEYS]


cdef inline int cell_of(const chance_t* chance, const cells_t* cells) noexcept nogil:
    """The number of a chance's cell, -1 if it is not counted."""
    cdef int values[NUM_KEYS]
    cdef int sizes[NUM_KEYS]
    cdef int i, cell = 0
    values[0] = (chance.turn if chance.turn < MOST_TURN else MOST_TURN) - 1
    values[1] = chance.deadwood
    values[2] = chance.pick_ups if chance.pick_ups < MOST_PICK_UPS else MOST_PICK_UPS
    values[3] = (chance.own_pick_ups if chance.own_pick_ups < MOST_PICK_UPS
                 else MOST_PICK_UPS)
    values[4] = chance.stock
    values[5] = chance.limit
    sizes[0] = MOST_TURN
    sizes[1] = 11
    sizes[2] = MOST_PICK_UPS + 1
    sizes[3] = MOST_PICK_UPS + 1
    sizes[4] = 32
    sizes[5] = 11
    for i in range(NUM_KEYS):
        if not cells.lows[i] <= values[i] <= cells.highs[i]:
            return -1
        if cells.by[i]:
            cell = cell * sizes[i] + values[i]
    return cell


cdef inline void figures_of(const chance_t* chance, int* figures) noexcept nogil:
    figures[0] = chance.knock.net
    figures[1] = chance.play.net
    figures[2] = chance.knock.net - chance.play.net
    figures[3] = (chance.knock.outcome == OUTCOME_UNDERCUT
                  or chance.knock.outcome == OUTCOME_CLEAN_UNDERCUT)
    figures[4] = chance.play.knocker == 1
    figures[5] = chance.play.knocker == 0 and (chance.play.outcome == OUTCOME_GIN
                                               or chance.play.outcome == OUTCOME_BIG_GIN)


cdef void add_deal(const chance_t* chances, int count, const cells_t* cells,
                   int64_t[:, ::1] sums) noexcept nogil:
    """Add the chances of a deal, each cell's together."""
    cdef int of_chance[MOST_CHANCES]
    cdef int figures[NUM_FIGURES]
    cdef int64_t totals[NUM_FIGURES]
    cdef int64_t number
    cdef int i, j, k, cell
    for i in range(count):
        of_chance[i] = cell_of(&chances[i], cells)
    for i in range(count):
        cell = of_chance[i]
        if cell < 0:
            continue
        memset(totals, 0, sizeof(totals))
        number = 0
        for j in range(i, count):
            if of_chance[j] != cell:
                continue
            of_chance[j] = -1
            number += 1
            sums[cell, 1] += chances[j].is_on_policy
            figures_of(&chances[j], figures)
            for k in range(NUM_FIGURES):
                totals[k] += figures[k]
        sums[cell, 0] += number
        sums[cell, 2] += 1
        sums[cell, 3] += number * number
        for k in range(NUM_FIGURES):
            sums[cell, FIRST_FIGURE + 3 * k] += totals[k]
            sums[cell, FIRST_FIGURE + 3 * k + 1] += totals[k] * totals[k]
            sums[cell, FIRST_FIGURE + 3 * k + 2] += totals[k] * number


def fill_cells(Setup setup, uint64_t first, uint64_t count, int seat, bint replay,
               bounds, by, int64_t[:, ::1] sums):
    """Add the chances of `count` hands to the sums of their cells.

    Args:
        seat: whose chances.
        replay: play on in a copy, rather than along the recorded path.
        bounds: (least, most) of each of KEYS that is counted, from 0 on (turn 1 is 0).
        by: which of KEYS tell cells apart; a cell's number has the first as its highest digit.
        sums: a row for each cell, a column for each of SUMS.
    """
    cdef hand_t hand
    cdef chance_t chances[MOST_CHANCES]
    cdef branch_t end
    cdef cells_t cells
    cdef uint64_t i = first
    cdef int found = 0
    cdef int k
    size = 1
    for k in range(NUM_KEYS):
        cells.lows[k], cells.highs[k] = bounds[k]
        cells.by[k] = by[k]
        if cells.lows[k] < 0 or cells.highs[k] >= KEY_SIZES[k]:
            raise ValueError(f"bounds of {KEYS[k]} lie outside its values")
        size *= KEY_SIZES[k] if by[k] else 1
    if sums.shape[0] != size or sums.shape[1] != NUM_SUMS:
        raise ValueError("the array needs a row for each cell and a column for each sum")
    setup.check_range(first, count)
    if seat not in (0, 1):
        raise ValueError("seat is 0 or 1")
    hand.trace = NULL
    with nogil:
        for i in range(first, first + count):
            start_index(&hand, &setup.data, i)
            found = record_chances(&hand, &setup.data, seat, replay, chances, &end)
            if found < 0:
                break
            add_deal(chances, found, &cells, sums)
    if found < 0:
        raise_failure(f"in hand {i}")


# ---------------------------------------------------------------- the chances themselves

def fill_chances(Setup setup, uint64_t first, Py_ssize_t count, int seat, bint replay,
                 int[:, ::1] ends_out, signed char[:, ::1] bytes_out, int[:, ::1] nets_out,
                 Py_ssize_t start=0):
    """Write the chances of hands from `first` on; returns (hands, rows) that were written.

    It ends early where fewer than ROOM rows are left. `ends_out` has a row for each of END_COLUMNS
    and a column for each hand: its chances, net points and winner if the seat never knocks
    (0 it, 1 the opponent, 2 nobody), and whether the seat dealt. The others have a row for each of
    BYTE_COLUMNS and NET_COLUMNS and are written from column `start` on.
    """
    cdef hand_t hand
    cdef chance_t chances[MOST_CHANCES]
    cdef const chance_t* chance
    cdef branch_t end
    cdef Py_ssize_t i = 0, row = start, room = bytes_out.shape[1]
    cdef int k, found = 0
    if ends_out.shape[0] != 4 or ends_out.shape[1] < count or nets_out.shape[0] != 2:
        raise ValueError("the arrays need one row for each column")
    if bytes_out.shape[0] != 14 or nets_out.shape[1] != room:
        raise ValueError("the arrays need one row for each column, and the same length")
    setup.check_range(first, count)
    if seat not in (0, 1):
        raise ValueError("seat is 0 or 1")
    hand.trace = NULL
    with nogil:
        while i < count and room - row >= MOST_CHANCES:
            start_index(&hand, &setup.data, first + <uint64_t>i)
            found = record_chances(&hand, &setup.data, seat, replay, chances, &end)
            if found < 0:
                break
            ends_out[0, i] = found
            ends_out[1, i] = end.net
            ends_out[2, i] = end.winner
            ends_out[3, i] = hand.table.dealer == seat
            for k in range(found):
                chance = &chances[k]
                bytes_out[0, row] = chance.turn
                bytes_out[1, row] = chance.deadwood
                bytes_out[2, row] = chance.pick_ups
                bytes_out[3, row] = chance.own_pick_ups
                bytes_out[4, row] = chance.stock
                bytes_out[5, row] = chance.limit
                bytes_out[6, row] = chance.is_on_policy
                bytes_out[7, row] = chance.knocks
                bytes_out[8, row] = chance.at_wall
                bytes_out[9, row] = chance.knock.outcome
                bytes_out[10, row] = chance.knock.winner
                bytes_out[11, row] = chance.play.outcome
                bytes_out[12, row] = chance.play.winner
                bytes_out[13, row] = chance.play.knocker
                nets_out[0, row] = chance.knock.net
                nets_out[1, row] = chance.play.net
                row += 1
            i += 1
    if found < 0:
        raise_failure(f"in hand {first + <uint64_t>i}")
    return i, row - start


def look_at_chance(Hand hand, Setup setup):
    """What the seat to act sees and does at a chance to knock; None where it has none.

    Returns (turn, deadwood, pick-ups, own pick-ups, stock, limit, at the wall, whether its policy
    knocks, card to knock with, card to throw or -1). For tests of what these depend on.
    """
    cdef options_t options
    if hand._hand.phase >= PHASE_OVER or not find_chance(&hand._hand, &setup.data, &options):
        return None
    return (hand._hand.views[hand._hand.seat].turn, options.deadwood,
            hand._hand.table.pile_draws[1 - hand._hand.seat],
            hand._hand.table.pile_draws[hand._hand.seat], hand._hand.table.stock,
            hand._hand.table.knock_limit, bool(options.at_wall), bool(options.knocks),
            options.card_to_knock, options.card_to_discard)


# ---------------------------------------------------------------- knock tables on recorded paths

def flip_gains(const int[::1] counts, const short[::1] cells, const int64_t[::1] knocks,
               const int64_t[::1] ends, const unsigned char[::1] table, int64_t[:, ::1] out):
    """What it would bring to change one cell of a knock table, for each cell.

    Args:
        counts: chances of each path; `ends`: its value if it is never knocked.
        cells, knocks: of each chance, the paths in order: its cell, and the value of a knock.
        table: of each cell, whether it knocks.
        out: three sums for each cell are set: paths that would come to it with the table, the
            change of their value if that cell alone were changed, and the squares of the changes.

    Returns:
        The sum of the paths' values under the table.
    """
    cdef Py_ssize_t path, at = 0, i, j, stop, last
    cdef int64_t value, other, total = 0
    cdef int cell
    cdef bint met
    if cells.shape[0] != knocks.shape[0] or ends.shape[0] != counts.shape[0]:
        raise ValueError("the arrays need the same lengths")
    if out.shape[0] != table.shape[0] or out.shape[1] != 3:
        raise ValueError("three sums for each cell are needed")
    if np.asarray(counts).sum() != cells.shape[0]:
        raise ValueError("counts need to add up to the chances")
    with nogil:
        out[:, :] = 0
        for path in range(counts.shape[0]):
            last = at + counts[path]
            stop = at
            while stop < last and not table[cells[stop]]:
                stop += 1
            value = knocks[stop] if stop < last else ends[path]
            total += value
            for i in range(at, stop):
                cell = cells[i]
                met = False
                for j in range(i - 1, at - 1, -1):
                    if cells[j] == cell:
                        met = True
                        break
                if not met:
                    out[cell, 0] += 1
                    out[cell, 1] += knocks[i] - value
                    out[cell, 2] += (knocks[i] - value) * (knocks[i] - value)
            if stop < last:
                cell = cells[stop]
                other = ends[path]
                for j in range(stop + 1, last):
                    if table[cells[j]] and cells[j] != cell:
                        other = knocks[j]
                        break
                out[cell, 0] += 1
                out[cell, 1] += other - value
                out[cell, 2] += (other - value) * (other - value)
            at = last
    return total


def path_values(const int[::1] counts, const short[::1] cells, const int64_t[::1] knocks,
                const int64_t[::1] ends, const unsigned char[::1] table, int64_t[::1] out):
    """The value of each path under a knock table, as for `flip_gains`."""
    cdef Py_ssize_t path, at = 0, i, last
    if cells.shape[0] != knocks.shape[0] or ends.shape[0] != counts.shape[0]:
        raise ValueError("the arrays need the same lengths")
    if out.shape[0] != counts.shape[0] or np.asarray(counts).sum() != cells.shape[0]:
        raise ValueError("counts need to add up to the chances, and one value a path is needed")
    with nogil:
        for path in range(counts.shape[0]):
            last = at + counts[path]
            out[path] = ends[path]
            for i in range(at, last):
                if table[cells[i]]:
                    out[path] = knocks[i]
                    break
            at = last
