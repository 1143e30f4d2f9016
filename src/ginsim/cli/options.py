"""Options that several commands share, each written once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ginsim.errors import GinsimError, show

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ginsim.rules import Rules
    from ginsim.strategies import Strategy

Command = TypeVar("Command", bound=Callable[..., Any])

#: Hands are numbered by 64-bit integers; a count beyond this is a slip of the pen.
MOST_HANDS = 2**62

#: How a seat plays if nothing is said.
DEFAULT_STRATEGY = "greedy"


class Size(click.ParamType[int]):
    """A whole number, also written 1_000_000 or 1e6.

    Args:
        low: the least that is allowed.
        high: the most that is allowed; None for no bound.
    """

    name = "number"

    def __init__(self, low: int = 0, high: int | None = MOST_HANDS) -> None:
        self.low = low
        self.high = high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = value if isinstance(value, int) else _read_size(str(value))
        if number is None or number < self.low or (self.high is not None and number > self.high):
            upper = "" if self.high is None else f" to {self.high}"
            large = self.low <= 10**6 <= (10**6 if self.high is None else self.high)
            example = ", such as 1000000, 1_000_000 or 1e6" if large else ""
            self.fail(
                f"{show(value)} is not allowed; allowed: a whole number from {self.low}{upper}"
                f"{example}",
                param,
                ctx,
            )
        return number


_SIZE = re.compile(r"\d+(_\d+)*(\.\d+)?([eE][+-]?\d{1,2})?", re.ASCII)


def _read_size(text: str) -> int | None:
    """The number, or None if the text is none. Negative numbers are no sizes."""
    if _SIZE.fullmatch(text.strip()) is None:
        return None
    # Exact however long: contexts and their precision limit arithmetic, not construction.
    number = Decimal(text.strip())
    whole = int(number)
    return whole if whole == number else None


class Names(click.ParamType[str]):
    """Text that is looked up later; the shell completes it from a list."""

    def __init__(self, name: str, known: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self.known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self.known() if name.startswith(incomplete)]


def _known_rulesets() -> list[str]:
    from ginsim.rulefiles import list_rulesets

    return list_rulesets()


def _known_strategies() -> list[str]:
    from ginsim.strategies import list_strategies

    return list_strategies()


RULES = Names("rules", _known_rulesets)
STRATEGY = Names("strategy", _known_strategies)


def rules_argument(command: Command) -> Command:
    """RULES and `--set field=value`, given to the command as the loaded `rules`."""
    return click.argument("rules", type=RULES)(settings_option(command))


def rules_option(command: Command) -> Command:
    """`--rules RULES` and `--set field=value`, for commands whose arguments are players."""
    return click.option(
        "--rules", type=RULES, required=True, metavar="RULES", help="The rules to play by."
    )(settings_option(command))


def settings_option(command: Command) -> Command:
    """`--set field=value`, as `settings`."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="FIELD=VALUE",
        help="Change a field of the rules, such as gin_bonus=30; may be given again.",
    )(command)


def seats_options(command: Command) -> Command:
    """The strategies of the two seats."""
    for seat in ("north", "south"):
        command = click.option(
            f"--{seat}",
            type=STRATEGY,
            default=DEFAULT_STRATEGY,
            show_default=True,
            metavar="STRATEGY",
            help=f"How {seat} plays.",
        )(command)
    return command


def player_option(command: Command) -> Command:
    """The strategies of single players of a partnership, as `players`."""
    return click.option(
        "--player",
        "players",
        multiple=True,
        metavar="PLAYER=STRATEGY",
        help="In a partnership: how A, B, C or D plays, where it is not as the pair (A and B are "
        "south, C and D north); may be given again.",
    )(command)


@contextmanager
def naming_options(**options: str) -> Iterator[None]:
    """Errors about arguments of a function, in the words of the command: its options.

    Args:
        options: the option of each argument that is spelt otherwise.
    """
    try:
        yield
    except GinsimError as failure:
        problems = []
        for problem in failure.problems:
            head, colon, rest = problem.partition(": ")
            words = [options.get(word, word) for word in head.split(", ")]
            problems.append(f"{', '.join(words)}{colon}{rest}")
        raise type(failure)(*problems) from None


def seed_option(command: Command) -> Command:
    """The seed; without it a fresh one is drawn and reported."""
    return click.option(
        "--seed",
        type=Size(high=None),
        help="Any number from 0; the same seed deals the same hands.  [default: drawn]",
    )(command)


def mirror_option(command: Command) -> Command:
    """Each deal twice, with the seats exchanged."""
    return click.option(
        "--mirror", is_flag=True, help="Play each deal twice, the second time with seats exchanged."
    )(command)


def threads_option(command: Command) -> Command:
    """How many threads."""
    return click.option(
        "--threads",
        type=Size(low=1, high=1024),
        help="Threads to play on; results do not depend on it.  [default: all processors]",
    )(command)


def json_option(command: Command) -> Command:
    """One JSON document on standard output instead of text for people."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document instead of text."
    )(command)


def out_options(command: Command) -> Command:
    """Where records go, and whether an existing file may be replaced."""
    command = click.option("--force", is_flag=True, help="Replace the file if it exists.")(command)
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the rows to a file: .csv, .jsonl, or .parquet with pyarrow installed; "
        "ginsim.read_records reads it (docs/files.md).",
    )(command)


def plot_option(command: Command) -> Command:
    """Where a picture goes."""
    return click.option(
        "--plot",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Draw the result: .svg, .png or .pdf, with matplotlib installed (docs/pictures.md).",
    )(command)


def force_option(command: Command) -> Command:
    """Whether an existing file may be replaced, of commands that write no records."""
    return click.option("--force", is_flag=True, help="Replace the file if it exists.")(command)


def check_plot(path: Path | None, force: bool) -> None:
    """See before the work begins that the picture of `--plot` can be written."""
    if path is not None:
        from ginsim.plots.drawing import check_picture

        check_picture(path, force)


def draw_plot(path: Path | None, force: bool, name: str, result: Any, quiet: bool) -> None:
    """Write the picture of `--plot`, if one is wanted.

    Args:
        name: the `plot_*` function that draws the result.
        quiet: say nothing, where the output is for programs.
    """
    if path is not None:
        import ginsim
        from ginsim.plots.drawing import write_picture

        write_picture(lambda: getattr(ginsim, name)(result), path, force)
        if not quiet:
            click.echo(f"picture in {path}")


def decks_option(command: Command) -> Command:
    """A file of decks to play."""
    return click.option(
        "--decks",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Play the decks of this file, one a line: 52 card names in dealing order.",
    )(command)


def read_decks_option(path: Path | None) -> NDArray[np.uint8] | None:
    """The decks of `--decks`, or None."""
    if path is None:
        return None
    from ginsim.decks import read_decks

    return read_decks(path)


def load_players(
    rules: str, settings: tuple[str, ...], south: str, north: str
) -> tuple[Rules, tuple[Strategy, Strategy]]:
    """The rules and the strategies that `rules_argument` and `seats_options` name."""
    from ginsim.rules import load_rules, parse_settings
    from ginsim.strategies import parse_strategy

    loaded = load_rules(rules, parse_settings(settings))
    return loaded, (parse_strategy(south), parse_strategy(north))


def load_all_players(
    rules: str, settings: tuple[str, ...], south: str, north: str, players: tuple[str, ...]
) -> tuple[Rules, tuple[Strategy, ...]]:
    """The rules and the strategies of two seats, or of a partnership's four players."""
    from ginsim.columns import PLAYERS
    from ginsim.errors import OptionError, join_words
    from ginsim.strategies import parse_strategy

    loaded, pair = load_players(rules, settings, south, north)
    if loaded.players == 2:
        if players:
            raise click.UsageError(
                f"--player: {loaded.name} is played by two; allowed with players = 4 only"
            )
        return loaded, pair
    each = dict(zip(PLAYERS, (pair[0], pair[0], pair[1], pair[1]), strict=True))
    for text in players:
        name, equals, spec = text.partition("=")
        if not equals or name.strip() not in each:
            raise OptionError(
                f"--player: {show(text)} is not allowed; allowed: {join_words(PLAYERS)}, = and a "
                "strategy, such as B=greedy(knock_at=4)"
            )
        each[name.strip()] = parse_strategy(spec)
    return loaded, tuple(each.values())
