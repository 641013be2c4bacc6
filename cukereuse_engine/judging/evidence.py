"""Evidence for and against one intent: the columns that the learned trees of `intent` use.

Besides those of the text judge: the unmatched words of two templates, their rarity in the suite, and the roles of the
steps. A new piece of evidence is a new key in one of the dictionaries below, and its beginning is in `Evidence`;
`python -m corpus_tools.training.intents` trains with it and shows if it earns its place.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.arrays import Owned
from cukereuse_engine.judging.alignment import Alignment, Alignments, WordRelation, align_all
from cukereuse_engine.judging.features import Column, Measured
from cukereuse_engine.judging.lexicon import LexicalUnit, Lexicon, Tag, lexicon
from cukereuse_engine.judging.tagging import Tagged
from cukereuse_engine.judging.templates import Pairs, shared_words
from cukereuse_engine.judging.usage import Usage
from cukereuse_engine.text.step_text import ACTION, CONTEXT, OUTCOME

_ATTEMPTS = frozenset({"try", "attempt"})
_NO = "no"
_TIME = frozenset({"now", "still", "already", "again", "also", "then", "just"})


class Evidence(StrEnum):
    """Kinds of evidence, in words for people; `columns`: the beginnings of its columns' names."""

    columns: tuple[str, ...]

    def __new__(cls, says: str, columns: str = "") -> Self:
        kind = str.__new__(cls, says)
        kind._value_, kind.columns = says, tuple(columns.split())
        return kind

    REPLACED = "words that replace others", "replaced n_replaced n_sibling n_opposite"
    SYNONYMS = "the meaning of words", "synonym n_synonym n_near_synonym n_state all_matched"
    FORMS = "forms and spellings of words", "plurals n_inflected n_spelled same_stems"
    MISSING = "words that only one has", "missing n_missing one_sided"
    SMALL_WORDS = "small words", "function light_words attempts time_words subjects"
    ORDER = "order and length", "shared moved units left_share middle frame_length both_single"
    ARGUMENTS = "arguments", "slots same_signs colon value"
    ROLES = "roles of their steps", "roles"
    GUARDS = "opposites, numbers and other limits", "guard order denied"
    FRAME = "other steps of the suite in the same frame", "support filler"
    ELSEWHERE = "other pairs of the suite with the same difference", "elsewhere"
    WORDING = "similarity of the wordings", "indel jaccard same_definition"
    READING = "the language model's reading of both"


@cache
def evidence_kind(column: str) -> Evidence:
    """The kind of evidence of a column, by the longest beginning. Raises `KeyError` if there is none."""
    kinds = [(len(start), kind) for kind in Evidence for start in kind.columns if column.startswith(start)]
    if not kinds:
        raise KeyError(column)
    return max(kinds)[1]


class PairEvidence:
    """Evidence about pairs of one suite's templates."""

    def __init__(self, usage: Usage, languages: tuple[str, ...]) -> None:
        self._usage = usage
        self._lexicon: Lexicon = lexicon(languages)

    def shared_meaning(self, pairs: Pairs) -> Column:
        """(n,) Jaccard similarity of the words with meaning, synonyms as one."""
        return shared_words(*(list(map(self._usage.meaning, rows.tolist())) for rows in (pairs.a, pairs.b)))

    def elsewhere(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> Column:
        """(n,) number of pairs of the suite that differ as the rows `a[i]` and `b[i]` do (`Usage.elsewhere`)."""
        self._usage.read()
        return np.array(list(map(self._usage.elsewhere, a.tolist(), b.tolist())), np.float64)

    def columns(self, some: Measured) -> dict[str, Column]:
        """`(n,)` each: the evidence, the features in `some`, and each guard. A denial inside a synonym ("contains no
        items" for "empty") denies nothing."""
        self._usage.read()
        rows, where = np.unique(np.stack([some.pairs.a, some.pairs.b]), return_inverse=True)
        sides = _Sides(list(map(self._usage.tagged, rows.tolist())), where.reshape(2, -1))
        left, right = sides.in_order()
        alignments = align_all(sides.texts, left, right, self._lexicon)
        measured = {
            **_matched(alignments, sides, self._usage),
            **_little(alignments),
            **_shape(alignments, sides),
            **_roles(*some.roles),
        }
        columns = {name: np.asarray(column, np.float64) for name, column in measured.items()}
        apart = {f"guard_{name}": differs.astype(np.float64) for name, differs in some.pairs.guards.items()}
        apart["guard_polarity"] *= 1.0 - columns["denied"]
        barred = np.maximum.reduce([differs for name, differs in apart.items() if name != "guard_order"])
        return {**columns, **some.features, **apart, "guards": barred, "same_definition": some.same}


def denied_within(alignment: Alignment) -> bool:
    """True if a denial is part of a synonym of the other text: "contains no items" and "empty"."""
    return any(
        relation is WordRelation.SYNONYM and other and (_NO in one.surface.split()) != (_NO in other.surface.split())
        for relation, one, other in alignment.matches
    )


class _Sides:
    """Both templates of n pairs; each distinct template is read once."""

    def __init__(self, texts: Sequence[Tagged], where: NDArray[np.int64]) -> None:
        """`where`: (2, n) positions of each pair's texts."""
        self.texts, self._where = texts, where

    def in_order(self) -> NDArray[np.int64]:
        """(2, n) positions of each pair's texts in alphabetical order: an alignment is the same either way."""
        masked = [text.masked for text in self.texts]
        ranks = np.argsort(sorted(range(len(masked)), key=masked.__getitem__))
        is_later = ranks[self._where[0]] > ranks[self._where[1]]
        return np.where(is_later, self._where[::-1], self._where)

    def of(self, value: Callable[[Tagged], Any]) -> NDArray[Any]:
        """(2, n, …) the value of each text."""
        return np.array(list(map(value, self.texts)))[self._where]


def _matched(alignments: Alignments, sides: _Sides, usage: Usage) -> dict[str, Column]:
    """Evidence from matched and missing units: their relations, their rarity, and how often they are names."""
    (pair, relation, one, other), units = alignments.matches, alignments.units
    of, both = Owned(pair, len(alignments.shared)), np.stack([one, np.where(other < 0, one, other)])
    rarity, facts = np.zeros(len(units)), np.zeros((len(units), 3), np.bool_)
    matched = np.unique(both)
    own = [units[number] for number in matched.tolist()]
    rarity[matched] = list(map(usage.rarity, own))
    its = [(unit.surface.endswith("s"), bool(unit.senses), _NO in unit.surface.split()) for unit in own]
    facts[matched] = np.array(its, np.bool_).reshape(-1, 3)
    rarity, tag, (plural, known, says_no) = rarity[both], alignments.tags[both], facts.T[:, both]
    numbers: dict[LexicalUnit | None, int] = {unit: number for number, unit in enumerate(units)}
    begins = sides.of(lambda text: [numbers.get(unit, -1) for unit in (*text.units[:2], None, None)[:2]])
    first = np.concatenate(begins, 1)
    missing, synonym = relation == WordRelation.MISSING, relation == WordRelation.SYNONYM
    replaced = np.isin(relation, (WordRelation.REPLACED, WordRelation.SIBLING, WordRelation.OPPOSITE))
    together = _together(both, replaced | synonym, units, usage)
    return {
        **{f"n_{kind.name.lower()}": of.total(relation == kind) for kind in WordRelation},
        "plurals": of.total((relation == WordRelation.INFLECTED) & (plural[0] != plural[1])),
        "replaced_rarity": of.most(replaced * rarity.max(0)),
        "replaced_rarity_least": of.most(replaced * rarity.min(0)),
        "replaced_total": of.total(replaced * rarity.sum(0)),
        "replaced_names": of.total(replaced * (tag >= Tag.NAME).sum(0)),
        "replaced_slots": of.total(replaced & (tag == Tag.SLOT).any(0)),
        "replaced_first": of.most(replaced & (both[:, :, None] == first[of.pair]).any((0, 2))),
        "replaced_together": of.most(replaced * together),
        "all_matched": 1.0 - of.most(replaced | missing | (relation == WordRelation.STATE)),
        "synonym_rarity": of.most(synonym * rarity[0]),
        "synonym_together": of.most(synonym * together),
        "missing_rarity": of.total(missing * rarity[0]),
        "missing_rarest": of.most(missing * rarity[0]),
        "missing_slots": of.total(missing & (tag[0] == Tag.SLOT)),
        "missing_names": of.total(missing & (tag[0] >= Tag.NAME)),
        "denied": of.most(synonym & (says_no[0] != says_no[1])),
        "missing_known": of.total(missing & known[0]),
    }


def _together(both: NDArray[np.int64], asked: NDArray[np.bool_], units: Sequence[LexicalUnit], usage: Usage) -> Column:
    """(m,) for each match in `asked`: log of the number of templates with both units."""
    pairs, where = np.unique(both[0, asked] * len(units) + both[1, asked], return_inverse=True)
    counts = usage.together(units, *np.divmod(pairs, max(len(units), 1)))
    result = np.zeros(len(asked))
    result[asked] = np.log1p(counts)[where]
    return result


def _little(alignments: Alignments) -> dict[str, Column]:
    """Evidence from small words that only one template has, by their kinds."""
    pair, little = alignments.little
    of, tag = Owned(pair, len(alignments.shared)), alignments.tags[little]
    stems = [alignments.units[number].stem for number in little.tolist()]
    return {
        "function_words": of.total(tag == Tag.FUNCTION),
        "subjects": of.total(tag == Tag.SUBJECT),
        "light_words": of.total(tag == Tag.LIGHT),
        "attempts": of.most(np.array([stem in _ATTEMPTS for stem in stems], np.bool_)),
        "time_words": of.most(np.array([stem in _TIME for stem in stems], np.bool_)),
    }


def _shape(alignments: Alignments, sides: _Sides) -> dict[str, NDArray[Any]]:
    units = sides.of(lambda text: len(text.units)).sum(0)
    slots = sides.of(lambda text: [unit.tag for unit in text.units].count(Tag.SLOT))
    signs: dict[tuple[str, ...], int] = {}
    left, right = sides.of(lambda text: (signs.setdefault(text.signs, len(signs)), text.masked.endswith(":")))
    matches = np.bincount(alignments.matches[0], minlength=len(alignments.shared))
    return {
        "shared": alignments.shared,
        "moved": alignments.moved,
        "units": units,
        "left_share": 2.0 * matches / np.maximum(units, 1),
        "slots": slots.min(0),
        "slots_only_in_one": np.ptp(slots, axis=0),
        "same_signs": left[:, 0] == right[:, 0],
        "colon": left[:, 1] != right[:, 1],
    }


def _roles(left: NDArray[np.int8], right: NDArray[np.int8]) -> dict[str, NDArray[np.bool_]]:
    """`(n,)` each: True if both share a role, and if only one has a role alone; False if either's roles are unknown."""
    both_known = (left != 0) & (right != 0)
    apart = {
        name: both_known & ((left == role) != (right == role))
        for name, role in (("roles_check", OUTCOME), ("roles_context", CONTEXT), ("roles_action", ACTION))
    }
    return {"roles_shared": both_known & ((left & right) != 0), **apart}
