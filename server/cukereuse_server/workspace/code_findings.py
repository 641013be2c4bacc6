"""The findings about the functions of a suite's step definitions: those that do the same, and those that nothing uses.

They take up to half a second, so they are made when they are requested, and kept until something changes: a definition,
the judge, or a step that runs one of the functions with possible findings.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cukereuse_engine.definitions import SEARCHES
from cukereuse_engine.definitions.one_definition import UNUSED, unused_definition
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.step_binding import expanded_texts
from cukereuse_engine.refactor.rename_plan import read_from_disk, stamp_on_disk
from cukereuse_engine.rules import Severity
from cukereuse_engine.strategies.table import EXACT
from cukereuse_engine.suppression.code_pragmas import SourcePragmas
from cukereuse_engine.text.identity import normalise
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.siblings import Siblings
from cukereuse_server.workspace.texts import Texts

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions
    from cukereuse_engine.refactor.mentions import MayBeUsed


class CodeFindings:
    def __init__(self, texts: Texts, bindings: SuiteBindings, siblings: Siblings, rules: SuiteRules) -> None:
        self._texts, self._bindings, self._siblings, self._rules = texts, bindings, siblings, rules
        self.functions: Functions | None = None
        """The functions of the step definitions, if there are any."""
        self._findings: tuple[Finding, ...] | None = None
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
        self._findings = None

    def move(self, path: str) -> None:
        """Scenarios of a file are on other lines: the exported ones, which are definitions, too."""
        if any(definition.path == path for finding in self._findings or () for definition in finding.definitions):
            self.forget()

    def forget_steps(self, texts: Iterable[str]) -> None:
        """Steps with these texts, or their bindings, have changed."""
        self._changed.update(texts)

    # -- questions

    def all(self, judge: SharedJudge | None, languages: tuple[str, ...]) -> tuple[Finding, ...]:
        """Silenced ones too. Of those functions only that something can be said about, the steps are looked at."""
        functions, glue = self.functions, self._bindings.glue
        if judge is None or functions is None or glue is None or self._bindings.bind is None:
            return ()
        if self._findings is None or self._is_concerned():
            options = self._rules.options()
            functions.own_definitions = _own(glue)
            self._notable = functions.notable() if options.severity(UNUSED) is Severity.OFF else None
            names = self._texts.in_order(self._run_by(glue, self._notable))
            self._looked_at = frozenset(names)
            texts = tuple(self._texts.step_text(text) for text in names)
            context = Context(
                Detection(StrategyOptions(EXACT.name, languages=languages), texts),
                {text.identity: self._texts.steps(text.text, karate=False) for text in texts},
                self._bindings.bind,
                judge,
                functions,
                options,
                may_serve=self._may_be_used(glue),
            )
            self._findings = find(context, searches=SEARCHES)
        self._changed.clear()
        return self._findings

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
        return bool(now if self._notable is None else now & self._notable)

    def _run_by(self, glue: Glue, functions: frozenset[str] | None) -> set[str]:
        """Texts whose steps may run one of these functions; None: all texts."""
        all_texts = self._texts.texts
        if functions is None:
            return set(all_texts)
        texts_said = {
            text
            for definition in glue.definitions
            if definition.function_id in functions
            for text in glue.texts_of(definition.id)
        }
        texts = {name for text in texts_said for name in (normalise(text), f"{normalise(text)}:") if name in all_texts}
        return texts.union(self._expanding_to(texts_said, {text for text in all_texts if "<" in text} - texts))

    def _expanding_to(self, texts: set[str], outlined: set[str]) -> Iterator[str]:
        """Yields the texts with placeholders that become one of `texts` with the values of a row."""
        for text in outlined:
            steps = (step for step in self._texts.steps(text) if step.examples)
            if any(not texts.isdisjoint(expanded_texts(step)) for step in steps):
                yield text


def _own(glue: Glue) -> tuple[StepDefinition, ...]:
    """A suite's own definitions; whether others are used is unknown."""
    return tuple(definition for definition in glue.own_definitions if glue.is_checked(definition))
