"""A step moves to another function only if that gets the same values, by the types of the expression and the
function."""

import pytest

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.request import request_for

JS = "const {Given} = require('@cucumber/cucumber');\nGiven(%s, (a) => { pay(a); });\nGiven(%s, (b) => { give(b); });\n"
RUBY = "Given(%s) { |a| pay a }\nGiven(%s) { |b| give b }\n"
PYTHON = "from behave import given\n@given(%s)\ndef f(c, a): pay(a)\n@given(%s)\ndef g(c, a): give(a)\n"
CSHARP = """\
using Reqnroll;
[Binding]
class S
{
    [Given(%s)] public void F(%s a) { Pay(a); }
    [Given(%s)] public void G(%s b) { Give(b); }
}
"""
JAVA = CSHARP.replace("using Reqnroll;\n[Binding]", "import io.cucumber.java.en.Given;").replace(
    "[Given(%s)]", "@Given(%s)"
)
GO = """\
package s
import "github.com/cucumber/godog"
func f(a %s) error { return pay(a) }
func g(b %s) error { return give(b) }
func I(ctx *godog.ScenarioContext) {
\tctx.Step(`^I pay (\\d+)$`, f)
\tctx.Step(`^I give "([^"]*)"$`, g)
}
"""
SHARP = r'@"^I pay (\d+)$"', r'@"^I give ""(.*)""$"'


@pytest.mark.parametrize(
    ("path", "source", "value", "moves"),
    [
        ("s.js", JS % ("'I pay {int}'", "'I give {string}'"), "5", True),
        ("s.js", JS % ("'I pay {int}'", "'I give {string}'"), "007", False),
        ("s.js", JS % ("'I pay {float}'", "'I give {string}'"), "1.5", True),
        ("s.js", JS % ("'I pay {float}'", "'I give {string}'"), "1.50", False),
        ("s.js", JS % ("'I pay {word}'", "'I give {string}'"), "007", True),
        ("s.js", JS % (r"/^I pay (\d+)$/", r"/^I give \"([^\"]*)\"$/"), "007", False),
        ("s.js", JS % (r"/^I pay (0\d*)$/", r"/^I give \"([^\"]*)\"$/"), "007", True),
        ("s.rb", RUBY % (r"/^I pay (\d+)$/", r"/^I give \"([^\"]*)\"$/"), "12", True),
        ("s.rb", RUBY % (r"/^I pay (\d+)$/", r"/^I give \"([^\"]*)\"$/"), "012", False),
        ("s.rb", RUBY % (r"/^I pay (\d+)$/", r"/^I give \"?(\d+)\"?$/"), "012", True),
        ("s.py", PYTHON % ("'I pay {a:d}'", "'I give \"{a}\"'"), "07", False),
        ("s.py", PYTHON % ("'I pay {a}'", "'I give \"{a}\"'"), "07", True),
        ("s.py", PYTHON % ("'I pay {a:Coin}'", "'I give \"{a}\"'"), "7", False),
        ("S.cs", CSHARP % (SHARP[0], "int", SHARP[1], "string"), "07", False),
        ("S.cs", CSHARP % (SHARP[0], "int", SHARP[1], "string"), "7", True),
        ("S.cs", CSHARP % (SHARP[0], "string", SHARP[1], "string"), "07", True),
        ("S.cs", CSHARP % (SHARP[0], "Coin", SHARP[1], "string"), "7", False),
        ("S.cs", CSHARP % (SHARP[0], "Coin", SHARP[1], "Coin"), "7", True),
        ("S.java", JAVA % ('"I pay {int}"', "int", '"I give {string}"', "String"), "07", False),
        ("S.java", JAVA % (r'"^I pay (\\d+)$"', "long", r'"^I give \"(\\d+)\"$"', "int"), "07", True),
        ("s.go", GO % ("int", "string"), "07", False),
        ("s.go", GO % ("string", "string"), "07", True),
    ],
)
def test_a_move_keeps_the_value(path, source, value, moves, memory):
    files = memory(
        {"a.feature": f'Feature: f\n  Scenario: s\n    Given I pay {value}\n    Given I give "9"\n', path: source}
    )
    workspace = files.workspace()
    plan = plan_rename(request_for(workspace, f"I pay {value}", 'I give "{1}"', move=True), workspace)
    if moves:
        assert f'Given I give "{value}"\n' in files.applied(plan).text("a.feature")
        assert len(plan.moves) == 1
    else:
        assert not plan.files
        assert f"may read {value} as another value" in plan.left_out[0].reason
