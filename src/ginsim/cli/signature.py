"""`ginsim signature`: whether this build plays as it should, in one number."""

from __future__ import annotations

import click

from ginsim.cli.options import json_option, threads_option
from ginsim.cli.text import print_json


@click.command()
@threads_option
@json_option
def signature(threads: int | None, as_json: bool) -> None:
    """Play fixed hands and games, and compare all actions and results with those recorded.

    They are of every rule set and strategy. The number is the same on any machine; if a part
    differs from what is recorded for this version, the exit code is 1.
    """
    from ginsim.cli.progress import show_progress
    from ginsim.signatures import read_signature
    from ginsim.signatures import signature as compute_signature

    with show_progress("parts") as progress:
        found = compute_signature(threads=threads, progress=progress)
    recorded = read_signature()
    differing = found.find_differences(recorded)
    if as_json:
        print_json(
            {
                "number": found.number,
                "recorded": recorded.number,
                "parts": found.parts,
                "differing": differing,
            }
        )
    elif not differing:
        click.echo(f"{found.number}: {len(found.parts)} parts as recorded")
    else:
        click.echo(f"{found.number}, recorded is {recorded.number}; these parts differ:")
        click.echo("\n".join(f"  {name}" for name in differing))
    if differing:
        raise click.exceptions.Exit(1)
