"""The arguments of one step text, and how they fill the slots of a target.

If the step definition is known, its captures are the arguments; otherwise what the mask finds (quoted strings, numbers,
placeholders). Nothing is guessed: what does not fit is refused with a reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import BoundArgument
from cukereuse_engine.prose import counted
from cukereuse_engine.text import template
from cukereuse_engine.text.template import SlotType

_QUOTES = "\"'`"


class UnmappableError(ValueError):
    """The arguments of a step do not fit; the message says why."""


@dataclass(frozen=True, slots=True)
class MemberArgument:
    text: str
    """As written, delimiters included."""
    value: str
    """Without quotes; a placeholder keeps its angle brackets."""
    start: int
    """Code point offset in the step's text, delimiters included."""
    end: int
    name: str = ""
    """The parameter's or the group's name, if the step definition gives one."""
    holds_quotes: bool = False
    """True if it is a placeholder whose values contain their quotes."""
    with_quotes: bool = False
    """True if the step definition captures its quotes too."""

    @property
    def quote(self) -> str:
        return self.text[0] if len(self.text) > 1 and self.text[0] in _QUOTES and self.text[-1] == self.text[0] else ""

    @property
    def is_number(self) -> bool | None:
        """None if a placeholder leaves it open."""
        inside = template.arguments(self.value)
        if len(inside) == 1 and inside[0].type is SlotType.PLACEHOLDER:
            return None
        return not self.quote and bool(re.fullmatch(r"[-+]?\d+(?:[.,:]\d+)*", self.value))


def masked_arguments(text: str) -> tuple[MemberArgument, ...]:
    """The arguments that the mask finds in a step's text."""
    return tuple(
        MemberArgument(
            argument.text,
            argument.text if argument.type is SlotType.PLACEHOLDER else argument.value,
            argument.start,
            argument.end,
        )
        for argument in template.arguments(text)
    )


def captured_arguments(
    step: Step, expanded: str, captures: Sequence[BoundArgument]
) -> tuple[MemberArgument, ...] | None:
    """The captures of a definition in `expanded`, one of the step's expanded texts, as arguments of its own text.

    None if a group took no part, if a capture ends inside a placeholder's value, or if captures overlap.
    """
    arguments: list[MemberArgument] = []
    done = 0
    for capture in captures:
        argument = _captured(step, expanded, capture) if capture.start >= 0 else None
        if argument is None or argument.start < done:
            return None
        done = argument.end
        arguments.append(argument)
    return tuple(arguments)


def _captured(step: Step, expanded: str, capture: BoundArgument) -> MemberArgument | None:
    start, end = capture.start, capture.end
    span = raw_span(step, expanded, start, end)
    if span is not None:
        argument = with_delimiters(step.text, *span, capture.name)
        value, is_placeholder = expanded[start:end], re.fullmatch(r"<[^<>]*>", argument.text) is not None
        quoted = is_placeholder and len(value) > 1 and value[0] in _QUOTES and value[-1] == value[0]
        return replace(argument, holds_quotes=quoted) if quoted and step.text != expanded else argument
    if not start or expanded[start - 1] not in _QUOTES or expanded[end : end + 1] != expanded[start - 1]:
        return None
    span = raw_span(step, expanded, start - 1, end + 1)
    written = step.text[slice(*span)] if span is not None else ""
    if span is None or not re.fullmatch(r"<[^<>]*>", written):
        return None
    return MemberArgument(written, written, *span, capture.name, holds_quotes=True)


def raw_span(step: Step, expanded: str, start: int, end: int) -> tuple[int, int] | None:
    """The place of `expanded[start:end]` in the step's own text; None if it ends inside a placeholder's value."""
    pieces = _pieces(step, expanded)
    if pieces is None:
        return None
    first, last = _raw_start(pieces, start), _raw_end(pieces, end)
    return (first, last) if first is not None and last is not None and first <= last else None


def with_delimiters(text: str, start: int, end: int, name: str = "") -> MemberArgument:
    """The argument at `text[start:end]`. Quotes belong to it, whether a definition captures them or writes them around
    its parameter."""
    written = text[start:end]
    if start and end < len(text) and text[start - 1] in _QUOTES and text[end] == text[start - 1]:
        return MemberArgument(text[start - 1 : end + 1], written, start - 1, end + 1, name)
    if len(written) > 1 and written[0] in _QUOTES and written[-1] == written[0]:
        return MemberArgument(written, written[1:-1], start, end, name, with_quotes=True)
    return MemberArgument(written, written, start, end, name)


@dataclass(frozen=True, slots=True)
class _Piece:
    raw: int
    expanded: int
    raw_length: int
    expanded_length: int
    placeholder: bool


def _pieces(step: Step, expanded: str) -> list[_Piece] | None:
    """Maps the step's text to `expanded` by literal pieces and placeholders; None if no Examples row gives it."""
    if step.text == expanded:
        return [_Piece(0, 0, len(expanded), len(expanded), False)]
    for examples in step.examples:
        pattern = "|".join(re.escape(f"<{name}>") for name in examples.header)
        for row in examples.rows:
            cells = dict(zip((f"<{name}>" for name in examples.header), row, strict=False))
            pieces, text, at = [], "", 0
            for match in re.finditer(pattern, step.text):
                pieces.append(_Piece(at, len(text), match.start() - at, match.start() - at, False))
                text += step.text[at : match.start()]
                value = cells.get(match.group(), "")
                pieces.append(_Piece(match.start(), len(text), len(match.group()), len(value), True))
                text += value
                at = match.end()
            pieces.append(_Piece(at, len(text), len(step.text) - at, len(step.text) - at, False))
            if text + step.text[at:] == expanded:
                return pieces
    return None


def _raw_start(pieces: Sequence[_Piece], offset: int) -> int | None:
    for piece in pieces:
        inside = offset - piece.expanded
        if piece.placeholder and inside == 0:
            return piece.raw
        if 0 <= inside < piece.expanded_length:
            return None if piece.placeholder else piece.raw + inside
    return pieces[-1].raw + pieces[-1].raw_length


def _raw_end(pieces: Sequence[_Piece], offset: int) -> int | None:
    for piece in reversed(pieces):
        inside = offset - piece.expanded
        if piece.placeholder and inside == piece.expanded_length:
            return piece.raw + piece.raw_length
        if 0 < inside <= piece.expanded_length:
            return None if piece.placeholder else piece.raw + inside
    return 0


def in_order_of(
    arguments: Sequence[MemberArgument], names: Sequence[str], order: Sequence[int], numeric: Sequence[bool | None]
) -> tuple[MemberArgument, ...]:
    """The arguments for the slots of a target, left to right.

    `names`: the slots' names, empty or digits if numbered. `order`: the position of each slot's argument. `numeric`:
    True if a slot takes a number, None if unknown. Raises `UnmappableError` with the reason.
    """
    if len(arguments) > len(order):
        shown = ", ".join(argument.text for argument in arguments)
        if not order:
            raise UnmappableError(
                f"the target keeps none of its arguments ({shown}); leave them as they are, or write "
                f"{_slots(0, len(arguments))} for them"
            )
        raise UnmappableError(
            f"it has {_count(len(arguments))} ({shown}), the target has {counted(len(order), 'slot')}; "
            f"add {_slots(len(order), len(arguments))} to the target"
        )
    if len(arguments) < len(order):
        more = _slots(len(arguments), len(order))
        raise UnmappableError(
            f"it has {_count(len(arguments))}, the target needs {len(order)}; take {more} out of the target"
        )
    by_name = {argument.name: argument for argument in arguments if argument.name}
    if names and len(by_name) == len(arguments) and all(name in by_name for name in names):
        return tuple(by_name[name] for name in names)
    chosen = tuple(arguments[index] for index in order)
    if all(_fits(argument, number) for argument, number in zip(chosen, numeric, strict=True)):
        return chosen
    return _by_type(chosen, numeric)


def _by_type(arguments: Sequence[MemberArgument], numeric: Sequence[bool | None]) -> tuple[MemberArgument, ...]:
    """Assign numbers to the slots that take numbers if there is only one way. Raises `UnmappableError`."""
    for kind in (True, False):
        places = [index for index, number in enumerate(numeric) if number is kind]
        fitting = [argument for argument in arguments if argument.is_number is kind]
        if len(places) != len(fitting) or len(places) > 1:
            wanted = ", ".join({True: "a number", False: "a text", None: "anything"}[number] for number in numeric)
            shown = ", ".join(argument.text for argument in arguments)
            raise UnmappableError(
                f"its arguments ({shown}) have different types from the target's ({wanted}); rename it separately"
            )
    by_kind = {argument.is_number: argument for argument in arguments}
    return tuple(by_kind[number] for number in numeric)


def _fits(argument: MemberArgument, number: bool | None) -> bool:
    return number is None or argument.is_number is None or argument.is_number is number


def _slots(fewer: int, more: int) -> str:
    return ", ".join(f"{{{number}}}" for number in range(fewer + 1, more + 1))


def _count(number: int) -> str:
    return {0: "no argument", 1: "one argument"}.get(number, f"{number} arguments")
