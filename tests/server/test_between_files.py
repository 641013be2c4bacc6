"""Effects of one feature file on another: exported scenarios, and findings that name a place there."""

from typing import TYPE_CHECKING

from cukereuse_server.protocol.diagnostics import Diagnose
from cukereuse_server.protocol.state import Changed
from cukereuse_server.worker.handlers.diagnostics import diagnose

if TYPE_CHECKING:
    from tests.server.conftest import World

OTHER = "Feature: other\n@ExportScenarios\nScenario: I am alone\n    Given I am alone\n"
LIBRARY = "Feature: library\n@ExportScenarios\nScenario: I open the form 'Name'\n    Given a\n"
USER = "Feature: user\n  Scenario: s\n    Given I open the form 'Orders'\n"
SCENARIO = "Feature: f\n  Scenario: {}\n    Given a cart\n    When I pay 5\n    Then I am thanked\n"


def test_a_step_binds_to_an_exported_scenario_as_it_is_now(world: "World") -> None:
    world.write("other.feature", OTHER)
    library = str(world.write("library.feature", LIBRARY))
    user = str(world.write("user.feature", USER))
    world.configure(severity={"undefined-step": "warning"})
    world.workspace.open(user, 1, USER)
    world.settled()

    def undefined() -> list[int]:
        diagnoses = diagnose(world.settled(), Diagnose(path=user)).diagnoses
        return [diagnosis.place.line for diagnosis in diagnoses if diagnosis.rule == "undefined-step"]

    assert undefined() == []
    for version, (text, expected) in enumerate(
        (
            (LIBRARY.replace("I open", "I close"), [3]),
            (LIBRARY, []),
            (LIBRARY.replace("@Export", "@"), [3]),
            ("\n" + LIBRARY, []),
        )
    ):
        world.host.events.clear()
        world.workspace.open(library, version, text)
        assert undefined() == expected
        assert any(user in event.paths for event in world.host.events if isinstance(event, Changed))
    world.workspace.close(library)
    (world.root / "library.feature").unlink()
    world.workspace.changed_on_disk([library])
    assert undefined() == [3]


def test_a_message_names_the_place_where_the_other_scenario_stands_now(world: "World") -> None:
    first, second = SCENARIO.format("pay"), SCENARIO.format("buy").partition("\n")[2]
    path = str(world.write("one.feature", first + second))
    world.configure()
    world.workspace.open(path, 1, first + second)
    world.settled()
    world.workspace.idle()
    world.settled()

    def said() -> list[str]:
        diagnoses = diagnose(world.settled(), Diagnose(path=path)).diagnoses
        return [each.message.split(" (3 steps")[0] for each in diagnoses if each.rule == "duplicate-scenario"]

    message = "“buy” runs the same 3 steps as “pay” (one.feature:{})."
    assert said() == [message.format(3)]
    world.workspace.open(path, 2, "\n\n" + first + second)
    assert said() == [message.format(5)]
    world.workspace.open(path, 3, "\n\n" + first + "\n\n" + second)
    assert said() == [message.format(5)]


def test_a_doubt_about_one_wording_is_told_at_its_steps_only(world: "World") -> None:
    wordings = ["I go to the bed"] * 3 + ["I visit the bed", "I can go to the bed"]
    text = "Feature: f\n" + "".join(f"  Scenario: {n}\n    Given {said}\n" for n, said in enumerate(wordings))
    path = str(world.write("a.feature", text))
    world.configure(severity={"divergent-wording": "hint"})
    world.workspace.open(path, 1, text)
    diagnoses = diagnose(world.settled(), Diagnose(path=path)).diagnoses
    assert {each.place.line: each.message.partition("×)")[2] for each in diagnoses} == {
        9: ": “go to” instead of “visit”.",
        11: "; doubtful: only one says “can”.",
    }
