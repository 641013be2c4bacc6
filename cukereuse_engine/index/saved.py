"""The format of an index on disk: a data file, and a manifest with its name, checksum and contents.

The manifest is written last and replaced in one step, and each data file is named after its content, so that a reader
finds the old index or the new one, also beside a second process that saves to the same folder. Never pickles.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from cukereuse_engine.index.base import IndexUnusableError
from cukereuse_engine.storage import write_atomically

MANIFEST = "index.json"
_ORPHAN_SECONDS = 3600.0
_DIGEST_SIZE = 16


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    """Kind and version of the data file, such as "hnsw-1"."""
    model_id: str
    model_hash: str
    dim: int
    settings: dict[str, int]
    """Settings of the graph, such as M."""
    data: str
    """Name of the data file."""
    data_digest: str
    """BLAKE2b of its content."""
    count: int
    """Vectors in it, removed ones included."""
    labels: list[int]
    keys: list[str]
    """Key of the label at the same position."""


def exists(folder: Path) -> bool:
    """True if an index was saved there, be it readable or not."""
    return (folder / MANIFEST).exists()


def write(folder: Path, write_data: Callable[[Path], tuple[Manifest, int]]) -> None:
    """Save an index: `write_data` writes the data file to a path and returns the manifest and the size that the file
    must have, because native code may fail to write silently. `data` and `data_digest` are filled in here. Raises
    `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".{os.getpid()}-{time.monotonic_ns()}.tmp"
    try:
        manifest, expected = write_data(temporary)
        if not temporary.is_file() or temporary.stat().st_size != expected:
            raise OSError(f"the index could not be written completely to {folder}")
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        digest = _digest(temporary)
        name = f"data-{digest}.bin"
        temporary.replace(folder / name)
    finally:
        temporary.unlink(missing_ok=True)
    content = msgspec.json.encode(msgspec.structs.replace(manifest, data=name, data_digest=digest))
    previous = _named_data(folder)
    write_atomically(folder / MANIFEST, _checksum(content) + b"\n" + content)
    _sweep(folder, keep=name, previous=previous)


def read(folder: Path, *, format: str, model_id: str, model_hash: str, dim: int) -> tuple[Manifest, Path]:
    """The manifest and the data file, if both are complete and have these properties; raises `IndexUnusableError`."""
    try:
        manifest = _manifest(folder)
        wanted = (format, model_id, model_hash, dim)
        if (manifest.format, manifest.model_id, manifest.model_hash, manifest.dim) != wanted:
            raise IndexUnusableError(f"{folder} contains an index of another model or format")
        data = folder / Path(manifest.data).name
        if _digest(data) != manifest.data_digest:
            raise IndexUnusableError(f"{data} is damaged")
    except OSError as error:
        raise IndexUnusableError(f"no index can be read from {folder}: {error.strerror or error}") from error
    if len(manifest.labels) != len(manifest.keys):
        raise IndexUnusableError(f"{folder} has labels without keys")
    return manifest, data


def _manifest(folder: Path) -> Manifest:
    checksum, _, content = (folder / MANIFEST).read_bytes().partition(b"\n")
    if checksum != _checksum(content):
        raise IndexUnusableError(f"{folder / MANIFEST} is damaged")
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexUnusableError(f"{folder / MANIFEST} has an unsupported format: {error}") from error


def _named_data(folder: Path) -> str:
    try:
        return _manifest(folder).data
    except (OSError, IndexUnusableError):
        return ""


def _sweep(folder: Path, keep: str, previous: str) -> None:
    """Remove the data file of the previous manifest, and those that a killed process left."""
    old = time.time() - _ORPHAN_SECONDS
    for path in [*folder.glob("data-*.bin"), *folder.glob(".*.tmp")]:
        with contextlib.suppress(OSError):  # another process was faster, or uses it
            if path.name != keep and (path.name == previous or path.stat().st_mtime < old):
                path.unlink()


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).hexdigest().encode()


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
