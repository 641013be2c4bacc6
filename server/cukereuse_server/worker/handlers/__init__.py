"""What the worker answers, one module a subject; each has a table `HANDLERS` from request to function.

A handler gets the settled workspace and the request, takes some milliseconds, and changes nothing.
"""

from collections.abc import Callable
from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.worker.handlers import actions, diagnostics, layout, navigation, similar, status, symbols, writing
from cukereuse_server.workspace.workspace import Workspace

Handler = Callable[[Workspace, Any], Any]

_MODULES = (actions, diagnostics, layout, navigation, similar, status, symbols, writing)
HANDLERS: dict[type[Request], Handler] = {kind: run for module in _MODULES for kind, run in module.HANDLERS.items()}
"""All of them."""
