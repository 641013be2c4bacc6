"""Would the suite still bind? A plan applied in memory, read and bound again by the same readers as ever.

Every renamed step must bind to exactly one definition with the arguments that it had; no other step may change its
binding; feature files must read the same but for the new texts. Leaves the workspace as it was.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
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


def binds_to(binding: StepBinding) -> StepDefinition | None:
    """The one definition that every text of a step binds to."""
    found = binding.definitions
    return found[0] if binding.status is Status.BOUND and len(found) == 1 else None


class Check:
    """One plan against one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        steps: Sequence[ExpectedStep],
        sources: Mapping[str, FileEdits],
        *,
        removed: frozenset[str] = frozenset(),
        thorough: bool = True,
    ) -> None:
        """`sources`: edits of files with step definitions. `removed`: ids of definitions that they take away."""
        self.workspace = workspace
        self.steps = steps
        self.sources = sources
        self.removed = removed
        self.thorough = thorough

    def run(self) -> list[Finding]:
        """What would break; empty for a plan that holds. Raises `ChangedFileError`, `OSError`."""
        texts = {(one.member.step.path, one.member.step.span.start): one.text for one in self.steps}
        found = [
            Finding(step, True, f"its file would read differently: {reason}", "reads differently")
            for step, reason in misread(self.workspace, [one.member.step for one in self.steps], texts, self.thorough)
        ]
        glue = self.workspace.glue
        if glue is None or not glue.definitions:
            return found
        return found + self._binding(glue)

    def _binding(self, glue: Glue) -> list[Finding]:
        names = _Names(glue, self.sources, self.removed)
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
            after = [_Bound.of(glue.bind(step), names) for step in planned]
            alike = {
                _alike(step): step
                for step in self.workspace.saying(changed)
                if (step.path, step.span.start) not in members
            }
            others = list(alike.values())
            others_after = [_Bound.of(glue.bind(step), names) for step in others]
        found: list[Finding] = []
        for one, new, bound in zip(self.steps, planned, after, strict=True):
            reason = self._member_reason(glue, one, new, bound, names)
            if reason is not None:
                found.append(Finding(one.member.step, True, *reason))
        for step, bound in zip(others, others_after, strict=True):
            if _Bound.of(glue.bind(step), names).everything != bound.everything:
                reason_text = f"another step would bind differently: {step.text}"
                found.append(Finding(step, False, reason_text, "another step changes"))
        return found

    def _member_reason(
        self, glue: Glue, one: ExpectedStep, new: Step, bound: "_Bound", names: "_Names"
    ) -> tuple[str, str] | None:
        status = bound.binding.status
        if one.member.definition is None and status is Status.UNDEFINED:
            return None
        if status is Status.UNDEFINED:
            return "no step definition would match it", "would not bind"
        if status is Status.AMBIGUOUS or len({key for keys in bound.keys for key in keys}) != 1:
            return "several step definitions would match it", "would be ambiguous"
        matches = [text.matches[0] for text in bound.binding.texts]
        if not takes(new, bound.binding.texts, one.arguments):
            return "its step definition would take other arguments from it", "other arguments"
        if one.member.definition is None:
            return None
        before = glue.bind(one.member.step)
        if len(before.texts) != len(matches):
            return "some of its Examples rows would say the same", "other arguments"
        same = _Bound.of(before, names).keys == bound.keys
        for old, match in zip(before.texts, matches, strict=True):
            if not _same_values(old.matches[0], match, same_definition=same):
                return "its step definition would get other arguments", "other arguments"
        return None


def _alike(step: Step) -> tuple[object, ...]:
    """Equal for steps that bind to the same: one of them is enough."""
    folder = step.path.replace("\\", "/").rpartition("/")[0]
    return step.text, step.resolved_type, folder, step.argument, step.examples if "<" in step.text else ()


def takes(step: Step, texts: Sequence[TextBinding], expected: Arguments) -> bool:
    """Whether the definition takes what stands in the slots, each argument once and in their order."""
    for text in texts:
        taken = [argument.value for argument in text.matches[0].arguments if argument.value is not None]
        captured = captured_arguments(step, text.text, [one for one in text.matches[0].arguments if one.start >= 0])
        if captured is None:  # groups inside groups: the values must be there
            return all(any(_bare(value) == _bare(one.value) for value in taken) for one in expected)
        if [argument.value for argument in captured] != [argument.value for argument in expected]:
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


@dataclass(frozen=True, slots=True)
class _Bound:
    """A binding, by names of definitions that hold before and after."""

    binding: StepBinding
    keys: tuple[tuple[str, ...], ...]
    """For each text, what it binds to."""

    @classmethod
    def of(cls, binding: StepBinding, names: "_Names") -> "_Bound":
        return cls(binding, tuple(tuple(names.of(m.definition) for m in text.matches) for text in binding.texts))

    @property
    def everything(self) -> tuple[object, ...]:
        return self.keys, tuple(tuple(_passed(match) for match in text.matches) for text in self.binding.texts)


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
                if _unlike(old, new, rewritten=new.source_literal in self._edited):
                    return f"{path}:{old.line} would read differently: {new.source_literal}"
            self._name(path, now[path])
        return ""


def _unlike(old: StepDefinition, new: StepDefinition, *, rewritten: bool) -> bool:
    def rest(one: StepDefinition) -> tuple[object, ...]:
        same = one.kind, one.keyword, one.keyword_types, one.framework, one.function_name, one.anchoring, one.flags
        return same if rewritten else (*same, one.expression)

    return rest(old) != rest(new)
