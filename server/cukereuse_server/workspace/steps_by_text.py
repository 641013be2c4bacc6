"""Which steps of a file have which text, kept up to date part by part: a part that only moves costs nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import chain

from cukereuse_engine.gherkin.feature import NO_PARTS, Part, Parts, Step

_NOWHERE: Mapping[object, tuple[int, ...]] = {}


class StepsByText(Mapping[str, tuple[Step, ...]]):
    """Normalised text to its steps, by line; never changed. Texts come in order of first appearance."""

    def __init__(
        self,
        parts: Parts,
        names: dict[object, tuple[str, ...]],
        places: dict[str, dict[object, tuple[int, ...]]],
    ) -> None:
        """`names`: what a part says to the texts of its steps, empty for those without. `places`: text to the parts
        with it, and which of their steps."""
        self._parts, self._names, self._places = parts, names, places
        self._numbers: dict[object, int] | None = None

    def changed(
        self, parts: Parts, gone: Iterable[object], come: Mapping[object, Part], name: Callable[[str], str]
    ) -> "StepsByText":
        """Of the file in `parts` now: some have gone, some come, and all others say what they said. `name`:
        `normalise`."""
        names, places = self._names.copy(), self._places.copy()
        own: set[str] = set()
        """Texts whose places are not those of this file any more."""
        for says in gone:
            for text in {*names.pop(says)} - {""}:
                held = _owned(places, text, own)
                del held[says]
        for says, part in come.items():
            texts = names[says] = tuple(name(step.text) for step in part.steps)
            for number, text in enumerate(texts):
                if text:
                    held = _owned(places, text, own)
                    held[says] = (*held.get(says, ()), number)
        for text in own:
            if not places[text]:
                del places[text]
        return StepsByText(parts, names, places)

    def _number_of(self) -> dict[object, int]:
        """What a part says to its number."""
        if self._numbers is None:
            self._numbers = {says: number for number, says in enumerate(self._parts.says)}
        return self._numbers

    def first(self, text: str) -> tuple[int, int]:
        """Where a text appears first: texts of a file can be sorted by it."""
        places = self._places[text]
        numbers = self._number_of()
        if len(places) == 1:
            ((says, at),) = places.items()
            return numbers[says], at[0]
        says = min(places, key=numbers.__getitem__)
        return numbers[says], places[says][0]

    def __getitem__(self, text: str) -> tuple[Step, ...]:
        numbers, places = self._number_of(), self._places[text]
        if len(places) == 1:
            ((says, at),) = places.items()
            steps = self._parts[numbers[says]].steps
            return (steps[at[0]],) if len(at) == 1 else tuple(steps[place] for place in at)
        where = sorted(places, key=numbers.__getitem__)
        return tuple(self._parts[numbers[says]].steps[at] for says in where for at in places[says])

    def __iter__(self) -> Iterator[str]:
        texts = chain.from_iterable(map(self._names.__getitem__, self._parts.says))
        return iter(dict.fromkeys(filter(None, texts)))

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, text: object) -> bool:
        return text in self._places

    def texts(self) -> Set[str]:
        """In no order."""
        return self._places.keys()

    def count(self, text: str) -> int:
        """How many steps."""
        return sum(map(len, self._places.get(text, _NOWHERE).values()))

    def names(self, texts: Iterable[object]) -> set[str]:
        """The texts of parts that say this."""
        return set().union(*map(self._names.__getitem__, texts)) - {""}


def _owned(places: dict[str, dict[object, tuple[int, ...]]], text: str, own: set[str]) -> dict[object, tuple[int, ...]]:
    """The places of a text, to be changed; the file before keeps its own."""
    if text not in own:
        own.add(text)
        places[text] = dict(places.get(text, _NOWHERE))
    return places[text]


NO_STEPS = StepsByText(NO_PARTS, {}, {})
