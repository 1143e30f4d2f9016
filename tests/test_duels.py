"""Duels: figures by hand and by plain pandas, the stopping rule, what is said and refused."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import ginsim
from ginsim import duels
from ginsim.cli import main
from ginsim.duel_sums import (
    DuelSums,
    Rule,
    count_games_needed,
    estimate_duel,
    find_rows,
    follow_rule,
    judge,
)
from ginsim.intervals import Estimate, wilson

PAIR = ("greedy(knock_at=4)", "simple")


def read_table(result: ginsim.Duel) -> dict[str, Any]:
    """The rows of a duel's table by figure."""
    return {str(row.measure): row for row in result.table.itertuples()}


def make_games(**columns: list[Any]) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    frame["winner"] = pd.Categorical(frame["winner"], ["south", "north"])
    return frame


#: Two deals: A wins both games of the first, and loses one and draws one of the second.
GAMES = make_games(
    winner=["south", "south", "north", None],
    hands=[5, 7, 4, 4],
    south_hands=[3, 5, 1, 2],
    north_hands=[2, 1, 2, 2],
    south_points=[100, 110, 20, 60],
    north_points=[50, 20, 105, 85],
    margin=[100, 50, -80, -10],
)


# -- figures --------------------------------------------------------------------------------------


def test_figures_of_two_deals_by_hand() -> None:
    sums = DuelSums.from_frame(GAMES)
    assert (sums.deals, sums.measures) == (2, ("games", "hands", "points", "margin"))
    # Deals of 1 and 1/4: mean 5/8, each 3/8 away, so s² = 2 (3/8)² and se = 3/8.
    games = estimate_duel(sums, "games")
    assert [games.value, games.se] == pytest.approx([0.625, 0.375])
    # Of 20 hands A won 11 and nobody 2 (one in game 2, one in game 3): 12 of 20.
    hands = estimate_duel(sums, "hands")
    assert hands.value == pytest.approx(12 / 20)
    # Deals: 8.5 of 12 and 3.5 of 8; residuals 8.5 - 7.2 = 1.3 and -1.3, so se = 2 · 1.3 / 20.
    assert hands.se == pytest.approx(2 * 1.3 / 20)
    # 140 in 12 hands and -110 in 8: 1.5 a hand, residuals 122 and -122.
    points = estimate_duel(sums, "points")
    assert [points.value, points.se] == pytest.approx([1.5, 2 * 122 / 20])
    # Deals of 75 and -45: mean 15, se 60; Student's t with one degree of freedom.
    margin = estimate_duel(sums, "margin")
    assert [margin.value, margin.se] == pytest.approx([15, 60])
    assert [margin.low, margin.high] == pytest.approx([15 - 12.7062 * 60, 15 + 12.7062 * 60])
    assert judge(margin, "margin") == "not told apart"


def test_single_deal_and_equal_players_are_no_certainty() -> None:
    sums = DuelSums.from_frame(GAMES[:2])
    figure = estimate_duel(sums, "margin")
    assert figure.value == 75
    assert math.isnan(figure.se)
    assert judge(figure, "margin") == "not told apart"
    # Each deal won once by each, 100 to 0: no deal differs from another.
    rows = {name: (np.array([1, -1] * 50), np.ones(100, np.int64)) for name in ("games",)}
    rows["margin"] = (np.array([100, -100] * 50), np.ones(100, np.int64))
    sums = DuelSums.from_rows(rows)
    # One deal more with 200 in two games: se = sqrt(200² · 50/49) / 100.
    figure = estimate_duel(sums, "margin")
    assert [figure.value, figure.se] == pytest.approx([0, 2 * math.sqrt(50 / 49)])
    figure = estimate_duel(sums, "games")
    assert figure.value == 0.5
    assert figure.low < 0.5 < figure.high
    assert count_games_needed(figure, "games", 50) == math.inf
    # At a look, four deals more of 1 or 0 among 50: variance of the mean 4 · (1/4) / (49 · 50).
    figure = estimate_duel(sums, "games", critical=3.0)
    assert figure.se == pytest.approx(math.sqrt(1 / (49 * 50)))


def test_intervals_are_clustered_by_deal() -> None:
    result = ginsim.duel(*PAIR, "kawu", 2000, seed=9)
    frame = ginsim.simulate_games("kawu", PAIR, 2000, seed=9, mirror=True)
    deals = 1000
    table = read_table(result)
    won = (frame["winner"] == "south").astype(float) + 0.5 * frame["winner"].isna().astype(float)
    for measure, values in (("games", won), ("margin", frame["margin"])):
        by_deal = values.astype(float).groupby(frame["deal"]).mean()
        assert table[measure].value == pytest.approx(by_deal.mean())
        assert table[measure].se == pytest.approx(by_deal.std(ddof=1) / math.sqrt(deals))
    unwon = frame["hands"] - frame["south_hands"] - frame["north_hands"]
    tops = {
        "hands": frame["south_hands"] + unwon / 2,
        "points": frame["south_points"] - frame["north_points"],
    }
    bottom = frame["hands"].groupby(frame["deal"]).sum()
    for measure, values in tops.items():
        top = values.astype(float).groupby(frame["deal"]).sum()
        ratio = top.sum() / bottom.sum()
        residuals = top - ratio * bottom
        se = math.sqrt((residuals**2).sum() * deals / (deals - 1)) / bottom.sum()
        assert table[measure].value == pytest.approx(ratio)
        assert table[measure].se == pytest.approx(se)
    assert (result.table["clusters"] == deals).all()
    assert result.table["count"].tolist() == [
        2000,
        frame["hands"].sum(),
        frame["hands"].sum(),
        2000,
    ]
    # Unclustered errors would be others: the two games of a deal are not independent.
    assert abs(frame["margin"].std() / math.sqrt(2 * deals) / table["margin"].se - 1) > 0.02


def test_single_hands_are_those_of_the_tally() -> None:
    result = ginsim.duel(*PAIR, "kawu", hands=4000, seed=9)
    summary = ginsim.summarize(ginsim.tally("kawu", PAIR, 4000, seed=9, mirror=True))
    net = summary[summary["measure"] == "net"].iloc[0]
    points = read_table(result)["points"]
    for name in ("value", "se", "low", "high"):
        assert getattr(points, name) == pytest.approx(net[name], rel=1e-12)
    wins = summary[summary["measure"] == "win"].set_index("seat")["value"]
    share = read_table(result)["hands"].value
    assert share == pytest.approx((1 + wins["south"] - wins["north"]) / 2)
    assert (result.unit, result.measure, result.count) == ("hands", "hands", 4000)


def test_boxes_and_pairs_of_a_partnership() -> None:
    result = ginsim.duel(*PAIR, "partnership", 200, seed=9)
    players = (PAIR[0], PAIR[0], PAIR[1], PAIR[1])
    frame = ginsim.simulate_games("partnership", players, 200, seed=9, mirror=True)
    table = read_table(result)
    assert table["boxes"].value == pytest.approx(frame["box_margin"].mean())
    assert table["margin"].value == pytest.approx(frame["margin"].mean())
    assert set(result.provenance["strategies"]) == {"A", "B", "C", "D"}
    result = ginsim.duel(*PAIR, "hollywood", 20, seed=9, measure="boxes")
    assert result.measure == "boxes"


def test_the_order_of_the_players_only_changes_the_sides() -> None:
    one, other = "greedy(knock_at=4)", "greedy(knock_at=0)"
    ours = ginsim.duel(one, other, "kawu", 600, seed=9)
    theirs = ginsim.duel(other, one, "kawu", 600, seed=9)
    assert (ours.verdict, theirs.verdict) == ("B stronger", "A stronger")
    assert ours.games_needed == theirs.games_needed
    mirrored = read_table(theirs)
    for measure, row in read_table(ours).items():
        mirror = mirrored[measure]
        whole = 1 if measure in ("games", "hands") else 0
        assert row.value == pytest.approx(whole - mirror.value)
        assert row.se == pytest.approx(mirror.se)
        assert row.low == pytest.approx(whole - mirror.high)
        assert row.high == pytest.approx(whole - mirror.low)


def test_games_needed_by_hand() -> None:
    """(1.95996 + 0.84162)² = 7.8489; a deal has sd 1/2, and 1/20 is to be seen: 784.9 deals."""
    figure = Estimate(0.55, 0.5 / math.sqrt(100), 0.4, 0.6)
    assert count_games_needed(figure, "games", 100) == 2 * 785
    # Points: sd 10 a deal, 2 to be seen: 7.8489 · 25 = 196.2 deals.
    assert count_games_needed(Estimate(-2.0, 1.0, 0, 0), "points", 100) == 2 * 197
    assert count_games_needed(Estimate(0.5, 0.1, 0, 1), "games", 100) == math.inf
    assert math.isnan(count_games_needed(Estimate(0.6, math.nan, 0, 1), "games", 1))


# -- the stopping rule ----------------------------------------------------------------------------


Rows = dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]


def add_up(rows: Rows, deals: tuple[int, ...]) -> Iterator[DuelSums]:
    """The sums of the first deals, at each of these numbers."""
    for number in deals:
        yield DuelSums.from_rows(
            {name: (top[: 2 * number], base[: 2 * number]) for name, (top, base) in rows.items()}
        )


def test_the_rule_is_a_function_of_the_sums_at_its_looks() -> None:
    result = ginsim.duel(*PAIR, "kawu", precision=0.02, max_games=6000, seed=4)
    frame = ginsim.simulate_games("kawu", PAIR, 6000, seed=4, mirror=True)
    rule = Rule("games", 0.02, 3000)
    looks = follow_rule(rule, add_up(find_rows(frame), rule.looks))
    pd.testing.assert_frame_equal(result.looks, pd.DataFrame(looks), check_exact=True)
    assert result.is_reached
    assert 2 * looks[-1].deals == result.count < 6000
    decisive, last = result.table.iloc[0], result.looks.iloc[-1]
    assert decisive["value"] == last["value"]
    assert (decisive["high"] - decisive["low"]) / 2 <= 0.02
    # All of the 5 % is spent, and the figure is that of plain sums.
    assert last["spent"] == pytest.approx(0.05)
    won = (frame["winner"][: result.count] == "south").mean()
    assert decisive["value"] == pytest.approx(won)
    # The look before was too wide even with the least critical value there is.
    assert 1.9599 * result.looks["se"].iloc[-2] > 0.0199


def test_looks_are_planned() -> None:
    # From 128 a tenth more each time, rounded up; the last two are more than a twentieth apart.
    assert Rule("games", 0.1, 200).looks == (128, 141, 156, 172, 190, 200)
    assert Rule("games", 0.1, 199).looks == (128, 141, 156, 172, 199)
    assert Rule("games", 0.1, 180).looks == (128, 141, 156, 180)
    assert Rule("games", 0.1, 128).looks == (128,)
    assert Rule("games", 0.1, 2).looks == (2,)


def test_a_single_look_is_a_fixed_size() -> None:
    """At the bound all is spent at once: critical value 1.96, with Student's t as ever."""
    result = ginsim.duel(*PAIR, "kawu", hands=100, precision=0.001, measure="points", seed=4)
    fixed = ginsim.duel(*PAIR, "kawu", hands=100, seed=4)
    assert result.looks["critical"].tolist() == [pytest.approx(1.959964, abs=1e-6)]
    assert not result.is_reached
    values = read_table(fixed)["points"]
    own = read_table(result)["points"]
    # The four deals more make it a little wider.
    assert values.high < own.high < values.high + 0.2 * (values.high - values.low)


def test_the_interval_of_a_look_of_shares_is_wilsons() -> None:
    sums = DuelSums.from_rows({"games": (np.array([1, 1] * 128), np.ones(256, np.int64))})
    figure = estimate_duel(sums, "games", critical=2.0)
    # All games won: 128 deals, all alike, count as so many results (t with 127: 1.9788 / 1.95996).
    low, high = wilson(1.0, 128, 2.0 * 1.97882 / 1.959964)
    assert [figure.low, figure.high] == pytest.approx([low, high], abs=1e-5)


@pytest.mark.parametrize(
    ("for_a", "for_b", "precision"),
    [(0.01, 0.0, 0.005), (0.016, 0.0, 0.01), (0.0175, 0.001, 0.01), (0.03, 0.0, 0.02)],
)
def test_stopping_keeps_its_coverage_where_players_rarely_differ(
    for_a: float, for_b: float, precision: float
) -> None:
    """Deals that one player wins twice with a small chance, and the other never or still less.

    The truth is known by the chances; the interval must hold it in 95 of 100 duels. Of 600 at
    95 % fewer than 555 hold it once in 200 times.
    """
    rng = np.random.default_rng(7)
    rule = Rule("games", precision, 200_000)
    held = 0
    for _ in range(600):

        def each() -> Iterator[DuelSums]:
            a = b = before = 0
            for size in rule.looks:
                new = rng.multinomial(size - before, (for_a, for_b, 1 - for_a - for_b))
                a, b, before = a + int(new[0]), b + int(new[1]), size
                # A deal won twice has tops 1 and 1; a split one 1 and -1.
                total = [2 * (a - b), 2 * size, 4 * (a + b), 4 * (a - b), 4 * size, 2 * size]
                yield DuelSums(("games",), size, np.array([total], np.int64))

        last = follow_rule(rule, each())[-1]
        held += last.low <= 0.5 + (for_a - for_b) / 2 <= last.high
    assert held >= 555


def test_threads_and_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"precision": 0.03, "seed": 4, "first": 10}
    whole = ginsim.duel(*PAIR, "classic", threads=1, **options)
    monkeypatch.setattr(duels, "BLOCK", {"games": 62, "hands": 62})
    parts = ginsim.duel(*PAIR, "classic", threads=2, **options)
    pd.testing.assert_frame_equal(whole.table, parts.table, check_exact=True)
    pd.testing.assert_frame_equal(whole.looks, parts.looks, check_exact=True)
    assert (whole.provenance, whole.verdict) == (parts.provenance, parts.verdict)


def test_provenance_reproduces() -> None:
    result = ginsim.duel(*PAIR, "kawu", precision=0.06, early=True)
    origin = result.provenance
    how = origin["duel"]
    again = ginsim.duel(
        origin["strategies"]["south"],
        origin["strategies"]["north"],
        origin["rules"],
        precision=how["precision"],
        measure=how["measure"],
        max_games=2 * how["max_deals"],
        early=how["early"],
        seed=origin["seed"],
        first=origin["first"],
    )
    pd.testing.assert_frame_equal(result.looks, again.looks, check_exact=True)
    assert again.provenance == origin
    assert origin["games"] == result.count


def test_equal_players_are_rarely_told_apart() -> None:
    """400 duels of equal players: wrong verdicts in 5 % of them, at all looks together.

    For each deal a lot says which of two players sits for A, so that A and B are equal while the
    deals are as they are. At 5 % the share of 400 has a standard error of 1.1 %; the bounds 1.4 %
    and 8.6 % are 3.3 of them away, one false alarm in 1000. To stop as soon as a plain interval
    tells the players apart is wrong far more often: with five looks, had they the same distances,
    in 14 % of duels (Armitage, McPherson and Rowe 1969).
    """
    runs, deals = 400, 500
    rule = Rule("points", 0.2, deals, early=True)
    pair = ("greedy(knock_at=4)", "greedy")
    frame = ginsim.simulate("kawu", pair, 2 * deals * runs, seed=77, mirror=True)
    lots = np.random.default_rng(77).choice([-1, 1], size=deals * runs).repeat(2)
    rows = {name: (lots * top, base) for name, (top, base) in find_rows(frame).items()}
    plain = stopped = watched = 0

    def is_wrong(sums: DuelSums) -> bool:
        return judge(estimate_duel(sums, "points"), "points") != "not told apart"

    for run in range(runs):
        part = slice(2 * deals * run, 2 * deals * (run + 1))
        own = {name: (top[part], base[part]) for name, (top, base) in rows.items()}
        sums = list(add_up(own, rule.looks))
        last = follow_rule(rule, sums)[-1]
        plain += is_wrong(sums[-1])
        stopped += not last.low <= 0 <= last.high
        watched += any(map(is_wrong, sums))
    assert 0.014 <= plain / runs <= 0.086
    assert 0.014 <= stopped / runs <= 0.086
    assert watched / runs > 0.1


# -- what is said and refused ---------------------------------------------------------------------


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["duel", *words])


@pytest.mark.parametrize("rules", ["kawu", "partnership"])
def test_deals_won_both_ways_are_those_of_the_games(rules: str) -> None:
    """Counted game by game: who won the first game of a deal, and who the second."""
    result = ginsim.duel("greedy(knock_at=0)", "greedy", rules, 300, seed=1)
    players = ("greedy(knock_at=0)", "greedy")
    if rules == "partnership":
        players = ("greedy(knock_at=0)",) * 2 + ("greedy",) * 2  # type: ignore[assignment]
    games = ginsim.simulate_games(rules, players, 300, seed=1, mirror=True)
    pairs = games["winner"].astype(str).to_numpy().reshape(-1, 2)
    won = (pairs == "south").sum(axis=1)
    assert set(pairs.ravel()) == {"south", "north"}
    counts = tuple(int((won == number).sum()) for number in (2, 1, 0))
    assert min(counts) > 0
    assert result.sums.count_both_ways() == counts
    words = ["duel", *players[:: len(players) // 2], "--rules", rules, "--games", "300"]
    text = " ".join(CliRunner().invoke(main, [*words, "--seed", "1"]).output.split())
    assert "The same deal both ways: A won both games in " in text
    assert f"{100 * counts[0] / 150:.1f} % (" in text
    document = json.loads(CliRunner().invoke(main, [*words, "--seed", "1", "--json"]).stdout)
    assert document["both_ways"] == dict(zip(("a", "each", "b"), counts, strict=True))


def test_a_dead_hand_says_not_of_which_deal_it_was() -> None:
    result = ginsim.duel("expert", "expert", "kawu", hands=400, seed=1)
    hands = ginsim.simulate("kawu", "expert", 400, seed=1, mirror=True)
    assert hands["winner"].isna().any()
    assert result.sums.count_both_ways() is None
    words = ["duel", "expert", "expert", "--rules", "kawu", "--hands", "400", "--seed", "1"]
    assert "both ways" not in CliRunner().invoke(main, words).output


def test_the_document_has_the_numbers_of_python() -> None:
    words = [*PAIR, "--rules", "kawu", "--precision", "0.05", "--seed", "3"]
    document = json.loads(run(*words, "--json").output)
    result = ginsim.duel(*PAIR, "kawu", precision=0.05, seed=3)
    assert document["provenance"] == result.provenance
    assert document["verdict"] == result.verdict
    assert [look["low"] for look in document["looks"]] == result.looks["low"].tolist()
    table = read_table(result)
    assert document["measures"]["points"]["high"] == table["points"].high


def test_text_says_what_the_intervals_are() -> None:
    words = [*PAIR, "--rules", "kawu", "--seed", "3"]
    fixed = run(*words, "--games", "400").output
    assert "those for a size chosen beforehand" in fixed
    text = run(*words, "--precision", "0.05").output
    assert "alpha spending, O'Brien-Fleming type (Lan and DeMets 1983)" in text
    assert "that hold after stopping" in " ".join(text.split())
    assert "Precision wanted ±5 %, reached ±" in text
    text = run(*words, "--precision", "0.001", "--max-games", "300").output
    assert "The precision was not reached: wanted ±0.1 %, got ±" in text
    assert "the most allowed (--max-games) was played" in " ".join(text.split())
    words = ["greedy", "random", "--rules", "kawu", "--seed", "3"]
    text = run(*words, "--precision", "0.001", "--early").output
    assert "A is stronger: the interval of the share of games has no equality in it." in text
    assert "ended early" in text
    text = run("greedy", "greedy", "--rules", "kawu", "--seed", "3", "--games", "20").output
    assert "A and B are not told apart" in text
    assert "no number of games would tell such players apart" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "games: 3 is not allowed; allowed: an even number"),
        ({"games": 0}, "games: 0 is not allowed; allowed: a whole number from 2"),
        ({"games": 2, "hands": 2}, "games, hands: both are given; allowed: one of them"),
        ({"games": 2, "precision": 0.1}, "games, precision: both are given; allowed: a fixed size"),
        ({"hands": 7}, "hands: 7 is not allowed; allowed: an even number"),
        ({"max_games": 10}, "max_games: bounds games that are played for a precision; allowed:"),
        ({"max_games": 9, "precision": 0.1}, "max_games: 9 is not allowed; allowed: an even"),
        ({"max_games": 2, "precision": 0.1}, "max_games: 2 is not allowed; allowed: a whole"),
        ({"precision": 0}, "precision: 0 is not allowed; allowed: a number above 0 and below 0.5"),
        ({"precision": 0.5}, "precision: 0.5 is not allowed"),
        ({"precision": math.nan}, "precision: nan is not allowed"),
        ({"precision": "fine"}, "precision: 'fine' is not allowed"),
        ({"precision": -1, "measure": "points"}, "precision: -1 is not allowed; allowed: a number"),
        ({"measure": "boxes"}, "allowed: games, hands, points or margin"),
        ({"measure": "margin", "hands": 2}, "allowed: hands or points"),
        ({"early": True}, "early: needs a precision"),
        ({"early": 1, "precision": 0.1}, "early: 1 is not allowed; allowed: true or false"),
        ({"first": 1}, "first: 1 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"threads": 0}, "threads: 0 is not allowed"),
    ],
)
def test_bad_input_is_refused_in_words(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ginsim.OptionError) as caught:
        ginsim.duel(*PAIR, "kawu", **options)
    assert message in str(caught.value)


def test_bad_words_are_one_message_and_exit_2() -> None:
    for words, message in (
        (["greedy", "--rules", "kawu"], "Missing argument 'B'"),
        ([*PAIR], "Missing option '--rules'"),
        (["greedy", "strong", "--rules", "kawu"], "unknown strategy 'strong'"),
        ([*PAIR, "--rules", "kawu", "--precision", "0.7"], "precision: 0.7 is not allowed"),
        ([*PAIR, "--rules", "partnership", "--hands", "10"], "are played as games"),
        ([*PAIR, "--rules", "kawu", "--measure", "luck"], "'luck' is not one of"),
    ):
        result = run(*words)
        assert result.exit_code == 2, result.output
        assert message in result.output
        assert "Traceback" not in result.output


def test_the_most_may_be_huge() -> None:
    result = ginsim.duel(*PAIR, "kawu", hands=2**50, precision=0.1, seed=1)
    assert result.is_reached
    assert result.count == 256
