"""initialize, initialized, shutdown: the client's capabilities, folders and settings, and what is watched."""

import asyncio
import uuid
from typing import Any

from lsprotocol import types

from cukereuse_server.convert import path_of
from cukereuse_server.events import ClientKnown, SettingsChanged
from cukereuse_server.protocol.state import FilesChanged, Ready
from cukereuse_server.server import CukereuseServer
from cukereuse_server.settings import SECTION, read_settings


def register(server: CukereuseServer) -> None:
    ready: asyncio.Queue[Ready] = asyncio.Queue()
    server.events.listen(Ready, ready.put_nowait)

    @server.feature(types.INITIALIZE)
    def initialize(ls: CukereuseServer, params: types.InitializeParams) -> None:
        encoding = ls.workspace.position_encoding
        ls.session.initialize(params, getattr(encoding, "value", encoding) or "utf-16")
        ls.events.tell(ClientKnown())
        ls.run_task(ls.worker.start())  # give the client time to read the answer

    @server.feature(types.INITIALIZED)
    def initialized(ls: CukereuseServer, params: types.InitializedParams) -> None:
        del params
        ls.run_task(_ask_for_settings(ls))
        if ls.session.has("workspace.did_change_watched_files.dynamic_registration"):
            ls.run_task(_watch_files(ls, ready))

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: CukereuseServer, *_: Any) -> None:
        await ls.finish()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration_changed(ls: CukereuseServer, params: types.DidChangeConfigurationParams) -> None:
        if ls.session.has("workspace.configuration"):
            ls.run_task(fetch_settings(ls))
        elif isinstance(params.settings, dict):
            use_settings(ls, params.settings.get(SECTION, params.settings))

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(ls: CukereuseServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {path_of(folder.uri) for folder in params.event.removed}
        added = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        folders = [folder for folder in ls.session.folders if folder not in removed]
        ls.session.folders = list(dict.fromkeys([*folders, *added]))
        ls.session.has_workspace = ls.session.has_workspace or bool(added)
        ls.tell_settings()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: CukereuseServer, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [path for change in params.changes if (path := path_of(change.uri)) is not None]
        if paths:
            ls.worker.tell(FilesChanged(paths=paths))


async def _ask_for_settings(server: CukereuseServer) -> None:
    """Register for changes of the settings and fetch them, if the client supports it."""
    if server.session.has("workspace.did_change_configuration.dynamic_registration"):
        section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        await _register(server, types.WORKSPACE_DID_CHANGE_CONFIGURATION, section)
    if server.session.has("workspace.configuration"):
        await fetch_settings(server)


async def _watch_files(server: CukereuseServer, ready: "asyncio.Queue[Ready]") -> None:
    """Register the watched files once, when the first worker has named them."""
    watchers = [types.FileSystemWatcher(pattern) for pattern in (await ready.get()).watched]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    await _register(server, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)


async def _register(server: CukereuseServer, method: str, options: Any) -> None:
    registration = types.Registration(str(uuid.uuid4()), method, options)
    await server.client_register_capability_async(types.RegistrationParams([registration]))


async def fetch_settings(server: CukereuseServer) -> None:
    """Ask the client for the section `cukereuse`."""
    request = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    answers = await server.workspace_configuration_async(request)
    if answers and answers[0] is not None:
        use_settings(server, answers[0])


def use_settings(server: CukereuseServer, sent: Any) -> None:
    editor = read_settings(sent, server.session.can_be_off)
    for problem in editor.problems:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))
    if editor != server.session.editor:
        server.session.editor = editor
        server.events.tell(SettingsChanged())
        server.tell_settings()
