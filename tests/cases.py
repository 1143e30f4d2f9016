"""The worked cases of tests/data/cases.json, by kind, and the rule sets that they name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8")
)

#: The names of rule sets in the cases.
RULES = {
    "s0": "hollywood",
    "s1": "classic",
    "s2": "casual",
    "s3": "modern",
    "s4": "kawu",
    "s0-strict": "hollywood(tie=nobody)",
    "s1-additive": "classic(shutout=add)",
    "s4+biggin": "kawu+big-gin",
    "openspiel": "openspiel",
    "pagat": "pagat",
    "pagat-classic": "pagat",
    "rummytalk": "hollywood+ace-gin",
    "bicycle": "kawu+oklahoma+ace-gin",
}

#: The words of the cases for outcomes.
OUTCOMES = {"undercut0": "clean_undercut"}


def of_kind(*kinds: str) -> list[Any]:
    """The cases of these kinds as pytest parameters, named by their id."""
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def by_id(name: str) -> dict[str, Any]:
    """One case."""
    return next(case for case in CASES if case["id"] == name)


def sources(case: dict[str, Any]) -> list[str]:
    """The source documents whose rule sets a case is about."""
    return [name for name in case["variant"].split() if name in ("s0", "s1", "s2", "s3", "s4")]
