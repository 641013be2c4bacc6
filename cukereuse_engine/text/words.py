"""The words of a masked step text, and what each language's data file says about words.

Everything that knows a language is data in `languages/<code>.toml`; a further language is a further file. Nothing here
reads a slot: texts come masked.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cukereuse_engine.text.identity import composed_form
from cukereuse_engine.text.template import SLOT

_TOKEN = re.compile(
    r"\w+(?=['’][aàáâãäæeèéêëiìíîïoòóôõöœuùúûüyÿh])"  # elided before a vowel: l'écran, qu'il, dell'utente
    r"|\w+(?:['’]\w+)*"  # a word, an apostrophe inside it included
    r"|<?-+>|=>|<-+"  # arrows, which compare nothing
    r"|[!=<>≠≥≤~]+"  # comparison operators
    rf"|{SLOT}",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"""(?<![^\s|("'“‘«„/:])\*(?=[^\s*.]|\.[^*]*[^*\s]\*)""")
"""An asterisk before a label: "*.txt" and "a.*" have none."""
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Thai, kana and Han: scripts without spaces, where words are found as substrings."""


def tokens(masked: str, lower: bool = True) -> list[str]:
    """Words, operators and slots of a masked text, in order and in lower case; other punctuation is dropped. `l'écran`
    is two words, as `the screen` is; `don't` is one."""
    composed = composed_form(masked)
    return _TOKEN.findall((composed.lower() if lower else composed).replace("’", "'"))


def is_emphasised(masked: str) -> bool:
    """Whether labels stand between asterisks, the last of which may be missing."""
    return "*" in masked and bool(_EMPHASIS.search(masked))


def labels(masked: str) -> list[bool]:
    """For each of `tokens`, whether it is a name or label: with a capital ("hE" too), though not the text's first, or
    between asterisks."""
    masked = composed_form(masked)
    opening = {match.start() for match in _EMPHASIS.finditer(masked)} if "*" in masked else set()
    if not opening:
        words = _TOKEN.findall(masked)
        return [place > 0 and len(word) > 1 and word != word.lower() for place, word in enumerate(words)]
    flags: list[bool] = []
    inside, end = False, 0
    for match in _TOKEN.finditer(masked):
        for place in range(end, match.start()):
            if masked[place] == "*":
                inside = not inside and place in opening
        end = match.end()
        flags.append(inside or (bool(flags) and len(match.group()) > 1 and match.group()[0].isupper()))
    return flags


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language's data. Words are in lower case; where a script has no spaces they are substrings."""

    code: str
    function_words: frozenset[str]
    """Words whose presence changes no meaning: articles, pronouns of the user, auxiliary verbs."""
    light_words: frozenset[str]
    """Words that weigh little where texts are measured, and yet change the meaning: "my", "now", "can"."""
    modals: frozenset[str]
    """Words for what can be done, is tried or succeeds, where without them it is done: "can", "try", "successfully"."""
    prepositions: tuple[tuple[str, ...], ...]
    """Those of one list say much the same."""
    auxiliaries: frozenset[str]
    """Verbs that make another one tell what was done or is the case: "was", "have"."""
    negations: frozenset[str]
    negative_endings: tuple[str, ...]
    """What a word ends with that denies by itself: Turkish "görünmez"."""
    negative_concord: bool
    """Whether two negations deny once ("ne … pas"), and not each other."""
    antonyms: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """Pairs of (words, opposite words)."""
    assertion: tuple[str, ...]
    """Wordings that make a step a check: "should", "make sure"."""
    observation: frozenset[str]
    """Words of a check without them: "see", "displayed", "response"."""
    fillers: frozenset[str]
    """Words with which a wording claims no more than without: "again", "page"."""
    action: frozenset[str]
    """Verbs by which a step does something: "click", "create"."""
    pronouns: frozenset[str]
    """Subjects; the word after one is a verb."""
    determiners: frozenset[str]
    """After one of these a word of `action` is a noun: "the search"."""
    actors: frozenset[str]
    """Nouns for the one who acts, where "I" would say the same: "user"."""
    http_context: frozenset[str]
    """Words beside which a lower-case "get" or "post" is the HTTP verb."""
    synonyms: tuple[tuple[str, tuple[str, ...]], ...]
    """(meaning, wordings) of words that mean the same in nearly every step; a word may have several meanings."""
    near_synonyms: tuple[tuple[str, tuple[str, ...]], ...]
    """Those of words that mean the same in some steps and not in others."""
    states: dict[str, tuple[str, ...]]
    """Meaning of an action to wordings of the state that it leads to: "visit" to "am on"."""
    siblings: tuple[tuple[str, ...], ...]
    """Words of one kind of which none stands for another: days, roles, fields."""
    classes: dict[str, dict[str, tuple[str, ...]]]
    """Guard id to class to wordings: what `guards` compares besides the above."""
    irregular: dict[str, str]
    stemmer: str
    """Name of Snowball's algorithm for the language; "" where there is none, or another is used."""


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that have a data file, sorted."""
    folder = Path(__file__).with_name("languages")
    return tuple(sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".toml")))


@cache
def vocabulary(code: str) -> Vocabulary:
    """The data of one language. Raises `FileNotFoundError` for a code that `languages()` does not name."""
    path = Path(__file__).with_name("languages") / f"{code}.toml"
    data = tomllib.loads(path.read_text("utf-8"))
    classes = {
        guard: {name: _as_tuple(words) for name, words in table.items()}
        for guard, table in data.get("guards", {}).items()
    }
    return Vocabulary(
        code=code,
        function_words=frozenset(_as_tuple(data.get("function_words", ""))),
        light_words=frozenset(_as_tuple(data.get("light_words", ""))),
        modals=frozenset(_as_tuple(data.get("modals", ""))),
        prepositions=tuple(_as_tuple(group) for group in data.get("prepositions", [])),
        auxiliaries=frozenset(_as_tuple(data.get("auxiliaries", ""))),
        negations=frozenset(_as_tuple(data.get("negations", ""))),
        negative_endings=_as_tuple(data.get("negative_endings", "")),
        negative_concord=bool(data.get("negative_concord", False)),
        antonyms=tuple((_as_tuple(left), _as_tuple(right)) for left, right in data.get("antonyms", [])),
        assertion=_as_tuple(data.get("assertion", "")),
        observation=frozenset(_as_tuple(data.get("observation", ""))),
        fillers=frozenset(_as_tuple(data.get("fillers", ""))),
        action=frozenset(_as_tuple(data.get("action", ""))),
        pronouns=frozenset(_as_tuple(data.get("pronouns", ""))),
        determiners=frozenset(_as_tuple(data.get("determiners", ""))),
        actors=frozenset(_as_tuple(data.get("actors", ""))),
        http_context=frozenset(_as_tuple(data.get("http_context", ""))),
        synonyms=tuple((meaning, tuple(wordings)) for meaning, wordings in data.get("synonyms", {}).items()),
        near_synonyms=tuple((meaning, tuple(wordings)) for meaning, wordings in data.get("near_synonyms", {}).items()),
        states={meaning: tuple(wordings) for meaning, wordings in data.get("states", {}).items()},
        siblings=tuple(_as_tuple(family) for family in data.get("siblings", [])),
        classes=classes,
        irregular=dict(data.get("irregular", {})),
        stemmer=data.get("stemmer", ""),
    )


def _as_tuple(words: str | Sequence[str]) -> tuple[str, ...]:
    """Words of a data file: a string of words, or a list where a wording has blanks."""
    return tuple(words.split()) if isinstance(words, str) else tuple(words)


@cache
def _marks() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Function words and negations to the languages that have them: those between blanks, and those in scripts without.

    An opening letter of the Latin alphabet alone marks nothing.
    """
    spaced: dict[str, list[str]] = {}
    unspaced: dict[str, list[str]] = {}
    for code in languages():
        words = vocabulary(code)
        for word in words.function_words | words.light_words | words.negations:
            if not (len(word) == 1 and word.isascii() and word != "i"):
                (unspaced if is_unspaced(word) else spaced).setdefault(word, []).append(code)
    return {k: tuple(v) for k, v in spaced.items()}, {k: tuple(v) for k, v in unspaced.items()}


def detect_languages(texts: Iterable[str], limit: int = 2000) -> tuple[str, ...]:
    """Languages of a suite's masked texts by their function words, the most frequent first; "en" where none is found.

    A word that several languages have counts for each in part. A language counts when it has at least half as many hits
    as the leading one. Reads the first `limit` texts.
    """
    spaced, unspaced = _marks()
    counts: dict[str, float] = {}
    for _, text in zip(range(limit), texts, strict=False):
        hints = [spaced[word] for word in set(tokens(text)) if word in spaced]
        if _UNSPACED.search(text):
            hints += [codes for word, codes in unspaced.items() if word in text]
        for codes in hints:
            for code in codes:
                counts[code] = counts.get(code, 0.0) + 1.0 / len(codes)
    if not counts:
        return ("en",)
    best = max(counts.values())
    return tuple(
        sorted((code for code, n in counts.items() if n >= 0.5 * best), key=lambda code: (-counts[code], code))
    )


def is_unspaced(word: str) -> bool:
    """Whether `word` is written in a script without spaces, so that it is found as a substring."""
    return bool(_UNSPACED.search(word))
