"""Statistics of a suite's bindings: the templates that one definition serves, and the frames and words that vary in it.

Learns and forgets one text at a time; the rest is computed for a pair when needed. Contains counts, no weights.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.arrays import Remembered, counts, cumulate, ranges
from cukereuse_engine.index.tries import Trie
from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.templates import Frames, Pairs, Rows, Templates

_SAME_PRIOR = 0.3
_ALL_PRIOR = 1.0
"""A frame without any known pair has the rate .3 / 1."""
_WORD_PRIOR = 0.5
_SPARE_NUMBERS = 1_000
"""Numbers of forgotten definitions that are kept before all are numbered again: in an editor, each edit of a source
gives new names to the functions below it."""
_USUAL_PER_DEFINITION = 1.5
_USUAL_SHARE = 0.4
_USUAL_WEIGHT = 10.0
"""Definitions, or templates, that a usual suite counts for against the suite's own."""


class Knowledge:
    """Bindings of one suite, by template. A template that several definitions serve counts for that of the text with
    the least identity, so that the order of learning does not matter."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._bound: dict[int, dict[str, str]] = {}
        """Row to identity of each bound text to its definition."""
        self._rows: dict[str, Counter[int]] = {}
        """Definition to row to number of its texts."""
        self._varied = np.zeros(0, np.int64)
        self._steady = np.zeros(0, np.int64)
        """(words,) number of definitions with several templates that have the word in some, and in all, of them."""
        self._frames = Remembered(2)
        self._begin_rates, self._end_rates = Remembered(1), Remembered(1)
        self._codes = np.empty(0, np.int64)
        self._numbers: dict[str, int] = {}
        """Definition to its number, those that are forgotten included until they are many."""
        self._stale: set[int] = set()
        """Rows whose number is to be found again."""
        self.version = 0
        """Grows with every change: what was derived from an older one is stale."""

    def __len__(self) -> int:
        """Number of bound templates."""
        return len(self._bound)

    def learn(self, bindings: Iterable[tuple[int, str, str | None]]) -> None:
        """Bind (row, identity of the text) to a definition from now on, or (None) to none."""
        changes: dict[str, Counter[int]] = {}
        for row, text, definition in bindings:
            texts = self._bound.setdefault(row, {})
            before = texts.pop(text, None)
            if definition is not None:
                texts[text] = definition
            if not texts:
                del self._bound[row]
            if before != definition:
                self._stale.add(row)
                for name, change in ((before, -1), (definition, 1)):
                    if name is not None:
                        changes.setdefault(name, Counter())[row] += change
        if changes:
            self._apply(changes)

    def _apply(self, changes: dict[str, Counter[int]]) -> None:
        self._tally([self._rows.get(definition, ()) for definition in changes], -1)
        for definition, rows in changes.items():
            rows.update(self._rows.pop(definition, ()))
            if held := +rows:  # keeps only counts above 0
                self._rows[definition] = held
        self._tally([self._rows.get(definition, ()) for definition in changes], +1)
        for figures in (self._frames, self._begin_rates, self._end_rates):
            figures.clear()
        self.version += 1

    def _tally(self, definitions: Iterable[Collection[int]], change: int) -> None:
        """Add (`change` 1) or remove (-1) the word counts of definitions, each given by its rows."""
        several = [rows for rows in definitions if len(rows) > 1]
        sizes = np.fromiter(map(len, several), np.int64, len(several))
        rows = np.fromiter(chain.from_iterable(several), np.int64, sizes.sum())
        words, per_row = self._templates.distinct_words(rows)
        owners, word, count = counts(np.repeat(np.repeat(np.arange(len(several)), sizes), per_row), words)
        steady = count == sizes[owners]
        missing = len(self._templates.words) - len(self._varied)
        self._varied, self._steady = np.pad(self._varied, (0, missing)), np.pad(self._steady, (0, missing))
        self._varied += change * np.bincount(word[~steady], minlength=len(self._varied))
        self._steady += change * np.bincount(word[steady], minlength=len(self._steady))

    def codes(self) -> NDArray[np.int64]:
        """(rows,) number of each template's definition, -1 if none is known."""
        missing = len(self._templates) - len(self._codes)
        if missing:
            self._codes = np.pad(self._codes, (0, missing), constant_values=-1)
        if self._stale:
            numbers = self._numbers
            if len(numbers) > 2 * len(self._rows) + _SPARE_NUMBERS:
                numbers.clear()
                self._stale.update(self._bound)
            for row in sorted(self._stale):
                texts = self._bound.get(row)
                self._codes[row] = numbers.setdefault(texts[min(texts)], len(numbers)) if texts else -1
            self._stale.clear()
        return self._codes

    def merging(self) -> tuple[float, float]:
        """Templates per definition, and the share of templates whose definition serves several; near the usual values
        while little is known."""
        codes = self.codes()
        sizes = np.bincount(codes[codes >= 0])
        sizes = sizes[sizes > 0]
        templates, several = float(sizes.sum()), float(sizes[sizes > 1].sum())
        per_definition = (templates + _USUAL_WEIGHT * _USUAL_PER_DEFINITION) / (len(sizes) + _USUAL_WEIGHT)
        return per_definition, (several + _USUAL_WEIGHT * _USUAL_SHARE) / (templates + _USUAL_WEIGHT)

    def frame_counts(self, pairs: Pairs) -> tuple[Column, Column]:
        """Numbers of pairs of known templates that fit each pair's frame: those with one definition, and all."""
        frames, where = pairs.frames
        same, total = self._frames.of(frames.numbers, lambda missing: self._fitting_counts(frames.take(missing))).T
        return same[where], total[where]

    def _fitting_counts(self, frames: Frames) -> NDArray[np.float64]:
        pair_counts = np.zeros((len(frames.prefix), 2))
        for places, owners, rows in self._templates.fitting(frames):
            pair_counts[places] = self._pair_counts(owners, rows, len(places))
        return pair_counts

    def _pair_counts(self, owners: Rows, rows: Rows, size: int) -> NDArray[np.float64]:
        """(size, 2) numbers of pairs of each owner's known rows: those with one definition, and all."""
        codes = self.codes()[rows]
        owners, codes = owners[codes >= 0], codes[codes >= 0]
        owner, _, count = counts(owners, codes)
        sizes = np.bincount(owners, minlength=size)
        same = np.bincount(owner, count * (count - 1) / 2, size)
        return np.column_stack((same, sizes * (sizes - 1) / 2))

    def end_rates(self, pairs: Pairs) -> tuple[Column, Column]:
        """Log odds, relative to knowing nothing, that two known templates with the pair's beginning, and with its end,
        have one definition; 0 if the pair has no common beginning or end."""
        left, right = pairs.ends()
        templates = self._templates
        begin_rates = self._rates(self._begin_rates, templates.prefixes, left)
        return begin_rates, self._rates(self._end_rates, templates.suffixes, right)

    def _rates(self, remembered: Remembered, trie: Trie, nodes: Rows) -> Column:
        distinct, where = np.unique(nodes, return_inverse=True)

        def compute(missing: Rows) -> NDArray[np.float64]:
            unknown = distinct[missing]
            same, total = self._pair_counts(*trie.members(unknown), len(unknown)).T
            return np.where(unknown > 0, rate_logit(same, total), 0.0)[:, None]

        return np.asarray(remembered.of(distinct, compute)[where, 0], np.float64)

    def bound_under(self, trie: Trie, rows: Rows, limit: int) -> tuple[Rows, Rows]:
        """Up to `limit` bound rows under the deepest node of each row's path that has any; the root has none. Flat:
        position in `rows`, and bound row."""
        codes = self.codes()
        offsets, depths = self._templates.array("offsets")[rows], self._templates.array("lengths")[rows]
        owners, bound = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        seeking = np.flatnonzero(depths)
        while len(seeking):
            nodes, where = np.unique(trie.nodes[offsets[seeking] + depths[seeking]], return_inverse=True)
            under, members = trie.members(nodes)
            is_bound = codes[members] >= 0
            sizes = np.bincount(under[is_bound], minlength=len(nodes))
            taken = np.minimum(sizes, limit)[where]
            owners.append(np.repeat(seeking, taken))
            bound.append(members[is_bound][ranges(cumulate(sizes)[where], taken)])
            seeking = seeking[taken == 0]
            depths[seeking] -= 1
            seeking = seeking[depths[seeking] > 0]
        return np.concatenate(owners), np.concatenate(bound)

    def word_counts(self, word: int) -> tuple[int, int]:
        """Numbers of definitions with several templates that have the word in some, and in all of these."""
        return (int(self._varied[word]), int(self._steady[word])) if word < len(self._varied) else (0, 0)

    def word_rates(self) -> Column:
        """(words,) log odds that a word varies within a definition that serves several templates."""
        rates = np.log((self._varied + _WORD_PRIOR) / (self._steady + _WORD_PRIOR))
        return np.pad(rates, (0, len(self._templates.words) - len(rates)))


def rate_logit(same: Column, total: Column) -> Column:
    """Log odds of the smoothed rate (same + .3) / (total + 1), relative to knowing nothing: 0 for 0 of 0."""
    rate = (same + _SAME_PRIOR) / (total + _ALL_PRIOR)
    prior = _SAME_PRIOR / _ALL_PRIOR
    return np.asarray(np.log(rate / (1.0 - rate)) - np.log(prior / (1.0 - prior)), np.float64)
