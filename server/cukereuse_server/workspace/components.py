"""Which templates of a suite belong together, kept up to date template by template: the components of a graph whose
edges join templates that the judge accepts as one intent.

Linkage never crosses components, so the findings of a component are those of `detect` and `find` for its texts. Knows
neither judge nor rules: functions that do tell which templates are joined, and what a component contains.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.detection.options import Cluster, Detection
from cukereuse_engine.findings.finding import Finding
from cukereuse_server.workspace.moved import Steps
from cukereuse_server.workspace.siblings import Siblings
from cukereuse_server.workspace.texts import complete

_AT_ONCE = 16
"""Templates that are compared in one slice: this takes thirty milliseconds, mostly for the first. With half as many a
slice, everything takes a quarter longer."""


@dataclass(frozen=True, slots=True)
class Component:
    """Templates joined by edges, directly or through others, with their findings."""

    keys: tuple[str, ...]
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    """The findings that pragmas and settings leave."""
    basis: "Basis | None" = None
    """The basis; None if there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The values from which the findings of a component were made."""

    detection: Detection
    steps: Steps
    findings: tuple[Finding, ...] | None
    """All findings; None if they are not valid for the same steps any more, because step definitions have changed."""


class Components:
    def __init__(
        self,
        siblings: Siblings,
        accepted: Callable[[Sequence[str]], Mapping[str, set[str]]],
        detect: Callable[[list[str]], Basis | None],
        find: Callable[[list[str], Basis | None, bool], Component],
    ) -> None:
        """`accepted`: for some templates, those to which each is joined. `detect`: the values from which the findings
        of these templates' component will be made; None if there is nothing to compare. `find`: the contents of the
        component, given the last results for one of its templates, which may still be valid, and true if their steps
        have only moved since."""
        self._siblings, self._accepted, self._detect, self._find = siblings, accepted, detect, find
        self.complete = False
        """True if all templates have been compared; until then, a template is compared when it is requested."""
        self._adjacent: dict[str, set[str]] = {}
        self._new: set[str] = set()
        """Templates that have not been compared with all others."""
        self._components: dict[str, Component] = {}
        self._previous: dict[str, Component] = {}
        """By template, components whose places may have moved, but perhaps not their texts."""
        self._other: set[str] = set()
        """Templates whose steps differ from those of their previous component in more than their places."""
        self._moved: set[str] = set()
        """Templates with steps that have only moved since their component was made."""
        self._affected: set[str] = set()

    # -- what changes

    def add(self, key: str) -> None:
        """Add a new template."""
        self._new.add(key)

    def remove(self, key: str) -> None:
        self._set_edges(key, set())
        self._adjacent.pop(key, None)
        self._previous.pop(key, None)
        for keys in (self._other, self._moved, self._new):
            keys.discard(key)

    def use_pairs(self, keys: set[str], pairs: Iterable[tuple[str, str]]) -> None:
        """Replace the edges among these templates by these."""
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
        """Compare templates again, because the judge may decide differently now."""
        for key in keys:
            self._new.add(key)
            self._look_anew(key)

    def restart(self, keys: Iterable[str]) -> None:
        """Compare all templates again as if for the first time."""
        self.complete = False
        self._new.update(keys)

    def forget(self, key: str, *, moved: bool = False) -> None:
        """Forget a template's findings, because its places may have changed; clusters may still be valid. `moved`: its
        steps are the same."""
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
        """Forget the findings of `keys`, which must be all templates. `detections`: forget the clusters too."""
        self._affected.update(keys)
        if detections:
            self._previous.clear()
        else:
            self._previous.update(self._components)
            self._previous = {key: _without_findings(component) for key, component in self._previous.items()}
        self._components.clear()
        self._moved.clear()

    def move(self, keys: Iterable[str]) -> None:
        """Steps of these templates have moved; their texts and bindings are unchanged."""
        self._moved.update(keys)
        self._affected.update(keys)
        for key in keys:
            component = self._components.get(key)
            if component is not None:
                self._affected.update(component.keys)

    def touch(self, keys: Iterable[str]) -> None:
        """Note that findings of these templates may have changed."""
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
        """Compare templates that were not looked at yet, and all templates reached by edges from them."""
        pending = [key for key in keys if not self.knows(key)]
        while pending := [key for key in pending if key in self._new]:
            yield from self._compare(pending)
            pending = sorted({other for key in pending for other in self._adjacent.get(key, ())})

    def approach(self, key: str) -> Iterator[None]:
        """Prepare `of` in slices, if a template was not looked at yet."""
        if self.knows(key):
            return
        keys = yield from self._walk(key)
        if not self.knows(key) and (basis := self._detect(keys)) is not None:
            self._previous |= dict.fromkeys(keys, Component(tuple(keys), (), (), basis))
        yield

    def standing(self, key: str) -> Component | None:
        """The component of a template as it was made: places may have moved since. None if there is none."""
        for _ in self.catch_up():
            pass
        return self._components.get(key)

    def knows(self, key: str) -> bool:
        """True if the component of a template is known, or needs little more than updating what moved."""
        return key in self._components or key in self._previous

    def new(self) -> int:
        """The number of templates that have not been compared with all others."""
        return len(self._new)

    def catch_up(self) -> Iterator[None]:
        """Once all templates have been compared, compare new ones before any result is given, some per slice: their
        edges may join components."""
        if self.complete and self._new:
            yield from self._compare(sorted(self._new))

    def take_affected(self) -> set[str]:
        """Keys of the templates whose findings may have changed since the last call."""
        affected, self._affected = self._affected, set()
        return affected

    # -- inside

    def _use(self, component: Component) -> None:
        """Make it the component of its templates."""
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
        """All templates that edges join to `key`, including itself; and those that share a function with one of these,
        and all templates that edges join to them."""
        return complete(self._walk(key))

    def _walk(self, key: str) -> Generator[None, None, list[str]]:
        """As `_reach`, one comparison per slice; edges may change meanwhile."""
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
        """Compare the new ones among them with all others, some per slice."""
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
