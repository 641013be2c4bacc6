"""Reads a source again after an edit inside one step function: only that function is read.

The other forms do not depend on its body, as long as no other function calls it. The result is that of `forms_of`, or
None if the two sources do not show this; then the whole source must be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from cukereuse_engine.functions.form import FileForms, Form
from cukereuse_engine.functions.reading import form_of_one
from cukereuse_engine.functions.tokens import OWN
from cukereuse_engine.glue.definition import StepDefinition


@dataclass(frozen=True, slots=True)
class Read:
    """A source with its definitions and forms."""

    source: bytes
    definitions: tuple[StepDefinition, ...]
    forms: FileForms


def forms_after(before: Read, path: str, source: bytes, definitions: Sequence[StepDefinition]) -> FileForms | None:
    """The forms of the functions of an edited source; None if the whole source must be read."""
    pairs = _pairs(before.definitions, definitions)
    if pairs is None or before.forms.is_partial:  # mending an error changes forms elsewhere
        return None
    start, old_end, new_end = _edited(before.source, source)
    inside = [pair for pair in pairs if _holds(pair[0], start, old_end) and _holds(pair[1], start, new_end)]
    edited = {old.function_id for old, _ in inside}
    if len(edited) != 1 or _others_within(before, edited):
        return None
    (key,) = edited
    if key not in before.forms.forms or _is_mentioned(before.forms, key):
        return None
    if len(source) != len(before.source) and _says_offsets(before.forms, path):
        return None
    form = form_of_one(path, source, inside[0][1])
    return _moved(before.forms, pairs, {key: form}, new_end - old_end, old_end) if form is not None else None


def _is_mentioned(forms: FileForms, key: str) -> bool:
    """True if a function mentions a name of this one."""
    own = {token for token, owner in forms.owners.items() if owner == key}
    return any(not own.isdisjoint(form.mentions) for form in forms.forms.values())


def _pairs(
    before: Sequence[StepDefinition], after: Sequence[StepDefinition]
) -> list[tuple[StepDefinition, StepDefinition]] | None:
    """The pairs of definitions before and after the edit; None if they differ."""
    if len(before) != len(after):
        return None
    pairs = list(zip(before, after, strict=True))
    same = ("source_literal", "function_name", "keyword", "framework", "language")
    differ = any(getattr(old, name) != getattr(new, name) for old, new in pairs for name in same)
    return None if differ or any((old.function is None) != (new.function is None) for old, new in pairs) else pairs


def _edited(before: bytes, after: bytes) -> tuple[int, int, int]:
    """Where two sources differ: the first byte, and the end of the difference in each."""
    start = _common(before, after)
    most = min(len(before), len(after)) - start
    ends = _common(before[len(before) - most :][::-1], after[len(after) - most :][::-1])
    return start, len(before) - ends, len(after) - ends


def _common(left: bytes, right: bytes) -> int:
    """The number of bytes with which both begin."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[low:middle] == right[low:middle] else (low, middle - 1)
    return low


def _holds(definition: StepDefinition, start: int, end: int) -> bool:
    span = definition.function
    return span is not None and span.path == definition.path and span.start_byte < start and end < span.end_byte


def _others_within(before: Read, edited: set[str]) -> bool:
    """True if another step function is inside an edited one, or around it."""
    spans = {
        definition.function_id: definition.function
        for definition in before.definitions
        if definition.function is not None
    }
    (own,) = (spans[key] for key in edited)
    return any(
        span.start_byte < own.end_byte and own.start_byte < span.end_byte
        for key, span in spans.items()
        if key not in edited
    )


def _says_offsets(forms: FileForms, path: str) -> bool:
    """True if a form names something by its offset, because a function around it defines it."""
    start = f"{OWN}{PurePath(path).as_posix()}@"
    raw = f"{OWN}{path}@"
    return any(token.startswith((start, raw)) for form in forms.forms.values() for token in form.tokens)


def _moved(
    before: FileForms,
    pairs: Sequence[tuple[StepDefinition, StepDefinition]],
    read: dict[str, Form],
    shift: int,
    end: int,
) -> FileForms:
    """The forms under the ids that their functions have now."""
    ids = {old.function_id: new.function_id for old, new in pairs}

    def moved(form: Form) -> Form:
        return replace(form, at=form.at + shift) if form.at >= end else form

    return FileForms(
        {ids[key]: read[key] if key in read else moved(form) for key, form in before.forms.items()},
        {token: ids[key] for token, key in before.owners.items()},
        before.classes,
        tuple(ids[key] for key in before.unwritten),
        tuple(ids[key] for key in before.idle),
        {ids[key]: statements for key, statements in before.telling.items()},
    )
