"""A step's text as the parsers of some runners read it, if they differ from Gherkin's own parser."""

from collections.abc import Callable

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.text_binding import TextBinding


def bound_as_read(step: Step, text: str, bind: Callable[[str], TextBinding]) -> TextBinding:
    """The binding of a text as Gherkin's own parser reads it or, if nothing matches, as other parsers read it."""
    binding = bind(text)
    for reading, frameworks in _READINGS if not binding.matches else ():
        other = reading(step, text)
        bound = bind(other) if other != text else binding
        matches, *scopes = (
            tuple(match for match in matches if match.definition.framework in frameworks)
            for matches in (bound.matches, *bound.scopes)
        )
        if matches:
            return TextBinding(text, matches, tuple(filter(None, scopes)))
    return binding


def _as_written(_: Step, text: str) -> str:
    """behave and Behat know no escape in a cell but that of a bar."""
    return text.replace("\n", "\\n")


def _without_colon(step: Step, text: str) -> str:
    """behave up to 1.2 (and later versions with a setting) drop the colon before a table or DocString."""
    return _as_written(step, text).removesuffix(":") if step.argument is not None else text


_READINGS = ((_as_written, ("behave", "behat")), (_without_colon, ("behave",)))
"""Texts that parsers read differently from Gherkin's own parser, with their frameworks."""
