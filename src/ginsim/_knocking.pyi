from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ginsim._position import Hand
from ginsim._setup import Setup

KEYS: Final[tuple[str, ...]]
KEY_LOWS: Final[tuple[int, ...]]
KEY_SIZES: Final[tuple[int, ...]]
FIGURES: Final[tuple[str, ...]]
SUMS: Final[tuple[str, ...]]
BYTE_COLUMNS: Final[tuple[str, ...]]
NET_COLUMNS: Final[tuple[str, ...]]
END_COLUMNS: Final[tuple[str, ...]]
ROOM: Final[int]

# `rules` is of RULES_DTYPE, shape (1,); `strategies` of STRATEGY_DTYPE, shape (2,).
def may_stop(rules: NDArray[np.void], strategies: NDArray[np.void], seat: int) -> bool: ...

# `sums` is C-contiguous with shape (cells, len(SUMS)).
def fill_cells(
    setup: Setup,
    first: int,
    count: int,
    seat: int,
    replay: bool,
    bounds: Sequence[tuple[int, int]],
    by: Sequence[bool],
    sums: NDArray[np.int64],
) -> None: ...

# The arrays are C-contiguous with shape (columns, rows): (hands, rows) that were written.
def fill_chances(
    setup: Setup,
    first: int,
    count: int,
    seat: int,
    replay: bool,
    ends_out: NDArray[np.int32],
    bytes_out: NDArray[np.int8],
    nets_out: NDArray[np.int32],
    start: int = 0,
) -> tuple[int, int]: ...

# (turn, deadwood, pick-ups, own pick-ups, stock, limit, at the wall, knocks, card to knock with,
# card to throw)
def look_at_chance(
    hand: Hand, setup: Setup
) -> tuple[int, int, int, int, int, int, bool, bool, int, int] | None: ...

# Of n paths with m chances: counts and ends (n,), cells and knocks (m,), table (cells,), out
# (cells, 3).
def flip_gains(
    counts: NDArray[np.int32],
    cells: NDArray[np.int16],
    knocks: NDArray[np.int64],
    ends: NDArray[np.int64],
    table: NDArray[np.uint8],
    out: NDArray[np.int64],
) -> int: ...
def path_values(
    counts: NDArray[np.int32],
    cells: NDArray[np.int16],
    knocks: NDArray[np.int64],
    ends: NDArray[np.int64],
    table: NDArray[np.uint8],
    out: NDArray[np.int64],
) -> None: ...
