"""The book of a game kept by hand: the score sheet of a person, for one column or three.

Written from docs/engine.md ("Games") and the rules, not from the compiled code, and in another
way: the compiled book posts hand after hand into all columns; here one column after the other is
written in full, from the list of all hands. A column needs only what the columns before it
became: the n-th win of a player belongs in column k if n, and one more for every earlier column
that had been closed without him, makes k.

`play_game` plays whole games of the slow twin's hands and books them here.

Nothing here imports the package under test; `rules` and strategies are any objects with the
fields of whole games and of the twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests import reference

#: Winner (0, 1 or None), points, boxes.
Hand = tuple[int | None, int, int]


class Entry(NamedTuple):
    """A line of a column: the hand (from 1), what it brought."""

    hand: int
    points: int
    boxes: int


@dataclass
class Column:
    """One column: what both players have written in it, and who closed it with which hand."""

    entries: tuple[list[Entry], list[Entry]] = field(default_factory=lambda: ([], []))
    closed_by: int | None = None
    closed_at: int | None = None

    def points(self, player: int) -> int:
        return sum(entry.points for entry in self.entries[player])

    def running(self, player: int) -> list[int]:
        """The sums as the sheet shows them, one under the other."""
        lines = self.entries[player]
        return [sum(entry.points for entry in lines[: n + 1]) for n in range(len(lines))]

    @property
    def shutout(self) -> bool:
        return self.closed_by is not None and not self.entries[1 - self.closed_by]

    def boxes(self, player: int, rules: Any) -> int:
        boxes: int = sum(entry.boxes for entry in self.entries[player])
        if player == self.closed_by:
            boxes += rules.box_column
            if self.shutout and rules.shutout == "double-boxes":
                boxes *= 2
        return boxes

    def score(self, player: int, rules: Any) -> int:
        score: int = self.points(player) + rules.hand_bonus * len(self.entries[player])
        if player == self.closed_by:
            bonus: dict[str, int] = {
                "add": rules.game_bonus + rules.shutout_bonus,
                "replace": rules.shutout_bonus,
                "double": 2 * rules.game_bonus,
                "double-boxes": rules.game_bonus,
            }
            score += bonus[rules.shutout if self.shutout else "double-boxes"]
        return score


def fill_column(
    number: int, hands: Sequence[Hand], earlier: Sequence[Column], target: int, shift: bool
) -> Column:
    """Column `number` (from 1) in full, given the columns before it."""
    column = Column()
    wins = [0, 0]
    for hand, (winner, points, boxes) in enumerate(hands, start=1):
        if winner is None:
            continue
        wins[winner] += 1
        without_him = [
            before
            for before in earlier
            if before.closed_at is not None
            and before.closed_at < hand
            and not before.entries[winner]
        ]
        reach = wins[winner] + (len(without_him) if shift else 0)
        if reach < number:
            continue
        column.entries[winner].append(Entry(hand, points, boxes))
        if column.points(winner) >= target:
            column.closed_by, column.closed_at = winner, hand
            break
    return column


@dataclass
class Book:
    """A game booked: `hands` were used, later ones are left over."""

    columns: list[Column]
    hands: int
    over: bool
    won: tuple[int, int]
    dealer: int
    pairing: int
    points: tuple[int, int]
    scores: tuple[int, int]
    boxes: tuple[int, int]

    @property
    def winner(self) -> int | None:
        if not self.over:
            return None
        if len(self.columns) == 1:
            return self.columns[0].closed_by
        return self.leader(self.boxes, self.scores)

    @property
    def points_winner(self) -> int | None:
        return self.leader(self.scores)

    @staticmethod
    def leader(*measures: tuple[int, int]) -> int | None:
        """Who has more by the first measure that tells the players apart."""
        for south, north in measures:
            if south != north:
                return 0 if south > north else 1
        return None

    @property
    def posted(self) -> list[tuple[int, ...]]:
        """For each hand used, the columns (from 0) that it went to."""
        written = [
            {entry.hand for lines in column.entries for entry in lines} for column in self.columns
        ]
        return [
            tuple(number for number, hands in enumerate(written) if hand in hands)
            for hand in range(1, self.hands + 1)
        ]


def keep_book(rules: Any, hands: Sequence[Hand], dealer: int = 0) -> Book:
    """The whole book of a game whose first hand `dealer` dealt."""
    hands = list(hands)
    if rules.target == 0:
        hands = hands[:1]
    columns: list[Column] = []
    for number in range(1, 4 if rules.scoring == "hollywood" else 2):
        columns.append(fill_column(number, hands, columns, rules.target, rules.shutout_shift))
    closings = [column.closed_at for column in columns if column.closed_at is not None]
    over = len(closings) == len(columns)
    used = max(closings) if over else len(hands)
    winners = [winner for winner, _, _ in hands[:used] if winner is not None]
    if not winners:
        next_dealer = dealer
    elif rules.next_dealer == "alternate":
        next_dealer = (dealer + len(winners)) % 2
    else:
        next_dealer = winners[-1] if rules.next_dealer == "winner" else 1 - winners[-1]

    def both(amounts: list[list[int]]) -> tuple[int, int]:
        south, north = (sum(amount) for amount in zip(*amounts, strict=True))
        return south, north

    seats = (0, 1)
    return Book(
        columns=columns,
        hands=used,
        over=over,
        won=(winners.count(0), winners.count(1)),
        dealer=next_dealer,
        pairing=len(winners) % 2,
        points=both([[column.points(seat) for seat in seats] for column in columns]),
        scores=both([[column.score(seat, rules) for seat in seats] for column in columns]),
        boxes=both([[column.boxes(seat, rules) for seat in seats] for column in columns]),
    )


# ---------------------------------------------------------------------------------------------
# Whole games of the twin
# ---------------------------------------------------------------------------------------------

SEATS = ("south", "north")
Record = dict[str, Any]


def seat_name(seat: int | None) -> str | None:
    return None if seat is None or seat == reference.NO_SEAT else SEATS[seat]


def hand_columns(hand: reference.Hand) -> Record:
    """The record of a hand in the words of the frames."""
    record = hand.record()
    card = record["knock_card"]
    return {
        **record,
        "dealer": seat_name(hand.dealer),
        "winner": seat_name(record["winner"]),
        "knocker": seat_name(record["knocker"]),
        "knock_card": None if card == reference.NO_CARD else reference.card_name(card),
    }


def first_dealer_of(rules: Any, index: int, mirror: bool) -> tuple[int, int]:
    """The deal of a game and who deals its first hand."""
    deal, dealer = reference.deal_and_dealer(index, mirror)
    if rules.first_dealer == "seat":
        dealer = index % 2 if mirror else 0
    return deal, dealer


def show_scores(hand: reference.Hand, rules: Any, book: Any) -> None:
    """What the players know of the game: its points so far and, in one column, its target."""
    hand.scores = (book.points[0], book.points[1])
    hand.target = rules.target if rules.scoring == "single" else 0


def play_game(
    rules: Any,
    strategies: Sequence[Any],
    seed: int,
    index: int,
    mirror: bool = False,
    max_hands: int = 10_000,
    known_after: int = 1,
) -> tuple[Record, list[Record]]:
    """A game of a simulation: its row of the games, and the rows of its hands.

    `strategies` are those of south and north, or in a partnership of A, B, C and D.
    """
    deal, first_dealer = first_dealer_of(rules, index, mirror)
    hands: list[Hand] = []
    rows: list[Record] = []
    played: list[reference.Hand] = []
    dead = ties = 0
    book = keep_book(rules, hands, first_dealer)
    while not book.over and len(hands) < max_hands and not (hands and rules.target == 0):
        row: Record = {
            "game": index,
            "hand_in_game": len(hands),
            "deal": deal,
            "south_before": book.points[0],
            "north_before": book.points[1],
        }
        if rules.players == 4:
            both = reference.deal_tables(
                rules,
                strategies,
                seed,
                deal,
                book.dealer,
                len(hands),
                book.pairing,
                known_after,
            )
            for table in both.tables:
                show_scores(table, rules, book)
            both.play()
            tables, net = list(both.tables), both.net
            winner, points, boxes = net.pair, net.points, net.boxes
            row["pairing"] = ("A-C B-D", "A-D B-C")[book.pairing]
            row["net_kind"] = net.kind
            row["pair_winner"] = seat_name(winner)
            row["pair_points"] = points
            row["pair_net"] = -points if winner == 1 else points
            row["pair_boxes"] = boxes
            row["pair_prize_boxes"] = net.prize_boxes
            for number, table in enumerate(tables, start=1):
                row["table"] = number
                row["other_known"] = table.other_net is not None
                row["other_net"] = table.other_net or 0
                rows.append({**row, **hand_columns(table)})
        else:
            hand = reference.deal_hand(rules, strategies, seed, deal, book.dealer, len(hands))
            show_scores(hand, rules, book)
            hand.play()
            tables = [hand]
            winner, points, boxes = (hand.result[key] for key in ("winner", "points", "boxes"))
            rows.append({**row, **hand_columns(hand)})
        played += tables
        if all(table.result["outcome"] == "dead" for table in tables):
            dead += 1
        elif winner == reference.NO_SEAT:
            ties += 1
        hands.append((None if winner == reference.NO_SEAT else winner, points, boxes))
        book = keep_book(rules, hands, first_dealer)

    def count(seat: int, *outcomes: str) -> int:
        return sum(
            hand.result["winner"] == seat and hand.result["outcome"] in outcomes for hand in played
        )

    record: Record = {
        "game": index,
        "deal": deal,
        "first_dealer": seat_name(first_dealer),
        "winner": seat_name(book.winner),
        "hands": len(hands),
        "dead_hands": dead,
        "ties": ties,
        "margin": book.scores[0] - book.scores[1],
        "shutout": book.winner is not None and book.won[1 - book.winner] == 0,
        "leader_at_half": seat_name(leader_at_half(book.columns[0], rules.target)),
        "turns": sum(hand.record()["turns"] for hand in played),
    }
    for seat, name in enumerate(SEATS):
        record[f"{name}_points"] = book.points[seat]
        record[f"{name}_score"] = book.scores[seat]
        record[f"{name}_boxes"] = book.boxes[seat]
        record[f"{name}_hands"] = book.won[seat]
        record[f"{name}_gins"] = count(seat, "gin", "big_gin")
        record[f"{name}_undercuts"] = count(seat, "undercut", "clean_undercut")
    if rules.scoring == "hollywood":
        record["over"] = book.over
        record["points_winner"] = seat_name(book.points_winner)
        record["box_margin"] = book.boxes[0] - book.boxes[1]
        for number, column in enumerate(book.columns, start=1):
            record[f"column_{number}_winner"] = seat_name(column.closed_by)
            record[f"column_{number}_hands"] = column.closed_at or 0
            record[f"column_{number}_shutout"] = column.shutout
            for seat, name in enumerate(SEATS):
                record[f"{name}_column_{number}_points"] = column.points(seat)
                record[f"{name}_column_{number}_boxes"] = column.boxes(seat, rules)
    return record, rows


def leader_at_half(column: Column, target: int) -> int | None:
    """Who first had half the target in the column."""
    sums = [0, 0]
    lines = [(entry, player) for player in (0, 1) for entry in column.entries[player]]
    for entry, player in sorted(lines):
        sums[player] += entry.points
        if 2 * sums[player] >= target:
            return player
    return None
