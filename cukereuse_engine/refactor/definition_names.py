"""Matches step definitions before and after edits of their sources, and checks what an edit must not change.

Definitions are identified by their file and their number in it, from the sources alone: lines above them may change.
"""

import re
from collections.abc import Mapping, Sequence

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.base import kind_reason
from cukereuse_engine.refactor.loading import unloadable
from cukereuse_engine.refactor.rename_plan import Bindings, FileEdits
from cukereuse_engine.refactor.reordering import parameters_taking

_SAID = {
    ExpressionKind.CUCUMBER: "a Cucumber Expression",
    ExpressionKind.REGEX: "a regular expression",
    ExpressionKind.PARSE: "a parse format",
    ExpressionKind.CFPARSE: "a parse format",
    ExpressionKind.TURNIP: "a Turnip pattern",
    ExpressionKind.LITERAL: "plain text",
}
_NAME = re.compile(r"[A-Za-z_$]\w*")


class DefinitionNames:
    """Names of definitions that stay the same when the lines above change: the file and the number in it."""

    def __init__(self, glue: Bindings, sources: Sequence[FileEdits]) -> None:
        self._before: dict[str, list[StepDefinition]] = {file.path: [] for file in sources}
        self._rewritten: set[str] = set()
        """Ids, before the edits, of definitions whose literal is edited."""
        self._edits = {file.path: file.edits for file in sources}
        self.touched: list[StepDefinition] = []
        """Definitions, as before the edits, that may change or disappear."""
        self.rewritten: list[StepDefinition] = []
        """Definitions, as after the edits, whose expression has changed."""
        self._names: dict[tuple[str, str], str] = {}
        self.orders: dict[str, tuple[int, ...]] = {}
        """Maps the name of a definition whose function's parameters are reordered to their old positions."""
        self._functions: dict[str, str] = {}
        """Maps the name of a definition to that of the first definition on its function."""
        functions: dict[str, str] = {}
        self.retold: list[StepDefinition] = []
        """Definitions of unedited sources, as before the edits, whose expression changes with an edited source."""
        self._told_elsewhere: dict[str, StepDefinition] = {}
        """Maps ids to definitions of unedited sources, as before the edits, whose expressions are no literals there."""
        for definition in glue.definitions if sources else ():
            if definition.path in self._before:
                self._add(definition)
            elif not definition.rewritable:
                self._told_elsewhere[definition.id] = definition
        for path, definitions in self._before.items():
            self._name(path, definitions)
            for definition in definitions:
                name = self.of(definition)
                self._functions[name] = functions.setdefault(definition.function_id, name)

    def _add(self, definition: StepDefinition) -> None:
        """A definition of an edited source."""
        literal = definition.literal
        start, end = (literal.line, literal.column), (literal.end_line, literal.end_column)
        around = [
            edit
            for edit in self._edits[definition.path]
            if (edit.line, edit.column) < end and start < (edit.end_line, edit.end_column)
        ]
        if around or not definition.rewritable:
            self.touched.append(definition)
        if any((edit.line, edit.column) != start and not edit.new for edit in around):
            return  # it will be removed
        if around:
            self._rewritten.add(definition.id)
        self._before[definition.path].append(definition)

    def _name(self, path: str, definitions: Sequence[StepDefinition]) -> None:
        for number, definition in enumerate(definitions):
            self._names[definition.id, definition.expression] = f"{path}#{number}"

    def may_be_retold(self, data: Sequence[bytes]) -> bool:
        """True if definitions in unedited sources may take their expression from edited ones. `data`: contents of the
        edited ones."""
        return any(
            name.encode() in content
            for definition in self._told_elsewhere.values()
            for name in _NAME.findall(definition.source_literal)
            for content in data
        )

    def retold_in(self, glue: Bindings) -> list[StepDefinition]:
        """Definitions of unedited sources, as before the edits, whose expression changes or that disappear. `glue`:
        with the edits."""
        now = {definition.id: definition.expression for definition in glue.definitions}
        return [
            definition
            for definition in self._told_elsewhere.values()
            if now.get(definition.id) != definition.expression
        ]

    def of(self, definition: StepDefinition) -> str:
        name = self._names.get((definition.id, definition.expression))
        if name is None:
            name = definition.id
            self._functions.setdefault(name, definition.function_id)
        return name

    def before(self, definition: StepDefinition) -> StepDefinition:
        """The definition as people see it, without the edits."""
        path, _, number = self.of(definition).rpartition("#")
        return self._before[path][int(number)] if path in self._before else definition

    def function(self, name: str) -> str:
        """The name of the function behind a definition's name."""
        return self._functions.get(name, name)

    def after(self, glue: Bindings, changed: Mapping[str, tuple[bytes, bytes]]) -> str:
        """Take in the edited sources; returns what is wrong with them, or "". `changed`: each source's bytes before and
        after."""
        now: dict[str, list[StepDefinition]] = {path: [] for path in self._before}
        for definition in glue.definitions if now else ():
            if definition.path in now:
                now[definition.path].append(definition)
            elif (elsewhere := self._told_elsewhere.pop(definition.id, None)) and (
                wrong := self._retell(elsewhere, definition)
            ):
                return wrong
        if self._told_elsewhere and now:
            lost = next(iter(self._told_elsewhere.values()))
            return f"{place_of_definition(lost)} would be lost with a name that changes"
        for path, before in self._before.items():
            if len(before) != len(now[path]):
                return f"{path} would contain different step definitions"
            for old, new in zip(before, now[path], strict=True):
                if wrong := self._reread(old, new, *changed[path]):
                    return wrong
            self._name(path, now[path])
        return ""

    def _retell(self, old: StepDefinition, new: StepDefinition) -> str:
        """Record a definition of another source whose expression may change; returns what is wrong, or ""."""
        if old.expression == new.expression:
            return ""
        if wrong := unloadable(new, old):
            return f"{place_of_definition(new)} would not be loaded: {wrong}"
        self.retold.append(old)
        self.rewritten.append(new)
        return ""

    def _reread(self, old: StepDefinition, new: StepDefinition, before: bytes, after: bytes) -> str:
        """Record a definition of an edited source; returns what is wrong, or ""."""
        place = f"{old.path}:{old.line}"
        if old.kind is not new.kind:
            reason = kind_reason(new)
            reason = f", because it {reason}" if reason else ""
            message = f"{place}: the new text would be {_SAID[new.kind]}, not {_SAID[old.kind]}{reason}"
            return f"{message}; choose another wording"
        # if a constant contains it, the edit is elsewhere
        rewritten = old.id in self._rewritten or not old.rewritable
        if _rest(old, rewritten=rewritten) != _rest(new, rewritten=rewritten):
            return f"{place} would read differently: {new.source_literal}"
        if old.expression != new.expression:
            if wrong := unloadable(new, old):
                return f"{place} would not be loaded: {wrong}"
            self.rewritten.append(new)
            order = _order(old, new, before, after)
            if order is not None:
                self.orders[self.of(old)] = order
        return ""


def place_of_definition(definition: StepDefinition) -> str:
    return f"the step definition at {definition.place}"


def _order(old: StepDefinition, new: StepDefinition, before: bytes, after: bytes) -> tuple[int, ...] | None:
    """The old position of each parameter of a function if an edit only reorders them; else None."""
    named = old.function is None and old.function_name
    if not named and _signature(old, before) == _signature(new, after):
        return None
    had, has = parameters_taking(old, before), parameters_taking(new, after)
    if had is None or has is None or had.texts == has.texts or sorted(had.texts) != sorted(has.texts):
        return None
    distinct = len({*had.texts}) == len(had.texts)
    return tuple(had.texts.index(text) for text in has.texts) if distinct else None


def _signature(definition: StepDefinition, source: bytes) -> bytes:
    """The source of a definition's function, without the part up to the end of an expression inside it."""
    if definition.function is None:
        return b""
    start, end = definition.function.start_byte, definition.function.end_byte
    return source[definition.literal.end_byte if start <= definition.literal.start_byte < end else start : end]


def _rest(definition: StepDefinition, *, rewritten: bool) -> tuple[object, ...]:
    """The properties that an edit must not change."""
    same = (
        definition.kind,
        definition.keyword,
        definition.keyword_types,
        definition.framework,
        definition.function_name,
        definition.anchoring,
        definition.flags,
    )
    return same if rewritten else (*same, definition.expression)
