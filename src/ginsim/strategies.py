"""Strategies as data: one rule for each decision of a hand.

docs/engine.md says exactly what each rule does; docs/strategies.md what the named strategies are
for. A strategy is named by a text: `simple`, `greedy(knock_at=4)`, `greedy(4, layoff=greedy)`.

>>> parse_strategy("greedy( 4, layoff=optimal )").name
'greedy(knock_at=4)'
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field
from pydantic.fields import FieldInfo

from ginsim.checks import check_fields
from ginsim.errors import StrategyError, join_words, refuse, refuse_name, show
from ginsim.fields import Record, choices, describe, list_values
from ginsim.tablefiles import list_tables, read_shipped, read_table_file
from ginsim.tomlfiles import DEEPEST, is_path, read_toml
from ginsim.turns import SHIPPED, ByTurn, KnockTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ginsim.players import PythonStrategy

Value: TypeAlias = int | str


class Strategy(Record):
    """The rules by which a seat decides. Frozen, validated, hashable.

    Two strategies are equal if all fields but the name are.

    Raises:
        StrategyError: with every field that is wrong, its value and what is allowed.
    """

    error: ClassVar[type[StrategyError]] = StrategyError
    field_word: ClassVar[str] = "decision of a strategy"

    upcard: Literal["random", "meld", "improve", "never", "always", "gain"] = describe(
        "improve", "whether to take the upcard"
    )
    draw: Literal["random", "meld", "improve", "never", "always", "gain"] = describe(
        "improve", "whether to draw from the pile or from the stock"
    )
    take_gain: Annotated[str, ByTurn(1, 99)] = describe(
        "99",
        "from how much less deadwood on gain takes a card that makes no meld, by turn",
        unit="points of deadwood",
    )
    big_gin: Literal["random", "always"] = describe("always", "whether to declare big gin")
    knock: Literal["random", "threshold", "table"] = describe("threshold", "whether to knock")
    knock_at: Annotated[int, Field(ge=0, le=10)] = describe(
        10, "most deadwood to knock with by threshold; 0 plays for gin", unit="points of deadwood"
    )
    knock_table: Annotated[str, KnockTable()] = describe(
        "10",
        "with which deadwoods to knock by table: by turn, pick-ups of the opponent, knock limit",
        unit="points of deadwood",
    )
    knock_after_win: Annotated[int, Field(ge=0, le=10)] | Literal["same"] = describe(
        "same",
        "instead of knock_at or knock_table, once the partner is known to have won win_from points "
        "or more",
        unit="points of deadwood",
    )
    win_from: Annotated[int, Field(ge=1, le=9999)] = describe(
        1, "from how many points of the partner knock_after_win holds", unit="points"
    )
    knock_after_loss: Annotated[int, Field(ge=0, le=10)] | Literal["same"] = describe(
        "same",
        "instead of knock_at or knock_table, once the partner is known to have lost loss_from "
        "points or more",
        unit="points of deadwood",
    )
    loss_from: Annotated[int, Field(ge=1, le=9999)] = describe(
        1, "from how many points lost by the partner knock_after_loss holds", unit="points"
    )
    close_from: Annotated[int, Field(ge=0, le=9999)] = describe(
        0,
        "from how few points missing to the target knock_close holds, in games of one column",
        unit="points",
    )
    knock_close: Annotated[str, ByTurn(0, 10)] = describe(
        "10",
        "most deadwood to knock with instead of knock_table, close to the target, by turn",
        unit="points of deadwood",
    )
    guard_from: Annotated[int, Field(ge=0, le=9999)] = describe(
        0, "likewise of points missing to the opponent, for knock_guard", unit="points"
    )
    knock_guard: Annotated[str, ByTurn(0, 10)] = describe(
        "10",
        "most deadwood to knock with instead of knock_table, if he is close, by turn",
        unit="points of deadwood",
    )
    discard: Literal["random", "least", "uniform", "weighed"] = describe(
        "least", "which card to throw"
    )
    keep_pairs: Annotated[int, Field(ge=0, le=160)] = describe(
        0, "up to which turn weighed keeps loose cards of one rank", unit="turn"
    )
    weigh_deadwood: Annotated[str, ByTurn(0, 999)] = describe(
        "1", "weight of a point of deadwood that the discard saves, by turn"
    )
    weigh_rank: Annotated[str, ByTurn(0, 999)] = describe(
        "0", "weight of a rank, ace 1 to king 13: high cards first, by turn"
    )
    weigh_pairs: Annotated[str, ByTurn(0, 999)] = describe(
        "0", "weight of an unseen card that would make a set of the card and another, by turn"
    )
    weigh_runs: Annotated[str, ByTurn(0, 999)] = describe(
        "0", "weight of an unseen card that would make a run of the card and another, by turn"
    )
    weigh_unseen: Annotated[str, ByTurn(0, 999)] = describe(
        "0", "weight of two unseen cards that would make a meld of the card, by turn"
    )
    weigh_known: Annotated[str, ByTurn(0, 999)] = describe(
        "0", "weight of a card the opponent is known to hold, in such two cards, by turn"
    )
    spread: Literal["random", "uniform", "fewest_sets", "first", "expected", "clairvoyant"] = (
        describe("fewest_sets", "how to arrange the hand when it is over")
    )
    cheats: Literal["no", "yes"] = describe(
        "no", "whether it may look at hidden cards; only to reproduce figures of others"
    )
    layoff: Literal["random", "optimal", "greedy", "in_order", "none"] = describe(
        "optimal", "how to lay off on the knocker's melds"
    )

    rollouts: Annotated[int, Field(ge=0, le=4096)] = describe(
        0, "play-outs of each action, which are played by the rules above; 0 for no search"
    )
    opponent: Literal["base", "simple", "greedy"] = describe(
        "base", "who plays the opponent in the play-outs"
    )
    candidates: Annotated[int, Field(ge=1, le=11)] = describe(
        5, "most cards that a search tries to throw"
    )
    steps: Annotated[int, Field(ge=0, le=255)] = describe(
        8,
        "exchanges proposed between the opponent's hands of two play-outs, by which hands that "
        "agree with what he did are met more often; 0 draws any hand with equal chance",
    )
    caution: Annotated[int, Field(ge=0, le=100)] = describe(
        17,
        "tenths of a standard error by which another action must gain more than that of the "
        "rules, to be taken instead",
    )

    @classmethod
    def find_contradictions(
        cls, values: Mapping[str, Any]
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        """A rule that looks at hidden cards has to be called what it is."""
        if values["spread"] == "clairvoyant" and values["cheats"] != "yes":
            yield (
                ("spread", "cheats"),
                "spread: 'clairvoyant' looks at the opponent's hand; allowed with cheats=yes only",
            )

    @property
    def reads_points(self) -> tuple[str, ...]:
        """Which points decide what it does.

        `partner`: those of the hand at the other table. `scores`: those of the game so far.
        `play-outs`: those of the hand itself.

        Hands of such a strategy change with the bonuses, so that they cannot be scored by others
        without playing them again (`rescore`). Empty for one that looks at cards only.
        """
        alone = self.knock_at if self.knock == "threshold" else "same"
        thresholds = {self.knock_after_win, self.knock_after_loss} - {"same", alone}
        partner = self.knock != "random" and thresholds
        scores = self.knock == "table" and (self.close_from or self.guard_from)
        return (
            *(("partner",) if partner else ()),
            *(("scores",) if scores else ()),
            *(("play-outs",) if self.rollouts else ()),
        )


_TAKING = {
    "random": "by a coin",
    "meld": "takes the card if it makes a meld with the hand",
    "improve": "takes the card if the best hand after it has less deadwood",
    "never": "never takes the card, but at the wall to end the hand",
    "always": "always takes the card",
    "gain": "takes the card if it makes a meld and lowers deadwood, if it lowers deadwood by "
    "take_gain, or if it would then knock",
}

#: What each rule of a decision does, in short; docs/engine.md says it exactly.
MEANINGS: Mapping[str, Mapping[str, str]] = {
    "upcard": _TAKING,
    "draw": _TAKING,
    "big_gin": {"random": "by a coin", "always": "declares it whenever it may"},
    "knock": {
        "random": "by a coin",
        "threshold": "knocks as soon as its deadwood is at most knock_at, if the rules allow it",
        "table": "knocks with the deadwoods that knock_table has for the turn, if the rules allow "
        "it",
    },
    "knock_after_win": {"same": "as without it"},
    "knock_after_loss": {"same": "as without it"},
    "cheats": {"no": "it sees what a player sees", "yes": "cheating is allowed"},
    "discard": {
        "random": "any card with equal chance",
        "least": "the card that leaves least deadwood; of several the one of most pips, of these "
        "the lowest",
        "uniform": "one of the cards that leave least deadwood with equal chance, without "
        "repeating an exchange of two cards",
        "weighed": "the loose card for which the deadwood it saves outweighs most what may come of "
        "it, for oneself and for the opponent",
    },
    "spread": {
        "random": "any arrangement the rules allow with equal chance",
        "uniform": "one of the arrangements of least deadwood with equal chance",
        "fewest_sets": "the arrangement of least deadwood with fewest sets",
        "first": "the first arrangement of least deadwood in canonical order",
        "expected": "the arrangement that costs least, its deadwood and what the opponent can be "
        "expected to lay off counted together",
        "clairvoyant": "cheating: the arrangement that does best against the opponent's hand",
    },
    "opponent": {
        "base": "the same rules",
        "simple": "the strategy simple",
        "greedy": "the strategy greedy",
    },
    "layoff": {
        "random": "one of the cards that fit, or an end, with equal chance",
        "optimal": "own melds and layoffs together, for least deadwood",
        "greedy": "own melds first, then again and again the card of most pips that fits",
        "in_order": "own melds first, then again and again the first card that fits",
        "none": "own melds only",
    },
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a named strategy.

    Attributes:
        allowed: its values; of one that names a strategy (`is_strategy`), the names.
        field: the field of `Strategy` that it sets; empty for that of the parameter's name. One
            that names a strategy sets all fields of that strategy.
    """

    default: Value
    allowed: range | tuple[Value, ...] | ByTurn | KnockTable
    description: str
    field: str = ""
    is_strategy: bool = False
    is_path: bool = False

    @property
    def allowed_words(self) -> str:
        """What is allowed, in words."""
        if isinstance(self.allowed, ByTurn | KnockTable):
            return self.allowed.allowed_words
        if isinstance(self.allowed, range):
            return f"whole numbers {self.allowed[0]} to {self.allowed[-1]}"
        if self.is_path:
            return f"the path of a TOML file, or {join_words(map(str, self.allowed))}"
        numbers = [value for value in self.allowed if isinstance(value, int)]
        words = [value for value in self.allowed if isinstance(value, str)]
        if self.is_strategy:
            return f"{join_words(words)}, with their parameters"
        if not numbers:
            return join_words(words)
        return f"whole numbers {min(numbers)} to {max(numbers)}, or {join_words(words)}"

    def read(self, value: Value) -> Value:
        """The value, canonical.

        Raises:
            ValueError: if it is not allowed.
            StrategyError: for the strategy that it names.
        """
        if isinstance(self.allowed, ByTurn | KnockTable):
            return self.allowed.read(value)
        if self.is_strategy and str(value).partition("(")[0].strip() in self.allowed:
            return parse_strategy(str(value)).name
        if self.is_path and isinstance(value, str) and is_path(value):
            return value
        if self.is_strategy or value not in self.allowed:
            raise ValueError
        return value


@dataclass(frozen=True)
class NamedStrategy:
    """A strategy that can be named: its fixed rules and its parameters, in positional order."""

    description: str
    rules: Mapping[str, Value]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


def _open(description: str, values: Mapping[str, Value]) -> NamedStrategy:
    """One whose parameters are all fields of a strategy, by default with these values."""
    parameters = {}
    for name in Strategy.field_names():
        info = Strategy.model_fields[name]
        allowed: Any = next((k for k in info.metadata if isinstance(k, ByTurn | KnockTable)), None)
        parameters[name] = Parameter(
            values.get(name, info.default), allowed or list_values(info), str(info.description)
        )
    return NamedStrategy(description, {}, parameters)


#: What `expert` plays by. Found under `eaai` by `ginsim tune`: docs/tuned/expert.toml has the
#: command and its figures. Then rounded, and put back as they were what won no more games (fields
#: keep_pairs, spread, close_from, weigh_pairs), on deals of seed 888. docs/strategies.md has the
#: figures on others.
EXPERT: Mapping[str, Value] = {
    "upcard": "improve",
    "draw": "gain",
    "take_gain": "12",
    "knock": "table",
    "knock_table": "3*2/0",
    "close_from": 10,
    "discard": "weighed",
    "weigh_deadwood": "4*4/5*2/7",
    "weigh_rank": "0*2/2",
    "weigh_pairs": "40*3/24*3/16*3/12",
    "weigh_runs": "36*3/30*3/22*3/20",
    "weigh_unseen": "2*2/5*2/8*5/14",
    "weigh_known": "20*5/30",
}

#: What `expert_classic` plays by: found likewise under `classic`, docs/tuned/expert_classic.toml.
EXPERT_CLASSIC: Mapping[str, Value] = {
    "upcard": "gain",
    "draw": "gain",
    "take_gain": "9",
    "knock": "table",
    "knock_table": "10",
    "discard": "weighed",
    "weigh_deadwood": "7*2/11",
    "weigh_rank": "0*2/1",
    "weigh_pairs": "40*3/24*3/16*3/12",
    "weigh_runs": "30*3/24*3/18*3/14",
    "weigh_unseen": "5*5/10*3/14",
    "weigh_known": "28*5/35",
}


#: Every strategy that has a name. A new one is a new entry here.
STRATEGIES: Mapping[str, NamedStrategy] = {
    "random": NamedStrategy(
        "plays every legal action with equal chance: a floor, and a way to reach rare positions",
        {
            "upcard": "random",
            "draw": "random",
            "big_gin": "random",
            "knock": "random",
            "discard": "random",
            "spread": "random",
            "layoff": "random",
        },
    ),
    "simple": NamedStrategy(
        "the SimpleGinRummyPlayer of the EAAI-2021 challenge: takes what makes a meld, throws for "
        "least deadwood at random, knocks as soon as it may",
        {
            "upcard": "meld",
            "draw": "meld",
            "big_gin": "always",
            "knock": "threshold",
            "discard": "uniform",
            "spread": "uniform",
            "layoff": "in_order",
        },
    ),
    "greedy": NamedStrategy(
        "takes what lowers its deadwood, throws for least deadwood, knocks at knock_at or less",
        {
            "upcard": "improve",
            "draw": "improve",
            "big_gin": "always",
            "knock": "threshold",
            "discard": "least",
            "spread": "fewest_sets",
        },
        {
            "knock_at": Parameter(
                10,
                range(11),
                "most deadwood to knock with, if the rules allow as much; 0 plays for gin only",
            ),
            "layoff": Parameter(
                "optimal",
                ("optimal", "greedy", "none"),
                "layoffs and own melds together for least deadwood, own melds first and then the "
                "highest card that fits, or no layoffs",
            ),
            "knock_after_win": Parameter(
                "same",
                ("same", *range(11)),
                "in a partnership instead of knock_at, once the partner is known to have won",
            ),
            "win_from": Parameter(
                1, range(1, 10_000), "from how many points of the partner knock_after_win holds"
            ),
            "knock_after_loss": Parameter(
                "same",
                ("same", *range(11)),
                "in a partnership instead of knock_at, once the partner is known to have lost",
            ),
            "loss_from": Parameter(
                1, range(1, 10_000), "from how many points lost knock_after_loss holds"
            ),
        },
    ),
    "table": NamedStrategy(
        "greedy with a knock table by turn and deadwood that was solved for, that of the rules "
        "played if nothing is said",
        {
            "upcard": "improve",
            "draw": "improve",
            "big_gin": "always",
            "knock": "table",
            "discard": "least",
            "spread": "fewest_sets",
        },
        {
            "rules": Parameter(
                "played",
                ("played", *list_tables()),
                "the rule set whose solved table it knocks by; played is that of the hand",
                "knock_table",
            ),
            "file": Parameter(
                "none",
                ("none",),
                "a strategy file whose knock table it knocks by instead, such as "
                "ginsim knock --solve writes",
                "knock_table",
                is_path=True,
            ),
            "layoff": Parameter("optimal", ("optimal", "greedy", "none"), "as for greedy"),
        },
    ),
    "expert": _open(
        "weighs what a discard saves, may become and gives away; takes what makes a meld or much "
        "less deadwood; knocks by turn",
        EXPERT,
    ),
    "expert_classic": _open(
        "expert with values for the small bonuses of classic and pagat: knocks as soon as it may",
        EXPERT_CLASSIC,
    ),
    "rollout": NamedStrategy(
        "plays each hand on n times from every decision, over hidden cards that agree with what "
        "was seen, and takes the action that does best",
        {},
        {
            "n": Parameter(64, range(1, 4097), "play-outs of each action", "rollouts"),
            "base": Parameter(
                "greedy(knock_at=0)",
                ("random", "simple", "greedy", "expert", "expert_classic"),
                "plays its own hand on in the play-outs, and decides where no action is better",
                is_strategy=True,
            ),
            "opponent": Parameter(
                "greedy",
                ("base", "simple", "greedy"),
                "plays the other hand on in the play-outs; base is the strategy base",
            ),
            "candidates": Parameter(5, range(1, 12), "most cards that it tries to throw"),
            "steps": Parameter(
                8,
                range(256),
                "how far apart the opponent's hands of two play-outs are; 0 draws them without "
                "regard to what he did",
            ),
            "caution": Parameter(
                17,
                range(101),
                "tenths of a standard error by which an action must be better than that of base",
            ),
        },
    ),
}

#: What is accepted wherever a strategy is.
AnyStrategy: TypeAlias = "str | PathLike[str] | Strategy | Mapping[str, Any] | PythonStrategy"

_SPEC = re.compile(r"\s*([^()\s]*)\s*(?:\((.*)\)\s*)?", re.DOTALL)
# A path may have spaces and brackets in it, if it ends in .toml.
_FILE = re.compile(r"\s*(\S.*?\.toml)\s*(?:\((.*)\)\s*)?", re.DOTALL)


def is_python(spec: object) -> bool:
    """Whether it is a strategy written in Python (`ginsim.PythonStrategy`)."""
    # Told by its compiled base, which is loaded if there is an instance.
    module = sys.modules.get("ginsim._player")
    return module is not None and isinstance(spec, module.Player)


def list_strategies() -> list[str]:
    """The names of the strategies."""
    return list(STRATEGIES)


def parse_strategy(spec: AnyStrategy, folder: str = "") -> Strategy:
    """The strategy of a text such as `greedy(knock_at=4, layoff=none)`.

    Args:
        spec: a name, with parameters in brackets by name or in order; the path of a TOML file
            (anything that ends in .toml or contains a path separator), with fields in brackets
            if wished; a mapping of fields, such as provenance carries; or a `Strategy`, which is
            returned.
        folder: what relative paths are relative to.

    Returns:
        The strategy, named canonically: parameters by name, in order, without defaults.

    Raises:
        StrategyError: for unknown names, parameters and values; all problems at once.
    """
    if isinstance(spec, Strategy):
        return spec
    if isinstance(spec, Mapping):
        if "python" in spec:
            raise StrategyError(
                f"strategy: {show(spec['python'])} is written in Python and is not made from its "
                "provenance; allowed: an instance of it"
            )
        return Strategy(**check_fields("strategy", spec, StrategyError))
    if is_python(spec):
        raise StrategyError(
            f"strategy: {show(spec.name)} is written in Python; allowed here: a strategy of rules"  # type: ignore[union-attr]
        )
    if isinstance(spec, type):
        raise StrategyError(
            f"strategy: {spec.__name__} is a class; allowed: an instance of it, {spec.__name__}(…)"
        )
    if not isinstance(spec, str | PathLike):
        raise StrategyError(
            refuse(
                "strategy",
                spec,
                "a text such as greedy(knock_at=4), a path, a mapping, a Strategy or an instance "
                "of a PythonStrategy",
            )
        )
    return _parse(os.fsdecode(spec), Path(folder), ())


def parse_player(spec: AnyStrategy) -> Strategy | PythonStrategy:
    """As `parse_strategy`, and an instance of a strategy written in Python as it is.

    Raises:
        StrategyError: as `parse_strategy`, and for an instance that cannot play.
    """
    if not is_python(spec):
        return parse_strategy(spec)
    player: Any = spec
    checked: PythonStrategy = player.check()
    return checked


def name_apart(
    specs: Sequence[AnyStrategy], players: Sequence[Strategy | PythonStrategy]
) -> list[str]:
    """What to call players: by their names, but files of one file name by their paths as given.

    Args:
        specs: what the players are the strategies of.
    """
    names = [player.name for player in players]
    texts = [
        os.fsdecode(spec).strip() if isinstance(spec, str | PathLike) else "" for spec in specs
    ]
    return [
        text if names.count(name) > 1 and _is_file(text) else name
        for name, text in zip(names, texts, strict=True)
    ]


def _match_spec(spec: str) -> re.Match[str] | None:
    """The name or path in a text, and its parameters."""
    match = _SPEC.fullmatch(spec)
    if match is not None and match[1] in STRATEGIES:
        return match
    return _FILE.fullmatch(spec) or match


def _is_file(spec: str) -> bool:
    match = _match_spec(spec)
    return match is not None and is_path(match[1])


def _parse(spec: str, folder: Path, seen: tuple[Path, ...]) -> Strategy:
    """The strategy of a text; relative paths are relative to the folder.

    Args:
        seen: the files that start from each other and from this.
    """
    match = _match_spec(spec)
    if match is None:
        raise StrategyError(
            f"strategy: {show(spec)} cannot be read; a strategy is a name, with parameters in "
            "brackets if wished, such as greedy(knock_at=4)"
        )
    name, arguments = match[1], match[2] or ""
    if is_path(name):
        entry = _open("", _read_file(Path(folder, name), seen))
        name = os.path.basename(name)
    elif name in STRATEGIES:
        entry = STRATEGIES[name]
    else:
        raise StrategyError(
            f"{refuse_name('strategy', name, STRATEGIES)} (or the path of a TOML file, such as "
            "./mine.toml)"
        )
    values = _read_arguments(name, entry, arguments)
    # Who cheats is called so wherever he is named, though a file may say it.
    changed = [
        f"{parameter}={value}"
        for parameter, value in values.items()
        if value != entry.parameters[parameter].default
        or (parameter == "cheats" and value == "yes")
    ]
    canonical = f"{name}({', '.join(changed)})" if changed else name
    fields: dict[str, Any] = dict(entry.rules)
    for key, value in values.items():
        if entry.parameters[key].is_strategy:
            fields |= parse_strategy(str(value)).values()
    for key, value in values.items():
        if not entry.parameters[key].is_strategy:
            fields[entry.parameters[key].field or key] = value
    if name == "table":
        fields["knock_table"] = _find_knock_table(values, folder)
    return Strategy(name=canonical, **fields)


def _find_knock_table(values: Mapping[str, Value], folder: Path) -> Any:
    """The knock table of the strategy `table`."""
    if values["file"] != "none":
        if values["rules"] != "played":
            raise StrategyError("table: rules and file are both given; allowed: one of them")
        return read_table_file(Path(folder, str(values["file"])))["knock_table"]
    if values["rules"] != "played":
        return read_shipped(str(values["rules"]))["knock_table"]
    return SHIPPED


def _read_file(path: Path, seen: tuple[Path, ...]) -> dict[str, Value]:
    """The fields of a strategy file: those of its `base`, changed by its own."""
    source = read_toml(path, "strategy file", StrategyError)
    base = source.pop("base", "greedy")
    title = source.pop("title", "")
    provenance = source.pop("provenance", {})
    place = path.resolve()
    if not isinstance(base, str):
        raise StrategyError(f"{path.name}: {refuse('base', base, 'a strategy as text')}")
    if not isinstance(title, str):
        raise StrategyError(f"{path.name}: {refuse('title', title, 'text')}")
    if not isinstance(provenance, dict):
        raise StrategyError(
            f"{path.name}: {refuse('provenance', provenance, 'a table, of whatever content')}"
        )
    if place in seen:
        raise StrategyError(f"{path.name}: base = {show(base)} leads back to {path.name}")
    if len(seen) == DEEPEST:
        raise StrategyError(f"{path.name}: base is not allowed {DEEPEST} files deep")
    start = _parse(base, path.parent, (*seen, place))
    try:
        return Strategy(**{**start.values(), **source}).values()
    except StrategyError as failure:
        problems = (f"{path.name}: {problem}" for problem in failure.problems)
        raise StrategyError(*problems) from None


#: `knock_after_win` and `knock_after_loss` = same in the compiled core's record.
SAME = 255


def to_record(players: Sequence[AnyStrategy]) -> NDArray[np.void]:
    """Strategies as the compiled core reads them: an array with one for each player.

    A word's code is its place among the field's choices; `same` is 255.
    """
    import numpy as np

    from ginsim._strategy import STRATEGY_DTYPE

    record = np.zeros(len(players), dtype=STRATEGY_DTYPE)
    for seat, spec in enumerate(players):
        rules: Any = spec
        if is_python(spec):
            record["player"][seat] = rules.check().number
            rules = rules.base
        strategy = parse_strategy(rules)
        if strategy.knock_table == SHIPPED:
            if strategy.knock == "table":
                raise StrategyError(
                    f"strategy {strategy.name}: its knock table is that of the rules played, which "
                    "are not known here; allowed: table(rules=…) or table(file=…)"
                )
            plain: dict[str, Any] = {**strategy.values(), "knock_table": "10"}
            strategy = Strategy(**plain)
        for name, value in _codes(strategy).items():
            record[name][seat] = value
    return record


@lru_cache(maxsize=256)
def _codes(strategy: Strategy) -> dict[str, Any]:
    """Its fields as the core reads them. Who tunes or tours plays the same ones again and again."""
    return {
        name: _code(Strategy.model_fields[name], value) for name, value in strategy.values().items()
    }


def _code(info: FieldInfo, value: Any) -> Any:
    for kind in info.metadata:
        if isinstance(kind, ByTurn | KnockTable):
            return kind.codes(value)
    if isinstance(value, int):
        return value
    return SAME if value == "same" else choices(info).index(value)


def _read_arguments(name: str, entry: NamedStrategy, text: str) -> dict[str, Value]:
    """The parameters of a strategy, complete and in order, from the text in its brackets."""
    given: dict[str, Value] = {}
    problems = []
    order = list(entry.parameters)
    for place, argument in enumerate(_split(text) if text.strip() else ()):
        # Without a name all of it is the value; an equals sign in brackets is another's.
        before, bracket, rest = argument.partition("(")
        key, equals, value_text = (part.strip() for part in before.rpartition("="))
        value_text += bracket + rest.rstrip()
        if not equals and place >= len(order):
            takes = f"its parameters are {', '.join(order)}" if order else "it takes none"
            problems.append(f"{name}: too many parameters, {show(value_text)}; {takes}")
            continue
        if not equals:
            key = order[place]
        if key not in entry.parameters:
            problems.append(refuse_name(f"parameter of {name}", key, order))
        elif key in given:
            problems.append(f"{name}: {key} is given twice; allowed: once")
        else:
            try:
                given[key] = _check_value(key, entry.parameters[key], _read_value(value_text))
            except StrategyError as failure:
                given[key] = value_text
                problems += [f"{name}: {problem}" for problem in failure.problems]
    if problems:
        raise StrategyError(*problems)
    return {key: given.get(key, entry.parameters[key].default) for key in order}


def _split(text: str) -> list[str]:
    """Split at the commas outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _check_value(key: str, parameter: Parameter, value: Value) -> Value:
    """A parameter's value, canonical."""
    try:
        return parameter.read(value)
    except StrategyError:
        raise
    except ValueError:
        raise StrategyError(refuse(key, value, parameter.allowed_words)) from None


def _read_value(text: str) -> Value:
    if re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        return int(text)
    quoted = re.fullmatch(r"'([^']*)'|\"([^\"]*)\"", text)
    return (quoted[1] or quoted[2] or "") if quoted else text
