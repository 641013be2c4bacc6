"""The wordings of a suite that are most similar to a text, in a few milliseconds: near ones are selected first, then
ranked as `cukereuse similar` does."""

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.scanning.similar_wordings import SimilarWording, similar_wordings
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import Template, template
from cukereuse_server.workspace.neighbours import Neighbours
from cukereuse_server.workspace.suite import SuiteState

_PICKED = 120
"""Templates that are ranked; the best ten are among the fewer that any one measure puts first."""


def similar_in(suite: SuiteState, query: str, limit: int, embedder: Embedder | None) -> tuple[SimilarWording, ...]:
    """The `limit` wordings of `suite` that are most like `query`; empty while there is no judge."""
    if suite.judge is None or not normalise(query):
        return ()
    texts, cosine = picked(suite, query, embedder)
    return similar_wordings(query, texts, suite.judge, cosine, limit)


def picked(
    suite: SuiteState, query: str, embedder: Embedder | None
) -> tuple[list[StepText], NDArray[np.float64] | None]:
    """The texts of `suite` that may be most like `query`, and their cosines, NaN if unknown."""
    wanted = template(normalise(query))
    keys = [key for key in suite.texts.members if key in suite.neighbours]
    if not keys:
        return [], None
    indel = process.cdist([wanted.key], keys, scorer=fuzz.ratio, dtype=np.float32)[0]
    near = {keys[row] for row in np.argsort(-indel, kind="stable")[:_PICKED].tolist()}
    near.update(suite.neighbours.sharing_words(wanted.key, wanted.masked, _PICKED))
    cosine_of = _add_by_meaning(near, suite.neighbours, wanted, embedder) if embedder is not None else {}
    texts = [suite.texts.step_text(text) for key in sorted(near) for text in suite.texts.members[key]]
    cosine = np.array([cosine_of.get(text.template.key, np.nan) for text in texts]) if cosine_of else None
    return texts, cosine


def _add_by_meaning(near: set[str], neighbours: Neighbours, wanted: Template, embedder: Embedder) -> dict[str, float]:
    """Add the keys of the templates nearest in meaning. Returns the cosines of all that have a vector."""
    if not len(neighbours.vectors):
        return {}
    vector = neighbours.vectors.get(wanted.key)
    vectors = embedder.embed([wanted.masked]) if vector is None else vector[None, :]
    near.update(neighbours.nearest(vectors[0], _PICKED))
    with_vectors = [key for key in near if key in neighbours.vectors]
    if not with_vectors:
        return {}
    scores = neighbours.vectors.many(with_vectors) @ vectors[0]
    return dict(zip(with_vectors, scores.tolist(), strict=True))
