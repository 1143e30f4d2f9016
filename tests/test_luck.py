"""Scores of games won and lost: against exact fractions and published intervals."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main


def exact(won: int, games: int, chance: Fraction) -> Fraction:
    """P(won of games), in fractions."""
    return math.comb(games, won) * chance**won * (1 - chance) ** (games - won)


def exact_p(won: int, games: int, chance: Fraction) -> Fraction:
    """The probability of all numbers of wins that are no more probable."""
    mine = exact(won, games, chance)
    each = (exact(other, games, chance) for other in range(games + 1))
    return sum((one for one in each if one <= mine), Fraction(0))


@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(29, 50), Fraction(1, 10)])
@pytest.mark.parametrize(("won", "lost"), [(47, 46), (57, 36), (0, 7), (7, 0), (1, 1), (250, 3)])
def test_chances_are_those_of_exact_fractions(won: int, lost: int, chance: Fraction) -> None:
    score = ginsim.judge_wins(won, lost, chance=float(chance))
    games = won + lost
    assert score.p == pytest.approx(float(exact_p(won, games, chance)), rel=1e-9)
    both = 2 if chance == Fraction(1, 2) and won != lost else 1
    assert score.p_exact == pytest.approx(float(both * exact(won, games, chance)), rel=1e-9)
    told = [
        number
        for number in range(games + 1)
        if number > games * chance and exact_p(number, games, chance) < Fraction(1, 20)
    ]
    assert score.told_from == (min(told) if told else None)
    assert score.games == games
    assert score.is_told_apart == (exact_p(won, games, chance) < Fraction(1, 20))


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        # Newcombe 1998 (Statistics in Medicine 17:857), table I, method 5: Clopper-Pearson.
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0000, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_intervals_are_the_published_ones(won: int, games: int, low: float, high: float) -> None:
    score = ginsim.judge_wins(won, games - won)
    assert score.low == pytest.approx(low, abs=5.1e-5)
    assert score.high == pytest.approx(high, abs=5.1e-5)
    other = ginsim.judge_wins(games - won, won)
    assert (other.low, other.high) == pytest.approx((1 - score.high, 1 - score.low))


def test_games_needed() -> None:
    """(1.959964 + 0.841621)² = 7.848880 times s(1 − s)/d²; 0.24/0.01 of 60 %."""
    assert ginsim.judge_wins(60, 40).games_needed == math.ceil(7.848880 * 0.24 / 0.01)
    assert math.isinf(ginsim.judge_wins(5, 5).games_needed)
    assert math.isnan(ginsim.judge_wins(5, 0).games_needed)


def test_drawn_games_say_nothing() -> None:
    plain, drawn = ginsim.judge_wins(30, 20), ginsim.judge_wins(30, 20, 99)
    assert drawn.drawn == 99
    assert (plain.p, plain.low, plain.high) == (drawn.p, drawn.low, drawn.high)


def test_a_million_games_are_no_more_than_work() -> None:
    """By the normal distribution: 501,000 of 1,000,000 is two standard errors from one half."""
    score = ginsim.judge_wins(501_000, 499_000)
    assert score.p == pytest.approx(math.erfc(1.999 / math.sqrt(2)), rel=1e-3)
    assert score.p < 0.05


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0), "won and lost: 0 is not allowed; allowed: 1 to 1,000,000 games together"),
        ((-1, 2), "won: -1 is not allowed"),
        ((1, 2.5), "lost: 2.5 is not allowed"),
        ((1, 2, 0, 1), "chance: 1 is not allowed; allowed: a number between 0 and 1"),
        ((1, 2, 0, True), "chance: true is not allowed"),
        ((1, 2, 0, "x"), "chance: 'x' is not allowed"),
        ((1, 2, 0, math.nan), "chance: nan is not allowed"),
    ],
)
def test_bad_scores_are_refused(arguments: tuple[int, int], message: str) -> None:
    with pytest.raises(ginsim.OptionError) as error:
        ginsim.judge_wins(*arguments)
    assert str(error.value).startswith(message)


def test_the_command() -> None:
    text = CliRunner().invoke(main, ["luck", "57", "36", "--drawn", "1"]).output
    assert text.startswith("57 to 36 in 93 games, 1 drawn left out\n")
    assert "More than luck" in text
    assert "it takes 57 to 36 to be more than luck" in text
    text = CliRunner().invoke(main, ["luck", "3", "0"]).output
    assert "It may be luck" in text
    assert "Of 3 games not even all won would be more than luck." in text
    result = CliRunner().invoke(main, ["luck", "3", "1", "--chance", "1.5"])
    assert result.exit_code == 2
    assert "--chance: 1.5 is not allowed" in result.output
