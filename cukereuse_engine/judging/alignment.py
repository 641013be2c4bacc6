"""What stays unmatched when two templates are laid side by side, and how far it is from its counterpart."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio

from cukereuse_engine.index.batched import Batched
from cukereuse_engine.index.side_by_side import Lists, Numbers, all_beside, nearest_first
from cukereuse_engine.judging.judge import Difference
from cukereuse_engine.judging.lexicon import NEAR, STATE_OF, LexicalUnit, Lexicon, Tag, interned, lexicon
from cukereuse_engine.judging.tagging import AGAIN, Tagged, tagged
from cukereuse_engine.text.words import words_of

Rows = NDArray[np.int64]
Columns = tuple[Rows, ...]

_SPELLED_ALIKE = 0.8
"""Indel similarity from which two words count as one that is spelled or inflected differently."""
_AT_ONCE = 1 << 18
"""Possible matches that are looked at together: two texts of forty words have 1,600."""


class WordRelation(IntEnum):
    """How a unit of one template is related to its counterpart in the other; one bit each."""

    INFLECTED = 1  # another form
    SYNONYM = 2
    NEAR_SYNONYM = 4  # they mean the same in some steps
    SPELLED = 8  # spelled alike
    STATE = 16  # a state and the action that leads to it
    OPPOSITE = 32
    SIBLING = 64  # two of a kind
    REPLACED = 128  # they stand for each other
    MISSING = 256  # only in one


_SAME = WordRelation.SYNONYM | WordRelation.NEAR_SYNONYM | WordRelation.SPELLED
_STEPS = (
    *((WordRelation.SYNONYM,), (WordRelation.SPELLED,), (WordRelation.STATE,), (WordRelation.NEAR_SYNONYM,)),
    *((WordRelation.OPPOSITE, WordRelation.SIBLING), (WordRelation.REPLACED,)),
)
"""Relations that are looked for together, in this order; an argument that replaces a word comes last."""
_STEP_OF = {relation: step for step, relations in enumerate(_STEPS) for relation in relations}


class AlignedPair(NamedTuple):
    relation: WordRelation
    one: LexicalUnit
    other: LexicalUnit | None
    """None if there is no counterpart."""


class Alignment(NamedTuple):
    matches: Sequence[AlignedPair]
    """The units that carry meaning and differ, with their counterparts."""
    little: Sequence[LexicalUnit]
    """Function words, subjects and light words that only one text has, and words that say that something exists."""
    shared: int
    """Units with meaning that both have."""
    moved: bool
    """True if the shared units are in another order."""

    @property
    def missing(self) -> list[str]:
        """The words with a meaning that only one text has."""
        return [match.one.surface for match in self.matches if match.other is None]

    @property
    def difference(self) -> Difference:
        """The greatest difference between the two."""
        relations = {match.relation for match in self.matches} - {WordRelation.INFLECTED, WordRelation.SPELLED}
        if not any(unit.tag is Tag.LIGHT for unit in self.little):  # "my bed" is not "their bed"
            if not relations:
                return Difference.ORDER if self.moved else Difference.GRAMMAR
            if relations <= {WordRelation.SYNONYM, WordRelation.NEAR_SYNONYM}:
                return Difference.SYNONYMS
        is_state = relations <= {WordRelation.SYNONYM, WordRelation.STATE}
        return Difference.STATE_AND_ACTION if is_state else Difference.WORDS


@dataclass(frozen=True, slots=True, eq=False)
class Alignments:
    """Alignments of n pairs in arrays; those of matches and small words have one pair's after another's."""

    units: Sequence[LexicalUnit]
    """By their numbers."""
    tags: Rows
    """Of the units."""
    matches: Columns
    """(4, m) pair, relation, and the units; -1 for what has no counterpart."""
    little: Columns
    """(2, k) pair and unit."""
    shared: Rows
    moved: NDArray[np.bool_]
    """(n,) both."""

    def __getitem__(self, index: int) -> Alignment:
        matches, little = (
            zip(*(column[column_of[0] == index].tolist() for column in column_of[1:]), strict=True)
            for column_of in (self.matches, self.little)
        )
        units = [*self.units, None]
        return Alignment(
            [AlignedPair(WordRelation(relation), self.units[one], units[other]) for relation, one, other in matches],
            [self.units[number] for (number,) in little],
            int(self.shared[index]),
            bool(self.moved[index]),
        )


def align_all(texts: Sequence[Tagged], left: Rows, right: Rows, dictionary: Lexicon) -> Alignments:
    """Lay each `texts[left[i]]` beside `texts[right[i]]`: the same units first, then synonyms, spellings, states, and
    what is left by its place."""
    keys, numbers = Numbers[str](), Numbers[LexicalUnit]()
    meaning = Lists([text.meaning for text in texts], keys)
    unit_at = numbers.of(unit for text in texts for unit in text.meaning.values())
    surfaces = Numbers[str]().of(unit.surface for unit in numbers)
    pair, place, counterpart = meaning.beside(left, right)
    is_shared = counterpart >= 0
    mine = _joined(pair[~is_shared], unit_at[place[~is_shared]], [texts[row] for row in right.tolist()], numbers)
    pair, place, counterpart = pair[is_shared], place[is_shared], counterpart[is_shared]
    one, other = unit_at[place], unit_at[counterpart]
    moved, is_there = np.zeros(len(left), np.bool_), np.zeros(len(left), np.bool_)
    moved[pair[1:][(pair[1:] == pair[:-1]) & (counterpart[1:] < counterpart[:-1])]] = True
    alone, place = meaning.alone(right, left)
    theirs = _joined(alone, unit_at[place], [texts[row] for row in left.tolist()], numbers)
    little = _only_small(texts, left, right, numbers)
    units = list(numbers)
    tags = np.fromiter((unit.tag for unit in units), np.int64, len(units))
    matched, (rest, alone) = _matched(mine, theirs, units, dictionary)
    is_there[pair[tags[one] > Tag.EXISTENCE]] = is_there[matched[0][(matched[1] & _SAME) > 0]] = True
    is_little = (tags[alone] == Tag.EXISTENCE) & is_there[rest]
    little.append((rest[is_little], alone[is_little]))
    is_inflected = surfaces[one] != surfaces[other]
    inflected, missing = pair[is_inflected], rest[~is_little]
    matches = (
        (inflected, np.full(len(inflected), int(WordRelation.INFLECTED)), one[is_inflected], other[is_inflected]),
        matched,
        (missing, np.full(len(missing), int(WordRelation.MISSING)), alone[~is_little], np.full(len(missing), -1)),
    )
    return Alignments(units, tags, _by_pair(matches), _by_pair(little), np.bincount(pair, minlength=len(left)), moved)


def _by_pair(parts: Sequence[Columns]) -> Columns:
    """All parts in one, sorted by their first column."""
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return tuple(column[order] for column in columns)


def _only_small(texts: Sequence[Tagged], left: Rows, right: Rows, numbers: Numbers[LexicalUnit]) -> list[Columns]:
    """(2, k) pair and unit of each small word that only one text has; two different subjects do not count."""
    words = [(key, unit) for text in texts for key, unit in text.small.items()]
    small, units = Lists([text.small for text in texts], Numbers[str]()), numbers.of(unit for _, unit in words)
    sides: list[Columns] = []
    for mine, theirs in ((left, right), (right, left)):
        pair, place = small.alone(mine, theirs)
        others = (texts[row] for row in theirs[pair].tolist())
        is_only = [
            words[at][1].stem not in other.stems
            or [unit.stem for unit in other.units].count(words[at][1].stem) <= words[at][0].count(AGAIN)
            for at, other in zip(place.tolist(), others, strict=True)
        ]
        only = np.flatnonzero(is_only)
        sides.append((pair[only], units[place[only]]))
    return sides


def _joined(pair: Rows, unit: Rows, others: Sequence[Tagged], numbers: Numbers[LexicalUnit]) -> tuple[Rows, Rows]:
    """Join two words that the other text writes as one: "side bar", "sidebar"."""
    units = list(numbers)
    first = np.flatnonzero(pair[1:] == pair[:-1])
    neighbours = zip(pair[first].tolist(), unit[first].tolist(), unit[first + 1].tolist(), strict=True)
    keep = np.ones(len(pair), np.bool_)
    for owner in {own for own, one, other in neighbours if units[one].stem + units[other].stem in others[own].meaning}:
        start, end = np.searchsorted(pair, (owner, owner + 1))
        words = [units[number] for number in unit[start:end]]
        for place in range(len(words) - 1, 0, -1):
            one, other = words[place - 1 : place + 1]
            if one.stem + other.stem in others[owner].meaning:
                name, surface = f"{one.stem} {other.stem}", f"{one.surface} {other.surface}"
                words[place - 1 : place + 1] = [interned(name, surface, one.tag, one.senses, one.families)]
        unit[start : start + len(words)] = numbers.of(words)
        keep[start + len(words) : end] = False
    return pair[keep], unit[keep]


def _matched(
    left: Columns, right: Columns, units: Sequence[LexicalUnit], dictionary: Lexicon
) -> tuple[Columns, Columns]:
    """Of pairs and units on either side, what stands for what: the closest relations first, each from left to right;
    and what is left of both."""
    (pair, mine), (other_pair, theirs) = left, right
    parts: list[Columns] = []
    for one, other in all_beside(pair, other_pair, _AT_ONCE):
        codes, where = np.unique(mine[one] * len(units) + theirs[other], return_inverse=True)
        asked = np.stack(np.divmod(codes, max(len(units), 1)))
        step, relation = _all_closest(asked, units, dictionary)[:, where]
        match = nearest_first(pair[one], one, other, step)
        parts.append((one[match], other[match], relation[match]))
    one, other, relation = map(np.concatenate, zip(*parts, strict=True))
    matches = pair[one], relation, mine[one], theirs[other]
    rest = (np.concatenate([np.delete(a, one), np.delete(b, other)]) for a, b in zip(left, right, strict=True))
    return matches, tuple(rest)


def _all_closest(asked: Rows, units: Sequence[LexicalUnit], dictionary: Lexicon) -> Rows:
    """(2, n) what `_closest` gives for the units `asked[:, i]`, most of which have nothing that could relate them."""
    known = (
        [ord(unit.stem[:1] or AGAIN) for unit in units],
        [unit.tag is Tag.SLOT for unit in units],
        [bool(unit.senses) for unit in units],
        [bool(unit.families) for unit in units],
        [unit.stem in dictionary.opposites for unit in units],
    )
    (first, other_first), (slot, other_slot), *both = (np.array(column, np.int64)[asked] for column in known)
    closest = np.full(asked.shape, int(WordRelation.REPLACED))
    closest[0] = np.where(slot == other_slot, _STEP_OF[WordRelation.REPLACED], len(_STEPS))
    related = np.flatnonzero((first == other_first) | np.any([one & other for one, other in both], axis=0))
    if len(related):
        pairs = zip(*asked[:, related].tolist(), strict=True)
        closest[:, related] = np.array([_closest(units[unit], units[its], dictionary) for unit, its in pairs]).T
    return closest


@lru_cache(1 << 13)
def _closest(left: LexicalUnit, right: LexicalUnit, dictionary: Lexicon) -> tuple[int, int]:
    """Which of `_STEPS` matches two units, and with which relation; kept, as pairs of templates that follow each other
    have many in common."""
    relation = _relation(left, right, dictionary)
    return (len(_STEPS), WordRelation.REPLACED) if relation is None else (_STEP_OF[relation], relation)


def _relation(left: LexicalUnit, right: LexicalUnit, dictionary: Lexicon) -> WordRelation | None:
    """The closest relation; None for an argument and a word."""
    by_sense = _relation_of_senses(left.senses, right.senses) if left.senses and right.senses else None
    if by_sense is not WordRelation.SYNONYM and _spelled_alike(left, right):
        return WordRelation.SPELLED
    if by_sense is not None:
        return by_sense
    if (left.tag is Tag.SLOT) != (right.tag is Tag.SLOT):
        return None
    if dictionary.are_opposites(left.stem, right.stem):
        return WordRelation.OPPOSITE
    return WordRelation.REPLACED if left.families.isdisjoint(right.families) else WordRelation.SIBLING


def _relation_of_senses(mine: Set[str], theirs: Set[str]) -> WordRelation | None:
    """The closest relation for which both have a sense."""
    if any(sense[0] not in (NEAR, STATE_OF) for sense in mine & theirs):
        return WordRelation.SYNONYM
    if any(STATE_OF + sense in others for own, others in ((mine, theirs), (theirs, mine)) for sense in own):
        return WordRelation.STATE
    if not {sense.removeprefix(NEAR) for sense in mine}.isdisjoint(sense.removeprefix(NEAR) for sense in theirs):
        return WordRelation.NEAR_SYNONYM
    return None


def _spelled_alike(left: LexicalUnit, right: LexicalUnit) -> bool:
    mine, theirs = left.stem, right.stem
    if mine[:1] != theirs[:1]:
        return False
    if " " in mine + theirs and mine.replace(" ", "") == theirs.replace(" ", ""):
        return True
    words = {left.tag, right.tag}.isdisjoint({Tag.SLOT, Tag.VALUE}) and min(len(mine), len(theirs)) > 3
    return words and ratio(mine, theirs) / 100 >= _SPELLED_ALIKE


_Key = tuple[str, str, tuple[str, ...]]


def _aligned(keys: Sequence[_Key]) -> list[Alignment]:
    """The alignments of two texts each, all in the languages of the first."""
    rows, languages = Numbers[str](), keys[0][2]
    left, right = rows.of(first for first, _, _ in keys), rows.of(second for _, second, _ in keys)
    aligned = align_all([tagged(text, languages) for text in rows], left, right, lexicon(languages))
    return [aligned[number] for number in range(len(keys))]


_ALIGNED = Batched(_aligned, most=1 << 13, at_once=1 << 9)
"""Several objections ask for the alignment of one pair, and an editor asks again with every key."""


def alignment_between(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> Alignment:
    """Two masked texts side by side; the same whichever comes first."""
    return _ALIGNED.get((min(masked, other), max(masked, other), languages))


def align_together(pairs: Iterable[tuple[str, str]], languages: tuple[str, ...]) -> None:
    """Make what `alignment_between` gives for pairs of masked texts: one by one that takes five times as long."""
    _ALIGNED.prepare((min(pair), max(pair), languages) for pair in pairs)


class Variation(StrEnum):
    """A part of a wording that a step definition usually takes in any form. In 66 public repositories one definition
    serves 70, 66 and 93 of 100 pairs of wordings that differ in nothing else, on the mean of the repositories.
    It serves 50 of 100 pairs with another article elsewhere, and none of the 9 pairs that differ in two of these."""

    SUBJECT = "who acts"
    ARTICLE = "the article before an argument"
    NUMBER = "singular or plural after a number"


def variation_between(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> Variation | None:
    """The only variation between two masked texts; None if there are several, or if they differ in anything else."""
    alignment = alignment_between(masked, other, languages)
    if alignment.moved:
        return None
    texts = tagged(masked, languages).units, tagged(other, languages).units
    determiners = words_of(languages, "determiners")
    variations = {_variation_of(unit, texts, determiners) for unit in alignment.little}
    variations |= {Variation.NUMBER if _is_counted(match, texts) else None for match in alignment.matches}
    return variations.pop() if len(variations) == 1 else None


def _variation_of(unit: LexicalUnit, texts: Iterable[Sequence[LexicalUnit]], determiners: Set[str]) -> Variation | None:
    """The variation by a small word that only one text has."""
    if unit.tag is Tag.SUBJECT:
        return Variation.SUBJECT
    if unit.surface not in determiners:
        return None
    after = {other.tag for text in texts for word, other in pairwise(text) if word == unit}
    return Variation.SUBJECT if Tag.SUBJECT in after else Variation.ARTICLE if Tag.SLOT in after else None


def _is_counted(match: AlignedPair, texts: Iterable[Sequence[LexicalUnit]]) -> bool:
    """True if the inflected word follows an argument, with at most one word between."""
    if match.relation is not WordRelation.INFLECTED:
        return False
    inflected = (match.one, match.other)
    return any(
        unit in inflected and any(before.tag is Tag.SLOT for before in text[max(place - 2, 0) : place])
        for text in texts
        for place, unit in enumerate(text)
    )
