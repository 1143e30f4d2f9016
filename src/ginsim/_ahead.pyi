from collections.abc import Iterable

# For each turn (leaves before it, 3 for more than two, least deadwood, best discards), or None.
def follow_leaves(
    cards: int, turns: Iterable[tuple[int, bool]]
) -> list[tuple[int, int, int] | None]: ...
