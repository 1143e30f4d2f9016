from typing import Final

import numpy as np
from numpy.typing import NDArray

from ginsim._setup import Setup

GAME_DTYPE: Final[np.dtype[np.void]]
GAME_HAND_DTYPE: Final[np.dtype[np.void]]
GAME_TALLY_DTYPE: Final[np.dtype[np.void]]

# Throughout `rules` is of GAME_RULES_DTYPE and `tally` of GAME_TALLY_DTYPE, both of shape (1,).

def fill_games(
    setup: Setup,
    rules: NDArray[np.void],
    first: int,
    games: NDArray[np.void],
    start: int,
    stop: int,
    max_hands: int = 10_000,
) -> None: ...
def fill_game_tally(
    setup: Setup,
    rules: NDArray[np.void],
    first: int,
    count: int,
    tally: NDArray[np.void],
    max_hands: int = 10_000,
) -> None: ...
def tally_games(games: NDArray[np.void], tally: NDArray[np.void], mirror: bool = False) -> None: ...

# `rows_out` of GAME_HAND_DTYPE; the two others as in _batch.fill_records.
def fill_game_hands(
    setup: Setup,
    rules: NDArray[np.void],
    first: int,
    count: int,
    rows_out: NDArray[np.void],
    bytes_out: NDArray[np.int8],
    shorts_out: NDArray[np.int16],
    start: int,
    max_hands: int = 10_000,
    min_hands: int = 0,
) -> int: ...
def count_rows(
    setup: Setup,
    rules: NDArray[np.void],
    first: int,
    count: int,
    rows_out: NDArray[np.int64],
    max_hands: int = 10_000,
    min_hands: int = 0,
) -> None: ...

# `starts` has the first hand of each game and the end; `games` is of GAME_DTYPE.
def book_games(
    rules: NDArray[np.void],
    starts: NDArray[np.int64],
    winners: NDArray[np.int8],
    points: NDArray[np.int16],
    boxes: NDArray[np.int8],
    dealers: NDArray[np.int8],
    games: NDArray[np.void],
) -> None: ...

# One array of _hand.EVENT_DTYPE for each table.
def trace_tables(
    setup: Setup, rules: NDArray[np.void], index: int, hand_in_game: int, max_hands: int = 10_000
) -> list[NDArray[np.void]]: ...
