"""The embedding model that strategies at corpus scale need."""

from collections.abc import Sequence

import click

from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import Progress
from cukereuse_engine.strategies.table import VectorUse, with_vectors


def corpus_embedder(
    strategies: Sequence[str], model: str, *, offline: bool, threads: int | None, progress: Progress
) -> Embedder | None:
    """`model`, if a strategy can use it; otherwise None, with a note if `auto` works without it.

    Raises `CukereuseError` if a strategy needs a model and there is none.
    """
    if set(strategies) <= with_vectors(VectorUse.UNUSED):
        return None
    from cukereuse_engine.embedding_models.opening import open_embedder

    try:
        return open_embedder(model, allow_download=not offline, threads=threads, progress=progress)
    except CukereuseError as error:
        if with_vectors(VectorUse.NEEDED) & set(strategies):
            raise
        click.echo(f"note: only wordings are compared: {error.message}", err=True)
        return None
