"""The parts of a new definition's code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition


@dataclass(frozen=True, slots=True)
class PhraseParameter:
    name: str
    """A word of ASCII letters, digits and `_`; unique in its definition."""
    type: str
    """"string", "int", "float", "word" or "any"."""


@dataclass(frozen=True, slots=True)
class Phrase:
    expression: str
    parameters: tuple[PhraseParameter, ...]
    words: str
    """The literal words, from which a function gets its name."""
    kind: ExpressionKind


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a definition, instead of the runner's own "pending"."""

    lines: Sequence[str]
    parameters: Sequence[str] | None = None
    """All parameters of the function, as written; None: as in the runner's own snippet."""
    is_async: bool = False
    result: str = ""
    """The return type, or empty."""
    is_arrow: bool = False
    throws: str = ""
    """Java's `throws` clause, with a space before it."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """The parts of a definition's code."""

    head: str
    """The registration up to the end of the literal or attribute: `@given("…")`, `Given("…"`, `[Given(@"…")]`."""
    indent: str
    phrase: Phrase
    keyword: str
    """"Given", "When" or "Then"."""
    name: str
    """The name of the function."""
    argument: str | None
    """"docstring" or "table" if the step has one."""
    model: StepDefinition
    source: str
    """The source of the file, whose style is followed."""
    body: Body | None = None

    def taken(self, own: Sequence[str]) -> str:
        """The list of parameters: the body's if it has some, else the snippet's `own`."""
        return ", ".join(own if self.body is None or self.body.parameters is None else self.body.parameters)

    def lines(self, own: Sequence[str], usual: str = "    ") -> list[str]:
        """The indented lines of the function: the body's, else the snippet's `own`. `usual`: the language's indentation
        where the file shows none."""
        unit = _unit(self.source, self.model) or ("\t" if self.indent.endswith("\t") else usual)
        return [f"{unit}{line}" if line else "" for line in (own if self.body is None else self.body.lines)]


@dataclass(frozen=True, slots=True)
class NewCode:
    text: str
    """Whole lines, the first indented, no newline at the end."""
    apart: str = ""
    """A function for the end of the file, if the language registers it in another place."""


_PARSER = re.compile(r"\s*(?:[\w.]+\(\s*)*")
"""Text between a registration's bracket and the literal, if they are on several lines."""
_MOST_LINES = 3
KEYWORDS = re.compile(r"\b(given|when|then|and|but|step|definestep|stepdefinition)\b", re.IGNORECASE)


def head_line(model: StepDefinition, lines: list[str]) -> str:
    """The line on which the registration begins: above the literal if that is on a line of its own."""
    return lines[_head_number(model, lines)]


def head_prefix(model: StepDefinition, lines: list[str]) -> str:
    """The registration up to the literal, in one line."""
    number, last = _head_number(model, lines), model.literal.line - 1
    before = lines[last][: model.literal.column - 1]
    return "".join([line.strip() for line in lines[number:last]] + [before.lstrip() if number < last else before])


def _head_number(model: StepDefinition, lines: list[str]) -> int:
    """The 0-based number of the line with the registration's keyword, of the line before the literal if there is none.
    Nothing but opening brackets and names of parsers is between the two."""
    number = model.literal.line - 1
    before = lines[number][: model.literal.column - 1]
    while number and not before.strip():
        number -= 1
        before = lines[number]
    first = number
    while number and first - number < _MOST_LINES and not KEYWORDS.search(before) and _PARSER.fullmatch(before):
        number -= 1
        before = lines[number]
    return number if KEYWORDS.search(before) else first


def block(draft: Snippet, *lines: str) -> str:
    return "\n".join(f"{draft.indent}{line}" if line else "" for line in lines)


def _unit(source: str, model: StepDefinition) -> str:
    """What the model's function indents its body by; empty if it has no lines that show it."""
    function = model.function
    if function is None:
        return ""
    lines = split_lines(source)[0][function.line - 1 : function.end_line]
    indents = [line[: len(line) - len(line.lstrip())] for line in lines if line.strip()]
    deeper = [indent[len(indents[0]) :] for indent in indents if len(indent) > len(indents[0])]
    unit = min(deeper, key=len, default="")
    return unit if unit in ("\t", "  ", "   ", "    ", "        ") else ""


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def after_literal(draft: Snippet) -> str:
    """The model's source after its literal, up to 400 bytes."""
    source = draft.source.encode("utf-8", "surrogatepass")
    return source[draft.model.literal.end_byte :][:400].decode("utf-8", "replace")


TODO = "Write code here that turns the phrase above into concrete actions"
