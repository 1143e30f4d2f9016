"""The columns of the per-hand records: the one place that names and explains them.

The compiled core writes them in two arrays (`_batch.BYTE_COLUMNS`, `_batch.SHORT_COLUMNS`);
`records.py` makes the DataFrame; docs/columns.md is held to this table by a test.
"""

from __future__ import annotations

from dataclasses import dataclass

from ginsim.cards import card_name

SEATS = ("south", "north")
OUTCOMES = ("knock", "gin", "big_gin", "undercut", "clean_undercut", "tie", "dead")
DEAD_REASONS = ("none", "stock", "pile_draws", "give_backs")
CARDS = tuple(card_name(number) for number in range(52))


@dataclass(frozen=True)
class Column:
    """A column of a frame.

    `categories`, where given, are fixed: all of them are there even if no hand has them, and a
    missing value stands for none of them.
    """

    name: str
    dtype: str
    meaning: str
    unit: str = ""
    categories: tuple[str, ...] = ()


HAND_COLUMNS = (
    Column("hand", "int64", "index of the hand; with the seed it names the hand for ever"),
    Column(
        "deal",
        "int64",
        "index of the deal: the hand's, or half of it in mirrored play, where each deal is played "
        "twice with seats changed",
    ),
    Column("dealer", "category", "the seat that dealt", categories=SEATS),
    Column("outcome", "category", "how the hand ended", categories=OUTCOMES),
    Column(
        "dead_reason",
        "category",
        "why a dead hand is dead: the stock ran out, pile draws reached their bound, or cards "
        "were given back in a row",
        categories=DEAD_REASONS,
    ),
    Column("winner", "category", "the seat that won; missing if nobody did", categories=SEATS),
    Column(
        "knocker", "category", "the seat that knocked; missing in a dead hand", categories=SEATS
    ),
    Column("points", "int16", "points of the winner, after doubling", "points"),
    Column("net", "int16", "south's points minus north's", "points"),
    Column("boxes", "int8", "boxes of the winner, base and prizes, after doubling", "boxes"),
    Column("prize_boxes", "int8", "the prize boxes among them", "boxes"),
    Column(
        "south_deadwood",
        "int8",
        "south's deadwood as counted: of the knocker as spread, of the defender after layoffs; "
        "in a dead hand the least deadwood",
        "pips",
    ),
    Column("north_deadwood", "int8", "north's, likewise", "pips"),
    Column(
        "laid_off",
        "int8",
        "what the defender saved: his least deadwood without layoffs minus that as counted; "
        "negative only if he arranged his hand badly",
        "pips",
    ),
    Column("knock_limit", "int8", "most deadwood with which one might knock", "pips"),
    Column("knock_card", "category", "the card that set it; missing if none", categories=CARDS),
    Column("turns", "int16", "turns of both seats; a passed upcard is no turn", "turns"),
    Column("stock", "int8", "cards left in the stock", "cards"),
    Column("south_pile_draws", "int8", "cards south took from the pile, the upcard too", "cards"),
    Column("north_pile_draws", "int8", "cards north took from the pile", "cards"),
    Column(
        "south_knock_turn",
        "int8",
        "south's first own turn, from 1, on which a knock or big gin was legal; 0 for never",
        "turns",
    ),
    Column("north_knock_turn", "int8", "north's, likewise", "turns"),
)
