"""What a study is once it is validated: runs, their cells, and the tasks these come to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ginsim.rules import Rules
from ginsim.strategies import Strategy

#: Sums of a stretch of a task, by name; integers only.
Part: TypeAlias = dict[str, NDArray[np.int64]]
#: What a task gives: the sums of its stretches, in order.
Parts: TypeAlias = list[Part]


@dataclass(frozen=True)
class Cell:
    """What a run plays under one rule set with one line-up.

    Attributes:
        labels: columns that tell the cell from others in the tables, such as `rules`, `south`.
        rules, players: what is played, by whom.
    """

    labels: Mapping[str, str]
    rules: Rules
    players: tuple[Strategy, ...]


@dataclass(frozen=True)
class Run:
    """One thing to be known.

    Attributes:
        name: as in the file; the tables are named after it.
        kind: a name of `kinds.KINDS`.
        cells: every combination that is played.
        options: what the kind wants to know besides; plain data.
        seed: of all cells, so that they are compared on the same cards.
    """

    name: str
    kind: str
    cells: tuple[Cell, ...]
    options: Mapping[str, Any]
    seed: int


@dataclass(frozen=True)
class Study:
    """A validated study. Made by `read_study`.

    Attributes:
        title: in one line; may be empty.
        format: of the files of results, `csv` or `parquet`.
        runs: in the order of the file.
        document: the study with every rule set and strategy in full, as plain data; `read_study`
            makes the same study of it.
    """

    title: str
    format: str
    runs: tuple[Run, ...]
    document: Mapping[str, Any] = field(repr=False)

    @cached_property
    def hash(self) -> str:
        """Names the study by all that its results depend on: 32 hexadecimal digits."""
        return hash_document(self.document)


@dataclass(frozen=True)
class StudyTask:
    """A piece of work of up to some two seconds, which can be done anywhere.

    Attributes:
        kind: a name of `kinds.KINDS`.
        output: `sums`, or `rows`, the records themselves.
        inputs: all that the result depends on, as plain data: versions of the package and the
            stream, rules, strategies, seed, range.
    """

    kind: str
    output: str
    inputs: Mapping[str, Any]

    @cached_property
    def name(self) -> str:
        """The hash of the inputs: 32 hexadecimal digits."""
        return digest(self.describe())

    def describe(self) -> dict[str, Any]:
        """The task as plain data."""
        return {"kind": self.kind, "output": self.output, "inputs": self.inputs}


def hash_document(document: Mapping[str, Any]) -> str:
    """The hash of a study, from its document."""
    return digest({key: value for key, value in document.items() if key != "title"})


def digest(document: Any) -> str:
    """The first 128 bits of the SHA-256 of plain data, in hexadecimal."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
