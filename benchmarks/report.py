"""Nanoseconds per hand against their goals, from a saved run or a new one.

    python -m benchmarks.report                  # run all benchmarks, two to three minutes
    python -m benchmarks.report -k deadwood      # run some of them
    python -m benchmarks.report run.json         # what pytest --benchmark-json=run.json saved

A goal is met if the median is; where only the best round meets it, it says so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

Entry = dict[str, Any]


def run_benchmarks(select: str | None, file: Path) -> None:
    """Run the benchmarks and save them to a file.

    Raises:
        SystemExit: if one of them fails, with what pytest said.
    """
    command = [sys.executable, "-m", "pytest", str(ROOT / "benchmarks"), "--benchmark-only", "-q"]
    command += [f"--benchmark-json={file}"]
    if select:
        command += ["-k", select]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode or not file.exists():
        sys.exit(f"the benchmarks failed:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")


def format_report(document: Entry) -> str:
    """The tables of a saved run."""
    entries = [benchmark["extra_info"] for benchmark in document["benchmarks"]]
    about = document["machine_info"]["ginsim"]
    lines = [
        f"ginsim {about['ginsim']}, {about['compiler']}, Python {about['python']}, "
        f"NumPy {about['numpy']}",
        f"{about['processor']}, {about['processors']} processors, {about['system']}",
        f"{document['datetime'][:16].replace('T', ' ')} UTC, load before the run {about['load']}",
    ]
    timed = [entry for entry in entries if "goal_ns" in entry and "ratio" not in entry]
    # The small before the large, whatever the order of the files.
    timed.sort(key=lambda entry: str(entry["work"]).startswith("whole hand"))
    if timed:
        lines += ["", *_format_times(timed)]
    plain = [entry for entry in entries if "best_array_ns" in entry]
    if plain:
        lines += ["", *_format_plain(plain)]
    ratios = [entry for entry in entries if "against" in entry]
    if ratios:
        lines += ["", *_format_ratios(ratios)]
    for entry in entries:
        if "machine_ratio" in entry:
            lines += ["", *_format_threads(entry)]
    return "\n".join(lines)


def judge(best: float, median: float, goal: float | None) -> str:
    """In words whether a goal is met; less is better."""
    if goal is None:
        return ""
    if median <= goal:
        return "met"
    return "met by the best round only" if best <= goal else "not met"


def _format_times(entries: Sequence[Entry]) -> list[str]:
    lines = [f"{'ns of processor time per hand':46}{'best':>9}{'median':>9}{'goal':>8}"]
    for entry in entries:
        best, median, goal = entry["best_ns_per_hand"], entry["ns_per_hand"], entry["goal_ns"]
        if "goal_s" in entry:  # so many hands that their sum says more
            seconds = entry["hands"] / 1e9
            texts = [f"{value * seconds:.2f} s" for value in (best, median)]
            texts.append(f"{entry['goal_s']:.4g} s")
        else:
            texts = [f"{best:.2f}", f"{median:.2f}", "-" if goal is None else f"{goal:.4g}"]
        lines.append(
            f"{entry['work']:25}{entry['data']:21}{texts[0]:>9}{texts[1]:>9}{texts[2]:>8}"
            f"  {judge(best, median, goal)}".rstrip()
        )
    return lines


def _format_plain(entries: Sequence[Entry]) -> list[str]:
    lines = [
        "exact minimum in Python vs core, ns per hand, best rounds of one run",
        f"{'':25}{'plain Python':>14}{'core, a call each':>19}{'core, array':>13}{'ratio':>9}",
    ]
    lines += [
        f"{entry['data']:25}{entry['best_ns_per_hand']:14,.0f}{entry['best_calls_ns']:19,.0f}"
        f"{entry['best_array_ns']:13.2f}{entry['ratio']:9,.0f}"
        for entry in entries
    ]
    return lines


def _format_ratios(entries: Sequence[Entry]) -> list[str]:
    lines = [f"{'time per hand against another':67}{'best':>7}{'median':>9}{'goal':>8}"]
    for entry in entries:
        best, median, goal = entry["best_ratio"], entry["ratio"], entry["goal_ratio"]
        aim = "-" if goal is None else f"{goal:.3g}"
        lines.append(
            f"{entry['work']:25}{entry['data']:24}{entry['against']:18}{best:7.3f}{median:9.3f}"
            f"{aim:>8}  {judge(best, median, goal)}".rstrip()
        )
    return lines


def _format_threads(entry: Entry) -> list[str]:
    goal = entry["goal_ratio"]
    verdict = judge(-entry["best_ratio"], -entry["ratio"], -goal)
    if verdict == "not met" and entry["machine_ratio"] < goal:
        verdict = "not met, nor by the machine itself"
    return [
        f"{'':46}{'best':>9}{'median':>9}{'goal':>8}",
        f"{entry['work']:25}{entry['data']:21}{entry['best_ratio']:9.2f}{entry['ratio']:9.2f}"
        f"{goal:8.4g}  {verdict}",
        f"{'two spinning processes against one':46}{entry['best_machine_ratio']:9.2f}"
        f"{entry['machine_ratio']:9.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Print nanoseconds per hand against their goals.")
    parser.add_argument("file", nargs="?", type=Path, help="a saved run; without, a new one")
    parser.add_argument("-k", dest="select", help="run only the benchmarks that pytest -k selects")
    parser.add_argument("--save", type=Path, help="where to keep the new run")
    options = parser.parse_args()
    if options.file is None:
        with tempfile.TemporaryDirectory() as folder:
            file = options.save or Path(folder) / "run.json"
            run_benchmarks(options.select, file.absolute())
            text = file.read_text()
    else:
        try:
            text = options.file.read_text()
        except OSError as error:
            parser.error(f"{options.file}: {error.strerror}")
    document = json.loads(text)
    if "ginsim" not in document.get("machine_info", {}):
        parser.error(f"{options.file}: not a saved run of these benchmarks")
    print(format_report(document))
    if options.file is None:
        print(f"\nload after the run {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
