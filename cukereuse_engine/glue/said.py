"""What the feature files of a suite say: the texts of their steps, and where their scenarios stand."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from cukereuse_engine.gherkin.feature import Part, Step
from cukereuse_engine.glue.exported import exports
from cukereuse_engine.glue.step_binding import expanded_texts


@dataclass(frozen=True, slots=True)
class Change:
    """Of one feature file."""

    added: Set[str]
    """Texts that it did not say before."""
    gone: Sequence[str]
    """Texts that no file says any more."""
    exports_some: bool
    """Whether any of its scenarios may be exported."""


class Said:
    """Kept up to date by file."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = {}
        self._steps: dict[str, Sequence[Step]] = {}
        self._by_part: dict[str, dict[object, tuple[set[str], bool]]] = {}
        """By path: what a part says to its texts, and whether one of its scenarios is exported."""
        self._scenarios: dict[str, set[tuple[str | None, str, tuple[str, ...]]]] = {}
        self._numbers: dict[str, dict[int, int]] = {}
        self._files: Counter[str] = Counter()
        """Text to how many files say it."""

    def __contains__(self, text: str) -> bool:
        return text in self._files

    def update(self, path: str, steps: Sequence[Step] | None, parts: Sequence[Part] = ()) -> Change:
        """A feature file is new, changed or (None) gone. `parts`: all its steps, those that were known before are not
        looked at again."""
        before = self._texts.pop(path, set())
        for kept in (self._scenarios, self._numbers, self._steps):
            kept.pop(path, None)
        after, exports_some = self._read(path, steps or (), parts)
        if steps is not None:
            self._texts[path], self._steps[path] = after, steps
        added, left = after - before, before - after
        self._files.update(added)
        self._files.subtract(left)
        gone = [text for text in left if self._files[text] <= 0]
        for text in gone:
            del self._files[text]
        return Change(added, gone, exports_some)

    def _read(self, path: str, steps: Sequence[Step], parts: Sequence[Part]) -> tuple[set[str], bool]:
        known = self._by_part.pop(path, {})
        if not parts:
            return _texts_of(steps), True
        said = {part.says: known.get(part.says) or _said_by(part.steps) for part in parts}
        self._by_part[path] = said
        return set().union(*(texts for texts, _ in said.values())), any(one for _, one in said.values())

    def paths_of(self, texts: Set[str]) -> list[str]:
        """The feature files where a step takes one of these texts, itself or through an Examples row."""
        return [path for path, said in self._texts.items() if not said.isdisjoint(texts)]

    def scenarios_of(self, path: str) -> set[tuple[str | None, str, tuple[str, ...]]]:
        """Rules, titles and tags of a file's scenarios."""
        if path not in self._scenarios:
            steps = (step for step in self._steps.get(path, ()) if not step.is_background)
            self._scenarios[path] = {(step.rule, step.scenario, step.tags) for step in steps}
        return self._scenarios[path]

    def times_before(self, step: Step) -> int:
        """How often the step's scenario has said its text before it."""
        if step.path not in self._numbers:
            self._numbers[step.path] = _numbers(self._steps.get(step.path, ()))
        return self._numbers[step.path].get(step.line, 0)


def _said_by(steps: Sequence[Step]) -> tuple[set[str], bool]:
    """Texts, and whether one of their scenarios is exported."""
    return _texts_of(steps), any(map(exports, steps))


def _texts_of(steps: Sequence[Step]) -> set[str]:
    texts = {step.text for step in steps if not step.examples}
    for step in steps:
        if step.examples:
            texts.update(expanded_texts(step), (step.text,))  # one runner binds an outline's own texts
    texts.discard("")
    return texts


def _numbers(steps: Sequence[Step]) -> dict[int, int]:
    """The lines of steps whose text stands in their scenario before them, with how often it does."""
    said: Counter[tuple[int, str]] = Counter()
    number_of: dict[int, int] = {}
    for step in steps:
        if before := said[step.scenario_line, step.text]:
            number_of[step.line] = before
        said[step.scenario_line, step.text] += 1
    return number_of
