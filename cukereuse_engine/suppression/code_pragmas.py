"""Pragmas in glue code: comments that silence findings about a step definition, with a reason.

    # cukereuse: ignore[suspect-definition] -- both pages are closed for now
    @then("I am redirected to the view page")

A pragma speaks of the step definition that it is in, or else of the next one, with all that is on the same
function; with `ignore-file` of its whole source. Every comment that the row of its language knows is read, at the end
of a line or over several. Sources are read when a finding is about them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from cukereuse_engine.glue import exported
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.glue.languages.base import comments_of
from cukereuse_engine.glue.languages.comments import Comments
from cukereuse_engine.glue.sources import read_file
from cukereuse_engine.suppression.pragmas import IGNORE_FILE, parsed

_MARK = b"cukereuse"


@dataclass(slots=True)
class _Directives:
    """The pragmas of one source."""

    all: list[frozenset[str]] = field(default_factory=list)
    """Rules that are silenced in the whole source; an empty set: all."""
    at: dict[int, list[frozenset[str]]] = field(default_factory=dict)
    """Rules that are silenced for a definition, by the line of its expression; an empty set: all."""
    problems: list[GlueError] = field(default_factory=list)


class SourcePragmas:
    """The pragmas in the sources of one suite's step definitions. For one thread."""

    def __init__(self, definitions: Iterable[StepDefinition], read: Callable[[str], bytes | None] = read_file) -> None:
        self._read = read
        self._definitions: dict[str, list[StepDefinition]] = {}
        for definition in definitions:
            if definition.language == exported.LANGUAGE:
                continue  # a feature file has its own pragmas
            self._definitions.setdefault(definition.path, []).append(definition)
        self._directives: dict[str, _Directives] = {}

    def replace(self, path: str, source: bytes | None, definitions: Sequence[StepDefinition]) -> None:
        """Add, change or (`source` None) remove a source; `definitions` are its current ones."""
        self._definitions.pop(path, None)
        self._directives.pop(path, None)
        if source is not None and definitions:
            self._definitions[path] = list(definitions)
            self._directives[path] = _read(path, source, definitions)

    def ignored(self, path: str, line: int, rule: str) -> bool:
        """True if a finding of `rule` about the step definition whose expression is on `line` is silenced."""
        directives = self._of(path)
        if directives is None:
            return False
        return any(not subjects or rule in subjects for subjects in (*directives.all, *directives.at.get(line, ())))

    @property
    def problems(self) -> tuple[GlueError, ...]:
        """Pragmas that could not be understood, in the sources that `ignored` was asked about."""
        return tuple(error for directives in self._directives.values() for error in directives.problems)

    def _of(self, path: str) -> _Directives | None:
        definitions = self._definitions.get(path)
        if definitions is None:
            return None
        if path not in self._directives:
            self._directives[path] = _read(path, self._read(path) or b"", definitions)
        return self._directives[path]


def _read(path: str, source: bytes, definitions: Sequence[StepDefinition]) -> _Directives:
    directives = _Directives()
    if _MARK not in source:
        return directives
    text = source.decode("utf-8", "replace")
    lines = _lines_of(definitions)
    for pragma in _addressed(comments_of(path)).finditer(text):
        line = text.count("\n", 0, pragma.start()) + 1
        directive, messages = parsed(pragma["rest"])
        directives.problems += [GlueError(path, line, 1, message) for message in messages]
        if directive is None:
            continue
        if directive.verb == IGNORE_FILE:
            directives.all.append(directive.subjects)
            continue
        targets = _target_lines(line, lines)
        if not targets:
            message = "no step definition follows this pragma; `ignore-file` applies to the whole file."
            directives.problems.append(GlueError(path, line, 1, message))
        for target in targets:
            directives.at.setdefault(target, []).append(directive.subjects)
    return directives


@cache
def _addressed(comments: Comments) -> re.Pattern[str]:
    """Matches a comment for us to the end of its line; the last character of a sign may be repeated."""
    signs = "|".join(f"{re.escape(sign)}{re.escape(sign[-1])}*" for sign in comments.openings)
    closing = f"(?:{re.escape(comments.block[1])})?" if comments.block is not None else ""
    return re.compile(rf"(?:{signs})[ \t]*cukereuse[ \t]*:[ \t]*(?P<rest>.*?)[ \t]*{closing}[ \t]*\r?$", re.MULTILINE)


def _lines_of(definitions: Sequence[StepDefinition]) -> Mapping[tuple[int, int], list[int]]:
    """First and last line of each function with its expressions, to the lines of these expressions, in order."""
    groups: dict[str, list[StepDefinition]] = {}
    for definition in definitions:
        groups.setdefault(definition.function_id, []).append(definition)
    lines_of: dict[tuple[int, int], list[int]] = {}
    for group in groups.values():
        spans = [definition.literal for definition in group] + [
            definition.function for definition in group if definition.function is not None
        ]
        around = min(span.line for span in spans), max(span.end_line for span in spans)
        lines_of.setdefault(around, []).extend(definition.literal.line for definition in group)
    return dict(sorted(lines_of.items()))


def _target_lines(line: int, lines: Mapping[tuple[int, int], list[int]]) -> list[int]:
    """Lines of the expressions a pragma applies to: those of the innermost function around it, else of the next."""
    inside = [around for around in lines if around[0] <= line <= around[1]]
    if inside:
        return lines[max(inside)]
    return next((targets for around, targets in lines.items() if around[0] > line), [])
