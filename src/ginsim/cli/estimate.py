"""`ginsim estimate`: any figure of hands, games or decisions, by groups, with its interval."""

from __future__ import annotations

import math
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import (
    RULES,
    Names,
    Size,
    force_option,
    json_option,
    load_all_players,
    load_players,
    mirror_option,
    naming_options,
    player_option,
    seats_options,
    seed_option,
    settings_option,
    threads_option,
)
from ginsim.cli.text import format_figure, format_sentences, format_table, mark_title, print_json
from ginsim.columns import KINDS
from ginsim.errors import OptionError, join_words, refuse, refuse_name

if TYPE_CHECKING:
    import pandas as pd

#: What can be played, and of how many it is the rows if nothing is said.
ROWS = {"hands": 100_000, "decisions": 10_000, "games": 10_000, "game-hands": 10_000}
#: What a figure's name begins with.
_SHARE, _MEAN = "share of ", "mean of "


@click.command()
@click.argument("rows", type=Names("rows", lambda: ROWS), metavar="ROWS")
@click.argument("rules", type=RULES, required=False)
@settings_option
@click.option(
    "--share",
    "shares",
    multiple=True,
    metavar="EXPRESSION",
    help="The share of rows in which it is true, such as 'outcome == gin'; a column of categories "
    "stands for each of them. May be given again.",
)
@click.option(
    "--mean",
    "means",
    multiple=True,
    metavar="EXPRESSION",
    help="The mean of a number; may be given again.",
)
@click.option(
    "--ratio",
    "ratios",
    nargs=2,
    multiple=True,
    metavar="TOP BOTTOM",
    help="The sum of one number over that of another; may be given again.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="EXPRESSION",
    help="A figure for each value of this; may be given again.",
)
@click.option("--where", metavar="EXPRESSION", help="Only rows in which it is true.")
@click.option(
    "--paired",
    metavar="EXPRESSION",
    help="Differences: rows in which it is true minus the others, by deal.",
)
@click.option(
    "--hands",
    "num_hands",
    type=Size(low=1),
    help="How many hands.  [default: 100_000, of decisions 10_000]",
)
@click.option("--games", "num_games", type=Size(low=1), help="How many games.  [default: 10_000]")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Of decisions: of this kind only; may be given again.",
)
@seats_options
@player_option
@seed_option
@click.option(
    "--first", type=Size(), default=0, help="Index of the first hand or game.  [default: 0]"
)
@mirror_option
@threads_option
@force_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table to a file: .csv, or .parquet with pyarrow installed.",
)
@json_option
def estimate(
    rows: str,
    rules: str | None,
    settings: tuple[str, ...],
    shares: tuple[str, ...],
    means: tuple[str, ...],
    ratios: tuple[tuple[str, str], ...],
    by: tuple[str, ...],
    where: str | None,
    paired: str | None,
    num_hands: int | None,
    num_games: int | None,
    kinds: tuple[str, ...],
    south: str,
    north: str,
    players: tuple[str, ...],
    seed: int | None,
    first: int,
    mirror: bool,
    threads: int | None,
    force: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Any figure of hands, games or decisions, by groups, with its 95 % interval.

    ROWS is what there is a row of: hands, decisions, games, or game-hands, which are played by
    RULES; or a file that --out of another command wrote, and then there are no RULES.
    docs/columns.md lists the columns, docs/statistics.md says what an EXPRESSION may be.

    \b
    How often does the opponent take a discard of each rank?
      ginsim estimate decisions kawu --kind draw --share "action == draw_pile" --by "rank(top)"
    """
    if not (shares or means or ratios):
        raise click.UsageError("nothing is asked for; allowed: --share, --mean, --ratio")
    if out is not None:
        from ginsim.files import check_target

        if out.suffix.lower() not in (".csv", ".parquet"):
            raise OptionError(refuse("--out", str(out), "a name that ends in .csv or .parquet"))
        check_target(out, force, "--out")
    for option, given, of in (
        ("--kind", kinds, ("decisions",)),
        ("--hands", num_hands, ("hands", "decisions")),
        ("--games", num_games, ("games", "game-hands")),
        ("--player", players, ("games", "game-hands")),
    ):
        if given and rows not in of:
            raise click.UsageError(f"{option} goes with {join_words(of)}; ROWS is {rows}")
    start = time.perf_counter()
    if rows in ROWS:
        if rules is None:
            raise click.UsageError(f"RULES is missing: {rows} are played by rules")
        options = {"seed": seed, "first": first, "mirror": mirror, "threads": threads}
        number = num_hands or num_games or ROWS[rows]
        if rows in ("games", "game-hands"):
            loaded: Any = load_all_players(rules, settings, south, north, players)
        else:
            loaded = load_players(rules, settings, south, north)
        frame = _play(rows, loaded, number, options, kinds)
    else:
        frame = _read(rows, rules)
    table = _estimate(frame, shares, means, ratios, by, where, paired)
    seconds = time.perf_counter() - start
    if out is not None:
        from ginsim.files import write_whole
        from ginsim.studies.tablefolder import write_table

        write_whole(out, write_table(table, out.suffix.lower()[1:]))
    origin = frame.attrs.get("provenance")
    num_rows = table.attrs["rows"]
    if as_json:
        print_json(_document(table, rows, num_rows, len(by), origin, seconds))
        return
    _print_head(rows, frame, num_rows, where, origin)
    _print_table(table, len(by))
    by_deal = "; rows of one deal depend on each other, and count as such" * ("deal" in frame)
    notes = [f"Intervals are 95 %{by_deal}."]
    if paired is not None:
        notes.append(
            f"Differences: rows with {paired} minus the others. p is adjusted for all rows of the "
            "table (Holm)."
        )
    click.echo(f"\n{format_sentences(notes)}")
    if out is not None:
        click.echo(f"table in {out}")
    click.echo(f"\n{seconds:.2f} s")


def _play(
    rows: str, loaded: Any, number: int, options: dict[str, Any], kinds: tuple[str, ...]
) -> pd.DataFrame:
    from ginsim.cli.progress import show_progress
    from ginsim.decision_frames import decisions
    from ginsim.games import simulate_game_hands, simulate_games
    from ginsim.simulation import simulate

    with show_progress("games" if rows.startswith("game") else "hands") as progress:
        options = {**options, "progress": progress}
        loaded_rules, strategies = loaded
        if rows == "hands":
            return simulate(loaded_rules, strategies, number, **options)
        if rows == "decisions":
            return decisions(loaded_rules, strategies, number, kinds=kinds or None, **options)
        play = simulate_games if rows == "games" else simulate_game_hands
        return play(loaded_rules, strategies, number, **options)


def _read(rows: str, rules: str | None) -> pd.DataFrame:
    """The rows of a file."""
    if not Path(rows).is_file():
        known = [*ROWS]
        if Path(rows).suffix:
            raise click.UsageError(
                f"ROWS: no file {rows}; allowed: {join_words(known)}, or a file of records"
            )
        raise click.UsageError(f"ROWS: {refuse_name('kind of rows', rows, [*known, 'a file'])}")
    if rules is not None:
        raise click.UsageError("RULES goes with what is played; a file has its own")

    from ginsim.files import read_records

    return read_records(rows)


def _estimate(
    frame: pd.DataFrame,
    shares: tuple[str, ...],
    means: tuple[str, ...],
    ratios: tuple[tuple[str, str], ...],
    by: tuple[str, ...],
    where: str | None,
    paired: str | None,
) -> pd.DataFrame:
    from ginsim.estimates import choose_rows
    from ginsim.estimates import estimate as compute

    with naming_options(
        share="--share", mean="--mean", ratio="--ratio", by="--by", where="--where",
        paired="--paired", cluster="ROWS",
    ):  # fmt: skip
        chosen = frame if where is None else choose_rows(frame, where)
        cluster = "deal" if "deal" in frame else None
        table = compute(
            chosen,
            share={f"{_SHARE}{text}": text for text in shares},
            mean={f"{_MEAN}{text}": text for text in means},
            ratio={" / ".join(pair): pair for pair in ratios},
            by=list(by),
            paired=paired,
            cluster=cluster,
        )
    table.attrs["rows"] = len(chosen)
    return table


def _document(
    table: pd.DataFrame, rows: str, num_rows: int, num_keys: int, origin: Any, seconds: float
) -> dict[str, Any]:
    """The JSON document; docs/json.md explains it."""
    keys = list(table.columns[:num_keys])
    figures = []
    for values in table.to_dict("records"):
        figures.append(
            {
                "measure": values["measure"],
                "groups": {key: _plain(values[key]) for key in keys},
                "count": values["count"],
                "clusters": values["clusters"],
                **{
                    key: _plain(values.get(key))
                    for key in ("value", "se", "low", "high", "p", "p_holm")
                },
            }
        )
    return {
        "of": rows,
        "rows": num_rows,
        "figures": figures,
        "seconds": seconds,
        "provenance": origin,
    }


def _plain(value: Any) -> Any:
    """As JSON has it; None for what is missing."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_head(rows: str, frame: pd.DataFrame, num_rows: int, where: str | None, o: Any) -> None:
    if o is None or "strategies" not in o:
        click.echo(mark_title(rows))
        origin = ""
    else:
        players = ", ".join(f"{who} {how['name']}" for who, how in o["strategies"].items())
        click.echo(mark_title(f"{o['rules']['name']}: {players}"))
        unit = "games" if "games" in o else "hands"
        mirrored = ", mirrored" if o.get("mirror") else ""
        origin = f" of {o[unit]:,} {unit} from {o['first']:,} of seed {o['seed']}{mirrored}"
    what = rows.replace("-", " ") if rows in ROWS else "rows"
    if rows in ("hands", "games"):
        origin = origin.replace(f" of {len(frame):,} {rows}", "", 1)
    click.echo(f"{len(frame):,} {what}{origin}")
    if where is not None:
        click.echo(f"{num_rows:,} of them with {where}")


def _print_table(table: pd.DataFrame, num_keys: int) -> None:
    keys = list(table.columns[:num_keys])
    is_paired = "p_holm" in table
    sign = "+" if is_paired else ""
    tail = ["rows", "deals", "value", "95 % interval", *(["p"] if is_paired else [])]
    blocks: dict[str, list[list[str]]] = {}
    for row in table.to_dict("records"):
        if not row["count"]:
            continue
        measure = str(row["measure"])
        figure = SimpleNamespace(value=row["value"], low=row["low"], high=row["high"])
        scale = 100.0 if measure.startswith(_SHARE) else 1.0
        label = f"{measure}, %" if scale != 1 else measure
        cells = [
            *(_show_key(row[key]) for key in keys),
            f"{row['count']:,}",
            f"{row['clusters']:,}",
            *format_figure(figure, scale, sign),
        ]
        if is_paired:
            cells.append(_show_p(row["p_holm"]))
        blocks.setdefault(label, []).append(cells)
    if not keys:
        rows = [[label, *cells] for label, lines in blocks.items() for cells in lines]
        click.echo(f"\n{format_table([['', *tail], *rows])}")
        return
    for label, lines in blocks.items():
        click.echo(f"\n{label}:")
        click.echo(format_table([[*keys, *tail], *lines], left=len(keys)))


def _show_key(value: Any) -> str:
    return "-" if value is None or value != value else str(value)


def _show_p(value: float) -> str:
    if not math.isfinite(value):
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
