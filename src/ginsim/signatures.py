"""One number over every action and result of fixed hands and games.

The parts are every rule set, some compositions, and pairs of strategies that use every rule of a
decision. A change made for speed must leave the number as it is; a change of play must change it,
and is recorded on purpose (`python -m tests.record_signature`).
"""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.batches import Progress
from ginsim.decision_frames import decisions
from ginsim.games import simulate_game_hands, simulate_games
from ginsim.rules import Rules, list_rulesets, load_rules
from ginsim.simulation import simulate
from ginsim.strategies import Strategy

if TYPE_CHECKING:
    import pandas as pd

SEED = 20_240_229
HANDS = 1000
DECISIONS = 100
GAMES = 40

#: Beside the rule sets: what none of them has.
COMPOSITIONS = (
    "kawu+oklahoma+ace-gin+spades",
    "kawu+big-gin+hollywood",
    "casual(knock_limit=4, layoffs=false, tie=knocker, deal=eleven)",
    "openspiel(big_gin_bonus=31, max_pile_draws=6, give_back_limit=1, target=60)",
    "hollywood(spade_doubles=all, tie=nobody, shutout_shift=false, next_dealer=winner)",
)

#: South and north; together they use every rule of every decision.
PAIRS: tuple[tuple[str | Strategy, str | Strategy], ...] = (
    ("greedy", "greedy"),
    ("simple", "greedy(knock_at=4, layoff=greedy)"),
    ("random", "greedy(knock_at=0, layoff=none)"),
    (
        Strategy(name="mixed", upcard="meld", draw="random", discard="uniform", layoff="random"),
        Strategy(name="other", big_gin="random", knock="random", spread="uniform"),
    ),
    (
        "expert",
        Strategy(
            name="weighing",
            upcard="always",
            draw="gain",
            take_gain="9/5",
            discard="weighed",
            keep_pairs=2,
            weigh_deadwood="4*3/6",
            weigh_rank="0/3*2/7",
            weigh_pairs="9*4/5",
            weigh_runs="8*4/3",
            weigh_unseen="3/2/1",
            weigh_known="9",
            knock="table",
            knock_table="10*2/0+2-7/none/4-8;6/3|5:5/2-3/4",
        ),
    ),
    (
        Strategy(
            name="never", upcard="never", draw="never", knock_at=6, spread="first", layoff="greedy"
        ),
        Strategy(
            name="always",
            upcard="gain",
            draw="always",
            knock="table",
            close_from=40,
            knock_close="10/6",
            guard_from=30,
            knock_guard="3*4/9",
            spread="expected",
        ),
    ),
    (
        Strategy(name="cheat", spread="clairvoyant", cheats="yes"),
        "expert_classic",
    ),
    # Knock tables that come with the package, one of them by knock limit.
    ("table(rules=oklahoma)", "table(rules=kawu, layoff=none)"),
)

#: A search is slow: a few hands of it.
SEARCH = (
    "rollout(8, opponent=simple)",
    "rollout(4, simple, greedy, candidates=2, steps=0, caution=0)",
)
SEARCHED = 30

#: Of a partnership: A, B, C and D, who look at their partners' results.
FOUR = (
    "greedy(knock_after_win=2, win_from=12, knock_after_loss=4)",
    "simple",
    "greedy(knock_at=6, knock_after_loss=10, loss_from=5)",
    "random",
)


@dataclass(frozen=True)
class Signature:
    """The number and what it is made of.

    Attributes:
        number: 16 hexadecimal digits, over all parts.
        parts: a digest of 16 digits for each part, by its name.
    """

    number: str
    parts: dict[str, str]

    def find_differences(self, other: Signature) -> list[str]:
        """The names of the parts in which the two differ, or that one of them lacks."""
        names = [*self.parts, *(name for name in other.parts if name not in self.parts)]
        return [name for name in names if self.parts.get(name) != other.parts.get(name)]


def signature(*, threads: int | None = None, progress: Progress | None = None) -> Signature:
    """Play the fixed hands and games and put all their actions and results into one number.

    Args:
        threads, progress: as for `simulate`; the number does not depend on them.
    """
    parts: dict[str, str] = {}
    tasks = list(_tasks())
    for number, (name, rules, players) in enumerate(tasks):
        for kind, frame in _frames(rules, players, threads):
            parts[f"{kind}, {name}"] = digest_frame(frame)
        if progress is not None:
            progress(number + 1, len(tasks))
    for spec in ("eaai", "openspiel"):
        frame = simulate(spec, SEARCH, SEARCHED, seed=SEED, threads=threads)
        parts[f"hands, {spec}, {' and '.join(SEARCH)}"] = digest_frame(frame)
    return Signature(combine_digests(parts), parts)


def read_signature() -> Signature:
    """The signature recorded for this version."""
    text = importlib.resources.files("ginsim").joinpath("signature.json").read_text("utf-8")
    return Signature(**json.loads(text))


def combine_digests(parts: dict[str, str]) -> str:
    """The number of these parts, in their order."""
    text = "\n".join(f"{name}: {value}" for name, value in parts.items())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_frame(frame: pd.DataFrame) -> str:
    """The first 16 digits of the SHA-256 of a frame: names of columns and values.

    Values are taken as 64-bit little-endian integers, categories as their codes, so that the
    digest is the same on any machine and for any width of the columns.
    """
    hashed = hashlib.sha256()
    for name, column in frame.items():
        values = column.cat.codes if column.dtype == "category" else column
        hashed.update(str(name).encode())
        hashed.update(values.to_numpy().astype(np.int64).astype("<i8").tobytes())
    return hashed.hexdigest()[:16]


def _tasks() -> Iterator[tuple[str, Rules, Any]]:
    """(name, rules, strategies) of every part."""
    for spec in (*list_rulesets(), *COMPOSITIONS):
        rules = load_rules(spec)
        if rules.players == 4:
            yield spec, rules, FOUR
            continue
        for south, north in PAIRS:
            names = (s if isinstance(s, str) else s.name for s in (south, north))
            yield f"{spec}, {' and '.join(names)}", rules, (south, north)


def _frames(rules: Rules, players: Any, threads: int | None) -> Iterator[tuple[str, pd.DataFrame]]:
    options: dict[str, Any] = {"seed": SEED, "threads": threads}
    if rules.players == 2:
        yield "hands", simulate(rules, players, HANDS, mirror=True, **options)
        yield "decisions", decisions(rules, players, DECISIONS, **options)
    # Unfinished games are as good as others, and who knocks by chance may need very many hands.
    yield "games", simulate_games(rules, players, GAMES, max_hands=60, **options)
    yield "hands of games", simulate_game_hands(rules, players, 4, max_hands=60, **options)
