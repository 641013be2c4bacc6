"""Training rows for `p_one_intent`: the judge's own candidates in suites that people have labelled, with its own
evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.bars import Sayable, sayable
from corpus_tools.training.varied import varied
from cukereuse_engine.calibration.intents import ReadSuite
from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.index.vector_cache import embed_cached
from cukereuse_engine.judging.features import Measured
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.step_text import ACTION, CONTEXT, OUTCOME
from cukereuse_engine.text.template import template
from cukereuse_engine.text.words import detect_languages

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]

_FEWEST = 25
"""Grouped pairs that every suite is taken to have at least, where it is weighed."""
_ROLES = {"C": CONTEXT, "A": ACTION, "O": OUTCOME}


@dataclass(frozen=True, slots=True, eq=False)
class IntentRows:
    """Candidate pairs of one suite that pass the gate. Arrays are `(n,)`."""

    suite: ReadSuite
    features: Columns
    pairs: NDArray[np.int64]
    """(n, 2) ids of wordings."""
    masked: tuple[Sequence[str], Sequence[str]]
    """Their masked texts, side by side."""
    right: NDArray[np.bool_]
    sure: NDArray[np.bool_]
    candidates: tuple[int, int]
    """Sure pairs among the candidates, and among those that pass the gate."""
    varied: Columns
    """Features of pairs that nobody wrote (`corpus_tools.training.varied`)."""
    varied_same: NDArray[np.bool_]
    """True if those mean the same."""

    @property
    def weight(self) -> float:
        return float(1.0 / np.sqrt(max(int(self.right.sum()), _FEWEST)))


def rows_of(suite: ReadSuite, embedder: Embedder) -> IntentRows:
    """The suite's candidates with the evidence that the judge has of them."""
    numbers, masked = _distinct(suite)
    ids = np.array(numbers, np.int64)
    vectors = embed_cached(masked, embedder)
    languages = detect_languages(masked)
    a, b, cosine, _ = candidate_pairs(masked, vectors.__getitem__, languages)
    near = np.full(len(a), np.nan) if cosine is None else cosine
    judge = TextJudge(languages)
    rows = np.array([judge.templates.add(text) for text in masked], np.int64)
    roles = np.array([sum(_ROLES.get(role, 0) for role in suite.wordings[number].roles) for number in numbers], np.int8)
    asked = judge.measure(rows[a], rows[b], (roles[a], roles[b]))
    inside = judge.intent.worth_a_look(asked, near)
    features = _evidence(judge, asked.take(inside)) if len(inside) else {}
    candidates = np.sort(np.column_stack([ids[a], ids[b]]), axis=1)
    named = [tuple(pair) for pair in candidates.tolist()]
    sure = np.array([pair in suite.sure for pair in named], np.bool_)
    right = np.array([pair in suite.right for pair in named], np.bool_)
    counts = int(sure.sum()), int(sure[inside].sum())
    of_varied = _varied(judge, masked, roles)
    sides = ([masked[place] for place in a[inside].tolist()], [masked[place] for place in b[inside].tolist()])
    return IntentRows(suite, features, candidates[inside], sides, right[inside], sure[inside], counts, *of_varied)


def _varied(judge: TextJudge, masked: Sequence[str], roles: NDArray[np.int8]) -> tuple[Columns, NDArray[np.bool_]]:
    """Features of the pairs that nobody wrote, each wording judged as one that the suite doesn't have."""
    made = varied(masked, judge.templates.languages)
    places = np.array([place for place, _, _ in made], np.int64)
    rows = np.array([judge.templates.add(text, member=False) for _, text, _ in made], np.int64)
    own = np.array([judge.templates.add(masked[place], member=False) for place in places.tolist()], np.int64)
    apart = np.flatnonzero(rows != own)
    if not len(apart):
        return {}, np.zeros(0, np.bool_)
    of_pairs = roles[places[apart]]
    features = _evidence(judge, judge.measure(own[apart], rows[apart], (of_pairs, of_pairs)))
    return features, np.array([made[place][2] for place in apart.tolist()], np.bool_)


def _evidence(judge: TextJudge, some: Measured) -> dict[str, Floats]:
    evidence = judge.intent.evidence
    return {**evidence.columns(some), "elsewhere": evidence.elsewhere(some.pairs.a, some.pairs.b)}


def _distinct(suite: ReadSuite) -> tuple[list[int], list[str]]:
    """Ids and masked texts, each template once."""
    first_rows: dict[str, tuple[int, str]] = {}
    for number, wording in suite.wordings.items():
        masked = template(wording.text).masked
        first_rows.setdefault(masked.lower(), (number, masked))
    return [number for number, _ in first_rows.values()], [masked for _, masked in first_rows.values()]


@dataclass(frozen=True, eq=False)
class EvidenceTable:
    """The rows of several suites under one another."""

    suites: Sequence[IntentRows]
    folder: Path | None = None
    """The folder with the suites' own feature files, by name."""

    def column(self, name: str) -> Floats:
        return np.concatenate([rows.features[name] for rows in self.suites])

    @property
    def features(self) -> dict[str, Floats]:
        return {name: self.column(name) for name in self.suites[0].features}

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.concatenate([rows.right for rows in self.suites])

    @property
    def sure(self) -> NDArray[np.bool_]:
        return np.concatenate([rows.sure for rows in self.suites])

    @cached_property
    def sayable(self) -> Sayable:
        """What a scan may report of each pair."""
        of_suites = [sayable(rows.suite, rows.pairs, self.folder) for rows in self.suites]
        return Sayable(*(np.concatenate(columns) for columns in zip(*of_suites, strict=True)))

    @property
    def weights(self) -> Floats:
        """The weight of each row, by its suite."""
        return np.concatenate([np.full(len(rows.right), rows.weight) for rows in self.suites])

    @property
    def number(self) -> NDArray[np.int64]:
        """Which suite each row is of."""
        return np.repeat(np.arange(len(self.suites)), [len(rows.right) for rows in self.suites])

    def only(self, chosen: NDArray[np.bool_]) -> "EvidenceTable":
        return EvidenceTable([rows for rows, inside in zip(self.suites, chosen.tolist(), strict=True) if inside])
