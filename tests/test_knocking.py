"""Chances to knock: both moves at each are what the hand, played again by the twin, brings."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from ginsim import _deck, _knocking, _position
from ginsim._setup import Setup
from ginsim.rules import load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import Strategy, parse_strategy
from ginsim.strategies import to_record as strategies_record
from tests import chances, twin


def change(strategy: Strategy, **fields: Any) -> Strategy:
    """The strategy with other values of some fields."""
    return Strategy(**{**strategy.values(), "name": f"changed {strategy.name}", **fields})


PLAYERS = [parse_strategy(name) for name in twin.STRATEGIES] + list(twin.MIXTURES)
TABLE = "expert(upcard=improve, draw=improve, discard=least, knock_table=2*2/6/3-5/none/0+8/4)"
#: Players whose draws do not read their knock rule.
STOPPING = [
    parse_strategy(name) for name in ("greedy", "greedy(4)", "greedy(0)", "simple", TABLE, "random")
]
STOPPING[-1] = change(STOPPING[-1], discard="least")


def test_a_thousand_random_chances_are_as_the_twin_replays_them() -> None:
    rng = random.Random(8)
    named = [rules for rules in twin.named_rules() if rules.players == 2]
    count = 0
    for turn in itertools.count():
        if count >= 1000:
            break
        rules = named[turn % len(named)] if turn % 3 else twin.random_rules(rng)
        pair = (rng.choice(PLAYERS), rng.choice(PLAYERS))
        count += chances.check_random_chances(rng, rules, pair, 5, hands=20)


def test_chances_at_the_wall_and_of_short_decks() -> None:
    """Hands that come to the last discard are rare unless made so."""
    rng = random.Random(9)
    rules = load_rules("openspiel").replace(dead_at=14, knock_limit=10)
    at_wall = 0
    for pair in itertools.product(STOPPING[:5], STOPPING[:3]):
        setup = chances.make_setup(rules, pair, 5)
        for is_replayed in (False, True):
            for chance in chances.recorded(setup, 60, 0, is_replayed):
                if chance.cell[4] == 14:
                    at_wall += 1
                    chances.check_chance(rules, pair, 5, 0, chance)
    assert at_wall >= 60
    for ranks, hand_size in ((7, 5), (9, 10)):
        for _ in range(15):
            pair = (rng.choice(PLAYERS[1:7]), rng.choice(PLAYERS[1:7]))
            chances.check_random_chances(rng, load_rules("modern"), pair, 4, 30, ranks, hand_size)


@pytest.mark.parametrize("rules_name", ["kawu", "hollywood", "openspiel", "casual", "oklahoma"])
def test_stopping_and_replay_agree(rules_name: str) -> None:
    """Where draws and discards do not read the knock rule both ways see the same."""
    rules = load_rules(rules_name)
    for number, (policy, opponent) in enumerate(itertools.product(STOPPING, PLAYERS[1:8:2])):
        if policy.draw == "random" and rules.wall == "fiftieth":
            continue  # by a coin it takes the last discard, knock or not
        seat = number % 2
        pair = (policy, opponent) if seat == 0 else (opponent, policy)
        assert _knocking.may_stop(rules_record(rules), strategies_record(pair), seat)
        setup = chances.make_setup(rules, pair, 3)
        stopped = chances.recorded(setup, 300, seat, False)
        assert stopped == chances.recorded(setup, 300, seat, True)
        assert len(stopped) > 100


@pytest.mark.parametrize("player", ["expert", "greedy", "rollout(2)", "random"])
def test_who_reads_the_knock_rule_is_replayed(player: str) -> None:
    strategy = parse_strategy(player)
    if player == "greedy":
        strategy = change(strategy, draw="gain")
    records = strategies_record((strategy, parse_strategy("greedy")))
    rules = rules_record(load_rules("kawu"))
    assert not _knocking.may_stop(rules, records, 0)
    assert _knocking.may_stop(rules, records, 1)


def test_stopping_would_be_wrong_for_a_draw_that_reads_the_knock_rule() -> None:
    """Why the rule is there: expert takes a card to knock with, and waits otherwise."""
    pair = (parse_strategy("expert"), parse_strategy("greedy"))
    # Here expert would knock with everything, so that after passing it draws otherwise.
    pair = (change(pair[0], knock_table="10"), pair[1])
    setup = chances.make_setup(load_rules("kawu"), pair, 3)
    never = change(pair[0], knock_table="none")
    waiting = chances.make_setup(load_rules("kawu"), (never, pair[1]), 3)
    path = {(c.hand, c.cell) for c in chances.recorded(setup, 2000, 0, True)}
    other = {(c.hand, c.cell) for c in chances.recorded(waiting, 2000, 0, True)}
    assert path != other


def test_searches_have_chances_too() -> None:
    """Of a search the hand is played on by the search; the twin has none, so both ways of looking
    at the first chance are compared with the hand that is played by itself."""
    rules = load_rules("kawu")
    pair = (parse_strategy("rollout(3)"), parse_strategy("greedy"))
    setup = chances.make_setup(rules, pair, 4)
    found = chances.recorded(setup, 25, 0, True)
    assert found
    nets = {}
    for hand in range(25):
        position = _position.Hand.start(setup, hand)
        while position.phase != "over":
            position.apply(position.decide(strategies_record(pair)))
        assert position.result is not None
        nets[hand] = position.result["net"]
    for chance in found:
        if chance.is_on_policy and not chance.knocks:
            assert chance.play.net == nets[chance.hand]


def bits(*values: int) -> list[bool]:
    return [bool(value) for value in values]


def sums_of(found: list[chances.Chance]) -> dict[tuple[int, int], list[int]]:
    """By plain counting: chances, on policy, deals, and the sums of the figures by cell."""
    cells: dict[tuple[int, int], dict[int, list[chances.Chance]]] = {}
    for chance in found:
        key = (min(chance.cell[0], 16), chance.cell[1])
        cells.setdefault(key, {}).setdefault(chance.hand, []).append(chance)

    def figures(chance: chances.Chance) -> list[int]:
        return [
            chance.knock[0],
            chance.play.net,
            chance.knock[0] - chance.play.net,
            int("undercut" in chance.knock[1]),
            int(chance.play.knocker == 1),
            int(chance.play.knocker == 0 and "gin" in chance.play.outcome),
        ]

    table = {}
    for key, deals in cells.items():
        rows = [[figures(chance) for chance in deal] for deal in deals.values()]
        numbers = [len(deal) for deal in rows]
        totals = [[sum(column) for column in zip(*deal, strict=True)] for deal in rows]
        line = [
            sum(numbers),
            sum(chance.is_on_policy for deal in deals.values() for chance in deal),
            len(deals),
            sum(number**2 for number in numbers),
        ]
        for place in range(6):
            values = [total[place] for total in totals]
            line += [
                sum(values),
                sum(value**2 for value in values),
                sum(value * number for value, number in zip(values, numbers, strict=True)),
            ]
        table[key] = line
    return table


def test_sums_are_those_of_the_chances() -> None:
    rules = load_rules("casual")
    pair = (parse_strategy("greedy(3)"), parse_strategy("simple"))
    setup = chances.make_setup(rules, pair, 11)
    expected = sums_of(chances.recorded(setup, 2000, 0, False))
    bounds = [(0, size - 1) for size in _knocking.KEY_SIZES]
    sums = np.zeros((16 * 11, len(_knocking.SUMS)), np.int64)
    for first in (0, 700):
        count = 700 if first == 0 else 1300
        _knocking.fill_cells(setup, first, count, 0, False, bounds, bits(1, 1, 0, 0, 0, 0), sums)
    found = {
        (cell // 11 + 1, cell % 11): line for cell, line in enumerate(sums.tolist()) if line[0]
    }
    assert found == expected
    assert any(key[0] == 16 and line[0] > line[2] for key, line in found.items())


def test_bounds_and_keys_select() -> None:
    rules = load_rules("oklahoma")
    pair = (parse_strategy("greedy(3)"), parse_strategy("greedy"))
    setup = chances.make_setup(rules, pair, 11)
    found = chances.recorded(setup, 3000, 1, False)
    bounds = [(2, 7), (0, 4), (1, 3), (0, 3), (0, 26), (0, 10)]
    sums = np.zeros((4 * 11, len(_knocking.SUMS)), np.int64)
    _knocking.fill_cells(setup, 0, 3000, 1, False, bounds, bits(0, 0, 1, 0, 0, 1), sums)
    expected = np.zeros((4, 11), np.int64)
    for chance in found:
        turn, deadwood, pick_ups, _, stock, limit = chance.cell
        if 3 <= turn <= 8 and deadwood <= 4 and pick_ups >= 1 and stock <= 26:
            expected[min(pick_ups, 3), limit] += 1
    assert expected.sum() > 100
    assert (sums[:, 0].reshape(4, 11) == expected).all()


def test_no_decision_at_a_chance_depends_on_hidden_cards() -> None:
    """Cell, the policy's answer and both cards stay the same if hidden cards are shuffled."""
    rng = random.Random(12)
    named = [rules for rules in twin.named_rules() if rules.players == 2]
    players = [*PLAYERS, parse_strategy("rollout(2)")]
    seen = 0
    while seen < 20_000:
        rules = rng.choice(named)
        if rng.random() < 0.2:
            rules = load_rules("modern").replace(wall="fiftieth", dead_at=20)
        pair = (rng.choice(players), rng.choice(players))
        setup = chances.make_setup(rules, pair, rng.randrange(2**32))
        for index in range(3):
            seen += shuffle_chances(rng, setup, pair, index)


def shuffle_chances(
    rng: random.Random, setup: Setup, pair: tuple[Strategy, Strategy], index: int
) -> int:
    """Play a hand in which both seats wait; returns at how many chances cards were shuffled.

    So positions are come to in which a policy passed what it would not pass by itself. There each
    other decision is asked again too, and at each chance the spread after a knock.
    """
    hand = _position.Hand.start(setup, index)
    seen = 0
    records = strategies_record(pair)
    while hand.phase != "over":
        unknown, stock = hand.hidden()
        cards = unknown + stock
        rng.shuffle(cards)
        other = hand.with_hidden(cards)
        chance = _knocking.look_at_chance(hand, setup)
        assert _knocking.look_at_chance(other, setup) == chance
        if chance is None:
            action = hand.decide(records)
            if hand.phase != "spread" or pair[hand.seat].cheats == "no":
                assert other.decide(records) == action
            hand.apply(action)
            continue
        seen += 1
        at_wall, card_to_knock, card = chance[6], chance[8], chance[9]
        spreads = []
        for each in (hand.copy(), other):
            if at_wall:
                each.apply(("draw_pile",))
            spreads.append(each.apply(("knock", card_to_knock)).decide(records))
        assert spreads[0] == spreads[1] or pair[hand.seat].cheats == "yes"
        hand.apply(("decline",) if at_wall else ("discard", card))
    return seen


# ---------------------------------------------------------------- knock tables on paths


def path_value(path: list[tuple[int, int]], end: int, table: list[int]) -> int:
    """By the definition: the first knock that the table makes, or the end."""
    return next((value for cell, value in path if table[cell]), end)


def test_flips_bring_what_they_bring() -> None:
    rng = random.Random(13)
    for _ in range(40):
        cells = 8
        paths = [
            [(rng.randrange(cells), rng.randint(-30, 30)) for _ in range(rng.randrange(6))]
            for _ in range(50)
        ]
        ends = [rng.randint(-40, 40) for _ in paths]
        table = [rng.randrange(2) for _ in range(cells)]
        arrays = (
            np.array([len(path) for path in paths], np.int32),
            np.array([cell for path in paths for cell, _ in path], np.int16),
            np.array([value for path in paths for _, value in path], np.int64),
            np.array(ends, np.int64),
            np.array(table, np.uint8),
        )
        out = np.zeros((cells, 3), np.int64)
        total = _knocking.flip_gains(*arrays, out)
        values = [path_value(path, end, table) for path, end in zip(paths, ends, strict=True)]
        assert total == sum(values)
        found = np.zeros(len(paths), np.int64)
        _knocking.path_values(*arrays, found)
        assert found.tolist() == values
        for cell in range(cells):
            flipped = [bit ^ (place == cell) for place, bit in enumerate(table)]
            gains = [
                path_value(path, end, flipped) - value
                for path, end, value in zip(paths, ends, values, strict=True)
            ]
            assert out[cell, 1] == sum(gains)
            assert out[cell, 2] == sum(gain**2 for gain in gains)


def test_arguments_are_checked() -> None:
    pair = (parse_strategy("greedy"), parse_strategy("greedy"))
    setup = chances.make_setup(load_rules("kawu"), pair, 1)
    bounds = [(0, size - 1) for size in _knocking.KEY_SIZES]
    sums = np.zeros((176, len(_knocking.SUMS)), np.int64)
    by = bits(1, 1, 0, 0, 0, 0)
    with pytest.raises(ValueError, match="row for each cell"):
        _knocking.fill_cells(setup, 0, 1, 0, False, bounds, bits(1, 0, 0, 0, 0, 0), sums)
    with pytest.raises(ValueError, match="bounds of turn"):
        _knocking.fill_cells(setup, 0, 1, 0, False, [(0, 16), *bounds[1:]], by, sums)
    with pytest.raises(ValueError, match="seat"):
        _knocking.fill_cells(setup, 0, 1, 2, False, bounds, by, sums)
    assert _deck.STREAM_VERSION
