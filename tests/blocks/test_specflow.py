"""SpecFlow: a binding class that derives from `Steps` runs the steps of its block."""

from pathlib import Path

import pytest

from cukereuse_engine.blocks.composite import steps_run_by
from cukereuse_engine.blocks.cut_places import NoExtractionError
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

OPENS = '''\
using TechTalk.SpecFlow;

[Binding]
public class OpenSteps : Steps
{
    [Given(@"I open the page ""(.*)""")]
    public void GivenIOpen(string page)
    {
        Browser.Open(page);
    }
}
'''
SENDS = '''\
using TechTalk.SpecFlow;

[Binding]
public class SendSteps{bases}
{{
    [Given(@"I enter ""(.*)""")]
    public void GivenIEnter(string name)
    {{
        Browser.Enter(name);
    }}

    [Given(@"I press send")]
    public void GivenIPress()
    {{
        Browser.Press();
    }}
}}
'''


def suite(root: Path, bases: str) -> None:
    (root / "A.cs").write_text(OPENS.replace(" : Steps", bases), "utf-8")
    (root / "B.cs").write_text(SENDS.format(bases=bases), "utf-8")
    (root / "specflow.json").write_text("{}", "utf-8")
    for number in range(4):
        (root / f"{number}.feature").write_text(
            f"Feature: f{number}\n  Scenario: s\n"
            f'    Given I open the page "{{home}}"\n    And I enter "n{number}"\n    And I press send\n'
            f"    When I do {number} things\n",
            "utf-8",
        )


def test_the_new_step_runs_them(tmp_path, written):
    suite(tmp_path, " : Steps")
    plan = written(tmp_path)
    source = next(path for path in (tmp_path / "A.cs", tmp_path / "B.cs") if "And(" in path.read_text("utf-8"))
    text = source.read_text("utf-8")
    assert 'Given("I open the page \\"{home}\\"");' in text
    assert 'And($"I enter \\"{' in text
    assert len(plan.places) == 4
    (read,) = read_suites([str(tmp_path)], use_cache=False)
    glue = load_glue(read, Settings(jobs=1), use_cache=False)
    new = next(definition for definition in glue.definitions if "and press send" in definition.expression)
    assert steps_run_by(new, text.encode(), [""], ["Eve"]) == (
        'Given I open the page "{home}"\nAnd I enter "Eve"\nAnd I press send'
    )


def test_a_class_that_can_not(tmp_path, plan_of):
    suite(tmp_path, "")
    with pytest.raises(NoExtractionError, match="does not derive from SpecFlow's Steps"):
        plan_of(tmp_path)
