"""How sure it is that two wordings of one code claim different things.

What the code itself names tells more than how the wordings differ: where it says the word of one and not of the other,
the other step does what it does not say. Where it says neither, what differs may depend on the state that it reads.
143 groups of equal code from 32 repositories were labelled twice (kappa .93), then three times 84 from 35, 31 and 19
others that nothing was tuned on (kappa .87, .79, .93). As suspect were told 17 of 28 that both readers call so in the
first, 5 of 10, 4 of 7 and 7 of 10 in the others, 12 of 16, 2 of 7, 7 of 10 and 8 of 12 in those that `twins` ends with,
before their labels were looked at: what a reader knows of a domain is not in the words. So whatever things two wordings
name are told as a hint at least, however much else differs: of the 60 of the last five draws 51 now, with 92 of 150
aliases, whose words look no other. Of findings, both readers would act on 46 of 64 where one wording says more than the
code mentions, and on 3 of 11 where it names one of two words: a hint each.
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
"""From which they are one sentence with another part."""

GENERIC = 6
"""Names in a function that any step may have: `expect(page).to have_content(text)`."""

_SHORT = 4
"""Letters from which the beginning of a word in a name stands for the word."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    severity: Severity
    words: tuple[str, str]
    """What each claims; empty if it only says less."""


@dataclass(frozen=True)
class NamesInCode:
    """What a function's code names."""

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
        """True if it could name the words at all: code in Latin letters names nothing that Greek steps say."""
        return not (self._is_latin and _is_foreign(written))

    @property
    def is_generic(self) -> bool:
        """True if any step may have this code: `response.status == 401`, whatever was asked for before."""
        return self.form is None or self.form.weight < GENERIC

    @cached_property
    def _quantifiers(self) -> frozenset[str]:
        tables = (vocabulary(code).quantifier for code in self.languages)
        return frozenset(_plain(word) for table in tables for values in table.values() for word in values)

    def says(self, written: str) -> bool:
        """True if it names any of the words, in full, short (`meta` of "metadata") or as one (`logout`); `page.all` is
        no claim about all."""
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
        """True if only a literal tells what something is done to: `click(".primary")` takes what is shown."""
        form = self.form
        if form is None or not any(token[:1] == TEXT for token in form.tokens):
            return False
        return not any(self.are_things((name,)) for name in names_in((*form.tokens, *form.mentions, form.calls)))

    def are_things(self, written: Iterable[str]) -> bool:
        """True if any of the words is no way to do, see or deny something: "views", "is redirected to", "cannot"."""
        return any(self._stem(word) not in self._deeds for text in written for word in words(_plain(text)))


def are_told_by_state(claims: Claims, said: NamesInCode) -> bool:
    """True if two wordings name different things, and their code none, so that the state tells what it is done to."""
    names_one = any(said.says(word) for part in claims.only for word in part)
    return all(claims.only) and said.selects_only and not names_one


def suspicion(claims: Claims, said: NamesInCode, *, acts: bool) -> Suspicion | None:
    """What two wordings of one function claim differently; None where that is nothing to look at. `acts`: they are no
    outcomes, which may read what differs from the state."""
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
    """Where one names things that the other does not."""
    more, other = sorted(zip(things, claims.only, strict=True), key=lambda part: -len(part[0]))
    if not claims.likeness or len(more[0]) <= len(other[1]):  # else so many words are another way to say what is done
        return None
    unsaid = [tuple(word for word in part if not said.says(word)) for part in things]
    if not any(unsaid) or not all(map(said.can_say, more[0])):
        return None
    return Suspicion(Severity.HINT, _joined(unsaid))


def _plain(text: str) -> str:
    """Without accents of Latin letters, which code leaves out: `configuracao` of "configuração"."""
    if text.isascii():
        return text
    bases = ((char, normalize("NFD", char)[0]) for char in normalize("NFC", text))
    return "".join(base if base.isascii() else char for char, base in bases)


def _is_foreign(text: str) -> bool:
    return not text.isascii() and any(char.isalpha() and "LATIN" not in name(char, "") for char in text)


def _joined(words: Sequence[tuple[str, ...]]) -> tuple[str, str]:
    """The words of each of two wordings."""
    return " ".join(words[0]), " ".join(words[1])
