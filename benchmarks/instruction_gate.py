"""Whether the core does its work in as many instructions as recorded; noise cannot move that.

    python -m benchmarks.instruction_gate            # compares; exit code 1 if something moved
    python -m benchmarks.instruction_gate --record   # records the present counts, on purpose

A count that moved by more than a few per cent fails, up or down: what has become cheaper is to be
recorded, else the next loss would hide in the gain. Counts are those of one compiler; under another
one, and without valgrind, nothing is compared, and it says so.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.count_instructions import Count, count_instructions, find_valgrind, list_kernels
from ginsim import _core

RECORD = Path(__file__).with_name("instructions.json")
#: The share by which a count may move, such as another version of a library may bring.
SLACK = 0.03


class Change(NamedTuple):
    """A count beside the recorded one; one of them is None where there is none."""

    name: str
    recorded: float | None
    counted: float | None

    @property
    def share(self) -> float:
        """How much larger the count is, as a share of the recorded one."""
        if not self.recorded or self.counted is None:
            return float("inf")
        return self.counted / self.recorded - 1

    @property
    def failed(self) -> bool:
        """Whether it moved by more than the slack, or is on one side only."""
        return abs(self.share) > SLACK


def compare_counts(recorded: Mapping[str, float], counted: Mapping[str, float]) -> list[Change]:
    """The counts beside those recorded, in the order of the record."""
    names = [*recorded, *(name for name in counted if name not in recorded)]
    return [Change(name, recorded.get(name), counted.get(name)) for name in names]


def format_changes(changes: Sequence[Change]) -> str:
    """A table of them, with a word beside what failed."""
    lines = [f"{'instructions per hand':32}{'recorded':>12}{'counted':>12}{'change':>9}"]
    for change in changes:
        numbers = (
            "-" if number is None else f"{number:,.1f}"
            for number in (change.recorded, change.counted)
        )
        moved = "-" if change.share == float("inf") else f"{change.share:+.1%}"
        word = ""
        if change.failed:
            word = "  slower" if change.share > 0 else "  faster: record it"
            word = "  on one side only: record it" if moved == "-" else word
        lines.append(f"{change.name:32}" + "{:>12}{:>12}".format(*numbers) + f"{moved:>9}{word}")
    return "\n".join(lines)


def name_counts(counts: Sequence[Count]) -> dict[str, float]:
    """The counts by the name of work and data."""
    return {
        f"{count.kernel.work}, {count.kernel.data}": round(count.instructions, 1)
        for count in counts
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare instruction counts with the recorded.")
    parser.add_argument("--record", action="store_true", help="record the present counts")
    options = parser.parse_args()
    if options.record:
        counts = name_counts(count_instructions(find_valgrind(), list_kernels()))
        document = {"compiler": _core.COMPILER, "instructions": counts}
        RECORD.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        print(f"recorded {len(counts)} counts of {_core.COMPILER}")
        return
    recorded: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    if recorded["compiler"] != _core.COMPILER:
        print(f"not compared: recorded with {recorded['compiler']}, built with {_core.COMPILER}")
        return
    if shutil.which("valgrind") is None:
        print("not compared: valgrind is missing (Debian package valgrind)")
        return
    counts = name_counts(count_instructions(find_valgrind(), list_kernels()))
    changes = compare_counts(recorded["instructions"], counts)
    print(format_changes(changes))
    if any(change.failed for change in changes):
        sys.exit(f"counts moved by more than {SLACK:.0%}")
    print(f"all within {SLACK:.0%}")


if __name__ == "__main__":
    main()
