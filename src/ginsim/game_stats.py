"""From games to figures with intervals; the formulas are those of intervals.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim import _games
from ginsim.columns import NETS, OUTCOMES, SEATS
from ginsim.errors import OptionError, refuse
from ginsim.game_records import NUM_COLUMNS, game_array
from ginsim.intervals import (
    Estimate,
    bound_share,
    estimate_mean,
    estimate_ratio,
    estimate_share,
)
from ginsim.sums import Sums, find_range

#: Games of this many hands and more are counted together in a tally.
MOST_COUNTED = 512
#: The quantiles of the number of hands that a summary gives.
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


class GameTally(Sums):
    """Integer sums over games, which add up with `+`: one record of `_games.GAME_TALLY_DTYPE`."""

    unit = "games"

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> GameTally:
        """The tally of a frame of games; what the hands and tables were stays 0.

        Raises:
            OptionError: if columns are missing, or mirrored games are not whole pairs.
        """
        provenance, mirror = find_range(frame, "game", "games")
        sums = np.zeros(1, _games.GAME_TALLY_DTYPE)
        _games.tally_games(game_array(frame), sums, mirror)
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
          `first_dealer`), and by nobody (seat `none`): unfinished, or drawn in Hollywood.
        - `shutout`: share of games that a seat won without a hand for the other, and `all`.
        - `half_leader_win`: of the games in which a seat led to half the target, the share that
          it won; in Hollywood of the games in which it led so in column 1.
        - `margin`: mean of south's score minus north's, bonuses included.
        - `hands`, `turns`, `dead_hands`: mean number in a game.
        - `hands_quantile`: quantiles of the number of hands (column outcome), without interval.
        - `hand_share`: of the hands of all games, at all tables, the share by outcome and seat;
          only from a tally, and without interval, since hands of one game are not independent.

        In Hollywood scoring also:

        - `drawn`: share of games with equal boxes and equal scores.
        - `points_differ`: share of games that one seat won with the lower score.
        - `box_margin`: mean of south's boxes minus north's.
        - `column_N_win`, `column_N_shutout`: shares of games in which a seat closed column N,
          and did so with no entry of the other's in it (a capote; seat `all`: either).
        - `column_N_hands`: mean number of hands until column N closed, of the games (count) in
          which it did.

        In a partnership, from a tally and without intervals:

        - `table_N_share`: of the hands at table N, the share by outcome and seat.
        - `table_N_points`: mean of the points of a hand won at table N, by seat.
        - `net_share`: of the hands, the share by what the tables brought (column outcome: both,
          split, one, level, none; see net_kind in docs/columns.md) and pair.
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
    if pairs:
        led = estimate_ratio(
            ahead,
            known,
            tally["pair_half_leader_wins_squares"],
            tally["pair_half_leader_wins_known"],
            tally["pair_half_leader_known_squares"],
            pairs,
        )
        led = _bound_as_share(led, pairs)
    else:
        led = estimate_share(ahead, known)
    add("half_leader_win", "all", "all", known, led)

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
    if _is_hollywood(tally):
        drawn, differ = tally["drawn"], tally["points_differ"]
        add_share("drawn", "all", drawn, tally["pair_drawn"])
        add_share("points_differ", "all", differ, tally["pair_points_differ"])
        boxes = estimate_mean(tally["box_margin"], squares("box_margin"), games, pairs)
        add("box_margin", "all", "south", games, boxes)
        for column in range(NUM_COLUMNS):
            name = f"column_{column + 1}"
            won, shut = tally["column_wins"][column], tally["column_shutouts"][column]
            both = tally["pair_column_wins"][column]
            for code, seat in enumerate(SEATS):
                add_share(f"{name}_win", seat, int(won[code]), int(both[code]))
            twice = tally["pair_column_shutouts"][column]
            for code, seat in enumerate(SEATS):
                add_share(f"{name}_shutout", seat, int(shut[code]), int(twice[code]))
            any_seat = int(tally["pair_column_shutouts_any"][column])
            add_share(f"{name}_shutout", "all", int(shut.sum()), any_seat)
            add(f"{name}_hands", "all", "all", int(won.sum()), _estimate_length(tally, column))

    def add_plain(measure: str, outcome: str, seat: str, number: int, total: int) -> None:
        value = number / total if total else nan
        rows.append((measure, outcome, seat, number, value, nan, nan, nan))

    def add_outcomes(measure: str, outcomes: NDArray[np.int64]) -> None:
        hands = int(outcomes.sum())
        for code, outcome in enumerate(OUTCOMES if hands else ()):
            for place, seat in enumerate(SEATS):
                if outcome != "dead":
                    add_plain(measure, outcome, seat, int(outcomes[code, place]), hands)
            add_plain(measure, outcome, "all", int(outcomes[code].sum()), hands)

    add_outcomes("hand_share", tally["outcomes"])
    nets = tally["nets"]
    if nets.any():
        for table, (outcomes, points) in enumerate(
            zip(tally["table_outcomes"], tally["table_points"], strict=True), 1
        ):
            add_outcomes(f"table_{table}_share", outcomes)
            won = outcomes[:-1, :2].sum(axis=0) - outcomes[OUTCOMES.index("tie"), :2]
            for code, seat in enumerate(SEATS):
                count, value = int(won[code]), int(points[code])
                mean = value / count if count else nan
                rows.append((f"table_{table}_points", "all", seat, count, mean, nan, nan, nan))
        hands = int(nets.sum())
        for code, kind in enumerate(NETS):
            for place, seat in enumerate(SEATS if kind not in ("level", "none") else ()):
                add_plain("net_share", kind, seat, int(nets[code, place]), hands)
            add_plain("net_share", kind, "all", int(nets[code].sum()), hands)
    return rows


def _estimate_length(tally: GameTally, column: int) -> Estimate:
    """Hands until a column closed, over the games in which it did."""
    closed = int(tally["column_wins"][column].sum())
    total = int(tally["column_hands"][column])
    if not tally["pairs"]:
        return estimate_mean(total, int(tally["column_hands_squares"][column]), closed)
    return estimate_ratio(
        total,
        closed,
        int(tally["pair_column_hands_squares"][column]),
        int(tally["pair_column_hands_closed"][column]),
        int(tally["pair_column_closed_squares"][column]),
        tally["pairs"],
    )


def _bound_as_share(figure: Estimate, clusters: int) -> Estimate:
    """The same share with bounds that stay between 0 and 1."""
    if not figure.value >= 0:
        return figure
    low, high = bound_share(figure.value, figure.se**2, clusters)
    return Estimate(figure.value, figure.se, low, high)


def _is_hollywood(tally: GameTally) -> bool:
    rules = tally.provenance.get("rules", {})
    return bool(rules.get("scoring") == "hollywood")
