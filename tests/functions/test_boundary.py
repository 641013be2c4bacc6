"""The boundary to which the names of a file belong."""

from pathlib import Path

import pytest

from cukereuse_engine.functions.boundary import boundary_of, build_of
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.glue import project_rules
from cukereuse_engine.glue.languages.base import extract


@pytest.mark.parametrize(
    ("marks", "one", "other", "are_one"),
    [
        (["package.json"], "a/steps.ts", "b/steps.ts", True),
        (["package.json", "b/package.json"], "a/steps.ts", "b/steps.ts", False),
        (["package.json", "b/cypress.config.ts"], "a/steps.ts", "b/steps.ts", False),
        (["package.json", "b/playwright.config.js"], "a/steps.ts", "b/src/steps.ts", False),
        (["package.json", "apps/b/project.json"], "apps/a/steps.ts", "apps/b/steps.ts", False),
        (["package.json", "b/cypress.json"], "b/one/steps.js", "b/two/steps.js", True),
        (["pom.xml", "b/pom.xml"], "a/Steps.java", "b/Steps.java", False),
        (["a/pom.xml", "b/pom.xml"], "a/Steps.java", "b/Steps.java", False),
        (["settings.gradle", "b/build.gradle.kts"], "b/x/Steps.kt", "b/Steps.kt", True),
        ([], "a/Steps.java", "b/Steps.java", True),
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


@pytest.mark.parametrize(
    ("marks", "one", "other", "are_one"),
    [
        (["pom.xml", "a/pom.xml", "b/pom.xml"], "a/Steps.java", "b/src/Steps.java", True),
        (["a/pom.xml", "b/pom.xml"], "a/Steps.java", "b/Steps.java", False),
        (["settings.gradle.kts", "a/build.gradle.kts", "b/build.gradle"], "a/x/Steps.kt", "b/Steps.kt", True),
        (["all.sln", "a/one.csproj", "b/two.csproj"], "a/Steps.cs", "b/Steps.cs", True),
        (["a/one.csproj", "b/two.csproj"], "a/Steps.cs", "b/Steps.cs", False),
    ],
)
def test_builds_hold_modules(tmp_path: Path, marks: list[str], one: str, other: str, are_one: bool) -> None:
    for mark in marks:
        (tmp_path / mark).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / mark).write_text("", "utf-8")
    mine, theirs = (build_of(str(tmp_path / path)) for path in (one, other))
    assert mine[0] != theirs[0]
    assert (mine[1] == theirs[1]) is are_one


def test_a_repository_ends_a_build(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    for name in ("pom.xml", "a/pom.xml"):
        (tmp_path / name).write_text("", "utf-8")
    assert build_of(str(tmp_path / "a" / "src" / "Steps.java")) == (str(tmp_path / "a"), str(tmp_path / "a"))


@pytest.mark.parametrize("mark", ["b/package.json", "b/cypress.config.ts"])
def test_a_project_that_comes_or_goes_is_seen(tmp_path: Path, mark: str) -> None:
    source = 'import { When } from "@cucumber/cucumber";\nWhen("I {word} it", (how) => shop.press(how, "go", 1));\n'
    paths = [tmp_path / folder / "steps.ts" for folder in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text(source, "utf-8")
    (tmp_path / "package.json").write_text("{}", "utf-8")
    project_rules.forget()
    functions = Functions(boundary=boundary_of, build=build_of)
    functions.load([definition for path in paths for definition in extract(str(path), source.encode()).definitions])
    assert [len(group) for group in functions.equal()] == [2]
    assert not functions.look_at_projects()
    (tmp_path / mark).write_text("{}", "utf-8")
    project_rules.forget()
    assert functions.look_at_projects()
    assert not list(functions.equal())
    (tmp_path / mark).unlink()
    project_rules.forget()
    assert functions.look_at_projects()
    assert [len(group) for group in functions.equal()] == [2]
