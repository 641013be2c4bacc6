"""The texts of a suite's steps as the prefilter needs them: folded, and by their words."""

from collections import defaultdict
from collections.abc import Iterator, Set

from cukereuse_engine.glue.fragments import Requirement, fold, words

_FEW = 10
"""The number of searches that cost less than an index of all words."""


class KnownTexts:
    def __init__(self) -> None:
        self._folded: dict[str, str] = {}
        """Every text with its folded form."""
        self._by_word: dict[str, set[str]] | None = None
        """Made when it pays."""
        self._searches = 0
        self.unasked: set[str] = set()
        """The texts that were not requested yet."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._folded)

    def add(self, text: str) -> None:
        """Add a text, if it is not known yet."""
        if text in self._folded:
            return
        folded = self._folded[text] = fold(text)
        self.unasked.add(text)
        if self._by_word is not None:
            for word in words(folded):
                self._by_word[word].add(text)

    def remove(self, text: str) -> bool:
        """Remove a text; true if it was known."""
        if text not in self._folded:
            return False
        folded = self._folded.pop(text)
        if self._by_word is not None:
            for word in words(folded):
                self._by_word[word].discard(text)
        self.unasked.discard(text)
        return True

    def ask_for(self, text: str) -> str:
        """The folded text, which is added if it was not known."""
        self.add(text)
        self.unasked.discard(text)
        return self._folded[text]

    def allows(self, required: Requirement, text: str) -> bool:
        """True if a known text may match a definition that requires this."""
        return required.allows(self._folded[text])

    def candidates(self, required: Requirement) -> Set[str]:
        """The texts with a required word, or all if no word is required. No text that may match is missing."""
        if not required.words:
            return self._folded.keys()
        by_word = self._by_word
        if by_word is None:
            self._searches += 1
            if self._searches <= _FEW:
                longest = max(required.words, key=lambda word: (len(word), word))
                return {text for text, folded in self._folded.items() if longest in folded}
            by_word = self._by_word = self._index()
        rarest = min(required.words, key=lambda word: len(by_word.get(word, ())))
        return by_word.get(rarest, set())

    def _index(self) -> dict[str, set[str]]:
        by_word: dict[str, set[str]] = defaultdict(set)
        for text, folded in self._folded.items():
            for word in words(folded):
                by_word[word].add(text)
        return by_word
