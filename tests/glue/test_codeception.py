"""Codeception: a suite has the steps of its actor, or of the contexts that it names."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

FEATURE = "@slow\nFeature: f\n  As a clerk\n\n  Scenario: s\n    When I wait\n"


def context(name: str, parent: str = r"\Codeception\Actor") -> str:
    return f"<?php\nclass {name} extends {parent} {{\n/**\n * @When I wait\n */\npublic function w() {{}}\n}}\n"


CLASSES = {f"tests/_support/{name}.php": context(name) for name in ("WebTester", "ApiTester", "More")}
ACTORS = {"tests/web.suite.yml": "actor: WebTester\n", "tests/api.suite.yml": "class_name: ApiTester\n"}
GHERKIN = "actor: WebTester\ngherkin:\n  contexts:\n"
SITUATIONS: list[tuple[dict[str, str], str]] = [
    ({"codeception.yml": "paths:\n  tests: tests\n", **ACTORS}, "WebTester"),
    ({"codeception.yml": "", **ACTORS}, "WebTester"),
    ({"codeception.yml": "suites:\n  web: {actor: WebTester, path: .}\n"}, "WebTester"),
    ({"codeception.yml": "", "tests/web.suite.yml": GHERKIN + "    default: [More]\n"}, "More"),
    ({"codeception.yml": "gherkin: {contexts: {default: [More]}}\n", **ACTORS}, "More"),
    ({"codeception.yml": "", "tests/web.suite.dist.yml": "actor: WebTester\n"}, "WebTester"),
    ({"codeception.yml": "", "tests/web.suite.yml": GHERKIN + "    default: [WebTester, More]\n"}, "More! WebTester!"),
    ({"codeception.yml": "", "tests/web.suite.yml": GHERKIN + "    tag: {slow: [More]}\n"}, "More"),
    ({"codeception.yml": "", "tests/web.suite.yml": GHERKIN + "    default: [ApiTester]\n    tag: {fast: [More]}\n"},
     "ApiTester"),
    ({"codeception.yml": "", "tests/web.suite.yml": GHERKIN + "    role: {clerk: [More]}\n"}, "More"),
    ({"codeception.yml": "", "tests/web.suite.yml": "actor: WebTester\nnamespace: App\n",
      "tests/_support/Own.php": context("WebTester").replace("<?php", "<?php namespace App;")}, "Own"),
    ({"codeception.yml": "", "tests/web.suite.yml": GHERKIN + "    path: steps\n    namespace_prefix: '\\S'\n",
      "steps/Web/Own.php": context("Own").replace("<?php", "<?php namespace S\\Web;")}, "Own"),
    ({"codeception.yml": "", "tests/web.suite.yml": ": ["}, "ApiTester! More! WebTester!"),
    ({"codeception.yml": "- x"}, "ApiTester! More! WebTester!"),
]  # fmt: skip
"""Configurations, and the classes that a step of the suite `web` binds to; `!`: in one run."""


@pytest.mark.parametrize(("files", "expected"), SITUATIONS)
def test_suites(files: dict[str, str], expected: str, tmp_path: Path) -> None:
    for name, text in {"tests/web/a.feature": FEATURE, ".git/HEAD": "", **CLASSES, **files}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    glue = Glue.load(str(tmp_path), jobs=1)
    (step,) = read_text(str(tmp_path / "tests/web/a.feature"), FEATURE).steps
    glue.update_feature(str(tmp_path / "tests/web/a.feature"), (step,))
    binding = glue.bind(step)
    mark = "!" if binding.status is Status.AMBIGUOUS else ""
    assert " ".join(sorted(Path(definition.path).stem + mark for definition in binding.definitions)) == expected
