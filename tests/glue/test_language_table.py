"""One row a language: everything else follows from it."""

import json
import re
from pathlib import Path

import pytest

from cukereuse_engine.glue.languages import base

ROOT = Path(__file__).parents[2]
NAMES = {"csharp": ("csharp", "cs"), "javascript": ("javascript", "javascriptreact"), "typescript": ("typescript",)}


@pytest.mark.parametrize("language", base.languages(), ids=lambda language: language.id)
def test_the_editors_know_every_language(language: base.Language) -> None:
    names = NAMES.get(language.id, (language.id,))
    vscode = (ROOT / "editors/vscode/src/client.ts").read_text(encoding="utf-8")
    listed = re.search(r"const GLUE = (\[[^\]]*\])", vscode)
    assert listed is not None
    assert set(names) & set(json.loads(listed[1]))
    lua = (ROOT / "editors/neovim/lua/cukereuse/workspace.lua").read_text(encoding="utf-8")
    assert any(re.search(rf"^  {name} = ", lua, re.MULTILINE) for name in names)


@pytest.mark.parametrize("language", base.languages(), ids=lambda language: language.id)
def test_every_language_has_a_folder_of_tests(language: base.Language) -> None:
    folders = (Path(__file__).parent / "languages").iterdir()
    assert any(path.suffix in language.suffixes for folder in folders for path in folder.iterdir())


def test_suffixes_are_of_one_language_each() -> None:
    suffixes = [suffix for language in base.languages() for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(base.language_for(f"a{suffix}") is not None for suffix in suffixes)
