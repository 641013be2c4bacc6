"""Step definitions that can't be read: the editor says why, and everything else goes on."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio

GLUE = "Given(/^a basket (here$/) { }\nWhen('I go (') { }\nThen(name_of(3)) { }\nThen('I am here') { }\n"


async def test_they_are_told_in_the_code(start: Any, tmp_path: Path, capabilities_of: Any) -> None:
    (tmp_path / "cucumber.yml").write_text("")
    (tmp_path / "broken.rb").write_text(GLUE)
    (tmp_path / "here.feature").write_text("Feature: f\n  Scenario: s\n    Then I am here\n")
    editor = await start(tmp_path, declared=capabilities_of("vscode"))
    await editor.ready()
    glue = await editor.open(tmp_path / "broken.rb")
    feature = await editor.open(tmp_path / "here.feature")
    found = await editor.diagnostics(glue, at_least=3)
    assert [(one.code, one.range.start.line) for one in found] == [("unread", 0), ("unread", 1), ("unread", 2)]
    assert "missing )" in found[0].message
    assert "'(' does not have a matching ')'" in found[1].message, "the parser's own words"
    assert found[2].message == "the step's expression is computed: name_of(3)"
    place = {"text_document": types.TextDocumentIdentifier(feature), "position": types.Position(2, 12)}
    (target,) = await editor.client.text_document_definition_async(types.DefinitionParams(**place))
    assert (getattr(target, "target_uri", None) or target.uri) == glue
    editor.change(glue, GLUE.replace("(here", "here"))
    await editor.until(lambda: [one.code for one in editor.client.diagnostics[glue]].count("unread") == 2)
