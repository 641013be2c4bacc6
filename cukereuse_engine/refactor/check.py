"""Would the suite still bind? A plan applied in memory, read and bound again by the same readers as ever.

Every renamed step must bind to exactly one definition with the arguments that it had; no other step may change its
binding; feature files must read the same but for the new texts. Leaves the workspace as it was.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.binding import Status, TextBinding
from cukereuse_engine.glue.model import ExpressionKind, Match, StepDefinition
from cukereuse_engine.glue.workspace import Glue, StepBinding
from cukereuse_engine.refactor.arguments import captured_arguments
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.expressions.rewrite import by_name
from cukereuse_engine.refactor.members import Arguments, Member
from cukereuse_engine.refactor.model import FileEdits, Workspace
from cukereuse_engine.refactor.reread import misread

OUT_OF_REACH = "out of reach"
"""A finding's kind: the step says the target, but its definition serves it under no keyword or scope of the step."""
_LOST = "no step definition would match it; rename it by itself", "would not bind"
_PLANNED = "\0planned"
"""Stands for a feature file that holds the new texts."""


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedStep:
    """One renamed step."""

    member: Member
    text: str
    """What it will say."""
    arguments: Arguments
    """What stands in the target's slots, left to right."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One step that would break."""

    step: Step
    is_member: bool
    reason: str
    kind: str
    """A short name of the reason, for statistics."""


def with_text(step: Step, text: str) -> Step:
    """The step as it will be; its place is that of the old text."""
    return replace(step, text=text, span=replace(step.span, end=step.span.start + len(text)))


class Check:
    """One plan against one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        steps: Sequence[ExpectedStep],
        sources: Mapping[str, FileEdits],
        *,
        home: Collection[StepDefinition] = (),
        removed: frozenset[str] = frozenset(),
        thorough: bool = True,
    ) -> None:
        """`sources`: edits of files with step definitions. `home`: the definitions, as they are before, that the steps
        must bind to; empty where nothing is known. `removed`: ids of definitions that the edits take away."""
        self.workspace = workspace
        self.steps = steps
        self.sources = sources
        self.home = home
        self.removed = removed
        self.thorough = thorough

    def run(self) -> list[Finding]:
        """What would break; empty for a plan that holds. Raises `ChangedFileError`, `OSError`."""
        texts = {(one.member.step.path, one.member.step.span.start): one.text for one in self.steps}
        found = [
            Finding(
                step, True, f"its file would read differently: {reason}; begin with other words", "reads differently"
            )
            for step, reason in misread(self.workspace, [one.member.step for one in self.steps], texts, self.thorough)
        ]
        glue = self.workspace.glue
        if glue is None or not glue.definitions:
            return found
        return found + self._binding(glue)

    def _binding(self, glue: Glue) -> list[Finding]:
        names = _Names(glue, self.sources, self.removed)
        home = {names.of(definition) for definition in self.home}
        planned = [with_text(one.member.step, one.text) for one in self.steps]
        members = {(one.member.step.path, one.member.step.span.start) for one in self.steps}
        with ExitStack() as undo:
            undo.callback(glue.update_feature, _PLANNED, None)
            glue.update_feature(_PLANNED, planned)
            changed: set[str] = set()
            for path, edits in self.sources.items():
                data = self.workspace.read(path)
                undo.callback(glue.update_file, path, data)
                changed |= glue.update_file(path, edited_bytes(edits, data))
            strange = names.after(glue)
            if strange:
                return [Finding(one.member.step, False, strange, "source reads differently") for one in self.steps[:1]]
            after = [glue.bind(step) for step in planned]
            lost = any(bound.guessed or bound.status is Status.UNDEFINED for bound in after)
            now = [one.id for one in glue.definitions if names.of(one) in home] if lost else []
            said = frozenset[str]().union(*(glue.texts_of(one) for one in now))
            alike = {
                _alike(step): step
                for step in self.workspace.saying(changed)
                if (step.path, step.span.start) not in members
            }
            others = list(alike.values())
            others_after = [_everything(glue.bind(step), names) for step in others]
        found: list[Finding] = []
        for one, new, bound in zip(self.steps, planned, after, strict=True):
            reason = self._member_reason(glue.bind(one.member.step), one, new, bound, names, home)
            if reason is not None:
                beyond = reason == _LOST and said.issuperset(text.text for text in bound.texts)
                found.append(Finding(one.member.step, True, reason[0], OUT_OF_REACH if beyond else reason[1]))
        for step, everything in zip(others, others_after, strict=True):
            if _everything(glue.bind(step), names) != everything:
                reason_text = f"another step would bind differently: {step.text}; choose words that it does not share"
                found.append(Finding(step, False, reason_text, "another step changes"))
        return found

    def _member_reason(
        self,
        before: StepBinding,
        one: ExpectedStep,
        new: Step,
        bound: StepBinding,
        names: "_Names",
        home: set[str],
    ) -> tuple[str, str] | None:
        """Why a renamed step would not bind as it should, and the short name of that."""
        known = bool(one.member.definitions)
        if bound.status is Status.UNDEFINED or (bound.guessed and not before.guessed):
            return _LOST if known else None
        if bound.status is Status.AMBIGUOUS:
            return "several step definitions would match it; choose words that none matches yet", "would be ambiguous"
        if home and any(names.of(definition) not in home for definition in bound.definitions):
            return "another step definition would match it; choose words that none matches yet", "would be ambiguous"
        if not takes(new, bound.texts, one.arguments):
            message = "its step definition would take other arguments from it; set them off by words or quotes"
            return message, "other arguments"
        return self._run_reason(before, bound, names, home) if known else None

    def _run_reason(
        self, before: StepBinding, after: StepBinding, names: "_Names", home: set[str]
    ) -> tuple[str, str] | None:
        """The same of a step that had a definition: what served it in each scope and runner, serves it again."""
        if len(before.texts) != len(after.texts):
            return "some of its Examples rows would say the same; keep all placeholders", "other arguments"
        for old_text, new_text in zip(before.texts, after.texts, strict=True):
            old_runs, new_runs = _runs(old_text), _runs(new_text)
            if old_runs.keys() != new_runs.keys():
                return (
                    "some suites or runners that know it would not any more; define the target there",
                    "would not bind",
                )
            for run, old in old_runs.items():
                new = new_runs[run]
                same = names.of(old.definition) == names.of(new.definition)
                if not same and names.of(old.definition) in home:
                    message = "another step definition than now would match it; choose words that none matches yet"
                    return message, "would be ambiguous"
                if not _same_values(old, new, same_definition=same):
                    return (
                        "its step definition would get other arguments; keep them all, in their order",
                        "other arguments",
                    )
        return None


def _runs(text: TextBinding) -> dict[tuple[int, str], Match]:
    """What serves a text in each scope of each runner."""
    return {
        (number, match.definition.framework): match
        for number, matches in enumerate(text.scopes or (text.matches,))
        for match in matches
    }


def _alike(step: Step) -> tuple[object, ...]:
    """Equal for steps that bind to the same: one of them is enough. Scopes look at paths and tags."""
    scope = step.path, step.tags, step.rule, step.is_background
    return (
        step.text,
        step.resolved_type,
        step.carried_type,
        scope,
        step.argument,
        step.examples if "<" in step.text else (),
    )


def takes(step: Step, texts: Sequence[TextBinding], expected: Arguments) -> bool:
    """Whether each definition takes what stands in the slots, each argument once and in their order."""
    for text in texts:
        for match in text.matches:
            taken = [argument for argument in match.arguments if argument.start >= 0]
            captured = captured_arguments(step, text.text, taken)
            if captured is None:  # groups inside groups: the values must be there
                values = {_bare(argument.value) for argument in taken}
                if any(_bare(one.value) not in values for one in expected):
                    return False
            elif [argument.value for argument in captured] != [argument.value for argument in expected]:
                return False
    return True


def _same_values(old: Match, new: Match, *, same_definition: bool) -> bool:
    """Whether a function gets what it got; another definition, at least everything that the old one took."""
    if not same_definition:
        before = Counter(_bare(one.value) for one in old.arguments if one.value is not None)
        return not before - Counter(_bare(one.value) for one in new.arguments if one.value is not None)
    return _passed(old) == _passed(new)


def _passed(match: Match) -> tuple[object, ...]:
    """Arguments as they reach the function: by name where names count, else in order."""
    definition = match.definition
    strip = definition.kind is ExpressionKind.CUCUMBER  # {string} takes the quotes off
    values = [(one.name, _bare(one.value) if strip else one.value) for one in match.arguments]
    if by_name(definition):
        named = sorted((name, value or "") for name, value in values if name)
        return (*named, *(value for name, value in values if not name))
    return tuple(value for _, value in values)


def _bare(value: str | None) -> str:
    if value is None:
        return ""
    quoted = len(value) > 1 and value[0] in "\"'`" and value[-1] == value[0]
    return value[1:-1] if quoted else value


def _everything(binding: StepBinding, names: "_Names") -> tuple[object, ...]:
    """What a step binds to in each scope, by names of definitions that hold before and after, with what they take."""
    return tuple(
        tuple((names.of(match.definition), _passed(match)) for match in matches)
        for text in binding.texts
        for matches in (text.matches, *text.scopes)
    )


class _Names:
    """Names of definitions that don't change when lines above them do."""

    def __init__(self, glue: Glue, sources: Mapping[str, FileEdits], removed: frozenset[str]) -> None:
        self._before: dict[str, list[StepDefinition]] = {path: [] for path in sources}
        for definition in glue.definitions:
            if definition.path in self._before and definition.id not in removed:
                self._before[definition.path].append(definition)
        self._names: dict[tuple[str, str], str] = {}
        for path, definitions in self._before.items():
            self._name(path, definitions)
        self._edited = {
            edit.new for file in sources.values() for edit in file.edits if edit.new
        }  # literals that are rewritten

    def _name(self, path: str, definitions: Sequence[StepDefinition]) -> None:
        for number, definition in enumerate(definitions):
            self._names[definition.id, definition.expression] = f"{path}#{number}"

    def of(self, definition: StepDefinition) -> str:
        return self._names.get((definition.id, definition.expression), definition.id)

    def after(self, glue: Glue) -> str:
        """Take in the edited sources; gives what is wrong with how they read."""
        now: dict[str, list[StepDefinition]] = {path: [] for path in self._before}
        for definition in glue.definitions:
            if definition.path in now:
                now[definition.path].append(definition)
        for path, before in self._before.items():
            if len(before) != len(now[path]):
                return f"{path} would hold other step definitions"
            for old, new in zip(before, now[path], strict=True):
                if old.kind is not new.kind:
                    message = f"{path}:{old.line}: the new words would be read as {new.kind}, not as {old.kind}, there"
                    return f"{message}; choose others (no ^ at the beginning, no $ at the end)"
                if _unlike(old, new, rewritten=new.source_literal in self._edited):
                    return f"{path}:{old.line} would read differently: {new.source_literal}"
            self._name(path, now[path])
        return ""


def _unlike(old: StepDefinition, new: StepDefinition, *, rewritten: bool) -> bool:
    def rest(one: StepDefinition) -> tuple[object, ...]:
        same = one.kind, one.keyword, one.keyword_types, one.framework, one.function_name, one.anchoring, one.flags
        return same if rewritten else (*same, one.expression)

    return rest(old) != rest(new)
