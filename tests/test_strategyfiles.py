"""Strategies written as files, and read again."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ginsim
from ginsim.strategies import Strategy
from ginsim.strategyfiles import write_text

PLAYERS = [*ginsim.list_strategies(), "rollout(16, base=expert)", "greedy(3, layoff=none)"]
#: Everything that has to be written with care.
ODD = {
    "text": 'quotes " and \\ and \n and \x7f and ä',
    "number": 2**70,
    "small": 1e-07,
    "yes": True,
    "unknown": None,
    "list": [1, {"a b": "c"}, [2.5]],
    "empty": {},
    "greedy(knock_at=0)": {"inner": {"deep.er": 1}, "value": 3},
}


def without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_none(item) for key, item in value.items() if item is not None}
    return value


@pytest.mark.parametrize("name", PLAYERS)
def test_what_is_written_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    strategy = ginsim.parse_strategy(name)
    ginsim.write_strategy(name, path, ODD)
    again = ginsim.parse_strategy(str(path))
    assert again == strategy
    assert again.name == "mine.toml"
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    assert content["provenance"] == without_none(ODD)
    assert content["title"] == strategy.name
    # Another file can start from it.
    other = tmp_path / "other.toml"
    other.write_text('base = "mine.toml"\n')
    assert ginsim.parse_strategy(str(other)) == strategy
    assert len(list(tmp_path.iterdir())) == 2


def test_every_field_is_written_that_greedy_does_not_have() -> None:
    strategy = Strategy(name="mine", knock_at=3, draw="meld")
    assert tomllib.loads(write_text(strategy)) == {
        "title": "mine",
        "base": "greedy",
        "draw": "meld",
        "knock_at": 3,
    }
    # The fields that are not written are those of greedy.
    assert Strategy() == ginsim.parse_strategy("greedy")


def test_files_are_not_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("knock_at = 1\n")
    with pytest.raises(ginsim.OptionError, match=r"exists; allowed: another name, or force=True"):
        ginsim.write_strategy("greedy", path)
    assert path.read_text() == "knock_at = 1\n"
    ginsim.write_strategy("greedy", path, force=True)
    assert ginsim.parse_strategy(str(path)) == ginsim.parse_strategy("greedy")
    with pytest.raises(ginsim.OptionError, match=r"allowed: a file name that ends in \.toml"):
        ginsim.write_strategy("greedy", tmp_path / "mine.txt")
    with pytest.raises(ginsim.OptionError, match="does not exist"):
        ginsim.write_strategy("greedy", tmp_path / "no" / "mine.toml")
    with pytest.raises(ginsim.OptionError, match="path: 3 is not allowed"):
        ginsim.write_strategy("greedy", 3)  # type: ignore[arg-type]


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        ginsim.write_strategy("greedy", tmp_path / "mine.toml", {"what": object()})
    assert not list(tmp_path.iterdir())


def test_provenance_has_to_be_a_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("provenance = 3\n")
    with pytest.raises(ginsim.StrategyError, match=r"mine\.toml: provenance: 3 is not allowed"):
        ginsim.parse_strategy(str(path))
