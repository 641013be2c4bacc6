"""How an edited step would bind differently: in some scope or runner to another function, with other arguments, to none
or to too many. Compares bindings from before and after; binds again only to learn what a definition takes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.refactor.definition_names import DefinitionNames
from cukereuse_engine.refactor.loading import Loading
from cukereuse_engine.refactor.passed_values import differing_for_another, passed, same_for_function
from cukereuse_engine.refactor.rename_plan import Bindings, Move, ReadSuites

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions


class BindingProblem(StrEnum):
    """What would be wrong; statistics use the values as names."""

    READS = "reads differently"
    """A feature file would contain other steps."""
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
    """Neither it nor another step that already has its new text has a definition: they may mean different things."""
    OTHER = "another step changes"
    """A step that is not edited would bind differently."""


@dataclass(frozen=True, slots=True)
class StepDifference:
    problem: BindingProblem
    reason: str
    moved: tuple[StepDefinition, StepDefinition] | None = None


class Differences:
    def __init__(
        self,
        suites: ReadSuites,
        glue: Bindings,
        names: DefinitionNames,
        definitions: Sequence[StepDefinition],
        bindings: Iterable[StepBinding],
        *,
        move: bool,
        gain: bool,
    ) -> None:
        """`definitions`: those before the edits. `bindings`: all that are compared. `move` and `gain`: as for
        `check`."""
        self._suites, self._glue, self._names = suites, glue, names
        self._definitions, self._bindings = definitions, bindings
        self._move, self._gain = move, gain
        self._functions: Functions | None = None
        self._loading = Loading(suites, glue)
        self._moved: dict[tuple[str, str], list[Step]] = {}
        self._by_id: dict[str, StepDefinition] = {}
        self._taking: dict[tuple[str, str], bool] = {}
        """Results of `_takes`, by the id of a definition and the kind of argument."""

    def of(self, old: StepBinding, new: StepBinding) -> StepDifference | None:
        """Why an edited step would not bind as before; None if it does."""
        difference = _step_difference(old, new)
        if difference is not None:
            return difference
        moved: dict[tuple[str, str], None] = {}
        for old_text, new_text in zip(old.texts, new.texts, strict=True):
            before, after = _runs(old_text), _runs(new_text)
            if not before:
                difference = self._gain_difference(after, old.step)
                if difference is not None:
                    return difference
            for run in before.keys() | after.keys() if before else ():
                difference = self._run_difference(before.get(run, ()), after.get(run, ()))
                if difference is not None and difference.moved is None:
                    return difference
                if difference is not None and difference.moved is not None:
                    left, arrived = difference.moved
                    moved[left.id, arrived.id] = None
                    self._by_id |= {left.id: left, arrived.id: arrived}
        for pair in moved:
            difference = self._move_difference(*pair, old.step)
            if difference is not None:
                return difference
            self._moved.setdefault(pair, []).append(old.step)
        return None

    def _gain_difference(self, after: Mapping[tuple[int, str], Sequence[Match]], step: Step) -> StepDifference | None:
        """For a text that has no definition now and would bind to `after`."""
        if not after:
            return None
        gained = next(iter(after.values()))[0].definition
        if not self._gain:
            reason = (
                f"it has no step definition now, but {named(gained)} would match it; choose words that no "
                "definition matches, or allow it with --move"
            )
            return StepDifference(BindingProblem.GAINED, reason)
        untaken = self._untaken(self._names.before(gained), step)
        if untaken is not None:
            return untaken
        crowded = next((matches for matches in after.values() if len(matches) > 1), None)
        if crowded is not None:
            return StepDifference(BindingProblem.AMBIGUOUS, _several([match.definition for match in crowded]))
        return None

    def _move_difference(self, before: str, after: str, step: Step) -> StepDifference | None:
        """For a step that moves from one definition to another; `before` and `after` are their ids."""
        loads = self._loading.loads
        if loads(self._by_id[before], step) and not loads(self._by_id[after], step):
            reason = f"{named(self._by_id[after])} is in a folder that the runner does not load for its feature"
            return StepDifference(BindingProblem.OUT_OF_REACH, reason)
        return self._untaken(self._by_id[after], step)

    def _untaken(self, definition: StepDefinition, step: Step) -> StepDifference | None:
        attached = step.argument
        if attached is None or self._takes(definition, attached):
            return None
        noun = "table" if attached == "table" else "DocString"
        reason = f"no step with a {noun} binds to {named(definition)} yet, so its function may not take one"
        return StepDifference(BindingProblem.ARGUMENTS, reason)

    def _takes(self, definition: StepDefinition, attached: str) -> bool:
        """True if another step with a table or DocString binds to a definition now."""
        key = definition.id, attached
        if key not in self._taking:
            self._taking[key] = any(
                definition.id in {bound.id for bound in self._glue.bind(step).definitions}
                for file in self._suites.files.values()
                for step in file.steps
                if step.argument == attached and step.text
            )
        return self._taking[key]

    def _run_difference(self, before: Sequence[Match], after: Sequence[Match]) -> StepDifference | None:
        """The difference in one scope of one runner."""
        if not after:
            return _lost()
        names_before = [self._names.of(match.definition) for match in before]
        names_after = [self._names.of(match.definition) for match in after]
        if len(after) > max(len(before), 1):
            others = [
                match.definition for match, name in zip(after, names_after, strict=True) if name not in names_before
            ]
            return StepDifference(BindingProblem.AMBIGUOUS, _several(others or [after[0].definition]))
        if not before:
            shown = named(after[0].definition)
            reason = f"in some suites or runners it has no definition now, but {shown} would match it there"
            return StepDifference(BindingProblem.GAINED, reason)
        if len(after) < len(before):
            return _lost()
        differences = map(self._match_difference, before, after, names_before, names_after)
        return next((difference for difference in differences if difference is not None), None)

    def _match_difference(self, old: Match, new: Match, name_before: str, name_after: str) -> StepDifference | None:
        """The difference between two matches, of one definition or of two."""
        if self._names.function(name_before) == self._names.function(name_after):
            if same_for_function(old, new, self._names.orders.get(name_before)):
                return None
            reason = (
                "its step definition would receive different arguments; keep all of them, separated by words or quotes"
            )
            if Counter(map(str, passed(old))) == Counter(map(str, passed(new))):
                reason = "its step definition would receive its arguments in another order; change other words too"
            return StepDifference(BindingProblem.ARGUMENTS, reason)
        there = self._names.before(new.definition)
        if not self._move and not self._same_code(old.definition, new.definition):
            return StepDifference(BindingProblem.MOVED, _moving(old.definition, there))
        differing = differing_for_another(old, new, self._read)
        if differing:
            reason = f"{named(there)} {differing}; move it to a function that takes the same arguments"
            return StepDifference(BindingProblem.ARGUMENTS, reason)
        return StepDifference(BindingProblem.MOVED, "", (old.definition, there))

    def _same_code(self, before: StepDefinition, after: StepDefinition) -> bool:
        """True if two functions do the same to the same things, so that either may serve a step."""
        if after not in self._definitions or before.language != after.language:
            return False
        from cukereuse_engine.functions.relations import Functions, Relation

        if self._functions is None:
            self._functions = Functions(read=self._read)
            paths = {definition.path for bound in self._bindings for definition in bound.definitions}
            self._functions.load([definition for definition in self._definitions if definition.path in paths])
        related = self._functions.relation(before, after)
        return related.relation is Relation.SAME and not related.loosely

    def _read(self, path: str) -> bytes | None:
        try:
            return self._suites.read(path)
        except OSError:
            return None

    def moves(self) -> tuple[Move, ...]:
        """The moves of the compared steps that were accepted because moves are allowed."""
        moves = [
            Move(self._by_id[before], self._by_id[after], tuple(steps))
            for (before, after), steps in sorted(self._moved.items())
        ]
        return tuple(moves)


def _step_difference(old: StepBinding, new: StepBinding) -> StepDifference | None:
    """What would be wrong with a whole step, independent of the definition that serves it."""
    if new.guessed and not old.guessed:
        return _lost()
    if len(old.texts) != len(new.texts) or _drops_column(old.step, new.step):
        reason = "some of its Examples rows would produce the same step; keep all placeholders"
        return StepDifference(BindingProblem.ARGUMENTS, reason)
    if _drops_colon(old) and new.definitions and new.step.text.endswith(":") and not _drops_colon(new):
        reason = "behave drops the colon before a table or DocString, so the step definition would not match it"
        return StepDifference(BindingProblem.UNBOUND, f"{reason}; write the target without the colon at its end")
    return None


def _drops_column(old: Step, new: Step) -> bool:
    """True if only the old text contains a placeholder for which rows have different values, as if a definition itself
    contains the placeholder."""
    return any(
        f"<{name}>" in old.text
        and f"<{name}>" not in new.text
        and len({row[place] for row in table.rows if place < len(row)}) > 1
        for table in old.examples
        for place, name in enumerate(table.header)
    )


def _drops_colon(binding: StepBinding) -> bool:
    """True if a step only binds because behave drops the colon at its end."""
    if binding.step.argument is None or not binding.step.text.endswith(":"):
        return False
    matchers = [
        (compile_definition(match.definition, {}).matcher, text) for text in binding.texts for match in text.matches
    ]
    return any(matcher is not None and matcher.match(text.text) is None for matcher, text in matchers)


def _runs(text: TextBinding) -> dict[tuple[int, str], tuple[Match, ...]]:
    """The matches of a text in each scope of each runner."""
    matches_of: dict[tuple[int, str], tuple[Match, ...]] = {}
    for number, matches in enumerate(text.scopes or (text.matches,)):
        for match in matches:
            key = number, match.definition.framework
            matches_of[key] = (*matches_of.get(key, ()), match)
    return matches_of


def _lost() -> StepDifference:
    return StepDifference(
        BindingProblem.UNBOUND,
        "no step definition would match it; choose other words beside its arguments, or rename it separately",
    )


def _several(definitions: Sequence[StepDefinition]) -> str:
    shown = " and ".join(map(named, definitions[:2]))
    return f"several step definitions would match it, {shown} among them; choose words that no definition matches yet"


def _moving(before: StepDefinition, after: StepDefinition) -> str:
    return (
        f"another function would run: {named(after)} instead of {named(before)}; "
        "choose words that it does not match, or allow it with --move"
    )


def named(definition: StepDefinition) -> str:
    name, place = definition.function_name, definition.place
    return f"{name} ({place})" if name else f"the function at {place}"
