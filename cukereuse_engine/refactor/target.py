"""The target phrasing of a rename: literal words and slots for arguments.

Slots are `{1}` (the first argument of each member) or `{name}`; literal braces are doubled. A slot in quotes puts its
argument into these quotes; a bare slot keeps the delimiters that the argument has in each member. This module knows no
step definitions: `expressions` writes the target as an expression.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor.arguments import MemberArgument

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_NAME = re.compile(r"[^\W\d]\w*|[1-9]\d*")
_QUOTES = "\"'`"


class TargetError(CukereuseError):
    """The target is not a valid phrasing."""


class UnrenderableError(ValueError):
    """The target can't contain an argument; the message says why."""


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    """As written: "1", "product"."""
    quote: str
    """The quote that is on both sides of the slot in the target, or empty. It is part of the slot."""


Part: TypeAlias = str | Slot


@dataclass(frozen=True, slots=True)
class Target:
    parts: tuple[Part, ...]
    """Literal texts and slots; no two texts are adjacent."""
    order: tuple[int, ...]
    """For each slot, left to right, the 0-based argument that it takes."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def text(self) -> str:
        """The phrasing as a user writes it."""
        return "".join(_escaped(part) if isinstance(part, str) else _written(part) for part in self.parts)

    def render(self, arguments: Sequence[MemberArgument]) -> str:
        """The step text for these arguments, one for each slot, left to right.

        Raises `UnrenderableError` if a bare argument contains the quote that the target puts around it; a quoted one
        keeps its own quotes.
        """
        values = iter(arguments)
        return "".join(part if isinstance(part, str) else put(part, next(values)) for part in self.parts)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _written(slot: Slot) -> str:
    return f"{slot.quote}{{{slot.name}}}{slot.quote}"


def put(slot: Slot, argument: MemberArgument) -> str:
    """The text of an argument in a slot. Raises `UnrenderableError`."""
    if argument.holds_quotes:
        return argument.text
    if not slot.quote or argument.text.startswith("<"):
        return slot.quote + argument.text + slot.quote if slot.quote else argument.text
    if argument.quote == slot.quote:
        return argument.text
    if slot.quote in argument.value:
        if argument.quote:
            return argument.text  # it is in its own quotes
        raise UnrenderableError(
            f"the argument {argument.text} contains {slot.quote}, and the target puts it between such quotes; write "
            f"the slot without quotes: {{{slot.name}}}"
        )
    return f"{slot.quote}{argument.value}{slot.quote}"


def parse_target(text: str) -> Target:
    """Read a target phrasing. Raises `TargetError` if it is not valid."""
    if text != text.strip() or not text:
        raise TargetError("the target phrasing is empty, or begins or ends with white space; write words only")
    if len(f"{text}.".splitlines()) > 1:  # at everything that some language or editor takes for the end of a line
        raise TargetError("the target phrasing must fit on one line")
    parts = _with_quotes(_split(text))
    names = [part.name for part in parts if isinstance(part, Slot)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TargetError(f"{{{twice}}} appears twice in the target; {_instead(twice, names)}")
    return Target(tuple(parts), _numbered(names) if any(map(str.isdigit, names)) else tuple(range(len(names))))


def _numbered(names: Sequence[str]) -> tuple[int, ...]:
    """The 0-based order of slots whose names are numbers. Raises `TargetError` if one is not."""
    if not all(map(str.isdigit, names)):
        raise TargetError("the target mixes numbered and named slots; name them all, or number them: {1}, {2}")
    if sorted(map(int, names)) != list(range(1, len(names) + 1)):
        wanted = ", ".join(f"{{{number}}}" for number in range(1, len(names) + 1))
        written = ", ".join(f"{{{name}}}" for name in names)
        raise TargetError(f"the slots are numbered {written}; number them {wanted}, each argument once")
    return tuple(int(name) - 1 for name in names)


def in_order_of(source: Target, target: Target) -> Target:
    """The target with each argument in the slot that has its name in `source`, if both name theirs. Raises
    `TargetError` if their slots do not represent the same arguments, or if the source's numbers are out of order."""
    expected, names = [slot.name for slot in source.slots], [slot.name for slot in target.slots]
    numbered = [name for name in expected if name.isdigit()]
    if numbered != [str(number) for number in range(1, len(numbered) + 1)]:
        raise TargetError("the slots of the step to rename must be numbered in order: {1}, {2}")
    if numbered or any(name.isdigit() for name in names):
        return target
    for name in names:
        if name not in expected:
            raise TargetError(unknown_slot(name, expected))
    left_out = next((name for name in expected if name not in names), "")
    if left_out:
        raise TargetError(f"{{{left_out}}} is missing from the target; write every argument in it")
    return replace(target, order=tuple(map(expected.index, names)))


def unknown_slot(name: str, names: Sequence[str]) -> str:
    """The message for a slot with an unknown name."""
    shown = ", ".join(f"{{{each}}}" for each in names)
    return f"{{{name}}} in the target is none of the arguments {shown}; write {{{{{name}}}}} for the braces themselves"


def _instead(name: str, names: Sequence[str]) -> str:
    """What to write instead of a slot that appears twice."""
    if name.isdigit():
        number = next(number for number in range(1, len(names) + 1) if str(number) not in names)
        return f"each argument can be used once: write {{{number}}} for the next one"
    numbered = ", ".join(f"{{{number}}}" for number in range(1, len(names) + 1))
    return f"each argument can be used once: number the slots {numbered}"


def _split(text: str) -> list[Part]:
    parts: list[Part] = []
    literal = ""
    at = 0
    for match in _PART.finditer(text):
        literal += text[at : match.start()]
        at = match.end()
        written = match.group()
        if written in ("{{", "}}"):
            literal += written[0]
        elif match.group(1) is None:
            raise TargetError(f"a single {written} in the target; write {written * 2} for the character itself")
        elif not _NAME.fullmatch(match.group(1)):
            raise TargetError(f"{written} is not a slot; write {{1}} or {{name}}, and {{{{ for a literal brace")
        else:
            parts += [literal, Slot(match.group(1), "")]
            literal = ""
    parts.append(literal + text[at:])
    return parts


def _with_quotes(parts: list[Part]) -> list[Part]:
    """Make quotes on both sides of a slot part of the slot."""
    for index in range(1, len(parts) - 1, 2):
        before, slot, after = parts[index - 1], parts[index], parts[index + 1]
        if isinstance(before, str) and isinstance(slot, Slot) and isinstance(after, str) and before and after:
            quote = before[-1]
            if quote in _QUOTES and after[0] == quote:
                parts[index - 1], parts[index], parts[index + 1] = before[:-1], Slot(slot.name, quote), after[1:]
    return [part for part in parts if part != ""]


def target_of(text: str, arguments: Sequence[MemberArgument]) -> Target:
    """The phrasing of a step text with these arguments: the slot of a bare argument is bare.

    Quoted arguments become quoted slots, so that the members take on the quotes of `text`.
    """
    parts: list[Part] = []
    at = 0
    for number, argument in enumerate(arguments, 1):
        parts += [text[at : argument.start], Slot(str(number), argument.quote)]
        at = argument.end
    parts.append(text[at:])
    return Target(tuple(part for part in parts if part != ""), tuple(range(len(arguments))))
