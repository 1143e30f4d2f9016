"""`ginsim rescore`: a file of hands or games already played, under other rules."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import RULES, json_option, out_options, rules_argument, threads_option
from ginsim.cli.text import format_table, print_json
from ginsim.digits import count_decimals, spell

if TYPE_CHECKING:
    import pandas as pd


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@rules_argument
@click.option(
    "--played",
    type=RULES,
    metavar="RULES",
    help="By which rules the hands were played, where FILE does not say.",
)
@click.option(
    "--no-replay", is_flag=True, help="Refuse what would have to be played again, and say why."
)
@threads_option
@out_options
@json_option
def rescore(
    file: Path,
    rules: str,
    settings: tuple[str, ...],
    played: str | None,
    no_replay: bool,
    threads: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show what hands or games of a file would be by other RULES.

    FILE has the rows of `ginsim hands --out` or `ginsim games --out`, with --hands or without.
    Points are scored and games booked again from the rows; only what other rules play otherwise
    is played again. The figures before and after have 95 % intervals.
    """
    from ginsim.rules import load_rules, parse_settings

    loaded = load_rules(rules, parse_settings(settings))
    if out is not None:
        from ginsim.files import check_target

        check_target(out, force, "--out")

    from ginsim.cli.progress import show_progress
    from ginsim.files import read_records, write_records
    from ginsim.origins import Origin
    from ginsim.rescoring import find_class
    from ginsim.rescoring import rescore as rescore_frame
    from ginsim.rules import find_differences

    before = read_records(file)
    start = time.perf_counter()
    with show_progress("rows") as progress:
        after = rescore_frame(
            before,
            loaded,
            played=played,
            replay=not no_replay,
            threads=threads,
            progress=progress,
        )
    seconds = time.perf_counter() - start
    if out is not None:
        write_records(after, out, force)
    marks = after.attrs["provenance"]["rescored"]
    old = load_rules(played) if played is not None else Origin.read(before).rules
    assert old is not None
    kind = after.attrs["provenance"].get("rows", "hands")
    document = {
        "rules": loaded.name,
        "from": old.name,
        "rows": kind,
        "count": len(after),
        "method": marks["method"],
        "replayed": marks["replayed"],
        "fields": [
            {"field": field, "class": find_class(field, *both), "from": both[0], "to": both[1]}
            for field, both in find_differences(old, loaded).items()
        ],
        "figures": _compare(before, after, kind),
        "seconds": seconds,
        "provenance": after.attrs["provenance"],
    }
    if as_json:
        print_json(document)
        return
    _print_document(document, _count_units(after, kind))
    if out is not None:
        click.echo(f"records in {out}")


def _count_units(frame: pd.DataFrame, kind: str) -> int:
    """How many hands there are, or games."""
    if kind.endswith("_hands"):
        return int((frame["hand_in_game"].to_numpy() == 0).sum()) // (1 + (kind == "table_hands"))
    return len(frame)


def _compare(before: pd.DataFrame, after: pd.DataFrame, kind: str) -> list[dict[str, Any]]:
    """The same figures of both frames, and of their difference."""
    from ginsim.estimates import estimate

    share = {"won by south": "winner == south", "won by north": "winner == north"}
    mean: dict[str, Any] = {"points, south minus north": "net", "points of the winner": "points"}
    if kind != "hands":
        mean = {"score, south minus north": "margin", "hands of a game": "hands"}
        if kind.endswith("_hands"):
            from ginsim.bookings import book_games

            before, after = book_games(before), book_games(after)
        if "box_margin" in before or "box_margin" in after:  # a column of Hollywood
            mean["boxes, south minus north"] = lambda games: (
                games["south_boxes"] - games["north_boxes"]
            )
    if not len(after):
        return []
    common = [name for name in before if name in after]
    before, after = before[common], after[common]
    figures = [
        estimate(frame, share=share, mean=mean, paired=other)
        for frame, other in ((before, None), (after, None), (after, before))
    ]
    return [
        {
            "name": old.measure,
            **{
                what: {key: _number(getattr(row, key)) for key in ("value", "se", "low", "high")}
                for what, row in (("before", old), ("after", new), ("difference", change))
            },
        }
        for old, new, change in zip(*(table.itertuples() for table in figures), strict=True)
    ]


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _print_document(document: dict[str, Any], units: int) -> None:
    click.echo(f"{document['rules']}, rescored from {document['from']}")
    for change in document["fields"]:
        old, new = (str(change[key]).lower() for key in ("from", "to"))
        click.echo(f"  {change['field']}: {old} to {new} ({change['class']})")
    click.echo(f"{_tell_method(document, units)}\n")
    rows = [["", "before", "after", "difference", "95 % interval"]]
    for figure in document["figures"]:
        scale = 100.0 if figure["name"].startswith("won by") else 1.0
        change = figure["difference"]
        widths = [
            scale * (one["high"] - one["low"]) / 2
            for one in (figure["before"], change)
            if one["low"] is not None
        ]
        decimals = count_decimals(widths)
        span = ""
        if change["low"] is not None:
            low, high = (spell(scale * change[end], decimals, "+") for end in ("low", "high"))
            span = f"({low} to {high})"
        cells = [
            "-" if one is None else spell(scale * one, decimals, sign)
            for one, sign in (
                (figure["before"]["value"], ""),
                (figure["after"]["value"], ""),
                (change["value"], "+"),
            )
        ]
        rows.append([figure["name"] + (", %" if scale > 1 else ""), *cells, span])
    click.echo(format_table(rows))
    click.echo(f"\n{document['seconds']:.2f} s")


def _tell_method(document: dict[str, Any], units: int) -> str:
    """A sentence on what was done."""
    unit = "hand" if document["rows"] == "hands" else "game"
    again = document["replayed"]

    def count(number: int, unit: str) -> str:
        return f"{number:,} {unit}{'s' if number != 1 else ''}"

    if document["method"] == "priced":
        return f"priced: {count(units, unit)} scored again from what is recorded; none played again"
    if document["provenance"]["rescored"]["checked"] == "nothing":
        return f"booked: {count(units, unit)} as they were; nothing is changed and nothing checked"
    if document["method"] == "booked":
        return f"booked: {count(units, unit)} booked again from the hands; none played again"
    if document["method"] == "replayed":
        return f"replayed: {count(again, unit)} played again"
    marks = document["provenance"]["rescored"]
    which = ", ".join(map(str, marks["games"])) if "games" in marks else ""
    which = f" ({unit}{'s' if again > 1 else ''} {which})" if which else ""
    return (
        f"booked and replayed: {count(units - again, unit)} booked again from the hands; "
        f"{count(again, unit)} played again{which}, where other or more hands are played than "
        "recorded"
    )
