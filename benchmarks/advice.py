"""Printed advice, measured: the tables of docs/knock-timing.md.

    python -m benchmarks.advice               # all of them, ten minutes on two cores
    python -m benchmarks.advice ten one       # some of them
    python -m benchmarks.advice --hands 20000 pairs

Each figure is a difference in points a hand between two ways to play on the same deals, with half
its 95 % interval. A figure that is not told apart from nothing, by Holm's adjustment at 5 % over
its whole table, stands in brackets; a dash stands where fewer than 200 hands were met. Deals are
those of one seed, so that the figures come out the same anywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ginsim import Strategy, estimate, knock_timing, parse_strategy, simulate
from ginsim.decision_frames import decisions
from ginsim.figures import adjust

SEED = 20_261_130
RULES = ("casual", "modern", "classic", "kawu", "hollywood", "oklahoma", "openspiel", "pagat")
OPPONENTS = ("simple", "greedy", "expert")
#: Who has the chances: he plays on by the table that was solved for the rules.
POLICY = "table"
#: Own turns, together.
TURNS = {"1–4": (1, 4), "5–8": (5, 8), "9+": (9, 16)}
#: Hands of each figure.
HANDS = 200_000


class Figure(NamedTuple):
    """A difference, half its interval, its p-value; nan for what is not known."""

    value: float
    half: float
    p: float


Cell = Callable[[str, str, int], list[Figure]]


class Item(NamedTuple):
    """A table: what it asks, the heads of its columns, and the figures of rules and opponent."""

    question: str
    heads: tuple[str, ...]
    measure: Cell


def knock_item(question: str, **where: Any) -> Item:
    """What a knock brings more than playing on, by the turns in which it is."""

    def measure(rules: str, opponent: str, hands: int) -> list[Figure]:
        return [
            read_timing(rules, opponent, hands, turn=turns, **where) for turns in TURNS.values()
        ]

    return Item(question, tuple(f"turns {name}" for name in TURNS), measure)


def read_timing(rules: str, opponent: str, hands: int, **where: Any) -> Figure:
    frame = knock_timing(rules, POLICY, opponent, hands, by=(), seed=SEED, **where)
    if frame.empty or frame["deals"][0] < 200:
        return Figure(np.nan, np.nan, np.nan)
    row: Any = next(frame.itertuples())
    return Figure(row.gain, (row.high - row.low) / 2, row.p)


def own_pick_ups(rules: str, opponent: str, hands: int) -> list[Figure]:
    """The same by how many cards one has taken oneself, in the middle of the hand."""
    return [
        read_timing(rules, opponent, hands, turn=(4, 8), deadwood=(4, 10), own_pick_ups=number)
        for number in range(4)
    ]


def ways_item(question: str, ways: dict[str, str], usual: str = "expert") -> Item:
    """What other parameters of a player bring more than its own, in points a hand."""

    def measure(rules: str, opponent: str, hands: int) -> list[Figure]:
        base = simulate(rules, (usual, opponent), hands, seed=SEED)
        return [compare(base, rules, way, opponent, hands) for way in ways.values()]

    return Item(question, tuple(ways), measure)


def compare(base: Any, rules: str, way: str, opponent: str, hands: int) -> Figure:
    frame = simulate(rules, (way, opponent), hands, seed=SEED)
    row: Any = next(estimate(frame, mean="net", paired=base).itertuples())
    return Figure(row.value, (row.high - row.low) / 2, row.p)


def safety(rules: str, opponent: str, hands: int) -> list[Figure]:
    """How much more often he takes a card of some ranks than one from three to jack, in percent.

    The cards are thrown by lot, so that it does not matter which one would throw.
    """
    lot = Strategy(name="by lot", **{**_greedy(), "discard": "random", "knock_at": 0})
    frame = decisions(rules, (lot, opponent), hands // 10, kinds=["draw"], seed=SEED)
    frame = frame[(frame["seat"] == "north") & frame["top"].notna()]
    rank = frame["top"].cat.codes.to_numpy() % 13
    middle = (rank >= 2) & (rank <= 10)
    figures = []
    for ranks in ((0, 12), (1, 11), (0,), (12,)):
        chosen = np.isin(rank, ranks)
        part = frame[chosen | middle]
        table = estimate(
            part, share="action == draw_pile", paired=chosen[chosen | middle], cluster="deal"
        )
        row: Any = next(table.itertuples())
        figures.append(Figure(100 * row.value, 50 * (row.high - row.low), row.p))
    return figures


def gift(rules: str, opponent: str, hands: int) -> list[Figure]:
    """By how many pips his deadwood falls more, in the turn in which he is offered a card.

    More than if that is a card from three to jack, taken or not: with a king or an ace of which he
    holds two, and with any. The cards are thrown by lot.
    """
    lot = Strategy(name="by lot", **{**_greedy(), "discard": "random", "knock_at": 0})
    frame = decisions(rules, (lot, opponent), hands // 10, kinds=["draw", "discard"], seed=SEED)
    frame = frame[frame["seat"] == "north"]
    ends = frame[frame["kind"] == "discard"][["hand", "turn", "deadwood_after"]]
    frame = frame[(frame["kind"] == "draw") & frame["top"].notna()]
    frame = frame.drop(columns="deadwood_after").merge(ends, on=["hand", "turn"])
    frame["fall"] = frame["deadwood_before"] - frame["deadwood_after"]
    rank = frame["top"].cat.codes.to_numpy() % 13
    held = frame["hand_cards"].to_numpy()
    same = sum((held >> (rank + 13 * suit).astype(np.uint64) & np.uint64(1)) for suit in range(4))
    middle = (rank >= 2) & (rank <= 10)
    figures = []
    for chosen in (*((rank == one) & (same == 2) for one in (12, 0)), rank == 12, rank == 0):
        table = estimate(
            frame[chosen | middle], mean="fall", paired=chosen[chosen | middle], cluster="deal"
        )
        row: Any = next(table.itertuples())
        figures.append(Figure(row.value, (row.high - row.low) / 2, row.p))
    return figures


def _greedy() -> dict[str, Any]:
    return dict(parse_strategy("greedy").values())


#: A knock table of the hand as long as it goes on: what changes is what is thrown.
ITEMS = {
    "ten": knock_item("With 10, consider a knock, carefully", deadwood=10),
    "six": knock_item("With 6 to 8, knock", deadwood=(6, 8)),
    "three": knock_item("With 1 to 3, wait", deadwood=(1, 3)),
    "one": knock_item("With 1, go for gin", deadwood=1),
    "taken": Item(
        "After several cards taken by oneself, knock soon (turns 4 to 8, deadwood 4 to 10)",
        ("none", "1", "2", "3 and more"),
        own_pick_ups,
    ),
    "rounds": ways_item(
        "Keep what one or two cards would complete for some rounds, then let go",
        {
            "never": "expert(weigh_pairs=0, weigh_runs=0)",
            "2 turns": "expert(weigh_pairs=40*2/0, weigh_runs=32*2/0)",
            "4 turns": "expert(weigh_pairs=40*3/24/0, weigh_runs=32*3/26/0)",
            "6 turns": "expert(weigh_pairs=40*3/24*3/0, weigh_runs=32*3/26*3/0)",
            "undiminished": "expert(weigh_pairs=40, weigh_runs=32)",
        },
    ),
    "pairs": ways_item(
        "Keep pairs, as of kings, whatever else there is, up to a turn",
        {f"{turns} turns": f"expert(keep_pairs={turns})" for turns in (2, 4, 6, 10)},
    ),
    "high": ways_item(
        "High cards first, or not",
        {
            "pips do not count": "expert(weigh_deadwood=0)",
            "half as much": "expert(weigh_deadwood=4*6/5)",
            "twice as much": "expert(weigh_deadwood=14*6/20)",
            "ranks too": "expert(weigh_rank=10)",
            "nothing but pips": "expert(discard=least)",
        },
    ),
    "ends": Item(
        "Ends of runs are safer: how much more often, in percent of discards, he takes them than "
        "a card from three to jack",
        ("A, K", "2, Q", "A", "K"),
        safety,
    ),
    "third": Item(
        "A third king lowers his count by 20, a third ace by 2: by how many pips it falls more in "
        "that turn than with a card from three to jack",
        ("third K", "third A", "any K", "any A"),
        gift,
    ),
}


def make_table(item: Item, hands: int, rules: Sequence[str] = RULES) -> str:
    """The table as the page has it: a row for each rule set and opponent."""
    rows = [
        (each, opponent, item.measure(each, opponent, hands))
        for each in rules
        for opponent in OPPONENTS
    ]
    p_holm = iter(adjust(np.array([figure.p for _, _, line in rows for figure in line])))
    lines = [
        "| rules | opponent | " + " | ".join(item.heads) + " |",
        "|---|---|" + "---|" * len(item.heads),
    ]
    for each, opponent, line in rows:
        cells = [write_figure(figure, next(p_holm)) for figure in line]
        lines.append(f"| `{each}` | `{opponent}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write_figure(figure: Figure, p_holm: float) -> str:
    if np.isnan(figure.value):
        return "–"
    text = f"{figure.value:+.2f} ± {figure.half:.2f}"
    return text if p_holm < 0.05 else f"({text})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("items", nargs="*", choices=[*ITEMS, []], help="by default all")
    parser.add_argument("--hands", type=int, default=HANDS, help="of each figure")
    chosen = parser.parse_args(arguments)
    for name in chosen.items or ITEMS:
        print(f"{name}: {ITEMS[name].question}\n")
        print(make_table(ITEMS[name], chosen.hands) + "\n", flush=True)


if __name__ == "__main__":
    main()
