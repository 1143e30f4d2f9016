"""Run the compiled engine and its slow twin side by side."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np

from ginsim import _batch, _deck
from ginsim._hand import DEAD_REASONS, EVENTS, OUTCOMES
from ginsim._setup import Setup
from ginsim.rules import Rules, list_rulesets, load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record
from tests import reference

#: Every rule of every decision point is in one of these.
STRATEGIES = (
    "random",
    "simple",
    "greedy",
    "greedy(knock_at=4)",
    "greedy(knock_at=0)",
    "greedy(layoff=greedy)",
    "greedy(layoff=none)",
    "expert",
    "expert_classic",
    "expert(knock_table=10*2/0+2-7/none/4-8/10;6/3;9*3/2-5;none/7|5:5/2-3/4;3/0|1:none*3/1,"
    " take_gain=20*2/5/9, keep_pairs=3, weigh_rank=0/3/7, weigh_known=3, weigh_unseen=6/4/3)",
)
#: Strategies that mix the rules of the named ones.
MIXTURES = (
    Strategy(name="cheat", knock_at=9, spread="clairvoyant", cheats="yes", layoff="greedy"),
    Strategy(
        name="mixed 1",
        upcard="meld",
        draw="random",
        discard="uniform",
        knock="random",
        big_gin="random",
        spread="fewest_sets",
        layoff="in_order",
    ),
    Strategy(
        name="mixed 2",
        upcard="random",
        draw="improve",
        discard="random",
        knock="threshold",
        knock_at=7,
        big_gin="random",
        spread="random",
        layoff="greedy",
    ),
    Strategy(
        name="mixed 3",
        upcard="always",
        draw="gain",
        take_gain="5",
        discard="weighed",
        weigh_deadwood="2/3",
        weigh_pairs="3/2",
        weigh_runs="4",
        weigh_unseen="1",
        weigh_known="2",
        keep_pairs=2,
        knock="threshold",
        knock_at=8,
        spread="uniform",
    ),
    Strategy(name="mixed 6", knock_at=10, spread="expected", layoff="none"),
    Strategy(
        name="mixed 4",
        spread="first",
        upcard="never",
        draw="never",
        discard="uniform",
        knock="table",
        knock_table="10/8*2/0+3-9",
        layoff="greedy",
    ),
    Strategy(
        name="mixed 5",
        upcard="gain",
        draw="always",
        discard="weighed",
        knock="random",
        weigh_deadwood="0",
        weigh_unseen="1",
        big_gin="random",
        layoff="in_order",
    ),
)


def core_hand(
    rules: Rules,
    pair: tuple[Strategy, Strategy],
    seed: int,
    hand: int,
    mirror: bool = False,
    ranks: int = 13,
    hand_size: int = 10,
) -> tuple[list[reference.Event], dict[str, Any]]:
    """A hand of the compiled engine, in the form of `reference.play_hand`."""
    setup = Setup(
        rules_record(rules), strategies_record(pair), _deck.make_key(seed), mirror, ranks, hand_size
    )
    trace = _batch.trace_hand(setup, hand)
    events = [(EVENTS[kind], seat, card, mask) for kind, seat, card, mask in trace.tolist()]
    small = np.zeros((len(_batch.BYTE_COLUMNS), 1), np.int8)
    large = np.zeros((len(_batch.SHORT_COLUMNS), 1), np.int16)
    _batch.fill_records(setup, hand, small, large, 0, 1)
    record: dict[str, Any] = dict(zip(_batch.BYTE_COLUMNS, small[:, 0].tolist(), strict=True))
    record.update(zip(_batch.SHORT_COLUMNS, large[:, 0].tolist(), strict=True))
    record["outcome"] = OUTCOMES[record["outcome"]]
    record["dead_reason"] = DEAD_REASONS[record["dead_reason"]]
    record["hand"] = hand
    record["deal"] = hand // 2 if mirror else hand
    return events, record


def check_hand(
    rules: Rules,
    pair: tuple[Strategy, Strategy],
    seed: int,
    hand: int,
    mirror: bool = False,
    ranks: int = 13,
    hand_size: int = 10,
) -> str:
    """Assert that both engines play the hand alike, event by event; returns its outcome."""
    ours, our_record = core_hand(rules, pair, seed, hand, mirror, ranks, hand_size)
    theirs, record = reference.play_hand(rules, pair, seed, hand, mirror, ranks, hand_size)
    where = (
        f"rules {rules.name}, south {pair[0].name}, north {pair[1].name}, seed {seed}, "
        f"hand {hand}, mirror {mirror}, ranks {ranks}, hand_size {hand_size}"
    )
    promised = reference.promised_events
    assert promised(ours, pair) == promised(theirs, pair), where
    assert our_record == record, where
    check_defence(ours)
    return str(record["outcome"])


def check_defence(events: list[reference.Event]) -> None:
    """A defender's melds and layoffs are lawful, also where only their deadwood is promised."""
    knocks = [event for event in events if event[0] in ("knock", "big_gin")]
    if not knocks:
        return
    knocker = knocks[0][1]
    spread = [event[3] for event in events if event[0] == "meld" and event[1] == knocker]
    own = [event[3] for event in events if event[0] == "meld" and event[1] != knocker]
    laid = next(event[3] for event in events if event[0] == "layoff")
    for meld in own + spread:
        assert reference.is_meld(reference.cards_of(meld))
    table = [reference.cards_of(meld) for meld in spread]
    waiting = set(reference.cards_of(laid))
    while waiting:
        # Runs first: a card that fits both may carry further cards there.
        places = [
            (not reference.is_run(meld), card, index)
            for card in waiting
            for index, meld in enumerate(table)
            if reference.fits(card, meld)
        ]
        assert places, "a card was laid off where it does not fit"
        _, card, index = min(places)
        table[index] = table[index] | {card}
        waiting.remove(card)


def all_pairs() -> list[tuple[Strategy, Strategy]]:
    """Pairs of strategies in which each strategy meets itself and two others."""
    players = [parse_strategy(name) for name in STRATEGIES] + list(MIXTURES)
    near = zip(players, players[1:] + players[:1], strict=True)
    far = zip(players, players[3:] + players[:3], strict=True)
    return list(itertools.chain(zip(players, players, strict=True), near, far))


def random_rules(rng: random.Random) -> Rules:
    """A lawful rule set with every hand-level field drawn."""
    deal = rng.choice(["upcard", "eleven"])
    knock_card = rng.choice(["none", "second-deck"] + (["upcard"] if deal == "upcard" else []))
    fields: dict[str, Any] = {
        "name": "drawn",
        "deal": deal,
        "knock_card": knock_card,
        "return_taken_card": rng.random() < 0.5,
        "give_back_limit": rng.choice([0, 0, 1, 2, 3]),
        "knock_limit": rng.randint(0, 10),
        "gin_bonus": rng.randint(0, 50),
        "undercut_bonus": rng.randint(0, 50),
        "clean_undercut_bonus": rng.randint(0, 50),
        "big_gin_bonus": rng.choice(["off", 31, 50]),
        "tie": rng.choice(["undercut", "knocker", "nobody"]),
        "spread": rng.choice(["any", "least"]),
        "layoffs": rng.random() < 0.8,
        "dead_at": rng.choice([0, 1, 2, 2, 5]),
        "wall": rng.choice(["dead", "fiftieth"]),
        "max_pile_draws": rng.choice([1, 3, 8, 50]),
    }
    if knock_card != "none":
        fields["knock_limit"] = rng.choice(["card", "card", rng.randint(0, 10)])
        if fields["knock_limit"] == "card":
            fields["ace_limit"] = rng.choice(["one", "gin"])
        fields["spade_doubles"] = rng.choice(["none", "points"])
    if rng.random() < 0.5:
        fields.update(box_base=1, box_gin=2, box_undercut=1, box_clean_undercut=2)
        if fields["big_gin_bonus"] != "off":
            fields["box_big_gin"] = 3
        if knock_card != "none":
            fields["spade_doubles"] = rng.choice(["none", "points", "prizes", "all"])
    return Rules(**fields)


#: Each modifier on a base where it changes something.
MODIFIED = (
    "kawu+oklahoma+ace-gin",
    "modern+straight",
    "classic+big-gin",
    "casual+oklahoma+spades",
    "hollywood+ace-gin",
)


def named_rules() -> list[Rules]:
    """All named rule sets, and each modifier of hands on one of them."""
    return [load_rules(name) for name in (*list_rulesets(), *MODIFIED)]
