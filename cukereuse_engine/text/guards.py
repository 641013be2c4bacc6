"""Guards: differences of meaning that two step texts may not have if they are to be called one (paper, rules R4-R8).

Each text has a signature, computed once; two signatures are compared with a few integer operations, one pair at a time
or over whole NumPy columns. Guards read literal words only, never slots: a quoted "GET" is an argument. What the words
are stands in `languages/*.toml`. A guard never says that two texts are alike.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import mask
from cukereuse_engine.text.words import is_unspaced, tokens, vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

GUARDS: dict[str, str] = {
    "polarity": "one affirms what the other negates",
    "http-verb": "they name different HTTP verbs",
    "operator": "they use different comparisons",
    "inclusion": "one excludes or limits something, the other does not",
    "order": "they differ in order or position",
    "framework-keyword": "they use different keywords of the framework",
    "presence-content": "one checks that something exists, the other checks its content",
    "action-assertion": "one does something, the other checks it",
}
"""Guard id to what a person is told."""

_ASSERT, _OBSERVE, _ACTION = 1, 2, 4
_LOOKED_UP = (
    "affirmative",
    "opposite",
    "operator",
    "comparison",
    "inclusion",
    "quantifier",
    "order",
    "framework-keyword",
    "presence",
)
"""Tables of which a signature has the bits."""
_BITS = 63
"""What a signed column holds. English and French alone have more pairs of antonyms: a bit may stand for one of each of
two languages, which no two texts mix."""


class Signature(NamedTuple):
    """What guards know of one text. Each field is a set of bits, and may be a column of them."""

    negated: Any
    """1 for an odd number of negations; for any, where a language of the suite denies once with two words."""
    affirmative: Any
    """Bit i: a word of the first half of antonym pair i."""
    opposite: Any
    """Bit i: a word of the second half of antonym pair i."""
    verbs: Any
    operators: Any
    comparisons: Any
    inclusion: Any
    quantifier: Any
    order: Any
    framework: Any
    presence: Any
    assertion: Any


@dataclass(frozen=True, slots=True)
class _Wordings:
    """Word sequences that each set a bit; of those that begin at one word the longest counts."""

    by_first: dict[str, tuple[tuple[tuple[str, ...], int], ...]]
    unspaced: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, wordings: Iterable[tuple[str, int]]) -> "_Wordings":
        by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        unspaced = []
        for wording, bits in wordings:
            if is_unspaced(wording):
                unspaced.append((wording, bits))
                continue
            words = tuple(tokens(wording))
            by_first.setdefault(words[0], []).append((words, bits))
        longest_first = {k: tuple(sorted(v, key=lambda item: -len(item[0]))) for k, v in by_first.items()}
        return cls(longest_first, tuple(sorted(unspaced, key=lambda item: -len(item[0]))))

    def hits(self, words: list[str], text: str) -> list[int]:
        """The bits of every wording found, left to right."""
        hits: list[int] = []
        position = len(words) if self.by_first.keys().isdisjoint(words) else 0
        while position < len(words):
            length = 1
            for wording, bits in self.by_first.get(words[position], ()):
                if tuple(words[position : position + len(wording)]) == wording:
                    hits.append(bits)
                    length = len(wording)
                    break
            position += length
        for substring, bits in self.unspaced:
            if substring in text:
                hits.extend([bits] * text.count(substring))
                text = text.replace(substring, " ")
        return hits

    def bits(self, words: list[str], text: str) -> int:
        result = 0
        for bits in self.hits(words, text):
            result |= bits
        return result


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The data of some languages, ready to be looked up. Tables have names: "negation", "operator", …"""

    concord: bool
    negative_endings: tuple[str, ...]
    by_words: dict[str, _Wordings]
    """Tables of words as they are."""
    by_stems: dict[str, _Wordings]
    """Tables of stems."""
    action: frozenset[str]
    """Stems."""
    determiners: frozenset[str]
    http_context: frozenset[str]
    of_word: dict[str, tuple[str, ...]]
    """First words of wordings to the tables that have them."""
    of_stem: dict[str, tuple[str, ...]]
    """First stems of wordings to the tables that have them, and stems of `action` to "action"."""
    of_any: frozenset[str]
    """Tables with wordings in a script without spaces: which words a text has says nothing of those."""

    def tables_of(self, words: list[str], stems: list[str]) -> set[str]:
        """Tables, "action" too, of which a text may have a wording: few, and in no other is anything looked up."""
        tables = set(self.of_any)
        for word in self.of_word.keys() & words:
            tables.update(self.of_word[word])
        for word in self.of_stem.keys() & stems:
            tables.update(self.of_stem[word])
        return tables

    def denied_by_endings(self, words: list[str], stems: list[str]) -> int:
        """Words that deny by themselves, each in a clause of its own; what is an opposite of a word is no denial."""
        opposites = self.by_stems["opposite"].by_first
        return sum(
            word.endswith(self.negative_endings) and stem not in opposites
            for word, stem in zip(words, stems, strict=True)
        )


def _by_first(tables: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    tables_of: dict[str, tuple[str, ...]] = {}
    for name, words in tables:
        for word in words:
            tables_of[word] = (*tables_of.get(word, ()), name)
    return tables_of


@cache
def _lexicon(languages: tuple[str, ...]) -> _Lexicon:
    vocabularies = [vocabulary(code) for code in languages]
    stem = stemmer(languages).__getitem__
    pairs = [
        (1 << number % _BITS, *pair)
        for number, pair in enumerate(pair for language in vocabularies for pair in language.antonyms)
    ]
    names: dict[str, list[str]] = {}
    wordings: dict[str, list[tuple[str, int]]] = {}
    for language in vocabularies:
        for guard, table in language.guards.items():
            bits = names.setdefault(guard, [])
            for name, words in table.items():
                if name not in bits:
                    bits.append(name)
                wordings.setdefault(guard, []).extend((word, 1 << bits.index(name)) for word in words)
    by_words = {name: _Wordings.of(hits) for name, hits in wordings.items()}
    by_words["negation"] = _Wordings.of((word, 1) for language in vocabularies for word in language.negations)
    by_words["assertion"] = _Wordings.of((word, 1) for language in vocabularies for word in language.assertion)
    by_stems = {
        "affirmative": _Wordings.of((stem(word), bit) for bit, words, _ in pairs for word in words),
        "opposite": _Wordings.of((stem(word), bit) for bit, _, words in pairs for word in words),
        "observation": _Wordings.of((stem(word), 1) for language in vocabularies for word in language.observation),
    }
    action = frozenset(stem(word) for language in vocabularies for word in language.action)
    return _Lexicon(
        concord=any(language.negative_concord for language in vocabularies),
        negative_endings=tuple(sorted(ending for language in vocabularies for ending in language.negative_endings)),
        by_words=by_words,
        by_stems=by_stems,
        action=action,
        determiners=frozenset(word for language in vocabularies for word in language.determiners),
        http_context=frozenset(word for language in vocabularies for word in language.http_context),
        of_word=_by_first((name, table.by_first) for name, table in by_words.items()),
        of_stem=_by_first([*((name, table.by_first) for name, table in by_stems.items()), ("action", action)]),
        of_any=frozenset(name for name, table in (by_words | by_stems).items() if table.unspaced),
    )


def _verbs(masked: str, words: list[str], lexicon: _Lexicon) -> int:
    verbs = lexicon.by_words["http-verb"]
    capitals = [word.strip(".,:;()[]").lower() for word in masked.split() if word.isupper()]
    bits = verbs.bits(capitals, "")
    if not bits and not lexicon.http_context.isdisjoint(words):
        bits = verbs.bits(words, "")
    return bits


def _assertion(words: list[str], stems: list[str], text: str, lexicon: _Lexicon, tables: Set[str]) -> int:
    observation = lexicon.by_stems["observation"]
    if "assertion" in tables and lexicon.by_words["assertion"].hits(words, text):
        return _ASSERT
    for position, word in enumerate(stems):
        if word in lexicon.action and (position == 0 or words[position - 1] not in lexicon.determiners):
            return _ACTION
        if observation.by_first.get(word):
            return _OBSERVE
    return _OBSERVE if observation.bits([], text) else 0


def _framework(words: list[str], bits: int) -> int:
    """`def` and `set` are keywords only where they begin a step; `call` and `callonce` anywhere."""
    if not words or words[0] not in ("def", "set"):
        bits &= 3
    return bits


@lru_cache(maxsize=65536)
def signature_of_masked(masked: str, languages: tuple[str, ...] = ("en",)) -> Signature:
    """The signature of a text that is already masked (`template.mask`)."""
    lexicon = _lexicon(languages)
    text = masked.lower()
    words = tokens(masked)
    stems = list(map(stemmer(languages).__getitem__, words))
    tables = lexicon.tables_of(words, stems)
    hits = dict.fromkeys(_LOOKED_UP, 0)
    for name in tables & hits.keys():
        table = lexicon.by_words.get(name)
        hits[name] = table.bits(words, text) if table else lexicon.by_stems[name].bits(stems, text)
    denied = len(lexicon.by_words["negation"].hits(words, text)) if "negation" in tables else 0
    checks = not tables.isdisjoint(("assertion", "action", "observation"))
    return Signature(
        negated=max(min(denied, 1), lexicon.denied_by_endings(words, stems)) if lexicon.concord else denied % 2,
        affirmative=hits["affirmative"],
        opposite=hits["opposite"],
        verbs=_verbs(masked, words, lexicon) if "http-verb" in tables else 0,
        operators=hits["operator"],
        comparisons=hits["comparison"],
        inclusion=hits["inclusion"],
        quantifier=hits["quantifier"],
        order=hits["order"],
        framework=_framework(words, hits["framework-keyword"]),
        presence=hits["presence"],
        assertion=_assertion(words, stems, text, lexicon, tables) if checks else 0,
    )


def signature(text: str, languages: tuple[str, ...] = ("en",)) -> Signature:
    """The signature of a step's text; `languages` are codes of `words.languages()`."""
    return signature_of_masked(mask(text), languages)


def columns(signatures: Sequence[Signature]) -> Signature:
    """Signatures as `(n,)` int64 columns, for `differences` over many pairs."""
    import numpy as np

    return Signature(*(np.array(values, np.int64) for values in zip(*signatures, strict=True)))


def take(table: Signature, rows: "NDArray[Any]") -> Signature:
    """The rows of a table of signatures that `columns` made."""
    return Signature(*(column[rows] for column in table))


def _conflict(left: Any, right: Any) -> Any:
    """Both name something, and not the same."""
    return (left != 0) & (right != 0) & (left != right)


def differences(left: Signature, right: Signature) -> dict[str, Any]:
    """Guard id to whether the two differ by it: booleans for two signatures, `(n,)` bool arrays for two tables."""
    swapped = (left.affirmative & ~left.opposite & right.opposite & ~right.affirmative) | (
        left.opposite & ~left.affirmative & right.affirmative & ~right.opposite
    )
    apart = left.assertion | right.assertion
    modal = (left.assertion ^ right.assertion) & _ASSERT
    return {
        "polarity": (left.negated != right.negated) ^ (swapped != 0),
        "http-verb": _conflict(left.verbs, right.verbs),
        "operator": (left.operators != right.operators) | _conflict(left.comparisons, right.comparisons),
        "inclusion": (left.inclusion != right.inclusion) | _conflict(left.quantifier, right.quantifier),
        "order": left.order != right.order,
        "framework-keyword": _conflict(left.framework, right.framework),
        "presence-content": (left.presence | right.presence == 3) & (left.presence & right.presence == 0),
        "action-assertion": (apart == (_ASSERT | _ACTION))
        | (apart == (_OBSERVE | _ACTION))
        | ((modal != 0) & (apart == _ASSERT)),
    }


def differing_guards(a: str, b: str, languages: tuple[str, ...] = ("en",)) -> tuple[str, ...]:
    """Ids of the guards by which two step texts differ, in the order of `GUARDS`."""
    differing = differences(signature(a, languages), signature(b, languages))
    return tuple(guard for guard, differs in differing.items() if differs)
