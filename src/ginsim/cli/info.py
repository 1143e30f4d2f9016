"""`ginsim info`: what a bug report or a benchmark has to say about where it ran."""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

import click

from ginsim._version import __version__
from ginsim.cli.options import json_option
from ginsim.cli.text import format_entries, print_json


@click.command()
@json_option
def info(as_json: bool) -> None:
    """Show versions, the compiler of the core, and the processor."""
    document = collect_info()
    if as_json:
        print_json(document)
    else:
        click.echo(
            format_entries([(name, str(value)) for name, value in document.items()], indent="")
        )


def collect_info() -> dict[str, str | int]:
    """Versions of the package, its stream, Python and libraries; compiler, processor, threads."""
    import numpy
    import pandas
    import pydantic

    from ginsim import _core, _deck

    return {
        "ginsim": __version__,
        "stream": _deck.STREAM_VERSION,
        "python": sys.version.split()[0],
        "numpy": numpy.__version__,
        "pandas": pandas.__version__,
        "pydantic": pydantic.VERSION,
        "compiler": _core.COMPILER,
        "system": platform.platform(),
        "processor": find_processor(),
        "processors": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1,
        "location": str(Path(__file__).parents[1]),
    }


def find_processor() -> str:
    """The processor's name, as the system gives it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1].strip() if match else platform.processor() or platform.machine()
