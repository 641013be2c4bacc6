"""Random renames of real suites, checked by the runners' own matchers. Repositories: `bench_rename_all.py`."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "bench_rename_all.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_rename_all", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.shared
@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize("name", ["activeadmin__activeadmin", "learningequality__kolibri", "cucumber__cucumber-ruby"])
def test_nothing_breaks(name, shared, benchmark):
    """Feature files alone: the bytes and steps after a rename."""
    result = benchmark.rename_all(shared / "suites" / name, number=12)
    check(result)
    assert result.applied >= 5


@pytest.mark.parametrize("name", ["webshop", "library-pytest-bdd", "library-cucumber-js", "library-cucumber-ruby"])
def test_nothing_breaks_in_the_examples(name, benchmark):
    result = benchmark.rename_all(BENCHMARK.parents[1] / "suites" / name, number=25)
    check(result)
    assert result.applied >= 15


def check(result):
    assert result.wrong == []
    assert result.silent == []
    assert result.undo == []
