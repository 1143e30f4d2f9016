"""What people see: aligned tables, sensible digits, colours that say nothing alone, completion."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import subprocess
import sys
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from ginsim.cli import main
from ginsim.cli.text import find_decimals, format_figure, format_table

DUEL = ["duel", "greedy", "random", "--rules", "kawu", "--games", "20", "--seed", "1"]
#: Commands whose output has colours.
COLOURED = [
    DUEL,
    ["hands", "kawu", "--hands", "100", "--seed", "1"],
    ["games", "kawu", "--games", "10", "--seed", "1"],
    ["knock", "kawu", "--turn", "5", "--deadwood", "7", "--hands", "300", "--seed", "1"],
]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def figure(value: float, low: float, high: float) -> Any:
    return next(pd.DataFrame([{"value": value, "low": low, "high": high}]).itertuples())


# ---------------------------------------------------------------- tables and digits


def test_points_stand_below_each_other() -> None:
    rows = [["x", "value"], ["one", "1.25"], ["two", "-30"], ["three", "1,000.5"], ["four", "-"]]
    assert format_table(rows).split("\n") == [
        "  x         value",
        "  one        1.25",
        "  two      -30",
        "  three  1,000.5",
        "  four          -",
    ]


def test_whole_numbers_and_words_are_as_they_were() -> None:
    assert (
        format_table([["", "n"], ["a", "7"], ["b", "1,234"]])
        == "         n\n  a      7\n  b  1,234"
    )


@pytest.mark.parametrize(
    ("row", "scale", "sign", "cells"),
    [
        # Half of the interval is 1.23: two digits of it are one decimal.
        ((-0.165, -1.392, 1.062), 1.0, "+", ["-0.2", "(-1.4 to +1.1)"]),
        ((0.5, 0.4902, 0.5098), 100.0, "", ["50.00", "(49.02 to 50.98)"]),
        ((12.0, float("nan"), float("nan")), 1.0, "", ["12.000", ""]),
        ((float("nan"), 0.0, 1.0), 1.0, "", ["-", ""]),
        ((35.0, 14.0, 56.0), 1.0, "+", ["+35", "(+14 to +56)"]),
    ],
)
def test_figures_have_the_digits_that_their_interval_tells_of(
    row: tuple[float, float, float], scale: float, sign: str, cells: list[str]
) -> None:
    assert format_figure(figure(*row), scale, sign) == cells


def test_a_column_has_the_digits_of_what_is_known_best() -> None:
    rows = [figure(0.47, 0.46, 0.48), figure(0.01, 0.0098, 0.0102), figure(0.0, 0.0, 0.0)]
    # 1 % and 0.02 %: the second shows in two decimals.
    assert find_decimals(rows, 100.0) == 2


def test_few_hands_give_few_digits() -> None:
    lines = CliRunner().invoke(main, ["hands", "kawu", "--hands", "1000", "--seed", "1"]).output
    knock = next(line for line in lines.split("\n") if line.startswith("  knock"))
    assert re.fullmatch(r"(  *[(]?\d\d\.\d( to \d\d\.\d[)])?){6}", knock.removeprefix("  knock"))


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize("words", COLOURED, ids=lambda words: words[0])
def test_colours_say_nothing_that_words_do_not(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def show(**options: Any) -> str:
        result = CliRunner().invoke(main, words, **options)
        assert result.exit_code == 0
        # How long it took differs.
        return re.sub(r"\n[\d.]+ s.*", "", result.output)

    plain, coloured = show(), show(color=True)
    assert not ESCAPE.search(plain)
    assert ESCAPE.search(coloured)
    assert ESCAPE.sub("", coloured) == plain
    assert show(color=True, env={"NO_COLOR": "1"}) == plain
    assert show(color=True, env={"NO_COLOR": ""}) == coloured
    assert show(color=True, env={"TERM": "dumb"}) == plain
    assert show(env={"FORCE_COLOR": "1"}) == coloured
    assert show(env={"FORCE_COLOR": "1", "NO_COLOR": "1"}) == plain


def _run_on_terminal(**environment: str) -> str:
    """What the command writes to a terminal."""
    code = "import sys; from ginsim.cli import main; main(sys.argv[1:])"
    inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    outer, inner = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", code, *DUEL],
            stdout=inner,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=inherited | {"TERM": "xterm"} | environment,
        ) as process:
            os.close(inner)
            read = bytearray()
            while True:
                try:
                    piece = os.read(outer, 4096)
                except OSError as error:  # how Linux says that the other end is closed
                    if error.errno != errno.EIO:
                        raise
                    break
                if not piece:
                    break
                read += piece
            assert process.wait() == 0
    finally:
        os.close(outer)
    return read.decode("utf-8")


def test_a_terminal_has_colours_and_no_color_is_respected() -> None:
    assert ESCAPE.search(_run_on_terminal())
    assert not ESCAPE.search(_run_on_terminal(NO_COLOR="1"))


def test_json_has_no_colours() -> None:
    result = CliRunner().invoke(main, [*DUEL, "--json"], env={"FORCE_COLOR": "1"})
    assert not ESCAPE.search(result.output)


# ---------------------------------------------------------------- help and completion


def commands(group: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = []
    for name, command in group.commands.items():
        found.append((*path, name))
        if hasattr(command, "commands"):
            found += commands(command, (*path, name))
    return found


#: Runs calls given in JSON, and ends with what was loaded that need not be.
WITHOUT_NUMBERS = """
import json, sys
from ginsim.cli import main
for words in json.loads(sys.argv[1]):
    main(words, standalone_mode=False)
slow = {"numpy", "pandas", "matplotlib", "jinja2", "pydantic", "ginsim._core"}
sys.exit(", ".join(sorted(slow & sys.modules.keys())) or 0)
"""


def test_help_loads_no_numbers() -> None:
    calls = [["--help"], *([*path, "--help"] for path in commands(main))]
    assert ["study", "run", "--help"] in calls
    assert ["report", "--help"] in calls
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBERS, json.dumps(calls)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def complete(shell: str, words: str) -> list[str]:
    """What a shell is offered, and that nothing is loaded for it that takes long."""
    code = (
        "import atexit, sys; from ginsim.cli import main\n"
        "def check():\n"
        "    if {'numpy', 'pandas'} & sys.modules.keys(): print('slow')\n"
        "atexit.register(check); main(prog_name='ginsim')"
    )
    parts = words.split(" ")
    environment = {
        "_GINSIM_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": parts[-1] if shell == "fish" else str(len(parts) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_shells_complete_commands_names_and_options() -> None:
    assert complete("bash", "ginsim tou") == ["plain,tournament"]
    assert complete("bash", "ginsim hands ka") == ["plain,kawu"]
    assert complete("bash", "ginsim hands kawu --pl") == ["plain,--plot"]
    assert "plain,greedy" in complete("bash", "ginsim hands kawu --south gre")
    assert any("kawu" in line for line in complete("fish", "ginsim hands ka"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(shell: str) -> None:
    code = "from ginsim.cli import main; main(prog_name='ginsim')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"_GINSIM_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=False,
    )
    # click asks bash for its version, which may not be there.
    if shell == "bash" and "bash" in done.stderr:
        pytest.skip(f"bash: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert "_GINSIM_COMPLETE" in done.stdout
