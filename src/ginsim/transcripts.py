"""Any hand of a simulation, played again and told so that a person can follow it."""

from __future__ import annotations

from typing import Any, SupportsIndex

from ginsim import _batch, _position
from ginsim._hand import EVENTS
from ginsim.cards import CardSet, card_name
from ginsim.checks import check_flag, check_whole
from ginsim.columns import DEAD_REASONS, SEATS
from ginsim.decks import Decks, as_decks
from ginsim.errors import count, show
from ginsim.solvers import arrange
from ginsim.strategies import to_record
from ginsim.tasks import MAX_INDEX, Strategies, make_task


def replay(
    rules: Any,
    strategies: Strategies,
    seed: SupportsIndex,
    hand: SupportsIndex,
    mirror: bool = False,
    decks: Decks | None = None,
) -> dict[str, Any]:
    """One hand of a simulation as plain data.

    Args:
        rules, strategies, seed, mirror, decks: as for `simulate`.
        hand: the index of the hand.

    Returns:
        A dict with hand, deal, dealer, deck (card names in dealing order), hands (by seat, as
        dealt), events (each with event, seat, and card or cards; a dead hand's has the reason),
        result (the record's fields) and provenance.

    Raises:
        GinsimError: for bad arguments.
    """
    number = check_whole("seed", seed, 0, None)
    mirrored = check_flag("mirror", mirror)
    given = None if decks is None else as_decks(decks)
    last = MAX_INDEX - 1 if given is None else len(given) * (2 if mirrored else 1) - 1
    index = check_whole("hand", hand, 0, last)
    first, size = (index - index % 2, 2) if mirrored else (index, 1)
    task = make_task(
        rules, strategies, size, seed=number, first=first, mirror=mirrored, decks=given
    )
    trace = _batch.trace_hand(task.setup, index)
    state = _position.Hand.start(task.setup, index)
    hands = {seat: CardSet(mask) for seat, mask in zip(SEATS, state.hands, strict=True)}
    pair = to_record(task.strategies)
    while state.phase != "over":
        state.apply(state.decide(pair))
    result = state.result
    if result is None or (state.events != trace).any():
        raise AssertionError("the hand played action by action differs from the batch's")
    for field in ("dealer", "winner", "knocker"):
        result[field] = None if result[field] < 0 else SEATS[result[field]]
    result["knock_card"] = None if result["knock_card"] < 0 else card_name(result["knock_card"])
    return {
        "hand": index,
        "deal": index // 2 if mirrored else index,
        "dealer": result["dealer"],
        "deck": [card_name(card) for card in state.deck],
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
    decks: Decks | None = None,
) -> str:
    """One hand of a simulation in words: every draw, discard, knock, meld, layoff, the score.

    The arguments are those of `replay`. Melds stand in brackets; the number after a turn is the
    least deadwood of the ten cards then held.
    """
    story = replay(rules, strategies, seed, hand, mirror, decks)
    task = story["provenance"]
    south, north = (task["strategies"][seat]["name"] for seat in SEATS)
    mirrored = " (mirrored)" if mirror and story["hand"] % 2 else ""
    held = {seat: CardSet(cards) for seat, cards in story["hands"].items()}
    result = story["result"]
    seed_text = show(task["seed"])  # of however many digits
    lines = [
        f"Hand {story['hand']}{mirrored} of seed {seed_text}, rules {task['rules']['name']}",
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
    lines += ["", "turn by turn (the deadwood left in brackets):"]
    lines += _tell_turns(story["events"], held)
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
    words = f"{outcome}: {result['winner']} wins {count(result['points'], 'point')}"
    if result["boxes"]:
        words += f" and {count(result['boxes'], 'box')} ({result['prize_boxes']} as prizes)"
    return f"{words} (deadwood as counted: {counts})"
