"""Which steps of a file have which text, kept up to date part by part: a part that only moves costs nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import chain, compress

from cukereuse_engine.gherkin.feature import NO_PARTS, Part, Parts, Step


class StepsByText(Mapping[str, tuple[Step, ...]]):
    """Normalised text to its steps, by line; never changed. Texts come in order of first appearance."""

    def __init__(
        self, parts: Parts, names: dict[object, tuple[str, ...]], places: dict[str, tuple[object, ...]]
    ) -> None:
        """`names` maps the content of a part to the texts of its steps, empty for a step without one; `places` maps a
        text to the contents of the parts with it."""
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
            for text in {*names.pop(says)} - {""}:
                del held(text)[says]
        for says, part in come.items():
            texts = names[says] = tuple(name(step.text) for step in part.steps)
            for text in filter(None, dict.fromkeys(texts)):
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
        return numbers[says], self._names[says].index(text)

    def __getitem__(self, text: str) -> tuple[Step, ...]:
        numbers, where = self._number_of(), self._places[text]
        steps: list[Step] = []
        for says in where if len(where) == 1 else sorted(where, key=numbers.__getitem__):
            steps += compress(self._parts[numbers[says]].steps, map(text.__eq__, self._names[says]))
        return tuple(steps)

    def __iter__(self) -> Iterator[str]:
        texts = chain.from_iterable(map(self._names.__getitem__, self._parts.says))
        return iter(dict.fromkeys(filter(None, texts)))

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, text: object) -> bool:
        return text in self._places

    def texts(self) -> Set[str]:
        """The texts, in no order."""
        return self._places.keys()

    def count(self, text: str) -> int:
        """The number of steps."""
        return sum(self._names[says].count(text) for says in self._places.get(text, ()))

    def names(self, texts: Iterable[object]) -> set[str]:
        """The texts of the steps in the parts with these contents."""
        return set().union(*map(self._names.__getitem__, texts)) - {""}


NO_STEPS = StepsByText(NO_PARTS, {}, {})
