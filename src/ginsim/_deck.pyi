from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Two 64-bit words.
_Key: TypeAlias = NDArray[np.uint64] | Sequence[int]

STREAM_VERSION: Final[int]

# Shape (2,).
def make_key(seed: int) -> NDArray[np.uint64]: ...

# Shape (count,).
def stream_words(
    key: _Key, stream: int, deal: int, count: int, hand_in_game: int = 0
) -> NDArray[np.uint64]: ...

# Shape (4 * ranks,).
def whole_deck(
    key: _Key, deal: int, hand_in_game: int = 0, ranks: int = 13
) -> NDArray[np.uint8]: ...
def second_deck_card(key: _Key, deal: int, hand_in_game: int = 0, ranks: int = 13) -> int: ...
