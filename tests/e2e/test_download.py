"""Users who declined the model get it by a command."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from cukereuse_engine.embedding_models.weights import ModelFiles

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]
COMMAND = types.ExecuteCommandParams("cukereuse.downloadModel")


async def model_state(editor: Any, wanted: str) -> Any:
    for _ in range(2400):
        status = await editor.request("cukereuse/status")
        if status.modelState == wanted:
            return status
        await asyncio.sleep(0.05)
    raise AssertionError(f"the model is {status.modelState}, never {wanted}")


@pytest.mark.parametrize(("environment", "state"), [({}, "missing"), ({"CUKEREUSE_OFFLINE": "1"}, "off")])
async def test_a_download_that_fails_is_told(
    start: Start, shop: Path, capabilities_of: Any, environment: dict[str, str], state: str
) -> None:
    declared = capabilities_of("neovim")
    declared.window.show_message = None
    editor = await start(shop, declared=declared, environment=environment)
    await model_state(editor, state)
    before = 1 if state == "missing" else 0  # whoever forbids the network is not asked
    await editor.until(lambda: len(editor.client.messages) == before)
    answer = await editor.client.workspace_execute_command_async(COMMAND)
    assert answer["modelState"] in {state, "downloading" if state == "missing" else state}
    await editor.until(lambda: len(editor.client.messages) == before + 1)
    assert "can't be read" in editor.client.messages[before].message
    await model_state(editor, state)


@pytest.mark.model
async def test_the_model_is_used_once_it_is_there(
    start: Start, shop: Path, tmp_path: Path, capabilities_of: Any, model_files: "ModelFiles"
) -> None:
    folder = tmp_path / "later"
    editor = await start(shop, declared=capabilities_of("vscode"), environment={"CUKEREUSE_MODEL_DIR": str(folder)})
    await model_state(editor, "missing")
    folder.mkdir()
    for file in (model_files.weights, model_files.tokenizer):
        (folder / file.name).symlink_to(file)
    await editor.client.workspace_execute_command_async(COMMAND)
    status = await model_state(editor, "ready")
    assert status.model.endswith("all-MiniLM-L6-v2")
    while not status.suites[0].vectors:
        status = await editor.request("cukereuse/status")
    shown = [report for reports in editor.client.progress_reports.values() for report in reports]
    assert any(isinstance(value, types.WorkDoneProgressBegin) and "model" in value.title for value in shown)
