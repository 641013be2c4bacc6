"""Compares all templates of one suite: makes a judge from all that is known, which then sees the same candidates as in
a scan.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.judged import Accepted, Candidates, Judging, accept_pairs, judged_within
from cukereuse_engine.detection.options import EmbedTexts, Joins
from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.index.pairs import Positions, ScoredPairs
from cukereuse_engine.index.vector_join import cosines_by
from cukereuse_engine.progress import Progress
from cukereuse_engine.scanning.join_cache import judging_key, packed, unpacked
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.neighbours import Neighbours
from cukereuse_server.workspace.shared_judge import SharedJudge

_SECONDS_AT_ONCE = 0.07
"""Seconds that a question may wait for the judge; in smaller parts a pair costs half as much again."""
_COUNT_BYTES = 8


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge that knows the whole suite, and the templates whose words it has seen."""

    judge: SharedJudge
    neighbours: Neighbours


@dataclass(frozen=True, slots=True)
class AcceptedPairs:
    """All accepted pairs among some templates, all by key."""

    keys: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    exact: Mapping[str, Vectors] = field(default_factory=dict)
    """The exact vectors `(dim,)` of templates that the others left open."""


def make_judge(texts: Sequence[StepText], bound: Mapping[str, str]) -> Judged:
    """`texts` of the whole suite, in order of first appearance; `bound` maps the identity of a text to the function
    that serves it, as `bound_functions` does."""
    import numpy.ma  # noqa: F401 - NumPy loads it when it is first needed, which would be in the middle of a slice

    judge = SharedJudge(texts, bound)
    shown = shown_by_template(texts)
    first = list(shown.values())[:2]
    if first:  # makes what a judge would otherwise make with its first pair of templates
        judge.probabilities(first, np.zeros(1, np.int32), np.full(1, len(first) - 1, np.int32))
    neighbours = Neighbours(judge.languages)
    for key, text in shown.items():
        neighbours.add(key, text.template.masked)
    neighbours.find_crowds()
    return Judged(judge, neighbours)


@dataclass(frozen=True, eq=False)
class Question:
    """The templates `keys`, in order of first appearance in `texts`, to be compared with each other."""

    texts: Sequence[StepText]
    keys: Sequence[str]
    judge: SharedJudge
    threshold: float
    vectors: Vectors | None = None
    """The vector of each template."""
    margin: float = 0.0
    """The largest error of their cosines."""
    exact: EmbedTexts | None = None
    """Gives exact vectors of masked texts."""
    model: str = ""
    """The name of the model that made them."""

    @cached_property
    def nodes(self) -> list[StepText]:
        shown = shown_by_template(self.texts)
        return [shown[key] for key in self.keys]

    def compared(self, pairs: ScoredPairs, looked_at: NDArray[np.int32]) -> AcceptedPairs:
        """`looked_at`: positions of the templates that the vectors leave open."""
        both = zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)
        named = tuple((self.keys[left], self.keys[other]) for left, other in both)
        if self.exact is None or not len(looked_at):
            return AcceptedPairs(tuple(self.keys), named)
        nodes, rows = self.nodes, looked_at.tolist()
        vectors = self.exact([nodes[row].template.masked for row in rows])
        return AcceptedPairs(
            tuple(self.keys), named, {self.keys[row]: vector for row, vector in zip(rows, vectors, strict=True)}
        )

    @cached_property
    def record(self) -> str:
        """The cache key of its answer: a hash of everything that decides about it."""
        parts = [f"server 2 {self.threshold!r} {self.model} {self.judge.fingerprint()}"]
        parts += [f"{node.template.masked}\0{node.roles}" for node in self.nodes]
        return judging_key(parts)


def recall(question: Question, cache: BlobStore) -> AcceptedPairs | None:
    """The kept answer to the same question, or None."""
    key = question.record
    payload = cache.get_many([key]).get(key)
    if payload is None:
        return None
    count = int.from_bytes(payload[:_COUNT_BYTES], "little")
    looked_at = np.frombuffer(payload, np.int32, count, _COUNT_BYTES)
    return question.compared(unpacked(payload[_COUNT_BYTES + looked_at.nbytes :]), looked_at)


def compare(question: Question, progress: Progress, joins: Joins, cache: BlobStore | None = None) -> AcceptedPairs:
    """The answer to a question, kept in `cache`. Raises `Cancelled` when `progress` does."""
    nodes, judge = question.nodes, question.judge
    masked = [node.template.masked for node in nodes]
    vectors, exact = question.vectors, question.exact
    found = candidate_pairs(
        masked, vectors.__getitem__ if vectors is not None else None, judge.languages, progress, joins, question.margin
    )
    key = question.record if cache is not None else ""
    looked_at = [np.empty(0, np.int32)]

    def exactly(left: Positions, right: Positions) -> NDArray[np.float64]:
        assert exact is not None
        looked_at.append(np.union1d(left, right))
        return cosines_by(exact, masked)(left, right)

    pairs = accepted_within(Judging(nodes, judge, question.threshold, progress), found[:3], question.margin, exactly)
    rows = np.unique(np.concatenate(looked_at)).astype(np.int32)
    if cache is not None:
        cache.put_many({key: len(rows).to_bytes(_COUNT_BYTES, "little") + rows.tobytes() + packed(pairs)})
    return question.compared(pairs, rows)


def accepted_within(
    judging: Judging,
    candidates: Candidates,
    margin: float,
    exact: Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.float64]],
) -> ScoredPairs:
    """The pairs that the judge accepts, see `judged_within`. The kind of a pair is looked up when it is shown."""

    def kept(some: Candidates) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return accept_pairs(judging, some, _SECONDS_AT_ONCE)

    def judged(some: Candidates) -> Accepted:
        (a, b, cosine), (rows, score) = some, kept(some)
        kinds = np.zeros(len(rows), np.int8)
        return ScoredPairs(a[rows], b[rows], score), kinds, None if cosine is None else cosine[rows]

    return judged_within(judged, lambda some: kept(some)[0], candidates, margin, exact)[0]


def shown_by_template(texts: Sequence[StepText]) -> dict[str, StepText]:
    """Maps each template's key to its canonical text, in order of first appearance."""
    groups: dict[str, list[StepText]] = {}
    for text in texts:
        groups.setdefault(text.template.key, []).append(text)
    return {key: canonical(group) for key, group in groups.items()}
