"""Fixtures that every part of the tests may use."""

import importlib.util
import os
import sys
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling

    from cukereuse_engine.embedding_models.weights import ModelFiles


MAY_SKIP = ("shared", "unprivileged", "elsewhere")
"""Markers of tests that may be skipped even if skips are forbidden: no package makes them possible."""

TOGETHER = (
    ("tests/e2e/features/",),  # servers
    (
        "tests/embedding_models/test_minilm.py",
        "tests/judging/test_attention.py",
        "tests/training/test_intents.py",
    ),  # torch
)
"""Modules with costly fixtures: all modules of a row run on one worker."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with reference data and suites: `CUKEREUSE_SHARED`, or `../shared` beside the checkout."""
    path = Path(os.environ.get("CUKEREUSE_SHARED") or Path(__file__).parents[2] / "shared")
    if not (path / "suites").is_dir():
        pytest.skip(f"no reference data at {path}; set CUKEREUSE_SHARED to run this test")
    return path.resolve()


@pytest.fixture(scope="session")
def command() -> Iterator[Path]:
    """A `cukereuse` whose processes start with everything imported (`quick_start.py`)."""
    spec = importlib.util.spec_from_file_location("quick_start", Path(__file__).with_name("quick_start.py"))
    assert spec is not None
    assert spec.loader is not None
    quick_start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(quick_start)
    with quick_start.command() as script:
        yield script


@pytest.fixture(scope="session")
def installed_command() -> Path:
    """The `cukereuse` of this Python, as users start it."""
    return Path(sys.executable).with_name("cukereuse")


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yields new folders: `mktemp` would list all existing ones each time."""
    root = tmp_path_factory.mktemp("caches")
    return (root / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_cache(caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the user's cache."""
    path = next(caches)
    path.mkdir()
    monkeypatch.setenv("CUKEREUSE_CACHE_DIR", str(path))
    return path


def pytest_configure(config: pytest.Config) -> None:
    """Property tests: no example is too slow for a busy machine; if skips are forbidden, as in CI, each run on each
    machine tries the same examples."""
    keep_bytecode(config)
    one_thread_each()
    settings.register_profile(
        "cukereuse",
        deadline=None,
        derandomize=config.getoption("--forbid-skips"),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("cukereuse")


def keep_bytecode(config: pytest.Config) -> None:
    """Hundreds of processes are started. If no process may leave bytecode beside its source, as in many containers,
    each would compile everything again, which costs more than all tests; so they share a folder for it."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(config.rootpath / ".pytest_cache" / "bytecode"))


def one_thread_each() -> None:
    """Threads of OpenMP and of matrix products wait actively for each other: on a busy machine they take three times
    the processor and five times as long. Only libraries loaded later heed this; if a test needs more, they sleep."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests with a real server, editor, browser or runner get one more try, shown as R; other tests don't. The longest
    tests come first: no worker should begin one when the others are done."""
    for item in items:
        if {"e2e", "editors"} & set(item.path.parts) or any(map(item.get_closest_marker, ("browser", "runner"))):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=expected_seconds, reverse=True)


def expected_seconds(item: pytest.Item) -> float:
    heavy = item.get_closest_marker("heavy")
    return heavy.kwargs.get("seconds", 5) if heavy else 0


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadScopeScheduling":
    """Workers take whole modules one by one, in the order of `pytest_collection_modifyitems`, because a module's tests
    share fixtures, and all modules of a row of `TOGETHER`. (`--dist loadfile` of pytest-xdist 3.8 begins with the most
    tests, and its marks `xdist_group` have no effect from pytest 9.2 on.)"""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((row[0] for row in TOGETHER if nodeid.startswith(row)), nodeid.partition("::")[0])

    config.option.loadscopereorder = False
    return Scheduling(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--forbid-skips",
        action="store_true",
        help="a skipped test fails, save those that need reference data that is not there",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and item.config.getoption("--forbid-skips") and not any(map(item.get_closest_marker, MAY_SKIP)):
        report.outcome = "failed"
        report.longrepr = f"skipped where skips are forbidden: {call.excinfo}"
    return report


@pytest.fixture(scope="session")
def model_files() -> "ModelFiles":
    """MiniLM's weights, if they are on this machine; `CUKEREUSE_REQUIRE_MODEL=1` forbids the skip."""
    from cukereuse_engine.embedding_models.weights import locate

    located = locate()
    if located is None:
        if os.environ.get("CUKEREUSE_REQUIRE_MODEL") == "1":
            pytest.fail("CUKEREUSE_REQUIRE_MODEL is set, and the MiniLM weights are not on this machine")
        pytest.skip("no MiniLM weights on this machine; `cukereuse model download` fetches them")
    return located
