"""Finds where a source declares a step definition: the decorator, annotation, attribute or line of a comment with its
expression, and what is around it. Byte offsets; nothing is changed here.
"""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import comments_of
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of

if TYPE_CHECKING:
    from tree_sitter import Node


def declared(definition: StepDefinition, data: bytes, source: Source) -> tuple[int, int]:
    """Byte offsets of the declaration of an expression: decorator, annotation, attribute or line of a comment."""
    span = definition.literal
    row = writing_of(definition.language)
    if row.comment_line is not None:
        start = line_start(data, span.start_byte)
        line = row.comment_line.match(data, start)
        if line is None:
            raise UnmergeableError(f"{definition.place}: its expression is not on a line of its own")
        return start, line.end()
    node = _stacked(definition, source)
    return node.start_byte, node.end_byte


def first_stacked(definition: StepDefinition, source: Source) -> int:
    """The first byte of all decorators, annotations or attributes on a definition's function. Raises
    `UnmergeableError`."""
    first = _stacked(definition, source)
    before = first.prev_sibling
    while before is not None and (before.type == first.type or before.is_extra):
        first, before = (first if before.is_extra else before), before.prev_sibling
    return first.start_byte


def _stacked(definition: StepDefinition, source: Source) -> "Node":
    span, row = definition.literal, writing_of(definition.language)
    node = source.root.descendant_for_byte_range(span.start_byte, span.end_byte)
    while node is not None and node.type != row.stacked:
        node = node.parent
    if node is None or (node.type == "attribute_list" and node.named_child_count != 1):
        raise UnmergeableError(f"{definition.place}: there is other code next to its expression")
    return node


def line_start(data: bytes, at: int) -> int:
    return data.rfind(b"\n", 0, at) + 1


def indent_of(data: bytes, start: int) -> str:
    blanks = re.compile(rb"[ \t]*").match(data, start)
    return blanks.group().decode("ascii") if blanks is not None else ""


def with_comment(data: bytes, start: int, path: str) -> int:
    """The beginning of the comment right above a line, or of the line if there is none; `path` says the language."""
    comments = comments_of(path)
    if comments.block is not None:
        opening, closing = (sign.encode() for sign in comments.block)
        above = data[:start]
        if above.rstrip(b" \t\r\n").endswith(closing) and not re.search(rb"\n[ \t]*\r?\n\Z", above):
            first = data.rfind(opening, 0, start)
            if first >= 0 and not data[line_start(data, first) : first].strip():
                return line_start(data, first)
    signs, directives = (tuple(map(str.encode, texts)) for texts in (comments.line, comments.directives))
    while True:
        before = line_start(data, max(start - 1, 0))
        line = data[before:start].lstrip()
        if not line.startswith(signs) or line.startswith(directives):
            return start
        start = before
