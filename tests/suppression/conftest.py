"""Findings and files made by hand."""

from collections.abc import Callable

import pytest

from cukereuse_engine.findings.finding import Finding, Subject, Wording, places_of
from cukereuse_engine.gherkin.feature import Comment, FeatureFile, KeywordType, Span, Step
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.template import template


def _step(text: str, path: str = "a.feature", line: int = 3) -> Step:
    span = Span(line, 11, 0, len(text))
    kind = KeywordType.ACTION
    return Step(path, text, span, "When ", kind, kind, "F", None, "S", line - 1, (), False, False, (), None)


Places = list[tuple[str, str, int]]


def _subject(places: Places) -> Subject:
    text, steps = places[0][0], [_step(*place) for place in places]
    wording = Wording(text, template(text), len(steps))
    return Subject(text, wording.template.key, len(steps), places_of(steps), (), (wording,))


def _finding(others: Places, preferred: Places, rule: str = "divergent-wording", *more: Places) -> Finding:
    subjects = tuple(map(_subject, (others, *more)))
    return Finding(rule, Severity.WARNING, "m", subjects, _subject(preferred), 0.9, kind=Kind.REWORDED)


def _file(comments: dict[int, str], step_lines: tuple[int, ...], path: str = "a.feature") -> FeatureFile:
    steps = tuple(_step(f"step {line}", path, line) for line in step_lines)
    return FeatureFile(
        path, "en", "utf-8", steps, (), tuple(Comment(line, text) for line, text in comments.items()), "0" * 32
    )


@pytest.fixture(scope="session")
def make_finding() -> Callable[..., Finding]:
    """(places of one that should change, preferred's places, rule, places of more that should change); a place is
    (text, path, line)."""
    return _finding


@pytest.fixture(scope="session")
def make_file() -> Callable[..., FeatureFile]:
    """(comments by line, lines of steps, path)."""
    return _file
