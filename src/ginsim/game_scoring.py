"""Hands booked as a game: points, the end, the bonuses, the dealers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ginsim import _games
from ginsim.checks import check_whole
from ginsim.errors import OptionError, RulesError, join_words, refuse
from ginsim.rules import AnyRules, Rules, load_rules, to_game_record


@dataclass(frozen=True)
class GameScore:
    """The score of a game.

    Attributes:
        over: whether a player reached the target.
        winner: his name, or None while the game is not over.
        hands_used: hands that were needed; later ones are left over.
        points: of the hands, by player.
        final: these and the bonuses at the end; of a game that is not over, the hand bonuses only.
        margin: the winner's final score minus the loser's; 0 while the game is not over. It may
            be negative, since the first to reach the target wins whatever the bonuses add.
        hands_won: by player.
        next_dealer: who would deal another hand.
    """

    over: bool
    winner: str | None
    hands_used: int
    points: dict[str, int]
    final: dict[str, int]
    margin: int
    hands_won: dict[str, int]
    next_dealer: str


def score_game(
    rules: AnyRules,
    hands: Iterable[tuple[str | None, int]],
    *,
    players: tuple[str, str] = ("A", "B"),
    dealer: str | None = None,
) -> GameScore:
    """Book the hands of a game: points, the end, the bonuses, the dealers.

    Args:
        rules: a rule set in any form, of single scoring.
        hands: (winner, points) of each hand in order; winner None for a dead hand or a tie.
        players: the two names.
        dealer: who dealt the first hand; the first player if None.

    Raises:
        RulesError: for Hollywood scoring, which this version does not play.
        OptionError: for other names, and points below 0.
    """
    full = load_rules(rules)
    check_playable(full)
    first = players[0] if dealer is None else dealer
    if first not in players:
        raise OptionError(refuse("dealer", first, join_words(players)))
    most = _most_points(full)
    winners, points = [], []
    for number, hand in enumerate(hands):
        name, won = hand
        if name is not None and name not in players:
            allowed = f"{join_words(players)}, or None for nobody"
            raise OptionError(refuse(f"hands[{number}]", name, allowed))
        winners.append(-1 if name is None else players.index(name))
        points.append(check_whole(f"hands[{number}]", won, 0, most))
    used, winner, sums, scores, wins, next_dealer = _games.score_game(
        to_game_record(full), winners, points, players.index(first)
    )
    return GameScore(
        over=winner >= 0,
        winner=players[winner] if winner >= 0 else None,
        hands_used=used,
        points=dict(zip(players, sums, strict=True)),
        final=dict(zip(players, scores, strict=True)),
        margin=scores[winner] - scores[1 - winner] if winner >= 0 else 0,
        hands_won=dict(zip(players, wins, strict=True)),
        next_dealer=players[next_dealer],
    )


def _most_points(rules: Rules) -> int:
    """More points than a hand can bring by these rules: 110 pips are eleven cards' most."""
    bonuses = (
        rules.gin_bonus,
        rules.undercut_bonus,
        rules.clean_undercut_bonus,
        0 if rules.big_gin_bonus == "off" else rules.big_gin_bonus,
    )
    return (110 + max(bonuses)) * (1 if rules.spade_doubles == "none" else 2)


def check_playable(rules: Rules) -> None:
    """Refuse rule sets whose games are not played by this version.

    Raises:
        RulesError: for Hollywood scoring.
    """
    if rules.scoring != "single":
        raise RulesError(
            f"scoring: games with scoring = {rules.scoring} are not played by this version; "
            "allowed: single"
        )
