"""The rules of one suite with its settings: the severity of each, the findings that pragmas, patterns and the baseline
leave, and the findings of rules that compare nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cukereuse_engine.detection.context import Bindings, Context
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.rules import SearchScope, rules_of
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.findings.confidence import FindingOptions
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import ReadError, Step
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.options import finding_options
from cukereuse_engine.settings import Settings
from cukereuse_engine.strategies.table import EXACT
from cukereuse_engine.suppression.apply import IgnorePatterns, suppress
from cukereuse_engine.suppression.baseline import Baseline
from cukereuse_engine.suppression.code_pragmas import SourcePragmas
from cukereuse_engine.suppression.pragmas import Pragmas
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.moved import moved, moves
from cukereuse_server.workspace.steps_by_text import StepsByText
from cukereuse_server.workspace.texts import Texts

PER_TEXT = rules_of(SearchScope.TEXT)
PER_FILE = rules_of(SearchScope.FILE)
_PER_SLICE = 20
"""The number of texts that are looked at before questions may go first."""


class _Pragmas(Pragmas):
    """The pragmas of many files, each kept with its file."""

    def __init__(self, texts: Texts) -> None:
        super().__init__(())
        self._texts = texts

    def speak_of(self, path: str) -> bool:
        entry = self._texts.files.get(path)
        return entry is not None and bool(entry.pragmas)

    def ignored(self, path: str, line: int, rule: str, kind: str | None = None) -> bool:
        entry = self._texts.files.get(path)
        return entry is not None and entry.pragmas.ignored(path, line, rule, kind)


class SuiteRules:
    def __init__(self, texts: Texts, settings: Settings, baseline: Baseline) -> None:
        self._texts = texts
        self._baseline = baseline
        self._options = finding_options(settings)
        self._sets_undefined = "undefined-step" in settings.severity
        self._patterns = IgnorePatterns(settings.ignore)
        self._pragmas = _Pragmas(texts)
        self.source_pragmas: SourcePragmas | None = None
        """The pragmas in glue code, if it is known."""
        self._findings_by_text: dict[str, tuple[tuple[Step, ...], tuple[Finding, ...]]] = {}
        """For each text its steps, and the findings of `of_text`, if there were any."""
        self._to_tell: set[str] = set()
        """Texts for which there were findings, or no result yet."""

    def show_undefined(self, known: bool) -> None:
        """Show undefined steps if the step definitions are `known`, unless the settings say otherwise."""
        if not self._sets_undefined:
            severity = Severity.WARNING if known else Severity.OFF
            if self._options.severities.get("undefined-step") is not severity:
                severities = {**self._options.severities, "undefined-step": severity}
                self._options = replace(self._options, severities=severities)
                self.forget_all()

    def forget(self, texts: Iterable[str]) -> None:
        """Forget these texts: their steps have changed, may bind to other definitions now, or may be silenced."""
        for text in texts:
            self._findings_by_text.pop(text, None)
            (self._to_tell.add if text in self._texts.texts else self._to_tell.discard)(text)

    def forget_all(self) -> None:
        self._findings_by_text.clear()
        self._to_tell = set(self._texts.texts)

    def options(self, rules: Sequence[str] = (), unused: Severity = Severity.OFF) -> FindingOptions:
        """The severities in the settings; rules that compare nothing are off except for `rules`. `unused`: the severity
        of unused definitions, unless it is set."""
        off = {} if "unused-definition" in self._options.severities else {"unused-definition": unused}
        off |= dict.fromkeys((rule for rule in (*PER_FILE, *PER_TEXT) if rule not in rules), Severity.OFF)
        return replace(self._options, severities={**self._options.severities, **off}, karate=True)

    def left(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that pragmas, patterns and the baseline leave."""
        remaining = suppress(findings, self._pragmas, self._patterns, self.source_pragmas).findings
        return self._baseline.new(remaining)

    def unread(self, path: str) -> tuple[ReadError, ...]:
        """The unread places of a file, including pragmas, that are not in the baseline."""
        entry = self._texts.files.get(path)
        return self._baseline.new_errors((*entry.file.errors, *entry.pragmas.problems)) if entry is not None else ()

    def unknown_in(self, path: str) -> int:
        """The number of texts of a file for which `of_text` has no result yet."""
        entry = self._texts.files.get(path)
        texts = self.telling(entry.texts) if entry is not None else ()
        return sum(1 for text in texts if text not in self._findings_by_text)

    def look_into(self, path: str, bindings: Bindings | None) -> Iterator[None]:
        """Prepare `of_text` for each text of a file, in slices."""
        entry = self._texts.files.get(path)
        for number, text in enumerate(tuple(entry.texts) if entry is not None else ()):
            if text in self._texts.texts:
                self.of_text(text, bindings)
            if not number % _PER_SLICE:
                yield

    def of_text(self, text: str, bindings: Bindings | None) -> tuple[Finding, ...]:
        """The findings of the rules that look at one text alone."""
        rules = self._enabled(PER_TEXT)
        if not rules or text not in self._to_tell:
            return ()
        before, findings = self._findings_by_text.pop(text, (None, ()))
        steps = self._texts.steps(text, karate=False)
        elsewhere = moves({text: before}, {text: steps}) if before is not None else None
        if elsewhere is None:
            step_text = self._texts.step_text(text)
            findings = self._plain((step_text,), {step_text.identity: steps}, rules, bindings)
        else:
            findings = moved(findings, elsewhere)
        if findings:
            self._findings_by_text[text] = steps, findings
        else:
            self._to_tell.discard(text)
        return findings

    def standing(self, text: str) -> tuple[Finding, ...] | None:
        """The last result of `of_text`; places may have moved since. None if there is none."""
        entry = self._findings_by_text.get(text)
        return entry[1] if entry is not None else None

    def telling(self, texts: StepsByText) -> list[str]:
        """The texts of a file for which `of_text` has findings, or no result yet."""
        if not self._enabled(PER_TEXT):
            return []
        fewer, more = sorted((texts.texts(), self._to_tell), key=len)
        return sorted(text for text in fewer if text in more)

    def of_file(self, path: str, bindings: Bindings | None) -> tuple[Finding, ...]:
        """The findings of the rules that look at one file alone."""
        rules = self._enabled(PER_FILE)
        entry = self._texts.files[path]
        if not rules or entry.is_karate:
            return ()
        texts = tuple(self._texts.step_text(text) for text in entry.texts)
        steps = {text.identity: entry.texts[text.text] for text in texts}
        return self._plain(texts, steps, rules, bindings)

    def _enabled(self, rules: Iterable[str]) -> tuple[str, ...]:
        return tuple(rule for rule in rules if self._options.severity(rule) is not Severity.OFF)

    def _plain(
        self,
        texts: tuple[StepText, ...],
        steps: dict[str, tuple[Step, ...]],
        rules: Sequence[str],
        bindings: Bindings | None,
    ) -> tuple[Finding, ...]:
        nothing = Detection(StrategyOptions(EXACT.name), texts)
        return self.left(find(Context(nothing, steps, bindings, options=self.options(rules))))
