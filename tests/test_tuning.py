"""Tuning: it finds what an exhaustive comparison finds, on deals that it has not been tuned on."""

from __future__ import annotations

import errno
import json
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import tuning
from ginsim.cli import main

QUICK: dict[str, Any] = {"budget": 40_000, "validate": 400, "seed": 5}


def test_it_finds_the_neighbourhood_of_the_best_threshold() -> None:
    """Under classic bonuses, points a hand against two opponents, from the worst place to start.

    The truth is a duel of each of the eleven values with each opponent on other deals. What is
    found may lose a tenth of a point on the best of them; its neighbours lose about as much.
    """
    pool = ["greedy(knock_at=10)", "simple"]
    truth = {}
    for knock_at in range(11):
        duels = [
            ginsim.duel(f"greedy({knock_at})", other, "classic", hands=100_000, seed=77)
            for other in pool
        ]
        values = [float(each.table["value"].iloc[1]) for each in duels]
        truth[knock_at] = sum(values) / len(values)
    worst = min(truth, key=lambda knock_at: truth[knock_at])
    result = ginsim.tune(
        f"greedy({worst})",
        "classic",
        against=pool,
        vary=["knock_at=0:10"],
        measure="points",
        budget=2_000_000,
        validate=50_000,
        seed=5,
    )
    assert result.is_better
    assert truth[result.best.knock_at] > max(truth.values()) - 0.1
    # The figures on fresh deals are those of the duels, within four errors of both.
    for row in result.table.itertuples():
        record: Any = row
        if record.opponent == "all" and record.player == "found":
            assert abs(record.value - truth[result.best.knock_at]) < 8 * record.se
        if record.opponent == "all" and record.player == "start":
            assert abs(record.value - truth[worst]) < 8 * record.se


def test_it_finds_a_word_and_a_weight() -> None:
    """An expert that throws for its ranks alone is led back to deadwood and prospects."""
    start = "expert(weigh_deadwood=0, weigh_pairs=0, weigh_runs=0, weigh_rank=1, draw=never)"
    ranges = {"weigh_deadwood": "0:20:5", "weigh_pairs": "0:60:20", "draw": "never|gain|always"}
    result = ginsim.tune(
        start, "eaai", against=["greedy"], vary=ranges, measure="points", budget=600_000, seed=5
    )
    assert result.is_better
    best = result.best
    assert best.draw == "gain"
    assert best.weigh_deadwood != "0" or best.weigh_pairs != "0"
    # What was not varied is as it was.
    kept = set(best.values()) - set(ranges)
    own = ginsim.parse_strategy(start)
    assert {name: getattr(best, name) for name in kept} == {
        name: getattr(own, name) for name in kept
    }


@pytest.mark.parametrize("measure", ["games", "points"])
def test_threads_and_blocks_make_no_difference(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few: dict[str, Any] = {"against": ["simple", "expert"], "measure": measure, **QUICK}
    one = ginsim.tune("expert", "eaai", threads=1, **few)
    monkeypatch.setattr(tuning, "BLOCK", {"games": 45, "hands": 1000})
    two = ginsim.tune("expert", "eaai", threads=3, **few)
    pd.testing.assert_frame_equal(one.races, two.races, check_exact=True)
    pd.testing.assert_frame_equal(one.table, two.table, check_exact=True)
    assert one.provenance == two.provenance
    other = ginsim.tune("expert", "eaai", threads=1, **{**few, "seed": 6})
    assert not other.races.equals(one.races)


def test_validating_deals_are_not_tuning_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also: races have their own deals, and the figures are those of a duel on the fresh ones."""
    played: dict[tuple[str, str], list[tuple[int, int]]] = {}
    simulate_games = vars(tuning)["simulate_games"]

    def watch(rules: Any, players: Any, games: int, *, first: int, **options: Any) -> Any:
        pair = (players[0].name, players[1].name)
        played.setdefault(pair, []).append((first, games))
        assert options["mirror"]
        return simulate_games(rules, players, games, first=first, **options)

    monkeypatch.setattr(tuning, "simulate_games", watch)
    result = ginsim.tune("greedy", "kawu", against=["simple"], threads=1, **QUICK)
    assert result.is_better
    fresh = {}
    for pair, ranges in played.items():
        used = np.zeros(0, np.int64)
        for first, games in ranges:
            if first < tuning.VALIDATE_FROM:
                used = np.concatenate([used, np.arange(first, first + games)])
            else:
                fresh[pair] = (first, games)
        # No strategy plays a deal twice.
        assert len(np.unique(used)) == len(used)
        assert not len(used) or used.max() < result.provenance["tuning"]["count"]
    assert fresh == {
        ("greedy", "simple"): (tuning.VALIDATE_FROM, 400),
        (result.found.name, "simple"): (tuning.VALIDATE_FROM, 400),
    }
    table: Any = result.table.set_index(["opponent", "player"])
    for player, strategy in (("start", result.start), ("found", result.found)):
        duel = ginsim.duel(
            strategy, "simple", "kawu", 400, seed=QUICK["seed"], first=tuning.VALIDATE_FROM
        )
        own = duel.table.iloc[0]
        for name in ("count", "clusters", "value", "se", "low", "high"):
            assert table.at[("simple", player), name] == own[name]
    # Their difference is the difference of the two.
    last: Any = table.loc[("simple", "difference")]
    values: Any = table["value"]
    difference = values[("simple", "found")] - values[("simple", "start")]
    assert last["value"] == pytest.approx(difference, abs=1e-12)
    assert last["low"] < last["value"] < last["high"]
    assert values[("all", "difference")] == pytest.approx(difference, abs=1e-12)


def test_the_difference_of_paired_deals_by_hand() -> None:
    """Mean and error of the differences, deal by deal, from the games themselves."""
    result = ginsim.tune("greedy", "kawu", against=["simple", "greedy(0)"], **QUICK)
    options: dict[str, Any] = {"seed": 5, "first": tuning.VALIDATE_FROM, "mirror": True}
    deals = []
    for other in ("simple", "greedy(0)"):
        won = [
            (ginsim.simulate_games("kawu", (player, other), 400, **options)["winner"] == "south")
            for player in (result.found, result.start)
        ]
        each = won[0].to_numpy().astype(float) - won[1].to_numpy().astype(float)
        deals.append(each.reshape(-1, 2).mean(axis=1))
    mean = np.mean(deals, axis=0)
    row: Any = result.table.set_index(["opponent", "player"]).loc[("all", "difference")]
    assert row["value"] == pytest.approx(mean.mean())
    assert row["se"] == pytest.approx(mean.std(ddof=1) / len(mean) ** 0.5)
    assert (row["count"], row["clusters"]) == (800, 200)


def test_what_is_not_better_is_not_kept(tmp_path: Path) -> None:
    """Nobody wins more than half of the games against himself by what makes no difference."""
    start = "expert(keep_pairs=104)"
    nothing = ginsim.tune(start, "kawu", against=[start], vary=["keep_pairs=100:108"], **QUICK)
    # No hand has so many turns, and all candidates play alike: the start is as good as any.
    assert nothing.found == nothing.best == nothing.start
    assert not nothing.is_better
    assert nothing.verdict == "nothing better was found: the start is kept"
    # So few hands find something by luck only.
    for seed in range(20):
        luck = ginsim.tune(
            "expert", "eaai", vary=["weigh_runs=20:40"], budget=100, validate=100, seed=seed
        )
        if luck.found != luck.start and not luck.is_better:
            break
    assert luck.found != luck.start
    assert luck.table.iloc[-1]["low"] <= 0
    assert luck.best == luck.start
    assert luck.verdict.endswith("the start is kept")
    luck.write(tmp_path / "kept.toml")
    assert ginsim.parse_strategy(str(tmp_path / "kept.toml")) == luck.start
    content = tomllib.loads((tmp_path / "kept.toml").read_text(encoding="utf-8"))
    assert content["provenance"]["verdict"] == luck.verdict
    assert content["provenance"]["found"]["name"] == luck.found.name


@pytest.mark.parametrize("measure", ["games", "points"])
def test_a_limit_of_time_can_be_repeated_as_a_budget(measure: str) -> None:
    own: dict[str, Any] = {"against": ["simple"], "measure": measure, "validate": 100, "seed": 8}
    timed = ginsim.tune("greedy", "kawu", seconds=0.4, **own)
    again = ginsim.tune("greedy", "kawu", budget=timed.provenance["budget"], **own)
    assert again.provenance == timed.provenance
    pd.testing.assert_frame_equal(again.races, timed.races)


def test_opponents_and_watching() -> None:
    seen: list[tuple[str, int]] = []
    hands: list[int] = []
    result = ginsim.tune(
        "greedy(4)",
        "hollywood",
        measure="boxes",
        watch=lambda best, played: seen.append((best.name, played)),
        progress=lambda done, total: hands.append(done),
        **QUICK,
    )
    # The start is one of the default opponents already, and no opponent is met twice.
    assert list(result.pool) == [ginsim.parse_strategy(name).name for name in tuning.POOL]
    assert [row[1] for row in seen] == result.races["hands"].tolist()
    assert seen[-1][0] == result.found.name
    assert hands == sorted(hands)
    assert hands[-1] == result.hands
    other = ginsim.tune("expert", "eaai", **QUICK)
    assert list(other.pool)[-1] == "expert"
    pair = ginsim.tune("greedy", "partnership", against=["simple"], **QUICK)
    assert pair.table.iloc[0]["count"] == 400


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"against": []}, "against: .* at least one"),
        ({"against": "greedy"}, "against: 'greedy' is not allowed; allowed: a list"),
        ({"vary": "knock_at=0:10"}, "vary: 'knock_at=0:10' is not allowed; allowed: a list"),
        ({"vary": [3]}, "vary: 3 is not allowed"),
        ({"vary": ["weight=0:1"]}, "unknown field 'weight'"),
        ({"vary": ["weigh_pairs"]}, "weigh_pairs has no effect .*: it needs discard = weighed"),
        ({"vary": ["knock_table"]}, "knock_table has no effect .*: it needs knock = table"),
        ({"vary": ["knock_after_win=0|4"]}, "it needs the rules of a partnership"),
        (
            {"vary": ["win_from=1:9"], "rules": "partnership"},
            "it needs knock_after_win other than same",
        ),
        ({"strategy": "expert", "vary": ["close_from"], "measure": "points"}, "needs games of one"),
        ({"strategy": "expert", "vary": ["close_from"], "rules": "hollywood"}, "games of one col"),
        ({"strategy": "expert", "vary": ["knock_guard=0:9"]}, "it needs guard_from above 0"),
        ({"vary": ["candidates"]}, "it needs rollouts above 0"),
        ({"turns": [4]}, "turns: has no effect, since what is varied .knock_at. does not go by"),
        ({"turns": [1]}, "turns: 1 is not allowed; allowed: a whole number from 2 to 16"),
        ({"turns": "4"}, "turns: '4' is not allowed; allowed: a list"),
        ({"measure": "boxes"}, "measure: 'boxes' is not allowed; allowed: games, margin, hands"),
        ({"measure": "points", "rules": "partnership"}, "allowed: games, margin or boxes"),
        ({"budget": 0}, "budget: 0 is not allowed; allowed: a whole number from 1"),
        ({"budget": 10, "seconds": 1}, "budget, seconds: both are given"),
        ({"seconds": 0}, "seconds: 0 is not allowed; allowed: a number above 0"),
        ({"validate": 5}, "validate: 5 is not allowed; allowed: an even number"),
        ({"validate": 2}, "validate: 2 is not allowed; allowed: a whole number from 4"),
        ({"seed": -1}, "seed: -1"),
        ({"threads": 0}, "threads: 0"),
        ({"rules": "kavu"}, "did you mean 'kawu'"),
        ({"strategy": "greed"}, "did you mean 'greedy'"),
        ({"strategy": "random"}, "nothing of random has a declared range"),
    ],
)
def test_bad_input_is_refused(words: dict[str, Any], message: str) -> None:
    rules = words.pop("rules", "kawu")
    strategy = words.pop("strategy", "greedy")
    with pytest.raises(ginsim.GinsimError, match=message):
        ginsim.tune(strategy, rules, **words)


# -- the command ----------------------------------------------------------------------------------


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["tune", *words])


def test_the_command_writes_what_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "tuned.toml"
    words = ["greedy", "--rules", "kawu", "--set", "gin_bonus=30", "--against", "simple"]
    words += ["--vary", "knock_at", "--budget", "60_000", "--validate", "2000", "--seed", "5"]
    result = run(*words, "--out", str(path))
    assert result.exit_code == 0, result.output
    assert "Verdict: better" in result.output
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    origin = content["provenance"]
    assert origin["rules"]["gin_bonus"] == 30
    assert origin["vary"] == {"knock_at": "0:10"}
    assert (origin["seed"], origin["budget"]) == (5, 60_000)
    assert (origin["ginsim"], origin["stream"]) == (ginsim.__version__, ginsim.STREAM_VERSION)
    assert list(origin["against"]) == ["simple"]
    assert {row["player"] for row in origin["validated"]} == {"start", "found", "difference"}
    # It is a strategy wherever one is named, and the command in it gives it again.
    assert ginsim.parse_strategy(str(path)).knock_at == content["knock_at"]
    played = CliRunner().invoke(
        main, ["hands", "kawu", "--south", str(path), "--hands", "10", "--seed", "1"]
    )
    assert played.exit_code == 0
    command = origin["command"].split()
    assert command[:2] == ["ginsim", "tune"]
    again = CliRunner().invoke(main, [*command[1:], "--json"])
    assert (
        json.loads(again.output)["provenance"]
        == json.loads(CliRunner().invoke(main, ["tune", *words, "--json"]).output)["provenance"]
    )
    refused = run(*words, "--out", str(path))
    assert refused.exit_code == 2
    assert "--force" in refused.output


def test_the_command_refuses_in_words(tmp_path: Path) -> None:
    for words, message in (
        (["greedy", "--turns", "4,x"], "--turns: '4,x' is not allowed"),
        (["greedy", "--vary", "knock_at=10:0"], "lowest first"),
        (["greedy", "--out", str(tmp_path / "x.csv")], "ends in .toml"),
        (["greedy", "--rules", "kavu"], "did you mean 'kawu'"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())


@pytest.mark.parametrize("as_json", [False, True])
def test_a_file_that_cannot_be_written_loses_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    def fail(*_words: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", ".tuned.toml.part")

    monkeypatch.setattr(ginsim.Tuning, "write", fail)
    path = tmp_path / "tuned.toml"
    words = ["greedy", "--rules", "kawu", "--against", "simple", "--budget", "2000"]
    words += ["--validate", "40", "--seed", "5", "--out", str(path)]
    result = run(*words, *(["--json"] if as_json else []))
    # As of the commands that write records.
    assert result.exit_code == 1
    assert f"--out: '{path}' cannot be written: Permission denied" in result.stderr
    if as_json:
        assert json.loads(result.stdout)["best"]["knock_at"] in range(11)
    else:
        assert "Verdict: " in result.stdout
        assert "written to" not in result.stdout


#: Says on standard output when a race is over. SIGINT may be ignored where the tests were started.
COMMAND = """
import signal
from ginsim import tuning
from ginsim.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)
race = tuning._Search._race

def tell(*words):
    result = race(*words)
    print("race", flush=True)
    return result

tuning._Search._race = tell
main(prog_name="ginsim")
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"]
)
def test_an_interrupt_leaves_no_file(tmp_path: Path, number: signal.Signals, code: int) -> None:
    # All that it may become differs from the start, whose name is no longer one that makes it.
    start = tmp_path / "patient.toml"
    start.write_text("knock_at = 10\n", encoding="utf-8")
    words = [sys.executable, "-c", COMMAND, "tune", str(start), "--rules", "eaai", "--seed", "1"]
    words += ["--vary", "knock_at=0:6", "--vary", "draw=improve|meld", "--against", "greedy"]
    words += ["--budget", "1e9", "--measure", "points", "--out", str(tmp_path / "tuned.toml")]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "race\n"
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    lines = errors.splitlines()
    place = next(i for i, line in enumerate(lines) if "not validated: " in line)
    assert lines[place].endswith("not validated: patient.toml, changed")
    assert re.fullmatch(r"  knock_at = [0-6]", lines[place + 1])
    assert list(tmp_path.iterdir()) == [start]


# -- what is shipped ------------------------------------------------------------------------------


RECORDS = Path(__file__).parents[1] / "docs" / "tuned"


@pytest.mark.parametrize("name", ["expert", "expert_classic"])
def test_shipped_values_are_near_what_was_found(name: str) -> None:
    """The records load, found what is better, and their commands can be given again."""
    path = RECORDS / f"{name}.toml"
    origin = tomllib.loads(path.read_text(encoding="utf-8"))["provenance"]
    found = ginsim.parse_strategy(str(path))
    shipped = ginsim.parse_strategy(name)
    assert found.values() == {key: value for key, value in origin["found"].items() if key != "name"}
    assert origin["verdict"].startswith("better")
    assert origin["validated"][-1]["low"] > 0
    # Put back because it makes no difference in games won; weights are rounded.
    put_back = {"keep_pairs", "spread", "close_from"}
    differing = {
        field for field, value in found.values().items() if value != shipped.values()[field]
    }
    assert {one for one in differing - put_back if not one.startswith("weigh_")} <= {"take_gain"}
    words = shlex.split(origin["command"])
    for option, value in (("--budget", "1"), ("--validate", "4")):
        words[words.index(option) + 1] = value
    result = CliRunner().invoke(main, [*words[1:], "--json"])
    assert result.exit_code == 0, result.output
    again = json.loads(result.output)["provenance"]
    for key in ("rules", "vary", "turns", "measure", "seed", "start"):
        assert again[key] == origin[key], key
