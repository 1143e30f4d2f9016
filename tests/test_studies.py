"""Study files, and what studies find: every error at once, and the figures that others find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim.duel_sums import Rule
from ginsim.studies.kinds import KINDS
from ginsim.studies.kinds.ranges import TASK_GAMES
from ginsim.studies.reading import Names, Reader

#: The columns of a figure.
FIGURE = ["value", "se", "low", "high"]


def make(kind: str, **keys: Any) -> dict[str, Any]:
    """A study with one run."""
    return {"seed": 5, "run": {"only": {"kind": kind, "rules": "kawu", **keys}}}


def run_only(kind: str, **keys: Any) -> dict[str, pd.DataFrame]:
    return ginsim.run_study(make(kind, **keys), threads=2)


# ---------------------------------------------------------------- study files

STUDY = """
title = "Early or late"
seed = 7

[output]
format = "csv"

[rules]
base = "kawu"
generous = { base = "kawu", gin_bonus = 50 }
own = "mine.toml"

[strategies]
early = "greedy"
late = { base = "greedy(knock_at=4)" }
file = "folder/player.toml"

[run.ends]
kind = "hands"
rules = ["base", "generous", "own", "classic"]
south = ["early", "late", "file"]
north = "simple"
hands = 2e4
mirror = true

[run.who]
kind = "duel"
rules = "base"
vary = { gin_bonus = [10, 25], undercut_bonus = 20 }
a = "early"
b = ["late", "greedy(knock_at=0)"]
precision = 0.02

[run.four]
kind = "games"
rules = "partnership"
players = [["early", "late"], ["early", "late", "early", "early"]]
games = 10
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text('base = "kawu"\nknock_limit = 5\n')
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "player.toml").write_text('base = "greedy(knock_at=2)"\n')
    path = tmp_path / "bonus.toml"
    path.write_text(STUDY)
    return path


def test_a_file_is_read(path: Path) -> None:
    study = ginsim.read_study(path)
    assert study.title == "Early or late"
    ends, who, four = study.runs
    assert [dict(cell.labels) for cell in ends.cells[:2]] == [
        {"rules": "base", "south": "early", "north": "simple"},
        {"rules": "base", "south": "late", "north": "simple"},
    ]
    assert len(ends.cells) == 4 * 3
    assert ends.options["hands"] == 20_000
    bonuses = {cell.labels["rules"]: cell.rules.gin_bonus for cell in ends.cells}
    assert bonuses == {
        "base": ginsim.load_rules("kawu").gin_bonus,
        "generous": 50,
        "own": ginsim.load_rules("kawu").gin_bonus,
        "classic": ginsim.load_rules("classic").gin_bonus,
    }
    assert ends.cells[6].rules.knock_limit == 5
    assert ends.cells[2].players[0] == ginsim.parse_strategy("greedy(knock_at=2)")
    assert [cell.rules.gin_bonus for cell in who.cells] == [10, 10, 25, 25]
    assert {cell.rules.undercut_bonus for cell in who.cells} == {20}
    assert who.cells[0].labels["rules"] == "base(gin_bonus=10, undercut_bonus=20)"
    assert [cell.labels["south"] for cell in four.cells] == ["early", "early & late"]


def test_the_document_makes_the_same_study(path: Path) -> None:
    study = ginsim.read_study(path)
    again = ginsim.read_study(study.document)
    assert again == study
    assert again.hash == study.hash
    for run, other in zip(study.runs, again.runs, strict=True):
        for cell, same in zip(run.cells, other.cells, strict=True):
            names = [task.name for task in KINDS[run.kind].list_tasks(run, cell)][:3]
            assert [task.name for task in KINDS[run.kind].list_tasks(other, same)][:3] == names


def test_the_hash_is_of_what_is_played(path: Path) -> None:
    first = ginsim.read_study(path).hash
    path.write_text(STUDY.replace("Early or late", "Late or early"))
    assert ginsim.read_study(path).hash == first
    path.write_text(STUDY.replace("2e4", "20_000"))
    assert ginsim.read_study(path).hash == first
    for old, new in (("seed = 7", "seed = 8"), ("2e4", "4e4"), ("bonus = 50", "bonus = 51")):
        path.write_text(STUDY.replace(old, new))
        assert ginsim.read_study(path).hash != first
    path.write_text(STUDY)
    (path.parent / "mine.toml").write_text('base = "kawu"\nknock_limit = 6\n')
    assert ginsim.read_study(path).hash != first


def test_every_error_is_told_at_once(path: Path) -> None:
    path.write_text(
        """
sede = 1
[output]
format = "xls"
[rules]
a = { base = "kawu", gin_bonus = 5000, knock_limit = 77 }
b = "kawuu"
[strategies]
x = "greedyy"
y = { knock_ta = 3 }
[run."a b"]
kind = "hands"
rules = ["a", "nope"]
hands = -5
mirrr = true
[run.p]
kind = "hands"
rules = "partnership"
hands = 3.5
first = "1"
[run.q]
kind = "knok"
[run.r]
kind = "duel"
rules = "kawu"
a = "greedy"
games = 3
early = 3
vary = { gin_bonus = [1, -3] }
[run.s]
kind = "games"
rules = []
games = 10
measure = "win"
players = ["greedy"]
[run.t]
kind = "decisions"
rules = "kawu"
hands = 10
kinds = ["draw", "drew"]
[run.u]
kind = "hands"
rules = "kawu"
precision = 0.7
"""
    )
    with pytest.raises(ginsim.StudyError) as caught:
        ginsim.read_study(path)
    wanted = [
        ("seed", "is missing"),
        ("sede", "'seed'"),
        ("output.format", "'xls'", "csv or parquet"),
        ("rules.a", "gin_bonus: 5000", "0 to 1000"),
        ("rules.a", "knock_limit: 77", "0 to 10"),
        ("rules.b", "'kawuu'", "'kawu'"),
        ("strategies.x", "'greedyy'", "'greedy'"),
        ("strategies.y", "'knock_ta'"),
        ("run.a b", "ASCII letters"),
        ("run.a b.rules[1]", "'nope'", "known: casual"),
        ("run.a b.hands", "-5", "from 1"),
        ("run.a b.mirrr", "'mirror'"),
        ("run.p", "partnership", "allowed here: 2"),
        ("run.p.hands", "3.5", "from 1"),
        ("run.p.first", "'1'", "from 0"),
        ("run.q.kind", "'knok'", "known: hands, games, decisions, knock, duel"),
        ("run.r.b", "is missing", "a strategy"),
        ("run.r.games", "3", "even"),
        ("run.r.early", "3", "true or false"),
        ("run.r.vary", "gin_bonus: -3", "0 to 1000"),
        ("run.s.rules", "[]", "a rule set"),
        ("run.s.measure", "precision"),
        ("run.s.players", "['greedy']", "[south, north]"),
        ("run.t.kinds", "'drew'", "upcard"),
        ("run.u.precision", "0.7", "below 0.5"),
    ]
    for location, *words in wanted:
        (sentence,) = (
            problem
            for problem in caught.value.problems
            if problem.startswith(f"bonus.toml: {location}")
            and all(word in problem for word in words)
        )
        assert len(sentence) < 700
    assert len(caught.value.problems) == len(wanted)


#: What files of one run begin with.
HANDS = "seed = 1\n[run.x]\nkind = 'hands'\nrules = 'kawu'\n"
DUEL = "seed = 1\n[run.x]\nkind = 'duel'\nrules = 'kawu'\na = 'simple'\nb = 'greedy'\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed = ", "is not TOML"),
        ("seed = 1", "run: is missing"),
        ("seed = 1\n[run]", "run: is empty"),
        ("seed = 1\nrun = 3", "run: 3 is not allowed; allowed: a table"),
        ("seed = 1\n[run]\nx = 3", "run.x: 3 is not allowed; allowed: a table"),
        (HANDS.replace("1", "true") + "hands = 1", "seed: true"),
        (DUEL + "measure = 'boxes'", "measure: 'boxes'"),
        (DUEL + "games = 2\nhands = 2", "games, hands: both"),
        (HANDS + "hands = 1\nplayers = ['simple', 'greedy']\nsouth = 'simple'", "besides south"),
    ],
)
def test_one_error(path: Path, text: str, words: str) -> None:
    path.write_text(text)
    with pytest.raises(ginsim.StudyError) as caught:
        ginsim.read_study(path)
    assert words in str(caught.value)


def test_names_of_varied_rules_do_not_hide_others() -> None:
    study = make("hands", hands=2, rules="base", vary={"gin_bonus": 10})
    study["rules"] = {"base": "kawu", "base(gin_bonus=10)": "classic"}
    with pytest.raises(ginsim.StudyError, match="another name"):
        ginsim.read_study(study)


def find_problems(study: Any) -> list[str]:
    with pytest.raises(ginsim.StudyError) as caught:
        ginsim.read_study(study)
    return list(caught.value.problems)


def test_names_of_ginsim_stand_for_nothing_else() -> None:
    study = make("hands", hands=2)
    study["rules"] = {"kawu": "classic"}
    study["strategies"] = {"greedy": {"base": "greedy", "knock_at": 3}}
    problems = find_problems(study)
    assert [problem.partition(":")[0] for problem in problems] == [
        "rules.kawu",
        "strategies.greedy",
    ]
    assert all("a name of your own" in problem for problem in problems)
    # The same values under the same name hide nothing; so it is in the document of every study.
    study["rules"] = {"kawu": ginsim.load_rules("kawu")}
    study["strategies"] = {"greedy": "greedy"}
    assert ginsim.read_study(study).hash == ginsim.read_study(make("hands", hands=2)).hash


def test_names_of_runs_are_names_of_files_everywhere() -> None:
    run = make("hands", hands=2)["run"]["only"]
    problems = find_problems({"seed": 1, "run": {"Ends": run, "ends": run, "ENDS": run}})
    assert [problem.partition(":")[0] for problem in problems] == ["run.ends", "run.ENDS"]
    for name in ("CON", "nul", "Com1", "LPT9", "aux", "prn"):
        (problem,) = find_problems({"seed": 1, "run": {name: run}})
        assert problem.startswith(f"run.{name}: {name!r} is not allowed")
    for name in ("console", "com", "con-1"):
        ginsim.read_study({"seed": 1, "run": {name: run}})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": 5}, "run.only.rules: 5 is not allowed; allowed: a rule set as text, or a list"),
        ({"rules": {}}, "run.only.rules: {} is not allowed; allowed: a rule set as text, or a li"),
        ({"rules": [5]}, "run.only.rules[0]: 5 is not allowed; allowed: a rule set as text"),
        ({"south": None}, "run.only.south: None is not allowed; allowed: a strategy as text, or "),
        ({"south": 5}, "run.only.south: 5 is not allowed; allowed: a strategy as text, or a list"),
        ({"south": [5]}, "run.only.south[0]: 5 is not allowed; allowed: a strategy as text"),
    ],
)
def test_all_that_is_allowed_is_told(changes: dict[str, Any], words: str) -> None:
    (problem,) = find_problems(make("hands", hands=2, **changes))
    assert problem.startswith(words)
    (value,) = changes.values()
    assert problem.endswith(" of them") == (not isinstance(value, list))


def test_all_that_may_have_a_name_is_told() -> None:
    problems = find_problems(
        {**make("hands", hands=2), "rules": {"a": 5}, "strategies": {"x": 5, "y": None}}
    )
    assert problems == [
        "rules.a: 5 is not allowed; allowed: a rule set as text, or a table of its fields",
        "strategies.x: 5 is not allowed; allowed: a strategy as text, or a table of its parameters",
        "strategies.y: None is not allowed; allowed: a strategy as text, or a table of its "
        "parameters",
    ]
    run = make("hands", hands=2)["run"]["only"]
    (problem,) = find_problems({"seed": 1, "run": {"größe": run}})
    assert problem.startswith(
        "run.größe: 'größe' is not allowed; allowed: a name of up to 64 ASCII"
    )


def test_the_bound_of_seeds_is_told_in_short() -> None:
    for study in ({**make("hands", hands=2), "seed": 2**4096 + 1}, make("hands", hands=2, seed=-1)):
        (problem,) = find_problems(study)
        assert problem.endswith("allowed: a whole number from 0 to 2**4096")
    assert ginsim.read_study({**make("hands", hands=2), "seed": 2**4096}).runs[0].seed == 2**4096


def test_no_rules_hide_no_other_error() -> None:
    problems = find_problems(make("hands", hands=2, rules=[], vary={"gin_bonuss": 1}, south="x"))
    assert [problem.partition(":")[0] for problem in problems] == [
        "run.only.rules",
        "run.only.vary",
        "run.only.south",
    ]
    assert "did you mean 'gin_bonus'?" in problems[1]


def test_a_mark_before_the_text_is_passed_over(path: Path) -> None:
    first = ginsim.read_study(path)
    for file in (path, path.parent / "mine.toml", path.parent / "folder" / "player.toml"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert ginsim.read_study(path) == first


def test_more_tasks_than_files_are_refused() -> None:
    # 8,796,093 tasks of 2 hands are few enough, a thousand times as many are not.
    (problem,) = find_problems(make("hands", hands=17_592_186_000, task=2))
    assert problem.startswith("run.only: 8,796,093,000 tasks")
    assert "`task`" in problem
    study = make("hands", hands=17_592_186, task=2)
    (warning,) = ginsim.check_study(study).attrs["warnings"]
    assert warning.startswith("run.only: 8,796,093 tasks")
    assert ginsim.check_study(make("hands", hands=1000)).attrs["warnings"] == []
    # With a precision it is not known how many there will be.
    ginsim.read_study(make("hands", precision=1e-9, hands=10**15, task=2))


def test_rules_and_strategies_of_python_are_taken() -> None:
    study = make("hands", hands=2, rules="mine", south="hers")
    study["rules"] = {"mine": ginsim.load_rules("kawu").replace(gin_bonus=40)}
    study["strategies"] = {"hers": ginsim.parse_strategy("greedy(knock_at=3)")}
    (cell,) = ginsim.read_study(study).runs[0].cells
    assert cell.rules.gin_bonus == 40
    assert cell.players[0].name == "greedy(knock_at=3)"
    assert (
        ginsim.read_study(ginsim.read_study(study).document).hash == ginsim.read_study(study).hash
    )


def test_what_is_no_study_is_refused() -> None:
    with pytest.raises(ginsim.StudyError, match="study: 3 is not allowed"):
        ginsim.read_study(3)  # type: ignore[arg-type]
    with pytest.raises(ginsim.StudyError, match="does not exist"):
        ginsim.read_study("nowhere.toml")


def test_every_kind_reads_what_it_wrote() -> None:
    # A further kind has to hold this too: its options are plain data that its reader takes.
    for kind in KINDS:
        keys: dict[str, Any] = {"a": "greedy", "b": "simple"} if kind == "duel" else {"hands": 4}
        if kind == "games":
            keys = {"games": 4}
        problems: list[str] = []
        names = Names("")
        reader = Reader({"rules": "kawu", **keys}, "run.x", problems)
        _, options = KINDS[kind].read(reader, names)
        reader.finish()
        assert not problems
        plain = {key: value for key, value in options.items() if key != "count"}
        reader = Reader(plain, "run.x", problems)
        assert KINDS[kind].read(reader, names)[1] == options
        reader.finish()
        assert not problems


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize("mirror", [False, True])
def test_hands_are_those_of_a_tally(mirror: bool) -> None:
    tables = run_only("hands", hands=20_000, task=3000, first=40, north="simple", mirror=mirror)
    whole = ginsim.tally("kawu", ("greedy", "simple"), 20_000, seed=5, first=40, mirror=mirror)
    wanted = ginsim.summarize(whole)
    wanted.attrs = {}
    got = tables["only"]
    assert got.columns[:3].tolist() == ["rules", "south", "north"]
    assert set(got["south"]) == {"greedy"}
    assert set(got["north"]) == {"simple"}
    pd.testing.assert_frame_equal(got.iloc[:, 3:], wanted, check_exact=True)


@pytest.mark.parametrize("rules", ["kawu", "hollywood", "partnership"])
def test_games_are_those_of_a_tally(rules: str) -> None:
    tables = run_only("games", rules=rules, games=300, task=64, max_hands=12, south="simple")
    whole = ginsim.tally_games(rules, ("simple", "greedy"), 300, seed=5, max_hands=12)
    wanted = ginsim.summarize_games(whole)
    wanted.attrs = {}
    pd.testing.assert_frame_equal(tables["only"].iloc[:, 3:], wanted, check_exact=True)


@pytest.mark.parametrize(("length", "task"), [(7, 70), (1, 64), (400, None)])
def test_series_are_those_of_the_frame(length: int, task: int | None) -> None:
    keys = {"games": 903, "series": length, "first": 3, **({} if task is None else {"task": task})}
    tables = run_only("games", south="simple", **keys)
    frame = ginsim.simulate_games("kawu", ("simple", "greedy"), 903, seed=5, first=3)
    wanted = ginsim.summarize_series(ginsim.group_series(frame, length))
    wanted.attrs = {}
    pd.testing.assert_frame_equal(tables["only.series"].iloc[:, 3:], wanted, check_exact=True)
    # The games are those of a run without.
    pd.testing.assert_frame_equal(
        tables["only"], run_only("games", south="simple", games=903, first=3)["only"]
    )


def test_series_are_whole() -> None:
    for keys, words in (
        ({"games": 20, "series": 7, "mirror": True}, "run.only.series: 7 is given with mirror"),
        ({"precision": 0.1, "series": 7}, "run.only.series: 7 is given with a precision"),
        ({"games": 20, "series": 7, "task": 8}, "run.only.task: 8 is not allowed"),
        ({"games": 6, "series": 7}, "run.only.series: 7 is not allowed"),
    ):
        (problem,) = find_problems(make("games", **keys))
        assert problem.startswith(words)


def test_each_cell_is_played_on_the_same_decks() -> None:
    tables = run_only("hands", hands=3000, rules=["kawu", "classic"], south=["greedy", "simple"])
    for rules, south in (("kawu", "simple"), ("classic", "greedy")):
        rows = tables["only"].query("rules == @rules and south == @south").reset_index(drop=True)
        wanted = ginsim.summarize(ginsim.tally(rules, (south, "greedy"), 3000, seed=5))
        wanted.attrs = {}
        pd.testing.assert_frame_equal(rows.iloc[:, 3:], wanted, check_exact=True)


@pytest.mark.parametrize(
    "options",
    [
        {"games": 600},
        {"hands": 4000, "measure": "points"},
        {"precision": 0.03},
        {"precision": 0.05, "early": True},
        {"precision": 0.001, "max_games": 900},
        {"precision": 0.02, "hands": 50_000, "first": 6},
        {"rules": "hollywood", "precision": 1.5, "measure": "boxes", "max_games": 2000},
        {"rules": "partnership", "games": 40},
    ],
)
def test_duels_are_those_of_duel(options: dict[str, Any]) -> None:
    a, b = "greedy(knock_at=4)", "simple"
    tables = run_only("duel", a=a, b=b, task=100, **options)
    keys = {"rules": "kawu", **options}
    result = ginsim.duel(a, b, seed=5, **keys)
    wanted = result.table.copy()
    wanted.attrs = {}
    pd.testing.assert_frame_equal(tables["only"].iloc[:, 3:], wanted, check_exact=True)
    (verdict,) = tables["only.verdicts"].to_dict("records")
    assert (verdict["a"], verdict["b"]) == (a, b)
    assert verdict["verdict"] == result.verdict
    assert verdict["count"] == result.count
    assert verdict["games_needed"] == result.games_needed
    assert verdict["is_reached"] == result.is_reached
    assert ("only.looks" in tables) == ("precision" in options)
    if "precision" in options:
        looks = tables["only.looks"].iloc[:, 3:]
        pd.testing.assert_frame_equal(looks, result.looks, check_exact=True)


@pytest.mark.parametrize("mirror", [False, True])
def test_decisions_are_those_of_the_frame(mirror: bool) -> None:
    table = run_only("decisions", hands=400, task=150, mirror=mirror)["only"]
    frame = ginsim.decisions("kawu", "greedy", 400, seed=5, mirror=mirror)
    row: Any
    for row in table.itertuples():
        of_kind = frame[frame["kind"] == row.kind]
        if row.seat != "all":
            of_kind = of_kind[of_kind["seat"] == row.seat]
        chosen = of_kind[of_kind["action"] == row.action]
        assert row.count == len(chosen)
        assert row.value == pytest.approx(len(chosen) / len(of_kind), rel=1e-12)
        assert row.deadwood_before == pytest.approx(chosen["deadwood_before"].mean(), rel=1e-12)
        assert row.deadwood_after == pytest.approx(chosen["deadwood_after"].mean(), rel=1e-12)
        # The error of a ratio, by deal: residuals c - r * m (delta method).
        deals = pd.Index(range(200 if mirror else 400))
        c = chosen.groupby("deal").size().reindex(deals, fill_value=0).to_numpy()
        m = of_kind.groupby("deal").size().reindex(deals, fill_value=0).to_numpy()
        residuals = c - row.value * m
        num = len(deals)
        se = np.sqrt((residuals**2).sum() * num / (num - 1)) / m.sum()
        assert row.se == pytest.approx(se, abs=1e-12)
        assert row.low <= row.value <= row.high
    # Every decision of the frame is in the table.
    assert table[table["seat"] == "all"]["count"].sum() == len(frame)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "replay", "by": ["turn"], "turn": [1, 6], "deadwood": 3},
        {"policy": "simple", "first": 7, "rules": "hollywood"},
        {"by": [], "deadwood": [5, 10]},
    ],
)
def test_knocks_are_those_of_knock_timing(options: dict[str, Any]) -> None:
    table = run_only("knock", hands=4000, task=900, opponent="simple", **options)["only"]
    arguments = {key: tuple(x) if isinstance(x, list) else x for key, x in options.items()}
    keys: dict[str, Any] = {"rules": "kawu", "opponent": "simple", "hands": 4000, **arguments}
    wanted = ginsim.knock_timing(seed=5, **keys)
    wanted.attrs = {}
    assert table.columns[:3].tolist() == ["rules", "policy", "opponent"]
    pd.testing.assert_frame_equal(table.iloc[:, 3:], wanted, check_exact=True)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ({"by": "nothing"}, {"by": []}),
        ({"by": "pickups"}, {"by": ["pick_ups"]}),
        ({"pickups": 2, "own-pickups": "1-2"}, {"pick_ups": 2, "own_pick_ups": [1, 2]}),
        ({"turn": "1-4"}, {"turn": [1, 4]}),
    ],
)
def test_the_words_of_the_command_make_the_same_study(
    words: dict[str, Any], keys: dict[str, Any]
) -> None:
    first, second = (ginsim.read_study(make("knock", hands=10, **each)) for each in (words, keys))
    assert first.document == second.document
    assert first.hash == second.hash


def test_words_that_tell_no_chances_apart_are_refused_with_what_is_allowed() -> None:
    wrong: list[Any] = ["seat", {}, 5]
    for value in wrong:
        (problem,) = find_problems(make("knock", hands=10, by=value))
        assert problem.startswith("run.only.by: ")
        assert problem.endswith("own_pick_ups, stock and limit; [] for all chances together")
    (problem,) = find_problems(make("knock", hands=10, turn="early"))
    assert problem == (
        "run.only.turn: 'early' is not allowed; allowed: a whole number from 1 to 16, or a range "
        "of them, such as (1, 16) or '1-16'"
    )
    (problem,) = find_problems(make("knock", hands=10, pickups=4))
    assert problem.startswith("run.only.pickups: 4 is not allowed; allowed: a whole number from 0")
    (problem,) = find_problems(make("knock", hands=10, pickups=1, pick_ups=1))
    assert problem == "run.only.pickups: is given besides pick_ups; allowed: one of them"


def test_only_the_kinds_asked_for_are_counted() -> None:
    table = run_only("decisions", hands=50, kinds=["wall", "draw"])["only"]
    assert set(table["kind"]) <= {"draw", "wall"}


# ---------------------------------------------------------------- a wanted precision


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("hands", {"precision": 0.01}),
        ("hands", {"precision": 0.3, "measure": "net", "mirror": True}),
        ("hands", {"precision": 0.004, "measure": "gin"}),
        ("games", {"precision": 0.03, "mirror": True}),
        ("games", {"precision": 0.2, "measure": "hands"}),
    ],
)
def test_a_precision_is_reached_by_looks(kind: str, options: dict[str, Any]) -> None:
    tables = run_only(kind, south="simple", task=500, **options)
    looks, table = tables["only.looks"], tables["only"]
    last = looks.iloc[-1]
    assert last["is_reached"]
    assert last["is_last"]
    assert not looks["is_last"].iloc[:-1].any()
    assert (last["high"] - last["low"]) / 2 <= options["precision"] * (1 + 1e-9)
    # The looks are those of the rule, and the figures those of the first hands, and no others.
    mirror = bool(options.get("mirror"))
    rule = Rule("win", 0.1, 10**9)
    assert looks["deals"].tolist() == list(rule.looks[: len(looks)])
    count = int(last["deals"]) * (2 if mirror else 1)
    if kind == "hands":
        tally = ginsim.tally("kawu", ("simple", "greedy"), count, seed=5, mirror=mirror)
        wanted = ginsim.summarize(tally)
    else:
        games = ginsim.tally_games("kawu", ("simple", "greedy"), count, seed=5, mirror=mirror)
        wanted = ginsim.summarize_games(games)
    for name in ("measure", "outcome", "seat", "count", "value", "se"):
        pd.testing.assert_series_equal(table[name], wanted[name], check_exact=True)
    # To have looked costs: intervals are wider than those of a size chosen beforehand.
    both = wanted["low"].notna() & table["low"].notna() & (wanted["se"] > 0)
    assert both.any()
    assert (table["high"] - table["low"])[both].gt((wanted["high"] - wanted["low"])[both]).all()


def test_a_bound_ends_what_cannot_be_reached() -> None:
    tables = run_only("hands", precision=1e-6, hands=2000, task=100)
    assert tables["only.looks"]["deals"].iloc[-1] == 2000
    assert not tables["only.looks"]["is_reached"].iloc[-1]


@pytest.mark.slow
def test_intervals_hold_after_stopping() -> None:
    # 300 runs that stop by themselves; an interval of 95 % misses 15 of them in the mean, and more
    # than 28 with a chance of 0.1 % (binomial). The truth is known to 0.0002 by other hands.
    truth = ginsim.tally("kawu", ("simple", "greedy"), 6_000_000, seed=1)
    rows = ginsim.summarize(truth)
    wins = rows[(rows["measure"] == "win") & (rows["seat"] == "south")]["value"].iloc[0]
    misses = 0
    for seed in range(300):
        study = make("hands", south="simple", precision=0.02, task=20_000)
        study["seed"] = 1000 + seed
        last = ginsim.run_study(study, threads=2)["only.looks"].iloc[-1]
        misses += not last["low"] <= wins <= last["high"]
    assert misses <= 28


# ---------------------------------------------------------------- what it will take


def test_a_check_counts_what_is_run() -> None:
    study = make("games", games=2 * TASK_GAMES + 10, rules=["kawu", "classic"])
    (row,) = ginsim.check_study(study, threads=2).to_dict("records")
    assert (row["cells"], row["tasks"], row["count"]) == (2, 6, 4 * TASK_GAMES + 20)
    assert not row["is_estimate"]
    assert row["seconds"] > 0
    # Six files of about three kilobytes.
    assert 6_000 < row["bytes"] < 100_000


def test_a_check_estimates_what_a_rule_will_ask_for() -> None:
    study = make("duel", a="greedy(knock_at=4)", b="simple", precision=0.02, task=500)
    (row,) = ginsim.check_study(study).to_dict("records")
    played = ginsim.run_study(study, threads=2)["only.verdicts"]["count"].iloc[0]
    assert row["is_estimate"]
    assert played / 3 < row["count"] < played * 3


# ---------------------------------------------------------------- arguments


def test_arguments_are_checked() -> None:
    study = make("hands", hands=10)
    with pytest.raises(ginsim.OptionError, match="threads, processes"):
        ginsim.run_study(study, threads=1, processes=1)
    for name in ("threads", "processes"):
        for value in (0, 2000, "2"):
            with pytest.raises(ginsim.OptionError, match=f"{name}: {value!r} is not allowed"):
                ginsim.run_study(study, **{name: value})  # type: ignore[arg-type]
    with pytest.raises(ginsim.OptionError, match="executor: 3 is not allowed"):
        ginsim.run_study(study, executor=3)  # type: ignore[arg-type]
    with pytest.raises(ginsim.OptionError, match="retries: -1"):
        ginsim.run_study(study, retries=-1)
    with pytest.raises(ginsim.OptionError, match="part"):
        ginsim.run_study(study, part=(3, 2))
    with pytest.raises(ginsim.OptionError, match=r"run.only.rows: needs a folder"):
        ginsim.run_study(make("hands", hands=10, rows=True))
