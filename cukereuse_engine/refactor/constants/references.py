"""Which constant says an expression, and what else may name it.

Whatever is called so, anywhere in the sources, is a use, unless its source positively says that it is another thing: a
name that it declares itself around the place (a local, a parameter, a member), or one that is said to be of an owner
which has its own. Imports, inheritance and receivers are not followed: what they would tell counts as a use, and the
rename is refused with the place.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import SlowSourceError, language_for
from cukereuse_engine.refactor.constants.imports import BY_MODULE, imports_of, may_be
from cukereuse_engine.refactor.constants.occurrences import Declaration, Use, occurrences

_OWN = frozenset(("self", "this", "static", "cls"))
"""What stands for the class around a place."""
_SAID = re.compile(r"::|\\|\?\.|\.|->")
_WITH_OUTER = frozenset(("java", "kotlin", "csharp", "scala", "ruby"))
"""Languages in which members of a class stand alone inside of it."""
_TOGETHER = (frozenset(("java", "kotlin", "scala")), frozenset(("javascript", "typescript")))
"""Languages that name each other's constants."""


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
        found = list(occurrences(self.tree, name, language))
        self.declarations = [one for one in found if isinstance(one, Declaration)]
        self.uses = [one for one in found if isinstance(one, Use)]

    @cached_property
    def modules(self) -> list[tuple[str, dict[str, str]]]:
        """What is imported by name, with its module."""
        if self.language not in BY_MODULE:
            return []
        return [(one.module, one.names) for one in imports_of(self.tree) if not one.star]

    def local(self, use: Use) -> Declaration | None:
        """What a name that stands alone stands for, where the source itself declares it around the place."""
        for number, scope in enumerate(use.scopes):
            here = [one for one in self.declarations if one.scopes[:1] == (scope,)]
            if not (self.language in _WITH_OUTER or (self.language == "python" and number == 0)):
                here = [one for one in here if not one.member]
            if here:
                return next((one for one in reversed(here) if one.start <= use.start), here[0])
        return None


class Constants:
    """Those of some sources by one name."""

    def __init__(self, name: str, language: str, paths: Sequence[str], read: Callable[[str], bytes]) -> None:
        self._name = name
        self._paths, self._read = paths, read
        self._beside = next((group for group in _TOGETHER if language in group), frozenset((language,)))
        self._unread: list[str] = []
        """Sources that hold the name and can't be read or parsed: they may use it."""

    @cached_property
    def _all(self) -> dict[str, _Seen]:
        seen: dict[str, _Seen] = {}
        for path in self._paths:
            spoken = language_for(path)
            if spoken is None or spoken.id not in self._beside:
                continue
            try:
                data = self._read(path)
                if self._name.encode() in data:
                    seen[path] = _Seen(path, data, spoken.id, self._name)
            except (OSError, SlowSourceError):
                self._unread.append(path)
        return seen

    def of(self, definition: StepDefinition) -> Constant:
        """The constant that says a definition's expression. Raises `UnknownConstantError`."""
        seen = self._all.get(definition.path)
        end = definition.literal.end_byte
        use = next((one for one in seen.uses if one.end == end), None) if seen is not None else None
        if seen is None or use is None:
            raise UnknownConstantError("which is not a plain string literal; write it as one")
        found = self._meant(seen, use)
        if len(found) != 1:
            places = ", ".join(f"{path}:{one.line}" for path, one in found[:3])
            told = f"which gets several values ({places})" if found else "which is defined nowhere that can be read"
            raise UnknownConstantError(f"{told}; write it as one string")
        path, declaration = found[0]
        assert declaration.value is not None
        data = self._all[path].data
        return Constant(path, data, declaration, _text(data[slice(*declaration.value)]))

    def _meant(self, seen: _Seen, use: Use) -> list[tuple[str, Declaration]]:
        """The declarations that the name at a definition may mean; each with a value."""
        every = [(path, one) for path, other in self._all.items() for one in other.declarations if one.value]
        if use.qualifier is not None:
            last = _last(use.qualifier)
            owners = use.owners[-1:] if last in _OWN else (last,)
            return [pair for pair in every if pair[1].owner in owners] or [pair for pair in every if not pair[1].member]
        local = seen.local(use)
        if local is not None:
            place = local.owners, local.scopes[:1]
            return [pair for pair in every if pair[0] == seen.path and (pair[1].owners, pair[1].scopes[:1]) == place]
        imported = self._imported(seen)
        others = [pair for pair in every if pair[0] != seen.path]
        return [pair for pair in others if pair[0] == imported] if imported else others

    def users(self, constant: Constant, definitions: Collection[StepDefinition]) -> list[str]:
        """Where something else than the expressions of `definitions` may name it, as `path:line`, by place."""
        literals = {(one.path, one.literal.end_byte) for one in definitions}
        return self._unread + [
            f"{path}:{use.line}"
            for path, seen in self._all.items()
            for use in seen.uses
            if (path, use.end) not in literals and not self._is_another(seen, use, constant)
        ]

    def _is_another(self, seen: _Seen, use: Use, constant: Constant) -> bool:
        """Whether the source says that a name stands for something else."""
        if use.looked_up or use.renaming:
            return False
        if use.qualifier is not None:
            last = _last(use.qualifier)
            if last in _OWN:
                own = [one for one in seen.declarations if one.member and one.owners == use.owners]
                return bool(own) and not any(self._is(seen, one, constant) for one in own)
            return last != constant.declaration.owner and self._has_its_own(seen, last)
        local = seen.local(use)
        if local is not None:
            return not self._is(seen, local, constant)
        imported = self._imported(seen)
        return imported not in ("", constant.path)

    def _is(self, seen: _Seen, one: Declaration, constant: Constant) -> bool:
        """Whether a declaration is the constant's, or gives its name another value in the same place."""
        declared = constant.declaration
        return seen.path == constant.path and (one.owners, one.scopes[:1]) == (declared.owners, declared.scopes[:1])

    def _has_its_own(self, seen: _Seen, owner: str) -> bool:
        """Whether what is called so has a member of the name, and is no other name for something else here."""
        alias = re.search(rf"\bas\s+{re.escape(owner)}\b|\b{re.escape(owner)}\s*=[^=>]", _text(seen.data))
        here = any(one.owner == owner and one.member for one in seen.declarations)
        return here or (alias is None and owner[:1].isupper() and owner in self._owners)

    @cached_property
    def _owners(self) -> frozenset[str]:
        """The classes, modules and objects that have a member of the name."""
        return frozenset(one.owner for seen in self._all.values() for one in seen.declarations if one.member) - {""}

    def _imported(self, seen: _Seen) -> str:
        """The one source that declares the name and that another imports it from by a path of its own; empty where it
        imports the name from nowhere, or from what may hand it on."""
        modules = [module for module, names in seen.modules if names.get(self._name) == self._name]
        if len(modules) != 1 or (not seen.path.endswith(".py") and not modules[0].startswith(".")):
            return ""
        homes = [path for path in self._all if may_be(modules[0], seen.path, path)]
        declared = [path for path in homes if any(not one.member for one in self._all[path].declarations)]
        return declared[0] if len(homes) == len(declared) == 1 else ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _last(qualifier: str) -> str:
    return _SAID.split(qualifier.strip())[-1].strip("()[] $")
