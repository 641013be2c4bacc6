"""Functions of another Rust module of the same crate, by their paths."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from cukereuse_engine.blocks.calling.functions import (
    NotCallableError,
    SourceFunctions,
    StepFunction,
    SuiteFunctions,
)
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.rename_plan import TextEdit

_ROOTS = ("mod", "main", "lib")


class RustModules:
    def __init__(self, home: SourceFunctions, _: int, suite: SuiteFunctions) -> None:
        self._home, self._suite = home, suite
        self._opened: dict[str, dict[int, str]] = {}
        """Maps a path, and the first bytes of its functions, to the text that makes them visible."""

    def called(self, function: StepFunction, name: str) -> str:
        if function.owner >= 0 or function.around >= 0:
            raise NotCallableError(f"the function of “{function.definition.shown}” is nested in another function")
        source = self._suite.of(function.definition.path)
        home, other = PurePath(self._home.path), PurePath(source.path)
        if _declares(source.text, home.stem) and _is_child(home, other):
            return f"super::{name}"
        if _declares(self._home.text, other.stem) and _is_child(other, home):
            self._open(function)
            return f"{other.stem}::{name}"
        if home.parent == other.parent and self._has_parent_of(home, other):
            self._open(function)
            return f"super::{other.stem}::{name}"
        raise NotCallableError(f"it is unclear how {self._home.path} reaches the module {source.path}")

    def names(self) -> frozenset[str]:
        return frozenset()

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        return {
            path: [byte_edit(self._suite.of(path).text, at, at, visible) for at, visible in sorted(opened.items())]
            for path, opened in self._opened.items()
        }

    def _open(self, function: StepFunction) -> None:
        visibility = next((child for child in function.node.children if child.type == "visibility_modifier"), None)
        if visibility is None:
            opened = self._opened.setdefault(function.definition.path, {})
            opened[function.node.start_byte] = "pub(super) "
        elif b"pub(in" in (visibility.text or b"") or b"self" in (visibility.text or b""):
            raise NotCallableError(f"the function of “{function.definition.shown}” is not public")

    def _has_parent_of(self, *modules: PurePath) -> bool:
        """True if one file declares all of these modules, which are in one folder. A file of `tests/` that no file
        declares is a crate of its own."""
        folder = modules[0].parent
        candidates = [folder / f"{name}.rs" for name in _ROOTS] + [folder.with_suffix(".rs")]
        texts = [self._suite.text(candidate.as_posix()) for candidate in candidates]
        texts += [source.text for source in self._suite.beside(self._home.path)]
        return any(text is not None and all(_declares(text, module.stem) for module in modules) for text in texts)


def _declares(text: str, module: str) -> bool:
    return re.search(rf"(?m)^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+{re.escape(module)}\s*;", text) is not None


def _is_child(module: PurePath, of: PurePath) -> bool:
    """True if a module's file is where `of` would have it."""
    if of.stem in _ROOTS or of.parent.name == "tests":
        return module.parent == of.parent
    return module.parent == of.with_suffix("")
