"""Unreadable step definitions: the editor gives the reason, and everything else continues."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.glue.test_any_definition import SOURCES

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
    diagnostics = await editor.diagnostics(glue, at_least=3)
    assert [(diagnostic.code, diagnostic.range.start.line) for diagnostic in diagnostics] == [
        ("unread", 0),
        ("unread", 1),
        ("unread", 2),
    ]
    assert "missing )" in diagnostics[0].message
    assert "'(' does not have a matching ')'" in diagnostics[1].message, "the parser's own words"
    assert diagnostics[2].message == "the step's expression is computed: name_of(3)"
    place = {"text_document": types.TextDocumentIdentifier(feature), "position": types.Position(2, 12)}
    (target,) = await editor.client.text_document_definition_async(types.DefinitionParams(**place))
    assert (getattr(target, "target_uri", None) or target.uri) == glue
    editor.change(glue, GLUE.replace("(here", "here"))
    await editor.until(lambda: [diagnostic.code for diagnostic in editor.client.diagnostics[glue]].count("unread") == 2)


WILD = ["(a", "[z-a]", "(?<n>a)(?<n>b)", "(?P<n>", "a{2,1}", r"\g<x>", "#{NAME} ${NAME} {", "(?(1)a|b)", "(?|(a)|(b))"]


async def test_broken_sources_of_every_language_cost_nothing_else(
    start: Any, tmp_path: Path, capabilities_of: Any
) -> None:
    (tmp_path / "sound.py").write_text("from behave import given\n\n\n@given('all is well')\ndef well(context): pass\n")
    (tmp_path / "well.feature").write_text("Feature: f\n  Scenario: s\n    Given all is well\n    And a b\n")
    for suffix, (head, definition) in SOURCES.items():
        body = "".join(definition.format("", f"zz{wild}", number) for number, wild in enumerate(WILD))
        (tmp_path / f"broken{suffix}").write_text(head + body)
        (tmp_path / f"cut{suffix}").write_bytes((head + body).encode()[:-20] + b"\xff(")
    editor = await start(tmp_path, declared=capabilities_of("neovim"))
    await editor.ready()
    uri = await editor.open(tmp_path / "well.feature")
    place = {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(2, 12)}
    (target,) = await editor.client.text_document_definition_async(types.DefinitionParams(**place))
    assert (getattr(target, "target_uri", None) or target.uri) == (tmp_path / "sound.py").as_uri()
    for suffix in SOURCES:
        glue = await editor.open(tmp_path / f"broken{suffix}")
        marked = await editor.diagnostics(glue)
        assert any(diagnostic.code == "unread" for diagnostic in marked) or suffix == ".py", (
            "to `parse` all of these are words"
        )
    assert editor.client.messages == []
