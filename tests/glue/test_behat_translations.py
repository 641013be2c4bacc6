"""Translations of Behat's step patterns."""

from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run as run_command
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

FEATURE = "# language: de\nFunktionalität: f\n  Szenario: s\n    Wenn ich 3 Tee kaufe\n    Wenn I buy 3 tea\n"
CONTEXT = r"""<?php
class FeatureContext implements Behat\Behat\Context\TranslatableContext {
  public static function getTranslationResources() { return %s; }
  /** @When /^I buy (\d+) tea$/ */
  public function buy($n) {}
  #[When('I sell :what')]
  public function sell($what) {}
}
"""
UNIT = "<trans-unit id='a'%s><source>%s</source><target>%s</target></trans-unit>"
DATA = UNIT % ("", r"<![CDATA[/^I buy (\d+) tea$/]]>", r"<![CDATA[/^ich (\d+) Tee kaufe$/]]>")
RESOURCES: list[tuple[str, str, str]] = [
    ("[__DIR__ . '/i18n/de.xliff']", "i18n/de.xliff", DATA),
    ("array(__DIR__.'/../features/i18n/de.xliff')", "i18n/de.xliff", DATA),
    ("glob(__DIR__ . '/i18n/*.xliff')", "i18n/de.xliff", DATA),
    ("glob(__DIR__ . '/../features/i18n/*.xliff')", "i18n/de.xliff", DATA),
    ("[__DIR__ . '/de.xliff']", "de.xliff", UNIT % (r' resname="/^I buy (\d+) tea$/"', "x", "ich :n Tee kaufe")),
    ("[__DIR__ . '/de.yml']", "de.yml", r"'/^I buy (\d+) tea$/': '/^ich (\d+) Tee kaufe$/'"),
    ("[__DIR__ . '/de.php']", "de.php", r"<?php return ['/^I buy (\d+) tea$/' => '/^ich (\d+) Tee kaufe$/'];"),
]


def glue_of(root: Path, resources: str, name: str, text: str) -> Glue:
    (root / ".git").mkdir()
    for path, content in {f"features/{name}": text, "features/FeatureContext.php": CONTEXT % resources}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    return Glue.load(str(root), jobs=1)


@pytest.mark.parametrize(("resources", "name", "text"), RESOURCES)
def test_translations(resources: str, name: str, text: str, tmp_path: Path) -> None:
    glue = glue_of(tmp_path, resources, name, text)
    steps = read_text(str(tmp_path / "features/a.feature"), FEATURE).steps
    glue.update_feature(str(tmp_path / "features/a.feature"), steps)
    bindings = [glue.bind(step) for step in steps]
    assert [binding.status for binding in bindings] == [Status.BOUND] * 2
    assert {definition.function_name for binding in bindings for definition in binding.definitions} == {"buy"}
    usage = glue.usage(steps)
    assert [definition.function_name for definition in usage.unused] == ["sell"]


def test_what_a_base_class_names_counts_for_those_beside_it(tmp_path: Path) -> None:
    base = CONTEXT % "glob(__DIR__ . '/i18n/*.xliff')"
    other = (
        "<?php\nclass ShopContext extends FeatureContext {\n  /** @When I pay :n */\n  public function pay($n) {}\n}\n"
    )
    (tmp_path / "features/i18n").mkdir(parents=True)
    (tmp_path / "features/ShopContext.php").write_text(other, encoding="utf-8")
    unit = UNIT % ("", "I pay :n", "ich zahle :n")
    glue = glue_of(tmp_path, base.partition("return ")[2].partition(";")[0], "i18n/de.xliff", unit)
    (step,) = read_text(
        str(tmp_path / "features/a.feature"), FEATURE.partition("    Wenn")[0] + "    Wenn ich zahle 3\n"
    ).steps
    assert [definition.function_name for definition in glue.bind(step).definitions] == ["pay"]


@pytest.mark.parametrize("text", ["<trans-unit><source>", "\0", ": [", "3", "- x"])
@pytest.mark.parametrize("name", ["de.xliff", "de.yml", "de.php"])
def test_resources_that_say_nothing(name: str, text: str, tmp_path: Path) -> None:
    glue = glue_of(tmp_path, f"[__DIR__ . '/{name}', __DIR__ . '/none.yml', other()]", name, text)
    assert [definition.function_name for definition in glue.definitions] == ["buy", "sell"]


def test_a_step_that_a_translation_says_is_not_renamed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, name, text = RESOURCES[0]
    glue_of(tmp_path, "[__DIR__ . '/i18n/de.xliff']", name, text)
    (tmp_path / "features/a.feature").write_text(FEATURE.split("    Wenn I")[0], encoding="utf-8")
    arguments = ["rename", str(tmp_path), "--from", "ich 3 Tee kaufe", "--to", "ich 3 Tee hole"]
    assert run_command(arguments) == 1
    errors = capfd.readouterr().err
    assert "a translation of the step definition at " in errors
    assert "FeatureContext.php:4; reword the translation" in errors
