"""What several commands do: settings for the paths given, suites read, their glue.

Every heavy part of the engine is loaded inside the function that needs it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cukereuse_engine.cli.options import load
from cukereuse_engine.cli.progress import progress_for_terminal
from cukereuse_engine.cli.targets import Targets, find_targets
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.settings import Loaded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cukereuse_engine.glue.workspace import Glue
    from cukereuse_engine.judging.model import Judge
    from cukereuse_engine.scanning.suite import Suite


@dataclass(frozen=True, slots=True)
class Work:
    """One command line, understood."""

    targets: Targets
    loaded: Loaded
    """Settings of the first path."""


def prepare(paths: Sequence[str], options: Mapping[str, Any], since: str | None = None) -> Work:
    """Raises `CukereuseError` for paths that are not there."""
    targets = find_targets(paths, since)
    return Work(targets, load(Path(paths[0]), options))


def read(work: Work, *, use_cache: bool) -> "list[Suite]":
    """The suites of the paths given, read and not compared."""
    from cukereuse_engine.scanning.suite import read_suites

    settings = work.loaded.settings
    return read_suites(
        work.targets.compared,
        include=settings.include,
        exclude=settings.exclude,
        jobs=settings.jobs or None,
        use_cache=use_cache,
        progress=progress_for_terminal(),
    )


def load_glue(suite: "Suite", work: Work, *, use_cache: bool) -> "Glue":
    """The suite's step definitions, with its steps as their texts."""
    from cukereuse_engine.glue.sources import default_cache
    from cukereuse_engine.glue.workspace import Glue

    settings = work.loaded.settings
    glue = Glue.load(
        suite.root,
        paths=settings.glue or None,
        jobs=settings.jobs or None,
        cache=default_cache() if use_cache else None,
        progress=progress_for_terminal(),
    )
    for file in suite.files:
        glue.update_feature(file.path, file.steps)
    return glue


def judge_for(suite: "Suite", work: Work, *, use_cache: bool) -> "Judge":
    """The judge of one suite."""
    from cukereuse_engine.judging.text_judge import TextJudge

    del work, use_cache
    return TextJudge.for_suite(suite.texts)


@dataclass(frozen=True, slots=True)
class Vectors:
    of: "Mapping[str, NDArray[np.float32]] | None"
    """Text to its vector; None where no model is on this machine."""
    model: str | None
    notes: tuple[str, ...]


def vectors_at_hand(texts: Sequence[str], work: Work, *, use_cache: bool) -> Vectors:
    """Vectors of `texts` by the model that is on this machine; never downloads one."""
    from cukereuse_engine.similarity.models import open_embedder

    settings = work.loaded.settings
    try:
        embedder = open_embedder(settings.model, threads=settings.jobs or None)
    except CukereuseError as error:
        return Vectors(None, None, (f"lexical only: {error.message}",))
    progress = progress_for_terminal()
    if use_cache:
        from cukereuse_engine.index.vector_cache import embed_cached

        rows = embed_cached(texts, embedder, progress=progress)
    else:
        rows = embedder.embed(texts, progress)
    return Vectors(dict(zip(texts, rows, strict=True)), embedder.model_id, ())
