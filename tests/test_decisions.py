"""The decisions frame against the slow twin's events and against the hand records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import batches
from ginsim.cards import card_number
from ginsim.columns import DECISION_COLUMNS
from ginsim.decision_frames import ROW_BYTES, decisions, estimate_size
from ginsim.strategies import parse_strategy
from tests import reference

PAIR = ("greedy(knock_at=6)", "simple")


def play(**options: Any) -> pd.DataFrame:
    full: dict[str, Any] = {"rules": "casual", "strategies": PAIR, "hands": 300, "seed": 21}
    full.update(options)
    return decisions(**full)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return play()


def replay_by_twin(index: int, rules: str = "casual") -> list[dict[str, Any]]:
    """The decisions of a hand as the twin's events tell them, with what was held and seen."""
    pair = tuple(parse_strategy(name) for name in PAIR)
    full = ginsim.load_rules(rules)
    events, _ = reference.play_hand(full, pair, 21, index)
    deal, dealer = reference.deal_and_dealer(index)
    hand = reference.deal_hand(full, pair, 21, deal, dealer)
    held = [set(cards) for cards in hand.hands]
    pile: list[int] = [] if full.deal == "eleven" else [hand.pile[-1]]
    turns, draws = [0, 0], [0, 0]
    taken: list[set[int]] = [set(), set()]
    rows: list[dict[str, Any]] = []
    offers = 0
    drawn: tuple[int, str] = (-1, "")

    def see(kind: str, seat: int, action: str, card: int | None) -> dict[str, Any]:
        row = {
            "kind": kind,
            "seat": seat,
            "action": action,
            "card": card,
            "hand_cards": reference.mask_of(held[seat]),
            "pile": reference.mask_of(pile),
            "top": pile[-1] if pile else None,
            "opponent_taken": reference.mask_of(taken[1 - seat]),
            "pile_draws": draws[seat],
            "opponent_pile_draws": draws[1 - seat],
            "turn": turns[seat] + (kind in ("upcard", "draw")),
            "deadwood_before": reference.deadwood(held[seat]),
        }
        rows.append(row)
        return row

    for name, seat, card, _ in events:
        if name == "pass":
            offers += 1
            see("upcard", seat, "pass", card)
        elif name in ("draw_pile", "draw_stock"):
            kind = "upcard" if not sum(turns) and offers < 2 else "draw"
            row = see(kind, seat, name, card)
            held[seat].add(card)
            if name == "draw_pile":
                pile.remove(card)
                taken[seat].add(card)
                draws[seat] += 1
            turns[seat] += 1
            drawn = (card, "pile" if name == "draw_pile" else "stock")
            row["deadwood_after"] = reference.deadwood(held[seat])
        elif name in ("discard", "knock", "big_gin"):
            row = see("discard", seat, name, None if name == "big_gin" else card)
            row["drawn"], row["drawn_from"] = drawn
            if row["drawn_from"] == "pile":
                row["top"] = None
            barred = None
            if row["drawn_from"] == "pile" and not full.return_taken_card:
                barred = drawn[0]
            row["best_deadwood"] = reference.best_discards(held[seat], barred)[0]
            row["knock_legal"] = row["best_deadwood"] <= 10
            row["big_gin_legal"] = row["deadwood_before"] == 0
            if name != "big_gin":
                held[seat].remove(card)
                pile.append(card)
                taken[seat].discard(card)
            row["deadwood_after"] = reference.deadwood(held[seat])
    return rows


def test_rows_are_the_twins(frame: pd.DataFrame) -> None:
    turns = frame[frame["kind"].isin(["upcard", "draw", "discard"])]
    for index in range(150):
        ours = turns[turns["hand"] == index].to_dict("records")
        theirs = replay_by_twin(index)
        assert len(ours) == len(theirs), index
        for row, twin in zip(ours, theirs, strict=True):
            for name, value in twin.items():
                found: Any = row[name]
                if name == "seat":
                    found = ("south", "north").index(found)
                elif name in ("card", "top", "drawn"):
                    found = None if pd.isna(found) else card_number(found)
                assert found == value, (index, name, row, twin)


def test_endings_are_those_of_the_records(frame: pd.DataFrame) -> None:
    records = ginsim.simulate("casual", PAIR, 300, seed=21).set_index("hand")
    for kind in ("spread", "layoff"):
        rows = frame[frame["kind"] == kind].set_index("hand")
        knocked = records[records["outcome"] != "dead"]
        assert list(rows.index) == list(knocked.index)
        seats = knocked["knocker"].astype(object)
        if kind == "layoff":
            seats = seats.map({"south": "north", "north": "south"})
        assert (rows["seat"].astype(object) == seats).all()
        counted = np.where(seats == "south", knocked["south_deadwood"], knocked["north_deadwood"])
        assert (rows["deadwood_after"] == counted).all()
        if kind == "layoff":
            assert (rows["deadwood_before"] - rows["deadwood_after"] == knocked["laid_off"]).all()
    first = frame[frame["knock_legal"]].groupby(["hand", "seat"], observed=True)["turn"].min()
    for seat in ("south", "north"):
        turns = records[f"{seat}_knock_turn"]
        expected = turns[turns > 0]
        assert first.xs(seat, level="seat").to_dict() == expected.to_dict()


def test_division_changes_nothing(frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    for chunk, threads in ((16, 2), (50, 3), (1000, 1)):
        monkeypatch.setattr(batches, "CHUNK", chunk)
        pd.testing.assert_frame_equal(frame, play(threads=threads))
    parts = [play(first=0, hands=100), play(first=100, hands=200)]
    pd.testing.assert_frame_equal(frame, pd.concat(parts, ignore_index=True))


def test_kinds_are_kept(frame: pd.DataFrame) -> None:
    some = play(kinds=["discard", "layoff"])
    expected = frame[frame["kind"].isin(["discard", "layoff"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(some, expected)
    assert some.attrs["provenance"]["kinds"] == ["discard", "layoff"]
    with pytest.raises(ginsim.OptionError, match="kinds: 'knock' is not allowed; allowed: upcard"):
        play(kinds=["knock"])


def test_columns_dtypes_and_provenance(frame: pd.DataFrame) -> None:
    assert list(frame.columns) == [column.name for column in DECISION_COLUMNS]
    for column in DECISION_COLUMNS:
        assert str(frame[column.name].dtype) == column.dtype
    assert frame.attrs["provenance"]["rows"] == "decisions"
    assert frame.attrs["provenance"]["seed"] == 21


def test_mirrored_decisions() -> None:
    frame = play(mirror=True, strategies="greedy", hands=20)
    even = frame[frame["hand"] % 2 == 0].reset_index(drop=True)
    odd = frame[frame["hand"] % 2 == 1].reset_index(drop=True)
    assert (even["hand_cards"] == odd["hand_cards"]).all()
    assert (even["seat"].astype(object) != odd["seat"].astype(object)).all()
    assert (even["deal"] == odd["deal"]).all()


def test_walls_and_openings_are_rows() -> None:
    early = ginsim.load_rules("modern").replace(wall="fiftieth", dead_at=20)
    frame = play(rules=early, strategies="greedy(knock_at=2)", hands=3000, kinds=["wall"])
    assert set(frame["action"]) <= {"draw_pile", "decline"}
    assert len(frame) > 0
    eleven = play(rules="hollywood", hands=50)
    opening = eleven.groupby("hand").head(1)
    assert (opening["kind"] == "discard").all()
    assert opening["drawn"].isna().all()
    assert (opening["turn"] == 1).all()


def test_size_is_told_before(frame: pd.DataFrame) -> None:
    assert estimate_size("casual", PAIR, 300, seed=21) == (len(frame), len(frame) * ROW_BYTES)
    assert frame.memory_usage(index=False).sum() < len(frame) * (ROW_BYTES + 1) + 20_000
    with pytest.raises(ginsim.OptionError) as failure:
        play(hands=10**12)
    assert "hands: 1000000000000 would take" in str(failure.value)
    assert "allowed: about" in str(failure.value)
    with pytest.raises(ginsim.OptionError, match="max_bytes"):
        play(max_bytes=1000)


def test_no_hands() -> None:
    assert len(play(hands=0)) == 0
