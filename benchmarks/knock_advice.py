"""`advise` against whole hands: does it weigh a knock as play turns out?

    python -m benchmarks.knock_advice               # a minute
    python -m benchmarks.knock_advice --rules modern --policy expert --opponent expert

Hands are played by two strategies, the seat waiting at each chance to knock, as `knock_chances`
does. At each chance `advise` is told what the seat has seen, with the same two strategies to play
on; its figure for the knock minus that for the move that the seat makes is compared with what the
two moves bring on the cards as they lie. The mean of both is the same if hidden cards are drawn
with the chances that they have in play: each differs from deal to deal, the mean difference is the
bias of the advice.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ginsim import _position, advise, knock_chances
from ginsim.cards import card_name
from ginsim.rules import load_rules
from ginsim.strategies import to_record as strategies_record
from ginsim.tasks import make_task

SEED = 20_261_130
HANDS = 4000
PLAY_OUTS = 256
RULES = ("kawu", "classic")
#: The seat's own turns, together.
TURNS = {"1–4": (1, 4), "5–8": (5, 8), "9+": (9, 160)}


class Chance(NamedTuple):
    """A chance to knock as the seat sees it, and the move that it makes."""

    hand: int
    turn: int
    card: str
    seen: dict[str, Any]


def list_chances(rules: str, policy: str, opponent: str, hands: int, seed: int) -> Iterator[Chance]:
    """The chances of south, who waits."""
    task = make_task(load_rules(rules), (policy, opponent), hands, seed=seed)
    players = strategies_record(task.strategies)
    for index in range(hands):
        hand = _position.Hand.start(task.setup, index)
        while hand.phase not in ("spread", "layoff", "over"):
            action = hand.decide(players)
            if hand.seat == 0 and action[0] == "knock":
                yield Chance(index, hand.turns[0], card_name(action[1]), see(hand))
                action = ("discard", action[1])
            hand.apply(action)


def see(hand: _position.Hand) -> dict[str, Any]:
    """What south has seen, before he ends his turn."""
    pile: list[int] = [hand.deck[20]]
    drawn = None
    for kind, seat, card, _ in hand.events.tolist():
        # discard, draw_pile (docs/engine.md): the pile in its order.
        if kind == 3:
            pile.append(card)
        elif kind == 1:
            pile.remove(card)
            drawn = card if seat == 0 else None
        elif kind == 2:
            drawn = None
    return {
        "hand": hand.hands[0],
        "pile": " ".join(map(card_name, pile)),
        "took": hand.taken[1],
        "turn": hand.turns[0],
        "just_took": None if drawn is None else card_name(drawn),
        "showed": hand.taken[0],
        "pick_ups": hand.pile_draws[1],
        "own_pick_ups": hand.pile_draws[0],
        "dealer": "policy" if hand.dealer == 0 else "opponent",
    }


def compare(
    rules: str, policy: str, opponent: str, hands: int, play_outs: int, seed: int
) -> pd.DataFrame:
    """A row for each chance: knock minus play on, as `advise` says and as it turns out."""
    rows = []
    for chance in list_chances(rules, policy, opponent, hands, seed):
        frame = advise(
            rules,
            policy=policy,
            opponent=opponent,
            play_outs=play_outs,
            seed=seed + chance.hand,
            **chance.seen,
        )
        points = {(row["action"], row["card"]): row["points"] for row in frame.to_dict("records")}
        gain = points["knock", chance.card] - points["discard", chance.card]
        rows.append((chance.hand, chance.turn, gain))
    told = pd.DataFrame(rows, columns=["hand", "turn", "told"])
    found = knock_chances(rules, policy, opponent, hands, seed=seed)
    found["found"] = found["knock_net"] - found["play_net"]
    return told.merge(found[["hand", "turn", "deadwood", "found"]], on=["hand", "turn"])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rules", nargs="*", default=list(RULES))
    parser.add_argument("--policy", default="greedy")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--play-outs", type=int, default=PLAY_OUTS)
    chosen = parser.parse_args(arguments)
    for rules in chosen.rules:
        frame = compare(rules, chosen.policy, chosen.opponent, chosen.hands, chosen.play_outs, SEED)
        print(f"{rules}: {tell(frame)}", flush=True)
        for name, (low, high) in TURNS.items():
            print(f"  turns {name}: {tell(frame[frame['turn'].between(low, high)])}", flush=True)


def tell(part: pd.DataFrame) -> str:
    """The mean difference, by deal."""
    differences = part["told"] - part["found"]
    mean = differences.mean()
    by_deal = (differences - mean).groupby(part["hand"]).sum()
    half = 1.96 * np.sqrt((by_deal**2).sum()) / len(part)
    return (
        f"{len(part)} chances: told {part['told'].mean():+.2f}, found {part['found'].mean():+.2f}, "
        f"difference {mean:+.2f} ± {half:.2f}"
    )


if __name__ == "__main__":
    main()
