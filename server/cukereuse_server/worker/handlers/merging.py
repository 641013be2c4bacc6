"""Step definitions that run the same code, at a line of a source or a step; and the edits that make them one."""

from collections.abc import Iterator
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.refactor.merging import Merger
from cukereuse_server.protocol.actions import Merge, MergesAt, Plan, PlanMerge
from cukereuse_server.protocol.base import Request
from cukereuse_server.worker.handlers.actions import change_of
from cukereuse_server.worker.handlers.places import Places
from cukereuse_server.workspace.renaming import refactor_workspace
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_OFFERED = 3


def merges(workspace: View, request: MergesAt) -> list[Merge]:
    found: dict[tuple[str, str], Merge] = {}
    for suite in workspace.suites.values():
        functions = suite.functions
        for definition in _at(workspace, suite, request) if functions is not None else ():
            assert functions is not None
            for twin in _twins(functions, definition):
                found[definition.id, twin.id] = Merge(definition.id, twin.id, twin.shown)
            if suite.is_unused(definition):
                found[definition.id, ""] = Merge(definition.id, "", definition.shown)
    return list(found.values())[:_OFFERED]


def _at(workspace: View, suite: SuiteState, request: MergesAt) -> list[StepDefinition]:
    """The definitions at the line, or of the step there."""
    glue = suite.glue
    step = workspace.step_at(request.path, request.line)
    if glue is None:
        return []
    if step is not None:
        return list(glue.bind(step).definitions) if workspace.suite_of(request.path) is suite else []
    return [one for one in glue.definitions if one.path == request.path and _holds(one, request.line)]


def _holds(definition: StepDefinition, line: int) -> bool:
    """Whether a line is of a definition's expression or function."""
    literal, function = definition.literal, definition.function
    first = min(literal.line, function.line) if function is not None else literal.line
    last = max(literal.end_line, function.end_line) if function is not None else literal.end_line
    return first <= line <= last


def _twins(functions: Functions, definition: StepDefinition) -> Iterator[StepDefinition]:
    for key in functions.equal_to(definition):
        yield from functions.definitions_of(key)[:1]


def plan_merge(workspace: View, request: PlanMerge) -> Plan:
    for suite in workspace.suites.values():
        known = {one.id: one for one in suite.glue.definitions} if suite.glue is not None else {}
        definition, twin = known.get(request.definition), known.get(request.twin)
        if definition is None or suite.functions is None or (request.twin and twin is None):
            continue
        merger = Merger(refactor_workspace(workspace, suite), suite.functions)
        try:
            plan = merger.merge(twin, definition) if twin is not None else merger.delete(definition)
        except (CukereuseError, OSError) as error:
            return Plan(changes=[], notes=[], refused=str(error))
        places = Places(workspace)
        buffers = (workspace.buffers.get(file.path) for file in plan.files)
        versions = [buffer.version if buffer is not None else None for buffer in buffers]
        changes = [change_of(file, version, places) for file, version in zip(plan.files, versions, strict=True)]
        return Plan(changes=changes, notes=[])
    return Plan(changes=[], notes=[], refused="the step definition is another by now; ask again")


HANDLERS: dict[type[Request], Any] = {MergesAt: merges, PlanMerge: plan_merge}
