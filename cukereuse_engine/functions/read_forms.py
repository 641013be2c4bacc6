"""Reads the forms of many sources: cached by content, in several processes if that pays."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.functions.form import FileForms
from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.sources import reader
from cukereuse_engine.processes import in_chunks, shared_out, usable_cores
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import BlobStore

POOL_BYTES = 1_500_000
"""The bytes from which starting processes pays."""
CHUNK_BYTES = 150_000
"""The bytes that one process gets at once."""

_Task = tuple[str, bytes, tuple[StepDefinition, ...]]
"""Path, source, and the definitions in it."""


def read_forms(
    definitions: Mapping[str, Sequence[StepDefinition]],
    read: Callable[[str], bytes | None],
    *,
    jobs: int | None = None,
    cache: BlobStore | None = None,
    progress: Progress = SILENT,
) -> dict[str, FileForms]:
    """The forms of the functions in each source. `definitions`: the definitions by path; `read` gives a source or None.

    Uses at most `jobs` processes (by default, as many as cores). Raises `Cancelled` when `progress` does.
    """
    tasks: dict[str, _Task] = {}
    forms: dict[str, FileForms] = {}
    with progress.stage("reading functions", len(definitions), "files") as stage:
        for path, group in definitions.items():
            data = read(path)
            if data is None:
                forms[path] = FileForms({}, {})
            elif not _can_be_kept(path):
                forms[path] = forms_of(path, data, group)
            else:
                tasks[_key(path, data)] = (path, data, tuple(group))
            stage.advance()
        payloads = cache.get_many(set(tasks)) if cache is not None else {}
        missing = {key: task for key, task in tasks.items() if key not in payloads}
        fresh = dict(zip(missing, _read(list(missing.values()), jobs), strict=True))
        if cache is not None:
            cache.put_many(fresh)
    table: dict[str, str] = {}
    for key, (path, data, group) in tasks.items():
        forms[path] = _decode(payloads.pop(key) if key in payloads else fresh.pop(key), path, data, group)
        _share(forms[path], table)
    return forms


def _share(file: FileForms, table: dict[str, str]) -> None:
    """Equal tokens of a suite's functions become one string: of 1.4 million in a large suite 40,000 differ."""
    for form in file.forms.values():
        statements = tuple(tuple(map(table.setdefault, tokens, tokens)) for tokens in form.statements)
        object.__setattr__(form, "statements", statements)


def _can_be_kept(path: str) -> bool:
    """True if the path is UTF-8: names of a file's own functions contain it."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _key(path: str, data: bytes) -> str:
    """The cache key contains the path, because names of a file's own functions contain it."""
    digest = hashlib.blake2b(data, digest_size=16)
    digest.update(path.encode())
    return f"functions/{__version__}.{_code()}.{reader()}/{digest.hexdigest()}"


@cache
def _code() -> str:
    """A digest of the code that makes forms; the source's definitions have a digest of their own."""
    return digest_of(Path(__file__).parent)


def _decode(payload: bytes, path: str, data: bytes, definitions: Sequence[StepDefinition]) -> FileForms:
    try:
        return msgspec.json.decode(payload, type=FileForms)
    except msgspec.MsgspecError:
        return forms_of(path, data, definitions)


def _read(tasks: list[_Task], jobs: int | None) -> list[bytes]:
    jobs = jobs if jobs is not None else usable_cores()
    if jobs < 2 or sum(len(data) for _, data, _ in tasks) < POOL_BYTES:
        return _read_chunk(tasks)
    return shared_out(_read_chunk, list(in_chunks(tasks, lambda task: len(task[1]), CHUNK_BYTES)), jobs)


def _read_chunk(tasks: list[_Task]) -> list[bytes]:
    return [msgspec.json.encode(forms_of(*task)) for task in tasks]
