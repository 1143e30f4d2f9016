"""Rule sets: the model, the files, their composition, and what the sources print."""

from __future__ import annotations

import pickle
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim import _hand
from ginsim.errors import GinsimError, RulesError
from ginsim.fields import allowed_words, choices, get_extra
from ginsim.rules import (
    HAND_FIELDS,
    Rules,
    explain,
    find_differences,
    list_modifiers,
    list_rulesets,
    load_rules,
    parse_settings,
    to_record,
)
from ginsim.ruletext import write_field_table, write_toml

RULESETS = files("ginsim").joinpath("rulesets")
DOCS = Path(__file__).parents[1] / "docs"

# What the five documents print (docs/rules.md), field by field; the rest is at its default.
COMMON = {
    "players": 2,
    "give_back_limit": 0,
    "tie": "undercut",
    "layoffs": True,
    "dead_at": 2,
    "wall": "dead",
    "max_pile_draws": 50,
    "first_dealer": "drawn",
}
PRINTED: dict[str, dict[str, Any]] = {
    "classic": {
        "deal": "upcard",
        "return_taken_card": False,
        "knock_card": "none",
        "knock_limit": 10,
        "gin_bonus": 20,
        "undercut_bonus": 10,
        "clean_undercut_bonus": 10,
        "big_gin_bonus": "off",
        "spread": "least",
        "next_dealer": "alternate",
        "scoring": "single",
        "target": 100,
        "game_bonus": 100,
        "hand_bonus": 0,
        "shutout_bonus": 200,
        "shutout": "replace",
    },
    "casual": {
        "deal": "upcard",
        "return_taken_card": True,
        "knock_card": "none",
        "knock_limit": 10,
        "gin_bonus": 25,
        "undercut_bonus": 20,
        "clean_undercut_bonus": 20,
        "big_gin_bonus": 31,
        "spread": "any",
        "next_dealer": "alternate",
        "scoring": "single",
        "target": 100,
        "game_bonus": 0,
        "hand_bonus": 0,
        "shutout_bonus": 0,
        "shutout": "add",
    },
    "modern": {
        "deal": "upcard",
        "return_taken_card": False,
        "knock_card": "none",
        "knock_limit": 10,
        "gin_bonus": 25,
        "undercut_bonus": 25,
        "clean_undercut_bonus": 25,
        "big_gin_bonus": 31,
        "spread": "any",
        "next_dealer": "alternate",
        "scoring": "single",
        "target": 100,
        "game_bonus": 100,
        "hand_bonus": 25,
        "shutout_bonus": 100,
        "shutout": "add",
    },
    "kawu": {
        "deal": "upcard",
        "return_taken_card": False,
        "knock_card": "none",
        "knock_limit": 10,
        "gin_bonus": 25,
        "undercut_bonus": 25,
        "clean_undercut_bonus": 25,
        "big_gin_bonus": "off",
        "spread": "any",
        "next_dealer": "winner",
        "scoring": "single",
        "target": 100,
        "game_bonus": 100,
        "hand_bonus": 25,
        "shutout_bonus": 0,
        "shutout": "double",
    },
    "hollywood": {
        "deal": "eleven",
        "return_taken_card": False,
        "knock_card": "second-deck",
        "knock_limit": "card",
        "ace_limit": "one",
        "spade_doubles": "prizes",
        "gin_bonus": 25,
        "undercut_bonus": 20,
        "clean_undercut_bonus": 25,
        "big_gin_bonus": 30,
        "spread": "any",
        "next_dealer": "loser",
        "scoring": "hollywood",
        "target": 200,
        "game_bonus": 0,
        "hand_bonus": 0,
        "shutout_bonus": 0,
        "shutout": "double-boxes",
        "shutout_shift": True,
        "box_base": 1,
        "box_gin": 2,
        "box_clean_undercut": 2,
        "box_undercut": 1,
        "box_big_gin": 3,
        "box_column": 5,
    },
}


@pytest.mark.parametrize("name", PRINTED)
def test_a_source_and_its_rule_set_agree(name: str) -> None:
    rules = load_rules(name)
    expected = {**Rules().values(), **COMMON, **PRINTED[name]}
    assert rules.values() == expected
    assert rules.name == name


def test_rule_sets_of_other_engines() -> None:
    eaai, modern = load_rules("eaai"), load_rules("modern")
    assert find_differences(modern, eaai) == {
        "big_gin_bonus": (31, "off"),
        "game_bonus": (100, 0),
        "hand_bonus": (25, 0),
        "shutout_bonus": (100, 0),
    }
    assert find_differences(eaai, load_rules("openspiel")) == {
        "return_taken_card": (False, True),
        "give_back_limit": (0, 2),
        "tie": ("undercut", "nobody"),
        "wall": ("dead", "fiftieth"),
        "target": (100, 0),
    }
    assert find_differences(load_rules("classic"), load_rules("pagat")) == {
        "next_dealer": ("alternate", "loser"),
        "hand_bonus": (0, 20),
    }


def test_variants_of_kawu() -> None:
    kawu = load_rules("kawu")
    assert find_differences(kawu, load_rules("straight")) == {"knock_limit": (10, 0)}
    assert find_differences(kawu, load_rules("oklahoma")) == {
        "knock_card": ("none", "upcard"),
        "knock_limit": (10, "card"),
    }


# -- files ----------------------------------------------------------------------------------------


def test_the_lists() -> None:
    assert set(list_rulesets()) == {
        *PRINTED,
        "eaai",
        "openspiel",
        "pagat",
        "straight",
        "oklahoma",
        "partnership",
    }
    assert set(list_modifiers()) == {
        "ace-gin",
        "big-gin",
        "hollywood",
        "oklahoma",
        "spades",
        "straight",
    }


@pytest.mark.parametrize("name", list_rulesets())
def test_every_value_of_a_file_names_its_source(name: str) -> None:
    text = RULESETS.joinpath(f"{name}.toml").read_text(encoding="utf-8")
    document = next(
        (f"document {place}" for place in range(5) if f"Source: document {place}" in text), ""
    )
    values = [line for line in text.splitlines() if re.match(r"(?!title|base)\w+ = ", line)]
    assert values
    for line in values:
        comment = line.partition("#")[2]
        others = ["document 0", "document 4", "EAAI", "OpenSpiel", "pagat.com"]
        sources = [document] if document else others
        assert "our reading" in comment or any(source in comment for source in sources), line


@pytest.mark.parametrize("name", ["classic", "casual", "modern", "kawu", "hollywood"])
def test_a_file_shows_every_field_that_matters(name: str) -> None:
    text = RULESETS.joinpath(f"{name}.toml").read_text(encoding="utf-8")
    silent = set(Rules.field_names()) - set(tomllib.loads(text))
    rules = load_rules(name)
    assert all(getattr(rules, field) == getattr(Rules(), field) for field in silent)
    assert {"gin_bonus", "knock_limit", "target", "next_dealer", "tie", "spread"}.isdisjoint(silent)


def test_partnership_is_hollywood_for_four() -> None:
    ours, base = load_rules("partnership"), load_rules("hollywood")
    assert find_differences(base, ours) == {
        "players": (2, 4),
        "target": (200, 250),
        "next_dealer": ("loser", "alternate"),
    }


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "kawu"\ngin_bonus = 40\n')
    rules = load_rules(str(path))
    assert rules == load_rules(path) == load_rules("kawu").replace(gin_bonus=40)
    assert rules.name == "mine.toml"
    assert load_rules(f"{path}+straight").knock_limit == 0
    assert load_rules(f"{path}+straight").name == "mine.toml+straight"


def test_a_file_may_start_from_another_beside_it_and_follow_a_name(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text('base = "modern+oklahoma"\ngin_bonus = 40\n')
    second = tmp_path / "second.toml"
    second.write_text('title = "t"\nbase = "./first.toml"\nundercut_bonus = 5\n')
    rules = load_rules(second)
    assert (rules.gin_bonus, rules.undercut_bonus, rules.knock_limit) == (40, 5, "card")
    modifier = tmp_path / "soft+er.toml"  # a plus in a path joins nothing
    modifier.write_text("gin_bonus = 7\n")
    assert load_rules(modifier).gin_bonus == 7
    plain = tmp_path / "softer.toml"
    plain.write_text("gin_bonus = 7\n")
    assert load_rules(f"kawu+{plain}").gin_bonus == 7


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gin_bonus = = 3", ["not TOML", "line 1"]),
        ("gin_bonus = 30\ngin_bonus = 31\n", ["not TOML"]),
        ("gin_bonsu = 30", ["gin_bonsu", "did you mean 'gin_bonus'", "mine.toml"]),
        ('gin_bonus = "30"', ["gin_bonus", "'30'", "0 to 1000", "mine.toml"]),
        ('base = "kawo"', ["kawo", "did you mean 'kawu'"]),
        ("base = 3", ["base = 3", "rule set"]),
        ('base = "./mine.toml"', ["leads back"]),
        ('base = "./other.toml"', ["other.toml", "does not exist"]),
        ("when = 3", ["when", "[[when]]"]),
        ("[[when]]\nif = { gin_bonus = 25 }", ["when", "[[when]]"]),
        ("[[when]]\nif = { gin_bonu = 25 }\nset = {}", ["gin_bonu", "did you mean 'gin_bonus'"]),
        ("[[when]]\nif = {}\nset = { gin_bonus = -1 }", ["gin_bonus", "-1", "0 to 1000"]),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    for word in words:
        assert word in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="does not exist"):
        load_rules(tmp_path / "none.toml")
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(f"{tmp_path}/")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"')
    with pytest.raises(RulesError, match="not TOML"):
        load_rules(tmp_path / "latin.toml")


@pytest.mark.parametrize("name", [*list_rulesets(), "kawu+oklahoma+ace-gin+spades+big-gin"])
def test_what_toml_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    rules = load_rules(name)
    path = tmp_path / "copy.toml"
    path.write_text(write_toml(rules), encoding="utf-8")
    assert load_rules(path) == rules


# -- composition ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "base", "changes"),
    [
        ("kawu+oklahoma", "kawu", {"knock_card": "upcard", "knock_limit": "card"}),
        ("kawu+straight", "kawu", {"knock_limit": 0}),
        ("kawu+big-gin", "kawu", {"big_gin_bonus": 31}),
        ("hollywood+big-gin", "hollywood", {}),
        ("hollywood+ace-gin", "hollywood", {"ace_limit": "gin"}),
        ("kawu+oklahoma+ace-gin", "oklahoma", {"ace_limit": "gin"}),
        ("kawu+ace-gin+oklahoma", "oklahoma", {"ace_limit": "gin"}),
        ("kawu+oklahoma+spades", "oklahoma", {"spade_doubles": "points"}),
        ("hollywood+spades", "hollywood", {}),
        ("kawu+oklahoma+straight", "oklahoma", {"knock_limit": 0}),
        ("kawu+straight+oklahoma", "oklahoma", {}),
        ("modern+hollywood", "modern", {"scoring": "hollywood", "shutout_shift": True}),
        (" kawu + straight ", "straight", {}),
    ],
)
def test_composition(spec: str, base: str, changes: dict[str, Any]) -> None:
    start = load_rules(base)
    found = find_differences(start, load_rules(spec))
    assert {field: value for field, (_, value) in found.items()} == changes


def test_parts_wrong_alone_may_be_right_together() -> None:
    with pytest.raises(RulesError, match="spade_doubles"):
        load_rules("kawu+spades")
    assert load_rules("kawu+spades+oklahoma").spade_doubles == "points"
    assert load_rules("kawu+spades", {"knock_card": "second-deck"}).knock_card == "second-deck"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("kawo", ["unknown rule set 'kawo'", "did you mean 'kawu'", "classic", ".toml"]),
        ("", ["unknown rule set ''"]),
        ("kawu+", ["unknown modifier ''", "oklahoma"]),
        ("kawu+bigin", ["unknown modifier 'bigin'", "did you mean 'big-gin'", "ace-gin"]),
        ("kawu+classic", ["'classic' is a rule set", "ace-gin"]),
        ("big-gin", ["'big-gin' is a modifier", "kawu+big-gin"]),
        ("hollywood+oklahoma", ["knock_card", "'upcard'", "eleven", "second-deck"]),
        ("partners", ["unknown rule set 'partners'", "did you mean 'partnership'"]),
    ],
)
def test_what_cannot_be_composed_is_said(spec: str, words: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(spec)
    for word in words:
        assert word in str(caught.value)


# -- the model ------------------------------------------------------------------------------------


def test_every_error_is_listed_at_once() -> None:
    fields: dict[str, Any] = {
        "players": 3,
        "knock_limit": 11,
        "gin_bonsu": 3,
        "tie": "x",
        "layoffs": 1,
        "ace_limit": "gin",
        "box_gin": True,
        "gin_bonus": 25.0,
        "big_gin_bonus": "of",
    }
    with pytest.raises(RulesError) as caught:
        Rules(**fields)
    problems = caught.value.problems
    assert len(problems) == 9
    assert isinstance(caught.value, GinsimError)
    text = str(caught.value)
    for sentence in (
        "players: 3 is not allowed; allowed: 2 or 4",
        "knock_limit: 11 is not allowed; allowed: whole numbers 0 to 10, or card",
        "unknown field of a rule set 'gin_bonsu'; did you mean 'gin_bonus'? known: players, deal",
        "tie: 'x' is not allowed; allowed: undercut, knocker or nobody",
        "layoffs: 1 is not allowed; allowed: true or false",
        "box_gin: true is not allowed; allowed: whole numbers 0 to 15",
        "gin_bonus: 25.0 is not allowed; allowed: whole numbers 0 to 1000",
        "big_gin_bonus: 'of' is not allowed; allowed: whole numbers 0 to 1000, or off",
        "ace_limit: 'gin' has no meaning with knock_card = none",
    ):
        assert sentence in text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"spade_doubles": "points"}, ["spade_doubles", "knock_card = none"]),
        ({"ace_limit": "gin"}, ["ace_limit", "knock_card = none"]),
        ({"knock_limit": "card"}, ["knock_limit", "knock_card = none"]),
        ({"deal": "eleven", "knock_card": "upcard"}, ["knock_card", "deal = eleven"]),
        ({"knock_limit": 11}, ["knock_limit", "0 to 10"]),
        ({"knock_limit": -1}, ["knock_limit", "0 to 10"]),
        ({"shutout": "double-boxes"}, ["shutout", "scoring = single"]),
        ({"box_column": 5}, ["box_column", "scoring = single"]),
        ({"shutout_shift": True}, ["shutout_shift", "scoring = single"]),
        (
            {"scoring": "hollywood", "target": 0},
            ["target: 0", "scoring = hollywood", "whole numbers 1 to 1000"],
        ),
        (
            {"players": 4, "knock_card": "upcard"},
            ["knock_card", "players = 4", "one card serves both tables", "none or second-deck"],
        ),
        ({"gin_bonus": 1001}, ["gin_bonus", "0 to 1000"]),
        ({"box_gin": 16}, ["box_gin", "0 to 15"]),
        ({"dead_at": 21}, ["dead_at", "0 to 20"]),
        ({"max_pile_draws": 0}, ["max_pile_draws", "1 to 100"]),
    ],
)
def test_impossible_rules_are_refused_in_words(fields: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**fields)
    assert len(caught.value.problems) == 1
    for word in words:
        assert word in str(caught.value)


def test_a_wrong_field_is_not_blamed_twice() -> None:
    fields: dict[str, Any] = {"knock_card": "upcrad", "ace_limit": "gin", "knock_limit": "card"}
    with pytest.raises(RulesError) as caught:
        Rules(**fields)
    assert len(caught.value.problems) == 1


def test_rules_are_frozen_hashable_and_equal_by_how_they_play() -> None:
    straight, composed = load_rules("straight"), load_rules("kawu+straight")
    assert straight == composed
    assert hash(straight) == hash(composed)
    assert straight.name != composed.name
    assert straight != load_rules("kawu")
    assert straight != "straight"
    assert len({load_rules(name) for name in list_rulesets()}) == len(list_rulesets())
    assert pickle.loads(pickle.dumps(straight)) == straight
    with pytest.raises(ValueError, match="frozen"):
        straight.gin_bonus = 3  # type: ignore[misc]


def test_replace_checks_and_tells() -> None:
    kawu = load_rules("kawu")
    changed = kawu.replace(gin_bonus=30)
    assert (kawu.gin_bonus, changed.gin_bonus) == (25, 30)
    assert changed.name == "kawu(gin_bonus=30)"
    assert changed.replace(layoffs=False).name == "kawu(gin_bonus=30, layoffs=false)"
    assert kawu.replace(gin_bonus=25).name == "kawu"
    assert kawu.replace(gin_bonus=30, name="mine").name == "mine"
    assert kawu.replace(gin_bonus=np.int64(30)) == changed
    with pytest.raises(RulesError, match="did you mean 'gin_bonus'"):
        kawu.replace(gin_bonu=3)
    with pytest.raises(RulesError, match="gin_bonus: -1"):
        kawu.replace(gin_bonus=-1)


@pytest.mark.parametrize(
    "name", [*list_rulesets(), "kawu+oklahoma+ace-gin", "kawu(gin_bonus=30, layoffs=false)"]
)
def test_a_rule_set_comes_back_from_its_name_and_its_fields(name: str) -> None:
    rules = load_rules(name)
    assert load_rules(rules) is rules
    assert load_rules(rules.name) == rules
    assert load_rules(rules.model_dump()) == rules
    assert load_rules(rules.model_dump()).name == rules.name


@pytest.mark.parametrize("source", [3, None, 1.5, ["kawu"]])
def test_what_is_no_rule_set(source: Any) -> None:
    with pytest.raises(RulesError, match=r"rules: .* is not allowed; allowed: the name"):
        load_rules(source)


def test_settings_are_read_by_the_field_they_set() -> None:
    settings = ["gin_bonus=30", "layoffs = no", "big_gin_bonus=off", "knock_limit=card", "nope=1"]
    assert parse_settings(settings) == {
        "gin_bonus": 30,
        "layoffs": False,
        "big_gin_bonus": "off",
        "knock_limit": "card",
        "nope": 1,
    }
    with pytest.raises(RulesError) as caught:
        parse_settings(["gin_bonus", "=3", "gin_bonus=", "layoffs=true"])
    assert len(caught.value.problems) == 3


# -- the compiled core's record -------------------------------------------------------------------


def test_the_model_and_the_record_hold_the_same_fields() -> None:
    assert set(_hand.RULES_DTYPE.names or ()) == {*HAND_FIELDS, "big_gin"}
    levels = {get_extra(info, "level") for info in Rules.model_fields.values()}
    assert levels == {"hand", "game", ""}  # the name has no level


@pytest.mark.parametrize("name", [*list_rulesets(), "kawu+oklahoma+ace-gin+spades+big-gin"])
def test_the_record_carries_every_field(name: str) -> None:
    rules = load_rules(name)
    record = to_record(rules)
    assert record.shape == (1,)
    for field in HAND_FIELDS:
        value, code = getattr(rules, field), int(record[field][0])
        if field == "knock_limit":
            assert code == (255 if value == "card" else value)
        elif field == "big_gin_bonus":
            assert int(record["big_gin"][0]) == (value != "off")
            assert code == (0 if value == "off" else value)
        elif isinstance(value, str):
            assert choices(Rules.model_fields[field])[code] == value
        else:
            assert code == value


def test_the_codes_of_words() -> None:
    expected = {
        "deal": ("upcard", "eleven"),
        "knock_card": ("none", "upcard", "second-deck"),
        "ace_limit": ("one", "gin"),
        "spade_doubles": ("none", "points", "prizes", "all"),
        "tie": ("undercut", "knocker", "nobody"),
        "spread": ("any", "least"),
        "wall": ("dead", "fiftieth"),
    }
    for field, words in expected.items():
        assert choices(Rules.model_fields[field]) == words


@given(st.data())
def test_every_value_fits_its_field_of_the_record(data: st.DataObject) -> None:
    bounds = {"gin_bonus": 1000, "box_big_gin": 15, "dead_at": 20, "give_back_limit": 50}
    fields: dict[str, Any] = {
        field: data.draw(st.integers(0, high), field) for field, high in bounds.items()
    }
    record = to_record(Rules(max_pile_draws=100, **fields))
    assert all(int(record[field][0]) == value for field, value in fields.items())


# -- words ----------------------------------------------------------------------------------------


def test_every_field_says_what_it_means_and_allows() -> None:
    for field in Rules.field_names():
        info = Rules.model_fields[field]
        assert info.description
        assert allowed_words(info)


@pytest.mark.parametrize("name", list_rulesets())
def test_explanations_are_sentences(name: str) -> None:
    sentences = explain(load_rules(name))
    assert len(sentences) >= 9
    assert all(re.fullmatch(r"[A-Z0-9].*\.", sentence) for sentence in sentences)


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("kawu", "may knock with 10 points of deadwood or less"),
        ("straight", "There is no knocking"),
        ("oklahoma", "is the value of the first upcard"),
        ("kawu+oklahoma+ace-gin", "an ace allows gin only"),
        ("kawu+oklahoma+spades", "If that card is a spade, the points of the hand count double"),
        ("hollywood(spade_doubles=all)", "the points and all boxes"),
        ("hollywood(knock_limit=10)", "If the top card of a second deck is a spade"),
        ("hollywood", "three Hollywood columns"),
        ("hollywood", "who has more boxes wins, with equal boxes who has more points"),
        ("partnership", "Four play in two pairs"),
        ("partnership", "The pair with the greater total of both tables wins the hand"),
        ("hollywood", "20, or 25 with no deadwood at all"),
        ("hollywood", "2 for gin, 3 for big gin, 1 for an undercut, 2 for a clean undercut"),
        ("casual", "may be thrown in the same turn"),
        ("classic", "spread an arrangement of least deadwood"),
        ("openspiel", "With equal deadwood nobody wins"),
        ("openspiel", "may take that card only to knock"),
        ("openspiel", "A game is one hand."),
        ("openspiel", "2 turns in a row"),
        ("kawu(layoffs=false)", "The defender lays nothing off."),
        ("kawu(tie=knocker)", "With equal deadwood the knocker wins the hand, for 0 points."),
        ("kawu", "If the loser has won no hand, the game brings 200 instead."),
        ("classic", "If the loser has won no hand, the game brings 200 instead."),
        ("classic(shutout=add)", "If the loser has won no hand, the game brings 300 instead."),
        ("modern", "Each hand won brings 25 points at the end."),
    ],
)
def test_explanations_say_what_the_fields_say(spec: str, part: str) -> None:
    assert part in " ".join(explain(load_rules(spec)))


def test_the_documentation_lists_every_field_as_the_model_has_it() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert write_field_table(Rules) in text, "docs/rules.md: replace the table of fields"


def test_the_documentation_shows_every_rule_set_and_modifier() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    for name in [*list_rulesets(), *list_modifiers()]:
        assert f"`{name}`" in text
