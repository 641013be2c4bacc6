"""Both expressions on one function, where the runner stacks decorators, annotations, attributes or lines of a comment.

The function with fewer steps goes, with the comment before it.
"""

import re
from collections.abc import Mapping, Sequence

from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources
from cukereuse_engine.refactor.declarations import declared, first_stacked, indent_of, line_start, with_comment
from cukereuse_engine.refactor.merging.merge_plan import ExpressionChange
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of

_BY_NAME = frozenset(("behave", "pytest-bdd"))
_NAMED = {
    ExpressionKind.PARSE: r"\{{({})(?=[}}:])",
    ExpressionKind.CFPARSE: r"\{{({})(?=[}}:])",
    ExpressionKind.REGEX: r"\(\?P<({})>",
}
"""How an expression names an argument."""


def _said(definition: StepDefinition, change: ExpressionChange | None = None) -> tuple[object, ...]:
    """What a declaration says, or will say: a second one on the same function adds nothing."""
    expression = definition.expression if change is None else change.expression
    return expression, definition.kind, definition.flags, definition.keyword_types


class Stacking:
    """Moves the expressions of `moved`, all that are on the function of `other`, to the function of `keep`."""

    def __init__(
        self,
        sources: EditedSources,
        functions: Functions,
        keep: StepDefinition,
        other: StepDefinition,
        moved: Sequence[StepDefinition],
    ) -> None:
        self.sources, self.functions = sources, functions
        self.keep, self.other, self.moved = keep, other, moved
        self.changes: list[ExpressionChange] = []

    def stack(self) -> None:
        data, source = self.sources.read(self.keep)
        first, _ = declared(self.keep, data, source)
        start = line_start(data, first)
        indent = indent_of(data, start)
        newline = self.sources.newline(self.keep.path)
        theirs, their_source = self.sources.read(self.other)
        own = {_said(definition) for definition in self.functions.definitions_of(self.keep.function_id)}
        lines = []
        for definition in self.moved:
            begin, end = declared(definition, theirs, their_source)
            text = self._with_names(definition, theirs[begin:end].decode("utf-8"))
            change = next((change for change in self.changes if change.definition is definition), None)
            if _said(definition, change) not in own:
                lines.append(indent + text.strip() + newline)
        if lines:
            self.sources.edit(self.keep.path, start, start, "".join(lines))
        begin, end = self._whole(theirs, their_source)
        self.sources.edit(self.other.path, begin, end, "")

    def _with_names(self, definition: StepDefinition, text: str) -> str:
        """The declaration with the argument names of the remaining function, where names count."""
        if definition.framework not in _BY_NAME:
            return text
        forms = [self.functions.form(definition) for definition in (self.keep, self.other)]
        if forms[0] is None or forms[1] is None or definition.kind not in _NAMED:
            return text
        changes = {
            theirs: ours
            for ours, theirs in zip(forms[0].parameters, forms[1].parameters, strict=False)
            if ours != theirs and re.search(_NAMED[definition.kind].format(re.escape(theirs)), definition.expression)
        }
        after = self._captured(definition.expression, definition.kind, changes)
        own = [
            self._captured(definition.expression, definition.kind, {})
            for definition in self.functions.definitions_of(self.keep.function_id)
        ]
        if after not in own:
            raise UnmergeableError(f"{definition.place}: the function that is kept takes different arguments")
        if not changes:
            return text
        pattern = _NAMED[definition.kind].format("|".join(map(re.escape, changes)))

        def renamed(match: re.Match[str]) -> str:
            return match.group().replace(match[1], changes[match[1]], 1)

        self.changes.append(ExpressionChange(definition, re.sub(pattern, renamed, definition.expression)))
        return re.sub(pattern, renamed, text)

    @staticmethod
    def _captured(expression: str, kind: ExpressionKind, changes: Mapping[str, str]) -> frozenset[str]:
        """The names that an expression captures, after `changes`."""
        names = re.findall(_NAMED[kind].format(r"[^\W\d]\w*"), expression) if kind in _NAMED else []
        return frozenset(changes.get(name, name) for name in names)

    def _whole(self, data: bytes, source: Source) -> tuple[int, int]:
        """The function to remove with everything on it and the comment before it: byte offsets of whole lines."""
        function = self.other.function
        assert function is not None
        row = writing_of(self.other.language)
        starts = [first_stacked(self.other, source)] if row.stacked else []
        start = line_start(data, min([function.start_byte, *starts]))
        end = data.find(b"\n", function.end_byte)
        rest = data[function.end_byte : end if end >= 0 else len(data)]
        if rest.strip() or data[start : min([function.start_byte, *starts])].strip():
            raise UnmergeableError(f"{self.other.place}: its lines contain other code")
        end = end + 1 if end >= 0 else len(data)
        start = with_comment(data, start, self.other.path)
        blank = re.compile(rb"(?:[ \t]*\r?\n)*").match(data, end)
        return start, blank.end() if blank is not None else end
