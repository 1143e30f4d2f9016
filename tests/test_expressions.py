"""Expressions of columns: against pandas, card by card, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim.cards import CardSet
from ginsim.expressions import evaluate_expression

HANDS = ginsim.simulate("hollywood", ("greedy", "simple"), 3000, seed=1)
PLAYS = ginsim.decisions("kawu", "greedy", 300, seed=1)


def read(text: str, frame: pd.DataFrame = HANDS) -> pd.Series[Any]:
    return evaluate_expression("share", text, frame)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("outcome == gin", HANDS["outcome"] == "gin"),
        ("outcome == 'gin'", HANDS["outcome"] == "gin"),
        ("outcome != gin", HANDS["outcome"] != "gin"),
        ("winner != south", HANDS["winner"] != "south"),
        ("winner == dealer", HANDS["winner"].astype(object) == HANDS["dealer"].astype(object)),
        ("outcome in (gin, big_gin)", HANDS["outcome"].isin(["gin", "big_gin"])),
        ("outcome not in (gin, big_gin)", ~HANDS["outcome"].isin(["gin", "big_gin"])),
        ("turns > 20 and stock < 5", (HANDS["turns"] > 20) & (HANDS["stock"] < 5)),
        ("turns > 20 or dealer == south", (HANDS["turns"] > 20) | (HANDS["dealer"] == "south")),
        ("not turns > 20", HANDS["turns"] <= 20),
        ("1 <= south_knock_turn <= 4", HANDS["south_knock_turn"].between(1, 4)),
        ("2 * turns - stock + 1", 2 * HANDS["turns"].astype(int) - HANDS["stock"] + 1),
        # Wider than the columns are: 127 * 1000 is no int8.
        ("south_deadwood * 1000", HANDS["south_deadwood"].astype(int) * 1000),
        ("points / 2", HANDS["points"] / 2),
        ("-net", -HANDS["net"].astype(int)),
        ("abs(net)", HANDS["net"].astype(int).abs()),
        ("least(south_deadwood, north_deadwood)", HANDS.filter(regex="h_deadwood").min(axis=1)),
        ("most(turns, 20)", HANDS["turns"].astype(int).clip(lower=20)),
        ("knock_card == 2c", HANDS["knock_card"] == "2c"),
        ("knock_card == Th", HANDS["knock_card"] == "Th"),
        ("knock_card in (2c, 10h)", HANDS["knock_card"].isin(["2c"])),
        ("suit(knock_card) == s", HANDS["knock_card"].astype(str).str[1] == "s"),
        ("rank(knock_card) == 9", HANDS["knock_card"].astype(str).str[0] == "9"),
        ("rank(knock_card) >= J", HANDS["knock_card"].astype(str).str[0].isin([*"JQK"])),
        ("pips(knock_card) == knock_limit", pd.Series(True, HANDS.index)),
        ("turns", HANDS["turns"]),
        ("true", pd.Series(True, HANDS.index)),
        ("3", pd.Series(3, HANDS.index)),
    ],
)
def test_values_are_those_of_pandas(text: str, wanted: pd.Series[Any]) -> None:
    if "10h" in text:
        with pytest.raises(ginsim.OptionError, match="unknown value of knock_card '10h'"):
            read(text)
        return
    pd.testing.assert_series_equal(read(text), wanted, check_names=False, check_dtype=False)


@pytest.mark.parametrize(
    ("text", "is_counted"),
    [
        ("count(hand_cards)", lambda card: True),
        ("count(hand_cards, 5)", lambda card: card[0] == "5"),
        ("count(hand_cards, 10)", lambda card: card[0] == "T"),
        ("count(hand_cards, K)", lambda card: card[0] == "K"),
        ("count(hand_cards, h)", lambda card: card[1] == "h"),
        ("count(hand_cards, 5h)", lambda card: card == "5h"),
    ],
)
def test_cards_of_a_set_are_counted(text: str, is_counted: Any) -> None:
    wanted = [
        sum(is_counted(str(card)) for card in CardSet(int(mask))) for mask in PLAYS["hand_cards"]
    ]
    assert read(text, PLAYS).tolist() == wanted


def test_a_missing_value_equals_nothing() -> None:
    missing = PLAYS["top"].isna()
    assert missing.any()
    assert not read("rank(top) < K", PLAYS)[missing].any()
    assert not read("top == Ac", PLAYS)[missing].any()
    assert not read("top == card", PLAYS)[missing].any()
    assert read("rank(top)", PLAYS).isna().equals(missing)
    assert np.isnan(read("pips(top)", PLAYS)[missing]).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outcom == gin", r"share: unknown column 'outcom'; did you mean 'outcome'\?"),
        ("outcome == gim", r"share: unknown value of outcome 'gim'; did you mean 'gin'\?"),
        ("gin", r"share: unknown column 'gin'"),
        ("turns >", r"share: 'turns >': not an expression; allowed: a column or an expression"),
        ("turns > 3 and net", r"net is not true or false"),
        ("outcome > gin", r"outcome has no order"),
        ("outcome + 1", r"outcome is not a number"),
        ("dealer < winner", r"dealer has no order with another column"),
        ("turns ** 2", r"turns \*\* 2 is not known here"),
        ("turns.max()", r"is not known here"),
        ("__import__('os')", r"unknown function '__import__'; known: rank, suit"),
        ("[x for x in turns]", r"is not known here"),
        ("lambda: 1", r"is not known here"),
        ("rank(turns)", r"turns is not a column of cards"),
        ("count(turns)", r"turns is not a column of sets of cards"),
        ("least(turns)", r"least takes 2 in its brackets"),
        ("turns in outcome", r"a list is written \(gin, big_gin\)"),
        ("turns is 3", r"'is' is not known here"),
        ("(" * 500 + "1" + ")" * 500, r"not an expression|longer than"),
        ("-" * 3000 + "1", r"longer than 1000 characters"),
        ("", r"not an expression"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(ginsim.OptionError, match=message):
        read(text)


def test_a_count_of_no_card_is_refused() -> None:
    with pytest.raises(ginsim.OptionError, match=r"share: count: 'X' is not allowed"):
        read("count(hand_cards, X)", PLAYS)


def test_estimate_takes_expressions() -> None:
    """The figures of functions of the frame, which are computed by pandas alone."""
    texts = ginsim.estimate(
        PLAYS,
        share={"pile, early": "action == draw_pile and turn <= 3"},
        mean={"less": "deadwood_before - deadwood_after"},
        by={"court card": "rank(top) >= J"},
        paired="seat == dealer",
    )
    functions = ginsim.estimate(
        PLAYS,
        share={"pile, early": lambda f: (f["action"] == "draw_pile") & (f["turn"] <= 3)},
        mean={"less": lambda f: f["deadwood_before"].astype(int) - f["deadwood_after"]},
        by={"court card": lambda f: f["top"].astype(str).str[0].isin([*"JQK"])},
        paired=lambda f: f["seat"].astype(str) == f["dealer"].astype(str),
    )
    pd.testing.assert_frame_equal(texts, functions)


def test_rows_are_chosen() -> None:
    chosen = ginsim.choose_rows(HANDS, "outcome == gin and dealer == south")
    wanted = HANDS[(HANDS["outcome"] == "gin") & (HANDS["dealer"] == "south")]
    pd.testing.assert_frame_equal(chosen, wanted)
    assert chosen.attrs["provenance"]["seed"] == 1
    with pytest.raises(ginsim.OptionError, match="where: values of type int16"):
        ginsim.choose_rows(HANDS, "turns")
