"""The bound templates nearest to a template: what the suite's definitions suggest for a step that none is known for.

Candidates share the longest possible beginning or end with the template; the nearest of them by Indel similarity count.
Knows nothing of pairs.
"""

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cpdist

from cukereuse_engine.index.arrays import Remembered
from cukereuse_engine.judging.knowledge import Knowledge
from cukereuse_engine.judging.templates import Templates

NEAREST = 3
"""Definitions kept for each template."""
_CANDIDATES = 24
"""Most bound templates tried from either end."""


class BoundNeighbours:
    """Nearest definitions by template, remembered until the suite's bindings change."""

    def __init__(self, templates: Templates, knowledge: Knowledge) -> None:
        self._templates = templates
        self._knowledge = knowledge
        self._nearest, self._version = Remembered(2 * NEAREST), -1

    def of(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(n, 3) numbers of the nearest definitions (`Knowledge.codes`), -1 where there are fewer, and the (n, 3)
        similarity of the nearest template of each, 0 to 1, falling."""
        if self._version != self._knowledge.version:
            self._nearest.clear()
            self._version = self._knowledge.version
        distinct, where = np.unique(rows, return_inverse=True)
        nearest = self._nearest.of(distinct, lambda missing: self._find(distinct[missing]))[where]
        return nearest[:, :NEAREST].astype(np.int64), nearest[:, NEAREST:]

    def _find(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n, 6) codes, and similarities."""
        result = np.repeat([[-1.0] * NEAREST + [0.0] * NEAREST], len(rows), axis=0)
        templates, knowledge = self._templates, self._knowledge
        size = len(templates)
        bound = [knowledge.bound_under(trie, rows, _CANDIDATES) for trie in (templates.prefixes, templates.suffixes)]
        pairs = np.unique(np.concatenate([owners * size + candidates for owners, candidates in bound]))
        if not len(pairs):
            return result
        owners, candidates = np.divmod(pairs, size)
        left, right = ([templates.keys[row] for row in side.tolist()] for side in (rows[owners], candidates))
        similarity = np.asarray(cpdist(left, right, scorer=ratio, dtype=np.float64)) / 100.0
        codes = knowledge.codes()[candidates]
        order = np.lexsort((candidates, -similarity, owners))
        owners, codes, similarity = owners[order], codes[order], similarity[order]
        nearest = np.sort(np.unique(owners * (codes.max() + 1) + codes, return_index=True)[1])
        owners, codes, similarity = owners[nearest], codes[nearest], similarity[nearest]
        place = np.arange(len(owners)) - np.searchsorted(owners, owners)
        kept = place < NEAREST
        result[owners[kept], place[kept]] = codes[kept]
        result[owners[kept], NEAREST + place[kept]] = similarity[kept]
        return result
