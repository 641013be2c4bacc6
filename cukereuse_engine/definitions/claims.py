"""Compares what two wordings of one function claim that it does.

Reads words only. Articles, tense, who acts, "again", prepositions and synonyms claim nothing of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cukereuse_engine.judging.alignment import WordRelation, alignment_between
from cukereuse_engine.judging.lexicon import Tag
from cukereuse_engine.judging.tagging import tagged
from cukereuse_engine.text.guards import differing_guards, signature
from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import is_unspaced, spelled_out, tokens, words_of

_OPPOSING = frozenset(("polarity", "http-verb", "operator", "inclusion", "order"))
"""Guards that show opposite claims; the others show roles, and a function may have several roles."""
NOTHING = "…"
"""Replaces the words of a wording that only leaves out what the other says."""
_LONGEST = 3
"""Most words that may replace others: more words make another sentence, not another claim."""


@dataclass(frozen=True, slots=True)
class Claims:
    """How the claims of two wordings compare."""

    likeness: float
    """Shared words over all words, of those that carry meaning; 0 to 1."""
    differing: tuple[str, str] | None
    """The words of each that claim different things, as they are in the same place of the same sentence or deny each
    other; None if there are none."""
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The words that only the first and only the second says, in any place."""
    opposed: bool = False
    """True if one denies what the other says, or adds that something is missing."""
    lacking: tuple[str, ...] = ()
    """The words that one wording adds only to say that they are missing: `fields` of "without any fields"."""


def compare(left: str, right: str, languages: tuple[str, ...] = ("en",)) -> Claims:
    """Compare the claims of two masked texts."""
    mine, theirs = (_claim_of(masked, languages) for masked in (left, right))
    stems = [{stem for stem, _ in claim if stem != SLOT} for claim in (mine, theirs)]
    either = stems[0] | stems[1]
    likeness = len(stems[0] & stems[1]) / len(either) if either else 1.0
    fillers = words_of(languages, "fillers")
    only = (_words_of_one_side(mine, stems[1], fillers), _words_of_one_side(theirs, stems[0], fillers))
    opposed, lacking = _denial(left, right, only, languages)
    return Claims(likeness, _differing(left, right, mine, theirs, languages, opposed=opposed), only, opposed, lacking)


def says_anything(text: str, languages: tuple[str, ...]) -> bool:
    """True if a text contains a word that carries meaning."""
    return any(unit.tag > Tag.SLOT for unit in tagged(text, languages).units)


def says_that_it_logs(text: str, languages: tuple[str, ...]) -> bool:
    """True if a masked text says that something is reported: "I log the response", not "I log in"."""
    verb = next((unit.name for unit in tagged(text, languages).units if unit.tag is Tag.CONTENT), "")
    stem_of = stemmer(languages).__getitem__
    return begins_with_verb(text, languages) and verb in map(stem_of, words_of(languages, "telling"))


def _denial(
    left: str, right: str, only: tuple[tuple[str, ...], tuple[str, ...]], languages: tuple[str, ...]
) -> tuple[bool, tuple[str, ...]]:
    """`Claims.opposed` and `Claims.lacking`. A denial with more words of its own than it lacks may say the same in
    other words: "cannot", "is prevented from"."""
    guards = _OPPOSING.intersection(differing_guards(left, right, languages))
    denies = [signature(masked, languages).negated for masked in (left, right)]
    if guards != {"polarity"} or denies[0] == denies[1]:
        return bool(guards), ()
    if not any(only):
        return False, ()  # the denial is part of what means the same: "contains no items" and "empty"
    stem_of = stemmer(languages).__getitem__
    denied, words = (
        {stem_of(word): word for unit in only[at] for word in _without_negations(unit, languages)}
        for at in ((0, 1) if denies[0] else (1, 0))
    )
    own, lacking = words.keys() - denied.keys(), tuple(word for stem, word in denied.items() if stem not in words)
    if own or _denies_what_is_said(*((left, right) if denies[0] else (right, left)), languages):
        return len(own) <= len(lacking), ()
    return True, lacking


def _denies_what_is_said(denying: str, other: str, languages: tuple[str, ...]) -> bool:
    """True if the other wording says what follows each denial: "without a name but with an id", "with a name". If not,
    the other wording may not mention it."""
    negations = _negations(languages)
    stems = {stem for stem, _ in _claim_of(other, languages) if stem != SLOT}
    claims = [(stem, written.split()) for stem, written in _claim_of(denying, languages) if stem != SLOT]
    denied = [
        after for (_, words), (after, _) in pairwise(claims) if words[-1:] and not negations.isdisjoint(words[-1:])
    ]
    return bool(denied) and stems.issuperset(denied)


def _negations(languages: tuple[str, ...]) -> frozenset[str]:
    return words_of(languages, "negations")


def _without_negations(unit: str, languages: tuple[str, ...]) -> list[str]:
    """The words of a unit without negations: "shown" of "not shown"; the rest of a unit in a script without spaces."""
    negations = _negations(languages)
    for word in filter(is_unspaced, negations):
        unit = unit.replace(word, " ")
    return [word for word in tokens(unit) if word not in negations]


def _words_of_one_side(mine: Sequence[tuple[str, str]], theirs: set[str], fillers: frozenset[str]) -> tuple[str, ...]:
    words = (written for stem, written in mine if stem != SLOT and stem not in theirs)
    return tuple(dict.fromkeys(word for word in words if word not in fillers))


def _claim_of(masked: str, languages: tuple[str, ...]) -> list[tuple[str, str]]:
    """(stem, as written) of each word that claims something, slots included."""
    return [(unit.name, unit.surface) for unit in tagged(masked, languages).units if unit.tag >= Tag.SLOT]


def _differing(
    first: str,
    second: str,
    mine: Sequence[tuple[str, str]],
    theirs: Sequence[tuple[str, str]],
    languages: tuple[str, ...],
    *,
    opposed: bool,
) -> tuple[str, str] | None:
    stems = _stems_of(mine)
    start, end = _common_ends(stems, _stems_of(theirs))
    left, other = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    words, other_words = _words_of(left), _words_of(other)
    shared = start + end > stems.count(SLOT)
    if not shared or max(len(words), len(other_words)) > _LONGEST:
        return None
    if opposed:
        return (" ".join(words) or NOTHING, " ".join(other_words) or NOTHING)
    if len(left) + len(other) > len(words) + len(other_words) or not words or not other_words:
        return None
    if _is_denied_apart(first, second, languages) or _are_one_word(words, other_words, languages):
        return None
    if start == 0 and all(begins_with_verb(masked, languages) for masked in (first, second)):
        return None  # "I fill in the name", "I change the name": how it is done, not what
    return (" ".join(words), " ".join(other_words))


def _stems_of(claim: Sequence[tuple[str, str]]) -> list[str]:
    return [stem for stem, _ in claim]


def _words_of(claim: Sequence[tuple[str, str]]) -> list[str]:
    return [written for stem, written in claim if stem != SLOT]


def _is_denied_apart(first: str, second: str, languages: tuple[str, ...]) -> bool:
    """True if they contain different negations; the denials as a whole were compared before."""
    negations = _negations(languages)
    mine, theirs = (negations.intersection(tokens(spelled_out(masked, languages))) for masked in (first, second))
    return mine != theirs


def differ_in_aspect(masked: str, other: str, languages: tuple[str, ...]) -> bool:
    """True if only one uses an auxiliary for an inflected verb: "is sorted" and "sorts"."""
    matches = alignment_between(masked, other, languages).matches
    inflected = any(match.relation is WordRelation.INFLECTED for match in matches)
    auxiliaries = words_of(languages, "auxiliaries")
    with_auxiliary = {auxiliaries.isdisjoint(tokens(spelled_out(text, languages))) for text in (masked, other)}
    return inflected and len(with_auxiliary) == 2


def _are_one_word(mine: Sequence[str], theirs: Sequence[str], languages: tuple[str, ...]) -> bool:
    """True if they have the same stems: "the note", "the notes"."""
    stem_of = stemmer(languages).__getitem__
    return sorted(map(stem_of, mine)) == sorted(map(stem_of, theirs))


def _common_ends(mine: Sequence[str], theirs: Sequence[str]) -> tuple[int, int]:
    """Lengths of the common beginning and of the common end."""
    shortest = min(len(mine), len(theirs))
    start = 0
    while start < shortest and mine[start] == theirs[start]:
        start += 1
    end = 0
    while end < shortest - start and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    return start, end


def begins_with_verb(masked: str, languages: tuple[str, ...]) -> bool:
    """True if a masked text begins with a verb or subject: "I open …", "user opens …", "open …"; not "the lid …"."""
    tables = ("subjects", "determiners", "function_words")
    subjects, determiners, function_words = (words_of(languages, table) for table in tables)
    words = [word for word in tokens(masked) if word != SLOT]
    if not words:
        return False
    if words[0] in subjects:
        return True
    if words[0] in determiners:
        return len(words) > 1 and words[1] in subjects
    if words[0] in function_words:
        return False  # "in the basket …", "there is …"
    return masked[:1].islower()
