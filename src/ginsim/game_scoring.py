"""Hands booked as a game: points, columns, boxes, the end, the bonuses, the dealers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ginsim import _books
from ginsim.checks import check_whole
from ginsim.errors import OptionError, join_words, refuse
from ginsim.rules import AnyRules, Rules, load_rules, to_game_record

#: More boxes than any hand can bring.
MOST_BOXES = 120


@dataclass(frozen=True)
class ColumnScore:
    """One column of a game, which in single scoring has one only. Dicts are by player.

    Attributes:
        points: as written, without bonuses.
        score: these and the bonuses of the column.
        entries: hands written in it.
        boxes: of these hands, and for closing it; doubled where a shutout does that.
        closed_by: who reached the target in it, or None.
        closed_at: after how many hands, dead ones counted; 0 while it is open.
        shutout: whether the other player then had no entry in it (a capote).
    """

    points: dict[str, int]
    score: dict[str, int]
    entries: dict[str, int]
    boxes: dict[str, int]
    closed_by: str | None
    closed_at: int
    shutout: bool


@dataclass(frozen=True)
class GameScore:
    """The score of a game. Dicts are by player.

    Attributes:
        over: whether a player reached the target, in Hollywood whether all columns are closed.
        winner: his name; in Hollywood of who has more boxes, of equal boxes the higher final
            score. None while the game is not over, and for a drawn game.
        hands_used: hands that were needed; later ones are left over.
        points: of the hands, in all columns.
        final: these and the bonuses at the end; of a game that is not over, the bonuses so far.
        margin: the winner's final score minus the loser's; 0 without a winner. It may
            be negative, since the first to reach the target wins whatever the bonuses add.
        hands_won: how many.
        next_dealer: who would deal another hand.
        boxes: in all columns. In Hollywood their difference is settled.
        columns: one, or Hollywood's three.
        posted: for each hand used, the numbers of the columns it was written in, from 1.
    """

    over: bool
    winner: str | None
    hands_used: int
    points: dict[str, int]
    final: dict[str, int]
    margin: int
    hands_won: dict[str, int]
    next_dealer: str
    boxes: dict[str, int]
    columns: tuple[ColumnScore, ...]
    posted: tuple[tuple[int, ...], ...]

    @property
    def points_winner(self) -> str | None:
        """Who has the higher final score, or None if both have the same."""
        (first, ours), (second, theirs) = self.final.items()
        return None if ours == theirs else first if ours > theirs else second


def score_game(
    rules: AnyRules,
    hands: Iterable[Sequence[Any]],
    *,
    players: tuple[str, str] = ("A", "B"),
    dealer: str | None = None,
) -> GameScore:
    """Book the hands of a game: points, columns, boxes, the end, the bonuses, the dealers.

    Args:
        rules: a rule set in any form; those of a partnership book the hands of the pairs.
        hands: (winner, points) or (winner, points, boxes) of each hand in order; winner None for
            a dead hand or a tie. Boxes are all of the hand, base and prizes; `box_base` if they
            are left out.
        players: the two names.
        dealer: who dealt the first hand; the first player if None.

    Raises:
        OptionError: for other names, points or boxes below 0, and points that no hand brings.
    """
    full = load_rules(rules)
    _check_players(players)
    if isinstance(hands, str) or not isinstance(hands, Iterable):
        raise OptionError(refuse("hands", hands, "(winner, points) of each hand in order"))
    first = players[0] if dealer is None else dealer
    if first not in players:
        raise OptionError(refuse("dealer", first, join_words(players)))
    most = most_points(full)
    winners, points, boxes = [], [], []
    for number, hand in enumerate(hands):
        where = f"hands[{number}]"
        if isinstance(hand, str) or not isinstance(hand, Sequence) or len(hand) not in (2, 3):
            raise OptionError(refuse(where, hand, "(winner, points) or (winner, points, boxes)"))
        name = hand[0]
        if name is not None and name not in players:
            allowed = f"{join_words(players)}, or None for nobody"
            raise OptionError(refuse(where, name, allowed))
        winners.append(-1 if name is None else players.index(name))
        if name is None:
            for what, value in zip(("points", "boxes"), hand[1:], strict=False):
                if value != 0:
                    allowed = "0, since nobody won the hand"
                    raise OptionError(refuse(f"{where}, {what}", value, allowed))
            points.append(0)
            boxes.append(0)
            continue
        points.append(check_whole(where, hand[1], 0, most))
        marked = hand[2] if len(hand) == 3 else full.box_base
        boxes.append(check_whole(f"{where}, boxes", marked, 0, MOST_BOXES))
    book = _books.book_game(to_game_record(full), winners, points, boxes, players.index(first))

    def by_player(pair: Iterable[int]) -> dict[str, int]:
        return dict(zip(players, pair, strict=True))

    winner, columns = book["winner"], book["columns"]
    scores = book["scores"]
    return GameScore(
        over=book["over"],
        winner=players[winner] if winner >= 0 else None,
        hands_used=book["hands"],
        points=by_player(sum(column["points"][seat] for column in columns) for seat in (0, 1)),
        final=by_player(scores),
        margin=scores[winner] - scores[1 - winner] if winner >= 0 else 0,
        hands_won=by_player(book["won"]),
        next_dealer=players[book["dealer"]],
        boxes=by_player(book["boxes"]),
        columns=tuple(
            ColumnScore(
                points=by_player(column["points"]),
                score=by_player(column["scores"]),
                entries=by_player(column["entries"]),
                boxes=by_player(column["boxes"]),
                closed_by=players[column["closed_by"]] if column["closed_by"] >= 0 else None,
                closed_at=column["closed_at"],
                shutout=column["shutout"],
            )
            for column in columns
        ),
        posted=tuple(tuple(column + 1 for column in posted) for posted in book["posted"]),
    )


def _check_players(players: object) -> None:
    """Refuse what is not two different names."""
    good = (
        isinstance(players, Sequence)
        and not isinstance(players, str)
        and len(players) == 2
        and all(isinstance(name, str) and name for name in players)
        and players[0] != players[1]
    )
    if not good:
        raise OptionError(refuse("players", players, "two different names"))


def most_points(rules: Rules) -> int:
    """More points than a hand can bring by these rules: 110 pips are eleven cards' most."""
    bonuses = (
        rules.gin_bonus,
        rules.undercut_bonus,
        rules.clean_undercut_bonus,
        0 if rules.big_gin_bonus == "off" else rules.big_gin_bonus,
    )
    doubled = 1 if rules.spade_doubles == "none" else 2
    return (110 + max(bonuses)) * doubled * (rules.players // 2)
