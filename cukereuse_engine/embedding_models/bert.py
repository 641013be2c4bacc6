"""Built-in models, such as MiniLM, in fp32 on onnxruntime: equal to sentence-transformers up to 1e-5.

Never loads torch, and loads onnxruntime and the weights with the first text that has to be embedded, so that a run
whose vectors are all cached pays for neither.
"""

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.bert_graph import graph_bytes, token_embeddings
from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.embedding_models.table import BuiltInModel
from cukereuse_engine.embedding_models.weights import ModelFiles
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.progress import SILENT, Progress

TOKENS_PER_BATCH, _COARSE_TOKENS_PER_BATCH = 1024, 256
"""Padding included. Batches of one length and about this size are two to four times faster than large mixed ones. In
integers the weights are small, and what a batch of 256 needs stays in a core's own cache: a twelfth less time, most of
it where other cores are busy."""
_TEXTS_PER_TOKENISATION = 1024


def embedder_of(files: ModelFiles, threads: int | None = None) -> "Bert":
    return BertWithTokens(files, threads) if files.model.shows_tokens else Bert(files, threads)


def model_hash(model: BuiltInModel, *, coarse: bool = False) -> str:
    """A digest of everything that the vectors depend on."""
    parts = [*(file.sha256 for file in model.files), f"tokens={model.max_tokens}", "pooling=mean", "norm=l2"]
    parts += ["coarse=7"] if coarse else []
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Bert:
    """An `Embedder` that has a coarse one. `embed` is thread-safe."""

    def __init__(self, files: ModelFiles, threads: int | None = None, *, coarse: bool = False) -> None:
        """`files` as `weights.locate` checked them; `threads` None means one a core that this process may use."""
        self.model_id = files.model.id
        self.model_hash = model_hash(files.model, coarse=coarse)
        self._is_coarse = coarse
        self._coarse: Bert | None = None
        self.dim = files.model.width
        self._files = files
        self._threads = threads or usable_cores()
        self._loading = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    def __reduce__(self) -> "tuple[type[Bert], tuple[ModelFiles, int]]":
        """Only the names of the files are sent to another process, which makes its own coarse model."""
        return type(self), (self._files, self._threads)

    def alone(self) -> "Bert":
        return type(self)(self._files, 1)

    def coarse(self) -> "Bert":
        """The same model in integers (`bert_graph`); always the same object."""
        if self._is_coarse:
            return self
        with self._loading:
            self._coarse = self._coarse or type(self)(self._files, self._threads, coarse=True)
            return self._coarse

    def rest(self, *, ready: bool = False) -> None:
        """Release the memory of the weights, 60 MB; the next `embed` loads them again, in about 50 ms. `ready`: release
        only what large batches needed, 40 MB, by embedding a shortest text."""
        with self._loading:
            if not ready:
                self._session = None
            elif self._session is not None:
                ids = np.ones((1, 2), np.int64)
                self._session.run(["embedding"], {"input_ids": ids, "attention_mask": ids}, _shrinking())

    def embed(self, texts: Sequence[str], progress: Progress = SILENT) -> Vectors:
        """`(len(texts), dim)` float32, rows L2-normalised. Text beyond `max_tokens` is not seen by the model. Texts of
        the same tokens, as those that differ in capitals, have the same vector: in two batches, they would differ by
        1e-7."""
        if not texts:
            return np.empty((0, self.dim), np.float32)
        session = self._read_session()
        number_of: dict[bytes, int] = {}
        of_texts = _tokenise(self._read_tokenizer(), texts)
        numbers = [number_of.setdefault(ids.tobytes(), len(number_of)) for ids in of_texts]
        tokens = [np.frombuffer(ids, np.int32) for ids in number_of]
        vectors = np.empty((len(tokens), self.dim), np.float32)

        def run(batch: list[int]) -> list[int]:
            ids, mask = _padded([tokens[i] for i in batch])
            vectors[batch] = session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})[0]
            return batch

        size = _COARSE_TOKENS_PER_BATCH if self._is_coarse else TOKENS_PER_BATCH
        batches = list(_batches([len(ids) for ids in tokens], size))
        with progress.stage("embedding", len(tokens), "texts") as stage:
            if self._threads == 1 or len(batches) == 1:
                for batch in batches:
                    stage.advance(len(run(batch)))
            else:
                # One batch a thread: onnxruntime's own threads wait for one another after every node.
                with ThreadPoolExecutor(self._threads, "embedding") as pool:
                    try:
                        for batch in pool.map(run, batches):
                            stage.advance(len(batch))
                    except BaseException:
                        pool.shutdown(cancel_futures=True)
                        raise
        return vectors[numbers]

    def _read_session(self) -> Any:
        with self._loading:
            if self._session is None:
                self._session = _session(self._files, coarse=self._is_coarse)
            return self._session

    def _read_tokenizer(self) -> Any:
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = _tokenizer(self._files)
            return self._tokenizer


class BertWithTokens(Bert):
    """A `Bert` that is also a `TokenTable`."""

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """For each text, the numbers of its tokens, without those for its beginning and its end."""
        return [ids[1:-1] for ids in _tokenise(self._read_tokenizer(), texts)]

    def token_embeddings(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        """`(len(tokens), dim)`: each token as the first layer gets it, as if it had no position; read from the file."""
        return token_embeddings(self._files.weights, tokens)


def _session(files: ModelFiles, *, coarse: bool) -> Any:
    # Its builds report to their makers, from the import on; of Windows' own builds, only the call is heard.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # `embed` brings the threads
    options.log_severity_level = 3  # errors
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(files.folder))
    return onnxruntime.InferenceSession(
        graph_bytes(files.model, files.weights, coarse=coarse), options, providers=["CPUExecutionProvider"]
    )


def _shrinking() -> Any:
    """Options of a run after which onnxruntime's memory is as small as possible."""
    from onnxruntime import RunOptions

    options = RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def _tokenizer(files: ModelFiles) -> Any:
    # Its threads would be uncounted, and forking after their use prints a warning.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.enable_truncation(files.model.max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _tokenise(tokenizer: Any, texts: Sequence[str]) -> list[NDArray[np.int32]]:
    tokens: list[NDArray[np.int32]] = []
    for start in range(0, len(texts), _TEXTS_PER_TOKENISATION):
        # The tokenizer takes no lone surrogates.
        part = [text.encode("utf-8", "replace").decode() for text in texts[start : start + _TEXTS_PER_TOKENISATION]]
        tokens += [np.array(encoding.ids, np.int32) for encoding in tokenizer.encode_batch_fast(part)]
    return tokens


def _batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Positions by length, shortest first, with as many per batch as `size` tokens, padding included, allow."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[i] > size:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _padded(rows: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`input_ids` and `attention_mask`, `(len(rows), longest)`; the padding token is 0."""
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask
