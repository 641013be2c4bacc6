"""The findings about the functions of a suite's step definitions: those that do the same, and those that nothing uses.

They take up to half a second, so they are made in slices, and kept until something changes: a definition, the judge, or
a step that runs one of the functions with possible findings.
"""

from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cukereuse_engine.definitions import SEARCHES
from cukereuse_engine.definitions.one_definition import UNUSED, unused_definition
from cukereuse_engine.definitions.used_functions import gather_used
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.step_binding import expanded_texts
from cukereuse_engine.refactor.rename_plan import read_from_disk, stamp_on_disk
from cukereuse_engine.rules import Severity
from cukereuse_engine.strategies.table import EXACT
from cukereuse_engine.suppression.code_pragmas import SourcePragmas
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.siblings import Siblings
from cukereuse_server.workspace.texts import Texts

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions
    from cukereuse_engine.refactor.mentions import MayBeUsed

_TEXTS_AT_ONCE, _DEFINITIONS_AT_ONCE = 100, 50
"""Each takes some milliseconds."""


class CodeFindings:
    def __init__(self, texts: Texts, bindings: SuiteBindings, siblings: Siblings, rules: SuiteRules) -> None:
        self._texts, self._bindings, self._siblings, self._rules = texts, bindings, siblings, rules
        self.functions: Functions | None = None
        """The functions of the step definitions, if there are any."""
        self._findings: tuple[Finding, ...] | None = None
        """The last findings, even if something has changed since."""
        self._is_outdated = True
        self._work: Iterator[None] | None = None
        """What makes them again, if it has begun."""
        self._sources: dict[str, bytes] = {}
        """Sources that have changed since they were read from disk."""
        self._looked_at: frozenset[str] = frozenset()
        """The texts from which the last findings were made."""
        self._changed: set[str] = set()
        """The texts whose steps have changed since."""
        self._notable: frozenset[str] | None = frozenset()
        """The functions from which they were made; None: all."""

    # -- what changes

    def use(self, functions: "Functions") -> None:
        self.functions = functions
        glue = self._bindings.glue
        self._rules.source_pragmas = SourcePragmas(glue.definitions if glue is not None else ())
        self.forget()

    def hold(self, path: str, source: bytes | None) -> None:
        """Take a source that is new, changed or (None) gone; it may use definitions without defining any."""
        self._sources.pop(path, None)
        if source is not None:
            self._sources[path] = source
        if self._rules.options().severity(UNUSED) is not Severity.OFF:
            self.forget()

    def replace_source(self, path: str, source: bytes | None, definitions: Sequence[StepDefinition]) -> None:
        """Take a source that is new, changed or (None) gone, with its present definitions."""
        if self.functions is not None:
            self.functions.update(path, source, definitions)
            if self._rules.source_pragmas is not None:
                self._rules.source_pragmas.replace(path, source, definitions)
            self.forget()

    def look_at_projects(self) -> bool:
        """Project files came or went. True if functions are related differently now."""
        return self.functions is not None and self.functions.look_at_projects()

    def forget(self) -> None:
        """Definitions or the judge have changed."""
        self._is_outdated, self._work = True, None

    def move(self, path: str) -> None:
        """Scenarios of a file are on other lines: the exported ones, which are definitions, too."""
        if any(definition.path == path for finding in self._findings or () for definition in finding.definitions):
            self.forget()

    def forget_steps(self, texts: Iterable[str]) -> None:
        """Steps with these texts, or their bindings, have changed."""
        self._changed.update(texts)

    # -- questions

    def all(self, judge: SharedJudge | None, languages: tuple[str, ...]) -> tuple[Finding, ...]:
        """Silenced ones too."""
        while self.are_due(judge):
            for _ in self.look_into(judge, languages):
                pass
        return self._findings or () if self._can_be_made(judge) else ()

    def latest(self, judge: SharedJudge | None, languages: tuple[str, ...]) -> tuple[Finding, ...]:
        """As `all`, perhaps as of a moment ago: until `look_into` has renewed them, nobody waits for it."""
        return self._findings if self._findings is not None else self.all(judge, languages)

    def are_known(self, judge: SharedJudge | None) -> bool:
        """True if `latest` has nothing to do."""
        return self._findings is not None or not self._can_be_made(judge)

    def are_due(self, judge: SharedJudge | None) -> bool:
        """True if something has changed since the findings were made."""
        return self._can_be_made(judge) and (self._is_outdated or self._is_concerned())

    def look_into(self, judge: SharedJudge | None, languages: tuple[str, ...]) -> Iterator[None]:
        """Make the findings again in slices if they are due, going on where an earlier call is."""
        if judge is None or not self.are_due(judge):
            return
        work = self._work = self._work or self._make(judge, languages)
        try:
            for _ in work:
                yield
                if self._work is not work:
                    return
        except Exception:  # the same would happen again: the last ones stay until something changes
            self._findings, self._is_outdated, self._work = self._findings or (), False, None
            raise

    def _can_be_made(self, judge: SharedJudge | None) -> bool:
        return judge is not None and self.functions is not None and self._bindings.bind is not None

    def _make(self, judge: SharedJudge, languages: tuple[str, ...]) -> Iterator[None]:
        """Of those functions only that something can be said about, the steps are looked at."""
        functions, glue = self.functions, self._bindings.glue
        assert functions is not None
        assert glue is not None
        self._is_outdated = True
        self._changed.clear()
        options = self._rules.options()
        functions.own_definitions = _own(glue)
        notable = functions.notable() if options.severity(UNUSED) is Severity.OFF else None
        yield
        names = yield from self._run_by(glue, notable)
        looked_at: list[StepText] = []
        steps: dict[str, tuple[Step, ...]] = {}
        for text in self._texts.in_order(names & self._texts.texts.keys()):
            if text in self._texts.texts:  # one that goes meanwhile has changed
                looked_at.append(self._texts.step_text(text))
                steps[looked_at[-1].identity] = self._texts.steps(text, karate=False)
                if not len(steps) % _TEXTS_AT_ONCE:
                    yield
        detection = Detection(StrategyOptions(EXACT.name, languages=languages), tuple(looked_at))
        may_serve = self._may_be_used(glue)
        context = Context(detection, steps, self._bindings.bind, judge, functions, options, may_serve=may_serve)
        yield
        yield from gather_used(context)
        searches = []
        for search in SEARCHES:
            found: list[Finding] = []
            if any(options.severity(rule) is not Severity.OFF for rule in search.rules):
                for finding in search.find(context):
                    found.append(finding)
                    yield
            searches.append(replace(search, find=partial(_found, found)))
        self._findings = find(context, searches=searches)
        self._notable, self._looked_at = notable, frozenset(names)
        self._is_outdated, self._work = False, None

    def unused_in(self, path: str) -> tuple[Finding, ...]:
        """Unused definitions of a source: an editor shows them, unless the settings say otherwise."""
        severity = self._rules.options(unused=Severity.HINT).severity(UNUSED)
        if severity is Severity.OFF or self._rules.options().severity(UNUSED) is not Severity.OFF:
            return ()
        unused = self._unused(self._bindings.defined_in(path))
        return self._rules.left(unused_definition(definition, severity) for definition in unused)

    def is_unused(self, definition: StepDefinition) -> bool:
        """True if no step binds to a definition of the suite's own, and no code calls it. False if it can't be
        matched."""
        return any(self._unused([definition]))

    def _unused(self, definitions: Iterable[StepDefinition]) -> Iterator[StepDefinition]:
        """The definitions that are unused: sources and functions are searched once for all of them."""
        glue, functions = self._bindings.glue, self.functions
        if glue is None or functions is None:
            return
        own, called = {definition.id for definition in _own(glue)}, functions.called
        may_be_used = self._may_be_used(glue)
        for definition in definitions:
            is_served = definition.function_id in called or self._siblings.serves(definition.function_id)
            if definition.id in own and not is_served and not may_be_used(definition):
                yield definition

    def is_used(self, definition: StepDefinition) -> bool:
        """True if a step binds to a definition, if code calls it, or if that is not known yet."""
        called = self.functions.called if self.functions is not None else {definition.function_id}
        return definition.function_id in called or self._siblings.serves(definition.function_id)

    def _may_be_used(self, glue: Glue) -> "MayBeUsed":
        from cukereuse_engine.refactor.mentions import MayBeUsed  # reads code, which a suite without any has no use for

        sources = self._sources

        def read(path: str) -> bytes:
            return sources[path] if path in sources else read_from_disk(path)

        def stamp(path: str) -> Hashable:
            return hash(sources[path]) if path in sources else stamp_on_disk(path)

        return MayBeUsed(glue, read, stamp)

    def _is_concerned(self) -> bool:
        """True if a changed step runs, or ran, one of the functions with possible findings."""
        if not self._looked_at.isdisjoint(self._changed):
            return True
        now = {function for text in self._changed for function in self._siblings.functions_of(text)}
        if now if self._notable is None else now & self._notable:
            return True
        self._changed.clear()
        return False

    def _run_by(self, glue: Glue, functions: frozenset[str] | None) -> Generator[None, None, set[str]]:
        """Texts whose steps may run one of these functions; None: all texts."""
        all_texts = self._texts.texts
        if functions is None:
            return set(all_texts)
        texts_said: set[str] = set()
        for number, definition in enumerate(list(glue.definitions)):
            if definition.function_id in functions:
                texts_said |= glue.texts_of(definition.id)
            if not number % _DEFINITIONS_AT_ONCE:
                yield
        texts = {name for text in texts_said for name in (normalise(text), f"{normalise(text)}:") if name in all_texts}
        return texts.union(self._expanding_to(texts_said, {text for text in all_texts if "<" in text} - texts))

    def _expanding_to(self, texts: set[str], outlined: set[str]) -> Iterator[str]:
        """Yields the texts with placeholders that become one of `texts` with the values of a row."""
        for text in outlined:
            steps = (step for step in self._texts.steps(text) if step.examples)
            if any(not texts.isdisjoint(expanded_texts(step)) for step in steps):
                yield text


def _found(findings: list[Finding], context: Context) -> list[Finding]:
    del context
    return findings


def _own(glue: Glue) -> tuple[StepDefinition, ...]:
    """A suite's own definitions; whether others are used is unknown."""
    return tuple(definition for definition in glue.own_definitions if glue.is_checked(definition))
