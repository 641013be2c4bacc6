"""Which templates of a suite share a function of the glue code: one finding speaks of all of them.

Kept up to date template by template; never compares texts.
"""

from collections.abc import Iterable

from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.texts import Texts


class Siblings:
    def __init__(self, texts: Texts, bindings: SuiteBindings) -> None:
        self._texts, self._bindings = texts, bindings
        self._functions: dict[str, frozenset[str]] = {}
        """By template key: the functions that its steps bind to."""
        self._serves: dict[str, set[str]] = {}
        """By function: the keys of the templates that it serves."""
        self._known = False

    def forget(self) -> None:
        """The glue code is another: all is looked up anew when it is asked for."""
        self._functions.clear()
        self._serves.clear()
        self._known = False

    def update(self, keys: Iterable[str]) -> None:
        """The steps of these templates are others, or bind to something else."""
        for key in keys if self._known else ():
            after = self._functions_of(key)
            before = self._functions.get(key, frozenset())
            for function in before - after:
                self._serves[function].discard(key)
            for function in after - before:
                self._serves.setdefault(function, set()).add(key)
            if after:
                self._functions[key] = after
            else:
                self._functions.pop(key, None)

    def serves(self, function: str) -> bool:
        """Whether any step binds to a function."""
        self._look_up()
        return bool(self._serves.get(function))

    def _look_up(self) -> None:
        if not self._known and self._bindings.bind is not None:
            self._known = True
            self.update(list(self._texts.members))

    def of(self, key: str) -> set[str]:
        """The templates that share a function with one, itself left out."""
        if self._bindings.bind is None:
            return set()
        self._look_up()
        served = (self._serves[function] for function in self._functions.get(key, ()))
        return set().union(*served) - {key}

    def _functions_of(self, key: str) -> frozenset[str]:
        bind = self._bindings.bind
        if bind is None:
            return frozenset()
        steps = (step for text in self._texts.members.get(key, ()) for step in self._texts.steps(text, karate=False))
        return frozenset(definition.function_id for step in steps for definition in bind(step).definitions)
