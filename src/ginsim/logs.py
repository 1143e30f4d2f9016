"""Hands played elsewhere, checked by the rules: every action, every meld, the score.

A log is a file of JSON documents, one after the other, in the form that `ginsim replay --json`
prints (docs/logs.md); what a hand leaves out is worked out, what it has is compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from ginsim.cards import CardSet, pips
from ginsim.checks import check_path
from ginsim.columns import SEATS
from ginsim.decks import as_decks
from ginsim.errors import GinsimError, OptionError, join_words, refuse, show
from ginsim.position import Position
from ginsim.rules import AnyRules, load_rules
from ginsim.solvers import arrange, layoff

#: The events of a turn, by the method of Position that carries them out.
_TURN_EVENTS = {
    "pass": "pass_upcard",
    "draw_pile": "draw_pile",
    "draw_stock": "draw_stock",
    "discard": "discard",
    "knock": "knock",
    "big_gin": "declare_big_gin",
}
_END_EVENTS = ("meld", "layoff", "unmelded")
EVENTS = (*_TURN_EVENTS, *_END_EVENTS, "dead")


@dataclass
class HandReport:
    """What is wrong with one hand of a log.

    Attributes:
        line: where it begins in the file, from 1.
        errors: where it breaks the rules or differs from what the rules give.
        remarks: lawful, but not the best: melds or layoffs that leave more deadwood than need be.
        result: the record of the hand by the rules; None if it could not be played to its end.
    """

    line: int
    errors: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    result: dict[str, Any] | None = None


def verify_log(path: str | PathLike[str], rules: AnyRules | None = None) -> Iterator[HandReport]:
    """Check the hands of a log one by one.

    Args:
        path: the file.
        rules: the rule set of hands that do not name one; None for none.

    Yields:
        A report for each hand; one with an error for a line that is no JSON.

    Raises:
        RulesError: if `rules` are none.
        OptionError: if the file begins with something else than an object.
        OSError: if the file cannot be read.
    """
    default = None if rules is None else load_rules(rules)
    place = check_path("path", path)
    try:
        text = place.read_text(encoding="utf-8")
    except ValueError as failure:  # no UTF-8
        raise OptionError(f"{path}: the file cannot be read as text: {failure}") from None
    decoder = json.JSONDecoder()
    at = counted = 0
    line = 1
    is_first = True
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return
        line += text.count("\n", counted, at)
        counted = at
        if is_first and text[at] != "{":
            raise OptionError(
                f"{path}: the file begins with {show(text[at : at + 20])}; allowed: a log, JSON "
                "objects as `ginsim replay --json` prints them"
            )
        is_first = False
        try:
            document, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as failure:
            yield HandReport(line, [f"no JSON: {failure}"])
            # Go on with the next line: a hand that can be read may follow.
            at = text.find("\n", counted) + 1 or len(text)
            continue
        report = verify_hand(document, default)
        report.line = line
        yield report


def verify_hand(document: Any, rules: AnyRules | None = None) -> HandReport:
    """Check one hand, a mapping as `replay` returns it.

    Args:
        document: with dealer, deck and events; rules (a name or fields), or provenance with
            rules, unless `rules` are given; knock_card (or result.knock_card), where the rules
            have a second deck; result, any of its fields.
        rules: the rule set if the document names none.
    """
    report = HandReport(0)
    try:
        position = _open(document, rules)
    except GinsimError as failure:
        report.errors.extend(failure.problems)
        return report
    events = document.get("events", [])
    ending: list[tuple[int, Mapping[str, Any]]] = []
    for number, event in enumerate(events):
        if not isinstance(event, Mapping) or event.get("event") not in EVENTS:
            report.errors.append(
                f"event {number}: {show(event)} is unknown; allowed: {join_words(EVENTS)}"
            )
            return report
        if event["event"] in _END_EVENTS:
            ending.append((number, event))
        elif not _play_event(position, number, event, report):
            return report
    if position.phase == "spread":
        _play_ending(position, ending, report)
    if position.phase != "over":
        report.errors.append(f"the hand is not over: phase {position.phase}")
        return report
    report.result = position.result
    _compare_result(document, report)
    return report


def _open(document: Any, rules: AnyRules | None) -> Position:
    if not isinstance(document, Mapping):
        raise OptionError(refuse("hand", document, "a JSON object"))
    for name in ("dealer", "deck", "events"):
        if name not in document:
            raise OptionError(f"hand: {name} is missing; allowed: dealer, deck and events")
    if not isinstance(document["events"], list):
        raise OptionError(refuse("events", document["events"], "a list"))
    origin = document.get("provenance")
    named = document.get("rules", origin.get("rules") if isinstance(origin, Mapping) else None)
    if named is None:
        named = rules
    if named is None:
        raise OptionError("hand: rules are missing; allowed: rules in the hand, or given for all")
    result = document.get("result")
    knock_card = document.get(
        "knock_card", result.get("knock_card") if isinstance(result, Mapping) else None
    )
    full = load_rules(named)
    deck = document["deck"]
    if not isinstance(deck, str | list):
        raise OptionError(refuse("deck", deck, "a list of 52 card names"))
    (numbers,) = as_decks([deck])
    second = knock_card if full.knock_card == "second-deck" else None
    return Position(full, numbers.tolist(), document["dealer"], second_card=second)


def _play_event(
    position: Position, number: int, event: Mapping[str, Any], report: HandReport
) -> bool:
    """Carry out an event of a turn; False if the hand cannot go on."""
    name, card = event["event"], event.get("card")
    where = f"event {number}"
    if name == "dead":
        if position.phase == "wall":
            position.decline()
        if position.result is None or position.result["outcome"] != "dead":
            report.errors.append(f"{where}: the hand is not dead here")
            return False
        reason = event.get("reason", position.result["dead_reason"])
        if reason != position.result["dead_reason"]:
            report.errors.append(
                f"{where}: dead for {reason}, by the rules for {position.result['dead_reason']}"
            )
        return True
    seat = event.get("seat", position.seat)
    if seat != position.seat:
        report.errors.append(f"{where}: {show(seat)} acts, but it is {position.seat}'s turn")
        return False
    before = position.hand(position.seat)
    expected = position.top if name in ("pass", "draw_pile") else None
    try:
        action = getattr(position, _TURN_EVENTS[name])
        action(*((card,) if name in ("discard", "knock") else ()))
    except GinsimError as failure:
        report.errors.extend(f"{where}: {problem}" for problem in failure.problems)
        return False
    if name == "draw_stock":
        expected = str(position.hand(seat) - before)
    if card is not None and expected is not None and CardSet(card) != CardSet(expected):
        report.errors.append(f"{where}: {name} is of {card}, by the deck of {expected}")
        return False
    return True


def _of_seat(
    ending: list[tuple[int, Mapping[str, Any]]], seat: str, name: str
) -> list[CardSet] | None:
    """The cards of a seat's events of a name; None if the log has none of them."""
    found = [
        CardSet(event.get("cards", ()))
        for _, event in ending
        if event["event"] == name and event.get("seat") == seat
    ]
    return found or None


def _play_ending(
    position: Position, ending: list[tuple[int, Mapping[str, Any]]], report: HandReport
) -> None:
    """Spread and lay off as the log says; what it does not say is done in the best way."""
    knocker = position.seat
    defender = SEATS[1 - SEATS.index(knocker)]
    try:
        told = any(event.get("seat") == knocker for _, event in ending)
        best = arrange(position.hand(knocker))
        melds = list(_of_seat(ending, knocker, "meld") or ()) if told else list(best.melds)
        position.spread(melds)
        rest = position.hand(knocker) - CardSet(sum(meld.mask for meld in melds))
        left = _pips_of(rest)
        if left > best.deadwood:
            report.remarks.append(
                f"{knocker} spreads with {left} deadwood; {best.deadwood} is possible"
            )
        _compare_unmelded(ending, knocker, rest, report)
        told = any(event.get("seat") == defender for _, event in ending)
        hand = position.hand(defender)
        if left and position.rules.layoffs:
            answer = layoff(melds, hand, unmelded=rest)
            least, own, laid = answer.defender_deadwood, answer.melds, answer.laid_off
        else:
            alone = arrange(hand)
            least, own, laid = alone.deadwood, alone.melds, CardSet()
        if told:
            own = tuple(_of_seat(ending, defender, "meld") or ())
            laid = (_of_seat(ending, defender, "layoff") or [CardSet()])[0]
        position.lay_off(own, laid)
        kept = hand - laid - CardSet(sum(meld.mask for meld in own))
        if _pips_of(kept) > least:
            report.remarks.append(
                f"{defender} ends with {_pips_of(kept)} deadwood; {least} is possible"
            )
        _compare_unmelded(ending, defender, kept, report)
    except GinsimError as failure:
        report.errors.extend(failure.problems)


def _pips_of(cards: CardSet) -> int:
    return sum(pips(card) for card in cards)


def _compare_unmelded(
    ending: list[tuple[int, Mapping[str, Any]]], seat: str, left: CardSet, report: HandReport
) -> None:
    told = _of_seat(ending, seat, "unmelded")
    if told is not None and told[0] != left:
        report.errors.append(f"{seat} keeps {told[0]} by the log, {left} by the cards")


def _compare_result(document: Mapping[str, Any], report: HandReport) -> None:
    assert report.result is not None
    told = document.get("result") or {}
    if not isinstance(told, Mapping):
        report.errors.append(refuse("result", told, "a JSON object"))
        return
    for name, value in told.items():
        if name not in report.result:
            allowed = join_words(report.result)
            report.errors.append(f"result: unknown field {show(name)}; allowed: {allowed}")
        elif value != report.result[name]:
            report.errors.append(
                f"result: {name} is {show(value)} in the log, {show(report.result[name])} by the "
                "rules"
            )
