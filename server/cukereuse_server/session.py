"""What the client has sent: open documents, folders, capabilities, settings. Lives on the main loop and never waits.

Documents are kept here, complete, as the client sent them; a handler takes a snapshot before it awaits anything.
"""

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.suites import SuiteFinder
from cukereuse_server.convert import line_column, lines_of, path_of, uri_of
from cukereuse_server.settings import EditorSettings, read_settings


@dataclass(frozen=True)
class Document:
    """An open document at `version`."""

    uri: str
    path: str
    version: int
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return lines_of(self.text)

    def position(self, position: types.Position, encoding: str) -> tuple[int, int]:
        """1-based line and column, in code points."""
        return line_column(self.lines, position, encoding)


@dataclass
class Session:
    documents: dict[str, Document] = field(default_factory=dict)
    """Documents by URI. Only files; other schemes are not watched."""
    folders: list[str] = field(default_factory=list)
    """Folders of the workspace; if the client has none, the folders around the files that it opened, or these files."""
    has_workspace: bool = True
    """True if the client has named its folders."""
    capabilities: types.ClientCapabilities = field(default_factory=types.ClientCapabilities)
    encoding: str = "utf-16"
    can_be_off: set[str] = field(default_factory=set)
    """Features that the user can leave to another extension; `CukereuseServer.can_be_off` adds them."""
    editor: EditorSettings = field(default_factory=lambda: read_settings(None))
    client_commands: frozenset[str] = frozenset()
    """Commands that the client declared in its initialization options."""
    download_hint: str = ""
    """Instructions for downloading the model, if the client wants a hint instead of a question."""

    def initialize(self, params: types.InitializeParams, encoding: str) -> None:
        self.capabilities = params.capabilities
        self.encoding = encoding
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        self.folders = [path for uri in folders if (path := path_of(uri)) is not None]
        self.has_workspace = bool(self.folders)
        options = params.initialization_options
        options = options if isinstance(options, dict) else {}
        commands = options.get("commands")
        self.client_commands = frozenset(filter(lambda command: isinstance(command, str), commands or ()))
        self.download_hint = str(options.get("downloadHint") or "")
        self.editor = read_settings(options.get("settings"), self.can_be_off)

    def take_in(self, path: str) -> bool:
        """A client without a folder opened a feature file: what lies around it is its workspace. Whether it is new."""
        if self.has_workspace or not path.lower().endswith(FEATURE_SUFFIXES):
            return False
        if any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in self.folders):
            return False
        self.folders.append(SuiteFinder(()).place_of(path))
        return True

    def has(self, capability: str) -> bool:
        """True if the client declared a capability, such as "workspace.diagnostics.refresh_support"."""
        value: Any = get_capability(self.capabilities, capability, False)
        return bool(value)

    def shown_path(self, path: str) -> str:
        """The path relative to its workspace folder."""
        for folder in self.folders:
            if path.startswith(folder.rstrip(os.sep) + os.sep):
                return os.path.relpath(path, folder)
        return path

    def relative(self, message: str) -> str:
        """A message with its paths relative to their workspace folders."""
        for folder in sorted(self.folders, key=len, reverse=True):
            message = message.replace(folder.rstrip(os.sep) + os.sep, "")
        return message

    @property
    def pulls(self) -> bool:
        """True if the client pulls diagnostics; otherwise they are pushed."""
        return self.has("text_document.diagnostic") and self.has("workspace.diagnostics.refresh_support")

    def document(self, uri: str) -> Document | None:
        return self.documents.get(uri)

    def of_path(self, path: str) -> Document | None:
        return next((document for document in self.documents.values() if document.path == path), None)

    def uri(self, path: str) -> str:
        """The client's own URI for an open file, so that it recognises it; otherwise a URI made from the path."""
        document = self.of_path(path)
        return document.uri if document is not None else uri_of(path)
