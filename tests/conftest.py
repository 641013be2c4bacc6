"""Fixtures that every part of the tests may use."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with reference data and suites: `CUKEREUSE_SHARED`, or `../shared` beside the checkout."""
    path = Path(os.environ.get("CUKEREUSE_SHARED") or Path(__file__).parents[2] / "shared")
    if not (path / "suites").is_dir():
        pytest.skip(f"no reference data at {path}; set CUKEREUSE_SHARED to run this test")
    return path.resolve()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the user's cache."""
    path = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("CUKEREUSE_CACHE_DIR", str(path))
    return path
