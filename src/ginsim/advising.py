"""What to do in a position: every legal action, with what it brings.

A position is told by what a player has seen: his cards, the discard pile, what the opponent took.
The hidden cards are drawn so that they agree with that (docs/engine.md, "Search"), and from each
action the hand is played on.
"""

from __future__ import annotations

import math
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _advising, _deck
from ginsim._version import __version__
from ginsim.cards import Cards, card_name
from ginsim.checks import check_whole
from ginsim.columns import ADVICE_COLUMNS, CARDS
from ginsim.equity import SCALE, check_scores, check_single, match_equity
from ginsim.errors import OptionError, refuse
from ginsim.intervals import t95
from ginsim.records import make_frame
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.seen import read_seen, tell_seen
from ginsim.shipped import settle_table
from ginsim.strategies import AnyStrategy, Strategy, is_python, parse_strategy
from ginsim.strategies import to_record as strategies_record

#: Chains of hidden cards, each begun anew: errors are from the differences between them.
CHAINS = 32
#: Play-outs of each action, of all chains together.
PLAY_OUTS = 2048
#: What is told of the opponent's hands.
HIDDEN_HANDS = ("proposed", "would_have_ended", "kept")
#: Actions as the frame has them.
ACTIONS = ("pass", "draw_pile", "draw_stock", "discard", "knock", "big_gin", "decline")


def advise(
    rules: AnyRules,
    hand: Cards,
    pile: Cards | str = "",
    took: Cards = 0,
    turn: SupportsIndex = 1,
    *,
    scores: object = None,
    just_took: str | None = None,
    showed: Cards = 0,
    pick_ups: SupportsIndex | None = None,
    own_pick_ups: SupportsIndex | None = None,
    dealer: str = "opponent",
    upcard: bool = False,
    passed: bool = False,
    knock_card: str | None = None,
    policy: AnyStrategy = "expert",
    opponent: AnyStrategy = "expert",
    play_outs: SupportsIndex = PLAY_OUTS,
    seed: SupportsIndex | None = None,
) -> pd.DataFrame:
    """What each legal action of a position brings, best first.

    Args:
        rules: as for `simulate`.
        hand: the player's cards: ten before the draw, eleven after it.
        pile: the discard pile in order, the top last: a list, or text.
        took: cards that the opponent took from the pile and still holds.
        turn: the player's own turn that is played or would begin, from 1.
        scores: own points and the opponent's before the hand, such as 60-45: the chances to win the
            game are told too, and decide.
        just_took: with eleven cards, the card just taken from the pile, if it was not from the
            stock.
        showed: cards that the player took from the pile before and still holds.
        pick_ups: cards that the opponent has taken in all, thrown ones too; by default those of
            `took`. `own_pick_ups` likewise the player's, by default those of `showed` and
            `just_took`.
        dealer: who dealt, `policy` (the player) or `opponent`.
        upcard: the pile is the upcard, and on offer; `passed`: the opponent has passed it, which
            is clear if the player deals.
        knock_card: the card that sets the knock limit, for rules that have one.
        policy, opponent: who play the hand on; strategies of rules. The opponent is taken to have
            played so before: hands with which he would have ended his last turn are not drawn.
        play_outs: of each action; a multiple of 32 from 64 to 131,072.
        seed: None draws one and records it.

    Returns:
        A frame with a row for each action and the columns `ADVICE_COLUMNS` of docs/columns.md. Its
        provenance has `hidden_hands`: how many hands of the opponent were `proposed`, with how many
        of these he `would_have_ended` his last turn, which were refused, and in how many play-outs
        one of these was `kept`, since no other was found.

    Raises:
        GinsimError: for cards in two places, histories that cannot be, and bad arguments.
    """
    full = load_rules(rules)
    seen = read_seen(
        full,
        hand,
        pile,
        took,
        turn,
        just_took,
        showed,
        pick_ups,
        own_pick_ups,
        dealer,
        upcard,
        passed,
        knock_card,
    )
    players = tuple(
        _check_player(name, each, full)
        for name, each in (("policy", policy), ("opponent", opponent))
    )
    total = check_whole("play_outs", play_outs, 2 * CHAINS, 4096 * CHAINS)
    if total % CHAINS:
        raise OptionError(refuse("play_outs", total, f"a multiple of {CHAINS}"))
    if seed is None:
        number = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    else:
        number = check_whole("seed", seed, 0, None)
    at = None if scores is None else check_scores(scores, check_single(full))
    search = strategies_record((parse_strategy("rollout(n=1, candidates=11)"),))
    shape = (CHAINS, total // CHAINS, _advising.MOST)
    nets, winners = np.zeros(shape, np.int32), np.zeros(shape, np.int8)
    key = int(_deck.make_key(number)[0])
    found, hands = _advising.value_chains(
        seen.position(), strategies_record(players), search, key, nets, winners
    )
    nets, winners = nets[..., : len(found)], winners[..., : len(found)]
    chances = None
    if at is not None:
        equity = match_equity(full, players[0], players[1], 200_000, seed=number)
        dealt = np.full(nets.shape, seen.dealer == 0)
        chances = equity.worth(*at)(nets, winners, dealt) / SCALE
    provenance = {
        "ginsim": __version__,
        "stream": _deck.STREAM_VERSION,
        "rows": "advice",
        "rules": full.model_dump(),
        "policy": players[0].model_dump(),
        "opponent": players[1].model_dump(),
        "seed": number,
        "play_outs": total,
        "hidden_hands": dict(zip(HIDDEN_HANDS, hands, strict=True)),
        "seen": tell_seen(seen),
        **({} if at is None else {"scores": list(at)}),
    }
    return _make_frame(found, nets, chances, provenance)


def _check_player(name: str, spec: AnyStrategy, rules: Rules) -> Strategy:
    if is_python(spec):
        raise OptionError(f"{name}: is written in Python; allowed: a strategy of rules")
    strategy = settle_table(parse_strategy(spec), rules)
    if strategy.rollouts:
        raise OptionError(refuse(name, strategy.name, "a strategy of rules, without play-outs"))
    return strategy


def _make_frame(
    found: list[tuple[Any, ...]],
    nets: NDArray[np.int32],
    chances: NDArray[np.float64] | None,
    provenance: dict[str, Any],
) -> pd.DataFrame:
    points = nets.mean(axis=1)
    deciding = points if chances is None else chances.mean(axis=1)
    best = int(deciding.mean(axis=0).argmax())
    arrays: dict[str, NDArray[Any]] = {
        "action": np.array([ACTIONS.index(action[0]) for action in found], np.int8),
        "card": np.array(
            [CARDS.index(card_name(action[1])) if len(action) > 1 else -1 for action in found],
            np.int8,
        ),
    }
    _add(arrays, "points", points)
    _add(arrays, "chance", None if chances is None else chances.mean(axis=1), len(found))
    _add(arrays, "behind", deciding[:, [best]] - deciding)
    order = np.argsort(-deciding.mean(axis=0), kind="stable")
    return make_frame(
        ADVICE_COLUMNS, {name: values[order] for name, values in arrays.items()}, provenance
    )


def _add(
    arrays: dict[str, NDArray[Any]], name: str, by_chain: NDArray[np.float64] | None, size: int = 0
) -> None:
    """A figure of each action with its interval; by chain, each a mean of many play-outs."""
    if by_chain is None:
        for suffix in ("", "_low", "_high"):
            arrays[name + suffix] = np.full(size, np.nan)
        return
    value = by_chain.mean(axis=0)
    half = t95(CHAINS - 1) * by_chain.std(axis=0, ddof=1) / math.sqrt(CHAINS)
    arrays[name] = value
    arrays[f"{name}_low"] = value - half
    arrays[f"{name}_high"] = value + half
