"""What a reader found in a file, without the file's name: sent between processes and cached.

Scenarios contain what their steps share, so that a record is small; `to_feature_file` expands it to `Step`s. Never
touches files, never parses.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from cukereuse_engine.gherkin.feature import Comment, Examples, FeatureFile, KeywordType, ReadError, Span, Step

KEYWORD_TYPES = tuple(KeywordType)
"""Records hold positions in this tuple."""


class StepRecord(msgspec.Struct, array_like=True, gc=False):
    text: str
    line: int
    column: int
    start: int
    keyword: str
    keyword_type: int
    resolved_type: int
    carried_type: int
    run_type: int
    argument: str | None = None


class ExamplesRecord(msgspec.Struct, array_like=True):
    line: int
    tags: tuple[str, ...]
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []


class BlockRecord(msgspec.Struct, array_like=True):
    """A scenario or a background."""

    feature: str
    rule: str | None
    name: str
    line: int
    tags: tuple[str, ...]
    is_background: bool
    is_outline: bool
    steps: list[StepRecord]
    examples: list[ExamplesRecord]


class Note(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A skipped place; lines and columns as in `ReadError`."""

    line: int
    column: int
    message: str


class FileRecord(msgspec.Struct, array_like=True):
    language: str
    encoding: str
    recovered: bool
    blocks: list[BlockRecord]
    notes: list[Note]
    comments: list[tuple[int, str]]


def encode(record: FileRecord) -> bytes:
    return _ENCODER.encode(record)


def decode(payload: bytes) -> FileRecord:
    """The record in a payload. Raises `msgspec.MsgspecError` for anything else."""
    return _DECODER.decode(payload)


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileRecord)


def to_feature_file(
    record: FileRecord, path: str, content_hash: str, intern: Callable[[str, str], str] | None = None
) -> FeatureFile:
    """The file as the rest of the engine sees it. `intern` (a dict's `setdefault`) lets files share equal strings."""
    own: dict[str, str] = {}
    share = intern or own.setdefault
    steps = [step for block in record.blocks for step in steps_of(block, path, recovered=record.recovered, share=share)]
    return FeatureFile(
        path,
        record.language,
        record.encoding,
        tuple(steps),
        tuple(ReadError(path, note.line, note.column, note.message) for note in record.notes),
        tuple(Comment(line, text) for line, text in record.comments),
        content_hash,
    )


def steps_of(
    block: BlockRecord,
    path: str,
    *,
    recovered: bool,
    share: Callable[[str, str], str],
    line: int = 0,
    start: int = 0,
) -> Iterator[Step]:
    """The steps of one scenario or background. `line`, `start`: the lines and code points of the file before the first
    that the record counts."""
    tables = tuple(
        Examples(examples.line + line, examples.header, tuple(examples.rows), examples.tags)
        for examples in block.examples
    )
    for step in block.steps:
        text = share(step.text, step.text)
        at = step.start + start
        yield Step(
            path,
            text,
            Span(step.line + line, step.column, at, at + len(text)),
            share(step.keyword, step.keyword),
            KEYWORD_TYPES[step.keyword_type],
            KEYWORD_TYPES[step.resolved_type],
            block.feature,
            block.rule,
            block.name,
            block.line + line,
            block.tags,
            block.is_background,
            block.is_outline,
            tables,
            step.argument,
            recovered,
            KEYWORD_TYPES[step.carried_type],
            KEYWORD_TYPES[step.run_type],
        )


def moved_steps(steps: Iterable[Step], *, lines: int, characters: int, recovered: bool) -> Iterator[Step]:
    """The same steps, moved by lines and code points. Steps of one scenario are together."""
    before: tuple[Examples, ...] = ()
    tables = before
    for step in steps:
        span = step.span
        if step.examples is not before:
            before = step.examples
            tables = tuple(Examples(each.line + lines, each.header, each.rows, each.tags) for each in before)
        yield Step(
            step.path,
            step.text,
            Span(span.line + lines, span.column, span.start + characters, span.end + characters),
            step.keyword,
            step.keyword_type,
            step.resolved_type,
            step.feature,
            step.rule,
            step.scenario,
            step.scenario_line + lines,
            step.tags,
            step.is_background,
            step.is_outline,
            tables,
            step.argument,
            recovered,
            step.carried_type,
            step.run_type,
        )
