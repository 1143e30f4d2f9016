"""Tournaments: the same games as duels, and what is said of them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import tournaments
from ginsim.cli import main

PLAYERS = ["greedy(knock_at=4)", "greedy", "simple"]


def test_pairs_are_duels_on_common_decks() -> None:
    result = ginsim.tournament(PLAYERS, "kawu", 400, seed=5)
    assert result.pairs[["a", "b"]].to_numpy().tolist() == [
        ["greedy(knock_at=4)", "greedy"],
        ["greedy(knock_at=4)", "simple"],
        ["greedy", "simple"],
    ]
    row: Any
    for row in result.pairs.itertuples():
        duel = ginsim.duel(row.a, row.b, "kawu", 400, seed=5)
        own = duel.table.iloc[0]
        for name in ("count", "clusters", "value", "se", "low", "high"):
            assert getattr(row, name) == own[name]
        assert (row.verdict, row.games_needed) == (duel.verdict, duel.games_needed)
    # A player's share is the mean of his pairs'.
    shares = dict(zip(result.ratings["player"], result.ratings["share"], strict=True))
    values = result.pairs["value"].tolist()
    assert shares["greedy"] == pytest.approx((1 - values[0] + values[2]) / 2)
    assert shares["simple"] == pytest.approx(1 - (values[1] + values[2]) / 2)
    assert result.ratings["rating"].sum() == pytest.approx(0.0, abs=1e-9)
    assert result.ratings["rating"].is_monotonic_decreasing


def test_blocks_and_threads_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ginsim.tournament(PLAYERS, "classic", 200, seed=5, threads=1, reference="simple")
    monkeypatch.setattr(tournaments, "BLOCK", 28)
    parts = ginsim.tournament(PLAYERS, "classic", 200, seed=5, threads=2, reference="simple")
    pd.testing.assert_frame_equal(whole.pairs, parts.pairs, check_exact=True)
    pd.testing.assert_frame_equal(whole.ratings, parts.ratings, check_exact=True)
    assert whole.provenance == parts.provenance
    zero = whole.ratings.set_index("player").loc["simple"]
    assert (zero["rating"], zero["se"]) == (0.0, 0.0)


def test_separation_is_said_and_equality_too() -> None:
    players = {"one": "greedy", "two": "greedy", "last": "random"}
    result = ginsim.tournament(players, "kawu", 100, seed=5)
    pair: Any = result.pairs.iloc[0]
    assert (pair["a"], pair["b"]) == ("one", "two")
    # Equal players that do not draw lots play mirrored games alike: one each.
    assert pair["value"] == 0.5
    assert pair["games_needed"] == math.inf
    assert pair["verdict"] == "not told apart"
    assert result.ratings["player"].tolist() == ["one", "two", "last"]
    assert result.ratings["rating"].tolist()[:2] == [0.0, 0.0]
    assert math.isnan(result.ratings["rating"].tolist()[2])
    assert result.ratings["group"].tolist() == [0, 0, 1]
    (note,) = result.notes
    assert note.startswith("last lost every game to the players with a rating")
    words = ["tournament", "greedy", "random", "--rules", "kawu", "--games", "20", "--seed", "5"]
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0
    assert "random lost every game" in shown.output
    assert "inf" not in shown.output.replace("infinitely", "")


def test_provenance_reproduces() -> None:
    result = ginsim.tournament(PLAYERS[:2], "kawu", 40, first=10)
    origin = result.provenance
    again = ginsim.tournament(
        origin["strategies"],
        origin["rules"],
        origin["games"],
        seed=origin["seed"],
        first=origin["first"],
    )
    pd.testing.assert_frame_equal(result.ratings, again.ratings)
    assert again.provenance == origin


def test_the_document_has_the_numbers_of_python() -> None:
    words = ["tournament", *PLAYERS, "--rules", "kawu", "--games", "60", "--seed", "3"]
    document = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    result = ginsim.tournament(PLAYERS, "kawu", 60, seed=3)
    assert [row["value"] for row in document["pairs"]] == result.pairs["value"].tolist()
    assert [row["elo"] for row in document["ratings"]] == result.ratings["elo"].tolist()
    assert document["provenance"] == result.provenance


def test_files_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    paths = []
    for folder, most in (("old", 4), ("new", 0)):
        (tmp_path / folder).mkdir()
        paths.append(str(tmp_path / folder / "mine.toml"))
        Path(paths[-1]).write_text(f"knock_at = {most}\n", encoding="utf-8")
    words = ["tournament", *paths, "simple", "--rules", "kawu", "--games", "20", "--seed", "3"]
    document = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    assert list(document["provenance"]["strategies"]) == [*paths, "simple"]
    known = ginsim.tournament(["greedy(4)", "greedy(0)", "simple"], "kawu", 20, seed=3)
    assert [row["value"] for row in document["pairs"]] == known.pairs["value"].tolist()
    # One alone is called by its file's name.
    assert next(iter(ginsim.tournament([paths[0], "simple"], "kawu", 2).players)) == "mine.toml"
    words = ["tune", "greedy", "--against", paths[0], "--against", paths[1], "--rules", "kawu"]
    words += ["--budget", "2000", "--validate", "4", "--seed", "1", "--json"]
    document = json.loads(CliRunner().invoke(main, words).output)
    assert list(document["provenance"]["against"]) == paths
    with pytest.raises(ginsim.OptionError, match="is given twice"):
        ginsim.tournament([paths[0], paths[0]], "kawu", 2)


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["greedy"], {}, "players: 1 given; allowed: 2 to 100 strategies"),
        ("greedy", {}, "players: 'greedy' is not allowed"),
        (["greedy", "greedy(knock_at=10)"], {}, "players: 'greedy' is given twice; allowed: diff"),
        (["greedy", "strong"], {}, "unknown strategy 'strong'"),
        ({1: "greedy", 2: "simple"}, {}, "players: 1 is not allowed; allowed: names as keys"),
        (PLAYERS, {"games": 7}, "games: 7 is not allowed; allowed: an even number"),
        (PLAYERS, {"games": 0}, "games: 0 is not allowed; allowed: a whole number from 2"),
        (PLAYERS, {"first": 1}, "first: 1 is not allowed"),
        (PLAYERS, {"reference": "random"}, "reference: unknown player 'random'"),
        (PLAYERS, {"threads": 0}, "threads: 0 is not allowed"),
    ],
)
def test_bad_input_is_refused_in_words(players: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ginsim.GinsimError) as caught:
        ginsim.tournament(players, "kawu", **options)
    assert message in str(caught.value)
