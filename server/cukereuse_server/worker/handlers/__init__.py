"""What the worker answers, one module a subject; each has a table `HANDLERS` from request to function.

A handler gets a view of the workspace that has followed everything that was told, and the request; it takes some
milliseconds and changes nothing.
"""

from collections.abc import Callable
from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.worker.handlers import (
    actions,
    completion,
    diagnostics,
    extraction,
    formatting,
    merging,
    navigation,
    running,
    similar,
    status,
    symbols,
)

Handler = Callable[[Any, Any], Any]
"""A `View`, or one that can do more, and the request."""

_MODULES = (
    actions,
    completion,
    diagnostics,
    extraction,
    formatting,
    merging,
    navigation,
    running,
    similar,
    status,
    symbols,
)
HANDLERS: dict[type[Request], Handler] = {kind: run for module in _MODULES for kind, run in module.HANDLERS.items()}
"""All of them."""
