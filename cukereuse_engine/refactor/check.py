"""Checks that everything still binds: applies edits in memory, then reads and binds again with the usual readers.

Knows only the suites and the edits, not their purpose. Feature files must read the same except for the new texts;
sources must define the same except for the rewritten expressions; and every step of every suite must bind, in each
scope and runner that knows it, to the same definition with the same arguments. Leaves the suites as they were."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass

from msgspec.structs import replace

from cukereuse_engine.functions.breakage import breaks
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.refactor.calls import SuiteCalls, calls_in
from cukereuse_engine.refactor.definition_names import DefinitionNames, place_of_definition
from cukereuse_engine.refactor.definitions import place_of
from cukereuse_engine.refactor.differences import BindingProblem, Differences, StepDifference, named
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.loading import already_defined
from cukereuse_engine.refactor.passed_values import passed
from cukereuse_engine.refactor.rename_plan import Bindings, FileEdits, Move, ReadSuites
from cukereuse_engine.refactor.reread import misread
from cukereuse_engine.text.identity import identity

_PLANNED = "\0planned"
"""Path of a feature file in memory that contains the new texts."""


@dataclass(frozen=True, slots=True)
class Breakage:
    """A step that would break."""

    step: Step
    """The step as it is now."""
    problem: BindingProblem
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    breakages: tuple[Breakage, ...]
    """The breakages; empty if the edits are safe."""
    moves: tuple[Move, ...] = ()


def with_text(step: Step, text: str) -> Step:
    """The step with its new text, at the place of the old one."""
    return replace(step, text=text, span=replace(step.span, end=step.span.start + len(text)))


def check(
    suites: ReadSuites,
    files: Sequence[FileEdits],
    *,
    calls: SuiteCalls | None = None,
    move: bool = False,
    gain: bool = False,
    thorough: bool = True,
) -> Checked:
    """What the edits would break.

    `calls`: the suites' calls, if some were searched already. `move`: edited steps may bind to another function, if it
    gets the same arguments. `gain`: steps without a definition may get one. `thorough`: feature files are read whole.
    Raises `ChangedFileError`, `OSError`.
    """
    edited = _edited_steps(suites, [file for file in files if not file.is_glue])
    texts = {place_of(step): planned.text for step, planned in edited}
    steps = [step for step, _ in edited]
    breakages = [
        Breakage(
            step, BindingProblem.READS, f"its file would be parsed differently: {reason}; choose a different beginning"
        )
        for step, reason in misread(suites, steps, texts, thorough)
    ]
    glue = suites.glue
    if glue is None or not glue.definitions:
        return Checked(tuple(breakages))
    sources = [file for file in files if file.is_glue]
    calls = SuiteCalls(suites) if calls is None else calls
    for file in sources:
        called = _called(suites, calls, file)
        if isinstance(called, str):
            breakages += [Breakage(step, BindingProblem.SOURCE, f"{file.path} {called}") for step in steps[:1]]
            return Checked(tuple(breakages))
        edited += called
    bound = _Bound(suites, glue, edited, sources, move=move, gain=gain)
    breakages += bound.breakages()
    return Checked(tuple(breakages or bound.unloaded()), bound.moves())


def _edited_steps(suites: ReadSuites, features: Sequence[FileEdits]) -> list[tuple[Step, Step]]:
    """The steps that edits change: as they are, and as they are planned."""
    texts = {(file.path, edit.start): edit.new for file in features for edit in file.edits}
    steps = (step for file in features for step in suites.files[file.path].steps)
    return [(step, with_text(step, texts[place_of(step)])) for step in steps if place_of(step) in texts]


def _called(suites: ReadSuites, calls: SuiteCalls, file: FileEdits) -> list[tuple[Step, Step]] | str:
    """The steps that code runs with other words after the edits of a source, before and after; or what would be wrong
    with the source."""
    now = suites.read(file.path)
    edited = edited_bytes(file, now)
    if breaks(file.path, now, edited):
        return "would no longer parse"
    before, after = calls.at(file.path), calls_in(file.path, edited)
    if len(before) != len(after) and all(edit.new for edit in file.edits):
        return "would run different steps; choose another wording"
    pairs = [(a.step, b.step) for a, b in zip(before, after, strict=False) if a.plain and b.plain]
    return [(a, b) for a, b in pairs if a.text != b.text] if len(before) == len(after) else []


class _Bound:
    """The bindings of steps before and after the edits."""

    def __init__(
        self,
        suites: ReadSuites,
        glue: Bindings,
        edited: Sequence[tuple[Step, Step]],
        sources: Sequence[FileEdits],
        *,
        move: bool,
        gain: bool,
    ) -> None:
        self._suites = suites
        self._glue = glue
        definitions = glue.definitions
        self._steps = steps = [step for step, _ in edited]
        self._strange = ""
        self._reach: set[int] = set()
        """Numbers of edited steps that some definition matches afterwards, under any keyword."""
        self._clashes: list[tuple[StepDefinition, StepDefinition]] = []
        """Pairs of definitions; the first keeps behave from loading the second."""
        self._names = DefinitionNames(glue, sources)
        planned = [step for _, step in edited]
        self._after: list[StepBinding] = []
        self._others: list[tuple[Step, StepBinding]] = []
        with ExitStack() as undo:
            undo.callback(glue.update_feature, _PLANNED, None, defines=False)
            glue.update_feature(_PLANNED, [*steps, *planned], defines=False)
            self._before = [glue.bind(step) for step in steps]
            self._try(undo, sources, planned)
        if self._clashes:
            self._clashes = self._new_clashes()
        self._others_before = [glue.bind(step) for step, _ in self._others]
        self._merged = {} if move else _merged(suites, edited)
        self._differences = Differences(
            suites, glue, self._names, definitions, [*self._before, *self._after], move=move, gain=gain
        )

    def _try(self, undo: ExitStack, sources: Sequence[FileEdits], planned: Sequence[Step]) -> None:
        """Bind with the edited sources, until `undo`."""
        glue, names = self._glue, self._names
        data = {file.path: self._suites.read(file.path) for file in sources}
        edited = {file.path: edited_bytes(file, data[file.path]) for file in sources}
        touched = [*names.touched, *self._retold_by(edited, data)]
        changed = {text for definition in touched for text in glue.texts_of(definition.id)}
        undo.enter_context(glue.trying(edited))
        self._strange = names.after(glue, {path: (data[path], edited[path]) for path in edited}) or self._retold()
        if not self._strange:
            # where a definition only moved in its file, nothing binds differently
            changed |= {text for definition in names.rewritten for text in glue.texts_of(definition.id)}
            self._bind_after(planned, changed)

    def _retold_by(self, edited: Mapping[str, bytes], before: Mapping[str, bytes]) -> Sequence[StepDefinition]:
        """Definitions that say something else because a name in an edited source changes."""
        if not self._names.may_be_retold([*before.values()]):
            return ()
        with self._glue.trying(edited):
            return self._names.retold_in(self._glue)

    def _bind_after(self, planned: Sequence[Step], changed: Set[str]) -> None:
        """Bind the edited steps, and other steps with one of the `changed` texts, while the edits apply."""
        glue = self._glue
        self._after = [glue.bind(step) for step in planned]
        self._clashes = [*already_defined(glue, self._after, self._names.rewritten)]
        for number, (step, binding) in enumerate(zip(planned, self._after, strict=True)):
            if not all(text.matches for text in binding.texts) and _is_matched(glue, step):
                self._reach.add(number)
        places = set(map(place_of, self._steps))
        others = {_alike(step): step for step in self._suites.saying(changed) if place_of(step) not in places}
        self._others = [(step, glue.bind(step)) for step in others.values()]

    def _new_clashes(self) -> list[tuple[StepDefinition, StepDefinition]]:
        """Clashes that did not exist before the edits."""
        names = self._names
        before = already_defined(self._glue, self._before, [*names.touched, *names.retold])
        clashes_before = {(names.of(first), names.of(second)) for first, second in before}
        return [pair for pair in self._clashes if (names.of(pair[0]), names.of(pair[1])) not in clashes_before]

    def _retold(self) -> str:
        """What is wrong if a name in another source changes a definition that no edited step binds to; otherwise ""."""
        served = {definition.id for binding in self._before for definition in binding.definitions}
        other = next((definition for definition in self._names.retold if definition.id not in served), None)
        if other is None:
            return ""
        return f"{place_of_definition(other)} would change too: it takes its expression from a source that changes"

    def breakages(self) -> Iterator[Breakage]:
        if self._strange:
            yield from (Breakage(step, BindingProblem.SOURCE, self._strange) for step in self._steps[:1])
            return
        for number, (step, old, new) in enumerate(zip(self._steps, self._before, self._after, strict=True)):
            difference = self._differences.of(old, new)
            if difference is None and not old.definitions and number in self._merged:
                other = self._merged[number]
                place = f"{other.path}:{other.line}"
                reason = f"{place} already has this text, and no step definition shows that they mean the same"
                difference = StepDifference(
                    BindingProblem.MERGED, f"{reason}; choose another wording, or allow it with --move"
                )
            if difference is None:
                continue
            problem = difference.problem
            if problem is BindingProblem.UNBOUND and number in self._reach:
                problem = BindingProblem.OUT_OF_REACH
            yield Breakage(step, problem, difference.reason)
        for (step, new), old in zip(self._others, self._others_before, strict=True):
            if self._everything(old) != self._everything(new):
                reason = f"another step would bind differently: {step.text}; choose words that do not affect it"
                yield Breakage(step, BindingProblem.OTHER, reason)

    def unloaded(self) -> Iterator[Breakage]:
        """Breakages if a runner would not load a definition although each step binds."""
        for first, second in self._clashes[:1]:
            reason = f"behave would not load {named(second)}: {named(first)} comes before it and matches its pattern"
            yield from (
                Breakage(step, BindingProblem.AMBIGUOUS, f"{reason}; choose another wording")
                for step in self._steps[:1]
            )

    def moves(self) -> tuple[Move, ...]:
        """What was accepted because moves are allowed; complete once `breakages` was consumed."""
        return self._differences.moves()

    def _everything(self, binding: StepBinding) -> tuple[object, ...]:
        """What a step binds to in each scope: names of definitions, which are the same before and after, with the
        arguments."""
        return tuple(
            tuple((self._names.of(match.definition), passed(match)) for match in matches)
            for text in binding.texts
            for matches in (text.matches, *text.scopes)
        )


def _merged(suites: ReadSuites, edited: Sequence[tuple[Step, Step]]) -> dict[int, Step]:
    """Index of an edited step to an unedited step that already has its new text."""
    places = {place_of(step) for step, _ in edited}
    same_text: dict[str, Step | None] = {}
    for _, new in edited:
        if new.text not in same_text:
            steps = suites.steps.get(identity(new.text), ()) if new.text.strip() else ()
            same_text[new.text] = next((step for step in steps if place_of(step) not in places), None)
    return {number: other for number, (_, new) in enumerate(edited) if (other := same_text[new.text]) is not None}


def _is_matched(glue: Bindings, step: Step) -> bool:
    anyhow = replace(step, resolved_type=KeywordType.UNKNOWN)
    return all(text.matches for text in glue.matches_anywhere(anyhow))


def _alike(step: Step) -> tuple[object, ...]:
    """A key that is equal for steps that bind alike: one of them is enough. Scopes depend on paths and tags."""
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
