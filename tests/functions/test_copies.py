"""Step functions of two modules of one build: the same where what they name is one class or a class and its copy."""

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import pytest

from cukereuse_engine.api import scan
from cukereuse_engine.cli.main import cli
from cukereuse_engine.functions.relations import Functions, Relation
from cukereuse_engine.glue.languages.base import extract

HELPER = """\
package shop.{module}.pages;

import shop.{module}.model.Basket;

/** Of {module}. */
public class Till {{
    public void pay(Basket basket) {{ basket.close(); }}
}}
"""
STEPS = """\
package shop.{module}.steps;

import io.cucumber.java.en.When;
import shop.{module}.pages.Till;
import shop.{module}.model.Basket;

public class PaySteps {{
    private final Till till = new Till();
    private Basket basket;

    @When("I pay in {module}")
    public void pay() {{ till.pay(basket); }}
}}
"""
MODEL = """\
package shop.{module}.model;

public class Basket {{
    public void close() {{ System.out.println("closed"); }}
}}
"""
SHARP_PAGE = """\
namespace Shop.{module}.Pages;

public class TillPage {{ public void Pay(int sum) {{ }} }}
"""
SHARP_STEPS = """\
using Shop.{module}.Pages;

namespace Shop.{module}.Steps;

[Binding]
public class PaySteps {{
    private readonly TillPage till;

    public PaySteps(TillPage till) {{ this.till = till; }}

    [When("I pay (.*) in {module}")]
    public void Pay(int sum) {{ till.Pay(sum); }}
}}
"""


def java(path: str = "", text: str = "") -> dict[str, str]:
    """`text`: what stands at `path` of the second module in place of the first one's."""
    texts = {"pages/Till.java": HELPER, "steps/PaySteps.java": STEPS, "model/Basket.java": MODEL}
    modules = {"one": texts, "two": texts | {path: text} if path else texts}
    return {
        f"{module}/src/test/java/shop/{module}/{name}": said.format(module=module)
        for module, told in modules.items()
        for name, said in told.items()
    }


def sharp(page: str = SHARP_PAGE) -> dict[str, str]:
    """`page`: of the second module."""
    files = {"one/Pages/TillPage.cs": SHARP_PAGE.format(module="one")}
    files |= {"two/Pages/TillPage.cs": page.format(module="two")} if page else {}
    return files | {f"{module}/Steps/PaySteps.cs": SHARP_STEPS.format(module=module) for module in ("one", "two")}


class Build:
    """Modules `one` and `two` of one build, in memory."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = {path: text.encode() for path, text in files.items()}
        self.definitions = [one for path, data in self.files.items() for one in extract(path, data).definitions]
        self.functions = Functions(
            self.files.get, boundary=self.module, listing=self.listing, build=lambda path: (self.module(path), "shop")
        )
        self.functions.load(self.definitions)

    def module(self, path: str) -> str:
        return PurePosixPath(path).parts[0]

    def listing(self, folder: str) -> Sequence[str]:
        below = (path.removeprefix(f"{folder}/") for path in self.files if path.startswith(f"{folder}/"))
        return list(
            dict.fromkeys(f"{name}/" if rest else name for name, _, rest in (one.partition("/") for one in below))
        )

    def are_copies(self) -> bool:
        mine, theirs = self.definitions
        related = self.functions.relation(mine, theirs)
        assert (related.relation is Relation.SAME) is related.copied
        assert related.copied is bool(self.functions.equal_to(mine)) is bool(list(self.functions.copied()))
        return related.copied


CASES = [
    pytest.param(java(), True, id="all is copied"),
    pytest.param(java("pages/Till.java", HELPER.replace("close(); ", "close(); // later\n")), True, id="other layout"),
    pytest.param(java("pages/Till.java", HELPER.replace("close()", "clear()")), False, id="another helper"),
    pytest.param(java("model/Basket.java", MODEL.replace("closed", "open")), False, id="another class in the helper"),
    pytest.param(
        java("steps/PaySteps.java", STEPS.replace("Basket basket;", "Basket basket = new Basket();")),
        False,
        id="a field with another value",
    ),
    pytest.param(
        java("steps/PaySteps.java", STEPS.replace("{module}", "one").replace("in one", "in two")),
        True,
        id="the class of the other module itself",
    ),
    pytest.param(sharp(), True, id=".NET"),
    pytest.param(sharp(SHARP_PAGE.replace("{{ }}", "{{ Ring(); }}")), False, id=".NET, another page"),
    pytest.param(sharp(""), False, id=".NET, a page of another project, perhaps"),
]


@pytest.mark.parametrize(("files", "are_copies"), CASES)
def test_what_is_copied_is_the_same(files: dict[str, str], are_copies: bool) -> None:
    assert Build(files).are_copies() is are_copies


def test_what_is_no_copy_of_the_first_may_be_one_of_another() -> None:
    third = {path.replace("two", "three"): text.replace("two", "three") for path, text in java().items()}
    path = "one/src/test/java/shop/one/pages/Till.java"
    files = java() | {name: text for name, text in third.items() if name.startswith("three/")}
    build = Build(files | {path: files[path].replace("close()", "clear()")})
    ((group, loosely),) = build.functions.copied()
    assert not loosely
    assert [key.partition("/")[0] for key in group] == ["three", "two"]


def test_an_edit_of_a_helper_tells_anew() -> None:
    build = Build(java())
    assert build.are_copies()
    path = "two/src/test/java/shop/two/pages/Till.java"
    source = build.files[path]
    for data, are_copies in ((source.replace(b"close", b"clear"), False), (source, True)):
        build.files[path] = data
        build.functions.update(path, data, [])
        assert build.are_copies() is are_copies


@pytest.mark.parametrize("is_one_build", [True, False])
def test_copies_of_one_wording_are_a_hint_and_stay(tmp_path: Path, is_one_build: bool) -> None:
    files = {path: re.sub("I pay in (?:one|two)", "I pay", text) for path, text in java().items()}
    for module in ("one", "two"):
        files[f"{module}/pom.xml"] = "<project/>"
        files[f"{module}/src/test/resources/till.feature"] = "Feature: Till\n  Scenario: Pay\n    When I pay\n"
    if is_one_build:
        files["pom.xml"] = "<project/>"
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    (suite,) = scan(tmp_path, model=False).suites
    told = [(one.severity.value, one.message) for one in suite.findings if one.rule == "same-code"]
    assert [severity for severity, _ in told] == ["hint"] * is_one_build
    assert all(message.endswith("the same code: they are copies in two modules of one build.") for _, message in told)
    before = {name: (tmp_path / name).read_text("utf-8") for name in files}
    cli.main(["merge", str(tmp_path), "--hints", "--write", "--no-cache"], standalone_mode=False)
    assert {name: (tmp_path / name).read_text("utf-8") for name in files} == before
