"""The bindings of one suite's texts, from which the suite's judge learns text by text as files change.

The judge then knows the same as a new judge made from the same texts and bindings. Never compares texts.
"""

from collections.abc import Generator, Iterable, Mapping
from typing import NamedTuple

from cukereuse_engine.detection.context import Bindings
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.step_binding import expanded_texts
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.texts import ChangedFile, Texts

_FEW = 40
"""The number of texts up to which a suite counts as just begun: its undefined steps are not written yet."""
_WHOLE = 0.5
STEPS_AT_ONCE = 200
"""The number of steps that are bound in some milliseconds."""


class BoundSteps(NamedTuple):
    """What steps of one text bind to."""

    functions: frozenset[str]
    is_undefined: bool
    """True if one of the steps lacks a definition."""


_NOTHING = BoundSteps(frozenset(), is_undefined=False)


class SuiteBindings:
    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.glue: Glue | None = None
        self._frameworks = frozenset[str]()
        """Those of the definitions from which the following was made."""
        self._bound: dict[str, dict[str, BoundSteps]] = {}
        """For each text, what its steps bind to in each file: a changed file costs its own steps, however many files
        contain the text."""
        self._shared: dict[BoundSteps, BoundSteps] = {}
        """Few are shared by many texts."""
        self._judge: SharedJudge | None = None
        self._functions: dict[str, str] = {}
        """Maps identities to functions, as the judge knows them."""
        self._since: dict[str, tuple[StepText, str | None]] = {}
        """The changes since the next judge was begun, by identity."""

    @property
    def bind(self) -> Bindings | None:
        """The function that gives a step's binding; None if no glue is known."""
        return self.glue.bind if self.glue is not None and self.glue.frameworks else None

    def defined_in(self, path: str) -> list[StepDefinition]:
        """The step definitions of a source."""
        return (
            [definition for definition in self.glue.definitions if definition.path == path]
            if self.glue is not None
            else []
        )

    @property
    def known(self) -> Mapping[str, str]:
        """Maps the identity of each text to the function that serves it, as the judge knows it."""
        return self._functions

    def forget(self) -> None:
        """The glue code has changed: every step may bind to something else."""
        self._bound.clear()
        self._shared.clear()
        self._frameworks = self.glue.frameworks if self.glue is not None else frozenset()

    def bound(self, text: str, *, karate: bool = False) -> BoundSteps:
        """What the steps with a text bind to; `karate`: those of Karate's files, too."""
        bind, entry = self.bind, self._texts.texts.get(text)
        if bind is None or entry is None:
            return _NOTHING
        known = self._bound.setdefault(text, {})
        if len(known) < len(entry.paths):
            for path in entry.paths.keys() - known.keys():
                known[path] = self._bound_in(path, text, bind)
        files = self._texts.files
        parts = {each for path, each in known.items() if karate or not files[path].is_karate}
        if len(parts) == 1:
            return parts.pop()
        functions = frozenset[str]().union(*(each.functions for each in parts))
        return BoundSteps(functions, any(each.is_undefined for each in parts))

    def _bound_in(self, path: str, text: str, bind: Bindings) -> BoundSteps:
        bindings = [bind(step) for step in self._texts.files[path].texts[text]]
        functions = frozenset(definition.function_id for binding in bindings for definition in binding.definitions)
        bound = BoundSteps(functions, any(binding.status is Status.UNDEFINED for binding in bindings))
        return self._shared.setdefault(bound, bound)

    def function_of(self, text: str) -> dict[str, str]:
        """Maps the identity of a text to the function that serves it; empty if none or several do."""
        functions = self.bound(text, karate=True).functions
        return {self._texts.texts[text].identity: next(iter(functions))} if len(functions) == 1 else {}

    @property
    def is_whole(self) -> bool:
        """True if the step definitions seem to be complete. If most steps of a larger suite bind to none, its
        definitions are elsewhere (in a library or another repository)."""
        texts = len(self._texts.texts)
        if self.glue is not None and not self.glue.knows_all:
            return False
        return self.bind is not None and (texts < _FEW or len(self._functions) >= _WHOLE * texts)

    def gather(self) -> Generator[None, None, dict[str, str]]:
        """Maps the identity of each text to the function that serves it, in slices, for a new judge. Changes from now
        on are taught to it afterwards."""
        self._since.clear()
        bound: dict[str, str] = {}
        steps = 0
        for text in list(self._texts.texts) if self.bind is not None else ():
            bound |= self.function_of(text)
            steps += self._texts.count(text)
            if steps >= STEPS_AT_ONCE:
                steps = 0
                yield
        return bound

    def use_judge(self, judge: SharedJudge) -> None:
        """Use a new judge, and teach it what has changed since its making began."""
        self._judge, self._functions = judge, dict(judge.bound)
        self._teach(list(self._since.values()))

    def replace_file(self, path: str, change: ChangedFile) -> tuple[bool, set[str], set[str] | None]:
        """Take a file that is new, changed or (None) gone, after `texts`. Returns true if its exported scenarios define
        other steps; the keys of templates that bind differently; and the texts whose steps may, because they are new,
        the definitions differ or the feature's description selects other runs (None: all texts)."""
        if self.glue is None:
            return False, set(), set(change.texts)
        before, after = change.before, change.after
        steps, parts = (after.file.steps, after.file.parts) if after is not None else (None, None)
        is_otherwise = self.glue.tells_otherwise(path)
        changed = self.glue.update_feature(path, steps, parts=parts)
        old: Mapping[str, tuple[Step, ...]] = before.texts if before is not None else {}
        new: Mapping[str, tuple[Step, ...]] = after.texts if after is not None else {}
        texts = {text for text in change.texts if _roles(old.get(text, ())) != _roles(new.get(text, ()))}
        if is_otherwise:
            texts |= new.keys()
        elif self.glue.binds_by_scenario and _scenarios(old, texts) != _scenarios(new, texts):
            texts |= _in_backgrounds(steps or ())
        for text in texts.union(change.texts):
            self._bound.get(text, {}).pop(path, None)
            if text not in self._texts.texts:
                self._bound.pop(text, None)
        if changed is not None:
            texts |= self._forget_source(path, changed)
        is_other = self._forget_others()
        return changed is not None, self._learn(texts), None if is_other else texts.union(change.texts)

    def replace_source(self, path: str, source: bytes | None) -> tuple[bool, set[str], set[str] | None]:
        """Take a source that is new, changed or (None) gone. Returns true if any text or definition is affected, the
        keys of templates that bind differently, and the texts whose steps may (None: all)."""
        if self.glue is None:
            return False, set(), set()
        before = len(self.glue.definitions)
        changed = self.glue.update_file(path, source)
        texts, is_other = self._forget_source(path, changed), self._forget_others()
        is_affected = bool(changed) or before != len(self.glue.definitions) or is_other
        return is_affected, self._learn(texts), None if is_other else texts

    def _forget_source(self, path: str, changed: set[str]) -> set[str]:
        """Forget what texts bind to whose definitions have `changed`, or are in this source, as its functions are named
        by their places. Returns these texts."""
        names = (f"{path}@", f"{path}:")
        there = {bound for bound in self._shared if any(function.startswith(names) for function in bound.functions)}
        texts = self._saying(changed)
        texts.update(text for text, by_path in self._bound.items() if not there.isdisjoint(by_path.values()))
        for text in texts:
            self._bound.pop(text, None)
        for bound in there:
            del self._shared[bound]
        return texts

    def _forget_others(self) -> bool:
        """With the first or the last definition of a framework, another runner's configuration counts, or no step is
        undefined any more: all is forgotten. True if that is so."""
        assert self.glue is not None
        if self._frameworks == self.glue.frameworks:
            return False
        self.forget()
        return True

    def _saying(self, said: set[str]) -> set[str]:
        """The suite's texts that equal these texts: directly, with the colon that behave drops, or through a row."""
        glue, texts = self.glue, self._texts
        assert glue is not None
        names = {name for text in said for name in (normalise(text), f"{normalise(text)}:") if name in texts.texts}
        rest = frozenset(text for text in said if normalise(text) not in names)
        for path in glue.paths_saying(rest) if rest else ():
            entry = texts.files.get(path)
            for text, steps in entry.texts.items() if entry is not None else ():
                if "<" in text and any(not rest.isdisjoint(expanded_texts(step)) for step in steps):
                    names.add(text)
        return names

    def _learn(self, texts: Iterable[str]) -> set[str]:
        changes = []
        for text in texts:
            if text in self._texts.texts:
                step_text = self._texts.step_text(text)
                function = self.function_of(text).get(step_text.identity)
                if function is not None and not self._texts.is_language(step_text.template.key):
                    function = None
            else:
                step_text, function = StepText(text, identity(text), template(text), 0), None
            self._since[step_text.identity] = step_text, function
            changes.append((step_text, function))
        return self._teach(changes) if self._judge is not None else set()

    def _teach(self, changes: list[tuple[StepText, str | None]]) -> set[str]:
        assert self._judge is not None
        news = [(text, function) for text, function in changes if self._functions.get(text.identity) != function]
        if news:
            self._judge.adapt(news)
        for text, function in news:
            if function is None:
                del self._functions[text.identity]
            else:
                self._functions[text.identity] = function
        return {text.template.key for text, _ in news}


def _scenarios(steps: Mapping[str, tuple[Step, ...]], texts: Iterable[str]) -> set[object]:
    """The facts about the scenarios with these texts that decide what a background's steps bind to."""
    return {(step.rule, step.scenario, step.tags) for text in texts for step in steps.get(text, ())}


def _in_backgrounds(steps: Iterable[Step]) -> set[str]:
    return {normalise(step.text) for step in steps if step.is_background and step.text}


def _roles(steps: tuple[Step, ...]) -> frozenset[object]:
    """The facts beside its text that decide which definitions each step binds to."""
    return frozenset(
        (
            (step.resolved_type, step.carried_type, step.run_type),
            (step.feature, step.rule, step.scenario),
            step.tags,
            step.argument is None,
            step.examples if "<" in step.text else (),
        )
        for step in steps
    )
