"""The templates of one suite as arrays, ready for judging many pairs at once.

Every word becomes one character, so that a template is a string and rapidfuzz compares templates word by word. Two
tries, one over the words from the left and one from the right, give each *frame* (a common beginning and a common end,
such as "I go to the … page") a number and the templates that fit it.

Knows nothing of probabilities or of step definitions.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Postfix, Prefix
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cpdist

from cukereuse_engine.index.arrays import Growing
from cukereuse_engine.index.tries import Trie
from cukereuse_engine.text import guards
from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import spelled_out, tokens, words_of

Rows = NDArray[np.int64]

_FIRST_CHARACTER = 0x10000
END = chr(_FIRST_CHARACTER - 1)
_ARGUMENT_LIKE = re.compile(r"\d|[a-z][A-Z]|[_/@]|[A-Z]{2}")
"""A word that looks like a value: a digit, a hump, an acronym."""
_VALUE, _CAPITAL = 1, 2
_MOST_TEMPLATES = 1_000_000
"""Maximum number of templates that are matched with frames at once, unless one frame has more."""


class Words(dict[str, str]):
    """Maps words to characters: the n-th distinct word is the n-th character."""

    def __missing__(self, word: str) -> str:
        character = self[word] = chr(_FIRST_CHARACTER + len(self))
        return character

    def number(self, word: str) -> int:
        """The 0-based number of a distinct word."""
        return ord(self[word]) - _FIRST_CHARACTER


class _Looks(dict[str, int]):
    """Maps words as written to their look: a value, a word with a capital, or neither (0)."""

    def __missing__(self, word: str) -> int:
        value = word == SLOT or _ARGUMENT_LIKE.search(word) is not None
        look = self[word] = _VALUE if value else _CAPITAL if len(word) > 1 and word[0].isupper() else 0
        return look


class Frames(NamedTuple):
    """Common beginnings and common ends: their nodes, and their lengths in words. Every array is `(n,)`."""

    prefix_node: Rows
    suffix_node: Rows
    prefix: Rows
    suffix: Rows

    @property
    def numbers(self) -> Rows:
        """One number for each frame."""
        return self.prefix_node << 32 | self.suffix_node

    def take(self, places: Rows) -> "Frames":
        return Frames(*(column[places] for column in self))


class Templates:
    """Distinct templates (by `Template.key`), numbered as they come. `add` appends; nothing is ever removed.

    What is derived from the words of a template is derived for all new ones at once, when it is first asked for."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self.languages = languages
        self.rows: dict[str, int] = {}
        self.masked: list[str] = []
        self.keys: list[str] = []
        self.words = Words()
        self.sequences: list[str] = []
        """Words in order, one character each."""
        self.bags: list[str] = []
        """Distinct words, sorted, one character each: the common subsequence of two bags is their intersection."""
        self.members: list[int] = []
        """Rows of those that count in the statistics of the suite, as they came."""
        self._row_of_masked: dict[str, int] = {}
        self._is_member = bytearray()
        self._joining: list[int] = []
        self._looks = _Looks()
        self._looks_of: list[bytes] = []
        self._functional: list[bytes] = []
        self._stem = stemmer(languages).__getitem__
        self._stem_rows: dict[str, int] = {}
        self._stem_row: list[int] = []
        self._prefixes, self._suffixes = Trie(), Trie()
        self._columns = {name: Growing() for name in ("lengths", "offsets", "numbers", "stems", "bag_sizes")}
        self._cumulated = {name: Growing() for name in ("argument_like", "functional", "slots")}
        for sums in self._cumulated.values():
            sums.extend(np.zeros(1, np.int64))
        self._signatures = np.zeros((len(guards.Signature._fields), 0), np.int64)
        self._signed = np.zeros(0, np.bool_)
        self.function_words = words_of(languages, "function_words", "light_words")

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, masked: str, member: bool = True) -> int:
        """Row of the template, appended if it is new; a `member` counts in the statistics of its frames."""
        row = self._row_of_masked.get(masked)
        if row is None:
            key = masked.lower()
            row = self.rows.get(key)
            if row is None:
                row = self.rows[key] = len(self.keys)
                self._append(masked, key)
            self._row_of_masked[masked] = row
        if member and not self._is_member[row]:
            self._is_member[row] = True
            self._joining.append(row)
            self.members.append(row)
        return row

    def _append(self, masked: str, key: str) -> None:
        written = tokens(spelled_out(masked, self.languages), lower=False)
        words = [word.lower() for word in written]
        sequence = "".join(map(self.words.__getitem__, words))
        stems = " ".join(map(self._stem, words))
        self.masked.append(masked)
        self.keys.append(key)
        self.sequences.append(sequence)
        self.bags.append("".join(sorted(set(sequence))))
        self._looks_of.append(bytes([*map(self._looks.__getitem__, written), 0]))
        self._functional.append(bytes([*map(self.function_words.__contains__, words), 0]))
        self._stem_row.append(self._stem_rows.setdefault(stems, len(self._stem_rows)))
        self._is_member.append(False)

    def _complete(self) -> None:
        """Extend the arrays by the templates that were added."""
        columns, first = self._columns, len(self._columns["lengths"])
        sequences = self.sequences[first:]
        if sequences:
            lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
            ends = np.cumsum(lengths + 1)
            starts = ends - lengths - 1
            looks = np.frombuffer(b"".join(self._looks_of), np.uint8)
            inside = np.ones(len(looks), np.bool_)
            inside[starts] = False  # the first word has its capital from the sentence
            numbers = _numbers("".join([sequence + END for sequence in sequences]))
            columns["lengths"].extend(lengths)
            columns["offsets"].extend(len(columns["numbers"]) + starts)
            columns["numbers"].extend(numbers)
            flags = {
                "argument_like": (looks == _VALUE) | (inside & (looks == _CAPITAL)),
                "functional": np.frombuffer(b"".join(self._functional), np.uint8),
                "slots": numbers == self.words.number(SLOT),
            }
            for name, sums in self._cumulated.items():
                sums.extend(sums.values[-1] + np.cumsum(flags[name], dtype=np.int64))
            columns["stems"].extend(np.array(self._stem_row, np.int64))
            columns["bag_sizes"].extend(np.fromiter(map(len, self.bags[first:]), np.int64, len(sequences)))
            self._prefixes.add(numbers.tolist())
            self._suffixes.add(_numbers("".join([sequence[::-1] + END for sequence in sequences])).tolist())
            self._looks_of.clear()
            self._functional.clear()
            self._stem_row.clear()
        if self._joining:
            rows = np.array(self._joining, np.int64)
            for ends_of in (self._prefixes, self._suffixes):
                ends_of.join(rows, columns["offsets"].values[rows], columns["lengths"].values[rows])
            self._joining.clear()

    def array(self, name: str) -> NDArray[np.int64]:
        """A value for each template: "lengths" in words, "offsets" in the flat word list, "bag_sizes" (distinct words),
        "stems" (equal if two differ only in inflection). Or one for each place of the flat word list, in which a
        template ends with -1: "numbers"."""
        self._complete()
        return self._columns[name].values

    @property
    def prefixes(self) -> Trie:
        """The beginnings of the templates."""
        self._complete()
        return self._prefixes

    @property
    def suffixes(self) -> Trie:
        """The ends of the templates."""
        self._complete()
        return self._suffixes

    def signatures(self, rows: Rows) -> guards.Signature:
        """Guard signatures of these rows, as columns; each is computed when it is first asked for."""
        missing = len(self) - len(self._signed)
        if missing:
            self._signatures = np.pad(self._signatures, ((0, 0), (0, missing)))
            self._signed = np.pad(self._signed, (0, missing))
        for row in np.unique(rows[~self._signed[rows]]).tolist():
            self._signatures[:, row] = guards.signature(self.masked[row], self.languages)
            self._signed[row] = True
        return guards.Signature(*self._signatures[:, rows])

    def cumulated(self, name: str) -> NDArray[np.int64]:
        """For `Pairs.middle_sum`: the number of words before each position of the flat word list that are
        "argument_like", "functional" (without a meaning of their own) or "slots"."""
        self._complete()
        return self._cumulated[name].values

    def distinct_words(self, rows: Rows) -> tuple[Rows, Rows]:
        """Numbers of the distinct words of each row, one row after another; and the count of each row."""
        return _numbers("".join([self.bags[row] for row in rows.tolist()])), self.array("bag_sizes")[rows]

    def fitting(self, frames: Frames) -> Iterator[tuple[Rows, Rows, Rows]]:
        """The members that fit each frame, some frames at a time: positions of these frames in `frames`; and, flat, the
        position among these and the row of each member."""
        lengths, offsets = self.array("lengths"), self.array("offsets")
        sides = ((self.prefixes, frames.prefix_node), (self.suffixes, frames.suffix_node))
        sizes = [trie.sizes(nodes) for trie, nodes in sides]
        by_prefix = sizes[0] <= sizes[1]
        for side, chosen in enumerate((np.flatnonzero(by_prefix), np.flatnonzero(~by_prefix))):
            for places in _parts(chosen, sizes[side][chosen]):
                part = frames.take(places)
                owners, rows = sides[side][0].members(sides[side][1][places])
                long_enough = lengths[rows] >= (part.prefix + part.suffix)[owners]
                owners, rows = owners[long_enough], rows[long_enough]
                if side == 0:
                    fits = self._suffixes.nodes[offsets[rows] + part.suffix[owners]] == part.suffix_node[owners]
                else:
                    fits = self._prefixes.nodes[offsets[rows] + part.prefix[owners]] == part.prefix_node[owners]
                yield places, owners[fits], rows[fits]


class Pairs:
    """Pairs of rows of `Templates`, with measures of each. Every array is `(n,)`."""

    def __init__(self, templates: Templates, a: Rows, b: Rows) -> None:
        self.templates = templates
        self.a = a
        self.b = b
        left, right = self._gather(templates.sequences)
        lengths, offsets = templates.array("lengths"), templates.array("offsets")
        self.length_a, self.length_b = lengths[a], lengths[b]
        shortest = np.minimum(self.length_a, self.length_b)
        self.prefix = cpdist(left, right, scorer=Prefix.similarity, dtype=np.int64)
        """Words in common at the beginning."""
        self.suffix = np.minimum(cpdist(left, right, scorer=Postfix.similarity, dtype=np.int64), shortest - self.prefix)
        """Words in common at the end, after the beginning."""
        self._offset_a, self._offset_b = offsets[a], offsets[b]

    def __len__(self) -> int:
        return len(self.a)

    def take(self, places: Rows) -> "Pairs":
        """Some of the pairs, with their measures."""
        some = copy(self)
        for name, column in vars(self).items():
            if isinstance(column, np.ndarray):
                setattr(some, name, column[places])
        vars(some).pop("frames", None)
        some.guards = {name: differs[places] for name, differs in self.guards.items()}
        return some

    def _gather(self, values: Sequence[str]) -> tuple[list[str], list[str]]:
        return [values[row] for row in self.a.tolist()], [values[row] for row in self.b.tolist()]

    def indel(self) -> NDArray[np.float64]:
        """Indel similarity of the masked texts, without regard to case."""
        left, right = self._gather(self.templates.keys)
        return np.asarray(cpdist(left, right, scorer=ratio, dtype=np.float64)) / 100.0

    def jaccard(self) -> NDArray[np.float64]:
        """Shared words over all words."""
        return shared_words(*self._gather(self.templates.bags))

    def same_stems(self) -> NDArray[np.bool_]:
        """`(n,)`: True if the two differ only in inflection."""
        stems = self.templates.array("stems")
        return np.asarray(stems[self.a] == stems[self.b])

    def middle_sum(self, cumulated: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sum of a per-word value over the words between beginning and end, for either side.

        `cumulated[i]` is the sum of the values of all words before position i of the flat word list."""
        left = cumulated[self._offset_a + self.length_a - self.suffix] - cumulated[self._offset_a + self.prefix]
        right = cumulated[self._offset_b + self.length_b - self.suffix] - cumulated[self._offset_b + self.prefix]
        return left, right

    def middle_min(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Smallest per-word value between beginning and end, of both sides; 0 if nothing is between."""
        result = np.zeros(len(self))
        for offset, length in ((self._offset_a, self.length_a), (self._offset_b, self.length_b)):
            place, end = offset + self.prefix, offset + length - self.suffix
            inside = np.flatnonzero(place < end)
            while len(inside):
                result[inside] = np.minimum(result[inside], values[place[inside]])
                place[inside] += 1
                inside = inside[place[inside] < end[inside]]
        return result

    def ends(self) -> tuple[Rows, Rows]:
        """Node of each pair's common beginning, and of its common end."""
        nodes_left = self.templates.prefixes.nodes[self._offset_a + self.prefix]
        nodes_right = self.templates.suffixes.nodes[self._offset_a + self.suffix]
        return nodes_left, nodes_right

    @cached_property
    def frames(self) -> tuple[Frames, Rows]:
        """The frames of the pairs, each once, and the `(n,)` position of each pair's among them."""
        of_each = Frames(*self.ends(), self.prefix, self.suffix)
        _, first, where = np.unique(of_each.numbers, return_index=True, return_inverse=True)
        return of_each.take(first), where

    @cached_property
    def guards(self) -> dict[str, NDArray[np.bool_]]:
        """Maps guard ids to `(n,)`: True if the two differ by the guard."""
        return guards.differences(self.templates.signatures(self.a), self.templates.signatures(self.b))


def shared_words(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """(n,) Jaccard similarity of the bags `left[i]` and `right[i]`."""
    shared = cpdist(left, right, scorer=LCSseq.similarity, dtype=np.int64)
    sizes = np.fromiter(map(len, left), np.int64) + np.fromiter(map(len, right), np.int64)
    return np.asarray(shared / np.maximum(sizes - shared, 1), np.float64)


def _numbers(characters: str) -> Rows:
    """The numbers of the words of characters; -1 for `END`."""
    return np.frombuffer(characters.encode("utf-32-le"), "<u4").astype(np.int64) - _FIRST_CHARACTER


def characters(numbers: Rows) -> str:
    """The characters of words; `END` for -1."""
    return (numbers + _FIRST_CHARACTER).astype("<u4").tobytes().decode("utf-32-le")


def _parts(places: Rows, sizes: Rows) -> list[Rows]:
    """The places in parts of about `_MOST_TEMPLATES` in size."""
    return np.split(places, np.flatnonzero(np.diff(np.cumsum(sizes) // _MOST_TEMPLATES)) + 1) if len(places) else []
