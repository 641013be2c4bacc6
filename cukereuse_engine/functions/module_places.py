"""The place of a named function: in an imported module, a Go package, a Ruby World."""

import os
import re
from collections.abc import Callable, Iterator, Sequence

from cukereuse_engine.functions.boundary import world_of
from cukereuse_engine.functions.grammar import Grammar, SharedFolder
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.module_files import ModuleFiles, language_of
from cukereuse_engine.functions.paths import above, join
from cukereuse_engine.functions.tokens import MEMBER, NAME, OWN, parts_of

_GO_MODULE = re.compile(rb"^module[ \t]+(\S+)", re.MULTILINE)
_MOST_PLACES = 4
"""The number of files with one name up to which they are compared; more are classes of one kind."""


class ModulePlaces:
    """The places of functions in other files, by the names that a file uses."""

    def __init__(self, files: ModuleFiles) -> None:
        self._files = files
        self._paths: dict[tuple[str, str, str], str | None] = {}
        """Maps (module, importing folder, language) to the module's file."""
        self._roots: dict[str, tuple[str, str] | None] = {}
        """Maps a folder of Go files to the root of its module and the module's name."""

    def copy(self, files: ModuleFiles) -> "ModulePlaces":
        """The same places in a copy of the files."""
        other = ModulePlaces(files)
        other._paths, other._roots = self._paths.copy(), self._roots.copy()
        return other

    def forget_files(self) -> None:
        """Forget which file contains which module: a file has changed."""
        self._paths.clear()

    def elsewhere(self, path: str) -> Callable[[str], bool]:
        """A predicate that is true if a token of a function may name a function of another file."""
        language = language_of(path)
        sharing = GRAMMARS[language].sharing if language else SharedFolder.NONE
        if sharing is SharedFolder.BELOW:
            folder = world_of(path)
            world = self._files.world(folder, language) if folder is not None else {}
            return lambda token: token[:1] == NAME and token[1:] in world
        if sharing is SharedFolder.FOLDER:
            return lambda token: token[:1] == OWN or token[-1:] == "\0"
        return lambda token: token[:1] == NAME and "\0" in token

    def place_of(self, tokens: Sequence[str], at: int, path: str) -> tuple[str, str, str, int] | None:
        """File, name and owner (a Go type) of the function that is named at a place, and the number of its tokens."""
        token, language = tokens[at], language_of(path)
        following = tokens[at + 1][1:] if at + 1 < len(tokens) and tokens[at + 1][:1] == MEMBER else ""
        grammar = GRAMMARS.get(language)
        if grammar is None:
            return None
        if grammar.sharing is SharedFolder.BELOW:
            return self._of_world(token, path) if token[:1] == NAME else None
        if grammar.sharing is SharedFolder.FOLDER:
            return self._of_package(token, following, path)
        return self._of_module(token, following, path, grammar) if token[:1] == NAME and "\0" in token else None

    def _of_module(self, token: str, following: str, path: str, grammar: Grammar) -> tuple[str, str, str, int] | None:
        if grammar.modules is None:
            return None
        module, name = token[1:].split("\0")[:2]
        if name and (file := self._file_of(module, path, grammar.modules)) and self._files.defines(file, name):
            return file, name, "", 1
        inner = name not in ("", "default")
        if not following or (inner and not grammar.submodules):
            return None
        file = self._file_of(f"{module}.{name}" if inner else module, path, grammar.modules)
        return (file, following, "", 2) if file and self._files.defines(file, following) else None

    def _file_of(self, module: str, path: str, modules: Callable[[str, str], Iterator[str]]) -> str | None:
        """The file of a module, seen from a file at `path` that imports it."""
        key = (module, os.path.dirname(path), language_of(path))  # noqa: PTH120
        if key not in self._paths:
            self._paths[key] = next(
                (candidate for candidate in modules(module, path) if self._files.at(candidate) is not None), None
            )
        return self._paths[key]

    def _of_world(self, token: str, path: str) -> tuple[str, str, str, int] | None:
        name = token[1:]
        folder = world_of(path)
        if folder is None or not (name.isidentifier() or name[:-1].isidentifier()):
            return None
        paths = self._files.world(folder, language_of(path)).get(name, [])
        places = [path for path in paths if self._files.has(path, name)] if len(paths) <= _MOST_PLACES else []
        return (places[0], name, "", 1) if len(places) == 1 else None

    def _of_package(self, token: str, following: str, path: str) -> tuple[str, str, str, int] | None:
        if token[:1] == OWN:
            owner, name = parts_of(token)
            folder, _, type_name = owner.partition(":")
            length = 1
        elif following and token.endswith("\0"):
            folder, type_name, name, length = self._go_folder(token[1:-1], path) or "", "", following, 2
        else:
            return None
        paths = self._files.world(folder, language_of(path)).get(name, []) if folder or token[:1] == OWN else []
        places = [path for path in paths if self._files.has(path, f"{type_name}.{name}" if type_name else name)]
        return (places[0], name, type_name, length) if len(places) == 1 else None

    def _go_folder(self, package: str, path: str) -> str | None:
        """The folder of a package in the same Go module."""
        folder = os.path.dirname(path)  # noqa: PTH120
        if folder not in self._roots:
            self._roots[folder] = next(
                ((above, match[1].decode("utf-8", "replace")) for above in above(path)
                 if (data := self._files.read(join(above, "go.mod"))) and (match := _GO_MODULE.search(data))),
                None,
            )  # fmt: skip
        root = self._roots[folder]
        if root is None or not (package == root[1] or package.startswith(root[1] + "/")):
            return None
        return join(root[0], package[len(root[1]) :].strip("/")).rstrip("/")
