"""Steps that glue code runs itself are named by a rename of their definition."""

import pytest

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


@pytest.mark.parametrize(
    ("path", "body", "lines"),
    [
        ("s.rb", '  step %{I add "tea"}\n', [4]),
        ("s.rb", "  step 'I add \"tea\" twice'\n", [4]),
        ("s.rb", '  step(%(I add "#{tea}"))\n  step "I add \\"tea\\""\n', [4, 5]),
        ("s.rb", '  steps %Q{\n    Given I add "tea"\n    And I add 3 more\n    * I add "#{x}" twice\n  }\n', [5, 7]),
        ("s.rb", '  steps %{When I add "a"}\n', [4]),
        ("s.rb", '  step %{I add 4 more}\n  # I add "a"\n  stepping "I add \\"a\\""\n', []),
        ("s.rb", '  # step %{} is not used\n  puts "I add nothing"\n', []),
        (
            "s.py",
            "    context.execute_steps(u'''\n        When I add \"a\"\n        And I add 2 more\n    ''')\n",
            [12],
        ),
        (
            "s.py",
            "    context.execute_steps('When I add \"a\"')\n    context.execute_steps(f'Given I add \"{x}\"')\n",
            [11, 12],
        ),
        ("s.py", "    execute_steps('Given I add \"%s\"' % x)\n    text = 'I add \"a\"'\n", []),
        ("s.js", "step('I add \"a\"')\n", []),
    ],
)
def test_steps_that_code_runs(path, body, lines, memory):
    source = {"s.rb": RUBY + body + "end\n", "s.py": PYTHON + body}.get(
        path, 'When("I add {string}", () => {});\n' + body
    )
    files = memory({"a.feature": 'Feature: F\n  Scenario: S\n    When I add "milk"\n', path: source})
    workspace = files.workspace()
    plan = plan_rename(request_for(workspace, 'I add "milk"', 'I buy "milk"'), workspace)
    assert plan.definitions[0].new_expression
    said = [warning for warning in plan.warnings if "glue code runs" in warning]
    places = ", ".join(f"{path}:{line}" for line in lines)
    assert said == (
        [f"glue code runs these steps by their old words, which is for you to change: {places}"] * bool(lines)
    )
