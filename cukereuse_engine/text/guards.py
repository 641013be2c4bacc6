"""Guards: differences of meaning that two step texts may not have if they are to be called one (paper, rules R4-R8).

Each text has a signature, computed once; two signatures are compared with a few integer operations, one pair at a time
or over whole NumPy columns. Guards read literal words only, never slots: a quoted "GET" is an argument. The words are
in `languages/*.toml`. A guard never says that two texts are alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import mask
from cukereuse_engine.text.words import antonyms, by_first_word, is_unspaced, spelled_out, tokens, vocabulary, words_of

GUARDS: dict[str, str] = {
    "polarity": "one says the opposite of the other",
    "http-verb": "they name different HTTP verbs",
    "operator": "one compares in another way, or not at all",
    "inclusion": "one excludes or limits something, the other does not",
    "order": "they differ in order or position",
    "framework-keyword": "they use different keywords of the framework",
    "presence-content": "one checks that something exists, the other checks its content",
    "action-assertion": "one does something, the other checks it",
}
"""Guard id to the words that a person sees."""

_TABLES = "http_verb", "operator", "comparison", "inclusion", "quantifier", "order", "framework_keyword", "presence"
"""Of a language's words: classes of which two texts may not name different ones."""
_SIDES = "affirmative", "opposite"
_ASSERT, _OBSERVE, _ACTION = 1, 2, 4
_BITS = 63
"""What a signed column holds. English and French alone have more pairs of antonyms: a bit may stand for one of each of
two languages, which no two texts mix."""


class Signature(NamedTuple):
    """What guards know of one text. Each field is a set of bits, and may be a column of them."""

    negated: Any
    """1 for negations, however many: two deny once in many languages ("ne … pas"), and in a list in English. More for
    words that each deny in a clause of their own."""
    affirmative: Any
    """Bit i: a word of the first half of antonym pair i."""
    opposite: Any
    """Bit i: a word of the second half of antonym pair i."""
    verbs: Any
    operator: Any
    comparison: Any
    inclusion: Any
    quantifier: Any
    order: Any
    framework: Any
    presence: Any
    assertion: Any


_Rows = list[tuple[str, str, int]]
"""Table, wording, and bits."""
_ByFirst = dict[str, list[tuple[tuple[str, ...], tuple[str, int]]]]
"""First word to (wording, (table, bits)), the longest first; of those of one table that begin at one word the longest
counts."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The data of some languages, ready to be looked up. Tables have names: "negation", "operator", …"""

    negative_endings: tuple[str, ...]
    by_word: _ByFirst
    by_stem: _ByFirst
    unspaced: _Rows
    """Substrings in scripts without spaces, the longest first."""
    verbs: dict[str, int]
    action: frozenset[str]
    observation: frozenset[str]
    opposite: frozenset[str]
    """Stems."""
    determiners: frozenset[str]
    http_context: frozenset[str]

    def hits(self, words: list[str], stems: list[str], text: str) -> dict[str, list[int]]:
        """Table to the bits of every wording found."""
        hits: dict[str, list[int]] = {}
        for by_first, sequence in ((self.by_word, words), (self.by_stem, stems)):
            free: dict[str, int] = {}
            for position, first in enumerate(sequence):
                for wording, (table, bits) in by_first.get(first, ()):
                    end = position + len(wording)
                    if position >= free.get(table, 0) and tuple(sequence[position:end]) == wording:
                        hits.setdefault(table, []).append(bits)
                        free[table] = end
        left: dict[str, str] = {}
        for table, substring, bits in self.unspaced:
            rest = left.get(table, text)
            if substring in rest:
                hits.setdefault(table, []).extend([bits] * rest.count(substring))
                left[table] = rest.replace(substring, " ")
        return hits


@cache
def _lexicon(languages: tuple[str, ...]) -> _Lexicon:
    stem = stemmer(languages).__getitem__
    of_words = _rows_of_words(languages)
    of_stems = [(_SIDES[side], stem(word), 1 << number % _BITS) for number, side, word in antonyms(languages)]
    observation = set(map(stem, words_of(languages, "observation")))
    rows = (*of_words, *of_stems, *(("observation", word, 1) for word in observation))
    return _Lexicon(
        negative_endings=tuple(sorted(words_of(languages, "negative_endings"))),
        by_word=_by_first(of_words),
        by_stem=_by_first(of_stems),
        unspaced=sorted((row for row in rows if is_unspaced(row[1])), key=lambda row: -len(row[1])),
        verbs={word: bits for table, word, bits in of_words if table == "http_verb"},
        action=frozenset(map(stem, words_of(languages, "action"))),
        observation=frozenset(word for word in observation if not is_unspaced(word)),
        opposite=frozenset(word for table, word, _ in of_stems if table == "opposite"),
        determiners=words_of(languages, "determiners"),
        http_context=words_of(languages, "http_context"),
    )


def _rows_of_words(languages: tuple[str, ...]) -> _Rows:
    """A bit for each class of a guard's table, in whatever language its wordings are."""
    rows = [("negation", word, 1) for word in words_of(languages, "negations")]
    rows += [("assertion", word, 1) for word in words_of(languages, "assertion")]
    for table in _TABLES:
        bits: dict[str, int] = {}
        for name, words in (item for code in languages for item in getattr(vocabulary(code), table).items()):
            bit = bits.setdefault(name, 1 << len(bits))
            rows += [(table, word, bit) for word in words]
    return rows


def _by_first(rows: _Rows) -> _ByFirst:
    return by_first_word((tuple(tokens(word)), (table, bits)) for table, word, bits in rows if not is_unspaced(word))


def _verbs(masked: str, words: list[str], lexicon: _Lexicon) -> int:
    """Those in capitals, else those beside a word of HTTP."""
    if lexicon.verbs.keys().isdisjoint(words):
        return 0
    capitals = [word.strip(".,:;()[]").lower() for word in masked.split() if word.isupper()]
    beside = words if not lexicon.http_context.isdisjoint(words) else ()
    return _bits(map(lexicon.verbs.get, capitals)) or _bits(map(lexicon.verbs.get, beside))


def _bits(hits: Iterable[int | None]) -> int:
    return reduce(or_, filter(None, hits), 0)


def _assertion(words: list[str], stems: list[str], hits: Mapping[str, list[int]], lexicon: _Lexicon) -> int:
    if "assertion" in hits:
        return _ASSERT
    for position, stem in enumerate(stems):
        if stem in lexicon.action and (position == 0 or words[position - 1] not in lexicon.determiners):
            return _ACTION
        if stem in lexicon.observation:
            return _OBSERVE
    return _OBSERVE if "observation" in hits else 0


@lru_cache(maxsize=65536)
def signature(masked: str, languages: tuple[str, ...] = ("en",)) -> Signature:
    """The signature of a masked text (`template.mask`); `languages` are codes of `words.languages()`."""
    lexicon = _lexicon(languages)
    masked = spelled_out(masked, languages)
    words = tokens(masked)
    stems = list(map(stemmer(languages).__getitem__, words))
    hits = lexicon.hits(words, stems, masked.lower())
    bits = {table: _bits(found) for table, found in hits.items()}
    denied_in_word = sum(  # each in a clause of its own; what is an opposite of a word is no denial
        word.endswith(lexicon.negative_endings) and stem not in lexicon.opposite
        for word, stem in zip(words, stems, strict=True)
    )
    begins_with_keyword = words[:1] in (["def"], ["set"])  # elsewhere only `call` and `callonce` are keywords
    return Signature(
        negated=max("negation" in hits, denied_in_word),
        verbs=_verbs(masked, words, lexicon),
        framework=bits.get("framework_keyword", 0) & (~0 if begins_with_keyword else 3),
        assertion=_assertion(words, stems, hits, lexicon),
        **{table: bits.get(table, 0) for table in (*_SIDES, *_TABLES) if table in Signature._fields},
    )


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
        "operator": (left.operator != right.operator) | _conflict(left.comparison, right.comparison),
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
    differing = differences(signature(mask(a), languages), signature(mask(b), languages))
    return tuple(guard for guard, differs in differing.items() if differs)
