"""A repository for histories that drift."""

from pathlib import Path

import pytest

from tests.history.drift_histories import FEATURE
from tests.history.test_trend import commit, git


@pytest.fixture
def drifting(tmp_path: Path) -> Path:
    """Its suite says each step once; no step is defined yet."""
    git(tmp_path, "init", "-q")
    commit(tmp_path, {"features/f.feature": FEATURE}, when=1_600_000_000)
    return tmp_path
