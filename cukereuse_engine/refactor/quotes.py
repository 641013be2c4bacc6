"""Finds where documents quote a step that is renamed. They are never edited."""

import re
from collections.abc import Callable, Iterable, Iterator

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES, discover
from cukereuse_engine.refactor.arguments import masked_arguments

SUFFIXES = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt")
_MOST_BYTES = 1_000_000
"""A larger file is generated."""
_LEAST_WORDS = 3
"""Fewer words beside the arguments are as likely to be a sentence of the document's own."""
_VALUE = r"""(?:"[^"\n]{0,80}"|'[^'\n]{0,80}'|<[^<>\n]{0,80}>|\{[^{}\n]{0,80}\}|[^\s"'<{]\S{0,80})"""
"""An argument: in signs of its own, or a word."""


def quotes(root: str, texts: Iterable[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, int]]:
    """Yields path and 1-based line where documents of a repository quote a step, with any arguments.

    `read` may raise `OSError`; such a file has no quotations.
    """
    patterns = sorted({pattern for text in texts if (pattern := _pattern(text.strip()))})
    if not patterns:
        return
    quoted = re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)")
    for path in discover([root], suffixes=SUFFIXES):
        if path.lower().endswith(FEATURE_SUFFIXES):
            continue
        try:
            data = read(path)
        except OSError:
            continue
        text = data.decode("utf-8", "replace") if len(data) <= _MOST_BYTES else ""
        lines = (text.count("\n", 0, match.start()) + 1 for match in quoted.finditer(text))
        yield from ((path, line) for line in dict.fromkeys(lines))


def _pattern(text: str) -> str:
    """Finds a step with other arguments; empty for one with too few words."""
    pieces, at = [], 0
    for argument in masked_arguments(text):
        pieces.append(text[at : argument.start])
        at = argument.end
    pieces.append(text[at:])
    if len(re.findall(r"[^\W\d_]+", " ".join(pieces))) < _LEAST_WORDS:
        return ""
    return _VALUE.join(map(re.escape, pieces))
