"""The messages between the main process and the worker: plain records, one module for each subject.

Imports neither the engine's heavy parts nor pygls or lsprotocol, so that both sides load it quickly.
"""

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cukereuse_server.protocol.base import Request


def requests() -> "list[type[Request]]":
    """All requests that the worker answers."""
    from cukereuse_server.protocol.base import Request

    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return Request.__subclasses__()
