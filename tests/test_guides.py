"""Everything that the guides for contributors name exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("cukereuse_engine", "server", "corpus_tools", "editors", "tests", ".ci", ".github")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]*|[\w-]+\.(?:py|toml|md|json))`")
ELSEWHERE = {"dist", "textDocument", "workspace", "codeAction", "codeLens"}
"""Outputs of a command, and methods of the protocol."""


@pytest.fixture(scope="module")
def files() -> str:
    """All paths, one in each line, with a slash before it."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "node_modules" not in path.parts]
    return "".join(f"/{path.relative_to(ROOT).as_posix()}\n" for path in [*paths, *ROOT.glob("*.*")])


@pytest.mark.parametrize(
    ("guide", "least"), [("ARCHITECTURE.md", 10), (".github/CONTRIBUTING.md", 40), ("server/README.md", 5)]
)
def test_every_path_of_a_guide_is_there(guide: str, least: int, files: str) -> None:
    named = [path for path in PATH.findall((ROOT / guide).read_text("utf-8")) if path.split("/")[0] not in ELSEWHERE]
    assert len(named) >= least
    patterns = {path: re.escape(path.rstrip("/")).replace(r"\*", "[^/\n]*") for path in named}
    assert [path for path, pattern in patterns.items() if not re.search(f"/{pattern}", files)] == []
