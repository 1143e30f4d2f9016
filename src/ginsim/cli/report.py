"""`ginsim report`: a study on one page."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("study", type=click.Path(path_type=Path, exists=True), metavar="STUDY")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The page, a name that ends in .html.  [default: STUDY.html beside STUDY.study]",
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def report(study: Path, out: Path | None, force: bool) -> None:
    """Write the report of a finished study: one page of HTML, for a browser or a phone.

    STUDY is the folder of a study, or the study file beside it. The page has what was played, the
    results as pictures and as tables that sort, and the commands that reproduce each. It is whole
    in one file and loads nothing. Needs matplotlib and jinja2 (docs/report.md).
    """
    from ginsim.reports.writing import find_report, write_report

    place = find_report(study) if out is None else out
    write_report(study, place, force, name="--out")
    click.echo(f"report in {place}")
