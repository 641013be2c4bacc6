"""Runs of scenarios: the request of a Testing view, and the lens above a scenario."""

from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def runner(sit_down: Any) -> "Desk":
    return await sit_down("vscode", "utf-16", commands=["cukereuse.run", "cukereuse.debug"])


async def runs(desk: "Desk", name: str) -> Any:
    asked = {"textDocument": {"uri": desk.uri(name)}}
    return await desk.editor.client.protocol.send_request_async("cukereuse/runs", asked)


async def test_scenarios_with_their_commands_of_a_file_that_is_not_open(runner: "Desk") -> None:
    runnables = await runs(runner, "german.feature")
    assert [(item.kind, item.name) for item in runnables.items] == [("feature", "Körbe"), ("scenario", "eins")]
    assert [item.command[-1] for item in runnables.items] == ["german.feature", "german.feature:3"]
    assert runnables.items[1].range.start.line == 2


async def test_a_lens_runs_a_scenario_where_the_client_can(runner: "Desk") -> None:
    uri = await runner.show("shop.feature", runner.text("shop.feature"))
    asked = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    lenses = await runner.editor.client.text_document_code_lens_async(asked)
    own = [lens for lens in lenses if lens.command and lens.command.command == "cukereuse.run"]
    assert [(lens.range.start.line, lens.command.title, list(lens.command.arguments)) for lens in own] == [
        (line, "Run", [uri, line]) for line in (5, 10)
    ]


async def test_a_lens_debugs_it(runner: "Desk") -> None:
    uri = await runner.show("shop.feature", runner.text("shop.feature"))
    asked = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    lenses = await runner.editor.client.text_document_code_lens_async(asked)
    own = [lens for lens in lenses if lens.command and lens.command.command == "cukereuse.debug"]
    assert [(lens.range.start.line, lens.command.title) for lens in own] == [(5, "Debug"), (10, "Debug")]
    item = (await runs(runner, "shop.feature")).items[1]
    assert (item.debug.type, item.debug.module, item.debug.args) == ("debugpy", "behave", item.command[1:])
