"""One row for each language: its consequences hold for every language, and no other module names one."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from cukereuse_engine.glue.languages import base
from cukereuse_engine.refactor import lookups

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("generate", ROOT / "editors/vscode/scripts/generate.py")
assert _spec is not None
assert _spec.loader is not None
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)
OTHER_MEANINGS = {"cukereuse_engine/report/html/links.py", "server/cukereuse_server/worker/handlers/running.py"}
"""Modules in which an id is no language: the scheme of an address, the name of a program."""
LANGUAGES = {language.id: language for language in base.languages()}


@pytest.mark.parametrize("folder", ["functions/languages", "refactor/languages"])
def test_rows_are_of_languages_only(folder: str) -> None:
    modules = {path.stem for path in (ROOT / "cukereuse_engine" / folder).glob("*.py")} - {"__init__"}
    assert modules <= set(LANGUAGES)


@pytest.mark.parametrize("package", ["cukereuse_engine", "server/cukereuse_server", "corpus_tools"])
def test_no_module_but_a_row_names_a_language(package: str) -> None:
    """Modules ask rows for everything that differs by language: a further language changes no module. Modules of the
    engine may name the files of one runner, whose suffix says no more than the file's name."""
    names = {*LANGUAGES, *(() if package == "cukereuse_engine" else base.suffixes())}
    named = {
        path.relative_to(ROOT).as_posix(): node.value
        for path in (ROOT / package).rglob("*.py")
        if path.parent.name != "languages"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    }
    assert named.keys() <= OTHER_MEANINGS


def test_what_a_language_can_do_is_documented() -> None:
    """ARCHITECTURE says where the row of each capability is, and which language has it: a row that is lost shows."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w, ]+) \| `(\w+/languages)` \|", text, re.MULTILINE)
    assert [ability for abilities, _ in rows for ability in abilities.split(", ")] == ["read", *generate.CAPABILITIES]
    assert all((ROOT / "cukereuse_engine" / path).is_dir() for _, path in rows)
    assert generate.architecture(text) == text, "run `python editors/vscode/scripts/generate.py`"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_editors_know_every_language(language: str) -> None:
    """The output of `editors/vscode/scripts/generate.py`, without the tools of an editor."""
    vscode = (ROOT / "editors/vscode/src/languages.ts").read_text(encoding="utf-8")
    lua = (ROOT / "editors/neovim/lua/cukereuse/workspace.lua").read_text(encoding="utf-8")
    guide = (ROOT / "editors/neovim/doc/cukereuse.txt").read_text(encoding="utf-8")
    row = LANGUAGES[language]
    assert row.editor_ids[0] == language
    for name in row.editor_ids:
        assert f'"{name}"' in vscode
        filetype = row.filetypes.get(name, name)
        expected = "true" if filetype == name else f"'{name}'"
        assert re.search(rf"^  {filetype} = {expected},$", lua, re.MULTILINE)
    assert re.search(rf"step definitions in [^.]*{re.escape(row.name)}[ ,\n][^.]*beside\s+feature", guide)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_folder_of_tests(language: str) -> None:
    folders = (Path(__file__).parent / "languages").iterdir()
    assert any(path.suffix in LANGUAGES[language].suffixes for folder in folders for path in folder.iterdir())


def test_suffixes_are_of_one_language_each() -> None:
    suffixes = [suffix for language in base.languages() for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(base.language_for(f"a{suffix}") is not None for suffix in suffixes)


@pytest.mark.parametrize("suffix", base.suffixes())
def test_a_scenario_is_looked_up_in_sources_of_any_language(suffix: str) -> None:
    assert suffix in lookups.SUFFIXES
