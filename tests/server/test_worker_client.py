"""The main process's end of the pipe to the worker."""

import asyncio
import sys
from pathlib import Path

import pytest
from cukereuse_server.events import WorkerEnded
from cukereuse_server.protocol.state import Announced
from cukereuse_server.worker.client import WorkerClient


@pytest.mark.asyncio
async def test_a_worker_that_never_lives_is_told_of_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho broken >&2\nexit 3\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    messages: list[object] = []
    given_up = asyncio.Event()
    worker: WorkerClient

    def started() -> None:
        if worker.given_up:
            given_up.set()

    worker = WorkerClient(messages.append, started)
    await worker.start()
    await asyncio.wait_for(given_up.wait(), 20)
    announced = [event for event in messages if not isinstance(event, WorkerEnded)]
    assert [type(event) for event in announced] == [Announced]
    assert "ended 5 times. See the log" in str(announced[0])
    assert len(messages) == 6
