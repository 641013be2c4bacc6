"""`undefined-step` and `ambiguous-step` over real glue agree with `cukereuse steps`."""

from pathlib import Path

import pytest

from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

PYTHON = "from behave import given\n"
JAVASCRIPT = "const { Given } = require('@cucumber/cucumber')\n"
ROWS = "    Examples:\n      | it |\n      | lamp |\n      | door |\n"


def behave(*expressions: str) -> str:
    return PYTHON + "".join(
        f"@given('{expression}')\ndef step_{n}(context):\n    pass\n" for n, expression in enumerate(expressions)
    )


def cucumber(*expressions: str) -> str:
    return JAVASCRIPT + "".join(f"Given('{expression}', () => {{}})\n" for expression in expressions)


@pytest.mark.parametrize(
    ("step", "rows", "sources", "rule"),
    [
        ("the lamp is lit", "", {}, None),  # of a suite without glue nothing is said
        ("the lamp is lit", "", {"a.py": behave("the lamp is lit")}, None),
        ("the lamp is lit", "", {"a.py": behave("the door is shut")}, "undefined-step"),
        ("the lamp is lit", "", {"a.js": cucumber("the lamp is lit", "the {word} is lit")}, "ambiguous-step"),
        ("the lamp is lit", "", {"a.py": behave("the lamp is lit"), "a.js": cucumber("the lamp is lit")}, None),
        ("the <it> is lit", ROWS, {"a.py": behave("the lamp is lit", "the door is lit")}, None),
        ("the <it> is lit", ROWS, {"a.py": behave("the lamp is lit")}, "undefined-step"),
        ("the <it> is lit", ROWS, {"a.js": cucumber("the {word} is lit", "the door is lit")}, "ambiguous-step"),
    ],
)
def test_undefined_and_ambiguous_as_steps_says(
    step: str, rows: str, sources: dict[str, str], rule: str | None, tmp_path: Path
) -> None:
    title = "Scenario Outline" if rows else "Scenario"
    (tmp_path / "a.feature").write_text(f"Feature: f\n  {title}: s\n    Given {step}\n{rows}", "utf-8")
    for name, source in sources.items():
        (tmp_path / name).write_text(source, "utf-8")
    settings = Settings(severity={"undefined-step": "warning", "ambiguous-step": "warning"})
    result = scan([tmp_path], ScanOptions(settings, use_cache=False))
    assert [finding.rule for suite in result.suites for finding in suite.findings] == ([rule] if rule else [])
    (suite,) = read_suites([tmp_path], use_cache=False, jobs=1)
    glue = load_glue(suite, settings, use_cache=False)
    (bound,) = [glue.bind(step) for file in suite.files for step in file.steps]
    statuses = {"undefined-step": Status.UNDEFINED, "ambiguous-step": Status.AMBIGUOUS}
    assert not sources or bound.status is statuses.get(rule or "", Status.BOUND)


def test_one_text_may_bind_otherwise_in_another_place(tmp_path: Path) -> None:
    """Two outlines have the same text, with different rows."""
    outline = "  Scenario Outline: s\n    Given the <it> is lit\n    Examples:\n      | it |\n      | {} |\n"
    (tmp_path / "a.feature").write_text("Feature: f\n" + outline.format("lamp") + outline.format("door"), "utf-8")
    (tmp_path / "a.py").write_text(behave("the lamp is lit"), "utf-8")
    settings = Settings(severity={"undefined-step": "warning"})
    result = scan([tmp_path], ScanOptions(settings, use_cache=False))
    (finding,) = [finding for suite in result.suites for finding in suite.findings]
    assert [step.line for step in finding.others[0].steps] == [8]
