"""Functions of two modules of one build that do the same: each of their names means one thing, or a thing and its copy.

Two modules may have different classes of one name, so that equal tokens prove nothing there. No import is followed: any
name in a function or file that some module declares must be declared by the same code in both modules, and so must all
names in this code. A name that no module declares is the same if both import it from one place. What may be two things
is never called one.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.grammars import GRAMMARS, Grammar
from cukereuse_engine.functions.module_files import Listing
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.paths import join
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.functions.tokens import INJECTED, NAME, OWN, is_literal, parts_of
from cukereuse_engine.glue.languages.base import language_for

_BUILT = frozenset(("target", "build", "out", "bin", "obj", "node_modules", "packages"))
"""Folders with generated files."""
_MOST_FOLDERS, _MOST_FILES = 8_000, 6_000
"""The size up to which a build is read."""
_TYPE = "t"
_NAMING = frozenset((NAME, OWN, INJECTED, _TYPE))
_QUALIFIER = re.compile(r"(?:\w+\.)+(?=\w)")
_LAYOUT = re.compile(
    r"""(?P<text>("{3,})[\s\S]*?\2|@\$?"(?:""|[^"])*"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"|\b(?:(?P<jvm>import)|(?<!\bglobal )using)[ \t]+(?P<static>static[ \t]+)?(?P<alias>\w+[ \t]*=[ \t]*)?"
    r"(?P<of>[\w.]+(?:\.\*)?)(?P<as>[ \t]+as[ \t]+\w+)?[ \t]*(?:;|$)"
    r"|\b(?:package|namespace)[ \t]+[\w.]+[ \t]*;?"
    r"|(?:\s|//[^\n]*|/\*[\s\S]*?\*/)+",
    re.MULTILINE,
)
_DECLARED = re.compile(
    r"\b(?:class|record|struct|interface|object|enum|typealias)\s+(?:(?:class|struct)\s+)?(\w+)"
    r"|\bglobal\s+using\s+(\w+)\s*="
    r"|\bdelegate\s+[\w.<>\[\]?, ]+?\s+(\w+)\s*[<(]"
    r"|\b(\w+)(?:<[^<>()]*>)?\s*\(\s*this\s+\w"  # an extension method
)
_PACKAGE = re.compile(r"^[ \t]*(?:package|namespace)[ \t]+([\w.]+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")


def unqualified(tokens: Sequence[str]) -> list[str]:
    """Tokens with the packages of classes removed."""
    return [_unqualified(token) if token[:1] in _NAMING else token for token in tokens]


def _unqualified(token: str) -> str:
    if token[:1] == NAME and "\0" in token:
        module, name = parts_of(token)
        owner = module.rpartition(".")[2]  # for a static import a class, else a package
        return f"{NAME}{owner if owner[:1].isupper() and '|' not in module else ''}\0{name}"
    return token[:1] + _QUALIFIER.sub("", token[1:])


@dataclass(frozen=True)
class _Source:
    """A source file."""

    text: str
    grammar: Grammar

    @cached_property
    def code(self) -> str:
        """The code without layout, and without everything that only states places; texts are kept."""
        parts, at = list[str](), 0
        for match in _LAYOUT.finditer(self.text):
            parts += (self.text[at : match.start()], match["text"] or _named(match))
            at = match.end()
        return "\n".join(filter(None, (*parts, self.text[at:])))

    @cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """The full names of its imports, with and without packages, by the name that the file or its code uses."""
        named: dict[str, tuple[str, str]] = {}
        for match in self._imports:
            name, other = match["of"], _WORD.findall(match["as"] or match["alias"] or "")[-1:]
            if not name.endswith("*") and (match["jvm"] or other):
                tokens_of_name = name, _without_package(name, bool(match["jvm"]))
                named |= dict.fromkeys((name.rpartition(".")[2], *other), tokens_of_name)
        return named

    @cached_property
    def whole_imports(self) -> frozenset[str]:
        """Packages and classes whose names are all imported."""
        return frozenset(
            match["of"].removesuffix(".*")
            for match in self._imports
            if (match["of"].endswith("*") if match["jvm"] else not match["alias"])
        )

    def takes_whole(self, name: str) -> bool:
        """True if it imports all names of the package or class that contains the name."""
        return name.rpartition(".")[0] in self.whole_imports

    @cached_property
    def _imports(self) -> list[re.Match[str]]:
        return [match for match in _LAYOUT.finditer(self.text) if match["of"]]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.code))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """The names that it may declare; some may be in comments only."""
        return self._declared(self.text)

    @cached_property
    def declared(self) -> frozenset[str]:
        return self._declared(self.code)

    def _declared(self, code: str) -> frozenset[str]:
        names = {name for names in _DECLARED.findall(code) for name in names if name}
        return frozenset(names.union(self.grammar.top_level.findall(self.text) if self.grammar.top_level else ()))


def _named(match: re.Match[str]) -> str:
    """The further name in an import: the class of a member, or an alias."""
    name = _without_package(match["of"] or "", bool(match["jvm"]))
    other = match["static"] or match["alias"] or match["as"] or "." in name
    return f"{match['alias'] or ''}{name}{match['as'] or ''}" if other else ""


def _without_package(name: str, is_jvm: bool) -> str:
    """The name that an import imports; for the JVM, with the class of the member."""
    parts = name.split(".")
    return ".".join(parts[-2:] if is_jvm and len(parts) > 1 and parts[-2][:1].isupper() else parts[-1:])


class Copies:
    """Compares the modules of one build. Not thread-safe."""

    def __init__(
        self, read: Callable[[str], bytes | None], listing: Listing, build: Callable[[str], tuple[str, str]]
    ) -> None:
        """`build`: the folders of a source's module and of its build; see `build_of`."""
        self._read, self._listing, self._build = read, listing, build
        self._paths: dict[str, list[str]] = {}
        """The sources of each build; empty if there are too many."""
        self._declaring: dict[str, dict[str, dict[str, list[str]]]] = {}
        """Maps build, name and module to the files that may declare the name."""
        self._packages: dict[str, set[str]] = {}
        """The packages of each build's sources."""
        self._sources: dict[str, _Source] = {}
        self._members: dict[str, dict[str, Class]] = {}
        self._copied: dict[tuple[str, str], bool] = {}

    def forget(self, path: str) -> None:
        """Forget a file that is new, changed or gone."""
        if _language_of(path):
            self._copied.clear()
            self._declaring.clear()
            self._members.pop(path, None)
            if self._sources.pop(path, None) is None:
                self._paths.clear()

    def same(self, mine: Sequence[str], path: str, theirs: Sequence[str], other: str) -> bool:
        """True if two functions, given as tokens, do the same; their sources are in modules of their own."""
        tokens = unqualified(mine)
        if tokens != unqualified(theirs) or not self._declarations(path):
            return False
        words: set[str] = set()
        for token, left, right in zip(tokens, mine, theirs, strict=True):
            if not is_literal(token):
                owner, name = parts_of(left)
                members = self._same_members(owner, path, parts_of(right)[0], other, name) if left[:1] == OWN else ""
                if members is None:
                    return False
                words.update(_WORD.findall(members or token[1:]))
        return self._name_the_same(words, path, other)

    # -- what functions have of their own classes

    def _same_members(self, owner: str, path: str, its_owner: str, other: str, name: str) -> str | None:
        """The code of a member of the functions' own classes, with that of the other members that it names and of their
        parents. Empty if the class is elsewhere, None if the two differ."""
        mine, theirs = self._class(owner, path), self._class(its_owner, other)
        if mine is None and theirs is None:
            return ""
        if mine is None or theirs is None or self._is_in_parts(owner, path) or self._is_in_parts(its_owner, other):
            return None
        codes = [_parents_of(mine)]
        if codes != [_parents_of(theirs)]:
            return None
        waiting, seen = [name], {name}
        while waiting:
            name = waiting.pop()
            tokens = _told_of(mine, name)
            if not tokens or tokens != _told_of(theirs, name):
                return None
            codes.append(tokens)
            declared = {word for word in _WORD.findall(tokens) if mine.holds(word) or theirs.holds(word)} - seen
            seen |= declared
            waiting += declared
        return " ".join(codes)

    def _is_in_parts(self, owner: str, path: str) -> bool:
        name = re.split(r"[.\0]", owner)[-1]
        module = self._build(path)[0]
        return len(self._declaring_files(self._declarations(path).get(name, {}).get(module, ()), name)) > 1

    # -- what files name

    def _name_the_same(self, words: Iterable[str], path: str, other: str) -> bool:
        """True if all words name the same, for two files and for the files that declare the names."""
        start = (path, other)
        came: dict[tuple[str, str], tuple[str, str] | None] = {start: None}
        waiting: list[tuple[Iterable[str], tuple[str, str]]] = [(words, start)]
        names = self._declarations(path)
        while waiting:
            words, here = waiting.pop()
            for name in self._meant(words, *here, names):
                pairs = self._pairs(name, *here) if name in names else () if name else None
                for pair in pairs if pairs is not None else (None,):
                    if pair is None or self._copied.get(pair) is False or self._code(pair[0]) != self._code(pair[1]):
                        at: tuple[str, str] | None = here
                        while at is not None and at != start:
                            self._copied[at], at = False, came[at]
                        return False
                    if pair not in came and pair not in self._copied:
                        came[pair] = here
                        waiting.append((self._sources[pair[0]].words, pair))
        self._copied.update(dict.fromkeys(came.keys() - {start}, True))
        return True

    def _meant(self, words: Iterable[str], path: str, other: str, names: Collection[str]) -> Iterator[str]:
        """The names that words mean in two files: those that the build declares (`names`), if an import says so. Empty
        for a name that it does not declare and that may be two things."""
        mine, theirs, packages = self._source(path), self._source(other), self._packages[self._build(path)[1]]
        left, right = (
            {each for each in apart - packages if each.rpartition(".")[2] not in names}
            for apart in (mine.whole_imports - theirs.whole_imports, theirs.whole_imports - mine.whole_imports)
        )
        of_members = any(map(_is_of_class, left | right))
        for word in words:
            own_import, their_import = (source.imports.get(word, (word, word)) for source in (mine, theirs))
            owner = own_import[1].partition(".")[0]
            if own_import[1] == their_import[1] and owner in names:
                yield owner
                continue
            if own_import == their_import:
                is_open = "." not in own_import[0] and (of_members or word[:1].isupper())
                is_sure = not (left and right and is_open)
            else:
                in_theirs = _is_whole(word, their_import, theirs, own_import)
                is_sure = in_theirs or _is_whole(word, own_import, mine, their_import)
            yield word if is_sure else ""

    def _pairs(self, name: str, path: str, other: str) -> list[tuple[str, str]] | None:
        """The pairs of files that declare a name for two files in two modules; None if only one of them declares it, or
        if several files may."""
        modules = self._declarations(path)[name]
        sides = [self._seen(modules.get(self._build(side)[0], ()), name, side) for side in (path, other)]
        if sides[0] == sides[1] == []:
            elsewhere = self._seen([file for files in modules.values() for file in files], name, "")
            return [] if elsewhere is not None else None
        if sides[0] is None or sides[1] is None or len(sides[0]) != len(sides[1]):
            return None
        by_code = [sorted(side, key=self._code) for side in sides if side is not None]
        return list(zip(*by_code, strict=True))

    def _seen(self, files: Sequence[str], name: str, path: str) -> list[str] | None:
        """The files among `files` that declare a name for the file at `path`; None if several may."""
        files = self._declaring_files(files, name)
        if len(files) < 2 or all("partial" in self._sources[file].words for file in files):
            return files
        return [path] if path in files else None

    def _declaring_files(self, files: Iterable[str], name: str) -> list[str]:
        return [file for file in files if name in self._sources[file].declared]

    def _declarations(self, path: str) -> dict[str, dict[str, list[str]]]:
        """The declarations of a file's build; empty if the build is too large."""
        build = self._build(path)[1]
        if build not in self._paths:
            self._paths[build] = self._below(build if PurePath(path).is_absolute() else _from_here(build))
        if build not in self._declaring:
            names = self._declaring[build] = {}
            packages = self._packages[build] = set()
            for file in self._paths[build]:
                module = self._build(file)[0]
                packages.update(_PACKAGE.findall(self._source(file).text))
                for name in self._source(file).mentioned:
                    names.setdefault(name, {}).setdefault(module, []).append(file)
        return self._declaring[build]

    def _below(self, folder: str) -> list[str]:
        """The sources of a build; empty if there are too many to read."""
        waiting, paths, folders = [folder], list[str](), 0
        while waiting:
            here, folders = waiting.pop(), folders + 1
            for name in sorted(self._listing(here)):
                if name.endswith("/"):
                    if name[:-1] not in _BUILT and not name.startswith("."):
                        waiting.append(join(here, name[:-1]))
                elif _language_of(name):
                    paths.append(join(here, name))
            if folders > _MOST_FOLDERS or len(paths) > _MOST_FILES:
                return []
        return paths

    def _code(self, path: str) -> str:
        return self._sources[path].code

    def _source(self, path: str) -> _Source:
        if path not in self._sources:
            data = self._read(path) or b""
            self._sources[path] = _Source(data.decode("utf-8", "replace"), GRAMMARS[_language_of(path)])
        return self._sources[path]

    def _class(self, identity: str, path: str) -> Class | None:
        """A class in a file."""
        if path not in self._members:
            language = _language_of(path)
            data = self._read(path)
            try:
                names = Names(parse(path, data, language), GRAMMARS[language]) if data and language else None
            except Exception:  # too slow or too deep: only this file is left out
                names = None
            self._members[path] = {class_.id: class_ for class_ in names.classes} if names is not None else {}
        return self._members[path].get(identity)


def _told_of(owner: Class, name: str) -> str:
    """The code of a member without layout and packages; empty if the class has no such member."""
    field = owner.fields.get(name)
    nodes = owner.methods.get(name, ()) if field is None else filter(None, (field.value,))
    code = " ; ".join(node.text.decode("utf-8", "replace") for node in nodes if node.text)
    if field is None and not code:
        return ""
    return _SPACE.sub(" ", f"{_QUALIFIER.sub('', field.type) if field is not None else ''} = {code}")


def _from_here(folder: str) -> str:
    """The folder as the beginning of the relative paths in it."""
    relative = os.path.relpath(folder)
    return "" if relative == os.curdir else relative


def _language_of(path: str) -> str:
    """The id of the language of a file whose classes may have copies; empty for others."""
    language = language_for(path)
    return language.id if language is not None and GRAMMARS[language.id].copies else ""


def _parents_of(class_: Class) -> str:
    return " ".join(_QUALIFIER.sub("", parent.replace("\0", ".")) for parent in class_.parents)


def _is_whole(word: str, imported: tuple[str, str], source: _Source, other: tuple[str, str]) -> bool:
    """True if a source names nothing of its own by a word, and takes over all that another source names by it."""
    return imported[0] == word and source.takes_whole(other[0])


def _is_of_class(imported: str) -> bool:
    """True if all that is taken over is of a class, by the style of its name."""
    return imported.rpartition(".")[2][:1].isupper()
