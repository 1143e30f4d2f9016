"""The same seed gives the same hands, however the work is divided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import batches, tasks
from ginsim.columns import HAND_COLUMNS

PAIR = ("greedy(knock_at=4)", "simple")


def play(**options: Any) -> pd.DataFrame:
    full: dict[str, Any] = {"rules": "modern", "strategies": PAIR, "hands": 6000, "seed": 11}
    full.update(options)
    return ginsim.simulate(**full)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return play(threads=1)


def test_threads_change_nothing(frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    for chunk, threads in ((64, 2), (1000, 3), (2, 7), (500, 1), (8192, 1)):
        monkeypatch.setattr(batches, "CHUNK", chunk)
        told: list[int] = []
        other = play(threads=threads, progress=lambda done, _, told=told: told.append(done))
        pd.testing.assert_frame_equal(frame, other)
        assert threads > 1 or len(told) == -(-6000 // chunk)
        assert other.attrs == frame.attrs


def test_ranges_join(frame: pd.DataFrame) -> None:
    parts = [play(first=first, hands=hands) for first, hands in ((0, 1), (1, 2998), (2999, 3001))]
    joined = pd.concat(parts, ignore_index=True)
    pd.testing.assert_frame_equal(frame, joined)


def test_order_changes_nothing(frame: pd.DataFrame) -> None:
    late = play(first=4000, hands=1000)
    play(first=0, hands=10, seed=12)
    pd.testing.assert_frame_equal(late, frame[4000:5000].reset_index(drop=True))


def test_any_hand_is_replayed_alone(frame: pd.DataFrame) -> None:
    for index in (0, 17, 5999):
        result = ginsim.replay("modern", PAIR, 11, index)["result"]
        row = frame.iloc[index]
        for name, value in result.items():
            if name in frame:
                expected = None if pd.isna(row[name]) else row[name]
                assert value == expected, (index, name)


def test_a_huge_index_is_played() -> None:
    last = 2**62 - 1
    row = play(first=last - 1, hands=2)
    assert row["hand"].tolist() == [last - 1, last]
    result = ginsim.replay("modern", PAIR, 11, last)["result"]
    assert result["points"] == row["points"].iloc[1]


def test_rules_and_strategies_see_the_same_deck() -> None:
    decks = {
        tuple(ginsim.replay(rules, strategies, 5, 40)["deck"])
        for rules in ("classic", "casual", "hollywood", "openspiel", "oklahoma")
        for strategies in ("greedy", "simple", "random")
    }
    assert len(decks) == 1
    assert len(set(decks.pop())) == 52


def test_seeds_give_other_hands(frame: pd.DataFrame) -> None:
    assert not play(seed=12)["points"].equals(frame["points"])


def test_a_drawn_seed_is_recorded_and_reproduces() -> None:
    first, second = play(seed=None, hands=500), play(seed=None, hands=500)
    assert first.attrs["provenance"]["seed"] != second.attrs["provenance"]["seed"]
    again = play(seed=first.attrs["provenance"]["seed"], hands=500)
    pd.testing.assert_frame_equal(first, again)


def test_provenance_reproduces(frame: pd.DataFrame) -> None:
    origin = frame.attrs["provenance"]
    strategies = (origin["strategies"]["south"], origin["strategies"]["north"])
    again = ginsim.simulate(
        origin["rules"],
        strategies,
        origin["hands"],
        seed=origin["seed"],
        first=origin["first"],
        mirror=origin["mirror"],
    )
    pd.testing.assert_frame_equal(frame, again)
    assert again.attrs == frame.attrs


@pytest.mark.parametrize("strategy", ["greedy", "simple", "random"])
def test_mirrored_hands_of_one_strategy_mirror_exactly(strategy: str) -> None:
    frame = play(strategies=strategy, mirror=True)
    first, second = (frame[start::2].reset_index(drop=True) for start in (0, 1))
    assert (first["deal"] == second["deal"]).all()
    assert (first["dealer"] != second["dealer"]).all()
    assert (first["net"] == -second["net"]).all()
    assert (first["outcome"] == second["outcome"]).all()
    assert (first["south_deadwood"] == second["north_deadwood"]).all()


def test_mirrored_hands_play_the_unmirrored_deals(frame: pd.DataFrame) -> None:
    mirrored = play(mirror=True, hands=2000)
    kept = mirrored[::2].drop(columns="hand").reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, frame[:1000].drop(columns="hand"))


def test_tally_is_that_of_the_records(frame: pd.DataFrame) -> None:
    for mirror in (False, True):
        records = play(mirror=mirror)
        for threads in (1, 3):
            tally = ginsim.tally("modern", PAIR, 6000, seed=11, mirror=mirror, threads=threads)
            assert tally == ginsim.Tally.from_frame(records)
            pd.testing.assert_frame_equal(ginsim.summarize(tally), ginsim.summarize(records))


def test_tallies_add_up() -> None:
    parts = [
        ginsim.tally("kawu", PAIR, hands, seed=3, first=first, mirror=True)
        for first, hands in ((0, 1000), (1000, 3000), (6000, 400))
    ]
    whole = ginsim.tally("kawu", PAIR, 4000, seed=3, mirror=True)
    assert parts[0] + parts[1] == parts[1] + parts[0] == whole
    total = parts[0] + parts[2] + parts[1]
    assert total.hands == 4400
    assert total.provenance["ranges"] == [[0, 4000], [6000, 400]]
    with pytest.raises(ginsim.OptionError, match="hands 0 to 999 are in both"):
        whole + parts[0]
    with pytest.raises(ginsim.OptionError, match="seed differ"):
        whole + ginsim.tally("kawu", PAIR, 10, seed=4, mirror=True)


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "CHUNK", 500)
    for threads in (1, 2):
        told: list[tuple[int, int]] = []
        play(threads=threads, progress=lambda done, total, told=told: told.append((done, total)))
        assert told[-1] == (6000, 6000)
        assert told == sorted(told)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_stops_the_work(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "CHUNK", 10)
    done = []

    def interrupted(_thread: int, start: int, _stop: int) -> None:
        done.append(start)
        if len(done) > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batches.run_chunks(interrupted, 10**9, threads)
    assert len(done) < 100


def test_columns_are_views() -> None:
    """A frame holds the arrays that the core filled, not copies of them."""
    frame = play(hands=1000)
    base = frame["points"].to_numpy().base
    assert base is not None
    assert frame["net"].to_numpy().base is base


def test_columns_and_categories(frame: pd.DataFrame) -> None:
    assert list(frame.columns) == [column.name for column in HAND_COLUMNS]
    for column in HAND_COLUMNS:
        assert str(frame[column.name].dtype) == column.dtype
        if column.categories:
            assert tuple(frame[column.name].cat.categories) == column.categories
    # Outcomes that nobody had are counted as zero.
    assert frame["outcome"].value_counts()["tie"] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hands": -1}, "hands: -1 is not allowed; allowed: a whole number from 0"),
        ({"hands": 2.5}, "hands: 2.5 is not allowed"),
        ({"hands": True}, "hands: true is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"seed": "x"}, "seed: 'x' is not allowed"),
        ({"first": -2}, "first: -2 is not allowed"),
        ({"threads": 0}, "threads: 0 is not allowed"),
        ({"hands": 3, "mirror": True}, "hands: 3 is not allowed; allowed: an even number"),
        ({"first": 3, "mirror": True}, "first: 3 is not allowed; allowed: an even number"),
        ({"strategies": ("simple",)}, "strategies: "),
        ({"strategies": None}, "strategies: None is not allowed"),
        ({"strategies": 5}, "strategies: 5 is not allowed"),
        ({"mirror": "no"}, "mirror: 'no' is not allowed; allowed: true or false"),
        ({"hands": 10**13}, "would take 10000000000000 rows"),
        ({"hands": 2, "first": 2**62 - 1}, "hands: 2 is not allowed"),
        ({"strategies": "clever"}, "unknown strategy 'clever'"),
        ({"rules": "kavu"}, "unknown rule set 'kavu'; did you mean 'kawu'"),
    ],
)
def test_bad_arguments_are_refused_in_words(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ginsim.GinsimError) as failure:
        play(**options)
    assert words in str(failure.value)


def test_no_hands_at_all() -> None:
    frame = play(hands=0)
    assert len(frame) == 0
    table = ginsim.summarize(frame)
    assert table["count"].sum() == 0
    assert table["value"].isna().all()


def test_numpy_integers_are_taken(frame: pd.DataFrame) -> None:
    other = play(hands=np.int64(6000), seed=np.uint8(11), first=np.int32(0))
    pd.testing.assert_frame_equal(frame, other)
    assert tasks.make_task("kawu", PAIR, np.int8(4), seed=1).hands == 4
