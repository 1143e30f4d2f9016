"""Ranges of parameters, and strategies drawn in them."""

from __future__ import annotations

from random import Random

import pytest

from ginsim.errors import OptionError
from ginsim.ranges import DECLARED, Space, declare_ranges, explain_idle, name_strategy, parse_range
from ginsim.strategies import Strategy, list_strategies, parse_strategy


@pytest.mark.parametrize(
    ("text", "values", "shown"),
    [
        ("knock_at=0:10", tuple(range(11)), "0:10"),
        (" weigh_pairs = 0:60:25 ", (0, 25, 50), "0:50:25"),
        ("knock_at=4:4", (4,), "4:4"),
        ("draw=meld|improve", ("meld", "improve"), "meld|improve"),
        ("knock_after_win=same|0|4", ("same", 0, 4), "same|0|4"),
        ("steps=9|3", (3, 9), "3:9:6"),
        ("knock_at=0|4|10", (0, 4, 10), "0|4|10"),
        ("weigh_pairs=0|60|1", (0, 1, 60), "0|1|60"),
        ("knock_at=3|5|10", (3, 5, 10), "3|5|10"),
        ("knock_at=8|0|4", (0, 4, 8), "0:8:4"),
    ],
)
def test_ranges_are_read(text: str, values: tuple[int | str, ...], shown: str) -> None:
    own = parse_range(text)
    assert (own.values, own.text) == (values, shown)
    assert parse_range(f"{own.field}={shown}") == own


@pytest.mark.parametrize(
    "text",
    [
        *("", "knock_at", "knock_at=", "=0:10", "knock_at=5", "knock_at=9:3", "knock_at=0:10:0"),
        *("knock_at=0:1:2:3", "knock_at=-1:4", "draw=meld|meld", "draw=meld|", "knock_at=a:b"),
    ],
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r"vary: .*knock_at=0:10"):
        parse_range(text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nock_at=0:10"], "did you mean 'knock_at'"),
        (["cheats=no|yes"], "unknown field 'cheats'"),
        (["knock_at=0:12"], "knock_at: 11 is not allowed; allowed: .*10"),
        (["draw=meld|maybe"], "draw: 'maybe' is not allowed"),
        (["take_gain=0:9"], "take_gain: '0' is not allowed"),
        (["knock_at=0:10", "knock_at=0:4"], "knock_at is given twice"),
        (["spread=first|clairvoyant"], "allowed with cheats=yes only"),
        ([], "nothing of greedy has a declared range"),
    ],
)
def test_ranges_that_do_not_fit_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Space(parse_strategy("greedy"), [parse_range(word) for word in words])


def test_turns_are_checked() -> None:
    with pytest.raises(OptionError, match="turns: 17 is not allowed; allowed: whole numbers 2 to"):
        Space(parse_strategy("expert"), [parse_range("take_gain=1:9")], [4, 17])


def test_tables_with_holes_are_refused() -> None:
    start = parse_strategy("expert(knock_table=10/0+2-4)")
    with pytest.raises(OptionError, match=r"10/0\+2-4 cannot be varied"):
        Space(start, [parse_range("knock_table=0:10")])


def test_declared_ranges_can_be_had_and_matter() -> None:
    for name in list_strategies():
        strategy = parse_strategy(name)
        ranges = declare_ranges(strategy)
        assert all(own.text == DECLARED[own.field] for own in ranges)
        if ranges:
            Space(strategy, ranges)
    fields = {own.field for own in declare_ranges(parse_strategy("expert"))}
    # What a strategy by table, gain and weights does not look at is not varied.
    assert {"knock_table", "close_from", "take_gain", "weigh_known"} <= fields
    assert not {"knock_at", "caution"} & fields
    assert [own.field for own in declare_ranges(parse_strategy("greedy"))] == ["knock_at"]
    assert declare_ranges(parse_strategy("simple"))[0].field == "knock_at"
    alone = declare_ranges(parse_strategy("expert"), has_score=False)
    assert fields - {own.field for own in alone} == {"close_from"}
    search = {own.field for own in declare_ranges(parse_strategy("rollout"))}
    assert {"candidates", "caution"} <= search


def test_a_field_matters_if_it_does_for_a_value_that_may_be() -> None:
    greedy = parse_strategy("greedy")
    words = ["weigh_pairs=0:9", "take_gain=1:9", "close_from=0:9", "knock_close=0:9"]
    assert all(explain_idle(parse_range(word).field, greedy) for word in words)
    more = ["discard=least|weighed", "draw=improve|gain", "knock=threshold|table"]
    ranges = [parse_range(word) for word in (*words, *more)]
    assert not any(explain_idle(one.field, greedy, ranges) for one in ranges)
    # What is declared to matter has an effect, with a score and without; and so may have
    # the rules themselves.
    for strategy in map(parse_strategy, list_strategies()):
        for has_score in (True, False):
            for one in declare_ranges(strategy, has_score):
                assert not explain_idle(one.field, strategy, has_score=has_score)
        for field in ("draw", "upcard", "knock", "discard", "spread", "layoff", "rollouts"):
            assert not explain_idle(field, strategy)


def test_fields_by_turn_have_a_gene_for_each_run() -> None:
    start = parse_strategy("expert(weigh_pairs=40*3/24, take_gain=8, knock_table=3*2/none;4/0|5:2)")
    space = Space(start, [parse_range(f"{name}=0:60") for name in ("weigh_pairs",)], [2, 6])
    # Turn 1, 2-3, 4-5 and 6 on.
    assert space.genes == (40, 40, 24, 24)
    assert space.build(space.genes) == start
    assert space.build((1, 2, 3, 4)).weigh_pairs == "1/2*2/3*2/4"
    table = Space(start, [parse_range("knock_table=0:10")])
    assert table.genes == (3, -1, 4, 0, 2)
    assert table.build(table.genes) == start
    assert table.build((1, 2, 3, 4, 5)).knock_table == "1*2/2;3/4|5:5"


def test_genes_that_are_drawn_stay_in_their_ranges_and_reach_all_values() -> None:
    start = parse_strategy("expert(weigh_pairs=40*3/24)")
    words = ["weigh_pairs=0:60:20", "draw=gain|improve|meld", "take_gain=4:6"]
    space = Space(start, [parse_range(word) for word in words])
    assert space.size == 4**2 * 3 * 3
    random = Random(1)
    genes = space.genes
    met: list[set[int | str]] = [set() for _ in genes]
    alone = 0
    for _ in range(2000):
        new = space.draw(genes, 0.1, random)
        # Another strategy each time; that which is outside its range moves into it.
        assert new != genes
        alone += sum(a != b for a, b in zip(new, genes, strict=True)) == 1
        assert space.build(new).draw in ("gain", "improve", "meld")
        for own, value in zip(met, new, strict=True):
            own.add(value)
        genes = new
    assert met[2] == {"gain", "improve", "meld"}
    assert met[0] == {0, 20, 40, 60}
    assert met[1] - {24} == {0, 20, 40, 60}
    assert met[3] - {8} == {4, 5, 6}
    assert 400 < alone < 1600


def test_steps_shrink_with_the_spread() -> None:
    space = Space(parse_strategy("expert(take_gain=50)"), [parse_range("take_gain=1:99")])

    def spread(size: float) -> float:
        random = Random(2)
        steps = [int(space.draw((50,), size, random)[0]) - 50 for _ in range(4000)]
        assert abs(sum(steps) / len(steps)) < 3 * size * 99 / 4000**0.5 + 0.1
        return float((sum(step**2 for step in steps) / len(steps)) ** 0.5)

    # Standard deviations of a tenth and a fiftieth of 99 values; at least one step each.
    assert spread(0.1) == pytest.approx(9.9, rel=0.05)
    assert spread(0.02) == pytest.approx((1.98**2 + 0.2) ** 0.5, rel=0.1)
    assert spread(1e-9) == 1.0


def test_small_spaces_are_listed() -> None:
    words = ["knock_at=0:2", "draw=meld|improve"]
    space = Space(parse_strategy("greedy"), [parse_range(word) for word in words])
    every = space.list_all()
    assert sorted(every) == sorted((k, d) for k in range(3) for d in ("meld", "improve"))
    assert len(every) == space.size


def test_names_make_the_strategy_where_they_can() -> None:
    expert, plain = parse_strategy("expert(take_gain=7)"), parse_strategy("expert").take_gain
    named = name_strategy(expert, {"weigh_pairs": "10/20", "take_gain": plain})
    assert named.name == "expert(weigh_pairs=10/20)"
    assert parse_strategy(named.name) == named
    assert name_strategy(expert, {}).name == expert.name
    # greedy has no parameter for how it draws, and one of one's own none at all.
    assert name_strategy(parse_strategy("greedy"), {"draw": "meld"}).name == "greedy, changed"
    mine = Strategy(name="mine", draw="meld")
    assert name_strategy(mine, {"knock_at": 3}) == Strategy(draw="meld", knock_at=3)
    search = parse_strategy("rollout(16, base=expert)")
    changed = name_strategy(search, {"caution": 3})
    assert changed.values() == {**search.values(), "caution": 3}
