"""The real worker, with its threads, in random sessions: in the end, it gives the same as a fresh index, each question
is answered once, and all that began ends."""

import gc
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import pytest
from cukereuse_server.protocol import base, state
from cukereuse_server.protocol.base import Answer, Call, Cancel, Failure, Notice, Request, Tell
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll, Diagnosis, FileDiagnoses
from cukereuse_server.protocol.state import Progressed
from cukereuse_server.protocol.status import GetStatus, WorkerStatus
from cukereuse_server.worker.handlers.diagnostics import diagnose, diagnose_all
from cukereuse_server.worker.service import serve
from cukereuse_server.workspace.texts import complete

from tests.server.random_changes import BODIES, DEFINITIONS, GLUE, random_feature

if TYPE_CHECKING:
    from tests.server.conftest import World

SECONDS = 20.0
SETTINGS: dict[str, Any] = {"severity": {"repeated-step": "warning"}}
NAMES = ("a/x", "a/y", "a/deep/z", "b/x", "new/y")


class Session:
    """The main process's end."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance = root, random.Random(seed)
        to_worker, from_main = os.pipe()
        to_main, from_worker = os.pipe()
        self._sink: BinaryIO = os.fdopen(from_main, "wb")
        self._source: BinaryIO = os.fdopen(to_main, "rb")
        ends = os.fdopen(to_worker, "rb"), os.fdopen(from_worker, "wb")
        self.asked = 0
        self.answers: dict[int, list[Answer | Failure]] = {}
        self.progress: dict[str, list[bool]] = {}
        self.open: dict[str, tuple[int, str]] = {}
        self._threads = [threading.Thread(target=_served, args=ends), threading.Thread(target=self._listen)]
        for thread in self._threads:
            thread.start()
        self.tell(state.Configure(folders=[str(root)], settings={}, workspace_diagnostics=True))

    def tell(self, notice: Notice) -> None:
        self._send(Tell(type(notice).__name__, base.body(notice)))

    def ask(self, request: Request) -> int:
        self.asked += 1
        self._send(Call(self.asked, type(request).__name__, base.body(request)))
        return self.asked

    def answer(self, request: Request) -> Any:
        number, end = self.ask(request), time.monotonic() + SECONDS
        while number not in self.answers:
            assert time.monotonic() < end, "no answer"
            time.sleep(0.002)
        (answer,) = self.answers[number]
        assert isinstance(answer, Answer), answer
        return msgspec.msgpack.decode(answer.body, type=type(request).answer)

    def happens(self, version: int) -> None:
        chance, path = self.chance, self.root / f"{self.chance.choice(NAMES)}.feature"
        match chance.randrange(9):
            case 0 | 1 | 2:
                self.open[str(path)] = version, random_feature(chance)
                self.tell(state.Opened(path=str(path), version=version, text=self.open[str(path)][1]))
            case 3 if self.open:
                name = chance.choice(list(self.open))
                del self.open[name]
                self.tell(state.Closed(path=name))
            case 4:
                changed = [self.root / f"{name}.feature" for name in NAMES if chance.random() < 0.6]
                for each in changed:
                    write(each, random_feature(chance))
                self.tell(state.FilesChanged(paths=[str(each) for each in changed]))
            case 5 if path.exists():
                path.unlink()
                self.tell(state.FilesChanged(paths=[str(path)]))
            case 6:
                code = write(self.root / "a/steps/steps.py", random_glue(chance))
                self.tell(state.FilesChanged(paths=[str(code)]))
            case 7:
                for task in list(self.progress):
                    self.tell(state.CancelWork(task=task))
            case _:
                number = self.ask(chance.choice([Diagnose(path=str(path)), DiagnoseAll(), GetStatus()]))
                if chance.random() < 0.5:
                    self._send(Cancel(number))

    def settle(self) -> None:
        """Start again, as after other settings: cancelled work stays undone, and a judge remembers."""
        self.tell(state.Configure(folders=[str(self.root)], settings=SETTINGS, workspace_diagnostics=True))
        still = 0
        while still < 3:
            status: WorkerStatus = self.answer(GetStatus())
            still = still + 1 if status.complete else 0
            time.sleep(0.01)

    def close(self) -> None:
        self.tell(state.Shutdown())
        self._sink.close()
        for thread in self._threads:
            thread.join(SECONDS)
            assert not thread.is_alive()

    def _send(self, frame: base.Frame) -> None:
        self._sink.write(base.pack(frame))
        self._sink.flush()

    def _listen(self) -> None:
        while head := self._source.read(base.LENGTH_BYTES):
            match base.unpack(self._source.read(base.length_of(head))):
                case Answer(number) | Failure(number) as frame:
                    self.answers.setdefault(number, []).append(frame)
                case Tell("Progressed", body):
                    event = msgspec.msgpack.decode(body, type=Progressed)
                    self.progress.setdefault(event.task, []).append(event.finished)


def _served(source: BinaryIO, sink: BinaryIO) -> None:
    with sink:  # closed at the end, so that the thread that reads the other end stops
        serve(source, sink)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="")
    return path


def random_glue(chance: random.Random) -> str:
    definitions = [
        expression.format(verb="press") if "{verb}" in expression else expression
        for expression in chance.sample(DEFINITIONS, 3)
    ]
    bodies = [f"context, **_):\n    {chance.choice(BODIES)}\n" for _ in definitions]
    functions = (
        f"{expression}\ndef step_{at}({body}"
        for at, (expression, body) in enumerate(zip(definitions, bodies, strict=True))
    )
    return GLUE + "".join(functions)


def said(diagnoses: list[Diagnosis]) -> Counter[tuple[str, int, int]]:
    return Counter((diagnosis.rule, diagnosis.place.line, diagnosis.place.column) for diagnosis in diagnoses)


@pytest.fixture(autouse=True)
def as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The worker sets up its process, and has caches."""
    monkeypatch.setenv("CUKEREUSE_CACHE_DIR", str(tmp_path / "cache"))
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.mark.parametrize("seed", range(2))
def test_the_end_of_a_session_is_as_a_fresh_start(world: "World", seed: int) -> None:
    root = world.root
    write(root / "a/behave.ini", "[behave]\n")
    session = Session(root, seed)
    try:
        for name in NAMES[:4]:
            write(root / f"{name}.feature", random_feature(session.chance))
        write(root / "a/steps/steps.py", random_glue(session.chance))
        for version in range(1, 60):
            session.happens(version)
            time.sleep(session.chance.choice([0, 0, 0.001, 0.01]))
        session.settle()
        of_all = {answer.path: said(answer.diagnoses) for answer in session.answer(DiagnoseAll())}
        of_open: list[FileDiagnoses] = [session.answer(Diagnose(path=path)) for path in session.open]
    finally:
        session.close()
    assert session.answers.keys() == set(range(1, session.asked + 1))
    assert {len(answers) for answers in session.answers.values()} == {1}
    assert all(reports[-1] for reports in session.progress.values())

    world.configure(**SETTINGS)
    for path, (version, text) in session.open.items():
        world.workspace.open(path, version, text)
    view = world.settled()
    fresh = {answer.path: said(answer.diagnoses) for answer in complete(diagnose_all(view, DiagnoseAll()))}
    assert {path: diagnoses for path, diagnoses in of_all.items() if path.endswith(".feature")} == {
        path: diagnoses for path, diagnoses in fresh.items() if path.endswith(".feature")
    }
    for answer in of_open:
        assert answer.version == session.open[answer.path][0]
        assert said(answer.diagnoses) == said(diagnose(view, Diagnose(path=answer.path)).diagnoses)
