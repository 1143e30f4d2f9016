"""The best knock table on recorded paths.

A seat that waits comes to all its chances to knock; of each the value of a knock is known, and of
the whole path that of never knocking. So one path for each deal says what any knock table would
have brought, as long as nothing else that the seat does depends on the table: it knocks at the
first chance whose cell the table has. Tables are arrays of 0 and 1, a number for each cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ginsim import _knocking
from ginsim.timing import ENOUGH

Table = NDArray[np.uint8]

#: The shape of a table: knock limit, pick-ups, turn, deadwood.
SHAPE = tuple(
    _knocking.KEY_SIZES[_knocking.KEYS.index(key)]
    for key in ("limit", "pick_ups", "turn", "deadwood")
)
LIMITS, PICK_UPS, TURNS, DEADWOODS = SHAPE
#: Times that all turns are gone through.
SWEEPS = 30
#: Up to so many cells, pairs of them are changed together.
FEW = 64


@dataclass(frozen=True)
class Problem:
    """Recorded paths.

    Attributes:
        counts: chances of each path.
        cells: of each chance, paths in order: its cell, a number in an array of SHAPE.
        knocks: the value of a knock there.
        ends: of each path, its value if it is never knocked.
    """

    counts: NDArray[np.int32]
    cells: NDArray[np.int16]
    knocks: NDArray[np.int64]
    ends: NDArray[np.int64]

    def values(self, table: Table) -> NDArray[np.int64]:
        """The value of each path under a table."""
        out = np.zeros(len(self.ends), np.int64)
        _knocking.path_values(self.counts, self.cells, self.knocks, self.ends, np.ravel(table), out)
        return out

    def gains(self, table: Table) -> NDArray[np.int64]:
        """For each cell: paths that come to it, the change of their value if it were changed, and
        the squares of the changes; shape (cells, 3)."""
        out = np.zeros((table.size, 3), np.int64)
        _knocking.flip_gains(self.counts, self.cells, self.knocks, self.ends, np.ravel(table), out)
        return out


def number_cells(
    turn: NDArray[np.int8],
    deadwood: NDArray[np.int8],
    pick_ups: NDArray[np.int8] | None = None,
    limit: NDArray[np.int8] | None = None,
) -> NDArray[np.int16]:
    """The cells of chances; without pick-ups or limit, all have those of number 0."""
    cells = np.minimum(turn, TURNS).astype(np.int16) - 1
    if pick_ups is not None:
        cells += TURNS * np.minimum(pick_ups, PICK_UPS - 1).astype(np.int16)
    if limit is not None:
        cells += TURNS * PICK_UPS * limit.astype(np.int16)
    return cells * DEADWOODS + deadwood.astype(np.int16)


def improve(problem: Problem, table: Table, caution: float) -> Table:
    """The table that does best on the paths, as far as they tell.

    From the last turn to the first each cell is changed if that brings more on these paths, by
    `caution` standard errors at least, again and again until none is. The same is tried from
    the tables that always and never knock; they replace what was found from the given table if
    they bring more, by as much.

    Args:
        table: of SHAPE. What is not worth changing stays as it is.
        caution: 0 where the paths are all there are, and no sample; otherwise a cell to which fewer
            than 200 of them come is not changed either.
    """
    best = _climb(problem, table, caution)
    values = problem.values(best)
    is_met = np.bincount(problem.cells, minlength=table.size).reshape(SHAPE) > 0
    for action in (0, 1):
        start = np.where(is_met, action, table).astype(np.uint8)
        other = _settle(problem, _climb(problem, start, caution), table, caution)
        differences = problem.values(other) - values
        if is_gain(int(differences.sum()), int((differences**2).sum()), len(values), caution):
            best, values = other, problem.values(other)
    return best


def _settle(problem: Problem, table: Table, old: Table, caution: float) -> Table:
    """Put the old action back wherever it is not surely worse, from the last turn to the first."""
    if not caution:
        return table
    now = table.copy()
    for turn in range(TURNS - 1, -1, -1):
        sums = pool_near(problem.gains(now), now, caution)
        for place in map(tuple, np.argwhere(now != old).tolist()):
            reached, total, squares = (int(each) for each in sums[place])
            is_worse = is_gain(-total, squares, len(problem.ends), caution)
            if place[2] == turn and not (reached >= ENOUGH and is_worse):
                now[place] ^= 1
    return now


def is_gain(total: int, squares: int, paths: int, caution: float) -> bool:
    """Whether a sum over paths is above 0, by so many of its standard errors."""
    if total <= 0:
        return False
    if not caution:
        return True
    variance = (squares - total * total / paths) * paths / max(paths - 1, 1)
    return total > caution * math.sqrt(max(variance, 0.0))


def _climb(problem: Problem, table: Table, caution: float) -> Table:
    now = table.copy()
    while True:
        for _ in range(SWEEPS):
            if not _sweep(problem, now, caution):
                break
        if caution or not _change_pair(problem, now):
            return now


def _sweep(problem: Problem, table: Table, caution: float) -> bool:
    """Go through the turns once, from the last; whether a cell was changed."""
    paths = len(problem.ends)
    is_changed = False
    for turn in range(TURNS - 1, -1, -1):
        while True:
            sums = pool_near(problem.gains(table), table, caution)[:, :, turn]
            found = [
                (int(sums[place][1]), place)
                for place in map(tuple, np.argwhere(sums[..., 1] > 0).tolist())
                if (not caution or sums[place][0] >= ENOUGH)
                and is_gain(int(sums[place][1]), int(sums[place][2]), paths, caution)
            ]
            if not found:
                break
            # A path has one chance in a turn, so that changes in the same turn add up; but the last
            # one stands for all later turns, and there they are made one by one.
            is_last = turn == TURNS - 1
            for _, (limit, pick_ups, deadwood) in [max(found)] if is_last else found:
                table[limit, pick_ups, turn, deadwood] ^= 1
            is_changed = True
            if not is_last:
                break
    return is_changed


def pool_near(gains: NDArray[np.int64], table: Table, caution: float) -> NDArray[np.int64]:
    """What changes bring, where few paths tell with those of near cells added.

    To cells of fewer than 200 paths those of the same deadwood and turn under the nearest knock
    limits are added, and where that is not enough, those of the nearest turns. What is added is
    what a knock brings more there than playing on, whatever the table has. Cells that no path comes
    to are given nothing.

    Args:
        gains: as `Problem.gains` gives them for the table.

    Returns:
        The same sums in shape (*SHAPE, 3).
    """
    sums = gains.reshape(*SHAPE, 3)
    if not caution:
        return sums
    is_reached = sums[..., 0] > 0
    signs = 1 - 2 * table.astype(np.int64)
    pooled = sums.copy()
    pooled[..., 1] *= signs
    for axis in (SHAPE.index(LIMITS), SHAPE.index(TURNS)):
        near = np.moveaxis(pooled.copy(), axis, 0)
        for distance in range(1, SHAPE[axis]):
            is_short = is_reached & (pooled[..., 0] < ENOUGH)
            if not is_short.any():
                break
            added = np.zeros_like(near)
            added[distance:] += near[:-distance]
            added[:-distance] += near[distance:]
            pooled += np.moveaxis(added, 0, axis) * is_short[..., None]
    pooled[..., 1] *= signs
    return pooled


def _change_pair(problem: Problem, table: Table) -> bool:
    """Change two cells at once where one alone brings nothing; whether that was done."""
    cells = np.flatnonzero(np.bincount(problem.cells, minlength=table.size))
    if len(cells) > FEW:
        return False
    flat = table.reshape(-1)
    now = int(problem.values(table).sum())
    for pair in combinations(cells.tolist(), 2):
        flat[list(pair)] ^= 1
        if int(problem.values(table).sum()) > now:
            return True
        flat[list(pair)] ^= 1
    return False


def inherit(gains: NDArray[np.int64], table: Table) -> Table:
    """The table in which cells that no path comes to are as those of the turn before.

    Those of the first turn stay as they are.

    Args:
        gains: as `Problem.gains` gives them for the table.
    """
    is_unreached = gains[:, 0].reshape(SHAPE) == 0
    now = table.copy()
    for turn in range(1, TURNS):
        now[:, :, turn] = np.where(is_unreached[:, :, turn], now[:, :, turn - 1], now[:, :, turn])
    return now
