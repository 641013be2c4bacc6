"""The editor's state for the worker, and the worker's reports."""

from typing import Any

from cukereuse_server.protocol.base import Event, Notice


class Configure(Notice, frozen=True):
    """Folders and settings; replaces the earlier ones."""

    folders: list[str]
    """Absolute paths of the workspace folders."""
    settings: dict[str, Any]
    """The editor's values for the engine's settings, unchecked."""
    workspace_diagnostics: bool = False
    """True to announce findings of files that are not open too."""


class Opened(Notice, frozen=True):
    """The text of an open document; replaces the earlier one."""

    path: str
    version: int
    text: str


class Closed(Notice, frozen=True):
    path: str


class FilesChanged(Notice, frozen=True):
    """Something about these paths has changed on disk; empty: look at everything."""

    paths: list[str]


class AllowDownload(Notice, frozen=True):
    """The user agreed to download the model."""


class CancelWork(Notice, frozen=True):
    """The user does not want to wait for this background work: the rest of it is left undone."""

    task: str
    """A name in `Progressed`."""


class Shutdown(Notice, frozen=True):
    """Save the index and end."""


class Ready(Event, frozen=True):
    """The worker has started."""

    watched: list[str]
    """Patterns of the files whose changes the worker wants to know."""


class Changed(Event, frozen=True):
    """The diagnostics of these files may have changed."""

    paths: list[str]
    """Empty: all files."""


class Progressed(Event, frozen=True):
    """One piece of background work. After the one that is `finished` the next of a task begins it again."""

    task: str
    """The name of the work while it runs."""
    label: str
    done: int
    total: int
    """0 if it is unknown."""
    finished: bool


class Logged(Event, frozen=True):
    level: str
    """A name of `logging`: "INFO", "WARNING"."""
    message: str


class Announced(Event, frozen=True):
    """A message for the user, shown once."""

    message: str
    warning: bool


class ModelMissing(Event, frozen=True):
    """Semantic features need a model that is not on this machine."""

    message: str
    may_download: bool
    model: str
    """Its name, as in the settings."""
