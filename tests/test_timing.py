"""`knock_timing` and `knock_chances`: figures, verdicts, selections, refusals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main
from ginsim.columns import KNOCK_CHANCE_COLUMNS, KNOCK_TIMING_COLUMNS
from ginsim.estimates import estimate
from ginsim.players import PythonStrategy
from ginsim.rules import load_rules
from ginsim.timing import knock_chances, knock_timing

PAIR = ("greedy(knock_at=4)", "simple")


def chances_of(hands: int = 6000, rules: Any = "kawu", **options: Any) -> pd.DataFrame:
    return knock_chances(rules, *PAIR, hands, seed=7, **options)


def test_figures_are_those_of_the_chances() -> None:
    """The same by `estimate`, which has another arithmetic, from the rows themselves."""
    chances = chances_of()
    chances["deal"] = chances["hand"]
    chances["last"] = chances["turn"].clip(upper=16)
    frame = knock_timing("kawu", *PAIR, 6000, seed=7, by="turn")
    gain = lambda f: f["knock_net"] - f["play_net"]  # noqa: E731
    means = estimate(
        chances,
        mean={"gain": gain, "knock": "knock_net", "play": "play_net"},
        by={"turn": "last"},
    )
    shares = estimate(
        chances,
        share={
            "undercut": lambda f: f["knock_outcome"].isin(["undercut", "clean_undercut"]),
            "opponent_first": "play_knocker == opponent",
            "own_gin": lambda f: (
                f["play_outcome"].isin(["gin", "big_gin"]) & (f["play_knocker"] == "policy")
            ),
        },
        by={"turn": "last"},
    )
    assert set(frame["turn"]) == set(chances["last"])
    assert frame["chances"].sum() == len(chances)
    assert frame["on_policy"].sum() == chances["on_policy"].sum()
    for row in frame.to_dict("records"):
        rows = means[means["turn"] == row["turn"]].set_index("measure")
        if row["deals"] < 2:
            continue
        assert row["gain"] == pytest.approx(rows["value"]["gain"])
        assert row["se"] == pytest.approx(rows["se"]["gain"])
        assert row["low"] == pytest.approx(rows["low"]["gain"])
        assert row["knock"] == pytest.approx(rows["value"]["knock"])
        assert row["play"] == pytest.approx(rows["value"]["play"])
        rows = shares[shares["turn"] == row["turn"]].set_index("measure")
        for name in ("undercut", "opponent_first", "own_gin"):
            assert row[name] == pytest.approx(rows["value"][name])
            assert row[f"{name}_low"] == pytest.approx(rows["low"][name], abs=1e-9)
            assert row[f"{name}_high"] == pytest.approx(rows["high"][name], abs=1e-9)
    # Turns 16 and more are one cell, in which a hand has several chances.
    assert (frame["chances"] > frame["deals"]).any()


def test_no_thread_and_no_chunk_changes_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = knock_timing("kawu", *PAIR, 5000, seed=3, threads=1)
    other = knock_timing("kawu", *PAIR, 5000, seed=3, threads=3)
    pd.testing.assert_frame_equal(frame, other, check_exact=True)
    chances = chances_of(3000)
    monkeypatch.setattr("ginsim.batches.CHUNK", 64)
    pd.testing.assert_frame_equal(
        frame, knock_timing("kawu", *PAIR, 5000, seed=3, threads=2), check_exact=True
    )
    pd.testing.assert_frame_equal(chances, chances_of(3000, threads=2), check_exact=True)


def test_both_ways_give_the_same_frame_and_say_which_was_used() -> None:
    frame = knock_timing("kawu", *PAIR, 3000, seed=3)
    replayed = knock_timing("kawu", *PAIR, 3000, seed=3, method="replay")
    pd.testing.assert_frame_equal(frame, replayed, check_exact=True)
    assert frame.attrs["provenance"]["method"] == "stopping"
    assert replayed.attrs["provenance"]["method"] == "replay"
    frame = knock_timing("kawu", "expert", "simple", 500, seed=3)
    assert frame.attrs["provenance"]["method"] == "replay"
    with pytest.raises(ginsim.OptionError, match="stopping is not exact for expert"):
        knock_timing("kawu", "expert", "simple", 500, seed=3, method="stopping")


def test_columns() -> None:
    frame = knock_timing("oklahoma", *PAIR, 500, seed=1, by=["limit", "pick_ups"])
    assert list(frame) == [column.name for column in KNOCK_TIMING_COLUMNS]
    assert (frame["turn"] == -1).all()
    assert (frame["stock"] == -1).all()
    assert set(frame["pick_ups"]) <= {0, 1, 2, 3}
    assert frame["limit"].between(1, 10).all()
    chances = chances_of(100)
    assert list(chances) == [column.name for column in KNOCK_CHANCE_COLUMNS]
    for table, of in ((frame, KNOCK_TIMING_COLUMNS), (chances, KNOCK_CHANCE_COLUMNS)):
        for column in of:
            assert str(table[column.name].dtype) == column.dtype, column.name


def test_a_selection_has_the_chances_of_the_whole() -> None:
    chances = chances_of()
    one = knock_timing("kawu", *PAIR, 6000, seed=7, turn=5, deadwood=7, pick_ups=0)
    kept = chances[(chances["turn"] == 5) & (chances["deadwood"] == 7) & (chances["pick_ups"] == 0)]
    assert len(one) == 1
    assert one["chances"][0] == len(kept) > 0
    assert one["gain"][0] == pytest.approx((kept["knock_net"] - kept["play_net"]).mean())
    assert one["p"].equals(one["p_holm"])
    some = knock_timing("kawu", *PAIR, 6000, seed=7, turn=(1, 4), stock=(0, 28), by="deadwood")
    kept = chances[(chances["turn"] <= 4) & (chances["stock"] <= 28)]
    assert dict(zip(some["deadwood"], some["chances"], strict=True)) == (
        kept.groupby("deadwood").size().to_dict()
    )
    everything = knock_timing("kawu", *PAIR, 6000, seed=7, by=())
    assert everything["chances"].tolist() == [len(chances)]


def test_what_never_happens_has_no_verdict() -> None:
    frame = knock_timing("kawu", *PAIR, 50, seed=7, turn=1, deadwood=0)
    assert frame["chances"].tolist() == [0]
    assert frame["verdict"].tolist() == ["not enough"]
    assert frame[["gain", "se", "p", "undercut"]].isna().all(axis=None)
    assert len(knock_timing("kawu", *PAIR, 0, seed=7)) == 0


def test_verdicts() -> None:
    """By Holm over the rows with 200 hands; the sign says which move."""
    frame = knock_timing("kawu", "greedy", "greedy", 100_000, seed=5)
    enough = frame["deals"] >= 200
    assert (frame["verdict"][~enough] == "not enough").all()
    assert frame["p"][~enough].isna().all()
    order = frame["p"][enough].sort_values()
    adjusted = np.maximum.accumulate(order.to_numpy() * np.arange(len(order), 0, -1))
    assert frame["p_holm"][order.index].to_numpy() == pytest.approx(np.minimum(adjusted, 1))
    told = frame["p_holm"] < 0.05
    wanted = np.where(frame["gain"] > 0, "knock", "play on")
    assert (frame["verdict"][told] == wanted[told]).all()
    assert (frame["verdict"][enough & ~told] == "not told apart").all()
    assert set(frame["verdict"].astype(str)) == {
        "knock",
        "play on",
        "not told apart",
        "not enough",
    }
    for row in frame[enough].to_dict("records"):
        # A pointwise interval without 0 where p says so, up to the normal for Student's t.
        if row["p"] < 0.04:
            assert row["low"] > 0 or row["high"] < 0
        assert row["p"] == pytest.approx(
            math.erfc(abs(row["gain"]) / row["se"] / math.sqrt(2)), abs=1e-12
        )


def test_on_policy_chances_are_those_that_the_policy_comes_to() -> None:
    """Of greedy(4) that are its hands of at most 4, and all before the first of them."""
    chances = chances_of(2000)
    for _, hand in chances.groupby("hand"):
        earlier = (hand["deadwood"] <= 4).cumsum().shift(fill_value=0)
        assert (hand["on_policy"] == (earlier == 0)).all()
        assert (hand["knocks"] == (hand["deadwood"] <= 4)).all()
    # And they are played so: the first knock, or the last move, is how the hand ends.
    played = ginsim.simulate("kawu", PAIR, 2000, seed=7).set_index("hand")
    for number, hand in chances.groupby("hand"):
        on = hand[hand["on_policy"]]
        last = on.iloc[-1]
        net = last["knock_net"] if last["knocks"] else last["play_net"]
        assert net == played["net"][number]


@pytest.mark.parametrize("rules_name", ["kawu", "hollywood", "casual"])
def test_hand_points_respond_to_bonuses_exactly_linearly(rules_name: str) -> None:
    """With fixed policies a bonus of b brings b times the hands that get it, and nothing else."""
    rules = load_rules(rules_name)
    bonuses = ("gin_bonus", "undercut_bonus", "clean_undercut_bonus", "big_gin_bonus")
    outcomes = ("gin", "undercut", "clean_undercut", "big_gin")

    def play(**values: int) -> pd.DataFrame:
        fields = {bonus: 0 for bonus in bonuses if getattr(rules, bonus) != "off"}
        # Spades would double the bonuses too.
        return chances_of(3000, rules.replace(**{**fields, "spade_doubles": "none", **values}))

    base = play()
    for bonus, outcome in zip(bonuses, outcomes, strict=True):
        if getattr(rules, bonus) == "off":
            continue
        for value in (1, 25, 700):
            frame = play(**{bonus: value})
            for move in ("knock", "play"):
                side = np.where(base[f"{move}_winner"] == "policy", 1, -1)
                got = np.where(base[f"{move}_outcome"] == outcome, side, 0)
                assert (frame[f"{move}_net"] == base[f"{move}_net"] + value * got).all()
                assert (frame[f"{move}_outcome"] == base[f"{move}_outcome"]).all()
    both = play(gin_bonus=30, undercut_bonus=11)
    gin, undercut = play(gin_bonus=30), play(undercut_bonus=11)
    assert (both["play_net"] == gin["play_net"] + undercut["play_net"] - base["play_net"]).all()


class Patient(PythonStrategy):
    """Never knocks before its third turn."""

    version = "1"
    base = "greedy"

    def knock(self, view: Any) -> bool:
        return bool(view.turn >= 3)


def test_an_opponent_may_be_written_in_python() -> None:
    frame = knock_timing("kawu", "greedy", Patient(), 200, seed=1)
    chances = knock_chances("kawu", "greedy", Patient(), 200, seed=1)
    assert frame["chances"].sum() == len(chances) > 0
    with pytest.raises(ginsim.OptionError, match="policy: is written in Python"):
        knock_timing("kawu", Patient(), "greedy", 200, seed=1)


class Failing(PythonStrategy):
    version = "1"
    base = "greedy"

    def knock(self, view: Any) -> bool:
        raise ZeroDivisionError("no reason")


def test_what_an_opponent_raises_ends_the_run() -> None:
    with pytest.raises(ZeroDivisionError):
        knock_timing("kawu", "greedy", Failing(), 200, seed=1)
    with pytest.raises(ZeroDivisionError):
        knock_chances("kawu", "greedy", Failing(), 200, seed=1)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ({"by": "nothing"}, {"by": []}),
        ({"by": ["nothing", "turn"]}, {"by": "turn"}),
        ({"by": "pickups"}, {"by": "pick_ups"}),
        ({"by": ["own-pickups", "turn"]}, {"by": ["turn", "own_pick_ups"]}),
        ({"turn": "1-4", "deadwood": "5"}, {"turn": (1, 4), "deadwood": 5}),
    ],
)
def test_the_words_of_the_command_are_taken(words: dict[str, Any], keys: dict[str, Any]) -> None:
    frame, wanted = (knock_timing("kawu", hands=400, seed=3, **each) for each in (words, keys))
    pd.testing.assert_frame_equal(frame, wanted, check_exact=True)
    assert frame.attrs["provenance"] == wanted.attrs["provenance"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"turn": 0}, r"turn: 0 is not allowed; allowed: a whole number from 1 to 16"),
        (
            {"turn": (4, 2)},
            r"turn: \(4, 2\) is not allowed; allowed: a range from the least to the most, the f",
        ),
        ({"turn": "4-2"}, r"turn: '4-2' is not allowed; allowed: a range from the least to the mo"),
        (
            {"turn": (1, 2, 3)},
            r"turn: \(1, 2, 3\) .*: a whole number from 1 to 16, or a range of them, such as "
            r"\(1, 16\) or '1-16'",
        ),
        ({"turn": "early"}, r"turn: 'early' .*: a whole number from 1 to 16, or a range of them"),
        ({"by": "own pickups"}, r"allowed: turn, .*, limit or nothing$"),
        ({"deadwood": 11}, r"deadwood: 11 is not allowed; allowed: a whole number from 0 to 10"),
        ({"pick_ups": "two"}, r"pick_ups: 'two' is not allowed"),
        (
            {"by": "seat"},
            r"by: 'seat' is not allowed; allowed: turn, deadwood, pick_ups, own_pick_ups, stock",
        ),
        ({"by": 5}, r"by: 5 is not allowed; allowed: turn, .*, or several of them"),
        ({"by": ["turn", ["stock"]]}, r"by: \['stock'\] is not allowed; allowed: turn, "),
        ({"method": "guess"}, r"method: 'guess' is not allowed; allowed: stopping or replay"),
        ({"by": list(ginsim.timing.KEYS)}, r"by: \d+ cells are too many"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ginsim.OptionError, match=message):
        knock_timing("kawu", *PAIR, 10, seed=1, **options)


def test_a_partnership_is_refused() -> None:
    with pytest.raises(ginsim.RulesError, match="players"):
        knock_timing("partnership", *PAIR, 10)


# ---------------------------------------------------------------- the command


def run(*words: str) -> str:
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_question_is_answered_with_the_command_that_checks_it() -> None:
    """Kawu rules, turn 5, deadwood 7, he took two cards: knock?"""
    question = ["knock", "kawu", "--turn", "5", "--deadwood", "7", "--pickups", "2"]
    question += ["--hands", "60000", "--seed", "1"]
    frame = knock_timing("kawu", "greedy", "greedy", 60_000, seed=1, turn=5, deadwood=7, pick_ups=2)
    row: Any = next(frame.itertuples())
    text = run(*question)
    assert text.startswith("kawu: policy greedy, opponent greedy\n")
    assert f"A knock brings {row.gain:+.2f} points (95 %: {row.low:+.2f} to {row.high:+.2f})" in (
        text.replace("\n", " ")
    )
    assert {"knock": "Knock.", "not told apart": "Not told apart."}[row.verdict] in text
    check = text.split("checked on fresh deals by: ginsim ")[1].splitlines()[0].split()
    assert check[-2:] == ["--first", "60000"]
    again = run(*check)
    assert "60,000 hands from 60,000 of seed 1" in again


def test_a_table_is_printed_and_written(tmp_path: Path) -> None:
    path = tmp_path / "knock.csv"
    words = ["knock", "kawu", "--hands", "4000", "--seed", "2", "--opponent", "simple"]
    text = run(*words, "--by", "deadwood", "--turn", "2-9", "--out", str(path))
    frame = ginsim.read_records(path)
    wanted = knock_timing("kawu", "greedy", "simple", 4000, seed=2, by="deadwood", turn=(2, 9))
    pd.testing.assert_frame_equal(frame, wanted, check_exact=True)
    assert frame.attrs == wanted.attrs
    assert "policy greedy, opponent simple" in text
    assert "--turn 2-9 --by deadwood" in text
    for row in wanted.itertuples():
        assert f"{row.gain:+.2f}" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--turn", "five"],
            "value for '--turn': 'five' is not allowed; allowed: a whole number, or a range",
        ),
        (["--deadwood", "-1"], "Invalid value for '--deadwood': '-1' is not allowed; allowed: a"),
        (["--turn", "5-4"], "'5-4' is not allowed; allowed: a range from the least to the most, "),
        (["--turn", "17"], "--turn: 17 is not allowed"),
        (["--pickups", "4"], "--pickups: 4 is not allowed; allowed: a whole number from 0 to 3"),
        (["--own-pickups", "2-9"], "--own-pickups: 9 is not allowed"),
        (
            ["--solve", "--first", "4611686018427387900"],
            "--first: 4611686018427387900 is not allowed",
        ),
        (["--solve", "--turn", "5"], "--turn: a whole table is solved for"),
        (["--scores", "60-45"], "--scores: is for the table that wins most games"),
        (["--solve", "--scores", "60"], "scores: '60' is not allowed"),
        (["--solve", "--policy", "random"], "policy: 'random' is not allowed"),
    ],
)
def test_refusals_of_the_command(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["knock", "kawu", "--hands", "200", *words])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
