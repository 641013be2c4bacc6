"""Reads what the step definitions in one version of a source do, from its bytes, cached by content.

A form is comparable wherever the source is: names count without their file, class or module.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import cache as once
from pathlib import Path, PurePath
from types import TracebackType

import msgspec

from cukereuse_engine.functions.form import Form
from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.functions.relations import parameters_of
from cukereuse_engine.functions.tokens import CLOSE, OPEN, VALUE, portable, words
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.nearest import wording
from cukereuse_engine.glue.sources import extract_source, is_written, reader
from cukereuse_engine.processes import in_chunks, usable_cores, worker_processes
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.text.template import SLOT, template
from cukereuse_engine.workers import Workers

_AT_ONCE = 256
_POOL_BYTES = 1_000_000
_CHUNK_BYTES = 100_000


class DefinitionState(msgspec.Struct, frozen=True, array_like=True):
    """A step definition in one version of its source."""

    wording: str
    """The expression as a step, with a slot for each argument."""
    expression: str
    line: int
    start: int
    """Bytes in the source: where the function begins, and ends."""
    end: int
    form: str
    """The tokens of what the function does, joined; empty where it does nothing yet."""
    statements: tuple[str, ...]
    """The tokens of each statement, joined."""
    weight: int
    may_check: bool
    is_outcome: bool
    """True if its keyword is that of an outcome, where the source names one."""
    is_action: bool
    """True if its keyword is that of a context or an action: whatever a step says, it checks nothing."""
    language: str
    is_known: bool
    """True if what the function does could be read, even if it does nothing."""

    @property
    def only_pauses(self) -> bool:
        """True if the function does nothing but wait for some time."""
        return bool(self.statements) and all(_pauses(statement.split(SEPARATOR)) for statement in self.statements)


SEPARATOR = "\x1f"
_CALL = f"{OPEN}call"
_PAUSING = frozenset(("sleep", "wait", "waits", "pause", "delay"))
_THEN = frozenset(("then", "@then", "ctx.then"))
_DOING = frozenset(f"{before}{keyword}" for before in ("", "@", "ctx.") for keyword in ("given", "when"))


def _pauses(statement: Sequence[str]) -> bool:
    """True if a statement waits for a fixed time, and for nothing else: `Thread.sleep(500)`."""
    if _CALL not in statement:
        return False
    place = statement.index(_CALL)
    handed = [token for token in statement[place + 1 :] if token != CLOSE]
    names = [word for token in statement[:place] for word in words(token[1:])]
    return bool(handed) and all(token[:1] == VALUE for token in handed) and not _PAUSING.isdisjoint(names)


def may_define(path: str, source: bytes) -> bool:
    """True if a source may contain step definitions, by a look that parses nothing."""
    language = language_for(path)
    return language is not None and is_written(source) and bool(language.hint.search(source))


def said_in(path: str, source: bytes) -> list[DefinitionState]:
    """The definitions in one source, by place. Never raises."""
    definitions = extract_source(path, source).definitions
    read = forms_of(path, source, definitions)
    idle = frozenset(read.idle)
    states = [
        _state_of(definition, read.forms.get(definition.function_id), definition.function_id in idle)
        for definition in definitions
    ]
    return sorted(states, key=lambda definition: (definition.line, definition.start, definition.wording))


def definition_of(path: str, source: bytes, state: DefinitionState) -> StepDefinition | None:
    """The definition of a state from `said_in`, with the same path and source."""
    definitions = [each for each in extract_source(path, source).definitions if each.line == state.line]
    return next((each for each in definitions if each.shown == state.expression), None)


def ignored_arguments(path: str, source: bytes, state: DefinitionState) -> list[tuple[str, bool]]:
    """The parameters that get the captured arguments of a definition from `said_in`, in that order, and true for those
    that its function never mentions; empty if that is unknown."""
    same = definition_of(path, source, state)
    form = forms_of(path, source, [same]).forms.get(same.function_id) if same is not None else None
    if same is None or form is None or form.is_partial:
        return []
    taking = parameters_of(same, form, [""] * template(state.wording).masked.count(SLOT))
    return [(name, name in form.unused) for name in taking]


def _state_of(definition: StepDefinition, form: Form | None, is_idle: bool) -> DefinitionState:
    span = definition.function or definition.literal
    is_known = is_idle or (form is not None and not form.is_partial)
    keyword = definition.keyword.lower()
    statements = (
        tuple(SEPARATOR.join(map(portable, statement)) for statement in form.statements)
        if form is not None and is_known
        else ()
    )
    return DefinitionState(
        wording(definition),
        definition.shown,
        definition.line,
        span.start_byte,
        span.end_byte,
        SEPARATOR.join(statements),
        statements,
        form.weight if form is not None else 0,
        form is not None and form.may_check,
        "then" in definition.keyword_types or keyword in _THEN,
        "then" not in definition.keyword_types and (bool(definition.keyword_types) or keyword in _DOING),
        definition.language,
        is_known,
    )


def read_versions(
    blobs: Sequence[tuple[str, str]],
    contents: Iterator[tuple[str, bytes]],
    *,
    jobs: int | None = None,
    cache: Blobs | None = None,
    progress: Progress = SILENT,
) -> dict[str, list[DefinitionState]]:
    """What each blob defines, by its id, without those that define nothing. `blobs`: id and path of each; `contents`:
    id and bytes of each, in the same order.

    Uses at most `jobs` processes (by default, as many as cores). Raises `Cancelled` when `progress` does.
    """
    versions: dict[str, list[DefinitionState]] = {}
    with (
        progress.stage("reading step definitions of the past", len(blobs), "versions") as stage,
        _Readers(jobs) as read,
    ):
        for start in range(0, len(blobs), _AT_ONCE):
            part = blobs[start : start + _AT_ONCE]
            tasks: dict[str, _Task] = {}
            for id_, path in part:
                _, data = next(contents)
                if may_define(path, data):
                    tasks[id_] = (_key(id_, path), path, data)
            payloads = cache.get_many({key for key, _, _ in tasks.values()}) if cache is not None else {}
            missing = [task for task in tasks.values() if task[0] not in payloads]
            fresh = dict(zip((task[0] for task in missing), read(missing), strict=True))
            if cache is not None:
                cache.put_many(fresh)
            for id_, (key, path, data) in tasks.items():
                states = _decoded(payloads[key] if key in payloads else fresh[key], path, data)
                if states:
                    versions[id_] = states
            stage.advance(len(part))
    return versions


_Task = tuple[str, str, bytes]
"""Key of the cache, path, source."""


def _key(id_: str, path: str) -> str:
    """git's id is that of the content; suffixes tell the language."""
    digest = hashlib.blake2b(id_.encode(), digest_size=16)
    return f"past/{_code()}/{PurePath(path).suffix.lower()}/{digest.hexdigest()}"


@once
def _code() -> str:
    """A digest of the code that reads definitions from sources."""
    engine = Path(__file__).parents[1]
    return reader() + digest_of(Path(__file__), engine / "functions", engine / "text")


def _decoded(payload: bytes, path: str, data: bytes) -> list[DefinitionState]:
    try:
        states = msgspec.msgpack.decode(payload, type=list[DefinitionState])
    except msgspec.MsgspecError:
        return said_in(path, data)
    return [msgspec.structs.replace(definition, form=sys.intern(definition.form)) for definition in states]


class _Readers:
    """Reads sources, in several processes if that pays: they start with the first part that is large enough."""

    def __init__(self, jobs: int | None) -> None:
        self._jobs = jobs if jobs is not None else usable_cores()
        self._open = ExitStack()
        self._pool: Workers | None = None

    def __enter__(self) -> "_Readers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._open.__exit__(kind, error, trace)

    def __call__(self, tasks: list[_Task]) -> list[bytes]:
        if self._jobs < 2 or (self._pool is None and sum(len(data) for _, _, data in tasks) < _POOL_BYTES):
            return _read_chunk(tasks)
        try:
            if self._pool is None:
                self._pool = self._open.enter_context(worker_processes(self._jobs))
            return [
                payload
                for payloads in self._pool.map(_read_chunk, in_chunks(tasks, lambda task: len(task[2]), _CHUNK_BYTES))
                for payload in payloads
            ]
        except BrokenProcessPool:  # a process was killed: its work is done here
            self._jobs = 1
            return _read_chunk(tasks)


def _read_chunk(tasks: list[_Task]) -> list[bytes]:
    return [msgspec.msgpack.encode(said_in(path, data)) for _, path, data in tasks]
