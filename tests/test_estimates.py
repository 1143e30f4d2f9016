"""User statistics against published numbers, hand calculations, plain pandas, and the truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim.decision_frames import decisions
from ginsim.errors import OptionError
from ginsim.estimates import estimate
from ginsim.figures import adjust
from ginsim.files import read_records, write_records
from ginsim.simulation import simulate, tally

PAIR = ("greedy(knock_at=4)", "simple")


def hands(*deals: int, **columns: Any) -> pd.DataFrame:
    """A small frame of hands."""
    return pd.DataFrame({"deal": deals or range(len(next(iter(columns.values())))), **columns})


def figure(table: pd.DataFrame, **where: Any) -> pd.Series:
    """The one row that has these values."""
    chosen = np.full(len(table), True)
    for name, value in where.items():
        chosen &= (table[name] == value).to_numpy()
    assert chosen.sum() == 1
    return table[chosen].iloc[0]


# -- shares, means, ratios ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "rows", "low", "high"),
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_shares_have_wilsons_interval(count: int, rows: int, low: float, high: float) -> None:
    frame = hands(won=np.arange(rows) < count)
    row = figure(estimate(frame, share="won"))
    assert row["value"] == count / rows
    assert (row["count"], row["clusters"]) == (rows, rows)
    assert row["low"] == pytest.approx(low, abs=5e-5)
    assert row["high"] == pytest.approx(high, abs=5e-5)
    assert row["se"] == pytest.approx(math.sqrt(count / rows * (1 - count / rows) / rows))


def test_mean_by_hand() -> None:
    # 1, 2, 3, 4: mean 2.5, sample variance 5/3, standard error sqrt(5/12).
    row = figure(estimate(hands(points=[1, 2, 3, 4]), mean="points"))
    assert row["value"] == 2.5
    assert row["se"] == pytest.approx(math.sqrt(5 / 12))
    # Student's t with three degrees of freedom.
    assert row["low"] == pytest.approx(2.5 - 3.1824 * math.sqrt(5 / 12))
    single = figure(estimate(hands(points=[3]), mean="points"))
    assert (single["value"], math.isnan(single["se"]), math.isnan(single["low"])) == (3, True, True)


def test_ratio_by_hand() -> None:
    # Pairs (x, y) = (2, 1), (4, 1), (0, 0), (6, 2): ratio 3, residuals -1, 1, 0, 0.
    frame = hands(x=[2, 4, 0, 6], y=[1, 1, 0, 2])
    row = figure(estimate(frame, ratio=("x", "y")))
    assert row["measure"] == "x / y"
    assert row["value"] == 3.0
    assert row["se"] == pytest.approx(math.sqrt(2 * 4 / 3) / 4)
    nothing = figure(estimate(hands(x=[1, 2], y=[0, 0]), ratio=("x", "y")))
    assert math.isnan(nothing["value"])
    assert math.isnan(nothing["se"])


def test_clusters_by_hand() -> None:
    # Deals of 1, 2 and 3 hands with 6, 2 + 4 and 1 + 2 + 3 points: mean 3, residuals of the deals
    # 6 - 3, 6 - 6, 6 - 9; their squares, 18, times 3/2, is 27; over 6 hands squared.
    frame = hands(9, 5, 5, 7, 7, 7, points=[6, 2, 4, 1, 2, 3])
    row = figure(estimate(frame, mean="points"))
    assert (row["value"], row["count"], row["clusters"]) == (3, 6, 3)
    assert row["se"] == pytest.approx(math.sqrt(27) / 6)
    # Two of 1, none of 2, one of 3 hands: share 1/3 (of rows), residuals 1 - 1/3, -2/3, 1 - 1.
    frame["gin"] = [True, False, False, True, False, False]
    row = figure(estimate(frame, share="gin"))
    variance = (4 / 9 + 4 / 9) * 3 / 2 / 36
    assert row["se"] == pytest.approx(math.sqrt(variance))
    # Wilson's formula with the number of independent hands that have this variance, and Student's
    # t with two degrees of freedom.
    size = (1 / 3 * 2 / 3) / variance
    t = 4.3027
    centre = (1 / 3 + t**2 / 2 / size) / (1 + t**2 / size)
    half = t / (1 + t**2 / size) * math.sqrt(2 / 9 / size + t**2 / 4 / size**2)
    assert row["low"] == pytest.approx(centre - half)
    assert row["high"] == pytest.approx(centre + half)


@pytest.mark.parametrize("mirror", [False, True])
def test_figures_are_those_of_the_summary(mirror: bool) -> None:
    frame = simulate("casual", PAIR, 20_000, seed=9, mirror=mirror)
    summary = ginsim.summarize(frame)
    columns = ["value", "se", "low", "high"]
    shares = summary[(summary["measure"] == "share") & (summary["seat"] == "all")]
    table = estimate(frame, share="outcome")
    assert table["measure"].tolist() == [f"outcome == {name}" for name in shares["outcome"]]
    np.testing.assert_allclose(table[columns], shares[columns], rtol=1e-9)
    table = estimate(
        frame,
        share=["winner == south", "winner == north"],
        mean=["net", "points"],
        ratio={"points_per_win": ("points", lambda part: part["winner"].notna())},
    )
    wins = (summary["measure"] == "win") & (summary["seat"] != "nondealer")
    means = summary["measure"].isin(["net", "points", "points_per_win"])
    expected = pd.concat([summary[wins], summary[means]])
    # Points per win have the degrees of freedom of the wins here, of the hands there.
    np.testing.assert_allclose(table[columns], expected[columns], rtol=1e-7)
    assert table.attrs["provenance"] == frame.attrs["provenance"]


def test_what_rests_on_one_deal_has_no_error() -> None:
    frame = hands(0, 0, 1, 2, x=[8, 0, 0, 0], won=[1, 0, 0, 0], side=[True, False, False, False])
    row = figure(estimate(frame, ratio=("x", "won")))
    assert (row["value"], row["clusters"]) == (8, 3)
    assert math.isnan(row["se"])
    assert math.isnan(row["low"])
    row = figure(estimate(frame, mean="x", paired="side"))
    assert row["value"] == 8
    assert math.isnan(row["se"])


def test_deals_that_all_have_the_same_share_leave_doubt() -> None:
    # One hand of each of ten pairs; and one in three, which is not exact in binary.
    for size in (2, 3):
        deals = np.repeat(np.arange(10), size)
        frame = hands(*deals, won=np.arange(10 * size) % size == 0)
        row = figure(estimate(frame, share="won"))
        reach = (1 - 1 / size) * (1 - 0.025**0.1)
        assert row["value"] == 1 / size
        assert row["low"] == pytest.approx(max(1 / size - reach, 0))
        assert row["high"] == pytest.approx(1 / size + reach)


def test_rows_that_are_there_twice_change_nothing() -> None:
    frame = simulate("kawu", PAIR, 500, seed=4)
    twice = pd.concat([frame, frame], ignore_index=True)
    asked: dict[str, Any] = {
        "share": "outcome == knock",
        "mean": "points",
        "ratio": ("points", "turns"),
    }
    once, doubled = estimate(frame, **asked), estimate(twice, **asked)
    assert (doubled["count"] == 2 * once["count"]).all()
    assert (doubled["clusters"] == once["clusters"]).all()
    np.testing.assert_allclose(doubled["se"][1:], once["se"][1:])
    # Of independent rows the binomial variance is taken, of clusters that of the sample.
    assert doubled["se"][0] == pytest.approx(once["se"][0] * math.sqrt(500 / 499))
    naive = estimate(twice, **asked, cluster=None)
    np.testing.assert_allclose(naive["se"] * math.sqrt(2), once["se"], rtol=2e-3)


def robust(frame: pd.DataFrame, top: pd.Series, bottom: pd.Series) -> tuple[float, float]:
    """A ratio and its cluster-robust standard error, deal by deal."""
    ratio = top.sum() / bottom.sum()
    squares = [
        (top[rows].sum() - ratio * bottom[rows].sum()) ** 2
        for rows in frame.groupby("deal").indices.values()
    ]
    factor = len(squares) / (len(squares) - 1)
    return ratio, math.sqrt(factor * sum(squares)) / bottom.sum()


def test_decisions_of_a_deal_are_one_cluster() -> None:
    frame = decisions("kawu", PAIR, 300, seed=7)
    table = estimate(
        frame,
        share="action == draw_pile",
        mean="deadwood_after",
        ratio=("deadwood_after", "turn"),
        by="kind",
    )
    assert table["kind"].tolist() == list(frame["kind"].cat.categories) * 3
    for kind in ("upcard", "draw", "discard"):
        part = frame[frame["kind"] == kind].reset_index(drop=True)
        ones = pd.Series(1, index=part.index)
        for measure, top, bottom in (
            ("action == draw_pile", (part["action"] == "draw_pile").astype(int), ones),
            ("deadwood_after", part["deadwood_after"], ones),
            ("deadwood_after / turn", part["deadwood_after"], part["turn"]),
        ):
            row = figure(table, kind=kind, measure=measure)
            assert row["count"] == len(part)
            assert row["clusters"] == part["deal"].nunique()
            value, se = robust(part, top.astype(float), bottom.astype(float))
            assert (row["value"], row["se"]) == (pytest.approx(value), pytest.approx(se))


# -- groups ---------------------------------------------------------------------------------------


def test_groups_equal_plain_pandas() -> None:
    frame = simulate("modern", PAIR, 5000, seed=3)
    table = estimate(frame, mean="points", by=["outcome", "dealer"])
    plain = frame.groupby(["outcome", "dealer"], observed=False)["points"].agg(
        ["count", "mean", "sem"]
    )
    assert table["outcome"].dtype == frame["outcome"].dtype
    assert list(zip(table["outcome"], table["dealer"], strict=True)) == list(plain.index)
    assert table["count"].tolist() == plain["count"].tolist()
    np.testing.assert_allclose(table["value"], plain["mean"])
    np.testing.assert_allclose(table["se"], plain["sem"])
    assert (table["count"] == 0).any()
    empty = table[table["count"] == 0]
    assert empty[["value", "se", "low", "high"]].isna().all(axis=None)


def test_groups_of_values_are_those_that_occur() -> None:
    frame = simulate("kawu", PAIR, 3000, seed=3)
    table = estimate(frame, mean="points", by=["turns", "dealer"])
    assert table["turns"].dtype == frame["turns"].dtype
    turns = sorted(set(frame["turns"]))
    assert list(zip(table["turns"], table["dealer"], strict=True)) == [
        (turn, seat) for turn in turns for seat in ("south", "north")
    ]
    other = estimate(frame, mean="points", by=["dealer", "turns"])
    pd.testing.assert_frame_equal(
        other.sort_values(["turns", "dealer"], ignore_index=True)[table.columns], table
    )
    two = estimate(frame, mean="points", by=["turns", "stock"])
    seen = frame[["turns", "stock"]].drop_duplicates().sort_values(["turns", "stock"])
    assert two[["turns", "stock"]].values.tolist() == seen.values.tolist()
    assert two["count"].sum() == len(frame)


def test_groups_of_ones_own() -> None:
    frame = simulate("kawu", PAIR, 1000, seed=3)
    early = frame["turns"] < 10
    table = estimate(
        frame, mean="points", by={"early": lambda part: part["turns"] < 10, "d": "dealer"}
    )
    assert table["early"].tolist() == [False, False, True, True]
    assert list(table.columns[:2]) == ["early", "d"]
    assert table["count"].groupby(table["early"]).sum().tolist() == [(~early).sum(), early.sum()]


def test_missing_values_are_a_group_if_there_are_any() -> None:
    frame = simulate("kawu", "random", 2000, seed=3)
    assert frame["winner"].isna().any()
    table = estimate(frame, share="outcome == dead", by="winner")
    assert table["winner"].tolist()[:2] == ["south", "north"]
    assert pd.isna(table["winner"][2])
    assert table["value"].tolist() == [0, 0, 1]
    decided = frame[frame["winner"].notna()]
    assert estimate(decided, mean="points", by="winner")["winner"].tolist() == ["south", "north"]


def test_no_rows() -> None:
    frame = simulate("kawu", PAIR, 0, seed=3)
    assert estimate(frame, mean="points")["count"].tolist() == [0]
    table = estimate(frame, share="outcome", mean="points", by="dealer")
    assert len(table) == 8 * 2
    assert (table["count"] == 0).all()
    assert table["value"].isna().all()
    assert len(estimate(frame, mean="points", by="turns")) == 0
    both = estimate(frame, share="winner == south", paired=frame)
    assert both[["value", "low", "p", "p_holm"]].isna().all(axis=None)


# -- values ---------------------------------------------------------------------------------------


def test_all_ways_to_say_a_value() -> None:
    frame = simulate("kawu", PAIR, 1000, seed=3)
    gin = frame["outcome"] == "gin"
    ways: list[Any] = [
        "outcome == gin",
        " outcome=='gin' ",
        'outcome == "gin"',
        {"gin": "outcome == gin"},
        {"gin": gin},
        gin.to_numpy(),
        lambda part: part["outcome"] == "gin",
        [lambda part: part["outcome"] == "gin"],
    ]
    for way in ways:
        assert figure(estimate(frame, share=way))["value"] == gin.mean()
    assert estimate(frame, share=gin.to_numpy())["measure"].tolist() == ["share"]
    assert estimate(frame, share={"o": "outcome"})["measure"][1] == "o == gin"
    assert figure(estimate(frame, share="turns == 7"))["value"] == (frame["turns"] == 7).mean()
    assert figure(estimate(frame, mean=gin))["value"] == gin.mean()
    plays = decisions("kawu", PAIR, 50, seed=3)
    legal = plays["knock_legal"].mean()
    assert figure(estimate(plays, share="knock_legal"))["value"] == legal
    assert figure(estimate(plays, share="knock_legal == True"))["value"] == legal
    assert figure(estimate(plays, share="knock_legal == false"))["value"] == 1 - legal


def test_frames_that_pandas_read_will_do(tmp_path: Any) -> None:
    frame = simulate("kawu", PAIR, 1000, seed=3)
    write_records(frame, tmp_path / "x.csv")
    text = pd.read_csv(tmp_path / "x.csv", comment="#")
    asked: dict[str, Any] = {"share": "outcome == gin", "mean": "net", "by": "dealer"}
    table = estimate(frame, **asked)
    again = estimate(text, **asked).sort_values(["measure", "dealer"], ascending=False)
    np.testing.assert_allclose(
        again[["value", "se"]],
        table.sort_values(["measure", "dealer"], key=lambda c: c.astype(str), ascending=False)[
            ["value", "se"]
        ],
    )
    pd.testing.assert_frame_equal(estimate(read_records(tmp_path / "x.csv"), **asked), table)


FRAME = simulate("kawu", PAIR, 20, seed=3)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "nothing is asked for; allowed: share, mean, ratio"),
        ({"mean": "point"}, "mean: unknown column 'point'; did you mean 'points'"),
        ({"share": "outcom == gin"}, "share: unknown column 'outcom'; did you mean 'outcome'"),
        ({"share": "outcome == gni"}, "unknown value of outcome 'gni'; did you mean 'gin'"),
        ({"share": "turns == many"}, "turns: 'many' is not allowed; allowed: a number"),
        ({"share": "points"}, "share: values of type int16; allowed: true or false"),
        ({"mean": "outcome"}, "mean: values of type category; allowed: numbers"),
        ({"mean": np.full(20, np.nan)}, "mean: missing or infinite values"),
        ({"mean": np.ones(19)}, r"values of shape \(19,\); allowed: one for each row, \(20,\)"),
        ({"mean": lambda part: 1}, r"values of shape \(\)"),
        ({"mean": FRAME["points"][::-1]}, "values with another index"),
        ({"ratio": "points"}, "ratio: 'points' is not allowed; allowed: a pair"),
        ({"ratio": [("points",)]}, r"ratio: \('points',\) is not allowed"),
        ({"mean": ["points", "points"]}, "two figures are called 'points'"),
        ({"mean": "points", "by": "seat"}, "by: unknown column 'seat'"),
        ({"mean": "points", "by": {"value": "dealer"}}, "by: 'value' is not allowed"),
        ({"mean": "points", "cluster": "game"}, "cluster: no column 'game'"),
        ({"mean": "points", "paired": "dealer == south", "cluster": None}, "cluster: None"),
        ({"mean": "points", "paired": "hand == 3"}, "no deal is on both sides"),
        ({"mean": "points", "paired": "turns"}, "paired: values of type int16"),
        ({"mean": np.ones(20), "paired": FRAME}, "values for each row belong to one frame"),
        (
            {"mean": "points", "paired": simulate("kawu", PAIR, 20, seed=4)},
            r"differ in seed \(3 and 4\)",
        ),
        (
            {"mean": "points", "paired": simulate("kawu", PAIR, 20, seed=3, first=20)},
            "no deal is on both sides",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        estimate(FRAME, **asked)


def test_too_many_groups_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.estimates.MAX_GROUPS", 20)
    for by in (["hand", "dealer"], ["outcome", "dealer", "outcome", "winner"]):
        with pytest.raises(OptionError, match="by: more than 20 groups"):
            estimate(FRAME, mean="points", by=by)


# -- differences ----------------------------------------------------------------------------------


def test_difference_by_hand() -> None:
    # Differences 3, 0, -2, 3: mean 1, squares about it 4 + 1 + 9 + 4, variance 6, over 4 deals.
    ours = hands(0, 1, 2, 3, net=[4, 1, 0, 7])
    theirs = hands(3, 1, 0, 2, net=[4, 1, 1, 2])
    row = figure(estimate(ours, mean="net", paired=theirs))
    assert (row["count"], row["clusters"], row["value"]) == (8, 4, 1)
    assert row["se"] == pytest.approx(math.sqrt(6 / 4))
    assert row["high"] == pytest.approx(1 + 3.1824 * math.sqrt(6 / 4))
    # 1/1.5**0.5 = 0.816497 standard errors: 2 (1 - 0.792892) in tables of the normal distribution.
    assert row["p"] == pytest.approx(0.4142, abs=5e-5)
    assert row["p_holm"] == row["p"]


@pytest.mark.parametrize(
    ("table", "low", "high"),
    # Newcombe 1998, "Improved confidence intervals for the difference between binomial
    # proportions based on paired data", method 10. Both, the first only, the second only, neither.
    [
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((18, 12, 2, 18), 0.0562, 0.3290),
        ((53, 0, 0, 1), -0.0729, 0.0729),
        ((0, 30, 0, 0), 0.8395, 1.0),
    ],
)
def test_differences_of_shares_have_newcombes_interval(
    table: tuple[int, ...], low: float, high: float
) -> None:
    ours = hands(won=np.repeat([True, True, False, False], table))
    theirs = hands(won=np.repeat([True, False, True, False], table))
    row = figure(estimate(ours, share="won", paired=theirs))
    assert row["value"] == pytest.approx((table[1] - table[2]) / sum(table))
    assert row["low"] == pytest.approx(low, abs=5e-5)
    assert row["high"] == pytest.approx(high, abs=5e-5)
    turned = figure(estimate(theirs, share="won", paired=ours))
    assert turned["low"] == pytest.approx(-high, abs=5e-5)
    assert turned["high"] == pytest.approx(-low, abs=5e-5)


def test_differences_equal_plain_pandas() -> None:
    frame = simulate("kawu", ("greedy(knock_at=2)", "simple"), 4000, seed=5)
    other = simulate("kawu", ("greedy", "simple"), 4000, seed=5)
    table = estimate(
        frame,
        share=["winner == south", "outcome == gin"],
        mean=["net", "turns"],
        by="dealer",
        paired=other.sample(frac=1, random_state=1),
    )
    plain = {
        "winner == south": lambda part: (part["winner"] == "south").astype(int),
        "outcome == gin": lambda part: (part["outcome"] == "gin").astype(int),
        "net": lambda part: part["net"],
        "turns": lambda part: part["turns"],
    }
    for measure, values in plain.items():
        difference = values(frame).astype(int) - values(other).astype(int)
        for seat in ("south", "north"):
            part = difference[frame["dealer"] == seat]
            row = figure(table, measure=measure, dealer=seat)
            assert row["value"] == pytest.approx(part.mean())
            assert row["se"] == pytest.approx(part.sem())
            assert row["clusters"] == len(part)
    assert table.attrs["paired"] == other.attrs["provenance"]
    assert table.attrs["provenance"] == frame.attrs["provenance"]
    assert (table["p_holm"] >= table["p"]).all()


def test_mirrored_halves_are_paired_by_deal() -> None:
    frame = simulate("kawu", PAIR, 4000, seed=5, mirror=True)
    table = estimate(frame, mean="net", share="winner == south", paired="dealer == south")
    wide = frame.pivot(index="deal", columns="dealer", values="net").astype(int)
    difference = wide["south"] - wide["north"]
    assert table["value"][1] == pytest.approx(difference.mean())
    assert table["se"][1] == pytest.approx(difference.sem())
    won = frame.assign(won=(frame["winner"] == "south").astype(int))
    wide = won.pivot(index="deal", columns="dealer", values="won")
    assert table["value"][0] == pytest.approx((wide["south"] - wide["north"]).mean())
    assert table["se"][0] == pytest.approx((wide["south"] - wide["north"]).sem())
    # A mirrored frame against a plain one of the same deals: two hands of a deal against one.
    plain = simulate("kawu", PAIR, 2000, seed=5)
    row = figure(estimate(frame, mean="net", paired=plain))
    mixed = frame.groupby("deal")["net"].mean() - plain.set_index("deal")["net"]
    assert row["value"] == pytest.approx(mixed.mean())
    assert row["se"] == pytest.approx(mixed.sem())
    assert (row["count"], row["clusters"]) == (6000, 2000)


def test_given_decks_are_the_same_whatever_the_seed() -> None:
    decks = np.random.default_rng(1).permuted(np.tile(np.arange(52), (30, 1)), axis=1)
    frame = simulate("kawu", PAIR, seed=5, decks=decks)
    other = simulate("kawu", "greedy", seed=6, decks=decks)
    row = figure(estimate(frame, mean="net", paired=other))
    assert row["se"] == pytest.approx((frame["net"] - other["net"]).sem())
    with pytest.raises(OptionError, match="paired: the frames differ in decks"):
        estimate(frame, mean="net", paired=simulate("kawu", PAIR, seed=5, decks=decks[::-1]))
    with pytest.raises(OptionError, match="paired: the frames differ in decks"):
        estimate(frame, mean="net", paired=simulate("kawu", PAIR, 30, seed=5))


def test_deals_of_one_side_only_count_on_it() -> None:
    frame = simulate("kawu", PAIR, 300, seed=5)
    other = simulate("kawu", "greedy", 200, seed=5, first=200)
    row = figure(estimate(frame, mean="net", paired=other))
    residuals = pd.concat(
        [
            (frame["net"] - frame["net"].mean()) / 300,
            -(other["net"] - other["net"].mean()) / 200,
        ]
    )
    deals = pd.concat([frame["deal"], other["deal"]])
    squares = (residuals.groupby(deals).sum() ** 2).sum()
    assert row["clusters"] == 400
    assert row["value"] == pytest.approx(frame["net"].mean() - other["net"].mean())
    assert row["se"] == pytest.approx(math.sqrt(squares * 400 / 399))


def test_a_difference_of_ratios_agrees_with_the_jackknife() -> None:
    frame = simulate("kawu", PAIR, 400, seed=5)
    other = simulate("kawu", "greedy", 400, seed=5)
    row = figure(estimate(frame, ratio=("points", "turns"), paired=other))

    def difference(kept: np.ndarray) -> float:
        ours, theirs = frame[kept], other[kept]
        return float(
            ours["points"].sum() / ours["turns"].sum()
            - theirs["points"].sum() / theirs["turns"].sum()
        )

    without = np.array([difference(np.arange(400) != left) for left in range(400)])
    jackknife = math.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
    assert row["value"] == pytest.approx(difference(np.full(400, True)))
    assert row["se"] == pytest.approx(jackknife, rel=0.01)


def test_equal_frames_differ_by_nothing() -> None:
    table = estimate(FRAME, share="winner == south", mean="net", paired=FRAME)
    assert (table["value"] == 0).all()
    assert (table["se"] == 0).all()
    assert table["p"].isna().all()  # there is no error to compare with
    # Twenty hands that end the same do not say that all do.
    assert table["low"][0] < 0 < table["high"][0]


def test_holm() -> None:
    # R: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")
    adjusted = adjust(np.array([0.03, 0.01, np.nan, 0.05, 0.02, 0.04]))
    np.testing.assert_allclose(adjusted, [0.09, 0.05, np.nan, 0.09, 0.08, 0.09])
    assert adjust(np.array([0.6, 0.9])).tolist() == [1.0, 1.0]


# -- against the truth ----------------------------------------------------------------------------

#: Of 1000 runs the share that covers the truth has a standard error of 0.7 %. These bounds are 3.3
#: of them away from 95 %: a right interval fails with a chance of about 1 in 1000 a figure.
RUNS, LEAST, MOST = 1000, 0.927, 0.973


def count_covered(truth: pd.DataFrame, runs: pd.DataFrame, keys: list[str]) -> list[float]:
    """The share of runs in whose intervals the true value is, figure by figure."""
    assert len(runs) == RUNS * len(truth)
    both = runs.merge(truth[[*keys, "value"]], on=keys, suffixes=("", "_true"))
    covers = (both["low"] <= both["value_true"]) & (both["value_true"] <= both["high"])
    return [
        float(share) for share in covers.groupby([both[key] for key in keys], observed=True).mean()
    ]


def number_runs(deals: int) -> Callable[[pd.DataFrame], Any]:
    """Runs of so many deals."""
    return lambda frame: frame["deal"] // deals


def test_intervals_of_mirrored_hands_cover_as_often_as_they_say() -> None:
    """1000 runs of 200 mirrored deals against 200,000 others: four figures by dealer."""
    asked: dict[str, Any] = {
        "share": ["outcome == knock", "winner == south"],
        "mean": "net",
        "ratio": ("points", "turns"),
    }
    pair = ("greedy", "greedy(knock_at=4)")
    hands = simulate("kawu", pair, 400_000, seed=100, mirror=True)
    others = simulate("kawu", pair, RUNS * 400, seed=101, mirror=True)
    runs = number_runs(200)
    covered = count_covered(
        estimate(hands, **asked), estimate(others, **asked, by={"run": runs}), ["measure"]
    )
    covered += count_covered(
        estimate(hands, **asked, by="dealer"),
        estimate(others, **asked, by={"run": runs, "dealer": "dealer"}),
        ["measure", "dealer"],
    )
    assert len(covered) == 4 + 8
    assert all(LEAST <= share <= MOST for share in covered), covered


def test_intervals_of_differences_cover_as_often_as_they_say() -> None:
    """1000 runs of 200 deals played by two strategies against 200,000 others: five figures."""
    asked: dict[str, Any] = {
        "share": ["winner == south", "outcome == undercut", "outcome == gin"],
        "mean": "net",
        "ratio": ("points", "turns"),
    }

    def compare(hands: int, seed: int, **by: Any) -> pd.DataFrame:
        ours, theirs = (
            simulate("kawu", (f"greedy(knock_at={knock_at})", "greedy"), hands, seed=seed)
            for knock_at in (5, 10)
        )
        return estimate(ours, paired=theirs, **asked, **by)

    covered = count_covered(
        compare(200_000, 100),
        compare(RUNS * 200, 101, by={"run": number_runs(200)}),
        ["measure"],
    )
    assert len(covered) == 5
    assert all(share >= LEAST for share in covered), covered
    # Gin is the second in order: so rare that Newcombe's interval is on the safe side.
    assert all(share <= MOST for share in covered[:1] + covered[2:]), covered


def test_intervals_of_decisions_cover_only_if_clustered() -> None:
    """1000 runs of the draws of 200 hands against those of 60,000 others: three figures."""
    asked: dict[str, Any] = {"share": "action == draw_pile", "mean": ["turn", "deadwood_after"]}
    truth = estimate(decisions("kawu", "greedy", 60_000, kinds=["draw"], seed=100), **asked)
    others = decisions("kawu", "greedy", RUNS * 200, kinds=["draw"], seed=101)
    asked["by"] = {"run": number_runs(200)}
    covered = count_covered(truth, estimate(others, **asked), ["measure"])
    assert len(covered) == 3
    assert all(LEAST <= share <= MOST for share in covered), covered
    # The turns of a hand run from 1 to its length: they say little more than that.
    naive = estimate(others, **asked, cluster=None)
    assert count_covered(truth, naive, ["measure"])[2] < 0.7


def test_a_tally_agrees() -> None:
    frame = simulate("kawu", PAIR, 3000, seed=8)
    counts = tally("kawu", PAIR, 3000, seed=8)["counts"]
    table = estimate(frame, share="outcome")
    assert (table["value"] * 3000).round().tolist() == counts.sum(axis=(0, 2)).tolist()
