"""Sources that begin with a byte order mark, and functions of one class that share a name."""

import pytest

from cukereuse_engine.blocks.cut_places import NoExtractionError

STEPS = """\
using Reqnroll;

namespace Shop
{
    [Binding]
    public class Steps
    {
        [Given("I open the page")]
        [When("I open the page")]
        public void Open() { Calls.Add("open"); }

        [Given("I fill in (.*) and (.*)")]
        public void Fill(string name, string mail) { Calls.Add(name + mail); }

        [When("I fill in only (.*)")]
        public void Fill(OVERLOAD) { Calls.Add(name); }

        [Given("I press the button")]
        public async Task Press() { await Calls.AddAsync("press"); }

        [When("I pay")]
        public void Pay() { }

        [Then("all is done")]
        public void Done() { }
    }
}
"""
SCENARIO = (
    "  Scenario: {0}\n    Given I open the page\n    And I fill in {0} and m@{0}\n    And I press the button\n{1}"
)
FEATURE = "Feature: f\n" + "".join(
    SCENARIO.format(name, then)
    for name, then in (("a", "    Then all is done\n"), ("b", ""), ("c", "    When I pay\n    Then all is done\n"))
)


@pytest.fixture
def suite(tmp_path):
    def write(overload="string name", mark="\ufeff", ending="\n"):
        root = tmp_path / "suite"
        root.mkdir()
        (root / "f.feature").write_text(FEATURE, "utf-8")
        source = mark + STEPS.replace("OVERLOAD", overload)
        (root / "Steps.cs").write_bytes(source.replace("\n", ending).encode("utf-8"))
        return root

    return write


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_byte_order_mark_moves_no_function(suite, written, mark, ending):
    root = suite(mark=mark, ending=ending)
    before = (root / "Steps.cs").read_bytes()
    written(root, 'I come in with "{name}" and "{mail}"')
    after = (root / "Steps.cs").read_bytes()
    assert after.startswith(mark.encode("utf-8") + b"using")
    new = after.decode("utf-8").replace(ending, "\n")
    assert "            Open();\n            Fill(name, mail);\n            await Press();\n" in new
    assert len(after.splitlines()) == len(before.splitlines()) + 8


@pytest.mark.parametrize("overload", ["string name, int times = 1", "params string[] name", "int one, int two"])
def test_a_name_that_may_mean_another_function_is_not_called(suite, plan_of, overload):
    with pytest.raises(NoExtractionError, match="has the same name as another function: Fill"):
        plan_of(suite(overload))
