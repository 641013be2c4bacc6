"""Functions of other files that step functions call: imported ones, and those that a Go package or a Ruby World shares.

A file is read when a form names something that it may contain; a name that is not found stays. `put_in_place` inlines
such helpers, as a file's own are; `without_logs` decides whether logging by name is a function of the suite.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from cukereuse_engine.functions.helpers import MAX_DEPTH, MAX_TOKENS, substitute
from cukereuse_engine.functions.module_files import Listing, ModuleFiles, language_of, list_folder
from cukereuse_engine.functions.module_places import ModulePlaces
from cukereuse_engine.functions.normal_form import NormalFormWriter
from cukereuse_engine.functions.tokens import CLOSE, LOGS, MEMBER, NAME, OPEN, OWN, PARAMETER, own


@dataclass(frozen=True)
class _Helper:
    """The form of a function in another file."""

    statements: tuple[tuple[str, ...], ...]
    signature: tuple[str, ...]
    parameters: int | None
    """None if some are destructured."""

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        inside = (*self.signature, *(token for statement in self.statements for token in (*statement, ";")))
        return (f"{OPEN}own", *inside, CLOSE)


class Modules:
    """The helpers of a suite's files. Not thread-safe."""

    def __init__(self, read: Callable[[str], bytes | None], listing: Listing = list_folder) -> None:
        self._files = ModuleFiles(read, listing)
        self._places = ModulePlaces(self._files)
        self._helpers: dict[tuple[str, str, str, int], _Helper | None] = {}

    def copy(self, read: Callable[[str], bytes | None]) -> "Modules":
        """The same helpers, for another reader that starts with the same sources."""
        other = Modules(read)
        other._files = self._files.copy(read)
        other._places = self._places.copy(other._files)
        other._helpers = self._helpers.copy()
        return other

    def changed_names(self, path: str, source: bytes | None) -> frozenset[str]:
        """The names of functions that an edit of a file changes; forms that contain one of them are out of date. Empty
        if no function has changed, or if nothing of the file was used."""
        changed = self._files.changed_names(path, source)
        if changed:
            self._places.forget_files()
            self._helpers.clear()
        return changed

    # -- questions

    def without_logs(self, tokens: Sequence[str], path: str) -> tuple[str, ...]:
        """The tokens without logging. A call that may be logging by its name stays if it calls a function of the suite
        that does something else."""
        if LOGS not in tokens:
            return tuple(tokens)
        tokens_put_in: list[str] = []
        at = 0
        while at < len(tokens):
            if tokens[at] != LOGS:
                tokens_put_in.append(tokens[at])
                at += 1
                continue
            end = _end_of(tokens, at)
            inside = tokens[at + 1 : end]
            if self._does_something(inside, path):
                tokens_put_in += self.without_logs(inside, path)
            at = end + 1
        return tuple(tokens_put_in)

    def _does_something(self, tokens: Sequence[str], path: str) -> bool:
        named = [token for token in tokens if token[:1] in (NAME, OWN)]
        helper, _ = self._helper(named, 0, path, 0, frozenset()) if named else (None, 1)
        return helper is not None and bool(helper.statements)

    def put_in_place(
        self,
        statements: Sequence[tuple[str, ...]],
        path: str,
        depth: int = 0,
        active: frozenset[str] = frozenset(),
    ) -> tuple[tuple[str, ...], ...]:
        """The statements of a function of a file, with helpers of other files inlined. A function that only calls a
        helper gets the helper's statements."""
        if not language_of(path):
            return tuple(statements)
        only = self._replaced(statements[0], path, depth, active) if len(statements) == 1 else None
        return only or tuple(self._inserted(statement, path, depth, active) for statement in statements)

    def _inserted(self, tokens: tuple[str, ...], path: str, depth: int, active: frozenset[str]) -> tuple[str, ...]:
        """The tokens with helpers inlined; the same tokens if they name nothing in other files."""
        may_stand = self._places.elsewhere(path)
        if not any(map(may_stand, tokens)):
            return tokens
        inserted: list[str] = []
        at = 0
        while at < len(tokens):
            helper, length = self._helper(tokens, at, path, depth, active) if may_stand(tokens[at]) else (None, 1)
            theirs = helper.tokens if helper is not None else ()
            inserted += theirs if 2 < len(theirs) <= MAX_TOKENS else tokens[at : at + length]
            at += length
        return tuple(inserted)

    def _replaced(
        self, tokens: tuple[str, ...], path: str, depth: int, active: frozenset[str]
    ) -> tuple[tuple[str, ...], ...] | None:
        """The statements of the helper whose call is the whole statement, with the arguments in place."""
        helper, length = self._helper(tokens, 0, path, depth, active) if tokens[0][:1] in (NAME, OWN) else (None, 1)
        rest = tokens[length:]
        if helper is None or not helper.statements:
            return None
        if rest and (rest[0] != f"{OPEN}call" or _end_of(rest, 0) != len(rest) - 1):
            return None
        arguments = [self._inserted(argument, path, depth, active) for argument in _arguments(rest[1:-1])]
        if len(arguments) != helper.parameters:
            return None
        handed = {f"{PARAMETER}{index}": argument for index, argument in enumerate(arguments)}
        return tuple(substitute(statement, handed) for statement in helper.statements)

    def owner(self, token: str, path: str) -> str:
        """The `OWN` token of the function that an imported name denotes; the token itself if that is unknown."""
        if token[:1] != NAME or "\0" not in token:
            return token
        place = self._places.place_of((token,), 0, path)
        return own(PurePath(place[0]).as_posix(), place[1]) if place is not None else token

    def _helper(
        self, tokens: Sequence[str], at: int, path: str, depth: int, active: frozenset[str]
    ) -> tuple[_Helper | None, int]:
        """The function named at a place, and the number of tokens that name it."""
        if depth >= MAX_DEPTH:
            return None, 1
        place = self._places.place_of(tokens, at, path)
        if place is None or f"{place[0]}\0{place[1]}" in active:
            return None, 1
        where, name, owner, length = place
        key = (where, owner, name, depth)
        if key not in self._helpers:
            self._helpers[key] = self._written(where, owner, name, depth, active)
        return self._helpers[key], length if self._helpers[key] is not None else 1

    def _written(self, path: str, owner: str, name: str, depth: int, active: frozenset[str]) -> _Helper | None:
        module = self._files.parsed(path)
        functions = module.functions.get(f"{owner}.{name}" if owner else name, []) if module is not None else []
        if module is None or module.file is None or len(functions) != 1:
            return None
        writer = NormalFormWriter(module.file, functions[0], None, 1)
        stripped = [self.without_logs(statement, path) for statement in writer.statements()]
        inside = active | {f"{path}\0{name}"}
        statements = (
            self.put_in_place([statement for statement in stripped if statement], path, depth + 1, inside)
            if any(stripped)
            else ()
        )
        plain = all(parameter.pattern is None for parameter in writer.parameters)
        return _Helper(statements, writer.signature(), len(writer.parameters) if plain else None)


def _end_of(tokens: Sequence[str], start: int) -> int:
    """The end of the group that begins at `start`."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at][:1] == OPEN) - (tokens[at] == CLOSE)
        if depth == 0:
            return at
    return len(tokens) - 1


def _arguments(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """The arguments of a call; members and calls belong to the expression before them."""
    arguments: list[tuple[str, ...]] = []
    at = 0
    while at < len(tokens):
        end = _end_of(tokens, at) + 1 if tokens[at][:1] == OPEN else at + 1
        while end < len(tokens) and (tokens[end][:1] == MEMBER or tokens[end] == f"{OPEN}call"):
            end = _end_of(tokens, end) + 1 if tokens[end][:1] == OPEN else end + 1
        arguments.append(tuple(tokens[at:end]))
        at = end
    return arguments
