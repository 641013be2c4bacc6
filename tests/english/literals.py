"""Every literal of the code that a person may read, by file and place."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "cukereuse_engine": ("cukereuse_engine/**/*.py", "cukereuse_engine/report/html/*.js"),
    "cukereuse_server": ("server/cukereuse_server/**/*.py",),
    "corpus_tools": ("corpus_tools/**/*.py", "corpus_tools/pages/*.js"),
    "editors": ("editors/vscode/src/**/*.ts", "editors/neovim/**/*.lua"),
}
"""Packages by the names of their catalogues."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_FOR_MACHINES = re.compile(
    r"SELECT|INSERT|CREATE TABLE|<!DOCTYPE|[\\{}\[\]^$|]{2,}|^\w[\w.]*\[[\w., |\[\]]+\]( \| None)?$|class="
)
_SCRIPT_LITERAL = re.compile(r"""(["'`])((?:\\.|(?!\1).)+)\1""")
_COMMENTS = ("//", "/*", "*", "--")


@dataclass(frozen=True, slots=True)
class Literal:
    line: int
    """1-based."""
    start: int
    end: int
    """Code points of the source, quotes included."""
    text: str
    """Inserted values are in braces, as in the source. Paragraphs of help are separated by ¶."""
    blank: str
    """The text with … for each inserted value."""


def files(package: str) -> list[Path]:
    return sorted(path for pattern in PACKAGES[package] for path in ROOT.glob(pattern))


@cache
def literals(path: Path) -> tuple[Literal, ...]:
    """Literals in their order. Only texts of words; docstrings only if a person sees them."""
    source = path.read_text("utf-8")
    texts = of_python(source, path.name == "api.py") if path.suffix == ".py" else _of_script(source)
    return tuple(literal for literal in texts if is_read(literal.blank))


def is_read(text: str) -> bool:
    """True for a text of words, not a pattern, a query or a page."""
    return " " in text and len(_WORD.findall(text)) >= 3 and not _FOR_MACHINES.search(text)


def of_python(source: str, is_documented: bool = False) -> Iterator[Literal]:
    """Strings in their order; docstrings of commands, and all docstrings of documentation."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode("utf-8")))
    data = source.encode("utf-8")

    def offset(line: int, column: int) -> int:
        return len(data[: starts[line - 1] + column].decode("utf-8"))

    for node, is_help in _strings(ast.parse(source), is_documented):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        place = (offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset))
        texts = [_text(node, put_in) for put_in in (None, "…")]
        if is_help:
            texts = [_paragraphs(text) for text in texts]
        yield Literal(node.lineno, *place, *texts)


def _strings(node: ast.AST, is_documented: bool) -> Iterator[tuple[ast.expr, bool]]:
    """Outermost strings, each with true for a docstring."""
    decorators = map(ast.unparse, getattr(node, "decorator_list", ()))
    documents = is_documented or any(re.search(r"command|group", decorator) for decorator in decorators)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            if documents and isinstance(child.value.value, str):
                yield child.value, True
        elif isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child, False
        else:
            yield from _strings(child, is_documented)


def _text(node: ast.expr, put_in: str | None) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, put_in) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return put_in or f"{{{ast.unparse(node.value)}}}"
    assert isinstance(node, ast.Constant)
    return str(node.value)


def blank_text(node: ast.expr) -> str | None:
    """The text of a string, or of a sum with one, with … for inserted values; None for anything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = blank_text(node.left), blank_text(node.right)
        return None if left is right is None else f"{left or '…'}{right or '…'}"
    is_string = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    return _text(node, "…") if is_string else None


def _paragraphs(text: str) -> str:
    return " ¶ ".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip() != "\b")


def _of_script(source: str) -> Iterator[Literal]:
    start = 0
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        if not line.strip().startswith(_COMMENTS):
            for match in _SCRIPT_LITERAL.finditer(line):
                blank = re.sub(r"\$\{[^{}]*\}", "…", match[2])
                yield Literal(number, start + match.start(), start + match.end(), match[2], blank)
        start += len(line)
