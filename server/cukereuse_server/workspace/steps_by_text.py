"""Which steps of a file have which text, kept up to date part by part: a part that only moves costs nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import chain

from cukereuse_engine.gherkin.feature import NO_PARTS, Part, Parts, Step

Names = Mapping[str, tuple[int, ...]]
"""Maps the texts of a part, by first appearance, to the places of their steps; those without a text are left out."""


class StepsByText(Mapping[str, tuple[Step, ...]]):
    """Normalised text to its steps, by line; never changed. Texts come in order of first appearance."""

    def __init__(self, parts: Parts, names: dict[object, Names], places: dict[str, tuple[object, ...]]) -> None:
        """`names` has the texts of each part by its content; `places` maps a text to the contents of the parts with
        it."""
        self._parts, self._names, self._places = parts, names, places
        self._numbers: dict[object, int] | None = None

    def changed(
        self, parts: Parts, gone: Iterable[object], come: Mapping[object, Part], name: Callable[[str], str]
    ) -> "StepsByText":
        """The same for the file's present `parts`: some are gone, some new, the others unchanged. `name` is
        `normalise`."""
        names, places = self._names.copy(), self._places.copy()
        changed: dict[str, dict[object, None]] = {}
        """Maps texts to their new places; the earlier object keeps its own."""

        def held(text: str) -> dict[object, None]:
            if text not in changed:
                changed[text] = dict.fromkeys(places.get(text, ()))
            return changed[text]

        for says in gone:
            for text in names.pop(says):
                del held(text)[says]
        for says, part in come.items():
            names[says] = _names(name(step.text) for step in part.steps)
            for text in names[says]:
                held(text)[says] = None
        for text, where in changed.items():
            if where:
                places[text] = tuple(where)
            else:
                del places[text]
        return StepsByText(parts, names, places)

    def _number_of(self) -> dict[object, int]:
        """Maps the content of a part to its number."""
        if self._numbers is None:
            self._numbers = {says: number for number, says in enumerate(self._parts.says)}
        return self._numbers

    def first(self, text: str) -> tuple[int, int]:
        """The place where a text first appears: a sort key for the texts of a file."""
        numbers = self._number_of()
        says = min(self._places[text], key=numbers.__getitem__)
        return numbers[says], self._names[says][text][0]

    def __getitem__(self, text: str) -> tuple[Step, ...]:
        numbers, where = self._number_of(), self._places[text]
        steps: list[Step] = []
        for says in where if len(where) == 1 else sorted(where, key=numbers.__getitem__):
            steps += map(self._parts[numbers[says]].steps.__getitem__, self._names[says][text])
        return tuple(steps)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(chain.from_iterable(map(self._names.__getitem__, self._parts.says))))

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, text: object) -> bool:
        return text in self._places

    def texts(self) -> Set[str]:
        """The texts, in no order."""
        return self._places.keys()

    def count(self, text: str) -> int:
        """The number of steps."""
        return sum(len(self._names[says][text]) for says in self._places.get(text, ()))

    def names(self, texts: Iterable[object]) -> set[str]:
        """The texts of the steps in the parts with these contents."""
        return set().union(*map(self._names.__getitem__, texts))


def _names(texts: Iterable[str]) -> Names:
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        if text:
            places.setdefault(text, []).append(place)
    return {text: tuple(found) for text, found in places.items()}


NO_STEPS = StepsByText(NO_PARTS, {}, {})
