"""A server with all features. To add one: a module here, its records in `protocol`, its answer in `worker/handlers`."""

import pkgutil
from importlib import import_module

from cukereuse_server import features
from cukereuse_server.events import ClientKnown
from cukereuse_server.server import CukereuseServer
from cukereuse_server.tracing import watch_main_loop


def create_server() -> CukereuseServer:
    """Create the server and let each module of this folder register its features, in the order of their names."""
    server = CukereuseServer()
    server.events.listen(ClientKnown, lambda _: watch_main_loop())
    for name in sorted(module.name for module in pkgutil.iter_modules(features.__path__)):
        module = import_module(f"{features.__name__}.{name}")
        if hasattr(module, "register"):
            module.register(server)
    return server
