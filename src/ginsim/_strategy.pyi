from typing import Final

import numpy as np

STRATEGY_DTYPE: Final[np.dtype[np.void]]
