"""A few editors for all modules, on a suite in a folder with a difficult name; each module closes its documents."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

Start = Callable[..., Awaitable[Any]]

SHOP = """Feature: Läden 😀
  Background:
    Given the shop is open

  @slow
  Scenario: buying 😀
    When I add "grüner Tee 😀" to the basket
    And I add "black tea" to the basket
    Then the basket contains 2 products

  Scenario Outline: prices
    When I add "<product>" to the basket
    And I ask for <thing>
      | a | b |
    Then the total is <total> euros

    Examples: some
      | product | thing    | total |
      # cheap
      | tea     | the bill | 3     |
      | coffee  | a bag    | 4     |
"""
GERMAN = """# language: de
Funktionalität: Körbe
  Szenario: eins
    Angenommen I add "Brot" to the basket
    Wenn I press the "Käse" button
    Dann passiert nichts
    Wenn I click the "Ja" button
    Und I click the "Nein" button
"""
GLUE = """from behave import given, step, then, when


@given("the shop is open")
def open_shop(context):
    pass


@step('I add "{product}" to the basket')
def add(context, product):
    pass


@then("the basket contains {n:d} products")
def contains(context, n):
    pass


@when("I ask for the bill")
def bill(context):
    pass


@when("I ask for a bag")
def bag(context):
    pass


@then("nobody says this {much:d}")
def unused(context, much):
    pass
"""


class Desk:
    """An editor on the suite, and a document for experiments."""

    def __init__(self, editor: Any, root: Path, encoding: str, name: str) -> None:
        self.editor, self.root, self.encoding = editor, root, encoding
        self.is_vscode = name == "vscode"
        self.open: set[str] = set()

    async def clear(self) -> None:
        """Close all documents; wait until the server has the contents on disk."""
        for uri in self.open:
            self.editor.client.text_document_did_close(
                types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
            )
        self.open.clear()
        await self.editor.request("cukereuse/status")

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    async def show(self, name: str, text: str) -> str:
        uri = self.uri(name)
        if uri in self.open:
            self.editor.change(uri, text)
        else:
            self.open.add(uri)
            await self.editor.open(self.root / name, text)
        return uri

    def text(self, name: str) -> str:
        return TEXTS[name.rpartition("/")[2]]

    async def at(self, name: str, marked: str) -> dict[str, Any]:
        """Show a document with a cursor in it; returns the parameters of requests about the place."""
        before, _, after = marked.partition("│")
        uri = await self.show(name, before + after)
        line = before.rpartition("\n")[2]
        position = types.Position(before.count("\n"), self.units(line))
        return {"text_document": types.TextDocumentIdentifier(uri), "position": position}

    def units(self, text: str) -> int:
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.encoding]
        return len(text.encode(codec)) // size

    def said(self, location: Any) -> str:
        """The text at a location: `file:line text`."""
        name = location.uri.rpartition("/")[2]
        start, end = location.range.start, location.range.end
        line = TEXTS[name].split("\n")[start.line]
        cuts = [next(i for i in range(len(line) + 1) if self.units(line[:i]) == p.character) for p in (start, end)]
        assert start.line == end.line
        return f"{name}:{start.line + 1} {line[cuts[0] : cuts[1]]}"


TEXTS = {"shop.feature": SHOP, "german.feature": GERMAN, "steps.py": GLUE}
EDITORS = [("vscode", "utf-16"), ("neovim", "utf-8"), ("vscode", "utf-32")]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite on disk."""
    root = tmp_path_factory.mktemp("home") / "ünï a#b 100%"
    (root / "steps").mkdir(parents=True)
    (root / "behave.ini").write_text("[behave]\n")
    (root / "shop.feature").write_text(SHOP, "utf-8", newline="")
    (root / "german.feature").write_text(GERMAN, "utf-8", newline="")
    (root / "try.feature").write_text("", "utf-8")
    (root / "steps" / "steps.py").write_text(GLUE, "utf-8", newline="")
    return root


@pytest.fixture(scope="session")
def sit_down(start_for_all: Start, capabilities_of: Any, home: Path) -> Callable[..., Awaitable[Desk]]:
    """An editor on the suite, once it is indexed and its glue is known."""

    async def begin(
        name: str, encoding: str, settings: dict[str, Any] | None = None, declared: Any = None, commands: Any = ()
    ) -> Desk:
        declared = declared or capabilities_of(name, encoding)
        options = {"commands": list(commands), "settings": settings or {}}
        editor = await start_for_all(home, declared=declared, options=options, settings=settings)
        await editor.ready()
        while not any(suite.definitions for suite in (await editor.request("cukereuse/status")).suites):
            await asyncio.sleep(0.05)
        return Desk(editor, home, encoding, name)

    return begin


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=EDITORS, ids=lambda editor: "-".join(editor))
async def anybodys_desk(request: pytest.FixtureRequest, sit_down: Callable[..., Awaitable[Desk]]) -> Desk:
    name, encoding = request.param
    if name == "neovim":
        return await sit_down(name, encoding)
    return await sit_down(name, encoding, {"semanticTokens": True}, commands=["cukereuse.showReferences"])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def desk(anybodys_desk: Desk) -> AsyncIterator[Desk]:
    yield anybodys_desk
    await anybodys_desk.clear()
