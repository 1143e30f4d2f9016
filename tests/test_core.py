"""The exact solvers against brute force, on random hands and on hands dense in melds."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ginsim
from ginsim import CardSet, _core
from tests import hands, reference
from tests.reference import cards_of, mask_of, parse_cards


def check_hand(mask: int) -> None:
    """Deadwood, all arrangements, the preferred one."""
    cards = cards_of(mask)
    least = reference.deadwood(cards)
    assert _core.deadwood(mask) == least, CardSet(mask)
    assert _core.arrangements(mask) == reference.least_arrangements(cards), CardSet(mask)
    assert _core.fewest_sets(mask) == reference.fewest_sets(cards), CardSet(mask)
    everything = reference.arrangements(cards)
    assert _core.arrangements(mask, 200) == everything, CardSet(mask)


def check_discards(mask: int, forbidden: int) -> None:
    """The vector of discards, the best ones, and the choice among them."""
    cards = cards_of(mask)
    each = reference.discard_deadwoods(cards)
    assert _core.discard_deadwoods(mask) == each, CardSet(mask)
    barred = cards_of(forbidden)
    allowed = {card: left for card, left in each.items() if card not in barred}
    if not allowed:
        return
    least, best, choice, all_melded = _core.best_discard(mask, forbidden)
    assert least == min(allowed.values()), CardSet(mask)
    ties = [card for card, left in allowed.items() if left == least]
    assert best == mask_of(ties), (CardSet(mask), CardSet(forbidden))
    assert choice == min(ties, key=lambda card: (-reference.pips(card), card))
    assert all_melded == (reference.deadwood(cards) == 0), CardSet(mask)


def check_layoff(rng: random.Random, knocker: int, defender: int) -> None:
    """Every method against every arrangement of the knocker; each answer is lawful."""
    cards = cards_of(defender)
    for melds in rng.sample(_core.arrangements(knocker, 200), 1) + _core.arrangements(knocker)[:3]:
        for method in ("optimal", "greedy", "in_order", "none"):
            least, own, laid, left = _core.layoff(melds, defender, method)
            twin = reference.defend(melds, cards, method)
            where = (CardSet(knocker), CardSet(defender), melds, method)
            assert least == twin.deadwood, where
            assert sum(own) | laid | left == defender, where
            assert sum(own) + laid + left == defender, where
            assert _core.pips(left) == least, where
            if method != "optimal":
                assert (own, cards_of(laid)) == (twin.melds, twin.laid_off), where
        array = _core.layoffs(
            *(np.array([item], np.uint64) for item in (*_core.open_melds(melds), defender))
        )
        assert array.tolist() == [reference.defend(melds, cards).deadwood]


def check_many(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for mask in hands.many(seed, count, tuple(range(12))):
        check_hand(mask)
    for mask in hands.many(seed + 1, count, (11, 11, 11, 10, 5, 1)):
        held = list(cards_of(mask))
        check_discards(mask, mask_of(rng.sample(held, rng.choice((0, 0, 1, 1, min(3, len(held)))))))
    for _ in range(count // 4):
        make = rng.choice((hands.dense_hand, hands.dense_hand, hands.random_hand))
        knocker = make(rng, 10)
        defender = hands.dense_hand(rng, 10, avoid=knocker)
        check_layoff(rng, knocker, defender)


def test_solvers_equal_brute_force() -> None:
    check_many(20_000, seed=1)


@pytest.mark.slow
def test_solvers_equal_brute_force_on_many_hands() -> None:
    check_many(300_000, seed=2)


def test_scan_is_needed_only_where_it_is_tried() -> None:
    """Hands with nothing loose, or nothing loose that may be thrown, go another way inside."""
    rng = random.Random(3)
    found = 0
    while found < 300:
        mask = hands.dense_hand(rng, 11)
        loose = [cards_of(mask) - cards_of(sum(melds)) for melds in _core.arrangements(mask)]
        if min(len(cards) for cards in loose) <= 1:
            found += 1
            check_discards(mask, 0)
            for card in cards_of(mask):
                check_discards(mask, 1 << card)


def test_arrays_equal_loops() -> None:
    ten = np.array(list(hands.many(4, 4000, (10, 10, 3, 0))), np.uint64)
    eleven = np.array(list(hands.many(5, 4000, (11,))), np.uint64)
    assert _core.deadwoods(ten).tolist() == [_core.deadwood(int(mask)) for mask in ten]
    assert _core.deadwoods(ten[::-3]).tolist() == [_core.deadwood(int(mask)) for mask in ten[::-3]]
    values, cards = _core.best_discards(eleven)
    singles = [_core.best_discard(int(mask)) for mask in eleven]
    assert values.tolist() == [single[0] for single in singles]
    assert cards.tolist() == [single[2] for single in singles]
    few = np.array(list(hands.many(6, 4000, (11, 8, 3, 1, 0))), np.uint64)
    for mask, row in zip(few, _core.each_discard(few), strict=True):
        each = [_core.deadwood(int(mask) ^ (1 << card)) for card in sorted(cards_of(int(mask)))]
        assert row.tolist() == each + [255] * (11 - len(each))
        assert list(_core.discard_deadwoods(int(mask)).values()) == each


def test_rows_hold_eleven_cards() -> None:
    with pytest.raises(ValueError, match="hand 1 has more than 11"):
        _core.each_discard(np.array([0x7FF, 0xFFF], np.uint64))


def test_read_only_arrays_are_taken() -> None:
    ten = np.array([0b111], np.uint64)
    ten.setflags(write=False)
    assert _core.deadwoods(ten).tolist() == [0]


# ---------------------------------------------------------------- where other engines go wrong


@pytest.mark.parametrize(
    ("cards", "least", "discards"),
    [
        # Arranging eleven cards and dropping the dearest loose one misses both.
        ("5s 6s 7s 8s 2c 2d 3d 4d 5d 2h 5h", 0, "5h"),
        ("4c 5c 6c 5d 6d 2h 3h 3s 4s 5s 6s", 10, None),
    ],
)
def test_best_discard_is_the_minimum_over_discards(
    cards: str, least: int, discards: str | None
) -> None:
    best = ginsim.best_discard(cards)
    assert best.deadwood == least
    assert best.deadwood == min(ginsim.discard_deadwoods(cards).values())
    if discards is not None:
        assert best.discards >= CardSet(discards)


def test_a_set_first_would_break_the_chain_of_a_run() -> None:
    knocker, rest = ["2c 2d 2s", "3d 4d 5d", "3h 4h 5h"], "4c"
    defender = "Kc 7d 9d Ah 2h 8h Jh Kh 3s 7s"
    for method in ("optimal", "greedy", "in_order"):
        answer = ginsim.layoff(knocker, defender, unmelded=rest, method=method)
        assert answer.defender_deadwood == 64
        assert answer.laid_off == CardSet("Ah 2h")


@pytest.mark.parametrize("suit", "cdhs")
def test_eleven_cards_of_one_suit(suit: str) -> None:
    cards = " ".join(rank + suit for rank in "A23456789TJ")
    assert ginsim.deadwood(cards) == 0
    # Compositions of 11 into parts of at least 3, by hand: one part 1, two parts 6 (3+8 … 8+3),
    # three parts: of the excess 11 - 9 = 2 over three places, C(4, 2) = 6.
    assert len(ginsim.arrangements(cards)) == 13


def test_no_run_goes_round_the_corner_of_suits() -> None:
    # 13 apart or next to each other in the mask, never adjacent in the game.
    assert ginsim.deadwood("Qc Kc Ad") == 21
    assert ginsim.deadwood("Kc Ad 2d") == 13
    assert ginsim.deadwood("Qh Kh As 2s") == 23
    assert not ginsim.is_meld("Qc Kc Ad")
    answer = ginsim.layoff(["Jd Qd Kd"], "Ah 9c", unmelded="2c")
    assert answer.defender_deadwood == 10
    answer = ginsim.layoff(["Ah 2h 3h"], "Kd 9c", unmelded="2c")
    assert answer.defender_deadwood == 19


def test_a_block_over_two_suits_is_two_runs() -> None:
    # J Q K of clubs and A 2 3 of diamonds are neighbours in the mask.
    found = ginsim.arrangements("Jc Qc Kc Ad 2d 3d")
    assert [[str(meld) for meld in each.melds] for each in found] == [["Jc Qc Kc", "Ad 2d 3d"]]


# ---------------------------------------------------------------- melds and words


def test_all_melds() -> None:
    """185 of three to five cards, 329 of any length; exactly those of brute force."""
    assert len(_core.all_melds(5)) == 185
    everything = _core.all_melds()
    assert len(everything) == 329
    assert set(everything) == {mask_of(meld) for meld in reference.all_melds()}
    assert all(_core.is_meld(meld) for meld in everything)
    rng = random.Random(6)
    for _ in range(5000):
        mask = hands.dense_hand(rng, rng.randint(1, 6))
        assert _core.is_meld(mask) == reference.is_meld(cards_of(mask))


def test_bad_cards_are_refused_in_words() -> None:
    with pytest.raises(ginsim.CardError, match="are 12 cards; allowed: 0 to 11"):
        ginsim.deadwood("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc")
    with pytest.raises(ginsim.CardError, match="cards: no cards; allowed: 1 to 11"):
        ginsim.best_discard("")
    with pytest.raises(ginsim.CardError, match="no card to throw"):
        ginsim.best_discard("4h", forbid="4h")
    with pytest.raises(ginsim.CardError, match="4h 5h is not a meld"):
        ginsim.layoff(["4h 5h"], "Ac", unmelded="2c")
    with pytest.raises(ginsim.CardError, match="duplicate card 4h"):
        ginsim.layoff(["4h 5h 6h"], "4h", unmelded="2c")
    with pytest.raises(ginsim.OptionError, match="method: 'best' is not allowed"):
        ginsim.layoff(["4h 5h 6h"], "Ac", unmelded="2c", method="best")
    with pytest.raises(ginsim.OptionError, match="limit: 3 is not allowed"):
        ginsim.best_spread("Kc 4h", "Ac", limit=3)
    with pytest.raises(ValueError, match="bits 0 to 51"):
        _core.deadwood(1 << 52)


def test_gin_bars_layoffs() -> None:
    answer = ginsim.layoff(["4h 5h 6h"], "7h", unmelded="")
    assert (answer.knocker_deadwood, answer.defender_deadwood) == (0, 7)


def test_the_hand_of_the_rebatida() -> None:
    """Parsing helper and engine agree on s0's example."""
    assert ginsim.deadwood("9c 9h 9s 7d 8d 9d 3h 7h Kd 5s") == reference.deadwood(
        parse_cards("9c 9h 9s 7d 8d 9d 3h 7h Kd 5s")
    )
