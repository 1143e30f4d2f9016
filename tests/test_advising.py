"""Advice: positions told by what was seen, and what each action brings."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import ginsim
from benchmarks import knock_advice
from ginsim import _position
from ginsim.advising import ACTIONS, advise
from ginsim.cards import CardSet, card_name, read_cards
from ginsim.cli import main
from ginsim.columns import ADVICE_COLUMNS
from ginsim.equity import match_equity
from ginsim.rules import load_rules
from ginsim.seen import read_seen
from ginsim.strategies import Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record
from ginsim.tasks import make_task
from ginsim.turns import KnockTable
from tests import reference

TEN = "7h 7s 7d 4c 5c 6c Ah 2d 4d Qs"
ELEVEN = f"{TEN} Kd"
#: Of turn 5, after two pick-ups of the opponent, who deals: the upcard and eight discards came.
PILE = "Ks Jd Qc Kc Js Qh 9c"


def seen_by(hand: _position.Hand, rules: str, is_offer: bool) -> dict[str, Any]:
    """What the seat to act of a hand in play has seen, in the words of `advise`."""
    seat = hand.seat
    other = 1 - seat
    pile: list[int] = [hand.deck[20]] if load_rules(rules).deal == "upcard" else []
    for kind, _, card, _ in hand.events.tolist():
        # discard, draw_pile (docs/engine.md): the pile in its order.
        if kind == 3:
            pile.append(card)
        elif kind == 1:
            pile.remove(card)
    taken = hand.taken
    turn = hand.turns[seat] + (hand.phase != "discard")
    last = hand.events[-1] if len(hand.events) else None
    just = None
    if hand.phase == "discard" and last is not None and last["kind"] == 1:
        just = card_name(int(last["card"]))
    return {
        "hand": hand.hands[seat],
        "pile": " ".join(map(card_name, pile)),
        "took": taken[other],
        "turn": turn,
        "just_took": just,
        "showed": taken[seat],
        "pick_ups": hand.pile_draws[other],
        "own_pick_ups": hand.pile_draws[seat],
        "dealer": "policy" if hand.dealer == seat else "opponent",
        "upcard": is_offer,
        "passed": is_offer and hand.dealer == seat,
        "knock_card": None if hand.knock_card is None else card_name(hand.knock_card),
    }


ANYONE = "simple", "greedy(knock_at=0)", "random"


@pytest.mark.parametrize("south", ANYONE)
@pytest.mark.parametrize("rules_name", ["kawu", "openspiel", "modern", "hollywood", "oklahoma"])
def test_a_position_is_as_in_the_hand_in_which_it_was_seen(rules_name: str, south: str) -> None:
    """What the opponent may hold, and what may be done, are those of the engine's own hand.

    So no history that can be is refused; the same one turn later or earlier, or with two cards of
    the pile missing, cannot be.
    """
    rules = load_rules(rules_name)
    players = (south, "greedy(knock_at=0)" if south == "simple" else "random")
    pair = strategies_record(players)
    # By chance hands are long.
    number = 6 if south == "random" else 25
    setup = make_task(rules, players, number, seed=5).setup
    phases = set()
    for index in range(number):
        hand = _position.Hand.start(setup, index)
        while hand.phase in ("upcard", "draw", "discard"):
            is_offer = hand.phase == "upcard"
            words = seen_by(hand, rules_name, is_offer)
            seen = read_seen(rules, **words)
            told = seen.position()
            assert told.phase == hand.phase
            assert told.legal() == hand.legal()
            unknown, stock = hand.hidden()
            guessed, left = told.hidden()
            assert sorted(unknown + stock) == sorted(guessed + left)
            assert len(unknown) == len(guessed)
            assert told.stock == hand.stock
            if told.top is not None or hand.top is None:
                assert told.top == hand.top
            assert told.pile == hand.pile
            assert told.turns == (hand.turns[hand.seat], hand.turns[1 - hand.seat])
            assert told.pile_draws == (hand.pile_draws[hand.seat], hand.pile_draws[1 - hand.seat])
            # The same cards are refused, so that any hand is doubted as much.
            # South cannot tell whether he took the upcard before north was asked, nor what either
            # threw that the other took.
            is_clear = "random" not in players and rules.deal == "upcard" and not is_offer
            if is_clear and not hand.taken[hand.seat] >> hand.deck[20] & 1:
                cards = unknown + stock
                held = hand.taken[1 - hand.seat]
                for card in cards[: len(unknown)]:
                    held |= 1 << card
                assert told.doubt(held) == hand.doubt(held)
            for wrong in (seen.turn + 1, seen.turn - 1):
                with pytest.raises(ginsim.GinsimError):
                    read_seen(rules, **{**words, "turn": wrong})
            if len(seen.pile) > 2:
                short = " ".join(map(card_name, seen.pile[2:]))
                with pytest.raises(ginsim.CardError, match=r"pile: \d+ cards? in turn"):
                    read_seen(rules, **{**words, "pile": short})
            phases.add((hand.phase, seen.drawn >= 0, seen.is_passed))
            hand.apply(hand.decide(pair))
    assert {("draw", False, False), ("discard", False, False)} <= phases
    assert ("discard", True, False) in phases
    if rules.deal == "upcard":
        assert {("upcard", False, True), ("upcard", False, False), ("draw", False, True)} <= phases


# ---------------------------------------------------------------- he has not knocked

#: North's ways to end a hand: by threshold, by a table, by tables of turns and pick-ups.
ENDERS = [
    "greedy",
    "greedy(4)",
    "simple",
    "table(kawu)",
    "expert",
    "greedy(0)",
    "expert(knock_table=10*3/0+5-10*3/0;2-3*2/0+9)",
]


def ends_with(strategy: Strategy, limit: int, turn: int, pick_ups: int, deadwood: int) -> bool:
    """Whether a strategy knocks, in the words of docs/strategies.md."""
    if deadwood > limit:
        return False
    if strategy.knock == "threshold":
        return deadwood <= strategy.knock_at
    codes = np.array(KnockTable().codes(strategy.knock_table))
    return bool(codes[limit, min(pick_ups, 3), min(turn, 16) - 1] >> deadwood & 1)


@pytest.mark.parametrize("rules_name", ["kawu", "modern", "oklahoma"])
@pytest.mark.parametrize("north", ENDERS)
def test_hands_with_which_he_would_have_ended_are_known(north: str, rules_name: str) -> None:
    """Those that he could have left with deadwood with which he knocks, whatever he threw last."""
    rules = load_rules(rules_name)
    strategy = parse_strategy(north)
    record = strategies_record((strategy, "greedy"))[:1]
    waiting = ("expert(knock_table=none)", "greedy(knock_at=0)")
    setup = make_task(rules, waiting, 12, seed=8).setup
    pair = strategies_record(waiting)
    rng = np.random.default_rng(1)
    counts = [0, 0]
    for index in range(12):
        hand = _position.Hand.start(setup, index)
        while hand.phase in ("upcard", "draw", "discard"):
            if hand.seat == 0 and hand.turns[1] and not hand.turns[0] % 3:
                other_draws = hand.pile_draws[0]
                last = hand.top
                if hand.phase == "discard" and hand.events[-1]["kind"] == 1:
                    last = int(hand.events[-1]["card"])
                    other_draws -= 1
                assert last is not None
                barred = None
                drawn = [e for e in hand.events.tolist() if e[1] == 1 and e[0] in (1, 2)]
                if drawn and drawn[-1][0] == 1 and not rules.return_taken_card:
                    barred = int(drawn[-1][2])
                unknown, stock = hand.hidden()
                for number in range(16):
                    # His own hand, and hands that are near to it.
                    held = hand.hands[1]
                    for card in rng.choice(unknown, number % 3, replace=False):
                        held ^= 1 << int(card)
                    for card in rng.choice(stock, number % 3, replace=False):
                        held |= 1 << int(card)
                    eleven = [*reference.cards_of(held), last]
                    least, _ = reference.best_discards(eleven, barred)
                    wanted = ends_with(
                        strategy, hand.knock_limit, hand.turns[1], other_draws, least
                    )
                    wanted |= rules.big_gin_bonus != "off" and reference.deadwood(eleven) == 0
                    assert (hand.doubt(held, record) >= 1 << 16) == wanted
                    counts[wanted] += 1
            hand.apply(hand.decide(pair))
    # To come near gin is rare.
    assert min(counts) > (0 if north in ("greedy(0)", "expert") else 10)


def test_hands_with_which_he_would_have_ended_are_not_drawn() -> None:
    """As long as there are others: with the last card he threw none of them can be knocked with."""
    search = strategies_record(("rollout(1)", "greedy"))
    greedy = strategies_record(("greedy", "greedy"))[:1]
    ended = 0
    setup = make_task(load_rules("kawu"), ("greedy(0)", "greedy(0)"), 60, seed=3).setup
    pair = strategies_record(("greedy(0)", "greedy(0)"))
    for index in range(60):
        hand = _position.Hand.start(setup, index)
        while hand.phase in ("upcard", "draw", "discard"):
            if hand.phase == "draw" and hand.seat == 0 and hand.turns[1] >= 6:
                top = hand.top
                assert top is not None
                for cards, _ in hand.draw_hidden(search, 8, greedy):
                    eleven = [*reference.cards_of(cards), top]
                    assert reference.best_discards(eleven)[0] > 10
                for cards, _ in hand.draw_hidden(search, 8):
                    eleven = [*reference.cards_of(cards), top]
                    ended += reference.best_discards(eleven)[0] <= 10
                break
            hand.apply(hand.decide(pair))
    assert ended > 30


def test_where_there_is_no_other_hand_it_is_kept_and_said() -> None:
    """He holds gin, as is known: who would have knocked is drawn all the same."""
    hand, took = "Ah 2h 3h 5c 6c 7c 9d 9s 9h Kd Jc", "4s 5s 6s 8c 8d 8h Ac 2c 3c 4c"
    pile = "Qd Kc Qh Ks Jd Td 5d Qs Th 7d 6d"
    options: dict[str, Any] = {"seed": 1, "play_outs": 64}
    frame = advise("kawu", hand, pile, took, 11, opponent="greedy", **options)
    hands = frame.attrs["provenance"]["hidden_hands"]
    assert hands["kept"] == 64
    words = ["advise", "--rules", "kawu", "--hand", hand, "--pile", pile, "--took", took]
    words += ["--turn", "11", "--opponent", "greedy", "--play-outs", "64"]
    text = " ".join(CliRunner().invoke(main, words).output.split())
    assert "In 64 of 64 play-outs no other hand was found" in text
    waiting = advise("kawu", hand, pile, took, 11, opponent="random", **options)
    assert waiting.attrs["provenance"]["hidden_hands"]["kept"] == 0


def test_an_opponent_who_waits_is_taken_for_stronger() -> None:
    """Who has not knocked though he would with ten has more deadwood than who waits for gin.

    So a knock brings more against him, late in the hand by points.
    """
    options: dict[str, Any] = {"policy": "greedy", "seed": 1, "play_outs": 256}
    gains, ended = [], []
    for chance in knock_advice.list_chances("kawu", "greedy", "greedy", 60, 4):
        if chance.turn < 8:
            continue
        points = {}
        for opponent in ("greedy(0)", "greedy"):
            frame = advise("kawu", opponent=opponent, **chance.seen, **options)
            is_knock = (frame["action"] == "knock") & (frame["card"] == chance.card)
            points[opponent] = frame[is_knock]["points"].item()
            hands = frame.attrs["provenance"]["hidden_hands"]
            assert hands["kept"] == 0
        ended.append(hands["would_have_ended"] / hands["proposed"])
        gains.append(points["greedy"] - points["greedy(0)"])
    assert len(gains) > 20
    assert np.mean(gains) > 3
    assert 0.02 < np.mean(ended) < 0.5


@pytest.mark.slow
def test_a_knock_is_weighed_as_play_turns_out() -> None:
    """On 2,000 hands, within half a point and 4.9 standard errors: a false alarm in 10⁶ at most."""
    frame = knock_advice.compare("kawu", "greedy", "greedy", 2000, 128, 7)
    differences = frame["told"] - frame["found"]
    by_deal = (differences - differences.mean()).groupby(frame["hand"]).sum()
    error = float(np.sqrt((by_deal**2).sum()) / len(frame))
    assert error < 0.3
    assert abs(differences.mean()) < 0.5 + 4.9 * error


# ---------------------------------------------------------------- what is told


def test_every_legal_action_is_told_with_the_better_first() -> None:
    frame = advise("kawu", ELEVEN, PILE, "8h 9h", 5, seed=1, play_outs=256)
    assert list(frame) == [column.name for column in ADVICE_COLUMNS]
    assert ADVICE_COLUMNS[0].categories == ACTIONS
    assert len(frame) == 11
    assert set(frame["action"]) == {"discard"}
    assert set(frame["card"]) == set(ELEVEN.split())
    assert (np.diff(frame["points"]) <= 0).all()
    assert (frame["points_low"] < frame["points"]).all()
    assert frame["behind"][0] == 0
    assert frame["behind"].to_numpy() == pytest.approx(
        (frame["points"][0] - frame["points"]).to_numpy()
    )
    assert frame["chance"].isna().all()
    # Breaking three of a kind is not better than throwing a king.
    order = frame["card"].tolist()
    assert order.index("Kd") < order.index("7s")


def test_draws_knocks_and_upcards() -> None:
    frame = advise("kawu", TEN, f"{PILE[:-2]}3d", "8h 9h", 5, seed=1, play_outs=256)
    assert set(frame["action"]) == {"draw_pile", "draw_stock"}
    # The three makes all melds but for a card: 7s three, 4-5-6, A and 2-3-4.
    assert frame["action"][0] == "draw_pile"
    assert frame["behind_low"][1] > 0
    hand = "7h 7s 7d 4c 5c 6c 2d 3d 4d Ah Kd"
    frame = advise("kawu", hand, PILE, "8h 9h", 5, seed=1, play_outs=256)
    assert set(frame["action"]) == {"knock", "discard"}
    assert (
        frame[frame["action"] == "knock"]["card"].tolist()
        == ["Kd", "Ah"][:2][: (frame["action"] == "knock").sum()]
    )
    gin = "7h 7s 7d 4c 5c 6c 2d 3d 4d 5d Kd"
    frame = advise("kawu", gin, "Ks", "8h", 1, seed=1, play_outs=64)
    assert (frame["action"][0], frame["card"][0]) == ("knock", "Kd")
    big = advise("modern", "7h 7s 7d 7c 4c 5c 6c 2d 3d 4d 5d", "Ks", "8h", 1, seed=1, play_outs=64)
    assert big["action"][0] == "big_gin"
    offer = advise("kawu", TEN, "3d", turn=1, upcard=True, seed=1, play_outs=64)
    assert set(offer["action"]) == {"pass", "draw_pile"}


def test_the_card_just_taken_may_not_be_thrown() -> None:
    options: dict[str, Any] = {"seed": 1, "play_outs": 64}
    frame = advise("kawu", ELEVEN, "Ks Jd", "8h", 2, just_took="Kd", **options)
    assert "Kd" not in set(frame["card"])
    frame = advise("casual", ELEVEN, "Ks Jd", "8h", 2, just_took="Kd", **options)
    assert "Kd" in set(frame["card"])


def test_the_same_seed_gives_the_same_advice() -> None:
    frames = [
        advise("kawu", ELEVEN, PILE, "8h 9h", 5, seed=seed, play_outs=64) for seed in (1, 1, 2)
    ]
    assert frames[0].equals(frames[1])
    assert not frames[0].equals(frames[2])


def test_points_are_those_of_hands_that_could_be() -> None:
    """With the opponent's whole hand known and a stock of few cards, all orders can be tried."""
    hand, took = "Ah 2h 3h 5c 6c 7c 9d 9s 9h Kd Jc", "4s 5s 6s 8c 8d 8h Ac 2c 3c Qd"
    gone = read_cards("a", hand) | read_cards("b", took)
    rest = [card for card in range(52) if not gone >> card & 1]
    stock, pile = rest[:4], rest[4:]
    names = " ".join(map(card_name, pile))
    frame = advise(
        "eaai", hand, names, took, 19, policy="greedy(0)", opponent="greedy", seed=1, play_outs=4096
    )
    nets: dict[tuple[str, str], list[int]] = {}
    rules = load_rules("eaai")
    for order in itertools.permutations(stock):
        seen = read_seen(rules, hand, names, took, 19)
        position = seen.position()
        unknown, _ = position.hidden()
        assert unknown == []
        for action in position.legal():
            played = position.with_hidden(list(order)).apply(action)
            while played.phase != "over":
                played.apply(played.decide(strategies_record(("greedy(0)", "greedy"))))
            assert played.result is not None
            nets.setdefault((action[0], card_name(action[1])), []).append(played.result["net"])
    assert len(frame) == len(nets)
    for row in frame.to_dict("records"):
        mean = np.mean(nets[row["action"], row["card"]])
        error = (row["points_high"] - row["points"]) / 2.04
        assert abs(row["points"] - mean) <= 5 * error + 1e-9


def test_scores_decide() -> None:
    plain = advise("kawu", ELEVEN, PILE, "8h 9h", 5, seed=1, play_outs=64)
    frame = advise(
        "kawu",
        ELEVEN,
        PILE,
        "8h 9h",
        5,
        seed=1,
        play_outs=64,
        scores="95-10",
        policy="greedy",
    )
    assert frame.attrs["provenance"]["scores"] == [95, 10]
    assert frame["chance"].between(0, 1).all()
    assert (np.diff(frame["chance"]) <= 0).all()
    assert frame["behind"].to_numpy() == pytest.approx(
        (frame["chance"][0] - frame["chance"]).to_numpy()
    )
    assert len(frame) == len(plain)
    with pytest.raises(ginsim.RulesError, match="three columns"):
        advise("kawu+hollywood", ELEVEN, "Ks", "8h", 1, scores="95-10")


def test_a_score_is_weighed_by_the_equity_after_the_hand() -> None:
    """Of a hand that is gin, whatever comes, the chance is that of the points it brings."""
    gin = "7h 7s 7d 4c 5c 6c 2d 3d 4d 5d Kd"
    frame = advise("kawu", gin, "Ks", "8h", 1, scores="60-10", seed=1, play_outs=640)
    knock = frame[(frame["action"] == "knock") & (frame["card"] == "Kd")].iloc[0]
    equity = match_equity("kawu", "expert", "expert", 200_000, seed=1)
    # Gin is 25 points and his deadwood, under 85 in all: between two scores of the table.
    low, high = (equity.chance(own, 10, "policy") for own in (85, 99))
    assert low < knock["chance"] <= 1
    assert high > low


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hand": "7h 7s"}, "hand: 2 cards; allowed: 10 before the draw, 11 after it"),
        ({"pile": ""}, "pile: no card; allowed: at least the top card"),
        ({"pile": "7h"}, "hand and pile: 7h is in both"),
        ({"took": "7h"}, "hand and took: 7h is in both"),
        ({"took": "Ks"}, "pile and took: Ks is in both"),
        (
            {"pile": "Ks Jd Ks 2s Jd"},
            "pile: Jd Ks is there more than once; allowed: each card once",
        ),
        ({"turn": 0}, "turn: 0 is not allowed"),
        ({"showed": "Kh"}, "showed: Kh is not in the hand"),
        ({"just_took": "Kh"}, "just_took: Kh is not one of eleven cards"),
        ({"pick_ups": 0}, "pick_ups: 0 is not allowed"),
        ({"dealer": "south"}, "dealer: 'south' is not allowed; allowed: policy or opponent"),
        ({"upcard": True}, "upcard: it is on offer to ten cards with a pile of one card"),
        ({"knock_card": "Kh"}, "knock_card: 'Kh' is not allowed; allowed: none by kawu"),
        ({"rules": "oklahoma"}, "knock_card: none given"),
        ({"play_outs": 65}, "play_outs: 65 is not allowed; allowed: a multiple of 32"),
        ({"policy": "rollout"}, "policy: 'rollout' is not allowed"),
        ({"scores": "60-120"}, "scores: 120 is not allowed"),
        # Turn, pile and cards taken: eight discards and the upcard came to a pile of seven.
        (
            {"turn": 6},
            "pile: 7 cards in turn 6, after 2 pick-ups of the opponent and 0 of one's own; ",
        ),
        ({"turn": 6}, "allowed: 9 or 10, since each turn brings a card"),
        ({"pile": "Jd Ks"}, "pile: 2 cards in turn 5"),
        ({"took": ""}, "pile: 7 cards in turn 5, after 0 pick-ups .* allowed: 9, since"),
        ({"pick_ups": 4}, "pile: 7 cards in turn 5, after 4 pick-ups .* allowed: 5 or 6, since"),
        (
            {"showed": "7h 7s"},
            "after 2 pick-ups of the opponent and 2 of one's own; allowed: 5 or 6",
        ),
        ({"showed": TEN}, "showed, own_pick_ups: 10 cards taken by turn 5; allowed: up to 4, one"),
        ({"own_pick_ups": 5}, "showed, own_pick_ups: 5 cards taken by turn 5; allowed: up to 4"),
        (
            {"pick_ups": 6},
            "took, pick_ups: 6 cards taken by turn 5; allowed: up to 5, one for each",
        ),
        (
            {"own_pick_ups": -1},
            "own_pick_ups: -1 is not allowed; allowed: a whole number from 0 to 50",
        ),
        ({"showed": "7h", "own_pick_ups": 0}, "own_pick_ups: 0 is not allowed; allowed: .* from 1"),
        (
            {"rules": "kawu(max_pile_draws=2)"},
            "pick_ups, own_pick_ups: 2 in all; allowed: a hand that is not over, with fewer than 2",
        ),
        ({"passed": True}, "passed: true is not allowed; allowed: with upcard, while that is on"),
        (
            {"pile": "3d", "took": "", "turn": 1, "upcard": True, "passed": True},
            "passed: true is not allowed; allowed: no, if the opponent deals: he is asked second",
        ),
        (
            {"pile": "3d", "turn": 1, "upcard": True},
            "took, pick_ups: 2 cards taken by turn 1; allowed: up to 0",
        ),
        (
            {"rules": "oklahoma", "knock_card": "5h"},
            "knock_card: 5h is neither in the pile nor taken; allowed: the upcard, a card of pile",
        ),
        (
            # Both cards that were taken are held, and neither is the upcard.
            {"rules": "oklahoma", "knock_card": "Js"},
            "knock_card: Js is in the pile above the bottom, so was taken and thrown again; "
            "allowed: a card at the bottom, or more than 2 pick-ups in all",
        ),
        (
            {"rules": "oklahoma", "knock_card": "Jd", "took": "", "turn": 4},
            "knock_card: Jd is not at the bottom of the pile; allowed: Ks, the upcard, since no",
        ),
        (
            {
                "rules": "oklahoma",
                "knock_card": "9c",
                "pile": "3d",
                "took": "",
                "turn": 1,
                "upcard": True,
            },
            "knock_card: 9c is not at the bottom of the pile; allowed: 3d",
        ),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    given = {"rules": "kawu", "hand": TEN, "pile": PILE, "took": "8h 9h", "turn": 5}
    with pytest.raises(ginsim.GinsimError, match=message):
        advise(**{**given, "seed": 1, "play_outs": 64, **options})


def test_histories_that_can_be() -> None:
    """Counted by hand: who began, who took the upcard, what was thrown again."""
    rules = load_rules("kawu")
    # He deals: five of mine would be four discards each and the upcard, but for his two pick-ups.
    assert read_seen(rules, TEN, PILE, "8h 9h", 5).other_turns == 4
    # He took the upcard that I passed, and so has had a turn more.
    assert read_seen(rules, TEN, f"{PILE} 2c", "8h 9h", 5).other_turns == 5
    # I deal: he began.
    assert read_seen(rules, TEN, f"{PILE} 2c", "8h 9h", 5, dealer="policy").other_turns == 5
    # He passed, and I took the upcard.
    seen = read_seen(rules, TEN, "Ks Jd Qc Kc Js Qh", "8h 9h", 5, showed="7h", dealer="policy")
    assert seen.other_turns == 4
    # Cards that were taken and thrown again are not held, but were taken.
    assert read_seen(rules, TEN, "Ks Jd Qc Kc", "8h 9h", 5, pick_ups=3, own_pick_ups=2)
    # The first turn: both passed, so that only the stock is left; or the upcard is on offer.
    assert read_seen(rules, TEN, "3d", 0, 1).position().legal() == [("draw_stock",)]
    offer = read_seen(rules, TEN, "3d", 0, 1, upcard=True, dealer="policy")
    assert offer.is_passed
    assert offer.position().legal() == [("pass",), ("draw_pile",)]
    # I began and took the upcard.
    assert read_seen(rules, ELEVEN, "", 0, 1, just_took="Kd").other_turns == 0
    # An eleven deal: no upcard, and who does not deal throws first.
    eleven = load_rules("hollywood")
    assert read_seen(eleven, ELEVEN, "", 0, 1, knock_card="5c").other_turns == 0
    assert read_seen(eleven, TEN, "Ks", 0, 1, dealer="policy", knock_card="5c").other_turns == 1
    # The upcard that sets the limit was taken, and is held or was thrown again.
    oklahoma = load_rules("oklahoma")
    for card in ("Ks", "8h"):
        assert read_seen(oklahoma, TEN, PILE, "8h 9h", 5, knock_card=card).knock_card >= 0
    # Above the bottom it was taken and thrown again, by him or by me: one pick-up more than held.
    for his, mine in ((3, 0), (2, 1)):
        seen = read_seen(
            oklahoma,
            TEN,
            PILE[:-3],
            "8h 9h",
            5,
            knock_card="Js",
            pick_ups=his,
            own_pick_ups=mine,
        )
        assert seen.pick_ups + seen.own_pick_ups == 3


def test_a_hand_that_is_over_is_refused() -> None:
    rest = [card for card in range(52) if not read_cards("a", TEN) >> card & 1]
    pile = " ".join(map(card_name, rest[:30]))
    with pytest.raises(ginsim.CardError, match="leave 2 in the stock"):
        advise("kawu", TEN, pile, 0, 15, dealer="policy")
    assert len(CardSet(read_cards("a", TEN))) == 10


def test_at_the_wall_the_last_discard_ends_the_hand_or_nothing_does() -> None:
    hand = "7h 7s 7d 4c 5c 6c 2d 3d Jh Kd"
    gone = read_cards("a", f"{hand} 4d")
    rest = [card for card in range(52) if not gone >> card & 1]
    pile = " ".join(map(card_name, rest[:29]))
    options: dict[str, Any] = {"dealer": "policy", "seed": 1, "play_outs": 64}
    frame = advise("openspiel", hand, f"{pile} 4d", 0, 15, **options)
    points = dict(zip(frame["action"].astype(str), frame["points"], strict=True))
    # Left alone the hand is dead, and brings nothing.
    assert points["decline"] == 0
    assert points["draw_pile"] != 0
    assert len(points) == 2
    with pytest.raises(ginsim.CardError, match="the last discard cannot be taken"):
        advise("openspiel", hand, f"4d {pile}", 0, 15, **options)


def test_the_command() -> None:
    words = [
        "advise",
        "--rules",
        "kawu",
        "--hand",
        TEN,
        "--pile",
        f"{PILE[:-2]}3d",
        "--took",
        "8h 9h",
    ]
    words += ["--turn", "5", "--seed", "1", "--play-outs", "256"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    frame = advise("kawu", TEN, f"{PILE[:-2]}3d", "8h 9h", 5, seed=1, play_outs=256)
    assert f"draw pile  {frame['points'][0]:+.2f}" in " ".join(result.output.split()).replace(
        "draw pile ", "draw pile  "
    )
    assert "Best: draw pile" in result.output
    assert "He has played on in turn 4: " in result.output
    hands = frame.attrs["provenance"]["hidden_hands"]
    assert f"{hands['would_have_ended']:,} of {hands['proposed']:,} hands proposed" in " ".join(
        result.output.split()
    )
    result = CliRunner().invoke(main, [*words, "--scores", "80-20"])
    assert "game won" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pickups", "1"], "--pickups: 1 is not allowed; allowed: a whole number from 2 to 50"),
        (["--own-pickups", "9"], "showed, --own-pickups: 9 cards taken by turn 5"),
        (["--play-outs", "65"], "--play-outs: 65 is not allowed; allowed: a multiple of 32"),
        (
            ["--play-outs", "63"],
            "'--play-outs': '63' is not allowed; allowed: a whole number from 64",
        ),
        (["--just-took", "Kh"], "--just-took: Kh is not one of eleven cards"),
        (["--knock-card", "Kh"], "--knock-card: 'Kh' is not allowed"),
    ],
)
def test_errors_of_the_command_name_its_options(words: list[str], message: str) -> None:
    base = ["advise", "--rules", "kawu", "--hand", TEN, "--pile", PILE, "--took", "8h 9h"]
    result = CliRunner().invoke(main, [*base, "--turn", "5", *words])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_the_help_tells_the_limits() -> None:
    text = " ".join(CliRunner().invoke(main, ["advise", "--help"]).output.split())
    assert "a multiple of 32 from 64 to 131,072" in text
