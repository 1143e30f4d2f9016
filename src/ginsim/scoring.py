"""What a knocked hand is worth by a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from ginsim import _hand, _tables
from ginsim.cards import read_card
from ginsim.checks import check_flag, check_whole
from ginsim.columns import PAIRS
from ginsim.errors import OptionError, join_words, refuse
from ginsim.rules import AnyRules, Rules, load_rules, to_record

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


@dataclass(frozen=True)
class TablesScore:
    """The score of a partnership's hand.

    Attributes:
        kind: what the tables brought: `both` to the winner, a table to each pair and the greater
            total wins (`split`), `one` only (the other was won by nobody), `level` totals, `none`.
        winner: A+B, C+D, or None if the totals are equal.
        points: of the winner: the difference of the totals.
        boxes: of the winner: one base box and the difference of the prize boxes, not below 0.
        prize_boxes: that difference.
    """

    kind: str
    winner: str | None
    points: int
    boxes: int
    prize_boxes: int


def score_tables(
    rules: AnyRules,
    first: tuple[str | None, int, str],
    second: tuple[str | None, int, str],
    *,
    spade: bool = False,
) -> TablesScore:
    """Score a partnership's hand by what happened at the two tables.

    Args:
        rules: a rule set in any form, whose bonuses and boxes count.
        first, second: of each table (pair, difference, outcome): who won it, A+B or C+D (also
            written AB, CD), or None for nobody; the difference of deadwood, 0-110; and knock,
            gin, big_gin, undercut or clean_undercut. Of a table that nobody won both count for
            nothing.
        spade: the knock card is a spade.

    Raises:
        OptionError: for other pairs, differences or outcomes.
    """
    full = load_rules(rules)
    doubled = check_flag("spade", spade)
    kind, winner, points, boxes, prizes = _tables.net_tables(
        to_record(full),
        _score_table(full, "first", first, doubled),
        _score_table(full, "second", second, doubled),
        doubled,
    )
    return TablesScore(kind, None if winner < 0 else PAIRS[winner], points, boxes, prizes)


def _score_table(
    rules: Rules, name: str, table: tuple[str | None, int, str], spade: bool
) -> tuple[int, int, int]:
    """(pair or -1, points, prize boxes) of a table."""
    if not isinstance(table, tuple | list) or len(table) != 3:
        raise OptionError(refuse(name, table, "(pair, difference, outcome)"))
    pair, difference, outcome = table
    names: dict[str | None, int] = {None: -1, **{pair: seat for seat, pair in enumerate(PAIRS)}}
    names |= {pair.replace("+", ""): seat for seat, pair in enumerate(PAIRS)}
    if not isinstance(pair, str | None) or pair not in names:
        raise OptionError(refuse(f"{name}[0]", pair, f"{join_words(PAIRS)}, or None for nobody"))
    big_gin = 0 if rules.big_gin_bonus == "off" else rules.big_gin_bonus
    brings = {
        "knock": (0, 0),
        "gin": (rules.gin_bonus, rules.box_gin),
        "big_gin": (big_gin, rules.box_big_gin),
        "undercut": (rules.undercut_bonus, rules.box_undercut),
        "clean_undercut": (rules.clean_undercut_bonus, rules.box_clean_undercut),
    }
    if rules.big_gin_bonus == "off":
        del brings["big_gin"]
    most = check_whole(f"{name}[1]", difference, 0, MAX_DEADWOOD)
    if not isinstance(outcome, str) or outcome not in brings:
        raise OptionError(refuse(f"{name}[2]", outcome, join_words(brings)))
    if pair is None:
        return -1, 0, 0
    bonus, prizes = brings[outcome]
    twice = spade and rules.spade_doubles != "none"
    twice_prizes = spade and rules.spade_doubles in ("prizes", "all")
    return (
        names[pair],
        (most + bonus) * (2 if twice else 1),
        prizes * (2 if twice_prizes else 1),
    )
