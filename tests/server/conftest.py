"""A workspace without a process: threads' work is done when the test says so."""

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cukereuse_server.protocol.base import Event
from cukereuse_server.workspace.workspace import Workspace

from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.similarity.embedder import Vectors


class InlineHost:
    """Does what is asked for in `drain`, in a random but repeatable order, as threads would."""

    def __init__(self, seed: int = 0) -> None:
        self.events: list[Event] = []
        self._chance = random.Random(seed)
        self._work: dict[str, deque[tuple[Callable[[], Any], Callable[[Any], None], Callable[..., None] | None]]] = {}
        self._posts: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._slices: dict[str, tuple[Iterator[None], Callable[..., None] | None]] = {}

    def background(self, name: str, slices: Iterator[None], fail: Callable[..., None] | None = None) -> None:
        self._slices[name] = slices, fail

    def thread(
        self, name: str, work: Callable[[], Any], take: Callable[[Any], None], fail: Callable[..., None] | None = None
    ) -> None:
        self._work.setdefault(name, deque()).append((work, take, fail))

    def post(self, take: Callable[[Any], None], value: Any) -> None:
        self._posts.append((take, value))

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def give_way(self, to: str = "") -> None:
        pass

    def stopping(self) -> bool:
        return False

    def step(self) -> bool:
        """Do one thing; False where nothing is left."""
        if self._posts:
            take, value = self._posts.popleft()
            take(value)
            return True
        ready = [name for name, works in self._work.items() if works]
        choice = self._chance.choice([*ready, *self._slices]) if ready or self._slices else None
        if choice is None:
            return False
        if choice in self._slices:
            slices, fail = self._slices[choice]
            try:
                done = next(slices, self) is self
            except Exception as error:
                if fail is None:
                    raise
                done = True
                fail(error)
            if done and self._slices.get(choice) == (slices, fail):
                del self._slices[choice]
            return True
        work, take, fail = self._work[choice].popleft()
        try:
            result = work()
        except Exception as error:
            if fail is None:
                raise
            take, result = fail, error
        self._posts.append((take, result))  # after what the work itself posted
        return True

    def drain(self) -> None:
        while self.step():
            pass


class World:
    """A folder with a workspace on it."""

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
        self.workspace.settle()
        self.host.drain()
        self.workspace.settle()
        return self.workspace


class HashEmbedder:
    """Vectors of the words in a text: near where words are shared."""

    model_id, model_hash, dim = "hash", "0", 16

    def embed(self, texts: Sequence[str], progress: Progress = SILENT) -> Vectors:
        del progress
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                generator = np.random.default_rng(list(word.encode()))
                vectors[row] += generator.standard_normal(self.dim)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(norms, 1e-9)


@pytest.fixture(autouse=True)
def no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lexical only, whatever model is on this machine."""
    monkeypatch.setenv("CUKEREUSE_MODEL_DIR", str(tmp_path / "no model"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "ws")


@pytest.fixture
def embedder(world: World, monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """A model for `world`."""
    world.embedder = HashEmbedder()
    monkeypatch.setattr("cukereuse_engine.similarity.models.open_embedder", lambda *_, **__: world.embedder)
    return world.embedder
