"""The interface of all ways to functions in another place."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from cukereuse_engine.blocks.calling.functions import SourceFunctions, StepFunction
from cukereuse_engine.refactor.rename_plan import TextEdit


class FunctionReach(Protocol):
    def called(self, function: StepFunction, name: str, /) -> str:
        """The expression by which the code calls a function of another place; `name` is its name in its own file.
        Raises `NotCallableError`."""

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        """The edits that this needs, by file. Raises `NotCallableError`."""

    def names(self) -> frozenset[str]:
        """The names that the code uses; no parameter of it may have one of them."""


def says(source: SourceFunctions, name: str) -> bool:
    """True if a name occurs anywhere in a source."""
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", source.text) is not None
