"""Functions of other files that step functions call: what was imported, what a Go package or a Ruby World shares.

A file is read when a form names something that may stand in it; what is not found stays a name. `put_in_place` writes
such helpers where they are named, as a file's own are; `told` says whether what looks like logging is the suite's own.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.boundary import world_of
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.helpers import MAX_DEPTH, MAX_TOKENS, substitute
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.normal_form import File, Writer
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.functions.tokens import CLOSE, LOGS, MEMBER, NAME, OPEN, OWN, PARAMETER, own, parts_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SCRIPTS = ("", ".ts", ".js", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", "/index.ts", "/index.js")
_DEFINED = {
    "ruby": re.compile(rb"^[ \t]*def[ \t]+(\w+[?!]?)", re.MULTILINE),
    "go": re.compile(rb"^func[ \t]+(?:\([^)\n]*\)[ \t]*)?(\w+)", re.MULTILINE),
    "python": re.compile(rb"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE),
    "javascript": re.compile(
        rb"^(?:export[ \t]+)?(?:default[ \t]+)?"
        rb"(?:(?:async[ \t]+)?function\*?[ \t]+(\w+)|(?:const|let|var)[ \t]+(\w+)[ \t]*=)",
        re.MULTILINE,
    ),
}
_DEFINED["typescript"] = _DEFINED["javascript"]
"""Where a file's functions begin, by language: tells which files to parse, and what an edit changed."""
_GO_MODULE = re.compile(rb"^module[ \t]+(\S+)", re.MULTILINE)
_MOST_FOLDERS = 12
"""Folders above a file in which a module is looked for."""
_MOST_FILES = 2_000
"""Files of one World that are looked through."""
_MOST_PLACES = 4
"""Files that define one name: more are classes of one kind."""

Listing = Callable[[str], Sequence[str]]
"""The names in a folder, those of folders with a slash behind; empty for what can't be read."""


def list_folder(folder: str) -> list[str]:
    """What the disk holds."""
    try:
        with os.scandir(folder or ".") as entries:
            return [entry.name + "/" * entry.is_dir(follow_symlinks=False) for entry in entries]
    except (OSError, ValueError):
        return []


@dataclass(slots=True)
class _Module:
    """One file that holds helpers."""

    source: bytes
    language: str
    pieces: dict[str, list[bytes]]
    """Name of a function, to its text up to the next one; "" for what stands before the first."""
    file: File | None = None
    functions: "dict[str, list[Node]]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Helper:
    """What a function of another file does."""

    statements: tuple[tuple[str, ...], ...]
    signature: tuple[str, ...]
    parameters: int | None
    """None where some are taken apart."""

    @property
    def tokens(self) -> tuple[str, ...]:
        inside = (*self.signature, *(token for statement in self.statements for token in (*statement, ";")))
        return (f"{OPEN}own", *inside, CLOSE)


class Modules:
    """The helpers of a suite's files. Not for several threads at once."""

    def __init__(self, read: Callable[[str], bytes | None], listing: Listing = list_folder) -> None:
        self._read, self._listing = read, listing
        self._modules: dict[str, _Module | None] = {}
        self._worlds: dict[tuple[str, str], dict[str, list[str]]] = {}
        """(folder, language) of what shares its functions, to the files in which each name is defined."""
        self._found: dict[tuple[str, str, str], str | None] = {}
        self._helpers: dict[tuple[str, str, str, int], _Helper | None] = {}
        self._roots: dict[str, tuple[str, str] | None] = {}

    # -- keeping up to date

    def changed_names(self, path: str, source: bytes | None) -> frozenset[str]:
        """Names of functions that are others now that a file is: what forms that name one of them hold is out of date.
        Empty where nothing of the file was asked for, or no function is another."""
        language = language_of(path)
        before = self._modules.get(path)
        shared = [
            world
            for (folder, known), world in self._worlds.items()
            if known == language and _is_in(path, folder, language)
        ]
        if before is None and path not in self._modules and not shared:
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
                paths = [one for one in world.get(name, ()) if one != path]
                world[name] = [*paths, path] if name in after else paths
        self._found.clear()
        self._helpers.clear()
        return frozenset(changed).union(self._naming(changed))

    def _naming(self, names: set[str]) -> Iterator[str]:
        """Functions of all files that name one of these, themselves or by another one."""
        told = {name: b"\n".join(text) for module in self._modules.values() if module is not None
                for name, text in module.pieces.items() if name}  # fmt: skip
        found, waiting = set(names), list(names)
        while waiting:
            word = re.compile(rb"\b%s\b" % re.escape(waiting.pop().encode()))
            more = [name for name, text in told.items() if name not in found and word.search(text)]
            found.update(more)
            waiting += more
            yield from more

    # -- what is asked

    def told(self, tokens: Sequence[str], path: str) -> tuple[str, ...]:
        """Without what only tells what goes on. What may be logging by its name is kept where it is a function of the
        suite's own that does something else."""
        if LOGS not in tokens:
            return tuple(tokens)
        found: list[str] = []
        at = 0
        while at < len(tokens):
            if tokens[at] != LOGS:
                found.append(tokens[at])
                at += 1
                continue
            end = _end_of(tokens, at)
            inside = tokens[at + 1 : end]
            if self._does_something(inside, path):
                found += self.told(inside, path)
            at = end + 1
        return tuple(found)

    def _does_something(self, tokens: Sequence[str], path: str) -> bool:
        if not tokens:
            return False
        known, _ = self._helper([one for one in tokens if one[:1] in (NAME, OWN)], 0, path, 0, frozenset())
        return known is not None and bool(known.statements)

    def put_in_place(
        self,
        statements: Sequence[tuple[str, ...]],
        path: str,
        depth: int = 0,
        active: frozenset[str] = frozenset(),
    ) -> tuple[tuple[str, ...], ...]:
        """The statements of a function of a file, with helpers of other files in place of their names. Of one that only
        calls a helper, what that does."""
        if not language_of(path):
            return tuple(statements)
        only = self._replaced(statements[0], path, depth, active) if len(statements) == 1 else None
        return only or tuple(self._inserted(statement, path, depth, active) for statement in statements)

    def _inserted(self, tokens: Sequence[str], path: str, depth: int, active: frozenset[str]) -> tuple[str, ...]:
        found: list[str] = []
        at = 0
        while at < len(tokens):
            helper, length = (
                self._helper(tokens, at, path, depth, active) if tokens[at][:1] in (NAME, OWN) else (None, 1)
            )
            told = helper.tokens if helper is not None else ()
            found += told if 2 < len(told) <= MAX_TOKENS else tokens[at : at + length]
            at += length
        return tuple(found)

    def _replaced(
        self, tokens: tuple[str, ...], path: str, depth: int, active: frozenset[str]
    ) -> tuple[tuple[str, ...], ...] | None:
        """What the helper does whose call is the whole statement, with what it is handed."""
        helper, length = self._helper(tokens, 0, path, depth, active) if tokens[0][:1] in (NAME, OWN) else (None, 1)
        rest = tokens[length:]
        if helper is None or not helper.statements:
            return None
        if rest and (rest[0] != f"{OPEN}call" or _end_of(rest, 0) != len(rest) - 1):
            return None
        arguments = [self._inserted(one, path, depth, active) for one in _arguments(rest[1:-1])]
        if len(arguments) != helper.parameters:
            return None
        handed = {f"{PARAMETER}{index}": argument for index, argument in enumerate(arguments)}
        return tuple(substitute(statement, handed) for statement in helper.statements)

    def owner(self, token: str, path: str) -> str:
        """The `OWN` token of the function that an imported name stands for; the token itself where that is not told."""
        if token[:1] != NAME or "\0" not in token:
            return token
        place = self._place((token,), 0, path)
        return own(PurePath(place[0]).as_posix(), place[1]) if place is not None else token

    def _helper(
        self, tokens: Sequence[str], at: int, path: str, depth: int, active: frozenset[str]
    ) -> tuple[_Helper | None, int]:
        """The function that is named at a place, and how many tokens name it."""
        if depth >= MAX_DEPTH:
            return None, 1
        place = self._place(tokens, at, path)
        if place is None or f"{place[0]}\0{place[1]}" in active:
            return None, 1
        where, name, owner, length = place
        key = (where, owner, name, depth)
        if key not in self._helpers:
            self._helpers[key] = self._written(where, owner, name, depth, active)
        return self._helpers[key], length if self._helpers[key] is not None else 1

    def _written(self, path: str, owner: str, name: str, depth: int, active: frozenset[str]) -> _Helper | None:
        module = self._parsed(path)
        functions = module.functions.get(f"{owner}.{name}" if owner else name, []) if module is not None else []
        if module is None or module.file is None or len(functions) != 1:
            return None
        writer = Writer(module.file, functions[0], None, 1)
        told = [self.told(statement, path) for statement in writer.statements()]
        inside = active | {f"{path}\0{name}"}
        statements = self.put_in_place([one for one in told if one], path, depth + 1, inside) if any(told) else ()
        plain = all(one.pattern is None for one in writer.parameters)
        return _Helper(statements, writer.signature(), len(writer.parameters) if plain else None)

    # -- where a name stands

    def _place(self, tokens: Sequence[str], at: int, path: str) -> tuple[str, str, str, int] | None:
        """File, name and owner (a Go type) of the function that is named at a place, and the number of its tokens."""
        token, language = tokens[at], language_of(path)
        following = tokens[at + 1][1:] if at + 1 < len(tokens) and tokens[at + 1][:1] == MEMBER else ""
        if language == "ruby":
            return self._of_world(token, path) if token[:1] == NAME else None
        if language == "go":
            return self._of_package(token, following, path)
        if token[:1] != NAME or "\0" not in token or language not in ("python", "javascript", "typescript"):
            return None
        module, name = token[1:].split("\0")[:2]
        if name and (file := self._file_of(module, path, language)) and self._defines(file, name):
            return file, name, "", 1
        if not following:
            return None
        inner = name not in ("", "default")
        if inner and language != "python":
            return None
        file = self._file_of(f"{module}.{name}" if inner else module, path, language)
        return (file, following, "", 2) if file and self._defines(file, following) else None

    def _defines(self, path: str, name: str) -> bool:
        module = self._module(path)
        return module is not None and name in module.pieces

    def _file_of(self, module: str, path: str, language: str) -> str | None:
        """The file of a module, as a file at `path` imports it."""
        key = (module, os.path.dirname(path), language)  # noqa: PTH120
        if key not in self._found:
            candidates = _python_files(module, path) if language == "python" else _script_files(module)
            self._found[key] = next((one for one in candidates if self._module(one) is not None), None)
        return self._found[key]

    def _of_world(self, token: str, path: str) -> tuple[str, str, str, int] | None:
        name = token[1:]
        folder = world_of(path)
        if folder is None or not (name.isidentifier() or name[:-1].isidentifier()):
            return None
        paths = self._world(folder, "ruby").get(name, [])
        places = [one for one in paths if self._has(one, name)] if len(paths) <= _MOST_PLACES else []
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
        paths = self._world(folder, "go").get(name, []) if folder or token[:1] == OWN else []
        places = [one for one in paths if self._has(one, f"{type_name}.{name}" if type_name else name)]
        return (places[0], name, type_name, length) if len(places) == 1 else None

    def _has(self, path: str, name: str) -> bool:
        module = self._parsed(path)
        return module is not None and len(module.functions.get(name, ())) == 1

    def _go_folder(self, package: str, path: str) -> str | None:
        """The folder of a package of the same Go module."""
        folder = os.path.dirname(path)  # noqa: PTH120
        if folder not in self._roots:
            self._roots[folder] = next(
                ((above, found[1].decode("utf-8", "replace")) for above in _above(path)
                 if (data := self._read(_join(above, "go.mod"))) and (found := _GO_MODULE.search(data))),
                None,
            )  # fmt: skip
        root = self._roots[folder]
        if root is None or not (package == root[1] or package.startswith(root[1] + "/")):
            return None
        return _join(root[0], package[len(root[1]) :].strip("/")).rstrip("/")

    def _world(self, folder: str, language: str) -> dict[str, list[str]]:
        """Where the functions that share a folder stand: one package of Go, all below of a World's."""
        known = self._worlds.get((folder, language))
        if known is None:
            known = self._worlds[folder, language] = {}
            paths = self._below(folder, ".rb") if language == "ruby" else self._in(folder, ".go")
            for path in paths:
                module = self._module(path)
                for name in module.pieces if module is not None else ():
                    known.setdefault(name, []).append(path)
        return known

    def _in(self, folder: str, suffix: str) -> Iterator[str]:
        yield from (_join(folder, name) for name in sorted(self._listing(folder)) if name.endswith(suffix))

    def _below(self, folder: str, suffix: str) -> Iterator[str]:
        waiting, left = [folder], _MOST_FILES
        while waiting and left > 0:
            here = waiting.pop()
            for name in sorted(self._listing(here)):
                if name.endswith("/") and name not in ("node_modules/", "vendor/", ".git/"):
                    waiting.append(_join(here, name[:-1]))
                elif name.endswith(suffix):
                    left -= 1
                    yield _join(here, name)

    # -- reading

    def _module(self, path: str) -> _Module | None:
        if path not in self._modules:
            source, language = self._read(path), language_of(path)
            told = source is not None and language in _DEFINED
            self._modules[path] = _Module(source, language, _pieces(source, language)) if told and source else None
        return self._modules[path]

    def _parsed(self, path: str) -> _Module | None:
        module = self._module(path)
        if module is not None and module.file is None:
            try:
                parsed = parse(path, module.source, module.language)
                grammar = GRAMMARS[module.language]
                names = Names(parsed, grammar, module.language)
            except Exception:  # too slow or too deep: what one file does costs that file alone
                self._modules[path] = None
                return None
            module.file = File(parsed, grammar, module.language, names)
            module.functions = dict(names.functions)
            for one in names.classes if module.language == "go" else ():
                type_name = one.id.rpartition(":")[2]
                module.functions |= {f"{type_name}.{name}": nodes for name, nodes in one.methods.items()}
        return module


@lru_cache(4096)
def language_of(path: str) -> str:
    """The id of the language of a file that may hold helpers; empty for others."""
    return _LANGUAGES.get(PurePath(path).suffix.lower(), "")


_LANGUAGES = {
    **{".rb": "ruby", ".go": "go", ".py": "python"},
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), "typescript"),
}


def _pieces(source: bytes, language: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    name, start = "", 0
    for match in _DEFINED[language].finditer(source) if language in _DEFINED else ():
        found.setdefault(name, []).append(source[start : match.start()].strip())
        name, start = next(group for group in match.groups() if group).decode("utf-8", "replace"), match.start()
    found.setdefault(name, []).append(source[start:].strip())
    return found


def _end_of(tokens: Sequence[str], start: int) -> int:
    """Where the group that begins at `start` ends."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at][:1] == OPEN) - (tokens[at] == CLOSE)
        if depth == 0:
            return at
    return len(tokens) - 1


def _arguments(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """What a call is handed, one by one: members and calls belong to what stands before them."""
    found: list[tuple[str, ...]] = []
    at = 0
    while at < len(tokens):
        end = _end_of(tokens, at) + 1 if tokens[at][:1] == OPEN else at + 1
        while end < len(tokens) and (tokens[end][:1] == MEMBER or tokens[end] == f"{OPEN}call"):
            end = _end_of(tokens, end) + 1 if tokens[end][:1] == OPEN else end + 1
        found.append(tuple(tokens[at:end]))
        at = end
    return found


def _is_in(path: str, folder: str, language: str) -> bool:
    """Whether a file shares its functions with those of a folder: Go's packages are one folder each."""
    around = PurePath(path).parent
    return around == PurePath(folder) if language == "go" else around.is_relative_to(folder)


def _join(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}" if folder else name


def _above(path: str) -> Iterator[str]:
    """The folder of a file and those above it; "" for the one that relative paths start from."""
    for count, folder in enumerate(PurePath(path).parents):
        if count >= _MOST_FOLDERS:
            return
        yield "" if str(folder) == "." else folder.as_posix()


def _script_files(module: str) -> Iterator[str]:
    if module.startswith(("/", "./", "../")) or module[1:3] == ":/":
        plain = module.removeprefix("./")
        yield from (plain + suffix for suffix in _SCRIPTS)


def _python_files(module: str, path: str) -> Iterator[str]:
    if module.startswith(("/", "./")):
        starts: Iterable[str] = ("",)
        plain = module.removeprefix("./")
    else:
        starts, plain = _above(path), module.replace(".", "/")
    for folder in starts:
        yield from (_join(folder, plain) + suffix for suffix in (".py", "/__init__.py"))
