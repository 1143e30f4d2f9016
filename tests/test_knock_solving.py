"""Solved knock tables: the best of all tables where all can be tried, and honest figures."""

from __future__ import annotations

import itertools
import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import _knocking, knock_paths
from ginsim.cli import main
from ginsim.columns import KNOCK_TABLE_COLUMNS
from ginsim.intervals import Z95
from ginsim.knock_paths import (
    SHAPE,
    Problem,
    improve,
    inherit,
    number_cells,
    pool_near,
)
from ginsim.knock_solving import (
    CLOSE,
    Form,
    put_table,
    read_table,
    solve_knocks,
    sum_replayed,
)
from ginsim.rules import load_rules
from ginsim.simulation import simulate
from ginsim.strategies import parse_strategy
from ginsim.timing import ENOUGH, make_knock_task, record_paths
from tests import chances

GREEDY = parse_strategy("greedy")
NOTHING = np.zeros(SHAPE, np.uint8)
ALWAYS = np.ones(SHAPE, np.uint8)


class Waiter(ginsim.PythonStrategy):
    """Greedy, written in Python."""

    version = "1"


def short_problem(seed: int, opponent: str, dead_at: int, deals: int = 2000) -> Problem:
    """All deals of a population: hands of five from a deck of 28 cards, over in a few turns."""
    rules = load_rules("kawu").replace(knock_limit=2, dead_at=dead_at, max_pile_draws=2)
    pair = (GREEDY, parse_strategy(opponent))
    setup = chances.make_setup(rules, pair, seed, ranks=7, hand_size=5)
    ends = np.zeros((4, deals), np.int32)
    room = deals * 12 + _knocking.ROOM
    small, nets = np.zeros((14, room), np.int8), np.zeros((2, room), np.int32)
    done, rows = _knocking.fill_chances(setup, 0, deals, 0, False, ends, small, nets)
    assert done == deals
    return Problem(
        counts=ends[0].copy(),
        cells=number_cells(small[0, :rows], small[1, :rows]),
        knocks=nets[0, :rows].astype(np.int64),
        ends=ends[1].astype(np.int64),
    )


def value_by_hand(problem: Problem, table: np.ndarray) -> int:
    """The sum over paths, each knocked at its first chance that the table has."""
    total, place = 0, 0
    flat = table.ravel()
    for count, end in zip(problem.counts.tolist(), problem.ends.tolist(), strict=True):
        steps = range(place, place + count)
        total += next((int(problem.knocks[i]) for i in steps if flat[problem.cells[i]]), end)
        place += count
    return total


@pytest.mark.parametrize("seed", range(9))
def test_the_solver_finds_the_best_of_all_tables(seed: int) -> None:
    """A population of 2,000 deals, at most 12 cells: all their tables are tried."""
    opponent = ("greedy", "greedy(knock_at=0)", "greedy(knock_at=1)")[seed % 3]
    problem = short_problem(seed, opponent, (11, 10, 12)[seed % 3])
    cells = np.unique(problem.cells)
    assert 6 <= len(cells) <= 12
    table = NOTHING.copy()
    flat = table.reshape(-1)
    values = []
    for actions in itertools.product((0, 1), repeat=len(cells)):
        flat[cells] = actions
        values.append(int(problem.values(table).sum()))
    assert len(set(values)) > 10
    for start in (NOTHING, ALWAYS):
        solved = improve(problem, start, 0.0)
        assert value_by_hand(problem, solved) == max(values)


def test_cells_that_matter_not_stay_as_they_are() -> None:
    """Ties, and differences within their error, keep the old action."""
    problem = Problem(
        counts=np.array([1] * 500, np.int32),
        cells=np.array([0] * 250 + [1] * 250, np.int16),
        knocks=np.array([5] * 250 + [1, -1] * 125, np.int64),
        ends=np.array([5] * 250 + [0] * 250, np.int64),
    )
    for start in (NOTHING, ALWAYS):
        assert (improve(problem, start, 0.0) == start).all()
        assert (improve(problem, start, Z95) == start).all()
    # A gain that is within its error: kept in a sample, taken in a population.
    better = Problem(problem.counts, problem.cells, problem.knocks.copy(), problem.ends)
    better.knocks[-1] = 1
    assert (improve(better, NOTHING, Z95) == NOTHING).all()
    assert improve(better, NOTHING, 0.0).sum() == 1
    # One that is not; but of too few hands there is no verdict.
    better.knocks[250:] = 3
    assert improve(better, NOTHING, Z95).reshape(-1)[:3].tolist() == [0, 1, 0]
    few = Problem(
        np.array([1] * (ENOUGH - 1), np.int32),
        np.zeros(ENOUGH - 1, np.int16),
        np.full(ENOUGH - 1, 3, np.int64),
        np.zeros(ENOUGH - 1, np.int64),
    )
    assert (improve(few, NOTHING, Z95) == NOTHING).all()


def test_cells_that_nobody_comes_to_are_as_the_turn_before() -> None:
    cells = {
        (turn, deadwood): 11 * (turn - 1) + deadwood for turn in (1, 2, 3) for deadwood in (4, 7)
    }
    count = 300
    problem = Problem(
        counts=np.full(2 * count, 2, np.int32),
        cells=np.array(
            [cells[1, 4], cells[2, 4]] * count + [cells[1, 7], cells[3, 7]] * count, np.int16
        ),
        knocks=np.array([1, 2] * count + [1, 2] * count, np.int64),
        ends=np.zeros(2 * count, np.int64),
    )
    table = NOTHING.copy()
    table[0, 0, 0, 4] = 1
    settled = inherit(problem.gains(table), table)
    # Nobody comes to turn 2 with deadwood 4 since all knock in turn 1.
    assert settled[0, 0, :, 4].tolist() == [1] * 16
    assert settled[0, 0, :, 7].tolist() == [0] * 16
    table[0, 0, 2, 7] = 1
    settled = inherit(problem.gains(table), table)
    assert settled[0, 0, :, 7].tolist() == [0, 0] + [1] * 14


def test_few_hands_are_pooled_with_those_of_near_cells() -> None:
    gains = np.zeros((*SHAPE, 3), np.int64)
    gains[:, 0, 4, 3, 0] = [0, 0, 0, 300, 150, 20, 90, 300, 0, 7, 300]
    gains[:, 0, 4, 3, 1] = [0, 0, 0, 30, -15, 2, 9, -30, 0, 1, 5]
    table = NOTHING.copy()
    table[4, 0, 4, 3] = 1  # its -15 speaks for a knock, as the 30 and 2 beside it
    pooled = pool_near(gains.reshape(-1, 3), table, Z95)[:, 0, 4, 3]
    assert pooled[3].tolist() == gains[3, 0, 4, 3].tolist()
    assert pooled[4].tolist() == [470, -15 - 30 - 2, 0]
    assert pooled[5].tolist() == [20 + 150 + 90, 2 + 15 + 9, 0]
    assert pooled[6].tolist() == [90 + 20 + 300, 9 + 2 - 30, 0]
    assert pooled[9].tolist() == [307, 6, 0]
    assert pooled[8].tolist() == [0, 0, 0]
    assert (pool_near(gains.reshape(-1, 3), table, 0.0) == gains).all()
    # Where there is one limit only, and where the limits are not enough, by turns.
    gains = np.zeros((*SHAPE, 3), np.int64)
    gains[0, 0, :6, 7, 0] = [0, 10, 50, 100, 300, 0]
    gains[0, 0, :6, 7, 1] = [0, 1, 2, -4, 8, 0]
    table = NOTHING.copy()
    table[0, 0, 3, 7] = 1
    pooled = pool_near(gains.reshape(-1, 3), table, Z95)[0, 0, :, 7]
    assert pooled[1].tolist() == [10 + 50 + 100 + 300, 1 + 2 + 4 + 8, 0]
    assert pooled[2].tolist() == [50 + 10 + 100 + 300, 2 + 1 + 4 + 8, 0]
    assert pooled[3].tolist() == [100 + 50 + 300, -4 - 2 - 8, 0]
    assert pooled[4].tolist() == [300, 8, 0]
    assert not pooled[0].any()
    assert not pooled[5].any()


def test_a_response_plays_as_well_as_it_says() -> None:
    """Value and gain are those of the reporting deals, played by the engine itself."""
    solution = solve_knocks("kawu", "greedy", "simple", 20_000, seed=4)
    assert solution.method == "stopping"
    first, size = solution.provenance["streams"]["reporting"]
    assert (first, size) == (40_000, 20_000)
    nets = {}
    for player in (solution.strategy, GREEDY):
        frame = simulate("kawu", (player, "simple"), size, seed=4, first=first)
        nets[player.name] = frame["net"].to_numpy().astype(int)
    ours, theirs = nets[solution.strategy.name], nets["greedy"]
    assert solution.value.value == pytest.approx(ours.mean())
    assert solution.value.se == pytest.approx(ours.std(ddof=1) / np.sqrt(size))
    assert solution.gain is not None
    difference = ours - theirs
    assert solution.gain.value == pytest.approx(difference.mean())
    assert solution.gain.se == pytest.approx(difference.std(ddof=1) / np.sqrt(size))
    # Waiting for more against a player who knocks early and unwisely pays.
    assert solution.gain.low > 2
    assert solution.exploitability is None
    assert solution.is_converged is None
    assert len(solution.rounds) == 0


def test_against_itself() -> None:
    solution = solve_knocks("kawu", "greedy", None, 60_000, seed=4)
    assert solution.is_converged
    rounds = solution.rounds
    assert 2 <= len(rounds) <= 30
    assert rounds["high"].iloc[-1] < CLOSE
    assert (rounds["high"].iloc[:-1] >= CLOSE).all()
    assert rounds["gain"].iloc[0] > 3
    found = solution.exploitability
    assert found is not None
    assert abs(found.value) < 0.1
    # On both sides the same: nobody is better, up to the deals.
    assert solution.value.low < 0.5
    assert solution.value.high > -0.5
    first, size = solution.provenance["streams"]["reporting"]
    player = solution.strategy
    frame = simulate("kawu", (player, player), size, seed=4, first=first)
    assert solution.value.value == pytest.approx(frame["net"].astype(float).mean())
    # The streams share no deal.
    streams = solution.provenance["streams"].values()
    deals = [deal for start, count in streams for deal in (start, start + count - 1)]
    assert deals == sorted(set(deals))


def test_what_does_not_converge_is_the_least_exploitable_met(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ginsim.knock_solving.ROUNDS", 2)
    solution = solve_knocks("kawu", "greedy", None, 40_000, seed=4)
    assert solution.is_converged is False
    assert len(solution.rounds) == 2
    # The table of the round with the least bound: the second, before its changes.
    assert solution.rounds["high"].idxmin() == 1
    assert solution.exploitability is not None
    assert solution.exploitability.value > 0.5


def test_threads_change_nothing() -> None:
    one = solve_knocks("kawu", "greedy", "simple", 20_000, seed=4, threads=1)
    two = solve_knocks("kawu", "greedy", "simple", 20_000, seed=4, threads=2)
    assert one.strategy == two.strategy
    assert one.value == two.value
    pd.testing.assert_frame_equal(one.table, two.table, check_exact=True)


def test_a_policy_whose_draws_read_its_table_is_replayed() -> None:
    solution = solve_knocks("kawu", "expert", "simple", 3000, seed=4)
    assert solution.method == "replay"
    assert solution.gain is not None
    first, size = solution.provenance["streams"]["reporting"]
    frame = simulate("kawu", (solution.strategy, "simple"), size, seed=4, first=first)
    assert solution.value.value == pytest.approx(frame["net"].astype(float).mean())
    assert solution.strategy.draw == "gain"


def test_a_policy_that_is_replayed_against_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are those of play: exploitability is what the response brings when played."""
    for module in ("knock_paths", "knock_solving"):
        monkeypatch.setattr(f"ginsim.{module}.ENOUGH", 30)  # of few hands, to be quick
    monkeypatch.setattr("ginsim.knock_solving.ROUNDS", 3)
    solution = solve_knocks("kawu", "expert(knock_table=10)", None, 6000, seed=4)
    assert solution.method == "replay"
    first, size = solution.provenance["streams"]["reporting"]
    player = solution.strategy
    frame = simulate("kawu", (player, player), size, seed=4, first=first)
    assert solution.value.value == pytest.approx(frame["net"].astype(float).mean())
    # In its first round the best response to always knocking was found, and measured by play.
    assert solution.rounds["gain"].iloc[0] > 0
    assert solution.exploitability is not None


def test_gains_by_replay_are_those_of_the_changed_table() -> None:
    """Where stopping is exact, what replays tell of on-policy chances is what it tells."""
    task, _ = make_knock_task("kawu", "greedy(3)", "simple", 3000, None, 5, 0, None)
    form = Form(with_pick_ups=False, limit=10)
    table = read_table(parse_strategy("greedy(3)"), form)
    replayed = record_paths(task, "replay", 1)
    worth = lambda nets, winners, dealt: nets.astype(np.int64)  # noqa: E731
    sums = sum_replayed(replayed, ("turn", "deadwood"), worth, table)
    stopped = record_paths(task, "stopping", 1)
    problem = Problem(
        stopped.ends[0].copy(),
        number_cells(stopped.column("turn"), stopped.column("deadwood")),
        stopped.nets[0].astype(np.int64),
        stopped.ends[1].astype(np.int64),
    )
    gains = problem.gains(table)
    # But for the last turn, which stands for several.
    early = np.arange(table.size) // 11 % 16 < 15
    assert (sums[early] == gains[early]).all()
    assert sums[early, 0].sum() > 1000


@pytest.mark.parametrize("limit", [10, 4, None])
@pytest.mark.parametrize("with_pick_ups", [False, True])
def test_tables_and_strategies(limit: int | None, with_pick_ups: bool) -> None:
    form = Form(with_pick_ups, limit)
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, SHAPE).astype(np.uint8)
    strategy = put_table(GREEDY, table, form)
    back = read_table(strategy, form)
    for place in np.ndindex(SHAPE):
        at, pick_ups, turn, deadwood = place
        row = table[0 if limit is not None else at, pick_ups if with_pick_ups else 0]
        most = at if limit is None else limit
        assert back[place] == (row[turn, deadwood] if deadwood <= most else 0)
    assert put_table(strategy, back, form) == strategy
    assert read_table(parse_strategy("greedy(4)"), form)[0, 0, 0].tolist() == [1] * 5 + [0] * 6


def test_the_table_of_a_solution() -> None:
    solution = solve_knocks("oklahoma", "greedy", "greedy(0)", 3000, seed=1, by="pick_ups")
    table = solution.table
    assert [column.name for column in KNOCK_TABLE_COLUMNS] == list(table)
    assert set(table["limit"]) <= set(range(1, 11))
    assert set(table["pick_ups"]) == {0, 1, 2, 3}
    assert (table["deadwood"] <= table["limit"]).all()
    assert (table["reached"] <= table["chances"]).all()
    form = Form(with_pick_ups=True, limit=None)
    bits = read_table(solution.strategy, form)
    for row in table.to_dict("records"):
        place = (row["limit"], row["pick_ups"], row["turn"] - 1, row["deadwood"])
        assert bits[place] == row["knock"]
        if row["inherited"] and row["turn"] > 1:
            before = (place[0], place[1], place[2] - 1, place[3])
            assert bits[place] == bits[before]


def test_a_solution_is_written_as_a_strategy(tmp_path: Path) -> None:
    solution = solve_knocks("kawu", "greedy(4)", "simple", 3000, seed=1)
    path = tmp_path / "solved.toml"
    solution.write_strategy(path, command='ginsim knock "kawu"')
    for spec in (str(path), f"table(file={path})"):
        assert parse_strategy(spec) == solution.strategy
    text = path.read_text()
    assert "[provenance]" in text
    assert 'opponent = "simple"' in text
    assert "gain = [" in text
    with pytest.raises(ginsim.OptionError, match="exists"):
        solution.write_strategy(path)
    with pytest.raises(ginsim.OptionError, match=r"ends in \.toml"):
        solution.write_strategy(tmp_path / "solved.csv")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "random"}, "policy: 'random' is not allowed; allowed: a strategy that knocks"),
        ({"policy": "rollout(2)"}, "policy: a search is too slow"),
        ({"opponent": "rollout(2)"}, "opponent: a search is too slow"),
        ({"policy": Waiter()}, "policy: is written in Python; allowed: a strategy of rules"),
        ({"opponent": Waiter()}, "opponent: is written in Python; allowed: a strategy of rules"),
        ({"by": 5}, "by: 5 is not allowed; allowed: turn, .*, or several of them"),
        ({"by": [["turn"]]}, r"by: \['turn'\] is not allowed; allowed: turn, deadwood"),
        (
            {"first": 2**62},
            "first: 4611686018427387904 is not allowed; allowed: a whole number from",
        ),
        ({"first": 2**62 - 10, "hands": None}, "first: 4611686018427387894 is not allowed"),
        ({"first": 2**62 - 1000, "hands": None}, "first: 4611686018427386904 is not allowed"),
        ({"by": "stock"}, "by: 'stock' is not allowed; allowed: turn, deadwood, pick_ups or limit"),
        ({"hands": 99}, "hands: 99 is not allowed; allowed: a whole number from 100"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ginsim.GinsimError, match=message):
        solve_knocks("kawu", **{"hands": 200, "seed": 1, **options})


def test_numbers_of_cells() -> None:
    turn, deadwood = np.array([1, 16, 40], np.int8), np.array([0, 10, 3], np.int8)
    assert number_cells(turn, deadwood).tolist() == [0, 175, 168]
    pick_ups, limit = np.array([0, 2, 9], np.int8), np.array([0, 10, 4], np.int8)
    cells = number_cells(turn, deadwood, pick_ups, limit)
    assert cells.tolist() == [
        int(np.ravel_multi_index(place, knock_paths.SHAPE))
        for place in ((0, 0, 0, 0), (10, 2, 15, 10), (4, 3, 15, 3))
    ]


def test_too_few_hands_are_no_convergence() -> None:
    """With no cell of 200 hands a best response can change nothing, and says nothing."""
    solution = ginsim.solve_knocks("kawu", hands=100, seed=1)
    assert solution.exploitability is not None
    assert solution.exploitability.value == 0
    assert solution.is_converged is False


def test_the_table_of_the_rules_may_be_where_it_starts() -> None:
    """The strategy `table` plays by the rules' own table, which is known by then."""
    shipped = ginsim.solve_knocks("kawu", "table", hands=200, seed=1)
    named = ginsim.solve_knocks("kawu", "table(rules=kawu)", hands=200, seed=1)
    assert shipped.strategy.knock_table == named.strategy.knock_table
    with_expert = ginsim.solve_knocks(
        "kawu", "expert(knock_table=shipped)", "simple", hands=200, seed=1
    )
    assert with_expert.policy.knock_table == named.policy.knock_table


# ---------------------------------------------------------------- the command


def read_grids(text: str) -> dict[tuple[str, str, str], str]:
    """The marks of the printed tables by title, turn and deadwood."""
    marks: dict[tuple[str, str, str], str] = {}
    title, heads = "", []
    for line in text.splitlines():
        words = line.split()
        if line.startswith("K knock"):
            break
        if words[:1] == ["turn"]:
            heads = words[1:]
        elif "knock limit" in line or "pick-ups of the opponent" in line:
            title = line
        elif heads and words:
            # Of a cell to which no hand of the limit can come nothing is shown, at the end.
            marks.update(
                {
                    (title, words[0], head): mark
                    for head, mark in zip(heads, words[1:], strict=False)
                }
            )
    return marks


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("kawu", {}),
        ("kawu", {"opponent": "simple"}),
        ("oklahoma", {"opponent": "simple", "by": "pick_ups"}),
        ("straight", {}),
    ],
)
def test_what_the_command_prints_is_the_solution(rules: str, options: dict[str, Any]) -> None:
    """Each cell of the grid, and each figure of the sentences."""
    hands = 2500
    by, opponent = options.get("by"), options.get("opponent")
    solution = solve_knocks(rules, "greedy", opponent, hands, by=by, seed=6)
    words = ["knock", rules, "--solve", "--hands", str(hands), "--seed", "6"]
    words += [] if opponent is None else ["--opponent", opponent]
    words += [] if by is None else ["--by", "pickups"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    text = result.output
    against = opponent or "itself"
    assert text.startswith(f"{rules}: knock table for greedy against {against}\n")
    assert f"{hands:,} hands each for solving, choosing and reporting, from 0 of seed 6; " in text
    assert f"knock_table = {solution.strategy.knock_table}\n" in text

    wanted = {}
    signs = {(True, False): "K", (False, False): ".", (True, True): "k", (False, True): ":"}
    for row in solution.table.to_dict("records"):
        title = [f"knock limit {row['limit']}"] if row["limit"] >= 0 else []
        if row["pick_ups"] >= 0:
            more = "+" if row["pick_ups"] == 3 else ""
            title.append(f"{row['pick_ups']}{more} pick-ups of the opponent")
        turn = "16+" if row["turn"] == 16 else str(row["turn"])
        place = (", ".join(title), turn, str(row["deadwood"]))
        wanted[place] = signs[row["knock"], row["inherited"]]
    assert read_grids(text) == wanted
    assert len(wanted) > 10

    sentences = " ".join(text.split())

    def told(each: Any) -> str:
        return f"{each.value:+.3f} points a hand ({each.low:+.3f} to {each.high:+.3f})."

    assert f"Value, on the reporting deals: {told(solution.value)}" in sentences
    if solution.gain is not None:
        assert f"More than by the policy's own table: {told(solution.gain)}" in sentences
        assert "onverged" not in text
        return
    assert solution.exploitability is not None
    assert f"A best response gains {told(solution.exploitability)} That counts knock" in sentences
    gains = ", ".join(f"{gain:.3f}" for gain in solution.rounds["gain"])
    assert f"round by round, on the choosing deals: {gains}." in sentences
    number = len(solution.rounds)
    rounds = "1 round" if number == 1 else f"{number} rounds"
    if solution.is_converged:
        assert f"Converged in {rounds}: the bound is below 0.05 points." in sentences
    else:
        assert f"Not converged in {rounds}: this is the least exploitable table" in sentences
    assert (rules == "straight") == (number == 1)


def read_check(text: str) -> list[str]:
    """The words of the command that checks a table, without `ginsim`."""
    line = text.split("checked on fresh deals by: ")[1].splitlines()[0]
    return shlex.split(line)[1:]


def test_a_table_in_a_file_is_checked_by_playing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call = CliRunner().invoke
    words = ["knock", "oklahoma", "--set", "gin_bonus=30", "--solve", "--by", "pickups"]
    words += ["--opponent", "simple", "--hands", "1500", "--seed", "6", "--first", "100"]
    result = call(main, [*words, "--out", "my table.toml"])
    assert result.exit_code == 0, result.output
    check = read_check(result.output)
    # The three streams are deals 100 to 4599.
    assert check == [
        *["knock", "oklahoma", "--set", "gin_bonus=30", "--policy", "./my table.toml"],
        *["--opponent", "simple", "--by", "turn", "--by", "deadwood", "--by", "pickups"],
        *["--by", "limit", "--hands", "1500", "--seed", "6", "--first", "4600"],
    ]
    again = call(main, check)
    assert again.exit_code == 0, again.output
    assert "1,500 hands from 4,600 of seed 6" in again.output
    result = call(main, [*words, "--json", "--out", "my table.toml", "--force"])
    assert shlex.split(json.loads(result.output)["check"]) == ["ginsim", *check]


@pytest.mark.parametrize("more", [[], ["--out", "table.csv"], ["--scores", "90-20"]])
def test_a_table_in_no_file_is_checked_by_solving_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    call = CliRunner().invoke
    words = ["knock", "kawu", "--policy", "greedy(layoff=none)", "--solve"]
    result = call(main, [*words, *more, "--hands", "1000", "--seed", "6"])
    assert result.exit_code == 0, result.output
    check = read_check(result.output)
    scores = more if "--scores" in more else []
    assert check == [*words, *scores, "--hands", "1000", "--seed", "6", "--first", "3000"]
    again = call(main, check)
    assert again.exit_code == 0, again.output
    assert "from 3,000 of seed 6" in again.output


def test_at_a_score_chances_are_printed() -> None:
    words = ["knock", "kawu", "--solve", "--hands", "3000", "--seed", "6", "--scores", "90-20"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    solution = ginsim.solve_at_scores("kawu", hands=3000, seed=6, scores=(90, 20))
    text = " ".join(result.output.split())
    for title, each in (
        ("Value, on the reporting deals", solution.value),
        ("More than by the policy's own table", solution.gain),
    ):
        assert each is not None
        assert (
            f"{title}: {100 * each.value:+.2f} % of games ({100 * each.low:+.2f} to "
            f"{100 * each.high:+.2f})."
        ) in text
    assert f"knock_table = {solution.strategy.knock_table} " in text
