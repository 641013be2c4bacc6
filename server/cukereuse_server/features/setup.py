"""Which features there are. To add one: a module here, its records in `protocol`, its answer in `worker/handlers`."""

from cukereuse_server.features import (
    code_actions,
    code_lens,
    commands,
    completion,
    definition,
    diagnostics,
    hover,
    lifecycle,
    messages,
    progress,
    references,
    rename,
    rename_requests,
    requests,
    semantic_tokens,
    symbols,
    sync,
)
from cukereuse_server.server import CukereuseServer


def register_all(server: CukereuseServer) -> None:
    for feature in (
        lifecycle,
        sync,
        diagnostics,
        progress,
        messages,
        requests,
        rename_requests,
        code_actions,
        commands,
    ):
        feature.register(server)
    for feature in (completion, hover, references, definition, code_lens, symbols, rename, semantic_tokens):
        feature.register(server)
