"""From hands to figures: tallies, and the table of how hands end.

Sums are integers and merge with `+`, so that any division of the work gives the same figures;
floating point comes last (intervals.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ginsim import _batch
from ginsim.columns import DEAD_REASONS, OUTCOMES, SEATS
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Estimate, estimate_mean, estimate_ratio, estimate_share
from ginsim.records import record_arrays
from ginsim.sums import Sums, find_range


class Tally(Sums):
    """Integer sums over hands, which add up with `+`: one record of `_batch.TALLY_DTYPE`."""

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Tally:
        """The tally of a frame of records: what `tally` gives for the same hands.

        Whether the hands are mirrored shows in the records: only then do hand and deal differ.
        Records that are no range of hands (chosen ones, or of several runs) make a tally that
        cannot be added to another.

        Raises:
            OptionError: if columns are missing, or if mirrored records are not whole pairs.
        """
        provenance, mirror = find_range(frame, "hand", "hands")
        sums = np.zeros(1, _batch.TALLY_DTYPE)
        _batch.tally_records(*record_arrays(frame), sums, mirror=mirror)
        return cls(sums, provenance)

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return self.count


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
    if not isinstance(source, Tally | pd.DataFrame):
        raise OptionError(refuse("source", source, "a frame of records or a Tally"))
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
