"""Hands played elsewhere are checked, and every tampering is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ginsim
from ginsim.logs import verify_hand, verify_log
from tests import twin


def play(rules: str = "kawu", index: int = 3, pair: Any = ("greedy", "simple")) -> dict[str, Any]:
    document: dict[str, Any] = ginsim.replay(rules, pair, 5, index)
    return document


def test_hands_of_the_engine_pass() -> None:
    kinds = set()
    played = [rules for rules in twin.named_rules() if rules.players == 2]
    for rules in played:
        for number, pair in enumerate(twin.all_pairs()):
            document = ginsim.replay(rules, pair, 77, number)
            report = verify_hand(document)
            assert not report.errors, (rules.name, number, report.errors)
            assert report.result == document["result"]
            kinds.add(document["result"]["outcome"])
    assert {"knock", "gin", "undercut", "dead"} <= kinds


def test_optimal_players_get_no_remarks() -> None:
    for index in range(200):
        report = verify_hand(play("modern", index, "greedy"))
        assert (report.errors, report.remarks) == ([], [])


def test_what_a_line_leaves_out_is_worked_out() -> None:
    document = play(pair="greedy")
    bare = {
        "rules": "kawu",
        "dealer": document["dealer"],
        "deck": " ".join(document["deck"]),
        "events": [
            {key: value for key, value in event.items() if key in ("event", "card")}
            for event in document["events"]
            if event["event"] not in ("meld", "layoff", "unmelded")
        ],
    }
    report = verify_hand(bare)
    assert report.errors == []
    assert report.result == document["result"]


def knock_of(document: dict[str, Any]) -> dict[str, Any]:
    """The knock of a hand that was knocked."""
    return next(event for event in document["events"] if event["event"] == "knock")


def first(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(event for event in document["events"] if event["event"] == name)


def set_points(document: dict[str, Any]) -> None:
    document["result"]["points"] += 1


def set_winner(document: dict[str, Any]) -> None:
    document["result"]["winner"] = "east"


def throw_what_is_not_held(document: dict[str, Any]) -> None:
    first(document, "discard")["card"] = first(document, "draw_stock")["card"]


def draw_another_card(document: dict[str, Any]) -> None:
    first(document, "draw_stock")["card"] = document["deck"][-1]


def act_out_of_turn(document: dict[str, Any]) -> None:
    event = first(document, "discard")
    event["seat"] = "north" if event["seat"] == "south" else "south"


def meld_what_is_none(document: dict[str, Any]) -> None:
    first(document, "meld")["cards"] = ["Ac", "5d", "9h"]


def hide_a_card(document: dict[str, Any]) -> None:
    kept = [event for event in document["events"] if event["event"] == "unmelded"]
    kept[0]["cards"] = kept[0]["cards"][1:]


def stop_early(document: dict[str, Any]) -> None:
    place = document["events"].index(knock_of(document))
    del document["events"][place:]


def double_a_card(document: dict[str, Any]) -> None:
    document["deck"][0] = document["deck"][1]


def lose_the_deck(document: dict[str, Any]) -> None:
    del document["deck"]


def invent_an_event(document: dict[str, Any]) -> None:
    document["events"][0]["event"] = "peek"


def invent_rules(document: dict[str, Any]) -> None:
    document["rules"] = "kavu"


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (set_points, "result: points is"),
        (set_winner, "result: winner is 'east' in the log"),
        (throw_what_is_not_held, "is not allowed in phase"),
        (draw_another_card, "draw_stock is of"),
        (act_out_of_turn, "turn"),
        (meld_what_is_none, "is not a meld"),
        (hide_a_card, "keeps"),
        (stop_early, "the hand is not over: phase discard"),
        (double_a_card, "duplicate card"),
        (lose_the_deck, "deck is missing"),
        (invent_an_event, "unknown; allowed: pass"),
        (invent_rules, "unknown rule set 'kavu'"),
    ],
)
def test_tampering_is_found(tamper: Callable[[dict[str, Any]], None], words: str) -> None:
    document = play(index=0)
    assert document["result"]["outcome"] == "knock"
    assert verify_hand(document).errors == []
    changed = copy.deepcopy(document)
    tamper(changed)
    errors = verify_hand(changed).errors
    assert errors
    assert any(words in error for error in errors), errors


def test_weak_melds_and_layoffs_are_remarked() -> None:
    # A spread that keeps a seven loose, and a defender who breaks no meld to lay off: lawful.
    position = ginsim.Position.build(
        "modern",
        nondealer="4s 5s 6s Th Jh Qh Kh Ah Ad 7s",
        dealer="8s 9s 2h 2c 2d 6d 6h 6c Kd Qc",
        upcard="3c",
    )
    deck = [ginsim.CardSet(1 << card) for card in position._hand.deck]
    document: dict[str, Any] = {
        "rules": "modern",
        "dealer": "south",
        "deck": [str(card) for card in deck],
        "events": [
            {"event": "draw_pile", "seat": "north", "card": "3c"},
            {"event": "discard", "seat": "north", "card": "Kh"},
            {"event": "draw_stock", "seat": "south"},
            {"event": "discard", "seat": "south", "card": "Kd"},
            {"event": "draw_pile", "seat": "north", "card": "Kd"},
        ],
    }
    report = verify_hand(document)
    assert report.errors == ["the hand is not over: phase discard"]
    document["events"] = [
        {"event": "pass"},
        {"event": "pass"},
        {"event": "draw_stock"},
    ]
    stock_card = str(deck[21])
    document["events"] += [
        {"event": "knock", "card": stock_card},
        {"event": "meld", "seat": "north", "cards": ["4s", "5s", "6s"]},
        {"event": "meld", "seat": "north", "cards": ["Th", "Jh", "Qh", "Kh"]},
        {"event": "unmelded", "seat": "north", "cards": ["Ah", "Ad", "7s"]},
        {"event": "meld", "seat": "south", "cards": ["2h", "2c", "2d"]},
        {"event": "unmelded", "seat": "south", "cards": ["8s", "9s", "6d", "6h", "6c", "Kd", "Qc"]},
    ]
    report = verify_hand(document)
    assert report.errors == []
    # AR03: 9 instead of 2; the three sixes left unmelded: 55 instead of 37.
    assert report.remarks == [
        "north spreads with 9 deadwood; 2 is possible",
        "south ends with 55 deadwood; 37 is possible",
    ]


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    good, bad = play(index=0), play(index=1)
    set_points(bad)
    path = tmp_path / "log.jsonl"
    path.write_text(f"{json.dumps(good)}\n\nnot json\n{json.dumps(bad)}\n[]\n", encoding="utf-8")
    reports = list(verify_log(path))
    assert [report.line for report in reports] == [1, 3, 4, 5]
    assert [bool(report.errors) for report in reports] == [False, True, True, True]
    assert "no JSON" in reports[1].errors[0]
    assert "a JSON object" in reports[3].errors[0]


def test_rules_for_all_hands(tmp_path: Path) -> None:
    document = play(index=0)
    del document["provenance"]
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(document), encoding="utf-8")
    (report,) = verify_log(path)
    assert "rules are missing" in report.errors[0]
    (report,) = verify_log(path, rules="kawu")
    assert report.errors == []
    # Under classic rules the same hand has other bonuses.
    (report,) = verify_log(path, rules="classic")
    assert report.result is not None


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    path.write_text("hand,deal\n0,0\n1,1\n")
    with pytest.raises(ginsim.OptionError, match="the file begins with 'hand,deal"):
        list(verify_log(path))


def test_lines_are_told_by_number(tmp_path: Path) -> None:
    document = json.dumps(play(index=0))
    path = tmp_path / "log.jsonl"
    path.write_text("\n\n".join([document, "{broken", document, "{broken"]))
    assert [(report.line, bool(report.errors)) for report in verify_log(path)] == [
        (1, False),
        (3, True),
        (5, False),
        (7, True),
    ]
