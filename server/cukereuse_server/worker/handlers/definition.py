"""The step definitions of a step; from code, the steps of a definition."""

from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.definition import DefinitionTargets, FindDefinitions
from cukereuse_server.worker.handlers.places import PlaceMaker, place_of_call, place_of_definition
from cukereuse_server.workspace.calling import calls_in
from cukereuse_server.workspace.navigation import (
    binding_of,
    definitions_at,
    steps_of_definition,
    steps_of_row,
)
from cukereuse_server.workspace.view import View


def definitions(workspace: View, request: FindDefinitions) -> DefinitionTargets | None:
    suite = workspace.suite_of(request.path)
    step = workspace.step_at(request.path, request.line)
    places = PlaceMaker(workspace)
    if suite is None:
        return _from_code(workspace, request.path, request.line, places)
    if step is not None:
        steps, origin = [step], places.of_step(step)
    else:
        steps = steps_of_row(workspace, request.path, request.line, request.column)
        line = places.line(request.path, request.line)
        origin = places.at(request.path, request.line, len(line) - len(line.lstrip()) + 1, len(line.rstrip()) + 1)
    bindings = [binding_of(suite, step) for step in steps if step.text]
    targets = {
        definition.id: definition for binding in bindings if binding is not None for definition in binding.definitions
    }
    return (
        DefinitionTargets(origin, [place_of_definition(places, target) for target in targets.values()])
        if targets
        else None
    )


def _from_code(workspace: View, path: str, line: int, places: PlaceMaker) -> DefinitionTargets | None:
    """From an expression to the steps that bind to it, from a call by a step's text to its definition."""
    pairs = definitions_at(workspace, path, line)
    if pairs:
        steps = [step for suite, definition in pairs for step in steps_of_definition(suite, definition)]
        targets = list(map(places.of_step, steps))
        return DefinitionTargets(place_of_definition(places, pairs[0][1]), targets) if targets else None
    calls = [(call, definition) for call, definition in calls_in(workspace, path) if call.step.line == line]
    if not calls:
        return None
    targets = list(dict.fromkeys(place_of_definition(places, definition) for _, definition in calls))
    return DefinitionTargets(place_of_call(places, calls[0][0]), targets)


HANDLERS: dict[type[Request], Any] = {FindDefinitions: definitions}
