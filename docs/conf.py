"""How Sphinx makes the pages: `scripts/docs`. The Markdown reads the same on its own.

Three things are made here and nowhere else: the menu, from the list of pages in index.md; the
reference of the public names, from the docstrings of those that api.md lists in `{api}` blocks; and
the pages of the files beside this folder, such as CHANGELOG.md.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import ginsim

DOCS = Path(__file__).parent
#: Pages that are files of the tree's root, by the name that they have here.
ROOT_PAGES = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}

project = "ginsim"
author = "The ginsim developers"
copyright = author
version = release = ginsim.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
root_doc = "index"
nitpicky = True
# Types of arguments and results are shown as they are written; not each of them has a page.
nitpick_ignore_regex = [(r"py:(class|data|obj)", r".*")]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

add_module_names = False
toc_object_entries = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autosummary_generate = False
default_role = "code"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
smartquotes_action = "D"  # quotes stay as a shell wants them
python_maximum_signature_line_length = 80

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_title = f"ginsim {release}"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}

# ---------------------------------------------------------------- the menu

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_PAGE = re.compile(r"\]\((?:\.\./)?([\w-]+)\.md\)")


def list_pages(text: str) -> Iterator[tuple[str, list[str]]]:
    """The headings of index.md with the pages that are linked below each."""
    parts = _HEADING.split(text)
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        yield heading, [name.lower() for name in dict.fromkeys(_PAGE.findall(body))]


def write_menu(text: str) -> str:
    """index.md with the menu, to which a page that it does not link is added at the end."""
    menu = dict(list_pages(text))
    listed = {page for pages in menu.values() for page in pages}
    if others := sorted({path.stem for path in DOCS.glob("*.md")} - listed - {"index"}):
        menu["Further pages"] = others
    blocks = [
        "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```"])
        for heading, pages in menu.items()
        if pages
    ]
    return "\n\n".join([text, *blocks]) + "\n"


def read_source(app: Sphinx, page: str, content: list[str]) -> None:
    if page == "index":
        content[0] = write_menu(content[0])
    if page in ROOT_PAGES:
        name = ROOT_PAGES[page]
        app.env.note_dependency(DOCS.parent / name)
        content[0] = (DOCS.parent / name).read_text(encoding="utf-8").replace("](docs/", "](")
    for page_name, name in ROOT_PAGES.items():
        content[0] = content[0].replace(f"](../{name}", f"]({page_name}.md")


def find_outdated(
    app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """The menu has every page, listed or not: index.md is read again if there are others now."""
    return ["index"] if added or removed else []


def list_stale(app: Sphinx, env: Any) -> set[str]:
    """All pages if the menu, which each of them shows, is another than in the last run."""
    titles = {page: title.astext() for page, title in env.titles.items()}
    menu = write_menu((DOCS / "index.md").read_text(encoding="utf-8")), titles
    if getattr(env, "last_menu", None) == menu:
        return set()
    env.last_menu = menu
    return set(env.found_docs)


# ---------------------------------------------------------------- the public names

_QUOTED = re.compile(r"(?<![`:\w])`([^`\n]+)`(?!`)")
_NAMED_PAGE = re.compile(r"docs/([\w-]+)\.md")


#: A number or a text has no docstring of its own.
CONSTANTS = {
    "STREAM_VERSION": "Version of the random stream; part of every provenance "
    "(:doc:`reproducibility`).",
    "__version__": "Version of the package.",
}


#: Members that serve the package itself.
INNER = "error, field_word, find_contradictions, model_config, model_dump"


class Api(SphinxDirective):
    """`{api}` with names of the package, one a line: a table of them, then each in full."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        names = [line.strip() for line in self.content if line.strip()]
        lines = [".. currentmodule:: ginsim", "", ".. autosummary::", ""]
        lines += [f"   {name}" for name in names if name not in CONSTANTS]
        for name in names:
            lines += ["", *describe(name)]
        text = "\n".join(["````{eval-rst}", *lines, "````"])
        return self.parse_text_to_nodes(text)


def describe(name: str) -> list[str]:
    """The call of autodoc for a public name."""
    value = getattr(ginsim, name)
    if not callable(value):
        return [f".. py:data:: {name}", f"   :value: {value!r}", "", f"   {CONSTANTS[name]}"]
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}"]
    if issubclass(value, Exception):
        return [f".. autoexception:: {name}", "   :show-inheritance:"]
    # What Python and pydantic give to each class is not said again.
    options = [":members:", ":inherited-members: BaseModel", f":exclude-members: {INNER}"]
    return [f".. autoclass:: {name}", *(f"   {option}" for option in options)]


#: Stands for a colon while napoleon, which takes what is before one for a type, is at work.
_COLON = "\ue000"


def hide_colons(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    if what in ("attribute", "property"):
        lines[:] = [line.replace(":", _COLON) for line in lines]


def write_roles(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Links where a docstring names a public name or a page; else what it quotes is code."""

    def quote(match: re.Match[str]) -> str:
        word = match[1].removesuffix("()")
        return f":py:obj:`~ginsim.{word}`" if word in ginsim.__all__ else f"``{match[1]}``"

    def write(line: str) -> str:
        if line.lstrip().startswith(">>>"):
            return line
        return _NAMED_PAGE.sub(r":doc:`\1 <\1>`", _QUOTED.sub(quote, line))

    lines[:] = [write(line.replace(_COLON, ":")) for line in lines]


def shorten(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: Any
) -> tuple[str | None, Any] | None:
    """Records of many fields say where these stand instead of repeating them."""
    return ("(**fields)", None) if hasattr(obj, "model_fields") else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("api", Api)
    app.connect("source-read", read_source)
    app.connect("env-get-outdated", find_outdated)
    app.connect("env-updated", list_stale)
    # Before napoleon, which reads the sections of docstrings, and after it.
    app.connect("autodoc-process-docstring", hide_colons, priority=400)
    app.connect("autodoc-process-docstring", write_roles, priority=600)
    app.connect("autodoc-process-signature", shorten)
    return {"parallel_read_safe": True}
