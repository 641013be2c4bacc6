"""Removes a step definition that nothing uses any more from its source.

Only certain parts are removed: the function with everything that belongs to it, or the whole call. A function that
several definitions share, or that is in another place, is left to the user.
"""

import re
from collections.abc import Callable, Sequence

from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.refactor import go_removal
from cukereuse_engine.refactor.declarations import declared, first_stacked, line_start, with_comment
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.rename_plan import TextEdit
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of

_ALONE = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*")
"""What may precede a definition on its line."""
_CALL_TO = re.compile(rb"(?:@|\w+\.)?\w+[ \t]*(?:\(\s*)?\Z")
"""The name of the call whose first argument follows, on the same line or above."""
_BLANK_BEFORE = re.compile(rb"\n(?:[ \t]*\r?\n)*\Z")


class UnremovableError(ValueError):
    """A definition can't be removed; the message says why."""


def removal_edits(
    definition: StepDefinition, source: str, definitions: Sequence[StepDefinition], read: Callable[[str], bytes]
) -> list[TextEdit]:
    """The edits that remove a definition's lines, the comment right before it and as many blank lines as precede it.

    `definitions`: those that remain, with or without itself. `read`: reads other sources. Raises `UnremovableError`,
    also if another definition remains on its function.
    """
    if not writing_of(definition.language).registered:
        return [_removal_edit(definition, source, definitions)]
    data = source.encode("utf-8")
    try:
        spans = go_removal.removed(definition, data, parse(definition.path, data, definition.language), read)
    except SlowSourceError:
        raise UnremovableError("its source is read too slowly; remove it by hand") from None
    except UnmergeableError as error:
        raise UnremovableError(str(error).removeprefix(f"{definition.place}: ")) from None
    return [byte_edit(source, start, end, "") for start, end in spans]


def _removal_edit(definition: StepDefinition, source: str, definitions: Sequence[StepDefinition]) -> TextEdit:
    function, row = definition.function, writing_of(definition.language)
    if function is None or not (row.stacked or row.comment_line is not None or row.call_end is not None):
        raise UnremovableError("its function is in another place; remove it by hand")
    beside = (other for other in definitions if other.path == definition.path and other.id != definition.id)
    if any(other.function == function for other in beside):
        raise UnremovableError("its function serves other step definitions; remove it by hand")
    data = source.encode("utf-8")
    end = function.end_byte
    if row.call_end is not None:
        closing = row.call_end.match(data, end)
        if closing is None:
            raise UnremovableError("its call continues after its function; remove it by hand")
        end = closing.end()
    in_comment = row.comment_line is not None and definition.literal.end_byte <= function.start_byte
    start = _start(definition, data, function.start_byte, in_comment=in_comment)
    before = _BLANK_BEFORE.search(data, 0, start)
    blanks = max(before.group().count(b"\n") - 1 if before is not None else 0, 1)
    rest = re.compile(rb"[ \t]*(?:\r?\n|\Z)(?:[ \t]*\r?\n){0,%d}" % blanks).match(data, end)
    if rest is None:
        raise UnremovableError("other code follows it; remove it by hand")
    return byte_edit(source, start, rest.end(), "")


def _start(definition: StepDefinition, data: bytes, function: int, *, in_comment: bool) -> int:
    """The byte at which a definition begins, its comment included. `function`: the first byte of its function."""
    literal = definition.literal.start_byte
    first = function if in_comment else min(function, _declared(definition, data))
    if first == literal:
        called = _CALL_TO.search(data, 0, first)
        first = called.start() if called is not None else first
    start = line_start(data, first)
    if first == literal or not _ALONE.fullmatch(data[start:first]):
        raise UnremovableError("its line contains other code; remove it by hand")
    start = with_comment(data, start, definition.path)
    if start > literal:
        raise UnremovableError("its expression is in another place; remove it by hand")
    return start


def removal_of_expression(definition: StepDefinition, source: str) -> TextEdit:
    """The edit that removes a decorator, annotation, attribute or comment line from a function that also serves other
    definitions. Raises `UnremovableError`."""
    row = writing_of(definition.language)
    in_comment = row.comment_line is not None
    if not row.stacked and not in_comment:
        raise UnremovableError("its function serves other step definitions; remove it by hand")
    data = source.encode("utf-8")
    try:
        start, end = declared(definition, data, parse(definition.path, data, definition.language))
    except (UnmergeableError, SlowSourceError):
        raise UnremovableError("there is other code next to its expression; remove it by hand") from None
    rest = re.compile(rb"[ \t]*\r?\n").match(data, end) if not in_comment else None
    if not in_comment and (rest is None or data[line_start(data, start) : start].strip()):
        raise UnremovableError("its line contains other code; remove it by hand")
    return byte_edit(source, line_start(data, start), rest.end() if rest is not None else end, "")


def _declared(definition: StepDefinition, data: bytes) -> int:
    """The byte at which the decorators, annotations or attributes of a definition begin."""
    if not writing_of(definition.language).stacked:
        return definition.literal.start_byte
    try:
        return first_stacked(definition, parse(definition.path, data, definition.language))
    except (UnmergeableError, SlowSourceError):
        return definition.literal.start_byte
