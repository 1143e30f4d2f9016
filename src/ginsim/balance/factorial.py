"""Full factorial designs: which factors move a response most, alone and together.

Every combination of levels is a cell. A term is one factor (its main effect) or several (their
interaction), and has two figures:

- The **effect**, a contrast of cell means (Montgomery, *Design and Analysis of Experiments*,
  chapter 6). Of a factor with two levels it is the mean at the high level minus that at the low
  one; of one with more levels the same difference on the line that least squares put through its
  levels' means. Of two factors it is half the difference between one's effect at the other's high
  and low ends, and so on: each further factor halves a difference again.
- The **share** of the variance of the response over the cells, all of them counting alike: the
  functional analysis of variance (Hoeffding 1948; Sobol' 1993). It takes in what is not a line, and
  compares factors of any number of levels. The variance that the errors of the cells add is taken
  out of each term and of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ginsim.balance.means import Floats, check_numbers, check_spread
from ginsim.checks import check_whole
from ginsim.errors import OptionError, count, refuse
from ginsim.figures import adjust, two_sided
from ginsim.intervals import Z95, t95

#: Levels of each factor by its name, from low to high.
Levels = Mapping[str, Sequence[Any]]

#: Beyond so many degrees of freedom p-values of Student's t are within 2 % of those of the normal
#: distribution, as far as 1e-4.
_MANY = 5000


def list_cells(levels: Levels) -> list[dict[str, Any]]:
    """The cells of the design, as factors and their levels; the last factor changes fastest.

    Raises:
        OptionError: if there is no factor, or one has fewer than two different levels.
    """
    names = list(_check_levels(levels))
    return [
        dict(zip(names, values, strict=True))
        for values in product(*(levels[name] for name in names))
    ]


def estimate_effects(
    levels: Levels,
    means: ArrayLike,
    covariance: ArrayLike | None = None,
    *,
    errors: ArrayLike | None = None,
    order: int = 2,
    freedom: int | None = None,
) -> pd.DataFrame:
    """Main effects and interactions of a full factorial design.

    Args:
        levels: for each factor its levels from low to high: any two, or more that are numbers.
        means: the response of each cell, in the order of `list_cells`; or of the shape of the
            design.
        covariance: of these means, shape (cells, cells), as cells on common deals have it.
        errors: standard errors instead, of cells that are independent of each other.
        order: the most factors of a term.
        freedom: degrees of freedom of the covariance, for Student's t; None for the normal
            distribution.

    Returns:
        A row for each term, main effects first: term, order, effect, se, low, high (95 %), p
        (two-sided; nan without an error to compare with), p_holm (adjusted for all rows), share.
        Shares of all terms up to the highest order add up to 1, and what is missing belongs to
        terms that were left out; noise can make one slightly negative. They are nan if the cells
        do not differ by more than their errors.

    Raises:
        OptionError: if levels, numbers or shapes do not fit, or a number is not finite.
    """
    scores = _check_levels(levels)
    shape = tuple(len(own) for own in scores.values())
    values = _check_means(means, shape)
    spread = check_spread(covariance, errors, values.size, are_independent=True)
    most = min(check_whole("order", order, 1, None), len(shape))
    quantile = Z95 if freedom is None else t95(check_whole("freedom", freedom, 1, None))

    terms = list(_list_terms(len(shape), most))
    contrasts = np.array([_weigh(list(scores.values()), term) for term in terms])
    effect = contrasts @ values.ravel()
    # Cells on common deals may have all their variance in common: no error, but for rounding.
    variance = np.einsum("ti,ij,tj->t", contrasts, spread, contrasts)
    variance[variance < 1e-14 * spread.max(initial=0.0)] = 0.0
    se = np.sqrt(variance)
    p = two_sided(effect, se) if freedom is None else _two_sided_t(effect, se, freedom)
    return pd.DataFrame(
        {
            "term": [name_term(list(scores), term) for term in terms],
            "order": [len(term) for term in terms],
            "effect": effect,
            "se": se,
            "low": effect - quantile * se,
            "high": effect + quantile * se,
            "p": p,
            "p_holm": adjust(p),
            "share": _share_variance(values, spread, terms),
        }
    )


def estimate_levels(
    levels: Levels,
    means: ArrayLike,
    covariance: ArrayLike | None = None,
    *,
    errors: ArrayLike | None = None,
    freedom: int | None = None,
) -> pd.DataFrame:
    """The mean response at each level of each factor, over all levels of the others.

    Args:
        levels, means, covariance, errors, freedom: as in `estimate_effects`.

    Returns:
        A row for each level: factor, level, mean, se, low, high (95 %).
    """
    scores = _check_levels(levels)
    shape = tuple(len(own) for own in scores.values())
    values = _check_means(means, shape)
    spread = check_spread(covariance, errors, values.size, are_independent=True)
    quantile = Z95 if freedom is None else t95(check_whole("freedom", freedom, 1, None))
    rows = []
    for axis, name in enumerate(scores):
        for i, level in enumerate(levels[name]):
            weights = np.zeros(shape)
            weights[(slice(None),) * axis + (i,)] = shape[axis] / values.size
            flat = weights.ravel()
            mean = float(flat @ values.ravel())
            se = math.sqrt(max(float(flat @ spread @ flat), 0.0))
            rows.append((name, level, mean, se, mean - quantile * se, mean + quantile * se))
    return pd.DataFrame(rows, columns=["factor", "level", "mean", "se", "low", "high"])


def name_term(names: Sequence[str], term: Sequence[int]) -> str:
    """A term by its factors: `gin_bonus × undercut_bonus`."""
    return " × ".join(names[factor] for factor in term)


def _list_terms(factors: int, order: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, order + 1):
        yield from combinations(range(factors), size)


def _weigh(scores: Sequence[Floats], term: tuple[int, ...]) -> Floats:
    """The weights of the cells in a term's contrast."""
    weights = np.ones(1)
    for factor, own in enumerate(scores):
        part = np.full(len(own), 1 / len(own))
        if factor in term:
            centred = own - own.mean()
            # The slope of least squares, times the way from the lowest level to the highest.
            part = centred / (centred @ centred) * (own[-1] - own[0])
        weights = np.kron(weights, part)
    weights /= 2.0 ** (len(term) - 1)
    return weights


def _share_variance(values: Floats, spread: Floats, terms: Sequence[tuple[int, ...]]) -> Floats:
    """The share of each term in the variance over cells, without what errors add on average."""
    # Orthonormal directions: along each axis the first is the mean, the others are what differs
    # from it. A term has those that differ along its factors only.
    turn = np.ones((1, 1))
    for size in values.shape:
        base, _ = np.linalg.qr(np.column_stack([np.ones(size), np.eye(size)[:, 1:]]))
        turn = np.kron(turn, base.T)
    squares = (turn @ values.ravel()) ** 2 - ((turn @ spread) * turn).sum(axis=1)
    differs = np.indices(values.shape).reshape(values.ndim, -1) > 0
    whole = float(squares[1:].sum())
    # What rounding leaves where all cells are equal is no variance.
    if whole <= 1e-15 * float((values**2).sum()):
        return np.full(len(terms), np.nan)
    parts = []
    for term in terms:
        along = np.isin(np.arange(values.ndim), term)
        parts.append(float(squares[(differs == along[:, None]).all(axis=0)].sum()))
    return np.array(parts) / whole


def _two_sided_t(values: Floats, errors: Floats, freedom: int) -> Floats:
    """Two-sided p-values of Student's t; nan without an error to compare with.

    The finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    if freedom > _MANY:
        return two_sided(values, errors)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(errors > 0, np.abs(values) / errors, np.nan)
    angle = np.arctan(t / math.sqrt(freedom))
    square = np.cos(angle) ** 2
    odd = freedom % 2
    term = np.cos(angle) if odd else np.ones_like(t)
    total = np.zeros_like(t)
    for k in range(odd, freedom - 1, 2):
        total += term
        term = term * square * (k + 1) / (k + 2)
    inside = np.sin(angle) * total
    if odd:
        inside = 2 / math.pi * (angle + inside)
    chances: Floats = np.maximum(1 - inside, 0.0)
    return chances


def _check_levels(levels: Levels) -> dict[str, Floats]:
    """The scores of the levels of each factor: their values, or 0 and 1 of any two."""
    if not isinstance(levels, Mapping) or not levels:
        raise OptionError(refuse("levels", levels, "a mapping of one factor or more to its levels"))
    scores = {}
    for name, own in levels.items():
        if isinstance(own, str) or len(own) < 2:
            raise OptionError(refuse(f"levels of {name}", own, "two levels or more"))
        if len(own) == 2:
            if own[0] == own[1]:
                raise OptionError(refuse(f"levels of {name}", own, "different levels"))
            scores[name] = np.array([0.0, 1.0])
            continue
        scores[name] = check_numbers(f"levels of {name}", own, 1)
        if (np.diff(scores[name]) <= 0).any():
            raise OptionError(refuse(f"levels of {name}", own, "numbers that rise, or two levels"))
    return scores


def _check_means(means: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """The means in the shape of the design."""
    array = np.asarray(means)
    cells = math.prod(shape)
    if array.shape not in {shape, (cells,)}:
        allowed = f"{count(cells, 'mean')}, one a cell, or the shape {list(shape)}"
        raise OptionError(refuse("means", list(array.shape), allowed))
    return check_numbers("means", array.reshape(cells), 1).reshape(shape)
