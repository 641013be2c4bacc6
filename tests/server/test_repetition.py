"""Findings about repetition after several edits equal those of one search after all edits."""

import random
from time import thread_time
from typing import TYPE_CHECKING

import pytest
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll
from cukereuse_server.worker.handlers.diagnostics import diagnose, diagnose_all
from cukereuse_server.worker.handlers.wording import WordingMessages
from cukereuse_server.workspace.repetition import SuiteRepetition
from cukereuse_server.workspace.stages.mining import mine
from cukereuse_server.workspace.texts import complete

from cukereuse_engine.findings.finding import Place

if TYPE_CHECKING:
    from tests.server.conftest import World

STEPS = [f"    When I do thing {name} with care\n" for name in "abcdefgh"]
ODD = ["", "    # so", "    When I do something else", "  Scenario: cut in two", "    When I do thing c with care"]


@pytest.mark.parametrize("seed", range(2))
def test_what_repeats_moves_along_with_each_edit(world: "World", seed: int) -> None:
    chance = random.Random(seed)
    said = "".join(
        f"  Scenario: {number}\n{''.join(STEPS[number % 3 :])}    Then it is {number}\n" for number in range(6)
    )
    text = f"Feature: a\n{said}"
    path = str(world.write("a.feature", text))
    beside = str(world.write("b.feature", text.replace("Feature: a", "Feature: b")))
    world.configure()
    (suite,) = world.settled().suites.values()
    *_, snapshot = suite.repetition.snapshot(suite.glue, {})
    assert snapshot is not None
    mined = mine(snapshot, suite.repetition.options(), thread_time)
    suite.repetition.use(mined)
    earlier, count = [text], 0
    for version in range(1, 80):
        lines = text.split("\n")
        at = chance.randrange(1, len(lines))
        lines[at : at + chance.randrange(2)] = chance.choice([[chance.choice(ODD)], []])
        text = chance.choice(earlier) if chance.random() < 0.3 else "\n".join(lines)
        earlier.append(text)
        if chance.random() < 0.05:
            world.workspace.close(path)
        world.workspace.open(path, version, text)
        world.workspace.settled()
        once = SuiteRepetition(suite.texts, suite.rules, suite.settings)
        once.use(mined)
        assert suite.repetition.findings_in(path) == once.findings_in(path)
        assert suite.repetition.findings() == once.findings()
        count += len(once.findings_in(path))
        if chance.random() < 0.5:
            for each in (path, beside):
                answer = diagnose(world.workspace, Diagnose(path=each))
                suite.diagnoses.forget()
                assert diagnose(world.workspace, Diagnose(path=each)) == answer
    assert count > 40


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("  Scenario: two", "  # the server may say it twice\n  Scenario: two", 0),  # a comment explains it
        ("| 1 |", "| 2 |", 0),  # what is attached is another
        ("    Then it is open", "\n    Then it is open", 1),
    ],
)
def test_an_edit_between_steps_counts(world: "World", old: str, new: str, left: int) -> None:
    steps = "    Given a table\n      | 1 |\n    When I open the door\n    Then it is open\n"
    text = f"Feature: f\n  Scenario: one\n{steps}  Scenario: two\n{steps}"
    path = str(world.write("a.feature", text))
    world.configure()
    (suite,) = world.settled().suites.values()
    world.workspace.open(path, 1, text)
    rules = [finding.rule for finding in suite.repetition.findings_in(path)]
    assert rules == ["duplicate-scenario"]
    world.workspace.open(path, 2, new.join(text.rsplit(old, 1)))
    world.workspace.settled()
    while suite.repetition.due_in():
        pass  # it rests for as long as it took
    world.workspace.typed = 0.0  # nobody types now
    world.workspace.pipeline.renew()
    world.settled()
    assert len(suite.repetition.findings_in(path)) == left


@pytest.mark.parametrize("first", ["    When a table", "        Given a table", "        * a table"])
def test_a_finding_stands_where_its_step_does_before_it_is_looked_for_anew(world: "World", first: str) -> None:
    steps = "    Given a table\n      | 1 |\n    When I open the door\n    Then it is open\n"
    text = f"Feature: f\n  Scenario: one\n{steps}  Scenario: two\n{steps}"
    path = str(world.write("a.feature", text))
    world.configure()
    (suite,) = world.settled().suites.values()
    world.workspace.open(path, 1, text)
    assert len(suite.repetition.findings_in(path)) == 1
    world.workspace.open(path, 2, first.join(text.rsplit("    Given a table", 1)))
    world.workspace.settled()
    (finding,) = suite.repetition.findings_in(path)
    step = world.workspace.step_at(path, 8)
    assert step is not None
    assert finding.others[0].places == (Place.of_step(step),)


def test_findings_of_one_fingerprint_say_each_its_own_message(world: "World") -> None:
    """Scenarios may share a name, and so may features."""
    steps = "    When I open the door\n    Then it is open\n"
    few, many = f"    Given a room\n{steps}", f"    Given a house\n    And a garden\n{steps}"
    text = "Feature: f\n" + "".join(f"  Scenario: s\n{steps}" for steps in (few, few, many, many))
    path = str(world.write("a.feature", text))
    world.configure()
    (suite,) = world.settled().suites.values()
    world.workspace.open(path, 1, text)
    words = WordingMessages(world.workspace, suite)
    findings = suite.repetition.findings_in(path)
    in_file = diagnose(world.workspace, Diagnose(path=path)).diagnoses
    (of_all,) = complete(diagnose_all(world.workspace, DiagnoseAll()))
    assert len(in_file) == len(findings)
    assert of_all.diagnoses == in_file
    messages = {words.of(finding, finding.others[0], finding.others[0].places[0]) for finding in findings}
    assert len(findings) == 2
    assert [sum(f"the same {count} steps" in message for message in messages) for count in (3, 4)] == [1, 1]
