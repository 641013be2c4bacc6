"""What speaks for and against one intent: the columns that the learned trees of `intent` ask about.

Beside those of the text judge: what stays unmatched between two templates, how rare that is in the suite, which roles
their steps have. A new piece of evidence is a new key here; `python -m corpus_tools.training.intents` says whether it
earns its place.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Self

import numpy as np

from cukereuse_engine.judging.alignment import Alignment, Match, Relation, align, is_plural
from cukereuse_engine.judging.features import Column, Measured
from cukereuse_engine.judging.lexicon import Lexicon, Tag, Unit, lexicon
from cukereuse_engine.judging.tagging import signs
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.judging.usage import Usage
from cukereuse_engine.text.step_text import ACTION, CONTEXT, OUTCOME

_ATTEMPTS = frozenset({"try", "attempt"})
_NO = "no"
_TIME = frozenset({"now", "still", "already", "again", "also", "then", "just"})


class Evidence(StrEnum):
    """Kinds of evidence, in words for a person, and what the columns of each begin with."""

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
    """What kind of evidence a column is, by the longest beginning. Raises `KeyError` for one of no kind."""
    kinds = [(len(start), kind) for kind in Evidence for start in kind.columns if column.startswith(start)]
    if not kinds:
        raise KeyError(column)
    return max(kinds)[1]


class PairEvidence:
    """Evidence about pairs of one suite's templates."""

    def __init__(self, usage: Usage, languages: tuple[str, ...]) -> None:
        self._usage = usage
        self._lexicon: Lexicon = lexicon(languages)

    def aligned(self, row: int, other: int) -> Alignment:
        """The two side by side; the same whichever comes first."""
        row, other = sorted((row, other), key=self._usage.masked)
        return align(self._usage.units(row), self._usage.units(other), self._lexicon)

    def shared_meaning(self, pairs: Pairs) -> Column:
        """(n,) Jaccard similarity of the words with meaning, synonyms as one."""
        return np.array(list(map(self._usage.shared_meaning, pairs.a.tolist(), pairs.b.tolist())), np.float64)

    def columns(self, some: Measured) -> dict[str, Column]:
        """`(n,)` each, with what was measured of the texts anyway, and their guards one by one. A denial that a synonym
        has within it ("contains no items" for "empty") denies nothing."""
        self._usage.read()
        sides = (column.tolist() for column in (some.pairs.a, some.pairs.b, *some.roles))
        rows = [self._of(*side) for side in zip(*sides, strict=True)]
        values = np.array([list(row.values()) for row in rows], np.float64)
        columns = {name: values[:, place].copy() for place, name in enumerate(rows[0])}
        apart = {f"guard_{name}": differs.astype(np.float64) for name, differs in some.pairs.guards().items()}
        apart["guard_polarity"] *= 1.0 - columns["denied"]
        barred = np.maximum.reduce([differs for name, differs in apart.items() if name != "guard_order"])
        return {**columns, **some.features, **apart, "guards": barred, "same_definition": some.same}

    def _of(self, row: int, other: int, role: int, other_role: int) -> dict[str, float]:
        alignment = self.aligned(row, other)
        left, right = self._usage.units(row), self._usage.units(other)
        masked = [self._usage.masked(row), self._usage.masked(other)]
        return {
            **_replaced(alignment, self._usage, [*left[:2], *right[:2]]),
            **_missing(alignment, self._usage),
            **_little(alignment.little),
            **_shape(alignment, left, right),
            **_roles(role, other_role),
            "elsewhere": float(self._usage.elsewhere(row, other)),
            "denied": float(denied_within(alignment)),
            "same_signs": float(signs(masked[0]) == signs(masked[1])),
            "colon": float(masked[0].endswith(":") != masked[1].endswith(":")),
        }


_COUNTS = tuple((relation, f"n_{relation.name.lower()}") for relation in Relation)


def _replaced(alignment: Alignment, usage: Usage, first: Sequence[Unit]) -> dict[str, float]:
    """What stands for what, and how rare and how much of a name it is."""
    by: defaultdict[Relation, list[Match]] = defaultdict(list)
    for match in alignment.matches:
        by[match.relation].append(match)
    pairs = [
        (match.one, match.other)
        for relation in (Relation.REPLACED, Relation.SIBLING, Relation.OPPOSITE)
        for match in by[relation]
        if match.other is not None
    ]
    rarities = [(usage.rarity(left), usage.rarity(right)) for left, right in pairs]
    return {
        **{column: float(len(by[relation])) for relation, column in _COUNTS},
        "plurals": float(sum(is_plural(match) for match in by[Relation.INFLECTED])),
        "replaced_rarity": max((max(both) for both in rarities), default=0.0),
        "replaced_rarity_least": max((min(both) for both in rarities), default=0.0),
        "replaced_total": float(sum(map(sum, rarities))),
        "replaced_names": float(sum((left.tag >= Tag.NAME) + (right.tag >= Tag.NAME) for left, right in pairs)),
        "replaced_slots": float(sum(Tag.SLOT in (left.tag, right.tag) for left, right in pairs)),
        "replaced_first": float(any(left in first or right in first for left, right in pairs)),
        "replaced_together": float(np.log1p(max((usage.together(*both) for both in pairs), default=0))),
        "all_matched": float(not pairs and not by[Relation.MISSING] and not by[Relation.STATE]),
        "synonym_rarity": max((usage.rarity(match.one) for match in by[Relation.SYNONYM]), default=0.0),
        "synonym_together": float(
            np.log1p(max((usage.together(m.one, m.other) for m in by[Relation.SYNONYM] if m.other), default=0))
        ),
    }


def denied_within(alignment: Alignment) -> bool:
    """Whether a denial is part of what means the same in the other: "contains no items" and "empty"."""
    synonyms = [match for match in alignment.matches if match.relation is Relation.SYNONYM]
    return any(
        match.other is not None and (_NO in match.one.surface.split()) != (_NO in match.other.surface.split())
        for match in synonyms
    )


def _missing(alignment: Alignment, usage: Usage) -> dict[str, float]:
    missing = [match.one for match in alignment.matches if match.relation is Relation.MISSING]
    rarities = [usage.rarity(unit) for unit in missing]
    return {
        "missing_rarity": float(sum(rarities)),
        "missing_rarest": max(rarities, default=0.0),
        "missing_slots": float(sum(unit.tag == Tag.SLOT for unit in missing)),
        "missing_names": float(sum(unit.tag >= Tag.NAME for unit in missing)),
        "missing_known": float(sum(bool(unit.senses) for unit in missing)),
    }


def _little(little: Sequence[Unit]) -> dict[str, float]:
    """Small words that only one has, by what they are."""
    tags = Counter(unit.tag for unit in little)
    stems = [unit.stem for unit in little]
    return {
        "function_words": float(tags[Tag.FUNCTION]),
        "subjects": float(tags[Tag.SUBJECT]),
        "light_words": float(tags[Tag.LIGHT]),
        "attempts": float(any(stem in _ATTEMPTS for stem in stems)),
        "time_words": float(any(stem in _TIME for stem in stems)),
    }


def _shape(alignment: Alignment, left: Sequence[Unit], right: Sequence[Unit]) -> dict[str, float]:
    counts = [sum(unit.tag == Tag.SLOT for unit in units) for units in (left, right)]
    total = len(left) + len(right)
    return {
        "shared": float(alignment.shared),
        "moved": float(alignment.moved),
        "units": float(total),
        "left_share": 2.0 * len(alignment.matches) / max(total, 1),
        "slots": float(min(counts)),
        "slots_only_in_one": float(abs(counts[0] - counts[1])),
    }


def _roles(left: int, right: int) -> dict[str, float]:
    """Whether both are used alike; 0 throughout where either's roles are unknown."""
    both_known = bool(left and right)
    return {
        "roles_shared": float(both_known and bool(left & right)),
        "roles_check": float(both_known and (left == OUTCOME) != (right == OUTCOME)),
        "roles_context": float(both_known and (left == CONTEXT) != (right == CONTEXT)),
        "roles_action": float(both_known and (left == ACTION) != (right == ACTION)),
    }
