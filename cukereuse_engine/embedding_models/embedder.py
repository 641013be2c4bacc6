"""The protocol of an embedding model."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.progress import SILENT, Progress

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    model_id: str
    """Such as "sentence-transformers/all-MiniLM-L6-v2"."""
    model_hash: str
    """Hex digest of the weights (and of whatever else changes the vectors); part of every cache key."""
    dim: int

    def embed(self, texts: Sequence[str], progress: Progress = SILENT) -> Vectors:
        """`(len(texts), dim)` float32, rows L2-normalised, in the order of `texts`. A text's vector does not depend
        on the texts beside it (up to 1e-5)."""


@runtime_checkable
class TokenTable(Protocol):
    """What an embedding model knows about single tokens, before any layer."""

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """For each text, the numbers of its tokens, without those for its beginning and its end."""

    def token_embeddings(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        """`(len(tokens), dim)`."""


def token_table(embedder: Embedder | None) -> TokenTable | None:
    """The model as a token table, if it is one."""
    return embedder if isinstance(embedder, TokenTable) else None


@runtime_checkable
class HasCoarse(Protocol):
    """An embedder with a coarse one, which tells in half the time how similar texts are about."""

    def coarse(self) -> Embedder:
        """Its cosines are exact within `COARSE_MARGIN`, except for very few."""

    def rest(self, *, ready: bool = False) -> None:
        """Release memory until the next `embed`; `ready`: only as much as costs that one no time."""


@runtime_checkable
class Portable(Protocol):
    """An embedder that can be sent to another process, which loads the weights itself."""

    def alone(self) -> Embedder:
        """The same model for one of several processes, without threads of its own."""


COARSE_MARGIN = 0.04
"""Of 411 pairs of templates with a cosine above .6, 99 of 100 are right within .028. In 140 suites `auto` accepted the
same 2,777 pairs as by exact vectors alone, and embedded 18 of 36,108 templates exactly."""


def coarse(embedder: Embedder | None) -> Embedder | None:
    """The coarse embedder; None if the model has none."""
    return embedder.coarse() if isinstance(embedder, HasCoarse) else None
