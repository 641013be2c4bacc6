"""Two definitions that run the same code become one function with both expressions; unused ones go.

Where a runner stacks decorators, annotations or attributes on a function, the expressions of one go to the other's;
where step definitions are calls, both get one function by name. A plan is checked as a rename is: every step binds to
the expression that it had, with the arguments that it had, and every expression runs the code that it ran.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.parameters import parameters_of
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.functions.relations import Functions, Relation, by_path
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.languages.base import Source
from cukereuse_engine.glue.model import ExpressionKind, StepDefinition
from cukereuse_engine.glue.workspace import StepBinding
from cukereuse_engine.refactor.declarations import (
    STACKED,
    UnmergeableError,
    declared,
    indent_of,
    line_start,
    place_said,
    with_comment,
)
from cukereuse_engine.refactor.edits import byte_edit, edited_bytes, sorted_edits
from cukereuse_engine.refactor.model import Bindings, FileEdits, TextEdit, Workspace
from cukereuse_engine.refactor.removal import UnremovableError, removal_edit

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = {"javascript": "call_expression", "typescript": "call_expression", "ruby": "call"}
"""Languages whose step definitions are calls with a function, to the node type of the call."""
_BY_NAME = frozenset(("behave", "pytest-bdd"))
_WORD = re.compile(r"\w+")

Label = tuple[object, ...]
"""What a definition is known by that moves: runner, kind, expression, keywords."""


@dataclass(frozen=True, slots=True)
class MergePlan:
    title: str
    files: tuple[FileEdits, ...]
    keep: StepDefinition | None
    """The definition whose function remains; None where one is deleted."""
    others: tuple[StepDefinition, ...]
    """Those whose function goes."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Expressions that name their arguments as the function that remains does: before and after."""


class Merger:
    """Plans merges of one workspace. `functions` are those of its step definitions. For one thread."""

    def __init__(self, workspace: Workspace, functions: Functions) -> None:
        self.workspace, self.functions = workspace, functions

    @cached_property
    def _plain(self) -> Functions:
        """What functions say themselves, called steps not followed: that is what may not change."""
        plain = Functions(self._read)
        plain.load(self.workspace.glue.definitions if self.workspace.glue is not None else ())
        return plain

    def _read(self, path: str) -> bytes | None:
        try:
            return self.workspace.read(path)
        except OSError:
            return None

    def merge(self, keep: StepDefinition, other: StepDefinition) -> MergePlan:
        """Put the expressions of `other`'s function on `keep`'s. Raises `UnmergeableError`, `OSError`."""
        functions = self.functions
        related = functions.relation(keep, other)
        if related.relation is Relation.CONSTANT:
            values = " and ".join(related.values)
            told = f"{place_said(keep)} and {place_said(other)} differ in {values}"
            raise UnmergeableError(f"{told}; write one with a parameter “{related.parameter}”")
        if related.relation is not Relation.SAME or related.loosely:
            raise UnmergeableError(f"{place_said(keep)} and {place_said(other)} do not run the same code")
        if keep.function is None or other.function is None or keep.function_id == other.function_id:
            raise UnmergeableError(
                f"{place_said(other)}: its function is elsewhere; put the expressions together by hand"
            )
        moved = functions.definitions_of(other.function_id)
        if any(one.path != other.path for one in moved):
            raise UnmergeableError(f"{place_said(other)}: its function is used from several files")
        forms = [functions.form(one) for one in (keep, other)]
        if forms[0] is None or forms[1] is None or len(forms[0].parameters) != len(forms[1].parameters):
            raise UnmergeableError(f"{place_said(other)}: its function takes other arguments")
        draft = _Draft(self.workspace, functions, keep, other, moved)
        if keep.language in STACKED or keep.language == "php":
            draft.stack()
        elif keep.language in _CALLS:
            draft.share()
        else:
            raise UnmergeableError(f"{place_said(other)}: {keep.language} has no two expressions on one function")
        plan = draft.plan()
        self.check([plan])
        return plan

    def delete(self, definition: StepDefinition) -> MergePlan:
        """Delete a definition that nothing uses. Raises `UnmergeableError`, `OSError`."""
        if definition.function_id in self.functions.called:
            raise UnmergeableError(f"{place_said(definition)}: other code calls its function")
        data = self.workspace.read(definition.path)
        try:
            edit = removal_edit(definition, data.decode("utf-8"), self.functions.definitions_of(definition.function_id))
        except (UnremovableError, UnicodeDecodeError) as error:
            raise UnmergeableError(f"{place_said(definition)}: {error}") from None
        file = FileEdits(definition.path, content_hash(data), (edit,), True, "utf-8")
        plan = MergePlan(f"without “{definition.expression}”", (file,), None, (definition,))
        self.check([plan])
        return plan

    def check(self, plans: Sequence[MergePlan]) -> None:
        """Raises `UnmergeableError` where, after all of the plans, a step would bind otherwise or an expression would
        run other code. Leaves the workspace as it was."""
        glue, plain = self.workspace.glue, self._plain
        if glue is None:
            return
        gone = {_label(one) for plan in plans if plan.keep is None for one in plan.others}
        renamed = {before: after for plan in plans for before, after in plan.renamed}
        files = combined(plans)
        code_before = _code(plain, glue, renamed)
        with ExitStack() as undo:
            changed: set[str] = set()
            for file in files:
                data = self.workspace.read(file.path)
                undo.callback(self._put, glue, file.path, data)
                changed |= self._put(glue, file.path, edited_bytes(file, data))
            steps = list(self.workspace.saying(changed))
            after = [_bound(glue.bind(step), {}) for step in steps]
            code_after = _code(plain, glue, {})
        for step, new in zip(steps, after, strict=True):
            if _bound(glue.bind(step), renamed) != new:
                raise UnmergeableError(f"{step.path}:{step.line} would bind otherwise: {step.text}")
        for label, code in code_before.items():
            if label not in gone and code_after.get(label) != code:
                raise UnmergeableError(f"{label[2]} would run other code, or would be lost")
        if set(code_after) - set(code_before):
            raise UnmergeableError("there would be other step definitions")

    def _put(self, glue: Bindings, path: str, data: bytes) -> set[str]:
        changed = glue.update_file(path, data)
        self._plain.update(path, data, glue.extracted(path, data).definitions)
        return changed


class _Draft:
    def __init__(
        self,
        workspace: Workspace,
        functions: Functions,
        keep: StepDefinition,
        other: StepDefinition,
        moved: Sequence[StepDefinition],
    ) -> None:
        self.workspace, self.functions = workspace, functions
        self.keep, self.other, self.moved = keep, other, moved
        self._data: dict[str, bytes] = {}
        self._edits: dict[str, list[TextEdit]] = {}
        self._renamed: list[tuple[str, str]] = []

    def plan(self) -> MergePlan:
        files = tuple(
            FileEdits(path, content_hash(self._data[path]), sorted_edits(edits), True, "utf-8")
            for path, edits in sorted(self._edits.items())
        )
        title = f"“{self.other.expression}” on the function of “{self.keep.expression}”"
        return MergePlan(title, files, self.keep, tuple(self.moved), tuple(self._renamed))

    def _source(self, definition: StepDefinition) -> tuple[bytes, Source]:
        data = self._data.setdefault(definition.path, self.workspace.read(definition.path))
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            raise UnmergeableError(f"{definition.path} is not UTF-8; save it as UTF-8") from None
        return data, parse(definition.path, data, definition.language)

    def _edit(self, path: str, start: int, end: int, new: str) -> None:
        edit = byte_edit(self._data[path].decode("utf-8"), start, end, new)
        self._edits.setdefault(path, []).append(edit)

    # -- decorators, annotations, attributes

    def stack(self) -> None:
        self._refuse_callers()
        data, source = self._source(self.keep)
        first, _ = declared(self.keep, data, source)
        start = line_start(data, first)
        indent = indent_of(data, start)
        newline = "\r\n" if b"\r\n" in data else "\n"
        theirs, their_source = self._source(self.other)
        lines = []
        for definition in self.moved:
            begin, end = declared(definition, theirs, their_source)
            text = self._with_names(definition, theirs[begin:end].decode("utf-8"))
            lines.append(indent + text.strip() + newline)
        self._edit(self.keep.path, start, start, "".join(lines))
        begin, end = self._whole(theirs, their_source)
        self._edit(self.other.path, begin, end, "")

    def _with_names(self, definition: StepDefinition, text: str) -> str:
        """The declaration with its arguments named as the function that remains names them, where names count."""
        if definition.framework not in _BY_NAME:
            return text
        forms = [self.functions.form(one) for one in (self.keep, self.other)]
        if forms[0] is None or forms[1] is None or definition.kind not in _NAMED:
            return text
        changes = {
            theirs: ours
            for ours, theirs in zip(forms[0].parameters, forms[1].parameters, strict=False)
            if ours != theirs and re.search(_NAMED[definition.kind].format(re.escape(theirs)), definition.expression)
        }
        after = self._captured(definition.expression, definition.kind, changes)
        own = [
            self._captured(one.expression, one.kind, {}) for one in self.functions.definitions_of(self.keep.function_id)
        ]
        if after not in own:
            raise UnmergeableError(f"{place_said(definition)}: the function that remains takes other arguments")
        if not changes:
            return text
        pattern = _NAMED[definition.kind].format("|".join(map(re.escape, changes)))

        def renamed(found: re.Match[str]) -> str:
            return found.group().replace(found[1], changes[found[1]], 1)

        self._renamed.append((definition.expression, re.sub(pattern, renamed, definition.expression)))
        return re.sub(pattern, renamed, text)

    @staticmethod
    def _captured(expression: str, kind: ExpressionKind, changes: Mapping[str, str]) -> frozenset[str]:
        """Names of what an expression hands over."""
        names = re.findall(_NAMED[kind].format(r"[^\W\d]\w*"), expression) if kind in _NAMED else []
        return frozenset(changes.get(name, name) for name in names)

    def _whole(self, data: bytes, source: Source) -> tuple[int, int]:
        """The function that goes with all that stands on it and the comment before it: byte offsets of whole lines."""
        function = self.other.function
        assert function is not None
        starts = [declared(one, data, source)[0] for one in self.moved if one.language != "php"]
        start = line_start(data, min([function.start_byte, *starts]))
        end = data.find(b"\n", function.end_byte)
        rest = data[function.end_byte : end if end >= 0 else len(data)]
        if rest.strip() or data[start : min([function.start_byte, *starts])].strip():
            raise UnmergeableError(f"{place_said(self.other)}: its lines hold something else")
        end = end + 1 if end >= 0 else len(data)
        start = with_comment(data, start)
        blank = re.compile(rb"(?:[ \t]*\r?\n)*").match(data, end)
        return start, blank.end() if blank is not None else end

    def _refuse_callers(self) -> None:
        name = self.other.function_name
        said = 0
        for path in by_path(self.workspace.glue.definitions if self.workspace.glue is not None else ()):
            if path.endswith(self.other.path.rpartition(".")[2]):
                text = self.workspace.read(path).decode("utf-8", "replace")
                said += len(re.findall(rf"(?:\.|->|::|\b(?<!def )(?<!function )){re.escape(name)}\s*\(", text))
        own = 1 if self.other.language in ("java", "csharp", "rust", "kotlin", "php") else 0
        if self.other.function_id in self.functions.called or (name and said > own and self.other.language != "python"):
            raise UnmergeableError(f"{place_said(self.other)}: other code calls its function")

    # -- calls

    def share(self) -> None:
        """Both calls get one function by name."""
        if self.keep.path != self.other.path:
            raise UnmergeableError(
                f"{place_said(self.other)}: the definitions stand in two files; keep one wording instead"
            )
        data, source = self._source(self.keep)
        calls = [self._call(one, source) for one in (self.keep, self.other)]
        if calls[0].parent is None or calls[1].parent is None or calls[0].parent.id != calls[1].parent.id:
            raise UnmergeableError(f"{place_said(self.other)}: the definitions stand in two blocks")
        functions = [one.function for one in (self.keep, self.other)]
        assert functions[0] is not None
        assert functions[1] is not None
        text = data.decode("utf-8")
        name = _free_name(self.keep, text)
        code = data[functions[0].start_byte : functions[0].end_byte].decode("utf-8")
        start = line_start(data, min(call.start_byte for call in calls))
        indent = indent_of(data, start)
        newline = "\r\n" if b"\r\n" in data else "\n"
        if self.keep.language == "ruby":
            self._edit(self.keep.path, start, start, f"{indent}{name} = proc {code}{newline}{newline}")
            for call, function in zip(calls, functions, strict=True):
                assert function is not None
                self._pass_block(call, function.end_byte, name)
            return
        if self.keep.language == "typescript" and not self._is_typed(source):
            raise UnmergeableError(f"{place_said(self.other)}: only the call tells the types of its parameters")
        self._edit(self.keep.path, start, start, f"{indent}const {name} = {code};{newline}{newline}")
        for function in functions:
            assert function is not None
            self._edit(self.keep.path, function.start_byte, function.end_byte, name)

    def _call(self, definition: StepDefinition, source: Source) -> "Node":
        span = definition.literal
        node = source.root.descendant_for_byte_range(span.start_byte, span.end_byte)
        while node is not None and node.type != _CALLS[definition.language]:
            node = node.parent
        statement = node
        if statement is not None and statement.parent is not None and statement.parent.type == "expression_statement":
            statement = statement.parent
        if statement is None:
            raise UnmergeableError(f"{place_said(definition)}: it is no call")
        return statement

    def _pass_block(self, call: "Node", end: int, name: str) -> None:
        """`Given(/x/) do … end` as `Given(/x/, &name)`."""
        arguments = call.child_by_field_name("arguments")
        if arguments is None or not arguments.named_children:
            raise UnmergeableError(f"{place_said(self.other)}: its call has no arguments")
        data = self._data[self.keep.path]
        last = arguments.named_children[-1].end_byte
        closing = arguments.end_byte if data[arguments.end_byte - 1 : arguments.end_byte] == b")" else last
        tail = data[last:closing].decode("utf-8")
        self._edit(self.keep.path, last, end, f", &{name}{tail}")

    def _is_typed(self, source: Source) -> bool:
        function = self.keep.function
        assert function is not None
        node = source.root.descendant_for_byte_range(function.start_byte, function.end_byte - 1)
        while node is not None and node.type not in GRAMMARS["typescript"].functions:
            node = node.parent
        return node is not None and all(one.type for one in parameters_of(node, "typescript", source.text))


_NAMED = {
    ExpressionKind.PARSE: r"\{{({})(?=[}}:])",
    ExpressionKind.CFPARSE: r"\{{({})(?=[}}:])",
    ExpressionKind.REGEX: r"\(\?P<({})>",
}
"""How an expression names an argument."""


def _free_name(definition: StepDefinition, text: str) -> str:
    """A name for the function, of the expression's words, that the file does not have."""
    words = [
        word for word in _WORD.findall(re.sub(r"\{\w*\}|\(\?.|\\.|\W", " ", definition.expression)) if word.isascii()
    ]
    words = [word.lower() for word in words if not word.isdigit()][:5] or ["step"]
    name = "_".join(words) if definition.language == "ruby" else words[0] + "".join(word.title() for word in words[1:])
    name = name if not name[0].isdigit() else f"step{name}"
    taken = set(_WORD.findall(text))
    candidates = [name, f"{name}_step" if definition.language == "ruby" else f"{name}Step"]
    return next((one for one in candidates if one not in taken), f"{name}{len(taken)}")


def _label(definition: StepDefinition, renamed: Mapping[str, str] | None = None) -> Label:
    expression = (renamed or {}).get(definition.expression, definition.expression)
    keywords = tuple(sorted(definition.keyword_types))
    return definition.framework, definition.kind, expression, keywords, definition.flags, definition.anchoring


def _bound(binding: StepBinding, renamed: Mapping[str, str]) -> list[Counter[tuple[object, ...]]]:
    """What each text of a step binds to, with what it hands over."""
    return [
        Counter(
            (_label(match.definition, renamed), tuple(argument.value for argument in match.arguments))
            for match in text.matches
        )
        for text in binding.texts
    ]


def _code(functions: Functions, glue: Bindings, renamed: Mapping[str, str]) -> dict[Label, frozenset[tuple[str, ...]]]:
    """The code that each expression runs, as read."""
    found: dict[Label, set[tuple[str, ...]]] = {}
    for definition in glue.definitions:
        form = functions.form(definition)
        tokens = form.tokens if form is not None else ("?", definition.function_name)
        found.setdefault(_label(definition, renamed), set()).add(tokens)
    return {label: frozenset(codes) for label, codes in found.items()}


def apart(plans: Sequence[MergePlan]) -> Iterator[MergePlan]:
    """Of several plans those that touch other places than those before."""
    taken: dict[str, list[tuple[int, int]]] = {}
    for plan in plans:
        spans = [(file.path, edit.start, edit.end) for file in plan.files for edit in file.edits]
        if any(start <= last and first <= end for path, start, end in spans for first, last in taken.get(path, ())):
            continue
        for path, start, end in spans:
            taken.setdefault(path, []).append((start, end))
        yield plan


def combined(plans: Sequence[MergePlan]) -> tuple[FileEdits, ...]:
    """The edits of plans that are `apart`, one entry a file."""
    files: dict[str, FileEdits] = {}
    for file in (file for plan in plans for file in plan.files):
        known = files.get(file.path)
        files[file.path] = file if known is None else replace(file, edits=sorted_edits((*known.edits, *file.edits)))
    return tuple(files[path] for path in sorted(files))
