"""What a reader found in a file, without the file's name: what crosses processes and lies in the cache.

Scenarios keep what their steps share, so that a record is small; `to_feature_file` spreads it into `Step`s. Never
touches files, never parses.
"""

from collections.abc import Callable

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
    """Something skipped; lines and columns as in `ReadError`."""

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
    """Raises `msgspec.MsgspecError` for anything that is not a record."""
    return _DECODER.decode(payload)


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileRecord)


def to_feature_file(
    record: FileRecord, path: str, content_hash: str, intern: Callable[[str, str], str] | None = None
) -> FeatureFile:
    """The file as the rest of the engine sees it. `intern` (a dict's `setdefault`) lets files share equal strings."""
    own: dict[str, str] = {}
    share = intern or own.setdefault
    steps: list[Step] = []
    for block in record.blocks:
        examples = tuple(Examples(e.line, e.header, tuple(e.rows), e.tags) for e in block.examples)
        for step in block.steps:
            text = share(step.text, step.text)
            steps.append(
                Step(
                    path,
                    text,
                    Span(step.line, step.column, step.start, step.start + len(text)),
                    share(step.keyword, step.keyword),
                    KEYWORD_TYPES[step.keyword_type],
                    KEYWORD_TYPES[step.resolved_type],
                    block.feature,
                    block.rule,
                    block.name,
                    block.line,
                    block.tags,
                    block.is_background,
                    block.is_outline,
                    examples,
                    step.argument,
                    record.recovered,
                    KEYWORD_TYPES[step.carried_type],
                    KEYWORD_TYPES[step.run_type],
                )
            )
    return FeatureFile(
        path,
        record.language,
        record.encoding,
        tuple(steps),
        tuple(ReadError(path, note.line, note.column, note.message) for note in record.notes),
        tuple(Comment(line, text) for line, text in record.comments),
        content_hash,
    )
