"""Scenarios around a line that can become one Scenario Outline, and steps of theirs that can become a Background.

Considers only this file, as the editor has it, and code that looks its scenarios up. Nothing is written.
"""

import os
from functools import lru_cache
from pathlib import Path

from cukereuse_engine.glue.sources import glue_root
from cukereuse_engine.refactor.background import backgrounds_of
from cukereuse_engine.refactor.feature_scenarios import FoldSuggestion, Scenarios
from cukereuse_engine.refactor.lookups import Lookup, Lookups
from cukereuse_engine.refactor.outline import outlines_of
from cukereuse_server.protocol.folding import BACKGROUND, OUTLINE, Fold
from cukereuse_server.workspace.view import View

_FINDERS = {OUTLINE: outlines_of, BACKGROUND: backgrounds_of}
_LONGEST = 150_000
"""The number of characters up to which a file is parsed: a tenth of a second, for which a key has to wait."""


def folds(path: str, text: str, line: int) -> list[Fold]:
    """The foldings around a 1-based line, at most one of each kind."""
    suggestions = [(kind, suggestion(path, text, line, kind)) for kind in _FINDERS]
    return [Fold(kind, folding.scenarios, folding.steps) for kind, folding in suggestions if folding is not None]


@lru_cache(maxsize=8)
def suggestion(path: str, text: str, line: int, kind: str) -> FoldSuggestion | None:
    """The folding of a kind around a 1-based line."""
    scenarios = _read(path, text)
    return next(iter(_FINDERS[kind](scenarios, line)), None) if scenarios is not None else None


def lookup_of(workspace: View, folding: FoldSuggestion) -> Lookup | None:
    """Code, a script or a configuration in the repository that names a scenario that would disappear."""

    def read(path: str) -> bytes:
        buffer = workspace.buffers.get(path)
        return buffer.content() if buffer is not None else Path(path).read_bytes()

    return Lookups.below(glue_root(os.path.dirname(folding.path)), read).of(folding)  # noqa: PTH120


@lru_cache(maxsize=2)
def _read(path: str, text: str) -> Scenarios | None:
    """Cached, because cursors move more often than texts change."""
    return Scenarios.read(path, text.encode("utf-8", "surrogatepass")) if len(text) <= _LONGEST else None
