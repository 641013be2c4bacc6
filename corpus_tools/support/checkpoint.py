"""The progress of a stage, on disk: a stage that is stopped at any moment resumes there and gives the same bytes.

A stage is a list of units. The result of a unit is a part: a file that is written completely or not at all. When every
part exists, the outputs are assembled from them in a fixed order. Parts belong to a key (inputs, parameters, format);
another key removes them. A stage with independent units keeps its parts, each under a name of its own inputs (`unit`),
so that one more repository costs one more unit. Only the stage reads the content of a part.
"""

import errno
import glob
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from cukereuse_engine.storage import write_atomically

FOLDER = ".stages"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""The `errno` values of a full disk, which is no fault of a unit and ends the stage."""


class CheckpointedStage:
    """The progress of one stage in a folder."""

    def __init__(
        self, corpus: Path, name: str, key: Mapping[str, Any], *, of_parts: Mapping[str, Any] | None = None
    ) -> None:
        """`key`: what the outputs depend on. `of_parts`: what every part depends on, if that is less (None: `key`)."""
        self.corpus = corpus
        self.folder = corpus / FOLDER / name
        self._key = _text(key)
        shared = _text(key if of_parts is None else of_parts)
        if of_parts is not None and self._read("parts.json") != shared:
            shutil.rmtree(self.folder, ignore_errors=True)
            write_atomically(self.folder / "parts.json", shared.encode())
        if self._read("key.json") != self._key:
            if of_parts is None:
                shutil.rmtree(self.folder, ignore_errors=True)
            (self.folder / "outputs.json").unlink(missing_ok=True)
            write_atomically(self.folder / "key.json", self._key.encode())

    def part(self, name: str) -> Path:
        """The path of the part `name`."""
        return self.folder / "parts" / name

    def complete(self) -> bool:
        """True if the outputs are as a run with this key left them."""
        recorded = self._read("outputs.json")
        if recorded is None:
            return False
        outputs: dict[str, str] = json.loads(recorded)
        return all((self.corpus / name).is_file() and digest(self.corpus / name) == it for name, it in outputs.items())

    def finish(self, outputs: Sequence[Path], keep: Collection[Path] = ()) -> None:
        """Record that all `outputs` are written; delete the parts except for `keep`, and leftovers of killed runs."""
        for path in outputs:
            _sweep(path)
        digests = {path.relative_to(self.corpus).as_posix(): digest(path) for path in outputs}
        write_atomically(self.folder / "outputs.json", json.dumps(digests, sort_keys=True).encode())
        if not keep:
            shutil.rmtree(self.folder / "parts", ignore_errors=True)
            return
        for part in (self.folder / "parts").iterdir():
            if part not in keep:
                part.unlink()

    def _read(self, name: str) -> str | None:
        try:
            return (self.folder / name).read_text("utf-8")
        except OSError:
            return None


def unit(name: str, *inputs: object) -> str:
    """The name of a unit's part: the unit's name, and a digest of its inputs."""
    return f"{name}.{hashlib.blake2b(_text(inputs).encode(), digest_size=8).hexdigest()}"


def _text(key: object) -> str:
    return json.dumps(key, sort_keys=True, ensure_ascii=True)


def digest(path: Path) -> str:
    """BLAKE2b (16 bytes, hex) of a file's bytes."""
    hasher = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            hasher.update(block)
    return hasher.hexdigest()


def replace_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, which replaces `path` once it is on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        write(temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    """Delete temporary files of `path` that a killed run left."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        left.unlink(missing_ok=True)
