"""The classes and attributes that are Reqnroll's bindings, and the types in its expressions."""

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

HEAD = "using Reqnroll;\n"


def bound(sources: dict[str, str], *steps: str) -> tuple[list[bool], list[str]]:
    """For each step, true if it is bound; and the errors of the sources."""
    glue = Glue("app")
    for name, source in sources.items():
        glue.update_file(f"app/{name}", source.encode())
    feature = "Feature: f\n  Scenario: s\n" + "".join(f"    {step}\n" for step in steps)
    file = read_text("app/a.feature", feature).steps
    glue.update_feature("app/a.feature", file)
    return [glue.bind(step).status is Status.BOUND for step in file], [error.message for error in glue.errors]


@pytest.mark.parametrize(
    ("source", "is_loaded", "message"),
    [
        ('public class A { [Given("a")] public void M() {} }', False, "no [Binding]"),
        ('public class A : IDisposable { [Given("a")] public void M() {} }', False, "no [Binding]"),
        ('[Binding] public abstract class A { [Given("a")] public void M() {} }', False, "abstract"),
        ('[Binding] public abstract class A { [Given("a")] public static void M() {} }', True, ""),
        ('[Binding] public class A<T> { [Given("a")] public void M() {} }', False, "generic"),
        ('[Binding] public class A { [Given("a")] public async void M() {} }', False, "Task"),
        ('[Binding] public class A { [Given("a")] public async Task M() {} }', True, ""),
        ('public class A { [Given("a")] public void M() {} }\n[Binding] public class B : A {}', True, ""),
        ('public class A<T> { [Given("a")] public void M() {} }\n[Binding] public class B : A<int> {}', True, ""),
        ('public class A : Base { [Given("a")] public void M() {} }', True, ""),
        ('public partial class A { [Given("a")] public void M() {} }', True, ""),
        ('[MyBinding] public class A { [Given("a")] public void M() {} }', True, ""),
        ('[Binding, Scope(Tag="x")] public abstract class A { [Given("a")] public void M() {} }', False, "abstract"),
        ('[Reqnroll.Binding] public class A { [Given("a")] public void M() {} }', True, ""),
    ],
)
def test_which_classes_are_bindings(source: str, is_loaded: bool, message: str) -> None:
    (status,), errors = bound({"A.cs": HEAD + source}, "Given a")
    assert status is is_loaded
    assert len(errors) == (not is_loaded)
    assert all(message in error for error in errors)


BASE = 'public class Base { [Given("a")] public void M() {} }\n'


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (BASE + "[Binding] public class A : Base {}\n[Binding] public class B : N.Base {}", "each of A and B has"),
        ("[Binding] " + BASE + "[Binding] public class A : Base {}", "each of A and Base has"),
        (
            BASE.replace("Base", "Base<T>") + "[Binding] class A : Base<int> {}\n[Binding] class B : Base<long> {}",
            "A and B",
        ),
        (BASE + "[Binding] public class A : Base {}\npublic class B : Base {}", ""),
        (BASE + "[Binding] public class A : Base {}\n[Binding] public abstract class B : Base {}", ""),
        (BASE + "[Binding] public class A : Base {}\n[Binding] public class B : Other, IBase {}", ""),
        (BASE.replace("void", "static void") + "[Binding] class A : Base {}\n[Binding] class B : Base {}", ""),
    ],
)
def test_step_definitions_that_several_bindings_inherit(source: str, message: str) -> None:
    statuses, errors = bound({"A.cs": HEAD + source}, "Given a")
    assert statuses == [True]
    assert len(errors) == bool(message)
    assert all(message in error for error in errors)


ATTRIBUTES = [
    (
        "public class BothAttribute : StepDefinitionBaseAttribute { public BothAttribute(string e) : base(e, new[] "
        "{ StepDefinitionType.When, StepDefinitionType.Then }) {} }",
        '[Both("a {int}")]',
        {"When a 1": True, "Then a 1": True, "Given a 1": False},
    ),
    (
        'class PreAttribute : GivenAttribute { public PreAttribute(string r) : base($"prefixed {r} too") {} }',
        '[Pre("x")]',
        {"Given prefixed x too": True, "Given x": False, "When prefixed x too": False},
    ),
    (
        'class PreAttribute : ThenAttribute { public PreAttribute(string r) : base("it " + r) {} }',
        '[Pre("works")]',
        {"Then it works": True, "Then works": False},
    ),
    ("class PreAttribute(string e) : WhenAttribute(e);", '[Pre("a")]', {"When a": True, "Given a": False}),
    (
        'class LoggedInAttribute : GivenAttribute { public LoggedInAttribute() : base("I am logged in") {} }',
        "[LoggedIn]",
        {"Given I am logged in": True},
    ),
    ("class Ann : Reqnroll.GivenAttribute { public Ann(string s) : base(s) { } }", '[Ann("a")]', {"Given a": True}),
    ("using Ann = Reqnroll.GivenAttribute;", '[Ann("a")]', {"Given a": True}),
]


@pytest.mark.parametrize(("declared", "attribute", "steps"), ATTRIBUTES)
def test_attributes_of_a_project(declared: str, attribute: str, steps: dict[str, bool]) -> None:
    use = f"[Binding] public class A {{ {attribute} public void M() {{}} }}"
    statuses, errors = bound({"A.cs": f"{HEAD}{declared}\n{use}"}, *steps)
    assert statuses == list(steps.values())
    assert not errors


def test_an_attribute_that_computes_its_expression_is_said() -> None:
    source = "class PreAttribute : GivenAttribute { public PreAttribute(string r) : base(Make(r)) {} }\n"
    statuses, errors = bound({"A.cs": f'{HEAD}{source}[Binding] class A {{ [Pre("x")] void M() {{}} }}'}, "Given x")
    assert statuses == [False]
    assert "computed" in errors[0]


TYPES = [
    (
        '[StepArgumentTransformation("(one|two)")] public int I(string s) => 1;',
        "{int}",
        {"one": True, "3": True, "x": False},
    ),
    ('[StepArgumentTransformation("(one|two)")] public int I(string s) => 1;', "{Int32}", {"two": True, "3": True}),
    ("[StepArgumentTransformation] public int I(string s) => 1;", "{int}", {"anything at all": True}),
    (
        '[StepArgumentTransformation("one")] public int I() => 1;\n[StepArgumentTransformation("two")] int J() => 2;',
        "{int}",
        {"one": True, "two": True, "4": True, "five": False},
    ),
    ("", "{Int16}", {"3": True, "x": False}),
    ("", "{Single}", {"3.5": True, "x": False}),
    ("", "{decimal}", {"3.5": True, "x": False}),
    ("", "{Guid}", {"whatever": True}),
    ('[StepArgumentTransformation("red|blue")] public Colour C() => null;', "{Colour}", {"red": True, "pink": False}),
    (
        '[StepArgumentTransformation("x", Name = "letter")] public Colour C() => null;',
        "{letter}",
        {"x": True, "y": False},
    ),
]


@pytest.mark.parametrize(("transformation", "type_name", "arguments"), TYPES)
def test_types_of_expressions(transformation: str, type_name: str, arguments: dict[str, bool]) -> None:
    source = f'{HEAD}[Binding] class A {{ {transformation}\n[Given("a {type_name} b")] public void M(object o) {{}} }}'
    statuses, errors = bound({"A.cs": source}, *(f"Given a {argument} b" for argument in arguments))
    assert statuses == list(arguments.values())
    assert not errors


@pytest.mark.parametrize(
    ("parameter", "is_known"), [("Colours c", True), ("My.Colours c", True), ("Colours? c", True), ("string c", False)]
)
def test_enumerations_that_a_definition_takes_are_types(parameter: str, is_known: bool) -> None:
    source = f'{HEAD}[Binding] class A {{ [Given("a {{Colours}}")] public void M({parameter}) {{}} }}'
    statuses, errors = bound({"A.cs": source}, "Given a red")
    assert statuses == [True]
    assert (not errors) is is_known
