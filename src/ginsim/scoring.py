"""What a knocked hand is worth by a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from ginsim import _hand
from ginsim.cards import card_number
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
        knocker_deadwood: 0 for gin; 0-110.
        defender_deadwood: 0-110.
        big_gin: all eleven cards were melded; plain gin where the rules have no big gin.
        spade: the knock card is a spade.

    Raises:
        OptionError: for deadwood out of range, or big gin with deadwood.
    """
    for name, value in (
        ("knocker_deadwood", knocker_deadwood),
        ("defender_deadwood", defender_deadwood),
    ):
        if not 0 <= value <= MAX_DEADWOOD:
            raise OptionError(refuse(name, value, f"0 to {MAX_DEADWOOD}"))
    if big_gin and knocker_deadwood:
        raise OptionError(refuse("knocker_deadwood", knocker_deadwood, "0 with big gin"))
    record = to_record(load_rules(rules))
    return HandScore(*_hand.score_hand(record, knocker_deadwood, defender_deadwood, big_gin, spade))


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
    card = -1 if knock_card is None else card_number(knock_card)
    return int(_hand.knock_limit(to_record(full), card))
