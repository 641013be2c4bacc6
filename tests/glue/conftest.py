"""Step definitions without sources."""

from collections.abc import Callable

import pytest

from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, SourceSpan, StepDefinition
from tests.glue.behat_shop import shop

__all__ = ["shop"]

FRAMEWORKS = {
    "python": "behave",
    "ruby": "cucumber-ruby",
    "javascript": "cucumber-js",
    "java": "cucumber-jvm",
    "csharp": "reqnroll",
    "php": "behat",
    "go": "godog",
    "rust": "cucumber-rs",
}


def make_definition(
    expression: str,
    kind: str = "cucumber",
    language: str = "java",
    *,
    path: str = "glue",
    line: int = 1,
    anchoring: Anchoring = Anchoring.FULL,
    flags: str = "",
    types: tuple[str, ...] = (),
    framework: str = "",
) -> StepDefinition:
    span = SourceSpan(path, line * 100, line * 100 + 50, line, 1, line, 51)
    return StepDefinition(
        expression=expression,
        kind=ExpressionKind(kind),
        keyword_types=frozenset(types),
        keyword="Given",
        language=language,
        framework=framework or FRAMEWORKS[language],
        literal=span,
        source_literal="",
        function=None,
        function_name="",
        anchoring=anchoring,
        flags=flags,
    )


@pytest.fixture(scope="session")
def definition() -> Callable[..., StepDefinition]:
    return make_definition
