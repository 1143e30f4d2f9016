"""docs/figures.md has every column of every table of figures, with its dtype."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

import ginsim

PAGE = Path(__file__).parents[1] / "docs" / "figures.md"


def summaries() -> Iterator[pd.DataFrame]:
    for rules in ("kawu", "hollywood", "partnership"):
        games = ginsim.simulate_games(rules, "greedy", 40, seed=1)
        yield ginsim.summarize_games(games)
        yield ginsim.summarize_games(ginsim.tally_games(rules, "greedy", 40, seed=1))
        yield ginsim.summarize_series(ginsim.group_series(games, 4))
    yield ginsim.summarize(ginsim.tally("kawu", "greedy", 100, seed=1))


def estimates() -> Iterator[pd.DataFrame]:
    frame = ginsim.simulate("kawu", "greedy", 200, seed=1)
    yield ginsim.estimate(frame, mean="net", paired=frame)
    both = ginsim.estimate(frame, mean="net", share="outcome", by="dealer")
    yield both.drop(columns="dealer").assign(p=0.0, p_holm=0.0)


def duels() -> Iterator[pd.DataFrame]:
    yield ginsim.duel("greedy", "simple", "hollywood", games=20, seed=1).table


def looks() -> Iterator[pd.DataFrame]:
    yield ginsim.duel("greedy", "simple", "kawu", precision=0.1, seed=1).looks


def pairs() -> Iterator[pd.DataFrame]:
    yield ginsim.tournament(["greedy", "simple"], "kawu", 100, seed=1).pairs


def ratings() -> Iterator[pd.DataFrame]:
    yield ginsim.tournament(["greedy", "simple"], "kawu", 100, seed=1).ratings


def tune() -> ginsim.Tuning:
    return ginsim.tune("greedy", "kawu", against=["simple"], budget=3000, validate=40, seed=1)


def tuning() -> Iterator[pd.DataFrame]:
    yield tune().table


def races() -> Iterator[pd.DataFrame]:
    yield tune().races


def rounds() -> Iterator[pd.DataFrame]:
    yield ginsim.solve_knocks("kawu", "greedy", hands=2000, seed=1).rounds


def sweeps() -> Iterator[pd.DataFrame]:
    vary = {"undercut_bonus": "0:50:25"}
    table = ginsim.sweep_rules("kawu", vary=vary, measures=["points"], hands=400, seed=1)
    yield table.drop(columns="undercut_bonus")


def values_tried() -> Iterator[pd.DataFrame]:
    field = "undercut_bonus+clean_undercut_bonus"
    yield ginsim.solve_field(
        "kawu", field, "greedy", "greedy(knock_at=0)", hands=2000, seed=1
    ).table


def field_effects() -> ginsim.FieldEffects:
    return ginsim.field_effects(
        "kawu", {"gin_bonus": "20,25", "knock_limit": "5,10"}, hands=400, seed=1
    )


def effects() -> Iterator[pd.DataFrame]:
    yield field_effects().effects


def means() -> Iterator[pd.DataFrame]:
    yield field_effects().means


def cells() -> Iterator[pd.DataFrame]:
    yield field_effects().cells.drop(columns=["gin_bonus", "knock_limit"])


TABLES: dict[str, Callable[[], Iterator[pd.DataFrame]]] = {
    "Summaries": summaries,
    "Estimates": estimates,
    "Duels": duels,
    "Looks": looks,
    "Pairs": pairs,
    "Ratings": ratings,
    "Tuning": tuning,
    "Races": races,
    "Rounds": rounds,
    "Sweeps": sweeps,
    "Values tried": values_tried,
    "Effects": effects,
    "Means by level": means,
    "Cells": cells,
}


def documented() -> dict[str, dict[str, str]]:
    """Columns and dtypes of each section of the page."""
    text = PAGE.read_text(encoding="utf-8")
    return {
        heading: dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", section, re.MULTILINE))
        for heading, section in re.findall(
            r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
        )
    }


def dtype_of(series: pd.Series) -> str:
    """Text is `str`, whichever dtype this version of pandas has for it."""
    return "str" if pd.api.types.infer_dtype(series) == "string" else str(series.dtype)


@pytest.mark.parametrize("heading", TABLES)
def test_the_page_has_the_columns(heading: str) -> None:
    for table in TABLES[heading]():
        assert len(table)
        assert {name: dtype_of(table[name]) for name in table} == documented()[heading]
        assert list(table) == list(documented()[heading])


def test_the_page_has_no_other_tables() -> None:
    assert list(documented()) == list(TABLES)
