"""Files with functions that step functions may call: found by folder, cut at their functions, and parsed when a
function is named."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import SharedFolder
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.paths import join
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.functions.writer import File
from cukereuse_engine.glue.languages.base import language_for

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_FILES = 2_000
"""The number of files of one World that are searched."""

Listing = Callable[[str], Sequence[str]]
"""The names in a folder, with a slash after those of folders; empty if it can't be read."""


def list_folder(folder: str) -> list[str]:
    """The files and folders on disk."""
    try:
        with os.scandir(folder or ".") as entries:
            return [entry.name + "/" * entry.is_dir(follow_symlinks=False) for entry in entries]
    except (OSError, ValueError):
        return []


@dataclass(slots=True)
class ModuleFile:
    """One file that may hold helpers."""

    source: bytes
    language: str
    pieces: dict[str, list[bytes]]
    """Maps the name of a function to its text up to the next one; "" is the text before the first."""
    file: File | None = None
    functions: "dict[str, list[Node]]" = field(default_factory=dict)


class ModuleFiles:
    """The files of a suite that may contain helpers, read when they are needed."""

    def __init__(self, read: Callable[[str], bytes | None], listing: Listing = list_folder) -> None:
        self.read = read
        self._listing = listing
        self._modules: dict[str, ModuleFile | None] = {}
        self._worlds: dict[tuple[str, str], dict[str, list[str]]] = {}
        """Maps (folder, language) of files that share functions to the files that define each name."""

    def copy(self, read: Callable[[str], bytes | None]) -> "ModuleFiles":
        """The same files, as far as they were read, for another reader; each parses for itself."""
        other = ModuleFiles(read, self._listing)
        for path, module in self._modules.items():
            other._modules[path] = module and ModuleFile(module.source, module.language, module.pieces)
        other._worlds = {where: world.copy() for where, world in self._worlds.items()}
        return other

    def changed_names(self, path: str, source: bytes | None) -> frozenset[str]:
        """The names of functions that an edit of a file changes; forms that contain one of them are out of date. Empty
        if no function has changed, or if nothing of the file was used."""
        language = language_of(path)
        before = self._modules.get(path)
        shared = self._worlds_with(path, language)
        if path not in self._modules and not shared:
            return frozenset()
        after = _pieces(source, language) if source is not None else {}
        pieces = before.pieces if before is not None else {}
        changed = {name for name in pieces.keys() | after.keys() if pieces.get(name) != after.get(name)}
        if "" in changed and before is not None:
            changed.update(pieces, after)
        changed.discard("")
        if not changed:
            return frozenset()
        self._modules.pop(path, None)
        for world in shared:
            for name in changed:
                paths = [other for other in world.get(name, ()) if other != path]
                world[name] = [*paths, path] if name in after else paths
        return frozenset(changed).union(self._naming(changed))

    def _worlds_with(self, path: str, language: str) -> list[dict[str, list[str]]]:
        """The worlds that have the functions of a file."""
        return [
            world
            for (folder, world_language), world in self._worlds.items()
            if world_language == language and _is_in(path, folder, language)
        ]

    def _naming(self, names: set[str]) -> Iterator[str]:
        """The functions of all files that name one of these, directly or through another function."""
        texts = {name: b"\n".join(text) for module in self._modules.values() if module is not None
                for name, text in module.pieces.items() if name}  # fmt: skip
        reached, waiting = set(names), list(names)
        while waiting:
            word = re.compile(rb"\b%s\b" % re.escape(waiting.pop().encode()))
            more = [name for name, text in texts.items() if name not in reached and word.search(text)]
            reached.update(more)
            waiting += more
            yield from more

    def world(self, folder: str, language: str) -> dict[str, list[str]]:
        """Maps functions that share a folder to the files that define them: one package of Go, or all below a World."""
        cached = self._worlds.get((folder, language))
        if cached is None:
            cached = self._worlds[folder, language] = {}
            below = GRAMMARS[language].sharing is SharedFolder.BELOW
            paths = self._below(folder, language) if below else self._in(folder, language)
            for path in paths:
                module = self.at(path)
                for name in module.pieces if module is not None else ():
                    cached.setdefault(name, []).append(path)
        return cached

    def _in(self, folder: str, language: str) -> Iterator[str]:
        yield from (join(folder, name) for name in sorted(self._listing(folder)) if language_of(name) == language)

    def _below(self, folder: str, language: str) -> Iterator[str]:
        waiting, left = [folder], _MOST_FILES
        while waiting and left > 0:
            here = waiting.pop()
            for name in sorted(self._listing(here)):
                if name.endswith("/") and name not in ("node_modules/", "vendor/", ".git/"):
                    waiting.append(join(here, name[:-1]))
                elif language_of(name) == language:
                    left -= 1
                    yield join(here, name)

    def at(self, path: str) -> ModuleFile | None:
        """A file, cut at its functions; None if it can't be read or contains no helpers."""
        if path not in self._modules:
            source, language = self.read(path), language_of(path)
            self._modules[path] = (
                ModuleFile(source, language, _pieces(source, language)) if source and language else None
            )
        return self._modules[path]

    def parsed(self, path: str) -> ModuleFile | None:
        """A file with its functions by name."""
        module = self.at(path)
        if module is not None and module.file is None:
            try:
                parsed = parse(path, module.source, module.language)
                grammar = GRAMMARS[module.language]
                names = Names(parsed, grammar)
            except Exception:  # too slow or too deep: only this file is left out
                self._modules[path] = None
                return None
            module.file = File(parsed, grammar, names)
            module.functions = dict(names.functions)
            for class_ in names.classes if grammar.receivers else ():
                type_name = class_.id.rpartition(":")[2]
                module.functions |= {f"{type_name}.{name}": nodes for name, nodes in class_.methods.items()}
        return module

    def defines(self, path: str, name: str) -> bool:
        """True if a function of a file has this name, as far as its text tells."""
        module = self.at(path)
        return module is not None and name in module.pieces

    def has(self, path: str, name: str) -> bool:
        """True if exactly one function of a file has this name."""
        module = self.parsed(path)
        return module is not None and len(module.functions.get(name, ())) == 1


@lru_cache(4096)
def language_of(path: str) -> str:
    """The id of the language of a file that may contain helpers; empty for others."""
    language = language_for(path)
    return language.id if language is not None and GRAMMARS[language.id].functions_begin is not None else ""


def _pieces(source: bytes, language: str) -> dict[str, list[bytes]]:
    pieces: dict[str, list[bytes]] = {}
    name, start = "", 0
    begins = GRAMMARS[language].functions_begin if language else None
    for match in begins.finditer(source) if begins is not None else ():
        pieces.setdefault(name, []).append(source[start : match.start()].strip())
        name, start = next(group for group in match.groups() if group).decode("utf-8", "replace"), match.start()
    pieces.setdefault(name, []).append(source[start:].strip())
    return pieces


def _is_in(path: str, folder: str, language: str) -> bool:
    """True if a file shares its functions with those of a folder. A package of Go is one folder."""
    around = PurePath(path).parent
    return (
        around.is_relative_to(folder)
        if GRAMMARS[language].sharing is SharedFolder.BELOW
        else around == PurePath(folder)
    )
