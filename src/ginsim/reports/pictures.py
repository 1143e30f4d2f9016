"""Pictures of a report: SVG that stands in the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ginsim.plots.drawing import render

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A picture wider than this, in points, is not made narrower than it can be read.
_WIDE = 350.0


@dataclass(frozen=True)
class Picture:
    """A picture as it stands in the page.

    Attributes:
        svg: the element.
        caption: what it shows, in words; also what is read out for it.
    """

    svg: str
    caption: str


def draw_picture(draw: Callable[[], Axes], caption: str, name: str) -> Picture:
    """A picture by a `plot_*` function.

    Args:
        draw: calls the function.
        caption: what it shows.
        name: letters and digits that no other picture of the page has.
    """
    text = render(draw).decode("utf-8")
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    # Several in one page: each has names of its own.
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(href="|url\()#', rf"\g<1>#{name}-", text)
    width = float(re.search(r'width="([\d.]+)pt"', text)[1])  # type: ignore[index]
    least = f"; min-width: {0.8 * width:.0f}pt" if width > _WIDE else ""
    head = (
        f'<svg role="img" aria-label="{_quote(caption)}" '
        f'style="width: 100%; max-width: {1.25 * width:.0f}pt{least}; height: auto"'
    )
    text = re.sub(r'(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1", text, count=1)
    return Picture(text.replace("<svg", head, 1), caption)


def _quote(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
