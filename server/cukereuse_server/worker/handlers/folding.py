"""Folds scenarios of one file."""

from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.folding import Folds, FoldsAt, PlanFold
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.plans import change_of
from cukereuse_server.workspace.folding import folds, lookup_of, suggestion
from cukereuse_server.workspace.view import View


def folds_at(workspace: View, request: FoldsAt) -> Folds | None:
    buffer = workspace.buffers.get(request.path)
    if buffer is None or workspace.file(request.path) is None:
        return None
    return Folds(buffer.version, folds(request.path, buffer.text, request.line))


def fold(workspace: View, request: PlanFold) -> Plan:
    buffer = workspace.buffers.get(request.path)
    folding = suggestion(request.path, buffer.text, request.line, request.kind) if buffer is not None else None
    if buffer is None or folding is None:
        return Plan(changes=[], notes=[], refused="there is nothing to fold here")
    lookup = lookup_of(workspace, folding)
    if lookup is not None:
        return Plan(changes=[], notes=[], refused=lookup.refusal)
    return Plan(changes=[change_of(folding.file, buffer.version, PlaceMaker(workspace))], notes=[])


HANDLERS: dict[type[Request], Any] = {
    FoldsAt: folds_at,
    PlanFold: fold,
}
