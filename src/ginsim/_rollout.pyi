from typing import Final

import numpy as np
from numpy.typing import NDArray

OPPONENTS: Final[tuple[str, ...]]

# Of STRATEGY_DTYPE, shape (len(OPPONENTS) - 1,): those after the first.
def opponent_records() -> NDArray[np.void]: ...
