"""The columns of every frame: the one place that names and explains them.

The compiled core writes them in a few arrays (`_batch.BYTE_COLUMNS`, `_batch.SHORT_COLUMNS`,
`_decisions.MASK_COLUMNS`, `_decisions.BYTE_COLUMNS`); `records.py` makes the DataFrame;
docs/columns.md is held to these tables by a test.
"""

from __future__ import annotations

from dataclasses import dataclass

from ginsim.cards import card_name

#: The seats of a table; in a partnership also the pairs: A and B south, C and D north.
SEATS = ("south", "north")
PLAYERS = ("A", "B", "C", "D")
#: The pairs of a partnership by the seat they stand at: who plays at table 1 and at table 2.
PAIRS = ("A+B", "C+D")
PAIRINGS = ("A-C B-D", "A-D B-C")
NETS = ("both", "split", "one", "level", "none")
OUTCOMES = ("knock", "gin", "big_gin", "undercut", "clean_undercut", "tie", "dead")
DEAD_REASONS = ("none", "stock", "pile_draws", "give_backs")
KINDS = ("upcard", "draw", "discard", "wall", "spread", "layoff")
ACTIONS = (
    "pass",
    "draw_pile",
    "draw_stock",
    "discard",
    "knock",
    "big_gin",
    "spread",
    "lay_off",
    "decline",
)
SOURCES = ("stock", "pile")
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

DECISION_COLUMNS = (
    Column("hand", "int64", "index of the hand"),
    Column("deal", "int64", "index of the deal; half of the hand's in mirrored play"),
    Column("dealer", "category", "the seat that dealt", categories=SEATS),
    Column("seat", "category", "the seat that decides", categories=SEATS),
    Column(
        "turn",
        "int8",
        "the seat's own turn, from 1, that is played or would begin; in spread and layoff the "
        "last begun, 0 if none was",
        "turns",
    ),
    Column(
        "kind",
        "category",
        "what is decided: to take the upcard; pile or stock; big gin, knock or discard; to take "
        "the last discard; the knocker's melds; the defender's melds and layoffs",
        categories=KINDS,
    ),
    Column("action", "category", "what was done", categories=ACTIONS),
    Column(
        "card",
        "category",
        "the card of the action: passed, drawn (from the stock: seen only then) or thrown; missing "
        "if none",
        categories=CARDS,
    ),
    Column(
        "drawn",
        "category",
        "at a discard, the card drawn this turn; missing at the opening of an eleven deal",
        categories=CARDS,
    ),
    Column("drawn_from", "category", "where it was drawn from", categories=SOURCES),
    Column(
        "top",
        "category",
        "the pile's top card; missing if there is none, or if it has just been taken",
        categories=CARDS,
    ),
    Column("stock", "int8", "cards in the stock", "cards"),
    Column("knock_limit", "int8", "most deadwood to knock with in this hand", "pips"),
    Column("knock_card", "category", "the card that set it; missing if none", categories=CARDS),
    Column("pile_draws", "int8", "cards the seat has taken from the pile so far", "cards"),
    Column("opponent_pile_draws", "int8", "cards the opponent has taken from the pile", "cards"),
    Column("deadwood_before", "int8", "least deadwood of the cards held before the action", "pips"),
    Column(
        "deadwood_after",
        "int8",
        "least deadwood of the cards held after it; for a spread and a layoff as counted",
        "pips",
    ),
    Column(
        "best_deadwood",
        "int8",
        "at a discard, deadwood after the best allowed discard; -1 elsewhere",
        "pips",
    ),
    Column("knock_legal", "bool", "whether a knock was legal"),
    Column("big_gin_legal", "bool", "whether big gin could be declared"),
    Column("hand_cards", "uint64", "the cards held before the action, a mask", "mask"),
    Column("pile", "uint64", "the cards in the discard pile, a mask", "mask"),
    Column(
        "opponent_taken",
        "uint64",
        "cards the opponent took from the pile and has not thrown since, a mask",
        "mask",
    ),
    Column("opponent_thrown", "uint64", "cards the opponent has thrown, a mask", "mask"),
    Column(
        "opponent_left",
        "uint64",
        "pile cards the opponent did not want: passed, or drew from the stock instead, a mask",
        "mask",
    ),
)

GAME_COLUMNS = (
    Column("game", "int64", "index of the game; with the seed it names the game for ever"),
    Column("deal", "int64", "index of its decks; half of the game's in mirrored play"),
    Column("first_dealer", "category", "the seat that dealt the first hand", categories=SEATS),
    Column(
        "winner",
        "category",
        "the seat that won: by reaching the target, in Hollywood by boxes (of equal boxes by "
        "score); missing if the game did not end or nobody won",
        categories=SEATS,
    ),
    Column("hands", "int16", "hands played, dead hands and ties too", "hands"),
    Column(
        "dead_hands",
        "int16",
        "dead hands among them; of a partnership, dead at both tables",
        "hands",
    ),
    Column("ties", "int16", "other hands among them that nobody won", "hands"),
    Column("south_points", "int32", "sum of south's points in all columns", "points"),
    Column("north_points", "int32", "north's, likewise", "points"),
    Column("south_score", "int32", "these and south's bonuses at the end", "points"),
    Column("north_score", "int32", "north's, likewise", "points"),
    Column("margin", "int32", "south's score minus north's", "points"),
    Column("south_hands", "int16", "hands that south won", "hands"),
    Column("north_hands", "int16", "hands that north won", "hands"),
    Column("shutout", "bool", "whether the loser won no hand of the game"),
    Column(
        "leader_at_half",
        "category",
        "the seat that first had half the target, in Hollywood in column 1; missing if none had",
        categories=SEATS,
    ),
    Column("south_gins", "int16", "gins and big gins of south", "hands"),
    Column("north_gins", "int16", "north's, likewise", "hands"),
    Column("south_undercuts", "int16", "undercuts by south, clean ones too", "hands"),
    Column("north_undercuts", "int16", "north's, likewise", "hands"),
    Column("turns", "int32", "turns of both seats in all hands, at all tables", "turns"),
    Column("south_boxes", "int32", "south's boxes, prizes and closed columns too", "boxes"),
    Column("north_boxes", "int32", "north's, likewise", "boxes"),
)

#: What games of Hollywood have besides.
HOLLYWOOD_COLUMNS = (
    Column("over", "bool", "whether all columns are closed"),
    Column(
        "points_winner",
        "category",
        "the seat with the higher score; missing if the scores are equal",
        categories=SEATS,
    ),
    Column("box_margin", "int32", "south's boxes minus north's: what is settled", "boxes"),
    *(
        column
        for number in (1, 2, 3)
        for column in (
            Column(
                f"column_{number}_winner",
                "category",
                f"the seat that closed column {number}; missing if it is open",
                categories=SEATS,
            ),
            Column(
                f"column_{number}_hands",
                "int16",
                "hands of the game until it closed; 0 if it is open",
                "hands",
            ),
            Column(
                f"column_{number}_shutout", "bool", "whether the other seat had no entry in it then"
            ),
            Column(f"south_column_{number}_points", "int32", "south's points in it", "points"),
            Column(f"north_column_{number}_points", "int32", "north's points in it", "points"),
            Column(
                f"south_column_{number}_boxes",
                "int32",
                "south's boxes in it, the prize for closing it and doubling included",
                "boxes",
            ),
            Column(f"north_column_{number}_boxes", "int32", "north's, likewise", "boxes"),
        )
    ),
)

GAME_HAND_COLUMNS = (
    Column("game", "int64", "index of the game"),
    Column("hand_in_game", "int16", "number of the hand in its game, from 0"),
    Column("deal", "int64", "index of the game's decks"),
    Column("south_before", "int32", "south's points in all columns before the hand", "points"),
    Column("north_before", "int32", "north's, likewise", "points"),
    *(column for column in HAND_COLUMNS if column.name not in ("hand", "deal")),
)

#: The hands of a partnership's games: a row for each table.
TABLE_HAND_COLUMNS = (
    *GAME_HAND_COLUMNS[:5],
    Column("table", "int8", "1, where A plays, or 2, where B does"),
    Column("pairing", "category", "who plays whom, at table 1 and table 2", categories=PAIRINGS),
    Column(
        "net_kind",
        "category",
        "what the tables brought: both to the winner of the hand; a table to each pair, the "
        "greater total winning; one table only, the other won by nobody; equal totals; nothing",
        categories=NETS,
    ),
    Column(
        "pair_winner",
        "category",
        "the pair that won the hand, south for A and B; missing if none did",
        categories=SEATS,
    ),
    Column("pair_points", "int16", "points of that pair: the difference of totals", "points"),
    Column("pair_net", "int16", "south's points of the hand minus north's", "points"),
    Column("pair_boxes", "int8", "boxes of that pair, base and prizes, after doubling", "boxes"),
    Column("pair_prize_boxes", "int8", "the prize boxes among them", "boxes"),
    Column(
        "other_known", "bool", "whether the result of the other table was known here at the end"
    ),
    Column(
        "other_net",
        "int16",
        "south's points at the other table, negative if north won; 0 if it was not known",
        "points",
    ),
    *GAME_HAND_COLUMNS[5:],
)

SERIES_COLUMNS = (
    Column("series", "int64", "number of the series, from 0"),
    Column("first_game", "int64", "index of its first game"),
    Column("games", "int32", "games of the series", "games"),
    Column("south_wins", "int32", "games that south won", "games"),
    Column("north_wins", "int32", "games that north won", "games"),
    Column(
        "winner",
        "category",
        "the seat that won more games; missing if both won as many",
        categories=SEATS,
    ),
    Column("margin", "int64", "sum of south's scores minus north's", "points"),
)

#: What is compared at a chance to knock, in the words of its verdict.
VERDICTS = ("knock", "play on", "not told apart", "not enough")
#: The sides of a chance: who had it, and the other.
SIDES = ("policy", "opponent")


def _share(name: str, meaning: str) -> tuple[Column, ...]:
    """A share and its interval."""
    return (
        Column(name, "float64", meaning, "share"),
        Column(f"{name}_low", "float64", "lower bound of its 95 % interval, by deal", "share"),
        Column(f"{name}_high", "float64", "upper bound", "share"),
    )


KNOCK_TIMING_COLUMNS = (
    Column(
        "turn",
        "int8",
        "the seat's own turn, from 1; 16 for 16 or more. Here and in the next five: -1 if all are "
        "taken together",
        "turns",
    ),
    Column("deadwood", "int8", "deadwood after the best discard", "pips"),
    Column(
        "pick_ups", "int8", "cards the opponent has taken from the pile; 3 for 3 or more", "cards"
    ),
    Column("own_pick_ups", "int8", "cards the seat has taken from it, likewise", "cards"),
    Column("stock", "int8", "cards in the stock", "cards"),
    Column("limit", "int8", "most deadwood to knock with in the hand", "pips"),
    Column("chances", "int64", "chances to knock that were explored", "chances"),
    Column(
        "on_policy",
        "int64",
        "those among them that the policy itself would come to: it passes all earlier ones",
        "chances",
    ),
    Column("deals", "int64", "hands, each of another deal, that they are from", "hands"),
    Column("knock", "float64", "net points of the hand if it is knocked, on average", "points"),
    Column("play", "float64", "net points if it is played on, on average", "points"),
    Column("gain", "float64", "what the knock brings more than playing on", "points"),
    Column("se", "float64", "its standard error, by deal", "points"),
    Column("low", "float64", "lower bound of its 95 % interval, for this row alone", "points"),
    Column("high", "float64", "upper bound", "points"),
    Column(
        "p",
        "float64",
        "two-sided chance of such a difference if there were none; nan under 200 hands",
    ),
    Column("p_holm", "float64", "the same adjusted for all rows, by Holm"),
    Column(
        "verdict",
        "category",
        "the better move, if p_holm is below 0.05; under 200 hands there is none",
        categories=VERDICTS,
    ),
    *_share("undercut", "knocks that are undercut"),
    *_share("opponent_first", "hands played on in which the opponent knocks or has gin first"),
    *_share("own_gin", "hands played on that end with gin or big gin of the seat"),
)

KNOCK_CHANCE_COLUMNS = (
    Column("hand", "int64", "index of the hand, which is that of its deal"),
    Column("dealer", "category", "the seat that dealt; the policy is south", categories=SEATS),
    Column("turn", "int8", "the seat's own turn, from 1", "turns"),
    Column("deadwood", "int8", "deadwood after the best discard", "pips"),
    Column("pick_ups", "int8", "cards the opponent has taken from the pile", "cards"),
    Column("own_pick_ups", "int8", "cards the policy has taken from it", "cards"),
    Column("stock", "int8", "cards in the stock", "cards"),
    Column("limit", "int8", "most deadwood to knock with in the hand", "pips"),
    Column("at_wall", "bool", "whether the knock would be with the last discard, at the wall"),
    Column("on_policy", "bool", "whether the policy passes all earlier chances of the hand"),
    Column("knocks", "bool", "whether the policy knocks here"),
    Column("knock_outcome", "category", "how the hand ends if it knocks", categories=OUTCOMES),
    Column("knock_winner", "category", "who then wins; missing if nobody does", categories=SIDES),
    Column("knock_net", "int32", "the policy's points minus the opponent's then", "points"),
    Column("play_outcome", "category", "how it ends if it is played on", categories=OUTCOMES),
    Column("play_winner", "category", "who then wins; missing if nobody does", categories=SIDES),
    Column("play_knocker", "category", "who knocks then; missing in a dead hand", categories=SIDES),
    Column("play_net", "int32", "the policy's points minus the opponent's then", "points"),
)

KNOCK_TABLE_COLUMNS = (
    Column("turn", "int8", "the seat's own turn, from 1; 16 for 16 or more", "turns"),
    Column("deadwood", "int8", "deadwood after the best discard", "pips"),
    Column(
        "pick_ups",
        "int8",
        "cards the opponent has taken from the pile, 3 for 3 or more; -1 if that does not matter",
        "cards",
    ),
    Column("limit", "int8", "the knock limit; -1 if it is always the same", "pips"),
    Column("knock", "bool", "whether the table knocks"),
    Column(
        "inherited",
        "bool",
        "whether no hand of the solving stream comes to the cell with the table, so that it is as "
        "the cell of the turn before; in the first turn, as the policy had it",
    ),
    Column("chances", "int64", "chances of the solving stream in the cell", "chances"),
    Column("reached", "int64", "hands of it that come to the cell with the table", "hands"),
    Column(
        "loss",
        "float64",
        "what the other move in this cell alone would lose on average there, in the same stream, "
        "from which the table was solved; nan where none came",
        "points",
    ),
)

EQUITY_COLUMNS = (
    Column("own", "int16", "points of the player", "points"),
    Column("other", "int16", "points of the opponent", "points"),
    Column("dealer", "category", "who deals the next hand; the player is policy", categories=SIDES),
    Column("chance", "float64", "chance of the player to win the game"),
    Column("se", "float64", "its standard error; nan for targets above 300"),
)

ADVICE_COLUMNS = (
    Column(
        "action",
        "category",
        "what to do",
        categories=("pass", "draw_pile", "draw_stock", "discard", "knock", "big_gin", "decline"),
    ),
    Column("card", "category", "the card to throw; missing if none is", categories=CARDS),
    Column("points", "float64", "net points of the hand, on average", "points"),
    Column("points_low", "float64", "lower bound of its 95 % interval, by chain", "points"),
    Column("points_high", "float64", "upper bound", "points"),
    Column("chance", "float64", "chance to win the game; nan if no scores were given"),
    Column("chance_low", "float64", "lower bound of its 95 % interval"),
    Column("chance_high", "float64", "upper bound"),
    Column(
        "behind",
        "float64",
        "how much less it brings than the first action, on the same cards: points, or with scores "
        "a chance",
    ),
    Column("behind_low", "float64", "lower bound of its 95 % interval"),
    Column("behind_high", "float64", "upper bound"),
)

#: The tables of columns by the name that provenance gives a frame's rows.
TABLES = {
    "hands": HAND_COLUMNS,
    "decisions": DECISION_COLUMNS,
    "games": GAME_COLUMNS,
    "hollywood_games": (*GAME_COLUMNS, *HOLLYWOOD_COLUMNS),
    "game_hands": GAME_HAND_COLUMNS,
    "table_hands": TABLE_HAND_COLUMNS,
    "series": SERIES_COLUMNS,
    "knock_timing": KNOCK_TIMING_COLUMNS,
    "knock_chances": KNOCK_CHANCE_COLUMNS,
    "knock_table": KNOCK_TABLE_COLUMNS,
    "equity": EQUITY_COLUMNS,
    "advice": ADVICE_COLUMNS,
}
