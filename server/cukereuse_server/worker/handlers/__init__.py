"""The worker's answers: a module of this folder that answers requests lists them in `HANDLERS`."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any

from cukereuse_server.protocol.base import Request

Handler = Callable[[Any, Any], Any]
"""A `View`, or one that can do more, and the request."""

_MODULES = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
HANDLERS: dict[type[Request], Handler] = {
    kind: run for module in _MODULES for kind, run in getattr(module, "HANDLERS", {}).items()
}
"""All of them."""
