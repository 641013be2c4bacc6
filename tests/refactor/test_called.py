"""A rename of a definition reports the steps that glue code runs itself."""

from dataclasses import replace

import pytest

from cukereuse_engine.refactor.calls import calls_in
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.request import request_for

RUBY = 'When(/^I add "([^"]*)"( twice)?$/) { |x, t| }\nWhen(/^I add (\\d+) more$/) { |n| }\nWhen(/^I fill up$/) do\n'
PYTHON = """\
from behave import when

@when('I add "{x}"')
def add(context, x): ...

@when('I add {n:d} more')
def more(context, n): ...

@when('I fill up')
def fill(context):
"""


TOLD = "code runs these steps by their old text; change it by hand: "


@pytest.mark.parametrize(
    ("path", "body", "after", "lines"),
    [
        ("s.rb", '  step %{I add "tea"}\n', '  step %{I buy "tea"}\n', []),
        ("s.rb", "  step 'I add \"tea\" twice'\n", "  step 'I buy \"tea\" twice'\n", []),
        (
            "s.rb",
            '  step(%(I add "#{tea}"))\n  step "I add \\"tea\\""\n  step "I add \\"#{tea}\\""\n',
            '  step(%(I add "#{tea}"))\n  step "I buy \\"tea\\""\n  step "I add \\"#{tea}\\""\n',
            [4, 6],
        ),
        ("s.rb", "  step 'I add \"Bob\\'s\"'\n", "  step 'I buy \"Bob\\'s\"'\n", []),
        ("s.rb", '  step "I add \\"a\\tb\\""\n', "", [4]),
        (
            "s.rb",
            '  steps %Q{\n    Given I add "tea"\n    And I add 3 more\n    * I add "#{x}" twice\n  }\n',
            '  steps %Q{\n    Given I buy "tea"\n    And I add 3 more\n    * I add "#{x}" twice\n  }\n',
            [7],
        ),
        ("s.rb", '  steps %{When I add "a"}\n', '  steps %{When I buy "a"}\n', []),
        ("s.rb", "  steps <<~S\n    Quando I add 'a'\n  S\n", "  steps <<~S\n    Quando I add 'a'\n  S\n", []),
        ("s.rb", '  steps <<~S\n    Quando I add "a"\n  S\n', '  steps <<~S\n    Quando I buy "a"\n  S\n', []),
        ("s.rb", '  Given %{I add "a"}\n', '  Given %{I buy "a"}\n', []),
        ("s.rb", "  step 'I add \"' + tea + '\"'\n", "", [4]),
        ("s.rb", "  step 'I add ' + tea + '!'\n  step 'I ' \\\n    'fill it'\n", "", []),
        ("s.rb", '  step %{I add "a"}\n  "#{x}.txt"\n', '  step %{I buy "a"}\n  "#{x}.txt"\n', []),
        ("s.rb", "  step 'I add \"a\"'\n  %w[a b].size\n", "  step 'I buy \"a\"'\n  %w[a b].size\n", []),
        ("s.rb", '  step %{I add 4 more}\n  # I add "a"\n  stepping "I add \\"a\\""\n', "", []),
        ("s.rb", '  # step %{} is not used\n  puts "I add nothing"\n', "", []),
        (
            "s.py",
            "    context.execute_steps(u'''\n        When I add \"a\"\n        And I add 2 more\n    ''')\n",
            "    context.execute_steps(u'''\n        When I buy \"a\"\n        And I add 2 more\n    ''')\n",
            [],
        ),
        (
            "s.py",
            "    context.execute_steps('When I add \"a\"')\n    context.execute_steps(f'Given I add \"{x}\"')\n",
            "    context.execute_steps('When I buy \"a\"')\n    context.execute_steps(f'Given I add \"{x}\"')\n",
            [12],
        ),
        ("s.py", "    execute_steps('Given I add \"%s\"' % x)\n    text = 'I add \"a\"'\n", "", [11]),
        ("s.py", "\n@step('I add \"a\"')\ndef other(context): ...\n", None, []),
        ("s.js", "step('I add \"a\"')\n", "", []),
        ("s.py", '    execute_steps("When I add \\"a\\"")\n', '    execute_steps("When I buy \\"a\\"")\n', []),
        ("s.py", "    execute_steps(r'When I add \"a\"')\n", "    execute_steps(r'When I buy \"a\"')\n", []),
        ("s.js", "Step(this, 'I add \"a\"')\n", "Step(this, 'I buy \"a\"')\n", []),
        ("s.js", 'Step(this, `I add "\\`"`)\n', 'Step(this, `I buy "\\`"`)\n', []),
    ],
)
def test_steps_that_code_runs(path, body, after, lines, memory):
    """Plain calls are renamed too, the places of others are reported."""
    source = {"s.rb": RUBY + body + "end\n", "s.py": PYTHON + body}.get(
        path, 'When("I add {string}", () => {});\n' + body
    )
    files = memory({"a.feature": 'Feature: F\n  Scenario: S\n    When I add "milk"\n', path: source})
    workspace = files.workspace()
    if after is None:  # a definition that matches a step by itself: no call of it
        assert not calls_in(path, source.encode())
        return
    plan = plan_rename(request_for(workspace, 'I add "milk"', 'I buy "milk"'), workspace)
    assert plan.definitions[0].new_expression
    assert files.applied(plan).text(path).endswith((after or body) + ("end\n" if path == "s.rb" else ""))
    warnings = [warning for warning in plan.warnings if warning.startswith(TOLD)]
    assert warnings == ([TOLD + ", ".join(f"{path}:{line}" for line in lines)] if lines else [])


@pytest.mark.parametrize(
    ("path", "source", "text"),
    [
        ("s.rb", "step 'I add ' + tea(1, 'x') + ' now'", "I add 1 now"),
        ("s.rb", 'step "I add " "tea"', "I add tea"),
        ("s.rb", 'step "I add " << tea', "I add a"),
        ("s.rb", 'step "I add #$tea"', "I add a"),
        ("s.py", "execute_steps(u'Given I add' + ' tea')", "I add tea"),
        ("s.py", "execute_steps('Given I wait\\n'\n  'When I add tea')", "I add tea"),
        ("s.py", 'execute_steps("Given I add " + str(n) + " now")', "I add 1 now"),
        ("s.py", "execute_steps(u'When I add tea ' u'twice')", "I add tea twice"),
        ("s.py", "execute_steps('When I add'  # what?\n  ' tea')", "I add tea"),
        ("s.py", "execute_steps('When I wait\\n' f'When I add {n}')", "I add {n}"),
        ("S.cs", 'class S : Steps { void M() { Given("I add " + tea + "."); } }', "I add a."),
        ("s.ts", "Step(this, 'I add ' + tea)", 'I add "a"'),
        ("s.php", "<?php return [new Given('I add ' . $this->tea . ' now')];", "I add a now"),
        ("s.php", '<?php return [new Given("I add $tea now")];', "I add 1 now"),
    ],
)
def test_what_is_joined_to_a_literal_runs_with_it(path: str, source: str, text: str):
    (call,) = [candidate for candidate in calls_in(path, source.encode()) if text in candidate.could_say()]
    assert not call.plain, "its literal alone is not the step"


def test_what_has_a_block_is_a_definition_of_turnip() -> None:
    source = b"module S\n  step 'I wait' do\n    step 'I sit'\n  end\n  step('I sit') { sit }\nend\n"
    assert [call.place for call in calls_in("s.rb", source)] == ["s.rb:3"]


@pytest.mark.parametrize(
    ("path", "call", "is_told"),
    [
        ("s.rb", 'step "I #{what} now"', True),
        ("s.rb", "step 'I ' + what", True),
        ("s.rb", "step 'I ' + what + ' later'", False),
        ("s.rb", 'step "#{what}"', False),
        ("s.rb", 'step "I wait #{long}"', True),
        ("S.cs", 'class T : Steps { void M() { Given($"I {what} now"); } }', True),
        ("s.php", 'return [new Given("I $what now")];', True),
        ("s.ts", "Step(this, `I ${what} now`)", True),
        ("s.py", "context.execute_steps(f'Given I {what} now')", True),
    ],
)
def test_a_text_put_together_that_could_be_a_step_is_told(path: str, call: str, is_told: bool, memory) -> None:
    definition = {
        "s.rb": "When('I wait now') { }\n",
        "S.cs": 'using Reqnroll;\n[Binding]\nclass S { [When("I wait now")] public void F() { } }\n',
        "s.php": "<?php\nclass C implements \\Behat\\Behat\\Context\\Context {\n  /** @When I wait now */\n"
        "  public function f() {}\n}\n",
        "s.ts": "import { When } from '@cucumber/cucumber';\nWhen('I wait now', () => {});\n",
        "s.py": "from behave import when\n@when('I wait now')\ndef f(context): ...\n",
    }[path]
    line = definition.count("\n") + 1
    files = memory({"a.feature": "Feature: F\n  Scenario: S\n    When I wait now\n", path: definition + call + "\n"})
    workspace = files.workspace()
    plan = plan_rename(request_for(workspace, "I wait now", "I stay now"), workspace)
    warnings = [warning for warning in plan.warnings if "builds texts" in warning]
    assert warnings == ([f"code builds texts that could be these steps; check {path}:{line}"] if is_told else [])


CSHARP = '''\
[Binding]
public class Steps : TechTalk.SpecFlow.Steps
{
    [Given("I add {string}")]
    public void Add(string what) { }

    [Given("I have a bag")]
    public void Bag()
    {
        Given("I add \\"tea\\"");
        Given(@"I add ""tea""");
        When("I add 'tea'");
        When("""I add 'rice'""");
    }
}
'''


def test_specflow(memory):
    files = memory({"a.feature": 'Feature: F\n  Scenario: S\n    Given I add "milk"\n', "S.cs": CSHARP})
    workspace = files.workspace()
    plan = plan_rename(request_for(workspace, 'I add "milk"', "I buy {1}"), workspace)
    after = files.applied(plan).text("S.cs")
    assert after == CSHARP.replace("I add", "I buy")
    assert not [warning for warning in plan.warnings if warning.startswith(TOLD)]


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("step 'I add tea'", "step 'I don\\'t add \"tea\"'"),
        ('step "I add tea"', 'step "I don\'t add \\"tea\\""'),
        ("step %{I add tea}", 'step %{I don\'t add "tea"}'),
    ],
)
def test_a_call_gets_the_quotes_that_the_new_words_have(source: str, after: str, memory) -> None:
    files = memory(
        {"a.feature": "Feature: F\n  Scenario: S\n    When I add tea\n", "s.rb": f"When('I add tea') {{ }}\n{source}\n"}
    )
    workspace = files.workspace()
    plan = plan_rename(request_for(workspace, "I add tea", 'I don\'t add "tea"'), workspace)
    assert files.applied(plan).text("s.rb").splitlines()[1] == after


def test_a_helper_without_step_definitions(memory):
    helper = "module Shopping\n  def shop\n    step 'I add \"tea\"'\n  end\nend\nWorld(Shopping)\n"
    contents = {
        "a.feature": 'Feature: F\n  Scenario: S\n    When I add "milk"\n',
        "features/s.rb": RUBY + "end\n",
        "features/support/env.rb": helper,
    }
    files = memory(contents)
    workspace = replace(files.workspace(), sources=lambda: [path for path in contents if path.endswith(".rb")])
    plan = plan_rename(request_for(workspace, 'I add "milk"', 'I buy "milk"'), workspace)
    assert files.applied(plan).text("features/support/env.rb") == helper.replace("I add", "I buy")
    assert "one call from code is renamed too" in plan.warnings


def test_a_definition_that_code_runs_is_not_removed(memory):
    files = memory(
        {
            "a.feature": 'Feature: F\n  Scenario: S\n    When I add "milk"\n    When I fill up\n',
            "s.rb": RUBY + '  step \'I add "tea"\'\nend\nWhen(/^I buy "([^"]*)"$/) { |x| }\n',
        }
    )
    workspace = files.workspace()
    request = request_for(workspace, 'I add "milk"', "I buy {1}", move=True, remove_unused=True)
    plan = plan_rename(request, workspace)
    assert [definition.note for definition in plan.definitions if definition.note] == ["code runs it: s.rb:4"]
    assert [file.path for file in plan.files] == ["a.feature"]


@pytest.mark.parametrize(
    ("path", "source", "called"),
    [
        ("a.rb", 'x = 1\n# step "no"\nGiven(/^;a"(.*)" z$/) do |a|\n  puts \'step "no"\'\nend\nstep "yes"\n', ["yes"]),
        ("a.rb", "=begin\nstep 'no'\n=end\nputs \"#{step 'yes'}\"\n", ["yes"]),
        (
            "a.py",
            "# context.execute_steps('Given no')\nx = \"execute_steps('Given no')\"\n"
            "def f(context):\n    context.execute_steps('Given yes')\n",
            ["yes"],
        ),
        ("A.cs", '/* Given("no") */ class A { string S = @"Given(""no"")"; void F() { Given("yes"); } }', ["yes"]),
        ("a.js", "/* Step(this, 'no') */ const x = \"Step(this, 'no')\";\nStep(this, 'yes');\n", ["yes"]),
        ("a.php", "<?php\n/* new Given('no') */\n$x = \"new Given('no')\";\nreturn new Given('yes');\n", ["yes"]),
    ],
)
def test_what_stands_in_a_comment_or_a_literal_is_no_call(path: str, source: str, called: list[str]):
    assert [call.step.text for call in calls_in(path, source.encode())] == called
