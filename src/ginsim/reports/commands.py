"""The commands that reproduce what a study played."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ginsim.columns import KINDS, PLAYERS
from ginsim.errors import GinsimError
from ginsim.rulefiles import list_rulesets
from ginsim.rules import Rules, find_differences, load_rules
from ginsim.ruletext import format_value
from ginsim.strategies import STRATEGIES, Strategy, parse_strategy
from ginsim.studies.data import Cell, Run
from ginsim.tomlfiles import is_path

#: Options of each kind's command that have the value of an option of the run.
_BY_OPTION = {
    "pick_ups": "pickups",
    "own_pick_ups": "own-pickups",
    "turn": "turn",
    "deadwood": "deadwood",
    "stock": "stock",
    "limit": "limit",
}


def find_base(rules: Rules, label: str = "") -> tuple[str, dict[str, Any]]:
    """The rule set that comes with the package, or is made of its parts, nearest to one.

    Args:
        label: what it is called, which is tried first.

    Returns:
        Its name and the fields in which the rules differ, with their values.
    """
    named: dict[str, Rules] = {}
    # A path would be read from the disk, where another file may be now.
    if label and not is_path(label):
        try:
            named[label] = load_rules(label)
        except GinsimError:
            pass
        else:
            if not find_differences(named[label], rules):
                return label, {}
            del named[label]
    named.update((name, load_rules(name)) for name in list_rulesets())
    changes = {
        name: {field: theirs for field, (_, theirs) in find_differences(one, rules).items()}
        for name, one in named.items()
    }
    # Among equals the one that begins the label: kawu(gin_bonus=10) is called after kawu.
    best = min(changes, key=lambda name: (len(changes[name]), not label.startswith(name), name))
    return best, changes[best]


def find_spec(strategy: Strategy, label: str = "") -> str | None:
    """How a strategy is named on the command line; None if only a file can say it."""
    for spec in (label, strategy.name):
        if spec and _is_same(spec, strategy):
            return spec
    specs = []
    for name, entry in STRATEGIES.items():
        base = parse_strategy(name).values()
        changes = {key: value for key, value in strategy.values().items() if base[key] != value}
        if changes.keys() <= entry.parameters.keys():
            arguments = ", ".join(f"{key}={value}" for key, value in changes.items())
            specs.append((len(changes), f"{name}({arguments})" if changes else name))
    for _, spec in sorted(specs):
        if _is_same(spec, strategy):
            return spec
    return None


def _is_same(spec: str, strategy: Strategy) -> bool:
    if is_path(spec):
        return False
    try:
        return parse_strategy(spec) == strategy
    except GinsimError:
        return False


def reproduce(run: Run, cell: Cell, count: int) -> str | None:
    """The command that plays a cell by itself.

    Args:
        count: how many hands or games were played.

    Returns:
        None if a strategy cannot be named in a command, or the kind has none: the study file is
        what reproduces it then.
    """
    label = cell.labels.get("rules", "")
    base, changes = find_base(cell.rules, label)
    settings = [
        word for key, value in changes.items() for word in ("--set", f"{key}={format_value(value)}")
    ]
    specs = [find_spec(player) for player in cell.players]
    if any(spec is None for spec in specs):
        return None
    players = [str(spec) for spec in specs]
    make = _COMMANDS.get(run.kind)
    if make is None:
        return None
    words = make(run.options, [base, *settings], players, count)
    if words is None:
        return None
    first = run.options.get("first", 0)
    words += ["--seed", str(run.seed), *(["--first", str(first)] if first else [])]
    return shlex.join(["ginsim", *words])


_Options = Mapping[str, Any]


def _sides(players: Sequence[str], names: tuple[str, str] = ("south", "north")) -> list[str]:
    """The options of two seats, or of a partnership's four players."""
    if len(players) == 2:
        return [
            word for name, spec in zip(names, players, strict=True) for word in (f"--{name}", spec)
        ]
    return [
        word
        for name, spec in zip(PLAYERS, players, strict=True)
        for word in ("--player", f"{name}={spec}")
    ]


def _mirror(options: _Options) -> list[str]:
    return ["--mirror"] if options.get("mirror") else []


def _hands(options: _Options, rules: list[str], players: list[str], count: int) -> list[str] | None:
    if len(players) != 2:
        return None
    return ["hands", *rules, *_sides(players), "--hands", str(count), *_mirror(options)]


def _games(options: _Options, rules: list[str], players: list[str], count: int) -> list[str] | None:
    most = options.get("max_hands")
    limit = [] if most in (None, 10_000) else ["--max-hands", str(most)]
    return ["games", *rules, *_sides(players), "--games", str(count), *limit, *_mirror(options)]


def _decisions(
    options: _Options, rules: list[str], players: list[str], count: int
) -> list[str] | None:
    if len(players) != 2:
        return None
    wanted = list(options.get("kinds") or KINDS)
    chosen = [] if wanted == list(KINDS) else wanted
    kinds = [word for kind in chosen for word in ("--kind", kind)]
    words = ["decisions", *rules, *_sides(players), "--hands", str(count)]
    return [*words, *kinds, *_mirror(options)]


def _knock(options: _Options, rules: list[str], players: list[str], count: int) -> list[str] | None:
    words = ["knock", *rules, *_sides(players, ("policy", "opponent")), "--hands", str(count)]
    by = options.get("by")
    if by is not None:
        names = [_BY_OPTION[key] for key in ([by] if isinstance(by, str) else by)]
        words += [word for name in names or ["nothing"] for word in ("--by", name)]
    for key, name in _BY_OPTION.items():
        value = options.get(key)
        if value is not None:
            text = "-".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            words += [f"--{name}", text]
    method = options.get("method")
    return [*words, *([] if method is None else ["--method", method])]


def _duel(options: _Options, rules: list[str], players: list[str], count: int) -> list[str] | None:
    if len(players) != 2:
        return None
    words = ["duel", *players, "--rules", *rules]
    if "precision" in options:
        words += ["--precision", str(options["precision"])]
        if "hands" in options:
            words += ["--hands", str(options["hands"])]
        elif "max_games" in options:
            words += ["--max-games", str(options["max_games"])]
        words += ["--early"] if options.get("early") else []
    else:
        words += ["--hands" if "hands" in options else "--games", str(count)]
    return [*words, *(["--measure", options["measure"]] if "measure" in options else [])]


def _balance(options: _Options, rules: list[str], players: list[str], count: int) -> list[str]:
    ask = options["ask"]
    words = ["balance", ask, *rules, *([options["field"]] if ask == "solve" else [])]
    for name, values in options.get("vary", {}).items():
        words += ["--vary", f"{name}={','.join(format_value(value) for value in values)}"]
    for key, spec in zip(("strategy", "against", "rival"), players, strict=False):
        words += [f"--{key}", spec]
    for name in options.get("measures") or ():
        words += ["--measure", name]
    unit = "hands" if "hands" in options else "games"
    values = options.get("values")
    given = {
        "measure": options.get("measure"),
        "target": options.get("target"),
        "values": ",".join(map(str, values)) if isinstance(values, list) else values,
        "order": options.get("order"),
        unit: count,
        "adapt": None if options["adapt"] == "none" else options["adapt"],
        "solve-hands": options.get("solve_hands"),
        "solves": options.get("solves"),
        "max-hands": None if options["max_hands"] == 10_000 else options["max_hands"],
    }
    for name, value in given.items():
        words += [] if value is None else [f"--{name}", str(value)]
    return [*words, *(["--replay"] if options.get("replay") else [])]


_COMMANDS: dict[str, Callable[[_Options, list[str], list[str], int], list[str] | None]] = {
    "hands": _hands,
    "games": _games,
    "decisions": _decisions,
    "knock": _knock,
    "duel": _duel,
    "balance": _balance,
}
