"""Renames by generated phrasings in every kind of expression and every style of literal.

The language modules read and bind the result again: no part of the check is trusted.
"""

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import escape
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import Outcome, RefusedPlanError, RenameRequest
from cukereuse_engine.refactor.target import parse_target

BEHAVE = (
    "from behave import given, use_step_matcher\n\nEXTRA\n@given(LITERAL)\ndef buys(context, who, count):\n    pass\n"
)
PYTEST = "from pytest_bdd import given, parsers\n\n\n@given(parsers.EXTRA(LITERAL))\ndef buys(who, count):\n    pass\n"
SCRIPT = "const { Given } = require('@cucumber/cucumber');\n\nGiven(LITERAL, function (who, count) {});\n"
RUBY = "# frozen_string_literal: true\n\nGiven(LITERAL) do |who, count|\nend\n"
JAVA = """\
package steps;

import io.cucumber.java.en.Given;

public class Steps {
    @Given(LITERAL)
    public void buys(String who, int count) { }
}
"""
KOTLIN = """\
import io.cucumber.java.en.Given

class Steps {
    @Given(LITERAL)
    fun buys(who: String, count: Int) {}
}
"""
CSHARP = """\
using Reqnroll;

[Binding]
public class Steps
{
    [Given(LITERAL)]
    public void Buys(string who, int count) { }
}
"""
PHP_COMMENT = """\
<?php

class Steps implements Context
{
    /**
     * @Given LITERAL
     */
    public function buys($who, $count) {}
}
"""
PHP_ATTRIBUTE = """\
<?php

use Behat\\Step\\Given;

class Steps implements Context
{
    #[Given(LITERAL)]
    public function buys($who, $count) {}
}
"""
GO = """\
package shop

import "github.com/cucumber/godog"

func Init(ctx *godog.ScenarioContext) {
	ctx.Step(LITERAL, func(who string, count int) error { return nil })
}
"""
RUST = "use cucumber::given;\n\n#[given(EXTRALITERAL)]\nfn buys(world: &mut World, who: String, count: u32) {}\n"

REGEX = '^"([^"]*)" buys (\\d+) teas$'
ESCAPED = REGEX.replace("\\", "\\\\").replace('"', '\\"')
STYLES = {
    "behave-parse-single": ("s.py", BEHAVE, "", "'\"{who}\" buys {count:d} teas'"),
    "behave-parse-double": ("s.py", BEHAVE, "", '"\\"{who}\\" buys {count:d} teas"'),
    "behave-parse-raw": ("s.py", BEHAVE, "", "r'\"{who}\" buys {count:d} teas'"),
    "behave-parse-triple": ("s.py", BEHAVE, "", "'''\"{who}\" buys {count:d} teas'''"),
    "behave-cfparse": ("s.py", BEHAVE, 'use_step_matcher("cfparse")', "u'\"{who}\" buys {count:d} teas'"),
    "behave-re": ("s.py", BEHAVE, 'use_step_matcher("re")', 'r\'"(?P<who>[^"]*)" buys (?P<count>\\d+) teas\''),
    "behave-re-plain": ("s.py", BEHAVE, 'use_step_matcher("re")', f"'{REGEX}'"),
    "pytest-parse": ("s.py", PYTEST, "parse", "'\"{who}\" buys {count:d} teas'"),
    "pytest-cfparse": ("s.py", PYTEST, "cfparse", '"\\"{who}\\" buys {count:d} teas"'),
    "pytest-re": ("s.py", PYTEST, "re", 'r"\\"(?P<who>[^\\"]*)\\" buys (?P<count>\\d+) teas"'),
    "js-single": ("s.js", SCRIPT, "", "'{string} buys {int} teas'"),
    "js-double": ("s.js", SCRIPT, "", '"{string} buys {int} teas"'),
    "js-template": ("s.ts", SCRIPT, "", "`{string} buys {int} teas`"),
    "js-regex": ("s.js", SCRIPT, "", f"/{REGEX}/"),
    "ts-regex-flags": ("s.ts", SCRIPT, "", f"/{REGEX}/i"),
    "ruby-single": ("s.rb", RUBY, "", "'{string} buys {int} teas'"),
    "ruby-double": ("s.rb", RUBY, "", '"{string} buys {int} teas"'),
    "ruby-slashes": ("s.rb", RUBY, "", f"/{REGEX}/i"),
    "ruby-braces": ("s.rb", RUBY, "", f"%r{{{REGEX}}}"),
    "ruby-bars": ("s.rb", RUBY, "", f"%r|{REGEX}|"),
    "java-expression": ("S.java", JAVA, "", '"{string} buys {int} teas"'),
    "java-regex": ("S.java", JAVA, "", f'"{ESCAPED}"'),
    "java-slashes": ("S.java", JAVA, "", f'"/{ESCAPED}/"'),
    "kotlin-expression": ("S.kt", KOTLIN, "", '"{string} buys {int} teas"'),
    "kotlin-raw": ("S.kt", KOTLIN, "", f'"""{REGEX}"""'),
    "csharp-expression": ("S.cs", CSHARP, "", '"{string} buys {int} teas"'),
    "csharp-verbatim": ("S.cs", CSHARP, "", '@"""([^""]*)"" buys (\\d+) teas"'),
    "csharp-raw": ("S.cs", CSHARP, "", f'"""{REGEX}"""'),
    "php-turnip": ("S.php", PHP_COMMENT, "", ":who buys :count teas"),
    "php-comment-regex": ("S.php", PHP_COMMENT, "", f"/{REGEX}/"),
    "php-comment-tilde": ("S.php", PHP_COMMENT, "", f"~{REGEX}~u"),
    "php-attribute-single": ("S.php", PHP_ATTRIBUTE, "", f"'/{REGEX}/'"),
    "php-attribute-double": ("S.php", PHP_ATTRIBUTE, "", '"#' + ESCAPED.replace("$", "\\$") + '#i"'),
    "php-attribute-turnip": ("S.php", PHP_ATTRIBUTE, "", "':who buys :count teas'"),
    "go-raw": ("s_test.go", GO, "", f"`{REGEX}`"),
    "go-interpreted": ("s_test.go", GO, "", f'"{ESCAPED}"'),
    "rust-expression": ("s.rs", RUST, "expr = ", '"{string} buys {int} teas"'),
    "rust-raw": ("s.rs", RUST, "regex = ", f'r#"{REGEX}"#'),
    "rust-plain": ("s.rs", RUST, "regex = ", f'"{ESCAPED}"'),
}
"""Maps a name to the file, its source, what else the source needs, and the literal."""
FEATURE = """\
Feature: Shop

  Scenario: Tea
    Given "anna" buys 3 teas
    And "ben o'neil" buys 12 teas

  Scenario Outline: More tea
    Given "<who>" buys <count> teas

    Examples:
      | who | count |
      | eve | 7     |
      | a/b | 0     |
"""
ARGUMENTS = [("anna", "3"), ("ben o'neil", "12"), ("eve", "7"), ("a/b", "0")]

CHARACTERS = "abz XYZ 019_-'\"`\\/(){}[]|.$^*+?#@:;,<>&%~!=é中\N{GRINNING FACE}"
words = st.text(st.sampled_from(CHARACTERS), max_size=12)
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
ALLOWED = {"other arguments", "would be ambiguous"}
"""Reasons for phrasings whose arguments can't be separated from the words, which the check must refuse."""
UNSAYABLE = ("a Turnip pattern can't contain", "no string literal there can contain the text")


def source_of(style: str) -> tuple[str, str]:
    path, source, extra, literal = STYLES[style]
    return path, source.replace("EXTRA", extra).replace("LITERAL", literal)


@pytest.mark.parametrize("style", STYLES)
def test_the_style_binds_before_any_rename(style, memory):
    path, source = source_of(style)
    assert bound(memory({"a.feature": FEATURE, path: source})) == ARGUMENTS


def bound(files):
    """The bare arguments of each text in order; every step must bind to one definition."""
    workspace = files.workspace()
    bindings = []
    for file in workspace.files.values():
        for step in file.steps:
            binding = workspace.glue.bind(step)
            assert binding.status is Status.BOUND, (
                step.text,
                [definition.expression for definition in workspace.glue.definitions],
            )
            for text in binding.texts:
                (match,) = text.matches
                bindings.append(tuple((argument.value or "").strip('"') for argument in match.arguments))
    return bindings


def planned(request, files):
    """The plan or None, and the reason of a refusal."""
    try:
        return plan_rename(request, files.workspace()), ""
    except RefusedPlanError as error:
        return None, error.kind


@pytest.mark.parametrize("style", STYLES)
@settings(QUICK, max_examples=20)
@given(before=words, between=words, after=words, quoted=st.booleans())
def test_a_rename_keeps_every_argument(style, before, between, after, quoted, memory):
    path, source = source_of(style)
    files = memory({"a.feature": FEATURE, path: source})
    slot = '"{1}"' if quoted else "{1}"
    literal = [text.replace("{", "{{").replace("}", "}}") for text in (f"x{before} ", f" {between} ", f" {after}z")]
    target = parse_target(f"{literal[0]}{slot}{literal[1]}{{2}}{literal[2]}")
    plan, refusal = planned(RenameRequest(('"anna" buys 3 teas', '"ben o\'neil" buys 12 teas'), target), files)
    if plan is None:
        event("refused")
        assert refusal in ALLOWED or refusal.startswith(UNSAYABLE)
        return
    event("planned")
    assert [change.outcome for change in plan.definitions] == [Outcome.REWRITTEN]
    assert plan.occurrences == 3
    renamed = files.applied(plan)
    assert bound(renamed) == ARGUMENTS
    assert f'x{before} "anna" {between} 3 {after}z' in renamed.text("a.feature")


@pytest.mark.parametrize("style", STYLES)
@settings(QUICK, max_examples=25)
@given(text=st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=20))
def test_a_literal_reads_back_as_its_text(style, text, memory):
    path, source = source_of(style)
    (definition,) = memory({path: source}).workspace().glue.definitions
    prefix = {"regex": "^(\\d+)", "turnip": ":who ", "cucumber": "{string}"}.get(definition.kind, "{who}")
    try:
        text = prefix + escape(text.rstrip(), definition) + "x"
        literal = requote(definition, text)
    except UnwritableError as error:
        reason = str(error)
        event(reason)
        return
    rewritten = source.replace(definition.source_literal, literal)
    (again,) = memory({path: rewritten}).workspace().glue.definitions
    assert again.expression == text
    assert again.source_literal == literal


VARIANTS = (
    REGEX,
    '^"([^"]*)" buys (\\d+) teas(?: for (\\d+) euros)?(?:,? please)?$',
    '^(?:"([^"]*)") (?:buys|gets) (\\d+)(?: teas)$',
    '^("([^"]*)") buys (\\d+) teas$',
    '^"([^"]*|(?:x)+)" buys ([0-9]{1,9}|\\d+?) teas$',
    '^"(.*?)" buys (\\d+) (?:t(?:e)as|coffees)$',
)
"""Equivalent regular expressions: with optional, alternative and nested groups."""
KEYWORDS = {
    "en": ("Feature", "Background", "Scenario", "Scenario Outline", "Examples", "Given ", "* "),
    "fr": ("Fonctionnalité", "Contexte", "Scénario", "Plan du scénario", "Exemples", "Etant donné ", "Et que "),
    "zh-CN": ("功能", "背景", "场景", "场景大纲", "例子", "假如", "而且"),
    "em": ("📚", "💤", "📕", "📖", "📓", "😐", "😂"),
}


@st.composite
def dresses(draw: st.DrawFn) -> bytes:
    """The same steps in any language, with everything that may be around them."""
    language = draw(st.sampled_from(sorted(KEYWORDS)))
    feature, background, scenario, outline, examples, given_, and_ = KEYWORDS[language]
    indent = draw(st.sampled_from(["  ", "\t", "    ", ""]))
    trailing = draw(st.sampled_from(["", " ", "\t "]))
    between = draw(st.sampled_from(["", '# "anna" buys 3 teas', "\n\n"]))
    argument = draw(
        st.sampled_from(
            [
                "",
                f'{indent}"""\n{indent}{given_}"anna" buys 3 teas\n{indent}  | x |\n{indent}"""\n',
                f'{indent}| "anna" buys 3 teas | \\| |\n{indent}| b\\\\ | <who> |\n',
                f'{indent}```json\n{indent}{{"anna" buys 3 teas}}\n{indent}```\n',
            ]
        )
    )
    lines = [
        f"# language: {language}" if language != "en" or draw(st.booleans()) else "",
        f"{feature}: F",
        '"anna" buys 3 teas, says the description',
        "",
        f"{indent}{background}:",
        f'{indent}{given_}"bob" buys 1 teas{trailing}',
        "",
        f"{indent}@a @b # why",
        f'{indent}{scenario}: "anna" buys 3 teas',
        f'{indent}{given_}"anna" buys 3 teas{trailing}',
        between,
        f'{indent}{and_}"ben o\'neil" buys 12 teas{trailing}\n{argument}',
        f"{indent}{outline}: <who>",
        f'{indent}{given_}"<who>" buys <count> teas',
        f"{indent}{examples}:",
        f"{indent}| who | count |",
        f"{indent}| eve | 7 |",
        f"{indent}| a/b | 0 |",
    ]
    text = "\n".join(lines) + ("\n" if draw(st.booleans()) else "")
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    return text.replace("\n", newline).encode(encoding)


def outside(data: bytes, path: str) -> list[str]:
    """The text between the texts of the steps."""
    file = read_bytes(path, data)
    text = decode(data).text
    ends = [0, *(step.span.end for step in file.steps)]
    starts = [*(step.span.start for step in file.steps), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


@pytest.mark.parametrize("style", STYLES)
@settings(QUICK, max_examples=10)
@given(dress=dresses(), variant=st.sampled_from(VARIANTS), before=words, after=words, quoted=st.booleans())
def test_a_rename_in_any_dress(style, dress, variant, before, after, quoted, memory):
    assume(style != "ruby-bars" or "|" not in variant)  # its delimiter
    path, source = source_of(style)
    escaped = variant.replace("\\", "\\\\").replace('"', '\\"')
    source = source.replace(REGEX, variant).replace(ESCAPED, escaped)
    files = memory({"a.feature": dress, path: source})
    known = bound(files)
    slot = '"{1}"' if quoted else "{1}"
    literal = [text.replace("{", "{{").replace("}", "}}") for text in (f"x{before}", f"{after}z")]
    target = parse_target(f"{literal[0]} {slot} takes {{2}} {literal[1]}")
    plan, refusal = planned(RenameRequest(('"anna" buys 3 teas',), target), files)
    if plan is None:
        event("refused")
        assert refusal in ALLOWED or refusal.startswith(UNSAYABLE)
        return
    event(f"planned: {VARIANTS.index(variant)}" if variant in source or escaped in source else "planned")
    assert plan.occurrences == 4
    renamed = files.applied(plan)
    assert bound(renamed) == known
    assert outside(renamed.contents["a.feature"], "a.feature") == outside(dress, "a.feature")
    assert all(" takes " in step.text for step in renamed.workspace().files["a.feature"].steps)
