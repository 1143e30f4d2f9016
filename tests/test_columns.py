"""The table of columns: that of the compiled core, of the frames, and of docs/columns.md."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import _batch, _decisions, _hand, _position, columns
from ginsim.columns import HAND_COLUMNS, Column
from ginsim.rules import load_rules, to_record

PAGE = Path(__file__).parents[1] / "docs" / "columns.md"
COLUMN_OF = {column.name: column for column in HAND_COLUMNS}


def test_codes_are_those_of_the_core() -> None:
    assert columns.OUTCOMES == _hand.OUTCOMES
    assert columns.DEAD_REASONS == _hand.DEAD_REASONS
    by_seat = [name for name in _batch.BYTE_COLUMNS if name.endswith("_deadwood")]
    assert by_seat == [f"{seat}_deadwood" for seat in columns.SEATS]
    # Seat 0 is south: the non-dealer gets the first card.
    hand = _position.Hand(to_record(load_rules("kawu")), range(52), dealer=0)
    assert [cards & 1 for cards in hand.hands] == [0, 1]
    assert columns.SEATS[hand.seat] == "north"


def test_every_column_is_written_by_the_core_or_counted() -> None:
    core = [*_batch.BYTE_COLUMNS, *_batch.SHORT_COLUMNS]
    assert sorted(COLUMN_OF) == sorted([*core, "hand", "deal"])
    assert len(COLUMN_OF) == len(HAND_COLUMNS)


@pytest.mark.parametrize("name", [*_batch.BYTE_COLUMNS, *_batch.SHORT_COLUMNS])
def test_a_column_has_the_dtype_that_the_core_writes(name: str) -> None:
    column = COLUMN_OF[name]
    if column.categories:
        assert column.dtype == "category"
        assert name in _batch.BYTE_COLUMNS
        assert len(column.categories) <= np.iinfo(np.int8).max
    else:
        assert column.dtype == ("int8" if name in _batch.BYTE_COLUMNS else "int16")


def test_sums_have_the_shape_of_the_codes() -> None:
    shapes = {name: _batch.TALLY_DTYPE[name].shape for name in _batch.TALLY_DTYPE.names or ()}
    outcomes, reasons, seats = len(columns.OUTCOMES), len(columns.DEAD_REASONS), 3
    assert {name: shape for name, shape in shapes.items() if shape} == {
        "counts": (2, outcomes, seats),
        "dead_reasons": (reasons,),
        "points": (outcomes, seats),
        "pair_outcomes": (outcomes, seats),
        "pair_outcomes_any": (outcomes,),
        "pair_dead_reasons": (reasons,),
        "pair_wins": (seats,),
    }


@pytest.mark.parametrize("mirror", [False, True])
def test_a_frame_has_these_columns(mirror: bool) -> None:
    frame = ginsim.simulate("kawu", "greedy", 10, seed=1, mirror=mirror)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        column.name: column.dtype for column in HAND_COLUMNS
    }
    assert list(frame) == list(COLUMN_OF)
    for column in HAND_COLUMNS:
        dtype = frame[column.name].dtype
        if isinstance(dtype, pd.CategoricalDtype):
            assert tuple(dtype.categories) == column.categories
            assert not dtype.ordered


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("rules", ["kawu", "hollywood"])
def test_a_frame_read_back_counts_the_same(rules: str, mirror: bool) -> None:
    frame = ginsim.simulate(rules, ("greedy", "simple"), 600, seed=5, mirror=mirror)
    sums = ginsim.tally(rules, ("greedy", "simple"), 600, seed=5, mirror=mirror).sums
    csv = StringIO(frame.to_csv(index=False))
    lines = StringIO(frame.to_json(orient="records", lines=True))
    for back in (frame, pd.read_csv(csv), pd.read_json(lines, lines=True)):
        back.attrs["provenance"] = {"mirror": mirror}
        assert (ginsim.Tally.from_frame(back).sums == sums).all()


def tell_categories(column: Column) -> str:
    if column.categories == columns.CARDS:
        return "the 52 cards, `Ac` to `Ks`"
    return ", ".join(f"`{category}`" for category in column.categories)


def table_lines(table: tuple[Column, ...]) -> list[str]:
    """A table of columns as the page has it."""
    cells = [("column", "dtype", "unit", "meaning", "categories"), ("---",) * 5]
    cells += [
        (f"`{column.name}`", column.dtype, column.unit, column.meaning, tell_categories(column))
        for column in table
    ]
    return ["| " + " | ".join(row) + " |" for row in cells]


@pytest.mark.parametrize("rows", columns.TABLES)
def test_the_page_has_the_same_table(rows: str) -> None:
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {rows}\n")[1].split("\n## ")[0]
    found = [line for line in section.splitlines() if line.startswith("|")]
    assert found == table_lines(columns.TABLES[rows])


def test_codes_of_decisions_are_those_of_the_core() -> None:
    assert columns.KINDS == _decisions.KINDS == _hand.PHASES[:-1]
    assert columns.ACTIONS == _decisions.ACTIONS
    core = [*_decisions.MASK_COLUMNS, *_decisions.BYTE_COLUMNS]
    assert sorted(column.name for column in columns.DECISION_COLUMNS) == sorted(
        [*core, "hand", "deal"]
    )
    for column in columns.DECISION_COLUMNS:
        if column.name in _decisions.MASK_COLUMNS:
            assert column.dtype == "uint64"
        elif column.name in _decisions.BYTE_COLUMNS:
            assert column.dtype in ("category", "int8", "bool")
