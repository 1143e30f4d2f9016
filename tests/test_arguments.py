"""Arguments of the public functions: what is wrong is refused in words of the package's own.

Every function has a call that works; each of its arguments in turn is replaced by values of every
kind. Whatever a function makes of them, it raises nothing but a `GinsimError`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginsim
from ginsim import CardError, GinsimError, IllegalAction, OptionError, Position, RulesError
from ginsim.cards import DECK, card_name, read_cards
from ginsim.checks import check_fields, check_flag, check_path, check_whole, check_word
from ginsim.decks import as_decks

#: What is wrong on purpose.
NONE: Any = None
WRONG: Any = 1.5

HAND = "4c 5c 6c 9d 9h 9s Jd Qd Kd 2h"
OTHER = "As 2c 3d 4h 5s 6h 7d 8h 8s Tc"
ALL = [card_name(number) for number in range(52)]


def deep() -> list[Any]:
    """A list in a list in a list, too deep to be written."""
    nest: list[Any] = []
    for _ in range(100_000):
        nest = [nest]
    return nest


#: Values of every kind. Each may be right for some argument.
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    60,
    2**40,
    2**64,
    10**5000,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x",
    "5",
    "\ud800",
    "a\0b/c.toml",
    "x" * 5000 + ".toml",
    b"4h",
    [],
    [None],
    ["x"],
    [["Ac"]],
    ["4h", "4h"],
    {},
    {1: 2},
    {"self": 1},
    {"name": 5},
    {"gin_bonus": 10**5000},
    {"gin_bonus": np.array([1, 2])},
    set(),
    object(),
    Position,
    np.array(1.5),
    np.array("4h"),
    np.zeros((2, 2)),
    np.array([1 << 60], np.uint64),
    np.float64(2.5),
    np.bool_(True),
]


def ready() -> Position:
    """A hand in which north has drawn and may throw or knock."""
    return Position.build("kawu", nondealer=HAND, dealer=OTHER, upcard="Ah").draw_pile()


def spreading() -> Position:
    return ready().knock("2h")


def answering() -> Position:
    return spreading().spread("4c 5c 6c / 9d 9h 9s / Jd Qd Kd")


#: A call of each function that works: how to get the function, and its arguments.
CALLS: dict[str, tuple[Callable[[], Callable[..., Any]], dict[str, Any]]] = {
    "CardSet": (lambda: ginsim.CardSet, {"cards": HAND}),
    "as_mask": (lambda: ginsim.as_mask, {"cards": HAND}),
    "is_meld": (lambda: ginsim.is_meld, {"cards": HAND}),
    "deadwood": (lambda: ginsim.deadwood, {"cards": HAND}),
    "arrange": (lambda: ginsim.arrange, {"cards": HAND}),
    "arrangements": (lambda: ginsim.arrangements, {"cards": HAND, "most": 10}),
    "best_discard": (lambda: ginsim.best_discard, {"cards": HAND, "forbid": "2h"}),
    "best_discards": (
        lambda: ginsim.best_discards,
        {"cards": np.array([7, 11], np.uint64), "forbid": "2h"},
    ),
    "discard_deadwoods": (lambda: ginsim.discard_deadwoods, {"cards": HAND}),
    "layoff": (
        lambda: ginsim.layoff,
        {"melds": ["4c 5c 6c"], "defender": OTHER, "unmelded": "2h", "method": "optimal"},
    ),
    "best_spread": (
        lambda: ginsim.best_spread,
        {"knocker": HAND, "defender": OTHER, "limit": 10},
    ),
    "outs": (lambda: ginsim.outs, {"cards": HAND, "seen": "Kh"}),
    "safety": (lambda: ginsim.safety, {"card": "Kh", "seen": HAND}),
    "score_tables": (
        lambda: ginsim.score_tables,
        {
            "rules": "partnership",
            "first": ("AB", 15, "gin"),
            "second": ("CD", 9, "knock"),
            "spade": False,
        },
    ),
    "score_hand": (
        lambda: ginsim.score_hand,
        {
            "rules": "kawu",
            "knocker_deadwood": 0,
            "defender_deadwood": 5,
            "big_gin": False,
            "spade": False,
        },
    ),
    "knock_limit": (lambda: ginsim.knock_limit, {"rules": "kawu+oklahoma", "knock_card": "4h"}),
    "load_rules": (lambda: ginsim.load_rules, {"source": "kawu", "overrides": {"gin_bonus": 3}}),
    "Rules": (lambda: ginsim.Rules, {"name": "mine", "gin_bonus": 3, "deal": "upcard"}),
    "Rules.replace": (lambda: ginsim.load_rules("kawu").replace, {"gin_bonus": 3, "tie": "nobody"}),
    "parse_strategy": (lambda: ginsim.parse_strategy, {"spec": "greedy(4)"}),
    "Strategy": (lambda: ginsim.Strategy, {"name": "mine", "knock_at": 3, "draw": "meld"}),
    "Position": (
        lambda: Position,
        {
            "rules": "kawu",
            "deck": ALL,
            "dealer": "north",
            "second_card": None,
            "seed": 1,
            "deal": 1,
        },
    ),
    "Position.deal": (
        lambda: Position.deal,
        {"rules": "kawu", "seed": 1, "hand": 3, "mirror": True},
    ),
    "Position.build": (
        lambda: Position.build,
        {
            "rules": "hollywood",
            "nondealer": f"{HAND} Kh",
            "dealer": OTHER,
            "upcard": None,
            "stock": ["Ah"],
            "second_card": "Kh",
            "dealer_seat": "south",
        },
    ),
    "Position.build with an upcard": (
        lambda: Position.build,
        {"rules": "kawu", "nondealer": HAND, "dealer": OTHER, "upcard": "Kh"},
    ),
    "Position.hand": (lambda: ready().hand, {"seat": "north"}),
    "Position.discard": (lambda: ready().discard, {"card": "2h"}),
    "Position.knock": (lambda: ready().knock, {"card": "2h"}),
    "Position.spread": (lambda: spreading().spread, {"melds": ["4c 5c 6c", "9d 9h 9s", "JdQdKd"]}),
    "Position.lay_off": (lambda: answering().lay_off, {"melds": [], "laid_off": ""}),
    "Position.lay_off too early": (lambda: ready().lay_off, {"melds": [], "laid_off": "2h"}),
    "Position.value_actions": (
        lambda: ready().value_actions,
        {"search": "rollout(2, candidates=2)"},
    ),
    "Position.play": (lambda: ready().play, {"south": "simple", "north": "greedy(4)"}),
    "as_decks": (lambda: as_decks, {"decks": [ALL]}),
    "read_decks": (lambda: ginsim.read_decks, {"path": __file__}),
    "verify_log": (
        lambda: lambda path, rules: [*ginsim.verify_log(path, rules)],
        {"path": __file__, "rules": "kawu"},
    ),
    "verify_hand": (
        lambda: ginsim.verify_hand,
        {"document": {"dealer": "south", "deck": ALL, "events": []}, "rules": "kawu"},
    ),
    "load_schema": (lambda: ginsim.load_schema, {"name": "hands"}),
    "replay": (
        lambda: ginsim.replay,
        {"rules": "kawu", "strategies": "greedy", "seed": 1, "hand": 2, "mirror": True},
    ),
    # Without `hands`, a right value of which takes its time.
    "knock_timing": (
        lambda: functools.partial(ginsim.knock_timing, hands=50),
        {
            "rules": "kawu",
            "policy": "greedy",
            "opponent": "simple",
            "by": "turn",
            "turn": (1, 4),
            "deadwood": 3,
            "pick_ups": 1,
            "own_pick_ups": 1,
            "stock": (2, 30),
            "limit": 10,
            "method": "replay",
            "seed": 1,
            "first": 0,
            "threads": 1,
        },
    ),
    "knock_chances": (
        lambda: functools.partial(ginsim.knock_chances, hands=50),
        {"rules": "kawu", "policy": "greedy", "opponent": "simple", "method": "replay", "seed": 1},
    ),
    "solve_knocks": (
        lambda: functools.partial(ginsim.solve_knocks, hands=100),
        {"rules": "kawu", "policy": "greedy", "opponent": "simple", "by": "pick_ups", "seed": 1},
    ),
    "match_equity": (
        lambda: functools.partial(ginsim.match_equity, hands=100),
        {"rules": "kawu(target=5)", "policy": "greedy", "opponent": "simple", "seed": 1},
    ),
    "advise": (
        lambda: functools.partial(ginsim.advise, play_outs=64),
        {
            "rules": "kawu",
            "hand": "7h 7s 7d 4c 5c 6c Ah 2d 4d Qs 3d",
            "pile": "Ks Jd Qc Kc Js Qh",
            "took": "8h",
            "turn": 5,
            "just_took": "3d",
            "showed": "2d",
            "pick_ups": 1,
            "own_pick_ups": 2,
            "dealer": "opponent",
            "upcard": False,
            "passed": False,
            "knock_card": None,
            "policy": "greedy",
            "opponent": "simple",
            "seed": 1,
        },
    ),
    "transcript": (
        lambda: ginsim.transcript,
        {"rules": "kawu", "strategies": "greedy", "seed": 1, "hand": 2, "mirror": True},
    ),
}

#: The calls that are right in form only: an action too early, a file without decks or a log.
REFUSED = {
    "Position.lay_off too early": IllegalAction,
    "read_decks": CardError,
    "verify_log": OptionError,
}

#: Functions that read a file, and say with an `OSError` that they cannot.
READERS = {"read_decks", "verify_log"}

#: Methods without arguments, and public names that are tested elsewhere.
BARE = {
    "copy",
    "legal",
    "pass_upcard",
    "draw_pile",
    "draw_stock",
    "declare_big_gin",
    "decline",
}
OURS = ("cards", "draws", "position", "rules", "scoring", "solvers", "strategies", "transcripts")


@pytest.mark.parametrize("name", CALLS)
def test_the_call_works(name: str) -> None:
    get, arguments = CALLS[name]
    if name in REFUSED:
        with pytest.raises(REFUSED[name]):
            get()(**arguments)
    else:
        get()(**arguments)


def _kinds() -> Iterator[Any]:
    for name, (_, arguments) in CALLS.items():
        for argument in arguments:
            yield pytest.param(name, argument, id=f"{name}-{argument}")


@pytest.mark.parametrize(("name", "argument"), [*_kinds()])
def test_only_own_errors_leave_a_function(name: str, argument: str) -> None:
    get, arguments = CALLS[name]
    for value in [*VALUES, deep()]:
        problems: tuple[str, ...] = ("fine",)
        try:
            get()(**{**arguments, argument: value})
        except GinsimError as failure:
            problems = failure.problems
        except Exception as failure:
            if isinstance(failure, OSError) and name in READERS:
                continue
            pytest.fail(f"{argument} of type {type(value).__name__}: {failure!r}"[:500])
        assert problems
        assert all(0 < len(problem) < 3000 for problem in problems)


def test_every_function_is_called() -> None:
    expected = {
        name
        for name, module in ginsim._MODULE_OF.items()
        if module.removeprefix("ginsim.") in OURS
        and not name.startswith("list_")
        and name != "IllegalAction"
    }
    assert expected <= {*CALLS}
    methods = {
        name
        for name, value in inspect.getmembers(Position, callable)
        if not name.startswith("_") and name not in BARE
    }
    assert {f"Position.{name}" for name in methods} <= {*CALLS}
    for name in ("arrangements", "layoff", "best_spread", "score_hand", "Position"):
        get, arguments = CALLS[name]
        assert {*inspect.signature(get()).parameters} == {*arguments}


# ---------------------------------------------------------------- whole numbers

#: The arguments that are whole numbers, and None where it means something.
WHOLE = [
    ("arrangements", "most", None),
    ("best_spread", "limit", None),
    ("score_hand", "knocker_deadwood", "-"),
    ("score_hand", "defender_deadwood", "-"),
    ("Position", "seed", "-"),
    ("Position", "deal", "-"),
    ("Position.deal", "seed", "-"),
    ("Position.deal", "hand", "-"),
    ("replay", "seed", "-"),
    ("replay", "hand", "-"),
    ("transcript", "seed", "-"),
    ("transcript", "hand", "-"),
]


@pytest.mark.parametrize(("name", "argument", "spare"), WHOLE)
@pytest.mark.parametrize(
    "value", [1.5, 2.0, True, "2", "x", -1, None, np.float64(1.0), np.bool_(True), [1]], ids=repr
)
def test_whole_numbers_are_whole(name: str, argument: str, spare: Any, value: Any) -> None:
    if value is spare:
        return
    get, arguments = CALLS[name]
    with pytest.raises(OptionError) as caught:
        get()(**{**arguments, argument: value})
    message = str(caught.value)
    assert message.startswith(f"{argument}: {ginsim.errors.show(value)} is not allowed; allowed: ")
    assert "a whole number from 0" in message


@pytest.mark.parametrize(
    ("name", "argument"), [(name, argument) for name, argument, _ in WHOLE if name != "score_hand"]
)
def test_numpys_whole_numbers_are_whole(name: str, argument: str) -> None:
    get, arguments = CALLS[name]
    value = np.int64(arguments[argument])
    get()(**{**arguments, argument: value})


FLAGS = [
    ("score_hand", "big_gin"),
    ("score_hand", "spade"),
    ("Position.deal", "mirror"),
    ("replay", "mirror"),
    ("transcript", "mirror"),
]


@pytest.mark.parametrize(("name", "argument"), FLAGS)
@pytest.mark.parametrize("value", [None, 0, 1, "yes", "", [True]], ids=repr)
def test_flags_are_true_or_false(name: str, argument: str, value: Any) -> None:
    get, arguments = CALLS[name]
    with pytest.raises(OptionError, match=rf"{argument}: .* is not allowed; allowed: true or fals"):
        get()(**{**arguments, argument: value})


def test_large_bounds_are_no_bounds() -> None:
    assert ginsim.arrangements(HAND, most=2**40) == ginsim.arrangements(HAND, most=110)
    assert ginsim.best_spread(HAND, "Ah", limit=2**40) == ginsim.best_spread(HAND, "Ah", limit=110)


# ---------------------------------------------------------------- the checks themselves


def test_checks() -> None:
    assert check_whole("n", np.uint8(3), 0, 3) == 3
    with pytest.raises(OptionError, match="n: 4 is not allowed; allowed: a whole number from 0 to"):
        check_whole("n", 4, 0, 3)
    with pytest.raises(OptionError, match=r"from 0 to 3, for a reason$"):
        check_whole("n", 4, 0, 3, ", for a reason")
    assert check_flag("f", np.bool_(False)) is False
    assert check_word("w", "a", ("a", "b")) == "a"
    with pytest.raises(OptionError, match="w: 'c' is not allowed; allowed: a or b"):
        check_word("w", "c", ("a", "b"))
    assert check_fields("m", {"a": 1}, RulesError) == {"a": 1}
    with pytest.raises(RulesError, match="m: 1 is not allowed; allowed: the name of a field"):
        check_fields("m", {1: 2}, RulesError)
    with pytest.raises(RulesError, match="m: 5 is not allowed; allowed: a mapping"):
        check_fields("m", 5, RulesError)


class Place:
    """A path in bytes, as `os.PathLike` allows."""

    def __fspath__(self) -> bytes:
        return b"a/b.csv"


def test_a_path_is_checked() -> None:
    assert check_path("p", "a/b.csv") == check_path("p", Place()) == Path("a/b.csv")
    values: list[Any] = [5, None, True, b"a", [], "", "a\0b"]
    for value in values:
        with pytest.raises(CardError) as caught:
            check_path("p", value, "a place", CardError)
        assert (
            str(caught.value) == f"p: {ginsim.errors.show(value)} is not allowed; allowed: a place"
        )


RUN = {"seed": 1, "run": {"x": {"kind": "hands", "rules": "kawu", "hands": 1}}}
#: Every public function that takes the path of a file or folder, by its argument.
PLACES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "read_study": ("study", ginsim.read_study),
    "check_study": ("study", ginsim.check_study),
    "run_study": ("study", ginsim.run_study),
    "run_study folder": ("folder", lambda place: ginsim.run_study(RUN, place)),
    "study_status": ("study", ginsim.study_status),
    "read_tables": ("folder", ginsim.read_tables),
    "merge_studies": ("folder", lambda place: ginsim.merge_studies(place, [])),
    "merge_studies others": ("others", lambda place: ginsim.merge_studies("x", place)),
    "merge_studies other": ("others[0]", lambda place: ginsim.merge_studies("x", [place])),
    "write_report": ("study", ginsim.write_report),
    "write_report path": ("path", lambda place: ginsim.write_report("x", place)),
    "read_records": ("path", ginsim.read_records),
    "write_records": (
        "path",
        lambda place: ginsim.write_records(
            ginsim.simulate("kawu", ("greedy", "greedy"), 2, seed=1), place
        ),
    ),
    "write_strategy": ("path", lambda place: ginsim.write_strategy("greedy", place)),
    "read_decks": ("path", ginsim.read_decks),
    "verify_log": ("path", lambda place: [*ginsim.verify_log(place)]),
    "load_rules": ("rules", ginsim.load_rules),
    "parse_strategy": ("strategy", ginsim.parse_strategy),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("value", [5, True, b"x", object()], ids=lambda value: type(value).__name__)
def test_what_is_no_path_is_refused(name: str, value: Any) -> None:
    argument, call = PLACES[name]
    with pytest.raises(GinsimError) as caught:
        call(value)
    told = f"{argument}: {ginsim.errors.show(value)} is not allowed; allowed: "
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("name", [*PLACES])
def test_an_empty_path_is_not_the_working_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GinsimError, match="''"):
        PLACES[name][1]("")
    assert not [*tmp_path.iterdir()]


def test_values_of_any_size_can_be_shown() -> None:
    assert ginsim.errors.show(10**5000) == "a very large int"
    assert ginsim.errors.show(deep()) == "a very large list"
    assert len(ginsim.errors.show("x" * 10**6)) < 500


# ---------------------------------------------------------------- what messages say


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ginsim.best_discard(""), "cards: no cards; allowed: 1 to 11"),
        (lambda: ginsim.layoff([], "9z", unmelded=""), "defender: unknown card '9z'"),
        (lambda: ginsim.layoff([], "9c", unmelded=WRONG), "unmelded: 1.5 are no cards"),
        (lambda: ginsim.layoff([0], "9c", unmelded=""), "melds: none is not a meld"),
        (lambda: ginsim.layoff("4c5c6c//", "9c", unmelded=""), "has an empty meld"),
        (
            lambda: ginsim.layoff(WRONG, "9c", unmelded=""),
            "melds: 1.5 is not allowed; allowed: text",
        ),
        (lambda: ginsim.outs(HAND, seen=NONE), "seen: None are no cards"),
        (lambda: ginsim.best_discard(HAND, forbid="4z"), "forbid: unknown card '4z'"),
        (lambda: ginsim.knock_limit("oklahoma", "4z"), "knock_card: unknown card '4z'"),
        (lambda: ready().hand("x"), "seat: 'x' is not allowed; allowed: south or north"),
        (lambda: Position("kawu", NONE), "deck: None is not allowed; allowed: cards in order"),
        (lambda: Position("kawu", "Kd zz"), "deck: unknown card 'zz'"),
        (lambda: Position("kawu", ["Kd"]), "deck: 1 card, 1 different; allowed: each of the 52"),
        (lambda: Position("kawu", ALL, "west"), "dealer: 'west' is not allowed; allowed: south or"),
        (
            lambda: Position("kawu", ALL, second_card="4h"),
            "second_card: '4h' is not allowed; allowed: none, since the rules have no second deck",
        ),
        (lambda: Position("hollywood", ALL), "second_card: None is not allowed; allowed: a card"),
    ],
)
def test_a_message_names_the_argument(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(GinsimError) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dealer_seat": "x"}, "dealer_seat: 'x' is not allowed; allowed: south or north"),
        ({"upcard": None}, "upcard: none given; allowed: a card"),
        ({"upcard": "4z"}, "upcard: unknown card '4z'"),
        ({"nondealer": "4h"}, "nondealer: 1 card; allowed: 10"),
        ({"nondealer": None}, "nondealer: None are no cards"),
        ({"dealer": "4z"}, "dealer: unknown card '4z'"),
        ({"stock": None}, "stock: None is not allowed; allowed: cards in order"),
        ({"stock": 5}, "stock: 5 is not allowed; allowed: cards in order"),
        ({"stock": "Qc Qc"}, "duplicate card Qc"),
        ({"second_card": "4h"}, "second_card: '4h' is not allowed; allowed: none"),
        (
            {"rules": "hollywood", "nondealer": f"{HAND} Kh", "second_card": "4h"},
            "upcard: 'Ah' is not allowed; allowed: none, since these rules deal eleven cards",
        ),
    ],
)
def test_what_cannot_be_built(changes: dict[str, Any], words: str) -> None:
    given = {"rules": "kawu", "nondealer": HAND, "dealer": OTHER, "upcard": "Ah"}
    with pytest.raises(GinsimError) as caught:
        Position.build(**{**given, **changes})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda hand: hand.lay_off([]), "lay_off"),
        (lambda hand: hand.lay_off([], "Ac"), "lay_off and Ac"),
        (lambda hand: hand.lay_off("4h5h6h / 7c7d7s", "2c"), "lay_off 4h 5h 6h / 7c 7d 7s and 2c"),
        (lambda hand: hand.lay_off([0b1]), "lay_off Ac"),
        (lambda hand: hand.spread([]), "spread"),
        (lambda hand: hand.spread("4h 5h 6h"), "spread 4h 5h 6h"),
        (lambda hand: hand.discard(7), "discard 8c"),
        (lambda hand: hand.knock("Ac"), "knock Ac"),
        (lambda hand: hand.draw_stock(), "draw_stock"),
        (lambda hand: hand.declare_big_gin(), "big_gin"),
        (lambda hand: hand.decline(), "decline"),
    ],
)
def test_an_illegal_action_is_told_as_given(act: Callable[[Position], Any], words: str) -> None:
    hand = Position.deal("kawu", seed=1)
    with pytest.raises(IllegalAction) as caught:
        act(hand)
    assert str(caught.value) == (
        f"action: {words} is not allowed in phase upcard; allowed: pass, draw_pile"
    )


# ---------------------------------------------------------------- text where a list is meant


def test_a_deck_may_be_text() -> None:
    deck = [*ALL[26:], *ALL[:26]]
    for text in (" ".join(deck), ", ".join(deck), "".join(deck)):
        hand = Position("kawu", text)
        assert hand.hand("north") == Position("kawu", deck).hand("north")
        assert hand.top == deck[20]
    given = {"rules": "kawu", "nondealer": HAND, "dealer": OTHER, "upcard": "Ah"}
    hand = Position.build(**given, stock="Kh 3c").pass_upcard().pass_upcard().draw_stock()
    assert "Kh" in hand.hand("north")


def test_melds_may_be_text() -> None:
    melds = ["7s 7h 7d", "3c 4c 5c"]
    text = "7s 7h 7d / 3c 4c 5c"
    defender = "7c 6c 2c Kd Qd Jd"
    by_list = ginsim.layoff(melds, defender, unmelded="2s")
    assert ginsim.layoff(text, defender, unmelded="2s") == by_list
    assert ginsim.layoff("", defender, unmelded="2s") == ginsim.layoff([], defender, unmelded="2s")
    assert ginsim.layoff("7s7h7d", defender, unmelded="2s") == ginsim.layoff(
        melds[:1], defender, unmelded="2s"
    )
    hand = spreading().spread("4c 5c 6c / 9d 9h 9s / Jd Qd Kd")
    assert hand.phase == "layoff"
    assert hand.lay_off("").phase == "over"


def test_settings_may_be_text() -> None:
    from ginsim.rules import parse_settings

    assert parse_settings("gin_bonus=3, layoffs=no") == {"gin_bonus": 3, "layoffs": False}


# ---------------------------------------------------------------- knocks that cannot be


@pytest.mark.parametrize(
    ("rules", "most"),
    [("kawu", 10), ("straight", 0), ("kawu(knock_limit=4)", 4), ("oklahoma", 10)],
)
def test_no_score_above_the_knock_limit(rules: str, most: int) -> None:
    assert ginsim.score_hand(rules, most, 50).winner == "knocker"
    allowed = f"a whole number from 0 to {most}" if most else "0, the knock limit"
    with pytest.raises(OptionError, match=f"knocker_deadwood: .* allowed: {allowed}"):
        ginsim.score_hand(rules, most + 1, 50)


# ---------------------------------------------------------------- rules files


def test_a_deep_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(f"a = {'[' * 3000}{']' * 3000}\n")
    with pytest.raises(RulesError, match="too deep"):
        ginsim.load_rules(path)


def test_many_files_deep_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0.toml").write_text("gin_bonus = 3\n")
    for number in range(1, 200):
        (tmp_path / f"{number}.toml").write_text(f'base = "./{number - 1}.toml"\n')
    assert ginsim.load_rules(tmp_path / "20.toml").gin_bonus == 3
    with pytest.raises(RulesError, match="files deep"):
        ginsim.load_rules(tmp_path / "199.toml")


@pytest.mark.parametrize("title", ["5", "true", "[1]", "1.5"])
def test_a_title_is_text(tmp_path: Path, title: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"title = {title}\n")
    with pytest.raises(RulesError, match=r"title: .* is not allowed; allowed: text"):
        ginsim.load_rules(path)


def test_a_base_may_have_settings(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "kawu+oklahoma(gin_bonus=30, layoffs=no)"\nundercut_bonus = 7\n')
    changes = {"gin_bonus": 30, "layoffs": False, "undercut_bonus": 7}
    assert ginsim.load_rules(path) == ginsim.load_rules("kawu+oklahoma", changes)
    path.write_text('base = "kawu(gin_bonus)"\n')
    with pytest.raises(RulesError, match="'gin_bonus' is not FIELD=VALUE"):
        ginsim.load_rules(path)


# ---------------------------------------------------------------- other files


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin"
    path.write_bytes(b"\xe9\n")
    with pytest.raises(CardError, match="cannot be read as text"):
        ginsim.read_decks(path)
    with pytest.raises(OptionError, match="cannot be read as text"):
        next(ginsim.verify_log(path))


@pytest.mark.parametrize("line", ["[" * 100_000, "9" * 5000], ids=["deep", "long"])
def test_a_log_beyond_what_can_be_read(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f'{{"deck": {line}\n5\n')
    first, second = ginsim.verify_log(path)
    assert first.errors[0].startswith("no JSON: ")
    assert second.errors == ["hand: 5 is not allowed; allowed: a JSON object"]
    assert (first.line, second.line) == (1, 2)


# ---------------------------------------------------------------- one and many


def test_one_is_not_many() -> None:
    one = ginsim.load_rules("kawu(give_back_limit=1, dead_at=1, knock_limit=1, max_pile_draws=1)")
    words = " ".join(ginsim.rules.explain(one))
    assert "A turn that takes a card from the pile and throws it back ends the hand" in words
    assert "when 1 card is left in the stock" in words
    assert "After 1 draw from" in words
    assert "with 1 point of deadwood" in words
    for rules in ("hollywood(target=1)", "openspiel(dead_at=1, give_back_limit=1)"):
        words = " ".join(ginsim.rules.explain(ginsim.load_rules(rules)))
        assert "1 point close " not in words
        assert "1 card are" not in words


def test_a_transcript_counts_one_box() -> None:
    from ginsim.transcripts import _tell_result

    result = {
        "outcome": "knock",
        "winner": "south",
        "points": 1,
        "boxes": 1,
        "prize_boxes": 0,
        "south_deadwood": 3,
        "north_deadwood": 4,
    }
    assert _tell_result(result).startswith("knock: south wins 1 point and 1 box (0 as prizes) (")
    several = _tell_result({**result, "points": 20, "boxes": 3, "prize_boxes": 2})
    assert several.startswith("knock: south wins 20 points and 3 boxes (2 as prizes) (")


def test_a_tie_is_told_by_the_seat_that_knocked() -> None:
    from click.testing import CliRunner

    from ginsim.cli.app import main

    result = CliRunner().invoke(main, ["hands", "openspiel", "--hands", "2000", "--seed", "1"])
    assert result.exit_code == 0, result.output
    assert "  tie (by knocker) " in result.output


def test_the_top_card_is_gone_once_taken() -> None:
    hand = Position.build("kawu", nondealer=HAND, dealer=OTHER, upcard="Ah")
    assert hand.top == "Ah"
    assert hand.draw_pile().top is None
    assert "None" in (Position.top.__doc__ or "")


def test_read_cards_takes_what_as_mask_takes() -> None:
    assert read_cards("x", HAND) == ginsim.as_mask(HAND)
    with pytest.raises(
        ginsim.CardError, match=rf"^x: -1 is not a set of cards; allowed: 0 to {DECK}"
    ):
        read_cards("x", -1)
