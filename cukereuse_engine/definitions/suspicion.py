"""How certain it is that two wordings of one code claim different things.

The names in the code tell more than the words that differ: if the code names the word of only one wording, the other
step does what it does not say. If it names neither, the difference may depend on the state that the code reads.

Severities follow labels by two readers. Wordings that name different things are at least a hint, however much else
differs: that reports 51 of 60 suspects, and 92 of 150 aliases, which no word tells apart from them. Readers would act
on 46 of 64 findings where one wording says more than the code mentions, and on 3 of 11 where the code names only one of
two words: each is a hint.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from unicodedata import name, normalize

from cukereuse_engine.definitions.claims import Claims
from cukereuse_engine.functions.checks import names_in
from cukereuse_engine.functions.form import Form
from cukereuse_engine.functions.tokens import TEXT, words
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.words import vocabulary

_MOSTLY = 0.5
"""`Claims.likeness` from which two wordings are one sentence that differs in a part."""

GENERIC = 6
"""Weight of a form below which any step may have its code: `expect(page).to have_content(text)`."""

_SHORT = 4
"""Fewest letters that the beginning of a word needs to stand for the word."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    severity: Severity
    words: tuple[str, str]
    """The differing words of each wording; empty for a wording that only says less."""


@dataclass(frozen=True)
class NamesInCode:
    """The names in a function's code."""

    form: Form | None
    languages: tuple[str, ...]

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        return stemmer(self.languages).__getitem__

    @cached_property
    def _stems(self) -> frozenset[str]:
        form = self.form
        if form is None:
            return frozenset()
        named = names_in((*form.tokens, *form.mentions, form.calls))
        texts = (token[1:] for token in form.tokens if token[:1] == TEXT)
        return frozenset(self._stem(word) for text in (*named, *texts) for word in words(_plain(text)))

    @cached_property
    def _is_latin(self) -> bool:
        form = self.form
        return form is None or not any(map(_is_foreign, (*form.tokens, *form.mentions)))

    def can_say(self, written: str) -> bool:
        """True if the code could name the words at all: code in Latin letters names nothing that Greek steps say."""
        return not (self._is_latin and _is_foreign(written))

    @property
    def is_generic(self) -> bool:
        """True if any step may have this code: `response.status == 401` checks any request."""
        return self.form is None or self.form.weight < GENERIC

    @cached_property
    def _quantifiers(self) -> frozenset[str]:
        tables = (vocabulary(code).quantifier for code in self.languages)
        return frozenset(_plain(word) for table in tables for values in table.values() for word in values)

    def says(self, written: str) -> bool:
        """True if the code names any of the words: in full, short (`meta` of "metadata") or joined (`logout`).
        Quantifiers do not count: `page.all` claims nothing about all."""
        named = [word for word in words(_plain(written)) if word not in self._quantifiers]
        return any(self._names(self._stem(word)) for word in (*named, "".join(named)) if word)

    def _names(self, stem: str) -> bool:
        return stem in self._stems or any(stem[:end] in self._stems for end in range(_SHORT, len(stem)))

    @cached_property
    def _deeds(self) -> frozenset[str]:
        lexica = [vocabulary(code) for code in self.languages]
        doing = (table for language in lexica for table in (language.observation, language.assertion, language.action))
        tables = (*doing, *(table for language in lexica for table in (language.function_words, language.negations)))
        return frozenset(self._stem(_plain(word)) for table in tables for word in table)

    @cached_property
    def selects_only(self) -> bool:
        """True if only a literal tells what the code acts on: `click(".primary")` takes what is shown."""
        form = self.form
        if form is None or not any(token[:1] == TEXT for token in form.tokens):
            return False
        return not any(self.are_things((name,)) for name in names_in((*form.tokens, *form.mentions, form.calls)))

    def are_things(self, written: Iterable[str]) -> bool:
        """True if any of the words names a thing: no act, check or denial, such as "views", "redirected", "cannot"."""
        return any(self._stem(word) not in self._deeds for text in written for word in words(_plain(text)))


def are_told_by_state(claims: Claims, said: NamesInCode) -> bool:
    """True if two wordings name different things and their code names none, so that it takes them from the state."""
    names_one = any(said.says(word) for part in claims.only for word in part)
    return all(claims.only) and said.selects_only and not names_one


def suspicion(claims: Claims, said: NamesInCode, *, acts: bool) -> Suspicion | None:
    """The different claims of two wordings of one function; None if they need no look. `acts`: neither is an outcome,
    which may read the difference from the state."""
    if acts and claims.opposed and claims.lacking:  # "without filling any fields": true where nothing is said of them
        unlike = any(map(said.says, claims.lacking))
        return Suspicion(Severity.INFORMATION, _joined(claims.only)) if unlike else None
    if claims.differing is not None:
        is_opposite = claims.opposed and max(map(len, claims.only)) < 2
        return Suspicion(Severity.WARNING if is_opposite else Severity.HINT, claims.differing)
    things = [_things(part, said) for part in claims.only]
    if not all(things):
        return _of_more_words(claims, things, said)
    looked_at = acts or claims.likeness < _MOSTLY or said.is_generic or any(map(said.says, chain(*claims.only)))
    return Suspicion(Severity.HINT if looked_at else Severity.INFORMATION, _joined(claims.only))


def _things(words: Iterable[str], said: NamesInCode) -> tuple[str, ...]:
    return tuple(word for word in words if said.are_things((word,)))


def _of_more_words(claims: Claims, things: Sequence[tuple[str, ...]], said: NamesInCode) -> Suspicion | None:
    """The suspicion if only one wording names things of its own."""
    more, other = sorted(zip(things, claims.only, strict=True), key=lambda part: -len(part[0]))
    if not claims.likeness or len(more[0]) <= len(other[1]):  # else so many words are another way to say what is done
        return None
    unsaid = [tuple(word for word in part if not said.says(word)) for part in things]
    if not any(unsaid) or not all(map(said.can_say, more[0])):
        return None
    return Suspicion(Severity.HINT, _joined(unsaid))


def _plain(text: str) -> str:
    """The text without accents on Latin letters, as code writes it: `configuracao` for "configuração"."""
    if text.isascii():
        return text
    bases = ((char, normalize("NFD", char)[0]) for char in normalize("NFC", text))
    return "".join(base if base.isascii() else char for char, base in bases)


def _is_foreign(text: str) -> bool:
    return not text.isascii() and any(char.isalpha() and "LATIN" not in name(char, "") for char in text)


def _joined(words: Sequence[tuple[str, ...]]) -> tuple[str, str]:
    """The words of each wording as one text."""
    return " ".join(words[0]), " ".join(words[1])
