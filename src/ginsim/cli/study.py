"""`ginsim study`: files that say what is to be known, run in many tasks that survive."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ginsim.cli.options import Size, json_option
from ginsim.cli.text import format_table, mark, print_json
from ginsim.errors import show

if TYPE_CHECKING:
    import pandas as pd

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group()
def study() -> None:
    """Run a study: a TOML file that says what is to be known (docs/studies.md).

    Results are kept task by task in a folder, FILE.study beside FILE.toml if nothing else is said.
    A run that was killed goes on from there and ends with the same bytes.
    """


class Part(click.ParamType[tuple[int, int]]):
    """K/N, the K-th of N parts."""

    name = "part"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        first, slash, second = str(value).partition("/")
        if not (slash and first.isdecimal() and second.isdecimal()) or not (
            1 <= int(first) <= int(second)
        ):
            self.fail(f"{show(value)} is not allowed; allowed: K/N, such as 1/4", param, ctx)
        return int(first), int(second)


def run_options(command: Command) -> Command:
    """Who plays, and how."""
    options = (
        click.option(
            "--threads",
            type=Size(low=1, high=1024),
            help="Threads to play on.  [default: all processors]",
        ),
        click.option(
            "--processes", type=Size(low=1, high=1024), help="Processes to play on instead."
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="A Dask cluster to play on instead: the address of its scheduler, or local for "
            "processes of this machine.",
        ),
        click.option(
            "--workers",
            type=Size(low=1, high=1024),
            help="With --cluster local: how many processes.  [default: all processors]",
        ),
        click.option(
            "--retries",
            type=Size(high=1000),
            default=3,
            help="How often a task is played again whose worker died.  [default: 3]",
        ),
        click.option(
            "--part",
            type=Part(),
            metavar="K/N",
            help="Play the K-th of N parts only; `ginsim study merge` puts them together.",
        ),
        click.option(
            "--recompute",
            is_flag=True,
            help="Take over a folder that another version of ginsim began: play all again.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


class FolderPath(click.Path):
    """The path of a folder; an empty one, as of a variable that is not set, is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, file_okay=False, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("'' is not allowed; allowed: the path of a folder", param, ctx)
        return super().convert(value, param, ctx)


folder_option = click.option(
    "--folder",
    type=FolderPath(),
    metavar="FOLDER",
    help="Where results are kept.  [default: FILE.study beside FILE.toml]",
)
file_argument = click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE"
)
place_argument = click.argument(
    "place", type=click.Path(path_type=Path, exists=True), metavar="FILE|FOLDER"
)


@study.command()
@file_argument
@folder_option
@run_options
@json_option
def run(file: Path, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Run the study of FILE, or what is still to be done of it."""
    from ginsim.studies.overview import find_folder

    _run(file, find_folder(file) if folder is None else folder, options, as_json)


@study.command()
@place_argument
@folder_option
@run_options
@json_option
def resume(place: Path, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Go on with a study that was begun.

    Its folder is enough; with its file it is seen that the file is still the same study.
    """
    from ginsim.errors import StudyError
    from ginsim.studies.overview import find_folder

    where = find_folder(place) if folder is None else folder
    if not where.is_dir():
        raise StudyError(f"{show(str(where))} does not exist; allowed: a study that was begun")
    _run(place, where, options, as_json)


@study.command()
@place_argument
@json_option
def status(place: Path, as_json: bool) -> None:
    """Show how far a study is, and what is amiss with its files."""
    from ginsim.studies.overview import study_status

    document = study_status(place)
    if as_json:
        print_json(document)
        return
    who = f", by {document['holder']}" if document["holder"] else ""
    tone = "good" if document["state"] == "finished" else "open"
    click.echo(f"{document['folder']}: {mark(document['state'], tone)}{who}")
    click.echo(f"study {document['study']}{_title(document['title'])}")
    rows = [["run", "kind", "cells", "tasks", "done"]]
    for entry in document["runs"]:
        rows.append(
            [
                entry["run"],
                entry["kind"],
                *(f"{entry[key]:,}" for key in ("cells", "tasks", "done")),
            ]
        )
    click.echo(format_table(rows, left=2))
    for problem in document["problems"]:
        click.echo(mark(problem, "bad"))


@study.command()
@file_argument
@click.option(
    "--threads",
    type=Size(low=1, high=100_000),
    help="How many threads or workers will play.  [default: all processors]",
)
@json_option
def check(file: Path, threads: int | None, as_json: bool) -> None:
    """Validate a study and say what it will take: tasks, time and disk, from a short sample."""
    from ginsim.cli.progress import spell_time
    from ginsim.studies.overview import check_study
    from ginsim.studies.studyfile import read_study

    full = read_study(file)
    table = check_study(full, threads)
    total = {
        "tasks": int(table["tasks"].sum()),
        "seconds": float(table["seconds"].sum()),
        "bytes": int(table["bytes"].sum()),
    }
    if as_json:
        runs = [
            {key: getattr(value, "item", lambda v=value: v)() for key, value in row.items()}
            for row in table.to_dict("records")
        ]
        warnings = table.attrs["warnings"]
        document = {"study": full.hash, "title": full.title, **total, "runs": runs}
        print_json({**document, "warnings": warnings})
        return
    click.echo(f"study {full.hash}{_title(full.title)}")
    rows = [["run", "kind", "cells", "tasks", "", "time", "size"]]
    entry: Any
    for entry in table.itertuples():
        about = "about " if entry.is_estimate else ""
        rows.append(
            [
                entry.run,
                entry.kind,
                f"{entry.cells:,}",
                f"{about}{entry.tasks:,}",
                f"{about}{entry.count:,} {entry.unit}",
                spell_time(entry.seconds),
                _spell_size(entry.bytes),
            ]
        )
    click.echo(format_table(rows, left=2))
    click.echo(
        f"in all {total['tasks']:,} tasks, {spell_time(total['seconds'])}, "
        f"{_spell_size(total['bytes'])}"
    )
    for warning in table.attrs["warnings"]:
        click.echo(f"warning: {warning}")


@study.command()
@click.argument("folder", type=FolderPath(), metavar="FOLDER")
@click.argument(
    "others",
    type=FolderPath(exists=True),
    nargs=-1,
    metavar="[OTHER]...",
)
@json_option
def merge(folder: Path, others: tuple[Path, ...], as_json: bool) -> None:
    """Take into FOLDER what other folders have of the same study, and write its tables.

    Ends with 1 if tasks are still missing; `ginsim study resume FOLDER` plays them.
    """
    from ginsim.studies.overview import merge_studies, study_status

    start = time.perf_counter()
    problems: list[str] = []
    tables = merge_studies(folder, others, _tell_and_keep(problems))
    if as_json:
        print_json(_document(folder, tables, problems, time.perf_counter() - start))
        if not tables:
            raise SystemExit(1)
        return
    if tables:
        _print_tables(folder, tables)
        return
    state = study_status(folder)
    click.echo(
        f"{state['done']:,} of {state['tasks']:,} tasks are there; to play the others: "
        f"ginsim study resume {folder}"
    )
    raise SystemExit(1)


def _run(place: Path, folder: Path, options: dict[str, Any], as_json: bool) -> None:
    from ginsim.cli.progress import show_progress
    from ginsim.studies.executors import open_cluster
    from ginsim.studies.overview import load_study
    from ginsim.studies.runner import run_study

    full = load_study(place)
    address, workers = options.pop("cluster"), options.pop("workers")
    if address is None and workers is not None:
        raise click.UsageError("--workers: is of a local cluster; allowed: with --cluster local")
    if address is not None and (options["threads"] or options["processes"]):
        raise click.UsageError("--cluster: is given with --threads or --processes; allowed: one")
    cluster = (
        nullcontext() if address is None else open_cluster(address, workers, options["retries"])
    )
    start = time.perf_counter()
    problems: list[str] = []
    tell = _tell_and_keep(problems)
    try:
        with cluster as executor, show_progress("tasks", is_long=True) as progress:
            tables = run_study(
                full, folder, executor=executor, progress=progress, tell=tell, **options
            )
    except (KeyboardInterrupt, SystemExit):
        click.echo(f"to go on: ginsim study resume {folder}", err=True)
        raise
    if as_json:
        print_json(_document(folder, tables, problems, time.perf_counter() - start))
        return
    if not tables:
        k, n = options["part"] or (1, 1)
        click.echo(f"part {k} of {n} is done; to put parts together: ginsim study merge")
        return
    _print_tables(folder, tables)
    click.echo(f"{time.perf_counter() - start:.2f} s")


def _document(
    folder: Path, tables: dict[str, pd.DataFrame], problems: list[str], seconds: float
) -> dict[str, Any]:
    """What a run or a merge came to."""
    from ginsim.studies.overview import load_study

    full = load_study(folder)
    return {
        "study": full.hash,
        "title": full.title,
        "folder": str(folder),
        "is_finished": bool(tables),
        "tables": [
            {
                "table": name,
                "rows": len(frame),
                "file": str(folder / "tables" / f"{name}.{full.format}"),
            }
            for name, frame in tables.items()
        ],
        "problems": problems,
        "seconds": round(seconds, 3),
    }


def _tell(text: str) -> None:
    click.echo(text, err=True)


def _tell_and_keep(problems: list[str]) -> Callable[[str], None]:
    def tell(text: str) -> None:
        problems.append(text)
        _tell(text)

    return tell


def _print_tables(folder: Path, tables: dict[str, pd.DataFrame]) -> None:
    rows = [["table", "rows"], *([name, f"{len(frame):,}"] for name, frame in tables.items())]
    click.echo(format_table(rows))
    click.echo(f"in {folder / 'tables'}")


def _title(title: str) -> str:
    return f": {title}" if title else ""


def _spell_size(size: float) -> str:
    for unit, step in (("GB", 1e9), ("MB", 1e6)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return f"{size / 1e3:.1f} kB"
