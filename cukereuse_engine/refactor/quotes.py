"""Finds where documents quote a step that is renamed. They are never edited.

A quotation is the whole step: on a line of its own or after a keyword, up to the line's end, or between two signs. In
other places its words may be a sentence of the document's own, or the beginning of a longer step.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from gherkin.dialect import DIALECTS

from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES, discover
from cukereuse_engine.refactor.arguments import masked_arguments

SUFFIXES = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt")
_MOST_BYTES = 1_000_000
"""A larger file is generated."""
_LEAST_WORDS = 3
"""Fewer words beside the arguments are as likely to be a sentence of the document's own."""
_VALUE = (
    r"""(?:"[^"\n]{0,80}"|'[^'\n]{0,80}'|<[^<>\n]{0,80}>|\{[^{}\n]{0,80}\}|[^\s"'`”’»<{|]{0,79}[^\s"'`”’»<{|*+)\]])"""
)
"""An argument: in signs of its own, or a word without signs that may end a quotation."""
_CLOSING = dict(zip("\"'`“‘„«|>*_+([", "\"'`”’“»|<*_+)]", strict=True))
"""Maps the sign before a quotation to the one after it: those of Markdown, reStructuredText, AsciiDoc, HTML and
tables."""
_NO_WORDS = re.compile(r"\W*(?:\d+[.)]\W*)?")
"""What may be before a step on its line: signs of a list, a quotation or a comment, a number of a list."""
_NO_MORE = re.compile(r"[^\w\s:\"'<{\[(-]*(?:<(?:/|br\b).*|\s+#\s.*|\s*\\?)")
"""What may be after it: punctuation, the end of what HTML marks, a comment or a line break of Markdown, but nothing
that an argument, a DocString or a table follows."""


def quotes(root: str, texts: Iterable[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, int]]:
    """Yields path and 1-based line where documents of a repository quote a step, with any arguments.

    `read` may raise `OSError`; such a file has no quotations.
    """
    patterns = sorted({pattern for text in texts if (pattern := _pattern(text.strip()))}, key=len, reverse=True)
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
        matches = (match for match in quoted.finditer(text) if _is_whole(text, match))
        lines = (text.count("\n", 0, match.start()) + 1 for match in matches)
        yield from ((path, line) for line in dict.fromkeys(lines))


def _is_whole(text: str, match: re.Match[str]) -> bool:
    """True if what is found is a whole step, and not a part of a sentence or of a longer step."""
    begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    before, after = text[begin : match.start()], text[match.end() : end if end >= 0 else len(text)]
    keyword = _keyword().search(before)
    before = (before[: keyword.start()] if keyword is not None else before).rstrip()
    if before and after.lstrip().startswith(_CLOSING.get(before[-1], "\n")):
        return True
    begins = keyword is not None or _NO_WORDS.fullmatch(before) is not None
    return begins and _NO_MORE.fullmatch(after) is not None


@cache
def _keyword() -> re.Pattern[str]:
    """A keyword of any dialect at the end of a text, which Markdown or HTML may mark: `**Given:** `."""
    words = {word.strip() for language in DIALECTS for word in keywords(language).steps}
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W_])(?:{either}):?(?:[*_`]+|</\w+>)?:?\s*\Z")


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
