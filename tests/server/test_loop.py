"""The worker's loop: order, slices, failures, the end."""

import os
import threading
from collections.abc import Iterator
from time import monotonic
from typing import Any, BinaryIO, ClassVar

import msgspec
import pytest
from cukereuse_server.protocol import base
from cukereuse_server.protocol.base import Answer, Call, Cancel, Failure, Notice, Request, Tell
from cukereuse_server.worker.loop import Loop
from cukereuse_server.workspace.host import Work, wait
from hypothesis import given
from hypothesis import strategies as st


class Ask(Request, frozen=True):
    answer: ClassVar = str
    text: str


class Told(Notice, frozen=True):
    text: str


class Pipe:
    """The main process's end."""

    def __init__(self) -> None:
        to_worker, from_main = os.pipe()
        to_main, from_worker = os.pipe()
        self.sink: BinaryIO = os.fdopen(from_main, "wb")
        self.source: BinaryIO = os.fdopen(to_main, "rb")
        self.loop = Loop(os.fdopen(to_worker, "rb"), os.fdopen(from_worker, "wb"))
        self.thread = threading.Thread(target=self.loop.run)

    def send(self, frame: base.Frame) -> None:
        self.sink.write(base.pack(frame))
        self.sink.flush()

    def ask(self, number: int, text: str) -> None:
        self.send(Call(number, "Ask", base.body(Ask(text=text))))

    def receive(self) -> base.Frame:
        return base.unpack(self.source.read(base.length_of(self.source.read(base.LENGTH_BYTES))))

    def close(self) -> None:
        self.sink.close()
        self.thread.join(5)
        assert not self.thread.is_alive()


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    if pipe.thread.is_alive():
        pipe.close()


def said(frame: base.Frame) -> Any:
    assert isinstance(frame, Answer)
    return msgspec.msgpack.decode(frame.body)


def test_notices_and_requests_keep_their_order(pipe: Pipe) -> None:
    heard: list[str] = []
    pipe.loop.listeners[Told] = lambda told: heard.append(told.text)
    pipe.loop.handlers[Ask] = lambda ask: f"{ask.text} after {','.join(heard)}"
    pipe.send(Tell("Told", base.body(Told(text="a"))))
    pipe.ask(1, "x")
    pipe.send(Tell("Told", base.body(Told(text="b"))))
    pipe.ask(2, "y")
    pipe.thread.start()
    assert [said(pipe.receive()), said(pipe.receive())] == ["x after a", "y after a,b"]


def test_a_failure_while_idle_is_logged_once_and_ends_nothing(
    pipe: Pipe, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cukereuse_server.worker.loop._AFTER_FAILURE", 0.0)
    errors = iter(["full", "full", "full", "other", "", "full"])
    idle: list[str] = []

    def when_idle() -> float | None:
        idle.append(error := next(errors, ""))
        if error:
            raise OSError(error)
        return None if len(idle) > 6 else 0.0

    pipe.loop.when_idle = when_idle
    pipe.loop.handlers[Ask] = lambda ask: ask.text
    pipe.thread.start()
    for number in range(1, 30):
        pipe.ask(number, "still there")
        assert said(pipe.receive()) == "still there"
        if len(idle) > 6:
            break
        threading.Event().wait(0.05)
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["full", "other", "full"]


def test_a_long_answer_lets_others_go_first(pipe: Pipe) -> None:
    """A handler that is a generator gives its answer in slices; its failure is an answer, too."""
    short = threading.Event()

    def answer(ask: Ask) -> Any:
        return ask.text if ask.text == "short" else long(ask.text)

    def long(text: str) -> Work[str]:
        while not short.is_set():
            yield None
        if text == "bad":
            raise OSError(text)
        return text

    pipe.loop.handlers[Ask] = answer
    pipe.thread.start()
    for number, text in enumerate(("long", "bad", "short"), 1):
        pipe.ask(number, text)
    assert said(pipe.receive()) == "short"
    short.set()
    answers = {frame.id: frame for frame in (pipe.receive(), pipe.receive()) if isinstance(frame, Answer | Failure)}
    assert said(answers[1]) == "long"
    assert isinstance(failed := answers[2], Failure)
    assert failed.message == "OSError: bad"


def test_a_failure_is_an_answer(pipe: Pipe) -> None:
    def fail(ask: Ask) -> str:
        raise KeyError(ask.text)

    pipe.loop.handlers[Ask] = fail
    pipe.loop.listeners[Told] = fail
    pipe.thread.start()
    pipe.send(Tell("Told", base.body(Told(text="a"))))
    pipe.send(Tell("Unknown", base.body(Told(text="a"))))
    pipe.ask(1, "x")
    failed = pipe.receive()
    assert isinstance(failed, Failure)
    assert "KeyError" in failed.message
    pipe.send(Call(2, "Unknown", base.body({})))
    assert isinstance(pipe.receive(), Failure)


def test_what_is_cancelled_in_time_is_not_done(pipe: Pipe) -> None:
    done: list[str] = []
    entered, go_on = threading.Event(), threading.Event()

    def slow(ask: Ask) -> str:
        entered.set()
        go_on.wait(5)
        done.append(ask.text)
        return ask.text

    pipe.loop.handlers[Ask] = slow
    pipe.thread.start()
    pipe.ask(1, "first")
    entered.wait(5)
    pipe.ask(2, "second")
    pipe.send(Cancel(2))
    pipe.send(Cancel(99))
    while 99 not in pipe.loop._cancelled:
        pass
    go_on.set()
    assert said(pipe.receive()) == "first"
    cancelled = pipe.receive()
    assert isinstance(cancelled, Failure)
    assert cancelled.cancelled
    assert done == ["first"]


def test_questions_come_between_slices(pipe: Pipe) -> None:
    slices = 0

    def work() -> Work[None]:
        nonlocal slices
        while True:
            slices += 1
            yield None

    pipe.loop.handlers[Ask] = lambda ask: ask.text
    pipe.loop.start("endless", work())
    pipe.thread.start()
    for number in range(20):
        pipe.ask(number, str(number))
        assert said(pipe.receive()) == str(number)
    assert slices > 0


def until(pipe: Pipe, answer: str) -> None:
    for number in range(2000):
        pipe.ask(number, "x")
        if said(pipe.receive()) == answer:
            return
    raise AssertionError(f"{answer} never came")


def test_work_waits_for_what_threads_compute(pipe: Pipe) -> None:
    seen: list[Any] = []

    def broken() -> int:
        raise ValueError("so")

    def work() -> Work[None]:
        later = pipe.loop.job("embedding", lambda: 8)
        seen.append((yield from wait(pipe.loop.job("comparing", lambda: 7))))
        try:
            yield from wait(pipe.loop.job("comparing", broken))
        except ValueError as error:
            seen.append(str(error))
        seen.append((yield from wait(later)))
        raise KeyError("nobody sees this but the log")

    def other() -> Work[None]:
        yield None
        seen.append("other")

    pipe.loop.start("work", work())
    pipe.loop.start("other", other())
    pipe.loop.handlers[Ask] = lambda _: str(sorted(map(str, seen)))
    pipe.thread.start()
    until(pipe, "['7', '8', 'other', 'so']")
    assert seen[-1] == 8


def test_what_is_dropped_goes_no_further(pipe: Pipe) -> None:
    seen: list[str] = []
    go_on = threading.Event()

    def work(name: str, *, drops: str = "") -> Work[None]:
        try:
            yield None
            if drops:
                pipe.loop.drop(drops)
            seen.append(name)
            yield from wait(pipe.loop.job("comparing", go_on.wait))
            seen.append(f"{name} to the end")
        finally:
            seen.append(f"{name} closed")

    pipe.loop.start("a", work("a"))
    pipe.loop.start("b", work("b"))
    pipe.loop.start("b", work("b again"))
    pipe.loop.start("urgent", work("urgent", drops="a"), urgent=True)
    pipe.loop.start("itself", work("itself", drops="itself"))
    pipe.loop.handlers[Ask] = lambda ask: go_on.set() if ask.text == "go on" else str(seen)
    pipe.thread.start()
    until(pipe, str(["urgent", "b again", "itself", "itself closed"]))
    pipe.ask(1, "go on")
    pipe.receive()
    ended = ["urgent to the end", "urgent closed", "b again to the end", "b again closed"]
    until(pipe, str(["urgent", "b again", "itself", "itself closed", *ended]))


def test_a_thread_gives_way_to_another(pipe: Pipe) -> None:
    done: list[str] = []
    begun = threading.Event()

    def first() -> None:
        begun.wait(10)
        done.append("first")

    def second() -> None:
        begun.set()
        pipe.loop.give_way("comparing")
        done.append("second")

    pipe.loop.job("comparing", first)
    pipe.loop.job("comparing", lambda: done.append("and more"))
    pipe.loop.job("embedding", second)
    pipe.loop.handlers[Ask] = lambda _: str(done)
    pipe.thread.start()
    until(pipe, "['first', 'and more', 'second']")


def test_the_loop_ends_with_the_main_process(pipe: Pipe) -> None:
    pipe.thread.start()
    pipe.close()
    assert pipe.loop.stopping()


@given(st.binary(max_size=200), st.integers(0, 2**31))
def test_frames_come_back(content: bytes, number: int) -> None:
    packed = base.pack(Answer(number, base.body(content)))
    frame = base.unpack(packed[base.LENGTH_BYTES :])
    assert base.length_of(packed[: base.LENGTH_BYTES]) == len(packed) - base.LENGTH_BYTES
    assert isinstance(frame, Answer)
    assert msgspec.msgpack.decode(frame.body) == content


def test_an_idle_loop_does_nothing_until_the_time_that_it_was_told(pipe: Pipe) -> None:
    calls: list[float] = []
    pauses = iter([0.2, None])
    called = threading.Event()

    def when_idle() -> float | None:
        calls.append(monotonic())
        pause = next(pauses)
        if pause is None:
            called.set()
        return pause

    pipe.loop.when_idle = when_idle
    pipe.thread.start()
    assert called.wait(5)
    assert calls[1] - calls[0] >= 0.2
    pipe.close()
    assert len(calls) == 2
