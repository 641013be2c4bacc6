from collections.abc import Callable

import pytest

from cukereuse_engine.detection.karate import karate_files, karate_statements
from cukereuse_engine.gherkin.feature import Step


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ["url 'http://localhost'", "path 'users'", "method get", "status 200", "match response == { id: 1 }"],
            True,
        ),
        (["def user = call read('login.feature')", "match user.name contains 'Ann'"], True),
        (["call read('setup.feature')", "configure headers = { a: 'b' }", "method POST", "status 201"], True),
        (["I send a GET request", "the status is 200", "the response matches {}"], False),
        (["path to the file is known", "print the page", "call the customer", "input the name"], False),
        (["status 200", "I open the page", "I see the cart", "I press the button"], False),
        (["I open the page"], False),
    ],
)
def test_recognises_karate(texts: list[str], expected: bool, step: Callable[..., Step]) -> None:
    steps = [step(text, line, "x.feature") for line, text in enumerate(texts, 1)]
    assert karate_files(steps) == (frozenset({"x.feature"}) if expected else frozenset())


def test_judges_each_file_alone(step: Callable[..., Step]) -> None:
    steps = [step("method get", 1, "k.feature"), step("status 200", 2, "k.feature"), step("I wait", 1, "other.feature")]
    assert karate_files(steps) == {"k.feature"}


def test_a_statement_stands_in_karate_files_only(step: Callable[..., Step]) -> None:
    files = {"k.feature": ["method get", "status 200", "I wait"], "other.feature": ["I wait", "I open the page"]}
    steps: dict[str, list[Step]] = {}
    for path, texts in files.items():
        for line, text in enumerate(texts, 1):
            steps.setdefault(text, []).append(step(text, line, path))
    assert karate_statements(steps) == {"method get", "status 200"}
