"""What the names of a file belong to."""

from pathlib import Path

import pytest

from cukereuse_engine.functions.boundary import boundary_of


@pytest.mark.parametrize(
    ("marks", "one", "other", "are_one"),
    [
        (["package.json"], "a/steps.ts", "b/steps.ts", True),
        (["package.json", "b/package.json"], "a/steps.ts", "b/steps.ts", False),
        (["package.json", "b/cypress.config.ts"], "a/steps.ts", "b/steps.ts", False),
        (["package.json", "b/playwright.config.js"], "a/steps.ts", "b/src/steps.ts", False),
        (["package.json", "apps/b/project.json"], "apps/a/steps.ts", "apps/b/steps.ts", False),
        (["package.json", "b/cypress.json"], "b/one/steps.js", "b/two/steps.js", True),
        (["pom.xml", "b/pom.xml"], "a/Steps.java", "b/Steps.java", True),
        (["one.csproj", "b/two.csproj"], "a/Steps.cs", "b/Steps.cs", False),
        ([], "a/features/steps/one.py", "b/features/steps/one.py", False),
        ([], "a/features/one.rb", "a/features/support/two.rb", True),
    ],
)
def test_projects_and_runners_draw_lines(tmp_path: Path, marks: list[str], one: str, other: str, are_one: bool) -> None:
    for mark in marks:
        (tmp_path / mark).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / mark).write_text("", "utf-8")
    for path in (one, other):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    assert (boundary_of(str(tmp_path / one)) == boundary_of(str(tmp_path / other))) is are_one
