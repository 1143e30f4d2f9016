"""Rescoring: what is scored and booked again is what the other rules play, and nothing else is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import ginsim
from ginsim import _batch, _games, _rescoring
from ginsim.bookings import spread_runs
from ginsim.cli import main
from ginsim.columns import HAND_COLUMNS
from ginsim.rescoring import CHECKS, FIELDS, METHODS, MOST_NAMED, find_class, rescore
from ginsim.rules import Rules, load_rules, to_game_record, to_record
from ginsim.schemas import load_schema
from ginsim.strategies import STRATEGIES, Strategy, parse_strategy

#: What a price may change in a row of a hand; all else is how it was played.
PRICED = ("outcome", "winner", "points", "net", "boxes", "prize_boxes")
PLAYED = [column.name for column in HAND_COLUMNS if column.name not in PRICED]

#: Gin and big gin by the one, undercuts, clean ones and ties against the other.
MIXED = ("greedy(knock_at=0)", "random")
READING = "greedy(knock_after_win=0, win_from=30, knock_after_loss=2, loss_from=20)"


def check(result: pd.DataFrame, played: pd.DataFrame) -> dict[str, Any]:
    """That a rescored frame is the one played, provenance too; what was done to it."""
    pd.testing.assert_frame_equal(result, played)
    origin = dict(result.attrs["provenance"])
    marks: dict[str, Any] = origin.pop("rescored")
    assert origin == played.attrs["provenance"]
    assert marks["method"] in METHODS
    assert marks["checked"] in CHECKS
    return marks


# ---------------------------------------------------------------- the classes of fields


def test_every_field_is_in_one_class() -> None:
    assert list(FIELDS) == list(Rules.field_names())
    assert {entry.kind for entry in FIELDS.values()} == {"price", "book", "play"}
    assert all(entry.why for entry in FIELDS.values())


#: For each field that is a price: rules and two values of it under which some hand counts another
#: number of points or boxes.
PRICES = {
    "spade_doubles": ("hollywood", "none", "all"),
    "gin_bonus": ("kawu", 25, 40),
    "undercut_bonus": ("kawu", 25, 3),
    "clean_undercut_bonus": ("kawu", 25, 0),
    "big_gin_bonus": ("hollywood", 30, 0),
    "tie": ("kawu", "undercut", "nobody"),
    "box_base": ("hollywood", 1, 15),
    "box_gin": ("hollywood", 2, 3),
    "box_clean_undercut": ("hollywood", 2, 9),
    "box_undercut": ("hollywood", 1, 0),
    "box_big_gin": ("hollywood", 3, 4),
}
#: For each field about the booking: rules and two values under which some game is another.
BOOKS = {
    "scoring": ("kawu", "single", "hollywood"),
    "target": ("kawu", 100, 60),
    "game_bonus": ("kawu", 100, 0),
    "hand_bonus": ("kawu", 25, 1),
    "shutout_bonus": ("modern(target=30)", 100, 0),
    "shutout": ("kawu(target=30)", "double", "add"),
    "box_column": ("hollywood", 5, 0),
    "shutout_shift": ("hollywood(target=60)", True, False),
}
#: For each field of play: rules, two values, strategies under which some hand is played otherwise.
PLAYS: dict[str, tuple[str, Any, Any, Any]] = {
    "deal": ("kawu", "upcard", "eleven", "greedy"),
    "return_taken_card": ("kawu", False, True, "random"),
    "give_back_limit": ("casual", 0, 1, "random"),
    "knock_card": ("kawu", "none", "second-deck", "greedy"),
    "knock_limit": ("kawu", 10, 4, "greedy"),
    "ace_limit": ("oklahoma", "one", "gin", "greedy"),
    "spread": ("kawu", "any", "least", "random"),
    "layoffs": ("kawu", True, False, "greedy"),
    "dead_at": ("kawu", 2, 12, "random"),
    "wall": ("openspiel", "dead", "fiftieth", "greedy(knock_at=0)"),
    "max_pile_draws": ("kawu", 50, 1, "random"),
}
PLAYS_OF_GAMES = {
    "first_dealer": ("kawu", "drawn", "seat"),
    "next_dealer": ("kawu", "winner", "loser"),
}


def test_every_field_is_tried() -> None:
    kinds = {
        **dict.fromkeys(PRICES, "price"),
        **dict.fromkeys(BOOKS, "book"),
        **dict.fromkeys([*PLAYS, *PLAYS_OF_GAMES, "players"], "play"),
    }
    assert kinds == {field: entry.kind for field, entry in FIELDS.items()}


@pytest.mark.parametrize("field", PRICES)
def test_a_price_changes_no_play(field: str) -> None:
    rules, old, new = PRICES[field]
    # Who plays for gin has big gins.
    strategies = MIXED if "big_gin" in field else "greedy"
    first, second = (
        ginsim.simulate(load_rules(rules, {field: value}), strategies, 3000, seed=5)
        for value in (old, new)
    )
    pd.testing.assert_frame_equal(first[PLAYED], second[PLAYED])
    # Else the test could not fail.
    assert not first[list(PRICED)].equals(second[list(PRICED)])
    marks = check(rescore(first, rules, overrides={field: new}, replay=False), second)
    assert marks["method"] == "priced"
    assert marks["replayed"] == 0
    assert marks["fields"] == [field]


@pytest.mark.parametrize("strategies", ["greedy", ("simple", "greedy")])
@pytest.mark.parametrize("field", BOOKS)
def test_a_booking_changes_no_play(field: str, strategies: Any) -> None:
    rules, old, new = BOOKS[field]
    both = [load_rules(rules, {field: value}) for value in (old, new)]
    options: dict[str, Any] = {"seed": 8, "min_hands": 40}
    first, second = (ginsim.simulate_game_hands(each, strategies, 60, **options) for each in both)
    # As far as both were played on.
    same = [frame[frame["hand_in_game"] < 40].reset_index() for frame in (first, second)]
    columns = [name for name in first if name not in ("south_before", "north_before")]
    pd.testing.assert_frame_equal(same[0][columns], same[1][columns])
    games = [ginsim.simulate_games(each, strategies, 60, seed=8) for each in both]
    assert not games[0].equals(games[1])
    again = rescore(first, rules, overrides={field: new})
    marks = check(again, ginsim.simulate_game_hands(both[1], strategies, 60, seed=8))
    assert marks["fields"] == [field]
    pd.testing.assert_frame_equal(ginsim.book_games(again), games[1])


@pytest.mark.parametrize("field", PLAYS)
def test_a_field_of_play_changes_hands(field: str) -> None:
    rules, old, new, strategies = PLAYS[field]
    first, second = (
        ginsim.simulate(load_rules(rules, {field: value}), strategies, 1500, seed=5)
        for value in (old, new)
    )
    assert not first[PLAYED].equals(second[PLAYED])
    marks = check(rescore(first, rules, overrides={field: new}), second)
    assert marks == {
        "from": first.attrs["provenance"]["rules"]["name"],
        "method": "replayed",
        "replayed": 1500,
        "fields": [field],
        "checked": "points",
    }
    with pytest.raises(ginsim.OptionError) as refusal:
        rescore(first, rules, overrides={field: new}, replay=False)
    for word in (field, str(old).lower(), str(new).lower(), "gin_bonus", "replay=False"):
        assert word in str(refusal.value)


@pytest.mark.parametrize("field", PLAYS_OF_GAMES)
def test_a_rule_of_dealers_changes_games(field: str) -> None:
    rules, old, new = PLAYS_OF_GAMES[field]
    first, second = (
        ginsim.simulate_game_hands(load_rules(rules, {field: value}), "greedy", 40, seed=5)
        for value in (old, new)
    )
    assert not first["dealer"].equals(second["dealer"])
    assert check(rescore(first, rules, overrides={field: new}), second)["method"] == "replayed"
    with pytest.raises(ginsim.OptionError, match=rf"replay: {field} \('{old}' to '{new}'\)"):
        rescore(first, rules, overrides={field: new}, replay=False)
    # Single hands have the dealers that their numbers say.
    hands = ginsim.simulate(load_rules(rules, {field: old}), "greedy", 40, seed=5)
    played = ginsim.simulate(load_rules(rules, {field: new}), "greedy", 40, seed=5)
    result = rescore(hands, rules, overrides={field: new}, replay=False)
    assert check(result, played)["method"] == "priced"


def test_big_gin_off_is_play() -> None:
    off = "hollywood(big_gin_bonus=off)"
    frames = {
        rules: ginsim.simulate(rules, "greedy(knock_at=0)", 3000, seed=5)
        for rules in ("hollywood", off)
    }
    assert (frames["hollywood"]["outcome"] == "big_gin").any()
    for rules, other in (("hollywood", off), (off, "hollywood")):
        marks = check(rescore(frames[rules], other), frames[other])
        assert marks["method"] == "replayed"
        with pytest.raises(ginsim.OptionError, match=r"big_gin_bonus .*'off'"):
            rescore(frames[rules], other, replay=False)
    assert find_class("big_gin_bonus", 30, 0) == "price"
    assert find_class("big_gin_bonus", 30, "off") == find_class("big_gin_bonus", "off", 0) == "play"


def test_players_are_never_changed() -> None:
    hands = ginsim.simulate("hollywood", "greedy", 4, seed=1)
    games = ginsim.simulate_games("partnership", "greedy", 4, seed=1)
    for frame, rules, there in ((hands, "partnership", 2), (games, "hollywood", 4)):
        with pytest.raises(ginsim.OptionError, match=f"players: {6 - there} .* allowed: {there}"):
            rescore(frame, rules)


# ---------------------------------------------------------------- hands by hand reasoning


def one_hand(rules: str, **values: Any) -> pd.DataFrame:
    """A frame of one hand in which south knocked, with these values of its columns."""
    base = ginsim.simulate(rules, "greedy", 200, seed=1)
    frame = base[base["winner"].notna()].head(1).copy()
    values = {"knocker": "south", "laid_off": 0, **values}
    if load_rules(rules).knock_card == "none":
        values["knock_card"] = np.nan
    for name, value in values.items():
        frame[name] = pd.Series([value], index=frame.index).astype(frame[name].dtype)
    return frame


def score_of(frame: pd.DataFrame, rules: str) -> tuple[Any, ...]:
    row = rescore(frame, rules, replay=False).iloc[0]
    winner = None if pd.isna(row["winner"]) else row["winner"]
    return row["outcome"], winner, row["points"], row["net"], row["boxes"], row["prize_boxes"]


def test_gin_with_15() -> None:
    gin = one_hand(
        "kawu",
        outcome="gin",
        winner="south",
        south_deadwood=0,
        north_deadwood=15,
        points=40,
        net=40,
    )
    assert score_of(gin, "kawu(gin_bonus=20)") == ("gin", "south", 35, 35, 0, 0)
    assert score_of(gin, "kawu(undercut_bonus=20)") == ("gin", "south", 40, 40, 0, 0)
    # A base box and two prizes, as Hollywood gives them for gin.
    assert score_of(gin, "kawu(box_base=1, box_gin=2)") == ("gin", "south", 40, 40, 3, 2)


def test_an_undercut_by_3() -> None:
    undercut = one_hand(
        "kawu",
        outcome="undercut",
        winner="north",
        south_deadwood=8,
        north_deadwood=5,
        points=28,
        net=-28,
    )
    assert score_of(undercut, "kawu(undercut_bonus=10)") == ("undercut", "north", 13, -13, 0, 0)
    clean = one_hand(
        "kawu",
        outcome="clean_undercut",
        winner="north",
        south_deadwood=8,
        north_deadwood=0,
        points=33,
        net=-33,
    )
    assert score_of(clean, "kawu(undercut_bonus=10)")[2] == 33
    assert score_of(clean, "kawu(clean_undercut_bonus=10)")[2] == 18


def test_equal_deadwood() -> None:
    tie = one_hand(
        "kawu",
        outcome="undercut",
        winner="north",
        south_deadwood=7,
        north_deadwood=7,
        points=25,
        net=-25,
    )
    assert score_of(tie, "kawu(tie=knocker)") == ("knock", "south", 0, 0, 0, 0)
    nobody = rescore(tie, "kawu(tie=nobody)")
    assert score_of(tie, "kawu(tie=nobody)") == ("tie", None, 0, 0, 0, 0)
    # And back.
    assert score_of(nobody, "kawu") == ("undercut", "north", 25, -25, 0, 0)


def test_spades_double() -> None:
    """Document 0 prints a gin with 15 on a spade as 80, (4), five boxes."""
    gin = one_hand(
        "hollywood",
        outcome="gin",
        winner="south",
        south_deadwood=0,
        north_deadwood=15,
        knock_card="Ks",
        points=80,
        net=80,
        boxes=5,
        prize_boxes=4,
    )
    assert score_of(gin, "hollywood(spade_doubles=none)") == ("gin", "south", 40, 40, 3, 2)
    assert score_of(gin, "hollywood(spade_doubles=points)") == ("gin", "south", 80, 80, 3, 2)
    assert score_of(gin, "hollywood(spade_doubles=all)") == ("gin", "south", 80, 80, 6, 4)
    assert score_of(gin, "hollywood(gin_bonus=15)") == ("gin", "south", 60, 60, 5, 4)


# ---------------------------------------------------------------- hands as they are played

PAIRS = [
    ("kawu", "kawu(gin_bonus=15, undercut_bonus=5, tie=knocker)"),
    ("kawu", "kawu(gin_bonus=20, undercut_bonus=10, tie=nobody, target=0)"),
    ("classic", "pagat"),
    ("eaai", "kawu"),
    ("hollywood", "hollywood(spade_doubles=all, box_gin=7, big_gin_bonus=100)"),
    ("openspiel", "openspiel(tie=undercut, gin_bonus=20)"),
    ("oklahoma", "oklahoma(spade_doubles=points)"),
    ("casual", "casual(big_gin_bonus=50, clean_undercut_bonus=50)"),
]


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("strategies", ["greedy", ("simple", "random"), MIXED, READING])
@pytest.mark.parametrize(("rules", "other"), PAIRS)
def test_hands_are_those_of_the_other_rules(
    rules: str, other: str, strategies: Any, mirror: bool
) -> None:
    """A strategy that looks at its partner's points has no partner here."""
    options: dict[str, Any] = {"seed": 11, "first": 6, "mirror": mirror}
    frame = ginsim.simulate(rules, strategies, 400, **options)
    kept = frame.copy()
    result = rescore(frame, other, replay=False)
    assert check(result, ginsim.simulate(other, strategies, 400, **options))["method"] == "priced"
    # And back; what was given is as it was.
    pd.testing.assert_frame_equal(rescore(result, rules, replay=False), kept)
    pd.testing.assert_frame_equal(frame, kept)


def test_all_fields_at_once_are_replayed() -> None:
    for rules in ginsim.list_rulesets():
        if load_rules(rules).players == 2:
            played = ginsim.simulate(rules, MIXED, 60, seed=2)
            check(rescore(ginsim.simulate("hollywood", MIXED, 60, seed=2), rules), played)


@pytest.mark.parametrize("other", ["kawu(gin_bonus=0)", "kawu(knock_limit=3)"])
@pytest.mark.parametrize("mirror", [False, True])
def test_some_of_the_hands(other: str, mirror: bool) -> None:
    options: dict[str, Any] = {"seed": 11, "first": 8, "mirror": mirror}
    frame = ginsim.simulate("kawu", MIXED, 300, **options)
    played = ginsim.simulate(other, MIXED, 300, **options)
    for rows in (
        np.arange(0),
        np.array([7]),
        np.arange(51, 203),
        np.flatnonzero(frame["outcome"] == "gin"),
        np.random.default_rng(1).permutation(300),
    ):
        pd.testing.assert_frame_equal(rescore(frame.iloc[rows], other), played.iloc[rows])


def test_columns_of_other_types_and_order() -> None:
    frame = ginsim.simulate("kawu", MIXED, 100, seed=11)
    changed = frame[list(frame)[::-1]].astype({"points": "int64"})
    changed["outcome"] = changed["outcome"].cat.reorder_categories(
        list(frame["outcome"].cat.categories)[::-1]
    )
    changed.attrs = frame.attrs
    pd.testing.assert_frame_equal(
        rescore(changed, "kawu(gin_bonus=2)"), rescore(frame, "kawu(gin_bonus=2)")
    )


def test_a_rescored_frame_shares_nothing() -> None:
    frame = ginsim.simulate("kawu", "greedy", 20, seed=1)
    kept = frame.copy()
    result = rescore(frame, "kawu(gin_bonus=2)")
    for name in result:
        if result[name].dtype.kind in "iu":
            result.loc[:, name] = 0
    pd.testing.assert_frame_equal(frame, kept)


# ---------------------------------------------------------------- games

GAME_PAIRS: list[tuple[str, str, Any]] = [
    ("kawu", "kawu(gin_bonus=10, target=150, hand_bonus=0)", "greedy"),
    ("kawu", "kawu(tie=nobody)", ("random", "greedy")),
    ("classic", "classic(tie=nobody, shutout=add)", ("simple", "random")),
    ("modern", "modern+hollywood", ("greedy", "simple")),
    ("hollywood", "hollywood(target=150, gin_bonus=40, box_column=0)", "greedy"),
    ("hollywood", "hollywood(shutout_shift=false, spade_doubles=all)", ("simple", "greedy")),
    (
        "hollywood",
        "hollywood(scoring=single, box_column=0, shutout_shift=false, shutout=add)",
        "greedy",
    ),
    ("openspiel", "openspiel(target=30)", ("greedy", "random")),
    # Of those who play for gin many first hands are dead.
    ("kawu", "kawu(target=0)", "greedy(knock_at=0)"),
    ("partnership", "partnership(target=150)", "greedy"),
    ("partnership", "partnership(gin_bonus=60, spade_doubles=none)", ("greedy", "simple")),
    (
        "partnership(next_dealer=loser)",
        "partnership(next_dealer=loser, undercut_bonus=60)",
        ("greedy", "simple", "random", "greedy(knock_at=3)"),
    ),
]


@pytest.mark.parametrize("min_hands", [0, 60])
@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize(("rules", "other", "strategies"), GAME_PAIRS)
def test_games_are_those_of_the_other_rules(
    rules: str, other: str, strategies: Any, mirror: bool, min_hands: int
) -> None:
    options: dict[str, Any] = {"seed": 3, "first": 4, "mirror": mirror, "max_hands": 80}
    frame = ginsim.simulate_game_hands(rules, strategies, 40, min_hands=min_hands, **options)
    result = rescore(frame, other, threads=2)
    marks = check(result, ginsim.simulate_game_hands(other, strategies, 40, **options))
    games = ginsim.simulate_games(other, strategies, 40, **options)
    pd.testing.assert_frame_equal(ginsim.book_games(result), games)
    old = ginsim.simulate_games(rules, strategies, 40, **options)
    pd.testing.assert_frame_equal(ginsim.book_games(frame), old)
    check(rescore(old, other), games)
    assert (marks["method"] == "booked") == (marks["replayed"] == 0)
    assert (marks["method"] == "replayed") == (marks["replayed"] == 40)


def test_min_hands_covers_longer_games() -> None:
    short = ginsim.simulate_game_hands("kawu", "greedy", 50, seed=3)
    long = ginsim.simulate_game_hands("kawu", "greedy", 50, seed=3, min_hands=60)
    assert rescore(long, "kawu+hollywood", replay=False).attrs["provenance"]["rescored"] == {
        "from": "kawu",
        "method": "booked",
        "replayed": 0,
        "fields": ["scoring", "shutout_shift"],
        "checked": "points",
    }
    # How many end later is seen from the games themselves.
    lasting = ginsim.simulate_games("kawu+hollywood", "greedy", 50, seed=3)["hands"]
    later = int((lasting > ginsim.simulate_games("kawu", "greedy", 50, seed=3)["hands"]).sum())
    assert 0 < later < 50
    result = rescore(short, "kawu+hollywood")
    assert result.attrs["provenance"]["rescored"]["replayed"] == later
    assert result.attrs["provenance"]["rescored"]["method"] == "booked and replayed"
    with pytest.raises(ginsim.OptionError, match=f"of 50 games .* {later} games would .*min_hands"):
        rescore(short, "kawu+hollywood", replay=False)


def test_max_hands_is_an_end_too() -> None:
    options: dict[str, Any] = {"seed": 3, "max_hands": 6}
    frame = ginsim.simulate_game_hands("kawu", "greedy", 30, min_hands=20, **options)
    result = rescore(frame, "kawu(target=300)", replay=False)
    check(result, ginsim.simulate_game_hands("kawu(target=300)", "greedy", 30, **options))
    assert (ginsim.book_games(result)["hands"] == 6).all()


def test_another_dealer_is_another_hand() -> None:
    """A tie that nobody wins leaves the deal where it was."""
    rules, other = "kawu(next_dealer=alternate)", "kawu(next_dealer=alternate, tie=nobody)"
    frame = ginsim.simulate_game_hands(rules, "greedy", 100, seed=3, min_hands=60)
    played = ginsim.simulate_game_hands(other, "greedy", 100, seed=3)
    marks = check(rescore(frame, other), played)
    # Those in which the seat that deals some hand is another.
    both = frame.merge(played, on=["game", "hand_in_game"])
    differing = both.loc[both["dealer_x"] != both["dealer_y"], "game"].nunique()
    assert marks["replayed"] == differing > 0
    text = f"in {differing} games? another seat would deal"
    with pytest.raises(ginsim.OptionError, match=text):
        rescore(frame, other, replay=False)


def test_other_players_are_another_hand() -> None:
    """Without bonuses totals are often level, and then the same players meet again."""
    rules, other = (
        "partnership(next_dealer=loser, clean_undercut_bonus=0, big_gin_bonus=0, "
        f"gin_bonus={bonus}, undercut_bonus={bonus})"
        for bonus in (0, 1)
    )
    options: dict[str, Any] = {"seed": 3, "min_hands": 50}
    frame = ginsim.simulate_game_hands(rules, "greedy", 100, **options)
    played = ginsim.simulate_game_hands(other, "greedy", 100, **options)
    both = frame.merge(played, on=["game", "hand_in_game", "table"])
    parting = both[
        (both["dealer_x"] != both["dealer_y"]) | (both["pairing_x"] != both["pairing_y"])
    ]
    first = parting.groupby("game").head(1)
    # Here only the players tell.
    assert (first["dealer_x"] == first["dealer_y"]).any()
    check(rescore(frame, other), ginsim.simulate_game_hands(other, "greedy", 100, seed=3))


@pytest.mark.parametrize("other", ["kawu(target=150)", "kawu(knock_limit=3)", "kawu"])
def test_some_of_the_games(other: str) -> None:
    frame = ginsim.simulate_game_hands("kawu", "greedy", 40, seed=3)
    played = ginsim.simulate_game_hands(other, "greedy", 40, seed=3)
    for games in ([], [5], [39, 2, 3, 17]):
        some, wanted = (
            pd.concat([each[each["game"] == game] for game in games] or [each.head(0)])
            for each in (frame, played)
        )
        some.attrs = frame.attrs
        pd.testing.assert_frame_equal(rescore(some, other), wanted.reset_index(drop=True))


def test_games_without_change_stay() -> None:
    frame = ginsim.simulate_games("kawu", "greedy", 10, seed=3)
    assert check(rescore(frame, "kawu", replay=False), frame)["method"] == "booked"
    with pytest.raises(ginsim.OptionError, match=r"replay: target \(100 to 150\)"):
        rescore(frame, "kawu(target=150)", replay=False)


# ---------------------------------------------------------------- strategies that look at points


def test_what_strategies_read() -> None:
    read = {name: parse_strategy(name).reads_points for name in STRATEGIES}
    assert {name: what for name, what in read.items() if what} == {
        "expert": ("scores",),
        "rollout": ("play-outs",),
    }
    assert parse_strategy("expert(close_from=0)").reads_points == ()
    assert parse_strategy("greedy(4, knock_after_win=3)").reads_points == ("partner",)
    assert parse_strategy("greedy(4, knock_after_loss=3)").reads_points == ("partner",)
    # The same number is no decision.
    assert parse_strategy("greedy(4, knock_after_loss=4)").reads_points == ()
    assert parse_strategy("greedy(4, win_from=9)").reads_points == ()


def test_games_of_a_strategy_that_reads_scores_are_played_again() -> None:
    """Points, and the target they are held against, change its knocks; single hands have none."""
    player = "expert(knock_table=3, close_from=60, knock_close=10)"
    for other in ("kawu(gin_bonus=60)", "kawu(target=60)", "kawu(target=150)"):
        frame = ginsim.simulate_game_hands("kawu", player, 40, seed=3)
        played = ginsim.simulate_game_hands(other, player, 40, seed=3)
        marks = check(rescore(frame, other), played)
        assert (marks["method"], marks["replayed"]) == ("replayed", 40)
        with pytest.raises(ginsim.OptionError, match="a strategy looks at points"):
            rescore(frame, other, replay=False)
    hands = ginsim.simulate("kawu", player, 200, seed=3)
    other = "kawu(gin_bonus=60)"
    again = ginsim.simulate(other, player, 200, seed=3)
    assert check(rescore(hands, other, replay=False), again)["method"] == "priced"


def test_hands_of_a_search_are_not_priced() -> None:
    players = ("rollout(4, candidates=2)", "greedy")
    frame = ginsim.simulate_games("kawu", players, 6, seed=3)
    played = ginsim.simulate_games("kawu(gin_bonus=100)", players, 6, seed=3)
    assert check(rescore(frame, "kawu(gin_bonus=100)"), played)["method"] == "replayed"
    hands = ginsim.simulate("kawu", players, 10, seed=3)
    with pytest.raises(ginsim.OptionError, match=r"gin_bonus \(25 to 100\).*looks at points"):
        rescore(hands, "kawu(gin_bonus=100)", replay=False)


def test_hands_of_a_strategy_that_reads_points_are_not_priced() -> None:
    other = "partnership(gin_bonus=0, undercut_bonus=100)"
    frame = ginsim.simulate_game_hands("partnership", READING, 40, seed=3, min_hands=60)
    played = ginsim.simulate_game_hands(other, READING, 40, seed=3)
    marks = check(rescore(frame, other), played)
    assert (marks["method"], marks["replayed"]) == ("replayed", 40)
    with pytest.raises(ginsim.OptionError) as refusal:
        rescore(frame, other, replay=False)
    for word in ("gin_bonus (25 to 0)", "undercut_bonus (20 to 100)", "partner's points"):
        assert word in str(refusal.value)
    # Priced all the same they would be other hands: here provenance hides who plays.
    hidden = frame.copy()
    plain = parse_strategy("greedy").model_dump()
    hidden.attrs["provenance"] = {
        **frame.attrs["provenance"],
        "strategies": dict.fromkeys("ABCD", plain),
    }
    wrong = rescore(hidden, other)
    both = wrong.merge(played, on=["game", "hand_in_game", "table"])
    first = both[both["hand_in_game"] == 0]
    assert (first["turns_x"] != first["turns_y"]).any()
    # What is no point of the partner's does not matter to them.
    boxes = rescore(frame, "partnership(box_gin=9, box_column=1)")
    assert (
        check(
            boxes,
            ginsim.simulate_game_hands("partnership(box_gin=9, box_column=1)", READING, 40, seed=3),
        )["replayed"]
        == 0
    )


@pytest.mark.parametrize("what", [("scores",), ("partner", "scores"), ("something new",)])
def test_what_is_not_known_to_be_read_is_read(
    what: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strategy that looks at more than its partner's points may play by any price or book.

    Hands by themselves are played at no score.
    """
    frames = [ginsim.simulate_game_hands("kawu", "greedy", 10, seed=3, min_hands=40)]
    hands = ginsim.simulate("kawu", "greedy", 10, seed=3)
    if "scores" not in what:
        frames.append(hands)
    monkeypatch.setattr(Strategy, "reads_points", property(lambda self: what))
    for frame in frames:
        for change in (
            "gin_bonus=1",
            "box_gin=2",
            "target=70",
            "hand_bonus=1",
            "scoring=hollywood",
        ):
            result = rescore(frame, f"kawu({change})")
            assert result.attrs["provenance"]["rescored"]["method"] == "replayed"
            with pytest.raises(ginsim.OptionError, match="a strategy looks at points"):
                rescore(frame, f"kawu({change})", replay=False)
        assert rescore(frame, "kawu", replay=False).attrs["provenance"]["rescored"]["replayed"] == 0
    if "scores" in what:
        priced = rescore(hands, "kawu(gin_bonus=1)", replay=False)
        assert priced.attrs["provenance"]["rescored"]["method"] == "priced"


def other_value(rules: Rules, field: str) -> Rules | None:
    """The rules with another value of one field, if there is one that is allowed with the rest."""
    old = getattr(rules, field)
    words: tuple[Any, ...] = (
        "none",
        "points",
        "prizes",
        "all",
        "any",
        "least",
        "undercut",
        "knocker",
        "nobody",
    )
    words += ("single", "hollywood", "add", "double", "double-boxes", "winner", "loser", "seat")
    words += ("drawn", "upcard", "second-deck", "eleven", "gin", "one", "dead", "fiftieth", "off")
    for value in (
        not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else 1,
        *words,
    ):
        try:
            if value != old:
                return load_rules(rules, {field: value})
        except ginsim.RulesError:
            continue
    return None


@pytest.mark.parametrize(
    ("rules", "strategies", "of_games"),
    [
        ("hollywood", "greedy", False),
        ("hollywood", "greedy", True),
        ("kawu", READING, True),
        ("kawu", READING, False),
        ("partnership", "greedy", True),
        ("partnership", READING, True),
    ],
)
def test_a_refusal_names_what_is_allowed_and_nothing_else(
    rules: str, strategies: str, of_games: bool
) -> None:
    """Each field named as allowed is tried, and each other one."""
    play = ginsim.simulate_game_hands if of_games else ginsim.simulate
    frame = play(rules, strategies, 3, seed=1)
    with pytest.raises(ginsim.OptionError, match="other hands are played") as refusal:
        rescore(frame, rules, overrides={"dead_at": 7}, replay=False)
    text = str(refusal.value).partition("changes of ")[2].partition(", as long")[0]
    named = {name.removesuffix(" between numbers") for name in re.split(", | and ", text)}
    assert named < set(FIELDS)
    assert ("big_gin_bonus between numbers" in text) == ("big_gin_bonus" in named), (
        "it is play to and from off"
    )
    tried = set()
    for field in set(FIELDS) - {"players"}:
        changed = other_value(load_rules(rules), field)
        if changed is None:
            continue
        tried.add(field)
        try:
            rescore(frame, changed, replay=False)
            refused = False
        except ginsim.OptionError as failure:
            refused = "other hands are played" in str(failure)
        assert refused == (field not in named), field
    assert len(tried) > 25
    # A frame of games has no hands; none of this is allowed then.
    if of_games:
        games = ginsim.simulate_games(rules, strategies, 3, seed=1)
        with pytest.raises(ginsim.OptionError) as refusal:
            rescore(games, rules, overrides={"dead_at": 7}, replay=False)
        assert "allowed with replay=False: hands of games" in str(refusal.value)


# ---------------------------------------------------------------- refusals


def test_rows_that_their_rules_do_not_give() -> None:
    frame = ginsim.simulate("kawu", "greedy", 50, seed=1)
    points = int(frame["points"][7])
    frame.loc[7, "points"] = points + 1
    message = f"row of hand 7 has points {points + 1}; by kawu it is {points}"
    with pytest.raises(ginsim.OptionError, match=message):
        rescore(frame, "kawu(gin_bonus=1)")
    frame = ginsim.simulate_game_hands("partnership", "greedy", 5, seed=1)
    frame["pair_winner"] = frame["pair_winner"].cat.rename_categories(["north", "south"])
    with pytest.raises(
        ginsim.OptionError, match=r"has pair_winner '(north|south)'; by partnership"
    ):
        rescore(frame, "partnership(gin_bonus=1)")


@pytest.mark.parametrize(
    "other", ["kawu", "kawu(gin_bonus=1)", "kawu(dead_at=5)", "kawu(target=150, knock_limit=3)"]
)
@pytest.mark.parametrize("column", ["points", "net", "boxes", "prize_boxes", "winner", "outcome"])
def test_edited_hands_are_refused_whatever_is_done_with_them(column: str, other: str) -> None:
    """Nothing changed, priced, replayed: the old rules are asked first."""
    for frame in (
        ginsim.simulate("kawu", "greedy", 30, seed=1),
        ginsim.simulate_game_hands("kawu", "greedy", 3, seed=1),
    ):
        place = int(np.flatnonzero(frame["outcome"] == "knock")[3])
        if column == "winner":
            value = {"south": "north", "north": "south"}[frame["winner"][place]]
        else:
            value = "gin" if column == "outcome" else frame[column][place] + 7
        frame.loc[place, column] = value
        with pytest.raises(ginsim.OptionError, match=rf"has {column} .*; by kawu it is"):
            rescore(frame, other)


@pytest.mark.parametrize("rules", ["kawu", "hollywood", "partnership"])
def test_points_before_a_hand_and_dealers_are_those_of_the_game(rules: str) -> None:
    frame = ginsim.simulate_game_hands(rules, "greedy", 5, seed=1, min_hands=12)
    acts = (ginsim.book_games, lambda each: rescore(each, rules))
    # The second hand, both tables of it.
    second = frame["hand_in_game"] == 1
    for column in ("south_before", "north_before"):
        edited = frame.copy()
        edited.loc[second, column] += 5
        for act in acts:
            with pytest.raises(ginsim.OptionError, match=rf"row of game 0 has {column} .*; by"):
                act(edited)
    edited = frame.copy()
    there = edited.loc[second & (edited["game"] == 3), "dealer"].astype(str)
    other = {"south": "north", "north": "south"}
    edited.loc[there.index, "dealer"] = there.map(other)
    for act in acts:
        with pytest.raises(ginsim.OptionError, match="in game 3 another seat deals"):
            act(edited)


@pytest.mark.parametrize("other", ["kawu", "kawu(target=150)", "kawu+hollywood"])
def test_edited_games_are_refused(other: str) -> None:
    """Their hands are not there, so they are held against the games that the old rules play."""
    frame = ginsim.simulate_games("kawu", "greedy", 10, seed=3)
    marks = rescore(frame, other).attrs["provenance"]["rescored"]
    assert (marks["method"], marks["replayed"], marks["checked"]) == ("replayed", 10, "replay")
    numbers = [str(name) for name in frame if frame[name].dtype.kind == "i" and name != "game"]
    assert "south_score" in numbers
    for column in numbers:
        values = frame[column].to_numpy().copy()
        values[6] += 7
        edited = frame.assign(**{column: values})
        told = f"has {column} {values[6]}; played by kawu it is {values[6] - 7}"
        message = f"row of game 6 {told}"
        with pytest.raises(ginsim.OptionError, match=message):
            rescore(edited, other)
    edited = frame.assign(south_score=0)
    # Without playing nothing can be said, and that is said.
    kept = rescore(edited, "kawu", replay=False)
    assert kept.attrs["provenance"]["rescored"]["checked"] == "nothing"


def test_only_the_rows_asked_for_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def counting(module: Any, name: str) -> None:
        plain = getattr(module, name)

        def count(*args: Any) -> None:
            start, stop = next(
                pair for pair in (args[4:6], args[5:7]) if all(type(end) is int for end in pair)
            )
            played.append(stop - start)
            plain(*args)

        monkeypatch.setattr(module, name, count)

    far = 10**8
    other = "kawu(knock_limit=3)"
    parts = [
        ginsim.simulate("kawu", MIXED, size, seed=1, first=first)
        for first, size in ((0, 2), (far, 2), (far + 7, 1), (2**61, 3))
    ]
    games = [
        ginsim.simulate_games("kawu", MIXED, size, seed=1, first=first)
        for first, size in ((3, 2), (far, 1), (2**61, 2))
    ]
    wanted = [
        pd.concat(
            [
                simulate(other, MIXED, len(part), seed=1, first=int(part[index].iloc[0]))
                for part in each
            ],
            ignore_index=True,
        )
        for each, simulate, index in (
            (parts, ginsim.simulate, "hand"),
            (games, ginsim.simulate_games, "game"),
        )
    ]
    counting(_batch, "fill_records")
    frame = pd.concat(parts, ignore_index=True)
    frame.attrs = parts[0].attrs
    pd.testing.assert_frame_equal(rescore(frame, other), wanted[0])
    assert sorted(played) == [1, 2, 2, 3]
    # In another order, and twice.
    order = [5, 0, 0, 7, 2]
    shuffled = rescore(frame.iloc[order], other)
    pd.testing.assert_frame_equal(shuffled, wanted[0].iloc[order])
    played.clear()
    counting(_games, "fill_games")
    frame = pd.concat(games, ignore_index=True)
    frame.attrs = games[0].attrs
    pd.testing.assert_frame_equal(rescore(frame, other), wanted[1])
    # Once by the old rules and once by the new ones.
    assert sorted(played) == [1, 1, 2, 2, 2, 2]


def test_rows_of_hands_that_do_not_exist() -> None:
    frame = ginsim.simulate("kawu", "greedy", 5, seed=1)
    for number in (-1, 2**62):
        edited = frame.assign(hand=frame["hand"].where(frame.index != 2, number))
        with pytest.raises(ginsim.OptionError, match=f"hand: {number} is not allowed; allowed"):
            rescore(edited, "kawu(knock_limit=1)")


def test_the_games_that_were_played_again_are_named() -> None:
    frame = ginsim.simulate_game_hands("kawu", "greedy", 50, seed=3, first=20)
    other = "kawu+hollywood"
    ends = [
        ginsim.simulate_games(rules, "greedy", 50, seed=3, first=20)["hands"].to_numpy()
        for rules in ("kawu", other)
    ]
    later = (np.flatnonzero(ends[1] > ends[0]) + 20).tolist()
    marks = rescore(frame, other).attrs["provenance"]["rescored"]
    assert marks["games"] == later
    assert 0 < len(later) < 50
    for number, game in (
        (later[0], True),
        (next(n for n in range(20, 70) if n not in later), False),
    ):
        text = ginsim.hollywood_sheet(rescore(frame, other), game=number).text()
        assert ("played again" in text) == game
    # All, none, or more than are named.
    assert "games" not in rescore(frame, "kawu(knock_limit=3)").attrs["provenance"]["rescored"]
    assert "games" not in rescore(frame, "kawu(box_gin=3)").attrs["provenance"]["rescored"]
    many = ginsim.simulate_game_hands("kawu", "greedy", 1000, seed=3)
    marks = rescore(many, other).attrs["provenance"]["rescored"]
    assert MOST_NAMED < marks["replayed"] < 1000
    assert "games" not in marks


def test_frames_without_provenance() -> None:
    frame = ginsim.simulate("kawu", MIXED, 200, seed=1)
    played = ginsim.simulate("kawu(gin_bonus=1)", MIXED, 200, seed=1)
    with pytest.raises(ginsim.OptionError, match=r"played: the frame says itself .* by kawu"):
        rescore(frame, "kawu(gin_bonus=1)", played="kawu")
    frame.attrs = {}
    with pytest.raises(ginsim.OptionError, match="played: the frame has no provenance"):
        rescore(frame, "kawu(gin_bonus=1)")
    result = rescore(frame, "kawu(gin_bonus=1)", played="kawu")
    pd.testing.assert_frame_equal(result, played)
    assert result.attrs["provenance"]["rescored"]["from"] == "kawu"
    with pytest.raises(ginsim.OptionError, match="does not have seed, mirror and strategies"):
        rescore(frame, "kawu(knock_limit=1)", played="kawu")
    # The wrong rules are found out.
    with pytest.raises(ginsim.OptionError, match="by classic it is"):
        rescore(frame, "kawu(gin_bonus=1, spread=least)", played="classic")
    games = ginsim.simulate_games("kawu", "greedy", 2, seed=1)
    games.attrs = {}
    with pytest.raises(ginsim.OptionError, match="no provenance, and so no rules and strategies"):
        rescore(games, "kawu", played="kawu")


def test_what_cannot_be_played_again() -> None:
    decks = [np.random.default_rng(n).permutation(52).tolist() for n in range(5)]
    given = ginsim.simulate("kawu", "greedy", decks=decks, seed=1)
    played = ginsim.simulate("kawu(gin_bonus=1)", "greedy", decks=decks, seed=1)
    assert check(rescore(given, "kawu(gin_bonus=1)"), played)["method"] == "priced"
    with pytest.raises(ginsim.OptionError, match="given decks"):
        rescore(given, "kawu(knock_limit=1)")
    frame = ginsim.simulate("kawu", "greedy", 5, seed=1)
    frame.attrs["provenance"]["stream"] = 999
    with pytest.raises(ginsim.OptionError, match="of stream 999"):
        rescore(frame, "kawu(knock_limit=1)")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop(columns="points"), r"not those of game_hands \(missing points\)"),
        (lambda frame: frame.assign(mine=1), r"\(unknown mine\)"),
        (lambda frame: frame.iloc[1:], "hand 1 of game 0 does not follow hand 0"),
        (lambda frame: frame.drop(index=3), "hand 4 of game 0 does not follow hand 3"),
        (lambda frame: frame.iloc[::-1], "does not follow"),
    ],
)
def test_hands_that_are_not_there(change: Any, message: str) -> None:
    frame = ginsim.simulate_game_hands("kawu", "greedy", 5, seed=3, min_hands=6)
    changed = change(frame)
    changed.attrs = frame.attrs
    for function in (ginsim.book_games, lambda frame: rescore(frame, "kawu")):
        with pytest.raises(ginsim.OptionError, match=message):
            function(changed)


def test_tables_that_are_not_there() -> None:
    frame = ginsim.simulate_game_hands("partnership", "greedy", 5, seed=3)
    for rows in (frame.iloc[1:], frame.iloc[1:-1], frame[frame["table"] == 1]):
        with pytest.raises(ginsim.OptionError, match="not every hand has both tables"):
            rescore(rows, "partnership(gin_bonus=1)")


def test_games_cut_off_have_no_end() -> None:
    frame = ginsim.simulate_game_hands("kawu", "greedy", 5, seed=3).iloc[:-1]
    with pytest.raises(ginsim.OptionError, match="game 4 does not end in its hands by kawu"):
        ginsim.book_games(frame)
    # Played again it is whole.
    pd.testing.assert_frame_equal(
        rescore(frame, "kawu"), ginsim.simulate_game_hands("kawu", "greedy", 5, seed=3)
    )


@pytest.mark.parametrize("frame", [None, 3, "hands.csv", ginsim.tally("kawu", "greedy", 2, seed=1)])
def test_what_is_no_frame(frame: Any) -> None:
    with pytest.raises(ginsim.OptionError, match=r"frame: .*allowed: a frame of hands"):
        rescore(frame, "kawu")


def test_other_rows() -> None:
    decisions = ginsim.decisions("kawu", "greedy", 5, seed=1)
    with pytest.raises(ginsim.OptionError, match="rows of decisions are not allowed"):
        rescore(decisions, "kawu")
    with pytest.raises(ginsim.OptionError, match="rows of games are not allowed"):
        ginsim.book_games(ginsim.simulate_games("kawu", "greedy", 2, seed=1))
    hands = ginsim.simulate("kawu", "greedy", 5, seed=1)
    with pytest.raises(ginsim.OptionError, match="replay: 1 is not allowed"):
        rescore(hands, "kawu", replay=1)  # type: ignore[arg-type]
    with pytest.raises(ginsim.RulesError, match="gin_bonus: -1"):
        rescore(hands, "kawu", overrides={"gin_bonus": -1})


def test_the_core_checks_its_arrays() -> None:
    small, large = np.zeros((4, 3), np.int8), np.zeros((2, 3), np.int16)
    rules, game_rules = to_record(load_rules("kawu")), to_game_record(load_rules("kawu"))
    codes, short = np.zeros(3, np.int8), np.zeros(2, np.int8)
    with pytest.raises(ValueError, match="the same number of hands"):
        _rescoring.price_hands(rules, short, codes, codes, codes, codes, small, large)
    with pytest.raises(ValueError, match="one row for each column"):
        _rescoring.price_hands(rules, codes, codes, codes, codes, codes, small[:3], large)
    points = np.zeros(3, np.int16)
    with pytest.raises(ValueError, match="the same even number of rows"):
        _rescoring.net_hands(rules, codes, points, codes, codes, codes, small, large)
    with pytest.raises(ValueError, match="one row for each column"):
        _rescoring.net_hands(
            rules,
            short,
            points[:2],
            short,
            short,
            short,
            np.zeros((4, 2), np.int8),
            np.zeros((2, 2), np.int16),
        )
    before = np.zeros((2, 3), np.int32)
    for starts, ends in (([0, 4], 1), ([0, 0], 1), ([2, 1], 1), ([0, 3], 2)):
        with pytest.raises(ValueError, match=r"game 0 lies|the start of each game"):
            _rescoring.book_hands(
                game_rules,
                np.array(starts),
                codes,
                points,
                codes,
                codes,
                codes,
                10,
                np.zeros(ends, np.int64),
                before,
            )


def test_runs() -> None:
    places, counts = np.array([7, 0, 3]), np.array([2, 0, 3])
    assert spread_runs(places, counts).tolist() == [7, 8, 3, 4, 5]
    assert spread_runs(places[:0], counts[:0]).tolist() == []


# ---------------------------------------------------------------- files and the command


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_what_is_rescored_is_read_back(tmp_path: Path, ending: str) -> None:
    for number, frame in enumerate(
        (
            rescore(ginsim.simulate("kawu", MIXED, 50, seed=1), "kawu(gin_bonus=1)"),
            rescore(
                ginsim.simulate_game_hands("partnership", "greedy", 4, seed=1),
                "partnership(target=300)",
            ),
            rescore(ginsim.simulate_games("kawu", "greedy", 4, seed=1), "kawu+hollywood"),
        )
    ):
        path = tmp_path / f"{number}{ending}"
        ginsim.write_records(frame, path)
        read = ginsim.read_records(path)
        pd.testing.assert_frame_equal(read, frame)
        assert read.attrs == frame.attrs


@pytest.mark.parametrize(
    ("words", "rules", "settings", "sentence"),
    [
        (
            ["hands", "kawu", "--hands", "500"],
            "kawu",
            ["gin_bonus=40"],
            "priced: 500 hands scored again from what is recorded; none played again",
        ),
        (["hands", "kawu", "--hands", "500"], "straight", [], "replayed: 500 hands played again"),
        (
            ["games", "kawu", "--games", "30", "--hands"],
            "kawu",
            ["game_bonus=0"],
            "booked: 30 games booked again from the hands; none played again",
        ),
        (
            ["games", "kawu", "--games", "30", "--hands"],
            "kawu",
            ["target=120"],
            "booked and replayed: ",
        ),
        (["games", "kawu", "--games", "30"], "kawu", ["target=120"], "replayed: 30 games played"),
        (
            ["games", "partnership", "--games", "9", "--hands"],
            "partnership",
            ["box_gin=4"],
            "booked: 9 games booked again",
        ),
    ],
)
def test_the_command(
    tmp_path: Path, words: list[str], rules: str, settings: list[str], sentence: str
) -> None:
    source, target = tmp_path / "played.csv", tmp_path / "rescored.csv"
    assert run(*words, "--seed", "4", "--out", source).exit_code == 0
    sets = [word for text in settings for word in ("--set", text)]
    result = run("rescore", source, rules, *sets, "--out", target)
    assert result.exit_code == 0, result.output
    assert sentence in result.output
    for text in settings:
        field, value = text.split("=")
        assert re.search(rf"^  {field}: .* to {value} \(", result.output, re.MULTILINE)
    frame = ginsim.read_records(source)
    expected = rescore(frame, f"{rules}({', '.join(settings)})" if settings else rules)
    pd.testing.assert_frame_equal(ginsim.read_records(target), expected)
    assert run("rescore", source, rules, *sets, "--out", target).exit_code == 2
    document = json.loads(run("rescore", source, rules, *sets, "--json").output)
    assert document["provenance"] == expected.attrs["provenance"]
    assert document["method"] == sentence.partition(":")[0]


def test_figures_of_the_command(tmp_path: Path) -> None:
    """25 points more for gin are 25 more for each gin, and nothing else changes."""
    path = tmp_path / "hands.csv"
    frame = ginsim.simulate("kawu", "greedy", 2000, seed=1)
    ginsim.write_records(frame, path)
    document = json.loads(run("rescore", path, "kawu(gin_bonus=50)", "--json").output)
    figures = {figure["name"]: figure for figure in document["figures"]}
    gins = int((frame["outcome"] == "gin").sum())
    points = figures["points of the winner"]
    assert points["difference"]["value"] == pytest.approx(25 * gins / 2000)
    assert points["before"]["value"] == pytest.approx(frame["points"].mean())
    assert figures["won by south"]["difference"]["value"] == 0
    assert document["fields"] == [{"field": "gin_bonus", "class": "price", "from": 25, "to": 50}]


def test_hands_of_which_the_file_does_not_say_how(tmp_path: Path) -> None:
    path, out = tmp_path / "hands.csv", tmp_path / "other.csv"
    frame = ginsim.simulate("kawu", "greedy", 200, seed=1)
    lost = frame.copy()
    lost.attrs = {}
    ginsim.write_records(lost, path)
    result = run("rescore", path, "kawu(gin_bonus=1)")
    assert result.exit_code == 2
    assert "played: the frame has no provenance" in result.output
    words: list[str | Path] = ["rescore", path, "kawu(gin_bonus=1)", "--played", "kawu"]
    result = run(*words, "--out", out)
    assert result.exit_code == 0, result.output
    assert "rescored from kawu\n  gin_bonus: 25 to 1 (price)" in result.output
    pd.testing.assert_frame_equal(ginsim.read_records(out), rescore(frame, "kawu(gin_bonus=1)"))
    document = json.loads(run(*words, "--json").output)
    Draft202012Validator(load_schema("rescore")).validate(document)
    assert document["from"] == "kawu"
    assert set(document["provenance"]) == {"rules", "rescored"}
    assert "by classic it is" in run(*words[:-1], "classic").output
    ginsim.write_records(frame, path, force=True)
    assert "the frame says itself that it was played by kawu" in run(*words).output


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_a_file_with_a_byte_order_mark(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"hands{ending}"
    frame = ginsim.simulate("kawu", "greedy", 20, seed=1)
    ginsim.write_records(frame, path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    read = ginsim.read_records(path)
    pd.testing.assert_frame_equal(read, frame)
    assert read.attrs == frame.attrs
    assert run("rescore", path, "kawu(gin_bonus=1)").exit_code == 0


def test_a_file_without_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    for rows, frame in (
        ("hands", ginsim.simulate("kawu", "greedy", 20, seed=1)),
        ("hollywood_games", ginsim.simulate_games("hollywood", "greedy", 2, seed=1)),
    ):
        ginsim.write_records(frame, path, force=True)
        path.write_bytes(path.read_bytes().partition(b"\n")[2])
        result = run("rescore", path, "kawu")
        assert result.exit_code == 2
        assert f"has the columns of {rows} and not the line before them" in result.output


def test_the_command_refuses(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    ginsim.write_records(ginsim.simulate("kawu", "greedy", 20, seed=1), path)
    for words, message in (
        (["straight", "--no-replay"], "replay: knock_limit (10 to 0)"),
        (["nothing"], "unknown rule set 'nothing'"),
        (["kawu", "--out", tmp_path / "x.txt"], "a file name that ends in"),
    ):
        result = run("rescore", path, *words)
        assert result.exit_code == 2, result.output
        assert message in result.output
        assert "Traceback" not in result.output
