"""Whether runners load what edits leave of step definitions, by the rules that they have for that."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.choice import registration_order
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import refusal
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.refactor.rename_plan import Bindings

_TYPES = {"given": KeywordType.CONTEXT, "when": KeywordType.ACTION, "then": KeywordType.OUTCOME}


def unloadable(definition: StepDefinition, before: StepDefinition | None = None) -> str:
    """Why a runner does not load a definition; empty where it does, or where that was so `before`."""
    wrong = _wrong(definition)
    return "" if before is not None and wrong and wrong == _wrong(before) else wrong


def _wrong(definition: StepDefinition) -> str:
    compiled = compile_definition(definition, {})
    return refusal(definition) if compiled.matcher is not None else compiled.errors[0].message


def already_defined(
    glue: Bindings, bound: Iterable[StepBinding], definitions: Sequence[StepDefinition]
) -> Iterator[tuple[StepDefinition, StepDefinition]]:
    """Pairs with one of the `definitions` in them of which behave loads the first and stops at the second, because the
    first matches its pattern (behave/step_registry.py). `bound`: steps that they serve, which tell who is loaded
    together."""
    step_of = {definition.id: binding.step for binding in bound for definition in binding.definitions}
    for definition in definitions:
        step = step_of.get(definition.id)
        matcher = (
            compile_definition(definition, {}).matcher
            if step is not None and definition.framework == "behave"
            else None
        )
        if step is None or matcher is None:
            continue
        kind = _TYPES.get(next(iter(definition.keyword_types), ""), KeywordType.UNKNOWN)
        step = replace(step, examples=(), argument=None, resolved_type=kind)
        for other in _matching(glue, replace(step, text=definition.expression)):
            if _is_before(other, definition):
                yield other, definition
        for other in glue.definitions:
            if not _is_before(definition, other) or matcher.match(other.expression) is None:
                continue
            if any(match.id == definition.id for match in _matching(glue, replace(step, text=other.expression))):
                yield definition, other


def _is_before(left: StepDefinition, right: StepDefinition) -> bool:
    """Whether behave has one in the same list when it comes to the other."""
    in_one_list = left.framework == right.framework == "behave" and left.keyword_types == right.keyword_types
    return in_one_list and registration_order(left) < registration_order(right)


def _matching(glue: Bindings, step: Step) -> Iterator[StepDefinition]:
    """Those that match a step and need no converter of the project's for it, which might not take the text."""
    for text in glue.matches_anywhere(step):
        for match in text.matches:
            compiled = compile_definition(match.definition, {}).matcher
            if compiled is None or not compiled.parameter_types:
                yield match.definition
