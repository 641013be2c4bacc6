"""Comments of a language are read and written by its row: a further language, here Lua, changes no module."""

from dataclasses import replace

import pytest
from cukereuse_server.features.code_action_resolve import ignoring
from cukereuse_server.session import Document

from cukereuse_engine.glue.languages import base, python
from cukereuse_engine.glue.languages.comments import Comments
from cukereuse_engine.glue.languages.source import ConstantNames
from cukereuse_engine.refactor.declarations import with_comment
from cukereuse_engine.suppression.code_pragmas import SourcePragmas

LUA = Comments(("--",), ("--[[", "]]"))
PRAGMA = "cukereuse: ignore[same-code] -- so"
COMMENTS = [
    ("steps.py", "# {}"),
    ("steps.rb", "  ## {}"),
    ("Steps.php", "# {}"),
    ("Steps.php", "// {}"),
    ("Steps.php", "/** {} */"),
    ("Steps.cs", "/// {}"),
    ("steps.ts", "/*\n * {}\n */"),
    ("steps.lua", "-- {}"),
    ("steps.lua", "--- {}"),
    ("steps.lua", "--[[ {} ]]"),
    ("steps.lua", "--[[\n-- {}\n]]"),
]
OTHERS = [
    ("steps.py", "// {}"),
    ("steps.py", "#!/usr/bin/python {}"),
    ("Steps.cs", "#endregion {}"),
    ("steps.rs", "#[cfg(test)] {}"),
    ("Steps.php", "#[Given('a')] {}"),
    ("steps.lua", "# {}"),
    ("steps.lua", "// {}"),
]


@pytest.fixture(autouse=True)
def lua(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(python.LANGUAGE, id="lua", suffixes=(".lua",), comments=LUA)
    monkeypatch.setitem(base._by_suffix(), ".lua", row)


def is_silenced(path: str, above: str) -> bool:
    """True if what is above a step definition silences a finding about it."""
    source = "\n" * (above.count("\n") + 1) + "@given('a')\ndef a(context):\n    pass\n"
    (definition,) = python.extract(path, source.encode(), ConstantNames()).definitions
    pragmas = SourcePragmas([definition], lambda _: f"{above}{source.lstrip()}".encode())
    return pragmas.ignored(path, definition.literal.line, "same-code")


@pytest.mark.parametrize(("path", "comment"), COMMENTS)
def test_a_comment_of_the_language(path: str, comment: str) -> None:
    above = comment.format(PRAGMA) + "\n"
    assert is_silenced(path, above)
    assert with_comment(f"x\n\n{above}y\n".encode(), len(f"x\n\n{above}"), path) == len("x\n\n")


@pytest.mark.parametrize(("path", "line"), OTHERS)
def test_another_line_goes_with_no_definition(path: str, line: str) -> None:
    above = line.format("a") + "\n"
    assert with_comment(f"{above}y\n".encode(), len(above), path) == len(above)


@pytest.mark.parametrize(("path", "line"), [OTHERS[0], *OTHERS[-2:]])
def test_a_pragma_in_signs_of_another_language_is_none(path: str, line: str) -> None:
    assert not is_silenced(path, line.format(PRAGMA) + "\n")


@pytest.mark.parametrize(
    ("path", "line", "mark"),
    [
        ("steps.lua", 'Given("a", f)', "--"),
        ("Steps.php", "* @Given a", "*"),
        ("Steps.php", "#[Given('a')]", "//"),
        ("Steps.scala", 'Given("a") { () =>', "//"),
        ("steps.rb", "Given('a') do", "#"),
        ("one.feature", "Given a", "#"),
        ("one.feature", "* a", "#"),
        ("one.feature.md", "* Given a", "#"),
    ],
)
def test_the_pragma_that_an_editor_adds(path: str, line: str, mark: str) -> None:
    (edit,) = ignoring(Document("", path, 1, f"    {line}\n"), 1, "same-code").edits
    assert edit.new_text == f"    {mark} cukereuse: ignore[same-code] -- reason\n"


@pytest.mark.parametrize("suffix", [*base.suffixes(), ".lua"])
def test_what_an_editor_adds_is_read(suffix: str) -> None:
    (edit,) = ignoring(Document("", f"steps{suffix}", 1, "a\n"), 1, "same-code").edits
    assert is_silenced(f"steps{suffix}", edit.new_text)
