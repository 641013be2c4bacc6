import pytest

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.karate import karate_files, karate_statements
from cukereuse_engine.gherkin.read import read_text


def _steps(path: str, texts: list[str]) -> tuple[Step, ...]:
    return tuple(read_text(path, "\n".join(["Feature: f", "Scenario: s", *(f"* {text}" for text in texts)])).steps)


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
def test_recognises_karate(texts: list[str], expected: bool) -> None:
    steps = _steps("x.feature", texts)
    assert karate_files(steps) == (frozenset({"x.feature"}) if expected else frozenset())


def test_judges_each_file_alone() -> None:
    steps = [*_steps("k.feature", ["method get", "status 200"]), *_steps("other.feature", ["I wait"])]
    assert karate_files(steps) == {"k.feature"}


def test_a_statement_stands_in_karate_files_only() -> None:
    files = {"k.feature": ["method get", "status 200", "I wait"], "other.feature": ["I wait", "I open the page"]}
    steps: dict[str, list[Step]] = {}
    for path, texts in files.items():
        for step in _steps(path, texts):
            steps.setdefault(step.text, []).append(step)
    assert karate_statements(steps) == {"method get", "status 200"}
