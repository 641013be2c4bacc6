"""Functions of two modules of one build that do the same: what they name is one class, or a class and its copy.

Classes of two modules may have one name and be other things, so that equal tokens say nothing there. Where both
modules have a class of a name, the sources of both tell: they are copies where their code is equal, and all that it
names is one class or a copy in its turn. What neither module has comes from outside, and is one thing by its full name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.module_files import Listing, join
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.functions.tokens import INJECTED, NAME, OWN, loosened, parts_of

_LANGUAGES = {".java": "java", ".kt": "kotlin", ".cs": "csharp"}
_BUILT = frozenset(("target", "build", "out", "bin", "obj", "node_modules", "packages"))
"""Folders that no person writes."""
_MOST_FOLDERS = 4_000
_TYPE = "t"
_NAMING = frozenset((NAME, OWN, INJECTED, _TYPE))
_QUALIFIER = re.compile(r"(?:\w+\.)+(?=\w)")
_QUALIFIED = re.compile(r"[\w.]+")
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|/\*.*?\*/', re.DOTALL)
_IMPORT = re.compile(r"^[ \t]*(?:import|using)[ \t]+(?:static[ \t]+)?([\w.*= ]+?)[ \t]*;?[ \t]*$", re.MULTILINE)
_PACKAGE = re.compile(r"^[ \t]*(?:package|namespace)[ \t]+([\w.]+)[ \t]*;?", re.MULTILINE)
_CLASS_NAME = re.compile(r"\b[A-Z]\w*")
_SPACE = re.compile(r"\s+")


def unqualified(tokens: Sequence[str]) -> list[str]:
    """Tokens in which classes have no packages."""
    return [_unqualified(token) if token[:1] in _NAMING else token for token in tokens]


def _unqualified(token: str) -> str:
    if token[:1] == NAME and "\0" in token:
        module, name = parts_of(token)
        return f"{NAME}{_owner(module)}\0{name}"
    return _QUALIFIER.sub("", token)


def _owner(module: str) -> str:
    """The class that a static import is of; empty for packages."""
    last = module.rpartition(".")[2]
    return last if last[:1].isupper() and "|" not in module else ""


@dataclass(frozen=True)
class _Source:
    """A source file without what only says where it stands."""

    path: str
    text: str

    @cached_property
    def package(self) -> str:
        match = _PACKAGE.search(self.text)
        return match[1] if match else ""

    @cached_property
    def imports(self) -> tuple[str, ...]:
        return tuple(sorted(_IMPORT.findall(self.text)))

    @cached_property
    def code(self) -> str:
        plain = _COMMENT.sub(lambda match: match[1] or " ", self.text)
        return _SPACE.sub(" ", _PACKAGE.sub("", _IMPORT.sub("", plain))).strip()

    @cached_property
    def classes(self) -> frozenset[str]:
        """What may be classes, of all that it names."""
        return frozenset(_CLASS_NAME.findall(self.code))

    def packages_of(self, name: str) -> tuple[str, ...]:
        """Where a class that it names may stand; an empty one where no import says it."""
        packages = [imported.rpartition(".")[0] for imported in self.imports if imported.rpartition(".")[2] == name]
        return tuple(packages) or (
            "",
            self.package,
            *(imported[:-2] for imported in self.imports if imported.endswith(".*")),
        )


@dataclass(frozen=True, slots=True)
class _Seen:
    """A class as a module sees it."""

    name: str
    packages: tuple[str, ...]
    """Those that it may be of; an empty one: that is not told."""
    module: str
    suffix: str
    """Of the module's sources."""


class Copies:
    """What modules of one build have twice. Not for several threads at once."""

    def __init__(self, read: Callable[[str], bytes | None], listing: Listing, module_of: Callable[[str], str]) -> None:
        """`module_of`: the folder of the module that a source is of."""
        self._read, self._listing, self._module_of = read, listing, module_of
        self._files: dict[tuple[str, str], dict[str, list[str]]] = {}
        """By module and suffix: where the files of each name stand."""
        self._sources: dict[str, _Source | None] = {}
        self._members: dict[str, dict[str, Class]] = {}
        self._told: dict[tuple[str, str], bool] = {}

    def forget(self, path: str) -> None:
        """A file is new, changed or gone."""
        if _suffix(path) in _LANGUAGES:
            self._told.clear()
            self._files.clear()
            self._sources.pop(path, None)
            self._members.pop(path, None)

    def same(self, mine: Sequence[str], path: str, theirs: Sequence[str], other: str) -> bool:
        """Whether what the tokens of two functions name, each of a source in a module of its own, is the same."""
        return len(mine) == len(theirs) and all(
            left[:1] not in _NAMING or self._is_same(left, path, right, other)
            for left, right in zip(mine, theirs, strict=True)
        )

    def loosely_same(self, mine: Sequence[str], path: str, theirs: Sequence[str], other: str) -> bool:
        """The same where fields count by their types."""
        return self.same(loosened(mine), path, loosened(theirs), other)

    # -- two tokens

    def _is_same(self, left: str, path: str, right: str, other: str) -> bool:
        if _unqualified(left) != _unqualified(right):
            return False
        if left[:1] == OWN:
            (owner, name), (its_owner, _) = parts_of(left), parts_of(right)
            mine, theirs = self._class(owner, path), self._class(its_owner, other)
            if mine is not None and theirs is not None:
                return self._is_same_member(mine, path, theirs, other, name)
        pairs = zip(self._classes_in(left, path), self._classes_in(right, other), strict=False)
        return all(self._is_one(one, two) for one, two in pairs)

    def _is_same_member(self, mine: Class, path: str, theirs: Class, other: str, name: str) -> bool:
        """Of the two functions' own classes: fields by type and value, methods by their code."""
        sources = self._source(path), self._source(other)
        told = _told_of(mine, name)
        if sources[0] is None or sources[1] is None or not told or told != _told_of(theirs, name):
            return False
        return self._name_the_same(sources[0], sources[1], _CLASS_NAME.findall(told))

    # -- two classes

    def _is_one(self, mine: _Seen, theirs: _Seen) -> bool:
        """Whether it is one class, or one of each module that are copies."""
        paths = self._find(mine), self._find(theirs)
        if paths[0] is not None and paths[1] is not None and paths[0] != paths[1]:
            return self._are_copies(paths[0], paths[1])
        if paths[0] != paths[1] and mine.suffix == ".cs":
            return False  # what the other one names may be of another project
        return not (any(mine.packages) and any(theirs.packages)) or not set(mine.packages).isdisjoint(theirs.packages)

    def _are_copies(self, path: str, other: str) -> bool:
        key = (path, other)
        if key not in self._told:
            mine, theirs = self._source(path), self._source(other)
            self._told[key] = True  # while it is asked again
            if (
                mine is None
                or theirs is None
                or mine.code != theirs.code
                or not self._name_the_same(mine, theirs, mine.classes - {PurePath(path).stem})
            ):
                self._told = {pair: False for pair, are_copies in self._told.items() if not are_copies}
                self._told[key] = False
        return self._told[key]

    def _name_the_same(self, mine: _Source, theirs: _Source, names: Iterable[str]) -> bool:
        return all(self._is_one(self._seen(name, mine), self._seen(name, theirs)) for name in names)

    # -- what a file names

    def _seen(self, name: str, source: _Source) -> _Seen:
        return _Seen(name, source.packages_of(name), self._module_of(source.path), _suffix(source.path))

    def _classes_in(self, token: str, path: str) -> list[_Seen]:
        """The classes that a token names, as the source at `path` sees them."""
        module, suffix = self._module_of(path), _suffix(path)
        if token[:1] == NAME and "\0" in token:
            package, name = parts_of(token)
            owner = _owner(package)
            packages = (package.rpartition(".")[0],) if owner else tuple(package.split("|"))
            return [_Seen(owner or name, packages, module, suffix)]
        parts = (written.rpartition(".") for written in _QUALIFIED.findall(token[1:].replace("\0", " ")))
        return [_Seen(name, (package,), module, suffix) for package, _, name in parts if name[:1].isupper()]

    # -- files

    def _find(self, seen: _Seen) -> str | None:
        """The file of a class in a module; None where it has none, or several that may be meant."""
        paths = self._stems(seen.module, seen.suffix).get(seen.name, [])
        if seen.suffix != ".cs":  # folders are packages
            ends = [f"/{package.replace('.', '/')}/{seen.name}{seen.suffix}" for package in seen.packages if package]
            paths = [path for path in paths if any(f"/{PurePath(path).as_posix()}".endswith(end) for end in ends)]
        return paths[0] if len(paths) == 1 else None

    def _stems(self, module: str, suffix: str) -> dict[str, list[str]]:
        cached = self._files.get((module, suffix))
        if cached is None:
            cached = self._files[module, suffix] = {}
            for path in self._below(module, suffix):
                cached.setdefault(PurePath(path).stem, []).append(path)
        return cached

    def _below(self, folder: str, suffix: str) -> Iterator[str]:
        waiting, left = [folder], _MOST_FOLDERS
        while waiting and left:
            here, left = waiting.pop(), left - 1
            for name in sorted(self._listing(here)):
                if name.endswith("/"):
                    if name[:-1] not in _BUILT and not name.startswith("."):
                        waiting.append(join(here, name[:-1]))
                elif name.endswith(suffix):
                    yield join(here, name)

    def _source(self, path: str) -> _Source | None:
        if path not in self._sources:
            data = self._read(path)
            self._sources[path] = _Source(path, data.decode("utf-8", "replace")) if data is not None else None
        return self._sources[path]

    def _class(self, identity: str, path: str) -> Class | None:
        """A class that stands in a file."""
        if path not in self._members:
            language = _LANGUAGES.get(_suffix(path), "")
            data = self._read(path)
            try:
                names = Names(parse(path, data, language), GRAMMARS[language], language) if data and language else None
            except Exception:  # too slow or too deep: what one file does costs that file alone
                names = None
            self._members[path] = {class_.id: class_ for class_ in names.classes} if names is not None else {}
        return self._members[path].get(identity)


def _told_of(owner: Class, name: str) -> str:
    """The code of a member without its layout and packages; empty where the class has none of this name."""
    field = owner.fields.get(name)
    nodes = owner.methods.get(name, ()) if field is None else filter(None, (field.value,))
    code = " ; ".join(node.text.decode("utf-8", "replace") for node in nodes if node.text)
    if field is None and not code:
        return ""
    return _SPACE.sub(" ", f"{_QUALIFIER.sub('', field.type) if field is not None else ''} = {code}")


def _suffix(path: str) -> str:
    return PurePath(path).suffix.lower()
