"""What a knocked hand is worth by a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from ginsim import _hand
from ginsim.cards import read_card
from ginsim.checks import check_flag, check_whole
from ginsim.errors import OptionError, refuse
from ginsim.rules import AnyRules, load_rules, to_record

#: No hand of eleven cards has more deadwood than this.
MAX_DEADWOOD = 110


@dataclass(frozen=True)
class HandScore:
    """The score of one hand.

    Attributes:
        outcome: knock, gin, big_gin, undercut, clean_undercut or tie.
        winner: `knocker`, `defender`, or None for a tie that nobody wins.
        points: of the winner, after spade doubling.
        boxes: of the winner, base and prizes, after doubling.
        prize_boxes: the prizes among them.
    """

    outcome: str
    winner: str | None
    points: int
    boxes: int
    prize_boxes: int


def score_hand(
    rules: AnyRules,
    knocker_deadwood: int,
    defender_deadwood: int,
    *,
    big_gin: bool = False,
    spade: bool = False,
) -> HandScore:
    """Score a knock by both deadwoods, the defender's after layoffs.

    Args:
        rules: a rule set in any form.
        knocker_deadwood: 0 for gin; at most the knock limit of the rules, or 10 where a card sets
            it.
        defender_deadwood: 0-110.
        big_gin: all eleven cards were melded; plain gin where the rules have no big gin.
        spade: the knock card is a spade; no matter where the rules double nothing.

    Raises:
        OptionError: for deadwood that is no whole number or out of range, and big gin with
            deadwood.
    """
    full = load_rules(rules)
    most, why = (10, "") if full.knock_limit == "card" else (full.knock_limit, ", the knock limit")
    ours = check_whole("knocker_deadwood", knocker_deadwood, 0, most, why)
    theirs = check_whole("defender_deadwood", defender_deadwood, 0, MAX_DEADWOOD)
    melded, doubled = check_flag("big_gin", big_gin), check_flag("spade", spade)
    if melded and ours:
        raise OptionError(refuse("knocker_deadwood", ours, "0 with big gin"))
    return HandScore(*_hand.score_hand(to_record(full), ours, theirs, melded, doubled))


def knock_limit(rules: AnyRules, knock_card: str | None = None) -> int:
    """The most deadwood one may knock with in a hand.

    Args:
        rules: a rule set in any form.
        knock_card: the card that sets the limit, where the rules have one.

    Raises:
        OptionError: if the rules need a knock card and none is given.
    """
    full = load_rules(rules)
    if full.knock_limit == "card" and knock_card is None:
        raise OptionError(refuse("knock_card", None, "a card, since it sets the limit"))
    card = -1 if knock_card is None else read_card("knock_card", knock_card)
    return int(_hand.knock_limit(to_record(full), card))
