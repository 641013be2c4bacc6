"""An editor in the code of step definitions."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
Start = Callable[..., Awaitable[Any]]

GLUE = """\
Given('a basket') { }

When('I pay {string} by {word}') { |amount, means| }

When('I pay by card') do
  step 'I pay "5" by card'
end

Then('nobody says this') { }
"""
FEATURE = """\
Feature: Shop
  Scenario: One
    Given a basket
    When I pay "7" by cash
    And I pay "8" by card
    And I pay by card
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["vscode", "neovim"])
async def editor(request: Any, start_once: Start, tmp_path_factory: Any, capabilities_of: Any) -> Any:
    folder = tmp_path_factory.mktemp("ruby") / "shop #1"
    (folder / "features" / "step_definitions").mkdir(parents=True)
    (folder / "cucumber.yml").write_text("")
    (folder / "features" / "step_definitions" / "shop.rb").write_text(GLUE)
    (folder / "features" / "shop.feature").write_text(FEATURE)
    options = {"commands": ["cukereuse.showReferences"]}
    editor = await start_once(folder, declared=capabilities_of(request.param), options=options)
    await editor.ready()
    editor.glue = await editor.open(folder / "features" / "step_definitions" / "shop.rb")
    editor.feature = (folder / "features" / "shop.feature").as_uri()
    return editor


def at(uri: str, line: int) -> dict[str, Any]:
    return {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(line, 8)}


def lines(locations: Any, uri: str) -> list[int]:
    return sorted(location.range.start.line for location in locations or () if location.uri == uri)


async def test_lenses_count_the_uses_of_definitions(editor: Any) -> None:
    params = types.CodeLensParams(types.TextDocumentIdentifier(editor.glue))
    lenses = await editor.client.text_document_code_lens_async(params)
    resolved = [await editor.client.code_lens_resolve_async(lens) for lens in lenses]
    assert {lens.range.start.line: lens.command.title for lens in resolved} == {
        0: "used 1×",
        2: "used 2×, called 1× in code",
        4: "used 1×",
        8: "used 0×",
    }


async def test_references_of_an_expression_are_steps_and_calls(editor: Any) -> None:
    context = types.ReferenceContext(include_declaration=False)
    references = await editor.client.text_document_references_async(
        types.ReferenceParams(context=context, **at(editor.glue, 2))
    )
    assert lines(references, editor.feature) == [3, 4]
    assert lines(references, editor.glue) == [5]


async def test_an_expression_leads_to_its_steps_and_a_call_to_its_definition(editor: Any) -> None:
    async def targets(line: int) -> list[tuple[str, int]]:
        definitions = await editor.client.text_document_definition_async(
            types.DefinitionParams(**at(editor.glue, line))
        )
        return sorted(
            (definition.target_uri, definition.target_range.start.line)
            if isinstance(definition, types.LocationLink)
            else (definition.uri, definition.range.start.line)
            for definition in definitions or ()
        )

    assert await targets(2) == [(editor.feature, 3), (editor.feature, 4)]
    assert await targets(5) == [(editor.glue, 2)]


async def test_a_definition_that_nobody_says_is_faded(editor: Any) -> None:
    await editor.until(lambda: editor.client.diagnostics.get(editor.glue))
    (diagnostic,) = editor.client.diagnostics[editor.glue]
    assert (diagnostic.code, diagnostic.severity, diagnostic.range.start.line) == (
        "unused-definition",
        types.DiagnosticSeverity.Hint,
        8,
    )
    assert diagnostic.tags == (types.DiagnosticTag.Unnecessary,) or diagnostic.tags == [types.DiagnosticTag.Unnecessary]


async def test_an_expression_is_renamed_with_its_steps(editor: Any) -> None:
    prepared = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**at(editor.glue, 2)))
    assert prepared.placeholder == 'I pay "{1}" by {2}'
    params = types.RenameParams(new_name="I settle {1} with {2}", **at(editor.glue, 2))
    edit = await editor.client.text_document_rename_async(params)
    changes = edit.changes or {change.text_document.uri: change.edits for change in edit.document_changes}
    assert [change.new_text for change in changes[editor.feature]] == [
        'I settle "7" with cash',
        'I settle "8" with card',
    ]
    texts = [change.new_text for change in changes[editor.glue]]
    assert texts == ["'I settle {string} with {word}'", 'I settle "5" with card'], "calls in code follow"
    nobody = types.PrepareRenameParams(**at(editor.glue, 8))
    assert await editor.client.text_document_prepare_rename_async(nobody) is None


async def test_what_another_suite_uses_is_not_faded(
    start_once: Start, tmp_path_factory: Any, capabilities_of: Any
) -> None:
    root = tmp_path_factory.mktemp("two suites")
    for folder, text in ((root, "the outer"), (root / "inner", "the inner")):
        (folder / "features" / "steps").mkdir(parents=True)
        (folder / "behave.ini").write_text("[behave]\n")
        (folder / "features" / "a.feature").write_text(f"Feature: f\n  Scenario: s\n    Given {text} step\n")
        glue = f"from behave import given\n\n\n@given('{text} step')\ndef step(context): ...\n"
        (folder / "features" / "steps" / "a.py").write_text(
            f"{glue}\n\n@given('{text} unused')\ndef unused(context): ...\n"
        )
    editor = await start_once(root, declared=capabilities_of("vscode"))
    await editor.ready()
    for folder in (root, root / "inner"):
        uri = await editor.open(folder / "features" / "steps" / "a.py")
        faded = await editor.diagnostics(uri, at_least=1)
        assert [(diagnostic.code, diagnostic.range.start.line) for diagnostic in faded] == [("unused-definition", 7)]
