"""The templates of one suite as arrays, ready for judging many pairs at once.

Every word becomes one character, so that a template is a string and rapidfuzz compares templates word by word. Two
tries, one over the words from the left and one from the right, give each *frame* (a common beginning and a common end,
such as "I go to the … page") a number and the templates that fit it.

Knows nothing of probabilities or of step definitions.
"""

import re
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Postfix, Prefix
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cpdist

from cukereuse_engine.judging.meaning import Meaning, meaning_of
from cukereuse_engine.text import guards
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import stem, tokens, vocabulary

Rows = NDArray[np.int64]

_FIRST_CHARACTER = 0x10000
_ARGUMENT_LIKE = re.compile(r"\d|[a-z][A-Z]|[_/@]|[A-Z]{2}")
"""A word that is more a value than a word: a digit, a hump, an acronym."""


class Words:
    """Numbers for words: the n-th distinct word is n."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def encode(self, words: Iterable[str]) -> list[int]:
        numbers = self.numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]


class Trie:
    """Numbers every beginning of the sequences it has seen. Node 0 is the empty beginning."""

    def __init__(self) -> None:
        self._children: dict[tuple[int, int], int] = {}
        self.members: list[list[int]] = [[]]

    def path(self, numbers: Iterable[int]) -> list[int]:
        """Node of each beginning of `numbers`, the empty one first."""
        node = 0
        nodes = [0]
        for number in numbers:
            key = (node, number)
            found = self._children.get(key)
            if found is None:
                found = len(self.members)
                self._children[key] = found
                self.members.append([])
            node = found
            nodes.append(node)
        return nodes


class Frame(NamedTuple):
    """A common beginning and a common end: their trie nodes, and their lengths in words."""

    prefix_node: int
    suffix_node: int
    prefix: int
    suffix: int


class Templates:
    """Distinct templates (by `Template.key`), numbered as they come. `add` appends; nothing is ever removed."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self.languages = languages
        self.rows: dict[str, int] = {}
        self.masked: list[str] = []
        self.keys: list[str] = []
        self.words = Words()
        self.sequences: list[str] = []
        """Words in order, one character each."""
        self.stems: list[str] = []
        """Stems in order, one character each."""
        self.bags: list[str] = []
        """Distinct words, sorted, one character each: the common subsequence of two bags is their intersection."""
        self.prefixes = Trie()
        self.suffixes = Trie()
        self.member_count = 0
        self._is_member: list[bool] = []
        self._stem_words = Words()
        # Compact, so that each becomes a NumPy array by one copy after a template was added.
        self._lengths = array("q")
        self._offsets = array("q", [0])
        self._numbers = array("q")
        self._prefix_nodes = array("q")
        self._suffix_nodes = array("q")
        self._argument_like = array("q")
        self._flagged: dict[str, array[int]] = {}
        self._arrays: dict[str, tuple[int, NDArray[Any]]] = {}
        self._signatures = np.zeros((0, len(guards.Signature._fields)), np.int64)
        self._signed = np.zeros(0, np.bool_)
        known = [vocabulary(code) for code in languages]
        self.function_words = frozenset(
            word for language in known for word in language.function_words | language.light_words
        )
        self.negations = frozenset(word for language in known for word in language.negations)

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, masked: str, member: bool = True) -> int:
        """Row of the template, appended if it is new; a `member` counts in the statistics of its frames."""
        key = masked.lower()
        row = self.rows.get(key)
        if row is not None:
            if member and not self._is_member[row]:
                self._join(row)
            return row
        row = self.rows[key] = len(self.keys)
        words = tokens(masked)
        numbers = self.words.encode(words)
        self.masked.append(masked)
        self.keys.append(key)
        self.sequences.append(_string(numbers))
        self.stems.append(_string(self._stem_words.encode(stem(word) for word in words)))
        self.bags.append(_string(sorted(set(numbers))))
        self._lengths.append(len(words))
        self._offsets.append(self._offsets[-1] + len(words) + 1)
        self._numbers.extend([*numbers, -1])
        self._prefix_nodes.extend(self.prefixes.path(numbers))
        self._suffix_nodes.extend(self.suffixes.path(reversed(numbers)))
        self._argument_like.extend([*_argument_like(masked, len(words)), 0])
        self._is_member.append(False)
        if member:
            self._join(row)
        return row

    def _join(self, row: int) -> None:
        self._is_member[row] = True
        self.member_count += 1
        for node in self.prefix_path(row):
            self.prefixes.members[node].append(row)
        for node in self.suffix_path(row):
            self.suffixes.members[node].append(row)

    def array(self, name: str) -> NDArray[Any]:
        """One of the growing lists as an array: "lengths", "offsets", "numbers", "prefix_nodes", …"""
        values: array[int] = getattr(self, f"_{name}")
        held = self._arrays.get(name)
        if held is None or held[0] != len(values):
            held = self._arrays[name] = (len(values), np.array(values, np.int64))
        return held[1]

    def signatures(self, rows: Rows) -> guards.Signature:
        """Guard signatures of these rows, as columns; each is computed when it is first asked for."""
        if len(self._signed) != len(self):
            missing = len(self) - len(self._signed)
            self._signatures = np.pad(self._signatures, ((0, missing), (0, 0)))
            self._signed = np.pad(self._signed, (0, missing))
        wanted = np.unique(rows)
        for row in wanted[~self._signed[wanted]].tolist():
            self._signatures[row] = guards.signature_of_masked(self.masked[row], self.languages)
            self._signed[row] = True
        return guards.Signature(*self._signatures[rows].T)

    def meaning(self, row: int) -> Meaning:
        """What the template says without words that carry no meaning."""
        return meaning_of(self.masked[row], self.languages)

    def cumulated(self, name: str) -> NDArray[np.int64]:
        """For `Pairs.middle_sum`: how many words of the flat word list, before each position, are "argument_like",
        "functional" (without a meaning of their own) or "slots". Remembered until a template is added."""
        held = self._arrays.get(f"cumulated {name}")
        if held is None or held[0] != len(self._numbers):
            flags = self.array(name) if name == "argument_like" else self._flags(name)
            held = self._arrays[f"cumulated {name}"] = (len(self._numbers), cumulate(flags))
        return held[1]

    def _flags(self, name: str) -> NDArray[np.int64]:
        wanted = self.function_words if name == "functional" else {SLOT}
        flags = self._flagged.setdefault(name, array("q"))
        flags.extend(word in wanted for word in islice(self.words.numbers, len(flags), None))
        return np.asarray(np.append(np.array(flags, np.int64), 0)[self.array("numbers")], np.int64)

    def prefix_path(self, row: int) -> list[int]:
        """Trie nodes of the template's beginnings, the empty one first."""
        return self._prefix_nodes[self._offsets[row] : self._offsets[row + 1]].tolist()

    def suffix_path(self, row: int) -> list[int]:
        """Trie nodes of the template's ends, the empty one first."""
        return self._suffix_nodes[self._offsets[row] : self._offsets[row + 1]].tolist()

    @staticmethod
    def word_numbers(sequence: str) -> list[int]:
        """Numbers of the words of a string of `sequences` or `bags`."""
        return [ord(character) - _FIRST_CHARACTER for character in sequence]

    def words_of(self, row: int) -> list[str]:
        return tokens(self.masked[row])

    def fitting(self, frame: Frame) -> Rows:
        """Rows of the members that begin and end as the frame says."""
        by_prefix, by_suffix = self.prefixes.members[frame.prefix_node], self.suffixes.members[frame.suffix_node]
        rows = np.array(by_prefix if len(by_prefix) <= len(by_suffix) else by_suffix, np.int64)
        if not len(rows):
            return rows
        lengths = self.array("lengths")[rows]
        offsets = self.array("offsets")[rows]
        fits = lengths >= frame.prefix + frame.suffix
        rows, offsets = rows[fits], offsets[fits]
        if len(by_prefix) <= len(by_suffix):
            return np.asarray(rows[self.array("suffix_nodes")[offsets + frame.suffix] == frame.suffix_node], np.int64)
        return np.asarray(rows[self.array("prefix_nodes")[offsets + frame.prefix] == frame.prefix_node], np.int64)


class Pairs:
    """Pairs of rows of `Templates`, with what is measured of each. Every array is `(n,)`."""

    def __init__(self, templates: Templates, a: Rows, b: Rows) -> None:
        self.templates = templates
        self.a = a
        self.b = b
        sequences = templates.sequences
        one = [sequences[row] for row in a]
        other = [sequences[row] for row in b]
        lengths = templates.array("lengths")
        self.length_a, self.length_b = lengths[a], lengths[b]
        shortest = np.minimum(self.length_a, self.length_b)
        self.prefix = cpdist(one, other, scorer=Prefix.similarity, dtype=np.int64)
        """Words in common at the beginning."""
        self.suffix = np.minimum(cpdist(one, other, scorer=Postfix.similarity, dtype=np.int64), shortest - self.prefix)
        """Words in common at the end, after the beginning."""
        self._offset_a, self._offset_b = templates.array("offsets")[a], templates.array("offsets")[b]
        self._distinct: tuple[list[Frame], NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return len(self.a)

    def _gather(self, values: Sequence[str]) -> tuple[list[str], list[str]]:
        return [values[row] for row in self.a], [values[row] for row in self.b]

    def indel(self) -> NDArray[np.float64]:
        """Indel similarity of the masked texts, without regard to case."""
        one, other = self._gather(self.templates.keys)
        return np.asarray(cpdist(one, other, scorer=ratio, dtype=np.float64)) / 100.0

    def jaccard(self) -> NDArray[np.float64]:
        """Shared words over all words."""
        one, other = self._gather(self.templates.bags)
        shared = cpdist(one, other, scorer=LCSseq.similarity, dtype=np.int64)
        sizes = np.array([len(x) + len(y) for x, y in zip(one, other, strict=True)], np.int64)
        return np.asarray(shared / np.maximum(sizes - shared, 1), np.float64)

    def same_stems(self) -> NDArray[np.bool_]:
        """Whether the two differ in inflection only."""
        one, other = self._gather(self.templates.stems)
        return np.array([x == y for x, y in zip(one, other, strict=True)], np.bool_)

    def middle_sum(self, cumulated: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sum of a per-word value over the words between beginning and end, for either side.

        `cumulated[i]` is the sum of the values of all words before position i of the flat word list.
        """
        one = cumulated[self._offset_a + self.length_a - self.suffix] - cumulated[self._offset_a + self.prefix]
        other = cumulated[self._offset_b + self.length_b - self.suffix] - cumulated[self._offset_b + self.prefix]
        return one, other

    def middle_min(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Smallest per-word value between beginning and end, of both sides; 0 where nothing is between."""
        result = np.zeros(len(self))
        for offset, length in ((self._offset_a, self.length_a), (self._offset_b, self.length_b)):
            place, end = offset + self.prefix, offset + length - self.suffix
            inside = np.flatnonzero(place < end)
            while len(inside):
                result[inside] = np.minimum(result[inside], values[place[inside]])
                place[inside] += 1
                inside = inside[place[inside] < end[inside]]
        return result

    def frames(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Prefix node and suffix node of each pair's frame."""
        nodes_left = self.templates.array("prefix_nodes")[self._offset_a + self.prefix]
        nodes_right = self.templates.array("suffix_nodes")[self._offset_a + self.suffix]
        return nodes_left, nodes_right

    def distinct_frames(self) -> tuple[list[Frame], NDArray[np.int64]]:
        """The frames of the pairs, each once, and the `(n,)` position of each pair's in that list."""
        if self._distinct is None:
            left, right = self.frames()
            _, first, where = np.unique(
                left * len(self.templates.suffixes.members) + right, return_index=True, return_inverse=True
            )
            columns = (left[first], right[first], self.prefix[first], self.suffix[first])
            frames = [Frame(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]
            self._distinct = frames, where
        return self._distinct

    def guards(self) -> dict[str, NDArray[np.bool_]]:
        """Guard id to whether the two differ by it."""
        return guards.differences(self.templates.signatures(self.a), self.templates.signatures(self.b))


def cumulate(values: NDArray[Any]) -> NDArray[Any]:
    """For `Pairs.middle_sum`: sums of all values before each position."""
    result = np.zeros(len(values) + 1, values.dtype)
    np.cumsum(values, out=result[1:])
    return result


def _string(numbers: Iterable[int]) -> str:
    return "".join([chr(_FIRST_CHARACTER + number) for number in numbers])


def _argument_like(masked: str, count: int) -> list[int]:
    """1 for each word that looks like a value, 0 for others."""
    cased = tokens(masked, lower=False)
    if len(cased) != count:
        return [0] * count
    return [
        int(_is_value(word) or (place > 0 and len(word) > 1 and word[0].isupper())) for place, word in enumerate(cased)
    ]


@lru_cache(maxsize=65536)
def _is_value(word: str) -> bool:
    return word == SLOT or _ARGUMENT_LIKE.search(word) is not None
