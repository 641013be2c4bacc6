"""Reads some lines of a source as if they were the whole source; positions are those of the whole."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from cukereuse_engine.glue.definition import Extraction, SourceSpan

Part = tuple[int, int]
"""Byte offsets of the first line, and of the line after the last."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    text: bytes
    _parts: Sequence[Part]
    _offsets: Sequence[int]
    """Offset of each part in the text."""
    _lines: Sequence[int]
    """Number of each part's first line in the text."""
    _source_lines: Sequence[int]

    def at_home(self, extraction: Extraction) -> Extraction:
        """What the text contains, with its positions in the source."""
        return replace(
            extraction,
            definitions=tuple(
                replace(
                    definition,
                    literal=self._span(definition.literal),
                    function=definition.function and self._span(definition.function),
                )
                for definition in extraction.definitions
            ),
            parameter_types=tuple(
                replace(parameter_type, line=self._line(parameter_type.line))
                for parameter_type in extraction.parameter_types
            ),
            errors=tuple(replace(error, line=self._line(error.line)) for error in extraction.errors),
            classes=tuple(
                replace(
                    class_, start_byte=self._offset(class_.start_byte), end_byte=self._offset(class_.end_byte - 1) + 1
                )
                for class_ in extraction.classes
            ),
            lost=tuple(map(self._offset, extraction.lost)),
        )

    def _span(self, span: SourceSpan) -> SourceSpan:
        # a span that ends where a line begins ends after the line before
        at_line_end = span.end_column == 1 and span.end_line > span.line
        return replace(
            span,
            start_byte=self._offset(span.start_byte),
            end_byte=self._offset(span.end_byte - 1) + 1,
            line=self._line(span.line),
            end_line=self._line(span.end_line - 1) + 1 if at_line_end else self._line(span.end_line),
        )

    def _offset(self, offset: int) -> int:
        number = max(bisect_right(self._offsets, offset) - 1, 0)
        return self._parts[number][0] + offset - self._offsets[number]

    def _line(self, line: int) -> int:
        number = bisect_right(self._lines, line) - 1
        return self._source_lines[number] + line - self._lines[number] if number >= 0 else line


class Excerpts:
    """The excerpts of one source."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    def of(self, parts: Sequence[Part]) -> Excerpt:
        """The excerpt of these parts, which must be in source order."""
        joined: list[Part] = []
        for start, end in parts:
            if joined and joined[-1][1] == start:
                joined[-1] = joined[-1][0], end
            elif start < end:
                joined.append((start, end))
        texts = [self._source[start:end] for start, end in joined]
        newlines = [text.count(b"\n") for text in texts]
        source_lines, line, at = [], 1, 0
        for start, _ in joined:
            line, at = line + self._source.count(b"\n", at, start), start
            source_lines.append(line)
        offsets = list(accumulate(map(len, texts), initial=0))[:-1]
        lines = list(accumulate(newlines, initial=1))[:-1]
        return Excerpt(b"".join(texts), joined or [(0, 0)], offsets or [0], lines, source_lines)
