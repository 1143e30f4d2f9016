from typing import Final

import numpy as np
from numpy.typing import NDArray

from ginsim._setup import Setup

MASK_COLUMNS: Final[tuple[str, ...]]
BYTE_COLUMNS: Final[tuple[str, ...]]
KINDS: Final[tuple[str, ...]]
ACTIONS: Final[tuple[str, ...]]

def count_decisions(setup: Setup, first: int, count: int, kinds: int) -> int: ...

# `masks_out` is C-contiguous with shape (len(MASK_COLUMNS), rows), `bytes_out` likewise.
def fill_decisions(
    setup: Setup,
    first: int,
    count: int,
    kinds: int,
    hands_out: NDArray[np.int64],
    masks_out: NDArray[np.uint64],
    bytes_out: NDArray[np.int8],
    start: int,
) -> int: ...
