from typing import Final

import numpy as np
from numpy.typing import NDArray

# What the tables brought the pairs; a word's code is its place.
NETS: Final[tuple[str, ...]]

# `rules` of RULES_DTYPE, shape (1,); tables are (pair that won or -1, points, prize boxes).
# (kind, pair or -1, points, boxes, prize boxes)
def net_tables(
    rules: NDArray[np.void],
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    spade: bool = False,
) -> tuple[str, int, int, int, int]: ...
