"""Any hand of a simulation, played again and told so that a person can follow it."""

from __future__ import annotations

from typing import Any, SupportsIndex

from ginsim import _batch, _deck, _position
from ginsim._hand import EVENTS
from ginsim.cards import CardSet, card_name
from ginsim.columns import DEAD_REASONS, SEATS
from ginsim.simulation import Strategies, make_task
from ginsim.solvers import arrange


def replay(
    rules: Any,
    strategies: Strategies,
    seed: SupportsIndex,
    hand: SupportsIndex,
    mirror: bool = False,
) -> dict[str, Any]:
    """One hand of a simulation as plain data.

    Args:
        rules, strategies, seed, mirror: as for `simulate`.
        hand: the index of the hand.

    Returns:
        A dict with hand, deal, dealer, deck (card names in dealing order), hands (by seat, as
        dealt), events (each with event, seat, and card or cards; a dead hand's has the reason),
        result (the record's fields) and provenance.

    Raises:
        GinsimError: for bad arguments.
    """
    index = make_task(rules, strategies, 0, seed=seed, first=hand).first
    first = index - index % 2 if mirror else index
    task = make_task(rules, strategies, 2 if mirror else 1, seed=seed, first=first, mirror=mirror)
    rules_record, strategy_records, key = task.core_arguments
    trace = _batch.trace_hand(rules_record, strategy_records, key, index, mirror=task.mirror)
    deal = index // 2 if mirror else index
    dealer = deal % 2 ^ (index % 2 if mirror else 0)
    second = None
    if task.rules.knock_card == "second-deck":
        second = _deck.second_deck_card(key, deal)
    deck = [int(card) for card in _deck.whole_deck(key, deal)]
    state = _position.Hand(rules_record, deck, dealer, second_card=second, key=key, deal=deal)
    hands = {seat: CardSet(mask) for seat, mask in zip(SEATS, state.hands, strict=True)}
    while state.phase != "over":
        state.apply(state.decide(strategy_records))
    result = state.result
    if result is None or (state.events != trace).any():
        raise AssertionError("the hand played action by action differs from the batch's")
    for field in ("dealer", "winner", "knocker"):
        result[field] = None if result[field] < 0 else SEATS[result[field]]
    result["knock_card"] = None if result["knock_card"] < 0 else card_name(result["knock_card"])
    return {
        "hand": index,
        "deal": deal,
        "dealer": SEATS[dealer],
        "deck": [card_name(card) for card in deck],
        "hands": {seat: list(cards) for seat, cards in hands.items()},
        "events": [_event(*event) for event in trace.tolist()],
        "result": result,
        "provenance": task.provenance,
    }


def _event(kind: int, seat: int, card: int, mask: int) -> dict[str, Any]:
    name = EVENTS[kind]
    if name == "dead":
        return {"event": name, "reason": DEAD_REASONS[card]}
    event: dict[str, Any] = {"event": name, "seat": SEATS[seat]}
    if card >= 0:
        event["card"] = card_name(card)
    if name in ("meld", "layoff", "unmelded"):
        event["cards"] = list(CardSet(mask))
    return event


_REASONS = {
    "stock": "the stock has run out",
    "pile_draws": "the bound on draws from the pile is reached",
    "give_backs": "the same card went to and fro too often",
}


def transcript(
    rules: Any,
    strategies: Strategies,
    seed: SupportsIndex,
    hand: SupportsIndex,
    mirror: bool = False,
) -> str:
    """One hand of a simulation in words: every draw, discard, knock, meld, layoff, the score.

    The arguments are those of `replay`. Melds stand in brackets; the number after a turn is the
    least deadwood of the ten cards then held.
    """
    story = replay(rules, strategies, seed, hand, mirror)
    task = story["provenance"]
    south, north = (task["strategies"][seat]["name"] for seat in SEATS)
    mirrored = " (mirrored)" if mirror and story["hand"] % 2 else ""
    held = {seat: CardSet(cards) for seat, cards in story["hands"].items()}
    result = story["result"]
    lines = [
        f"Hand {story['hand']}{mirrored} of seed {task['seed']}, rules {task['rules']['name']}",
        f"south: {south}, north: {north}; {story['dealer']} deals",
    ]
    limit = f"knock limit {result['knock_limit']}"
    if result["knock_card"]:
        limit += f", set by {result['knock_card']}"
    lines += [limit, ""]
    for seat in SEATS:
        lines.append(f"{seat:5}  {show_hand(held[seat])}")
    if task["rules"]["deal"] == "upcard":
        lines.append(f"upcard {story['deck'][20]}")
    lines += ["", *_tell_turns(story["events"], held)]
    lines += ["", _tell_result(result)]
    return "\n".join(lines)


def show_hand(cards: CardSet) -> str:
    """A hand arranged: melds in brackets, the rest, and the deadwood."""
    best = arrange(cards)
    parts = [f"[{meld}]" for meld in best.melds]
    if best.unmelded:
        parts.append(str(best.unmelded))
    return f"{' '.join(parts)}  deadwood {best.deadwood}"


def _tell_turns(events: list[dict[str, Any]], held: dict[str, CardSet]) -> list[str]:
    lines: list[str] = []
    turn = 0
    drawn = ""
    for event in events:
        name, seat = event["event"], event.get("seat", "")
        card = event.get("card", "")
        if name == "pass":
            lines.append(f"      {seat} passes the upcard {card}")
        elif name in ("draw_pile", "draw_stock"):
            held[seat] |= CardSet(card)
            source = "takes" if name == "draw_pile" else "draws"
            drawn = f"{source} {card}, "
        elif name in ("discard", "knock", "big_gin"):
            turn += 1
            if card:
                held[seat] -= CardSet(card)
            deed = {
                "discard": f"throws {card}",
                "knock": f"throws {card} and knocks",
                "big_gin": "declares big gin",
            }[name]
            least = arrange(held[seat]).deadwood
            lines.append(f"{turn:4}  {seat:5} {drawn}{deed}  ({least})")
            drawn = ""
            if name != "discard":
                lines.append("")
        elif name == "meld":
            lines.append(f"      {seat} melds {' '.join(event['cards'])}")
        elif name == "layoff" and event["cards"]:
            lines.append(f"      {seat} lays off {' '.join(event['cards'])}")
        elif name == "unmelded":
            lines.append(f"      {seat} keeps {' '.join(event['cards']) or 'nothing'}")
        elif name == "dead":
            lines += ["", f"      the hand is dead: {_REASONS[event['reason']]}"]
    return lines


def _tell_result(result: dict[str, Any]) -> str:
    counts = f"south {result['south_deadwood']}, north {result['north_deadwood']}"
    outcome = result["outcome"].replace("_", " ")
    if result["outcome"] == "dead":
        return f"dead: no points (deadwood: {counts})"
    if result["winner"] is None:
        return f"{outcome}: nobody wins (deadwood: {counts})"
    words = f"{outcome}: {result['winner']} wins {result['points']} points"
    if result["boxes"]:
        words += f" and {result['boxes']} boxes ({result['prize_boxes']} of them prizes)"
    return f"{words} (deadwood as counted: {counts})"
