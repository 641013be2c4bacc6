"""Texts about a built-in model agree with its row."""

import re
from pathlib import Path

import pytest

from cukereuse_engine.embedding_models.table import BUILT_IN, DEFAULT_MODEL, built_in

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["minilm", "MiniLM", "all-MiniLM-L6-v2", "sentence-transformers/all-minilm-l6-v2"])
def test_a_model_is_known_by_each_of_its_names(name: str) -> None:
    assert built_in(name) is DEFAULT_MODEL


def test_other_models_are_not_built_in() -> None:
    assert built_in("sentence-transformers/of-nobody") is None
    assert built_in("") is None


def test_no_two_models_share_a_name() -> None:
    names = [name.lower() for row in BUILT_IN for name in (row.id, row.name, row.label)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("README.md", {DEFAULT_MODEL.megabytes}),
        ("editors/commands.toml", set()),  # a setting chooses another model; the server's question names its size
        ("editors/vscode/package.json", set()),
        ("editors/vscode/src/commands/status.ts", set()),
        ("editors/neovim/doc/cukereuse.txt", set()),
    ],
)
def test_the_size_that_people_are_told(file: str, told: set[str]) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert re.search(r"\b[mM]odel\b", text)
    assert set(re.findall(r"\b[mM]odel(?: \(| of )(\d+ MB)", text)) == told
