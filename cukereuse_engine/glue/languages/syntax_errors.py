"""Step definitions beside code that can't be parsed: one that is broken costs itself alone.

A grammar goes on after a syntax error, but what follows may count as a part of it, to the end of the file. So where
lines look like step definitions and none was read, the definition there or the one before is blanked out and the source
read again: what comes to light stays, with the source's own positions.
"""

import re
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Extraction, GlueError, StepDefinition

if TYPE_CHECKING:
    import tree_sitter

_READINGS = 100
"""Readings of one source at most, beside the first."""
_SECONDS = 2
"""Processor time for them at most."""
_ENGLISH = ("given", "when", "then", "step", "and", "but")
SYNTAX_ERROR = "can't be read: there is a syntax error in this step definition, or before it"


@cache
def _beginning() -> re.Pattern[bytes]:
    """How a line begins that begins a step definition in any language; group 1 is the indentation."""
    from cukereuse_engine.glue.languages.base import keyword_methods

    words = "|".join(sorted(map(re.escape, keyword_methods()), key=len, reverse=True)).encode()
    english = "|".join(_ENGLISH).encode()
    owner = rb"(?:[\w$]+(?:\.|::|\\))*"
    marked = (
        rb"(?:/\*\*[ \t]*)?(?:@|\[|\#\[)[ \t]*" + owner + rb"(?:(?i:" + english + rb")\w*|" + words + rb")(?![\w.])"
    )
    called = owner + rb"(?:" + words + rb"|Step|defineStep)[ \t]*(?:\([ \t]*(?![)\s])|\([ \t]*$|[ \t][/\"'%])"
    # of a mocking library too: `given(repository.find())`
    small = owner + rb"(?:given|when|then)[ \t]*\([ \t]*(?:[a-zA-Z@$]{0,2}[\"'`/]|$)"
    return re.compile(
        rb"^([ \t]*)(?:\*[ \t]+(?=@))?(?:" + marked + rb"|" + called + rb"|" + small + rb")", re.MULTILINE
    )


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    """Offset of the line in bytes."""
    end: int
    """Where the definition that begins here may end."""
    until: int
    """Where the next one begins."""
    line: int
    column: int


def _places(source: bytes) -> list[_Place]:
    """Where definitions seem to begin. A line indented deeper than the last one is a call in a function."""
    found: list[tuple[int, int]] = []
    for match in _beginning().finditer(source):
        if not found or len(match[1]) <= found[-1][1]:
            found.append((match.start(), len(match[1])))
    places, line, last = [], 1, 0
    for (start, indent), (until, _) in pairwise([*found, (len(source), 0)]):
        line, last = line + source.count(b"\n", last, start), start
        places.append(_Place(start, _end(source, start, until, indent), until, line, indent + 1))
    return places


def _end(source: bytes, start: int, until: int, indent: int) -> int:
    """At a line that is indented less, or not more after an empty one."""
    position, after_empty = source.find(b"\n", start, until) + 1, False
    while 0 < position < until:
        newline = source.find(b"\n", position, until)
        text = source[position : newline if newline >= 0 else until].rstrip()
        depth = len(text) - len(text.lstrip(b" \t"))
        if text and (depth < indent or (after_empty and depth == indent)):
            return position
        after_empty = not text
        position = newline + 1
    return until


def hidden(
    root: "tree_sitter.Node", source: bytes, definitions: Iterable[StepDefinition], errors: Iterable[GlueError]
) -> tuple[int, ...]:
    """Offsets of the lines where a definition seems to begin and none was read, nor anything said; none where the
    source is sound."""
    if not root.has_error:
        return ()
    lost = _unread(_places(source), definitions, errors)
    return tuple(place.start for place in lost if not _is_comment(root, source, place.start))


def _unread(
    places: Sequence[_Place], definitions: Iterable[StepDefinition], errors: Iterable[GlueError]
) -> Iterator[_Place]:
    read = {definition.literal.start_byte: definition.literal.end_byte for definition in definitions}
    starts = sorted(read)
    said = sorted(error.line for error in errors)
    lines = chain((place.line for place in places[1:]), [sys.maxsize])
    for place, line in zip(places, lines, strict=False):
        is_read = any(read[start] <= place.until for start in _within(starts, place.start, place.until))
        if not is_read and not _within(said, place.line, line):
            yield place


def _within(numbers: Sequence[int], first: int, until: int) -> Sequence[int]:
    return numbers[bisect_left(numbers, first) : bisect_left(numbers, until)]


def _is_comment(root: "tree_sitter.Node", source: bytes, offset: int) -> bool:
    """In a comment that is no documentation, where PHP's annotations stand."""
    at = offset + len(source[offset : offset + 200]) - len(source[offset : offset + 200].lstrip(b" \t"))
    node = root.descendant_for_byte_range(at, at)
    return node is not None and "comment" in node.type and not source[node.start_byte :].startswith(b"/**")


def around_errors(path: str, read: Callable[[bytes], Extraction], source: bytes, first: Extraction) -> Extraction:
    """`first`, and what `read` finds once broken definitions are blanked out; those that stay hidden are errors."""
    places = _places(source)
    numbers = {place.start: number for number, place in enumerate(places)}
    reading = _Reading(read, source, first, places)
    reading.improve([tuple((place.start, place.end) for place in reading.broken())])
    number = -1
    while (number := next((n for n in map(numbers.__getitem__, reading.found.lost) if n > number), -1)) >= 0:
        if not reading.improve(_ways(places, number)):
            break
    missing = [places[numbers[start]] for start in reading.found.lost]
    errors = [GlueError(path, place.line, place.column, SYNTAX_ERROR) for place in missing]
    return replace(reading.found, errors=(*reading.found.errors, *errors), lost=())


_Blanks = tuple[tuple[int, int], ...]


def _ways(places: Sequence[_Place], number: int) -> Iterator[_Blanks]:
    """What may hide a definition: itself, or one of the two before, alone or with what follows it."""
    own = places[number]
    yield ((own.start, own.end),)
    yield ((own.start, own.until),)
    for before in reversed(places[max(number - 2, 0) : number]):
        yield ((before.start, before.end),)
        yield (before.start, before.end), (own.start, own.end)
        yield ((before.start, own.start),)


class _Reading:
    """A source as it is known so far."""

    def __init__(
        self, read: Callable[[bytes], Extraction], source: bytes, first: Extraction, places: Sequence[_Place]
    ) -> None:
        self.found = first
        self._read = read
        self._source = source
        self._places = places
        self._blanks: _Blanks = ()
        self._left = _READINGS
        self._until = time.thread_time() + _SECONDS
        self._blank = re.compile(rb"[^\r\n]" if _is_utf8(source) else rb"[^\r\n\x80-\xff]")

    def broken(self) -> list[_Place]:
        """The definitions with an error of their own: each makes an error of those before it, which have none. None
        where there is an error without any of them."""
        found: list[_Place] = []
        if self._has_error([]):
            return []
        while len(found) < len(self._places) and self._has_error([one for one in self._places if one not in found]):
            sound, wrong = 0, len(self._places)
            while wrong - sound > 1:
                middle = (sound + wrong) // 2
                has_error = self._has_error([one for one in self._places[:middle] if one not in found])
                sound, wrong = (sound, middle) if has_error else (middle, wrong)
            if not self._may_go_on():
                break  # the last one was not told any more
            found.append(self._places[wrong - 1])
        return found

    def _has_error(self, places: Sequence[_Place]) -> bool:
        """With these definitions alone."""
        if not self._may_go_on():
            return False
        self._left -= 1
        kept = set(places)
        return self._read(self._without((one.start, one.end) for one in self._places if one not in kept)).is_broken

    def _may_go_on(self) -> bool:
        return self._left > 0 and time.thread_time() < self._until

    def _without(self, blanks: Iterable[tuple[int, int]]) -> bytes:
        text = bytearray(self._source)
        for start, end in blanks:
            text[start:end] = self._blank.sub(b" ", text[start:end])
        return bytes(text)

    def improve(self, ways: Iterable[_Blanks]) -> bool:
        """Blank out more in the way that brings most to light, if one brings anything. False once enough was tried."""
        best, blanks = self.found, self._blanks
        for way in dict.fromkeys(ways):
            if not self._may_go_on():
                return False
            self._left -= 1
            other = self._with(way)
            if len(other.lost) < len(best.lost):
                best, blanks = other, (*self._blanks, *way)
        self.found, self._blanks = best, blanks
        return True

    def _with(self, way: _Blanks) -> Extraction:
        """What is read with more blanked out, and what was read there before."""
        found = self._read(self._without((*self._blanks, *way)))
        there = [
            one
            for one in self.found.definitions
            if any(start <= one.literal.start_byte and one.literal.end_byte <= end for start, end in way)
        ]
        lines = [(self._line(start), self._line(end)) for start, end in way]
        said = [error for error in self.found.errors if any(first <= error.line < last for first, last in lines)]
        definitions = sorted([*found.definitions, *there], key=lambda one: (one.literal.start_byte, one.keyword))
        errors = (*found.errors, *said)
        before = {place.start for place in _unread(self._places, self.found.definitions, self.found.errors)}
        unread = [place.start for place in _unread(self._places, definitions, errors)]
        lost = tuple(start for start in unread if start in self.found.lost or start not in before)
        return replace(found, definitions=tuple(definitions), errors=errors, lost=lost)

    def _line(self, offset: int) -> int:
        return self._source.count(b"\n", 0, offset) + 1


def _is_utf8(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
