"""`ginsim balance measures`: what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ginsim.cli.balance.common import balance
from ginsim.cli.options import (
    json_option,
)
from ginsim.cli.text import format_entries, print_json

if TYPE_CHECKING:
    pass


@balance.command()
@json_option
def measures(as_json: bool) -> None:
    """List what is measured."""
    from ginsim.balance.measures import MEASURES

    if as_json:
        print_json(
            {
                name: {
                    "unit": measure.unit,
                    "meaning": measure.meaning,
                    "reads": list(measure.reads),
                    "form": measure.form,
                    "share": measure.is_share,
                    "equal": measure.equal,
                    "needs": measure.needs or None,
                }
                for name, measure in MEASURES.items()
            }
        )
        return
    for unit in ("hand", "game"):
        entries = [
            (name, measure.meaning) for name, measure in MEASURES.items() if measure.unit == unit
        ]
        click.echo(f"of {unit}s\n{format_entries(entries)}\n")
    click.echo('"The first" is the strategy, "the second" the one against it.')
