"""`ginsim verify-log`: check hands that were played elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ginsim.cli.options import json_option
from ginsim.cli.text import mark, print_json


@click.command("verify-log")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rules", metavar="RULES", help="Rule set of hands that name none.")
@click.option("--strict", is_flag=True, help="Count lawful but weak melds and layoffs as errors.")
@json_option
@click.pass_context
def verify_log(
    context: click.Context, file: Path, rules: str | None, strict: bool, as_json: bool
) -> None:
    """Check the hands of a log: each action, the melds, the layoffs and the score.

    FILE has hands in the form of `ginsim replay --json`, one after the other. The exit code is 1
    if a hand breaks the rules or its log differs from what the rules give.
    """
    from ginsim.logs import verify_log as verify

    hands = failed = 0
    found: list[dict[str, Any]] = []
    for report in verify(file, rules):
        hands += 1
        is_bad = bool(report.errors or (strict and report.remarks))
        failed += is_bad
        if report.errors or report.remarks:
            entry = {"line": report.line, "errors": report.errors, "remarks": report.remarks}
            found.append(entry)
            if not as_json:
                for problem in report.errors:
                    click.echo(f"line {report.line}: {problem}")
                for remark in report.remarks:
                    click.echo(f"line {report.line}: lawful, but {remark}")
    if not hands:
        raise click.UsageError(f"{file}: there is no hand in it; allowed: a log of hands")
    if as_json:
        print_json({"file": str(file), "hands": hands, "failed": failed, "reports": found})
    else:
        words = f"{hands} hand{'s' if hands != 1 else ''} checked, {failed} with errors"
        click.echo(mark(words, "bad" if failed else "good"))
    context.exit(1 if failed else 0)
