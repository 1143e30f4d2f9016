"""The strategy `table`, and the knock tables that come with the package."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ginsim
from ginsim.knock_solving import solve_knocks
from ginsim.rules import list_rulesets, load_rules
from ginsim.shipped import find_table, settle_table
from ginsim.strategies import parse_strategy, to_record
from ginsim.tablefiles import list_tables, read_shipped
from ginsim.turns import KnockTable

TABLES = list_tables()


def test_every_rule_set_for_two_has_a_table() -> None:
    two = [name for name in list_rulesets() if load_rules(name).players == 2]
    assert two == TABLES


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_how_it_was_found(name: str) -> None:
    source = read_shipped(name)
    origin = source["provenance"]
    assert source["knock"] == "table"
    assert origin["rules"] == name
    assert origin["opponent"] == "itself"
    assert origin["hands"] >= 400_000
    assert origin["stream"] == ginsim.STREAM_VERSION
    assert origin["converged"] is True
    value, low, high = origin["exploitability"]
    assert low <= value <= high < 0.05
    command = shlex.split(origin["command"])
    assert command[:4] == ["ginsim", "knock", name, "--solve"]
    assert origin["by"] == (
        ["turn", "deadwood", "limit"]
        if load_rules(name).knock_limit == "card"
        else ["turn", "deadwood"]
    )
    # Gin is never waited out of: nothing better can come of it but big gin, and that is rare.
    limits = {10} if load_rules(name).knock_limit != "card" else set(range(1, 11))
    codes = KnockTable().codes(source["knock_table"])
    assert all(codes[limit][0][turn] & 1 for limit in limits for turn in range(2, 16))


def test_table_is_greedy_with_the_table_of_the_rules() -> None:
    for name in TABLES:
        settled = settle_table(parse_strategy("table"), load_rules(name))
        assert settled == parse_strategy(f"table(rules={name})") == parse_strategy(f"table({name})")
        assert settled.name == f"table(rules={name})"
        plain = parse_strategy("greedy").values()
        changed = {key for key, value in settled.values().items() if value != plain[key]}
        assert changed == {"knock", "knock_table"}
    # Hollywood's columns and a partnership's tables are played by hands of the same rules.
    assert find_table(load_rules("kawu+hollywood")) == "kawu"
    assert find_table(load_rules("partnership")) == "hollywood"
    other = parse_strategy("greedy(4)")
    assert settle_table(other, load_rules("kawu")) is other
    expert = settle_table(parse_strategy("expert(knock_table=shipped)"), load_rules("oklahoma"))
    assert expert.knock_table == parse_strategy("table(oklahoma)").knock_table
    assert expert.draw == "gain"


def test_results_carry_the_table_that_was_played() -> None:
    frame = ginsim.simulate("kawu", ("table", "greedy"), 100, seed=1)
    south = frame.attrs["provenance"]["strategies"]["south"]
    assert south["name"] == "table(rules=kawu)"
    again = ginsim.simulate("kawu", (parse_strategy(south), "greedy"), 100, seed=1)
    assert again.equals(frame)
    games = ginsim.simulate_games("partnership", ("table", "greedy"), 2, seed=1)
    assert games.attrs["provenance"]["strategies"]["B"]["name"] == "table(rules=hollywood)"
    position = ginsim.Position.deal("kawu", seed=1).play("table", "greedy")
    assert position.result is not None
    assert position.result["net"] == frame["net"][0]


def test_tables_win() -> None:
    """On fresh deals; false alarm far below one in 1,000."""
    for name in ("kawu", "casual", "oklahoma"):
        duel = ginsim.duel("table", "greedy", name, hands=20_000, measure="points", seed=77)
        row = duel.table[duel.table["measure"] == "points"].iloc[0]
        assert row["value"] > 4 * row["se"]


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        # As it plays a hand, so does kawu; and so do eaai, which comes first by name, and pagat.
        ("kawu", "kawu"),
        ("kawu+hollywood", "kawu"),
        ("kawu+hollywood(target=150)", "kawu"),
        ("kawu(target=150)", "kawu"),
        ("eaai+hollywood", "eaai"),
        ("pagat(hand_bonus=0)", "pagat"),
        ("classic(target=150)", "classic"),
        # With the modifier it is another hand, that of another rule set.
        ("kawu+oklahoma", "oklahoma"),
        ("kawu+straight", "straight"),
        ("kawu(gin_bonus=20, undercut_bonus=10, clean_undercut_bonus=10, spread=least)", "classic"),
    ],
)
def test_the_table_of_the_rule_set_itself_comes_first(rules: str, name: str) -> None:
    assert find_table(load_rules(rules)) == name


def test_rules_without_a_table_are_refused() -> None:
    with pytest.raises(ginsim.StrategyError, match="no knock table comes with the rules kawu"):
        ginsim.simulate("kawu(gin_bonus=40)", ("table", "greedy"), 10)
    ginsim.simulate("kawu(gin_bonus=40)", ("table(kawu)", "greedy"), 10)
    with pytest.raises(ginsim.StrategyError, match="which are not known here"):
        to_record(("table", "greedy"))
    # What does not knock by table may have any.
    to_record((parse_strategy("expert(knock=threshold, knock_table=shipped)"), "greedy"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("table(partnership)", "rules: 'partnership' is not allowed; allowed: played, casual"),
        ("table(file=mine)", "file: 'mine' is not allowed; allowed: the path of a TOML file"),
        ("table(kawu, file=mine.toml)", "rules and file are both given"),
        ("table(file=./not-there.toml)", "does not exist"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(ginsim.StrategyError, match=message):
        parse_strategy(text)


def test_a_file_without_a_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    path.write_text('base = "greedy"\n')
    with pytest.raises(ginsim.StrategyError, match=r"plain\.toml: knock_table is missing"):
        parse_strategy(f"table(file={path})")


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_solved_for_again(name: str) -> None:
    """By its own command: the same table to the last cell. Minutes in all."""
    source = read_shipped(name)
    origin: dict[str, Any] = source["provenance"]
    solution = solve_knocks(name, origin["policy"], None, origin["hands"], seed=origin["seed"])
    assert solution.strategy.knock_table == source["knock_table"]
    assert tomllib.loads(f"v = {origin['exploitability']}")["v"][0] == pytest.approx(
        solution.exploitability.value if solution.exploitability else None, abs=1e-4
    )
