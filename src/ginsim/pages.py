"""Pages of HTML that need nothing but themselves: what the sheet and the report have in common."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

#: Text, tables and print as all pages have them.
STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.4 system-ui, sans-serif; }
body { margin: 1rem auto; max-width: 60rem; padding: 0 .5rem; }
h1 { font-size: 1.3rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
th, td { padding: .15rem .5rem; text-align: right; }
th { vertical-align: bottom; }
th small { display: block; font-weight: normal; }
thead th { border-bottom: 2px solid; }
.words { text-align: left; }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; }
  .wide { overflow: visible; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
"""


def write_page(title: str, style: str, body: Iterable[str], script: str = "") -> str:
    """A page that is whole in one file.

    Args:
        title: plain text, for the window.
        style: rules after those of `STYLE`.
        body: lines of HTML inside of `main`.
        script: what runs at the end; the page must be whole without it.
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}{style}</style>",
        "</head>",
        "<body>",
        "<main>",
        *body,
        "</main>",
        *([f"<script>\n{script}</script>"] if script else []),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"
