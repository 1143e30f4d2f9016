"""docs/questions.md: thirty questions, each with a command and what it prints.

Under each command a comment says which lines of the output are shown, by their numbers from 1:

    <!-- lines 1-3, 7 -->           a few seconds or less
    <!-- slow: lines 1-3, 7 -->     longer: checked by scripts/verify
    <!-- exact: lines 2 -->         a count or a rule, so that there is no interval

`python -m tests.questions` runs every command and writes these lines anew; with numbers, only
those: `python -m tests.questions 6 19`.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from ginsim.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "questions.md"

_SECTION = re.compile(r"^## (\d+)\. (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(
    r"```console\n\$ (?P<command>ginsim [^\n]+)\n```\n\n"
    r"<!-- (?P<marks>[\w, ]+: )?lines (?P<lines>[\d, -]+) -->\n\n```text\n(?P<shown>.*?)```\n",
    re.DOTALL,
)
#: Stands where lines are left out.
GAP = "…"


class Question(NamedTuple):
    """A section of the page."""

    number: int
    title: str
    command: str
    #: The lines of the output that are shown, from 1.
    lines: tuple[int, ...]
    #: Words such as slow and exact.
    marks: frozenset[str]
    shown: str
    #: What stands around the command and its output.
    text: str


def read_questions(page: str) -> list[Question]:
    """The sections of the page, each of which has one block of command, comment and output."""
    found = []
    for section in _SECTION.finditer(page):
        (block,) = _BLOCK.finditer(section[3])
        text = section[3].replace(block[0], "")
        assert "```" not in text, section[2]
        marks = re.findall(r"\w+", block["marks"] or "")
        found.append(
            Question(
                number=int(section[1]),
                title=section[2],
                command=block["command"],
                lines=tuple(read_lines(block["lines"])),
                marks=frozenset(marks),
                shown=block["shown"],
                text=text,
            )
        )
    return found


def read_lines(text: str) -> list[int]:
    """`1-3, 7` as 1, 2, 3, 7."""
    lines: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        lines += range(int(first), int(last or first) + 1)
    assert lines == sorted(set(lines)), text
    return lines


def run_command(command: str) -> str:
    """What a command of the page prints."""
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    return result.output


def choose_lines(output: str, lines: tuple[int, ...]) -> str:
    """The lines that are shown, with a mark where some are left out between them."""
    printed = output.splitlines()
    chosen: list[str] = []
    for place, line in enumerate(lines):
        if place and line != lines[place - 1] + 1:
            chosen.append(GAP)
        chosen.append(printed[line - 1])
    return "\n".join(chosen) + "\n"


def write_page(numbers: set[int]) -> None:
    """Run the commands of these questions, or of all if there are none, and write the page."""
    page = PAGE.read_text(encoding="utf-8")
    for question in read_questions(page):
        if not numbers or question.number in numbers:
            shown = choose_lines(run_command(question.command), question.lines)
            head, mark, rest = page.partition(f"$ {question.command}\n")
            before, fence, after = rest.partition("```text\n")
            page = head + mark + before + fence + shown + after[after.index("```\n") :]
            print(f"{question.number}. {question.title}", file=sys.stderr)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write_page({int(word) for word in sys.argv[1:]})
