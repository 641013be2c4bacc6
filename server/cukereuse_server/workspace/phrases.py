"""Step texts as phrases: literal words, and blanks for arguments. For completion.

Made from a text of the suite, or from the expression of a step definition without steps. Decides nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.arguments import MemberArgument
from cukereuse_engine.refactor.creation.spoken import spoken
from cukereuse_engine.text import template
from cukereuse_engine.text.template import QUOTES, SLOT, Argument, SlotType
from cukereuse_server.protocol.completion import Blank

Pieces = list[str | Blank]

_QUOTES = "\"'"
_LAST_WORD = re.compile(r"(\w+)\W*\Z")
_LOOKED_AT = 80
"""The number of characters in which the word before an argument is looked for."""


def phrase_of_text(text: str, arguments: Sequence[MemberArgument], typed: "Typed") -> Pieces:
    """A text of the suite, with the typed values in the places of its own as far as they fit."""
    chosen = _carried(text, arguments, typed)
    pieces: Pieces = []
    at = 0
    for argument, value in zip(arguments, chosen, strict=True):
        before, after = _delimiters(argument)
        if argument.start < at:
            continue
        blank = Blank(argument.value if value is None else value, argument.name, value is not None)
        pieces += [text[at : argument.start] + before, blank]
        at = argument.end - len(after)
    return [piece for piece in [*pieces, text[at:]] if piece != ""]


def _delimiters(argument: MemberArgument) -> tuple[str, str]:
    """The quotes around an argument's value, including typographic ones."""
    before, value, after = argument.text.partition(argument.value) if argument.value else ("", "", "")
    return (before, after) if value else (argument.quote, argument.quote)


@dataclass(frozen=True, slots=True)
class Typed:
    """The arguments of what is being typed."""

    text: str
    arguments: tuple[Argument, ...]

    @classmethod
    def of(cls, text: str) -> "Typed":
        return cls(text, template.arguments(text))


def _carried(text: str, arguments: Sequence[MemberArgument], typed: Typed) -> list[str | None]:
    """For each argument, the typed value that takes its place: first a value after the same word, then the others in
    order; it must have the argument's type, and fit into its quotes."""
    left = list(typed.arguments)
    values: list[str | None] = [None] * len(arguments)
    for same_word in (True, False):
        for number, argument in enumerate(arguments):
            word = _word_before(text, argument.start)
            candidate = next(
                (
                    candidate
                    for candidate in left
                    if _fits(argument, candidate)
                    and (not same_word or _word_before(typed.text, candidate.start) == word)
                ),
                None,
            )
            if candidate is not None and values[number] is None:
                left.remove(candidate)
                values[number] = _value(candidate)
    return values


def _word_before(text: str, offset: int) -> str:
    match = _LAST_WORD.search(text[max(offset - _LOOKED_AT, 0) : offset])
    return match.group(1).lower() if match is not None else ""


def _fits(argument: MemberArgument, typed: Argument) -> bool:
    """True if the types are equal; a placeholder fits anything, and anything fits a placeholder."""
    same = argument.is_number is None or typed.type is SlotType.PLACEHOLDER
    same = same or argument.is_number == (typed.type is SlotType.NUMBER and not typed.delimiter)
    return same and not any(delimiter and delimiter in _value(typed) for delimiter in _delimiters(argument))


def _value(argument: Argument) -> str:
    return argument.text if argument.type is SlotType.PLACEHOLDER else argument.value


def phrase_of_definition(definition: StepDefinition) -> Pieces | None:
    """A step that binds to a definition; None if its expression can't be written in plain words."""
    pieces = spoken(definition)
    if pieces is None:
        return None
    return [piece if isinstance(piece, str) else Blank(piece.value, piece.value) for piece in pieces]


def with_typed(pieces: Pieces, typed: Typed) -> Pieces:
    """A definition's phrase with the typed arguments in order; unchanged if their number differs from that of its
    blanks, or if one does not fit into its quotes."""
    blanks = [place for place, piece in enumerate(pieces) if isinstance(piece, Blank)]
    if len(blanks) != len(typed.arguments):
        return pieces
    filled = list(pieces)
    for place, argument in zip(blanks, typed.arguments, strict=True):
        quote = _around(pieces, place)
        if quote and quote in _value(argument):
            return pieces
        filled[place] = Blank(_value(argument) if quote else argument.text, shown=True)
    return filled


def _around(pieces: Pieces, place: int) -> str:
    """The quote on both sides of a blank, or nothing."""
    before, after = pieces[place - 1 : place], pieces[place + 1 : place + 2]
    ends = {piece[-1:] for piece in before if isinstance(piece, str)}
    ends &= {piece[:1] for piece in after if isinstance(piece, str)}
    return next((end for end in ends if end and end in _QUOTES), "")


def read_alike(pieces: Pieces) -> tuple[str, ...]:
    """The pieces as a reader sees them who sees blanks instead of values."""
    return tuple(
        piece if isinstance(piece, str) else piece.value if piece.shown else f"{{{piece.name}}}" for piece in pieces
    )


def with_words(pieces: Pieces) -> Pieces:
    """The phrase with values shown as words if neither quotes nor digits mark them as values."""
    return [
        piece
        if isinstance(piece, str) or _around(pieces, place) or template.arguments(piece.value)
        else replace(piece, shown=True)
        for place, piece in enumerate(pieces)
    ]


def joined(pieces: Pieces) -> Pieces:
    """The pieces with adjacent literals joined, and empty ones removed."""
    merged: Pieces = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        elif piece != "":
            merged.append(piece)
    return merged


def text_of(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else piece.value for piece in pieces)


def masked_of(pieces: Pieces) -> str:
    """The masked form, as in a template: one slot for an argument and its quotes."""
    masked = "".join(piece if isinstance(piece, str) else SLOT for piece in pieces)
    return masked.replace(f'"{SLOT}"', SLOT).replace(f"'{SLOT}'", SLOT)


def masked_start(typed: str) -> str:
    """The beginning of a step as the beginning of a template's key; an unfinished argument counts."""
    for at, character in enumerate(typed):
        closing = "" if character == "<" else QUOTES.get(character, "")
        # an apostrophe begins none, nor does the closing sign of “x”
        begins = character not in (*_QUOTES, "”") or typed[at - 1 : at].strip() == ""
        if closing and begins and not any(sign in typed[at + 1 :] for sign in closing):
            return template.mask(f"{typed[:at]}{character}{closing[0]}").lower()
    return template.mask(typed).lower()
