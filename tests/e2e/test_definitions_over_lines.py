"""A rename by the real server if a step definition spans lines, or if its literal has an unusual style."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]

CASES = {
    "decorator": (
        "steps.py",
        "# 😀\nfrom behave import given\n\n\n@given(\n    # why 😀\n    'decorator \"{name}\" waits',\n)\n"
        "def one(c, name): ...\n",
        "    'decorator \"{name}\" waits',",
        "    '\"{name}\" rests',",
    ),
    "verbose": (
        "features/steps/re.py",
        "from behave import given, use_step_matcher\n\nuse_step_matcher('re')\n\n\n"
        '@given(r"""(?x)\n    verbose\\ "(?P<name>[^"]*)"  # who\n    \\ waits\n""")\ndef two(c, name): ...\n',
        'r"""(?x)\n    verbose\\ "(?P<name>[^"]*)"  # who\n    \\ waits\n"""',
        'r"""(?x)"(?P<name>[^"]*)"\\ rests"""',
    ),
    "call": (
        "features/call.rb",
        'Given(\r\n  /^call "([^"]*)"\\ waits$/ # 😀\r\n) do |name|\r\nend\r\n',
        '/^call "([^"]*)"\\ waits$/',
        '/^"([^"]*)" rests$/',
    ),
    "template": (
        "features/template.ts",
        "import { Given } from '@cucumber/cucumber';\n\n"
        "/* 😀 */ Given(\n  `template {string} waits`,\n  async (name) => {},\n);\n",
        "`template {string} waits`",
        "`{string} rests`",
    ),
    "annotation": (
        "features/A.java",
        "import io.cucumber.java.en.Given;\n\nclass A {\n    /* 😀 */ @Given(\n"
        '        value = "^annotation \\"([^\\"]*)\\" waits$"\n'
        "    )\n    public void four(String name) {}\n}\n",
        '"^annotation \\"([^\\"]*)\\" waits$"',
        '"^\\"([^\\"]*)\\" rests$"',
    ),
    "verbatim": (
        "features/V.cs",
        "using Reqnroll;\n\n[Binding]\npublic class V\n{\n    /* 😀 */ [Given(\n"
        '        @"verbatim ""([^""]*)"" waits")]\n    public void Five(string name) { }\n}\n',
        '@"verbatim ""([^""]*)"" waits"',
        '@"""([^""]*)"" rests"',
    ),
    "docblock": (
        "features/D.php",
        "<?php\n\nclass D implements Context\n{\n    /**\n     * 😀\n     *\n"
        '     * @Given /^docblock "([^"]*)" waits$/\n'
        "     * @When something else\n     */\n    public function six($name) {}\n}\n",
        '/^docblock "([^"]*)" waits$/',
        '/^"([^"]*)" rests$/',
    ),
}
"""Maps the step's first word to the file, its source, the present text and the new text."""
CONCATENATED = (
    "from behave import given\n\n\n@given(\n    'concatenated '\n    '\"{name}\" waits'\n)\ndef c(c, name): ...\n"
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "over lines"
    for path, source, *_ in CASES.values():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(source.encode())
    (folder / "features" / "steps" / "concatenated.py").write_text(CONCATENATED, "utf-8")
    steps = "".join(f'    Given {word} "Ann 😀" waits\r\n' for word in (*CASES, "concatenated"))
    (folder / "features" / "a.feature").write_bytes(f"Feature: F\r\n  Scenario: S\r\n{steps}".encode())
    return folder


def edited(text: str, edits: list[Any], encoding: str) -> str:
    """The text after the edits, as a client applies them."""
    codec = {"utf-16": "utf-16-le", "utf-8": "utf-8"}[encoding]
    unit = {"utf-16": 2, "utf-8": 1}[encoding]
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]

    def offset(place: Any) -> int:
        before = lines[place.line].encode(codec)[: place.character * unit]
        return starts[place.line] + len(before.decode(codec))

    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.newText + text[offset(edit.range.end) :]
    return text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
async def test_only_the_literal_changes(encoding: str, start: Start, suite: Path, capabilities_of: Any) -> None:
    editor = await start(suite, declared=capabilities_of("vscode", encoding))
    feature = suite / "features" / "a.feature"
    uri = await editor.open(feature)
    await editor.ready()
    text = feature.read_bytes().decode()
    for number, (word, (path, source, old, new)) in enumerate(CASES.items()):
        asked = {"textDocument": {"uri": uri}, "position": {"line": 2 + number, "character": 12}}
        while True:
            plan = await editor.request("cukereuse/renamePlan", **asked, target="{1} rests")
            if "still being read" not in getattr(plan, "refused", ""):
                break
        assert not hasattr(plan, "refused"), (word, plan.refused)
        changes = {change.textDocument.uri.rpartition("/")[2]: change.edits for change in plan.edit.documentChanges}
        assert set(changes) == {"a.feature", Path(path).name}
        assert edited(text, changes["a.feature"], encoding) == text.replace(f'{word} "Ann 😀" waits', '"Ann 😀" rests')
        assert source.count(old) == 1
        assert edited(source, changes[Path(path).name], encoding) == source.replace(old, new)


async def test_an_expression_of_several_strings_is_one_literal(start: Start, suite: Path, capabilities_of: Any) -> None:
    editor = await start(suite, declared=capabilities_of("vscode"))
    uri = await editor.open(suite / "features" / "a.feature")
    await editor.ready()
    asked = {"textDocument": {"uri": uri}, "position": {"line": 2 + len(CASES), "character": 12}}
    while True:
        plan = await editor.request("cukereuse/renamePlan", **asked, target="{1} rests")
        if "still being read" not in getattr(plan, "refused", ""):
            break
    assert not hasattr(plan, "refused"), plan.refused
    changed = {change.textDocument.uri.rpartition("/")[2] for change in plan.edit.documentChanges}
    assert changed == {"a.feature", "concatenated.py"}
