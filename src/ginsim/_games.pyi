from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ginsim._setup import Setup

GAME_RULES_DTYPE: Final[np.dtype[np.void]]
GAME_DTYPE: Final[np.dtype[np.void]]
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
def fill_game_hands(
    setup: Setup,
    rules: NDArray[np.void],
    first: int,
    count: int,
    games_out: NDArray[np.int64],
    numbers_out: NDArray[np.int16],
    scores_out: NDArray[np.int32],
    bytes_out: NDArray[np.int8],
    shorts_out: NDArray[np.int16],
    start: int,
    max_hands: int = 10_000,
) -> int: ...

# (hands used, winner or -1, points, scores, hands won, next dealer); pairs are by seat.
def score_game(
    rules: NDArray[np.void], winners: Iterable[int], points: Iterable[int], dealer: int = 0
) -> tuple[int, int, tuple[int, int], tuple[int, int], tuple[int, int], int]: ...
