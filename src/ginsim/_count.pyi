import numpy as np
from numpy.typing import NDArray

# int64 counts by deadwood 0-110, and how many hands have no meld
def count_deadwoods(
    num_cards: int, first: int = 0, last: int = 8192, after_discard: bool = False
) -> tuple[NDArray[np.int64], int]: ...

# int64 counts by deadwood 0-110, how many hands have no meld, counts after draw and discard
def sample_deadwoods(
    key: NDArray[np.uint64], num_cards: int, first: int, count: int
) -> tuple[NDArray[np.int64], int, NDArray[np.int64]]: ...
