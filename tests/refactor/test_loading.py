"""The runner loads everything that a rename writes, which the test asks it if it is installed; otherwise the rename is
refused for the runner's reason."""

import pytest

from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.refactor.target import TargetError

BEHAVE = """\
from behave import given, use_step_matcher
use_step_matcher("%s")


@given(%s)
def step(context, *_):
    pass
"""
PYTEST = "from pytest_bdd import given, parsers\n\n\n@given(parsers.re(%s))\ndef step():\n    pass\n"
JAVA = "import io.cucumber.java.en.Given;\n\nclass S {\n    @Given(%s)\n    public void step() { }\n}\n"
CSHARP = "using Reqnroll;\n\n[Binding]\nclass S\n{\n    [Given(%s)]\n    public void Step() { }\n}\n"
PHP = "<?php\n\nclass S implements Context\n{\n    /**\n     * @Given %s\n     */\n    public function step() {}\n}\n"


def suite(*texts):
    return "Feature: f\n\n  Scenario: s\n" + "".join(f"    Given {text}\n" for text in texts)


def renamed(memory, path, source, target, *, old="old thing", texts=("old thing",)):
    files = memory({"a.feature": suite(*texts), path: source})
    workspace = files.workspace()
    after = files.applied(plan_rename(request_for(workspace, old, target), workspace))
    return after.text("a.feature"), [definition.expression for definition in after.workspace().glue.definitions]


@pytest.mark.parametrize(
    ("matcher", "target", "expression"),
    [
        ("re", "costs 5$", "costs 5[$]"),
        ("re", "costs 5\\$", "costs 5\\\\[$]"),
        ("re", "^ is a hat", "\\^ is a hat"),
        ("re", "costs $5", "costs \\$5"),
        ("re", "ends with \\", "ends with \\\\"),
        ("re0", "costs 5$", "costs 5\\$"),
        ("parse", "costs 5$", "costs 5$"),
        ("parse", "^ and {{x}}", "^ and {{x}}"),
    ],
)
def test_behave_loads_what_is_written(matcher, target, expression, memory):
    feature, (written,) = renamed(memory, "s.py", BEHAVE % (matcher, '"old thing"'), target)
    assert written == expression
    text = target.replace("{{", "{").replace("}}", "}")
    assert f"Given {text}\n" in feature
    matchers = pytest.importorskip("behave.matchers")
    classes = {"re": "SimplifiedRegexMatcher", "re0": "RegexMatcher", "parse": "ParseMatcher"}
    assert getattr(matchers, classes[matcher])(print, written).compile().check_match(text) is not None


@pytest.mark.parametrize(
    ("path", "source", "target", "expression"),
    [
        ("s.py", PYTEST % '"old thing"', "costs 5$", "costs 5\\$"),
        ("S.java", JAVA % '"^old thing$"', "costs 5$", "^costs 5\\$$"),
        ("S.cs", CSHARP % '"^old thing$"', "a.* b", "^a\\.\\* b$"),
        ("S.php", PHP % "old thing", "path a/b end", "path a\\/b end"),
        ("S.php", PHP % "old thing", "path a / b", "path a / b"),
        ("S.php", PHP % "old thing", "path a\\/b", "path a\\\\/b"),
        ("S.php", PHP % "old thing", "de :été", "de :été"),
        ("S.php", PHP % "old thing", "/b/c at the end", "\\/b\\/c at the end"),
        ("S.php", PHP % "old thing", "de l'é/à", "de l'é/à"),
    ],
)
def test_others_write_it_in_their_own_way(path, source, target, expression, memory):
    feature, written = renamed(memory, path, source, target)
    assert written == [expression]
    assert f"Given {target}\n" in feature


@pytest.mark.parametrize(
    ("path", "source", "target", "reason"),
    [
        ("S.java", JAVA % '"old thing"', "costs 5$", "not a Cucumber Expression, because it ends with $"),
        ("S.java", JAVA % '"old thing"', "^ is a hat", "not a Cucumber Expression, because it begins with ^"),
        (
            "S.cs",
            CSHARP % '"old thing"',
            "a.* b",
            "a regular expression, not a Cucumber Expression, because it contains .*",
        ),
        (
            "S.cs",
            CSHARP % '"old (?:.*)thing"',
            "a b",
            "not a regular expression, because it has no ^ before it and no $",
        ),
        ("S.php", PHP % "old thing", "{{x}}", "not a Turnip pattern, because it has braces around it"),
        ("S.php", PHP % "old thing", "#x#", "not a Turnip pattern, because it has # on both sides"),
        ("S.php", PHP % "old thing", "say :this", "a Turnip pattern can't contain : before a word, or parentheses"),
    ],
)
def test_a_refusal_says_what_the_runner_has_against_it(path, source, target, reason, memory):
    with pytest.raises(RefusedPlanError) as refused:
        renamed(memory, path, source, target)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("expression", "is_refused"), [("^old", True), ("old$", True), ("old\\$", True), ("old[$]", False)]
)
@pytest.mark.parametrize("matcher", ["re", "re0"])
def test_what_behave_refuses_is_told_where_glue_is_read(matcher, expression, is_refused, memory):
    source = BEHAVE % (matcher, f'r"{expression}"')
    (definition,) = memory({"s.py": source}).workspace().glue.definitions
    errors = [error.message for error in compile_definition(definition, {}).errors]
    assert errors == [] if matcher == "re0" or not is_refused else "behave adds ^ and $" in errors[0]
    matchers = pytest.importorskip("behave.matchers")
    if matcher == "re" and is_refused:
        with pytest.raises((ValueError, AssertionError)):
            matchers.SimplifiedRegexMatcher(print, expression)


ANOTHER = """

@given(r"%s")
def another(context, *_):
    pass
"""


@pytest.mark.parametrize(
    ("one", "other", "refused"),
    [
        ("I own ([^0-9]*) hats", "old (\\d+) thing", True),
        ("old (\\d+) thing", "I own ([^0-9]*) hats", False),
        ("I own (no|some) hats", "old (\\d+) thing", False),
    ],
)
def test_behave_stops_at_a_pattern_that_an_earlier_one_matches(one, other, refused, memory):
    """No step has both texts: only the pattern's own text shows it."""
    files = {
        "path": "s.py",
        "source": (BEHAVE % ("re", f'r"{one}"')) + ANOTHER % other,
        "target": "I own {1} hats",
        "old": "old 3 thing",
    }
    texts = ("old 3 thing", "I own some hats")
    if not refused:
        renamed(memory, **files, texts=texts)
        return
    with pytest.raises(RefusedPlanError, match="behave would not load"):
        renamed(memory, **files, texts=texts)


NAMED = BEHAVE % ("parse", '\'I add "{what}" to "{where}"\'')


@pytest.mark.parametrize(
    ("old", "target", "step"),
    [
        ('I add "{a}" to "{b}"', 'put "{b}" by "{a}"', 'put "y" by "x"'),
        ('I add "{where}" to "{what}"', 'put "{where}" by "{what}"', 'put "x" by "y"'),
        ('I add "{1}" to "{2}"', 'put "{where}" by "{what}"', 'put "y" by "x"'),
        ('I add "x" to "y"', 'put "{where}" by "{what}"', 'put "y" by "x"'),
        ('I add "x" to "y"', 'put "{2}" by "{1}"', 'put "y" by "x"'),
    ],
)
def test_a_named_slot_takes_the_argument_of_its_name(old, target, step, memory):
    feature, _ = renamed(memory, "s.py", NAMED, target, old=old, texts=('I add "x" to "y"',))
    assert f"Given {step}\n" in feature


@pytest.mark.parametrize(
    ("old", "target", "message"),
    [
        ('I add "{a}" to "{b}"', 'put "{b}" there', "{a} is missing"),
        ('I add "{2}" to "{1}"', 'put "{1}" by "{2}"', "numbered in order"),
    ],
)
def test_slots_that_would_take_another_argument_are_refused(old, target, message, memory):
    with pytest.raises(TargetError, match=message):
        renamed(memory, "s.py", NAMED, target, old=old, texts=('I add "x" to "y"',))


@pytest.mark.parametrize("old", ['I add "{a}" to "{where}"', 'I add "{1}" to "{2}"', 'I add "x" to "y"'])
def test_an_unknown_slot_is_none_of_the_arguments(old, memory):
    with pytest.raises((RefusedPlanError, TargetError), match="brace} in the target is none of the arguments"):
        renamed(memory, "s.py", NAMED, 'put "{where}" by "{brace}"', old=old, texts=('I add "x" to "y"',))
