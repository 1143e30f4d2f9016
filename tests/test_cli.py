"""The `ginsim` command: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import errno
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import click
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from ginsim import __version__
from ginsim.cli import main
from ginsim.cli.options import Size
from ginsim.cli.progress import show_progress
from ginsim.cli.text import format_table, print_json
from ginsim.files import ENDINGS, read_records
from ginsim.rules import Rules, list_modifiers, list_rulesets, load_rules
from ginsim.simulation import simulate
from ginsim.stats import summarize
from ginsim.strategies import list_strategies


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def run_json(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)  # one document: anything before or after it is an error


def refused(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.output.count("Error:") == 1
    return result.output


# -- help -----------------------------------------------------------------------------------------


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in ("hands", "replay", "rules", "strategies", "info"):
        assert f"\n  {command} " in result.output
        assert run(command, "--help").exit_code == 0
    assert __version__ in run("--version").output


@pytest.mark.parametrize(
    "arguments", [["--help"], ["hands", "--help"], ["rules", "kawu"], ["strategies", "simple"]]
)
def test_what_needs_no_numbers_loads_no_pandas(arguments: list[str]) -> None:
    code = (
        "import sys; from ginsim.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "loaded = {'numpy', 'pandas', 'ginsim._core', 'ginsim._batch'} & sys.modules.keys(); "
        "sys.exit(', '.join(sorted(loaded)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True)


def test_completion_offers_names() -> None:
    hands = main.commands["hands"]
    context = click.Context(hands)
    offers = {parameter.name: parameter.shell_complete(context, "k") for parameter in hands.params}
    assert [item.value for item in offers["rules"]] == ["kawu"]
    strategies = next(parameter for parameter in hands.params if parameter.name == "south")
    assert [item.value for item in strategies.shell_complete(context, "")] == list_strategies()


# -- sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1000000", 1_000_000),
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("2.5E3", 2500),
        ("25e-1", None),
        ("1.0", 1),
        (" 7 ", 7),
        ("0", None),
        ("-1", None),
        ("1.5", None),
        ("1e999999999", None),
        ("nan", None),
        ("inf", None),
        ("", None),
        ("many", None),
        ("1__0", None),
        ("1001e3", None),
    ],
)
def test_sizes(text: str, number: int | None) -> None:
    size = Size(low=1, high=1_000_000)
    if number is None:
        with pytest.raises(click.BadParameter) as caught:
            size.convert(text, None, None)
        message = caught.value.message
        assert repr(text) in message
        assert "a whole number from 1 to 1000000" in message
    else:
        assert size.convert(text, None, None) == number


def test_seeds_have_no_upper_bound() -> None:
    assert Size(high=None).convert(str(2**200 + 1), None, None) == 2**200 + 1


# -- rules and strategies -------------------------------------------------------------------------


def test_rules_lists_everything() -> None:
    output = run("rules").output
    for name in [*list_rulesets(), *list_modifiers()]:
        assert re.search(rf"^  {re.escape(name)}  +\S", output, re.MULTILINE)
    document = run_json("rules")
    assert list(document["rules"]) == list_rulesets()
    assert list(document["modifiers"]) == list_modifiers()
    assert all(document["rules"].values())


def test_rules_explains_one() -> None:
    output = run("rules", "kawu+oklahoma").output
    assert "Rule set kawu+oklahoma" in output
    assert "the value of the first upcard" in output
    for field in Rules.field_names():
        assert f"  {field} = " in output
    document = run_json("rules", "kawu+oklahoma")
    assert document["name"] == "kawu+oklahoma"
    assert document["fields"] == load_rules("kawu+oklahoma").values()
    assert document["sentences"]


def test_rules_compares_two() -> None:
    output = run("rules", "kawu", "straight").output
    assert [line.split() for line in output.splitlines()] == [
        ["field", "kawu", "straight"],
        ["knock_limit", "10", "0"],
    ]
    assert run_json("rules", "kawu", "straight") == {
        "names": ["kawu", "straight"],
        "differences": {"knock_limit": [10, 0]},
    }
    assert "the same rules" in run("rules", "kawu+straight", "straight").output


def test_rules_writes_a_file_to_edit(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(run("rules", "hollywood", "--toml").output, encoding="utf-8")
    assert load_rules(path) == load_rules("hollywood")
    assert "Rule set mine.toml" in run("rules", str(path)).output


def test_strategies() -> None:
    output = run("strategies").output
    document = run_json("strategies")
    assert list(document) == list_strategies()
    assert document["greedy"]["parameters"]["knock_at"]["allowed"] == list(range(11))
    for name in list_strategies():
        assert re.search(rf"^{name}  ", output, re.MULTILINE)
    one = run("strategies", "greedy( 4 )").output
    assert "Strategy greedy(knock_at=4)" in one
    assert "knock_at = 4" in one
    assert run_json("strategies", "greedy(4)")["fields"]["knock_at"] == 4


def test_info() -> None:
    document = run_json("info")
    assert document["ginsim"] == __version__
    assert document["pandas"] == pd.__version__
    assert document["stream"] >= 1
    for name in ("python", "numpy", "compiler", "processor"):
        assert document[name]
    assert __version__ in run("info").output


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hands", "kawo"], ["'kawo'", "did you mean 'kawu'", "classic"]),
        (["hands", "hollywood+oklahoma"], ["knock_card", "'upcard'", "none or second-deck"]),
        (["hands", "none.toml"], ["none.toml", "does not exist"]),
        (["hands"], ["RULES"]),
        (["hands", "kawu", "--set", "gin_bonus=many"], ["gin_bonus", "'many'", "0 to 1000"]),
        (["hands", "kawu", "--set", "gin_bonus=-1"], ["gin_bonus", "-1", "0 to 1000"]),
        (["hands", "kawu", "--set", "gin_bonu=3"], ["'gin_bonu'", "did you mean 'gin_bonus'"]),
        (["hands", "kawu", "--set", "gin_bonus"], ["'gin_bonus'", "FIELD=VALUE"]),
        (["hands", "kawu", "--set", "players=4"], ["players", "4", "played as games"]),
        (["hands", "kawu", "--south", "gredy"], ["'gredy'", "did you mean 'greedy'"]),
        (["hands", "kawu", "--north", "greedy(11)"], ["knock_at", "11", "0 to 10"]),
        (["hands", "kawu", "--hands", "0"], ["--hands", "'0'", "from 1"]),
        (["hands", "kawu", "--hands", "x"], ["--hands", "'x'", "1e6"]),
        (["hands", "kawu", "--seed", "-1"], ["--seed", "'-1'", "from 0"]),
        (["hands", "kawu", "--first", "1.5"], ["--first", "'1.5'", "from 0"]),
        (["hands", "kawu", "--threads", "0"], ["--threads", "'0'", "from 1"]),
        (["hands", "kawu", "--hands", "3", "--mirror"], ["hands", "3", "even"]),
        (["hands", "kawu", "--out", "x.txt"], ["--out", "x.txt", *ENDINGS]),
        (["hands", "kawu", "--out", "none/x.csv"], ["--out", "none", "does not exist"]),
        (["hands", "kawu", "--nope"], ["--nope"]),
        (["replay", "kawu"], ["--seed"]),
        (["replay", "kawu", "--seed", "1", "--hand", "x"], ["--hand", "'x'"]),
        (["rules", "kawo"], ["'kawo'", "did you mean 'kawu'"]),
        (["rules", "kawu", "modern", "casual"], ["one name", "two"]),
        (["rules", "--toml"], ["--toml"]),
        (["strategies", "gredy"], ["'gredy'", "did you mean 'greedy'"]),
        (["hnads"], ["hnads"]),
    ],
)
def test_bad_input_is_refused_in_words(arguments: list[str], words: list[str]) -> None:
    output = refused(*arguments)
    for word in words:
        assert word in output


def test_all_errors_of_a_rule_set_are_one_message() -> None:
    output = refused("hands", "kawu", "--set", "gin_bonus=-1", "--set", "tie=x", "--set", "z=1")
    assert "gin_bonus: -1" in output
    assert "tie: 'x'" in output
    assert "'z'" in output


# -- hands ----------------------------------------------------------------------------------------


def strip(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "seconds"}


def test_hands_prints_a_table() -> None:
    result = run("hands", "kawu", "--hands", "2e3", "--seed", "7", "--south", "greedy(4)")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "kawu: south greedy(knock_at=4), north greedy"
    assert lines[1] == "2,000 hands from hand 0 of seed 7"
    table = summarize(simulate("kawu", ("greedy(4)", "greedy"), 2000, seed=7))
    for row in table[(table["measure"] == "share") & (table["seat"] == "all")].itertuples():
        name = str(row.outcome).replace("_", " ")
        line = next(line for line in lines if line.startswith(f"  {name} "))
        # One hand in 2000 is known to 0.14 %, which shows in the first decimal.
        assert f" {100 * float(str(row.value)):.1f} " in line
    assert any("points, south minus north" in line for line in lines)
    assert "hands/s" in lines[-2]
    command = lines[-1].removeprefix("one of the hands: ginsim ")
    assert shlex.split(command)[:6] == ["replay", "kawu", "--seed", "7", "--hand", "0"]
    shown = run(*shlex.split(command))
    assert shown.exit_code == 0
    assert "greedy(knock_at=4)" in shown.output


def test_hands_document() -> None:
    document = run_json("hands", "kawu+big-gin", "--hands", "3000", "--seed", "7", "--first", "10")
    table = summarize(simulate("kawu+big-gin", "greedy", 3000, seed=7, first=10))
    assert document["rules"] == "kawu+big-gin"
    assert document["hands"] == 3000
    assert document["seconds"] > 0
    shares = table[(table["measure"] == "share") & (table["seat"] == "all")]
    assert document["outcomes"] == {
        row.outcome: {"count": row.count, "share": row.value, "low": row.low, "high": row.high}
        for row in shares.itertuples()
    }
    assert sum(cell["count"] for cell in document["outcomes"].values()) == 3000
    assert set(document["wins"]) == {"south", "north", "nondealer"}
    net = next(table[table["measure"] == "net"].itertuples())
    assert document["points_per_hand"] == {
        key: getattr(net, key) for key in ("value", "se", "low", "high")
    }
    assert document["turns"]["low"] < document["turns"]["value"] < document["turns"]["high"]
    provenance = document["provenance"]
    assert provenance["seed"] == 7
    assert load_rules(provenance["rules"]) == load_rules("kawu+big-gin")


def test_the_same_seed_gives_the_same_document() -> None:
    arguments = ("hands", "classic", "--hands", "20000", "--north", "simple")
    first = run_json(*arguments, "--seed", "3")
    assert strip(run_json(*arguments, "--seed", "3", "--threads", "2")) == strip(first)
    assert run_json(*arguments, "--seed", "4")["outcomes"] != first["outcomes"]
    drawn = run_json(*arguments)
    again = run_json(*arguments, "--seed", str(drawn["provenance"]["seed"]))
    assert strip(again) == strip(drawn)


def test_one_hand_has_no_intervals_but_a_document() -> None:
    document = run_json("hands", "kawu", "--hands", "1", "--seed", "1")
    assert document["turns"]["se"] is None
    assert run("hands", "kawu", "--hands", "1", "--seed", "1").exit_code == 0


def test_mirrored_hands() -> None:
    document = run_json("hands", "kawu", "--hands", "2000", "--seed", "1", "--mirror")
    assert document["points_per_hand"]["value"] == 0  # both seats play the same way
    assert "each deal played twice" in run("hands", "kawu", "--hands", "2", "--mirror").output


def test_settings_change_the_rules() -> None:
    document = run_json("hands", "kawu", "--hands", "500", "--set", "knock_limit=0", "--seed", "1")
    assert document["rules"] == "kawu(knock_limit=0)"
    assert document["outcomes"]["knock"]["count"] == 0


# -- records --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_records_are_those_of_simulate(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginsim.cli.play.BLOCK", 300)  # several blocks, the last one shorter
    path = tmp_path / f"records{ending}"
    arguments = ("hands", "kawu", "--hands", "1000", "--seed", "5", "--first", "2", "--mirror")
    document = run_json(*arguments, "--out", str(path))
    assert strip(document) == strip(run_json(*arguments))
    frame = simulate("kawu", "greedy", 1000, seed=5, first=2, mirror=True)
    written = read_records(path)
    pd.testing.assert_frame_equal(written, frame)
    assert written.attrs == frame.attrs
    assert list(tmp_path.iterdir()) == [path]


def test_a_drawn_seed_is_one_for_all_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginsim.cli.play.BLOCK", 100)
    path = tmp_path / "records.csv"
    document = run_json("hands", "kawu", "--hands", "250", "--out", str(path))
    seed = document["provenance"]["seed"]
    written = read_records(path)
    pd.testing.assert_frame_equal(written, simulate("kawu", "greedy", 250, seed=seed))
    assert written.attrs["provenance"] == document["provenance"]


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.files.find_spec", lambda name: None)
    output = refused("hands", "kawu", "--hands", "10", "--out", str(tmp_path / "records.parquet"))
    assert "--out" in output
    assert "pyarrow" in output
    assert "ginsim-rummy[parquet]" in output


def test_an_existing_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("mine")
    assert "--force" in refused("hands", "kawu", "--hands", "10", "--out", str(path))
    assert path.read_text() == "mine"
    result = run("hands", "kawu", "--hands", "10", "--out", str(path), "--force")
    assert result.exit_code == 0, result.output
    assert f"records in {path}" in result.output
    assert len(read_records(path)) == 10


def test_a_full_disk_is_said_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("ginsim.formats.Csv.write", fail)
    result = run("hands", "kawu", "--hands", "10", "--out", str(tmp_path / "x.csv"))
    assert result.exit_code == 1
    assert result.output == "Error: [Errno 28] No space left on device\n"
    assert list(tmp_path.iterdir()) == []


# -- replay ---------------------------------------------------------------------------------------


def test_replay_shows_a_hand_of_a_run() -> None:
    arguments = ("kawu", "--seed", "7", "--south", "greedy(4)", "--north", "simple")
    result = run("replay", *arguments, "--hand", "3")
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) > 5
    document = run_json("replay", *arguments, "--hand", "3")
    assert isinstance(document, dict)
    frame = simulate("kawu", ("greedy(4)", "simple"), 1, seed=7, first=3)
    outcome = str(frame["outcome"][0])
    assert outcome in json.dumps(document)
    mirrored = run("replay", *arguments, "--hand", "3", "--mirror").output
    assert mirrored != result.output


# -- how it ends ----------------------------------------------------------------------------------

COMMAND = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from ginsim.cli import main; main(prog_name='ginsim')"
)


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"]
)
def test_an_interrupted_run_leaves_no_file_and_no_traceback(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    path = tmp_path / "records.csv"
    process = start("hands", "kawu", "--hands", "1e9", "--out", str(path))
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)  # until the file under its temporary name is there
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert output == ""
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_leaves_is_no_error() -> None:
    process = start("rules", "kawu")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        errors = process.stderr.read()
    process.wait(timeout=60)
    assert errors == ""


def test_standard_error_is_silent_unless_it_is_a_terminal() -> None:
    process = start("hands", "kawu", "--hands", "1000", "--seed", "1", "--json")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert errors == ""
    assert json.loads(output)["hands"] == 1000


# -- parts ----------------------------------------------------------------------------------------


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    clock = iter(range(100))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with show_progress("hands") as progress:
        assert progress is not None
        progress(250, 1000)
        assert "250 of 1,000 hands, 250/s, 3 s left" in screen.getvalue()
        progress(1000, 1000)
    assert screen.getvalue().endswith("\r")
    assert screen.getvalue().split("\r")[-2].strip() == ""


def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", StringIO())
    with show_progress("hands") as progress:
        assert progress is None


def test_tables_line_up() -> None:
    assert format_table([["a", "1.0"], ["long", "10.0"]]) == "  a      1.0\n  long  10.0"


def test_json_takes_numpy(capsys: pytest.CaptureFixture[str]) -> None:
    import numpy as np

    print_json({"a": np.int64(3), "b": np.arange(2)})
    assert json.loads(capsys.readouterr().out) == {"a": 3, "b": [0, 1]}
    with pytest.raises(TypeError):
        print_json({"a": object()})
