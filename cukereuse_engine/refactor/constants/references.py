"""Which constant a name stands for: the definition of an expression's constant, and whatever else names the same.

A use is told apart only where the source says so: by its scope, by what it is said to be of, by what its file imports
or extends. What none of these tells counts as a use. Sources are parsed where they hold the name, and nowhere else.
"""

import os
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import SlowSourceError, language_for
from cukereuse_engine.refactor.calls import languages_beside
from cukereuse_engine.refactor.constants.imports import BY_MODULE, Import, imports_of, may_be
from cukereuse_engine.refactor.constants.occurrences import Declaration, Occurrence, Use, occurrences

_OWN = frozenset(("self", "this", "static", "cls", "super", "parent", "base", "companion", "Companion"))
_CLASS = re.compile(
    r"\b(?:class|interface|object|trait|struct|module)\s+(\w+)"
    r"([^{\n=]*(?:\n\s+(?:extends|implements|with|:|<)[^{\n]*)*)"
)
"""What a class is called, and the rest of its header."""
_ROUNDS = 3
"""Of subclasses of subclasses."""
_SAID = re.compile(r"::|\\|\?\.|\.|->")
_OF_PACKAGE = frozenset(("go", "kotlin", "scala"))
"""Languages in which a folder shares the names that belong to no class."""
_WITH_OUTER = frozenset(("java", "kotlin", "csharp", "scala", "ruby"))
"""Languages in which members of a class stand alone inside of it."""


@dataclass(frozen=True, slots=True)
class Constant:
    """One that says an expression."""

    path: str
    source: bytes
    declaration: Declaration
    value: str
    """The source of its value."""


class UnknownConstantError(Exception):
    """Nothing tells where it gets its value, or several things do. The message says what is wrong with the name."""


class _Seen:
    """One source that holds the name."""

    def __init__(self, path: str, data: bytes, language: str, name: str) -> None:
        self.path, self.data, self.language = path, data, language
        self.tree = parse(path, data, language)
        found = list(occurrences(self.tree, name))
        self.declarations = [one for one in found if isinstance(one, Declaration)]
        self.uses = [one for one in found if isinstance(one, Use)]

    @cached_property
    def imports(self) -> list[Import]:
        return imports_of(self.tree) if self.language in BY_MODULE else []

    def local(self, use: Occurrence) -> Declaration | None:
        """What a name that stands alone stands for, where the source itself says it."""
        for number, scope in enumerate(use.scopes):
            here = [one for one in self.declarations if one.scopes[:1] == (scope,)]
            if any(one.member for one in here) and not self._sees_members(number):
                here = [one for one in here if not one.member]
            if here:
                return next((one for one in reversed(here) if one.start <= use.start), here[0])
        return None

    def _sees_members(self, number: int) -> bool:
        return self.language in _WITH_OUTER or (self.language == "python" and number == 0)


class Constants:
    """Those of some sources by one name."""

    def __init__(self, name: str, language: str, paths: Sequence[str], read: Callable[[str], bytes]) -> None:
        self._name, self._language = name, language
        self._paths, self._read = paths, read
        self._beside = languages_beside(language)
        self._data: dict[str, bytes] = {}
        self._unread: list[str] = []
        """Sources that hold the name and take too long to parse: they may use it."""

    @cached_property
    def _all(self) -> dict[str, _Seen]:
        seen: dict[str, _Seen] = {}
        for path in self._paths:
            spoken = language_for(path)
            data = self._bytes(path) if spoken is not None and spoken.id in self._beside else b""
            if spoken is None or self._name.encode() not in data:
                continue
            try:
                seen[path] = _Seen(path, data, spoken.id, self._name)
            except SlowSourceError:
                self._unread.append(path)
        return seen

    def _bytes(self, path: str) -> bytes:
        if path not in self._data:
            try:
                self._data[path] = self._read(path)
            except OSError:
                self._data[path] = b""
        return self._data[path]

    # Where it is defined

    def of(self, definition: StepDefinition) -> Constant:
        """The constant that says a definition's expression. Raises `UnknownConstantError`."""
        seen = self._all.get(definition.path)
        end = definition.literal.end_byte
        use = next((one for one in seen.uses if one.end == end), None) if seen is not None else None
        if seen is None or use is None:
            raise UnknownConstantError("which is not a plain string literal; write it as one")
        found = [
            (path, one)
            for path, other in self._all.items()
            for one in other.declarations
            if one.value is not None and self._names(seen, use, other, one)
        ]
        if len(found) != 1:
            places = ", ".join(f"{path}:{one.line}" for path, one in found[:3])
            told = f"which gets several values ({places})" if found else "which is defined nowhere that can be read"
            raise UnknownConstantError(f"{told}; write it as one string")
        path, declaration = found[0]
        assert declaration.value is not None
        data = self._all[path].data
        value = data[slice(*declaration.value)].decode("utf-8", "replace")
        return Constant(path, data, declaration, value)

    def users(self, constant: Constant, definitions: Collection[StepDefinition]) -> list[str]:
        """Where something else than the expressions of `definitions` names it, as `path:line`, by place."""
        literals = {(one.path, one.literal.end_byte) for one in definitions}
        home = self._all[constant.path]
        return self._unread + [
            f"{path}:{use.line}"
            for path, seen in self._all.items()
            for use in seen.uses
            if (path, use.end) not in literals and self._names(seen, use, home, constant.declaration)
        ]

    # Which is which

    def _names(self, seen: _Seen, use: Use, home: _Seen, constant: Declaration) -> bool:
        """Whether a use may stand for a constant. False only where the sources tell so."""
        if use.looked_up:
            return self._reaches(seen, home, constant)
        if use.label and any(one.enumerated for other in self._all.values() for one in other.declarations):
            return False
        if use.qualifier is None:
            local = seen.local(use)
            if local is not None and (seen.path, local.start) != (home.path, constant.start):
                return seen is home and self._given_anew(local, constant)
            return local is not None or self._alone(seen, use, home, constant)
        return self._of_owner(seen, use, home, constant)

    def _given_anew(self, one: Declaration, constant: Declaration) -> bool:
        """Whether two declarations are of one name in one place."""
        return (one.owners, one.scopes[:1]) == (constant.owners, constant.scopes[:1])

    def _alone(self, seen: _Seen, use: Use, home: _Seen, constant: Declaration) -> bool:
        """Of a name that its own source does not declare around it."""
        if seen.language in BY_MODULE:
            if constant.member or seen is home:
                return False
            return any(
                self._is_home(seen, one, home)
                and (one.star or one.names.get(self._name) == self._name or (use.renaming and self._name in taken))
                for one in seen.imports
                for taken in [{*one.names.values()}]
            )
        if seen.language == "php":
            return not constant.member
        if not constant.member:
            near = os.path.dirname(seen.path) == os.path.dirname(home.path)  # noqa: PTH120
            return seen.language not in _OF_PACKAGE or near or self._imports_name(seen)
        if seen.language in _WITH_OUTER:
            heirs = self._heirs(constant)
            return bool(heirs & {*use.owners}) or self._brings(seen, heirs)
        return False

    def _imports_name(self, seen: _Seen) -> bool:
        text = rf"(?m)^\s*import\s.*\b(?:{re.escape(self._name)}\b|[*_]\s*$)"
        return re.search(text, seen.data.decode("utf-8", "replace")) is not None

    def _brings(self, seen: _Seen, heirs: frozenset[str]) -> bool:
        """Whether a source imports members of a class, or mixes them in."""
        names = "|".join(map(re.escape, sorted(heirs)))
        text = (
            rf"(?m)^\s*(?:(?:global\s+)?using\s+static|import(?:\s+static)?|include|extend|prepend)\b.*\b(?:{names})\b"
        )
        return re.search(text, seen.data.decode("utf-8", "replace")) is not None

    def _of_owner(self, seen: _Seen, use: Use, home: _Seen, constant: Declaration) -> bool:
        qualifier = (use.qualifier or "").strip()
        last = _SAID.split(qualifier)[-1].strip("()[] ")
        if last in _OWN:
            own = [one for one in seen.declarations if one.member and one.owner in use.owners[-1:]]
            if own:
                return seen is home and any(self._given_anew(one, constant) for one in own)
            return constant.member and bool(self._heirs(constant) & {*use.owners})
        if constant.member or constant.owner:
            return self._of_class(seen, last, home, constant)
        if seen.language in BY_MODULE:
            if any(
                self._is_home(seen, one, home)
                and (
                    one.names.get(last) in ("*", "default")
                    or one.module == qualifier
                    or one.module.endswith("." + last)
                )
                for one in seen.imports
            ):
                return True
            return not last and self._reaches(seen, home, constant)
        if seen.language == "go":
            package = re.search(rb"(?m)^package\s+(\w+)", home.data)
            folder = os.path.basename(os.path.dirname(os.path.abspath(home.path)))  # noqa: PTH100, PTH119, PTH120
            aliased = re.search(
                rf'(?m)\b{re.escape(last)}\s+"[^"]*\b{re.escape(folder)}"', seen.data.decode("utf-8", "replace")
            )
            return aliased is not None or (package is not None and package[1].decode() == last)
        if seen.language == "ruby":
            return last in ("", "Object")
        return seen.language != "php" and not self._declared_by(last) and not last[:1].isupper()

    def _of_class(self, seen: _Seen, last: str, home: _Seen, constant: Declaration) -> bool:
        heirs = self._heirs(constant)
        if last in heirs:
            return True
        if self._declared_by(last) or not self._reaches(seen, home, constant):
            return False
        text = seen.data.decode("utf-8", "replace")
        names = "|".join(map(re.escape, sorted(heirs)))
        if re.search(
            rf"\b(?:{names})\s+as\s+{re.escape(last)}\b|\b{re.escape(last)}\s*=\s*[\w.\\:]*\b(?:{names})\b", text
        ):
            return True
        return not last[:1].isupper()

    def _declared_by(self, owner: str) -> bool:
        """Whether what is called so has a constant of its own."""
        return any(one.owner == owner for seen in self._all.values() for one in seen.declarations)

    def _reaches(self, seen: _Seen, home: _Seen, constant: Declaration) -> bool:
        """Whether a source knows what the constant belongs to at all."""
        if seen is home:
            return True
        if constant.owner:
            return any(_says(seen.data, name) for name in self._heirs(constant))
        return seen.language not in BY_MODULE or any(self._is_home(seen, one, home) for one in seen.imports)

    def _is_home(self, seen: _Seen, one: Import, home: _Seen) -> bool:
        """Whether an import is of the constant's file, or of one that hands its names on."""
        if may_be(one.module, seen.path, home.path):
            return True
        return any(may_be(one.module, seen.path, path) for path in self._handing_on(home.path) if path != seen.path)

    def _handing_on(self, home: str) -> frozenset[str]:
        """The sources that let others import the constant from them."""
        if home not in self._handed:
            found = {home}
            for _ in range(_ROUNDS):
                before = len(found)
                for path, one in self._exports:
                    if path not in found and any(may_be(one.module, path, other) for other in found):
                        found.add(path)
                if len(found) == before:
                    break
            self._handed[home] = frozenset(found - {home})
        return self._handed[home]

    @cached_property
    def _handed(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _exports(self) -> list[tuple[str, Import]]:
        """Imports that bring the name along for who imports their source."""
        found: list[tuple[str, Import]] = []
        for path in self._paths:
            spoken = language_for(path)
            if spoken is None or spoken.id not in self._beside or spoken.id not in BY_MODULE:
                continue
            data = self._bytes(path)
            stars = rb"import\s*\*" if spoken.id == "python" else rb"export\s*\*|module\.exports|\.\.\.\s*require"
            seen = self._all.get(path)
            if seen is None and not re.search(stars, data):
                continue
            try:
                imports = seen.imports if seen is not None else imports_of(parse(path, data, spoken.id))
            except SlowSourceError:
                continue
            hands = spoken.id == "python" or re.search(rb"\bexport", data) is not None
            found += [
                (path, one)
                for one in imports
                if (one.star and one.exported) or (hands and self._name in {*one.names.values()})
            ]
        return found

    def _heirs(self, constant: Declaration) -> frozenset[str]:
        """The class that has the constant, and those that extend it."""
        owner = constant.owner
        if owner not in self._extended:
            heirs = {owner}
            for _ in range(_ROUNDS):
                more = {name for name, above in self._headers if heirs & above} - heirs
                heirs |= more
                if not more:
                    break
            self._extended[owner] = frozenset(heirs)
        return self._extended[owner]

    @cached_property
    def _extended(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _headers(self) -> list[tuple[str, frozenset[str]]]:
        """Each class with the names that its header says, and what is mixed into it."""
        found: list[tuple[str, frozenset[str]]] = []
        for path in self._paths:
            spoken = language_for(path)
            if spoken is None or spoken.id not in self._beside:
                continue
            for name, header in _CLASS.findall(self._bytes(path).decode("utf-8", "replace")):
                found.append((name, frozenset(re.findall(r"\w+", header))))
        return found


def _says(data: bytes, name: str) -> bool:
    return re.search(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])", data) is not None
