"""What to do in a position: every legal action, with what it brings.

A position is told by what a player has seen: his cards, the discard pile, what the opponent took.
The hidden cards are drawn so that they agree with that (docs/engine.md, "Search"), and from each
action the hand is played on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _advising, _deck, _position
from ginsim._hand import knock_limit as core_limit
from ginsim._version import __version__
from ginsim.cards import Cards, CardSet, card_name, read_card, read_cards, read_order
from ginsim.checks import check_flag, check_whole, check_word
from ginsim.columns import ADVICE_COLUMNS, CARDS, SIDES
from ginsim.equity import SCALE, check_scores, check_single, match_equity
from ginsim.errors import CardError, OptionError, count, refuse
from ginsim.intervals import t95
from ginsim.records import make_frame
from ginsim.rules import AnyRules, Rules, load_rules, to_record
from ginsim.shipped import settle_table
from ginsim.strategies import AnyStrategy, Strategy, is_python, parse_strategy
from ginsim.strategies import to_record as strategies_record

#: Chains of hidden cards, each begun anew: errors are from the differences between them.
CHAINS = 32
#: Play-outs of each action, of all chains together.
PLAY_OUTS = 2048
#: Actions as the frame has them.
ACTIONS = ("pass", "draw_pile", "draw_stock", "discard", "knock", "big_gin", "decline")


@dataclass(frozen=True)
class Seen:
    """What a player has seen of a hand, checked.

    Attributes:
        hand: his cards, a mask.
        pile: the discard pile from the bottom.
        took: cards that the opponent took from the pile and still holds, a mask.
        showed: likewise his own.
        turn: his own turn that is played or would begin.
        dealer: 0 the player, 1 the opponent.
        drawn: the card just taken from the pile, -1 if it is from the stock.
    """

    rules: Rules
    hand: int
    pile: tuple[int, ...]
    took: int
    showed: int
    turn: int
    dealer: int
    pick_ups: int
    limit: int
    knock_card: int
    drawn: int
    is_offer: bool
    is_passed: bool
    is_wall: bool

    def position(self) -> Any:
        """The compiled core's position of it.

        Raises:
            CardError: at the wall, if the last discard does not help.
        """
        try:
            return self._set_up()
        except _position.IllegalAction as failure:
            raise CardError(f"hand: {failure}; allowed: one that it lets knock") from None

    def _set_up(self) -> Any:
        return _advising.set_up(
            to_record(self.rules),
            self.hand,
            list(self.pile),
            self.took,
            self.showed,
            self.turn,
            self.dealer,
            self.pick_ups,
            self.showed.bit_count(),
            self.limit,
            self.knock_card,
            self.drawn,
            self.drawn >= 0,
            self.is_offer,
            self.is_passed,
            self.is_wall,
        )


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
            `took`.
        dealer: who dealt, `policy` (the player) or `opponent`.
        upcard: the pile is the upcard, and on offer; `passed`: the opponent has passed it.
        knock_card: the card that sets the knock limit, for rules that have one.
        policy, opponent: who play the hand on; strategies of rules.
        play_outs: of each action; a multiple of 32.
        seed: None draws one and records it.

    Returns:
        A frame with a row for each action and the columns `ADVICE_COLUMNS` of docs/columns.md.

    Raises:
        GinsimError: for cards in two places, numbers of cards that no turn has, and bad arguments.
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
    found = _advising.value_chains(
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
        "seen": _tell_seen(seen),
        **({} if at is None else {"scores": list(at)}),
    }
    return _make_frame(found, nets, chances, provenance)


def read_seen(
    rules: Rules,
    hand: Cards,
    pile: Cards | str,
    took: Cards,
    turn: SupportsIndex,
    just_took: str | None,
    showed: Cards,
    pick_ups: SupportsIndex | None,
    dealer: str,
    upcard: bool,
    passed: bool,
    knock_card: str | None,
) -> Seen:
    """Check what a player has seen.

    Raises:
        GinsimError: with the argument, its value and what is allowed.
    """
    cards, taken, shown = (
        read_cards(name, value)
        for name, value in (("hand", hand), ("took", took), ("showed", showed))
    )
    order = read_order("pile", pile if isinstance(pile, str | list | tuple) else CardSet(pile))
    size = cards.bit_count()
    if size not in (10, 11):
        raise CardError(f"hand: {count(size, 'card')}; allowed: 10 before the draw, 11 after it")
    if taken.bit_count() > 10:
        raise CardError(f"took: {count(taken.bit_count(), 'card')}; allowed: up to 10")
    mask = sum(1 << card for card in order)
    if len(set(order)) != len(order):
        raise CardError("pile: a card is there twice; allowed: each card once")
    for name, first, second in (
        ("hand and pile", cards, mask),
        ("hand and took", cards, taken),
        ("pile and took", mask, taken),
    ):
        if first & second:
            raise CardError(f"{name}: {CardSet(first & second)} is in both; allowed: in one place")
    if shown & ~cards:
        raise CardError(f"showed: {CardSet(shown & ~cards)} is not in the hand; allowed: its cards")
    is_offer = check_flag("upcard", upcard)
    is_passed = check_flag("passed", passed)
    drawn = -1
    if just_took is not None:
        drawn = read_card("just_took", just_took)
        if size != 11 or not cards >> drawn & 1:
            raise CardError(
                f"just_took: {card_name(drawn)} is not one of eleven cards of the hand; allowed: "
                "the card of the hand that was taken"
            )
        shown |= 1 << drawn
    if is_offer and (size != 10 or len(order) != 1 or rules.deal != "upcard"):
        raise OptionError(
            "upcard: it is on offer to ten cards with a pile of one card, in an upcard deal; "
            f"allowed: no, with {count(size, 'card')} and a pile of {len(order)}"
        )
    if size == 10 and not order:
        raise CardError("pile: no card; allowed: at least the top card, before the draw")
    number = check_whole("turn", turn, 1, 60)
    if is_offer:
        check_whole("turn", number, 1, 1, ", since the upcard is on offer")
    side = SIDES.index(check_word("dealer", dealer, SIDES))
    draws = taken.bit_count()
    if pick_ups is not None:
        draws = check_whole("pick_ups", pick_ups, draws, 50, ", those still held at least")
    stock = 52 - size - 10 - len(order)
    is_wall = rules.wall == "fiftieth" and size == 10 and stock == rules.dead_at
    if stock <= rules.dead_at - (size == 11) and not is_wall:
        raise CardError(
            f"pile: {count(len(order), 'card')} leave {stock} in the stock; allowed: a hand that "
            f"is not over, with more than {rules.dead_at}"
        )
    the_card = -1
    if rules.knock_card == "none" and knock_card is not None:
        raise OptionError(refuse("knock_card", knock_card, f"none by {rules.name}"))
    if rules.knock_card != "none":
        if knock_card is None:
            raise OptionError(
                f"knock_card: none given; allowed: a card, which sets the limit by {rules.name}"
            )
        the_card = read_card("knock_card", knock_card)
    return Seen(
        rules=rules,
        hand=cards,
        pile=tuple(order),
        took=taken,
        showed=shown,
        turn=number,
        dealer=side,
        pick_ups=draws,
        limit=core_limit(to_record(rules), the_card),
        knock_card=the_card,
        drawn=drawn,
        is_offer=is_offer,
        is_passed=is_passed,
        is_wall=is_wall,
    )


def _check_player(name: str, spec: AnyStrategy, rules: Rules) -> Strategy:
    if is_python(spec):
        raise OptionError(f"{name}: is written in Python; allowed: a strategy of rules")
    strategy = settle_table(parse_strategy(spec), rules)
    if strategy.rollouts:
        raise OptionError(refuse(name, strategy.name, "a strategy of rules, without play-outs"))
    return strategy


def _tell_seen(seen: Seen) -> dict[str, Any]:
    return {
        "hand": str(CardSet(seen.hand)),
        "pile": " ".join(card_name(card) for card in seen.pile),
        "took": str(CardSet(seen.took)),
        "showed": str(CardSet(seen.showed)),
        "just_took": None if seen.drawn < 0 else card_name(seen.drawn),
        "turn": seen.turn,
        "pick_ups": seen.pick_ups,
        "dealer": SIDES[seen.dealer],
        "upcard": seen.is_offer,
        "passed": seen.is_passed,
        "limit": seen.limit,
        "knock_card": None if seen.knock_card < 0 else card_name(seen.knock_card),
    }


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
