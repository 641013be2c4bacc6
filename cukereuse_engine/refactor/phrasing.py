"""Matches step texts with a phrasing that has slots, and finds what fills the slots."""

import re
from collections.abc import Sequence
from functools import lru_cache

from cukereuse_engine.refactor.arguments import MemberArgument, with_delimiters
from cukereuse_engine.refactor.target import Target


def matches(phrasing: Target, text: str) -> bool:
    """True if a step's text matches the phrasing; case and runs of white space don't matter."""
    return _pattern(phrasing).fullmatch(text) is not None


def phrased_arguments(phrasing: Target, text: str) -> tuple[MemberArgument, ...] | None:
    """The contents of the slots, ordered by the slots' numbers; None if the text does not match."""
    match = _pattern(phrasing).fullmatch(text)
    if match is None:
        return None
    arguments = [
        with_delimiters(text, *match.span(number), "" if slot.name.isdigit() else slot.name)
        for number, slot in enumerate(phrasing.slots, 1)
    ]
    by_order = sorted(zip(phrasing.order, arguments, strict=True), key=lambda pair: pair[0])
    return tuple(argument for _, argument in by_order)


def other_span(phrasing: Target, text: str, arguments: Sequence[MemberArgument]) -> str:
    """The text of the first slot that covers something else than its argument in a step's text; empty if all agree.

    `arguments`: those that the step's definition takes, one for each slot, left to right.
    """
    words, at = [], 0
    for argument in arguments:
        words += [text[at : argument.start], "\0"]
        at = argument.end
    spelled = "".join(part if isinstance(part, str) else "\0" for part in phrasing.parts)
    if " ".join("".join([*words, text[at:]]).split()).lower() == " ".join(spelled.split()).lower():
        return ""
    phrased = phrased_arguments(phrasing, text) or ()
    return next((slot.text for slot, own in zip(phrased, arguments, strict=False) if slot.text != own.text), text)


@lru_cache(maxsize=64)
def _pattern(phrasing: Target) -> re.Pattern[str]:
    pieces = []
    for part in phrasing.parts:
        if isinstance(part, str):
            pieces.append(re.sub(r"(?:\\?\s)+", lambda _: r"\s+", re.escape(part)))
        else:
            pieces.append(f"{part.quote}(.*?){part.quote}" if part.quote else "(.+?)")
    return re.compile("".join(pieces), re.IGNORECASE)
