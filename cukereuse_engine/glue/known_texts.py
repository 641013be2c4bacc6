"""The texts of a suite's steps, as the filter before a match sees them: folded, and by their words."""

from collections import defaultdict
from collections.abc import Iterator, Set

from cukereuse_engine.glue.fragments import Requirement, fold, words


class KnownTexts:
    def __init__(self) -> None:
        self._folded: dict[str, str] = {}
        """Every text, as the filter compares it."""
        self._by_word: dict[str, set[str]] = defaultdict(set)
        self.unasked: set[str] = set()
        """Those that nobody asked for yet."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._folded)

    def add(self, text: str) -> None:
        """A text that is known already stays as it is."""
        if text in self._folded:
            return
        folded = self._folded[text] = fold(text)
        self.unasked.add(text)
        for word in words(folded):
            self._by_word[word].add(text)

    def remove(self, text: str) -> bool:
        """Whether it was known."""
        if text not in self._folded:
            return False
        for word in words(self._folded.pop(text)):
            self._by_word[word].discard(text)
        self.unasked.discard(text)
        return True

    def ask_for(self, text: str) -> str:
        """The folded text; one that was not known is from now on."""
        self.add(text)
        self.unasked.discard(text)
        return self._folded[text]

    def allows(self, required: Requirement, text: str) -> bool:
        """Whether a known text may match a definition that requires this."""
        return required.allows(self._folded[text])

    def candidates(self, required: Requirement) -> Set[str]:
        """The texts with a word that is required, the rarest; all where none is."""
        if not required.words:
            return self._folded.keys()
        rarest = min(required.words, key=lambda word: len(self._by_word.get(word, ())))
        return self._by_word.get(rarest, set())
