"""The words of a masked step text, and the data about words from each language's file.

Everything that knows a language is data in `languages/<code>.toml`; a further language is a further file. Nothing here
reads a slot: texts come masked.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from cukereuse_engine.grouped import grouped
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
_APOSTROPHE = re.compile(r"\b\w+['’]\w+")
_EMPHASIS = re.compile(r"""(?<![^\s|("'“‘«„/:])\*(?=[^\s*.]|\.[^*]*[^*\s]\*)""")
"""An asterisk before a label: "*.txt" and "a.*" have none."""
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Thai, kana and Han: scripts without spaces, where words are found as substrings."""


def tokens(masked: str, lower: bool = True) -> list[str]:
    """Words, operators and slots of a masked text, in order and in lower case; other punctuation is dropped. `l'écran`
    is two words, as `the screen` is; `don't` is one."""
    words = _TOKEN.findall(composed_form(masked).replace("’", "'"))
    return [word.lower() for word in words] if lower else words


def spelled_out(masked: str, languages: tuple[str, ...]) -> str:
    """A masked text with each contraction in its long form: `do not` for `don't`."""
    return _APOSTROPHE.sub(lambda match: _long_form(match[0].replace("’", "'"), languages), masked)


@lru_cache(maxsize=4096)
def _long_form(word: str, languages: tuple[str, ...]) -> str:
    """What a word stands for; itself if it is no contraction. A contraction "-n't" is an ending of words."""
    rows = (row for code in languages for row in vocabulary(code).contractions.items())
    for long, short in ((long, short) for long, shorts in rows for short in shorts):
        if word.lower() == short:
            return long
        if short[0] == "-" and word[1:].lower().endswith(short[1:]):
            return f"{word[: 1 - len(short)]} {long}"
    return word


def is_emphasised(masked: str) -> bool:
    """True if labels are between asterisks, the last of which may be missing."""
    return "*" in masked and bool(_EMPHASIS.search(masked))


def labels(masked: str, words: Sequence[str]) -> list[bool]:
    """For each of its `tokens` as written, whether it is a name or label: with a capital ("hE" too), though not the
    text's first, or between asterisks."""
    flags = [place > 0 and len(word) > 1 and word != word.lower() for place, word in enumerate(words)]
    if is_emphasised(masked):
        composed = composed_form(masked)
        opening = {match.start() for match in _EMPHASIS.finditer(composed)}
        inside, end = False, 0
        for number, match in enumerate(_TOKEN.finditer(composed)):
            for place in range(end, match.start()):
                if composed[place] == "*":
                    inside = not inside and place in opening
            end = match.end()
            flags[number] |= inside
    return flags


V = TypeVar("V")
Words = frozenset[str]
Families = tuple[tuple[str, ...], ...]
Antonyms = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
Groups = dict[str, tuple[str, ...]]
"""Name to wordings."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language's data; `languages/en.toml` says what each table is for. Words are in lower case; where a script has
    no spaces they are substrings."""

    stemmer: str = ""
    """Name of Snowball's algorithm for the language; "" where there is none, or another is used."""
    agents: Words = frozenset()
    """What a word ends with that says who does something, where the stemmer takes that off: Portuguese "avaliador", who
    is not "avaliado"."""
    function_words: Words = frozenset()
    light_words: Words = frozenset()
    prepositions: Families = ()
    modals: Words = frozenset()
    attempts: Words = frozenset()
    auxiliaries: Words = frozenset()
    negations: Words = frozenset()
    negative_endings: Words = frozenset()
    """What a word ends with that denies by itself: Turkish "görünmez"."""
    assertion: Words = frozenset()
    subjects: Words = frozenset()
    determiners: Words = frozenset()
    http_context: Words = frozenset()
    observation: Words = frozenset()
    existence: Words = frozenset()
    action: Words = frozenset()
    telling: Words = frozenset()
    fillers: Words = frozenset()
    antonyms: Antonyms = ()
    siblings: Families = ()
    synonyms: Groups = field(default_factory=dict)
    near_synonyms: Groups = field(default_factory=dict)
    states: Groups = field(default_factory=dict)
    irregular: Groups = field(default_factory=dict)
    contractions: Groups = field(default_factory=dict)
    http_verb: Groups = field(default_factory=dict)
    operator: Groups = field(default_factory=dict)
    comparison: Groups = field(default_factory=dict)
    inclusion: Groups = field(default_factory=dict)
    quantifier: Groups = field(default_factory=dict)
    order: Groups = field(default_factory=dict)
    framework_keyword: Groups = field(default_factory=dict)
    presence: Groups = field(default_factory=dict)


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that have a data file, sorted."""
    folder = Path(__file__).with_name("languages")
    return tuple(sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".toml")))


@cache
def vocabulary(code: str) -> Vocabulary:
    """The data of one language. Raises `FileNotFoundError` for a code that `languages()` does not name."""
    data = tomllib.loads((Path(__file__).with_name("languages") / f"{code}.toml").read_text("utf-8"))
    table_types = {table.name: table.type for table in fields(Vocabulary)}
    return Vocabulary(**{name: _READERS.get(table_types[name], lambda as_is: as_is)(data[name]) for name in data})


@cache
def words_of(languages: tuple[str, ...], *tables: str) -> Words:
    """The words of these tables of some languages together."""
    return frozenset(word for code in languages for table in tables for word in getattr(vocabulary(code), table))


def antonyms(languages: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
    """Each word with the number of its pair of antonyms and its side, 0 or 1."""
    pairs = (pair for code in languages for pair in vocabulary(code).antonyms)
    for number, pair in enumerate(pairs):
        yield from ((number, side, word) for side, words in enumerate(pair) for word in words)


def by_first_word(wordings: Iterable[tuple[tuple[str, ...], V]]) -> dict[str, list[tuple[tuple[str, ...], V]]]:
    """First word to the wordings that begin with it, the longest first, each with what it stands for."""
    by_length = sorted(wordings, key=lambda wording: -len(wording[0]))
    return grouped((words[0], (words, value)) for words, value in by_length)


def _wordings(text: str) -> tuple[str, ...]:
    """Words between blanks, or wordings between commas."""
    return tuple(" ".join(part.split()) for part in (text.split(",") if "," in text else text.split()))


def _groups(texts: Iterable[str]) -> Groups:
    """Groups of wordings by name: the first wording, or what is before a colon."""
    groups = {}
    for text in texts:
        name, colon, wordings = text.partition(": ")
        parts = (wordings if colon else text).split(", ")
        groups[name if colon else parts[0]] = tuple(parts)
    return groups


_READERS: dict[Any, Callable[[Any], Any]] = {
    Words: lambda text: frozenset(_wordings(text)),
    Families: lambda texts: tuple(map(_wordings, texts)),
    Antonyms: lambda texts: tuple(tuple(map(_wordings, text.split(" / "))) for text in texts),
    Groups: _groups,
}
"""How a table of each type is written."""


@cache
def _marks() -> dict[str, list[str]]:
    """Function words and negations to the languages that have them. An opening letter of the Latin alphabet alone marks
    nothing."""
    return grouped(
        (word, code)
        for code in languages()
        for word in words_of((code,), "function_words", "light_words", "negations")
        if len(word) > 1 or not word.isascii() or word == "i"
    )


def detect_languages(texts: Iterable[str], limit: int = 2000) -> tuple[str, ...]:
    """Languages of a suite's masked texts by their function words, the most frequent first; "en" where none is found.

    A word that several languages have counts for each in part. A language counts when it has at least half as many hits
    as the leading one. Reads the first `limit` texts."""
    marks = _marks()
    unspaced = list(filter(is_unspaced, marks))
    counts: dict[str, float] = {}
    for text in islice(texts, limit):
        words = {word for word in tokens(text) if word in marks}
        if is_unspaced(text):
            words.update(word for word in unspaced if word in text)
        for codes in map(marks.__getitem__, words):
            for code in codes:
                counts[code] = counts.get(code, 0.0) + 1.0 / len(codes)
    if not counts:
        return ("en",)
    best = max(counts.values())
    counted = (code for code, n in counts.items() if n >= 0.5 * best)
    return tuple(sorted(counted, key=lambda code: (-counts[code], code)))


def is_unspaced(text: str) -> bool:
    """True if any part is in a script without spaces, where a word is found as a substring."""
    return bool(_UNSPACED.search(text))
