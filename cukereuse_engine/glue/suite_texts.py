"""The contents of a suite's feature files: the texts of their steps, and the places of their scenarios."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, groupby

from cukereuse_engine.gherkin.feature import Parts, Step
from cukereuse_engine.glue.exported import exports
from cukereuse_engine.glue.step_binding import expanded_texts


@dataclass(frozen=True, slots=True)
class TextChange:
    """The change of one feature file."""

    added: Set[str]
    """Texts that it did not contain before."""
    gone: Sequence[str]
    """Texts that no file contains any more."""
    exports_some: bool
    """True if any of its scenarios may be exported."""


@dataclass(slots=True)
class _File:
    """The contents of one feature file."""

    by_part: dict[object, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    """Maps a part's content to its texts, each once, and true if one of its scenarios may be exported. Sets would take
    five times as much."""
    parts_with: Counter[str] = field(default_factory=Counter)
    """Maps a text to the number of parts that contain it."""


class SuiteTexts:
    """The texts and scenarios of a suite, kept up to date by file."""

    def __init__(self) -> None:
        self._read: dict[str, _File] = {}
        self._steps: dict[str, Sequence[Step]] = {}
        self._scenarios: dict[str, set[tuple[str | None, str, tuple[str, ...]]]] = {}
        self._numbers: dict[str, dict[int, int]] = {}
        self._files: Counter[str] = Counter()
        """Maps a text to the number of files that contain it."""
        self.held: Callable[[str], str | None] = lambda _: None
        """The text of a feature file that is open in an editor; None if it is as on disk."""

    def held_text(self, path: str) -> str | None:
        """The present result of `held`."""
        return self.held(path)

    def __contains__(self, text: str) -> bool:
        return text in self._files

    def update(self, path: str, steps: Sequence[Step] | None, parts: Parts | None = None) -> TextChange:
        """Take a feature file that is new, changed or (None) gone. `parts`: all its steps; known parts are skipped."""
        file = self._read.pop(path, _File())
        for index in (self._scenarios, self._numbers, self._steps):
            index.pop(path, None)
        added, left = _follow(file, steps or (), parts)
        if steps is not None:
            self._read[path], self._steps[path] = file, steps
        self._files.update(added)
        self._files.subtract(left)
        gone = [text for text in left if self._files[text] <= 0]
        for text in gone:
            del self._files[text]
        return TextChange(added, gone, any(exporting for _, exporting in file.by_part.values()))

    def paths_of(self, texts: Set[str]) -> list[str]:
        """The feature files in which a step has one of these texts, itself or through an Examples row."""
        return [path for path, file in self._read.items() if not file.parts_with.keys().isdisjoint(texts)]

    def steps(self) -> Iterator[Step]:
        """All steps, file by file."""
        return chain.from_iterable(self._steps.values())

    def first_steps(self) -> Iterator[Step]:
        """The first step of each scenario and background."""
        for steps in self._steps.values():
            yield from (next(scenario) for _, scenario in groupby(steps, lambda step: step.scenario_line))

    def scenarios_of(self, path: str) -> set[tuple[str | None, str, tuple[str, ...]]]:
        """The rules, titles and tags of a file's scenarios."""
        if path not in self._scenarios:
            steps = (step for step in self._steps.get(path, ()) if not step.is_background)
            self._scenarios[path] = {(step.rule, step.scenario, step.tags) for step in steps}
        return self._scenarios[path]

    def times_before(self, step: Step) -> int:
        """How often the step's scenario contains its text before it."""
        if step.path not in self._numbers:
            self._numbers[step.path] = _numbers(self._steps.get(step.path, ()))
        return self._numbers[step.path].get(step.line, 0)


def _follow(file: _File, steps: Sequence[Step], parts: Parts | None) -> tuple[set[str], set[str]]:
    """Update `file` to its new steps. Returns the texts that it did not have before, and those that it has no longer.
    Without parts, the whole file is one part that is always new."""
    by_part, parts_with = file.by_part, file.parts_with
    come: dict[object, tuple[tuple[str, ...], bool]] = {}
    if parts is None:
        gone = list(by_part)
        if steps:
            come[object()] = _texts_of(steps), True
    else:
        gone = list(by_part.keys() - set(parts.says))
        for number, says in enumerate(parts.says):
            if says not in by_part:
                own = parts[number].steps
                come[says] = _texts_of(own), any(map(exports, own))
    touched = set().union(*(by_part[says][0] for says in gone), *(texts for texts, _ in come.values()))
    before = touched & parts_with.keys()
    for says in gone:
        parts_with.subtract(by_part.pop(says)[0])
    for says, wordings in come.items():
        by_part[says] = wordings
        parts_with.update(wordings[0])
    after = {text for text in touched if parts_with[text] > 0}
    for text in before - after:
        del parts_with[text]
    return after - before, before - after


def _texts_of(steps: Sequence[Step]) -> tuple[str, ...]:
    texts = {step.text for step in steps if not step.examples}
    for step in steps:
        if step.examples:
            texts.update(expanded_texts(step), (step.text,))  # one runner binds an outline's own texts
    texts.discard("")
    return tuple(texts)


def _numbers(steps: Sequence[Step]) -> dict[int, int]:
    """The lines of steps whose text is in their scenario before them, with the number of times."""
    counts: Counter[tuple[int, str]] = Counter()
    number_of: dict[int, int] = {}
    for step in steps:
        if before := counts[step.scenario_line, step.text]:
            number_of[step.line] = before
        counts[step.scenario_line, step.text] += 1
    return number_of
