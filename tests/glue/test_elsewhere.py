"""Names in a step's expression from another file: constants, methods, a project's own decorators."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

Files = dict[str, str]
CASES: dict[str, tuple[Files, list[tuple[str, str]]]] = {
    "python": (
        {
            "texts.py": "FIGS = 'I have {n:d} figs'\nclass Texts:\n    LEFT = 'figs are left'\n",
            "steps/figs.py": """\
from behave import given
import texts as t
from texts import FIGS as F, Texts

@given(F)
def a(c, n): ...

@given(t.FIGS + ' more')
def b(c, n): ...

@given(Texts.LEFT)
def d(c): ...
""",
        },
        [("parse", "I have {n:d} figs"), ("parse", "I have {n:d} figs more"), ("parse", "figs are left")],
    ),
    "decorators of pytest-bdd": (
        {
            "kit.py": """\
from pytest_bdd import given, then, parsers

def then_(text, **more):
    "Parsed."
    return then(parsers.parse(text), **more)

def given_matching(pattern):
    def around(f):
        return given(parsers.re(pattern))(f)
    return around
""",
            "test_figs.py": r"""
from kit import then_, given_matching
from pytest_bdd import when, parsers

mine = lambda text: when(parsers.cfparse('I ' + text))

@given_matching(r'(?P<n>\d+) figs')
def a(n): ...

@mine('eat')
def b(): ...

@then_('I see {n:d} figs', target_fixture='x')
def d(n): ...

@other('x')
def e(): ...
""",
        },
        [("regex", r"(?P<n>\d+) figs"), ("cfparse", "I eat"), ("parse", "I see {n:d} figs")],
    ),
    "decorators of behave": (
        {
            "figs.py": """\
import behave

def retried(text):
    def around(f):
        return behave.when(text)(f)
    return around

def of(place, text="x"):
    return behave.given(text + " in the " + place)

@retried("I pick {n} figs")
def a(c, n): ...

@of("garden", text="{n} figs")
def b(c, n): ...
""",
        },
        [("parse", "I pick {n} figs"), ("parse", "{n} figs in the garden")],
    ),
    "typescript": (
        {
            "texts.ts": r"""
export const FIGS = 'I have {int} figs';
export const Steps = { left: /^(\d+) left$/i } as const;
export enum Said { eat = 'I eat' }
""",
            "more/index.js": "const GONE = 'all gone';\nmodule.exports = { GONE };\n",
            "figs.ts": """\
import { Given } from '@cucumber/cucumber';
import { FIGS as F, Steps, Said } from './texts';
import * as texts from './texts.js';
import { GONE } from './more';
Given(F, () => {});
Given(Steps.left, () => {});
Given(Said.eat, () => {});
Given(`${texts.FIGS} more`, () => {});
Given(GONE, () => {});
""",
        },
        [
            *[("cucumber", "I have {int} figs"), ("regex", r"^(\d+) left$"), ("cucumber", "I eat")],
            *[("cucumber", "I have {int} figs more"), ("cucumber", "all gone")],
        ],
    ),
    "java": (
        {
            "Texts.java": r'interface Texts { String FIGS = "^I have (\\d+) figs$"; }',
            "Other.java": 'class Other { static final String FIGS = "no"; }\n',
            "Steps.java": "import io.cucumber.java.en.*;\npublic class Steps {\n"
            " @Given(Texts.FIGS) public void a(int n) {}\n}\n",
        },
        [("regex", r"^I have (\d+) figs$")],
    ),
    "kotlin": (
        {
            "Texts.kt": 'object Texts { const val FIGS = "I have {int} figs" }\n',
            "S.kt": 'import io.cucumber.java.en.Given\nclass S {\n @Given(Texts.FIGS + " left") fun a() {}\n}\n',
        },
        [("cucumber", "I have {int} figs left")],
    ),
    "c#": (
        {
            "Texts.cs": r'static class Texts { public const string Figs = @"^I have (\d+) figs$"; }',
            "Steps.cs": "using Reqnroll;\n[Binding] class Steps {\n [Given(Texts.Figs)] public void A(int n) {}\n}\n",
        },
        [("regex", r"^I have (\d+) figs$")],
    ),
    "php": (
        {
            "Texts.php": "<?php\nfinal class Texts { const FIGS = 'I have :n figs'; }\n",
            "FigContext.php": """\
<?php
use Behat\\Step\\Given;
class FigContext implements \\Behat\\Behat\\Context\\Context {
    #[Given(Texts::FIGS)]
    public function a($n) {}
}
""",
        },
        [("turnip", "I have :n figs")],
    ),
    "go": (
        {
            "texts.go": "package figs\nconst haveFigs = `^I have (\\d+) figs$`\n",
            "figs_test.go": "package figs // godog\nfunc f(c *godog.ScenarioContext) { c.Step(haveFigs, have) }\n",
        },
        [("regex", r"^I have (\d+) figs$")],
    ),
    "a constant with the name of an attribute": (
        {
            "Names.cs": 'namespace Kit;\npublic static class Names { public const string Trait = "x"; }\n',
            "Steps.cs": """\
using Reqnroll;
using Kit;
[Binding] class Steps {
  [Trait("a", "b")] [When("I eat")] public void A() { }
}
""",
        },
        [("cucumber", "I eat")],
    ),
    "attributes of Reqnroll": (
        {
            "Attributes.cs": """\
namespace Kit;
public class WennAttribute : Reqnroll.WhenAttribute { public WennAttribute(string text) : base(text) { } }
public sealed class SoitAttribute(string text) : Reqnroll.StepDefinitionAttribute(text);
""",
            "Usings.cs": "global using Reqnroll;\nglobal using Dann = Reqnroll.ThenAttribute;\n",
            "Steps.cs": """\
using Kit;
[Binding] class Steps {
  [Wenn("I eat")] public void A() { }
  [SoitAttribute("I have {int} figs")] public void B(int n) { }
  [Dann("none is left")] public void C() { }
  [Trait("a", "b")] public void D() { }
}
""",
        },
        [("cucumber", "I eat"), ("cucumber", "I have {int} figs"), ("cucumber", "none is left")],
    ),
    "ruby": (
        {
            "support/texts.rb": r"""
NUM = /\d+/i
WHO = '(?<a>I)'.gsub(/<a>/, ':')
MONEY = Transform(/^\$(\d+)(?:\.(?<cents>\d\d))?$/) { |whole, cents| whole.to_i }
module Texts
  LIST = '(red|green)'
  def capture_verb
    '(GET|PUT)'
  end
end
""",
            "figs.rb": """\
Given(/^I have (#{NUM}) #{Texts::LIST} figs$/) { |a, b| }
When(/^I #{capture_verb}$/) { |a| }
When(/^I (then |)#{capture_verb}$/) { |a| }
Then(/^(there|here) #{WHO} (am|was)$/) { |a, b| }
Then(/^I pay (#{MONEY})$/) { |a| }
""",
        },
        [
            ("regex", r"^I pay (\$(?:\d+)(?:\.(?:<cents>\d\d))?)$"),
            ("regex", "^(there|here) (?:I) (am|was)$"),
            ("regex", r"^I (GET|PUT)$"),
            ("regex", r"^I (then |)(GET|PUT)$"),
            ("regex", r"^I have ((?i:\d+)) (red|green) figs$"),
        ],
    ),
}


def load(folder: Path, files: Files) -> Glue:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Glue.load(str(folder), paths=[folder])


def step_of(text: str) -> Step:
    (step,) = read_text("f.feature", f"Feature: f\n  Scenario: s\n    Given {text}\n").steps
    return step


def expressions(glue: Glue) -> list[tuple[str, str]]:
    return sorted((definition.kind.value, definition.expression) for definition in glue.definitions)


@pytest.mark.parametrize("name", CASES)
def test_names_of_other_files_are_put_in(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    glue = load(tmp_path, files)
    assert expressions(glue) == sorted(expected)
    assert [error.message for error in glue.errors] == []


@pytest.mark.parametrize("name", CASES)
def test_an_edit_keeps_them(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    glue = load(tmp_path, files)
    for path in {definition.path for definition in glue.definitions}:
        source = Path(path).read_bytes()
        glue.update_file(path, source + b"\n")
        assert expressions(glue) == sorted(expected)
        glue.use_extraction(path, glue.extracted(path, source))
    assert expressions(glue) == sorted(expected)


def test_an_edit_of_the_other_file_counts(tmp_path: Path) -> None:
    glue = load(tmp_path, CASES["python"][0])
    step = step_of("I have 3 pears")
    glue.update_feature("f.feature", (step,))
    assert glue.bind(step).status is Status.UNDEFINED
    texts = str(tmp_path / "texts.py")
    source = Path(texts).read_bytes()
    assert "I have 3 pears" in glue.update_file(texts, source.replace(b"figs'", b"pears'", 1))
    assert glue.bind(step).status is Status.BOUND
    glue.update_file(texts, None)
    assert expressions(glue) == []
    assert len(glue.errors) == 3
    glue.update_file(texts, source)
    assert expressions(glue) == sorted(CASES["python"][1])


def test_what_two_files_say_otherwise_stays_unknown(tmp_path: Path) -> None:
    files = CASES["java"][0]
    glue = load(tmp_path, {**files, "Steps.java": files["Steps.java"].replace("Texts.FIGS", "FIGS")})
    assert expressions(glue) == []
    assert [error.message for error in glue.errors] == ["the step's expression is computed: FIGS"]


def test_the_name_of_a_variable_is_not_looked_for(tmp_path: Path) -> None:
    steps = "%w(a b).each do |name|\n  Given(/^I see #{name}$/) { }\nend\n"
    glue = load(tmp_path, {"texts.rb": "def name\n  'x'\nend\n", "steps.rb": steps})
    assert expressions(glue) == []


PICKLE = {
    "features/support/pickle.rb": """\
require 'pickle/world'
Pickle.configure do |config|
  config.map 'I', 'me', to: 'user: "me"'
end
""",
    "features/steps/pickle_steps.rb": r"""
Given(/^#{capture_model} exists?(?: with #{capture_fields})?$/) { |a, b| }
Given(/^(\d+) #{capture_plural_factory} exist$/) { |a, b| }
Then(/^#{capture_model} should be (?:an? )?#{capture_predicate}$/) { |a, b| }
""",
    "spec/factories.rb": """\
FactoryBot.define do
  factory :fig_tree, aliases: [:tree] do
  end
  # factory :gone
end
""",
    "app/models/gardener.rb": "class Gardener < ApplicationRecord\n  def on_leave?\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("text", "is_bound"),
    [
        ('a fig tree exists with height: 3, name: "x"', True),
        ('the 2nd tree "old" exists', True),
        ('a tree exists with owner: the gardener, height: 3, parent: tree "old"', True),
        ("a tree exists with owner: the page", False),
        ("me exists", True),
        ("3 fig trees exist", True),
        ("4 gardeners exist", True),
        ("the gardener should be on leave", True),
        ("a gone exists", False),
        ("the page exists", False),
        ("the gardener should be happy", False),
        ("3 pages exist", False),
    ],
)
def test_pickle_knows_the_factories_of_the_project(text: str, is_bound: bool, tmp_path: Path) -> None:
    glue = load(tmp_path, PICKLE)
    assert (glue.bind(step_of(text)).status is Status.BOUND) is is_bound


PARTS = {
    "Steps.cs": 'using Reqnroll;\nnamespace N;\n[Binding] partial class A { [When("I wait")] void W() { } }\n',
    "Steps.Scope.cs": 'using Reqnroll;\nnamespace N;\n[Scope(Tag = "web")] partial class A { }\n',
    "Other.cs": 'using Reqnroll;\nnamespace O { [Scope(Tag = "no")] partial class A { } }\n',
    "More.cs": 'using Reqnroll;\nnamespace N { [Scope(Feature = "more")] partial class A { } }\n',
}


@pytest.mark.parametrize(
    ("files", "limits"),
    [
        (("Steps.cs",), []),
        (("Steps.cs", "Steps.Scope.cs"), ["@web"]),
        (("Steps.cs", "Other.cs"), []),
        (("Steps.cs", "Steps.Scope.cs", "More.cs", "Other.cs"), ["", "@web"]),
    ],
)
def test_a_scope_on_another_part_of_a_class(files: tuple[str, ...], limits: list[str], tmp_path: Path) -> None:
    glue = load(tmp_path, {name: PARTS[name] for name in files})
    (definition,) = glue.definitions
    assert sorted(limit.tags for limit in definition.limits) == limits


def test_a_scope_on_another_part_that_is_edited(tmp_path: Path) -> None:
    glue = load(tmp_path, {name: PARTS[name] for name in ("Steps.cs", "Steps.Scope.cs")})
    path = str(tmp_path / "Steps.Scope.cs")
    for tag in ("api", "web"):
        glue.update_file(path, PARTS["Steps.Scope.cs"].replace("web", tag).encode())
        assert [limit.tags for limit in glue.definitions[0].limits] == [f"@{tag}"]
    glue.update_file(path, None)
    assert glue.definitions[0].limits == ()


def test_a_scope_on_another_part_in_one_file(tmp_path: Path) -> None:
    inner = '[Scope(Tag = "in")] partial class A { } '
    source = PARTS["Steps.cs"] + f'[Scope(Tag = "web")] partial class A {{ }}\nclass B {{ {inner}}}\n'
    glue = load(tmp_path, {"Steps.cs": source})
    assert [limit.tags for limit in glue.definitions[0].limits] == ["@web"]
