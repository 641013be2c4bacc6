"""A step function with an additional parameter in place of a constant."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.parameters import Parameter, holder_of, parameters_of
from cukereuse_engine.functions.reading import Literal, literals_of
from cukereuse_engine.functions.tokens import TEXT
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.code_parts.step_function import DifferingConstant, FunctionSource, kind_of_value
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of

if TYPE_CHECKING:
    pass

_FIXED = re.compile(r"case|pattern|switch_label|const_|concatenated|chained_string|attribute$|annotation|default")
"""Syntax around a literal in which no variable can replace it."""


class Function(FunctionSource):
    """A function with its parameters and literals."""

    def __init__(self, definition: StepDefinition, data: bytes, source: Source) -> None:
        super().__init__(definition, data, source)
        self.literals: Sequence[Literal] = literals_of(source, definition)

    @property
    def parameters(self) -> list[Parameter]:
        return parameters_of(self.node, GRAMMARS[self.definition.language], self.source.text)

    def constant(self, others: "Sequence[Function]") -> DifferingConstant:
        """The constant in which this function and the others differ. Raises `UnmergeableError`."""
        constants = [self._differing(other) for other in others]
        for constant, other in zip(constants, others, strict=True):
            if constant.places != constants[0].places:
                raise UnmergeableError(f"{other.definition.place}: it differs in more than a constant")
        tokens = constants[0].tokens[0], *(constant.tokens[1] for constant in constants)
        return DifferingConstant(
            tokens, (constants[0].written[0], *(constant.written[1] for constant in constants)), constants[0].places
        )

    def _differing(self, other: "Function") -> DifferingConstant:
        place = other.definition.place
        if len(self.literals) != len(other.literals):
            raise UnmergeableError(f"{place}: the difference is not in the function itself; write it by hand")
        pairs = [
            (mine, two) for mine, two in zip(self.literals, other.literals, strict=True) if mine.token != two.token
        ]
        if len({(mine.token, two.token) for mine, two in pairs}) != 1:
            raise UnmergeableError(f"{place}: the difference is not in the function itself; write it by hand")
        for literal, function in [(mine, self) for mine, _ in pairs] + [(two, other) for _, two in pairs]:
            if not function._can_be_a_variable(literal):
                raise UnmergeableError(f"{place}: no variable can replace {function._written(literal)}")
        mine, two = pairs[0]
        places = tuple((mine.start, mine.end) for mine, _ in pairs)
        return DifferingConstant((mine.token, two.token), (self._written(mine), other._written(two)), places)

    def _written(self, literal: Literal) -> str:
        return self.data[literal.start : literal.end].decode("utf-8")

    def _can_be_a_variable(self, literal: Literal) -> bool:
        node = self.source.root.descendant_for_byte_range(literal.start, literal.end)
        row = writing_of(self.definition.language)
        if (
            literal.token[:1] == TEXT
            and row.plain_text is not None
            and not row.plain_text.match(self._written(literal))
        ):
            return False
        if self._written(literal).endswith(":"):  # Ruby: a key
            return False
        while node is not None and node.id != self.node.id:
            around = node.parent
            is_key = around is not None and around.type == "pair" and around.child_by_field_name("key") == node
            if _FIXED.search(node.type) or (is_key and not row.keys_are_values):
                return False
            node = around
        return True

    # -- one more parameter

    def declared(self, name: str, constant: DifferingConstant) -> str:
        """The declaration of a parameter for a constant. Raises `UnmergeableError` for one of no known type."""
        row = writing_of(self.definition.language)
        variable = row.variable.format(name=name)
        if "{type}" not in row.declaration:
            return variable
        if row.constant_type is not None:
            type_ = row.constant_type(constant, any(parameter.type for parameter in self.parameters))
            return row.declaration.format(name=variable, type=type_) if type_ else variable
        type_ = row.constant_types.get(_kind_of(constant), "")
        if not type_:
            raise UnmergeableError(f"{self.definition.place}: there is no type for a parameter “{constant.written[0]}”")
        return row.declaration.format(name=variable, type=type_)

    def declaring(self, declaration: str, before: tuple[int, int] | None = None) -> tuple[int, int, str]:
        """The edit that adds a parameter: before one that is at byte offsets, or as the last. Raises
        `UnmergeableError`."""
        holder = holder_of(self.node)
        if before is not None:
            return before[0], before[0], f"{declaration}, "
        if holder is None:
            written = writing_of(self.definition.language).block_parameters
            if written and self.node.type in ("do_block", "block"):
                at = self.node.children[0].end_byte
                return at, at, f" {written.format(parameters=declaration)}"
            raise UnmergeableError(f"{self.definition.place}: it has no list of parameters; write it by hand")
        last = holder.named_children[-1] if holder.named_children else None
        if last is None:
            return holder.start_byte + 1, holder.start_byte + 1, declaration
        return last.end_byte, last.end_byte, f", {declaration}"

    def said(self, name: str) -> str:
        return writing_of(self.definition.language).variable.format(name=name)

    def edited(self, edits: Sequence[tuple[int, int, str]], start: int, end: int) -> str:
        """The source between two byte offsets, after edits inside of it."""
        text, at = b"", start
        for first, last, new in sorted(edits):
            text += self.data[at:first] + new.encode("utf-8")
            at = last
        return (text + self.data[at:end]).decode("utf-8")


def _kind_of(constant: DifferingConstant) -> str:
    if constant.is_text:
        return "text"
    kinds = {kind_of_value(written) for written in constant.written}
    return kinds.pop() if len(kinds) == 1 else ""
