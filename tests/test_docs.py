"""What the README and the docs show is run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: `expression   # value`, where the value is a literal or a card set.
_SHOWN = re.compile(r"^(?P<code>\S.*?)\s+# (?P<value>-?\d+|CardSet\('.*'\))$", re.MULTILINE)


def blocks(language: str) -> list[Any]:
    """The fenced blocks of a language in all pages, as pytest parameters."""
    found = []
    for page in PAGES:
        for number, match in enumerate(_BLOCK.finditer(page.read_text(encoding="utf-8"))):
            if match[1] == language:
                found.append(pytest.param(match[2], id=f"{page.stem}-{number}"))
    return found


def need_extras(text: str) -> None:
    """Skip what draws, where the extra that it needs is not there."""
    if re.search(r"plot|report", text):
        for package in ("matplotlib", "jinja2"):
            pytest.importorskip(package, reason=f"pictures and reports need {package}")


@pytest.mark.parametrize("code", blocks("python"))
def test_python_blocks_run(
    code: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need_extras(code)
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    if "import ginsim" not in code:
        exec("import ginsim", space)
    exec(code, space)
    # A statement over two lines is joined, so that its value can be compared.
    joined = re.sub(r",\n\s+", ", ", code)
    for match in _SHOWN.finditer(joined):
        assert repr(eval(match["code"], space)) == match["value"], match["code"]


def shown() -> list[Any]:
    """The calls in `console` blocks that are followed by all that they print, and that."""
    found = []
    for parameter in blocks("console"):
        first, _, rest = parameter.values[0].partition("\n")
        if first.startswith("$ ginsim ") and rest.strip() and not rest.startswith("$"):
            found.append(pytest.param(first.removeprefix("$ ginsim "), rest, id=parameter.id))
    return found


@pytest.mark.parametrize(("command", "printed"), shown())
def test_what_a_command_prints_is_shown(command: str, printed: str) -> None:
    """To the letter, but for the time that it took."""
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0, result.output
    assert result.output.startswith(printed.rstrip("\n"))
    assert re.fullmatch(r"\n*([\d.]+ s.*)?\n*", result.output.removeprefix(printed.rstrip("\n")))


def test_a_question_of_an_analyst_is_one_command_and_another_checks_it() -> None:
    """Kawu rules, turn 5, deadwood 7, he took two cards: knock? Both answers agree."""
    question = next(each.values for each in shown() if "--deadwood 7" in each.values[0])
    check = question[1].split("by: ginsim ")[1]
    figures = []
    for text in (question[1], CliRunner().invoke(main, shlex.split(check)).output):
        answer = re.search(
            r"^(Knock|Play on|Not told apart)\. A knock brings (\S+) points "
            r"\(95 %: (\S+) to (\S+)\)",
            text,
            re.MULTILINE,
        )
        assert answer is not None, text
        assert answer[1] == "Knock"
        figures.append([float(each) for each in answer.groups()[1:]])
    (gain, low, high), (second, lower, upper) = figures
    # Of other deals, so apart by no more than both errors: 4.9 of them, 10⁻⁶.
    error = ((high - low) ** 2 + (upper - lower) ** 2) ** 0.5 / 3.92
    assert 0 < abs(gain - second) < 4.9 * error


def commands() -> list[Any]:
    """The calls of the command in `sh` blocks, without comments."""
    found = []
    for parameter in blocks("sh"):
        text, name = parameter.values[0], parameter.id
        for line in text.splitlines():
            # Up to where the shell would send the output elsewhere.
            words = shlex.split(re.split(" [>|] ", line)[0], comments=True)
            for command in (["scripts/run"], ["ginsim"]):
                if words[:1] == command and len(words) > 1:
                    found.append(pytest.param(words[1:], id=f"{name}-{' '.join(words[1:4])}"))
    return found


@pytest.mark.parametrize("words", commands())
def test_commands_run(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_extras(" ".join(words))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('base = "kawu"\nknock_limit = 5\n')
    ginsim.write_strategy("expert(take_gain=7)", tmp_path / "mine_tuned.toml")
    (tmp_path / "my_hands.csv").write_text("winner,points,prize_boxes\nA,40,2\nB,19,\n")
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "bonus.toml", tmp_path / "examples")
    (tmp_path / "log.jsonl").write_text(json.dumps(ginsim.replay("kawu", "greedy", 1, 0)))
    if "rescore" in words:
        ginsim.write_records(ginsim.simulate("kawu", "greedy", 500, seed=1), "played.csv")
        hands = ginsim.simulate_game_hands("kawu", "greedy", 20, seed=1)
        ginsim.write_records(hands, "played_games.csv")
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output


def studies() -> list[Any]:
    """The study files that pages show."""
    return [one for one in blocks("toml") if "[run." in one.values[0]]


@pytest.mark.parametrize("text", studies())
def test_studies_can_be_run(text: str) -> None:
    ginsim.read_study(tomllib.loads(text))


def test_the_readme_shows_the_example() -> None:
    (shown,) = (one.values[0] for one in studies() if one.id.startswith("README"))
    assert shown == (ROOT / "examples" / "bonus.toml").read_text(encoding="utf-8")


def test_pages_show_something() -> None:
    assert len(blocks("python")) >= 2
    assert len(commands()) >= 6


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
