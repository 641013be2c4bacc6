"""Step definitions in Java and Kotlin: literals, constants, annotations."""

import pytest

from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, Extraction
from cukereuse_engine.glue.matchers import compile_definition
from tests.glue.test_language_rules import only, read

JAVA = "import {package}.en.Given;\nclass A {{\n  {constants}\n  @Given({literal}) public void a() {{ }}\n}}\n"


def java(literal: str, package: str = "io.cucumber.java", constants: str = "") -> Extraction:
    return read(".java", JAVA.format(package=package, literal=literal, constants=constants))


@pytest.mark.parametrize(
    ("literal", "kind", "expression"),
    [
        ('"I wait (.*) {int}"', "cucumber", "I wait (.*) {int}"),
        ('"^I wait"', "regex", "^I wait"),
        ('"I wait$"', "regex", "I wait$"),
        ('"/I wait/"', "regex", "I wait"),
        ('"/"', "cucumber", "/"),
        ('"/I wait"', "cucumber", "/I wait"),
        ('""', "cucumber", ""),
        (r'"a\t\"b\" \\ \u00e4 \101"', "cucumber", 'a\t"b" \\ ä A'),
        ('"""\n      a\n        b \n      c"""', "cucumber", "a\n  b\nc"),
        ('"""\n    a\n  """', "cucumber", "  a\n"),
        ('"""\n  a \\\n  b\\s\n  """', "cucumber", "a b \n"),
    ],
)
def test_java_literals(literal: str, kind: str, expression: str) -> None:
    definition = only(java(literal))
    assert (definition.kind, definition.expression) == (kind, expression)
    assert definition.rewritable
    assert definition.source_literal == literal
    assert definition.anchoring is Anchoring.FULL


@pytest.mark.parametrize(
    ("literal", "text", "is_bound"),
    [
        ('"^I wait"', "I wait", True),
        ('"^I wait"', "I wait for it", False),
        ('"I wait$"', "Then I wait", False),
        ('"/I wait|I stay/"', "I stay", True),
        ('"/I wait|I stay/"', "I stay here", False),
    ],
)
def test_a_regex_matches_the_whole_step(literal: str, text: str, is_bound: bool) -> None:
    matcher = compile_definition(only(java(literal)), {}).matcher
    assert matcher is not None
    assert (matcher.match(text) is not None) is is_bound


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        (r"a (\\d+)", "regex"),
        ("a (.*)", "regex"),
        ("a([^)]+)b", "regex"),
        ("apple(s)", "cucumber"),
        ("a b", "cucumber"),
    ],
)
def test_before_version_5_a_group_told_a_regex(pattern: str, kind: str) -> None:
    assert only(java(f'"{pattern}"', package="cucumber.api.java")).kind == kind
    assert only(java(f'"{pattern}"')).kind == ExpressionKind.CUCUMBER


@pytest.mark.parametrize(
    ("constants", "literal", "expression"),
    [
        ('static final String A = "x";', 'A + " y"', "x y"),
        ('static final String A = B + B; static final String B = "x";', "A", "xx"),
        ("static final String A = B; static final String B = A;", "A", None),
        ("static final String A = A + A;", "A", None),
        ('static String A = "x";', "A", None),
        ('static final String A = "x".trim();', "A", None),
        ("", "Other.A", None),
        ("", '"a" - "b"', None),
        ("", 'String.format("a")', None),
    ],
)
def test_java_constants(constants: str, literal: str, expression: str | None) -> None:
    extraction = java(literal, constants=constants)
    if expression is None:
        assert not extraction.definitions
        (error,) = extraction.errors
        assert error.line == 4
        assert literal in error.message
    else:
        assert only(extraction).expression == expression
        assert not only(extraction).rewritable


def test_constants_that_double_are_bounded() -> None:
    doubling = "".join(f"static final String A{n} = A{n + 1} + A{n + 1};" for n in range(60))
    assert java("A0", constants=doubling + 'static final String A60 = "x";').errors


@pytest.mark.parametrize(
    ("imports", "names"),
    [
        ("import io.cucumber.java.fr.*;", ["Given", "Soit", "Étantdonné"]),
        ("import io.cucumber.java.zh_cn.*;", ["Given", "假如"]),
        ("import io.cucumber.java.Before;", ["Given"]),
        ("import io.cucumber.java.en.Step;", ["Given", "Step"]),
        ("import cucumber.Step;", ["Given"]),
    ],
)
def test_annotations_of_the_dialects_that_a_file_imports(imports: str, names: list[str]) -> None:
    annotations = "".join(f'@{name}("x") ' for name in ("Given", "Step", "Soit", "Étantdonné", "假如"))
    file = read(".java", f"{imports}\nclass A {{\n  {annotations} void a() {{ }}\n}}\n")
    assert [definition.keyword for definition in file.definitions] == names


def test_kotlin_tests_of_other_frameworks_are_no_steps() -> None:
    source = 'class A : BehaviorSpec({ Given("a number") { When("it grows") { Then("it is large") { } } } })\n'
    assert read(".kt", source) == Extraction()


def test_kotlin_functions_outside_classes() -> None:
    """The grammar reads some annotations as expressions: of the first function, and after a body without braces."""
    source = """\
import io.cucumber.java.ParameterType
import io.cucumber.java.en.Given
@ParameterType("red|amber")
fun colour(text: String): String = text.trim()
@ParameterType("[a-z]{3}")
fun code(text: String): String = text
@Given("the sign is {colour}")
fun sign(colour: String) = Unit
@Given("the code is {code}")
fun number(code: String) { }
"""
    file = read(".kt", source)
    assert [(each.name, each.regexps) for each in file.parameter_types] == [
        ("colour", ("red|amber",)),
        ("code", ("[a-z]{3}",)),
    ]
    assert [each.function_name for each in file.definitions] == ["sign", "number"]
