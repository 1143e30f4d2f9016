"""Two players on the same cards: who is stronger, and how surely that is known.

>>> result = duel("greedy(knock_at=4)", "simple", "kawu", 2000, seed=1)
>>> result.verdict
'A stronger'
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, SupportsIndex

import pandas as pd

from ginsim.batches import Progress
from ginsim.checks import check_flag, check_whole, check_word
from ginsim.duel_sums import (
    GAME_MEASURES,
    HAND_MEASURES,
    RULE,
    SHARES,
    DuelSums,
    Look,
    Rule,
    count_games_needed,
    estimate_duel,
    follow_rule,
    judge,
)
from ginsim.errors import OptionError, refuse
from ginsim.games import simulate_games
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.simulation import simulate
from ginsim.strategies import AnyStrategy, Strategy, parse_player
from ginsim.tasks import MAX_INDEX

if TYPE_CHECKING:
    from ginsim.players import PythonStrategy

#: How many games, if nothing is said, and after how many a duel ends in any case.
GAMES = 10_000
MAX_GAMES = 10_000_000
#: Games, and hands, that are held in memory at once; even, so that no pair is split.
BLOCK = {"games": 65_536, "hands": 524_288}


@dataclass(frozen=True, eq=False)
class Duel:
    """What a duel showed.

    Attributes:
        a: one player.
        b: the other.
        rules: the rules.
        unit: what was played, `games` or `hands`.
        count: how many; half as many deals.
        measure: the figure that decides.
        verdict: `A stronger`, `B stronger` or `not told apart`, by the interval of that figure.
        table: a row for each figure with the columns measure, count, clusters (deals), value,
            se, low, high; the intervals hold with 95 % each, also after stopping.
        games_needed: how many mirrored games (or hands) tell the players apart with a power of
            80 %, if the figure that decides is the truth; infinite if they are equal.
        precision: half the width wanted for the interval of that figure; None for a fixed size.
        looks: a row for each look with the columns of `Look`; empty for a fixed size.
        is_reached: whether the precision was reached; None for a fixed size.
        sums: the integer sums from which all figures are.
        provenance: what reproduces the result.
    """

    a: Strategy | PythonStrategy
    b: Strategy | PythonStrategy
    rules: Rules
    unit: str
    count: int
    measure: str
    verdict: str
    table: pd.DataFrame
    games_needed: float
    precision: float | None
    looks: pd.DataFrame
    is_reached: bool | None
    sums: DuelSums
    provenance: dict[str, Any]


def duel(
    a: AnyStrategy,
    b: AnyStrategy,
    rules: AnyRules,
    games: SupportsIndex | None = None,
    *,
    hands: SupportsIndex | None = None,
    precision: float | None = None,
    measure: str | None = None,
    max_games: SupportsIndex | None = None,
    early: bool = False,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> Duel:
    """Let two players play each deal twice, the second time with the seats' cards changed.

    Args:
        a, b: their strategies; in a partnership a plays as the pair A and B, b as C and D.
        rules: as for `simulate_games`.
        games: how many games, an even number; 10,000 if nothing else is said.
        hands: how many single hands instead; with `precision`, at most so many.
        precision: play until the interval of `measure` is no wider than its value plus or minus
            this, by a rule that keeps its 95 % (docs/duels.md).
        measure: the figure that decides: the share of `games` or of `hands` won, `points` a
            hand, `margin` (of scores) a game, or in Hollywood `boxes` a game. By default `games`,
            with `hands` the share of these.
        max_games: with `precision`, how many games at most; 10,000,000 if nothing is said.
        early: with `precision`, end also as soon as the interval tells the players apart.
        seed, threads, progress: as for `simulate`.
        first: index of the first game or hand, an even number.

    Returns:
        A `Duel`; the same for any number of threads.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    plan = plan_duel(
        a,
        b,
        rules,
        games,
        hands=hands,
        precision=precision,
        measure=measure,
        max_games=max_games,
        early=early,
        first=first,
    )
    # Nothing is played: the other arguments are checked, and the seed is drawn.
    play: Any = simulate_games if plan.unit == "games" else simulate
    options: dict[str, Any] = {"seed": seed, "threads": threads, "mirror": True}
    empty = play(plan.rules, plan.players, 0, first=plan.first, **options)
    provenance = dict(empty.attrs["provenance"])
    options["seed"] = provenance["seed"]
    players = (plan.rules, plan.players)

    def add_up(stop_at: Sequence[int]) -> Iterator[DuelSums]:
        """The sums of all rows up to each of these numbers."""
        sums: DuelSums | None = None
        for before, after in pairwise((0, *stop_at)):
            for low in range(before, after, BLOCK[plan.unit]):
                high = min(low + BLOCK[plan.unit], after)
                options["progress"] = _shift(progress, low, expected())
                frame = play(*players, high - low, first=plan.first + low, **options)
                part = DuelSums.from_frame(frame)
                sums = part if sums is None else sums + part
            assert sums is not None
            seen.append(sums)
            yield sums

    seen: list[DuelSums] = []

    def expected() -> int:
        """About how many rows there will be, for the progress line."""
        return plan.size if plan.rule is None or not seen else plan.expect(seen[-1])

    looks = () if plan.rule is None else follow_rule(plan.rule, add_up(plan.cuts))
    if plan.rule is None:
        list(add_up(plan.cuts))
    return plan.conclude(seen[-1], looks, provenance)


@dataclass(frozen=True)
class DuelPlan:
    """A duel before it is played: everything but the seed. Made by `plan_duel`.

    Attributes:
        players, rules, unit, measure: as of `Duel`.
        size: how many games or hands, with a rule of stopping at most.
        first: index of the first.
        rule: when it ends; None for a fixed size.
    """

    players: tuple[Strategy | PythonStrategy, Strategy | PythonStrategy]
    rules: Rules
    unit: str
    measure: str
    size: int
    first: int
    rule: Rule | None

    @property
    def cuts(self) -> tuple[int, ...]:
        """The numbers of games or hands at which the sums are looked at, the last being `size`."""
        return (self.size,) if self.rule is None else tuple(2 * deals for deals in self.rule.looks)

    def expect(self, sums: DuelSums) -> int:
        """About how many games or hands a rule of stopping will ask for, judged by these sums."""
        if self.rule is None:
            return self.size
        figure = estimate_duel(sums, self.measure)
        width = (figure.high - figure.low) / 2
        if not width < math.inf:
            return self.size
        return min(self.size, max(int(2 * sums.deals * (width / self.rule.precision) ** 2), 2))

    def conclude(
        self, sums: DuelSums, looks: tuple[Look, ...], provenance: Mapping[str, Any]
    ) -> Duel:
        """What the duel showed.

        Args:
            sums: those of all that was played.
            looks: those of the rule; empty for a fixed size.
            provenance: of the games or hands, without their number.
        """
        critical = looks[-1].critical if looks else None
        count = 2 * sums.deals
        origin = {key: value for key, value in provenance.items() if key not in ("rows", "hands")}
        origin[self.unit] = count
        table = _make_table(sums, critical)
        table.attrs["provenance"] = origin
        figure = estimate_duel(sums, self.measure, critical)
        needed = count_games_needed(estimate_duel(sums, self.measure), self.measure, sums.deals)
        return Duel(
            a=self.players[0],
            b=self.players[1],
            rules=self.rules,
            unit=self.unit,
            count=count,
            measure=self.measure,
            verdict=judge(figure, self.measure),
            table=table,
            games_needed=needed,
            precision=None if self.rule is None else self.rule.precision,
            looks=pd.DataFrame(looks, columns=list(Look.__dataclass_fields__)),
            is_reached=looks[-1].is_reached if looks else None,
            sums=sums,
            provenance={**origin, "duel": _describe_rule(self.measure, self.rule)},
        )


def plan_duel(
    a: AnyStrategy,
    b: AnyStrategy,
    rules: AnyRules,
    games: SupportsIndex | None = None,
    *,
    hands: SupportsIndex | None = None,
    precision: float | None = None,
    measure: str | None = None,
    max_games: SupportsIndex | None = None,
    early: bool = False,
    first: SupportsIndex = 0,
) -> DuelPlan:
    """Validate the arguments of `duel`.

    Raises:
        GinsimError: as `duel`.
    """
    players = (parse_player(a), parse_player(b))
    loaded = load_rules(rules)
    unit = "games" if hands is None else "hands"
    decisive = _check_measure(measure, unit, loaded)
    size = _check_size(games, hands, precision is not None, max_games)
    is_early = check_flag("early", early)
    if is_early and precision is None:
        raise OptionError("early: needs a precision; allowed: a fixed size, or precision and early")
    start = check_whole("first", first, 0, MAX_INDEX - 1 - size)
    rule = None
    if precision is not None:
        rule = Rule(decisive, _check_precision(precision, decisive), size // 2, is_early)
    return DuelPlan(players, loaded, unit, decisive, size, start, rule)


def _describe_rule(measure: str, rule: Rule | None) -> dict[str, Any]:
    """What provenance says of how the size was chosen."""
    if rule is None:
        return {"measure": measure, "rule": "fixed size"}
    return {
        "measure": measure,
        "rule": RULE,
        "precision": rule.precision,
        "first_look": rule.looks[0],
        "looks": len(rule.looks),
        "max_deals": rule.max_deals,
        "early": rule.early,
    }


def _make_table(sums: DuelSums, critical: float | None) -> pd.DataFrame:
    rows = []
    for measure in sums.measures:
        figure = estimate_duel(sums, measure, critical)
        count = sums.find(measure)[1]
        rows.append((measure, count, sums.deals, figure.value, figure.se, figure.low, figure.high))
    names = ["measure", "count", "clusters", "value", "se", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def _check_measure(measure: str | None, unit: str, rules: Rules) -> str:
    allowed: tuple[str, ...] = HAND_MEASURES if unit == "hands" else GAME_MEASURES
    if rules.scoring != "hollywood":
        allowed = tuple(name for name in allowed if name != "boxes")
    return allowed[0] if measure is None else check_word("measure", measure, allowed)


def _check_size(
    games: SupportsIndex | None,
    hands: SupportsIndex | None,
    is_precise: bool,
    max_games: SupportsIndex | None,
) -> int:
    """The size, or with a precision the most that is played; even."""
    if games is not None and hands is not None:
        raise OptionError("games, hands: both are given; allowed: one of them")
    if is_precise and games is not None:
        raise OptionError(
            "games, precision: both are given; allowed: a fixed size (games), or a precision with "
            "max_games as its bound"
        )
    if max_games is not None and (hands is not None or not is_precise):
        raise OptionError(
            "max_games: bounds games that are played for a precision; allowed: with precision and "
            "without hands"
        )
    if is_precise:
        name, value = ("hands", hands) if hands is not None else ("max_games", max_games)
        size = check_whole(name, MAX_GAMES if value is None else value, 4, MAX_INDEX // 2)
    else:
        name, value = ("hands", hands) if hands is not None else ("games", games)
        size = check_whole(name, GAMES if value is None else value, 2, MAX_INDEX // 2)
    if size % 2:
        raise OptionError(refuse(name, size, "an even number, since each deal is played twice"))
    return size


def _check_precision(precision: object, measure: str) -> float:
    allowed, most = "a number above 0, half the width of the interval", math.inf
    if measure in SHARES:
        allowed, most = "a number above 0 and below 0.5, half the width of the interval", 0.5
    if isinstance(precision, bool) or not isinstance(precision, int | float):
        raise OptionError(refuse("precision", precision, allowed))
    if not 0 < precision < most:
        raise OptionError(refuse("precision", precision, allowed))
    return float(precision)


def _shift(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _part: progress(before + done, max(total, before + done))
