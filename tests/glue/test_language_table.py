"""One row a language: what follows from it follows for every language, and what takes more is said here."""

import re
from pathlib import Path

import pytest

from cukereuse_engine.blocks.calling.styles import STYLES
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.glue.languages import base
from cukereuse_engine.refactor import lookups
from cukereuse_engine.refactor.creation.code import WRITERS as SNIPPETS
from cukereuse_engine.refactor.expressions.literals import WRITERS as LITERALS
from cukereuse_engine.refactor.merging.shared import BODIES

ROOT = Path(__file__).parents[2]
CAPABILITIES = {
    "compare": GRAMMARS,
    "rename": LITERALS,
    "create": SNIPPETS,
    "merge": BODIES,
    "call": STYLES,
}
"""Capability to the table that has a row for each language that has it. All languages are read, and bound."""
NOT_YET = {("scala", "create"), ("scala", "merge"), ("scala", "call"), ("ruby", "call"), ("go", "call")}
"""Ruby's and Go's step definitions run steps by their text instead (`blocks/composite.py`)."""
NAMES = {"csharp": "C#", "go": "Go", "java": "Java", "javascript": "JavaScript", "kotlin": "Kotlin", "php": "PHP",
         "python": "Python", "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "typescript": "TypeScript"}  # fmt: skip
"""Id to what people call it."""
LANGUAGES = {language.id: language for language in base.languages()}


@pytest.mark.parametrize("capability", CAPABILITIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_language_can_do(language: str, capability: str) -> None:
    assert (language in CAPABILITIES[capability]) == ((language, capability) not in NOT_YET)


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_a_capability_has_rows_of_languages_only(capability: str) -> None:
    assert set(CAPABILITIES[capability]) <= set(LANGUAGES)


def test_what_a_language_can_do_is_documented() -> None:
    """ARCHITECTURE says where the row of each capability is."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w+) \| `([\w/.]+)`(?:, `[\w/.]+`)? \|", text, re.MULTILINE))
    assert set(rows) >= {"read", *CAPABILITIES}
    assert all((ROOT / "cukereuse_engine" / path).exists() for path in rows.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_editors_know_every_language(language: str) -> None:
    """What `editors/vscode/scripts/generate.py` writes; here without the tools of an editor."""
    vscode = (ROOT / "editors/vscode/src/languages.ts").read_text(encoding="utf-8")
    lua = (ROOT / "editors/neovim/lua/cukereuse/workspace.lua").read_text(encoding="utf-8")
    guide = (ROOT / "editors/neovim/doc/cukereuse.txt").read_text(encoding="utf-8")
    row = LANGUAGES[language]
    assert row.editor_ids[0] == language
    for name in row.editor_ids:
        assert f'"{name}"' in vscode
        filetype = row.filetypes.get(name, name)
        said = "true" if filetype == name else f"'{name}'"
        assert re.search(rf"^  {filetype} = {said},$", lua, re.MULTILINE)
    assert re.search(rf"step definitions in [^.]*{re.escape(NAMES[language])}[ ,][^.]*beside\s+feature", guide)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_folder_of_tests(language: str) -> None:
    folders = (Path(__file__).parent / "languages").iterdir()
    assert any(path.suffix in LANGUAGES[language].suffixes for folder in folders for path in folder.iterdir())


@pytest.mark.parametrize("language", GRAMMARS)
def test_every_grammar_has_a_folder_of_tests(language: str) -> None:
    folders = (ROOT / "tests/functions/languages").iterdir()
    assert any(path.suffix in LANGUAGES[language].suffixes for folder in folders for path in folder.rglob("*"))


def test_suffixes_are_of_one_language_each() -> None:
    suffixes = [suffix for language in base.languages() for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(base.language_for(f"a{suffix}") is not None for suffix in suffixes)


@pytest.mark.parametrize("suffix", base.suffixes())
def test_a_scenario_is_looked_up_in_sources_of_any_language(suffix: str) -> None:
    assert suffix in lookups.SUFFIXES
