"""What `count_instructions.py` runs under callgrind: instruction_driver.py FOLDER.

It imports nothing that it does not need, since every instruction takes fifty times as long there.
`FOLDER/calls.json` lists [kernel, [files of arrays], units]; the arrays lie beside it.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ginsim import _batch, _core
from ginsim._setup import Setup

#: How often each call is made: only the last one is counted, when what it allocates has its place.
CALLS = 3


def main() -> None:
    folder = Path(sys.argv[1])
    tally = np.zeros(1, _batch.TALLY_DTYPE)
    for kernel, files, units in json.loads((folder / "calls.json").read_text()):
        arrays: list[Any] = [np.load(folder / file) for file in files]
        for count in (units, 2 * units):
            for _ in range(CALLS):
                if kernel == "fill_tally":
                    _batch.fill_tally(Setup(*arrays), 0, count, tally)
                else:
                    getattr(_core, kernel)(*(array[:count] for array in arrays))


if __name__ == "__main__":
    main()
