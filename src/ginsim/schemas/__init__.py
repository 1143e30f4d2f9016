"""The JSON Schemas of the documents that the command line prints (docs/json.md).

>>> "deadwood" in list_schemas()
True
>>> sorted(load_schema("deadwood")["properties"])
['cards', 'deadwood', 'melds', 'unmelded']
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ginsim.errors import OptionError, refuse_name


def list_schemas() -> list[str]:
    """The names of the documents, those of the commands that print them."""
    return sorted(
        entry.name.removesuffix(".json")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".json")
    )


def load_schema(name: str) -> dict[str, Any]:
    """The schema of a document (draft 2020-12), complete in itself.

    Raises:
        OptionError: for an unknown name.
    """
    known = list_schemas()
    if not isinstance(name, str) or name not in known:
        raise OptionError(refuse_name("schema", name, known))
    text = files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
