"""The real server, started as users start it, with a real client that has the capabilities of real editors."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, LspSpecificationWarning, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

EDITORS = ("vscode", "neovim")
SECONDS = 120.0
UNANSWERED = (
    types.WINDOW_SHOW_MESSAGE_REQUEST,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
)
"""Requests of the server to which the client answers null."""
WARNING = LspSpecificationWarning


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.filterwarnings(f"error::{WARNING.__module__}.{WARNING.__name__}"))


def capabilities(editor: str, encoding: str | None = None, pull: bool = False) -> types.ClientCapabilities:
    """What the editor declares: VS Code 1.65 (with `pull`, what newer ones add) or Neovim 0.11."""
    capabilities = deepcopy(client_capabilities({"vscode": "visual_studio_code", "neovim": "neovim@v0.11.0"}[editor]))
    if encoding is not None:
        capabilities.general = capabilities.general or types.GeneralClientCapabilities()
        capabilities.general.position_encodings = [types.PositionEncodingKind(encoding)]
    if pull:
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(related_information=True)
        capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return capabilities


class Editor:
    """One client with its server."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.version = 0
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registered: list[types.Registration] = []

    async def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        text = path.read_text("utf-8") if text is None else text
        self.version += 1
        item = types.TextDocumentItem(uri, "cucumber", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> int:
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=self.version)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        return self.version

    async def request(self, method: str, **params: Any) -> Any:
        return await asyncio.wait_for(self.client.protocol.send_request_async(method, params), SECONDS)

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until a condition holds; returns its value."""
        for _ in range(int(SECONDS / 0.02)):
            if result := condition():
                return result
            await asyncio.sleep(0.02)
        raise AssertionError("waited in vain")

    async def ready(self) -> Any:
        """Wait until the workspace is indexed."""
        for _ in range(int(SECONDS / 0.1)):
            status = await self.request("cukereuse/status")
            if status.complete:
                return status
            await asyncio.sleep(0.1)
        raise AssertionError("the index was never ready")

    def has_published(self, uri: str, version: int | None, count: int) -> bool:
        """True if so many diagnostics were published for this version of a document."""
        return any(p.uri == uri and p.version == version and len(p.diagnostics) == count for p in self.published)

    async def diagnostics(self, uri: str, at_least: int = 1) -> list[types.Diagnostic]:
        """Wait for published diagnostics of the document's present version."""

        def latest() -> list[types.Diagnostic] | None:
            for params in reversed(self.published):
                if params.uri == uri:
                    diagnostics = list(params.diagnostics)
                    return diagnostics if len(diagnostics) >= at_least else None
            return None

        return await self.until(latest)


Start = Callable[..., Awaitable[Editor]]


@pytest_asyncio.fixture
async def start(tmp_path: Path, command: Path) -> AsyncIterator[Start]:
    """Starts editors; ends them with the test, which fails if the server did not end properly."""
    async with starting(tmp_path, command) as begin:
        yield begin


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def start_once(tmp_path_factory: pytest.TempPathFactory, command: Path) -> AsyncIterator[Start]:
    """The same for all tests of a module, which run in one loop: `pytest.mark.asyncio(loop_scope="module")`."""
    async with starting(tmp_path_factory.mktemp("editors"), command) as begin:
        yield begin


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def start_for_all(tmp_path_factory: pytest.TempPathFactory, installed_command: Path) -> AsyncIterator[Start]:
    """As users start it, for tests of several modules that change nothing on disk: `loop_scope="session"`."""
    async with starting(tmp_path_factory.mktemp("editors"), installed_command) as begin:
        yield begin


@asynccontextmanager
async def starting(home: Path, command: Path) -> AsyncIterator[Start]:
    editors: list[Editor] = []

    async def begin(
        *folders: Path,
        declared: types.ClientCapabilities,
        settings: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
    ) -> Editor:
        client = LanguageClient(converter_factory=default_converter)
        client.set_configuration(settings or {}, section="cukereuse")
        editor = Editor(client)

        def published(client: LanguageClient, params: types.PublishDiagnosticsParams) -> None:
            editor.published.append(params)
            client.diagnostics[params.uri] = params.diagnostics

        def registered(client: LanguageClient, params: types.RegistrationParams) -> None:
            del client
            editor.registered += params.registrations

        def nothing(client: LanguageClient, params: Any) -> None:
            del client, params

        own = {
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published,
            types.CLIENT_REGISTER_CAPABILITY: registered,
            **dict.fromkeys(UNANSWERED, nothing),
        }
        register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **own})
        env = {
            **os.environ,
            "CUKEREUSE_CACHE_DIR": str(home / "cache"),
            "CUKEREUSE_MODEL_DIR": str(home / "no model"),
            **(environment or {}),
        }
        await client.start_io(str(command), "serve", env=env)
        names = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
        params = types.InitializeParams(
            capabilities=declared,
            workspace_folders=names,
            root_uri=folders[0].as_uri() if folders else None,
            initialization_options=options,
        )
        await asyncio.wait_for(client.initialize_session(params), SECONDS)
        editors.append(editor)
        return editor

    yield begin
    for editor in editors:
        await asyncio.wait_for(editor.client.shutdown_session(), SECONDS)
        await editor.client.stop()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small suite with one divergent wording."""
    return make_shop(tmp_path)


@pytest.fixture(scope="module")
def shop_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for tests that change nothing in it."""
    return make_shop(tmp_path_factory.mktemp("shop"))


def make_shop(place: Path) -> Path:
    folder = place / "shöp a#b 100%"
    folder.mkdir()
    (folder / "cukereuse.toml").write_text("")
    (folder / "one.feature").write_text(
        'Feature: one\n  Scenario: a\n    When I click the "Save" button\n    Then I should see "ok"\n'
        '  Scenario: b\n    When I click the "Cancel" button\n',
        "utf-8",
    )
    (folder / "two.feature").write_text(
        'Feature: two\n  Scenario: 😀\n    When I press the "Füll 😀" button\n    Then I should see "ok"\n', "utf-8"
    )
    return folder


@pytest.fixture(scope="session")
def capabilities_of() -> Callable[..., types.ClientCapabilities]:
    return capabilities
