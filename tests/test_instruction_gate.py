"""The gate on instruction counts: what it lets pass and what not. (CI runs the gate itself.)"""

from __future__ import annotations

import json
import sys

import pytest

from benchmarks import instruction_gate
from benchmarks.instruction_gate import RECORD, Change, compare_counts, format_changes
from ginsim import _core


@pytest.mark.parametrize(
    ("counted", "word"),
    [
        (100.0, None),
        (102.9, None),
        (97.1, None),
        (103.1, "slower"),
        (96.9, "faster: record it"),
        (None, "on one side only"),
    ],
)
def test_what_moved_fails(counted: float | None, word: str | None) -> None:
    now = {"a, b": counted} if counted is not None else {}
    (change,) = compare_counts({"a, b": 100.0}, now)
    assert change.failed == (word is not None)
    assert (word or "") in format_changes([change])


def test_a_new_count_has_to_be_recorded() -> None:
    assert compare_counts({}, {"new": 5.0}) == [Change("new", None, 5.0)]
    assert Change("new", None, 5.0).failed


def test_the_command_fails_on_a_loss(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))["instructions"]
    monkeypatch.setattr(sys, "argv", ["instruction_gate"])
    monkeypatch.setattr(instruction_gate, "find_valgrind", lambda: "valgrind")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(instruction_gate, "list_kernels", list)
    monkeypatch.setattr(instruction_gate, "count_instructions", lambda valgrind, kernels: [])
    compiler = json.loads(RECORD.read_text(encoding="utf-8"))["compiler"]
    monkeypatch.setattr(_core, "COMPILER", compiler)
    for factor, fails in ((1.0, False), (1.1, True), (0.9, True)):
        counts = {name: count * factor for name, count in recorded.items()}
        monkeypatch.setattr(instruction_gate, "name_counts", lambda found, counts=counts: counts)
        if fails:
            with pytest.raises(SystemExit, match="moved by more than 3%"):
                instruction_gate.main()
        else:
            instruction_gate.main()
            assert "all within 3%" in capsys.readouterr().out
    monkeypatch.setattr(_core, "COMPILER", "another")
    instruction_gate.main()
    assert "not compared: recorded with" in capsys.readouterr().out
