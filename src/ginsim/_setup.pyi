import numpy as np
from numpy.typing import NDArray

class Setup:
    num_hands: int | None
    # `rules` of RULES_DTYPE, shape (1,); `strategies` of STRATEGY_DTYPE, shape (2,), south first,
    # or (4,);
    # `key` of shape (2,); `decks` of shape (deals, 52).
    def __init__(
        self,
        rules: NDArray[np.void],
        strategies: NDArray[np.void],
        key: NDArray[np.uint64],
        mirror: bool = False,
        ranks: int = 13,
        hand_size: int = 10,
        decks: NDArray[np.uint8] | None = None,
    ) -> None: ...
    @property
    def mirror(self) -> bool: ...
    def check_range(self, first: int, count: int, players: int = 2) -> None: ...
