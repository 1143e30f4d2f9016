# cython: language_level=3
"""The two tables of a partnership (docs/engine.md, "Two tables")."""

from ginsim._hand cimport (
    PHASE_DRAW, PHASE_OVER, PHASE_WALL, SPADES_ALL, WALL_DEAD, apply_choice, choice_t, decide,
    play_hand, set_streams, start_hand,
)
from ginsim._strategy cimport heeds_partner, strategy_t

NETS = ("both", "split", "one", "level", "none")


cdef net_t net_of(const rules_t* rules, const result_t* first, const result_t* second,
                  bint spade) noexcept nogil:
    """The hand of the pairs by the results of both tables, which spades have doubled already."""
    cdef net_t net
    cdef int won = 0
    cdef const result_t* result
    cdef int i
    net.points = 0
    net.prize_boxes = 0
    for i in range(NUM_TABLES):
        result = first if i == 0 else second
        if result.winner >= 0:
            won += 1
            net.points += result.points if result.winner == 0 else -result.points
            net.prize_boxes += result.prize_boxes if result.winner == 0 else -result.prize_boxes
    net.winner = 0 if net.points > 0 else 1 if net.points < 0 else -1
    net.boxes = 0
    if net.winner < 0:
        net.kind = NET_LEVEL if won else NET_NONE
        net.prize_boxes = 0
        return net
    if won == 1:
        net.kind = NET_ONE
    else:
        net.kind = NET_BOTH if first.winner == second.winner else NET_SPLIT
    if net.winner == 1:
        net.points = -net.points
        net.prize_boxes = -net.prize_boxes
    if net.prize_boxes < 0:
        net.prize_boxes = 0
    net.boxes = rules.box_base
    if spade and rules.spade_doubles == SPADES_ALL:
        net.boxes *= 2
    net.boxes += net.prize_boxes
    return net


cdef inline void play_turn(hand_t* hand, const strategy_t** players, int number) noexcept nogil:
    """Play on until turn `number` of both seats together is over."""
    cdef choice_t choice
    while hand.phase < PHASE_OVER:
        if hand.table.turns[0] + hand.table.turns[1] >= number:
            if hand.phase == PHASE_DRAW or hand.phase == PHASE_WALL:
                return
        decide(hand, players[hand.seat], &choice)
        apply_choice(hand, &choice)


cdef inline void tell(hand_t* hand, const hand_t* other) noexcept nogil:
    """Let a table know how the other ended."""
    hand.table.other_over = True
    hand.table.other_net = (other.result.points if other.result.winner == 0
                            else -other.result.points)


cdef inline bint play_apart(const setup_t* setup) noexcept nogil:
    """Whether the tables can be played one after the other.

    They can if nobody heeds the other one, and if the turns tell which ended first: at the wall a
    hand can end between two turns.
    """
    cdef int i
    for i in range(4):
        if heeds_partner(&setup.strategies[i]):
            return False
    return setup.rules.wall == WALL_DEAD


cdef void play_tables(tables_t* tables, const setup_t* setup, uint64_t deal, int hand_in_game,
                      int dealer, int pairing, const int* scores, int target) noexcept nogil:
    """Play a hand at both tables; `dealer` is the pair that deals.

    The trace of each table must have been set before.
    """
    cdef const strategy_t* players[NUM_TABLES][2]
    cdef hand_t* hand
    cdef int table, number = 0
    cdef int ends[NUM_TABLES]
    for table in range(NUM_TABLES):
        hand = &tables.hands[table]
        start_hand(hand, setup.rules, setup.key, deal, hand_in_game, dealer, setup.ranks,
                   setup.hand_size, table)
        set_streams(hand, setup.key, deal, hand_in_game, table)
        hand.table.scores[0] = scores[0]
        hand.table.scores[1] = scores[1]
        hand.table.target = target
        players[table][0] = &setup.strategies[table]
        players[table][1] = &setup.strategies[2 + (table ^ pairing)]
    if play_apart(setup):
        for table in range(NUM_TABLES):
            hand = &tables.hands[table]
            play_hand(hand, setup.tables + 2 * (NUM_TABLES * pairing + table))
            ends[table] = hand.table.turns[0] + hand.table.turns[1]
        if ends[0] != ends[1]:
            table = 0 if ends[0] > ends[1] else 1
            tell(&tables.hands[table], &tables.hands[1 - table])
    # Both are over, or one of them is abandoned.
    while ((tables.hands[0].phase != PHASE_OVER or tables.hands[1].phase != PHASE_OVER)
           and tables.hands[0].phase <= PHASE_OVER and tables.hands[1].phase <= PHASE_OVER):
        number += 1
        for table in range(NUM_TABLES):
            play_turn(&tables.hands[table], players[table], number)
        for table in range(NUM_TABLES):
            if (tables.hands[table].phase != PHASE_OVER
                    and tables.hands[1 - table].phase == PHASE_OVER):
                tell(&tables.hands[table], &tables.hands[1 - table])
    tables.net = net_of(setup.rules, &tables.hands[0].result, &tables.hands[1].result,
                        tables.hands[0].table.knock_card >= 39)


def net_tables(const rules_t[::1] rules, first, second, bint spade=False):
    """(kind, pair or -1, points, boxes, prize boxes) of a hand at two tables.

    `first` and `second` are (pair that won or -1, points, prize boxes), as doubled by a spade.
    """
    cdef result_t results[NUM_TABLES]
    cdef net_t net
    cdef int i
    for i, (winner, points, prizes) in enumerate((first, second)):
        results[i].winner = winner
        results[i].points = points
        results[i].prize_boxes = prizes
    net = net_of(&rules[0], &results[0], &results[1], spade)
    return NETS[net.kind], net.winner, net.points, net.boxes, net.prize_boxes
