"""Any model that sentence-transformers can load, and the reference that the fast path must equal.

Needs the extra `cukereuse[sentence-transformers]`; loads torch when an embedder is opened, never on import.
"""

import hashlib
import importlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.progress import SILENT, Progress

_TEXTS_PER_CALL = 512
_TEXTS_PER_BATCH = 32


class SentenceTransformersEmbedder:
    """An `Embedder` around `SentenceTransformer.encode(normalize_embeddings=True)` on the CPU.

    `model_hash` covers the names, shapes and values of all weights, the tokenizer, and the modules with their settings.
    """

    def __init__(self, model: Any, model_id: str) -> None:
        self.model_id = model_id
        self._model = model
        self._running = threading.Lock()  # torch modules and their tokenizers are not meant to be shared by threads
        self.model_hash = _model_hash(model)
        self.dim = len(self._encode(["dimension"])[0])

    @classmethod
    def open(cls, name: str, *, allow_download: bool = False) -> "SentenceTransformersEmbedder":
        """The model of this name on the hub, or in this folder. Raises `CukereuseError` when sentence-transformers is
        not installed, or when the model is not on this machine and may not be fetched, or can't be loaded.
        """
        if importlib.util.find_spec("sentence_transformers") is None:
            raise CukereuseError(
                f"the model {name} needs sentence-transformers, which is not installed",
                "Install it with `pip install 'cukereuse[sentence-transformers]'`.",
            )
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
        from sentence_transformers import SentenceTransformer

        # With a thread on every core, torch waits most of the time for whichever core does something else.
        importlib.import_module("torch").set_num_threads(max(1, usable_cores() - 1))
        transformers_logging: Any = importlib.import_module("transformers.utils.logging")
        transformers_logging.disable_progress_bar()  # the engine never prints
        try:
            model = SentenceTransformer(
                name, device="cpu", local_files_only=not allow_download, trust_remote_code=False
            )
        except (OSError, ValueError, RuntimeError, ImportError, KeyError) as error:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            hint = "Check the name." if allow_download else "If it has to be downloaded, allow the network."
            raise CukereuseError(f"the model {name} can't be loaded: {first}", hint) from error
        return cls(model, name)

    def embed(self, texts: Sequence[str], progress: Progress = SILENT) -> Vectors:
        """`(len(texts), dim)` float32, rows L2-normalised."""
        vectors = np.empty((len(texts), self.dim), np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        with progress.stage("embedding", len(texts), "texts") as stage:
            for start in range(0, len(order), _TEXTS_PER_CALL):
                part = order[start : start + _TEXTS_PER_CALL]
                vectors[part] = self._encode([texts[i].encode("utf-8", "replace").decode() for i in part])
                stage.advance(len(part))
        return vectors

    def _encode(self, texts: list[str]) -> Vectors:
        with self._running:
            encoded = self._model.encode(
                texts,
                batch_size=_TEXTS_PER_BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(encoded, np.float32)


def _model_hash(model: Any) -> str:
    as_bytes = importlib.import_module("torch").uint8  # NumPy knows no bfloat16
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        values = tensor.detach().cpu().contiguous()
        digest.update(f"{name} {values.dtype} {tuple(values.shape)}\0".encode())
        digest.update(values.flatten().view(as_bytes).numpy())
    for module in model:
        digest.update(f"{type(module).__qualname__} {sorted(_settings(module).items())}\0".encode())
    backend = getattr(getattr(model, "tokenizer", None), "backend_tokenizer", None)
    if backend is not None:
        digest.update(backend.to_str().encode())
    return digest.hexdigest()


def _settings(module: Any) -> dict[str, str]:
    """A module's plain settings, such as pooling mode and maximum length; paths are left out."""
    names = getattr(module, "config_keys", []) or []
    settings = {name: str(getattr(module, name, "")) for name in names}
    if getattr(module, "max_seq_length", None) is not None:
        settings["max_seq_length"] = str(module.max_seq_length)
    return {name: value for name, value in settings.items() if not Path(value).is_absolute()}
