"""Parameters by turn as text: one canonical text for one meaning."""

from __future__ import annotations

from typing import Any

import pytest

from ginsim.errors import StrategyError
from ginsim.strategies import Strategy, parse_strategy
from ginsim.turns import ByTurn, KnockTable
from tests import reference


@pytest.mark.parametrize(
    ("value", "text", "numbers"),
    [
        (7, "7", [7] * 16),
        ("7", "7", [7] * 16),
        ("7*16", "7", [7] * 16),
        (" 4 * 2 / 6 ", "4*2/6", [4, 4] + [6] * 14),
        ([4, 4, 6, 6], "4*2/6", [4, 4] + [6] * 14),
        (["4*2", 6], "4*2/6", [4, 4] + [6] * 14),
        ("1/2/1", "1/2/1", [1, 2] + [1] * 14),
        ("0*15/9", "0*15/9", [0] * 15 + [9]),
    ],
)
def test_numbers(value: Any, text: str, numbers: list[int]) -> None:
    kind = ByTurn(0, 9)
    assert kind.read(value) == text
    assert kind.codes(text) == numbers
    assert Strategy(weigh_runs=value).weigh_runs == text
    # The twin reads the same out of it.
    assert [reference.value_at(text, turn) for turn in range(1, 20)] == numbers + numbers[-1:] * 3


@pytest.mark.parametrize(
    "value",
    ["", "x", "-1", "10", 10, "4/", "4*0", "4**2", "0*17", "1*15/2/3", [], [None], True, 1.5],
)
def test_what_is_no_number_by_turn(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the field says what is allowed
        ByTurn(0, 9).read(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4, "4"),
        ([10, 10, 8], "10*2/8"),
        ("0-4", "4"),
        ("0+1+2", "2"),
        ("2-4+3-6+0", "0+2-6"),
        ("10-10", "10-10"),
        ("none*2/0", "none*2/0"),
        ([["10", 8], [6]], "10/8;6"),
        ("10/8;6;6;6", "10/8;6"),
        ({"other": [10, 8], "5": [5], "3": "3;1"}, "10/8|3:3;1|5:5"),
        ("10|5:10|3:4", "10|3:4"),
    ],
)
def test_knock_tables(value: Any, text: str) -> None:
    assert KnockTable().read(value) == text
    assert KnockTable().read(text) == text
    assert Strategy(knock_table=value).knock_table == text
    codes = KnockTable().codes(text)
    for limit in range(11):
        for pick_ups in range(6):
            for turn in (1, 2, 3, 16, 40):
                mask = codes[limit][min(pick_ups, 3)][min(turn, 16) - 1]
                deadwoods = {deadwood for deadwood in range(11) if mask >> deadwood & 1}
                assert reference.deadwoods_at(text, limit, pick_ups, turn) == deadwoods


@pytest.mark.parametrize(
    "value",
    ["", "11", "4-2", "none+1", "1;2;3;4;5", "4|4", "4|11:4", "4|5:4|5:3", {"5": [4]}, [[], []]],
)
def test_what_is_no_knock_table(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the field says what is allowed
        KnockTable().read(value)


def test_a_refusal_says_what_is_allowed() -> None:
    with pytest.raises(
        StrategyError, match=r"take_gain: '0' is not allowed; allowed: whole numbers 1"
    ):
        Strategy(take_gain="0")
    with pytest.raises(StrategyError, match=r"knock_table: '11' .* deadwoods 0 to 10"):
        Strategy(knock_table="11")
    with pytest.raises(StrategyError, match=r"expert: weigh_runs: 'x' .* whole numbers 0 to 999"):
        parse_strategy("expert(weigh_runs=x)")


def test_texts_of_one_meaning_are_one_strategy() -> None:
    first = parse_strategy("expert(knock_table=4*3/0-2, weigh_runs=3*16)")
    second = parse_strategy("expert(weigh_runs='3', knock_table=4/4/4/2)")
    assert first == second
    assert first.name == second.name == "expert(knock_table=4*3/2, weigh_runs=3)"
    assert parse_strategy(first.name) == first
