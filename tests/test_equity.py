"""Match equity: exact on small games, as simulated ones end, and the knock table at a score."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import equity
from ginsim.cli import main
from ginsim.columns import EQUITY_COLUMNS
from ginsim.equity import (
    SCALE,
    compute_equity,
    count_points_of,
    match_equity,
    read_scores,
    solve_at_scores,
)
from ginsim.rules import load_rules

#: Hands by dealer, winner and points, written by hand: the player is 0; 2 is nobody.
HANDS = {
    (0, 0, 0): 1,
    (0, 0, 2): 5,
    (0, 0, 9): 2,
    (0, 1, 1): 4,
    (0, 1, 0): 2,
    (0, 2, 0): 3,
    (1, 0, 3): 4,
    (1, 0, 1): 1,
    (1, 1, 2): 6,
    (1, 1, 0): 1,
    (1, 2, 0): 2,
}


class Waiter(ginsim.PythonStrategy):
    """Greedy, written in Python."""

    version = "1"


def counts_of() -> np.ndarray:
    counts = np.zeros((2, 3, 12), np.int64)
    for place, number in HANDS.items():
        counts[place] = number
    return counts


def next_of(rule: str, dealer: int, winner: int) -> int:
    return {"alternate": 1 - dealer, "winner": winner, "loser": 1 - winner}[rule]


def solve_exactly(rule: str, target: int) -> Any:
    """The chances as fractions. Hands that change no score lead round; they are left out by
    following what a pair of dealers comes to, in equations solved by hand (Cramer)."""

    @cache
    def chance(own: int, other: int) -> tuple[Fraction, Fraction]:
        rows = []
        for dealer in (0, 1):
            total = sum(number for (who, _, _), number in HANDS.items() if who == dealer)
            known = Fraction(0)
            same = [Fraction(0), Fraction(0)]
            for (who, winner, points), number in HANDS.items():
                if who != dealer:
                    continue
                share = Fraction(number, total)
                if winner == 2:
                    same[dealer] += share
                    continue
                then = next_of(rule, dealer, winner)
                mine = own + (points if winner == 0 else 0)
                his = other + (points if winner == 1 else 0)
                if mine >= target:
                    known += share
                elif his >= target:
                    continue
                elif points:
                    known += share * chance(mine, his)[then]
                else:
                    same[then] += share
            rows.append((known, same))
        (x, p), (y, q) = rows
        a, b, c, d = 1 - p[0], -p[1], -q[0], 1 - q[1]
        return (d * x - b * y) / (a * d - b * c), (a * y - c * x) / (a * d - b * c)

    return chance


@pytest.mark.parametrize("rule", ["alternate", "winner", "loser"])
@pytest.mark.parametrize("target", [1, 4, 7, 20])
def test_small_games_exactly(rule: str, target: int) -> None:
    rules = load_rules("kawu").replace(target=target, next_dealer=rule)
    found = compute_equity(rules, counts_of())
    exact = solve_exactly(rule, target)
    assert found.shape == (target, target, 2)
    for own, other in np.ndindex(target, target):
        assert found[own, other] == pytest.approx([float(each) for each in exact(own, other)])
    both = compute_equity(rules, np.stack([counts_of(), counts_of()[::-1]]))
    assert both[0] == pytest.approx(found)
    assert both[1] != pytest.approx(found)


@pytest.mark.parametrize("rules", ["kawu", "classic", "casual+oklahoma", "eaai"])
def test_games_end_as_the_table_says(rules: str) -> None:
    """Share of simulated games won, by first dealer; false alarm one in 1,000 in eight."""
    pair = ("greedy(knock_at=4)", "simple")
    equity = match_equity(rules, *pair, 200_000, seed=1)
    games = ginsim.simulate_games(rules, pair, 8000, seed=99, mirror=True)
    for dealer, side in (("south", "policy"), ("north", "opponent")):
        won = (games["winner"][games["first_dealer"] == dealer] == "south").mean()
        chance = equity.chance(0, 0, side)
        error = np.hypot(0.5 / np.sqrt(4000), equity.errors[0, 0].max())
        assert abs(won - chance) < 3.9 * error


def test_equals_have_what_is_left_between_them() -> None:
    equity = match_equity("kawu", "greedy", None, 20_000, seed=3)
    mine, his = equity.chances[..., 0], equity.chances[..., 1]
    assert mine + his.T == pytest.approx(np.ones_like(mine))
    assert (np.diff(mine, axis=0) > 0).all()
    assert (np.diff(mine, axis=1) < 0).all()
    assert equity.chance(100, 30, "policy") == 1.0
    assert equity.chance(30, 131, "opponent") == 0.0
    assert (equity.errors > 0).all()
    assert equity.errors.max() < 0.02


def test_points_of_equals_are_put_together() -> None:
    frame = ginsim.simulate("kawu", "greedy", 500, seed=2, mirror=True)
    alone, both = count_points_of(frame, False), count_points_of(frame, True)
    assert alone.sum() == 500
    assert both.sum() == 1000
    assert (both[0, 0] == alone[0, 0] + alone[1, 1]).all()
    assert (both[1, 2] == alone[1, 2] + alone[0, 2]).all()
    first = frame.iloc[0]
    dealer, winner = (int(frame[name].cat.codes[0]) for name in ("dealer", "winner"))
    assert alone[dealer, winner if winner >= 0 else 2, first["points"]] >= 1


def test_the_table() -> None:
    equity = match_equity("kawu", "greedy", "simple", 2000, seed=3)
    table = equity.table()
    assert list(table) == [column.name for column in EQUITY_COLUMNS]
    assert len(table) == 100 * 100 * 2
    row = table[(table["own"] == 60) & (table["other"] == 45) & (table["dealer"] == "opponent")]
    assert row["chance"].tolist() == [equity.chance(60, 45, "opponent")]


def test_errors_are_not_estimated_for_long_games() -> None:
    rules = load_rules("kawu").replace(target=301)
    assert np.isnan(match_equity(rules, hands=2000, seed=1).errors).all()


def test_what_a_hand_is_worth_at_a_score() -> None:
    for rule in ("alternate", "winner", "loser"):
        rules = load_rules("kawu").replace(next_dealer=rule)
        equity = match_equity(rules, hands=2000, seed=1)
        count = equity.worth(60, 80)
        for net, winner, own, other in (
            (12, 0, 72, 80),
            (40, 0, 100, 80),
            (-19, 1, 60, 99),
            (-20, 1, 60, 100),
            (0, 2, 60, 80),
            (0, 0, 60, 80),
        ):
            for dealt in (0, 1):
                dealer = 0 if dealt else 1
                then = dealer if winner == 2 else next_of(rule, dealer, winner)
                wanted = equity.chance(own, other, ("policy", "opponent")[then])
                found = count(np.array([net]), np.array([winner]), np.array([bool(dealt)]))
                assert found.tolist() == [round(wanted * SCALE)]


def test_the_knock_table_at_a_score() -> None:
    """Far behind one waits for gin where one would knock when ahead; both win more games."""
    solved = {
        scores: solve_at_scores("kawu", "greedy", None, 40_000, scores=scores, seed=1)
        for scores in ("90-20", "20-90")
    }
    for scores, solution in solved.items():
        assert solution.unit == "chance"
        assert solution.gain is not None
        assert solution.gain.low > 0
        assert solution.provenance["scores"] == [int(each) for each in scores.split("-")]
        assert 0 < solution.value.value < 1
    assert solved["90-20"].value.value > 0.9
    assert solved["20-90"].value.value < 0.1
    knocks = {scores: solution.table["knock"].sum() for scores, solution in solved.items()}
    assert knocks["90-20"] > knocks["20-90"]
    # The value is the mean chance after hands that are played with it.
    solution = solved["20-90"]
    origin = solution.provenance
    first, size = origin["streams"]["reporting"]
    start = origin["first"] + 3 * size
    equity = match_equity("kawu", "greedy", "greedy", seed=1, first=start + start % 2)
    frame = ginsim.simulate("kawu", (solution.strategy, "greedy"), size, seed=1, first=first)
    winners = frame["winner"].cat.codes.to_numpy()
    worth = equity.worth(20, 90)(
        frame["net"].to_numpy().astype(np.int32),
        np.where(winners < 0, 2, winners),
        (frame["dealer"] == "south").to_numpy(),
    )
    assert solution.value.value == pytest.approx(worth.mean() / SCALE)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("hollywood", "scoring: a match-equity table is of two running scores, and hollywood has"),
        ("kawu+hollywood", "three columns at once"),
        ("partnership", "a partnership"),
        ("openspiel", "target: a game of openspiel is one hand"),
    ],
)
def test_rules_without_one_running_score_are_refused(rules: str, message: str) -> None:
    with pytest.raises(ginsim.RulesError, match=message):
        match_equity(rules, hands=100)
    with pytest.raises(ginsim.RulesError, match=message):
        solve_at_scores(rules, hands=100, scores="1-1")
    words = ["knock", rules, "--solve", "--scores", "10-20", "--hands", "200"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "rollout(2)"}, "opponent: a search is too slow"),
        ({"policy": "rollout(2)"}, "policy: a search is too slow"),
        ({"policy": "random"}, "policy: 'random' is not allowed"),
        ({"policy": Waiter()}, "policy: is written in Python; allowed: a strategy of rules"),
        ({"opponent": Waiter()}, "opponent: is written in Python; allowed: a strategy of rules"),
        ({"by": "stock"}, "by: 'stock' is not allowed"),
        ({"hands": 99}, "hands: 99 is not allowed"),
        ({"threads": 0}, "threads: 0 is not allowed"),
        ({"first": 2**62}, "first: 4611686018427387904 is not allowed"),
    ],
)
def test_what_cannot_be_solved_for_is_refused_before_anything_is_played(
    options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any, **_options: Any) -> None:
        raise AssertionError("hands were played")

    monkeypatch.setattr(equity, "match_equity", fail)
    with pytest.raises(ginsim.GinsimError, match=message):
        solve_at_scores("kawu", **{"hands": 200, "scores": "60-45", "seed": 1, **options})
    words = ["knock", "kawu", "--solve", "--scores", "60-45", "--opponent", "rollout(2)"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "opponent: a search is too slow" in result.output


def test_scores() -> None:
    assert read_scores("60-45") == read_scores("60:45") == read_scores((60, 45)) == (60, 45)
    for wrong in ("60", "-1-3", "a-b", (1, 2, 3), None):
        with pytest.raises(ginsim.OptionError, match="scores: "):
            read_scores(wrong)
    with pytest.raises(ginsim.OptionError, match="below the target of kawu"):
        solve_at_scores("kawu", hands=200, scores="100-20")


def test_who_never_wins_has_no_table() -> None:
    frame = pd.DataFrame(
        {
            "dealer": pd.Categorical(["south", "north"], ["south", "north"]),
            "winner": pd.Categorical([None, None], ["south", "north"]),
            "points": [0, 0],
        }
    )
    with pytest.raises(ginsim.OptionError, match="nobody wins a hand"):
        compute_equity(load_rules("kawu"), count_points_of(frame, False))


def test_the_command(tmp_path: Any) -> None:
    path = tmp_path / "equity.csv"
    words = ["equity", "kawu", "--hands", "2000", "--seed", "3", "--opponent", "simple"]
    text = CliRunner().invoke(main, [*words, "--scores", "60-45", "--out", str(path)]).output
    equity = match_equity("kawu", "greedy", "simple", 2000, seed=3)
    for side in ("policy", "opponent"):
        assert f"at 60-45: {100 * equity.chance(60, 45, side):.2f} (" in text
    pd.testing.assert_frame_equal(ginsim.read_records(path), equity.table(), check_exact=True)
    text = CliRunner().invoke(main, [*words, "--step", "50"]).output
    assert f"{100 * equity.chance(50, 0, 'policy'):.1f}" in text
