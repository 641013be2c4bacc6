"""initialize, initialized, shutdown: the client's capabilities, folders and settings, and what is watched."""

import uuid
from typing import Any

from lsprotocol import types

from cukereuse_engine.gherkin import default_language
from cukereuse_engine.gherkin.suites import DECIDING
from cukereuse_engine.glue import behat_translations, configurations, project_rules
from cukereuse_engine.glue.languages.base import suffixes
from cukereuse_server.convert import path_of
from cukereuse_server.events import ClientKnown, SettingsChanged
from cukereuse_server.protocol.state import FilesChanged
from cukereuse_server.server import CukereuseServer
from cukereuse_server.settings import SECTION, read_settings

WATCHED = (
    "**/*.feature",
    "**/*.feature.md",
    "**/{.gitignore,.cukereuseignore}",
    f"**/{{{','.join(sorted(DECIDING))}}}",
    f"**/{{{','.join(sorted(configurations.NAMES | default_language.CONFIGURATIONS))}}}",
    "**/*.gemspec",
    f"**/*{behat_translations.SUFFIX}",
    f"**/{{{','.join(behat_translations.FOLDERS)}}}/*.yml",
    f"**/*.{{{','.join(suffix.lstrip('.') for suffix in project_rules.DOTNET)}}}",
    f"**/*.{{{','.join(suffix.lstrip('.') for suffix in suffixes())}}}",
)
"""Feature files, files that decide what is read, and glue code in every language."""


def register(server: CukereuseServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: CukereuseServer, params: types.InitializeParams) -> None:
        encoding = ls.workspace.position_encoding
        ls.session.initialize(params, getattr(encoding, "value", encoding) or "utf-16")
        ls.events.tell(ClientKnown())
        ls.run_task(ls.worker.start())  # meanwhile the client reads the answer

    @server.feature(types.INITIALIZED)
    def initialized(ls: CukereuseServer, params: types.InitializedParams) -> None:
        del params
        ls.run_task(_ask_client(ls))

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


async def _ask_client(server: CukereuseServer) -> None:
    """Register capabilities dynamically, and fetch the settings, if the client supports it."""
    registrations = []
    if server.session.has("workspace.did_change_watched_files.dynamic_registration"):
        watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registrations.append(types.Registration(str(uuid.uuid4()), types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if server.session.has("workspace.did_change_configuration.dynamic_registration"):
        section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        registrations.append(types.Registration(str(uuid.uuid4()), types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if registrations:
        await server.client_register_capability_async(types.RegistrationParams(registrations))
    if server.session.has("workspace.configuration"):
        await fetch_settings(server)


async def fetch_settings(server: CukereuseServer) -> None:
    """Ask the client for the section `cukereuse`."""
    request = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    answers = await server.workspace_configuration_async(request)
    if answers and answers[0] is not None:
        use_settings(server, answers[0])


def use_settings(server: CukereuseServer, sent: Any) -> None:
    editor = read_settings(sent)
    for problem in editor.problems:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))
    if editor != server.session.editor:
        server.session.editor = editor
        server.events.tell(SettingsChanged())
        server.tell_settings()
