"""Which templates of a suite share a function of the glue code: one finding speaks of all of them; and which texts have
none.

Kept up to date text by text; never compares texts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from cukereuse_engine.text.template import template
from cukereuse_server.workspace.bindings import STEPS_AT_ONCE, BoundSteps, SuiteBindings
from cukereuse_server.workspace.steps_by_text import StepsByText
from cukereuse_server.workspace.texts import Texts

_NONE: frozenset[str] = frozenset()


class Siblings:
    def __init__(self, texts: Texts, bindings: SuiteBindings) -> None:
        self._texts, self._bindings = texts, bindings
        self._functions: dict[str, frozenset[str]] = {}
        """The functions that each text's steps bind to, if there are any."""
        self._undefined: set[str] = set()
        """Texts of steps without a definition."""
        self._shared: dict[frozenset[str], frozenset[str]] = {}
        """Few sets are shared by many texts."""
        self._of_template: dict[str, Counter[str]] = {}
        """These functions by template key, each with the number of texts that bind to it."""
        self._serves: dict[str, set[str]] = {}
        """Maps a function to the keys of the templates that it serves."""
        self._left: list[str] | None = None
        """Texts that are not looked up yet; None if none is."""

    def forget(self) -> None:
        """The glue code has changed: everything is looked up again when it is needed."""
        self._bindings.forget()
        for cache in (self._functions, self._shared, self._of_template, self._serves, self._undefined):
            cache.clear()
        self._left = None

    def update(self, texts: Iterable[str] | None) -> None:
        """The steps of these texts (None: of all) have changed, or bind to something else."""
        if texts is None:
            self.forget()
            return
        for text in texts if self._left is not None else ():
            before, (after, is_undefined) = self._functions.pop(text, _NONE), self._bindings.bound(text)
            (self._undefined.add if is_undefined else self._undefined.discard)(text)
            if after:
                self._functions[text] = self._shared.setdefault(after, after)
            if before != after:
                self._count(self._key(text), after - before, before - after)

    def serves(self, function: str) -> bool:
        """True if any step binds to a function."""
        self._look_up()
        return bool(self._serves.get(function))

    def of(self, key: str) -> set[str]:
        """The templates that share a function with one, itself left out."""
        if self._bindings.bind is None:
            return set()
        self._look_up()
        served = (self._serves[function] for function in self._of_template.get(key, ()))
        return set().union(*served) - {key}

    def functions_of(self, text: str) -> frozenset[str]:
        """The functions that a text's steps bind to."""
        self._look_up()
        return self._functions.get(text, _NONE)

    def functions_in(self, texts: StepsByText) -> Counter[str]:
        """The functions that a file's steps bind to, each with how many do."""
        counts: Counter[str] = Counter()
        for text in texts.texts():
            for function in self._bound(text).functions:
                counts[function] += texts.count(text)
        return counts

    def undefined_in(self, texts: StepsByText) -> list[str]:
        """The texts of a file that may lack a definition there, because some step of the suite with this text does."""
        return [text for text in texts.texts() if self._bound(text).is_undefined]

    def look_up(self) -> Iterator[None]:
        """Look all texts up in slices; otherwise, the first question about the suite waits for all."""
        if self._left is None and self._bindings.bind is not None:
            self._left = list(self._texts.texts)
        steps = 0
        while self._left:
            text = self._left.pop()
            self.update([text])
            steps += self._texts.count(text)
            if steps >= STEPS_AT_ONCE:
                steps = 0
                yield

    def _look_up(self) -> None:
        for _ in self.look_up():
            pass

    def _bound(self, text: str) -> BoundSteps:
        """As `SuiteBindings.bound`, from what is looked up once all is, so that a question about one file does not wait
        for all."""
        if self._left != []:
            return self._bindings.bound(text)
        return BoundSteps(self._functions.get(text, _NONE), text in self._undefined)

    def _count(self, key: str, come: frozenset[str], gone: frozenset[str]) -> None:
        counts = self._of_template.setdefault(key, Counter())
        for function in come:
            counts[function] += 1
            self._serves.setdefault(function, set()).add(key)
        for function in gone:
            counts[function] -= 1
            if not counts[function]:
                del counts[function]
                self._serves[function].discard(key)
        if not counts:
            del self._of_template[key]

    def _key(self, text: str) -> str:
        entry = self._texts.texts.get(text)
        return entry.template.key if entry is not None else template(text).key
