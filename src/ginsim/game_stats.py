"""From games to figures with intervals; the formulas are those of intervals.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _games
from ginsim.columns import GAME_COLUMNS, OUTCOMES, SEATS
from ginsim.errors import OptionError, refuse
from ginsim.intervals import Estimate, estimate_mean, estimate_share
from ginsim.records import plain_values
from ginsim.sums import Sums, find_range

#: Games of this many hands and more are counted together in a tally.
MOST_COUNTED = 512
#: The quantiles of the number of hands that a summary gives.
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


class GameTally(Sums):
    """Integer sums over games (see `Sums`): one record of `_games.GAME_TALLY_DTYPE`."""

    unit = "games"

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> GameTally:
        """The tally of a frame of games; the outcomes of their hands stay 0.

        Raises:
            OptionError: if columns are missing, or mirrored games are not whole pairs.
        """
        provenance, mirror = find_range(frame, "game", "games")
        games = np.zeros(len(frame), _games.GAME_DTYPE)
        for column in GAME_COLUMNS:
            if column.name in (games.dtype.names or ()):
                if column.name not in frame:
                    raise OptionError(
                        f"frame: column {column.name} is missing; allowed: game records"
                    )
                games[column.name] = plain_values(column, frame[column.name])
        sums = np.zeros(1, _games.GAME_TALLY_DTYPE)
        _games.tally_games(games, sums, mirror)
        return cls(sums, provenance)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.count


def find_quantile(lengths: NDArray[np.int64], share: float) -> int:
    """The least number of hands that at least `share` of the games do not exceed.

    Games of 512 hands and more count as 512.
    """
    total = int(lengths.sum())
    if not total:
        return 0
    return int(np.searchsorted(np.cumsum(lengths), np.ceil(share * total - 1e-9)))


def summarize_games(source: pd.DataFrame | GameTally) -> pd.DataFrame:
    """How games ended, in a tidy table.

    Args:
        source: games of `simulate_games` (or part of them), or a `GameTally`.

    Returns:
        A frame with the columns measure, outcome, seat, count, value, se, low, high; low and high
        bound the 95 % interval. Rows, by measure:

        - `win`: share of games won by south, by north, by the first dealer (seat
          `first_dealer`), and unfinished (seat `none`).
        - `shutout`: share of games that a seat won without a hand for the other, and `all`.
        - `half_leader_win`: of the games in which a seat led to half the target, the share that
          it won.
        - `margin`: mean of south's score minus north's, bonuses included.
        - `hands`, `turns`, `dead_hands`: mean number in a game.
        - `hands_quantile`: quantiles of the number of hands (column outcome), without interval.
        - `hand_share`: of the hands of all games, the share by outcome and seat; only from a
          tally, and without interval, since hands of one game are not independent.
    """
    if not isinstance(source, GameTally | pd.DataFrame):
        raise OptionError(refuse("source", source, "a frame of games or a GameTally"))
    tally = source if isinstance(source, GameTally) else GameTally.from_frame(source)
    table = pd.DataFrame(
        _rows(tally),
        columns=["measure", "outcome", "seat", "count", "value", "se", "low", "high"],
    )
    table.attrs["provenance"] = tally.provenance
    return table


def _rows(tally: GameTally) -> list[tuple[Any, ...]]:
    games, pairs = tally.games, tally["pairs"]
    wins, shutouts = tally["wins"], tally["shutouts"]
    rows: list[tuple[Any, ...]] = []
    nan = float("nan")

    def add(measure: str, outcome: str, seat: str, count: int, figure: Estimate) -> None:
        rows.append(
            (measure, outcome, seat, count, figure.value, figure.se, figure.low, figure.high)
        )

    def add_share(measure: str, seat: str, count: int, both: int) -> None:
        add(measure, "all", seat, count, estimate_share(count, games, pairs, both))

    for code, seat in enumerate((*SEATS, "none")):
        add_share("win", seat, int(wins[code]), int(tally["pair_wins"][code]))
    add_share("win", "first_dealer", tally["first_dealer_wins"], tally["pair_first_dealer_wins"])
    for code, seat in enumerate(SEATS):
        add_share("shutout", seat, int(shutouts[code]), int(tally["pair_shutouts"][code]))
    add_share("shutout", "all", int(shutouts.sum()), tally["pair_shutouts_any"])
    known, ahead = tally["half_leader_known"], tally["half_leader_wins"]
    add("half_leader_win", "all", "all", known, estimate_share(ahead, known))

    def squares(name: str) -> int:
        return int(tally[f"pair_{name}_squares"] if pairs else tally[f"{name}_squares"])

    add(
        "margin",
        "all",
        "south",
        games,
        estimate_mean(tally["margin"], squares("margin"), games, pairs),
    )
    for name in ("hands", "turns", "dead_hands"):
        add(name, "all", "all", games, estimate_mean(tally[name], squares(name), games, pairs))
    lengths = tally["lengths"]
    for share in QUANTILES:
        value = float(find_quantile(lengths, share)) if games else nan
        rows.append(("hands_quantile", f"{share:g}", "all", games, value, nan, nan, nan))
    outcomes = tally["outcomes"]
    hands = int(outcomes.sum())
    if hands:
        for code, outcome in enumerate(OUTCOMES):
            for place, seat in enumerate(SEATS):
                if outcome != "dead":
                    count = int(outcomes[code, place])
                    rows.append(("hand_share", outcome, seat, count, count / hands, nan, nan, nan))
            count = int(outcomes[code].sum())
            rows.append(("hand_share", outcome, "all", count, count / hands, nan, nan, nan))
    return rows
