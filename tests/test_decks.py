"""Given decks are played instead of the seed's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import _deck
from ginsim.decks import as_decks, read_decks

PAIR = ("greedy", "simple")


def seeds_decks(seed: int, count: int) -> np.ndarray:
    """The decks that a seed deals."""
    key = _deck.make_key(seed)
    return np.array([_deck.whole_deck(key, deal) for deal in range(count)])


def test_the_seeds_own_decks_give_the_same_hands() -> None:
    decks = seeds_decks(4, 200)
    for rules in ("kawu", "hollywood"):
        given = ginsim.simulate(rules, PAIR, seed=4, decks=decks)
        dealt = ginsim.simulate(rules, PAIR, 200, seed=4)
        pd.testing.assert_frame_equal(given, dealt)
        assert given.attrs["provenance"]["decks"]["count"] == 200
        mirrored = ginsim.simulate(rules, PAIR, seed=4, decks=decks, mirror=True)
        pd.testing.assert_frame_equal(
            mirrored, ginsim.simulate(rules, PAIR, 400, seed=4, mirror=True)
        )
    assert ginsim.tally("kawu", PAIR, seed=4, decks=decks).hands == 200


def test_a_given_deck_is_dealt_in_its_order() -> None:
    # North (the non-dealer of deal 0) is dealt gin, one card at a time with south.
    north = ["4c", "5c", "6c", "9d", "9h", "9s", "Td", "Jd", "Qd", "Kd"]
    south = ["As", "2c", "3d", "4h", "5s", "6h", "7d", "8h", "8s", "Tc"]
    rest = [
        ginsim.CardSet(1 << card)
        for card in range(52)
        if not (ginsim.CardSet(" ".join(north + south)).mask >> card & 1)
    ]
    deck = [card for pair in zip(north, south, strict=True) for card in pair]
    deck += [str(card) for card in rest]
    frame = ginsim.simulate("kawu", "greedy", decks=[deck], seed=1)
    assert frame["outcome"].tolist() == ["gin"]
    assert frame["winner"].tolist() == ["north"]
    assert (frame["points"] == frame["south_deadwood"] + 25).all()
    story = ginsim.replay("kawu", "greedy", 1, 0, decks=[deck])
    assert story["hands"]["north"] == list(ginsim.CardSet(" ".join(north)))


def test_ranges_of_given_decks() -> None:
    decks = seeds_decks(4, 30)
    part = ginsim.simulate("kawu", PAIR, 10, first=15, seed=4, decks=decks)
    whole = ginsim.simulate("kawu", PAIR, seed=4, decks=decks)
    pd.testing.assert_frame_equal(part, whole[15:25].reset_index(drop=True))
    with pytest.raises(ginsim.OptionError, match=r"hands: 31 is not allowed; .* 0 to 30"):
        ginsim.simulate("kawu", PAIR, 31, seed=4, decks=decks)
    with pytest.raises(ginsim.OptionError, match="hands: None is not allowed"):
        ginsim.simulate("kawu", PAIR, seed=4)
    assert len(ginsim.simulate("kawu", PAIR, seed=4, decks=decks[:0])) == 0


def test_files_of_decks(tmp_path: Path) -> None:
    decks = seeds_decks(9, 3)
    names = [" ".join(str(ginsim.CardSet(1 << int(card))) for card in deck) for deck in decks]
    path = tmp_path / "decks.txt"
    path.write_text(
        f"# three decks\n{names[0]}\n\n{names[1]}  # second\n{names[2].replace(' ', ', ')}\n",
        encoding="utf-8",
    )
    assert (read_decks(path) == decks).all()
    path.write_text(f"{names[0]}\n{names[1][:-3]}\n", encoding="utf-8")
    with pytest.raises(ginsim.CardError, match=r"decks.txt, line 2: 51 cards; allowed: 52"):
        read_decks(path)
    path.write_text(f"\n{names[0]}\n{names[1][:-2]}{names[1][:2]}\n", encoding="utf-8")
    with pytest.raises(ginsim.CardError, match=r"line 3: duplicate card"):
        read_decks(path)
    path.write_text("Xx\n", encoding="utf-8")
    with pytest.raises(ginsim.CardError, match=r"line 1: unknown card 'Xx'"):
        read_decks(path)


def test_bad_decks_are_refused_in_words() -> None:
    good = np.arange(52)
    for decks, words in (
        (np.zeros((2, 52), int), "deck 0: duplicate card Ac"),
        (np.array([good, good + 1]), "deck 1: 52 is no card"),
        (np.zeros((2, 51), int), "shape"),
        (np.zeros((2, 52)), "float64"),
        ([["4h"]], "deck 0: 1 cards; allowed: 52"),
        ("4h", "decks: '4h' is not allowed; allowed: a list of decks"),
    ):
        with pytest.raises(ginsim.CardError) as failure:
            as_decks(decks)
        assert words in str(failure.value)
