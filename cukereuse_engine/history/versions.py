"""The contribution of each version of a feature file to a suite. A version is read once, however many commits contain
it, and kept by its blob."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from cukereuse_engine import blocks, detection, gherkin, history, index, judging, refactor, scanning, text
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.flavour import flavour_of, forget_configurations
from cukereuse_engine.gherkin.karate import karate_statements
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.git import Blob, GitRepository
from cukereuse_engine.history.repeats import Repeats, repeats_of
from cukereuse_engine.progress import Progress
from cukereuse_engine.scanning.suite import roles_of
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.text.identity import normalise

T = TypeVar("T")
_READ_AT_ONCE = 4096
"""Blobs whose steps are in memory at once."""


class Version(msgspec.Struct, frozen=True, array_like=True):
    scenarios: int
    texts: dict[str, int]
    """Normalised text to steps."""
    statements: frozenset[str]
    """Texts of a Karate file, which are code."""
    unread: int
    roles: dict[str, int]
    """Normalised text to its roles, as `StepText.roles`."""
    repeats: Repeats
    """Tables and DocStrings are not looked at."""


class Versions:
    """The versions in one repository. If `store` is None, nothing is kept."""

    def __init__(self, repository: GitRepository, jobs: int | None, store: Blobs | None, progress: Progress) -> None:
        self._repository, self._jobs, self._store, self._progress = repository, jobs, store, progress

    def read(self, blobs: Iterable[Blob]) -> dict[str, Version]:
        """The versions by blob. Raises `CukereuseError` for an object that git lacks; `Cancelled`."""
        versions = self._read("version", {blob.id: blob.path for blob in blobs}, Version, _version_of)
        shared: dict[str, str] = {}  # the same few thousand texts are in thousands of versions
        return {
            id_: msgspec.structs.replace(
                version,
                texts={shared.setdefault(text, text): count for text, count in version.texts.items()},
                roles={shared.setdefault(text, text): roles for text, roles in version.roles.items()},
            )
            for id_, version in versions.items()
        }

    def with_attachments(self, blobs: Iterable[Blob]) -> dict[str, Repeats]:
        """Their repeats, with tables and DocStrings compared."""
        paths = {blob.id: blob.path for blob in blobs}
        return self._read("attached", paths, Repeats, lambda file, data: repeats_of(file, data, contents=True))

    def _read(
        self, kind: str, path_of: Mapping[str, str], type_: type[T], made_of: Callable[[FeatureFile, bytes], T]
    ) -> dict[str, T]:
        """A blob's name, and the configurations around it, decide how it is read."""
        forget_configurations()
        names = {id_: str(Path(self._repository.root, path)) for id_, path in path_of.items()}
        keys = {id_: f"{kind}/{_reader()}/{flavour_of(name).key}/{id_}" for id_, name in names.items()}
        made = self._kept(keys, type_)
        missing = [id_ for id_ in names if id_ not in made]
        contents = self._repository.contents(missing)
        for start in range(0, len(missing), _READ_AT_ONCE):
            part = missing[start : start + _READ_AT_ONCE]
            data: dict[str, bytes] = {}

            def load(_: str) -> bytes:
                id_, content = next(contents)
                data[id_] = content  # noqa: B023
                return content

            files = read_files([names[id_] for id_ in part], jobs=self._jobs, load=load, progress=self._progress)
            fresh = {id_: made_of(file, data.pop(id_)) for id_, file in zip(part, files, strict=True)}
            if self._store is not None:
                self._store.put_many({keys[id_]: msgspec.msgpack.encode(value) for id_, value in fresh.items()})
            made |= fresh
        return made

    def _kept(self, keys: Mapping[str, str], type_: type[T]) -> dict[str, T]:
        payloads = self._store.get_many(set(keys.values())) if self._store is not None else {}
        decoder = msgspec.msgpack.Decoder(type_)
        kept: dict[str, T] = {}
        for id_, key in keys.items():
            if key in payloads:
                try:
                    kept[id_] = decoder.decode(payloads[key])
                except msgspec.MsgspecError:
                    continue
        return kept


@cache
def _reader() -> str:
    """A digest of the code that reads versions."""
    packages = (blocks, detection, gherkin, history, index, judging, refactor, scanning, text)
    return digest_of(*(Path(package.__path__[0]) for package in packages))


def _version_of(file: FeatureFile, data: bytes) -> Version:
    groups: dict[str, list[Step]] = {}
    for step in file.steps:
        if text := _normalised(step.text):
            groups.setdefault(text, []).append(step)
    return Version(
        len({step.scenario_line for step in file.steps if not step.is_background}),
        {text: len(steps) for text, steps in groups.items()},
        karate_statements(groups),
        len(file.errors),
        {text: roles_of(steps) for text, steps in groups.items()},
        repeats_of(file, data, contents=False),
    )


_normalised = lru_cache(1 << 16)(normalise)
"""The same few thousand texts are in thousands of versions."""
