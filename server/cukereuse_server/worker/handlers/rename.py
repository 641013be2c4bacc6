"""Renames the steps of a step, of a step definition or of a tag."""

from typing import Any

from msgspec.structs import replace

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import Step
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.protocol.rename import FindNameable, Nameable, PlanRename, RenameCandidate, RenameCandidates
from cukereuse_server.worker.handlers.places import PlaceMaker, place_of_definition
from cukereuse_server.worker.handlers.plans import to_plan
from cukereuse_server.worker.handlers.tags import nameable_tag, rename_tag, tag_at
from cukereuse_server.workspace.navigation import definitions_at, steps_of_definition
from cukereuse_server.workspace.renaming import is_ready, phrasing_of, plan
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_STILL_READING = "the step definitions are still being read; try again in a moment"


def candidates(workspace: View, request: RenameCandidates) -> list[RenameCandidate]:
    """The wordings of the cluster, most used first, one for all that a definition serves; only the step's own if there
    is no cluster."""
    suite, step = workspace.suite_of(request.path), workspace.step_at(request.path, request.line)
    key = suite.key_of(step.text) if suite is not None and step is not None else None
    if suite is None or key is None:
        return []
    clusters = suite.component(key).clusters if suite.judge is not None else ()
    keys = [dict.fromkeys(text.template.key for text in cluster.texts) for cluster in clusters]
    candidates: dict[str, RenameCandidate] = {}
    here = next((cluster for cluster in keys if key in cluster), {key: None})
    for each in sorted(here, key=lambda each: (-suite.texts.occurrences(each), suite.wording(each).text)):
        text, used = suite.wording(each).text, suite.texts.occurrences(each)
        phrasing = phrasing_of(workspace, suite, text)
        first = candidates.setdefault(phrasing, RenameCandidate(text, phrasing, 0))
        candidates[phrasing] = replace(first, occurrences=first.occurrences + used)
    return sorted(candidates.values(), key=lambda candidate: (-candidate.occurrences, candidate.text))


def rename(workspace: View, request: PlanRename) -> Plan:
    tag = tag_at(workspace, request.path, request.line, request.column) if request.column else None
    if tag is not None:
        return rename_tag(workspace, request.path, tag[0], request.target)
    suite, step = workspace.suite_of(request.path), workspace.step_at(request.path, request.line)
    if suite is None and definitions_at(workspace, request.path, request.line):
        suite, step = _used(workspace, request.path, request.line) or (None, None)
        if suite is None:
            return Plan(changes=[], notes=[], refused="no step binds to it; change its expression by hand")
    if suite is None or step is None:
        return Plan(changes=[], notes=[], refused="there is no step here")
    if not is_ready(workspace, suite):
        return Plan(changes=[], notes=[], refused=_STILL_READING)
    try:
        renaming = plan(workspace, suite, step, request.target, cluster=request.cluster, move=request.move)
        return to_plan(workspace, renaming)
    except (CukereuseError, OSError) as error:
        return Plan(changes=[], notes=[], refused=str(error))


def _used(workspace: View, path: str, line: int) -> tuple[SuiteState, Step] | None:
    """A step that binds to the step definition on a line of a source."""
    pairs = (
        (suite, definition) for suite, definition in definitions_at(workspace, path, line) if suite.judge is not None
    )
    return next(((suite, step) for suite, definition in pairs for step in steps_of_definition(suite, definition)), None)


def nameable(workspace: View, request: FindNameable) -> Nameable | None:
    places = PlaceMaker(workspace)
    tag = nameable_tag(workspace, request.path, request.line, request.column)
    if tag is not None:
        return tag
    step = workspace.step_at(request.path, request.line)
    if step is not None:
        return Nameable(places.of_step(step), step.text) if step.text else None
    definitions = definitions_at(workspace, request.path, request.line)
    used = _used(workspace, request.path, request.line) if definitions else None
    if used is None:
        return None
    suite, bound = used
    return Nameable(place_of_definition(places, definitions[0][1]), phrasing_of(workspace, suite, bound.text))


HANDLERS: dict[type[Request], Any] = {
    PlanRename: rename,
    FindNameable: nameable,
    RenameCandidates: candidates,
}
