"""Optional endings in an expression, `button(s)`, `buttons?`: if a rename does not change the word, each step keeps its
own form.

The word must occur once in the target and once in the step that the user named, in the same form. Another form in the
target is intended and applies to all steps.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.expressions.parameters import is_extended

_BRACKETED = re.compile(r"(?<![\\\w])(\w+)\((\w+)\)(?!\w)")
"""An optional ending in Cucumber Expressions and Turnip."""
_QUESTIONED = re.compile(r"(?<![\\\w])(?:(\w+)\(\?:(\w+)\)\?|(\w+)(\w)\?)(?![\w?+])")
"""An optional ending in regular expressions."""
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Ending:
    """A word with an optional ending."""

    stem: str
    ending: str
    asked: str
    """The form in the target."""

    def form_in(self, text: str) -> str:
        """The form in a text; the target's form if the text contains the word several times or not at all."""
        forms = _forms(self.stem, self.ending).findall(text)
        return forms[0] if len(forms) == 1 else self.asked


@lru_cache(maxsize=256)
def _forms(stem: str, ending: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(stem)}(?:{re.escape(ending)})?(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def endings_of(definition: StepDefinition) -> dict[tuple[str, str], str]:
    """Maps stem and ending of each such word outside arguments to its source in the expression."""
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
    """True if a group or a set is open at the end of the text."""
    bare = re.sub(r"\\.", "", before, flags=re.DOTALL)
    pairs = zip(_OPENING, _CLOSING, strict=True)
    return any(bare.count(opening) != bare.count(closing) for opening, closing in pairs)


def shared_endings(definitions: Sequence[StepDefinition]) -> list[tuple[str, str]]:
    """The stems and endings that are optional in all the definitions."""
    first, *others = (endings_of(definition) for definition in definitions)
    return [key for key in first if all(key in other for other in others)]


def without(text: str, endings: Sequence[tuple[str, str]]) -> str:
    """The text with each of these words in its form without ending."""
    for stem, ending in endings:
        text = _forms(stem, ending).sub(stem, text)
    return text


def split(literal: str, literals: str, said: str, endings: Sequence[tuple[str, str]]) -> Iterator[str | Ending]:
    """Split a target's words at the endings in them. `literals`: all its words; `said`: the step that the user named,
    without arguments."""
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
