"""Semantic tokens as an editor asks for them."""

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_semantic_tokens_by_setting(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    answer = await desk.editor.client.text_document_semantic_tokens_full_async(params)
    if not desk.is_vscode:
        assert answer is None
        return
    legend = ["keyword", "parameter", "string", "number", "decorator", "comment"]
    line = character = 0
    tokens = []
    for at in range(0, len(answer.data), 5):
        down, right, length, kind, _ = answer.data[at : at + 5]
        line, character = line + down, right if down else character + right
        span = types.Range(types.Position(line, character), types.Position(line, character + length))
        tokens.append((desk.said(SimpleNamespace(uri=uri, range=span)).partition(":")[2], legend[kind]))
    assert tokens[:7] == [
        ("1 Feature", "keyword"),
        ("2 Background", "keyword"),
        ("3 Given", "keyword"),
        ("5 @slow", "decorator"),
        ("6 Scenario", "keyword"),
        ("7 When", "keyword"),
        ('7 "grüner Tee 😀"', "string"),
    ]
    assert ("9 2", "number") in tokens
    assert ("13 <thing>", "parameter") in tokens
    assert ("19 # cheap", "comment") in tokens
