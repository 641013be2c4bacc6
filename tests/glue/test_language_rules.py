"""Rules of single runners that the contract's table does not show: kinds, anchoring, flags, functions, constants."""

import pytest
import regex

from cukereuse_engine.glue.definition import Anchoring, Extraction, StepDefinition
from cukereuse_engine.glue.languages import base
from cukereuse_engine.glue.languages.csharp_kinds import is_cucumber_expression
from cukereuse_engine.glue.languages.csharp_method_names import method_name_regex
from cukereuse_engine.glue.matchers import compile_definition

PHP = "<?php\nclass A {{\n  /** @Given {pattern} */\n  public function a() {{}}\n}}\n"


def read(suffix: str, source: str) -> Extraction:
    return base.extract(f"glue{suffix}", source.encode())


def only(extraction: Extraction) -> StepDefinition:
    (definition,) = extraction.definitions
    return definition


@pytest.mark.parametrize(
    ("text", "frameworks"),
    [  # where it is a Cucumber Expression
        ("I wait", {"reqnroll", ""}),
        ("I wait {int} s", {"reqnroll", "specflow", ""}),
        ("I wait {int}$", set()),
        ("^I wait", set()),
        ("I wait (.*)", set()),
        (r"I wait (\d+)", set()),
        (r"I wait \d+", set()),
        (r"version 1\.0", set()),
        ("apple(s)", {"reqnroll", ""}),
        ("the (red|green) one", {"reqnroll"}),
        (r"I wait (\w)", {"reqnroll"}),
        ("one/two", {"reqnroll", ""}),
        (r"the year is (\d{4})", {"reqnroll"}),
        ("code [A-Z]{3}", {"reqnroll"}),
        ("a{2} b", {"reqnroll"}),
        ("[A-Z] {string}", {"reqnroll"}),
        ("I have {} apples", {"reqnroll", "specflow", ""}),
    ],
)
def test_csharp_expression_or_regex(text: str, frameworks: set[str]) -> None:
    assert {name for name in ("reqnroll", "specflow", "") if is_cucumber_expression(text, name)} == frameworks


@pytest.mark.parametrize(
    ("keyword", "method", "parameters", "text", "arguments"),
    [
        ("Given", "Given_the_machine_is_ready", [], "the machine is ready", {}),
        ("Given", "GivenTheMachineIsReady", [], "the machine is ready", {}),
        ("Given", "GivenTheMachineIsReady", [], "the machine, is ready!", {}),
        ("When", "When_WHO_takes_COUNT_apples", ["who", "count"], "'Ann' takes 3 apples", {"who": "Ann", "count": "3"}),
        ("Then", "Then_it_holds_P0", ["count"], 'it holds "3"', {"count": "3"}),
        ("StepDefinition", "WhenItStops", [], "it stops", {}),
        ("Then", "WhenItStops", [], "when it stops", {}),
        ("Then", "ÜberÄpfel2Go", [], "über äpfel 2 go", {}),
        ("When", "Wenn_etwas_passiert", [], "etwas passiert", {}),
        ("When", "WennEtwasPassiert", [], "etwas passiert", {}),
        ("Given", "Angenommen_es_gibt_P0_Äpfel", ["n"], "es gibt 3 Äpfel", {"n": "3"}),
        ("StepDefinition", "Soit_un_compte", [], "un compte", {}),
        ("Given", "Etant_donné_que_j_ai_N_pommes", ["n"], "j'ai 3 pommes", {"n": "3"}),
        ("Given", "EtantDonnéQueJAi_P0_Pommes", ["n"], "j'ai 3 pommes", {"n": "3"}),
        ("When", "КОГДА_я_ем", [], "я ем", {}),
        ("Given", "Dados_que_hay_pan", [], "que hay pan", {}),
        ("Given", "Data_is_loaded", [], "data is loaded", {}),
        ("When", "Wennschon_geht_es", [], "wennschon geht es", {}),
    ],
)
def test_method_names(keyword: str, method: str, parameters: list[str], text: str, arguments: dict[str, str]) -> None:
    match = regex.fullmatch(method_name_regex(keyword, method, parameters), text, regex.IGNORECASE)
    assert match is not None
    assert match.groupdict() == arguments
    if not parameters:  # an argument without quotes takes anything
        assert not regex.fullmatch(method_name_regex(keyword, method, parameters), f"not {text}", regex.IGNORECASE)


@pytest.mark.parametrize(
    ("pattern", "kind", "expression", "flags", "anchoring"),
    [
        ("I have :n", "turnip", "I have :n", "", Anchoring.FULL),
        ("/^a$/", "regex", "^a$", "", Anchoring.SEARCH),
        ("/a/iu", "regex", "a", "iu", Anchoring.SEARCH),
        ("#^a/b$#", "regex", "^a/b$", "", Anchoring.SEARCH),
        ("~a~", "regex", "a", "", Anchoring.SEARCH),
        ("`a`", "regex", "a", "", Anchoring.SEARCH),
        ("{^a}m", "regex", "^a", "m", Anchoring.SEARCH),
        ("/a/AD", "regex", "a", "", Anchoring.MATCH),
        ("/a", "turnip", "/a", "", Anchoring.FULL),
        ("%a%", "turnip", "%a%", "", Anchoring.FULL),
        ("/a/g", "turnip", "/a/g", "", Anchoring.FULL),
    ],
)
def test_behat_patterns(pattern: str, kind: str, expression: str, flags: str, anchoring: Anchoring) -> None:
    definition = only(read(".php", PHP.format(pattern=pattern)))
    assert (definition.kind, definition.expression, definition.flags) == (kind, expression, flags)
    assert definition.anchoring is anchoring
    assert definition.source_literal == pattern
    assert definition.keyword_types == frozenset()


def test_behat_comment_with_windows_line_ends_and_umlauts() -> None:
    source = "<?php\nclass A {\n  /**\n   * @Given über :x \n   * @When é /^ü$/\n   */\n  function a() {}\n}\n"
    first, second = read(".php", source.replace("\n", "\r\n")).definitions
    assert (first.source_literal, first.literal.line, first.literal.column) == ("über :x", 4, 13)
    assert (second.expression, second.literal.end_column) == ("é /^ü$/", 19)


@pytest.mark.parametrize(
    ("suffix", "source", "keyword", "framework", "body"),
    [
        (
            ".java",
            'import io.cucumber.java.en.*;\nclass A { @Given("x") public void a() { } }',
            "Given",
            "cucumber-jvm",
            "{ }",
        ),
        (
            ".kt",
            'import io.cucumber.java8.En\nclass A : En { init { Given("x") { go() } } }',
            "Given",
            "cucumber-jvm",
            "go()",
        ),
        (
            ".cs",
            'using TechTalk.SpecFlow;\n[Binding] class A { [When("x")] void A() => Go(); }',
            "When",
            "specflow",
            "Go()",
        ),
        (".php", PHP.format(pattern="x"), "Given", "behat", "{}"),
        (
            ".go",
            'package a // godog\nfunc f() { s.Step("x", m.y) }\nfunc (m *m) y() { go() }',
            "s.Step",
            "godog",
            "go()",
        ),
        (".rs", '#[given("x")]\nasync fn a(w: &mut W) { go() }', "given", "cucumber-rs", "go()"),
    ],
)
def test_function_holds_the_body(suffix: str, source: str, keyword: str, framework: str, body: str) -> None:
    definition = only(read(suffix, source))
    assert (definition.keyword, definition.framework) == (keyword, framework)
    span = definition.function
    assert span is not None
    assert body in source.encode()[span.start_byte : span.end_byte].decode()


@pytest.mark.parametrize(
    ("body", "is_glue"),
    [
        ('ctx := ScenarioContext{}\n ctx.Step("x", f)', False),
        ('ctx := &godog.ScenarioContext{suite: s}\n for _, n := range all { ctx.Given("x", f) }', False),
        ('var sc = new(godog.ScenarioContext)\n run(func() { sc.Step("x", f) })', False),
        ('ctx := ScenarioContext{}\n run(func(ctx *ScenarioContext) { ctx.Step("x", f) })', True),
        ('if quick { ctx := ScenarioContext{}\n use(ctx) }\n ctx.Step("x", f)', True),
        ('mine := registry{ctx}\n mine.Step("x", f)', True),
        ('ctx.Step("x", f)', True),
    ],
)
def test_a_godog_context_that_no_runner_passes_in_takes_no_steps(body: str, is_glue: bool) -> None:
    """A library's own tests create one; godog creates the context of each scenario that it runs (suite.go)."""
    extraction = read(".go", f"package a // godog\nfunc Initialize(ctx *godog.ScenarioContext) {{ {body} }}")
    assert bool(extraction.definitions) is is_glue


def test_go_method_of_the_same_name_in_two_types_is_not_told_apart() -> None:
    source = 'package a // godog\nfunc f() { s.Step("x", m.y) }\nfunc (m *m) y() { }\nfunc (n *n) y() { }'
    definition = only(read(".go", source))
    assert definition.function is None
    assert definition.function_name == "y"


@pytest.mark.parametrize(
    ("argument", "kind", "anchoring", "expression"),
    [
        ('"a.b"', "literal", Anchoring.FULL, "a.b"),
        ('expr = "a {int}"', "cucumber", Anchoring.FULL, "a {int}"),
        ('regex = "a\\\\d"', "regex", Anchoring.SEARCH, r"a\d"),
        ('regex = r##"a "#b"##', "regex", Anchoring.SEARCH, 'a "#b'),
        ('"a \\\n     b\\u{e4}"', "literal", Anchoring.FULL, "a bä"),
    ],
)
def test_rust_attributes(argument: str, kind: str, anchoring: Anchoring, expression: str) -> None:
    definition = only(read(".rs", f"#[then({argument})]\nfn a(w: &mut W) {{}}\n"))
    assert (definition.kind, definition.anchoring, definition.expression) == (kind, anchoring, expression)
    assert definition.keyword_types == {"then"}


def test_latin_1_source_is_read_but_never_rewritten() -> None:
    source = 'import io.cucumber.java.en.*;\nclass A { @Given("caf\xe9") void a() {} }'.encode("latin-1")
    definition = only(base.extract("A.java", source))
    assert definition.expression == "café"
    assert not definition.rewritable


@pytest.mark.parametrize("types", ["extra_types=EXTRA", "EXTRA", '{"Count": counted}', "dict(Count=counted), True"])
def test_types_of_a_pytest_bdd_parser(types: str) -> None:
    source = (
        "from pytest_bdd import given, parsers\nEXTRA = {'Count': counted}\n"
        f"@given(parsers.parse('{{count:Count}} apples', {types}))\ndef stock(count):\n    pass\n"
    )
    file = read(".py", source)
    assert [parameter_type.name for parameter_type in file.parameter_types] == ["Count"]
    assert only(file).expression == "{count:Count} apples"


@pytest.mark.parametrize(
    ("assigned", "expression"),
    [
        ("TEXT = 'I go'\nif CI:\n    TEXT = 'I walk'", "I go"),  # the default
        ("TEXT = 'I go'\ntry:\n    from other import x\nexcept ImportError:\n    TEXT = 'I walk'", "I go"),
        ("if CI:\n    TEXT = 'I go'\nelse:\n    TEXT = 'I walk'", None),
        ("if CI:\n    TEXT = 'I go'", "I go"),
        ("if CI:\n    TEXT = 'I walk'\nTEXT = 'I go'", None),
        ("TEXT = 'I go'\nTEXT = 'I walk'", None),
    ],
)
def test_a_constant_of_python_that_is_assigned_again(assigned: str, expression: str | None) -> None:
    file = read(".py", f"from behave import given\n{assigned}\n@given(TEXT)\ndef a(context): ...\n")
    assert [definition.expression for definition in file.definitions] == ([expression] if expression else [])
    assert bool(file.errors) == (expression is None)


@pytest.mark.parametrize(
    ("keyword", "method", "parameters", "sentence"),
    [
        ("Then", "Then_the_basket_holds_P0_apples", ["n"], "the basket holds {n} apples"),
        ("When", "WhenWHOTakesCOUNTApples", ["who", "count"], "{who} takes {count} apples"),
        ("When", "Wenn_etwas_passiert", [], "etwas passiert"),
        ("Given", "GivenTheMachineIsReady", [], "the machine is ready"),
    ],
)
def test_a_method_name_is_shown_as_a_sentence(keyword: str, method: str, parameters: list[str], sentence: str) -> None:
    typed = ", ".join(f"string {name}" for name in parameters)
    source = f"using Reqnroll;\n[Binding] class A {{ [{keyword}] public void {method}({typed}) {{ }} }}\n"
    definition = only(read(".cs", source))
    assert definition.shown == sentence
    assert definition.expression != sentence


ALIASES = [
    (".php", "<?php\nuse Behat\\Step\\Then as Alors;\nclass A {\n #[Alors('it is')] public function a() {}\n}\n"),
    (".php", "<?php\nuse Behat\\Step as S;\nclass A {\n #[S\\Then('it is')] public function a() {}\n}\n"),
    (".php", "<?php\nuse Behat\\Step\\{Given, Then as T};\nclass A {\n #[T('it is')] public function a() {}\n}\n"),
    (".kt", 'import io.cucumber.java.en.Then as T\nclass A {\n @T("it is") fun a() {}\n}\n'),
    (".kt", 'import io.cucumber.java.de.Dann as `D`\nclass A {\n @D("it is") fun a() {}\n}\n'),
    (".cs", 'using Dann = Reqnroll.ThenAttribute;\n[Binding] class A { [Dann("it is")] public void B() { } }\n'),
    (".cs", 'global using D = global::Reqnroll.ThenAttribute;\n[Binding] class A { [D("it is")] void B() { } }\n'),
    (".rs", 'use cucumber::{given, then as t};\n#[t("it is")] fn a(w: &mut World) {}\n'),
    (".rs", 'use cucumber::then as t;\n#[t("it is")] fn a(w: &mut World) {}\n'),
    (".py", "from behave import then\nt = then\n@t('it is')\ndef a(context): pass\n"),
    (".py", "import behave\nt = behave.then\n@t('it is')\ndef a(context): pass\n"),
    (".py", "from pytest_bdd import then as t\n@t('it is')\ndef a(): pass\n"),
    (
        ".py",
        "import functools\nfrom pytest_bdd import then\nt = functools.partial(then, target_fixture='x')\n"
        "@t('it is')\ndef a(): pass\n",
    ),
    (".rb", "# cucumber\nalias Danach Then\nDanach('it is') { }\n"),
    (".rb", "# cucumber\nalias_method :Danach, :Then\nDanach('it is') { }\n"),
    (".js", "const { Then } = require('@cucumber/cucumber')\nconst T = Then\nT('it is', () => {})\n"),
    (".ts", "import { Then as T } from '@cucumber/cucumber'\nT('it is', () => {})\n"),
    (".kt", 'import io.cucumber.java.en.*\ntypealias Dann = Then\nclass A {\n @Dann("it is") fun a() {}\n}\n'),
    (".kt", 'import io.cucumber.java8.*\nclass A : En, De {\n init { Dann("it is") { } }\n}\n'),
    (".java", 'import io.cucumber.java8.*;\nclass A implements En, De {\n A() { Dann("it is", () -> {}); }\n}\n'),
    (".kt", 'typealias D = io.cucumber.java.en.Then\nclass A {\n @D("it is") fun a() {}\n}\n'),
    (".cs", 'using R = Reqnroll;\n[R.Binding] class A { [R::ThenAttribute("it is")] void B() { } }\n'),
    (".js", "const cuke = require('@cucumber/cucumber')\nconst a = 1, t = cuke.Then\nt('it is', () => {})\n"),
    (".js", "var T = require('@cucumber/cucumber').Then\nT('it is', () => {})\n"),
    (".js", "import { then } from 'cypress-cucumber-preprocessor/steps'\nthen('it is', () => {})\n"),
    (".js", "const { given, then } = require('cypress-cucumber-preprocessor/steps')\nthen('it is', () => {})\n"),
    (".js", "import { then as t } from 'cypress-cucumber-preprocessor/steps'\nt('it is', () => {})\n"),
]


@pytest.mark.parametrize(("suffix", "source"), ALIASES, ids=[f"{row[0]} {n}" for n, row in enumerate(ALIASES)])
def test_keywords_under_other_names(suffix: str, source: str) -> None:
    definition = only(read(suffix, source))
    assert definition.expression == "it is"
    if definition.keyword_types:
        assert definition.keyword_types == {"then"}


def test_a_name_that_typescript_is_told_of_is_global() -> None:
    source = "declare const given: any\ngiven('a', () => { cy.get('b') })\n"
    assert only(read(".ts", source)).expression == "a"


def test_a_promise_is_no_step() -> None:
    source = "import { given } from 'cypress-cucumber-preprocessor/steps'\nx.then('a', () => {}); then('b', () => {})\n"
    assert not read(".js", source).definitions


def test_turnip() -> None:
    source = (
        "step 'there is a monster called :name' do |name|\nend\n"
        "steps_for :admin do\n  step 'I am/was in' do\n  end\nend\nstep 'used, not defined'\n"
    )
    first, second = read(".rb", source).definitions
    assert (first.kind, first.framework, first.expression) == ("turnip", "turnip", "there is a monster called :name")
    assert (second.expression, [limit.tags for limit in second.limits]) == ("I am/was in", ["@admin"])
    matcher = compile_definition(first, {}).matcher
    assert matcher is not None
    assert matcher.match('there is a monster called "Bob X"') is not None
    assert matcher.match("There is a monster called x") is None


@pytest.mark.parametrize(
    ("expression", "text", "is_bound"),
    [
        (r"I run:\n{code}", "I run:", True),
        (r"I run:\n{code}", "I run: x", False),
        ("the rows are:{}", "the rows are:", True),
        ("the rows are:{}", "the rows are: a, b", True),
        ("the colour is {name}", "the colour is", False),
        (r"{name} runs:\n{code}", "Bob runs:", True),
    ],
)
def test_lines_below_a_step_are_its_text_in_pytest_bdd(expression: str, text: str, is_bound: bool) -> None:
    source = "from {0} import given{1}\n@given({2}'{3}'{4})\ndef f(code): pass\n"
    definition = only(read(".py", source.format("pytest_bdd", ", parsers", "parsers.parse(", expression, ")")))
    matcher = compile_definition(definition, {}).matcher
    assert matcher is not None
    assert (matcher.match(text) is not None) is is_bound
    if text.endswith(":"):
        matcher = compile_definition(only(read(".py", source.format("behave", "", "", expression, ""))), {}).matcher
        assert matcher is not None
        assert matcher.match(text) is None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^#{capture_model} exists?(?: with #{capture_fields})?$", 'the user "Bob" exists with name: "B", age: 3'),
        ("^#{capture_model} should be #{capture_model}$", "the first user should be that admin"),
        (r"^(\d+) #{capture_plural_factory} exist$", "3 blue cars exist"),
        ("^#{capture_model} is #{capture_predicate}$", "I is quite happy"),
        ("^#{capture_email} should be sent$", "the 2nd email should be sent"),
    ],
)
def test_pickle_in_a_regex(pattern: str, text: str) -> None:
    definition = only(read(".rb", f"Given(/{pattern}/) do |a|\nend\n"))
    assert not definition.rewritable
    matcher = compile_definition(definition, {}).matcher
    assert matcher is not None
    assert matcher.match(text) is not None
    assert not read(".rb", "Given(/^#{unknown} a$/) do |a|\nend\n").definitions


RUBY_ARRAYS = r"""
PAGES = %w(home cart).join('|')
WORDS = %w[foo b.r].freeze
module K; COLORS = ['red', 'blue']; end
Given(/^I am on the (#{PAGES}) page$/) { |x| }
Given(/^say #{Regexp.union(WORDS)} (#{WORDS.join("|")})$/) { |x| }
Given(/^(#{K::COLORS.join('|')}) (#{'\d' + '+'})$/) { |c, n| }
Given(/^#{Regexp.union('a+', 'b')} (#{names.join('|')})$/) { |c| }
ANY = '(?<n>x|y)'.gsub(/<[a-z]+>/, ':')
Given(/^take #{ANY} of (#{'a-b-c'.sub('-', '|').freeze})$/) { |c| }
Given(/^give #{'a1'.gsub(/(\d)/, '\\1')}$/) { |c| }
Given(/^I see (#{%W(a #{B}).join('|')})$/) { |c| }
Given(/^I hear (#{%w(a\ b c).join('|')})$/) { |c| }
"""


def test_arrays_that_are_joined_in_a_regex() -> None:
    file = read(".rb", RUBY_ARRAYS)
    assert [definition.expression for definition in file.definitions] == [
        "^I am on the (home|cart) page$",
        r"^say (?:foo|b\.r) (foo|b.r)$",
        r"^(red|blue) (\d+)$",
        "^take (?:x|y) of (a|b-c)$",
    ]
    assert len(file.errors) == 4


def test_a_decorator_that_a_class_holds() -> None:
    source = (
        "from pytest_bdd import then, parsers\nclass Steps:\n    @staticmethod\n    def shown(text):\n"
        "        return then(parsers.parse(text))\n    @classmethod\n    def known(cls, text):\n"
        "        return then(text)\n@Steps.shown('I see {x}')\n@Steps.known('I see it')\ndef a(x): pass\n"
    )
    rows = [(definition.kind.value, definition.expression) for definition in read(".py", source).definitions]
    assert rows == [("parse", "I see {x}"), ("literal", "I see it")]


def test_a_shorthand_entry_is_the_constant_of_its_name() -> None:
    source = "const eat = 'I eat', drink = drinks()\nconst said = { eat, drink }\n"
    source += "When(said.eat, () => {})\nWhen(said.drink, () => {})\n"
    file = read(".js", f"const {{ When }} = require('@cucumber/cucumber')\n{source}")
    assert [definition.expression for definition in file.definitions] == ["I eat"]
    assert len(file.errors) == 1
