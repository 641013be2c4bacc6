"""Events that the workspace sends without a request."""

from collections.abc import Iterable

from cukereuse_server.protocol.state import Announced, Changed, Logged, ModelMissing
from cukereuse_server.workspace.host import Host


class News:
    def __init__(self, host: Host) -> None:
        self._host = host
        self._warned: set[str] = set()

    def log(self, message: str) -> None:
        self._host.emit(Logged(level="INFO", message=message))

    def warn(self, message: str) -> None:
        """Show a message to the user, once."""
        if message not in self._warned:
            self._warned.add(message)
            self._host.emit(Announced(message=message, warning=True))

    def changed(self, paths: Iterable[str]) -> None:
        """The diagnostics of these files may have changed."""
        if named := sorted(paths):
            self._host.emit(Changed(paths=named))

    def all_changed(self) -> None:
        """The diagnostics of all files may have changed."""
        self._host.emit(Changed(paths=[]))

    def model_missing(self, message: str, *, may_download: bool, model: str) -> None:
        self._host.emit(ModelMissing(message=message, may_download=may_download, model=model))
