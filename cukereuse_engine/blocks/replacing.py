"""The edits of a feature file that replace a sequence of steps by one step."""

from collections.abc import Mapping
from typing import cast

from cukereuse_engine.blocks.block import BlockPlace
from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType, Step
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.refactor.edits import span_edit
from cukereuse_engine.refactor.rename_plan import TextEdit

_DIALECT = {KeywordType.CONTEXT: "given", KeywordType.ACTION: "when", KeywordType.OUTCOME: "then"}


def replaced(place: BlockPlace, new: str, text: str, file: FeatureFile) -> list[TextEdit]:
    """Edits of a file's text: the first step becomes the new one, the others go; the step after keeps its type."""
    lines, starts = split_lines(text)
    first, last = place.steps[0], place.steps[-1]
    end = starts[last.line - 1] + len(lines[last.line - 1])
    edits = [span_edit(text, first.span.start, end, new)]
    following = place.scenario.steps[place.start + place.length :][:1]
    if following and following[0].keyword_type is KeywordType.CONJUNCTION and first.resolved_type != last.resolved_type:
        step = following[0]
        start = step.span.start - len(step.keyword)
        edits.append(span_edit(text, start, step.span.start, keyword_of(step, file.language)))
    return edits


def keyword_of(step: Step, language: str) -> str:
    """A keyword that gives the step its type by itself."""
    from gherkin.dialect import DIALECTS

    if step.keyword_type is not KeywordType.CONJUNCTION or step.resolved_type not in _DIALECT:
        return step.keyword
    words = cast("Mapping[str, list[str]]", DIALECTS[language])[_DIALECT[step.resolved_type]]
    return next(word for word in words if word.strip() != "*")
