"""What a package offers to others is not unused because nobody uses it here."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.offered import offered_by
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from tests.refactor.test_used_by_code import CSHARP, PHP, RUBY, deleted

COMPOSER = '{"name": "a/b", "autoload": {"psr-4": {"A\\\\": ["src/"]}}, "autoload-dev": {"psr-4": {"T\\\\": "tests"}}}'
PACKAGE = '{"name": "a", "main": "lib/index.js", "files": ["steps/**", "bin"]}'
PACKED = "<Project><PropertyGroup><IsPackable>true</IsPackable></PropertyGroup></Project>"
POM = "<project><b/><distributionManagement></distributionManagement></project>"
PYTHON = '[project]\nname = "a-b"\n'

OFFERED = [
    ({"composer.json": COMPOSER}, "src/Context/A.php", "composer.json"),
    ({"composer.json": COMPOSER}, "tests/A.php", ""),
    ({"composer.json": COMPOSER.replace('"autoload":', '"type": "project", "autoload":')}, "src/A.php", ""),
    ({"composer.json": '{"name": "a/b", "autoload": {"files": ["all.php"]}}'}, "all.php", "composer.json"),
    ({"composer.json": '{"name": "a/b", "autoload": [1, {"a": 2}]}'}, "src/A.php", ""),
    (
        {"composer.json": COMPOSER.replace('"psr-4"', '"exclude-from-classmap": ["**/Tests/"], "psr-4"')},
        "tests/A.php",
        "",
    ),
    ({"composer.json": "{"}, "src/A.php", ""),
    ({"a.gemspec": ""}, "lib/a/cucumber.rb", "a.gemspec"),
    ({"a.gemspec": ""}, "features/step_definitions/a.rb", ""),
    ({"package.json": PACKAGE}, "lib/a/steps.js", "package.json"),
    ({"package.json": PACKAGE}, "steps/a.ts", "package.json"),
    ({"package.json": PACKAGE.replace("steps/**", "/steps")}, "steps/a.ts", "package.json"),
    ({"package.json": PACKAGE}, "features/steps.js", ""),
    ({"package.json": PACKAGE.replace("{", '{"private": true, ')}, "lib/steps.js", ""),
    ({"package.json": '{"name": "a", "main": "index.js"}'}, "features/steps.js", ""),
    ({"package.json": "[" * 100_000}, "lib/steps.js", ""),
    ({"A/A.csproj": PACKED}, "A/Steps/S.cs", "A.csproj"),
    ({"A/A.csproj": PACKED}, "B/S.cs", ""),
    ({"A/A.csproj": "<Project/>"}, "A/S.cs", ""),
    ({"pom.xml": POM}, "src/main/java/S.java", "pom.xml"),
    ({"pom.xml": POM}, "src/test/java/S.java", ""),
    ({"pom.xml": POM.replace("<b/>", "<goal>test-jar</goal>")}, "src/test/java/S.java", "pom.xml"),
    ({"pom.xml": POM, "m/pom.xml": "<project/>"}, "m/src/main/java/S.java", "pom.xml"),
    ({"pom.xml": POM, "m/pom.xml": "<maven.deploy.skip>true</maven.deploy.skip>"}, "m/src/main/java/S.java", ""),
    ({"pom.xml": "<project/>"}, "src/main/java/S.java", ""),
    ({"build.gradle": "plugins { id 'maven-publish' }"}, "src/main/java/S.java", "build.gradle"),
    ({"build.gradle.kts": "plugins { `java-test-fixtures` }"}, "src/testFixtures/java/S.java", "build.gradle.kts"),
    ({"build.gradle": "plugins { id 'java-library' }"}, "src/main/java/S.java", ""),
    ({"pyproject.toml": PYTHON}, "a_b/steps.py", "pyproject.toml"),
    ({"pyproject.toml": PYTHON}, "src/other/steps.py", "pyproject.toml"),
    ({"pyproject.toml": PYTHON}, "features/steps/a.py", ""),
    ({"pyproject.toml": PYTHON + 'classifiers = ["Private :: Do Not Upload"]\n'}, "a_b/steps.py", ""),
    ({"pyproject.toml": '[tool.poetry]\nname = "a"\npackage-mode = false\n'}, "a/steps.py", ""),
    ({"pyproject.toml": "[tool.poetry\n"}, "a/steps.py", ""),
    ({"pyproject.toml": "[tool]\npoetry = 1\n"}, "src/steps.py", ""),
    ({"pyproject.toml": "tool = 1\n"}, "src/steps.py", ""),
    ({"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""}, "src/steps.rs", "Cargo.toml"),
    ({"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""}, "tests/steps.rs", ""),
    ({"Cargo.toml": "[package]\npublish = false\n", "src/lib.rs": ""}, "src/steps.rs", ""),
    ({"Cargo.toml": '[package]\nname = "a"\n', "src/main.rs": ""}, "src/steps.rs", ""),
    ({}, "vendor/plugins/a/features/steps.rb", "vendor/"),
    ({}, "features/third_party/steps.py", "third_party/"),
    ({}, "features/vendors/steps.py", ""),
]


@pytest.mark.parametrize(("manifests", "source", "by"), OFFERED)
def test_a_manifest_or_folder_offers_a_source(tmp_path: Path, manifests: dict[str, str], source: str, by: str) -> None:
    root = tmp_path / "vendor" / "repository"  # whose own place says nothing
    (root / ".git").mkdir(parents=True)
    for name, text in manifests.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    assert offered_by(str(root / source)) == by


@pytest.mark.parametrize(
    "files",
    [
        {"composer.json": COMPOSER, "src/A.php": PHP.format("", "")},
        {"a.gemspec": "", "lib/a/cucumber.rb": RUBY},
        {"A.csproj": PACKED, "Steps.cs": CSHARP.format("", "")},
    ],
)
def test_an_offered_definition_is_not_deleted(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(UnmergeableError, match="suites elsewhere may use it"):
        deleted(tmp_path, files)
