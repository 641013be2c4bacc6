"""The hover on a finding has the text of `cukereuse why` for the same two steps."""

import json
import math
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from lsprotocol import types

from cukereuse_engine.cli.main import cli

pytestmark = pytest.mark.asyncio


async def test_the_evidence_of_the_hover_is_that_of_the_command_line(
    start: Callable[..., Awaitable[Any]], shop: Path, capabilities_of: Callable[..., types.ClientCapabilities]
) -> None:
    editor = await start(shop, declared=capabilities_of("vscode"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    place = types.Position(2, 12)
    hover = await editor.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), place))
    shown = hover.contents.value
    own = (shop / "two.feature").read_text("utf-8").split("\n")[2].strip().partition(" ")[2]
    other = (shop / "one.feature").read_text("utf-8").split("\n")[2].strip().partition(" ")[2]
    assert f"one wording with {other}" in shown.replace("`", "")
    no_model = {"CUKEREUSE_MODEL_DIR": str(shop / "no model")}  # as for the server
    outcome = CliRunner().invoke(cli, ["why", own, other, str(shop), "--json", "--offline"], env=no_model)
    expected = json.loads(outcome.stdout)
    evidence = [row for row in expected["evidence"] if abs(row["log_odds"]) >= 0.1]
    assert evidence
    for row in evidence:
        assert f"{row['log_odds']:+.1f} {row['says']}" in shown
    weights = map(float, re.findall(r"^- ([+-]\d+\.\d) ", shown, re.MULTILINE))
    sure = expected["p_one_intent"]
    assert sum(weights) == pytest.approx(math.log(sure / (1 - sure)), abs=0.051)
    for pair in expected["known"]:
        for text in pair["texts"]:
            assert text in shown.replace("`", "")
