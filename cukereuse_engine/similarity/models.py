"""From a model's name to an `Embedder`."""

from pathlib import Path

from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.similarity.embedder import Embedder
from cukereuse_engine.similarity.weights import MODEL_ID, ensure, offline

DEFAULT_MODEL = MODEL_ID
_SHORT_NAMES = {"minilm", "all-minilm-l6-v2", MODEL_ID.lower()}


def is_minilm(name: str) -> bool:
    return name.lower() in _SHORT_NAMES


def open_embedder(
    name: str = DEFAULT_MODEL,
    *,
    folder: Path | None = None,
    allow_download: bool = False,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> Embedder:
    """MiniLM by the fast path; any other name or folder through sentence-transformers.

    `folder` names where MiniLM's files are. `allow_download` says that the user agreed to the network; the environment
    (`CUKEREUSE_OFFLINE`) can still forbid it. Raises `CukereuseError` when the model can't be had.
    """
    if is_minilm(name):
        from cukereuse_engine.similarity.minilm_onnx import MiniLM

        return MiniLM(ensure(folder=folder, allow_download=allow_download, progress=progress), threads)
    from cukereuse_engine.similarity.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder.open(name, allow_download=allow_download and not offline())
