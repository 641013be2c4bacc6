"""The parts of a new definition's code."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    """The literal words, to name a function by."""
    kind: ExpressionKind


@dataclass(frozen=True, slots=True)
class Body:
    """What a definition does, in place of the runner's own "pending"."""

    lines: Sequence[str]
    parameters: Sequence[str] | None = None
    """All that the function takes, as written; None: as in the runner's own snippet."""
    is_async: bool = False
    result: str = ""
    """Type of what it gives back, where it gives back something."""
    is_arrow: bool = False
    throws: str = ""
    """Java's clause, with a space before it."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """What the code of a definition is made of."""

    head: str
    """Registration up to and with the literal and what closes it: `@given("…")`, `Given("…"`, `[Given(@"…")]`."""
    indent: str
    phrase: Phrase
    keyword: str
    """"Given", "When" or "Then"."""
    name: str
    """Of the function."""
    argument: str | None
    """"docstring" or "table" where the step has one."""
    model: StepDefinition
    source: str
    """Of the file, to follow its habits."""
    body: Body | None = None

    def taken(self, own: Sequence[str]) -> str:
        """The list of parameters: what the body asks for, else the snippet's `own`."""
        return ", ".join(own if self.body is None or self.body.parameters is None else self.body.parameters)

    def lines(self, own: Sequence[str], indent: str = "    ") -> list[str]:
        """The lines of the function, indented: the body's, else the snippet's `own`, which are so already."""
        return [*own] if self.body is None else _indented(self.body.lines, indent)


@dataclass(frozen=True, slots=True)
class NewCode:
    text: str
    """Whole lines, the first indented, no newline at the end."""
    apart: str = ""
    """A function that is at the end of the file, where the language registers it elsewhere."""


def head_line(model: StepDefinition, lines: list[str]) -> str:
    """The line on which the registration begins: above the literal, where that is on a line of its own."""
    number = model.literal.line - 1
    before = lines[number][: model.literal.column - 1]
    while not before.strip() and number:
        number -= 1
        before = lines[number]
    return lines[number]


def block(draft: Snippet, *lines: str) -> str:
    return "\n".join(f"{draft.indent}{line}" if line else "" for line in lines)


def _indented(lines: Sequence[str], by: str = "    ") -> list[str]:
    return [f"{by}{line}" if line else "" for line in lines]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def after_literal(draft: Snippet) -> str:
    """The model's source behind its literal."""
    source = draft.source.encode("utf-8", "surrogatepass")
    return source[draft.model.literal.end_byte :][:400].decode("utf-8", "replace")


TODO = "Write code here that turns the phrase above into concrete actions"
