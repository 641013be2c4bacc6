"""Every progress that begins for a client also ends exactly once, in all orders of events."""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.features.progress import ProgressBook
from cukereuse_server.protocol.state import Progressed
from cukereuse_server.workspace.activities import Activities, Activity
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

if TYPE_CHECKING:
    from tests.server.conftest import World

TASKS = ("index", "vectors", "model")


@dataclass
class Client:
    """What a client sees, by token."""

    asked: list[str] = field(default_factory=list)
    """Tokens without an answer yet."""
    log: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def create(self, token: str) -> None:
        assert token not in self.asked
        self.asked.append(token)

    def begin(self, token: str, value: types.WorkDoneProgressBegin) -> None:
        assert value.title
        self.log[token].append("begin")

    def report(self, token: str, value: types.WorkDoneProgressReport) -> None:
        assert value.percentage is None or 0 <= value.percentage <= 100
        self.log[token].append("report")

    def end(self, token: str) -> None:
        self.log[token].append("end")

    def check(self, *, over: bool) -> None:
        """If all is `over`, nothing is left open."""
        for reports in self.log.values():
            assert reports[0] == "begin"
            assert reports.count("begin") == 1
            assert reports.count("end") == (reports[-1] == "end")
            assert not over or reports[-1] == "end"


class Session:
    """The worker's activities, reported to the client at once: hypothesis drives them."""

    def __init__(self) -> None:
        self.client = Client()
        self.book = ProgressBook(self.client)
        self.start_worker()

    def start_worker(self) -> None:
        self.activities = Activities(self.tell)
        self.parts: list[Activity] = []
        self.told: list[Progressed] = []

    def tell(self, event: Progressed) -> None:
        self.told.append(event)
        self.book.progressed(event)

    def do(self, what: str, number: int) -> None:
        match what:
            case "begin":
                self.parts.append(self.activities.begin(TASKS[number % 3], "so"))
            case "report" if self.parts:
                self.parts[number % len(self.parts)].report("so", number, number // 2)
            case "end" if self.parts:
                self.parts[number % len(self.parts)].end()
            case "cancel":
                self.cancel(number)
            case "accept" if self.client.asked:
                self.book.created(self.client.asked.pop(number % len(self.client.asked)))
            case "refuse" if self.client.asked:
                self.client.asked.pop(number % len(self.client.asked))
            case "accept twice" if self.client.log:
                self.book.created(list(self.client.log)[number % len(self.client.log)])
            case "worker ends":
                self.book.end_all()
                self.client.check(over=True)
                self.start_worker()
            case _:
                pass

    def cancel(self, number: int) -> None:
        tokens = list(self.client.log)
        task = self.book.task_of(tokens[number % len(tokens)]) if tokens else None
        if task is not None:
            running = [part for part in self.parts if part.task == task]
            self.activities.cancel(task)
            assert any(part.cancelled for part in running)


DO = ("begin", "report", "end", "cancel", "accept", "refuse", "accept twice", "worker ends")


@given(st.lists(st.tuples(st.sampled_from(DO), st.integers(0, 50)), max_size=60), st.booleans())
def test_what_begins_ends_once(done: list[tuple[str, int]], given_up: bool) -> None:
    session = Session()
    for what, number in done:
        session.do(what, number)
        session.client.check(over=False)
    if given_up:
        session.book.end_all()
    else:
        for part in session.parts:
            part.end()
            part.report("too late", 1, 2)
            part.end()
        last = {event.task: event for event in session.told}
        assert all(event.finished for event in last.values())
    session.client.check(over=True)
    while session.client.asked:  # answers may come late
        session.do("accept", 0)
    session.client.check(over=True)


@given(st.lists(st.tuples(st.sampled_from(["begin", "report", "end"]), st.integers(0, 20)), max_size=40))
def test_a_task_ends_with_the_last_of_its_parts(done: list[tuple[str, int]]) -> None:
    session = Session()
    ended: set[int] = set()
    for what, number in done:
        session.do(what, number)
        if what == "end" and session.parts:
            ended.add(number % len(session.parts))
        open_ = {part.task for at, part in enumerate(session.parts) if at not in ended}
        last = {event.task: event for event in session.told}
        assert {task for task, event in last.items() if not event.finished} == open_


def test_who_was_slow_to_answer_sees_how_far_it_is_now() -> None:
    session = Session()
    part = session.activities.begin("index", "looking")
    part.report("reading", 3, 4)
    (token,) = session.client.asked
    shown: list[types.WorkDoneProgressBegin] = []
    session.client.begin = lambda _, value: shown.append(value)  # type: ignore[method-assign]
    session.book.created(token)
    assert (shown[0].message, shown[0].percentage) == ("reading 3/4", 75)


FEATURE = "Feature: f\n  Scenario: s\n    When I {verb} the button\n    And I {verb} the link {number}\n"


def broken(*_: Any, **__: Any) -> Any:
    raise ValueError("so")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "fails",
    [
        "",
        "workspace.stages.reading.list_workspace",
        "workspace.stages.reading.FileReader._read",
        "workspace.stages.comparing.make_judge",
        "workspace.stages.comparing.compare",
        "workspace.texts.Texts.gather",
        "workspace.stages.embedding.Embedding.embed",
    ],
)
def test_a_workspace_ends_what_it_begins(
    world: "World", embedder: object, monkeypatch: pytest.MonkeyPatch, seed: int, fails: str
) -> None:
    """Read again in the middle, cancelled, and with any failure."""
    del embedder
    chance = random.Random(seed)
    for number in range(4):
        verb = chance.choice(["click", "press"])
        world.write(f"{number % 2}/{number}.feature", FEATURE.format(verb=verb, number=number))
        world.write(f"{number % 2}/cukereuse.toml", "")
    world.configure()
    for _ in range(5):
        for _ in range(chance.randrange(12)):
            world.host.step()
        match chance.randrange(4):
            case 0:
                world.workspace.pipeline.restart()
            case 1:
                world.workspace.pipeline.activities.cancel(chance.choice(TASKS))
            case 2:
                world.workspace.allow_download()
            case _ if fails:
                monkeypatch.setattr(f"cukereuse_server.{fails}", broken)
    world.settled()
    client = Client()
    book = ProgressBook(client)
    for event in world.host.events:
        if isinstance(event, Progressed):
            book.progressed(event)
            for token in client.asked:
                book.created(token)
            client.asked.clear()
    client.check(over=True)
    assert world.workspace.complete
