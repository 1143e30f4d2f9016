"""From hands to figures with intervals.

Sums are integers and merge with `+`, so that any division of the work gives the same figures;
floating point comes last. Shares carry Wilson intervals (Wilson 1927), means normal ones, ratios
the delta method. In mirrored play the two hands of a deal are one cluster: variances are those of
the deals, and Wilson's formula takes the effective number of hands (Kish 1965) for n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _batch
from ginsim.columns import DEAD_REASONS, OUTCOMES, SEATS
from ginsim.errors import OptionError
from ginsim.records import record_arrays

#: Two-sided 95 % of the normal distribution.
Z95 = 1.959963984540054


class Tally:
    """Integer sums over hands, in constant memory.

    Tallies of disjoint ranges under the same rules, strategies and seed add up with `+`.

    Attributes:
        sums: one record of `_batch.TALLY_DTYPE`.
        provenance: what reproduces the hands; after `+` its `ranges` lists all of them.
    """

    def __init__(self, sums: NDArray[np.void], provenance: dict[str, Any]) -> None:
        self.sums = sums
        self.provenance = provenance

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Tally:
        """The tally of a frame of records: what `tally` gives for the same hands.

        Raises:
            OptionError: if columns are missing, or if mirrored records are not whole pairs.
        """
        provenance = dict(frame.attrs.get("provenance", {}))
        mirror = bool(provenance.get("mirror", False))
        if mirror:
            index = frame["hand"].to_numpy()
            whole = len(index) % 2 == 0 and bool(
                ((index[0::2] % 2 == 0) & (index[1::2] == index[0::2] + 1)).all()
            )
            if not whole:
                raise OptionError(
                    "frame: mirrored records are counted by deal; allowed: both hands of each "
                    "deal, one after the other"
                )
        sums = np.zeros(1, _batch.TALLY_DTYPE)
        _batch.tally_records(*record_arrays(frame), sums, mirror=mirror)
        return cls(sums, provenance)

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return int(self.sums["hands"][0])

    @property
    def mirror(self) -> bool:
        """Whether the hands are mirrored pairs."""
        return bool(self.provenance.get("mirror", False))

    def __getitem__(self, name: str) -> Any:
        """A sum by its name: an integer or an array of integers."""
        value = self.sums[name][0]
        return value if isinstance(value, np.ndarray) else int(value)

    def add_sums(self, sums: NDArray[np.void]) -> None:
        """Add a record of sums to this tally in place."""
        for name in self.sums.dtype.names or ():
            self.sums[name] += sums[name]

    def __add__(self, other: Tally) -> Tally:
        """The tally of both.

        Raises:
            OptionError: if rules, strategies, seed or mirroring differ, or the ranges overlap.
        """
        if not isinstance(other, Tally):
            return NotImplemented
        ours, theirs = _origin(self.provenance), _origin(other.provenance)
        if ours != theirs:
            differing = sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key))
            raise OptionError(
                f"tally: {', '.join(differing)} differ; allowed: tallies of the same rules, "
                "strategies, seed and version"
            )
        ranges = _merge_ranges(_ranges(self.provenance) + _ranges(other.provenance))
        total = Tally(self.sums.copy(), {**ours, **_range_fields(ranges)})
        total.add_sums(other.sums)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return bool((self.sums == other.sums).all()) and self.provenance == other.provenance

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Tally of {self.hands:_} hands>"


def _origin(provenance: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in provenance.items() if key not in ("first", "hands", "ranges")
    }


def _ranges(provenance: dict[str, Any]) -> list[tuple[int, int]]:
    if "ranges" in provenance:
        return [(first, hands) for first, hands in provenance["ranges"]]
    return [(provenance["first"], provenance["hands"])] if "first" in provenance else []


def _merge_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, hands in sorted(pair for pair in ranges if pair[1]):
        if merged and first < sum(merged[-1]):
            raise OptionError(
                f"tally: hands {first} to {min(first + hands, sum(merged[-1])) - 1} are in both; "
                "allowed: disjoint ranges"
            )
        if merged and first == sum(merged[-1]):
            merged[-1] = (merged[-1][0], merged[-1][1] + hands)
        else:
            merged.append((first, hands))
    return merged


def _range_fields(ranges: list[tuple[int, int]]) -> dict[str, Any]:
    if len(ranges) <= 1:
        first, hands = ranges[0] if ranges else (0, 0)
        return {"first": first, "hands": hands}
    return {"ranges": [list(pair) for pair in ranges]}


@dataclass(frozen=True)
class Estimate:
    """A figure with its standard error and 95 % interval; nan where there is no ground for one."""

    value: float
    se: float
    low: float
    high: float


def estimate_share(count: int, hands: int, pairs: int = 0, both: int = 0) -> Estimate:
    """A share of hands with Wilson's 95 % interval.

    Args:
        count: hands that have the property, of `hands`.
        pairs: mirrored pairs that the hands form, 0 if they are independent.
        both: pairs of which both hands have the property.
    """
    if not hands:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    share = count / hands
    size = float(hands)
    variance = share * (1 - share) / hands
    if pairs:
        # Sum over pairs of (s - 2p)^2, s = 0, 1 or 2 hands of the pair; exact in integers.
        squares = (count + 2 * both) * pairs - count * count
        variance = squares / (4 * pairs**2 * (pairs - 1)) if pairs > 1 else math.nan
        size = effective_size(share, variance, pairs)
    return Estimate(share, math.sqrt(variance), *wilson(share, size))


def effective_size(share: float, variance: float, clusters: int) -> float:
    """How many independent hands would give a share the same variance (Kish 1965).

    Args:
        variance: that of the share, from the clusters' residuals.
        clusters: how many there are, deals for instance.
    """
    if clusters > 1 and variance > 0:
        return share * (1 - share) / variance
    if clusters == 1 or share in (0, 1):
        return clusters
    # One hand of each pair has it: the deals do not vary at all.
    return math.inf


def wilson(share: float, size: float) -> tuple[float, float]:
    """Bounds of the 95 % score interval of a share of `size` independent hands (Wilson 1927)."""
    if math.isinf(size):
        return share, share
    shrink = 1 + Z95**2 / size
    centre = (share + Z95**2 / (2 * size)) / shrink
    half = Z95 / shrink * math.sqrt(share * (1 - share) / size + Z95**2 / (4 * size**2))
    # Exact where rounding would leave a trace.
    return (centre - half if share > 0 else 0.0), (centre + half if share < 1 else 1.0)


def estimate_mean(total: int, squares: int, hands: int, pairs: int = 0) -> Estimate:
    """A mean over hands.

    Args:
        total: sum over hands.
        squares: sum of squares over hands, or over the pairs' sums if there are `pairs`.
    """
    if not hands:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    mean = total / hands
    clusters = pairs or hands
    se = math.nan
    if clusters > 1:
        # Integers as far as they go: sums of squares of a billion hands keep all their digits.
        spread = squares * clusters - total * total
        se = math.sqrt(spread / (clusters - 1)) / hands
    return Estimate(mean, se, mean - Z95 * se, mean + Z95 * se)


def estimate_ratio(
    top: int, bottom: int, top_squares: int, products: int, bottom_squares: int, clusters: int
) -> Estimate:
    """A ratio of two sums by the delta method.

    Args:
        top, bottom: the sums.
        top_squares, products, bottom_squares: sums over clusters of the cluster sums' products.
        clusters: independent hands, or deals.
    """
    if not bottom:
        return Estimate(math.nan, math.nan, math.nan, math.nan)
    ratio = top / bottom
    se = math.nan
    if clusters > 1:
        # The residuals top_i - ratio * bottom_i have mean zero.
        residual = top_squares - 2 * ratio * products + ratio**2 * bottom_squares
        se = math.sqrt(max(residual, 0.0) * clusters / (clusters - 1)) / bottom
    return Estimate(ratio, se, ratio - Z95 * se, ratio + Z95 * se)


def summarize(source: pd.DataFrame | Tally) -> pd.DataFrame:
    """How hands ended, in a tidy table.

    Args:
        source: records of `simulate` (or part of them), or a `Tally`. Both give the same numbers.

    Returns:
        A frame with the columns measure, outcome, seat, count, value, se, low, high; low and high
        bound the 95 % interval. Rows, by measure:

        - `share`: share of hands by outcome and seat (the winner; of a tie the knocker), with
          seat `all` for both together. Outcomes that no hand had are there with count 0.
        - `win`: share of hands won by south, by north, and (seat `nondealer`) by the non-dealer.
        - `dead`: share of hands dead by reason (column outcome).
        - `net`: mean of south's points minus north's, per hand.
        - `points`: mean points of the winner per hand (dead hands and ties count 0).
        - `points_per_win`: the same per hand that was won.
        - `turns`: mean number of turns of both seats.
    """
    tally = source if isinstance(source, Tally) else Tally.from_frame(source)
    table = pd.DataFrame(
        _rows(tally), columns=["measure", "outcome", "seat", "count", "value", "se", "low", "high"]
    )
    table.attrs["provenance"] = tally.provenance
    return table


def _rows(tally: Tally) -> list[tuple[Any, ...]]:
    hands, pairs = tally.hands, tally["pairs"]
    counts = tally["counts"]
    rows: list[tuple[Any, ...]] = []

    def add(measure: str, outcome: str, seat: str, count: int, figure: Estimate) -> None:
        rows.append(
            (measure, outcome, seat, count, figure.value, figure.se, figure.low, figure.high)
        )

    def add_share(measure: str, outcome: str, seat: str, count: int, both: int) -> None:
        add(measure, outcome, seat, count, estimate_share(count, hands, pairs, both))

    for code, outcome in enumerate(OUTCOMES):
        if outcome != "dead":
            for seat, name in enumerate(SEATS):
                count = int(counts[:, code, seat].sum())
                add_share("share", outcome, name, count, int(tally["pair_outcomes"][code, seat]))
        count = int(counts[:, code].sum())
        add_share("share", outcome, "all", count, int(tally["pair_outcomes_any"][code]))

    # Wins by dealer (first axis) and winner; ties and dead hands have no winner.
    decided = [code for code, name in enumerate(OUTCOMES) if name not in ("tie", "dead")]
    wins = counts[:, decided].sum(axis=1)
    for seat, name in enumerate(SEATS):
        add_share("win", "all", name, int(wins[:, seat].sum()), int(tally["pair_wins"][seat]))
    nondealer = int(wins[0, 1] + wins[1, 0])
    add_share("win", "all", "nondealer", nondealer, tally["pair_nondealer_wins"])

    dead = tally["dead_reasons"]
    for code, reason in enumerate(DEAD_REASONS):
        if reason != "none":
            both = int(tally["pair_dead_reasons"][code])
            add_share("dead", reason, "all", int(dead[code]), both)

    def squares(name: str) -> int:
        return int(tally[f"pair_{name}_squares"] if pairs else tally[f"{name}_squares"])

    points, num_wins = int(tally["points"].sum()), int(wins.sum())
    add("net", "all", "south", hands, estimate_mean(tally["net"], squares("net"), hands, pairs))
    add("points", "all", "all", hands, estimate_mean(points, squares("points"), hands, pairs))
    add(
        "points_per_win",
        "all",
        "all",
        num_wins,
        estimate_ratio(
            points,
            num_wins,
            squares("points"),
            tally["pair_points_decided"] if pairs else points,
            tally["pair_decided_squares"] if pairs else num_wins,
            pairs or hands,
        ),
    )
    add("turns", "all", "all", hands, estimate_mean(tally["turns"], squares("turns"), hands, pairs))
    return rows
