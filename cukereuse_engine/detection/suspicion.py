"""How sure it is that two wordings of one code claim different things.

What the code itself names tells more than how the wordings differ: where it says the word of one and not of the other,
the other step does what it does not say. Where it says neither, what differs may be told by the state that it reads.
Of 49 pairs of one file and one keyword from 20 repositories, labelled twice, 18 are suspect: 6 of the 9 in which one
only adds words that the code does not say, 2 of the 3 actions whose code says the words of one side only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from cukereuse_engine.detection.claims import Claims
from cukereuse_engine.functions.checks import names_in
from cukereuse_engine.functions.model import Form
from cukereuse_engine.functions.tokens import TEXT, words
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.stemming import stemmer

_MORE = 0.4
"""Share of words that both have from which one wording is the other with more."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    severity: Severity
    words: tuple[str, str]
    """What each claims; empty for one that only says less."""


@dataclass(frozen=True)
class Said:
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
        return frozenset(self._stem(word) for one in (*named, *texts) for word in words(one))

    def says(self, written: str) -> bool:
        """Whether it names any of the words."""
        return any(self._stem(word) in self._stems for word in words(written))


def suspicion(claims: Claims, said: Said, *, acts: bool) -> Suspicion | None:
    """What two wordings of one function claim differently; None where that is nothing to look at. `acts`: they are no
    outcomes, which may read what differs from the state."""
    told = [sum(map(said.says, part)) for part in claims.only]
    if claims.differing is not None:
        if claims.opposed or bool(told[0]) != bool(told[1]):
            sure = claims.opposed or acts
            return Suspicion(Severity.WARNING if sure else Severity.INFORMATION, claims.differing)
        return Suspicion(Severity.HINT, claims.differing)
    mine, theirs = (" ".join(part) for part in claims.only)
    if bool(mine) != bool(theirs):
        unsaid = len(claims.only[0]) + len(claims.only[1]) - sum(told) > sum(told)
        return Suspicion(Severity.INFORMATION, (mine, theirs)) if unsaid and claims.likeness >= _MORE else None
    return Suspicion(Severity.HINT, (mine, theirs)) if mine and bool(told[0]) != bool(told[1]) else None
