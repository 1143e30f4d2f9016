from typing import Final

import numpy as np
from numpy.typing import NDArray

# In place of the end of a game that has none among its hands.
NO_END: Final[dict[str, int]]

# The rows of the arrays written.
PRICE_BYTES: Final[tuple[str, ...]]
PRICE_SHORTS: Final[tuple[str, ...]]
NET_BYTES: Final[tuple[str, ...]]
NET_SHORTS: Final[tuple[str, ...]]

# All arrays are C-contiguous; `rules` has shape (1,).

# `rules` of RULES_DTYPE. `bytes_out` has shape (len(PRICE_BYTES), hands), `shorts_out` likewise.
def price_hands(
    rules: NDArray[np.void],
    outcomes: NDArray[np.int8],
    knockers: NDArray[np.int8],
    south_deadwood: NDArray[np.int8],
    north_deadwood: NDArray[np.int8],
    knock_cards: NDArray[np.int8],
    bytes_out: NDArray[np.int8],
    shorts_out: NDArray[np.int16],
) -> None: ...

# `rules` of RULES_DTYPE. `bytes_out` has shape (len(NET_BYTES), rows), `shorts_out` likewise.
def net_hands(
    rules: NDArray[np.void],
    winners: NDArray[np.int8],
    points: NDArray[np.int16],
    prize_boxes: NDArray[np.int8],
    knock_cards: NDArray[np.int8],
    others_known: NDArray[np.int8],
    bytes_out: NDArray[np.int8],
    shorts_out: NDArray[np.int16],
) -> None: ...

# `rules` of GAME_RULES_DTYPE. `ends_out` has shape (games,), `before_out` (2, hands).
def book_hands(
    rules: NDArray[np.void],
    starts: NDArray[np.int64],
    winners: NDArray[np.int8],
    points: NDArray[np.int16],
    boxes: NDArray[np.int8],
    dealers: NDArray[np.int8],
    pairings: NDArray[np.int8],
    max_hands: int,
    ends_out: NDArray[np.int64],
    before_out: NDArray[np.int32],
) -> None: ...
