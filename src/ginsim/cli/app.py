"""The command group, and the one place where errors and interruptions become exit codes."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

import click

from ginsim._version import __version__
from ginsim.cli.advise import advise, equity
from ginsim.cli.balance import balance
from ginsim.cli.decisions import decisions
from ginsim.cli.duel import duel, tournament
from ginsim.cli.estimate import estimate
from ginsim.cli.games import games
from ginsim.cli.hand import deadwood, deals, discard, layoff, outs, safety
from ginsim.cli.info import info
from ginsim.cli.knock import knock
from ginsim.cli.logs import verify_log
from ginsim.cli.luck import luck
from ginsim.cli.play import hands, replay
from ginsim.cli.report import report
from ginsim.cli.rescore import rescore
from ginsim.cli.schema import schema
from ginsim.cli.score import score
from ginsim.cli.sheet import sheet
from ginsim.cli.signature import signature
from ginsim.cli.study import study
from ginsim.cli.tune import tune
from ginsim.cli.vocabulary import rules, strategies
from ginsim.errors import GinsimError

#: Exit codes of a process ended by a signal, as shells give them.
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


class _Group(click.Group):
    """Bad input is exit code 2 and one message, Ctrl-C is 130, SIGTERM 143; never a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # of an output that is full, where click writes by itself
            sys.stderr.write(f"Error: {error}\n")
            sys.stderr.flush()
            # Nothing more can be written: without this the interpreter would try and complain.
            os._exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        ctx.color = _find_colour()
        # Only the main thread may set handlers; elsewhere the program around us has its own.
        in_main = threading.current_thread() is threading.main_thread()
        previous = signal.signal(signal.SIGTERM, _terminate) if in_main else None
        try:
            return super().invoke(ctx)
        except GinsimError as error:
            raise click.UsageError(str(error)) from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader is gone; click ends quietly
                raise
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        finally:
            if in_main and previous is not None:
                signal.signal(signal.SIGTERM, previous)


def _find_colour() -> bool | None:
    """Whether to write in colours: as the user says, or None for on a terminal only.

    NO_COLOR (https://no-color.org) and FORCE_COLOR (https://force-color.org) hold if they are not
    empty, the first of them before the other; a terminal that calls itself dumb has no colours.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


def _terminate(number: int, frame: FrameType | None) -> None:
    """Leave through every `finally`, so that no half-written file stays."""
    raise SystemExit(TERMINATED)


@click.group(
    cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="ginsim")
def main() -> None:
    """Gin Rummy simulation: exact hands by the million, by rule set and strategy.

    RULES is the name of a rule set (see `ginsim rules`), with modifiers such as kawu+oklahoma, or
    the path of a TOML file. STRATEGY is a name with parameters, such as "greedy(knock_at=4)" (see
    `ginsim strategies`).
    """


for command in (hands, games, duel, tournament, luck, tune, decisions, replay):
    main.add_command(command)
main.add_command(study)
main.add_command(report)
for command in (knock, advise, equity):
    main.add_command(command)
main.add_command(balance)
for command in (estimate, rescore, score, sheet, verify_log):
    main.add_command(command)
for command in (deadwood, discard, layoff, outs, safety, deals):
    main.add_command(command)
for command in (rules, strategies, schema, signature, info):
    main.add_command(command)
