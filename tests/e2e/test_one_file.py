"""A client that opens a file and no folder."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio

STEPS = 'from behave import when\n\n\n@when("I press {what}")\ndef press(context, what): pass\n'
FEATURE = "Feature: f\n  Scenario: s\n    When I press go\n    When I press stop\n    Whn I press go\n"


@pytest.mark.parametrize("is_suite", [True, False])
async def test_it_gets_service_for_that_file(start: Any, tmp_path: Path, capabilities_of: Any, is_suite: bool) -> None:
    folder = tmp_path / "suite"
    (folder / "steps").mkdir(parents=True)
    (folder / "steps" / "steps.py").write_text(STEPS)
    (folder / "other.feature").write_text(FEATURE)
    if is_suite:
        (folder / "behave.ini").write_text("[behave]\n")
    path = folder / "press.feature"
    path.write_text(FEATURE)
    editor = await start(declared=capabilities_of("neovim"))
    assert (await editor.ready()).suites == [], "it is ready though there is nothing to read"
    uri = await editor.open(path)
    diagnostics = await editor.diagnostics(uri)
    assert [(diagnostic.code, diagnostic.range.start.line) for diagnostic in diagnostics] == [("unread", 4)]
    await editor.ready()
    place = {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(2, 12)}

    async def definition() -> Any:
        return await editor.client.text_document_definition_async(types.DefinitionParams(**place))

    targets = await definition()
    assert [getattr(target, "target_uri", None) or target.uri for target in targets] == [
        (folder / "steps/steps.py").as_uri()
    ]
    context = types.ReferenceContext(include_declaration=False)
    uses = await editor.client.text_document_references_async(types.ReferenceParams(context=context, **place))
    assert len(uses) == (4 if is_suite else 2), "all of a suite that is marked, else what was opened"


async def test_what_lies_around_a_file_without_a_suite_is_left_alone(
    start: Any, tmp_path: Path, capabilities_of: Any
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.feature").write_text(FEATURE)
    editor = await start(declared=capabilities_of("vscode"))
    await editor.open(tmp_path / "a.feature")
    await editor.diagnostics((tmp_path / "a.feature").as_uri())
    assert sum(suite.files for suite in (await editor.ready()).suites) == 1
    await editor.open(tmp_path / "b.feature")
    await editor.diagnostics((tmp_path / "b.feature").as_uri())
    assert sum(suite.files for suite in (await editor.ready()).suites) == 2
