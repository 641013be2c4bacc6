"""What a suite's bindings teach: which templates one definition serves, which frames and which words vary inside one.

Learns and forgets one text at a time; what depends on it is computed when a pair asks. Holds counts only, no weights.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.templates import Frame, Pairs, Templates

_SAME_PRIOR = 0.3
_ALL_PRIOR = 1.0
"""A frame of which nothing is known has the rate .3 / 1."""
_WORD_PRIOR = 0.5
_SPARE_NUMBERS = 1_000
"""Numbers of forgotten definitions that are kept before all are numbered anew."""
_USUAL_PER_DEFINITION = 1.5
_USUAL_SHARE = 0.4
_USUAL_WEIGHT = 10.0
"""What a suite is thought to be like before ten definitions, or templates, tell."""


class Knowledge:
    """Bindings of one suite, by template. A template that several definitions serve counts for that of the text with
    the least identity, so that it does not matter what was learnt first."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._bound: dict[int, dict[str, str]] = {}
        """Row to identity of each bound text to its definition."""
        self._rows: dict[str, dict[int, int]] = {}
        """Definition to row to number of its texts."""
        self._varied: dict[int, int] = {}
        self._steady: dict[int, int] = {}
        """Word to the number of definitions with several templates that have it in some, and in all, of them."""
        self._word_sets: list[frozenset[int]] = []
        self._frames: dict[Frame, tuple[float, float]] = {}
        self._nodes: dict[tuple[str, int], float] = {}
        self._codes = np.empty(0, np.int64)
        self._numbers: dict[str, int] = {}
        """Definition to its number, those that are forgotten included until they are many."""
        self._stale: set[int] = set()
        """Rows whose number is to be found anew."""
        self.version = 0
        """Grows with every change: what was derived from an older one is stale."""

    def __len__(self) -> int:
        """Number of bound templates."""
        return len(self._bound)

    def learn(self, bindings: Iterable[tuple[int, str, str]]) -> None:
        """Add (row, identity of the text, definition); a text that was bound before is bound anew."""
        changes: dict[str, dict[int, int]] = {}
        for row, text, definition in bindings:
            texts = self._bound.setdefault(row, {})
            before = texts.get(text)
            if before == definition:
                continue
            if before is not None:
                _count(changes, before, row, -1)
            texts[text] = definition
            self._stale.add(row)
            _count(changes, definition, row, +1)
        self._apply(changes)

    def forget(self, texts: Iterable[tuple[int, str]]) -> None:
        """Remove (row, identity of the text); unknown ones are no error."""
        changes: dict[str, dict[int, int]] = {}
        for row, text in texts:
            known = self._bound.get(row)
            definition = known.pop(text, None) if known else None
            if definition is not None:
                self._stale.add(row)
                _count(changes, definition, row, -1)
            if known is not None and not known:
                del self._bound[row]
        self._apply(changes)

    def _apply(self, changes: dict[str, dict[int, int]]) -> None:
        for definition, rows in changes.items():
            held = self._rows.setdefault(definition, {})
            self._tally(held, -1)
            for row, change in rows.items():
                held[row] = held.get(row, 0) + change
                if held[row] <= 0:
                    del held[row]
            self._tally(held, +1)
            if not held:
                del self._rows[definition]
        if changes:
            self._frames.clear()
            self._nodes.clear()
            self.version += 1

    def _tally(self, rows: dict[int, int], change: int) -> None:
        """Add or take back what one definition says about words."""
        if len(rows) < 2:
            return
        counts: dict[int, int] = {}
        for row in rows:
            for word in self._words(row):
                counts[word] = counts.get(word, 0) + 1
        for word, count in counts.items():
            table = self._steady if count == len(rows) else self._varied
            table[word] = table.get(word, 0) + change

    def _words(self, row: int) -> frozenset[int]:
        while len(self._word_sets) <= row:
            bag = self._templates.bags[len(self._word_sets)]
            self._word_sets.append(frozenset(self._templates.word_numbers(bag)))
        return self._word_sets[row]

    def codes(self) -> NDArray[np.int64]:
        """(rows,) number of each template's definition, -1 where none is known."""
        missing = len(self._templates) - len(self._codes)
        if missing:
            self._codes = np.pad(self._codes, (0, missing), constant_values=-1)
        if self._stale:
            if len(self._numbers) > 2 * len(self._rows) + _SPARE_NUMBERS:
                self._numbers = {}
                self._stale.update(self._bound)
            numbers = self._numbers
            for row in sorted(self._stale):
                texts = self._bound.get(row)
                self._codes[row] = numbers.setdefault(texts[min(texts)], len(numbers)) if texts else -1
            self._stale.clear()
        return self._codes

    def merging(self) -> tuple[float, float]:
        """Templates per definition, and the share of templates whose definition serves several; drawn towards what is
        usual while little is known.
        """
        codes = self.codes()
        sizes = np.bincount(codes[codes >= 0])
        sizes = sizes[sizes > 0]
        templates, several = float(sizes.sum()), float(sizes[sizes > 1].sum())
        per_definition = (templates + _USUAL_WEIGHT * _USUAL_PER_DEFINITION) / (len(sizes) + _USUAL_WEIGHT)
        return per_definition, (several + _USUAL_WEIGHT * _USUAL_SHARE) / (templates + _USUAL_WEIGHT)

    def frame_counts(self, pairs: Pairs) -> tuple[Column, Column]:
        """Pairs of known templates that fit each pair's frame: how many have one definition, and how many there are."""
        frames, where = pairs.distinct_frames()
        counts = np.empty((len(frames), 2))
        for i, frame in enumerate(frames):
            if frame not in self._frames:
                self._frames[frame] = self._pair_counts(self._templates.fitting(frame))
            counts[i] = self._frames[frame]
        same, total = counts[where].T
        return same, total

    def _pair_counts(self, rows: NDArray[np.int64]) -> tuple[float, float]:
        codes = self.codes()[rows]
        codes = codes[codes >= 0]
        n = len(codes)
        if n < 2:
            return 0.0, 0.0
        sizes = np.bincount(codes)
        return float((sizes * (sizes - 1)).sum() / 2), n * (n - 1) / 2

    def end_rates(self, pairs: Pairs) -> tuple[Column, Column]:
        """Log odds, against knowing nothing, that two known templates with the pair's beginning, and with its end, have
        one definition; 0 where the pair has no common beginning or end.
        """
        left, right = pairs.frames()
        return self._node_rates("prefix", left), self._node_rates("suffix", right)

    def _node_rates(self, side: str, nodes: NDArray[np.int64]) -> Column:
        members = self._templates.prefixes.members if side == "prefix" else self._templates.suffixes.members
        distinct, where = np.unique(nodes, return_inverse=True)
        rates = np.zeros(len(distinct))
        for i, node in enumerate(distinct.tolist()):
            if node == 0:
                continue
            rate = self._nodes.get((side, node))
            if rate is None:
                same, total = self._pair_counts(np.array(members[node], np.int64))
                rate = float(rate_logit(np.array(same), np.array(total))) if total else 0.0
                self._nodes[side, node] = rate
            rates[i] = rate
        return rates[where]

    def bound_under(self, members: list[list[int]], path: list[int], limit: int) -> list[int]:
        """Up to `limit` bound rows under the deepest node of `path` that has any; the root has none."""
        codes = self.codes()
        for node in reversed(path[1:]):
            rows = members[node]
            if rows:
                known = np.array(rows, np.int64)
                known = known[codes[known] >= 0]
                if len(known):
                    return [int(row) for row in known[:limit]]
        return []

    def word_counts(self, word: int) -> tuple[int, int]:
        """Definitions with several templates that have the word in some of them, and in all of them."""
        return self._varied.get(word, 0), self._steady.get(word, 0)

    def word_rates(self) -> Column:
        """(words,) log odds that a word varies where a definition serves several templates."""
        rates = np.zeros(len(self._templates.words))
        for word in self._varied.keys() | self._steady.keys():
            varied, steady = self._varied.get(word, 0), self._steady.get(word, 0)
            rates[word] = np.log((varied + _WORD_PRIOR) / (steady + _WORD_PRIOR))
        return rates


def rate_logit(same: Column, total: Column) -> Column:
    """Log odds of the smoothed rate (same + .3) / (total + 1), against those of knowing nothing: 0 for 0 of 0."""
    rate = (same + _SAME_PRIOR) / (total + _ALL_PRIOR)
    prior = _SAME_PRIOR / _ALL_PRIOR
    return np.asarray(np.log(rate / (1.0 - rate)) - np.log(prior / (1.0 - prior)), np.float64)


def _count(changes: dict[str, dict[int, int]], definition: str, row: int, change: int) -> None:
    rows = changes.setdefault(definition, {})
    rows[row] = rows.get(row, 0) + change
