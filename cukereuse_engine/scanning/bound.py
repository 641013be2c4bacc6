"""Which step definition each text of a suite binds to: the labels that the suite's judge learns from.

Decides nothing about pairs.
"""

from collections.abc import Iterable, Mapping, Sequence

from cukereuse_engine.blocks.scenarios import Meaning, Said
from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import Glue
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import Template, template


def bound_functions(steps: Mapping[str, Sequence[Step]], glue: Glue) -> dict[str, str]:
    """Identity of a text to the function that serves it (`StepDefinition.function_id`).

    Texts that no definition matches, or that several functions serve, are left out. One step of each keyword type
    speaks for the others of its text.
    """
    if not glue.definitions:
        return {}
    found = {identity: bound_function(group, glue) for identity, group in steps.items()}
    return {identity: function for identity, function in found.items() if function is not None}


def bound_function(steps: Sequence[Step], glue: Glue) -> str | None:
    """The function that serves the steps of one text."""
    one_of_each = {glue.role_of(step): step for step in reversed(steps)}
    return served_by(definition for step in one_of_each.values() for definition in glue.bind(step).definitions)


def served_by(definitions: Iterable[StepDefinition]) -> str | None:
    """The one function behind all of these definitions; None where there is none, or more than one."""
    functions = {definition.function_id for definition in definitions}
    return functions.pop() if len(functions) == 1 else None


def judge_for(texts: Sequence[StepText], steps: Mapping[str, Sequence[Step]], glue: Glue | None) -> AdaptedJudge:
    """The judge of a suite, which knows what its `texts` bind to; without glue it judges by the texts alone."""
    return AdaptedJudge.for_bound_suite(texts, bound_functions(steps, glue) if glue is not None else {})


def meaning_of(steps: Mapping[str, Sequence[Step]], glue: Glue, templates: Iterable[Template] = ()) -> Meaning:
    """What the steps of a suite mean: the function that serves a step with the arguments that it gets, else its
    template. `templates`: those that are known already."""
    functions = bound_functions(steps, glue)
    known = {one.text: one for one in templates}

    def said(step: Step) -> Said:
        text = normalise(step.text)
        function = functions.get(identity(text)) if functions else None
        found = known.get(text) or template(text)
        if function is not None and not ("<" in text and step.examples):
            matches = [match for bound in glue.bind(step).texts for match in bound.matches]
            if matches:
                return Said(function, tuple(one.value or "" for one in matches[0].arguments))
        return Said(function or found.key, tuple(argument.value for argument in found.arguments))

    return said
