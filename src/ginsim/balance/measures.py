"""What is measured of a way to play: the one table that names and explains it.

A measure is a ratio of two sums over hands, or games: of integers only, so that any division of the
work gives the same bits. Those of another form say so (`form`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ginsim.columns import OUTCOMES, SEATS
from ginsim.errors import OptionError, join_words, refuse, refuse_name
from ginsim.rules import Rules

#: The columns of hands or games as the core holds them (`bookings.read_rows`).
Rows: TypeAlias = Mapping[str, NDArray[Any]]
#: A number for each row.
Numbers: TypeAlias = NDArray[np.int64]
#: From rows to a top and a bottom for each.
Reading: TypeAlias = Callable[[Rows], tuple[Numbers, Numbers]]

UNITS = ("hand", "game")
FORMS = ("ratio", "quantile", "skill", "games needed")


@dataclass(frozen=True)
class Measure:
    """A figure of a cell.

    Attributes:
        name: as it is asked for.
        unit: of what it is a figure, `hand` or `game`.
        meaning: in words; "the first" is the strategy, "the second" the one against it.
        reads: the columns it is made of (docs/columns.md).
        read: its top and bottom for each row.
        is_share: whether it lies between 0 and 1.
        equal: its value where two sides are equal; None if it compares no sides.
        is_linear: whether it is linear in the bonuses of a hand, as long as the same hands are
            played.
        needs: `hollywood`, of that `capote` (which doubles boxes), `two strategies`, or nothing.
        form: `ratio`; of games also a `quantile` of the hands, `skill`, or the `games needed` to
            tell the strategies apart, which are made of other sums.
        share: of a quantile, which one.
    """

    name: str
    unit: str
    meaning: str
    reads: tuple[str, ...]
    read: Reading
    is_share: bool = False
    equal: float | None = None
    is_linear: bool = False
    needs: str = ""
    form: str = "ratio"
    share: float = 0.0

    def applies(self, rules: Rules, are_different: bool) -> bool:
        """Whether it has a meaning under some rules.

        Args:
            are_different: whether there are two strategies.
        """
        if self.needs == "two strategies":
            return are_different
        if self.needs == "capote" and rules.shutout != "double-boxes":
            return False
        return not self.needs or rules.scoring == "hollywood"


def _ones(rows: Rows) -> Numbers:
    return np.ones(len(rows["winner"]), np.int64)


def _column(rows: Rows, name: str) -> Numbers:
    return rows[name].astype(np.int64)


def _flags(values: Any) -> Numbers:
    flags: Numbers = np.asarray(values).astype(np.int64)
    return flags


def _is_won(rows: Rows) -> Numbers:
    return _flags((rows["winner"] == 0) | (rows["winner"] == 1))


def _of_outcome(code: int) -> Reading:
    return lambda rows: (_flags(rows["outcome"] == code), _ones(rows))


def _mean(name: str) -> Reading:
    return lambda rows: (_column(rows, name), _ones(rows))


def _read_win(rows: Rows) -> tuple[Numbers, Numbers]:
    # What nobody won counts half to each.
    mine, theirs = _flags(rows["winner"] == 0), _flags(rows["winner"] == 1)
    return 1 + mine - theirs, 2 * _ones(rows)


def _read_nondealer(rows: Rows) -> tuple[Numbers, Numbers]:
    won = _is_won(rows)
    return won * _flags(rows["winner"] != rows["dealer"]), won


def _read_dealer_points(rows: Rows) -> tuple[Numbers, Numbers]:
    net = _column(rows, "net")
    return np.where(rows["dealer"] == 0, net, -net), _ones(rows)


def _read_undercut_knocks(rows: Rows) -> tuple[Numbers, Numbers]:
    outcome = rows["outcome"]
    under = _flags((outcome == _UNDERCUT) | (outcome == _CLEAN))
    return under, under + _flags((outcome == _KNOCK) | (outcome == _TIE))


_KNOCK, _UNDERCUT, _CLEAN, _TIE = (
    OUTCOMES.index(name) for name in ("knock", "undercut", "clean_undercut", "tie")
)

_OUTCOME_WORDS = {
    "knock": "hands won by a plain knock",
    "gin": "hands that end with gin",
    "big_gin": "hands that end with big gin",
    "undercut": "hands that end with an undercut by a defender with deadwood",
    "clean_undercut": "hands that end with an undercut by a defender without deadwood",
    "tie": "hands that end with a tie which nobody wins",
    "dead": "hands in which nobody knocks",
}


def _read_first_dealer(rows: Rows) -> tuple[Numbers, Numbers]:
    won = _is_won(rows)
    return won * _flags(rows["winner"] == rows["first_dealer"]), won


def _read_shutout(rows: Rows) -> tuple[Numbers, Numbers]:
    return _flags(rows["shutout"]), _ones(rows)


def _read_half_leader(rows: Rows) -> tuple[Numbers, Numbers]:
    led = _is_won(rows) * _flags((rows["leader_at_half"] == 0) | (rows["leader_at_half"] == 1))
    return led * _flags(rows["leader_at_half"] == rows["winner"]), led


def _read_winner_margin(rows: Rows) -> tuple[Numbers, Numbers]:
    won, margin = _is_won(rows), _column(rows, "margin")
    return won * np.where(rows["winner"] == 0, margin, -margin), won


def _read_box_spread(rows: Rows) -> tuple[Numbers, Numbers]:
    return np.abs(_column(rows, "box_margin")), _ones(rows)


def _read_capote(rows: Rows) -> tuple[Numbers, Numbers]:
    shut = [_flags(rows[f"column_{number}_shutout"]) for number in (1, 2, 3)]
    return np.maximum.reduce(shut), _ones(rows)


def _count_plain(rows: Rows) -> Numbers:
    """The box margin if capote doubled nothing."""
    plain = np.zeros(len(rows["winner"]), np.int64)
    for number in (1, 2, 3):
        shut = _flags(rows[f"column_{number}_shutout"])
        for place, (seat, sign) in enumerate(zip(SEATS, (1, -1), strict=True)):
            boxes = _column(rows, f"{seat}_column_{number}_boxes")
            is_winner = rows[f"column_{number}_winner"] == place
            # The boxes of who wins a column by capote are doubled; the other has none there.
            plain += sign * np.where((shut > 0) & is_winner, boxes // 2, boxes)
    return plain


def _read_capote_boxes(rows: Rows) -> tuple[Numbers, Numbers]:
    spread = np.abs(_column(rows, "box_margin"))
    return spread - np.abs(_count_plain(rows)), spread


def _read_capote_decides(rows: Rows) -> tuple[Numbers, Numbers]:
    plain = _count_plain(rows)
    score = _column(rows, "south_score") - _column(rows, "north_score")
    plain = np.where(plain == 0, np.sign(score), np.sign(plain))
    winner = np.where(plain > 0, 0, np.where(plain < 0, 1, -1))
    over = _flags(rows["over"])
    return over * _flags(winner != rows["winner"]), over


def _read_points_per_box(rows: Rows) -> tuple[Numbers, Numbers]:
    points = _column(rows, "south_points") - _column(rows, "north_points")
    boxes = _column(rows, "box_margin")
    return points * np.sign(boxes), np.abs(boxes)


def _read_points_differ(rows: Rows) -> tuple[Numbers, Numbers]:
    other = rows["points_winner"]
    won = _is_won(rows)
    return won * _flags((other >= 0) & (other != rows["winner"])), won


def _hand(name: str, meaning: str, reads: Sequence[str], read: Reading, **more: Any) -> Measure:
    return Measure(name, "hand", meaning, tuple(reads), read, **more)


def _game(name: str, meaning: str, reads: Sequence[str], read: Reading, **more: Any) -> Measure:
    return Measure(name, "game", meaning, tuple(reads), read, **more)


def _boxes(name: str, meaning: str, reads: Sequence[str], read: Reading, **more: Any) -> Measure:
    return _game(name, meaning, reads, read, **{"needs": "hollywood", **more})


_COLUMN_SHUTOUTS = tuple(f"column_{number}_shutout" for number in (1, 2, 3))
_CAPOTE_COLUMNS = (
    *_COLUMN_SHUTOUTS,
    *(f"column_{number}_winner" for number in (1, 2, 3)),
    *(f"{seat}_column_{number}_boxes" for number in (1, 2, 3) for seat in SEATS),
)
_QUANTILES = {"hands_10": 0.1, "hands_50": 0.5, "hands_90": 0.9}

#: Every measure, in the order of the tables.
MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        *(
            _hand(name, f"share of {words}", ("outcome",), _of_outcome(code), is_share=True)
            for code, name in enumerate(OUTCOMES)
            for words in (_OUTCOME_WORDS[name],)
        ),
        _hand(
            "undercut_knocks",
            "of the knocks without gin, the share that is undercut",
            ("outcome",),
            _read_undercut_knocks,
            is_share=True,
        ),
        _hand(
            "points",
            "points of the winner a hand; a dead hand counts 0",
            ("points",),
            _mean("points"),
            is_linear=True,
        ),
        _hand(
            "net",
            "points of the first a hand, minus those of the second",
            ("net",),
            _mean("net"),
            equal=0.0,
            is_linear=True,
        ),
        _hand(
            "hand_win",
            "share of hands that the first wins; of those nobody wins, half",
            ("winner",),
            _read_win,
            is_share=True,
            equal=0.5,
        ),
        _hand(
            "first_actor",
            "of the hands that are won, the share that the non-dealer wins, who acts first",
            ("winner", "dealer"),
            _read_nondealer,
            is_share=True,
            equal=0.5,
        ),
        _hand(
            "dealer_points",
            "points of the dealer a hand, minus those of the non-dealer",
            ("net", "dealer"),
            _read_dealer_points,
            equal=0.0,
            is_linear=True,
        ),
        _hand("turns", "turns of both seats a hand", ("turns",), _mean("turns")),
        _game("hands", "hands a game", ("hands",), _mean("hands")),
        *(
            _game(
                name,
                f"the number of hands that {share:.0%} of the games do not exceed",
                ("hands",),
                _mean("hands"),
                form="quantile",
                share=share,
            )
            for name, share in _QUANTILES.items()
        ),
        _game("game_turns", "turns of both seats a game", ("turns",), _mean("turns")),
        _game("dead_hands", "dead hands a game", ("dead_hands",), _mean("dead_hands")),
        _game(
            "shutout",
            "share of games whose loser wins no hand",
            ("shutout",),
            _read_shutout,
            is_share=True,
        ),
        _game(
            "half_leader",
            "of the games with a winner, the share won by who first has half the target (in "
            "Hollywood in column 1)",
            ("leader_at_half", "winner"),
            _read_half_leader,
            is_share=True,
        ),
        _game(
            "first_dealer",
            "of the games with a winner, the share won by who deals the first hand",
            ("first_dealer", "winner"),
            _read_first_dealer,
            is_share=True,
            equal=0.5,
        ),
        _game(
            "winner_margin",
            "score of the winner of a game minus the loser's, bonuses included",
            ("margin", "winner"),
            _read_winner_margin,
        ),
        _game(
            "win",
            "share of games that the first wins; of those nobody wins, half",
            ("winner",),
            _read_win,
            is_share=True,
            equal=0.5,
        ),
        _game(
            "margin",
            "score of the first a game, minus that of the second",
            ("margin",),
            _mean("margin"),
            equal=0.0,
        ),
        _game(
            "skill",
            "share of games that the stronger of the two strategies wins, which of them it is "
            "being decided on other deals",
            ("winner",),
            _read_win,
            is_share=True,
            needs="two strategies",
            form="skill",
        ),
        _game(
            "games_needed",
            "mirrored games that tell the two strategies apart: 5 % two-sided, power 80 %, if "
            "skill is as found",
            ("winner",),
            _read_win,
            needs="two strategies",
            form="games needed",
        ),
        _boxes(
            "boxes",
            "boxes of the first a game, minus those of the second",
            ("box_margin",),
            _mean("box_margin"),
            equal=0.0,
        ),
        _boxes(
            "box_spread",
            "boxes that a game is settled with, whoever wins them",
            ("box_margin",),
            _read_box_spread,
        ),
        _boxes(
            "capote",
            "share of games with a column closed by capote, the other having no box in it",
            _COLUMN_SHUTOUTS,
            _read_capote,
            is_share=True,
        ),
        _boxes(
            "capote_boxes",
            "of the boxes that games are settled with, the share that the doubling of capote adds",
            (*_CAPOTE_COLUMNS, "box_margin"),
            _read_capote_boxes,
            needs="capote",
        ),
        _boxes(
            "capote_decides",
            "share of finished games that another would win, or nobody, if capote doubled no boxes",
            (*_CAPOTE_COLUMNS, "over", "winner", "south_score", "north_score"),
            _read_capote_decides,
            is_share=True,
            needs="capote",
        ),
        _boxes(
            "points_per_box",
            "points that come with a box: the lead in points of who leads in boxes, over all "
            "games, by his lead in boxes",
            ("south_points", "north_points", "box_margin"),
            _read_points_per_box,
        ),
        _boxes(
            "points_differ",
            "of the games with a winner, the share he wins with the lower score",
            ("winner", "points_winner"),
            _read_points_differ,
            is_share=True,
        ),
    )
}


def list_measures() -> list[str]:
    """The names of the measures of balance studies; docs/balance.md explains them."""
    return list(MEASURES)


def find_measures(names: Sequence[str] | str | None) -> tuple[Measure, ...]:
    """Measures by name, in the order of the table; None for all.

    Raises:
        OptionError: naming each that is not known.
    """
    if names is None:
        return tuple(MEASURES.values())
    if not isinstance(names, str | Sequence):
        raise OptionError(refuse("measures", names, "names of measures, or None for all"))
    asked = [names] if isinstance(names, str) else list(names)
    problems = [
        f"measures: {refuse_name('measure', name, MEASURES)}"
        for name in asked
        if name not in MEASURES
    ]
    if not asked:
        problems = [f"measures: none are asked for; allowed: some of {join_words(MEASURES, 'and')}"]
    if problems:
        raise OptionError(*problems)
    return tuple(measure for name, measure in MEASURES.items() if name in asked)
