"""Embedding on Ray: distinct texts in parts of similar length, one model for each worker."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus_tools.on_ray.cluster import RayCluster
from cukereuse_engine.detection.options import EmbedTexts
from cukereuse_engine.embedding_models.embedder import Embedder, coarse
from cukereuse_engine.index.vector_cache import VectorCache
from cukereuse_engine.progress import SILENT, Progress

_TEXTS_PER_TASK = 2_048


def embedding(
    cluster: RayCluster,
    embedder: Embedder,
    cache: VectorCache,
    progress: Progress = SILENT,
    *,
    coarsely: bool = False,
) -> EmbedTexts:
    """Embeds texts that `cache` lacks, and writes results there as they come, so that a stopped run goes on. MiniLM
    runs on processors, another model where its library puts it. `coarsely`: by the coarse model of `embedder`."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        distinct = sorted(set(texts), key=lambda text: (-len(text), text))  # the longest part must not be the last
        row = {text: i for i, text in enumerate(distinct)}
        vectors, is_cached = cache.get(distinct)
        unknown = np.flatnonzero(~is_cached)
        parts = [unknown[start : start + _TEXTS_PER_TASK] for start in range(0, len(unknown), _TEXTS_PER_TASK)]
        tasks = [(embedder.model_id, coarsely, [distinct[i] for i in part]) for part in parts]
        with progress.stage("embedding", len(parts), "parts") as stage:
            for number, part in cluster.results(_embed, tasks, stage):
                vectors[parts[number]] = part
                cache.put(tasks[number][2], part)
        return vectors[[row[text] for text in texts]]

    return embed


_models: dict[str, Embedder] = {}
"""One model per worker, for all its tasks."""


def _embed(model: str, coarsely: bool, texts: list[str]) -> NDArray[np.float32]:
    from cukereuse_engine.embedding_models.opening import open_embedder

    if model not in _models:
        _models[model] = open_embedder(model, threads=1)
    embedder = _models[model]
    return ((coarse(embedder) if coarsely else None) or embedder).embed(texts)
