"""Bradley-Terry ratings against a case solved by hand, a grid, and a jackknife."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from ginsim.ratings import ELO, find_groups, fit_ratings, rate_players

PAIRS = list(combinations(range(3), 2))


def test_strengths_of_four_two_and_one() -> None:
    """Strengths 4, 2, 1: 30 games a pair give 20-10, 24-6 and 20-10, which they explain exactly."""
    wins = np.array([[0.0, 20, 24], [10, 0, 20], [6, 10, 0]])
    assert fit_ratings(wins) == pytest.approx([math.log(2), 0.0, -math.log(2)])
    # Twice as strong is 400 log10 2 = 120.4 points of Elo.
    assert ELO * math.log(2) == pytest.approx(120.41, abs=0.01)


def test_the_fit_is_the_top_of_the_likelihood() -> None:
    wins = np.array([[0.0, 31.5, 22], [18.5, 0, 40], [28, 10, 0]])
    grid = np.arange(-1.5, 1.5, 0.02)
    second, third = (axis[..., None, None] for axis in np.meshgrid(grid, grid, indexing="ij"))
    ratings = np.stack([np.zeros_like(second), second, third])
    likelihood = np.zeros(second.shape)
    for i in range(3):
        for j in range(3):
            if i != j:
                chance = 1 / (1 + np.exp(ratings[j] - ratings[i]))
                likelihood += wins[i, j] * np.log(chance)
    best = np.unravel_index(np.argmax(likelihood), likelihood.shape)
    fitted = fit_ratings(wins)
    assert fitted.sum() == pytest.approx(0.0, abs=1e-12)
    assert fitted[1] - fitted[0] == pytest.approx(grid[best[0]], abs=0.02)
    assert fitted[2] - fitted[0] == pytest.approx(grid[best[1]], abs=0.02)


def make_results(deals: int, number: int = 3) -> np.ndarray:
    """T of each pair and deal: luck that the pairs of a deal share, and luck of their own."""
    rng = np.random.default_rng(11)
    common = rng.normal(size=deals)
    pairs = list(combinations(range(number), 2))
    results = np.empty((len(pairs), deals))
    for k, (i, j) in enumerate(pairs):
        games = [common + rng.normal(size=deals) + 0.2 * (j - i) > 0 for _ in range(2)]
        results[k] = 2 * (games[0].astype(int) + games[1]) - 2
    return results


def count_wins(results: np.ndarray) -> np.ndarray:
    wins = np.zeros((3, 3))
    for (i, j), result in zip(PAIRS, results, strict=True):
        wins[i, j], wins[j, i] = (2 + result).sum() / 2, (2 - result).sum() / 2
    return wins


def test_errors_of_two_players_are_those_of_the_share() -> None:
    """The rating's difference is the logit of the share p: its error is se(p) / (p (1 - p))."""
    results = make_results(500)[:1]
    shares = 0.5 + results[0] / 4
    share, se = shares.mean(), shares.std(ddof=1) / math.sqrt(500)
    total = results.sum(axis=1)
    wins = np.array([[0, 500 + total[0] / 2], [500 - total[0] / 2, 0]])
    args = (wins, [(0, 1)], results @ results.T, total, 500)
    fit = rate_players(*args, reference=1)
    assert fit.ratings == pytest.approx([math.log(share / (1 - share)), 0.0])
    errors = np.sqrt(np.abs(np.diag(fit.covariance)))
    assert errors == pytest.approx([se / (share * (1 - share)), 0.0], abs=1e-12)
    fit = rate_players(*args)
    errors = np.sqrt(np.diag(fit.covariance))
    assert errors == pytest.approx([se / (2 * share * (1 - share))] * 2)


def test_errors_are_those_of_a_jackknife_over_deals() -> None:
    """Deals left out one at a time; without the common luck the errors would be others."""
    deals = 400
    results = make_results(deals)
    fit = rate_players(count_wins(results), PAIRS, results @ results.T, results.sum(axis=1), deals)
    each = np.array([fit_ratings(count_wins(np.delete(results, d, axis=1))) for d in range(deals)])
    jackknife = (deals - 1) / deals * ((each - each.mean(axis=0)) ** 2).sum(axis=0)
    assert np.diag(fit.covariance) == pytest.approx(jackknife, rel=0.02)
    # As if pairs and games were independent of each other: the inverse of the information.
    chances = 1 / (1 + np.exp(fit.ratings[None, :] - fit.ratings[:, None]))
    weights = 2 * deals * chances * (1 - chances) * (1 - np.eye(3))
    plain = np.diag(np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights))
    assert (np.abs(np.diag(fit.covariance) / plain - 1) > 0.1).any()


@pytest.mark.parametrize(
    ("wins", "groups"),
    [
        ([[0, 3, 3], [1, 0, 2], [1, 2, 0]], [0, 0, 0]),
        # In a circle, each beating the next in every game: all ratings are finite.
        ([[0, 4, 0], [0, 0, 4], [4, 0, 0]], [0, 0, 0]),
        ([[0, 4, 4], [0, 0, 2], [0, 2, 0]], [0, 1, 1]),
        ([[0, 0, 2], [4, 0, 4], [2, 0, 0]], [1, 0, 1]),
        ([[0, 0, 0], [4, 0, 0], [4, 4, 0]], [2, 1, 0]),
        # A tie is a win both ways.
        ([[0, 3.5], [0.5, 0]], [0, 0]),
    ],
)
def test_separated_players_are_found(wins: list[list[float]], groups: list[int]) -> None:
    assert find_groups(np.array(wins, float)).tolist() == groups


def test_only_players_with_finite_ratings_have_one() -> None:
    wins = np.array([[0.0, 3, 4], [1, 0, 4], [0, 0, 0]])
    products, sums = np.diag([2.0, 8, 8]), np.array([2.0, 4, 4])
    fit = rate_players(wins, PAIRS, products, sums, 2)
    # Three wins of four: the difference is ln 3.
    assert fit.ratings[:2] == pytest.approx([math.log(3) / 2, -math.log(3) / 2])
    assert np.isnan(fit.ratings[2])
    assert np.isnan(fit.covariance[2]).all()
    assert np.isfinite(fit.covariance[:2, :2]).all()
    assert (fit.groups.tolist(), fit.rated) == ([0, 0, 1], 0)
