"""Lets both registrations name one function, where step definitions are registered with a function by name (Go).

The other function is removed with its comment if nothing else in its package names it.
"""

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources
from cukereuse_engine.refactor.go_removal import (
    NAMED,
    function_around,
    is_named_here_alone,
    registration_of,
    whole_function,
)
from cukereuse_engine.refactor.unmergeable import UnmergeableError


class Registering:
    def __init__(self, sources: EditedSources, keep: StepDefinition, other: StepDefinition) -> None:
        self.sources, self.keep, self.other = sources, keep, other

    def share(self) -> None:
        """Let the registration of `other` name the function of `keep`."""
        if self.keep.path != self.other.path:
            message = "the definitions are in two files; keep one wording instead"
            raise UnmergeableError(f"{self.other.place}: {message}")
        data, source = self.sources.read(self.keep)
        ours, theirs = (registration_of(definition, source)[1] for definition in (self.keep, self.other))
        around = [function_around(handler) for handler in (ours, theirs)]
        if [node and node.start_byte for node in around[:1]] != [node and node.start_byte for node in around[1:]]:
            raise UnmergeableError(f"{self.other.place}: the definitions are in two blocks")
        names = [NAMED.fullmatch(source.text(handler)) for handler in (ours, theirs)]
        if names[0] is None or names[1] is None:
            raise UnmergeableError(f"{self.keep.place}: its function has no name; write it by hand")
        self.sources.edit(self.keep.path, theirs.start_byte, theirs.end_byte, source.text(ours))
        read = self.sources.suites.read
        if names[0][1] != names[1][1] and is_named_here_alone(names[1][1], self.other.path, source, read):
            self.sources.edit(self.keep.path, *whole_function(self.other, data), "")
