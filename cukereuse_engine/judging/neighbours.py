"""The bound templates nearest to a template: what the suite's definitions suggest for a step that none is known for.

Candidates share the longest possible beginning or end with the template; the nearest of them by Indel similarity count.
Knows nothing of pairs.
"""

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cpdist

from cukereuse_engine.judging.knowledge import Knowledge
from cukereuse_engine.judging.templates import Templates

NEAREST = 3
"""Definitions kept for each template."""
_CANDIDATES = 24
"""Most bound templates tried from either end."""


class Neighbours:
    """Nearest definitions by template, remembered until the suite's bindings change."""

    def __init__(self, templates: Templates, knowledge: Knowledge, candidates: int = _CANDIDATES) -> None:
        self._templates = templates
        self._knowledge = knowledge
        self._limit = candidates
        self._version = -1
        self._codes = np.empty((0, NEAREST), np.int64)
        self._similarities = np.empty((0, NEAREST))
        self._done = np.empty(0, np.bool_)

    def of(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(n, 3) numbers of the nearest definitions (`Knowledge.codes`), -1 where there are fewer, and the (n, 3)
        similarity of the nearest template of each, 0 to 1, falling.
        """
        self._prepare()
        wanted = np.unique(rows)
        self._find(wanted[~self._done[wanted]])
        return self._codes[rows], self._similarities[rows]

    def _prepare(self) -> None:
        fresh = self._version != self._knowledge.version
        size = len(self._templates)
        if fresh or len(self._done) != size:
            kept = 0 if fresh else len(self._done)
            codes = np.full((size, NEAREST), -1, np.int64)
            similarities, done = np.zeros((size, NEAREST)), np.zeros(size, np.bool_)
            if kept:
                codes[:kept], similarities[:kept], done[:kept] = self._codes, self._similarities, self._done
            self._codes, self._similarities, self._done = codes, similarities, done
            self._version = self._knowledge.version

    def _find(self, rows: NDArray[np.int64]) -> None:
        self._done[rows] = True
        flat: list[int] = []
        ends = []
        for row in rows.tolist():
            flat += self._candidates_of(row)
            ends.append(len(flat))
        if not flat:
            return
        keys = self._templates.keys
        counts = np.diff(ends, prepend=0)
        owners = np.repeat(rows, counts)
        candidates = np.array(flat, np.int64)
        one, other = [keys[row] for row in owners.tolist()], [keys[row] for row in flat]
        similarity = np.asarray(cpdist(one, other, scorer=ratio, dtype=np.float64)) / 100.0
        codes = self._knowledge.codes()[candidates]
        order = np.lexsort((candidates, -similarity, owners))
        taken = dict.fromkeys(rows.tolist(), 0)
        seen: set[tuple[int, int]] = set()
        columns = (owners[order].tolist(), codes[order].tolist(), similarity[order].tolist())
        for owner, code, value in zip(*columns, strict=True):
            place = taken[owner]
            if place < NEAREST and (owner, code) not in seen:
                seen.add((owner, code))
                self._codes[owner, place] = code
                self._similarities[owner, place] = value
                taken[owner] = place + 1

    def _candidates_of(self, row: int) -> list[int]:
        templates, bound = self._templates, self._knowledge.bound_under
        found = dict.fromkeys(bound(templates.prefixes.members, templates.prefix_path(row), self._limit))
        found.update(dict.fromkeys(bound(templates.suffixes.members, templates.suffix_path(row), self._limit)))
        return list(found)
