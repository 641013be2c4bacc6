"""The findings of a suite, by file, by source, or all: those of components, of single texts, of files, of code, and of
repetition."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from functools import partial

from cukereuse_engine.definitions.code import SUSPECT
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.findings.told_once import REPEATED, told_once
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.code_findings import CodeFindings
from cukereuse_server.workspace.components import Components
from cukereuse_server.workspace.detection import SuiteDetection
from cukereuse_server.workspace.repetition import SuiteRepetition
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.standing import Standing
from cukereuse_server.workspace.texts import Texts, complete

_FEW = 20
"""The number of a file's templates that are compared before it is answered; more are compared in slices."""
_FEW_TEXTS = 100
"""Texts of a file that are looked at before it is answered, a third of a millisecond each; more are in slices."""
_AT_ONCE = 16
"""The number of templates, or texts, whose findings are gathered in one slice."""
_FEW_NEW = 4
"""New templates that are compared before a file is answered, some milliseconds each; more are in slices."""


class SuiteFindings:
    def __init__(
        self,
        texts: Texts,
        bindings: SuiteBindings,
        rules: SuiteRules,
        detection: SuiteDetection,
        components: Components,
        code: CodeFindings,
        repetition: SuiteRepetition,
    ) -> None:
        self._texts, self._bindings, self._rules = texts, bindings, rules
        self._detection, self._components = detection, components
        self._code, self._repetition = code, repetition

    def is_known(self, path: str) -> bool:
        """True if the findings of a file are known, or need little more than updating what moved."""
        judge, complete = self._detection.judge, self._components.complete
        if judge is None or (complete and (self._components.new() > _FEW_NEW or not self._code.are_known(judge))):
            return False
        unknown = sum(1 for key in self._texts.keys_of(path) if not self._components.knows(key))
        return unknown <= (_FEW if complete else 0) and self._rules.unknown_in(path) <= _FEW_TEXTS

    def look_into(self, path: str) -> Iterator[None]:
        """Find the findings of a file, in slices. Needs a judge."""
        yield from self._components.catch_up()
        yield from self._components.approach_all(sorted(self._texts.keys_of(path)))
        for key in sorted(self._texts.keys_of(path)):
            if key in self._texts.members:
                yield from self._components.approach(key)
            if key in self._texts.members:
                self._components.of(key)
                yield
        yield from self._rules.look_into(path, self._bindings.bind)
        if self._components.complete and not self._code.are_known(self._detection.judge):
            yield from self.look_into_code()

    @property
    def is_code_due(self) -> bool:
        """True if something has changed since the findings about code were made."""
        return self._components.complete and self._code.are_due(self._detection.judge)

    def look_into_code(self) -> Iterator[None]:
        """Make the findings about code again in slices, if they are due."""
        return self._code.look_into(self._detection.judge, self._detection.neighbours.languages)

    def in_file(self, path: str) -> list[Finding]:
        """Findings with a step in this file, each once."""
        entry = self._texts.files.get(path)
        if entry is None or self._detection.judge is None:
            return []
        findings = self._of_components(sorted(self._texts.keys_of(path)))
        bind = self._bindings.bind
        for text in self._rules.telling(entry.texts):
            for finding in self._rules.of_text(text, bind):
                findings[finding.fingerprint] = finding
        findings |= _by_fingerprint(self._rules.of_file(path, bind))
        return [*self._once(_standing_in(path, findings.values())), *self._repetition.findings_in(path)]

    def all(self) -> list[Finding]:
        """All findings of the suite, without `of_files`."""
        return complete(self.gather())

    def gather(self) -> Generator[None, None, list[Finding]]:
        """`all` in slices."""
        if self._detection.judge is None:
            return []
        findings: dict[str, Finding] = {}
        for number, key in enumerate(list(self._texts.members)):
            if key in self._texts.members:
                findings |= self._of_components([key])
            if not number % _AT_ONCE:
                yield
        for number, text in enumerate(list(self._texts.texts)):
            if text in self._texts.texts:
                findings |= _by_fingerprint(self._rules.of_text(text, self._bindings.bind))
            if not number % _AT_ONCE:
                yield
        yield from self.look_into_code()
        findings |= _by_fingerprint(self._rules.left(self.of_code()))
        yield
        return [*self._once(findings.values()), *self._repetition.findings()]

    def of_files(self) -> Iterator[Finding | None]:
        """The findings of rules that look at one file alone; None after each file."""
        for path in list(self._texts.files):
            if path in self._texts.files:
                yield from self._rules.of_file(path, self._bindings.bind)
            yield None

    def in_source(self, path: str) -> list[Finding]:
        """Findings about the step definitions in a source, including unused ones."""
        if not self._components.complete:
            return []
        code = self._rules.left(self.of_code())
        return self._once(_standing_in(path, [*code, *self._code.unused_in(path)]))

    def suspected_with(self, definition: StepDefinition) -> frozenset[str]:
        """Ids of the definitions that run this definition's code although their wordings claim something else."""
        latest = self._code.latest(self._detection.judge, self._detection.neighbours.languages)
        suspect = (finding.definitions for finding in latest if finding.rule == SUSPECT)
        return frozenset(each.id for together in suspect if definition in together for each in together)

    def standing_in(self, path: str) -> Iterator[Standing]:
        """The values that decide the findings with a step in this file, without those of rules for whole files. Needs a
        judge."""
        for key in sorted(self._texts.keys_of(path)):
            component = self._components.standing(key)
            if component is None or component.findings:
                yield Standing(component, partial(self._found_at, key))
        for text in self._rules.telling(self._texts.files[path].texts):
            yield Standing(self._rules.standing(text), partial(self._found_of, text))
        yield from self._repetition.standing_in(path)

    def repeated_in(self, path: str) -> frozenset[str]:
        """Fingerprints of the findings in `standing_in` that others repeat, by the latest findings about code."""
        found = (self._components.standing(key) for key in self._texts.keys_of(path))
        findings = [finding for component in found if component is not None for finding in component.findings]
        return self._repeated(findings, self._code.latest)

    def others_in(self, path: str) -> tuple[Finding, ...]:
        """The findings that `standing_in` leaves out."""
        return self._rules.of_file(path, self._bindings.bind)

    def _found_at(self, key: str) -> tuple[object, Sequence[Finding]]:
        component = self._components.of(key)
        return component, component.findings

    def _found_of(self, text: str) -> tuple[object, Sequence[Finding]]:
        findings = self._rules.of_text(text, self._bindings.bind)
        return findings, findings

    def _of_components(self, keys: Iterable[str]) -> dict[str, Finding]:
        """Findings among these templates, by fingerprint."""
        return {finding.fingerprint: finding for key in keys for finding in self._components.of(key).findings}

    def _once(self, findings: Collection[Finding]) -> list[Finding]:
        """The findings that no other finding of the suite repeats."""
        repeated = self._repeated(findings, self._code.all)
        return [finding for finding in findings if finding.fingerprint not in repeated]

    def _repeated(
        self,
        findings: Iterable[Finding],
        of_code: Callable[[SharedJudge | None, tuple[str, ...]], tuple[Finding, ...]],
    ) -> frozenset[str]:
        """Fingerprints of findings that others make needless, as in a scan: those of the code, and those of the steps
        that these speak of, silenced or not. None before all was compared. `findings`: those that matter."""
        if not self._components.complete or all(finding.rule not in REPEATED for finding in findings):
            return frozenset()
        code = of_code(self._detection.judge, self._detection.neighbours.languages)
        wordings = (wording for finding in code for subject in finding.subjects for wording in subject.wordings)
        keys = {wording.template.key for wording in wordings} & self._texts.members.keys()
        bases = [self._components.of(key).basis for key in sorted(keys)]
        beside = _by_fingerprint(finding for basis in bases if basis is not None for finding in basis.findings or ())
        everything = [*beside.values(), *code]
        return frozenset(_by_fingerprint(everything)) - _by_fingerprint(told_once(everything)).keys()

    def of_code(self) -> tuple[Finding, ...]:
        """The findings about code, including silenced ones."""
        return self._code.all(self._detection.judge, self._detection.neighbours.languages)


def _by_fingerprint(findings: Iterable[Finding]) -> dict[str, Finding]:
    return {finding.fingerprint: finding for finding in findings}


def _standing_in(path: str, findings: Iterable[Finding]) -> list[Finding]:
    """The findings with a place in a file."""
    return [
        finding for finding in findings if any(place.path == path for other in finding.others for place in other.places)
    ]
