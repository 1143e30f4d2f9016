"""Critical values of repeated looks against published tables."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from ginsim.spending import ALPHA, MOST, Z_LIMIT, Looks, spend


@pytest.mark.parametrize(
    "published",
    # Reboussin, DeMets, Kim and Lan 2000, "Computations for group sequential boundaries using the
    # Lan-DeMets spending function method": α₁*, two-sided 0.05, equally spaced looks.
    [
        (2.9626, 1.9686),
        (3.7103, 2.5114, 1.9930),
        (4.3326, 2.9631, 2.3590, 2.0141),
        (4.8769, 3.3569, 2.6803, 2.2898, 2.0310),
    ],
)
def test_boundaries_of_lan_and_demets(published: tuple[float, ...]) -> None:
    looks, number = Looks(), len(published)
    for look, critical in enumerate(published, 1):
        chance = spend(look / number) - spend((look - 1) / number)
        assert looks.add(look, chance) == pytest.approx(critical, abs=1.5e-4)


def cross(number: int, boundary: Callable[[int], float]) -> float:
    """The chance that one of so many equally spaced looks exceeds the boundary."""
    looks, total = Looks(), 0.0
    for look in range(1, number + 1):
        chance = looks.exceed(look, boundary(look))
        assert looks.add(look, chance) == pytest.approx(min(boundary(look), MOST), abs=1e-6)
        total += chance
    return total


@pytest.mark.parametrize(
    ("number", "constant"),
    # Pocock 1977; Jennison and Turnbull, Group Sequential Methods, 2000, table 2.1, two-sided 0.05.
    [(2, 2.178), (3, 2.289), (4, 2.361), (5, 2.413), (10, 2.555), (20, 2.672)],
)
def test_constants_of_pocock(number: int, constant: float) -> None:
    assert cross(number, lambda _: constant) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize(
    ("number", "constant"),
    # O'Brien and Fleming 1979; Jennison and Turnbull 2000, table 2.3, two-sided 0.05.
    [(2, 1.977), (3, 2.004), (4, 2.024), (5, 2.040), (10, 2.087), (20, 2.126)],
)
def test_constants_of_obrien_and_fleming(number: int, constant: float) -> None:
    total = cross(number, lambda look: constant * math.sqrt(number / look))
    assert total == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize(
    ("number", "chance"),
    # Armitage, McPherson and Rowe 1969, table 2: how often an interval that is looked at again and
    # again is wrong at one of the looks, each having 1.96 standard errors.
    [(1, 0.05), (2, 0.083), (3, 0.107), (4, 0.126), (5, 0.142), (10, 0.193), (20, 0.248)],
)
def test_what_watching_costs(number: int, chance: float) -> None:
    assert cross(number, lambda _: 1.959964) == pytest.approx(chance, abs=6e-4)


def test_nothing_is_spent_early_and_all_in_the_end() -> None:
    assert spend(0.0) == 0.0
    assert spend(1.0) == pytest.approx(ALPHA, abs=1e-15)
    # The 98.75 % point of the normal distribution in any table.
    assert pytest.approx(2.2414, abs=5e-5) == Z_LIMIT
    shares = [spend(part / 50) for part in range(51)]
    assert shares == sorted(shares)
    assert Looks().add(100, spend(0.01)) == MOST


def test_looks_that_spend_nothing_change_nothing() -> None:
    plain, watched = Looks(), Looks()
    for size in (10, 20, 30):
        assert watched.add(size, 0.0) == MOST
    assert watched.add(100, 0.05) == plain.add(100, 0.05) == pytest.approx(1.959964, abs=1e-6)
