"""Plans: changes, steps left out, refusals. Each situation is a suite of a few lines."""

from dataclasses import replace

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor.check import check
from cukereuse_engine.refactor.edits import ChangedFileError
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import Outcome, ReadSuites, RefusedPlanError
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.refactor.target import TargetError
from tests.refactor.conftest import BEHAVE, behave, feature, outcomes, plan


def test_members_move_to_the_definition_that_says_the_target_already(memory):
    files = memory(
        {
            "a.feature": feature('I log in as "ann"', 'I sign in as "ben"', 'I sign in as "<eve>"'),
            "s.py": behave('I log in as "{name}"', 'I sign in as "{user}"'),
        }
    )
    planned = plan(files, 'I sign in as "ben"', 'I log in as "ann"', move=True)
    assert outcomes(planned) == {
        'I log in as "{name}"': Outcome.TARGET,
        'I sign in as "{user}"': Outcome.UNUSED,
    }
    assert [file.path for file in planned.files] == ["a.feature"]
    after = files.applied(planned)
    assert after.text("a.feature") == feature('I log in as "ann"', 'I log in as "ben"', 'I log in as "<eve>"')


@pytest.mark.parametrize("taking", [False, True])
def test_a_step_with_a_table_moves_to_a_function_that_takes_one(memory, taking):
    table = "\n      | n |"
    known = 'I log in as "ann"' + (table if taking else "")
    files = memory(
        {
            "a.feature": feature(known, 'I sign in as "ben"' + table),
            "s.py": behave('I log in as "{name}"', 'I sign in as "{user}"').replace("    pass", "    go(1)", 1),
        }
    )
    planned = plan(files, 'I sign in as "ben"', 'I log in as "ann"', move=True)
    assert bool(planned.files) is taking
    assert [left.reason for left in planned.left_out] == (
        [] if taking else ["no step with a table binds to f0 (s.py:4) yet, so its function may not take one"]
    )


def test_a_definition_without_uses_is_removed_when_asked_for(memory):
    source = behave('I log in as "{name}"', 'I sign in as "{user}"', "I wait")
    files = memory({"a.feature": feature('I log in as "ann"', 'I sign in as "ben"', "I wait"), "s.py": source})
    planned = plan(files, 'I sign in as "ben"', 'I log in as "ann"', remove_unused=True, move=True)
    assert outcomes(planned)['I sign in as "{user}"'] is Outcome.REMOVED
    removed = "@given('I sign in as \"{user}\"')\ndef f1(*_, **k):\n    pass\n\n\n"
    assert files.applied(planned).text("s.py") == source.replace(removed, "")


def test_edits_after_which_a_source_no_longer_parses_do_not_hold(memory):
    source = "Given(\n  /^I rest$/,\n  () => rest(),\n);\n\nGiven('I wait', () => wait());\n"
    files = memory({"a.feature": feature("I rest", "I wait"), "s.js": source})
    planned = plan(files, "I rest", "I wait", remove_unused=True, move=True)
    assert files.applied(planned).text("s.js") == "Given('I wait', () => wait());\n"
    (move,) = planned.moves
    assert (move.before.line, move.after.line) == (2, 6), "where they stand before it is removed"
    steps, glue = planned.files
    (edit,) = glue.edits
    left = "Given("
    kept = replace(edit, start=edit.start + len(left), column=1 + len(left), old=edit.old.removeprefix(left))
    workspace = files.workspace()
    assert not check(workspace, planned.files, move=True).breakages
    (breakage,) = check(workspace, [steps, replace(glue, edits=(kept,))], move=True).breakages
    assert breakage.reason == "s.js would no longer parse"


def test_every_step_of_a_rewritten_definition_changes(memory):
    """Its other wordings change too: otherwise they would be undefined."""
    files = memory(
        {
            "a.feature": feature("I go to the home page", "I go to the cart page"),
            "b.feature": feature('I go to the "big bag" page'),
            "s.py": behave("I go to the {page} page"),
        }
    )
    planned = plan(files, "I go to the home page", "I open the {page} page")
    after = files.applied(planned)
    assert "I open the home page" in after.text("a.feature")
    assert "I open the cart page" in after.text("a.feature")
    assert 'I open the "big bag" page' in after.text("b.feature")
    assert "@given('I open the {page} page')" in after.text("s.py")


def test_the_words_elsewhere_stay(memory):
    text = (
        "Feature: I wait\n  I wait here\n\n  # I wait\n  Scenario: I wait\n    Given I wait\n      | I wait |\n"
        '    Given I say:\n      """\n      Given I wait\n      """\n'
    )
    files = memory({"a.feature": text, "s.py": behave("I wait", "I say:")})
    planned = plan(files, "I wait", "I rest")
    assert files.applied(planned).text("a.feature") == text.replace(
        "    Given I wait\n      |", "    Given I rest\n      |"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Feature: F\r\n\tScenario: S\r\n\t\tGiven  I wait \t\r\n", b"I wait"),
        (b"\xef\xbb\xbfFeature: F\n Scenario: S\n  Given I wait", b"I wait"),
        ("Feature: F\n Scenario: S\n  Given I wait\u2028\n".encode("utf-16"), "I wait".encode("utf-16-le")),
        ("# encoding: latin-1\nFeature: \xe9\n Scenario: S\n  Given I wait\n".encode("latin-1"), b"I wait"),
        (b"Feature: F\r Scenario: S\r  * I wait\r", b"I wait"),
    ],
)
def test_all_other_bytes_stay(before, after, memory):
    files = memory({"a.feature": before})
    planned = plan(files, files.workspace().texts[0].text, "I rest")
    step = next(iter(files.workspace().files.values())).steps[0].text
    encoded = "I rest".encode("utf-16-le" if before.startswith((b"\xff", b"\xfe")) else "utf-8")
    content = step.encode("utf-16-le") if before.startswith((b"\xff", b"\xfe")) else step.encode()
    assert files.applied(planned).contents["a.feature"] == before.replace(content, encoded)
    assert after in content


def test_what_an_encoding_can_t_hold_is_refused(memory):
    files = memory({"a.feature": b"# encoding: latin-1\nFeature: F\n Scenario: S\n  Given I wait\n"})
    with pytest.raises(ChangedFileError, match="can't hold"):
        plan(files, "I wait", "I wait 中")


def test_without_step_definitions_a_person_must_confirm(memory):
    planned = plan(memory({"a.feature": feature("I wait")}), "I wait", "I rest")
    assert planned.confirmation_needed
    assert "no step definitions are known" in planned.warnings[0]
    undefined = plan(memory({"a.feature": feature("I wait"), "s.py": behave("I go")}), "I wait", "I rest")
    assert undefined.confirmation_needed
    assert "no step definition matches" in undefined.warnings[0]


def test_an_undefined_step_takes_the_words_of_a_definition_if_steps_may_move(memory):
    files = memory({"a.feature": feature("I sign in", "I log in"), "s.py": behave("I sign in")})
    refused = plan(files, "I log in", "I sign in")
    assert not refused.files
    assert "allow it with --move" in refused.left_out[0].reason
    after = files.applied(plan(files, "I log in", "I sign in", move=True))
    assert (after.text("a.feature"), after.text("s.py")) == (feature("I sign in", "I sign in"), files.text("s.py"))


def test_a_file_that_can_t_be_read_is_told(memory):
    contents = {"a.feature": feature('I add "tea"'), "s.py": behave('I add "{what}"')}
    target = ('I add "tea"', 'I take "{1}"')
    assert plan(memory(contents), *target).warnings == ()
    warnings = plan(memory({**contents, "b.feature": b"Feature: \xff\xfe\x80\n"}), *target).warnings
    assert warnings == ("no step can be read in b.feature: that part is not renamed",)


def test_members_that_can_t_be_mapped_are_left_out_with_the_reason(memory):
    files = memory(
        {
            "a.feature": feature('I have "tea"', 'I hold "tea" and "milk"', "I own tea"),
            "s.py": behave('I have "{a}"', 'I hold "{a}" and "{b}"', "I own tea"),
        }
    )
    clusters = [['I have "tea"', 'I hold "tea" and "milk"', "I own tea"]]
    planned = plan(files, 'I have "tea"', "I drink {1}", clusters)
    assert [(group.text, group.reason) for group in planned.left_out] == [
        (
            'I hold "tea" and "milk"',
            'it has 2 arguments ("tea", "milk"), the target has 1 slot; add {2} to the target',
        ),
        ("I own tea", "it has no argument, the target needs 1; take {1} out of the target"),
    ]
    assert planned.occurrences == 1
    nothing = plan(files, 'I have "tea"', "I drink")
    assert [len(group.steps) for group in nothing.left_out] == [1]
    assert not nothing.files


def test_a_guard_keeps_members_apart(memory):
    files = memory({"a.feature": feature("the box is open", "the box is not open")})
    planned = plan(files, "the box is open", "the lid is up", [["the box is open", "the box is not open"]])
    assert [(group.text, group.reason) for group in planned.left_out] == [
        ("the box is not open", "kept apart: one says the opposite of the other")
    ]


def test_one_definition_by_several_rows_of_an_outline(memory):
    text = (
        "Feature: F\n  Scenario Outline: S\n    Given I put <count> into my <what> bag\n\n"
        "    Examples:\n      | count | what |\n      | 1     | big  |\n      | 22    | odd  |\n"
    )
    files = memory({"a.feature": text, "s.py": behave("I put {n:d} into my {what} bag")})
    planned = plan(files, "I put <count> into my <what> bag", "my {what} bag gets {n}")
    assert "Given my <what> bag gets <count>\n" in files.applied(planned).text("a.feature")
    assert "'my {what} bag gets {n:d}'" in files.applied(planned).text("s.py")


@pytest.mark.parametrize(
    ("steps", "source", "target", "message"),
    [
        # positional arguments in another order
        (['I pay "a" to "b"'], "Given('I pay {string} to {string}') { |*all| }\n", "{2} gets {1}", "the order of"),
        # not one plain literal
        (
            ["I wait"],
            "Given('I wait'.freeze) { }\nGiven(\"I #{'wait'}\") { }\n",
            "I rest",
            "not a plain string literal",
        ),
        (["I wait"], "Given(\"I #{'wait'}\") { }\n", "I rest", "not a plain string literal"),
        # another step would bind to the rewritten definition
        (["I wait", "I am here"], "Given(/I wait/) { }\nGiven(/^I am here$/) { }\n", "I am", "another step"),
        # groups that may take no part
        (['I see "x"'], 'Given(/^I( now)? see "([^"]*)"$/) { |n, x| }\n', "there is {1}", "keep 'I' or 'see'"),
    ],
)
def test_refused(steps, source, target, message, memory):
    files = memory({"a.feature": feature(*steps), "features/s.rb": source})
    before = dict(files.contents)
    with pytest.raises(RefusedPlanError, match=message) as refusal:
        plan(files, steps[0], target)
    assert refusal.value.steps
    assert files.contents == before


@pytest.mark.parametrize("thorough", [True, False])
@pytest.mark.parametrize(
    ("text", "occurrences"),
    [
        ("je me repose", 1),
        ("que je dors", 0),  # "Etant donné que " would be the keyword
        ("qu'il dort", 0),
    ],
)
def test_a_text_that_changes_the_keyword_is_left_out(text, occurrences, thorough, memory):
    files = memory({"a.feature": "# language: fr\nFonctionnalité: F\n  Scénario: S\n    Etant donné je dors\n"})
    workspace = files.workspace()
    planned = plan_rename(request_for(workspace, "je dors", text), workspace, thorough=thorough)
    assert planned.occurrences == occurrences
    assert all("read" in group.reason or "parsed" in group.reason for group in planned.left_out)


def test_a_wording_with_all_its_arguments_is_a_target(memory):
    source = (
        'Given(/^I add "([^"]*)"(?: in "([^"]*)")?$/) { |*x| }\nGiven(/^I put "([^"]*)" into "([^"]*)"$/) { |*x| }\n'
    )
    files = memory({"a.feature": feature('I add "a" in "b"', 'I put "c" into "d"'), "s.rb": source})
    planned = plan(files, 'I put "c" into "d"', 'I add "a" in "b"', move=True)
    assert files.applied(planned).text("a.feature") == feature('I add "a" in "b"', 'I add "c" in "d"')
    assert outcomes(planned)['^I add "([^"]*)"(?: in "([^"]*)")?$'] is Outcome.TARGET


def test_a_placeholder_may_bring_its_quotes_along(memory):
    text = 'Feature: F\n  Scenario Outline: S\n    Given I follow <link> now\n    And I follow "<x>" now\n'
    text += '    Examples:\n      | link  | x |\n      | "a b" | c |\n      | ""    | d |\n'
    files = memory({"a.feature": text, "s.rb": 'Given(/^I follow "([^"]*)"(?: in (\\w+))? now$/) { |x| }\n'})
    planned = plan(files, 'I follow "<x>" now', 'I click on "{1}"')
    after = files.applied(planned)
    assert after.text("a.feature") == text.replace("follow", "click on").replace(" now\n", "\n")
    assert after.text("s.rb") == 'Given(/^I click on "([^"]*)"(?: in (\\w+))?$/) { |x| }\n'


def test_planning_leaves_the_glue_as_it_was(memory):
    files = memory({"a.feature": feature("I wait", 'I pay "a"'), "s.py": behave("I wait", 'I pay "{x}"')})
    workspace = files.workspace()
    before = [workspace.glue.bind(step) for file in workspace.files.values() for step in file.steps]
    definitions = workspace.glue.definitions
    plan_rename(request_for(workspace, "I wait", "I rest"), workspace)
    assert workspace.glue.definitions == definitions
    assert [workspace.glue.bind(step) for file in workspace.files.values() for step in file.steps] == before
    assert not workspace.glue.texts_of(definitions[0].id) - {"I wait"}


def test_a_source_that_changed_since_it_was_read_is_refused(memory):
    files = memory({"a.feature": feature("I wait"), "s.py": behave("I wait")})
    workspace = files.workspace()
    files.contents["s.py"] = b"# new\n" + files.contents["s.py"]
    with pytest.raises(ChangedFileError, match="has changed"):
        plan_rename(request_for(workspace, "I wait", "I rest"), workspace)


def test_two_definitions_of_one_function_move_together(memory):
    source = BEHAVE + "\n\n@given('I wait')\n@given('I rest')\ndef f(context):\n    pass\n"
    files = memory({"a.feature": feature("I wait", "I rest", "I rest"), "s.py": source})
    planned = plan(files, "I rest", "I wait", remove_unused=True)
    assert outcomes(planned) == {"I rest": Outcome.UNUSED, "I wait": Outcome.TARGET}
    assert "serves other step definitions" in next(
        definition.note for definition in planned.definitions if definition.note
    )
    assert [file.path for file in planned.files] == ["a.feature"]


def test_many_files_plan_in_seconds(memory):
    """1,389 steps in 1,187 files, as the largest cluster of the corpus."""
    import time

    contents = {}
    for number in range(1187):
        steps = ['I send the request "/a/b" with 5 items'] * (1 + (number < 202)) + [f"step {number} of my own"] * 8
        contents[f"f{number}.feature"] = feature(*steps)
    contents["s.py"] = behave('I send the request "{path}" with {n:d} items', "step {n:d} of my own")
    workspace: ReadSuites = memory(contents).workspace()
    request = request_for(workspace, 'I send the request "/a/b" with 5 items', "I {{post}} {1} with {2} things")
    started = time.process_time()
    planned = plan_rename(request, workspace, thorough=False)
    assert time.process_time() - started < 4.0  # half a second on an idle core
    assert planned.occurrences == 1389
    assert len(planned.files) == 1188


def test_a_definition_that_swallows_the_new_words_is_rewritten(memory):
    """The target matches `(.+)$` already, but with more in the argument."""
    files = memory({"a.feature": feature("I pay with gold"), "s.rb": "Given(/^I pay with (.+)$/) { |x| }\n"})
    planned = plan(files, "I pay with gold", "I pay with {1} in hand")
    assert outcomes(planned) == {"^I pay with (.+)$": Outcome.REWRITTEN}
    assert files.applied(planned).text("s.rb") == "Given(/^I pay with (.+) in hand$/) { |x| }\n"


def test_one_expression_under_two_keywords_is_one_definition(memory):
    source = (
        'from behave import given, when\n\n\n@given(\'I wait "{n}"\')\n@when("I wait \\"{n}\\"")\n'
        "def f(context, n):\n    pass\n\n\n@when('I sit')\ndef g(context):\n    pass\n"
    )
    text = 'Feature: F\n  Scenario: S\n    Given I wait "1"\n    When I wait "2"\n    And I wait "3"\n'
    files = memory({"a.feature": text, "s.py": source})
    planned = plan(files, 'I wait "2"', "I rest {1}")
    after = files.applied(planned)
    assert after.text("a.feature") == text.replace("wait", "rest")
    assert after.text("s.py") == source.replace("I wait", "I rest").replace('"I rest \\"{n}\\""', "'I rest \"{n}\"'")
    assert [(definition.uses_before, definition.uses_after) for definition in planned.definitions] == [(3, 3)]


def test_a_target_that_begins_with_a_keyword_is_questioned(memory):
    files = memory({"a.feature": feature("I wait", "When I rest"), "s.py": behave("I wait", "When I rest")})
    with pytest.raises(TargetError, match="keyword Given") as error:
        plan(files, "I wait", "Given I rest")
    assert "'I rest'" in error.value.hint
    assert plan(files, "When I rest", "When I sleep").occurrences == 1


@pytest.mark.parametrize(
    ("language", "words", "target"),
    [
        ("ja", ("機能", "シナリオ", "前提"), "前提 待つ"),
        ("de", ("Funktionalität", "Szenario", "Angenommen "), "Wenn : ich warte"),
        ("fr", ("Fonctionnalité", "Scénario", "Soit "), "Étant donné qu'il pleut"),
    ],
)
def test_keywords_of_other_languages_are_questioned(language, words, target, memory):
    title, scenario, keyword = words
    text = f"# language: {language}\n{title}: F\n  {scenario}: S\n    {keyword}x y\n"
    files = memory({"a.feature": text, "s.py": behave("x y")})
    with pytest.raises(TargetError, match="begins with the keyword"):
        plan(files, "x y", target)


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\n"])
def test_what_may_end_a_line_is_refused(end, memory):
    files = memory({"a.feature": feature("I wait"), "s.py": behave("I wait")})
    with pytest.raises(TargetError, match="one line"):
        plan(files, "I wait", f"I{end}rest")


@pytest.mark.parametrize(
    ("named", "target", "after"),
    [
        ("it is not visible", "it is hidden", None),
        ("it is visible", "it is not hidden", None),
        ("it is visible", "it is shown", ["it is not shown", "it is shown"]),
        ("it is not visible", "it is not shown", ["it is not shown", "it is shown"]),
    ],
)
def test_a_step_that_was_named_says_what_was_asked(memory, named, target, after):
    """Its definition takes the denial as an argument, which stays."""
    source = "When(/^it is( not)? visible$/) { |no| }\n"
    files = memory({"a.feature": feature("it is not visible", "it is visible"), "s.rb": source})
    if after is None:
        with pytest.raises(RefusedPlanError, match=f"“{named}” would become"):
            plan(files, named, target)
    else:
        assert files.applied(plan(files, named, target)).text("a.feature") == feature(*after)


@pytest.mark.parametrize(
    ("other", "along"),
    [
        ('step "I eat :n figs" do |n|\n  other n\nend\n', True),
        ('steps_for :late do\n  step "I eat :n figs" do |n|\n    other n\n  end\nend\n', False),
        ('step "I eat :n plums" do |n|\n  other n\nend\n', False),
    ],
)
@pytest.mark.parametrize("name", ["a.rb", "z.rb"])
def test_methods_of_turnip_that_override_each_other_are_renamed_together(other, along, name, memory):
    """The order in which files are loaded tells which one counts."""
    eats = 'step "I eat :n figs" do |n|\n  eat n\nend\n'
    text = "Feature: f\n  Scenario: s\n    Given I eat 3 figs\n  @late\n  Scenario: t\n    Given I eat 4 plums\n"
    files = memory({"a.feature": text, "m.rb": eats, name: other})
    after = files.applied(plan(files, "I eat 3 figs", "I dine on {n} figs"))
    assert after.text("m.rb") == eats.replace("eat :n", "dine on :n")
    assert after.text(name) == (other.replace("eat :n", "dine on :n") if along else other)


@pytest.mark.parametrize(
    ("expression", "target", "is_refused"),
    [("I have", "I hold:", True), ("I have", "I hold", False), ("I have:", "I hold:", False)],
)
def test_the_colon_that_behave_drops_is_not_written_into_its_expression(expression, target, is_refused, memory):
    text = "Feature: f\n  Scenario: s\n    Given I have:\n      | a |\n"
    files = memory({"a.feature": text, "s.py": behave(expression)})
    if is_refused:
        with pytest.raises(RefusedPlanError, match="write the target without the colon"):
            plan(files, "I have:", target)
    else:
        assert f"'{target}'" in files.applied(plan(files, "I have:", target)).text("s.py").replace('"', "'")


@pytest.mark.parametrize(
    ("path", "source", "is_told"),
    [
        (
            "s.ts",
            "import { createBdd } from 'playwright-bdd';\n\nconst { Then } = createBdd();\n"
            "Then('it is( not) shown', async ({ page, $step }) => {\n  check(page, /is not/.test($step.title));\n});\n",
            True,
        ),
        (
            "S.cs",
            'using Reqnroll;\n\n[Binding]\npublic class S {\n  [Then(@"it is shown")]\n  public void Shown() {\n'
            "    Check(_context.StepContext.StepInfo.Text);\n  }\n}\n",
            True,
        ),
        (
            "s.js",
            "const { Then } = require('@cucumber/cucumber');\n"
            "Then('it is shown', function () {\n  const $step = $('.step');\n  check($step);\n});\n",
            False,
        ),
        ("s.py", "from behave import then\n\n\n@then('it is shown')\ndef shown(context):\n    check()\n", False),
    ],
)
def test_a_function_that_reads_the_text_of_its_step_is_told(memory, path, source, is_told):
    files = memory({"a.feature": "Feature: F\n  Scenario: S\n    Then it is shown\n", path: source})
    renamed = plan(files, "it is shown", "it is really shown")
    assert files.applied(renamed).text(path) != source
    assert any("reads the text of its step: check what it looks for" in said for said in renamed.warnings) is is_told


def test_a_column_with_several_values_stays_where_a_definition_has_the_placeholder_itself(memory):
    text = "Feature: F\n  Scenario Outline: S\n    Given I dig <depth> deep\n"
    text += "    Examples:\n      | depth |\n      | 1 |\n      | 2 |\n"
    source = (
        "import { describeFeature, loadFeature } from '@amiceli/vitest-cucumber';\n"
        "const feature = await loadFeature('./a.feature');\ndescribeFeature(feature, (f) => {\n"
        "  f.ScenarioOutline('S', (s) => {\n    s.Given('I dig <depth> deep', () => {});\n  });\n});\n"
    )
    files = memory({"a.feature": text, "a.spec.ts": source})
    renamed = files.applied(plan(files, "I dig <depth> deep", "I sow <depth> deep"))
    assert renamed.text("a.feature") == text.replace("dig", "sow")
    with pytest.raises(RefusedPlanError, match="keep all placeholders"):
        plan(files, "I dig <depth> deep", "I dig deep")


@pytest.mark.parametrize(
    ("name", "source", "expression"),
    [
        ("s.py", behave("I pick {n:d} figs", "I eat {n:d} figs"), "I pick {n:d} figs"),
        ("s.rb", "Given(/^I pick (\\d+) fig(?:s)?$/) { |n| n }\nGiven(/^I eat (\\d+) figs$/) { |n| n }\n", "FIRST"),
        ("s.js", "const { Given } = require('cucumber');\nGiven('I pick {int} fig(s)', (n) => n);\n", "FIRST"),
    ],
)
def test_the_expression_of_a_definition_names_its_steps(name, source, expression, memory):
    files = memory({"a.feature": feature("I pick 3 figs", "I eat 4 figs", "I pick 5 figs"), name: source})
    glue = files.workspace().glue
    own = glue.definitions[0].expression if expression == "FIRST" else expression
    renamed = files.applied(plan(files, own, "I gather {1} figs"))
    assert renamed.text("a.feature") == feature("I gather 3 figs", "I eat 4 figs", "I gather 5 figs")
    unused = memory({"a.feature": feature("I eat 4 figs"), name: source})
    with pytest.raises(CukereuseError, match="no step"):
        plan(unused, own, "I gather {1} figs")


def test_a_step_that_says_the_target_already_keeps_its_definition_in_use(memory):
    files = memory(
        {
            "a.feature": feature("I press the button 'Send'", 'I press on "Edit" button', 'I press on "Save" button'),
            "s.py": behave("I press the button 'Send'", 'I press on "{name}" button'),
        }
    )
    wordings = ["I press the button 'Send'", 'I press on "Edit" button']
    planned = plan(files, wordings[0], "I press the button {1}", [wordings], move=True, remove_unused=True)
    after = files.applied(planned)
    assert "I press the button 'Send'" in after.text("s.py")
    assert after.text("a.feature") == feature(
        "I press the button 'Send'", 'I press the button "Edit"', 'I press the button "Save"'
    )
    assert {change.definition.expression: change.uses_after for change in planned.definitions} == {
        'I press on "{name}" button': 2
    }
