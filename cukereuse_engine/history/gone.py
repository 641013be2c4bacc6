"""Why a finding of another revision is gone: somebody dealt with it, or deleted the steps or checks that it was about.

Fewer findings are no gain if they went with what the suite checked.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import groupby
from typing import Literal

from rapidfuzz.distance import Indel

from cukereuse_engine.blocks.options import DUPLICATE
from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.functions.checks import may_check
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.history.definitions import DefinitionState, said_in
from cukereuse_engine.history.likeness import is_part, lost_tokens
from cukereuse_engine.rules import REPETITION_RULES
from cukereuse_engine.scanning.result import How, SuiteScan
from cukereuse_engine.text.template import template

Read = Callable[[str], bytes | None]
"""The bytes of a source in one of the versions, by its path in the work tree; None if it has none."""
Fate = Literal["kept", "replaced", "deleted"]

_ONCE_TOO_OFTEN = frozenset(("repeated-step", "exact-duplicate"))
"""Rules whose findings are resolved when a step is deleted that is left elsewhere."""


class Gone:
    """Both versions of some suites, to ask how findings went. Paths are those of the work tree."""

    def __init__(
        self, before: Sequence[SuiteScan], now: Sequence[SuiteScan], read_before: Read, read_now: Read
    ) -> None:
        self._fates = _Fates(before, now)
        self._definitions = [definition for suite in now for definition in suite.definitions]
        self._read_before, self._read_now = read_before, read_now
        self._states: dict[tuple[Read, str], list[DefinitionState]] = {}

    def how(self, finding: Finding, suite: SuiteScan) -> How:
        """How a finding went that `suite`, of the earlier version, had and the present one has not."""
        if self._went_with_steps(finding, suite):
            return How.STEPS
        if any(map(self._lost_a_check, finding.definitions)):
            return How.CHECK
        return How.RESOLVED

    def _went_with_steps(self, finding: Finding, suite: SuiteScan) -> bool:
        wordings = {wording.template.key for subject in finding.subjects for wording in subject.wordings}
        fates = [[self._fates.of(step, wordings) for step in _steps(subject, suite)] for subject in finding.subjects]
        together = [fate for each in fates for fate in each]
        if finding.rule in _ONCE_TOO_OFTEN:
            return _are_deleted(together)
        if finding.rule == DUPLICATE:  # one of the scenarios may go as a whole
            left = [each for each in fates if not _are_deleted(each)]
            return not left or any("deleted" in each for each in left)
        if finding.rule in REPETITION_RULES:
            return "deleted" in together and "replaced" not in together
        return any(map(_are_deleted, fates))

    def _lost_a_check(self, definition: StepDefinition) -> bool:
        """True if checks were taken out of its function and nothing was put in."""
        same = (each for each in self._definitions if each.shown == definition.shown)
        then = self._state(self._read_before, definition)
        for each in sorted(same, key=lambda other: other.path != definition.path)[:1]:
            now = self._state(self._read_now, each)
            if then is not None and now is not None and is_part(now, then):
                return may_check(lost_tokens(then, now))
        return False

    def _state(self, read: Read, definition: StepDefinition) -> DefinitionState | None:
        key = read, definition.path
        if key not in self._states:
            source = read(definition.path)
            self._states[key] = said_in(definition.path, source) if source is not None else []
        return next((state for state in self._states[key] if state.line == definition.line and state.is_known), None)


def _are_deleted(fates: Sequence[Fate]) -> bool:
    return bool(fates) and set(fates) == {"deleted"}


def _steps(subject: Subject, suite: SuiteScan) -> Iterator[Step]:
    """The steps of a subject in its suite: those at its places, or those that a definition serves."""
    wordings = {wording.template.key for wording in subject.wordings}
    if wordings:
        compiled = (compile_definition(definition, {}).matcher for definition in subject.definitions)
        matchers = [matcher for matcher in compiled if matcher is not None]
        for text in suite.texts:
            if text.template.key in wordings and (not matchers or any(each.match(text.text) for each in matchers)):
                yield from suite.steps.get(text.identity, ())
        return
    files = {file.path: file.steps for file in suite.files}
    for place in subject.places:
        yield from (step for step in files.get(place.path, ()) if _is_at(step, place))


def _is_at(step: Step, place: Place) -> bool:
    """True if a step is in a sequence, or in the scenario whose first step stands for it."""
    if place.step is None or place.end_line > place.line:
        return place.line <= step.line <= place.end_line
    return step.scenario_line == place.step.scenario_line


class _Fates:
    """What became of each step, by an alignment of each file's steps, scenario by scenario."""

    def __init__(self, before: Iterable[SuiteScan], now: Iterable[SuiteScan]) -> None:
        earlier, later = (
            {os.path.realpath(file.path): file.steps for suite in suites for file in suite.files}
            for suites in (before, now)
        )
        self._of: dict[tuple[str, int], Fate] = {}
        self._come: Counter[str] = Counter()
        """The templates of steps that the later version has at new places: they were moved there."""
        for path in earlier.keys() | later.keys():
            self._compare(earlier.get(path, ()), later.get(path, ()))

    def of(self, step: Step, wordings: Set[str]) -> Fate:
        """`wordings`: what stands for the step too, if it has come to another place."""
        fate = self._of.get((step.path, step.line), "kept")
        if fate != "deleted" or self._come.keys().isdisjoint({_key(step), *wordings}):
            return fate
        return "kept" if _key(step) in self._come else "replaced"

    def _compare(self, earlier: Sequence[Step], later: Sequence[Step]) -> None:
        old, new = list(_rows(earlier)), list(_rows(later))
        keys, new_keys = [key for key, _ in old], [key for key, _ in new]
        if keys == new_keys:
            return
        for is_equal, changes in groupby(Indel.opcodes(keys, new_keys), lambda change: change.tag == "equal"):
            if is_equal:
                continue
            spans = list(changes)
            gone = [step for _, step in old[spans[0].src_start : spans[-1].src_end] if step is not None]
            come = [step for _, step in new[spans[0].dest_start : spans[-1].dest_end] if step is not None]
            fate: Fate = "replaced" if come else "deleted"
            self._of.update(((step.path, step.line), fate) for step in gone)
            self._come |= Counter(map(_key, come)) - Counter(map(_key, gone))


def _rows(steps: Sequence[Step]) -> Iterator[tuple[str, Step | None]]:
    """Each scenario by its name, and each of its steps by its text."""
    for _, scenario in groupby(steps, lambda step: step.scenario_line):
        for number, step in enumerate(scenario):
            if not number:
                yield f"\0{step.scenario}", None
            yield step.text, step


def _key(step: Step) -> str:
    return template(step.text).key
