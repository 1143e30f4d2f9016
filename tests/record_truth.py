"""The truth that tests/test_coverage.py holds intervals to: sums over 10**9 hands and 10**8 games.

`python -m tests.record_truth` plays what tests/data/truth.csv does not have yet, a part after the
other (some quarter of an hour on one core for all of it), and writes the file anew after each.
"""

from __future__ import annotations

import argparse
import csv
import os
from dataclasses import dataclass
from pathlib import Path

import ginsim

PATH = Path(__file__).parent / "data" / "truth.csv"
RULES = "kawu"
PAIR = ("greedy(knock_at=10)", "greedy(knock_at=4)")
SEED = 2026
#: A hundred parts of each.
PARTS = 100
SIZES = {"hands": 10**7, "games": 10**6}

#: What the file says of itself.
ABOUT = (
    f"# Sums over mirrored hands and games of {PAIR[0]} (south) against {PAIR[1]} (north)",
    f"# under {RULES}, seed {SEED}; `first` is the index of a part's first hand or game.",
    f"# Made by `python -m tests.record_truth` of ginsim {ginsim.__version__}, stream "
    f"{ginsim.STREAM_VERSION}.",
)


@dataclass(frozen=True)
class Part:
    """The sums of a part; points of hands that were won, of games the margin of scores."""

    unit: str
    first: int
    count: int
    south_wins: int
    north_wins: int
    net: int
    points: int


def play_part(unit: str, number: int, threads: int = 1) -> Part:
    """Play a part."""
    size = SIZES[unit]
    first = number * size
    play = ginsim.tally if unit == "hands" else ginsim.tally_games
    sums = play(RULES, PAIR, size, seed=SEED, first=first, threads=threads, mirror=True)
    if unit == "hands":
        table = ginsim.summarize(sums)  # type: ignore[arg-type]
        net, points = int(sums["net"]), int(sums["points"].sum())
    else:
        table = ginsim.summarize_games(sums)  # type: ignore[arg-type]
        net, points = int(sums["margin"]), 0
    wins = table[table["measure"] == "win"].set_index("seat")["count"]
    return Part(unit, first, size, int(wins["south"]), int(wins["north"]), net, points)


def read_parts() -> list[Part]:
    """The parts in the file."""
    if not PATH.exists():
        return []
    lines = [line for line in PATH.read_text().splitlines() if not line.startswith("#")]
    return [
        Part(row["unit"], *(int(row[key]) for key in list(row)[1:]))
        for row in csv.DictReader(lines)
    ]


def write_parts(parts: list[Part]) -> None:
    """Write the file, whole."""
    names = list(Part.__dataclass_fields__)
    rows = [",".join(str(getattr(part, name)) for name in names) for part in parts]
    text = "\n".join((*ABOUT, ",".join(names), *rows)) + "\n"
    other = PATH.with_suffix(".part")
    other.write_text(text)
    os.replace(other, PATH)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    threads = parser.parse_args().threads
    parts = read_parts()
    there = {(part.unit, part.first) for part in parts}
    for unit, size in SIZES.items():
        for number in range(PARTS):
            if (unit, number * size) not in there:
                parts.append(play_part(unit, number, threads))
                write_parts(sorted(parts, key=lambda part: (part.unit, part.first)))


if __name__ == "__main__":
    main()
