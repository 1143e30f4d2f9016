"""Reports: the same bytes again, whole by themselves, and what they say can be played again."""

from __future__ import annotations

import json
import math
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main
from ginsim.digits import count_decimals, spell
from ginsim.errors import OptionError, StudyError
from ginsim.reports import writing
from ginsim.reports.commands import find_base, find_spec
from ginsim.strategies import STRATEGIES, parse_strategy
from tests.pages import WIDTHS, find_faults, open_browser, open_page

for package in ("matplotlib", "jinja2"):
    pytest.importorskip(package, reason=f"reports need {package}")

#: One run of each kind, with names and a title that HTML would take for its own.
STUDY: dict[str, Any] = {
    "title": "Early & late: is <late> better?",
    "seed": 7,
    "strategies": {"late & <b>": "greedy(knock_at=4)"},
    "rules": {"generous": {"base": "kawu", "gin_bonus": 50, "box_gin": 1}},
    "run": {
        "ends": {
            "kind": "hands",
            "rules": ["kawu", "hollywood", "generous"],
            "south": "late & <b>",
            "hands": 600,
        },
        "exact": {"kind": "hands", "rules": "kawu", "precision": 0.06, "mirror": True},
        "length": {"kind": "games", "rules": ["kawu", "hollywood"], "games": 60, "first": 6},
        "pairs": {
            "kind": "games",
            "rules": "partnership",
            "players": ["greedy", "simple", "greedy", "late & <b>"],
            "games": 10,
        },
        "moves": {"kind": "decisions", "rules": "kawu", "hands": 100, "rows": True},
        "knocks": {"kind": "knock", "rules": "kawu", "hands": 900, "seed": 3},
        "who": {
            "kind": "duel",
            "rules": "kawu",
            "vary": {"gin_bonus": [10, 25, 50, 100]},
            "a": ["late & <b>", "expert(take_gain=7)"],
            "b": "greedy",
            "games": 60,
        },
        "sure": {
            "kind": "duel",
            "rules": ["kawu", "eaai"],
            "a": "simple",
            "b": "greedy",
            "precision": 0.08,
        },
        "bonus": {
            "kind": "balance",
            "rules": ["kawu", "generous"],
            "vary": {"undercut_bonus+clean_undercut_bonus": "0:50:25", "tie": ["nobody"]},
            "strategy": "late & <b>",
            "against": "greedy",
            "hands": 400,
            "measures": ["points", "first_actor"],
        },
        "equal": {
            "kind": "balance",
            "ask": "solve",
            "rules": ["kawu", "hollywood"],
            "field": "undercut_bonus+clean_undercut_bonus",
            "strategy": "greedy(knock_at=10)",
            "against": "greedy(knock_at=0)",
            "hands": 400,
            "first": 8,
        },
        "better": {
            "kind": "balance",
            "ask": "solve",
            "rules": "kawu",
            "field": "knock_limit",
            "values": [0, 5, 10],
            "measure": "win",
            "strategy": "late & <b>",
            "against": "greedy",
            "rival": "simple",
            "games": 40,
        },
        "which": {
            "kind": "balance",
            "ask": "sensitivity",
            "rules": "kawu",
            "vary": {"gin_bonus": [20, 25], "layoffs": [True, False]},
            "measure": "points",
            "strategy": "simple",
            "hands": 400,
        },
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "early.study"
    ginsim.run_study(STUDY, path, threads=2)
    return path


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return ginsim.make_report(folder)


class Page(HTMLParser):
    """What tests want to know of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for key, value in attrs:
            if key == "id":
                self.ids.append(str(value))
            if key in ("href", "xlink:href", "src", "srcset", "data", "action"):
                self.links.append(str(value))
        if tag not in ("meta", "wbr", "br", "path", "use", "rect"):
            self._open.append(tag)
        if tag in ("pre", "h1", "h2", "li"):
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            if tag in self.texts:
                self.texts[tag][-1] += data


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


# ---------------------------------------------------------------- the file


def test_the_same_results_give_the_same_bytes(folder: Path, text: str, tmp_path: Path) -> None:
    assert ginsim.make_report(folder) == text
    again = tmp_path / "another.study"
    ginsim.run_study(STUDY, again, threads=1)
    place = ginsim.write_report(again)
    assert place == tmp_path / "another.html"
    assert place.read_bytes() == text.encode("utf-8")


def test_it_needs_nothing_else(text: str, page: Page) -> None:
    assert page.links
    assert all(link.startswith(("#", "data:")) for link in page.links)
    style = "".join(re.findall(r"<style>.*?</style>", text, re.DOTALL))
    assert "url(" not in style.replace("url(#", "")
    assert "@import" not in style
    assert page.tags["link"] == page.tags["img"] == page.tags["iframe"] == 0
    assert page.tags["script"] == 1


def test_names_within_the_page_are_of_one_thing_each(page: Page) -> None:
    assert [name for name, number in Counter(page.ids).items() if number > 1] == []
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner <= {*page.ids}


def test_what_users_wrote_is_text(text: str, page: Page) -> None:
    assert page.texts["h1"] == [STUDY["title"]]
    assert "<late>" not in text
    assert "<b>" not in text


def test_every_run_has_its_section(page: Page) -> None:
    heads = " ".join(page.texts["h2"])
    for name in STUDY["run"]:
        assert f": {name}" in heads
    # ends, exact, length, pairs, knocks, sure and who have one, moves has that of its records;
    # bonus one for each measure and rule set, equal for each rule set, better and which one.
    assert page.tags["svg"] == 8 + 4 + 2 + 1 + 1


def test_rules_are_told_in_sentences(page: Page) -> None:
    rules = ginsim.load_rules("kawu")
    from ginsim.ruletext import explain

    for sentence in explain(rules):
        assert sentence in page.texts["li"]


# ---------------------------------------------------------------- played again


def test_the_study_file_is_the_study(folder: Path, page: Page) -> None:
    (link,) = (link for link in page.links if link.startswith("data:text/plain"))
    file = unquote(link.partition(",")[2])
    study = ginsim.read_study(tomllib.loads(file))
    assert study.hash == ginsim.read_study(STUDY).hash
    assert any(file.strip() == shown.strip() for shown in page.texts["pre"])


def commands(page: Page) -> Iterator[list[str]]:
    for shown in page.texts["pre"]:
        words = shlex.split(shown.splitlines()[0])
        if words[0] == "ginsim" and words[1] not in ("study", "report"):
            yield words[1:]


def close(one: float | None, other: float) -> bool:
    return (one is None and math.isnan(other)) or one == pytest.approx(other, abs=1e-12)


def test_the_commands_give_the_figures_again(folder: Path, page: Page) -> None:
    tables = ginsim.read_tables(folder)
    played = {
        kind: [words for words in commands(page) if words[0] == kind]
        for kind in ("hands", "games", "decisions", "knock", "duel", "balance")
    }
    assert {kind: len(found) for kind, found in played.items()} == {
        "hands": 4,
        "games": 3,
        "decisions": 1,
        "knock": 1,
        "duel": 10,
        "balance": 6,
    }
    answers = {
        kind: [json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout) for words in found]
        for kind, found in played.items()
    }

    rows: Any
    net: Any
    ends = tables["ends"]
    for label, answer in zip(["kawu", "hollywood", "generous"], answers["hands"], strict=False):
        rows = ends[(ends["rules"] == label) & (ends["measure"] == "share")]
        for row in rows[rows["seat"] == "all"].itertuples():
            assert close(answer["outcomes"][row.outcome]["share"], row.value)
        net = ends[(ends["rules"] == label) & (ends["measure"] == "net")].iloc[0]
        assert close(answer["points_per_hand"]["value"], net["value"])
        assert close(answer["points_per_hand"]["high"], net["high"])
    (exact,) = answers["hands"][3:]
    net = tables["exact"].query("measure == 'net'").iloc[0]
    assert exact["hands"] == net["count"]
    assert close(exact["points_per_hand"]["value"], net["value"])

    for place, answer in enumerate(answers["games"]):
        table = tables["length"] if place < 2 else tables["pairs"]
        label = ["kawu", "hollywood", "partnership"][place]
        margin: Any = table[(table["rules"] == label) & (table["measure"] == "margin")].iloc[0]
        assert close(answer["margin"]["value"], margin["value"])

    counts = {
        (row.kind, row.action): row.count
        for row in tables["moves"].query("seat == 'all'").itertuples()
    }
    (moves,) = answers["decisions"]
    shown = {(k, a): n for k, found in moves["counts"].items() for a, n in found.items()}
    assert shown == counts

    (knocks,) = answers["knock"]
    assert [row["chances"] for row in knocks["rows"]] == tables["knocks"]["chances"].tolist()
    for answer, gain in zip(knocks["rows"], tables["knocks"]["gain"].tolist(), strict=True):
        assert close(answer["gain"]["value"], gain)

    verdicts: list[Any] = [
        *tables["who.verdicts"].itertuples(),
        *tables["sure.verdicts"].itertuples(),
    ]
    for answer, verdict in zip(answers["duel"], verdicts, strict=True):
        figure = answer["measures"]["games"]
        assert close(figure["value"], verdict.value)
        assert close(figure["low"], verdict.low)
        assert answer["count"] == verdict.count

    bonus, equal = tables["bonus"], tables["equal.values"]
    for label, answer in zip(["kawu", "generous"], answers["balance"][:2], strict=True):
        rows = bonus[bonus["rules"] == label].itertuples()
        for row in rows:
            shown = answer["cells"][row.cell]["measures"][row.measure]
            assert close(shown["value"], row.value)
            assert close(shown["difference"]["high"], row.difference_high)
    for label, answer in zip(["kawu", "hollywood"], answers["balance"][2:4], strict=True):
        rows = equal[equal["rules"] == label].itertuples()
        for shown, row in zip(answer["values"], rows, strict=True):
            assert (shown["value"], close(shown["low"], row.low)) == (row.value, True)
    better, which = answers["balance"][4:]
    assert better["rival"] == "simple"
    rows = tables["better.values"].itertuples()
    for shown, row in zip(better["values"], rows, strict=True):
        assert (shown["value"], close(shown["low"], row.low)) == (row.value, True)
    rows = tables["which"].itertuples()
    for shown, row in zip(which["effects"], rows, strict=True):
        assert (shown["term"], close(shown["effect"], row.effect)) == (row.term, True)


def test_the_balance_is_told(text: str, folder: Path) -> None:
    """What the sentences say is what the tables have."""
    tables = ginsim.read_tables(folder)
    plain = re.sub(r"<[^>]*>", "", text)
    rows: list[Any] = list(tables["equal"].itertuples())
    for row in rows:
        low, high = f"{row.low:.2f}", f"{row.high:.2f}"
        assert f"Equal at {float(row.roots):.2f} (95 %: {low} to {high})" in plain
    bonus = tables["bonus"].query("rules == 'kawu' and cell > 0 and p_holm == p_holm")
    clear = (bonus["p_holm"] < 0.05).sum()
    assert f"of {len(bonus)} differences from the base {clear} are told from 0" in plain
    most = tables["which"].iloc[0]
    assert f"{most['term'].replace('_', ' ')} moves most" in plain


def test_rules_are_named_by_the_nearest_set() -> None:
    assert find_base(ginsim.load_rules("kawu"), "kawu") == ("kawu", {})
    rules = ginsim.load_rules("modern", {"gin_bonus": 33, "layoffs": False})
    assert find_base(rules, "of mine") == ("modern", {"gin_bonus": 33, "layoffs": False})
    assert find_base(rules, "/etc/passwd") == ("modern", {"gin_bonus": 33, "layoffs": False})
    composed = ginsim.load_rules("kawu+oklahoma(gin_bonus=10)")
    assert find_base(composed, composed.name) == (composed.name, {})


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategies_are_named_so_that_they_are_the_same(name: str) -> None:
    strategy = parse_strategy(name)
    fields = {**strategy.model_dump(), "name": "of mine"}
    assert find_spec(type(strategy)(**fields), "of mine") is not None
    for one in (strategy, type(strategy)(**fields)):
        spec = find_spec(one, "of mine")
        assert spec is not None
        assert parse_strategy(spec) == one


def test_a_changed_strategy_is_named_with_its_parameters() -> None:
    strategy = parse_strategy("greedy(knock_at=4)")
    unnamed = type(strategy)(**{**strategy.model_dump(), "name": "late"})
    assert find_spec(unnamed, "late") == "greedy(knock_at=4)"


# ---------------------------------------------------------------- digits


@pytest.mark.parametrize(
    ("widths", "decimals"),
    [([0.098], 3), ([3.1], 1), ([31.0], 0), ([0.98, 0.031], 3), ([0.0, math.nan], 3), ([1e-12], 6)],
)
def test_as_many_digits_as_the_interval_gives_ground_for(
    widths: list[float], decimals: int
) -> None:
    assert count_decimals(widths) == decimals


@pytest.mark.parametrize(
    ("value", "decimals", "sign", "text"),
    [
        (1.2345, 2, "", "1.23"),
        (-0.001, 2, "+", "0.00"),
        (0.0, 1, "+", "0.0"),
        (12345.6, 0, "+", "+12,346"),
        (math.nan, 3, "", "-"),
        (-0.01, 2, "", "-0.01"),
    ],
)
def test_figures_are_spelt(value: float, decimals: int, sign: str, text: str) -> None:
    assert spell(value, decimals, sign) == text


# ---------------------------------------------------------------- refusals


def test_a_file_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    place.write_text("mine")
    with pytest.raises(OptionError, match="exists; allowed: another name, or force=True"):
        ginsim.write_report(folder, place)
    result = CliRunner().invoke(main, ["report", str(folder), "--out", str(place)])
    assert result.exit_code == 2
    assert "--out" in result.output
    assert place.read_text() == "mine"
    result = CliRunner().invoke(main, ["report", str(folder), "--out", str(place), "--force"])
    assert result.exit_code == 0
    assert f"report in {place}" in result.output
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]


def test_what_cannot_be_reported_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"ends in \.html"):
        ginsim.write_report(folder, tmp_path / "page.txt")
    with pytest.raises(OptionError, match="path: 7 is not allowed"):
        ginsim.write_report(folder, 7)  # type: ignore[arg-type]
    with pytest.raises(StudyError, match="no folder of a study"):
        ginsim.make_report(tmp_path)
    unfinished = tmp_path / "unfinished.study"
    ginsim.run_study(
        {"seed": 1, "run": {"a": {"kind": "hands", "rules": "kawu", "hands": 600_000}}},
        unfinished,
        part=(1, 2),
    )
    with pytest.raises(StudyError, match="no tables yet; allowed: a finished study"):
        ginsim.make_report(unfinished)
    assert not (tmp_path / "unfinished.html").exists()


def test_without_jinja_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r'needs jinja2.*pip install "ginsim-rummy\[report\]"'):
        ginsim.make_report(folder)


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def place(text: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "early.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("script", [True, False])
def test_nothing_overlaps_or_is_cut_off(
    browser: Any, place: Path, width: int, script: bool
) -> None:
    with open_page(browser, place, width, script) as page:
        assert find_faults(page) == []


#: Pages with a fault each, and what is found.
FAULTY = [
    ('<div style="width: 2000px">wide</div>', "sticks out"),
    ("<p>one</p><p style='margin-top: -2rem'>two</p>", "overlaps"),
    ("<p style='width: 3rem; white-space: nowrap; overflow: hidden'>a long line</p>", "is cut off"),
    ("<svg aria-label='x' width='50' height='50'></svg>", "no words"),
    (
        "<svg aria-label='x' width='50' height='50'><g id='text_1'><text y='20'>long enough"
        "</text></g><g id='text_2'><text y='22'>over it</text></g></svg>",
        "words 0 and 1 overlap",
    ),
]


@pytest.mark.parametrize(("body", "fault"), FAULTY)
def test_faults_are_found(browser: Any, tmp_path: Path, body: str, fault: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<!DOCTYPE html><title>x</title><main>{body}</main>")
    with open_page(browser, path, 360) as page:
        assert any(fault in found for found in find_faults(page))


def test_a_page_that_loads_or_complains_is_found(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    for body in (
        '<img src="other.png">',
        "<script>console.log(1)</script>",
        "<script>x()</script>",
    ):
        path.write_text(f"<!DOCTYPE html><title>x</title>{body}")
        with pytest.raises(AssertionError), open_page(browser, path, 360):
            pass


def test_tables_sort(browser: Any, place: Path) -> None:
    with open_page(browser, place, 1280) as page:
        table = page.locator("#run-who table.sortable").first
        heads = table.locator("thead th")
        assert heads.count() == 5

        def column() -> list[float]:
            texts = table.locator("tbody tr td:nth-child(3)").all_inner_texts()
            return [float(text.split("\n")[0]) for text in texts]

        before = column()
        button = heads.nth(2).locator("button")
        button.click()
        assert heads.nth(2).get_attribute("aria-sort") == "ascending"
        assert column() == sorted(before) != before
        # By the keyboard the other way round.
        button.press("Enter")
        assert heads.nth(2).get_attribute("aria-sort") == "descending"
        assert column() == sorted(before, reverse=True)
        heads.nth(0).locator("button").click()
        assert heads.nth(2).get_attribute("aria-sort") is None
        names = table.locator("tbody th").all_inner_texts()
        assert [name.split("=")[1].split(")")[0] for name in names if "gin_bonus" in name] == [
            *["10"] * 2,
            *["50"] * 2,
            *["100"] * 2,
        ]


def test_without_its_script_the_page_is_whole(browser: Any, place: Path) -> None:
    with open_page(browser, place, 1280, script=False) as page:
        assert page.locator("thead button").count() == 0
        assert not page.get_by_text("sorts its table").is_visible()
        assert page.locator("#run-who tbody tr").first.is_visible()


def test_a_sheet_fits_too(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    words = ["sheet", "--rules", "hollywood", "--seed", "7", "--game", "12", "--html", str(path)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    for width in WIDTHS:
        with open_page(browser, path, width) as page:
            assert find_faults(page) == []
