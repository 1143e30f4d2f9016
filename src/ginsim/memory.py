"""Frames that would not fit into memory are refused before they are made."""

from __future__ import annotations

import os

from ginsim.errors import OptionError


def find_free_memory() -> int | None:
    """Memory that can be had now, in bytes; None where the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def check_memory(
    unit: str, count: int, size: float, rows: str, advice: str, bound: int | None = None
) -> None:
    """Refuse a frame that is too large.

    Args:
        unit: the argument that asks for it, `hands` for instance.
        count: its value.
        size: bytes of the whole frame.
        rows: how many rows it would have, in words.
        advice: what to do instead, in words.
        bound: the most bytes allowed; None for 80 % of the memory that is free.

    Raises:
        OptionError: naming the argument, the size and about how many would fit.
    """
    words = "max_bytes"
    if bound is None:
        free = find_free_memory()
        if free is None:
            return
        bound, words = free * 8 // 10, "80 % of the memory that is free"
    if size > bound:
        raise OptionError(
            f"{unit}: {count} would take {rows} and {size / 1e9:.3g} GB, more than "
            f"{bound / 1e9:.3g} GB ({words}); allowed: about {int(count * bound / size)} {unit}, "
            f"{advice}"
        )
