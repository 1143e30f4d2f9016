"""Instructions per unit of work, which no other load on the machine can change.

    python -m benchmarks.count_instructions [--repeat N] [--json FILE]

Callgrind counts what the compiled function of each kernel executes, what it calls included. The
figure is the difference between a call on twice the units and one on the units, by the units, so
that checks and allocations of the call cancel. It depends on the source, the compiler and its
options, and the C library; not on the processor's speed or on what else it does. As long as no file
of the installation changes, it repeats exactly; then its second decimal may move, with the state of
the heap in which results are allocated. It does not tell how long the instructions take: a branch
predicted wrongly costs as much as dozens of them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import ginsim
from benchmarks import hands, instruction_driver
from ginsim import _batch, _core, _deck
from ginsim.rules import load_rules
from ginsim.rules import to_record as rules_record
from ginsim.strategies import parse_strategy
from ginsim.strategies import to_record as strategies_record

DRIVER = Path(instruction_driver.__file__)

#: Where the functions are; the others are in _core.
MODULES: dict[str, ModuleType] = {"fill_tally": _batch}


class Kernel(NamedTuple):
    """One figure: a function on one kind of data."""

    work: str
    data: str
    unit: str
    function: str
    arrays: tuple[Any, ...]
    units: int


class Count(NamedTuple):
    """Instructions per unit of a kernel."""

    kernel: Kernel
    instructions: float


def list_kernels() -> list[Kernel]:
    """All figures, in the order in which they are printed."""
    kernels = []
    for work, function, num_cards in (
        ("deadwood", "deadwoods", 10),
        ("best discard", "best_discards", 11),
        ("all eleven", "each_discard", 11),
    ):
        for data in hands.DATA:
            arrays = (hands.draw_hands(data, num_cards)[: 1 << 16],)
            kernels.append(Kernel(work, data, "hand", function, arrays, 1 << 15))
    for data in hands.DATA:
        layoffs = tuple(array[: 1 << 16] for array in hands.draw_layoffs(data))
        kernels.append(Kernel("layoff", data, "hand", "layoffs", layoffs, 1 << 15))
    for strategy in ("greedy", "simple", "random", "expert"):
        player = parse_strategy(strategy)
        core = (
            rules_record(load_rules("kawu")),
            strategies_record((player, player)),
            _deck.make_key(hands.SEED),
        )
        kernels.append(
            Kernel("whole hand", f"{strategy}, kawu", "hand", "fill_tally", core, 1 << 12)
        )
    return kernels


def find_valgrind() -> str:
    """Where valgrind is.

    Raises:
        SystemExit: in words, if it is nowhere.
    """
    path = shutil.which("valgrind")
    if path is None:
        sys.exit("valgrind is missing, which counts the instructions (Debian package valgrind)")
    return path


def count_instructions(valgrind: str, kernels: list[Kernel]) -> list[Count]:
    """Run the driver once under callgrind.

    Raises:
        SystemExit: in words, if that fails, or the functions are not found.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_calls(folder, kernels)
        options = ["--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        for function in sorted({kernel.function for kernel in kernels}):
            # Each dump holds what was executed since the last: the one after a call the call.
            symbol = _find_symbol(function)
            options += [f"--dump-before={symbol}", f"--dump-after={symbol}"]
        # Nothing from outside, and no more of the environment than is needed: whatever moves the
        # heap changes what an allocation costs, and with it the last digit.
        homes = {str(Path(str(module.__file__)).parents[1]): None for module in (ginsim, np)}
        environment = {
            "PATH": os.defpath,
            "PYTHONPATH": os.pathsep.join(homes),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        command = [valgrind, *options, sys.executable, "-S", str(DRIVER), str(folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"the driver failed under valgrind:\n{done.stderr[-2000:]}")
        calls = _read_dumps(folder)
    expected = 2 * instruction_driver.CALLS * len(kernels)
    if len(calls) != expected:
        sys.exit(f"callgrind saw {len(calls)} calls where {expected} were made")
    counts = []
    last = iter(calls[instruction_driver.CALLS - 1 :: instruction_driver.CALLS])
    for kernel, once, twice in zip(kernels, last, last, strict=True):
        counts.append(Count(kernel, (twice - once) / kernel.units))
    return counts


def _find_symbol(function: str) -> str:
    """The entry of a function from Python, as Cython names and numbers it."""
    path = Path(str(MODULES.get(function, _core).__file__))
    found = re.search(rb"\0(__pyx_pw_\w+_\d+" + function.encode() + rb")\0", path.read_bytes())
    if found is None:
        sys.exit(
            f"{path.name} names no function {function}: it must not be stripped of its symbols"
        )
    return found[1].decode()


def _write_calls(folder: Path, kernels: list[Kernel]) -> None:
    calls = []
    for place, kernel in enumerate(kernels):
        files = [f"{place}-{index}.npy" for index in range(len(kernel.arrays))]
        for file, array in zip(files, kernel.arrays, strict=True):
            np.save(folder / file, array)
        calls.append([kernel.function, files, kernel.units])
    (folder / "calls.json").write_text(json.dumps(calls))


def _read_dumps(folder: Path) -> list[int]:
    """Instructions of each call of a counted function, in the order of the calls."""
    dumps = sorted(folder.glob("out.*"), key=lambda path: int(path.suffix[1:]))
    counts = []
    for dump in dumps:
        text = dump.read_text(errors="replace")
        total = re.search(r"^(?:totals|summary): *(\d+)", text, re.MULTILINE)
        if "Trigger: --dump-after" in text and total:
            counts.append(int(total[1]))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description="Count instructions per unit of work.")
    parser.add_argument("--repeat", type=int, default=1, help="how often; the counts must agree")
    parser.add_argument("--json", type=Path, help="a file to write the counts to")
    options = parser.parse_args()
    valgrind = find_valgrind()
    kernels = list_kernels()
    counts = count_instructions(valgrind, kernels)
    print(f"{'':14}{'':16}{'instructions':>12}  per")
    for kernel, instructions in counts:
        print(f"{kernel.work:14}{kernel.data:16}{instructions:12,.2f}  {kernel.unit}")
    print(f"compiler {_core.COMPILER}")
    for _ in range(options.repeat - 1):
        again = count_instructions(valgrind, kernels)
        if again != counts:
            sys.exit("a repetition gave other counts: has a file of the package changed meanwhile?")
    if options.repeat > 1:
        print(f"{options.repeat} runs agree exactly")
    if options.json:
        document = {
            "compiler": _core.COMPILER,
            "counts": [
                {
                    "work": kernel.work,
                    "data": kernel.data,
                    "unit": kernel.unit,
                    "checksum": hands.checksum(*kernel.arrays)
                    if kernel.function != "fill_tally"
                    else None,
                    "instructions": instructions,
                }
                for kernel, instructions in counts
            ],
        }
        options.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
