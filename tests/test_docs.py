"""What the README and the docs show is run, what they name is there, and no page is lost."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main
from ginsim.errors import show
from ginsim.rules import Rules, load_rules
from tests import commands as commands_page
from tests.walks import WALKS, make_page, without_time

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: `expression   # value`, where the value is a literal or a card set.
_SHOWN = re.compile(r"^(?P<code>\S.*?)\s+# (?P<value>-?\d+|CardSet\('.*'\))$", re.MULTILINE)


def blocks(language: str) -> list[Any]:
    """The fenced blocks of a language in all pages but those of WALKS, as pytest parameters."""
    found = []
    for page in PAGES:
        if page in WALKS:
            continue
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


def check_printed(command: str, printed: str) -> None:
    """The command prints this, to the letter but for the time that it took; a line of "…" stands
    for lines that are left out."""
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0, result.output
    output, wanted = without_time(result.output) + "\n", without_time(printed) + "\n"
    if "…\n" not in wanted:
        assert output == wanted
    parts = re.split(r"^…\n", wanted, flags=re.MULTILINE)
    assert re.fullmatch("(?:.*\n)*?".join(map(re.escape, parts)), output), output


@pytest.mark.parametrize(("command", "printed"), shown())
def test_what_a_command_prints_is_shown(command: str, printed: str) -> None:
    check_printed(command, printed)


@pytest.mark.parametrize("page", WALKS, ids=lambda page: page.stem)
def test_a_page_is_followed_word_for_word(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands and Python sessions print what is shown."""
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    assert {"console", "pycon"} <= {language for language, _ in _BLOCK.findall(text)}
    assert make_page(text) == text, "run python -m tests.walks"


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


#: Sections of docs/strategies.md with shares of games won: rules, and the games of each column.
GAMES_WON = {
    "table": ("eaai", {"table": 40_000}),
    "expert": ("eaai", {"expert": 100_000}),
    "expert_classic": ("classic", {"expert_classic": 100_000, "expert": 50_000}),
}


def write_share(strategy: str, opponent: str, rules: str, games: int) -> str:
    row = ginsim.duel(strategy, opponent, rules, games=games, seed=20261130).table.iloc[0]
    assert row["measure"] == "games"
    return f"{100 * row['value']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})"


@pytest.mark.slow
@pytest.mark.parametrize("section", GAMES_WON)
def test_shares_of_games_won_are_those_shown(section: str) -> None:
    """Figures of the page, to the last digit shown, on the decks that it names."""
    text = (DOCS / "strategies.md").read_text(encoding="utf-8")
    (text,) = re.findall(
        rf"^## `{section}`\n.*?^\| against \|.*?\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL
    )
    rules, players = GAMES_WON[section]
    rows = re.findall(r"^\| `([^`]+)` \| (\d.*?) \|$", text, re.MULTILINE)
    assert len(rows) >= 4
    for opponent, shown_figures in rows:
        for (strategy, games), figure in zip(
            players.items(), shown_figures.split("|"), strict=True
        ):
            if figure.strip():
                assert write_share(strategy, opponent, rules, games) == figure.strip(), opponent


@pytest.mark.slow
def test_what_the_parts_of_expert_are_worth_is_shown() -> None:
    text = (DOCS / "strategies.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| left out \|.*?\n\n", text, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| (?:nothing|`(.+)`) \| ([\d.]+) % \| ([\d.]+) % \|$", table, re.M)
    assert len(rows) >= 5
    for changes, *figures in rows:
        for opponent, figure in zip(("simple", "greedy(knock_at=0)"), figures, strict=True):
            share = write_share(f"expert({changes})", opponent, "eaai", 50_000)
            assert share.partition(" ")[0] == figure, (changes, opponent)


@pytest.mark.slow
def test_under_large_bonuses_expert_classic_is_the_weaker() -> None:
    text = " ".join((DOCS / "strategies.md").read_text(encoding="utf-8").split())
    shares = [write_share("expert_classic", "expert", each, 100_000) for each in ("casual", "kawu")]
    assert f"it wins {shares[0]} against `expert` under `casual`, {shares[1]} under `kawu`" in text


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


# ---------------------------------------------------------------- pages, links, references


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub and Sphinx give to the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    found: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return {*found}


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda page: page.stem
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith(("http:", "https:")):
            continue
        name, _, anchor = target.partition("#")
        path = page.parent / name if name else page
        assert path.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(path), f"{page.name}: {target}"


def load_conf() -> Any:
    """docs/conf.py, as Sphinx reads it."""
    pytest.importorskip("sphinx", reason="pages are made with the extra docs")
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def listed_pages() -> list[str]:
    """The files that docs/index.md links below its headings, in its order."""
    _, _, text = (DOCS / "index.md").read_text(encoding="utf-8").partition("\n## ")
    return re.findall(r"\]\(([\w./-]+\.md)\)", text)


def test_every_page_is_in_the_list_of_pages_once() -> None:
    """A new page gets a line in docs/index.md, of which the menu of the built pages is made."""
    listed = listed_pages()
    # These two only stand in for files of the root, to which index.md leads.
    stand_ins = {"contributing.md", "changelog.md"}
    pages = {page.name for page in DOCS.glob("*.md")} - {"index.md", *stand_ins}
    assert sorted(listed) == sorted([*pages, "../CONTRIBUTING.md", "../CHANGELOG.md"])


def test_the_menu_is_the_list_of_pages() -> None:
    conf = load_conf()
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    named = [f"{page}.md" for _, pages in conf.list_pages(text) for page in pages]
    assert named == [page.removeprefix("../").lower() for page in listed_pages()]
    assert "\nknock-timing\n" in conf.write_menu(text)
    # One that is not listed is not lost either.
    assert "\nknock-timing\n" in conf.write_menu(text.replace("(knock-timing.md)", "(rules.md)"))


def test_every_public_name_is_explained_in_one_place() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    groups = re.findall(r"^## .+?^```{api}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(groups) == text.count("\n## ")
    assert sorted(name for group in groups for name in group.split()) == sorted(ginsim.__all__)


def test_the_page_of_commands_is_what_the_commands_say() -> None:
    page = commands_page.PAGE.read_text(encoding="utf-8")
    assert page == commands_page.make_page(page), "run python -m tests.commands"


def test_every_command_and_option_is_on_the_page() -> None:
    """By another way than the page is made: what `--help` prints names nothing else."""
    page = commands_page.PAGE.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    for name, text in sections.items():
        output = CliRunner().invoke(main, [*name.split()[1:], "--help"]).output
        options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", output.partition("Options:")[2], re.M)
        assert options
        assert [option for option in options if option not in text] == [], name
        _, _, below = output.partition("Commands:\n")
        for line in re.findall(r"^  ([\w-]+)", below, re.MULTILINE):
            assert f"{name} {line}" in sections


# ---------------------------------------------------------------- tests that the pages name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tests_named_in_the_documentation_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for module, name in re.findall(r"(tests/\w+\.py)(?:::(test_\w+))?", text):
        path = ROOT / module
        assert path.is_file(), module
        assert not name or f"def {name}(" in path.read_text(encoding="utf-8"), name


def source_rows() -> Iterator[tuple[list[str], list[str]]]:
    """The rows of docs/sources.md: cells, and the rule sets whose values they tell."""
    text = (DOCS / "sources.md").read_text(encoding="utf-8")
    for heading, table in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        for line in re.findall(r"^\|(.*)\|$", table, re.MULTILINE)[2:]:
            cells = [cell.strip() for cell in line.split("|")]
            yield cells, re.findall(r"`([^`]+)`", cells[0]) or re.findall(r"`(\w+)`", heading)


def test_every_rule_of_the_sources_has_its_field_and_its_test() -> None:
    named = set()
    for (rule, field, tests), names in source_rows():
        values = re.findall(r"`(\w+) = ([^`]+)`", field)
        for word, value in values:
            ours = [load_rules(name).values()[word] for name in names]
            assert value in [show(each).strip("'") for each in ours], (rule, word)
            named.add(word)
        assert values or field in ("always", "reading", "not modelled"), rule
        found = re.findall(r"`(test_\w+)::(test_\w+)`", tests)
        assert found or field == "not modelled", rule
        for module, name in found:
            text = (ROOT / "tests" / f"{module}.py").read_text(encoding="utf-8")
            assert f"def {name}(" in text, (rule, name)
    # These come from other engines' rules, or are ours (docs/rules.md).
    others = {"give_back_limit", "wall", "max_pile_draws", "ace_limit"}
    assert set(Rules.model_fields) - {"name"} - named == others
