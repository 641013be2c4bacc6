"""The uses of a step, a step definition or a tag."""

from collections.abc import Sequence
from typing import Any

from cukereuse_engine.functions.relations import Relation
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.references import FindHere, FindUses
from cukereuse_server.worker.handlers.places import PlaceMaker, place_of_call, place_of_definition, step_on
from cukereuse_server.worker.handlers.tags import tag_at, uses_of
from cukereuse_server.workspace.calling import calls_of
from cukereuse_server.workspace.navigation import (
    binding_of,
    definitions_at,
    steps_like,
    steps_of_definition,
)
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.twins import twins_of
from cukereuse_server.workspace.view import View


def uses(workspace: View, request: FindUses) -> list[Place]:
    places = PlaceMaker(workspace)
    tag = tag_at(workspace, request.path, request.line, request.column)
    if tag is not None:
        return uses_of(workspace, request.path, tag[0])
    at_step = step_on(workspace, request.path, request.line)
    if at_step is not None:
        suite, step, key = at_step
        steps = steps_like(suite, step, key)
        binding = binding_of(suite, step)
        bound: Sequence[StepDefinition] = binding.definitions if binding is not None else ()
        definitions: Sequence[StepDefinition] = (
            _with_twins([(suite, definition) for definition in bound]) if request.declaration else ()
        )
        calls = [
            place_of_call(places, definition)
            for definition in calls_of(workspace, [(suite, definition) for definition in bound])
        ]
    else:
        pairs = definitions_at(workspace, request.path, request.line)
        steps = [step for suite, definition in pairs for step in steps_of_definition(suite, definition)]
        definitions = _with_twins(pairs) if request.declaration else ()
        calls = [place_of_call(places, call) for call in calls_of(workspace, pairs)]
    return [
        *(place_of_definition(places, definition) for definition in definitions),
        *map(places.of_step, steps),
        *calls,
    ]


def _with_twins(pairs: Sequence[tuple[SuiteState, StepDefinition]]) -> Sequence[StepDefinition]:
    """The definitions, each once, followed by those that run the same code or pass on to them."""
    twins = (twin for suite, definition in pairs for twin in twins_of(suite, definition))
    same = [twin.definition for twin in twins if twin.related.relation is not Relation.CONSTANT]
    return list(
        {definition.id: definition for definition in (*(definition for _, definition in pairs), *same)}.values()
    )


def here(workspace: View, request: FindHere) -> list[Place]:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return []
    suite, _, key = at_step
    entry = suite.texts.files[request.path]
    members = suite.texts.members[key]
    places = PlaceMaker(workspace)
    steps = [step for text in members if text in entry.texts for step in entry.texts[text]]
    return [places.of_step(step) for step in sorted(steps, key=lambda step: step.line)]


HANDLERS: dict[type[Request], Any] = {FindUses: uses, FindHere: here}
