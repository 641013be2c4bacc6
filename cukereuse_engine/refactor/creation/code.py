"""The source text of a new definition, by language: the model's own way to register, the runner's own body."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.creation.phrase import Phrase
from cukereuse_engine.refactor.writing import Case, writing_of

_KEYWORDS = re.compile(r"\b(given|when|then|and|but|step|definestep|stepdefinition)\b", re.IGNORECASE)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
TODO = "Write code here that turns the phrase above into concrete actions"
_RESERVED = frozenset(
    ["class", "def", "for", "from", "if", "in", "int", "is", "not", "or", "string", "type", "with", "word"]
)


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
class Draft:
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
class Code:
    text: str
    """Whole lines, the first indented, no newline at the end."""
    apart: str = ""
    """A function that stands at the end of the file, where the language registers it elsewhere."""


def head_line(model: StepDefinition, lines: list[str]) -> str:
    """The line on which the registration begins: above the literal, where that stands on a line of its own."""
    number = model.literal.line - 1
    before = lines[number][: model.literal.column - 1]
    while not before.strip() and number:
        number -= 1
        before = lines[number]
    return lines[number]


def head_of(model: StepDefinition, lines: list[str], literal: str, keyword: str, source: str) -> str:
    """How the model is registered, with another literal and keyword; only the first line of what spans several."""
    prefix = lines[model.literal.line - 1][: model.literal.column - 1]
    prefix = prefix if prefix.strip() else head_line(model, lines).rstrip()
    wanted = _keyword_in(prefix, keyword, model, source)
    prefix = _KEYWORDS.sub(lambda _: wanted, prefix, count=1)
    stack = []
    for character in prefix:
        if character in _CLOSING:
            stack.append(_CLOSING[character])
        elif stack and character == stack[-1]:
            stack.pop()
    return f"{prefix.lstrip()}{literal}{''.join(reversed(stack))}"


def _keyword_in(prefix: str, keyword: str, model: StepDefinition, source: str) -> str:
    """The keyword as this file may write it: one that is not imported stays the model's, or is named in full."""
    match = _KEYWORDS.search(prefix)
    if match is None or match.group().lower() in ("step", "definestep", "stepdefinition"):
        return match.group() if match is not None else ""
    wanted = keyword.lower() if match.group().islower() else keyword
    if re.search(rf"\b{wanted}\b", source) or "*" in _imports(source):
        return wanted
    return writing_of(model.language).keyword(prefix[: match.start()], wanted, match.group())


def _imports(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if re.match(r"\s*(?:from|import|use)\b", line))


def function_name(model: StepDefinition, phrase: Phrase, keyword: str, source: str) -> str:
    """As the model's is written: snake, camel or Pascal case; unique in the file."""
    words = re.findall(r"[^\W_]+", phrase.words) or [keyword]
    words = [word for word in words if word.isascii()] or [keyword]
    style, case = model.function_name, writing_of(model.language).case
    if case is Case.PASCAL or (style[:1].isupper() and style):
        if re.match(r"(?:Given|When|Then)(?![a-z])", style):
            words = [keyword, *words]
        name = "".join(word[:1].upper() + word[1:] for word in words)
    elif "_" in style or case is Case.SNAKE or not style:
        name = "_".join(word.lower() for word in words)
    else:
        name = words[0].lower() + "".join(word[:1].upper() + word[1:] for word in words[1:])
    name = f"{keyword.lower()}_{name}" if name[0].isdigit() or name in _RESERVED else name
    number, unique = 1, name
    while re.search(rf"\b{re.escape(unique)}\b", source):
        number += 1
        unique = f"{name}{number}"
    return unique


def code_of(draft: Draft) -> Code:
    snippet = writing_of(draft.model.language).snippet
    assert snippet is not None
    return snippet(draft)


def block(draft: Draft, *lines: str) -> str:
    return "\n".join(f"{draft.indent}{line}" if line else "" for line in lines)


def _indented(lines: Sequence[str], by: str = "    ") -> list[str]:
    return [f"{by}{line}" if line else "" for line in lines]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def after_literal(draft: Draft) -> str:
    """The model's source behind its literal."""
    source = draft.source.encode("utf-8", "surrogatepass")
    return source[draft.model.literal.end_byte :][:400].decode("utf-8", "replace")
