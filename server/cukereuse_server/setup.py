"""A server with all features."""

import pkgutil
from importlib import import_module
from types import ModuleType

from cukereuse_server import features
from cukereuse_server.events import ClientKnown
from cukereuse_server.server import CukereuseServer
from cukereuse_server.tracing import watch_main_loop


def create_server() -> CukereuseServer:
    """Create the server, and let each module of `features` register what it answers."""
    server = CukereuseServer()
    server.events.listen(ClientKnown, lambda _: watch_main_loop())
    for module in feature_modules():
        module.register(server)
    return server


def feature_modules() -> list[ModuleType]:
    """The modules of `features` by name; each has a function `register`, which takes the server."""
    names = sorted(module.name for module in pkgutil.iter_modules(features.__path__))
    return [import_module(f"{features.__name__}.{name}") for name in names]
