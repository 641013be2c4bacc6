"""The worker's answers. The module NAME of this folder answers the requests of `protocol.NAME`: it lists them in
`HANDLERS`, and is loaded when the first of them comes, because a start does not need most of what answers need."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from cukereuse_server.protocol.base import Request

Handler = Callable[[Any, Any], Any]
"""A function of a `View`, or of a view with more, and the request."""


def handler_of(kind: type[Request]) -> Handler:
    handlers: dict[type[Request], Handler] = import_module(f"{__name__}.{kind.__module__.rpartition('.')[2]}").HANDLERS
    return handlers[kind]
