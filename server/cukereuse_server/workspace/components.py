"""Which templates of a suite belong together, kept up to date template by template: the components of a graph whose
edges join templates that the judge accepts as one intent.

Linkage never looks beyond a component, so what is found in one is what `detect` and `find` give for its texts. Knows
neither judge nor rules: those who do say which templates one is joined to, and what there is in a component.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.detection.options import Cluster, Detection
from cukereuse_engine.findings.finding import Finding
from cukereuse_server.workspace.moved import Steps
from cukereuse_server.workspace.siblings import Siblings
from cukereuse_server.workspace.texts import complete

_AT_ONCE = 8
"""Templates that are compared in one slice: some milliseconds, of which the first costs most."""


@dataclass(frozen=True, slots=True)
class Component:
    """Templates joined by edges, directly or through others, and what was found among them."""

    keys: tuple[str, ...]
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    """What pragmas and settings leave."""
    basis: "Basis | None" = None
    """None where there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What the findings of a component were made of."""

    detection: Detection
    steps: Steps
    findings: tuple[Finding, ...] | None
    """All of them; None where they do not hold for the same steps any more, as step definitions have changed."""


class Components:
    def __init__(
        self,
        siblings: Siblings,
        accepted: Callable[[Sequence[str]], Mapping[str, set[str]]],
        detect: Callable[[list[str]], Basis | None],
        find: Callable[[list[str], Basis | None, bool], Component],
    ) -> None:
        """`accepted`: of some templates, those that each is joined to. `detect`: what the findings in the component of
        these templates are going to be made of; None where there is nothing to compare. `find`: what there is in it;
        with what was found with one of them before, which may hold still, and whether their steps have only moved
        since."""
        self._siblings, self._accepted, self._detect, self._find = siblings, accepted, detect, find
        self.complete = False
        """Whether all templates have been compared; before, a template is when it is asked for."""
        self._adjacent: dict[str, set[str]] = {}
        self._new: set[str] = set()
        """Templates that have not been compared with all others."""
        self._components: dict[str, Component] = {}
        self._previous: dict[str, Component] = {}
        """By template: components whose places may have moved, but perhaps not their texts."""
        self._other: set[str] = set()
        """Templates whose steps differ from those of their previous component, and did not only move."""
        self._moved: set[str] = set()
        """Templates with steps that are elsewhere since their component was made, and say what they said."""
        self._affected: set[str] = set()

    # -- what changes

    def add(self, key: str) -> None:
        """A template came."""
        self._new.add(key)

    def remove(self, key: str) -> None:
        self._set_edges(key, set())
        self._adjacent.pop(key, None)
        self._previous.pop(key, None)
        for keys in (self._other, self._moved, self._new):
            keys.discard(key)

    def use_pairs(self, keys: set[str], pairs: Iterable[tuple[str, str]]) -> None:
        """All edges among these templates, in place of those among them before."""
        edges: dict[str, set[str]] = {key: self._adjacent.get(key, set()) - keys for key in keys}
        for first, other in pairs:
            if first in keys and other in keys:
                edges[first].add(other)
                edges[other].add(first)
        for key, others in edges.items():
            self._set_edges(key, others)
        self._new -= keys
        self.complete = True

    def compare_anew(self, keys: Iterable[str]) -> None:
        """Templates of which the judge may think otherwise now."""
        for key in keys:
            self._new.add(key)
            self._look_anew(key)

    def restart(self, keys: Iterable[str]) -> None:
        """All templates are to be compared as if for the first time."""
        self.complete = False
        self._new.update(keys)

    def forget(self, key: str, *, moved: bool = False) -> None:
        """The places of a template may have changed; what was detected may still hold. `moved`: the steps are the
        same."""
        self._affected.add(key)
        if not moved:
            self._other.add(key)
        for member in (key, *self._siblings.of(key)):
            component = self._components.get(member)
            if component is not None:
                self._affected.update(component.keys)
                for each in component.keys:
                    self._previous[each] = component
                    self._components.pop(each, None)

    def forget_all(self, keys: Iterable[str], *, detections: bool = False) -> None:
        """All of `keys`, which are all there are. `detections`: what was detected does not hold either."""
        self._affected.update(keys)
        if detections:
            self._previous.clear()
        else:
            self._previous.update(self._components)
            self._previous = {key: _without_findings(component) for key, component in self._previous.items()}
        self._components.clear()
        self._moved.clear()

    def move(self, keys: Iterable[str]) -> None:
        """Steps of these templates are elsewhere; no step of theirs says or binds to anything else."""
        self._moved.update(keys)
        self._affected.update(keys)
        for key in keys:
            component = self._components.get(key)
            if component is not None:
                self._affected.update(component.keys)

    def touch(self, keys: Iterable[str]) -> None:
        """Findings of these templates may have changed."""
        self._affected.update(keys)

    # -- what is asked

    def of(self, key: str) -> Component:
        """The component of a template, with its clusters and findings."""
        for _ in self.catch_up():
            pass
        component = self._components.get(key)
        if component is None:
            keys = self._reach(key)
            previous = self._previous.get(keys[0])
            only_moved = previous is not None and previous.keys == tuple(keys) and self._other.isdisjoint(keys)
            component = self._find(keys, previous.basis if previous is not None else None, only_moved)
            self._use(component)
        elif not self._moved.isdisjoint(component.keys):
            component = self._find(list(component.keys), component.basis, True)
            self._use(component)
        return component

    def approach_all(self, keys: Iterable[str]) -> Iterator[None]:
        """Compare templates that nobody has looked at yet, and all that edges lead on to."""
        pending = [key for key in keys if not self.knows(key)]
        while pending := [key for key in pending if key in self._new]:
            yield from self._compare(pending)
            pending = sorted({other for key in pending for other in self._adjacent.get(key, ())})

    def approach(self, key: str) -> Iterator[None]:
        """Do in slices what `of` would do at once where nobody has looked at a template yet."""
        if self.knows(key):
            return
        keys = yield from self._walk(key)
        if not self.knows(key) and (basis := self._detect(keys)) is not None:
            self._previous |= dict.fromkeys(keys, Component(tuple(keys), (), (), basis))
        yield

    def standing(self, key: str) -> Component | None:
        """The component of a template as it was when it was made: places may have moved since. None where there is
        none."""
        for _ in self.catch_up():
            pass
        return self._components.get(key)

    def knows(self, key: str) -> bool:
        """True if the component of a template is at hand, or costs little more than looking again at what moved."""
        return key in self._components or key in self._previous

    def new(self) -> int:
        """How many templates have not been compared with all others."""
        return len(self._new)

    def catch_up(self) -> Iterator[None]:
        """Once all templates have been compared, those that are new are compared before anything is said, some a slice:
        an edge of theirs may join what was apart."""
        if self.complete and self._new:
            yield from self._compare(sorted(self._new))

    def take_affected(self) -> set[str]:
        """Keys of the templates whose findings may have changed since the last call."""
        affected, self._affected = self._affected, set()
        return affected

    # -- inside

    def _use(self, component: Component) -> None:
        """It stands for its templates as they are now."""
        self._other.difference_update(component.keys)
        self._moved.difference_update(component.keys)
        self._affected.update(component.keys)
        for member in component.keys:
            self._components[member] = component
            self._previous.pop(member, None)

    def _look_anew(self, key: str) -> None:
        self.forget(key)
        component = self._previous.get(key)
        for member in component.keys if component is not None else ():
            self._previous.pop(member, None)

    def _set_edges(self, key: str, others: set[str]) -> None:
        old = self._adjacent.get(key, set())
        for other in old ^ others:
            self._look_anew(other)
            mine = self._adjacent.setdefault(other, set())
            (mine.add if other in others else mine.discard)(key)
        if old != others:
            self._look_anew(key)
            self._adjacent[key] = others

    def _reach(self, key: str) -> list[str]:
        """All templates that edges join to `key`, itself included; and those that share a function with one of these,
        as far as edges lead on from them."""
        return complete(self._walk(key))

    def _walk(self, key: str) -> Generator[None, None, list[str]]:
        """As `_reach`, one comparison a slice; edges may change meanwhile."""
        reached, pending = {key}, [key]
        while pending:
            current = pending.pop()
            yield from self._compare([current])
            siblings = self._siblings.of(current)
            leads_on = any(self._adjacent.get(member) for member in (current, *siblings))
            for other in {*self._adjacent.get(current, ()), *(siblings if leads_on else ())}:
                if other not in reached:
                    reached.add(other)
                    pending.append(other)
        return sorted(reached)

    def _compare(self, keys: Sequence[str]) -> Iterator[None]:
        """Compare those that are new with all others, some a slice."""
        for start in range(0, len(keys), _AT_ONCE):
            some = [key for key in keys[start : start + _AT_ONCE] if key in self._new]
            if some:
                for key, others in self._accepted(some).items():
                    self._set_edges(key, others)
                    self._new.discard(key)
                yield


def _without_findings(component: Component) -> Component:
    basis = replace(component.basis, findings=None) if component.basis is not None else None
    return replace(component, basis=basis)
