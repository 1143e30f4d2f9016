"""`ginsim games`, `score`, `decisions` and given decks on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main


def run(*words: str) -> Any:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", "kawu", "--game", "A 30; B 40"], "'A 30; B 40' is not allowed"),
        (["score", "kawu", "--game", "A 30 B 40"], "'A 30 B 40' is not allowed"),
        (["score", "kawu", "--game", ""], "'' is not allowed"),
        (["score", "kawu", "--game", "A 30, B"], "'B' is not allowed"),
        (["score", "kawu", "--game", "A 5000"], "5000 is not allowed"),
        (["score", "kawu", "--game", "A 1, B 2, C 3"], "A, B, C play; allowed: two players"),
        (["score", "kawu", "--game", "A 1", "--spade"], "--game stands alone"),
        (["score", "kawu", "--knocker", "3"], "--knocker and --defender"),
        (["score", "kawu", "--game", "A 30 (x)"], "'A 30 (x)' is not allowed"),
        (["score", "partnership", "--table", "AB 15 gin"], "given 1 time; allowed: twice"),
        (["score", "partnership", "--table", "AB x", "--table", "-"], "'AB x' is not allowed"),
        (["score", "partnership", "--table", "AC 5", "--table", "-"], "--table: 'AC' is not"),
        (
            ["score", "kawu", "--table", "AB 5 big gin", "--table", "-"],
            "--table: 'big_gin' is not allowed; allowed: knock, gin, undercut or clean_undercut",
        ),
        (
            ["score", "kawu", "--table", "AB 5", "--table", "-", "--dealer", "A"],
            "with --spade only",
        ),
        (["games", "kawu", "--hands"], "--hands needs --out"),
        (["games", "kawu", "--min-hands", "5"], "--min-hands needs --hands"),
        (["score", "partnership", "--table", "AB 150 gin", "--table", "-"], "--table: 150 is not"),
        (["games", "kawu", "--games", "4", "--series", "2", "--mirror"], "make no series"),
        (["games", "kawu", "--games", "4", "--series", "5"], "5 games a series, and there are 4"),
        (["hands", "partnership", "--hands", "2"], "a partnership, are played as games"),
        (["games", "kawu", "--games", "2", "--player", "A=simple"], "is played by two"),
        (["games", "partnership", "--games", "2", "--player", "E=simple"], "A, B, C or D, = and"),
        (["games", "partnership", "--games", "2", "--player", "A"], "A, B, C or D, = and"),
        (["games", "partnership", "--games", "2", "--player", "A=x"], "unknown strategy 'x'"),
        (["hands", "kawu", "--hands", "1", "--first", str(2**62)], "first: "),
        (["deals", "--cards", "12"], "a whole number from 1 to 11\n"),
        (["decisions", "kawu", "--kind", "knock"], "'knock' is not one of"),
    ],
)
def test_bad_input_is_one_message_and_exit_2(words: list[str], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert "Traceback" not in result.output


def test_games_in_files_are_those_of_python(tmp_path: Path) -> None:
    games, hands = tmp_path / "games.csv", tmp_path / "game_hands.jsonl"
    common = ["games", "modern", "--games", "40", "--seed", "3", "--north", "simple"]
    assert run(*common, "--out", str(games)).exit_code == 0
    assert run(*common, "--hands", "--out", str(hands)).exit_code == 0
    pair = ("greedy", "simple")
    pd.testing.assert_frame_equal(
        ginsim.read_records(games), ginsim.simulate_games("modern", pair, 40, seed=3)
    )
    pd.testing.assert_frame_equal(
        ginsim.read_records(hands), ginsim.simulate_game_hands("modern", pair, 40, seed=3)
    )


def test_decisions_in_files_are_those_of_python(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    words = ["decisions", "kawu", "--hands", "50", "--seed", "3", "--kind", "discard"]
    assert run(*words, "--out", str(path)).exit_code == 0
    frame = ginsim.decisions("kawu", "greedy", 50, seed=3, kinds=["discard"])
    pd.testing.assert_frame_equal(ginsim.read_records(path), frame)


def test_given_decks_are_played_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    decks = [ginsim.replay("kawu", "greedy", 9, hand)["deck"] for hand in range(3)]
    path.write_text("\n".join(" ".join(deck) for deck in decks))
    given = json.loads(run("hands", "kawu", "--decks", str(path), "--seed", "9", "--json").output)
    dealt = json.loads(run("hands", "kawu", "--hands", "3", "--seed", "9", "--json").output)
    assert given["outcomes"] == dealt["outcomes"]
    assert given["provenance"]["decks"]["count"] == 3
    words = ["replay", "kawu", "--seed", "9", "--hand", "2"]
    assert run(*words, "--decks", str(path)).output == run(*words).output
    result = run("replay", "kawu", "--seed", "9", "--hand", "3", "--decks", str(path))
    assert result.exit_code == 2
    assert "hand: 3 is not allowed; allowed: a whole number from 0 to 2" in result.output


def test_a_log_without_a_hand_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("\n")
    result = run("verify-log", str(path))
    assert result.exit_code == 2
    assert "no hand in it" in result.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
@pytest.mark.parametrize("words", [["--help"], ["rules"], ["hands", "kawu", "--hands", "10"]])
def test_a_full_output_is_one_line(words: list[str]) -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        result = subprocess.run(
            [sys.executable, "-m", "ginsim", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
