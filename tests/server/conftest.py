"""A workspace without a process: the work of threads is done when the test requests it."""

import random
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cukereuse_server.protocol.base import Event
from cukereuse_server.workspace.host import Job, Work
from cukereuse_server.workspace.workspace import Workspace
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.progress import SILENT, Progress


class InlineHost:
    """Does the requested work in `drain`, in a random but repeatable order, as threads would."""

    def __init__(self, seed: int = 0) -> None:
        self.events: list[Event] = []
        self._chance = random.Random(seed)
        self._jobs: dict[str, deque[tuple[Job[Any], Callable[[], Any]]]] = {}
        self._tasks: dict[str, Work[None]] = {}
        self._waiting: dict[str, Job[Any]] = {}
        self._running = ""
        self._dropped = False

    def start(self, name: str, work: Work[None], *, urgent: bool = False) -> None:
        del urgent
        assert name != self._running
        self.drop(name)
        self._tasks[name] = work

    def drop(self, name: str) -> None:
        if name == self._running:
            self._dropped = True
            return
        work = self._tasks.pop(name, None)
        self._waiting.pop(name, None)
        if work is not None:
            work.close()

    def job(self, thread: str, compute: Callable[[], Any]) -> Job[Any]:
        job: Job[Any] = Job()
        self._jobs.setdefault(thread, deque()).append((job, compute))
        return job

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def give_way(self, to: str = "") -> None:
        pass

    def stopping(self) -> bool:
        return False

    def step(self) -> bool:
        """Do one thing; false if nothing is left."""
        threads = [name for name, jobs in self._jobs.items() if jobs]
        runnable = [name for name in self._tasks if name not in self._waiting or self._waiting[name].done]
        if not threads and not runnable:
            assert not self._tasks, "somebody waits for what nobody does"
            return False
        choice = self._chance.choice([*threads, *runnable])
        if choice in self._tasks:
            self._slice(choice)
            return True
        job, compute = self._jobs[choice].popleft()
        try:
            job.finish(compute(), None)
        except Exception as error:
            job.finish(None, error)
        return True

    def _slice(self, name: str) -> None:
        self._waiting.pop(name, None)
        self._running, self._dropped = name, False
        try:
            job = next(self._tasks[name])
            if job is not None:
                self._waiting[name] = job
        except StopIteration:
            self._dropped = True
        finally:
            self._running = ""
            if self._dropped:
                self.drop(name)

    def drain(self) -> None:
        while self.step():
            pass


class World:
    """A folder with a workspace."""

    def __init__(self, root: Path, seed: int = 0) -> None:
        self.root = root
        self.host = InlineHost(seed)
        self.embedder: HashEmbedder | None = None
        self.workspace = Workspace(self.host, use_cache=False)

    def configure(self, *folders: Path, **settings: Any) -> None:
        self.workspace.configure([str(folder) for folder in folders or (self.root,)], settings, False)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
        return path

    def settled(self) -> Workspace:
        self.workspace.settled()
        self.host.drain()
        self.workspace.settled()
        return self.workspace


_NOISE, _MARGIN = 0.25, 0.5
"""So much larger than a model's that many pairs are left open: two vectors, each turned by an angle of .25."""


class HashEmbedder:
    """Vectors of the words in a text: similar if words are shared."""

    model_id, dim = "hash", 16

    def __init__(self, noise: float = 0.0) -> None:
        """`noise`: the length of a random vector that is added to each vector."""
        self.model_hash = str(noise)
        self._noise = noise
        self.embedded: list[str] = []
        self.tokenised: list[str] = []

    def coarse(self) -> "HashEmbedder":
        return self._coarse

    def rest(self, *, ready: bool = False) -> None:
        pass

    @cached_property
    def _coarse(self) -> "HashEmbedder":
        return HashEmbedder(noise=_NOISE)

    def embed(self, texts: Sequence[str], progress: Progress = SILENT) -> Vectors:
        del progress
        self.embedded += texts
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                generator = np.random.default_rng(list(word.encode()))
                vectors[row] += generator.standard_normal(self.dim)
        vectors = _at_length_one(vectors)
        for row, text in enumerate(texts):
            noise = np.random.default_rng(list(text.encode())).standard_normal((1, self.dim))
            vectors[row] += self._noise * _at_length_one(noise)[0]
        return _at_length_one(vectors)

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        self.tokenised += texts
        return [np.array([zlib.crc32(word.encode()) % 5000 for word in text.split()], np.int32) for text in texts]

    def token_embeddings(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        """As wide as in the training of the shipped networks."""
        rows = [np.random.default_rng(token).normal(size=384) for token in tokens.tolist()]
        return np.array(rows, np.float32).reshape(-1, 384)


def _at_length_one(vectors: NDArray[Any]) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


@pytest.fixture(autouse=True)
def no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only wordings, whatever model is on this machine."""
    monkeypatch.setenv("CUKEREUSE_MODEL_DIR", str(tmp_path / "no model"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "ws")


@pytest.fixture
def embedder(world: World, monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """A model for `world` whose coarse vectors are very coarse."""
    world.embedder = HashEmbedder()
    for user in ("cukereuse_engine.detection.auto", "cukereuse_server.workspace.stages.embedding"):
        monkeypatch.setattr(f"{user}.COARSE_MARGIN", _MARGIN)
    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", lambda *_, **__: world.embedder)
    return world.embedder
