import numpy as np
from numpy.typing import NDArray

# int64 counts by deadwood 0-110, and how many hands have no meld
def count_deadwoods(
    num_cards: int, first: int = 0, last: int = 8192, after_discard: bool = False
) -> tuple[NDArray[np.int64], int]: ...
