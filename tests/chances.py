"""Chances to knock in the slow twin: the same hand played again with one decision forced."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ginsim import _deck, _knocking
from ginsim._hand import OUTCOMES
from ginsim._setup import Setup
from ginsim.rules import Rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import Strategy
from ginsim.strategies import to_record as strategies_record
from tests import reference

SEATS = (0, 1)


class Waiting(reference.Hand):
    """A hand in which a seat passes its chances before `turn`, and there does as it is told.

    Afterwards it decides for itself again.
    """

    waiting: int
    turn: int
    is_told_to_knock: bool
    chances: list[tuple[int, int, int, int, int, int, bool]]

    def decide_knock(self, seat: int, turn: int, drawn: int | None, allowed: list[int]) -> bool:
        own = super().decide_knock(seat, turn, drawn, allowed)
        if seat != self.waiting:
            return own
        considered = self.considered_discards(seat, drawn, allowed)
        least = min(self.deadwood_without(seat, card) for card in considered)
        if least > self.limit:
            return False
        pick_ups = self.pile_draws[1 - seat]
        mine = self.pile_draws[seat]
        self.chances.append((turn, least, pick_ups, mine, len(self.stock), self.limit, own))
        return own if turn > self.turn else turn == self.turn and self.is_told_to_knock

    def decide_knock_discard(self, seat: int, drawn: int | None, candidates: list[int]) -> int:
        # Of the moves compared a knock is with least deadwood.
        is_told = seat == self.waiting and self.turns[seat] == self.turn and self.is_told_to_knock
        if is_told and self.strategies[seat].discard == "random":
            return self.find_least_discard(seat, candidates)
        return super().decide_knock_discard(seat, drawn, candidates)


def replay(
    rules: Rules,
    pair: Sequence[Strategy],
    seed: int,
    hand: int,
    seat: int,
    turn: int,
    is_told_to_knock: bool,
    ranks: int = 13,
    hand_size: int = 10,
) -> Waiting:
    """Play a hand with the decision of that seat at that turn forced."""
    played: Any = reference.deal_hand(
        rules, pair, seed, hand, hand % 2, ranks=ranks, hand_size=hand_size
    )
    played.__class__ = Waiting
    played.waiting = seat
    played.turn = turn
    played.is_told_to_knock = is_told_to_knock
    played.chances = []
    played.play()
    waiting: Waiting = played
    return waiting


class End(NamedTuple):
    """How a hand ended for a seat: winner and knocker are 0 it, 1 the other, 2 nobody."""

    net: int
    outcome: str
    winner: int
    knocker: int


def end_of(played: reference.Hand, seat: int) -> End:
    record = played.record()

    def side(other: int) -> int:
        return 2 if other < 0 else int(other != seat)

    net = record["net"] if seat == 0 else -record["net"]
    return End(net, record["outcome"], side(record["winner"]), side(record["knocker"]))


class Chance(NamedTuple):
    """A chance of the compiled recorder."""

    hand: int
    cell: tuple[int, int, int, int, int, int]
    is_on_policy: bool
    knocks: bool
    knock: tuple[int, str, int]
    play: End


def make_setup(
    rules: Rules, pair: Sequence[Strategy], seed: int, ranks: int = 13, hand_size: int = 10
) -> Setup:
    return Setup(
        rules_record(rules),
        strategies_record(pair),
        _deck.make_key(seed),
        False,
        ranks,
        hand_size,
    )


def recorded(setup: Setup, hands: int, seat: int, is_replayed: bool) -> list[Chance]:
    """The chances of the first hands of a setup."""
    ends = np.zeros((len(_knocking.END_COLUMNS), hands), np.int32)
    room = hands * 32 + _knocking.ROOM
    small = np.zeros((len(_knocking.BYTE_COLUMNS), room), np.int8)
    nets = np.zeros((2, room), np.int32)
    done, rows = _knocking.fill_chances(setup, 0, hands, seat, is_replayed, ends, small, nets)
    assert done == hands
    of_hand = np.repeat(np.arange(hands), ends[0])
    columns = dict(zip(_knocking.BYTE_COLUMNS, small[:, :rows].tolist(), strict=True))
    knock_nets, play_nets = nets[:, :rows].tolist()
    return [
        Chance(
            int(of_hand[i]),
            tuple(columns[key][i] for key in _knocking.KEYS),
            bool(columns["on_policy"][i]),
            bool(columns["knocks"][i]),
            (knock_nets[i], OUTCOMES[columns["knock_outcome"][i]], columns["knock_winner"][i]),
            End(
                play_nets[i],
                OUTCOMES[columns["play_outcome"][i]],
                columns["play_winner"][i],
                columns["play_knocker"][i],
            ),
        )
        for i in range(rows)
    ]


def check_chance(
    rules: Rules,
    pair: Sequence[Strategy],
    seed: int,
    seat: int,
    chance: Chance,
    ranks: int = 13,
    hand_size: int = 10,
) -> None:
    """Assert that the twin finds the chance, and both ends of it."""
    turn = chance.cell[0]
    branches = [
        replay(rules, pair, seed, chance.hand, seat, turn, told, ranks, hand_size)
        for told in (True, False)
    ]
    where = f"{rules.name}, {[each.name for each in pair]}, seed {seed}, seat {seat}, {chance}"
    for branch in branches:
        seen = {each[0]: each for each in branch.chances}[turn]
        assert seen == (*chance.cell, chance.knocks), where
        earlier = [each[6] for each in branch.chances if each[0] < turn]
        assert chance.is_on_policy == (not any(earlier)), where
    knock, play = (end_of(branch, seat) for branch in branches)
    assert chance.knock == (knock.net, knock.outcome, knock.winner), where
    assert knock.knocker == 0, where
    assert chance.play == play, where


def check_random_chances(
    rng: random.Random,
    rules: Rules,
    pair: Sequence[Strategy],
    count: int,
    hands: int = 200,
    ranks: int = 13,
    hand_size: int = 10,
) -> int:
    """Check up to `count` chances of some hands; returns how many."""
    seed, seat = rng.randrange(2**32), rng.choice(SEATS)
    setup = make_setup(rules, pair, seed, ranks, hand_size)
    is_replayed = not _knocking.may_stop(rules_record(rules), strategies_record(pair), seat)
    chances = recorded(setup, hands, seat, is_replayed or rng.random() < 0.5)
    chosen = rng.sample(chances, min(count, len(chances)))
    for chance in chosen:
        check_chance(rules, pair, seed, seat, chance, ranks, hand_size)
    return len(chosen)
