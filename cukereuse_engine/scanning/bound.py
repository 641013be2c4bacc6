"""Which step definition each text of a suite binds to: the labels from which the suite's judge learns. Compares no
pairs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.symbols import Meaning, StepMeaning
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.text.guards import signature
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import Template, mask, template
from cukereuse_engine.text.words import detect_languages

if TYPE_CHECKING:
    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.judging.adapted_judge import AdaptedJudge

_NEGATED = "\0not"


def bound_functions(steps: Mapping[str, Sequence[Step]], glue: Glue) -> dict[str, str]:
    """Maps the identity of a text to the function that serves it (`StepDefinition.function_id`).

    Texts without a definition, or with several functions, are left out. One step of each keyword type represents the
    others of its text.
    """
    if not glue.definitions:
        return {}
    function_of = {identity: bound_function(group, glue) for identity, group in steps.items()}
    return {identity: function for identity, function in function_of.items() if function is not None}


def bound_function(steps: Sequence[Step], glue: Glue) -> str | None:
    """The function that serves the steps of one text."""
    one_of_each = {glue.role_of(step): step for step in reversed(steps)}
    return served_by(definition for step in one_of_each.values() for definition in glue.bind(step).definitions)


def served_by(definitions: Iterable[StepDefinition]) -> str | None:
    """The only function behind these definitions; None if there is none, or more than one."""
    functions = {definition.function_id for definition in definitions}
    return functions.pop() if len(functions) == 1 else None


def judge_for(
    texts: Sequence[StepText],
    steps: Mapping[str, Sequence[Step]],
    glue: Glue | None,
    embedder: "Embedder | None" = None,
) -> "AdaptedJudge":
    """The judge of a suite, which knows what its `texts` bind to. Without glue, it judges by the texts alone, and by
    the language model's tokens if there is a model."""
    from cukereuse_engine.embedding_models.embedder import token_table
    from cukereuse_engine.judging.adapted_judge import AdaptedJudge

    bound = bound_functions(steps, glue) if glue is not None else {}
    return AdaptedJudge.for_bound_suite(texts, bound, tokens=token_table(embedder))


def meaning_of(glue: Glue, templates: Iterable[Template] = ()) -> Meaning:
    """The meaning of a suite's steps: the function of a step with its arguments, or else its template. `templates`:
    those that are already known. A function that takes "not" as an argument has two meanings."""
    template_of = {template.text: template for template in templates}
    has_glue = bool(glue.definitions)
    names = _lasting_names(glue.definitions) if has_glue else {}
    languages = detect_languages(definition.expression for definition in glue.definitions)

    def named(function: str, text: str) -> str:
        negated = signature(mask(text), languages).negated
        return f"{names.get(function, function)}{_NEGATED if negated else ''}"

    def said(step: Step) -> StepMeaning:
        text = normalise(step.text)
        bound = glue.bind(step) if has_glue else None
        function = served_by(bound.definitions) if bound is not None else None
        if bound is not None and function is not None and len(bound.texts) == 1 and bound.texts[0].text == step.text:
            match = bound.texts[0].matches[0]
            arguments = tuple(argument.value or "" for argument in match.arguments)
            return StepMeaning(named(function, text), arguments, match)
        parsed = template_of.get(text) or template(text)
        return StepMeaning(
            named(function, text) if function else parsed.key, tuple(argument.value for argument in parsed.arguments)
        )

    return said


def _lasting_names(definitions: Iterable[StepDefinition]) -> dict[str, str]:
    """Names for functions that stay if a file is edited or the suite is moved: their expressions. Baselines identify
    blocks by the meanings of their steps."""
    expressions: dict[str, list[str]] = {}
    for definition in definitions:
        expressions.setdefault(definition.function_id, []).append(definition.expression)
    taken: Counter[str] = Counter()
    names = {}
    for function, expression in expressions.items():
        name = "\0".join(sorted(expression))
        names[function] = f"{name}\0{taken[name]}" if taken[name] else name
        taken[name] += 1
    return names
