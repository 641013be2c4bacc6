"""Endings that an expression leaves open: steps keep their number if the word stays."""

from typing import Any

import pytest

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for
from tests.refactor.conftest import feature

RUBY = "Given({!r}) {{ }}\n"
REGEX = "Given(/{}/) {{ }}\n"
PHP = (
    "<?php\nclass C implements \\Behat\\Behat\\Context\\Context {{\n"
    "  /** @Given {} */\n  public function f() {{}}\n}}\n"
)


ONE_AND_MORE = ["I see 1 button", "I see 3 buttons"]


@pytest.mark.parametrize(
    ("source", "before", "after", "steps", "named", "target", "expected"),
    [
        ("s.rb", "I see {int} button(s)", "I count {int} button(s)", ONE_AND_MORE, 0, "I count {1} button",
         ["I count 1 button", "I count 3 buttons"]),
        ("s.rb", "I see {int} button(s)", "I count {int} button(s)", ONE_AND_MORE, 1, "I count {1} buttons",
         ["I count 1 button", "I count 3 buttons"]),
        ("s.rb", r"^I see (\d+) buttons?$", r"^I count (\d+) buttons?$", ONE_AND_MORE, 0, "I count {1} button",
         ["I count 1 button", "I count 3 buttons"]),
        ("s.rb", r"^I see (\d+) box(?:es)? here$", r"^(\d+) box(?:es)? are here$", ["I see 1 box here",
         "I see 3 boxes here"], 1, "{1} boxes are here", ["1 box are here", "3 boxes are here"]),
        ("c.php", "I see :n button(s)", "I count :n button(s)", ONE_AND_MORE, 0, "I count {1} button",
         ["I count 1 button", "I count 3 buttons"]),
        ("s.rb", r"^(?i)I see (\d+) buttons?$", r"^(?i)I count (\d+) buttons?$",
         ["I see 1 Button", "I see 3 buttons"], 1, "I count {1} buttons",
         ["I count 1 Button", "I count 3 buttons"]),
        ("s.rb", "I see {int} button(s)", "I count {int} button(s)", ONE_AND_MORE, "I see {1} button",
         "I count {1} button", ["I count 1 button", "I count 3 buttons"]),
        # another form was asked for
        ("s.rb", "I see {int} button(s)", "I count {int} buttons", ONE_AND_MORE, 0, "I count {1} buttons",
         ["I count 1 buttons", "I count 3 buttons"]),
        # another word
        ("s.rb", "I see {int} button(s)", "I see {int} knob", ONE_AND_MORE, 0, "I see {1} knob",
         ["I see 1 knob", "I see 3 knob"]),
        # in an argument it is none
        ("s.rb", r'^I see "(buttons?)"$', r'^I count "(buttons?)"$', ['I see "button"', 'I see "buttons"'], 0,
         'I count "{1}"', ['I count "button"', 'I count "buttons"']),
        # twice: nobody knows which
        ("s.rb", "a button, {int} button(s)", "the button of {int} button",
         ["a button, 1 button", "a button, 2 buttons"], 0, "the button of {1} button",
         ["the button of 1 button", "the button of 2 button"]),
    ],
)  # fmt: skip
def test_number(
    source: str,
    before: str,
    after: str,
    steps: list[str],
    named: int | str,
    target: str,
    expected: list[str],
    memory: Any,
) -> None:
    shell = PHP if source == "c.php" else REGEX if before.startswith("^") else RUBY
    files = memory({"a.feature": feature(*steps), source: shell.format(before)})
    try:
        plan = plan_rename(
            request_for(files.workspace(), steps[named] if isinstance(named, int) else named, target), files.workspace()
        )
    except RefusedPlanError as error:
        pytest.fail(f"{error} {error.hint}")
    done = files.applied(plan)
    assert done.text("a.feature") == feature(*expected)
    assert done.text(source) == shell.format(after)
