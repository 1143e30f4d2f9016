"""Rule sets as data: one frozen record of fields, no subclass per variant.

A rule set comes from a name (`kawu`), a name with modifiers (`kawu+oklahoma+ace-gin`) or a TOML
file of the user's own; `load_rules` takes all of them. docs/rules.md says what each field means
and which source prints what.

>>> rules = load_rules("kawu+big-gin")
>>> rules.big_gin_bonus
31
>>> rules.replace(knock_limit=4).name
'kawu+big-gin(knock_limit=4)'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeAlias, Union

from pydantic import Field

from ginsim.checks import check_fields
from ginsim.errors import RulesError, join_words, refuse, show
from ginsim.fields import Record, choices, describe, get_extra
from ginsim.rulefiles import (
    compose,
    list_modifiers,
    list_rulesets,
    read_settings,
    split_settings,
)
from ginsim.ruletext import explain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "HAND_FIELDS",
    "Rules",
    "explain",
    "find_differences",
    "list_modifiers",
    "list_rulesets",
    "load_rules",
    "parse_settings",
    "to_record",
]

Points: TypeAlias = Annotated[int, Field(ge=0, le=1000)]
Boxes: TypeAlias = Annotated[int, Field(ge=0, le=15)]

#: `knock_limit = card` in the compiled core's record.
CARD_LIMIT = 255


#: What makes no sense together: while the first field has the value, the second may only have
#: the values listed, for the reason given.
_CONTRADICTIONS: tuple[tuple[str, object, str, Sequence[object], str], ...] = (
    ("deal", "eleven", "knock_card", ("none", "second-deck"), "no card is turned up"),
    ("knock_card", "none", "knock_limit", range(11), "there is no card to set the limit"),
    ("knock_card", "none", "ace_limit", ("one",), "there is no card that could be an ace"),
    ("knock_card", "none", "spade_doubles", ("none",), "there is no card that could be a spade"),
    ("players", 4, "knock_card", ("none", "second-deck"), "one card serves both tables"),
    ("scoring", "hollywood", "target", range(1, 1001), "it closes the columns"),
    ("scoring", "single", "box_column", (0,), "there are no columns"),
    ("scoring", "single", "shutout_shift", (False,), "there are no columns"),
    ("scoring", "single", "shutout", ("add", "replace", "double"), "there are no columns"),
)


def _hand(default: object, text: str, unit: str = "", note: str = "") -> Any:
    return describe(default, text, unit=unit, level="hand", note=note)


def _game(default: object, text: str, unit: str = "", note: str = "") -> Any:
    return describe(default, text, unit=unit, level="game", note=note)


class Rules(Record):
    """All rules of one way to play. Frozen, validated, hashable.

    Fields of level *hand* decide how one hand is played and scored; the compiled core gets them
    through `to_record`. Fields of level *game* decide how hands make a game.
    Two rule sets are equal if all fields but the name are.

    Raises:
        RulesError: with every field that is wrong, its value and what is allowed, and every
            combination of fields that has no meaning.
    """

    error: ClassVar[type[RulesError]] = RulesError
    field_word: ClassVar[str] = "field of a rule set"

    players: Literal[2, 4] = _game(
        2,
        "how many play: two, or four in two pairs, at two tables with one knock card (a "
        "partnership)",
        "players",
    )
    deal: Literal["upcard", "eleven"] = _hand(
        "upcard",
        "upcard: ten cards each and one turned up, on offer to the non-dealer, then the dealer; "
        "eleven: ten to the dealer, eleven to the non-dealer, who opens without a draw",
    )
    return_taken_card: bool = _hand(
        False,
        "whether the card just taken from the discard pile may be thrown in the same turn",
    )
    give_back_limit: Annotated[int, Field(ge=0, le=50)] = _hand(
        0,
        "this many turns in a row that take the pile's card and throw it back end the hand as "
        "dead; 0 is off",
        "turns",
    )
    knock_card: Literal["none", "upcard", "second-deck"] = _hand(
        "none",
        "the card that sets limit or doubling: none, the first upcard, or the top card of a "
        "second deck shuffled for each hand",
    )
    knock_limit: Annotated[int, Field(ge=0, le=10)] | Literal["card"] = _hand(
        10,
        "most deadwood to knock with; 0 is gin only, card is the value of the knock card",
        "points of deadwood",
    )
    ace_limit: Literal["one", "gin"] = _hand(
        "one", "what an ace as knock card allows: a knock with one point, or gin only"
    )
    spade_doubles: Literal["none", "points", "prizes", "all"] = _hand(
        "none",
        "what a spade as knock card doubles: nothing, the points, the points and the prize "
        "boxes, or those and the base box",
    )
    gin_bonus: Points = _hand(25, "on top of the defender's deadwood for gin", "points")
    undercut_bonus: Points = _hand(25, "on top of the difference for an undercut", "points")
    clean_undercut_bonus: Points = _hand(
        25,
        "on top of the difference for an undercut by a defender without deadwood",
        "points",
    )
    big_gin_bonus: Points | Literal["off"] = _hand(
        "off",
        "on top of the defender's deadwood for eleven melded cards; off: they are played as gin "
        "with one discard",
        "points",
    )
    tie: Literal["undercut", "knocker", "nobody"] = _hand(
        "undercut",
        "equal deadwood after layoffs: an undercut, a knock worth 0 points, or a tie that nobody "
        "wins",
    )
    spread: Literal["any", "least"] = _hand(
        "any",
        "the knocker may spread any arrangement at or under the limit, or only one of least "
        "deadwood",
    )
    layoffs: bool = _hand(True, "whether the defender lays off; never against gin or big gin")
    dead_at: Annotated[int, Field(ge=0, le=20)] = _hand(
        2,
        "the hand is dead when the player who drew the stock down to this many cards throws "
        "without knocking",
        "cards",
    )
    wall: Literal["dead", "fiftieth"] = _hand(
        "dead",
        "that last discard ends the hand, or the opponent may still take it, only to knock or "
        "for gin",
    )
    max_pile_draws: Annotated[int, Field(ge=1, le=100)] = _hand(
        50,
        "the hand is dead at the discard after this many draws from the pile by both seats, "
        "so that every hand ends",
        "draws",
    )

    first_dealer: Literal["drawn", "seat"] = _game(
        "drawn",
        "who deals the first hand of a game: the seats by turns, which stands for drawing (south "
        "in games of even index), or always south; in mirrored games the other seat",
    )
    next_dealer: Literal["loser", "winner", "alternate"] = _game(
        "alternate",
        "who deals after a scored hand; after a dead hand or a tie the same dealer deals again",
    )
    scoring: Literal["single", "hollywood"] = _game(
        "single", "one running score, or the three columns of Hollywood"
    )
    target: Points = _game(
        100,
        "closes the game, or a column; bonuses at the end never count towards it; with 0 a game "
        "is one hand",
        "points",
    )
    game_bonus: Points = _game(0, "to the winner of the game, at the end", "points")
    hand_bonus: Points = _game(0, "for each hand won, at the end", "points")
    shutout_bonus: Points = _game(
        0, "for a game whose loser won no hand, with shutout add or replace", "points"
    )
    shutout: Literal["add", "replace", "double", "double-boxes"] = _game(
        "add",
        "after a shutout the shutout bonus comes on top of the game bonus or replaces it, or the "
        "game bonus doubles, or the winner's boxes of the column double",
    )

    box_base: Boxes = _hand(0, "for winning a hand", "boxes")
    box_gin: Boxes = _hand(0, "prize for gin", "boxes")
    box_clean_undercut: Boxes = _hand(0, "prize for a clean undercut", "boxes")
    box_undercut: Boxes = _hand(0, "prize for an undercut", "boxes")
    box_big_gin: Boxes = _hand(0, "prize for big gin", "boxes")
    box_column: Boxes = _game(0, "for closing a column", "boxes")
    shutout_shift: bool = _game(
        False,
        "in Hollywood scoring, a column closed without an entry of a player's moves his wins one "
        "column further",
    )

    @classmethod
    def find_contradictions(
        cls, values: Mapping[str, Any]
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        """Combinations of fields without meaning, in words."""
        for cause, value, field, sensible, why in _CONTRADICTIONS:
            if values[cause] == value and values[field] not in sensible:
                allowed = (
                    f"whole numbers {sensible[0]} to {sensible[-1]}"
                    if isinstance(sensible, range)
                    else join_words(str(word).lower() for word in sensible)
                )
                yield (
                    (cause, field),
                    f"{field}: {show(values[field])} has no meaning with {cause} = {value}: "
                    f"{why}; allowed there: {allowed}",
                )

    def replace(self, /, **changes: Any) -> Self:
        """The same rules with some fields changed; the name tells which.

        Raises:
            RulesError: as the constructor does; unknown fields are named with the known ones.
        """
        changed = type(self)(**{**self.values(), **changes})
        name = _changed_name(self.name, self.values(), changed.values(), changes)
        return type(self)(**{"name": name, **self.values(), **changes})


#: The fields of level hand, in order: what decides the play and the score of one hand.
HAND_FIELDS = tuple(
    field for field, info in Rules.model_fields.items() if get_extra(info, "level") == "hand"
)

#: What is accepted wherever a rule set is.
AnyRules: TypeAlias = Union[str, "PathLike[str]", Rules, Mapping[str, Any]]


def load_rules(
    source: AnyRules, overrides: Mapping[str, Any] | None = None, folder: str = ""
) -> Rules:
    """The rule set of a name, a composition `BASE+MODIFIER+…`, a TOML file or a mapping.

    Args:
        source: a name of `list_rulesets()`, followed by modifiers if wished; the path of a TOML
            file (anything that ends in .toml or contains a path separator), alone or as a part
            of a composition; either followed by settings, `kawu+oklahoma(gin_bonus=30)`; a
            mapping of fields, such as provenance carries; or a `Rules`.
        overrides: fields set after all parts. Validation comes last, so parts that are wrong
            by themselves may be right together.
        folder: what relative paths are relative to.

    Raises:
        RulesError: for unknown names, unreadable files, and what `Rules` refuses.
    """
    overrides = {} if overrides is None else check_fields("overrides", overrides, RulesError)
    if isinstance(source, Rules):
        return source.replace(**overrides) if overrides else source
    if isinstance(source, Mapping):
        rules = Rules(**check_fields("rules", source, RulesError))
        return rules.replace(**overrides) if overrides else rules
    if not isinstance(source, str | PathLike):
        raise RulesError(
            refuse("rules", source, "the name of a rule set, a path, a mapping or Rules")
        )
    spec, settings = split_settings(os.fsdecode(source), _defaults())
    overrides = {**settings, **overrides}
    composition = compose(spec, _defaults(), folder)
    values = {**_defaults(), **composition.values}
    try:
        rules = Rules(**{**composition.values, **overrides})
        name = _changed_name(composition.name, values, rules.values(), overrides)
        return Rules(**{"name": name, **composition.values, **overrides})
    except RulesError as failure:
        if not composition.from_file:
            raise
        problems = (f"{composition.name}: {problem}" for problem in failure.problems)
        raise RulesError(*problems) from None


def parse_settings(settings: str | Iterable[str]) -> dict[str, bool | int | str]:
    """Read `field=value` texts, as the command line takes them, into values of the right type.

    One text may hold several, with commas between them. Unknown fields and values out of range are
    left to the validation of the whole.

    Raises:
        RulesError: for texts without `=`.
    """
    return read_settings(
        settings.split(",") if isinstance(settings, str) else settings, _defaults()
    )


def find_differences(first: Rules, second: Rules) -> dict[str, tuple[Any, Any]]:
    """The fields in which two rule sets differ, with both values."""
    ours, theirs = first.values(), second.values()
    return {field: (ours[field], theirs[field]) for field in ours if ours[field] != theirs[field]}


def to_record(rules: Rules) -> NDArray[np.void]:
    """The hand's rules as the compiled core reads them: a structured array of shape (1,).

    A word's code is its place among the field's choices; `knock_limit = card` is 255;
    `big_gin` says whether big gin is played and `big_gin_bonus` is 0 if it is not.
    """
    import numpy as np

    from ginsim._hand import RULES_DTYPE

    record = np.zeros(1, dtype=RULES_DTYPE)
    for field, value in _codes(rules).items():
        record[field] = value
    return record


def to_game_record(rules: Rules) -> NDArray[np.void]:
    """The rules of whole games as the compiled core reads them: an array of shape (1,)."""
    import numpy as np

    from ginsim._books import GAME_RULES_DTYPE

    record = np.zeros(1, dtype=GAME_RULES_DTYPE)
    for field in GAME_RULES_DTYPE.names or ():
        value = getattr(rules, field)
        if isinstance(value, str):
            value = choices(Rules.model_fields[field]).index(value)
        record[field] = value
    return record


def _codes(rules: Rules) -> dict[str, int]:
    codes: dict[str, int] = {}
    for field in HAND_FIELDS:
        value = getattr(rules, field)
        if field == "knock_limit":
            codes[field] = CARD_LIMIT if value == "card" else value
        elif field == "big_gin_bonus":
            codes["big_gin"] = int(value != "off")
            codes[field] = 0 if value == "off" else value
        elif isinstance(value, str):
            codes[field] = choices(Rules.model_fields[field]).index(value)
        else:
            codes[field] = int(value)
    return codes


def _defaults() -> dict[str, Any]:
    return {field: info.default for field, info in Rules.model_fields.items() if field != "name"}


def _changed_name(
    name: str, old: Mapping[str, Any], new: Mapping[str, Any], changes: Iterable[str]
) -> str:
    """The name of changed rules: `kawu(knock_limit=4)`; what is not changed is not named.

    Args:
        old, new: all fields before and after, validated.
        changes: the fields set, in the order to name them.
    """
    news = ", ".join(
        f"{field}={str(new[field]).lower() if isinstance(new[field], bool) else new[field]}"
        for field in changes
        if field != "name" and old[field] != new[field]
    )
    if not news:
        return name
    return f"{name[:-1]}, {news})" if name.endswith(")") else f"{name}({news})"
