"""`ginsim sheet` on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import ginsim
from ginsim.cli import main
from ginsim.schemas import load_schema
from tests import cases

# The small sheet of source 0 after the fourth hand, and what is written of it.
SMALL = "A A A B B B\n15 16 17 19 . .\n31 33 . . . .\n48 . . . . ."
OWN = "# the example\n\nwinner,points\nA,15\nB,19\n  # a comment\nA, 16\nA,17\n"


def run(*words: object) -> Any:
    return CliRunner().invoke(main, ["sheet", *map(str, words)])


def good(*words: object) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return str(result.output)


def document(*words: object) -> Any:
    return json.loads(good(*words, "--json"))


def has_block(text: str, block: str) -> bool:
    """Whether the rows of a block stand one after the other in a text."""
    lines = [line.split() for line in text.splitlines()]
    wanted = [line.split() for line in block.splitlines()]
    return any(lines[start : start + len(wanted)] == wanted for start in range(len(lines)))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "hands.csv"
    path.write_text(OWN, encoding="utf-8")
    return path


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    """The hands of the printed sheet."""
    path = tmp_path / "printed.csv"
    hands = cases.by_id("HW07")["input"]["hands"]
    lines = [f"{winner},{points},{prize or ''}" for winner, points, prize in hands]
    path.write_text("\n".join(["winner,points,prize_boxes", *lines]), encoding="utf-8")
    return path


def test_hands_of_ones_own(own: Path, printed: Path) -> None:
    text = good(own)
    assert has_block(text, SMALL)
    # "A tem cinco boxes de vantagem": 3 + 2 + 1 to 1.
    assert "A leads by boxes, 6 to 1." in text
    text = good(printed, "--hands")
    assert "A wins by boxes, 65 to 25. B pays 40 boxes." in text
    assert has_block(text, "13 A 13 1 3 210 204 204 111 118 92 65 25 3")
    assert not has_block(good(printed), "13 A 13 1 3 210 204 204 111 118 92 65 25 3")
    # 150 points: B never closes a column; A does in each, with hands 8, 9 and 9 (156; 192; 179).
    assert [
        (column["closed_by"], column["closed_at"])
        for column in document(printed, "--set", "target=150")["columns"]
    ] == [("A", 8), ("A", 9), ("A", 9)]


@pytest.mark.parametrize(
    "text",
    [
        OWN.replace("\n", "\r\n"),
        OWN.replace(",", ";"),
        OWN.replace(",", "\t"),
        "\ufeff" + OWN,
        OWN + "# Ana, tired\n# 4 hands, so far\n#, a, b\n",
        "points,winner,outcome\n15,A,knock\n19,B,\n16,A,\n17,A,knock",
        'winner,points,boxes\n"A",15,1\nB,19,1\n-,,\n,0,0\nA,16,1\nA,17,1\n',
    ],
)
def test_forms_of_a_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(text.encode("utf-8"))
    assert has_block(good(path), SMALL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no hands; allowed: a line winner,points,prize_boxes and one for each hand"),
        ("# only this\n", "hands.csv has no hands"),
        ("winner,points\n", "has no hands; allowed: a line winner,points,prize_boxes and one"),
        ("winner,points\n# Ana,5\n\n", "hands.csv has no hands"),
        # Passed over it would be a hand that is missing.
        ("winner,points\nA,1\n#1,40\n", "line 3: '#1,40' begins as a comment and has all cells"),
        ("winner;points;outcome\nA;1;\n # B; 7 ;gin\n", "line 3: ' # B; 7 ;gin' begins as a"),
        ("winner,points\n-,3\n", "line 2, points: 3 is not allowed; allowed: 0, since nobody won"),
        ("winner,points\n" + "A,1\n" * 32_001, "hands.csv has 32001 hands; allowed: at most 32000"),
        ("winner,points,prize_boxes,outcome\nAna,3,5,gin\n", "line 2, prize_boxes: 5 is not"),
        ("winner,points,prize_boxes,outcome\nAna,3,2,gin\n", "line 2, points: 3 is not allowed"),
        # Nothing written is no prize box.
        (
            "winner,points,outcome\nAna,30,gin\n",
            "line 2, prize_boxes: 0 is not allowed; allowed: 2",
        ),
        ("A,15\n", "line 1: its columns are not those of a table of hands"),
        ("winner,points,points\nA,1,2\n", "a name twice"),
        ("winner,points,prizes\nA,1,2\n", "(unknown prizes); allowed"),
        ("winner,points\n\nA,15,2\n", "line 3: 'A,15,2' has 3 cells; allowed: 2"),
        ("winner,points\nA,15.0\n", "line 2, points: '15.0' is not allowed"),
        ("winner,points\nA,\n", "line 2, points: '' is not allowed"),
        ("winner,points\nA,99999999999999999999\n", "line 2, points: '99999999999999999999' is"),
        ("winner,points\n#\nA,-3\n", "line 3, points: -3 is not allowed"),
        ("winner,points\nA,1\nB,1\nC,1\n", "line 4, winner: 'C' would be a third player"),
        ('winner,points\n"A,1\n', "cannot be read"),
        ("# ginsim of tonight\nwinner,points\nA,1\nB,x\n", "line 4, points: 'x' is not allowed"),
    ],
)
def test_bad_files_are_one_message_and_exit_2(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "hands.csv"
    path.write_text(text, encoding="utf-8")
    result = run(path)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    path.write_bytes(b"winner,points\nJo\xe3o,15\n")
    result = run(path)
    assert result.exit_code == 2
    assert "is no text in UTF-8" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give a FILE of hands, or --seed and --game to play a game"),
        (["--seed", "1"], "give a FILE of hands, or --seed and --game"),
        (["--game", "1"], "give a FILE of hands, or --seed and --game"),
        (["OWN", "--seed", "1", "--mirror"], "--seed and --mirror: the hands of FILE have been"),
        (["OWN", "--south", "greedy"], "--south: the hands of FILE have been played"),
        (["OWN", "--player", "A=greedy"], "--player: the hands of FILE have been played"),
        (["OWN", "--game", "0"], "--game: FILE has the hands of one game"),
        (["OWN", "--rules", "kawu"], "NAME+hollywood"),
        (["OWN", "--set", "target=0"], "target: 0 has no meaning with scoring = hollywood"),
        (["OWN", "--html", "page.txt"], "--html: 'page.txt' is not allowed; allowed: a file name"),
        (["OWN", "--html", "none/page.html"], "--html: the folder 'none' does not exist"),
        (["nothing.csv"], "'nothing.csv' does not exist"),
        (["--seed", "1", "--game", "0", "--rules", "kawu"], "NAME+hollywood"),
        (["--seed", "1", "--game", "0", "--rules", "no"], "unknown"),
        (["--seed", "1", "--game", "0", "--player", "A=greedy"], "is played by two"),
        (["--seed", "1", "--game", "0", "--south", "no"], "unknown"),
    ],
)
def test_wrong_mixtures_are_one_message_and_exit_2(
    words: list[str], message: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own.parent)
    result = run(*(str(own) if word == "OWN" else word for word in words))
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())
    assert "Traceback" not in result.output
    assert [path.name for path in own.parent.iterdir()] == [own.name]


@pytest.mark.parametrize(
    ("rules", "options", "strategies"),
    [
        ("hollywood", ["--north", "simple"], ("greedy", "simple")),
        ("kawu+hollywood", [], "greedy"),
        (
            "partnership",
            ["--south", "simple", "--player", "B=greedy", "--player", "D=greedy(knock_at=4)"],
            ("simple", "greedy", "greedy", "greedy(knock_at=4)"),
        ),
    ],
)
@pytest.mark.parametrize("mirror", [False, True])
def test_a_game_of_a_simulation(
    rules: str, options: list[str], strategies: Any, mirror: bool
) -> None:
    games = ginsim.simulate_games(rules, strategies, 8, seed=5, mirror=mirror)
    row = games.iloc[7]
    words = ["--rules", rules, "--seed", "5", "--game", "7", *options, *["--mirror"] * mirror]
    found = document(*words)
    assert found["boxes"] == dict(
        zip(found["players"], (row["south_boxes"], row["north_boxes"]), strict=True)
    )
    assert list(found["final"].values()) == [row["south_score"], row["north_score"]]
    assert len(found["hands"]) == row["hands"]
    assert (found["game"], found["over"], found["pays"]) == (7, True, abs(row["box_margin"]))
    assert found["provenance"]["seed"] == 5
    text = good(*words)
    assert f"game 7 of seed 5{', mirrored' * mirror}: " in text
    assert has_block(text, "\n".join(" ".join(cells) for cells in found["grid"]))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("rules", ["hollywood(target=120)", "partnership"])
def test_files_of_games(tmp_path: Path, ending: str, rules: str) -> None:
    path = tmp_path / f"hands.{ending}"
    frame = ginsim.simulate_game_hands(rules, "greedy", 3, seed=9, first=4)
    ginsim.write_records(frame, path)
    found = document(path, "--game", "5")
    played = document("--rules", rules, "--seed", "9", "--game", "5")
    # They were played in another run: only the range of games differs.
    assert found["provenance"].pop("games") == 3
    assert found["provenance"].pop("first") == 4
    assert played["provenance"].pop("games") == 1
    assert played["provenance"].pop("first") == 5
    assert found == played
    assert found["rules"] == rules
    higher = document(path, "--game", "5", "--set", "target=1000")
    assert (higher["target"], higher["over"]) == (1000, False)
    result = run(path)
    assert result.exit_code == 2
    assert "game: 3 games are there" in result.output


def test_what_games_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    words = ["games", "hollywood", "--games", "2", "--seed", "3", "--hands", "--out", str(path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert good(path, "--game", "1") == good("--seed", "3", "--game", "1")
    kawu = document(path, "--game", "1", "--rules", "hollywood", "--set", "target=90")
    assert kawu["target"] == 90
    games = tmp_path / "games.csv"
    words = ["games", "hollywood", "--games", "2", "--seed", "3", "--out", str(games)]
    assert CliRunner().invoke(main, words).exit_code == 0
    result = run(games)
    assert result.exit_code == 2
    assert "its columns are not those of a table of hands" in result.output


def test_a_player_whose_name_begins_with_a_number_sign(own: Path) -> None:
    own.write_text('winner,points\n"#1",40\nB,7\n', encoding="utf-8")
    assert document(own)["points"] == {"#1": 40, "B": 7}


def test_a_game_by_other_rules(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    words = ["games", "hollywood", "--games", "5", "--seed", "1", "--hands", "--out", str(path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    change = ["--set", "gin_bonus=100"]
    found = document(path, "--game", "3", *change)
    Draft202012Validator(load_schema("sheet")).validate(found)
    played = document("--seed", "1", "--game", "3", *change)
    for key in ("rules", "grid", "boxes", "hands", "columns"):
        assert found[key] == played[key], key
    assert found["grid"] != document(path, "--game", "3")["grid"]
    assert found["provenance"]["rescored"]["fields"] == ["gin_bonus"]
    for options, message in (
        (
            ["--set", "knock_limit=0"],
            "rules: knock_limit ('card' to 0): the hands of the frame were",
        ),
        (["--rules", "kawu+hollywood"], "rules: deal ('eleven' to 'upcard'), knock_card"),
    ):
        result = run(path, "--game", "3", *options)
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())
        assert "--seed" in result.output


def test_an_unfinished_game_of_a_run() -> None:
    words = ["--seed", "1", "--game", "2", "--max-hands", "3"]
    found = document(*words)
    assert (len(found["hands"]), found["over"], found["provenance"]["max_hands"]) == (3, False, 3)
    whole = document("--seed", "1", "--game", "2")
    assert found["hands"] == whole["hands"][:3]
    assert "Not over" in good(*words)


def test_numbers_of_games(own: Path) -> None:
    """The last game there is, and the one after it."""
    assert document("--seed", "1", "--game", str(2**62 - 1), "--mirror")["game"] == 2**62 - 1
    for words in (["--seed", "1"], ["--seed", "1", "--mirror"], [str(own)]):
        result = run(*words, "--game", str(2**62))
        assert result.exit_code == 2
        assert "'--game'" in result.output
        assert f"a whole number from 0 to {2**62 - 1}" in " ".join(result.output.split())
    result = run(own, "--max-hands", "3")
    assert "--max-hands: the hands of FILE have been played" in result.output


def test_a_pipe_is_read_once(own: Path, tmp_path: Path) -> None:
    """What has been read from it is gone."""
    records = tmp_path / "records.csv"
    ginsim.write_records(ginsim.simulate_game_hands("hollywood", "greedy", 1, seed=1), records)
    words = [sys.executable, "-m", "ginsim", "sheet", "/dev/stdin"]
    for path in (own, records):
        text = path.read_bytes()
        result = subprocess.run(words, input=text, capture_output=True, timeout=60, check=False)
        assert result.returncode == 0, result.stderr
        assert result.stdout.decode() == good(path)


def test_records_with_a_byte_order_mark_and_without_a_first_line(tmp_path: Path) -> None:
    path, other = tmp_path / "hands.csv", tmp_path / "other.csv"
    ginsim.write_records(ginsim.simulate_game_hands("hollywood", "greedy", 2, seed=1), path)
    other.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert good(other, "--game", "1") == good(path, "--game", "1")
    other.write_bytes(path.read_bytes().partition(b"\n")[2])
    for words in ([], ["--game", "1"]):
        result = run(other, *words)
        assert result.exit_code == 2
        assert "has the columns of game_hands and not the line before them" in result.output


def test_a_page_that_cannot_be_written(
    printed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is seen before anything is played."""
    monkeypatch.setattr(
        "ginsim.games.simulate_game_hands", lambda *_, **__: pytest.fail("a game was played")
    )
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    for words in ([printed], ["--seed", "1", "--game", "1"]):
        result = run(*words, "--html", tmp_path / "page.html")
        assert result.exit_code == 2
        assert f"--html: the folder '{tmp_path}' cannot be written to" in result.output
        result = run(*words, "--html", tmp_path / "none" / "page.html")
        assert result.exit_code == 2
        assert "--html: the folder" in result.output
    (tmp_path / "page.html").mkdir()
    monkeypatch.undo()
    assert "is a folder" in run(printed, "--html", tmp_path / "page.html").output


def test_the_page(printed: Path, tmp_path: Path) -> None:
    page = tmp_path / "sheet.html"
    text = good(printed, "--html", page)
    assert text == good(printed) + f"\nsheet in {page}\n"
    hands = [tuple(hand) for hand in cases.by_id("HW07")["input"]["hands"]]
    expected = ginsim.hollywood_sheet(hands).html().encode()
    assert page.read_bytes() == expected
    result = run(printed, "--html", page)
    assert result.exit_code == 2
    assert "exists; allowed: another name, or --force" in result.output
    page.write_text("old")
    assert document(printed, "--html", page, "--force")["over"]
    assert page.read_bytes() == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["printed.csv", "sheet.html"]


def test_the_document_of_the_printed_sheet(printed: Path) -> None:
    found = document(printed)
    expected = cases.by_id("HW07")["expected"]
    for name in "AB":
        for number, column in enumerate(found["columns"]):
            entries = column["entries"][name]
            assert [entry["total"] for entry in entries] == expected["entries"][name][number]
            assert [entry["prize_boxes"] for entry in entries] == expected["bonuses"][name][number]
            assert column["boxes"][name] == expected["boxes"][name][number]
    assert (found["winner"], found["pays"], found["left_over"]) == ("A", 40, 0)
    assert found["grid"][0] == ["A", "A", "A", "B", "B", "B"]
    assert found["game"] is found["provenance"] is None


def test_rules_are_completed_in_a_shell() -> None:
    parameters = {parameter.name: parameter for parameter in main.commands["sheet"].params}
    context = click.Context(main.commands["sheet"])
    offers = [item.value for item in parameters["rules"].shell_complete(context, "holly")]
    assert offers == ["hollywood"]
    offers = [item.value for item in parameters["south"].shell_complete(context, "gr")]
    assert offers == ["greedy"]
