"""Reads step definitions beside code that can't be parsed: a broken definition costs only itself.

A grammar goes on after a syntax error, but what follows may count as a part of it, to the end of the file. So where
lines look like step definitions and none was read, the blocks of the source are read in halves, each between what is
before the first block and what is after the last one, until those with an error are known. All the others are read
together, each of those by itself.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

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
"""What is read of one source at most, counted as often as it is read: the same on every machine."""
READ_SECONDS = 5
"""Processor time for it at most, for sources of which some grammar is slow to read every part."""
_GROUP = 64
"""Blocks that are read at once at first: some grammars go on after an error in more than linear time."""
SYNTAX_ERROR = "can't be read: there is a syntax error in this step definition, or before it"
GIVEN_UP = "can't be read: there are too many syntax errors in this file to find the step definitions beside them"


def hidden(
    root: "tree_sitter.Node", source: bytes, definitions: Iterable[StepDefinition], errors: Iterable[GlueError]
) -> tuple[int, ...]:
    """Offsets of the lines where a definition seems to begin and none was read, nor anything said; none where the
    source is sound."""
    if not root.has_error:
        return ()
    lost = _unread(blocks_of(source), definitions, errors)
    return tuple(part.start for part in lost if not _is_comment(root, source, part.start))


def _unread(
    blocks: Sequence[LineBlock], definitions: Iterable[StepDefinition], errors: Iterable[GlueError]
) -> Iterator[Beginning]:
    """Where a definition seems to begin and nothing is known of it."""
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
    """In a comment that is no documentation, where PHP's annotations are."""
    at = offset + len(source[offset : offset + 200]) - len(source[offset : offset + 200].lstrip(b" \t"))
    node = root.descendant_for_byte_range(at, at)
    return node is not None and "comment" in node.type and not source[node.start_byte :].startswith(b"/**")


def around_errors(path: str, read: Callable[[bytes], Extraction], source: bytes, first: Extraction) -> Extraction:
    """`first`, and what `read` finds where broken definitions are left out; those that stay hidden are errors."""
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
    """What is said of a source, or of a definition, that can't be read at all."""
    reason = str(error) if isinstance(error, SlowSourceError) else f"{type(error).__name__}: {error}"
    return f"can't be read: {reason}"


def unreadable(path: str, source: bytes, error: Exception) -> Extraction:
    """Of a source that can't be read as a whole: its definitions may be read one by one."""
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
    """There is more to read than may be."""

    def __init__(self, *, by_clock: bool) -> None:
        super().__init__()
        self.by_clock = by_clock


class _Reading:
    """One source, as far as it is known."""

    def __init__(self, path: str, read: Callable[[bytes], Extraction], source: bytes, first: Extraction) -> None:
        self.blocks = blocks_of(source)
        unread = {beginning.start for beginning in _unread(self.blocks, first.definitions, first.errors)}
        self.comments = unread - set(first.lost)
        """Where comments look like definitions."""
        self._path = path
        self._read = read
        self._source = source
        self._first = first
        self._excerpts = Excerpts(source)
        self._before: list[Part] = [(0, self.blocks[0].start)]
        self._after: list[Part] = [(self.blocks[-1].end, len(source))]
        self._has_sound_frame = True
        self._pieces: list[Part] = []
        """Of what is around the blocks."""
        self._together: Extraction | None = None
        """What was found in all sound blocks at once."""
        self._apart: list[tuple[Sequence[LineBlock], Extraction]] = []
        """What was found in some."""
        self._broken: list[LineBlock] = []
        self._newlines = [match.start() for match in re.finditer(rb"\n", source)]
        self._is_utf8 = _is_utf8(source)
        self._bytes = READ_BYTES
        self._until = time.thread_time() + READ_SECONDS

    def look(self) -> None:
        """Raises `_TooMuchError`."""
        self._look_around()
        blocks = list(with_gaps(self._source, self.blocks))
        for number in range(0, len(blocks), _GROUP):
            self._halve(blocks[number : number + _GROUP])
        broken = set(self._broken)
        self._together = self._of([block for block in blocks if block not in broken])

    def _look_around(self) -> None:
        """Leave out what makes an error of all that is around the blocks; of the rest, if that is broken too, all but
        its outermost lines and imports: it is read with every block."""
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
        """Read what is around the blocks without some pieces, from now on."""
        definition, gone = self.blocks[0].start, set(left_out)
        kept = [piece for piece in self._pieces if piece not in gone]
        self._before = [piece for piece in kept if piece[0] < definition]
        self._after = [piece for piece in kept if piece[0] >= definition]
        return not self._of(()).is_broken

    def _least(self, pieces: list[Part], others: list[Part]) -> list[Part]:
        """Few of these pieces without which, and the others, there is no error."""
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
        """Find the broken ones."""
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
        """A block with an error: each definition in it by itself too, without what is above."""
        self._broken.append(block)
        self._apart.append(((block,), extraction))
        for beginning in _unread((block,), extraction.definitions, extraction.errors):
            if (beginning.start, beginning.until) != (block.start, block.end):
                alone = replace(block, start=beginning.start, end=beginning.until, beginnings=(beginning,))
                self._apart.append(((alone,), self._of((alone,))))

    def _of(self, blocks: Sequence[LineBlock]) -> Extraction:
        """What is found in some blocks, with what is around all of them."""
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
        """All that is known: of each beginning by the first reading that tells anything."""
        extraction = self._together or self._first
        definitions, errors, types = (
            list(extraction.definitions),
            list(extraction.errors),
            list(extraction.parameter_types),
        )
        broken = set(self._broken)
        for blocks, other in [*self._apart, (self.blocks, self._first)]:
            unread = [(beginning.start, beginning.until) for beginning in _unread(blocks, definitions, errors)]
            unread += [(block.start, block.end) for block in blocks if not block.beginnings and block in broken]
            lines = [(self._line_of(start), self._line_of(end)) for start, end in unread]
            definitions += [
                definition
                for definition in other.definitions
                if any(
                    start <= definition.literal.start_byte and definition.literal.end_byte <= end
                    for start, end in unread
                )
            ]
            errors += [error for error in other.errors if any(start <= error.line < end for start, end in lines)]
            types += [
                parameter_type
                for parameter_type in other.parameter_types
                if any(start <= parameter_type.line < end for start, end in lines)
            ]
        definitions.sort(key=lambda definition: (definition.literal.start_byte, definition.keyword))
        return replace(
            extraction,
            definitions=tuple(
                definition if self._is_utf8 else replace(definition, rewritable=False) for definition in definitions
            ),
            errors=tuple(errors),
            parameter_types=tuple(types),
            runners=self._first.runners or extraction.runners,
        )
