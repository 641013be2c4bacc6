"""What a template says once the words that carry no meaning are gone and synonyms are one word.

Two templates with one meaning say the same in other words: an article, an inflection, "click" for "press". The words
come from the language data; nothing here measures similarity.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from cukereuse_engine.judging.agreement import agreement
from cukereuse_engine.judging.phrases import Phrases, phrases_of
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import is_emphasised, labels, stem, tokens, vocabulary

_PAST = "(past)"
_NOT = "not"
_LABEL = "label"
"""In the data's `optional_with`: a name or label stands before the word."""
_CODE = re.compile(
    r"^(?:def|set|match|assert|eval|print|configure|replace|json|xml|csv|yaml|string|table|copy|params?|headers?"
    r"|multipart|form|cookies?|url|path|request|method|status|soap|retry|call|callonce|if|karate|java)\b"
)
_DATA = re.compile(r"[{}\[\];\\]|[*_]{2}|(?<!\S):\w")
_SIGNS = re.compile(r"[/+@#$^|]|(?<!\S)\.+(?=[\w/])|(?<=\w)[.:?!]+(?=\w)|(?<!\S)-+(?=\w)")
"""Signs that belong to a path or a value: "./a" is not "../a"."""
_SIGN = re.compile(r"[/+@#$^|.:?!-]")
"""Where there is none of these, there are no `_SIGNS`."""
_CODE_SIGN = re.compile(r"==?|!=|[({\[]|\bkarate\.|\bcontains\b")


@dataclass(frozen=True, slots=True)
class Meaning:
    words: tuple[str, ...]
    """Content words as stems, synonyms replaced by the name of their meaning, in order; slots kept."""
    essential: tuple[str, ...]
    """`words` without those that are often left out."""
    essential_surface: tuple[str, ...]
    """`essential` with its inflections: "the bed page" is not "the beds"."""
    labels: frozenset[str]
    """Those of `words` that are names or labels."""
    surface: tuple[str, ...]
    """`words` with their inflections."""
    agreement: str
    """The words without what grammar asks for: "an" for "a", "the" for either. Two texts with one agreement are one
    wording."""
    signs: tuple[str, ...]
    """Signs of paths and values. Two texts with other signs name other things."""
    synonyms: frozenset[tuple[str, str]]
    """(wording, name of its meaning) for each synonym."""
    is_labelled: bool
    """A text with labels in asterisks and without arguments: people read it, no runner does."""
    is_code: bool
    """A statement of a built-in language (Karate), or JSON and the like written out in the step: what differs is data,
    nothing that renaming could consolidate."""


def acting_verbs(languages: tuple[str, ...]) -> frozenset[str]:
    """Stems of verbs whose subject and object can't change places. "See" is none: only the one who reads can see."""
    return phrases_of(languages).acting


def prepositions(languages: tuple[str, ...]) -> frozenset[str]:
    """Names of the prepositions in `Meaning.words`."""
    return frozenset(phrases_of(languages).prepositions.values())


def joining_words(languages: tuple[str, ...]) -> frozenset[str]:
    """Words between the last two of a list, and between clauses."""
    return phrases_of(languages).joining


def one_with_argument(languages: tuple[str, ...]) -> frozenset[str]:
    """Meanings whose wordings, with an argument, mostly share one step definition."""
    return frozenset(name for code in languages for name in vocabulary(code).one_with_argument)


def is_code(masked: str) -> bool:
    """Whether the text is a statement of Karate's language (`def x = …`, `method get`), or holds data in brackets or a
    command ("I run :quit")."""
    if _DATA.search(masked):
        return True
    return bool(_CODE.match(masked)) and (bool(_CODE_SIGN.search(masked)) or len(tokens(masked)) <= 2)


@lru_cache(maxsize=65536)
def meaning_of(masked: str, languages: tuple[str, ...] = ("en",)) -> Meaning:
    """The meaning of a masked text."""
    phrases = phrases_of(languages)
    words = tokens(masked)
    is_label = labels(masked)
    if len(is_label) != len(words):  # a letter whose lower case is two
        is_label = [False] * len(words)
    stems = [word if label else stem(word) for word, label in zip(words, is_label, strict=True)]
    counts = SLOT in masked or masked.endswith(":") or not phrases.number_context.isdisjoint(words)
    kept: list[tuple[str, str]] = []
    labelled: set[int] = set()
    synonyms: list[tuple[str, str]] = []
    position = begun = 0
    if _points(words, is_label, phrases):
        kept.append((words[0], words[0]))
        position = 1
    while position < len(stems):
        begun = begun or (position if kept else 0)
        if is_label[position]:
            labelled.add(len(kept))
            kept.append((words[position], words[position]))
            position += 1
            continue
        # "show 'x'" is no "I see 'x'"
        asked = not position and words[0] == stems[0] and stems[0] in phrases.state_verbs
        for wording, name in () if asked else phrases.by_first.get(stems[position], ()):
            if tuple(stems[position : position + len(wording)]) == wording:
                if name:
                    kept.append(_named(name, words, position, len(wording), counts, phrases))
                    synonyms.append((" ".join(words[position : position + len(wording)]), name))
                position += len(wording)
                break
        else:
            kept += _kept(words, stems, position, counts, phrases, first=not kept)
            position += 1
    beside = phrases.beside if any(name in phrases.beside for name, _ in kept) else {}
    for word, table in beside.items():
        if any(name == word for name, _ in kept):
            kept = [(table.get(name, name), table.get(name, written)) for name, written in kept]
    meant = [word for word, _ in kept]
    optional = [_is_optional(kept, place, place - 1 in labelled, phrases) for place in range(len(kept))]
    if kept and not phrases.reporting.get(meant[0], frozenset()).isdisjoint(stems[begun:]):
        optional[0] = True  # "I see that the lid is open"
    return Meaning(
        words=tuple(meant),
        essential=tuple(word for word, left_out in zip(meant, optional, strict=True) if not left_out),
        essential_surface=tuple(written for (_, written), out in zip(kept, optional, strict=True) if not out),
        labels=frozenset(meant[place] for place in labelled),
        surface=tuple(written for _, written in kept),
        agreement=agreement(masked, words, phrases),
        signs=tuple(_SIGNS.findall(masked)) if _SIGN.search(masked) else (),
        synonyms=frozenset(synonyms),
        is_labelled=SLOT not in masked and is_emphasised(masked),
        is_code=is_code(masked),
    )


def _kept(
    words: list[str], stems: list[str], position: int, counts: bool, phrases: Phrases, *, first: bool
) -> list[tuple[str, str]]:
    """What the word at `position` adds to the meaning: nothing, or (stem, as written). `counts`: an argument says how
    many there are, so that a plural is the argument's and no other wording."""
    word, found = words[position], stems[position]
    before = words[position - 1] if position else ""
    following = words[position + 1] if position + 1 < len(words) else ""
    if word in phrases.conjunctions:
        joins = not position or following in phrases.determiners or following in phrases.pronouns
        return [] if joins else [(word, word)]
    if word in phrases.joining and position and following and SLOT not in (before, following):
        return [(word, word)]  # "the save and close button" is not "the save close button"
    if word in phrases.asserting and before in phrases.relatives and position > 1:
        return [(word, word)]  # "the amount that should be paid" is not "the amount that is paid"
    if word.endswith("n't"):
        return [(_NOT, _NOT)]
    if word in phrases.past and _tells_past(words, stems, position, phrases):
        return [(_PAST, _PAST)]
    if word in phrases.prepositions:
        return [(phrases.prepositions[word],) * 2]
    if word in phrases.pronouns and (before in phrases.before_names or {word, following} <= phrases.lone_subjects):
        return [(word, word)]  # "the I agree page", "the do you agree page", "HE I can log in"
    acts = first and word in phrases.actors and _is_predicate(following, phrases)
    if found == "have":
        owns = following not in phrases.past and not _follows_subject(words, position, phrases)
        if owns and before not in phrases.function_words:
            return [(found, word)]  # "the page has" is not "the page is"
        if following in phrases.articles or following == SLOT or following.isdigit():
            return [(found, found)]  # "I have a key" is not "there is a key"
    if found == "be" and following == SLOT:
        return [(found, found)]  # "the name is …" is not "the name …"
    if word in phrases.function_words or acts:
        return []
    if word.endswith("ing") and stem(before) == "be" and found != word:
        return [(word, word)]  # "is canceling" is not "is canceled"
    agrees = counts and _is_plural(words, position, phrases) and not _follows_subject(words, position, phrases)
    return [(word if agrees else found, word)]


def _points(words: list[str], is_label: list[bool], phrases: Phrases) -> bool:
    """Whether the first word says which one is meant: "that lid is open", but not "that lids are", "that Ann is"."""
    if len(words) < 2 or words[0] not in phrases.conjunctions or words[0] not in phrases.determiners:
        return False
    following = words[1]
    little = (phrases.determiners, phrases.pronouns, phrases.function_words, phrases.actors, phrases.quantifiers)
    is_inflected = stem(following) != following
    return not (is_label[1] or is_inflected or following == SLOT or any(following in known for known in little))


def _is_predicate(word: str, phrases: Phrases) -> bool:
    return stem(word) in phrases.predicates or word.endswith("n't")


def _named(name: str, words: list[str], position: int, length: int, counts: bool, phrases: Phrases) -> tuple[str, str]:
    """A synonym by its meaning, a plural or a narrated past kept as for any other word."""
    follows = _follows_subject(words, position, phrases)
    if position and words[position].endswith("ing") and stem(words[position - 1]) == "be":
        return name + "ing", name + "ing"
    if not follows and _is_plural(words, position + length - 1, phrases):
        return name + "s" if counts else name, name + "s"
    is_regular, is_irregular = words[position].endswith("ed"), words[position] in _irregular_past()
    told = follows and (is_regular or is_irregular)
    if words[:position] == [SLOT] and is_irregular and name != "see":
        told = True  # "'Ann' went to the page"; "'Save' shown" leaves out an "is"
    if position and words[position - 1] == "am" and is_regular and name in phrases.acting:
        told = True  # "I am navigated to the page" is where "I navigate to the page" ends
    return name, name + _PAST if told else name


def _is_plural(words: list[str], position: int, phrases: Phrases) -> bool:
    word = words[position]
    return word.endswith("s") and stem(word) != word and stem(word) not in phrases.state_verbs


def _follows_subject(words: list[str], position: int, phrases: Phrases) -> bool:
    """Whether the word at `position` is the verb of the one who acts."""
    before = words[position - 1] if position else ""
    return not position or before in phrases.actors or before in phrases.pronouns


@cache
def _irregular_past() -> frozenset[str]:
    return frozenset(word for word in vocabulary("en").irregular if not word.endswith(("s", "ing")))


def _is_optional(kept: list[tuple[str, str]], place: int, after_label: bool, phrases: Phrases) -> bool:
    word, written = kept[place]
    if written in phrases.optional:
        return place + 1 == len(kept) or kept[place + 1][0] not in phrases.predicates
    if written in phrases.optional_at_end:
        return place + 1 == len(kept)
    if word in phrases.bound_to_argument and place and kept[place - 1][0] == SLOT:
        return False
    verbs = phrases.optional_with.get(word)
    if verbs is None:
        return False
    return (after_label and _LABEL in verbs) or any(before in verbs for before, _ in kept[:place])


def _tells_past(words: list[str], stems: list[str], position: int, phrases: Phrases) -> bool:
    following = position + 1
    while following < len(words) and words[following] in phrases.adverbs:
        following += 1  # "are already sorted"
    if following >= len(words):
        return False
    if stem(words[position]) == "have" and stems[following] in phrases.predicates - {"be", "have"}:
        return True  # "have run", "have selected"
    told = words[following].endswith("ed") and stems[following] != words[following]
    return told and not any(name == "see" for _, name in phrases.by_first.get(stems[following], ()))


def is_inverted(one: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether masked texts have the same words, articles apart, and only words that carry no meaning stand elsewhere,
    or the first word alone: "the lid is open", "is the lid open", "kann der Gast zahlen". The clause asks for it.
    """
    articles = phrases_of(languages).articles
    mine, theirs = ([word for word in tokens(masked) if word not in articles] for masked in (one, other))
    if mine == theirs or sorted(mine) != sorted(theirs):
        return False
    if meaning_of(one, languages).words == meaning_of(other, languages).words:
        return True
    return _leaves_beginning(mine, theirs) or _leaves_beginning(theirs, mine)


def _leaves_beginning(words: list[str], others: list[str]) -> bool:
    first, rest = words[0], words[1:]
    return first != SLOT and any(
        other == first and others[:place] + others[place + 1 :] == rest for place, other in enumerate(others)
    )
