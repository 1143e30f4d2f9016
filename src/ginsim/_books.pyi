from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

GAME_RULES_DTYPE: Final[np.dtype[np.void]]

# `rules` of GAME_RULES_DTYPE, shape (1,); winners are seats, -1 for none.
def book_game(
    rules: NDArray[np.void],
    winners: Iterable[int],
    points: Iterable[int],
    boxes: Iterable[int],
    dealer: int = 0,
) -> dict[str, Any]: ...
