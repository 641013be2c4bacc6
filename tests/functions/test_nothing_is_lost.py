"""A function's form contains everything that it does: a changed word, number or operator changes the form.

A form that loses a part makes different functions equal, and nothing else shows the loss.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cukereuse_engine.functions.form import Form
from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import extract

FOLDER = Path(__file__).parent / "languages"
SOURCES = sorted(path for path in FOLDER.rglob("*") if path.is_file() and path.suffix != ".tsv")
TOKEN = re.compile(
    r"(?P<text>\"[^\"\n]*\"|'[^'\n]*')|(?P<word>\b[A-Za-z_]\w*\b)|(?P<number>\b\d+\b)|(?P<sign>==|!=|&&|\|\|)"
)
OTHER_SIGN = {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """context World and assert async auto await begin bool break const def do else end except false fn for from fun
        func function if import in int is lambda let move mut new nil None not null or pass private public raise return
        self String static string then this throw true unit until use val var void while with yield False True world""",
    )
)
MOST_CHANGES = 6
"""Approximate number of changes of one function."""
TELLS = re.compile(r"\b(?:[Pp]rint\w*|puts|log\w*|console|Log\w*|logger|echo|WriteLine|tracing|info|debug)\b")
"""Lines that only log, which forms leave out on purpose."""
SAYS_NOTHING = re.compile(r":\s*Promise<|:\s\w+\s=\snew\b|\bas (?:number|string)\b|^\s*(?://|#|\*|/\*|\"\"\"|\[)")
"""Lines with types that are gone when the code runs, comments, docstrings, C#'s attributes."""
ATTRIBUTE = re.compile(r"^\s*@")
"""Except in Ruby, where it is a variable."""
TYPES_OF_A_CALL = re.compile(r"\w<\w+>\(")
"""TypeScript's types of a call, which are gone too."""


def body_start(text: str, suffix: str) -> int:
    """The offset at which a function's body begins: after its attributes and parameters."""
    if suffix == ".rb":
        opening = r"(?:\bdo\b|\{)[ \t]*(?:\|[^|\n]*\|)?"
    elif suffix == ".py":
        opening = r":[ \t]*\n"
    elif suffix in (".ts", ".js"):
        opening = r"=>|\)[ \t]*\{"
    else:
        attributes = re.match(r"(?:\s*(?:\[|#\[|@|//|/?\*).*\n)*", text)
        start = text.index("(", attributes.end() if attributes is not None else 0)
        at, depth = start, 0
        for at in range(start, len(text)):
            depth += (text[at] == "(") - (text[at] == ")")
            if depth == 0:
                break
        match = re.compile(r"\{|=>|=").search(text, at)
        return match.end() if match else len(text)
    match = re.search(opening, text)
    return match.end() if match else 0


def mutants(text: str, suffix: str) -> Iterator[tuple[str, str]]:
    """The change, and the function with it."""
    for match in TOKEN.finditer(text, body_start(text, suffix)):
        begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        line = text[begin : end if end >= 0 else len(text)]
        comment = re.search(r"\s(?:#|//)\s", line)
        written = match.group()
        if TELLS.search(line) or SAYS_NOTHING.search(line) or (match.lastgroup == "word" and written in KEYWORDS):
            continue
        if suffix != ".rb" and ATTRIBUTE.search(line):
            continue
        if suffix == ".ts" and TYPES_OF_A_CALL.search(line):
            continue
        if comment is not None and match.start() >= begin + comment.start():
            continue
        if match.lastgroup == "sign":
            other = OTHER_SIGN[written]
        elif match.lastgroup == "number":
            other = written + "7"
        else:
            other = f"{written[:-1]}Zq{written[-1]}" if match.lastgroup == "text" else f"{written}Zq"
        yield f"{written} in {line.strip()}", text[: match.start()] + other + text[match.end() :]


def form(path: Path, source: bytes, like: StepDefinition) -> Form | None:
    lost = [
        definition
        for definition in extract(path.name, source).definitions
        if (definition.expression, definition.line) == (like.expression, like.line)
    ]
    return forms_of(path.name, source, lost).forms.get(lost[0].function_id) if len(lost) == 1 else None


def definitions(path: Path) -> list[StepDefinition]:
    extraction = extract(path.name, path.read_bytes()).definitions
    return [
        definition
        for definition in extraction
        if definition.function is not None and definition.function.path == path.name
    ]


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if definitions(path)], ids=lambda path: path.relative_to(FOLDER).as_posix()
)
def test_every_token_counts(path: Path) -> None:
    source, lost = path.read_bytes(), []
    for definition in definitions(path):
        span = definition.function
        assert span is not None
        before = form(path, source, definition)
        text = source[span.start_byte : span.end_byte].decode()
        changes = list(mutants(text, path.suffix)) if before is not None and not before.is_partial else []
        read = 0
        for what, mutant in changes[:: max(1, len(changes) // MOST_CHANGES)]:
            changed = source[: span.start_byte] + mutant.encode() + source[span.end_byte :]
            after = form(path, changed, definition)
            read += after is not None
            if after is not None and before is not None and after.tokens == before.tokens:
                lost.append(f"{definition.expression}: {what}")
        if changes and not read:
            lost.append(f"{definition.expression}: no change of it could be read")
    assert not lost
