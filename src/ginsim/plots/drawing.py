"""What all pictures share: axes, colours that are told apart in grey, words, files.

Pictures that a command or a report draws are drawn with settings of our own, whatever the user's
matplotlib is set to, and without a date or drawn numbers: the same results give the same bytes.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.errors import OptionError, join_words, refuse, show
from ginsim.files import check_place, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What the name of a picture may end in.
ENDINGS = (".svg", ".png", ".pdf")

#: Okabe and Ito's colours (https://jfly.uni-koeln.de/color/), in an order in which neighbours
#: differ in lightness. Each comes with a marker, a line and a hatch, so that none says anything
#: alone.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#56B4E9", "#D55E00", "#CC79A7", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 2)), (0, (3, 2, 1, 2)))
HATCHES = ("", "////", "xxxx", "----", "\\\\\\\\", "||||", "++++", "//--")

#: Of what has to be seen beside what is known: grey.
FAINT = "#767676"

#: How pictures of ours are drawn. Letters are drawn as shapes, so that they look alike everywhere.
_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10.0,
    "axes.titlesize": 10.0,
    "svg.fonttype": "path",
    "svg.hashsalt": "ginsim",
    "pdf.fonttype": 42,
    "hatch.linewidth": 0.6,
    "savefig.dpi": 160.0,
}
#: Whether pictures are being drawn for a file, not for whoever called.
_is_ours: ContextVar[bool] = ContextVar("is_ours", default=False)

#: A name longer than this is broken into lines of that length, and cut after so many lines.
_LINE = 26
_MOST_LINES = 3


def check_library(name: str = "plot") -> None:
    """See that pictures can be drawn.

    Raises:
        OptionError: if matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise OptionError(
            f"{name}: needs matplotlib, which is not installed; allowed: "
            'after pip install "ginsim-rummy[report]"'
        )


def check_picture(path: Path, force: bool, name: str = "--plot") -> None:
    """See before the work begins that its picture can be drawn and written.

    Args:
        name: what messages call the path.

    Raises:
        OptionError: for an unknown ending, a file that exists, a folder that does not, and
            without matplotlib.
    """
    if path.suffix.lower() not in ENDINGS:
        allowed = f"a file name that ends in {join_words(ENDINGS)}"
        raise OptionError(refuse(name, str(path), allowed))
    check_library(name)
    check_place(path, force, name)


@contextmanager
def _own_style() -> Iterator[None]:
    import matplotlib

    # With what matplotlib comes with, not with what is set here.
    defaults: Any = matplotlib.rcParamsDefault
    plain: Any = {
        key: defaults[key] for key in defaults if not key.startswith(("backend", "toolbar"))
    }
    token = _is_ours.set(True)
    try:
        with matplotlib.rc_context(plain | _STYLE):
            yield
    finally:
        _is_ours.reset(token)


def render(draw: Callable[[], Axes | list[Axes]], ending: str = ".svg") -> bytes:
    """A picture as the bytes of a file, the same for the same results.

    Args:
        draw: calls a `plot_*` function without axes.
        ending: one of `ENDINGS`.
    """
    check_library()
    with _own_style():
        drawn = draw()
        figure: Any = (drawn[0] if isinstance(drawn, list) else drawn).figure
        file = io.BytesIO()
        # What else a file of the kind would say: when, and by what, it was drawn.
        unsaid = {
            ".svg": {"Date": None, "Creator": None},
            ".pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
            ".png": {"Software": None},
        }[ending]
        figure.savefig(file, format=ending[1:], metadata=unsaid)
    return file.getvalue()


def write_picture(
    draw: Callable[[], Axes | list[Axes]], path: Path, force: bool, name: str = "--plot"
) -> None:
    """Draw a picture and write it, whole or not at all.

    Args:
        draw: as for `render`.
        path, force, name: as for `check_picture`.
    """
    check_picture(path, force, name)
    data = render(draw, path.suffix.lower())
    check_place(path, force, name)
    write_whole(path, data)


def make_figure(width: float, height: float) -> Figure:
    """A figure of a size in inches: pyplot's, or for a file one that nobody else knows of."""
    check_library()
    if _is_ours.get():
        from matplotlib.figure import Figure

        return Figure(figsize=(width, height), layout="constrained")
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height), layout="constrained")


def take_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """The axes that were given, or those of a new figure of a size in inches."""
    if ax is None:
        return make_figure(width, height).add_subplot()
    if not hasattr(ax, "errorbar"):
        raise OptionError(refuse("ax", ax, "axes of matplotlib, or None for a new figure"))
    return ax


def wrap_name(name: str) -> str:
    """A name in lines that fit beside the axes."""
    if len(name) <= _LINE:
        return name
    # Names of strategies have their parameters in brackets: better there than within a word.
    spaced = name.replace("(", "\u200b(").replace(",", ",\u200b")
    words = spaced.split("\u200b")
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > _LINE:
            lines.append("")
        lines[-1] += word
    lines = [part for line in lines for part in textwrap.wrap(line.strip(), _LINE) or [""]]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1][: _LINE - 1] + "…"]
    return "\n".join(lines)


def pick(choices: tuple[Any, ...], place: int) -> Any:
    """The colour, marker or line of a place; they come again after the last."""
    return choices[place % len(choices)]


def tidy(ax: Axes, grid: str = "x") -> None:
    """No frame but the two axes, and faint lines to read values along."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    options: Any = {"axis": grid, "color": "#d9d9d9", "linewidth": 0.8}
    ax.grid(**options)


def add_legend(ax: Axes, handles: Sequence[Any] | None = None, columns: int = 2) -> None:
    """A legend below the axes and their label, where it covers nothing.

    Args:
        handles: what it explains; None for all that has a label.
    """
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    more = ax.get_xlabel().count("\n")
    below = ScaledTranslation(0, -0.45 - 0.16 * more, figure.dpi_scale_trans)
    shown = handles or ax.get_legend_handles_labels()[0]
    if any(len(line) > 18 for one in shown for line in str(one.get_label()).split("\n")):
        columns = 1
    given: dict[str, Any] = {} if handles is None else {"handles": list(handles)}
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + below,
        ncols=columns,
        frameon=False,
        fontsize=9,
        handlelength=3.2,
        **given,
    )


def need_columns(frame: Any, names: tuple[str, ...], what: str) -> None:
    """See that a frame has the columns of a picture.

    Raises:
        OptionError: if it is no frame, is empty or lacks some.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise OptionError(refuse("frame", frame, what))
    if missing := [name for name in names if name not in frame]:
        raise OptionError(
            f"frame: has no column {join_words(map(show, missing), 'and')}; allowed: {what}"
        )
    if not len(frame):
        raise OptionError(f"frame: has no row; allowed: {what}")
