"""Search by play-outs: which hidden cards are drawn, how they are weighed, what is found."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import _deck, _position, batches
from ginsim.cards import CardSet, card_name, card_number, read_cards
from ginsim.rules import load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import AnyStrategy, parse_strategy
from ginsim.strategies import to_record as strategies_record


def mask(text: str) -> int:
    return int(CardSet(read_cards("cards", text)))


def start(deck: list[int], hand_size: int, seed: int = 0, rules: str = "kawu") -> _position.Hand:
    """A hand dealt by south."""
    record = rules_record(load_rules(rules))
    return _position.Hand(record, deck, 0, hand_size=hand_size, key=_deck.make_key(seed))


def pair(strategy: AnyStrategy) -> Any:
    return strategies_record((strategy, strategy))


#: Three ranks of four suits, two cards a hand: small enough to count everything.
SMALL = [card for card in range(52) if card % 13 < 3]


def small_hand(seed: int) -> _position.Hand:
    """South's draw after north, who was dealt A♣ 3♣, took the upcard 2♦ and threw 3♣."""
    names = ["Ac", "2c", "3c", "3d", "2d", "3h", "Ad", "Ah", "2h", "As", "2s", "3s"]
    deck = [card_number(name) for name in names]
    assert sorted(deck) == SMALL
    hand = start(deck, 2, seed, "kawu(dead_at=0, return_taken_card=true)")
    hand.apply(("draw_pile",))
    return hand.apply(("discard", card_number("3c")))


# ---------------------------------------------------------------- the cards drawn


def test_drawn_hands_are_uniform() -> None:
    """Without steps each unseen card is as likely to be held, and the stock is in any order.

    Chi-square with a bound that a right program passes with a chance of 1 - 10⁻⁶: for 7 degrees
    of freedom 40.5, for 41 degrees 101 (Wilson-Hilferty).
    """
    hands: Counter[int] = Counter()
    tops: Counter[tuple[int, int]] = Counter()
    count = 0
    for seed in range(40):
        hand = small_hand(seed)
        for cards, stock in hand.draw_hidden(pair("rollout(1000, steps=0)"), 1000):
            # He took the 2♦ openly; south holds 2♣ 3♦, and the pile is 3♣.
            assert cards & mask("2d") == mask("2d")
            assert bin(cards).count("1") == 2
            assert not cards & mask("2c 3d 3c")
            assert sorted(stock) == [
                card for card in SMALL if not (cards | mask("2c 3d 3c")) >> card & 1
            ]
            hands[cards] += 1
            tops[stock[0], stock[1]] += 1
            count += 1
    assert len(hands) == 8
    assert chi_square(list(hands.values()), count / 8) < 42
    # By symmetry all ordered pairs of the eight unseen cards are as likely: 56.
    assert len(tops) == 56
    assert chi_square(list(tops.values()), count / 56) < 121  # 55 degrees of freedom


def chi_square(counts: list[int], expected: float) -> float:
    return float(sum((number - expected) ** 2 for number in counts) / expected)


def refused_hand(seed: int) -> _position.Hand:
    """South's draw after both passed the 2♦, and north drew the A♦ and threw 3♣.

    South holds 2♣ 3♦ A♥, and north three of the seven cards unseen.
    """
    names = ["Ac", "2c", "3c", "3d", "2h", "Ah", "2d", "Ad", "As", "2s", "3h", "3s"]
    deck = [card_number(name) for name in names]
    hand = start(deck, 3, seed, "kawu(dead_at=2, knock_limit=4)")
    hand.apply(("pass",)).apply(("pass",)).apply(("draw_stock",))
    return hand.apply(("discard", card_number("3c")))


UNSEEN = [card_number(name) for name in ("Ac", "Ad", "As", "2h", "2s", "3h", "3s")]
HANDS = [sum(1 << card for card in cards) for cards in itertools.combinations(UNSEEN, 3)]


def test_drawn_hands_have_the_chances_of_their_weights() -> None:
    """Sixty-four steps from any hand, hands are as good as drawn by weight.

    Each seed gives one hand, independent of the others. Hands of an expectation under 5 are
    counted together. Bound as above: 89 for 34 degrees of freedom, there are no more.
    """
    weights = {cards: 2.0 ** -refused_hand(0).doubt(cards) for cards in HANDS}
    total = sum(weights.values())
    # 3♣ makes a set of threes and saves all 8, 2♦ for a three saves 1.
    assert weights[mask("3h 3s 2s")] == 2.0**-9
    # 2♦ makes a set and saves all 5.
    assert weights[mask("2h 2s Ac")] == 2.0**-5
    assert weights[mask("As 2s 3s")] == 1
    count = 6000
    drawn: Counter[int] = Counter()
    for seed in range(count):
        drawn[refused_hand(seed).draw_hidden(pair("rollout(1)"), 1)[0][0]] += 1
    assert set(drawn) <= set(HANDS)
    expected = {cards: count * weights[cards] / total for cards in HANDS}
    large = [cards for cards in HANDS if expected[cards] >= 5]
    assert len(large) >= 10
    statistic = sum((drawn[cards] - expected[cards]) ** 2 / expected[cards] for cards in large)
    rest = sum(expected[cards] for cards in HANDS) - sum(expected[cards] for cards in large)
    others = count - sum(drawn[cards] for cards in large)
    statistic += (others - rest) ** 2 / max(rest, 5)
    assert statistic < 89


def test_later_hands_have_the_same_chances() -> None:
    """Steps keep the chances: so have all play-outs of one decision together, if correlated.

    The mean doubt of hands far apart; a right program passes with 1 - 10⁻⁶, were they independent,
    and with 255 steps they nearly are.
    """
    doubt = refused_hand(0).doubt
    doubts = np.array([doubt(cards) for cards in HANDS])
    weights = 2.0**-doubts
    mean = (weights * doubts).sum() / weights.sum()
    spread = np.sqrt((weights * (doubts - mean) ** 2).sum() / weights.sum())
    drawn = refused_hand(7).draw_hidden(pair("rollout(4096, steps=255)"), 4096)
    found = np.mean([doubt(cards) for cards, _ in drawn])
    assert abs(found - mean) < 4.9 * spread / 64


# ---------------------------------------------------------------- the weights


def doubt_position() -> _position.Hand:
    """South to act; north took 5♥ and threw K♦, then left 7♠ and threw Q♣."""
    record = rules_record(load_rules("kawu"))
    north = ["Kd", "Qc", *["Ac", "Ad", "As", "2c", "2d", "2s", "6h", "7h"]]
    south = ["7s", "8s", "9c", "Tc", "Jc", "3c", "4d", "8d", "9d", "Ks"]
    deck = [card_number(card) for both in zip(north, south, strict=True) for card in both]
    deck += [card_number(card) for card in ("5h", "Kc", "Kh")]
    deck += [card for card in range(52) if card not in deck]
    hand = _position.Hand(record, deck, 0)
    hand.apply(("draw_pile",)).apply(("discard", card_number("Kd")))
    hand.apply(("draw_stock",)).apply(("discard", card_number("7s")))
    hand.apply(("draw_stock",)).apply(("discard", card_number("Qc")))
    return hand


@pytest.mark.parametrize(
    ("cards", "doubt"),
    [
        # All melded but the 4♣; none of K♦, 7♠, Q♣ would have helped him.
        ("5h 6h 7h Ac Ad As 2c 2d 2s 4c", 0),
        # 7♠ for a king gains 3, K♦ and Q♣ nothing.
        ("5h 6h 7h Ac Ad As 2c 2d 2s Kh", 3),
        # 21 as held, 2♣ 2♦ J♥ 7♦. With 7♠ for the J♥ three sevens are a set, and 5♥ 6♥ 2♣ 2♦
        # leave 15.
        ("5h 6h 7h Ac Ad As 2c 2d Jh 7d", 6),
        # The 5♥, which he took, is in no meld: 10. 7♠ for Q♥ gains 3.
        ("5h Qh 3h 3d 3s Ac Ad As 2c 2d", 10 + 3),
        # K♦ makes a set of kings and saves 24 with a four: counted as 10. 7♠ for a king gains 3.
        ("5h 6h 7h Ac Ad As Kh Ks 4c 4d", 10 + 3),
    ],
)
def test_doubts(cards: str, doubt: int) -> None:
    assert doubt_position().doubt(mask(cards)) == doubt


# ---------------------------------------------------------------- what is found


def test_values_are_those_of_all_hidden_cards_counted() -> None:
    """Without steps the points of an action tend to their mean over all hands and stocks.

    That mean is counted by playing on from each, with rules only. A right program passes with
    1 - 10⁻⁶ for each action: 4.9 standard errors, of the counted spread.
    """
    hand = refused_hand(5)
    base = pair("greedy")
    found = hand.value_actions(pair("rollout(4096, greedy, base, steps=0)"))
    assert {action for action, *_ in found} == {("draw_pile",), ("draw_stock",)}
    nets: dict[Any, list[int]] = {action: [] for action, *_ in found}
    for held in itertools.combinations(UNSEEN, 3):
        stock = [card for card in UNSEEN if card not in held]
        # Of the stock of four no more than two are drawn.
        for top in itertools.permutations(stock, 2):
            rest = [card for card in stock if card not in top]
            hidden = hand.with_hidden([*held, *top, *rest])
            for action, netted in nets.items():
                played = hidden.copy().apply(action)
                while played.phase != "over":
                    played.apply(played.decide(base))
                result = played.result
                assert result is not None
                sign = {0: 1, 1: -1, -1: 0}[result["winner"]]
                netted.append(sign * result["points"])
    for action, points, *_ in found:
        exact, spread = np.mean(nets[action]), np.std(nets[action])
        assert spread > 1
        assert abs(points / 4096 - exact) < 4.9 * spread / 64, action
    means = [np.mean(values) for values in nets.values()]
    assert abs(means[0] - means[1]) > 1


def gin_position(seed: int) -> _position.Hand:
    """South to draw with three melds and the K♦; north threw the 10♠, which makes a run of four."""
    south = ["Ac", "2c", "3c", "4d", "5d", "6d", "7s", "8s", "9s", "Kd"]
    north = ["Ts", "2d", "9c", "Jh", "4h", "Qc", "6h", "8d", "Js", "3s"]
    deck = [card_number(card) for both in zip(north, south, strict=True) for card in both]
    deck += [card_number(card) for card in ("Kh", "Qd")]
    deck += [card for card in range(52) if card not in deck]
    hand = start(deck, 10, seed)
    hand.apply(("pass",)).apply(("pass",)).apply(("draw_stock",))
    return hand.apply(("discard", card_number("Ts")))


@pytest.mark.parametrize("base", ["random", "simple", "greedy"])
def test_an_obvious_gin_is_found(base: str) -> None:
    """Even where the rules would knock by chance only, half the time."""
    search = pair(f"rollout(64, {base})")
    for seed in range(10):
        hand = gin_position(seed)
        if base != "random":
            assert hand.decide(search) == ("draw_pile",)
        hand.apply(("draw_pile",))
        assert hand.decide(search) == ("knock", card_number("Kd"))


def test_a_hand_that_dies_is_knocked() -> None:
    """Who waits for gin gets nothing of the last turn; a search by the same rules knocks there."""
    names = [
        "Ac",
        "2d",
        "2c",
        "9c",
        "3c",
        "Jh",
        "4d",
        "4h",
        "5d",
        "Qc",
        "6d",
        "6h",
        "7s",
        "8d",
        "8s",
        "Js",
        "9s",
        "3s",
        "2h",
        "Td",
    ]
    # The upcard and the stock: each throws what he draws, and after north's sixth card it is over.
    names += ["Kh", "Qd", "Qh", "Kd", "Ks", "Jc", "Jd", "Kc", "Qs", "Th", "Ts", "Tc"]
    deck = [card_number(name) for name in names]
    deck += [card for card in range(52) if card not in deck]
    hand = start(deck, 10, rules="kawu(dead_at=20)")
    hand.apply(("pass",)).apply(("pass",))
    for name in names[21:31]:
        hand.apply(("draw_stock",)).apply(("discard", card_number(name)))
    hand.apply(("draw_stock",))
    assert hand.decide(pair("greedy(0)")) == ("discard", card_number("Tc"))
    assert hand.decide(pair("rollout")) == ("knock", card_number("Tc"))


def test_the_action_taken_is_the_best_by_enough() -> None:
    """What is decided is what the sums say, for hands played by searches of every caution."""
    others = 0
    for caution in (0, 17, 100):
        search = pair(f"rollout(16, caution={caution})")
        for seed in range(6):
            deck = np.random.default_rng(seed).permutation(52).tolist()
            hand = start(deck, 10, seed)
            while hand.phase not in ("spread", "layoff", "over"):
                found = hand.value_actions(search)
                best = next(each for each in found if each[3])
                for action, points, squares, by_rules in found:
                    gain = points - next(each for each in found if each[3])[1]
                    enough = gain > 0 and 100 * gain**2 > caution**2 * squares
                    if enough and points > best[1]:
                        best = (action, points, squares, by_rules)
                assert hand.decide(search) == best[0]
                others += not best[3]
                hand.apply(best[0])
    assert others > 20


# ---------------------------------------------------------------- hands and games of searches


def test_threads_and_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    players = ("rollout(4)", "rollout(3, simple, candidates=2, steps=0)")
    whole = ginsim.simulate("modern", players, 60, seed=4, threads=1)
    for chunk, threads in ((64, 2), (8192, 2), (8192 * 64, 3)):
        monkeypatch.setattr(batches, "CHUNK", chunk)
        pd.testing.assert_frame_equal(
            ginsim.simulate("modern", players, 60, seed=4, threads=threads), whole
        )
    late = ginsim.simulate("modern", players, 20, seed=4, first=40)
    pd.testing.assert_frame_equal(late, whole[40:].reset_index(drop=True))
    result = ginsim.replay("modern", players, 4, 17)["result"]
    assert result["points"] == whole["points"].iloc[17]
    tally = ginsim.tally("modern", players, 60, seed=4, threads=2)
    assert tally == ginsim.Tally.from_frame(whole)


def test_a_search_is_played_where_any_strategy_is() -> None:
    games = ginsim.simulate_games("eaai", ("rollout(4)", "simple"), 6, seed=1, mirror=True)
    assert set(games["winner"]) <= {"south", "north"}
    rows = ginsim.decisions("kawu", ("rollout(4)", "greedy"), 10, seed=1)
    hands = ginsim.simulate("kawu", ("rollout(4)", "greedy"), 10, seed=1)
    last = rows.groupby("hand")["deadwood_after"].last()
    assert len(last) == len(hands)
    four = ginsim.simulate_games("partnership", "rollout(2)", 2, seed=1)
    assert len(four) == 2
    origin = hands.attrs["provenance"]["strategies"]["south"]
    assert origin["name"] == "rollout(n=4)"
    assert parse_strategy(origin) == parse_strategy("rollout(4)")


def test_values_of_a_position() -> None:
    """Before a last turn that ends the hand for want of stock all but a knock is worth nothing."""
    position = ginsim.Position.build(
        "kawu(dead_at=20, knock_limit=10)",
        nondealer="Ac 2c 3c 4d 5d 6d 7s 8s 9s 2h",
        dealer="2d 9c Jh 4h Qc 6h 8d Js 3s Td",
        upcard="Kh",
        stock="Qd Qh Kd Ks Jc Jd Kc Qs Th Ts Tc",
    )
    position.pass_upcard().pass_upcard()
    assert position.value_actions() == {}
    for _ in range(10):
        position.draw_stock()
        drawn = str(position._hand.events["card"][-1])
        position.discard(card_name(int(drawn)))
    position.draw_stock()
    values = position.value_actions("rollout(200)")
    assert values["discard", "Tc"] == 0
    assert values["knock", "Tc"] > 5
    assert values["knock", "Tc"] > values["knock", "2h"]
    position.knock("Tc")
    with pytest.raises(ginsim.IllegalAction, match="search: there is no search in phase spread"):
        position.value_actions()
    with pytest.raises(ginsim.OptionError, match="search: 'simple' is not allowed"):
        position.value_actions("simple")


def test_only_a_search_has_values() -> None:
    with pytest.raises(ValueError, match="no play-outs"):
        refused_hand(0).value_actions(pair("greedy"))


@pytest.mark.slow
def test_strength() -> None:
    """rollout(64) wins more than 70 % of games against `simple`.

    With 4000 games, half of them mirrored, a program that wins 73 % fails with a chance below
    10⁻⁴ (standard error 0.7 %).
    """
    games = ginsim.simulate_games("eaai", ("rollout", "simple"), 4000, seed=77, mirror=True)
    assert (games["winner"] == "south").mean() > 0.70
