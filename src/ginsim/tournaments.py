"""Many players, each two on the same deals: who beats whom, and what rating that makes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import pandas as pd

from ginsim.batches import Progress
from ginsim.checks import check_whole
from ginsim.duel_sums import DuelSums, count_games_needed, estimate_duel, find_rows, judge
from ginsim.errors import OptionError, refuse, refuse_name, show
from ginsim.figures import adjust, two_sided
from ginsim.games import simulate_games
from ginsim.intervals import t95
from ginsim.ratings import ELO, Fit, rate_players
from ginsim.rules import AnyRules, Rules, load_rules
from ginsim.strategies import AnyStrategy, Strategy, is_python, name_apart, parse_player
from ginsim.tasks import MAX_INDEX

if TYPE_CHECKING:
    from ginsim.players import PythonStrategy

#: Games of each pair, if nothing is said.
GAMES = 10_000
#: Games of a pair that are held in memory at once; even, so that no pair is split.
BLOCK = 65_536
#: More players than this are a slip of the pen.
MAX_PLAYERS = 100


@dataclass(frozen=True, eq=False)
class Tournament:
    """What a tournament showed.

    Attributes:
        players: the strategies by name.
        rules: the rules.
        games: how many each pair played, all pairs on the same decks.
        pairs: a row for each pair with the columns a, b, count, clusters (deals), value (share of
            games that a won, drawn ones half), se, low, high, p, p_holm, verdict, expected (the
            share by the ratings), games_needed.
        ratings: a row for each player, the strongest first, with the columns player, count
            (games), share, rating (logit), se, low, high, elo, elo_se, elo_low, elo_high and
            group. nan where no finite rating fits; see `notes`.
        notes: in words what the ratings cannot say.
        reference: the player whose rating is 0; None if their mean is.
        provenance: what reproduces the result.
    """

    players: dict[str, Strategy | PythonStrategy]
    rules: Rules
    games: int
    pairs: pd.DataFrame
    ratings: pd.DataFrame
    notes: tuple[str, ...]
    reference: str | None
    provenance: dict[str, Any]


def tournament(
    players: Sequence[AnyStrategy] | Mapping[str, AnyStrategy],
    rules: AnyRules,
    games: SupportsIndex = GAMES,
    *,
    reference: str | None = None,
    seed: SupportsIndex | None = None,
    first: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Let each two of several players duel on the same mirrored deals.

    Args:
        players: two or more strategies, or a mapping of names to them. Files of one file name
            are called by their paths.
        rules: as for `simulate_games`; in a partnership each player plays as a pair.
        games: how many games each pair plays, an even number.
        reference: the player whose rating is 0; None for a mean rating of 0.
        seed, threads, progress: as for `simulate`.
        first: index of the first game, an even number.

    Returns:
        A `Tournament`; the same for any number of threads.

    Raises:
        GinsimError: for bad arguments, before anything is played.
    """
    named = _name_players(players)
    names = list(named)
    if reference is not None and reference not in named:
        raise OptionError(f"reference: {refuse_name('player', reference, names)}")
    loaded = load_rules(rules)
    size = check_whole("games", games, 2, MAX_INDEX // 2)
    if size % 2:
        raise OptionError(refuse("games", size, "an even number, since each deal is played twice"))
    start = check_whole("first", first, 0, MAX_INDEX - 1 - size)
    strategies = list(named.values())
    pairs = list(combinations(range(len(names)), 2))
    options: dict[str, Any] = {"seed": seed, "threads": threads, "mirror": True}
    # One in Python is asked for, if there is one: it allows one thread only.
    strictest = next(filter(is_python, strategies), strategies[0])
    empty = simulate_games(loaded, strictest, 0, first=start, **options)
    provenance = dict(empty.attrs["provenance"])
    options["seed"] = provenance["seed"]

    parts: list[DuelSums | None] = [None] * len(pairs)
    products = np.zeros((len(pairs), len(pairs)))
    for low in range(0, size, BLOCK):
        count = min(BLOCK, size - low)
        deals = np.empty((len(pairs), count // 2))
        for k, (i, j) in enumerate(pairs):
            options["progress"] = _shift(progress, low * len(pairs) + k * count, size * len(pairs))
            pair = (strategies[i], strategies[j])
            rows = find_rows(simulate_games(loaded, pair, count, first=start + low, **options))
            deals[k] = rows["games"][0].reshape(-1, 2).sum(axis=1)
            part, own = parts[k], DuelSums.from_rows({"games": rows["games"]})
            parts[k] = own if part is None else part + own
        # Sums of small integers: exact, in whatever order.
        products += deals @ deals.T
    sums = [part for part in parts if part is not None]

    totals = np.array([part.find("games")[0] for part in sums], np.float64)
    wins = np.zeros((len(names), len(names)))
    for (i, j), total in zip(pairs, totals.tolist(), strict=True):
        wins[i, j], wins[j, i] = (size + total) / 2, (size - total) / 2
    place = None if reference is None else names.index(reference)
    fit = rate_players(wins, pairs, products, totals, size // 2, place)

    provenance.pop("rows", None)
    provenance.update(games=size, strategies={key: s.model_dump() for key, s in named.items()})
    tables = (_make_pairs(names, pairs, sums, fit), _make_ratings(names, wins, fit, size // 2))
    for table in tables:
        table.attrs["provenance"] = provenance
    return Tournament(
        named, loaded, size, *tables, _describe_groups(names, fit), reference, provenance
    )


def _name_players(players: object) -> dict[str, Strategy | PythonStrategy]:
    allowed = f"2 to {MAX_PLAYERS} strategies, or a mapping of names to them"
    if isinstance(players, str | Strategy) or not isinstance(players, Mapping | Sequence):
        raise OptionError(refuse("players", players, allowed))
    if not 2 <= len(players) <= MAX_PLAYERS:
        raise OptionError(f"players: {len(players)} given; allowed: {allowed}")
    if isinstance(players, Mapping):
        if wrong := [name for name in players if not isinstance(name, str) or not name]:
            raise OptionError(refuse("players", wrong[0], "names as keys"))
        return {name: parse_player(strategy) for name, strategy in players.items()}
    strategies = [parse_player(player) for player in players]
    named: dict[str, Strategy | PythonStrategy] = {}
    for name, strategy in zip(name_apart(players, strategies), strategies, strict=True):
        if name in named:
            raise OptionError(
                f"players: {show(name)} is given twice; allowed: different strategies, or "
                "a mapping with names of your own"
            )
        named[name] = strategy
    return named


def _make_pairs(
    names: list[str], pairs: list[tuple[int, int]], sums: list[DuelSums], fit: Fit
) -> pd.DataFrame:
    rows = []
    for (i, j), part in zip(pairs, sums, strict=True):
        figure = estimate_duel(part, "games")
        expected = 1 / (1 + math.exp(fit.ratings[j] - fit.ratings[i]))
        if fit.groups[i] != fit.groups[j]:
            expected = 1.0 if fit.groups[i] < fit.groups[j] else 0.0
        rows.append(
            {
                "a": names[i],
                "b": names[j],
                "count": 2 * part.deals,
                "clusters": part.deals,
                "value": figure.value,
                "se": figure.se,
                "low": figure.low,
                "high": figure.high,
                "verdict": judge(figure, "games"),
                "expected": expected,
                "games_needed": count_games_needed(figure, "games", part.deals),
            }
        )
    table = pd.DataFrame(rows)
    chances = two_sided(table["value"].to_numpy() - 0.5, table["se"].to_numpy())
    table.insert(8, "p", chances)
    table.insert(9, "p_holm", adjust(chances))
    return table


def _make_ratings(names: list[str], wins: Any, fit: Fit, deals: int) -> pd.DataFrame:
    games = (wins + wins.T).sum(axis=1)
    # Rounding can leave a trace below 0 where the error is 0, as of the reference.
    se = np.sqrt(np.maximum(np.diag(fit.covariance), 0.0))
    half = (t95(deals - 1) if deals > 1 else math.nan) * se
    table = pd.DataFrame(
        {
            "player": names,
            "count": games.astype(np.int64),
            "share": wins.sum(axis=1) / games,
            "rating": fit.ratings,
            "se": se,
            "low": fit.ratings - half,
            "high": fit.ratings + half,
        }
    )
    for name, column in (("elo", "rating"), ("elo_se", "se"), ("elo_low", "low")):
        table[name] = ELO * table[column]
    table["elo_high"] = ELO * table["high"]
    table["group"] = fit.groups
    order = ["group", "rating", "share"]
    return table.sort_values(order, ascending=[True, False, False], kind="stable").reset_index(
        drop=True
    )


def _describe_groups(names: list[str], fit: Fit) -> tuple[str, ...]:
    """What separation does to the ratings, in words."""
    notes = []
    for group in sorted(set(fit.groups.tolist()) - {fit.rated}):
        inside = [name for name, g in zip(names, fit.groups, strict=True) if g == group]
        won = "won every game against" if group < fit.rated else "lost every game to"
        side = "above" if group < fit.rated else "below"
        notes.append(
            f"{', '.join(inside)} {won} the players with a rating: the rating would lie infinitely "
            f"far {side} theirs, and none is given"
        )
    return tuple(notes)


def _shift(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _part: progress(before + done, total)
