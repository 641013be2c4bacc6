"""Cucumber-JVM's runner classes: each loads its own packages, for its own features."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.languages.jvm_runner_classes import package_of, runners_in
from cukereuse_engine.glue.text_binding import Status

FEATURE = "Feature: f\n  @web\n  Scenario: s\n    When I go\n"
STEPS = 'package {0};\nimport io.cucumber.java.en.*;\npublic class S {{ @When("I go") public void go() {{ }} }}\n'
RUNNER = "package {0};\nimport io.cucumber.junit.CucumberOptions;\n@RunWith(Cucumber.class)\n@CucumberOptions({1})\n"
WEB = "src/test/resources/web/a.feature"


def java(package: str, options: str) -> tuple[str, str]:
    return f"src/test/java/{package}/Run.java", RUNNER.format(package, options) + "public class Run {}\n"


JUNIT = (
    "package web;\nimport static io.cucumber.core.options.Constants.GLUE_PROPERTY_NAME;\n@Suite\n"
    '@IncludeEngines("cucumber")\n@SelectClasspathResource("{}")\n'
    '@ConfigurationParameter(key = GLUE_PROPERTY_NAME, value = "web, shared")\nclass Run {{}}\n'
)
KOTLIN = "package web\nimport io.cucumber.junit.CucumberOptions\n@CucumberOptions({})\nclass Run\n"
SITUATIONS: list[tuple[list[tuple[str, str]], list[str]]] = [
    ([java("web", 'features = "src/test/resources/web", glue = "web"'), java("api", 'glue = {"api"}')], ["api", "web"]),
    ([java("web", 'features = "classpath:web", glue = "web"'), java("api", 'features = "x", glue = "api"')], ["web"]),
    ([java("web", 'plugin = {"pretty"}')], ["web"]),
    ([java("web", 'plugin = "pretty", extraGlue = "api"')], ["api!", "web!"]),
    ([java("web", 'glue = {"web", "api"}')], ["api!", "web!"]),
    ([java("web", 'glue = ""')], ["api!", "web!"]),
    ([java("web", 'tags = "@web", glue = "web"'), java("api", 'tags = "not @web", glue = "api"')], ["web"]),
    ([java("web", 'tags = "@x", glue = "web"')], ["web"]),
    ([java("web", "glue = WEB")], ["api!", "web!"]),
    ([java("web", "glue = {WEB}")], ["api!", "web!"]),
    ([java("web", "glue = {}, tags = {}, features = {}, extraGlue = {}")], ["web"]),
    ([("src/test/kotlin/web/Run.kt", KOTLIN.format("glue = [], tags = []"))], ["web"]),
    ([java("web", 'glue = "web"'), java("api", 'glue = "nothing"')], ["web"]),
    ([java("web", 'features = "src/test/resources/api", glue = "web"')], ["api!", "web!"]),
    ([("src/test/java/web/Run.java", JUNIT.format("web"))], ["web"]),
    ([("src/test/java/web/Run.java", JUNIT.format("other"))], ["api!", "web!"]),
    ([("src/test/kotlin/web/Run.kt", KOTLIN.format('features = ["src/test/resources/web"], glue = ["web"]'))], ["web"]),
    ([("src/test/scala/web/Run.scala", KOTLIN.format('glue = Array("web")'))], ["web"]),
    ([("src/test/java/Run.java", '// io.cucumber @CucumberOptions(glue = "web")\nclass Run {}')], ["api!", "web!"]),
    ([("src/test/resources/cucumber.properties", "# x\ncucumber.glue=web\n")], ["web"]),
    ([("src/test/resources/junit-platform.properties", "cucumber.glue = web, shared\n")], ["web"]),
    ([("src/test/resources/cucumber.properties", "cucumber.publish.quiet=true\n")], ["api!", "web!"]),
    ([java("web", 'glue = "nothing"')], ["api!", "web!"]),  # its definitions were not found
]
"""Runners, and the packages that a step binds to; `!`: both in one run."""


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("runners", "expected"), SITUATIONS)
def test_runners(runners: list[tuple[str, str]], expected: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    steps = {f"src/test/java/{package}/S.java": STEPS.format(package) for package in ("web", "api")}
    write(tmp_path, {"pom.xml": "<project/>", WEB: FEATURE, **steps, **dict(runners)})
    glue = Glue.load(str(tmp_path), jobs=1)
    file = read_text(str(tmp_path / WEB), FEATURE).steps
    glue.update_feature(str(tmp_path / WEB), file)
    bound = glue.bind(file[0])
    mark = "" if bound.status is Status.BOUND else "!"
    assert sorted(Path(definition.path).parent.name + mark for definition in bound.definitions) == expected


SOURCES = {
    "kt": 'package {}\nimport io.cucumber.java.en.When\nclass S {{ @When("I go") fun go() {{ }} }}\n',
    "java": STEPS.replace("{0}", "{}"),
    "scala": "package {}\nimport io.cucumber.scala.{{EN, ScalaDsl}}\n"
    'class S extends ScalaDsl with EN {{ When("I go") {{ () => () }} }}\n',
}


@pytest.mark.parametrize("suffix", SOURCES)
@pytest.mark.parametrize(
    ("glue", "expected"),
    [
        ("com.acme.web", ["web"]),
        ("com.acme", ["api", "web"]),
        ("classpath:com/acme/web", ["web"]),
        ("src/test/kotlin/com/acme/web", ["web"]),
        ("com.acme.we", ["api", "web"]),  # no source is in this package, so all count
        ("", ["api", "web"]),
    ],
)
def test_a_package_is_the_declared_one(suffix: str, glue: str, expected: list[str], tmp_path: Path) -> None:
    """Kotlin's convention omits the root package in folders; a folder with another name tells nothing."""
    (tmp_path / ".git").mkdir()
    steps = {
        f"src/test/kotlin/{name}/S.{suffix}": SOURCES[suffix].format(f"com.acme.{name}") for name in ("web", "api")
    }
    runner = ("src/test/kotlin/Run.kt", KOTLIN.replace("web", "com.acme").format(f'glue = ["{glue}"]'))
    write(tmp_path, {"build.gradle.kts": "", WEB: FEATURE, **steps, **dict([runner])})
    glue_code = Glue.load(str(tmp_path), jobs=1)
    (step,) = read_text(str(tmp_path / WEB), FEATURE).steps
    assert sorted(Path(definition.path).parent.name for definition in glue_code.bind(step).definitions) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("package a.b;\nclass S", "a.b"),
        ('// package x\n/* package y\n */ @file:JvmName("S")\npackage a.`in`.c\n', "a.in.c"),
        ("package com.acme\npackage web\nimport x", "com.acme.web"),
        ("package com.acme {\n  package web {\n", "com.acme.web"),
        ("package com.acme\npackage object web {", "com.acme"),
        ("package a . b ;", "a.b"),
        ('import a.b\nclass S { val x = "package y" }\n', ""),
        ("", ""),
        ("package", ""),
        ("@", ""),
    ],
)
def test_packages(text: str, expected: str) -> None:
    assert package_of(text) == expected


def test_a_folder_around_the_project_makes_no_module_of_its_modules(tmp_path: Path) -> None:
    root = tmp_path / "src" / "app"
    (root / ".git").mkdir(parents=True)
    for module in ("web", "api"):
        runner, text = java(module, f'glue = "{module}"')
        write(root / module, {"pom.xml": "", runner: text, WEB: FEATURE})
        write(root / module, {f"src/test/java/{module}/S.java": STEPS.format(module)})
    glue = Glue.load(str(root), jobs=1)
    (step,) = read_text(str(root / "web" / WEB), FEATURE).steps
    assert [Path(definition.path).parent.name for definition in glue.bind(step).definitions] == ["web"]


def test_a_runner_that_changes_counts_at_once(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    steps = {f"src/test/java/{package}/S.java": STEPS.format(package) for package in ("web", "api")}
    write(tmp_path, {"pom.xml": "<project/>", WEB: FEATURE, **steps})
    glue = Glue.load(str(tmp_path), jobs=1)
    (step,) = read_text(str(tmp_path / WEB), FEATURE).steps
    for options, expected in (('glue = "web"', ["web"]), ('glue = "api"', ["api"]), (None, ["api", "web"])):
        name, text = java("web", options or "")
        glue.update_file(str(tmp_path / name), text.encode() if options is not None else None)
        assert [Path(definition.path).parent.name for definition in glue.bind(step).definitions] == expected


def test_of_modules_with_one_package_the_own_one_counts(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for module in ("one", "two"):
        write(
            tmp_path / module,
            {
                "pom.xml": "<project/>",
                "src/test/java/web/S.java": STEPS.format("web"),
                "src/test/resources/cucumber.properties": "cucumber.glue=web\n",
                WEB: FEATURE,
            },
        )
    glue = Glue.load(str(tmp_path), jobs=1)
    (step,) = read_text(str(tmp_path / "one" / WEB), FEATURE).steps
    assert [Path(definition.path).relative_to(tmp_path).parts[0] for definition in glue.bind(step).definitions] == [
        "one"
    ]


@pytest.mark.parametrize(
    "text", ["", "@CucumberOptions(", '@CucumberOptions(glue = {"a', "CucumberOptions GLUE_PROPERTY_NAME"]
)
def test_half_typed_runners_say_nothing_wrong(text: str) -> None:
    assert all(runner.glue for runner in runners_in(text))
