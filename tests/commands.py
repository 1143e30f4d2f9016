"""The page docs/commands.md, made from the commands themselves.

`python -m tests.commands` writes it anew; tests/test_docs.py fails while it differs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from ginsim.cli import main as ginsim_command

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"


def walk(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[tuple[click.Command, click.Context]]:
    """The command and all below it, by name."""
    context = click.Context(command, parent, info_name=name, **command.context_settings)
    yield command, context
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            below = command.get_command(context, inner)
            assert below is not None
            yield from walk(below, inner, context)


def paragraphs(text: str | None) -> str:
    r"""A help text with a line for each paragraph, as click rewraps it; after `\b` as it stands."""
    parts = inspect.cleandoc(text or "").partition("\f")[0].split("\n\n")
    written = [
        "```text\n" + part.removeprefix("\b\n") + "\n```"
        if part.startswith("\b\n")
        else mark(" ".join(part.split()))
        for part in parts
        if part
    ]
    return "\n\n".join(written)


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def mark(text: str) -> str:
    """Options as code, pages as links."""
    text = re.sub(
        r"(`[^`]*`)|(?<![\w-])(--[a-z][\w-]*)", lambda found: found[1] or f"`{found[2]}`", text
    )
    return re.sub(r"docs/([\w-]+)\.md", r"[\1](\1.md)", text)


def option_row(option: click.Option, context: click.Context) -> str:
    """Names and value, what it does, what stands if it is not given."""
    record = option.get_help_record(context)
    assert record is not None
    words, meaning = record
    meaning, _, extra = meaning.partition("  [")
    extra = extra.removesuffix("]").removeprefix("default:")
    return f"| `{cell(words)}` | {mark(cell(meaning))} | {mark(cell(extra))} |"


def section(command: click.Command, context: click.Context) -> str:
    """One command: how it is called, what it does, its options."""
    usage = context.command_path
    pieces = " ".join(command.collect_usage_pieces(context))
    parts = [
        f"## {usage}",
        f"```text\n{usage} {pieces}\n```",
        paragraphs(command.help),
    ]
    rows = [
        option_row(parameter, context)
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and not parameter.hidden
    ]
    parts.append("\n".join(["| option | meaning | default |", "|---|---|---|", *rows]))
    if isinstance(command, click.Group):
        names = [f"{usage} {name}" for name in command.list_commands(context)]
        links = [f"[`{name}`](#{name.replace(' ', '-')})" for name in names]
        parts.append("Commands: " + ", ".join(links) + ".")
    return "\n\n".join(part for part in parts if part) + "\n"


def make_page(page: str) -> str:
    """The page with all commands made anew; the text before the first one is kept."""
    intro = page.partition("\n## ")[0].rstrip() + "\n"
    sections = [section(*found) for found in walk(ginsim_command, "ginsim")]
    return "\n".join([intro, *sections])


def main() -> None:
    """Write the page."""
    PAGE.write_text(make_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
