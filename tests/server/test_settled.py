"""Questions whose answer would be less than the shown results wait for the index."""

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.asking import settled
from cukereuse_server.protocol.status import IsSettled

if TYPE_CHECKING:
    from tests.server.conftest import HashEmbedder, World

FEATURE = "Feature: f\n  Scenario: s\n    When I click the button\n    And I press the button\n"
STEPS = "from behave import when\n\n@when('I click the button')\ndef click(context):\n    pass\n"


def steps_until_settled(world: "World", path: str) -> list[tuple[bool, bool]]:
    """After each event: true if the file is settled, and true if everything is known."""
    seen = []
    while world.host.step():
        world.workspace.settled()
        (suite,) = world.workspace.suites.values() or (None,)
        known = suite is not None and suite.compared and suite.definitions_known
        known = known and (world.embedder is None or suite.is_embedded)
        seen.append((world.workspace.is_settled(path), known))
    return seen


@pytest.mark.parametrize("glue", [True, False])
@pytest.mark.parametrize("model", [True, False])
def test_a_file_is_settled_once_everything_is_known(
    world: "World", glue: bool, model: bool, request: pytest.FixtureRequest
) -> None:
    if model:
        request.getfixturevalue("embedder")
    path = str(world.write("features/one.feature", FEATURE))
    if glue:
        world.write("features/steps/steps.py", STEPS)
    world.configure()
    world.workspace.open(path, 1, FEATURE)
    assert not world.workspace.is_settled(path)
    seen = steps_until_settled(world, path)
    assert seen[-1] == (True, True)
    assert not any(is_settled and not known for is_settled, known in seen)


def test_a_file_of_no_suite_is_waited_for_no_longer_than_the_others(world: "World", embedder: "HashEmbedder") -> None:
    del embedder
    world.write("features/one.feature", FEATURE)
    world.configure()
    outside = str(world.root.parent / "outside.feature")
    assert not world.workspace.is_settled(outside)
    world.settled()
    assert world.workspace.is_settled(outside)


def test_a_suite_that_is_judged_anew_stays_settled(world: "World") -> None:
    path = str(world.write("features/one.feature", FEATURE))
    world.configure()
    world.settled()
    assert world.workspace.is_settled(path)
    world.workspace.pipeline.renew(exactly=True)
    assert world.workspace.is_settled(path)


@pytest.mark.parametrize(("answers", "asked"), [([True], 1), ([False, False, True], 3), ([None], 1), ([False] * 99, 4)])
def test_waiting_has_an_end(answers: list[Any], asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[Any] = []

    async def ask(request: Any) -> Any:
        events.append(request)
        return answers[len(events) - 1]

    monkeypatch.setattr("cukereuse_server.asking._LOOK_AGAIN", 0.02)
    monkeypatch.setattr("cukereuse_server.asking._PATIENCE", 0.05)
    asyncio.run(settled(SimpleNamespace(ask=ask), "/a.feature"))  # type: ignore[arg-type]
    assert set(events) == {IsSettled(path="/a.feature")}
    assert len(events) <= asked
    assert len(events) >= min(asked, 2)
