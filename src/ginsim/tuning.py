"""Better parameters for a strategy, found by play against a pool of opponents.

>>> result = tune("greedy", "kawu", against=["greedy"], budget=50_000, validate=1000, seed=1)
>>> result.is_better, result.best.name
(True, 'greedy(knock_at=0)')
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from random import Random
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _deck
from ginsim._version import __version__
from ginsim.batches import Progress, run_chunks
from ginsim.checks import check_whole, check_word
from ginsim.duel_sums import SHARES, DuelSums, estimate_duel, find_rows
from ginsim.errors import OptionError, StrategyError, refuse
from ginsim.games import simulate_games
from ginsim.intervals import t95
from ginsim.races import Race, run_race
from ginsim.ranges import DECLARED, Genes, Range, Space, declare_ranges, explain_idle, parse_range
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.simulation import simulate
from ginsim.strategies import (
    AnyStrategy,
    Strategy,
    is_python,
    name_apart,
    parse_player,
    parse_strategy,
)
from ginsim.strategyfiles import write_strategy
from ginsim.tasks import check_threads, make_task

if TYPE_CHECKING:
    from ginsim.players import PythonStrategy

Floats = NDArray[np.float64]

METHOD = (
    "iterated racing (Balaprakash, Birattari and Stuetzle 2007) with paired t-tests on common "
    "mirrored deals"
)
DEFAULT_RULES = "classic"
#: Who is played against if nothing is said, beside the strategy as it is at the start.
POOL = ("simple", "greedy(knock_at=0)", "greedy(knock_at=4)", "greedy(knock_at=10)")
#: The figures to be raised, and what is played for each.
UNITS = {"games": "games", "margin": "games", "boxes": "games", "hands": "hands", "points": "hands"}

#: Hands to be played while tuning, if nothing is said.
BUDGET = 10_000_000
MAX_BUDGET = 10**12
#: Games or hands against each opponent on which the result is validated.
VALIDATE = {"games": 20_000, "hands": 200_000}
#: Index of the first of them: tuning begins at 0 and never gets so far.
VALIDATE_FROM = 2**40

#: Candidates of a race, that which is best so far among them.
CANDIDATES = 12
#: Most deals of the first race; race k has k times as many.
DEALS = {"games": 256, "hands": 4096}
#: Standard deviation of a step in the first race, as a part of the range; in race k it is
#: divided by the square root of k.
SPREAD = 0.3
#: What is left of the budget for a race of the best ones of all races.
FINAL_SHARE = 0.2
FINALISTS = 8
#: The final has so many times the deals of the last race, if there is budget for them.
FINAL_DEALS = 16
#: No race has more.
MAX_DEALS = 1_000_000
#: Deals of a pair of players that are played at once.
BLOCK = {"games": 512, "hands": 8192}


@dataclass(frozen=True, eq=False)
class Tuning:
    """What tuning brought.

    Attributes:
        start: the strategy at the start.
        found: the best of the candidates, by the tuning deals.
        best: `found` if it is better on fresh deals, by the interval of the mean difference over
            the pool; else `start`.
        is_better: whether it is.
        rules: the rules.
        measure: the figure that was raised.
        pool: the opponents by name.
        ranges: what was varied, texts by field.
        races: a row for each race with the columns race (the last is the final), candidates,
            left, deals, hands (all played so far), gain (of the best over that which was best
            before, on the same deals; biased upwards, since chosen for it) and best.
        table: figures on the fresh deals: the columns opponent (or `all` for their mean), player
            (start, found, difference), count (games or hands), clusters (deals), value, se, low,
            high; 95 % intervals.
        hands: hands played while tuning.
        provenance: what reproduces the result.
    """

    start: Strategy
    found: Strategy
    best: Strategy
    is_better: bool
    rules: Rules
    measure: str
    pool: dict[str, Strategy | PythonStrategy]
    ranges: dict[str, str]
    races: pd.DataFrame
    table: pd.DataFrame
    hands: int
    provenance: dict[str, Any]

    @property
    def verdict(self) -> str:
        """In words what the fresh deals say."""
        if self.found == self.start:
            return "nothing better was found: the start is kept"
        row = self.table.iloc[-1]
        if self.is_better:
            return "better: the interval of the difference on fresh deals is above 0"
        if row["high"] < 0:
            return "worse on fresh deals: the start is kept"
        return "not told apart from the start on fresh deals: the start is kept"

    def write(self, path: str | PathLike[str], force: bool = False) -> None:
        """Write the best strategy with its provenance, as `write_strategy` does."""
        write_strategy(self.best, path, self.provenance, force)


def tune(
    strategy: AnyStrategy,
    rules: AnyRules = DEFAULT_RULES,
    *,
    against: Sequence[AnyStrategy] | None = None,
    vary: Sequence[str] | Mapping[str, str] | None = None,
    turns: Sequence[SupportsIndex] = (),
    measure: str = "games",
    budget: SupportsIndex | None = None,
    seconds: float | None = None,
    validate: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
    watch: Callable[[Strategy, int], None] | None = None,
) -> Tuning:
    """Search for parameters that do better against a pool of opponents.

    Candidates drawn around the best strategy so far race on common mirrored deals; the winner is
    the best of the next race. The result is validated on other deals (docs/tuning.md).

    Args:
        strategy: where to start; by rules, not written in Python.
        rules: as for `simulate_games`.
        against: the opponents, each counting the same; by default `simple`, `greedy` with
            knock_at 0, 4 and 10, and the start. One written in Python makes it one thread.
            Files of one file name are called by their paths.
        vary: ranges such as `knock_at=0:10`, `weigh_pairs=0:60:5` or `draw=improve|gain`, or a
            mapping of fields to `0:10` and so on. Of parameters by turn each value is varied. By
            default the declared ranges of what matters for the strategy's rules.
        turns: turns from which parameters by turn may have another value, beside those at which
            the start's change.
        measure: what is raised: the share of `games` won, the `margin` of scores or the `boxes`
            (Hollywood) a game; or of single hands, which know no score, the share of `hands` or
            the `points` each.
        budget: hands to play while tuning, about; 10,000,000 if nothing else is said.
        seconds: how long to tune instead, without the validating. The provenance says which
            budget gives the same result.
        validate: games (or hands) against each opponent for the figures, an even number from 4;
            20,000 games or 200,000 hands by default.
        seed, threads, progress: as for `simulate`; progress counts hands while tuning.
        watch: called after each race with the best strategy so far and the hands played.

    Returns:
        A `Tuning`; for a budget in hands the same for any number of threads.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    start = parse_strategy(strategy)
    loaded = load_rules(rules)
    measure = _check_measure(measure, loaded)
    unit = UNITS[measure]
    pool = _read_pool(against, start)
    space = Space(start, _read_ranges(vary, start, loaded, unit), _check_turns(turns))
    if space.turns and not space.has_turns:
        varied = ", ".join(part.range.field for part in space.parts)
        raise OptionError(
            f"turns: has no effect, since what is varied ({varied}) does not go by turn; allowed: "
            "with a field by turn, such as take_gain or weigh_pairs, or with knock_table"
        )
    limit, time_limit = _check_budget(budget, seconds)
    size = check_whole("validate", VALIDATE[unit] if validate is None else validate, 4, 2**40)
    if size % 2:
        raise OptionError(refuse("validate", size, "an even number: each deal is played twice"))
    # Rules for as many players, a good seed; without one it is drawn here.
    # A strategy in Python is asked for, if there is one: it allows one thread only.
    strictest = next(filter(is_python, pool.values()), start)
    options: dict[str, Any] = {"seed": seed, "mirror": True, "of_games": unit == "games"}
    task = make_task(loaded, (start, strictest), 0, **options)

    table = _Table(loaded, unit, task.seed, check_threads(threads, task), pool)
    search = _Search(space, table, measure, limit, time_limit, progress, watch)
    search.run()
    found = search.build(search.best)
    budget_used = limit if time_limit is None else search.budget_that_repeats
    hands, deals = table.hands, search.deals
    figures = _validate(table, start, found, measure, size)
    last: Any = figures.iloc[-1]
    is_better = found != start and bool(last["low"] > 0)
    ranges = {part.range.field: part.range.text for part in space.parts}
    provenance: dict[str, Any] = {
        "ginsim": __version__,
        "stream": _deck.STREAM_VERSION,
        "method": METHOD,
        "rules": loaded.model_dump(),
        "start": start.model_dump(),
        "against": {name: opponent.model_dump() for name, opponent in pool.items()},
        "vary": ranges,
        "turns": list(space.turns),
        "measure": measure,
        "unit": unit,
        "seed": task.seed,
        "budget": budget_used,
        "hands": hands,
        "tuning": {"first": 0, "count": 2 * deals},
        "validating": {"first": VALIDATE_FROM, "count": size},
        "command": None,
    }
    result = Tuning(
        start=start,
        found=found,
        best=found if is_better else start,
        is_better=is_better,
        rules=loaded,
        measure=measure,
        pool=pool,
        ranges=ranges,
        races=pd.DataFrame(search.rows, columns=list(_COLUMNS)).astype(_COLUMNS),
        table=figures,
        hands=hands,
        provenance=provenance,
    )
    provenance["found"] = found.model_dump()
    provenance["verdict"] = result.verdict
    provenance["validated"] = [
        {key: None if value != value else value for key, value in row.items()}
        for row in figures.to_dict("records")
    ]
    return result


_COLUMNS = {
    "race": "int64",
    "candidates": "int64",
    "left": "int64",
    "deals": "int64",
    "hands": "int64",
    "gain": "float64",
    "best": "object",
}


# -- arguments ------------------------------------------------------------------------------------


def _check_measure(measure: object, rules: Rules) -> str:
    allowed = [name for name in UNITS if name != "boxes" or rules.scoring == "hollywood"]
    if rules.players != 2:
        allowed = [name for name in allowed if UNITS[name] == "games"]
    return check_word("measure", measure, allowed)


def _read_pool(
    against: Sequence[AnyStrategy] | None, start: Strategy
) -> dict[str, Strategy | PythonStrategy]:
    if against is None:
        against = (*POOL, start)
    allowed = "a list of strategies, at least one"
    if isinstance(against, str | Strategy | Mapping) or not isinstance(against, Sequence):
        raise OptionError(refuse("against", against, allowed))
    specs: list[AnyStrategy] = []
    opponents: list[Strategy | PythonStrategy] = []
    for spec in against:
        opponent = parse_player(spec)
        if opponent not in opponents:
            specs.append(spec)
            opponents.append(opponent)
    pool: dict[str, Strategy | PythonStrategy] = {}
    for name, opponent in zip(name_apart(specs, opponents), opponents, strict=True):
        if name in pool:
            raise OptionError(
                f"against: two opponents are called {name}; allowed: names of their own"
            )
        pool[name] = opponent
    if not pool:
        raise OptionError(refuse("against", against, allowed))
    return pool


def _read_ranges(vary: object, start: Strategy, rules: Rules, unit: str) -> list[Range]:
    has_score = unit == "games" and rules.scoring != "hollywood"
    if vary is None:
        return declare_ranges(start, has_score=has_score)
    if isinstance(vary, Mapping):
        vary = [f"{field}={values}" for field, values in vary.items()]
    if isinstance(vary, str) or not isinstance(vary, Sequence):
        raise OptionError(refuse("vary", vary, "a list of ranges, such as ['knock_at=0:10']"))
    problems: list[str] = []
    ranges = []
    for text in vary:
        try:
            if not isinstance(text, str):
                raise OptionError(refuse("vary", text, "a range as text, such as knock_at=0:10"))
            # A field alone has its declared range.
            known = text.strip()
            ranges.append(parse_range(f"{known}={DECLARED[known]}" if known in DECLARED else text))
        except OptionError as failure:
            problems += failure.problems
    for one in ranges:
        options = {"has_score": has_score, "is_partnership": rules.players == 4}
        if reason := explain_idle(one.field, start, ranges, **options):
            problems.append(
                f"vary: {one.field} has no effect on how {start.name} plays here: {reason}"
            )
    if problems:
        raise OptionError(*problems)
    return ranges


def _check_turns(turns: object) -> list[int]:
    if isinstance(turns, str) or not isinstance(turns, Sequence):
        raise OptionError(refuse("turns", turns, "a list of turns, such as [2, 5]"))
    return [check_whole("turns", turn, 2, 16) for turn in turns]


def _check_budget(budget: SupportsIndex | None, seconds: float | None) -> tuple[int, float | None]:
    if budget is not None and seconds is not None:
        raise OptionError("budget, seconds: both are given; allowed: one of them")
    if seconds is None:
        return check_whole("budget", BUDGET if budget is None else budget, 1, MAX_BUDGET), None
    good = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not good or not 0 < seconds < math.inf:
        raise OptionError(refuse("seconds", seconds, "a number above 0"))
    return MAX_BUDGET, float(seconds)


# -- play -----------------------------------------------------------------------------------------


class _Table:
    """Plays strategies against the pool, deal by deal, on several threads."""

    def __init__(
        self,
        rules: Rules,
        unit: str,
        seed: int,
        threads: int,
        pool: dict[str, Strategy | PythonStrategy],
    ) -> None:
        self.rules = rules
        self.unit = unit
        self.seed = seed
        self.pool = pool
        self.hands = 0
        self.threads = threads

    def play(
        self, players: Sequence[Strategy], measure: str, first: int, deals: int
    ) -> NDArray[np.int64]:
        """The figure of each game, A's minus B's, of shape (players, opponents, deals, 2).

        Args:
            first: the first deal.
        """
        opponents = list(self.pool.values())
        values = np.empty((len(players), len(opponents), deals, 2), np.int64)
        pieces = []
        for i, player in enumerate(players):
            for j, opponent in enumerate(opponents):
                # Searches take their time, and an interrupt waits for what is being played.
                rollouts = player.rollouts + opponent.rollouts
                block = max(BLOCK[self.unit] // (1 + 16 * rollouts), 1)
                pieces += [(i, j, low, min(block, deals - low)) for low in range(0, deals, block)]

        hands = [0] * len(pieces)

        def play(_thread: int, start: int, stop: int) -> None:
            for number in range(start, stop):
                i, j, low, count = pieces[number]
                own = self._play_piece(players[i], opponents[j], measure, first + low, count)
                values[i, j, low : low + count] = own[0].reshape(-1, 2)
                hands[number] = own[1]

        run_chunks(play, len(pieces), self.threads, chunk=1)
        self.hands += sum(hands)
        return values

    def _play_piece(
        self,
        player: Strategy,
        opponent: Strategy | PythonStrategy,
        measure: str,
        first: int,
        deals: int,
    ) -> tuple[NDArray[np.int64], int]:
        play = simulate_games if self.unit == "games" else simulate
        options: dict[str, Any] = {"seed": self.seed, "threads": 1, "mirror": True}
        frame = play(self.rules, (player, opponent), 2 * deals, first=2 * first, **options)
        hands = int(frame["hands"].sum()) if self.unit == "games" else len(frame)
        return find_rows(frame)[measure][0], hands


def _scale(measure: str) -> tuple[float, float]:
    """(value of equal players, value of one in the figures of `_Table.play`)."""
    return (0.5, 0.5) if measure in SHARES else (0.0, 1.0)


# -- search ---------------------------------------------------------------------------------------


class _Search:
    """Race after race around the best strategy so far, and a final of the best ones."""

    def __init__(
        self,
        space: Space,
        table: _Table,
        measure: str,
        limit: int,
        time_limit: float | None,
        progress: Progress | None,
        watch: Callable[[Strategy, int], None] | None,
    ) -> None:
        self.space = space
        self.table = table
        self.measure = measure
        self.limit = limit
        self.time_limit = time_limit
        self.progress = progress
        self.watch = watch
        self.random = Random(table.seed)
        self.began = time.monotonic()
        self.best: Genes = space.genes
        #: Deals used so far; each race has its own.
        self.deals = 0
        self.rows: list[tuple[int, int, int, int, int, float, str]] = []
        self.budget_that_repeats = limit

    def build(self, genes: Genes) -> Strategy:
        return self.space.build(genes)

    def run(self) -> None:
        """Search until the budget is spent."""
        winners: list[Genes] = [self.best]
        number = 0
        first = DEALS[self.table.unit]
        while not self._is_spent(1 - FINAL_SHARE):
            number += 1
            candidates = self._draw_candidates(SPREAD / math.sqrt(number))
            if len(candidates) < 2:
                break
            race = self._race(number, candidates, number * first, 1 - FINAL_SHARE)
            self.best = candidates[race.best]
            if self.best in winners:
                winners.remove(self.best)
            winners.append(self.best)
        if self.time_limit is not None:
            # With this budget the search is over at the same look: the largest that does so.
            self.budget_that_repeats = max(int(self.table.hands / (1 - FINAL_SHARE)), 1)
            self.limit, self.time_limit = self.budget_that_repeats, None
        # The latest first: of those that are equal in play it counts.
        finalists = winners[: -FINALISTS - 1 : -1]
        if self.space.genes not in finalists:
            finalists.append(self.space.genes)
        if len(finalists) > 1:
            race = self._race(number + 1, finalists, number * first * FINAL_DEALS, 1.0)
            self.best = finalists[race.best]

    def _is_spent(self, share: float) -> bool:
        if self.time_limit is not None:
            return time.monotonic() - self.began >= share * self.time_limit
        return self.table.hands >= share * self.limit

    def _draw_candidates(self, spread: float) -> list[Genes]:
        """The best so far, and others near it; all there are if they are few."""
        if self.space.size <= CANDIDATES:
            every = self.space.list_all()
            return [self.best, *(genes for genes in every if genes != self.best)]
        candidates = [self.best]
        players = {self.build(self.best)}
        for _ in range(20 * CANDIDATES):
            if len(candidates) == CANDIDATES:
                break
            genes = self.space.draw(self.best, spread, self.random)
            try:
                player = self.build(genes)
            except StrategyError:  # fields that contradict each other
                continue
            if player not in players:
                players.add(player)
                candidates.append(genes)
        return candidates

    def _race(self, number: int, candidates: list[Genes], deals: int, share: float) -> Race:
        players = [self.build(genes) for genes in candidates]
        start = self.deals
        equal, unit = _scale(self.measure)

        def measure(left: Sequence[int], first: int, count: int) -> Floats:
            chosen = [players[candidate] for candidate in left]
            means = []
            for low, part in _split(count, self.table.unit):
                values = self.table.play(chosen, self.measure, start + first + low, part)
                means.append(equal + unit * values.mean(axis=(1, 3)))
                if self.progress is not None:
                    self._tell()
            return np.concatenate(means, axis=1)

        deals = min(deals, MAX_DEALS)
        race = run_race(measure, len(players), deals, lambda: self._is_spent(share))
        self.deals += race.deals
        gain = race.means[race.best] - race.means[0] if 0 in race.left else math.nan
        row = (number, len(players), len(race.left), race.deals, self.table.hands, gain)
        self.rows.append((*row, players[race.best].name))
        if self.watch is not None:
            self.watch(players[race.best], self.table.hands)
        return race

    def _tell(self) -> None:
        assert self.progress is not None
        hands, total = self.table.hands, self.limit
        if self.time_limit is not None:
            passed = max(time.monotonic() - self.began, 1e-3)
            total = int(hands * max(self.time_limit / passed, 1.0))
        self.progress(hands, max(total, hands))


# -- figures --------------------------------------------------------------------------------------


def _validate(
    table: _Table, start: Strategy, found: Strategy, measure: str, size: int
) -> pd.DataFrame:
    """Both strategies against the pool on fresh deals, and their difference, deal by deal."""
    players = [start] if found == start else [start, found]
    pool = list(table.pool)
    sums: dict[tuple[int, int], DuelSums] = {}
    # Of whole numbers, so that they are exact however the deals are divided.
    moments = np.zeros((3, len(pool) + 1, 2), np.int64)
    for low, count in _split(size // 2, table.unit):
        values = table.play(players, measure, VALIDATE_FROM // 2 + low, count)
        values = np.repeat(values, 3 - len(players), axis=0)
        for i in range(2):
            for j in range(len(pool)):
                top = values[i, j].reshape(-1)
                own = DuelSums.from_rows({measure: (top, np.ones_like(top))})
                sums[i, j] = sums[i, j] + own if (i, j) in sums else own
        each = values.sum(axis=3)
        each = np.stack([each[0], each[1], each[1] - each[0]])
        each = np.concatenate([each, each.sum(axis=1, keepdims=True)], axis=1)
        moments[..., 0] += each.sum(axis=2)
        moments[..., 1] += (each**2).sum(axis=2)
    equal, unit = _scale(measure)
    deals = size // 2
    rows: list[tuple[Any, ...]] = []
    for j, opponent in enumerate((*pool, "all")):
        # Of the deal's two games, and of the pool, the mean.
        scale = unit / 2 / (len(pool) if j == len(pool) else 1)
        count = size * (len(pool) if j == len(pool) else 1)
        for i, name in enumerate(("start", "found", "difference")):
            total, squares = moments[i, j].tolist()
            cells = _estimate(total, squares, deals, scale, 0.0 if i == 2 else equal)
            if i < 2 and j < len(pool):
                figure = estimate_duel(sums[i, j], measure)
                cells = (figure.value, figure.se, figure.low, figure.high)
            rows.append((opponent, name, count, deals, *cells))
    names = ["opponent", "player", "count", "clusters", "value", "se", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def _estimate(
    total: int, squares: int, deals: int, scale: float, equal: float
) -> tuple[float, float, float, float]:
    """The mean over deals with its error and Student's interval."""
    mean = equal + scale * total / deals
    spread = max(squares - total * total / deals, 0.0)
    se = scale * math.sqrt(spread / (deals - 1) / deals)
    half = t95(deals - 1) * se
    return mean, se, mean - half, mean + half


def _split(deals: int, unit: str) -> Iterator[tuple[int, int]]:
    """Parts of a range of deals, (first, how many), so that few are in memory at once."""
    part = 32 * BLOCK[unit]
    for low in range(0, deals, part):
        yield low, min(part, deals - low)
