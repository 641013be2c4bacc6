"""Edits of a text: their places, and the text and its bytes after them."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.decode import decode, encode_like
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.refactor.rename_plan import FileEdits, TextEdit


class ChangedFileError(CukereuseError):
    """A file has changed since the plan was made, or its encoding can't hold the edits."""


def step_edit(step: Step, new: str) -> TextEdit:
    """An edit that replaces a step's text, and nothing else in its line."""
    span = step.span
    return TextEdit(span.start, span.end, span.line, span.column, span.line, span.end_column, step.text, new)


_MARK = b"\xef\xbb\xbf"


def byte_edit(source: str, start_byte: int, end_byte: int, new: str) -> TextEdit:
    """An edit by byte offsets of the UTF-8 source, whose byte order mark, if any, is part of `source`."""
    data = source.encode("utf-8")
    mark = source.startswith("\ufeff")
    start = len(data[:start_byte].decode("utf-8")) - mark
    end = len(data[:end_byte].decode("utf-8")) - mark
    return span_edit(source.removeprefix("\ufeff"), start, end, new)


def span_edit(text: str, start: int, end: int, new: str) -> TextEdit:
    """An edit by code point offsets of `text`, which has no byte order mark."""
    _, starts = split_lines(text)
    starts = starts or [0]

    def place(offset: int) -> tuple[int, int]:
        line = max(bisect_right(starts, offset), 1)
        return line, offset - starts[line - 1] + 1

    return TextEdit(start, end, *place(start), *place(end), text[start:end], new)


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """`text` after sorted `edits`. Raises `ChangedFileError` if it does not contain the text that an edit replaces."""
    pieces: list[str] = []
    at = 0
    for edit in edits:
        if edit.start < at or text[edit.start : edit.end] != edit.old:
            raise ChangedFileError(f"line {edit.line} no longer contains {edit.old!r}", "Plan again.")
        pieces += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*pieces, text[at:]])


def edited_bytes(file: FileEdits, data: bytes) -> bytes:
    """A file's bytes after its edits; all other bytes stay. Raises `ChangedFileError` for bytes of another version, and
    if the file's encoding can't hold the new text."""
    if content_hash(data) != file.version:
        raise ChangedFileError(f"{file.path} has changed since the plan was made", "Plan again.")
    text = source_text(data, file.path) if file.is_glue else decode(data).text
    try:
        new = edited(text, file.edits)
    except ChangedFileError as error:
        raise ChangedFileError(f"{file.path}: {error.message}", error.hint) from None
    if file.is_glue:
        mark = _MARK if data.startswith(_MARK) else b""
        return mark + new.encode("utf-8")
    try:
        if encode_like(text, file.encoding, data) != data:
            message = f"{file.path}: its encoding {file.encoding} does not give the same bytes back"
            raise ChangedFileError(message, "Save it as UTF-8.")
        return encode_like(new, file.encoding, data)
    except UnicodeEncodeError:
        message = f"{file.path}: its encoding {file.encoding} can't hold the new text"
        raise ChangedFileError(message, "Choose other words, or save the file as UTF-8.") from None


def source_text(data: bytes, path: str = "") -> str:
    """A glue source without byte order mark. Raises `ChangedFileError`, which names `path`, if it is not UTF-8."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise ChangedFileError(f"{path or 'a source'} is not UTF-8", "Save it as UTF-8.") from None


def whole_source(data: bytes, path: str = "") -> str:
    """A glue source with its byte order mark, so that byte offsets of its definitions hold. Raises as above."""
    return ("\ufeff" if data.startswith(_MARK) else "") + source_text(data, path)


def sorted_edits(edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    return tuple(sorted(edits, key=lambda edit: edit.start))
