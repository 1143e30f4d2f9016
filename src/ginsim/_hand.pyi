from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

RULES_DTYPE: Final[np.dtype[np.void]]
EVENT_DTYPE: Final[np.dtype[np.void]]

# A word's code is its place.
OUTCOMES: Final[tuple[str, ...]]
DEAD_REASONS: Final[tuple[str, ...]]
PHASES: Final[tuple[str, ...]]
EVENTS: Final[tuple[str, ...]]

# Rules are records of RULES_DTYPE, shape (1,).

# (outcome, winner, points, boxes, prize boxes)
def score_hand(
    rules: NDArray[np.void],
    knocker_deadwood: int,
    defender_deadwood: int,
    big_gin: bool = False,
    spade: bool = False,
) -> tuple[str, Literal["knocker", "defender"] | None, int, int, int]: ...
def knock_limit(rules: NDArray[np.void], knock_card: int = -1) -> int: ...
