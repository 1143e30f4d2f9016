"""Sensible digits: as many as the interval of a figure gives ground for."""

from __future__ import annotations

import math
from collections.abc import Iterable

#: No figure is shown with more decimals.
MOST = 6


def count_decimals(half_widths: Iterable[float], digits: int = 2, least: int = 0) -> int:
    """How many decimals figures are shown with that stand in one column.

    Args:
        half_widths: of their intervals; those that are 0, infinite or nan say nothing.
        digits: how many digits of the smallest of them are shown.
        least: the least number of decimals.

    Returns:
        From `least` to `MOST`; 3 if no interval says anything.

    >>> count_decimals([0.098, 0.0198])
    3
    >>> count_decimals([3.1])
    1
    """
    known = [width for width in half_widths if math.isfinite(width) and width > 0]
    if not known:
        return max(3, least)
    return min(max(digits - 1 - math.floor(math.log10(min(known))), least), MOST)


def spell(value: float, decimals: int, sign: str = "") -> str:
    """A figure with so many decimals; a dash if it is not known, and no minus before a zero.

    Args:
        sign: `+` to write it before positive figures too.
    """
    if not math.isfinite(value):
        return "-"
    text = f"{value:{sign},.{decimals}f}"
    return text.replace("-", "").replace("+", "") if not text.strip("+-0.") else text
