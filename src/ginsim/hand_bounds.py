"""What a hand between two can bring by how it ended: least and most points, boxes."""

from __future__ import annotations

from typing import NamedTuple

from ginsim.columns import OUTCOMES
from ginsim.errors import join_words
from ginsim.rules import Rules
from ginsim.scoring import MAX_DEADWOOD


class Way(NamedTuple):
    """What a hand of some outcome brings without a spade, or with one.

    Attributes:
        least, most: points before doubling.
        factor: 2 if a spade doubles them, else 1.
        boxes: all of the hand, after doubling.
    """

    least: int
    most: int
    factor: int
    boxes: int

    def brings(self, points: int) -> bool:
        """Whether it may bring so many points."""
        return not points % self.factor and self.least <= points // self.factor <= self.most

    @property
    def points(self) -> str:
        """Which points it may bring, in words."""
        least, most = self.least * self.factor, self.most * self.factor
        if least == most:
            return f"{least}"
        return f"{'an even' if self.factor > 1 else 'a whole'} number from {least} to {most}"


def list_ways(rules: Rules, outcome: str) -> list[Way]:
    """The ways in which a hand of an outcome that somebody wins is scored; none if none is.

    A knocker has at most the knock limit, and none of his deadwood is gin; a defender of none
    undercuts cleanly.
    """
    limit = 10 if rules.knock_limit == "card" else rules.knock_limit
    level = {tie: int(rules.tie != tie) for tie in ("undercut", "knocker")}
    big_gin = rules.big_gin_bonus
    # Least and most difference of deadwood, bonus, prize boxes.
    kinds = {
        "knock": (level["knocker"], MAX_DEADWOOD - 1 if limit else -1, 0, 0),
        "gin": (0, MAX_DEADWOOD, rules.gin_bonus, rules.box_gin),
        "undercut": (level["undercut"], limit - 1, rules.undercut_bonus, rules.box_undercut),
        "clean_undercut": (1, limit, rules.clean_undercut_bonus, rules.box_clean_undercut),
    }
    if big_gin != "off":
        kinds["big_gin"] = (0, MAX_DEADWOOD, big_gin, rules.box_big_gin)
    least, most, bonus, prizes = kinds.get(outcome, (0, -1, 0, 0))
    if least > most:
        return []
    ways = []
    for factor in (1, 2)[: 1 if rules.spade_doubles == "none" else 2]:
        base = rules.box_base * (factor if rules.spade_doubles == "all" else 1)
        prize = prizes * (factor if rules.spade_doubles in ("prizes", "all") else 1)
        ways.append(Way(least + bonus, most + bonus, factor, base + prize))
    return ways


def list_outcomes(rules: Rules, won: bool) -> list[str]:
    """The outcomes that hands may have, of those that somebody wins or of the others."""
    if won:
        return [outcome for outcome in OUTCOMES if list_ways(rules, outcome)]
    # Equal deadwood is a tie where nobody wins it; gin wins however little the other has.
    level = rules.tie == "nobody" and rules.knock_limit != 0
    return ["tie", "dead"] if level else ["dead"]


def tell_points(ways: list[Way]) -> str:
    """Which points any of some ways may bring, in words."""
    return join_words(dict.fromkeys(way.points for way in ways))
