"""Finds the lines where step definitions seem to begin and end: beside a syntax error, only the lines are known.

A block is a function with all that is written above it. The lines between blocks are a block too, without a definition.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from cukereuse_engine.glue.languages.keyword_methods import keyword_methods

_ENGLISH = ("given", "when", "then", "step", "and", "but")
_IMPORT = re.compile(
    rb"\s*(?:import|from|using|use|package|namespace|require\w*|include|load|extern|<\?php|module|(?:const|let|var)[^\n]*\brequire\()"
)
_BLANK = re.compile(rb"[ \t]*")
_ATOM = rb"""(?:[^()\[\]"'\r\n]|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')"""
_BALANCED = rb"(?:" + _ATOM + rb"|[(\[]" + _ATOM + rb"*[)\]])*"
_ABOVE = re.compile(
    rb"[ \t]*(?:@[\w.:$]+[ \t]*(?:\("
    + _BALANCED
    + rb"\))?|(?:#?\["
    + _BALANCED
    + rb"\][ \t]*)+|\#(?!\[)[^\r\n]*|//[^\r\n]*"
    rb"|\*(?!/[ \t]*\S)[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*(?:\*/)?)[ \t]*(?:(?:\#|//)[^\r\n]*)?\r?\n"
)
"""A line that belongs to the one below: an annotation, an attribute, a comment."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A line that looks like the first line of a step definition."""

    start: int
    """Offset of the line in bytes."""
    line: int
    """1-based."""
    column: int
    until: int
    """Offset of the next beginning, or of the end of its block."""


@dataclass(frozen=True, slots=True)
class LineBlock:
    start: int
    """Offset of its first line in bytes."""
    end: int
    """Offset of the line after it."""
    beginnings: tuple[Beginning, ...] = ()


@cache
def _beginning() -> re.Pattern[bytes]:
    """The beginning of a line that starts a step definition in any language; group 1 is the indentation, group 2 an
    annotation (instead of a call). Ruby's variables begin with @ too: `@step = 1`."""
    words = "|".join(sorted(map(re.escape, keyword_methods()), key=len, reverse=True)).encode()
    english = "|".join(_ENGLISH).encode()
    owner = rb"(?:[\w$]+(?:\.|::|\\))*"
    marked = (
        rb"(?:/\*\*[ \t]*)?(?:@|\[|\#\[)[ \t]*"
        + owner
        + rb"(?:(?i:"
        + english
        + rb")\w*|"
        + words
        + rb")(?![\w.]|[ \t]*[|&]*=)"
    )
    called = owner + rb"(?:" + words + rb"|Step|defineStep)[ \t]*(?:\([ \t]*(?![)\s])|\([ \t]*$|[ \t][/\"'%])"
    # a mocking library has this too: `given(repository.find())`
    small = owner + rb"(?:given|when|then)[ \t]*\([ \t]*(?:[a-zA-Z@$]{0,2}[\"'`/]|$)"
    return re.compile(
        rb"^([ \t]*)(?:\*[ \t]+(?=@))?(?:(" + marked + rb")|" + called + rb"|" + small + rb")", re.MULTILINE
    )


@dataclass(slots=True)
class _Open:
    """A block whose end is not yet known."""

    start: int
    indent: int
    lines: list[tuple[int, int]]
    """Offset and indentation of each line in it that begins a definition."""
    end: int
    """Offset that it reaches so far."""


def blocks_of(source: bytes) -> list[LineBlock]:
    """The blocks with a definition, in source order. A line that is indented deeper inside a function is a call."""
    blocks: list[_Open] = []
    for match in _beginning().finditer(source):
        start, indent = match.start(), len(match[1])
        last = blocks[-1] if blocks else None
        if last is not None:
            last.end = _end(source, last.end, start, last.indent)
            if last.end == start and indent > last.lines[-1][1] and not match[2]:
                continue
        first = _with_lines_above(source, start, last.lines[-1][0] if last is not None else 0)
        if last is not None and first == last.lines[-1][0]:
            last.lines.append((start, indent))
        else:
            if last is not None:
                last.end = min(last.end, first)
            blocks.append(_Open(first, _depth(source, first), [(start, indent)], _next_line(source, start)))
    if blocks:
        blocks[-1].end = _end(source, blocks[-1].end, len(source), blocks[-1].indent)
    return list(_finished(source, blocks))


def _finished(source: bytes, blocks: list[_Open]) -> Iterator[LineBlock]:
    line, at = 1, 0
    for block in blocks:
        begun = []
        for (start, indent), until in zip(
            block.lines, [*(following for following, _ in block.lines[1:]), block.end], strict=True
        ):
            line, at = line + source.count(b"\n", at, start), start
            begun.append(Beginning(start, line, indent + 1, until))
        yield LineBlock(block.start, block.end, tuple(begun))


def with_gaps(source: bytes, blocks: Sequence[LineBlock]) -> Iterator[LineBlock]:
    """All blocks from the first to the last, with the lines between them; blank lines belong to the block before."""
    for block, following in pairwise([*blocks, None]):
        assert block is not None
        until = following.start if following is not None else block.end
        if source[block.end : until].isspace():
            yield replace(block, end=until)
        else:
            yield block
            if block.end < until:
                yield LineBlock(block.end, until)


def pieces_of(source: bytes, start: int, end: int, definition: int) -> Iterator[tuple[int, int]]:
    """Splits a part of a source that has no definitions into functions, as far as its lines tell. `definition`: the
    offset of some definition."""
    depth = _depth(source, definition)
    position, after_empty = start, True
    while position < end:
        following = _next_line(source, position)
        is_empty = not source[position:following].strip()
        own = _depth(source, position)
        if start < position and not is_empty and (own < depth or (after_empty and own == depth)):
            yield start, position
            start = position
        position, after_empty = following, is_empty
    if start < end:
        yield start, end


def is_inner(source: bytes, piece: int, definition: int) -> bool:
    """True if a piece that begins here is indented as the definitions are, and is no import."""
    return _depth(source, piece) >= _depth(source, definition) and not _IMPORT.match(source, piece)


def _with_lines_above(source: bytes, start: int, after: int) -> int:
    """The start of the lines above a line that belong to it, not before `after`."""
    while start > after:
        above = source.rfind(b"\n", 0, start - 1) + 1
        if not _ABOVE.match(source, above, start):
            break
        start = above
    return start


def _end(source: bytes, position: int, until: int, indent: int) -> int:
    """The first line from `position` on that is indented less, or equally after an empty line."""
    before = source.rfind(b"\n", 0, max(position - 1, 0)) + 1
    after_empty = not source[before:position].strip()
    while position < until:
        following = _next_line(source, position)
        if not source[position:following].strip():
            after_empty = True
        else:
            depth = _depth(source, position)
            if depth < indent or (after_empty and depth == indent):
                return position
            after_empty = False
        position = following
    return until


def _next_line(source: bytes, position: int) -> int:
    newline = source.find(b"\n", position)
    return newline + 1 if newline >= 0 else len(source)


def _depth(source: bytes, line: int) -> int:
    blank = _BLANK.match(source, line)
    return len(blank[0]) if blank else 0
