from typing import Final

import numpy as np
from numpy.typing import NDArray

BYTE_COLUMNS: Final[tuple[str, ...]]
SHORT_COLUMNS: Final[tuple[str, ...]]
TALLY_DTYPE: Final[np.dtype[np.void]]

# Throughout: `rules` of RULES_DTYPE, shape (1,); `strategies` of STRATEGY_DTYPE, shape (2,), south
# first; `key` of shape (2,); `tally` of TALLY_DTYPE, shape (1,).

# `bytes_out` is C-contiguous with shape (len(BYTE_COLUMNS), hands), `shorts_out` likewise.
def fill_records(
    rules: NDArray[np.void],
    strategies: NDArray[np.void],
    key: NDArray[np.uint64],
    first: int,
    bytes_out: NDArray[np.int8],
    shorts_out: NDArray[np.int16],
    start: int,
    stop: int,
    mirror: bool = False,
    ranks: int = 13,
    hand_size: int = 10,
) -> None: ...
def fill_tally(
    rules: NDArray[np.void],
    strategies: NDArray[np.void],
    key: NDArray[np.uint64],
    first: int,
    count: int,
    tally: NDArray[np.void],
    mirror: bool = False,
    ranks: int = 13,
    hand_size: int = 10,
) -> None: ...
def tally_records(
    bytes_in: NDArray[np.int8],
    shorts_in: NDArray[np.int16],
    tally: NDArray[np.void],
    mirror: bool = False,
) -> None: ...

# Of EVENT_DTYPE, shape (events,).
def trace_hand(
    rules: NDArray[np.void],
    strategies: NDArray[np.void],
    key: NDArray[np.uint64],
    index: int,
    mirror: bool = False,
    ranks: int = 13,
    hand_size: int = 10,
) -> NDArray[np.void]: ...
