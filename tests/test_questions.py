"""docs/questions.md: thirty questions, each answered by one command, and that is what it prints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests import questions
from tests.questions import Question

PAGE = questions.PAGE.read_text(encoding="utf-8")
QUESTIONS = questions.read_questions(PAGE)
INTERVAL = re.compile(r"\(\S+( %)?: \S+ to \S+\)|\(\S+ to \S+\)")


def cases() -> list[Any]:
    return [
        pytest.param(
            question,
            id=str(question.number),
            marks=[pytest.mark.slow] if "slow" in question.marks else [],
        )
        for question in QUESTIONS
    ]


def test_there_are_thirty() -> None:
    assert [question.number for question in QUESTIONS] == list(range(1, 31))
    assert PAGE.count("```console\n") == 30
    assert len({question.title for question in QUESTIONS}) == 30


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: str(question.number))
def test_an_answer_has_its_parts(question: Question) -> None:
    """A command with a seed unless all is counted, an interval unless there is none, what it
    says, and what it supposes."""
    assert question.marks <= {"slow", "exact"}
    assert question.title.endswith("?")
    if "exact" not in question.marks:
        assert INTERVAL.search(question.shown)
        assert " --seed 1" in question.command or question.command.startswith("ginsim luck")
    says, supposes = question.text.strip().split("\n\n")
    assert supposes.startswith("*Supposed:* ")
    assert says.endswith(".")
    assert supposes.endswith(".")
    # No line shows a time, which would be another one each time.
    assert not re.search(r"^[\d.]+ s", question.shown, re.MULTILINE)


@pytest.mark.parametrize("question", cases())
def test_an_answer_is_what_the_command_prints(question: Question) -> None:
    """Else: python -m tests.questions."""
    printed = questions.run_command(question.command)
    assert questions.choose_lines(printed, question.lines) == question.shown, printed


def test_the_index_leads_to_every_question() -> None:
    index = PAGE.partition("\n## ")[0]
    linked = re.findall(r"\[(\d+)\]\(#(\S+?)\)", index)
    assert sorted({int(number) for number, _ in linked}) == list(range(1, 31))
    for number, anchor in linked:
        heading = f"{number}. {QUESTIONS[int(number) - 1].title}"
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        assert anchor == slug
