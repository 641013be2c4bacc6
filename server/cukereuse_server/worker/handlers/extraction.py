"""Replaces a block of steps that recurs by one step: the possible blocks at a line, and the edits."""

from collections.abc import Callable
from functools import partial
from typing import Any

from cukereuse_engine.blocks.extract import plan_extraction
from cukereuse_engine.blocks.extraction_plan import ExtractionPlan
from cukereuse_engine.blocks.shorten import ShorteningPlan, plan_shortening
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.extraction import Extractable, ExtractsAt, PlanExtraction
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.plans import change_of
from cukereuse_server.workspace.navigation import known_glue
from cukereuse_server.workspace.renaming import suite_as_read
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View


def extracts_at(workspace: View, request: ExtractsAt) -> list[Extractable] | None:
    suite = workspace.suite_of(request.path)
    if suite is None:
        return None
    blocks = suite.repetition.blocks_at(request.path, request.line)
    if known_glue(suite) is None:  # Karate needs none
        blocks = [block for block in blocks if block.places[0].scenario.is_karate]
    short_forms = suite.repetition.shortenable_at(request.path, request.line)
    return [
        *(
            Extractable(
                form.id, form.spelled[0].place.length, len(form.spelled), form.steps_saved, form.spelled[0].text
            )
            for form in short_forms
        ),
        *(Extractable(block.id, block.length, len(block.places), block.steps_saved) for block in blocks),
    ]


Planner = Callable[[ReadSuites], ShorteningPlan | ExtractionPlan]


def extract(workspace: View, request: PlanExtraction) -> Plan:
    suite = workspace.suite_of(request.path)
    planned = _planner(suite, request) if suite is not None else None
    if suite is None or planned is None:
        return _refused("no recurring block of steps is known here yet")
    try:
        plan = planned(suite_as_read(workspace, suite))
    except (CukereuseError, OSError) as error:
        return _refused(str(error))
    places = PlaceMaker(workspace)
    changes = []
    for file in plan.files:
        buffer = workspace.buffers.get(file.path)
        if buffer is None and not file.encoding.lower().replace("_", "-").startswith("utf-8"):
            return _refused(f"{file.path} is not UTF-8, but an editor would write UTF-8")
        changes.append(change_of(file, buffer.version if buffer is not None else None, places))
    notes = [f"{place.place.path}:{place.place.line} is left out: {place.reason}" for place in plan.left_out]
    return Plan(changes=changes, notes=notes, target=plan.wording, steps=len(plan.places), warnings=notes)


def _planner(suite: SuiteState, request: PlanExtraction) -> Planner | None:
    """The planner of the requested shortening, or else of the requested extraction; None if neither is known."""
    for form in suite.repetition.shortenable_at(request.path, request.line):
        if form.id == request.block:
            return partial(plan_shortening, form)
    for block in suite.repetition.blocks_at(request.path, request.line):
        if request.block in ("", block.id):
            return lambda suites: plan_extraction(block, suites, request.wording or None)
    return None


def _refused(reason: str) -> Plan:
    return Plan(changes=[], notes=[], refused=reason)


HANDLERS: dict[type[Request], Any] = {ExtractsAt: extracts_at, PlanExtraction: extract}
