"""A rename while it is planned: the steps' new texts, the sources' edits, and what becomes of the definitions.

It does not decide which steps or definitions change, and writes nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.exported import FRAMEWORK as VANESSA
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.calls import SuiteCalls
from cukereuse_engine.refactor.cast import Cast, ExpectedStep
from cukereuse_engine.refactor.check import with_text
from cukereuse_engine.refactor.definitions import Definitions, families
from cukereuse_engine.refactor.edits import (
    ChangedFileError,
    byte_edit,
    sorted_edits,
    span_edit,
    step_edit,
    whole_source,
)
from cukereuse_engine.refactor.expressions.literal_place import CONSTANT, literal_place
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import Word
from cukereuse_engine.refactor.members import member_of
from cukereuse_engine.refactor.mentions import CodeUses
from cukereuse_engine.refactor.removal import UnremovableError, removal_edits
from cukereuse_engine.refactor.rename_plan import DefinitionChange, FileEdits, Outcome, ReadSuites, TextEdit
from cukereuse_engine.refactor.step_call import StepCall
from cukereuse_engine.refactor.target import UnrenderableError
from cukereuse_engine.refactor.writing import writing_of

if TYPE_CHECKING:
    from cukereuse_engine.refactor.constants import Constants, ExpressionConstant


@dataclass(slots=True)
class Draft:
    """One attempt at a rename: the steps' new texts and the sources' edits."""

    suites: ReadSuites
    cast: Cast
    steps: list[ExpectedStep]
    home: dict[str, StepDefinition] = field(default_factory=dict)
    """By id, the definitions that the steps are meant to bind to afterwards."""
    new_expressions: dict[str, str] = field(default_factory=dict)
    """By id, the new expressions of definitions of `home`."""
    sources: dict[str, FileEdits] = field(default_factory=dict)
    changes: list[DefinitionChange] = field(default_factory=list)
    followed: dict[tuple[str, int], str] = field(default_factory=dict)
    """New texts of calls from code, by path and offset."""
    notes: list[str] = field(default_factory=list)
    """Messages for the person who renames."""
    constants: "dict[tuple[str, str], Constants]" = field(default_factory=dict)
    """Constants by name and language, as they are before the edits."""

    @property
    def files(self) -> tuple[FileEdits, ...]:
        """All edits that change something, by path."""
        by_file: dict[str, list[TextEdit]] = {}
        for step in self.steps:
            if step.text != step.member.step.text:
                by_file.setdefault(step.member.step.path, []).append(step_edit(step.member.step, step.text))
        features = [
            FileEdits(path, file.content_hash, sorted_edits(edits), False, file.encoding)
            for path, edits in by_file.items()
            for file in (self.suites.files[path],)
        ]
        sources = [file for file in self.sources.values() if any(edit.old != edit.new for edit in file.edits)]
        return tuple(sorted([*features, *sources], key=lambda file: file.path))

    def rewrite(self, definition: StepDefinition, expression: str, others: Collection[StepDefinition]) -> None:
        """Give a definition `expression`; `others`: all definitions that are rewritten likewise. Raises
        `UnwritableError`, and `ChangedFileError` if the source has changed since it was read."""
        if definition.framework == VANESSA:
            raise UnwritableError("it is the title of an exported scenario; change that by hand, with the steps")
        source = self.source(definition.path)
        span = definition.literal
        there = byte_edit(source, span.start_byte, span.end_byte, "")
        if there.old != definition.source_literal:
            raise ChangedFileError(f"{definition.path} has changed since it was read", "Plan again.")
        mark = source.startswith("\ufeff")
        bare = source.removeprefix("\ufeff")
        # without a byte order mark the offsets are the same, and `bare` is no copy
        place = literal_place(definition, source if mark else bare, lambda: self._constant(definition, others))
        if place.path != definition.path:
            source = self.source(place.path)
            mark, bare = source.startswith("\ufeff"), source.removeprefix("\ufeff")
        edit = span_edit(bare, place.start - mark, place.end - mark, place.write(expression))
        edited = self.sources.get(place.path)
        if edited is None or edit not in edited.edits:  # one constant may give the expressions of several
            self.add(place.path, edit)

    def _constant(self, definition: StepDefinition, others: Collection[StepDefinition]) -> "ExpressionConstant":
        """The constant with the expression of a definition, if nothing but `others` names it. Raises
        `UnwritableError`."""
        from cukereuse_engine.refactor.constants import Constants, UnknownConstantError

        name = definition.source_literal
        match = CONSTANT.fullmatch(name)
        assert match is not None
        key = match["name"], definition.language
        if key not in self.constants:
            self.constants[key] = Constants(*key, self.suites.code_paths, self.suites.read)
        constants = self.constants[key]
        try:
            constant = constants.only()
        except UnknownConstantError as error:
            raise UnwritableError(f"its expression is {name}, {error}") from None
        users = constants.users(constant, others)
        if users:
            more = (
                f" and {len(users) - 3:,} more places use" if len(users) > 3 else " uses" if len(users) < 2 else " use"
            )
            shown = ", ".join(users[:3])
            raise UnwritableError(f"its expression is {name}, which {shown}{more} too; write it as one string")
        return constant

    def add(self, path: str, edit: TextEdit) -> None:
        """Add an edit of a source with step definitions."""
        earlier = self.sources.get(path)
        edits = (*earlier.edits, edit) if earlier is not None else (edit,)
        version = earlier.version if earlier is not None else content_hash(self.suites.read(path))
        self.sources[path] = FileEdits(path, version, sorted_edits(edits), True, "utf-8")

    def source(self, path: str) -> str:
        """A source with its byte order mark, so that byte offsets hold. Raises `ChangedFileError` if not UTF-8."""
        return whole_source(self.suites.read(path), path)


def follow(draft: Draft, calls: SuiteCalls, words: Sequence[Word]) -> None:
    """Change the texts of plain calls in code, too; note the places of other calls."""
    served = calls.of([*draft.home.values()])
    left = [call.place for call in served if not _is_followed(draft, call, words)]
    if draft.followed:
        several = len(draft.followed) > 1
        calls_ = f"{len(draft.followed):,} calls" if several else "one call"
        draft.notes.append(f"{calls_} from code {'are' if several else 'is'} renamed too")
    if left:
        draft.notes.append(f"code runs these steps by their old text; change it by hand: {_shown(left)}")
    texts = {step.member.step.text for step in draft.steps if step.text != step.member.step.text}
    perhaps = [call.place for call in calls.perhaps([*draft.home.values()], texts) if call not in served]
    if perhaps:
        draft.notes.append(f"code builds texts that could be these steps; check {_shown(perhaps)}")


def _is_followed(draft: Draft, call: StepCall, words: Sequence[Word]) -> bool:
    """Change a call's text; false if that can't be done."""
    text = _followed(draft, call, words) if call.plain else None
    written = call.written(text) if text is not None else None
    if text is None or written is None:
        return False
    if text != call.step.text:
        draft.followed[call.step.path, call.step.span.start] = text
        source = draft.source(call.step.path).removeprefix("\ufeff")
        draft.add(call.step.path, span_edit(source, call.step.span.start, call.step.span.end, written))
    return True


def _shown(places: Sequence[str]) -> str:
    each = list(dict.fromkeys(places))
    return ", ".join(each[:5]) + (f" and {len(each) - 5:,} more" if len(each) > 5 else "")


def _followed(draft: Draft, call: StepCall, words: Sequence[Word]) -> str | None:
    """The new text of a call; None if it is unknown."""

    def bind(step: Step) -> StepBinding:
        compiled = (compile_definition(definition, {}).matcher for definition in draft.home.values())
        matches = [match for matcher in compiled if matcher is not None and (match := matcher.match(step.text))]
        return StepBinding(step, (TextBinding(step.text, tuple(matches), tuple((match,) for match in matches)),))

    try:
        return member_of(call.step, bind).kept(words)[0]
    except (UnmappableError, UnrenderableError):
        return None


def settle(draft: Draft, definitions: Definitions, calls: SuiteCalls, *, remove_unused: bool) -> None:
    """Record what becomes of each definition and, with `remove_unused`, remove those that lose their last use."""
    steps = [step for step in draft.steps if _takes_part(step, draft)]
    affected = {definition.id: definition for step in steps for definition in step.member.definitions}
    for definition in [*affected.values()]:
        affected |= {other.id: other for other in definitions.with_keywords(definition)}
    for family in families([*{**affected, **draft.home}.values()]):
        change = _change(draft, steps, definitions, family)
        if change.outcome is Outcome.UNUSED and remove_unused:
            note = _remove(draft, definitions, calls, family)
            change = replace(change, outcome=Outcome.UNUSED if note else Outcome.REMOVED, note=note)
        draft.changes.append(change)


def _change(
    draft: Draft, steps: Sequence[ExpectedStep], definitions: Definitions, family: Sequence[StepDefinition]
) -> DefinitionChange:
    """What becomes of definitions with the same expression when these steps are renamed."""
    ids = {definition.id for definition in family}
    before = len(definitions.users_of(family))
    after = before - sum(any(definition.id in ids for definition in step.member.definitions) for step in steps)
    if ids & draft.home.keys():
        after += _coming(draft, steps, definitions, ids)
        outcome = Outcome.REWRITTEN if draft.new_expressions else Outcome.TARGET
    else:
        outcome = Outcome.KEPT if after else Outcome.UNUSED
    new = draft.new_expressions.get(family[0].id, "")
    return DefinitionChange(family[0], outcome, before, after, new, also=tuple(family[1:]))


def _takes_part(step: ExpectedStep, draft: Draft) -> bool:
    """False for a step that says the target already, by a definition that stays as it is."""
    at_home = any(definition.id in draft.home for definition in step.member.definitions)
    return at_home or step.text != step.member.step.text


def _coming(draft: Draft, steps: Sequence[ExpectedStep], definitions: Definitions, ids: set[str]) -> int:
    """The number of these steps that a family of the draft's home serves afterwards."""
    if draft.home.keys() <= ids:
        return len(steps)
    if draft.new_expressions:
        return sum(any(definition.id in ids for definition in step.member.definitions) for step in steps)
    assert definitions.glue is not None
    bindings = (definitions.glue.bind(with_text(step.member.step, step.text)) for step in steps)
    return sum(any(definition.id in ids for definition in binding.definitions) for binding in bindings)


def _remove(draft: Draft, definitions: Definitions, calls: SuiteCalls, family: Sequence[StepDefinition]) -> str:
    """Add the edits that remove definitions with the same expression; returns the reason if the user has to do it."""
    assert definitions.glue is not None
    group = {definition.id for definition in family}
    planned: dict[str, list[TextEdit]] = {}
    apart = _on_functions(family)
    if use := CodeUses(draft.suites, calls).of(apart):
        return use
    for definition in apart:
        others = [other for other in definitions.glue.definitions if other.id not in group or other.id == definition.id]
        try:
            removed = removal_edits(definition, draft.source(definition.path), others, draft.suites.read)
        except UnremovableError as error:
            return str(error)
        there = planned.setdefault(definition.path, [])
        earlier = draft.sources.get(definition.path)
        if _overlap(removed, [*there, *(earlier.edits if earlier is not None else ())]):
            return "it contains another change"
        there += removed
    for path, edits in planned.items():
        for edit in edits:
            draft.add(path, edit)
    return ""


def _on_functions(family: Sequence[StepDefinition]) -> list[StepDefinition]:
    """One definition of each function; all of them if they are registered apart from it."""
    group = {definition.id: definition for definition in family}
    apart = {
        definition.id if writing_of(definition.language).registered else definition.function_id: definition
        for definition in reversed(group.values())
    }
    return [*apart.values()]


def _overlap(edits: Sequence[TextEdit], others: Sequence[TextEdit]) -> bool:
    return any(other.start < edit.end and edit.start < other.end for other in others for edit in edits)
