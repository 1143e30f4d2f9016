"""The Hollywood sheet: a game's hands as people write them into three columns for each player.

>>> sheet = hollywood_sheet([("A", 15), ("B", 19), ("A", 16), ("A", 17)])
>>> print("\\n".join(" ".join(row) for row in sheet.grid()))
A A A B B B
15 16 17 19 . .
31 33 . . . .
48 . . . . .
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from ginsim.game_scoring import GameScore, score_game
from ginsim.rules import AnyRules, Rules
from ginsim.sheet_hands import Given, TableResult, read_hands
from ginsim.sheet_pages import make_grid, write_html, write_text

if TYPE_CHECKING:
    import pandas as pd


class Entry(NamedTuple):
    """A hand in a column: the player's running total there, and the number in brackets.

    That number is the boxes of the hand beyond its base box. For a plain knock on a spade under
    `spade_doubles = all` it is the base box doubled.
    """

    total: int
    prize_boxes: int


@dataclass(frozen=True)
class SheetColumn:
    """One of the three columns. Dicts are by player.

    Attributes:
        number: 1, 2 or 3.
        entries: what is written in it, from top to bottom.
        points: of the hands.
        score: these and the bonuses of the column, if the rules have any.
        boxes: of the hands, and for closing it; doubled where a shutout does that.
        closed_by: who reached the target in it, or None.
        closed_at: the number of the hand that closed it, dead ones counted; 0 while it is open.
        shutout: whether the other player then had no entry in it (a capote).
    """

    number: int
    entries: dict[str, tuple[Entry, ...]]
    points: dict[str, int]
    score: dict[str, int]
    boxes: dict[str, int]
    closed_by: str | None
    closed_at: int
    shutout: bool


@dataclass(frozen=True)
class SheetHand:
    """A hand, and what all columns have after it. Dicts are by player.

    Attributes:
        number: from 1, dead hands counted.
        winner: None for a hand that nobody won.
        outcome: a word of the column `outcome`; None if it is not known, and in a partnership.
        net_kind: in a partnership what the tables brought, a word of the column `net_kind`.
        tables: in a partnership what happened at the two tables, if it is known.
        points: of the winner.
        boxes: likewise, base and prizes.
        prize_boxes: the number in brackets: boxes beyond the base box.
        posted: the numbers of the columns it was written in.
        closed: the numbers of those that it closed.
        totals: points in each column.
        total_boxes: boxes in each column, those of columns just closed included.
    """

    number: int
    winner: str | None
    outcome: str | None
    net_kind: str | None
    tables: tuple[TableResult, ...]
    points: int
    boxes: int
    prize_boxes: int
    posted: tuple[int, ...]
    closed: tuple[int, ...]
    totals: dict[str, tuple[int, ...]]
    total_boxes: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Sheet:
    """The sheet of a game. Dicts are by player.

    Attributes:
        rules: by which it is booked.
        players: the two names, of a partnership those of the pairs.
        hands: those that count, in order.
        columns: the three.
        over: whether all columns are closed.
        winner: who has more boxes, of equal boxes the higher final score; None while the game is
            not over, and for a drawn one.
        points_winner: who has the higher final score, or None if both have the same.
        hands_won: how many.
        points: of the hands, in all columns.
        final: these and the bonuses, if the rules have any.
        boxes: in all columns.
        pays: the difference of boxes, which the other pays to the winner; None while the game is
            not over.
        left_over: hands given that came after the end and count for nothing.
        game: the number of the game in its simulation, or None.
        provenance: that of the simulation, or None; with a key `rescored` if its hands were scored
            again, or played again, by other rules.
    """

    rules: Rules
    players: tuple[str, str]
    hands: tuple[SheetHand, ...]
    columns: tuple[SheetColumn, ...]
    over: bool
    winner: str | None
    points_winner: str | None
    hands_won: dict[str, int]
    points: dict[str, int]
    final: dict[str, int]
    boxes: dict[str, int]
    pays: int | None
    left_over: int
    game: int | None = None
    provenance: dict[str, Any] | None = None

    @property
    def leader(self) -> str | None:
        """Who would win if the game ended now; None if nobody would."""
        first, second = self.players
        ours, theirs = ((self.boxes[player], self.final[player]) for player in (first, second))
        return None if ours == theirs else first if ours > theirs else second

    def grid(self) -> list[list[str]]:
        """The sheet as it is written, row by row: six cells each, `.` for an empty one.

        The first row has the players. Below it each column has its running totals, after a total
        the prize boxes of the hand in brackets, and at the foot, once it is closed, what closing
        brought, such as `+(5)`, `×2` if a shutout doubled the boxes, and the boxes of the column.
        By rules with bonuses, or without boxes, the score of the column is at the foot: `+100`,
        `=225`.
        """
        return make_grid(self)

    def text(self, hands: bool = False) -> str:
        """The sheet for people: the grid, the totals, the result.

        Args:
            hands: list the hands too, with the totals of the columns after each.
        """
        return write_text(self, hands)

    def html(self) -> str:
        """The sheet as an HTML page that needs nothing else: grid, totals, result and hands."""
        return write_html(self)


def hollywood_sheet(
    hands: Iterable[Sequence[Any]] | pd.DataFrame,
    rules: AnyRules | None = None,
    *,
    players: Sequence[str] | None = None,
    game: SupportsIndex | None = None,
) -> Sheet:
    """Fill in the sheet of a game with Hollywood scoring.

    Args:
        hands: (winner, points) or (winner, points, prize_boxes) of each hand in order, winner None
            for a dead hand or a tie; or a frame with the columns winner, points and, if wanted,
            prize_boxes, boxes (all of the hand) and outcome; or the frame of
            `simulate_game_hands`.
        rules: a rule set of Hollywood scoring in any form. If None, that of the frame's
            provenance for a simulation, else `hollywood`. A simulation's hands are booked by
            other rules as they are; if prices differ from those of its provenance, the game is
            rescored (see `rescore`), and played again where other or more hands are played.
        players: the two names, the first to the left, in a simulation for south and north (the
            pairs of a partnership). If None, the names that occur; of a simulation south and
            north, or A+B and C+D.
        game: which of a simulation's games, if the frame has several.

    Raises:
        GinsimError: RulesError for rules without columns; OptionError for bad hands, naming row,
            column, value and what is allowed, for rows of a simulation that are missing or were
            changed, and for rules by which its hands would be others, naming the fields.
    """
    return fill_sheet(read_hands(hands, rules, players, game))


def fill_sheet(given: Given) -> Sheet:
    """The sheet of hands that have been read."""
    players, base = given.players, given.rules.box_base
    booked = [(hand.winner, hand.points, hand.boxes) for hand in given.hands]
    score = score_game(given.rules, booked, players=players)
    entries: dict[str, list[list[Entry]]] = {player: [[], [], []] for player in players}
    boxes = {player: [0, 0, 0] for player in players}
    rows = []
    for number, (hand, posted) in enumerate(zip(given.hands, score.posted, strict=False), start=1):
        for column in posted:
            assert hand.winner is not None, "only hands that somebody won are written"
            lines = entries[hand.winner][column - 1]
            total = hand.points + (lines[-1].total if lines else 0)
            lines.append(Entry(total, hand.boxes - base))
            boxes[hand.winner][column - 1] += hand.boxes
        closed = _closed_at(score, number)
        for column in closed:
            for player in players:
                boxes[player][column - 1] = score.columns[column - 1].boxes[player]
        rows.append(
            SheetHand(
                number=number,
                winner=hand.winner,
                outcome=hand.outcome,
                net_kind=hand.net_kind,
                tables=hand.tables,
                points=hand.points,
                boxes=hand.boxes,
                prize_boxes=0 if hand.winner is None else hand.boxes - base,
                posted=posted,
                closed=closed,
                totals={
                    player: tuple(lines[-1].total if lines else 0 for lines in entries[player])
                    for player in players
                },
                total_boxes={player: tuple(boxes[player]) for player in players},
            )
        )
    ours, theirs = score.boxes.values()
    return Sheet(
        rules=given.rules,
        players=players,
        hands=tuple(rows),
        columns=tuple(
            SheetColumn(
                number=place + 1,
                entries={player: tuple(entries[player][place]) for player in players},
                points=column.points,
                score=column.score,
                boxes=column.boxes,
                closed_by=column.closed_by,
                closed_at=column.closed_at,
                shutout=column.shutout,
            )
            for place, column in enumerate(score.columns)
        ),
        over=score.over,
        winner=score.winner,
        points_winner=score.points_winner,
        hands_won=score.hands_won,
        points=score.points,
        final=score.final,
        boxes=score.boxes,
        pays=abs(ours - theirs) if score.over else None,
        left_over=len(given.hands) - score.hands_used,
        game=given.game,
        provenance=given.provenance,
    )


def _closed_at(score: GameScore, number: int) -> tuple[int, ...]:
    """The numbers of the columns that a hand closed."""
    return tuple(
        place for place, column in enumerate(score.columns, start=1) if column.closed_at == number
    )
