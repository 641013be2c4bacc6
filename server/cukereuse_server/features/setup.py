"""Which features there are. To add one: a module here, its records in `protocol`, its answer in `worker/handlers`."""

from cukereuse_server.events import ClientKnown
from cukereuse_server.features import (
    code_actions,
    code_lens,
    commands,
    completion,
    definition,
    diagnostics,
    download,
    extract_requests,
    findings,
    formatting,
    hover,
    lifecycle,
    messages,
    progress,
    references,
    rename,
    rename_requests,
    requests,
    running,
    semantic_tokens,
    symbols,
    sync,
)
from cukereuse_server.server import CukereuseServer
from cukereuse_server.tracing import watch_main_loop


def create_server() -> CukereuseServer:
    """A server with all features registered."""
    server = CukereuseServer()
    server.events.listen(ClientKnown, lambda _: watch_main_loop())
    for feature in (
        lifecycle,
        sync,
        diagnostics,
        progress,
        messages,
        download,
        requests,
        rename_requests,
        extract_requests,
        findings,
        running,
        code_actions,
        commands,
    ):
        feature.register(server)
    for feature in (completion, hover, references, definition, code_lens, symbols, rename, semantic_tokens, formatting):
        feature.register(server)
    return server
