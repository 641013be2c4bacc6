"""Reads step definitions beside code that can't be parsed: a broken definition costs only itself.

A grammar goes on after a syntax error, but may take all that follows, to the end of the file, for a part of it. So if
lines look like step definitions that were not read, the blocks of the source are read in halves, each between the code
before the first block and the code after the last, until the blocks with an error are known. All others are then read
together, and each broken one by itself.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cukereuse_engine.glue.definition import Extraction, GlueError, StepDefinition
from cukereuse_engine.glue.languages.definition_lines import (
    Beginning,
    LineBlock,
    blocks_of,
    is_inner,
    pieces_of,
    with_gaps,
)
from cukereuse_engine.glue.languages.excerpts import Excerpts, Part

if TYPE_CHECKING:
    import tree_sitter

READ_BYTES = 16_000_000
"""Maximum number of bytes to read of one source, counted as often as they are read: the same on every machine."""
READ_SECONDS = 5
"""Maximum processor time for it in seconds, because some grammars read every part of some sources slowly."""
_GROUP = 64
"""Number of blocks that are first read at once: some grammars go on after an error in more than linear time."""
SYNTAX_ERROR = "can't be read: there is a syntax error in this step definition, or before it"
GIVEN_UP = "can't be read: there are too many syntax errors in this file to find the step definitions beside them"


def hidden(
    root: "tree_sitter.Node", source: bytes, definitions: Iterable[StepDefinition], errors: Iterable[GlueError]
) -> tuple[int, ...]:
    """The offsets of lines where a definition seems to begin, but neither a definition nor an error was read; none if
    the source has no syntax error."""
    if not root.has_error:
        return ()
    lost = _unread(blocks_of(source), definitions, errors)
    return tuple(part.start for part in lost if not _is_comment(root, source, part.start))


def _unread(
    blocks: Sequence[LineBlock], definitions: Iterable[StepDefinition], errors: Iterable[GlueError]
) -> Iterator[Beginning]:
    """The beginnings of definitions about which nothing is known."""
    read = {definition.literal.start_byte: definition.literal.end_byte for definition in definitions}
    starts = sorted(read)
    lines = sorted(error.line for error in errors)
    begun = [beginning for block in blocks for beginning in block.beginnings]
    for beginning, line in zip(begun, chain((beginning.line for beginning in begun[1:]), [float("inf")]), strict=False):
        is_read = any(read[start] <= beginning.until for start in _within(starts, beginning.start, beginning.until))
        if not is_read and not _within(lines, beginning.line, line):
            yield beginning


def _within(numbers: Sequence[int], first: float, until: float) -> Sequence[int]:
    return numbers[bisect_left(numbers, first) : bisect_left(numbers, until)]


def _is_comment(root: "tree_sitter.Node", source: bytes, offset: int) -> bool:
    """True if an offset is in a comment; doc comments do not count, because PHP's annotations are in them."""
    at = offset + len(source[offset : offset + 200]) - len(source[offset : offset + 200].lstrip(b" \t"))
    node = root.descendant_for_byte_range(at, at)
    return node is not None and "comment" in node.type and not source[node.start_byte :].startswith(b"/**")


def around_errors(path: str, read: Callable[[bytes], Extraction], source: bytes, first: Extraction) -> Extraction:
    """`first`, with what `read` finds without the broken definitions; those that stay hidden become errors."""
    reading = _Reading(path, read, source, first)
    try:
        reading.look()
        message, is_cut_short = SYNTAX_ERROR, False
    except _TooMuchError as error:
        message, is_cut_short = GIVEN_UP, error.by_clock
    extraction = reading.found()
    lost = list(_unread(reading.blocks, extraction.definitions, extraction.errors))
    if message == GIVEN_UP:
        lost = lost[:1]
    errors = [
        GlueError(path, part.line, part.column, message, untold=True)
        for part in lost
        if part.start not in reading.comments
    ]
    return replace(extraction, errors=(*extraction.errors, *errors), lost=(), is_cut_short=is_cut_short)


def fault_of(error: Exception) -> str:
    """The message about a source, or a definition, that can't be read at all."""
    reason = str(error) if isinstance(error, SlowSourceError) else f"{type(error).__name__}: {error}"
    return f"can't be read: {reason}"


def unreadable(path: str, source: bytes, error: Exception) -> Extraction:
    """The contents of a source that can't be read as a whole; its definitions may be readable one by one."""
    lost = tuple(beginning.start for block in blocks_of(source) for beginning in block.beginnings)
    errors = () if lost else (GlueError(path, 0, 0, fault_of(error), untold=True),)
    return Extraction(errors=errors, lost=lost, is_broken=True, is_cut_short=isinstance(error, SlowSourceError))


def _is_utf8(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class SlowSourceError(Exception):
    """A source took too long to parse."""


class _TooMuchError(Exception):
    """The limit of what may be read is reached."""

    def __init__(self, *, by_clock: bool) -> None:
        super().__init__()
        self.by_clock = by_clock


class _Unread(NamedTuple):
    """Places about which no reading has told anything yet."""

    places: list[tuple[int, int]]
    """Byte offsets: start and end."""
    lines: list[tuple[int, int]]
    """Lines: the first, and the one after the last."""

    def has(self, definition: StepDefinition) -> bool:
        literal = definition.literal
        return any(start <= literal.start_byte and literal.end_byte <= end for start, end in self.places)

    def has_line(self, line: int) -> bool:
        return any(start <= line < end for start, end in self.lines)


class _Reading:
    """One source, as far as it is known."""

    def __init__(self, path: str, read: Callable[[bytes], Extraction], source: bytes, first: Extraction) -> None:
        self.blocks = blocks_of(source)
        unread = {beginning.start for beginning in _unread(self.blocks, first.definitions, first.errors)}
        self.comments = unread - set(first.lost)
        """Offsets of comments that look like definitions."""
        self._path = path
        self._read = read
        self._source = source
        self._first = first
        self._excerpts = Excerpts(source)
        self._before: list[Part] = [(0, self.blocks[0].start)]
        self._after: list[Part] = [(self.blocks[-1].end, len(source))]
        self._has_sound_frame = True
        self._pieces: list[Part] = []
        """The pieces of the code around the blocks."""
        self._together: Extraction | None = None
        """The contents of all sound blocks together."""
        self._apart: list[tuple[Sequence[LineBlock], Extraction]] = []
        """The contents of some blocks by themselves."""
        self._broken: list[LineBlock] = []
        self._newlines = [match.start() for match in re.finditer(rb"\n", source)]
        self._is_utf8 = _is_utf8(source)
        self._bytes = READ_BYTES
        self._until = time.thread_time() + READ_SECONDS

    def look(self) -> None:
        """Read the source. Raises `_TooMuchError`."""
        self._look_around()
        blocks = list(with_gaps(self._source, self.blocks))
        for number in range(0, len(blocks), _GROUP):
            self._halve(blocks[number : number + _GROUP])
        broken = set(self._broken)
        self._together = self._of([block for block in blocks if block not in broken])

    def _look_around(self) -> None:
        """Leave out the code around the blocks that has an error. If the rest is broken too, keep only its outermost
        lines and imports. The result is read with every block."""
        if not self._of(()).is_broken:
            return
        definition = self.blocks[0].start
        parts = (self._before[0], self._after[0])
        self._pieces = [piece for part in parts for piece in pieces_of(self._source, *part, definition)]
        inner = [piece for piece in self._pieces if is_inner(self._source, piece[0], definition)]
        self._has_sound_frame = self._is_sound_without(inner)
        if self._has_sound_frame:
            self._is_sound_without(self._least(inner, []))

    def _is_sound_without(self, left_out: Sequence[Part]) -> bool:
        """True if the code around the blocks has no error without some pieces, which stay left out."""
        definition, gone = self.blocks[0].start, set(left_out)
        kept = [piece for piece in self._pieces if piece not in gone]
        self._before = [piece for piece in kept if piece[0] < definition]
        self._after = [piece for piece in kept if piece[0] >= definition]
        return not self._of(()).is_broken

    def _least(self, pieces: list[Part], others: list[Part]) -> list[Part]:
        """A small set of these pieces; without it and the others, there is no error."""
        middle = len(pieces) // 2
        if not middle or self._bytes < READ_BYTES // 2:
            return pieces
        halves = pieces[:middle], pieces[middle:]
        for half in halves:
            if self._is_sound_without([*others, *half]):
                return self._least(half, others)
        first = self._least(halves[0], [*others, *halves[1]])
        return [*first, *self._least(halves[1], [*others, *first])]

    def _halve(self, blocks: Sequence[LineBlock]) -> None:
        """Find the broken blocks."""
        extraction = self._of(blocks)
        is_read = next(_unread(blocks, extraction.definitions, extraction.errors), None) is None
        if not extraction.is_broken or (is_read and not self._has_sound_frame):
            self._apart.append((blocks, extraction))
        elif len(blocks) > 1:
            middle = len(blocks) // 2
            self._halve(blocks[:middle])
            self._halve(blocks[middle:])
        else:
            self._look_into(blocks[0], extraction)

    def _look_into(self, block: LineBlock, extraction: Extraction) -> None:
        """Read a block with an error, and each definition in it by itself, without the lines above it."""
        self._broken.append(block)
        self._apart.append(((block,), extraction))
        for beginning in _unread((block,), extraction.definitions, extraction.errors):
            if (beginning.start, beginning.until) != (block.start, block.end):
                alone = replace(block, start=beginning.start, end=beginning.until, beginnings=(beginning,))
                self._apart.append(((alone,), self._of((alone,))))

    def _of(self, blocks: Sequence[LineBlock]) -> Extraction:
        """The contents of some blocks, with the code around all of them."""
        excerpt = self._excerpts.of([*self._before, *((block.start, block.end) for block in blocks), *self._after])
        self._bytes -= len(excerpt.text)
        by_clock = time.thread_time() > self._until
        if self._bytes < 0 or by_clock:
            raise _TooMuchError(by_clock=by_clock)
        try:
            return excerpt.at_home(self._read(excerpt.text))
        except Exception as error:  # what one definition does to the reader is its own error
            errors = [
                GlueError(self._path, beginning.line, beginning.column, fault_of(error), untold=True)
                for block in blocks[:1]
                for beginning in block.beginnings
            ]
            return Extraction(errors=tuple(errors) if len(blocks) == 1 else (), is_broken=True)

    def _line_of(self, offset: int) -> int:
        return bisect_left(self._newlines, offset) + 1

    def found(self) -> Extraction:
        """All contents; for each beginning, those of the first reading that tells anything."""
        extraction = self._together or self._first
        definitions, errors = list(extraction.definitions), list(extraction.errors)
        types = list(extraction.parameter_types)
        broken = set(self._broken)
        for blocks, other in [*self._apart, (self.blocks, self._first)]:
            places = [(beginning.start, beginning.until) for beginning in _unread(blocks, definitions, errors)]
            places += [(block.start, block.end) for block in blocks if not block.beginnings and block in broken]
            unread = _Unread(places, [(self._line_of(start), self._line_of(end)) for start, end in places])
            definitions += filter(unread.has, other.definitions)
            errors += [error for error in other.errors if unread.has_line(error.line)]
            types += [type_ for type_ in other.parameter_types if unread.has_line(type_.line)]
        definitions.sort(key=lambda definition: (definition.literal.start_byte, definition.keyword))
        if not self._is_utf8:
            definitions = [replace(definition, rewritable=False) for definition in definitions]
        return replace(
            extraction,
            definitions=tuple(definitions),
            errors=tuple(errors),
            parameter_types=tuple(types),
            runners=self._first.runners or extraction.runners,
        )
