"""Advice: positions told by what was seen, and what each action brings."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import _position
from ginsim.advising import ACTIONS, advise, read_seen
from ginsim.cards import CardSet, card_name, read_cards
from ginsim.cli import main
from ginsim.columns import ADVICE_COLUMNS
from ginsim.equity import match_equity
from ginsim.rules import load_rules
from ginsim.strategies import to_record as strategies_record
from ginsim.tasks import make_task

TEN = "7h 7s 7d 4c 5c 6c Ah 2d 4d Qs"
ELEVEN = f"{TEN} Kd"


def seen_by(hand: _position.Hand, rules: str, is_offer: bool) -> dict[str, Any]:
    """What the seat to act of a hand in play has seen, in the words of `advise`."""
    seat = hand.seat
    other = 1 - seat
    # All three rule sets turn a card up.
    pile: list[int] = [hand.deck[20]]
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
        "dealer": "policy" if hand.dealer == seat else "opponent",
        "upcard": is_offer,
        "passed": is_offer and hand.dealer == seat,
        "knock_card": None,
    }


@pytest.mark.parametrize("rules_name", ["kawu", "openspiel", "modern"])
def test_a_position_is_as_in_the_hand_in_which_it_was_seen(rules_name: str) -> None:
    """What the opponent may hold, and what may be done, are those of the engine's own hand."""
    rules = load_rules(rules_name)
    pair = strategies_record(("simple", "greedy(knock_at=0)"))
    setup = make_task(rules, ("simple", "greedy(knock_at=0)"), 40, seed=5).setup
    phases = set()
    for index in range(40):
        hand = _position.Hand.start(setup, index)
        while hand.phase in ("upcard", "draw", "discard"):
            is_offer = hand.phase == "upcard"
            seen = read_seen(rules, **seen_by(hand, rules_name, is_offer))
            told = seen.position()
            assert told.phase == hand.phase
            legal = hand.legal()
            # After two passes only the stock is left, of which nothing was told.
            if legal != [("draw_stock",)]:
                assert told.legal() == legal
            unknown, stock = hand.hidden()
            guessed, left = told.hidden()
            assert sorted(unknown + stock) == sorted(guessed + left)
            assert len(unknown) == len(guessed)
            assert told.stock == hand.stock
            if told.top is not None or hand.top is None:
                assert told.top == hand.top
            assert told.pile == hand.pile
            assert told.pile_draws[1] == hand.pile_draws[1 - hand.seat]
            # The same cards are refused, so that any hand is doubted as much.
            # South cannot tell whether he took the upcard before north was asked.
            if not is_offer and not hand.taken[hand.seat] >> hand.deck[20] & 1:
                cards = unknown + stock
                held = hand.taken[1 - hand.seat]
                for card in cards[: len(unknown)]:
                    held |= 1 << card
                assert told.doubt(held) == hand.doubt(held)
            phases.add((hand.phase, seen.drawn >= 0, seen.is_passed))
            hand.apply(hand.decide(pair))
    assert {("upcard", False, True), ("upcard", False, False), ("draw", False, False)} <= phases
    assert {("discard", False, False), ("discard", True, False)} <= phases


def test_every_legal_action_is_told_with_the_better_first() -> None:
    frame = advise("kawu", ELEVEN, "Ks Jd 9c", "8h 9h", 5, seed=1, play_outs=256)
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
    frame = advise("kawu", TEN, "Ks Jd 3d", "8h 9h", 5, seed=1, play_outs=256)
    assert set(frame["action"]) == {"draw_pile", "draw_stock"}
    # The three makes all melds but for a card: 7s three, 4-5-6, A and 2-3-4.
    assert frame["action"][0] == "draw_pile"
    assert frame["behind_low"][1] > 0
    hand = "7h 7s 7d 4c 5c 6c 2d 3d 4d Ah Kd"
    frame = advise("kawu", hand, "Ks Jd 9c", "8h 9h", 5, seed=1, play_outs=256)
    assert set(frame["action"]) == {"knock", "discard"}
    assert (
        frame[frame["action"] == "knock"]["card"].tolist()
        == ["Kd", "Ah"][:2][: (frame["action"] == "knock").sum()]
    )
    gin = "7h 7s 7d 4c 5c 6c 2d 3d 4d 5d Kd"
    frame = advise("kawu", gin, "Ks", "8h", 5, seed=1, play_outs=64)
    assert (frame["action"][0], frame["card"][0]) == ("knock", "Kd")
    big = advise("modern", "7h 7s 7d 7c 4c 5c 6c 2d 3d 4d 5d", "Ks", "8h", 5, seed=1, play_outs=64)
    assert big["action"][0] == "big_gin"
    offer = advise("kawu", TEN, "3d", turn=1, upcard=True, seed=1, play_outs=64)
    assert set(offer["action"]) == {"pass", "draw_pile"}


def test_the_card_just_taken_may_not_be_thrown() -> None:
    options: dict[str, Any] = {"seed": 1, "play_outs": 64}
    frame = advise("kawu", ELEVEN, "Ks Jd", "8h", 5, just_took="Kd", **options)
    assert "Kd" not in set(frame["card"])
    frame = advise("casual", ELEVEN, "Ks Jd", "8h", 5, just_took="Kd", **options)
    assert "Kd" in set(frame["card"])


def test_the_same_seed_gives_the_same_advice() -> None:
    frames = [
        advise("kawu", ELEVEN, "Ks Jd 9c", "8h 9h", 5, seed=seed, play_outs=64)
        for seed in (1, 1, 2)
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
        "eaai", hand, names, took, 20, policy="greedy(0)", opponent="greedy", seed=1, play_outs=4096
    )
    nets: dict[tuple[str, str], list[int]] = {}
    rules = load_rules("eaai")
    for order in itertools.permutations(stock):
        seen = read_seen(
            rules, hand, names, took, 20, None, 0, None, "opponent", False, False, None
        )
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
    plain = advise("kawu", ELEVEN, "Ks Jd 9c", "8h 9h", 5, seed=1, play_outs=64)
    frame = advise(
        "kawu",
        ELEVEN,
        "Ks Jd 9c",
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
        advise("kawu+hollywood", ELEVEN, "Ks", "8h", 5, scores="95-10")


def test_a_score_is_weighed_by_the_equity_after_the_hand() -> None:
    """Of a hand that is gin, whatever comes, the chance is that of the points it brings."""
    gin = "7h 7s 7d 4c 5c 6c 2d 3d 4d 5d Kd"
    frame = advise("kawu", gin, "Ks", "8h", 5, scores="60-10", seed=1, play_outs=640)
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
        ({"pile": "Ks Ks"}, "pile: a card is there twice"),
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
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    given = {"rules": "kawu", "hand": TEN, "pile": "Jd Ks", "took": "8h 9h", "turn": 5}
    with pytest.raises(ginsim.GinsimError, match=message):
        advise(**{**given, "seed": 1, "play_outs": 64, **options})


def test_a_hand_that_is_over_is_refused() -> None:
    rest = [card for card in range(52) if not read_cards("a", TEN) >> card & 1]
    pile = " ".join(map(card_name, rest[:30]))
    with pytest.raises(ginsim.CardError, match="leave 2 in the stock"):
        advise("kawu", TEN, pile, 0, 15)
    assert len(CardSet(read_cards("a", TEN))) == 10


def test_at_the_wall_the_last_discard_ends_the_hand_or_nothing_does() -> None:
    hand = "7h 7s 7d 4c 5c 6c 2d 3d Jh Kd"
    gone = read_cards("a", f"{hand} 4d")
    rest = [card for card in range(52) if not gone >> card & 1]
    pile = " ".join(map(card_name, rest[:29]))
    frame = advise("openspiel", hand, f"{pile} 4d", 0, 15, seed=1, play_outs=64)
    points = dict(zip(frame["action"].astype(str), frame["points"], strict=True))
    # Left alone the hand is dead, and brings nothing.
    assert points["decline"] == 0
    assert points["draw_pile"] != 0
    assert len(points) == 2
    with pytest.raises(ginsim.CardError, match="the last discard cannot be taken"):
        advise("openspiel", hand, f"4d {pile}", 0, 15, seed=1, play_outs=64)


def test_the_command() -> None:
    words = ["advise", "--rules", "kawu", "--hand", TEN, "--pile", "Ks Jd 3d", "--took", "8h 9h"]
    words += ["--turn", "5", "--seed", "1", "--play-outs", "256"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    frame = advise("kawu", TEN, "Ks Jd 3d", "8h 9h", 5, seed=1, play_outs=256)
    assert f"draw pile  {frame['points'][0]:+.2f}" in " ".join(result.output.split()).replace(
        "draw pile ", "draw pile  "
    )
    assert "Best: draw pile" in result.output
    result = CliRunner().invoke(main, [*words, "--scores", "80-20"])
    assert "game won" in result.output
