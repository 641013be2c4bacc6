"""A step function in its source, and a constant in which functions of one form differ."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.reading import function_of
from cukereuse_engine.functions.tokens import TEXT
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.unmergeable import UnmergeableError

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class DifferingConstant:
    """A constant in which functions of one form differ."""

    tokens: tuple[str, ...]
    """Its token in each normal form."""
    written: tuple[str, ...]
    """Its text in each source."""
    places: tuple[tuple[int, int], ...]
    """Its places in the first function's source, in bytes."""

    @property
    def is_text(self) -> bool:
        return self.tokens[0][:1] == TEXT


def kind_of_value(written: str) -> str:
    """`whole`, `decimal` or `truth`; empty for anything else."""
    if re.fullmatch(r"-?\d+", written):
        return "whole" if abs(int(written)) < 2**31 else ""
    if re.fullmatch(r"-?\d+\.\d+", written):
        return "decimal"
    return "truth" if written in ("true", "false") else ""


class FunctionSource:
    """A step function in its source. Raises `UnmergeableError` if it is in another file."""

    def __init__(self, definition: StepDefinition, data: bytes, source: Source) -> None:
        self.definition, self.data, self.source = definition, data, source
        node = function_of(source, definition)
        if node is None or definition.function is None or definition.function.path != definition.path:
            raise UnmergeableError(f"{definition.place}: its function is in another place; write it by hand")
        self.node: Node = node

    @property
    def text(self) -> str:
        return self.source.text(self.node)

    def gives_back(self) -> bool:
        """True if a `return` of the function itself has a value."""
        waiting = [*self.node.children]
        kinds = GRAMMARS[self.definition.language].functions
        while waiting:
            current = waiting.pop()
            if current.type == "return_statement" and current.named_child_count:
                return True
            waiting += [child for child in current.children if child.type not in kinds]
        return False
