"""Does everything still bind? Edits applied in memory, read and bound again by the same readers as ever.

Knows only the workspace and the edits, not what they were meant for. Feature files must read the same but for the new
texts; sources must define the same but for the rewritten expressions; and every step of every suite must bind, in each
scope and runner that knows it, to the definition that it bound to, told by its place, with the arguments that it had.
Leaves the workspace as it was.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.binding import TextBinding
from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.refactor.calls import Calls, calls_in
from cukereuse_engine.refactor.definitions import place_of
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.loading import already_defined
from cukereuse_engine.refactor.model import Bindings, FileEdits, Move, Workspace
from cukereuse_engine.refactor.names import Names, place_of_definition
from cukereuse_engine.refactor.reread import misread
from cukereuse_engine.refactor.values import differing_for_another, passed, same_for_function
from cukereuse_engine.text.identity import identity

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_PLANNED = "\0planned"
"""Stands for a feature file that holds the new texts."""


class Problem(StrEnum):
    """What would be wrong; the values name it in statistics."""

    READS = "reads differently"
    """A feature file would hold other steps."""
    SOURCE = "source reads differently"
    UNBOUND = "would not bind"
    OUT_OF_REACH = "out of reach"
    """It is matched, but not under the step's keyword, or in its scope."""
    AMBIGUOUS = "would be ambiguous"
    MOVED = "would move"
    """Another function would serve it."""
    ARGUMENTS = "other arguments"
    GAINED = "would bind"
    """It has no definition now."""
    MERGED = "would read as another step"
    """It has no definition, and neither has another step that reads so already: they may be two."""
    OTHER = "another step changes"
    """A step that is not edited would bind differently."""


@dataclass(frozen=True, slots=True)
class Breakage:
    """One step that would break."""

    step: Step
    """As it is now."""
    problem: Problem
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    breakages: tuple[Breakage, ...]
    """Empty for edits that hold."""
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class _Difference:
    problem: Problem
    reason: str
    moved: tuple[StepDefinition, StepDefinition] | None = None


def with_text(step: Step, text: str) -> Step:
    """The step as it will be; its place is that of the old text."""
    return replace(step, text=text, span=replace(step.span, end=step.span.start + len(text)))


def check(
    workspace: Workspace,
    files: Sequence[FileEdits],
    *,
    calls: Calls | None = None,
    move: bool = False,
    gain: bool = False,
    thorough: bool = True,
) -> Checked:
    """What the edits would break.

    `calls`: those of the workspace, where some were looked for already. `move`: edited steps may be served by another
    function, if it gets the same arguments. `gain`: those without a definition may get one. `thorough`: feature files
    are read whole. Raises `ChangedFileError`, `OSError`.
    """
    texts = {(file.path, edit.start): edit.new for file in files if not file.is_glue for edit in file.edits}
    steps = [
        step
        for file in files
        if not file.is_glue
        for step in workspace.files[file.path].steps
        if place_of(step) in texts
    ]
    breakages = [
        Breakage(step, Problem.READS, f"its file would be parsed differently: {reason}; choose a different beginning")
        for step, reason in misread(workspace, steps, texts, thorough)
    ]
    glue = workspace.glue
    if glue is None or not glue.definitions:
        return Checked(tuple(breakages))
    sources = [file for file in files if file.is_glue]
    planned = [(step, with_text(step, texts[place_of(step)])) for step in steps]
    calls = Calls(workspace) if calls is None else calls
    for file in sources:
        called = _called(workspace, calls, file)
        if called is None:
            reason = f"{file.path} would run different steps; choose another wording"
            return Checked((*breakages, *(Breakage(step, Problem.SOURCE, reason) for step in steps[:1])))
        planned += called
    bound = _Bound(workspace, glue, planned, sources, move=move, gain=gain)
    breakages += bound.breakages()
    return Checked(tuple(breakages or bound.unloaded()), bound.moves())


def _called(workspace: Workspace, calls: Calls, file: FileEdits) -> list[tuple[Step, Step]] | None:
    """The steps that code runs by other words after the edits of a source, as they are and as they will be; None where
    it would run others."""
    before, after = calls.at(file.path), calls_in(file.path, edited_bytes(file, workspace.read(file.path)))
    if len(before) != len(after) and all(edit.new for edit in file.edits):
        return None
    pairs = [(a.step, b.step) for a, b in zip(before, after, strict=False) if a.plain and b.plain]
    return [(a, b) for a, b in pairs if a.text != b.text] if len(before) == len(after) else []


class _Bound:
    """What steps bind to before and after the edits."""

    def __init__(
        self,
        workspace: Workspace,
        glue: Bindings,
        edited: Sequence[tuple[Step, Step]],
        sources: Sequence[FileEdits],
        *,
        move: bool,
        gain: bool,
    ) -> None:
        self._workspace = workspace
        self._glue = glue
        self._definitions = glue.definitions
        """Before the edits."""
        self._functions: Functions | None = None
        self._move = move
        self._gain = gain
        self._steps = steps = [step for step, _ in edited]
        self._strange = ""
        self._moved: dict[tuple[str, str], list[Step]] = {}
        self._by_id: dict[str, StepDefinition] = {}
        self._reach: set[int] = set()
        """Numbers of edited steps that some definition matches afterwards, under whatever keyword."""
        self._clashes: list[tuple[StepDefinition, StepDefinition]] = []
        """Definitions of which one keeps behave from loading the other."""
        names = self._names = Names(glue, sources)
        planned = [step for _, step in edited]
        self._after: list[StepBinding] = []
        self._others: list[tuple[Step, StepBinding]] = []
        with ExitStack() as undo:
            undo.callback(glue.update_feature, _PLANNED, None, defines=False)
            glue.update_feature(_PLANNED, [*steps, *planned], defines=False)
            self._before = [glue.bind(step) for step in steps]
            data = {file.path: workspace.read(file.path) for file in sources}
            contents = {file.path: (data[file.path], edited_bytes(file, data[file.path])) for file in sources}
            edited_sources = {path: after for path, (_, after) in contents.items()}
            touched = names.touched
            if names.may_be_retold([*data.values()]):
                with glue.trying(edited_sources):
                    retold = names.retold_in(glue)
                touched = [*touched, *retold]
            changed = {text for definition in touched for text in glue.texts_of(definition.id)}
            undo.enter_context(glue.trying(edited_sources))
            self._strange = names.after(glue, contents) or self._retold()
            if not self._strange:
                # where a definition only moved in its file, nothing binds differently
                changed |= {text for definition in names.rewritten for text in glue.texts_of(definition.id)}
                self._after = [glue.bind(step) for step in planned]
                self._clashes = [*already_defined(glue, self._after, names.rewritten)]
                for number, (step, binding) in enumerate(zip(planned, self._after, strict=True)):
                    if not all(text.matches for text in binding.texts) and _is_matched(glue, step):
                        self._reach.add(number)
                places = set(map(place_of, steps))
                others = {_alike(step): step for step in workspace.saying(changed) if place_of(step) not in places}
                self._others = [(step, glue.bind(step)) for step in others.values()]
        if self._clashes:
            before = already_defined(glue, self._before, [*names.touched, *names.retold])
            known = {(names.of(one), names.of(other)) for one, other in before}
            self._clashes = [pair for pair in self._clashes if (names.of(pair[0]), names.of(pair[1])) not in known]
        self._others_before = [glue.bind(step) for step, _ in self._others]
        self._merged = {} if move else _merged(workspace, edited)

    def _retold(self) -> str:
        """What is wrong with definitions that say something else because of a name in another source."""
        served = {definition.id for binding in self._before for definition in binding.definitions}
        other = next((definition for definition in self._names.retold if definition.id not in served), None)
        if other is None:
            return ""
        return f"{place_of_definition(other)} would change too: it takes its expression from a source that changes"

    def breakages(self) -> Iterator[Breakage]:
        if self._strange:
            yield from (Breakage(step, Problem.SOURCE, self._strange) for step in self._steps[:1])
            return
        for number, (step, old, new) in enumerate(zip(self._steps, self._before, self._after, strict=True)):
            difference = self._difference(old, new)
            if difference is None and not old.definitions and number in self._merged:
                other = self._merged[number]
                place = f"{other.path}:{other.line}"
                reason = f"{place} already has this text, and no step definition shows that they mean the same"
                difference = _Difference(Problem.MERGED, f"{reason}; choose another wording, or allow it with --move")
            if difference is None:
                continue
            problem = difference.problem
            if problem is Problem.UNBOUND and number in self._reach:
                problem = Problem.OUT_OF_REACH
            yield Breakage(step, problem, difference.reason)
        for (step, new), old in zip(self._others, self._others_before, strict=True):
            if self._everything(old) != self._everything(new):
                reason = f"another step would bind differently: {step.text}; choose words that do not affect it"
                yield Breakage(step, Problem.OTHER, reason)

    def unloaded(self) -> Iterator[Breakage]:
        """What a runner would not load, though each step binds."""
        for one, other in self._clashes[:1]:
            reason = f"behave would not load {_named(other)}: {_named(one)} comes before it and matches its pattern"
            yield from (
                Breakage(step, Problem.AMBIGUOUS, f"{reason}; choose another wording") for step in self._steps[:1]
            )

    def moves(self) -> tuple[Move, ...]:
        """Of `breakages`, once they are read, what was let pass because moves are allowed."""
        moves = [
            Move(self._by_id[before], self._by_id[after], tuple(steps))
            for (before, after), steps in sorted(self._moved.items())
        ]
        return tuple(moves)

    def _difference(self, old: StepBinding, new: StepBinding) -> _Difference | None:
        """Why an edited step would not bind as it did."""
        if new.guessed and not old.guessed:
            return _lost()
        if len(old.texts) != len(new.texts):
            reason = "some of its Examples rows would produce the same step; keep all placeholders"
            return _Difference(Problem.ARGUMENTS, reason)
        if _drops_colon(old) and new.definitions and new.step.text.endswith(":") and not _drops_colon(new):
            reason = "behave drops the colon before a table or DocString, so the step definition would not match it"
            return _Difference(Problem.UNBOUND, f"{reason}; write the target without the colon at its end")
        moved: dict[tuple[str, str], None] = {}
        for old_text, new_text in zip(old.texts, new.texts, strict=True):
            before, after = _runs(old_text), _runs(new_text)
            if not before and after and not self._gain:
                shown = _named(next(iter(after.values()))[0].definition)
                reason = (
                    f"it has no step definition now, but {shown} would match it; choose words that no "
                    f"definition matches"
                )
                return _Difference(Problem.GAINED, reason)
            crowded = next((matches for matches in after.values() if len(matches) > 1), None) if not before else None
            if crowded is not None:
                return _Difference(Problem.AMBIGUOUS, _several([match.definition for match in crowded]))
            for run in before.keys() | after.keys() if before else ():
                difference = self._run_difference(before.get(run, ()), after.get(run, ()))
                if difference is not None and difference.moved is None:
                    return difference
                if difference is not None and difference.moved is not None:
                    moved[tuple(definition.id for definition in difference.moved)] = None  # type: ignore[index]
                    self._by_id |= {definition.id: definition for definition in difference.moved}
        for pair in moved:
            attached = old.step.argument
            if attached is not None and not self._takes(self._by_id[pair[1]], attached):
                told = "table" if attached == "table" else "DocString"
                shown = _named(self._by_id[pair[1]])
                reason = f"no step with a {told} binds to {shown} yet, so its function may not take one"
                return _Difference(Problem.ARGUMENTS, reason)
            self._moved.setdefault(pair, []).append(old.step)
        return None

    def _takes(self, definition: StepDefinition, attached: str) -> bool:
        """Whether a step that binds to a definition now has a table or DocString as well."""
        return any(
            definition.id in {bound.id for bound in self._glue.bind(step).definitions}
            for file in self._workspace.files.values()
            for step in file.steps
            if step.argument == attached and step.text
        )

    def _run_difference(self, before: Sequence[Match], after: Sequence[Match]) -> _Difference | None:
        """The same in one scope of one runner."""
        if not after:
            return _lost()
        names_before = [self._names.of(match.definition) for match in before]
        names_after = [self._names.of(match.definition) for match in after]
        if len(after) > max(len(before), 1):
            others = [
                match.definition for match, name in zip(after, names_after, strict=True) if name not in names_before
            ]
            return _Difference(Problem.AMBIGUOUS, _several(others or [after[0].definition]))
        if not before:
            shown = _named(after[0].definition)
            reason = f"in some suites or runners it has no definition now, but {shown} would match it there"
            return _Difference(Problem.GAINED, reason)
        if len(after) < len(before):
            return _lost()
        for old, new, name_before, name_after in zip(before, after, names_before, names_after, strict=True):
            same = self._names.function(name_before) == self._names.function(name_after)
            if not same and not self._move and not self._same_code(old.definition, new.definition):
                return _Difference(Problem.MOVED, _moving(old.definition, new.definition))
            if same and not same_for_function(old, new, self._names.orders.get(name_before)):
                reason = (
                    "its step definition would receive different arguments; keep all of them, separated by "
                    "words or quotes"
                )
                return _Difference(Problem.ARGUMENTS, reason)
            differing = "" if same else differing_for_another(old, new, self._read)
            if differing:
                shown = _named(new.definition)
                reason = f"{shown} {differing}; move it to a function that takes the same arguments"
                return _Difference(Problem.ARGUMENTS, reason)
            if not same:
                return _Difference(Problem.MOVED, "", (old.definition, new.definition))
        return None

    def _same_code(self, before: StepDefinition, after: StepDefinition) -> bool:
        """Whether two functions do the same to the same things: then it does not matter which serves a step."""
        if after not in self._definitions or before.language != after.language:
            return False
        from cukereuse_engine.functions.relations import Functions, Relation

        if self._functions is None:
            self._functions = Functions(read=self._read)
            paths = {definition.path for bound in (*self._before, *self._after) for definition in bound.definitions}
            self._functions.load([definition for definition in self._definitions if definition.path in paths])
        related = self._functions.relation(before, after)
        return related.relation is Relation.SAME and not related.loosely

    def _read(self, path: str) -> bytes | None:
        try:
            return self._workspace.read(path)
        except OSError:
            return None

    def _everything(self, binding: StepBinding) -> tuple[object, ...]:
        """What a step binds to in each scope, by names of definitions that hold before and after, with what they
        take."""
        return tuple(
            tuple((self._names.of(match.definition), passed(match)) for match in matches)
            for text in binding.texts
            for matches in (text.matches, *text.scopes)
        )


def _drops_colon(binding: StepBinding) -> bool:
    """Whether a step binds only because behave drops a colon at its end."""
    if binding.step.argument is None or not binding.step.text.endswith(":"):
        return False
    matchers = [
        (compile_definition(match.definition, {}).matcher, text) for text in binding.texts for match in text.matches
    ]
    return any(matcher is not None and matcher.match(text.text) is None for matcher, text in matchers)


def _merged(workspace: Workspace, edited: Sequence[tuple[Step, Step]]) -> dict[int, Step]:
    """By number of an edited step another one, not edited, that reads already as it will."""
    places = {place_of(step) for step, _ in edited}
    same_text: dict[str, Step | None] = {}
    for _, new in edited:
        if new.text not in same_text:
            steps = workspace.steps.get(identity(new.text), ()) if new.text.strip() else ()
            same_text[new.text] = next((step for step in steps if place_of(step) not in places), None)
    return {number: other for number, (_, new) in enumerate(edited) if (other := same_text[new.text]) is not None}


def _lost() -> _Difference:
    return _Difference(
        Problem.UNBOUND,
        "no step definition would match it; choose other words beside its arguments, or rename it separately",
    )


def _several(definitions: Sequence[StepDefinition]) -> str:
    shown = " and ".join(map(_named, definitions[:2]))
    return f"several step definitions would match it, {shown} among them; choose words that no definition matches yet"


def _moving(before: StepDefinition, after: StepDefinition) -> str:
    return (
        f"another function would run: {_named(after)} instead of {_named(before)}; "
        "choose words that it does not match, or allow it with --move"
    )


def _named(definition: StepDefinition) -> str:
    name = f"{definition.function_name} " if definition.function_name else ""
    return f"{name}({definition.path}:{definition.line})"


def _is_matched(glue: Bindings, step: Step) -> bool:
    anyhow = replace(step, resolved_type=KeywordType.UNKNOWN)
    return all(text.matches for text in glue.matches_anywhere(anyhow))


def _runs(text: TextBinding) -> dict[tuple[int, str], tuple[Match, ...]]:
    """What matches a text in each scope of each runner."""
    matches_of: dict[tuple[int, str], tuple[Match, ...]] = {}
    for number, matches in enumerate(text.scopes or (text.matches,)):
        for match in matches:
            key = number, match.definition.framework
            matches_of[key] = (*matches_of.get(key, ()), match)
    return matches_of


def _alike(step: Step) -> tuple[object, ...]:
    """Equal for steps that bind to the same: one of them is enough. Scopes look at paths and tags."""
    scope = step.path, step.tags, step.feature, step.rule, step.scenario, step.is_background
    return (
        step.text,
        step.resolved_type,
        step.carried_type,
        step.run_type,
        scope,
        step.argument,
        step.examples if "<" in step.text else (),
    )
