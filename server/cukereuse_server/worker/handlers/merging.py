"""Step definitions that run the same code, at a line of a source or a step, and the edits that merge them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.functions.relations import Relation
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.merging.merge_plan import MergePlan
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.writing import writing_of
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.merging import CONSTANT, DELETE, FUNCTION, WORDING, Merge, MergesAt, PlanMerge
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.plans import change_of
from cukereuse_server.workspace.navigation import used_beside
from cukereuse_server.workspace.renaming import suite_as_read
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.twins import Twin, twins_of
from cukereuse_server.workspace.view import View

_OFFERED = 2
"""The number of merges offered of each kind."""


def merges(workspace: View, request: MergesAt) -> list[Merge]:
    offers: dict[tuple[str, str, str], Merge] = {}
    for suite in workspace.suites.values():
        for definition in _at(workspace, suite, request) if suite.functions is not None else ():
            for merge in _merges(workspace, suite, definition):
                offers[merge.how, merge.definition, merge.twin] = merge
    return list(offers.values())


def _merges(workspace: View, suite: SuiteState, definition: StepDefinition) -> Iterator[Merge]:
    if suite.is_unused(definition) and not used_beside(workspace, suite, definition):
        yield Merge(DELETE, definition.id, "", definition.shown)
    is_used = bool(suite.glue is not None and suite.glue.texts_of(definition.id))
    twins = twins_of(suite, definition)
    suspected = suite.findings.suspected_with(definition) if twins else frozenset()
    offered: Counter[str] = Counter()
    for twin in twins:
        other, related = twin.definition, twin.related
        kinds = {Relation.SAME: (FUNCTION, WORDING), Relation.PASSES_ON: (WORDING,), Relation.CONSTANT: (CONSTANT,)}
        if other.id in suspected:
            continue  # their finding asks which of the two does not do what it claims
        for how in kinds[related.relation]:
            leads_away = (how == WORDING and not is_used) or (how != FUNCTION and _calls_back(twin))
            if leads_away or _has_nothing_to_merge(how, definition, other):
                continue
            offered[how] += 1
            if offered[how] <= _OFFERED:
                yield Merge(how, definition.id, other.id, other.shown, related.parameter)


def _has_nothing_to_merge(how: str, definition: StepDefinition, other: StepDefinition) -> bool:
    """True if the two are written alike, in scopes of their own: they have one wording already."""
    if how == CONSTANT or definition.expression != other.expression:
        return False
    return how == WORDING or definition.keyword_types == other.keyword_types


def _calls_back(twin: Twin) -> bool:
    """True if the twin passes on to this definition: its steps would have to change, not the steps here."""
    return twin.related.relation is Relation.PASSES_ON and twin.related.reversed


def _at(workspace: View, suite: SuiteState, request: MergesAt) -> list[StepDefinition]:
    """The definitions on the line, or of the step there."""
    glue = suite.glue
    step = workspace.step_at(request.path, request.line)
    if glue is None:
        return []
    if step is not None:
        return list(glue.bind(step).definitions) if workspace.suite_of(request.path) is suite else []
    return [
        definition
        for definition in glue.definitions
        if definition.path == request.path and _holds(definition, request.line)
    ]


def _holds(definition: StepDefinition, line: int) -> bool:
    """True if a line belongs to a definition's expression or function."""
    literal, function = definition.literal, definition.function
    if function is None:
        return literal.line <= line <= literal.end_line
    if writing_of(definition.language).registered and definition.function_name:  # they are in different places
        return literal.line <= line <= literal.end_line or function.line <= line <= function.end_line
    return min(literal.line, function.line) <= line <= max(literal.end_line, function.end_line)


def plan_merge(workspace: View, request: PlanMerge) -> Plan:
    for suite in workspace.suites.values():
        definitions = (
            {definition.id: definition for definition in suite.glue.definitions} if suite.glue is not None else {}
        )
        definition, twin = definitions.get(request.definition), definitions.get(request.twin)
        if definition is None or suite.functions is None or (request.twin and twin is None):
            continue
        merger = Merger(suite_as_read(workspace, suite), suite.functions)
        try:
            plan = _planned(merger, request.how, definition, twin)
        except (CukereuseError, OSError) as error:
            return Plan(changes=[], notes=[], refused=str(error))
        places = PlaceMaker(workspace)
        buffers = (workspace.buffers.get(file.path) for file in plan.files)
        versions = [buffer.version if buffer is not None else None for buffer in buffers]
        changes = [change_of(file, version, places) for file, version in zip(plan.files, versions, strict=True)]
        return Plan(changes=changes, notes=[])
    return Plan(changes=[], notes=[], refused="the step definition has changed; try again")


def _planned(merger: Merger, how: str, definition: StepDefinition, twin: StepDefinition | None) -> MergePlan:
    if twin is None:
        return merger.delete(definition)
    if how == CONSTANT:
        return merger.extract_constant(twin, definition)
    return merger.keep_wording(twin, definition) if how == WORDING else merger.merge(twin, definition)


HANDLERS: dict[type[Request], Any] = {MergesAt: merges, PlanMerge: plan_merge}
