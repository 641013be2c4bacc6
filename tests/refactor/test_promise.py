"""The promise of a rename: nothing else changes, everywhere or nowhere.

Random suites, and a matcher of a few lines that is independent of the product: the definitions are regular expressions
of JavaScript that mean the same in Python.
"""

import re
from itertools import combinations

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import extract_source
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import ReadSuites, RefusedPlanError
from cukereuse_engine.refactor.repository import joined
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from tests.refactor.conftest import feature

EXPRESSIONS = (
    r"^I see page 404$",
    r"^I see page 500$",
    r"^I see page (\d+) again$",
    r"^I see page (\d\d\d)$",
    r'^I click "OK"$',
    r'^I click "([^"]*)"$',
    r'^I click "(\w+)" and "OK"$',
    r"^I like",
    r"^(?:I|we) wait(?: for (\d+) hours)?$",
    r"^the (\w+) page is shown$",
    r"^the error page is shown$",
    r'^(.+) says "(.*)"$',
)
TEXTS = (
    "I see page 404",
    "I see page 500",
    "I see page 301",
    "I see page 404 again",
    'I click "OK"',
    'I click "Cancel"',
    'I click "Save" and "OK"',
    'I click "Save" and "Cancel"',
    "I like tea",
    "I wait",
    "we wait for 3 hours",
    "the error page is shown",
    "the home page is shown",
    'bob says "I see page 404"',
)
TARGETS = (
    "I see the not-found page",
    "I see page {1}",
    "I look at page {1} again",
    "I look at page 404",
    'I press "{1}"',
    "I press {1}",
    'I press "OK"',
    "I like it",
    "time goes by",
    "page {1} is there",
    'we hear "{2}" from {1}',
    '{1} tells "{2}"',
    "I see page 500",
    'I click "Cancel"',
    "the {1} page is there",
)

Contents = dict[str, str]


@st.composite
def suites(draw: st.DrawFn) -> Contents:
    """One or two suites with step definitions of their own, and some that both use."""
    files: Contents = {}
    for folder in draw(st.sampled_from([("a",), ("a", "b"), ("a", "b", "common")])):
        expressions = draw(st.lists(st.sampled_from(EXPRESSIONS), max_size=6, unique=True))
        lines = [f"Given(/{expression}/, function () {{}});" for expression in expressions]
        files[f"{folder}/steps.js"] = "const { Given } = require('@cucumber/cucumber');\n" + "\n".join(lines) + "\n"
        if folder != "common":
            texts = draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=8))
            steps = "".join(f"    Given {text}\n" for text in texts)
            files[f"{folder}/x.feature"] = f"Feature: F\n  Scenario: S\n{steps}"
    return files


def read(files: Contents) -> ReadSuites:
    """Each folder with a feature is a suite of its own; the sources of all are in reach of each."""
    sources = {path: extract_source(path, text.encode()) for path, text in files.items() if path.endswith(".js")}
    bindings = []
    for path, text in files.items():
        if not path.endswith(".feature"):
            continue
        file = read_bytes(path, text.encode())
        glue = Glue(path.partition("/")[0], sources)
        glue.update_feature(path, file.steps)
        steps: dict[str, list] = {}
        texts = {}
        for step in file.steps:
            normal = normalise(step.text)
            steps.setdefault(identity(normal), []).append(step)
            texts[normal] = StepText(normal, identity(normal), template(normal), 1)
        read_again = {name: text.encode() for name, text in files.items()}.__getitem__
        bindings.append(ReadSuites({path: file}, list(texts.values()), steps, glue, read_again))
    return joined(bindings)


Bound = list[tuple[str, int, str, list[tuple[tuple[str, int], tuple[str | None, ...]]]]]


def bound(files: Contents) -> Bound:
    """File, number and text of each step, and by file and number the matching definitions with their captures. Those of
    its own folder count; if there are none, those of `common`, or else those of the other folder."""
    defined: dict[str, list[str]] = {
        path: [line.partition("/")[2].rpartition("/")[0] for line in text.splitlines() if line.startswith("Given")]
        for path, text in files.items()
        if path.endswith(".js")
    }
    bindings: Bound = []
    for path, text in files.items():
        folder = path.partition("/")[0]
        lines = [line.strip() for line in text.splitlines()] if path.endswith(".feature") else []
        for number, step in enumerate(line[6:] for line in lines if line.startswith("Given ")):
            matches = [
                ((source, at), match.groups())
                for source, expressions in defined.items()
                for at, expression in enumerate(expressions)
                if (match := re.search(expression, step))
            ]
            own = [match for match in matches if match[0][0].startswith(f"{folder}/")]
            bindings.append((path, number, step, own or matches))
    return bindings


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(files=suites(), data=st.data(), target=st.sampled_from(TARGETS), move=st.sampled_from([False, False, True]))
def test_no_step_changes_whose_definition_was_not_asked_for(files, data, target, move):
    before = bound(files)
    source = data.draw(st.sampled_from(sorted({text for _, _, text, _ in before})))
    workspace = read(files)
    try:
        plan = plan_rename(request_for(workspace, source, target, move=move), workspace)
    except RefusedPlanError as error:
        event(f"refused: {error.kind[:30]}")
        return
    except CukereuseError as error:
        event(f"no request: {type(error).__name__}")
        return
    edited = {file.path: edited_bytes(file, files[file.path].encode()).decode() for file in plan.files}
    after = bound({**files, **edited})
    event("renamed" if edited else "nothing to rename")
    assert [row[:2] for row in before] == [row[:2] for row in after]
    asked = {name for _, _, text, matches in before if text == source for name, _ in matches}
    for (_, _, old, was), (_, _, new, now) in zip(before, after, strict=True):
        names = {name for name, _ in was}
        if old != new:
            assert asked & names or (not asked and not names) or (old == source), f"{old} -> {new}"
        if move and old != new:
            assert len(now) <= max(len(was), 1)
        elif was or old == new:
            assert now == was, f"{old} -> {new}"
        else:
            assert not now, f"{old} -> {new}: had no definition"
    any_definition = any("Given(" in text for text in files.values())
    for (_, _, old, was), (_, _, old2, was2) in combinations(before if any_definition else (), 2):
        shared = {name for name, _ in was} & {name for name, _ in was2}
        if old != old2 and not shared and not move:
            texts = [new for (_, _, text, _), (_, _, new, _) in zip(before, after, strict=True) if text in (old, old2)]
            assert len(set(texts)) > 1, f"{old} and {old2} read {texts[0]}"


JS = "const { Given } = require('@cucumber/cucumber');\n"


def script(*expressions: str) -> str:
    return JS + "".join(
        f"Given(/{expression}/, function f{number}() {{}});\n" for number, expression in enumerate(expressions)
    )


def renamed(files: Contents, source: str, target: str, **options) -> Contents:
    workspace = read(files)
    plan = plan_rename(request_for(workspace, source, target, **options), workspace)
    edited = {file.path: edited_bytes(file, files[file.path].encode()).decode() for file in plan.files}
    return {**files, **edited}


def test_a_literal_is_a_word():
    files = {
        "a/x.feature": feature("I see page 404", "I see page 500", "I see page 404"),
        "a/s.js": script("^I see page 404$", "^I see page 500$"),
    }
    assert renamed(files, "I see page 404", "I see the not-found page") == {
        "a/x.feature": feature("I see the not-found page", "I see page 500", "I see the not-found page"),
        "a/s.js": script("^I see the not-found page$", "^I see page 500$"),
    }


@pytest.mark.parametrize("move", [False, True])
def test_a_literal_of_another_wording_stays(move):
    """The texts are grouped, but a 503 is no 404."""
    files = {
        "a/x.feature": feature("I see page 404", "page 503 is shown", "page 404 is shown", "a page is shown"),
        "a/s.js": script("^I see page 404$", "^page 503 is shown$", "^page 404 is shown$", "^a page is shown$"),
    }
    texts = ["I see page 404", "page 503 is shown", "page 404 is shown", "a page is shown"]
    after = renamed(files, "I see page 404", "I see page 404", clusters=[texts], move=move, remove_unused=True)
    expected = ["I see page 404", "page 503 is shown", "page 404 is shown", "a page is shown"]
    if move:
        expected[2] = "I see page 404"
        assert after["a/s.js"] == script("^I see page 404$", "^page 503 is shown$", "", "^a page is shown$").replace(
            "Given(//, function f2() {});\n", ""
        )
    assert after["a/x.feature"] == feature(*expected)


def test_a_step_without_a_definition_does_not_get_two():
    files = {"a/x.feature": feature("I like tea"), "a/s.js": script("^I see page 500$", "^I see page (\\d+)$")}
    workspace = read(files)
    plan = plan_rename(request_for(workspace, "I like tea", "I see page 500", move=True), workspace)
    assert not plan.files
    assert "several step definitions would match it" in plan.left_out[0].reason


def test_what_another_suite_uses_changes_with_it():
    files = {
        "a/x.feature": feature("I wait"),
        "b/x.feature": feature("I wait", "I waited"),
        "common/s.js": script("^I wait(?:ed)?$"),
    }
    assert renamed(files, "I wait", "time passes", within=frozenset({"a/x.feature"})) == {
        "a/x.feature": feature("time passes"),
        "b/x.feature": feature("time passes", "time passes"),
        "common/s.js": script("^time passes$"),
    }


def test_what_another_suite_defines_for_itself_stays():
    files = {
        "a/x.feature": feature("I wait"),
        "b/x.feature": feature("I wait"),
        "a/s.js": script("^I wait$"),
        "b/s.js": script("^I wait$"),
    }
    after = renamed(files, "I wait", "time passes", within=frozenset({"a/x.feature"}))
    assert {path for path in files if files[path] != after[path]} == {"a/x.feature", "a/s.js"}
    assert renamed(files, "I wait", "time passes")["b/x.feature"] == feature("time passes")


def test_a_suite_that_can_t_follow_refuses_the_rename():
    """In the other suite, the new words are another step."""
    files = {
        "a/x.feature": feature("I wait"),
        "b/x.feature": feature("I wait"),
        "b/s.js": script("^time"),
        "common/s.js": script("^I wait$"),
    }
    with pytest.raises(RefusedPlanError, match=r"b/s\.js:2") as refused:
        renamed(files, "I wait", "time passes", within=frozenset({"a/x.feature"}))
    assert refused.value.steps


GO = "package a\n\nfunc Init(ctx *godog.ScenarioContext) {\n\tctx.Step(`^I wait$`, wait)\n\tctx.Step(`^I go$`, g)\n}\n"
JAVA = 'class A {\n    @Given("I wait") public void a() {}\n    @Given("I go") public void b() {}\n}\n'


def test_every_runner_of_a_feature_follows(tmp_path, monkeypatch):
    """The Java project has no features of its own, but uses those of the other."""
    monkeypatch.chdir(tmp_path)
    files = {
        "spec/x.feature": feature("I wait", "I go"),
        "spec/steps/s_test.go": GO,
        "java/S.java": "import io.cucumber.java.en.Given;\n" + JAVA,
        "other/O.java": "import io.cucumber.java.en.Given;\n" + JAVA.replace('"I go"', '"I fly"'),
        "other/y.feature": feature("I fly", "I wait"),
    }
    for project in ("java", "other"):
        (tmp_path / project).mkdir()
        (tmp_path / project / "pom.xml").write_text("<project/>")
    bindings = []
    sources = {path: extract_source(path, text.encode()) for path, text in files.items() if "feature" not in path}
    for path in ("spec/x.feature", "other/y.feature"):
        file = read_bytes(path, files[path].encode())
        glue = Glue(path.partition("/")[0], sources)
        glue.update_feature(path, file.steps)
        steps = {identity(step.text): [step] for step in file.steps}
        texts = [StepText(step.text, identity(step.text), template(step.text), 1) for step in file.steps]
        contents = {name: text.encode() for name, text in files.items()}
        bindings.append(ReadSuites({path: file}, texts, steps, glue, contents.__getitem__))
    workspace = joined(bindings)
    plan = plan_rename(request_for(workspace, "I wait", "time passes", within=frozenset({"spec/x.feature"})), workspace)
    assert [file.path for file in plan.files] == ["java/S.java", "spec/steps/s_test.go", "spec/x.feature"]


@pytest.mark.parametrize(
    ("expressions", "texts", "source", "target"),
    [
        # a function that happens to match the new words
        (["^I drink tea$", "^I like"], ["I drink tea", "I like milk"], "I drink tea", "I like tea"),
        # the same by words that are another step's
        (
            ['^the page has no text "([^"]*)"$', '^the page has no element "([^"]*)"$'],
            ['the page has no text "a"', 'the page has no element "b"'],
            'the page has no text "a"',
            'the page has no element "{1}"',
        ),
    ],
)
def test_a_move_is_never_silent(expressions, texts, source, target):
    files = {"a/x.feature": feature(*texts), "a/s.js": script(*expressions)}
    with pytest.raises(RefusedPlanError, match=r"a/s\.js:3\) instead of .*a/s\.js:2.*--move"):
        renamed(files, source, target)
    workspace = read(files)
    plan = plan_rename(request_for(workspace, source, target, move=True), workspace)
    assert [(move.before.line, move.after.line, len(move.steps)) for move in plan.moves] == [(2, 3, 1)]
    assert [file.path for file in plan.files] == ["a/x.feature"]


def test_a_move_keeps_the_arguments():
    """`(.+)` would capture the quotes too."""
    files = {
        "a/x.feature": feature('I call "ann"', "I phone bob"),
        "a/s.js": script('^I call "([^"]*)"$', "^I phone (.+)$"),
    }
    workspace = read(files)
    plan = plan_rename(request_for(workspace, 'I call "ann"', 'I phone "{1}"', move=True), workspace)
    assert not plan.files
    assert "different arguments" in plan.left_out[0].reason


def test_the_same_words_can_not_tell_another_order():
    files = {"a/x.feature": feature('I set "a" to "b"'), "a/s.js": script('^I set "([^"]*)" to "([^"]*)"$')}
    workspace = read(files)
    plan = plan_rename(request_for(workspace, 'I set "a" to "b"', 'I set "{2}" to "{1}"'), workspace)
    assert not plan.files
    assert "its arguments in another order; change other words too" in plan.left_out[0].reason


def test_a_merge_of_definitions_that_run_the_same_code():
    """It does not matter which of the two serves a step."""
    files = {
        "a/x.feature": feature('I add "tea"', 'I put "milk" in'),
        "a/s.js": JS
        + "Given('I add {string}', async (what) => {\n  await basket.add(what);\n  await basket.save();\n});\n"
        + "Given('I put {string} in', async (what) => {\n  await basket.add(what);\n  await basket.save();\n});\n"
        + "Given('I have {string}', async (what) => {\n  await basket.remove(what);\n  await basket.save();\n});\n",
    }
    after = renamed(files, 'I put "milk" in', "I add {1}")
    assert after["a/x.feature"] == feature('I add "tea"', 'I add "milk"')
    with pytest.raises(RefusedPlanError, match="another function"):
        renamed(files, 'I put "milk" in', "I have {1}")


def test_nothing_changes_where_the_step_that_was_named_does_not(memory):
    """Only another wording of its cluster would change."""
    texts = ["I fight 2 rats", "I fight some rats"]
    contents = {
        "a.feature": "Feature: F\n  Scenario: S\n" + "".join(f"    Given {text}\n" for text in texts),
        "s.rb": "Given('I fight {int} rats') { }\nGiven('I am strong') { }\n",
    }
    workspace = memory(contents).workspace()
    request = request_for(workspace, texts[0], "I am strong", clusters=[texts], move=True)
    with pytest.raises(RefusedPlanError, match="“I fight 2 rats” would keep its wording: the target keeps none"):
        plan_rename(request, workspace)


def test_a_table_is_not_given_to_a_function_that_takes_none(memory):
    """The step has no definition before, but its function would fail."""
    text = "Feature: F\n  Scenario: S\n    Given the beast is big\n      | a |\n    Given it is strong\n"
    workspace = memory({"a.feature": text, "s.rb": "Given('it is strong') { }\n"}).workspace()
    plan = plan_rename(request_for(workspace, "the beast is big", "it is strong", move=True), workspace)
    assert (plan.files, [wording.reason for wording in plan.left_out]) == (
        (),
        ["no step with a table binds to the function at s.rb:1 yet, so its function may not take one"],
    )
