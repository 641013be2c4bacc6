"""The stages on a local Ray give what the local engine gives, to the byte."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus_tools import ray_engine
from corpus_tools.analyse.run import AnalyseOptions, analyse, strategy
from corpus_tools.parse import parse
from cukereuse_engine.index.lexical_join import lexical_join
from cukereuse_engine.index.vector_join import exact_join
from cukereuse_engine.progress import SILENT

pytestmark = [pytest.mark.heavy, pytest.mark.xdist_group("ray")]


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    connected = ray_engine.connect(2, None)
    yield connected
    connected.shutdown()


def test_both_engines_give_the_same_bytes(ray: Any, build_corpus: Callable[[str], Path]) -> None:
    del ray
    local, remote = build_corpus("local"), build_corpus("remote")
    options = AnalyseOptions((strategy("exact"), strategy("near-exact", threshold=0.7)), model=None)
    parse(local)
    parse(remote, runner=ray_engine.ray_runner(2, None))
    analyse(local, options)
    outputs = analyse(remote, options, find=ray_engine.ray_find(2, None))
    assert (local / "steps.parquet").read_bytes() == (remote / "steps.parquet").read_bytes()
    for path in outputs:
        assert path.read_bytes() == (local / path.relative_to(remote)).read_bytes(), path.name


def test_joins_in_blocks_are_the_whole_join(ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "_SMALLEST_PARTITION", 30)
    rng = np.random.default_rng(3)
    texts = ["".join(rng.choice(list("abc "), rng.integers(1, 30))) for _ in range(300)]
    vectors = rng.normal(size=(300, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for whole, parts in (
        (lexical_join(texts, 0.8), ray_engine._lexical(ray, 2, texts, 0.8, SILENT)),
        (exact_join(vectors, 0.8), ray_engine._vector(ray, 2, vectors, 0.8, SILENT)),
    ):
        assert len(whole) > 20
        assert np.array_equal(whole.a, parts.a)
        assert np.array_equal(whole.b, parts.b)
        assert np.allclose(whole.score, parts.score, atol=1e-6)
