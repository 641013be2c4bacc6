"""Events of the main process and their listeners: the only way in which features learn of anything but requests.

An event is an instance of its class: a message from the worker (`protocol.state`), or one of those here. Listeners are
called in the order of registration, on the main loop.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from cukereuse_server.session import Document

logger = logging.getLogger(__name__)
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class ClientKnown:
    """The client's capabilities are known, and the server's are not sent yet: what depends on them registers now."""


@dataclass(frozen=True, slots=True)
class DocumentChanged:
    """A document was opened or changed."""

    document: Document
    opened: bool = False


@dataclass(frozen=True, slots=True)
class DocumentClosed:
    document: Document


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The session's settings have changed."""


@dataclass(frozen=True, slots=True)
class WorkerEnded:
    """The worker has ended, and all of its work with it; a new worker may follow."""


class Events:
    def __init__(self) -> None:
        self._listeners: dict[type[Any], list[Callable[[Any], None]]] = {}

    def listen(self, kind: type[E], listener: Callable[[E], None]) -> None:
        self._listeners.setdefault(kind, []).append(listener)

    def tell(self, event: object) -> None:
        """If a listener raises an exception, it is logged, and the other listeners are still called."""
        for listener in self._listeners.get(type(event), ()):
            try:
                listener(event)
            except Exception:
                logger.exception("%s", type(event).__name__)
