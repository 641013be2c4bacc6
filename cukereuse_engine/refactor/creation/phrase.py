"""A step's text as an expression: its literal words, and a parameter for each of its values."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.base import refusal
from cukereuse_engine.refactor.code_parts.snippet import Phrase, PhraseParameter
from cukereuse_engine.refactor.expressions.parameters import parameters_of
from cukereuse_engine.refactor.expressions.rewrite import escape, loadable
from cukereuse_engine.text import template
from cukereuse_engine.text.template import Argument, SlotType

_INTEGER, _DECIMAL = re.compile(r"-?\d+"), re.compile(r"-?\d*\.\d+")
_FORMS = {
    ExpressionKind.CUCUMBER: {"string": "{string}", "int": "{int}", "float": "{float}", "word": "{word}", "any": "{}"},
    ExpressionKind.REGEX: {
        "string": '"([^"]*)"',
        "int": r"(-?\d+)",
        "float": r"(-?\d*\.?\d+)",
        "word": r"(\S+)",
        "any": "(.*)",
    },
    ExpressionKind.PARSE: {
        "string": '"{%s}"',
        "int": "{%s:d}",
        "float": "{%s:g}",
        "word": "{%s}",
        "any": "{%s}",
    },
    ExpressionKind.TURNIP: dict.fromkeys(("string", "int", "float", "word", "any"), ":%s"),
}
"""How each kind of expression writes a parameter for a value of a type, as the runners' own snippets do; `%s` is its
name."""
_RESERVED = re.compile(
    r"as|begin|bool|break|case|catch|char|class|const|context|continue|def|default|do|double|"
    r"elif|else|end|enum|except|export|extends|false|final|finally|float|fn|for|from|fun|func|"
    r"function|go|goto|if|impl|import|in|int|interface|is|lambda|let|long|loop|map|match|mod|"
    r"module|mut|namespace|new|nil|none|not|null|object|or|out|package|params|pass|private|"
    r"protected|public|range|ref|return|self|static|step|string|struct|super|switch|then|this|"
    r"throw|trait|true|try|type|typeof|union|use|using|val|var|void|where|while|with|world|"
    r"yield"
)
"""Keywords of some glue language, and names that the bodies written here use."""
_BASES = {"string": "text", "int": "number", "float": "number", "word": "word", "any": "text"}


def phrase_of(step: Step, model: StepDefinition, values: Collection[str] | None = None) -> Phrase:
    """In the kind of the model's expression. `values`: what alone is a value in the step's text; None: whatever looks
    so. Raises `UnwritableError` for words that this kind can't say."""
    arguments = [argument for argument in template.arguments(step.text) if values is None or argument.text in values]
    kind = _kind(model.kind, bool(arguments))
    written = replace(model, kind=kind)
    types = [_type(step, argument) for argument in arguments]
    names = _names(arguments, types)
    pieces, words, at = [], [], 0
    for argument, type_, name in zip(arguments, types, names, strict=True):
        literal = step.text[at : argument.start]
        pieces.append(escape(literal, written))
        pieces.append(_form(kind, type_, name, argument))
        words.append(literal)
        at = argument.end
    pieces.append(escape(step.text[at:], written))
    words.append(step.text[at:])
    expression = "".join(pieces)
    if kind is ExpressionKind.REGEX:
        around = parameters_of(model, nested=True)
        anchors = re.sub(r"\(\?[a-zA-Z]+\)", "", around.prefix), around.suffix
        anchored = expression.join(anchors if any(anchors) else ("^", "$"))
        refused = refusal(replace(model, kind=kind, expression=anchored))
        expression = loadable(expression, model) if refused else anchored
    parameters = tuple(PhraseParameter(name, type_) for name, type_ in zip(names, types, strict=True))
    return Phrase(expression, parameters, " ".join(words), kind)


def _kind(kind: ExpressionKind, has_values: bool) -> ExpressionKind:
    if kind is ExpressionKind.CFPARSE or (kind is ExpressionKind.LITERAL and has_values):
        return ExpressionKind.PARSE
    return kind


def _form(kind: ExpressionKind, type_: str, name: str, argument: Argument) -> str:
    first, last = argument.text[0], argument.text[-1]
    if type_ == "string" and first not in "\"'" and kind is not ExpressionKind.TURNIP:
        inside = {ExpressionKind.CUCUMBER: "{}", ExpressionKind.REGEX: f"([^{last}]*)"}.get(kind, f"{{{name}}}")
        return first + inside + last
    form = _FORMS[kind][type_]
    form = form % name if "%s" in form else form
    return (
        form.replace('"', "'") if type_ == "string" and first == "'" and kind is not ExpressionKind.CUCUMBER else form
    )


def _type(step: Step, argument: Argument) -> str:
    if argument.delimiter not in ("", "<", "`"):
        return "string"
    values = [argument.text]
    if argument.type is SlotType.PLACEHOLDER:
        values = list(_values(step, argument.text[1:-1]))
    for type_, pattern in (("int", _INTEGER), ("float", _DECIMAL)):
        if values and all(pattern.fullmatch(value) for value in values):
            return type_
    return "word" if values and all(value and not re.search(r"\s", value) for value in values) else "any"


def _values(step: Step, name: str) -> Iterator[str]:
    """The values that the Examples give to a name."""
    for table in step.examples:
        if name in table.header:
            column = table.header.index(name)
            yield from (row[column] for row in table.rows if column < len(row))


def _names(arguments: Sequence[Argument], types: Sequence[str]) -> list[str]:
    names: list[str] = []
    for argument, type_ in zip(arguments, types, strict=True):
        own = argument.text.strip("\"'<>") if argument.type is SlotType.PLACEHOLDER or "<" in argument.text else ""
        base = "_".join(re.findall(r"[A-Za-z0-9]+", own)).lower()
        base = base if base and not base[0].isdigit() else _BASES[type_]
        base = f"{base}_value" if _RESERVED.fullmatch(base) else base
        number = 1
        name = base
        while name in names:
            number += 1
            name = f"{base}{number}"
        names.append(name)
    return names
