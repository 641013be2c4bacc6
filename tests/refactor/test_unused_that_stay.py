"""A step definition stays that seems unused, but that a step or code may still need."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from tests.refactor.on_disk import deletion, read, written


def behave(function: str, elsewhere: str = "") -> str:
    others = '@given("the shop is shut")\ndef shut(context):\n    context.shop.shut()\n'
    return f"from behave import given\n\n\n{others}\n\n{elsewhere}\n\n{function}"


NOBODY = '@given("nobody says this")\ndef nobody(context):\n    context.page.nobody()\n'
JAVA = """import io.cucumber.java.en.Given;

public class ShopSteps {{
  @Given("the shop is shut")
  public void shut() {{
    {shut}
  }}

  @Given("nobody says this")
  public void nobody() {{
    page.nobody();
  }}
}}
"""


def test_a_definition_in_use_does_not_go(tmp_path: Path) -> None:
    written(tmp_path, "features/steps/steps.py", behave(NOBODY))
    with pytest.raises(UnmergeableError, match="would bind differently"):
        deletion(tmp_path, "shut")


def test_a_registration_stays_whose_variable_would_have_no_use(tmp_path: Path) -> None:
    """Go does not compile an unused variable."""
    source = """package shop

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Given(`^the shop is shut$`, shut)
	ctx.Given(`^nobody says this$`, s.nobody)
}

func shut() error { return nil }

func (s *shop) nobody() error { return nil }
"""
    written(tmp_path, "shop_test.go", source)
    with pytest.raises(UnmergeableError, match="a variable would have no use"):
        deletion(tmp_path, "nobody")


def test_a_definition_stays_whose_steps_another_one_is_only_assumed_to_match(tmp_path: Path) -> None:
    source = """from pytest_bdd import parsers, then

from kinds import KIND


@then(parsers.parse("the shop {is_so:Kind} shut", KIND))
def is_shut(is_so):
    assert is_so


@then(parsers.parse("the shop of {name} {is_so:Kind} shut", KIND))
def of_one_is_shut(name, is_so):
    assert name


@then("nobody says this")
def nobody():
    assert not Shop.people
"""
    path = written(tmp_path, "tests/test_shop.py", source)
    (tmp_path / "features" / "a.feature").write_text(
        "Feature: F\n  Scenario: S\n    Then the shop of Ann is not shut\n", "utf-8"
    )
    workspace, functions = read(tmp_path)
    merger = Merger(workspace, functions)
    kept, gone = (
        next(definition for definition in workspace.glue.definitions if word in definition.expression)
        for word in ("of", "nobody")
    )
    with pytest.raises(UnmergeableError, match="may be those that match a parameter type"):
        merger.delete(kept)
    assert "nobody" not in edited_bytes(merger.delete(gone).files[0], path.read_bytes()).decode()


@pytest.mark.parametrize(
    ("sources", "place"),
    [
        pytest.param({"features/steps/shop.py": behave(NOBODY)}, "", id="its function says its own name"),
        pytest.param({"features/steps/shop.py": behave(NOBODY, 'globals()["nobody"](1)')}, "shop.py:9", id="globals"),
        pytest.param({"features/steps/shop.py": behave(NOBODY, "# nobody")}, "", id="a comment"),
        pytest.param({"features/steps/shop.py": behave(NOBODY, "def help(it):\n    nobody(it)")}, "shop.py:10",
                     id="a function beside it"),
        pytest.param({"features/steps/shop.py": behave(NOBODY),
                      "features/environment.py": "from steps import shop\n\ngetattr(shop, 'nobody')(1)\n"},
                     "environment.py:3", id="getattr in hooks"),
        pytest.param({"features/steps/shop.py": behave(NOBODY),
                      "features/environment.py": "from steps.shop import nobody\n"}, "environment.py:1",
                     id="an import"),
        pytest.param({"features/steps/lädchen.py": behave(NOBODY.replace("nobody(", "öffne(")),
                      "features/environment.py": "from steps import lädchen\n\nlädchen.öffne(1)\n"},
                     "environment.py:3", id="letters beyond ASCII"),
        pytest.param({"features/steps/shop.py": behave(NOBODY),
                      "features/pages.py": "class Page:\n    def nobody(self):\n        pass\n"}, "",
                     id="a name of something else"),
        pytest.param({"features/steps/shop.py": behave(NOBODY.replace("nobody(", "shut("))}, "", id="one name for two"),
        pytest.param({"src/test/java/ShopSteps.java": JAVA.format(shut="page.nobody();")}, "", id="a page's method"),
        pytest.param({"src/test/java/ShopSteps.java": JAVA.format(shut="page.shut();"),
                      "src/test/java/Hooks.java": "class Hooks { void x() { new ShopSteps().nobody(); } }\n"},
                     "Hooks.java:1", id="a hook in Java"),
        pytest.param({"src/test/java/ShopSteps.java": JAVA.format(shut="page.shut();"),
                      "src/test/java/Page.java": "class Page { public void nobody() { } }\n"}, "",
                     id="another class in Java"),
    ],
)  # fmt: skip
def test_a_function_that_other_code_names_is_not_deleted(tmp_path: Path, sources: dict[str, str], place: str) -> None:
    for name, source in sources.items():
        written(tmp_path, name, source)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "nobody" in definition.expression)
    merger = Merger(workspace, functions)
    if place:
        with pytest.raises(UnmergeableError, match=f"its function is named in .*{place}"):
            merger.delete(definition)
    else:
        assert merger.delete(definition).others == (definition,)


def test_a_definition_whose_step_a_hook_runs_is_not_deleted(tmp_path: Path) -> None:
    source = "".join(
        f"Given('{text}') do\n  run\nend\n\n" for text in ("the shop is shut", "nobody says this", "so it is")
    )
    written(tmp_path, "features/step_definitions/shop.rb", source)
    written(tmp_path, "features/support/hooks.rb", "Before('@lid') do\n  step 'nobody says this'\nend\n")
    workspace, functions = read(tmp_path)
    merger = Merger(workspace, functions)
    run, unused = (
        next(definition for definition in workspace.glue.definitions if word in definition.expression)
        for word in ("nob", "so")
    )
    with pytest.raises(UnmergeableError, match=r"code runs it: .*hooks\.rb:2"):
        merger.delete(run)
    assert merger.delete(unused).others == (unused,)
