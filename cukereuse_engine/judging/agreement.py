"""What grammar and one step definition take in any form: two texts that agree are one wording."""

import re

from cukereuse_engine.judging.phrases import Phrases, phrases_of
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import is_emphasised, stem, tokens, without_subject

_ARTICLE = "(article)"
_WHO = "(who)"
_WORD = re.compile(r"\w+")


def plain_wording(masked: str, languages: tuple[str, ...] = ("en",)) -> str:
    """A masked text without what one step definition mostly takes in any form: who acts, which article, blanks inside
    a compound, the order of words that carry no meaning, "has been" for "is"; articles and which preposition, where
    there is an argument; the article of a place ("on the login page"), and one at the beginning. Beside labels in
    asterisks, which people read and no runner does, only who acts and what ends the text.
    """
    told = without_subject(masked.rstrip(" .,;"), languages)
    if is_emphasised(told):
        return told
    phrases = phrases_of(languages)
    words = tokens(told)
    while len(words) > 1 and words[0] in phrases.conjunctions:
        words = tokens(without_subject(" ".join(words[1:]), languages))
    if words and words[0] in phrases.pronouns:
        words = words[1:]
    elif words and words[0] not in phrases.function_words and not words[0].endswith(("ed", "ing")):
        words[0] = stem(words[0])
    free: list[str] = []
    plain: list[str] = []
    in_place = False
    if words and words[0] in phrases.articles:
        words = words[1:]  # 7 of 26 texts with and without shared a definition
    for word, before, after in zip(words, ["", *words], [*words[1:], ""], strict=False):
        in_place = before in phrases.prepositions or (in_place and before in phrases.articles)
        if word in phrases.articles:
            plain += [] if in_place or SLOT in words else [_ARTICLE]
        elif word in phrases.joining and SLOT in (before, after):
            continue
        elif word in phrases.pronouns:
            free += [] if before in phrases.joining else [_WHO]  # "and I answer", "and answer"
        elif word == "been" and free and stem(before) == "have":
            free[-1] = "be"
        elif word in phrases.prepositions:
            plain.append(phrases.prepositions[word] if SLOT in words else word)
        elif word in phrases.function_words:
            free.append(stem(word))
        else:
            plain.append(_agreed(word, phrases))
    return " ".join(sorted(free)) + "|" + "".join(plain)


def agreement(masked: str, words: list[str], phrases: Phrases) -> str:
    """The words without what grammar asks for. Where there is an argument, no punctuation, articles in one form, and
    none of an argument that stands alone: one definition mostly takes them all. Elsewhere, and beside labels in
    asterisks, which people read and no runner does, no colon at the end. "a apple exist" agrees with "an apple exists".
    """
    if SLOT not in words or is_emphasised(masked):
        return _WORD.sub(lambda found: _agreed(found.group(), phrases), masked.lower().rstrip(": "))
    forms = [phrases.articles.get(word, _agreed(word, phrases)) for word in words]
    alone = {place - 1 for place in range(1, len(words)) if _stands_alone(words, place, phrases)}
    return " ".join(form for place, form in enumerate(forms) if not (place in alone and form in phrases.articles))


def _stands_alone(words: list[str], place: int, phrases: Phrases) -> bool:
    """Whether an argument is there that says itself what it is: in "the 'Save' button" the button follows."""
    if place >= len(words) or words[place] != SLOT:
        return False
    following = words[place + 1] if place + 1 < len(words) else ""
    return not following or following in phrases.function_words or following in phrases.prepositions


def _agreed(word: str, phrases: Phrases) -> str:
    """An article or the verb of a thing in the form that stands for all."""
    if word.endswith("s") and stem(word) in phrases.state_verbs:
        return stem(word)
    return phrases.same_articles.get(word, word)
