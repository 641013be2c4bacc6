"""A rename that is being planned: what the steps would say, what the sources would hold, what becomes of definitions.

Nothing here decides which steps or definitions change; nothing is written.
"""

from collections import Counter
from dataclasses import dataclass, field

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.refactor.check import ExpectedStep, with_text
from cukereuse_engine.refactor.definitions import Definitions
from cukereuse_engine.refactor.edits import ChangedFileError, byte_edit, sorted_edits, source_text
from cukereuse_engine.refactor.model import DefinitionChange, FileEdits, Outcome, TextEdit, Workspace
from cukereuse_engine.refactor.removal import UnremovableError, removal_edit


@dataclass(slots=True)
class Draft:
    """One attempt: what the steps would say, and what the sources would hold."""

    steps: list[ExpectedStep]
    workspace: Workspace
    home: dict[str, StepDefinition] = field(default_factory=dict)
    """By id, what stands for the definitions that all members bind to afterwards. Several where scopes or runners know
    a step by different expressions."""
    new_expressions: dict[str, str] = field(default_factory=dict)
    """Of each definition of `home`, where they are rewritten."""
    sources: dict[str, FileEdits] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    """Ids of definitions that go."""
    changes: list[DefinitionChange] = field(default_factory=list)

    def rewrite_literal(self, definition: StepDefinition, literal: str) -> None:
        """Raises `ChangedFileError` for a source that is not as it was read."""
        span = definition.literal
        edit = byte_edit(self.source(definition.path), span.start_byte, span.end_byte, literal)
        if edit.old != definition.source_literal:
            raise ChangedFileError(f"{definition.path} has changed since it was read", "Plan again.")
        self.add(definition.path, edit)

    def add(self, path: str, edit: TextEdit) -> None:
        """One more edit of a source with step definitions."""
        known = self.sources.get(path)
        edits = (*known.edits, edit) if known is not None else (edit,)
        version = known.version if known is not None else content_hash(self.workspace.read(path))
        self.sources[path] = FileEdits(path, version, sorted_edits(edits), True, "utf-8")

    def source(self, path: str) -> str:
        """With its byte order mark, so that byte offsets hold."""
        data = self.workspace.read(path)
        return ("\ufeff" if data.startswith(b"\xef\xbb\xbf") else "") + source_text(data)


def settle(draft: Draft, definitions: Definitions, *, remove_unused: bool) -> None:
    """Say what becomes of each definition, and remove those that lose their last use where that is asked for."""
    old = {one.id: one for step in draft.steps for one in step.member.definitions}
    going = Counter(one.id for step in draft.steps for one in step.member.definitions)
    removed: set[str] = set()
    for definition_id, definition in sorted({**old, **draft.home}.items()):
        before = len(definitions.users(definition))
        after = before - going[definition_id]
        group = definitions.group(definition) or [definition]
        note = ""
        if definition_id in draft.home:
            after += _coming(draft, definitions, definition_id)
            outcome = Outcome.REWRITTEN if draft.new_expressions else Outcome.TARGET
        else:
            outcome = Outcome.KEPT if after else Outcome.UNUSED
        if outcome is Outcome.UNUSED and remove_unused:
            note = _remove(draft, definitions, definition)
            outcome = Outcome.UNUSED if note else Outcome.REMOVED
            removed |= set() if note else {one.id for one in group}
        new = draft.new_expressions.get(definition_id, "")
        draft.changes.append(DefinitionChange(group[0], outcome, before, after, new, note, tuple(group[1:])))
    draft.removed = frozenset(removed)


def _coming(draft: Draft, definitions: Definitions, definition_id: str) -> int:
    """Steps of a draft that one definition of its home serves afterwards."""
    if len(draft.home) == 1:
        return len(draft.steps)
    if draft.new_expressions:
        return sum(any(one.id == definition_id for one in step.member.definitions) for step in draft.steps)
    assert definitions.glue is not None
    bindings = (definitions.glue.bind(with_text(step.member.step, step.text)) for step in draft.steps)
    return sum(definition_id in definitions.firsts(binding.definitions) for binding in bindings)


def _remove(draft: Draft, definitions: Definitions, definition: StepDefinition) -> str:
    """Add the edits that remove a definition and those that say the same; gives the reason where that is left to the
    user."""
    assert definitions.glue is not None
    group = {one.id: one for one in definitions.group(definition)}
    edits: list[tuple[str, TextEdit]] = []
    for one in {one.function_id: one for one in reversed(group.values())}.values():
        others = [other for other in definitions.glue.definitions if other.id not in group or other.id == one.id]
        try:
            edit = removal_edit(one, draft.source(one.path), others)
        except UnremovableError as error:
            return str(error)
        known = draft.sources.get(one.path)
        there = [*(known.edits if known is not None else ()), *(other for path, other in edits if path == one.path)]
        if any(other.start < edit.end and edit.start < other.end for other in there):
            return "another change stands in it"
        edits.append((one.path, edit))
    for path, edit in edits:
        draft.add(path, edit)
    return ""
