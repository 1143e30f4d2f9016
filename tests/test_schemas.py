"""The JSON documents: what the commands print is what the schemas and the page say."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import pandas as pd
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import ginsim
from ginsim.cli import main
from ginsim.schemas import list_schemas, load_schema
from tests import cases, contract

HAND = "7h 7s 7d 7c 5h 6h Kd Qc 2s 3d"
OTHER = "8h 9h Th Jh Ts Td Ac 4d 6s 8d"

TEN = "7h 7s 7d 4c 5c 6c Ah 2d 4d Qs"
POSITION = [
    "--hand",
    f"{TEN} Kd",
    "--pile",
    "Ks Jd Qc Kc Js Qh 9c",
    "--took",
    "8h 9h",
    "--turn",
    "5",
]

#: Hands of this engine; one of them has been given another score.
LOG = Path(__file__).parent / "data" / "log.jsonl"
#: Hands of a game, written by hand.
HANDS = Path(__file__).parent / "data" / "sheet.csv"

#: A study of every kind; it was not begun.
STUDY = Path(__file__).parent / "data" / "study.toml"

#: Real output of each document, in all of its forms.
CALLS: list[list[str]] = [
    ["deadwood", HAND],
    ["deadwood", ""],
    *(["deadwood", case.values[0]["input"]["hand"]] for case in cases.of_kind("deadwood")),
    ["discard", HAND],
    ["discard", HAND, "--forbid", "Kd"],
    ["layoff", "--knocker", HAND, "--defender", OTHER],
    ["layoff", "--melds", "7s 7h 7d / 3c 4c 5c", "--unmelded", "4h", "--defender", "7c 6c"],
    ["layoff", "--melds", "", "--unmelded", "4h", "--defender", "", "--method", "none"],
    ["outs", HAND, "--seen", "Ac 4h"],
    ["outs", "Js Qs Ks"],
    ["safety", "9d"],
    ["safety", "Kd", "--seen", "Kh Ks Kc Qd"],
    ["deals", "--cards", "3", "--exact"],
    ["deals", "--cards", "1", "--exact"],
    ["deals", "--cards", "11", "--hands", "1000", "--seed", "1"],
    ["deals", "--hands", "1", "--seed", "1"],
    ["hands", "kawu", "--hands", "1000", "--seed", "1", "--mirror"],
    ["hands", "kawu", "--hands", "1", "--seed", "1", "--first", "7"],
    ["hands", "classic", "--hands", "10", "--seed", str(2**130), "--north", "random"],
    ["hands", "hollywood+ace-gin", "--hands", "200", "--seed", "2", "--south", "simple"],
    *(
        ["replay", rules, "--seed", "7", "--hand", str(hand), "--south", south]
        for rules in ("kawu", "hollywood", "openspiel", "kawu+oklahoma+big-gin")
        for south in ("greedy", "random")
        for hand in (0, 1, 2)
    ),
    ["replay", "kawu", "--seed", "7", "--hand", "3", "--mirror"],
    ["decisions", "kawu", "--hands", "200", "--seed", "1"],
    ["decisions", "hollywood", "--hands", "20", "--seed", "1", "--kind", "layoff", "--mirror"],
    ["verify-log", str(LOG)],
    ["games", "kawu", "--games", "50", "--seed", "1"],
    ["games", "classic", "--games", "2", "--seed", "1", "--mirror", "--max-hands", "1"],
    ["games", "kawu", "--games", "50", "--seed", "1", "--series", "7"],
    ["games", "kawu+hollywood", "--games", "20", "--seed", "1", "--mirror"],
    ["games", "partnership", "--games", "20", "--seed", "1", "--player", "B=simple"],
    ["games", "partnership", "--games", "1", "--seed", "1", "--max-hands", "1"],
    ["duel", "greedy", "simple", "--rules", "kawu", "--games", "20", "--seed", "1"],
    ["duel", "greedy", "greedy", "--rules", "kawu", "--games", "2", "--seed", "1"],
    ["duel", "greedy", "simple", "--rules", "kawu", "--hands", "20", "--measure", "points"],
    ["duel", "greedy", "simple", "--rules", "kawu", "--precision", "0.05", "--max-games", "800"],
    ["duel", "greedy", "simple", "--rules", "kawu+hollywood", "--precision", "0.4"],
    ["duel", "greedy", "simple", "--rules", "partnership", "--games", "20", "--seed", "1"],
    ["tournament", "greedy", "simple", "random", "--rules", "kawu", "--games", "20"],
    ["tournament", "greedy", "simple", "--rules", "partnership", "--games", "2", "--seed", "1"],
    ["knock", "kawu", "--hands", "3000", "--seed", "1"],
    ["knock", "kawu", "--hands", "2000", "--turn", "5", "--deadwood", "7", "--pickups", "2"],
    ["knock", "oklahoma", "--hands", "900", "--policy", "expert", "--by", "limit", "--turn", "1-4"],
    ["knock", "kawu", "--hands", "1", "--by", "nothing"],
    ["knock", "kawu", "--solve", "--hands", "1000", "--seed", "1"],
    ["knock", "oklahoma", "--solve", "--hands", "500", "--opponent", "simple", "--by", "pickups"],
    ["knock", "kawu", "--solve", "--hands", "1000", "--scores", "60-45", "--seed", "1"],
    ["equity", "kawu", "--hands", "20000", "--seed", "1"],
    ["equity", "kawu", "--hands", "20000", "--scores", "60-45", "--opponent", "simple"],
    ["equity", "kawu", "--set", "target=301", "--hands", "2000", "--step", "100"],
    ["advise", "--rules", "kawu", *POSITION, "--seed", "1"],
    ["advise", "--rules", "kawu", *POSITION, "--scores", "80-20", "--play-outs", "64"],
    ["advise", "--rules", "kawu", "--hand", TEN, "--pile", "Ks", "--turn", "1", "--upcard"],
    [
        *("tune", "greedy", "--rules", "kawu", "--against", "simple", "--budget", "5000"),
        *("--validate", "20", "--seed", "1"),
    ],
    [
        *("tune", "expert", "--against", "greedy", "--vary", "take_gain", "--measure", "points"),
        *("--budget", "1", "--validate", "4"),
    ],
    ["balance", "measures"],
    *(
        ["balance", "sweep", rules, *words, "--games", "20", "--seed", "1"]
        for rules, words in (
            ("kawu", ["--vary", "gin_bonus=20,25", "--hands", "50", "--against", "simple"]),
            ("hollywood", ["--vary", "spade_doubles=none,all", "--measure", "capote"]),
            ("partnership", ["--vary", "shutout_shift=true,false"]),
        )
    ),
    ["balance", "sweep", "kawu", "--hands", "100", "--adapt", "--solve-hands", "300"],
    *(
        ["balance", "solve", "kawu", *words, "--seed", "1"]
        for words in (
            ["undercut_bonus", "--against", "greedy(knock_at=0)", "--hands", "400"],
            ["knock_limit", "--measure", "undercut", "--target", "0.05", "--hands", "400"],
            ["gin_bonus", "--rival", "simple", "--measure", "win", "--games", "20"],
            [
                *("dead_at", "--values", "0,5", "--adapt", "against", "--hands", "300"),
                *("--solve-hands", "300"),
            ],
        )
    ),
    [
        *("balance", "sensitivity", "kawu", "--vary", "gin_bonus=20,25", "--vary"),
        *("undercut_bonus+clean_undercut_bonus=10,20,25", "--hands", "200"),
    ],
    ["luck", "47", "46"],
    ["luck", "3", "0", "--drawn", "2", "--chance", "0.6"],
    *(
        ["estimate", *words, "--seed", "1"]
        for words in (
            ["hands", "kawu", "--share", "outcome", "--by", "dealer", "--hands", "50"],
            ["games", "hollywood", "--ratio", "south_points", "hands", "--games", "20"],
            [
                "game-hands",
                "partnership",
                "--mean",
                "turns",
                "--games",
                "4",
                "--player",
                "B=simple",
            ],
            [
                *("decisions", "kawu", "--hands", "50", "--kind", "draw", "--by", "rank(top)"),
                *("--share", "action == draw_pile", "--paired", "seat == south"),
            ],
        )
    ),
    ["estimate", "hands.csv", "--mean", "net", "--where", "outcome == big_gin"],
    ["rescore", "hands.csv", "kawu", "--set", "gin_bonus=50"],
    ["rescore", "hands.csv", "classic"],
    ["rescore", "mirrored.csv", "kawu"],
    ["rescore", "no_hands.csv", "kawu"],
    ["rescore", "games.csv", "kawu+hollywood"],
    ["rescore", "game_hands.csv", "kawu", "--set", "target=150"],
    ["rescore", "table_hands.csv", "partnership", "--set", "box_gin=3"],
    ["score", "kawu", "--knocker", "8", "--defender", "5"],
    ["score", "partnership", "--table", "AB 15 gin", "--table", "-"],
    ["score", "partnership", "--table", "AB 9", "--table", "CD 9"],
    ["score", "hollywood", "--game", "A 90, A 120 (2), -, B 25"],
    ["score", "openspiel", "--knocker", "8", "--defender", "8"],
    ["score", "kawu", "--game", "A 30, -, Bo 120"],
    ["score", "kawu", "--game", "A 30"],
    ["sheet", str(HANDS)],
    ["sheet", str(HANDS), "--set", "target=1000", "--rules", "hollywood+spades"],
    ["sheet", "--seed", "1", "--game", "3"],
    ["sheet", "--seed", "1", "--game", "3", "--rules", "kawu+hollywood", "--mirror"],
    ["sheet", "--seed", "1", "--game", "0", "--rules", "partnership", "--player", "B=simple"],
    ["study", "check", str(STUDY)],
    ["study", "run", str(STUDY), "--folder", "new.study"],
    ["study", "run", str(STUDY), "--folder", "new.study", "--part", "1/2"],
    ["study", "resume", "half.study"],
    ["study", "merge", "new.study", "whole.study"],
    ["study", "status", str(STUDY)],
    ["rules"],
    *(["rules", name] for name in ginsim.list_rulesets()),
    ["rules", "kawu", "hollywood"],
    ["rules", "kawu", "kawu"],
    ["strategies"],
    *(["strategies", name] for name in ginsim.list_strategies()),
    ["info"],
    ["signature"],
]


#: Files that calls name: what writes them.
FILES: dict[str, Callable[[], pd.DataFrame]] = {
    "hands.csv": lambda: ginsim.simulate("kawu", "greedy", 100, seed=1),
    "mirrored.csv": lambda: ginsim.simulate("kawu", "greedy", 100, seed=1, mirror=True),
    "no_hands.csv": lambda: ginsim.simulate("kawu", "greedy", 0, seed=1),
    "games.csv": lambda: ginsim.simulate_games("kawu", "greedy", 10, seed=1),
    "game_hands.csv": lambda: ginsim.simulate_game_hands("kawu", "greedy", 10, seed=1),
    "table_hands.csv": lambda: ginsim.simulate_game_hands("partnership", "greedy", 4, seed=1),
}


#: Folders that calls name: what makes them.
FOLDERS: dict[str, Callable[[Path], object]] = {
    "new.study": lambda path: None,
    "half.study": lambda path: ginsim.run_study(STUDY, path, part=(1, 2)),
    "whole.study": lambda path: ginsim.run_study(STUDY, path),
}


def run_json(arguments: list[str]) -> Any:
    with TemporaryDirectory() as folder:
        words = list(arguments)
        for place, word in enumerate(words):
            if word in FILES:
                words[place] = str(Path(folder) / word)
                ginsim.write_records(FILES[word](), words[place])
            if word in FOLDERS:
                words[place] = str(Path(folder) / word)
                FOLDERS[word](Path(words[place]))
        result = CliRunner().invoke(main, [*words, "--json"])
    # The log has a hand with an error.
    assert result.exit_code == (1 if arguments[0] == "verify-log" else 0), result.output
    return json.loads(result.stdout)


def name_of(arguments: list[str]) -> str:
    """The schema of a call: that of its command, or of the command of a group."""
    is_group = isinstance(main.commands[arguments[0]], click.Group)
    return "-".join(arguments[:2]) if is_group else arguments[0]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(load_schema(name))


@pytest.mark.parametrize("arguments", CALLS, ids=lambda arguments: " ".join(arguments[:4]))
def test_what_is_printed_has_its_schema(arguments: list[str]) -> None:
    validator(name_of(arguments)).validate(run_json(arguments))


def test_every_document_has_a_schema_and_is_tried() -> None:
    commands = dict(main.commands)
    for name, group in main.commands.items():
        if isinstance(group, click.Group):
            commands.update({f"{name}-{each}": part for each, part in group.commands.items()})
    printing = {
        name
        for name, command in commands.items()
        if any("--json" in parameter.opts for parameter in command.params)
    }
    assert set(list_schemas()) == printing
    assert {name_of(arguments) for arguments in CALLS} == printing


# ---------------------------------------------------------------- the schemas


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas in it."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from parts(item)
    elif isinstance(value, list):
        for item in value:
            yield from parts(item)


@pytest.mark.parametrize("name", list_schemas())
def test_schemas_are_closed(name: str) -> None:
    schema = load_schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    for part in parts(schema):
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
        # A property without a description would have an empty row on the page.
        for key, value in part.get("properties", {}).items():
            if isinstance(value, dict) and key not in ("properties", "patternProperties"):
                assert "description" in value or "$ref" in value, key


@pytest.mark.parametrize("name", list_schemas())
def test_an_added_or_a_missing_key_is_seen(name: str) -> None:
    arguments = next(arguments for arguments in CALLS if name_of(arguments) == name)
    document = run_json(arguments)
    check = validator(name)
    assert check.is_valid(document)
    assert not check.is_valid({**document, "Extra key": 1})
    if name != "strategies":  # there the keys are names of strategies
        for key in document:
            assert not check.is_valid(
                {other: document[other] for other in document if other != key}
            )


def test_values_out_of_range_are_seen() -> None:
    check = validator("discard")
    good: dict[str, Any] = {"deadwood": 1, "discards": ["Kd"], "each": {"Kd": 1, "Ac": 10}}
    assert check.is_valid(good)
    for key, value in (
        ("deadwood", -1),
        ("deadwood", "1"),
        ("discards", ["KD"]),
        ("discards", ["10d"]),
        ("discards", ["Kd", "Kd"]),
        ("each", {"Kd": 1.5}),
        ("each", {"kd": 1}),
    ):
        assert not check.is_valid({**good, key: value}), (key, value)


@pytest.mark.parametrize("name", list_schemas())
def test_definitions_are_those_of_the_code(name: str) -> None:
    """Else: python -m tests.contract."""
    path = contract.FOLDER / f"{name}.json"
    schema = load_schema(name)
    assert schema == contract.complete(schema)
    assert path.read_text(encoding="utf-8") == contract.write_text(schema)


def test_the_page_is_made_from_the_schemas() -> None:
    """Else: python -m tests.contract."""
    page = contract.PAGE.read_text(encoding="utf-8")
    assert page == contract.make_page(page)
    for name in list_schemas():
        assert f"\n## {name}\n" in page


def test_schemas_can_be_printed() -> None:
    for name in list_schemas():
        result = CliRunner().invoke(main, ["schema", name])
        assert json.loads(result.output) == load_schema(name) == ginsim.load_schema(name)
    listed = CliRunner().invoke(main, ["schema"]).output
    for name in list_schemas():
        assert f"  {name} " in listed
    with pytest.raises(ginsim.OptionError, match=r"unknown schema '\.\./rules'"):
        ginsim.load_schema("../rules")
