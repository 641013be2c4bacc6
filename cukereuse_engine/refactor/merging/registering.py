"""Both registrations name one function, where step definitions are registered with a function by name (Go).

The function that is left over goes, with its comment, where nothing else of its package names it.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.declarations import UnmergeableError, line_start, with_comment
from cukereuse_engine.refactor.merging.edited_sources import Sources

if TYPE_CHECKING:
    from tree_sitter import Node

REGISTERED = frozenset(("go",))
_NAMED = re.compile(r"(?:\w+\.)?(\w+)")


class Registering:
    def __init__(self, sources: Sources, keep: StepDefinition, other: StepDefinition) -> None:
        self.sources, self.keep, self.other = sources, keep, other

    def share(self) -> None:
        """The registration of `other` names the function of `keep`."""
        if self.keep.path != self.other.path:
            message = "the definitions are in two files; keep one wording instead"
            raise UnmergeableError(f"{self.other.place}: {message}")
        data, source = self.sources.read(self.keep)
        ours, theirs = (self._handler(definition, source) for definition in (self.keep, self.other))
        if _function_around(ours) != _function_around(theirs):
            raise UnmergeableError(f"{self.other.place}: the definitions are in two blocks")
        names = [_NAMED.fullmatch(source.text(handler)) for handler in (ours, theirs)]
        if names[0] is None or names[1] is None:
            raise UnmergeableError(f"{self.keep.place}: its function has no name; write it by hand")
        self.sources.edit(self.keep.path, theirs.start_byte, theirs.end_byte, source.text(ours))
        if names[0][1] != names[1][1] and self._is_named_here_alone(names[1][1], source):
            self.sources.edit(self.keep.path, *self._whole_function(data), "")

    def _handler(self, definition: StepDefinition, source: Source) -> "Node":
        """What a registration hands over to be called."""
        span = definition.literal
        node = source.root.descendant_for_byte_range(span.start_byte, span.end_byte)
        while node is not None and node.type != "call_expression":
            node = node.parent
        arguments = node.child_by_field_name("arguments") if node is not None else None
        handed = arguments.named_children if arguments is not None else []
        if len(handed) != 2 or handed[0].start_byte != span.start_byte:
            raise UnmergeableError(f"{definition.place}: it is not a call with an expression and a function")
        return handed[1]

    def _is_named_here_alone(self, name: str, source: Source) -> bool:
        """Whether its package names a function where it stands and in its registration alone."""
        path, word = Path(self.other.path), re.compile(rb"\b%s\b" % name.encode())
        uses = [node for node in source.nodes("identifier", "field_identifier") if source.text(node) == name]
        beside = (str(file) for file in path.parent.glob("*.go") if file != path)
        read = self.sources.workspace.read
        return name[:1].islower() and len(uses) == 2 and not any(word.search(read(file)) for file in beside)

    def _whole_function(self, data: bytes) -> tuple[int, int]:
        """Byte offsets of the lines of the function that goes, and of the blank ones before it."""
        function = self.other.function
        assert function is not None
        start, end = function.start_byte, data.find(b"\n", function.end_byte)
        end = end + 1 if end >= 0 else len(data)
        if data[line_start(data, start) : start].strip() or data[function.end_byte : end].strip():
            raise UnmergeableError(f"{self.other.place}: its function's lines contain other code")
        start = with_comment(data, line_start(data, start))
        blank = re.compile(rb"(?:[ \t]*\r?\n)*").match(data, end)
        return start, blank.end() if blank is not None else end


def _function_around(node: "Node") -> int:
    """Where the function begins that a node stands in; -1: in none."""
    around = node.parent
    while around is not None and around.type not in ("function_declaration", "method_declaration", "func_literal"):
        around = around.parent
    return around.start_byte if around is not None else -1
