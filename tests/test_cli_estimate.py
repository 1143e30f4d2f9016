"""`ginsim estimate`: the figures of `estimate`, from the command line, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main


def show(*words: str) -> str:
    result = CliRunner().invoke(main, ["estimate", *words])
    assert result.exit_code == 0, result.output
    return result.output


def run_json(*words: str) -> Any:
    return json.loads(show(*words, "--json"))


def refused(*words: str) -> str:
    result = CliRunner().invoke(main, ["estimate", *words])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.output.split())


def test_figures_are_those_of_the_function() -> None:
    document = run_json(
        *("hands", "kawu", "--south", "greedy(knock_at=4)", "--north", "simple", "--hands", "2000"),
        *("--share", "outcome == gin", "--mean", "turns", "--ratio", "points", "turns"),
        *("--by", "dealer", "--where", "stock > 10", "--seed", "3"),
    )
    frame = ginsim.simulate("kawu", ("greedy(knock_at=4)", "simple"), 2000, seed=3)
    kept = frame[frame["stock"] > 10]
    wanted = ginsim.estimate(
        kept, share="outcome == gin", mean="turns", ratio=("points", "turns"), by="dealer"
    )
    assert document["rows"] == len(kept)
    assert [figure["measure"] for figure in document["figures"][::2]] == [
        "share of outcome == gin",
        "mean of turns",
        "points / turns",
    ]
    for figure, row in zip(document["figures"], wanted.to_dict("records"), strict=True):
        assert figure["groups"] == {"dealer": row["dealer"]}
        for key in ("count", "clusters", "value", "se", "low", "high"):
            assert figure[key] == row[key]
        assert figure["p"] is None
    assert document["provenance"]["seed"] == 3


def test_differences_are_those_of_the_function() -> None:
    words = ["--share", "action == draw_pile", "--by", "turn", "--paired", "seat == dealer"]
    document = run_json(
        *("decisions", "kawu", "--hands", "300", "--kind", "draw", "--mirror", "--seed", "3"),
        *words,
    )
    frame = ginsim.decisions("kawu", "greedy", 300, kinds=["draw"], seed=3, mirror=True)
    wanted = ginsim.estimate(frame, share="action == draw_pile", by="turn", paired="seat == dealer")
    for figure, row in zip(document["figures"], wanted.to_dict("records"), strict=True):
        assert figure["groups"] == {"turn": row["turn"]}
        for key in ("value", "p", "p_holm"):
            assert figure[key] == (None if pd.isna(row[key]) else row[key])


@pytest.mark.parametrize(
    ("words", "simulate"),
    [
        (("games", "hollywood"), ginsim.simulate_games),
        (("game-hands", "kawu"), ginsim.simulate_game_hands),
        (("game-hands", "partnership"), ginsim.simulate_game_hands),
    ],
)
def test_games_and_their_hands(words: tuple[str, str], simulate: Any) -> None:
    document = run_json(*words, "--mean", "turns", "--games", "30", "--seed", "3")
    frame = simulate(words[1], "greedy", 30, seed=3)
    (figure,) = document["figures"]
    assert figure["value"] == pytest.approx(frame["turns"].mean())
    assert figure["count"] == document["rows"] == len(frame)
    assert figure["clusters"] == 30


def test_a_file_has_the_figures_of_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    ginsim.write_records(ginsim.simulate("kawu", "greedy", 500, seed=3), path)
    played = run_json("hands", "kawu", "--hands", "500", "--share", "outcome", "--seed", "3")
    read = run_json(str(path), "--share", "outcome")
    assert read["figures"] == played["figures"]
    assert read["of"] == str(path)
    assert "500 rows of 500 hands from 0 of seed 3" in show(str(path), "--share", "outcome")


def test_what_people_read() -> None:
    text = show(
        *("hands", "hollywood", "--hands", "3000", "--share", "outcome == gin", "--mean", "net"),
        *("--by", "rank(knock_card)", "--where", "turns > 5", "--seed", "3"),
    )
    frame = ginsim.simulate("hollywood", "greedy", 3000, seed=3)
    kept = frame[frame["turns"] > 5]
    assert text.startswith("hollywood: south greedy, north greedy\n3,000 hands from 0 of seed 3\n")
    assert f"{len(kept):,} of them with turns > 5" in text
    kings = kept[kept["knock_card"].astype(str).str[0] == "K"]
    line = re.search(r"^  K +(\S+) +(\S+) +(\S+) +\((\S+) to (\S+)\)$", text, re.MULTILINE)
    assert line is not None
    assert line[1] == line[2] == f"{len(kings):,}"
    assert float(line[3]) == pytest.approx(100 * (kings["outcome"] == "gin").mean(), abs=0.06)


def test_groups_without_rows_are_left_out() -> None:
    text = show("hands", "kawu", "--hands", "50", "--mean", "net", "--by", "outcome", "--seed", "3")
    assert "knock" in text
    assert "big_gin" not in text


def test_the_table_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    words = ("hands", "kawu", "--hands", "200", "--share", "outcome", "--seed", "3")
    assert f"table in {path}" in show(*words, "--out", str(path))
    table = pd.read_csv(path)
    assert table["measure"].tolist()[0] == "share of outcome == knock"
    assert "exists" in refused(*words, "--out", str(path))
    show(*words, "--out", str(path), "--force")
    assert "a name that ends in .csv or .parquet" in refused(*words, "--out", "table.txt")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hands kawu", "nothing is asked for; allowed: --share, --mean, --ratio"),
        ("hands --mean net", "RULES is missing: hands are played by rules"),
        ("hand kawu --mean net", "ROWS: unknown kind of rows 'hand'; did you mean 'hands'?"),
        ("none.csv --mean net", "ROWS: no file none.csv"),
        ("hands kawu --mean net --games 3", "--games goes with games or game-hands; ROWS is hands"),
        ("games kawu --mean turns --hands 3", "--hands goes with hands or decisions"),
        ("hands kawu --mean net --kind draw", "--kind goes with decisions"),
        ("hands kawu --mean ne --hands 9", "--mean: unknown column 'ne'; did you mean 'net'?"),
        ("hands kawu --share net --hands 9", "--share: values of type int16"),
        ("hands kawu --mean net --by x --hands 9", "--by: unknown column 'x'"),
        ("hands kawu --mean net --where net --hands 9", "--where: values of type int16"),
        ("hands kawu --mean net --paired net>0 --hands 9", "--paired: no deal is on both sides"),
    ],
)
def test_what_does_not_fit_is_refused(words: str, message: str) -> None:
    assert message in refused(*words.split())


def test_a_file_takes_no_rules(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    ginsim.write_records(ginsim.simulate("kawu", "greedy", 5, seed=3), path)
    assert "RULES goes with what is played" in refused(str(path), "kawu", "--mean", "net")
