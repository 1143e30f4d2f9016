"""The signature: that nothing plays otherwise than recorded, and that it would notice."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import signatures
from ginsim.cli import main
from ginsim.fields import choices
from ginsim.rules import list_modifiers
from ginsim.signatures import (
    COMPOSITIONS,
    FOUR,
    PAIRS,
    SEARCH,
    digest_frame,
    read_signature,
    signature,
)
from ginsim.strategies import STRATEGIES, Strategy, parse_strategy


@pytest.fixture(scope="module")
def found() -> signatures.Signature:
    return signature()


def test_this_build_plays_as_recorded(found: signatures.Signature) -> None:
    assert found.find_differences(read_signature()) == []
    assert found == read_signature()


def test_the_number_is_over_all_parts(found: signatures.Signature) -> None:
    for name in found.parts:
        changed = {**found.parts, name: "0" * 16}
        assert signatures.combine_digests(changed) != found.number
    # Rule sets that differ in bonuses at the end only have hands in common; most parts differ.
    assert len(set(found.parts.values())) > len(found.parts) / 2


def test_every_rule_set_and_strategy_is_in_it(found: signatures.Signature) -> None:
    for name in ginsim.list_rulesets():
        assert any(f", {name}" in part for part in found.parts)
    for modifier in list_modifiers():
        named = [*ginsim.list_rulesets(), *"+".join(COMPOSITIONS).replace("(", "+").split("+")]
        assert modifier in named, f"{modifier}: in no rule set and no composition"
    players = [
        parse_strategy(each) for each in (*(one for pair in PAIRS for one in pair), *FOUR, *SEARCH)
    ]
    for name in STRATEGIES:
        assert any(player.name.partition("(")[0] == name for player in players)
    for field, info in Strategy.model_fields.items():
        words = set(choices(info)) if field != "name" else set()
        assert words <= {getattr(player, field) for player in players}, field


def test_every_value_counts() -> None:
    frame = ginsim.simulate("kawu", "greedy", 50, seed=1)
    digest = digest_frame(frame)
    assert digest_frame(frame.copy()) == digest
    for name in frame:
        changed = frame.copy()
        column = changed[name]
        if column.dtype == "category":
            codes = column.cat.codes.to_numpy().copy()
            codes[17] = (codes[17] + 1) % len(column.cat.categories)
            kind = pd.CategoricalDtype(column.cat.categories)
            changed[name] = pd.Categorical.from_codes(codes, dtype=kind)
        else:
            changed.loc[17, name] = column[17] + 1
        assert digest_frame(changed) != digest, name
    assert digest_frame(frame.rename(columns={"turns": "moves"})) != digest


def test_the_command_tells_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = read_signature()
    part = next(iter(recorded.parts))
    other = signatures.Signature("0" * 16, {**recorded.parts, part: "0" * 16})
    monkeypatch.setattr(signatures, "read_signature", lambda: other)
    result = CliRunner().invoke(main, ["signature", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["differing"] == [part]
    result = CliRunner().invoke(main, ["signature"])
    assert result.exit_code == 1
    assert part in result.stdout
