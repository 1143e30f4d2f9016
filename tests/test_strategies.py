"""Strategies as text and as records."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from ginsim import _rollout, _strategy
from ginsim.errors import GinsimError, StrategyError
from ginsim.fields import choices
from ginsim.strategies import (
    MEANINGS,
    STRATEGIES,
    Strategy,
    list_strategies,
    parse_strategy,
    to_record,
)

DOCS = Path(__file__).parents[1] / "docs"

#: What every strategy has that says nothing of a partner.
NO_PARTNER = {
    "knock_after_win": "same",
    "win_from": 1,
    "knock_after_loss": "same",
    "loss_from": 1,
}

#: What every strategy has that neither gains, weighs nor knocks by a table.
NO_TURNS = {
    "take_gain": "99",
    "knock_table": "10",
    "keep_pairs": 0,
    "close_from": 0,
    "knock_close": "10",
    "guard_from": 0,
    "knock_guard": "10",
    "cheats": "no",
    "weigh_deadwood": "1",
    "weigh_rank": "0",
    "weigh_pairs": "0",
    "weigh_runs": "0",
    "weigh_unseen": "0",
    "weigh_known": "0",
}
#: What every strategy has that does not search.
NO_SEARCH = {"rollouts": 0, "opponent": "base", "candidates": 5, "steps": 8, "caution": 17}
PLAIN = {**NO_PARTNER, **NO_TURNS, **NO_SEARCH}

# docs/engine.md, "Strategies".
GREEDY = {
    **PLAIN,
    "upcard": "improve",
    "draw": "improve",
    "big_gin": "always",
    "knock": "threshold",
    "knock_at": 10,
    "discard": "least",
    "spread": "fewest_sets",
    "layoff": "optimal",
}


@pytest.mark.parametrize(
    ("text", "name", "fields"),
    [
        (
            "random",
            "random",
            {
                **PLAIN,
                "upcard": "random",
                "draw": "random",
                "big_gin": "random",
                "knock": "random",
                "knock_at": 10,
                "discard": "random",
                "spread": "random",
                "layoff": "random",
            },
        ),
        (
            "simple",
            "simple",
            {
                **PLAIN,
                "upcard": "meld",
                "draw": "meld",
                "big_gin": "always",
                "knock": "threshold",
                "knock_at": 10,
                "discard": "uniform",
                "spread": "uniform",
                "layoff": "in_order",
            },
        ),
        ("greedy", "greedy", GREEDY),
        ("greedy()", "greedy", GREEDY),
        ("greedy(10, optimal)", "greedy", GREEDY),
        ("greedy(4)", "greedy(knock_at=4)", {**GREEDY, "knock_at": 4}),
        ("greedy(knock_at=4)", "greedy(knock_at=4)", {**GREEDY, "knock_at": 4}),
        ("  greedy ( knock_at = 0 ) ", "greedy(knock_at=0)", {**GREEDY, "knock_at": 0}),
        (
            "greedy(layoff='greedy',knock_at=4)",
            "greedy(knock_at=4, layoff=greedy)",
            {**GREEDY, "knock_at": 4, "layoff": "greedy"},
        ),
        ('greedy(10, "none")', "greedy(layoff=none)", {**GREEDY, "layoff": "none"}),
        ("rollout", "rollout", {**GREEDY, "knock_at": 0, "rollouts": 64, "opponent": "greedy"}),
        (
            "rollout(8, greedy( 4,layoff=none ), steps=0)",
            "rollout(n=8, base=greedy(knock_at=4, layoff=none), steps=0)",
            {
                **GREEDY,
                "knock_at": 4,
                "layoff": "none",
                "rollouts": 8,
                "opponent": "greedy",
                "steps": 0,
            },
        ),
        (
            "rollout(base=greedy(0), candidates=11, caution=0, opponent=base)",
            "rollout(opponent=base, candidates=11, caution=0)",
            {**GREEDY, "knock_at": 0, "rollouts": 64, "candidates": 11, "caution": 0},
        ),
    ],
)
def test_texts(text: str, name: str, fields: dict[str, Any]) -> None:
    strategy = parse_strategy(text)
    assert strategy.name == name
    assert strategy.values() == fields
    assert parse_strategy(strategy.name) == strategy
    assert parse_strategy(strategy.model_dump()) == strategy
    assert parse_strategy(strategy) is strategy


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gredy", ["unknown strategy 'gredy'", "did you mean 'greedy'", "random, simple, greedy"]),
        ("", ["unknown strategy ''", "known: random"]),
        ("Greedy", ["unknown strategy 'Greedy'", "did you mean 'greedy'"]),
        ("greedy(11)", ["knock_at: 11", "0 to 10"]),
        ("greedy(-1)", ["knock_at: -1", "0 to 10"]),
        ("greedy(knock_at=x)", ["knock_at: 'x'", "0 to 10"]),
        ("greedy(4.5)", ["knock_at: '4.5'"]),
        ("greedy(layoff=in_order)", ["layoff: 'in_order'", "optimal, greedy or none"]),
        ("greedy(4, none, 3, 1, 3, 1, 5)", ["too many parameters", "'5'", "knock_at, layoff"]),
        ("greedy(knock_after_win=11)", ["knock_after_win: 11", "0 to 10, or same"]),
        ("greedy(win_from=0)", ["win_from: 0", "1 to 9999"]),
        ("greedy(knock_after_loss=never)", ["knock_after_loss: 'never'", "0 to 10, or same"]),
        ("greedy(knok=4)", ["'knok'", "did you mean 'knock_at'", "knock_at, layoff"]),
        ("greedy(4, knock_at=3)", ["knock_at is given twice"]),
        ("simple(3)", ["simple: too many parameters", "takes none"]),
        ("random(knock_at=3)", ["'knock_at'", "known: none"]),
        ("greedy(4", ["cannot be read", "greedy(knock_at=4)"]),
        ("greedy(4) twice", ["cannot be read"]),
        ("greedy(,)", ["knock_at: ''", "layoff: ''"]),
        ("rollout(0)", ["rollout: n: 0", "1 to 4096"]),
        (
            "rollout(base=rollout(4))",
            ["base: 'rollout(4)'", "random, simple, greedy, expert or expert_classic, with"],
        ),
        ("rollout(base=greedy(11))", ["rollout: greedy: knock_at: 11", "0 to 10"]),
        ("rollout(base=greedy(4)", ["'greedy(4'", "cannot be read"]),
        ("rollout(base=greedy(4), opponent=random)", ["opponent: 'random'", "base, simple or"]),
        (4, ["strategy: 4"]),
        (None, ["strategy: None"]),
    ],
)
def test_what_is_no_strategy_is_said(text: Any, words: list[str]) -> None:
    with pytest.raises(StrategyError) as caught:
        parse_strategy(text)
    assert isinstance(caught.value, GinsimError)
    for word in words:
        assert word in str(caught.value)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    mine = tmp_path / "inner" / "mine.toml"
    mine.write_text(
        'title = "mine"\nbase = "greedy(4)"\ndraw = "meld"\n'
        'knock = "table"\nknock_table = { other = [10, 8], 5 = [[5], ["none"]] }\n'
    )
    expected = {
        **GREEDY,
        "draw": "meld",
        "knock": "table",
        "knock_at": 4,
        "knock_table": "10/8|5:5;none",
    }
    for spec in (mine, str(mine), f" {mine} ( ) "):
        strategy = parse_strategy(spec)
        assert (strategy.name, strategy.values()) == ("mine.toml", expected)
    changed = parse_strategy(f"{mine}(knock_at=7, layoff=none)")
    assert changed.name == "mine.toml(knock_at=7, layoff=none)"
    assert changed.values() == {**expected, "knock_at": 7, "layoff": "none"}
    for name in ("mine (1).toml", "my own.toml", "(2) [x].toml"):
        mine.rename(tmp_path / name)
        strategy = parse_strategy(f"./{name}", str(tmp_path))
        assert (strategy.name, strategy.values()) == (name, expected)
        strategy = parse_strategy(f" {name} (knock_at=7, layoff=none) ", str(tmp_path))
        assert strategy.values() == changed.values()
        (tmp_path / name).rename(mine)

    other = tmp_path / "other.toml"
    other.write_text('base = "inner/mine.toml(knock_at=6)"\nlayoff = "greedy"\n')
    assert parse_strategy(other).values() == {**expected, "knock_at": 6, "layoff": "greedy"}
    other.write_text("")
    assert parse_strategy(other) == parse_strategy("greedy")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("knock_at = 11\ndicard = 1", ["bad.toml: knock_at: 11", "bad.toml: unknown", "'discard'"]),
        ("base = 3", ["bad.toml: base: 3", "a strategy as text"]),
        ("title = 3", ["bad.toml: title: 3"]),
        ('base = "gredy"', ["unknown strategy 'gredy'", "did you mean 'greedy'"]),
        ('base = "bad.toml"', ["leads back to bad.toml"]),
        ('base = "none.toml"', ["strategy file", "none.toml' does not exist"]),
        ("base = ", ["strategy file", "is not TOML"]),
        ('knock_table = ["11"]', ["bad.toml: knock_table: ['11']", "deadwoods 0 to 10"]),
        ('spread = "clairvoyant"', ["bad.toml: spread", "cheats=yes"]),
    ],
)
def test_what_is_no_strategy_file_is_said(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(StrategyError) as caught:
        parse_strategy(path)
    for word in words:
        assert word in str(caught.value)


def test_all_problems_of_a_text_are_listed() -> None:
    with pytest.raises(StrategyError) as caught:
        parse_strategy("greedy(knock_at=11, layoff=x, y=2)")
    assert len(caught.value.problems) == 3


def test_a_strategy_of_ones_own() -> None:
    mixed = Strategy(name="mixed", upcard="meld", discard="uniform", layoff="random")
    assert mixed.draw == "improve"
    assert mixed == Strategy(upcard="meld", discard="uniform", layoff="random")
    assert hash(mixed) == hash(Strategy(upcard="meld", discard="uniform", layoff="random"))
    assert mixed != parse_strategy("greedy")
    assert Strategy(name="mine") == parse_strategy("greedy")
    assert pickle.loads(pickle.dumps(mixed)) == mixed
    with pytest.raises(ValueError, match="frozen"):
        mixed.knock_at = 3  # type: ignore[misc]


def test_every_wrong_field_is_listed() -> None:
    fields: dict[str, Any] = {"knock_at": 11, "discard": "best", "dicard": 1, "draw": True}
    with pytest.raises(StrategyError) as caught:
        Strategy(**fields)
    assert caught.value.problems == (
        "draw: true is not allowed; allowed: random, meld, improve, never, always or gain",
        "knock_at: 11 is not allowed; allowed: whole numbers 0 to 10",
        "discard: 'best' is not allowed; allowed: random, least, uniform or weighed",
        "unknown decision of a strategy 'dicard'; did you mean 'discard'? known: "
        "upcard, draw, take_gain, big_gin, knock, knock_at, knock_table, knock_after_win, "
        "win_from, knock_after_loss, loss_from, close_from, knock_close, guard_from, "
        "knock_guard, discard, keep_pairs, weigh_deadwood, weigh_rank, weigh_pairs, weigh_runs, "
        "weigh_unseen, weigh_known, spread, cheats, layoff, rollouts, opponent, candidates, steps, "
        "caution",
    )


def test_a_cheat_is_refused_unless_it_is_called_one() -> None:
    """And then results say so: the field is in their provenance."""
    words = "spread: 'clairvoyant' looks at the opponent's hand; allowed with cheats=yes only"
    with pytest.raises(StrategyError, match=re.escape(words)):
        Strategy(spread="clairvoyant")
    with pytest.raises(StrategyError, match=re.escape(words)):
        parse_strategy("expert(spread=clairvoyant)")
    assert parse_strategy("expert(spread=clairvoyant, cheats=yes)").values()["cheats"] == "yes"
    # Allowed to and not doing it is nothing but a word.
    assert Strategy(cheats="yes").spread == "fewest_sets"


def test_what_points_are_read() -> None:
    assert Strategy(knock="table").reads_points == ()
    assert Strategy(knock="table", close_from=9).reads_points == ("scores",)
    assert Strategy(knock="table", guard_from=9).reads_points == ("scores",)
    assert Strategy(close_from=9, guard_from=9).reads_points == ()  # by `threshold` they are not
    assert Strategy(knock="table", knock_after_win=10).reads_points == ("partner",)


def test_the_table_of_named_strategies() -> None:
    assert list_strategies() == [
        *("random", "simple", "greedy", "table", "expert", "expert_classic", "rollout")
    ]
    for name, entry in STRATEGIES.items():
        assert entry.description
        given = {*entry.rules}
        for key, parameter in entry.parameters.items():
            assert parameter.description
            if parameter.is_strategy:
                # It sets all that its strategy has.
                given |= {*Strategy.field_names()}
                assert parse_strategy(str(parameter.default)).name == parameter.default
                assert isinstance(parameter.allowed, tuple)
                for value in parameter.allowed:
                    assert (
                        parse_strategy(f"{name}({key}={value})").draw
                        == parse_strategy(str(value)).draw
                    )
                continue
            field = parameter.field or key
            given.add(field)
            assert parameter.read(parameter.default) == parameter.default
            if isinstance(parameter.allowed, range | tuple):
                values = list(parameter.allowed)
                # The ends and some between stand for the thousands of a long range.
                for value in (*values[:20], *values[20:-1:997], values[-1]):
                    more = ", cheats=yes" if value == "clairvoyant" else ""
                    strategy = parse_strategy(f"{name}({key}={value}{more})")
                    # Of a knock table the parameter says only where it is (tests/test_shipped.py).
                    if parameter.field != "knock_table":
                        assert getattr(strategy, field) == value
        assert given <= set(Strategy.field_names())
        assert given >= set(Strategy.field_names()) - {"knock_at", *PLAIN}


def test_the_opponents_of_the_core_are_the_named_strategies() -> None:
    assert choices(Strategy.model_fields["opponent"]) == _rollout.OPPONENTS
    core, named = _rollout.opponent_records(), to_record(_rollout.OPPONENTS[1:])
    # What its rules do not read is left out of the core's.
    for field in set(core.dtype.names or ()) - set(NO_SEARCH) - set(NO_TURNS):
        assert core[field].tolist() == named[field].tolist(), field


def test_every_rule_of_every_decision_is_explained() -> None:
    for name, info in Strategy.model_fields.items():
        assert set(MEANINGS.get(name, {})) == set(choices(info))


# -- the compiled core's record -------------------------------------------------------------------


def test_the_model_and_the_record_hold_the_same_fields() -> None:
    # And the number of a Python strategy, which is no field.
    assert set(_strategy.STRATEGY_DTYPE.names or ()) == {*Strategy.field_names(), "player"}


def test_the_codes_of_words() -> None:
    expected = {
        "upcard": ("random", "meld", "improve", "never", "always", "gain"),
        "draw": ("random", "meld", "improve", "never", "always", "gain"),
        "big_gin": ("random", "always"),
        "knock": ("random", "threshold", "table"),
        "discard": ("random", "least", "uniform", "weighed"),
        "spread": ("random", "uniform", "fewest_sets", "first", "expected", "clairvoyant"),
        "cheats": ("no", "yes"),
        "layoff": ("random", "optimal", "greedy", "in_order", "none"),
        "opponent": ("base", "simple", "greedy"),
    }
    for field, words in expected.items():
        assert choices(Strategy.model_fields[field]) == words


def test_the_record_carries_both_seats() -> None:
    record = to_record(("simple", parse_strategy("greedy(4, none)")))
    assert record.shape == (2,)
    words = [field for field in record.dtype.names or () if field not in NO_TURNS]
    assert {field: record[field].tolist() for field in words} == {
        "upcard": [1, 2],
        "draw": [1, 2],
        "big_gin": [1, 1],
        "knock": [1, 1],
        "knock_at": [10, 4],
        "knock_after_win": [255, 255],
        "win_from": [1, 1],
        "knock_after_loss": [255, 255],
        "loss_from": [1, 1],
        "discard": [2, 1],
        "spread": [1, 2],
        "layoff": [3, 4],
        "opponent": [0, 0],
        "rollouts": [0, 0],
        "candidates": [5, 5],
        "steps": [8, 8],
        "caution": [17, 17],
        "player": [0, 0],
    }


def test_parameters_by_turn_in_the_record() -> None:
    table = "10*2/0+2-4;none|5:5/1-3"
    record = to_record((Strategy(take_gain="9*2/5", keep_pairs=3, knock_table=table), "greedy"))
    assert record["take_gain"].tolist() == [[9, 9] + [5] * 14, [99] * 16]
    assert record["keep_pairs"].tolist() == [3, 0]
    # Bits 0 to 10; 0, 2, 3 and 4; none. Under limit 5: 0 to 5; 1, 2 and 3.
    other = [[2047, 2047] + [29] * 14] + 3 * [[0] * 16]
    five = 4 * [[63] + [14] * 15]
    expected = [five if limit == 5 else other for limit in range(11)]
    assert record["knock_table"][0].tolist() == expected
    assert (record["knock_table"][1] == 2047).all()


def test_the_documentation_names_every_strategy_and_parameter() -> None:
    text = (DOCS / "strategies.md").read_text(encoding="utf-8")
    for name, entry in STRATEGIES.items():
        assert f"`{name}`" in text
        for key, parameter in entry.parameters.items():
            if name == "expert_classic" and parameter == STRATEGIES["expert"].parameters[key]:
                continue
            row = f"| `{key}` | {parameter.allowed_words} | {parameter.default} |"
            assert row in text, row


def test_a_file_that_cheats_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "sly.toml").write_text('spread = "clairvoyant"\ncheats = "yes"\n')
    (tmp_path / "fair.toml").write_text('spread = "expected"\n')
    sly = parse_strategy("./sly.toml", str(tmp_path))
    assert sly.name == "sly.toml(cheats=yes)"
    assert parse_strategy(f"{tmp_path}/sly.toml(cheats=yes)") == sly
    assert parse_strategy("./fair.toml", str(tmp_path)).name == "fair.toml"
