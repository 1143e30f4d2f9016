"""Every worked case about one hand's cards and score, through the public functions."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import ginsim
from ginsim import CardSet
from tests import cases


@pytest.mark.parametrize("case", cases.of_kind("meld"))
def test_meld(case: dict[str, Any]) -> None:
    assert ginsim.is_meld(case["input"]["cards"]) == case["expected"]["valid"]


@pytest.mark.parametrize("case", cases.of_kind("deadwood"))
def test_deadwood(case: dict[str, Any]) -> None:
    hand, expected = case["input"]["hand"], case["expected"]
    assert ginsim.deadwood(hand) == expected["deadwood"]
    found = ginsim.arrangements(hand)
    assert {each.deadwood for each in found} == {expected["deadwood"]}
    if "total" in expected:
        # Every card loose: the arrangement without melds is always among all arrangements.
        total = ginsim.arrangements(hand, most=200)[0]
        assert (total.melds, total.deadwood) == ((), expected["total"])
    if "can_knock_10" in expected:
        assert (ginsim.deadwood(hand) <= 10) == expected["can_knock_10"]
    if "arrangements" in expected:
        assert len(found) == expected["arrangements"]
        leftovers = {CardSet(cards) for cards in expected["leftovers"]}
        assert {each.unmelded for each in found} == leftovers


@pytest.mark.parametrize("case", cases.of_kind("best_discard"))
def test_best_discard(case: dict[str, Any]) -> None:
    hand, expected = case["input"]["hand"], case["expected"]
    best = ginsim.best_discard(hand, forbid=case["input"].get("banned", ""))
    assert best.deadwood == expected["deadwood"]
    assert best.discards == CardSet(expected["discards"])
    assert best.discard in best.discards
    each = ginsim.discard_deadwoods(hand)
    assert set(best.discards) <= {card for card, left in each.items() if left == best.deadwood}
    if "deadwood_11" in expected:
        assert ginsim.deadwood(hand) == expected["deadwood_11"]
        assert best.all_melded == (expected["deadwood_11"] == 0)


@pytest.mark.parametrize("case", cases.of_kind("layoff"))
def test_layoff(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    melds, defender = given["knocker_melds"], given["defender"]
    answer = ginsim.layoff(melds, defender, unmelded=given["knocker_deadwood"])
    assert answer.knocker_deadwood == expected["knocker_dw"]
    assert ginsim.deadwood(defender) == expected["defender_before"]
    assert answer.defender_deadwood == expected["defender_after"]
    pieces = [*answer.melds, answer.laid_off, answer.unmelded]
    assert sum(len(piece) for piece in pieces) == 10
    assert CardSet(sum(piece.mask for piece in pieces)) == CardSet(defender)
    none = ginsim.layoff(melds, defender, unmelded=given["knocker_deadwood"], method="none")
    assert none.defender_deadwood == expected["defender_before"]
    if "melds_first" in expected:
        for method in ("greedy", "in_order"):
            first = ginsim.layoff(
                melds, defender, unmelded=given["knocker_deadwood"], method=method
            )
            low, high = expected["melds_first"]
            assert low <= first.defender_deadwood <= high
    for name, (winner, points) in expected.get("score", {}).items():
        score = ginsim.score_hand(
            cases.RULES[name], answer.knocker_deadwood, answer.defender_deadwood
        )
        assert (score.winner, score.points) == (winner, points), name


@pytest.mark.parametrize("case", cases.of_kind("arrangement"))
def test_knockers_arrangement(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    found = ginsim.arrangements(given["knocker"])
    assert {each.deadwood for each in found} == {expected["knocker_dw"]}
    after = {}
    for each in found:
        runs_only = not any(len({card[0] for card in meld}) == 1 for meld in each.melds)
        answer = ginsim.layoff(each.melds, given["defender"], unmelded=each.unmelded)
        after["runs" if runs_only else "mixed"] = answer.defender_deadwood
    assert after == expected["defender_after"]
    best = ginsim.best_spread(given["knocker"], given["defender"])
    assert best.defender_deadwood == max(expected["defender_after"].values())
    assert best.knocker_deadwood == expected["knocker_dw"]


def test_holding_back_a_run_card_can_win_more() -> None:
    """AR03: 18 points with the full spread, 28 with the seven of spades kept as deadwood."""
    full, held_back = cases.by_id("AR03a")["input"], cases.by_id("AR03b")["input"]
    knocker = CardSet("".join(full["knocker_melds"]) + full["knocker_deadwood"])
    least = ginsim.best_spread(knocker, full["defender"])
    assert least.defender_deadwood - least.knocker_deadwood == 18
    any_spread = ginsim.best_spread(knocker, full["defender"], limit=10)
    assert any_spread.defender_deadwood - any_spread.knocker_deadwood == 28
    assert any_spread.arrangement.unmelded == CardSet(held_back["knocker_deadwood"])


@pytest.mark.parametrize("case", cases.of_kind("score"))
def test_score(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    rules = ginsim.load_rules(cases.RULES[given["rules"]])
    if given.get("double_base_box"):
        rules = rules.replace(spade_doubles="all")
    score = ginsim.score_hand(
        rules,
        given["knocker_dw"],
        given["defender_dw"],
        big_gin=given.get("big_gin", False),
        spade=given.get("spade", False),
    )
    assert score.points == expected["points"]
    if "result" in expected:
        assert score.outcome == cases.OUTCOMES.get(expected["result"], expected["result"])
    if "winner" in expected:
        assert score.winner == expected["winner"]
    if "boxes" in expected:
        assert score.boxes == expected["boxes"]
    if "bonus_boxes" in expected:
        assert score.prize_boxes == expected["bonus_boxes"]


@pytest.mark.parametrize("case", cases.of_kind("knock_limit"))
def test_knock_limit(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    name = given["rules"]
    # Pagat's Oklahoma is a variant of its own there.
    rules = "pagat+oklahoma" if name == "pagat" else cases.RULES[name]
    limit = ginsim.knock_limit(rules, given["card"])
    assert limit == expected["limit"]
    assert (given["deadwood"] <= limit) == expected["legal"]


#: The modules that play the worked cases.
MODULES = (
    "test_cases",
    "test_outs",
    "test_games",
    "test_books",
    "test_partnership",
    "test_rule_cases",
)


def test_every_worked_case_is_played() -> None:
    """Each is a parameter of a test; those of kind `rule` have tests of their own, which
    tests/test_rule_cases.py counts."""
    played = set()
    for name in MODULES:
        for test in vars(importlib.import_module(f"tests.{name}")).values():
            for mark in getattr(test, "pytestmark", ()):
                if mark.name == "parametrize" and mark.args[0] == "case":
                    played |= {parameter.id for parameter in mark.args[1]}
    assert played >= {case["id"] for case in cases.CASES if case["kind"] != "rule"}
    assert len(cases.CASES) == 213
