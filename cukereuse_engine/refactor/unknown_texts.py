"""Texts of which only parts are known: steps that a program composes, and expressions with parameters. Two of them meet
if some text is both; what is not known may be anything."""

import re

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.creation.spoken import spoken
from cukereuse_engine.refactor.step_call import PUT_IN_TEXT

Parts = tuple[str, ...]
"""The known parts from left to right, with anything between two of them: one part is a text that is known whole."""


def parts_of(text: str) -> Parts:
    """A literal as it is written in code. If it ends with a blank, more is joined to it."""
    known = text.replace('\\"', '"').replace("\\'", "'").replace('""', '"')
    return tuple(map(_alike, (*PUT_IN_TEXT.split(known), *([""] if known[-1:].isspace() else []))))


def parts_of_definition(definition: StepDefinition) -> Parts | None:
    """What a definition's steps say, with its parameters left open; None for an expression that no one text says."""
    pieces = spoken(definition)
    if pieces is None:
        return None
    known = [""]
    for piece in pieces:
        if isinstance(piece, str):
            known[-1] += piece
        else:
            known.append("")
    return tuple(
        _alike(part[at > 0 and part[:1] == '"' : len(part) - (at < len(known) - 1 and part[-1:] == '"')])
        for at, part in enumerate(known)
    )


def meet(left: Parts, right: Parts) -> bool:
    """True if some text has the parts of both. If both are open somewhere, only their beginnings and their ends can
    contradict: what is between fits into what the other leaves open."""
    if len(left) == 1:
        left, right = right, left
    if len(right) == 1:
        return _fits(left, right[0])
    begins = left[0].startswith(right[0]) or right[0].startswith(left[0])
    return begins and (left[-1].endswith(right[-1]) or right[-1].endswith(left[-1]))


def _fits(parts: Parts, text: str) -> bool:
    if len(parts) == 1:
        return parts[0] == text
    at = len(parts[0])
    for part in parts[1:-1]:
        at = text.find(part, at) + len(part)
        if at < len(part):
            return False
    return text.startswith(parts[0]) and text.endswith(parts[-1]) and at + len(parts[-1]) <= len(text)


def _alike(part: str) -> str:
    return re.sub(r"\s+", " ", part.replace("'", '"'))
