"""Endings that an expression leaves open, `button(s)`, `buttons?`: where a rename leaves the word alone, each step
keeps its own number.

Told by the word alone, which must occur once in the target and once in the step that the user named, in the same form:
another form was meant so, and counts for all.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.expressions.parameters import is_extended

_BRACKETED = re.compile(r"(?<![\\\w])(\w+)\((\w+)\)(?!\w)")
"""Cucumber Expressions and Turnip."""
_QUESTIONED = re.compile(r"(?<![\\\w])(?:(\w+)\(\?:(\w+)\)\?|(\w+)(\w)\?)(?![\w?+])")
"""Regular expressions."""
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Ending:
    """A word that may have an ending or none."""

    stem: str
    ending: str
    asked: str
    """The form in the target."""

    def form_in(self, text: str) -> str:
        """How a text says it; as it was asked for where it says it several times or not at all."""
        forms = _forms(self.stem, self.ending).findall(text)
        return forms[0] if len(forms) == 1 else self.asked


@lru_cache(maxsize=256)
def _forms(stem: str, ending: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(stem)}(?:{re.escape(ending)})?(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def endings_of(definition: StepDefinition) -> dict[tuple[str, str], str]:
    """Stem and ending of each such word outside of arguments to how the expression writes it."""
    text, kind = definition.expression, definition.kind
    if kind is ExpressionKind.REGEX:
        if is_extended(text, definition.flags):
            return {}
        quoted = ((match, match[1] or match[3], match[2] or match[4]) for match in _QUESTIONED.finditer(text))
    elif kind in (ExpressionKind.CUCUMBER, ExpressionKind.TURNIP) and definition.framework != "vitest-cucumber":
        quoted = ((match, match[1], match[2]) for match in _BRACKETED.finditer(text))
    else:
        return {}
    return {(stem, ending): match.group() for match, stem, ending in quoted if not _is_inside(text[: match.start()])}


def _is_inside(before: str) -> bool:
    """True if a group or a set is open after the text."""
    bare = re.sub(r"\\.", "", before, flags=re.DOTALL)
    pairs = zip(_OPENING, _CLOSING, strict=True)
    return any(bare.count(opening) != bare.count(closing) for opening, closing in pairs)


def shared_endings(definitions: Sequence[StepDefinition]) -> list[tuple[str, str]]:
    """Those that all the definitions leave open."""
    first, *others = (endings_of(definition) for definition in definitions)
    return [key for key in first if all(key in other for other in others)]


def without(text: str, endings: Sequence[tuple[str, str]]) -> str:
    """A text with each of these words in its form without the ending."""
    for stem, ending in endings:
        text = _forms(stem, ending).sub(stem, text)
    return text


def split(literal: str, literals: str, said: str, endings: Sequence[tuple[str, str]]) -> Iterator[str | Ending]:
    """A target's words, with the endings in them. `literals`: all its words; `said`: the step that the user named,
    without its arguments."""
    for stem, ending in endings:
        forms = _forms(stem, ending)
        here, asked, named = forms.search(literal), forms.findall(literals), forms.findall(said)
        if here is not None and len(asked) == 1 and asked == named:
            yield from split(literal[: here.start()], literals, said, endings)
            yield Ending(stem, ending, asked[0])
            yield from split(literal[here.end() :], literals, said, endings)
            return
    if literal:
        yield literal
