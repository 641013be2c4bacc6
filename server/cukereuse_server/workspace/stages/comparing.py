"""The templates of one suite, compared as a whole: first a judge is made of all that is known, then the judge sees the
same candidates as in a scan.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.judged import accept_pairs
from cukereuse_engine.detection.options import Joins
from cukereuse_engine.progress import Progress
from cukereuse_engine.similarity.embedder import Vectors
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.neighbours import Neighbours
from cukereuse_server.workspace.shared_judge import SharedJudge

_PAIRS_AT_ONCE = 1024
"""Judged in one go: some milliseconds, for which a question may have to wait."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge that knows the whole suite, and the templates that it was shown by their words."""

    judge: SharedJudge
    neighbours: Neighbours


@dataclass(frozen=True, slots=True)
class Compared:
    """All accepted pairs among some templates, all by key."""

    keys: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


def make_judge(texts: Sequence[StepText], bound: Mapping[str, str]) -> Judged:
    """`texts` of the whole suite, in order of first appearance; `bound`: identity of a text to the function that serves
    it, as `bound_functions` gives them."""
    import numpy.ma  # noqa: F401 - NumPy loads it when it is first needed, which would be in the middle of a slice

    judge = SharedJudge(texts, bound)
    shown = shown_by_template(texts)
    first = list(shown.values())[:2]
    if first:  # what a judge makes with its first pair of templates is made here
        judge.probabilities(first, np.zeros(1, np.int32), np.full(1, len(first) - 1, np.int32))
    neighbours = Neighbours(judge.languages)
    for key, text in shown.items():
        neighbours.add(key, text.template.masked)
    neighbours.read()
    return Judged(judge, neighbours)


def compare(
    texts: Sequence[StepText],
    keys: Sequence[str],
    judge: SharedJudge,
    threshold: float,
    vectors: Vectors | None,
    progress: Progress,
    joins: Joins,
) -> Compared:
    """The templates `keys`, in order of first appearance in `texts`, compared with each other; `vectors`: of each.

    Raises `Cancelled` when `progress` does.
    """
    shown = shown_by_template(texts)
    nodes = [shown[key] for key in keys]
    candidates = candidate_pairs([node.template.masked for node in nodes], vectors, judge.languages, progress, joins)
    kept, _ = accept_pairs(nodes, candidates, judge, threshold, progress, _PAIRS_AT_ONCE)
    a, b, _ = candidates
    pairs = zip(a[kept].tolist(), b[kept].tolist(), strict=True)
    return Compared(tuple(keys), tuple((keys[one], keys[other]) for one, other in pairs))


def shown_by_template(texts: Sequence[StepText]) -> dict[str, StepText]:
    """Key of each template to its canonical text, in order of first appearance."""
    groups: dict[str, list[StepText]] = {}
    for text in texts:
        groups.setdefault(text.template.key, []).append(text)
    return {key: canonical(group) for key, group in groups.items()}
