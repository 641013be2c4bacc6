"""How often a step or step definition is used, and in which other wordings: what a code lens shows."""

from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.code_lens import Counted, CountUses, FindWordings, ListCounted, StepCount
from cukereuse_server.protocol.places import Place
from cukereuse_server.worker.handlers.places import PlaceMaker, place_of_definition, step_on
from cukereuse_server.workspace.calling import calls_of
from cukereuse_server.workspace.navigation import (
    definitions_at,
    definitions_in,
    is_used_again,
    other_wordings,
    steps_like,
    steps_of_definition,
    steps_of_wording,
    wordings_beside,
)
from cukereuse_server.workspace.view import View

_SHOWN = 20
"""The number of steps shown for each other wording."""


def list_counted(workspace: View, request: ListCounted) -> list[Counted]:
    suite = workspace.suite_of(request.path)
    entry = suite.texts.files.get(request.path) if suite is not None else None
    if request.path not in workspace.buffers or (entry is not None and entry.is_karate):
        return []
    places = PlaceMaker(workspace)
    if suite is None or entry is None:
        return [
            Counted(place_of_definition(places, definition), False)
            for definition in definitions_in(workspace, request.path)
        ]
    is_known = suite.findings.is_known(request.path)
    counted = []
    by_template: dict[str, tuple[bool, bool]] = {}
    """For each template: true if there are other wordings, and true if it is used again."""
    for step in entry.file.steps:
        key = suite.key_of(step.text) if step.text else None
        if key is not None:
            if key not in by_template:
                has_others = is_known and bool(wordings_beside(suite, key))
                by_template[key] = has_others, has_others or is_used_again(suite, step, key)
            has_others, is_counted = by_template[key]
            if is_counted:
                counted.append(Counted(places.of_step(step), has_others))
    return counted


def count(workspace: View, request: CountUses) -> StepCount | None:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return _count_definition(workspace, request.path, request.line)
    suite, step, key = at_step
    others = other_wordings(suite, step.path, key)
    return StepCount(len(steps_like(suite, step, key)), None if others is None else len(others))


def _count_definition(workspace: View, path: str, line: int) -> StepCount | None:
    pairs = definitions_at(workspace, path, line)
    if not pairs:
        return None
    uses = sum(len(steps_of_definition(suite, definition)) for suite, definition in pairs)
    return StepCount(uses, 0, len(calls_of(workspace, pairs)))


def wordings(workspace: View, request: FindWordings) -> list[Place]:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return []
    suite, step, key = at_step
    places = PlaceMaker(workspace)
    others = [suite.key_of(text.text) for text, _ in other_wordings(suite, step.path, key) or ()]
    return [
        places.of_step(step)
        for other in others
        if other is not None
        for step in steps_of_wording(suite, other)[:_SHOWN]
    ]


HANDLERS: dict[type[Request], Any] = {ListCounted: list_counted, CountUses: count, FindWordings: wordings}
