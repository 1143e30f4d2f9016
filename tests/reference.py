"""The slow twin of the compiled engine: Gin Rummy as a person would write it down.

Written from docs/engine.md and the rules of the game, never from the compiled code, so that
a disagreement between the two points at a mistake in one of them. Hands are frozensets of card
numbers and every optimum is found by trying all ways; masks appear only where the
documentation speaks of them (arrangements, events).

Nothing here imports the package under test. `play_hand` takes any objects that have the
attributes of `Rules` and `Strategy` below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

Cards = frozenset[int]
Arrangement = tuple[int, ...]  # masks of disjoint melds, ascending
Event = tuple[str, int, int, int]  # kind, seat, card, mask

# ---------------------------------------------------------------------------------------------
# Cards
# ---------------------------------------------------------------------------------------------

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SPADES = 3
NO_CARD = -1
NO_SEAT = -1


def suit_of(card: int) -> int:
    return card // 13


def rank_of(card: int) -> int:
    return card % 13


def pips(card: int) -> int:
    return min(rank_of(card) + 1, 10)


def total_pips(cards: Iterable[int]) -> int:
    return sum(PIPS[card] for card in cards)


PIPS = tuple(pips(card) for card in range(52))


def parse_card(text: str) -> int:
    """`4h`, `Tc`, `QS` (any case) to the number of the card."""
    return 13 * SUITS.index(text[1].lower()) + RANKS.index(text[0].upper())


def parse_cards(text: str) -> Cards:
    """Cards separated by spaces; a card named twice is a mistake."""
    cards = [parse_card(name) for name in text.split()]
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card appears twice in {text!r}")
    return frozenset(cards)


def card_name(card: int) -> str:
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def card_names(cards: Iterable[int]) -> str:
    return " ".join(card_name(card) for card in sorted(cards))


def mask_of(cards: Iterable[int]) -> int:
    return sum(1 << card for card in set(cards))


@lru_cache(maxsize=1 << 14)
def cards_of(mask: int) -> Cards:
    return frozenset(card for card in range(52) if mask >> card & 1)


def deck_cards(ranks: int = 13) -> list[int]:
    """The cards of a deck of `ranks` ranks, in increasing order."""
    return [card for card in range(52) if rank_of(card) < ranks]


# ---------------------------------------------------------------------------------------------
# Melds, arrangements, deadwood
# ---------------------------------------------------------------------------------------------


def all_melds(ranks: int = 13) -> list[Cards]:
    """Every set and every run of a deck, in increasing order of mask."""
    melds: list[Cards] = []
    for rank in range(ranks):
        four = [13 * suit + rank for suit in range(4)]
        melds += [frozenset(cards) for size in (3, 4) for cards in combinations(four, size)]
    for suit in range(4):
        for first in range(ranks):
            for last in range(first + 2, ranks):
                melds.append(frozenset(13 * suit + rank for rank in range(first, last + 1)))
    return sorted(melds, key=mask_of)


MELDS = frozenset(all_melds())
# Only a speed-up: a meld inside a hand is looked for under its lowest card.
MELDS_FROM = tuple([m for m in all_melds() if min(m) == card] for card in range(52))


def is_meld(cards: Iterable[int]) -> bool:
    return frozenset(cards) in MELDS


def is_run(meld: Cards) -> bool:
    return meld in MELDS and len({suit_of(card) for card in meld}) == 1


def is_set(meld: Cards) -> bool:
    return meld in MELDS and not is_run(meld)


@lru_cache(maxsize=1 << 14)
def _melds_within(hand: Cards) -> tuple[Cards, ...]:
    return tuple(meld for card in hand for meld in MELDS_FROM[card] if meld <= hand)


def melds_within(hand: Iterable[int]) -> list[Cards]:
    """All melds that can be made from cards of the hand, in increasing order of mask."""
    return sorted(_melds_within(frozenset(hand)), key=mask_of)


@lru_cache(maxsize=1 << 12)
def _arrangements(hand: Cards) -> tuple[Arrangement, ...]:
    melds = melds_within(hand)
    found: list[Arrangement] = []

    def extend(chosen: Arrangement, used: Cards, start: int) -> None:
        found.append(chosen)
        for index in range(start, len(melds)):
            if not used & melds[index]:
                longer = (*chosen, mask_of(melds[index]))
                extend(longer, used | melds[index], index + 1)

    extend((), frozenset(), 0)
    return tuple(sorted(found))


def arrangements(hand: Iterable[int]) -> list[Arrangement]:
    """All sets of disjoint melds in canonical order; the first is the empty arrangement."""
    return list(_arrangements(frozenset(hand)))


def unmelded(hand: Iterable[int], arrangement: Arrangement) -> Cards:
    """The cards of the hand in none of the melds."""
    return frozenset(hand).difference(*(cards_of(mask) for mask in arrangement))


def arrangement_deadwood(hand: Iterable[int], arrangement: Arrangement) -> int:
    return total_pips(unmelded(hand, arrangement))


@lru_cache(maxsize=1 << 14)
def _deadwood_of_live(cards: Cards) -> int:
    """Least deadwood by trying, for the lowest card, no meld and every meld that has it."""
    if not cards:
        return 0
    card = min(cards)
    best = PIPS[card] + _deadwood_of_live(cards - {card})
    for meld in MELDS_FROM[card]:  # card is the lowest left, so it is the lowest of its meld
        if meld <= cards:
            best = min(best, _deadwood_of_live(cards - meld))
    return best


@lru_cache(maxsize=1 << 14)
def _deadwood(hand: Cards) -> int:
    # Cards in no meld at all are deadwood whatever is done with the others. Setting them aside
    # first means that hands which differ only in such cards share one search.
    live: Cards = frozenset().union(*_melds_within(hand))
    return total_pips(hand - live) + _deadwood_of_live(live)


def deadwood(hand: Iterable[int]) -> int:
    """The least deadwood over all arrangements of the hand."""
    return _deadwood(frozenset(hand))


def least_arrangements(hand: Iterable[int]) -> list[Arrangement]:
    """The arrangements of least deadwood, in canonical order."""
    cards = frozenset(hand)
    least = deadwood(cards)
    return [a for a in arrangements(cards) if arrangement_deadwood(cards, a) == least]


def fewest_sets(hand: Iterable[int]) -> Arrangement:
    """Of least deadwood, then of fewest sets, then of fewest melds, then first in order."""

    def preference(arrangement: Arrangement) -> tuple[int, int, Arrangement]:
        sets = sum(is_set(cards_of(mask)) for mask in arrangement)
        return sets, len(arrangement), arrangement

    return min(least_arrangements(hand), key=preference)


def discard_deadwoods(hand: Iterable[int]) -> dict[int, int]:
    """For each card of the hand, in increasing order, the least deadwood without it."""
    cards = frozenset(hand)
    return {card: _deadwood(cards - {card}) for card in sorted(cards)}


def best_discards(hand: Iterable[int], forbidden: int | None = None) -> tuple[int, list[int]]:
    """The least deadwood after one discard other than `forbidden`, and all discards reaching it."""
    after = {card: value for card, value in discard_deadwoods(hand).items() if card != forbidden}
    least = min(after.values())
    return least, [card for card, value in after.items() if value == least]


# ---------------------------------------------------------------------------------------------
# Layoffs
# ---------------------------------------------------------------------------------------------

LAYOFF_SUITS = "chsd"  # the order of suits of the method `in_order`


class Defence(NamedTuple):
    """How a defender ends up: his melds, the cards he laid off and what he is left with."""

    melds: Arrangement
    laid_off: Cards
    left: Cards

    @property
    def deadwood(self) -> int:
        return total_pips(self.left)


def fits(card: int, meld: Cards) -> bool:
    """Whether the card continues a run at an end or is the fourth of a set."""
    return card not in meld and meld | {card} in MELDS


def lay(card: int, table: tuple[Cards, ...]) -> tuple[Cards, ...] | None:
    """The melds on the table with the card laid on one, a run if it can; None if it fits none.

    The run comes first because there the card may carry further cards, on a set it cannot.
    If two runs take the card it joins them, and it makes no difference which of them gets it.
    """
    places = [index for index, meld in enumerate(table) if fits(card, meld)]
    if not places:
        return None
    index = min(places, key=lambda place: not is_run(table[place]))
    return (*table[:index], table[index] | {card}, *table[index + 1 :])


def optimal_defence(knocker_melds: Iterable[int], hand: Iterable[int]) -> Defence:
    """Melds and layoffs together for least deadwood, by trying every sequence of layoffs.

    From each position reached by laying single cards on single melds (in any order, on any meld
    that takes them) the cards still held are arranged for least deadwood.
    """
    seen: dict[tuple[Cards, tuple[Cards, ...]], tuple[int, Cards]] = {}

    def search(held: Cards, table: tuple[Cards, ...]) -> tuple[int, Cards]:
        position = held, table
        if position not in seen:
            best = deadwood(held), held
            for card in sorted(held):
                for index, meld in enumerate(table):
                    if fits(card, meld):
                        extended = (*table[:index], meld | {card}, *table[index + 1 :])
                        best = min(best, search(held - {card}, extended), key=lambda b: b[0])
            seen[position] = best
        return seen[position]

    cards = frozenset(hand)
    _, kept = search(cards, tuple(cards_of(mask) for mask in knocker_melds))
    melds = least_arrangements(kept)[0]
    return Defence(melds, cards - kept, unmelded(kept, melds))


def lay_off_by(
    knocker_melds: Iterable[int],
    hand: Iterable[int],
    own_melds: Arrangement,
    choose: Callable[[list[int]], int | None],
) -> Defence:
    """Own melds first; then `choose` names a card to lay off, or None, as long as one fits.

    `choose` is given the unmelded cards that fit, in increasing order.
    """
    table = tuple(cards_of(mask) for mask in knocker_melds)
    left = unmelded(hand, own_melds)
    laid: Cards = frozenset()
    while True:
        fitting = [card for card in sorted(left) if lay(card, table) is not None]
        card = choose(fitting) if fitting else None
        if card is None:
            return Defence(own_melds, laid, left)
        extended = lay(card, table)
        assert extended is not None
        table, left, laid = extended, left - {card}, laid | {card}


def dearest(fitting: list[int]) -> int:
    return min(fitting, key=lambda card: (-pips(card), card))


def first_in_order(fitting: list[int]) -> int:
    return min(fitting, key=lambda card: (LAYOFF_SUITS.index(SUITS[suit_of(card)]), card))


def defend(
    knocker_melds: Iterable[int],
    hand: Iterable[int],
    method: str = "optimal",
    own_melds: Arrangement | None = None,
) -> Defence:
    """The defence by a method that needs no random word.

    `own_melds` is the defender's own spread, by default his `fewest_sets` arrangement;
    the method `optimal` does not use it.
    """
    if method == "optimal":
        return optimal_defence(knocker_melds, hand)
    own = fewest_sets(hand) if own_melds is None else own_melds
    if method == "none":
        return lay_off_by((), hand, own, dearest)
    choose = {"greedy": dearest, "in_order": first_in_order}[method]
    return lay_off_by(knocker_melds, hand, own, choose)


# ---------------------------------------------------------------------------------------------
# Random words, decks
# ---------------------------------------------------------------------------------------------

WORD = 1 << 64
GOLDEN = 0x9E3779B97F4A7C15
DECK_STREAM, SECOND_DECK_STREAM, NON_DEALER_STREAM, DEALER_STREAM = range(4)
# What the second table of a partnership has in place of three of these; one card sets the limit
# at both tables, so it has no second deck of its own.
SECOND_TABLE = {DECK_STREAM: 4, NON_DEALER_STREAM: 6, DEALER_STREAM: 7}
DECISIONS = ("draw", "upcard", "big_gin", "knock", "discard", "spread", "layoff")


def mix(z: int) -> int:
    z %= WORD
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 % WORD
    z ^= z >> 27
    z = z * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


@lru_cache(maxsize=64)
def key_of(seed: int) -> tuple[int, int]:
    k0, k1 = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    return int(k0), int(k1)


def stream_state(seed: int, stream: int, deal: int, hand_in_game: int = 0) -> int:
    k0, k1 = key_of(seed)
    return mix(mix(k0 + GOLDEN * deal) ^ ((k1 + GOLDEN * (stream + 16 * hand_in_game)) % WORD))


def word(state: int, n: int) -> int:
    """Word n = 0, 1, ... of the stream: SplitMix64 seeded with the state."""
    return mix(state + GOLDEN * (n + 1))


def decision_word(state: int, turn: int, decision: str) -> int:
    return word(state, 16 * turn + DECISIONS.index(decision))


def next_word(w: int) -> int:
    """The word for a repeated choice within one decision."""
    return mix(w + GOLDEN)


def pick(w: int, n: int) -> int:
    return w * n >> 64


def draw_indices(bounds: Sequence[int], words: Iterator[int]) -> list[int]:
    """One index below each bound, all from one word; the word is replaced if not fair."""
    product = math.prod(bounds)
    for w in words:
        indices, rest = [], w
        for bound in bounds:
            index, rest = divmod(rest * bound, WORD)
            indices.append(index)
        if rest >= WORD % product:
            return indices
    raise AssertionError("a stream of words never ends")


def stream_words(state: int) -> Iterator[int]:
    n = 0
    while True:
        yield word(state, n)
        n += 1


def deck(
    seed: int, deal: int, hand_in_game: int = 0, ranks: int = 13, stream: int = DECK_STREAM
) -> list[int]:
    """The whole deck of a deal in the order of drawing."""
    words = stream_words(stream_state(seed, stream, deal, hand_in_game))
    remaining = deck_cards(ranks)
    order: list[int] = []
    while remaining:
        size = len(remaining)
        bounds = range(size, max(size - 7, 0), -1)
        for index in draw_indices(bounds, words):
            order.append(remaining[index])
            remaining[index] = remaining[-1]
            remaining.pop()
    return order


def second_deck_card(seed: int, deal: int, hand_in_game: int = 0, ranks: int = 13) -> int:
    """The top card of the second deck."""
    cards = deck_cards(ranks)
    words = stream_words(stream_state(seed, SECOND_DECK_STREAM, deal, hand_in_game))
    return cards[draw_indices([len(cards)], words)[0]]


# ---------------------------------------------------------------------------------------------
# Rules and strategies: what `play_hand` reads of them
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """The fields of a rule set that matter within one hand. The defaults are `kawu`."""

    deal: str = "upcard"
    return_taken_card: bool = False
    give_back_limit: int = 0
    knock_card: str = "none"
    knock_limit: int | str = 10
    ace_limit: str = "one"
    spade_doubles: str = "none"
    gin_bonus: int = 25
    undercut_bonus: int = 25
    clean_undercut_bonus: int = 25
    big_gin_bonus: int | str = "off"
    tie: str = "undercut"
    spread: str = "any"
    layoffs: bool = True
    dead_at: int = 2
    wall: str = "dead"
    max_pile_draws: int = 50
    box_base: int = 0
    box_gin: int = 0
    box_undercut: int = 0
    box_clean_undercut: int = 0
    box_big_gin: int = 0


RULE_VALUES: dict[str, tuple[str, ...]] = {
    "deal": ("upcard", "eleven"),
    "knock_card": ("none", "upcard", "second-deck"),
    "ace_limit": ("one", "gin"),
    "spade_doubles": ("none", "points", "prizes", "all"),
    "tie": ("undercut", "knocker", "nobody"),
    "spread": ("any", "least"),
    "wall": ("dead", "fiftieth"),
}

STRATEGY_VALUES: dict[str, tuple[str, ...]] = {
    "upcard": ("random", "meld", "improve", "never", "always", "gain"),
    "draw": ("random", "meld", "improve", "never", "always", "gain"),
    "discard": ("random", "least", "uniform", "weighed"),
    "knock": ("random", "threshold", "table"),
    "big_gin": ("random", "always"),
    "spread": ("random", "uniform", "fewest_sets", "first", "expected", "clairvoyant"),
    "cheats": ("no", "yes"),
    "layoff": ("optimal", "greedy", "in_order", "none", "random"),
}

KAWU = Rules()
CLASSIC = replace(KAWU, gin_bonus=20, undercut_bonus=10, clean_undercut_bonus=10, spread="least")
HOLLYWOOD = Rules(
    deal="eleven",
    knock_card="second-deck",
    knock_limit="card",
    spade_doubles="prizes",
    gin_bonus=25,
    undercut_bonus=20,
    clean_undercut_bonus=25,
    big_gin_bonus=30,
    box_base=1,
    box_gin=2,
    box_undercut=1,
    box_clean_undercut=2,
    box_big_gin=3,
)
RULESETS: dict[str, Rules] = {
    "hollywood": HOLLYWOOD,
    "classic": CLASSIC,
    "casual": replace(
        KAWU,
        return_taken_card=True,
        undercut_bonus=20,
        clean_undercut_bonus=20,
        big_gin_bonus=31,
    ),
    "modern": replace(KAWU, big_gin_bonus=31),
    "kawu": KAWU,
    "straight": replace(KAWU, knock_limit=0),
    "oklahoma": replace(KAWU, knock_card="upcard", knock_limit="card"),
    "eaai": KAWU,
    "openspiel": replace(
        KAWU, return_taken_card=True, give_back_limit=2, tie="nobody", wall="fiftieth"
    ),
    "pagat": replace(CLASSIC, spread="any"),
}


@dataclass(frozen=True)
class Strategy:
    """One rule for each decision, by the names of docs/engine.md."""

    upcard: str
    draw: str
    discard: str
    knock: str
    knock_at: int
    big_gin: str
    spread: str
    layoff: str
    # In place of knock_at, once the partner is known to have won or lost so many points.
    knock_after_win: int | str = "same"
    win_from: int = 1
    knock_after_loss: int | str = "same"
    loss_from: int = 1
    cheats: str = "no"
    # Points missing to the target, and thresholds by turn then.
    close_from: int = 0
    knock_close: str = "10"
    guard_from: int = 0
    knock_guard: str = "10"
    # By turn.
    take_gain: str = "99"
    keep_pairs: int = 0
    weigh_deadwood: str = "1"
    weigh_rank: str = "0"
    weigh_pairs: str = "0"
    weigh_runs: str = "0"
    weigh_unseen: str = "0"
    weigh_known: str = "0"
    knock_table: str = "10"


def greedy(knock_at: int = 10, layoff: str = "optimal") -> Strategy:
    return Strategy(
        upcard="improve",
        draw="improve",
        discard="least",
        knock="threshold",
        knock_at=knock_at,
        big_gin="always",
        spread="fewest_sets",
        layoff=layoff,
    )


def expand_turns(text: str) -> list[str]:
    """The entries of a text by turn, `a/b*3` as a, b, b, b."""
    entries: list[str] = []
    for part in text.split("/"):
        entry, _, times = part.partition("*")
        entries += [entry] * int(times or 1)
    return entries


def value_at(text: str, turn: int) -> int:
    """The number of a turn, from 1."""
    values = expand_turns(text)
    return int(values[min(turn, len(values)) - 1])


def deadwoods_at(table: str, limit: int, pick_ups: int, turn: int) -> set[int]:
    """The deadwoods with which a knock table knocks."""
    rows, *others = table.split("|")
    for other in others:
        of_limit, _, its_rows = other.partition(":")
        if int(of_limit) == limit:
            rows = its_rows
    row = rows.split(";")[min(pick_ups, rows.count(";"))]
    entries = expand_turns(row)
    entry = entries[min(turn, len(entries)) - 1]
    deadwoods: set[int] = set()
    for part in entry.split("+") if entry != "none" else []:
        first, dash, last = part.rpartition("-")
        deadwoods |= set(range(int(first) if dash else 0, int(last) + 1))
    return deadwoods


STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(
        upcard="random",
        draw="random",
        discard="random",
        knock="random",
        knock_at=10,  # not used by the rule `random`
        big_gin="random",
        spread="random",
        layoff="random",
    ),
    "simple": Strategy(
        upcard="meld",
        draw="meld",
        discard="uniform",
        knock="threshold",
        knock_at=10,
        big_gin="always",
        spread="uniform",
        layoff="in_order",
    ),
    "greedy": greedy(),
}


def check_values(fields: Any, allowed: dict[str, tuple[str, ...]]) -> None:
    """Misspelt values would be played as something else, so they are refused."""
    for field, values in allowed.items():
        if getattr(fields, field) not in values:
            raise ValueError(f"{field} is {getattr(fields, field)!r}, not one of {values}")


def check_rules(rules: Any) -> None:
    check_values(rules, RULE_VALUES)
    if rules.knock_limit == "card" and rules.knock_card == "none":
        raise ValueError("knock_limit is 'card' but there is no knock card")
    if rules.deal == "eleven" and rules.knock_card == "upcard":
        raise ValueError("an eleven deal has no upcard to be the knock card")


# ---------------------------------------------------------------------------------------------
# Scoring a hand
# ---------------------------------------------------------------------------------------------


def limit_of(rules: Any, knock_card: int) -> int:
    """The most deadwood one may knock with; `knock_card` is -1 where there is none."""
    if rules.knock_limit != "card":
        return int(rules.knock_limit)
    if rank_of(knock_card) == 0:
        return 0 if rules.ace_limit == "gin" else 1
    return pips(knock_card)


def score_hand(
    rules: Any,
    knocker_deadwood: int,
    defender_deadwood: int,
    big_gin: bool = False,
    spade: bool = False,
) -> dict[str, Any]:
    """Outcome, winner ('knocker', 'defender' or None), points, boxes and prize boxes.

    `defender_deadwood` is counted after layoffs. Big gin under rules without it is gin.
    """
    difference = abs(defender_deadwood - knocker_deadwood)
    winner: str | None
    if big_gin and rules.big_gin_bonus != "off":
        outcome, winner = "big_gin", "knocker"
        points, prize = difference + int(rules.big_gin_bonus), rules.box_big_gin
    elif knocker_deadwood == 0:
        outcome, winner = "gin", "knocker"
        points, prize = difference + rules.gin_bonus, rules.box_gin
    elif knocker_deadwood < defender_deadwood:
        outcome, winner = "knock", "knocker"
        points, prize = difference, 0
    elif knocker_deadwood == defender_deadwood and rules.tie == "knocker":
        outcome, winner = "knock", "knocker"
        points, prize = 0, 0
    elif knocker_deadwood == defender_deadwood and rules.tie == "nobody":
        outcome, winner = "tie", None
        points, prize = 0, 0
    elif defender_deadwood == 0:
        outcome, winner = "clean_undercut", "defender"
        points, prize = difference + rules.clean_undercut_bonus, rules.box_clean_undercut
    else:
        outcome, winner = "undercut", "defender"
        points, prize = difference + rules.undercut_bonus, rules.box_undercut

    base = rules.box_base if winner is not None else 0
    if spade:
        if rules.spade_doubles in ("points", "prizes", "all"):
            points *= 2
        if rules.spade_doubles in ("prizes", "all"):
            prize *= 2
        if rules.spade_doubles == "all":
            base *= 2
    return {
        "outcome": outcome,
        "winner": winner,
        "points": points,
        "boxes": base + prize,
        "prize_boxes": prize,
    }


# ---------------------------------------------------------------------------------------------
# Playing a hand
# ---------------------------------------------------------------------------------------------

DEAD_REASONS = ("none", "stock", "pile_draws", "give_backs")


def makes_meld(hand: Cards, card: int) -> bool:
    """Whether the card, added to the hand, is part of some meld."""
    return any(card in meld for meld in _melds_within(hand | {card}))


def improves(hand: Cards, card: int) -> bool:
    """Whether taking the card and throwing another leaves strictly less deadwood.

    A gin hand is never improved, not even by the card that would make big gin of it.
    """
    return best_discards(hand | {card}, forbidden=card)[0] < deadwood(hand)


@lru_cache
def rank_mates(card: int) -> Cards:
    """The other cards of its rank."""
    return frozenset(other for other in range(52) if rank_of(other) == rank_of(card)) - {card}


@lru_cache
def melding_pairs(card: int) -> list[Cards]:
    """The pairs of cards with which a card makes a set or a run of three."""
    return [meld - {card} for meld in MELDS if len(meld) == 3 and card in meld]


class Hand:
    """One hand from the deal to its end; `play` leaves the events and the result behind.

    The methods named `decide_...` are the decisions of docs/engine.md, in the order of its
    table; a subclass may replace them to force a line of play.
    """

    def __init__(
        self,
        rules: Any,
        strategies: Sequence[Any],
        cards: Sequence[int],
        dealer: int,
        states: Sequence[int] = (0, 0),
        hand_size: int = 10,
        second_deck_card: int = NO_CARD,
    ) -> None:
        """`cards` is the deck in order, `states` the decision streams of south and north."""
        check_rules(rules)
        for strategy in strategies:
            check_values(strategy, STRATEGY_VALUES)
        if len(cards) < 2 * hand_size + 2:
            raise ValueError(f"{len(cards)} cards cannot deal two hands of {hand_size}")
        self.rules = rules
        self.strategies = tuple(strategies)
        self.dealer = dealer
        self.states = tuple(states)

        dealt = 2 * hand_size
        self.hands: list[Cards] = [frozenset(), frozenset()]
        self.hands[1 - dealer] = frozenset(cards[0:dealt:2])
        self.hands[dealer] = frozenset(cards[1:dealt:2])
        self.pile: list[int] = []
        self.stock = list(cards[dealt + 1 :])
        if rules.deal == "eleven":
            self.hands[1 - dealer] |= {cards[dealt]}
        else:
            self.pile.append(cards[dealt])

        self.knock_card = {
            "none": NO_CARD,
            "upcard": cards[dealt],
            "second-deck": second_deck_card,
        }[rules.knock_card]
        self.limit = limit_of(rules, self.knock_card)

        self.turns = [0, 0]  # turns begun
        self.pile_draws = [0, 0]
        self.knock_turns = [0, 0]  # first own turn on which the seat could end the hand
        self.give_backs = 0  # turns up to now, in a row, that gave back the card taken
        self.used_pairs: list[set[Cards]] = [set(), set()]
        self.known: list[Cards] = [frozenset(), frozenset()]  # taken and not thrown since
        self.refused: list[Cards] = [frozenset(), frozenset()]  # left lying or thrown
        self.events: list[Event] = []
        self.result: dict[str, Any] = {}
        # Of the game before the hand; no target for a hand by itself and in Hollywood's columns.
        self.scores = (0, 0)
        self.target = 0
        # In a partnership: south's points at the other table, as soon as they are known here.
        self.other_net: int | None = None

    # -- the course of the hand ----------------------------------------------------------------

    def play(self) -> None:
        for _ in self.play_by_turns():
            pass

    def play_by_turns(self) -> Iterator[None]:
        """The hand, with a stop before every draw decision, that at the wall too."""
        seat, source = self.open()
        while not self.play_turn(seat, source):
            seat = 1 - seat
            reason = self.dead_reason()
            if reason == "stock" and self.rules.wall == "fiftieth" and self.asks_at_wall(seat):
                yield
                if self.takes_at_wall(seat):
                    self.play_turn(seat, "pile", at_wall=True)
                    return
            if reason != "none":
                self.finish_dead(reason)
                return
            yield
            source = "pile" if self.decide_draw(seat) else "stock"

    def open(self) -> tuple[int, str]:
        """Who begins the first turn, and with a card from where."""
        non_dealer = 1 - self.dealer
        if self.rules.deal == "eleven":
            return non_dealer, "deal"
        for seat in (non_dealer, self.dealer):
            if self.decide_upcard(seat):
                return seat, "pile"
            self.refused[seat] |= {self.pile[-1]}
            self.log("pass", seat, card=self.pile[-1])
        return non_dealer, "stock"

    def play_turn(self, seat: int, source: str, at_wall: bool = False) -> bool:
        """A turn from the draw to the discard; true if it ended the hand."""
        self.turns[seat] += 1
        drawn = self.draw_card(seat, source)
        allowed = self.allowed_discards(seat, drawn, source, at_wall)
        knocking = [card for card in allowed if self.deadwood_without(seat, card) <= self.limit]
        has_big_gin = self.has_big_gin(self.hands[seat])
        if (has_big_gin or knocking) and self.knock_turns[seat] == 0:
            self.knock_turns[seat] = self.turns[seat]

        # At the wall the hand must end: by big gin even against a no if no discard would do
        # (that takes a short hand: of eleven melded cards one can always be spared).
        forced = at_wall and not knocking
        if has_big_gin and (forced or self.decide_big_gin(seat, self.turns[seat])):
            self.log("big_gin", seat)
            self.finish_knock(seat, big_gin=True)
            return True
        turn = self.turns[seat]
        if knocking and (at_wall or self.decide_knock(seat, turn, drawn, allowed)):
            card = self.decide_knock_discard(seat, drawn, knocking)
            self.throw(seat, card)
            self.log("knock", seat, card=card)
            self.finish_knock(seat, big_gin=False)
            return True
        card = self.decide_discard(seat, drawn, allowed)
        self.throw(seat, card)
        self.log("discard", seat, card=card)
        if drawn is not None:
            self.used_pairs[seat].add(frozenset({drawn, card}))
        gave_back = source == "pile" and card == drawn
        self.give_backs = self.give_backs + 1 if gave_back else 0
        return False

    def draw_card(self, seat: int, source: str) -> int | None:
        if source == "deal":
            return None
        if source == "pile":
            card = self.pile.pop()
            self.pile_draws[seat] += 1
            self.known[seat] |= {card}
            self.log("draw_pile", seat, card=card)
        else:
            self.refused[seat] |= set(self.pile[-1:])
            card = self.stock.pop(0)
            self.log("draw_stock", seat, card=card)
        self.hands[seat] |= {card}
        return card

    def throw(self, seat: int, card: int) -> None:
        self.hands[seat] -= {card}
        self.known[seat] -= {card}
        self.refused[seat] |= {card}
        self.pile.append(card)

    def allowed_discards(
        self, seat: int, drawn: int | None, source: str, at_wall: bool
    ) -> list[int]:
        banned = source == "pile" and (at_wall or not self.rules.return_taken_card)
        return [card for card in sorted(self.hands[seat]) if not (banned and card == drawn)]

    def deadwood_without(self, seat: int, card: int) -> int:
        return deadwood(self.hands[seat] - {card})

    def has_big_gin(self, cards: Cards) -> bool:
        return self.rules.big_gin_bonus != "off" and deadwood(cards) == 0

    def dead_reason(self) -> str:
        rules = self.rules
        if rules.give_back_limit and self.give_backs >= rules.give_back_limit:
            return "give_backs"
        if sum(self.pile_draws) >= rules.max_pile_draws:
            return "pile_draws"
        if len(self.stock) <= rules.dead_at:
            return "stock"
        return "none"

    def can_knock_at_wall(self, seat: int) -> bool:
        cards = self.hands[seat] | {self.pile[-1]}
        return any(deadwood(cards - {thrown}) <= self.limit for thrown in self.hands[seat])

    def asks_at_wall(self, seat: int) -> bool:
        """Whether the seat could end the hand with the last discard."""
        cards = self.hands[seat] | {self.pile[-1]}
        return self.can_knock_at_wall(seat) or self.has_big_gin(cards)

    def takes_at_wall(self, seat: int) -> bool:
        """Whether the seat can end the hand with the last discard, and will."""
        return self.asks_at_wall(seat) and self.decide_wall(
            seat, self.pile[-1], self.can_knock_at_wall(seat)
        )

    def log(self, kind: str, seat: int, card: int = NO_CARD, mask: int = 0) -> None:
        self.events.append((kind, seat, card, mask))

    # -- decisions -----------------------------------------------------------------------------

    def word(self, seat: int, turn: int, decision: str) -> int:
        return decision_word(self.states[seat], turn, decision)

    def say_yes(self, seat: int, turn: int, decision: str) -> bool:
        return pick(self.word(seat, turn, decision), 2) == 1

    def decide_upcard(self, seat: int) -> bool:
        return self.wants_pile_card(seat, self.strategies[seat].upcard, 1, "upcard")

    def decide_draw(self, seat: int) -> bool:
        turn = self.turns[seat] + 1
        return self.wants_pile_card(seat, self.strategies[seat].draw, turn, "draw")

    def wants_pile_card(self, seat: int, rule: str, turn: int, decision: str) -> bool:
        if rule == "random":
            return self.say_yes(seat, turn, decision)
        if rule == "meld":
            return makes_meld(self.hands[seat], self.pile[-1])
        if rule in ("never", "always"):
            return rule == "always"
        if rule == "gain":
            return self.gains(seat, turn)
        return improves(self.hands[seat], self.pile[-1])

    def gains(self, seat: int, turn: int) -> bool:
        """The draw rule `gain`."""
        strategy = self.strategies[seat]
        hand, card = self.hands[seat], self.pile[-1]
        before = deadwood(hand)
        after, _ = best_discards(hand | {card}, forbidden=card)
        if after < before and makes_meld(hand, card):
            return True
        if before - after >= value_at(strategy.take_gain, turn):
            return True
        return strategy.knock != "random" and self.knocks_with(seat, turn, after)

    def decide_wall(self, seat: int, card: int, can_knock: bool) -> bool:
        """The draw decision at the wall; other rules than `random` look one decision ahead."""
        turn = self.turns[seat] + 1
        if self.strategies[seat].draw == "random":
            return self.say_yes(seat, turn, "draw")
        before = self.hands[seat]
        self.hands[seat] = before | {card}
        big_gin = self.has_big_gin(self.hands[seat]) and (
            not can_knock or self.decide_big_gin(seat, turn)
        )
        knock = can_knock and self.decide_knock(seat, turn, card, sorted(before))
        self.hands[seat] = before
        return big_gin or knock

    def decide_big_gin(self, seat: int, turn: int) -> bool:
        if self.strategies[seat].big_gin == "random":
            return self.say_yes(seat, turn, "big_gin")
        return True

    def decide_knock(self, seat: int, turn: int, drawn: int | None, allowed: list[int]) -> bool:
        if self.strategies[seat].knock == "random":
            return self.say_yes(seat, turn, "knock")
        considered = self.considered_discards(seat, drawn, allowed)
        least = min(self.deadwood_without(seat, card) for card in considered)
        return self.knocks_with(seat, turn, least)

    def knocks_with(self, seat: int, turn: int, least: int) -> bool:
        """Whether the rule `threshold` or `table` knocks with that deadwood."""
        strategy = self.strategies[seat]
        if least > self.limit:
            return False
        if strategy.knock == "table" and self.partner_threshold(seat) is None:
            missing = [self.target - score for score in self.scores]
            if self.target and missing[seat] <= strategy.close_from:
                return least <= value_at(strategy.knock_close, turn)
            if self.target and missing[1 - seat] <= strategy.guard_from:
                return least <= value_at(strategy.knock_guard, turn)
            pick_ups = self.pile_draws[1 - seat]
            return least in deadwoods_at(strategy.knock_table, self.limit, pick_ups, turn)
        return least <= self.threshold(seat)

    def threshold(self, seat: int) -> int:
        """The deadwood at which the seat knocks, after what is known of the other table."""
        threshold = self.partner_threshold(seat)
        return int(self.strategies[seat].knock_at) if threshold is None else threshold

    def partner_threshold(self, seat: int) -> int | None:
        """The deadwood at which the seat knocks for what is known of the other table, if any."""
        strategy = self.strategies[seat]
        if self.other_net is not None:
            partner_won = self.other_net if seat == 0 else -self.other_net
            if partner_won >= strategy.win_from and strategy.knock_after_win != "same":
                return int(strategy.knock_after_win)
            if -partner_won >= strategy.loss_from and strategy.knock_after_loss != "same":
                return int(strategy.knock_after_loss)
        return None

    def considered_discards(self, seat: int, drawn: int | None, candidates: list[int]) -> list[int]:
        """The candidates a discard rule chooses from: `uniform` avoids repeating a pair."""
        if self.strategies[seat].discard != "uniform" or drawn is None:
            return candidates
        used = self.used_pairs[seat]
        fresh = [card for card in candidates if frozenset({drawn, card}) not in used]
        return fresh or candidates

    def decide_knock_discard(self, seat: int, drawn: int | None, candidates: list[int]) -> int:
        """The card thrown when knocking: by `weighed` as by `least`."""
        if self.strategies[seat].discard == "weighed":
            return self.find_least_discard(seat, candidates)
        return self.decide_discard(seat, drawn, candidates)

    def find_least_discard(self, seat: int, candidates: list[int]) -> int:
        after = {card: self.deadwood_without(seat, card) for card in candidates}
        return min(candidates, key=lambda card: (after[card], -pips(card), card))

    def decide_discard(self, seat: int, drawn: int | None, candidates: list[int]) -> int:
        """One of the candidates, which are in increasing order."""
        rule = self.strategies[seat].discard
        considered = self.considered_discards(seat, drawn, candidates)
        if rule == "weighed":
            if best := self.worth_most(seat, candidates):
                return min(best, key=lambda card: (-pips(card), card))
            return self.find_least_discard(seat, candidates)
        if rule == "least":
            return self.find_least_discard(seat, considered)
        after = {card: self.deadwood_without(seat, card) for card in considered}
        if rule == "uniform":
            least = min(after.values())
            considered = [card for card in considered if after[card] == least]
        w = self.word(seat, self.turns[seat], "discard")
        return considered[pick(w, len(considered))]

    def worth_most(self, seat: int, candidates: list[int]) -> list[int]:
        """The cards of the greatest worth to the discard rule `weighed`; none if none is loose."""
        strategy, turn = self.strategies[seat], self.turns[seat]
        hand, known, refused = self.hands[seat], self.known[1 - seat], self.refused[1 - seat]
        alive = frozenset(range(52)) - hand - set(self.pile)
        unseen = alive - known
        whole = deadwood(hand)
        saved = {card: whole - self.deadwood_without(seat, card) for card in hand}
        loose = frozenset(card for card in hand if saved[card] > 0)
        partners = loose.union(*(meld for meld in melds_within(hand) if is_run(meld)))
        considered = [card for card in candidates if card in loose]

        if turn <= strategy.keep_pairs:
            alone = [card for card in considered if not rank_mates(card) & loose]
            considered = alone or considered

        def is_excluded(card: int, pair: Cards) -> bool:
            if card in refused:
                return True
            if not is_run(pair | {card}):
                return bool(rank_mates(card) & refused)
            # A card that would have made a run with the pair, other than the card itself.
            ends = [end for end in refused if is_meld(pair | {end}) and is_run(pair | {end})]
            return bool(ends)

        def worth(card: int) -> int:
            pairs = len(rank_mates(card) & unseen) if rank_mates(card) & loose else 0
            in_runs = [pair for pair in melding_pairs(card) if is_run(pair | {card})]
            runs = sum(
                any(new in pair and pair - {new} <= partners for pair in in_runs) for new in unseen
            )
            dangers = [pair for pair in melding_pairs(card) if pair <= alive]
            hidden = [p for p in dangers if p <= unseen and not is_excluded(card, p)]
            return (
                value_at(strategy.weigh_deadwood, turn) * saved[card]
                + value_at(strategy.weigh_rank, turn) * (rank_of(card) + 1)
                - value_at(strategy.weigh_pairs, turn) * pairs
                - value_at(strategy.weigh_runs, turn) * runs
                - value_at(strategy.weigh_unseen, turn) * len(hidden)
                - value_at(strategy.weigh_known, turn) * sum(len(p & known) for p in dangers)
            )

        worths = {card: worth(card) for card in considered}
        return [card for card in considered if worths[card] == max(worths.values())]

    def decide_spread(self, seat: int, choices: list[Arrangement]) -> Arrangement:
        """`choices` are those of the rule `random`; the other rules spread least deadwood."""
        rule = self.strategies[seat].spread
        hand = self.hands[seat]
        # Those that think of layoffs do so as knocker, see `decide_knocker_spread`.
        if rule in ("fewest_sets", "expected", "clairvoyant"):
            return fewest_sets(hand)
        if rule == "first":
            return least_arrangements(hand)[0]
        if rule == "uniform":
            choices = least_arrangements(hand)
        return choices[pick(self.word(seat, self.turns[seat], "spread"), len(choices))]

    def decide_knocker_spread(self, seat: int, big_gin: bool) -> Arrangement:
        hand = self.hands[seat]
        rule = self.strategies[seat].spread
        if rule in ("expected", "clairvoyant"):
            only_least = self.rules.spread == "least" or deadwood(hand) == 0
            if rule == "expected":
                only_least |= not self.rules.layoffs
            choices = [
                a
                for a in arrangements(hand)
                if arrangement_deadwood(hand, a) <= (deadwood(hand) if only_least else self.limit)
            ]
            cost = self.expected_cost if rule == "expected" else self.cost_if_seen
            return min(choices, key=lambda arrangement: cost(seat, arrangement))
        if big_gin or self.rules.spread == "least":
            return self.decide_spread(seat, least_arrangements(hand))
        within = [a for a in arrangements(hand) if arrangement_deadwood(hand, a) <= self.limit]
        return self.decide_spread(seat, within)

    def expected_cost(self, seat: int, arrangement: Arrangement) -> int:
        """Its deadwood and what can be expected to be laid off, times the unseen cards."""
        hand, known = self.hands[seat], self.known[1 - seat]
        unseen = frozenset(range(52)) - hand - known - set(self.pile)
        melds = [cards_of(mask) for mask in arrangement]

        def fitting_pips(cards: Cards) -> int:
            return total_pips(card for card in cards if any(fits(card, meld) for meld in melds))

        own = arrangement_deadwood(hand, arrangement)
        num_hidden = len(hand) - len(known)
        return len(unseen) * (own + fitting_pips(known)) + num_hidden * fitting_pips(unseen)

    def cost_if_seen(self, seat: int, arrangement: Arrangement) -> int:
        """Its deadwood less that of the opponent, whose hand is looked at."""
        own = arrangement_deadwood(self.hands[seat], arrangement)
        melds = arrangement if self.rules.layoffs and own > 0 else ()
        return own - optimal_defence(melds, self.hands[1 - seat]).deadwood

    def decide_defence(self, seat: int, knocker_melds: Arrangement) -> Defence:
        """Spread and layoff of the defender; no melds are given where none take layoffs."""
        hand = self.hands[seat]
        method = self.strategies[seat].layoff
        if method == "optimal":
            return optimal_defence(knocker_melds, hand)
        own = self.decide_spread(seat, arrangements(hand))
        if method == "random":
            return self.lay_off_at_random(seat, knocker_melds, own)
        return defend(knocker_melds, hand, method, own)

    def lay_off_at_random(self, seat: int, knocker_melds: Arrangement, own: Arrangement) -> Defence:
        w = self.word(seat, self.turns[seat], "layoff")

        def choose(fitting: list[int]) -> int | None:
            nonlocal w
            choices: list[int | None] = [*fitting, None]
            choice = choices[pick(w, len(choices))]
            w = next_word(w)
            return choice

        return lay_off_by(knocker_melds, self.hands[seat], own, choose)

    # -- the end -------------------------------------------------------------------------------

    def finish_dead(self, reason: str) -> None:
        self.log("dead", NO_SEAT, card=DEAD_REASONS.index(reason))
        self.result = {
            "outcome": "dead",
            "dead_reason": reason,
            "winner": NO_SEAT,
            "knocker": NO_SEAT,
            "points": 0,
            "net": 0,
            "boxes": 0,
            "prize_boxes": 0,
            "south_deadwood": deadwood(self.hands[0]),
            "north_deadwood": deadwood(self.hands[1]),
            "laid_off": 0,
        }

    def finish_knock(self, knocker: int, big_gin: bool) -> None:
        defender = 1 - knocker
        spread = self.decide_knocker_spread(knocker, big_gin)
        knocker_left = unmelded(self.hands[knocker], spread)
        knocker_deadwood = total_pips(knocker_left)

        open_to_layoffs = self.rules.layoffs and knocker_deadwood > 0
        defence = self.decide_defence(defender, spread if open_to_layoffs else ())
        # Negative for a defender who arranges his hand badly.
        saved = deadwood(self.hands[defender]) - defence.deadwood

        for mask in spread:
            self.log("meld", knocker, mask=mask)
        self.log("unmelded", knocker, mask=mask_of(knocker_left))
        for mask in defence.melds:
            self.log("meld", defender, mask=mask)
        self.log("layoff", defender, mask=mask_of(defence.laid_off))
        self.log("unmelded", defender, mask=mask_of(defence.left))

        spade = self.knock_card != NO_CARD and suit_of(self.knock_card) == SPADES
        score = score_hand(self.rules, knocker_deadwood, defence.deadwood, big_gin, spade)
        seats = {"knocker": knocker, "defender": defender, None: NO_SEAT}
        winner = seats[score["winner"]]
        deadwoods = {knocker: knocker_deadwood, defender: defence.deadwood}
        self.result = {
            "outcome": score["outcome"],
            "dead_reason": "none",
            "winner": winner,
            "knocker": knocker,
            "points": score["points"],
            "net": -score["points"] if winner == 1 else score["points"],
            "boxes": score["boxes"],
            "prize_boxes": score["prize_boxes"],
            "south_deadwood": deadwoods[0],
            "north_deadwood": deadwoods[1],
            "laid_off": saved,
        }

    def record(self) -> dict[str, Any]:
        """The result and the counts of a hand that has been played."""
        return {
            **self.result,
            "knock_limit": self.limit,
            "knock_card": self.knock_card,
            "turns": sum(self.turns),
            "stock": len(self.stock),
            "south_pile_draws": self.pile_draws[0],
            "north_pile_draws": self.pile_draws[1],
            "south_knock_turn": self.knock_turns[0],
            "north_knock_turn": self.knock_turns[1],
        }


def deal_hand(
    rules: Any,
    strategies: Sequence[Any],
    seed: int,
    deal: int,
    dealer: int,
    hand_in_game: int = 0,
    ranks: int = 13,
    hand_size: int = 10,
    second_table: bool = False,
) -> Hand:
    """A hand ready to play, with the deck and the decision streams of the deal."""
    streams = [DECK_STREAM, NON_DEALER_STREAM, DEALER_STREAM]
    if second_table:
        streams = [SECOND_TABLE[stream] for stream in streams]
    states = [0, 0]
    states[1 - dealer] = stream_state(seed, streams[1], deal, hand_in_game)
    states[dealer] = stream_state(seed, streams[2], deal, hand_in_game)
    return Hand(
        rules,
        strategies,
        deck(seed, deal, hand_in_game, ranks, streams[0]),
        dealer,
        states,
        hand_size,
        second_deck_card(seed, deal, hand_in_game, ranks),
    )


def deal_and_dealer(hand: int, mirror: bool = False) -> tuple[int, int]:
    """The deal that a hand plays, and the seat that deals it."""
    if not mirror:
        return hand, hand % 2
    deal = hand // 2
    return deal, deal % 2 if hand % 2 == 0 else 1 - deal % 2


def play_hand(
    rules: Any,
    strategies: Sequence[Any],
    seed: int,
    hand: int,
    mirror: bool = False,
    ranks: int = 13,
    hand_size: int = 10,
) -> tuple[list[Event], dict[str, Any]]:
    """Play one hand of a simulation; `strategies` are those of south and north.

    Returns the events (kind, seat, card, mask) and the record of the hand.
    """
    deal, dealer = deal_and_dealer(hand, mirror)
    played = deal_hand(rules, strategies, seed, deal, dealer, ranks=ranks, hand_size=hand_size)
    played.play()
    return played.events, {"hand": hand, "deal": deal, "dealer": dealer, **played.record()}


def promised_events(events: Iterable[Event], strategies: Sequence[Any]) -> list[Event]:
    """The events on which two engines must agree.

    All of them, but for the melds, layoffs and unmelded cards of a defender whose layoff is
    `optimal`: of those only the deadwood is promised, and the record has that.
    """
    promised: list[Event] = []
    knocker = NO_SEAT
    for event in events:
        kind, seat = event[0], event[1]
        if kind in ("knock", "big_gin"):
            knocker = seat
        of_defender = knocker != NO_SEAT and seat == 1 - knocker
        if not (of_defender and strategies[seat].layoff == "optimal"):
            promised.append(event)
    return promised


# ---------------------------------------------------------------------------------------------
# Two tables
# ---------------------------------------------------------------------------------------------

PLAYERS = "ABCD"
# South and north at table 1, then at table 2: A and B against C and D.
PAIRINGS = (("AC", "BD"), ("AD", "BC"))


class Net(NamedTuple):
    """What two tables brought the pairs: `pair` won the hand, -1 for none."""

    kind: str
    pair: int
    points: int
    boxes: int
    prize_boxes: int


def net_tables(
    rules: Any, first: dict[str, Any], second: dict[str, Any], spade: bool = False
) -> Net:
    """The hand of the pairs from the records of the two tables (winner, points, prize boxes)."""
    points, prizes, tables = [0, 0], [0, 0], [0, 0]
    for table in (first, second):
        pair = table["winner"]
        if pair != NO_SEAT:
            points[pair] += table["points"]
            prizes[pair] += table["prize_boxes"]
            tables[pair] += 1
    if tables == [0, 0]:
        return Net("none", NO_SEAT, 0, 0, 0)
    if points[0] == points[1]:
        return Net("level", NO_SEAT, 0, 0, 0)
    pair = 0 if points[0] > points[1] else 1
    kind = {(2, 0): "both", (1, 1): "split", (1, 0): "one"}[tables[pair], tables[1 - pair]]
    prize = max(prizes[pair] - prizes[1 - pair], 0)
    base = rules.box_base
    if spade and rules.spade_doubles == "all":
        base *= 2
    return Net(kind, pair, points[pair] - points[1 - pair], base + prize, prize)


class Tables:
    """Two tables that play their hands in lockstep, turn by turn.

    `known_after` turns after a table's last one its result is known at the other: 1 by the
    rules. Other values play what is not the game, for tests that must tell the difference.
    """

    def __init__(self, first: Hand, second: Hand, known_after: int = 1) -> None:
        self.tables = (first, second)
        self.known_after = known_after

    def play(self) -> None:
        plays = [table.play_by_turns() for table in self.tables]
        ended: dict[int, int] = {}  # table: the turn in which its hand ended
        turn = 0
        while len(ended) < 2:
            turn += 1
            for number in (0, 1):
                if number in ended:
                    continue
                other = 1 - number
                if other in ended and ended[other] + self.known_after <= turn:
                    self.tables[number].other_net = self.tables[other].result["net"]
                try:
                    next(plays[number])
                except StopIteration:
                    ended[number] = turn

    @property
    def net(self) -> Net:
        first, second = self.tables
        spade = first.knock_card != NO_CARD and suit_of(first.knock_card) == SPADES
        return net_tables(first.rules, first.result, second.result, spade)


def deal_tables(
    rules: Any,
    strategies: Sequence[Any],
    seed: int,
    deal: int,
    dealer: int,
    hand_in_game: int = 0,
    pairing: int = 0,
    known_after: int = 1,
) -> Tables:
    """Both tables ready to play; `strategies` are those of A, B, C and D."""
    first, second = (
        deal_hand(
            rules,
            [strategies[PLAYERS.index(player)] for player in seats],
            seed,
            deal,
            dealer,
            hand_in_game,
            second_table=number == 1,
        )
        for number, seats in enumerate(PAIRINGS[pairing])
    )
    return Tables(first, second, known_after)
