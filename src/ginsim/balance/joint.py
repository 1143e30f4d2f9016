"""One measure in several cells, with the covariance that common deals give them."""

from __future__ import annotations

import numpy as np

from ginsim.balance.means import CrossSums, Means
from ginsim.balance.playing import BLOCK, Plan, split_deals
from ginsim.balance.sweeping import shift
from ginsim.batches import Progress
from ginsim.errors import OptionError, refuse


def sum_cells(
    plan: Plan, first: int, deals: int, threads: int | None, progress: Progress | None = None
) -> CrossSums:
    """The sums of the plan's only measure over a range of deals: the tops of all cells, then the
    bottoms.

    Args:
        first: index of the first deal.
        deals: how many, one at least.
    """
    cells = len(plan.contests)
    total: CrossSums | None = None
    each = len(set(plan.sources)) * plan.per_deal
    done = 0
    for low, count in split_deals(first, deals, BLOCK[plan.unit]):
        responses = np.zeros((count, 2 * cells), np.int64)
        steps = shift(progress, done, each * deals)
        for values in plan.play(low, count, threads, steps):
            responses[:, values.cell] = values.tops[0]
            responses[:, cells + values.cell] = values.bottoms[0]
        done += each * count
        part = CrossSums.from_responses(responses)
        total = part if total is None else total + part
    assert total is not None, "there are deals"
    return total


def average_cells(plan: Plan, sums: CrossSums) -> Means:
    """The measure in each cell from its sums, with the covariance of all.

    Raises:
        OptionError: if in a cell nothing came about that it counts.
    """
    cells = len(plan.contests)
    empty = [place for place, bottom in enumerate(sums.totals[cells:]) if not bottom]
    if empty:
        name = plan.measures[0].name
        raise OptionError(
            f"measure: {name} has no ground by {plan.contests[empty[0]].rules.name}: nothing that "
            "it counts came about; allowed: more hands or games, or another measure"
        )
    return sums.average().divide(range(cells), range(cells, 2 * cells))


def check_deals(deals: int, least: int, what: str) -> None:
    """See that there are enough deals.

    Raises:
        OptionError: if there are not.
    """
    if deals < least:
        raise OptionError(refuse(what, deals, f"{least} deals at least"))
