"""Integer sums that merge: what any division of the work adds up to."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.errors import OptionError


class Sums:
    """A record of integer sums over a range of hands or games, in constant memory.

    Sums over disjoint ranges under the same rules, strategies and seed add up with `+`.

    Attributes:
        sums: one record, a structured array of shape (1,).
        provenance: what reproduces it: `first` and the number, or after `+` of ranges that do not
            touch `ranges`. `selected` instead says that it is of chosen records.
    """

    #: What is counted, in words and as the key of provenance.
    unit: ClassVar[str] = "hands"

    def __init__(self, sums: NDArray[np.void], provenance: dict[str, Any]) -> None:
        self.sums = sums
        self.provenance = provenance

    @property
    def count(self) -> int:
        """How many hands or games there are."""
        return int(self.sums[self.unit][0])

    @property
    def mirror(self) -> bool:
        """Whether they are mirrored pairs."""
        return bool(self.provenance.get("mirror", False))

    def __getitem__(self, name: str) -> Any:
        """A sum by its name: an integer or an array of integers."""
        value = self.sums[name][0]
        return value if isinstance(value, np.ndarray) else int(value)

    def add_sums(self, sums: NDArray[np.void]) -> None:
        """Add a record of sums to this one in place."""
        for name in self.sums.dtype.names or ():
            self.sums[name] += sums[name]

    def __add__(self, other: Self) -> Self:
        """The sums of both.

        Raises:
            OptionError: if rules, strategies, seed or mirroring differ, or the ranges overlap.
        """
        if type(other) is not type(self):
            return NotImplemented
        for each in (self, other):
            if "selected" in each.provenance:
                raise OptionError(
                    f"tally: one is of {each.count} selected {self.unit}; allowed: ranges of "
                    f"{self.unit}, which can be seen to be disjoint"
                )
        ours, theirs = self._origin(), other._origin()
        if ours != theirs:
            differing = sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key))
            raise OptionError(
                f"tally: {', '.join(differing)} differ; allowed: tallies of the same rules, "
                "strategies, seed and version"
            )
        ranges = self._merge(self._ranges() + other._ranges())
        total = type(self)(self.sums.copy(), {**ours, **self._range_fields(ranges)})
        total.add_sums(other.sums)
        return total

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool((self.sums == other.sums).all()) and self.provenance == other.provenance

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.count:_} {self.unit}>"

    def _origin(self) -> dict[str, Any]:
        """The provenance without the range."""
        ranged = ("first", "ranges", self.unit)
        return {key: value for key, value in self.provenance.items() if key not in ranged}

    def _ranges(self) -> list[tuple[int, int]]:
        origin = self.provenance
        if "ranges" in origin:
            return [(first, count) for first, count in origin["ranges"]]
        return [(origin["first"], origin[self.unit])] if "first" in origin else []

    def _range_fields(self, ranges: list[tuple[int, int]]) -> dict[str, Any]:
        if len(ranges) <= 1:
            first, count = ranges[0] if ranges else (0, 0)
            return {"first": first, self.unit: count}
        return {"ranges": [list(pair) for pair in ranges]}

    def _merge(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        merged: list[tuple[int, int]] = []
        for first, count in sorted(pair for pair in ranges if pair[1]):
            if merged and first < sum(merged[-1]):
                raise OptionError(
                    f"tally: {self.unit} {first} to {min(first + count, sum(merged[-1])) - 1} are "
                    "in both; allowed: disjoint ranges"
                )
            if merged and first == sum(merged[-1]):
                merged[-1] = (merged[-1][0], merged[-1][1] + count)
            else:
                merged.append((first, count))
        return merged


def find_range(frame: pd.DataFrame, index: str, unit: str) -> tuple[dict[str, Any], bool]:
    """The provenance of the rows that a frame has, and whether they are mirrored pairs.

    Args:
        frame: of hands or games, or a part of one.
        index: the column of their indices.
        unit: what provenance calls them.

    Raises:
        OptionError: if a column is missing, or mirrored rows are not whole pairs.
    """
    for name in (index, "deal"):
        if name not in frame:
            raise OptionError(f"frame: column {name} is missing; allowed: records of {unit}")
    numbers = frame[index].to_numpy()
    mirror = bool((numbers != frame["deal"].to_numpy()).any())
    origin = dict(frame.attrs.get("provenance", {}))
    origin.pop("rows", None)
    if not len(numbers):
        mirror = bool(origin.get("mirror", False))
    elif origin.get("mirror"):
        # Of hand 0 alone nothing shows.
        mirror = True
    if mirror:
        whole = len(numbers) % 2 == 0 and bool(
            ((numbers[0::2] % 2 == 0) & (numbers[1::2] == numbers[0::2] + 1)).all()
        )
        if not whole:
            raise OptionError(
                f"frame: mirrored {unit} are counted by deal; allowed: both {unit} of each deal, "
                "one after the other"
            )
    origin["mirror"] = mirror
    first = int(numbers[0]) if len(numbers) else int(origin.get("first", 0))
    if bool((np.diff(numbers) == 1).all()) and "seed" in origin:
        return {**origin, "first": first, unit: len(numbers)}, mirror
    for name in ("first", "ranges", unit):
        origin.pop(name, None)
    return {**origin, "selected": len(numbers)}, mirror
