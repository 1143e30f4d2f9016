"""Runs that count the decisions of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ginsim.columns import ACTIONS, SEATS
from ginsim.columns import KINDS as DECISIONS
from ginsim.decision_frames import decisions
from ginsim.intervals import bound_share, estimate_ratio
from ginsim.studies.data import Cell, Parts, Run
from ginsim.studies.kinds.base import Frames, Kind, PlainReducer, check_cells, label, stack
from ginsim.studies.kinds.ranges import Ranges, list_ranges, read_options, take_range
from ginsim.studies.reading import (
    Names,
    Reader,
    read_even,
    read_flag,
    read_size,
    read_words,
    take_cells,
)
from ginsim.tasks import make_task

#: Hands of a task, a tenth of a second to two seconds. Even, so that no pair is split.
TASK_DECISIONS = 16_384


def _read_decisions(reader: Reader, names: Names) -> tuple[tuple[Cell, ...], dict[str, Any]]:
    options: dict[str, Any] = {}
    cells = take_cells(reader, names, SEATS, options)
    options["mirror"] = reader.take("mirror", read_flag, False)
    read = read_even(2) if options["mirror"] else read_size(1)
    options["hands"] = reader.need("hands", read, "how many hands")
    take_range(reader, options, bool(options["mirror"]))
    options["kinds"] = reader.take("kinds", read_words(DECISIONS), list(DECISIONS))
    options["rows"] = reader.take("rows", read_flag, False)
    options["count"] = options["hands"]
    check_cells(reader, cells, lambda cell: make_task(cell.rules, cell.players, 0, seed=0))
    return cells, options


def _list_decisions(run: Run, cell: Cell) -> Ranges:
    return list_ranges(run, cell, "hands", TASK_DECISIONS, mirror=run.options["mirror"])


def _play_decision_rows(inputs: Mapping[str, Any]) -> pd.DataFrame:
    return decisions(hands=inputs["hands"], first=inputs["first"], **read_options(inputs))


def _play_decisions(inputs: Mapping[str, Any]) -> Parts:
    """Sums by kind of decision, action and seat, the third seat being both together.

    Of each deal the decisions are counted, c of an action and m of its kind; there are the sums of
    c, c², c·m and m² over deals, and of the deadwood before and after.
    """
    frame = _play_decision_rows(inputs)
    num_kinds, num_actions = len(DECISIONS), len(ACTIONS)
    first_deal = inputs["first"] // (2 if inputs["mirror"] else 1)
    deals = inputs["hands"] // (2 if inputs["mirror"] else 1)
    codes = {
        name: frame[name].cat.codes.to_numpy().astype(np.int64)
        for name in ("kind", "action", "seat")
    }
    place = (codes["kind"] * num_actions + codes["action"]) * 2 + codes["seat"]
    shape = (num_kinds, num_actions, 2)
    size = num_kinds * num_actions * 2
    deal = frame["deal"].to_numpy() - first_deal
    counts = np.bincount(deal * size + place, minlength=deals * size).reshape(deals, *shape)
    counts = np.concatenate([counts, counts.sum(axis=3, keepdims=True)], axis=3)
    totals = counts.sum(axis=2)

    def add_up(name: str) -> Any:
        sums = np.zeros(size, np.int64)
        np.add.at(sums, place, frame[name].to_numpy().astype(np.int64))
        split = sums.reshape(shape)
        return np.concatenate([split, split.sum(axis=2, keepdims=True)], axis=2)

    part = {
        "deals": np.asarray(deals),
        "counts": counts.sum(axis=0),
        "squares": np.einsum("dkas,dkas->kas", counts, counts),
        "products": np.einsum("dkas,dks->kas", counts, totals),
        "totals_squares": np.einsum("dks,dks->ks", totals, totals),
        "deadwood_before": add_up("deadwood_before"),
        "deadwood_after": add_up("deadwood_after"),
    }
    return [{name: np.asarray(values, np.int64) for name, values in part.items()}]


def _tabulate_decisions(run: Run, cells: Sequence[tuple[Cell, PlainReducer]]) -> Frames:
    tables = []
    for cell, reducer in cells:
        sums = reducer.total
        deals = int(sums["deals"])
        rows: list[tuple[Any, ...]] = []
        for (kind, action, seat), count in np.ndenumerate(sums["counts"]):
            if not count:
                continue
            number = int(count)
            figure = estimate_ratio(
                number,
                int(sums["counts"][kind, :, seat].sum()),
                int(sums["squares"][kind, action, seat]),
                int(sums["products"][kind, action, seat]),
                int(sums["totals_squares"][kind, seat]),
                deals,
            )
            low, high = bound_share(figure.value, figure.se**2, deals)
            deadwood = (
                int(sums[f"deadwood_{when}"][kind, action, seat]) / number
                for when in ("before", "after")
            )
            rows.append(
                (
                    DECISIONS[kind],
                    ACTIONS[action],
                    (*SEATS, "all")[seat],
                    number,
                    figure.value,
                    figure.se,
                    low,
                    high,
                    *deadwood,
                )
            )
        names = ["kind", "action", "seat", "count", "value", "se", "low", "high"]
        names += ["deadwood_before", "deadwood_after"]
        tables.append(label(cell, pd.DataFrame(rows, columns=names)))
    return {"": stack(tables)}


KIND = Kind(
    unit="hands",
    read=_read_decisions,
    list_tasks=_list_decisions,
    play=_play_decisions,
    play_rows=_play_decision_rows,
    reduce=lambda run, cell: PlainReducer(_list_decisions(run, cell)),
    tabulate=_tabulate_decisions,
)
