"""Step functions in two modules of one build are the same if their names mean one class, or a class and its copy."""

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


def java(path: str = "", text: str = "", own: str = STEPS) -> dict[str, str]:
    """`text`: the second module's text at `path` in place of the first one's."""
    texts = {"pages/Till.java": HELPER, "steps/PaySteps.java": own, "model/Basket.java": MODEL}
    modules = {"one": texts, "two": texts | {path: text} if path else texts}
    return {
        f"{module}/src/test/java/shop/{module}/{name}": body.format(module=module)
        for module, functions in modules.items()
        for name, body in functions.items()
    }


def sharp(page: str = SHARP_PAGE) -> dict[str, str]:
    """`page`: the page of the second module."""
    files = {"one/Pages/TillPage.cs": SHARP_PAGE.format(module="one")}
    files |= {"two/Pages/TillPage.cs": page.format(module="two")} if page else {}
    return files | {f"{module}/Steps/PaySteps.cs": SHARP_STEPS.format(module=module) for module in ("one", "two")}


ROOT = str(Path("shop").absolute())


class Build:
    """Modules `one` and `two` of one build, in memory."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = {f"shop/{path}": text.encode() for path, text in files.items()}
        self.definitions = [
            definition for path, data in self.files.items() for definition in extract(path, data).definitions
        ]
        self.functions = Functions(
            self.files.get, boundary=self.module, listing=self.listing, build=lambda path: (self.module(path), ROOT)
        )
        self.functions.load(self.definitions)

    def module(self, path: str) -> str:
        return "/".join(PurePosixPath(path).parts[:2])

    def listing(self, folder: str) -> Sequence[str]:
        below = (path.removeprefix(f"{folder}/") for path in self.files if path.startswith(f"{folder}/"))
        return list(
            dict.fromkeys(f"{name}/" if rest else name for name, _, rest in (path.partition("/") for path in below))
        )

    def are_copies(self) -> bool:
        mine, theirs = self.definitions
        related = self.functions.relation(mine, theirs)
        assert (related.relation is Relation.SAME) is related.copied
        assert related.copied is bool(self.functions.equal_to(mine)) is bool(list(self.functions.copied()))
        return related.copied


INJECTED = """\
package shop.{module}.steps;

import io.cucumber.java.en.When;
STAR
public class PaySteps {{
    private final Till till;
    public PaySteps(Till till) {{ this.till = till; }}

    @When("I pay in {module}")
    public void pay() {{ till.pay(); }}
}}
"""
STAR = INJECTED.replace("STAR", "import shop.{module}.pages.*;")
INJECTED = INJECTED.replace("STAR", "")
INHERITED = """\
package shop.{module}.steps;

import io.cucumber.java.en.When;

public class PaySteps extends Base {{
    @When("I pay in {module}")
    public void pay() {{ go(); }}
}}
"""
OWN = """\
package shop.{module}.steps;

import io.cucumber.java.en.When;

public class PaySteps {{
    private final int most = CENTS;
    private boolean fits(int sum) {{ if (sum > 3) return true; return sum < most; }}

    @When("I pay in {module}")
    public void pay() {{ check(fits(1)); }}
}}
"""
STATIC = """\
package shop.{module}.pages;

import static shop.{module}.model.Money.round;

public class Till {{ public void pay(Basket basket) {{ round(basket); }} }}
"""
RATES = """\
package shop.{module}.pages;

import shop.{module}.rates.PLACE.Rates;

public class Till {{ public void pay(Basket basket) {{ basket.close(Rates.STANDARD); }} }}
"""
BLOCK = """\
package shop.{module}.pages;

public class Till {{ public void pay(Basket basket) {{ open(\"\"\"
    https://WHICH.example/pay
    \"\"\"); }} }}
"""
KOTLIN = """\
package shop.steps

import io.cucumber.java.en.When
import shop.pages.Till

class PaySteps {{
    private val till = Till()
    @When("I pay in {module}")
    fun pays() {{ till.pay() }}
}}
"""
TOP_LEVEL = """\
package shop.steps

import io.cucumber.java.en.When
import shop.pages.pay

class PaySteps {{
    @When("I pay in {module}")
    fun pays() {{ pay() }}
}}
"""
USING = "Shop.{module}.Pages"
GATE = """\
namespace Shop.{module}.Pages;

public class TillPage {{ public void Pay(int sum) {{
    using var gate = Gates.WHICH;
    gate.Go(sum);
}} }}
"""
CLASS = (
    "package shop.{{module}}.{package};\n\npublic class {name} {{{{ static int {does}() {{{{ return WHICH; }}}} }}}}\n"
)
TILL, BASE, MONEY, OLD, NEW = (
    CLASS.format(package=package, name=name, does=does)
    for package, name, does in (
        ("steps", "Till", "pay"),
        ("steps", "Base", "go"),
        ("model", "Money", "round"),
        ("rates.old", "Rates", "get"),
        ("rates.current", "Rates", "get"),
    )
)
KOTLIN_TILL = "package shop.pages\n\nclass Other\nclass Till {{ fun pay() {{ say(WHICH) }} }}\n"
KOTLIN_PAY = "package shop.pages\n\nfun pay() {{ say(WHICH) }}\n"
PART = "namespace Shop.{module}.Pages;\npublic partial class TillPage {{ PART }}\n"
PARTS = {"Pages/TillPage.cs": PART.replace("PART", ""), "Pages/Pay.cs": PART.replace("PART", "int Pay() => WHICH;")}


def modules(texts: dict[str, str], second: str = "2", *more: str) -> dict[str, str]:
    """Maps paths below each module to texts, in which WHICH is the module's number; those of `more` are only in the
    first module."""
    return {
        f"{module}/{path}": text.replace("WHICH", which).format(module=module)
        for module, which in (("one", "1"), ("two", second))
        for path, text in texts.items()
        if module == "one" or path not in more
    }


TWO_THINGS = {
    "the class of the same package": {"PaySteps.java": INJECTED, "Till.java": TILL},
    "the class of a package imported whole": {
        "steps/PaySteps.java": STAR,
        "pages/Till.java": TILL.replace("steps;", "pages;"),
    },
    "a class behind another one": {"PaySteps.java": INJECTED, "Tills.java": TILL.replace("public", "")},
    "an inherited method": {"PaySteps.java": INHERITED, "Base.java": BASE},
    "a member of a helper's static import": {
        "PaySteps.java": STEPS,
        "Till.java": STATIC,
        "Money.java": MONEY,
        "Basket.java": MODEL,
    },
    "a text of several lines": {"PaySteps.java": STEPS, "Till.java": BLOCK, "Basket.java": MODEL},
    "what a method of the class says": {"PaySteps.java": OWN.replace("CENTS", "WHICH")},
    "Kotlin's file of another name": {"PaySteps.kt": KOTLIN, "Pages.kt": KOTLIN_TILL},
    "Kotlin's function of a package": {"PaySteps.kt": TOP_LEVEL, "Pages.kt": KOTLIN_PAY},
    "Java's class in Kotlin's steps": {"PaySteps.kt": KOTLIN, "Till.java": TILL.replace("{module}.steps", "pages")},
    ".NET's file of another name": {
        "PaySteps.cs": SHARP_STEPS,
        "Pages.cs": SHARP_PAGE.replace("{{ }}", "{{ P(WHICH); }}"),
    },
    ".NET's class in parts": {"PaySteps.cs": SHARP_STEPS, **PARTS},
    "a class that no source declares": {"PaySteps.java": STAR.replace("shop.{module}.pages.*", "acme.WHICH.Till")},
    "a package that no source is of": {"PaySteps.java": STAR.replace("shop.{module}.pages", "acme.WHICH")},
    "Kotlin's other name for such a class": {"PaySteps.kt": KOTLIN.replace("pages.Till", "WHICH.Tills as Till")},
    ".NET's namespace that no source is of": {"PaySteps.cs": SHARP_STEPS.replace("{module}.Pages", "VWHICH")},
    ".NET's other name for such a class": {"PaySteps.cs": SHARP_STEPS.replace(USING, "TillPage = Acme.VWHICH.Page")},
    ".NET's other name in all files": {
        "PaySteps.cs": SHARP_STEPS.replace(f"using {USING};\n", ""),
        "Usings.cs": "global using System;\nglobal using TillPage = Acme.VWHICH.Page;\n",
    },
    ".NET's other name for a class of the module": {
        "PaySteps.cs": SHARP_STEPS.replace(USING, f"Till = {USING}.TillPage").replace("TillPage till", "Till till"),
        "Pages.cs": SHARP_PAGE.replace("{{ }}", "{{ P(WHICH); }}"),
    },
    ".NET's using declaration": {"PaySteps.cs": SHARP_STEPS, "TillPage.cs": GATE.replace("WHICH", "NWHICH")},
}


def importing(*imports: str) -> dict[str, str]:
    """Imports of two modules' steps, whose classes no source declares."""
    return {
        f"{module}/PaySteps.java": STAR.replace("shop.{module}.pages.*", text).format(module=module)
        for module, text in zip(("one", "two"), imports, strict=True)
    }


CASES = [
    pytest.param(importing("acme.Till", "acme.*"), True, id="a class, and its package whole"),
    pytest.param(importing("acme.Till", "acme.*;import other.Till"), False, id="another class beside the package"),
    pytest.param(importing("acme.*", "acme.*;import java.util.*"), True, id="one package more"),
    pytest.param(importing("a.*;import acme.Till", "b.*;import acme.Till"), True, id="packages beside the class"),
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


@pytest.mark.parametrize("texts", [pytest.param(texts, id=name) for name, texts in TWO_THINGS.items()])
def test_what_a_module_declares_anywhere_is_looked_at(texts: dict[str, str]) -> None:
    assert Build(modules(texts, "1")).are_copies()
    assert not Build(modules(texts)).are_copies()


@pytest.mark.parametrize(
    "texts",
    [
        {"PaySteps.java": INJECTED, "Till.java": TILL},
        {"PaySteps.cs": SHARP_STEPS.replace("Shop.{module}.Pages", "Shop.Pages"), "TillPage.cs": SHARP_PAGE},
    ],
)
def test_what_a_third_module_declares_is_one_thing(texts: dict[str, str]) -> None:
    steps, page = texts
    files = modules({steps: texts[steps]})
    assert Build({**files, f"three/{page}": texts[page]}).are_copies()
    assert not Build({**files, f"three/{page}": texts[page], f"four/{page}": texts[page]}).are_copies()
    assert not Build(modules(texts, "1", page)).are_copies()
    assert Build(files).are_copies()


def test_classes_of_one_name_in_a_module_are_not_told_apart() -> None:
    rates = {"rates/old/Rates.java": OLD, "rates/current/Rates.java": NEW.replace("WHICH", "3")}
    rates["Basket.java"] = MODEL
    files = modules({"PaySteps.java": STEPS, "Till.java": RATES.replace("PLACE", "current"), **rates}, "1")
    files["one/Till.java"] = RATES.replace("PLACE", "old").format(module="one")
    assert not Build(files).are_copies()


def test_of_a_build_that_is_too_large_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Build(java()).are_copies()
    monkeypatch.setattr("cukereuse_engine.functions.copies._MOST_FILES", 5)
    assert not Build(java()).are_copies()


def test_what_is_no_copy_of_the_first_may_be_one_of_another() -> None:
    third = {path.replace("two", "three"): text.replace("two", "three") for path, text in java().items()}
    path = "one/src/test/java/shop/one/pages/Till.java"
    files = java() | {name: text for name, text in third.items() if name.startswith("three/")}
    build = Build(files | {path: files[path].replace("close()", "clear()")})
    ((group, loosely),) = build.functions.copied()
    assert not loosely
    assert [key.split("/")[1] for key in group] == ["three", "two"]


def test_an_edit_of_a_helper_tells_anew() -> None:
    build = Build(java())
    assert build.are_copies()
    path = "shop/two/src/test/java/shop/two/pages/Till.java"
    source = build.files[path]
    for data, are_copies in ((source.replace(b"close", b"clear"), False), (source, True)):
        build.files[path] = data
        build.functions.update(path, data, [])
        assert build.are_copies() is are_copies


@pytest.mark.parametrize("is_one_build", [True, False])
def test_copies_of_one_wording_are_a_hint_and_stay(
    tmp_path: Path, is_one_build: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = STEPS.replace("pay(basket)", "pay(basket, PaySteps.class)")
    files = {path: re.sub("I pay in (?:one|two)", "I pay", text) for path, text in java(own=own).items()}
    for module in ("one", "two"):
        files[f"{module}/pom.xml"] = "<project/>"
        files[f"{module}/src/main/java/PaySteps.java"] = "class PaySteps {}\n"
        files[f"{module}/src/test/resources/till.feature"] = "Feature: Till\n  Scenario: Pay\n    When I pay\n"
    if is_one_build:
        files["pom.xml"] = "<project/>"
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    (suite,) = scan(".", model=False).suites
    findings = [(finding.severity.value, finding.message) for finding in suite.findings if finding.rule == "same-code"]
    assert [severity for severity, _ in findings] == ["hint"] * is_one_build
    assert all(
        message.endswith("the same code: they are copies in two modules of one build.") for _, message in findings
    )
    before = {name: (tmp_path / name).read_text("utf-8") for name in files}
    cli.main(["merge", str(tmp_path), "--hints", "--write", "--no-cache"], standalone_mode=False)
    assert {name: (tmp_path / name).read_text("utf-8") for name in files} == before
