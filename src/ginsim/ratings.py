"""Bradley-Terry ratings from pairwise results, with errors that know of common deals.

The chance that i beats j is 1 / (1 + exp(b_j - b_i)) (Bradley and Terry 1952); b is the rating on
the logit scale, and 400 / ln 10 times b the same in Elo's points. docs/duels.md has the formulas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Elo's points for one unit of a logit.
ELO = 400 / math.log(10)


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings of players.

    Attributes:
        ratings: on the logit scale; nan for players that no finite rating fits.
        covariance: of the ratings, nan likewise, and for a single deal.
        groups: the number of each player's group. Between players of one group there are chains of
            wins both ways, so that their ratings are finite; group 0 beat all others in every
            game, group 1 all but group 0, and so on.
        rated: the group that has the ratings.
    """

    ratings: Floats
    covariance: Floats
    groups: NDArray[np.int64]
    rated: int


def find_groups(wins: Floats) -> NDArray[np.int64]:
    """The group of each player, from the strongest (Ford 1957).

    Args:
        wins: how often each (row) beat each (column), ties half; every two players have met.
    """
    reach = (wins > 0) | np.eye(len(wins), dtype=bool)
    for middle in range(len(wins)):
        reach |= reach[:, middle : middle + 1] & reach[middle : middle + 1, :]
    # Who reaches more players is in a stronger group: each reaches all below it.
    counts = reach.sum(axis=1)
    order = sorted(set(counts.tolist()), reverse=True)
    return np.array([order.index(count) for count in counts.tolist()], np.int64)


def fit_ratings(wins: Floats) -> Floats:
    """Ratings of mean 0 that make the results most likely, by Newton's method.

    Args:
        wins: as for `find_groups`, all players in one group.
    """
    games = wins + wins.T
    ratings = np.zeros(len(wins))
    best = _log_likelihood(wins, ratings)
    for _ in range(200):
        chances = _chances(ratings)
        score = (wins - games * chances).sum(axis=1)
        step: Floats = np.linalg.pinv(_information(games, chances), hermitian=True) @ score
        # The likelihood is concave: a step that goes too far is halved until it does not.
        while (new := _log_likelihood(wins, ratings + step)) < best - 1e-9 * abs(best):
            step /= 2
        ratings, best = ratings + step, new
        if np.abs(step).max(initial=0.0) < 1e-12:
            break
    centred: Floats = ratings - ratings.mean()
    return centred


def rate_players(
    wins: Floats,
    pairs: list[tuple[int, int]],
    products: Floats,
    sums: Floats,
    deals: int,
    reference: int | None = None,
) -> Fit:
    """Ratings of players who met on common deals, with clustered errors.

    Pairs that play the same decks do not have independent results, nor have the two games of a
    deal. The errors are those of the sandwich H⁻¹ M H⁻¹, H being the observed information and M
    the sum over deals of the squares of each deal's score (Huber 1967, Liang and Zeger 1986).

    Args:
        wins: how often each (row) beat each (column), ties half.
        pairs: the players (i, j) of each pair.
        products, sums: for each two pairs the sum over deals of T T', and for each the sum of T,
            T being the games of the deal that i won minus those that j won.
        deals: how many, each with two games of every pair.
        reference: the player whose rating is 0; None for a mean of 0.
    """
    number = len(wins)
    groups = find_groups(wins)
    sizes = np.bincount(groups)
    rated = int(np.argmax(sizes)) if reference is None else int(groups[reference])
    players = np.flatnonzero(groups == rated)
    inside = np.ix_(players, players)
    ratings, covariance = np.full(number, np.nan), np.full((number, number), np.nan)
    fitted = fit_ratings(wins[inside])
    place = {int(player): index for index, player in enumerate(players)}
    chosen = [k for k, (i, j) in enumerate(pairs) if i in place and j in place]
    design = np.zeros((len(chosen), len(players)))
    for row, k in enumerate(chosen):
        design[row, place[pairs[k][0]]], design[row, place[pairs[k][1]]] = 1.0, -1.0
    chances = _chances(fitted)
    expected = np.array([4 * chances[place[pairs[k][0]], place[pairs[k][1]]] - 2 for k in chosen])
    # The residual of a deal is (T - expected T) / 2.
    own, total = products[np.ix_(chosen, chosen)], sums[chosen]
    cross = np.outer(total, expected)
    squares = (own - cross - cross.T + deals * np.outer(expected, expected)) / 4
    games = wins[inside] + wins[inside].T
    bread = np.linalg.pinv(_information(games, chances), hermitian=True)
    scale = deals / (deals - 1) if deals > 1 else math.nan
    spread = bread @ design.T @ squares @ design @ bread * scale
    if reference is not None:
        shift = np.eye(len(players))
        shift[:, place[reference]] -= 1
        fitted, spread = shift @ fitted, shift @ spread @ shift.T
    ratings[players], covariance[inside] = fitted, spread
    return Fit(ratings, covariance, groups, rated)


def _chances(ratings: Floats) -> Floats:
    """The chance that each (row) beats each (column)."""
    return 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))


def _information(games: Floats, chances: Floats) -> Floats:
    weights = games * chances * (1 - chances)
    return np.diag(weights.sum(axis=1)) - weights


def _log_likelihood(wins: Floats, ratings: Floats) -> float:
    return float(-(wins * np.logaddexp(0, ratings[None, :] - ratings[:, None])).sum())
