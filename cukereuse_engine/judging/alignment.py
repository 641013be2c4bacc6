"""What stays unmatched when two templates are laid side by side, and how far it is from its counterpart."""

from collections.abc import Iterable, Mapping, Sequence, Set
from enum import IntEnum, StrEnum
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from cukereuse_engine.judging.judge import Difference
from cukereuse_engine.judging.lexicon import NEAR, STATE_OF, Lexicon, Tag, Unit, interned, lexicon
from cukereuse_engine.judging.tagging import AGAIN, Tagged, tagged, units
from cukereuse_engine.text.words import words_of

_SPELLED_ALIKE = 0.8
"""Indel similarity from which two words count as one that is spelled or inflected differently."""


class Relation(IntEnum):
    """How a unit of one template stands to its counterpart in the other; one bit each."""

    INFLECTED = 1  # another form
    SYNONYM = 2
    NEAR_SYNONYM = 4  # they mean the same in some steps
    SPELLED = 8  # spelled alike
    STATE = 16  # a state and the action that leads to it
    OPPOSITE = 32
    SIBLING = 64  # two of a kind
    REPLACED = 128  # they stand for each other
    MISSING = 256  # only in one


_SAME = Relation.SYNONYM | Relation.NEAR_SYNONYM | Relation.SPELLED
_INFLECTED, _MISSING, _EXISTENCE, _SLOT = Relation.INFLECTED, Relation.MISSING, Tag.EXISTENCE, Tag.SLOT
"""Asked for with each pair; to look them up in their classes takes long."""
_ANYTHING = 512
"""An argument for a word."""
_STEPS = (
    *(Relation.SYNONYM, Relation.SPELLED, Relation.STATE, Relation.NEAR_SYNONYM),
    *(Relation.OPPOSITE | Relation.SIBLING, Relation.REPLACED, _ANYTHING),
)
"""What is looked for together, in this order."""
_RELATION = {**{int(relation): relation for relation in Relation}, _ANYTHING: Relation.REPLACED}


class Match(NamedTuple):
    relation: Relation
    one: Unit
    other: Unit | None
    """None for what has no counterpart."""


class Alignment(NamedTuple):
    matches: Sequence[Match]
    """All but what is the same in both, what carries meaning."""
    little: Sequence[Unit]
    """Function words, subjects and light words that only one has, and what says that the rest is there."""
    shared: int
    """Units with meaning that both have."""
    moved: bool
    """Whether what both have stands in another order."""

    @property
    def one_says_more(self) -> bool:
        """Whether something that one says has no counterpart in the other."""
        missing = any(match.relation is Relation.MISSING for match in self.matches)
        return missing or any(unit.tag is Tag.EXISTENCE for unit in self.little)

    @property
    def difference(self) -> Difference:
        """What the two differ in, the most of it."""
        relations = {match.relation for match in self.matches} - {Relation.INFLECTED, Relation.SPELLED}
        if not any(unit.tag is Tag.LIGHT for unit in self.little):  # "my bed" is not "their bed"
            if not relations:
                return Difference.ORDER if self.moved else Difference.GRAMMAR
            if relations <= {Relation.SYNONYM, Relation.NEAR_SYNONYM}:
                return Difference.SYNONYMS
        is_state = relations <= {Relation.SYNONYM, Relation.STATE}
        return Difference.STATE_AND_ACTION if is_state else Difference.WORDS


def align(left: Tagged, right: Tagged, dictionary: Lexicon) -> Alignment:
    """Lay two templates side by side: the same units first, then synonyms, spellings, states, and what is left by its
    place."""
    mine, theirs = left.meaning, right.meaning
    order = [key for key in mine if key in theirs]
    shared = [(mine[key], theirs[key]) for key in order]
    inflected = [pair for pair in shared if pair[0] is not pair[1] and pair[0].surface != pair[1].surface]
    unmatched_left = _joined([unit for key, unit in mine.items() if key not in theirs], theirs)
    unmatched_right = _joined([unit for key, unit in theirs.items() if key not in mine], mine)
    matches = [Match(_INFLECTED, *pair) for pair in inflected]
    if unmatched_left and unmatched_right:
        matches += _matched(unmatched_left, unmatched_right, dictionary)
    rest, little = unmatched_left + unmatched_right, _little(left, right) + _little(right, left)
    existence = [unit for unit in rest if unit.tag is _EXISTENCE]
    if existence and (any(unit.tag > _EXISTENCE for unit, _ in shared) or any(m.relation & _SAME for m in matches)):
        little += existence
        rest = [unit for unit in rest if unit.tag is not _EXISTENCE]
    matches += [Match(_MISSING, unit, None) for unit in rest]
    moved = len(order) > 1 and order != [key for key in theirs if key in mine]
    return Alignment(matches, little, len(order), moved)


def _joined(left: list[Unit], others: Mapping[str, Unit]) -> list[Unit]:
    """Two words that the other writes as one ("side bar", "sidebar") as one."""
    for place in range(len(left) - 1, 0, -1):
        first, second = left[place - 1 : place + 1]
        if first.stem + second.stem in others:
            name, surface = f"{first.stem} {second.stem}", f"{first.surface} {second.surface}"
            left[place - 1 : place + 1] = [interned(name, surface, first.tag, first.senses, first.families)]
    return left


def _little(mine: Tagged, theirs: Tagged) -> list[Unit]:
    """The small words that only the first has, a subject against a subject being none."""
    if mine.small.keys() <= theirs.small.keys():
        return []
    return [
        word
        for key, word in mine.small.items()
        if key not in theirs.small
        and (word.stem not in theirs.stems or [unit.stem for unit in theirs.units].count(word.stem) <= key.count(AGAIN))
    ]


def _matched(left: list[Unit], right: list[Unit], dictionary: Lexicon) -> list[Match]:
    """What stands for what, the closest relations first, each from left to right; taken out of both."""
    relations = {(unit, other): _relations(unit, other, dictionary) for unit in left for other in right}
    present = reduce(or_, relations.values())
    matches = []
    for step in _STEPS:
        for unit in tuple(left) if step & present else ():
            for other in right:
                if fits := relations[unit, other] & step:
                    left.remove(unit)
                    right.remove(other)
                    matches.append(Match(_RELATION[fits], unit, other))
                    break
    return matches


@lru_cache(1 << 13)
def _relations(left: Unit, right: Unit, dictionary: Lexicon) -> int:
    """How two units may stand to each other, as bits; kept, as pairs of templates that follow each other have many in
    common."""
    relations = _ANYTHING
    if left.senses and right.senses:
        relations |= _by_senses(left.senses, right.senses)
    if _spelled_alike(left, right):
        relations |= Relation.SPELLED
    if (left.tag is _SLOT) == (right.tag is _SLOT):
        if dictionary.are_opposites(left.stem, right.stem):
            relations |= Relation.OPPOSITE
        else:
            relations |= Relation.REPLACED if left.families.isdisjoint(right.families) else Relation.SIBLING
    return relations


def _by_senses(left: Set[str], right: Set[str]) -> int:
    relations = Relation.SYNONYM if any(sense[0] not in (NEAR, STATE_OF) for sense in left & right) else 0
    if not {sense.removeprefix(NEAR) for sense in left}.isdisjoint(sense.removeprefix(NEAR) for sense in right):
        relations |= Relation.NEAR_SYNONYM
    if any(STATE_OF + sense in theirs for mine, theirs in ((left, right), (right, left)) for sense in mine):
        relations |= Relation.STATE
    return relations


def _spelled_alike(left: Unit, right: Unit) -> bool:
    mine, theirs = left.stem, right.stem
    if mine[:1] != theirs[:1]:
        return False
    if " " in mine + theirs and mine.replace(" ", "") == theirs.replace(" ", ""):
        return True
    words = {left.tag, right.tag}.isdisjoint({Tag.SLOT, Tag.VALUE}) and min(len(mine), len(theirs)) > 3
    return words and ratio(mine, theirs) / 100 >= _SPELLED_ALIKE


@lru_cache(1 << 12)
def alignment_between(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> Alignment:
    """Two masked texts side by side; the same whichever comes first. Kept, as several objections ask it of one pair and
    an editor asks again with every key."""
    left, right = sorted((masked, other))
    return align(tagged(left, languages), tagged(right, languages), lexicon(languages))


class Form(StrEnum):
    """What one definition mostly takes in any form: of the pairs of wordings in 66 public repositories that differ in
    it alone one definition serves 70, 66 and 93 of 100, on the mean of the repositories; 50 of an article that stands
    elsewhere, none of the 9 pairs that differ in two of these."""

    SUBJECT = "who acts"
    ARTICLE = "the article before an argument"
    NUMBER = "singular or plural after a number"


def form_between(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> Form | None:
    """The form that two masked texts differ in; None where they differ in more than one, or in anything else."""
    alignment = alignment_between(masked, other, languages)
    if alignment.moved:
        return None
    texts = units(masked, languages), units(other, languages)
    determiners = words_of(languages, "determiners")
    forms = {_form_of(unit, texts, determiners) for unit in alignment.little}
    forms |= {Form.NUMBER if _is_counted(match, texts) else None for match in alignment.matches}
    return forms.pop() if len(forms) == 1 else None


def _form_of(unit: Unit, texts: Iterable[Sequence[Unit]], determiners: Set[str]) -> Form | None:
    """Of a small word that only one text has."""
    if unit.tag is Tag.SUBJECT:
        return Form.SUBJECT
    before = any(word == unit and after.tag is Tag.SLOT for text in texts for word, after in pairwise(text))
    return Form.ARTICLE if before and unit.surface in determiners else None


def _is_counted(match: Match, texts: Iterable[Sequence[Unit]]) -> bool:
    """Whether what is inflected stands after an argument, at most a word away."""
    if match.relation is not Relation.INFLECTED:
        return False
    inflected = (match.one, match.other)
    return any(
        unit in inflected and any(before.tag is Tag.SLOT for before in text[max(place - 2, 0) : place])
        for text in texts
        for place, unit in enumerate(text)
    )
