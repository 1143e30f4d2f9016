"""What a study can run: one entry of `KINDS` for each kind, which has a module of its name.

A kind says which keys its runs have, which tasks a cell comes to, how a task is played, how the
sums are reduced in the order of the tasks, and which tables they make. Everything is played by the
functions that play it elsewhere, so the bits are theirs. `base` says what a kind is; `ranges`
cuts hands or games into tasks; `sums` has what hands and games share.
"""

from __future__ import annotations

import pandas as pd

from ginsim.studies.data import Parts, StudyTask
from ginsim.studies.kinds import balance, decisions, duel, games, hands, knock
from ginsim.studies.kinds.base import Kind

#: The kinds by name. A further one is one more entry.
KINDS: dict[str, Kind] = {
    "hands": hands.KIND,
    "games": games.KIND,
    "decisions": decisions.KIND,
    "knock": knock.KIND,
    "duel": duel.KIND,
    "balance": balance.KIND,
}


def play_task(task: StudyTask) -> Parts | pd.DataFrame:
    """Play a task: its sums, or its records. What an executor is given to do."""
    kind = KINDS[task.kind]
    if task.output == "rows":
        assert kind.play_rows is not None, "its validation asks for records where there are some"
        return kind.play_rows(task.inputs)
    return kind.play(task.inputs)
