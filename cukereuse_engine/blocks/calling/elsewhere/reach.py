"""The answer of every way to functions in another place."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from cukereuse_engine.blocks.calling.functions import SourceFunctions, StepFunction
from cukereuse_engine.refactor.rename_plan import TextEdit


class FunctionReach(Protocol):
    def called(self, function: StepFunction, name: str, /) -> str:
        """How the code calls a function of another place, whose own file calls it `name`. Raises
        `NotCallableError`."""

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        """What must change for that, by file. Raises `NotCallableError`."""

    def names(self) -> frozenset[str]:
        """Those that the code uses, and that none of its parameters may have."""


def says(source: SourceFunctions, name: str) -> bool:
    """True if a name is anywhere in a source."""
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", source.text) is not None
