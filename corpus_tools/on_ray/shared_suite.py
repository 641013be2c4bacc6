"""What a judge knows of a suite, as arrays that processes share: read in slices, put together once, and used by judges
that see the texts of a few of its templates only."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, reduce
from hashlib import blake2b
from operator import xor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.arrays import Growing, cumulate, ranges
from cukereuse_engine.index.tries import Trie
from cukereuse_engine.judging.fillers import FrameFillers
from cukereuse_engine.judging.lexicon import LexicalUnit
from cukereuse_engine.judging.tagging import tagged
from cukereuse_engine.judging.templates import END, Rows, Templates, characters
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.judging.usage import MOST_ELSEWHERE, MOST_LOOKED_AT, Usage
from cukereuse_engine.text.stemming import stemmer

Signs = NDArray[np.uint64]
_BITS = 31
_MOST_FRAMES = 1 << 18
"""Frames whose fillers a judge keeps: 14 MB."""


class WordLists(NamedTuple):
    """Lists of strings, one for each of n templates."""

    values: Sequence[str]
    """The distinct strings."""
    numbers: Rows
    """The strings by their numbers, one list after another."""
    sizes: Rows
    """(n,)"""

    @classmethod
    def of(cls, lists: Iterable[Collection[str]]) -> "WordLists":
        number: dict[str, int] = {}
        sizes, flat = [], []
        for each in lists:
            sizes.append(len(each))
            flat += [number.setdefault(value, len(number)) for value in each]
        return cls(list(number), np.array(flat, np.int64), np.array(sizes, np.int64))

    @classmethod
    def together(cls, parts: "Sequence[WordLists]") -> "WordLists":
        """One list after another; the strings are numbered in their order. A number -1 stays."""
        values = sorted({value for part in parts for value in part.values})
        number = {value: place for place, value in enumerate(values)}
        numbers = [np.array([*map(number.__getitem__, part.values), -1])[part.numbers] for part in parts]
        return cls(values, np.concatenate(numbers), np.concatenate([part.sizes for part in parts]))

    @property
    def owners(self) -> Rows:
        """The template of each of the `numbers`."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def ascending(self) -> "WordLists":
        """The same strings, in their order in each list."""
        return WordLists(self.values, self.numbers[np.lexsort((self.numbers, self.owners))], self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class TemplateReading:
    """What a slice of a suite's templates says."""

    words: WordLists
    """In order; -1 behind each template's last."""
    columns: Mapping[str, Rows]
    """"lengths" and "bag_sizes", as in `Templates.array`."""
    counted: Mapping[str, Rows]
    """1 for each place of `words` that `Templates.cumulated` counts, else 0."""
    signatures: NDArray[np.int64]
    stems: WordLists
    """`Tagged.stems`"""
    meanings: WordLists
    """`Tagged.meaning_words`"""


def read_templates(masked: Sequence[str], languages: tuple[str, ...]) -> TemplateReading:
    """`masked`: distinct templates."""
    templates = Templates(languages)
    rows = np.array([templates.add(text, member=False) for text in masked], np.int64)
    read = [tagged(text, languages) for text in masked]
    lengths = templates.array("lengths")
    return TemplateReading(
        WordLists(list(templates.words), templates.array("numbers"), lengths + 1),
        {"lengths": lengths, "bag_sizes": templates.array("bag_sizes")},
        {name: np.diff(templates.cumulated(name)) for name in ("argument_like", "functional", "slots")},
        np.array(templates.signatures(rows), np.int64),
        WordLists.of(text.stems for text in read),
        WordLists.of(text.meaning_words for text in read),
    )


@dataclass(frozen=True, slots=True, eq=False)
class StemArrays:
    """Which templates have which stems. The sign of several stems is the exclusive or of their own, so that two
    templates differ in the stems whose sign is the exclusive or of theirs."""

    number: Mapping[str, int]
    counts: Sequence[int]
    """The number of templates with each stem."""
    sign: Sequence[int]
    """Of each stem."""
    sign_of_row: Signs
    """Of each template's stems."""
    said: Signs
    """The distinct signs of templates, ascending."""
    rows: Rows
    """The templates with each stem, one stem after another, ascending."""
    starts: Rows
    keys: Rows
    """The same as numbers of a stem and a template, ascending."""
    pairs: Rows
    """Two stems of one template, the same twice too, as one number, ascending."""
    together: Rows
    """The number of templates with each of the `pairs`."""

    @classmethod
    def of(cls, stems: WordLists) -> "StemArrays":
        owners, numbers = stems.owners, stems.numbers
        digests = (blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8) for stem in stems.values)
        sign = np.array([int.from_bytes(digest.digest()) for digest in digests], np.uint64)
        of_row = np.zeros(len(stems.sizes), np.uint64)
        np.bitwise_xor.at(of_row, owners, sign[numbers])
        counts = np.bincount(numbers, minlength=len(stems.values))
        keys = np.sort(numbers << _BITS | owners)
        pairs = [numbers << _BITS | numbers]
        for apart in range(1, int(stems.sizes.max(initial=0))):
            (both,) = np.nonzero(owners[apart:] == owners[:-apart])
            pairs.append(numbers[both] << _BITS | numbers[both + apart])
        distinct, together = np.unique(np.concatenate(pairs), return_counts=True)
        return cls(
            {stem: place for place, stem in enumerate(stems.values)},
            counts.tolist(),
            sign.tolist(),
            of_row,
            np.unique(of_row),
            keys & ((1 << _BITS) - 1),
            cumulate(counts),
            keys,
            distinct,
            together,
        )


class SharedUsage(Usage):
    """The usage in a whole suite, for some of its templates."""

    def __init__(self, templates: Templates, stems: StemArrays, size: int, meaning: Callable[[int], str]) -> None:
        """`size`: the number of the suite's templates."""
        super().__init__(templates)
        self._read, self._arrays = size, stems
        self.meaning = meaning

    def read(self) -> None:
        """All is read already."""

    def together(self, units: Sequence[LexicalUnit], one: Rows, other: Rows) -> Rows:
        stems = self._arrays
        numbers = np.array([stems.number.get(unit.stem, -1) for unit in units], np.int64)
        left, right = np.sort([numbers[one], numbers[other]], axis=0)
        return _looked_up(left << _BITS | right, stems.pairs, stems.together)

    def _count_elsewhere(self, mine: frozenset[str], theirs: frozenset[str]) -> int:
        stems, differing = self._arrays, mine | theirs
        if not all(map(self._count, differing)):
            return 0
        rarest = min(differing, key=lambda stem: (self._count(stem), stem))
        start, size = stems.starts[stems.number[rarest]], min(self._count(rarest), MOST_LOOKED_AT)
        rows = stems.rows[start : start + size]
        others = [stem for stem in differing if stem != rarest]
        if others:
            keys = np.array([[stems.number[stem]] for stem in others], np.int64) << _BITS | rows
            wanted = np.array([[(stem in mine) == (rarest in mine)] for stem in others])
            rows = rows[(_is_among(keys, stems.keys) == wanted).all(0)]
        sign = reduce(xor, (stems.sign[stems.number[stem]] for stem in differing))
        alike = np.array([text ^ sign for text in {*stems.sign_of_row[rows].tolist()}], np.uint64)
        return min(int(_is_among(alike, stems.said).sum()), MOST_ELSEWHERE)

    def _count(self, stem: str) -> int:
        number = self._arrays.number.get(stem)
        return 0 if number is None else self._arrays.counts[number]


def _is_among(values: NDArray[Any], ascending: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(ascending.take(ascending.searchsorted(values), mode="clip") == values, np.bool_)


def _looked_up(keys: Rows, ascending: Rows, values: Rows) -> Rows:
    """The value of each key; 0 for one that is not there."""
    return np.where(_is_among(keys, ascending), values.take(ascending.searchsorted(keys), mode="clip"), 0)


class TemplateArrays(NamedTuple):
    """Of n templates with w words, in which each template ends with one more place."""

    columns: Mapping[str, Rows]
    """As `Templates.array` gives them."""
    cumulated: Mapping[str, Rows]
    """As `Templates.cumulated` gives them."""
    signatures: NDArray[np.int64]
    """(fields, n)"""
    prefixes: Trie
    suffixes: Trie


class SharedTemplates(Templates):
    """A suite's templates that were read elsewhere; none can be added."""

    @classmethod
    def of_arrays(cls, languages: tuple[str, ...], arrays: TemplateArrays) -> "SharedTemplates":
        """What is known of a suite's templates, by row, by word and by frame, without their texts (see `take`)."""
        whole = cls(languages)
        whole._columns = {name: Growing(values) for name, values in arrays.columns.items()}
        whole._cumulated = {name: Growing(values) for name, values in arrays.cumulated.items()}
        whole._signatures, whole._signed = arrays.signatures, np.ones(arrays.signatures.shape[1], np.bool_)
        whole._prefixes, whole._suffixes = arrays.prefixes, arrays.suffixes
        return whole

    def take(self, rows: Rows, masked: Sequence[str]) -> "SharedTemplates":
        """The templates of these rows, numbered from 0, whose texts are `masked`. What is known by word and by frame is
        shared, and no other template can be added."""
        some = copy(self)
        of_rows = {name: self.array(name)[rows] for name in ("lengths", "offsets", "stems", "bag_sizes")}
        some._columns = {**self._columns, **{name: Growing(values) for name, values in of_rows.items()}}
        some._signatures, some._signed = self._signatures[:, rows], np.ones(len(rows), np.bool_)
        numbers = self.array("numbers")[ranges(of_rows["offsets"], of_rows["lengths"] + 1)]
        some.sequences = characters(numbers).split(END)[:-1]
        some.bags = ["".join(sorted(set(sequence))) for sequence in some.sequences]
        some.masked, some.keys = list(masked), [text.lower() for text in masked]
        some.rows, some._row_of_masked = {key: row for row, key in enumerate(some.keys)}, {}
        return some


@dataclass(frozen=True, eq=False)
class SharedSuite:
    """All templates of a suite are members."""

    languages: tuple[str, ...]
    arrays: TemplateArrays
    stems: StemArrays
    meanings: tuple[Rows, Rows]
    """Where each template's words with meaning begin, and the numbers of these words, ascending in each."""

    @classmethod
    def of(cls, languages: tuple[str, ...], readings: Sequence[TemplateReading]) -> "SharedSuite":
        words = WordLists.together([reading.words for reading in readings])
        columns = {
            name: np.concatenate([reading.columns[name] for reading in readings]) for name in ("lengths", "bag_sizes")
        }
        lengths, offsets = columns["lengths"], cumulate(words.sizes)[:-1]
        stems = WordLists.of([[stemmer(languages)[word]] for word in words.values]).numbers
        inflected = Trie.of(np.append(stems, -1)[words.numbers], lengths)
        backwards = np.repeat(2 * offsets + lengths - 1, words.sizes) - np.arange(len(words.numbers))
        backwards[offsets + lengths] = offsets + lengths
        meanings = WordLists.together([reading.meanings for reading in readings]).ascending()
        return cls(
            languages,
            TemplateArrays(
                {
                    **columns,
                    "offsets": offsets,
                    "numbers": words.numbers,
                    "stems": inflected.nodes[offsets + lengths],
                },
                {
                    name: cumulate(np.concatenate([reading.counted[name] for reading in readings]))
                    for name in ("argument_like", "functional", "slots")
                },
                np.concatenate([reading.signatures for reading in readings], axis=1),
                Trie.of(words.numbers, lengths),
                Trie.of(words.numbers[backwards], lengths),
            ),
            StemArrays.of(WordLists.together([reading.stems for reading in readings]).ascending()),
            (cumulate(meanings.sizes), meanings.numbers),
        )

    @cached_property
    def _templates(self) -> SharedTemplates:
        return SharedTemplates.of_arrays(self.languages, self.arrays)

    @cached_property
    def _fillers(self) -> FrameFillers:
        return FrameFillers(self._templates)

    def judge(self, rows: Rows, masked: Sequence[str]) -> TextJudge:
        """A judge of the templates `rows`, whose texts are `masked`, with the verdicts of `TextJudge.for_suite`."""
        self._fillers.keep(_MOST_FRAMES)
        templates, (starts, numbers) = self._templates.take(rows, masked), self.meanings
        sizes = starts[rows + 1] - starts[rows]
        text = characters(numbers[ranges(starts[rows], sizes)])
        ends = cumulate(sizes).tolist()

        def meaning(row: int) -> str:
            return text[ends[row] : ends[row + 1]]

        usage = SharedUsage(templates, self.stems, len(self.arrays.columns["lengths"]), meaning)
        return TextJudge(self.languages, known=(templates, self._fillers, usage))
