from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ginsim._position import Hand

MOST: Final[int]

# `rules` is of RULES_DTYPE, shape (1,); sets of cards are masks.
def set_up(
    rules: NDArray[np.void],
    cards: int,
    pile: Sequence[int],
    taken: int,
    showed: int,
    turn: int,
    other_turns: int,
    dealer: int,
    pile_draws: int,
    own_pile_draws: int,
    limit: int,
    knock_card: int = -1,
    drawn: int = -1,
    from_pile: bool = False,
    is_offer: bool = False,
    is_passed: bool = False,
    is_wall: bool = False,
) -> Hand: ...

# `players` is of STRATEGY_DTYPE, shape (2,), `search` (1,); `nets` and `winners` are C-contiguous
# with shape (chains, play-outs, MOST).
def value_chains(
    hand: Hand,
    players: NDArray[np.void],
    search: NDArray[np.void],
    key: int,
    nets: NDArray[np.int32],
    winners: NDArray[np.int8],
) -> tuple[list[tuple[Any, ...]], tuple[int, int, int]]: ...
