"""Findings and files made by hand."""

from collections.abc import Callable

import pytest

from cukereuse_engine.detection.model import Finding, Wording
from cukereuse_engine.gherkin.model import Comment, FeatureFile, KeywordType, Span, Step
from cukereuse_engine.judging.model import Kind
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.template import template


def _step(text: str, path: str = "a.feature", line: int = 3) -> Step:
    span = Span(line, 11, 0, len(text))
    kind = KeywordType.ACTION
    return Step(path, text, span, "When ", kind, kind, "F", None, "S", line - 1, (), False, False, (), None)


def _wording(places: list[tuple[str, str, int]]) -> Wording:
    steps = tuple(_step(*place) for place in places)
    return Wording(places[0][0], template(places[0][0]), len(steps), steps, ())


def _finding(
    wording: list[tuple[str, str, int]], preferred: list[tuple[str, str, int]], rule: str = "divergent-wording"
) -> Finding:
    fingerprint = identity(f"{rule}{wording[0][0]}{preferred[0][0]}")[:16]
    one, other = _wording(wording), _wording(preferred)
    return Finding(rule, Severity.WARNING, fingerprint, "m", one, other, 0.9, Kind.REWORDED, (), cluster_id="c" * 12)


def _file(comments: dict[int, str], step_lines: tuple[int, ...], path: str = "a.feature") -> FeatureFile:
    steps = tuple(_step(f"step {line}", path, line) for line in step_lines)
    return FeatureFile(
        path, "en", "utf-8", steps, (), tuple(Comment(line, text) for line, text in comments.items()), "0" * 32
    )


@pytest.fixture(scope="session")
def make_finding() -> Callable[..., Finding]:
    """(wording's places, preferred's places, rule); a place is (text, path, line)."""
    return _finding


@pytest.fixture(scope="session")
def make_file() -> Callable[..., FeatureFile]:
    """(comments by line, lines of steps, path)."""
    return _file
