"""The rest of a known block as one suggestion: its steps on lines of their own, with blanks for what varies. And the
short form of the steps above, if the suite has one.

Lines after the first have no indentation: a client, or the conversion for it, gives them that of the first.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from gherkin.dialect import DIALECTS

from cukereuse_engine.blocks.beginnings import LEAST_WRITTEN, BegunBlock
from cukereuse_engine.blocks.block import BlockPlace
from cukereuse_engine.blocks.short_forms import BegunForm
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_server.protocol.completion import Above, Blank, Suggestion
from cukereuse_server.workspace.navigation import arguments_of_step
from cukereuse_server.workspace.phrases import Pieces, joined, masked_of, text_of
from cukereuse_server.workspace.suite import SuiteState

_MOST_SUGGESTIONS = 2
_UNKNOWN = "…"
"""A value that no step above has."""
_TYPES = (("given", KeywordType.CONTEXT), ("when", KeywordType.ACTION), ("then", KeywordType.OUTCOME))


@dataclass(frozen=True, slots=True)
class Here:
    """The place where a step is being written."""

    path: str
    line: int
    """1-based."""
    last_line: int
    """The last line of the step above."""
    language: str
    keyword: str
    """The step's keyword, if it has one already; else empty."""
    bullet: str
    """The bullet before it in Markdown."""
    start: str
    """The text typed after it, as the beginning of a template's key (`masked_start`); without a keyword, as typed."""


def rest_of_blocks(suite: SuiteState, here: Here) -> list[Suggestion]:
    """The rest of each block, likeliest first."""
    beginnings, entry = suite.repetition.beginnings, suite.texts.files.get(here.path)
    if beginnings is None or entry is None:
        return []
    before, behind = _around(entry.file.steps, here)
    if len(before) < LEAST_WRITTEN:
        return []
    kind = _kind(here, before[-1].resolved_type)
    suggestions = (
        Suggestion(kind="block", pieces=pieces, occurrences=len(begun.block.places))
        for begun in beginnings.of(before)
        if begun.block.steps[begun.written].resolved_type is kind or not here.keyword
        if not beginnings.follows(begun, behind)
        for pieces in (_rest(suite, begun, here),)
        if pieces is not None and _goes_on(pieces, here)
    )
    return list(islice(suggestions, _MOST_SUGGESTIONS))


def short_forms(suite: SuiteState, here: Here) -> list[Suggestion]:
    """Short forms that can replace the steps above the line: these are the first steps of a form, or all."""
    forms, entry = suite.repetition.forms, suite.texts.files.get(here.path)
    if forms is None or entry is None or here.bullet:
        return []
    before, _ = _around(entry.file.steps, here)
    suggestions = (
        Suggestion(kind="short", pieces=pieces, above=above)
        for begun in forms.begun(before, here.language)
        if [step.line for step in begun.written] == list(range(here.line - len(begun.written), here.line))
        for pieces, above in (_short(begun),)
        if not here.start or (here.keyword and masked_of(pieces).lower().startswith(here.start))
    )
    return list(islice(suggestions, _MOST_SUGGESTIONS))


def _short(begun: BegunForm) -> tuple[Pieces, Above]:
    first = begun.written[0]
    pieces: Pieces = []
    for piece in begun.form.pieces:
        value = begun.values.get(piece) if isinstance(piece, int) else piece
        pieces.append(value if value is not None else Blank(_UNKNOWN))
    above = Above(first.line, first.column - len(first.keyword), first.keyword, len(begun.written), begun.left)
    return joined(pieces), above


def _around(steps: Sequence[Step], here: Here) -> tuple[list[Step], list[Step]]:
    """The steps of the scenario above a line and below it."""
    at = bisect_left(steps, here.line, key=lambda step: step.line)
    if not at or steps[at - 1].line != here.last_line:
        return [], []
    scenario = steps[at - 1].scenario_line
    begin, end = at, at
    while begin and steps[begin - 1].scenario_line == scenario:
        begin -= 1
    while end < len(steps) and steps[end].scenario_line == scenario:
        end += 1
    return list(steps[begin:at]), [step for step in steps[at:end] if step.line > here.line]


def _kind(here: Here, before: KeywordType) -> KeywordType:
    """The type of the step being written: that of its keyword, or else that of the step above."""
    words = cast("dict[str, list[str]]", DIALECTS.get(here.language) or DIALECTS["en"])
    return next((kind for name, kind in _TYPES if here.keyword.strip() != "*" and here.keyword in words[name]), before)


def _rest(suite: SuiteState, begun: BegunBlock, here: Here) -> Pieces | None:
    """The pieces left to write; None for a block with a keyword that the file's language lacks."""
    block = begun.block
    place = next((place for place in block.places if place.path == here.path), block.places[0])
    pieces: Pieces = []
    for number in range(begun.written, block.length):
        step = place.steps[number]
        if number > begun.written:
            pieces.append(f"\n{here.bullet}")
        if step.keyword not in keywords(here.language).steps:
            return None
        if number > begun.written or not here.keyword:
            pieces.append(step.keyword)
        pieces += _pieces_said(suite, begun, place, number)
    return joined(pieces)


def _pieces_said(suite: SuiteState, begun: BegunBlock, place: BlockPlace, number: int) -> Iterator[str | Blank]:
    """The pieces of one step: values that were typed above if they are the same, and blanks for others."""
    step = place.steps[number]
    arguments = arguments_of_step(suite, step)
    varying = {
        argument: parameter
        for parameter, value in enumerate(begun.block.parameters)
        for at, argument in ((value.step, value.argument), *value.also)
        if at == number
    }
    at = 0
    for position, argument in enumerate(arguments):
        parameter = varying.get(position)
        if parameter is None or argument.start < at:
            continue
        before, _, after = argument.text.partition(argument.value) if argument.value else (argument.text, "", "")
        typed = begun.values[parameter]
        yield step.text[at : argument.start] + before
        if typed is not None:
            yield typed
        else:
            yield Blank(argument.value, begun.block.parameters[parameter].name, together=parameter + 1)
        at = argument.end - len(after)
    yield step.text[at:]


def _goes_on(pieces: Pieces, here: Here) -> bool:
    """True if the pieces begin with the typed text."""
    if not here.keyword:
        return text_of(pieces).casefold().startswith(here.start.casefold())
    return masked_of(pieces).lower().startswith(here.start)
