"""What a workspace needs of the process that it lives in: threads, slices of time, and somebody to tell."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from cukereuse_server.protocol.base import Event


class Host(Protocol):
    def background(
        self, name: str, slices: Iterator[None], fail: Callable[[BaseException], None] | None = None
    ) -> None:
        """Work in slices of some milliseconds, between questions; work of the same name that is not done is dropped.
        `fail` gets what a slice raised."""

    def thread(
        self,
        name: str,
        work: Callable[[], Any],
        take: Callable[[Any], None],
        fail: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Compute `work` beside everything else; in turn with questions, `take` gets its result or `fail` what it
        raised."""

    def post(self, take: Callable[[Any], None], value: Any) -> None:
        """From a thread: let `take` be called in turn with questions."""

    def emit(self, event: Event) -> None:
        """Tell the main process."""

    def give_way(self, to: str = "") -> None:
        """From a thread, between pieces of work: let questions and slices go first, and what another thread has to
        do."""

    def stopping(self) -> bool:
        """Whether work in threads should end."""
