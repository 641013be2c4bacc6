"""The progress of the index."""

from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.status import GetStatus, IsSettled, SuiteStatus, WorkerStatus
from cukereuse_server.workspace.view import StatusView


def status(workspace: StatusView, request: GetStatus) -> WorkerStatus:
    del request
    suites = [
        SuiteStatus(
            root=suite.root,
            files=len(suite.texts.files),
            steps=sum(entry.count for entry in suite.texts.texts.values()),
            texts=len(suite.texts.texts),
            templates=len(suite.texts.members),
            definitions=len(suite.glue.own_definitions) if suite.glue is not None else 0,
            vectors=len(suite.neighbours.vectors),
            compared=suite.compared,
        )
        for suite in workspace.suites.values()
    ]
    embedder = workspace.embedder
    model = embedder.model_id if embedder is not None else ""
    settled = workspace.complete and all(suite.settled for suite in workspace.suites.values())
    return WorkerStatus(workspace.complete, model, suites, workspace.model_state, settled)


def is_settled(workspace: StatusView, request: IsSettled) -> bool:
    return workspace.is_settled(request.path)


HANDLERS: dict[type[Request], Any] = {GetStatus: status, IsSettled: is_settled}
