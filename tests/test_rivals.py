"""The comparison with other engines: their numbers of cards, and the arithmetic of the tables."""

from __future__ import annotations

import pytest

from benchmarks.rivals import (
    FASTEST,
    RLCARD_SUITS,
    SPIEL_SUITS,
    cards_of,
    format_document,
    take_turns,
)
from ginsim import as_mask


@pytest.mark.parametrize("suits", [SPIEL_SUITS, RLCARD_SUITS])
def test_cards_have_one_number_each(suits: tuple[int, ...]) -> None:
    assert sorted(cards_of((1 << 52) - 1, suits)) == list(range(52))


def test_numbers_by_hand() -> None:
    # Both begin with the ace of spades; OpenSpiel goes on with clubs, RLCard with hearts.
    for suits, second in ((SPIEL_SUITS, "Ac"), (RLCARD_SUITS, "Ah")):
        assert cards_of(int(as_mask("As")), suits) == [0]
        assert cards_of(int(as_mask("Ks")), suits) == [12]
        assert cards_of(int(as_mask(second)), suits) == [13]


def test_ratios_of_the_table() -> None:
    times = {
        "ginsim, array": 4.0,
        "ginsim, one by one": 30.0,
        "OpenSpiel, one by one": 820.0,
        "RLCard, one by one": 8020.0,
        "a call by itself": 20.0,
    }
    document = {
        "processor": "some",
        "compiler": "GCC",
        "when": "today",
        "packages": ["a", "b"],
        "deadwood": {"random": times},
        "hands": {"ginsim, simple": 500.0, "OpenSpiel, simple bot": 1_000_000.0},
    }
    text = format_document(document)
    # (820 - 20) / 4 and (8020 - 20) / 4.
    assert [line.split()[-1] for line in text.splitlines() if "/ ginsim" in line] == [
        "200",
        "2,000",
    ]
    spiel = next(line for line in text.splitlines() if line.startswith("OpenSpiel, simple"))
    assert spiel.split()[-3:] == ["1,000", "2,000", "x"]
    fastest = next(line for line in text.splitlines() if line.startswith("the fastest"))
    assert fastest.split()[-3:] == [f"{FASTEST[1]:,}", "93", "x"]


def test_all_are_called_in_turn() -> None:
    seen: list[str] = []
    times = take_turns({"a": (lambda: seen.append("a"), 10), "b": (lambda: seen.append("b"), 10)})
    assert seen == ["a", "b"] * (len(seen) // 2)
    assert len(seen) > 2
    assert set(times) == {"a", "b"}
