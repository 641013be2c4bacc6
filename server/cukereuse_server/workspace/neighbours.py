"""Which templates of a suite are candidates for one, without comparing all with all: the incremental twin of
`cukereuse_engine.detection.candidates`.

Decides nothing, and gets templates one by one; `candidate_pairs` over the same templates is its exact twin. Crowds of
near copies are searched among all templates at once (`find_crowds`); later templates join one or do not, until the next
search.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from cukereuse_engine.detection.candidates import COSINE_THRESHOLD, LEXICAL_THRESHOLD, MEANING_THRESHOLD
from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.index.base import VectorIndex
from cukereuse_engine.index.crowds import CROWD_NEARNESS, EXAMPLES, crowds_of, length_order
from cukereuse_engine.judging.tagging import tagged
from cukereuse_server.workspace.vector_rows import VectorRows

_SHORTEST = LEXICAL_THRESHOLD / (2 - LEXICAL_THRESHOLD)
"""Two lengths p <= q can reach an Indel similarity t only if p / q >= t / (2 - t)."""
_FEW = 16
"""The number of keys that are inserted one by one."""
_ROUNDING = 1e-6
_WORTH_SAVING = 0.05
"""Share of changes in an index from which writing all of it takes less time than making them again."""
_COMMON = 2000
"""The number of templates with a word from which it means nothing by itself."""


class Neighbours:
    def __init__(self, languages: tuple[str, ...]) -> None:
        self.languages = languages
        self._masked: dict[str, str] = {}
        """Maps every key to its template's masked text."""
        self._unread: dict[str, None] = {}
        """Keys whose words are not read yet."""
        self._bags: dict[str, frozenset[str]] = {}
        """Maps every other key to its meaning words."""
        self._by_word: dict[str, dict[str, None]] = {}
        self._by_length: list[tuple[int, str]] = []
        """The keys with read words, with their lengths, sorted."""
        self._keys: list[str] = []
        """The same keys, in the same order."""
        self._examples: set[str] = set()
        """Keys that represent similar ones; empty without crowds."""
        self._crowded: set[str] = set()
        """The examples with a crowd around them."""
        self._left_out: set[str] = set()
        """Keys in crowds, which are compared only with templates of the same meaning words."""
        self._since: dict[str, frozenset[str]] = {}
        """Templates that came or went since crowds were looked for, with their meaning words; none without a crowd."""
        self.vectors = VectorRows()
        self.index: VectorIndex | None = None
        """The index of the templates in `vectors`; None until it has them all. Every vector is looked at until then."""
        self.margin = 0.0
        """The largest error of the cosines of `vectors`."""
        self.exact = VectorRows()
        """Exact vectors of the few templates whose pairs `vectors` leave open."""
        self._open: set[str] = set()
        """Templates whose exact vector was needed and missing."""

    def __len__(self) -> int:
        return len(self._masked)

    def __contains__(self, key: object) -> bool:
        return key in self._masked

    def add(self, key: str, masked: str) -> None:
        """Add a template. This takes no time: its words are read when they are needed."""
        if key not in self._masked:
            self._masked[key] = masked
            self._unread[key] = None

    def read(self) -> None:
        """Read the words of added templates: a second for ten thousand."""
        if not self._unread:
            return
        for key in self._unread:
            bag = self._bags[key] = tagged(self._masked[key], self.languages).meaning_words
            for word in bag:
                self._by_word.setdefault(word, {})[key] = None
        if len(self._unread) <= _FEW:
            for key in self._unread:
                at = bisect_left(self._by_length, (len(key), key))
                self._by_length.insert(at, (len(key), key))
                self._keys.insert(at, key)
        else:
            self._by_length = sorted((len(key), key) for key in self._bags)
            self._keys = [key for _, key in self._by_length]
        if self._are_there_crowds:
            for key in self._unread:
                self._join_crowd(key)
                self._change_crowds(key)
        self._unread.clear()

    def find_crowds(self) -> None:
        """Search again for templates with a crowd of near copies."""
        self.use_crowds(self.crowd_search()())

    @property
    def has_other_crowds(self) -> bool:
        """True if crowds may have changed, because templates came or went since the last search."""
        if self._are_there_crowds:
            self.read()
        return bool(self._since)

    def crowd_search(self) -> "Callable[[], FoundCrowds]":
        """A search for the crowds among the present templates; thread-safe."""
        self.read()
        self._since.clear()
        masked = dict(self._masked)
        return partial(_find_crowds, masked, [self._bags[key] for key in masked])

    def use_crowds(self, crowds: "FoundCrowds") -> set[str]:
        """Use the crowds found; newer templates join one or do not. Returns the templates that are compared with others
        now."""
        before = self._left_out
        self._examples, self._crowded, self._left_out = (keys & self._masked.keys() for keys in crowds)
        came = [key for key in self._since if key in self._bags]
        for key in came if self._crowded else ():
            self._join_crowd(key)
        return (before ^ self._left_out) & self._masked.keys()

    def told_same_words(self) -> set[str]:
        """Templates whose representative among those with the same meaning words may have changed."""
        self.read()
        keys: set[str] = set()
        for bag in set(self._since.values()):
            keys.update(self._first_of(bag, EXAMPLES + len(self._since)))
        return keys

    def remove(self, key: str) -> None:
        if self._masked.pop(key, None) is None:
            return
        if key in self._unread:
            del self._unread[key]
        else:
            self._change_crowds(key)
            for word in self._bags.pop(key):
                postings = self._by_word[word]
                del postings[key]
                if not postings:
                    del self._by_word[word]
            at = bisect_left(self._by_length, (len(key), key))
            del self._by_length[at], self._keys[at]
        for keys in (self._examples, self._crowded, self._left_out):
            keys.discard(key)
        self.vectors.remove([key])
        self.exact.remove([key])
        if self.index is not None:
            self.index.remove([key])

    def take_over(self, before: "Neighbours") -> None:
        """Take over the templates of another one, with their vectors."""
        for key in self._masked.keys() - before._masked.keys():
            self.remove(key)
        for key, masked in before._masked.items():
            self.add(key, masked)
        self.vectors, self.index, self.margin = before.vectors, before.index, before.margin
        self.exact, self._open = before.exact, before._open

    def keys(self) -> list[str]:
        return list(self._masked)

    def add_vectors(self, keys: Sequence[str], vectors: Vectors) -> None:
        """Add vectors of known templates; others are ignored."""
        rows = [row for row, key in enumerate(keys) if key in self._masked]
        if not rows:
            return
        names = [keys[row] for row in rows]
        self.vectors.add(names, vectors[rows])
        if self.index is not None:
            self.index.add(names, vectors[rows])

    def nearest(self, vector: Vectors, k: int) -> list[str]:
        """The `k` templates nearest to a vector `(dim,)` in meaning."""
        return [neighbour.key for neighbour in (self.index or self.vectors).search(vector[None, :], k)[0]]

    @property
    def has_unsaved_index(self) -> bool:
        """True if the index has changed so much since it was saved that it is worth saving."""
        return self.index is not None and 0 < _WORTH_SAVING * len(self.index) < self.index.unsaved

    @property
    def has_worn_index(self) -> bool:
        """True if so much was removed from the index that another one should be made."""
        return self.index is not None and self.index.is_worn

    def add_exact(self, vectors: Mapping[str, Vectors]) -> None:
        """Add exact vectors `(dim,)` by template; those of unknown templates are ignored."""
        here = [key for key in vectors if key in self._masked]
        if here:
            self.exact.add(here, np.stack([vectors[key] for key in here]))

    def without_vector(self, keys: Iterable[str]) -> list[str]:
        return [key for key in keys if key in self._masked and key not in self.vectors]

    def exactly(self, keys: Sequence[str]) -> Vectors:
        """`(len(keys), dim)`, zeros where the exact vector is not at hand: such pairs are not near, until it is."""
        rows = np.zeros((len(keys), self.vectors.dim), np.float32)
        for row, key in enumerate(keys):
            vector = self.exact.get(key)
            if vector is None:
                self._open.add(key)
            else:
                rows[row] = vector
        return rows

    @property
    def leaves_open(self) -> bool:
        """True if there is anything for `take_open`."""
        return bool(self._open)

    def take_open(self) -> list[str]:
        """Templates whose exact vector was needed since the last call."""
        wanted = sorted(key for key in self._open if key in self._masked and key not in self.exact)
        self._open.clear()
        return wanted

    def of(self, key: str) -> dict[str, float | None]:
        """Candidates for one template, without itself, each with the cosine of the two if both have vectors."""
        self.read()
        candidates = sorted(self._near(key)) if key not in self._left_out else []
        cosines = dict(zip(candidates, self.vectors.cosine(key, candidates), strict=True))
        return cosines | dict.fromkeys(self._of_same_words(key)) if self._left_out else cosines

    @property
    def has_crowds(self) -> bool:
        return bool(self._left_out)

    def is_left_out(self, key: str) -> bool:
        """True if a template is in a crowd, and no example of it."""
        return key in self._left_out

    def are_compared(self, key: str, other: str) -> bool:
        """True if crowds allow a pair of templates, provided that it is a candidate."""
        return self._left_out.isdisjoint((key, other)) or other in self._of_same_words(key)

    def sharing_words(self, key: str, masked: str, limit: int) -> list[str]:
        """Templates that share the most meaning words with the template `key`, which need not be known. Templates that
        share only very frequent words are left out."""
        self.read()
        shared: dict[str, int] = {}
        for word in self._bags.get(key) or tagged(masked, self.languages).meaning_words:
            postings = self._by_word.get(word, {})
            for other in postings if len(postings) <= _COMMON else ():
                shared[other] = shared.get(other, 0) + 1
        return sorted(shared, key=lambda other: (-shared[other] / len(self._bags[other]), other))[:limit]

    def _near(self, key: str) -> set[str]:
        near = {*self._near_in_wording(key), *self._near_in_words(key, MEANING_THRESHOLD)}
        vector = self.vectors.get(key)
        if vector is not None:
            [in_meaning] = (self.index or self.vectors).within(vector[None, :], COSINE_THRESHOLD - self.margin)
            near.update(neighbour.key for neighbour in in_meaning)
        near.discard(key)
        return near - self._left_out

    @property
    def _are_there_crowds(self) -> bool:
        """True also where all examples of a crowd went since the last search."""
        return bool(self._crowded or self._left_out)

    def _change_crowds(self, key: str) -> None:
        """Note that a template came or went."""
        if self._are_there_crowds:
            self._since[key] = self._bags[key]

    def _join_crowd(self, key: str) -> None:
        """Decide whether a later template belongs to a crowd, is an example of one, or neither."""
        near = self._examples.intersection(self._near_in_words(key, CROWD_NEARNESS)) - {key}
        if len(near) < EXAMPLES:
            self._examples.add(key)
        elif not near.isdisjoint(self._crowded):
            self._left_out.add(key)

    def _of_same_words(self, key: str) -> list[str]:
        """Among the first templates with the same meaning words, those that are candidates only for that reason."""
        first = self._first_of(self._bags[key], EXAMPLES)
        if key not in first:
            return []
        return [other for other in first if other != key and not self._left_out.isdisjoint((key, other))]

    def _first_of(self, bag: frozenset[str], count: int) -> list[str]:
        """The templates with these meaning words, shortest first."""
        holding = min((self._by_word.get(word, {}) for word in bag), key=len, default={})
        same = [other for other in holding if self._bags[other] == bag]
        return sorted(same, key=lambda other: length_order(self._masked[other]))[:count]

    def _near_in_wording(self, key: str) -> list[str]:
        size = len(key)
        first = bisect_left(self._by_length, (ceil(size * _SHORTEST), ""))
        others = self._keys[first : bisect_left(self._by_length, (floor(size / _SHORTEST) + 1, ""))]
        if not others:
            return []
        cutoff = 100 * LEXICAL_THRESHOLD - _ROUNDING
        scores = process.cdist([key], others, scorer=fuzz.ratio, score_cutoff=cutoff, dtype=np.float64)[0] / 100
        return [others[row] for row in np.flatnonzero(scores >= LEXICAL_THRESHOLD).tolist()]

    def _near_in_words(self, key: str, threshold: float) -> list[str]:
        """If two sets have a Jaccard similarity >= t, each shares t of its words with the other. So one of its words is
        shared even without that many of them; the rarest ones are used, for speed."""
        bag = self._bags[key]
        size = len(bag)
        rarest = sorted(bag, key=lambda word: (len(self._by_word[word]), word))
        near: set[str] = set()
        for word in rarest[: size - ceil(threshold * size - 1e-9) + 1]:
            near.update(self._by_word[word])
        keys = []
        for other in near:
            count = len(bag & self._bags[other])
            if count / (size + len(self._bags[other]) - count) >= threshold:
                keys.append(other)
        return keys


class FoundCrowds(NamedTuple):
    """Keys of templates; see `Neighbours` for their meaning."""

    examples: Set[str]
    crowded: Set[str]
    left_out: Set[str]


def _find_crowds(masked: Mapping[str, str], bags: Sequence[frozenset[str]]) -> FoundCrowds:
    keys = list(masked)
    crowds = crowds_of(list(masked.values()), bags)
    if not len(crowds.crowded):
        return FoundCrowds(frozenset(), frozenset(), frozenset())
    examples, crowded, left = (
        {keys[at] for at in each.tolist()} for each in (crowds.examples, crowds.crowded, crowds.left)
    )
    return FoundCrowds(examples, crowded, masked.keys() - left)
