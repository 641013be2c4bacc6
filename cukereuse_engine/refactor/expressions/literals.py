"""Writes a text as a literal of the glue language, in the style of the literal that it replaces.

If the style can't hold the text, the next one that can is used. The language modules read literals: each literal reads
back as the same text, and the check before a rename proves it each time.
"""

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.writing import Style, writing_of

_CONTROLS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def requote(definition: StepDefinition, expression: str) -> str:
    """The definition's new literal, for `expression`. Raises `UnwritableError`."""
    if not definition.rewritable:
        raise UnwritableError("its expression is not a plain string literal; write it as one string first")
    styles = writing_of(definition.language).literals
    if styles is None:
        raise UnwritableError(
            f"literals of {definition.language} can't be rewritten; change its definition by hand first"
        )
    for style in styles(definition):
        literal = style(expression)
        if literal is not None:
            return literal
    raise UnwritableError("no string literal there can contain the text; choose another wording")


def escaped(text: str, quote: str, more: str = "") -> str:
    """The text with backslash escapes as in C; `more`: further characters to escape."""
    special = "\\" + quote + more
    pieces = []
    for char in text:
        if char in special:
            pieces.append("\\" + char)
        elif char in _CONTROLS:
            pieces.append(_CONTROLS[char])
        elif ord(char) < 32 or 127 <= ord(char) < 160:
            pieces.append(f"\\u{ord(char):04x}")
        else:
            pieces.append(char)
    return "".join(pieces)


def plain(quote: str, prefix: str = "") -> Style:
    return lambda text: f"{prefix}{quote}{escaped(text, quote)}{quote}"


def unquoted(quote: str, prefix: str = "") -> Style:
    """A plain string, for texts without its quote."""
    return lambda text: None if quote in text else f"{prefix}{quote}{escaped(text, quote)}{quote}"


def in_turn(quote: str, by_quote: dict[str, Style]) -> list[Style]:
    """The styles to try: the literal's own quote for texts without it, other quotes likewise, its own with escapes."""
    own = by_quote.get(quote, next(iter(by_quote.values())))
    clean = [_unless(other, style) for other, style in by_quote.items() if other != quote]
    return [_unless(quote, own), *clean, own]


def _unless(quote: str, style: Style) -> Style:
    return lambda text: None if quote in text else style(text)


def slashed(literal: str) -> Style:
    flags = literal[literal.rindex("/") + 1 :]

    def write(pattern: str) -> str | None:
        if "\n" in pattern or not pattern:
            return None
        return "/" + pattern.replace("/", "\\/") + "/" + flags

    return write


def with_slashes(definition: StepDefinition, body: str, style: Style) -> Style:
    """The style for Cucumber-JVM's `"/…/"`, whose slashes are not part of the expression."""
    slashed = definition.kind is ExpressionKind.REGEX and len(body) > 1 and body[0] == body[-1] == "/"
    slashed = slashed and not definition.expression.startswith("/")
    return (lambda text: style(f"/{text}/")) if slashed else style
