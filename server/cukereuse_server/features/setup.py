"""Which features there are. To add one: a module here, its records in `protocol`, its answer in `worker/handlers`."""

from cukereuse_server.features import (
    code_actions,
    commands,
    diagnostics,
    lifecycle,
    messages,
    progress,
    rename_requests,
    requests,
    sync,
)
from cukereuse_server.server import CukereuseServer


def register_all(server: CukereuseServer) -> None:
    features = (lifecycle, sync, diagnostics, progress, messages, requests, rename_requests, code_actions, commands)
    for feature in features:
        feature.register(server)
