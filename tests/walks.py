"""Pages that are read from top to bottom: their commands and Python sessions, run in order.

`python -m tests.walks` runs them and writes what they print anew. A toml block that begins with the
comment `# NAME.toml` is a file that the reader saves; what installs ginsim is not run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import tempfile
from pathlib import Path

from click.testing import CliRunner

from ginsim.cli import main as ginsim_command

DOCS = Path(__file__).parents[1] / "docs"
WALKS = [DOCS / "tutorial.md"]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: What a command prints of the time that it took.
_TIME = re.compile(r"^[\d.]+ s(, .*)?\n", re.MULTILINE)


def without_time(text: str) -> str:
    return _TIME.sub("", text.rstrip() + "\n").strip("\n")


def run_session(text: str, space: dict[str, object]) -> str:
    """A session of Python with what its statements print now."""
    written = []
    for example in doctest.DocTestParser().get_examples(text):
        first, *more = example.source.splitlines()
        written += [f">>> {first}", *(f"... {line}" for line in more)]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(example.source, "<session>", "single"), space)
        written += said.getvalue().rstrip().splitlines()
    return "\n".join(written) + "\n"


def run_command(text: str) -> str:
    """A command with what it prints now; as it stands if only the time is another."""
    call, _, shown = text.partition("\n")
    result = CliRunner().invoke(ginsim_command, shlex.split(call.removeprefix("$ ginsim ")))
    assert result.exit_code == 0, result.output
    if without_time(result.output) == without_time(shown):
        return text
    return call + "\n" + result.output.strip("\n") + "\n"


def make_page(page: str) -> str:
    """The page with every output made anew, in the present folder."""
    space: dict[str, object] = {}

    def write(block: re.Match[str]) -> str:
        language, text = block[1], block[2]
        if language == "console":
            text = run_command(text)
        elif language == "pycon":
            text = run_session(text, space)
        elif language == "toml":
            name = re.match(r"# ([\w-]+\.toml)\n", text)
            assert name is not None
            Path(name[1]).write_text(text)
        else:
            assert language == "sh", language
        return f"```{language}\n{text}```"

    return _BLOCK.sub(write, page)


def main() -> None:
    """Write the pages."""
    for path in WALKS:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            page = make_page(path.read_text(encoding="utf-8"))
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
