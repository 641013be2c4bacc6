"""From a model's name to an `Embedder`."""

from pathlib import Path

from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.embedding_models.table import DEFAULT_MODEL, built_in
from cukereuse_engine.embedding_models.weights import ensure, offline
from cukereuse_engine.progress import SILENT, Progress


def open_embedder(
    name: str = DEFAULT_MODEL.id,
    *,
    folder: Path | None = None,
    allow_download: bool = False,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> Embedder:
    """Open a built-in model on onnxruntime; any other name or folder through sentence-transformers.

    `folder` contains a built-in model's files. `allow_download`: the user agreed to use the network; the environment
    (`CUKEREUSE_OFFLINE`) can still forbid it. Raises `CukereuseError` if the model can't be had.
    """
    model = built_in(name)
    if model is not None:
        from cukereuse_engine.embedding_models.bert import embedder_of

        return embedder_of(ensure(model, folder=folder, allow_download=allow_download, progress=progress), threads)
    from cukereuse_engine.embedding_models.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder.open(name, allow_download=allow_download and not offline())
