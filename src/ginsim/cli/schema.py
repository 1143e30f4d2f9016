"""`ginsim schema`: what the JSON documents promise."""

from __future__ import annotations

import click

from ginsim.cli.options import Names
from ginsim.cli.text import format_entries, print_json


def _known_schemas() -> list[str]:
    from ginsim.schemas import list_schemas

    return list_schemas()


@click.command()
@click.argument("name", required=False, type=Names("name", _known_schemas))
def schema(name: str | None) -> None:
    """List the JSON documents, or print the JSON Schema of one.

    A document has the name of the command that prints it with --json.
    """
    from ginsim.schemas import load_schema

    if name is not None:
        print_json(load_schema(name))
        return
    click.echo(format_entries([(known, load_schema(known)["title"]) for known in _known_schemas()]))
    click.echo("\n`ginsim schema NAME` prints one (JSON Schema, draft 2020-12).")
