"""Lets both calls name one function, where step definitions are calls."""

from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.parameters import parameters_of
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources, SharedValue
from cukereuse_engine.refactor.declarations import indent_of, line_start
from cukereuse_engine.refactor.merging.free_names import free_name
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import Writing, writing_of

if TYPE_CHECKING:
    from tree_sitter import Node


class Sharing:
    def __init__(self, sources: EditedSources, keep: StepDefinition, other: StepDefinition) -> None:
        self.sources, self.keep, self.other = sources, keep, other

    def share(self) -> None:
        """Let both calls name one function."""
        if self.keep.path != self.other.path:
            raise UnmergeableError(f"{self.other.place}: the definitions are in two files; keep one wording instead")
        data, source = self.sources.read(self.keep)
        calls = [self._call(definition, source) for definition in (self.keep, self.other)]
        if len({call.parent.id if call.parent is not None else -at for at, call in enumerate(calls, 1)}) > 1:
            raise UnmergeableError(f"{self.other.place}: the definitions are in two blocks")
        functions = [self.keep.function, self.other.function]
        name = free_name(self.keep.language, [self.keep.expression], data.decode("utf-8"))
        start = line_start(data, min(call.start_byte for call in calls))
        row = writing_of(self.keep.language)
        if row.share is not None:
            row.share(self.sources, SharedValue(self.keep, self.other, calls, start, name))
            return
        if row.types_from_call and not self._is_typed(source):
            raise UnmergeableError(f"{self.other.place}: its parameter types are known only at the call")
        self._name_function(name, start, data, row)
        for call, function in zip(calls, functions, strict=True):
            assert function is not None
            if row.blocks:
                self._pass_block(call, function.end_byte, name)
            else:
                self.sources.edit(self.keep.path, function.start_byte, function.end_byte, name)

    def _name_function(self, name: str, start: int, data: bytes, row: Writing) -> None:
        """Give the kept function a name of its own."""
        function = self.keep.function
        assert function is not None
        code = data[function.start_byte : function.end_byte].decode("utf-8")
        named = row.named_value.format(name=name, function=code)
        newline = self.sources.newline(self.keep.path)
        self.sources.edit(self.keep.path, start, start, f"{indent_of(data, start)}{named}{newline}{newline}")

    def _call(self, definition: StepDefinition, source: Source) -> "Node":
        """The statement that defines a step."""
        span = definition.literal
        node = source.root.descendant_for_byte_range(span.start_byte, span.end_byte)
        while node is not None and node.type != writing_of(definition.language).call:
            node = node.parent
        statement = node
        while statement is not None and statement.parent is not None and _runs_on(statement, statement.parent):
            statement = statement.parent
        if statement is None:
            raise UnmergeableError(f"{definition.place}: it is not a call")
        return statement

    def _pass_block(self, call: "Node", end: int, name: str) -> None:
        """Turn `Given(/x/) do … end` into `Given(/x/, &name)`."""
        arguments = call.child_by_field_name("arguments")
        if arguments is None or not arguments.named_children:
            raise UnmergeableError(f"{self.other.place}: its call has no arguments")
        data, _ = self.sources.read(self.keep)
        last = arguments.named_children[-1].end_byte
        closing = arguments.end_byte if data[arguments.end_byte - 1 : arguments.end_byte] == b")" else last
        tail = data[last:closing].decode("utf-8")
        self.sources.edit(self.keep.path, last, end, f", &{name}{tail}")

    def _is_typed(self, source: Source) -> bool:
        function = self.keep.function
        assert function is not None
        grammar = GRAMMARS[self.keep.language]
        node = source.root.descendant_for_byte_range(function.start_byte, function.end_byte - 1)
        while node is not None and node.type not in grammar.functions:
            node = node.parent
        return node is not None and all(parameter.type for parameter in parameters_of(node, grammar, source.text))


def _runs_on(node: "Node", around: "Node") -> bool:
    """True if a call continues: as a statement, or as `Given("x") { … }`, which calls the result of `Given("x")`."""
    called = around.child_by_field_name("function") if around.type == "call_expression" else None
    return around.type == "expression_statement" or (called is not None and called.id == node.id)
