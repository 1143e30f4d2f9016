from typing import Final

import numpy as np
from numpy.typing import NDArray

from ginsim._setup import Setup

BYTE_COLUMNS: Final[tuple[str, ...]]
SHORT_COLUMNS: Final[tuple[str, ...]]
TALLY_DTYPE: Final[np.dtype[np.void]]

# Throughout `tally` is of TALLY_DTYPE, shape (1,).

# `bytes_out` is C-contiguous with shape (len(BYTE_COLUMNS), hands), `shorts_out` likewise.
def fill_records(
    setup: Setup,
    first: int,
    bytes_out: NDArray[np.int8],
    shorts_out: NDArray[np.int16],
    start: int,
    stop: int,
    full: bool = False,
) -> None: ...
def fill_tally(setup: Setup, first: int, count: int, tally: NDArray[np.void]) -> None: ...
def tally_records(
    bytes_in: NDArray[np.int8],
    shorts_in: NDArray[np.int16],
    tally: NDArray[np.void],
    mirror: bool = False,
) -> None: ...

# Of EVENT_DTYPE, shape (events,).
def trace_hand(setup: Setup, index: int) -> NDArray[np.void]: ...
