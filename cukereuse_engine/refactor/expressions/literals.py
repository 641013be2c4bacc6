"""A text -> a literal of the glue language that denotes it, in the style of the literal that it replaces.

Where the style can't hold the text, the next one that can is taken. Reading is the language modules' part: what is
written here reads back as the same text, and the check before a rename proves it each time.
"""

import re
from collections.abc import Callable, Iterable

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.expressions.parameters import UnwritableError

Style = Callable[[str], str | None]
"""A literal for a text, or None where the style can't hold it."""

_CONTROLS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BRACKETS = {"{": "}", "(": ")", "[": "]", "<": ">"}


def requote(definition: StepDefinition, expression: str) -> str:
    """The literal that stands for `expression` at the definition. Raises `UnwritableError`."""
    if not definition.rewritable:
        raise UnwritableError("its expression is not a plain string literal; write it as one string first")
    styles = WRITERS.get(definition.language)
    if styles is None:
        raise UnwritableError(
            f"literals of {definition.language} can't be rewritten; change its definition by hand first"
        )
    for style in styles(definition):
        literal = style(expression)
        if literal is not None:
            return literal
    raise UnwritableError("no string literal there can contain the text; choose another wording")


def _escaped(text: str, quote: str, more: str = "") -> str:
    """Backslash escapes as C's descendants know them; `more` are further characters to escape."""
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


def _plain(quote: str, prefix: str = "") -> Style:
    return lambda text: f"{prefix}{quote}{_escaped(text, quote)}{quote}"


def _unquoted(quote: str, prefix: str = "") -> Style:
    """A plain string, only where its quote need not be escaped."""
    return lambda text: None if quote in text else f"{prefix}{quote}{_escaped(text, quote)}{quote}"


def _python(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    match = re.match(r"([a-zA-Z]*)(\"\"\"|'''|\"|')", literal)
    if match is None:
        return []
    prefix, quote = match.groups()
    others = [mark for mark in ('"', "'", '"""') if mark != quote]
    raws = [_python_raw(prefix, mark) for mark in (quote, *others)]
    if "r" in prefix.lower():
        return [*raws, _plain('"')]
    single = quote[0]
    other = "'" if single == '"' else '"'
    plain = [_unquoted(single, prefix), _unquoted(other, prefix), _plain(single, prefix)]
    half_escaped = re.search(r"(?<!\\)(?:\\\\)*\\[^\\'\"\nabfnrtvxuUN0-7]", literal)
    return [lambda text: _python_raw("r", quote)(text) if half_escaped and "\\" in text else None, *plain]


def _python_raw(prefix: str, quote: str) -> Style:
    def write(text: str) -> str | None:
        ends_escaped = (len(text) - len(text.rstrip("\\"))) % 2
        unholdable = quote[0] in text if len(quote) == 1 else quote in text or text.endswith(quote[0])
        broken = len(quote) == 1 and ("\n" in text or "\r" in text)
        return None if unholdable or broken or ends_escaped or "\r" in text else f"{prefix}{quote}{text}{quote}"

    return write


def _javascript(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    if literal.startswith("/"):
        return [_slashed(literal)]
    return _in_turn(literal[:1], {'"': _plain('"'), "'": _plain("'"), "`": _backtick})


def _backtick(text: str) -> str:
    return "`" + _escaped(text, "`").replace("${", "\\${") + "`"


def _in_turn(quote: str, by_quote: dict[str, Style]) -> list[Style]:
    """The literal's own quote where nothing need be escaped, else the first other such, else its own with escapes."""
    own = by_quote.get(quote, next(iter(by_quote.values())))
    clean = [_unless(other, style) for other, style in by_quote.items() if other != quote]
    return [_unless(quote, own), *clean, own]


def _unless(quote: str, style: Style) -> Style:
    return lambda text: None if quote in text else style(text)


def _slashed(literal: str) -> Style:
    flags = literal[literal.rindex("/") + 1 :]

    def write(pattern: str) -> str | None:
        if "\n" in pattern or not pattern:
            return None
        return "/" + pattern.replace("/", "\\/") + "/" + flags

    return write


def _ruby(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    if definition.kind is ExpressionKind.REGEX:
        flags = re.search(r"[a-z]*\Z", literal)
        slashed = _slashed("/" + (flags.group() if flags else ""))
        return [slashed] if literal.startswith("/") else [_ruby_percent(literal), slashed]
    single: Style = lambda text: None if "\n" in text else "'" + re.sub(r"[\\']", r"\\\g<0>", text) + "'"  # noqa: E731
    double: Style = lambda text: '"' + re.sub(r"#(?=[{$@])", r"\\#", _escaped(text, '"')) + '"'  # noqa: E731
    return _in_turn("'" if literal[:1] == "'" or literal[:2] == "%q" else '"', {"'": single, '"': double})


def _ruby_percent(literal: str) -> Style:
    """`%r{…}`: brackets inside are balanced, or escaped; any other delimiter must not stand inside at all."""
    opening = literal[2]
    closing = _BRACKETS.get(opening, opening)
    flags = literal[literal.rindex(closing) + 1 :]

    def write(pattern: str) -> str | None:
        bare = re.sub(r"\\.", "", pattern, flags=re.DOTALL)
        if opening == closing:
            return None if opening in pattern else f"%r{opening}{pattern}{closing}{flags}"
        depth = 0
        for char in bare:
            depth += (char == opening) - (char == closing)
            if depth < 0:
                return None
        return None if depth else f"%r{opening}{pattern}{closing}{flags}"

    return write


def _with_slashes(definition: StepDefinition, body: str, style: Style) -> Style:
    """Cucumber-JVM's `"/…/"`: the slashes are no part of the expression."""
    slashed = definition.kind is ExpressionKind.REGEX and len(body) > 1 and body[0] == body[-1] == "/"
    slashed = slashed and not definition.expression.startswith("/")
    return (lambda text: style(f"/{text}/")) if slashed else style


def _java(definition: StepDefinition) -> Iterable[Style]:
    body = definition.source_literal.strip('"').strip()
    return [_with_slashes(definition, body, _plain('"'))]


def _kotlin(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    plain: Style = lambda text: '"' + _escaped(text, '"', "$") + '"'  # noqa: E731
    styles = [_kotlin_raw, plain] if literal.startswith('"""') else [plain]
    return [_with_slashes(definition, literal.strip('"'), style) for style in styles]


def _kotlin_raw(text: str) -> str | None:
    if '"""' in text or text.startswith('"') or text.endswith('"') or re.search(r"\$[\w{`]|[\r\n]", text):
        return None
    return f'"""{text}"""'


def _scala(definition: StepDefinition) -> Iterable[Style]:
    if not definition.source_literal.startswith('"""'):
        return [_plain('"')]
    raw: Style = lambda text: None if '"""' in text or text.endswith('"') or "\\u" in text else f'"""{text}"""'  # noqa: E731
    return [raw, _plain('"')]


def _csharp(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    verbatim: Style = lambda text: '@"' + text.replace('"', '""') + '"'  # noqa: E731
    if literal.startswith("@"):
        return [verbatim]
    if literal.startswith('"""'):
        return [_csharp_raw, verbatim]
    return [_plain('"')]


def _csharp_raw(text: str) -> str | None:
    if '"""' in text or text.startswith('"') or text.endswith('"') or re.search(r"[\r\n]", text) or not text:
        return None
    return f'"""{text}"""'


def _php(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    around: Style = lambda text: text  # noqa: E731
    if definition.kind is ExpressionKind.REGEX:
        inner = literal if _in_doc_comment(definition) else literal[1:-1]
        delimiter = inner[:1]
        closing = "}" if delimiter == "{" else delimiter
        flags = inner[inner.rindex(closing) + 1 :]
        around = lambda text: f"{delimiter}{text}{closing}{flags}"  # noqa: E731
    if _in_doc_comment(definition):
        return [lambda text: _doc_comment(around(text) or "")]
    style = _php_double if literal.startswith('"') else _php_single
    return [lambda text: style(around(text) or "")]


def _in_doc_comment(definition: StepDefinition) -> bool:
    """Bare in the comment, not a string of an attribute."""
    literal = definition.source_literal
    if definition.kind is ExpressionKind.REGEX:
        return literal[:1] in "/~#`{"
    return literal == definition.expression


def _doc_comment(text: str) -> str | None:
    if "*/" in text or re.search(r"[\r\n]", text) or text.endswith("\\") or text != text.strip():
        return None
    return text


def _php_single(text: str) -> str:
    return "'" + re.sub(r"\\(?=[\\']|\Z)|'", r"\\\g<0>", text) + "'"


def _php_double(text: str) -> str:
    return '"' + _escaped(text, '"', "$") + '"'


def _go(definition: StepDefinition) -> Iterable[Style]:
    raw: Style = lambda text: None if "`" in text or "\r" in text else f"`{text}`"  # noqa: E731
    return [raw, _plain('"')] if definition.source_literal.startswith("`") else [_plain('"')]


def _rust(definition: StepDefinition) -> Iterable[Style]:
    return [_rust_raw] if definition.source_literal.startswith("r") else [_plain('"')]


def _rust_raw(text: str) -> str:
    hashes = max((len(run) for run in re.findall(r'"(#*)', text)), default=-1) + 1
    return f'r{"#" * hashes}"{text}"{"#" * hashes}'


WRITERS: dict[str, Callable[[StepDefinition], Iterable[Style]]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "ruby": _ruby,
    "java": _java,
    "kotlin": _kotlin,
    "csharp": _csharp,
    "php": _php,
    "go": _go,
    "rust": _rust,
    "scala": _scala,
}
