"""The page of a study: what was played, what came out, what reproduces it."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ginsim.checks import check_path
from ginsim.errors import OptionError, StudyError, refuse
from ginsim.files import check_place, write_whole
from ginsim.pages import write_page
from ginsim.plots.drawing import check_library
from ginsim.reports import commands
from ginsim.reports.sections import begin, make_section
from ginsim.rules import Rules, explain, load_rules
from ginsim.ruletext import format_value
from ginsim.strategies import MEANINGS, STRATEGIES, Strategy
from ginsim.studies.data import Study
from ginsim.studies.manifests import read_manifest
from ginsim.studies.overview import find_folder
from ginsim.studies.studyfile import read_study
from ginsim.studies.tablefolder import read_tables
from ginsim.tomlfiles import list_lines


def check_report(name: str = "report") -> None:
    """See that a report can be made here.

    Raises:
        OptionError: without matplotlib or jinja2.
    """
    check_library(name)
    if find_spec("jinja2") is None:
        raise OptionError(
            f"{name}: needs jinja2, which is not installed; allowed: "
            'after pip install "ginsim-rummy[report]"'
        )


def find_report(study: str | os.PathLike[str]) -> Path:
    """Where the report of a study goes if nothing is said: bonus.study has bonus.html beside it."""
    folder = find_folder(study)
    if folder.name in ("", ".."):
        folder = folder.resolve()
    return folder.parent / f"{folder.name.removesuffix('.study')}.html"


def write_report(
    study: str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    force: bool = False,
    name: str = "path",
) -> Path:
    """Write the report of a finished study: one page of HTML, whole in one file.

    Args:
        study: the folder of a study, or the study file that has it beside it.
        path: a name that ends in .html; None for that of the folder, beside it.
        force: replace the file if it exists.
        name: what messages call `path`.

    Returns:
        Where it is.

    Raises:
        OptionError: if the file cannot be written there, and without matplotlib or jinja2.
        StudyError: as `make_report`.
    """
    place = find_report(study) if path is None else check_path(name, path)
    if place.suffix.lower() not in (".html", ".htm"):
        raise OptionError(refuse(name, str(place), "a file name that ends in .html"))
    check_report()
    check_place(place, force, name)
    text = make_report(study)
    check_place(place, force, name)
    write_whole(place, text.encode("utf-8"))
    return place


def make_report(study: str | os.PathLike[str]) -> str:
    """The report of a finished study as the text of a page.

    The same results, drawn by the same versions, give the same text.

    Args:
        study: the folder of a study, or the study file that has it beside it.

    Raises:
        StudyError: if there is no such folder, or it is not finished.
        OptionError: without matplotlib or jinja2.
    """
    check_report()
    folder = find_folder(study)
    manifest = read_manifest(folder)
    full = read_study(manifest["document"])
    tables = read_tables(folder)
    if missing := [run.name for run in full.runs if run.name not in tables]:
        raise StudyError(
            f"{str(folder)!r} has no table of {', '.join(missing)}; allowed: a finished study"
        )
    title = full.title or "Study"
    words = {
        "title": title,
        "facts": _list_facts(manifest, full),
        "sections": [
            make_section(run, tables, folder / "tables", full.format) for run in full.runs
        ],
        "rules": [_describe_rules(name, rules) for name, rules in _list_rules(full).items()],
        "strategies": [
            _describe_strategy(name, player) for name, player in _list_strategies(full).items()
        ],
        "study_file": _write_study(full),
    }
    words["study_link"] = f"data:text/plain;charset=utf-8,{quote(str(words['study_file']))}"
    body = _render(words)
    return write_page(title, _read("report.css"), body.splitlines(), _read("report.js"))


def _read(name: str) -> str:
    return files("ginsim.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _render(words: dict[str, Any]) -> str:
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["soft"] = _soften
    text: str = environment.from_string(_read("report.html.j2")).render(words)
    return text


def _soften(text: str) -> Any:
    """A name that may be broken where its parts end, rather than within a word."""
    from markupsafe import Markup

    return Markup("<wbr>").join(re.split(r"(?<=[(,=_+:])(?=\S)", text))


def _list_facts(manifest: dict[str, Any], full: Study) -> list[tuple[str, str]]:
    packages = ", ".join(f"{name} {number}" for name, number in manifest["packages"].items())
    seeds = list(dict.fromkeys(str(run.seed) for run in full.runs))
    return [
        ("Seed", ", ".join(seeds)),
        ("Hash of the study", full.hash),
        (
            "Played by",
            f"ginsim {manifest['ginsim']}, random stream {manifest['stream']}, {packages}",
        ),
    ]


# -- rules and strategies -------------------------------------------------------------------------


def _list_rules(full: Study) -> dict[str, Rules]:
    return {cell.labels["rules"]: cell.rules for run in full.runs for cell in run.cells}


def _list_strategies(full: Study) -> dict[str, Strategy]:
    """The players by the names that the tables have."""
    names = full.document["strategies"]
    known = {
        player.name: player for run in full.runs for cell in run.cells for player in cell.players
    }
    found = {}
    for name, fields in names.items():
        player = Strategy(**fields)
        if any(player == other for other in known.values()):
            found[name] = player
    return found or known


def _describe_rules(name: str, rules: Rules) -> dict[str, Any]:
    base, _ = commands.find_base(rules, name)
    plain = load_rules(base)
    changes = [
        f"{field} is {format_value(value)}, not {format_value(plain.values()[field])}"
        for field, value in rules.values().items()
        if value != plain.values()[field]
    ]
    return {"name": name, "base": base, "changes": changes, "sentences": explain(rules)}


def _describe_strategy(name: str, player: Strategy) -> dict[str, Any]:
    spec = commands.find_spec(player, name)
    entry = STRATEGIES.get("" if spec is None else spec.partition("(")[0])
    fields = []
    for field, value in player.values().items():
        question = Strategy.model_fields[field].description
        meaning = MEANINGS.get(field, {}).get(str(value))
        fields.append((f"{field} = {value}", f"{question}{f': {meaning}' if meaning else ''}"))
    return {
        "name": name,
        "spec": "" if spec in (None, name) else spec,
        "description": "" if entry is None else f"{begin(entry.description)}.",
        "fields": fields,
    }


def _write_study(full: Study) -> str:
    """The study as a file that `ginsim study run` takes, with every rule set in full."""
    return "\n".join(list_lines("", full.document)) + "\n"
