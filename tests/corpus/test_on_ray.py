"""On a local Ray, the stages give the same bytes as the local engine; sharded HNSW gives nearly all of it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from corpus_tools.on_ray import clusters, joins
from corpus_tools.on_ray.cluster import RayCluster, connect, runner
from corpus_tools.on_ray.vectors import embedding
from corpus_tools.stages.analyse.clusters import find_members
from corpus_tools.stages.analyse.run import AnalyseOptions, analyse, strategy
from corpus_tools.stages.parse import STEP_COLUMNS, parse
from corpus_tools.support import arrow
from cukereuse_engine.index.graphs import hnswlib_available
from cukereuse_engine.index.lexical_join import lexical_join
from cukereuse_engine.index.linkage import link
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import token_join
from cukereuse_engine.index.vector_cache import VectorCache
from cukereuse_engine.index.vector_join import exact_join
from cukereuse_engine.progress import SILENT
from cukereuse_engine.strategies.table import STRATEGIES

pytestmark = pytest.mark.heavy(seconds=15)

LETTERS = 26


class LetterCounts:
    """Vectors by letters: similar texts have similar vectors. Each worker makes one."""

    model_id, model_hash, dim = "letters", "1", LETTERS

    def __init__(self, noise: float = 0.0) -> None:
        self._noise = noise

    def embed(self, texts: Sequence[str], progress: Any = None) -> NDArray[np.float32]:
        del progress
        rows = np.array([[text.lower().count(chr(97 + i)) + 0.01 for i in range(LETTERS)] for text in texts])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        rows += self._noise * np.array([np.sin([len(text), *range(1, LETTERS)]) for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    connected = connect(2, None)
    yield connected
    connected.ray.shutdown()


def test_both_engines_read_the_same(cluster: RayCluster, build_corpus: Callable[[str], Path]) -> None:
    local, remote = build_corpus("local"), build_corpus("remote")
    parse(local)
    parse(remote, runner=runner(cluster))
    for name in ("steps.parquet", "errors.parquet"):
        assert (local / name).read_bytes() == (remote / name).read_bytes()


def test_both_engines_give_the_same_bytes(cluster: RayCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_PAIRS_PER_JUDGING", 100)
    monkeypatch.setattr(clusters, "_PAIRS_PER_LINKAGE", 40)
    empty: dict[str, Any] = dict.fromkeys(STEP_COLUMNS)
    rows = [
        {**empty, "repo": f"o/r{i % 3}", "file_path": f"{i % 7}.feature", "text": text, "license_class": "unknown",
         "is_background": False, "is_outline": False, "line": i + 1, "scenario_line": 1}
        for i, text in enumerate([*sentences(np.random.default_rng(2), 244), *["I log in", "I sign in"] * 3])
    ]  # fmt: skip
    for folder in ("local", "remote"):
        steps = arrow.table(STEP_COLUMNS, [list(row.values()) for row in rows])
        arrow.write(tmp_path / folder / "steps.parquet", STEP_COLUMNS, [steps])
    options = AnalyseOptions(tuple(strategy(name) for name in STRATEGIES), model="letters")
    vectors = LetterCounts().embed
    coarse = LetterCounts(noise=0.01).embed
    analyse(tmp_path / "local", options, vectors=vectors, find=partial(find_members, coarse=coarse))
    find = clusters.finding(cluster, coarse)
    outputs = analyse(tmp_path / "remote", options, vectors=vectors, find=find, aside=cluster.aside)
    assert len(outputs) > 30
    for path in outputs:
        assert path.read_bytes() == (tmp_path / "local" / path.relative_to(tmp_path / "remote")).read_bytes(), path.name
    kinds = pq.read_table(tmp_path / "remote" / "clusters_auto.parquet").column("kind").to_pylist()
    assert {"reworded", "exact"} <= set(kinds)


def sentences(rng: np.random.Generator, count: int) -> list[str]:
    words = ["open", "the", "cart", "page", "with", "a", "user", "named", "see", "item", "door", "shut", "not"]
    return [" ".join(rng.choice(words, rng.integers(1, 8))) for _ in range(count)]


def unit(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    centres = rng.normal(size=(20, 160))
    vectors = centres[rng.integers(0, 20, count)] + 0.7 * rng.normal(size=(count, 160))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def same(one: ScoredPairs, other: ScoredPairs) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("a", "b", "score"))


def test_joins_in_parts_are_the_whole_join(cluster: RayCluster) -> None:
    rng = np.random.default_rng(3)
    texts = sentences(rng, 400)
    bags = [frozenset(text.split()) for text in texts]
    vectors = unit(rng, 400)
    for whole, parts in (
        (lexical_join(texts, 0.75), joins.lexical(cluster, texts, 0.75, SILENT)),
        (token_join(bags, 0.5), joins.words(cluster, bags, 0.5, SILENT)),
        (exact_join(vectors, 0.6), joins.vector(cluster, vectors, 0.6, SILENT)),
    ):
        assert len(whole) > 100
        assert same(whole, parts)


def test_nothing_to_join(cluster: RayCluster) -> None:
    assert not len(joins.lexical(cluster, [], 0.75, SILENT))
    assert not len(joins.words(cluster, [frozenset()], 0.5, SILENT))
    assert not len(joins.vector(cluster, np.empty((0, 4), np.float32), 0.5, SILENT))
    assert joins.meanings(cluster, [], ("en",), SILENT) == []


@pytest.mark.skipif(not hnswlib_available(), reason="hnswlib is not installed")
def test_graphs_in_shards_find_nearly_all(cluster: RayCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joins, "EXACT_UP_TO", 100)
    monkeypatch.setattr(joins, "_ROWS_PER_GRAPH", 900)
    monkeypatch.setattr(joins, "_ROWS_PER_SEARCH", 700)
    vectors = unit(np.random.default_rng(4), 4000)
    exact, joined = exact_join(vectors, 0.6), joins.vector(cluster, vectors, 0.6, SILENT)
    expected = set(zip(exact.a.tolist(), exact.b.tolist(), exact.score.tolist(), strict=True))
    assert len(expected) > 10_000
    assert set(zip(joined.a.tolist(), joined.b.tolist(), joined.score.tolist(), strict=True)) <= expected
    assert len(joined) >= 0.999 * len(exact)


@pytest.mark.parametrize("method", ["complete", "single"])
def test_linkage_by_components(cluster: RayCluster, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_PAIRS_PER_LINKAGE", 20)
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 300, (2, 220))
    pairs = ScoredPairs.of(a[a != b], b[a != b], rng.random(220)[a != b].round(1))
    whole = link(300, pairs, method)
    parts = clusters.linked(cluster, 300, pairs, method, SILENT)
    assert len(list(clusters._components(300, pairs))) > 3
    assert len(set(whole.labels.tolist())) < 290
    assert np.array_equal(whole.labels, parts.labels)
    assert np.array_equal(whole.weakest, parts.weakest)


def test_only_unknown_texts_are_embedded(cluster: RayCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from corpus_tools.on_ray import vectors as module

    asked: list[str] = []

    def embed(model: str, coarsely: bool, texts: list[str]) -> NDArray[np.float32]:
        assert model == "letters"
        assert coarsely
        return LetterCounts().embed(texts)

    def results(self: RayCluster, function: Any, tasks: Any, stage: Any, **more: Any) -> Any:
        assert function is module._embed
        asked.extend(text for *_, texts in tasks for text in texts)
        return original(self, embed, tasks, stage, **more)

    original = RayCluster.results
    monkeypatch.setattr(RayCluster, "results", results)
    monkeypatch.setattr(module, "_TEXTS_PER_TASK", 3)
    texts = sentences(np.random.default_rng(6), 20)
    with VectorCache("1", LETTERS, tmp_path) as cache:
        embed_on_ray = embedding(cluster, LetterCounts(), cache, coarsely=True)
        first = embed_on_ray(texts[:9])
        both = embed_on_ray([*texts, *texts])
    assert sorted(asked) == sorted(set(texts))
    assert np.array_equal(first, both[:9])
    assert np.array_equal(both, LetterCounts().embed([*texts, *texts]))
