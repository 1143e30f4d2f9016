"""Figures and their intervals against published values and plain computations."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim.intervals import Estimate, estimate_mean, estimate_ratio, estimate_share, t95


@pytest.mark.parametrize(
    ("count", "hands", "low", "high"),
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(count: int, hands: int, low: float, high: float) -> None:
    share = estimate_share(count, hands)
    assert share.value == count / hands
    assert share.low == pytest.approx(low, abs=5e-5)
    assert share.high == pytest.approx(high, abs=5e-5)


def test_wilson_at_the_ends() -> None:
    assert estimate_share(0, 20).low == 0.0
    assert estimate_share(20, 20).high == 1.0
    assert math.isnan(estimate_share(0, 0).value)


def test_mean_by_hand() -> None:
    # 1, 2, 3, 4: mean 2.5, sample variance 5/3, standard error sqrt(5/12).
    mean = estimate_mean(10, 30, 4)
    assert mean.value == 2.5
    assert mean.se == pytest.approx(math.sqrt(5 / 12))
    # Student's t with three degrees of freedom.
    assert mean.high == pytest.approx(2.5 + 3.1824 * math.sqrt(5 / 12))
    single = estimate_mean(3, 9, 1)
    assert (single.value, math.isnan(single.se)) == (3.0, True)


def test_mean_keeps_its_digits_at_a_billion_hands() -> None:
    # 10**9 hands of 0 or 1 point, half each, on top of a large square sum.
    mean = estimate_mean(
        10**9 * 1000 + 5 * 10**8, 10**9 * 10**6 + 2 * 1000 * 5 * 10**8 + 5 * 10**8, 10**9
    )
    assert mean.se == pytest.approx(0.5 / math.sqrt(10**9), rel=1e-6)


def test_ratio_by_hand() -> None:
    # Pairs (x, y) = (2, 1), (4, 1), (0, 0), (6, 2): ratio 3, residuals -1, 1, 0, 0.
    ratio = estimate_ratio(12, 4, 56, 18, 6, 4)
    assert ratio.value == 3.0
    assert ratio.se == pytest.approx(math.sqrt(2 * 4 / 3) / 4)


def rows(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    return table[table["measure"] == measure].set_index(["outcome", "seat"])


def test_summary_equals_plain_pandas() -> None:
    frame = ginsim.simulate("casual", ("greedy", "simple"), 20_000, seed=8)
    table = ginsim.summarize(frame)
    share = rows(table, "share")
    for outcome in frame["outcome"].cat.categories:
        of_outcome = frame[frame["outcome"] == outcome]
        assert share.loc[(outcome, "all"), "count"] == len(of_outcome)
        for seat in ("south", "north"):
            owner = "knocker" if outcome == "tie" else "winner"
            if outcome != "dead":
                assert share.loc[(outcome, seat), "count"] == (of_outcome[owner] == seat).sum()
    wins = rows(table, "win")
    assert wins.loc[("all", "south"), "count"] == (frame["winner"] == "south").sum()
    nondealer = frame["winner"].notna() & (
        frame["winner"].astype(object) != frame["dealer"].astype(object)
    )
    assert wins.loc[("all", "nondealer"), "count"] == nondealer.sum()
    dead = rows(table, "dead")
    assert dead.loc[("stock", "all"), "count"] == (frame["dead_reason"] == "stock").sum()
    for measure, column in (("net", "net"), ("points", "points"), ("turns", "turns")):
        row = table[table["measure"] == measure].iloc[0]
        assert row["value"] == pytest.approx(frame[column].mean())
        assert row["se"] == pytest.approx(frame[column].sem())
    won = frame[frame["winner"].notna()]
    row = table[table["measure"] == "points_per_win"].iloc[0]
    assert row["value"] == pytest.approx(won["points"].mean())
    # The number of wins is nearly fixed, so the ratio's error is nearly that of the mean.
    assert row["se"] == pytest.approx(won["points"].sem(), rel=0.01)


def test_mirrored_intervals_are_clustered_by_deal() -> None:
    frame = ginsim.simulate("kawu", ("greedy(knock_at=2)", "simple"), 20_000, seed=9, mirror=True)
    table = ginsim.summarize(frame)
    pairs = 10_000

    def clustered(values: pd.Series) -> tuple[float, float]:
        by_deal = values.astype(float).groupby(frame["deal"]).mean()
        return float(by_deal.mean()), float(by_deal.std(ddof=1) / math.sqrt(pairs))

    for measure in ("net", "points", "turns"):
        row = table[table["measure"] == measure].iloc[0]
        value, se = clustered(frame[measure])
        assert (row["value"], row["se"]) == (pytest.approx(value), pytest.approx(se))
    share = rows(table, "share")
    for outcome in ("knock", "gin", "undercut", "dead"):
        value, se = clustered(frame["outcome"] == outcome)
        assert share.loc[(outcome, "all"), "value"] == pytest.approx(value)
        assert share.loc[(outcome, "all"), "se"] == pytest.approx(se)
    value, se = clustered((frame["outcome"] == "undercut") & (frame["winner"] == "south"))
    assert share.loc[("undercut", "south"), "se"] == pytest.approx(se)
    wins = rows(table, "win")
    for seat in ("south", "north"):
        value, se = clustered(frame["winner"] == seat)
        assert wins.loc[("all", seat), "se"] == pytest.approx(se)
    nondealer = frame["winner"].notna() & (
        frame["winner"].astype(object) != frame["dealer"].astype(object)
    )
    value, se = clustered(nondealer)
    assert wins.loc[("all", "nondealer"), "value"] == pytest.approx(value)
    assert wins.loc[("all", "nondealer"), "se"] == pytest.approx(se)
    dead = rows(table, "dead")
    value, se = clustered(frame["dead_reason"] == "stock")
    assert dead.loc[("stock", "all"), "se"] == pytest.approx(se)
    # Per win: residuals of the deals' sums.
    points = frame["points"].astype(float).groupby(frame["deal"]).sum()
    decided = frame["winner"].notna().astype(float).groupby(frame["deal"]).sum()
    ratio = points.sum() / decided.sum()
    residual = points - ratio * decided
    row = table[table["measure"] == "points_per_win"].iloc[0]
    assert row["value"] == pytest.approx(ratio)
    assert row["se"] == pytest.approx(
        math.sqrt((residual**2).sum() * pairs / (pairs - 1)) / decided.sum()
    )


def test_intervals_cover_as_often_as_they_say() -> None:
    """400 runs of 500 hands: the truth from 400,000 other hands lies in 95 % of the intervals.

    With 400 runs the share covered has a standard error of 1.1 %; the bounds below are 3.3 of
    them away, so a false alarm has a chance of about 1 in 1000 a figure.
    """
    pair = ("greedy", "greedy(knock_at=4)")
    truth = ginsim.summarize(ginsim.tally("kawu", pair, 400_000, seed=100))
    covered = {"knock": 0, "net": 0, "turns": 0, "points_per_win": 0}
    runs = 400
    for run in range(runs):
        table = ginsim.summarize(ginsim.tally("kawu", pair, 500, seed=200 + run))
        for name in covered:
            chosen = table["measure"] == name
            if name == "knock":
                chosen = (table["measure"] == "share") & (table["outcome"] == "knock")
            row, true = table[chosen].iloc[-1], truth[chosen].iloc[-1]
            covered[name] += row["low"] <= true["value"] <= row["high"]
    for name, times in covered.items():
        assert 0.914 <= times / runs <= 0.986, (name, times / runs)


def test_part_of_the_records_is_summarized() -> None:
    frame = ginsim.simulate("kawu", "greedy", 1000, seed=1)
    part = frame[frame["dealer"] == "south"]
    table = ginsim.summarize(part)
    assert rows(table, "share")["count"].groupby("seat").sum()["all"] == len(part)
    mirrored = ginsim.simulate("kawu", "greedy", 1000, seed=1, mirror=True)
    with pytest.raises(ginsim.OptionError, match="both hands of each deal"):
        ginsim.summarize(mirrored[:3])


def test_frames_of_other_things_are_refused() -> None:
    with pytest.raises(ginsim.OptionError, match="column hand is missing"):
        ginsim.summarize(pd.DataFrame({"x": [1]}))
    frame = ginsim.simulate("kawu", "greedy", 10, seed=1)
    frame["winner"] = "east"
    with pytest.raises(ginsim.OptionError, match="column winner has other values"):
        ginsim.summarize(frame)
    frame = ginsim.simulate("kawu", "greedy", 10, seed=1)
    with pytest.raises(ginsim.OptionError, match="column points has the value 40000"):
        ginsim.summarize(frame.assign(points=40_000))
    with pytest.raises(ginsim.OptionError, match=r"column points has the value 0\.5"):
        ginsim.summarize(frame.assign(points=0.5))


def test_the_order_of_categories_does_not_matter() -> None:
    frame = ginsim.simulate("kawu", "greedy", 1000, seed=1)
    table = ginsim.summarize(frame)
    for name in ("winner", "outcome"):
        categories = list(frame[name].cat.categories)[::-1]
        frame[name] = frame[name].cat.reorder_categories(categories)
    pd.testing.assert_frame_equal(ginsim.summarize(frame), table)


def test_estimates_compare() -> None:
    assert Estimate(1.0, 0.1, 0.8, 1.2) == Estimate(1.0, 0.1, 0.8, 1.2)
    assert np.isfinite(estimate_share(3, 10).se)


def test_students_t() -> None:
    """97.5 % points from printed tables."""
    for freedom, value in (
        (1, 12.706),
        (5, 2.571),
        (10, 2.228),
        (12, 2.179),
        (30, 2.042),
        (120, 1.980),
        (10**9, 1.95996),
    ):
        assert t95(freedom) == pytest.approx(value, abs=6e-4)


def test_joined_mirrored_frames_stay_clustered() -> None:
    """pandas drops attrs that differ; the records themselves show that they are mirrored."""
    pair = ("greedy", "simple")
    parts = [
        ginsim.simulate("kawu", pair, 500, first=first, seed=7, mirror=True) for first in (0, 500)
    ]
    whole = ginsim.simulate("kawu", pair, 1000, seed=7, mirror=True)
    joined = pd.concat(parts, ignore_index=True)
    assert "provenance" not in joined.attrs
    pd.testing.assert_frame_equal(ginsim.summarize(joined), ginsim.summarize(whole))


def test_a_tally_of_a_part_tells_its_own_range() -> None:
    frame = ginsim.simulate("kawu", "greedy", 1000, seed=7)
    parts = [ginsim.Tally.from_frame(frame[:500]), ginsim.Tally.from_frame(frame[500:])]
    assert parts[0] == ginsim.tally("kawu", "greedy", 500, seed=7)
    assert parts[0] + parts[1] == ginsim.tally("kawu", "greedy", 1000, seed=7)
    chosen = ginsim.Tally.from_frame(frame[frame["outcome"] == "gin"])
    assert chosen.provenance["selected"] == chosen.hands
    assert "hands" not in chosen.provenance
    with pytest.raises(ginsim.OptionError, match="selected hands"):
        chosen + ginsim.tally("kawu", "greedy", 10, seed=7, first=5000)


def test_columns_do_not_share_memory() -> None:
    frame = ginsim.simulate("kawu", "greedy", 10, seed=1)
    names = list(frame.columns)
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            ours, theirs = (
                frame[each].cat.codes if frame[each].dtype == "category" else frame[each]
                for each in (name, other)
            )
            assert not np.shares_memory(ours.to_numpy(), theirs.to_numpy()), (name, other)


def test_few_mirrored_deals_have_wide_intervals() -> None:
    """300 runs of 12 deals: the truth, near one half by symmetry, lies in at least 91 %.

    The share covered has a standard error of 1.3 % at 95 %; no interval has no width.
    """
    covered = 0
    for seed in range(300):
        table = ginsim.summarize(ginsim.tally("kawu", "greedy", 24, seed=seed, mirror=True))
        row = table[table["seat"] == "nondealer"].iloc[0]
        assert row["high"] - row["low"] > 0.2
        covered += row["low"] <= 0.5 <= row["high"]
    assert covered >= 0.91 * 300


def test_one_win_gives_no_ground_for_an_interval() -> None:
    ratio = estimate_ratio(89, 1, 89 * 89, 89, 1, 3000)
    assert ratio.value == 89
    assert math.isnan(ratio.se)
    assert math.isnan(ratio.high)


@pytest.mark.parametrize("source", [None, 5, "frame"])
def test_other_things_are_refused(source: object) -> None:
    with pytest.raises(ginsim.OptionError, match="source: "):
        ginsim.summarize(source)  # type: ignore[arg-type]
