"""Fixtures that every part of the tests may use."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from pytest import TestReport


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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--forbid-skips",
        action="store_true",
        help="a skipped test fails, save those that need reference data that is not there",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, TestReport, TestReport]:
    report = yield
    if report.skipped and item.config.getoption("--forbid-skips") and not item.get_closest_marker("shared"):
        report.outcome = "failed"
        report.longrepr = f"skipped where skips are forbidden: {call.excinfo}"
    return report
