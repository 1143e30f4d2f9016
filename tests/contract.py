"""The parts of the JSON contract that follow from other data, and the page that shows it.

A schema in src/ginsim/schemas says by hand which keys its document has. What several documents
share, and what the code says elsewhere (the fields of rules and strategies, the columns of
records), is here or made here, and goes into the `$defs` of each schema that refers to it.
`python -m tests.contract` writes these definitions and the tables of docs/json.md anew;
tests/test_schemas.py fails while they differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ginsim.balance.grid import ADAPT
from ginsim.balance.measures import MEASURES
from ginsim.columns import HAND_COLUMNS, KINDS, PLAYERS, SEATS, Column
from ginsim.duel_sums import GAME_MEASURES, RULE
from ginsim.fields import Record
from ginsim.knock_solving import STREAMS
from ginsim.rescoring import CHECKS, METHODS, MOST_NAMED, RESCORED
from ginsim.rules import Rules
from ginsim.strategies import Strategy
from ginsim.timing import KEYS
from ginsim.timing import METHODS as METHODS_OF_PLAY
from ginsim.tuning import METHOD, UNITS

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "ginsim" / "schemas"
PAGE = ROOT / "docs" / "json.md"

Schema = dict[str, Any]

#: The rows of games that can be rescored.
GAME_ROWS = tuple(rows for rows, unit in RESCORED.items() if unit == "game")

CARD = "^[A23456789TJQK][cdhs]$"
DEADWOOD = "^([0-9]|[1-9][0-9]|10[0-9]|110)$"
LIMIT = "^([0-9]|10)$"

#: How the page writes a key of which a schema gives only the pattern.
KEY_WORDS = {CARD: "CARD", DEADWOOD: "DEADWOOD", LIMIT: "LIMIT"}


def closed(properties: Schema, optional: tuple[str, ...] = (), **more: Any) -> Schema:
    """An object with these keys and no others."""
    return {
        **more,
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


def number(description: str, *, null: bool = False, **more: Any) -> Schema:
    return {"description": description, "type": ["number", "null"] if null else "number", **more}


def integer(description: str, **more: Any) -> Schema:
    return {"description": description, "type": "integer", **more}


def refer(name: str, description: str = "") -> Schema:
    reference = {"$ref": f"#/$defs/{name}"}
    return {"description": description, **reference} if description else reference


def record_fields(record: type[Record], with_name: bool) -> Schema:
    """The fields of rules or of a strategy, as their model has them."""
    model = record.model_json_schema(mode="serialization")["properties"]
    kept = ("description", "type", "enum", "const", "anyOf", "minimum", "maximum")
    return closed(
        {
            field: {key: value for key, value in model[field].items() if key in kept}
            for field in record.model_fields
            if with_name or field != "name"
        }
    )


def column_schema(column: Column) -> Schema:
    """A value of a record: a category, or null where it is missing, or an integer."""
    if not column.categories:
        return integer(column.meaning)
    missing = [None] if "missing" in column.meaning else []
    return {"description": column.meaning, "enum": [*column.categories, *missing]}


def definitions() -> dict[str, Schema]:
    """Everything that schemas may refer to."""
    share = closed(
        {
            "count": integer("how many", minimum=0),
            "share": number("of all hands", minimum=0, maximum=1),
            "low": number("lower bound of the 95 % interval", minimum=0, maximum=1),
            "high": number("upper bound", minimum=0, maximum=1),
        }
    )
    figure = closed(
        {
            "value": number("the mean", null=True),
            "se": number("its standard error", null=True),
            "low": number("lower bound of the 95 % interval", null=True),
            "high": number("upper bound", null=True),
        },
        description="null where so few hands give no ground for a figure",
    )
    distribution = closed(
        {
            "hands": integer("how many hands", minimum=1),
            "counts": refer("counts", "how many hands have each deadwood"),
            "gin": refer("share", "hands without deadwood"),
            "knock": refer("knock", "hands with at most this deadwood, by knock limit"),
            "mean": refer("figure", "mean deadwood, in pips"),
            "sd": number("standard deviation", null=True, minimum=0),
        }
    )
    provenance = closed(
        {
            "ginsim": {"description": "version of the package", "type": "string"},
            "stream": integer("version of the random stream", minimum=1),
            "rules": refer("rules", "the rule set"),
            "strategies": closed(
                {"south": refer("strategy"), "north": refer("strategy")},
                description="how the seats play",
            ),
            "seed": integer("the seed", minimum=0),
            "first": integer("index of the first hand", minimum=0),
            "hands": integer("how many hands", minimum=0),
            "mirror": {
                "description": "whether each deal is played twice with the seats' cards changed",
                "type": "boolean",
            },
            "decks": closed(
                {
                    "count": integer("how many", minimum=1),
                    "sha256": {
                        "description": "of their cards, one byte each",
                        "type": "string",
                        "pattern": "^[0-9a-f]{64}$",
                    },
                },
                description="given decks; only there if decks were given",
            ),
            "rows": {
                "description": "of what there is a row; only there if it is not hands",
                "enum": ["decisions"],
            },
            "kinds": {
                "description": "the kinds of decisions kept; with rows = decisions",
                "type": "array",
                "items": {"enum": list(KINDS)},
            },
        },
        optional=("decks", "rows", "kinds"),
    )
    of_hands = ("hands", "decks", "rows", "kinds")
    game_provenance = closed(
        {
            **{
                key: value for key, value in provenance["properties"].items() if key not in of_hands
            },
            "first": integer("index of the first game", minimum=0),
            "games": integer("how many games", minimum=0),
            "strategies": {
                "description": "how the seats play, in a partnership the four players",
                "oneOf": [
                    closed({seat: refer("strategy") for seat in SEATS}),
                    closed({player: refer("strategy") for player in PLAYERS}),
                ],
            },
            "max_hands": integer("hands after which a game ends unfinished", minimum=1),
        }
    )
    shared = ("ginsim", "stream", "rules", "seed", "mirror")
    duel_provenance = closed(
        {
            **{key: provenance["properties"][key] for key in shared},
            "strategies": game_provenance["properties"]["strategies"],
            "first": integer("index of the first game or hand", minimum=0),
            "games": integer("how many games; with unit = games", minimum=2),
            "hands": integer("how many hands; with unit = hands", minimum=2),
            "max_hands": game_provenance["properties"]["max_hands"],
            "duel": closed(
                {
                    "measure": {"description": "the figure that decides", "enum": [*GAME_MEASURES]},
                    "rule": {
                        "description": "how the size was chosen",
                        "enum": ["fixed size", RULE],
                    },
                    "precision": number(
                        "half the width wanted for its interval; with a rule of looks, as the rest",
                        exclusiveMinimum=0,
                    ),
                    "first_look": integer("deals of the first look", minimum=2),
                    "looks": integer("how many looks at most", minimum=1),
                    "max_deals": integer("after how many deals the last look is", minimum=2),
                    "early": {
                        "description": "whether it also ends as soon as the players are told apart",
                        "type": "boolean",
                    },
                },
                optional=("precision", "first_look", "looks", "max_deals", "early"),
                description="how the size was chosen",
            ),
        },
        optional=("games", "hands", "max_hands"),
    )
    tournament_provenance = closed(
        {
            **game_provenance["properties"],
            "games": integer("how many games each pair played", minimum=2),
            "strategies": {
                "description": "the players, by name",
                "type": "object",
                "patternProperties": {"^.+$": refer("strategy")},
                "additionalProperties": False,
            },
        }
    )
    knock_provenance = closed(
        {
            **{key: provenance["properties"][key] for key in (*shared, "strategies", "first")},
            "hands": integer("how many hands; with --solve in each stream", minimum=0),
            "decks": provenance["properties"]["decks"],
            "rows": {
                "description": "of what there is a row",
                "enum": ["knock_timing", "knock_table"],
            },
            "seat": {"description": "the policy's; without --solve", "const": "south"},
            "method": {"description": "how playing on was valued", "enum": [*METHODS_OF_PLAY]},
            "by": {
                "description": "what tells cells apart",
                "type": "array",
                "items": {"enum": [*KEYS]},
            },
            "where": {
                "description": "which values were looked at, of keys that were limited; without "
                "--solve",
                "type": "object",
                "patternProperties": {
                    f"^({'|'.join(KEYS)})$": {
                        "type": "array",
                        "items": integer("least and most"),
                        "minItems": 2,
                        "maxItems": 2,
                    }
                },
                "additionalProperties": False,
            },
            "policy": refer("strategy", "the policy before it was solved; with --solve"),
            "opponent": {
                "description": "name of the opponent, or itself; with --solve",
                "type": "string",
            },
            "streams": closed(
                {
                    stream: {
                        "description": "index of its first hand, and how many",
                        "type": "array",
                        "items": integer("a number", minimum=0),
                    }
                    for stream in STREAMS
                },
                description="the deals of each stream; with --solve",
            ),
            "scores": {
                "description": "own points and the opponent's; with --scores",
                "type": "array",
                "items": integer("points", minimum=0),
            },
            "equity_hands": integer("hands of the match-equity table; with --scores", minimum=20),
        },
        optional=(
            "decks",
            "seat",
            "where",
            "policy",
            "opponent",
            "streams",
            "scores",
            "equity_hands",
        ),
    )
    tune_provenance = closed(
        {
            **{key: provenance["properties"][key] for key in ("ginsim", "stream", "rules", "seed")},
            "method": {"description": "how it was searched", "const": METHOD},
            "start": refer("strategy", "the strategy at the start"),
            "found": refer("strategy", "the best candidate, by the tuning deals"),
            "against": {
                "description": "the opponents, by name",
                "type": "object",
                "patternProperties": {"^.+$": refer("strategy")},
                "additionalProperties": False,
            },
            "vary": {
                "description": "the ranges, by field",
                "type": "object",
                "patternProperties": {"^.+$": {"type": "string"}},
                "additionalProperties": False,
            },
            "turns": {
                "description": "turns from which parameters by turn may change, beside their own",
                "type": "array",
                "items": {"type": "integer", "minimum": 2, "maximum": 16},
            },
            "measure": {"description": "the figure that was raised", "enum": [*UNITS]},
            "unit": {"description": "what was played", "enum": ["games", "hands"]},
            "budget": integer("hands to play while tuning, about", minimum=1),
            "hands": integer("hands played while tuning", minimum=0),
            "tuning": closed(
                {
                    "first": integer("index of the first game or hand", minimum=0),
                    "count": integer("how many from there on, for each who played", minimum=0),
                },
                description="the deals used while tuning",
            ),
            "validating": closed(
                {
                    "first": integer("index of the first game or hand", minimum=0),
                    "count": integer("how many from there on against each opponent", minimum=4),
                },
                description="the deals used for the figures, none of them while tuning",
            ),
            "command": {
                "description": "what gives the same again; null if not made by the command",
                "type": ["string", "null"],
            },
            "verdict": {"description": "what the fresh deals say, in words", "type": "string"},
            "validated": {
                "description": "the figures on fresh deals",
                "type": "array",
                "items": closed(
                    {
                        "opponent": {
                            "description": "the opponent; `all` for the mean over them",
                            "type": "string",
                        },
                        "player": {
                            "description": "whose figure, or that of found minus that of start",
                            "enum": ["start", "found", "difference"],
                        },
                        "count": integer("games or hands", minimum=4),
                        "clusters": integer("deals", minimum=2),
                        "value": number("the figure"),
                        "se": number("standard error, by deal", minimum=0),
                        "low": number("lower bound of the 95 % interval"),
                        "high": number("upper bound"),
                    }
                ),
            },
        }
    )
    rescored = closed(
        {
            "from": {"description": "name of the rules it was played by", "type": "string"},
            "method": {"description": "how it was rescored", "enum": list(METHODS)},
            "replayed": integer("hands, or games, that were played again", minimum=0),
            "fields": {
                "description": "fields in which the rules differ",
                "type": "array",
                "items": {"type": "string"},
            },
            "checked": {
                "description": "what the rows were compared with first: their points by the old "
                "rules, the same games played again by these, or nothing",
                "enum": list(CHECKS),
            },
            "games": {
                "description": "the games that were played again, where others were not, up to "
                f"{MOST_NAMED}",
                "type": "array",
                "items": integer("index of the game", minimum=0),
                "minItems": 1,
                "maxItems": MOST_NAMED,
            },
        },
        optional=("games",),
    )
    rescored_key = refer("rescored", "what was done to the frame since it was played")
    rule_value = {"type": ["integer", "string", "boolean"]}
    balance_provenance = closed(
        {
            **{key: provenance["properties"][key] for key in ("ginsim", "stream", "rules", "seed")},
            "first": integer("index of the first hand or game", minimum=0),
            "hands": integer("single hands of each cell; 0 for none", minimum=0),
            "games": integer("games of each cell; 0 for none", minimum=0),
            "mirror": provenance["properties"]["mirror"],
            "max_hands": game_provenance["properties"]["max_hands"],
            "vary": {
                "description": "the values of each field that varies; fields joined by + have the "
                "same",
                "type": "object",
                "patternProperties": {"^.+$": {"type": "array", "items": rule_value}},
                "additionalProperties": False,
            },
            "lineups": {
                "description": "who plays whom: the strategy, and the one against it",
                "type": "array",
                "items": {
                    "type": "array",
                    "items": refer("strategy"),
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "adapted": {
                "description": "whose knock tables were solved anew for each cell",
                "enum": list(ADAPT),
            },
            "solve_hands": integer("hands of each stream of a solution; if adapted", minimum=100),
            "tables": {
                "description": "the solved tables; if adapted",
                "type": "array",
                "items": closed(
                    {
                        "rules": {"description": "name of the rules", "type": "string"},
                        "policy": {"description": "whose draws and discards", "type": "string"},
                        "first": integer("index of its first deal", minimum=0),
                        "knock_table": {
                            "description": "with which deadwoods it knocks, as a strategy's field",
                            "type": "string",
                        },
                        "converged": {
                            "description": "whether the solution converged",
                            "type": "boolean",
                        },
                    }
                ),
            },
            "field": {"description": "what is solved for; of solve", "type": "string"},
            "measure": {
                "description": "of solve and sensitivity",
                "enum": list(MEASURES),
            },
            "target": number("the wanted value; of solve"),
            "solves": integer("how many independent solutions; of solve", minimum=0),
            "order": integer("the most fields of a term; of sensitivity", minimum=1),
        },
        optional=("solve_hands", "tables", "field", "measure", "target", "solves", "order"),
    )
    return {
        "card": {
            "description": "name of a card: rank A23456789TJQK, suit c d h s",
            "type": "string",
            "pattern": CARD,
        },
        "cards": {
            "description": "names of cards, in card order but for a deck",
            "type": "array",
            "items": refer("card"),
            "uniqueItems": True,
        },
        "seat": {"enum": ["south", "north"]},
        "share": share,
        "figure": figure,
        "counts": {
            "type": "object",
            "patternProperties": {DEADWOOD: integer("hands of this deadwood", minimum=1)},
            "additionalProperties": False,
        },
        "knock": {
            "type": "object",
            "patternProperties": {LIMIT: refer("share")},
            "minProperties": 11,
            "additionalProperties": False,
        },
        "distribution": distribution,
        "rules": record_fields(Rules, with_name=True),
        "rule_fields": record_fields(Rules, with_name=False),
        "strategy": record_fields(Strategy, with_name=True),
        "strategy_fields": record_fields(Strategy, with_name=False),
        "result": closed(
            {
                column.name: column_schema(column)
                for column in HAND_COLUMNS
                if column.name not in ("hand", "deal")
            },
            description="the columns of docs/columns.md; null is what is missing there",
        ),
        "provenance": provenance,
        "game_provenance": game_provenance,
        "balance_provenance": balance_provenance,
        "duel_provenance": duel_provenance,
        "tournament_provenance": tournament_provenance,
        "knock_provenance": knock_provenance,
        "interval": closed(
            {
                "value": number("on average", null=True),
                "low": number("lower bound of the 95 % interval", null=True),
                "high": number("upper bound", null=True),
            }
        ),
        "tune_provenance": tune_provenance,
        "rescored": rescored,
        "rescored_hands": closed(
            {
                **{
                    key: value
                    for key, value in provenance["properties"].items()
                    if key not in ("rows", "kinds")
                },
                "rescored": rescored_key,
            },
            optional=("decks",),
        ),
        "rescored_unknown": closed(
            {"rules": refer("rules", "the other rule set"), "rescored": rescored_key},
        ),
        "sheet_provenance": closed(
            {**game_provenance["properties"], "rescored": rescored_key},
            optional=("rescored",),
        ),
        "rescored_games": closed(
            {
                **game_provenance["properties"],
                "rows": {"description": "of what there is a row", "enum": list(GAME_ROWS)},
                "rescored": rescored_key,
            },
        ),
    }


# ---------------------------------------------------------------- schemas


def read_schemas() -> dict[str, Schema]:
    """The schemas as they are, by name."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    }


def complete(schema: Schema) -> Schema:
    """A schema with the definitions that it refers to, and no others."""
    known = definitions()
    body = {key: value for key, value in schema.items() if key != "$defs"}
    needed = set(find_references(body))
    while more := {name for one in needed for name in find_references(known[one])} - needed:
        needed |= more
    if not needed:
        return body
    return {**body, "$defs": {name: known[name] for name in known if name in needed}}


def find_references(value: Any) -> Iterator[str]:
    """The names of the definitions that a part of a schema refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].removeprefix("#/$defs/")
        for item in value.values():
            yield from find_references(item)
    elif isinstance(value, list):
        for item in value:
            yield from find_references(item)


def write_text(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------- the page


def table(schema: Schema) -> str:
    """The keys of a document, one a row."""
    rows = "\n".join(
        f"| `{key}` | {kind} | {meaning} |" for key, kind, meaning in list_keys(schema, "")
    )
    return f"| key | type | meaning |\n|---|---|---|\n{rows}\n"


def list_keys(schema: Schema, path: str) -> Iterator[tuple[str, str, str]]:
    """(key with dots, type, meaning) of all keys; what is defined apart is not opened."""
    for form in schema.get("oneOf", []):
        properties: Schema = form.get("properties", {})
        key = next(iter(properties), "")
        first: Schema = properties.get(key, {})
        if "const" in first:
            # Told apart by one key: a row for each form, not for each of its keys.
            others = [f"`{name}`" for name in properties if name != key]
            yield f"{path}.{key}", f"`{first['const']}`", with_keys(first["description"], others)
        else:
            yield from list_keys(form, path)
    items = schema.get("items")
    if isinstance(items, dict):
        yield from list_keys(items, f"{path}[]")
    named = list(schema.get("properties", {}).items())
    named += [
        (KEY_WORDS.get(pattern, "NAME"), value)
        for pattern, value in schema.get("patternProperties", {}).items()
    ]
    for key, value in named:
        where = f"{path}.{key}" if path else key
        yield where, kind_of(value), value.get("description", "")
        yield from list_keys(value, where)


def with_keys(meaning: str, keys: list[str]) -> str:
    return f"{meaning}; with {' and '.join(keys)}" if keys else meaning


def kind_of(schema: Schema) -> str:
    """The type of a value in a word or two, linked where it is defined apart."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return f"[{name}](#{name})"
    if "anyOf" in schema:
        return " or ".join(kind_of(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        words = ["null" if value is None else f"`{value}`" for value in schema["enum"]]
        return "[card](#card) or null" if len(words) > 52 else ", ".join(words)
    if "const" in schema:
        return f"`{schema['const']}`"
    kinds = schema.get("type", "")
    if kinds == "array" and "$ref" in schema.get("items", {}):
        return f"array of {kind_of(schema['items'])}"
    return " or ".join([kinds] if isinstance(kinds, str) else kinds)


def section(name: str, schema: Schema) -> str:
    """What the page says of a document, heading included."""
    return f"## {name}\n\n{schema['title']} {schema['description']}\n\n{table(schema)}"


def shared_section(name: str) -> str:
    if name.endswith("_fields"):
        whole = {"rule_fields": "rules", "strategy_fields": "strategy"}[name]
        return f"### {name}\n\nThe keys of [{whole}](#{whole}) but `name`.\n"
    schema = definitions()[name]
    text = schema.get("description", "")
    if "properties" in schema or "patternProperties" in schema:
        text = f"{text.capitalize()}.\n\n{table(schema)}" if text else table(schema)
    else:
        kind = kind_of(schema)
        text = f"{kind}: {text}.\n" if text else f"{kind}.\n"
    return f"### {name}\n\n{text}"


def make_page(page: str) -> str:
    """The page with all tables made anew; the text before the first one is kept."""
    intro, _, _ = page.partition("\n## ")
    schemas = read_schemas()
    used = {name for schema in schemas.values() for name in schema.get("$defs", {})}
    parts = [section(name, schema) for name, schema in schemas.items()]
    shared = [shared_section(name) for name in definitions() if name in used]
    text = "\n".join([intro.rstrip() + "\n", *parts, "## Shared parts\n", *shared])
    return re.sub(r"\n{3,}", "\n\n", text)


def main() -> None:
    """Write the definitions of all schemas and the page."""
    for name, schema in read_schemas().items():
        (FOLDER / f"{name}.json").write_text(write_text(complete(schema)), encoding="utf-8")
    PAGE.write_text(make_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
